"""The golden counts: a changed rule shows as a changed line."""
from __future__ import annotations

from lookup.answer import Desk

from .golden import FILE, lines


def test_every_scenario_has_as_many_ends_and_the_same_odds_as_the_golden_file_says(desk: Desk) -> None:
    now, golden = list(lines(desk.book)), FILE.read_text(encoding="utf-8").splitlines(keepends=True)
    differs = sorted(set(now) ^ set(golden))
    assert not differs, "python -m tests.golden --write writes the file anew, once the change is meant:\n" + "".join(differs)


def test_a_struck_clause_shows_in_the_golden_lines(desk: Desk) -> None:
    changed = set(lines(desk.book.without("mother-of-monsters.titanic.2"))) - set(lines(desk.book))
    assert any(line.startswith("devastate-hemmed-in ") for line in changed)

"""The golden counts: for each scenario of the book the number of its distinct ends and the exact odds of its claims, under the bases.

    python -m tests.golden           says what differs from the file
    python -m tests.golden --write   writes the file anew
"""
from __future__ import annotations

import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from lookup import book
from lookup.check import Ending
from lookup.engine.clause import Rulebook
from lookup.engine.graph import Budget
from lookup.scenario import begun, shipped

FILE = Path(__file__).with_name("golden.txt")


def lines(rules: Rulebook) -> Iterator[str]:
    """A line a scenario, sorted: its id, its number of ends, and each claim's least and greatest chance."""
    for id in sorted(rules.scenarios):
        s = shipped(rules, id)
        read = rules.turned(s.readings) if s.readings else rules
        solver = Ending(read, [w.holds for w in s.wants], s.keeps, Budget(400_000, 60.0))
        low, high = solver.start(*begun(read, s))
        odds = [f"{w.says}: {a[0]}" + (f"..{a[1]}" if a[0] != a[1] else "") + ("" if a == b else f" or {b[0]}..{b[1]}") for w, a, b in zip(s.wants, low, high)]
        yield f"{id} | {len(solver.ends)} ends | {' | '.join(odds)}\n"


def main() -> int:
    """Compares, or writes."""
    now = list(lines(book.load("knowledge")))
    if "--write" in sys.argv[1:]:
        FILE.write_text("".join(now), encoding="utf-8")
        return 0
    before = FILE.read_text(encoding="utf-8").splitlines(keepends=True) if FILE.exists() else []
    differs = list(unified_diff(before, now, "golden.txt", "now", n=0))
    sys.stdout.writelines(differs)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())

"""The text of the rules: every passage restated, in our own words, with its numbers and names; every clause with a place or a mark."""
import json
import re
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from lookup import sources
from lookup.book import OWNED, load
from lookup.check import MARKS, check, marks_of

ROOT = Path(__file__).resolve().parents[1]
PASSAGES = ROOT.parent / "shared" / "rulebook" / "passages.jsonl"
NAMES_AND_LISTS = {"elder-races/components/2", "chaos-monsters/components/1", "chaos-monsters/components/2"}
RUN = 8
NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
BOOK, SOURCES = load(), sources.load()
printed_words = pytest.mark.skipif(not PASSAGES.exists(), reason=f"the printed words are no part of the project, and {PASSAGES} is not here")


def passages() -> list[dict[str, Any]]:
    """The printed passages, where they are at hand."""
    return [json.loads(line) for line in PASSAGES.read_text(encoding="utf-8").splitlines() if line.strip()]


def said(passage: dict[str, Any]) -> list[str]:
    """The texts of a passage: its sentence, or its question and its answer."""
    return [passage[part] for part in ("text", "question", "answer") if passage.get(part)]


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    return check()


# Without the printed words


def test_every_passage_is_restated_by_a_clause_or_is_no_rule_with_a_reason() -> None:
    restated = {id for c in BOOK.clauses.values() for id in c.passages}
    assert restated - set(SOURCES.passages) == set(), "a clause names a passage that is not printed"
    assert set(SOURCES.passages) - restated == set(SOURCES.no_rule), "a passage is restated by no clause"
    assert len(SOURCES.passages) == 130
    assert len(SOURCES.no_rule) <= 10


def test_a_clause_names_two_passages_at_most_and_a_ruling_printed_twice_four() -> None:
    many = {c.id: c.passages for c in BOOK.clauses.values() if len(c.passages) > 2}
    assert {id for id in many if BOOK.page_of(id).kind != "faq" or len(many[id]) > 4} == set()


def test_all_twenty_printed_questions_are_eighteen_rulings() -> None:
    rulings = [id for page in BOOK.pages.values() if page.kind == "faq" for id in page.clauses]
    asked = {id for id, p in SOURCES.passages.items() if p.kind == "faq"}
    assert len(asked) == 20
    assert len(rulings) == 18
    assert {id for ruling in rulings for id in BOOK.clauses[ruling].passages} == asked
    assert sum(len(BOOK.clauses[ruling].passages) == 2 for ruling in rulings) == 2


def test_every_clause_has_one_place_in_code_or_one_mark() -> None:
    rulings = {id for page in BOOK.pages.values() if page.kind == "faq" for id in page.clauses}
    ways = {c.id: (["code"] if c.mark.kind else []) + (marks_of(c)[:1] if c.id in rulings else marks_of(c)) for c in BOOK.clauses.values()}
    assert {id: has for id, has in ways.items() if len(has) != 1} == {}


def test_no_mark_stands_more_often_than_the_file_allows_and_the_file_is_as_low_as_can_be() -> None:
    allowed = tomllib.loads((resources.files("knowledge") / "marks.toml").read_text(encoding="utf-8"))["marks"]
    have = dict.fromkeys(MARKS, 0)
    for c in BOOK.clauses.values():
        if not c.mark.kind and marks_of(c):
            have[marks_of(c)[0]] += 1
    assert allowed == have


def test_what_the_code_says_of_itself_is_its_clause_word_for_word() -> None:
    other = {c.id: (c.code.__doc__ or "", c.text) for c in BOOK.clauses.values() if c.mark.kind and " ".join((c.code.__doc__ or "").split()) != c.text}
    assert other == {}


def test_a_field_of_a_card_is_a_value_with_its_clause_or_said_to_be_unknown() -> None:
    must = {"elder race": {"placement", "alliance", "ability", "heroquest", "gift"}, "chaos monster": {"placement", "ability", "killing", "reward"}}
    for page in BOOK.pages.values():
        assert must.get(page.kind, set()) - set(page.card) == set(), page.path
        units = [u for u in BOOK.units.values() if u.page == page.id]
        if page.kind in ("elder race", "chaos monster", "cosmic monster", "dragon"):
            assert units, page.path
        for unit in units:
            assert {"class", "cost", "combat"} - set(unit.fields) == set(), f"{page.path}: {unit.kind}"


@pytest.mark.parametrize(("kind", "how_many"), [("elder race", 12), ("empire", 8), ("spawn", 1), ("faq", 2)])
def test_there_is_a_page_for_each(kind: str, how_many: int) -> None:
    assert sum(page.kind == kind for page in BOOK.pages.values()) == how_many


def test_there_is_a_page_for_each_of_the_nine_monsters() -> None:
    assert sum(page.kind in ("chaos monster", "cosmic monster", "dragon") for page in BOOK.pages.values()) == 9


def test_a_number_that_is_marked_so_stands_in_a_card_or_is_the_passage_behind_one() -> None:
    held = {f.clause for page in BOOK.pages.values() for f in page.card.values()} | {f.clause for u in BOOK.units.values() for f in u.fields.values()}
    behind = {passage for id in held & set(BOOK.clauses) for passage in BOOK.clauses[id].passages}
    assert {c.id for c in BOOK.clauses.values() if c.note == "number" and c.id not in held and not behind & set(c.passages)} == set()


def test_check_finds_no_fault(report: dict[str, Any]) -> None:
    assert report["faults"] == []


def test_check_counts_what_there_is(report: dict[str, Any]) -> None:
    clauses = report["clauses"]
    assert report["schema"] == "lawspeaker.check/1"
    assert report["passages"] == {"restated": 130 - len(SOURCES.no_rule), "no_rule": len(SOURCES.no_rule), "of": 130}
    assert clauses["coded"] + clauses["marked"] + clauses["bare"] == len(BOOK.clauses)
    assert sum(report["marks"].values()) == clauses["marked"]
    assert (clauses["bare"], report["scenarios"]["failed"], report["readings"]["undeclared"]) == (0, 0, 0)
    assert sum(report["rulings"].values()) == 18
    assert report["rulings"]["advice"] == 1
    assert report["readings"]["declared"] == len(BOOK.readings)


# With the printed words


def project_files() -> Iterator[Path]:
    """The project's tracked and new text files."""
    try:
        listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("git lists no files here")
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file() and b"\0" not in path.read_bytes()[:8192]:
            yield path


def runs(found: Iterable[tuple[str, int]], known: set[tuple[str, ...]]) -> Iterator[tuple[int, str]]:
    """Every run of words of some text that is known, as long as it goes: its line and its words."""
    at = list(found)
    i = 0
    while i <= len(at) - RUN:
        j = i + RUN - 1
        while j < len(at) and tuple(w for w, _ in at[j - RUN + 1:j + 1]) in known:
            j += 1
        if j > i + RUN - 1:
            yield at[i][1], " ".join(w for w, _ in at[i:j])
            i = j
        else:
            i += 1


def known_runs() -> set[tuple[str, ...]]:
    """Every run of eight words of the printed passages, but for the lists of what the boxes hold."""
    known = set()
    for passage in passages():
        if passage["id"] not in NAMES_AND_LISTS:
            for text in said(passage):
                words = sources.words(text)
                known |= {tuple(words[i:i + RUN]) for i in range(len(words) - RUN + 1)}
    return known


def with_lines(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text, each with its line."""
    for n, line in enumerate(text.splitlines(), 1):
        for word in sources.words(line):
            yield word, n


@printed_words
def test_no_eight_words_in_a_row_are_the_printed_ones() -> None:
    known = known_runs()
    assert len(known) > 1000
    texts = ((path, path.read_text(encoding="utf-8", errors="replace")) for path in project_files())
    found = [f"{path.relative_to(ROOT)}:{line}: {words}" for path, text in texts for line, words in runs(with_lines(text), known)]
    assert found == []


@printed_words
def test_a_printed_sentence_would_be_found_whatever_its_line_breaks_and_case() -> None:
    known = known_runs()
    long = next(text for passage in passages() if passage["id"] not in NAMES_AND_LISTS for text in said(passage) if len(sources.words(text)) == RUN + 2)
    broken = "Before.\n" + long.upper().replace(" ", "\n", 4).replace("'", "\u2019")
    assert [line for line, _ in runs(with_lines(broken), known)] == [2]
    assert list(runs(with_lines(" ".join(sources.words(long)[:RUN - 1])), known)) == []


@printed_words
def test_the_project_keeps_the_hashes_of_just_these_passages() -> None:
    kept = {id: {name: (part.words, part.sha256) for name, part in p.parts.items()} for id, p in SOURCES.passages.items()}
    assert kept == {p["id"]: {name: (p["words"][name], p["sha256"][name]) for name in p["sha256"]} for p in passages()}


def proper_names() -> dict[str, set[str]]:
    """Every proper name of the knowledge pages, with the words that mean the same thing."""
    names: dict[str, set[str]] = {}
    for page in BOOK.pages.values():
        if page.kind in BOOK.vocabulary.card_kinds:
            names[page.title] = {page.title}
        for what in OWNED:
            if what != "terms":
                names.update({str(name): {str(name)} for name in page.front.get(what) or ()})
    for unit in BOOK.units.values():
        same = {unit.kind, unit.plural} | ({BOOK.pages[unit.page].title} & {unit.kind, unit.plural})
        names.update(dict.fromkeys(same, same))
    return names


def missing(passage: dict[str, Any]) -> list[str]:
    """The numbers, die ranges, number words and proper names of a passage that its clauses do not have."""
    printed = " ".join(said(passage)).replace("\u2019", "'")
    clauses = [c for c in BOOK.clauses.values() if passage["id"] in c.passages]
    ours = " ".join(f"{c.text} {c.heading} {BOOK.page_of(c.id).title}" for c in clauses)
    names = proper_names()
    longer = sorted({*names, *(str(term) for page in BOOK.pages.values() for term in page.front.get("terms") or ())}, key=len, reverse=True)
    used = set(re.findall("|".join(rf"\b{re.escape(name)}\b" for name in longer), printed)) & set(names)
    lacking = [n for n in re.findall(r"\d+-\d+|\d+", printed) if not re.search(rf"(?<![\d-]){n}(?![\d-])", ours)]
    lacking += [w for w in NUMBER_WORDS if re.search(rf"\b{w}\b", printed.lower()) and not re.search(rf"\b{w}\b", ours.lower())]
    lacking += [name for name in sorted(used) if not any(re.search(rf"\b{re.escape(same)}\b", ours, re.I) for same in names[name])]
    return [f"{passage['id']}: {what!r} stands in none of {', '.join(c.id for c in clauses)}" for what in lacking]


@printed_words
@pytest.mark.parametrize("section", sorted({id.rpartition("/")[0] for id in SOURCES.passages}))
def test_numbers_and_names_of_a_passage_stand_in_its_clauses(section: str) -> None:
    assert [fault for passage in passages() if passage["id"].startswith(section + "/") for fault in missing(passage)] == []


@printed_words
def test_a_lost_number_and_a_lost_name_would_be_told_of() -> None:
    passage = next(p for p in passages() if p["id"] == "elder-races/card-slarges/6")
    assert missing(passage) == []
    altered = {**passage, "text": passage["text"].replace("1-3", "1-4") + " Cwim. Seven."}
    assert [fault.split("'")[1] for fault in missing(altered)] == ["1-4", "seven", "Cwim"]

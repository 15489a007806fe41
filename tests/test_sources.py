"""The map of the printed documents: whole, exact, and without their words."""
from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup import sources
from lookup.sources import Sources, SourcesError

PASSAGES = Path(__file__).resolve().parents[2] / "shared" / "rulebook" / "passages.jsonl"
SHA = "0" * 64


@pytest.fixture(scope="module")
def ours() -> Sources:
    return sources.load()


@pytest.fixture(scope="module")
def printed() -> dict[str, dict[str, Any]]:
    if not PASSAGES.is_file():
        pytest.skip(f"the printed passages are not here: {PASSAGES}")
    rows = map(json.loads, PASSAGES.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row for row in rows}


def test_every_printed_passage_is_in_the_map_and_none_other(ours: Sources, printed: dict[str, dict[str, Any]]) -> None:
    assert list(ours.passages) == list(printed)


def test_every_count_hash_and_anchor_is_that_of_the_printed_words(ours: Sources, printed: dict[str, dict[str, Any]]) -> None:
    for id, passage in ours.passages.items():
        row = printed[id]
        assert (passage.document, passage.kind, list(passage.parts)) == (row["document"], row["kind"], list(row["sha256"])), id
        for name, part in passage.parts.items():
            words = sources.words(row[name])
            assert (part.words, part.sha256) == (row["words"][name], row["sha256"][name]) == (len(words), sources.digest(words)), id
            assert part.anchor == (sources.anchor(words) if name != "answer" else None), id


def test_every_heading_is_the_printed_one_or_cut_from_it(ours: Sources, printed: dict[str, dict[str, Any]]) -> None:
    assert not [id for id, passage in ours.passages.items() if passage.heading not in printed[id]["heading"]]


def test_the_map_agrees_with_itself(ours: Sources) -> None:
    assert list(ours.documents) == ["elder-races", "chaos-monsters"]
    assert len(ours.passages) == 130
    assert sum(passage.kind == "faq" for passage in ours.passages.values()) == 20
    assert all(len(sources.words(text)) < 8 for passage in ours.passages.values() for text in (passage.heading, passage.section))
    places = [ours.place(id) for id in ours.passages]
    assert len(set(places)) == len(places)


def test_a_question_printed_in_both_documents_has_the_same_answer(ours: Sources) -> None:
    by_question: dict[str, list[str]] = {}
    for passage in ours.passages.values():
        if passage.kind == "faq":
            by_question.setdefault(passage.parts["question"].sha256, []).append(passage.parts["answer"].sha256)
    twice = [answers for answers in by_question.values() if len(answers) > 1]
    assert len(by_question) == 18
    assert [len(set(answers)) for answers in twice] == [1, 1]


def test_a_place_names_document_section_and_which(ours: Sources) -> None:
    assert ours.place("elder-races/faq/7") == "Elder Races rulebook, FAQ, 7th question"
    assert ours.place("elder-races/diplomacy/3") == "Elder Races rulebook, Diplomacy, 3rd sentence"
    assert ours.place("elder-races/card-slarges/1") == "Elder Races rulebook, Slarges card, 1st sentence"
    assert ours.place("chaos-monsters/monster-card/21") == "Chaos Monsters rulebook, Monster Card, 21st sentence"


def test_an_unknown_passage_has_no_place(ours: Sources) -> None:
    with pytest.raises(SourcesError, match=r"^sources.toml: no passage 'elder-races/faq/99'$"):
        ours.place("elder-races/faq/99")


@pytest.mark.parametrize(("number", "said"), [
    (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (22, "22nd"), (101, "101st"), (111, "111th"),
])
def test_an_ordinal_has_its_ending(number: int, said: str) -> None:
    assert sources.ordinal(number) == said


def test_words_are_lower_case_with_plain_apostrophes() -> None:
    assert sources.words("They\u2019re NOT \u2013 1\u20133 e.g. it's; \u0130zmir") == ["they're", "not", "1", "3", "e", "g", "it's", "izmir"]
    assert sources.digest(["they're", "not"]) == sources.digest(sources.words("(They\u2019re\nnot!)"))


def test_an_anchor_needs_six_words_and_reads_no_more() -> None:
    seven = sources.words("A goose may carry two plum baskets.")
    assert sources.anchor(seven[:5]) is None
    assert sources.anchor(seven[:6]) == sources.anchor(seven)
    assert re.fullmatch("[0-9a-f]{4}", sources.anchor(seven) or "")


@given(st.text())
def test_a_place_in_the_plain_text_is_the_place_in_the_text(text: str) -> None:
    assert len(sources.plain(text)) == len(text)
    assert [word for word, _ in sources.spans(text)] == sources.words(text)


GOOD = f"""
[documents]
one = "One rulebook"
[sections]
"one/faq" = {{heading = "XIV. FAQ", short = "FAQ"}}
[passages]
"one/faq/1" = {{kind = "faq", question = {{words = 7, sha256 = "{SHA}", anchor = "00ff"}}, answer = {{words = 1, sha256 = "{SHA}"}}}}
[no_rule]
"one/faq/1" = "says nothing"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A knowledge package of its own name; its list of passages is still to be written."""
    folder = tmp_path / f"book_{abs(hash(request.node.name))}"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_another_package_is_read_alike(package: Path) -> None:
    (package / "sources.toml").write_text(GOOD, encoding="utf-8")
    read = sources.load(package.name)
    assert read.place("one/faq/1") == "One rulebook, FAQ, 1st question"
    assert read.no_rule == {"one/faq/1": "says nothing"}


@pytest.mark.parametrize(("old", "new", "said"), [
    ("[documents]", "[documents", "line"),
    ("[no_rule]", "[other]", "no table"),
    ('"one/faq" =', '"one/faqs" =', "one/faq/1: section 'one/faq'"),
    ('short = "FAQ"', 'short = ""', "one/faq/1: a title"),
    ('"one/faq/1" = {kind', '"two/faq/1" = {kind', "two/faq/1: an id is"),
    ('"one/faq/1" = {kind', '"one/faq/2" = {kind', "one/faq/2: number 2 follows 0"),
    ('"one/faq/1" = "says', '"one/faq/3" = "says', "one/faq/3: named in no_rule"),
    ('kind = "faq"', 'kind = "note"', "one/faq/1: kind is"),
    ('kind = "faq"', 'kind = ["faq"]', "one/faq/1: kind is"),
    ('kind = "faq"', 'kind = "text"', "one/faq/1: a passage of kind text"),
    ("words = 7", "words = 0", "one/faq/1: question: words"),
    ("words = 7", "words = true", "one/faq/1: question: words"),
    ("words = 7", "words = 5", "one/faq/1: question: an anchor"),
    (SHA, "abc", "one/faq/1: question: sha256"),
    ('"00ff"', '"00fff"', "one/faq/1: question: anchor is"),
    ('"00ff"', "255", "one/faq/1: question: anchor is"),
])
def test_a_damaged_map_is_refused_in_one_line_with_its_place(package: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    (package / "sources.toml").write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SourcesError) as refused:
        sources.load(package.name)
    assert f"{package.name}/sources.toml: " in str(refused.value)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_map_is_refused(package: Path) -> None:
    with pytest.raises(SourcesError, match=r"sources\.toml: no such file$"):
        sources.load(package.name)
    with pytest.raises(SourcesError, match=r"^no_such_package/sources\.toml: no such file$"):
        sources.load("no_such_package")

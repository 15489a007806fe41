"""Search: finds the clause however it is asked for, and never breaks."""
from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lookup.search import Doc, Index, Words, WordsError

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

DOCS = (
    Doc("goose.ferry", "rule", "Goose", "A goose carries two baskets across the river, and each basket costs 1 plum."),
    Doc("goose.rout", "rule", "Goose", "A routed goose goes to the nearest orchard."),
    Doc("mill.noon", "rule", "The Great Mill of Plumstone", "At noon the Great Mill of Plumstone stands still and nobody grinds."),
    Doc("thaumaturge.kill", "rule", "Thaumaturge", "The thaumaturge is killed when his orchard burns.", names=("Wizard of the Orchard",)),
    Doc("windmill.build", "rule", "Windmill", "A windmill is built in an orchard."),
    Doc("victory", "rule", "End", "Whoever has 35 victory points wins.", asks=("when is the game over", "who has finished first")),
)
WORDS = Words(
    nicknames={"Great Mill of Plumstone": ("GMP", "big mill"), "victory point": ("VP",)},
    forms={"goose": ("geese",), "2": ("two",)},
    synonyms={"rout": ("retreat", "run away"), "kill": ("slay",), "basket": ("hamper",), "cost": ("price",), "roast": ("burn",)},
    plain=frozenset({"noose"}),
)


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(DOCS, WORDS)


def first(index: Index, question: str) -> str:
    hits = index.search(question).hits
    return hits[0].id if hits else ""


@pytest.mark.parametrize(("question", "id"), [
    ("what does a basket cost", "goose.ferry"),
    ("GOOSE BASKETS", "goose.ferry"),
    ("can the geese carry baskets?", "goose.ferry"),
    ("when does the GMP stand still", "mill.noon"),
    ("is the big mill grinding", "mill.noon"),
    ("how many VPs to win", "victory"),
    ("thaumatruge dead", "thaumaturge.kill"),
    ("thawmaterj", "thaumaturge.kill"),
    ("wizard", "thaumaturge.kill"),
    ("who can slay a thaumaturge", "thaumaturge.kill"),
    ("where do they run away to", "goose.rout"),
    ("price of a hamper", "goose.ferry"),
    ("wind mill orchard", "windmill.build"),
    ("greatmill", "mill.noon"),
    ("is the game finished?", "victory"),
    ("roasted", "thaumaturge.kill"),
    ("l\u00e0 g\u00f2\u00f4se's b\u00e0sket", "goose.ferry"),
])
def test_a_question_finds_its_clause(index: Index, question: str, id: str) -> None:
    assert first(index, question) == id


def test_what_was_read_as_what_is_told_in_order(index: Index) -> None:
    found = index.search("does the thaumatruge retreat from the GMP with 3 baskts of geese, gmps")
    assert found.read == (("thaumatruge", "thaumaturge"), ("GMP", "Great Mill of Plumstone"), ("baskts", "baskets"), ("gmps", "Great Mill of Plumstone"))


def test_a_misspelt_nickname_is_told_once(index: Index) -> None:
    assert Index(DOCS, Words(nicknames={"thaumaturge": ("magus",)})).search("magsu").read == (("magsu", "thaumaturge"),)


def test_a_known_word_is_never_put_right(index: Index) -> None:
    for question in ("mill", "hamper", "slay", "goose", "noose", "GMP", "thaumaturge geese price"):
        assert all(new in WORDS.nicknames for _, new in index.search(question).read)


def test_what_nothing_is_known_of_is_told(index: Index) -> None:
    found = index.search("does the goose have a parliament or a noose? parliament!")
    assert found.unknown == ("parliament", "noose")
    assert index.search("the capital of France") == type(found)(unknown=("capital", "france"))


def test_the_share_is_whole_when_the_best_hit_says_it_all_and_small_when_it_does_not(index: Index) -> None:
    assert index.search("a goose carries baskets").share == 1
    assert 0 < index.search("a goose reads newspapers in parliament").share < 0.4
    assert index.search("newspapers in parliament").share == 0


def test_the_order_is_the_same_every_time_and_ties_stand_in_the_order_given() -> None:
    docs = [Doc(f"same.{n}", "rule", "Goose", "A goose.") for n in range(30)]
    for _ in range(3):
        assert [hit.id for hit in Index(docs, WORDS).search("goose", 12).hits] == [f"same.{n}" for n in range(12)]


@pytest.mark.parametrize("question", ["", " ", "?", "of the", "\0", "\ud800", "''''", "-- OR NOT", "\u6f22\u5b57", "'s"])
def test_a_question_without_words_finds_nothing(index: Index, question: str) -> None:
    found = index.search(question)
    assert (found.hits, found.read, found.unknown, found.share) == ((), (), (), 0)


def test_a_limit_of_nothing_gives_nothing(index: Index) -> None:
    assert index.search("goose", 0).hits == index.search("goose", -1).hits == ()
    assert len(index.search("goose", 1).hits) == 1


def test_nothing_to_search_is_no_fault() -> None:
    assert Index([], Words()).search("goose").hits == ()
    assert Index([Doc("", "", "", "")], Words()).search("goose").hits == ()


def test_a_long_question_is_read_from_its_beginning_and_quickly(index: Index) -> None:
    before = time.perf_counter()
    assert index.search("goose " * 100_000).hits == index.search("goose " * 24).hits
    assert index.search("the " * 60 + "goose").hits == ()
    assert time.perf_counter() - before < 1


odd = st.one_of(
    st.text(),
    st.text(alphabet="gos *?~\"'()[]{}^:\\/-+&|!<>0123456789\u2019\u0130\u00df\ud800"),
    st.lists(st.sampled_from([
        "goose", "GMP", "AND", "OR", "NOT", "~99", "title:", "s*", "[a TO z]", 'r"("', "thaumatruge", "basketts", "retreat", "(" * 500,
    ]), max_size=40).map(" ".join),
)


@settings(max_examples=2000, deadline=None)
@given(odd)
def test_no_text_breaks_it(index: Index, text: str) -> None:
    found = index.search(text)
    assert 0 <= found.share <= 1
    assert len(found.hits) <= 10
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    for marks in (index.mark(text, "goose baskets GMP"), index.mark(DOCS[0].text, text)):
        assert all(start < end for start, end in marks)
        assert all(end <= start for (_, end), (start, _) in pairwise(marks))


def test_the_words_asked_for_are_marked(index: Index) -> None:
    def marked(text: str, question: str) -> list[str]:
        return [text[start:end] for start, end in index.mark(text, question)]

    assert marked(DOCS[0].text, "what do the geese's baskts cost") == ["goose", "baskets", "basket", "costs"]
    assert marked("The GMP, the Great Mill", "big mill") == ["GMP", "Great", "Mill"]
    assert marked("A routed goose", "retreat") == ["routed"]
    assert marked("The g\u00f6ose\u2019s hat", "goose") == ["g\u00f6ose"]
    assert marked("nothing here", "goose") == marked("a goose", "") == []


def test_two_processes_build_at_once() -> None:
    code = """
from lookup.search import Doc, Index, Words
for n in range(40):
    assert Index([Doc(str(n), "", "goose", "basket " * n)], Words()).search("goose").hits
"""
    both = [subprocess.Popen([sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said


@pytest.fixture
def hurried() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hurried")
def test_threads_that_search_at_once_find_the_same(index: Index) -> None:
    questions = ["goose basket", "orchard", "great mill at noon", "thaumatruge orchard", "35 victory points", "retreat"]
    right = [index.search(question) for question in questions]

    def wrong(_: int) -> list[str]:
        return [question for _ in range(60) for question, found in zip(questions, right, strict=True) if index.search(question) != found]

    with ThreadPoolExecutor(4) as pool:
        assert not any(pool.map(wrong, range(4)))


def test_the_game_brings_its_words() -> None:
    words = Words.load()
    assert "MoM" in words.nicknames["Mother of Monsters"]
    assert "retreat" in words.synonyms["rout"]
    assert len(words.common) > 5000


GOOD = 'plain = "one two"\n[nicknames]\n"Great Mill" = ["GM"]\n[forms]\n"goose" = ["geese"]\n[synonyms]\n"rout" = ["flee"]\n'


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A knowledge package; its list of words is still to be written."""
    folder = tmp_path / f"words_{tmp_path.name.replace('-', '_')}"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_another_package_brings_its_own_words(package: Path) -> None:
    (package / "words.toml").write_text(GOOD, encoding="utf-8")
    assert Words.load(package.name) == Words({"Great Mill": ("GM",)}, {"goose": ("geese",)}, {"rout": ("flee",)}, frozenset({"one", "two"}))


@pytest.mark.parametrize(("old", "new", "said"), [
    ("[forms]", "[forms", "line"),
    ("[forms]", "[form]", "form: there are"),
    ('"one two"', '["one"]', "plain: one text"),
    ('"one two"\n', '"one two"\nelsewhere = "chess"\n', "elsewhere: a list of words and phrases"),
    ('"one two"\n', '"one two"\nelsewhere = ["?"]\n', "elsewhere: a list of words and phrases"),
    ('["GM"]', "[]", "[nicknames] 'Great Mill'"),
    ('["GM"]', '"GM"', "[nicknames] 'Great Mill'"),
    ('["GM"]', "[1]", "[nicknames] 'Great Mill'"),
    ('["geese"]', '["?"]', "[forms] 'goose'"),
    ('["geese"]', '["gm"]', "'gm' is said for 'Great Mill' and for 'goose'"),
])
def test_a_damaged_list_of_words_is_refused_in_one_line(package: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    (package / "words.toml").write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(WordsError) as refused:
        Words.load(package.name)
    assert f"{package.name}/words.toml: " in str(refused.value)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_package_brings_common_english_words_the_commonest_first(package: Path) -> None:
    (package / "words.toml").write_text(GOOD, encoding="utf-8")
    (package / "plain.txt").write_text("where that\nparliament\n", encoding="utf-8")
    assert Words.load(package.name).common == ("where", "that", "parliament")


def test_a_question_loses_little_by_a_common_word_and_much_by_one_of_other_matters() -> None:
    docs = [*DOCS, *(Doc(f"other.{n}", "rule", "Other", f"word{n}") for n in range(30))]
    common = ("tonight", *(f"filler{n}" for n in range(5000)), "parliament")
    index = Index(docs, Words(common=common, elsewhere=("in chess",)))
    shares = [index.search(f"goose baskets {more}").share for more in ("tonight", "parliament", "in chess")]
    assert 1 > shares[0] > shares[1] > shares[2] > 0


def test_words_in_quotation_marks_are_taken_as_they_stand(index: Index) -> None:
    assert index.search('the "thaumatruge" of the GMP').read == (("GMP", "Great Mill of Plumstone"),)
    assert index.search("the thaumatruge of the \u201cGMP\u201d").read == (("thaumatruge", "thaumaturge"),)


def test_each_line_of_asks_stands_by_itself() -> None:
    docs = (Doc("one", "", "", "", asks=("who carries plums", "when is noon")), Doc("two", "", "", "", asks=("who carries the noon plums",)))
    assert [hit.id for hit in Index(docs, Words()).search("carries noon plums").hits] == ["two", "one"]


def test_a_line_that_asks_for_the_same_kind_of_thing_counts_more() -> None:
    docs = (Doc("where", "", "", "", asks=("where is the orchard ladder",)), Doc("who", "", "", "", asks=("who has the orchard ladder",)))
    index = Index(docs, Words())
    assert [index.search(f"{asks} an orchard ladder").hits[0].id for asks in ("where stands", "who uses")] == ["where", "who"]


def test_a_missing_list_of_words_is_refused(package: Path) -> None:
    with pytest.raises(WordsError, match=r"words\.toml: no such file$"):
        Words.load(package.name)


def test_most_questions_find_their_printed_passage() -> None:
    if not (SHARED / "questions").is_dir():
        pytest.skip(f"the questions are not here: {SHARED}")
    rows = [json.loads(line) for line in (SHARED / "rulebook" / "passages.jsonl").read_text(encoding="utf-8").splitlines()]
    index = Index([Doc(row["id"], row["kind"], row["heading"], row.get("text") or f"{row['question']} {row['answer']}") for row in rows], Words.load())
    asked = [row for row in map(json.loads, (SHARED / "questions" / "questions.jsonl").read_text(encoding="utf-8").splitlines()) if row["gold"]]
    ranks = [next((n for n, hit in enumerate(index.search(row["q"]).hits, 1) if hit.id in row["gold"]), 0) for row in asked]
    assert sum(1 / n for n in ranks if n) / len(ranks) > 0.8
    assert sum(1 <= n <= 3 for n in ranks) / len(ranks) > 0.85

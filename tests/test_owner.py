"""The owner's own book: read exactly, kept safely, never trusted."""
from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lookup import owner, sources
from lookup.owner import OwnerError
from lookup.sources import Document, Part, Passage, Sources

RULEBOOK = Path(__file__).resolve().parents[2] / "shared" / "rulebook"

MADE_UP = {
    "red/rules/1": ("A goose may carry two baskets of plums across the river.",),
    "red/rules/2": ("It never swims.",),
    "red/rules/3": ("Whoever owns the mill (or its well-kept garden) takes one basket.",),
    "red/faq/1": ("Does the goose stop when the miller is asleep at noon?", "Yes."),
    "red/faq/2": ("May a basket be left behind on the far bank?", "No, baskets are counted at the end."),
    "blue/faq/1": ("May a basket be left behind on the far bank?", "No, baskets are counted at the end."),
    "blue/faq/2": ("How many plums fit into one basket at most?", "Twelve of them."),
}


def faq(document: str) -> str:
    return "\n".join(("FAQ", *(f"Q. {texts[0]} A. {texts[1]}" for id, texts in MADE_UP.items() if id.startswith(f"{document}/faq"))))


RED = "\n".join(("RULES", " ".join(text for id, (text, *_) in MADE_UP.items() if "rules" in id), faq("red")))
BLUE = faq("blue")


def passage(id: str, texts: tuple[str, ...]) -> Passage:
    document, section, number = id.split("/")
    names = ("text",) if len(texts) == 1 else ("question", "answer")
    words = [sources.words(text) for text in texts]
    parts = {name: Part(len(some), sources.digest(some), sources.anchor(some) if name != "answer" else None) for name, some in zip(names, words, strict=True)}
    return Passage(id, document, section, section, int(number), "text" if len(texts) == 1 else "faq", parts)


@pytest.fixture(scope="module")
def made_up() -> Sources:
    return Sources({id: Document(id, f"{id} book") for id in ("red", "blue")}, {id: passage(id, texts) for id, texts in MADE_UP.items()}, {})


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv(owner.HOME, str(folder))
    return folder


@pytest.fixture
def rulebook() -> list[Path]:
    files = [RULEBOOK / name for name in ("elder-races.txt", "chaos-monsters.txt")]
    if not all(file.is_file() for file in files):
        pytest.skip(f"the printed documents are not here: {RULEBOOK}")
    return files


def book(folder: Path, text: str, name: str = "book.txt") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def one_line(refused: pytest.ExceptionInfo[OwnerError]) -> str:
    said = str(refused.value)
    assert len(said.splitlines()) == 1
    said.encode()
    return said


def test_both_rulebooks_are_matched_whole_as_two_files_or_one(rulebook: list[Path], tmp_path: Path) -> None:
    ours = sources.load()
    together = book(tmp_path, "\n".join(file.read_text(encoding="utf-8") for file in rulebook))
    for files in (rulebook, rulebook[::-1], [together]):
        before = time.perf_counter()
        reading = owner.read(files, ours)
        assert time.perf_counter() - before < 2
        assert str(reading) == "matched 130 of 130"


def test_the_printed_words_are_kept_as_they_stand(rulebook: list[Path]) -> None:
    found = owner.read(rulebook, sources.load()).found
    for row in map(json.loads, (RULEBOOK / "passages.jsonl").read_text(encoding="utf-8").splitlines()):
        for name, words in found[row["id"]].items():
            assert words == " ".join(row[name].removeprefix("- ").split())


def test_one_rulebook_alone_gives_its_passages_and_those_printed_in_both(rulebook: list[Path]) -> None:
    ours = sources.load()
    found = owner.read(rulebook[:1], ours).found
    assert {id for id in ours.passages if id.startswith("elder-races/")} <= set(found)
    assert {id for id in found if id.startswith("chaos-monsters/")} == {"chaos-monsters/faq/3", "chaos-monsters/faq/4"}


def test_case_punctuation_and_line_breaks_do_not_matter_and_are_kept(tmp_path: Path, made_up: Sources) -> None:
    text = "a GOOSE may carry: two baskets\r\nof plums,\tacross the river!) \u201cIt never swims\u201d..."
    found = owner.read([book(tmp_path, text)], made_up).found
    assert found["red/rules/1"]["text"] == "a GOOSE may carry: two baskets of plums, across the river!)"
    assert found["red/rules/2"]["text"] == "\u201cIt never swims\u201d..."


def test_a_word_cut_at_the_end_of_a_line_is_read_whole(tmp_path: Path, made_up: Sources) -> None:
    text = "A goose may carry two bas-\nkets of plums ac\u00adross the river. Whoever owns the mill (or its well-\nkept garden) takes one basket."
    found = owner.read([book(tmp_path, text)], made_up).found
    assert found["red/rules/1"]["text"] == MADE_UP["red/rules/1"][0]
    assert found["red/rules/3"]["text"].replace("well- kept", "well-kept") == MADE_UP["red/rules/3"][0]


def test_an_answer_counts_only_right_after_its_question(tmp_path: Path, made_up: Sources) -> None:
    text = RED.replace("A. No, baskets", "A. That depends on a great many things. No, baskets")
    assert "red/faq/2" not in owner.read([book(tmp_path, text)], made_up).found


def test_an_answer_that_goes_on_is_another_answer(tmp_path: Path, made_up: Sources) -> None:
    assert "red/faq/1" in owner.read([book(tmp_path, RED)], made_up).found
    assert "red/faq/1" not in owner.read([book(tmp_path, RED.replace("A. Yes.", "A. Yes, but only in spring."))], made_up).found


def test_a_short_passage_counts_only_beside_its_neighbour(tmp_path: Path, made_up: Sources) -> None:
    apart = RED.replace("It never swims. ", "") + " The miller's cat is another matter altogether. It never swims."
    assert "red/rules/2" not in owner.read([book(tmp_path, apart)], made_up).found
    after = RED.replace("A goose may", "One goose may")
    assert "red/rules/2" in owner.read([book(tmp_path, after)], made_up).found


def test_a_passage_is_taken_once_where_its_section_goes_on(tmp_path: Path, made_up: Sources) -> None:
    text = BLUE.replace("May a basket", "may a BASKET") + "\n" + RED
    found = owner.read([book(tmp_path, text)], made_up).found
    assert found["red/faq/2"]["question"].startswith("May a basket")
    assert str(owner.read([book(tmp_path, RED + RED)], made_up)) == "matched 6 of 7"


def test_what_both_documents_print_is_taken_from_its_own_file(tmp_path: Path, made_up: Sources) -> None:
    files = [book(tmp_path, RED, "red.txt"), book(tmp_path, BLUE.replace("May a basket", "may a BASKET"), "blue.txt")]
    for some in (files, files[::-1]):
        found = owner.read(some, made_up).found
        assert len(found) == 7
        assert found["red/faq/2"]["question"].startswith("May a basket")
        assert found["blue/faq/1"]["question"].startswith("may a BASKET")


def test_each_file_is_told_with_its_count(tmp_path: Path, made_up: Sources) -> None:
    files = [book(tmp_path, RED, "red.txt"), book(tmp_path, "Nothing of the sort.", "else.txt")]
    assert owner.read(files, made_up).files == ((str(files[0]), 6), (str(files[1]), 0))


def test_what_is_saved_is_loaded_and_a_second_book_adds_to_it(tmp_path: Path, made_up: Sources, home: Path) -> None:
    assert owner.load(made_up) == ({}, "")
    first = owner.read([book(tmp_path, BLUE)], made_up)
    assert owner.save(first).parent == home
    owner.save(owner.read([book(tmp_path, RED)], made_up))
    loaded, warning = owner.load(made_up)
    assert not warning
    assert list(loaded) == list(MADE_UP)
    assert loaded["red/rules/2"] == "It never swims."
    assert loaded["blue/faq/2"] == "Q. How many plums fit into one basket at most? A. Twelve of them."
    assert [file.name for file in home.iterdir()] == ["printed.json"]


def test_a_text_of_another_game_saves_nothing_and_keeps_the_earlier_book(tmp_path: Path, made_up: Sources) -> None:
    owner.save(owner.read([book(tmp_path, RED)], made_up))
    other = book(tmp_path, "Roll two dice and move your token.", "other.txt")
    with pytest.raises(OwnerError) as refused:
        owner.read([other], made_up)
    assert one_line(refused) == f"{other}: no passage of the rulebooks was found, nothing was saved"
    assert len(owner.load(made_up).passages) == 6


@pytest.mark.parametrize(("content", "said"), [
    (b"MZ\x90\0\x03\0\0\0" * 50, "a binary file"),
    (b"%PDF-1.7\n\xe2\xe3\xcf\xd3", "a PDF; a text copy is needed"),
    ("Grüße\n".encode("utf-16"), "UTF-16 text; save it as UTF-8"),
    ("fine\nGrüße\n".encode("latin-1"), "line 2: not UTF-8"),
    (b"", "no passage of the rulebooks was found"),
])
def test_a_file_that_is_no_text_is_refused_in_one_line(tmp_path: Path, made_up: Sources, content: bytes, said: str) -> None:
    file = tmp_path / "a\nbook"
    file.write_bytes(content)
    with pytest.raises(OwnerError) as refused:
        owner.read([file], made_up)
    assert "a\\nbook: " in one_line(refused)
    assert said in one_line(refused)


@pytest.mark.parametrize(("name", "said"), [("none.txt", "no such file"), ("", "a folder"), ("x" * 400, "cannot be read"), ("a\0b", "cannot be read")])
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, made_up: Sources, name: str, said: str) -> None:
    with pytest.raises(OwnerError) as refused:
        owner.read([tmp_path / name], made_up)
    assert said in one_line(refused)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_at_once(tmp_path: Path, made_up: Sources) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OwnerError, match="not an ordinary file"):
        owner.read([tmp_path / "pipe"], made_up)


def test_a_file_over_the_limit_is_refused_and_one_at_the_limit_is_read(tmp_path: Path, made_up: Sources) -> None:
    large = book(tmp_path, (RED + "\n" + "the goose may carry baskets " * (owner.LIMIT // 28 + 1))[:owner.LIMIT - 1] + "\n")
    before = time.perf_counter()
    assert len(owner.read([large], made_up).found) == 6
    assert time.perf_counter() - before < 60
    with large.open("ab") as file:
        file.write(b".")
    with pytest.raises(OwnerError, match=r"larger than 16 MB$"):
        owner.read([large], made_up)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path, made_up: Sources) -> None:
    file = tmp_path / "book.txt"
    file.write_bytes(RED.encode("utf-8-sig"))
    assert len(owner.read([file], made_up).found) == 6


@pytest.mark.parametrize("content", [
    "", "{", "[]", "[" * 100_000, '{"schema": "other", "passages": {}}', '{"schema": "lawspeaker.printed/1", "passages": {"a": 1}}', "\udcff",
])
def test_a_damaged_or_foreign_file_is_passed_over_with_a_warning(made_up: Sources, home: Path, content: str) -> None:
    home.mkdir()
    (home / "printed.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    loaded, warning = owner.load(made_up)
    assert not loaded
    assert "printed.json: damaged or not ours" in warning
    assert len(warning.splitlines()) == 1


def test_words_that_were_changed_are_left_out_with_a_warning(tmp_path: Path, made_up: Sources, home: Path) -> None:
    file = owner.save(owner.read([book(tmp_path, RED)], made_up))
    file.write_text(file.read_text(encoding="utf-8").replace("never swims", "always swims"), encoding="utf-8")
    loaded, warning = owner.load(made_up)
    assert set(loaded) == {id for id in MADE_UP if id.startswith("red")} - {"red/rules/2"} | {"blue/faq/1"}
    assert "1 of 6 passages" in warning


def test_a_save_that_fails_leaves_the_earlier_book_and_no_scrap(tmp_path: Path, made_up: Sources, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner.save(owner.read([book(tmp_path, BLUE)], made_up))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OwnerError, match="cannot be written: No space left"):
        owner.save(owner.read([book(tmp_path, RED)], made_up))
    assert [file.name for file in home.iterdir()] == ["printed.json"]
    assert len(owner.load(made_up).passages) == 3


def test_a_home_that_is_a_file_is_refused(tmp_path: Path, made_up: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(owner.HOME, str(book(tmp_path, "", "taken")))
    with pytest.raises(OwnerError) as refused:
        owner.save(owner.read([book(tmp_path, RED)], made_up))
    assert "cannot be written" in one_line(refused)
    assert owner.load(made_up).passages == {}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(), st.text().map(lambda text: (text + RED + text).encode("utf-8", "replace"))))
def test_any_bytes_are_read_or_refused(tmp_path: Path, made_up: Sources, content: bytes) -> None:
    file = tmp_path / "any"
    file.write_bytes(content)
    said = "matched"
    try:
        owner.read([file], made_up)
    except OwnerError as refused:
        said = str(refused)
    assert len(said.splitlines()) == 1

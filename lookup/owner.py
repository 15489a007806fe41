"""The owner's own rulebook: a text copy is aligned with the passages by hash, and kept on this machine only."""
from __future__ import annotations

import json
import os
import re
import tempfile
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import platformdirs

from . import sources as printed
from .sources import ANCHORED, Part, Passage, Sources

LIMIT = 16 * 1024 * 1024
"""The largest file that is read, in bytes."""

HOME = "LAWSPEAKER_HOME"
"""The environment variable that names another folder for what is kept."""

_SCHEMA = "lawspeaker.printed/1"
_GAP = 3
"""How many words may stand between a question and its answer, or between a short passage and its neighbour: a label, a page number."""

_OPENING, _CLOSING, _FINAL = "([{\"'“‘", ".,;:!?)]}\"'”’…", ".!?)]}\"”…"
_LIGATURES = str.maketrans({"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\u00ad": None})
_HYPHEN_AT_LINE_END = re.compile(r"(?<=[a-z])-[ \t]*\r?\n[ \t]*(?=[a-z])")


class OwnerError(Exception):
    """A file cannot be read or kept. One line: the file, and what is wrong with it."""


Words = Mapping[str, str]
"""A passage's printed words by part: text, or question and answer."""


@dataclass(frozen=True)
class Reading:
    """What some files hold: the printed words by passage, how many passages there are, and how many each file gave."""

    found: Mapping[str, Words]
    of: int
    files: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return f"matched {len(self.found)} of {self.of}"


class Owned(NamedTuple):
    """The owner's printed words by passage, ready to show, and what was wrong with the file that keeps them ("" where nothing was)."""

    passages: dict[str, str]
    warning: str


def read(paths: Sequence[Path], sources: Sources) -> Reading:
    """Find the passages in text files. Nothing is saved.

    A passage is taken where its words stand exactly, whatever the punctuation, case and line breaks. Where several files hold it,
    that one gives it which holds most of its document. Raises OwnerError for a file that is no readable text, and where no
    passage was found at all.
    """
    each = [(_shown(path), _match(_read(path), sources)) for path in paths]
    found: dict[str, Words] = {}
    for document in sources.documents:
        own = [{id: words for id, words in match.items() if sources.passages[id].document == document} for _, match in each]
        for match in sorted(own, key=len):
            found.update(match)
    if not found:
        raise OwnerError(f"{', '.join(name for name, _ in each) or 'no file'}: no passage of the rulebooks was found, nothing was saved")
    in_order = {id: found[id] for id in sources.passages if id in found}
    return Reading(in_order, len(sources.passages), tuple((name, len(match)) for name, match in each))


def save(reading: Reading) -> Path:
    """Add what was read to what is kept, and return the file that keeps it. Raises OwnerError where it cannot be written."""
    target = _file()
    kept, _ = _kept(target)
    body = json.dumps({"schema": _SCHEMA, "passages": {**kept, **reading.found}}, ensure_ascii=False, indent=1)
    temporary = ""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, prefix=target.stem, suffix=".tmp", delete=False) as file:
            temporary = file.name
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise OwnerError(f"{_shown(target)}: cannot be written: {error.strerror}") from None
    return target


def load(sources: Sources | None = None) -> Owned:
    """What is kept, by passage, as printed: "Q. ... A. ..." for a question with its answer.

    Words that do not have the hash of their passage are left out. A damaged or foreign file is no error: it gives nothing, and a warning.
    """
    target = _file()
    kept, warning = _kept(target)
    passages = (sources or printed.load()).passages if kept else {}
    good = {id: _says(kept[id]) for id in passages if id in kept and _holds(passages[id], kept[id])}
    if len(good) < len(kept):
        warning = f"{_shown(target)}: {len(kept) - len(good)} of {len(kept)} passages are not the printed words and are left out; read your book again"
    return Owned(good, warning)


def _says(words: Words) -> str:
    return words["text"] if "text" in words else f"Q. {words['question']} A. {words['answer']}"


def _holds(passage: Passage, words: Words) -> bool:
    return set(words) == set(passage.parts) and all(printed.digest(printed.words(words[name])) == part.sha256 for name, part in passage.parts.items())


def _file() -> Path:
    return Path(os.environ.get(HOME) or platformdirs.user_data_dir("lawspeaker", appauthor=False)) / "printed.json"


def _kept(target: Path) -> tuple[dict[str, Words], str]:
    """The file's entries, unchecked but for their shape, and a warning."""
    ignored = f"{_shown(target)}: damaged or not ours, ignored; read your book again"
    try:
        with target.open("rb") as file:
            raw = file.read(LIMIT + 1)
        data = json.loads(raw) if len(raw) <= LIMIT else None
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, f"{_shown(target)}: cannot be read: {error.strerror}"
    except (ValueError, RecursionError):
        return {}, ignored
    match data:
        case {"schema": schema, "passages": dict() as entries} if schema == _SCHEMA:
            good = all(isinstance(entry, dict) and all(isinstance(words, str) for words in entry.values()) for entry in entries.values())
            return (entries, "") if good else ({}, ignored)
    return {}, ignored


def _shown(path: Path) -> str:
    """A path that fits on a line and on any terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(path))


def _read(path: Path) -> str:
    name = _shown(path)
    try:
        if path.is_dir():
            raise OwnerError(f"{name}: a folder; name the text file in it")
        if path.exists() and not path.is_file():
            raise OwnerError(f"{name}: not an ordinary file")
        with path.open("rb") as file:
            raw = file.read(LIMIT + 1)
    except FileNotFoundError:
        raise OwnerError(f"{name}: no such file") from None
    except (OSError, ValueError) as error:
        raise OwnerError(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if raw.startswith(b"%PDF-"):
        raise OwnerError(f"{name}: a PDF; a text copy is needed (save it as text, or use pdftotext)")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise OwnerError(f"{name}: UTF-16 text; save it as UTF-8")
    if b"\0" in raw:
        raise OwnerError(f"{name}: a binary file; a text copy is needed")
    if len(raw) > LIMIT:
        raise OwnerError(f"{name}: larger than {LIMIT // 1024 // 1024} MB")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise OwnerError(f"{name}: line {line}: not UTF-8; save it as UTF-8") from None


def _match(text: str, sources: Sources) -> dict[str, Words]:
    """The passages that a text holds. A hyphen at a line's end is read both ways: as printed, then as a word cut in two."""
    text = text.translate(_LIGATURES)
    joined = _HYPHEN_AT_LINE_END.sub("", text)
    found = dict(_align(_Text(joined), sources)) if joined != text else {}
    return found | dict(_align(_Text(text), sources))


class _Text:
    """A text as a row of normalised words, each with the place where it begins."""

    def __init__(self, text: str) -> None:
        same: dict[str, str] = {}
        self.text = text
        self.words: list[str] = []
        self.starts: list[int] = []
        for word, start in printed.spans(text):
            self.words.append(same.setdefault(word, word))
            self.starts.append(start)

    def has(self, part: Part, at: int) -> bool:
        """Whether a part stands here. A short one must end its sentence: the answer "Yes." is not the start of "Yes, but ..."."""
        window = self.words[at:at + part.words]
        if at < 0 or len(window) != part.words or printed.digest(window) != part.sha256:
            return False
        return part.words >= ANCHORED or self.printed(part, at)[-1] in _FINAL

    def printed(self, part: Part, at: int) -> str:
        """The words as they stand, with the punctuation that belongs to them; line breaks become spaces."""
        last = at + part.words - 1
        start, end = self.starts[at], self.starts[last] + len(self.words[last])
        while start and self.text[start - 1] in _OPENING:
            start -= 1
        while end < len(self.text) and self.text[end] in _CLOSING:
            end += 1
        return " ".join(self.text[start:end].split())

    def anchored(self, parts: Mapping[str, list[Part]]) -> dict[str, list[int]]:
        """Where the parts stand, by their SHA-256. Parts come by anchor: a window is hashed only where its anchor fits."""
        wanted = {int(anchor, 16): some for anchor, some in parts.items()}
        numbers = list(map(printed.number, self.words))
        spots: dict[str, list[int]] = defaultdict(list)
        total = sum(numbers[:ANCHORED])
        for at in range(len(numbers) - ANCHORED + 1):
            for part in wanted.get(total & 0xFFFF, ()):
                if self.has(part, at):
                    spots[part.sha256].append(at)
            if at + ANCHORED < len(numbers):
                total += numbers[at + ANCHORED] - numbers[at]
        return spots


def _align(text: _Text, sources: Sources) -> Iterator[tuple[str, Words]]:
    """Each passage that the text holds, once, with its printed words."""
    parts: dict[str, dict[str, Part]] = defaultdict(dict)
    for passage in sources.passages.values():
        for part in passage.parts.values():
            if part.anchor:
                parts[part.anchor][part.sha256] = part
    spots = text.anchored({anchor: list(some.values()) for anchor, some in parts.items()})
    for _, section in groupby(sources.passages.values(), key=lambda passage: passage.id.rpartition("/")[0]):
        passages = list(section)
        for passage, where in zip(passages, _settle(text, passages, spots), strict=True):
            if where is not None:
                yield passage.id, {name: text.printed(part, at) for (name, part), at in zip(passage.parts.items(), where, strict=True)}


def _settle(text: _Text, passages: Sequence[Passage], spots: Mapping[str, list[int]]) -> list[tuple[int, ...] | None]:
    """Where each passage of a section stands, a place for each of its parts.

    A long one stands at its first place after the passage before it, or else wherever it is found; an answer right after its
    question. A short one may stand anywhere in a book by chance: it counts only right beside a neighbour.
    """
    settled: list[tuple[int, ...] | None] = [None] * len(passages)
    end = 0
    for n, passage in enumerate(passages):
        first, *rest = passage.parts.values()
        places = spots.get(first.sha256, [])
        turn = bisect_left(places, end)
        for at in places[turn:] + places[:turn] if first.anchor else range(end, end + _GAP + 1 if n and settled[n - 1] else 0):
            if text.has(first, at) and (where := _with_answer(text, first, at, rest)):
                settled[n] = where
                end = where[-1] + list(passage.parts.values())[-1].words
                break
    for n in range(len(passages) - 2, -1, -1):
        short, after = next(iter(passages[n].parts.values())), settled[n + 1]
        if settled[n] is None and after and not short.anchor:
            before = range(after[0] - short.words, after[0] - short.words - _GAP - 1, -1)
            settled[n] = next(((at,) for at in before if text.has(short, at)), None)
    return settled


def _with_answer(text: _Text, question: Part, at: int, rest: Sequence[Part]) -> tuple[int, ...] | None:
    """The place of a question and that of its answer, which follows it; of a text alone, its place."""
    if not rest:
        return (at,)
    after = at + question.words
    return next(((at, place) for place in range(after, after + _GAP + 1) if text.has(rest[0], place)), None)

"""The printed documents: which passages they have, and where each stands. Never their words."""
from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

FILE = "sources.toml"
ANCHORED = 6
"""A part of at least so many words has an anchor; a shorter one is only looked for beside its neighbours."""

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_HASH = re.compile(r"[0-9a-f]{64}")
_ANCHOR = re.compile(r"[0-9a-f]{4}")
_PARTS = {"text": ("text",), "faq": ("question", "answer")}


class SourcesError(ValueError):
    """The list of passages is damaged, or a passage is not in it. One line: the file, the passage, what is wrong."""


@dataclass(frozen=True)
class Document:
    """A printed rulebook."""

    id: str
    title: str


@dataclass(frozen=True)
class Part:
    """The text of a passage, or its question or its answer: how many words, their SHA-256, and an anchor where it is long enough to be looked for."""

    words: int
    sha256: str
    anchor: str | None = None


@dataclass(frozen=True)
class Passage:
    """A sentence, or a question with its answer, of a document."""

    id: str
    document: str
    heading: str
    section: str
    number: int
    kind: str
    parts: Mapping[str, Part]


@dataclass(frozen=True, eq=False)
class Sources:
    """The documents and their passages by id, in printed order; and the passages that state no rule, each with the reason."""

    documents: Mapping[str, Document]
    passages: Mapping[str, Passage]
    no_rule: Mapping[str, str]

    def place(self, passage_id: str) -> str:
        """Where a passage is printed: document, section, which sentence or question. Raises SourcesError for an unknown id."""
        passage = self.passages.get(passage_id)
        if passage is None:
            raise SourcesError(f"{FILE}: no passage {passage_id!r}")
        what = "question" if passage.kind == "faq" else "sentence"
        return f"{self.documents[passage.document].title}, {passage.section}, {ordinal(passage.number)} {what}"


def ordinal(number: int) -> str:
    """1 becomes 1st, 12 becomes 12th, 22 becomes 22nd."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def plain(text: str) -> str:
    """Lower case, the typographic apostrophe made plain; as long as the text, so that places in one are places in the other."""
    # The dotted capital I is the one letter whose lower case is longer than itself.
    return text.replace("\u0130", "I").lower().replace("\u2019", "'")


def spans(text: str) -> Iterator[tuple[str, int]]:
    """The normalised words of a text, each with the place where it begins."""
    return ((match.group(), match.start()) for match in _WORD.finditer(plain(text)))


def words(text: str) -> list[str]:
    """The normalised words of a text."""
    return _WORD.findall(plain(text))


def digest(words: Sequence[str]) -> str:
    """SHA-256, in hexadecimal, of normalised words joined by one space."""
    return hashlib.sha256(" ".join(words).encode()).hexdigest()


@lru_cache(maxsize=1 << 16)
def number(word: str) -> int:
    """A number below 65536 that stands for a word in anchors: the first 16 bits of its SHA-256."""
    return int.from_bytes(hashlib.sha256(word.encode()).digest()[:2], "big")


def anchor(words: Sequence[str]) -> str | None:
    """Four hexadecimal digits for the first six words, None where there are fewer.

    It is the sum of the words' numbers, so that a reader slides it along a long text with one addition a word and takes the
    SHA-256 of a window only where the sum fits. Sixteen bits for six words in any order give away none of them.
    """
    if len(words) < ANCHORED:
        return None
    return f"{sum(map(number, words[:ANCHORED])) & 0xFFFF:04x}"


def load(package: str = "knowledge") -> Sources:
    """Read the list of passages that a knowledge package brings.

    Raises SourcesError where the file is missing, is no TOML, or says something that cannot be.
    """
    where = f"{package.replace('.', '/')}/{FILE}"
    try:
        data = tomllib.loads((resources.files(package) / FILE).read_text(encoding="utf-8"))
    except (ModuleNotFoundError, OSError):
        raise SourcesError(f"{where}: no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SourcesError(f"{where}: {' '.join(str(error).split())}") from None
    return _Reader(where).sources(data)


class _Reader:
    """Turns the file's tables into Sources, and complains with the place."""

    def __init__(self, where: str) -> None:
        self.where = where

    def sources(self, data: Mapping[str, Any]) -> Sources:
        titles, sections, passages, no_rule = (self.table(data, key) for key in ("documents", "sections", "passages", "no_rule"))
        documents = {id: Document(id, self.line(title, id)) for id, title in titles.items()}
        found: dict[str, Passage] = {}
        last: dict[str, int] = {}
        for id, entry in passages.items():
            found[id] = passage = self.passage(id, entry, documents, sections)
            section = id.rpartition("/")[0]
            if passage.number != last.get(section, 0) + 1:
                raise self.fault(id, f"number {passage.number} follows {last.get(section, 0)}")
            last[section] = passage.number
        for id, reason in no_rule.items():
            if id not in found:
                raise self.fault(id, "named in no_rule, but no such passage")
            self.line(reason, id)
        return Sources(documents, found, dict(no_rule))

    def passage(self, id: str, entry: object, documents: Mapping[str, Document], sections: Mapping[str, object]) -> Passage:
        section, _, last = id.rpartition("/")
        document = section.partition("/")[0]
        if not re.fullmatch(r"[1-9][0-9]{0,3}", last) or document not in documents:
            raise self.fault(id, "an id is DOCUMENT/SECTION/NUMBER")
        names = sections.get(section)
        if not isinstance(names, dict) or set(names) != {"heading", "short"}:
            raise self.fault(id, f"section {section!r} needs a heading and a short name")
        if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str) or entry["kind"] not in _PARTS:
            raise self.fault(id, "kind is text or faq")
        parts = _PARTS[entry["kind"]]
        if set(entry) != {"kind", *parts}:
            raise self.fault(id, f"a passage of kind {entry['kind']} has {' and '.join(parts)}, no more")
        return Passage(
            id, document, self.line(names["heading"], id), self.line(names["short"], id), int(last), entry["kind"],
            {name: self.part(id, name, entry[name]) for name in parts},
        )

    def part(self, id: str, name: str, entry: object) -> Part:
        if not isinstance(entry, dict) or not {"words", "sha256"} <= set(entry) <= {"words", "sha256", "anchor"}:
            raise self.fault(id, f"{name} has words and sha256, and an anchor where it is looked for")
        count, sha256, anchor = entry["words"], entry["sha256"], entry.get("anchor")
        if type(count) is not int or count < 1:
            raise self.fault(id, f"{name}: words is a number above 0")
        if not isinstance(sha256, str) or not _HASH.fullmatch(sha256):
            raise self.fault(id, f"{name}: sha256 is 64 hexadecimal digits")
        if (anchor is not None) != (name != "answer" and count >= ANCHORED):
            raise self.fault(id, f"{name}: an anchor stands with a text or a question of {ANCHORED} words or more, and nowhere else")
        if anchor is not None and not (isinstance(anchor, str) and _ANCHOR.fullmatch(anchor)):
            raise self.fault(id, f"{name}: anchor is 4 hexadecimal digits")
        return Part(count, sha256, anchor)

    def table(self, data: Mapping[str, Any], key: str) -> dict[str, Any]:
        value = data.get(key)
        if not isinstance(value, dict):
            raise SourcesError(f"{self.where}: no table [{key}]")
        return value

    def line(self, value: object, id: str) -> str:
        if not isinstance(value, str) or not value.strip() or len(value.splitlines()) > 1:
            raise self.fault(id, "a title, heading, short name or reason is one line of text")
        return value

    def fault(self, id: str, what: str) -> SourcesError:
        return SourcesError(f"{self.where}: {id}: {what}")

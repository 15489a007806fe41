"""What can be meant by the beginning of a question: names, asked questions and clauses that go on so."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .engine.clause import Rulebook
from .question import things
from .search import Words

KINDS = ("name", "question", "clause")
"""What a completion can be, the likelier first."""
LETTERS, SHOWN = 200, 8
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


@dataclass(frozen=True)
class Completion:
    """A way in which a question can go on: the text, what it is (name, question or clause), and the id of what it is about ("" for several)."""

    text: str
    kind: str
    id: str

    def json(self) -> dict[str, str]:
        """It as an object."""
        return {"text": self.text, "kind": self.kind, "id": self.id}


class Completer:
    """Completions of what is typed. Made once; safe to ask from several threads."""

    def __init__(self, found: Iterable[Completion]) -> None:
        self.all = list({(c.kind, c.text.lower()): c for c in found}.values())
        self.low = [c.text.lower() for c in self.all]
        self.words = sorted({(word, n) for n, text in enumerate(self.low) for word in _WORD.findall(text)})

    @classmethod
    def of(cls, book: Rulebook, words: Words) -> Completer:
        """The completions of a book: what it names and what players say for that, what players ask, and the ids of its clauses."""
        return cls(completions(book, words))

    def complete(self, typed: str, most: int = SHOWN) -> list[Completion]:
        """The completions of a text, the likeliest first: those that go on from it as it stands, then those that hold words beginning with all of its words.

        Takes any text; an empty one has none.
        """
        low = " ".join(typed[:LETTERS].lower().split())
        parts = _WORD.findall(low)
        if not parts or most < 1:
            return []
        fits = set.intersection(*(set(self.beginning(part)) for part in parts))
        order = sorted(fits, key=lambda n: (not self.low[n].startswith(low), KINDS.index(self.all[n].kind), len(self.low[n]), self.low[n]))
        return [self.all[n] for n in order[:most]]

    def beginning(self, part: str) -> Iterator[int]:
        """The completions with a word that begins so."""
        for at in range(bisect_left(self.words, (part, -1)), len(self.words)):
            word, n = self.words[at]
            if not word.startswith(part):
                return
            yield n


def completions(book: Rulebook, words: Words) -> Iterator[Completion]:
    """Everything that a question can go on to."""
    named = things(book)
    for name, thing in named.items():
        yield Completion(name, "name", thing.id)
    ids = {name.lower(): thing.id for name, thing in named.items()}
    for name, said in words.nicknames.items():
        for other in said:
            yield Completion(other, "name", ids.get(name.lower(), ""))
    for c in book.clauses.values():
        yield from (Completion(line, "question", c.id) for line in c.asks)
        yield Completion(c.id, "clause", c.id)
    for page in book.pages.values():
        yield from (Completion(line, "question", page.id) for line in page.asks)
    for id, raw in book.scenarios.items():
        yield from (Completion(str(line), "question", id) for line in raw.get("asks") or ())


__all__ = ["Completer", "Completion"]

"""What was asked: the things that a question names, and what it asks of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .book import OWNED
from .engine.clause import Rulebook

PLACES = ("areas", "terms")
"""Lists of names that a page owns without their being things a player uses."""
OPEN = re.compile(
    r"""\W* (?:(?:and|so|but|ok|hey)\W+)? (?:
        how (?!\ (?:likely|often|probable)) | where | who | whose | whom | which | why
        | when (?!\ (?:i|we|you|she|he|it|they|the|a|an|my)\b)
        | what (?!\ (?:are\ the\ odds|is\ the\ chance|are\ the\ chances))
    ) \b
    | .* \b (?: where\ (?:do|does|are|is|will) | who\ (?:decides|picks|chooses|sends) | how\ (?:much|many|do|does) ) \b""",
    re.I | re.X | re.S,
)
"""Questions that ask for something other than whether or how likely: by their beginning, or by what stands further on."""


TURNS = frozenset("into onto out off from without within not no never nor before after again".split())
PASSIVE = re.compile(r"\b(?:be|been|being|get|gets|got|is|are|was|were) \w+(?:ed|en|ain)\b", re.I)


def turns_of(question: str) -> frozenset[str]:
    """The small words that turn the sense of a question, and whether something is done to its subject."""
    words = re.findall(r"[a-z]+", question.lower().replace("n't", " not").replace("n\u2019t", " not"))
    return TURNS.intersection(words) | ({"passive"} if PASSIVE.search(question) else set())


PARTS = re.compile(r"[,;:?!.]+\s+(?:(?:and|or|but|then)\s+)?|\s+(?:and|or|but|then)\s+", re.I)


def parts_of(question: str) -> list[str]:
    """The parts of a question that asks more than one thing; none where it is all of one piece."""
    parts = [part.strip() for part in PARTS.split(question) if part.strip()]
    return parts if len(parts) > 1 else []


def asks_whether(question: str) -> bool:
    """Whether a question can be answered with always, never or odds; "how do I" and "where" cannot."""
    return not OPEN.match(question)


@dataclass(frozen=True)
class Thing:
    """Something the book names: its id (a page, or a page and a part of it), its name, its page, whether it is a part of the page's
    subject, whether it is a kind of unit or a card, and whether it is something that the page owns (an ability, a gift)."""

    id: str
    name: str
    page: str
    part: bool = False
    kind: bool = False
    owned: bool = False


def slug(name: str) -> str:
    """A name as a piece of an id."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


def things(book: Rulebook) -> dict[str, Thing]:
    """Every name that the pages give, with what it names: pages and cards, unit kinds, and the gifts, abilities and the like that a page owns."""
    found: dict[str, Thing] = {}
    for page in book.pages.values():
        if page.kind == "faq":
            continue
        whole = Thing(page.id, page.title, page.id, kind=page.kind in book.vocabulary.card_kinds)
        for name in (page.title, *page.names):
            found.setdefault(name, whole)
        for kind, unit in book.units.items():
            if unit.page == page.id:
                own = kind.lower() in {n.lower() for n in (page.title, *page.names)} or unit.plural.lower() == page.title.lower()
                thing = whole if own else Thing(f"{page.id}.{slug(kind)}", kind, page.id, True, kind=True)
                for name in (kind, unit.plural, *unit.names):
                    found.setdefault(name, thing)
        for what in OWNED:
            for name in page.front.get(what) or ():
                found[str(name)] = Thing(f"{page.id}.{slug(str(name))}", str(name), page.id, True, owned=what not in PLACES)
    return found


class Lexicon:
    """The names of a book as runs of stems, looked up longest first, in their own order or any other."""

    def __init__(self, book: Rulebook, stems: Callable[[str], Sequence[str]]) -> None:
        self.runs: dict[tuple[str, ...], Thing] = {}
        for name, thing in things(book).items():
            run = tuple(stems(name))
            if run:
                self.runs.setdefault(run, thing)
        self.mixed: dict[tuple[str, ...], Thing] = {}
        for run, thing in self.runs.items():
            self.mixed.setdefault(tuple(sorted(run)), thing)
        self.longest = max(map(len, self.runs), default=0)

    def named(self, stems: Sequence[str]) -> list[Thing]:
        """The things that a question names, in its order, each once; a page is left out where a part of it is named."""
        found: list[Thing] = []
        at = 0
        while at < len(stems):
            for n in range(min(self.longest, len(stems) - at), 0, -1):
                run = tuple(stems[at : at + n])
                thing = self.runs.get(run) or self.mixed.get(tuple(sorted(run)))
                if thing is not None:
                    found.append(thing)
                    at += n
                    break
            else:
                at += 1
        kept = list(dict.fromkeys(found))
        return [t for t in kept if t.part or not any(o.part and o.page == t.page for o in kept)]

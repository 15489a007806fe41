"""What a question is about: the clauses and cards that answer it, best first, and whether the sources answer it at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from . import shelf
from .engine.clause import Rulebook
from .question import Lexicon, Thing, parts_of
from .search import Hit, Index, Reading, Words

LOOKED_AT = 40
CONFIDENT, NAMED, GUESSED = 0.43, 0.38, 0.5
"""How much of a question the best results must hold: by itself, where a card, an ability or the like is named, and where nothing is and a word was guessed."""
LACKING, FAR, SURE, RIVAL = 0.55, 1.15, 0.7, 0.85
"""How much of a question a clause that says what the sources lack must speak of to refuse it, and how far it must be the best; and both
where a card, an ability or the like is named and both ask for the same kind of thing."""
NEAR = 5
"""Among so many results a clause that says what the sources lack is told as such."""
WEIGHT = {"community": 0.8, "assumed": 0.65, "silent": 0.9}
"""How much a clause of a weaker tier counts beside a printed one that fits as well."""
OTHER_CARD, PRINTED, ALL, RULING, AGAIN = 0.62, 0.9, 1.1, 1.55, 0.6
"""What a card counts that is not what is asked of, and a clause for its printed words; what having to do with all the things named is worth,
and that for a ruling on just these; and what a clause counts that says again what stands before it."""
WHOLE = 0.5
"""How much of a result's score depends on how much of the question it holds."""
ALIKE, MEANT = 0.25, 3
"""How much of a refused question the result of one like it must hold for that to be named, and how many are."""
MEANS = frozenset({"means"})
"""Asking what a thing is asks nothing in particular of it."""
PART, TWO, KEPT = 0.6, 2, 2
"""How much of a part of a question a result must hold to be put among the first, how many of each part are, and behind how many of the whole."""


class Rank(NamedTuple):
    """A clause or card that was found: its id, its score, how much of the question it holds, and whether it is asked for in the same way."""

    id: str
    score: float
    share: float
    alike: bool


@dataclass(frozen=True)
class Finding:
    """What was found for a question: ids of clauses and cards, best first; the things named; how the question was read; the scenarios found;
    where it is refused, what the sources lack; whether it is a name alone; and questions like it that can be asked."""

    ids: tuple[str, ...]
    named: tuple[Thing, ...]
    reading: Reading
    scenarios: tuple[str, ...] = ()
    silence: tuple[str, ...] = ()
    bare: bool = False
    alike: tuple[str, ...] = ()


class Finder:
    """Finds what answers a question in a book and the owner's printed words."""

    def __init__(self, book: Rulebook, printed: Mapping[str, str]) -> None:
        self.book = book
        self.index = Index(shelf.docs(book, printed), Words.load(book.package))
        self.lexicon = Lexicon(book, self.index.stems)
        self._about: dict[str, frozenset[str]] = {}

    @cached_property
    def restated(self) -> Mapping[str, tuple[str, ...]]:
        """For each passage the clauses that restate it."""
        return shelf.restated(self.book)

    def find(self, question: str) -> Finding:
        """What was found for a question, which is not empty."""
        reading = self.index.read(question)
        named = tuple(self.lexicon.named(reading.stems))
        hits = self.index.search(question, LOOKED_AT).hits
        scenarios = tuple(h.id.removeprefix("scenario ") for h in hits if h.id.startswith("scenario "))
        if self.is_bare(reading, named):
            page = [named[0].id] if named[0].id in self.book.pages else []
            return Finding(tuple(dict.fromkeys([*page, *(x.id for x in self.ranked(hits, named))])), named, reading, scenarios, bare=True)
        ranked = self.ranked(hits, named)
        silence = self.silence(ranked, named, reading)
        ids = [x.id for x in ranked]
        if silence:
            ids.sort(key=lambda id: not (self.is_silent(id) and self.book.clauses[id].text in silence))
        elif len(named) > 1 and self.only_names(reading, named):
            ids.sort(key=lambda id: (not self.is_about(id, named), not (self.is_ruling(id) and self.bearing_on(id, named) == len(named))))
        else:
            ids = self.with_parts(ids, question, named)
        alike = tuple(dict.fromkeys(h.asked for h in hits[:NEAR] if h.asked and h.share >= ALIKE)) if silence else ()
        return Finding(tuple(ids), named, reading, scenarios, silence, alike=alike[:MEANT])

    def is_bare(self, reading: Reading, named: Sequence[Thing]) -> bool:
        """Whether a question is nothing but the name of one thing: then its page is the answer, and nothing in particular is asked of it."""
        return len(named) == 1 and set(reading.asking) <= MEANS and not set(reading.stems) - set(self.index.stems(named[0].name))

    def only_names(self, reading: Reading, named: Sequence[Thing]) -> bool:
        """Whether a question is nothing but names, or asks what they are."""
        names = {name for t in named if t.kind or t.owned for name in (t.name, self.book.pages[t.page].title)}
        return set(reading.asking) <= MEANS and not set(reading.stems) - {stem for name in names for stem in self.index.stems(name)}

    def ranked(self, hits: Iterable[Hit], named: Sequence[Thing]) -> list[Rank]:
        """The clauses and cards that were found, each with its score and its share, best first: those that have to do with what is named stand higher."""
        best: dict[str, Rank] = {}
        for hit in hits:
            what, _, rest = hit.id.partition(" ")
            if what == "scenario":
                continue
            ids, weight = (self.restated.get(rest, ()), PRINTED) if what == "printed" else ((hit.id,), 1.0)
            for id in ids:
                score = hit.score * weight * (1 - WHOLE + WHOLE * hit.share) * self.bearing(id, named)
                if id not in best or score > best[id].score:
                    best[id] = Rank(id, score, hit.share, hit.alike)
        return self.each_once(sorted(best.values(), key=lambda x: -x.score))

    def each_once(self, ranked: Sequence[Rank]) -> list[Rank]:
        """The same, what says again only what stands before it counting less."""
        said: set[str] = set()
        found = []
        for x in ranked:
            c = self.book.clauses.get(x.id)
            own = {*c.passages, *c.restates} if c else set()
            found.append(x._replace(score=x.score * AGAIN) if own and own <= said else x)
            said |= {*own, x.id}
        return sorted(found, key=lambda x: -x.score)

    def is_ruling(self, id: str) -> bool:
        """Whether an id is that of a ruling."""
        return id in self.book.clauses and shelf.kind_of(self.book, self.book.clauses[id]) == "ruling"

    def with_parts(self, ids: Sequence[str], question: str, named: Sequence[Thing]) -> list[str]:
        """The same, with the best results of each part of a question that asks two things among the first; a part
        without a subject has that of the whole."""
        each = []
        subject = " ".join(t.name for t in named if t.kind or t.owned)
        for part in parts_of(question):
            if not any(t.kind or t.owned for t in self.lexicon.named(self.index.stems(part))):
                part = f"{part} {subject}"
            reading = self.index.read(part)
            if len(reading.stems) > 1 or (reading.stems and set(reading.asking) - MEANS):
                ranked = self.ranked(self.index.search(part, LOOKED_AT).hits, self.lexicon.named(reading.stems))
                each.append([x.id for x in ranked[:TWO] if x.share >= PART])
        if len(each) < 2:
            return list(ids)
        return list(dict.fromkeys([*ids[:KEPT], *(id for best in zip_longest(*each) for id in best if id), *ids]))

    def bearing(self, id: str, named: Sequence[Thing]) -> float:
        """How much more a clause counts for the things it has to do with."""
        if id not in self.book.clauses:
            return 1.0 if len(named) == 1 and named[0].id == id else OTHER_CARD
        bears = self.bearing_on(id, named)
        cards = {t.page for t in named if shelf.has_card(self.book, self.book.pages[t.page])}
        if cards and not bears and shelf.has_card(self.book, self.book.page_of(id)) and self.book.page_of(id).id not in cards:
            return OTHER_CARD * WEIGHT.get(self.book.clauses[id].tier, 1.0)
        both = len(named) > 1 and bears == len(named)
        return WEIGHT.get(self.book.clauses[id].tier, 1.0) * ((RULING if self.is_about(id, named) else ALL) if both else 1.0)

    def about(self, id: str) -> frozenset[str]:
        """The ids of all that a clause has to do with: what its title and text name, the pages of these, and whatever its own id stands under."""
        found = self._about.get(id)
        if found is None:
            c = self.book.clauses[id]
            names = self.lexicon.named(self.index.stems(f"{shelf.title_of(self.book, c)}. {c.text}"))
            under = [id[:m.start()] for m in re.finditer(r"\.", id)]
            found = self._about[id] = frozenset((id, *under, *(t.id for t in names), *(t.page for t in names)))
        return found

    def bearing_on(self, id: str, named: Iterable[Thing]) -> int:
        """How many of some things a clause has to do with."""
        return sum(t.id in self.about(id) for t in named) if id in self.book.clauses else 0

    def is_about(self, ruling: str, named: Sequence[Thing]) -> bool:
        """Whether a ruling speaks of all that a question names, and the question names every ability, gift and the like that the ruling speaks of."""
        if not self.is_ruling(ruling) or self.bearing_on(ruling, named) != len(named):
            return False
        parts = {t.id for t in self.lexicon.named(self.index.stems(self.book.clauses[ruling].text)) if t.part and t.owned}
        return parts <= {t.id for t in named}

    def silence(self, ranked: Sequence[Rank], named: Sequence[Thing], reading: Reading) -> tuple[str, ...]:
        """Why a question is refused: what the sources lack; empty where it is not."""
        owned = any(t.owned or t.kind for t in named)
        least = NAMED if owned else GUESSED if reading.read and not named else CONFIDENT
        if not ranked or max(x.share for x in ranked[:NEAR]) < least:
            about = f" {' and '.join(t.name for t in named)} {'are' if len(named) > 1 else 'is'} known, but what is asked of it is not." if named else ""
            return (f"Nothing in the sources answers this.{about}",)
        if self.only_names(reading, named):
            return ()
        best = next((x.score for x in ranked if not self.is_silent(x.id)), 0.0)
        for x in ranked[:NEAR]:
            far, near = x.score >= FAR * best and x.share >= LACKING, x.score >= RIVAL * best and x.share >= SURE
            if self.is_silent(x.id) and (far or (near and owned and x.alike)):
                return (self.book.clauses[x.id].text,)
        return ()

    def is_silent(self, id: str) -> bool:
        """Whether an id is that of a clause that says what the sources do not say."""
        return id in self.book.clauses and self.book.clauses[id].tier == "silent"

    def lacks(self, ids: Sequence[str], question: str) -> set[str]:
        """What the sources do not say of a question, by the silent clauses among its first results."""
        return {self.book.clauses[id].text for id in ids[:NEAR] if self.is_silent(id) and self.says_lack(id, question)}

    def says_lack(self, id: str, question: str) -> bool:
        """Whether a silent clause speaks of most of what a question asks."""
        stems = self.index.stems
        met = sum(len(stems(question[start:end])) for start, end in self.index.mark(question, self.book.clauses[id].text))
        return met >= LACKING * max(1, len(stems(question)))


__all__ = ["Finder", "Finding"]

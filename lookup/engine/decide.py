"""Which rules decide, and which readings: the smallest sets of clauses whose removal makes another verdict, and where two readings part."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from time import monotonic
from typing import Any

from .clause import DECIDING, Rulebook
from .graph import Bounds
from .play import Choose, Log, Roll, TooBig
from .solve import Line, Position, Sheet, line, rivals, shows
from .state import State

SIZE, TRIES, SECONDS, RUNS = 3, 300, 5.0, 200_000
"""Sets of so many clauses at most are tried, so many sets, for so long, each for so many runs."""
COMBINATIONS = 256
"""So many combinations of readings are tried; where there are more, each reading alone."""


@dataclass(frozen=True)
class Removal:
    """Clauses struck out, and rivals chosen for readings, together."""

    struck: frozenset[str] = frozenset()
    chosen: frozenset[tuple[str, str]] = frozenset()

    def of(self, book: Rulebook) -> Rulebook:
        """The book so changed."""
        changed = book.turned(dict(self.chosen)) if self.chosen else book
        return changed.without(*self.struck) if self.struck else changed

    def and_also(self, other: Removal) -> Removal:
        """Both together."""
        return Removal(self.struck | other.struck, self.chosen | other.chosen)

    def within(self, other: Removal) -> bool:
        """Whether all of it is part of the other."""
        return self.struck <= other.struck and self.chosen <= other.chosen

    @property
    def size(self) -> int:
        """How many clauses and readings it is."""
        return len(self.struck) + len(self.chosen)

    def clauses(self, book: Rulebook) -> tuple[str, ...]:
        """The clauses that it takes away: those struck out, and those that stand for the readings it turns."""
        return (*sorted(self.struck), *sorted(book.choice(reading) for reading, _ in self.chosen))


@dataclass(frozen=True)
class Deciding:
    """The smallest removals that make another verdict, each with the bounds it leads to; whole: every smaller set, and each of this size
    that could matter, was tried."""

    removals: tuple[tuple[Removal, Fraction, Fraction], ...]
    whole: bool


@dataclass
class Trial:
    """Solves one claim of a position in changed books, each once, until its time is over."""

    book: Rulebook
    position: Position
    seconds: float = SECONDS
    started: float = field(default_factory=monotonic)
    tried: int = 0
    known: dict[Removal, tuple[Bounds, Log] | None] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether no more is to be tried."""
        return self.tried >= TRIES or monotonic() - self.started > self.seconds

    def of(self, removal: Removal) -> tuple[Bounds, Log] | None:
        """The bounds in a changed book, and what was met; None where it is too large or time is over."""
        if removal not in self.known:
            if self.over:
                return None
            self.tried += 1
            left = max(0.1, self.seconds - (monotonic() - self.started))
            try:
                sheet = Sheet(removal.of(self.book), self.position, RUNS, left, monotonic())
                self.known[removal] = sheet.widest, sheet.log
            except TooBig:
                self.known[removal] = None
        return self.known[removal]


def candidates(book: Rulebook, log: Log, keeps: frozenset[str] | None) -> Iterator[Removal]:
    """What may be taken away singly: the deciding clauses that spoke, and each rival of the readings that were met."""
    for id in sorted(log.spoke):
        c = book.clauses[id]
        if c.mark.kind in DECIDING and not c.reading:
            yield Removal(frozenset({id}))
    for reading in sorted(log.readings):
        if shows(book, reading, keeps):
            for rival in rivals(book, reading):
                yield Removal(chosen=frozenset({(reading, rival)}))


def deciding(book: Rulebook, position: Position, seconds: float = SECONDS) -> Deciding:
    """The smallest sets of clauses and readings without which the first claim has another least or greatest chance.

    A set can only matter if each of it speaks when the others are gone; so sets grow by what speaks without them, and none is tried that
    holds one already found.
    """
    trial = Trial(book, position, seconds)
    base = trial.of(Removal())
    if base is None:
        return Deciding((), False)
    found: list[tuple[Removal, Fraction, Fraction]] = []
    level, whole = [Removal()], True
    for _ in range(SIZE):
        seen: set[Removal] = set()
        following: list[Removal] = []
        for smaller in level:
            before = trial.of(smaller)
            for one in candidates(book, before[1], position.keeps) if before else ():
                both = smaller.and_also(one)
                if both in seen or both.size == smaller.size or len({r for r, _ in both.chosen}) < len(both.chosen):
                    continue
                seen.add(both)
                after = trial.of(both)
                if after is None:
                    whole = False
                elif after[0][0] != base[0][0]:
                    found.append((both, *after[0][0]))
                else:
                    following.append(both)
        if found or not whole or trial.over:
            break
        level = following
    return Deciding(tuple(found), whole)


@dataclass(frozen=True)
class Parting:
    """Two readings of one thing: the clause that stands and its rival, the bounds of a claim under each, the number of the first step in
    which the two plays part (from 1; 0 where they do not), and what happens then in each ("" for nothing)."""

    reading: str
    base: str
    rival: str
    bounds: tuple[Fraction, Fraction]
    other: tuple[Fraction, Fraction]
    step: int
    here: str
    there: str


def parting(book: Rulebook, position: Position, start: State, base: Line, reading: str, rival: str, wanted: bool) -> Parting | None:
    """How the first claim comes out under both sides of a reading, and where a line of play under the one parts from the same under the
    other: with the same answers, as far as they fit.  None where it is too large."""
    try:
        mine = Sheet(book, position, RUNS, SECONDS, monotonic())
        theirs = Sheet(book.turned({reading: rival}), position, RUNS, SECONDS, monotonic())
        told = line(theirs.at(0)[0], start, 0, wanted, [following(way) for _, way in base.answers])
    except TooBig:
        return None
    here, there = ([e.says for e in found.events] for found in (base, told))
    step = next((n for n, (a, b) in enumerate(zip(here, there)) if a != b), min(len(here), len(there)))
    parts = step < max(len(here), len(there))
    return Parting(reading, book.choice(reading), rival, mine.widest[0], theirs.widest[0], step + 1 if parts else 0,
                   here[step] if step < len(here) else "", there[step] if step < len(there) else "")


def following(way: Any) -> Callable[[Choose | Roll], Any]:
    """An answer given before, where it fits what is asked; else the first way, or the likeliest roll."""
    def answer(ask: Choose | Roll) -> Any:
        if way in ask.ways:
            return way
        return max(ask.odds, key=lambda o: o[1])[0] if isinstance(ask, Roll) else ask.ways[0]
    return answer


@dataclass(frozen=True)
class Every:
    """The least and greatest chance of a claim under every reading that bears on it, in how many combinations that was tried, whether each
    reading was turned alone only, which choices of readings lead to other bounds than the bases, and whether all was tried."""

    least: Fraction
    greatest: Fraction
    tried: int
    alone: bool
    others: tuple[tuple[tuple[tuple[str, str], ...], Fraction, Fraction], ...]
    whole: bool


def under_every(book: Rulebook, position: Position, seconds: float = SECONDS) -> Every | None:
    """The first claim under every reading: all combinations of those that are met up to 256, beyond that each alone.  None where it is too large."""
    trial = Trial(book, position, seconds)
    base = trial.of(Removal())
    if base is None:
        return None
    met, left = set(base[1].readings), [Removal(chosen=frozenset({(r, rival)})) for r in base[1].readings for rival in rivals(book, r)]
    for removal in left:
        found = trial.of(removal)
        for reading in sorted(found[1].readings - met) if found else ():
            met.add(reading)
            left += [Removal(chosen=frozenset({(reading, rival)})) for rival in rivals(book, reading)]
    ways = [book.readings[r] for r in sorted(met) if shows(book, r, position.keeps)]
    names = [r for r in sorted(met) if shows(book, r, position.keeps)]
    alone = prod(map(len, ways)) > COMBINATIONS
    combinations = [r for r in left if shows(book, next(iter(r.chosen))[0], position.keeps)] if alone else [
        Removal(chosen=frozenset((name, id) for name, id in zip(names, some) if id != book.choice(name))) for some in product(*ways)]
    results = {r: trial.of(r) for r in dict.fromkeys([*combinations, *(left if trial.over else ())])}
    bounds = [(r, found[0][0]) for r, found in results.items() if found is not None]
    every = [base[0][0], *(b for _, b in bounds)]
    others = tuple((tuple(sorted(r.chosen)), *b) for r, b in bounds if b != base[0][0])
    return Every(min(b[0] for b in every), max(b[1] for b in every), len(bounds), alone, others, all(found is not None for found in results.values()))


__all__ = ["Deciding", "Every", "Parting", "Removal", "deciding", "parting", "under_every"]

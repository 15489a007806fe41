"""What stands where: each clause with its passages, its place in code and the scenarios that meet it; each reading with what it changes."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from .book import where_of
from .check import marks_of
from .engine.clause import Rulebook
from .engine.graph import Bounds, Budget, Solver
from .engine.play import Log, TooBig
from .engine.solve import rivals, word_of
from .odds import odds
from .scenario import Scenario, begun, shipped
from .shelf import restated

RUNS, SECONDS = 200_000, 10.0

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Row:
    """A clause: its id, tier, passages, its place in code ("file:line") or the mark that says why it has none, and the scenarios in which it speaks."""

    id: str
    tier: str
    passages: tuple[str, ...]
    place: str
    mark: str
    scenarios: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """A claim of a scenario that a reading changes: its verdict under the base and under a rival, as odds in words."""

    scenario: str
    says: str
    base: str
    rival: str
    under: str


@dataclass(frozen=True)
class Rival:
    """One side of a reading: the clause, whether it is the likelier, and the argument for it with the passages named in it."""

    id: str
    text: str
    tier: str
    base: bool
    why: str


@dataclass(frozen=True)
class Reading:
    """A reading with its rivals, the base first, and the claims of shipped scenarios that it changes."""

    name: str
    rivals: tuple[Rival, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Base:
    """A scenario solved under the bases."""

    scenario: Scenario
    book: Rulebook
    bounds: tuple[Bounds, Bounds]
    log: Log


class Coverage:
    """The tables of one book.  Scenarios are solved when a table first needs them."""

    def __init__(self, book: Rulebook, progress: Progress | None = None) -> None:
        self.book, self.progress = book, progress

    @cached_property
    def solved(self) -> dict[str, Base]:
        """Every scenario of the book that can be solved within the bound."""
        found: dict[str, Base] = {}
        for n, id in enumerate(self.book.scenarios, 1):
            base = solve(self.book, shipped(self.book, id))
            if base is not None:
                found[id] = base
            if self.progress is not None:
                self.progress(n, len(self.book.scenarios), id)
        return found

    def rows(self) -> list[Row]:
        """Every clause, in the book's order."""
        meets: dict[str, list[str]] = {}
        for id, base in self.solved.items():
            for clause in base.log.spoke:
                meets.setdefault(clause, []).append(id)
        return [Row(c.id, c.tier, c.passages, where_of(c.code, c.module) if c.mark.kind else "", "" if c.mark.kind else marks_of(c)[0],
                    tuple(meets.get(c.id, ())))
                for c in self.book.clauses.values()]

    def passages(self) -> dict[str, tuple[str, ...]]:
        """Each passage that a clause restates, with the clauses."""
        return restated(self.book)

    def reading(self, name: str) -> Reading:
        """One reading, with what it changes.  Raises KeyError."""
        ids = sorted(self.book.readings[name], key=lambda id: not self.book.clauses[id].base)
        clauses = [self.book.clauses[id] for id in ids]
        return Reading(name, tuple(Rival(c.id, c.text, c.tier, c.base, c.why) for c in clauses), tuple(self.changes(name)))

    def changes(self, name: str) -> Iterator[Change]:
        """The claims that come out otherwise when a reading is turned, by scenario."""
        for id, base in self.solved.items():
            if name not in base.log.readings:
                continue
            for rival in rivals(base.book, name):
                other = solve(base.book.turned({name: rival}), base.scenario, read=False)
                if other is None:
                    continue
                for w, *found in zip(base.scenario.wants, *base.bounds, *other.bounds):
                    before, after = worded(found[0], found[1]), worded(found[2], found[3])
                    if before != after:
                        yield Change(id, w.says, before, rival, after)

    def readings(self) -> list[Reading]:
        """Every reading, by name."""
        return [self.reading(name) for name in sorted(self.book.readings)]


def solve(book: Rulebook, s: Scenario, read: bool = True) -> Base | None:
    """A scenario solved in a book, by its own readings if read; None past the bound."""
    if read and s.readings:
        book = book.turned(s.readings)
    state, tape = begun(book, s)
    solver = Solver(book, [w.holds for w in s.wants], s.keeps, Budget(RUNS, SECONDS), apart=False)
    try:
        return Base(s, book, solver.start(state, tape), solver.log)
    except TooBig:
        return None


def worded(low: tuple[Fraction, Fraction], high: tuple[Fraction, Fraction]) -> str:
    """A claim's bounds in words; open where silence makes a difference."""
    word = word_of(low, high)
    return word if word != "depends" else odds(*low)


__all__ = ["Change", "Coverage", "Reading", "Rival", "Row"]

"""Playing one step on a tape of answers.

Rules ask for dice and choices; the tape answers, and past its end the run stops and says what it needs.  A driver then branches and
plays the step again.  Dice are multisets with exact weights; choices among like pieces are counts.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, lcm
from typing import Any

from .clause import SILENT, Rulebook, Unanswered, after_action
from .state import Piece, State, Wanted
from .trace import Asked, Cite, Trace
from .veil import Seen

Faces = tuple[tuple[Any, Fraction], ...]
MOST = 6_000
"""So many results of one roll, or ways of one choice, are played out at most."""
D6: Faces = tuple((n, Fraction(1, 6)) for n in range(1, 7))


@dataclass(frozen=True)
class Choose:
    """A choice that somebody must make: who, what about, and the ways."""

    who: str
    what: str
    ways: tuple[Any, ...]


@dataclass(frozen=True)
class Roll:
    """Dice to be rolled: how many, and the faces of each with their chances; seen is all that the rules look at in a result."""

    dice: int
    faces: Faces
    who: str = ""
    seen: Callable[[tuple[Any, ...]], Any] | None = field(default=None, compare=False)

    @property
    def odds(self) -> tuple[tuple[Any, Fraction], ...]:
        """Every unordered result, a tuple of faces, with its exact chance."""
        results, total = weighed(self.dice, self.faces)
        return tuple((result, Fraction(n, total)) for result, n in results)

    @property
    def ways(self) -> tuple[Any, ...]:
        """Every unordered result."""
        return tuple(w for w, _ in weighed(self.dice, self.faces)[0])

    @property
    def unlike(self) -> tuple[tuple[tuple[Any, int], ...], int]:
        """The results that the rules tell apart, each by its likeliest, with the ways of rolling them, and all ways there are."""
        results, total = weighed(self.dice, self.faces)
        if self.seen is None:
            return results, total
        alike: dict[Any, list[tuple[Any, int]]] = {}
        try:
            for result, n in results:
                alike.setdefault(self.seen(result), []).append((result, n))
        except (Need, Unanswered):
            return results, total
        return tuple((max(group, key=lambda r: r[1])[0], sum(n for _, n in group)) for group in alike.values()), total


class TooBig(Exception):
    """A position was not solved within its bound; says what to fix."""


class Need(BaseException):
    """The tape is used up; ask is what the run must know to go on."""

    def __init__(self, ask: Choose | Roll) -> None:
        super().__init__(ask)
        self.ask = ask


@lru_cache(256)
def weighed(dice: int, faces: Faces) -> tuple[tuple[tuple[Any, int], ...], int]:
    """Unordered results of like dice, each with its number of ways in so many equally likely ones.

    By the multinomial formula n!/(k1!...km!) w1^k1...wm^km, the faces having whole weights w over a common denominator.
    """
    over = lcm(*(p.denominator for _, p in faces))
    names, weights = [f for f, _ in faces], [int(p * over) for _, p in faces]
    out = []
    for counts in counted(dice, len(names)):
        ways = factorial(dice)
        for w, k in zip(weights, counts):
            ways = ways // factorial(k) * w**k
        out.append((tuple(f for f, k in zip(names, counts) for _ in range(k)), ways))
    return tuple(out), over**dice


def counted(dice: int, faces: int) -> Iterator[tuple[int, ...]]:
    """How often each face may come up, in the order of the faces."""
    if faces == 1:
        yield (dice,)
        return
    for first in range(dice, -1, -1):
        for rest in counted(dice - first, faces - 1):
            yield first, *rest


def multisets(dice: int, faces: Faces) -> tuple[tuple[Any, Fraction], ...]:
    """Unordered results of like dice with their exact chances."""
    return Roll(dice, faces).odds


@lru_cache(None)
def picks(have: tuple[tuple[Piece, int], ...], n: int) -> tuple[tuple[tuple[Piece, int], ...], ...]:
    """Every way to pick n of some counted pieces: tuples of (piece, how many), none of them 0."""
    if not have:
        return ((),) if n == 0 else ()
    (piece, k), *rest = have
    return tuple((((piece, i), *way) if i else way) for i in range(min(k, n), -1, -1) for way in picks(tuple(rest), n - i))


class Play:
    """One step being played: the book, the position so far, the tape, and what was asked."""

    def __init__(self, book: Rulebook, state: State, tape: Sequence[Any] = (), trace: Trace | None = None) -> None:
        self.book, self.state, self.tape, self.used, self.trace, self.watches = book, state, tape, 0, trace, True
        self.readings: set[str] = set()
        self.spoke: set[str] = set()
        self.undeclared: set[tuple[str, ...]] = set()
        self.overruled: set[tuple[str, str]] = set()

    def ask(self, ask: Choose | Roll) -> Any:
        """The tape's next answer.  Raises Need past its end."""
        if self.used == len(self.tape):
            if isinstance(ask, Choose) and len(ask.ways) > MOST:
                raise TooBig(f"{len(ask.ways)} ways to choose {ask.what} are too many to play out: take fewer units")
            raise Need(ask)
        self.used += 1
        return self.tape[self.used - 1]

    def roll(self, dice: int, faces: Faces = D6, who: str = "", seen: Callable[[tuple[Any, ...]], Any] | None = None) -> tuple[Any, ...]:
        """The result of some dice, as an unordered tuple of faces; seen is all that the step looks at in it, if that is less."""
        if not dice:
            return ()
        if comb(dice + len(faces) - 1, dice) > MOST:
            raise TooBig(f"{dice} dice in one roll are too many to play out: take fewer units")
        result: tuple[Any, ...] = self.ask(Roll(dice, faces, who, seen))
        if self.trace is not None:
            self.trace.did(f"{who + ' rolls' if who else 'Rolled'} {rolled(result)}", "rolled", after=self.state)
        return result

    def choose(self, who: str, what: str, ways: Iterable[Any]) -> Any:
        """One of some ways, chosen by somebody; a single way is no choice.  Raises Unanswered where there is no way."""
        ways = tuple(ways)
        if len(ways) == 1:
            return ways[0]
        if not ways:
            raise Unanswered(f"The sources do not say what happens where there is no way to choose: {what}.")
        way = self.ask(Choose(who, what, ways))
        if self.trace is not None:
            self.trace.did(f"{who or 'Whoever decides'} chooses: {what}: {self.word(way)}", "chosen", after=self.state)
        return way

    def aside(self, code: Any, args: tuple[Any, ...]) -> Any:
        """What a clause that does not stand would say here; the play itself where it would need an answer or find none."""
        apart = Play(self.book, self.state)
        try:
            return code(apart, *args)
        except (Need, Unanswered, Seen):
            return apart

    def then(self, code: Any, *args: Any) -> None:
        """Puts a step in front of all that is still to do."""
        self.then_clause(code.__clause__.id, *args)

    def then_clause(self, id: str, *args: Any) -> None:
        """Puts a step, named by its clause, in front of all that is still to do."""
        self.state = self.state.doing(((id, args), *self.state.agenda))

    def field(self, kind: str, name: str) -> str | None:
        """A field of a unit's card, as printed; None where a clause works it out.  Raises Unanswered when the sources do not say."""
        unit = self.book.unit(kind)
        found = unit.fields.get(name) if unit else None
        if found is None or found.silent:
            raise Unanswered(f"The sources do not say what the {name} of {self.book.plural(kind)} is.")
        if found.clause and self.trace is not None:
            says = f"The {name} of {self.book.plural(kind)} is {found.value}"
            self.trace.asks(Asked(f"{name} of {kind}", (), found.value, says, (Cite(found.clause, "default"),)))
        return found.value

    def did(self, what: str, says: str, piece: Piece | None = None, n: int = 0, place: str = "", to: str = "") -> None:
        """Tells something that happened, where anybody listens."""
        if self.trace is not None:
            self.trace.did(says, what, piece, n, place, to, self.state)

    def name(self, piece: Piece, n: int = 0) -> str:
        """A piece in words: "hero of Red"; with n, "2 heroes of Red"."""
        kind = piece.kind if n in (0, 1) else self.book.plural(piece.kind)
        label = f"{n} {kind}" if n > 1 else kind
        notes = ", ".join(f"{k} {v}" for k, v in piece.marks if k in self.book.vocabulary.marks and k != "class")
        return f"{label}{f' ({notes})' if notes else ''}{f' of {piece.owner}' if piece.owner else ''}"

    def word(self, value: Any) -> str:
        """Any value of a rule in words."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, Piece):
            return self.name(value)
        if isinstance(value, Wanted):
            return self.name(Piece(value.kind, value.owner), value.n or 0) + (f" in {value.place}" if value.place else "")
        if isinstance(value, tuple):
            if value and all(isinstance(v, tuple) and len(v) == 2 and isinstance(v[0], Piece) for v in value):
                return ", ".join(self.name(p, n) for p, n in value)
            return ", ".join(map(self.word, value)) or "nothing"
        if isinstance(value, str) and value in self.book.clauses:
            return self.book.clauses[value].text.rstrip(".")
        return str(value)

    def sentence(self, pattern: str, args: tuple[Any, ...]) -> str:
        """A sentence with its arguments in place."""
        return pattern.format(*map(self.word, args))


def rolled(result: tuple[Any, ...]) -> str:
    """A result of dice in words: "a 6", or "2 kill, 1 rout, 3 nothing"."""
    if len(result) == 1:
        return f"a {result[0]}" if isinstance(result[0], int) else f"1 {result[0]}" if result[0] else "nothing"
    return ", ".join(f"{n} {face if face != '' else 'nothing'}" if not isinstance(face, int) else f"{n} x {face}" for face, n in Counter(result).items())


@dataclass
class Log:
    """What a solve met on its way: readings, clauses that spoke, undeclared readings, silences, which clause overruled which, runs of a step.

    watches: whether it looks out for readings whose rivals would say something else.
    """

    readings: set[str]
    spoke: set[str]
    undeclared: set[tuple[str, ...]]
    silent: set[str]
    overruled: set[tuple[str, str]]
    runs: int = 0
    watches: bool = True

    @classmethod
    def new(cls, watches: bool = True) -> Log:
        """An empty one."""
        return cls(set(), set(), set(), set(), set(), 0, watches)

    def heard_in(self, g: Play) -> None:
        """Has a play write down here what it meets."""
        g.readings, g.spoke, g.undeclared, g.overruled, g.watches = self.readings, self.spoke, self.undeclared, self.overruled, self.watches


def advance(book: Rulebook, state: State, tape: Sequence[Any] = (), trace: Trace | None = None, log: Log | None = None) -> State:
    """The position after the next step of the agenda, played with these answers.

    An action that is not allowed changes nothing but leaves the flag ("refused", action, clauses...) and empties the agenda.
    Raises Need when the tape is too short, Unanswered when the rules are silent.
    """
    (id, args), *rest = state.agenda
    g = Play(book, state.doing(tuple(rest)), tape, trace)
    if log is not None:
        log.runs += 1
        log.heard_in(g)
    if not book.stands(id):
        return g.state
    clause = book.clauses[id]
    doing = clause.mark.action
    if doing is not None:
        may = doing.allowed(g, *args)
        if not may.value:
            if trace is not None:
                trace.begin(id, "step")
                trace.scope += [c for c in may.cites if c.role in ("forbids", "overruled")]
                trace.did("Refused: " + spoken(g, doing.__clause__.says, args), "refused", after=g.state)
            return g.state.flagged("refused", id, *may.against).doing(())
        if trace is not None:
            trace.begin(id, "step")
            trace.scope += [c for c in may.cites if c.role != "considered"]
            trace.did(spoken(g, doing.__clause__.says, args), "action", after=g.state)
            del trace.scope[1:]
        g.spoke.add(id)
        after_action(g, id, args)
        doing.code(g, *args)
    else:
        if trace is not None:
            trace.begin(id, clause.mark.kind)
        g.spoke.add(id)
        clause.code(g, *args)
    if trace is not None:
        trace.end()
    return g.state


def spoken(g: Play, says: str, args: tuple[Any, ...]) -> str:
    """An action's sentence with its arguments in the order of its slots."""
    import re
    left = list(args)
    return re.sub(r"\{(\w+)(?::[\w ]+)?\}", lambda m: g.word(left.pop(0)) if left else m[0], says)


__all__ = ["D6", "SILENT", "Choose", "Faces", "Log", "Need", "Play", "Roll", "TooBig", "advance", "multisets", "picks", "rolled", "spoken"]

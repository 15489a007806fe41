"""Every roll and choice of a position, with exact odds; what the verdict turns on; and one line of play to look at."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from time import monotonic
from typing import Any

from .clause import DECIDING, TIERS, Rulebook, Unanswered
from .play import Choose, Log, Need, Roll, TooBig, advance
from .state import State
from .trace import Event, Trace

Claim = Callable[[State], bool]
Bounds = tuple[tuple[Fraction, Fraction], ...]
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass
class Budget:
    """How much a solve may cost: runs of a step in all, and seconds."""

    runs: int = 400_000
    seconds: float = 30.0
    started: float = field(default_factory=monotonic)

    def spend(self, log: Log) -> None:
        """Counts one run.  Raises TooBig past the bound."""
        if log.runs > self.runs or (log.runs % 16 == 0 and monotonic() - self.started > self.seconds):
            raise TooBig(f"more than {min(log.runs, self.runs)} steps to play: fix some dice or choices, or take fewer units")


class Solver:
    """Solves one position in one book for some claims at once; keeps every position it met."""

    def __init__(self, book: Rulebook, claims: Sequence[Claim], keeps: frozenset[str] | None = None, budget: Budget | None = None) -> None:
        self.book, self.claims, self.keeps = book, tuple(claims), keeps
        self.budget, self.log = budget or Budget(), Log.new()
        self.known: dict[State, tuple[Bounds, Bounds]] = {}

    def solve(self, state: State) -> tuple[Bounds, Bounds]:
        """For each claim the least and greatest chance over all choices, with silence counted against it, and with silence counted for it."""
        state = self.forget(state)
        if not state.agenda:
            held = tuple((ONE, ONE) if c(state) else (ZERO, ZERO) for c in self.claims)
            return held, held
        found = self.known.get(state)
        if found is None:
            found = self.known[state] = self.within(state, ())
        return found

    def start(self, state: State, tape: tuple[Any, ...]) -> tuple[Bounds, Bounds]:
        """As solve, with answers already given within the next step, as far as they fit what this book asks."""
        state = self.forget(state)
        tape = self.fitting(state, tape)
        return self.within(state, tape) if tape else self.solve(state)

    def fitting(self, state: State, tape: tuple[Any, ...]) -> tuple[Any, ...]:
        """The answers up to the first that is none to what is asked."""
        for n, way in enumerate(tape):
            try:
                advance(self.book, state, tape[:n])
                return tape[:n]
            except Need as need:
                if way not in need.ask.ways:
                    return tape[:n]
            except Unanswered:
                return tape[:n]
        return tape

    def forget(self, state: State) -> State:
        """The position without the entries of its ledger that no claim reads."""
        if self.keeps is None or not state.happened or all(e[0][0] in self.keeps for e in state.happened):
            return state
        return State(state.board, state.pieces, state.counters, state.flags, tuple(e for e in state.happened if e[0][0] in self.keeps), state.agenda)

    def within(self, state: State, tape: tuple[Any, ...]) -> tuple[Bounds, Bounds]:
        self.budget.spend(self.log)
        try:
            after = advance(self.book, state, tape, None, self.log)
        except Need as need:
            parts = [self.within(state, (*tape, way)) for way in need.ask.ways]
            return (joined(need.ask, [p[0] for p in parts]), joined(need.ask, [p[1] for p in parts]))
        except Unanswered as silence:
            self.log.silent.add(silence.says)
            return ((ZERO, ZERO),) * len(self.claims), ((ONE, ONE),) * len(self.claims)
        return self.solve(after)


def joined(ask: Choose | Roll, parts: list[Bounds]) -> Bounds:
    """The bounds of a roll (weighed by its chances) or a choice (the least and the greatest) from those of its ways."""
    claims = range(len(parts[0]))
    if isinstance(ask, Roll):
        weights = [p for _, p in ask.odds]
        return tuple((sum((w * b[i][0] for w, b in zip(weights, parts)), ZERO), sum((w * b[i][1] for w, b in zip(weights, parts)), ZERO)) for i in claims)
    return tuple((min(b[i][0] for b in parts), max(b[i][1] for b in parts)) for i in claims)


@dataclass(frozen=True)
class Verdict:
    """What a solve says of one claim.

    least and greatest are exact chances; word is always, never, depends or open; turns_on are readings that change it, each with the
    verdict under its rivals; decides are single clauses without which it is another; tier is the weakest that it rests on.
    """

    least: Fraction
    greatest: Fraction
    word: str
    turns_on: tuple[tuple[str, str, Fraction, Fraction], ...] = ()
    decides: tuple[str, ...] = ()
    tier: str = "printed"


@dataclass(frozen=True)
class Solved:
    """The verdicts of a position's claims, what the sources are silent on, undeclared readings and readings met, runs spent, whether all was examined,
    and, with every reading as it was turned, the clauses that spoke and which of them overruled which."""

    verdicts: tuple[Verdict, ...]
    silent: tuple[str, ...]
    undeclared: tuple[tuple[str, ...], ...]
    readings: tuple[str, ...]
    runs: int
    whole: bool = True
    spoke: frozenset[str] = frozenset()
    overruled: frozenset[tuple[str, str]] = frozenset()


def word_of(low: tuple[Fraction, Fraction], high: tuple[Fraction, Fraction]) -> str:
    """always, never or depends from the bounds; open where silence makes a difference."""
    if low != high:
        return "open"
    return "always" if low[0] == 1 else "never" if low[1] == 0 else "depends"


def examine(book: Rulebook, state: State, claims: Sequence[Claim], keeps: frozenset[str] | None = None, runs: int = 400_000, seconds: float = 30.0,
            tape: tuple[Any, ...] = ()) -> Solved:
    """Solves a position under the bases, then with each reading it met turned, then with each deciding clause that spoke struck out.

    Raises TooBig when the first of these is past the bound; when a later one is, `whole` is False and what was not tried is counted
    as deciding the tier.
    """
    budget = Budget(runs, seconds)
    first = Solver(book, claims, keeps, budget)
    low, high = first.start(state, tape)
    log, spent, whole = first.log, first.log.runs, True
    turned: dict[tuple[str, str], Bounds] = {}
    left = Budget(max(runs - spent, 2000), seconds, budget.started)

    def other(changed: Rulebook) -> tuple[Bounds, Log] | None:
        nonlocal spent, whole
        if spent > runs:
            whole = False
            return None
        again = Solver(changed, claims, keeps, Budget(max(runs - spent, 500), left.seconds, left.started))
        try:
            bounds = again.start(state, tape)
        except TooBig:
            spent, whole = spent + again.log.runs, False
            return None
        spent += again.log.runs
        silent = bounds[0] != bounds[1]
        return (bounds[0] if not silent else tuple((a[0], b[1]) for a, b in zip(*bounds))), again.log

    base = low if low == high else tuple((a[0], b[1]) for a, b in zip(low, high))
    met = sorted(reading for reading in log.readings if shows(book, reading, keeps))
    spoke, overruled = set(log.spoke), set(log.overruled)
    for reading in met:
        for rival in rivals(book, reading):
            found = other(book.turned({reading: rival}))
            if found is None:
                continue
            turned[reading, rival] = found[0]
            spoke |= found[1].spoke
            overruled |= found[1].overruled
            for deeper in sorted(found[1].readings - log.readings):
                for second in rivals(book, deeper):
                    twice = other(book.turned({reading: rival, deeper: second}))
                    if twice is None:
                        continue
                    spoke |= twice[1].spoke
                    overruled |= twice[1].overruled
                    if twice[0] != found[0]:
                        turned[deeper, second] = twice[0]
    decides: list[list[str]] = [[] for _ in claims]
    rests: list[list[str]] = [[] for _ in claims]
    for id in sorted(log.spoke):
        if book.clauses[id].mark.kind not in DECIDING:
            continue
        found = other(book.without(id))
        for i in range(len(claims)):
            if found is None:
                rests[i].append(id)
            elif found[0][i] != base[i]:
                decides[i].append(id)
                rests[i].append(id)
    verdicts = []
    for i in range(len(claims)):
        word = word_of(low[i], high[i])
        changes = tuple((reading, rival, *b[i]) for (reading, rival), b in turned.items() if b[i] != base[i])
        if any(not book.based(reading) for reading, *_ in changes) or log.undeclared:
            word = "open"
        tiers = [book.clauses[id].tier for id in rests[i]] + [book.clauses[rival].tier for _, rival, *_ in changes]
        verdicts.append(Verdict(*base[i], word, changes, tuple(decides[i]), max(tiers, key=TIERS.index, default="printed")))
    return Solved(tuple(verdicts), tuple(sorted(log.silent)), tuple(sorted(log.undeclared)), tuple(met), spent, whole, frozenset(spoke), frozenset(overruled))


def shows(book: Rulebook, reading: str, keeps: frozenset[str] | None) -> bool:
    """Whether a reading can show in the claims: not if it only names who makes a choice, and no claim reads that."""
    entries = [book.clauses[id].mark.chooser for id in book.readings[reading]]
    return keeps is None or any(entry is None or entry in keeps for entry in entries)


def rivals(book: Rulebook, reading: str) -> tuple[str, ...]:
    """The clauses of a reading that do not stand now."""
    now = book.choice(reading)
    return tuple(id for id in book.readings[reading] if id != now)


@dataclass(frozen=True)
class Line:
    """One line of play: its end, its events, and the answers that lead there (each: what was asked, and the answer)."""

    end: State
    events: tuple[Event, ...]
    answers: tuple[tuple[Choose | Roll, Any], ...]
    silent: str = ""


def line(solver: Solver, state: State, claim: int, wanted: bool, script: Sequence[Callable[[Choose | Roll], Any]] = ()) -> Line:
    """A line of play towards an end where a claim holds (or does not), as likely as may be at each roll and choice on its own.

    The script's answers come first.  Where no such end exists the line leads to the other; where the rules fall silent on it the line stops there and says so.
    """
    trace = Trace()
    answers: list[tuple[Choose | Roll, Any]] = []
    left = list(script)

    def promise(b: Bounds) -> Fraction:
        return b[claim][1] if wanted else 1 - b[claim][0]

    while state.agenda:
        tape: tuple[Any, ...] = ()
        while True:
            told = len(trace.events)
            try:
                after = advance(solver.book, state, tape, trace)
                break
            except Unanswered as silence:
                del trace.events[told:]
                return Line(state, tuple(trace.events), tuple(answers), silence.says)
            except Need as need:
                del trace.events[told:]
                weights = dict(need.ask.odds) if isinstance(need.ask, Roll) else {}
                if left:
                    way = left.pop(0)(need.ask)
                else:
                    ask, given, at = need.ask, tape, solver.forget(state)
                    way = max(ask.ways, key=lambda w: promise(solver.within(at, (*given, w))[0]) * weights.get(w, 1))
                tape = (*tape, way)
                answers.append((need.ask, way))
        state = after
    return Line(state, tuple(trace.events), tuple(answers))

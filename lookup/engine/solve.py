"""What a position comes to: exact odds of its claims, what the verdict turns on, and one line of play to look at."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Any

from .clause import DECIDING, TIERS, Rulebook, Unanswered
from .graph import Bounds, Budget, Claim, Solver, Stance
from .play import Choose, Log, Need, Roll, TooBig, advance
from .state import State
from .trace import Event, Trace

ZERO, ONE = Fraction(0), Fraction(1)
SPLIT = 4_000
"""Past so many runs claims are solved one by one, each without what it does not read."""


@dataclass(frozen=True)
class Position:
    """What is solved: a position, answers given within its next step, its claims, and for each the entries of the ledger that it reads."""

    state: State
    claims: tuple[Claim, ...]
    reads: tuple[frozenset[str], ...] | None = None
    tape: tuple[Any, ...] = ()

    @property
    def keeps(self) -> frozenset[str] | None:
        """The entries that some claim reads; None is all."""
        return None if self.reads is None or not self.claims else frozenset().union(*self.reads)


class Sheet:
    """A position solved in one book: its claims together, or one by one where that is too much at once."""

    def __init__(self, book: Rulebook, position: Position, runs: int, seconds: float, started: float, apart: bool = True, partial: bool = False,
                 watches: bool = True) -> None:
        """Solves.  Raises TooBig past the bound, unless a partial answer will do."""
        self.position = position
        together = len(position.claims) < 2 or not apart or position.reads is None
        only = Budget(runs if together else min(runs, SPLIT), seconds, started)
        self.solvers = [Solver(book, position.claims, position.keeps, only, apart, partial and together, watches)]
        try:
            self.roots = [self.solvers[0].root(position.state, position.tape)]
            self.split = False
        except TooBig:
            if together or runs <= SPLIT or monotonic() - started > seconds:
                raise
            self.split = True
            self.solvers, self.roots = [], []
            for n, (claim, reads) in enumerate(zip(position.claims, position.reads or ())):
                left = seconds - (monotonic() - started)
                share = Budget(max(1, (runs - self.runs) // (len(position.claims) - n)), left / (len(position.claims) - n))
                self.solvers.append(Solver(book, [claim], reads, share, apart, partial, watches))
                self.roots.append(self.solvers[-1].root(position.state, position.tape))

    @property
    def runs(self) -> int:
        """Runs of a step so far."""
        return sum(s.log.runs for s in self.solvers)

    def at(self, claim: int) -> tuple[Solver, int, int]:
        """The solver of a claim, its number there, and the root."""
        return (self.solvers[claim], 0, self.roots[claim]) if self.split else (self.solvers[0], claim, self.roots[0])

    def chance(self, claim: int, stance: Stance) -> Fraction:
        """The chance of a claim."""
        solver, i, root = self.at(claim)
        return solver.chance(root, i, stance)

    @property
    def bounds(self) -> tuple[Bounds, Bounds]:
        """Least and greatest of each claim, with silence counted against it, and for it."""
        each = [solver.bounds(root) for solver, root in zip(self.solvers, self.roots)]
        return tuple(b for low, _ in each for b in low), tuple(b for _, high in each for b in high)

    @property
    def widest(self) -> Bounds:
        """Least and greatest of each claim, silence counted both ways."""
        low, high = self.bounds
        return tuple((a[0], b[1]) for a, b in zip(low, high))

    @property
    def log(self) -> Log:
        """What was met, all together."""
        found = Log.new()
        for log in (s.log for s in self.solvers):
            found.readings |= log.readings
            found.spoke |= log.spoke
            found.undeclared |= log.undeclared
            found.silent |= log.silent
            found.overruled |= log.overruled
            found.runs += log.runs
        return found

    @property
    def unfinished(self) -> str:
        """Why some of it is unplayed, and what to fix; "" where nothing is."""
        return next((s.too_big for s in self.solvers if s.cut), "")


@dataclass(frozen=True)
class Stake:
    """What one player's choices are worth to a claim, whatever the others choose: the chance that he can make sure of when he plays for
    it, and the chance that he can keep it down to when he plays against it."""

    player: str
    sure: Fraction
    held: Fraction


@dataclass(frozen=True)
class Verdict:
    """What a solve says of one claim.

    least and greatest are exact chances; word is always, never, depends or open; turns_on are readings that change it, each with the
    verdict under its rivals; decides are single clauses without which it is another; tier is the weakest that it rests on; stakes are
    the players whose choices matter; unfinished: least and greatest are only what was proven before the bound was reached.
    """

    least: Fraction
    greatest: Fraction
    word: str
    turns_on: tuple[tuple[str, str, Fraction, Fraction], ...] = ()
    decides: tuple[str, ...] = ()
    tier: str = "printed"
    stakes: tuple[Stake, ...] = ()
    unfinished: bool = False


@dataclass(frozen=True)
class Solved:
    """The verdicts of a position's claims, what the sources are silent on, undeclared readings and readings met, runs spent, whether all was examined,
    with every reading as it was turned the clauses that spoke and which of them overruled which, and, where the bound was reached, what to fix."""

    verdicts: tuple[Verdict, ...]
    silent: tuple[str, ...]
    undeclared: tuple[tuple[str, ...], ...]
    readings: tuple[str, ...]
    runs: int
    whole: bool = True
    spoke: frozenset[str] = frozenset()
    overruled: frozenset[tuple[str, str]] = frozenset()
    unfinished: str = ""


def word_of(low: tuple[Fraction, Fraction], high: tuple[Fraction, Fraction]) -> str:
    """always, never or depends from the bounds; open where silence makes a difference."""
    if low != high:
        return "open"
    return "always" if low[0] == 1 else "never" if low[1] == 0 else "depends"


def examine(book: Rulebook, position: Position, runs: int = 400_000, seconds: float = 30.0, apart: bool = True, partial: bool = False) -> tuple[Solved, Sheet]:
    """Solves a position under the bases, then with each reading it met turned, then with each deciding clause that spoke struck out.

    Raises TooBig when the first of these is past the bound, unless a partial answer will do and proves something; when a later one is,
    `whole` is False and what was not tried is counted as deciding the tier.
    """
    started = monotonic()
    first = Sheet(book, position, runs, seconds, started, apart, partial)
    low, high = first.bounds
    base, log, spent = first.widest, first.log, first.runs
    if first.unfinished and all(b == (ZERO, ONE) for b in base):
        raise TooBig(first.unfinished)
    whole = not first.unfinished
    turned: dict[tuple[str, str], Bounds] = {}

    def other(changed: Rulebook, watches: bool = False) -> tuple[Bounds, Log] | None:
        nonlocal spent, whole
        if spent > runs or first.unfinished:
            whole = False
            return None
        try:
            again = Sheet(changed, position, max(runs - spent, 500), seconds, started, apart, watches=watches)
        except TooBig:
            spent, whole = runs + 1, False
            return None
        spent += again.runs
        return again.widest, again.log

    met = sorted(reading for reading in log.readings if shows(book, reading, position.keeps))
    spoke, overruled = set(log.spoke), set(log.overruled)
    for reading in met:
        for rival in rivals(book, reading):
            found = other(book.turned({reading: rival}), watches=True)
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
    claims = range(len(position.claims))
    decides: list[list[str]] = [[] for _ in claims]
    rests: list[list[str]] = [[] for _ in claims]
    for id in sorted(log.spoke):
        if book.clauses[id].mark.kind not in DECIDING:
            continue
        found = other(book.without(id))
        for i in claims:
            if found is None:
                rests[i].append(id)
            elif found[0][i] != base[i]:
                decides[i].append(id)
                rests[i].append(id)
    verdicts = []
    for i in claims:
        word = word_of(low[i], high[i])
        changes = tuple((reading, rival, *b[i]) for (reading, rival), b in turned.items() if b[i] != base[i])
        unfinished = bool(first.unfinished) and base[i][0] != base[i][1]
        if any(not book.based(reading) for reading, *_ in changes) or log.undeclared or unfinished:
            word = "open"
        tiers = [book.clauses[id].tier for id in rests[i]] + [book.clauses[rival].tier for _, rival, *_ in changes]
        tier = max(tiers, key=TIERS.index, default="printed")
        verdicts.append(Verdict(*base[i], word, changes, tuple(decides[i]), tier, () if unfinished else stakes(first, i), unfinished))
    return Solved(tuple(verdicts), tuple(sorted(log.silent)), tuple(sorted(log.undeclared)), tuple(met), spent, whole, frozenset(spoke),
                  frozenset(overruled), first.unfinished), first


def stakes(sheet: Sheet, claim: int) -> tuple[Stake, ...]:
    """The players whose choices matter to a claim: those who alone can better or lower what is sure; where nobody alone can, all who choose."""
    least, greatest = sheet.chance(claim, Stance(False)), sheet.chance(claim, Stance(True))
    if least == greatest:
        return ()
    all_of_them = [Stake(who, sheet.chance(claim, Stance(False, who, True)), sheet.chance(claim, Stance(True, who, False)))
                   for who in sheet.at(claim)[0].choosers]
    return tuple(s for s in all_of_them if s.sure != least or s.held != greatest) or tuple(all_of_them)


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
    """A line of play towards an end where a claim holds (or does not): with the fewest rolls and choices that bear on it, and of those lines
    the likeliest at each.

    The script's answers come first.  Where no such end exists the line leads to the other; where the rules fall silent on it the line
    stops there and says so.  Of a step that need not be played the likeliest roll and the first way are told.
    """
    trace = Trace()
    answers: list[tuple[Choose | Roll, Any]] = []
    left = list(script)
    shown: State | None = None

    def rank(node: int, n: int) -> tuple[int, Fraction]:
        chance = solver.chance(node, claim, Stance(wanted, silence=wanted))
        return -solver.length(node, claim, wanted), (chance if wanted else 1 - chance) * n

    while state.agenda:
        if shown is None and not left and not solver.cut:
            shown = solver.forget(state)
        at = shown if shown is not None else solver.forget(state)
        over = None
        if shown is not None and solver.claims:
            solver.visit(shown)
            over = solver.passed.get(shown)
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
                ask = need.ask
                if left:
                    way = left.pop(0)(ask)
                else:
                    ways = ask.unlike[0] if isinstance(ask, Roll) else tuple((w, 1) for w in ask.ways)
                    way = max(ways, key=(lambda w: w[1]) if over is not None else lambda w: rank(solver.within(at, (*tape, w[0])), w[1]))[0]
                tape = (*tape, way)
                answers.append((ask, way))
        if over is not None:
            shown = over
        elif shown is not None:
            shown = solver.after(shown, tape)
        state = after
    return Line(state, tuple(trace.events), tuple(answers))

"""Every roll and choice of a position as a graph, explored once; then any number of questions are worked out on it without playing again."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from time import monotonic
from typing import Any

from .clause import Rulebook, Unanswered
from .play import Choose, Log, Need, Play, Roll, TooBig, advance
from .state import State
from .veil import SOME, Seen, Source, veil

Claim = Callable[[State], bool]
Bounds = tuple[tuple[Fraction, Fraction], ...]
Chance = tuple[int, int]
"""A chance as a whole number of so many, not in lowest terms."""
Node = tuple[Any, ...]
END, ROLL, CHOICE, SILENCE, UNPLAYED = "end", "roll", "choice", "silence", "unplayed"
NEVER, ALWAYS = (0, 1), (1, 1)
FAR = 1 << 30
WIDE = 3
"""So many of the widest rolls and choices are named where a position is too large."""
GAUGE, HOPELESS = 1.5, 8
"""After so many seconds it is judged whether a solve will end: not if at this pace it takes so many times the seconds that it has."""


@dataclass
class Budget:
    """How much a solve may cost: runs of a step in all, and seconds."""

    runs: int = 400_000
    seconds: float = 30.0
    started: float = field(default_factory=monotonic)

    def spent(self, log: Log) -> bool:
        """Whether it is used up.  The clock is looked at only now and then."""
        return log.runs > self.runs or (log.runs % 16 == 0 and monotonic() - self.started > self.seconds)

    def hopeless(self, log: Log, done: float, since: float) -> bool:
        """Whether it is bound to be used up: done is the part of the ways explored since some moment."""
        if log.runs % 16:
            return False
        now = monotonic()
        return GAUGE < now - since < 2 * GAUGE and now - since > done * HOPELESS * (self.seconds - (since - self.started))


@dataclass(frozen=True)
class Stance:
    """How choices are made: whether those of everybody are made for the claim; perhaps one player's otherwise; silence counts for it or against."""

    high: bool
    player: str | None = None
    plays_for: bool = False
    silence: bool = False

    def best(self, who: str) -> bool:
        """Whether a choice of somebody is made for the claim."""
        return self.plays_for if who == self.player else self.high


class Solver:
    """Explores one position in one book for some claims at once, and keeps every position it met.

    apart: steps whose doings nothing reads are passed over.  partial: past its budget it stops where it is, instead of raising TooBig.
    watches: readings are looked out for whose rivals would say something else.
    """

    def __init__(self, book: Rulebook, claims: Sequence[Claim], keeps: frozenset[str] | None = None, budget: Budget | None = None,
                 apart: bool = True, partial: bool = False, watches: bool = True) -> None:
        self.book, self.claims, self.keeps, self.apart, self.partial = book, tuple(claims), keeps, apart and bool(claims), partial
        self.budget, self.log = budget or Budget(), Log.new(watches)
        self.nodes: list[Node] = [(UNPLAYED,)]
        self.ids: dict[Node, int] = {}
        self.known: dict[State, int] = {}
        self.passed: dict[State, State] = {}
        self.seen: set[Source] = set()
        self.wide: dict[tuple[str, int | str], Choose | Roll] = {}
        self.cut, self.share, self.done, self.since = False, 1.0, 0.0, monotonic()
        self.values: dict[tuple[int, Stance], list[Chance]] = {}
        self.lengths: dict[tuple[int, bool], list[int]] = {}

    def solve(self, state: State) -> tuple[Bounds, Bounds]:
        """For each claim the least and greatest chance over all choices, with silence counted against it, and with silence counted for it."""
        return self.start(state, ())

    def start(self, state: State, tape: tuple[Any, ...]) -> tuple[Bounds, Bounds]:
        """As solve, with answers already given within the next step, as far as they fit what this book asks."""
        return self.bounds(self.root(state, tape))

    def root(self, state: State, tape: tuple[Any, ...] = ()) -> int:
        """The node of a position, with answers already given within its next step.  Raises TooBig."""
        state = self.forget(state)
        tape = self.fitting(state, tape)
        try:
            return self.within(state, tape) if tape else self.visit(state)
        except RecursionError:
            raise TooBig("too many steps one after the other: take less to do at once") from None

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
        return state if self.keeps is None else state.remembering(self.keeps)

    def ended(self, state: State) -> None:
        """Called with each end that is met."""

    def add(self, *node: Any) -> int:
        """A node; like ones are one."""
        found = self.ids.get(node)
        if found is None:
            found = self.ids[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def visit(self, state: State) -> int:
        """The node of a position before its next step."""
        state = self.forget(state)
        found = self.known.get(state)
        if found is not None:
            self.done += self.share
            return found
        if not state.agenda:
            found = self.add(END, tuple(bool(c(state)) for c in self.claims))
            self.done += self.share
            self.ended(state)
        else:
            found = self.pass_over(state) if self.apart else None
            if found is None:
                found = self.within(state, ())
        if not self.cut:
            self.known[state] = found
        return found

    def pass_over(self, state: State) -> int | None:
        """The node of a position whose next step need not be played; None where it must be."""
        source = state.agenda[0]
        id, args = source
        clause = self.book.clauses[id]
        if clause.mark.apart is None or source in self.seen or not self.book.stands(id):
            return None
        g = Play(self.book, state.doing(state.agenda[1:]))
        self.log.heard_in(g)
        try:
            touches = clause.mark.apart(g, *args)
        except (Need, Unanswered, Seen):
            return None
        if touches is None:
            return None
        self.log.spoke.add(id)
        after = self.forget(veil(g.state, touches, source))
        found = self.unseen(after, source)
        if found is not None:
            self.passed[state] = after
        return found

    def unseen(self, state: State, source: Source) -> int | None:
        """The node of a position of which something is veiled; None where that is seen."""
        share, done = self.share, self.done
        try:
            return self.visit(state)
        except Seen as seen:
            if seen.source not in (source, SOME):
                raise
            self.seen.add(source)
            self.share, self.done = share, done
            return None

    def loosened(self, before: State, after: State) -> tuple[State, Source] | None:
        """The position after a step, without what may be of no account; None where all is of account."""
        id, args = before.agenda[0]
        loose, source = self.book.clauses[id].mark.loose, (id + " loosely", args)
        if loose is None or not self.apart or source in self.seen:
            return None
        return self.forget(veil(after, loose(Play(self.book, before), *args), source)), source

    def after(self, before: State, tape: tuple[Any, ...]) -> State:
        """The position after a step with some answers, as it was explored."""
        after = advance(self.book, before, tape)
        loose = self.loosened(before, after)
        return loose[0] if loose else self.forget(after)

    def within(self, state: State, tape: tuple[Any, ...]) -> int:
        """The node of a position with answers given within its next step."""
        if self.cut or self.budget.spent(self.log) or self.budget.hopeless(self.log, self.done, self.since):
            return self.give_up()
        try:
            after = advance(self.book, state, tape, None, self.log)
        except Need as need:
            ask = need.ask
        except Unanswered as silence:
            self.log.silent.add(silence.says)
            self.done += self.share
            return self.add(SILENCE)
        else:
            loose = self.loosened(state, after)
            found = self.unseen(*loose) if loose else None
            return self.visit(after) if found is None else found
        self.wide.setdefault((ask.who, ask.dice if isinstance(ask, Roll) else ask.what), ask)
        unlike, total = ask.unlike if isinstance(ask, Roll) else (tuple((way, 1) for way in ask.ways), 0)
        share, merged = self.share, dict[int, int]()
        for way, n in unlike:
            self.share = share / len(unlike)
            child = self.within(state, (*tape, way))
            merged[child] = merged.get(child, 0) + n
        self.share = share
        if len(merged) == 1:
            return next(iter(merged))
        return self.add(ROLL, tuple(merged.items()), total) if total else self.add(CHOICE, ask.who, tuple(merged))

    def give_up(self) -> int:
        """What is past the budget is left unplayed.  Raises TooBig where a part of an answer is of no use."""
        self.cut = True
        if not self.partial:
            raise TooBig(self.too_big)
        return 0

    @property
    def too_big(self) -> str:
        """That the position is too large, and what to fix."""
        widest = sorted(self.wide.values(), key=lambda ask: -len(ask.ways))[:WIDE]
        first = f"; the widest are: {', '.join(map(said, widest))}" if widest else ""
        return f"more than {min(self.log.runs, self.budget.runs):,} steps to play: fix some dice or choices, or take fewer units{first}"

    def bounds(self, node: int) -> tuple[Bounds, Bounds]:
        """Least and greatest of each claim from a node on, with silence counted against it, and for it."""
        against = tuple((self.chance(node, i, Stance(False)), self.chance(node, i, Stance(True))) for i in range(len(self.claims)))
        if not self.log.silent:
            return against, against
        rest = tuple((self.chance(node, i, Stance(False, silence=True)), self.chance(node, i, Stance(True, silence=True))) for i in range(len(self.claims)))
        return against, rest

    def chance(self, node: int, claim: int, stance: Stance) -> Fraction:
        """The chance of a claim from a node on."""
        return Fraction(*self.valued(claim, stance)[node])

    def valued(self, claim: int, stance: Stance) -> list[Chance]:
        """The chance of a claim at every node: of a roll the mean by its weights, of a choice the least or greatest."""
        values = self.values.setdefault((claim, stance), [])
        for node in self.nodes[len(values):]:
            match node:
                case ("end", held):
                    values.append(ALWAYS if held[claim] else NEVER)
                case ("roll", children, total):
                    values.append(mean([(values[child], n) for child, n in children], total))
                case ("choice", who, children):
                    some = [values[child] for child in children]
                    values.append(furthest(some, stance.best(who)))
                case ("silence",):
                    values.append(ALWAYS if stance.silence else NEVER)
                case _:
                    values.append(ALWAYS if stance.high else NEVER)
        return values

    def length(self, node: int, claim: int, wanted: bool) -> int:
        """The fewest rolls and choices that lead from a node to an end where a claim holds, or does not; FAR where none does."""
        lengths = self.lengths.setdefault((claim, wanted), [])
        for entry in self.nodes[len(lengths):]:
            match entry:
                case ("end", held):
                    lengths.append(0 if held[claim] is wanted else FAR)
                case ("roll", children, _):
                    lengths.append(min(FAR, 1 + min(lengths[child] for child, _ in children)))
                case ("choice", _, children):
                    lengths.append(min(FAR, 1 + min(lengths[child] for child in children)))
                case _:
                    lengths.append(FAR)
        return lengths[node]

    @property
    def choosers(self) -> tuple[str, ...]:
        """Who makes choices that may matter."""
        return tuple(sorted({node[1] for node in self.nodes if node[0] == CHOICE}))


def said(ask: Choose | Roll) -> str:
    """A roll or choice in few words."""
    if isinstance(ask, Roll):
        return f"{ask.who + ' rolls' if ask.who else 'rolling'} {ask.dice} {'die' if ask.dice == 1 else 'dice'}"
    return f"{ask.who or 'whoever decides'} chooses {ask.what}"


def mean(parts: Sequence[tuple[Chance, int]], total: int) -> Chance:
    """Chances weighed by whole numbers that add up to total."""
    under = {d for (_, d), _ in parts}
    common = under.pop() if len(under) == 1 else lcm(*under)
    n = sum(n * w * (common // d) for (n, d), w in parts)
    return NEVER if n == 0 else ALWAYS if n == common * total else (n, common * total)


def furthest(some: Sequence[Chance], high: bool) -> Chance:
    """The least or greatest of some chances."""
    found = some[0]
    for other in some[1:]:
        more = other[0] * found[1] - found[0] * other[1]
        if more > 0 if high else more < 0:
            found = other
    return found


__all__ = ["Bounds", "Budget", "Claim", "Solver", "Stance", "said"]

"""Plays one position in every way, looking for what no position may come to: a crash, an illegal state, an undeclared reading.

The positions themselves are made elsewhere.  What is counted is the board's own: that every change in the number of pieces stands in the
ledger of the step that made it, and that no kind outgrows its box.
"""
from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from .clause import Rulebook, Unanswered
from .graph import Budget
from .play import Log, Need, Play, Roll, TooBig, advance
from .solve import rivals
from .state import Impossible, Piece, State


@dataclass(frozen=True)
class Fault:
    """What went wrong: sort (crash, illegal or undeclared), what in one line, the clause whose step it was, and the reading turned for it with its rival."""

    sort: str
    what: str
    clause: str = ""
    under: tuple[str, str] | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """Faults of one key have one cause, as far as can be told; numbers and names of things do not matter."""
        return self.sort, self.what.split(":")[0], self.clause


@dataclass(frozen=True)
class Explored:
    """What playing one position met: faults, clauses that spoke, clauses that were heard (asked, or played) and questions asked, readings,
    runs of a step, distinct ends, how many clauses forbade what was to be done; whole is False where the bound cut it short."""

    faults: tuple[Fault, ...]
    spoke: frozenset[str]
    heard: frozenset[str]
    asked: frozenset[str]
    readings: frozenset[str]
    runs: int
    ends: int
    against: int
    whole: bool


class Heard(dict[Any, Any]):
    """A book's index that keeps what was looked up in it: who may speak to a question, and whether a clause stands."""

    def __init__(self) -> None:
        super().__init__()
        self.keys_read: set[Any] = set()

    def __getitem__(self, key: Any) -> Any:
        self.keys_read.add(key)
        return super().__getitem__(key)


@lru_cache(512)
def listening(book: Rulebook, reading: str = "", id: str = "") -> Rulebook:
    """The book, perhaps with a reading turned, with an index that keeps what was looked up; kept itself."""
    return replace(book.turned({reading: id}) if reading else book, _index=Heard())


def heard(book: Rulebook, into: set[str], asked: set[str]) -> None:
    """Adds the clauses and questions that were looked up in a listening book since the last time."""
    index = book._index
    if not isinstance(index, Heard):
        raise TypeError("this book does not listen")
    for key in index.keys_read:
        match key:
            case ("stands", str(id)):
                into.add(id)
            case (str(question), str()):
                asked.add(question)
                voices, disputes = dict.__getitem__(index, key)
                into.update(c.id for c in voices)
                into.update(c.id for d in disputes for c in d.others)
    index.keys_read.clear()


class Explorer:
    """Walks every roll and choice of one position, each position once."""

    def __init__(self, book: Rulebook, budget: Budget) -> None:
        self.book, self.budget, self.log = book, budget, Log.new()
        self.boxes = boxes(book)
        self.faults: dict[Fault, None] = {}
        self.seen: set[State] = set()
        self.ends: set[State] = set()

    def explore(self, start: State) -> None:
        """Plays on from a position to every end.  Raises TooBig past the bound."""
        self.full(start, start)
        left = [cleared(start)]
        while left:
            state = left.pop()
            if state in self.seen:
                continue
            self.seen.add(state)
            if not state.agenda:
                self.ends.add(state)
                continue
            left += self.steps(state, ())

    def steps(self, state: State, tape: tuple[Any, ...]) -> list[State]:
        """The positions after the next step, for every way in which what it asks is answered."""
        if self.budget.spent(self.log):
            raise TooBig("more steps than one board may cost")
        clause = state.agenda[0][0]
        try:
            after = advance(self.book, state, tape, None, self.log)
        except Need as need:
            ways = [result for result, _ in need.ask.unlike[0]] if isinstance(need.ask, Roll) else need.ask.ways
            return [end for way in ways for end in self.steps(state, (*tape, way))]
        except Unanswered as silence:
            self.log.silent.add(silence.says)
            return []
        except Impossible as e:
            self.fault("illegal", f"takes what is not there: {e}", clause)
            return []
        except TooBig:
            raise
        except Exception as e:
            self.fault("crash", f"{type(e).__name__} in {place_of(e, self.book)}: {e}", clause)
            return []
        for question, *ids in self.log.undeclared:
            self.fault("undeclared", f"{' and '.join(ids)} answer {question!r} each otherwise", "")
        self.kept(state, after, clause)
        self.within(state, after, clause)
        self.full(state, after, clause)
        return [cleared(after)]

    def fault(self, sort: str, what: str, clause: str) -> None:
        self.faults[Fault(sort, what, clause)] = None

    def kept(self, before: State, after: State, clause: str) -> None:
        """Every piece more or fewer stands in the ledger of this step."""
        if before.pieces == after.pieces:
            return
        change = counted(after)
        change.subtract(counted(before))
        told: Counter[str] = Counter()
        for (_, piece, _), n in after.happened:
            told[piece.kind] += n
        for kind, n in sorted(change.items()):
            if abs(n) > told[kind]:
                self.fault("illegal", f"{'a piece more' if n > 0 else 'a piece fewer'} of which the ledger says nothing: {kind} by {n}", clause)
        for place, piece, _ in after.pieces:
            if place not in after.board.places and place not in self.book.vocabulary.off_board and not self.is_pool(place, piece):
                self.fault("illegal", f"a piece where nothing can be: {piece.kind} in {place!r}", clause)

    def within(self, before: State, after: State, clause: str) -> None:
        """A step changes nothing but what it says it can touch."""
        (id, args), *rest = before.agenda
        apart = self.book.clauses[id].mark.apart
        if apart is None or not self.book.stands(id):
            return
        touches = apart(Play(self.book, before.doing(tuple(rest))), *args)
        if touches is None:
            return
        changed: list[str] = [f"{p.kind} in {place}" for (place, p), _ in set(stand(before)) ^ set(stand(after)) if p not in touches.pieces]
        changed += [f"{name} of {holder}" for (holder, name), _ in set(before.counters) ^ set(after.counters) if (holder, name) not in touches.counters]
        changed += [" ".join(flag) for flag in before.flags ^ after.flags if flag not in touches.flags]
        changed += [f"{what} {p.kind}" for (what, p, _), _ in after.happened if (what, p) not in touches.happened]
        if changed:
            self.fault("illegal", f"changes what it does not say it can touch: {', '.join(sorted(changed))}", clause)

    def is_pool(self, place: str, piece: Piece) -> bool:
        """Whether a place is the pool of the piece's owner."""
        return bool(piece.owner) and place == self.book.vocabulary.pool.format(player=piece.owner)

    def full(self, before: State, after: State, clause: str = "") -> None:
        """No kind has more pieces than its box."""
        if before is not after and before.pieces == after.pieces:
            return
        have = counted(after)
        for kind, most in self.boxes.items():
            if have[kind] > most and before is not after and have[kind] > counted(before)[kind]:
                self.fault("illegal", f"more pieces than the box holds: {have[kind]} {kind}, not {most}", clause)


def counted(state: State) -> Counter[str]:
    """How many pieces of each kind there are, wherever they are."""
    found: Counter[str] = Counter()
    for _, piece, n in state.pieces:
        found[piece.kind] += n
    return found


def stand(state: State) -> Iterator[tuple[tuple[str, Piece], int]]:
    """What stands where, and how many."""
    return (((place, piece), n) for place, piece, n in state.pieces)


def cleared(state: State) -> State:
    """The position with an empty ledger, which no rule reads."""
    return state.changed(happened=()) if state.happened else state


@lru_cache(64)
def boxes(book: Rulebook) -> Mapping[str, int]:
    """How many pieces of each kind the box holds, where the cards say so."""
    found = {}
    for kind, unit in book.units.items():
        field = unit.fields.get("pieces")
        if field and field.value and field.value.isdigit():
            found[kind] = int(field.value)
    return found


def place_of(e: Exception, book: Rulebook) -> str:
    """Where in the rules' code an error arose; else where in ours."""
    frames = traceback.extract_tb(e.__traceback__)
    own = [f for f in frames if f"/{book.package.replace('.', '/')}/" in f.filename] or frames
    last = own[-1]
    return f"{'/'.join(last.filename.split('/')[-3:])} {last.name}"


def explore(book: Rulebook, state: State, number: int | None = None, runs: int = 2_000, seconds: float = 2.0) -> Explored:
    """Plays a position under the bases, then under each rival of the readings it met, alone; with a number only under the one that it picks.

    runs and seconds bound each play; past them the board is too large, and `whole` is False.
    """
    said: set[str] = set()
    asked: set[str] = set()
    first, whole = played(listening(book), state, Budget(runs, seconds), said, asked)
    faults, spoke, spent = dict(first.faults), set(first.log.spoke), first.log.runs
    others = [(reading, id) for reading in sorted(first.log.readings) for id in rivals(book, reading)]
    for under in others if number is None else others[number % len(others):][:1] if others else []:
        other, all_of_it = played(listening(book, *under), state, Budget(runs, seconds), said, asked)
        keys = {fault.key for fault in faults}
        faults.update((replace(fault, under=under), None) for fault in other.faults if fault.key not in keys)
        spoke |= other.log.spoke
        spent += other.log.runs
        whole = whole and all_of_it
    against = min((len(f) - 2 for end in first.ends for f in end.flags if f[0] == "refused"), default=0)
    readings = frozenset(first.log.readings)
    return Explored(tuple(faults), frozenset(spoke), frozenset(said | spoke), frozenset(asked), readings, spent, len(first.ends), against, whole)


def played(book: Rulebook, state: State, budget: Budget, said: set[str], asked: set[str]) -> tuple[Explorer, bool]:
    """A position explored in a listening book, and whether it was played to its ends."""
    explorer = Explorer(book, budget)
    try:
        explorer.explore(state)
        whole = True
    except TooBig:
        whole = False
    heard(book, said, asked)
    return explorer, whole


__all__ = ["Explored", "Explorer", "Fault", "explore"]

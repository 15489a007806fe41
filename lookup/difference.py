"""What two positions differ in, and the smallest set of those differences that changes a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from .engine.clause import Rulebook
from .engine.play import Play, spoken
from .engine.state import Board, Piece, State

TRIED = 64


@dataclass(frozen=True)
class Difference:
    """One thing in which a position differs from another: what it is, in words, on each side ("" is nothing), and the change itself."""

    here: str
    there: str
    change: Callable[[State], State]

    @property
    def says(self) -> str:
        """Both sides in a few words."""
        return f"{self.here or 'nothing'} / {self.there or 'nothing'}" if self.here and self.there else self.here or self.there


def differences(book: Rulebook, a: State, b: State) -> list[Difference]:
    """What would have to change, one thing at a time, to make position a into position b."""
    return [*pieces(book, a, b), *counters(a, b), *flags(a, b), *boards(a, b), *doings(book, a, b)]


def pieces(book: Rulebook, a: State, b: State) -> Iterator[Difference]:
    g = Play(book, a)
    here, there = ({(place, piece): n for place, piece, n in s.pieces} for s in (a, b))
    for place, piece in sorted({*here, *there}):
        n, m = here.get((place, piece), 0), there.get((place, piece), 0)
        if n != m:
            yield Difference(standing(g, piece, n, place), standing(g, piece, m, place), put(place, piece, m - n))


def standing(g: Play, piece: Piece, n: int, place: str) -> str:
    """Some pieces in a place, in words; "" for none."""
    return f"{g.name(piece, n)} in {place}" if n else ""


def put(place: str, piece: Piece, n: int) -> Callable[[State], State]:
    return lambda s: s.put(place, piece, n)


def counters(a: State, b: State) -> Iterator[Difference]:
    here, there = dict(a.counters), dict(b.counters)
    for holder, name in sorted({*here, *there}):
        n, m = here.get((holder, name), 0), there.get((holder, name), 0)
        if n != m:
            yield Difference(f"{holder or 'the game'} has {n} {name}", f"{holder or 'the game'} has {m} {name}", count(holder, name, m))


def count(holder: str, name: str, n: int) -> Callable[[State], State]:
    return lambda s: s.counting(holder, name, n)


def flags(a: State, b: State) -> Iterator[Difference]:
    for flag in sorted(a.flags ^ b.flags):
        words = f"{flag[1]} has the {flag[0]} {flag[2]}" if len(flag) == 3 else " ".join(flag)
        if flag in a.flags:
            yield Difference(words, "", turn(flag, False))
        else:
            yield Difference("", words, turn(flag, True))


def turn(flag: tuple[str, ...], on: bool) -> Callable[[State], State]:
    return lambda s: replace(s, flags=s.flags | {flag} if on else s.flags - {flag})


def boards(a: State, b: State) -> Iterator[Difference]:
    if a.board != b.board:
        yield Difference(described(a.board), described(b.board), board(b.board))


def described(board: Board) -> str:
    """A board in few words."""
    return f"a map of {len(board.places)} areas and {len(board.borders)} borders"


def board(new: Board) -> Callable[[State], State]:
    return lambda s: replace(s, board=new)


def doings(book: Rulebook, a: State, b: State) -> Iterator[Difference]:
    if a.agenda != b.agenda:
        g = Play(book, a)
        yield Difference(done(g, a), done(g, b), do(b.agenda))


def done(g: Play, s: State) -> str:
    """What is done in a position, in words."""
    return ", then ".join(spoken(g, g.book.actions[id].__clause__.says, args) for id, args in s.agenda if id in g.book.actions) or "nothing is done"


def do(agenda: tuple[tuple[str, tuple[Any, ...]], ...]) -> Callable[[State], State]:
    return lambda s: replace(s, agenda=agenda)


def smallest(found: list[Difference], a: State, flips: Callable[[State], bool]) -> tuple[list[Difference], State] | None:
    """The smallest set of differences that, applied to a position, flips something; None where none of those tried does."""
    tried = 0
    for size in range(1, len(found) + 1):
        for some in combinations(found, size):
            tried += 1
            if tried > TRIED:
                return None
            changed = a
            for d in some:
                changed = d.change(changed)
            if flips(changed):
                return list(some), changed
    return None


__all__ = ["Difference", "differences", "smallest"]

"""What can be done and claimed in a position: each sentence that its pieces fill, and for an action whether it is allowed and what forbids it."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from .draft import words_of
from .engine.clause import Rulebook, Unanswered
from .engine.play import Need, Play
from .engine.state import Impossible, Piece, State
from .sentence import Names, Pattern, action_patterns, claim_patterns, known_players, listed, match

EACH = 240
"""So many ways to fill one sentence are looked at."""
NUMBERS = ("1", "2", "3")


@dataclass(frozen=True)
class Move:
    """An action in words, whether it may be done, the clauses that forbid it, and its sort."""

    says: str
    action: str
    allowed: bool
    against: tuple[str, ...] = ()
    sort: str = ""


def moves(book: Rulebook, state: State, playing: Sequence[str]) -> list[Move]:
    """Every action that the pieces of a position fill, in the book's order, the allowed ones of each action first.

    An action on which the rules are silent here, or that needs an answer before it can be judged, is left out.
    """
    found: list[Move] = []
    names = Names(book, known_players(book), state.board.places)
    for id, pattern in action_patterns(book).items():
        of_it = [m for says in filled(book, state, playing, pattern) if (m := judged(book, state, names, id, pattern, says)) is not None]
        found += sorted(of_it, key=lambda m: not m.allowed)
    return found


def judged(book: Rulebook, state: State, names: Names, id: str, pattern: Pattern, says: str) -> Move | None:
    """Whether a sentence may be done here; None where it is no action or that cannot be told."""
    try:
        _, args = match(says, {id: pattern}, names, "action")
        may = book.actions[id].allowed(Play(book, state), *args)
    except (ValueError, Unanswered, Need, Impossible):
        return None
    return Move(says, id, may.value, may.against, book.actions[id].sort)


def claims(book: Rulebook, state: State, playing: Sequence[str]) -> list[str]:
    """Every claim that the pieces of a position fill."""
    return [says for pattern in claim_patterns(book).values() for says in filled(book, state, playing, pattern)]


def filled(book: Rulebook, state: State, playing: Sequence[str], pattern: Pattern) -> Iterator[str]:
    """A pattern's sentences with its slots filled from a position, no word twice among slots of a kind, as many as EACH."""
    words = [options(book, state, playing, kind) for _, kind in pattern.slots]
    for values in islice(product(*words), EACH):
        of_kind: dict[str, list[str]] = {}
        for value, (_, kind) in zip(values, pattern.slots):
            of_kind.setdefault("player" if kind == "side" else kind, []).append(value)
        if all(len(set(same)) == len(same) for same in of_kind.values()):
            yield written(pattern, values)


def written(pattern: Pattern, values: Sequence[str]) -> str:
    """A pattern's sentence with these words in its slots."""
    says = pattern.plainly()
    for (name, _), value in zip(pattern.slots, values):
        says = says.replace(name.upper(), "\0" + value, 1)
    return says.replace("\0", "")


def options(book: Rulebook, state: State, playing: Sequence[str], kind: str) -> list[str]:
    """The words that a slot of a kind can hold in a position."""
    pieces = [p for _, p, _ in state.pieces]
    units = [p for p in pieces if p.kind not in book.vocabulary.buildings]
    match kind:
        case "player":
            return list(playing)
        case "area":
            return list(state.board.places)
        case "unit":
            return unique(words_of(book, Piece(p.kind, p.owner)) for p in units)
        case "side":
            return [*playing, *unique(p.kind for p in units if not p.owner)]
        case "number":
            return list(NUMBERS)
        case "building":
            return unique([*(p.kind for p in pieces if p.kind in book.vocabulary.buildings), *book.vocabulary.buildings])
        case "kind":
            return unique(p.kind for p in units)
    there = unique(listed(book, kind).values())
    shown = {book.pages[u.page].title for p in units if (u := book.units.get(p.kind))} | {f[2] for f in state.flags if len(f) == 3}
    return [name for name in there if name in shown] or there[:1]


def unique(words: Iterable[str]) -> list[str]:
    """Each word once, in order."""
    return list(dict.fromkeys(words))


__all__ = ["Move", "claims", "moves"]

"""A position as plain values: counted pieces in places, counters, flags, what is still to do, and what happened.

Nothing here knows a rule.  Every value is frozen and hashable, so that equal positions merge.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, order=True)
class Piece:
    """A kind of piece and whose it is; owner "" is nobody's.  Marks are (name, value) pairs that set one piece apart from its like."""

    kind: str
    owner: str = ""
    marks: tuple[tuple[str, str], ...] = ()

    def mark(self, name: str) -> str | None:
        """The value of a mark, or None."""
        for key, value in self.marks:
            if key == name:
                return value
        return None

    def marked(self, name: str, value: str) -> Piece:
        """The same piece with a mark set; an empty value takes the mark off."""
        if not value and self.mark(name) is None:
            return self
        rest = tuple(m for m in self.marks if m[0] != name)
        return Piece(self.kind, self.owner, tuple(sorted((*rest, (name, value)))) if value else rest)


@dataclass(frozen=True)
class Board:
    """The places of a position: their kinds, borders (both ways) and one-way arrows.  Static in most plays, so its hash is kept."""

    kinds: tuple[tuple[str, str], ...]
    borders: frozenset[tuple[str, str]] = frozenset()
    arrows: frozenset[tuple[str, str]] = frozenset()
    _kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __hash__(self) -> int:
        if "hash" not in self._kept:
            self._kept["hash"] = hash((self.kinds, self.borders, self.arrows))
        return int(self._kept["hash"])

    @property
    def places(self) -> tuple[str, ...]:
        """Every place, sorted."""
        if "places" not in self._kept:
            self._kept["places"] = tuple(sorted(name for name, _ in self.kinds))
        found: tuple[str, ...] = self._kept["places"]
        return found

    def kind(self, place: str) -> str:
        """The kind of a place; KeyError when the board has no such place."""
        return dict(self.kinds)[place]

    def beside(self, place: str) -> tuple[str, ...]:
        """The places that border on this one, sorted."""
        key = "beside " + place
        if key not in self._kept:
            self._kept[key] = tuple(sorted({b for a, b in self.borders if a == place} | {a for a, b in self.borders if b == place}))
        found: tuple[str, ...] = self._kept[key]
        return found

    def along(self, place: str) -> tuple[str, ...]:
        """The places that an arrow leads to from here, sorted."""
        return tuple(sorted(b for a, b in self.arrows if a == place))

    def turned(self, place: str, kind: str) -> Board:
        """The same board with one place of another kind."""
        return Board(tuple((n, kind if n == place else k) for n, k in self.kinds), self.borders, self.arrows)


@dataclass(frozen=True)
class Wanted:
    """Units as a claim speaks of them: a kind, perhaps an owner ("" is anybody's), a place, and how many (None: at least one)."""

    kind: str
    owner: str = ""
    place: str = ""
    n: int | None = None

    def fits(self, piece: Piece, place: str = "") -> bool:
        """Whether a piece is one of them."""
        return piece.kind == self.kind and self.owner in ("", piece.owner) and (not self.place or not place or place == self.place)

    def met(self, count: int) -> bool:
        """Whether so many satisfy it."""
        return count > 0 if self.n is None else count == self.n


Counted = tuple[str, Piece, int]


class Impossible(Exception):
    """A rule tried to take what is not there; a fault of the rule's code, never of the user."""


@dataclass(frozen=True)
class State:
    """A position.

    pieces: (place, piece, how many), sorted, none of them 0.  counters: ((holder, name), value), sorted.  flags: tuples of words.
    happened: ((what, piece, place), how many), read by claims only, never by rules.  agenda: (clause id, arguments), the next step first.
    """

    board: Board
    pieces: tuple[Counted, ...] = ()
    counters: tuple[tuple[tuple[str, str], int], ...] = ()
    flags: frozenset[tuple[str, ...]] = frozenset()
    happened: tuple[tuple[tuple[str, Piece, str], int], ...] = ()
    agenda: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    def at(self, place: str) -> list[tuple[Piece, int]]:
        """What stands in a place: (piece, how many), sorted."""
        return [(p, n) for a, p, n in self.pieces if a == place]

    def count(self, place: str, piece: Piece) -> int:
        """How many of exactly this piece stand in a place."""
        for a, p, n in self.pieces:
            if a == place and p == piece:
                return n
        return 0

    def where(self, wanted: Callable[[Piece], bool]) -> tuple[str, ...]:
        """The places that hold a piece for which wanted is true, sorted, each once."""
        return tuple(sorted({a for a, p, _ in self.pieces if wanted(p)}))

    def total(self, wanted: Callable[[Piece], bool], places: Iterable[str] | None = None) -> int:
        """How many pieces for which wanted is true stand in these places, or anywhere."""
        if places is None:
            return sum(n for _, p, n in self.pieces if wanted(p))
        among = set(places)
        return sum(n for a, p, n in self.pieces if a in among and wanted(p))

    def put(self, place: str, piece: Piece, n: int) -> State:
        """The position with n more (or, below 0, fewer) of a piece in a place.  Raises Impossible when fewer are there."""
        have = {(a, p): k for a, p, k in self.pieces}
        left = have.get((place, piece), 0) + n
        if left < 0:
            raise Impossible(f"{place} holds {left - n} {piece.kind}, not {-n}")
        have[place, piece] = left
        return State(self.board, tuple(sorted((a, p, k) for (a, p), k in have.items() if k)), self.counters, self.flags, self.happened, self.agenda)

    def counter(self, holder: str, name: str) -> int:
        """A counter's value; 0 when it was never set."""
        for key, n in self.counters:
            if key == (holder, name):
                return n
        return 0

    def counting(self, holder: str, name: str, value: int) -> State:
        """The position with a counter set.  Raises Impossible below 0."""
        if value < 0:
            raise Impossible(f"{name} of {holder or 'the game'} would be {value}")
        have: dict[tuple[str, str], int] = dict(self.counters)
        have[holder, name] = value
        return State(self.board, self.pieces, tuple(sorted((k, v) for k, v in have.items() if v)), self.flags, self.happened, self.agenda)

    def flagged(self, *flag: str) -> State:
        """The position with a flag set."""
        return State(self.board, self.pieces, self.counters, self.flags | {flag}, self.happened, self.agenda)

    def unflagged(self, *flag: str) -> State:
        """The position with a flag taken off."""
        return State(self.board, self.pieces, self.counters, self.flags - {flag}, self.happened, self.agenda)

    def noted(self, what: str, piece: Piece, place: str, n: int) -> State:
        """The position with an entry in the ledger of what happened."""
        have = dict(self.happened)
        have[what, piece, place] = have.get((what, piece, place), 0) + n
        return State(self.board, self.pieces, self.counters, self.flags, tuple(sorted(have.items())), self.agenda)

    def doing(self, agenda: tuple[tuple[str, tuple[Any, ...]], ...]) -> State:
        """The position with another agenda."""
        return State(self.board, self.pieces, self.counters, self.flags, self.happened, agenda)

    def tally(self, wanted: Wanted, *what: str) -> int:
        """How many of the wanted units one of these things happened to."""
        return sum(n for (w, p, place), n in self.happened if w in what and wanted.fits(p, place))


@dataclass(frozen=True)
class Vocabulary:
    """The words that a game declares for its positions; book.py fills the open ones (kinds of unit, areas, gifts) from the pages.

    places: kinds of place, the first being what a place is unless said.
    counters: what a player can hold, each with the number a scenario means that does not say.
    buildings: kinds of piece that are no unit.  stand_ins: kinds of unit of which a scenario gives the numbers itself, each with its plural and class.
    marks: marks a scenario may put on a unit, each with the values allowed ("" for any whole number).
    holdings: what else a player entry may name (key -> the page kind, or list in the front matter, that has the names); each becomes a flag.
    """

    places: tuple[str, ...]
    off_board: tuple[str, ...]
    counters: Mapping[str, int]
    buildings: tuple[str, ...]
    classes: tuple[str, ...]
    stand_ins: Mapping[str, tuple[str, str]]
    marks: Mapping[str, tuple[str, ...]]
    holdings: Mapping[str, str]
    pool: str
    player_kind: str
    stand_in_players: tuple[str, ...]
    card_kinds: tuple[str, ...]
    game_counters: tuple[str, ...] = ()
    game_flags: tuple[str, ...] = ()
    tokens: Mapping[str, str] = field(default_factory=dict)
    limit: int = 1000

"""A position as plain values: counted pieces in places, counters, flags, what is still to do, and what happened.

Nothing here knows a rule.  Every value is frozen and hashable, so that equal positions merge.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self


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


@dataclass(frozen=True, eq=False)
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

    def key(self) -> tuple[Any, ...]:
        """What positions are compared by."""
        d = self.__dict__
        return d["agenda"], d["pieces"], d["counters"], d["happened"], d["flags"], d["board"]

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and hash(self) == hash(other) and self.key() == other.key())

    def __hash__(self) -> int:
        kept: int | None = self.__dict__.get("_hash")
        if kept is None:
            kept = self.__dict__["_hash"] = hash(self.key())
        return kept

    def changed(self, **what: Any) -> Self:
        """The same position with some of its parts replaced."""
        new = object.__new__(type(self))
        d = new.__dict__
        d.update(self.__dict__)
        d.pop("_hash", None)
        d.update(what)
        return new

    def at(self, place: str, wanted: Callable[[Piece], bool] | None = None) -> list[tuple[Piece, int]]:
        """What stands in a place, or the pieces there for which wanted is true: (piece, how many), sorted."""
        return [(p, n) for a, p, n in self.pieces if a == place and (wanted is None or wanted(p))]

    def may_hold(self, place: str, wanted: Callable[[Piece], bool]) -> tuple[Piece, ...]:
        """The pieces for which wanted is true that stand in a place, or may stand there where that was not played out."""
        return tuple(p for a, p, _ in self.pieces if a == place and wanted(p))

    def count(self, place: str, piece: Piece) -> int:
        """How many of exactly this piece stand in a place."""
        for a, p, n in self.__dict__["pieces"]:
            if a == place and p == piece:
                return int(n)
        return 0

    def where(self, wanted: Callable[[Piece], bool]) -> tuple[str, ...]:
        """The places that hold a piece for which wanted is true, sorted, each once."""
        return tuple(sorted({a for a, p, _ in self.__dict__["pieces"] if wanted(p)}))

    def total(self, wanted: Callable[[Piece], bool], places: Iterable[str] | None = None) -> int:
        """How many pieces for which wanted is true stand in these places, or anywhere."""
        pieces = self.__dict__["pieces"]
        if places is None:
            return sum(n for _, p, n in pieces if wanted(p))
        among = set(places)
        return sum(n for a, p, n in pieces if a in among and wanted(p))

    def put(self, place: str, piece: Piece, n: int) -> Self:
        """The position with n more (or, below 0, fewer) of a piece in a place.  Raises Impossible when fewer are there."""
        pieces: tuple[Counted, ...] = self.__dict__["pieces"]
        for i, (a, p, k) in enumerate(pieces):
            if a == place and p == piece:
                if k + n < 0:
                    raise Impossible(f"{place} holds {k} {piece.kind}, not {-n}")
                return self.changed(pieces=(*pieces[:i], *([(a, p, k + n)] if k + n else []), *pieces[i + 1:]))
        if n < 0:
            raise Impossible(f"{place} holds 0 {piece.kind}, not {-n}")
        return self.changed(pieces=tuple(sorted((*pieces, (place, piece, n))))) if n else self

    def without(self, wanted: Callable[[Piece], bool], but: str = "") -> Self:
        """The position without the pieces for which wanted is true, but those in one place."""
        return self.changed(pieces=tuple(e for e in self.__dict__["pieces"] if e[0] == but or not wanted(e[1])))

    def plainly(self, change: Callable[[Piece], Piece]) -> Self:
        """The position with each piece replaced by what change makes of it, whatever else there is; change keeps kind and owner."""
        have: dict[tuple[str, Piece], int] = {}
        for a, p, n in self.__dict__["pieces"]:
            key = a, change(p)
            have[key] = have.get(key, 0) + n
        return self.changed(pieces=tuple(sorted((a, p, n) for (a, p), n in have.items())))

    def counter(self, holder: str, name: str) -> int:
        """A counter's value; 0 when it was never set."""
        for key, n in self.__dict__["counters"]:
            if key == (holder, name):
                return int(n)
        return 0

    def counting(self, holder: str, name: str, value: int) -> Self:
        """The position with a counter set.  Raises Impossible below 0."""
        if value < 0:
            raise Impossible(f"{name} of {holder or 'the game'} would be {value}")
        have: dict[tuple[str, str], int] = dict(self.__dict__["counters"])
        if have.get((holder, name), 0) == value:
            return self
        have[holder, name] = value
        return self.changed(counters=tuple(sorted((k, v) for k, v in have.items() if v)))

    def cleared(self, holder: str) -> Self:
        """The position with every counter of a holder at 0."""
        return self.changed(counters=tuple(c for c in self.__dict__["counters"] if c[0][0] != holder))

    def flagged(self, *flag: str) -> Self:
        """The position with a flag set."""
        return self.changed(flags=self.__dict__["flags"] | {flag})

    def unflagged(self, *flag: str) -> Self:
        """The position with a flag taken off."""
        return self.changed(flags=self.__dict__["flags"] - {flag})

    def unflagged_all(self, *words: str) -> Self:
        """The position without any flag that begins with one of some words."""
        return self.changed(flags=frozenset(f for f in self.__dict__["flags"] if f[0] not in words))

    def noted(self, what: str, piece: Piece, place: str, n: int) -> Self:
        """The position with an entry in the ledger of what happened."""
        have = dict(self.__dict__["happened"])
        have[what, piece, place] = have.get((what, piece, place), 0) + n
        return self.changed(happened=tuple(sorted(have.items())))

    def remembering(self, words: frozenset[str]) -> Self:
        """The position with only those entries of its ledger that tell of some things."""
        happened = self.__dict__["happened"]
        if all(e[0][0] in words for e in happened):
            return self
        return self.changed(happened=tuple(e for e in happened if e[0][0] in words))

    def doing(self, agenda: tuple[tuple[str, tuple[Any, ...]], ...]) -> Self:
        """The position with another agenda."""
        return self.changed(agenda=agenda)

    def tally(self, wanted: Wanted, *what: str) -> int:
        """How many of the wanted units one of these things happened to."""
        return sum(n for (w, p, place), n in self.__dict__["happened"] if w in what and wanted.fits(p, place))

    def befell(self, wanted: Callable[[Piece], bool], *what: str) -> int:
        """How many pieces for which wanted is true one of these things happened to."""
        return sum(n for (w, p, _), n in self.__dict__["happened"] if w in what and wanted(p))


@dataclass(frozen=True)
class Vocabulary:
    """The words that a game declares for its positions; book.py fills the open ones (kinds of unit, areas, gifts) from the pages.

    places: kinds of place, the first being what a place is unless said.
    counters: what a player can hold, each with the number a scenario means that does not say.
    buildings: kinds of piece that are no unit.  stand_ins: kinds of unit of which a scenario gives the numbers itself, each with its plural and class.
    marks: marks a scenario may put on a unit, each with the values allowed ("" for any whole number).
    lost: the ledger's words for a unit that its side has lost.
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
    lost: tuple[str, ...] = ()
    limit: int = 1000

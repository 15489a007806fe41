"""What need not be played: a step whose doings nothing reads is passed over, and what it may have changed is veiled.

A step declares what it can touch (`apart=`).  The solver passes it over and veils that; whatever then reads something veiled, a rule or a
claim, is caught at once (Seen), and the step is played after all.  So the declaration is never trusted for what is read, only for what is
written.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, Self

from .state import Piece, State, Wanted

Source = tuple[str, tuple[Any, ...]]
SOME: Source = ("", ())
"""The step passed over that was the last."""


class Seen(Exception):
    """Something that was passed over is read after all; source is the step that must be played."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.source = source


@dataclass(frozen=True)
class Touches:
    """All that a step, with the steps it sets going, can change.

    pieces: exactly these, wherever they stand.  happened: the ledger's entries (what, piece).  counters: (holder, name).  flags: exactly these.
    """

    pieces: frozenset[Piece] = frozenset()
    happened: frozenset[tuple[str, Piece]] = frozenset()
    counters: frozenset[tuple[str, str]] = frozenset()
    flags: frozenset[tuple[str, ...]] = frozenset()

    def __or__(self, other: Touches) -> Touches:
        """What two steps can change."""
        return Touches(self.pieces | other.pieces, self.happened | other.happened, self.counters | other.counters, self.flags | other.flags)


@dataclass(frozen=True, eq=False)
class Hidden:
    """What is veiled in a position, each thing with the step that was passed over."""

    pieces: Mapping[Piece, Source] = field(default_factory=dict)
    happened: Mapping[tuple[str, Piece], Source] = field(default_factory=dict)
    counters: Mapping[tuple[str, str], Source] = field(default_factory=dict)
    flags: Mapping[tuple[str, ...], Source] = field(default_factory=dict)

    def key(self) -> tuple[Any, ...]:
        """What it is compared by."""
        return frozenset(self.pieces), frozenset(self.happened), frozenset(self.counters), frozenset(self.flags)


class Word:
    """A word of something veiled: it may be told apart from other words; whoever meets it, sees it."""

    def __init__(self, word: str, source: Source) -> None:
        self._word, self._source = word, source

    def __eq__(self, other: object) -> bool:
        if other == self._word:
            raise Seen(self._source)
        return False

    def seen(self, *_: Any) -> NoReturn:
        """Raises Seen: this is more than telling words apart."""
        raise Seen(self._source)

    __hash__ = __getattr__ = __str__ = __repr__ = __format__ = __bool__ = __len__ = __iter__ = __lt__ = __le__ = __gt__ = __ge__ = seen
    __int__ = __index__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __contains__ = __getitem__ = seen


class VeiledFlags:
    """The flags of a position of which some are veiled."""

    def __init__(self, known: frozenset[tuple[str, ...]], hidden: Mapping[tuple[str, ...], Source]) -> None:
        self._known, self._hidden = known, hidden

    def __contains__(self, flag: object) -> bool:
        for other, source in self._hidden.items():
            if other == flag:
                raise Seen(source)
        return flag in self._known

    def __iter__(self) -> Iterator[Any]:
        yield from self._known
        for flag, source in self._hidden.items():
            yield tuple(Word(word, source) for word in flag)

    def __and__(self, some: Iterable[tuple[str, ...]]) -> set[tuple[str, ...]]:
        return {flag for flag in some if flag in self}

    __rand__ = __and__

    def seen(self, *_: Any) -> NoReturn:
        """Raises Seen: this looks at every flag."""
        raise Seen(next(iter(self._hidden.values())))

    __hash__ = __getattr__ = __bool__ = __len__ = __eq__ = __or__ = __ror__ = __sub__ = __rsub__ = __xor__ = __rxor__ = seen
    __le__ = __ge__ = __lt__ = __gt__ = __str__ = __repr__ = seen


class VeiledState(State):
    """A position of which something is veiled: reading that raises Seen."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """A position put together anew (dataclasses.replace) would show what is veiled; `changed` does not.  Raises Seen."""
        raise Seen(SOME)

    @property
    def hidden(self) -> Hidden:
        """What is veiled."""
        found: Hidden = self.__dict__["hidden"]
        return found

    def key(self) -> tuple[Any, ...]:
        kept: tuple[Any, ...] | None = self.__dict__.get("_key")
        if kept is None:
            kept = self.__dict__["_key"] = (*super().key(), self.hidden.key())
        return kept

    def changed(self, **what: Any) -> Self:
        new = super().changed(**what)
        new.__dict__.pop("_key", None)
        return new

    def showing(self, **what: Any) -> Self:
        """The same with other things veiled."""
        h = self.hidden
        return self.changed(hidden=Hidden(**{"pieces": h.pieces, "happened": h.happened, "counters": h.counters, "flags": h.flags, **what}))

    def look(self, wanted: Callable[[Piece], bool]) -> None:
        """Raises Seen where a veiled piece is among those that are wanted."""
        for piece, source in self.hidden.pieces.items():
            if wanted(piece):
                raise Seen(source)

    @property
    def pieces(self) -> Any:
        """Every piece."""
        self.look(lambda p: True)
        return self.__dict__["pieces"]

    @property
    def counters(self) -> Any:
        """Every counter."""
        more = tuple(((Word(a, source), Word(b, source)), Word("", source)) for (a, b), source in self.hidden.counters.items())
        return (*self.__dict__["counters"], *more)

    @property
    def flags(self) -> Any:
        """Every flag."""
        if not self.hidden.flags:
            return self.__dict__["flags"]
        return VeiledFlags(self.__dict__["flags"], self.hidden.flags)

    @property
    def happened(self) -> Any:
        """The whole ledger."""
        for source in self.hidden.happened.values():
            raise Seen(source)
        return self.__dict__["happened"]

    def at(self, place: str, wanted: Callable[[Piece], bool] | None = None) -> list[tuple[Piece, int]]:
        self.look(wanted or (lambda p: True))
        return [(p, n) for a, p, n in self.__dict__["pieces"] if a == place and (wanted is None or wanted(p))]

    def may_hold(self, place: str, wanted: Callable[[Piece], bool]) -> tuple[Piece, ...]:
        there = {p for a, p, _ in self.__dict__["pieces"] if a == place and wanted(p)}
        return tuple(sorted(there | {p for p in self.hidden.pieces if wanted(p)}))

    def count(self, place: str, piece: Piece) -> int:
        self.look(lambda p: p == piece)
        return super().count(place, piece)

    def where(self, wanted: Callable[[Piece], bool]) -> tuple[str, ...]:
        self.look(wanted)
        return super().where(wanted)

    def total(self, wanted: Callable[[Piece], bool], places: Iterable[str] | None = None) -> int:
        self.look(wanted)
        return super().total(wanted, places)

    def put(self, place: str, piece: Piece, n: int) -> Self:
        self.look(lambda p: p == piece)
        return super().put(place, piece, n)

    def without(self, wanted: Callable[[Piece], bool], but: str = "") -> Self:
        self.look(wanted)
        return super().without(wanted, but)

    def plainly(self, change: Callable[[Piece], Piece]) -> Self:
        return super().plainly(change).showing(pieces={change(p): source for p, source in self.hidden.pieces.items()})

    def counter(self, holder: str, name: str) -> int:
        source = self.hidden.counters.get((holder, name))
        if source is not None:
            raise Seen(source)
        return super().counter(holder, name)

    def counting(self, holder: str, name: str, value: int) -> Self:
        new = super().counting(holder, name, value)
        if (holder, name) not in self.hidden.counters:
            return new
        return new.showing(counters={k: s for k, s in self.hidden.counters.items() if k != (holder, name)})

    def cleared(self, holder: str) -> Self:
        return super().cleared(holder).showing(counters={k: s for k, s in self.hidden.counters.items() if k[0] != holder})

    def flagged(self, *flag: str) -> Self:
        return super().flagged(*flag).showing(flags={f: s for f, s in self.hidden.flags.items() if f != flag})

    def unflagged(self, *flag: str) -> Self:
        return super().unflagged(*flag).showing(flags={f: s for f, s in self.hidden.flags.items() if f != flag})

    def unflagged_all(self, *words: str) -> Self:
        return super().unflagged_all(*words).showing(flags={f: s for f, s in self.hidden.flags.items() if f[0] not in words})

    def noted(self, what: str, piece: Piece, place: str, n: int) -> Self:
        return self if (what, piece) in self.hidden.happened else super().noted(what, piece, place, n)

    def remembering(self, words: frozenset[str]) -> Self:
        new = super().remembering(words)
        if all(what in words for what, _ in self.hidden.happened):
            return new
        return new.showing(happened={k: s for k, s in self.hidden.happened.items() if k[0] in words})

    def tally(self, wanted: Wanted, *what: str) -> int:
        return sum(n for (w, p, place), n in self.known(lambda p: wanted.fits(p), what) if w in what and wanted.fits(p, place))

    def befell(self, wanted: Callable[[Piece], bool], *what: str) -> int:
        return sum(n for (w, p, _), n in self.known(wanted, what) if w in what and wanted(p))

    def known(self, wanted: Callable[[Piece], bool], what: Iterable[str]) -> Any:
        """The ledger, where nothing that is wanted of it is veiled."""
        for (word, piece), source in self.hidden.happened.items():
            if word in what and wanted(piece):
                raise Seen(source)
        return self.__dict__["happened"]


def veil(state: State, touches: Touches, source: Source) -> VeiledState:
    """The position with all that a step touches veiled."""
    old = state.hidden if isinstance(state, VeiledState) else Hidden()
    new = object.__new__(VeiledState)
    new.__dict__.update({k: v for k, v in state.__dict__.items() if not k.startswith("_")})
    new.__dict__.update(
        hidden=Hidden(
            {**dict.fromkeys(touches.pieces, source), **old.pieces},
            {**dict.fromkeys(touches.happened, source), **old.happened},
            {**dict.fromkeys(touches.counters, source), **old.counters},
            {**dict.fromkeys(touches.flags, source), **old.flags},
        ),
        pieces=tuple(p for p in new.__dict__["pieces"] if p[1] not in touches.pieces),
        happened=tuple(e for e in new.__dict__["happened"] if e[0][:2] not in touches.happened),
        counters=tuple(c for c in new.__dict__["counters"] if c[0] not in touches.counters),
        flags=frozenset(new.__dict__["flags"] - touches.flags),
    )
    return new


__all__ = ["Seen", "Touches", "VeiledState", "veil"]

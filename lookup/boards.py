"""Every small board for an action, up to kinds and areas that nothing asked on the board tells apart.

A board is a row of values, one for each of its parts: who acts, against whom, the areas, who stands where, what the action's sentence
names, borders, what is switched on.  A walk goes through the rows like a counter, and leaves out what cannot matter: a part whose value
no clause looked at on any board below, and a value that the clauses heard there cannot tell from one tried before.  What a clause can
tell apart is read off its code (engine.reach).  The method follows Boyapati, Khurshid and Marinov, "Korat: automated testing based on
Java predicates", 2002, with parts in a fixed order, and leaps back over parts that played no role.

Not varied: the numbers of units whose cards give none (1 each), marks in words that no clause has beside the kind, more than one switch on
beside all of them, and owners that the game's cards exclude.  Like areas may be met in more than one order; such boards are counted once.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, permutations
from random import Random
from typing import Any

from .engine.clause import Rulebook
from .engine.reach import Reach, classes, own, reach
from .sentence import SLOT, Pattern, action_patterns, known_areas, listed

AREAS, PIECES = 3, 3
NUMBERS = ("0", "1", "3")
NEXT_TO = frozenset({"beside", "borders"})
ALONG = frozenset({"along", "arrows"})
SEEN = frozenset({"pieces", "at", "where", "total", "count", "put", "may_hold", "without", "plainly"})
ALL = "all of them"


@dataclass(frozen=True)
class Type:
    """A sort of piece on a board: kind, owner, the numbers given to it, and whether it is a building."""

    kind: str
    owner: str
    marks: str = ""
    building: bool = False

    @property
    def says(self) -> str:
        """As a scenario's line has it."""
        return f"{self.kind}{f' ({self.marks})' if self.marks else ''}{f' of {self.owner}' if self.owner else ''}"

    @property
    def named(self) -> str:
        """As a sentence names it."""
        return f"{self.kind}{f' of {self.owner}' if self.owner else ''}"


Spot = tuple[Type, "int | str"]


@dataclass(frozen=True)
class Switch:
    """One thing that may be on: a key of a scenario, whose entry it is ("" for the game's), the value, and the name it stands under."""

    key: str
    whose: str
    value: str
    under: str = ""


@dataclass(frozen=True)
class Board:
    """One board: the raw mapping of a scenario, how many things are on it, and whether it is the first of those that differ in the order of areas."""

    raw: dict[str, Any]
    size: int
    first: bool


@dataclass(frozen=True, eq=False)
class Known:
    """What the clauses heard on some boards can tell apart: the words and names of their code, and the kinds that the questions asked name."""

    book: Rulebook
    words: frozenset[str]
    names: frozenset[str]
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    def kind(self, kind: str) -> Any:
        """What a kind of unit is taken for: alike for kinds that cannot be told apart."""
        if "classes" not in self._kept:
            found = classes(self.book, Reach(self.words, self.names, frozenset()))
            self._kept["classes"] = {k: each[0] for each in found for k in each}
        return self._kept["classes"].get(kind) or (kind if kind in self.words else "a building")

    def player(self, name: str) -> str:
        """What a player is taken for."""
        pages = {"page", "pages"} & self.names and any(p.title == name for p in self.book.pages.values())
        return name if name in self.words else "with a page" if pages else "a player"

    def word(self, word: str) -> str:
        """What any other word is taken for."""
        return word if word in self.words else "another"


@dataclass(frozen=True, eq=False)
class Shape:
    """The boards of one action with so many areas and pieces beyond the actor."""

    book: Rulebook
    action: str
    areas: int
    pieces: int
    found: Reach
    pattern: Pattern
    places: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    rivals: tuple[str, ...]
    parts: tuple[tuple[str, int], ...]
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    def at(self, what: str) -> int:
        """Where the values of a part begin in a row."""
        key = "at", what
        if key not in self._kept:
            self._kept[key] = self.parts.index((what, 0)) if (what, 0) in self.parts else len(self.parts)
        return int(self._kept[key])

    def values(self, row: Sequence[Any]) -> Sequence[Any]:
        """The values that the next part of a row may take; none where what stands cannot be a board."""
        what, i = self.parts[len(row)]
        match what:
            case "player":
                return self.players
            case "rival":
                return [p for p in self.rivals if p != row[0]]
            case "area":
                return [p for p in self.places if i == 0 or (self.places.index(p) >= self.places.index(row[-1]) and not (p[0] and p == row[-1]))]
            case "actor":
                return [None, *((t, a) for t in self.actors(row[0]) for a in range(self.areas))]
            case "piece":
                spots = self.spots(row[0], row[1])
                return spots if i == 0 else spots[spots.index(row[-1]):]
            case "slot":
                return self.fills(row, i)
            case "border":
                return (False, True)
            case "arrow":
                return [None, *permutations(range(self.areas), 2)]
        return [None, *self.switches(row[0], row[1]), ALL]

    def taken(self, row: Sequence[Any], value: Any, known: Known) -> Any:
        """What a value of the next part is taken for by the clauses heard: two that are taken for the same cannot make a difference."""
        what, _ = self.parts[len(row)]
        match what:
            case "player" | "rival":
                return known.player(value)
            case "area":
                return known.word(value[0]) if value[0] else "", known.word(value[1])
            case "actor" | "piece":
                return self.spot(row, value, known) if SEEN & known.names else None
            case "slot":
                return value if isinstance(value, (int, tuple)) else known.kind(value) if value in self.book.units else known.word(value)
            case "border":
                return value if NEXT_TO & known.names else None
            case "arrow":
                return value if ALONG & known.names else None
        if value is None or value == ALL:
            return value
        return self.switch(value, known)

    def spot(self, row: Sequence[Any], value: Any, known: Known) -> Any:
        """What a piece in its place is taken for."""
        if value is None:
            return None
        t, place = value
        marks = tuple(m for m in t.marks.split(", ") if m.split(" ")[0] in known.words and known.names & {"mark", "marks", "field"})
        return known.kind(t.kind), t.owner, marks, t.building, place if isinstance(place, int) or known.names & {"pool"} else known.word(place)

    def switch(self, s: Switch, known: Known) -> Any:
        """What a thing that is on is taken for: the same as nothing, where no clause heard names it."""
        if (s.under or s.value) not in known.words:
            return None
        return (s.whose, s.under, known.word(s.value) if s.under in self.book.vocabulary.holdings else s.value)

    def words(self, kind: str) -> tuple[str, ...]:
        """What may fill a slot that is neither place nor unit: the words that the action can tell from others, and one other."""
        match kind:
            case "number":
                return NUMBERS
            case "building":
                return self.some(self.book.vocabulary.buildings)
            case "kind":
                return tuple(k for k in self.kinds if self.owners(k, "", "") == ("",))
        return self.some(dict.fromkeys(listed(self.book, kind).values()))

    def some(self, known: Iterable[str]) -> tuple[str, ...]:
        """Of some words those that the action names, and the first of the others."""
        all_of = list(known)
        return (*(w for w in all_of if w in self.found.words), *[w for w in all_of if w not in self.found.words][:1])

    @property
    def kinds(self) -> tuple[str, ...]:
        """A kind of unit for each class that the action, whatever it comes to, can tell from others."""
        if "kinds" not in self._kept:
            self._kept["kinds"] = tuple(each[0] for each in classes(self.book, self.found))
        kept: tuple[str, ...] = self._kept["kinds"]
        return kept

    def title(self, kind: str) -> tuple[str, str]:
        """The kind and the title of the page that a kind of unit stands on; two empty words for a stand-in."""
        unit = self.book.units.get(kind)
        page = self.book.pages[unit.page] if unit else None
        return (page.kind, page.title) if page else ("", "")

    def owners(self, kind: str, player: str, rival: str) -> tuple[str, ...]:
        """Whose a unit of a kind may be: that player's whose page it is on, anybody's where a player may hold it, else nobody's; a stand-in has an owner."""
        v = self.book.vocabulary
        page, title = self.title(kind)
        if page == v.player_kind:
            return tuple(p for p in (player, rival) if p == title)
        if page in v.holdings.values():
            return ("", player, rival)
        return ("",) if page in v.card_kinds else (player, rival)

    def types(self, player: str, rival: str) -> tuple[Type, ...]:
        """Every sort of piece.  A unit whose card lacks numbers stands as it is, and with 1 for each; a stand-in with 1 for each."""
        found: list[Type] = []
        for kind in sorted(self.kinds, key=lambda k: (k in self.book.units, k)):
            marks = self.marks(kind)
            for owner in self.owners(kind, player, rival):
                found.append(Type(kind, owner, marks))
                if marks and kind in self.book.units:
                    found.append(Type(kind, owner))
                found += [Type(kind, owner, ", ".join(filter(None, (marks, word)))) for word in self.worded(kind, owner, player, rival)]
        for kind in self.some(self.book.vocabulary.buildings):
            found += [Type(kind, owner, "", True) for owner in (player, rival)]
        return tuple(found)

    def marks(self, kind: str) -> str:
        """The numbers that must be given to a kind for the action to have them."""
        unit = self.book.units.get(kind)
        silent = (name for name in self.book.vocabulary.marks if unit is None or (name in unit.fields and unit.fields[name].silent))
        return ", ".join(f"{name} 1" for name in silent if name in self.found.words and not self.book.vocabulary.marks[name])

    def worded(self, kind: str, owner: str, player: str, rival: str) -> list[str]:
        """The marks in words that an owned kind may bear: those whose name some clause has beside the kind's, with a player on the board for value."""
        marks = [(name, values) for name, values in self.book.vocabulary.marks.items() if values and owner and (kind, name) in ear(self.book).beside]
        return [f"{name} {value}" for name, values in marks if name in self.found.words for value in (player, rival) if value in values]

    def spots(self, player: str, rival: str) -> tuple[Spot, ...]:
        """Every sort of piece in every place: the number of an area, or the name of a place off the map."""
        key = "spots", player, rival
        if key not in self._kept:
            v = self.book.vocabulary
            found: list[Spot] = []
            for t in self.types(player, rival):
                found += [(t, i) for i in range(self.areas)]
                if t.owner and "pool" in self.found.names:
                    found.append((t, v.pool.format(player=t.owner)))
                if not t.building:
                    found += [(t, place) for place in self.found.of(v.off_board)]
            self._kept[key] = tuple(found)
        kept: tuple[Spot, ...] = self._kept[key]
        return kept

    def actors(self, player: str) -> tuple[Type, ...]:
        """What may act: the units of the action's own page, or a stand-in of the player."""
        page = self.book.page_of(self.action).id
        of_page = [kind for kind in self.kinds if kind in self.book.units and self.book.units[kind].page == page and self.owners(kind, player, "")]
        if not of_page:
            return tuple(Type(kind, player, self.marks(kind)) for kind in self.book.vocabulary.stand_ins)[:1]
        mine = [(k, player if player in self.owners(k, player, "") else "") for k in of_page]
        return tuple(dict.fromkeys(Type(k, owner, marks) for k, owner in mine for marks in (self.marks(k), "")))

    def switches(self, player: str, rival: str) -> tuple[Switch, ...]:
        """What may be on: every flag, holding and counter that the action names."""
        key = "switches", player, rival
        if key not in self._kept:
            v, words = self.book.vocabulary, self.found.words
            found = [Switch("flags", "", flag) for flag in v.game_flags if flag in words]
            found += [Switch("game", "", n, name) for name in v.game_counters if name in words for n in ("1", "10")]
            for who in (player, rival):
                found += [Switch("players", who, n, name) for name, usual in v.counters.items() if name in words for n in ("0", "1") if n != str(usual)]
                found += [Switch("players", who, name, holding) for holding, what in v.holdings.items() if holding in words for name in self.held(what)]
            self._kept[key] = tuple(found)
        kept: tuple[Switch, ...] = self._kept[key]
        return kept

    def held(self, what: str) -> tuple[str, ...]:
        """What a player may hold: the things that the action names, those of its own page, and one other."""
        page = self.book.page_of(self.action)
        known = dict.fromkeys(listed(self.book, what).values())
        of_page = [str(x) for x in page.front.get(what) or ()] if page.kind != what else [page.title]
        return tuple(dict.fromkeys((*self.some(known), *of_page)))

    def stand(self, row: Sequence[Any]) -> list[Spot]:
        """The pieces of a row, the actor's first."""
        at = self.at("actor")
        return [x for x in row[at:at + 1 + self.pieces] if x is not None]

    def fills(self, row: Sequence[Any], i: int) -> Sequence[Any]:
        """What may stand in a slot of the sentence: words, the number of an area, or (words, place) for a unit."""
        kind = self.pattern.slots[i][1]
        match kind:
            case "player":
                return [row[1], row[0]] if any(k == "player" for _, k in self.pattern.slots[:i]) else [row[0]]
            case "area":
                return range(self.areas)
            case "unit":
                return list(dict.fromkeys((t.named, place) for t, place in self.stand(row) if not t.building))
            case "side":
                return list(dict.fromkeys((row[1], *(t.kind for t, _ in self.stand(row) if not t.owner and not t.building))))
        return self.words(kind)

    def board(self, row: Sequence[Any]) -> Board:
        """A whole row as a scenario has it."""
        v, player, rival = self.book.vocabulary, row[0], row[1]
        places = row[self.at("area"):][:self.areas]
        slots = row[self.at("slot"):][:len(self.pattern.slots)]
        pairs = list(combinations(range(self.areas), 2))
        edges = [pair for pair, on in zip(pairs, row[self.at("border"):]) if on] if self.at("border") < len(self.parts) else []
        arrow = row[self.at("arrow")] if self.at("arrow") < len(self.parts) else None
        names = [name or f"Area {chr(65 + i)}" for i, (name, _) in enumerate(places)]
        grid = {name: {"kind": kind, "next": [names[b] for a, b in edges if a == i]} for i, (name, (_, kind)) in enumerate(zip(names, places))}
        entries: dict[str, dict[str, Any]] = {player: {}, rival: {}}
        raw: dict[str, Any] = {"map": grid, "players": entries}
        if arrow:
            raw["arrows"] = [f"{names[arrow[0]]} -> {names[arrow[1]]}"]
        for t, place in self.stand(row):
            where = names[place] if isinstance(place, int) else place
            raw.setdefault("buildings" if t.building else "units", {}).setdefault(where, []).append(t.says)
            page, title = self.title(t.kind)
            for holding, what in v.holdings.items():
                if t.owner and what == page and title not in entries[t.owner].setdefault(holding, []):
                    entries[t.owner][holding].append(title)
        on = self.switches(player, rival) if row[-1] == ALL else (row[-1],) if row[-1] else ()
        for s in on:
            if s.key == "flags":
                raw.setdefault("flags", []).append(s.value)
            elif s.key == "game":
                raw.setdefault("game", {})[s.under] = s.value
            elif s.under in v.holdings:
                held = entries[s.whose].setdefault(s.under, [])
                held += [] if s.value in held else [s.value]
            else:
                entries[s.whose][s.under] = s.value
        raw["do"] = [self.sentence(names, slots)]
        size = self.areas + len(self.stand(row)) + len(on) + len(edges) + bool(arrow)
        return Board(raw, size, first_of_its_like(places, edges, arrow, self.stand(row), slots))

    def sentence(self, names: Sequence[str], slots: Sequence[Any]) -> str:
        """The action's sentence with its slots filled; a unit's area is told where the sentence has none of its own."""
        areas = any(kind == "area" for _, kind in self.pattern.slots)

        def word(x: Any) -> str:
            if isinstance(x, tuple):
                return str(x[0] if areas or not isinstance(x[1], int) else f"{x[0]} in {names[x[1]]}")
            return names[x] if isinstance(x, int) else str(x)

        left = iter(map(word, slots))
        return SLOT.sub(lambda m: next(left), self.pattern.says)

    def random(self, dice: Random) -> list[Any] | None:
        """A row by chance; None where its beginning could not be ended."""
        row: list[Any] = []
        while len(row) < len(self.parts):
            values = self.values(row)
            if not values:
                return None
            row.append(dice.choice(values))
        return row

    def changed(self, row: Sequence[Any], dice: Random) -> list[Any] | None:
        """A row with one part changed by chance, and those after it that no longer fit; None where its beginning could not be ended."""
        part = dice.randrange(len(self.parts))
        other: list[Any] = []
        for i, value in enumerate(row):
            values = self.values(other)
            if not values:
                return None
            other.append(value if i != part and value in values else dice.choice(values))
        return other


def first_of_its_like(places: Sequence[tuple[str, str]], edges: Sequence[tuple[int, int]], arrow: tuple[int, int] | None, pieces: Sequence[Spot],
                      slots: Sequence[Any]) -> bool:
    """Whether a board is the first among those that differ only in which of its like areas is which."""
    n = len(places)
    if len(set(places)) == n:
        return True

    def seen(to: Sequence[int]) -> tuple[Any, ...]:
        """The board with its areas called otherwise."""
        def at(x: Any) -> str:
            return str(to[x]) if isinstance(x, int) and x < n else str(x)

        joined = sorted(sorted((at(a), at(b))) for a, b in edges)
        stand = sorted((at(place), t.says) for t, place in pieces)
        said = [(x[0], at(x[1])) if isinstance(x, tuple) else ("", at(x)) for x in slots]
        return joined, [at(a) for a in arrow or ()], stand, said

    mine = seen(range(n))
    return all(mine <= seen(to) for to in permutations(range(n)) if all(places[i] == places[to[i]] for i in range(n)))


@lru_cache(1024)
def shape(book: Rulebook, action: str, areas: int, pieces: int) -> Shape:
    """The boards of an action with so many areas and pieces beyond the actor."""
    found = reach(book, action)
    v = book.vocabulary
    named = [(name, kind) for name, kind in sorted(known_areas(book).items()) if name in found.words]
    kinds = [kind for kind in v.places if kind in found.words]
    others = [kind for kind in v.places if kind not in found.words][:1]
    places = tuple([("", kind) for kind in (*others, *kinds)] + named)
    page = book.page_of(action)
    one, other = v.stand_in_players[:2]
    known = [p.title for p in book.pages.values() if p.kind == v.player_kind and p.title in found.words]
    players = (page.title,) if page.kind == v.player_kind else (one, *known)
    pattern = action_patterns(book)[action]
    pairs = areas * (areas - 1) // 2
    parts = [("player", 0), ("rival", 0), *(("area", i) for i in range(areas)), ("actor", 0), *(("piece", i) for i in range(pieces))]
    parts += [("slot", i) for i in range(len(pattern.slots))]
    parts += [("border", i) for i in range(pairs)] if NEXT_TO & found.names else []
    parts += [("arrow", 0)] if ALONG & found.names and pairs else []
    return Shape(book, action, areas, pieces, found, pattern, places, players, (other, *known), (*parts, ("switch", 0)))


class Ear:
    """Turns what was heard on boards into masks that can be joined and kept, and back into what can be told apart."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.bits = {id: 1 << i for i, id in enumerate([*book.clauses, *sorted({c.mark.question for c in book.clauses.values()})])}
        self.own = {id: own(book, id) for id, c in book.clauses.items() if c.mark.kind}
        self.of: dict[str, set[str]] = {}
        for c in book.clauses.values():
            self.of.setdefault(c.mark.question, set()).update(c.mark.of)
        self.kept: dict[int, Known] = {}
        kinds, marks = {*book.units, *book.vocabulary.stand_ins}, set(book.vocabulary.marks)
        self.beside = {(kind, mark) for found in self.own.values() for mark in found.words & marks for kind in found.words & kinds}
        """Kinds of unit and names of marks that one clause's code names both."""

    def mask(self, heard: Iterable[str], asked: Iterable[str]) -> int:
        """What was heard as a mask."""
        found = 0
        for id in (*heard, *asked):
            found |= self.bits.get(id, 0)
        return found

    def known(self, mask: int) -> Known:
        """What can be told apart after hearing what a mask says."""
        if mask not in self.kept:
            words: set[str] = set()
            names: set[str] = set()
            for id, bit in self.bits.items():
                if mask & bit:
                    if id in self.own:
                        words |= self.own[id].words
                        names |= self.own[id].names
                    words |= self.of.get(id, set())
            if len(self.kept) > 4000:
                self.kept.clear()
            self.kept[mask] = Known(self.book, frozenset(words), frozenset(names))
        return self.kept[mask]


@lru_cache(8)
def ear(book: Rulebook) -> Ear:
    """The ear of a book, kept."""
    return Ear(book)


@dataclass
class Walk:
    """A way through all rows of a shape.  tried: for each part the values tried, the last one standing; unions: what was heard below each."""

    shape: Shape
    tried: list[list[int]] = field(default_factory=list)
    unions: list[int] = field(default_factory=list)
    boards: int = 0

    def row(self) -> list[Any] | None:
        """The row that stands now, its missing parts being given their first values; None where a part has none."""
        row: list[Any] = []
        for i in range(len(self.shape.parts)):
            values = self.shape.values(row)
            if not values:
                del self.tried[i:], self.unions[i:]
                return None
            if i == len(self.tried):
                self.tried.append([0])
                self.unions.append(0)
            row.append(values[self.tried[i][-1]])
        return row

    def on(self, heard: int) -> bool:
        """Goes on to the next row that can make a difference; says whether there is one."""
        ears = ear(self.shape.book)
        if self.unions:
            self.unions[-1] |= heard
        while self.tried:
            i = len(self.tried) - 1
            row = self.prefix(i)
            values = self.shape.values(row)
            tried = self.tried[i]
            if len(tried) < len(values):
                known = ears.known(self.unions[i])
                before: dict[Any, int] = {}
                for j in tried:
                    taken = self.shape.taken(row, values[j], known)
                    before[taken] = min(before.get(taken, j), j)
                for j, value in enumerate(values):
                    if j not in tried and before.get(self.shape.taken(row, value, known), j) >= j:
                        tried.append(j)
                        return True
            self.tried.pop()
            union = self.unions.pop()
            if self.unions:
                self.unions[-1] |= union
        return False

    def prefix(self, n: int) -> list[Any]:
        """The first n values of the row that stands now."""
        row: list[Any] = []
        for i in range(n):
            row.append(self.shape.values(row)[self.tried[i][-1]])
        return row


__all__ = ["AREAS", "PIECES", "Board", "Shape", "Walk", "ear", "shape"]

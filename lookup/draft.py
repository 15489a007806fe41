"""A position written down again, and changed a piece at a time: what a scenario's file would say of it."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .engine.clause import Rulebook
from .engine.state import Board, Piece, State
from .nearest import meant
from .plain import BadText
from .scenario import Scenario, build
from .sentence import Names, Pattern, action_patterns, claim_patterns, known_areas, known_players, listed, match

KEPT = ("title", "do", "claims", "readings", "answers")


def raw_of(book: Rulebook, state: State, players: Iterable[str] = (), **rest: Any) -> dict[str, Any]:
    """The raw mapping of a scenario with this position; rest holds its other keys (title, do, claims, readings, answers), the empty ones left out.

    players: who plays even without a piece, a counter or a holding.
    """
    v, board = book.vocabulary, state.board
    usual, known = v.places[0], known_areas(book)
    beside = {place: [other for a, b in sorted(board.borders) for other in ((b,) if a == place else ())] for place in board.places}
    raw: dict[str, Any] = {"map": {
        place: {**({"next": beside[place]} if beside[place] else {}), **({"kind": kind} if (kind := board.kind(place)) != known.get(place, usual) else {})}
        for place in board.places
    }}
    if board.arrows:
        raw["arrows"] = [f"{a} -> {b}" for a, b in sorted(board.arrows)]
    there = {*players, *(p.owner for _, p, _ in state.pieces), *(h for (h, _), _ in state.counters), *(f[1] for f in state.flags if len(f) == 3)}
    who = [p for p in known_players(book) if p in there]
    if who:
        raw["players"] = {p: entry_of(book, state, p) for p in who}
    for key, wanted in (("units", False), ("buildings", True)):
        stands: dict[str, list[str]] = {}
        for place, piece, n in state.pieces:
            if (piece.kind in v.buildings) == wanted:
                stands.setdefault(place, []).extend([words_of(book, piece)] * n if wanted else [words_of(book, piece, n)])
        if stands:
            raw[key] = stands
    game = {name: str(n) for (holder, name), n in state.counters if not holder}
    flags = [f[0] for f in sorted(state.flags) if len(f) == 1]
    return raw | ({"game": game} if game else {}) | ({"flags": flags} if flags else {}) | {k: val for k, val in rest.items() if val}


def entry_of(book: Rulebook, state: State, player: str) -> dict[str, Any]:
    """What a scenario says of a player: counters that are not the usual, and holdings."""
    v = book.vocabulary
    entry: dict[str, Any] = {name: str(n) for name, usual in v.counters.items() if (n := state.counter(player, name)) != usual}
    for holding in v.holdings:
        if names := [f[2] for f in sorted(state.flags) if len(f) == 3 and f[:2] == (holding, player)]:
            entry[holding] = names
    return entry


def words_of(book: Rulebook, piece: Piece, n: int = 1) -> str:
    """Some like pieces as a scenario writes them: "2 heroes (combat 1) of Red"."""
    marks = ", ".join(f"{k} {val}" for k, val in piece.marks)
    return f"{f'{n} {book.plural(piece.kind)}' if n > 1 else piece.kind}{f' ({marks})' if marks else ''}{f' of {piece.owner}' if piece.owner else ''}"


@dataclass(frozen=True)
class Draft:
    """A position that is being changed.  Each method gives a new one; a wrong word raises ValueError: what is wrong, nearest right."""

    book: Rulebook
    scenario: Scenario

    @classmethod
    def of(cls, book: Rulebook, raw: Mapping[str, Any]) -> Draft:
        """From the raw mapping of a scenario.  Raises BadText."""
        return cls(book, build(book, raw))

    @property
    def names(self) -> Names:
        """What words can mean here."""
        return Names(self.book, known_players(self.book), self.scenario.state.board.places)

    @property
    def playing(self) -> list[str]:
        """Who plays in it."""
        return list(self.scenario.raw.get("players") or {})

    def raw(self, state: State | None = None, players: Iterable[str] = (), /, **rest: Any) -> dict[str, Any]:
        """Its raw mapping, with another position or other keys."""
        kept = {k: self.scenario.raw[k] for k in KEPT if k in self.scenario.raw}
        return raw_of(self.book, state or self.scenario.state, [*self.playing, *players], **(kept | rest))

    def then(self, state: State | None = None, players: Iterable[str] = (), /, **rest: Any) -> Draft:
        """The same with another position or other keys.  Who joins has the usual counters.

        Answers are given up, since they belong to what was; so are sentences about what is no longer there.
        """
        joined = state or self.scenario.state
        for player in {*players, *(p.owner for _, p, _ in joined.pieces if p.owner)} - set(self.playing):
            for name, usual in self.book.vocabulary.counters.items():
                joined = joined.counting(player, name, joined.counter(player, name) or usual)
        raw = self.raw(joined, players, **{"answers": None, **rest})
        names = Names(self.book, known_players(self.book), joined.board.places)
        fit = {key: [s for s in sentences(raw.get(key)) if fits(s, patterns(self.book), names)] for key, patterns in SAID.items()}
        return Draft.of(self.book, {k: fit.get(k, v) for k, v in raw.items() if fit.get(k, v)})

    # Areas.

    def area(self, name: str, kind: str = "") -> Draft:
        """With one more area, of the kind it usually has unless said; one that is there is turned into that kind."""
        state, known = self.scenario.state, known_areas(self.book)
        by = {k.lower(): k for k in known}
        name = by.get(name.strip().lower(), name.strip())
        if kind and kind not in self.book.vocabulary.places:
            raise ValueError(f"no kind of area {kind!r}{meant(kind, self.book.vocabulary.places)}")
        kinds = dict(state.board.kinds)
        kinds[name] = kind or kinds.get(name) or known.get(name, self.book.vocabulary.places[0])
        return self.then(replace(state, board=Board(tuple(sorted(kinds.items())), state.board.borders, state.board.arrows)))

    def no_area(self, name: str) -> Draft:
        """Without an area and all that stands in it."""
        state, place = self.scenario.state, self.names.area(name)
        board = state.board
        if len(board.places) == 1:
            raise ValueError(f"{place} is the only area; a position needs one")
        kinds = tuple((n, k) for n, k in board.kinds if n != place)
        left = Board(kinds, frozenset(b for b in board.borders if place not in b), frozenset(a for a in board.arrows if place not in a))
        return self.then(replace(state, board=left, pieces=tuple(p for p in state.pieces if p[0] != place)))

    def border(self, one: str, other: str) -> Draft:
        """With a border between two areas, or without it where there is one."""
        a, b = sorted((self.names.area(one), self.names.area(other)))
        if a == b:
            raise ValueError(f"{a} cannot border on itself")
        board = self.scenario.state.board
        return self.then(replace(self.scenario.state, board=Board(board.kinds, board.borders ^ {(a, b)}, board.arrows)))

    def arrow(self, one: str, other: str) -> Draft:
        """With a movement arrow from one area to another, or without it where there is one."""
        a, b = self.names.area(one), self.names.area(other)
        if a == b:
            raise ValueError(f"an arrow cannot lead from {a} to itself")
        board = self.scenario.state.board
        return self.then(replace(self.scenario.state, board=Board(board.kinds, board.borders, board.arrows ^ {(a, b)})))

    # Pieces.

    def place(self, word: str) -> str:
        """A place on the board or off it."""
        v = self.book.vocabulary
        return self.names.one(word, "place", [*self.scenario.state.board.places, *v.off_board, *(v.pool.format(player=p) for p in known_players(self.book))])

    def piece(self, words: str) -> tuple[Piece, int]:
        """Units or a building by their words."""
        if any(words.lower() == k.lower() or words.lower().startswith((k.lower() + " of ", k.lower() + " (")) for k in self.book.vocabulary.buildings):
            return self.names.building(words), 1
        return self.names.pieces(words)

    def put(self, words: str, place: str, n: int = 1) -> Draft:
        """With n times these pieces more in a place, or fewer below 0; never below none."""
        piece, k = self.piece(words)
        where, state = self.place(place), self.scenario.state
        change = max(n * k, -state.count(where, piece))
        if change > 0 and state.total(lambda p: p == piece) + change > self.book.vocabulary.limit:
            raise ValueError(f"{self.book.vocabulary.limit} of a kind at most")
        return self.then(state.put(where, piece, change), [piece.owner] if piece.owner else [])

    # Players and the game.

    def count(self, player: str, counter: str, n: int) -> Draft:
        """With a player's counter, or one of the game (player ""), at a number."""
        known = self.book.vocabulary.counters if player else self.book.vocabulary.game_counters
        if counter not in known:
            raise ValueError(f"no counter {counter!r}{meant(counter, known)}")
        if not 0 <= n <= self.book.vocabulary.limit:
            raise ValueError(f"{counter} should be a whole number from 0 to {self.book.vocabulary.limit}, not {n}")
        who = self.names.player(player) if player else ""
        return self.then(self.scenario.state.counting(who, counter, n), [who] if who else [])

    def hold(self, player: str, holding: str, name: str) -> Draft:
        """With a player holding something, or without it where he does."""
        known = self.book.vocabulary.holdings
        if holding not in known:
            raise ValueError(f"nobody holds a {holding!r}{meant(holding, known)}")
        who = self.names.player(player)
        flag = holding, who, self.names.one(name, known[holding], listed(self.book, known[holding]))
        state = self.scenario.state
        return self.then(state.unflagged(*flag) if flag in state.flags else state.flagged(*flag), [who])

    def flag(self, name: str) -> Draft:
        """With a flag of the game set, or taken off where it is set."""
        known = self.book.vocabulary.game_flags
        if name not in known:
            raise ValueError(f"no flag {name!r}{meant(name, known)}")
        state = self.scenario.state
        return self.then(state.unflagged(name) if (name,) in state.flags else state.flagged(name))

    def player(self, name: str) -> Draft:
        """With one more player."""
        return self.then(None, [self.names.player(name)])

    def no_player(self, name: str) -> Draft:
        """Without a player and all that is his."""
        who, state = self.names.player(name), self.scenario.state
        left = replace(
            state, pieces=tuple(p for p in state.pieces if p[1].owner != who), counters=tuple(c for c in state.counters if c[0][0] != who),
            flags=frozenset(f for f in state.flags if len(f) != 3 or f[1] != who),
        )
        raw = {**self.raw(left), "answers": None}
        return Draft.of(self.book, {k: ({p: e for p, e in v.items() if p != who} if k == "players" else v) for k, v in raw.items() if v})

    # What is done, asked and chosen.

    def listing(self, key: str, words: str) -> Draft:
        """With one more sentence under a key (do, claims)."""
        return Draft.of(self.book, self.raw(**{"answers": None, key: [*sentences(self.scenario.raw.get(key)), words.strip()]}))

    def unlisting(self, key: str, number: int) -> Draft:
        """Without the sentence of a number, from 0, under a key."""
        have = sentences(self.scenario.raw.get(key))
        if not 0 <= number < len(have):
            raise ValueError(f"there is no sentence {number + 1} here")
        return Draft.of(self.book, self.raw(**{"answers": None, key: have[:number] + have[number + 1:]}))

    def read(self, reading: str, clause: str) -> Draft:
        """With a reading chosen; with its likelier side the choice is given up."""
        chosen = {**self.scenario.readings, reading: clause}
        return self.then(readings={r: c for r, c in chosen.items() if not (r in self.book.readings and self.book.based(r) and self.book.clauses[c].base)}
                         if clause in self.book.clauses else chosen)

    def titled(self, words: str) -> Draft:
        """With another title."""
        return self.then(title=" ".join(words.split())[:80])


SAID = {"do": action_patterns, "claims": claim_patterns}


def fits(sentence: str, patterns: Mapping[str, Pattern], names: Names) -> bool:
    """Whether a sentence speaks of what is there."""
    try:
        match(sentence, patterns, names, "")
    except ValueError:
        return False
    return True


def sentences(value: Any) -> list[str]:
    """The sentences under a key of a scenario, claims without what a file says of them."""
    return [str(s) for entry in ([value] if isinstance(value, str) and value else value or []) for s in (entry if isinstance(entry, Mapping) else [entry])]


CHANGES: Mapping[str, tuple[tuple[str, ...], Callable[..., Draft]]] = {
    "area": (("area", "kind"), Draft.area),
    "no-area": (("area",), Draft.no_area),
    "border": (("area", "to"), Draft.border),
    "arrow": (("area", "to"), Draft.arrow),
    "put": (("piece", "area", "n"), Draft.put),
    "count": (("player", "counter", "n"), Draft.count),
    "hold": (("player", "holding", "name"), Draft.hold),
    "flag": (("name",), Draft.flag),
    "player": (("player",), Draft.player),
    "no-player": (("player",), Draft.no_player),
    "do": (("says",), lambda d, says: d.listing("do", says)),
    "undo": (("n",), lambda d, n: d.unlisting("do", n)),
    "claim": (("says",), lambda d, says: d.listing("claims", says)),
    "unclaim": (("n",), lambda d, n: d.unlisting("claims", n)),
    "read": (("name", "clause"), Draft.read),
    "title": (("says",), Draft.titled),
}
"""What can be changed: the words that each change takes, and the change."""


def change(book: Rulebook, raw: Mapping[str, Any], what: str, words: Mapping[str, str]) -> dict[str, Any]:
    """The raw mapping of a position after one change by its name and words.  Raises BadText: what is wrong, nearest right."""
    if what not in CHANGES:
        raise BadText(f"nothing is changed by {what!r}{meant(what, CHANGES)}")
    takes, make = CHANGES[what]
    values: list[Any] = []
    for key in takes:
        word = words.get(key, "").strip()
        if key == "n":
            if not word.lstrip("-").isdigit() or len(word) > 5:
                raise BadText(f"n should be a whole number, not {word[:20]!r}")
            values.append(int(word))
        else:
            values.append(word)
    try:
        return make(Draft.of(book, raw), *values).raw()
    except ValueError as e:
        raise BadText(str(e)) from None


def spare_areas(state: State, known: Sequence[str]) -> list[str]:
    """Areas that can still be added: the next unnamed one first, then those of the book."""
    letters = (f"Area {chr(c)}" for c in range(ord("A"), ord("Z") + 1))
    return [next((a for a in letters if a not in state.board.places), ""), *(a for a in known if a not in state.board.places)]


__all__ = ["CHANGES", "Draft", "change", "raw_of", "sentences", "spare_areas", "words_of"]

"""Scenarios: a position, what is done, and claims about what follows; read from a file or a link, built into a position, played."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from .engine.clause import Rulebook, Unanswered
from .engine.graph import Solver
from .engine.play import Choose, Need, Play, Roll, advance
from .engine.solve import Line, Position, Solved, Verdict, examine, line
from .engine.state import Board, Piece, State
from .nearest import meant
from .plain import BadText, Items, Table, Text, line_of, read
from .sentence import Names, action_patterns, claim_patterns, known_areas, known_players, listed, match

VERSION = "1"
KEYS = ("id", "title", "asks", "proves", "map", "arrows", "players", "units", "buildings", "game", "flags", "readings", "answers", "do", "claims")
WORDS = ("always", "never", "depends", "open")
LONGEST = 64_000
STAND_IN_AREA = re.compile(r"Area [A-Z]")


@dataclass(frozen=True)
class Wants:
    """A claim: its sentence, the function that tells whether an end meets it, the ledger entries it reads, and what the file says of it."""

    says: str
    holds: Callable[[State], bool]
    reads: tuple[str, ...]
    value: str = ""


@dataclass(frozen=True)
class Scenario:
    """A position ready to be played.  raw is what files, JSON and links hold."""

    id: str
    title: str
    raw: Mapping[str, Any]
    state: State
    wants: tuple[Wants, ...]
    asks: tuple[str, ...] = ()
    proves: tuple[str, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[str, ...] = ()
    file: str = ""
    stand_in_map: bool = True

    @property
    def keeps(self) -> frozenset[str]:
        """The entries of the ledger that some claim reads."""
        return frozenset(r for w in self.wants for r in w.reads)


class Builder:
    """Turns the raw mapping of a scenario into a Scenario, telling the place of whatever is wrong."""

    def __init__(self, book: Rulebook, raw: Mapping[str, Any], name: str) -> None:
        self.book, self.raw, self.name = book, raw, name

    def wrong(self, value: Any, what: str) -> BadText:
        line = line_of(value)
        return BadText(f"{self.name}:{line}: {what}" if line else f"{self.name}: {what}")

    def text(self, key: str) -> str:
        """A plain value of the top level."""
        value = self.raw.get(key, "")
        if not isinstance(value, str):
            raise self.wrong(value, f"{key} should be plain words")
        return str(value)

    def items(self, key: str, of: Mapping[str, Any] | None = None) -> list[Any]:
        """A list, or a single value standing for one."""
        value = (self.raw if of is None else of).get(key, [])
        if isinstance(value, str):
            return [value] if value else []
        if not isinstance(value, list):
            raise self.wrong(value, f"{key} should be a list")
        return value

    def table(self, key: str) -> Mapping[str, Any]:
        """A mapping of the top level."""
        value = self.raw.get(key) or {}
        if not isinstance(value, Mapping):
            raise self.wrong(value, f"{key} should be a mapping")
        return value

    def build(self) -> Scenario:
        """The scenario.  Raises BadText."""
        for key in self.raw:
            if key not in KEYS and key != "file":
                lines = getattr(self.raw, "lines", {})
                raise self.wrong(Text.at(key, lines.get(key, 0)), f"no key {key!r} in a scenario{meant(key, KEYS)}")
        board, stand_in = self.board()
        names = Names(self.book, known_players(self.book), board.places)
        state = self.players(State(board), names)
        state = self.pieces(state, names)
        state = self.game(state)
        state = replace(state, agenda=tuple(self.doings(names)))
        wants = tuple(self.wants(names))
        readings = self.readings()
        id = self.text("id")
        return Scenario(
            id,
            self.text("title") or id or "A position",
            plain(self.raw),
            state,
            wants,
            tuple(map(str, self.items("asks"))),
            tuple(map(str, self.items("proves"))),
            readings,
            tuple(map(str, self.items("answers"))),
            str(self.raw.get("file", "")),
            stand_in,
        )

    def board(self) -> tuple[Board, bool]:
        known = known_areas(self.book)
        kinds: dict[str, str] = {}
        borders: set[tuple[str, str]] = set()

        def place(word: Any, kind: str = "") -> str:
            name = str(word).strip() if isinstance(word, str) else ""
            by = {k.lower(): k for k in known}
            name = by.get(name.lower(), name)
            if name not in known and not STAND_IN_AREA.fullmatch(name):
                raise self.wrong(word, f"no area {str(word)!r}{meant(str(word), known) or '; unnamed ones are Area A, Area B, ...'}")
            if kind and kind not in self.book.vocabulary.places:
                raise self.wrong(word, f"no kind of area {kind!r}{meant(kind, self.book.vocabulary.places)}")
            kinds[name] = kind or kinds.get(name) or known.get(name, self.book.vocabulary.places[0])
            return name

        for word, entry in self.table("map").items():
            here = place(Text.at(word, getattr(self.table("map"), "lines", {}).get(word, 0)), str(entry.get("kind", "")) if isinstance(entry, Mapping) else "")
            if isinstance(entry, Mapping):
                for key in entry:
                    if key not in ("next", "kind"):
                        raise self.wrong(entry, f"no key {key!r} for an area; there is: next, kind")
                nexts = self.items("next", entry)
            elif isinstance(entry, list) or entry == "":
                nexts = entry or []
            else:
                raise self.wrong(entry, f"{word} should give its neighbours: {{next: [...]}}")
            for other in nexts:
                to = place(other)
                if to == here:
                    raise self.wrong(other, f"{here} cannot border on itself")
                borders.add((min(here, to), max(here, to)))
        arrows = set()
        for arrow in self.items("arrows"):
            ends = [e.strip() for e in str(arrow).split("->")]
            if len(ends) != 2:
                raise self.wrong(arrow, f"an arrow is written A -> B, not {str(arrow)!r}")
            arrows.add((place(Text.at(ends[0], line_of(arrow))), place(Text.at(ends[1], line_of(arrow)))))
        for key in ("units", "buildings"):
            for word in self.table(key):
                if not self.off_board(word):
                    place(Text.at(word, getattr(self.table(key), "lines", {}).get(word, 0)))
        if not kinds:
            kinds["Area A"] = self.book.vocabulary.places[0]
        return Board(tuple(sorted(kinds.items())), frozenset(borders), frozenset(arrows)), True

    def off_board(self, word: str) -> bool:
        v = self.book.vocabulary
        return word in v.off_board or word in {v.pool.format(player=p) for p in known_players(self.book)}

    def players(self, state: State, names: Names) -> State:
        v = self.book.vocabulary
        given = self.table("players")
        who: dict[str, Mapping[str, Any]] = {}
        for word, entry in given.items():
            at = Text.at(word, getattr(given, "lines", {}).get(word, 0))
            try:
                player = names.player(word)
            except ValueError as e:
                raise self.wrong(at, str(e)) from None
            if not isinstance(entry, Mapping) and entry:
                raise self.wrong(entry, f"{word} should be a mapping: {', '.join([*v.counters, *v.holdings])}")
            who[player] = entry or {}
        for player in names.players:
            entry = who.get(player, {})
            for key, value in entry.items():
                if key in v.counters:
                    if not str(value).isdigit() or int(str(value)) > v.limit:
                        raise self.wrong(value, f"{key} of {player} should be a whole number from 0 to {v.limit}, not {str(value)!r}")
                elif key not in v.holdings:
                    raise self.wrong(value if line_of(value) else entry, f"no key {key!r} for a player{meant(key, [*v.counters, *v.holdings])}")
            if player in who or self.mentions(player):
                for counter, usual in v.counters.items():
                    state = state.counting(player, counter, int(str(entry.get(counter, usual))))
                for holding, what in v.holdings.items():
                    for word in self.items(holding, entry):
                        try:
                            name = names.one(str(word), what, listed(self.book, what))
                        except ValueError as e:
                            raise self.wrong(word, str(e)) from None
                        if what in self.book.vocabulary.card_kinds and (other := [f[1] for f in state.flags if (f[0], f[2:]) == (holding, (name,))]):
                            raise self.wrong(word, f"{other[0]} has {name} as {holding} already")
                        state = state.flagged(holding, player, name)
        return state

    def mentions(self, player: str) -> bool:
        """Whether a player's name stands in the units, buildings or doings."""
        text = json.dumps([plain(self.raw.get(k)) for k in ("units", "buildings", "do")], ensure_ascii=False)
        return re.search(rf"\b{re.escape(player)}\b", text, re.I) is not None

    def pieces(self, state: State, names: Names) -> State:
        off = {p.lower(): p for p in state.board.places}
        put: list[tuple[str, Piece, int]] = []
        for key in ("units", "buildings"):
            for word, entries in self.table(key).items():
                place = word if self.off_board(word) else off[word.strip().lower()]
                for entry in [entries] if isinstance(entries, str) and entries else entries if isinstance(entries, list) else []:
                    try:
                        piece, n = names.pieces(str(entry)) if key == "units" else (names.building(str(entry).strip()), 1)
                    except ValueError as e:
                        raise self.wrong(entry, str(e)) from None
                    if n > self.book.vocabulary.limit:
                        raise self.wrong(entry, f"{n} are too many: {self.book.vocabulary.limit} at most")
                    state = self.holding(state, entry, piece)
                    put.append((place, piece, n))
        for place, piece, n in put:
            state = state.put(place, self.held(state, piece), n)
        for kind, unit in self.book.units.items():
            box = unit.fields.get("pieces")
            have = state.total(lambda p: p.kind == kind)
            if box and box.value and box.value.isdigit() and have > int(box.value):
                raise self.wrong(self.raw.get("units"), f"{have} {unit.plural} stand here, and the box holds {box.value}")
        return state

    def held(self, state: State, piece: Piece) -> Piece:
        """A piece without an owner whose page somebody holds is his."""
        holders = self.holders(state, piece)
        return replace(piece, owner=piece.owner or holders[0]) if holders else piece

    def holding(self, state: State, entry: Any, piece: Piece) -> State:
        """Who owns a piece whose page can be held holds that page.  Raises BadText where it is held by another player."""
        unit = self.book.units.get(piece.kind)
        page = self.book.pages[unit.page] if unit else None
        holders = self.holders(state, piece)
        for key, what in self.book.vocabulary.holdings.items():
            if page and piece.owner and what == page.kind:
                if holders and piece.owner not in holders:
                    raise self.wrong(entry, f"{piece.owner} cannot have {piece.kind}: {holders[0]} has {page.title} as {key}")
                state = state.flagged(key, piece.owner, page.title)
        return state

    def holders(self, state: State, piece: Piece) -> list[str]:
        """The players who hold the page of a piece."""
        unit = self.book.units.get(piece.kind)
        page = self.book.pages[unit.page] if unit else None
        return [f[1] for f in state.flags if page and self.book.vocabulary.holdings.get(f[0]) == page.kind and f[2] == page.title]

    def game(self, state: State) -> State:
        v = self.book.vocabulary
        for name, value in self.table("game").items():
            if name not in v.game_counters:
                raise self.wrong(value, f"no counter {name!r} of the game{meant(name, v.game_counters)}")
            if not str(value).isdigit():
                raise self.wrong(value, f"{name} should be a whole number, not {str(value)!r}")
            state = state.counting("", name, int(str(value)))
        for flag in self.items("flags"):
            if str(flag) not in v.game_flags:
                raise self.wrong(flag, f"no flag {str(flag)!r}{meant(str(flag), v.game_flags)}")
            state = state.flagged(str(flag))
        return state

    def doings(self, names: Names) -> Iterable[tuple[str, tuple[Any, ...]]]:
        for sentence in self.items("do"):
            if not isinstance(sentence, str):
                raise self.wrong(sentence, "what is done should be plain sentences, one a line")
            try:
                yield match(sentence, action_patterns(self.book), names, "action")
            except ValueError as e:
                raise self.wrong(sentence, str(e)) from None

    def wants(self, names: Names) -> Iterable[Wants]:
        for entry in self.items("claims"):
            for says, value in entry.items() if isinstance(entry, Mapping) else [(entry, "")]:
                if not isinstance(says, str) or not isinstance(value, str):
                    raise self.wrong(entry, "a claim is a sentence, a colon and a verdict")
                try:
                    key, args = match(says, claim_patterns(self.book), names, "claim")
                    if value:
                        wanted(value)
                except ValueError as e:
                    raise self.wrong(entry if isinstance(entry, Mapping) else says, str(e)) from None
                code, reads = self.book.claims[key]
                slots = [name for name, _ in claim_patterns(self.book)[key].slots]
                yield Wants(str(says), partial(code, **dict(zip(slots, args))), reads, str(value))

    def readings(self) -> dict[str, str]:
        chosen = {}
        for name, id in self.table("readings").items():
            if name not in self.book.readings:
                raise self.wrong(id, f"no reading {name!r}{meant(name, self.book.readings)}")
            if id not in self.book.readings[name]:
                raise self.wrong(id, f"{id!r} is no clause of the reading {name}{meant(str(id), self.book.readings[name])}")
            chosen[str(name)] = str(id)
        return chosen


def wanted(value: str) -> tuple[str, Fraction | None, Fraction | None]:
    """A claim's value: a word, or bounds as exact fractions ("1/6", "1/6..1/2").  Raises ValueError."""
    if value in WORDS:
        return value, None, None
    try:
        low, _, high = value.partition("..")
        least = Fraction(low.strip())
        greatest = Fraction(high.strip()) if high else least
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"a verdict is always, never, depends, open, a fraction or two (1/6..1/2), not {value!r}{meant(value, WORDS)}") from None
    if not 0 <= least <= greatest <= 1:
        raise ValueError(f"{value!r} is no chance between 0 and 1")
    return "", least, greatest


def plain(value: Any) -> Any:
    """A value as plain JSON: str, list and dict, without lines and file names."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items() if k != "file"}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return str(value) if value is not None else ""


def build(book: Rulebook, raw: Mapping[str, Any], name: str = "position") -> Scenario:
    """A scenario from its raw mapping.  Raises BadText with the place, what is wrong and the nearest right word."""
    return Builder(book, raw, name).build()


def of_text(book: Rulebook, text: str, name: str) -> list[Scenario]:
    """The scenarios of a file's text: one, or a list.  Raises BadText."""
    if len(text) > 1_000_000:
        raise BadText(f"{name}: longer than a scenario file may be (1,000,000 characters)")
    value = read(text, name)
    entries = value if isinstance(value, Items) else [value]
    if not entries or not all(isinstance(e, Table) for e in entries):
        raise BadText(f"{name}:{line_of(value, 1)}: a scenario file holds a mapping, or a list of them, with the keys {', '.join(KEYS)}")
    return [build(book, e, name) for e in entries]


def shipped(book: Rulebook, id: str) -> Scenario:
    """A scenario of the book by its id.  Raises KeyError."""
    raw = book.scenarios[id]
    return build(book, raw, str(raw["file"]))


def encode(raw: Mapping[str, Any]) -> str:
    """The code of a position for a link: a version mark, then base64url of its compressed JSON."""
    text = json.dumps(plain(raw), separators=(",", ":"), ensure_ascii=False)
    return VERSION + base64.urlsafe_b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode().rstrip("=")


def decode(code: str) -> dict[str, Any]:
    """The raw mapping of a link's code.  Raises BadText where it is damaged, too large, or of another version."""
    if not code[:1].isdigit():
        raise BadText("link: it does not begin with a version number")
    if code[0] != VERSION:
        raise BadText(f"link: it is of version {code[0]}, and this program reads version {VERSION}")
    try:
        packed = base64.b64decode(code[1:].encode("ascii") + b"=" * (-len(code[1:]) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(packed, LONGEST)
        if unpacker.unconsumed_tail:
            raise BadText(f"link: it holds more than {LONGEST} bytes")
        if not unpacker.eof:
            raise BadText("link: its end is missing")
        raw = json.loads(text)
        json.dumps(raw, ensure_ascii=False).encode()
    except (ValueError, binascii.Error, zlib.error, RecursionError, UnicodeError):
        raise BadText("link: it is damaged; copy it whole") from None
    if not isinstance(raw, dict):
        raise BadText("link: it holds no position")
    return raw


@dataclass(frozen=True)
class Played:
    """A scenario that was played: what the solver says of its claims, and for each claim a line of play that shows it."""

    scenario: Scenario
    book: Rulebook
    solved: Solved
    line: Line
    against: Line | None = None

    @property
    def holds(self) -> tuple[bool, ...]:
        """For each claim whether the file says the same."""
        return tuple(agrees(w.value, v) for w, v in zip(self.scenario.wants, self.solved.verdicts))

    def json(self) -> dict[str, Any]:
        """The scenario object of an answer."""
        s = self.scenario
        return {
            "id": s.id,
            "title": s.title,
            "link": "/s/" + (s.id if s.file else encode(s.raw)),
            "test_map": s.stand_in_map,
            "claims": [
                {
                    "says": w.says,
                    "verdict": v.word,
                    "least": str(v.least),
                    "greatest": str(v.greatest),
                    "tier": v.tier,
                    "turns_on": sorted({r for r, *_ in v.turns_on}),
                    "decides": list(v.decides),
                    **({"unfinished": True} if v.unfinished else {}),
                    **({"file_says": w.value} if w.value else {}),
                }
                for w, v in zip(s.wants, self.solved.verdicts)
            ],
            "steps": steps(self.line),
            "silent": [*self.solved.silent, *([self.line.silent] if self.line.silent and self.line.silent not in self.solved.silent else [])],
            "against": steps(self.against) if self.against else [],
            "whole": self.solved.whole,
            **({"unfinished": self.solved.unfinished} if self.solved.unfinished else {}),
        }


def steps(told: Line) -> list[dict[str, Any]]:
    """A line of play as steps: sentence and clauses with their roles."""
    return [{"says": e.says, "what": e.what, "clauses": [{"id": c.id, "role": c.role} for c in e.cites]} for e in told.events]


def agrees(value: str, v: Verdict) -> bool:
    """Whether a claim's value in a file is what the solver found; a claim without one agrees."""
    if not value:
        return True
    word, least, greatest = wanted(value)
    return v.word == word if word else v.word != "open" and (v.least, v.greatest) == (least, greatest)


def play(book: Rulebook, s: Scenario, runs: int = 400_000, seconds: float = 30.0, apart: bool = True, partial: bool = False) -> Played:
    """Plays a scenario out.

    apart: what no claim reads is not played.  partial: past the bound what is proven so far is told.  Raises TooBig past the bound where
    nothing is proven or no partial answer will do, BadText where an answer it gives fits no roll or choice.
    """
    if s.readings:
        book = book.turned(s.readings)
    state, tape = begun(book, s)
    claims = [w.holds for w in s.wants]
    reads = tuple(frozenset(w.reads) for w in s.wants)
    solved, sheet = examine(book, Position(state, tuple(claims), reads if claims else None, tape), runs, seconds, apart, partial)
    first = solved.verdicts[0] if solved.verdicts else None
    solver, claim, _ = sheet.at(0) if claims else (Solver(book, [lambda _: True], frozenset()), 0, 0)
    main = line(solver, s.state, claim, first is None or first.greatest > 0, script(book, s))
    other = line(solver, s.state, claim, False, script(book, s)) if first is not None and 0 < first.greatest and first.least < 1 else None
    return Played(s, book, solved, main, other)


def script(book: Rulebook, s: Scenario) -> list[Callable[[Choose | Roll], Any]]:
    """The given answers of a scenario, each a function from what is asked to the way meant."""

    def pick(words: str, ask: Choose | Roll) -> Any:
        by = {word_of_way(book, s, ask, way): way for way in ask.ways}
        for shown, way in by.items():
            if sorted_words(words, ask) == sorted_words(shown, ask):
                return way
        what = ask.what if isinstance(ask, Choose) else f"{ask.dice} dice"
        raise BadText(f"answers: {words!r} does not answer {what!r}{meant(words, by)}")

    return [partial(pick, words) for words in s.answers]


def word_of_way(book: Rulebook, s: Scenario, ask: Choose | Roll, way: Any) -> str:
    """One way to answer in the words that a scenario's answers use."""
    return Play(book, s.state).word(way) if isinstance(ask, Choose) else ", ".join(str(face) or "nothing" for face in way)


def sorted_words(words: str, ask: Choose | Roll) -> list[str]:
    """The words of an answer made comparable: dice in any order."""
    low = " ".join(words.lower().split())
    return [low] if isinstance(ask, Choose) else sorted(die.strip() for die in low.split(","))


def begun(book: Rulebook, s: Scenario, strict: bool = True) -> tuple[State, tuple[Any, ...]]:
    """The position after the given answers, and the answers already given within its next step.

    Raises BadText where an answer fits no roll or choice; unless strict that answer is left off, as in a book in which nobody asks for it.
    """
    state, left = s.state, script(book, s)
    tape: tuple[Any, ...] = ()
    while left and state.agenda:
        try:
            state, tape = advance(book, state, tape), ()
        except Need as need:
            try:
                tape = (*tape, left.pop(0)(need.ask))
            except BadText:
                if strict:
                    raise
        except Unanswered:
            return state, tape
    return state, tape


__all__ = ["BadText", "Played", "Scenario", "build", "decode", "encode", "of_text", "play", "shipped"]

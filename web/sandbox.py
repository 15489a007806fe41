"""The sandbox: a position changed by taps, each a link to the position after it; what may be done in it, and what follows."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from flask import Flask, redirect, render_template, request
from werkzeug.wrappers import Response

from lookup.answer import SECONDS, BadText, Desk, TooBig
from lookup.draft import Draft, change, raw_of, sentences, spare_areas, words_of
from lookup.engine.clause import Rulebook
from lookup.engine.state import Board, State
from lookup.moves import Move, claims, moves
from lookup.scenario import Scenario, build, encode, play
from lookup.sentence import known_areas, known_players, listed

from .address import with_query, without
from .position import position

SHOWN, FOLDED = 8, 60
"""So many actions stand open, so many more behind a fold, and so many forbidden ones."""


@dataclass(frozen=True)
class Tap:
    """Something that can be tapped: its words, where it leads, and whether it is on."""

    says: str
    to: str
    on: bool = False


class Sandbox:
    """The sandbox pages of one desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.book = desk, desk.book

    def add(self, app: Flask) -> None:
        """Puts them into an application."""
        app.add_url_rule("/sandbox", "sandbox", self.start)
        app.add_url_rule("/sandbox/<id>", "sandbox_at", self.at)
        app.add_url_rule("/sandbox/<id>/change", "sandbox_change", self.changed)

    def start(self) -> str:
        """An empty board of two areas, and scenarios to begin with."""
        board = Board((("Area A", self.book.vocabulary.places[0]), ("Area B", self.book.vocabulary.places[0])), frozenset({("Area A", "Area B")}))
        return self.shown(raw_of(self.book, State(board)))

    def at(self, id: str) -> str:
        """A scenario of the book, or the position of a link's code."""
        return self.shown(self.raw(id))

    def changed(self, id: str) -> str | Response | tuple[str, int]:
        """Goes to the position after one change; a wrong change leaves the position as it was and says why."""
        raw, words = self.raw(id), {k: v[:400] for k, v in request.args.items()}
        if "kind" in words and words.get("what") == "put":
            words["piece"] = piece_words(words)
        try:
            after = change(self.book, raw, words.get("what", ""), words)
        except BadText as wrong:
            return self.shown(raw, str(wrong).removeprefix("position: ")), 400
        return redirect(self.address(after), 303)

    def raw(self, id: str) -> dict[str, Any]:
        """What a scenario's file or a link holds, without what belongs to the file.  Raises Unknown, BadText."""
        s, *_ = self.desk.scenarios("/s/" + id)
        return Draft(self.book, s).raw()

    def address(self, raw: Mapping[str, Any]) -> str:
        """Where a position stands in the sandbox, with the same rules struck out."""
        return with_query(f"/sandbox/{encode(raw)}", without())

    def shown(self, raw: Mapping[str, Any], wrong: str = "") -> str:
        """The page of a position."""
        s = build(self.book, raw)
        code, struck = encode(raw), without()
        book = self.desk.strike(struck)
        playing = list(s.raw.get("players") or {})
        done, asked = sentences(s.raw.get("do")), sentences(s.raw.get("claims"))
        played, note = self.played(book, s) if done else (None, "")
        legal = moves(book, s.state, playing)
        taps = Taps(self.book, s, code, struck)
        return render_template(
            "sandbox.html", s=s, p=position(self.book, s), code=code, struck=struck, wrong=wrong, title="Sandbox", playing=playing, done=done, asked=asked,
            x=played, note=note, taps=taps, legal=by_action(m for m in legal if m.allowed), refused=forbidden(legal)[:FOLDED],
            claims=[c for c in claims(book, s.state, playing) if c not in asked] if done else [], v=self.book.vocabulary, folded=FOLDED, opened=SHOWN,
            link=f"{request.url_root.rstrip('/')}/s/{code}", starts=[] if s.state.pieces or done else self.starts(),
        )

    def played(self, book: Rulebook, s: Scenario) -> tuple[dict[str, Any] | None, str]:
        """What follows, or why it cannot be said."""
        try:
            return play(book, s, seconds=SECONDS).json(), ""
        except (TooBig, BadText) as wrong:
            return None, str(wrong)

    def starts(self) -> list[tuple[str, str]]:
        """Scenarios to begin with, one from each file."""
        each: dict[str, tuple[str, str]] = {}
        for id, raw in self.book.scenarios.items():
            each.setdefault(str(raw.get("file", "")), (id, str(raw.get("title") or id)))
        return list(each.values())


@dataclass(frozen=True)
class Taps:
    """The links that change a position."""

    book: Rulebook
    s: Scenario
    code: str
    struck: Sequence[str]

    def to(self, what: str, **words: Any) -> str:
        """The address of one change."""
        query = [("what", what), *((k, str(v)) for k, v in words.items()), *(("without", c) for c in self.struck)]
        return f"/sandbox/{self.code}/change?{urlencode(query)}"

    def borders(self, area: str) -> list[Tap]:
        """A tap for each other area: whether it borders on this one."""
        board = self.s.state.board
        return [Tap(other, self.to("border", area=area, to=other), other in board.beside(area)) for other in board.places if other != area]

    def arrows(self, area: str) -> list[Tap]:
        """A tap for each other area: whether an arrow leads there."""
        board = self.s.state.board
        return [Tap(other, self.to("arrow", area=area, to=other), other in board.along(area)) for other in board.places if other != area]

    def kinds(self, area: str) -> list[Tap]:
        """A tap for each kind that an area can be of."""
        return [Tap(kind, self.to("area", area=area, kind=kind), kind == self.s.state.board.kind(area)) for kind in self.book.vocabulary.places]

    def pieces(self, place: str) -> list[tuple[str, int, str, str]]:
        """Each sort of piece in a place: its words, how many, and the taps for one more and one fewer."""
        words = [(words_of(self.book, p), n, self.room(p.kind)) for p, n in self.s.state.at(place)]
        return [(says, n, self.to("put", piece=says, area=place, n=1) if room else "", self.to("put", piece=says, area=place, n=-1)) for says, n, room in words]

    def room(self, kind: str) -> bool:
        """Whether the box holds one more of a kind."""
        unit = self.book.units.get(kind)
        box = unit.fields["pieces"].value if unit and "pieces" in unit.fields else None
        return box is None or not box.isdigit() or self.s.state.total(lambda p: p.kind == kind) < int(box)

    def places(self) -> list[str]:
        """The places of the board, and those off it that hold something."""
        board = self.s.state.board.places
        return [*board, *sorted({a for a, _, _ in self.s.state.pieces} - set(board))]

    def counters(self, player: str) -> list[tuple[str, int, str, str]]:
        """Each counter of a player, or of the game for "": its name, its value, and the taps for one more and one fewer."""
        names = self.book.vocabulary.counters if player else self.book.vocabulary.game_counters
        now = [(name, self.s.state.counter(player, name)) for name in names]

        def tap(name: str, n: int) -> str:
            return self.to("count", player=player, counter=name, n=n)

        return [(name, n, tap(name, n + 1), tap(name, n - 1) if n else "") for name, n in now]

    def holdings(self, player: str) -> list[Tap]:
        """What a player holds, each with the tap that takes it away."""
        return [Tap(f"{f[0]}: {f[2]}", self.to("hold", player=player, holding=f[0], name=f[2]), True)
                for f in sorted(self.s.state.flags) if len(f) == 3 and f[1] == player and f[0] in self.book.vocabulary.holdings]

    def flags(self) -> list[Tap]:
        """The flags of the game."""
        return [Tap(flag, self.to("flag", name=flag), (flag,) in self.s.state.flags) for flag in self.book.vocabulary.game_flags]

    def new_areas(self) -> list[str]:
        """Areas that can be added."""
        return spare_areas(self.s.state, list(known_areas(self.book)))

    def new_players(self) -> list[str]:
        """Players who can join."""
        return [p for p in known_players(self.book) if p not in (self.s.raw.get("players") or {})]

    def new_pieces(self) -> list[tuple[str, list[str]]]:
        """What can be put on the board, in groups: units by the title of their page, units without a page, buildings."""
        groups: dict[str, list[str]] = {}
        for kind, unit in self.book.units.items():
            groups.setdefault(self.book.pages[unit.page].kind + "s", []).append(kind)
        v = self.book.vocabulary
        return [*((g, sorted(kinds)) for g, kinds in groups.items()), ("others", list(v.stand_ins)), ("buildings", list(v.buildings))]

    def to_hold(self) -> list[tuple[str, list[str]]]:
        """What a player can hold, by the kind of holding."""
        return [(holding, sorted(set(listed(self.book, what).values()))) for holding, what in self.book.vocabulary.holdings.items()]

    def readings(self, met: Sequence[str]) -> list[tuple[str, list[Tap]]]:
        """For each reading its rivals, as switches."""
        return [(name, [Tap(self.book.clauses[id].text, self.to("read", name=name, clause=id), id == (self.s.readings.get(name) or self.book.choice(name)))
                        for id in self.book.readings[name]]) for name in met]


def piece_words(words: Mapping[str, str]) -> str:
    """The words of a piece from the fields of a form: kind, combat, cost, owner."""
    marks = ", ".join(f"{name} {words[name].strip()}" for name in ("combat", "cost") if words.get(name, "").strip())
    return f"{words['kind']}{f' ({marks})' if marks else ''}{f' of {owner}' if (owner := words.get('owner', '').strip()) else ''}"


def forbidden(found: Sequence[Move]) -> list[Move]:
    """Actions that one clause alone forbids, one for each action and clause."""
    return list({(m.action, m.against): m for m in reversed(found) if len(m.against) == 1}.values())[::-1]


def by_action(found: Any) -> list[list[Move]]:
    """Allowed actions grouped by the action, those that take a turn first."""
    groups: dict[str, list[Move]] = {}
    for m in found:
        groups.setdefault(m.action, []).append(m)
    return sorted(groups.values(), key=lambda g: bool(g[0].sort))


__all__ = ["Sandbox"]

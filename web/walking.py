"""Stepping through a position by hand: one event a page, forwards and backwards, and another answer at any die or choice."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from flask import Flask, render_template, request

from lookup.answer import Desk
from lookup.engine.clause import Rulebook
from lookup.engine.trace import Event
from lookup.scenario import Scenario, encode
from lookup.walk import Fork, Frame, Walk, walk

from .address import without
from .position import Area, Picture, owners_of, scene

MANY, LISTED = 200, 24
"""So many answers an address may give; so many ways are shown without being folded."""


@dataclass(frozen=True)
class Option:
    """One way to answer a fork: its words, its odds as a fraction ("" for a choice), and where it leads."""

    says: str
    chance: str
    to: str
    taken: bool


@dataclass(frozen=True)
class Crossing:
    """A fork as a page shows it."""

    fork: Fork
    options: tuple[Option, ...]

    @property
    def folded(self) -> bool:
        """Whether the ways are too many to list openly."""
        return len(self.options) > LISTED


@dataclass(frozen=True)
class Sight:
    """All that the page of one event shows."""

    number: int
    of: int
    frame: Frame | None
    cites: list[dict[str, str]]
    areas: tuple[Area, ...]
    picture: Picture | None
    crossing: Crossing | None
    waits: Crossing | None
    back: str
    on: str
    first: str
    last: str
    over: bool
    silent: str
    held: tuple[tuple[str, bool], ...]


class Walking:
    """The stepping pages of one desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.book = desk, desk.book

    def add(self, app: Flask) -> None:
        """Puts them into an application."""
        app.add_url_rule("/s/<id>/steps", "steps", self.steps)

    def steps(self, id: str) -> str:
        """One event of a play that the address gives the answers of."""
        s, *_ = self.desk.scenarios("/s/" + id)
        struck = without()
        book = self.desk.strike(struck)
        given = tuple(request.args.getlist("a")[:MANY]) or s.answers
        s = replace(s, answers=given)
        sight = self.sight(book, s, walk(book, s), f"/s/{id}/steps", request.args.get("at", ""), struck)
        return render_template("steps.html", s=s, id=id, x=sight, title=s.title, struck=struck, here=f"/s/{id}/steps",
                               code="/s/" + (id if s.file else encode(s.raw)), given=given)

    def sight(self, book: Rulebook, s: Scenario, w: Walk, at: str, number: str, struck: Sequence[str]) -> Sight:
        """What the page of an event shows; the number counts from 1, and the one after the last is the end."""
        last = len(w.frames) + 1
        n = min(max(int(number), 1), last) if number.isdigit() and len(number) < 6 else 1

        def link(step: int, answers: Sequence[str] = s.answers) -> str:
            return f"{at}?{urlencode([*(('a', a) for a in answers), *(('without', c) for c in struck), ('at', str(step))])}"

        def crossing(fork: Fork) -> Crossing:
            before = s.answers[:fork.number]
            return Crossing(fork, tuple(Option(way.says, str(way.chance or ""), link(fork.told + 1, (*before, way.says)), way.says == fork.taken)
                                        for way in fork.ways))

        frame = w.frames[n - 1] if n <= len(w.frames) else None
        state = frame.before if frame else w.end
        owners = sorted({o for f in w.frames for o in owners_of(f.before)} | set(owners_of(w.end)))
        off = frozenset(a for f in w.frames for st in (f.before, f.after) for a, _, _ in st.pieces) - frozenset(state.board.places)
        areas, picture = scene(book, state, frame.event if frame else None, off, owners)
        fork = next((f for f in w.forks if f.told == n - 1), None)
        held = tuple((wants.says, wants.holds(w.end)) for wants in s.wants) if frame is None and w.over else ()
        return Sight(
            n, last, frame, cited(frame.event) if frame else [], areas, picture, crossing(fork) if fork else None,
            crossing(w.waits) if w.waits and frame is None else None,
            link(n - 1) if n > 1 else "", link(n + 1) if n < last else "", link(1), link(last), w.over, w.silent, held,
        )


def cited(event: Event) -> list[dict[str, str]]:
    """The clauses behind an event, as the JSON of a step has them."""
    return [{"id": c.id, "role": c.role} for c in event.cites]


__all__ = ["Walking"]

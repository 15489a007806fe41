"""A position walked by hand: what happened so far, the position before and after each event, and the roll or choice that is waited for."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from .engine.clause import Rulebook, Unanswered
from .engine.play import Choose, Need, Roll, advance
from .engine.solve import Line
from .engine.state import State
from .engine.trace import Event, Trace
from .scenario import Scenario, script, word_of_way


@dataclass(frozen=True)
class Way:
    """One way to answer: its words, and for a roll its chance."""

    says: str
    chance: Fraction | None


@dataclass(frozen=True)
class Fork:
    """A roll or a choice: its number, how many events came before, who is asked what, the ways, and the words of the one taken ("": none yet)."""

    number: int
    told: int
    who: str
    what: str
    ways: tuple[Way, ...]
    taken: str = ""

    @property
    def is_roll(self) -> bool:
        """Whether dice decide."""
        return bool(self.ways) and self.ways[0].chance is not None


@dataclass(frozen=True)
class Frame:
    """One event, with the position before it and after it."""

    event: Event
    before: State
    after: State


@dataclass(frozen=True)
class Walk:
    """A play as far as the answers lead: frames in order, forks passed, the fork waited for (None: it is over), and what silence stopped it."""

    frames: tuple[Frame, ...]
    forks: tuple[Fork, ...]
    waits: Fork | None
    end: State
    silent: str = ""

    @property
    def over(self) -> bool:
        """Whether all that was to be done is done."""
        return self.waits is None and not self.silent


def walk(book: Rulebook, s: Scenario) -> Walk:
    """Plays a scenario with its answers and stops at the first roll or choice that they leave open.  Raises BadText where an answer fits none."""
    if s.readings:
        book = book.turned(s.readings)
    trace, state = Trace(), s.state
    left = script(book, s)
    events: list[Event] = []
    forks: list[Fork] = []
    waits, silent, told = None, "", 0
    while state.agenda and waits is None and not silent:
        tape: tuple[Any, ...] = ()
        passed: list[Fork] = []
        while True:
            told = len(trace.events)
            try:
                after = advance(book, state, tape, trace)
                break
            except (Need, Unanswered) as stop:
                if isinstance(stop, Unanswered):
                    del trace.events[told:]
                    events, silent = list(trace.events), stop.says
                    break
                events = list(trace.events)
                fork = asked(book, s, stop.ask, len(forks) + len(passed), len(trace.events))
                if not left:
                    waits = fork
                    break
                way = left.pop(0)(stop.ask)
                passed.append(replace(fork, taken=word_of_way(book, s, stop.ask, way)))
                tape = (*tape, way)
                del trace.events[told:]
        forks += passed
        if waits is None and not silent:
            state, events = after, list(trace.events)
    end = events[-1].after or state if len(events) > told and waits else state
    return Walk(tuple(framed(s.state, events)), tuple(forks), waits, end, silent)


def asked(book: Rulebook, s: Scenario, ask: Choose | Roll, number: int, told: int) -> Fork:
    """What a play asks, in words."""
    if isinstance(ask, Roll):
        ways = [Way(word_of_way(book, s, ask, way), chance) for way, chance in ask.odds]
        return Fork(number, told, ask.who, f"{ask.dice} dice" if ask.dice > 1 else "a die", tuple(ways))
    return Fork(number, told, ask.who, ask.what, tuple(Way(word_of_way(book, s, ask, way), None) for way in ask.ways))


def framed(start: State, events: Sequence[Event]) -> list[Frame]:
    """Each event with the position before and after it."""
    frames, before = [], start
    for event in events:
        after = event.after or before
        frames.append(Frame(event, before, after))
        before = after
    return frames


def answers_of(book: Rulebook, s: Scenario, told: Line) -> tuple[str, ...]:
    """The words of the answers that lead along a line of play."""
    return tuple(word_of_way(book, s, ask, way) for ask, way in told.answers)


__all__ = ["Fork", "Frame", "Walk", "Way", "answers_of", "walk"]

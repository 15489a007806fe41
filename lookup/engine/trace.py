"""What a play tells: the events, each with the clauses that moved it and those that lost."""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from .state import Piece, State


@dataclass(frozen=True)
class Cite:
    """A clause and the part it had: step, part, moment, default, exception, forbids, permits, overruled, reading or considered."""

    id: str
    role: str


@dataclass(frozen=True)
class Asked:
    """A question put to the rules: its id, its arguments, the answer, the answer as a sentence, and the clauses that spoke."""

    question: str
    args: tuple[Any, ...]
    value: Any
    says: str
    cites: tuple[Cite, ...]


@dataclass(frozen=True)
class Event:
    """Something that happened: a sentence, its kind, what it was about (piece, place, destination), the clauses behind it, and the position then."""

    says: str
    what: str
    cites: tuple[Cite, ...]
    asked: tuple[Asked, ...] = ()
    piece: Piece | None = None
    n: int = 0
    place: str = ""
    to: str = ""
    after: State | None = None


def kinds(args: tuple[Any, ...]) -> set[str]:
    """The kinds of the pieces among some arguments."""
    return {a.kind for a in args if isinstance(a, Piece)}


@dataclass
class Trace:
    """Collects the events of a play.  A question's clauses go to the next event about the same kind of piece; what is left at a
    step's end goes to the step's last event."""

    events: list[Event] = field(default_factory=list)
    scope: list[Cite] = field(default_factory=list)
    pending: list[Asked] = field(default_factory=list)
    told: int = 0

    def begin(self, id: str, role: str) -> None:
        """A step starts."""
        self.scope, self.pending, self.told = [Cite(id, role)], [], len(self.events)

    def asks(self, asked: Asked) -> None:
        """A question was answered."""
        self.pending.append(asked)

    def did(self, says: str, what: str, piece: Piece | None = None, n: int = 0, place: str = "", to: str = "", after: State | None = None) -> None:
        """Something happened."""
        about = [a for a in self.pending if piece is None or not kinds(a.args) or piece.kind in kinds(a.args)]
        self.pending = [a for a in self.pending if a not in about]
        self.events.append(Event(says, what, merged([*self.scope, *(c for a in about for c in a.cites)]), tuple(about), piece, n, place, to, after))

    def end(self) -> None:
        """A step is over."""
        if self.pending and len(self.events) > self.told:
            last = self.events[-1]
            cites = merged([*last.cites, *(c for a in self.pending for c in a.cites)])
            self.events[-1] = replace(last, cites=cites, asked=(*last.asked, *self.pending))
        self.pending = []


def merged(cites: list[Cite]) -> tuple[Cite, ...]:
    """Each clause once a role, in order; a clause that stood somewhere is not also listed as considered."""
    stood = {c.id for c in cites if c.role != "considered"}
    return tuple(dict.fromkeys(c for c in cites if c.role != "considered" or c.id not in stood))

"""What more there is to know of a position that was played: who can do what about it, which rules decide, what would change it, and what is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Any

from .draft import KEPT, raw_of
from .engine.clause import Rulebook
from .engine.decide import Deciding, Every, Parting, deciding, parting, under_every
from .engine.graph import Stance
from .engine.play import Choose, Play, TooBig
from .engine.solve import Line, Position, Sheet, Stake, line, stakes, word_of
from .engine.state import State
from .nearest import meant
from .odds import percent
from .scenario import BadText, Scenario, begun, encode, script, word_of_way
from .sentence import known_players

SECONDS, RUNS = 5.0, 200_000
"""How much each of these questions may cost."""


def chance(least: Fraction, greatest: Fraction) -> str:
    """Bounds in words: "always", "1/6 (16.7 %)", "1/6 (16.7 %) to 1/2 (50 %)"."""
    if least == greatest:
        return "always" if least == 1 else "never" if least == 0 else f"{least} ({percent(least)})"
    return f"{least} ({percent(least)}) to {greatest} ({percent(greatest)})"


@dataclass(frozen=True)
class Witness:
    """A shortest line of play that shows a claim to hold, or not to: the answers that lead there in words, the choices among them (who, what,
    which), the position with them as a scenario's mapping, and the code of its link."""

    answers: tuple[str, ...]
    choices: tuple[tuple[str, str, str], ...]
    raw: Mapping[str, Any]
    code: str


@dataclass(frozen=True)
class Known:
    """All there is to know of one claim of a position."""

    claim: str
    least: Fraction
    greatest: Fraction
    stakes: tuple[Stake, ...]
    shows: Witness | None
    against: Witness | None
    deciding: Deciding
    partings: tuple[Parting, ...]
    every: Every | None

    def json(self, book: Rulebook) -> dict[str, Any]:
        """As plain JSON, with sentences."""
        return {
            "says": self.claim,
            "least": str(self.least),
            "greatest": str(self.greatest),
            "players": [playing(s, self.least, self.greatest) for s in self.stakes],
            "witness": {key: {"link": "/s/" + w.code, "answers": list(w.answers), "choices": [{"who": a, "what": b, "way": c} for a, b, c in w.choices]}
                        for key, w in (("for", self.shows), ("against", self.against)) if w is not None},
            "decides": {
                "says": self.decided(book),
                "whole": self.deciding.whole,
                "sets": [{"clauses": list(r.clauses(book)), "readings": sorted(name for name, _ in r.chosen), "least": str(a), "greatest": str(b)}
                         for r, a, b in self.deciding.removals],
            },
            "readings": [{"reading": p.reading, "base": p.base, "rival": p.rival, "under_base": chance(*p.bounds), "under_rival": chance(*p.other),
                          "step": p.step, "here": p.here, "there": p.there} for p in self.partings],
            "every": None if self.every is None else {
                "says": self.under_every, "least": str(self.every.least), "greatest": str(self.every.greatest), "tried": self.every.tried,
                "alone": self.every.alone, "whole": self.every.whole,
                "others": [{"readings": dict(chosen), "least": str(a), "greatest": str(b)} for chosen, a, b in self.every.others],
            },
        }

    def decided(self, book: Rulebook) -> str:
        """The rules that decide, as a sentence."""
        found = self.deciding.removals
        if not found:
            return "No rule decides it: however one to three are struck out, it comes out the same." if self.deciding.whole else (
                "No rule was found that decides it in the time that there was.")
        each = [" and ".join(f"{id} ({book.clauses[id].text.rstrip('.')})" for id in r.clauses(book)) for r, _, _ in found]
        first = found[0]
        if len(found) == 1:
            return f"It rests on {each[0]}: otherwise {chance(*first[1:])}."
        together = "each of these by itself" if first[0].size == 1 else "each of these sets"
        return f"It rests on {together}: " + "; ".join(f"{words}, otherwise {chance(a, b)}" for words, (_, a, b) in zip(each, found)) + "."

    @property
    def under_every(self) -> str:
        """How it comes out under every reading, as a sentence."""
        e = self.every
        assert e is not None
        how = f"each of {e.tried} rival readings turned alone, since all combinations would be too many" if e.alone else (
            f"all {e.tried} combinations of the readings" if e.tried > 1 else "no reading bears on it")
        if not e.whole:
            how = f"{e.tried} of their combinations, for more there was no time"
        every = "every reading" if e.whole else "the readings tried"
        if not e.others:
            return f"The same under {every} ({how})."
        return f"Under {every}: {chance(e.least, e.greatest)} ({how}); {len(e.others)} differ from the bases."


def playing(stake: Stake, least: Fraction, greatest: Fraction) -> dict[str, Any]:
    """What one player can do about a claim, as plain JSON with a sentence."""
    says = (f"{stake.player} playing for it: {chance(stake.sure, greatest)}; playing against it: {chance(least, stake.held)}, "
            "as the others choose")
    return {"player": stake.player, "for": [str(stake.sure), str(greatest)], "against": [str(least), str(stake.held)], "says": says}


def known(book: Rulebook, s: Scenario, seconds: float = SECONDS) -> list[Known]:
    """All there is to know of each claim of a scenario.  Raises TooBig, BadText."""
    book = book.turned(s.readings) if s.readings else book
    state, tape = begun(book, s)
    found = []
    for w in s.wants:
        position = Position(state, (w.holds,), (frozenset(w.reads),), tape)
        sheet = Sheet(book, position, RUNS, seconds, monotonic())
        solver, claim, _ = sheet.at(0)
        least, greatest = sheet.widest[0]
        lines = [line(solver, s.state, claim, wanted, script(book, s)) if possible else None
                 for wanted, possible in ((True, greatest > 0), (False, least < 1))]
        shows, against = [witness(book, s, told) if told and not told.silent and w.holds(told.end) is wanted else None
                          for told, wanted in zip(lines, (True, False))]
        base = lines[0] or lines[1]
        turned = under_every(book, position, seconds)
        alone = sorted({pair for chosen, *_ in (turned.others if turned else ()) if len(chosen) == 1 for pair in chosen})
        partings = [parting(book, position, s.state, base, *pair, base is lines[0]) for pair in alone] if base else []
        found.append(Known(w.says, least, greatest, stakes(sheet, 0), shows, against, deciding(book, position, seconds),
                           tuple(p for p in partings if p is not None), turned))
    return found


def witness(book: Rulebook, s: Scenario, told: Line) -> Witness:
    """A line of play as a position whose answers lead along it."""
    words = [(ask, word_of_way(book, s, ask, way)) for ask, way in told.answers]
    raw = {**s.raw, "answers": [word for _, word in words]}
    choices = tuple((ask.who, ask.what, word) for ask, word in words if isinstance(ask, Choose))
    return Witness(tuple(word for _, word in words), choices, raw, encode(raw))


def played_by(book: Rulebook, s: Scenario, player: str, plays_for: bool, seconds: float = SECONDS) -> list[tuple[str, Fraction, Fraction]]:
    """Each claim with its least and greatest chance where one player's choices are all made for it, or against it, the others' at the bound.

    Raises BadText for a player who is none, TooBig.
    """
    who = next((p for p in known_players(book) if p.lower() == player.strip().lower()), None)
    if who is None:
        raise BadText(f"no player {player.strip()[:40]!r}{meant(player, known_players(book))}")
    book = book.turned(s.readings) if s.readings else book
    state, tape = begun(book, s)
    found = []
    for w in s.wants:
        sheet = Sheet(book, Position(state, (w.holds,), (frozenset(w.reads),), tape), RUNS, seconds, monotonic())
        found.append((w.says, sheet.chance(0, Stance(False, who, plays_for)), sheet.chance(0, Stance(True, who, plays_for, bool(sheet.log.silent)))))
    return found


@dataclass(frozen=True)
class Varied:
    """One thing varied in a position: what sort of thing, the position in a few words, and for each claim its bounds and word ("refused":
    what was to be done may not be done), whether each is another verdict than before, and the position."""

    sort: str
    says: str
    state: State
    claims: tuple[tuple[Fraction, Fraction, str], ...]
    flips: tuple[bool, ...]
    refused: bool

    @property
    def changes(self) -> bool:
        """Whether some claim comes out otherwise."""
        return any(self.flips)

    def code(self, book: Rulebook, s: Scenario) -> str:
        """The code of a link to it; s is the scenario that was varied."""
        rest = {key: s.raw[key] for key in KEPT if s.raw.get(key)}
        return encode(raw_of(book, self.state, s.raw.get("players") or (), **{**rest, "title": f"{s.title}: {self.says}"}))


@dataclass(frozen=True)
class Table:
    """A position varied one thing at a time: its claims, how each comes out as it stands, and a row for each variation; whole: all were tried."""

    claims: tuple[str, ...]
    base: tuple[tuple[Fraction, Fraction, str], ...]
    rows: tuple[Varied, ...]
    whole: bool

    @property
    def flips(self) -> tuple[Varied, ...]:
        """The rows that change a verdict."""
        return tuple(row for row in self.rows if row.changes)

    def json(self, book: Rulebook, s: Scenario) -> dict[str, Any]:
        """As plain JSON; s is the scenario that was varied."""
        def cells(found: Sequence[tuple[Fraction, Fraction, str]]) -> list[dict[str, str]]:
            return [{"verdict": word, "least": str(a), "greatest": str(b)} for a, b, word in found]

        return {"claims": list(self.claims), "base": cells(self.base), "whole": self.whole, "tried": len(self.rows),
                "rows": [{"sort": r.sort, "says": r.says, "refused": r.refused, "link": "/s/" + r.code(book, s), "flips": list(r.flips),
                          "claims": cells(r.claims)} for r in self.flips]}


def vary(book: Rulebook, s: Scenario, seconds: float = 2 * SECONDS) -> Table:
    """What would change the verdicts of a scenario: each variation that the book declares, applied to its position.  Raises TooBig, BadText."""
    book = book.turned(s.readings) if s.readings else book
    started = monotonic()
    claims, reads = tuple(w.holds for w in s.wants), tuple(frozenset(w.reads) for w in s.wants)

    def verdicts(state: State, left: float) -> tuple[tuple[tuple[Fraction, Fraction, str], ...], bool]:
        start, tape = begun(book, Scenario(s.id, s.title, s.raw, state, s.wants, answers=s.answers))
        sheet = Sheet(book, Position(start, claims, reads, tape), RUNS, left, monotonic())
        low, high = sheet.bounds
        stopped = refused(book, state)
        return tuple((*wide, "refused" if stopped else word_of(a, b)) for wide, a, b in zip(sheet.widest, low, high)), stopped

    base, _ = verdicts(s.state, seconds)
    rows, whole = [], True
    for sort, code in book.variations.items():
        for says, state in code(Play(book, s.state)):
            left = seconds - (monotonic() - started)
            if left <= 0:
                whole = False
                continue
            try:
                found, stopped = verdicts(state, left)
            except TooBig:
                whole = False
            except BadText:
                continue
            else:
                rows.append(Varied(sort, says, state, found, tuple(a != b for a, b in zip(found, base)), stopped))
    return Table(tuple(w.says for w in s.wants), base, tuple(rows), whole)


def refused(book: Rulebook, state: State) -> bool:
    """Whether what is to be done first may not be done."""
    id, args = state.agenda[0] if state.agenda else ("", ())
    return id in book.actions and not book.actions[id].allowed(Play(book, state), *args).value


@dataclass(frozen=True)
class Losses:
    """How many units of one kind a side loses: for 0, 1, 2 and so on the least and greatest chance of exactly so many; they are the same
    where no choice bears on it."""

    side: str
    kind: str
    chances: tuple[tuple[Fraction, Fraction], ...]

    def json(self) -> dict[str, Any]:
        """As plain JSON."""
        cells = [{"n": n, "least": str(a), "greatest": str(b), "chance": chance(a, b)} for n, (a, b) in enumerate(self.chances)]
        return {"side": self.side, "kind": self.kind, "chances": cells}


def losses(book: Rulebook, s: Scenario, seconds: float = SECONDS) -> list[Losses]:
    """The exact table for each kind of unit that a side may lose.  Raises TooBig, BadText."""
    book = book.turned(s.readings) if s.readings else book
    state, tape = begun(book, s)
    words = book.vocabulary.lost
    there: dict[tuple[str, str], int] = {}
    for place, piece, n in state.pieces:
        if place in state.board.places and piece.kind not in book.vocabulary.buildings:
            there[piece.owner, piece.kind] = there.get((piece.owner, piece.kind), 0) + n
    found = []
    for (owner, kind), most in sorted(there.items()):
        def lost(at: State, owner: str = owner, kind: str = kind) -> int:
            return at.befell(lambda p: (p.owner, p.kind) == (owner, kind), *words)

        claims = tuple((lambda at, n=n: lost(at) == n) for n in range(most + 1))
        position = Position(state, claims, (frozenset(words),) * len(claims), tape)
        chances = Sheet(book, position, RUNS, seconds, monotonic()).widest
        if chances[0][0] < 1:
            found.append(Losses(owner or kind, kind, chances))
    return found


def asked(book: Rulebook, s: Scenario, why: bool, varied: bool, lost: bool, plays: Mapping[str, bool]) -> dict[str, Any]:
    """What was asked for of a scenario, as plain JSON; plays: players who play for (True) or against every claim.  Raises TooBig, BadText."""
    found: dict[str, Any] = {}
    if plays:
        found["playing"] = [{"player": who, "for": plays_for, "claims": [{"says": says, "least": str(a), "greatest": str(b), "chance": chance(a, b)}
                                                                        for says, a, b in played_by(book, s, who, plays_for)]}
                            for who, plays_for in plays.items()]
    if why:
        found["why"] = [k.json(book) for k in known(book, s)]
    if varied:
        found["vary"] = vary(book, s).json(book, s)
    if lost:
        found["losses"] = [table.json() for table in losses(book, s)]
    return found


__all__ = ["Known", "Losses", "Table", "Varied", "asked", "known", "losses", "played_by", "vary"]

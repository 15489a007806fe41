"""The verdict of a question as a sentence, composed from solved claims and from what differs between the scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .difference import Difference, differences, smallest
from .engine.clause import TIERS, Rulebook
from .engine.graph import Budget, Solver
from .engine.play import TooBig
from .engine.solve import Line, Verdict, line
from .engine.state import State
from .engine.trace import Asked
from .odds import odds
from .scenario import Played

RUNS, SECONDS = 60_000, 3.0
"""How much the search for what decides may cost."""
NAMED = 2
"""So many clauses are named as the reason."""


@dataclass(frozen=True)
class Case:
    """One case of a verdict: always, never, depends or open; the same with its odds; and when it is so ("" is always)."""

    word: str
    odds: str
    when: str

    def __str__(self) -> str:
        return f"{self.odds} {self.when}".strip()


@dataclass(frozen=True)
class Ruled:
    """A verdict over some scenarios: the claim and its cases, the clauses that decide and their texts, the bounds, what the scenarios
    differ in, the readings it turns on, and the weakest tier."""

    claim: str
    cases: tuple[Case, ...]
    reason: str
    word: str
    least: Fraction
    greatest: Fraction
    on: tuple[str, ...]
    turns_on: tuple[str, ...]
    tier: str
    scenario: str
    clauses: tuple[str, ...]

    @property
    def says(self) -> str:
        """The whole as a sentence."""
        return f"{self.claim}: {'; '.join(map(str, self.cases))}. {self.reason}".strip()

    def json(self) -> dict[str, Any]:
        """The verdict object of an answer."""
        return {
            "says": self.says,
            "verdict": self.word,
            "least": str(self.least),
            "greatest": str(self.greatest),
            "on": list(self.on),
            "turns_on": list(self.turns_on),
            "tier": self.tier,
            "scenario": self.scenario,
            "claim": self.claim,
            "cases": [{"verdict": c.word, "odds": c.odds, "when": c.when} for c in self.cases],
            "reason": self.reason,
            "clauses": list(self.clauses),
        }


@dataclass(frozen=True)
class Contrast:
    """How scenarios differ in a claim: the cases, what the positions differ in, and the clauses that decide."""

    cases: tuple[Case, ...]
    on: tuple[str, ...]
    clauses: tuple[str, ...]


def rule(book: Rulebook, played: Sequence[Played], bearing: Callable[[str], int]) -> Ruled | None:
    """The verdict on the claim that bears most on what was asked.  None where no claim does: a verdict on something else would mislead."""
    claim = headline(played, bearing)
    if claim is None:
        return None
    shown = [(p, p.solved.verdicts[i]) for p in played for i, w in enumerate(p.scenario.wants) if w.says == claim]
    verdicts = [v for _, v in shown]
    words = {v.word for v in verdicts}
    found = contrasted(shown, claim) if len({(v.word, v.least, v.greatest) for v in verdicts}) > 1 else alike(shown)
    return Ruled(
        claim,
        found.cases,
        " ".join(book.clauses[id].text for id in found.clauses),
        words.pop() if len(words) == 1 else "depends",
        min(v.least for v in verdicts),
        max(v.greatest for v in verdicts),
        found.on,
        tuple(sorted({r for v in verdicts for r, *_ in v.turns_on})),
        max((v.tier for v in verdicts), key=TIERS.index),
        shown[0][0].scenario.id,
        found.clauses,
    )


def headline(played: Sequence[Played], bearing: Callable[[str], int]) -> str | None:
    """The claim to put first: it bears on what was asked, several scenarios share it, and they differ in it."""
    count: Counter[str] = Counter()
    words: dict[str, set[str]] = {}
    for p in played:
        for w, v in zip(p.scenario.wants, p.solved.verdicts):
            count[w.says] += 1
            words.setdefault(w.says, set()).add(v.word)
    found = [c for c in count if bearing(c)]
    return max(found, key=lambda c: (bearing(c), len(words[c]), count[c]), default=None)


def given(p: Played) -> str:
    """The rolls and choices that a scenario fixes, as a condition."""
    answers = p.scenario.answers
    return f"given the {'answers' if len(answers) > 1 else 'answer'} {', '.join(answers)}" if answers else ""


def chances(v: Verdict) -> str:
    """A verdict in words: "always", "never", "open: ...", "with 1/6 (16.7 %)", "with 1/6 to 1/2, as is chosen"."""
    if v.word == "open":
        return "open, the sources do not settle it"
    told = odds(v.least, v.greatest, v.word)
    return f"with {told}" if told and v.least == v.greatest else told or v.word


def alike(shown: Sequence[tuple[Played, Verdict]]) -> Contrast:
    """The one case of scenarios that agree."""
    p, v = shown[0]
    when = given(p) or ("" if len(shown) == 1 else f"in each of the {len(shown)} positions played")
    return Contrast((Case(v.word, chances(v), when),), (), v.decides[:NAMED])


def contrasted(shown: Sequence[tuple[Played, Verdict]], claim: str) -> Contrast:
    """The two cases of the scenarios that are furthest apart, and the clauses that decide between them."""
    ranked = sorted(shown, key=lambda s: (s[1].least, s[1].greatest), reverse=True)
    (high, of_high), (low, of_low) = ranked[0], ranked[-1]
    found = flip(high, low, of_low, claim)
    if found is None:
        whens = tuple(f'{given(p)} in "{p.scenario.title}"'.strip() for p in (high, low))
        return Contrast((Case(of_high.word, chances(of_high), whens[0]), Case(of_low.word, chances(of_low), whens[1])), (), of_high.decides[:NAMED])
    on, decided = found
    if decided:
        here, there, clauses = f"when {decided[0]}", f"when {decided[1]}", decided[2]
    else:
        here, there, clauses = provided(d.here for d in on), provided(d.there for d in on), of_high.decides[:NAMED]
        here, there = here or without(there), there or without(here)
    cases = Case(of_high.word, chances(of_high), here), Case(of_low.word, chances(of_low), there)
    return Contrast(cases, tuple(d.says for d in on), clauses)


def provided(words: Iterable[str]) -> str:
    """What is there, as a condition; "" for nothing."""
    found = [w for w in words if w]
    return "given " + " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found) if found else ""


def without(condition: str) -> str:
    """The condition that something is not there."""
    return "without " + condition.removeprefix("given ")


Decided = tuple[str, str, tuple[str, ...]]


def flip(high: Played, low: Played, of_low: Verdict, claim: str) -> tuple[list[Difference], Decided | None] | None:
    """The smallest change of one position that gives the other's verdict, and the question whose answer it turns; None where none was found."""
    if high.scenario.answers or low.scenario.answers or high.book is not low.book:
        return None
    book, wants = high.book, next(w for w in high.scenario.wants if w.says == claim)
    target = of_low.least, of_low.greatest
    here = high.scenario.state
    budget = Budget(RUNS, SECONDS)

    def solver() -> Solver:
        return Solver(book, [wants.holds], frozenset(wants.reads), budget)

    def bounds(state: State) -> tuple[Fraction, Fraction]:
        least, greatest = solver().solve(state)
        return least[0][0], greatest[0][1]

    try:
        found = smallest(differences(book, here, low.scenario.state), here, lambda state: bounds(state) == target)
        if found is None:
            return None
        some, changed = found
        return some, turned(line(solver(), here, 0, True), line(solver(), changed, 0, True))
    except TooBig:
        return None


def turned(a: Line, b: Line) -> Decided | None:
    """The question that two lines of play answer differently: its answers in the one, in the other, and the clauses behind them.

    The answers of the one are all those that the deciding clause gave of the same piece, so that the sentence says the whole condition.
    """
    asked_a, asked_b = ({(q.question, q.args): q for e in told.events for q in e.asked} for told in (a, b))
    for key, q in asked_a.items():
        other = asked_b.get(key)
        if other is None or other.value == q.value or not isinstance(q.value, bool):
            continue
        clauses = tuple(dict.fromkeys(c.id for x in (q, other) for c in x.cites if c.role in ("forbids", "exception", "permits")))
        if not clauses:
            continue
        here = [x.says for x in asked_a.values() if same(x, q) and x.value == q.value and {c.id for c in x.cites} & set(clauses)] or [q.says]
        return joined(here), other.says, clauses
    return None


def same(x: Asked, q: Asked) -> bool:
    """Whether two questions are the same one of the same piece."""
    return x.question == q.question and x.args[:1] == q.args[:1]


def joined(sentences: Sequence[str]) -> str:
    """Sentences that begin alike as one: "X cannot go to A or B"."""
    split = [s.split() for s in sentences]
    n = 0
    while all(len(s) > n + 1 for s in split) and len({s[n] for s in split}) == 1:
        n += 1
    ends = list(dict.fromkeys(" ".join(s[n:]) for s in split))
    return " ".join([*split[0][:n], " or ".join(ends)])

"""The verdict of a question as a sentence, composed from solved claims and from what differs between the scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .difference import differences, smallest
from .engine.clause import TIERS, Rulebook
from .engine.solve import Budget, Line, Solver, TooBig, Verdict, line
from .engine.state import State
from .engine.trace import Asked
from .scenario import Played

RUNS, SECONDS = 60_000, 3.0
"""How much the search for what decides may cost."""


@dataclass(frozen=True)
class Ruled:
    """A verdict over some scenarios: the sentence, one word, the bounds, what the scenarios differ in, the readings it turns on, and the weakest tier."""

    says: str
    word: str
    least: Fraction
    greatest: Fraction
    on: tuple[str, ...]
    turns_on: tuple[str, ...]
    tier: str
    scenario: str
    claim: str
    clauses: tuple[str, ...]

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
            "clauses": list(self.clauses),
        }


def rule(book: Rulebook, played: Sequence[Played], bearing: Callable[[str], int]) -> Ruled | None:
    """The verdict on the claim that bears most on what was asked.  None where no claim does: a verdict on something else would mislead."""
    claim = headline(played, bearing)
    if claim is None:
        return None
    shown = [(p, i) for p in played for i, w in enumerate(p.scenario.wants) if w.says.lower() == claim.lower()]
    verdicts = [p.solved.verdicts[i] for p, i in shown]
    least, greatest = min(v.least for v in verdicts), max(v.greatest for v in verdicts)
    words = {v.word for v in verdicts}
    word = words.pop() if len(words) == 1 else "depends"
    first, _ = shown[0]
    on: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    if len({v.word for v in verdicts}) > 1 or len({(v.least, v.greatest) for v in verdicts}) > 1:
        says, on, clauses = contrasted(book, shown, claim)
    else:
        where = "" if len(shown) == 1 else f" That is so in each of the {len(shown)} positions below."
        says = f"{claim}: {odds(verdicts[0])}{given(first)}.{where}"
        clauses = verdicts[0].decides[:2]
        says += because(book, clauses)
    return Ruled(
        says,
        word,
        least,
        greatest,
        on,
        tuple(sorted({r for v in verdicts for r, *_ in v.turns_on})),
        max((v.tier for v in verdicts), key=TIERS.index),
        first.scenario.id,
        claim,
        clauses,
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
    return f", given the {'answers' if len(answers) > 1 else 'answer'} {', '.join(answers)}" if answers else ""


def odds(v: Verdict) -> str:
    """A verdict in words: "always", "never", "with 1/6 (17%)", "from 1/6 to 1/2, as is chosen"."""
    if v.word == "open":
        return "open, the sources do not settle it"
    if v.word in ("always", "never"):
        return v.word
    if v.least == v.greatest:
        return f"with {chance(v.least)}"
    if v.least == 0 and v.greatest == 1:
        return "as is chosen"
    return f"with {chance(v.least)} to {chance(v.greatest)}, as is chosen"


def chance(p: Fraction) -> str:
    """A chance as a fraction and in percent."""
    percent = float(p * 100)
    near = f"{percent:.0f}%" if 1 <= percent <= 99 else f"{percent:.2g}%" if percent < 1 else f"{percent:.4g}%"
    return f"{p} ({near})"


def contrasted(book: Rulebook, shown: Sequence[tuple[Played, int]], claim: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The sentence where scenarios differ: for the two furthest apart, when it is the one and when the other, and the clause that decides."""
    ranked = sorted(shown, key=lambda s: (s[0].solved.verdicts[s[1]].least, s[0].solved.verdicts[s[1]].greatest), reverse=True)
    (high, i), (low, j) = ranked[0], ranked[-1]
    of_high, of_low = high.solved.verdicts[i], low.solved.verdicts[j]
    found = flip(high, i, low, j)
    if found is None:
        return (
            f'{claim}: {odds(of_high)}{given(high)} in "{high.scenario.title}"; {odds(of_low)}{given(low)} in "{low.scenario.title}".',
            (),
            of_high.decides[:2],
        )
    on, decided = found
    if decided is None:
        return (
            f"{claim}: {odds(of_high)} with {listed(d[0] for d in on)}; {odds(of_low)} with {listed(d[1] for d in on)}.",
            tuple(d[2] for d in on),
            of_high.decides[:2],
        )
    here, there, clauses = decided
    return f"{claim}: {odds(of_high)} when {here}; {odds(of_low)} when {there}.{because(book, clauses)}", tuple(d[2] for d in on), clauses


def because(book: Rulebook, clauses: Iterable[str]) -> str:
    """The texts of the clauses that decide."""
    texts = [book.clauses[id].text for id in clauses]
    return f" {' '.join(texts)}" if texts else ""


def listed(words: Iterable[str]) -> str:
    """Words as a list in a sentence; nothing as "nothing of the kind"."""
    found = [w for w in words if w]
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found) or "nothing of the kind"


Decided = tuple[str, str, tuple[str, ...]]


def flip(high: Played, i: int, low: Played, j: int) -> tuple[list[tuple[str, str, str]], Decided | None] | None:
    """The smallest change of one position that gives the other's verdict, and the question whose answer it turns; None where none was found."""
    if high.scenario.answers or low.scenario.answers or high.book is not low.book:
        return None
    book, wants = high.book, high.scenario.wants[i]
    target = (low.solved.verdicts[j].least, low.solved.verdicts[j].greatest)
    here = high.scenario.state
    budget = Budget(RUNS, SECONDS)

    def solver() -> Solver:
        return Solver(book, [wants.holds], frozenset(wants.reads), budget)

    def chances(state: State) -> tuple[Fraction, Fraction]:
        least, greatest = solver().solve(state)
        return least[0][0], greatest[0][1]

    try:
        found = smallest(differences(book, here, low.scenario.state), here, lambda state: chances(state) == target)
        if found is None:
            return None
        some, changed = found
        return [(d.here, d.there, d.says) for d in some], turned(line(solver(), here, 0, True), line(solver(), changed, 0, True))
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
        here = [x.says for x in asked_a.values() if alike(x, q) and x.value == q.value and {c.id for c in x.cites} & set(clauses)] or [q.says]
        return joined(here), other.says, clauses
    return None


def alike(x: Asked, q: Asked) -> bool:
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

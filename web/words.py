"""What the pages say for tiers, verdicts, odds and the parts that clauses have."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from lookup.scenario import wanted

LABELS = {"printed": "printed", "faq": "FAQ", "owner": "your box", "community": "community", "assumed": "assumed", "silent": "silent"}
TAILS = {"community": ": not checked against the printed book", "silent": ": the sources do not say"}
"""What a tier's label is followed by where there is room."""
ROLES = {
    "step": "step", "part": "part", "moment": "then", "default": "as a rule", "exception": "except", "forbids": "forbids", "permits": "permits",
    "overruled": "overruled", "reading": "read so", "considered": "considered",
}
FOLDED = ("default", "considered")
MARKS = {
    "number": "It states a number of the card.", "setup": "It is of the time before play.", "advice": "There is nothing to carry out.",
    "term": "It says what a word means.", "open": "The sources leave it open.", "unplayed": "It is told here and not yet played.",
    "restates": "It says again what other clauses say.",
}
VERDICTS = ("always", "never", "depends", "open")


@dataclass(frozen=True)
class Sentence:
    """A verdict's sentence in pieces: the claim, the cases each with its verdict's word, and the clauses' texts that end it.

    In order they are the sentence.
    """

    claim: str
    cases: tuple[tuple[str, str], ...]
    reason: str


def sentence(says: str, claim: str, texts: list[str]) -> Sentence:
    """A verdict's sentence in pieces; whole, as the claim, where it does not have the shape "claim: case; case. reason"."""
    reason = " ".join(texts)
    rest = says.removesuffix(reason).strip() if reason and says.endswith(reason) else says
    reason = reason if rest != says else ""
    if not claim or not rest.startswith(claim + ": "):
        return Sentence(rest, (), reason)
    cases = rest.removeprefix(claim + ": ").split("; ")
    ended = [c + ";" if i + 1 < len(cases) else c for i, c in enumerate(cases)]
    return Sentence(claim + ":", tuple((case_word(c), c) for c in ended), reason)


def case_word(case: str) -> str:
    """The verdict of a case by its first word."""
    first = case.split()[0].strip(".,;") if case.split() else ""
    return first if first in VERDICTS else "depends"


def percent(chance: Fraction) -> str:
    """A chance in percent, short and never rounded to 0 or 100."""
    p = float(chance * 100)
    if p in (0, 100):
        return f"{p:.0f} %"
    return f"{p:.1f}".removesuffix(".0") + " %" if 0.1 <= p <= 99.9 else "under 0.1 %" if p < 0.1 else "over 99.9 %"


def odds(least: str, greatest: str, word: str = "") -> str:
    """The chances of a claim in words; "" where the verdict says it all."""
    low, high = Fraction(least), Fraction(greatest)
    if word in ("always", "never"):
        return ""
    if low == high:
        return f"{low} ({percent(low)})"
    if low == 0 and high == 1:
        return "from 0 to 1: choices decide"
    return f"from {low} ({percent(low)}) to {high} ({percent(high)}), as is chosen"


def share(chance: str) -> str:
    """A chance as a length from 0 to 100."""
    return f"{float(Fraction(chance)) * 100:.4g}"


def holds(claim: Mapping[str, str]) -> bool:
    """Whether a claim came out as its file says."""
    word, least, greatest = wanted(claim["file_says"])
    return claim["verdict"] == word if word else claim["verdict"] != "open" and (least, greatest) == (Fraction(claim["least"]), Fraction(claim["greatest"]))


def capital(text: str) -> str:
    """A text with its first letter large."""
    return text[:1].upper() + text[1:]

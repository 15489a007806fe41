"""What the pages say for tiers, verdicts, odds and the parts that clauses have."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from lookup.odds import odds as chances
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

def odds(least: str, greatest: str, word: str = "") -> str:
    """The chances of a claim in words; "" where the verdict says it all."""
    return chances(Fraction(least), Fraction(greatest), word)


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

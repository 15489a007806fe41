"""Chances in words, the same everywhere."""
from __future__ import annotations

from fractions import Fraction


def percent(chance: Fraction) -> str:
    """A chance in percent, short and never rounded to 0 or 100."""
    p = float(chance * 100)
    if p in (0, 100):
        return f"{p:.0f} %"
    return f"{p:.1f}".removesuffix(".0") + " %" if 0.1 <= p <= 99.9 else "under 0.1 %" if p < 0.1 else "over 99.9 %"


def odds(least: Fraction, greatest: Fraction, word: str = "") -> str:
    """The chances of a claim in words; "" where the verdict's word says it all."""
    if word in ("always", "never"):
        return ""
    if least == greatest:
        return f"{least} ({percent(least)})"
    if least == 0 and greatest == 1:
        return "from 0 to 1: choices decide"
    return f"from {least} ({percent(least)}) to {greatest} ({percent(greatest)}), as is chosen"

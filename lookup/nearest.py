"""The nearest right word to a wrong one."""
from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like a word, whatever its case; "" when none is near."""
    by = {k.lower(): k for k in known}
    found = get_close_matches(word.lower()[:80], by, 1, 0.6)
    return by[found[0]] if found else ""


def meant(word: str, known: Iterable[str]) -> str:
    """ "; nearest: X", or what there is when it is little, or nothing."""
    known = sorted(set(known))
    near = nearest(word, known)
    if near:
        return f"; nearest: {near}"
    return f"; there is: {', '.join(known)}" if 0 < len(known) <= 8 else ""

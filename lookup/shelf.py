"""What can be found and shown: every clause, card, ruling, term and scenario as a document to search and as a result to read."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from .engine.clause import Clause, Field, Page, Rulebook
from .search import Doc
from .sources import Sources

TITLES = {
    "printed": "printed",
    "faq": "FAQ",
    "owner": "from your box",
    "community": "community: not checked against the printed book",
    "assumed": "assumed",
    "silent": "the sources do not say",
}


def kind_of(book: Rulebook, c: Clause) -> str:
    """rule, ruling or term."""
    return "ruling" if book.page_of(c.id).kind == "faq" else "term" if c.note == "term" else "rule"


def title_of(book: Rulebook, c: Clause) -> str:
    """A clause's title: its page's and its heading's."""
    page = book.page_of(c.id).title
    return f"{page}: {c.heading}" if c.heading and c.heading != page else page


def has_card(book: Rulebook, page: Page) -> bool:
    """Whether a page is that of a card."""
    return page.kind in book.vocabulary.card_kinds


def place_of(sources: Sources, c: Clause) -> str:
    """Where a clause is printed, or what it comes from."""
    if c.passages:
        return sources.place(c.passages[0])
    return f"{TITLES[c.tier]} ({c.source})" if c.source else TITLES[c.tier]


def docs(book: Rulebook, printed: Mapping[str, str]) -> Iterator[Doc]:
    """Every document: clauses, cards, scenarios, and the owner's printed passages."""
    for page in book.pages.values():
        for id in page.clauses:
            c = book.clauses[id]
            yield Doc(id, kind_of(book, c), title_of(book, c), c.text, (topic(id),), asks_of(book, c))
        if has_card(book, page):
            yield Doc(page.id, "card", page.title, card_text(book, page), page.names, page.asks)
    for id, raw in book.scenarios.items():
        told = [str(s) for s in raw.get("do") or ()]
        claims = [str(k) for c in raw.get("claims") or () if isinstance(c, Mapping) for k in c]
        yield Doc("scenario " + id, "scenario", str(raw.get("title", id)), ". ".join([*told, *claims]), asks=tuple(map(str, raw.get("asks") or ())))
    for id, words in printed.items():
        yield Doc("printed " + id, "owner", "", words)


def topic(id: str) -> str:
    """What a clause is on, by the last word or words of its id."""
    return re.sub(r"[.-]|\d+", " ", id.partition(".")[2]).strip()


def asks_of(book: Rulebook, c: Clause) -> tuple[str, ...]:
    """How players ask for a clause: its own lines, and those of its rivals, which answer the same question otherwise."""
    return tuple(dict.fromkeys(line for id in (c.id, *book.readings.get(c.reading, ())) for line in book.clauses[id].asks))


def fields(book: Rulebook, page: Page) -> list[dict[str, Any]]:
    """The fields of a card: name, value (None: worked out by the clause), tier, clause, silent."""
    found = []
    units = [u for u in book.units.values() if u.page == page.id]
    for unit in units:
        for name, f in unit.fields.items():
            found.append(shown(book, f"{unit.kind}: {name}" if len(units) > 1 else name, f))
    return [*found, *(shown(book, name, f) for name, f in page.card.items())]


def shown(book: Rulebook, name: str, f: Field) -> dict[str, Any]:
    """One field of a card."""
    clause = book.clauses.get(f.clause)
    value = f.value if f.value is not None else clause.text if clause else None
    return {"name": name, "value": value, "tier": clause.tier if clause else "silent", "clause": f.clause or None, "silent": f.silent}


def card_text(book: Rulebook, page: Page) -> str:
    """A card in a few sentences."""
    return ". ".join(f"{f['name'].capitalize()}: {str(f['value']).rstrip('.') if not f['silent'] else 'the sources do not say'}" for f in fields(book, page))


def result(book: Rulebook, sources: Sources, printed: Mapping[str, str], id: str) -> dict[str, Any]:
    """A result of an answer: a clause, or a card by its page's id."""
    if id in book.clauses:
        c = book.clauses[id]
        words = dict.fromkeys(printed[p] for p in c.passages if p in printed)
        return {
            "id": id,
            "kind": kind_of(book, c),
            "title": title_of(book, c),
            "text": c.text,
            "place": place_of(sources, c),
            "places": [sources.place(p) for p in c.passages],
            "tier": c.tier,
            "passages": list(c.passages),
            "printed": "\n".join(words) or None,
            "reading": c.reading or None,
            "base": c.base,
            "why": c.why or None,
            "played": c.note != "unplayed",
        }
    page = book.pages[id]
    return {
        "id": id,
        "kind": "card" if has_card(book, page) else "page",
        "title": page.title,
        "text": card_text(book, page),
        "place": page.kind,
        "places": [],
        "tier": "printed",
        "passages": [],
        "printed": None,
    }


def clause_sheet(book: Rulebook, sources: Sources, printed: Mapping[str, str], id: str) -> dict[str, Any]:
    """All there is to tell of a clause."""
    c, page = book.clauses[id], book.page_of(id)
    at = page.clauses.index(id)
    return {
        "schema": "lawspeaker.show/1",
        **result(book, sources, printed, id),
        "heading": c.heading,
        "source": c.source or None,
        "rivals": [
            {"id": r, "text": book.clauses[r].text, "tier": book.clauses[r].tier, "base": book.clauses[r].base, "why": book.clauses[r].why}
            for r in book.readings.get(c.reading, ())
        ],
        "restates": list(c.restates),
        "restated_by": [o.id for o in book.clauses.values() if id in o.restates],
        "overrides": list(c.mark.overrides),
        "overridden_by": [o.id for o in book.clauses.values() if id in o.mark.overrides],
        "mark": c.note or ("restates" if c.restates and not c.mark.kind else "") or None,
        "statement": c.mark.kind or None,
        "code": source_of(c),
        "page": {"id": page.id, "title": page.title},
        "previous": page.clauses[at - 1] if at else None,
        "next": page.clauses[at + 1] if at + 1 < len(page.clauses) else None,
        "scenarios": [s for s, raw in book.scenarios.items() if id in map(str, raw.get("proves") or ())],
    }


def source_of(c: Clause) -> str | None:
    """The code of a clause, or None."""
    if not c.mark.kind:
        return None
    try:
        return textwrap.dedent(inspect.getsource(inspect.unwrap(c.code)))
    except (OSError, TypeError):
        return None


def page_sheet(book: Rulebook, sources: Sources, printed: Mapping[str, str], id: str) -> dict[str, Any]:
    """All there is to tell of a page or card."""
    page = book.pages[id]
    return {
        "schema": "lawspeaker.show/1",
        **result(book, sources, printed, id),
        "page_kind": page.kind,
        "names": list(page.names),
        "html": page.html,
        "fields": fields(book, page),
        "clauses": [result(book, sources, printed, c) for c in page.clauses],
    }


def restated(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """Each passage that some clause restates, with these clauses in the book's order."""
    found: dict[str, tuple[str, ...]] = {}
    for c in book.clauses.values():
        for passage in c.passages:
            found[passage] = (*found.get(passage, ()), c.id)
    return found

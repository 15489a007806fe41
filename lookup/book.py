"""Loads a knowledge package into a frozen Rulebook: pages, clauses, cards, readings, scenarios and the code of its rules.

The package is walked; nothing is listed anywhere.  What is wrong is told with file and line.
"""
from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from xml.etree.ElementTree import Element

import markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from .engine.clause import NOTES, TIERS, Clause, Field, Mark, Page, Rulebook, Unit, overriding_first
from .engine.state import Vocabulary
from .nearest import meant
from .plain import BadText, Items, Table, line_of, read

ATTRIBUTES = {"id", "from", "tier", "source", "why", "reading", "restates", *NOTES}
OWNED = ("gifts", "runes", "areas", "abilities", "actions", "terms")
FIELDS = ("class", "cost", "combat", "pieces")
ASKS, CARD = ".asks.yaml", "card"
"""The end of the name of a file that says how players ask for a page's clauses, and the key in it for the page itself."""
ID = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)+")


class BadBook(Exception):
    """The knowledge package does not hold together; faults are lines "file:line: what, nearest right thing"."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass
class Paragraph:
    """A paragraph of a page with its attribute list, and the heading it stands under."""

    at: dict[str, str]
    text: str
    heading: str


class Reap(Treeprocessor):
    """Takes every paragraph's attributes out of the tree, leaving its id."""

    def __init__(self, md: markdown.Markdown) -> None:
        super().__init__(md)
        self.found: list[Paragraph] = []
        self.headings: list[str] = []

    def run(self, root: Element) -> None:
        """Fills `found` and `headings`."""
        heading = ""
        for el in root.iter():
            words = " ".join("".join(el.itertext()).split())
            if el.tag in ("h1", "h2", "h3"):
                heading = words
                self.headings.append(words)
            elif el.tag in ("p", "li", "td"):
                self.found.append(Paragraph(dict(el.attrib), words, heading))
                for key in set(el.attrib) - {"id"}:
                    del el.attrib[key]


class Reaper(Extension):
    """The Markdown extension that holds a Reap."""

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802
        """Registers it behind attr_list."""
        md.treeprocessors.register(Reap(md), "reap", -5)


@dataclass
class Draft:
    """A book being put together, and what was found wrong on the way."""

    package: str
    pages: dict[str, Page] = field(default_factory=dict)
    clauses: dict[str, Clause] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    actions: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    scenarios: dict[str, Any] = field(default_factory=dict)
    readings: dict[str, list[str]] = field(default_factory=dict)
    variations: dict[str, Any] = field(default_factory=dict)
    asks: list[tuple[str, str]] = field(default_factory=list)
    vocabulary: Vocabulary | None = None
    faults: list[str] = field(default_factory=list)

    def wrong(self, where: str, what: str) -> None:
        self.faults.append(f"{where}: {what}")


@lru_cache(8)
def load(package: str = "knowledge") -> Rulebook:
    """The book of a knowledge package.  Raises BadBook naming everything that does not hold together."""
    return fresh(package)


def fresh(package: str) -> Rulebook:
    """As load, read anew."""
    draft = Draft(package)
    try:
        root = files(package)
    except ModuleNotFoundError:
        raise BadBook([f"there is no package {package!r}"]) from None
    for path, file in walk(root, package.replace(".", "/") + "/"):
        try:
            if path.endswith(".md"):
                read_page(draft, path, file.read_text(encoding="utf-8"))
            elif path.endswith(ASKS):
                draft.asks.append((path, file.read_text(encoding="utf-8")))
            else:
                read_scenarios(draft, path, file.read_text(encoding="utf-8"))
        except BadText as e:
            draft.faults.append(str(e))
        except UnicodeDecodeError as e:
            draft.wrong(f"{path}:{e.object[:e.start].count(10) + 1}", f"byte {e.start} is not UTF-8")
    if draft.faults:  # a page that was not read leaves its code and links without a clause
        raise BadBook(draft.faults)
    for path, text in draft.asks:
        try:
            read_asks(draft, path, text)
        except BadText as e:
            draft.faults.append(str(e))
    read_code(draft)
    read_readings(draft)
    read_links(draft)
    if draft.vocabulary is None:
        draft.wrong(package, "declares no Vocabulary")
    if draft.faults:
        raise BadBook(draft.faults)
    assert draft.vocabulary is not None
    return Rulebook(package, draft.vocabulary, draft.pages, draft.clauses, draft.units, draft.actions, draft.claims, draft.scenarios,
                    {name: tuple(ids) for name, ids in draft.readings.items()}, again, draft.variations)


def again(package: str, struck: frozenset[str], chosen: dict[str, str]) -> Rulebook:
    """A book by its recipe."""
    return load(package).without(*struck).turned(chosen)


def walk(root: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    """Every page and scenario file below a folder: (path, file), sorted."""
    for x in sorted(root.iterdir(), key=lambda x: x.name):
        if x.is_dir():
            yield from walk(x, f"{path}{x.name}/")
        elif x.name.endswith((".md", ".yaml")):
            yield path + x.name, x


def read_page(draft: Draft, path: str, text: str) -> None:
    """Adds a page: front matter between two lines of three dashes, then Markdown with an attribute list under every paragraph."""
    parts = text.split("---\n", 2)
    if len(parts) != 3 or parts[0].strip():
        draft.wrong(f"{path}:1", "a page begins with front matter between two lines of ---")
        return
    front = read(parts[1], path, 2)
    if not isinstance(front, Table) or not front.get("title") or not front.get("kind"):
        draft.wrong(f"{path}:2", "the front matter needs a title and a kind")
        return
    stem = path.rsplit("/", 1)[-1].removesuffix(".md").replace("_", "-")
    if front["kind"] == "faq":
        page_id, prefix = "faq." + stem, "faq."
    else:
        page_id, prefix = stem, stem + "."
    if page_id in draft.pages:
        draft.wrong(f"{path}:1", f"there is a page {page_id} already, {draft.pages[page_id].path}")
        return
    lines: dict[str, list[int]] = {}
    for n, line in enumerate(text.splitlines(), 1):
        if m := re.search(r"\{:\s*#([\w.-]+)", line):
            lines.setdefault(m[1], []).append(n)
    md = markdown.Markdown(extensions=["attr_list", Reaper()])
    html = md.convert(parts[2])
    reap: Reap = md.treeprocessors["reap"]  # type: ignore[assignment]
    ids = []
    for p in reap.found:
        id = p.at.get("id", "")
        at = lines[id].pop(0) if lines.get(id) else line_with(text, p.text)
        where = f"{path}:{at}"
        if not id:
            draft.wrong(where, f"a paragraph without an id: {p.text[:50]!r}; the next line must be {{: #{prefix}... }}")
            continue
        if clause := read_clause(draft, path, where, prefix, p, at):
            draft.clauses[id] = clause
            ids.append(id)
    names = tuple(map(str, front.get("names") or ()))
    card = {name: f for name, value in (front.get("card") or {}).items() if (f := read_field(draft, path, f"card: {name}", value))}
    draft.pages[page_id] = Page(page_id, str(front["title"]), str(front["kind"]), path, names, front, card, tuple(ids), html, tuple(reap.headings))
    for kind, entry in (front.get("units") or {}).items():
        read_unit(draft, path, page_id, str(kind), entry)


def line_with(text: str, words: str) -> int:
    """The line a paragraph starts in, by its first words; 0 when it cannot be told."""
    start = words[:30]
    return next((n for n, line in enumerate(text.splitlines(), 1) if start and line.startswith(start)), 0)


def read_clause(draft: Draft, path: str, where: str, prefix: str, p: Paragraph, line: int) -> Clause | None:
    """A clause from a paragraph, or None with the fault noted."""
    at, id = p.at, p.at["id"]
    if id in draft.clauses:
        other = draft.clauses[id]
        draft.wrong(where, f"the id {id} stands twice, first in {other.page}:{other.line}")
        return None
    if not id.startswith(prefix) or not ID.fullmatch(id):
        draft.wrong(where, f"the id {id} should be {prefix} and then lower-case words with dots and hyphens")
        return None
    if unknown := sorted(set(at) - ATTRIBUTES):
        draft.wrong(where, f"unknown attribute {', '.join(map(repr, unknown))} on {id}{meant(unknown[0], ATTRIBUTES)}")
    if "{:" in p.text:
        draft.wrong(where, f"an attribute list was not understood in {id}: it must be one line without inner double quotes")
    passages = tuple((at.get("from") or "").split())
    notes = [n for n in NOTES if n in at]
    tier = at.get("tier") or ("faq" if any("/faq" in x for x in passages) else "printed" if passages else "")
    if tier not in TIERS:
        draft.wrong(where, f"{id} needs from= or a tier{meant(tier, TIERS) if tier else ': ' + ', '.join(TIERS)}")
        return None
    if passages and "tier" in at:
        draft.wrong(where, f"{id} has both from= and tier=; its tier follows from its passages")
    if len(notes) > 1:
        draft.wrong(where, f"{id} carries the marks {', '.join(notes)}; one says why it has no code")
    if tier in ("assumed", "silent") and not at.get("why"):
        draft.wrong(where, f"{id} is {tier} and needs a why")
    reading, *base = (at.get("reading") or "").split() or [""]
    if base not in ([], ["base"]):
        draft.wrong(where, f"reading= is a name and perhaps the word base, not {at['reading']!r}")
    if reading:
        draft.readings.setdefault(reading, []).append(id)
    restates = tuple((at.get("restates") or "").split())
    why, source = at.get("why", ""), at.get("source", "")
    return Clause(id, p.text, path, p.heading, line, tier, passages, restates, reading, bool(base), why, source, notes[0] if notes else "")


def read_field(draft: Draft, path: str, name: str, value: Any) -> Field | None:
    """A field of a card: {value, clause}, {clause} or the word silent."""
    where = f"{path}:{line_of(value)}"
    if value == "silent":
        return Field(None, silent=True)
    if isinstance(value, Table) and set(value) <= {"value", "clause"} and value.get("clause"):
        return Field(str(value["value"]) if "value" in value else None, str(value["clause"]))
    draft.wrong(where, f"{name} should be silent or {{value: ..., clause: ID}}")
    return None


def plural_of(kind: str) -> str:
    """The plural of a kind of unit that gives none: its first noun's, as in "brothers of arms"."""
    head, of, tail = kind.partition(" of ")
    return head + "s" + of + tail


def read_unit(draft: Draft, path: str, page: str, kind: str, entry: Any) -> None:
    """A kind of unit from a page's front matter."""
    where = f"{path}:{line_of(entry)}"
    if kind in draft.units:
        draft.wrong(where, f"the unit {kind} stands in {draft.units[kind].page} too")
        return
    if not isinstance(entry, Table):
        draft.wrong(where, f"the unit {kind} needs its fields: {', '.join(FIELDS)}")
        return
    for key in set(entry) - {"plural", "names", *FIELDS}:
        draft.wrong(where, f"unknown field {key!r} of {kind}{meant(key, ('plural', 'names', *FIELDS))}")
    fields = {name: f for name in FIELDS if name in entry and (f := read_field(draft, path, f"{kind}: {name}", entry[name]))}
    draft.units[kind] = Unit(kind, str(entry.get("plural", plural_of(kind))), page, fields, tuple(map(str, entry.get("names") or ())))


def read_scenarios(draft: Draft, path: str, text: str) -> None:
    """Adds the scenarios of a file: one, or a list."""
    value = read(text, path)
    for entry in value if isinstance(value, Items) else [value]:
        if not isinstance(entry, Table) or not entry.get("id"):
            draft.wrong(f"{path}:{line_of(entry, 1)}", "a scenario is a mapping with an id")
            continue
        id = str(entry["id"])
        if not re.fullmatch(r"[a-z][a-z0-9-]*", id):
            draft.wrong(f"{path}:{line_of(entry)}", f"the id {id!r} should be lower-case words with hyphens, a letter first")
        elif id in draft.scenarios:
            draft.wrong(f"{path}:{line_of(entry)}", f"the scenario {id} stands in {draft.scenarios[id]['file']} too")
        else:
            entry["file"] = path
            draft.scenarios[id] = entry


def read_asks(draft: Draft, path: str, text: str) -> None:
    """Adds how players ask for the clauses of the page of the same stem: a mapping from a clause's id, or `card` for the page, to a list of lines."""
    page = next((p for p in draft.pages.values() if p.path == path.removesuffix(ASKS) + ".md"), None)
    if page is None:
        draft.wrong(f"{path}:1", f"there is no page {path.removesuffix(ASKS)}.md beside it")
        return
    value = read(text, path)
    if not isinstance(value, Table):
        draft.wrong(f"{path}:{line_of(value, 1)}", "a mapping from a clause's id to a list of the ways in which players ask for it")
        return
    for id, lines in value.items():
        where = f"{path}:{value.lines[id]}"
        if id != CARD and id not in page.clauses:
            other = draft.clauses.get(id)
            draft.wrong(where, f"{id} stands in {other.page} and is asked for beside it" if other else
                        f"no clause {id} in {page.path}{meant(id, (*page.clauses, CARD))}")
            continue
        said = asked(draft, path, id, lines, value.lines[id])
        if id == CARD:
            draft.pages[page.id] = replace(page, asks=said)
        else:
            draft.clauses[id] = replace(draft.clauses[id], asks=said)


def asked(draft: Draft, path: str, id: str, lines: Any, line: int) -> tuple[str, ...]:
    """The lines of one clause, each once and none empty."""
    if not isinstance(lines, Items) or not lines:
        draft.wrong(f"{path}:{line_of(lines, line)}", f"{id} needs a list of the ways in which players ask for it")
        return ()
    said: dict[str, str] = {}
    for x in lines:
        where = f"{path}:{line_of(x, line)}"
        words = " ".join(re.findall(r"[^\W_]+", x.lower())) if isinstance(x, str) else ""
        if not words:
            draft.wrong(where, f"a way of asking for {id} is a line of words")
        elif words in said:
            draft.wrong(where, f"{str(x)!r} stands under {id} already")
        else:
            said[words] = str(x)
    return tuple(said.values())


def read_code(draft: Draft) -> None:
    """Finds the places in code: imports every module of the package and takes what is marked in it."""
    top = import_module(draft.package)
    places: dict[str, str] = {}
    for info in pkgutil.walk_packages(top.__path__, draft.package + "."):
        try:
            module = import_module(info.name)
        except Exception as e:
            draft.wrong(info.name.replace(".", "/") + ".py", f"does not load: {type(e).__name__}: {e}")
            continue
        for thing in vars(module).values():
            if isinstance(thing, Vocabulary):
                draft.vocabulary = thing
            if getattr(thing, "__module__", "") != module.__name__:
                continue
            if said := getattr(thing, "__claim__", None):
                if said[0] in draft.claims:
                    draft.wrong(where_of(thing, module.__name__), f"the claim {said[0]!r} stands twice")
                draft.claims[said[0]] = (thing, said[1])
            if varies := getattr(thing, "__variation__", None):
                draft.variations[varies] = thing
            mark = getattr(thing, "__clause__", None)
            if isinstance(mark, Mark):
                place(draft, places, mark, thing, module.__name__)


def place(draft: Draft, places: dict[str, str], mark: Mark, thing: Any, module: str) -> None:
    """Joins a marked function to its clause."""
    where = where_of(thing, module)
    clause = draft.clauses.get(mark.id)
    if clause is None:
        draft.wrong(where, f"the clause {mark.id} is in no page{meant(mark.id, draft.clauses)}")
        return
    if mark.id in places:
        draft.wrong(where, f"the clause {mark.id} has a place in code already, {places[mark.id]}")
        return
    for id in mark.overrides:
        if id not in draft.clauses:
            draft.wrong(where, f"{mark.id} displaces {id}, which is in no page{meant(id, draft.clauses)}")
    places[mark.id] = where
    code = getattr(thing, "code", thing)
    draft.clauses[mark.id] = replace(clause, mark=mark, code=code, module=module)
    if mark.action is not None:
        draft.actions[mark.id] = mark.action


def where_of(thing: Any, module: str) -> str:
    """file:line of a function, as far as it can be told."""
    code = getattr(thing, "code", thing)
    return f"{module.replace('.', '/')}.py:{getattr(getattr(inspect.unwrap(code), '__code__', None), 'co_firstlineno', 0)}"


def read_readings(draft: Draft) -> None:
    """Holds the readings to having rivals, one base at most, and the overrides to having no cycle."""
    for name, ids in draft.readings.items():
        where = f"{draft.clauses[ids[0]].page}:{draft.clauses[ids[0]].line}" if ids[0] in draft.clauses else name
        if len(ids) < 2:
            draft.wrong(where, f"the reading {name} has one clause only, {ids[0]}{meant(name, set(draft.readings) - {name})}")
        if sum(draft.clauses[id].base for id in ids if id in draft.clauses) > 1:
            draft.wrong(where, f"the reading {name} has more than one base")
    try:
        overriding_first(draft.clauses.values())
    except ValueError as e:
        first = draft.clauses[str(e).split(" ")[0]]
        draft.wrong(where_of(first.code, first.module), f"an override goes round in a circle: {e}")


def read_links(draft: Draft) -> None:
    """Holds every id that a clause or a card names to being there."""
    for c in draft.clauses.values():
        for id in c.restates:
            known(draft, f"{c.page}:{c.line}", f"{c.id} restates", id)
    for page in draft.pages.values():
        for name, f in page.card.items():
            known(draft, f"{page.path}:{line_of(page.front['card'][name])}", f"card: {name} names", f.clause)
    for unit in draft.units.values():
        page = draft.pages[unit.page]
        for name, f in unit.fields.items():
            known(draft, f"{page.path}:{line_of(page.front['units'][unit.kind])}", f"{unit.kind}: {name} names", f.clause)


def known(draft: Draft, where: str, who: str, id: str) -> None:
    """Notes a fault where an id is given that no clause has."""
    if id and id not in draft.clauses:
        draft.wrong(where, f"{who} {id}, which is in no page{meant(id, draft.clauses)}")


__all__ = ["BadBook", "load", "fresh", "OWNED"]

"""Answers as text for a terminal: wrapped to its width, with colour where it can show it."""
from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TextIO

from .odds import odds, percent

Json = Mapping[str, Any]

BOLD, FAINT, RED = "1", "2", "31"
SHOWN = 8
"""How many rules an answer prints unless all are asked for."""

TIERS = {
    "printed": "the printed rules", "faq": "the printed rules and their FAQ", "owner": "what you added from your own box",
    "community": "community sources, not checked against the printed book", "assumed": "an assumption", "silent": "what the sources do not say",
}
FOLDED = ("default", "considered")
NOTES = {
    "Reading": "reading", "Restates": "restates", "Restated by": "restated_by", "Overrides": "overrides", "Overridden by": "overridden_by",
    "Kind of statement": "statement", "Mark": "mark", "Shown by": "scenarios", "Before it": "previous", "After it": "next",
}


@dataclass(frozen=True)
class Look:
    """How text is laid out: the width (0: lines are not broken), whether colour is shown, and whether everything is told."""

    width: int = 0
    colour: bool = False
    everything: bool = False

    @classmethod
    def of(cls, out: TextIO | None, plain: bool = False, everything: bool = False) -> Look:
        """The look that fits an output: colour only on a terminal, unless NO_COLOR is set."""
        shows = out is not None and out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return cls(everything=everything) if plain else cls(max(24, shutil.get_terminal_size((80, 24)).columns), shows, everything)

    def lines(self, text: str, indent: int = 0, hang: int = 0, style: str = "") -> Iterator[str]:
        """A paragraph as lines; hang is how much further all but the first are set in."""
        for part in text.splitlines():
            first, rest, lines = " " * indent, " " * (indent + hang), [" " * indent + part]
            if self.width:
                lines = textwrap.wrap(part, self.width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)
            for line in lines:
                yield self.styled(line, style)

    def styled(self, line: str, style: str) -> str:
        """A line in a style, its indent left alone."""
        if not style or not self.colour or not line.strip():
            return line
        words = line.lstrip()
        return f"{line[:len(line) - len(words)]}\x1b[{style}m{words}\x1b[0m"


def joined(lines: Iterable[str]) -> str:
    """Lines as a text, empty lines at its ends and double ones left out."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).rstrip() + "\n"


def answer(a: Json, look: Look) -> str:
    """An answer: the verdict, what it rests on, the ruling and the rules, the scenarios."""
    return joined(_answer(a, look))


def _answer(a: Json, look: Look) -> Iterator[str]:
    verdict = a["verdict"]
    if a["status"] == "ruled":
        yield from look.lines(verdict["says"], style=BOLD)
        yield ""
        yield from look.lines(f"Rests on: {rests(verdict)}", hang=2)
    elif a["status"] == "found":
        below = "; a position played out stands below" if a["scenarios"] else ""
        yield from look.lines(f"No verdict: these are the rules about it{below}.", style=BOLD)
        yield from lacking(a, look)
    else:
        yield from look.lines(" ".join(a["silent"]) or "Nothing here answers this.", style=BOLD)
    for id in a.get("without", ()):
        yield from look.lines(f"Without: {id}", hang=2)
    for typed, meant in a.get("read", ()):
        yield from look.lines(f"Read: {typed!r} as {meant} (in quotation marks it is taken as typed)", hang=2)
    for asked in a.get("did_you_mean", ()):
        yield from look.lines(f"Did you mean: {asked}", hang=2)
    yield ""
    found = a["results"]
    if a["status"] == "refused" and found:
        yield from look.lines("The nearest there is, which does not answer it:")
        yield ""
    for r in found if look.everything else found[:SHOWN]:
        yield from result(r, look, r["id"] in a.get("without", ()))
        yield ""
    if len(found) > SHOWN and not look.everything:
        yield from look.lines(f"{len(found) - SHOWN} more with --all", style=FAINT)
        yield ""
    for s in a["scenarios"]:
        yield from scenario(s, look)
        yield ""
    if a["status"] == "ruled":
        yield from lacking(a, look)


def lacking(a: Json, look: Look) -> Iterator[str]:
    """What the sources do not say of what was asked."""
    for says in a["silent"]:
        yield from look.lines(f"Silent: {says}", hang=2)


def rests(verdict: Json) -> str:
    """On what a verdict rests."""
    turns = f"It turns on {', '.join(verdict['turns_on'])}." if verdict["turns_on"] else "It turns on no reading."
    return f"{TIERS.get(verdict['tier'], verdict['tier'])} ({verdict['tier']}). {turns}"


def result(r: Json, look: Look, struck: bool = False) -> Iterator[str]:
    """A rule, ruling, term or card: its id, its text, where it is printed, the owner's words."""
    yield from look.lines(f"{r['id']} ({r['kind']}, {r['tier']}{', struck out' if struck else ''})", style=FAINT)
    yield from look.lines(str(r["text"]), 2)
    yield from look.lines(place(r), 2, style=FAINT)
    if r.get("printed"):
        yield from look.lines(f"Printed: {r['printed']}", 2, 2)


def place(r: Json) -> str:
    """Where something is printed; or what it is, with the reason."""
    where = "; ".join(r.get("places") or ()) or str(r.get("place") or "")
    return f"{where}: {r['why']}" if r.get("why") else where


def scenario(s: Json, look: Look, other: bool = False) -> Iterator[str]:
    """A scenario: its claims with their verdicts, then a line of play; `other` adds the line that goes the other way."""
    yield from look.lines(f"Scenario {s['id']}: {s['title']}" if s.get("id") else f"Position: {s['title']}", style=BOLD)
    for c in s.get("claims", ()):
        wrong = disagrees(c)
        yield from look.lines(f"{c['says']}: {chances(c)}{supported(c)}{wrong}", 2, 2, RED if wrong else "")
    yield from steps(s.get("steps", ()), look)
    if other and s.get("against"):
        yield from look.lines("It can also go otherwise:", 2)
        yield from steps(s["against"], look)
    for says in s.get("silent", ()):
        yield from look.lines(f"Silent: {says}", 2, 2)
    if s.get("unfinished"):
        yield from look.lines(f"Too large to be played whole: {s['unfinished']}", 2, 2)
    elif s.get("whole") is False:
        yield from look.lines("Not every reading was tried: the position is too large for that.", 2)
    if s.get("link"):
        yield from look.lines(f"Link: {s['link']}", 2, style=FAINT)


def chances(c: Json) -> str:
    """A claim's verdict in words: always, never, open, or its chances."""
    if c.get("unfinished"):
        return f"between {percent(Fraction(c['least']))} and {percent(Fraction(c['greatest']))}, as far as it was played"
    if c["verdict"] != "depends":
        return str(c["verdict"])
    return odds(Fraction(c["least"]), Fraction(c["greatest"]))


def supported(c: Json) -> str:
    """What a claim's verdict rests on, where that is less than print."""
    notes = [c["tier"]] if c.get("tier") in ("owner", "community", "assumed", "silent") else []
    notes += [f"turns on {', '.join(c['turns_on'])}"] if c.get("turns_on") else []
    return f" ({'; '.join(notes)})" if notes else ""


def disagrees(c: Json) -> str:
    """What the file says, where it says something else."""
    return f". DOES NOT HOLD: the file says {c['file_says']}" if c.get("holds") is False else ""


def steps(events: Sequence[Json], look: Look) -> Iterator[str]:
    """A line of play, each step with the clauses that moved it and those overruled."""
    for n, e in enumerate(events, 1):
        yield from look.lines(f"{n}. {e['says']}", 2, 3)
        moved = [f"{c['id']} ({c['role']})" for c in e["clauses"] if c["role"] != "overruled" and (look.everything or c["role"] not in FOLDED)]
        lost = [c["id"] for c in e["clauses"] if c["role"] == "overruled"]
        if moved:
            yield from look.lines(", ".join(moved), 5, 2, FAINT)
        if lost:
            yield from look.lines(f"overruled: {', '.join(lost)}", 5, 2, FAINT)


def played(p: Json, look: Look) -> str:
    """Scenarios that were played; before and after where clauses were struck out."""
    return joined(_played(p, look))


def _played(p: Json, look: Look) -> Iterator[str]:
    struck = ", ".join(p.get("without", ()))
    for i, s in enumerate(p["scenarios"]):
        if p.get("before"):
            yield from look.lines("Before", style=BOLD)
            yield from scenario(p["before"][i], look, True)
            yield ""
            yield from look.lines(f"After, without {struck}", style=BOLD)
        yield from scenario(s, look, True)
        yield from inquiry(s, look)
        yield ""


def inquiry(s: Json, look: Look) -> Iterator[str]:
    """What more was asked of a scenario."""
    for p in s.get("playing", ()):
        yield from look.lines(f"{p['player']} playing {'for' if p['for'] else 'against'} it", style=BOLD)
        for c in p["claims"]:
            yield from look.lines(f"{c['says']}: {c['chance']}", 2, 2)
    for k in s.get("why", ()):
        yield from look.lines(f"Why: {k['says']}", style=BOLD)
        yield from look.lines(k["decides"]["says"], 2, 2)
        for player in k["players"]:
            yield from look.lines(player["says"], 2, 2)
        for key, w in k["witness"].items():
            yield from look.lines(f"Shortest line of play {key} it: {w['link']}", 2, 2, FAINT)
            for c in w["choices"]:
                yield from look.lines(f"{c['who'] or 'whoever decides'}: {c['what']}: {c['way']}", 4, 2)
        for r in k["readings"]:
            yield from look.lines(f"Reading {r['reading']}: {r['under_base']} under {r['base']}, {r['under_rival']} under {r['rival']}", 2, 2)
            if r["step"]:
                yield from look.lines(f"They part at step {r['step']}: {r['here'] or 'nothing more'} / {r['there'] or 'nothing more'}", 4, 2)
        if k["every"]:
            yield from look.lines(k["every"]["says"], 2, 2)
    if "vary" in s:
        yield from varied(s["vary"], look)
    for table in s.get("losses", ()):
        yield from look.lines(f"{table['kind']} that {table['side']} loses", style=BOLD)
        for row in table["chances"]:
            yield from look.lines(f"{row['n']}: {row['chance']}", 2, 2)


def varied(v: Json, look: Look) -> Iterator[str]:
    """The variations that change a verdict."""
    yield from look.lines("What would change it", style=BOLD)
    for r in v["rows"]:
        each = zip(v["claims"], r["claims"], v["base"], r["flips"])
        cells = [f"{says}: {chances(after)} (before: {chances(before)})" for says, after, before, flips in each if flips]
        yield from look.lines(f"{r['says']}: {'; '.join(cells)}", 2, 2)
    rest = "" if v["whole"] else " Not all could be tried."
    yield from look.lines(f"{v['tried'] - len(v['rows'])} of {v['tried']} variations change nothing.{rest}", 2, 2)


def sheet(x: Json, look: Look) -> str:
    """What `show` has to tell of a clause, card, page or scenario."""
    return joined(scenario(x, look, True) if x["kind"] == "scenario" else _page(x, look) if "clauses" in x else _clause(x, look))


def _page(x: Json, look: Look) -> Iterator[str]:
    yield from look.lines(f"{x['title']} ({x.get('page_kind') or x['kind']})", style=BOLD)
    if x.get("names"):
        yield from look.lines(f"Also: {', '.join(x['names'])}", hang=2)
    yield ""
    for f in x.get("fields", ()):
        value = "the sources do not say" if f["silent"] or f["value"] is None else f"{f['value']} ({f['tier']}, {f['clause']})"
        yield from look.lines(f"{f['name']}: {value}", 2, 2)
    yield ""
    for r in x["clauses"]:
        yield from result(r, look)
        yield ""


def _clause(x: Json, look: Look) -> Iterator[str]:
    yield from look.lines(str(x["title"]), style=BOLD)
    yield from result(x, look)
    yield ""
    for r in x.get("rivals", ()):
        if r["id"] != x["id"]:
            why = f" Why: {r['why']}" if r.get("why") else ""
            yield from look.lines(f"Rival reading{' (base)' if r['base'] else ''}: {r['id']}: {r['text']}{why}", hang=2)
    for label, key in NOTES.items():
        value = x.get(key)
        if value:
            yield from look.lines(f"{label}: {value if isinstance(value, str) else ', '.join(value)}", hang=2)
    if x.get("page"):
        yield from look.lines(f"Page: {x['page']['id']} ({x['page']['title']})", hang=2)
    if x.get("code"):
        yield ""
        yield from (look.styled("  " + line, FAINT) for line in str(x["code"]).rstrip().splitlines())


__all__ = ["Look", "answer", "played", "sheet"]


def survey(s: Json, look: Look) -> str:
    """A survey: its faults with the smallest boards, then what was counted."""
    return joined(_survey(s, look))


def _survey(s: Json, look: Look) -> Iterator[str]:
    for f in s["faults"]:
        where = f" ({f['clause']})" if f["clause"] else ""
        yield from look.lines(f"{f['sort']}: {f['what']}{where}", style=RED)
        yield from textwrap.indent(scenario_text(f["board"]), "  ").splitlines()
        yield f"  {f['link']}"
        yield ""
    for id in s["unreached"] if s["whole"] else ():
        yield from look.lines(f"no board reached {id}", style=RED)
    clauses, jobs = s["clauses"], s["jobs"]
    every = "every board" if s["whole"] else f"{jobs['done']} of {jobs['of']} jobs" if jobs["of"] else "a sample"
    yield f"boards: {s['boards']} ({every}), {s['too_large']} too large, {s['refused']} no position; {s['steps']} steps"
    yield f"classes of units told apart: {s['classes']}"
    longer = f", {clauses['in_longer_plays']} only in longer plays" if clauses["in_longer_plays"] else ""
    yield f"clauses reached: {clauses['reached']} on boards of one action{longer}, of {clauses['of']}"
    yield f"faults: {len(s['faults']) + (len(s['unreached']) if s['whole'] else 0)}"


def scenario_text(raw: Json) -> str:
    """A position as the text of a scenario file."""
    import yaml

    kept = {key: value for key, value in raw.items() if value and key != "file"}
    return yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=1000, default_flow_style=None)

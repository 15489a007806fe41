"""The pages: what a desk answers, as HTML."""
from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import segno
from flask import Flask, Response, current_app, redirect, render_template, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from lookup.answer import SECONDS, BadQuestion, BadText, Desk, TooBig, Unknown
from lookup.engine.clause import Page
from lookup.nearest import nearest
from lookup.scenario import Scenario, encode
from lookup.shelf import kind_of

from . import words
from .address import with_query, without
from .position import SHAPES, position
from .sandbox import Sandbox
from .tables import Tables
from .walking import Walking

EXAMPLES, SHOWN, KEPT = 6, 4, 64
LETTERS = {"rule": "r", "term": "r", "ruling": "q", "card": "c", "page": "c", "scenario": "s"}
TITLES = {
    400: "That cannot be asked", 404: "There is no such page", 405: "That is not done here", 413: "That is too long", 414: "That is too long",
    431: "That is too long",
}
Shown = str | AnyResponse | tuple[str, int] | tuple[str, int, dict[str, str]]


def add(app: Flask, desk: Desk) -> None:
    """Puts the pages of a desk into an application."""
    shown = Pages(desk)
    app.add_url_rule("/", "home", shown.home)
    for letter in ("r", "q", "c"):
        app.add_url_rule(f"/{letter}/<id>", letter, shown.sheet)
    app.add_url_rule("/s/<id>", "s", shown.scenario)
    app.add_url_rule("/s/<id>/qr.svg", "qr", shown.qr)
    app.add_url_rule("/browse", "browse", shown.browse)
    Walking(desk).add(app)
    Sandbox(desk).add(app)
    Tables(desk).add(app)
    app.add_url_rule("/healthz", "healthz", healthy)
    for wrong in (BadQuestion, Unknown, BadText, TooBig):
        app.register_error_handler(wrong, shown.refused)
    app.register_error_handler(HTTPException, shown.failed)
    app.register_error_handler(Exception, shown.broken)
    style = sha256(Path(__file__).with_name("static").joinpath("style.css").read_bytes()).hexdigest()[:8]
    app.jinja_env.globals.update(
        href=shown.href, text_of=shown.text_of, by_whom=shown.by_whom, decisive=shown.decisive, strikable=shown.strikable, unbased=shown.unbased,
        titles=shown.title, choice=desk.book.choice, with_query=with_query, holds=words.holds, share=words.share, shapes=SHAPES, roles=words.ROLES,
        labels=words.LABELS, marks=words.MARKS, shown=SHOWN, style=style,
    )
    app.jinja_env.filters.update(odds=words.odds, capital=words.capital, tier=shown.tier, placed=shown.placed, wrappable=wrappable)


def healthy() -> Response:
    """The server answers."""
    return Response("ok\n", mimetype="text/plain")


def wrappable(id: str) -> Markup:
    """An id that a narrow page may break after its dots."""
    return Markup("<wbr>").join(re.split(r"(?<=[.])", id))


class Pages:
    """The views of one desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.book = desk, desk.book
        passages = sorted(desk.sources.passages, key=len, reverse=True)
        self.play = lru_cache(KEPT)(lambda id, struck: desk.play("/s/" + id, "link", struck, SECONDS))
        self.passage = re.compile(r"(?<![\w/-])(?:" + "|".join(map(re.escape, passages)) + r")(?![\w/-])") if passages else None

    # What the templates ask.

    def href(self, id: str) -> str:
        """The address of whatever an id names."""
        if id in self.book.clauses:
            return f"/{LETTERS[kind_of(self.book, self.book.clauses[id])]}/{id}"
        if id in self.book.pages:
            return f"/c/{id}"
        return f"/s/{id}"

    def text_of(self, id: str) -> str:
        """What a clause says; the id of anything else."""
        return self.book.clauses[id].text if id in self.book.clauses else id

    def title(self, scenario: str) -> str:
        """A scenario's title."""
        return str(self.book.scenarios[scenario].get("title") or scenario)

    def by_whom(self, id: str, cites: Sequence[Mapping[str, str]]) -> list[str]:
        """Those of a step's clauses that displace a clause: by name, or else as the ones that stand on the same question."""
        stood = [self.book.clauses[c["id"]] for c in cites if c["role"] not in ("overruled", "considered")]
        question = self.book.clauses[id].mark.question
        return [c.id for c in stood if id in c.mark.overrides] or [c.id for c in stood if question and c.mark.question == question]

    def decisive(self, cites: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
        """The clauses that moved a step and those that lost: a default only where it displaced another, the step's own clause only where it is alone."""
        winners = {by for c in cites if c["role"] == "overruled" for by in self.by_whom(c["id"], cites)}
        shown = [c for c in cites if c["role"] not in words.FOLDED or (c["role"] == "default" and c["id"] in winners)]
        return [c for c in shown if c["role"] != "step" or len(shown) == 1]

    def strikable(self, id: str) -> bool:
        """Whether it can make a difference to strike a clause out."""
        c = self.book.clauses.get(id)
        return c is not None and (c.mark.kind not in ("", "step") or bool(c.restates))

    def unbased(self, reading: str) -> bool:
        """Whether a reading has no likelier side."""
        return not self.book.based(reading)

    def tier(self, tier: str, why: str | None = None) -> str:
        """What follows a tier's label: how far it can be trusted."""
        return f": {self.placed(why)}" if tier == "assumed" and why else words.TAILS.get(tier, "")

    def placed(self, text: str) -> str:
        """A text in which passages are named by where they are printed."""
        return self.passage.sub(lambda m: self.desk.sources.place(m[0]), text) if self.passage else text

    # The pages.

    def home(self) -> Shown:
        """The box and some examples; with a question its answer."""
        question = request.args.get("q", "")
        if not question.strip():
            return render_template("home.html", examples=self.examples(), kinds=self.kinds())
        a = self.desk.ask(question, without())
        v = a["verdict"]
        return render_template("answer.html", a=a, v=v, q=a["question"], struck=a["without"], title=a["question"])

    def sheet(self, id: str) -> Shown:
        """A clause, ruling, card or page; what stands under another letter is sent there."""
        x = self.desk.show(id)
        at = self.href(id)
        if request.path != at:
            return redirect(at)
        page = "page.html" if x["kind"] in ("card", "page") else "clause.html"
        return render_template(page, x=x, title=x["title"], grouped=grouped(x.get("clauses", ()), self.heading))

    def heading(self, id: str) -> str:
        """The heading that a clause stands under."""
        return self.book.clauses[id].heading

    def scenario(self, id: str) -> Shown:
        """A scenario of the book, or a position from a link's code."""
        if not re.fullmatch(r"[\w.-]+", id, re.ASCII):
            raise Unknown(f"no scenario {id[:60]!r}")
        s, *_ = self.desk.scenarios("/s/" + id)
        played = self.play(id, without())
        x = played["scenarios"][0]
        before = played["before"][0] if "before" in played else None
        decides = list(dict.fromkeys(c for claim in (before or x)["claims"] for c in claim["decides"]))
        turns = list(dict.fromkeys(r for claim in x["claims"] for r in claim["turns_on"]))
        return render_template("scenario.html", x=x, before=before, p=position(self.book, s), title=x["title"], struck=played["without"], decides=decides,
                               turns=[(r, self.rivals(s, r)) for r in turns], here=request.path, link=request.url_root.rstrip("/") + x["link"])

    def qr(self, id: str) -> Shown:
        """The QR code of a position's link, as a picture."""
        self.desk.scenarios("/s/" + id)
        drawn = io.BytesIO()
        segno.make(f"{request.url_root.rstrip('/')}/s/{id}", error="l").save(drawn, kind="svg", border=2, xmldecl=False, dark="#000", light="#fff", scale=4)
        return AnyResponse(drawn.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})

    def rivals(self, s: Scenario, reading: str) -> list[tuple[str, str, str]]:
        """The clauses of a reading, each with its text and a link to the same position read so; "" for how it is read now."""
        now = s.readings.get(reading) or self.book.choice(reading)
        return [(id, self.book.clauses[id].text, "" if id == now else "/s/" + encode(self.read_so(s, reading, id))) for id in self.book.readings[reading]]

    def read_so(self, s: Scenario, reading: str, id: str) -> dict[str, Any]:
        """A position with another reading chosen, and what its file claims of the old one left out."""
        claims = [says for c in s.raw.get("claims") or () for says in (c if isinstance(c, Mapping) else [c])]
        kept = {k: v for k, v in s.raw.items() if k not in ("id", "proves", "asks")}
        return {**kept, "claims": claims, "readings": {**s.readings, reading: id}}

    def browse(self) -> Shown:
        """Every page by kind, in the printed order."""
        return render_template("browse.html", kinds=self.kinds(), title="Browse", scenarios=[(id, self.title(id)) for id in self.book.scenarios])

    def kinds(self) -> list[tuple[str, str, list[Page]]]:
        """Each kind of page: its anchor, its heading, and its pages in the printed order; what is printed nowhere follows by title."""
        order = {p: n for n, p in enumerate(self.desk.sources.passages)}
        by: dict[str, list[tuple[int, str, Page]]] = {}
        for page in self.book.pages.values():
            first = min((order[p] for id in page.clauses for p in self.book.clauses[id].passages if p in order), default=len(order))
            by.setdefault(page.kind, []).append((first, page.title, page))
        cards = self.book.vocabulary.card_kinds
        names = sorted(by, key=lambda k: (k != "faq", k not in cards, cards.index(k) if k in cards else 0, k))
        return [(re.sub(r"\W+", "-", k), kind_heading(k, len(by[k])), [p for _, _, p in sorted(by[k], key=lambda e: e[:2])]) for k in names]

    def examples(self) -> list[str]:
        """Some questions as people ask them, from the book's scenarios, one from each file first."""
        each: dict[str, list[str]] = {}
        for raw in self.book.scenarios.values():
            each.setdefault(str(raw.get("file", "")), []).extend(map(str, raw.get("asks") or ()))
        rounds = [asks[n] for n in range(EXAMPLES) for asks in each.values() if n < len(asks)]
        return rounds[:EXAMPLES]

    # What goes wrong.

    def refused(self, wrong: BadQuestion | Unknown | BadText | TooBig) -> Shown:
        """What was asked cannot be: one line, and the box."""
        says = getattr(wrong, "says", "") or str(wrong)
        asked = (request.view_args or {}).get("id", "")
        struck = [id for id in without() if id not in self.book.clauses]
        known = [*self.book.clauses, *(() if struck else (*self.book.pages, *self.book.scenarios))]
        near = nearest(struck[0] if struck else asked, known) if isinstance(wrong, Unknown) else ""
        return self.error(404 if isinstance(wrong, Unknown) and not struck else 400, says.split("; nearest: ")[0] if near else says, near)

    def failed(self, wrong: HTTPException) -> Shown:
        """No such page, or not so."""
        status = wrong.code or 500
        if status < 400:
            return AnyResponse(status=status, headers=wrong.get_headers())
        says = {404: f"nothing stands at {request.path[:80]}", 405: "the pages are only read"}.get(status, wrong.name.lower())
        return *self.error(status, says, ""), {k: v for k, v in wrong.get_headers() if k == "Allow"}

    def broken(self, wrong: Exception) -> Shown:
        """A fault of ours: plain words for the reader, one line for whoever serves."""
        says = " ".join(str(wrong).split())[:300]
        current_app.logger.error("%s %s: %s: %s", request.method, request.path[:200], type(wrong).__name__, says, exc_info=wrong if current_app.debug else None)
        return render_template("broken.html"), 500

    def error(self, status: int, says: str, near: str) -> tuple[str, int]:
        """A page that says in one line what is wrong and still offers the box."""
        title = TITLES.get(status, "That did not work")
        return render_template("error.html", status=status, title=title, says=words.capital(says), near=near, q=request.args.get("q", "")[:200]), status


def grouped(clauses: Sequence[Mapping[str, Any]], heading: Any) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Clauses under their headings, in order."""
    found: list[tuple[str, list[Mapping[str, Any]]]] = []
    for c in clauses:
        if not found or found[-1][0] != heading(c["id"]):
            found.append((heading(c["id"]), []))
        found[-1][1].append(c)
    return found


def kind_heading(kind: str, count: int) -> str:
    """A kind of page as a heading."""
    if kind == "faq":
        return "FAQ"
    return words.capital(kind + "s" if count > 1 and not kind.endswith("s") else kind)


__all__ = ["add"]

"""The pages: what they say, in what order, and what they do with bad input."""
from __future__ import annotations

import io
import re
import socket
from collections.abc import Mapping, Sequence
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from flask.testing import FlaskClient

from lookup.answer import Desk
from lookup.scenario import build, decode, encode
from web import create_app, words
from web.position import MOST, Picture, position
from web.serve import CannotServe, announce, lan_address, serve

HEADLINE = "Luathan Devastate vs Mother of Monsters"
ONTO_SPAWN = "mother-of-monsters.titanic.2"
HEMMED = "/s/devastate-hemmed-in"
VOID = {"meta", "link", "input", "img", "br", "wbr", "path", "circle", "rect", "line", "polygon"}


class Reader(HTMLParser):
    """Holds a page to being well nested, and keeps its words, tags and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["title"]:
            self.words.append(data)

    @property
    def text(self) -> str:
        """The words of the page, one space apart."""
        return " ".join("".join(self.words).split())

    def links(self) -> list[str]:
        """Where the page leads."""
        return [str(a["href"]) for tag, a in self.tags if tag == "a"]

    def ids(self) -> list[str]:
        """The page's anchors."""
        return [str(a["id"]) for _, a in self.tags if a.get("id")]


@pytest.fixture(scope="module")
def client(desk: Desk) -> FlaskClient:
    return create_app(desk).test_client()


def read(client: FlaskClient, at: str, status: int = 200) -> Reader:
    """A page, held to what every page must be."""
    got = client.get(at)
    assert got.status_code == status, got.text
    assert got.mimetype == "text/html"
    assert "Traceback" not in got.text
    assert "Set-Cookie" not in got.headers
    assert got.headers["X-Content-Type-Options"] == "nosniff"
    assert got.headers["Referrer-Policy"] == "same-origin"
    policy = got.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    page = Reader(got.text)
    for tag, attrs in page.tags:
        assert tag not in ("script", "style", "iframe"), tag
        assert "style" not in attrs
        assert not [a for a in attrs if a.startswith("on")]
    assert len(page.ids()) == len(set(page.ids()))
    assert all(link.startswith(("/", "#")) for link in page.links())
    assert [a for tag, a in page.tags if tag == "input" and a.get("name") == "q"], "no box to ask in"
    return page


def ask(question: str, *without: str) -> str:
    """The address of an answer."""
    return f"/?q={quote(question)}" + "".join(f"&without={quote(id)}" for id in without)


def once(text: str) -> str:
    """A text, one space apart."""
    return " ".join(text.split())


def in_order(text: str, *parts: str) -> None:
    """Holds a text to having some parts one after the other."""
    at = 0
    for part in parts:
        found = text.find(once(part), at)
        assert found >= 0, f"{part!r} is missing{' or stands too early' if once(part) in text else ''}"
        at = found


def answering(desk: Desk, **changed: Any) -> FlaskClient:
    """Pages whose every answer is the headline's with some of it changed."""
    answer = {**desk.ask(HEADLINE), **changed}
    other = Desk(desk.book, desk.sources, desk.printed)
    other.ask = lambda question, without=(): answer  # type: ignore[method-assign]
    return create_app(other).test_client()


# The answer.


def test_the_answer_page_gives_verdict_grounds_rules_and_positions_in_this_order(client: FlaskClient, desk: Desk) -> None:
    a = desk.ask(HEADLINE)
    page = read(client, ask(HEADLINE))
    first = a["results"][0]
    in_order(page.text, a["verdict"]["says"], "Rests on:", words.LABELS[a["verdict"]["tier"]], "The ruling and the rules", first["text"], first["places"][0],
             "Played out", *(s["title"] for s in a["scenarios"]))
    assert len(a["scenarios"]) >= 2


def test_the_answer_page_shows_every_result_with_its_id_place_and_tier(client: FlaskClient, desk: Desk) -> None:
    page = read(client, ask(HEADLINE))
    for x in desk.ask(HEADLINE)["results"]:
        in_order(page.text, x["text"], words.LABELS[x["tier"]], *x["places"], x["id"])
        assert f"/{'q' if x['kind'] == 'ruling' else 'c' if x['kind'] == 'card' else 'r'}/{x['id']}" in page.links()


def test_every_step_of_a_position_stands_with_its_clauses_and_those_that_lost(client: FlaskClient, desk: Desk) -> None:
    page = read(client, ask(HEADLINE))
    for s in desk.ask(HEADLINE)["scenarios"]:
        in_order(page.text, s["title"], *(c["says"] for c in s["claims"]), *(e["says"] for e in s["steps"]))
        for e in s["steps"]:
            for c in e["clauses"]:
                assert any(link.endswith("/" + c["id"]) for link in page.links())
                assert once(desk.book.clauses[c["id"]].text) in page.text


def test_an_overruled_clause_is_struck_through_and_named_so(client: FlaskClient, desk: Desk) -> None:
    html = re.sub(r"<wbr>", "", client.get(ask(HEADLINE)).text)
    lost = [c["id"] for s in desk.ask(HEADLINE)["scenarios"] for e in s["steps"] for c in e["clauses"] if c["role"] == "overruled"]
    assert lost
    for id in lost:
        assert re.search(rf'overruled</span> <s>{re.escape(id)}</s>', html)


def test_an_overruled_clause_is_shown_with_what_overruled_it(client: FlaskClient, desk: Desk) -> None:
    page = read(client, ask(HEADLINE))
    assert "overruled rout.sender.1 by luathans.devastate.9" in page.text
    paid = next(id for id, raw in desk.book.scenarios.items() if any("uses Diplomacy" in str(d) for d in raw.get("do") or ()))
    in_order(read(client, f"/s/{paid}").text, "spends 1 Power", "overruled actions.pay.2 by diplomacy.cost.1", "as a rule diplomacy.cost.1", "Why, in words")


def test_defaults_and_what_was_considered_are_folded_away(client: FlaskClient, desk: Desk) -> None:
    html = re.sub(r"<wbr>", "", client.get(ask(HEADLINE)).text)
    unfolded = re.sub(r"<details>.*?</details>", "", html, flags=re.S)
    roles = {c["role"] for s in desk.ask(HEADLINE)["scenarios"] for e in s["steps"] for c in e["clauses"]}
    assert "default" in roles
    assert f'class="role">{words.ROLES["default"]}<' in html
    assert f'class="role">{words.ROLES["default"]}<' not in unfolded
    assert f'class="role">{words.ROLES["considered"]}<' not in unfolded


def test_a_struck_rule_changes_the_sentence_and_is_named_on_the_page(client: FlaskClient, desk: Desk) -> None:
    says, without = (desk.ask(HEADLINE, w)["verdict"]["says"] for w in ((), (ONTO_SPAWN,)))
    page = read(client, ask(HEADLINE, ONTO_SPAWN))
    assert says != without
    in_order(page.text, "Without this rule", desk.book.clauses[ONTO_SPAWN].text, "Put it back", without)
    assert says not in page.text
    assert f"/?q={HEADLINE.replace(' ', '+')}" in page.links()


def test_the_answer_offers_to_strike_the_rule_that_decides(client: FlaskClient, desk: Desk) -> None:
    page = read(client, ask(HEADLINE))
    (id, *_) = desk.ask(HEADLINE)["verdict"]["clauses"]
    link = next(link for link in page.links() if link.endswith(f"&without={id}"))
    assert read(client, link)


def test_what_cannot_make_a_difference_is_not_offered_to_be_struck(client: FlaskClient, desk: Desk) -> None:
    for link in read(client, ask(HEADLINE)).links():
        if (at := link.find("without=")) >= 0:
            assert desk.book.clauses[link[at + 8:]].mark.kind != "step"


def test_a_refused_question_says_so_first_and_shows_rules_as_the_nearest_only(desk: Desk) -> None:
    a = desk.ask(HEADLINE)
    lacking = "The sources do not say what a Luathan is worth at market."
    page = read(answering(desk, status="refused", verdict=None, scenarios=[], silent=[lacking]), "/?q=x")
    in_order(page.text, "Nothing here answers this", lacking, "The nearest rules: they do not answer it", a["results"][0]["text"])
    assert "The ruling and the rules" not in page.text
    assert "Rests on" not in page.text


def test_a_question_that_has_nothing_to_do_with_the_game_is_refused_on_the_page(client: FlaskClient) -> None:
    assert "Nothing here answers this" in read(client, ask("zzyzx qqq")).text


def test_rules_without_a_verdict_are_said_to_be_only_rules(desk: Desk) -> None:
    page = read(answering(desk, status="found", verdict=None, scenarios=[]), "/?q=x")
    assert "these are the rules about it" in page.text
    assert "Rests on" not in page.text


@pytest.mark.parametrize("word", ["always", "never", "depends", "open"])
def test_a_verdict_has_a_word_and_a_shape_beside_its_colour(desk: Desk, word: str) -> None:
    cases = [{"verdict": word, "odds": word, "when": ""}]
    v = {**desk.ask(HEADLINE)["verdict"], "verdict": word, "claim": "It happens", "cases": cases, "reason": "", "clauses": []}
    page = read(answering(desk, verdict=v), "/?q=x")
    in_order(page.text, word, f"It happens: {word}.")
    assert [a for tag, a in page.tags if tag == "svg" and a.get("class") == f"icon {word}"]


@pytest.mark.parametrize(("tier", "says"), [
    ("printed", "Rests on: printed"), ("faq", "Rests on: FAQ"), ("community", "Rests on: community: not checked against the printed book"),
    ("assumed", "Rests on: assumed, switchable"), ("owner", "Rests on: your box"),
])
def test_on_what_a_verdict_rests_is_said_in_words(desk: Desk, tier: str, says: str) -> None:
    v = {**desk.ask(HEADLINE)["verdict"], "tier": tier, "turns_on": ["luathans.devastate.loss"]}
    page = read(answering(desk, verdict=v), "/?q=x")
    in_order(page.text, says, "Another reading would change it", desk.book.clauses["luathans.devastate.13"].text)
    assert "/r/luathans.devastate.13" in page.links()


def test_an_assumed_rule_gives_its_argument_with_the_printed_place_in_words(desk: Desk) -> None:
    result = {**desk.ask(HEADLINE)["results"][0], "tier": "assumed", "places": [], "reading": "x", "base": False, "why": "elder-races/faq/6 tells of one price"}
    page = read(answering(desk, results=[result]), "/?q=x")
    assert "assumed: Elder Races rulebook, FAQ, 6th question tells of one price, switchable" in page.text


def test_the_owners_printed_words_stand_in_a_quotation(desk: Desk) -> None:
    owned = create_app(Desk(desk.book, desk.sources, {"elder-races/faq/7": "Words of <my> own\nbook"})).test_client()
    for at in (ask(HEADLINE), "/q/faq.devastate-monsters"):
        page = read(owned, at)
        in_order(page.text, "As printed in your rulebook", "Words of <my> own", "book")
        assert "blockquote" in [tag for tag, _ in page.tags]
    assert "As printed" not in read(create_app(Desk(desk.book, desk.sources)).test_client(), ask(HEADLINE)).text


def test_what_was_read_as_what_and_what_the_sources_do_not_say_come_last(desk: Desk) -> None:
    page = read(answering(desk, read=[["MoM", "Mother of Monsters"]], silent=["The sources do not say who pays."]), "/?q=x")
    in_order(page.text, "Played out", "What the sources do not say", "The sources do not say who pays.", "How the question was read",
             "“MoM” as “Mother of Monsters”")


def test_a_question_is_text_and_never_markup(client: FlaskClient) -> None:
    for question in ("<script>alert(1)</script> Diplomacy", '"><img src=x onerror=alert(1)>', "{{7*7}} Diplomacy", "\u202e\x00 Diplomacy"):
        page = read(client, ask(question))
        assert "img" not in [tag for tag, _ in page.tags]
        assert "49" not in page.text.split("The ruling")[0]


# Other pages.


def test_the_first_page_has_one_box_in_focus_and_questions_of_the_books_own_scenarios(client: FlaskClient, desk: Desk) -> None:
    page = read(client, "/")
    boxes = [a for tag, a in page.tags if tag == "input"]
    assert len(boxes) == 1
    assert "autofocus" in boxes[0]
    asks = {str(a) for raw in desk.book.scenarios.values() for a in raw.get("asks") or ()}
    offered = [link for link in page.links() if link.startswith("/?q=")]
    assert offered
    assert all(any(link == f"/?q={quote_plus(a)}" for a in asks) for link in offered)
    assert {link for link in page.links() if link.startswith("/browse#")} <= {"/browse#" + id for id in read(client, "/browse").ids()}
    assert read(client, "/?q=").text == read(client, "/?q=+%20").text == page.text


def test_browse_leads_to_every_page_and_position_and_the_faq(client: FlaskClient, desk: Desk) -> None:
    links = read(client, "/browse").links()
    assert {f"/c/{id}" for id in desk.book.pages} <= set(links)
    assert {f"/s/{id}" for id in desk.book.scenarios} <= set(links)


def test_cards_are_listed_in_the_order_in_which_the_rulebook_has_them(client: FlaskClient, desk: Desk) -> None:
    order = list(desk.sources.passages)
    links = [link for link in read(client, "/browse").links() if link.startswith("/c/")]
    first = [min((order.index(p) for c in page.clauses for p in desk.book.clauses[c].passages), default=None)
             for page in sorted((p for p in desk.book.pages.values() if p.kind == "elder race"), key=lambda p: links.index("/c/" + p.id))]
    printed = [n for n in first if n is not None]
    assert printed == sorted(printed)
    assert None not in first[:len(printed)]


def test_every_clause_ruling_and_card_has_its_page(client: FlaskClient, desk: Desk) -> None:
    for id, clause in desk.book.clauses.items():
        page = read(client, f"/{'q' if desk.book.page_of(id).kind == 'faq' else 'r'}/{id}")
        in_order(page.text, id, clause.text, words.LABELS[clause.tier])
    for id, sheet in desk.book.pages.items():
        page = read(client, f"/c/{id}")
        in_order(page.text, sheet.title, *(desk.book.clauses[c].text for c in sheet.clauses))
        assert set(sheet.clauses) <= set(page.ids())


def test_every_position_of_the_book_has_its_page(client: FlaskClient, desk: Desk) -> None:
    for id, raw in desk.book.scenarios.items():
        page = read(client, f"/s/{id}")
        in_order(page.text, str(raw["title"]), "What follows", "The position", "What is done", "Link to this position")
        assert "Expected there" not in page.text


def test_a_clause_page_leads_to_its_page_its_neighbours_its_rivals_and_what_it_overrules(client: FlaskClient, desk: Desk) -> None:
    x = desk.show("luathans.devastate.9")
    page = read(client, "/r/luathans.devastate.9")
    for id in (x["previous"], x["next"], *(r["id"] for r in x["rivals"] if r["id"] != x["id"]), *x["overrides"]):
        assert f"/r/{id}" in page.links()
    in_order(page.text, "Browse", "Luathans", x["text"], "assumed", "The readings", "likelier", "It overrules", "How it is carried out")


def test_a_ruling_page_says_what_it_settles_and_what_shows_it(client: FlaskClient, desk: Desk) -> None:
    page = read(client, "/q/faq.devastate-monsters")
    in_order(page.text, "Ruling", desk.book.clauses["faq.devastate-monsters"].text, "FAQ", "Elder Races rulebook, FAQ, 7th question",
             "Chaos Monsters rulebook, FAQ, 3rd question", "It settles", "Shown by")
    assert HEMMED in page.links()
    assert read(client, f"{HEMMED}?without=faq.devastate-monsters")


def test_a_card_gives_each_field_as_a_value_with_its_tier_or_as_unknown_to_the_sources(client: FlaskClient, desk: Desk) -> None:
    page = read(client, "/c/luathans")
    fields = desk.show("luathans")["fields"]
    assert {f["silent"] for f in fields} == {True, False}
    for f in fields:
        in_order(page.text, f["name"].capitalize(), "The sources do not say" if f["silent"] else words.capital(f["value"]))
        assert f["silent"] or f"/r/{f['clause']}" in page.links()


@pytest.mark.parametrize(("asked", "sent"), [
    ("/r/faq.devastate-monsters", "/q/faq.devastate-monsters"), ("/c/luathans.devastate.1", "/r/luathans.devastate.1"), ("/q/luathans", "/c/luathans"),
    ("/r/devastate-hemmed-in", HEMMED),
])
def test_what_stands_under_another_letter_is_sent_there(client: FlaskClient, asked: str, sent: str) -> None:
    got = client.get(asked)
    assert (got.status_code, got.location) == (302, sent)
    assert "Content-Security-Policy" in got.headers


def test_health_is_told_in_a_word(client: FlaskClient) -> None:
    got = client.get("/healthz")
    assert (got.status_code, got.text, got.mimetype) == (200, "ok\n", "text/plain")


def test_the_styles_and_the_icon_are_served_and_named_by_the_pages(client: FlaskClient) -> None:
    named = [str(a["href"]) for tag, a in read(client, "/").tags if tag == "link"]
    assert len(named) == 2
    for at in named:
        got = client.get(at)
        assert got.status_code == 200
        assert got.headers["X-Content-Type-Options"] == "nosniff"
        got.close()


# Positions.


POSITION: Mapping[str, Any] = {
    "title": "A position of <my> own", "map": {"Area A": ["Area B", "Area C"], "Area B": {"kind": "sea", "next": []}}, "arrows": ["Area C -> Area B"],
    "players": {"Sea": {"ally": "Luathans", "power": "2"}},
    "units": {"Area A": ["Mother of Monsters", "2 Luathans of Sea", "3 heroes (combat 2, cost 3) of Moon"], "Area B": ["Spawn"]},
    "buildings": {"Area C": ["Temple of Moon"]}, "do": ["Sea devastates Area A"], "claims": ["Mother of Monsters is killed", "Sea loses 1 Luathan"],
}


def test_a_position_nobody_listed_opens_from_its_link_with_all_its_words(client: FlaskClient, desk: Desk) -> None:
    code = encode(POSITION)
    page = read(client, "/s/" + code)
    in_order(page.text, "A position of <my> own", "What follows", "Mother of Monsters is killed: never", "The position", "Area A (land):",
             "Mother of Monsters", "3 heroes (combat 2, cost 3) of Moon", "Borders on Area B, Area C", "Area B (sea): Spawn", "Temple of Moon",
             "Arrow to Area B", "Sea: 2 Power, ally Luathans", "test map", "What is done", "Sea devastates Area A", "Step by step", "Which rules decide",
             "Link to this position")
    (link,) = [str(a["value"]) for tag, a in page.tags if tag == "input" and a.get("type") == "url"]
    assert link.startswith("http://localhost/s/")
    assert decode(link.rsplit("/", 1)[1]) == decode(code)


def test_a_position_without_its_deciding_rule_is_shown_before_and_after(client: FlaskClient, desk: Desk) -> None:
    plain = read(client, HEMMED)
    assert f"{HEMMED}?without={ONTO_SPAWN}" in plain.links()
    page = read(client, f"{HEMMED}?without={ONTO_SPAWN}")
    in_order(page.text, "Without this rule", desk.book.clauses[ONTO_SPAWN].text, "With the rule struck out", "Mother of Monsters is killed: never",
             "As the rules stand", "Mother of Monsters is killed: always")
    assert HEMMED in page.links()


def test_a_position_that_turns_on_a_reading_can_be_read_the_other_way(client: FlaskClient, desk: Desk) -> None:
    base, rival = "luathans.devastate.13", "luathans.devastate.15"
    page = read(client, HEMMED)
    in_order(page.text, "What it turns on", "taken here", desk.book.clauses[base].text, desk.book.clauses[rival].text, "Read it so")
    turned = [link for link in page.links() if link.startswith("/s/1")]
    read_so = next(link for link in turned if decode(link.removeprefix("/s/"))["readings"]["luathans.devastate.loss"] == rival)
    other = read(client, read_so)
    in_order(other.text, "Sea loses 1 Luathan: never", "Read so: " + desk.book.clauses[rival].text)
    assert "Expected there" not in other.text


def test_a_claim_that_does_not_come_out_as_its_file_says_is_marked(client: FlaskClient) -> None:
    raw = {**POSITION, "claims": [{"Mother of Monsters is killed": "always"}]}
    assert "Expected there: always." in read(client, "/s/" + encode(raw)).text


def test_another_line_of_play_is_shown_where_there_is_one(client: FlaskClient) -> None:
    raw = {**POSITION, "claims": ["Mother of Monsters is routed to Area C"], "map": {"Area A": ["Area B", "Area C", "Area D"]}, "arrows": []}
    page = read(client, "/s/" + encode(raw))
    in_order(page.text, "Mother of Monsters is routed to Area C: depends", "from 0 to 1: choices decide", "Step by step", "How it can go otherwise")


@pytest.mark.parametrize(("least", "greatest", "word", "says"), [
    ("1", "1", "always", ""), ("0", "0", "never", ""), ("1/6", "1/6", "depends", "1/6 (16.7 %)"),
    ("1/6", "1/2", "depends", "from 1/6 (16.7 %) to 1/2 (50 %), as is chosen"), ("0", "1", "depends", "from 0 to 1: choices decide"),
    ("1/6000", "1/6000", "depends", "1/6000 (under 0.1 %)"), ("5999/6000", "1", "depends", "from 5999/6000 (over 99.9 %) to 1 (100 %), as is chosen"),
])
def test_odds_are_a_fraction_and_a_percentage(least: str, greatest: str, word: str, says: str) -> None:
    assert words.odds(least, greatest, word) == says


@pytest.mark.parametrize("asked", [HEADLINE, "moon enslavement vs spawn"])
def test_the_page_says_the_verdicts_sentence_word_for_word(client: FlaskClient, desk: Desk, asked: str) -> None:
    verdict = desk.ask(asked)["verdict"]
    page = client.get("/", query_string={"q": asked}).text
    heading = re.search(r"<h1>(.*?)</h1>", page, re.S)
    assert heading
    assert once(unescape(re.sub(r"<[^>]+>", "", heading[1]))) == verdict["says"]


def drawn(desk: Desk, areas: Mapping[str, Sequence[str]], arrows: Sequence[str] = ()) -> Picture | None:
    """The picture of a bare map."""
    return position(desk.book, build(desk.book, {"map": {a: list(n) for a, n in areas.items()}, "arrows": list(arrows)})).picture


@pytest.mark.parametrize("n", range(1, MOST + 1))
def test_every_area_is_drawn_once_and_no_two_overlap(desk: Desk, n: int) -> None:
    names = [f"Area {chr(65 + i)}" for i in range(n)]
    picture = drawn(desk, {a: [names[i + 1]] if i + 1 < n else [] for i, a in enumerate(names)})
    assert picture is not None
    assert sorted(b.area.name for b in picture.boxes) == names
    for b in picture.boxes:
        assert 0 <= b.x
        assert b.x + b.w <= picture.width
        assert b.y + b.h <= picture.height
        for c in picture.boxes:
            assert b is c or b.x + b.w <= c.x or c.x + c.w <= b.x or b.y + b.h <= c.y or c.y + c.h <= b.y


@pytest.mark.parametrize("leaves", range(1, 7))
def test_no_border_of_an_area_and_its_neighbours_runs_through_a_third(desk: Desk, leaves: int) -> None:
    names = [f"Area {chr(66 + i)}" for i in range(leaves)]
    picture = drawn(desk, {"Area A": names})
    assert picture is not None
    assert len(picture.borders) == leaves
    for x1, y1, x2, y2 in picture.borders:
        inside = {b.area.name for b in picture.boxes for t in range(101)
                  if b.x < x1 + (x2 - x1) * t / 100 < b.x + b.w and b.y < y1 + (y2 - y1) * t / 100 < b.y + b.h}
        assert len(inside) == 2


def test_a_map_too_large_to_draw_is_told_in_words(client: FlaskClient, desk: Desk) -> None:
    names = [f"Area {chr(65 + i)}" for i in range(MOST + 1)]
    raw = {"map": {"Area A": names[1:]}}
    assert drawn(desk, raw["map"]) is None
    page = read(client, "/s/" + encode(raw))
    assert all(f"{name} (land)" in page.text for name in names)


# Bad input.


@pytest.mark.parametrize(("at", "status", "says"), [
    ("/?q=" + "x" * 10_000, 400, "characters"), ("/r/luathan.devastat", 404, "nothing here is called"), ("/q/nothing", 404, "nothing here is called"),
    ("/c/luathan", 404, "luathans"), ("/s/devastate-hemmed", 404, "devastate-hemmed-in"), ("/s/1abc", 400, "damaged"), ("/s/9abc", 400, "version 9"),
    ("/s/1" + "A" * 5000, 400, "damaged"), ("/s/a%0Ab", 404, "no scenario"), ("/s/a:%20b", 404, "no scenario"), ("/s/%F0%9F%92%A5", 404, "no scenario"),
    ("/?q=Diplomacy&without=luathan.devastat", 400, "luathans.devastate"), (f"{HEMMED}?without=nothing", 400, "no clause"),
    (f"{HEMMED}?without=luathans.devastate.1", 400, "cannot be struck"), ("/nowhere", 404, "nothing stands at /nowhere"), ("/r/", 404, "nothing stands"),
    ("/static/../pages.py", 404, ""), ("/static/nothing.css", 404, ""), ("/%00", 404, ""), ("/r/" + "x" * 2000, 404, ""), ("/c/<script>", 404, "<script>"),
])
def test_what_cannot_be_shown_is_told_in_a_line_beside_the_box(client: FlaskClient, at: str, status: int, says: str) -> None:
    assert says.lower() in read(client, at, status).text.lower()


@pytest.mark.parametrize(("raw", "says"), [
    ({"units": {"Area A": ["Spwan"]}}, "Spawn"), ({"units": {"Sloon": ["Spawn"]}}, "Slon"), ({"players": {"See": {}}}, "Sea"),
    ({"do": ["Sea devastate Slon"]}, "devastates"), ({"claims": ["Spawn is kiled"]}, "killed"), ({"players": {"Sea": {"power": "-1"}}}, "-1"),
    ({"unit": {}}, "units"), ({"map": "x"}, "map"), ({"units": {"Area A": [["x"]]}}, ""),
])
def test_a_link_with_a_wrong_word_is_refused_with_the_word_and_the_nearest(client: FlaskClient, raw: Mapping[str, Any], says: str) -> None:
    assert says in read(client, "/s/" + encode(raw), 400).text


def test_an_unknown_id_leads_to_the_nearest(client: FlaskClient) -> None:
    assert "/r/luathans.devastate.1" in read(client, "/r/luathan.devastate.1", 404).links()


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_the_pages_are_only_read(client: FlaskClient, method: str) -> None:
    got = getattr(client, method)("/")
    assert got.status_code == 405
    assert "GET" in got.headers.get("Allow", "")
    assert Reader(got.text)


def test_a_fault_of_ours_gives_a_plain_page_and_one_line_to_the_server(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    other = Desk(desk.book, desk.sources)

    def broken(question: str, without: Sequence[str] = ()) -> dict[str, Any]:
        raise RuntimeError("two\nlines")

    other.ask = broken  # type: ignore[method-assign]
    got = create_app(other).test_client().get("/?q=x")
    assert got.status_code == 500
    assert "RuntimeError" not in got.text
    assert "fault of the program" in unescape(got.text)
    assert [r.getMessage() for r in caplog.records] == ["GET /: RuntimeError: two lines"]
    assert not caplog.records[0].exc_info


# Serving.


class Terminal(io.StringIO):
    """An output with an encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def test_the_loopback_address_is_told_and_no_other() -> None:
    out = Terminal("utf-8")
    announce("127.0.0.1", 8000, False, out)
    assert out.getvalue().splitlines()[0] == "Lawspeaker: http://127.0.0.1:8000/"
    assert "\N{FULL BLOCK}" not in out.getvalue()


@pytest.mark.parametrize(("encoding", "drawn"), [("utf-8", "\N{FULL BLOCK}"), ("ascii", "\033[7m")])
def test_the_lan_address_is_told_with_a_qr_code(monkeypatch: pytest.MonkeyPatch, encoding: str, drawn: str) -> None:
    monkeypatch.setattr("web.serve.lan_address", lambda: "192.168.7.9")
    out = Terminal(encoding)
    announce("0.0.0.0", 8000, True, out)
    out.getvalue().encode(encoding)
    in_order(once(out.getvalue()), "http://127.0.0.1:8000/", "http://192.168.7.9:8000/")
    assert drawn in out.getvalue()


def test_a_machine_without_a_network_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.serve.lan_address", lambda: None)
    out = Terminal("utf-8")
    announce("0.0.0.0", 8000, True, out)
    assert "No network was found" in out.getvalue()


class Probe:
    """A socket that reaches one network only, and may not send."""

    reached = ""

    def __init__(self, *kind: int) -> None:
        assert kind == (socket.AF_INET, socket.SOCK_DGRAM)

    def __enter__(self) -> Probe:
        return self

    def __exit__(self, *what: object) -> None:
        pass

    def connect(self, at: tuple[str, int]) -> None:
        if not self.reached or not at[0].startswith(self.reached):
            raise OSError("Network is unreachable")

    def getsockname(self) -> tuple[str, int]:
        return self.reached + ".5", 40000


@pytest.mark.parametrize(("reached", "found"), [("192.0.2", "192.0.2.5"), ("192.168.43", "192.168.43.5"), ("", None)])
def test_the_lan_address_is_found_without_sending_anything(monkeypatch: pytest.MonkeyPatch, reached: str, found: str | None) -> None:
    monkeypatch.setattr(Probe, "reached", reached)
    monkeypatch.setattr("web.serve.socket.socket", Probe)
    assert lan_address() == found


@pytest.mark.parametrize(("lan", "host"), [(False, "127.0.0.1"), (True, "0.0.0.0")])
def test_only_lan_opens_the_pages_to_the_network(desk: Desk, monkeypatch: pytest.MonkeyPatch, lan: bool, host: str) -> None:
    given: dict[str, Any] = {}

    class Server:
        def run(self) -> None:
            pass

        def close(self) -> None:
            pass

    def made(app: object, **how: Any) -> Server:
        (given["at"],) = [s.getsockname() for s in how["sockets"]]
        return Server()

    monkeypatch.setattr("web.serve.create_server", made)
    out = Terminal("utf-8")
    serve(port=0, lan=lan, desk=desk, out=out)
    assert given["at"][0] == host
    assert f"http://127.0.0.1:{given['at'][1]}/" in out.getvalue()


def test_a_port_in_use_is_told_in_a_line(desk: Desk) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe) as wrong:
            serve(port=port, desk=desk, out=io.StringIO())
    assert wrong.value.says.startswith(f"cannot serve at 127.0.0.1:{port}: ")
    assert "\n" not in wrong.value.says

"""The sandbox: a dispute set up by taps, decided, and handed over as a link."""
from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote, urlencode

import pytest
from flask.testing import FlaskClient

from lookup.answer import Desk
from lookup.scenario import build, decode
from web import create_app

HEMMED = "devastate-hemmed-in"


@pytest.fixture(scope="module")
def client(desk: Desk) -> FlaskClient:
    return create_app(desk).test_client()


def tapped(client: FlaskClient, at: str, what: str, **words: str) -> str:
    """The address of the position after a tap."""
    code = at.removeprefix("/sandbox/").partition("?")[0]
    answer = client.get(f"/sandbox/{code}/change?{urlencode({'what': what, **words})}")
    assert answer.status_code == 303, unescape(answer.text)[:2000]
    return str(answer.headers["Location"])


def test_a_battle_is_set_up_by_taps_alone_and_its_odds_are_shown(client: FlaskClient, desk: Desk) -> None:
    at = re.findall(r'action="(/sandbox/[^"/]+)/change"', client.get("/sandbox").text)[0]
    for who in ("Red", "Blue"):
        at = tapped(client, at, "player", player=who)
        at = tapped(client, at, "put", kind="hero", owner=who, combat="1", cost="2", area="Area A", n="1")
    at = tapped(client, at, "do", says="Red battles Blue in Area A")
    at = tapped(client, at, "claim", says="hero of Blue is killed")
    page = unescape(client.get(at).text)
    assert "1/6" in page
    state = build(desk.book, decode(at.rsplit("/", 1)[1])).state
    assert state.counter("Red", "power") == 6


def test_every_tap_and_option_on_the_page_of_a_position_can_be_followed(client: FlaskClient) -> None:
    page = client.get(f"/sandbox/{HEMMED}").text
    links = {unescape(h) for h in re.findall(r'href="(/sandbox/[^"]+/change[^"]*)"', page)}
    assert len(links) > 20
    assert {client.get(link).status_code for link in links} == {303}
    says = re.findall(r'<select id="do" name="says">(.*?)</select>', page, re.S)[0]
    act = re.findall(r'action="([^"]+/change)"', page)[0]
    for option in re.findall(r"<option>([^<]+)", says)[:40]:
        assert client.get(f"{act}?what=do&says={quote(unescape(option))}").status_code == 303


def test_what_is_forbidden_is_told_with_the_clause_that_forbids_it(client: FlaskClient, desk: Desk) -> None:
    page = unescape(client.get(f"/sandbox/{HEMMED}").text)
    assert desk.book.clauses["luathans.devastate.18"].text in page


def test_a_wrong_change_keeps_the_position_and_says_what_is_wrong(client: FlaskClient) -> None:
    answer = client.get(f"/sandbox/{HEMMED}/change?what=put&piece=Luathn+of+Sea&area=Slon&n=1")
    page = unescape(answer.text)
    assert answer.status_code == 400
    assert "nearest: Luathan" in page
    assert "Mother of Monsters is killed" in page


def test_a_rule_struck_out_stays_struck_out_through_the_taps(client: FlaskClient) -> None:
    code = re.findall(r'action="/sandbox/([^"/]+)/change"', client.get(f"/sandbox/{HEMMED}").text)[0]
    struck = "mother-of-monsters.titanic.2"
    answer = client.get(f"/sandbox/{code}/change?what=count&player=Sea&counter=power&n=3&without={struck}")
    assert answer.headers["Location"].endswith(f"?without={struck}")
    page = unescape(client.get(answer.headers["Location"]).text)
    assert "Put it back" in page
    assert "Mother of Monsters is killed: never" in " ".join(re.sub(r"<[^>]+>", "", page).split())


def test_a_reading_is_a_switch(client: FlaskClient, desk: Desk) -> None:
    page = client.get(f"/sandbox/{HEMMED}").text
    link = next(unescape(h) for h in re.findall(r'href="([^"]+what=read[^"]*)"', page))
    at = client.get(link).headers["Location"]
    assert build(desk.book, decode(at.rsplit("/", 1)[1])).readings


@pytest.mark.parametrize("at", ["/sandbox/nothing-such", "/sandbox/9abc", "/sandbox/1AAAA", "/sandbox/1AAAA/change?what=put", "/s/1AAAA/qr.svg"])
def test_a_damaged_link_or_one_of_another_version_is_explained(client: FlaskClient, at: str) -> None:
    assert client.get(at).status_code in (400, 404)


def test_the_qr_code_of_a_position_is_a_picture(client: FlaskClient) -> None:
    answer = client.get(f"/s/{HEMMED}/qr.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.data.startswith(b"<svg")

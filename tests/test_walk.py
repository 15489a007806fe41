"""Stepping through a position by hand, and its pages."""
from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from lookup.answer import Desk
from lookup.engine.clause import Rulebook
from lookup.scenario import BadText, play, shipped
from lookup.walk import answers_of, walk
from web import create_app

HEMMED = "devastate-hemmed-in"


@pytest.fixture(scope="module")
def book(desk: Desk) -> Rulebook:
    return desk.book


@pytest.fixture(scope="module")
def client(desk: Desk) -> FlaskClient:
    return create_app(desk).test_client()


def test_a_walk_waits_at_the_first_choice_that_no_answer_is_given_for(book: Rulebook) -> None:
    w = walk(book, shipped(book, HEMMED))
    assert w.waits is not None
    assert not w.over
    assert {way.says for way in w.waits.ways} == {"Enmal Mountains", "Slon"}
    assert [f.event.what for f in w.frames] == ["action", "eliminated"]


def test_a_walk_along_a_line_of_play_ends_where_the_line_ends(book: Rulebook) -> None:
    for id in list(book.scenarios)[::7]:
        s = shipped(book, id)
        told = play(book, s, runs=60_000, seconds=20).line
        w = walk(book, replace(s, answers=answers_of(book, s, told)))
        assert (w.end, w.silent) == (told.end, told.silent), id
        assert [f.event.says for f in w.frames] == [e.says for e in told.events], id
        assert all(a.after == b.before for a, b in zip(w.frames, w.frames[1:])), id


def test_another_answer_at_a_choice_leads_elsewhere(book: Rulebook) -> None:
    s = shipped(book, HEMMED)
    ends = {walk(book, replace(s, answers=(way,))).frames[3].after for way in ("Slon", "Enmal Mountains")}
    assert len(ends) == 2


def test_the_chances_of_a_roll_are_exact(book: Rulebook) -> None:
    rolls = [w.waits for id in book.scenarios if (w := walk(book, shipped(book, id))).waits is not None and w.waits.is_roll]
    assert rolls
    assert all(sum(way.chance or 0 for way in roll.ways) == 1 for roll in rolls)


def test_an_answer_that_fits_no_choice_is_refused_with_the_nearest(book: Rulebook) -> None:
    with pytest.raises(BadText, match="Slon"):
        walk(book, replace(shipped(book, HEMMED), answers=("Sloon",)))


def test_each_step_stands_on_a_page_of_its_own(client: FlaskClient, book: Rulebook) -> None:
    at = f"/s/{HEMMED}/steps?a=Slon"
    s = replace(shipped(book, HEMMED), answers=("Slon",))
    frames = walk(book, s).frames
    for n, frame in enumerate(frames, 1):
        page = client.get(f"{at}&at={n}")
        assert page.status_code == 200
        assert frame.event.says in unescape(page.text)
    end = unescape(client.get(f"{at}&at={len(frames) + 1}").text)
    assert "All is done." in end
    assert all(w.says in end for w in s.wants)


def test_a_page_of_a_step_draws_a_rout_as_an_arrow_and_a_kill_as_a_cross(client: FlaskClient, book: Rulebook) -> None:
    drawn = {}
    for n, frame in enumerate(walk(book, replace(shipped(book, HEMMED), answers=("Slon",))).frames, 1):
        text = client.get(f"/s/{HEMMED}/steps?a=Slon&at={n}").text
        drawn[frame.event.what] = ('class="way"' in text and "marker-end" in text, 'class="cross"' in text)
    assert drawn["routed"] == (True, False)
    assert drawn["killed"] == (False, True) == drawn["eliminated"]


def test_a_page_offers_the_other_ways_of_a_choice_that_was_made(client: FlaskClient) -> None:
    page = client.get(f"/s/{HEMMED}/steps?a=Slon&at=3").text
    to = re.search(r'<a class="way" href="([^"]+)">Enmal Mountains', page)
    assert to is not None
    assert "to Enmal Mountains" in client.get(unescape(to[1]).replace("at=3", "at=4")).text


@pytest.mark.parametrize("query", ["a=nowhere", "a=" + quote("\x00<script>"), "a=Slon&without=no.such"])
def test_an_address_with_a_wrong_answer_is_refused_in_one_line(client: FlaskClient, query: str) -> None:
    page = client.get(f"/s/{HEMMED}/steps?{query}")
    assert page.status_code == 400
    assert "<script>" not in page.text


@pytest.mark.parametrize("at", ["0", "-1", "x", "9" * 40, "99999"])
def test_a_step_that_there_is_not_is_the_nearest_one(client: FlaskClient, at: str) -> None:
    assert client.get(f"/s/{HEMMED}/steps?a=Slon&at={at}").status_code == 200

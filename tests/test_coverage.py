"""The tables: what stands where, and what each reading changes."""
from __future__ import annotations

import json
from html import unescape

import pytest
from flask.testing import FlaskClient

from lookup import cli
from lookup.answer import Desk
from lookup.coverage import Coverage
from lookup.scenario import play, shipped
from web import create_app


@pytest.fixture(scope="module")
def tables(desk: Desk) -> Coverage:
    return Coverage(desk.book)


@pytest.fixture(scope="module")
def client(desk: Desk) -> FlaskClient:
    return create_app(desk).test_client()


def test_every_clause_has_a_row_with_a_place_or_a_mark_and_a_coded_one_a_scenario(tables: Coverage, desk: Desk) -> None:
    rows = tables.rows()
    assert [row.id for row in rows] == list(desk.book.clauses)
    assert all(bool(row.place) != bool(row.mark) for row in rows)
    # Some clauses speak only where a reading is turned, so not every one is met under the bases.
    assert sum(bool(row.scenarios) for row in rows if row.place) > 0.9 * sum(bool(row.place) for row in rows)


def test_every_printed_passage_leads_to_its_clauses(tables: Coverage, desk: Desk) -> None:
    passages = tables.passages()
    assert set(passages) >= set(desk.sources.passages) - set(desk.sources.no_rule)


def test_a_reading_changes_what_the_scenario_says_when_it_is_turned(tables: Coverage, desk: Desk) -> None:
    reading = tables.reading("rout.stuck")
    assert reading.rivals[0].base
    assert all(rival.why for rival in reading.rivals)
    change = next(c for c in reading.changes if c.base == "always")
    s = shipped(desk.book, change.scenario)
    turned = play(desk.book.turned({**s.readings, "rout.stuck": change.rival}), s.__class__(**{**s.__dict__, "readings": {}}))
    word = turned.solved.verdicts[[w.says for w in s.wants].index(change.says)].word
    assert word != "always"


def test_the_commands_print_the_tables(capsys: pytest.CaptureFixture[str], desk: Desk) -> None:
    assert cli.main(["readings", "--json", "rout.stuck"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [r["base"] for r in found["readings"][0]["rivals"]] == [True, False, False]
    assert cli.main(["coverage", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["clauses"]) == len(desk.book.clauses)


def test_a_misspelt_reading_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["readings", "rout.stuk"]) == 1
    assert "nearest: rout.stuck" in capsys.readouterr().err


def test_the_pages_show_the_tables(client: FlaskClient, desk: Desk) -> None:
    page = unescape(client.get("/readings").text)
    assert all(desk.book.clauses[desk.book.choice(name)].text in page for name in desk.book.readings if desk.book.based(name))
    page = unescape(client.get("/readings/rout.stuck").text)
    assert all(desk.book.clauses[id].text in page for id in desk.book.readings["rout.stuck"])
    assert client.get("/readings/rout.stuk").status_code == 404
    assert f"{sum(bool(c.mark.kind) for c in desk.book.clauses.values())} coded" in client.get("/coverage").text

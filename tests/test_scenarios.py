"""Every shipped scenario holds, and is the same position in a file, as JSON and in a link."""
import base64
import json
import zlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lookup import scenario
from lookup.book import load
from lookup.engine.graph import Budget, Solver
from lookup.engine.play import TooBig, advance
from lookup.engine.state import Piece, State
from lookup.plain import BadText

BOOK = load()
LONGEST_LINK = 1500


@pytest.mark.parametrize("id", sorted(BOOK.scenarios))
def test_what_a_scenario_claims_holds(id: str) -> None:
    played = scenario.play(BOOK, scenario.shipped(BOOK, id))
    said = [(w.says, w.value) for w in played.scenario.wants]
    found = [(w.says, w.value if holds else f"{v.word} {v.least}..{v.greatest}")
             for w, v, holds in zip(played.scenario.wants, played.solved.verdicts, played.holds)]
    assert found == said
    assert all(value for _, value in said), "a shipped claim says its verdict"
    assert said, "a scenario claims something"


@pytest.mark.parametrize("id", sorted(BOOK.scenarios))
def test_a_scenario_is_the_same_position_as_json_and_in_a_link(id: str) -> None:
    shipped = scenario.shipped(BOOK, id)
    as_json = scenario.of_text(BOOK, json.dumps(shipped.raw), "json")[0]
    linked = scenario.build(BOOK, scenario.decode(scenario.encode(shipped.raw)), "link")
    for again in (as_json, linked):
        assert again.state == shipped.state
        assert again.raw == shipped.raw
        assert [(w.says, w.value, w.reads) for w in again.wants] == [(w.says, w.value, w.reads) for w in shipped.wants]
        assert (again.id, again.title, again.asks, again.proves) == (shipped.id, shipped.title, shipped.asks, shipped.proves)
        assert (again.readings, again.answers) == (shipped.readings, shipped.answers)
    assert scenario.encode(linked.raw) == scenario.encode(shipped.raw)


@pytest.mark.parametrize("id", sorted(BOOK.scenarios))
def test_the_link_of_a_scenario_is_short_enough_to_send(id: str) -> None:
    code = scenario.encode(scenario.shipped(BOOK, id).raw)
    assert len("/s/" + code) < LONGEST_LINK
    assert code[0].isdigit(), "no id begins with a digit"


def test_at_least_25_scenarios_are_shipped() -> None:
    assert len(BOOK.scenarios) >= 25


def test_no_title_and_no_question_stands_twice() -> None:
    raws = list(BOOK.scenarios.values())
    titles = [str(raw["title"]).lower() for raw in raws]
    asks = [str(ask).lower() for raw in raws for ask in ([raw["asks"]] if isinstance(raw.get("asks"), str) else raw.get("asks", []))]
    for words in (titles, asks):
        assert sorted(set(words)) == sorted(words)


def packed(value: Any) -> str:
    """A link's code for any value."""
    return scenario.VERSION + base64.urlsafe_b64encode(zlib.compress(json.dumps(value).encode(), 9)).decode().rstrip("=")


@pytest.mark.parametrize(("code", "says"), [
    ("", "does not begin with a version number"),
    ("devastate-hemmed-in", "does not begin with a version number"),
    ("9abc", "is of version 9"),
    ("1", "damaged|end is missing"),
    ("1!!!!", "damaged"),
    ("1ü", "damaged"),
    ("1" + "A" * 40, "damaged"),
    (packed({"do": ["x"] * 9})[:-6], "end is missing|damaged"),
    (packed("x" * 70_000), "holds more than"),
    (packed(["a list"]), "holds no position"),
    (packed(7), "holds no position"),
    (packed({"title": "\ud800"}), "damaged"),
])
def test_a_broken_link_is_refused_in_one_line(code: str, says: str) -> None:
    with pytest.raises(BadText, match=says) as refused:
        scenario.decode(code)
    assert "\n" not in str(refused.value)


WORDS = (
    "", "Sea", "Area A", "Area B", "Slon", "Spawn", "2 Luathans of Sea", "0 Spawn", "-1 Spawn", "hero (combat 2) of Red", "hero (combat x", "Shrine of Sea",
    "next", "kind", "power", "ally", "7", "-1", "Area A -> Area B", "Sea devastates Area A", "Sea uses Birth", "Red battles Blue in Area A",
    "Spawn is killed", "always", "1/0", "1/6..1/2", "rout.stuck", "rout.stuck.2", "\ud800", "\x00", "a\nb", "a" * 300,
)
values = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS),
                      lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3), max_leaves=8)


@given(st.dictionaries(st.sampled_from((*scenario.KEYS, "nothing")), values, max_size=5))
@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_a_program_sends_is_a_position_or_is_refused_in_one_line(raw: dict[str, Any]) -> None:
    said = ""
    try:
        position = scenario.build(BOOK, raw)
        scenario.build(BOOK, scenario.decode(scenario.encode(position.raw)))
        scenario.play(BOOK, position, runs=2000, seconds=2)
    except (BadText, TooBig) as refused:
        said = str(refused)
    assert "\n" not in said


@pytest.mark.parametrize("n", [200, 1000])
def test_a_battle_of_hundreds_is_said_to_be_too_large_before_it_is_played(n: int) -> None:
    text = f"""
        map: {{Area A: [Area B]}}
        units: {{Area A: ["{n} heroes (combat 9) of Red", "{n} heroes (combat 9) of Blue"]}}
        do: [Red battles Blue in Area A]
        claims: [Blue loses 3 or more units]
    """
    (position,) = scenario.of_text(BOOK, text, "position")
    with pytest.raises(TooBig, match="dice in one roll are too many"):
        scenario.play(BOOK, position)


def test_a_unit_that_a_comma_cut_in_two_is_told_how_to_be_written() -> None:
    with pytest.raises(BadText, match="on a line of its own, or in quotes"):
        scenario.of_text(BOOK, "units: {Area A: [3 minions (combat 1, cost 1) of Blue]}", "position")


@pytest.mark.parametrize(("id", "clause"), [
    ("diplomacy-second-ally", "diplomacy.ally.1"), ("diplomacy-no-emissary", "diplomacy.where.1"), ("neutral-race-attacked", "setup.neutral.2"),
    ("neutral-ability", "setup.neutral.3"), ("construction-without-a-building", "buildings.pool.1"), ("birth-hemmed-in", "mother-of-monsters.birth.5"),
    ("teleport-with-a-neutral-race", "storm.teleport.10"), ("ally-ability-of-another", "alliance.ability.2"),
])
def test_what_is_not_allowed_changes_nothing_and_names_the_clause(id: str, clause: str) -> None:
    before = scenario.shipped(BOOK, id).state
    after = advance(BOOK, before)
    assert (after.pieces, after.counters) == (before.pieces, before.counters)
    (refused,) = set(after.flags) - set(before.flags)
    assert (refused[0], refused[2:]) == ("refused", (clause,))


def position(players: dict[str, Any], units: list[str]) -> dict[str, Any]:
    """A position on one area in which one race is looked at."""
    done = {"do": ["Sea devastates Luathela"], "claims": [{"the action is refused": "never"}]}
    return {"map": {"Luathela": []}, "players": players, "units": {"Luathela": units}, **done}


def test_a_player_with_units_of_a_race_has_it_for_an_ally() -> None:
    read = scenario.build(BOOK, position({}, ["Luathan", "Luathan of Sea"]))
    assert ("ally", "Sea", "Luathans") in read.state.flags
    assert [(p.owner, n) for _, p, n in read.state.pieces] == [("Sea", 2)]


@pytest.mark.parametrize(("players", "units"), [
    ({"Sea": {"ally": "Luathans"}, "Red": {"ally": "Luathans"}}, ["Luathan"]),
    ({"Sea": {"ally": "Luathans"}}, ["Luathan of Red"]),
    ({}, ["Luathan of Sea", "Luathan of Red"]),
])
def test_a_race_is_the_ally_of_one_player(players: dict[str, Any], units: list[str]) -> None:
    with pytest.raises(BadText, match="has Luathans as ally"):
        scenario.build(BOOK, position(players, units))


def numbered(state: State, name: str) -> State:
    """The position with a number given to every unit whose card leaves it open."""
    pieces: dict[tuple[str, Piece], int] = {}
    for place, piece, n in state.pieces:
        field = BOOK.units[piece.kind].fields.get(name) if piece.kind in BOOK.units else None
        piece = piece.marked(name, "1") if field is not None and field.silent and piece.mark(name) is None else piece
        pieces[place, piece] = pieces.get((place, piece), 0) + n
    return state.changed(pieces=tuple(sorted((place, piece, n) for (place, piece), n in pieces.items())))


def outcome(s: scenario.Scenario) -> tuple[object, set[str]]:
    """The chances of a scenario's claims, and the questions that clauses answered on the way."""
    book = BOOK.turned(s.readings) if s.readings else BOOK
    solver = Solver(book, [w.holds for w in s.wants], s.keeps, Budget(100_000, 60.0))
    found = solver.start(*scenario.begun(book, s, strict=False))
    return found, {BOOK.clauses[id].mark.question for id in solver.log.spoke}


@pytest.mark.parametrize("name", ["cost", "combat"])
def test_a_number_given_to_a_unit_makes_it_no_other_unit(name: str) -> None:
    tried = 0
    for id in BOOK.scenarios:
        s = scenario.shipped(BOOK, id)
        other = replace(s, state=numbered(s.state, name))
        if other.state == s.state:
            continue
        before, asked = outcome(s)
        after, asked_then = outcome(other)
        if name not in asked | asked_then:
            tried += 1
            assert after == before, id
    assert tried > 50

"""What more is told of a position is true: witnesses replay, rules decide that are said to, tables agree with an independent dice library."""
from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from textwrap import dedent
from time import monotonic
from typing import Any

import pytest

from lookup import scenario
from lookup.answer import Desk
from lookup.book import load
from lookup.cli import main
from lookup.engine.clause import DECIDING, Rulebook
from lookup.engine.decide import Removal, deciding, parting, under_every
from lookup.engine.graph import Stance
from lookup.engine.play import Choose, Need, TooBig, advance
from lookup.engine.solve import Line, Position, Sheet, examine, line
from lookup.inquiry import known, losses, played_by, vary, witness

SECONDS = 60.0


@pytest.fixture(scope="module")
def game(desk: Desk) -> Rulebook:
    return desk.book


@pytest.fixture(scope="module")
def harbour() -> Iterator[Rulebook]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(Path(__file__).parent), *sys.path])
        yield load("harbour")


def position(book: Rulebook, text: str) -> scenario.Scenario:
    (found,) = scenario.of_text(book, dedent(text), "position")
    return found


def solved(book: Rulebook, s: scenario.Scenario, claim: int = 0) -> tuple[Rulebook, Position, Sheet]:
    """A scenario's book, one claim of it to be solved, and that solved."""
    book = book.turned(s.readings) if s.readings else book
    state, tape = scenario.begun(book, s)
    wants = s.wants[claim]
    asked = Position(state, (wants.holds,), (frozenset(wants.reads),), tape)
    return book, asked, Sheet(book, asked, 400_000, SECONDS, monotonic())


HEMMED_IN = """
    map: {Area A: [Area B, Area C]}
    players: {Sea: {ally: Luathans}}
    units:
      Area A: [Mother of Monsters, 2 Luathans of Sea]
      Area B: [Spawn]
      Area C: [Spawn]
    do: [Sea devastates Area A]
    claims: [Mother of Monsters is killed]
"""
PICKED = """
    map: {Area A: [Area B, Area C]}
    units:
      Area A: [2 heroes (combat 2) of Red, "hero (combat 1) of Blue", "minion (combat 1) of Blue"]
    do: [Red battles Blue in Area A]
    claims: [hero of Blue is killed]
"""


# Witnesses


def test_every_witness_of_every_scenario_replays_to_what_it_claims(game: Rulebook) -> None:
    told = 0
    for id in game.scenarios:
        s = scenario.shipped(game, id)
        for i, wants in enumerate(s.wants):
            book, _, sheet = solved(game, s, i)
            least, greatest = sheet.widest[0]
            for wanted, possible in ((True, greatest > 0), (False, least < 1)):
                if not possible:
                    continue
                found = line(sheet.at(0)[0], s.state, 0, wanted, scenario.script(book, s))
                if found.silent:
                    continue
                again = scenario.build(game, scenario.decode(witness(book, s, found).code))
                end, tape = scenario.begun(book, again)
                while end.agenda:
                    end, tape = advance(book, end, tape), ()
                assert again.wants[i].holds(end) is wanted, (id, wants.says, wanted)
                told += 1
    assert told > len(game.scenarios)


def lengths(book: Rulebook, s: scenario.Scenario, wanted: bool, most: int) -> int | None:
    """The fewest answers to an end where the first claim holds, or does not, by trying every play breadth first."""
    level: list[tuple[Any, tuple[Any, ...]]] = [(s.state, ())]
    for n in range(most + 1):
        following = []
        for state, tape in level:
            while True:
                if not state.agenda:
                    if s.wants[0].holds(state) is wanted:
                        return n
                    break
                try:
                    state, tape = advance(book, state, tape), ()
                except Need as need:
                    following += [(state, (*tape, way)) for way in need.ask.ways]
                    break
        level = list(dict.fromkeys(following))
    return None


@pytest.mark.parametrize("wanted", [True, False])
def test_a_witness_is_as_short_as_any_play_that_shows_the_same(harbour: Rulebook, wanted: bool) -> None:
    s = position(harbour, """
        players: {Red: {fish: 0}}
        units: {Skerry: [Gull of Red, Tern of Red]}
        do: [Red throws into Skerry, Red throws into Skerry]
        claims: [Gull is gone]
    """)
    _, _, sheet = solved(harbour, s)
    found = line(sheet.at(0)[0], s.state, 0, wanted)
    assert s.wants[0].holds(found.end) is wanted
    assert len(found.answers) == lengths(harbour, s, wanted, 6)


# Players


def by_hand(book: Rulebook, s: scenario.Scenario, state: Any, tape: tuple[Any, ...], best: Any) -> Fraction:
    """The chance of the first claim where each choice is made by best(who): max or min; every roll and choice played out one by one."""
    while state.agenda:
        try:
            state, tape = advance(book, state, tape), ()
        except Need as need:
            parts = [by_hand(book, s, state, (*tape, way), best) for way in need.ask.ways]
            if isinstance(need.ask, Choose):
                return best(need.ask.who)(parts)  # type: ignore[no-any-return]
            return sum((p * chance for p, (_, chance) in zip(parts, need.ask.odds)), Fraction(0))
    return Fraction(s.wants[0].holds(state))


@pytest.mark.parametrize("plays_for", [True, False])
@pytest.mark.parametrize("player", ["Red", "Blue"])
@pytest.mark.parametrize("claim", ["hero of Blue is killed", "Red picks where hero of Blue is routed", "minion of Blue is in Area B"])
def test_a_named_player_plays_for_or_against_a_claim(game: Rulebook, player: str, plays_for: bool, claim: str) -> None:
    s = position(game, PICKED.replace("2 heroes (combat 2)", "hero (combat 1)").replace("hero of Blue is killed", claim))
    mine = max if plays_for else min
    wanted = [by_hand(game, s, s.state, (), lambda who, other=other: mine if who == player else other) for other in (min, max)]
    (says, least, greatest), = played_by(game, s, player, plays_for)
    assert (says, [least, greatest]) == (claim, wanted)


def test_the_player_whose_choices_matter_is_named_with_what_they_are_worth(game: Rulebook) -> None:
    s = position(game, PICKED)
    found, _ = examine(game, Position(s.state, (s.wants[0].holds,), (frozenset(s.wants[0].reads),)))
    (verdict,) = found.verdicts
    assert [stake.player for stake in verdict.stakes] == ["Blue"]
    assert verdict.stakes[0].sure == verdict.greatest
    assert verdict.stakes[0].held == verdict.least
    assert verdict.least < verdict.greatest


def test_where_no_choice_bears_on_a_claim_nobody_is_named(game: Rulebook) -> None:
    s = position(game, PICKED.replace("hero of Blue is killed", "Blue loses 1 or more units"))
    found, _ = examine(game, Position(s.state, (s.wants[0].holds,), (frozenset(s.wants[0].reads),)))
    assert found.verdicts[0].stakes == ()


# Which rule decides


def test_each_of_the_clauses_that_decide_by_themselves_is_found(game: Rulebook) -> None:
    s = position(game, HEMMED_IN)
    book, asked, sheet = solved(game, s)
    found = deciding(book, asked, SECONDS)
    alone = {id for r, *_ in found.removals for id in r.struck}
    every = {id for id in sheet.log.spoke if book.clauses[id].mark.kind in DECIDING and not book.clauses[id].reading}
    assert found.whole
    assert all(r.size == 1 for r, *_ in found.removals)
    assert alone == {id for id in every if solved(book.without(id), s)[2].widest != sheet.widest}
    assert "mother-of-monsters.titanic.2" in alone


def test_two_rules_that_forbid_the_same_decide_only_together(game: Rulebook) -> None:
    s = position(game, """
        units: {Area A: [hero (combat 1) of Green]}
        do: [Red battles Blue in Area A]
        claims: [the action is refused]
    """)
    book, asked, sheet = solved(game, s)
    found = deciding(book, asked, SECONDS)
    sets = {frozenset(r.clauses(book)) for r, *_ in found.removals}
    assert frozenset({"battle.declare.3", "battle.declare.5"}) in sets
    assert all(len(some) == 2 for some in sets)
    for some in sets:
        assert solved(book.without(*some), s)[2].widest != sheet.widest
        assert all(solved(book.without(one), s)[2].widest == sheet.widest for one in some)


def test_no_smaller_set_and_no_other_of_the_same_size_decides(game: Rulebook) -> None:
    s = position(game, """
        units: {Area A: [hero (combat 1) of Green]}
        do: [Red battles Blue in Area A]
        claims: [the action is refused]
    """)
    book, asked, sheet = solved(game, s)
    found = {r.struck for r, *_ in deciding(book, asked, SECONDS).removals}
    spoke = set(sheet.log.spoke).union(*(solved(book.without(id), s)[2].log.spoke for id in sheet.log.spoke if book.clauses[id].mark.kind != "step"))
    every = [id for id in spoke if book.clauses[id].mark.kind in DECIDING and not book.clauses[id].reading]
    pairs = {frozenset(two) for two in combinations(every, 2) if solved(book.without(*two), s)[2].widest != sheet.widest}
    assert found == pairs


# Readings


def test_two_readings_stand_side_by_side_with_the_step_where_they_part(game: Rulebook) -> None:
    s = scenario.shipped(game, "devastate-hemmed-in")
    s = replace(s, wants=tuple(w for w in s.wants if w.says == "Sea loses 1 Luathan"))
    book, asked, sheet = solved(game, s)
    base = line(sheet.at(0)[0], s.state, 0, True)
    found = parting(book, asked, s.state, base, "luathans.devastate.loss", "luathans.devastate.15", True)
    assert found is not None
    assert (found.bounds, found.other) == ((1, 1), (0, 0))
    assert found.base == "luathans.devastate.13"
    assert base.events[found.step - 1].says == found.here != found.there
    assert "eliminated" in found.here


def test_under_every_reading_means_all_their_combinations_where_they_are_few(game: Rulebook) -> None:
    s = position(game, HEMMED_IN)
    book, asked, _ = solved(game, s)
    every = under_every(book, asked, SECONDS)
    assert every is not None
    assert every.whole
    assert every.tried > 1
    for chosen, least, greatest in every.others:
        assert solved(book.turned(dict(chosen)), s)[2].widest == ((least, greatest),)
    assert every.least == min([1, *(a for _, a, _ in every.others)])


# What would change it


def test_a_variation_that_flips_the_verdict_flips_it_when_played_from_its_link(game: Rulebook) -> None:
    s = position(game, HEMMED_IN)
    table = vary(game, s, SECONDS)
    assert table.whole
    assert {r.says for r in table.flips} >= {"no Spawn in Area B", "no Spawn in Area C"}
    assert {r.sort for r in table.rows} == set(game.variations)
    for row in table.rows:
        again = scenario.build(game, scenario.decode(row.code(game, s)))
        assert solved(game, again)[2].widest == tuple((a, b) for a, b, _ in row.claims), row.says
        assert row.changes == (row.claims != table.base)


def test_without_power_the_action_is_refused(game: Rulebook) -> None:
    row = next(r for r in vary(game, position(game, HEMMED_IN), SECONDS).rows if r.says == "Sea with 0 Power")
    assert row.refused
    assert row.claims[0][2] == "refused"


# Losses


def test_a_table_of_losses_adds_up_and_agrees_with_an_independent_dice_library(game: Rulebook) -> None:
    icepool = pytest.importorskip("icepool")
    s = position(game, """
        map: {Area A: [Area B, Area C]}
        units:
          Area A: [10 heroes (combat 2) of Red, 12 minions (combat 1) of Blue]
        do: [Red battles Blue in Area A]
        claims: [Blue loses 3 or more units]
    """)
    tables = {(t.side, t.kind): t.chances for t in losses(game, s, SECONDS)}
    for (side, most, dice) in ((("Blue", "minion"), 12, 20), (("Red", "hero"), 10, 12)):
        sixes = dice @ icepool.Die({1: 1, 0: 5})
        wanted = [Fraction(sixes.probability("==", n)) if n < most else Fraction(sixes.probability(">=", n)) for n in range(most + 1)]
        assert tables[side] == tuple((p, p) for p in wanted)
        assert sum(p for p, _ in tables[side]) == 1


@pytest.mark.parametrize(("kills", "heroes", "minions"), [(5, 3, 5), (9, 6, 10)])
def test_a_large_battle_agrees_with_an_independent_dice_library(game: Rulebook, kills: int, heroes: int, minions: int) -> None:
    icepool = pytest.importorskip("icepool")
    s = position(game, f"""
        map: {{Area A: [Area B, Area C], Area B: [Area C]}}
        units:
          Area A: ["{heroes} heroes (combat 2) of Red", "{minions} minions (combat 1) of Red",
                   "{heroes} heroes (combat 2) of Blue", "{minions} minions (combat 1) of Blue"]
        do: [Red battles Blue in Area A]
        claims: [Blue loses {kills} or more units, at least {kills} units of Red are killed]
    """)
    wanted = ((2 * heroes + minions) @ icepool.Die({1: 1, 0: 5})).probability(">=", kills)
    for claim in (0, 1):
        assert solved(game, s, claim)[2].widest[0] == (wanted, wanted)


# Bounds


TOO_LARGE = """
    map: {Area A: [Area B, Area C], Area B: [Area C]}
    units:
      Area A: [8 heroes (combat 2) of Red, 16 minions (combat 1) of Red, 8 heroes (combat 2) of Blue, 16 minions (combat 1) of Blue]
    readings: {rout.enemies: rout.enemies.2}
    do: [Red battles Blue in Area A]
    claims: [3 minions of Blue are in Area B]
"""


def test_a_position_that_is_too_large_is_said_to_be_so_soon_with_what_to_fix(game: Rulebook) -> None:
    s = position(game, TOO_LARGE)
    started = monotonic()
    with pytest.raises(TooBig, match=r"fix some dice or choices.*the widest are: .*rolls 32 dice"):
        scenario.play(game, s)
    assert monotonic() - started < 10, "2 s on a machine that does nothing else"


def test_past_the_bound_what_is_proven_so_far_is_told(game: Rulebook) -> None:
    s = position(game, PICKED.replace("2 heroes (combat 2)", "4 heroes (combat 2)"))
    _, _, sheet = solved(game, s)
    least, greatest = sheet.widest[0]
    told = 0
    for runs in range(sheet.runs // 2, sheet.runs, max(1, sheet.runs // 12)):
        try:
            part = scenario.play(game, s, runs=runs, partial=True).solved
        except TooBig:
            continue
        if not part.unfinished:
            continue
        (verdict,) = part.verdicts
        assert verdict.least <= least <= greatest <= verdict.greatest
        assert (verdict.unfinished, verdict.word) == (True, "open")
        assert "fix some dice or choices" in part.unfinished
        told += 1
    assert told


# On the command line and whole


def test_all_that_is_known_of_a_position_comes_as_json_and_in_sentences(game: Rulebook, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "devastate-hemmed-in", "--why", "--vary", "--losses", "--for", "Sea", "--against", "sea", "--json"]) == 0
    (s,) = json.loads(capsys.readouterr().out)["scenarios"]
    assert {c["says"] for c in s["why"]} == {c["says"] for c in s["claims"]}
    assert all("link" in k["witness"]["for"] for k in s["why"])
    assert {p["player"] for p in s["playing"]} == {"Sea", "sea"}
    assert any(r["flips"][0] for r in s["vary"]["rows"])
    assert {t["kind"] for t in s["losses"]} == {"Mother of Monsters", "Luathan"}
    assert main(["play", "devastate-hemmed-in", "--why", "--plain"]) == 0
    assert "It rests on each of these by itself" in capsys.readouterr().out


def test_a_player_who_is_none_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "devastate-hemmed-in", "--for", "Seaa"]) == 4
    assert "no player 'Seaa'; nearest: Sea" in capsys.readouterr().err


def test_known_names_each_claim_with_its_bounds(game: Rulebook) -> None:
    s = position(game, PICKED)
    (k,) = known(game, s)
    book, _, sheet = solved(game, s)
    assert (k.least, k.greatest) == sheet.widest[0]
    assert k.shows is not None
    assert k.against is not None
    assert [a for a in k.shows.choices if a[0] == "Blue"]
    assert sheet.chance(0, Stance(True)) == k.greatest
    assert Removal().of(book) is book
    assert isinstance(line(sheet.at(0)[0], s.state, 0, True), Line)

"""What need not be played is not: the odds stay the same, what a step can touch is declared in full, and no rule looks at it without need."""
from __future__ import annotations

import traceback
from collections.abc import Iterator
from fractions import Fraction
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lookup import scenario
from lookup.answer import Desk
from lookup.engine.clause import Rulebook, Unanswered
from lookup.engine.graph import Budget, Solver
from lookup.engine.play import Need, Play
from lookup.engine.state import State
from lookup.engine.veil import Seen, Touches, VeiledState, veil

from .bench.__main__ import battle, hemmed_in, solve

ENOUGH = 60.0


@pytest.fixture(scope="module")
def game(desk: Desk) -> Rulebook:
    return desk.book


def position(book: Rulebook, text: str) -> scenario.Scenario:
    (found,) = scenario.of_text(book, dedent(text), "position")
    return found


def fights(book: Rulebook) -> Iterator[scenario.Scenario]:
    """The shipped scenarios in which a battle is fought."""
    for id in book.scenarios:
        s = scenario.shipped(book, id)
        if s.wants and any("battle" in str(d) or "fights" in str(d) or "attacks" in str(d) or "Spawnrise" in str(d) for d in s.raw.get("do", ())):
            yield s


def bounds(book: Rulebook, s: scenario.Scenario, claim: int, apart: bool) -> Any:
    state, tape = scenario.begun(book, s)
    wants = s.wants[claim]
    return Solver(book, [wants.holds], frozenset(wants.reads), Budget(10**6, ENOUGH), apart=apart, watches=False).start(state, tape)


def test_passing_over_what_no_claim_reads_changes_no_odds_of_any_scenario(game: Rulebook) -> None:
    differ = []
    for s in fights(game):
        book = game.turned(s.readings) if s.readings else game
        differ += [(s.id, w.says) for i, w in enumerate(s.wants) if bounds(book, s, i, True) != bounds(book, s, i, False)]
    assert not differ


sides = st.lists(st.sampled_from(("hero (combat 2)", "minion (combat 1)", "hero (combat 0)")), min_size=1, max_size=2)


@given(red=sides, blue=sides, open=st.integers(0, 2), spawn=st.booleans(), data=st.data())
@settings(deadline=None, max_examples=25)
def test_small_battles_have_the_same_odds_with_everything_played(game: Rulebook, red: list[str], blue: list[str], open: int, spawn: bool, data: Any) -> None:
    readings = {name: data.draw(st.sampled_from(game.readings[name])) for name in ("battle.faces", "rout.enemies", "rout.stuck", "battle.first", "battle.once")}
    s = scenario.build(game, {
        "map": {"Area A": {"next": ["Area B", "Area C"][:open]}, **({"Area B": {"next": ["Area C"]}} if open == 2 else {})},
        "units": {"Area A": [f"{u} of {side}" for side, units in (("Red", red), ("Blue", blue)) for u in units],
                  **({"Area B": ["Spawn"]} if spawn and open else {})},
        "readings": readings,
        "do": ["Red battles Blue in Area A"],
        "claims": ["Blue loses 2 or more units", "hero of Red is killed", "minion of Blue is routed", "1 minion of Red is in Area A",
                   "hero of Blue is in the pool of Blue"],
    })
    book = game.turned(s.readings)
    for i in range(len(s.wants)):
        assert bounds(book, s, i, True) == bounds(book, s, i, False)


class Watching(Solver):
    """A solver that plays everything, and holds what each step changed against what it declares."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args, apart=False, partial=True, watches=False)
        self.wrong: set[tuple[str, Any]] = set()
        self.held = 0

    def loosened(self, before: State, after: State) -> None:
        source = before.agenda[0]
        apart = self.book.clauses[source[0]].mark.apart
        if apart is None or not self.book.stands(source[0]):
            return
        g = Play(self.book, before.doing(before.agenda[1:]))
        try:
            touches = apart(g, *source[1])
        except (Need, Unanswered):
            return
        if touches is None:
            return
        self.held += 1
        self.wrong |= {(source[0], what) for what in changed(before, after) if what not in declared(touches)}
        if after.agenda != before.agenda[1:]:
            self.wrong.add((source[0], "sets a step going"))


def changed(before: State, after: State) -> set[Any]:
    """All in which two positions differ, in the terms of Touches."""
    def apart(a: Any, b: Any) -> set[Any]:
        return {entry[0] if len(entry) == 2 else entry[:2] for entry in set(a) ^ set(b)}
    pieces = {piece for _, piece in apart(before.pieces, after.pieces)}
    happened = {key[:2] for key in apart(before.happened, after.happened)}
    return pieces | happened | apart(before.counters, after.counters) | set(before.flags ^ after.flags)


def declared(touches: Touches) -> set[Any]:
    return {*touches.pieces, *touches.happened, *touches.counters, *touches.flags}


def test_what_a_step_changes_is_what_it_declares(game: Rulebook) -> None:
    held = 0
    for s in fights(game):
        book = game.turned(s.readings) if s.readings else game
        watching = Watching(book, [w.holds for w in s.wants], None, Budget(2_000, ENOUGH))
        watching.start(*scenario.begun(book, s))
        held += watching.held
        assert not watching.wrong, s.id
    assert held > 1000


def test_a_veiled_thing_is_never_read_unseen(game: Rulebook) -> None:
    (unit, _), *_ = position(game, "{units: {Area A: [hero (combat 2) of Red]}, claims: [Red loses 1 hero]}").state.at("Area A")
    state = State(position(game, "{units: {Area A: [minion (combat 2) of Blue]}}").state.board).put("Area A", unit, 2)
    state = state.counting("Red", "power", 3).counting("Blue", "vp", 1)
    state = state.flagged("ally", "Red", "Ducks").noted("killed", unit, "Area A", 1)
    source = ("step", ())
    touches = Touches(frozenset({unit}), frozenset({("killed", unit)}), frozenset({("Red", "power")}), frozenset({("ally", "Red", "Ducks")}))
    hidden = veil(state, touches, source)
    looks: list[Any] = [
        lambda s: s.pieces, lambda s: s.at("Area A"), lambda s: s.count("Area A", unit), lambda s: s.total(lambda p: p.owner == "Red"),
        lambda s: s.where(lambda p: True), lambda s: s.put("Area B", unit, 1), lambda s: s.without(lambda p: True), lambda s: s.counter("Red", "power"),
        lambda s: [n for (holder, _), n in s.counters if holder == "Red"], lambda s: dict(s.counters), lambda s: sorted(s.counters),
        lambda s: ("ally", "Red", "Ducks") in s.flags, lambda s: [f for f in s.flags if f[0] == "ally"], lambda s: len(s.flags), lambda s: bool(s.flags),
        lambda s: {("ally", "Red", "Ducks")} & s.flags, lambda s: s.flags & {("ally", "Red", "Ducks")}, lambda s: sorted(s.flags), lambda s: s.happened,
        lambda s: s.befell(lambda p: True, "killed"), lambda s: dict.fromkeys(s.flags, 1), lambda s: [f"{f[0]}" for f in s.flags],
    ]
    for n, look in enumerate(looks):
        with pytest.raises(Seen, match="step"):
            assert look(hidden) is None, f"look {n}"
    assert hidden.at("Area A", lambda p: p.owner == "Blue") == []
    assert hidden.counter("Blue", "power") == 0
    assert [f for f in hidden.flags if f[0] == "gift"] == []
    assert hidden.befell(lambda p: True, "routed") == 0
    assert hidden.may_hold("Area B", lambda p: p.owner == "Red") == (unit,)
    assert isinstance(hidden.counting("Red", "power", 1), VeiledState)
    assert hidden.counting("Red", "power", 1).counter("Red", "power") == 1
    assert hash(hidden) == hash(veil(state.counting("Red", "power", 2), touches, source))


def looked(book: Rulebook, s: scenario.Scenario) -> list[str]:
    """The places in the rules that looked at what was veiled, other than those that the claim itself rests on."""
    found: list[str] = []

    class Telling(Solver):
        def unseen(self, state: State, source: Any) -> int | None:
            try:
                return self.visit(state)
            except Seen as seen:
                if seen.source != source:
                    raise
                frames = [f for f in traceback.extract_tb(seen.__traceback__) if "knowledge" in f.filename]
                found.append(f"{frames[-1].filename}:{frames[-1].lineno} {frames[-1].name}: give at() what is wanted")
                self.seen.add(source)
                return None

    Telling(book, [w.holds for w in s.wants], s.keeps, Budget(10**6, ENOUGH)).solve(s.state)
    return [f for f in found if " take:" not in f and " loses_many:" not in f and " is_killed:" not in f]


def test_no_rule_looks_at_the_other_side_of_a_plain_battle(game: Rulebook) -> None:
    assert not looked(game, battle(game, 2, 4, 2, "Blue loses 3 or more units"))
    assert not looked(game, hemmed_in(game))


def test_thirty_two_dice_a_side_are_played_in_few_steps(game: Rulebook) -> None:
    runs = []
    for k in (1, 4):
        s = battle(game, 2 * k, 4 * k, 2, "Blue loses 3 or more units")
        solver = Solver(game, [w.holds for w in s.wants], s.keeps, Budget(10**6, ENOUGH))
        solver.solve(s.state)
        runs.append(solver.log.runs)
    assert runs[1] <= 64 * runs[0]
    assert runs[1] < 2_000


def test_the_bench_finds_the_odds_of_the_prototype(game: Rulebook) -> None:
    assert solve(game, battle(game, 2, 3, 3, "Blue loses 3 or more units")) == (Fraction(898223, 5038848),) * 2
    assert solve(game, hemmed_in(game)) == (Fraction(6305, 6561),) * 2

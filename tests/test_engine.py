"""What the engine promises, shown in a made-up game (tests/harbour), and its odds held against brute force over raw dice."""
import pickle
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from itertools import combinations, product
from math import comb
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lookup import scenario
from lookup.book import load
from lookup.engine.clause import Rulebook, Unanswered
from lookup.engine.graph import Solver
from lookup.engine.play import D6, Need, Play, TooBig, advance, multisets, picks
from lookup.engine.solve import Verdict
from lookup.engine.state import Board, Impossible, Piece, State, Wanted

HERE = Path(__file__).parent
SIXTH = Fraction(1, 6)
GULL, TERN, CRAB, LAMP = Piece("Gull", "Red"), Piece("Tern", "Red"), Piece("Crab", "Red"), Piece("Lamp")


@pytest.fixture(scope="module")
def book() -> Iterator[Rulebook]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(HERE), *sys.path])
        yield load("harbour")


@pytest.fixture(scope="module")
def quay(book: Rulebook) -> Any:
    return import_module("harbour.quay")


@pytest.fixture(scope="module")
def game() -> Rulebook:
    return load()


def changed(book: Rulebook, id: str, **what: Any) -> Rulebook:
    """The book with one clause altered: its tier, or what its mark says."""
    clause = book.clauses[id]
    mark = replace(clause.mark, **{k: v for k, v in what.items() if k == "overrides"})
    return replace(book, clauses={**book.clauses, id: replace(clause, mark=mark, **{k: v for k, v in what.items() if k != "overrides"})}, _index={})


def at(*pieces: tuple[str, Piece], **fish: int) -> State:
    """A position on Skerry and Mole (rocks) and the Sound (water)."""
    state = State(Board((("Mole", "rock"), ("Skerry", "rock"), ("Sound", "water")), frozenset({("Skerry", "Sound"), ("Mole", "Skerry")})))
    for place, piece in pieces:
        state = state.put(place, piece, 1)
    for player, n in fish.items():
        state = state.counting(player, "fish", n)
    return state


def played(book: Rulebook, text: str) -> scenario.Played:
    """A position in the words of a scenario file, played."""
    (position,) = scenario.of_text(book, dedent(text), "position")
    return scenario.play(book, position)


def verdict(book: Rulebook, text: str) -> Verdict:
    """The verdict of its first claim."""
    return played(book, text).solved.verdicts[0]


def bounds(book: Rulebook, position: scenario.Scenario) -> list[tuple[Fraction, Fraction]]:
    """The least and greatest chance of each claim, under the readings that stand."""
    low, high = Solver(book.turned(position.readings), [w.holds for w in position.wants], position.keeps).solve(position.state)
    assert low == high
    return list(low)


def roles(book: Rulebook, question: Any, *args: Any, state: State | None = None) -> tuple[Any, dict[str, str]]:
    """A question's answer, and each clause that spoke with its role."""
    answer = question.answer(Play(book, state or at()), *args)
    return answer.value, {c.id: c.role for c in answer.cites}


# Dice and choices


@pytest.mark.parametrize("dice", range(6))
def test_the_chances_of_any_number_of_dice_add_up_to_one(dice: int) -> None:
    assert sum(p for _, p in multisets(dice, D6)) == 1


@given(st.integers(0, 5), st.lists(st.integers(1, 4), min_size=1, max_size=4))
@settings(deadline=None, max_examples=40)
def test_unordered_dice_agree_with_every_raw_roll(dice: int, weights: list[int]) -> None:
    faces = tuple((f"face {i}", Fraction(w, sum(weights))) for i, w in enumerate(weights))
    raw: Counter[tuple[str, ...]] = Counter()
    sides = [name for (name, _), w in zip(faces, weights) for _ in range(w)]
    for roll in product(sides, repeat=dice):
        raw[tuple(sorted(roll))] += 1
    assert {tuple(sorted(combo)): p for combo, p in multisets(dice, faces)} == {combo: Fraction(n, len(sides) ** dice) for combo, n in raw.items()}


@given(st.lists(st.integers(1, 3), max_size=3), st.integers(0, 5))
@settings(deadline=None)
def test_a_choice_among_like_pieces_counts_how_many_and_never_which(counts: list[int], n: int) -> None:
    have = tuple((Piece(f"kind {i}"), k) for i, k in enumerate(counts))
    named = [(piece, i) for piece, k in have for i in range(k)]
    every = {tuple(sorted(Counter(piece for piece, _ in chosen).items())) for chosen in combinations(named, n)}
    ways = picks(have, n)
    assert {tuple(sorted(way)) for way in ways} == every
    assert len(ways) == len(every)
    assert sum(comb_of(dict(have), way) for way in ways) == comb(len(named), n)


def comb_of(have: dict[Piece, int], way: Sequence[tuple[Piece, int]]) -> int:
    """How many choices among named pieces a way stands for."""
    found = 1
    for piece, k in way:
        found *= comb(have[piece], k)
    return found


def test_a_run_asks_for_what_its_tape_does_not_answer(book: Rulebook) -> None:
    state = replace(at(("Skerry", GULL), ("Skerry", TERN)), agenda=(("quay.throw.2", ("Red", "Skerry")),))
    with pytest.raises(Need) as roll:
        advance(book, state)
    assert list(roll.value.ask.ways) == [(n,) for n in range(1, 7)]
    with pytest.raises(Need) as choice:
        advance(book, state, [(5,)])
    assert len(choice.value.ask.ways) == 2
    after = advance(book, state, [(5,), ((TERN, 1),)])
    assert after.count("Skerry", TERN) == 0
    assert after.count("Skerry", GULL) == 1


def test_a_way_that_is_alone_is_no_choice(book: Rulebook) -> None:
    state = replace(at(("Skerry", GULL)), agenda=(("quay.throw.2", ("Red", "Skerry")),))
    assert advance(book, state, [(4,)]).total(lambda p: True) == 0


def test_where_there_is_no_way_to_choose_the_sources_are_silent(book: Rulebook) -> None:
    with pytest.raises(Unanswered, match="no way to choose: which bird is driven away"):
        Play(book, at()).choose("Red", "which bird is driven away", ())


# Exceptions, tiers, forbids against permits


def test_an_exception_displaces_the_clause_it_names(book: Rulebook, quay: Any) -> None:
    value, said = roles(changed(book, "quay.weight.3", tier="silent").without("quay.weight.3"), quay.weight, GULL)
    assert (value, said) == (2, {"quay.weight.2": "exception", "quay.weight.1": "overruled"})


def test_an_exception_leaves_alone_what_it_does_not_speak_of(book: Rulebook, quay: Any) -> None:
    value, said = roles(book, quay.weight, TERN)
    assert value == 1
    assert "quay.weight.2" not in said


def test_a_clause_of_a_higher_tier_stands_over_one_of_a_lower(book: Rulebook, quay: Any) -> None:
    value, said = roles(book, quay.weight, TERN)
    assert (value, said) == (1, {"quay.weight.1": "default", "quay.weight.3": "overruled"})
    value, said = roles(book.without("quay.weight.1"), quay.weight, TERN)
    assert (value, said) == (9, {"quay.weight.3": "default"})


def test_printed_and_faq_rank_equal(book: Rulebook, quay: Any) -> None:
    play = Play(changed(book, "quay.weight.3", tier="faq"), at())
    quay.weight(play, TERN)
    assert play.undeclared == {("weight", "quay.weight.1", "quay.weight.3")}


def test_an_override_by_name_beats_tier(book: Rulebook, quay: Any) -> None:
    lamp = at(("Mole", LAMP))
    assert book.clauses["quay.settle.5"].rank > book.clauses["quay.settle.4"].rank
    value, said = roles(book, quay.lands, CRAB, "Mole", state=lamp)
    assert value is True
    assert said["quay.settle.4"] == "overruled"
    assert roles(book, quay.lands, TERN, "Mole", state=lamp) == (False, {"quay.settle.2": "default", "quay.settle.4": "forbids"})


def test_between_equals_what_forbids_stands_over_what_permits(book: Rulebook, quay: Any) -> None:
    lamp = at(("Sound", LAMP))
    value, said = roles(book, quay.lands, GULL, "Sound", state=lamp)
    assert value is False
    assert (said["quay.settle.4"], said["quay.settle.3"]) == ("forbids", "overruled")


def test_a_permit_of_a_higher_tier_stands_over_what_forbids(book: Rulebook, quay: Any) -> None:
    lamp, lower = at(("Sound", LAMP)), changed(book, "quay.settle.4", tier="community")
    value, said = roles(lower, quay.lands, GULL, "Sound", state=lamp)
    assert value is True
    assert (said["quay.settle.3"], said["quay.settle.4"]) == ("permits", "overruled")


def test_a_permit_widens_what_the_default_denies(book: Rulebook, quay: Any) -> None:
    assert roles(book, quay.lands, GULL, "Sound")[0] is True
    assert roles(book, quay.lands, TERN, "Sound")[0] is False
    assert roles(book, quay.lands, TERN, "Mole")[0] is True


def test_order_of_loading_decides_nothing(book: Rulebook, quay: Any) -> None:
    turned = replace(book, clauses=dict(reversed(book.clauses.items())), _index={})
    lamp = at(("Sound", LAMP), ("Mole", LAMP))
    for bird, area in product((GULL, TERN, CRAB), ("Mole", "Sound", "Skerry")):
        assert roles(book, quay.lands, bird, area, state=lamp) == roles(turned, quay.lands, bird, area, state=lamp)
        assert quay.weight(Play(book, lamp), bird) == quay.weight(Play(turned, lamp), bird)


def test_equals_that_differ_are_an_undeclared_reading_and_leave_the_verdict_open(book: Rulebook) -> None:
    loose = changed(book, "quay.weight.2", overrides=())
    found = played(loose, """
        do: [Red settles Gull in Mole]
        map: {Mole: }
        claims: [a bird weighs 2]
    """).solved
    assert found.undeclared == (("weight", "quay.weight.1", "quay.weight.2"),)
    assert found.verdicts[0].word == "open"


# Silence, readings, clauses struck out


def test_what_no_clause_answers_is_silence_and_no_crash(book: Rulebook, quay: Any) -> None:
    with pytest.raises(Unanswered, match="The sources do not say: what colour is Gull of Red"):
        quay.colour(Play(book, at()), GULL)
    found = played(book, """
        do: [Red looks at Gull]
        claims: [the action is refused]
    """)
    assert found.solved.verdicts[0].word == "open"
    assert "what colour" in found.solved.silent[0]
    assert "what colour" in found.line.silent


def test_a_default_struck_out_leaves_silence(book: Rulebook) -> None:
    found = played(book.without("quay.settle.2"), """
        map: {Mole: }
        do: [Red settles Tern in Mole]
        claims: [Tern is in Mole]
    """).solved
    assert (found.verdicts[0].word, found.verdicts[0].least, found.verdicts[0].greatest) == ("open", 0, 1)
    assert found.silent == ("The sources do not say: may Tern of Red land in Mole?",)


def test_the_base_of_a_reading_stands_until_it_is_turned(book: Rulebook) -> None:
    text = """
        map: {Mole: }
        do: [Red settles Tern in Mole]
        claims: [Red has 2 fish]
    """
    found = verdict(book, text)
    assert found.word == "always"
    assert [(reading, rival) for reading, rival, *_ in found.turns_on] == [("toll", "quay.toll.3")]
    assert found.tier == "assumed"
    assert verdict(book.turned({"toll": "quay.toll.3"}), text).word == "never"


def test_a_reading_without_a_base_leaves_the_verdict_open(book: Rulebook) -> None:
    found = verdict(book, """
        map: {Skerry: [Sound, Mole]}
        units: {Skerry: Gull of Red}
        do: [Red lets Skerry drift]
        claims: [Gull is in Sound]
    """)
    assert (found.word, found.least, found.greatest) == ("open", 1, 1)
    assert [reading for reading, *_ in found.turns_on] == ["wind"]


def test_a_part_struck_out_is_passed_over(book: Rulebook) -> None:
    text = """
        map: {Mole: }
        do: [Red settles Tern in Mole]
        claims: [Red has 3 fish, Tern is in Mole]
    """
    assert [v.word for v in played(book, text).solved.verdicts] == ["never", "always"]
    assert [v.word for v in played(book.without("quay.toll.1"), text).solved.verdicts] == ["always", "always"]


@pytest.mark.parametrize(("struck", "bird", "area", "lamp", "before", "after"), [
    ("quay.settle.5", CRAB, "Mole", True, True, False),
    ("quay.settle.4", TERN, "Mole", True, False, True),
    ("quay.settle.3", GULL, "Sound", False, True, False),
])
def test_an_exception_a_forbids_and_a_permits_struck_out_fall_silent(
        book: Rulebook, quay: Any, struck: str, bird: Piece, area: str, lamp: bool, before: bool, after: bool) -> None:
    state = at((area, LAMP)) if lamp else at()
    assert quay.lands(Play(book, state), bird, area) is before
    assert quay.lands(Play(book.without(struck), state), bird, area) is after


def test_a_moment_struck_out_does_not_come(book: Rulebook) -> None:
    text = """
        players: {Red: {fish: 2}}
        do: [Red throws into Area A]
        claims: [Red has 1 fish]
    """
    assert verdict(book, text).word == "never"
    assert verdict(book.without("quay.splash.1"), text).word == "always"


def test_striking_a_ruling_strikes_what_it_restates(book: Rulebook) -> None:
    assert not book.without("faq.gull-lamp").stands("quay.settle.4")


def test_the_clauses_that_decide_are_those_whose_loss_changes_the_verdict(book: Rulebook) -> None:
    found = verdict(book, """
        map: {Mole: }
        buildings: {Mole: Lamp}
        do: [Red settles Crab in Mole]
        claims: [Crab is in Mole]
    """)
    assert found.decides == ("quay.settle.5",)


def test_a_solve_tells_what_spoke_and_what_was_overruled_by_what(book: Rulebook) -> None:
    found = played(book, """
        map: {Mole: }
        buildings: {Mole: Lamp}
        do: [Red settles Crab in Mole]
        claims: [Crab is in Mole]
    """).solved
    assert {"quay.settle.1", "quay.settle.2", "quay.toll.1", "quay.toll.3"} <= found.spoke
    assert ("quay.settle.5", "quay.settle.4") in found.overruled


def test_a_book_is_pickled_as_its_recipe(book: Rulebook) -> None:
    again = pickle.loads(pickle.dumps(book.without("quay.settle.3").turned({"toll": "quay.toll.3"})))
    assert again is not book
    assert (again.struck, dict(again.chosen)) == ({"quay.settle.3"}, {"toll": "quay.toll.3"})
    assert not again.stands("quay.settle.3")


# Refusals, moments, counts


def test_a_refused_action_changes_nothing_and_names_the_clause(book: Rulebook) -> None:
    before = replace(at(("Mole", TERN)), agenda=(("quay.settle.1", ("Red", "Gull", "Skerry")), ("quay.settle.1", ("Red", "Gull", "Mole"))))
    after = advance(book, before)
    assert after.flags == {("refused", "quay.settle.1", "quay.settle.6")}
    assert replace(after, flags=before.flags) == replace(before, agenda=())


def test_a_refusal_is_told_with_the_clause_that_forbids(book: Rulebook) -> None:
    found = played(book, """
        players: {Red: {fish: 0}}
        do: [Red settles Gull in Area A]
        claims: [the action is refused]
    """)
    (event,) = found.line.events
    assert event.what == "refused"
    assert "quay.settle.6" in [c.id for c in event.cites]


def test_two_things_due_at_one_moment_are_ordered_by_a_choice(book: Rulebook) -> None:
    found = played(book, """
        players: {Red: {fish: 3}}
        do: [Red throws into Area A]
        claims:
          - Red has 5 fish
          - Red has 4 fish
          - Red has 6 fish
    """)
    assert [(v.least, v.greatest) for v in found.solved.verdicts] == [(0, 1), (0, 1), (0, 0)]
    assert ("what comes first", "Red") in [(ask.what, ask.who) for ask, _ in found.line.answers if hasattr(ask, "what")]


def test_one_thing_due_at_a_moment_is_no_choice(book: Rulebook) -> None:
    assert verdict(book.without("quay.splash.2"), """
        players: {Red: {fish: 3}}
        do: [Red throws into Area A]
        claims: [Red has 6 fish]
    """).word == "always"


@given(st.lists(st.tuples(st.sampled_from(("Mole", "Sound")), st.sampled_from((GULL, TERN)), st.integers(-3, 3)), max_size=12))
def test_no_count_of_a_position_falls_below_zero(changes: list[tuple[str, Piece, int]]) -> None:
    state, have = at(), Counter[tuple[str, Piece]]()
    for place, piece, n in changes:
        if have[place, piece] + n < 0:
            with pytest.raises(Impossible):
                state.put(place, piece, n)
        else:
            state, have[place, piece] = state.put(place, piece, n), have[place, piece] + n
    assert {(a, p): n for a, p, n in state.pieces} == {k: n for k, n in have.items() if n}


def test_no_counter_falls_below_zero() -> None:
    with pytest.raises(Impossible, match="fish of Red would be -1"):
        at(Red=1).counting("Red", "fish", -1)


def test_equal_positions_are_equal_however_they_came_about() -> None:
    one, two = at(("Mole", GULL), ("Mole", TERN)), at(("Mole", TERN), ("Mole", GULL))
    assert one == two
    assert hash(one) == hash(two)
    assert at(("Mole", GULL)).put("Mole", GULL, -1) == at()


def test_the_ledger_is_forgotten_where_no_claim_reads_it(book: Rulebook) -> None:
    state = at().noted("gone", GULL, "Mole", 1)
    assert Solver(book, [], frozenset()).forget(state) == at()
    assert Solver(book, [], frozenset({"gone"})).forget(state) == state
    assert state.tally(Wanted("Gull", "Red"), "gone") == 1


def test_a_position_past_its_bound_says_what_to_fix(book: Rulebook) -> None:
    (position,) = scenario.of_text(book, "{do: [Red throws into Skerry], units: {Skerry: [Gull of Red, Tern of Red]}, claims: [Gull is gone]}", "position")
    with pytest.raises(TooBig, match="fix some dice or choices, or take fewer units"):
        scenario.play(book, position, runs=3)


def test_a_line_of_play_leads_to_the_claim_and_another_away_from_it(book: Rulebook) -> None:
    found = played(book, """
        units: {Skerry: [Gull of Red, Tern of Red]}
        do: [Red throws into Skerry]
        claims: [Gull is gone]
    """)
    assert found.solved.verdicts[0].greatest == Fraction(1, 2)
    assert found.scenario.wants[0].holds(found.line.end)
    assert found.against is not None
    assert not found.scenario.wants[0].holds(found.against.end)


def test_given_answers_are_taken_in_order_and_odds_are_of_what_is_left(book: Rulebook) -> None:
    text = """
        players: {Red: {fish: 0}}
        units: {Skerry: [Gull of Red, Tern of Red]}
        do: [Red throws into Skerry]
        answers: ["6"]
        claims: [Gull is gone]
    """
    assert verdict(book, text).word == "depends"
    assert verdict(book, text.replace('"6"', '"3"')).word == "never"
    with pytest.raises(scenario.BadText, match="answers: '7' does not answer '1 dice'"):
        verdict(book, text.replace('"6"', '"7"'))


# The game itself against brute force


Unit = tuple[str, int]


def brute(red: Sequence[Unit], blue: Sequence[Unit], ways: Sequence[str], kills: set[int], routs: set[int], holds: Any) -> tuple[Fraction, Fraction]:
    """The least and greatest chance of something after a battle: every raw roll of every die, then every choice of units one by one.

    Kills first, each on another unit, then routs on units that are left; the routed of a side go to one of the ways together, and are
    lost where there is none.  holds is asked with, for each side, the fate of each unit: "stands", "killed", "lost" or an area.
    """
    def fates(units: Sequence[Unit], k: int, r: int) -> Iterator[list[str]]:
        for dead in combinations(range(len(units)), min(k, len(units))):
            left = [i for i in range(len(units)) if i not in dead]
            for gone in combinations(left, min(r, len(left))):
                for to in ways or ["lost"]:
                    yield ["killed" if i in dead else to if i in gone else "stands" for i in range(len(units))]

    dice = [sum(c for _, c in side) for side in (red, blue)]
    least = greatest = count = 0
    known: dict[tuple[int, ...], tuple[bool, bool]] = {}
    for rolls in product(range(1, 7), repeat=sum(dice)):
        by_red, by_blue = rolls[:dice[0]], rolls[dice[0]:]
        key = tuple(sum(face in wanted for face in roll) for roll in (by_red, by_blue) for wanted in (kills, routs))
        if key not in known:
            found = [holds(r, b) for b in fates(blue, key[0], key[1]) for r in fates(red, key[2], key[3])]
            known[key] = all(found), any(found)
        least, greatest, count = least + known[key][0], greatest + known[key][1], count + 1
    return Fraction(least, count), Fraction(greatest, count)


sides = st.lists(st.tuples(st.sampled_from(("hero", "minion")), st.integers(0, 2)), min_size=1, max_size=3)


@given(red=sides, blue=sides, neighbours=st.integers(0, 2), faces=st.sampled_from(("battle.faces.1", "battle.faces.2")), n=st.integers(1, 2))
@settings(deadline=None, max_examples=40)
def test_small_battles_agree_with_every_raw_roll_and_every_choice(
        game: Rulebook, red: list[Unit], blue: list[Unit], neighbours: int, faces: str, n: int) -> None:
    while sum(c for _, c in red + blue) > 5:
        (red if len(red) > len(blue) else blue).pop()
    ways = ["Area B", "Area C"][:neighbours]
    found = bounds(game, scenario.build(game, {
        "map": {"Area A": {"next": ways}},
        "units": {"Area A": [f"{kind} (combat {c}, cost 1) of {side}" for side, units in (("Red", red), ("Blue", blue)) for kind, c in units]},
        "readings": {"battle.faces": faces},
        "do": ["Red battles Blue in Area A"],
        "claims": [f"Blue loses {n} or more units", f"{n} hero of Red is killed",
                   "minion of Blue is routed to Area B" if ways else "Red loses hero", "hero of Blue is in Area A"],
    }))
    kills, routs = ({6}, {4, 5}) if faces == "battle.faces.1" else ({5, 6}, {3, 4})

    def of(units: list[Unit], fates: list[str], kind: str, *wanted: str) -> int:
        return sum(k == kind and fate in wanted for (k, _), fate in zip(units, fates))

    expected = [
        lambda r, b: sum(fate in ("killed", "lost") for fate in b) >= n,
        lambda r, b: of(red, r, "hero", "killed") == n,
        (lambda r, b: of(blue, b, "minion", "Area B") >= 1) if ways else (lambda r, b: of(red, r, "hero", "killed", "lost") >= 1),
        lambda r, b: of(blue, b, "hero", "stands") >= 1,
    ]
    assert found == [brute(red, blue, ways, kills, routs, holds) for holds in expected]


MOTHER = """
    map: {Area A: [Area B]}
    units:
      Area A:
        - Mother of Monsters
        - 4 hero (combat 2, cost 3) of Sea
      Area B: [Spawn]
    do: [Sea battles Mother of Monsters in Area A]
    claims: [Mother of Monsters is killed]
"""


def test_four_heroes_kill_the_mother_hemmed_in_by_spawn_unless_no_die_of_eight_routs_her(game: Rulebook) -> None:
    found = verdict(game, MOTHER)
    assert (found.least, found.greatest) == (Fraction(6305, 6561),) * 2


def test_a_kill_that_may_be_spent_on_the_mother_saves_her_from_the_rout(game: Rulebook) -> None:
    found = verdict(game.turned({"battle.spend": "battle.spend.1"}), MOTHER)
    assert (found.least, found.greatest) == (Fraction(6001, 26244),) * 2


def test_nine_dice_kill_three_of_five(game: Rulebook) -> None:
    (position,) = scenario.of_text(game, dedent("""
        map: {Area A: [Area B]}
        units: {Area A: [4 hero (combat 2) of Red, hero (combat 1) of Red, 4 hero (combat 2) of Blue, hero (combat 1) of Blue]}
        do: [Red battles Blue in Area A]
        claims: [Blue loses 3 or more units]
    """), "position")
    assert bounds(game, position) == [(Fraction(898223, 5038848),) * 2]


@pytest.mark.parametrize("cost", range(1, 9))
def test_diplomacy_succeeds_with_a_roll_of_no_more_than_the_total_cost_and_a_six_takes_a_unit(game: Rulebook, cost: int) -> None:
    found = played(game, f"""
        map: {{Umathela: [Slon]}}
        units:
          Umathela: [Slarge, hero (cost {cost}) of Red]
        do: [Red uses Diplomacy with Slarges in Umathela]
        claims: [Slarges are allied with Red, Red loses 1 hero]
    """).solved
    assert [(v.least, v.greatest) for v in found.verdicts] == [(min(cost, 6) * SIXTH,) * 2, (SIXTH,) * 2]


@pytest.mark.parametrize(("costs", "both"), [((3, 2), 0), ((3, 3), 1)])
def test_a_six_does_both_only_where_the_total_cost_reaches_six(game: Rulebook, costs: tuple[int, int], both: int) -> None:
    found = played(game, f"""
        map: {{Umathela: [Slon]}}
        units:
          Umathela: [Slarge, hero (cost {costs[0]}) of Red, minion (cost {costs[1]}) of Red]
        answers: ["6"]
        do: [Red uses Diplomacy with Slarges in Umathela]
        claims: [Slarges are allied with Red, Red loses 1 or more units, Red loses 1 hero]
    """).solved
    assert [(v.least, v.greatest) for v in found.verdicts] == [(both, both), (1, 1), (0, 1)]


def test_two_slarges_roll_one_die_for_both(game: Rulebook) -> None:
    found = verdict(game, """
        map: {Umathela: [Slon]}
        players: {Red: {ally: Slarges}}
        units: {Umathela: [2 Slarges of Red, hero (combat 0) of Blue]}
        do: [Red battles Blue in Umathela]
        claims: [hero of Blue is killed]
    """)
    assert (found.least, found.greatest) == (Fraction(45287, 93312),) * 2
    assert found.least != Fraction(93599, 186624), "a die for each of them"

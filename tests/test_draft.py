"""A position written down again and changed a piece at a time, and what may be done in it."""
from __future__ import annotations

from collections.abc import Callable

import pytest

from lookup.answer import Desk
from lookup.draft import CHANGES, Draft, change
from lookup.engine.clause import Rulebook
from lookup.engine.state import Piece
from lookup.moves import claims, moves
from lookup.scenario import BadText, build, encode, shipped

HEMMED = "devastate-hemmed-in"
START = {"map": {"Area A": {"next": ["Area B"]}}}


@pytest.fixture(scope="module")
def book(desk: Desk) -> Rulebook:
    return desk.book


def test_every_shipped_position_comes_out_the_same_when_written_down_again(book: Rulebook) -> None:
    for id in book.scenarios:
        s = shipped(book, id)
        assert build(book, Draft(book, s).raw()).state == s.state, id


def test_a_link_of_thirty_pieces_is_under_1500_characters(book: Rulebook) -> None:
    raw = dict(START)
    for n, (kind, owner) in enumerate((k, o) for k in ("hero", "minion", "lesser god", "greater god", "hero") for o in ("Red", "Blue", "Green")):
        for place in ("Area A", "Area B"):
            raw = change(book, raw, "put", {"piece": f"{kind} (combat {n % 6}, cost {n}) of {owner}", "area": place, "n": "1"})
    s = build(book, raw)
    assert sum(k for _, _, k in s.state.pieces) == 30
    assert len(encode(raw)) < 1500


def test_a_unit_is_put_and_taken_and_never_below_none(book: Rulebook) -> None:
    raw = change(book, START, "put", {"piece": "2 heroes (combat 2, cost 3) of Red", "area": "Area A", "n": "2"})
    hero = Piece("hero", "Red", (("combat", "2"), ("cost", "3")))
    assert build(book, raw).state.count("Area A", hero) == 4
    raw = change(book, raw, "put", {"piece": "hero (combat 2, cost 3) of Red", "area": "Area A", "n": "-9"})
    assert build(book, raw).state.pieces == ()
    assert "Red" in raw["players"]


def test_a_border_is_drawn_and_taken_away_again(book: Rulebook) -> None:
    raw = change(book, START, "area", {"area": "Area C", "kind": "sea"})
    raw = change(book, raw, "border", {"area": "Area C", "to": "Area A"})
    assert build(book, raw).state.board.beside("Area A") == ("Area B", "Area C")
    raw = change(book, raw, "border", {"area": "Area A", "to": "Area C"})
    assert build(book, raw).state.board.beside("Area A") == ("Area B",)
    assert build(book, raw).state.board.kind("Area C") == "sea"


def test_an_area_goes_with_all_that_stands_in_it(book: Rulebook) -> None:
    raw = change(book, START, "put", {"piece": "Duck", "area": "Area B", "n": "1"})
    raw = change(book, raw, "no-area", {"area": "Area B"})
    assert build(book, raw).state.board.places == ("Area A",)
    assert build(book, raw).state.pieces == ()
    with pytest.raises(BadText, match="only area"):
        change(book, raw, "no-area", {"area": "Area A"})


def test_a_change_of_the_position_gives_up_the_answers_to_the_old_one(book: Rulebook) -> None:
    raw = dict(shipped(book, HEMMED).raw) | {"answers": ["Slon"]}
    assert "answers" not in change(book, raw, "count", {"player": "Sea", "counter": "power", "n": "1"})


def test_a_player_goes_with_all_that_is_his(book: Rulebook) -> None:
    raw = dict(shipped(book, HEMMED).raw)
    gone = build(book, change(book, {k: v for k, v in raw.items() if k not in ("do", "claims")}, "no-player", {"player": "Sea"}))
    assert not any(p.owner == "Sea" for _, p, _ in gone.state.pieces)
    assert not gone.state.counters
    assert not any("Sea" in f for f in gone.state.flags)


@pytest.mark.parametrize(("what", "words", "wrong"), [
    ("pu", {}, "nearest: put"),
    ("put", {"piece": "Duk", "area": "Area A", "n": "1"}, "nearest: Duck"),
    ("put", {"piece": "Duck", "area": "Area Z", "n": "1"}, "no place 'Area Z'"),
    ("put", {"piece": "Duck", "area": "Area A", "n": "many"}, "whole number"),
    ("put", {"piece": "2000 Ducks", "area": "Area A", "n": "1"}, "at most"),
    ("area", {"area": "Area A", "kind": "see"}, "nearest: sea"),
    ("count", {"player": "Red", "counter": "power", "n": "-1"}, "0 to"),
    ("count", {"player": "Rod", "counter": "power", "n": "1"}, "nearest: Red"),
    ("hold", {"player": "Red", "holding": "ally", "name": "Duks"}, "nearest: Ducks"),
    ("do", {"says": "Red devastate Area A"}, "nearest"),
    ("undo", {"n": "0"}, "no sentence 1"),
    ("flag", {"name": "Rift opened"}, "nearest: Rift open"),
    ("read", {"name": "no.reading", "clause": "x"}, "no reading"),
])
def test_a_wrong_change_is_refused_with_the_nearest_right_thing(book: Rulebook, what: str, words: dict[str, str], wrong: str) -> None:
    with pytest.raises(BadText, match=wrong):
        change(book, START, what, words)


def test_every_change_there_is_takes_any_words_without_a_fault(book: Rulebook) -> None:
    for what in CHANGES:
        for word in ("", "x" * 500, "Red", "Area A", "0", "<b>", "\x00", "-"):
            for n in ("0", "", "1e9", "99999"):
                words = dict.fromkeys(("area", "kind", "to", "piece", "player", "counter", "holding", "name", "says", "clause"), word) | {"n": n}
                try:
                    change(book, START, what, words)
                except BadText as wrong:
                    assert "\n" not in str(wrong)  # noqa: PT017


def test_what_may_be_done_is_told_apart_from_what_a_clause_forbids(book: Rulebook) -> None:
    s = shipped(book, HEMMED)
    by = {m.says: m for m in moves(book, s.state, ["Sea"])}
    assert by["Sea devastates Artmal Empire"].allowed
    refused = by["Sea devastates Slon"]
    assert not refused.allowed
    assert refused.against == ("luathans.devastate.18",)


def test_the_moves_of_every_shipped_position_are_found(book: Rulebook) -> None:
    told: Callable[[str], int] = lambda id: len(moves(book, shipped(book, id).state, list(shipped(book, id).raw.get("players") or {})))  # noqa: E731
    assert sum(told(id) for id in book.scenarios) > 1000


def test_every_claim_that_a_position_offers_can_be_asked_of_it(book: Rulebook) -> None:
    raw = {k: v for k, v in shipped(book, HEMMED).raw.items() if k != "claims"}
    offered = claims(book, build(book, raw).state, ["Sea"])
    assert "Mother of Monsters is killed" in offered
    assert len(build(book, {**raw, "claims": offered}).wants) == len(offered)

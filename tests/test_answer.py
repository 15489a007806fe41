"""Questions and their answers, on the book of the game."""

from __future__ import annotations

from functools import lru_cache

import pytest

from lookup.answer import BadQuestion, Desk, Unknown
from lookup.engine.clause import TIERS
from lookup.question import asks_whether

HEADLINE = "Luathan Devastate vs Mother of Monsters"
STATUSES = {"ruled", "found", "refused"}


@lru_cache(1)
def desk() -> Desk:
    return Desk.open()


def test_devastate_against_the_mother_depends_on_the_ways_that_spawn_leave_her() -> None:
    verdict = desk().ask(HEADLINE)["verdict"]
    assert verdict["verdict"] == "depends"
    assert (verdict["least"], verdict["greatest"]) == ("0", "1")
    assert verdict["claim"] == "Mother of Monsters is killed"
    assert "always when Mother of Monsters cannot be routed" in verdict["says"]
    assert "never when Mother of Monsters may be routed" in verdict["says"]
    assert verdict["clauses"] == ["mother-of-monsters.titanic.2"]
    assert any("Spawn" in difference for difference in verdict["on"])


def test_without_the_ban_on_spawn_areas_the_answer_is_another_sentence() -> None:
    struck = desk().ask(HEADLINE, ["mother-of-monsters.titanic.2"])
    assert struck["verdict"]["says"] != desk().ask(HEADLINE)["verdict"]["says"]
    assert struck["verdict"]["verdict"] == "never"
    assert struck["without"] == ["mother-of-monsters.titanic.2"]


def test_the_ruling_on_both_comes_first_with_its_printed_place() -> None:
    first = desk().ask(HEADLINE)["results"][0]
    assert first["kind"] == "ruling"
    assert first["passages"] == ["elder-races/faq/7", "chaos-monsters/faq/3"]
    assert first["place"] == "Elder Races rulebook, FAQ, 7th question"


def test_hemmed_in_she_is_killed_and_with_one_free_neighbour_never() -> None:
    scenarios = {s["id"]: s for s in desk().ask(HEADLINE)["scenarios"]}
    killed = {id: next(c["verdict"] for c in s["claims"] if c["says"] == "Mother of Monsters is killed") for id, s in scenarios.items()}
    assert killed["devastate-hemmed-in"] == "always"
    assert killed["devastate-one-way-out"] == "never"


def test_each_step_names_the_clause_that_moved_it_and_the_one_that_lost() -> None:
    hemmed = next(s for s in desk().ask(HEADLINE)["scenarios"] if s["id"] == "devastate-hemmed-in")
    death = next(step for step in hemmed["steps"] if "Mother of Monsters is killed" in step["says"])
    roles = {c["id"]: c["role"] for c in death["clauses"]}
    assert roles["mother-of-monsters.killing.1"] == "exception"
    assert roles["mother-of-monsters.titanic.2"] == "forbids"
    assert roles["mother-of-monsters.titanic.1"] == "overruled"
    assert all(step["clauses"] for step in hemmed["steps"])


@pytest.mark.parametrize(
    "typed", ["can devastate kill MoM", "luathen devestate vs mother of monstrs", "does the Luathans' Devastate kill the Mother of Monsters?"]
)
def test_however_it_is_typed_the_same_ruling_is_found(typed: str) -> None:
    answer = desk().ask(typed)
    assert "faq.devastate-monsters" in [r["id"] for r in answer["results"][:3]]
    assert answer["status"] == "ruled"


@pytest.mark.parametrize(
    "asked",
    ["how many VP is a ziggurat worth", "leviathan special power", "what is the capital of France", "asdf qwer zxcv", "how much combat does the giant have"],
)
def test_what_the_sources_do_not_say_is_refused(asked: str) -> None:
    answer = desk().ask(asked)
    assert answer["status"] == "refused"
    assert answer["verdict"] is None
    assert answer["silent"]


@pytest.mark.parametrize(("asked", "card"), [("Sky Terror", "sky-terror"), ("slarges", "slarges"), ("MoM", "mother-of-monsters")])
def test_a_name_alone_is_answered_with_its_card(asked: str, card: str) -> None:
    answer = desk().ask(asked)
    assert answer["status"] in ("found", "ruled")
    assert answer["results"][0]["id"] == card


@pytest.mark.parametrize("asked", ["diplomacy cost", "are spawn monsters", "attack neutral", HEADLINE])
def test_an_answer_has_the_shape_of_the_design(asked: str) -> None:
    answer = desk().ask(asked)
    assert answer["schema"] == "lawspeaker.answer/1"
    assert answer["status"] in STATUSES
    assert 0 < len(answer["results"]) <= 10
    for result in answer["results"]:
        assert set(result) >= {"id", "kind", "title", "text", "place", "tier", "passages", "printed"}
        assert result["tier"] in TIERS
        assert len(result["passages"]) <= 4


@pytest.mark.parametrize("asked", ["", "   ", "\n", "\0\x1b", "x" * 10_000])
def test_an_empty_or_endless_question_is_refused_in_one_line(asked: str) -> None:
    with pytest.raises(BadQuestion) as wrong:
        desk().ask(asked)
    assert wrong.value.says
    assert "\n" not in wrong.value.says


def test_an_unknown_clause_is_told_with_the_nearest() -> None:
    with pytest.raises(Unknown) as wrong:
        desk().ask("diplomacy", ["mother-of-monsters.titanic.22"])
    assert "nearest: mother-of-monsters.titanic.2" in wrong.value.says


def test_an_actions_own_step_cannot_be_struck() -> None:
    with pytest.raises(BadQuestion, match="step"):
        desk().ask("diplomacy", ["luathans.devastate.1"])


def test_a_position_of_ones_own_is_played_and_opens_from_its_link() -> None:
    text = """
map:
  Area A: {next: [Area B]}
players:
  Moon: {ally: Luathans}
units:
  Area A:
    - Luathan of Moon
    - Mother of Monsters
  Area B: [2 Spawn]
do:
  - Moon devastates Area A
claims:
  - Mother of Monsters is killed
"""
    played = desk().play(text)["scenarios"][0]
    assert played["claims"][0]["verdict"] == "always"
    assert desk().play(played["link"])["scenarios"][0]["claims"] == played["claims"]


def test_playing_without_a_clause_tells_before_and_after() -> None:
    told = desk().play("devastate-hemmed-in", without=["mother-of-monsters.titanic.2"])
    assert told["before"][0]["claims"][0]["verdict"] == "always"
    assert told["scenarios"][0]["claims"][0]["verdict"] == "never"


def test_a_card_gives_each_field_as_a_value_or_as_silence() -> None:
    card = desk().show("slarges")
    fields = {f["name"]: f for f in card["fields"]}
    assert fields["cost"]["value"] == "3"
    assert fields["cost"]["tier"] == "printed"
    assert fields["class"]["silent"]


def test_a_clause_tells_its_page_neighbours_code_and_what_it_overrules() -> None:
    sheet = desk().show("mother-of-monsters.killing.1")
    assert sheet["page"]["id"] == "mother-of-monsters"
    assert "rout.stuck.1" in sheet["overrides"]
    assert "def killed_by_a_rout" in sheet["code"]
    assert "faq.devastate-monsters" in sheet["restated_by"]


@pytest.mark.parametrize("asked", [
    "how do you kill MoM", "where do routed spawn go", "who decides where my units go when a monster routs them", "can I use Birth while Spawn hem her in",
    "does Spawnrise need a Spawn in the area", "are spawn gods", "can Teleport carry the Mother of Monsters", "do monsters count as units",
    "if a dragonewt is eliminated by a rune what stage is it", "can the Waertagi use Major Invasion from land", "can I choose to not rout the second Luathan",
    "may Spawn be routed to the Mother", "does the Mother die if the map edge and not Spawn leaves her no way out", "can a Monster be killed by battle results",
    "what happens to buildings when Cwim walks in", "can neutral Elder Races be affected by Oblivion", "can a neutral elder race be enslaved",
    "rift opened, mother came in, can I still upgrade there",
])
def test_a_verdict_on_something_else_than_was_asked_is_not_given(asked: str) -> None:
    verdict = desk().ask(asked)["verdict"]
    assert verdict is None or set(verdict["claim"].lower().split()) & {"upgrade", "refused", "build"}


@pytest.mark.parametrize(("asked", "whether"), [
    ("can I attack a neutral race", True), ("X vs Y", True), ("how likely is a rout", True), ("what are the odds of a 6", True),
    ("when she routs, is she killed", True),
    ("how do I kill her", False), ("where does it go", False), ("who picks", False), ("what does it cost", False), ("when do they come into play", False),
])
def test_only_a_question_whether_something_is_so_can_have_a_verdict(asked: str, whether: bool) -> None:
    assert asks_whether(asked) is whether


@pytest.mark.parametrize(("asked", "claim"), [
    ("moon enslavement vs spawn", "Spawn is enslaved"),
    ("can invisible god kill androgeus", "the action is refused"),
    ("does the Luathans' Devastate kill the Mother of Monsters", "Mother of Monsters is killed"),
])
def test_a_verdict_is_on_what_the_ruling_found_settles(asked: str, claim: str) -> None:
    assert desk().ask(asked)["verdict"]["claim"] == claim


@pytest.mark.parametrize("asked", ["If I use Devastate do all my Luathans die?", "can Oblivion take my Ducks", "does teleport trigger Juggernaut's Community"])
def test_a_lack_that_is_not_what_was_asked_of_refuses_nothing(asked: str) -> None:
    answer = desk().ask(asked)
    assert answer["status"] != "refused"
    assert answer["results"][0]["tier"] != "silent"


def test_what_the_sources_lack_of_a_question_is_said_beside_the_rules() -> None:
    answer = desk().ask("what does Devastate cost")
    assert "The sources do not say what Devastate costs in Power, nor when it may be used." in answer["silent"]


def test_an_owners_passage_that_both_books_print_is_shown_once() -> None:
    words = dict.fromkeys(("elder-races/faq/7", "chaos-monsters/faq/3"), "Q. Printed? A. Printed.")
    own = Desk(desk().book, desk().sources, words)
    assert own.show("faq.devastate-monsters")["printed"] == "Q. Printed? A. Printed."


def test_a_ruling_on_an_ability_that_was_not_named_does_not_stand_before_the_rule() -> None:
    assert desk().ask("where do routed spawn go")["results"][0]["id"] == "mother-of-monsters.titanic.5"


def test_the_slarges_card_gives_both_of_their_combats() -> None:
    combat = next(f for f in desk().show("slarges")["fields"] if f["name"] == "combat")
    assert "1 or 3" in combat["value"]

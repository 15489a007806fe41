"""What neutrality means."""
from typing import Any

from knowledge.core.battle import declare
from knowledge.core.board import By, Cause, Effect, is_ally, is_neutral_race, neutral
from knowledge.core.effects import affects
from lookup.engine.clause import SILENT, Said, every_action
from lookup.engine.play import Play
from lookup.engine.state import Piece


@neutral.default("setup.neutral.1")
def until_it_joins(g: Play, race: str) -> Said[bool]:
    """Every Elder Race is neutral when the game starts."""
    return not is_ally(g, race)


@declare.forbids("setup.neutral.2")
def not_attacked(g: Play, player: str, foe: str, area: str) -> Said[bool]:
    """The units of a neutral Elder Race may not be attacked: nobody can declare a battle on them."""
    return True if is_neutral_race(g, Piece(foe)) else SILENT


@every_action.forbids("setup.neutral.3")
def not_used(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """Nobody can use the racial ability of an Elder Race that is neutral."""
    race = whose_ability(g, action)
    return True if race and neutral(g, race) else SILENT


@affects.forbids("setup.neutral.5")
def not_affected(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """Nothing affects a neutral Elder Race except an empire's attempt to ally with it."""
    return True if is_neutral_race(g, unit) and cause.by is not By.DIPLOMACY else SILENT


def whose_ability(g: Play, action: str) -> str:
    """The Elder Race whose card an action stands on, or ""."""
    page = g.book.page_of(action)
    return page.title if page.kind == "elder race" else ""

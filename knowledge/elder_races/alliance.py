"""What an Elder Race ally is to its player."""
from typing import Any

from knowledge.core.board import actor, allies, is_ally
from knowledge.core.effects import fill_pool
from knowledge.elder_races.setup import whose_ability
from lookup.engine.clause import SILENT, Said, every_action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece


@every_action.default("alliance.ability.1")
def uses_its_ability(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """A player may use the unique ability that the loyalty card of his Elder Race ally prints."""
    return True if whose_ability(g, action) in allies(g, actor(args)) else SILENT


@every_action.forbids("alliance.ability.2")
def not_anothers(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """The unique ability of an Elder Race that is somebody's ally cannot be used by any other player."""
    race = whose_ability(g, action)
    return True if race and is_ally(g, race) and race not in allies(g, actor(args)) else SILENT


@part("alliance.pool.1")
def rest_to_the_pool(g: Play, player: str, race: str) -> None:
    """Units of an allied Elder Race that are not on the map, killed ones included, are in their player's pool."""
    for kind in kinds_of(g, race):
        in_the_box = int(g.field(kind, "pieces") or 0)
        fill_pool(g, player, Piece(kind, player), in_the_box - g.state.total(lambda p: p.kind == kind))


def kinds_of(g: Play, race: str) -> list[str]:
    """The kinds of unit that an Elder Race has."""
    return [kind for kind, unit in g.book.units.items() if g.book.pages[unit.page].title == race]

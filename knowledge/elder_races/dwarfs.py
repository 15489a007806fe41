"""Dwarfs."""
from enum import StrEnum

from knowledge.core.actions import pay, price
from knowledge.core.board import By, Cause, buildings, is_ally, standing
from knowledge.core.buildings import CONSTRUCTION, NESTS, heeds, heeds_bans, put_up, stock
from knowledge.core.effects import eliminate, give_back
from knowledge.core.units import pool_of
from knowledge.elder_races.diplomacy import certain
from knowledge.elder_races.elder_race_gifts import fulfilled
from knowledge.elder_races.setup import home, starters
from lookup.engine.clause import SILENT, Question, Said, action
from lookup.engine.play import Play
from lookup.engine.state import Piece

DWARFS, DWARF = "Dwarfs", "Dwarf"
DEAD_GOD = "dwarfs.dead-god.1"


class Swapped(StrEnum):
    """What the Dwarf that Construction replaces counts as."""

    GIVEN_BACK = "given back"
    ELIMINATED = "eliminated"


swapped: Question[[str], Swapped] = Question("construction.swap", "what does the {0} that Construction replaces count as?")


@action(CONSTRUCTION, says="{player} uses Construction for {building} in {area}")
def construct(g: Play, player: str, building: str, area: str) -> None:
    """Construction replaces a Dwarf on the map by any building of the player's pool."""
    pay(g, CONSTRUCTION, player)
    dwarf = Piece(DWARF, player)
    n = min(1, g.state.count(area, dwarf))
    match swapped(g, DWARF):
        case Swapped.GIVEN_BACK if n:
            give_back(g, area, dwarf, n)
        case Swapped.ELIMINATED if n:
            eliminate(g, area, dwarf, n, Cause(By.COST, "Construction", player))
    for piece in stock(g, player, building)[:1]:
        put_up(g, player, piece, area)


@price.default("dwarfs.construction.2", of=(CONSTRUCTION,))
def costs_nothing(g: Play, action: str, player: str) -> Said[int]:
    """Construction costs 0 Power."""
    return 0


@construct.forbids("dwarfs.construction.3")
def beside_a_building(g: Play, player: str, building: str, area: str) -> Said[bool]:
    """Construction may not be used in an area that holds a building."""
    return True if buildings(g, area) else SILENT


@construct.permits("dwarfs.construction.4", "dwarfs.construction.3")
def beside_a_nest(g: Play, player: str, building: str, area: str) -> Said[bool]:
    """A Chaos Nest in the area does not stand in the way of Construction, unless the player is Chaos."""
    there = buildings(g, area)
    return True if there and player != "Chaos" and all(p.kind in NESTS for p, _ in there) else SILENT


@construct.forbids("dwarfs.construction.11")
def needs_a_dwarf(g: Play, player: str, building: str, area: str) -> Said[bool]:
    """Construction cannot be used in an area where the player has no Dwarf."""
    return SILENT if area in (a for a, _ in standing(g, DWARF, player)) else True


@heeds.forbids("dwarfs.construction.5", of=(CONSTRUCTION,))
def whatever_it_requires(g: Play, action: str) -> Said[bool]:
    """The building that a Dwarf puts up by Construction need not meet its building requirements."""
    return True


@heeds_bans.forbids("dwarfs.construction.8", of=(CONSTRUCTION,))
def wherever_it_is(g: Play, action: str) -> Said[bool]:
    """Construction may put a building in an area that is closed to building."""
    return True


@swapped.default("dwarfs.construction.9")
def goes_back(g: Play, kind: str) -> Said[Swapped]:
    """The Dwarf that Construction replaces goes back to the pool and is neither killed nor eliminated."""
    return Swapped.GIVEN_BACK


@swapped.default("dwarfs.construction.10")
def is_eliminated(g: Play, kind: str) -> Said[Swapped]:
    """The Dwarf that Construction replaces is eliminated."""
    return Swapped.ELIMINATED


@action(DEAD_GOD, says="{player} uses The Dead God")
def dead_god(g: Play, player: str) -> None:
    """The Dwarf gift, The Dead God, is an action that does nothing and yet counts as an action."""
    pay(g, DEAD_GOD, player)


@price.default("dwarfs.dead-god.2", of=(DEAD_GOD,))
def also_for_nothing(g: Play, action: str, player: str) -> Said[int]:
    """The Dead God costs 0 Power."""
    return 0


@certain.permits("dwarfs.alliance.2", of=(DWARFS,))
def after_the_elves(g: Play, race: str) -> Said[bool]:
    """While the Elves are somebody's ally, Diplomacy with the Dwarfs succeeds whatever the roll."""
    return True if is_ally(g, "Elves") else SILENT


@fulfilled.default("dwarfs.heroquest.1", of=(DWARFS,))
def none_in_the_pool(g: Play, race: str, player: str) -> Said[bool]:
    """The Dwarfs' Heroquest is fulfilled when no Dwarfs are in their player's pool."""
    return not pool_of(g, player, DWARF)


@home.default("dwarfs.setup.1", of=(DWARFS,))
def jrustela(g: Play, race: str) -> Said[str]:
    """The Dwarfs start the game in Jrustela."""
    return "Jrustela"


@starters.default("dwarfs.setup.2", of=(DWARFS,))
def one_dwarf(g: Play, race: str) -> Said[int]:
    """One Dwarf is on the map at the start of the game."""
    return 1

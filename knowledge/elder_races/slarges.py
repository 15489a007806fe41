"""Slarges."""
from knowledge.core.battle import before_rolling, combat, members
from knowledge.core.units import pool_of
from knowledge.elder_races.elder_race_gifts import fulfilled
from knowledge.elder_races.setup import home, starters
from lookup.engine.clause import SILENT, Said
from lookup.engine.play import Play
from lookup.engine.state import Piece

SLARGE = "Slarge"
LOW, HIGH = range(1, 4), range(4, 7)
BATTLE, DIE = "battle", "die for all Slarges"


def slarges_fight(g: Play, area: str, one: str, other: str) -> bool:
    """Whether a Slarge is in the battle."""
    return any(u.kind == SLARGE for of in (one, other) for u, _ in members(g, area, of))


@before_rolling.at("slarges.generation.1", when=slarges_fight)
def one_die_for_all(g: Play, area: str, one: str, other: str) -> None:
    """Before the combat dice of a battle with Slarges are rolled, one die is rolled for all Slarges in it."""
    (die,) = g.roll(1)
    g.state = g.state.counting(BATTLE, DIE, die)


@combat.default("slarges.generation.2", of=(SLARGE,))
def low_die(g: Play, unit: Piece) -> Said[int]:
    """If the die for the Slarges in a battle shows 1-3, every Slarge in it has combat 1."""
    return 1 if g.state.counter(BATTLE, DIE) in LOW else SILENT


@combat.default("slarges.generation.3", of=(SLARGE,))
def high_die(g: Play, unit: Piece) -> Said[int]:
    """If the die for the Slarges in a battle shows 4-6, every Slarge in it has combat 3."""
    return 3 if g.state.counter(BATTLE, DIE) in HIGH else SILENT


@combat.default("slarges.generation.4", of=(SLARGE,))
def fresh_die(g: Play, unit: Piece) -> Said[int]:
    """When a Slarge's combat matters outside a battle, a fresh die is rolled and read in the same way."""
    if g.state.counter(BATTLE, DIE):
        return SILENT
    (die,) = g.roll(1)
    return 1 if die in LOW else 3


@fulfilled.default("slarges.heroquest.1", of=("Slarges",))
def none_in_the_pool(g: Play, race: str, player: str) -> Said[bool]:
    """The Slarges' Heroquest is fulfilled when their player's pool holds no Slarges."""
    return not pool_of(g, player, SLARGE)


@home.default("slarges.setup.2", of=("Slarges",))
def umathela(g: Play, race: str) -> Said[str]:
    """The Slarges start the game in Umathela."""
    return "Umathela"


@starters.default("slarges.setup.1", of=("Slarges",))
def one_slarge(g: Play, race: str) -> Said[int]:
    """One Slarge starts the game in Umathela."""
    return 1

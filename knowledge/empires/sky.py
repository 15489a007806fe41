"""Sky: Nightfall and Sunspear."""
from knowledge.core.actions import pay, price
from knowledge.core.battle import declare
from knowledge.core.board import ELIMINATE, By, Cause, enemy
from knowledge.core.buildings import ZIGGURAT, stands
from knowledge.core.effects import affects, eliminate, flees, gain, move
from knowledge.core.gifts import aimed
from knowledge.core.quests import by_acting, fulfilled
from knowledge.core.rounds import FIRST_ROUND
from knowledge.core.units import cost
from lookup.engine.clause import SILENT, Said, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece, Wanted

SKY, SUN_GOD = "Sky", "Sun God"
SUNSPEAR, DECREE = "sky.sunspear.1", "sky.great-decree.1"
BY_SUNSPEAR = Cause(By.GIFT, "Sunspear", SKY, SKY)


@flees.permits("sky.nightfall.1", of=(SUN_GOD,))
def to_hell(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """When the Sun God is killed or eliminated he is routed to any area of Hell instead."""
    return True if g.state.board.kind(here) != "hell" else SILENT


@flees.permits("sky.nightfall.2", of=(SUN_GOD,))
def to_the_other_hell(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """When the Sun God is killed or eliminated in Hell he is routed to another area of Hell instead."""
    return True if g.state.board.kind(here) == "hell" and to != here else SILENT


@action(SUNSPEAR, says="{player} uses Sunspear on {unit}")
def sunspear(g: Play, player: str, unit: Wanted) -> None:
    """Sunspear is an action of Sky for 2 Power: choose an enemy unit and roll a die; on at least twice the cost of that unit it is eliminated."""
    pay(g, SUNSPEAR, player)
    (die,) = g.roll(1, who=player)
    for area, piece in targets(g, player, unit)[:1]:
        aimed(g, "Sunspear", piece.owner)
        if not affects(g, piece, ELIMINATE, BY_SUNSPEAR):
            g.did("unaffected", f"Sunspear fails against {g.name(piece)}", piece, 1, area)
        elif die >= 2 * cost(g, piece):
            eliminate(g, area, piece, 1, BY_SUNSPEAR)
            follow(g, area)


@price.exception("sky.sunspear.5", "actions.pay.2", of=(SUNSPEAR,))
def costs_two(g: Play, action: str, player: str) -> Said[int]:
    """Sunspear costs 2 Power."""
    return 2


@sunspear.forbids("sky.sunspear.6")
def needs_a_target(g: Play, player: str, unit: Wanted) -> Said[bool]:
    """Sunspear is for Sky and is aimed at an enemy unit on the map."""
    return SILENT if player == SKY and targets(g, player, unit) else True


def targets(g: Play, player: str, unit: Wanted) -> list[tuple[str, Piece]]:
    """The enemy units on the map that are meant."""
    return [(a, p) for a, p, _ in g.state.pieces if a in g.state.board.places and unit.fits(p, a) and enemy(g, p, player)]


@part("sky.sunspear.2")
def follow(g: Play, area: str) -> None:
    """After a Sunspear that eliminated its target, the Sun God goes to the area of that unit."""
    god = Piece(SUN_GOD, SKY)
    for here in g.state.board.places:
        if here != area and g.state.count(here, god):
            move(g, here, god, area, 1, BY_SUNSPEAR)


@declare.forbids("sky.optimist.1")
def not_in_hell(g: Play, player: str, foe: str, area: str) -> Said[bool]:
    """Sky may not declare a battle in Hell."""
    return True if player == SKY and g.state.board.kind(area) == "hell" else SILENT


@fulfilled.permits("sky.heroquests.4", of=("Ziggurat of Sky",))
def ziggurat_stands(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Sky: it places its Ziggurat."""
    return True if stands(g, ZIGGURAT, SKY) else SILENT


@action(DECREE, says="{player} decrees Power for {other:player}")
def decrees(g: Play, player: str, other: str) -> None:
    """With the first Great Decree Sky pays 1 Power as an action, and another player gains 2 Power."""
    pay(g, DECREE, player)
    gain(g, other, 2)
    by_acting(g, player, "First Great Decree")


@price.default("sky.great-decree.4", of=(DECREE,))
def a_decree_costs_one(g: Play, action: str, player: str) -> Said[int]:
    """The first Great Decree costs Sky 1 Power."""
    return 1


@decrees.forbids("sky.great-decree.3")
def not_at_first(g: Play, player: str, other: str) -> Said[bool]:
    """Sky may not proclaim a Great Decree in the first Action Phase."""
    return True if (FIRST_ROUND,) in g.state.flags else SILENT


@decrees.forbids("sky.great-decree.5")
def for_another(g: Play, player: str, other: str) -> Said[bool]:
    """A Great Decree is for Sky, and for the good of another player."""
    return SILENT if player == SKY != other else True

"""Storm: Teleport."""
from knowledge.core.actions import pay, price
from knowledge.core.board import MOVE, By, Cause, is_monster, is_neutral_race, is_of
from knowledge.core.effects import affects, move, spend
from knowledge.core.gifts import aimed
from lookup.engine.clause import SILENT, Said, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece, Wanted

STORM = "Storm"
KING = Piece("Storm King", STORM)
ALONE, TOGETHER = "storm.teleport.1", "storm.teleport.2"
BY_TELEPORT = Cause(By.GIFT, "Teleport", STORM)


def stands(g: Play) -> str:
    """The area where the Storm King stands, or ""."""
    return next((a for a in g.state.board.places if g.state.count(a, KING)), "")


def companions(g: Play, unit: Wanted) -> list[Piece]:
    """The units beside the Storm King that are meant."""
    here = stands(g)
    return [p for p, _ in g.state.at(here) if here and p != KING and unit.fits(p, here)]


@action(ALONE, says="{player} teleports to {area}")
def teleport(g: Play, player: str, area: str) -> None:
    """Teleport moves the Storm King to any area, as an action for 1 Power."""
    pay(g, ALONE, player)
    here = stands(g)
    if here:
        pay_more(g, player, None)
        move(g, here, KING, area, 1, BY_TELEPORT)


@action(TOGETHER, says="{player} teleports to {area} with {unit}")
def teleport_with(g: Play, player: str, area: str, unit: Wanted) -> None:
    """With Teleport the Storm King may take along one other unit from his area, of any empire."""
    pay(g, TOGETHER, player)
    here = stands(g)
    for other in companions(g, unit)[:1]:
        aimed(g, "Teleport", other.owner)
        pay_more(g, player, other)
        move(g, here, KING, area, 1, BY_TELEPORT)
        move(g, here, other, area, 1, BY_TELEPORT)


@price.default("storm.teleport.5", of=(ALONE, TOGETHER))
def costs_one(g: Play, action: str, player: str) -> Said[int]:
    """Teleport costs 1 Power where nothing makes it dearer."""
    return 1


def dearer(g: Play, other: Piece | None) -> bool:
    """Whether Teleport costs a second Power."""
    return (other is not None and is_of(g, other, "greater god")) or g.state.board.kind(stands(g)) == "hell"


@part("storm.teleport.3")
def pay_more(g: Play, player: str, other: Piece | None) -> None:
    """Teleport costs 2 Power when the unit taken along is a greater god, when the Storm King leaves Hell by it without permission, or when both are so."""
    if dearer(g, other):
        spend(g, player, 1)


@teleport.forbids("storm.teleport.6")
def needs_the_king(g: Play, player: str, area: str) -> Said[bool]:
    """Teleport is for Storm while the Storm King is on the map."""
    return SILENT if player == STORM and stands(g) else True


@teleport.forbids("storm.teleport.9")
def needs_two_power_in_hell(g: Play, player: str, area: str) -> Said[bool]:
    """The Storm King cannot leave Hell by Teleport for a player with less than 2 Power."""
    return True if stands(g) and dearer(g, None) and g.state.counter(player, "power") < 2 else SILENT


@teleport_with.forbids("storm.teleport.7")
def needs_a_companion(g: Play, player: str, area: str, unit: Wanted) -> Said[bool]:
    """The unit that Storm takes along with Teleport must stand where the Storm King is."""
    return SILENT if player == STORM and companions(g, unit) else True


@teleport_with.forbids("storm.teleport.8")
def needs_two_power(g: Play, player: str, area: str, unit: Wanted) -> Said[bool]:
    """Storm cannot take along with Teleport a unit that makes it cost 2 Power without having 2 Power."""
    return True if any(dearer(g, p) for p in companions(g, unit)) and g.state.counter(player, "power") < 2 else SILENT


@teleport_with.forbids("monsters.movement.3")
def not_a_monster(g: Play, player: str, area: str, unit: Wanted) -> Said[bool]:
    """Storm's Teleport cannot take a Monster with the Storm King."""
    return True if any(is_monster(g, p) and not affects(g, p, MOVE, BY_TELEPORT) for p in companions(g, unit)) else SILENT


@teleport_with.forbids("storm.teleport.10")
def not_of_a_neutral_race(g: Play, player: str, area: str, unit: Wanted) -> Said[bool]:
    """Teleport cannot take along a unit of a neutral Elder Race."""
    return True if any(is_neutral_race(g, p) and not affects(g, p, MOVE, BY_TELEPORT) for p in companions(g, unit)) else SILENT

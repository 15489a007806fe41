"""The Moon: Enslavement, the Slave Pen, and how units are taken back."""
from knowledge.core.actions import pay, price
from knowledge.core.board import OUT_OF_TURN, Cause, buildings
from knowledge.core.effects import PEN, gain, set_free, spend
from knowledge.core.gifts import active
from knowledge.core.rout import Instead, instead
from lookup.engine.clause import SILENT, Said, action
from lookup.engine.play import Play
from lookup.engine.state import Piece, Wanted

MOON, ENSLAVEMENT = "Moon", "Enslavement"
TAKE_BACK, TAKE_ALL = "moon.enslavement.2", "moon.enslavement.3"


def moon_routs(g: Play, cause: Cause) -> bool:
    """Whether a rout comes from the Moon while Enslavement has effect."""
    return cause.side == MOON and active(g, ENSLAVEMENT, MOON)


@instead.exception("moon.enslavement.1", "rout.leave.1")
def to_the_pen(g: Play, unit: Piece, cause: Cause) -> Said[Instead]:
    """With Enslavement, all units that the Moon empire routs go to its Slave Pen."""
    return Instead.PEN if moon_routs(g, cause) else SILENT


@instead.exception("moon.enslavement.5", "moon.enslavement.1")
def not_those_of_nobody(g: Play, unit: Piece, cause: Cause) -> Said[Instead]:
    """Only a unit that an empire controls can be enslaved: an allied Elder Race unit can be, a neutral one and a Spawn of the Mother of Monsters cannot."""
    return Instead.LEAVES if not unit.owner and moon_routs(g, cause) else SILENT


@instead.exception("moon.enslavement.7", "moon.enslavement.1")
def not_her_own(g: Play, unit: Piece, cause: Cause) -> Said[Instead]:
    """The Moon empire does not enslave units of its own."""
    return Instead.LEAVES if unit.owner == MOON and moon_routs(g, cause) else SILENT


@action(TAKE_BACK, says="{player} takes {unit} back from the Slave Pen to {area}", sort=OUT_OF_TURN)
def take_back(g: Play, player: str, unit: Wanted, area: str) -> None:
    """After an action, the owner of a unit in the Slave Pen may pay 1 Power to the Moon empire and take one unit back to one of his buildings."""
    pay(g, TAKE_BACK, player)
    gain(g, MOON, 1)
    for piece, _ in slaves(g, player, unit)[:1]:
        set_free(g, piece, area)


@price.default("moon.enslavement.8", of=(TAKE_BACK,))
def one_power(g: Play, action: str, player: str) -> Said[int]:
    """To take one unit back from the Slave Pen costs 1 Power."""
    return 1


@take_back.forbids("moon.enslavement.9")
def needs_a_slave(g: Play, player: str, unit: Wanted, area: str) -> Said[bool]:
    """A player can take back from the Slave Pen only a unit of his own that is there."""
    return SILENT if slaves(g, player, unit) else True


@take_back.forbids("moon.enslavement.10")
def needs_a_building(g: Play, player: str, unit: Wanted, area: str) -> Said[bool]:
    """A unit that is taken back from the Slave Pen goes to an area with a building of its owner."""
    return SILENT if area in homes(g, player) else True


def slaves(g: Play, player: str, unit: Wanted | None = None) -> list[tuple[Piece, int]]:
    """A player's units in the Slave Pen, counted."""
    return [(p, n) for p, n in g.state.at(PEN) if p.owner == player and (unit is None or unit.fits(p))]


def homes(g: Play, player: str) -> list[str]:
    """The areas that hold a building of a player."""
    return [a for a in g.state.board.places if any(p.owner == player for p, _ in buildings(g, a))]


@action(TAKE_ALL, says="{player} takes all units back from the Slave Pen", sort=OUT_OF_TURN)
def take_all_back(g: Play, player: str) -> None:
    """After an action, the owner of units in the Slave Pen may pay 1 VP to the Moon empire, take all of them back and spread them over his buildings."""
    spend(g, player, 1, "vp")
    gain(g, MOON, 1, "vp")
    for piece, n in slaves(g, player):
        for _ in range(n):
            set_free(g, piece, g.choose(player, f"where {g.name(piece)} is taken back to", homes(g, player)))


@take_all_back.forbids("moon.enslavement.11")
def needs_a_vp(g: Play, player: str) -> Said[bool]:
    """Nobody can take all his units back from the Slave Pen without a VP, a building on the map and a unit in the Slave Pen."""
    return SILENT if g.state.counter(player, "vp") and homes(g, player) and slaves(g, player) else True

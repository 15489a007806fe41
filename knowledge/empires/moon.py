"""The Moon: the Lunar Cycle, its heroquests, Eclipse, Enslavement, the Slave Pen, and how units are taken back."""
from collections.abc import Callable

from knowledge.core.actions import pay, price
from knowledge.core.battle import declared
from knowledge.core.board import OUT_OF_TURN, Cause, buildings
from knowledge.core.buildings import ZIGGURAT, stands
from knowledge.core.effects import PEN, gain, pool, set_free, spend
from knowledge.core.gifts import active
from knowledge.core.phases import power_phase, summoned
from knowledge.core.quests import finish, fulfilled, is_done
from knowledge.core.rout import Instead, instead
from lookup.engine.clause import SILENT, Question, Said, action, claim
from lookup.engine.play import Play
from lookup.engine.state import Piece, State, Wanted

MOON, ENSLAVEMENT = "Moon", "Enslavement"
CYCLE, STEPS, TURN_ON = "Lunar Cycle at ", "Lunar Cycle steps", "moon.lunar-cycle.1"
TAKE_BACK, TAKE_ALL = "moon.enslavement.2", "moon.enslavement.3"


next_step: Question[[int], str] = Question("moon.next-step", "what step does the Lunar Cycle come to after {0} more?")


def go_on(g: Play) -> None:
    """Moves the Lunar Cycle one step on."""
    g.state = g.state.counting("", STEPS, g.state.counter("", STEPS) + 1)
    g.did("went on", "The Lunar Cycle goes on by 1 step")


def step_now(g: Play) -> str:
    """The step that the Lunar Cycle is at, or "" where the position does not say.  Raises Unanswered when it has gone on, since no source lists the steps."""
    n = g.state.counter("", STEPS)
    return next_step(g, n) if n else next((f[0].removeprefix(CYCLE) for f in g.state.flags if len(f) == 1 and f[0].startswith(CYCLE)), "")


@action(TURN_ON, says="{player} moves the Lunar Cycle on")
def moves_it_on(g: Play, player: str) -> None:
    """Any player may, as an action for 1 Power, move the Lunar Cycle one step clockwise."""
    pay(g, TURN_ON, player)
    go_on(g)


@price.exception("moon.lunar-cycle.4", "actions.pay.2", of=(TURN_ON,))
def a_step_costs_one(g: Play, action: str, player: str) -> Said[int]:
    """To move the Lunar Cycle on costs 1 Power."""
    return 1


def at(step: str) -> Callable[[Play, str], bool]:
    """Whether a Power Phase of the Moon starts with the Lunar Cycle at a step for the first time."""
    return lambda g, player: player == MOON and not is_done(g, MOON, f"Power Phase at {step}") and step_now(g) == step


@power_phase.at("moon.heroquests.2", when=at("Dying"))
def at_dying(g: Play, player: str) -> None:
    """One heroquest part of the Moon empire: a Power Phase starts with the Lunar Cycle at Dying, which gives it 2 Power."""
    finish(g, MOON, "Power Phase at Dying")
    gain(g, MOON, 2)


@power_phase.at("moon.heroquests.3", when=at("Half"))
def at_half(g: Play, player: str) -> None:
    """One heroquest part of the Moon empire: a Power Phase starts with the Lunar Cycle at Half, which gives it 3 Power."""
    finish(g, MOON, "Power Phase at Half")
    gain(g, MOON, 3)


@power_phase.at("moon.heroquests.4", when=at("Full"))
def at_full(g: Play, player: str) -> None:
    """One heroquest part of the Moon empire: a Power Phase starts with the Lunar Cycle at Full, which gives it 4 Power."""
    finish(g, MOON, "Power Phase at Full")
    gain(g, MOON, 4)


@fulfilled.permits("moon.heroquests.5", of=("Ziggurat of Moon",))
def ziggurat_stands(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of the Moon empire: it places its Ziggurat."""
    return True if stands(g, ZIGGURAT, MOON) else SILENT


@fulfilled.permits("moon.heroquests.6", of=("No Moon Temple in the Pool",))
def temples_out(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of the Moon empire: no Moon Temple is in its pool."""
    return SILENT if any(p.kind == "Moon Temple" for p, _ in g.state.at(pool(MOON))) else True


def goddess_comes(g: Play, player: str, piece: Piece, area: str) -> bool:
    """Whether the Moon empire has summoned the Red Goddess."""
    return player == MOON and piece.kind == "Red Goddess"


@summoned.at("moon.heroquests.7", when=goddess_comes)
def summons_her(g: Play, player: str, piece: Piece, area: str) -> None:
    """One heroquest part of the Moon empire: it summons the Red Goddess."""
    finish(g, MOON, "Summoned Red Goddess", piece)


def moon_declares(g: Play, player: str, foe: str, area: str) -> bool:
    """Whether the Moon empire declares a battle while Eclipse has effect."""
    return player == MOON and active(g, "Eclipse", MOON)


@declared.at("moon.eclipse.1", when=moon_declares)
def eclipsed(g: Play, player: str, foe: str, area: str) -> None:
    """With Eclipse, the Lunar Cycle goes on by 1 step whenever the Moon empire declares a battle."""
    go_on(g)


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


@claim("the Lunar Cycle has gone on by {number} {step|steps}")
def has_gone_on(state: State, number: int) -> bool:
    return state.counter("", STEPS) == number

"""Waertagi: routed Dragonships, and from where Major Invasion is used."""
from knowledge.core.board import OUT_OF_TURN, By, Cause, units_of
from knowledge.core.rout import WENT, may_go, rout, waits
from lookup.engine.clause import SILENT, Said, action
from lookup.engine.play import Play
from lookup.engine.state import Piece

SHIP = "Waertagi Dragonship"


@action("waertagi.rout.3", says="{player} routs {foe:player} out of {area} and {area2}", sort=OUT_OF_TURN)
def routs_both(g: Play, player: str, foe: str, one: str, other: str) -> None:
    """One cause may rout the units that a player has in two areas."""
    cause, there = Cause(By.ABILITY, "a rout", player), {a: units_of(g, foe, a) for a in (one, other)}
    went: set[str] = set()
    for area, routed in there.items():
        before = {a: crew(g, foe, a) for a in g.state.board.places}
        rout(g, area, [(p, n) for p, n in routed if p.kind != SHIP], cause)
        went.update(a for a in before if crew(g, foe, a) > before[a])
    for area in went:
        g.state = g.state.flagged(WENT, foe, area)
    for area, routed in there.items():
        rout(g, area, [(p, n) for p, n in routed if p.kind == SHIP], cause)
    for area in went:
        g.state = g.state.unflagged(WENT, foe, area)


def crew(g: Play, player: str, area: str) -> int:
    """How many units a player has in an area beside Dragonships."""
    return sum(n for p, n in units_of(g, player, area) if p.kind != SHIP)


def follows(g: Play, unit: Piece) -> list[str]:
    """The areas to which its player's other units were routed just now."""
    return [f[2] for f in g.state.flags if f[:2] == (WENT, unit.owner)]


@waits.permits("waertagi.rout.4", of=(SHIP,))
def after_the_others(g: Play, unit: Piece) -> Said[bool]:
    """It is settled first where a player's other routed units go, and then his routed Dragonships are sent after them."""
    return True


@may_go.forbids("waertagi.rout.1", of=(SHIP,))
def nowhere_else(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """Routed Waertagi Dragonships go to the area to which their player's other routed units go."""
    others = follows(g, unit)
    return True if others and to not in others else SILENT


@may_go.permits("waertagi.rout.2", of=(SHIP,))
def however_far(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """Waertagi Dragonships may be routed more than 1 area away in order to join their player's other routed units."""
    return True if to in follows(g, unit) else SILENT


@action("waertagi.invasion.3", says="{player} uses Major Invasion in {area}")
def invade(g: Play, player: str, area: str) -> None:
    """A player with the gift Major Invasion uses it where a Waertagi Dragonship of his is."""
    g.did("used", f"{player} uses Major Invasion, whose effect the sources do not give")


@invade.forbids("waertagi.invasion.1")
def only_at_sea(g: Play, player: str, area: str) -> Said[bool]:
    """Major Invasion, the Waertagi gift, can be used only by a Dragonship that is in a sea area."""
    return SILENT if any(p.kind == SHIP for p, _ in units_of(g, player, area)) and g.state.board.kind(area) == "sea" else True

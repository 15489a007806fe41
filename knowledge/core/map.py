"""Ways: arrows, sunken lands, and out of Hell."""
from knowledge.core.battle import combat
from knowledge.core.board import OUT_OF_TURN, By, Cause, units
from knowledge.core.effects import move, spend
from knowledge.core.phases import all_there, movers, moves, way
from lookup.engine.clause import SILENT, Moment, Question, Said, YesNo, action, claim, part
from lookup.engine.play import Play
from lookup.engine.state import Piece, State, Wanted

GATES, SUNKEN, SHATTERED, RIFT = "Gates of Dawn", "sunken", "Spike shattered", "Rift open"
CLOSED = "Rift closed"
WHIRLPOOL, CLOSE = "map.hell.6", "map.rift.6"

asks_leave: YesNo[[Piece]] = YesNo("hell.asks", "does {0} need leave to go out of Hell?", presumed=True)
from_hell: YesNo[[Piece, str, str]] = YesNo("hell.way", "may {0} leave Hell from {1} to {2}?", "{0} may leave Hell to {2}", "{0} cannot leave Hell to {2}")
arrow: YesNo[[Piece, str, str]] = YesNo("move.arrow", "may {0} use an arrow from {1} to {2}?", presumed=False)
shattered: Moment[[str]] = Moment("the Spike shatters", lambda g, player: player)
rift_closed: Moment[[str]] = Moment("the Chaos Rift closes", lambda g, player: player)
gives_leave: Question[[Piece, str], bool] = Question("hell.leave", "does {0} get leave to go out of {1}?")


def is_hell(g: Play, area: str) -> bool:
    """Whether an area is one of Hell."""
    return area in g.state.board.places and g.state.board.kind(area) == "hell"


def is_surface(g: Play, area: str) -> bool:
    """Whether an area is one of the surface."""
    return g.state.board.kind(area) in ("land", "sea", "special")


@way.permits("map.arrows.6")
def along_an_arrow(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """A move may go along a sea-crossing arrow that the unit can use."""
    return True if arrow(g, unit, here, to) else SILENT


@arrow.permits("map.arrows.1")
def joins(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """A sea-crossing arrow joins two lands over a sea, so that a move can go from one to the other at once."""
    return True if to in g.state.board.along(here) else SILENT


@arrow.forbids("map.sunken.2")
def no_longer_land(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """A sunken land makes every arrow to it and from it invalid."""
    return True if {(SUNKEN, here), (SUNKEN, to)} & g.state.flags else SILENT


@way.exception("map.hell.10", "phases.move.3")
def out_of_hell(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """A move out of Hell goes by the ways that lead out of Hell and not across a border."""
    return from_hell(g, unit, here, to) if is_hell(g, here) and not is_hell(g, to) else SILENT


@from_hell.default("map.hell.4")
def only_by_the_gates(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """Units leave Hell only by way of the Gates of Dawn."""
    return to == GATES


@moves.forbids("map.hell.5")
def without_leave(g: Play, player: str, unit: Wanted, here: str, to: str) -> Said[bool]:
    """To leave Hell, units need the permission of a unit in the same area of Hell that has a higher Combat."""
    if not is_hell(g, here) or is_hell(g, to):
        return SILENT
    return True if any(asks_leave(g, p) and not gets_leave(g, player, p, here) for p, _ in movers(g, player, unit, here)) else SILENT


def gets_leave(g: Play, player: str, unit: Piece, here: str) -> bool:
    """Whether somebody with a stronger unit there lets a unit go."""
    combats = {p: combat(g, p) for p in dict.fromkeys((unit, *(p for p, _ in units(g, here) if p.owner)))}
    owners = sorted({p.owner for p in combats if combats[p] > combats[unit]})
    if not owners:
        return gives_leave(g, unit, here)
    return player in owners or any(g.choose(who, f"whether {g.name(unit)} may leave Hell", (True, False)) for who in owners)


def gates_of_dawn(g: Play, player: str) -> str:
    """The area to which units that are let out of Hell come.  Raises Unanswered where the map has no Gates of Dawn."""
    to: str = g.choose(player, "where units come out of Hell", [a for a in g.state.board.places if a == GATES])
    return to


@action(WHIRLPOOL, says="{player} pays VP to bring {unit} out of {area}")
def whirlpool(g: Play, player: str, unit: Wanted, here: str) -> None:
    """Once Magasta's whirlpool is in play, a player may pay 1 VP and move as many of the units in one area of Hell as he likes to the Gates of Dawn."""
    spend(g, player, 1, "vp")
    left, to = unit.n or 1, gates_of_dawn(g, player)
    for piece, n in movers(g, player, unit, here):
        move(g, here, piece, to, min(n, left), Cause(By.COST, "the whirlpool", player))
        left -= min(n, left)


@whirlpool.forbids("map.hell.11")
def not_before(g: Play, player: str, unit: Wanted, here: str) -> Said[bool]:
    """Units cannot be brought out of Hell for VP before the Spike has shattered, by a player without VP, or from elsewhere than Hell."""
    return SILENT if (SHATTERED,) in g.state.flags and g.state.counter(player, "vp") and is_hell(g, here) else True


@whirlpool.forbids("map.hell.13")
def not_so_many(g: Play, player: str, unit: Wanted, here: str) -> Said[bool]:
    """Nobody brings more units out of an area of Hell for VP than he has there."""
    return SILENT if all_there(g, player, unit, here) else True


@action("map.spike.3", says="{player} sees the Spike shatter", sort=OUT_OF_TURN)
def shatters(g: Play, player: str) -> None:
    """When the Spike shatters, Magasta's whirlpool lies open."""
    g.state = g.state.flagged(SHATTERED)
    g.did("shattered", "The Spike shatters")
    rift_opens(g)
    shattered(g, player)


@part("map.rift.1")
def rift_opens(g: Play) -> None:
    """The shattering of the Spike opens the Chaos Rift."""
    g.state = g.state.flagged(RIFT)
    g.did("opened", "The Chaos Rift opens")


@action(CLOSE, says="{player} sees the Chaos Rift close", sort=OUT_OF_TURN)
def closes(g: Play, player: str) -> None:
    """The Chaos Rift can be closed for good."""
    g.state = g.state.unflagged(RIFT).flagged(CLOSED)
    g.did("closed", "The Chaos Rift closes")
    rift_closed(g, player)


@closes.forbids("map.rift.8")
def only_an_open_one(g: Play, player: str) -> Said[bool]:
    """A Chaos Rift that is not open cannot be closed."""
    return SILENT if (RIFT,) in g.state.flags else True


@claim("the Chaos Rift is closed")
def is_closed(state: State) -> bool:
    return (CLOSED,) in state.flags


@claim("the Chaos Rift is open")
def is_open(state: State) -> bool:
    return (RIFT,) in state.flags

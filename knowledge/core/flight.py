"""Which ways are open to routed units where a border is not enough: out of Hell, into it, along arrows, and onto Spawn."""
from knowledge.core.board import Cause, on_map
from knowledge.core.map import arrow, from_hell, is_hell
from knowledge.core.rout import may_go
from lookup.engine.clause import SILENT, Said
from lookup.engine.play import Play
from lookup.engine.state import Piece

SPAWN = "Spawn"


def out(g: Play, here: str, to: str) -> bool:
    """Whether a way leads out of Hell."""
    return is_hell(g, here) and not is_hell(g, to)


@may_go.exception("rout.hell.1", "rout.area.1")
def not_out_of_hell(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A rout sends no unit out of Hell."""
    return False if out(g, here, to) else SILENT


@may_go.exception("rout.hell.3", "rout.area.1")
def as_a_move_would(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A rout out of Hell goes where a move of that unit out of Hell would go, and nobody's leave is asked."""
    return from_hell(g, unit, here, to) if out(g, here, to) else SILENT


@may_go.forbids("rout.into-hell.2")
def not_into_hell(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A rout sends no unit into Hell."""
    return True if out(g, to, here) else SILENT


@may_go.permits("rout.arrows.2")
def along_an_arrow(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A sea-crossing arrow that a unit can use serves it in a rout like a border."""
    return True if arrow(g, unit, here, to) else SILENT


@may_go.forbids("rout.spawn.2")
def not_onto_spawn(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """No routed unit but a Spawn can be sent onto Spawn."""
    return True if unit.kind != SPAWN and to in on_map(g, SPAWN) else SILENT

"""The Red Dragon."""
from knowledge.core.battle import dies
from knowledge.core.board import Cause
from knowledge.core.rout import Instead, instead
from knowledge.monsters.dragons import activate, rank
from lookup.engine.clause import SILENT, Said
from lookup.engine.play import Play
from lookup.engine.state import Piece

RED = "Red Dragon"


@activate.forbids("red-dragon.movement.1")
def whose_it_is(g: Play, player: str, monster: str, foe: str, area: str) -> Said[bool]:
    """At the end of the Council Phase the player with the fewest VP moves the Red Dragon."""
    mine, least, _ = rank(g, player, "vp")
    return True if monster == RED and mine > least else SILENT


@activate.forbids("red-dragon.movement.2")
def nobodys_in_a_tie(g: Play, player: str, monster: str, foe: str, area: str) -> Said[bool]:
    """When players tie for the fewest VP, nobody moves the Red Dragon."""
    return True if monster == RED and rank(g, player, "vp")[2] > 1 else SILENT


@instead.exception("red-dragon.rout.1", "rout.leave.1")
def they_stay_and_pay(g: Play, unit: Piece, cause: Cause) -> Said[Instead]:
    """Units that the Red Dragon routs stay where they are, and their owner loses 1 VP for each of them."""
    return Instead.VP if cause.side == RED and unit.owner else SILENT


@dies.permits("red-dragon.killing.1", of=(RED,))
def three_kills(g: Play, unit: Piece, kills: int, routs: int) -> Said[bool]:
    """The Red Dragon dies only when it is dealt 3 kills."""
    return True if kills >= 3 else SILENT

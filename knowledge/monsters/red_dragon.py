"""The Red Dragon."""
from knowledge.core.battle import dies
from knowledge.core.board import Cause
from knowledge.core.effects import RUNES, drew, spend
from knowledge.core.rout import Instead, instead
from knowledge.monsters.dragons import activate, rank
from lookup.engine.clause import SILENT, Said
from lookup.engine.play import Play
from lookup.engine.state import Piece

RED = "Red Dragon"
TAKE, LEAVE = "take it", "leave it"


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


def holder(g: Play) -> str:
    """The player who has the Red Dragon's reward, or ""."""
    return next((f[1] for f in sorted(g.state.flags) if f[0] == "reward" and f[2] == RED), "")


def another_earns_it(g: Play, player: str, n: int) -> bool:
    """Whether a player draws a rune while another has the Red Dragon's reward."""
    return holder(g) not in ("", player)


@drew.at("red-dragon.reward.1", when=another_earns_it)
def takes_it(g: Play, player: str, n: int) -> None:
    """The player who has the Red Dragon's reward can take a rune at the moment when another player earns it."""
    who = holder(g)
    if g.choose(who, f"whether to take a rune that {player} earns", (TAKE, LEAVE)) == TAKE:
        spend(g, player, 1, RUNES)
        g.state = g.state.counting(who, RUNES, g.state.counter(who, RUNES) + 1)
        g.did("gained", f"{who} takes a rune of {player}", None, 1)

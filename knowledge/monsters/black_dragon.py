"""The Black Dragon."""
from knowledge.core.battle import dies
from knowledge.core.board import Cause
from knowledge.core.effects import RUNES, gain
from knowledge.core.rout import Instead, instead
from knowledge.monsters.dragons import activate, rank
from knowledge.monsters.monsters import rewards
from lookup.engine.clause import SILENT, Said, action
from lookup.engine.play import Play
from lookup.engine.state import Piece

BLACK = "Black Dragon"
DISCARDS = "black-dragon.reward.2"


@activate.forbids("black-dragon.movement.1")
def whose_it_is(g: Play, player: str, monster: str, foe: str, area: str) -> Said[bool]:
    """At the end of the Council Phase the player with the least Power moves the Black Dragon."""
    mine, least, _ = rank(g, player, "power")
    return True if monster == BLACK and mine > least else SILENT


@activate.forbids("black-dragon.movement.2")
def nobodys_in_a_tie(g: Play, player: str, monster: str, foe: str, area: str) -> Said[bool]:
    """When players tie for the least Power, nobody moves the Black Dragon."""
    return True if monster == BLACK and rank(g, player, "power")[2] > 1 else SILENT


@instead.exception("black-dragon.rout.1", "rout.leave.1")
def they_stay_and_pay(g: Play, unit: Piece, cause: Cause) -> Said[Instead]:
    """Units that the Black Dragon routs stay where they are, and their owner loses 1 Power for each of them."""
    return Instead.POWER if cause.side == BLACK and unit.owner else SILENT


@dies.permits("black-dragon.killing.1", of=(BLACK,))
def three_kills(g: Play, unit: Piece, kills: int, routs: int) -> Said[bool]:
    """The Black Dragon dies only when it is dealt 3 kills."""
    return True if kills >= 3 else SILENT


def its_reward(g: Play, monster: str, player: str) -> bool:
    """Whether the reward is that for the Black Dragon."""
    return monster == BLACK


@rewards.at("black-dragon.reward.1", when=its_reward)
def a_rune(g: Play, monster: str, player: str) -> None:
    """The player who kills the Black Dragon gains a rune."""
    gain(g, player, 1, RUNES)


@action(DISCARDS, says="{player} discards the reward for the Black Dragon")
def discards(g: Play, player: str) -> None:
    """The player who has the Black Dragon's reward may later discard it for 3 Power."""
    g.state = g.state.unflagged("reward", player, BLACK)
    gain(g, player, 3)


@discards.forbids("black-dragon.reward.3")
def needs_the_reward(g: Play, player: str) -> Said[bool]:
    """Only a player who has the Black Dragon's reward can discard it."""
    return SILENT if ("reward", player, BLACK) in g.state.flags else True

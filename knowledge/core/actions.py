"""What holds for every action: its price, and that it can be paid."""
from typing import Any

from knowledge.core.board import actor
from knowledge.core.effects import spend
from lookup.engine.clause import SILENT, Question, Said, every_action
from lookup.engine.play import Play

price: Question[[str, str], int] = Question("price", "what does {0} cost {1} in Power?")


@every_action.forbids("actions.pay.1")
def cannot_pay(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """A player who has less Power than an action costs cannot take that action."""
    player = actor(args)
    return True if price(g, action, player) > g.state.counter(player, "power") else SILENT


@price.default("actions.pay.2")
def free(g: Play, action: str, player: str) -> Said[int]:
    """An action whose price nothing states is taken without paying."""
    return 0


def pay(g: Play, action: str, player: str) -> None:
    """The player pays what the action costs."""
    spend(g, player, price(g, action, player))

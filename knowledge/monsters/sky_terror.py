"""Sky Terror: of its card the sources give the reward alone."""
from collections.abc import Iterator

from knowledge.core.board import ELIMINATE, By, Cause, enemy, units
from knowledge.core.effects import PEN, affects, eliminate
from knowledge.core.units import cost, may_be_counted
from knowledge.monsters.monsters import rewards
from lookup.engine.clause import SILENT, Said, YesNo
from lookup.engine.play import Play
from lookup.engine.state import Piece

SKY_TERROR = "Sky Terror"
MOST = 4

Few = tuple[tuple[str, Piece, int], ...]
reaches: YesNo[[str]] = YesNo("sky-terror.reaches", "does the reward for Sky Terror reach units in the {0}?", presumed=False)


def it_is_dead(g: Play, monster: str, player: str) -> bool:
    """Whether the reward is for Sky Terror."""
    return monster == SKY_TERROR


@rewards.at("sky-terror.reward.1", when=it_is_dead)
def strikes_down(g: Play, monster: str, player: str) -> None:
    """The player who kills Sky Terror at once eliminates enemy units of his choice whose costs come to 4 or less in all."""
    cause = Cause(By.REWARD, SKY_TERROR, player, player)
    places = (*g.state.board.places, *((PEN,) if reaches(g, PEN) else ()))
    there = [(a, p, n) for a in places for p, n in units(g, a) if enemy(g, p, player) and affects(g, p, ELIMINATE, cause) and may_be_counted(g, p)]
    priced = [(a, p, n, cost(g, p)) for a, p, n in there]
    for area, piece, n in g.choose(player, "which units are eliminated", sorted(within(priced, MOST))):
        eliminate(g, area, piece, n, cause)


def within(priced: list[tuple[str, Piece, int, int]], most: int) -> Iterator[Few]:
    """Every choice of units whose costs come to no more than this."""
    if not priced:
        yield ()
        return
    (area, piece, n, each), *rest = priced
    for k in range(n + 1):
        if k * each <= most:
            for others in within(rest, most - k * each):
                yield (((area, piece, k), *others) if k else others)


@reaches.permits("sky-terror.reward.2")
def slaves_too(g: Play, place: str) -> Said[bool]:
    """The reward for Sky Terror reaches enemy units in the Slave Pen too."""
    return True if place == PEN else SILENT

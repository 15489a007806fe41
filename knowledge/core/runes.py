"""Runes in the hand: who may look at them, and those that let units out of Hell."""
from knowledge.core.board import OUT_OF_TURN, By, Cause
from knowledge.core.effects import move
from knowledge.core.map import gates_of_dawn, is_hell
from knowledge.core.phases import all_there, movers
from lookup.engine.clause import SILENT, Said, action
from lookup.engine.play import Play
from lookup.engine.state import Wanted

LOOK, RELEASE = "gifts.rune.8", "map.hell.8"


@action(LOOK, says="{player} looks at the runes of {other:player}", sort=OUT_OF_TURN)
def looks(g: Play, player: str, other: str) -> None:
    """A player may look at the runes in his hand."""
    g.did("looked", f"{player} looks at the runes in the hand of {other}")


@looks.forbids("gifts.rune.3")
def hidden(g: Play, player: str, other: str) -> Said[bool]:
    """A player keeps a rune hidden from the others until he plays it."""
    return True if player != other else SILENT


@action(RELEASE, says="{player} lets {unit} out of {area} with a rune", sort=OUT_OF_TURN)
def lets_out(g: Play, player: str, unit: Wanted, here: str) -> None:
    """Some runes let units leave Hell."""
    left, to = unit.n or 1, gates_of_dawn(g, player)
    for piece, n in movers(g, player, unit, here):
        move(g, here, piece, to, min(n, left), Cause(By.RUNE, "a rune", player))
        left -= min(n, left)


@lets_out.forbids("map.hell.12")
def none_there(g: Play, player: str, unit: Wanted, here: str) -> Said[bool]:
    """A rune that lets units leave Hell is for units of its player that are in Hell."""
    return SILENT if is_hell(g, here) and all_there(g, player, unit, here) else True

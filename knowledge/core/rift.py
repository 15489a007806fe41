"""The Chaos Rift: what Chaos gains by it, and the struggles against it."""
from knowledge.core.board import OUT_OF_TURN, in_the_game
from knowledge.core.effects import gain
from knowledge.core.map import RIFT, closes, shattered
from lookup.engine.clause import SILENT, Said, action, part
from lookup.engine.play import Play

CHAOS, STRUGGLE = "Chaos", "map.struggle.1"


def chaos_plays(g: Play, player: str) -> bool:
    """Whether Chaos is in the game."""
    return in_the_game(g, CHAOS)


@shattered.at("map.rift.2", when=chaos_plays)
def rune_of_the_rift(g: Play, player: str) -> None:
    """When the Spike shatters, Chaos gains a rune."""
    gain(g, CHAOS, 1, "runes")


@action(STRUGGLE, says="{player} sees a Chaos Rift Struggle with {number} dice", sort=OUT_OF_TURN)
def struggle(g: Play, player: str, dice: int) -> None:
    """In a Chaos Rift Struggle dice give the strength of the rift, and the players commit against it."""
    strength = sum(g.roll(dice, who=player))
    g.did("strength", f"The strength of the Chaos Rift is {strength}")
    if g.choose("", f"whether the players commit enough against a strength of {strength}", (True, False)):
        closes.code(g, player)
    else:
        takes_a_rune(g)


@struggle.forbids("map.rift.4")
def only_while_open(g: Play, player: str, dice: int) -> Said[bool]:
    """As long as the Chaos Rift stays open there are Chaos Rift Struggles, one after another."""
    return SILENT if (RIFT,) in g.state.flags else True


@part("map.rift.5")
def takes_a_rune(g: Play) -> None:
    """At the end of a Chaos Rift Struggle that has not closed the rift, Chaos takes a rune."""
    if in_the_game(g, CHAOS):
        gain(g, CHAOS, 1, "runes")

"""Giants: the emissary who is sacrificed."""
from knowledge.core.board import By, Cause, units_of
from knowledge.core.effects import eliminate
from knowledge.elder_races.diplomacy import certain, offered, settled
from lookup.engine.clause import Said, part
from lookup.engine.play import Play

GIANTS = "Giants"


def giants_are_asked(g: Play, player: str, race: str, area: str) -> bool:
    """Whether it is the Giants that a player would win."""
    return race == GIANTS


@part("giants.alliance.1")
def sacrifice(g: Play, player: str, race: str, area: str) -> None:
    """To win the Giants a player must sacrifice a unit of his own, the emissary."""
    may = [p for p, _ in units_of(g, player, area) if p.kind != "Giant"]
    if may:
        eliminate(g, area, g.choose(player, "who is sacrificed", may), 1, Cause(By.COST, "the Giants", player))


@settled.at("giants.alliance.5", when=giants_are_asked)
def after_the_roll(g: Play, player: str, race: str, area: str) -> None:
    """The emissary is sacrificed to the Giants after the die is rolled, and counts towards the total that the roll is compared with."""
    sacrifice(g, player, race, area)


@offered.at("giants.alliance.6", when=giants_are_asked)
def before_the_roll(g: Play, player: str, race: str, area: str) -> None:
    """The emissary is sacrificed to the Giants before the die is rolled, and no longer counts towards the total."""
    sacrifice(g, player, race, area)


@certain.permits("giants.alliance.4", of=(GIANTS,))
def no_roll_needed(g: Play, race: str) -> Said[bool]:
    """A player who sacrifices an emissary wins the Giants whatever the die shows."""
    return True

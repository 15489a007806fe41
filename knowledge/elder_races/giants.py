"""Giants: the emissary who is sacrificed."""
from enum import StrEnum

from knowledge.core.board import By, Cause, is_ally, units_of
from knowledge.core.effects import eliminate, give_back, kill
from knowledge.elder_races.diplomacy import certain, offered, settled
from lookup.engine.clause import Question, Said, YesNo, part
from lookup.engine.play import Play

GIANTS = "Giants"


class Sacrificed(StrEnum):
    """What the sacrificed emissary counts as."""

    ELIMINATED = "eliminated"
    KILLED = "killed"
    PRICE = "given back"


fate: Question[[str], Sacrificed] = Question("giants.emissary", "what does the emissary count as who is sacrificed to the {0}?")
lost_anyway: YesNo[[str]] = YesNo("giants.failed", "is the emissary to the {0} lost when the roll fails?", presumed=True)


def giants_are_asked(g: Play, player: str, race: str, area: str) -> bool:
    """Whether it is the Giants that a player would win."""
    return race == GIANTS


@part("giants.alliance.1")
def sacrifice(g: Play, player: str, race: str, area: str) -> None:
    """To win the Giants a player must sacrifice a unit of his own, the emissary."""
    may = [p for p, _ in units_of(g, player, area) if p.kind != "Giant"]
    if not may:
        return
    emissary, cause = g.choose(player, "who is sacrificed", may), Cause(By.COST, "the Giants", player)
    match fate(g, race):
        case Sacrificed.ELIMINATED:
            eliminate(g, area, emissary, 1, cause)
        case Sacrificed.KILLED:
            kill(g, area, emissary, 1, cause)
        case Sacrificed.PRICE:
            give_back(g, area, emissary, 1)


@fate.default("giants.alliance.7")
def is_eliminated(g: Play, race: str) -> Said[Sacrificed]:
    """The emissary that is sacrificed to the Giants is eliminated and not killed."""
    return Sacrificed.ELIMINATED


@fate.default("giants.alliance.8")
def is_killed(g: Play, race: str) -> Said[Sacrificed]:
    """The emissary that is sacrificed to the Giants is killed."""
    return Sacrificed.KILLED


@fate.default("giants.alliance.9")
def is_a_price(g: Play, race: str) -> Said[Sacrificed]:
    """The emissary that is sacrificed to the Giants goes back to the pool as a price and is neither killed nor eliminated."""
    return Sacrificed.PRICE


@settled.at("giants.alliance.5", when=giants_are_asked)
def after_the_roll(g: Play, player: str, race: str, area: str) -> None:
    """The emissary is sacrificed to the Giants after the die is rolled, and counts towards the total that the roll is compared with."""
    if is_ally(g, race) or lost_anyway(g, race):
        sacrifice(g, player, race, area)


@lost_anyway.forbids("giants.alliance.11", of=(GIANTS,))
def only_for_an_alliance(g: Play, race: str) -> Said[bool]:
    """The emissary who is sacrificed after the roll is sacrificed only if it wins the Giants."""
    return True


@offered.at("giants.alliance.6", when=giants_are_asked)
def before_the_roll(g: Play, player: str, race: str, area: str) -> None:
    """The emissary is sacrificed to the Giants before the die is rolled, and no longer counts towards the total."""
    sacrifice(g, player, race, area)


@certain.permits("giants.alliance.4", of=(GIANTS,))
def no_roll_needed(g: Play, race: str) -> Said[bool]:
    """A player who sacrifices an emissary wins the Giants whatever the die shows."""
    return True

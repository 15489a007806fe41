"""The Scorpion Folk: their exception to one ally."""
from knowledge.core.board import allies
from knowledge.elder_races.diplomacy import diplomacy
from lookup.engine.clause import SILENT, Said
from lookup.engine.play import Play

SCORPION_FOLK = "Scorpion Folk"


@diplomacy.permits("scorpion-folk.ally.2", "diplomacy.ally.1")
def won_second(g: Play, player: str, race: str, area: str) -> Said[bool]:
    """The Scorpion Folk may be won by a player who has another Elder Race as an ally, and are then a second ally."""
    return True if race == SCORPION_FOLK and len(allies(g, player)) == 1 else SILENT


@diplomacy.permits("scorpion-folk.ally.3", "diplomacy.ally.1")
def won_first(g: Play, player: str, race: str, area: str) -> Said[bool]:
    """A player whose ally are the Scorpion Folk may use Diplomacy again and win another Elder Race, but they cannot be won second."""
    return True if allies(g, player) == (SCORPION_FOLK,) else SILENT


@diplomacy.permits("scorpion-folk.ally.4", "diplomacy.ally.1")
def one_of_two(g: Play, player: str, race: str, area: str) -> Said[bool]:
    """The Scorpion Folk may be one of two allies, whether they are won first or second."""
    return True if SCORPION_FOLK in (race, *allies(g, player)) and len(allies(g, player)) == 1 else SILENT

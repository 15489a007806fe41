"""Chaos: the marker that counts the lost, the Lady of Disease, and whom Oblivion may be chosen for."""
from knowledge.core.battle import pre_battle
from knowledge.core.board import ELIMINATE, KILL, Effect, in_the_game, is_neutral_race, is_player, on_map, race_of
from knowledge.core.effects import MARKER, moves_marker, spend
from knowledge.core.phases import blessed
from knowledge.core.rounds import may_lead
from lookup.engine.clause import SILENT, Said, YesNo, action, claim
from lookup.engine.play import Play
from lookup.engine.state import Piece, State, Wanted

CHAOS, LADY = "Chaos", "Lady of Disease"
OBLIVION = "chaos.oblivion.1"

choosable: YesNo[[Piece, str]] = YesNo("oblivion", "may {1} choose {0} for Oblivion?", "{0} may be chosen for Oblivion", "{0} cannot be chosen for Oblivion")


@may_lead.forbids("chaos.loathsome.1")
def never_first(g: Play, player: str) -> Said[bool]:
    """Chaos is never First Player."""
    return True if player == CHAOS else SILENT


@blessed.forbids("chaos.loathsome.2")
def never_blessed(g: Play, player: str) -> Said[bool]:
    """Glorantha's Blessing is never for Chaos."""
    return True if player == CHAOS else SILENT


def has_marker(g: Play) -> bool:
    """Whether the marker that counts lost units is in the game."""
    return bool(g.state.counter("", MARKER)) or in_the_game(g, CHAOS)


@moves_marker.permits("chaos.anarchy.1")
def counts_the_lost(g: Play, unit: Piece, effect: Effect) -> Said[bool]:
    """The Mad God marker goes up by 1 for every unit of an empire or an Elder Race that is killed or eliminated, whether or not the Mad God is in play."""
    return True if effect in (KILL, ELIMINATE) and (unit.owner or race_of(g, unit)) and has_marker(g) else SILENT


def player_attacks_there(g: Play, area: str, one: str, other: str) -> bool:
    """Whether a player attacks where the Lady of Disease is."""
    return is_player(g, one) and area in on_map(g, LADY)


@pre_battle.at("chaos.lady-of-disease.1", when=player_attacks_there)
def pays_the_lady(g: Play, area: str, one: str, other: str) -> None:
    """An attacker in the area of the Lady of Disease pays 1 VP."""
    spend(g, one, 1, "vp")


@action(OBLIVION, says="{player} chooses {unit} for Oblivion")
def oblivion(g: Play, player: str, unit: Wanted) -> None:
    """Oblivion is a thing of Chaos for which a unit is chosen that it then affects."""
    for area, piece, _ in g.state.pieces:
        if area in g.state.board.places and unit.fits(piece, area) and choosable(g, piece, player):
            g.state = g.state.noted("chosen", piece, area, 1)
            g.did("chosen", f"{g.name(piece)} in {area} is chosen for Oblivion", piece, 1, area)
            return


@choosable.default("chaos.oblivion.4")
def units_of_empires(g: Play, unit: Piece, player: str) -> Said[bool]:
    """A unit of an empire's own can be chosen for Oblivion, and other units cannot unless something says so."""
    return bool(unit.owner) and not race_of(g, unit)


@choosable.permits("chaos.oblivion.2")
def elder_races_too(g: Play, unit: Piece, player: str) -> Said[bool]:
    """Chaos can choose a unit of an Elder Race for Oblivion."""
    return True if race_of(g, unit) and not is_neutral_race(g, unit) else SILENT


@choosable.permits("chaos.oblivion.6")
def neutral_ones_too(g: Play, unit: Piece, player: str) -> Said[bool]:
    """A unit of a neutral Elder Race can be chosen for Oblivion as one of an ally can."""
    return True if is_neutral_race(g, unit) else SILENT


@oblivion.forbids("chaos.oblivion.7")
def needs_a_unit(g: Play, player: str, unit: Wanted) -> Said[bool]:
    """Oblivion needs a unit on the map that can be chosen for it, and is for Chaos alone."""
    there = [p for a, p, _ in g.state.pieces if a in g.state.board.places and unit.fits(p, a)]
    return SILENT if player == CHAOS and any(choosable(g, p, player) for p in there) else True


@claim("{unit} {is|are} chosen for Oblivion", reads=("chosen",))
def is_chosen(state: State, unit: Wanted) -> bool:
    return unit.met(state.tally(unit, "chosen"))

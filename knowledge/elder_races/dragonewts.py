"""Dragonewts: the stages of the one Dragonewt, Rebirth and Dragon Magic."""
from enum import StrEnum

from knowledge.core.board import KILL, REMOVE, Cause, Effect, on_map
from knowledge.core.effects import OUT, gain, give_back, in_battle, left_map, plain
from knowledge.core.phases import council_phase, power_phase
from lookup.engine.clause import SILENT, Question, Said, YesNo, claim
from lookup.engine.play import Play
from lookup.engine.state import Piece, State

DRAGONEWTS, DRAGONEWT, COUNTER = "Dragonewts", "Dragonewt", "Dragonewt stage"
SCOUT, WARRIOR, PRIEST, NOBLE, HERO = STAGES = ("Scout", "Warrior", "Priest", "Noble", "Dragon Hero")
DUE = "Rebirth is due"


class Time(StrEnum):
    """When Rebirth is used."""

    AT_ONCE = "at once"
    COUNCIL = "in the Council Phase"


last: Question[[], int] = Question("dragonewt.last", "which place of the Dragonewts' track is the last?")
onward: Question[[int], int] = Question("dragonewt.onward", "to which place does a step from place {0} lead?")
time: Question[[], Time] = Question("dragonewt.time", "when is Rebirth used?")
reborn: YesNo[[Piece]] = YesNo("dragonewt.rebirth", "may {0} be spared the fall to Scout by Rebirth?", presumed=False)
falls: YesNo[[Piece, Effect, Cause]] = YesNo("dragonewt.falls", "does {0} fall to Scout?", "{0} falls to Scout", "{0} keeps its stage", presumed=True)
magic: Question[[str], tuple[int, int]] = Question("dragonewt.magic", "what Power and VP does a Dragonewt bring that is a {0}?")


def stage(g: Play) -> int:
    """The place of the evolution marker."""
    return g.state.counter("", COUNTER)


def turn_to(g: Play, place: int) -> None:
    """Turns the evolution marker."""
    g.state = g.state.counting("", COUNTER, place)
    g.did("stage", f"The Dragonewt is a {' or '.join(names(g, place))}")


def names(g: Play, place: int) -> tuple[str, ...]:
    """The stages that a place of the track stands for."""
    end = last(g)
    return STAGES[end:] if place >= end else (STAGES[place],)


@last.default("dragonewts.stage.4")
def five_places(g: Play) -> Said[int]:
    """The Dragonewts' track has five places: the Dragon Hero is a stage of its own after the Noble."""
    return STAGES.index(HERO)


@last.default("dragonewts.stage.5")
def four_places(g: Play) -> Said[int]:
    """The Dragonewts' track has four places: Noble and Dragon Hero share the last,
    and a Dragonewt there counts as whichever of them its player picks in the Power Phase."""
    return STAGES.index(NOBLE)


@onward.default("dragonewts.stage.2")
def next_place(g: Play, place: int) -> Said[int]:
    """A step counter-clockwise on the Dragonewts' track leads to the next stage in this order: from Scout to Warrior, to Priest, to Noble."""
    return min(place + 1, last(g))


def killed_in_battle(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether the Dragonewt was killed in battle."""
    return unit.kind == DRAGONEWT and effect is KILL and in_battle(g, unit, effect, cause)


def lost_otherwise(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether the Dragonewt left the map, but neither by a kill in battle nor for good."""
    return unit.kind == DRAGONEWT and effect is not REMOVE and not killed_in_battle(g, unit, n, place, effect, cause)


def out_of_the_game(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether the Dragonewt was taken out of the game."""
    return unit.kind == DRAGONEWT and effect is REMOVE


@left_map.at("dragonewts.rebirth.2", when=killed_in_battle)
def back_or_on(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """A Dragonewt killed in battle goes back to the Scout stage if its player does not use Rebirth."""
    match time(g):
        case Time.AT_ONCE:
            decide(g, unit)
        case Time.COUNCIL:
            g.state = g.state.flagged(DUE)


def decide(g: Play, unit: Piece) -> None:
    """Its player says whether the Dragonewt that was killed goes on or back."""
    on = reborn(g, unit) and g.choose(unit.owner, "whether Rebirth is used", (True, False))
    turn_to(g, onward(g, stage(g)) if on else STAGES.index(SCOUT))


@reborn.permits("dragonewts.rebirth.1")
def goes_on(g: Play, unit: Piece) -> Said[bool]:
    """When the Dragonewt is killed in battle, its player may turn the evolution marker one step counter-clockwise and so keep it from going back to Scout."""
    return True


@reborn.forbids("dragonewts.rebirth.6", "dragonewts.rebirth.1")
def no_further(g: Play, unit: Piece) -> Said[bool]:
    """A Dragon Hero that is killed in battle has no next stage and goes back to Scout."""
    return True if stage(g) >= last(g) else SILENT


@left_map.at("dragonewts.rebirth.3", when=lost_otherwise)
def back(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """A Dragonewt that is eliminated in another way than by a kill in battle, by a rune for example, goes back to Scout without Rebirth."""
    if falls(g, unit, effect, cause):
        turn_to(g, STAGES.index(SCOUT))


@left_map.at("dragonewts.rebirth.9", when=out_of_the_game)
def returns(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """A Dragonewt that Cwim removes from the game comes back as a Scout."""
    give_back(g, OUT, plain(unit), n)
    turn_to(g, STAGES.index(SCOUT))


@falls.forbids("dragonewts.rune.2")
def keeps_its_stage(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """A Dragonewt unit that the Dragonewt rune replaces keeps its stage."""
    return True if cause.name == "Dragonewt rune" else SILENT


@time.default("dragonewts.rebirth.4")
def at_once(g: Play) -> Said[Time]:
    """Rebirth is used at once, when the Dragonewt is killed."""
    return Time.AT_ONCE


@time.default("dragonewts.rebirth.5")
def in_the_council(g: Play) -> Said[Time]:
    """Rebirth is used in the Council Phase after the battle in which the Dragonewt was killed."""
    return Time.COUNCIL


def is_due(g: Play, player: str) -> bool:
    """Whether a Rebirth has waited for this player's Council Phase."""
    return (DUE,) in g.state.flags and is_his(g, player)


@council_phase.at("dragonewts.rebirth.10", when=is_due)
def settled(g: Play, player: str) -> None:
    """Where Rebirth waits for the Council Phase the evolution marker stays in its place until then."""
    g.state = g.state.unflagged(DUE)
    decide(g, Piece(DRAGONEWT, player))


def is_his(g: Play, player: str) -> bool:
    """Whether the Dragonewts are a player's ally."""
    return ("ally", player, DRAGONEWTS) in g.state.flags


def is_on_the_map(g: Play, player: str) -> bool:
    """Whether the Dragonewts are a player's ally, and theirs is on the map."""
    return is_his(g, player) and bool(on_map(g, DRAGONEWT))


@power_phase.at("dragonewts.magic.5", when=is_his)
def anywhere(g: Play, player: str) -> None:
    """Dragon Magic asks only for the Dragonewt's stage and works for one that is in the pool too."""
    dragon_magic(g, player)


@power_phase.at("dragonewts.magic.6", when=is_on_the_map)
def on_the_map(g: Play, player: str) -> None:
    """Dragon Magic works only while the Dragonewt is on the map."""
    dragon_magic(g, player)


def dragon_magic(g: Play, player: str) -> None:
    """The player gains what the Dragonewt's stage brings."""
    power, vp = magic(g, g.choose(player, "which stage the Dragonewt counts as", names(g, stage(g))))
    gain(g, player, power)
    gain(g, player, vp, "vp")


@magic.default("dragonewts.magic.1", of=(PRIEST,))
def priest(g: Play, stage: str) -> Said[tuple[int, int]]:
    """A Dragonewt that is a Priest gives its player 2 Power in the Power Phase."""
    return 2, 0


@magic.default("dragonewts.magic.2", of=(NOBLE,))
def noble(g: Play, stage: str) -> Said[tuple[int, int]]:
    """A Dragonewt that is a Noble gives its player 1 Power and 1 VP in the Power Phase."""
    return 1, 1


@magic.default("dragonewts.magic.3", of=(HERO,))
def hero(g: Play, stage: str) -> Said[tuple[int, int]]:
    """A Dragonewt that is a Dragon Hero gives its player 2 VP in the Power Phase."""
    return 0, 2


@magic.default("dragonewts.magic.4", of=(SCOUT, WARRIOR))
def neither(g: Play, stage: str) -> Said[tuple[int, int]]:
    """Dragon Magic gives nothing for a Scout or a Warrior."""
    return 0, 0


@claim("the Dragonewt is at stage {number}")
def is_at(state: State, number: int) -> bool:
    return state.counter("", COUNTER) == number

"""Chaos: its heroquests and gifts, the marker that counts the lost, the Lady of Disease, and whom Oblivion may be chosen for."""
from collections.abc import Callable

from knowledge.core.battle import BATTLE, declare, fought, pre_battle
from knowledge.core.board import (
    ELIMINATE,
    KILL,
    OUT_OF_TURN,
    By,
    Cause,
    Effect,
    buildings,
    everybody,
    in_the_game,
    is_building,
    is_monster,
    is_neutral_race,
    is_player,
    on_map,
    page_kind,
    race_of,
    units_of,
)
from knowledge.core.buildings import NESTS, ZIGGURAT
from knowledge.core.effects import MARKER, destroy, eliminate, gain, left_map, moves_marker, spend
from knowledge.core.gifts import FACE_DOWN, GIFT, aimed, has
from knowledge.core.map import rift_closed, shattered
from knowledge.core.phases import blessed, is_class, power_phase, summoned
from knowledge.core.quests import finish, fulfilled, is_done, takes_gift
from knowledge.core.rounds import may_lead
from lookup.engine.clause import SILENT, Question, Said, YesNo, action, claim
from lookup.engine.play import Play
from lookup.engine.state import Piece, State, Wanted

CHAOS, LADY = "Chaos", "Lady of Disease"
MAGNA_MATER, MAD_GOD, CATASTROPHE, SACRIFICED = "Magna Mater", "Mad God", "Catastrophe", "sacrificed"
OBLIVION, SACRIFICE = "chaos.oblivion.1", "chaos.blood-sacrifice.1"
SPIKE_PART, TWO_KILLED, MARKER_PART = "Shattered Spike", "Two Killed in a Battle", "Marker at 10"
LADY_PART, MATER_PART, MAD_GOD_PART = "Summoned Lady of Disease", "Summoned Magna Mater", "Summoned Mad God"

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


owes: YesNo[[str]] = YesNo("lady.owes", "does {0} pay for attacking beside the Lady of Disease?", presumed=True)


def player_attacks_there(g: Play, area: str, one: str, other: str) -> bool:
    """Whether a player attacks where the Lady of Disease is, and owes for it."""
    return is_player(g, one) and area in on_map(g, LADY) and owes(g, one)


@pre_battle.at("chaos.lady-of-disease.1", when=player_attacks_there)
def pays_the_lady(g: Play, area: str, one: str, other: str) -> None:
    """An attacker in the area of the Lady of Disease pays 1 VP."""
    spend(g, one, 1, "vp")


@owes.forbids("chaos.lady-of-disease.5")
def not_her_own(g: Play, player: str) -> Said[bool]:
    """Chaos itself pays nothing when it attacks in the area of its Lady of Disease."""
    return True if player == CHAOS else SILENT


@declare.forbids("chaos.lady-of-disease.8")
def cannot_pay_the_lady(g: Play, player: str, foe: str, area: str) -> Said[bool]:
    """A player who has no VP to pay cannot declare a battle in the area of the Lady of Disease."""
    return True if area in on_map(g, LADY) and owes(g, player) and not g.state.counter(player, "vp") else SILENT


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


@choosable.permits("chaos.oblivion.9")
def monsters_too(g: Play, unit: Piece, player: str) -> Said[bool]:
    """A Monster or a Spawn can be chosen for Oblivion as any other unit can."""
    return True if is_monster(g, unit) or page_kind(g, unit) == "spawn" else SILENT


@oblivion.forbids("chaos.oblivion.7")
def needs_a_unit(g: Play, player: str, unit: Wanted) -> Said[bool]:
    """Oblivion needs a unit on the map that can be chosen for it, and is for Chaos alone."""
    there = [p for a, p, _ in g.state.pieces if a in g.state.board.places and unit.fits(p, a)]
    return SILENT if player == CHAOS and any(choosable(g, p, player) for p in there) else True


@claim("{unit} {is|are} chosen for Oblivion", reads=("chosen",))
def is_chosen(state: State, unit: Wanted) -> bool:
    return unit.met(state.tally(unit, "chosen"))


def it_plays(g: Play, player: str) -> bool:
    """Whether Chaos is in the game."""
    return in_the_game(g, CHAOS)


@shattered.at("chaos.heroquests.2", when=it_plays)
def the_spike_goes(g: Play, player: str) -> None:
    """One heroquest part of Chaos: the Spike shatters."""
    finish(g, CHAOS, SPIKE_PART)


@takes_gift.forbids("chaos.heroquests.3")
def catastrophe_only(g: Play, player: str, gift: str, quest: str) -> Said[bool]:
    """The part of Chaos for the shattered Spike can be filled by the gift Catastrophe only."""
    return True if quest == SPIKE_PART and gift != CATASTROPHE else SILENT


def comes(kind: str) -> Callable[[Play, str, Piece, str], bool]:
    """Whether Chaos has summoned one of a kind."""
    return lambda g, player, piece, area: player == CHAOS and piece.kind == kind


@summoned.at("chaos.heroquests.4", when=comes(LADY))
def lady_comes(g: Play, player: str, piece: Piece, area: str) -> None:
    """One heroquest part of Chaos: it summons the Lady of Disease."""
    finish(g, CHAOS, LADY_PART, piece)


def killed_in_battle(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether a unit was killed in a battle that may complete the part of Chaos."""
    return effect is KILL and fought(g) is not None and in_the_game(g, CHAOS) and not is_done(g, CHAOS, TWO_KILLED)


@left_map.at("chaos.heroquests.5", when=killed_in_battle)
def two_killed(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """One heroquest part of Chaos: at least 2 units are killed in one battle."""
    g.state = g.state.counting(BATTLE, TWO_KILLED, g.state.counter(BATTLE, TWO_KILLED) + n)
    if g.state.counter(BATTLE, TWO_KILLED) >= 2:
        finish(g, CHAOS, TWO_KILLED)


@summoned.at("chaos.heroquests.6", when=comes(MAGNA_MATER))
def mater_comes(g: Play, player: str, piece: Piece, area: str) -> None:
    """One heroquest part of Chaos: it summons the Magna Mater."""
    finish(g, CHAOS, MATER_PART, piece)


@fulfilled.permits("chaos.heroquests.7", of=(MARKER_PART,))
def marker_at_ten(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Chaos: the Mad God marker has come to 10."""
    return True if g.state.counter("", MARKER) >= 10 else SILENT


@summoned.at("chaos.heroquests.8", when=comes(MAD_GOD))
def mad_god_comes(g: Play, player: str, piece: Piece, area: str) -> None:
    """One heroquest part of Chaos: it summons the Mad God."""
    finish(g, CHAOS, MAD_GOD_PART, piece)


@shattered.at("chaos.catastrophe.1", when=it_plays)
def gains_catastrophe(g: Play, player: str) -> None:
    """Chaos gains Catastrophe when the Spike shatters."""
    g.state = g.state.flagged(GIFT, CHAOS, CATASTROPHE)
    g.did("earned", f"{CHAOS} puts the gift {CATASTROPHE} in its slot")


def has_catastrophe(g: Play, player: str) -> bool:
    """Whether Chaos has Catastrophe."""
    return has(g, CHAOS, CATASTROPHE)


@rift_closed.at("chaos.catastrophe.3", when=has_catastrophe)
def turned_down(g: Play, player: str) -> None:
    """Catastrophe is turned face down when the Chaos Rift closes."""
    g.state = g.state.flagged(FACE_DOWN, CHAOS, CATASTROPHE)
    g.did("turned down", f"{CATASTROPHE} is turned face down")


def festers(g: Play, player: str) -> bool:
    """Whether it is the Power Phase of Chaos."""
    return player == CHAOS


@power_phase.at("chaos.festering.1", when=festers)
def festering(g: Play, player: str) -> None:
    """In the Power Phase Chaos gains 1 Power for each of its Chaos Nests, imbedded or not, in an area with an enemy building."""
    for area in g.state.board.places:
        there = buildings(g, area)
        if any(p.owner not in ("", CHAOS) for p, _ in there):
            gain(g, CHAOS, sum(n for p, n in there if p.owner == CHAOS and p.kind in NESTS))


victim: Question[[str], str] = Question("blood-sacrifice.victim", "who chooses what the Blood Sacrifice takes from {0}?")
spared: YesNo[[str, str]] = YesNo("blood-sacrifice.spared", "is {0} spared by the Blood Sacrifice in {1}?", "{0} is spared in {1}", presumed=False)


@action(SACRIFICE, says="{player} uses Blood Sacrifice", sort=OUT_OF_TURN)
def sacrifices(g: Play, player: str) -> None:
    """With Blood Sacrifice each greater god of Chaos eliminates one enemy unit or building in its area."""
    for area in g.state.board.places:
        for god, n in units_of(g, player, area):
            for _ in range(n if is_class(g, god, "greater god") else 0):
                foes = [foe for foe in everybody(g) if foe != player and owned(g, foe, area) and not spared(g, foe, area)]
                if foes:
                    take_from(g, area, g.choose(player, f"from whom {g.name(god)} takes in {area}", foes))
    for flag in g.state.flags:
        if flag[0] == SACRIFICED:
            g.state = g.state.unflagged(*flag)


def owned(g: Play, player: str, area: str) -> list[Piece]:
    """The units and buildings of a player in an area."""
    return [p for p, _ in (*units_of(g, player, area), *buildings(g, area)) if p.owner == player]


def take_from(g: Play, area: str, foe: str) -> None:
    """Takes one unit or building of a player from an area for a greater god."""
    piece = g.choose(victim(g, foe), f"what {foe} loses in {area}", owned(g, foe, area))
    g.state = g.state.flagged(SACRIFICED, foe)
    aimed(g, "Blood Sacrifice", foe)
    if is_building(piece):
        destroy(g, area, piece, CHAOS)
    else:
        eliminate(g, area, piece, 1, Cause(By.GIFT, "Blood Sacrifice", CHAOS, CHAOS))


@sacrifices.forbids("chaos.blood-sacrifice.5")
def needs_a_god(g: Play, player: str) -> Said[bool]:
    """Blood Sacrifice is for Chaos, while it has a greater god on the map."""
    gods = [p for a in g.state.board.places for p, _ in units_of(g, player, a) if is_class(g, p, "greater god")]
    return SILENT if player == CHAOS and gods else True


@victim.default("chaos.blood-sacrifice.2")
def his_own_choice(g: Play, foe: str) -> Said[str]:
    """The victim of a Blood Sacrifice chooses which of his units or buildings goes."""
    return foe


@spared.permits("chaos.blood-sacrifice.3")
def only_one_each(g: Play, foe: str, area: str) -> Said[bool]:
    """The sacrifices of one Blood Sacrifice come from different empires."""
    return True if (SACRIFICED, foe) in g.state.flags else SILENT


@spared.permits("chaos.blood-sacrifice.4")
def protected(g: Play, foe: str, area: str) -> Said[bool]:
    """An empire with a greater god or its Ziggurat in the area is safe there from a Blood Sacrifice."""
    return True if any(p.kind == ZIGGURAT or is_class(g, p, "greater god") for p in owned(g, foe, area)) else SILENT

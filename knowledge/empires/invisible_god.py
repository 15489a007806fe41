"""The Invisible God: the Wizard Gate, Ecumenicism, his heroquests, and what his units are not."""
from collections.abc import Callable

from knowledge.core.actions import pay
from knowledge.core.board import ELIMINATE, KILL, REMOVE, Cause, Effect, buildings, class_of, classes_of, enemy, is_player, known_class
from knowledge.core.buildings import ZIGGURAT, counts_as, seized_as
from knowledge.core.effects import DESTROYED, fallen, gain, killer, left_map
from knowledge.core.gifts import FACE_DOWN, aimed
from knowledge.core.map import is_hell
from knowledge.core.phases import way
from knowledge.core.quests import by_acting, completed, finish, is_done, leave_open
from knowledge.monsters.androgeus import helps
from lookup.engine.clause import SILENT, Said, YesNo, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece

GOD, RITUAL = "Invisible God", "invisible-god.final-ritual.1"
HOUSES = ("Tower", "Castle")
MORTAL_PART, WIZARD_PART, GOD_PART, KNIGHT_PART = "Mortal Slain", "Wizard Lost", "God Slain", "Knight Lost"
BUILDING_PART, LOSS_PART, TARGET_PART, RITUAL_PART = "Building Destroyed", "Specter or Building Lost", "Target of a Gift", "Final Ritual"

through: YesNo[[str, str]] = YesNo("wizard-gate", "does the Wizard Gate lead from {0} to {1}?", presumed=True)
died: YesNo[[Piece, Effect]] = YesNo("invisible-god.died", "does {0} die by a {1}?", "{0} dies by a {1}", "{0} does not die by a {1}")


@helps.default("invisible-god.units.1", of=("Wizard", "Knight", "Specter"))
def neither_hero_nor_greater_god(g: Play, unit: Piece) -> Said[bool]:
    """The Invisible God has no hero and no greater god of his own; against Androgeus he depends on an allied Elder Race that is classed as a hero."""
    return False


@way.permits("invisible-god.wizard-gate.1")
def through_the_gate(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """For the movement of the Invisible God, all areas with Castles or Towers of his are adjacent to one another."""
    return True if unit.owner == GOD and here != to and has_house(g, here) and has_house(g, to) and through(g, here, to) else SILENT


@through.forbids("invisible-god.wizard-gate.3")
def not_out_of_hell(g: Play, here: str, to: str) -> Said[bool]:
    """Out of Hell the Wizard Gate leads no more than a border does."""
    return True if is_hell(g, here) and not is_hell(g, to) else SILENT


def has_house(g: Play, area: str) -> bool:
    """Whether a Castle or a Tower of the Invisible God stands in an area."""
    return any(p.owner == GOD and p.kind in HOUSES for p, _ in buildings(g, area))


@seized_as.exception("invisible-god.ecumenicism.1", "buildings.conquer.1", of=HOUSES)
def as_a_temple(g: Play, building: Piece, player: str) -> Said[str]:
    """Castles and Towers of the Invisible God are conquered as if they were Temples."""
    return "Temple" if building.owner == GOD else SILENT


@counts_as.exception("invisible-god.ecumenicism.2", "buildings.building.6", of=HOUSES)
def like_a_temple(g: Play, building: Piece) -> Said[str]:
    """Effects against Temples work against Castles and Towers of the Invisible God."""
    return "Temple" if building.owner == GOD else SILENT


def slays(classes: tuple[str, ...], quest: str) -> Callable[[Play, Piece, int, str, Effect, Cause], bool]:
    """Whether the loss of an enemy unit that is of some classes, or may be, counts for the Invisible God and may complete a part of his."""
    def due(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
        counts = effect in (KILL, ELIMINATE) and killer(g, unit, cause) == GOD and enemy(g, unit, GOD) and not is_done(g, GOD, quest)
        return counts and not set(classes).isdisjoint(classes_of(g, unit))
    return due


def slain(g: Play, quest: str, unit: Piece) -> None:
    """Completes a part for a slain enemy; where the sources do not say his class, the part is left open."""
    if known_class(g, unit):
        finish(g, GOD, quest, unit)
    else:
        leave_open(g, GOD, quest, unit)


def dies(kind: str) -> Callable[[Play, Piece, int, str, Effect, Cause], bool]:
    """Whether a unit of a kind of the Invisible God has died."""
    return lambda g, unit, n, place, effect, cause: unit.owner == GOD and unit.kind == kind and died(g, unit, effect)


@left_map.at("invisible-god.heroquests.2", when=slays(("mortal minion", "mortal hero"), MORTAL_PART))
def slays_a_mortal(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """One heroquest part of the Invisible God: he kills or eliminates an enemy mortal."""
    slain(g, MORTAL_PART, unit)


@left_map.at("invisible-god.heroquests.3", when=dies("Wizard"))
def wizard_dies(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """One heroquest part of the Invisible God: a Wizard of his dies."""
    finish(g, GOD, WIZARD_PART, unit)


@left_map.at("invisible-god.heroquests.4", when=slays(("lesser god", "greater god"), GOD_PART))
def slays_a_god(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """One heroquest part of the Invisible God: he kills or eliminates an enemy god."""
    slain(g, GOD_PART, unit)


@left_map.at("invisible-god.heroquests.5", when=dies("Knight"))
def knight_dies(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """One heroquest part of the Invisible God: a Knight of his dies."""
    finish(g, GOD, KNIGHT_PART, unit)


def his_to_destroy(g: Play, building: Piece, place: str, by: str, how: str) -> bool:
    """Whether the Invisible God destroys a building of another player."""
    return by == GOD != building.owner and how == DESTROYED and is_player(g, building.owner)


@fallen.at("invisible-god.heroquests.6", when=his_to_destroy)
def destroys_a_building(g: Play, building: Piece, place: str, by: str, how: str) -> None:
    """One heroquest part of the Invisible God: he destroys an enemy building."""
    finish(g, GOD, BUILDING_PART, building)


@part("invisible-god.heroquests.7")
def loses_one(g: Play, piece: Piece) -> None:
    """One heroquest part of the Invisible God: he loses a Specter or a building."""
    finish(g, GOD, LOSS_PART, piece)


def at_him(g: Play, gift: str, player: str) -> bool:
    """Whether a gift is aimed at the Invisible God."""
    return player == GOD


@aimed.at("invisible-god.heroquests.8", when=at_him)
def is_a_target(g: Play, gift: str, player: str) -> None:
    """One heroquest part of the Invisible God: he is the target of a gift."""
    finish(g, GOD, TARGET_PART)


def with_class(quest: str, what: str) -> Callable[[Play, str, str, Piece], bool]:
    """Whether a part was completed with a unit of a class."""
    return lambda g, player, done, piece: (player, done) == (GOD, quest) and class_of(g, piece) == what


@completed.at("invisible-god.heroquests.10", when=with_class(MORTAL_PART, "mortal hero"))
def more_for_a_hero(g: Play, player: str, quest: str, piece: Piece) -> None:
    """The part for an enemy mortal brings 1 VP when that was a hero."""
    gain(g, GOD, 1, "vp")


@completed.at("invisible-god.heroquests.11", when=with_class(GOD_PART, "greater god"))
def more_for_a_greater_god(g: Play, player: str, quest: str, piece: Piece) -> None:
    """The part for an enemy god brings 1 VP when that was a greater god."""
    gain(g, GOD, 1, "vp")


def worth(g: Play, building: Piece) -> int:
    """How many VP the destruction of a building brings."""
    return {"Temple": 1, ZIGGURAT: 2}.get(counts_as(g, building), 0)


def with_a_great_building(g: Play, player: str, quest: str, piece: Piece) -> bool:
    """Whether the part for a building was completed with one that brings VP."""
    return (player, quest) == (GOD, BUILDING_PART) and worth(g, piece) > 0


@completed.at("invisible-god.heroquests.12", when=with_a_great_building)
def more_for_a_building(g: Play, player: str, quest: str, piece: Piece) -> None:
    """The part for an enemy building brings 1 VP when that was a Temple and 2 VP when it was a Ziggurat."""
    gain(g, GOD, worth(g, piece), "vp")


@died.default("invisible-god.heroquests.13")
def only_when_killed(g: Play, unit: Piece, effect: Effect) -> Said[bool]:
    """A Wizard or a Knight dies when it is killed, and not when it is eliminated in another way."""
    return effect is KILL


@died.default("invisible-god.heroquests.14")
def when_eliminated_too(g: Play, unit: Piece, effect: Effect) -> Said[bool]:
    """A Wizard or a Knight dies when it is killed or eliminated in whatever way."""
    return effect in (KILL, ELIMINATE)


def specter_goes(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether a Specter of the Invisible God is lost."""
    return unit.owner == GOD and unit.kind == "Specter" and effect in (KILL, ELIMINATE, REMOVE)


@left_map.at("invisible-god.heroquests.15", when=specter_goes)
def loses_a_specter(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """A Specter is lost when it is killed, eliminated or taken out of the game."""
    loses_one(g, unit)


def his_building(g: Play, building: Piece, place: str, by: str, how: str) -> bool:
    """Whether a building of the Invisible God falls."""
    return building.owner == GOD


@fallen.at("invisible-god.heroquests.16", when=his_building)
def loses_a_building(g: Play, building: Piece, place: str, by: str, how: str) -> None:
    """A building is lost when it is destroyed or conquered."""
    loses_one(g, building)


@action(RITUAL, says="{player} performs the Final Ritual")
def final_ritual(g: Play, player: str) -> None:
    """The Final Ritual is an action of the Invisible God, a part of his heroquests, that turns his face-down Book gifts up."""
    pay(g, RITUAL, player)
    for flag in g.state.flags:
        if flag[:2] == (FACE_DOWN, player) and " Book " in f" {flag[2]} ":
            g.state = g.state.unflagged(*flag)
            g.did("turned up", f"{flag[2]} is turned up again")
    by_acting(g, player, RITUAL_PART)


@final_ritual.forbids("invisible-god.final-ritual.3")
def only_his(g: Play, player: str) -> Said[bool]:
    """The Final Ritual is for the Invisible God alone."""
    return SILENT if player == GOD else True

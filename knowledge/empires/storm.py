"""Storm: Inferiority Complex, Honor, its heroquests, Courage, Single Combat, Whirlwind, the Temple for a destroyed building, and Teleport."""
from collections.abc import Callable

from knowledge.core.actions import pay, price
from knowledge.core.battle import BATTLE, FEWER, MORE, all_over, before_rolling, combat, declare, declared, faces, members, pre_battle, take
from knowledge.core.board import KILL, MOVE, By, Cause, Effect, classes_of, enemy, everybody, is_monster, is_neutral_race, is_of, is_player, standing, surely_of
from knowledge.core.buildings import ZIGGURAT, put_up, stock
from knowledge.core.buildings import stands as building_stands
from knowledge.core.effects import DESTROYED, RUNES, affects, fallen, gain, in_battle, killer, left_map, move, spend
from knowledge.core.gifts import active, aimed, so_many
from knowledge.core.phases import power_phase, summoned
from knowledge.core.quests import finish, fulfilled, is_done, leave_open
from lookup.engine.clause import SILENT, Question, Said, YesNo, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece, Wanted

STORM = "Storm"
KING = "Storm King"
ALONE, TOGETHER = "storm.teleport.1", "storm.teleport.2"
MORTAL_PART, GOD_PART = "Enemy Mortal Killed in Battle", "Enemy God Killed in Battle"
BRAVE, FOUGHT_FIRST = "Courage", "Single Combat used"
MORTAL, GODS = ("mortal minion", "mortal hero"), ("lesser god", "greater god")
YES, NO = "yes", "no"
BY_TELEPORT = Cause(By.GIFT, "Teleport", STORM)


def stands(g: Play) -> str:
    """The area where the Storm King stands, or ""."""
    return next((a for a, _ in standing(g, KING, STORM)), "")


def companions(g: Play, unit: Wanted) -> list[Piece]:
    """The units beside the Storm King that are meant."""
    here = stands(g)
    return [p for p, _ in g.state.at(here) if here and (p.kind, p.owner) != (KING, STORM) and unit.fits(p, here)]


def take_the_king(g: Play, area: str) -> None:
    """Moves the Storm King by Teleport."""
    for here, king in standing(g, KING, STORM):
        move(g, here, king, area, 1, BY_TELEPORT)


@action(ALONE, says="{player} teleports to {area}")
def teleport(g: Play, player: str, area: str) -> None:
    """Teleport moves the Storm King to any area, as an action for 1 Power."""
    pay(g, ALONE, player)
    if stands(g):
        pay_more(g, player, None)
        take_the_king(g, area)


@action(TOGETHER, says="{player} teleports to {area} with {unit}")
def teleport_with(g: Play, player: str, area: str, unit: Wanted) -> None:
    """With Teleport the Storm King may take along one other unit from his area, of any empire."""
    pay(g, TOGETHER, player)
    here = stands(g)
    for other in companions(g, unit)[:1]:
        aimed(g, "Teleport", other.owner)
        pay_more(g, player, other)
        take_the_king(g, area)
        move(g, here, other, area, 1, BY_TELEPORT)


@price.default("storm.teleport.5", of=(ALONE, TOGETHER))
def costs_one(g: Play, action: str, player: str) -> Said[int]:
    """Teleport costs 1 Power where nothing makes it dearer."""
    return 1


def dearer(g: Play, other: Piece | None) -> bool:
    """Whether Teleport costs a second Power."""
    return (other is not None and is_of(g, other, "greater god")) or g.state.board.kind(stands(g)) == "hell"


@part("storm.teleport.3")
def pay_more(g: Play, player: str, other: Piece | None) -> None:
    """Teleport costs 2 Power when the unit taken along is a greater god, when the Storm King leaves Hell by it without permission, or when both are so."""
    if dearer(g, other):
        spend(g, player, 1)


@teleport.forbids("storm.teleport.6")
def needs_the_king(g: Play, player: str, area: str) -> Said[bool]:
    """Teleport is for Storm while the Storm King is on the map."""
    return SILENT if player == STORM and stands(g) else True


@teleport.forbids("storm.teleport.9")
def needs_two_power_in_hell(g: Play, player: str, area: str) -> Said[bool]:
    """The Storm King cannot leave Hell by Teleport for a player with less than 2 Power."""
    return True if stands(g) and dearer(g, None) and g.state.counter(player, "power") < 2 else SILENT


@teleport_with.forbids("storm.teleport.7")
def needs_a_companion(g: Play, player: str, area: str, unit: Wanted) -> Said[bool]:
    """The unit that Storm takes along with Teleport must stand where the Storm King is."""
    return SILENT if player == STORM and companions(g, unit) else True


@teleport_with.forbids("storm.teleport.8")
def needs_two_power(g: Play, player: str, area: str, unit: Wanted) -> Said[bool]:
    """Storm cannot take along with Teleport a unit that makes it cost 2 Power without having 2 Power."""
    return True if any(dearer(g, p) for p in companions(g, unit)) and g.state.counter(player, "power") < 2 else SILENT


@teleport_with.forbids("monsters.movement.3")
def not_a_monster(g: Play, player: str, area: str, unit: Wanted) -> Said[bool]:
    """Storm's Teleport cannot take a Monster with the Storm King."""
    return True if any(is_monster(g, p) and not affects(g, p, MOVE, BY_TELEPORT) for p in companions(g, unit)) else SILENT


@teleport_with.forbids("storm.teleport.10")
def not_of_a_neutral_race(g: Play, player: str, area: str, unit: Wanted) -> Said[bool]:
    """Teleport cannot take along a unit of a neutral Elder Race."""
    return True if any(is_neutral_race(g, p) and not affects(g, p, MOVE, BY_TELEPORT) for p in companions(g, unit)) else SILENT


def feels_inferior(g: Play, player: str) -> bool:
    """Whether it is a Power Phase of Storm, which has 2 VP."""
    return player == STORM and g.state.counter(STORM, "vp") >= 2


@power_phase.at("storm.inferiority-complex.1", when=feels_inferior)
def turns_vp_into_power(g: Play, player: str) -> None:
    """Once in each Power Phase Storm may turn 2 VP into 4 Power."""
    if g.choose(STORM, "whether Storm turns 2 VP into 4 Power", (NO, YES)) == YES:
        spend(g, STORM, 2, "vp")
        gain(g, STORM, 4)


def on_the_powerless(g: Play, player: str, foe: str, area: str) -> bool:
    """Whether Storm declares a battle on an empire without Power."""
    return player == STORM and is_player(g, foe) and not g.state.counter(foe, "power")


@declared.at("storm.honor.1", when=on_the_powerless)
def pays_for_honor(g: Play, player: str, foe: str, area: str) -> None:
    """Storm pays 2 Power, rather than 1, to declare a battle on an empire that has 0 Power."""
    spend(g, STORM, 1)


@declare.forbids("storm.honor.2")
def cannot_pay_for_honor(g: Play, player: str, foe: str, area: str) -> Said[bool]:
    """Storm cannot declare a battle on an empire that has 0 Power without having 2 Power."""
    return True if on_the_powerless(g, player, foe, area) and g.state.counter(STORM, "power") < 2 else SILENT


def kills(classes: tuple[str, ...], quest: str) -> Callable[[Play, Piece, int, str, Effect, Cause], bool]:
    """Whether Storm kills in battle an enemy that is of some classes, or may be, and that completes a part of its heroquests."""
    def due(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
        counts = effect is KILL and enemy(g, unit, STORM) and not is_done(g, STORM, quest) and killer(g, unit, cause) == STORM
        return counts and in_battle(g, unit, effect, cause) and not set(classes).isdisjoint(classes_of(g, unit))
    return due


def killed_for(g: Play, quest: str, unit: Piece, *classes: str) -> None:
    """Completes a part for a killed enemy of some classes; where the sources do not say whether it is of them, the part is left open."""
    if surely_of(g, unit, *classes):
        finish(g, STORM, quest, unit)
    else:
        leave_open(g, STORM, quest, unit)


@left_map.at("storm.heroquests.2", when=kills(MORTAL, MORTAL_PART))
def kills_a_mortal(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """One heroquest part of Storm: it kills an enemy mortal in battle."""
    killed_for(g, MORTAL_PART, unit, *MORTAL)


@left_map.at("storm.heroquests.3", when=kills(GODS, GOD_PART))
def kills_a_god(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """One heroquest part of Storm: it kills an enemy god in battle."""
    killed_for(g, GOD_PART, unit, *GODS)


@fulfilled.permits("storm.heroquests.4", of=("Enemy with Six Gifts",))
def six_gifts(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Storm: an enemy empire has 6 gifts."""
    return True if any(so_many(g, p) >= 6 for p in everybody(g) if p != STORM) else SILENT


@fulfilled.permits("storm.heroquests.5", of=("Ziggurat of Storm",))
def ziggurat_stands(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Storm: it places its Ziggurat."""
    return True if building_stands(g, ZIGGURAT, STORM) else SILENT


@fulfilled.permits("storm.heroquests.6", of=("Two Enemies with Runes",))
def two_with_runes(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Storm: two enemies hold runes."""
    return True if sum(g.state.counter(p, RUNES) > 0 for p in everybody(g) if p != STORM) >= 2 else SILENT


def the_king_comes(g: Play, player: str, piece: Piece, area: str) -> bool:
    """Whether Storm has summoned the Storm King."""
    return player == STORM and piece.kind == KING


@summoned.at("storm.heroquests.7", when=the_king_comes)
def summons_him(g: Play, player: str, piece: Piece, area: str) -> None:
    """One heroquest part of Storm: it summons the Storm King."""
    finish(g, STORM, "Summoned Storm King", piece)


def is_brave(g: Play, area: str, one: str, other: str) -> bool:
    """Whether the Storm King fights in a battle against 3 Combat or more while Courage has effect."""
    foe = other if one == STORM else one
    if STORM not in (one, other) or not active(g, BRAVE, STORM) or not any((p.kind, p.owner) == (KING, STORM) for p, _ in g.state.at(area)):
        return False
    return sum(combat(g, u) * n for u, n in members(g, area, foe)) >= 3


@pre_battle.at("storm.courage.2", when=is_brave)
def takes_heart(g: Play, area: str, one: str, other: str) -> None:
    """What counts for Courage is the Combat that the enemy's units have when the battle begins."""
    g.state = g.state.flagged(BRAVE, area)


def was_brave(g: Play, area: str, one: str, other: str) -> bool:
    """Whether the battle that is over was one for Courage."""
    return (BRAVE, area) in g.state.flags


@all_over.at("storm.courage.1", when=was_brave)
def a_rune_for_courage(g: Play, area: str, one: str, other: str) -> None:
    """After a battle of the Storm King against 3 Combat or more, Courage gives Storm a rune, even if he dies in it."""
    g.state = g.state.unflagged(BRAVE, area)
    gain(g, STORM, 1, RUNES)


def champion_fights(g: Play, area: str, one: str, other: str) -> bool:
    """Whether Storm fights with a Champion while Single Combat has effect."""
    return STORM in (one, other) and active(g, "Single Combat", STORM) and any(p.kind == "Champion" for p, _ in members(g, area, STORM))


def used_up(g: Play) -> bool:
    """Whether Single Combat has been used in this battle."""
    return g.state.counter(BATTLE, FOUGHT_FIRST) > 0


@before_rolling.at("storm.single-combat.1", when=champion_fights)
def the_champion_first(g: Play, area: str, one: str, other: str) -> None:
    """With Single Combat the Champion rolls his 2 dice first and their results are carried out before the other dice are rolled."""
    if used_up(g) or g.choose(STORM, "whether the Champion rolls his dice first", (NO, YES)) == NO:
        return
    foe = other if one == STORM else one
    rolled = g.roll(2, faces(g), STORM)
    there = sum(n for _, n in members(g, area, foe))
    kills = min(rolled.count(KILL), there)
    g.state = g.state.counting(BATTLE, FOUGHT_FIRST, 1).counting(BATTLE, FEWER + STORM, 2)
    g.state = g.state.counting(STORM, KILL, kills).counting(STORM, Effect.ROUT, min(rolled.count(Effect.ROUT), there))
    g.then(take, Effect.ROUT, area, STORM, foe)
    g.then(take, KILL, area, STORM, foe)


@before_rolling.at("storm.single-combat.2", when=champion_fights)
def or_one_more_die(g: Play, area: str, one: str, other: str) -> None:
    """Instead of rolling the Champion's dice first, Single Combat may add 1 die."""
    if not used_up(g) and g.choose(STORM, "whether Single Combat adds 1 die", (NO, YES)) == YES:
        g.state = g.state.counting(BATTLE, FOUGHT_FIRST, 1).counting(BATTLE, MORE + STORM, g.state.counter(BATTLE, MORE + STORM) + 1)


def wind_blows(g: Play, area: str, one: str, other: str) -> bool:
    """Whether Storm fights a battle in which Whirlwind has effect."""
    return STORM in (one, other) and active(g, "Whirlwind", STORM)


works: YesNo[[str, str]] = YesNo("whirlwind", "does Whirlwind work against {1} in {0}?", presumed=True)
brothers: Question[[str], int] = Question("storm.brothers", "which Stormbrothers does Whirlwind bring to {0}?")


@before_rolling.at("storm.whirlwind.1", when=wind_blows)
def whirls(g: Play, area: str, one: str, other: str) -> None:
    """Whirlwind adds 1 die to a battle and brings Stormbrothers to it."""
    if not works(g, area, other if one == STORM else one):
        return
    g.state = g.state.counting(BATTLE, MORE + STORM, g.state.counter(BATTLE, MORE + STORM) + 1)
    if any((p.kind, p.owner) == ("Stormbrother", STORM) for a, p, _ in g.state.pieces if a != area):
        brothers(g, area)


@works.forbids("storm.whirlwind.2")
def not_against_a_lone_building(g: Play, area: str, foe: str) -> Said[bool]:
    """Whirlwind does not work against a building that no unit defends."""
    return SILENT if members(g, area, foe) else True


def storm_destroys(g: Play, building: Piece, place: str, by: str, how: str) -> bool:
    """Whether Storm destroys a building and has a Temple in its pool."""
    return by == STORM and how == DESTROYED and bool(stock(g, STORM, "Temple"))


@fallen.at("storm.temple.1", when=storm_destroys)
def a_temple_instead(g: Play, building: Piece, place: str, by: str, how: str) -> None:
    """When Storm destroys a building it may put a Temple of its own in its place."""
    if g.choose(STORM, f"whether Storm puts a Temple in {place}", (NO, YES)) == YES:
        put_up(g, STORM, stock(g, STORM, "Temple")[0], place)

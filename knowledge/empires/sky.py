"""Sky: Nightfall, its heroquests, the Great Decrees, Arrogance, Call to Justice and Sunspear."""
from knowledge.core.actions import pay, price
from knowledge.core.battle import declare, pre_battle
from knowledge.core.board import ELIMINATE, OUT_OF_TURN, By, Cause, class_of, enemy, is_building, is_player, known_class, standing, units
from knowledge.core.buildings import ZIGGURAT, stands
from knowledge.core.effects import RUNES, affects, eliminate, fallen, flees, gain, move
from knowledge.core.gifts import active, aimed
from knowledge.core.quests import by_acting, completed, finish, fulfilled, is_done
from knowledge.core.rounds import FIRST_ROUND
from knowledge.core.units import cost
from lookup.engine.clause import SILENT, Said, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece, Wanted

SKY, SUN_GOD = "Sky", "Sun God"
SUNSPEAR, DECREE, SECOND = "sky.sunspear.1", "sky.great-decree.1", "sky.great-decree.2"
LEAVE, DAWN, LET_GO = "sky.heroquests.9", "Sun God out of Hell", "let the Sun God go"
JUSTICE = "sky.call-to-justice.1"
SET_ASIDE, NOBODY = "set aside by Arrogance", "nobody"
BY_SUNSPEAR = Cause(By.GIFT, "Sunspear", SKY, SKY)


@flees.permits("sky.nightfall.1", of=(SUN_GOD,))
def to_hell(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """When the Sun God is killed or eliminated he is routed to any area of Hell instead."""
    return True if g.state.board.kind(here) != "hell" else SILENT


@flees.permits("sky.nightfall.2", of=(SUN_GOD,))
def to_the_other_hell(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """When the Sun God is killed or eliminated in Hell he is routed to another area of Hell instead."""
    return True if g.state.board.kind(here) == "hell" and to != here else SILENT


@action(SUNSPEAR, says="{player} uses Sunspear on {unit}")
def sunspear(g: Play, player: str, unit: Wanted) -> None:
    """Sunspear is an action of Sky for 2 Power: choose an enemy unit and roll a die; on at least twice the cost of that unit it is eliminated."""
    pay(g, SUNSPEAR, player)
    (die,) = g.roll(1, who=player)
    for area, piece in targets(g, player, unit)[:1]:
        aimed(g, "Sunspear", piece.owner)
        if not affects(g, piece, ELIMINATE, BY_SUNSPEAR):
            g.did("unaffected", f"Sunspear fails against {g.name(piece)}", piece, 1, area)
        elif die >= 2 * cost(g, piece):
            eliminate(g, area, piece, 1, BY_SUNSPEAR)
            follow(g, area)


@price.exception("sky.sunspear.5", "actions.pay.2", of=(SUNSPEAR,))
def costs_two(g: Play, action: str, player: str) -> Said[int]:
    """Sunspear costs 2 Power."""
    return 2


@sunspear.forbids("sky.sunspear.6")
def needs_a_target(g: Play, player: str, unit: Wanted) -> Said[bool]:
    """Sunspear is for Sky and is aimed at an enemy unit on the map."""
    return SILENT if player == SKY and targets(g, player, unit) else True


def targets(g: Play, player: str, unit: Wanted) -> list[tuple[str, Piece]]:
    """The enemy units on the map that are meant."""
    return [(a, p) for a, p, _ in g.state.pieces if a in g.state.board.places and unit.fits(p, a) and enemy(g, p, player)]


@part("sky.sunspear.2")
def follow(g: Play, area: str) -> None:
    """After a Sunspear that eliminated its target, the Sun God goes to the area of that unit."""
    for here, god in standing(g, SUN_GOD, SKY):
        if here != area:
            move(g, here, god, area, 1, BY_SUNSPEAR)


@declare.forbids("sky.optimist.1")
def not_in_hell(g: Play, player: str, foe: str, area: str) -> Said[bool]:
    """Sky may not declare a battle in Hell."""
    return True if player == SKY and g.state.board.kind(area) == "hell" else SILENT


@fulfilled.permits("sky.heroquests.4", of=("Ziggurat of Sky",))
def ziggurat_stands(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Sky: it places its Ziggurat."""
    return True if stands(g, ZIGGURAT, SKY) else SILENT


@action(DECREE, says="{player} decrees Power for {other:player}")
def decrees(g: Play, player: str, other: str) -> None:
    """With the first Great Decree Sky pays 1 Power as an action, and another player gains 2 Power."""
    pay(g, DECREE, player)
    gain(g, other, 2)
    by_acting(g, player, "First Great Decree")


@price.default("sky.great-decree.4", of=(DECREE,))
def a_decree_costs_one(g: Play, action: str, player: str) -> Said[int]:
    """The first Great Decree costs Sky 1 Power."""
    return 1


@decrees.forbids("sky.great-decree.3")
def not_at_first(g: Play, player: str, other: str) -> Said[bool]:
    """Sky may not proclaim a Great Decree in the first Action Phase."""
    return True if (FIRST_ROUND,) in g.state.flags else SILENT


@decrees.forbids("sky.great-decree.5")
def for_another(g: Play, player: str, other: str) -> Said[bool]:
    """A Great Decree is for Sky, and for the good of another player."""
    return SILENT if player == SKY != other else True


@action(SECOND, says="{player} decrees a rune for {other:player}")
def decrees_a_rune(g: Play, player: str, other: str) -> None:
    """With the second Great Decree Sky pays 1 Power as an action, and another player gains 1 rune."""
    pay(g, SECOND, player)
    gain(g, other, 1, RUNES)
    by_acting(g, player, "Second Great Decree")


@price.exception("sky.great-decree.6", "actions.pay.2", of=(SECOND,))
def the_second_costs_one(g: Play, action: str, player: str) -> Said[int]:
    """The second Great Decree costs Sky 1 Power."""
    return 1


@decrees_a_rune.forbids("sky.great-decree.7")
def after_the_first(g: Play, player: str, other: str) -> Said[bool]:
    """The second Great Decree is for Sky after the first, and is under the same bars as that one."""
    barred = (FIRST_ROUND,) in g.state.flags or player != SKY or other == SKY
    return True if barred or not is_done(g, SKY, "First Great Decree") else SILENT


def shrine_or_nest(g: Play, building: Piece, place: str, by: str, how: str) -> bool:
    """Whether Sky has conquered or destroyed an enemy Shrine or Chaos Nest."""
    return by == SKY != building.owner and is_player(g, building.owner) and building.kind in ("Shrine", "Chaos Nest")


def another_kind(g: Play, building: Piece, place: str, by: str, how: str) -> bool:
    """Whether Sky has conquered or destroyed an enemy building that is neither."""
    return by == SKY != building.owner and is_player(g, building.owner) and building.kind not in ("Shrine", "Chaos Nest")


@fallen.at("sky.heroquests.5", when=shrine_or_nest)
def a_small_one_falls(g: Play, building: Piece, place: str, by: str, how: str) -> None:
    """One heroquest part of Sky: it conquers or destroys an enemy Shrine or Chaos Nest."""
    finish(g, SKY, "Enemy Shrine or Chaos Nest", building)


@fallen.at("sky.heroquests.6", when=another_kind)
def a_great_one_falls(g: Play, building: Piece, place: str, by: str, how: str) -> None:
    """One heroquest part of Sky: it conquers or destroys an enemy building of another kind than a Shrine or a Chaos Nest."""
    finish(g, SKY, "Enemy Building of another Kind", building)


def emperor_fights(g: Play, area: str, one: str, other: str) -> bool:
    """Whether Sky fights with an Emperor while Arrogance has effect."""
    return SKY in (one, other) and active(g, "Arrogance", SKY) and any((p.kind, p.owner) == ("Emperor", SKY) for p, _ in units(g, area))


@pre_battle.at("sky.arrogance.1", when=emperor_fights)
def set_aside(g: Play, area: str, one: str, other: str) -> None:
    """In a battle with an Emperor, Arrogance takes one unit out of the battle, which may not be a greater god."""
    may = [p for p, _ in units(g, area) if p.owner in (one, other) and known_class(g, p) != "greater god"]
    chosen = g.choose(SKY, f"which unit Arrogance takes out of the battle in {area}", (NOBODY, *may))
    if isinstance(chosen, Piece) and class_of(g, chosen):
        aimed(g, "Arrogance", chosen.owner)
        g.state = g.state.put(area, chosen, -1).put(area, chosen.marked("side", SET_ASIDE), 1)
        g.did("set aside", f"{g.name(chosen)} takes no part in the battle", chosen, 1, area)


@action(JUSTICE, says="{player} calls {unit} to justice", sort=OUT_OF_TURN)
def calls(g: Play, player: str, unit: Wanted) -> None:
    """Call to Justice brings a unit of any empire to the area of the Sun God."""
    there = throne(g)
    for here, piece in called(g, unit)[:1]:
        aimed(g, "Call to Justice", piece.owner)
        move(g, here, piece, there, 1, Cause(By.GIFT, "Call to Justice", SKY, SKY))


@calls.forbids("sky.call-to-justice.3")
def needs_the_sun_god(g: Play, player: str, unit: Wanted) -> Said[bool]:
    """Call to Justice is for Sky, once it has that gift, and brings a unit of an empire from elsewhere on the map to the Sun God, who must be there too."""
    return SILENT if player == SKY and active(g, "Call to Justice", SKY) and throne(g) and called(g, unit) else True


def throne(g: Play) -> str:
    """The area of the Sun God, or ""."""
    return next((a for a, _ in standing(g, SUN_GOD, SKY)), "")


def called(g: Play, unit: Wanted) -> list[tuple[str, Piece]]:
    """The units of empires elsewhere on the map that are meant."""
    elsewhere = [(a, p) for a, p, _ in g.state.pieces if a in g.state.board.places and a != throne(g)]
    return [(a, p) for a, p in elsewhere if unit.fits(p, a) and is_player(g, p.owner) and not is_building(p)]


@action(LEAVE, says="{player} lets the Sun God leave Hell", sort=OUT_OF_TURN)
def lets_him_go(g: Play, player: str) -> None:
    """A position may say who permits the Sun God to leave Hell."""
    g.state = g.state.flagged(LET_GO, player)


@fulfilled.permits("sky.heroquests.2", of=(DAWN,))
def is_out(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Sky: the Sun God leaves Hell."""
    return True if throne(g) and g.state.board.kind(throne(g)) != "hell" else SILENT


def it_dawns(g: Play, player: str, quest: str, piece: Piece) -> bool:
    """Whether Sky has completed the part for the Sun God out of Hell."""
    return player == SKY and quest == DAWN


@completed.at("sky.heroquests.3", when=it_dawns)
def runes_for_the_dawn(g: Play, player: str, quest: str, piece: Piece) -> None:
    """When the Sun God leaves Hell for the heroquest, Sky gains 2 runes, and the player who permitted it gains 1 rune."""
    gain(g, SKY, 2, RUNES)
    for flag in sorted(f for f in g.state.flags if f[0] == LET_GO and f[1] != SKY):
        gain(g, flag[1], 1, RUNES)

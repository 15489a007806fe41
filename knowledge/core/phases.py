"""Turns and phases: what a turn's action is, summoning, moving, building, the Power Phase and the Council Phase, First Player, the end."""
from typing import Any

from knowledge.core.actions import price
from knowledge.core.board import OUT_OF_TURN, VOCABULARY, By, Cause, actor, everybody, is_building, is_player, units_of
from knowledge.core.buildings import BUILD, LADDER, UPGRADE, building_cost, put_up, stock
from knowledge.core.effects import ENDING, bring_in, gain, lift, move, pool, set_free, spend
from knowledge.core.gifts import GIFT
from knowledge.core.units import cost, pool_of
from lookup.engine.clause import SILENT, Moment, Question, Said, YesNo, action, claim, every_action, step
from lookup.engine.play import Play
from lookup.engine.state import Piece, State, Wanted

SUMMON, PASS = "phases.summon.1", "phases.action.9"
MOVES, TOGETHER, WITH_ISLE = "phases.move.2", "phases.move.7", "map.kylerela.2"
POWER_PHASE, COUNCIL_PHASE, BLESSING = "phases.power.1", "phases.council.1", "phases.blessing.1"
TOLD = "units.greater-god.5"


def himself(g: Play, player: str) -> str:
    """The player whose phase it is says what comes first."""
    return player


acts_at_zero: YesNo[[str]] = YesNo("act.at-zero", "may {0} act without Power?")
own_turn: YesNo[[str]] = YesNo("turn", "is this an action of a player's turn: {0}?", presumed=True)
arrives: YesNo[[Piece, str, str]] = YesNo(
    "summon.where", "may {0}, summoned by {1}, appear in {2}?", "{0} may appear in {2}", "{0} cannot appear in {2}",
)
ready: YesNo[[Piece, str]] = YesNo("summon.when", "may {0} be summoned by {1} now?", "{0} may be summoned", "{0} cannot be summoned", presumed=True)
summon_price: Question[[Piece], int] = Question("summon.price", "what does it cost to summon {0}?")
charge: Question[[str, int], int] = Question("move.charge", "what does it cost {0} to move {1} units?")
upgrade_price: Question[[Piece, Piece], int] = Question("upgrade.price", "what does it cost to upgrade {0} to {1}?")
way: YesNo[[Piece, str, str]] = YesNo("move.way", "may {0} move from {1} to {2}?", "{0} may move to {2}", "{0} cannot move to {2}")
summoned: Moment[[str, Piece, str]] = Moment("summoned", lambda g, player, piece, area: player)
departs: Moment[[str, str]] = Moment("move out", lambda g, player, here: player)
power_phase: Moment[[str]] = Moment("Power Phase", himself)
council_phase: Moment[[str]] = Moment("Council Phase", himself)
yields: Question[[Piece, str], int] = Question("building.yields", "how much {1} does {0} bring?")
gift_yields: Question[[str, str], int] = Question("gift.yields", "how much {1} does the gift {0} bring?")
blessing: Question[[str], int] = Question("blessing", "how much Power does Glorantha's Blessing bring to {0}?")


@own_turn.forbids("phases.action.4")
def no_action_of_his_turn(g: Play, action: str) -> Said[bool]:
    """What a player does without paying Power still works at 0 Power when it is no action of his turn, such as buying slaves back with VP."""
    return True if g.book.actions[action].sort == OUT_OF_TURN else SILENT


@action(SUMMON, says="{player} summons {unit} to {area}")
def summon(g: Play, player: str, unit: Wanted, area: str) -> None:
    """With one action a player puts a unit from his pool on the map."""
    may = in_pool(g, player, unit)
    if not may:
        return
    piece = g.choose(player, "which unit is summoned", may)
    spend(g, player, summon_price(g, piece))
    if g.state.count(pool(player), piece):
        bring_in(g, player, piece, area)
    else:
        set_free(g, piece, area)
    summoned(g, player, piece, area)


def in_pool(g: Play, player: str, unit: Wanted) -> list[Piece]:
    """The pieces of a player's pool that are meant."""
    return list(dict.fromkeys(p for _, p, _ in pool_of(g, player, unit.kind) if unit.fits(p)))


@summon_price.default("phases.summon.2")
def its_cost(g: Play, unit: Piece) -> Said[int]:
    """Summoning a unit costs as much Power as the unit's cost."""
    return cost(g, unit)


@summon.forbids("phases.summon.4")
def none_in_the_pool(g: Play, player: str, unit: Wanted, area: str) -> Said[bool]:
    """A unit of which none is in the player's pool cannot be summoned."""
    return SILENT if in_pool(g, player, unit) else True


@summon.forbids("phases.summon.7")
def one_at_a_time(g: Play, player: str, unit: Wanted, area: str) -> Said[bool]:
    """One action summons one unit."""
    return SILENT if unit.n in (None, 1) else True


@summon.forbids("phases.summon.5")
def cannot_pay(g: Play, player: str, unit: Wanted, area: str) -> Said[bool]:
    """A player who has less Power than a unit costs cannot summon it."""
    return True if any(summon_price(g, p) > g.state.counter(player, "power") for p in in_pool(g, player, unit)) else SILENT


@summon.forbids("phases.summon.6")
def not_there(g: Play, player: str, unit: Wanted, area: str) -> Said[bool]:
    """A unit can be summoned only to an area where it may appear."""
    return True if not all(arrives(g, p, player, area) for p in in_pool(g, player, unit)) else SILENT


@arrives.default("phases.summon.3")
def at_a_building(g: Play, unit: Piece, player: str, area: str) -> Said[bool]:
    """A summoned unit, unless it is a greater god, appears where its owner has a building."""
    return SILENT if is_class(g, unit, "greater god") else has_building(g, player, area)


def has_building(g: Play, player: str, area: str) -> bool:
    """Whether a player has a building in an area."""
    return any(p.kind in VOCABULARY.buildings and p.owner == player for p, _ in g.state.at(area))


def is_class(g: Play, unit: Piece, what: str) -> bool:
    """Whether a unit is known to be of a class; false where the sources do not say."""
    known = g.book.unit(unit.kind)
    field = known.fields.get("class") if known else None
    return (field.value if field else VOCABULARY.stand_ins.get(unit.kind, ("", ""))[1]) == what


@action(MOVES, says="{player} moves {unit} from {area} to {area2}")
def moves(g: Play, player: str, unit: Wanted, here: str, to: str) -> None:
    """One move action can take several units out of the same area."""
    spend(g, player, charge(g, player, how_many(unit)))
    departs(g, player, here)
    go(g, player, unit, here, to)


def go(g: Play, player: str, unit: Wanted, here: str, to: str) -> None:
    """Moves the units that are meant."""
    left = unit.n or 1
    for piece, n in movers(g, player, unit, here):
        move(g, here, piece, to, min(n, left), Cause(By.COST, "a move", player))
        left -= min(n, left)


@action(TOGETHER, says="{player} moves {unit} and {unit2} from {area} to {area2}")
def move_together(g: Play, player: str, unit: Wanted, other: Wanted, here: str, to: str) -> None:
    """Units of two kinds move together in one action, from the same area to the same area."""
    spend(g, player, charge(g, player, how_many(unit, other)))
    departs(g, player, here)
    go(g, player, unit, here, to)
    go(g, player, other, here, to)


@move_together.forbids("phases.move.8")
def not_each_of_them(g: Play, player: str, unit: Wanted, other: Wanted, here: str, to: str) -> Said[bool]:
    """Units of two kinds move together only where each of them may move."""
    return SILENT if unit.kind != other.kind and all(moves.may.answer(g, player, u, here, to).value for u in (unit, other)) else True


def how_many(*units: Wanted) -> int:
    """How many units are meant."""
    return sum(1 if u.n is None else u.n for u in units)


@charge.default("phases.move.10")
def one_price_for_all(g: Play, player: str, n: int) -> Said[int]:
    """The price of a move pays for all units that move."""
    return price(g, MOVES, player)


@charge.default("phases.move.11")
def a_price_for_each(g: Play, player: str, n: int) -> Said[int]:
    """The price of a move is paid for each unit that moves."""
    return n * price(g, MOVES, player)


@every_action.forbids("phases.move.12")
def cannot_pay_for_so_many(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """A player who has less Power than a move of so many units costs cannot make it."""
    if action not in (MOVES, TOGETHER, WITH_ISLE):
        return SILENT
    return True if charge(g, actor(args), how_many(*(a for a in args if isinstance(a, Wanted)))) > g.state.counter(actor(args), "power") else SILENT


def all_there(g: Play, player: str, unit: Wanted, here: str) -> bool:
    """Whether a player has as many of the units that are meant in an area as are meant, and at least one."""
    return 1 <= how_many(unit) <= sum(n for _, n in movers(g, player, unit, here))


def movers(g: Play, player: str, unit: Wanted, here: str) -> list[tuple[Piece, int]]:
    """The units of a player in an area that are meant."""
    return [(p, n) for p, n in units_of(g, player, here) if unit.fits(p, here)]


@price.default("phases.move.1", of=(MOVES,))
def costs_one(g: Play, action: str, player: str) -> Said[int]:
    """A move action normally costs 1 Power."""
    return 1


@moves.forbids("phases.move.5")
def not_so_many(g: Play, player: str, unit: Wanted, here: str, to: str) -> Said[bool]:
    """A player moves one unit or more, only his own, and no more of them than stand in the area that they leave."""
    return SILENT if all_there(g, player, unit, here) else True


@moves.forbids("phases.move.6")
def no_way(g: Play, player: str, unit: Wanted, here: str, to: str) -> Said[bool]:
    """Units cannot move to an area to which no way leads them."""
    return True if any(not way(g, p, here, to) for p, _ in movers(g, player, unit, here)) else SILENT


@way.default("phases.move.3")
def next_area(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """A move takes a unit from its area to an adjacent one."""
    return to in g.state.board.beside(here)


@action(BUILD, says="{player} builds {building} in {area}")
def builds(g: Play, player: str, building: str, area: str) -> None:
    """With one action a player builds a building."""
    for piece in stock(g, player, building)[:1]:
        spend(g, player, building_cost(g, piece))
        put_up(g, player, piece, area)


@builds.forbids("phases.build.4")
def cannot_pay_for_it(g: Play, player: str, building: str, area: str) -> Said[bool]:
    """A player who has less Power than a building costs cannot build it."""
    return True if any(building_cost(g, p) > g.state.counter(player, "power") for p in stock(g, player, building)) else SILENT


@acts_at_zero.default("phases.action.5")
def not_even_for_nothing(g: Play, player: str) -> Said[bool]:
    """A player with 0 Power may not take an action either, even one that costs 0."""
    return False


@acts_at_zero.default("phases.action.6")
def for_nothing(g: Play, player: str) -> Said[bool]:
    """A player with 0 Power may still take an action that costs 0."""
    return True


@action(UPGRADE, says="{player} upgrades to {building} in {area}")
def upgrades(g: Play, player: str, building: str, area: str) -> None:
    """With one action a player upgrades a building that he has in an area: the next higher kind takes its place."""
    for old, new in zip(lower(g, player, building, area), stock(g, player, building)):
        spend(g, player, upgrade_price(g, old, new))
        lift(g, area, old)
        put_up(g, player, new, area)
        return


def lower(g: Play, player: str, building: str, area: str) -> list[Piece]:
    """The buildings of a player in an area that are one step below a kind."""
    below = dict(zip(LADDER[1:], LADDER)).get(building)
    return [p for p, _ in g.state.at(area) if p.kind == below and p.owner == player]


@upgrades.forbids("phases.build.6")
def no_step_below(g: Play, player: str, building: str, area: str) -> Said[bool]:
    """Only a building of the next lower kind that the player has in the area is upgraded: a Shrine to a Temple, a Temple to a Ziggurat."""
    return SILENT if lower(g, player, building, area) else True


@upgrade_price.default("phases.build.7")
def whole(g: Play, old: Piece, new: Piece) -> Said[int]:
    """To upgrade a building costs as much Power as the new building costs."""
    return building_cost(g, new)


@upgrade_price.default("phases.build.8")
def the_difference(g: Play, old: Piece, new: Piece) -> Said[int]:
    """To upgrade a building costs as much Power as the new building costs more than the old one."""
    return max(0, building_cost(g, new) - building_cost(g, old))


@upgrades.forbids("phases.build.9")
def cannot_pay_for_the_step(g: Play, player: str, building: str, area: str) -> Said[bool]:
    """A player who has less Power than an upgrade costs cannot take it."""
    steps = zip(lower(g, player, building, area), stock(g, player, building))
    return True if any(upgrade_price(g, old, new) > g.state.counter(player, "power") for old, new in steps) else SILENT


@every_action.forbids("phases.action.13")
def barred_at_zero(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """A player whom the lack of Power bars from acting takes no action of his turn."""
    player = actor(args)
    return True if is_player(g, player) and not g.state.counter(player, "power") and own_turn(g, action) and not acts_at_zero(g, player) else SILENT


@action(PASS, says="{player} passes", sort=OUT_OF_TURN)
def passes(g: Play, player: str) -> None:
    """A player who passes does nothing in that turn."""
    g.did("passed", f"{player} does nothing")


@passes.forbids("phases.action.7")
def not_with_power(g: Play, player: str) -> Said[bool]:
    """A player who has Power may not pass his turn."""
    return True if g.state.counter(player, "power") else SILENT


@action(POWER_PHASE, says="{player} has a Power Phase", sort=OUT_OF_TURN)
def gains_power(g: Play, player: str) -> None:
    """In the Power Phase every player gains Power from buildings and from heroquests."""
    has_income(g, player)


@action(COUNCIL_PHASE, says="{player} has a Council Phase", sort=OUT_OF_TURN)
def gains_vp(g: Play, player: str) -> None:
    """In the Council Phase VP are handed out."""
    has_income(g, player, "vp")
    g.then(council_gifts, player)


def has_income(g: Play, player: str, what: str = "power") -> None:
    """Has a player's income of a phase handed out next; in the Power Phase after what is due to him then."""
    g.then(gifts_bring, player, what)
    g.then(buildings_bring, player, what)
    if what == "power":
        power_phase(g, player)


@step("phases.council.2")
def council_gifts(g: Play, player: str) -> None:
    """In the Council Phase gifts with that label are used."""
    council_phase(g, player)


@step("phases.power.6")
def buildings_bring(g: Play, player: str, what: str) -> None:
    """Every building on the map brings its owner Power in the Power Phase and VP in the Council Phase."""
    mine = [(p, n) for place, p, n in g.state.pieces if place in g.state.board.places and is_building(p) and p.owner == player]
    gain(g, player, sum(yields(g, p, what) * k for p, k in mine), what)


@step("phases.power.3")
def gifts_bring(g: Play, player: str, what: str) -> None:
    """The gifts in an empire's Heroquest fragments bring it Power in the Power Phase and VP in the Council Phase;
    an elder race gift, which is part of no fragment, is not among them."""
    gain(g, player, sum(gift_yields(g, f[2], what) for f in g.state.flags if f[0] == GIFT and f[1] == player), what)


@yields.default("buildings.yield.1")
def as_given(g: Play, building: Piece, what: str) -> Said[int]:
    """Where a position gives how much Power or VP a building brings, that is what it brings."""
    given = building.mark(what)
    return int(given) if given is not None else SILENT


@action(BLESSING, says="{player} receives Glorantha's Blessing", sort=OUT_OF_TURN)
def blessed(g: Play, player: str) -> None:
    """Glorantha's Blessing takes place in the Power Phase and helps players who have little Power to catch up."""
    gain(g, player, blessing(g, player))


@blessing.default("phases.blessing.4")
def up_to_half(g: Play, player: str) -> Said[int]:
    """Glorantha's Blessing brings a player who has less up to half of the highest Power that any player has, rounded up."""
    return max(0, half_of_the_most(g) - g.state.counter(player, "power"))


@blessing.default("phases.blessing.5")
def only_the_poorest(g: Play, player: str) -> Said[int]:
    """Glorantha's Blessing helps nobody but the player with the least Power, whom it brings up to half of the highest, rounded up."""
    has = g.state.counter(player, "power")
    return max(0, half_of_the_most(g) - has) if has == min(g.state.counter(p, "power") for p in everybody(g)) else 0


def half_of_the_most(g: Play) -> int:
    """Half of the highest Power that any player has, rounded up."""
    return (max(g.state.counter(p, "power") for p in everybody(g)) + 1) // 2


@claim("the end of the game is set off")
def is_ending(state: State) -> bool:
    return (ENDING,) in state.flags


@arrives.default("units.stand-in.5", of=("greater god",))
def anywhere(g: Play, unit: Piece, player: str, area: str) -> Said[bool]:
    """A stand-in greater god is a greater god, without a condition for its summoning."""
    return True


@summon.forbids("units.greater-god.3")
def not_yet(g: Play, player: str, unit: Wanted, area: str) -> Said[bool]:
    """A greater god can be summoned only under a condition of its own, and it arrives at a place that is fixed for it."""
    return True if not all(ready(g, p, player) for p in in_pool(g, player, unit)) else SILENT


@action(TOLD, says="{player} has {unit} summoned to {area}", sort=OUT_OF_TURN)
def is_summoned(g: Play, player: str, unit: Wanted, area: str) -> None:
    """A position may tell that a unit has been summoned whose cost the sources do not say; it then stands where the position says."""
    piece = g.choose(player, "which unit is summoned", [p for p in in_pool(g, player, unit) if g.state.count(pool(player), p)])
    bring_in(g, player, piece, area)
    summoned(g, player, piece, area)


@is_summoned.forbids("units.greater-god.6")
def only_where_it_is_open(g: Play, player: str, unit: Wanted, area: str) -> Said[bool]:
    """Only a unit in its owner's pool whose cost the sources do not say can be told of as summoned."""
    known = g.book.unit(unit.kind)
    priced = known is None or "cost" not in known.fields or not known.fields["cost"].silent
    return True if priced or not any(g.state.count(pool(player), p) for p in in_pool(g, player, unit)) else SILENT


@ready.forbids("units.zzabur.3", of=("Zzabur",))
def no_sky_building(g: Play, unit: Piece, player: str) -> Said[bool]:
    """Zzabur can be summoned only when a building of yours stands in the Skydome."""
    return SILENT if any(g.state.board.kind(a) == "sky" and has_building(g, player, a) for a in g.state.board.places) else True


@arrives.exception("units.zzabur.4", "phases.summon.3", of=("Zzabur",))
def in_brithos(g: Play, unit: Piece, player: str, area: str) -> Said[bool]:
    """Zzabur arrives in Brithos."""
    return area == "Brithos"


@ready.forbids("units.vadrus.3", of=("Vadrus",))
def no_storm_god_above(g: Play, unit: Piece, player: str) -> Said[bool]:
    """Vadrus can be summoned only when a greater god of Storm is in the Skydome."""
    above = [p for a, p, _ in g.state.pieces if a in g.state.board.places and g.state.board.kind(a) == "sky"]
    return SILENT if any(p.owner == "Storm" and is_class(g, p, "greater god") for p in above) else True


@arrives.default("units.vadrus.4", of=("Vadrus",))
def on_kylerela(g: Play, unit: Piece, player: str, area: str) -> Said[bool]:
    """Vadrus arrives on Kylerela."""
    return area == "Kylerela"


@gift_yields.default("elder-race-gifts.income.1")
def nothing(g: Play, gift: str, what: str) -> Said[int]:
    """An elder race gift gives its player neither Power nor VP, be it in the Power Phase or in the Council Phase."""
    return 0 if any(p.kind == "elder race" and gift in (p.front.get("gifts") or ()) for p in g.book.pages.values()) else SILENT

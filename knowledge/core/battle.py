"""Battle."""
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction

from knowledge.core.actions import pay, price
from knowledge.core.board import KILL, By, Cause, Effect, is_building, is_player, side, side_of
from knowledge.core.effects import FELL, affects, kill, plain, touched_by_loss
from knowledge.core.gifts import EARNED
from knowledge.core.rout import rout, touched_by_rout
from lookup.engine.clause import SILENT, Moment, Question, Said, YesNo, action, claim, step
from lookup.engine.play import Faces, Play, picks
from lookup.engine.state import Piece, State
from lookup.engine.veil import Touches

NOTHING = ""
BATTLE, DOOM = "battle", "results enough to kill"
TOOK_PART = "took part in this battle"
STILL = "rolls no dice"
MORE, FEWER, TURNED = "more dice of ", "fewer dice of ", "routs turned"
SIX = Fraction(1, 6)
DECLARE = "battle.declare.1"


class Order(StrEnum):
    """When the two sides roll."""

    TOGETHER = "both first"
    IN_TURN = "one after the other"


class Side(StrEnum):
    """One of the two sides of a battle."""

    ATTACKS = "the side that attacks"
    ATTACKED = "the side that is attacked"


def members(g: Play, area: str, of: str) -> list[tuple[Piece, int]]:
    """The units of one side in an area, counted."""
    return g.state.at(area, fights_for(g, area, of))


def fights_for(g: Play, area: str, of: str) -> Callable[[Piece], bool]:
    """Whether a piece in an area is a unit of one side."""
    return lambda p: not is_building(p) and side(g, p, area) == of


@side_of.default("battle.side.1")
def owner_or_kind(g: Play, unit: Piece, area: str) -> Said[str]:
    """A unit fights on its owner's side; units of nobody make up a side for each kind of them."""
    return unit.owner or unit.mark("side") or unit.kind


def fought(g: Play) -> tuple[str, str, str, str] | None:
    """The battle that is being fought: area, the side that attacks, the other side, and who controls the attacker; None outside one."""
    for flag in g.state.flags:
        if flag[0] == "battle":
            return flag[1], flag[2], flag[3], flag[4]
    return None


def nobody_first(g: Play, area: str, one: str, other: str) -> str:
    """The side that attacks says what comes first."""
    return one


combat: Question[[Piece], int] = Question("combat", "what is the combat of {0}?")
faces: Question[[], Faces] = Question("battle.faces", "what do the faces of a battle die mean?")
pairs: Question[[], tuple[str, int]] = Question("battle.pairs", "who may turn how many pairs of rolled routs into kills?")
order: Question[[], Order] = Question("battle.at-once", "do both sides roll before results are taken?")
victims: Question[[str, str], str] = Question("battle.victims", "who picks the units of {0} that take results?", chooser="picked")
spends: YesNo[[Piece]] = YesNo("battle.spend", "may a rolled kill be used on {0}?", "a rolled kill may be used on {0}", "a rolled kill passes over {0}")
dies: YesNo[[Piece, int, int]] = YesNo(
    "battle.dies", "do {1} kills and {2} routs kill {0} in its own way?",
    "{1} kills and {2} routs kill {0}", "{1} kills and {2} routs do not kill {0}", presumed=False,
)
attacker: Question[[str, str], str] = Question("attacker", "who attacks when {1} sets off a battle of {0}?")
first_taken: Question[[], Effect] = Question("battle.first", "which results are taken where there are more of them than units?")
first_away: Question[[], Side] = Question("battle.results", "whose routed units are sent away first?")
declared: Moment[[str, str, str]] = Moment("battle declared", lambda g, player, foe, area: player)
pre_battle: Moment[[str, str, str]] = Moment("pre-battle", nobody_first)
before_rolling: Moment[[str, str, str]] = Moment("before rolling", nobody_first)
post_battle: Moment[[str, str, str]] = Moment("post-battle", nobody_first)
all_over: Moment[[str, str, str]] = Moment("battle altogether over", nobody_first)


@action(DECLARE, says="{player} battles {foe:side} in {area}")
def declare(g: Play, player: str, foe: str, area: str) -> None:
    """A player may declare a battle in an area where units of that player stand."""
    pay(g, DECLARE, player)
    fight(g, area, player, foe, player)
    declared(g, player, foe, area)


@price.default("battle.declare.2", of=(DECLARE,))
def costs_one(g: Play, action: str, player: str) -> Said[int]:
    """To declare a battle costs 1 Power."""
    return 1


@declare.forbids("battle.declare.3")
def needs_a_unit(g: Play, player: str, foe: str, area: str) -> Said[bool]:
    """A battle cannot be declared in an area where the player has no unit."""
    return SILENT if members(g, area, player) else True


@declare.forbids("battle.declare.5")
def needs_an_enemy(g: Play, player: str, foe: str, area: str) -> Said[bool]:
    """A battle cannot be declared where the enemy has neither a unit nor a building."""
    there = members(g, area, foe) or any(is_building(p) and p.owner == foe for p, _ in g.state.at(area))
    return SILENT if there else True


@declare.forbids("battle.declare.6")
def not_on_himself(g: Play, player: str, foe: str, area: str) -> Said[bool]:
    """A battle cannot be declared on oneself."""
    return True if foe == player else SILENT


@attacker.default("battle.attacker.1")
def who_sets_it_off(g: Play, kind: str, player: str) -> Said[str]:
    """The player who sets off a battle is the one who attacks."""
    return player


def fight(g: Play, area: str, one: str, other: str, controller: str) -> None:
    """Starts a battle between two sides in an area; controller is the player who acts for the attacking side, if any."""
    g.state = g.state.flagged("battle", area, one, other, controller)
    g.then(in_order, area, one, other)


@step("battle.order.1")
def in_order(g: Play, area: str, one: str, other: str) -> None:
    """What happens before a battle comes first, then both sides roll, then kills are taken, then routs, and what happens after a battle comes last."""
    for of in (one, other):
        if members(g, area, of):
            g.state = g.state.flagged(TOOK_PART, of)
    g.did("battle", f"{one} and {other} fight in {area}")
    g.then(over, area, one, other)
    match order(g):
        case Order.TOGETHER:
            g.then(routs, area, one, other)
            g.then(take, KILL, area, other, one)
            g.then(take, KILL, area, one, other)
            g.then(dice, area, other, one)
            g.then(dice, area, one, other)
        case Order.IN_TURN:
            for by, of in ((other, one), (one, other)):
                g.then(take, Effect.ROUT, area, by, of)
                g.then(take, KILL, area, by, of)
                g.then(dice, area, by, of)
    before_rolling(g, area, one, other)
    pre_battle(g, area, one, other)


@order.default("battle.at-once.1")
def roll_first(g: Play) -> Said[Order]:
    """Both sides roll before any result is taken."""
    return Order.TOGETHER


@order.default("battle.at-once.2")
def one_after_the_other(g: Play) -> Said[Order]:
    """The side that declared the battle rolls and its results are taken before the other side rolls."""
    return Order.IN_TURN


@combat.default("battle.combat.1")
def printed(g: Play, unit: Piece) -> Said[int]:
    """A unit's combat is what its card gives."""
    given = unit.mark("combat") or g.field(unit.kind, "combat")
    return int(given) if given is not None else SILENT


@faces.default("battle.faces.1")
def six_kills(g: Play) -> Said[Faces]:
    """Of the faces of a battle die 6 is a kill, 4 and 5 are a rout, and 1, 2 and 3 are nothing."""
    return (KILL, SIX), (Effect.ROUT, 2 * SIX), (NOTHING, 3 * SIX)


@faces.default("battle.faces.2")
def two_each(g: Play) -> Said[Faces]:
    """Two faces each of a battle die are a kill, a rout and nothing."""
    return (KILL, 2 * SIX), (Effect.ROUT, 2 * SIX), (NOTHING, 2 * SIX)


def touched_by_dice(g: Play, area: str, by: str, of: str) -> Touches:
    """All that the roll of one side can change: the results that it has."""
    for unit in g.state.may_hold(area, fights_for(g, area, by)):
        combat(g, unit)
    faces(g)
    foes = g.state.may_hold(area, fights_for(g, area, of))
    doomed = {(BATTLE, f"{DOOM} {u.kind}") for u in foes if spends(g, u) in (True, False) and dies.heard(g, u)}
    turned = {(BATTLE, TURNED)} if pairs(g)[1] else set()
    return Touches(counters=frozenset({(by, KILL), (by, Effect.ROUT)} | doomed | turned))


@step("battle.dice.1", apart=touched_by_dice, loose=lambda g, area, by, of: Touches(counters=frozenset({(by, Effect.ROUT)})))
def dice(g: Play, area: str, by: str, of: str) -> None:
    """Each side rolls as many dice as the combat of its units in the battle adds up to."""
    still = (STILL, by) in g.state.flags
    changed = g.state.counter(BATTLE, MORE + by) - g.state.counter(BATTLE, FEWER + by)
    n = 0 if still else max(0, sum(combat(g, u) for u, k in members(g, area, by) for _ in range(k)) + changed)
    foes = members(g, area, of)

    def taken(rolled: tuple[Effect | str, ...]) -> Results:
        return results(g, foes, rolled.count(KILL), rolled.count(Effect.ROUT))

    who, most = pairs(g)
    most -= g.state.counter(BATTLE, TURNED)
    if most > 0:
        rolled = g.roll(n, faces(g), by, as_counts)
        turned = g.choose(who, f"how many pairs of routs that {by} rolled become kills", range(min(most, rolled.count(Effect.ROUT) // 2) + 1))
        g.state = g.state.counting(BATTLE, TURNED, g.state.counter(BATTLE, TURNED) + turned)
        doomed, kills, routs = results(g, foes, rolled.count(KILL) + turned, rolled.count(Effect.ROUT) - 2 * turned)
    else:
        doomed, kills, routs = taken(g.roll(n, faces(g), by, taken))
    for kind in doomed:
        g.state = g.state.counting(BATTLE, f"{DOOM} {kind}", 1)
    g.state = g.state.counting(by, KILL, kills).counting(by, Effect.ROUT, routs)


def as_counts(rolled: tuple[Effect | str, ...]) -> tuple[int, int]:
    """The kills and the routs of a roll."""
    return rolled.count(KILL), rolled.count(Effect.ROUT)


@pairs.default("battle.dice.2")
def as_rolled(g: Play) -> Said[tuple[str, int]]:
    """Results are taken as they are rolled."""
    return "", 0


Results = tuple[tuple[str, ...], int, int]
"""Of a roll: the kinds that it kills in their own way, the kills and the routs that can be taken."""


def results(g: Play, foes: list[tuple[Piece, int]], kills: int, routs: int) -> Results:
    """What comes of some kills and routs rolled against counted units."""
    doomed = tuple(u.kind for u, _ in foes if dies.heard(g, u) and dies(g, u, kills, routs))
    kills, there = min(kills, sum(n for u, n in foes if spends(g, u))), sum(n for _, n in foes)
    if kills and kills + routs > there and not any(once(g, hit(u)) for u, _ in foes):
        kills, routs = (kills, there - kills) if first_taken(g) is KILL else (there - min(routs, there), min(routs, there))
    return doomed, kills, min(routs, there)


@victims.default("battle.victims.1")
def each_his_own(g: Play, of: str, by: str) -> Said[str]:
    """Each player picks which of his own units take the results that the other side rolled."""
    return of if is_player(g, of) else SILENT


@victims.default("battle.victims.2")
def the_roller(g: Play, of: str, by: str) -> Said[str]:
    """The player who rolled the results picks which units of the other side take them."""
    return by if is_player(g, of) else SILENT


@spends.default("battle.spend.1")
def anybody(g: Play, unit: Piece) -> Said[bool]:
    """A rolled kill may be used up on a unit that a kill does not affect."""
    return True


@spends.default("battle.spend.2")
def only_whom_it_affects(g: Play, unit: Piece) -> Said[bool]:
    """A rolled kill passes over units that a kill does not affect."""
    return affects(g, unit, KILL, Cause(By.BATTLE))


def touched_by_results(g: Play, effect: Effect, area: str, by: str, of: str) -> Touches | None:
    """All that it can change that one side takes kills or routs; None where more may follow."""
    there = g.state.may_hold(area, fights_for(g, area, of))
    who = victims(g, of, by) if len(there) > 1 else of
    cause = in_this_battle(g, by)
    own = Touches(frozenset(), frozenset({("picked", Piece(of, "", (("by", who),)))}), frozenset({(by, effect)}))
    if effect is Effect.ROUT:
        routed = touched_by_rout(g, area, [u for u in there if once(g, u)], cause)
        return own | routed if routed else None
    for u in there:
        lost = touched_by_loss(g, area, u, KILL, "killed", cause)
        if lost is None or dies.heard(g, u):
            return None
        own |= lost
        if spends(g, u):
            own |= Touches(frozenset({u, hit(u)}))
    return own


def in_this_battle(g: Play, by: str) -> Cause:
    """The battle as the cause of what one side's results do."""
    battle = fought(g)
    return Cause(By.BATTLE, "", by, battle[3] if battle and battle[1] == by else "")


@step("battle.take.1", apart=touched_by_results)
def take(g: Play, effect: Effect, area: str, by: str, of: str) -> None:
    """In a battle kills are taken by the units that are picked for them, and the routs then by units that are left."""
    n = g.state.counter(by, effect)
    g.state = g.state.counting(by, effect, 0)
    cause = in_this_battle(g, by)
    if effect is KILL:
        for u, k in members(g, area, of):
            if dies.heard(g, u) and g.state.counter(BATTLE, f"{DOOM} {u.kind}"):
                kill(g, area, u, k, Cause(By.OWN_WAY, "", by, cause.controller))
    if not n:
        return
    may = tuple((u, k) for u, k in members(g, area, of) if (spends(g, u) if effect is KILL else once(g, u)))
    n = min(n, sum(k for _, k in may))
    if not n:
        return
    (taken, *others) = ways = picks(may, n)
    if others:
        who = victims(g, of, by)
        taken = g.choose(who, f"which units of {of} take {n} {effect}{'s' if n > 1 else ''}", ways)
        g.state = g.state.noted("picked", Piece(of, "", (("by", who),)), area, 1)
    if effect is Effect.ROUT:
        rout(g, area, taken, cause)
        return
    for u, k in taken:
        before = g.state.count(area, u)
        kill(g, area, u, k, cause)
        if g.state.count(area, u) == before:
            g.state = g.state.put(area, u, -k).put(area, hit(u), k)


@step("battle.take.2")
def routs(g: Play, area: str, one: str, other: str) -> None:
    """Routs are taken when all kills have been taken."""
    sides = [(one, other), (other, one)]
    if all(g.state.may_hold(area, fights_for(g, area, of)) for _, of in sides) and first_away(g) is Side.ATTACKED:
        sides.reverse()
    for by, of in sides:
        g.then(take, Effect.ROUT, area, by, of)


@first_taken.default("battle.results.3")
def kills_first(g: Play) -> Said[Effect]:
    """Where more results fall on a side than it has units, kills are taken before routs."""
    return KILL


@first_taken.default("battle.results.4")
def routs_first(g: Play) -> Said[Effect]:
    """Where more results fall on a side than it has units, routs are taken before kills."""
    return Effect.ROUT


@first_away.default("battle.results.1")
def attackers_first(g: Play) -> Said[Side]:
    """The routed units of the side that attacks are sent away first."""
    return Side.ATTACKS


@first_away.default("battle.results.2")
def attacked_first(g: Play) -> Said[Side]:
    """The routed units of the side that is attacked are sent away first."""
    return Side.ATTACKED


def hit(unit: Piece) -> Piece:
    """A unit that has taken a result."""
    return unit.marked("hit", "1")


once: YesNo[[Piece]] = YesNo("battle.once", "may {0} take a further result?", presumed=True)


@once.forbids("battle.once.1")
def one_each(g: Play, unit: Piece) -> Said[bool]:
    """A unit takes at most one result in a battle."""
    return True if unit.mark("hit") else SILENT


@step("battle.end.1")
def over(g: Play, area: str, one: str, other: str) -> None:
    """What a battle has changed for its time only is over when the battle is over."""
    g.state = g.state.unflagged(*next(f for f in g.state.flags if f[0] == "battle"))
    g.state = g.state.plainly(lambda piece: piece.marked("hit", "")).unflagged(STILL, one).unflagged(STILL, other).cleared(BATTLE)
    g.did("over", f"The battle in {area} is over")
    g.then(altogether_over, area, one, other)
    post_battle(g, area, one, other)


@step("battle.end.2")
def altogether_over(g: Play, area: str, one: str, other: str) -> None:
    """A battle is altogether over only when what happens after the battle is done too."""
    g.state = g.state.unflagged_all(FELL, EARNED, TOOK_PART).plainly(plain)
    all_over(g, area, one, other)


@claim("{player} picks which units of {foe:side} take results", reads=("picked",))
def picks_victims(state: State, player: str, foe: str) -> bool:
    return any(what == "picked" and piece.kind == foe and piece.mark("by") == player for (what, piece, _), _ in state.happened)

"""Ducks."""
from itertools import combinations_with_replacement

from knowledge.core.battle import post_battle
from knowledge.core.board import KILL, By, Cause, Effect
from knowledge.core.effects import FELL, bring_in, in_battle, label, left_map, move, pool, spend
from knowledge.core.gifts import active
from knowledge.core.map import SUNKEN
from knowledge.core.phases import has_building, summoned
from knowledge.elder_races.diplomacy import failed
from knowledge.elder_races.elder_race_gifts import fulfilled, place_gift
from knowledge.elder_races.setup import home, starters
from lookup.engine.clause import SILENT, Question, Said, YesNo
from lookup.engine.play import Play
from lookup.engine.state import Piece

DUCKS, DUCK, BAD_LUCK = "Ducks", "Duck", "Bad Luck to Kill a Duck"

passed_over: YesNo[[str]] = YesNo("ducks.passed-over", "does the neutral Duck pass over {0}?", presumed=False)
clockwise: Question[[str], str] = Question("ducks.clockwise", "which sea area comes next clockwise after {0}?")
perches: Question[[str], tuple[str, ...]] = Question("ducks.flocks", "where may the Ducks be placed that Flocks brings {0}?")
payer: Question[[str], str] = Question("bad-luck.choice", "who chooses what {0} loses to Bad Luck to Kill a Duck?")


def duck_falls(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether a Duck of an empire was killed in battle."""
    return unit.kind == DUCK and bool(unit.owner) and effect is KILL and in_battle(g, unit, effect, cause)


@left_map.at("ducks.heroquest.1", when=duck_falls)
def earned_by_a_death(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """The Ducks' Heroquest is fulfilled when a Duck is killed in battle."""
    place_gift(g, unit.owner, DUCKS)


@fulfilled.default("ducks.heroquest.2", of=(DUCKS,))
def at_no_other_time(g: Play, race: str, player: str) -> Said[bool]:
    """The Ducks' Heroquest is an event: their gift is earned at that death and cannot be taken at another time."""
    return False


def unlucky(g: Play, one: str, other: str) -> list[str]:
    """The sides that bad luck strikes: Ducks of the other side died, and its gift works."""
    return [foe for mine, foe in ((one, other), (other, one)) if (FELL, DUCK, mine) in g.state.flags and active(g, BAD_LUCK, mine)]


def luck_strikes(g: Play, area: str, one: str, other: str) -> bool:
    """Whether bad luck strikes a side of this battle."""
    return bool(unlucky(g, one, other))


@post_battle.at("ducks.bad-luck.1", when=luck_strikes)
def bad_luck(g: Play, area: str, one: str, other: str) -> None:
    """With the Duck gift, Bad Luck to Kill a Duck, an enemy in whose battle Ducks died loses 1 Power or 1 VP in Post-Battle."""
    for foe in unlucky(g, one, other):
        has = [what for what in ("power", "vp") if g.state.counter(foe, what)]
        if has:
            lost = g.choose(payer(g, foe), "what Bad Luck to Kill a Duck takes", tuple(map(label, has)))
            spend(g, foe, 1, next(what for what in has if label(what) == lost))


@payer.default("ducks.bad-luck.2")
def the_enemy(g: Play, enemy: str) -> Said[str]:
    """The enemy chooses whether Bad Luck to Kill a Duck takes 1 Power or 1 VP."""
    return enemy


def ducks_refuse(g: Play, player: str, race: str, area: str) -> bool:
    """Whether it is the Ducks that Diplomacy has failed to win."""
    return race == DUCKS


@failed.at("ducks.alliance.2", when=ducks_refuse)
def moves_on(g: Play, player: str, race: str, area: str) -> None:
    """After an attempt at Diplomacy that does not win the Ducks, the neutral Duck moves clockwise to the next sea area."""
    seas = [a for a in g.state.board.places if a != area and g.state.board.kind(a) == "sea" and not passed_over(g, a)]
    if seas:
        to = seas[0] if len(seas) == 1 else clockwise(g, area)
        for duck, n in g.state.at(area, lambda p: p.kind == DUCK and not p.owner):
            move(g, area, duck, to, n, Cause(By.DIPLOMACY, "Diplomacy", player))


@passed_over.permits("ducks.alliance.3")
def not_sunken(g: Play, area: str) -> Said[bool]:
    """A land that has been sunk is passed over when the neutral Duck moves clockwise to the next sea area."""
    return True if (SUNKEN, area) in g.state.flags else SILENT


def ducks_are_left(g: Play, player: str, piece: Piece, area: str) -> bool:
    """Whether a Duck was summoned and more are in the pool."""
    return piece.kind == DUCK and g.state.count(pool(player), Piece(DUCK, player)) > 0


@summoned.at("ducks.flocks.1", when=ducks_are_left)
def flocks(g: Play, player: str, piece: Piece, area: str) -> None:
    """A player who pays to summon one Duck places all Ducks of his pool."""
    n = g.state.count(pool(player), Piece(DUCK, player))
    for to in g.choose(player, "where the other Ducks are placed", combinations_with_replacement(perches(g, player), n)):
        bring_in(g, player, Piece(DUCK, player), to)


@perches.default("ducks.flocks.2")
def among_the_buildings(g: Play, player: str) -> Said[tuple[str, ...]]:
    """The Ducks that Flocks brings are spread among the player's buildings."""
    return tuple(a for a in g.state.board.places if has_building(g, player, a))


@home.default("ducks.setup.1", of=(DUCKS,))
def togaro(g: Play, race: str) -> Said[str]:
    """The Ducks start the game in the Togaro Ocean."""
    return "Togaro Ocean"


@starters.default("ducks.setup.2", of=(DUCKS,))
def one_duck(g: Play, race: str) -> Said[int]:
    """One Duck is on the map at the start of the game."""
    return 1

"""Cwim: Amok, three victims before a battle against it, and its death by three results."""
from knowledge.core.actions import pay, price
from knowledge.core.battle import dies, members, pre_battle
from knowledge.core.board import REMOVE, ROUT, By, Cause, Effect, buildings, everybody, may_build, on_map, standing
from knowledge.core.buildings import counts_as
from knowledge.core.effects import affects, bring_in, destroy, kill, move, moves_marker, pool, remove
from knowledge.core.rout import rout
from knowledge.empires.chaos import has_marker
from knowledge.monsters.chaos_monsters import arrives, home
from knowledge.monsters.monsters import rewards
from lookup.engine.clause import SILENT, Question, Said, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece

CWIM, GARDEN = "Cwim", "Genert's Garden"
AMOK = "cwim.amok.2"
LOWER = {"Ziggurat": "Temple", "Temple": "Shrine"}

nature: Question[[], By] = Question("cwim.nature", "what is the kill that the attacker of Cwim suffers before the battle?")


@home.default("cwim.placement.1", of=(CWIM,))
def in_the_garden(g: Play, monster: str) -> Said[str]:
    """Cwim is placed in Genert's Garden when the Chaos Rift opens."""
    return GARDEN if GARDEN in g.state.board.places else SILENT


def it_is_cwim(g: Play, monster: str, area: str, player: str) -> bool:
    """Whether it is Cwim that arrives."""
    return monster == CWIM


@arrives.at("cwim.placement.2", when=it_is_cwim)
def lays_waste(g: Play, monster: str, area: str, player: str) -> None:
    """The buildings in the area where Cwim is placed are destroyed."""
    ruin(g, area)


def ruin(g: Play, area: str) -> None:
    """Destroys every building in an area, and lets each owner put a lower one there."""
    for building, n in buildings(g, area):
        for _ in range(n):
            destroy(g, area, building)
            put_a_lower_one(g, area, building)


@part("cwim.placement.3")
def put_a_lower_one(g: Play, area: str, building: Piece) -> None:
    """The owner of a building that Cwim destroys may put the next-lower kind of building in its place."""
    lower = [p for p, _ in g.state.at(pool(building.owner)) if p.kind == LOWER.get(counts_as(g, building))]
    if lower and g.choose(building.owner, f"what stands in place of the {building.kind}", ("nothing", lower[0].kind)) != "nothing":
        bring_in(g, building.owner, lower[0], area)


@may_build.forbids("cwim.building.1")
def no_building_beside_it(g: Play, player: str, area: str) -> Said[bool]:
    """Nobody can build or upgrade a building in the area where Cwim is."""
    return True if area in on_map(g, CWIM) else SILENT


@action(AMOK, says="{player} uses Amok")
def amok(g: Play, player: str) -> None:
    """Amok moves Cwim to an adjacent area."""
    pay(g, AMOK, player)
    for here, cwim in standing(g, CWIM):
        to = g.choose(player, "where Amok moves Cwim", g.state.board.beside(here))
        if move(g, here, cwim, to, 1, Cause(By.MONSTER, "Amok", player)):
            wreck(g, to)


@price.default("cwim.amok.1", of=(AMOK,))
def costs_one(g: Play, action: str, player: str) -> Said[int]:
    """Any player may use Amok, which costs 1 Power."""
    return 1


@part("cwim.amok.3")
def wreck(g: Play, area: str) -> None:
    """The buildings in the area to which Amok moves Cwim are destroyed, as at its placement."""
    ruin(g, area)


@amok.forbids("cwim.amok.4")
def needs_cwim(g: Play, player: str) -> Said[bool]:
    """Amok cannot be used while Cwim is not on the map."""
    return SILENT if on_map(g, CWIM) else True


def attacks_cwim(g: Play, area: str, one: str, other: str) -> bool:
    """Whether Cwim is the one that is attacked."""
    return other == CWIM


@pre_battle.at("cwim.pre-battle.4", when=attacks_cwim)
def three_victims(g: Play, area: str, one: str, other: str) -> None:
    """The units for Cwim are picked in the order rout, kill, removal, so that an attacker with fewer than three units has none taken out of the game."""
    rout_one(g, area, one)
    kill_one(g, area, one)
    remove_one(g, area, one)


def picked(g: Play, area: str, one: str, what: str) -> list[Piece]:
    """The unit that the attacker picks of those left in the battle, if any is left."""
    left = [p for p, _ in members(g, area, one)]
    return [g.choose(one, f"which unit Cwim {what}", left)] if left else []


@part("cwim.pre-battle.1")
def rout_one(g: Play, area: str, one: str) -> None:
    """In Pre-Battle the attacker of Cwim first picks one of his own units in the battle, which is routed."""
    for unit in picked(g, area, one, "routs"):
        rout(g, area, [(unit, 1)], Cause(By.MONSTER, CWIM, CWIM))


@part("cwim.pre-battle.2")
def kill_one(g: Play, area: str, one: str) -> None:
    """After the unit that is routed, the attacker of Cwim picks another of his units in the battle, which is killed."""
    for unit in picked(g, area, one, "kills"):
        kill(g, area, unit, 1, Cause(nature(g), CWIM, CWIM))


@part("cwim.pre-battle.3")
def remove_one(g: Play, area: str, one: str) -> None:
    """After the unit that is killed, the attacker of Cwim picks a third of his units in the battle, which leaves the game for good."""
    for unit in picked(g, area, one, "takes out of the game"):
        remove(g, area, unit, 1, Cause(By.MONSTER, CWIM, CWIM))


@moves_marker.permits("cwim.pre-battle.5")
def removal_counts_too(g: Play, unit: Piece, effect: Effect) -> Said[bool]:
    """The unit that Cwim takes out of the game counts for the Mad God's marker."""
    return True if effect is REMOVE and has_marker(g) else SILENT


@nature.default("cwim.pre-battle.6")
def kill_in_battle(g: Play) -> Said[By]:
    """The kill that the attacker of Cwim suffers in Pre-Battle is a kill in battle."""
    return By.BATTLE


@nature.default("cwim.pre-battle.7")
def no_kill_in_battle(g: Play) -> Said[By]:
    """The kill that the attacker of Cwim suffers in Pre-Battle is no kill in battle."""
    return By.MONSTER


@dies.permits("cwim.killing.1", of=(CWIM,))
def three_results(g: Play, unit: Piece, kills: int, routs: int) -> Said[bool]:
    """Cwim dies only in a battle declared against it that gives 3 results in all, routs and kills counted together."""
    return True if kills + routs >= 3 else SILENT


@affects.forbids("cwim.routs.1", of=(CWIM,))
def ignores_routs(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """Cwim ignores routs."""
    return True if effect is ROUT else SILENT


@affects.exception("cwim.routs.3", "cwim.routs.1", of=(CWIM,))
def not_those_of_abilities(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """Cwim ignores the routs of a battle only, so that an ability such as Devastate does rout it."""
    return True if effect is ROUT and cause.by is not By.BATTLE else SILENT


def cwim_is_dead(g: Play, monster: str, player: str) -> bool:
    """Whether the reward is for Cwim."""
    return monster == CWIM


@rewards.at("cwim.reward.1", when=cwim_is_dead)
def one_of_each(g: Play, monster: str, player: str) -> None:
    """The player who kills Cwim destroys one building of each enemy empire."""
    for foe in everybody(g):
        theirs = [(a, p) for a in g.state.board.places for p, _ in buildings(g, a) if p.owner == foe != player]
        if theirs:
            area, building = g.choose(player, f"which building of {foe} is destroyed", theirs)
            destroy(g, area, building, player)

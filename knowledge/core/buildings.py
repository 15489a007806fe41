"""Buildings: putting one up, what it requires, and what befalls one in a battle."""
from typing import Any

from knowledge.core.battle import TOOK_PART, members, post_battle
from knowledge.core.board import VOCABULARY, is_player, may_build
from knowledge.core.effects import bring_in, destroy, pool, seize
from knowledge.core.gifts import active
from lookup.engine.clause import SILENT, Moment, Question, Said, YesNo, claim, every_action
from lookup.engine.play import Play
from lookup.engine.state import Piece, State

BUILD, UPGRADE, CONSTRUCTION = "phases.build.1", "phases.build.5", "dwarfs.construction.1"
PUT_UP = (BUILD, UPGRADE, CONSTRUCTION)
LADDER = ("Shrine", "Temple", "Ziggurat")
ZIGGURAT, NEST, IMBEDDED = "Ziggurat", "Chaos Nest", "Imbedded Chaos Nest"
NESTS = (NEST, IMBEDDED)
IMBED = "Imbed"
LEAVE, DESTROY, CONQUER = "leave", "destroy", "conquer"

meets: YesNo[[str, str, str]] = YesNo(
    "building.requirement", "is what a {0} requires met for {1} in {2}?", "what a {0} requires is met", "what a {0} requires is not met", presumed=True,
)
heeds: YesNo[[str]] = YesNo("building.heeds", "does {0} heed what a building requires?", presumed=True)
heeds_bans: YesNo[[str]] = YesNo("building.heeds-bans", "does {0} heed that an area is closed to building?", presumed=True)
exposed: YesNo[[str, str]] = YesNo("building.exposed", "are the buildings of {0} in {1} open to the attacker?", presumed=True)
within_reach: YesNo[[str, str]] = YesNo("building.within-reach", "may {0} conquer or destroy a building in {1}?", presumed=True)
may_conquer: YesNo[[str, str]] = YesNo(
    "building.conquer", "may {0} conquer a building in {1}?", "{0} may conquer there", "{0} cannot conquer there", presumed=True,
)
counts_as: Question[[Piece], str] = Question("building.counts-as", "as which kind of building does {0} count for what is done to it?")
seized_as: Question[[Piece, str], str] = Question("building.seized", "what does {1} put in the place of {0}?")
built: Moment[[str, Piece, str]] = Moment("building placed", lambda g, player, building, area: player)
building_cost: Question[[Piece], int] = Question("building.cost", "what does {0} cost?")


def stock(g: Play, player: str, kind: str) -> list[Piece]:
    """The buildings of a kind in a player's pool."""
    return [p for p, _ in g.state.at(pool(player)) if p.kind == kind and kind in VOCABULARY.buildings]


def put_up(g: Play, player: str, building: Piece, area: str) -> None:
    """Puts a building of a player's pool in an area."""
    bring_in(g, player, building, area)
    built(g, player, building, area)


@building_cost.default("buildings.cost.1")
def as_given(g: Play, building: Piece) -> Said[int]:
    """Where a position gives what a building costs, that is its cost."""
    given = building.mark("cost")
    return int(given) if given is not None else SILENT


@counts_as.default("buildings.building.6")
def as_it_is(g: Play, building: Piece) -> Said[str]:
    """What is done to one kind of building is done to buildings of that kind only, unless something says otherwise."""
    return building.kind


@every_action.forbids("buildings.pool.1")
def none_left(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """A player can put up only a building that is in his pool."""
    return True if action in PUT_UP and not stock(g, str(args[0]), str(args[1])) else SILENT


@every_action.forbids("buildings.ziggurat.2")
def one_ziggurat(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """An empire has only one Ziggurat."""
    return True if action in PUT_UP and args[1] == ZIGGURAT and stands(g, ZIGGURAT, str(args[0])) else SILENT


def stands(g: Play, kind: str, player: str) -> bool:
    """Whether a player has a building of a kind on the map."""
    return any(p.kind == kind and p.owner == player for a, p, _ in g.state.pieces if a in g.state.board.places)


@every_action.forbids("buildings.closed.1")
def closed(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """A building cannot be put up in an area that is closed to building."""
    return True if action in PUT_UP and heeds_bans(g, action) and not may_build(g, str(args[0]), str(args[2])) else SILENT


@every_action.forbids("buildings.requirement.1")
def not_met(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """A building cannot be put up while what it requires is not met."""
    return True if action in PUT_UP and heeds(g, action) and not meets(g, str(args[1]), str(args[0]), str(args[2])) else SILENT


@meets.forbids("buildings.imbedded-chaos-nest.1", of=(IMBEDDED,))
def needs_imbed(g: Play, kind: str, player: str, area: str) -> Said[bool]:
    """An Imbedded Chaos Nest is a second form of the Chaos Nest, which normally needs the gift Imbed."""
    return SILENT if active(g, IMBED, player) else True


@claim("{player} has {building} in {area}")
def has_building_in(state: State, player: str, building: str, area: str) -> bool:
    return any(p.kind == building and p.owner == player for p, _ in state.at(area))


def theirs(g: Play, area: str, foe: str) -> list[Piece]:
    """The buildings of a side in an area."""
    return [p for p, _ in g.state.at(area, lambda p: p.kind in VOCABULARY.buildings and p.owner == foe)]


def undefended(g: Play, area: str, one: str, other: str) -> bool:
    """Whether a player attacked, and buildings of the other side are open to him."""
    return is_player(g, one) and bool(theirs(g, area, other)) and exposed(g, other, area) and within_reach(g, one, area)


@post_battle.at("buildings.protect.2", when=undefended)
def falls(g: Play, area: str, one: str, other: str) -> None:
    """A building whose area holds no defending unit in the battle can be conquered or destroyed by the attacker."""
    for building in theirs(g, area, other):
        ways = [LEAVE, DESTROY]
        if may_conquer(g, one, area) and stock(g, one, seized_as(g, building, one)):
            ways.append(CONQUER)
        match g.choose(one, f"what becomes of the {building.kind} in {area}", ways):
            case "destroy":
                destroy(g, area, building, one)
            case "conquer":
                seize(g, area, building, one)
                put_up(g, one, stock(g, one, seized_as(g, building, one))[0], area)


@exposed.forbids("buildings.protect.1")
def defended(g: Play, foe: str, area: str) -> Said[bool]:
    """A building is safe from conquest and destruction as long as a unit that defends it is left in the battle."""
    return True if members(g, area, foe) else SILENT


@exposed.forbids("buildings.protect.5")
def was_defended(g: Play, foe: str, area: str) -> Said[bool]:
    """A building is safe in a battle in which any unit of its owner took part."""
    return True if (TOOK_PART, foe) in g.state.flags else SILENT


@within_reach.forbids("buildings.protect.6")
def nobody_left(g: Play, player: str, area: str) -> Said[bool]:
    """An attacker who has no unit left in the area neither conquers nor destroys a building."""
    return SILENT if members(g, area, player) else True


@seized_as.default("buildings.conquer.1")
def of_the_same_kind(g: Play, building: Piece, player: str) -> Said[str]:
    """Who conquers a building puts one of his own of the same kind in its place."""
    return building.kind

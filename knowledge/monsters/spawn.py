"""The Spawn: Spawnrise, their limit, and where a routed one goes."""
from knowledge.core.actions import pay, price
from knowledge.core.battle import attacker, fight, fought, members, post_battle
from knowledge.core.board import KILL, ROUT, Cause, Effect, enemy, is_building, on_map, units_of
from knowledge.core.buildings import DESTROY, LEAVE, exposed, theirs
from knowledge.core.effects import affects, destroy, killer, moves_marker, room
from knowledge.core.rounds import leader
from knowledge.core.rout import may_go, sender
from knowledge.core.units import cost, may_be_counted
from knowledge.empires.chaos import has_marker
from knowledge.monsters.dragons import activate
from knowledge.monsters.mother_of_monsters import SPAWN, birth, holds_mother, other_spawn, spawn_in_play
from lookup.engine.clause import SILENT, Question, Said, action
from lookup.engine.play import Play
from lookup.engine.state import Piece

SPAWNRISE = "mother-of-monsters.spawnrise.2"
ACTS = "the Spawn that attacks"
FIRST_PLAYER = "the First Player"

player_of: Question[[str, str], str] = Question("spawn.plays", "who plays for the {0} that {1} activates?", chooser="sent")
fighters: Question[[str], int] = Question("spawn.alone", "how many Spawn fight in {0}?")


@action(SPAWNRISE, says="{player} uses Spawnrise in {area} against {foe:player}")
def spawnrise(g: Play, player: str, area: str, foe: str) -> None:
    """Spawnrise picks one Spawn and an empire that is in its area: the two fight a battle."""
    pay(g, SPAWNRISE, player)
    for one, n in picked(g, player, area):
        g.state = g.state.put(area, one, -n).put(area, one.marked("side", ACTS), n)
    fight(g, area, attacker(g, SPAWN, player), foe, player_of(g, SPAWN, player))


def spawn_in(g: Play, area: str) -> list[tuple[Piece, int]]:
    """The Spawn in an area, counted."""
    return g.state.at(area, lambda p: p.kind == SPAWN)


def picked(g: Play, player: str, area: str) -> list[tuple[Piece, int]]:
    """The Spawn that fight: all that are there, or one that the player picks."""
    there = spawn_in(g, area)
    if fighters(g, area) == sum(n for _, n in there):
        return there
    return [(g.choose(player, f"which Spawn in {area} fights", [p for p, _ in there]), 1)]


@attacker.exception("spawn.attack.2", "battle.attacker.1", of=(SPAWN,))
def the_spawn_itself(g: Play, kind: str, player: str) -> Said[str]:
    """When a Spawn attacks, the Spawn is the attacker and the player who activated it is not."""
    return ACTS


def buildings_lie_open(g: Play, area: str, one: str, other: str) -> bool:
    """Whether a Spawn attacked and still stands there, and buildings of the other side are open to it."""
    return one == ACTS and bool(members(g, area, ACTS)) and bool(theirs(g, area, other)) and exposed(g, other, area)


@post_battle.at("mother-of-monsters.spawnrise.3", when=buildings_lie_open)
def wreck(g: Play, area: str, one: str, other: str) -> None:
    """Spawn can destroy buildings."""
    for building in theirs(g, area, other):
        if g.choose(one, f"what becomes of the {building.kind} in {area}", (LEAVE, DESTROY)) == DESTROY:
            destroy(g, area, building)


@price.default("mother-of-monsters.spawnrise.1", of=(SPAWNRISE,))
def costs_one(g: Play, action: str, player: str) -> Said[int]:
    """Any player may use Spawnrise, which costs 1 Power."""
    return 1


@spawnrise.forbids("mother-of-monsters.spawnrise.5")
def needs_a_spawn(g: Play, player: str, area: str, foe: str) -> Said[bool]:
    """Spawnrise cannot be used in an area without a Spawn."""
    return SILENT if area in on_map(g, SPAWN) else True


@spawnrise.forbids("mother-of-monsters.spawnrise.6")
def needs_an_empire(g: Play, player: str, area: str, foe: str) -> Said[bool]:
    """Spawnrise cannot be used against an empire that has nothing in the area of the Spawn."""
    return SILENT if units_of(g, foe, area) or any(is_building(p) and p.owner == foe for p, _ in g.state.at(area)) else True


@spawnrise.forbids("spawn.own-empire.2")
def not_his_own(g: Play, player: str, area: str, foe: str) -> Said[bool]:
    """The player who activates a Spawn cannot name his own empire as the one that it fights."""
    return True if foe == player else SILENT


@fighters.default("spawn.alone.1")
def one_alone(g: Play, area: str) -> Said[int]:
    """The Spawn that Spawnrise picks fights alone, even where other Spawn stand beside it."""
    return min(1, sum(n for _, n in spawn_in(g, area)))


@fighters.default("spawn.alone.2")
def all_together(g: Play, area: str) -> Said[int]:
    """All Spawn in the area fight beside the Spawn that Spawnrise picks."""
    return sum(n for _, n in spawn_in(g, area))


@player_of.default("spawn.plays.1")
def the_activator(g: Play, kind: str, player: str) -> Said[str]:
    """The player who activates a Spawn rolls its dice and makes its choices in that battle."""
    return player


@player_of.default("spawn.plays.2")
def the_first_player(g: Play, kind: str, player: str) -> Said[str]:
    """The First Player rolls the dice and makes the choices for a Spawn that attacks, whoever activated it."""
    return leader(g) or FIRST_PLAYER


@sender.exception("spawn.sender.1", "rout.sender.1", "rout.sender.2")
def the_activator_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """The player who activates a Spawn chooses where the units go that it routs."""
    return cause.controller if routed_by_spawn(g, cause) else SILENT


@sender.exception("spawn.sender.2", "rout.sender.1", "rout.sender.2")
def the_owner_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """The owner of the units that a Spawn routs chooses where they go."""
    return unit.owner if routed_by_spawn(g, cause) and unit.owner else SILENT


@sender.exception("spawn.attacked-sender.1", "rout.sender.1", "rout.sender.2")
def the_attacker_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """A player who attacks a Spawn chooses where those of his own units go that it routs."""
    return unit.owner if routed_by_attacked_spawn(g, cause) and unit.owner else SILENT


@sender.exception("spawn.attacked-sender.2", "rout.sender.1", "rout.sender.2")
def the_first_player_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """The First Player chooses where units go that an attacked Spawn routs."""
    return leader(g) or FIRST_PLAYER if routed_by_attacked_spawn(g, cause) else SILENT


def routed_by_attacked_spawn(g: Play, cause: Cause) -> bool:
    """Whether a rout comes from Spawn that a player attacks."""
    battle = fought(g)
    return battle is not None and cause.side == battle[2] == SPAWN


def routed_by_spawn(g: Play, cause: Cause) -> bool:
    """Whether a rout comes from a Spawn that attacks."""
    battle = fought(g)
    return battle is not None and battle[1] == cause.side == ACTS


@moves_marker.permits("spawn.mad-god.1", of=(SPAWN,))
def counts_for_the_marker(g: Play, unit: Piece, effect: Effect) -> Said[bool]:
    """A Spawn that is killed moves the Mad God's marker, as any unit does."""
    return True if effect is KILL and has_marker(g) else SILENT


@killer.exception("spawn.credit.2", "effects.credit.1")
def counts_for_the_activator(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """What a Spawn kills or destroys counts for the heroquests and rewards of the player who activated it."""
    return cause.controller if routed_by_spawn(g, cause) else SILENT


@activate.forbids("spawn.class.2")
def no_monsters(g: Play, player: str, monster: str, foe: str, area: str) -> Said[bool]:
    """The Mother of Monsters' Spawn are not Monsters."""
    return True if monster == SPAWN else SILENT


@enemy.permits("spawn.enemy.1", of=(SPAWN,))
def foe_of_all(g: Play, unit: Piece, player: str) -> Said[bool]:
    """A Spawn is an enemy unit to every empire."""
    return True


@cost.default("spawn.cost.2", of=(SPAWN,))
def costs_nothing(g: Play, unit: Piece) -> Said[int]:
    """Where costs of units are counted, a Spawn counts as 0."""
    return 0 if unit.mark("cost") is None else SILENT


@may_be_counted.forbids("spawn.cost.3", of=(SPAWN,))
def not_to_be_picked(g: Play, unit: Piece) -> Said[bool]:
    """A Spawn cannot be picked by what counts the costs of units."""
    return True


@room.forbids("spawn.limit.1", of=(SPAWN,))
def six_at_most(g: Play, piece: Piece) -> Said[bool]:
    """No more than 6 Spawn can be in play."""
    return True if spawn_in_play(g) >= 6 else SILENT


@birth.forbids("spawn.seventh.2")
def no_seventh(g: Play, player: str) -> Said[bool]:
    """With 6 Spawn in play Birth cannot be used."""
    return True if spawn_in_play(g) >= 6 else SILENT


@may_go.forbids("spawn.rout-range.2", of=(SPAWN,))
def only_next_door(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A routed Spawn goes only to an adjacent area where another Spawn stands."""
    return True if other_spawn(g, here) and to not in g.state.board.beside(here) else SILENT


@may_go.forbids("spawn.rout-range.3", of=(SPAWN,))
def only_the_nearest(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A routed Spawn goes to the nearest area where another Spawn stands."""
    far = distances(g, here)
    others = [far.get(a, len(far)) for a in other_spawn(g, here)]
    return True if others and far.get(to, len(far)) > min(others) else SILENT


def distances(g: Play, here: str) -> dict[str, int]:
    """How many borders away each area is that can be reached from here."""
    far, edge = {here: 0}, [here]
    while edge:
        edge = [b for a in edge for b in g.state.board.beside(a) if b not in far and far.setdefault(b, far[a] + 1)]
    return far


@may_go.exception("spawn.rout-when.2", "mother-of-monsters.titanic.5", "rout.area.1", of=(SPAWN,))
def next_door_first(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A routed Spawn goes to an adjacent area as other units do, and to the area of another Spawn only where it would else go to the Mother of Monsters."""
    ordinary = [a for a in g.state.board.beside(here) if not holds_mother(g, a)]
    return to in (ordinary or other_spawn(g, here))


@may_go.forbids("spawn.lone.2", of=(SPAWN,))
def nowhere_alone(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A routed Spawn that has no other Spawn to go to is treated as a unit with nowhere to go."""
    return SILENT if other_spawn(g, here) else True


@affects.forbids("spawn.lone.3", of=(SPAWN,))
def alone_it_stays(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """A routed Spawn that has no other Spawn to go to stays where it is."""
    return True if effect is ROUT and len(on_map(g, SPAWN)) < 2 else SILENT

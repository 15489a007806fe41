"""Monsters: what moves and kills them, what becomes of a killed one, who is rewarded, and who sends those whom they rout."""
from knowledge.core.battle import fought, victims
from knowledge.core.board import (
    ELIMINATE,
    KILL,
    MOVE,
    OUT_OF_TURN,
    REMOVE,
    REPLACE,
    By,
    Cause,
    Effect,
    enemy,
    is_monster,
    is_player,
    on_map,
    standing,
    units_of,
)
from knowledge.core.effects import OUT, affects, gain, goes, kill, killer, left_map, moves_marker, room
from knowledge.core.phases import council_phase
from knowledge.core.rounds import leader, left_of
from knowledge.core.rout import sender
from knowledge.empires.chaos import has_marker
from lookup.engine.clause import SILENT, Moment, Said, action, claim
from lookup.engine.play import Play
from lookup.engine.state import Piece, State

OTHERS = ("Androgeus", "Black Dragon", "Brown Dragon", "Cwim", "Juggernaut", "Leviathan", "Red Dragon", "Sky Terror")
UNTOLD = ("Androgeus", "Brown Dragon", "Juggernaut", "Leviathan", "Sky Terror")
"""Monsters of whose way to die the sources tell nothing, or one condition only."""
COSMIC = ("Androgeus", "Juggernaut", "Leviathan")
MONSTERS = ("Mother of Monsters", *OTHERS)
SENDERS = ("rout.sender.1", "rout.sender.2")
LEFT = "the player to the left of the attacker"
FIRST_PLAYER = "the First Player"
KILLS = "monsters.killing.5"


def the_rewarded(g: Play, monster: str, player: str) -> str:
    """The player who is rewarded says what comes first."""
    return player


rewards: Moment[[str, str]] = Moment("reward", the_rewarded)


@room.forbids("monsters.box.1", of=MONSTERS)
def one_of_each(g: Play, monster: Piece) -> Said[bool]:
    """The Chaos Monsters box holds one each of Androgeus, Juggernaut, Leviathan, Cwim, the Mother of Monsters, Sky Terror, the Black Dragon, the Brown Dragon
    and the Red Dragon."""
    return True if g.state.total(lambda p: p.kind == monster.kind) else SILENT


@affects.forbids("monsters.movement.2", of=MONSTERS)
def not_moved_by_players(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """As a rule, a player's gifts and special abilities cannot move a Monster."""
    return True if effect is MOVE and cause.by in (By.GIFT, By.ABILITY) else SILENT


@affects.forbids("monsters.killing.1", of=OTHERS)
def only_in_its_own_way(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """Each Monster can be destroyed in one way only: the way that its own card names."""
    return True if effect in (KILL, ELIMINATE, REMOVE, REPLACE) and cause.by is not By.OWN_WAY else SILENT


@affects.exception("monsters.untold.2", "monsters.killing.1", of=UNTOLD)
def by_a_mere_kill(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """A kill in battle destroys a Monster of whose way to die the sources do not tell enough."""
    return True if effect is KILL and cause.by is By.BATTLE else SILENT


@goes.exception("monsters.killing.3", "effects.pool.2", of=MONSTERS)
def out_of_the_game(g: Play, unit: Piece, effect: Effect) -> Said[str]:
    """A Monster that is destroyed is taken out of the game."""
    return OUT


@action(KILLS, says="{player} kills {monster:kind} in its own way", sort=OUT_OF_TURN)
def kills(g: Play, player: str, monster: str) -> None:
    """A position may say that a player kills a Monster in the way that its card names, where the sources do not give that way in full."""
    for area, piece in standing(g, monster):
        kill(g, area, piece, 1, Cause(By.OWN_WAY, "", player, player))


@kills.forbids("monsters.killing.6")
def way_is_known(g: Play, player: str, monster: str) -> Said[bool]:
    """A Monster whose way to die the sources give in full is killed in that way, and not because a position says so."""
    return SILENT if monster in UNTOLD else True


@kills.forbids("monsters.killing.7")
def needs_the_monster(g: Play, player: str, monster: str) -> Said[bool]:
    """A Monster that is not on the map cannot be killed."""
    return SILENT if on_map(g, monster) else True


def somebody_killed_it(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether a player has killed a Monster."""
    return effect is KILL and is_monster(g, unit) and bool(killer(g, unit, cause))


@left_map.at("monsters.reward.1", when=somebody_killed_it)
def rewarded(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """The player who kills a Monster gets a reward for it."""
    player = killer(g, unit, cause)
    g.state = g.state.noted("rewarded", unit.marked("by", player), place, n).flagged("reward", player, unit.kind)
    g.did("rewarded", f"{player} gets the reward for {unit.kind}", unit, n, place)
    rewards(g, unit.kind, player)


@moves_marker.permits("monsters.mad-god.1", of=MONSTERS)
def counts_for_the_marker(g: Play, unit: Piece, effect: Effect) -> Said[bool]:
    """A Monster that is killed moves the Mad God's marker, as any unit does."""
    return True if effect is KILL and has_marker(g) else SILENT


@enemy.permits("monsters.enemy.1", of=MONSTERS)
def foe_of_all(g: Play, unit: Piece, player: str) -> Said[bool]:
    """A Monster is an enemy unit to every empire."""
    return True


@victims.default("monsters.victims.1")
def the_attacker_picks(g: Play, of: str, by: str) -> Said[str]:
    """The player who attacks a Monster or Spawn rolls their dice and chooses which of them take the results."""
    return by if attacked_by(g, of, by) else SILENT


@victims.default("monsters.victims.2")
def the_left_picks(g: Play, of: str, by: str) -> Said[str]:
    """The player to the left of the attacker rolls the dice for a Monster or Spawn that is attacked and chooses which of them take the results."""
    return left_of(g, by) or LEFT if attacked_by(g, of, by) else SILENT


def attacked_by(g: Play, of: str, by: str) -> bool:
    """Whether the first side is nobody's and is attacked by the other."""
    battle = fought(g)
    return battle is not None and not is_player(g, of) and (battle[1], battle[2]) == (by, of)


def beside_a_cosmic_one(g: Play, player: str) -> bool:
    """Whether a player has units where a Cosmic Monster stands."""
    return any(units_of(g, player, a) for kind in COSMIC for a in on_map(g, kind))


@council_phase.at("monsters.cosmic.5", when=beside_a_cosmic_one)
def one_more(g: Play, player: str) -> None:
    """An empire that has units in the area of a Cosmic Monster gains 1 VP more in the Council Phase."""
    gain(g, player, 1, "vp")


def routed_by_attacker(g: Play, cause: Cause) -> tuple[str, str] | None:
    """The Monster that attacks and the player who controls it, if it is what routs."""
    battle = fought(g)
    return (battle[1], battle[3]) if battle and battle[1] == cause.side and is_monster(g, Piece(cause.side)) else None


@sender.exception("monsters.routed.1", *SENDERS)
def its_controller_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """The player who controls a Monster while it attacks chooses where the units go that it routs."""
    acting = routed_by_attacker(g, cause)
    return acting[1] if acting and acting[1] else SILENT


@sender.exception("monsters.routed.2", *SENDERS)
def its_attacker_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """A player who himself attacks a Monster chooses where those of his own units go that the Monster routs."""
    battle = fought(g)
    attacked = battle is not None and battle[2] == cause.side and battle[1] == unit.owner and is_monster(g, Piece(cause.side))
    return unit.owner if attacked else SILENT


@sender.exception("monsters.uncontrolled.1", *SENDERS)
def the_owner_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """When a Monster that nobody controls attacks, the owner of the units that it routs chooses where they go."""
    acting = routed_by_attacker(g, cause)
    return unit.owner if acting and not acting[1] else SILENT


@sender.exception("monsters.uncontrolled.2", *SENDERS)
def the_first_player_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """When a Monster that nobody controls attacks, the First Player chooses where the units go that it routs."""
    acting = routed_by_attacker(g, cause)
    return leader(g) or FIRST_PLAYER if acting and not acting[1] else SILENT


@claim("{player} gets the reward for {monster:kind}", reads=("rewarded",))
def gets_the_reward(state: State, player: str, monster: str) -> bool:
    return any(what == "rewarded" and piece.kind == monster and piece.mark("by") == player for (what, piece, _), _ in state.happened)

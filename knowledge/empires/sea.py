"""Sea: Submerge, Marine, its heroquests, Drowning, Siren Song and Tidal Surge."""
from itertools import combinations_with_replacement

from knowledge.core.actions import pay, price
from knowledge.core.battle import fought, pairs
from knowledge.core.board import KILL, By, Cause, Effect, in_the_game, is_player, race_of, standing, units
from knowledge.core.buildings import ZIGGURAT, stands
from knowledge.core.effects import CONQUERED, DESTROYED, RUNES, bring_in, fallen, gain, killer, left_map, move, pool, spend
from knowledge.core.gifts import active
from knowledge.core.map import SHATTERED, SUNKEN, arrow, rift_closed
from knowledge.core.phases import departs, moves, ready, summoned
from knowledge.core.quests import finish, fulfilled
from lookup.engine.clause import SILENT, Said, action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece, Wanted

SEA, SUBMERGE, SURGE, USED = "Sea", "sea.submerge.1", "sea.tidal-surge.1", "Submerge used"


@action(SUBMERGE, says="{player} submerges {area}")
def submerge(g: Play, player: str, area: str) -> None:
    """Submerge turns one land area into a sea area for the rest of the game."""
    g.state = g.state.changed(board=g.state.board.turned(area, "sea")).flagged(SUNKEN, area).flagged(USED)
    g.did("sunk", f"{area} is a sea area from now on", None, 0, area)
    summon_free(g, player, area)


@submerge.forbids("sea.submerge.2")
def not_these(g: Play, player: str, area: str) -> Said[bool]:
    """Submerge cannot sink Kylerela or the Spike."""
    return True if area in ("Kylerela", "Spike") else SILENT


@submerge.forbids("sea.submerge.3")
def once(g: Play, player: str, area: str) -> Said[bool]:
    """Submerge is an action that costs 0 Power, and Sea takes it once in a game."""
    return True if player != SEA or (USED,) in g.state.flags else SILENT


@submerge.forbids("sea.submerge.6")
def only_land(g: Play, player: str, area: str) -> Said[bool]:
    """Submerge sinks land areas only."""
    return True if g.state.board.kind(area) != "land" else SILENT


@part("sea.submerge.4")
def summon_free(g: Play, player: str, area: str) -> None:
    """When Sea takes Submerge it summons one unit for free in the sunken area."""
    may = [p for p, _ in g.state.at(pool(player)) if ready(g, p, player)]
    if may:
        bring_in(g, player, g.choose(player, "which unit Submerge summons", may), area)


@ready.forbids("sea.magasta.2", of=("Magasta",))
def not_before_the_spike_goes(g: Play, unit: Piece, player: str) -> Said[bool]:
    """Sea cannot summon Magasta before the Spike has shattered."""
    return SILENT if (SHATTERED,) in g.state.flags else True


@arrow.forbids("sea.marine.1")
def not_its_own(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """Sea cannot use the sea-crossing arrows."""
    return True if unit.owner == SEA and not race_of(g, unit) else SILENT


@arrow.forbids("sea.marine.2")
def nor_its_ally(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """The sea-crossing arrows are closed to Elder Race units that are allied with Sea."""
    return True if unit.owner == SEA and race_of(g, unit) else SILENT


def sirens_sing(g: Play, player: str, here: str) -> bool:
    """Whether an enemy of Sea moves out of an area with a Mermaid, and Siren Song has effect."""
    return player != SEA and here in (a for a, _ in standing(g, "Mermaid", SEA)) and active(g, "Siren Song", SEA)


@departs.at("sea.siren-song.1", when=sirens_sing)
def pays_the_sirens(g: Play, player: str, here: str) -> None:
    """With Siren Song, enemies pay 1 VP on top of the usual 1 Power in order to move out of an area with a Mermaid."""
    spend(g, player, 1, "vp")


@moves.forbids("sea.siren-song.2")
def cannot_pay_the_sirens(g: Play, player: str, unit: Wanted, here: str, to: str) -> Said[bool]:
    """An enemy without VP cannot move out of an area with a Mermaid while Siren Song has effect."""
    return True if sirens_sing(g, player, here) and not g.state.counter(player, "vp") else SILENT


@action(SURGE, says="{player} uses Tidal Surge on {area}")
def tidal_surge(g: Play, player: str, area: str) -> None:
    """With Tidal Surge Sea pays 2 Power as an action and moves all units of one sea area to adjacent lands."""
    pay(g, SURGE, player)
    lands = [a for a in g.state.board.beside(area) if g.state.board.kind(a) == "land"]
    for unit, n in units(g, area):
        for to in g.choose(player, f"where {g.name(unit, n)} are swept", combinations_with_replacement(lands, n)) if lands else ():
            move(g, area, unit, to, 1, Cause(By.GIFT, "Tidal Surge", player))


@price.exception("sea.tidal-surge.3", "actions.pay.2", of=(SURGE,))
def costs_two(g: Play, action: str, player: str) -> Said[int]:
    """Tidal Surge costs 2 Power."""
    return 2


@tidal_surge.forbids("sea.tidal-surge.2")
def needs_the_gift(g: Play, player: str, area: str) -> Said[bool]:
    """Tidal Surge is for Sea alone, once it has that gift, and works on sea areas only."""
    return SILENT if player == SEA and active(g, "Tidal Surge", SEA) and g.state.board.kind(area) == "sea" else True


def far_off(g: Play, building: Piece, place: str, by: str, how: str) -> bool:
    """Whether Sea has conquered a building in the Skydome or in Hell, or destroyed one there that costs 2 or more."""
    there = by == SEA != building.owner and g.state.board.kind(place) in ("sky", "hell")
    return there and (how == CONQUERED or (how == DESTROYED and int(building.mark("cost") or 0) >= 2))


@fallen.at("sea.heroquests.2", when=far_off)
def takes_one_far_off(g: Play, building: Piece, place: str, by: str, how: str) -> None:
    """One heroquest part of Sea: it conquers a building in the Skydome or in Hell, or destroys one there that costs 2 or more."""
    finish(g, SEA, "Building in the Skydome or in Hell", building)


@fulfilled.permits("sea.heroquests.3", of=("Ziggurat of Sea",))
def ziggurat_stands(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Sea: it places its Ziggurat."""
    return True if stands(g, ZIGGURAT, SEA) else SILENT


def sea_plays(g: Play, player: str) -> bool:
    """Whether Sea takes part in this game."""
    return in_the_game(g, SEA)


def both_play(g: Play, player: str) -> bool:
    """Whether Sea and Chaos take part in this game."""
    return in_the_game(g, SEA) and in_the_game(g, "Chaos")


@rift_closed.at("sea.heroquests.4", when=sea_plays)
def rift_is_closed(g: Play, player: str) -> None:
    """One heroquest part of Sea: the Chaos Rift is closed."""
    finish(g, SEA, "Chaos Rift Closed")


@rift_closed.at("sea.heroquests.5", when=both_play)
def a_rune_each(g: Play, player: str) -> None:
    """When the Chaos Rift is closed in a game with Chaos, Sea and Chaos each gain an extra rune."""
    for each in (SEA, "Chaos"):
        gain(g, each, 1, RUNES)


@fulfilled.permits("sea.heroquests.6", of=("No Sea Serpent in the Pool",))
def serpents_out(g: Play, quest: str, player: str) -> Said[bool]:
    """One heroquest part of Sea: no Sea Serpent is in its pool."""
    return SILENT if any(p.kind == "Sea Serpent" for p, _ in g.state.at(pool(SEA))) else True


def magasta_comes(g: Play, player: str, piece: Piece, area: str) -> bool:
    """Whether Sea has summoned Magasta."""
    return player == SEA and piece.kind == "Magasta"


@summoned.at("sea.heroquests.7", when=magasta_comes)
def summons_him(g: Play, player: str, piece: Piece, area: str) -> None:
    """One heroquest part of Sea: it summons Magasta."""
    finish(g, SEA, "Summoned Magasta", piece)


def drowned(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> bool:
    """Whether Sea kills units of a player in a battle with a Kraken, and Drowning has effect."""
    battle = fought(g)
    kraken = battle is not None and bool(g.state.at(battle[0], lambda p: (p.kind, p.owner) == ("Kraken", SEA)))
    return kraken and effect is KILL and is_player(g, unit.owner) and killer(g, unit, cause) == SEA != unit.owner and active(g, "Drowning", SEA)


@left_map.at("sea.drowning.1", when=drowned)
def drowns(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> None:
    """With Drowning and a Kraken in the battle, kills move 1 VP from the enemy to Sea."""
    moved = min(n, g.state.counter(unit.owner, "vp"))
    spend(g, unit.owner, moved, "vp")
    gain(g, SEA, moved, "vp")


@pairs.exception("sea.constrict.1", "battle.dice.2")
def constricts(g: Play) -> Said[tuple[str, int]]:
    """For each Sea Serpent in the battle, Constrict turns 2 rolled routs of either side into 1 kill."""
    battle = fought(g)
    if battle is None or not active(g, "Constrict", SEA):
        return SILENT
    return SEA, sum(n for p, n in g.state.at(battle[0]) if (p.kind, p.owner) == ("Sea Serpent", SEA))

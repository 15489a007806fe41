"""Dragons attack when they activate, and it is the Dragon that attacks."""
from knowledge.core.battle import attacker, fight
from knowledge.core.board import everybody, on_map
from knowledge.core.phases import own_turn
from lookup.engine.clause import SILENT, Said, YesNo, action
from lookup.engine.play import Play

DRAGONS = ("Black Dragon", "Brown Dragon", "Red Dragon")
ACTIVATE, OF_ITSELF = "dragons.attack.1", "dragons.control.2"

controls: YesNo[[str, str]] = YesNo(
    "dragon.control", "does {1} control the {0} while it attacks?", "{1} controls the {0}", "nobody controls the {0}", presumed=False,
)


@action(ACTIVATE, says="{player} activates {monster:kind} against {foe:player} in {area}")
def activate(g: Play, player: str, monster: str, foe: str, area: str) -> None:
    """A Dragon starts a battle when it activates, unlike most Monsters."""
    fight(g, area, attacker(g, monster, player), foe, player if controls(g, monster, player) else "")


@attacker.exception("dragons.attack.2", "battle.attacker.1", of=DRAGONS)
def the_dragon_itself(g: Play, kind: str, player: str) -> Said[str]:
    """When a Dragon attacks, the Dragon is the attacker and the player who activated it is not."""
    return kind


@own_turn.forbids("dragons.turn.1", of=(ACTIVATE, OF_ITSELF))
def nobodys_turn(g: Play, action: str) -> Said[bool]:
    """The activation of a Dragon is no action of a player's turn."""
    return True


@controls.permits("dragons.control.1", of=DRAGONS)
def the_activator(g: Play, kind: str, player: str) -> Said[bool]:
    """The player who activates a Dragon controls it while it attacks."""
    return True


@activate.forbids("dragons.attack.3")
def where_it_stands(g: Play, player: str, monster: str, foe: str, area: str) -> Said[bool]:
    """A creature that attacks does so in the area where it stands."""
    return SILENT if area in on_map(g, monster) else True


@activate.forbids("dragons.attack.4")
def whom_it_finds(g: Play, player: str, monster: str, foe: str, area: str) -> Said[bool]:
    """A Dragon cannot attack an empire that has nothing in its area."""
    return SILENT if any(p.owner == foe for p, _ in g.state.at(area)) else True


@action(OF_ITSELF, says="{monster:kind} attacks {foe:player} in {area} with nobody to activate it")
def of_itself(g: Play, monster: str, foe: str, area: str) -> None:
    """A Dragon that activates without a player attacks with nobody to control it."""
    fight(g, area, monster, foe, "")


@of_itself.forbids("dragons.control.3")
def only_a_dragon(g: Play, monster: str, foe: str, area: str) -> Said[bool]:
    """Nothing attacks without a player but a Dragon, in the area where it stands, and an empire that it finds there."""
    here = area in on_map(g, monster) and any(p.owner == foe for p, _ in g.state.at(area))
    return SILENT if monster in DRAGONS and here else True


def rank(g: Play, player: str, what: str) -> tuple[int, int, int]:
    """A player's Power or VP, the least that anybody has, and how many have that."""
    have = [g.state.counter(p, what) for p in everybody(g)]
    least = min(have, default=0)
    return g.state.counter(player, what), least, have.count(least)

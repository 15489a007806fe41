"""Chaos Monsters: put on the map when the Chaos Rift opens; they never attack."""
from knowledge.core.board import OUT_OF_TURN, on_map, page_kind
from knowledge.core.effects import OUT, put
from knowledge.monsters.dragons import activate
from lookup.engine.clause import SILENT, Moment, Question, Said, action
from lookup.engine.play import Play
from lookup.engine.state import Piece

SPIKE = "Spike"
HOMES = ("mother-of-monsters.placement.2", "cwim.placement.1")


def who_places(g: Play, monster: str, area: str, player: str) -> str:
    """The player who places a Monster says what comes first."""
    return player


home: Question[[str], str] = Question("home", "where is {0} placed when the Chaos Rift opens?")
arrives: Moment[[str, str, str]] = Moment("arrives", who_places)


@action("chaos-monsters.placement.1", says="{player} places {monster:kind} as the Chaos Rift opens", sort=OUT_OF_TURN)
def place(g: Play, player: str, monster: str) -> None:
    """Chaos Monsters are put on the map when the Chaos Rift opens."""
    area = home(g, monster)
    g.state = g.state.flagged("Rift open")
    put(g, area, Piece(monster))
    arrives(g, monster, area, player)


@place.forbids("chaos-monsters.placement.3")
def only_chaos_monsters(g: Play, player: str, monster: str) -> Said[bool]:
    """No creature but a Chaos Monster is placed because the Chaos Rift opens."""
    return SILENT if page_kind(g, Piece(monster)) == "chaos monster" else True


@place.forbids("chaos-monsters.placement.4")
def there_is_one_of_it(g: Play, player: str, monster: str) -> Said[bool]:
    """A Chaos Monster that stands on the map is not placed a second time."""
    return True if on_map(g, monster) else SILENT


@place.forbids("monsters.killing.4")
def never_again(g: Play, player: str, monster: str) -> Said[bool]:
    """A Monster that was destroyed never comes back."""
    return True if g.state.total(lambda p: p.kind == monster, (OUT,)) else SILENT


@home.exception("monsters.spike.3", *HOMES)
def on_the_spike(g: Play, monster: str) -> Said[str]:
    """A Monster comes onto the map on the Spike, whatever area its card names."""
    return SPIKE if SPIKE in g.state.board.places else SILENT


@activate.forbids("chaos-monsters.attack.1")
def never_attacks(g: Play, player: str, monster: str, foe: str, area: str) -> Said[bool]:
    """Chaos Monsters never attack."""
    return True if page_kind(g, Piece(monster)) == "chaos monster" else SILENT


@activate.forbids("monsters.cosmic.3")
def nor_do_cosmic_ones(g: Play, player: str, monster: str, foe: str, area: str) -> Said[bool]:
    """Cosmic Monsters never attack."""
    return True if page_kind(g, Piece(monster)) == "cosmic monster" else SILENT

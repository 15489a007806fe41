"""What a unit costs, and a check of its Combat."""
from knowledge.core.battle import combat
from knowledge.core.board import OUT_OF_TURN, enemy, page_kind
from knowledge.core.effects import FOUND, PEN, pool
from lookup.engine.clause import SILENT, Question, Said, YesNo, action
from lookup.engine.play import Play
from lookup.engine.state import Piece, Wanted

CHECK = "units.check.1"

cost: Question[[Piece], int] = Question("cost", "what does {0} cost?")
pooled: YesNo[[Piece, str]] = YesNo("pool", "is {0} in the {1} in its owner's pool?", presumed=False)
may_be_counted: YesNo[[Piece]] = YesNo("cost.counted", "may {0} be picked by what counts costs?", presumed=True)


@cost.default("units.cost.1")
def printed(g: Play, unit: Piece) -> Said[int]:
    """What a unit costs is what its card gives."""
    if unit.mark("cost") is None and page_kind(g, unit) == "spawn":
        return SILENT
    return int(unit.mark("cost") or g.field(unit.kind, "cost") or 0)


@enemy.default("glossary.enemy-unit.1")
def of_another_player(g: Play, unit: Piece, player: str) -> Said[bool]:
    """An enemy unit is a unit of another player, his allied Elder Race units among them."""
    return bool(unit.owner) and unit.owner != player


@action(CHECK, says="{player} checks the Combat of {unit}", sort=OUT_OF_TURN)
def check(g: Play, player: str, unit: Wanted) -> None:
    """Whenever something asks how much Combat a unit has, the Combat is worked out as it is at that moment."""
    there = [p for place, p, _ in g.state.pieces if unit.fits(p, place)]
    found = combat(g, there[0] if there else Piece(unit.kind, unit.owner))
    g.state = g.state.counting("", FOUND, found)
    g.did("found", f"The Combat of {g.name(Piece(unit.kind, unit.owner))} is {found}")


@pooled.permits("units.pool.1")
def in_the_pool(g: Play, unit: Piece, place: str) -> Said[bool]:
    """Your pool is made of your units that are not on the map; from it they can be summoned."""
    return True if place == pool(unit.owner) else SILENT


@pooled.permits("units.pool.4")
def slaves_too(g: Play, unit: Piece, place: str) -> Said[bool]:
    """A unit in the Slave Pen is in its owner's pool, since it is not on the map."""
    return True if place == PEN else SILENT


def pool_of(g: Play, player: str, kind: str) -> list[tuple[str, Piece, int]]:
    """The units of a kind in a player's pool: where they are kept, and how many."""
    return [(a, p, n) for a, p, n in g.state.pieces if p.kind == kind and p.owner == player and a not in g.state.board.places and pooled(g, p, a)]

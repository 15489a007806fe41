"""What a unit costs, and a check of its Combat."""
from knowledge.core.battle import combat
from knowledge.core.effects import FOUND
from lookup.engine.clause import Question, Said, action
from lookup.engine.play import Play
from lookup.engine.state import Piece, Wanted

cost: Question[[Piece], int] = Question("cost", "what does {0} cost?")


@cost.default("units.cost.1")
def printed(g: Play, unit: Piece) -> Said[int]:
    """What a unit costs is what its card gives."""
    return int(unit.mark("cost") or g.field(unit.kind, "cost") or 0)


@action("units.check.1", says="{player} checks the Combat of {unit}")
def check(g: Play, player: str, unit: Wanted) -> None:
    """Whenever something asks how much Combat a unit has, the Combat is worked out as it is at that moment."""
    there = [p for place, p, _ in g.state.pieces if unit.fits(p, place)]
    found = combat(g, there[0] if there else Piece(unit.kind, unit.owner))
    g.state = g.state.counting("", FOUND, found)
    g.did("found", f"The Combat of {g.name(Piece(unit.kind, unit.owner))} is {found}")

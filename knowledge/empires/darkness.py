"""Darkness: Hellborn, Nocturnal, and the Castle of Lead."""
from knowledge.core.board import By, Cause, may_build, race_of
from knowledge.core.buildings import may_conquer, meets
from knowledge.core.gifts import active
from knowledge.core.map import asks_leave, from_hell, is_surface
from knowledge.core.rounds import FIRST_ROUND
from knowledge.core.rout import may_go
from lookup.engine.clause import SILENT, Said, YesNo
from lookup.engine.play import Play
from lookup.engine.state import Piece

DARKNESS = "Darkness"

hellborn: YesNo[[str]] = YesNo("hellborn", "may units of {0} leave Hell by Hellborn now?", presumed=True)


@hellborn.forbids("darkness.hellborn.3")
def not_at_first(g: Play, player: str) -> Said[bool]:
    """Darkness may not leave Hell by Hellborn before the second Action Phase."""
    return True if (FIRST_ROUND,) in g.state.flags else SILENT


@asks_leave.forbids("darkness.hellborn.1")
def its_own(g: Play, unit: Piece) -> Said[bool]:
    """Units of Darkness leave Hell without permission."""
    return True if unit.owner == DARKNESS and not race_of(g, unit) and hellborn(g, DARKNESS) else SILENT


@asks_leave.forbids("darkness.hellborn.4")
def its_ally_too(g: Play, unit: Piece) -> Said[bool]:
    """Elder Race units allied with Darkness leave Hell as freely as its own units do."""
    return True if unit.owner == DARKNESS and race_of(g, unit) and hellborn(g, DARKNESS) else SILENT


@from_hell.permits("darkness.hellborn.2")
def anywhere(g: Play, unit: Piece, here: str, to: str) -> Said[bool]:
    """A unit of Darkness that leaves Hell may go to any area of the surface."""
    return True if unit.owner == DARKNESS and is_surface(g, to) and hellborn(g, DARKNESS) else SILENT


@may_build.forbids("darkness.nocturnal.1", of=(DARKNESS,))
def not_by_day(g: Play, player: str, area: str) -> Said[bool]:
    """Darkness may not build in the Skydome, on the Moon or on the Spike."""
    return True if g.state.board.kind(area) in ("sky", "moon") or area == "Spike" else SILENT


@meets.forbids("darkness.ancestor-worship.1", of=("Castle of Lead",))
def needs_ancestor_worship(g: Play, kind: str, player: str, area: str) -> Said[bool]:
    """Ancestor Worship lets Darkness build the Castle of Lead."""
    return SILENT if player == DARKNESS and active(g, "Ancestor Worship", player) else True


@may_conquer.forbids("darkness.nocturnal.2", of=(DARKNESS,))
def nor_conquer(g: Play, player: str, area: str) -> Said[bool]:
    """Darkness may not conquer a building in the Skydome, on the Moon or on the Spike."""
    return True if g.state.board.kind(area) in ("sky", "moon") or area == "Spike" else SILENT


@may_go.permits("darkness.fear.1")
def to_any_area(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """With Fear Darkness sends the enemies that it routed, as one group, to any area."""
    return True if cause.by is By.BATTLE and cause.side == DARKNESS and active(g, "Fear", DARKNESS) else SILENT

"""Androgeus: of its card the sources give away one condition of its death."""
from knowledge.core.board import class_of, on_map, units_of
from knowledge.monsters.monsters import kills
from lookup.engine.clause import SILENT, Question, Said, YesNo
from lookup.engine.play import Play
from lookup.engine.state import Piece

ANDROGEUS = "Androgeus"

helps: YesNo[[Piece]] = YesNo("androgeus.helps", "does {0} help to kill Androgeus?", "{0} helps to kill Androgeus", "{0} does not help to kill Androgeus")
where: Question[[str], tuple[str, ...]] = Question("androgeus.where", "where may the unit of {0} stand that helps to kill Androgeus?")


@kills.forbids("androgeus.killing.1")
def needs_help(g: Play, player: str, monster: str) -> Said[bool]:
    """Androgeus can be killed only with the help of a hero or a greater god."""
    if monster != ANDROGEUS:
        return SILENT
    return SILENT if any(helps(g, p) for a in where(g, player) for p, _ in units_of(g, player, a)) else True


@helps.default("androgeus.help.3")
def by_class(g: Play, unit: Piece) -> Said[bool]:
    """A unit helps to kill Androgeus if its class is mortal hero or greater god."""
    known = g.book.unit(unit.kind)
    if known is not None and known.fields["class"].silent:
        return SILENT
    return class_of(g, unit) in ("mortal hero", "greater god")


@where.default("androgeus.help.1")
def in_the_battle(g: Play, player: str) -> Said[tuple[str, ...]]:
    """The hero or greater god who helps to kill Androgeus must be in the battle against Androgeus."""
    return on_map(g, ANDROGEUS)


@where.default("androgeus.help.2")
def anywhere(g: Play, player: str) -> Said[tuple[str, ...]]:
    """The hero or greater god who helps to kill Androgeus may stand anywhere on the map."""
    return g.state.board.places

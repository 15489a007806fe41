"""Kylerela: the isle that goes along with a move from it, and the lands that its ports join."""
from dataclasses import replace
from itertools import combinations

from knowledge.core.phases import WITH_ISLE, moves
from lookup.engine.clause import SILENT, Question, Said, YesNo, action
from lookup.engine.play import Play
from lookup.engine.state import Board, Wanted

ISLE, SPIKE = "Kylerela", "Spike"
UNITS_FIRST, ISLE_FIRST = "the units before the isle", "the units after the isle"

Ports = tuple[str, ...]

ports: Question[[str], tuple[Ports, ...]] = Question("isle.ports", "which lands may the ports of the isle join in {0}?")
in_reach: YesNo[[str]] = YesNo("isle.reach", "is {0} near enough for the isle?", "{0} is near enough for the isle", "{0} is too far for the isle")


def seas(g: Play) -> list[str]:
    """The sea areas that the isle lies in."""
    return [a for a in g.state.board.beside(ISLE) if g.state.board.kind(a) == "sea"]


def floated(board: Board, sea: str, joined: Ports) -> Board:
    """The board with the isle in a sea area and its ports set."""
    borders = {b for b in board.borders if ISLE not in b} | {(min(ISLE, a), max(ISLE, a)) for a in (sea, *joined)}
    return Board(board.kinds, frozenset(borders), board.arrows)


@action(WITH_ISLE, says="{player} moves {unit} from Kylerela to {area}, with the isle to {area2}")
def moves_with_the_isle(g: Play, player: str, unit: Wanted, to: str, sea: str) -> None:
    """The isle of Kylerela may move as a part of a move of units from it, and its units may move before the isle or after it."""
    may = ways(g, player, unit, to, sea)
    if not may:
        return
    when, joined = g.choose(player, "when the units move and which lands the ports join", may)
    if when == UNITS_FIRST:
        moves.code(g, player, unit, ISLE, to)
    g.state = g.state.changed(board=floated(g.state.board, sea, joined))
    g.did("floated", f"{ISLE} goes to {sea}, and its ports join it to {' and '.join(joined)}", None, 0, "", sea)
    if when == ISLE_FIRST:
        moves.code(g, player, unit, ISLE, to)


def ways(g: Play, player: str, unit: Wanted, to: str, sea: str) -> list[tuple[str, Ports]]:
    """When the units may move, and which lands the ports may join."""
    here, found = g.state, []
    for joined in ports(g, sea):
        for when in (UNITS_FIRST, ISLE_FIRST):
            if when == ISLE_FIRST:
                g.state = replace(here, board=floated(here.board, sea, joined))
            if moves.may.answer(g, player, unit, ISLE, to).value:
                found.append((when, joined))
            g.state = here
    return found


@moves_with_the_isle.forbids("map.kylerela.3")
def no_sea(g: Play, player: str, unit: Wanted, to: str, sea: str) -> Said[bool]:
    """Kylerela goes to sea areas only."""
    return SILENT if g.state.board.kind(sea) == "sea" else True


@moves_with_the_isle.forbids("map.kylerela.9")
def too_far(g: Play, player: str, unit: Wanted, to: str, sea: str) -> Said[bool]:
    """The isle cannot go to a sea area that is out of its reach, and it goes elsewhere than where it lies."""
    return SILENT if sea not in seas(g) and in_reach(g, sea) else True


@moves_with_the_isle.forbids("map.kylerela.10")
def no_way_for_the_units(g: Play, player: str, unit: Wanted, to: str, sea: str) -> Said[bool]:
    """The isle cannot move with a move that its units may not make, be it before or after it."""
    return SILENT if ways(g, player, unit, to, sea) else True


@ports.default("map.kylerela.4")
def one_or_two_lands(g: Play, sea: str) -> Said[tuple[Ports, ...]]:
    """The ports of Kylerela are set so that they join it to one or two land areas, the Spike being allowed."""
    lands = [a for a in g.state.board.beside(sea) if a != ISLE and (g.state.board.kind(a) == "land" or a == SPIKE)]
    return (*combinations(lands, 1), *combinations(lands, 2))


@in_reach.default("map.kylerela.6")
def next_sea(g: Play, sea: str) -> Said[bool]:
    """In one move Kylerela goes to a sea area adjacent to the one that it lies in."""
    return any(sea in g.state.board.beside(a) for a in seas(g))


@in_reach.default("map.kylerela.7")
def any_sea(g: Play, sea: str) -> Said[bool]:
    """In one move Kylerela goes to any sea area."""
    return True

"""What may be varied in a position, one thing at a time, to see what would change it."""
from collections.abc import Iterator
from dataclasses import replace

from knowledge.core.board import VOCABULARY, actor, buildings, everybody, is_player, neutral, on_map, page_kind, race_of, units
from knowledge.core.effects import room
from lookup.engine.clause import variation
from lookup.engine.play import Play
from lookup.engine.state import Piece, State

SPAWN, SHRINE = "Spawn", VOCABULARY.buildings[0]
Varied = tuple[str, State]


def contested(g: Play) -> tuple[str, ...]:
    """The areas that hold units of more than one side."""
    return tuple(a for a in g.state.board.places if len({u.owner or u.kind for u, _ in units(g, a)}) > 1)


def with_one(g: Play, area: str, piece: Piece) -> Iterator[Varied]:
    """One more of a piece in an area, where the box holds another."""
    if room(g, piece):
        have = g.state.count(area, piece)
        yield f"{g.name(piece, have + 1)} in {area}", g.state.put(area, piece, 1)


@variation("a neighbour with or without Spawn")
def spawn_next_door(g: Play) -> Iterator[Varied]:
    """Every other area with or without Spawn, and another unit of nobody that stands somewhere moved from there."""
    here = contested(g)
    for area in g.state.board.places:
        if area in here:
            continue
        there = [(p, n) for p, n in units(g, area) if p.kind == SPAWN]
        for piece, n in there:
            yield f"no {SPAWN} in {area}", g.state.put(area, piece, -n)
        if not there:
            yield from ((f"{SPAWN} in {area}", state) for _, state in with_one(g, area, Piece(SPAWN)))


@variation("the unit neutral or allied")
def neutral_or_allied(g: Play) -> Iterator[Varied]:
    """Each Elder Race with units on the map neutral, or the ally of each player."""
    for race in sorted({race_of(g, p) for a in g.state.board.places for p, _ in units(g, a)} - {""}):
        free = g.state.changed(flags=frozenset(f for f in g.state.flags if f[0] != "ally" or f[2] != race))
        if not neutral(g, race):
            yield f"{race} neutral", owned(g, free, race, "")
        for player in everybody(g):
            if ("ally", player, race) not in g.state.flags:
                yield f"{race} allied with {player}", owned(g, free.flagged("ally", player, race), race, player)


def owned(g: Play, state: State, race: str, player: str) -> State:
    """A position with all units of a race on the map in one player's hands."""
    for area, piece, n in g.state.pieces:
        if race_of(g, piece) == race and area in g.state.board.places:
            state = state.put(area, piece, -n).put(area, replace(piece, owner=player), n)
    return state


@variation("a building there")
def building_there(g: Play) -> Iterator[Varied]:
    """Each contested area without its buildings, or with a building of each player."""
    for area in contested(g):
        there = buildings(g, area)
        for piece, n in there:
            yield f"no {g.name(piece)} in {area}", g.state.put(area, piece, -n)
        for player in everybody(g) if not there else ():
            yield f"{SHRINE} of {player} in {area}", g.state.put(area, Piece(SHRINE, player), 1)


@variation("Power 0 or 1")
def little_power(g: Play) -> Iterator[Varied]:
    """Each player who acts with no Power, or with 1."""
    for player in sorted({actor(args) for _, args in g.state.agenda if args} & set(everybody(g))):
        for n in (0, 1):
            if g.state.counter(player, "power") != n:
                yield f"{player} with {n} Power", g.state.counting(player, "power", n)


@variation("one more unit of each side")
def one_more(g: Play) -> Iterator[Varied]:
    """One more, or one less, of each kind of unit in each contested area."""
    for area in contested(g):
        for piece, n in units(g, area):
            if is_player(g, piece.owner) or page_kind(g, piece) == "elder race" or len(on_map(g, piece.kind)) > 1:
                yield from with_one(g, area, piece)
            yield f"{g.name(piece, n - 1) if n > 1 else 'no ' + g.name(piece)} in {area}", g.state.put(area, piece, -1)

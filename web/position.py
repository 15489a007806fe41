"""A position in words, and drawn: areas as boxes in rows, borders as lines, units as shapes by class and owner."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import cos, pi, sin
from textwrap import wrap

from lookup.draft import words_of
from lookup.engine.clause import Rulebook
from lookup.engine.state import Piece, State
from lookup.engine.trace import Event
from lookup.scenario import Scenario
from lookup.sentence import known_players

WIDTH, GAP, BETWEEN, LINE = 340, 28, 34, 15
MOST = 12
LETTER = 7.0
"""How wide a letter is taken to be; the widest usual typefaces come near it at this size."""
ROWS = {
    1: ((1,),), 2: ((2,),), 3: ((2, 1), (1, 2)), 4: ((2, 2), (1, 1, 2), (1, 2, 1)), 5: ((2, 1, 2), (2, 2, 1), (1, 2, 2)),
    6: ((2, 2, 2), (2, 1, 2, 1), (1, 2, 2, 1)), 7: ((2, 2, 2, 1), (1, 2, 1, 2, 1), (2, 1, 2, 2)), 8: ((2, 2, 2, 2), (1, 2, 2, 2, 1)),
}


@dataclass(frozen=True)
class Token:
    """Like pieces: how many, in words, their shape, their owner's number in the position (0: nobody), and whether the event takes some away."""

    n: int
    says: str
    shape: str
    owner: int
    lost: bool = False


@dataclass(frozen=True)
class Area:
    """A place of the position with what stands in it and where it leads."""

    name: str
    kind: str
    on_map: bool
    tokens: tuple[Token, ...]
    beside: tuple[str, ...]
    along: tuple[str, ...]


@dataclass(frozen=True)
class Box:
    """A place in the picture: its rectangle, the lines of its name, and its tokens each with the lines of its words."""

    area: Area
    x: int
    y: int
    w: int
    h: int
    name: tuple[str, ...]
    rows: tuple[tuple[Token, int, tuple[str, ...]], ...]

    @property
    def middle(self) -> tuple[int, int]:
        """Its centre."""
        return self.x + self.w // 2, self.y + self.h // 2


@dataclass(frozen=True)
class Picture:
    """The drawing: its size, boxes, border and arrow lines by their ends, the way that an event moves a piece, and the place it is about."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    borders: tuple[tuple[int, int, int, int], ...]
    arrows: tuple[tuple[int, int, int, int], ...]
    way: tuple[int, int, int, int] | None = None
    about: str = ""


@dataclass(frozen=True)
class Position:
    """All that a page says of a position."""

    areas: tuple[Area, ...]
    players: tuple[tuple[str, str], ...]
    game: tuple[str, ...]
    done: tuple[str, ...]
    readings: tuple[str, ...]
    answers: tuple[str, ...]
    picture: Picture | None


def position(book: Rulebook, s: Scenario) -> Position:
    """A scenario's position in words and as a picture; without one where the areas are too many to draw."""
    areas = tuple(areas_of(book, s.state))
    done = s.raw.get("do") or []
    picture = draw(areas, s.state.board.borders, s.state.board.arrows) if len(s.state.board.places) <= MOST else None
    return Position(areas, tuple(players(book, s.state)), tuple(game(s.state)), tuple([done] if isinstance(done, str) else map(str, done)),
                    tuple(book.clauses[id].text for id in s.readings.values()), s.answers, picture)


def scene(book: Rulebook, state: State, event: Event | None, off: frozenset[str], owners: Sequence[str]) -> tuple[tuple[Area, ...], Picture | None]:
    """A position on the way, and its picture with what the event does to it: an arrow where a piece moves on the map, a cross where it leaves it.

    off: places off the map that are shown even when empty, so that the frames of one play are alike.
    """
    areas = tuple(areas_of(book, state, off, owners, event))
    if len(state.board.places) > MOST:
        return areas, None
    picture = draw(areas, state.board.borders, state.board.arrows)
    boxes = {b.area.name: b for b in picture.boxes}
    if event is None or event.place not in boxes:
        return areas, picture
    way = tipped(boxes[event.place], boxes[event.to]) if event.piece and event.to in state.board.places and event.to != event.place else None
    return areas, replace(picture, way=way, about=event.place)


def leaves(state: State, event: Event | None, place: str, piece: Piece) -> bool:
    """Whether an event takes this piece from a place of the map off it."""
    on_map = state.board.places
    return event is not None and event.piece == piece and event.place == place and place in on_map and bool(event.to) and event.to not in on_map


def owners_of(state: State) -> list[str]:
    """Who owns pieces of a position, in a fixed order."""
    return sorted({p.owner for _, p, _ in state.pieces if p.owner})


def areas_of(book: Rulebook, state: State, off: frozenset[str] = frozenset(), owners: Sequence[str] = (), event: Event | None = None) -> Iterator[Area]:
    """The places of the board, then those off it that hold something."""
    owners = owners or owners_of(state)
    board = state.board
    for place in (*board.places, *sorted(({a for a, _, _ in state.pieces} | off) - set(board.places))):
        on_map = place in board.places
        tokens = [Token(n, words_of(book, p, n), shape(book, p), owners.index(p.owner) + 1 if p.owner else 0, leaves(state, event, place, p))
                  for p, n in state.at(place)]
        if on_map:
            yield Area(place, board.kind(place), True, tuple(tokens), board.beside(place), board.along(place))
        else:
            yield Area(place, "off the map", False, tuple(tokens), (), ())


def shape(book: Rulebook, piece: Piece) -> str:
    """The shape that the game gives to a piece's class; a house for a building, a diamond where the class is not known."""
    if piece.kind in book.vocabulary.buildings:
        return "house"
    unit = book.units.get(piece.kind)
    named = unit.fields["class"].value if unit and "class" in unit.fields else book.vocabulary.stand_ins.get(piece.kind, ("", ""))[1]
    return book.vocabulary.tokens.get(named or "", "diamond")


def players(book: Rulebook, state: State) -> Iterator[tuple[str, str]]:
    """Each player of the position with what it holds."""
    there = {holder for (holder, _), _ in state.counters} | {p.owner for _, p, _ in state.pieces} | {f[1] for f in state.flags if len(f) == 3}
    for player in known_players(book):
        if player in there:
            counted = [(name, state.counter(player, name)) for name, usual in book.vocabulary.counters.items() if usual or state.counter(player, name)]
            holds = [f"{n} {name.upper() if len(name) < 3 else name.capitalize()}" for name, n in counted]
            yield player, ", ".join([*holds, *(f"{f[0]} {f[2]}" for f in sorted(state.flags) if len(f) == 3 and f[1] == player)])


def game(state: State) -> Iterator[str]:
    """What is counted or so for the whole game."""
    yield from (f"{name}: {n}" for (holder, name), n in state.counters if not holder)
    yield from (f[0] for f in sorted(state.flags) if len(f) == 1)


def draw(areas: tuple[Area, ...], borders: frozenset[tuple[str, str]], along: frozenset[tuple[str, str]]) -> Picture:
    """The picture of some places."""
    by = {a.name: a for a in areas}
    rows = [*arranged(tuple(a.name for a in areas if a.on_map), borders | {(min(x), max(x)) for x in along}), *((a.name,) for a in areas if not a.on_map)]
    boxes: dict[str, Box] = {}
    y = 2
    for row in rows:
        w = 220 if len(row) == 1 else (WIDTH - 4 - GAP * (len(row) - 1)) // len(row)
        left = (WIDTH - w * len(row) - GAP * (len(row) - 1)) // 2
        made = [boxed(by[name], left + i * (w + GAP), y, w) for i, name in enumerate(row)]
        tall = max(b.h for b in made)
        boxes.update({b.area.name: Box(b.area, b.x, b.y, b.w, tall, b.name, b.rows) for b in made})
        y += tall + BETWEEN
    lines = tuple((*boxes[a].middle, *boxes[b].middle) for a, b in sorted(borders))
    arrows = tuple(tipped(boxes[a.name], boxes[to]) for a in areas for to in a.along)
    return Picture(WIDTH, y - BETWEEN + 2, tuple(boxes.values()), lines, arrows)


def boxed(area: Area, x: int, y: int, w: int) -> Box:
    """A place as a box as tall as its words need."""
    name = tuple(wrap(area.name, int((w - 20) / LETTER)))
    at, rows = 8 + LINE * len(name) + 8, []
    for token in area.tokens:
        words = tuple(wrap(token.says, int((w - 42) / LETTER)))
        rows.append((token, at, words))
        at += max(LINE * len(words), 20) + 4
    return Box(area, x, y, w, max(at + 4, 48), name, tuple(rows))


def tipped(a: Box, b: Box) -> tuple[int, int, int, int]:
    """A line from the edge of a box to the edge of another."""
    (x1, y1), (x2, y2) = a.middle, b.middle
    dx, dy = x2 - x1, y2 - y1

    def within(box: Box) -> float:
        return min((box.w / 2 + 3) / abs(dx) if dx else 1.0, (box.h / 2 + 3) / abs(dy) if dy else 1.0, 1.0)

    start, back = within(a), within(b)
    return round(x1 + dx * start), round(y1 + dy * start), round(x2 - dx * back), round(y2 - dy * back)


@lru_cache(256)
def arranged(names: tuple[str, ...], borders: frozenset[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Places in rows, so that borders are short and cross no third place, as far as a few swaps find it."""
    best: tuple[float, tuple[tuple[str, ...], ...]] | None = None
    for shape in ROWS.get(len(names)) or (tuple(min(3, len(names) - i) for i in range(0, len(names), 3)),):
        spots = [(c, r, len(shape), k) for r, k in enumerate(shape) for c in range(k)]
        order = connected(names, borders)
        cost = tangle(order, spots, borders)
        better = True
        while better:
            better = False
            for i, j in combinations(range(len(order)), 2):
                order[i], order[j] = order[j], order[i]
                now = tangle(order, spots, borders)
                if now < cost - 1e-9:
                    cost, better = now, True
                else:
                    order[i], order[j] = order[j], order[i]
        left = iter(order)
        rows = tuple(tuple(next(left) for _ in range(k)) for k in shape)
        if best is None or cost < best[0] - 1e-9:
            best = cost, rows
    return best[1] if best else ()


def connected(names: tuple[str, ...], borders: frozenset[tuple[str, str]]) -> list[str]:
    """The places in an order in which neighbours follow each other."""
    order: list[str] = []
    waiting = list(names)
    while waiting:
        name = next((n for n in waiting if any((min(n, o), max(n, o)) in borders for o in order[-3:])), waiting[0])
        waiting.remove(name)
        order.append(name)
    return order


def tangle(order: list[str], spots: list[tuple[int, int, int, int]], borders: frozenset[tuple[str, str]]) -> float:
    """How bad an arrangement is: the length of its borders, and much more for each third place that one runs through."""
    at = {name: (((c + 0.5) / k if k > 1 else 0.5) * 3.4, r * 1.1, (0.44 * 3.4 / k) if k > 1 else 1.1) for name, (c, r, _, k) in zip(order, spots)}
    cost = spots[0][2] * 0.5 if spots else 0.0
    for a, b in borders:
        (x1, y1, _), (x2, y2, _) = at[a], at[b]
        cost += abs(x1 - x2) * 0.5 + abs(y1 - y2)
        for other, (x, y, half) in at.items():
            if other not in (a, b) and runs_through((x1, y1), (x2, y2), x, y, half):
                cost += 20
    return cost


def runs_through(a: tuple[float, float], b: tuple[float, float], x: float, y: float, half: float) -> bool:
    """Whether a line comes into the box around a point."""
    return any(abs(a[0] + (b[0] - a[0]) * t / 12 - x) < half and abs(a[1] + (b[1] - a[1]) * t / 12 - y) < 0.38 for t in range(1, 12))


def points(sides: int, r: float, inner: float | None = None) -> str:
    """The corners of a regular shape around 0, or of a star where an inner radius is given, as SVG has them."""
    corners: Iterable[tuple[float, float]]
    if inner is None:
        corners = ((r, 2 * pi * i / sides) for i in range(sides))
    else:
        corners = ((inner if i % 2 else r, pi * i / sides) for i in range(2 * sides))
    return " ".join(f"{d * sin(turn):.1f},{-d * cos(turn):.1f}" for d, turn in corners)


SHAPES = {
    "square": "-7,-7 7,-7 7,7 -7,7", "pentagon": points(5, 9), "star": points(5, 10.5, 4.8), "diamond": points(4, 9.5), "house": "-8,8 -8,-2 0,-9 8,-2 8,8",
}
"""The corners of the shapes that are no circle."""

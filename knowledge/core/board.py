"""The words of a position: effects, causes, and what the game calls its places, counters, buildings, classes and marks."""
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from lookup.engine.clause import Question, Rulebook, YesNo
from lookup.engine.play import Play
from lookup.engine.state import Piece, Vocabulary


class Effect(StrEnum):
    """What may befall a unit."""

    KILL = "kill"
    ROUT = "rout"
    ELIMINATE = "elimination"
    MOVE = "move"
    REPLACE = "replacement"
    REMOVE = "removal"


class By(StrEnum):
    """What an effect may come from."""

    BATTLE = "a battle"
    GIFT = "a gift"
    RUNE = "a rune"
    ABILITY = "an ability"
    DIPLOMACY = "Diplomacy"
    MONSTER = "a Monster's own action"
    NO_WAY_OUT = "a rout with no way out"
    COST = "a cost"
    OWN_WAY = "the way that its own card names"
    REWARD = "a reward"


KILL, ROUT, ELIMINATE, MOVE, REPLACE, REMOVE = Effect


@dataclass(frozen=True)
class Cause:
    """Where an effect comes from: what sort of thing, its name, the side behind it, and the player who controls that side."""

    by: By
    name: str = ""
    side: str = ""
    controller: str = ""

    def __str__(self) -> str:
        return self.name or str(self.by)


OUT_OF_TURN = "out of turn"
"""The sort of an action that is none of a player's turn."""

COLOURS = ("Chaos", "Darkness", "Earth", "Invisible God", "Moon", "Sea", "Sky", "Storm", "Red", "Blue", "Green", "Yellow")

VOCABULARY = Vocabulary(
    places=("land", "sea", "sky", "hell", "moon", "special"),
    off_board=("Slave Pen", "out of the game", "collection of Darkness"),
    counters={"power": 6, "vp": 0, "runes": 0, "seat": 0},
    buildings=("Shrine", "Temple", "Ziggurat", "Chaos Nest", "Imbedded Chaos Nest", "Tower", "Castle", "Castle of Lead", "Moon Temple"),
    classes=("mortal minion", "mortal hero", "lesser god", "greater god"),
    stand_ins={"minion": ("minions", "mortal minion"), "hero": ("heroes", "mortal hero"), "lesser god": ("lesser gods", "lesser god"),
               "greater god": ("greater gods", "greater god")},
    marks={"combat": (), "cost": (), "power": (), "vp": (), "colour": COLOURS},
    holdings={"ally": "elder race", "gift": "gifts", "face-down gift": "gifts"},
    pool="pool of {player}",
    player_kind="empire",
    stand_in_players=("Red", "Blue", "Green", "Yellow"),
    card_kinds=("elder race", "chaos monster", "cosmic monster", "dragon", "spawn", "empire"),
    game_counters=("Mad God marker", "Dragonewt stage", "Lunar Cycle steps"),
    game_flags=("Rift open", "Spike shattered", "First Action Phase", "Action Phase", "Power Phase", "Council Phase",
                "Lunar Cycle at Dying", "Lunar Cycle at Half", "Lunar Cycle at Full"),
    lost=("killed", "eliminated", "removed"),
    tokens={"mortal minion": "circle", "mortal hero": "square", "lesser god": "pentagon", "greater god": "star"},
)


side_of: Question[[Piece, str], str] = Question("side", "on whose side is {0} in {1}?")
may_build: YesNo[[str, str]] = YesNo("build", "may {0} build or upgrade a building in {1}?", "{0} may build in {1}", "{0} cannot build in {1}", presumed=True)
enemy: YesNo[[Piece, str]] = YesNo("enemy", "is {0} an enemy unit to {1}?", "{0} is an enemy unit to {1}", "{0} is no enemy unit to {1}")
may_be: YesNo[[Piece, str]] = YesNo("class", "may {0}, whose class the sources do not say, be a {1}?", "{0} may be a {1}", "{0} cannot be a {1}", presumed=True)
neutral: YesNo[[str]] = YesNo("neutral", "is this Elder Race neutral: {0}?", "{0}: neutral", "{0}: not neutral")


def side(g: Play, unit: Piece, area: str) -> str:
    """The side a unit is on: a player, or for units of nobody what the rules say."""
    return unit.mark("side") or unit.owner or side_of(g, unit, area)


def is_building(piece: Piece) -> bool:
    """Whether a piece is a building and so no unit."""
    return piece.kind in VOCABULARY.buildings


def units(g: Play, place: str) -> list[tuple[Piece, int]]:
    """The units in a place, counted."""
    return g.state.at(place, lambda p: not is_building(p))


def buildings(g: Play, place: str) -> list[tuple[Piece, int]]:
    """The buildings in a place, counted."""
    return g.state.at(place, is_building)


def units_of(g: Play, player: str, place: str) -> list[tuple[Piece, int]]:
    """A player's units in a place, counted."""
    return g.state.at(place, lambda p: p.owner == player and not is_building(p))


def on_map(g: Play, kind: str) -> tuple[str, ...]:
    """The areas that hold a kind of unit."""
    return tuple(a for a in g.state.where(lambda p: p.kind == kind) if a in g.state.board.places)


def standing(g: Play, kind: str, owner: str = "") -> list[tuple[str, Piece]]:
    """Where pieces of a kind, and of an owner if one is named, stand on the map, each with its marks: a piece with a number of its own is no other piece."""
    return [(a, p) for a, p, _ in g.state.pieces if p.kind == kind and owner in ("", p.owner) and a in g.state.board.places]


def page_kind(g: Play, piece: Piece) -> str:
    """What kind of page a unit belongs to ("elder race", "chaos monster"); "" for stand-ins."""
    unit = g.book.unit(piece.kind)
    return g.book.pages[unit.page].kind if unit else ""


def is_monster(g: Play, piece: Piece) -> bool:
    """Whether a unit is a Monster."""
    return page_kind(g, piece) in ("chaos monster", "cosmic monster", "dragon")


def race_of(g: Play, piece: Piece) -> str:
    """The Elder Race that a unit belongs to, or ""."""
    unit = g.book.unit(piece.kind)
    page = g.book.pages[unit.page] if unit else None
    return page.title if page and page.kind == "elder race" else ""


def is_neutral_race(g: Play, piece: Piece) -> bool:
    """Whether a unit belongs to a neutral Elder Race."""
    race = race_of(g, piece)
    return bool(race) and neutral(g, race)


def allies(g: Play, player: str) -> tuple[str, ...]:
    """The Elder Races that are a player's allies."""
    return tuple(sorted(f[2] for f in g.state.flags if f[0] == "ally" and f[1] == player))


def is_ally(g: Play, race: str) -> bool:
    """Whether an Elder Race is somebody's ally."""
    return any(f[0] == "ally" and f[2] == race for f in g.state.flags)


def class_of(g: Play, piece: Piece) -> str:
    """The class of a unit.  Raises Unanswered when the sources do not say."""
    stand_in = VOCABULARY.stand_ins.get(piece.kind)
    return stand_in[1] if stand_in else g.field(piece.kind, "class") or ""


def known_class(g: Play, piece: Piece) -> str:
    """The class of a unit, or "" where the sources do not say."""
    unit = g.book.unit(piece.kind)
    field = unit.fields.get("class") if unit else None
    return class_of(g, piece) if unit is None or (field and not field.silent) else ""


def classes_of(g: Play, piece: Piece) -> tuple[str, ...]:
    """The class of a unit, or the classes that it may be of where the sources do not say."""
    known = known_class(g, piece)
    return (known,) if known else tuple(c for c in VOCABULARY.classes if may_be(g, piece, c))


def surely_of(g: Play, piece: Piece, *classes: str) -> bool:
    """Whether a unit is of one of some classes, whichever of those that it may be of it is."""
    return set(classes_of(g, piece)) <= set(classes)


def is_of(g: Play, piece: Piece, what: str) -> bool:
    """Whether a unit is of a class.  Raises Unanswered when that hangs on a class that the sources do not say."""
    return what in classes_of(g, piece) and class_of(g, piece) == what


def in_the_game(g: Play, player: str) -> bool:
    """Whether a player takes part in this game, as far as the position shows it."""
    return any(holder == player for (holder, _), _ in g.state.counters) or bool(g.state.where(lambda p: p.owner == player))


def is_player(g: Play, side: str) -> bool:
    """Whether a side is a player's."""
    return side in players(g.book)


@lru_cache(8)
def players(book: Rulebook) -> frozenset[str]:
    """Everybody who can play."""
    return frozenset((*VOCABULARY.stand_in_players, *(p.title for p in book.pages.values() if p.kind == VOCABULARY.player_kind)))


def actor(args: tuple[Any, ...]) -> str:
    """The player who does something, from what the action's sentence names; "" where it is nobody's."""
    return str(args[0]) if args else ""


def everybody(g: Play) -> tuple[str, ...]:
    """The players who take part in this game, as far as the position shows it."""
    return tuple(sorted(p for p in players(g.book) if in_the_game(g, p)))

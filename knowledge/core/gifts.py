"""Gifts: earned, in their slots, face down, and whose actions they print."""
from typing import Any

from knowledge.core.board import OUT_OF_TURN, By, Cause, actor
from knowledge.core.effects import eliminate, replace_unit
from lookup.engine.clause import SILENT, Moment, Said, YesNo, action, claim, every_action
from lookup.engine.play import Play
from lookup.engine.state import Piece, State, Wanted

GIFT, EARNED, FACE_DOWN = "gift", "earned in this battle", "face-down gift"
RUNE, DRAGONEWT_RUNE = "gifts.rune.6", "gifts.dragonewt-rune.1"

aimed: Moment[[str, str]] = Moment("a gift is aimed at a player", lambda g, gift, player: player)
in_the_six: YesNo[[str]] = YesNo("gift.six", "does the gift {0} count among an empire's six?", "{0} counts", "{0} does not count", presumed=True)
active: YesNo[[str, str]] = YesNo("gift.active", "does the gift {0} have effect for {1}?", "{0} has effect for {1}", "{0} has no effect for {1}")


@active.default("gifts.gift.3")
def once_earned(g: Play, gift: str, player: str) -> Said[bool]:
    """A gift has effect for its owner once it is earned."""
    return (GIFT, player, gift) in g.state.flags


@active.forbids("gifts.gift.4")
def face_down(g: Play, gift: str, player: str) -> Said[bool]:
    """A gift that lies face down has no effect until it is turned up again."""
    return True if (FACE_DOWN, player, gift) in g.state.flags else SILENT


@every_action.forbids("gifts.use.1")
def not_his_gift(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """An action that a gift prints can be taken only by a player for whom that gift has effect."""
    gift = gift_of(g, action)
    return True if gift and not active(g, gift, str(args[0])) else SILENT


def gift_of(g: Play, action: str) -> str:
    """The elder race gift that prints an action, or ""."""
    field = g.book.page_of(action).card.get("gift")
    return field.value or "" if field and field.clause == action else ""


@every_action.forbids("gifts.use.2")
def not_yet_its_gift(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """An empire takes no action of a gift of its own while that gift has no effect for it."""
    gift = gift_of_empire(g, action, actor(args))
    return True if gift and not active(g, gift, actor(args)) else SILENT


def gift_of_empire(g: Play, action: str, player: str) -> str:
    """The gift of a player's own empire under which an action stands, or ""."""
    page, gift = g.book.page_of(action), g.book.clauses[action].heading.partition(" (")[0]
    return gift if page.title == player and gift in (page.front.get("gifts") or ()) else ""


def so_many(g: Play, player: str) -> int:
    """How many gifts a player has, where those of an empire are counted."""
    return sum(in_the_six(g, f[2]) for f in g.state.flags if f[:2] == (GIFT, player))


def has(g: Play, player: str, gift: str) -> bool:
    """Whether a gift lies in a player's slot, with effect or not."""
    return (GIFT, player, gift) in g.state.flags


@every_action.forbids("gifts.rune.7")
def no_target(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """A rune cannot be used on a unit that is not on the map."""
    return True if action in (RUNE, DRAGONEWT_RUNE) and not targets(g, args[1]) else SILENT


@action(RUNE, says="{player} destroys {unit} with a rune", sort=OUT_OF_TURN)
def destroys(g: Play, player: str, unit: Wanted) -> None:
    """Some runes destroy a unit; that is an elimination and no kill in battle."""
    for place, piece in targets(g, unit):
        eliminate(g, place, piece, 1, Cause(By.RUNE, "", player))
        return


@action(DRAGONEWT_RUNE, says="{player} replaces {unit} by {unit2} with the Dragonewt rune", sort=OUT_OF_TURN)
def replaces(g: Play, player: str, unit: Wanted, by: Wanted) -> None:
    """The Dragonewt rune is a rune whose use replaces a unit."""
    for place, piece in targets(g, unit):
        replace_unit(g, place, piece, Piece(by.kind, by.owner), Cause(By.RUNE, "Dragonewt rune", player))
        return


def targets(g: Play, unit: Wanted) -> list[tuple[str, Piece]]:
    """Where units stand that are meant, each kind once."""
    return [(place, piece) for place, piece, _ in g.state.pieces if place in g.state.board.places and unit.fits(piece, place)]


@claim("{player} holds the gift {gift:gifts}")
def holds(state: State, player: str, gift: str) -> bool:
    return (GIFT, player, gift) in state.flags


@claim("{player}'s {gift:gifts} lies face down")
def lies_face_down(state: State, player: str, gift: str) -> bool:
    return (FACE_DOWN, player, gift) in state.flags

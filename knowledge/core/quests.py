"""The heroquests of the empires: parts that are completed, and the gift that each earns."""
from knowledge.core.board import OUT_OF_TURN, class_of
from knowledge.core.gifts import GIFT, has
from lookup.engine.clause import SILENT, Moment, Question, Said, YesNo, action, claim, part
from lookup.engine.play import Play
from lookup.engine.state import Piece, State

DONE, OPEN, REWARDS = "heroquest completed", "heroquest left open", "gifts taken for "
COMPLETE, TAKE_GIFT = "gifts.heroquest.3", "gifts.fragment.3"

fulfilled: YesNo[[str, str]] = YesNo(
    "quest", "is the position of {1} as the heroquest {0} asks?", "the position is as {0} asks", "the position is not as {0} asks", presumed=False,
)
gifts_due: Question[[str], int] = Question("quest.gifts", "how many gifts does the heroquest {0} earn?")
completed: Moment[[str, str, Piece]] = Moment("heroquest completed", lambda g, player, quest, piece: player)


def is_part_of(g: Play, quest: str, player: str) -> bool:
    """Whether a player's heroquests have a part of that name."""
    return any(p.title == player and quest in (p.front.get("quests") or ()) for p in g.book.pages.values())


def is_done(g: Play, player: str, quest: str) -> bool:
    """Whether a player has completed a part of his heroquests."""
    return (DONE, player, quest) in g.state.flags


def finish(g: Play, player: str, quest: str, piece: Piece | None = None) -> None:
    """Completes a part of a player's heroquests, if it is not completed yet; piece is what it was completed with."""
    if not is_done(g, player, quest):
        g.state = g.state.flagged(DONE, player, quest)
        g.did("completed", f"{player} completes the heroquest {quest}")
        completed(g, player, quest, piece or Piece(""))


def leave_open(g: Play, player: str, quest: str, unit: Piece) -> None:
    """Keeps in mind that a part would be completed with a unit if its class, which the sources do not say, is the one asked for."""
    g.state = g.state.flagged(OPEN, player, quest, unit.kind)


def known_unfulfilled(g: Play, player: str, quest: str) -> bool:
    """Whether a part is certainly not fulfilled.  Raises Unanswered where that hangs on a class the sources do not say."""
    for flag in g.state.flags:
        if flag[:3] == (OPEN, player, quest) and class_of(g, Piece(flag[3])):
            return False
    return not fulfilled(g, quest, player)


@action(COMPLETE, says="{player} completes the heroquest {quest:quests}", sort=OUT_OF_TURN)
def completes(g: Play, player: str, quest: str) -> None:
    """A player whose position is as a part of his heroquests asks completes that part."""
    finish(g, player, quest)


@completes.forbids("gifts.heroquest.4")
def not_as_asked(g: Play, player: str, quest: str) -> Said[bool]:
    """A part of a heroquest is not completed while the position is not as it asks."""
    return True if known_unfulfilled(g, player, quest) else SILENT


@completes.forbids("gifts.heroquest.5")
def not_his_or_done(g: Play, player: str, quest: str) -> Said[bool]:
    """A part of a heroquest is completed once, by the empire whose part it is."""
    return True if is_done(g, player, quest) or not is_part_of(g, quest, player) else SILENT


@part("gifts.heroquest.2")
def by_acting(g: Play, player: str, quest: str) -> None:
    """A heroquest of an empire that is an action, such as a Great Decree, is fulfilled by taking that action."""
    finish(g, player, quest)


@action(TAKE_GIFT, says="{player} takes the gift {gift:gifts} for the heroquest {quest:quests}", sort=OUT_OF_TURN)
def takes_gift(g: Play, player: str, gift: str, quest: str) -> None:
    """A finished part of a fragment earns the empire one gift, which is put in the slot of that part."""
    g.state = g.state.flagged(GIFT, player, gift).counting(player, REWARDS + quest, taken(g, player, quest) + 1)
    g.did("earned", f"{player} puts the gift {gift} in its slot")


def taken(g: Play, player: str, quest: str) -> int:
    """How many gifts a player has taken for a part of his heroquests."""
    return g.state.counter(player, REWARDS + quest)


@gifts_due.default("gifts.fragment.6")
def one(g: Play, quest: str) -> Said[int]:
    """A part of a heroquest earns 1 gift, unless it says otherwise."""
    return 1


@takes_gift.forbids("gifts.fragment.5")
def not_finished(g: Play, player: str, gift: str, quest: str) -> Said[bool]:
    """No gift is taken for a part that is not finished or has had its gift."""
    return SILENT if is_done(g, player, quest) and taken(g, player, quest) < gifts_due(g, quest) else True


@takes_gift.forbids("gifts.fragment.4")
def not_one_of_his(g: Play, player: str, gift: str, quest: str) -> Said[bool]:
    """The player who finishes a part chooses which of his gifts still to be earned he takes, unless the part names one."""
    his = any(p.title == player and gift in (p.front.get("gifts") or ()) for p in g.book.pages.values())
    return SILENT if his and not has(g, player, gift) else True


@claim("{player} has completed the heroquest {quest:quests}")
def has_completed(state: State, player: str, quest: str) -> bool:
    return (DONE, player, quest) in state.flags

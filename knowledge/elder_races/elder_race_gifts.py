"""Elder race gifts: the Heroquest that earns one, the slot, and when it works."""
from knowledge.core.battle import fought
from knowledge.core.board import OUT_OF_TURN, allies, is_ally, neutral
from knowledge.core.gifts import EARNED, GIFT, active, has, in_the_six, so_many
from lookup.engine.clause import SILENT, Said, YesNo, action, claim, part
from lookup.engine.play import Play
from lookup.engine.state import State

EARN, COUNT = "elder-race-gifts.earn.1", "elder-race-gifts.six.3"
COUNTED = "gifts counted"
GIFTLESS = ("Giants", "Dragonewts")

fulfilled: YesNo[[str, str]] = YesNo(
    "heroquest", "is the Heroquest of the {0} fulfilled for {1}?", "the Heroquest of the {0} is fulfilled", "the Heroquest of the {0} is not fulfilled",
)


@action(EARN, says="{player} takes the gift of {race:elder race}", sort=OUT_OF_TURN)
def earn(g: Play, player: str, race: str) -> None:
    """Most Elder Races have a gift of their own; their player earns it, as with an empire's Heroquests,
    by fulfilling the Heroquest on the race's loyalty card."""
    place_gift(g, player, race)


@earn.forbids("setup.neutral.4")
def not_of_a_neutral(g: Play, player: str, race: str) -> Said[bool]:
    """Nobody can achieve the Heroquest of an Elder Race that is neutral."""
    return True if neutral(g, race) else SILENT


@earn.forbids("elder-race-gifts.earn.2")
def not_fulfilled(g: Play, player: str, race: str) -> Said[bool]:
    """The gift of an Elder Race is not earned while its Heroquest is not fulfilled."""
    asked = race in allies(g, player) and race not in GIFTLESS
    return True if asked and not fulfilled(g, race, player) else SILENT


@earn.forbids("elder-race-gifts.none.1")
def no_gift(g: Play, player: str, race: str) -> Said[bool]:
    """Giants and Dragonewts are the only Elder Races that have no gift among the 10 of the box."""
    return True if race in GIFTLESS else SILENT


@earn.forbids("elder-race-gifts.earn.3")
def not_his_ally(g: Play, player: str, race: str) -> Said[bool]:
    """Only the player with whom an Elder Race is allied earns its gift."""
    return True if is_ally(g, race) and race not in allies(g, player) else SILENT


@part("elder-race-gifts.slot.1")
def place_gift(g: Play, player: str, race: str) -> None:
    """An elder race gift that has been earned goes into the Heroquest slot on the loyalty card of its race."""
    gift = gift_of_race(g, race)
    if gift and not has(g, player, gift):
        g.state = g.state.flagged(GIFT, player, gift)
        if fought(g):
            g.state = g.state.flagged(EARNED, player, gift)
        g.did("earned", f"{player} puts the gift {gift} in its slot")


@active.default("elder-race-gifts.active.1")
def in_its_slot(g: Play, gift: str, player: str) -> Said[bool]:
    """An elder race gift is active once it lies in its slot, and its player uses it like a gift of the empire."""
    return has(g, player, gift) if race_of_gift(g, gift) else SILENT


@active.forbids("elder-race-gifts.battle.1")
def not_in_that_battle(g: Play, gift: str, player: str) -> Said[bool]:
    """A gift that is earned in a battle has no effect before that whole battle is over."""
    return True if (EARNED, player, gift) in g.state.flags else SILENT


@active.forbids("elder-race-gifts.keep.2")
def only_while_fulfilled(g: Play, gift: str, player: str) -> Said[bool]:
    """An elder race gift is active only while the condition of its Heroquest holds."""
    race = race_of_gift(g, gift)
    return True if race and is_a_state(g, race) and not fulfilled(g, race, player) else SILENT


@action(COUNT, says="{player} counts the gifts of {foe:player}", sort=OUT_OF_TURN)
def counts(g: Play, player: str, foe: str) -> None:
    """Where the gifts of an empire are counted, as a Heroquest of Storm does, those count that it has earned."""
    n = so_many(g, foe)
    g.state = g.state.counting("", COUNTED, n)
    g.did("counted", f"{foe} has {n} gifts")


@in_the_six.forbids("elder-race-gifts.six.1")
def not_of_a_race(g: Play, gift: str) -> Said[bool]:
    """An elder race gift does not count as one of an empire's six gifts."""
    return True if race_of_gift(g, gift) else SILENT


@claim("the gifts counted are {number}")
def gifts_counted(state: State, number: int) -> bool:
    return state.counter("", COUNTED) == number


def is_a_state(g: Play, race: str) -> bool:
    """Whether a race's Heroquest is a condition that holds or not, and no single event."""
    page = next(p for p in g.book.pages.values() if p.title == race)
    quest = page.card.get("heroquest")
    return quest is not None and bool(quest.clause) and g.book.clauses[quest.clause].mark.question == fulfilled.id


def gift_of_race(g: Play, race: str) -> str:
    """The gift of an Elder Race, or ""."""
    return next((str(name) for p in g.book.pages.values() if p.title == race for name in p.front.get("gifts") or ()), "")


def race_of_gift(g: Play, gift: str) -> str:
    """The Elder Race whose gift this is, or ""."""
    return next((p.title for p in g.book.pages.values() if p.kind == "elder race" and gift in (p.front.get("gifts") or ())), "")

"""Which races are in the game, where they start, and what neutrality means."""
from fractions import Fraction
from typing import Any

from knowledge.core.battle import declare
from knowledge.core.board import OUT_OF_TURN, By, Cause, Effect, is_ally, is_neutral_race, may_be, neutral, race_of
from knowledge.core.effects import affects, put, room
from knowledge.core.gifts import gift_of
from lookup.engine.clause import SILENT, Moment, Question, Said, action, claim, every_action, part
from lookup.engine.play import Play
from lookup.engine.state import Piece, State

home: Question[[str], str] = Question("home", "where does this Elder Race start: {0}?")
starters: Question[[str], int] = Question("starters", "how many units of this Elder Race start on the map: {0}?")

picked: Moment[[str, str, bool]] = Moment("race chosen", lambda g, player, race, drawn: player)
CHOSEN, DISCARDED = "chosen for the game", "loyalty card discarded"
MORTAL = ("mortal minion", "mortal hero")


@may_be.forbids("setup.card.2")
def always_mortal(g: Play, unit: Piece, what: str) -> Said[bool]:
    """Every Elder Race unit is a mortal minion or a mortal hero, whichever its Loyalty Card says."""
    return True if race_of(g, unit) and what not in MORTAL else SILENT


@neutral.default("setup.neutral.1")
def until_it_joins(g: Play, race: str) -> Said[bool]:
    """Every Elder Race is neutral when the game starts."""
    return not is_ally(g, race)


@declare.forbids("setup.neutral.2")
def not_attacked(g: Play, player: str, foe: str, area: str) -> Said[bool]:
    """The units of a neutral Elder Race may not be attacked: nobody can declare a battle on them."""
    return True if is_neutral_race(g, Piece(foe)) else SILENT


@every_action.forbids("setup.neutral.3")
def not_used(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """Nobody can use the racial ability of an Elder Race that is neutral."""
    race = whose_ability(g, action)
    return True if race and neutral(g, race) else SILENT


@affects.forbids("setup.neutral.5")
def not_affected(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """Nothing affects a neutral Elder Race except an empire's attempt to ally with it."""
    return True if is_neutral_race(g, unit) and cause.by is not By.DIPLOMACY else SILENT


def whose_ability(g: Play, action: str) -> str:
    """The Elder Race whose ability an action is, or ""; what a gift prints is no ability, nor is what is no action of a turn."""
    page, doing = g.book.page_of(action), g.book.clauses[action].mark.action
    return page.title if page.kind == "elder race" and doing.sort != OUT_OF_TURN and not gift_of(g, action) else ""


def chosen(g: Play, player: str, race: str, drawn: bool = False) -> None:
    """Puts an Elder Race among those of this game, picked or drawn."""
    g.state = g.state.flagged(CHOSEN, race)
    g.did("chosen", f"{race} are chosen for this game")
    picked(g, player, race, drawn)


@action("setup.choose.6", says="{player} picks {race:elder race} for the game", sort=OUT_OF_TURN)
def picks(g: Play, player: str, race: str) -> None:
    """An Elder Race may be picked for the game by choice."""
    chosen(g, player, race)


@picks.forbids("setup.choose.8")
def there_already(g: Play, player: str, race: str) -> Said[bool]:
    """An Elder Race that is in the game already is not picked once more."""
    return True if (CHOSEN, race) in g.state.flags else SILENT


@action("setup.choose.7", says="{player} draws an Elder Race for the game", sort=OUT_OF_TURN)
def draws(g: Play, player: str) -> None:
    """An Elder Race may be drawn for the game at random: each one that is left is as likely as the others."""
    draw_one(g, player)


def draw_one(g: Play, player: str) -> None:
    """Draws an Elder Race of those that may still be chosen."""
    out = {f[1] for f in g.state.flags if f[0] in (CHOSEN, DISCARDED)}
    left = [p.title for p in g.book.pages.values() if p.kind == "elder race" and p.title not in out]
    if left:
        (race,) = g.roll(1, tuple((race, Fraction(1, len(left))) for race in left))
        chosen(g, player, race, drawn=True)


def scorpions_come(g: Play, player: str, race: str, drawn: bool) -> bool:
    """Whether it is the Scorpion Folk that have been chosen."""
    return race == "Scorpion Folk"


@picked.at("setup.choose.3", when=scorpions_come)
def one_more(g: Play, player: str, race: str, drawn: bool) -> None:
    """When the Scorpion Folk are among the chosen races, one further Elder Race is drawn at random for the game."""
    draw_one(g, player)


def homeless(g: Play, race: str) -> bool:
    """Whether the map lacks the home area that an Elder Race is known to have."""
    return home.heard(g, race) and home(g, race) not in g.state.board.places


def comes_without_home(g: Play, player: str, race: str, drawn: bool) -> bool:
    """Whether the map lacks the home area of the race that has been chosen."""
    return homeless(g, race)


@picked.at("setup.home.2", when=comes_without_home)
def discarded(g: Play, player: str, race: str, drawn: bool) -> None:
    """The loyalty card of a chosen race whose home area is missing from the map is discarded, and the race is not in the game."""
    g.state = g.state.unflagged(CHOSEN, race).flagged(DISCARDED, race)
    g.did("discarded", f"The loyalty card of {race} is discarded: {home(g, race)} is not on the map")
    if drawn:
        drawn_again(g, player)


@part("setup.home.3")
def drawn_again(g: Play, player: str) -> None:
    """In place of a drawn race whose loyalty card is discarded another one is drawn."""
    draw_one(g, player)


@claim("{race:elder race} {is|are} chosen for the game")
def is_in_the_game(state: State, race: str) -> bool:
    return (CHOSEN, race) in state.flags


@claim("{number} Elder {Race|Races} {is|are} chosen for the game")
def so_many(state: State, number: int) -> bool:
    return sum(f[0] == CHOSEN for f in state.flags) == number


@action("setup.place.1", says="{player} sets up the race of {race:elder race}", sort=OUT_OF_TURN)
def set_up(g: Play, player: str, race: str) -> None:
    """After the races are chosen, each is put on the map as its loyalty card says."""
    begin_at_home(g, race)


@set_up.forbids("setup.home.1")
def no_home(g: Play, player: str, race: str) -> Said[bool]:
    """A race whose home area is missing from the map as it is configured is not put on the map."""
    return SILENT if home(g, race) in g.state.board.places else True


@part("setup.place.2")
def begin_at_home(g: Play, race: str) -> None:
    """An Elder Race whose card names a starting area begins the game in that area."""
    kind = next(kind for kind, unit in g.book.units.items() if g.book.pages[unit.page].title == race)
    put(g, home(g, race), Piece(kind), starters(g, race))


@room.forbids("setup.limit.1")
def no_more_figures(g: Play, piece: Piece) -> Said[bool]:
    """An Elder Race never has more units than the box has figures of it: no further unit of it can be summoned or placed."""
    return True if race_of(g, piece) and g.state.total(lambda p: p.kind == piece.kind) >= int(g.field(piece.kind, "pieces") or 0) else SILENT

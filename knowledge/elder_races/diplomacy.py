"""Diplomacy: one die wins an Elder Race, or costs a unit, or both."""
from knowledge.core.actions import pay, price
from knowledge.core.board import By, Cause, allies, is_ally, is_building, race_of, units_of
from knowledge.core.effects import ally, kill, take_over
from knowledge.core.units import cost
from knowledge.elder_races.alliance import kinds_of, rest_to_the_pool
from lookup.engine.clause import SILENT, Moment, Question, Said, YesNo, action, part, step
from lookup.engine.play import Play
from lookup.engine.state import Piece

DIPLOMACY = "diplomacy.roll.1"
SIX = 6

counts: YesNo[[Piece]] = YesNo("diplomacy.counts", "does {0} count towards the Diplomacy total?", "{0} counts", "{0} does not count", presumed=True)
may_fall: YesNo[[Piece, str]] = YesNo("diplomacy.casualty", "may {0} be given up for a 6?", "{0} may be given up", "{0} cannot be given up", presumed=True)
picker: Question[[str], str] = Question("diplomacy.picker", "who picks the unit of {0} that a 6 kills?")
certain: YesNo[[str]] = YesNo("diplomacy.certain", "is Diplomacy with this race sure to succeed: {0}?", presumed=False)
offered: Moment[[str, str, str]] = Moment("Diplomacy", lambda g, player, race, area: player)
settled: Moment[[str, str, str]] = Moment("Diplomacy rolled", lambda g, player, race, area: player)
failed: Moment[[str, str, str]] = Moment("failed Diplomacy", lambda g, player, race, area: player)
nature: Question[[], By] = Question("diplomacy.nature", "what is a unit killed by that Diplomacy kills?")
joins_in: Question[[Piece, str], str] = Question("diplomacy.joins-in", "where does {0} in {1} stand when its race has joined?")


@action(DIPLOMACY, says="{player} uses Diplomacy with {race:elder race} in {area}")
def diplomacy(g: Play, player: str, race: str, area: str) -> None:
    """The Diplomacy action is decided by the roll of one die."""
    pay(g, DIPLOMACY, player)
    g.then(casts, player, race, area)
    offered(g, player, race, area)


@step("diplomacy.roll.2")
def casts(g: Play, player: str, race: str, area: str) -> None:
    """What a race's own alliance rules ask for before the roll is done before the Diplomacy die is rolled."""
    (die,) = g.roll(1, who=player)
    win(g, player, race, area, die)
    lose_one(g, player, race, area, die)
    if not is_ally(g, race):
        failed(g, player, race, area)
    settled(g, player, race, area)


@price.default("diplomacy.cost.1", of=(DIPLOMACY,))
def costs_one(g: Play, action: str, player: str) -> Said[int]:
    """The Diplomacy action costs 1 Power."""
    return 1


@diplomacy.forbids("diplomacy.where.1")
def needs_an_emissary(g: Play, player: str, race: str, area: str) -> Said[bool]:
    """To use Diplomacy on an Elder Race a player needs a unit of his own in the area where that race stands, unless the race's loyalty card says otherwise."""
    race_stands = any(race_of(g, p) == race for p, _ in g.state.at(area))
    return SILENT if race_stands and units_of(g, player, area) else True


@diplomacy.forbids("diplomacy.ally.1")
def has_an_ally(g: Play, player: str, race: str, area: str) -> Said[bool]:
    """A player who has an Elder Race as an ally may not use Diplomacy any more, unless a loyalty card says otherwise."""
    return True if allies(g, player) else SILENT


@diplomacy.forbids("diplomacy.target.1")
def is_taken(g: Play, player: str, race: str, area: str) -> Said[bool]:
    """Diplomacy can win only a neutral race: one that is another empire's ally is out of its reach."""
    return True if is_ally(g, race) else SILENT


@diplomacy.forbids("diplomacy.unknown.2")
def method_not_known(g: Play, player: str, race: str, area: str) -> Said[bool]:
    """An Elder Race whose Alliance Method is not in the sources cannot be won by Diplomacy."""
    page = next(p for p in g.book.pages.values() if p.title == race)
    return True if "alliance" not in page.card or page.card["alliance"].silent else SILENT


@part("diplomacy.success.1")
def win(g: Play, player: str, race: str, area: str, die: int) -> None:
    """The Elder Race joins the player when the Diplomacy roll is no higher than the total cost of all units that the player has in the area."""
    if certain(g, race) or die <= sum(cost(g, p) * n for p, n in pieces_of(g, player, area) if counts(g, p)):
        take_card(g, player, race)
        take_units(g, player, race)
        rest_to_the_pool(g, player, race)


def pieces_of(g: Play, player: str, area: str) -> list[tuple[Piece, int]]:
    """Units and buildings that a player has in an area, counted."""
    return [(p, n) for p, n in g.state.at(area) if p.owner == player]


@counts.forbids("diplomacy.total.1")
def no_buildings(g: Play, piece: Piece) -> Said[bool]:
    """Buildings do not count towards the total cost that a Diplomacy roll is compared with."""
    return True if is_building(piece) else SILENT


@part("diplomacy.join.1")
def take_card(g: Play, player: str, race: str) -> None:
    """A player whom an Elder Race joins takes the race's loyalty card."""
    ally(g, player, race)


@part("diplomacy.join.2")
def take_units(g: Play, player: str, race: str) -> None:
    """A player whom an Elder Race joins takes all of the race's units."""
    for place, unit, n in g.state.pieces:
        if unit.kind in kinds_of(g, race) and place in g.state.board.places:
            take_over(g, place, unit, n, player, joins_in(g, unit, place))


@joins_in.default("diplomacy.join.3")
def where_they_stand(g: Play, unit: Piece, place: str) -> Said[str]:
    """Units of a race that joins a player stay in the areas where they stand."""
    return place


@part("diplomacy.kill.1")
def lose_one(g: Play, player: str, race: str, area: str, die: int) -> None:
    """A Diplomacy roll of 6 kills one unit that the player has in the area."""
    may = [p for p, _ in pieces_of(g, player, area) if may_fall(g, p, race)]
    if die == SIX and may:
        kill(g, area, g.choose(picker(g, player), "which unit the 6 kills", may), 1, Cause(nature(g), "Diplomacy", player))


@may_fall.forbids("diplomacy.kill.3")
def not_a_building(g: Play, piece: Piece, race: str) -> Said[bool]:
    """A building cannot be given up for the unit that a Diplomacy roll of 6 kills, since buildings are not killed."""
    return True if is_building(piece) else SILENT


@may_fall.forbids("diplomacy.casualty.1")
def not_of_the_race(g: Play, piece: Piece, race: str) -> Said[bool]:
    """The unit that a Diplomacy roll of 6 kills must be one that the player had there before the roll: a unit of the race just won cannot be picked."""
    return True if race_of(g, piece) == race else SILENT


@picker.default("diplomacy.kill.2")
def the_player(g: Play, player: str) -> Said[str]:
    """The player who rolled a 6 for Diplomacy picks which of his units there is killed."""
    return player


@nature.default("diplomacy.battle.1")
def no_battle(g: Play) -> Said[By]:
    """Diplomacy is not a battle: a unit lost to its roll is not killed in battle."""
    return By.DIPLOMACY

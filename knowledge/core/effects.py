"""What changes the board.  Every effect asks by itself whether it affects the unit."""
from dataclasses import replace

from knowledge.core.board import ELIMINATE, KILL, MOVE, REMOVE, REPLACE, VOCABULARY, By, Cause, Effect, is_player
from lookup.engine.clause import SILENT, Moment, Question, Said, YesNo, claim, part
from lookup.engine.play import Play
from lookup.engine.state import Piece, State, Wanted
from lookup.engine.veil import Touches

OUT = "out of the game"
PEN = "Slave Pen"
AWAY = "off the map"
FOUND = "Combat found"
FELL = "fell in this battle"
MARKER = "Mad God marker"
RUNES = "runes"
ENDING, TARGET = "the end is set off", 35
DESTROYED, CONQUERED = "destroyed", "conquered"

affects: YesNo[[Piece, Effect, Cause]] = YesNo("affects", "does a {1} from {2} affect {0}?", "a {1} from {2} affects {0}", "a {1} from {2} does not affect {0}")
room: YesNo[[Piece]] = YesNo("room", "is there a {0} left to place?", "there is a {0} left to place", "there is no {0} left to place", presumed=True)
goes: Question[[Piece, Effect], str] = Question("goes", "where does {0} go after a {1}?")
building_goes: Question[[Piece], str] = Question("building.goes", "where does {0} go that leaves the map?")
moves_marker: YesNo[[Piece, Effect]] = YesNo(
    "marker", "does a {1} of {0} move the marker?", "a {1} of {0} moves the marker", "a {1} of {0} does not move the marker", presumed=False,
)
in_battle: YesNo[[Piece, Effect, Cause]] = YesNo(
    "in-battle", "is {0} killed in battle by {2}?", "{0} is killed in battle", "{0} is not killed in battle",
)
killer: Question[[Piece, Cause], str] = Question("killer", "for whom does the loss of {0} to {1} count?")
flees: YesNo[[Piece, str, str]] = YesNo("flees", "does {0}, lost in {1}, go to {2} instead?", "{0} goes to {2} instead", "{0} cannot go to {2}", presumed=False)


def whose_it_was(g: Play, unit: Piece, n: int, place: str, effect: Effect, cause: Cause) -> str:
    """The owner of a unit that has left the map says what comes first."""
    return unit.owner


left_map: Moment[[Piece, int, str, Effect, Cause]] = Moment("left the map", whose_it_was)


def whose_it_is(g: Play, unit: Piece, effect: Effect, cause: Cause) -> str:
    """The owner of a unit that has changed its area says what comes first."""
    return unit.owner


displaced: Moment[[Piece, Effect, Cause]] = Moment("displaced", whose_it_is)


def whose_building(g: Play, building: Piece, place: str, by: str, how: str) -> str:
    """The owner of a building that has left the map says what comes first."""
    return building.owner


fallen: Moment[[Piece, str, str, str]] = Moment("a building falls", whose_building)


@affects.default("effects.affect.1")
def everything(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """Kills, routs, eliminations, removals, moves and replacements all affect a unit unless something says otherwise."""
    return True


@goes.default("effects.pool.1")
def to_the_pool(g: Play, unit: Piece, effect: Effect) -> Said[str]:
    """A killed or eliminated unit of an empire goes to that empire's pool and may be summoned again."""
    return pool(unit.owner) if unit.owner else SILENT


@goes.default("effects.pool.2")
def off_the_map(g: Play, unit: Piece, effect: Effect) -> Said[str]:
    """A killed or eliminated unit that belongs to no empire leaves the map."""
    return SILENT if unit.owner else AWAY


@killer.default("effects.credit.1")
def whose_side(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """What a side kills or eliminates counts for the heroquests and rewards of the player whose side it is, and for nobody's where it is no player's."""
    return cause.side if is_player(g, cause.side) else ""


@in_battle.default("effects.in-battle.1")
def by_a_result(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """A unit is killed in battle when a kill of that battle takes it, and not when a rout leaves it nowhere to go."""
    return effect is KILL and cause.by is By.BATTLE


@in_battle.default("effects.in-battle.2")
def by_its_rout_too(g: Play, unit: Piece, effect: Effect, cause: Cause) -> Said[bool]:
    """A unit is killed in battle also when a rout of that battle leaves it nowhere to go and it is killed for that."""
    lost = (By.BATTLE, By.NO_WAY_OUT) if any(f[0] == "battle" for f in g.state.flags) else (By.BATTLE,)
    return effect is KILL and cause.by in lost


@building_goes.default("buildings.destroy.2")
def with_its_owner(g: Play, building: Piece) -> Said[str]:
    """A building that leaves the map goes back to its owner's pool."""
    return pool(building.owner)


def pool(player: str) -> str:
    """Where a player's pieces that are not on the map are."""
    return VOCABULARY.pool.format(player=player)


def kill(g: Play, place: str, unit: Piece, n: int, cause: Cause) -> None:
    """Kills n like units, as far as that affects them."""
    lose(g, place, unit, n, KILL, "killed", cause)


def eliminate(g: Play, place: str, unit: Piece, n: int, cause: Cause) -> None:
    """Eliminates n like units, as far as that affects them."""
    lose(g, place, unit, n, ELIMINATE, "eliminated", cause)


def lose(g: Play, place: str, unit: Piece, n: int, effect: Effect, what: str, cause: Cause) -> None:
    """Takes n like units off the map by one of the effects that do so."""
    if not affects(g, unit, effect, cause):
        g.did("unaffected", f"{g.name(unit, n)} {are(n)} not affected", unit, n, place)
        return
    refuges = [a for a in g.state.board.places if g.state.board.kind(a) == "hell" and flees(g, unit, place, a)]
    if refuges:
        rout(g, place, unit, g.choose(unit.owner, f"where {g.name(unit)} goes instead", refuges), n)
        return
    to = goes(g, unit, effect)
    g.state = g.state.put(place, unit, -n).noted(what, unit, place, n)
    if effect is KILL and cause.by is By.BATTLE:
        g.state = g.state.noted("killed by a result", unit, place, n)
    if effect is KILL and in_battle(g, unit, effect, cause):
        g.state = g.state.flagged(FELL, unit.kind, unit.owner)
    if to != AWAY:
        g.state = g.state.put(to, plain(unit), n)
    g.did(what, f"{g.name(unit, n)} {are(n)} {what} in {place}", unit, n, place, to)
    push_marker(g, unit, n, effect)
    who = killer(g, unit, cause)
    if who:
        g.state = g.state.noted("credited", unit.marked("by", who), place, n)
    left_map(g, unit, n, place, effect, cause)


def touched_by_loss(g: Play, place: str, unit: Piece, effect: Effect, what: str, cause: Cause) -> Touches | None:
    """All that it can change that like units are lost by an effect; None where more may follow."""
    if not affects(g, unit, effect, cause):
        return Touches()
    refuges = any(g.state.board.kind(a) == "hell" and flees(g, unit, place, a) for a in g.state.board.places)
    to, before = goes(g, unit, effect), g.state
    g.state = before.put(place, unit, -1) if to == AWAY else before.put(place, unit, -1).put(to, plain(unit), 1)
    more = refuges or moves_marker(g, unit, effect) or left_map.due(g, unit, 1, place, effect, cause)
    g.state = before
    if more:
        return None
    happened = {(what, unit), ("killed by a result", unit), ("credited", unit.marked("by", killer(g, unit, cause)))}
    fell = {(FELL, unit.kind, unit.owner)} if in_battle(g, unit, effect, cause) else set()
    return Touches(frozenset({unit, plain(unit)}), frozenset(happened), flags=frozenset(fell))


def push_marker(g: Play, unit: Piece, n: int, effect: Effect) -> None:
    """Moves the marker that counts lost units, where this loss does."""
    if moves_marker(g, unit, effect):
        g.state = g.state.counting("", MARKER, g.state.counter("", MARKER) + n)
        g.did("counted", f"The {MARKER} goes up by {n}", unit, n)


def remove(g: Play, place: str, unit: Piece, n: int, cause: Cause) -> None:
    """Takes n like units out of the game for good, as far as that affects them."""
    if not affects(g, unit, REMOVE, cause):
        g.did("unaffected", f"{g.name(unit, n)} {are(n)} not affected", unit, n, place)
        return
    g.state = g.state.put(place, unit, -n).noted("removed", unit, place, n).put(OUT, plain(unit), n)
    g.did("removed", f"{g.name(unit, n)} {are(n)} out of the game for good", unit, n, place, OUT)
    push_marker(g, unit, n, REMOVE)
    left_map(g, unit, n, place, REMOVE, cause)


def move(g: Play, place: str, unit: Piece, to: str, n: int, cause: Cause) -> bool:
    """Moves n like units, if that affects them; says whether it did."""
    if not affects(g, unit, MOVE, cause):
        g.did("unaffected", f"{g.name(unit, n)} {are(n)} not moved", unit, n, place)
        return False
    g.state = g.state.put(place, unit, -n).put(to, unit, n).noted("moved", unit, to, n)
    g.did("moved", f"{g.name(unit, n)} {moves(n)} from {place} to {to}", unit, n, place, to)
    displaced(g, unit, MOVE, cause)
    return True


def rout(g: Play, place: str, unit: Piece, to: str, n: int, sender: str = "") -> None:
    """Sends n like units away as routed; that it affects them, where they may go and who picks that was asked before."""
    g.state = g.state.put(place, unit, -n).put(to, unit, n).noted("routed", unit, to, n)
    if sender:
        g.state = g.state.noted("sent", unit.marked("by", sender), to, n)
    g.did("routed", f"{g.name(unit, n)} {are(n)} routed from {place} to {to}", unit, n, place, to)


def enslave(g: Play, place: str, unit: Piece, n: int) -> None:
    """Puts n like units, routed by the keeper of the Slave Pen, into it."""
    g.state = g.state.put(place, unit, -n).put(PEN, plain(unit), n).noted("enslaved", unit, place, n)
    g.did("enslaved", f"{g.name(unit, n)} {'goes' if n == 1 else 'go'} to the {PEN}", unit, n, place, PEN)


def destroy(g: Play, place: str, building: Piece, by: str = "") -> None:
    """Takes a building off the map by destruction; by is the player who destroys it, if any does."""
    topple(g, place, building, by, DESTROYED)


def seize(g: Play, place: str, building: Piece, by: str) -> None:
    """Takes a building off the map that a player conquers."""
    topple(g, place, building, by, CONQUERED)


def topple(g: Play, place: str, building: Piece, by: str, how: str) -> None:
    """Takes a building off the map, destroyed or conquered."""
    to = building_goes(g, building)
    g.state = g.state.put(place, building, -1).put(to, building, 1).noted(how, building, place, 1)
    g.did(how, f"The {g.name(building)} in {place} is {how}", building, 1, place, to)
    fallen(g, building, place, by, how)


def lift(g: Play, place: str, building: Piece) -> None:
    """Takes a building off the map that is neither destroyed nor conquered."""
    to = building_goes(g, building)
    g.state = g.state.put(place, building, -1).put(to, building, 1)
    g.did("returned", f"The {g.name(building)} in {place} goes back to the pool", building, 1, place, to)


def set_free(g: Play, unit: Piece, to: str) -> None:
    """Takes a unit out of the Slave Pen."""
    g.state = g.state.put(PEN, unit, -1).put(to, unit, 1).noted("freed", unit, to, 1)
    g.did("freed", f"{g.name(unit)} is taken back to {to}", unit, 1, PEN, to)


def replace_unit(g: Play, place: str, unit: Piece, by: Piece, cause: Cause) -> None:
    """Puts a unit in the place of another, which goes where units go that leave the map."""
    if not affects(g, unit, REPLACE, cause):
        g.did("unaffected", f"{g.name(unit)} is not replaced", unit, 1, place)
        return
    if not g.state.count(pool(by.owner), by) and not room(g, by):
        g.did("unaffected", f"No {by.kind} is left to place", by, 1, place)
        return
    to = goes(g, unit, REPLACE)
    g.state = g.state.put(place, unit, -1).noted("replaced", unit, place, 1)
    if to != AWAY:
        g.state = g.state.put(to, plain(unit), 1)
    if g.state.count(pool(by.owner), by):
        g.state = g.state.put(pool(by.owner), by, -1)
    g.state = g.state.put(place, by, 1).noted("placed", by, place, 1)
    g.did("replaced", f"{g.name(by)} takes the place of {g.name(unit)} in {place}", unit, 1, place, to)
    left_map(g, unit, 1, place, REPLACE, cause)


def give_back(g: Play, place: str, piece: Piece, n: int) -> None:
    """Puts n like pieces back into their owner's pool; they are neither killed nor eliminated."""
    g.state = g.state.put(place, piece, -n).put(pool(piece.owner), plain(piece), n).noted("returned", piece, place, n)
    g.did("returned", f"{g.name(piece, n)} {'goes' if n == 1 else 'go'} back to the pool", piece, n, place, pool(piece.owner))


def bring_in(g: Play, player: str, piece: Piece, place: str, n: int = 1) -> None:
    """Puts n like pieces of a player's pool on the map."""
    g.state = g.state.put(pool(player), piece, -n).put(place, piece, n).noted("placed", piece, place, n)
    g.did("placed", f"{g.name(piece, n)} {are(n)} placed in {place}", piece, n, pool(player), place)


def put(g: Play, place: str, piece: Piece, n: int = 1) -> None:
    """Places n like pieces that come from nowhere on the map, if there are any left."""
    if not room(g, piece):
        g.did("unaffected", f"No {piece.kind} is left to place", piece, n, place)
        return
    g.state = g.state.put(place, piece, n).noted("placed", piece, place, n)
    g.did("placed", f"{g.name(piece, n)} {are(n)} placed in {place}", piece, n, "", place)


def ally(g: Play, player: str, race: str) -> None:
    """Makes an Elder Race a player's ally."""
    g.state = g.state.flagged("ally", player, race)
    g.did("allied", f"{race} are allied with {player}")


def take_over(g: Play, place: str, unit: Piece, n: int, player: str, to: str) -> None:
    """Makes n like units a player's own, and has them stand where they are to stand."""
    mine = replace(unit, owner=player)
    g.state = g.state.put(place, unit, -n).put(to, mine, n)
    g.did("taken over", f"{g.name(mine, n)} {are(n)} in {to}", mine, n, place, to)


def fill_pool(g: Play, player: str, unit: Piece, n: int) -> None:
    """Puts n like units that are not on the map into a player's pool."""
    if n > 0:
        g.state = g.state.put(pool(player), unit, n).noted("pooled", unit, pool(player), n)
        g.did("pooled", f"{g.name(unit, n)} {are(n)} in the {pool(player)}", unit, n, "", pool(player))


def spend(g: Play, player: str, n: int, what: str = "power") -> None:
    """Takes Power or VP from a player, as far as he has it."""
    n = min(n, g.state.counter(player, what))
    if n:
        g.state = g.state.counting(player, what, g.state.counter(player, what) - n)
        g.did("spent", f"{player} spends {n} {label(what)}", None, n)


def gain(g: Play, player: str, n: int, what: str = "power") -> None:
    """Gives Power, VP or runes to a player."""
    if what == RUNES:
        draw(g, player, n)
    elif n:
        g.state = g.state.counting(player, what, g.state.counter(player, what) + n)
        g.did("gained", f"{player} gains {n} {label(what)}", None, n)
    if what == "vp":
        set_off(g, player)


def who_drew(g: Play, player: str, n: int) -> str:
    """The player who drew runes says what comes first."""
    return player


drew: Moment[[str, int]] = Moment("drew", who_drew)


@part("gifts.rune.2")
def draw(g: Play, player: str, n: int) -> None:
    """Runes are drawn from a shuffled deck."""
    g.state = g.state.counting(player, RUNES, g.state.counter(player, RUNES) + n)
    g.did("drew", f"{player} draws {n} {'rune' if n == 1 else 'runes'} from the deck", None, n)
    drew(g, player, n)


@part("phases.end.1")
def set_off(g: Play, player: str) -> None:
    """The end of the game is set off when a player reaches 35 VP."""
    if g.state.counter(player, "vp") >= TARGET and (ENDING,) not in g.state.flags:
        g.state = g.state.flagged(ENDING)
        g.did("ending", f"{player} has {TARGET} VP or more")


def label(what: str) -> str:
    """A counter as a sentence names it."""
    return {"power": "Power", "vp": "VP"}.get(what, what)


def plain(unit: Piece) -> Piece:
    """A unit without the marks that only a battle gives it."""
    return unit.marked("hit", "").marked("side", "")


def are(n: int) -> str:
    """is or are."""
    return "is" if n == 1 else "are"


def moves(n: int) -> str:
    """moves or move."""
    return "moves" if n == 1 else "move"


LOST = VOCABULARY.lost


@claim("{unit} {is|are} killed", reads=("killed",))
def is_killed(state: State, unit: Wanted) -> bool:
    return unit.met(state.tally(unit, "killed"))


@claim("{unit} {is|are} killed by a battle result", reads=("killed by a result",))
def is_killed_by_a_result(state: State, unit: Wanted) -> bool:
    return unit.met(state.tally(unit, "killed by a result"))


@claim("at least {number} units of {player} are killed", reads=("killed",))
def many_killed(state: State, number: int, player: str) -> bool:
    return state.befell(lambda piece: piece.owner == player, "killed") >= number


@claim("{unit} {is|are} eliminated", reads=("eliminated",))
def is_eliminated(state: State, unit: Wanted) -> bool:
    return unit.met(state.tally(unit, "eliminated"))


@claim("{unit} {is|are} out of the game")
def is_out(state: State, unit: Wanted) -> bool:
    return unit.met(state.total(unit.fits, (OUT,)))


@claim("{player} loses {unit}", reads=LOST)
def loses(state: State, player: str, unit: Wanted) -> bool:
    return unit.met(state.tally(Wanted(unit.kind, player, unit.place, unit.n), *LOST))


@claim("{player} loses {number} or more units", reads=LOST)
def loses_many(state: State, player: str, number: int) -> bool:
    return state.befell(lambda piece: piece.owner == player, *LOST) >= number


@claim("{unit} {is|are} routed", reads=("routed",))
def is_routed(state: State, unit: Wanted) -> bool:
    return unit.met(state.tally(unit, "routed"))


@claim("{unit} {is|are} routed to {area}", reads=("routed",))
def routed_to(state: State, unit: Wanted, area: str) -> bool:
    return unit.met(state.tally(Wanted(unit.kind, unit.owner, area, unit.n), "routed"))


@claim("the loss of {unit} counts for {player}", reads=("credited",))
def is_credited(state: State, unit: Wanted, player: str) -> bool:
    return unit.met(sum(n for (what, piece, place), n in state.happened if what == "credited" and piece.mark("by") == player and unit.fits(piece, place)))


@claim("{player}'s {building} in {area} is destroyed", reads=("destroyed",))
def is_destroyed(state: State, player: str, building: str, area: str) -> bool:
    return any(what == "destroyed" and piece.kind == building and (piece.owner, place) == (player, area) for (what, piece, place), _ in state.happened)


@claim("{player}'s {building} in {area} is conquered", reads=("conquered",))
def is_conquered(state: State, player: str, building: str, area: str) -> bool:
    return any(what == "conquered" and piece.kind == building and (piece.owner, place) == (player, area) for (what, piece, place), _ in state.happened)


@claim("{unit} {is|are} enslaved", reads=("enslaved",))
def is_enslaved(state: State, unit: Wanted) -> bool:
    return unit.met(state.tally(unit, "enslaved"))


@claim("{player} picks where {unit} {is|are} routed", reads=("sent",))
def picks_where(state: State, player: str, unit: Wanted) -> bool:
    return unit.met(sum(n for (what, piece, place), n in state.happened if what == "sent" and piece.mark("by") == player and unit.fits(piece, place)))


@claim("{unit} {is|are} in the pool of {player}")
def is_pooled(state: State, unit: Wanted, player: str) -> bool:
    return unit.met(state.total(unit.fits, (pool(player),)))


@claim("{unit} {is|are} in the collection of {player}")
def is_collected(state: State, unit: Wanted, player: str) -> bool:
    return unit.met(state.total(unit.fits, (f"collection of {player}",)))


@claim("{race:elder race} {is|are} allied with {player}")
def is_allied(state: State, race: str, player: str) -> bool:
    return ("ally", player, race) in state.flags


@claim("the Combat found is {number}")
def combat_found(state: State, number: int) -> bool:
    return state.counter("", FOUND) == number


@claim("{unit} {is|are} in {area}")
def stands_in(state: State, unit: Wanted, area: str) -> bool:
    return unit.met(state.total(unit.fits, (area,)))


@claim("{player} has {number} Power")
def has_power(state: State, player: str, number: int) -> bool:
    return state.counter(player, "power") == number


@claim("the Mad God marker is at {number}")
def marker_at(state: State, number: int) -> bool:
    return state.counter("", MARKER) == number


@claim("{player} has {number} VP")
def has_vp(state: State, player: str, number: int) -> bool:
    return state.counter(player, "vp") == number


@claim("{player} has {number} {rune|runes}")
def has_runes(state: State, player: str, number: int) -> bool:
    return state.counter(player, "runes") == number


@claim("the action is refused")
def refused(state: State) -> bool:
    return any(flag[0] == "refused" for flag in state.flags)

"""Rounds: the phases in their order, turns going round the table, the First Player, and how the game ends."""
from fractions import Fraction
from typing import Any

from knowledge.core.board import OUT_OF_TURN, VOCABULARY, actor, everybody
from knowledge.core.effects import ENDING, gain, spend
from knowledge.core.phases import PASS, acts_at_zero, blessed, blessing, council_gifts, council_phase, has_income, own_turn
from lookup.engine.clause import SILENT, Question, Said, YesNo, action, after_action, claim, every_action, part, step
from lookup.engine.play import Play
from lookup.engine.state import Piece, State

ACTION, POWER, COUNCIL = VOCABULARY.game_flags[3:6]
BEGINS, GAINS, GATHERS = "phases.round.3", "phases.round.4", "phases.round.5"
PHASE = {BEGINS: ACTION, GAINS: POWER, GATHERS: COUNCIL}
AFTER = {ACTION: POWER, POWER: COUNCIL, COUNCIL: ACTION}
FIRST, WINNER, COMPROMISE = "phases.first-player.1", "phases.end.2", "phases.compromise.1"
LEADS, FIRST_ROUND, WINS, OVER = "First Player", "First Action Phase", "wins", "the game is over"
TURN, WAY_ROUND, CLOCKWISE, OTHER_WAY = "turn", "turns go", "clockwise", "against the clock"

first: Question[[], str] = Question("first-player", "who is First Player?")
may_lead: YesNo[[str]] = YesNo("first-player.may", "may {0} be First Player?", "{0} may be First Player", "{0} cannot be First Player", presumed=True)
found_in: Question[[], str] = Question("first-player.when", "in which phase does the First Player change?")
goes_on: YesNo[[]] = YesNo("turn.goes-on", "does the Action Phase go on?")
next_seat: Question[[str], str] = Question("turn.next", "who sits next to {0}, the way that turns go? (The position gives each player's seat.)")
takes_turns: YesNo[[str]] = YesNo("turn.takes", "does {0} have a turn?", presumed=True)
in_council: Question[[tuple[str, ...]], tuple[str, ...]] = Question("council.order", "in which order do players choose in the Council Phase?")
stops: YesNo[[str]] = YesNo("end.stops", "does the game end with this {0}?", presumed=False)
tie_breaker: Question[[], str] = Question("winner", "who wins when two players have the most VP?")


def phase(g: Play) -> str:
    """The phase that is being played or was played last; "" where the position does not say."""
    return next((p for p in AFTER if (p,) in g.state.flags), "")


def enter(g: Play, new: str) -> None:
    """Begins a phase."""
    old = phase(g)
    g.state = (g.state.unflagged(old) if old else g.state).flagged(new)


@every_action.forbids("phases.round.1")
def out_of_order(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """A round of the game has three phases, in this order: Action Phase, Power Phase, Council Phase; then the next round begins."""
    now = phase(g)
    if action not in PHASE or not now:
        return SILENT
    return True if PHASE[action] != AFTER[now] or (now == ACTION and goes_on(g)) else SILENT


@every_action.forbids("phases.round.2")
def not_at_the_start(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """The game begins with an Action Phase."""
    return True if action in (GAINS, GATHERS) and (FIRST_ROUND,) in g.state.flags and not phase(g) else SILENT


@action(BEGINS, says="the Action Phase begins", sort=OUT_OF_TURN)
def action_phase(g: Play) -> None:
    """The First Player has the first turn of an Action Phase."""
    enter(g, ACTION)
    if not leader(g) or found_in(g) == ACTION:
        lead(g)
    choose_direction(g)
    turn_of(g, leader(g))


def leader(g: Play) -> str:
    """The First Player, or "" where nobody is known to be."""
    return next((f[1] for f in g.state.flags if f[0] == LEADS), "")


def left_of(g: Play, player: str) -> str:
    """The player who sits to the left of another, where clockwise turns go; "" unless the position gives every player a seat of his own."""
    order = [p for _, p in sorted((g.state.counter(p, "seat"), p) for p in everybody(g))]
    told = len({g.state.counter(p, "seat") for p in order} - {0}) == len(order) > 1
    return order[(order.index(player) + 1) % len(order)] if told and player in order else ""


def turn_of(g: Play, player: str) -> None:
    """Gives the turn to a player, or to the next who has one; with nobody left the Action Phase is over."""
    if not goes_on(g):
        g.did("over", f"The {ACTION} is over")
        g.then(phase_over, ACTION)
        return
    while not takes_turns(g, player):
        player = next_seat(g, player)
    g.state = g.state.flagged(TURN, player)
    g.did("turn", f"It is {player}'s turn")


def whose_turn(g: Play) -> str:
    """The player whose turn it is, or "" where turns are not being taken."""
    return next((f[1] for f in g.state.flags if f[0] == TURN), "")


def is_turn(g: Play, action: str) -> bool:
    """Whether an action is what a player does with his turn."""
    return action == PASS or own_turn(g, action)


def in_turn(g: Play, action: str, args: tuple[Any, ...]) -> bool:
    """Whether a player takes his turn with an action."""
    return bool(whose_turn(g)) and whose_turn(g) == actor(args) and is_turn(g, action)


@after_action.at("phases.action.1", when=in_turn)
def one_action_each(g: Play, action: str, args: tuple[Any, ...]) -> None:
    """In the Action Phase the players take turns, and each turn is one action."""
    player = actor(args)
    g.state = g.state.unflagged(TURN, player)
    turn_of(g, next_seat(g, player))


@every_action.forbids("phases.action.10")
def not_his_turn(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """While turns are taken, only the player whose turn it is takes an action of a turn."""
    return True if whose_turn(g) not in ("", actor(args)) and is_turn(g, action) else SILENT


@goes_on.default("phases.action.2")
def until_all_is_spent(g: Play) -> Said[bool]:
    """The Action Phase goes on until every player has spent all Power."""
    return any(g.state.counter(p, "power") for p in everybody(g))


@next_seat.default("phases.action.11")
def round_the_table(g: Play, player: str) -> Said[str]:
    """Turns go round the table, from each player to the one who sits next."""
    seats = sorted((g.state.counter(p, "seat"), p) for p in everybody(g))
    if len(seats) > 2 and len({n for n, _ in seats} - {0}) < len(seats):
        return SILENT
    order = [p for _, p in seats]
    back = (WAY_ROUND, OTHER_WAY) in g.state.flags
    return order[(order.index(player) + (-1 if back else 1)) % len(order)]


@takes_turns.forbids("phases.action.12")
def passed_over(g: Play, player: str) -> Said[bool]:
    """A player whom the lack of Power bars from acting is passed over when turns go round."""
    return True if not g.state.counter(player, "power") and not acts_at_zero(g, player) else SILENT


@part("phases.first-player.2")
def choose_direction(g: Play) -> None:
    """The First Player chooses in which direction turns go round the table."""
    for flag in g.state.flags:
        if flag[0] == WAY_ROUND:
            g.state = g.state.unflagged(*flag)
    g.state = g.state.flagged(WAY_ROUND, g.choose(leader(g), "in which direction turns go", (CLOCKWISE, OTHER_WAY)))


@action(GAINS, says="the Power Phase is played", sort=OUT_OF_TURN)
def power_for_all(g: Play) -> None:
    """In the Power Phase all players have their income, and then Glorantha's Blessing comes to those whom it helps."""
    enter(g, POWER)
    g.then(phase_over, POWER)
    g.then(blessings)
    for player in reversed(everybody(g)):
        has_income(g, player)


@step("phases.blessing.6")
def blessings(g: Play) -> None:
    """Glorantha's Blessing comes to all whom it helps at once."""
    due = [(p, blessing(g, p)) for p in everybody(g) if blessed.may.answer(g, p).value]
    for player, n in due:
        gain(g, player, n)


@action(GATHERS, says="the Council Phase is played", sort=OUT_OF_TURN)
def council_for_all(g: Play) -> None:
    """In the Council Phase the players use their gifts for it, and then VP are handed out to all."""
    enter(g, COUNCIL)
    g.then(phase_over, COUNCIL)
    for player in reversed(everybody(g)):
        has_income(g, player, "vp")
    choosers = tuple(p for p in everybody(g) if council_phase.due(g, p))
    order = in_council(g, choosers) if len(choosers) > 1 else choosers
    for n, player in reversed(list(enumerate(order, 1))):
        g.state = g.state.noted("in council", Piece(player), "", n)
        g.then(council_gifts, player)


@in_council.default("phases.council.4")
def in_turn_order(g: Play, choosers: tuple[str, ...]) -> Said[tuple[str, ...]]:
    """Where several players choose in the Council Phase, they do so in turn order."""
    order = [leader(g) or first(g)]
    while len(order) < len(everybody(g)):
        order.append(next_seat(g, order[-1]))
    return tuple(p for p in order if p in choosers)


@step("phases.round.6")
def phase_over(g: Play, done: str) -> None:
    """At the end of a phase the First Player may change, and it is seen whether the game is over."""
    if done == COUNCIL:
        first_round_over(g)
    if stops(g, done):
        g.state = g.state.flagged(OVER)
        g.did("over", "The game is over")
        g.then(crowned)
    elif done == POWER == found_in(g):
        lead(g)


@part("phases.round.7")
def first_round_over(g: Play) -> None:
    """The second Action Phase comes when the first Council Phase is over."""
    g.state = g.state.unflagged(FIRST_ROUND)


@action(FIRST, says="{player} names the First Player", sort=OUT_OF_TURN)
def names_first(g: Play, player: str) -> None:
    """The player with the most Power is First Player."""
    lead(g)


def lead(g: Play) -> None:
    """Finds the First Player anew."""
    new, old = first(g), leader(g)
    g.state = (g.state.unflagged(LEADS, old) if old else g.state).flagged(LEADS, new)
    g.did("first", f"{new} is First Player")


@found_in.default("phases.first-player.8")
def after_income(g: Play) -> Said[str]:
    """The First Player is found anew at the end of the Power Phase."""
    return POWER


@found_in.default("phases.first-player.9")
def at_the_start(g: Play) -> Said[str]:
    """The First Player is found anew when an Action Phase begins."""
    return ACTION


@first.default("phases.first-player.7")
def most_power(g: Play) -> Said[str]:
    """No other player has as much Power as the First Player."""
    may = [(g.state.counter(p, "power"), p) for p in everybody(g) if may_lead(g, p)]
    best = [p for n, p in may if n == max(may)[0]]
    return best[0] if len(best) == 1 else SILENT


@first.exception("phases.first-player.3", "phases.first-player.7")
def sky_at_first(g: Play) -> Said[str]:
    """Sky is First Player in the first round."""
    return "Sky" if (FIRST_ROUND,) in g.state.flags and "Sky" in everybody(g) else SILENT


@first.exception("phases.first-player.4", "phases.first-player.7")
def by_lot(g: Play) -> Said[str]:
    """In a game without Sky the first First Player is chosen at random."""
    if (FIRST_ROUND,) not in g.state.flags or "Sky" in everybody(g):
        return SILENT
    may = [p for p in everybody(g) if may_lead(g, p)]
    return str(g.roll(1, tuple((p, Fraction(1, len(may))) for p in may))[0]) if len(may) > 1 else may[0]


@action(COMPROMISE, says="{player} leads a Great Compromise of {number} Power for {number2} VP", sort=OUT_OF_TURN)
def compromise(g: Play, player: str, power: int, vp: int) -> None:
    """The First Player may lead a Great Compromise, in which Power is spent for VP."""
    spend(g, player, power)
    gain(g, player, vp, "vp")


@compromise.forbids("phases.compromise.3")
def leads_it(g: Play, player: str, power: int, vp: int) -> Said[bool]:
    """Nobody but the First Player leads a Great Compromise."""
    return True if (leader(g) or first(g)) != player else SILENT


@compromise.forbids("phases.compromise.4")
def has_not_so_much(g: Play, player: str, power: int, vp: int) -> Said[bool]:
    """A player spends no more Power in a Great Compromise than he has."""
    return True if power > g.state.counter(player, "power") else SILENT


@stops.default("phases.end.5")
def with_the_round(g: Play, done: str) -> Said[bool]:
    """The game ends with the Council Phase of the round in which its end was set off."""
    return (ENDING,) in g.state.flags and done == COUNCIL


@stops.default("phases.end.6")
def with_the_phase(g: Play, done: str) -> Said[bool]:
    """The game ends with the phase in which its end was set off."""
    return (ENDING,) in g.state.flags


@every_action.forbids("phases.end.7")
def no_more(g: Play, action: str, args: tuple[Any, ...]) -> Said[bool]:
    """When the game is over nothing more is played."""
    return True if (OVER,) in g.state.flags else SILENT


@action(WINNER, says="{player} names the winner", sort=OUT_OF_TURN)
def names_winner(g: Play, player: str) -> None:
    """The winner is the player with the most VP at the end."""
    crown(g)


@step("phases.end.8")
def crowned(g: Play) -> None:
    """When the game is over its winner is named."""
    crown(g)


def crown(g: Play) -> None:
    """Names the winner."""
    points = [(g.state.counter(p, "vp"), p) for p in everybody(g)]
    best = [p for n, p in points if n == max(points)[0]]
    who = best[0] if len(best) == 1 else tie_breaker(g)
    g.state = g.state.flagged(WINS, who)
    g.did("won", f"{who} wins")


@claim("{player} acts next")
def acts_next(state: State, player: str) -> bool:
    return (TURN, player) in state.flags


@claim("the Action Phase is over")
def is_over(state: State) -> bool:
    return any((p,) in state.flags for p in AFTER) and not any(f[0] == TURN for f in state.flags)


@claim("the game is over")
def game_over(state: State) -> bool:
    return (OVER,) in state.flags


@claim("{player} is number {number} to choose in the Council Phase", reads=("in council",))
def is_number(state: State, player: str, number: int) -> bool:
    return any(what == "in council" and (piece.kind, n) == (player, number) for (what, piece, _), n in state.happened)


@claim("{player} is First Player")
def is_first(state: State, player: str) -> bool:
    return (LEADS, player) in state.flags


@claim("{player} wins")
def is_winner(state: State, player: str) -> bool:
    return (WINS, player) in state.flags

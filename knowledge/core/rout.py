"""Routs: where to, together, who sends them, and what becomes of a unit with nowhere to go."""
from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

from knowledge.core.board import ROUT, By, Cause, side
from knowledge.core.effects import affects, are, displaced, eliminate, enslave, kill, spend
from knowledge.core.effects import rout as send_to
from lookup.engine.clause import SILENT, Question, Said, YesNo
from lookup.engine.play import Play
from lookup.engine.state import Piece
from lookup.engine.veil import Touches


class Instead(StrEnum):
    """What a routed unit does."""

    LEAVES = "leaves its area"
    PEN = "goes to the Slave Pen"
    POWER = "stays, for 1 Power"
    VP = "stays, for 1 VP"


class Fate(StrEnum):
    """What becomes of a unit with nowhere to go."""

    KILLED = "killed"
    ELIMINATED = "eliminated"
    STAYS = "stays"


class Pace(StrEnum):
    """How routs of several groups are carried out that come from one cause."""

    SAME_MAP = "from the same map"
    IN_TURN = "one after another"


WENT = "where the others went"
APART = "each by itself"
"""The group of units each of which is sent by itself."""
Group = list[tuple[Piece, int]]


class Sent(NamedTuple):
    """Like routed units, where they go or what becomes of them, and who picked the area, if it was picked."""

    unit: Piece
    n: int
    to: str | Fate
    by: str = ""


may_go: YesNo[[Piece, str, str, Cause]] = YesNo("rout.may-go", "may {0} be routed from {1} to {2}?", "{0} may be routed to {2}", "{0} cannot be routed to {2}")
instead: Question[[Piece, Cause], Instead] = Question("rout.instead", "what does {0}, routed by {1}, do?")
group_of: Question[[Piece, str, Cause], str] = Question("rout.group", "with whom does {0} go when routed?")
sender: Question[[Piece, Cause], str] = Question("rout.sender", "who sends {0} away?", chooser="sent")
pace: Question[[], Pace] = Question("rout.once", "how are routs of several groups carried out?")
waits: YesNo[[Piece]] = YesNo("rout.waits", "does {0} wait until it is known where the others are routed?", presumed=False)
stuck: Question[[Piece, str, Cause], Fate] = Question("rout.stuck", "what becomes of {0}, routed in {1} with nowhere to go?")


@may_go.default("rout.area.1")
def next_area(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """A routed unit goes to an adjacent area."""
    return to in g.state.board.beside(here)


@may_go.forbids("rout.enemies.2")
def not_onto_the_foe(g: Play, unit: Piece, here: str, to: str, cause: Cause) -> Said[bool]:
    """Routed units cannot be sent into an area that holds units of the side they have just fought."""
    return True if cause.by is By.BATTLE and any(side(g, p, to) == cause.side for p, _ in g.state.at(to)) else SILENT


@instead.default("rout.leave.1")
def leaves(g: Play, unit: Piece, cause: Cause) -> Said[Instead]:
    """A routed unit leaves its area."""
    return Instead.LEAVES


@group_of.default("rout.group.1")
def by_side(g: Play, unit: Piece, here: str, cause: Cause) -> Said[str]:
    """All routed units of one side go to one and the same area, as long as there is one that each of them may enter."""
    return side(g, unit, here)


@group_of.default("rout.group.2")
def each_by_itself(g: Play, unit: Piece, here: str, cause: Cause) -> Said[str]:
    """Each routed unit is sent to an area of its own, whatever the others do."""
    return APART


@pace.default("rout.once.1")
def from_the_same_map(g: Play) -> Said[Pace]:
    """Routs that come from one cause are all worked out from the same map before any unit is moved."""
    return Pace.SAME_MAP


@pace.default("rout.once.2")
def one_after_another(g: Play) -> Said[Pace]:
    """Routs that come from one cause are carried out one group after another, in the order that the side picks which routs them."""
    return Pace.IN_TURN


@sender.default("rout.sender.1")
def router_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """The side that routs a unit picks the area it goes to; the player who controls that side picks for it."""
    return cause.controller or cause.side


@sender.default("rout.sender.2")
def owner_sends(g: Play, unit: Piece, cause: Cause) -> Said[str]:
    """The owner of a routed unit picks the area it goes to; for a unit of nobody the side that routs it picks."""
    return unit.owner or cause.controller or cause.side


@stuck.default("rout.stuck.1")
def eliminated(g: Play, unit: Piece, here: str, cause: Cause) -> Said[Fate]:
    """A routed unit that may enter no area is eliminated."""
    return Fate.ELIMINATED


@stuck.default("rout.stuck.2")
def killed(g: Play, unit: Piece, here: str, cause: Cause) -> Said[Fate]:
    """A routed unit that may enter no area is killed."""
    return Fate.KILLED


@stuck.default("rout.stuck.3")
def stays(g: Play, unit: Piece, here: str, cause: Cause) -> Said[Fate]:
    """A routed unit that may enter no area stays where it is."""
    return Fate.STAYS


def ways_out(g: Play, unit: Piece, here: str, cause: Cause) -> list[str]:
    """The areas a routed unit may be sent to."""
    return [a for a in g.state.board.places if a != here and may_go(g, unit, here, a, cause)]


def leaves_here(g: Play, here: str, unit: Piece, n: int, cause: Cause) -> bool:
    """Whether routed units leave their area for another; what they do instead is carried out."""
    does = instead(g, unit, cause)
    match does:
        case Instead.PEN:
            enslave(g, here, unit, n)
        case Instead.POWER | Instead.VP:
            g.did("stays", f"{g.name(unit, n)} {'stays' if n == 1 else 'stay'} in {here}", unit, n, here)
            spend(g, unit.owner, n, "power" if does is Instead.POWER else "vp")
    return does is Instead.LEAVES


def rout(g: Play, here: str, units: Iterable[tuple[Piece, int]], cause: Cause) -> None:
    """Routs units out of an area."""
    groups: dict[str, Group] = {}
    for unit, n in units:
        if affects(g, unit, ROUT, cause) and leaves_here(g, here, unit, n, cause):
            groups.setdefault(group_of(g, unit, here, cause), []).append((unit, n))
        elif g.state.count(here, unit):
            g.did("unaffected", f"{g.name(unit, n)} {are(n)} not routed", unit, n, here)
    if len(groups) < 2 or pace(g) is Pace.SAME_MAP:
        for sent in [work_out(g, here, of, group, cause) for of, group in groups.items()]:
            carry_out(g, here, sent, cause)
        return
    for of in g.choose(cause.controller or cause.side, "whose routs come first", tuple(permutations(groups))):
        carry_out(g, here, work_out(g, here, of, groups[of], cause), cause)


def touched_by_rout(g: Play, here: str, units: Iterable[Piece], cause: Cause) -> Touches | None:
    """All that a rout of some units out of an area can change; None where it may do more than move them."""
    touched: set[Piece] = set()
    senders, groups = set(), set()
    for unit in units:
        if not affects(g, unit, ROUT, cause):
            continue
        if instead(g, unit, cause) is not Instead.LEAVES or not ways_out(g, unit, here, cause) or displaced.due(g, unit, ROUT, cause):
            return None
        groups.add(group_of(g, unit, here, cause))
        senders.add(sender(g, unit, cause))
        touched.add(unit)
    if len(groups) > 1 and pace(g) is not Pace.SAME_MAP:
        return None
    sent = {("sent", unit.marked("by", who)) for unit in touched for who in senders}
    return Touches(frozenset(touched), frozenset({("routed", unit) for unit in touched} | sent))


def work_out(g: Play, here: str, of: str, group: Group, cause: Cause) -> list[Sent]:
    """Where each unit of a group goes, or what becomes of it, as the map is now; units that wait for others come after them."""
    late = [(unit, n) for unit, n in group if waits(g, unit)]
    if not late or len(late) == len(group):
        return send(g, here, of, group, cause)
    sent = send(g, here, of, [like for like in group if like not in late], cause)
    went = [(s.unit.owner, s.to) for s in sent if not isinstance(s.to, Fate)]
    return sent + after(g, went, lambda: send(g, here, of, late, cause))


def after(g: Play, went: Iterable[tuple[str, str]], then: Callable[[], list[Sent]]) -> list[Sent]:
    """What is worked out while it is known where units of some owners were routed just now."""
    flags = [(WENT, owner, area) for owner, area in went]
    for flag in flags:
        g.state = g.state.flagged(*flag)
    sent = then()
    for flag in flags:
        g.state = g.state.unflagged(*flag)
    return sent


def send(g: Play, here: str, of: str, group: Group, cause: Cause) -> list[Sent]:
    """Where each unit of a group goes, or what becomes of it, none of which waits for another."""
    ways = {unit: ways_out(g, unit, here, cause) for unit, _ in group}
    free = [unit for unit in ways if ways[unit]]
    common = sorted(set.intersection(*(set(ways[unit]) for unit in free))) if free else []
    by = ""
    if len(free) > 1 and common and of != APART:
        by = sender(g, free[0], cause) if len(common) > 1 else ""
        to = g.choose(by, f"where the routed units of {of} go" if of else "where the routed units go", common)
        ways.update({unit: [to] for unit in free})
    sent: list[Sent] = []
    for unit, n in group:
        if not ways[unit]:
            sent.append(Sent(unit, n, stuck(g, unit, here, cause)))
        elif len(ways[unit]) == 1:
            sent.append(Sent(unit, n, ways[unit][0], by))
        else:
            who = sender(g, unit, cause)
            spread = combinations_with_replacement(ways[unit], n) if of == APART and n > 1 else [(a,) for a in ways[unit]]
            areas = g.choose(who, f"where {g.name(unit, n)} {are(n)} routed", spread)
            split = Counter(areas) if len(areas) > 1 else {areas[0]: n}
            sent += [Sent(unit, k, a, who) for a, k in split.items()]
    return sent


def carry_out(g: Play, here: str, sent: list[Sent], cause: Cause) -> None:
    """Moves routed units to where they are sent, and has befall the others what becomes of them."""
    no_way = Cause(By.NO_WAY_OUT, "", cause.side, cause.controller)
    for unit, n, to, by in sent:
        match to:
            case Fate.KILLED:
                kill(g, here, unit, n, no_way)
            case Fate.ELIMINATED:
                eliminate(g, here, unit, n, no_way)
            case Fate.STAYS:
                g.did("stays", f"{g.name(unit, n)} {'stays' if n == 1 else 'stay'} in {here}", unit, n, here)
            case _:
                send_to(g, here, unit, to, n, by)
                displaced(g, unit, ROUT, cause)

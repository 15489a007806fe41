"""Clauses, the questions they answer, and the rulebook that holds them.

A rulebook makes five kinds of statement and so has the engine: defaults, exceptions that name what they displace, forbids and permits,
procedures (actions, steps, parts, moments), and silence.  Rules only mark their functions here; a Rulebook decides which of them stand.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import permutations
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar

from .state import Vocabulary
from .trace import Asked, Cite
from .veil import Touches

if TYPE_CHECKING:
    from .play import Play

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

TIERS = ("printed", "faq", "owner", "community", "assumed", "silent")
NOTES = ("number", "setup", "advice", "term", "open", "unplayed")
DECIDING = ("exception", "forbids", "permits", "part", "moment")


class Silent(Enum):
    SILENT = "silent"


SILENT = Silent.SILENT
Said: TypeAlias = R | Silent
Code: TypeAlias = "Callable[Concatenate[Play, P], R | Silent]"


class Unanswered(Exception):
    """No clause that stands answers a question; says is one sentence for the reader."""

    def __init__(self, says: str) -> None:
        super().__init__(says)
        self.says = says


@dataclass(frozen=True)
class Mark:
    """What a decorator writes on a function: the clause's id, the kind of statement, and where it belongs."""

    id: str
    kind: str
    question: str = ""
    of: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    says: str = ""
    when: Callable[..., bool] | None = None
    action: Any = None
    chooser: str | None = None
    apart: Callable[..., Touches | None] | None = None
    loose: Callable[..., Touches] | None = None


@dataclass(frozen=True, eq=False)
class Dispute:
    """A reading as it bears on one question: the rivals that do not stand now, and whether every rival answers this question."""

    reading: str
    others: tuple[Clause, ...]
    whole: bool

    def matters(self, g: Play, args: tuple[Any, ...], spoken: list[tuple[Clause, Any]]) -> bool:
        """Whether another rival would say something else here."""
        now = next(((c, said) for c, said in spoken if c.reading == self.reading), None)
        if now is not None and not self.whole:
            return True
        for c in self.others:
            said = g.aside(c.code, args)
            if now is None and said is not SILENT:
                return True
            if now is not None and (said, c.mark.kind, c.mark.overrides) != (now[1], now[0].mark.kind, now[0].mark.overrides):
                return True
        return False


@dataclass(frozen=True)
class Answer(Generic[R]):
    """The value of a question and the clauses that spoke to it, each with its role."""

    value: R
    cites: tuple[Cite, ...]

    @property
    def against(self) -> tuple[str, ...]:
        """The clauses that forbade."""
        return tuple(c.id for c in self.cites if c.role == "forbids")


class Question(Generic[P, R]):
    """A value that the rules decide.

    id names the question; asks, yes and no are sentences with the arguments' places ({0}, {1}): the question itself and, where it
    has them, the two answers.  The first argument's kind (or the argument, when it is a word) selects the clauses (`of=`).
    chooser: the answer only names who makes a choice, and shows nowhere but in this entry of the ledger.
    """

    def __init__(self, id: str, asks: str, yes: str = "", no: str = "", chooser: str | None = None) -> None:
        self.id, self.asks, self.yes, self.no, self.chooser = id, asks, yes, no, chooser

    def _mark(self, kind: str, id: str, overrides: tuple[str, ...], of: tuple[str, ...]) -> Callable[[Code[P, R]], Code[P, R]]:
        def wrap(code: Code[P, R]) -> Code[P, R]:
            code.__clause__ = Mark(id, kind, self.id, of, overrides, chooser=self.chooser)  # type: ignore[attr-defined]
            return code
        return wrap

    def default(self, id: str, of: tuple[str, ...] = ()) -> Callable[[Code[P, R]], Code[P, R]]:
        """X is so."""
        return self._mark("default", id, (), of)

    def exception(self, id: str, *overrides: str, of: tuple[str, ...] = ()) -> Callable[[Code[P, R]], Code[P, R]]:
        """Except that: displaces the clauses it names, wherever both speak."""
        return self._mark("exception", id, overrides, of)

    def heard(self, g: Play, first: Any) -> bool:
        """Whether some clause that stands may speak where the first argument is this."""
        return bool(g.book.speaking(self.id, getattr(first, "kind", first))[0])

    def weigh(self, g: Play, args: tuple[Any, ...]) -> tuple[list[tuple[Clause, Any]], list[tuple[Clause, Any]]]:
        """The clauses that spoke with what they said: those that stand, and those that one of them displaces by name."""
        first = args[0] if args else ""
        voices, disputes = g.book.speaking(self.id, getattr(first, "kind", first))
        spoken = []
        for c in voices:
            said = c.code(g, *args)
            if said is not SILENT:
                spoken.append((c, said))
                g.spoke.add(c.id)
        if disputes and g.watches and g.trace is None:
            for dispute in disputes:
                if dispute.reading not in g.readings and dispute.matters(g, args, spoken):
                    g.readings.add(dispute.reading)
        if len(spoken) < 2:
            return spoken, []
        beaten: set[str] = set()
        standing, overruled = [], []
        for c, said in spoken:
            if c.id in beaten:
                overruled.append((c, said))
            else:
                beaten.update(c.mark.overrides)
                standing.append((c, said))
        if overruled:
            g.overruled.update((c.id, lost.id) for c, _ in standing for lost, _ in overruled if lost.id in c.mark.overrides)
        return standing, overruled

    def settle(self, g: Play, args: tuple[Any, ...], givers: list[tuple[Clause, Any]], cites: list[Cite]) -> Any:
        """One value from the clauses that give one: the highest tier stands over the lower; equals that differ are an undeclared reading."""
        if not givers:
            raise Unanswered("The sources do not say: " + g.sentence(self.asks, args))
        best = min(c.rank for c, _ in givers)
        value = next(said for c, said in givers if c.rank == best)
        differ = [c for c, said in givers if c.rank == best and said != value]
        if differ:
            g.undeclared.add((self.id, *sorted(c.id for c, said in givers if c.rank == best)))
        for c, said in givers:
            cites.append(Cite(c.id, ("reading" if c.reading else c.mark.kind) if said == value else "overruled"))
        return value

    def answer(self, g: Play, *args: P.args, **kw: P.kwargs) -> Answer[R]:
        """The value with its clauses.  Raises Unanswered when no clause that stands speaks."""
        standing, overruled = self.weigh(g, args)
        cites: list[Cite] = []
        value = self.settle(g, args, standing, cites)
        return Answer(value, (*cites, *(Cite(c.id, "overruled") for c, _ in overruled)))

    def __call__(self, g: Play, *args: P.args, **kw: P.kwargs) -> R:
        """The value.  Raises Unanswered when no clause that stands speaks."""
        if g.trace is None:
            return self.value(g, args)
        found = self.answer(g, *args, **kw)
        g.trace.asks(Asked(self.id, args, found.value, self.says(g, args, found.value), found.cites))
        return found.value

    def value(self, g: Play, args: tuple[Any, ...]) -> R:
        """As answer, without the clauses."""
        standing, _ = self.weigh(g, args)
        found: R = standing[0][1] if len(standing) == 1 else self.settle(g, args, standing, [])
        return found

    def says(self, g: Play, args: tuple[Any, ...], value: Any) -> str:
        """The answer as a sentence."""
        if value is True and self.yes:
            return g.sentence(self.yes, args)
        if value is False and self.no:
            return g.sentence(self.no, args)
        return f"{g.sentence(self.asks, args)} {g.word(value)}"


class YesNo(Question[P, bool]):
    """A yes or no on one candidate: what is given, widened by permits, narrowed by forbids.

    A permits or forbids function returns True where it bites and SILENT elsewhere.  Where both bite, the higher tier stands over the
    lower; between equals the forbidding one stands.  `presumed` is the answer where no default speaks.
    """

    def __init__(self, id: str, asks: str, yes: str = "", no: str = "", presumed: bool | None = None) -> None:
        super().__init__(id, asks, yes, no)
        self.presumed = presumed

    def permits(self, id: str, *overrides: str, of: tuple[str, ...] = ()) -> Callable[[Code[P, bool]], Code[P, bool]]:
        """Widens."""
        return self._mark("permits", id, overrides, of)

    def forbids(self, id: str, *overrides: str, of: tuple[str, ...] = ()) -> Callable[[Code[P, bool]], Code[P, bool]]:
        """Narrows."""
        return self._mark("forbids", id, overrides, of)

    def value(self, g: Play, args: tuple[Any, ...]) -> bool:
        standing, overruled = self.weigh(g, args)
        if len(standing) == 1 and standing[0][0].mark.kind in ("default", "exception"):
            return bool(standing[0][1])
        if not standing and self.presumed is not None:
            return self.presumed
        return self.judge(g, args, standing, overruled).value

    def answer(self, g: Play, *args: P.args, **kw: P.kwargs) -> Answer[bool]:
        return self.judge(g, args, *self.weigh(g, args))

    def judge(self, g: Play, args: tuple[Any, ...], standing: list[tuple[Clause, Any]], overruled: list[tuple[Clause, Any]]) -> Answer[bool]:
        """Yes or no from the clauses that spoke, with each one's role."""
        cites: list[Cite] = []
        givers = [p for p in standing if p[0].mark.kind in ("default", "exception")]
        given = self.settle(g, args, givers, cites) if givers or self.presumed is None else self.presumed
        permits = [c for c, said in standing if c.mark.kind == "permits" and said]
        forbids = [c for c, said in standing if c.mark.kind == "forbids" and said]
        lost = [c for c, _ in overruled]
        if permits and forbids:
            high_p, high_f = min(c.rank for c in permits), min(c.rank for c in forbids)
            if high_p < high_f:
                lost, forbids = lost + forbids, []
            else:
                lost, permits = lost + permits, []
        value = False if forbids else True if permits else bool(given)
        cites += [Cite(c.id, "forbids") for c in forbids]
        cites += [Cite(c.id, "considered" if given and not lost else "permits") for c in permits]
        return Answer(value, (*cites, *(Cite(c.id, "overruled") for c in lost)))


class Part(Generic[P]):
    """A piece of a procedure that carries out one clause: calling it plays it if the play's book lets the clause stand."""

    def __init__(self, id: str, code: Callable[Concatenate[Play, P], None]) -> None:
        self.__clause__, self.code = Mark(id, "part"), code
        self.__module__, self.__doc__ = code.__module__, code.__doc__

    def __call__(self, g: Play, *args: P.args, **kw: P.kwargs) -> None:
        id = self.__clause__.id
        g.readings.update(g.book.disputes(id))
        if not g.book.stands(id):
            return
        g.spoke.add(id)
        if g.trace is None:
            self.code(g, *args, **kw)
            return
        g.trace.scope.append(Cite(id, "part"))
        try:
            self.code(g, *args, **kw)
        finally:
            g.trace.scope.pop()


def part(id: str) -> Callable[[Callable[Concatenate[Play, P], None]], Part[P]]:
    """Marks a piece of a procedure."""
    return lambda code: Part(id, code)


class Moment(Generic[P]):
    """A named moment of a procedure.  What is due then is played, each as a step of its own; who says, where several are due."""

    def __init__(self, id: str, who: Callable[Concatenate[Play, P], str]) -> None:
        self.id, self.who = id, who

    def at(self, id: str, when: Callable[Concatenate[Play, P], bool]) -> Callable[[F], F]:
        """Marks what happens at this moment, where `when` holds."""
        def wrap(code: F) -> F:
            code.__clause__ = Mark(id, "moment", self.id, when=when)  # type: ignore[attr-defined]
            return code
        return wrap

    def due(self, g: Play, *args: P.args, **kw: P.kwargs) -> tuple[str, ...]:
        """The clauses of what is due at this moment."""
        voices, disputes = g.book.speaking(self.id, "")
        g.readings.update(d.reading for d in disputes)
        return tuple(c.id for c in voices if c.mark.when is not None and c.mark.when(g, *args, **kw))

    def __call__(self, g: Play, *args: P.args, **kw: P.kwargs) -> None:
        due = self.due(g, *args, **kw)
        if len(due) > 1:
            due = g.choose(self.who(g, *args, **kw), "what comes first", tuple(permutations(due)))
        for id in reversed(due):
            g.spoke.add(id)
            g.then_clause(id, *args)


class Action(Generic[P]):
    """Something a player may do: its procedure, its sentence, and its yes-or-no question `may`, asked before anything changes."""

    def __init__(self, id: str, says: str, code: Callable[Concatenate[Play, P], None], sort: str = "") -> None:
        self.id, self.code, self.sort = id, code, sort
        self.__module__, self.__doc__ = code.__module__, code.__doc__
        self.__clause__ = Mark(id, "step", says=says, action=self)
        self.may: YesNo[P] = YesNo("may " + id, "may this be done: " + says, presumed=True)

    def forbids(self, id: str, *overrides: str) -> Callable[[Code[P, bool]], Code[P, bool]]:
        """Marks a prerequisite: True where it is not met."""
        return self.may.forbids(id, *overrides)

    def permits(self, id: str, *overrides: str) -> Callable[[Code[P, bool]], Code[P, bool]]:
        """Marks a leave given in spite of the prerequisites it names."""
        return self.may.permits(id, *overrides)

    def allowed(self, g: Play, *args: P.args, **kw: P.kwargs) -> Answer[bool]:
        """Whether this may be done here, and the clauses that forbid it."""
        own = self.may.answer(g, *args, **kw)
        every = every_action.answer(g, self.id, args)
        return Answer(own.value and every.value, own.cites + every.cites)


every_action: YesNo[[str, tuple[Any, ...]]] = YesNo("act", "may {0} be done by {1}?", presumed=True)
after_action: Moment[[str, tuple[Any, ...]]] = Moment("after an action", lambda g, action, args: "")
"""When an action with all its steps is done; what is due then is settled before it is begun."""


def action(id: str, says: str, sort: str = "") -> Callable[[Callable[Concatenate[Play, P], None]], Action[P]]:
    """Marks a procedure that a player may start; says is its sentence, the slots in the order of the arguments; sort is a word of the game's own."""
    return lambda code: Action(id, says, code, sort)


def step(id: str, apart: Callable[..., Touches | None] | None = None, loose: Callable[..., Touches] | None = None) -> Callable[[F], F]:
    """Marks a step of a procedure.

    apart is a function of the play and the step's arguments that says all that the step can touch, or None where it may do more.  It
    looks at kinds (`may_hold`), never at how many there are.  Where nothing reads what is touched, the solver need not play the step.
    loose is a function of the same that says what of it may be of no account where the rest is: what differs in nothing else is one.
    """
    def wrap(code: F) -> F:
        code.__clause__ = Mark(id, "step", apart=apart, loose=loose)  # type: ignore[attr-defined]
        return code
    return wrap


def claim(says: str, reads: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Marks a function of a state and its slots that is true or false of an end; reads names the ledger's entries it looks at."""
    def wrap(code: F) -> F:
        code.__claim__ = (says, reads)  # type: ignore[attr-defined]
        return code
    return wrap


def variation(says: str) -> Callable[[F], F]:
    """Marks a function of a play that yields what may be varied in its position, one thing at a time: (in a few words, the position with it)."""
    def wrap(code: F) -> F:
        code.__variation__ = says  # type: ignore[attr-defined]
        return code
    return wrap


def _unspoken(*args: Any) -> Silent:
    return SILENT


@dataclass(frozen=True, eq=False)
class Clause:
    """One claim of the rules, in the project's words, and the one place in code that carries it out, if there is one."""

    id: str
    text: str
    page: str
    heading: str = ""
    line: int = 0
    tier: str = "printed"
    passages: tuple[str, ...] = ()
    restates: tuple[str, ...] = ()
    reading: str = ""
    base: bool = False
    why: str = ""
    source: str = ""
    note: str = ""
    mark: Mark = Mark("", "")
    code: Callable[..., Any] = _unspoken
    module: str = ""
    asks: tuple[str, ...] = ()
    """How players ask for it."""

    @property
    def rank(self) -> int:
        """The tier as a number, 0 the highest; printed and faq rank equal."""
        return max(0, TIERS.index(self.tier) - 1)


@dataclass(frozen=True)
class Field:
    """One field of a card: its value as printed words (None: worked out by its clause), and the clause; silent when the sources do not say."""

    value: str | None
    clause: str = ""
    silent: bool = False


@dataclass(frozen=True, eq=False)
class Unit:
    """A kind of unit: its plural, its page, and its fields (class, cost, combat, pieces)."""

    kind: str
    plural: str
    page: str
    fields: Mapping[str, Field]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Page:
    """One page of the book."""

    id: str
    title: str
    kind: str
    path: str
    names: tuple[str, ...]
    front: Mapping[str, Any]
    card: Mapping[str, Field]
    clauses: tuple[str, ...]
    html: str
    headings: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Rulebook:
    """Everything a play is judged by.  A value: without() and turned() give new ones.  Compares by identity.

    It pickles as its recipe (package, clauses struck, readings chosen), from which `again` makes it anew.
    """

    package: str
    vocabulary: Vocabulary
    pages: Mapping[str, Page]
    clauses: Mapping[str, Clause]
    units: Mapping[str, Unit]
    actions: Mapping[str, Action[Any]]
    claims: Mapping[str, tuple[Callable[..., Any], tuple[str, ...]]]
    scenarios: Mapping[str, Any]
    readings: Mapping[str, tuple[str, ...]]
    again: Callable[[str, frozenset[str], dict[str, str]], Rulebook]
    variations: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    struck: frozenset[str] = frozenset()
    chosen: Mapping[str, str] = field(default_factory=dict)
    _index: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return self.again, (self.package, self.struck, dict(self.chosen))

    def stands(self, id: str) -> bool:
        """Whether a clause is neither struck out nor the rival of the reading that is chosen."""
        key = "stands", id
        if key not in self._index:
            c = self.clauses.get(id)
            self._index[key] = id not in self.struck and (c is None or not c.reading or self.choice(c.reading) == id)
        return bool(self._index[key])

    def choice(self, reading: str) -> str:
        """The clause that stands for a reading: the one chosen, else its base, else the first."""
        rivals = self.readings[reading]
        return self.chosen.get(reading) or next((id for id in rivals if self.clauses[id].base), rivals[0])

    def based(self, reading: str) -> bool:
        """Whether a reading has a base."""
        return any(self.clauses[id].base for id in self.readings[reading])

    def disputes(self, id: str) -> tuple[str, ...]:
        """The reading that a clause belongs to, as a tuple of none or one."""
        c = self.clauses.get(id)
        return (c.reading,) if c is not None and c.reading else ()

    def speaking(self, question: str, kind: str) -> tuple[tuple[Clause, ...], tuple[Dispute, ...]]:
        """The clauses that stand and may speak to a question about a kind, overriding ones first, and the readings that bear on it."""
        key = question, kind
        if key not in self._index:
            if "questions" not in self._index:
                by: dict[str, list[Clause]] = {}
                for c in self.clauses.values():
                    if c.mark.question:
                        by.setdefault(c.mark.question, []).append(c)
                self._index["questions"] = by
            of = [c for c in self._index["questions"].get(question, ()) if not c.mark.of or kind in c.mark.of]
            voices = overriding_first([c for c in of if self.stands(c.id)])
            self._index[key] = voices, tuple(self.dispute(reading, of) for reading in sorted({c.reading for c in of if c.reading}))
        found: tuple[tuple[Clause, ...], tuple[Dispute, ...]] = self._index[key]
        return found

    def dispute(self, reading: str, of: Sequence[Clause]) -> Dispute:
        """A reading as it bears on a question that these clauses may answer."""
        rivals = [c for c in of if c.reading == reading]
        others = tuple(c for c in rivals if c.id not in self.struck and c.id != self.choice(reading))
        return Dispute(reading, others, len(rivals) == len(self.readings[reading]))

    def without(self, *ids: str) -> Rulebook:
        """The book with clauses struck out; one without code strikes what it restates."""
        out: set[str] = set()
        left = list(ids)
        while left:
            c = self.clauses[left.pop()]
            if c.id not in out:
                out.add(c.id)
                left += c.restates if c.mark.kind == "" else ()
        return replace(self, struck=self.struck | out, _index={})

    def turned(self, choices: Mapping[str, str]) -> Rulebook:
        """The book with other readings chosen: reading -> clause id."""
        return replace(self, chosen={**self.chosen, **choices}, _index={})

    def unit(self, kind: str) -> Unit | None:
        """A kind of unit, or None."""
        return self.units.get(kind)

    def page_of(self, id: str) -> Page:
        """The page that a clause stands on.  Raises KeyError for an unknown id."""
        if "pages of" not in self._index:
            self._index["pages of"] = {c: page for page in self.pages.values() for c in page.clauses}
        found: Page = self._index["pages of"][id]
        return found

    def plural(self, kind: str) -> str:
        """The plural of a kind of unit."""
        if kind in self.units:
            return self.units[kind].plural
        return self.vocabulary.stand_ins.get(kind, (kind + "s", ""))[0]


def overriding_first(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """The clauses in an order in which each stands before those it displaces.  Raises ValueError on a cycle, naming it."""
    by = {c.id: c for c in clauses}
    done: dict[str, Clause] = {}
    path: list[str] = []

    def visit(c: Clause) -> None:
        if c.id in done:
            return
        if c.id in path:
            raise ValueError(" overrides ".join([c.id, *reversed(path[path.index(c.id):])]))
        path.append(c.id)
        for other in by.values():
            if c.id in other.mark.overrides:
                visit(other)
        path.pop()
        done[c.id] = c

    for c in by.values():
        visit(c)
    return tuple(done.values())

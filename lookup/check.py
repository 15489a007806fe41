"""Holds the text, the code and the scenarios of a knowledge package against one another; what is wrong is told in one line each."""
from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as altered
from importlib import resources
from itertools import product
from typing import Any

from . import sources as printed
from .book import BadBook, load, where_of
from .engine.clause import DECIDING, NOTES, Clause, Rulebook
from .engine.graph import Bounds, Budget, Claim, Solver
from .engine.play import TooBig
from .engine.solve import Solved
from .engine.state import State
from .nearest import meant
from .plain import BadText, Table, line_of
from .scenario import Played, Scenario, begun, play, shipped
from .sentence import EITHER, SLOT, Names, Pattern, action_patterns, claim_patterns, kind_words, known_areas, known_players, listed, match
from .shelf import asks_of

SCHEMA = "lawspeaker.check/1"
FILE = "marks.toml"
MARKS = ("restates", *NOTES, "silent")
NO_RULE = 10
AT_ONCE, RUNS, SECONDS = 20_000, 200_000, 120.0

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Outcome:
    """What a solve found: the bounds with silence counted against each claim and for it, the ends, and whether the rules fell silent."""

    low: Bounds
    high: Bounds
    ends: frozenset[State]
    silent: bool

    def claims_differ(self, other: Outcome) -> bool:
        """Whether some claim's least or greatest is another for certain, however a silence is filled."""
        return any(max(a[k], c[k]) > min(b[k], d[k]) for a, b, c, d in zip(self.low, self.high, other.low, other.high) for k in (0, 1))

    def differs(self, other: Outcome) -> bool:
        """Whether a claim or the set of ends is another for certain; ends that are missing for a silence do not count."""
        return self.claims_differ(other) or bool(not self.silent and other.ends - self.ends) or bool(not other.silent and self.ends - other.ends)


class Ending(Solver):
    """A solver that keeps the ends it meets, without the clauses that a refusal cites."""

    def __init__(self, book: Rulebook, claims: Sequence[Claim], keeps: frozenset[str], budget: Budget) -> None:
        super().__init__(book, claims, keeps, budget, apart=False, watches=False)
        self.ends: set[State] = set()

    def ended(self, state: State) -> None:
        self.ends.add(altered(state, flags=frozenset(f[:2] if f[0] == "refused" else f for f in state.flags)))


@dataclass(frozen=True)
class Shown:
    """A shipped scenario that was played."""

    scenario: Scenario
    played: Played

    @property
    def solved(self) -> Solved:
        """What the solver said of it."""
        return self.played.solved

    def outcome(self, book: Rulebook) -> Outcome:
        """What comes of its position in another book.  Raises TooBig past the bound."""
        state, tape = begun(book, self.scenario, strict=False)
        solver = Ending(book, [w.holds for w in self.scenario.wants], self.scenario.keeps, Budget(RUNS, SECONDS))
        low, high = solver.start(state, tape)
        return Outcome(low, high, frozenset(solver.ends), bool(solver.log.silent))


@dataclass
class Checker:
    """One check of one book, the faults it has found, and the scenarios it has played."""

    book: Rulebook
    progress: Progress | None = None
    faults: list[str] = field(default_factory=list)
    shown: dict[str, Shown] = field(default_factory=dict)
    bases: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    done: int = 0
    to_do: int = 0

    def wrong(self, where: str, what: str) -> None:
        """Notes a fault."""
        self.faults.append(f"{where}: {what}")

    def at(self, c: Clause) -> str:
        """Where a clause stands in the text."""
        return f"{c.page}:{c.line}"

    def file(self, name: str) -> str:
        """A file at the top of the package."""
        return f"{self.book.package.replace('.', '/')}/{name}"

    def tell(self, what: str) -> None:
        """Says how far the check is."""
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.to_do, what)

    def counted(self) -> list[Clause]:
        """The clauses that sensitivity is asked of."""
        return [c for c in self.book.clauses.values() if c.mark.kind in DECIDING]

    def rulings(self) -> list[Clause]:
        """The clauses that settle a question."""
        return [self.book.clauses[id] for page in self.book.pages.values() if page.kind == "faq" for id in page.clauses]

    def report(self) -> dict[str, Any]:
        """The whole report."""
        self.to_do = len(self.book.scenarios) + len(self.counted())
        listing = self.listing()
        passages = self.passages()
        clauses, marks = self.places(listing.get("marks", {}))
        self.docstrings()
        self.sentences()
        scenarios = self.scenarios()
        undeclared = self.undeclared()
        self.met()
        return {
            "schema": SCHEMA,
            "passages": passages,
            "clauses": clauses,
            "marks": marks,
            "asks": self.asks(),
            "rulings": self.proofs(),
            "scenarios": scenarios,
            "sensitivity": self.sensitivity(listing.get("insensitive", {})),
            "readings": {"declared": len(self.book.readings), "undeclared": undeclared},
            "faults": self.faults,
        }

    def listing(self) -> dict[str, Any]:
        """The file of marks: how many clauses carry each, and the clauses that no scenario can show, with the reason."""
        where = self.file(FILE)
        try:
            data = tomllib.loads((resources.files(self.book.package) / FILE).read_text(encoding="utf-8"))
        except OSError:
            self.wrong(where, "no such file; it counts the clauses that carry each mark")
            return {}
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
            self.wrong(where, " ".join(str(e).split()))
            return {}
        for key in set(data) - {"marks", "insensitive"}:
            self.wrong(where, f"no table [{key}]{meant(key, ('marks', 'insensitive'))}")
        return {key: value for key, value in data.items() if isinstance(value, dict)}

    def passages(self) -> dict[str, int]:
        """Every passage is restated by a clause or is no rule, and every passage that a clause names is printed."""
        where = self.file(printed.FILE)
        try:
            sources = printed.load(self.book.package)
        except printed.SourcesError as e:
            self.faults.append(str(e))
            return {"restated": 0, "no_rule": 0, "of": 0}
        faq = {c.id for c in self.rulings()}
        restated: dict[str, str] = {}
        for c in self.book.clauses.values():
            for id in c.passages:
                if id not in sources.passages:
                    self.wrong(self.at(c), f"{c.id} names the passage {id}, which is not printed{meant(id, sources.passages)}")
                restated.setdefault(id, c.id)
            most = 4 if c.id in faq and len({sources.passages[id].document for id in c.passages if id in sources.passages}) > 1 else 2
            if len(c.passages) > most:
                self.wrong(self.at(c), f"{c.id} names {len(c.passages)} passages, and {most} are the most")
        for id in sources.passages:
            if id not in restated and id not in sources.no_rule:
                self.wrong(where, f"{id} is restated by no clause; name it in a clause's from=, or under [no_rule] with why")
            if id in restated and id in sources.no_rule:
                self.wrong(where, f"{id} is no rule, and {restated[id]} restates it; one of the two is wrong")
        if len(sources.no_rule) > NO_RULE:
            self.wrong(where, f"{len(sources.no_rule)} passages are no rule, and {NO_RULE} are the most")
        return {"restated": sum(id in restated for id in sources.passages), "no_rule": len(sources.no_rule), "of": len(sources.passages)}

    def places(self, allowed: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, int]]:
        """Every clause has one place in code or one mark, and no mark stands more often than the file allows."""
        faq = {c.id for c in self.rulings()}
        marks: Counter[str] = Counter()
        coded = bare = 0
        for c in self.book.clauses.values():
            carried = marks_of(c)
            if c.id in faq and carried[0] in ("advice", "open"):
                carried = carried[:1]
            if c.mark.kind:
                coded += 1
                if carried:
                    self.wrong(self.at(c), f"{c.id} has a place in {where_of(c.code, c.module)} and the mark {' and '.join(carried)}; take the mark off")
            elif not carried:
                bare += 1
                self.wrong(self.at(c), f"{c.id} has neither a place in code nor a mark; there is: {', '.join(MARKS)}")
            else:
                marks[carried[0]] += 1
                if len(carried) > 1:
                    self.wrong(self.at(c), f"{c.id} carries {' and '.join(carried)}; one mark says why it has no code")
        self.at_most(marks, allowed)
        counts = {"coded": coded, "marked": sum(marks.values()), "bare": bare, "open": marks["open"], "unplayed": marks["unplayed"], "silent": marks["silent"]}
        return counts, {mark: marks[mark] for mark in MARKS}

    def at_most(self, marks: Counter[str], allowed: Mapping[str, Any]) -> None:
        """Holds the marks against the file's counts."""
        where = self.file(FILE)
        for mark in set(allowed) - set(MARKS):
            self.wrong(where, f"no mark {mark!r}{meant(mark, MARKS)}")
        for mark in MARKS:
            most = allowed.get(mark, 0)
            if type(most) is not int or most < 0:
                self.wrong(where, f"{mark} should be a whole number, not {most!r}")
            elif marks[mark] > most:
                self.wrong(where, f"{marks[mark]} clauses carry {mark}, and {most} are the most; write their code, or take the mark off")
            elif marks[mark] < most:
                self.wrong(where, f"{marks[mark]} clauses carry {mark}; lower the {most} in this file, so that the count can only fall")

    def asks(self) -> dict[str, int]:
        """How many clauses and rulings say how players ask for them, and who of them does not; a rule that restates others leaves it to them.

        A package that says it of no clause at all is left alone.
        """
        faq = {c.id for c in self.rulings()}
        said = {c.id for c in self.book.clauses.values() if asks_of(self.book, c)}
        left = {c.id for c in self.book.clauses.values() if c.restates and c.id not in faq and c.id not in said}
        for c in self.book.clauses.values():
            if said and c.id not in said and c.id not in left:
                self.wrong(self.at(c), f"how players ask for {c.id} is said nowhere; add a line or two under it in {c.page.removesuffix('.md')}.asks.yaml")
        return {"clauses": len(said - faq), "rulings": len(said & faq), "left_to_what_they_restate": len(left), "of": len(self.book.clauses)}

    def docstrings(self) -> None:
        """What the code says of itself is the clause's text."""
        for c in self.book.clauses.values():
            said = " ".join((c.code.__doc__ or "").split()) if c.mark.kind else c.text
            if said != c.text:
                self.wrong(where_of(c.code, c.module), f"the docstring of {c.id} is {said!r}; {self.at(c)} says {c.text!r}")

    def sentences(self) -> None:
        """No sentence of an action or a claim fits two patterns, and each is understood."""
        names = Names(self.book, known_players(self.book), (*known_areas(self.book), "Area A"))
        words = samples(self.book, names)
        for what, patterns in (("action", action_patterns(self.book)), ("claim", claim_patterns(self.book))):
            for key, pattern in patterns.items():
                code = self.book.actions[key].code if what == "action" else self.book.claims[key][0]
                for sentence in filled(pattern, words, self.book):
                    try:
                        found, _ = match(sentence, patterns, names, what)
                        fault = "" if found == key else f"{sentence!r} is read as {patterns[found].plainly()}"
                    except ValueError as e:
                        fault = str(e)
                    if fault:
                        self.wrong(where_of(code, code.__module__), f"the sentence {pattern.says!r}: {fault}")
                        break

    def scenarios(self) -> dict[str, int]:
        """Every scenario is understood, and says what the solver finds."""
        passed = 0
        rulings = {c.id for c in self.rulings()}
        for id in self.book.scenarios:
            before = len(self.faults)
            self.scenario(id, rulings)
            passed += len(self.faults) == before
            self.tell(id)
        return {"passed": passed, "failed": len(self.book.scenarios) - passed}

    def scenario(self, id: str, rulings: set[str]) -> None:
        """Plays one scenario and holds it against its claims."""
        raw = self.book.scenarios[id]
        where = f"{raw['file']}:{line_of(raw)}"
        try:
            s = shipped(self.book, id)
            played = self.whole(s)
        except BadText as e:
            told = str(e)
            self.faults.append(told if told.startswith(raw["file"]) else f"{where}: {id}: {told}")
            return
        except TooBig as e:
            self.wrong(where, f"{id}: {e}")
            return
        except Exception as e:
            self.wrong(where, f"{id} breaks the rules' own code: {type(e).__name__}: {e}")
            return
        self.shown[id] = Shown(s, played)
        if not s.wants:
            self.wrong(where, f"{id} makes no claim")
        for w, v, holds in zip(s.wants, played.solved.verdicts, played.holds):
            line = line_of_claim(raw, w.says) or line_of(raw)
            if not w.value:
                self.wrong(f"{raw['file']}:{line}", f"{id}: {w.says!r} says no verdict; it is {verdict(v.word, v.least, v.greatest)}")
            elif not holds:
                self.wrong(f"{raw['file']}:{line}", f"{id}: {w.says!r} is {verdict(v.word, v.least, v.greatest)}, and the file says {w.value}")
        for ruling in s.proves:
            if ruling not in rulings:
                self.wrong(where, f"{id} proves {ruling}, which is no ruling{meant(ruling, rulings)}")

    def whole(self, s: Scenario) -> Played:
        """A scenario with all of it played, or, where that is too much, without what no claim reads.  Raises BadText, TooBig."""
        try:
            played = play(self.book, s, AT_ONCE, SECONDS, apart=False)
        except TooBig:
            return play(self.book, s, RUNS, SECONDS)
        return played if played.solved.whole else play(self.book, s, RUNS, SECONDS, apart=False)

    def undeclared(self) -> int:
        """How many undeclared readings the scenarios met."""
        met: dict[tuple[str, ...], str] = {}
        for id, s in self.shown.items():
            for question in s.solved.undeclared:
                met.setdefault(question, id)
        for question, id in met.items():
            raw = self.book.scenarios[id]
            what = f"{' and '.join(question[1:])} answer {question[0]!r} each otherwise; declare a reading, or let one displace the other"
            self.wrong(f"{raw['file']}:{line_of(raw)}", f"{id}: {what}")
        return len(met)

    def met(self) -> None:
        """Every clause with code speaks in some scenario, and every override is seen overruling."""
        spoke = {id for s in self.shown.values() for id in s.solved.spoke}
        overruled = {pair for s in self.shown.values() for pair in s.solved.overruled}
        for c in self.book.clauses.values():
            if not c.mark.kind:
                continue
            if c.id not in spoke:
                self.wrong(where_of(c.code, c.module), f"no scenario meets {c.id} ({c.mark.kind})")
                continue
            # Rivals of one reading never stand together, so displacing one of them is displacing what they answer.
            named = {id: self.book.clauses[id].reading or id for id in c.mark.overrides}
            seen = {named[id] for id in named if (c.id, id) in overruled}
            for what in sorted(set(named.values()) - seen):
                self.wrong(where_of(c.code, c.module), f"no scenario shows {c.id} displacing {' or '.join(id for id in named if named[id] == what)}")

    def outcome(self, id: str, book: Rulebook, key: str) -> Outcome:
        """What comes of a scenario in a book; kept under a key."""
        if (id, key) not in self.bases:
            self.bases[id, key] = self.shown[id].outcome(book)
        return self.bases[id, key]

    def struck(self, id: str, clauses: Sequence[str], reading: str = "") -> tuple[Outcome, Outcome]:
        """What comes of a scenario with and without some clauses, a rival of a reading being chosen first."""
        book = self.shown[id].played.book
        if reading:
            book = book.turned({self.book.clauses[reading].reading: reading})
        return self.outcome(id, book, reading), self.shown[id].outcome(book.without(*clauses))

    def sensitivity(self, excepted: Mapping[str, Any]) -> dict[str, int]:
        """Every clause that decides makes a difference in some scenario."""
        sensitive = 0
        for c in self.counted():
            found = self.sensitive(c)
            sensitive += found is True
            if found is True and c.id in excepted:
                self.wrong(self.file(FILE), f"{c.id} is listed as insensitive, and a scenario shows it; take it out")
            elif found is False and c.id not in excepted:
                self.wrong(where_of(c.code, c.module), f"striking {c.id} ({c.mark.kind}) changes no claim and no end of any scenario")
            self.tell(c.id)
        for id, why in excepted.items():
            if id not in {c.id for c in self.counted()}:
                self.wrong(self.file(FILE), f"{id} is listed as insensitive, and is no {', '.join(DECIDING)}{meant(id, [c.id for c in self.counted()])}")
            if not isinstance(why, str) or not why.strip():
                self.wrong(self.file(FILE), f"{id} is listed as insensitive without a reason")
        return {"sensitive": sensitive, "of": len(self.counted())}

    def sensitive(self, c: Clause) -> bool | None:
        """Whether striking a clause changes some scenario; None where no scenario meets it."""
        met = [id for id, s in self.shown.items() if c.id in s.solved.spoke]

        def likely(id: str) -> tuple[bool, int]:
            solved = self.shown[id].solved
            return not any(c.id in v.decides for v in solved.verdicts), solved.runs

        for id in sorted(met, key=likely):
            stands = self.shown[id].played.book.stands(c.id)
            try:
                before, after = self.struck(id, [c.id], "" if stands else c.id)
            except TooBig:
                continue
            if before.differs(after):
                return True
        return False if met else None

    def proofs(self) -> dict[str, int]:
        """Every ruling that a scenario claims to prove is proven by it; one that restates what is not played yet is not proven whole."""
        count: Counter[str] = Counter()
        for c in self.rulings():
            if c.note in ("advice", "open"):
                count[c.note] += 1
                continue
            own = [id for id, s in self.shown.items() if c.id in s.scenario.proves]
            parts = [self.book.clauses[id] for id in said_by(self.book, c)]
            deciding = [p.id for p in parts if p.mark.kind in DECIDING]
            if deciding:
                failed = [id for id in own if not self.flips(id, deciding)]
                why = f"striking {', '.join(deciding)} changes none of its claims"
            else:
                failed = [id for id in own if not any(self.apart(id, other) for other in own)]
                why = "it rests on defaults and steps alone and is proven by two scenarios that differ in one thing and in a claim's verdict"
            if own and not any(p.mark.kind for p in parts):
                failed, why = own, "nothing that it restates has code"
            for id in failed:
                raw = self.book.scenarios[id]
                self.wrong(f"{raw['file']}:{line_of(raw)}", f"{id} does not prove {c.id}: {why}")
            whole = own and not failed and not any(p.note == "unplayed" for p in parts)
            count["proven" if whole else "unproven"] += 1
        return {key: count[key] for key in ("proven", "advice", "open", "unproven")}

    def flips(self, id: str, clauses: Sequence[str]) -> bool:
        """Whether striking some clauses at once changes a claim of a scenario."""
        rival = next((c for c in clauses if not self.shown[id].played.book.stands(c)), "")
        try:
            before, after = self.struck(id, clauses, rival)
        except TooBig:
            return False
        return before.claims_differ(after)

    def apart(self, id: str, other: str) -> bool:
        """Whether two scenarios differ in one thing, and a claim of both has another verdict."""
        one, two = self.shown[id], self.shown[other]
        if id == other or not one_difference(one.scenario.raw, two.scenario.raw):
            return False
        bounds = {w.says: (v.least, v.greatest) for w, v in zip(two.scenario.wants, two.solved.verdicts)}
        return any(bounds.get(w.says, (v.least, v.greatest)) != (v.least, v.greatest) for w, v in zip(one.scenario.wants, one.solved.verdicts))


def marks_of(c: Clause) -> list[str]:
    """The marks of a clause, each saying why it has no code."""
    return [*([c.note] if c.note else []), *(["restates"] if c.restates else []), *(["silent"] if c.tier == "silent" else [])]


def said_by(book: Rulebook, ruling: Clause) -> list[str]:
    """The clauses that a ruling restates, and what those restate in turn."""
    found: dict[str, None] = {}
    left = list(ruling.restates)
    while left:
        id = left.pop(0)
        if id not in found and id in book.clauses:
            found[id] = None
            left += book.clauses[id].restates if not book.clauses[id].mark.kind else ()
    return list(found)


def verdict(word: str, least: Any, greatest: Any) -> str:
    """A verdict as a scenario file would say it."""
    return word if word != "depends" else f"{least}" if least == greatest else f"{least}..{greatest}"


def line_of_claim(raw: Mapping[str, Any], says: str) -> int:
    """The line in which a claim stands."""
    claims = raw.get("claims")
    for entry in claims if isinstance(claims, list) else [claims]:
        if isinstance(entry, Table) and says in entry.lines:
            return entry.lines[says]
        if entry == says:
            return line_of(entry)
    return 0


POSITION = ("map", "arrows", "players", "units", "buildings", "game", "flags", "readings", "answers", "do")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every plain value within a position, with the keys that lead to it."""
    if isinstance(value, Mapping):
        for key, within in value.items():
            yield from leaves(within, f"{path}/{key}")
    elif isinstance(value, (list, tuple)):
        for within in value:
            yield from leaves(within, path)
    else:
        yield path, str(value)


def one_difference(one: Mapping[str, Any], two: Mapping[str, Any]) -> bool:
    """Whether two positions differ in one thing: a value that only one has, or that is another."""
    a, b = (Counter(leaf for key in POSITION for leaf in leaves(raw.get(key, ""), key)) for raw in (one, two))
    return max((a - b).total(), (b - a).total()) == 1


def samples(book: Rulebook, names: Names) -> dict[str, tuple[str, ...]]:
    """Words for each type of slot."""
    kinds = tuple(kind_words(book))
    longer = map("".join, product(("", "a ", "2 "), kinds[:3] + kinds[-3:], ("", f" of {names.players[0]}"), ("", f" in {names.areas[0]}")))
    return {
        "player": names.players, "area": names.areas, "number": ("0", "12"), "building": book.vocabulary.buildings,
        "kind": kinds, "side": (*names.players, *kinds), "unit": (*kinds, *longer),
    }


def filled(pattern: Pattern, words: Mapping[str, Iterable[str]], book: Rulebook) -> Iterator[str]:
    """Sentences that a pattern is meant for: each slot in turn takes every word of its type."""
    each = [tuple(words.get(kind) or listed(book, kind)) for _, kind in pattern.slots]
    if not all(each):
        return
    first = [ways[0] for ways in each]
    fills = [first, *([*first[:i], word, *first[i + 1:]] for i, ways in enumerate(each) for word in ways[1:])]
    either = [m[1].split("|") for m in EITHER.finditer(pattern.says)]
    for fill, said in product(fills, product(*either)):
        yield put_in(SLOT, fill, put_in(EITHER, said, pattern.says))


def put_in(what: re.Pattern[str], words: Iterable[str], text: str) -> str:
    """A text with words put where something stands, in order."""
    left = iter(words)
    return what.sub(lambda m: next(left), text)


def empty(faults: list[str]) -> dict[str, Any]:
    """The report of a package that does not load."""
    return {
        "schema": SCHEMA,
        "passages": {"restated": 0, "no_rule": 0, "of": 0},
        "clauses": {"coded": 0, "marked": 0, "bare": 0, "open": 0, "unplayed": 0, "silent": 0},
        "marks": dict.fromkeys(MARKS, 0),
        "asks": {"clauses": 0, "rulings": 0, "left_to_what_they_restate": 0, "of": 0},
        "rulings": {"proven": 0, "advice": 0, "open": 0, "unproven": 0},
        "scenarios": {"passed": 0, "failed": 0},
        "sensitivity": {"sensitive": 0, "of": 0},
        "readings": {"declared": 0, "undeclared": 0},
        "faults": faults,
    }


def check(package: str = "knowledge", progress: Progress | None = None) -> dict[str, Any]:
    """What holds and what does not in a knowledge package, as one JSON object; progress is told how much is done, of how much, and what."""
    try:
        book = load(package)
    except BadBook as e:
        return empty(e.faults)
    return Checker(book, progress).report()


__all__ = ["FILE", "MARKS", "SCHEMA", "check"]

"""A question answered: its passages, its verdict, its scenarios.  What the command line and the web both show."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from threading import RLock
from typing import Any

from . import owner, shelf
from .book import load
from .complete import Completer
from .engine.clause import Rulebook
from .engine.play import TooBig
from .find import Finder, Finding
from .inquiry import asked
from .nearest import meant
from .question import Lexicon, Thing, asks_whether, turns_of
from .scenario import BadText, Played, Scenario, build, decode, of_text, play, shipped
from .search import Index, Words
from .sentence import known_players
from .sources import Sources
from .sources import load as load_sources
from .verdict import Ruled, headline, rule

LONGEST = 500
SHOWN, LEADING, SCENARIOS, COMPLETIONS = 10, 3, 4, 8
RUNS, SECONDS, PATIENT = 120_000, 8.0, 60.0
ALIKE, BEST = 0.9, 100
"""The share of words that makes a question the one that a scenario answers, and how much its claim then bears on it."""


class BadQuestion(ValueError):
    """Something that cannot be asked; says is one clear line."""

    def __init__(self, says: str) -> None:
        super().__init__(says)
        self.says = says


class Unknown(KeyError):
    """An id that the book does not have; says is one clear line with the nearest."""

    def __init__(self, says: str) -> None:
        super().__init__(says)
        self.says = says


class Desk:
    """Everything one process needs to answer: the book, the printed documents' map, the owner's words, and the index, built when first needed."""

    def __init__(self, book: Rulebook, sources: Sources, printed: Mapping[str, str] | None = None, warning: str = "") -> None:
        self.book, self.sources, self.printed, self.warning = book, sources, dict(printed or {}), warning
        self._lock = RLock()
        self._played: dict[tuple[frozenset[str], str], Played] = {}
        self._told: dict[tuple[frozenset[str], str], dict[str, Any]] = {}
        self._there: dict[str, frozenset[str]] = {}
        self._settled: dict[str, frozenset[str]] = {}
        self._ruled: dict[tuple[frozenset[str], tuple[str, ...], str], Ruled | None] = {}
        self._things: dict[tuple[str, tuple[str, ...]], tuple[str, list[Thing]]] = {}

    @classmethod
    def open(cls, package: str = "knowledge") -> Desk:
        """The desk of a knowledge package, with the owner's own book where one was read.  Raises BadBook."""
        sources = load_sources(package)
        owned = owner.load(sources)
        return cls(load(package), sources, owned.passages, owned.warning)

    @cached_property
    def finder(self) -> Finder:
        """What finds the clauses that answer a question."""
        with self._lock:
            return Finder(self.book, self.printed)

    @property
    def index(self) -> Index:
        """The search index."""
        return self.finder.index

    @property
    def lexicon(self) -> Lexicon:
        """The names that a question can name."""
        return self.finder.lexicon

    @cached_property
    def completer(self) -> Completer:
        """What completes a question."""
        return Completer.of(self.book, Words.load(self.book.package))

    def complete(self, typed: str, most: int = COMPLETIONS) -> dict[str, Any]:
        """How the beginning of a question can go on, as the object lawspeaker.complete/1.

        `completions` are names, asked questions and clauses, each a text, its kind and the id of what it is about; where nothing goes on
        from the words as they stand, they are put right first, and `read` says as what.
        """
        found, reading = self.completer.complete(typed, most), self.index.read(typed)
        right = typed
        if not found:
            for old, new in reading.read:
                right = re.sub(re.escape(old), lambda _, new=new: new, right, flags=re.I)  # type: ignore[misc]
            found = self.completer.complete(right, most)
        return {
            "schema": "lawspeaker.complete/1",
            "typed": typed,
            "read": [list(pair) for pair in reading.read] if right != typed else [],
            "completions": [c.json() for c in found],
        }

    def strike(self, without: Sequence[str]) -> Rulebook:
        """The book without some clauses.  Raises Unknown, and BadQuestion where one cannot be struck."""
        for id in without:
            if id not in self.book.clauses:
                raise Unknown(f"no clause {id!r}{meant(id, self.book.clauses)}")
            if self.book.clauses[id].mark.kind == "step":
                raise BadQuestion(f"{id} is a step of a procedure and cannot be struck: without it there is nothing to play")
        return self.book.without(*without) if without else self.book

    def ask(self, question: str, without: Sequence[str] = ()) -> dict[str, Any]:
        """The answer to a question, as the object lawspeaker.answer/1.

        Raises BadQuestion for an empty or over-long question, Unknown for a clause in `without` that there is not.
        """
        asked = " ".join("".join(c if c >= " " and c != "\x7f" else " " for c in question).split())
        if not asked:
            raise BadQuestion("the question is empty")
        if len(question) > LONGEST:
            raise BadQuestion(f"the question has {len(question)} characters; {LONGEST} at most")
        book = self.strike(without)
        found = self.finder.find(asked)
        named, ids = found.named, list(found.ids)
        shown, played = ("", []) if found.silence or found.bare else self.proofs(book, found)
        settled = self.settled(shown) if self.finder.is_about(shown, named) else frozenset()
        ruling = played if shown else [p for p in played if self.is_asked(p.scenario, asked)]
        ruled = self.ruled(book, ruling, lambda claim: self.bears(claim, asked, named, ruling, settled))
        if ruled:
            ids = list(dict.fromkeys([shown or ids[0], *ruled.clauses, *ids]))
        return {
            "schema": "lawspeaker.answer/1",
            "question": asked,
            "status": "refused" if found.silence else "ruled" if ruled else "found",
            "verdict": ruled.json() if ruled else None,
            "named": [t.id for t in named],
            "results": [shelf.result(self.book, self.sources, self.printed, id) for id in ids[:SHOWN]],
            "scenarios": [self.told(book, p) for p in played],
            "silent": list(found.silence) or sorted({s for p in played for s in p.solved.silent} | self.finder.lacks(ids, asked)),
            "read": [list(pair) for pair in found.reading.read],
            "as_typed": list(found.reading.undo),
            "did_you_mean": list(found.alike),
            "without": list(without),
        }

    def ruled(self, book: Rulebook, played: Sequence[Played], bearing: Callable[[str], int]) -> Ruled | None:
        """The verdict of some scenarios on the claim that bears most on a question, worked out once."""
        claim = headline(played, cache(bearing)) if played else None
        if claim is None:
            return None
        key = book.struck, tuple(p.scenario.id for p in played), claim
        if key not in self._ruled:
            self._ruled[key] = rule(book, played, lambda other: other == claim)
        return self._ruled[key]

    def told(self, book: Rulebook, p: Played) -> dict[str, Any]:
        """A scenario of the book as an answer shows it, told once."""
        key = book.struck, p.scenario.id
        if key not in self._told:
            self._told[key] = p.json()
        return self._told[key]

    def settled(self, ruling: str) -> frozenset[str]:
        """The claims that a ruling settles: those that come out otherwise in the scenarios that prove it when it is struck out."""
        if not self.finder.is_ruling(ruling):
            return frozenset()
        if ruling not in self._settled:
            without = self.book.without(ruling)
            pairs = ((self.played(self.book, s), self.played(without, s)) for s in self.proving.get(ruling, ()))
            self._settled[ruling] = frozenset(
                w.says
                for a, b in pairs
                if a and b
                for w, v, other in zip(a.scenario.wants, a.solved.verdicts, b.solved.verdicts)
                if (v.least, v.greatest) != (other.least, other.greatest)
            )
        return self._settled[ruling]

    @cached_property
    def proving(self) -> Mapping[str, Sequence[str]]:
        """For each clause that is proven by scenarios, which do so."""
        found: dict[str, list[str]] = {}
        for s, raw in self.book.scenarios.items():
            for id in dict.fromkeys(map(str, raw.get("proves") or ())):
                found.setdefault(id, []).append(s)
        return found

    def things_of(self, claim: str, played: Sequence[Played]) -> tuple[str, list[Thing]]:
        """A claim without the names of players and places, and the kinds of units and the cards that are left in it."""
        key = claim, tuple(p.scenario.id for p in played)
        if key not in self._things:
            names = {name.lower() for p in played for name in (*p.scenario.state.board.places, *known_players(self.book))}
            rest = re.sub(r"\b(?:" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")\b", " ", claim, flags=re.I)
            self._things[key] = rest, [t for t in self.lexicon.named(self.index.stems(rest)) if t.kind]
        return self._things[key]

    def bears(self, claim: str, question: str, named: Sequence[Thing], played: Sequence[Played], settled: frozenset[str]) -> int:
        """How much a claim of some scenarios bears on a question; 0 is not at all, since a verdict on something else would mislead.

        The question must ask whether something is so and name all that the claim speaks of.  Then the claim bears on it where a
        scenario says that it answers the question with this claim, or where the ruling found for it settles the claim: that one needs a
        word in common besides the names, unless the question is nothing but names.
        """
        stems = self.index.stems
        rest, things = self.things_of(claim, played)
        if not asks_whether(question) or not {t.page for t in things} <= {t.page for t in named}:
            return 0
        if any(p.scenario.wants and p.scenario.wants[0].says == claim and self.is_asked(p.scenario, question) for p in played):
            return BEST
        if claim not in settled:
            return 0
        of_names = {stem for t in (*things, *named) for name in (t.name, self.book.pages[t.page].title) for stem in stems(name)}
        common = {stem for start, end in self.index.mark(rest, question) for stem in stems(rest[start:end]) if not stem.isdigit()}
        return len(common) if common - of_names or set(stems(question)) <= of_names else 0

    def is_asked(self, scenario: Scenario, question: str) -> bool:
        """Whether a question has most words of one that a scenario says it answers, in its order, and the other way round."""
        mark, stems = self.index.mark, self.index.stems
        asked = stems(question)
        return any(
            len(mark(line, question)) >= ALIKE * max(1, len(stems(line)))
            and len(mark(question, line)) >= ALIKE * max(1, len(asked))
            and turns_of(line) == turns_of(question)
            and [x for x in asked if x in stems(line)] == [x for x in stems(line) if x in asked]
            for line in scenario.asks
        )

    def proofs(self, book: Rulebook, found: Finding) -> tuple[str, list[Played]]:
        """The scenarios that show what the best results say, played, and which result that is.

        Those that prove one of the best results; else those found that have all the things named, and then no result in particular.
        Those that choose a reading come only where there are no others.
        """
        shown, ids = "", []
        for id in found.ids[:LEADING]:
            ids = list(self.proving.get(id, ()))
            if ids:
                shown = id
                break
        if not ids and found.named:
            ids = [s for s in found.scenarios if self.has_all(s, found.named)]
        plain = [id for id in ids if not self.book.scenarios[id].get("readings")]
        return shown, [p for id in (plain or ids)[:SCENARIOS] if (p := self.played(book, id)) is not None]

    def has_all(self, scenario: str, named: Sequence[Thing]) -> bool:
        """Whether a scenario names all of some things."""
        there = self._there.get(scenario)
        if there is None:
            raw = self.book.scenarios[scenario]
            told = (raw.get("title"), *(raw.get("asks") or ()), *(raw.get("do") or ()), *(k for c in raw.get("claims") or () for k in c))
            there = self._there[scenario] = frozenset(t.id for t in self.lexicon.named(self.index.stems(" ".join(map(str, told)))))
        return all(t.id in there or any(o.startswith(t.id + ".") for o in there) for t in named)

    def played(self, book: Rulebook, id: str) -> Played | None:
        """A scenario of the book, played; None where it is too large to play while somebody waits."""
        key = book.struck, id
        if key not in self._played:
            try:
                self._played[key] = play(book, shipped(self.book, id), RUNS, SECONDS)
            except TooBig:
                return None
        return self._played[key]

    def show(self, id: str) -> dict[str, Any]:
        """All there is to tell of a clause, ruling, card, page or scenario.  Raises Unknown."""
        if id in self.book.clauses:
            return shelf.clause_sheet(self.book, self.sources, self.printed, id)
        if id in self.book.pages:
            return shelf.page_sheet(self.book, self.sources, self.printed, id)
        if id in self.book.scenarios:
            played = self.played(self.book, id)
            return {
                "schema": "lawspeaker.show/1",
                "kind": "scenario",
                **(played.json() if played else {"id": id, "title": str(self.book.scenarios[id].get("title", id))}),
            }
        raise Unknown(f"nothing here is called {id!r}{meant(id, [*self.book.clauses, *self.book.pages, *self.book.scenarios])}")

    def scenarios(self, words: str, name: str = "position") -> list[Scenario]:
        """The scenarios that an id, a link, a link's code, or the text of a file means.  Raises BadText, Unknown."""
        word = words.strip()
        if "\n" in word or (":" in word and "/s/" not in word):
            return of_text(self.book, words, name)
        code = word.rsplit("/s/", 1)[-1].split("?")[0].split("#")[0]
        if code in self.book.scenarios:
            return [shipped(self.book, code)]
        if re.match(r"\d", code):
            return [build(self.book, decode(code), "link")]
        raise Unknown(f"no scenario {code[:60]!r}{meant(code, self.book.scenarios)}")

    def play(self, words: str, name: str = "position", without: Sequence[str] = (), seconds: float = PATIENT) -> dict[str, Any]:
        """What an id, a link or a file's text plays out to: lawspeaker.play/1, with `before` where clauses are struck.

        seconds bounds each scenario.

        Raises BadText, Unknown, BadQuestion, TooBig.
        """
        book = self.strike(without)
        found = self.scenarios(words, name)
        results = [play(book, s, seconds=seconds, partial=True).json() for s in found]
        answer: dict[str, Any] = {"schema": "lawspeaker.play/1", "without": list(without), "scenarios": results}
        if without:
            answer["before"] = [play(self.book, s, seconds=seconds, partial=True).json() for s in found]
        return answer

    def inquire(self, words: str, name: str, without: Sequence[str], why: bool, varied: bool, lost: bool, plays: Mapping[str, bool]) -> list[dict[str, Any]]:
        """For each scenario that some words mean what more was asked of it; see lookup.inquiry.  Raises as play does."""
        return [asked(self.strike(without), s, why, varied, lost, plays) for s in self.scenarios(words, name)]


__all__ = ["BadQuestion", "BadText", "Desk", "TooBig", "Unknown"]

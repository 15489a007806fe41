"""What an action's code can read: the words that it, and every clause it can come to ask, names; and the kinds of unit that none of that tells apart.

Code is followed through the names it uses, never run: functions, questions with their clauses, moments, parts, actions, and steps that
are named by their clause's id.  The result can only be too large, except for what these rules do not follow, of which there is none in a
package that keeps to plain functions at the top of its modules: words put together while playing (f-strings compared with a name), and
names looked up by their text (getattr, import inside a function).
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from .clause import Action, Clause, Moment, Part, Question, Rulebook, after_action, every_action
from .state import Vocabulary


@dataclass(frozen=True)
class Reach:
    """words: every word that the code names; names: every global and attribute it looks up; clauses: the ids of those that may come to speak."""

    words: frozenset[str]
    names: frozenset[str]
    clauses: frozenset[str]

    def of(self, known: Iterable[str]) -> tuple[str, ...]:
        """Those of some words that the code names, sorted."""
        return tuple(sorted(self.words & set(known)))


class Reader:
    """Follows code from one action; a shallow one stops at whatever is asked or played by itself: questions, moments, parts, steps, actions."""

    def __init__(self, book: Rulebook, actions: Set[str], shallow: bool = False) -> None:
        self.book, self.actions, self.shallow = book, actions, shallow
        self.words: set[str] = set()
        self.names: set[str] = set()
        self.clauses: set[str] = set()
        self.seen: set[Any] = set()
        self.asked: dict[str, list[Clause]] = {}
        for c in book.clauses.values():
            if c.mark.question:
                self.asked.setdefault(c.mark.question, []).append(c)

    def thing(self, x: Any) -> None:
        """Follows whatever a name stands for."""
        if isinstance(x, FunctionType):
            self.function(x)
        elif isinstance(x, str):
            self.word(str(x))
        elif isinstance(x, Mapping):
            for key, value in x.items():
                self.thing(key)
                self.thing(value)
        elif isinstance(x, (tuple, list, set, frozenset)):
            for each in x:
                self.thing(each)
        elif self.shallow and isinstance(x, (Action, Part, Question, Moment)):
            self.thing(x.who if isinstance(x, Moment) else None)
        elif isinstance(x, (Action, Part)):
            self.clause(x.__clause__.id)
            self.thing(x.code)
            if isinstance(x, Action):
                self.question(x.may.id)
        elif isinstance(x, Question):
            self.question(x.id)
        elif isinstance(x, Moment):
            self.thing(x.who)
            self.question(x.id)
        elif isinstance(x, partial):
            self.thing(x.func)
            self.thing(x.args)
        elif hasattr(x, "__wrapped__"):
            self.thing(x.__wrapped__)
        elif is_dataclass(x) and not isinstance(x, (type, Vocabulary, Rulebook)):
            for f in fields(x):
                self.thing(getattr(x, f.name))
        elif isinstance(x, type) and x.__module__.startswith(self.book.package):
            for value in vars(x).values():
                if isinstance(value, FunctionType):
                    self.function(value)

    def word(self, word: str) -> None:
        """A word that code names; a step's id is followed, as it may be put on the agenda by it, but not an action's: code begins that by its name."""
        if word in self.words:
            return
        self.words.add(word)
        if not self.shallow and word in self.book.clauses and word not in self.book.actions and self.book.clauses[word].mark.kind in ("step", "part", "moment"):
            self.clause(word)

    def question(self, id: str) -> None:
        """Follows every clause that may answer a question; one that speaks of other actions only cannot."""
        if ("question", id) in self.seen:
            return
        self.seen.add(("question", id))
        for c in self.asked.get(id, ()):
            if not c.mark.of or not set(c.mark.of) <= set(self.book.actions) or set(c.mark.of) & self.actions:
                self.clause(c.id)

    def clause(self, id: str) -> None:
        """Follows a clause's code."""
        if id in self.clauses:
            return
        self.clauses.add(id)
        c = self.book.clauses[id]
        self.thing(c.mark.of)
        self.thing(c.mark.when)
        if c.mark.action is not None:
            self.thing(c.mark.action)
        self.thing(c.code)

    def function(self, f: FunctionType) -> None:
        """Follows a function's code, what it closes over and its defaults."""
        if not f.__module__.startswith(self.book.package) or f in self.seen:
            return
        self.seen.add(f)
        mark = getattr(f, "__clause__", None)
        if mark is not None and mark.id not in self.clauses:
            if self.shallow:
                return
            self.clause(mark.id)
        self.code(f.__code__, f)
        self.thing([cell.cell_contents for cell in f.__closure__ or ()])
        self.thing(f.__defaults__ or ())

    def code(self, code: CodeType, f: FunctionType) -> None:
        """Takes the constants of code, but its docstring, and follows the names it uses."""
        for k in code.co_consts:
            if isinstance(k, CodeType):
                self.code(k, f)
            elif k is not f.__doc__:
                self.thing(k)
        self.names.update(code.co_names)
        for name in code.co_names:
            if name in f.__globals__:
                self.thing(f.__globals__[name])


def reach(book: Rulebook, action: str) -> Reach:
    """What an action can read, with what is asked of every action."""
    actions = {action}
    while True:
        reader = Reader(book, actions)
        reader.thing(book.actions[action])
        reader.question(every_action.id)
        reader.question(after_action.id)
        more = actions | reader.clauses & set(book.actions)
        if more == actions:
            return Reach(frozenset(reader.words), frozenset(reader.names), frozenset(reader.clauses))
        actions = more


def own(book: Rulebook, clause: str) -> Reach:
    """What one clause's code can read by itself, whatever it asks or begins."""
    c = book.clauses[clause]
    reader = Reader(book, set(), shallow=True)
    reader.clauses.add(clause)
    reader.thing(c.mark.when)
    reader.thing(c.code.code if isinstance(c.code, (Action, Part)) else c.code)
    return Reach(frozenset(reader.words), frozenset(reader.names), frozenset(reader.clauses))


def classes(book: Rulebook, found: Reach) -> tuple[tuple[str, ...], ...]:
    """The kinds of unit in classes that this code cannot tell apart, each sorted, the first standing for it.

    A kind that is named is alone.  Others are told apart by what the code looks up of them: the fields of their cards that it names, and
    the page they stand on, which is alike where neither page is named and both are of one kind.
    """
    card = {"field", "unit", "units"} & found.names
    pages = "page" in found.names and {"unit", "units"} & found.names
    alike: dict[tuple[Any, ...], list[str]] = {}
    for kind, unit in book.units.items():
        page = book.pages[unit.page]
        owned = page.title if page.kind == book.vocabulary.player_kind or page.title in found.words else ""
        told = (page.kind, owned) if pages else ()
        fields = tuple(sorted((name, f.value or "", f.silent) for name, f in unit.fields.items() if card and name in found.words))
        alike.setdefault((kind,) if kind in found.words else ("", *told, fields), []).append(kind)
    for kind, (_, of) in book.vocabulary.stand_ins.items():
        alike.setdefault((kind,) if kind in found.words else ("stand-in", of if card or "stand_ins" in found.names else ""), []).append(kind)
    return tuple(sorted(tuple(sorted(kinds)) for kinds in alike.values()))


__all__ = ["Reach", "classes", "own", "reach"]

"""The sentences of a game: patterns that knowledge declares, matched against what a scenario says, and the words that fill them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .book import OWNED
from .engine.clause import Rulebook
from .engine.state import Piece, Wanted
from .nearest import meant

QUESTS = "quests"
"""A list in the front matter whose names are words of sentences and nothing that a question names."""
SLOT = re.compile(r"\{(\w+)(?::([\w ]+))?\}")
EITHER = re.compile(r"\{(\w+(?:\|\w+)+)\}")


@dataclass(frozen=True)
class Pattern:
    """A sentence of the game: its words with slots, the slots' names and types in order, and its regular expression."""

    says: str
    slots: tuple[tuple[str, str], ...]
    regex: re.Pattern[str]

    @classmethod
    def of(cls, says: str) -> Pattern:
        """A pattern from its declaration: {name:type}, {name} for {name:name}, {is|are} for either word."""
        slots = tuple((m[1], m[2] or m[1].rstrip("0123456789")) for m in SLOT.finditer(says))
        pieces, last = [], 0
        for m in re.finditer(f"{SLOT.pattern}|{EITHER.pattern}", says):
            pieces.append(re.escape(says[last : m.start()]))
            pieces.append(f"(?:{m[3]})" if m[3] else f"(?P<{m[1]}>.+?)")
            last = m.end()
        return cls(says, slots, re.compile("".join(pieces) + re.escape(says[last:])))

    def plainly(self) -> str:
        """The pattern as a reader would be shown it: "PLAYER does this in AREA"."""
        return EITHER.sub(lambda m: m[1].split("|")[0], SLOT.sub(lambda m: m[1].upper(), self.says))


@dataclass(frozen=True)
class Names:
    """What the words of a scenario can mean in a book, and on the board of this scenario."""

    book: Rulebook
    players: tuple[str, ...]
    areas: tuple[str, ...] = ()

    def player(self, word: str) -> str:
        """A player's name.  Raises ValueError with what is wrong and the nearest."""
        return self.one(word, "player", self.players)

    def area(self, word: str) -> str:
        """A place on the board of this scenario."""
        return self.one(word, "area", self.areas)

    def one(self, word: str, what: str, known: Iterable[str] | Mapping[str, str]) -> str:
        """A word that is one of some names, whatever its case; of a mapping the name that is kept."""
        by = {k.lower(): known[k] if isinstance(known, Mapping) else k for k in known}
        found = by.get(word.strip().lower())
        if found is None:
            raise ValueError(f"no {what} {word.strip()!r}{meant(word.strip(), by.values())}")
        return found

    def kinds(self) -> dict[str, str]:
        """Every word for a kind of unit, in lower case -> the kind."""
        return kind_words(self.book)

    def unit(self, words: str) -> Wanted:
        """[n] KIND [of OWNER] [in AREA].  No n means at least one."""
        rest, place, owner = words.strip(), "", ""
        for area in sorted(self.areas, key=len, reverse=True):
            if rest.lower().endswith(" in " + area.lower()):
                rest, place = rest[: -len(area) - 4], area
                break
        m = re.fullmatch(r"(\d+|an?|the) (.+)", rest)
        n = int(m[1]) if m and m[1].isdigit() else None
        rest = m[2] if m and rest.lower() not in self.kinds() else rest
        if rest.lower() not in self.kinds() and (m := re.fullmatch(r"(.+) of (.+)", rest)):
            rest, owner = m[1], self.player(m[2])
        return Wanted(self.kind(rest), owner, place, n)

    def kind(self, word: str) -> str:
        """A kind of unit by any of its names."""
        known = self.kinds()
        found = known.get(word.strip().lower())
        if found is None:
            raise ValueError(f"no unit {word.strip()!r}{meant(word.strip(), known.values())}")
        return found

    def side(self, word: str) -> str:
        """A player, or the kind of a unit of nobody."""
        by = {p.lower(): p for p in self.players}
        if word.strip().lower() in by:
            return by[word.strip().lower()]
        known = self.kinds()
        if word.strip().lower() in known:
            return known[word.strip().lower()]
        raise ValueError(f"no player or unit {word.strip()!r}{meant(word.strip(), [*self.players, *known.values()])}")

    def pieces(self, words: str) -> tuple[Piece, int]:
        """[n] KIND [(mark value, ...)] [of OWNER] as a piece of a position and how many."""
        marks: list[tuple[str, str]] = []
        if words.count("(") != words.count(")"):
            raise ValueError(f"{words.strip()!r} ends within brackets, as a comma between [ and ] parts units; put it on a line of its own, or in quotes")
        if m := re.search(r"\s*\(([^()]*)\)", words):
            for part in m[1].split(","):
                marks.append(self.mark(part.strip()))
            words = words[: m.start()] + words[m.end() :]
        wanted = self.unit(words)
        if wanted.place:
            raise ValueError(f"{words!r}: the area stands before the list")
        if not wanted.n and wanted.n is not None:
            raise ValueError(f"{words!r}: 0 units need no line")
        if wanted.kind in self.book.vocabulary.stand_ins and not wanted.owner:
            raise ValueError(f"{words.strip()!r} needs an owner: {words.strip()} of {self.players[0]}")
        for name, _ in marks:
            printed = self.book.units[wanted.kind].fields.get(name) if wanted.kind in self.book.units else None
            if printed is not None and not printed.silent:
                raise ValueError(f"{wanted.kind} has a {name} of its own ({printed.value or 'see ' + printed.clause}), so none is given here")
        return Piece(wanted.kind, wanted.owner, tuple(sorted(marks))), wanted.n or 1

    def mark(self, words: str) -> tuple[str, str]:
        """A mark and its value: "combat 2"."""
        known = self.book.vocabulary.marks
        name = next((k for k in known if words.startswith(k + " ")), words.rpartition(" ")[0])
        value = words[len(name) + 1 :]
        if name not in known:
            raise ValueError(f"no mark {name or words!r}{meant(name or words, known)}")
        if known[name] and value not in known[name]:
            raise ValueError(f"{name} cannot be {value!r}{meant(value, known[name])}")
        if not known[name] and not (value.isdigit() and int(value) <= 99):
            raise ValueError(f"{name} should be a whole number from 0 to 99, not {value!r}")
        return name, str(int(value)) if not known[name] else value

    def building(self, words: str) -> Piece:
        """KIND [(mark value, ...)] [of OWNER] as a building."""
        marks: list[tuple[str, str]] = []
        if m := re.search(r"\s*\(([^()]*)\)", words):
            marks = [self.mark(part.strip()) for part in m[1].split(",")]
            words = words[: m.start()] + words[m.end() :]
        kind = words.partition(" of ")[0]
        known = self.book.vocabulary.buildings
        whole = next((k for k in known if words.lower() == k.lower()), "")
        if whole:
            return Piece(whole, "", tuple(sorted(marks)))
        for k in sorted(known, key=len, reverse=True):
            if words.lower().startswith(k.lower() + " of "):
                return Piece(k, self.player(words[len(k) + 4 :]), tuple(sorted(marks)))
        raise ValueError(f"no building {kind!r}{meant(kind, known)}")

    def slot(self, kind: str, words: str) -> Any:
        """The value of a slot of some type."""
        match kind:
            case "player":
                return self.player(words)
            case "area":
                return self.area(words)
            case "unit":
                return self.unit(words)
            case "side":
                return self.side(words)
            case "number":
                if not words.isdigit() or len(words) > 4:
                    raise ValueError(f"{words!r} should be a whole number")
                return int(words)
            case "building":
                return self.building(words).kind
            case "kind":
                return self.kind(words)
        return self.one(words, kind, listed(self.book, kind))


def listed(book: Rulebook, what: str) -> dict[str, str]:
    """The names that a page kind has, or a list in the front matter: any name -> the one that is kept."""
    found: dict[str, str] = {}
    for page in book.pages.values():
        if page.kind == what:
            found.update(dict.fromkeys((page.title, *page.names), page.title))
        elif what in (*OWNED, QUESTS):
            found.update({str(name): str(name) for name in page.front.get(what) or ()})
    return found


def kind_words(book: Rulebook) -> dict[str, str]:
    """Every word for a kind of unit, in lower case -> the kind."""
    key = "kind words"
    if key not in book._index:
        known: dict[str, str] = {}
        for kind, unit in book.units.items():
            known.update({w.lower(): kind for w in (kind, unit.plural, *unit.names)})
        for kind, (plural, _) in book.vocabulary.stand_ins.items():
            known.update({kind: kind, plural: kind})
        book._index[key] = known
    found: dict[str, str] = book._index[key]
    return found


def known_areas(book: Rulebook) -> dict[str, str]:
    """The areas that the pages name: name -> kind of place."""
    return {str(name): str(kind) for page in book.pages.values() if isinstance(page.front.get("areas"), Mapping) for name, kind in page.front["areas"].items()}


def known_players(book: Rulebook) -> tuple[str, ...]:
    """Who can play: the titles of the players' pages, and the stand-ins."""
    return (*(p.title for p in book.pages.values() if p.kind == book.vocabulary.player_kind), *book.vocabulary.stand_in_players)


def match(sentence: str, patterns: Mapping[str, Pattern], names: Names, what: str) -> tuple[str, tuple[Any, ...]]:
    """The pattern that a sentence fits, by its key, and the values of its slots.  Raises ValueError: what is wrong, nearest right."""
    found: list[tuple[str, tuple[Any, ...]]] = []
    wrong = ""
    for key, pattern in patterns.items():
        m = pattern.regex.fullmatch(sentence.strip().rstrip("."))
        if not m:
            continue
        try:
            found.append((key, tuple(names.slot(kind, m[name]) for name, kind in pattern.slots)))
        except ValueError as e:
            wrong = wrong or f"{sentence!r}: {e}"
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{sentence!r} can be read in {len(found)} ways: {'; '.join(patterns[k].plainly() for k, _ in found)}")
    raise ValueError(wrong or f"no {what} {sentence!r}{closest(sentence, patterns.values())}")


def closest(sentence: str, patterns: Iterable[Pattern]) -> str:
    """The pattern with the most words in common with a sentence."""
    words = set(re.findall(r"[a-z]+", sentence.lower()))
    near = meant(sentence, [p.plainly() for p in patterns])
    if near.startswith("; nearest"):
        return near
    best = max(patterns, key=lambda p: len(words & set(re.findall(r"[a-z]+", SLOT.sub("", p.says).lower()))), default=None)
    return f"; nearest: {best.plainly()}" if best else ""


def action_patterns(book: Rulebook) -> dict[str, Pattern]:
    """The sentences of actions, by the action's clause."""
    key = "action patterns"
    if key not in book._index:
        book._index[key] = {id: Pattern.of(a.__clause__.says) for id, a in book.actions.items()}
    found: dict[str, Pattern] = book._index[key]
    return found


def claim_patterns(book: Rulebook) -> dict[str, Pattern]:
    """The sentences of claims, by the sentence as declared."""
    key = "claim patterns"
    if key not in book._index:
        book._index[key] = {says: Pattern.of(says) for says in book.claims}
    found: dict[str, Pattern] = book._index[key]
    return found

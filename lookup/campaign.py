"""A survey of every small board: shared out to processes or to a cluster, kept in a file on the way, and summed up.

Anything with the interface of concurrent.futures.Executor can do the work: processes of this machine, or a Dask cluster's.
"""
from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from .boards import AREAS, PIECES, Board, Walk, ear, shape
from .book import load
from .engine.clause import Rulebook
from .engine.reach import classes, reach
from .engine.survey import Explored, Fault, explore
from .plain import BadText
from .scenario import build, encode, shipped

SCHEMA = "lawspeaker.survey/1"
SLICE = 5.0
"""Seconds that a piece of work takes at most before it is handed back."""
SAMPLE, AFRESH = 60, 0.15
"""Boards in a piece of a sample, and how often one is made anew."""
RUNS, SHIPPED, SECONDS = 2_000, 20_000, 2.0
"""What one board may cost: runs of a step, those of a shipped position, and seconds."""
PLAYED, LARGE = 25, 1000
"""Shipped positions in a piece of work, and the size they are said to have, so that any made board counts as smaller."""

KEPT = frozenset({"id", "title", "asks", "proves", "readings", "file"})
"""What a position is not made smaller by."""

Recipe = tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]
Progress = Callable[[int, int, "Tally"], None]


@dataclass(frozen=True)
class Found:
    """A fault and the smallest board on which it was met: what went wrong, and the board as a scenario."""

    sort: str
    what: str
    clause: str
    size: int
    raw: Mapping[str, Any]

    @property
    def key(self) -> tuple[str, str, str]:
        """Faults of one key have one cause, as far as can be told."""
        return Fault(self.sort, self.what, self.clause).key


@dataclass
class Tally:
    """What some boards showed: how many there were (like ones counted once), were too large or refused as positions, steps played, clauses that
    spoke on boards of one action and in the longer plays of shipped positions, and faults by key with the smallest board."""

    boards: int = 0
    too_large: int = 0
    refused: int = 0
    runs: int = 0
    spoke: set[str] = field(default_factory=set)
    longer: set[str] = field(default_factory=set)
    faults: dict[tuple[str, str, str], Found] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Adds what other boards showed."""
        self.boards += other.boards
        self.too_large += other.too_large
        self.refused += other.refused
        self.runs += other.runs
        self.spoke |= other.spoke
        self.longer |= other.longer
        for found in other.faults.values():
            self.note(found)

    def note(self, found: Found) -> None:
        """Keeps a fault, if no smaller board shows it."""
        known = self.faults.get(found.key)
        if known is None or (found.size, len(str(found.raw))) < (known.size, len(str(known.raw))):
            self.faults[found.key] = found

    def json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {**asdict(self), "spoke": sorted(self.spoke), "longer": sorted(self.longer), "faults": [asdict(f) for f in self.faults.values()]}

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Tally:
        """From plain JSON."""
        tally = cls(raw["boards"], raw["too_large"], raw["refused"], raw["runs"], set(raw["spoke"]), set(raw["longer"]))
        for f in raw["faults"]:
            tally.note(Found(**f))
        return tally


@dataclass(frozen=True)
class Job:
    """The boards of one action with so many areas and pieces beyond the actor."""

    action: str
    areas: int
    pieces: int

    @property
    def id(self) -> str:
        """As the state file names it."""
        return f"{self.action} {self.areas} {self.pieces}"


@dataclass(frozen=True)
class Cursor:
    """How far a walk has come, as plain values."""

    tried: list[list[int]] = field(default_factory=list)
    unions: list[str] = field(default_factory=list)
    boards: int = 0


def recipe(book: Rulebook) -> Recipe:
    """What a worker needs to make the book anew."""
    return book.package, tuple(sorted(book.struck)), tuple(sorted(book.chosen.items()))


@lru_cache(4)
def made(how: Recipe) -> Rulebook:
    """A book by its recipe, once in each process."""
    package, struck, chosen = how
    book = load(package)
    return book.without(*struck).turned(dict(chosen)) if struck or chosen else book


def jobs(book: Rulebook) -> list[Job]:
    """Every job, the small boards first."""
    every = [Job(action, n, m) for action in book.actions for n in range(1, AREAS + 1) for m in range(PIECES + 1)]
    return sorted(every, key=lambda j: (j.areas + j.pieces, j.action))


def try_board(book: Rulebook, board: Board, number: int, tally: Tally) -> Explored | None:
    """Plays one board and adds what it showed; None where it is no position, as where a kind outgrows its box."""
    try:
        position = build(book, board.raw, "board")
    except BadText:
        tally.refused += 1
        return None
    seen = explore(book, position.state, number, RUNS, SECONDS)
    tally.boards += board.first
    tally.runs += seen.runs
    tally.too_large += not seen.whole
    tally.spoke |= seen.spoke
    for fault in seen.faults:
        under = {"readings": dict([fault.under])} if fault.under else {}
        tally.note(Found(fault.sort, fault.what, fault.clause, board.size, {**board.raw, **under}))
    return seen


def played(how: Recipe, ids: Sequence[str]) -> Tally:
    """Plays shipped positions under every rival that they meet: what only follows when more than one thing is done."""
    book, tally = made(how), Tally()
    for id in ids:
        position = shipped(book, id)
        seen = explore(book.turned(position.readings) if position.readings else book, position.state, None, SHIPPED, SECONDS)
        tally.runs += seen.runs
        tally.too_large += not seen.whole
        tally.longer |= seen.spoke
        for fault in seen.faults:
            under = {"readings": {**position.readings, **dict([fault.under])}} if fault.under else {}
            raw = {key: value for key, value in position.raw.items() if key not in ("asks", "proves", "claims", "id")}
            tally.note(Found(fault.sort, fault.what, fault.clause, LARGE, {**raw, **under}))
    return tally


def walked(how: Recipe, job: Job, cursor: Cursor, seconds: float) -> tuple[Tally, Cursor | None]:
    """Goes on with a job for so long, and returns what was found and how far it came; None where it is done."""
    book, until, tally = made(how), monotonic() + seconds, Tally()
    walk = Walk(shape(book, job.action, job.areas, job.pieces), [list(t) for t in cursor.tried], [int(u, 16) for u in cursor.unions], cursor.boards)
    while True:
        row, heard = walk.row(), 0
        if row is not None:
            seen = try_board(book, walk.shape.board(row), walk.boards, tally)
            heard = ear(book).mask(seen.heard, seen.asked) if seen else 0
            walk.boards += 1
        if not walk.on(heard):
            return tally, None
        if monotonic() > until:
            return tally, Cursor(walk.tried, [f"{u:x}" for u in walk.unions], walk.boards)


def sampled(how: Recipe, seed: str, number: int) -> Tally:
    """Plays a piece of a sample, the same for a seed and a number: boards of one action by chance, each a change of the one on which so far
    fewest clauses forbade it and then most clauses spoke, now and then a new one."""
    book, tally, dice = made(how), Tally(), Random(f"{seed}/{number}")
    actions = sorted(book.actions)
    of = shape(book, actions[number % len(actions)], dice.choice(range(1, AREAS + 1)), dice.choice(range(PIECES + 1)))
    best: list[Any] | None = None
    most = (-1000, 0)
    for _ in range(SAMPLE):
        row = of.random(dice) if best is None or dice.random() < AFRESH else of.changed(best, dice)
        seen = try_board(book, of.board(row), dice.randrange(1000), tally) if row is not None else None
        if seen is not None and (-seen.against, len(seen.spoke)) >= most:
            best, most = row, (-seen.against, len(seen.spoke))
    return tally


@dataclass(frozen=True)
class Survey:
    """What a survey found: the tally, jobs done and of how many (0 for a sample), the classes of units told apart, the clauses with code that
    no board of one action reached, and those that longer plays do not reach either."""

    tally: Tally
    done: int
    of: int
    classes: int
    longer: tuple[str, ...]
    unreached: tuple[str, ...]
    coded: int
    seconds: float

    @property
    def whole(self) -> bool:
        """Whether every board was played."""
        return bool(self.of) and self.done == self.of

    @property
    def failed(self) -> bool:
        """Whether something is wrong.  That nothing reaches a clause is known only when all was played."""
        return bool(self.tally.faults) or (self.whole and bool(self.unreached))

    def json(self) -> dict[str, Any]:
        """The report as one JSON object."""
        return {
            "schema": SCHEMA,
            "boards": self.tally.boards,
            "too_large": self.tally.too_large,
            "refused": self.tally.refused,
            "steps": self.tally.runs,
            "classes": self.classes,
            "clauses": {"reached": self.coded - len(self.longer) - len(self.unreached), "in_longer_plays": len(self.longer), "of": self.coded},
            "in_longer_plays": list(self.longer),
            "unreached": list(self.unreached),
            "jobs": {"done": self.done, "of": self.of},
            "whole": self.whole,
            "seconds": round(self.seconds, 1),
            "faults": [{"sort": f.sort, "what": f.what, "clause": f.clause, "board": f.raw, "link": "/s/" + encode(f.raw)}
                       for f in sorted(self.tally.faults.values(), key=lambda f: (f.sort, f.clause, f.what))],
        }


def told_apart(book: Rulebook) -> int:
    """How many classes of units the actions tell apart, all of them together."""
    together = {k for action in book.actions for k in classes(book, reach(book, action))}
    kinds = {k for each in together for k in each}
    return len({frozenset(frozenset(each) for each in together if k in each) for k in kinds})


def ended(book: Rulebook, tally: Tally, done: int, of: int, started: float) -> Survey:
    """A survey from its tally, its faults shown on boards as small as they can be made."""
    tally.faults = {found.key: smallest(book, found) for found in tally.faults.values()}
    coded = [id for id, c in book.clauses.items() if c.mark.kind]
    longer = tuple(id for id in coded if id not in tally.spoke and id in tally.longer)
    unreached = tuple(id for id in coded if id not in tally.spoke and id not in tally.longer)
    return Survey(tally, done, of, told_apart(book), longer, unreached, len(coded), monotonic() - started)


def pieces_of_work(book: Rulebook) -> list[tuple[str, ...]]:
    """The shipped positions, so many at a time."""
    ids = tuple(book.scenarios)
    return [ids[i:i + PLAYED] for i in range(0, len(ids), PLAYED)]


def sample(book: Rulebook, workers: Executor, seconds: float, seed: str, atonce: int, progress: Progress | None = None) -> Survey:
    """Plays boards by chance for so many seconds."""
    started, tally, how = monotonic(), Tally(), recipe(book)
    waiting: set[Future[Tally]] = set()
    number = 0
    while waiting or monotonic() - started < seconds:
        while len(waiting) < atonce and monotonic() - started < seconds:
            waiting.add(workers.submit(sampled, how, seed, number))
            number += 1
        ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in ready:
            tally.add(future.result())
        if progress:
            progress(round(min(monotonic() - started, seconds)), round(seconds), tally)
    return ended(book, tally, 0, 0, started)


@dataclass
class Kept:
    """Where a whole survey stands: its tally, the jobs done, and how far the others have come."""

    tally: Tally
    done: set[str]
    cursors: dict[str, Cursor]

    def write(self, path: Path, stamp: str) -> None:
        """Writes it to a file, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = {"stamp": stamp, "tally": self.tally.json(), "done": sorted(self.done), "cursors": {id: asdict(c) for id, c in self.cursors.items()}}
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            part.write_text(json.dumps(raw), encoding="utf-8")
            os.replace(part, path)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    @classmethod
    def read(cls, path: Path, stamp: str) -> Kept | None:
        """Reads it again; None where there is none, or none of these rules."""
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
            if raw["stamp"] != stamp:
                return None
            return cls(Tally.of(raw["tally"]), set(raw["done"]), {id: Cursor(**c) for id, c in raw["cursors"].items()})
        except (OSError, ValueError, KeyError, TypeError):
            return None


def stamp(package: str) -> str:
    """A mark of the rules, their code and the machine: what was surveyed under another one says nothing now."""
    found = hashlib.sha256()
    for top in (package, __package__ or "lookup"):
        for path in sorted(Path(str(files(top))).rglob("*")):
            if path.suffix in (".py", ".md", ".yaml") and path.is_file():
                found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def survey(book: Rulebook, workers: Executor, path: Path, atonce: int, progress: Progress | None = None, every: float = 10.0) -> Survey:
    """Plays every board, going on from where the file says; what is found is written there on the way and at the end, also when interrupted."""
    started, how, mark = monotonic(), recipe(book), stamp(book.package)
    kept = Kept.read(path, mark) or Kept(Tally(), set(), {})
    every_job = jobs(book)
    left = deque(job for job in every_job if job.id not in kept.done)
    waiting: dict[Future[Any], Job] = {}
    longer: set[Future[Any]] = set() if kept.tally.longer else {workers.submit(played, how, ids) for ids in pieces_of_work(book)}
    plays = Tally()
    written = monotonic()
    try:
        while left or waiting or longer:
            while left and len(waiting) < atonce:
                job = left.popleft()
                waiting[workers.submit(walked, how, job, kept.cursors.get(job.id, Cursor()), SLICE)] = job
            for future in wait([*waiting, *longer], return_when=FIRST_COMPLETED).done:
                if future in longer:
                    longer.discard(future)
                    plays.add(future.result())
                    if not longer:
                        kept.tally.add(plays)
                    continue
                job = waiting.pop(future)
                tally, cursor = future.result()
                kept.tally.add(tally)
                if cursor is None:
                    kept.done.add(job.id)
                    kept.cursors.pop(job.id, None)
                else:
                    kept.cursors[job.id] = cursor
                    left.appendleft(job)
            if progress:
                progress(len(kept.done), len(every_job), kept.tally)
            if monotonic() - written > every:
                kept.write(path, mark)
                written = monotonic()
    finally:
        for future in (*waiting, *longer):
            future.cancel()
        kept.write(path, mark)
    return ended(book, kept.tally, len(kept.done), len(every_job), started)


def smallest(book: Rulebook, found: Found) -> Found:
    """The fault on a board from which nothing more can be taken without losing it."""
    best = found
    shrinking = True
    while shrinking:
        shrinking = False
        for raw in smaller(best.raw):
            if shows(book, raw, best.key):
                best = Found(best.sort, best.what, best.clause, best.size - 1, raw)
                shrinking = True
                break
    return best


def smaller(raw: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Boards with one thing less: an area with all that names it, or one entry anywhere."""
    areas = raw.get("map") or {}
    for area in areas if isinstance(areas, Mapping) else ():
        yield {key: gone(value, area) for key, value in raw.items()}
    for path in paths({key: value for key, value in raw.items() if key not in KEPT}):
        less = deepcopy(dict(raw))
        at: Any = less
        for key in path[:-1]:
            at = at[key]
        del at[path[-1]]
        yield less


def gone(value: Any, area: str) -> Any:
    """A part of a position without an area and the arrows to and from it; sentences that name it stay."""
    if isinstance(value, Mapping):
        return {key: gone(x, area) for key, x in value.items() if key != area}
    if isinstance(value, list):
        return [x for x in value if x != area and not (isinstance(x, str) and area in x.split(" -> "))]
    return value


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to every entry of nested mappings and lists, the outer ones first."""
    keys = list(value) if isinstance(value, Mapping) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield (*path, key)
    for key in keys:
        yield from paths(value[key], (*path, key))


def shows(book: Rulebook, raw: Mapping[str, Any], key: tuple[str, str, str]) -> bool:
    """Whether a board shows a fault, under the readings that it names."""
    try:
        position = build(book, raw, "board")
    except BadText:
        return False
    turned = book.turned(position.readings) if position.readings else book
    return any(fault.key == key for fault in explore(turned, position.state, 0, RUNS, SECONDS).faults)


__all__ = ["SCHEMA", "Found", "Survey", "Tally", "sample", "survey"]

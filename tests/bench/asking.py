"""How well and how fast questions are answered: python -m tests.bench.asking [--documents N] [--show].

Prints for each half of the questions in tests/questions (tune was looked at, report was not) and for each kind: how many, hit@1, recall@3,
MRR@10, how many were refused by mistake, and of how many both rules stand among the first five; and how many that no source answers were refused.
Then, in one run: the median and the 99th percentile of a whole answer, of SQLite FTS5's bare search over the same documents, and of the search
in N times as many documents (100 unless told), the further ones being rules of made-up games.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lookup import shelf
from lookup.answer import Desk
from lookup.search import Doc, Index, Words

QUESTIONS = Path(__file__).resolve().parents[1] / "questions"
HALVES = ("tune", "report")
SHOWN, FIRST = 10, 5
WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True)
class Asked:
    """A question and what came back: the place of the first right result (0: none), whether it was refused, whether all that it needs stands first."""

    question: str
    kind: str
    place: int
    refused: bool
    met: bool
    first: tuple[str, ...]


def questions(half: str) -> list[dict[str, Any]]:
    """The questions of a half: q, kind, gold (passages or clauses, one of which is right; none: no source answers), need (all of which must be shown)."""
    return [json.loads(line) for line in (QUESTIONS / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()]


def right(result: dict[str, Any], gold: Iterable[str]) -> bool:
    """Whether a result is one that a question wants; a result of more than four passages counts as none."""
    return len(result["passages"]) <= 4 and not {result["id"], *result["passages"]}.isdisjoint(gold)


def asked(desk: Desk, row: dict[str, Any]) -> Asked:
    """Asks a question."""
    answer = desk.ask(row["q"])
    results = answer["results"][:SHOWN]
    need = [[one] if isinstance(one, str) else one for one in row.get("need", ())]
    return Asked(
        row["q"], row["kind"], next((n for n, result in enumerate(results, 1) if right(result, row["gold"])), 0), answer["status"] == "refused",
        all(any(right(result, one) for result in results[:FIRST]) for one in need), tuple(result["id"] for result in results[:3]),
    )


def figures(some: Sequence[Asked]) -> dict[str, float]:
    """The figures of some answered questions."""
    count = len(some)
    return {
        "count": count,
        "hit@1": sum(a.place == 1 for a in some) / count,
        "recall@3": sum(1 <= a.place <= 3 for a in some) / count,
        "MRR@10": sum(1 / a.place for a in some if a.place) / count,
        "refused": sum(a.refused for a in some),
        "met": sum(a.met for a in some),
    }


def relevance(desk: Desk, half: str) -> tuple[dict[str, dict[str, float]], list[Asked]]:
    """The figures of a half by kind, those of all that can be answered under "all"; and every question that fell short."""
    by: dict[str, list[Asked]] = defaultdict(list)
    short = []
    for row in questions(half):
        a = asked(desk, row)
        by[a.kind].append(a)
        if row["gold"]:
            by["all"].append(a)
        if a.refused == bool(row["gold"]) or (row["gold"] and (a.place not in (1, 2, 3) or not a.met)):
            short.append(a)
    return {kind: figures(some) for kind, some in by.items()}, short


def timed(calls: Iterable[Callable[[], object]]) -> tuple[float, float]:
    """The median and the 99th percentile of the processor time that some calls take, in milliseconds; what else runs here does not count."""
    took = []
    for call in calls:
        before = time.thread_time()
        call()
        took.append((time.thread_time() - before) * 1000)
    return statistics.median(took), sorted(took)[int(len(took) * 0.99)]


def fts5(docs: Sequence[Doc]) -> Callable[[str], object]:
    """SQLite's full-text search over documents: any word, the best ten by BM25, stems of Porter's."""
    base = sqlite3.connect(":memory:")
    base.execute("create virtual table doc using fts5(id unindexed, text, tokenize='porter')")
    base.executemany("insert into doc values (?, ?)", [(doc.id, " ".join((doc.title, doc.text, *doc.names, *doc.asks))) for doc in docs])

    def search(question: str) -> object:
        either = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question.lower()))
        return base.execute("select id from doc where doc match ? order by bm25(doc) limit 10", (either,)).fetchall()
    return search


def other_games(docs: Sequence[Doc], times: int) -> Iterator[Doc]:
    """The documents, and so many times less one the rules of made-up games: the same, their rarer words made into others."""
    yield from docs
    held = Counter(word.lower() for doc in docs for word in set(WORD.findall(f"{doc.title} {doc.text}")))
    common = {word for word, count in held.items() if count > len(docs) / 50}
    for game in range(1, times):
        mark = chr(97 + game % 26) + chr(97 + game // 26)
        for doc in docs:
            title, text = (WORD.sub(lambda m: m[0] if m[0].lower() in common else m[0] + mark, part) for part in (doc.title, doc.text))
            yield replace(doc, id=f"{mark} {doc.id}", title=title, text=text, names=(), asks=())


def variants(half: Sequence[str]) -> list[str]:
    """Each question as it stands and with a word behind it, so that a reading kept of the one is none of the other."""
    return [f"{question}{end}" for end in ("", " please", " then", " ok") for question in half]


def speed(desk: Desk, times: int) -> dict[str, float]:
    """The figures of one run, in milliseconds of processor time, everything having been asked once before."""
    asks = [row["q"] for half in HALVES for row in questions(half)]
    docs = list(shelf.docs(desk.book, {}))
    for question in asks:
        desk.ask(question)
    bare = fts5(docs)
    floor = timed((lambda q=q: bare(q)) for q in variants(asks))
    whole = timed((lambda q=q: desk.ask(q)) for q in variants(asks))
    small = timed((lambda q=q: desk.index.search(q, 40)) for q in variants([f"so {q}" for q in asks]))
    found = {"fts5": floor[0], "fts5 p99": floor[1], "answer": whole[0], "answer p99": whole[1], "search": small[0], "documents": len(docs)}
    if times > 1:
        large = Index(other_games(docs, times), Words.load())
        for question in asks:
            large.search(question, 40)
        many = timed((lambda q=q: large.search(q, 40)) for q in variants([f"so {q}" for q in asks]))
        found |= {"search in many": many[0], "search in many p99": many[1], "times": times}
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; 0 always."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100, metavar="N", help="search N times as many documents too; 1 leaves that out")
    parser.add_argument("--show", action="store_true", help="show the questions that fell short")
    given = parser.parse_args(arguments)
    desk = Desk.open()
    for half in HALVES:
        by, short = relevance(desk, half)
        for kind, f in sorted(by.items(), key=lambda entry: entry[0] == "all"):
            if kind == "unanswerable":
                print(f"{half:<7}{kind:<13}{f['count']:>4}   refused {f['refused']}/{f['count']}")
            else:
                print(f"{half:<7}{kind:<13}{f['count']:>4}   hit@1 {f['hit@1']:.3f}   recall@3 {f['recall@3']:.3f}   MRR@10 {f['MRR@10']:.3f}   "
                      f"wrongly refused {f['refused']}   both rules shown {f['met']}/{f['count']}")
        if given.show:
            for a in short:
                print(f"    {a.kind:<13}place {a.place or '-'}{' refused' if a.refused else ''}{'' if a.met else ' one missing'}  {a.question}  {a.first}")
    s = speed(desk, given.documents)
    print(f"a whole answer: median {s['answer']:.2f} ms, 99th percentile {s['answer p99']:.2f} ms ({s['answer p99'] / s['answer']:.1f} times the median)")
    print(f"SQLite FTS5, bare search of the same {s['documents']:.0f} documents: median {s['fts5']:.2f} ms, 99th percentile {s['fts5 p99']:.2f} ms")
    print(f"3 times that and 1 ms: {3 * s['fts5'] + 1:.2f} ms; the answer takes {s['answer'] / (3 * s['fts5'] + 1):.0%} of it")
    if "times" in s:
        print(f"search: median {s['search']:.2f} ms; in {s['times']} times the documents {s['search in many']:.2f} ms "
              f"({s['search in many'] / s['search']:.1f} times), 99th percentile {s['search in many p99']:.2f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Find what a question is about. The only module that knows Whoosh."""
from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import nlargest
from importlib import resources
from itertools import chain, pairwise
from math import log
from threading import Lock
from typing import Generic, TypeVar

from rapidfuzz import process
from rapidfuzz.distance import OSA
from whoosh import fields, scoring  # type: ignore[import-untyped]
from whoosh.filedb.filestore import RamStorage  # type: ignore[import-untyped]
from whoosh.lang.dmetaphone import double_metaphone  # type: ignore[import-untyped]
from whoosh.lang.porter import stem as porter  # type: ignore[import-untyped]

FILE, PLAIN = "words.toml", "plain.txt"
LETTERS, WORDS = 200, 24
"""So much of a question is read; the rest is passed over."""

SYNONYM, ALONE, PAIR, ASKS, LIKE, ASPECT = 0.6, 0.7, 0.6, 1.8, 0.8, 0.75
"""What counts beside a word in the text (1): its synonym, the synonym of a word that stands nowhere, two words together, a word in the best
line of asks, a word there that is said for the same thing, and that the line asks for the same kind of thing."""
BESIDE = 0.32
"""How much of a line's worth is lost where a question says nothing of what the line says."""
LINE_LENGTH, MET, NO_LINE, NOTHING = 0.75, 0.8, (0.0, -1), frozenset[str]()
COMMON, RARE, ELSEWHERE = 0.3, 3000, 3.0
"""What the commonest English word weighs where nothing is known of it, beside a rare one; and from which place on the words are
rare; and how many times as much a word of other matters weighs."""
MEGABYTES = 4096
KEPT, ENOUGH = 1 << 13, 3000
""" So many readings of texts and worths of words are kept; and when so many documents have been met, a common word brings in no more."""

_QUOTED = re.compile('["\u201c\u201d][^"\u201c\u201d]+["\u201c\u201d]')
_ASKING = {
    "who": r"\b(?:who|whom|whose)\b|\bwhich player",
    "where": r"\b(?:where|whereabouts)\b|\b(?:which|what) (?:area|space|place|spot|region)",
    "when": r"\bwhen\b|\bat (?:what|which) (?:moment|time|point)|\bhow soon\b",
    "cost": r"\bhow much\b|\b(?:price|costs?|pays?|expensive|charged?|fee|free)\b",
    "many": r"\bhow (?:many|often|far|long)\b|\b(?:number|maximum|most|limit|amount)\b",
    "effect": r"\bwhat (?:do|does|did)\b.*\bdo(?:es)?\b|\b(?:effect|use) of\b|\bhow (?:does|do)\b.*\bwork",
    "gain": r"\bwhat (?:do|does|did|will|would|can) \w+ (?:get|gain|win|earn|receive)\b|\b(?:prize|reward|bonus|loot|trophy)\b",
    "strong": r"\b(?:how strong|strength|dice)\b",
    "can": r"\b(?:can|could|may|might|allowed|able|legal|possible)\b",
    "is": r"^\W*(?:is|are|do|does|did|will|was|were|has|have)\b",
    "which": r"\b(?:which|list of|what are)\b",
    "means": r"^\W*(?:what|who) (?:is|are|does .* mean)\b|\bmeaning of\b",
    "how": r"\bhow (?:do|can|is|are|to)\b",
}
_ASKED = {kind: re.compile(pattern) for kind, pattern in _ASKING.items()}
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_STOP = frozenset(_WORD.findall("""
    a about actually after all also am an and another any anyone anything are as at away be because been being but by can cannot could did do does doing
    done each either else ever every everyone exactly for from get gets getting go goes going got had has have having he her here hers him his how i if in
    instead into is it its just let like may maybe many me mean means might mine more most much must my no nor not now of off ok okay on or other others our
    ours out over please rather really same shall she should since so some someone something still such than that the their theirs them then there these
    they thing things this those though through thus to too under until up upon us versus very vs want wants was way we were what whatever when whenever
    where wherever whether which while who whoever whom whose why will with within without would yes yet you your yours
    against explain happen happened happens question rule rules tell work works working
"""))


class WordsError(ValueError):
    """The list of words is damaged. One line: the file, the word, what is wrong."""


@dataclass(frozen=True)
class Doc:
    """Something to be found: its id, what kind of thing it is, its title and text, other names of its subject, and how people ask for it."""

    id: str
    kind: str
    title: str
    text: str
    names: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hit:
    """An id that was found, and how well it answers: higher is better, and comparable within one question only."""

    id: str
    score: float
    share: float = 0.0
    """From 0 to 1, how much of what the question says (its rarer words weigh more) it holds."""
    alike: bool = False
    """Whether its best line of asks asks for the same kind of thing."""
    asked: str = ""
    """That line."""


@dataclass(frozen=True)
class Found:
    """What a search gives.

    hits: best first. read: what was read as what, in the question's order (a misspelling as a word, a nickname as a phrase).
    unknown: words of the question of which nothing is known. share: that of the best hit.
    """

    hits: tuple[Hit, ...] = ()
    read: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()
    share: float = 0.0


@dataclass(frozen=True)
class Words:
    """How players talk. Each table goes from the game's word or phrase to what players say for it.

    nicknames: read as the phrase, and said so. forms: other forms of the same word, read as it without a remark.
    synonyms: near enough to look there too. plain: English words that are no slip, though the game does not use them. common: more of
    these, from a file of their own, the commonest first: a question that says them and finds nothing loses less by the common ones.
    elsewhere: words and phrases of other matters, by which a question loses more.
    """

    nicknames: Mapping[str, Sequence[str]] = field(default_factory=dict)
    forms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    synonyms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()
    common: Sequence[str] = ()
    elsewhere: Sequence[str] = ()

    @classmethod
    def load(cls, package: str = "knowledge") -> Words:
        """Read the words that a knowledge package brings. Raises WordsError where the file is missing, is no TOML, or says something that cannot be."""
        where = f"{package.replace('.', '/')}/{FILE}"
        try:
            top = resources.files(package)
            data = tomllib.loads((top / FILE).read_text(encoding="utf-8"))
            english = (top / PLAIN).read_text(encoding="utf-8") if (top / PLAIN).is_file() else ""
        except (ModuleNotFoundError, OSError):
            raise WordsError(f"{where}: no such file") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise WordsError(f"{where}: {' '.join(str(error).split())}") from None
        if unknown := set(data) - {"nicknames", "forms", "synonyms", "plain", "elsewhere"}:
            raise WordsError(f"{where}: {min(unknown)}: there are nicknames, forms, synonyms, plain and elsewhere")
        if not isinstance(plain := data.get("plain", ""), str):
            raise WordsError(f"{where}: plain: one text, its words apart by spaces")
        elsewhere = data.get("elsewhere", [])
        if not isinstance(elsewhere, list) or not all(isinstance(phrase, str) and _stems(phrase) for phrase in elsewhere):
            raise WordsError(f"{where}: elsewhere: a list of words and phrases")
        nicknames, forms, synonyms = (_table(where, name, data.get(name, {})) for name in ("nicknames", "forms", "synonyms"))
        words = cls(nicknames, forms, synonyms, frozenset(plain.split()), tuple(english.split()), tuple(elsewhere))
        owner: dict[tuple[str, ...], str] = {}
        for phrase, said in [*words.nicknames.items(), *words.forms.items()]:
            for other in said:
                if owner.setdefault(_stems(other), phrase) != phrase:
                    raise WordsError(f"{where}: {other!r} is said for {owner[_stems(other)]!r} and for {phrase!r}")
        return words


def _table(where: str, name: str, table: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(table, dict):
        raise WordsError(f"{where}: {name} is a table")
    for phrase, said in table.items():
        if not isinstance(said, list) or not said or not all(isinstance(other, str) and _stems(other) for other in said) or not _stems(phrase):
            raise WordsError(f"{where}: [{name}] {phrase!r}: a list of words that are said for it")
    return {phrase: tuple(said) for phrase, said in table.items()}


@dataclass(frozen=True)
class _Token:
    """A word of a text, its stem, and where it stands."""

    word: str
    stem: str
    start: int
    end: int
    exact: bool = False
    """In quotation marks: taken as it stands."""

    @property
    def stops(self) -> bool:
        """A word that says nothing of the subject: a small word, a contraction, a single letter."""
        return self.word in _STOP or "'" in self.word or (len(self.word) == 1 and self.word.isalpha())


@lru_cache(maxsize=1 << 15)
def _stem(word: str) -> str:
    return str(porter(word))


@lru_cache(maxsize=1 << 12)
def _fold(letter: str) -> str:
    """A letter without its accent; any other as it is."""
    bare = unicodedata.normalize("NFKD", letter)[0]
    return bare if bare.isascii() and bare.isalnum() else "'" if letter == "\u2019" else letter


def _tokens(text: str) -> list[_Token]:
    """The words of a text, without accents and without a possessive 's."""
    if not text.isascii():
        text = "".join(map(_fold, text)).replace("\u0130", "I")
    found = ((match.group(), match.start()) for match in _WORD.finditer(text.lower()))
    bare = ((word.removesuffix("'s"), start) for word, start in found)
    return [_Token(word, _stem(word), start, start + len(word)) for word, start in bare]


def asking(text: str) -> tuple[str, ...]:
    """What kinds of things a question asks for: who, where, when, the cost, whether something can be, and the like."""
    low = text.lower()
    return tuple(kind for kind, pattern in _ASKED.items() if pattern.search(low))


def _stems(text: str) -> tuple[str, ...]:
    return tuple(token.stem for token in _tokens(text))


def _telling(text: str) -> list[str]:
    """The stems of a text's words, small words left out."""
    return [token.stem for token in _tokens(text) if not token.stops]


T = TypeVar("T")


class _Runs(Generic[T]):
    """Looks up runs of stems in a text, the longest first."""

    def __init__(self, entries: Iterable[tuple[tuple[str, ...], T]]) -> None:
        self.by_first: dict[str, list[tuple[tuple[str, ...], T]]] = defaultdict(list)
        for run, value in entries:
            self.by_first[run[0]].append((run, value))
        for runs in self.by_first.values():
            runs.sort(key=lambda entry: -len(entry[0]))

    def at(self, stems: Sequence[str], place: int) -> tuple[int, T] | None:
        """The length and the value of the longest run that begins here."""
        for run, value in self.by_first.get(stems[place], ()):
            if tuple(stems[place:place + len(run)]) == run:
                return len(run), value
        return None

    def stems(self) -> Iterator[str]:
        """Every stem of every run."""
        return (stem for runs in self.by_first.values() for run, _ in runs for stem in run)


@dataclass(frozen=True)
class _Term:
    """A stem of a text, and the place of the word or nickname that it comes from."""

    stem: str
    start: int
    end: int
    tells: bool = True
    """Not a small word."""
    phrase: str = ""
    """The phrase where it comes from a nickname, which is worth a remark."""


@dataclass(frozen=True)
class Want:
    """One thing that a question says: the words typed, their stems, the stems that meet it, each with what it is worth, and how much it weighs."""

    typed: str
    own: tuple[str, ...]
    stems: Mapping[str, float]
    weight: float


@dataclass(frozen=True)
class Reading:
    """A question as it is understood.

    wants: what it says. stems: its telling words in order, spelling put right and nicknames resolved. read: what was read as what, in the
    question's order. undo: for each of these, the question with those words in quotation marks, so that they are taken as they stand.
    unknown: words of which nothing is known. asking: what kind of thing is asked for.
    """

    wants: tuple[Want, ...]
    stems: tuple[str, ...]
    read: tuple[tuple[str, str], ...]
    undo: tuple[str, ...]
    unknown: tuple[str, ...]
    asking: tuple[str, ...]


class _Postings:
    """An index of Whoosh's in memory, read a term at a time: which of its documents hold the term, and what it is worth in each by BM25.

    What was read is kept, so that Whoosh is asked for a term once.
    """

    def __init__(self, rows: Iterable[Mapping[str, Sequence[str]]], names: Sequence[str], b: float) -> None:
        storage = RamStorage()
        # Whoosh keeps the temporary files of an index in memory in a folder that all processes share.
        storage.temp_storage = lambda name=None: RamStorage()
        index = storage.create_index(fields.Schema(**{name: fields.KEYWORD(scorable=True) for name in names}))
        # With less room Whoosh sorts in runs, which it cannot open again in memory.
        writer = index.writer(limitmb=MEGABYTES)
        self._in: dict[str, set[str]] = {name: set() for name in names}
        for row in rows:
            for name, stems in row.items():
                self._in[name].update(stems)
            writer.add_document(**{name: " ".join(stems) for name, stems in row.items() if stems})
        writer.commit()
        self._searcher = index.searcher(weighting=scoring.BM25F(B=b, K1=1.2))
        self._kept: dict[tuple[str, str], Mapping[int, float]] = {}
        self._lock = Lock()

    def of(self, name: str, stem: str) -> Mapping[int, float]:
        """The documents whose field holds a stem, with its score in each."""
        if stem not in self._in[name]:
            return NOWHERE
        found = self._kept.get((name, stem))
        if found is None:
            with self._lock:
                matcher, found = self._searcher.postings(name, stem), {}
                while matcher.is_active():
                    found[matcher.id()] = float(matcher.score())
                    matcher.next()
                self._kept[name, stem] = found
        return found


NOWHERE: Mapping[int, float] = {}


def _most(scores: Iterable[tuple[float, Mapping[int, float]]]) -> dict[int, float]:
    """Of several postings, each with its weight, the most that any gives a document."""
    most: dict[int, float] = {}
    for weight, postings in scores:
        for n, score in postings.items():
            if (worth := weight * score) > most.get(n, 0.0):
                most[n] = worth
    return most


def _sum(scores: Iterable[Mapping[int, float]]) -> dict[int, float]:
    """What several postings give a document together. Where very many documents have been met, a common word brings in no more of them."""
    total: dict[int, float] = {}
    for postings in sorted(scores, key=len):
        if len(total) < ENOUGH:
            for n, score in postings.items():
                total[n] = total.get(n, 0.0) + score
        elif len(postings) < len(total):
            for n, score in postings.items():
                if n in total:
                    total[n] += score
        else:
            for n in total:
                total[n] += postings.get(n, 0.0)
    return total


class Index:
    """What can be found, kept in memory. Made once; safe to search from several threads."""

    def __init__(self, docs: Iterable[Doc], words: Words) -> None:
        phrases = [(_stems(phrase), ("", False)) for table in (words.nicknames, words.forms) for phrase in table]
        nicknames = [(_stems(other), (phrase, True)) for phrase, said in words.nicknames.items() for other in said]
        forms = [(_stems(other), (phrase, False)) for phrase, said in words.forms.items() for other in said]
        self._phrases = _Runs([*phrases, *nicknames, *forms])
        likes: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for phrase, said in words.synonyms.items():
            for other in said:
                likes[_stems(other)] += _telling(phrase)
        self._likes = _Runs(likes.items())
        self._back = {_stems(phrase): [stem for other in said if len(_stems(other)) == 1 for stem in _stems(other)] for phrase, said in words.synonyms.items()}
        spellings: Counter[str] = Counter()
        names: set[str] = set()
        self._ids: list[str] = []
        self._holds: list[frozenset[str]] = []
        self._first: list[int] = []
        self._of: list[int] = []
        self._line_holds: list[frozenset[str]] = []
        self._line_text: list[str] = []
        self._line_asking: list[frozenset[str]] = []
        self._line_says: list[list[tuple[frozenset[str], str]]] = []
        lines: list[dict[str, Sequence[str]]] = []
        self._text = _Postings(self._rows(docs, lines, spellings, names), ("text", "pairs"), 0.4)
        self._lines = _Postings(lines, ("own", "like", "asking"), LINE_LENGTH)
        self._count = Counter(stem for held in (*self._holds, *self._line_holds) for stem in held)
        self._docs = len(self._holds) + len(self._line_holds)
        self._rank = {_stem(word): n for n, word in reversed(list(enumerate(words.common, 1)))}
        self._elsewhere = _Runs((_stems(phrase), True) for phrase in words.elsewhere)
        english = map(_stem, chain(words.plain, words.common))
        self._known = {*self._elsewhere.stems(), *self._count, *self._phrases.stems(), *self._likes.stems(), *chain(*self._back), *english}
        for table in (words.nicknames, words.forms, words.synonyms):
            spellings.update(token.word for other in chain(table, *table.values()) for token in _tokens(other) if not token.stops)
        names.update(token.word for table in (words.nicknames, words.forms) for other in chain(table, *table.values()) for token in _tokens(other))
        self._speller = _Speller(spellings, names, chain(words.plain, words.common))
        self._worths: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[dict[int, float], dict[int, float]]] = {}
        self._readings: dict[str, Reading] = {}

    def _rows(
        self, docs: Iterable[Doc], lines: list[dict[str, Sequence[str]]], spellings: Counter[str], names: set[str],
    ) -> Iterator[dict[str, Sequence[str]]]:
        """What is indexed of each document; of its lines it is put to the lines."""
        for doc in docs:
            tokens = _tokens("\n".join((doc.title, doc.text, *doc.names)))
            asks = [_tokens(line) for line in doc.asks]
            spellings.update(token.word for some in (tokens, *asks) for token in some if not token.stops)
            names.update(token.word for name in (doc.title, *doc.names) for token in _tokens(name) if not token.stops)
            text = [term.stem for term in self._terms(tokens) if term.tells]
            for line, some in zip(doc.asks, asks):
                terms = list(self._terms(some))
                own = [term.stem for term in terms if term.tells]
                said = [(tuple(term.stem for term in run if term.tells), likes) for run, likes in self._apart(terms)]
                like = [stem for stems, likes in said if stems for stem in likes]
                self._line_says.append([(frozenset((*stems, *likes)), stems[0]) for stems, likes in said if stems])
                lines.append({"own": own, "like": [*own, *like], "asking": asking(line)})
                self._line_text.append(line)
                self._line_asking.append(frozenset(asking(line)))
                self._of.append(len(self._ids))
                self._line_holds.append(frozenset((*own, *like)))
            self._ids.append(doc.id)
            self._holds.append(frozenset(text))
            yield {"text": text, "pairs": _pairs(text)}

    def read(self, question: str) -> Reading:
        """What a question says, as it is understood. Takes any text; of a long one, its beginning."""
        found = self._readings.get(question)
        if found is None:
            if len(self._readings) > KEPT:
                self._readings.clear()
            found = self._readings[question] = self._read(question)
        return found

    def search(self, question: str, limit: int = 10) -> Found:
        """The best hits for a question, at most so many. Takes any text; of a long one, its beginning."""
        reading = self.read(question)
        hits = self._hits(reading, limit) if limit > 0 else ()
        share = hits[0].share if hits else 0.0
        return Found(hits, reading.read, reading.unknown, share)

    def stems(self, text: str) -> Sequence[str]:
        """The telling words of a text in order, as stems, spelling put right and nicknames resolved."""
        return self.read(text).stems

    def mark(self, text: str, question: str) -> list[tuple[int, int]]:
        """The places in a text (start and end, in order, apart) of the words that a question asks for."""
        wanted = {stem for want in self.read(question).wants for stem in want.stems}
        return sorted({(term.start, term.end) for term in self._terms(_tokens(text)) if term.tells and term.stem in wanted})

    def _hits(self, reading: Reading, limit: int) -> tuple[Hit, ...]:
        worths = [self._worth_of(want) for want in reading.wants]
        pairs = [{n: PAIR * score for n, score in self._text.of("pairs", pair).items()} for pair in dict.fromkeys(_pairs(reading.stems))]
        total = _sum([*(text for text, _ in worths), *pairs])
        lines = _sum(line for _, line in worths)
        for aspect in reading.asking:
            for n, score in self._lines.of("asking", aspect).items():
                if n in lines:
                    lines[n] += ASPECT * score
        best: dict[int, tuple[float, int]] = {}
        for line, score in lines.items():
            n = self._of[line]
            if score > best.get(n, NO_LINE)[0]:
                best[n] = score, line
        for n, (score, _) in best.items():
            total[n] = total.get(n, 0.0) + ASKS * score
        asked = {stem for want in reading.wants for stem in want.stems}
        first = []
        for n, score in nlargest(limit, total.items(), key=lambda entry: (entry[1], -entry[0])):
            worth, line = best.get(n, NO_LINE)
            if line >= 0:
                score -= ASKS * worth * BESIDE * (1 - self._to_the_point(line, asked))
            alike = line >= 0 and not self._line_asking[line].isdisjoint(reading.asking)
            first.append(Hit(self._ids[n], score, self._share(reading.wants, n, line), alike, self._line_text[line] if line >= 0 else ""))
        return tuple(sorted(first, key=lambda hit: -hit.score))

    def _to_the_point(self, line: int, asked: AbstractSet[str]) -> float:
        """How much of a line of asks a question says too, a rare word weighing more than a common one."""
        total = met = 0.0
        for stems, first in self._line_says[line]:
            weight = self._rarity(first)
            total += weight
            met += weight * (not asked.isdisjoint(stems))
        return met / total if total else 0.0

    def _worth_of(self, want: Want) -> tuple[dict[int, float], dict[int, float]]:
        """What a want is worth in every text and in every line; kept, since people ask for the same things."""
        key = want.own, tuple(want.stems)
        found = self._worths.get(key)
        if found is None:
            if len(self._worths) > KEPT:
                self._worths.clear()
            text = _most((weight, self._text.of("text", stem)) for stem, weight in want.stems.items())
            own = ((weight, self._lines.of("own", stem)) for stem, weight in want.stems.items())
            like = ((LIKE * min(weight, 1.0), self._lines.of("like", stem)) for stem, weight in want.stems.items())
            found = self._worths[key] = text, _most((*own, *like))
        return found

    def _share(self, wants: Sequence[Want], n: int, line: int) -> float:
        """How much of what is wanted a document holds, in its text or in one of its lines, a rare word weighing more than a common one."""
        held, said = self._holds[n], self._line_holds[line] if line >= 0 else NOTHING
        total = met = 0.0
        for want in wants:
            total += want.weight
            met += want.weight * max((max(worth, MET) for stem, worth in want.stems.items() if stem in held or stem in said), default=0.0)
        return met / total if total else 0.0

    def _lacking(self, own: Sequence[str]) -> float:
        """What it weighs that nothing is known of a word: less for a common or a very short one, which may be just a turn of speech."""
        rank = min(self._rank.get(stem, RARE if len(stem) > 3 else 0) for stem in own)
        return self._rarity("") * max(COMMON, min(1.0, rank / RARE))

    def _rarity(self, stem: str) -> float:
        return log(1 + (self._docs + 0.5) / (self._count[stem] + 0.5))

    def _read(self, question: str) -> Reading:
        quoted = [match.span() for match in _QUOTED.finditer(question[:LETTERS])]
        typed = _tokens(question[:LETTERS])[:WORDS]
        if quoted:
            typed = [replace(token, exact=any(start < token.start < end for start, end in quoted)) for token in typed]
        tokens, read = self._spelt(typed)
        terms = list(self._terms(tokens))
        nicknames = {term.start: (term.end, term.phrase) for term in terms if term.phrase}
        read = [(start, end, new) for start, end, new in read if not any(first <= start < last for first, (last, _) in nicknames.items())]
        read += [(start, end, phrase) for start, (end, phrase) in nicknames.items()]
        told: dict[tuple[str, str], str] = {}
        for start, end, new in sorted(read):
            old = question[start:end] if start in nicknames else question[start:end].lower()
            told.setdefault((old, new), f'{question[:start]}"{question[start:end]}"{question[end:]}')
        wants = tuple(self._wants(question, terms))
        met = {want.typed for want in wants if want.stems}
        unknown = tuple(dict.fromkeys(want.typed for want in wants if want.typed not in met))
        return Reading(wants, tuple(term.stem for term in terms if term.tells), tuple(told), tuple(told.values()), unknown, asking(question))

    def _apart(self, terms: Sequence[_Term]) -> Iterator[tuple[Sequence[_Term], Sequence[str]]]:
        """The terms of a text one by one, or a phrase together that has synonyms; and those synonyms, as the game's own stems."""
        stems = [term.stem for term in terms]
        place = 0
        while place < len(terms):
            length, likes = self._likes.at(stems, place) or (1, [])
            yield terms[place:place + length], likes
            place += length

    def _wants(self, question: str, terms: Sequence[_Term]) -> Iterator[Want]:
        """What is wanted, each thing once: a telling word with its synonyms, or a phrase that has synonyms."""
        seen: set[tuple[str, ...]] = set()
        all_stems = [term.stem for term in terms]
        far = {n for at in range(len(terms)) if (found := self._elsewhere.at(all_stems, at)) for n in range(terms[at].start, terms[at + found[0] - 1].end)}
        for run, likes in self._apart(terms):
            own = tuple(term.stem for term in run if term.tells)
            if own and own not in seen:
                seen.add(own)
                stems = self._worth(own, likes)
                best = max(stems.values(), default=0.0)
                weight = max((self._rarity(stem) for stem, worth in stems.items() if worth == best), default=0.0) or self._lacking(own)
                if run[0].start in far:
                    weight *= ELSEWHERE
                yield Want(question[run[0].start:run[-1].end].lower(), own, stems, weight)

    def _worth(self, own: tuple[str, ...], likes: Sequence[str]) -> dict[str, float]:
        """The stems that meet a want. A word of the game that no text uses is met by what players say for it."""
        worth = {stem: 1.0 for stem in own if stem in self._count}
        if worth:
            return {stem: SYNONYM for stem in likes if stem in self._count} | worth
        return {stem: ALONE for stem in (*likes, *self._back.get(own, ())) if stem in self._count}

    def _terms(self, tokens: Sequence[_Token]) -> Iterator[_Term]:
        """The words of a text as stems, nicknames resolved to the phrase's own."""
        stems = [token.stem for token in tokens]
        place = 0
        while place < len(tokens):
            length, (phrase, told) = self._phrases.at(stems, place) or (1, ("", False))
            run = tokens[place:place + length]
            if phrase and not any(token.exact for token in run):
                yield from (_Term(stem, run[0].start, run[-1].end, True, phrase if told else "") for stem in _telling(phrase))
            else:
                yield from (_Term(token.stem, token.start, token.end, not token.stops) for token in run)
            place += length

    def _spelt(self, tokens: Sequence[_Token]) -> tuple[list[_Token], list[tuple[int, int, str]]]:
        """The tokens with unknown words put right; and what was put right: start, end, new."""
        right: list[_Token] = []
        read: list[tuple[int, int, str]] = []
        place = 0
        while place < len(tokens):
            token, *after = tokens[place:place + 2]
            place += 1
            if token.stops or token.exact or (token.stem in self._known and not after):
                right.append(token)
                continue
            joined = token.word + after[0].word if after else ""
            if joined and self._speller.has(joined):
                right.append(_Token(joined, _stem(joined), token.start, after[0].end))
                place += 1
                continue
            if token.stem in self._known:
                right.append(token)
                continue
            new = self._speller.put_right(token.word)
            if new:
                read.append((token.start, token.end, new))
            right += [_Token(word, _stem(word), token.start, token.end) for word in (new or token.word).split()]
        return right, read


def _pairs(stems: Sequence[str]) -> list[str]:
    return [f"{one}_{other}" for one, other in pairwise(stems)]


class _Speller:
    """Puts a misspelt word right: two words run together, a few slips, or a word that sounds the same; a name before another word."""

    def __init__(self, words: Mapping[str, int], names: Iterable[str], plain: Iterable[str]) -> None:
        self.words = {word: count for word, count in words.items() if word.isalpha() and len(word) > 2}
        self.names = {name for name in names if name in self.words}
        self.cache: dict[str, str] = {}
        self.candidates = sorted(word for word in {*self.words, *_STOP, *plain} if len(word) > 3)
        self.close_names = sorted(name for name in self.names if len(name) > 4)
        self.long_names = sorted(name for name in self.names if len(name) > 7)
        self.by_sound: dict[str, list[str]] = defaultdict(list)
        for word in self.words:
            if len(word) > 4:
                self.by_sound[_sound(word)].append(word)

    def has(self, word: str) -> bool:
        return word in self.words

    def put_right(self, word: str) -> str:
        """The word or two words that are meant, "" where none is near."""
        if len(word) < 4 or len(word) > 24 or not word.isalpha():
            return ""
        found = self.cache.get(word)
        if found is None:
            if len(self.cache) > KEPT:
                self.cache.clear()
            found = self.cache[word] = self._near(word, self.close_names, 1) or self._apart(word) or self._near(word, self.candidates) or self._alike(word)
        return found

    def _apart(self, word: str) -> str:
        cuts = ((word[:n], word[n:]) for n in range(3, len(word) - 1))
        both = [cut for cut in cuts if cut[0] in self.words and (cut[1] in self.words or cut[1] in _STOP)]
        return " ".join(max(both, key=lambda cut: (min(self.words.get(word, 1) for word in cut), cut))) if both else ""

    def _near(self, word: str, candidates: Sequence[str], most: int = 2) -> str:
        """One slip in a short word, two in a longer one or a name that begins alike, three in a long name."""
        slips = 1 if len(word) <= 5 else most
        near = process.extract(word, candidates, scorer=OSA.distance, score_cutoff=slips, limit=None)
        found = [(far, word[0] != other[0], other not in self.names, -self.words.get(other, 0), other)
                 for other, far, _ in near if far == 1 or (word[0] == other[0] and (other in self.names or len(word) > 6))]
        if not found and len(word) > 7 and most > 1:
            near = process.extract(word, self.long_names, scorer=OSA.distance, score_cutoff=3, limit=None)
            found = [(far, False, False, -self.words[other], other) for other, far, _ in near if word[0] == other[0]]
        return min(found, default=(0, False, False, 0, ""))[-1]

    def _alike(self, word: str) -> str:
        same = self.by_sound.get(_sound(word), ()) if len(word) > 4 and len(_sound(word)) > 2 else ()
        alike = [other for other in same if OSA.distance(word, other) <= len(word) / 2]
        return min(alike, key=lambda other: (other not in self.names, abs(len(other) - len(word)), -self.words[other], other), default="")


def _sound(word: str) -> str:
    return str(double_metaphone(word)[0])

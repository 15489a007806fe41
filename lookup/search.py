"""Find what a question is about. The only module that knows Whoosh."""
from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from itertools import chain, pairwise
from math import log
from threading import Lock
from typing import Any, Generic, TypeVar

from whoosh import fields, query, scoring  # type: ignore[import-untyped]
from whoosh.filedb.filestore import RamStorage  # type: ignore[import-untyped]
from whoosh.lang.dmetaphone import double_metaphone  # type: ignore[import-untyped]
from whoosh.lang.porter import stem as porter  # type: ignore[import-untyped]

FILE = "words.toml"
LETTERS, WORDS = 200, 24
"""So much of a question is read; the rest is passed over."""

SYNONYM, ALONE, PAIR, ASKS = 0.4, 0.8, 0.5, 1.0
"""What counts beside a word in the text (1): its synonym, the synonym of a word that stands nowhere, two words together, a word in a line of asks."""

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_STOP = frozenset(_WORD.findall("""
    a about actually after all also am an and another any anyone anything are as at away be because been being but by can cannot could did do does doing
    done each either else ever every everyone exactly for from get gets getting go goes going got had has have having he her here hers him his how i if in
    instead into is it its just let like may maybe many me mean means might mine more most much must my no nor not now of off ok okay on or other others our
    ours out over please rather really same shall she should since so some someone something still such than that the their theirs them then there these
    they thing things this those though through thus to too under until up upon us versus very vs want wants was way we were what whatever when whenever
    where wherever whether which while who whoever whom whose why will with within without would yes yet you your yours
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


@dataclass(frozen=True)
class Found:
    """What a search gives.

    hits: best first. read: what was read as what, in the question's order (a misspelling as a word, a nickname as a phrase).
    unknown: words of the question of which nothing is known. share: from 0 to 1, how much of what the question says (its rarer
    words weigh more) the best hit holds.
    """

    hits: tuple[Hit, ...] = ()
    read: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()
    share: float = 0.0


@dataclass(frozen=True)
class Words:
    """How players talk. Each table goes from the game's word or phrase to what players say for it.

    nicknames: read as the phrase, and said so. forms: other forms of the same word, read as it without a remark.
    synonyms: near enough to look there too. plain: English words that are no slip, though the game does not use them.
    """

    nicknames: Mapping[str, Sequence[str]] = field(default_factory=dict)
    forms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    synonyms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()

    @classmethod
    def load(cls, package: str = "knowledge") -> Words:
        """Read the words that a knowledge package brings. Raises WordsError where the file is missing, is no TOML, or says something that cannot be."""
        where = f"{package.replace('.', '/')}/{FILE}"
        try:
            data = tomllib.loads((resources.files(package) / FILE).read_text(encoding="utf-8"))
        except (ModuleNotFoundError, OSError):
            raise WordsError(f"{where}: no such file") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise WordsError(f"{where}: {' '.join(str(error).split())}") from None
        if unknown := set(data) - {"nicknames", "forms", "synonyms", "plain"}:
            raise WordsError(f"{where}: {min(unknown)}: there are nicknames, forms, synonyms and plain")
        if not isinstance(plain := data.get("plain", ""), str):
            raise WordsError(f"{where}: plain: one text, its words apart by spaces")
        nicknames, forms, synonyms = (_table(where, name, data.get(name, {})) for name in ("nicknames", "forms", "synonyms"))
        words = cls(nicknames, forms, synonyms, frozenset(plain.split()))
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
class _Want:
    """One thing that a question says: the words typed, and the stems that meet it, each with what it is worth."""

    typed: str
    stems: Mapping[str, float]


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
        self._ids: list[str] = []
        self._holds: list[frozenset[str]] = []
        self._in: dict[str, set[str]] = {name: set() for name in ("text", "pairs", "asks")}
        spellings: Counter[str] = Counter()
        self._searcher = self._build(docs, spellings)
        self._lock = Lock()
        self._count = Counter(stem for held in self._holds for stem in held)
        self._known = {*self._count, *self._phrases.stems(), *self._likes.stems(), *chain(*self._back), *map(_stem, words.plain)}
        for table in (words.nicknames, words.forms, words.synonyms):
            spellings.update(token.word for other in chain(table, *table.values()) for token in _tokens(other) if not token.stops)
        self._speller = _Speller(spellings)

    def _build(self, docs: Iterable[Doc], spellings: Counter[str]) -> Any:
        schema = fields.Schema(**{name: fields.KEYWORD(scorable=True) for name in self._in})
        storage = RamStorage()
        # Whoosh keeps the temporary files of an index in memory in a folder that all processes share.
        storage.temp_storage = lambda name=None: RamStorage()
        index = storage.create_index(schema)
        writer = index.writer()
        for doc in docs:
            tokens = _tokens("\n".join((doc.title, doc.text, *doc.names)))
            asks = [_tokens(line) for line in doc.asks]
            spellings.update(token.word for some in (tokens, *asks) for token in some if not token.stops)
            text = [term.stem for term in self._terms(tokens) if term.tells]
            entry = {"text": text, "pairs": _pairs(text), "asks": [term.stem for some in asks for term in self._terms(some) if term.tells]}
            for name, stems in entry.items():
                self._in[name].update(stems)
            self._ids.append(doc.id)
            self._holds.append(frozenset((*text, *entry["asks"])))
            writer.add_document(**{name: " ".join(stems) for name, stems in entry.items() if stems})
        writer.commit()
        return index.searcher(weighting=scoring.BM25F(B=0.4, K1=1.2))

    def search(self, question: str, limit: int = 10) -> Found:
        """The best hits for a question, at most so many. Takes any text; of a long one, its beginning."""
        wants, terms, read = self._read(question)
        met = {want.typed for want in wants if want.stems}
        unknown = tuple(dict.fromkeys(want.typed for want in wants if want.typed not in met))
        hits = self._hits(wants, terms, limit) if limit > 0 else []
        share = self._share(wants, self._holds[hits[0][0]]) if hits else 0.0
        return Found(tuple(Hit(self._ids[n], score) for n, score in hits), read, unknown, share)

    def stems(self, text: str) -> list[str]:
        """The telling words of a text in order, as stems, spelling put right and nicknames resolved."""
        return self._read(text)[1]

    def mark(self, text: str, question: str) -> list[tuple[int, int]]:
        """The places in a text (start and end, in order, apart) of the words that a question asks for."""
        wanted = {stem for want in self._read(question)[0] for stem in want.stems}
        return sorted({(term.start, term.end) for term in self._terms(_tokens(text)) if term.tells and term.stem in wanted})

    def _hits(self, wants: Sequence[_Want], terms: Sequence[str], limit: int) -> list[tuple[int, float]]:
        worth: dict[str, float] = {}
        for want in wants:
            for stem, weight in want.stems.items():
                worth[stem] = max(weight, worth.get(stem, 0))
        parts = [query.Term("text", stem, boost=weight) for stem, weight in worth.items() if stem in self._in["text"]]
        parts += [query.Term("asks", stem, boost=weight * ASKS) for stem, weight in worth.items() if stem in self._in["asks"]]
        parts += [query.Term("pairs", pair, boost=PAIR) for pair in dict.fromkeys(_pairs(terms)) if pair in self._in["pairs"]]
        if not parts:
            return []
        either = query.Or(parts)
        either.matcher_type = query.Or.DEFAULT_MATCHER
        # Given a limit, Whoosh passes over blocks of hits, and where two sums round differently it never comes to an end.
        with self._lock:
            return [(hit.docnum, float(hit.score)) for hit in self._searcher.search(either, limit=None)[:limit]]

    def _share(self, wants: Sequence[_Want], held: frozenset[str]) -> float:
        """How much of what is wanted a document holds, a rare word weighing more than a common one."""
        total = met = 0.0
        for want in wants:
            best = max(want.stems.values(), default=0.0)
            weight = max((self._rarity(stem) for stem, worth in want.stems.items() if worth == best), default=self._rarity(""))
            total += weight
            met += weight * max((worth for stem, worth in want.stems.items() if stem in held), default=0.0)
        return met / total if total else 0.0

    def _rarity(self, stem: str) -> float:
        return log(1 + (len(self._ids) + 0.5) / (self._count[stem] + 0.5))

    def _read(self, question: str) -> tuple[list[_Want], list[str], tuple[tuple[str, str], ...]]:
        """What a question wants, its stems in order, and what was read as what."""
        typed = _tokens(question[:LETTERS])[:WORDS]
        tokens, read = self._spelt(typed)
        terms = list(self._terms(tokens))
        nicknames = {term.start: (term.end, term.phrase) for term in terms if term.phrase}
        read = [(place, old, new) for place, old, new in read if not any(start <= place < end for start, (end, _) in nicknames.items())]
        read += [(start, question[start:end], phrase) for start, (end, phrase) in nicknames.items()]
        told = tuple(dict.fromkeys((old, new) for _, old, new in sorted(read)))
        return list(self._wants(question, terms)), [term.stem for term in terms if term.tells], told

    def _wants(self, question: str, terms: Sequence[_Term]) -> Iterator[_Want]:
        """What is wanted, each thing once: a telling word with its synonyms, or a phrase that has synonyms."""
        stems = [term.stem for term in terms]
        seen: set[tuple[str, ...]] = set()
        place = 0
        while place < len(terms):
            length, likes = self._likes.at(stems, place) or (1, [])
            run = terms[place:place + length]
            place += length
            own = tuple(term.stem for term in run if term.tells)
            if own and own not in seen:
                seen.add(own)
                yield _Want(question[run[0].start:run[-1].end].lower(), self._worth(own, likes))

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
            if phrase:
                yield from (_Term(stem, run[0].start, run[-1].end, True, phrase if told else "") for stem in _telling(phrase))
            else:
                yield from (_Term(token.stem, token.start, token.end, not token.stops) for token in run)
            place += length

    def _spelt(self, tokens: Sequence[_Token]) -> tuple[list[_Token], list[tuple[int, str, str]]]:
        """The tokens with unknown words put right; and what was put right: place, old, new."""
        right: list[_Token] = []
        read: list[tuple[int, str, str]] = []
        place = 0
        while place < len(tokens):
            token, *after = tokens[place:place + 2]
            place += 1
            if token.stops or (token.stem in self._known and not after):
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
                read.append((token.start, token.word, new))
            right += [_Token(word, _stem(word), token.start, token.end) for word in (new or token.word).split()]
        return right, read


def _pairs(stems: Sequence[str]) -> list[str]:
    return [f"{one}_{other}" for one, other in pairwise(stems)]


class _Speller:
    """Puts a misspelt word right: two words run together, one or two slips, or a word that sounds the same."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self.words = {word: count for word, count in words.items() if word.isalpha() and len(word) > 2}
        self.cache: dict[str, str] = {}
        candidates = {**self.words, **{word: 1 for word in _STOP if word not in self.words}}
        self.by_length: dict[int, list[tuple[str, int]]] = defaultdict(list)
        self.by_sound: dict[str, list[str]] = defaultdict(list)
        for word in candidates:
            if len(word) > 3:
                self.by_length[len(word)].append((word, _letters(word)))
        for word in self.words:
            if len(word) > 4:
                self.by_sound[_sound(word)].append(word)

    def has(self, word: str) -> bool:
        return word in self.words

    def put_right(self, word: str) -> str:
        """The word or two words that are meant, "" where none is near."""
        if len(word) < 4 or len(word) > 24 or not word.isalpha():
            return ""
        if word not in self.cache:
            if len(self.cache) > 10_000:
                self.cache.clear()
            self.cache[word] = self._apart(word) or self._near(word) or self._alike(word)
        return self.cache[word]

    def _apart(self, word: str) -> str:
        cuts = ((word[:n], word[n:]) for n in range(3, len(word) - 2))
        both = [cut for cut in cuts if cut[0] in self.words and cut[1] in self.words]
        return " ".join(max(both, key=lambda cut: (min(self.words[word] for word in cut), cut))) if both else ""

    def _near(self, word: str) -> str:
        """One slip in a short word; two in a longer one that begins alike."""
        slips = 1 if len(word) <= 5 else 2
        letters = _letters(word)
        found = []
        for length in range(len(word) - slips, len(word) + slips + 1):
            for other, its_letters in self.by_length.get(length, ()):
                if (letters ^ its_letters).bit_count() <= 2 * slips:
                    far = _slips(word, other, slips)
                    if far == 1 or (far <= slips and word[0] == other[0]):
                        found.append((far, word[0] != other[0], -self.words.get(other, 0), other))
        return min(found, default=(0, False, 0, ""))[-1]

    def _alike(self, word: str) -> str:
        alike = self.by_sound.get(_sound(word), []) if len(word) > 4 and len(_sound(word)) > 2 else []
        return min(alike, key=lambda other: (abs(len(other) - len(word)), -self.words[other], other), default="")


def _letters(word: str) -> int:
    """The letters of a word as a set of bits."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 31)
    return bits


def _sound(word: str) -> str:
    return str(double_metaphone(word)[0])


def _slips(one: str, other: str, most: int) -> int:
    """How many letters are wrong, missing, too many or swapped with their neighbour; more than most where there are more."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, its in enumerate(other, 1):
            cost = min(last[j] + 1, row[-1] + 1, last[j - 1] + (letter != its))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == its:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return last[-1]

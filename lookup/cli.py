"""The command line.  Nothing heavy is imported before a command needs it: help, version and completion come at once."""
from __future__ import annotations

import argparse
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

from .nearest import meant

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from .answer import Desk
    from .terminal import Look

ANSWERED, REFUSED, USAGE, ASSUMED, BAD, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 4, 70, 130
DEBUG = "LAWSPEAKER_DEBUG"
LARGEST = 1_000_000


Given = argparse.Namespace


class Usage(Exception):
    """A command line that cannot be carried out; the message is one line."""


class Refused(Exception):
    """Something asked for that is not there; the message is one line."""


class Bad(Exception):
    """Data that cannot be read; the message is one line with its place."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line with the nearest right word, and whose help goes the way of all output."""

    def error(self, message: str) -> NoReturn:
        """Raises Usage."""
        name = self.prog.rpartition(" ")[2]
        said = message.replace("the following arguments are required:", f"{name} needs")
        said = re.sub(r"argument (\S+): expected one argument", lambda m: f"{m[1]} needs a value: {m[1]} {OPTIONS[m[1]]['metavar']}", said)
        raise Usage(re.sub(r"argument (\S+): ignored explicit argument.*", r"\1 takes no value", said))

    def print_help(self, file: Any = None) -> None:
        """Writes the help to standard output."""
        out(self.format_help())


class Once(argparse.Action):
    """An option that may stand once."""

    def __call__(self, parser: argparse.ArgumentParser, given: Given, values: Any, option: str | None = None) -> None:
        """Keeps the value.  Raises Usage where there is one already."""
        if getattr(given, "seen", None) is None:
            given.seen = set()
        if self.dest in given.seen:
            raise Usage(f"{option} stands there twice")
        given.seen.add(self.dest)
        setattr(given, self.dest, values)


def main(argv: Sequence[str] | None = None) -> int:
    """Carries out a command line and returns the exit code.  Whatever goes wrong is told in a line, never as a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if not sys.warnoptions and not os.environ.get(DEBUG):
        warnings.simplefilter("ignore")
    try:
        code = carried_out(list(sys.argv[1:] if argv is None else argv))
    except Usage as e:
        complain(str(e))
        return USAGE
    except Refused as e:
        complain(str(e))
        return REFUSED
    except Bad as e:
        for line in str(e).splitlines():
            complain(line)
        return BAD
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as e:
        if os.environ.get(DEBUG):
            import traceback
            traceback.print_exc()
        complain(f"internal error: {type(e).__name__}: {e} (set {DEBUG}=1 for the details)")
        return INTERNAL
    return code


def carried_out(argv: list[str]) -> int:
    """Finds the command and carries it out."""
    top, commands = parsers()
    if not argv:
        raise Usage(f"a command is needed: {', '.join(commands)}; lawspeaker --help tells more")
    first, *rest = argv
    if first in ("-h", "--help", "help"):
        return out(named(commands, rest[0]).format_help() if first == "help" and rest else top.format_help())
    if first == "--version":
        return out(f"lawspeaker {version()}\n")
    parser = named(commands, first)
    try:
        given, more = parser.parse_known_intermixed_args(rest)
    except SystemExit:
        return ANSWERED
    if more:
        flag = more[0].partition("=")[0]
        if not flag.startswith("-"):
            raise Usage(f"{first} takes no {shown(flag)}")
        raise Usage(f"{first} has no option {shown(flag)}{meant(flag, parser._option_string_actions)}")
    return given.run(given) if first == "completion" else judged(given)


def named(commands: Mapping[str, Parser], word: str) -> Parser:
    """The parser of a command.  Raises Usage with the nearest."""
    if word in commands:
        return commands[word]
    if word.startswith("-"):
        option = word.partition("=")[0]
        owners = [name for name, parser in commands.items() if option in parser._option_string_actions]
        if owners:
            raise Usage(f"{option} stands behind a command: lawspeaker {owners[0]} {option}")
        raise Usage(f"no option {shown(option)}{meant(option, ('--help', '--version'))}")
    near = meant(word, commands)
    hint = f"; to ask: lawspeaker ask {shown(word)}" if len(word.split()) > 1 or "nearest" not in near else near
    raise Usage(f"no command {shown(word)}{hint}")


def judged(given: Given) -> int:
    """Carries out a command, the errors of the machine turned into those of this module."""
    from .answer import BadQuestion, TooBig, Unknown
    from .book import BadBook
    from .owner import OwnerError
    from .plain import BadText
    from .search import WordsError
    from .sources import SourcesError

    try:
        code: int = given.run(given)
        return code
    except (Unknown, BadQuestion) as e:
        raise Refused(e.says) from e
    except TooBig as e:
        raise Refused(str(e)) from e
    except (BadBook, BadText, OwnerError, SourcesError, WordsError) as e:
        raise Bad(str(e)) from e


def ask(given: Given) -> int:
    """Answers a question, or each of many."""
    desk, without = opened(given)
    if given.each:
        if given.words:
            raise Usage(f"ask takes a question or --each, and here are both: {shown(given.words[0])}")
        return ask_each(desk, given.each, without)
    question = " ".join(given.words)
    if not question.strip():
        raise Usage('ask needs a question: lawspeaker ask "QUESTION"')
    answer = answered(desk, question, without)
    if isinstance(answer, str):
        raise Usage(answer)
    if given.json:
        out(as_json(answer))
    else:
        from .terminal import answer as as_text
        out(as_text(answer, look(given)))
    if answer["status"] == "refused":
        return REFUSED
    return ASSUMED if given.strict and unsure([answer["verdict"] or next(iter(answer["results"]), {})]) else ANSWERED


def answered(desk: Desk, question: str, without: Sequence[str]) -> dict[str, Any] | str:
    """The answer to a question, or why it cannot be asked."""
    from .answer import BadQuestion

    try:
        return desk.ask(question, without)
    except BadQuestion as e:
        return e.says


def ask_each(desk: Desk, name: str, without: Sequence[str]) -> int:
    """Answers a question a line with an object a line; a line that cannot be asked is refused like any other."""
    for line in lines_of(name):
        question = line.strip()
        answer = answered(desk, question, without)
        if isinstance(answer, str):
            answer = {"schema": "lawspeaker.answer/1", "question": question[:200], "status": "refused", "verdict": None, "named": [], "results": [],
                      "scenarios": [], "silent": [answer], "read": [], "as_typed": [], "did_you_mean": [], "without": list(without)}
        out(as_json(answer))
        if sys.stdout is None:
            break
    return ANSWERED


def complete(given: Given) -> int:
    """Says how the beginning of a question can go on, a line each."""
    desk, _ = opened(given)
    found = desk.complete(" ".join(given.words))
    if given.json:
        out(as_json(found))
    else:
        out("".join(f"{c['text']}\n" for c in found["completions"]))
    return ANSWERED if found["completions"] else REFUSED


def show(given: Given) -> int:
    """Shows a clause, ruling, card, page or scenario."""
    desk, _ = opened(given)
    sheet = desk.show(given.words[0])
    if given.json:
        return out(as_json(sheet))
    from .terminal import sheet as as_text
    return out(as_text(sheet, look(given)))


def play(given: Given) -> int:
    """Plays a scenario or position out, and holds it against its claims."""
    from .answer import Unknown

    desk, without = opened(given)
    word = given.words[0]
    if word == "-" or (word not in desk.book.scenarios and os.path.exists(word)):
        name, text = name_of(word), text_of(word)
        if not text.strip():
            raise Bad(f"{name}:1: empty; a scenario file holds a scenario or a list of them")
    elif re.search(r"\.(ya?ml|json|txt)$", word) or (os.sep in word and "/s/" not in word):
        raise Refused(f"no file {shown(word)}")
    else:
        name, text = "link", word
    more = given.why or given.vary or given.losses or given.plays_for or given.against
    try:
        found = desk.play(text, name, without)
        if more:
            plays = {**dict.fromkeys(given.plays_for, True), **dict.fromkeys(given.against, False)}
            for s, said in zip(found["scenarios"], desk.inquire(text, name, without, given.why, given.vary, given.losses, plays)):
                s.update(said)
    except Unknown as e:
        if name == "link":
            raise
        raise Bad(f"{name}:1: {e.says}") from e
    held = judge(found) if not without else True
    if given.json:
        out(as_json(found))
    else:
        from .terminal import played
        out(played(found, look(given)))
    if not held:
        return REFUSED
    return ASSUMED if given.strict and unsure(c for s in found["scenarios"] for c in s["claims"]) else ANSWERED


def judge(found: Mapping[str, Any]) -> bool:
    """Holds each claim against what its file says of it, and notes it there."""
    from fractions import Fraction

    from .engine.solve import Verdict
    from .scenario import agrees

    held = True
    for s in found["scenarios"]:
        for c in s["claims"]:
            if "file_says" in c:
                c["holds"] = agrees(c["file_says"], Verdict(Fraction(c["least"]), Fraction(c["greatest"]), c["verdict"]))
                held = held and c["holds"]
    return held


def unsure(things: Iterable[Mapping[str, Any]]) -> bool:
    """Whether some verdict rests on an assumption or turns on a reading."""
    return any(t.get("tier") in ("assumed", "silent") or t.get("turns_on") or t.get("verdict") == "open" for t in things)


def read(given: Given) -> int:
    """Reads the owner's own rulebook and keeps its words on this machine."""
    from pathlib import Path

    from . import owner, sources

    reading = owner.read([Path(word) for word in given.words], sources.load())
    kept = owner.save(reading)
    if given.json:
        files = [{"file": name, "matched": n} for name, n in reading.files]
        return out(as_json({"schema": "lawspeaker.read/1", "matched": len(reading.found), "of": reading.of, "files": files, "kept": str(kept)}))
    each = [f"{name}: {n}" for name, n in reading.files] if len(reading.files) > 1 else []
    return out("\n".join([*each, f"{reading} passages; they are kept in {kept} and shown beside every answer"]) + "\n")


def check(given: Given) -> int:
    """Checks a knowledge package: a line a fault, then a summary."""
    from .book import BadBook
    from .check import check as checked

    package = given.words or "knowledge"
    if given.words:
        sys.path.insert(0, os.getcwd())
    try:
        found: Mapping[str, Any] = checked(package)
    except BadBook as e:
        found = {"schema": "lawspeaker.check/1", "faults": e.faults}
    if given.json:
        out(as_json(found))
    else:
        counts = [f"{what}: {counted(count)}" for what, count in found.items() if isinstance(count, Mapping)]
        out("\n".join([*found["faults"], *counts, f"faults: {len(found['faults'])}"]) + "\n")
    return BAD if found["faults"] else ANSWERED


def counted(count: Mapping[str, int]) -> str:
    """Numbers with what they count: "17 proven, 1 advice"; those of a whole: "130 restated, 0 no rule, of 130"."""
    return ", ".join(f"of {n}" if name == "of" else f"{n} {name.replace('_', ' ')}" for name, n in count.items())


def coverage(given: Given) -> int:
    """Prints each clause with its passages, its place in code or its mark, and the scenarios that meet it; and each passage with its clauses."""
    from dataclasses import asdict

    from .book import load
    from .coverage import Coverage

    tables = Coverage(load(), progress_bar(str))
    rows, passages = tables.rows(), tables.passages()
    if given.json:
        return out(as_json({"schema": "lawspeaker.coverage/1", "clauses": [asdict(row) for row in rows], "passages": passages}))
    lines = [f"{r.id}  {r.tier}  {r.place or r.mark}  {', '.join(r.passages) or '-'}  {len(r.scenarios)}: {', '.join(r.scenarios[:3]) or '-'}" for r in rows]
    lines += [f"{passage}: {', '.join(ids)}" for passage, ids in sorted(passages.items())]
    return out("\n".join(lines) + "\n")


def readings(given: Given) -> int:
    """Prints each reading, or those named: its rivals with their arguments, and what it changes."""
    from dataclasses import asdict

    from .book import load
    from .coverage import Coverage, Reading

    book = load()
    for name in given.words:
        if name not in book.readings:
            raise Refused(f"no reading {shown(name)}{meant(name, book.readings)}")
    tables = Coverage(book, progress_bar(str))
    found = [tables.reading(name) for name in (given.words or sorted(book.readings))]
    if given.json:
        return out(as_json({"schema": "lawspeaker.readings/1", "readings": [asdict(r) for r in found]}))

    def told(r: Reading) -> str:
        sides = [f"  {'likelier: ' if rival.base else 'or: '}{rival.text} ({rival.id}, {rival.tier})\n    {rival.why}" for rival in r.rivals]
        changes = [f"  changes {c.scenario}: {c.says}: {c.base}; by {c.rival}: {c.under}" for c in r.changes]
        return "\n".join([r.name, *sides, *changes])

    return out("\n\n".join(map(told, found)) + "\n")


def survey(given: Given) -> int:
    """Plays every small board, or a sample of them, and tells what went wrong on the smallest board that shows it."""
    from pathlib import Path

    from . import campaign
    from .book import load

    seconds = number_of(given.seconds, "--seconds") if given.seconds is not None else 0
    if given.seed is not None and not seconds:
        raise Usage("--seed is for a sample: give --seconds too")
    if given.state is not None and seconds:
        raise Usage("--state is for a whole survey, and --seconds is for a sample")
    book = load()
    with executor(given.dask) as (workers, atonce):
        if seconds:
            found = campaign.sample(book, workers, seconds, given.seed or "0", atonce, progress_bar(of_tally, "s"))
        else:
            path = Path(given.state) if given.state is not None else cache() / "survey.json"
            try:
                found = campaign.survey(book, workers, path, atonce, progress_bar(of_tally, " jobs"))
            except OSError as e:
                raise Bad(f"{e.filename or path}: {e.strerror or e}") from e
    if given.json:
        out(as_json(found.json()))
    else:
        from .terminal import survey as as_text
        out(as_text(found.json(), look(given)))
    return REFUSED if found.failed else ANSWERED


@contextmanager
def executor(address: str | None) -> Iterator[tuple[Executor, int]]:
    """Who does the work, and how many pieces it is given at once: processes on all cores, or a Dask cluster that stands at an address."""
    if address is None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        cores = os.cpu_count() or 1
        pool = ProcessPoolExecutor(cores, mp_context=get_context("spawn"))
        try:
            yield pool, 2 * cores
        finally:
            pool.shutdown(cancel_futures=True)
        return
    try:
        from distributed import Client
    except ModuleNotFoundError as e:
        raise Usage("--dask needs the extra: pip install 'lawspeaker[dask]'") from e
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as e:
        raise Refused(f"no Dask cluster answers at {shown(address)}") from e
    with client:
        yield client.get_executor(), 4 * max(1, sum(client.nthreads().values()))


def cache() -> Path:
    """Where results are kept that can be made again."""
    from platformdirs import user_cache_path

    return user_cache_path("lawspeaker")


def number_of(word: str, option: str) -> int:
    """A whole number from 1 on.  Raises Usage."""
    if not re.fullmatch(r"[1-9][0-9]{0,6}", word):
        raise Usage(f"{option} is a whole number from 1 to 9999999, not {shown(word)}")
    return int(word)


def progress_bar(told: Callable[[Any], str], unit: str = "") -> Callable[[int, int, Any], None] | None:
    """A function that draws how far something is, and what is told of it, on standard error; None where that is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    def draw(done: int, of: int, what: Any) -> None:
        filled = 24 * done // max(1, of)
        with suppress(OSError):
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (24 - filled)}] {done} of {of}{unit}, {told(what)}\x1b[K" if done < of else "\r\x1b[K")
            sys.stderr.flush()

    return draw


def of_tally(tally: Any) -> str:
    """What a survey has found so far."""
    return f"{tally.boards:,} boards, {len(tally.faults)} faults"


def serve(given: Given) -> int:
    """Serves the pages until it is stopped."""
    port = given.port
    if not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65535:
        raise Usage(f"--port is a number from 0 to 65535, not {shown(port)}")
    from web.serve import CannotServe
    from web.serve import serve as serve_pages

    try:
        serve_pages(port=int(port), lan=given.lan)
    except CannotServe as e:
        raise Refused(e.says) from e
    return ANSWERED


def completion(given: Given) -> int:
    """Prints a shell's completion script, or every id."""
    what = given.words[0]
    if what == "ids":
        from .book import load
        book = load()
        return out("\n".join([*book.clauses, *book.pages, *book.scenarios]) + "\n")
    if what not in SHELLS:
        raise Usage(f"completion is for {', '.join(SHELLS)}, not {shown(what)}{meant(what, SHELLS)}")
    return out(SHELLS[what]())


def bash() -> str:
    """The completion script for bash."""
    commands = parsers()[1]
    cases = "\n".join(f"    {name}) words='{' '.join(o for o in p._option_string_actions if o.startswith('--'))}' ;;" for name, p in commands.items())
    return f"""_lawspeaker() {{
  local now=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{' '.join(commands)} --help --version' -- "$now")); return
  fi
  if [ "$before" = --without ] || {{ [[ $now != -* ]] && [[ ${{COMP_WORDS[1]}} = show || ${{COMP_WORDS[1]}} = play ]]; }}; then
    COMPREPLY=($(compgen -W "$(lawspeaker completion ids 2>/dev/null)" -- "$now") $(compgen -f -- "$now")); return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  if [[ $now = -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$now")); else COMPREPLY=($(compgen -f -- "$now")); fi
}}
complete -F _lawspeaker lawspeaker
"""


def zsh() -> str:
    """The completion script for zsh, which reads bash's."""
    return "autoload -Uz bashcompinit && bashcompinit\n" + bash()


SHELLS: dict[str, Callable[[], str]] = {"bash": bash, "zsh": zsh}

def parsers() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the whole command line, for its help, and that of each command."""
    top = Parser(prog="lawspeaker", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=CODES,
                 description="Answers rules questions: the rule, the ruling, and the position played out with the rule itself.")
    top.add_argument("--version", action="store_true", help="print the version")
    adding = top.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)

    def command(name: str, run: Callable[[Given], int], says: str, *options: str) -> Parser:
        parser = adding.add_parser(name, help=says, description=says + ".", allow_abbrev=False)
        parser.set_defaults(run=run)
        for option in options:
            parser.add_argument(option, **OPTIONS[option])
        return parser

    every = ("--json", "--without", "--strict", "--all", "--plain")
    asking = command("ask", ask, "answer a question: the verdict, its rules, the position played out", *every, "--each")
    asking.add_argument("words", nargs="*", metavar="QUESTION")
    showing = command("show", show, "show a clause, ruling, card, page or scenario", "--json", "--all", "--plain")
    showing.add_argument("words", nargs=1, metavar="ID")
    playing = command("play", play, "play a position out and hold it against its claims", *every)
    playing.add_argument("words", nargs=1, metavar="ID|FILE|LINK|-")
    for option, dest, says in (("--for", "plays_for", "for"), ("--against", "against", "against")):
        playing.add_argument(option, dest=dest, action="append", default=[], metavar="PLAYER",
                             help=f"the chances where a player plays {says} the claims; may be given again")
    for option, says in (("--why", "which rules decide, who can do what about it, and how each reading makes it come out"),
                         ("--vary", "what would change it: the position varied one thing at a time"),
                         ("--losses", "how many units each side loses, as exact tables")):
        playing.add_argument(option, action="store_true", help=says)
    ending = command("complete", complete, "say how the beginning of a question can go on: names, asked questions, clauses", "--json")
    ending.add_argument("words", nargs="+", metavar="WORDS")
    reading = command("read", read, "read your own rulebook (text files), to show its words beside the answers", "--json")
    reading.add_argument("words", nargs="+", metavar="FILE")
    checking = command("check", check, "hold the rules, their code and the scenarios against each other", "--json")
    checking.add_argument("words", nargs="?", metavar="PACKAGE")
    command("coverage", coverage, "print each clause with its passages, its place in code and its scenarios", "--json")
    disputing = command("readings", readings, "print each reading with its arguments and what it changes", "--json")
    disputing.add_argument("words", nargs="*", metavar="READING")
    command("survey", survey, "play every small board, looking for a crash, an illegal state or an undeclared reading",
            "--json", "--plain", "--seconds", "--seed", "--state", "--dask")
    command("serve", serve, "serve the pages on this machine", "--port", "--lan")
    completing = command("completion", completion, "print a completion script for a shell")
    completing.add_argument("words", nargs=1, metavar="|".join(SHELLS))
    return top, adding.choices


OPTIONS: dict[str, dict[str, Any]] = {
    "--json": {"action": "store_true", "help": "print JSON"},
    "--plain": {"action": "store_true", "help": "no colour, lines not broken"},
    "--all": {"action": "store_true", "help": "tell everything: every rule found, and defaults in the steps"},
    "--each": {"action": Once, "metavar": "FILE", "help": "a question a line from a file (- is standard input), an object a line"},
    "--without": {"action": "append", "default": [], "metavar": "CLAUSE", "help": "strike a clause out first; may be given again"},
    "--strict": {"action": "store_true", "help": "exit 3 where the answer rests on an assumption or turns on a reading"},
    "--seconds": {"action": Once, "metavar": "N", "help": "play a sample for so many seconds, and not every board"},
    "--seed": {"action": Once, "metavar": "S", "help": "what the sample is drawn by (0); the same seed plays the same boards first"},
    "--state": {"action": Once, "metavar": "FILE", "help": "where a whole survey keeps how far it is, to go on from there (in the user's cache)"},
    "--dask": {"action": Once, "metavar": "ADDRESS", "help": "let a Dask cluster do the work (needs the extra: dask)"},
    "--port": {"action": Once, "default": "8000", "metavar": "N", "help": "the port (8000)"},
    "--lan": {"action": "store_true", "help": "let other devices on this network in, and print the address for them"},
}
CODES = """exit codes: 0 answered; 1 refused, unknown, or a claim that does not hold; 2 usage; 3 with --strict: it rests on
an assumption or turns on a reading; 4 bad data, or faults found; 70 internal; 130 interrupted."""


def version() -> str:
    """The version that is installed."""
    from importlib import metadata

    try:
        return metadata.version("lawspeaker")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def opened(given: Given) -> tuple[Desk, list[str]]:
    """The desk, and the clauses to be struck out.  What is wrong with the owner's file is told; the answers come without it."""
    from .answer import Desk

    desk = Desk.open()
    if desk.warning:
        complain(desk.warning)
    without: list[str] = getattr(given, "without", [])
    desk.strike(without)
    return desk, without


def look(given: Given) -> Look:
    """How text is laid out on standard output."""
    from .terminal import Look

    return Look.of(sys.stdout, given.plain, getattr(given, "all", False))


def name_of(word: str) -> str:
    """What a file is called in a message."""
    return "standard input" if word == "-" else shown(word, "")


def text_of(word: str) -> str:
    """The text of a file, or of standard input.  Raises Bad."""
    return "".join(lines_of(word, LARGEST))


def lines_of(word: str, most: int = 0) -> Iterator[str]:
    """The lines of a file, or of standard input, as they come; at most so many bytes.  Raises Bad."""
    name = name_of(word)
    try:
        if word == "-":
            if sys.stdin is None:
                raise Bad(f"{name}: closed")
            yield from decoded(sys.stdin.buffer, name, most)
        else:
            with open(word, "rb") as file:
                yield from decoded(file, name, most)
    except (OSError, ValueError) as e:
        raise Bad(f"{name}: {getattr(e, 'strerror', None) or e}") from e


def decoded(raw: Iterable[bytes], name: str, most: int) -> Iterator[str]:
    """Lines of bytes as text.  Raises Bad where they are none."""
    size = 0
    for n, line in enumerate(raw, 1):
        size += len(line)
        if most and size > most:
            raise Bad(f"{name}: longer than {most:,} bytes")
        if b"\0" in line:
            raise Bad(f"{name}:{n}: a binary file; a text is needed")
        try:
            yield line.decode("utf-8-sig" if n == 1 else "utf-8")
        except UnicodeDecodeError as e:
            raise Bad(f"{name}:{n}: not UTF-8, at the {e.start + 1}. byte of the line") from e


def as_json(value: Any) -> str:
    """A value as one line of JSON."""
    return json.dumps(value) + "\n"


def out(text: str) -> int:
    """Writes to standard output.  A reader that has gone away is no error: the rest is not written."""
    try:
        if sys.stdout is not None:
            sys.stdout.write(text)
            sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = None
        silence(1)
    except OSError as e:
        sys.stdout = None
        silence(1)
        raise Bad(f"standard output: {e.strerror}") from e
    return ANSWERED


def silence(number: int) -> None:
    """Points a stream that cannot be written at nothing, so that nothing is said of it at the end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def complain(text: str) -> None:
    """One line on standard error."""
    try:
        if sys.stderr is not None:
            sys.stderr.write(f"lawspeaker: {shown(text, '', 2000)}\n")
            sys.stderr.flush()
    except OSError:
        silence(2)


def shown(text: str, quote: str = "'", most: int = 80) -> str:
    """A text that fits on a line and harms no terminal."""
    line = "".join(c if c.isprintable() else " " if c.isspace() else repr(c)[1:-1] for c in text)
    return f"{quote}{line if len(line) <= most else line[:most] + '...'}{quote}"


if __name__ == "__main__":
    raise SystemExit(main())

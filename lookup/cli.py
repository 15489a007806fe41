"""The command line.  Nothing heavy is imported before a command needs it: help, version and completion come at once."""
from __future__ import annotations

import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .nearest import meant

if TYPE_CHECKING:
    from .answer import Desk
    from .terminal import Look

ANSWERED, REFUSED, USAGE, ASSUMED, BAD, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 4, 70, 130
DEBUG = "LAWSPEAKER_DEBUG"
LARGEST = 1_000_000


class Usage(Exception):
    """A command line that cannot be carried out; the message is one line."""


class Refused(Exception):
    """Something asked for that is not there; the message is one line."""


class Bad(Exception):
    """Data that cannot be read; the message is one line with its place."""


@dataclass(frozen=True)
class Option:
    """An option: what its value is called ("" takes none), whether it may be given again, and what it does."""

    takes: str
    says: str
    many: bool = False


@dataclass(frozen=True)
class Given:
    """What stands on the command line behind a command: its words, and its options with their values."""

    words: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]

    def has(self, name: str) -> bool:
        """Whether an option was given."""
        return name in self.options

    def one(self, name: str, default: str = "") -> str:
        """The value of an option."""
        return self.options.get(name, (default,))[-1]

    def all(self, name: str) -> tuple[str, ...]:
        """The values of an option that may be given again."""
        return self.options.get(name, ())


@dataclass(frozen=True)
class Command:
    """A command: what its words are called, what it does, its options, how many words it takes, and its code."""

    takes: str
    says: str
    run: Callable[[Given], int]
    options: Mapping[str, Option]
    least: int = 0
    most: int = 1_000_000


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
    if not argv:
        raise Usage(f"a command is needed: {', '.join(COMMANDS)}; lawspeaker --help tells more")
    first, *rest = argv
    if first in ("-h", "--help", "help"):
        if first == "help" and rest:
            return out(manual(*named(rest[0])))
        return out(overview())
    if first == "--version":
        return out(f"lawspeaker {version()}\n")
    name, command = named(first)
    if any(a in ("-h", "--help") for a in rest[:rest.index("--") if "--" in rest else None]):
        return out(manual(name, command))
    given = parsed(name, command, rest)
    if name == "completion":
        return command.run(given)
    return judged(command, given)


def named(word: str) -> tuple[str, Command]:
    """A command by its name.  Raises Usage with the nearest."""
    if word in COMMANDS:
        return word, COMMANDS[word]
    if word.startswith("-"):
        option = word.partition("=")[0]
        owners = [name for name, c in COMMANDS.items() if option in c.options]
        if owners:
            raise Usage(f"{option} stands behind a command: lawspeaker {owners[0]} {option}")
        raise Usage(f"no option {shown(option)}{meant(option, ('--help', '--version'))}")
    near = meant(word, COMMANDS)
    hint = f"; to ask: lawspeaker ask {shown(word)}" if len(word.split()) > 1 or "nearest" not in near else near
    raise Usage(f"no command {shown(word)}{hint}")


def parsed(name: str, command: Command, argv: Sequence[str]) -> Given:
    """The words and options behind a command.  Raises Usage."""
    words: list[str] = []
    options: dict[str, tuple[str, ...]] = {}
    left = list(argv)
    while left:
        word = left.pop(0)
        if word == "--":
            words += left
            break
        if not re.match(r"--?[A-Za-z][\w-]*(=|$)", word):
            words.append(word)
            continue
        flag, given, value = word.partition("=")
        option = command.options.get(flag)
        if option is None:
            raise Usage(f"{name} has no option {shown(flag)}{meant(flag, (*command.options, '--help'))}")
        if not option.takes:
            if given:
                raise Usage(f"{flag} takes no value")
            options[flag] = ("",)
            continue
        if not given:
            if not left:
                raise Usage(f"{flag} needs a value: {flag} {option.takes}")
            value = left.pop(0)
        if flag in options and not option.many:
            raise Usage(f"{flag} stands there twice")
        options[flag] = (*options.get(flag, ()), value)
    if len(words) < command.least:
        raise Usage(f"{name} needs {command.takes}")
    if len(words) > command.most:
        raise Usage(f"{name} takes {command.takes or 'no words'}, and then there is {shown(words[command.most])}")
    return Given(tuple(words), options)


def judged(command: Command, given: Given) -> int:
    """Carries out a command, the errors of the machine turned into those of this module."""
    from .answer import BadQuestion, TooBig, Unknown
    from .book import BadBook
    from .owner import OwnerError
    from .plain import BadText
    from .search import WordsError
    from .sources import SourcesError

    try:
        return command.run(given)
    except (Unknown, BadQuestion) as e:
        raise Refused(e.says) from e
    except TooBig as e:
        raise Refused(str(e)) from e
    except (BadBook, BadText, OwnerError, SourcesError, WordsError) as e:
        raise Bad(str(e)) from e


def ask(given: Given) -> int:
    """Answers a question, or each of many."""
    desk, without = opened(given)
    if given.has("--each"):
        if given.words:
            raise Usage(f"ask takes a question or --each, and here are both: {shown(given.words[0])}")
        return ask_each(desk, given.one("--each"), without)
    question = " ".join(given.words)
    if not question.strip():
        raise Usage('ask needs a question: lawspeaker ask "QUESTION"')
    answer = answered(desk, question, without)
    if isinstance(answer, str):
        raise Usage(answer)
    if given.has("--json"):
        out(as_json(answer))
    else:
        from .terminal import answer as as_text
        out(as_text(answer, behind(desk, answer), look(given)))
    if answer["status"] == "refused":
        return REFUSED
    return ASSUMED if given.has("--strict") and unsure([answer["verdict"] or next(iter(answer["results"]), {})]) else ANSWERED


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
                      "scenarios": [], "silent": [answer], "read": [], "without": list(without)}
        out(as_json(answer))
        if sys.stdout is None:
            break
    return ANSWERED


def behind(desk: Desk, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The clauses that a verdict turns on, as results."""
    if answer["verdict"] is None:
        return []
    claim = answer["verdict"].get("claim", "")
    ids = [*answer["verdict"].get("clauses", ()), *(id for s in answer["scenarios"] for c in s["claims"] if c["says"] == claim for id in c.get("decides", ()))]
    return [desk.show(id) for id in dict.fromkeys(ids)]


def show(given: Given) -> int:
    """Shows a clause, ruling, card, page or scenario."""
    desk, _ = opened(given)
    sheet = desk.show(given.words[0])
    if given.has("--json"):
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
        try:
            found = desk.play(text, name, without)
        except Unknown as e:
            raise Bad(f"{name}:1: {e.says}") from e
    elif re.search(r"\.(ya?ml|json|txt)$", word) or (os.sep in word and "/s/" not in word):
        raise Refused(f"no file {shown(word)}")
    else:
        found = desk.play(word, "link", without)
    held = judge(found) if not without else True
    if given.has("--json"):
        out(as_json(found))
    else:
        from .terminal import played
        out(played(found, look(given)))
    if not held:
        return REFUSED
    return ASSUMED if given.has("--strict") and unsure(c for s in found["scenarios"] for c in s["claims"]) else ANSWERED


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
    if given.has("--json"):
        files = [{"file": name, "matched": n} for name, n in reading.files]
        return out(as_json({"schema": "lawspeaker.read/1", "matched": len(reading.found), "of": reading.of, "files": files, "kept": str(kept)}))
    each = [f"{name}: {n}" for name, n in reading.files] if len(reading.files) > 1 else []
    return out("\n".join([*each, f"{reading} passages; they are kept in {kept} and shown beside every answer"]) + "\n")


def check(given: Given) -> int:
    """Checks a knowledge package: a line a fault, then a summary."""
    from .book import BadBook
    from .check import check as checked

    package = given.words[0] if given.words else "knowledge"
    if given.words:
        sys.path.insert(0, os.getcwd())
    try:
        found: Mapping[str, Any] = checked(package)
    except BadBook as e:
        found = {"schema": "lawspeaker.check/1", "faults": e.faults}
    if given.has("--json"):
        out(as_json(found))
    else:
        counts = [f"{what}: {counted(count)}" for what, count in found.items() if isinstance(count, Mapping)]
        out("\n".join([*found["faults"], *counts, f"faults: {len(found['faults'])}"]) + "\n")
    return BAD if found["faults"] else ANSWERED


def counted(count: Mapping[str, int]) -> str:
    """Numbers with what they count: "17 proven, 1 advice"; those of a whole: "130 restated, 0 no rule, of 130"."""
    return ", ".join(f"of {n}" if name == "of" else f"{n} {name.replace('_', ' ')}" for name, n in count.items())


def serve(given: Given) -> int:
    """Serves the pages until it is stopped."""
    port = given.one("--port", "8000")
    if not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65535:
        raise Usage(f"--port is a number from 0 to 65535, not {shown(port)}")
    from web.serve import CannotServe
    from web.serve import serve as serve_pages

    try:
        serve_pages(port=int(port), lan=given.has("--lan"))
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
    cases = "\n".join(f"    {name}) words='{' '.join([*c.options, '--help'])}' ;;" for name, c in COMMANDS.items())
    return f"""_lawspeaker() {{
  local now=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{' '.join(COMMANDS)} --help --version' -- "$now")); return
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

JSON, PLAIN = Option("", "print JSON"), Option("", "no colour, lines not broken")
ALL = Option("", "tell everything: every rule found, and defaults in the steps")
EACH = Option("FILE", "a question a line from a file (- is standard input), an object a line")
WITHOUT = Option("CLAUSE", "strike a clause out first; may be given again", many=True)
STRICT = Option("", "exit 3 where the answer rests on an assumption or turns on a reading")
COMMANDS: dict[str, Command] = {
    "ask": Command("QUESTION", "answer a question: the verdict, its rules, the position played out", ask, {
        "--json": JSON, "--each": EACH, "--without": WITHOUT, "--strict": STRICT, "--all": ALL, "--plain": PLAIN}),
    "show": Command("ID", "show a clause, ruling, card, page or scenario", show, {"--json": JSON, "--all": ALL, "--plain": PLAIN}, 1, 1),
    "play": Command("ID, FILE, LINK or -", "play a position out and hold it against its claims", play, {
        "--json": JSON, "--without": WITHOUT, "--strict": STRICT, "--all": ALL, "--plain": PLAIN}, 1, 1),
    "read": Command("FILE...", "read your own rulebook (text files), to show its words beside the answers", read, {"--json": JSON}, 1),
    "check": Command("[PACKAGE]", "hold the rules, their code and the scenarios against each other", check, {"--json": JSON}, 0, 1),
    "serve": Command("", "serve the pages on this machine", serve, {
        "--port": Option("N", "the port (8000)"), "--lan": Option("", "let other devices on this network in, and print the address for them")}, 0, 0),
    "completion": Command("bash or zsh", "print a completion script for a shell", completion, {}, 1, 1),
}


def overview() -> str:
    """What --help prints."""
    rows = [(f"{name} {c.takes}".strip(), c.says) for name, c in COMMANDS.items()]
    wide = max(len(left) for left, _ in rows)
    return "\n".join([
        "usage: lawspeaker COMMAND ...", "",
        "Answers rules questions: the rule, the ruling, and the position played out with the rule itself.", "",
        *(f"  {left:{wide}}  {right}" for left, right in rows), "",
        "lawspeaker COMMAND --help tells a command's options; --version the version.", "",
        "Exit codes: 0 answered; 1 refused, unknown, or a claim that does not hold; 2 usage; 3 with --strict: it rests on",
        "an assumption or turns on a reading; 4 bad data, or faults found; 70 internal; 130 interrupted.",
    ]) + "\n"


def manual(name: str, command: Command) -> str:
    """What COMMAND --help prints."""
    rows = [(f"{flag} {o.takes}".strip(), o.says) for flag, o in command.options.items()]
    wide = max((len(left) for left, _ in rows), default=0)
    usage = " ".join(["usage: lawspeaker", name, *(["[OPTIONS]"] if rows else []), command.takes]).strip()
    return "\n".join([usage, "", command.says, *([""] if rows else []), *(f"  {left:{wide}}  {right}" for left, right in rows)]) + "\n"


def version() -> str:
    """The version that is installed."""
    from importlib import metadata

    try:
        return metadata.version("lawspeaker")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def opened(given: Given) -> tuple[Desk, tuple[str, ...]]:
    """The desk, and the clauses to be struck out.  What is wrong with the owner's file is told; the answers come without it."""
    from .answer import Desk

    desk = Desk.open()
    if desk.warning:
        complain(desk.warning)
    without = given.all("--without")
    desk.strike(without)
    return desk, without


def look(given: Given) -> Look:
    """How text is laid out on standard output."""
    from .terminal import Look

    return Look.of(sys.stdout, given.has("--plain"), given.has("--all"))


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

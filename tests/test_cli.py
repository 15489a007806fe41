"""The command line, as it is installed: what it prints, where, and with which exit code."""
from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from lookup import cli

HEADLINE = "Luathan Devastate vs Mother of Monsters"
ONTO_SPAWN = "mother-of-monsters.titanic.2"
SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "rulebook"
COMMAND = [found] if (found := shutil.which("lawspeaker", path=str(Path(sys.executable).parent))) else [sys.executable, "-m", "lookup"]
POSITION = """\
title: A Luathan beside the Mother of Monsters, cut off
map:
  Area A: {next: [Area B]}
players:
  Sea: {ally: Luathans, power: 1}
units:
  Area A: [Mother of Monsters, 1 Luathan of Sea]
  Area B: [Spawn]
do:
  - Sea devastates Area A
claims:
  - Mother of Monsters is killed: always
"""


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the owner's book of whoever runs the tests."""
    monkeypatch.setenv("LAWSPEAKER_HOME", str(tmp_path_factory.mktemp("home")))
    for name in ("NO_COLOR", "COLUMNS", "LAWSPEAKER_DEBUG"):
        monkeypatch.delenv(name, raising=False)


Done = subprocess.CompletedProcess[str]


def run(*words: str | bytes, stdin: str | bytes = "", env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Done:
    """Runs the command, and holds it to the manners that it always has."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    raw = subprocess.run([*COMMAND, *words], input=given, capture_output=True, timeout=120, env={**os.environ, **(env or {})}, cwd=cwd, check=False)
    done = Done(raw.args, raw.returncode, raw.stdout.decode(), raw.stderr.decode())
    assert "Traceback" not in done.stderr + done.stdout
    return done


def fails(code: int, *words: str | bytes, **how: Any) -> str:
    """Runs a command that must fail with a code and one line on standard error; returns the line."""
    done = run(*words, **how)
    assert (done.returncode, done.stdout) == (code, "")
    assert re.fullmatch(r"lawspeaker: [^\n]+\n", done.stderr)
    return done.stderr


def answer(*words: str, **how: Any) -> Any:
    """The JSON that a command prints."""
    done = run(*words, "--json", **how)
    assert not done.stderr
    assert done.stdout.count("\n") == 1
    return json.loads(done.stdout)


def in_order(text: str, parts: Sequence[str]) -> None:
    """Holds that some parts stand in a text, one behind the other."""
    at = 0
    for part in parts:
        assert part in text[at:], f"{part!r} is missing, or stands too early, in\n{text}"
        at = text.index(part, at) + len(part)


# ask


def test_an_answer_gives_the_verdict_then_its_ground_then_the_rules_then_the_positions() -> None:
    done = run("ask", HEADLINE, "--plain")
    assert (done.returncode, done.stderr) == (0, "")
    first = done.stdout.splitlines()[0]
    assert "always when" in first
    assert "never when" in first
    in_order(done.stdout, [
        "Rests on: the printed rules and their FAQ (faq). It turns on no reading.",
        "faq.devastate-monsters (ruling, faq)", "Elder Races rulebook, FAQ, 7th question", f"{ONTO_SPAWN} (rule, printed)", "Mother of Monsters card",
        "Scenario devastate-hemmed-in", "Mother of Monsters is killed: always", "1. Sea devastates Artmal Empire", "luathans.devastate.1 (step)",
        "Mother of Monsters is killed in Artmal Empire", f"{ONTO_SPAWN} (forbids)", "overruled: rout.stuck.1",
        "Scenario devastate-one-way-out", "Mother of Monsters is killed: never", "1. Sea devastates",
    ])
    assert "(default)" not in done.stdout
    assert "(considered)" not in done.stdout
    assert "(default)" in run("ask", HEADLINE, "--all").stdout


def test_the_words_of_a_question_need_no_quotation_marks() -> None:
    assert run("ask", *HEADLINE.split()).stdout == run("ask", HEADLINE).stdout


def test_striking_the_deciding_clause_changes_the_sentence() -> None:
    before, after = answer("ask", HEADLINE), answer("ask", HEADLINE, "--without", ONTO_SPAWN)
    assert before["status"] == after["status"] == "ruled"
    assert before["verdict"]["says"] != after["verdict"]["says"]
    assert after["without"] == [ONTO_SPAWN]
    in_order(run("ask", HEADLINE, "--without", ONTO_SPAWN).stdout, [f"Without: {ONTO_SPAWN}"])
    assert "faq.devastate-monsters (ruling, faq, struck out)" in run("ask", HEADLINE, "--without", "faq.devastate-monsters").stdout


def test_json_is_one_object_of_the_answer_s_shape() -> None:
    a = answer("ask", HEADLINE)
    assert a["schema"] == "lawspeaker.answer/1"
    assert {"question", "status", "verdict", "named", "results", "scenarios", "silent"} <= set(a)
    assert {"says", "verdict", "least", "greatest", "on", "turns_on", "tier", "scenario"} <= set(a["verdict"])
    assert len(a["scenarios"]) >= 2
    for s in a["scenarios"]:
        assert {"id", "title", "link", "claims", "steps"} <= set(s)
        assert all(step["says"] and step["clauses"] for step in s["steps"])
    for r in a["results"]:
        assert {"id", "kind", "title", "text", "place", "tier", "passages", "printed"} <= set(r)


def test_what_nothing_answers_is_refused() -> None:
    done = run("ask", "what does the plumber charge for the hovercraft")
    assert done.returncode == 1
    assert done.stdout
    assert answer("ask", "zzzz qqqq")["status"] == "refused"


def test_what_the_sources_are_silent_on_is_refused_with_the_reason() -> None:
    done = run("ask", "what does a Shrine cost", "--plain")
    assert done.returncode == 1
    in_order(done.stdout, ["The sources do not say", "The nearest there is, which does not answer it:"])


@pytest.mark.parametrize("words", [(), ("",), ("   ",), ("--json",), ("x" * 10_000,), ("word " * 2_000,)])
def test_a_question_that_cannot_be_asked_is_a_matter_of_usage(words: tuple[str, ...]) -> None:
    fails(2, "ask", *words)


@pytest.mark.parametrize("word", ["...", "?", "-5", "- who wins", "\x1b[31mred", "NUL\u0001", "(((((", "\N{PILE OF POO}", "*" * 200, "'; drop table"])
def test_no_question_brings_the_command_down(word: str) -> None:
    done = run("ask", word)
    assert done.returncode in (0, 1)
    assert "\x1b" not in done.stdout + done.stderr


def test_a_question_that_is_no_text_is_answered_like_any_other() -> None:
    assert run("ask", b"Devastate \xff\xfe").returncode in (0, 1)
    assert run("ask", b"\xff\xfe", "--json").returncode == 1


def test_each_gives_an_object_a_line(tmp_path: Path) -> None:
    lines = [HEADLINE, "", "zzzz qqqq", "x" * 10_000, HEADLINE]
    questions = tmp_path / "questions.txt"
    questions.write_text("\n".join(lines), encoding="utf-8")
    from_file, from_input = run("ask", "--each", str(questions)), run("ask", "--each", "-", stdin="\n".join(lines))
    assert (from_file.returncode, from_file.stderr) == (0, "")
    assert from_file.stdout == from_input.stdout
    found = [json.loads(line) for line in from_file.stdout.splitlines()]
    assert [a["status"] for a in found] == ["ruled", "refused", "refused", "refused", "ruled"]
    assert all(a["silent"] for a in found if a["status"] == "refused")
    assert {tuple(a) for a in found} == {tuple(found[0])}


def test_each_tells_the_line_that_is_no_text(tmp_path: Path) -> None:
    questions = tmp_path / "questions"
    questions.write_bytes(b"what does Diplomacy cost\n\xff\xfe\n")
    done = run("ask", "--each", str(questions))
    assert (done.returncode, done.stdout.count("\n")) == (4, 1)
    assert f"{questions}:2: not UTF-8" in done.stderr
    assert "No such file" in fails(4, "ask", "--each", str(tmp_path / "nowhere"))
    assert "both" in fails(2, "ask", "--each", str(questions), "a question")


def test_an_unknown_clause_cannot_be_struck_and_a_step_neither() -> None:
    assert f"nearest: {ONTO_SPAWN}" in fails(1, "ask", HEADLINE, "--without", "mother-of-monster.titanic.2")
    assert "cannot be struck" in fails(1, "ask", HEADLINE, "--without", "luathans.devastate.1")


def test_strict_tells_print_from_assumption() -> None:
    assert run("ask", HEADLINE, "--strict").returncode == 0
    assert run("play", "devastate-hemmed-in").returncode == 0
    assert run("play", "devastate-hemmed-in", "--strict").returncode == 3


# show


def test_a_clause_is_shown_with_its_code_and_its_place() -> None:
    done = run("show", ONTO_SPAWN, "--plain")
    assert done.returncode == 0
    in_order(done.stdout, [
        f"{ONTO_SPAWN} (rule, printed)", "Chaos Monsters rulebook, Mother of Monsters card", "Kind of statement: forbids", "@may_go.forbids"])
    assert answer("show", ONTO_SPAWN)["schema"] == "lawspeaker.show/1"


def test_a_card_is_shown_with_what_the_sources_do_not_say() -> None:
    done = run("show", "mother-of-monsters", "--plain")
    in_order(done.stdout, ["Mother of Monsters (chaos monster)", "cost: the sources do not say", "combat: 6", ONTO_SPAWN])


@pytest.mark.parametrize("id", ["faq.devastate-monsters", "luathans", "devastate-hemmed-in", "rout", "luathans.devastate.5"])
def test_rulings_pages_scenarios_and_readings_are_shown(id: str) -> None:
    assert run("show", id).returncode == 0
    assert answer("show", id)["id"] == id


def test_an_unknown_id_is_refused_with_the_nearest() -> None:
    assert "nearest: mother-of-monsters" in fails(1, "show", "mother-of-monster")
    assert "\x1b" not in fails(1, "show", "\x1b[31m\x07")
    fails(2, "show")
    assert "'two'" in fails(2, "show", "one", "two")


# play


def test_a_position_of_one_s_own_plays_from_a_file_from_its_link_and_from_input(tmp_path: Path) -> None:
    file = tmp_path / "position.yaml"
    file.write_text(POSITION, encoding="utf-8")
    played = answer("play", str(file))
    assert played["schema"] == "lawspeaker.play/1"
    (scenario,) = played["scenarios"]
    assert scenario["claims"][0]["verdict"] == "always"
    assert scenario["link"].startswith("/s/1")
    code = scenario["link"].removeprefix("/s/")
    for where in (code, f"http://192.168.1.7:8000/s/{code}", f"https://example.org/s/{code}?x=1#steps"):
        (again,) = answer("play", where)["scenarios"]
        assert (again["claims"], again["steps"]) == (scenario["claims"], scenario["steps"])
    (again,) = answer("play", "-", stdin=POSITION)["scenarios"]
    assert again == scenario
    in_order(run("play", str(file), "--plain").stdout, [
        "Position: A Luathan", "Mother of Monsters is killed: always", "1. Sea devastates Area A", "Link: /s/1"])


def test_a_claim_that_does_not_hold_is_told(tmp_path: Path) -> None:
    file = tmp_path / "position.yaml"
    file.write_text(POSITION.replace("killed: always", "killed: never"), encoding="utf-8")
    done = run("play", str(file), "--plain")
    assert done.returncode == 1
    assert "Mother of Monsters is killed: always. DOES NOT HOLD: the file says never" in done.stdout
    played = run("play", str(file), "--json")
    assert played.returncode == 1
    assert json.loads(played.stdout)["scenarios"][0]["claims"][0]["holds"] is False


def test_without_a_clause_both_plays_are_shown_and_nothing_is_wrong() -> None:
    done = run("play", "devastate-hemmed-in", "--without", ONTO_SPAWN, "--plain")
    assert done.returncode == 0
    in_order(done.stdout, ["Before", "is killed: always", f"After, without {ONTO_SPAWN}", "is killed: never"])
    assert "DOES NOT HOLD" not in done.stdout


@pytest.mark.parametrize(("old", "new", "line", "says"), [
    ("[Spawn]", "[Spwan]", 8, "nearest: Spawn"),
    ("  Area B:", "  Artmal Empyre:", 8, "nearest: Artmal Empire"),
    ("Sea:", "See:", 5, "nearest: Sea"),
    ("power: 1", "power: -1", 5, "'-1'"),
    ("1 Luathan of Sea", "-1 Luathan of Sea", 7, "-1 Luathan"),
    ("is killed:", "is kiled:", 12, "nearest: UNIT is "),
    ("killed: always", "killed: alway", 12, "nearest: always"),
    ("Sea devastates Area A", "Sea devastate Area A", 10, "nearest: PLAYER devastates AREA"),
    ("Sea devastates Area A", "Sea devastates", 10, "devastates AREA"),
    ("do:", "doo:", 9, "nearest: do"),
    ("units:", "units: [", 6, ""),
])
def test_a_fault_in_a_scenario_is_told_with_its_line_and_the_nearest_right_word(tmp_path: Path, old: str, new: str, line: int, says: str) -> None:
    assert old in POSITION
    file = tmp_path / "position.yaml"
    file.write_text(POSITION.replace(old, new, 1), encoding="utf-8")
    told = fails(4, "play", str(file))
    assert says in told
    at = re.match(rf"lawspeaker: {re.escape(str(file))}:(\d+): ", told)
    assert at, told
    assert says == "" or int(at[1]) == line, told


@pytest.mark.parametrize("data", [
    b"", b"\n \n", b"\x00\x01\x02", b"\x89PNG\r\n\x1a\n", b"\xff\xfe", b"- just\n- words\n", b"hello\nthere\n", b"a" * 1_000_001, b"\xef\xbb\xbf",
    b"&a [*a]\n"],
    ids=["empty", "blank", "zeros", "picture", "not UTF-8", "words in a list", "words", "too long", "a mark of order", "an anchor"])
def test_a_file_that_holds_no_scenario_is_bad_data(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "position.yaml"
    file.write_bytes(data)
    assert str(file) in fails(4, "play", str(file))
    assert "standard input" in fails(4, "play", "-", stdin=data)


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    assert "nearest: devastate-hemmed-in" in fails(1, "play", "devastate-hemed-in")
    assert "no file" in fails(1, "play", str(tmp_path / "nowhere.yaml"))
    assert "damaged" in fails(4, "play", "1AAAA")
    assert "version 9" in fails(4, "play", "9AAAA")
    assert str(tmp_path) in fails(4, "play", str(tmp_path))
    fails(2, "play")


# read


def test_the_owner_s_words_stand_beside_the_answers_once_they_are_read() -> None:
    if not SHARED.is_dir():
        pytest.skip("no text of the rulebooks here (../shared/rulebook)")
    done = run("read", *map(str, sorted(SHARED.glob("*.txt"))))
    assert (done.returncode, done.stderr) == (0, "")
    assert "matched 130 of 130" in done.stdout
    a = answer("ask", HEADLINE)
    assert a["results"][0]["printed"]
    in_order(run("ask", HEADLINE).stdout, ["faq.devastate-monsters", "Printed: "])
    (Path(os.environ["LAWSPEAKER_HOME"]) / "printed.json").write_text("{", encoding="utf-8")
    damaged = run("ask", HEADLINE)
    assert damaged.returncode == 0
    assert damaged.stderr.count("\n") == 1
    assert "Printed: " not in damaged.stdout


@pytest.mark.parametrize(("name", "data"), [
    ("binary", b"\x7fELF\x00\x00"), ("book.pdf", b"%PDF-1.7 x"), ("latin", b"caf\xe9\n"), ("other.txt", b"Nothing of the kind.\n")])
def test_a_book_that_cannot_be_read_is_bad_data(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert str(tmp_path / name) in fails(4, "read", str(tmp_path / name))


def test_read_needs_a_file_that_is_there(tmp_path: Path) -> None:
    fails(2, "read")
    assert "no such file" in fails(4, "read", str(tmp_path / "nowhere.txt"))


# check


def test_check_finds_a_damaged_package_s_faults_a_line_each(tmp_path: Path) -> None:
    package = tmp_path / "torn"
    package.mkdir()
    (package / "__init__.py").touch()
    rules = 'A rule.\n{: #one.a.1 tier="community"}\n\nAnother.\n{: #one.a.1 tier="community"}\n'
    (package / "one.md").write_text(f"---\ntitle: One\nkind: rules\n---\n{rules}", encoding="utf-8")
    done = run("check", "torn", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (4, "")
    *faults, summary = [line for line in done.stdout.splitlines() if line.startswith("faults: ") or ".md:" in line or ".py:" in line or "torn" in line]
    assert any("one.md:9: the id one.a.1 stands twice" in fault for fault in faults)
    assert summary == f"faults: {len(faults)}"
    told = run("check", "torn", "--json", cwd=tmp_path)
    assert told.returncode == 4
    assert json.loads(told.stdout)["faults"] == faults
    assert "no package 'nowhere'" in run("check", "nowhere").stdout


# serve


def test_the_pages_are_served_until_interrupted() -> None:
    with subprocess.Popen([*COMMAND, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as served:
        try:
            assert served.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", served.stdout.readline())
            assert found
            with urllib.request.urlopen(found[0], timeout=30) as page:
                assert page.status == 200
            taken = fails(1, "serve", "--port", found[1])
            assert found[1] in taken
        finally:
            served.send_signal(signal.SIGINT)
        _, errors = served.communicate(timeout=30)
    assert served.returncode in (0, 130)
    assert "Traceback" not in errors


@pytest.mark.parametrize("port", ["x", "-1", "65536", "", "99999999"])
def test_a_port_that_is_none_is_a_matter_of_usage(port: str) -> None:
    fails(2, "serve", f"--port={port}") if port else fails(2, "serve", "--port")


# the command itself


@pytest.mark.parametrize(("words", "says"), [
    ((), "ask, show, play"), (("aks",), "nearest: ask"), (("aks", "--help"), "nearest: ask"), (("what does Diplomacy cost",), "lawspeaker ask"),
    (("--jsn",), "--jsn"), (("--versoin",), "nearest: --version"), (("--json", "ask", "x"), "lawspeaker ask --json"),
    (("ask", "x", "--jsno"), "nearest: --json"), (("ask", "x", "--without"), "--without CLAUSE"), (("ask", "x", "--json=1"), "no value"),
    (("ask", "x", "-z"), "'-z'"), (("serve", "now"), "'now'"), (("serve", "--port", "1", "--port", "2"), "twice"), (("help", "aks"), "nearest: ask"),
    (("completion", "bsh"), "nearest: bash"), (("\x1b[0m\n\n",), "no command"),
])
def test_a_command_line_that_is_not_understood_is_told_in_a_line(words: tuple[str, ...], says: str) -> None:
    assert says in fails(2, *words)


def loaded_by(*words: str) -> tuple[str, set[str]]:
    """What a command prints, and the packages that it loads."""
    code = f"import sys; from lookup.cli import main; code = main({list(words)!r}); print(*sys.modules, file=sys.stderr); sys.exit(code)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout, {name.partition(".")[0] for name in done.stderr.split()}


@pytest.mark.parametrize("words", ["--help", "-h", "help", "--version", "ask --help", "serve -h", "help play", "completion bash", "completion zsh"])
def test_help_version_and_completion_load_nothing_heavy(words: str) -> None:
    printed, loaded = loaded_by(*words.split())
    assert printed
    assert "lookup" in loaded
    assert not loaded & {"whoosh", "flask", "markdown", "yaml", "waitress", "segno", "jinja2", "web", "knowledge"}


def test_completion_loads_neither_search_nor_pages_for_ids() -> None:
    printed, loaded = loaded_by("completion", "ids")
    assert ONTO_SPAWN in printed.splitlines()
    assert not loaded & {"whoosh", "flask"}


def test_the_shell_completes_commands_options_and_ids() -> None:
    if not (bash := shutil.which("bash")) or len(COMMAND) > 1:
        pytest.skip("no bash here, or the command is not installed")
    env = {**os.environ, "PATH": f"{Path(COMMAND[0]).parent}{os.pathsep}{os.environ['PATH']}"}

    def completed(*words: str) -> list[str]:
        given = f"COMP_WORDS=(lawspeaker {' '.join(words)}); COMP_CWORD={len(words)}"
        script = f'source <(lawspeaker completion bash); {given}; _lawspeaker; echo "${{COMPREPLY[@]}}"'
        return subprocess.run([bash, "-c", script], capture_output=True, text=True, env=env, timeout=60, check=True).stdout.split()

    assert completed("pl") == ["play"]
    assert "--without" in completed("ask", "--w")
    assert ONTO_SPAWN in completed("show", ONTO_SPAWN[:-2])
    assert all(id.startswith(ONTO_SPAWN[:-2]) for id in completed("ask", "--without", ONTO_SPAWN[:-2]))


def test_help_names_every_command_and_every_exit_code() -> None:
    overview = run("--help").stdout
    for name, parser in cli.parsers()[1].items():
        assert f"  {name}" in overview
        said = run(name, "--help").stdout
        assert all(option in said for action in parser._actions for option in action.option_strings)
    for code in (cli.ANSWERED, cli.REFUSED, cli.USAGE, cli.ASSUMED, cli.BAD, cli.INTERNAL, cli.INTERRUPTED):
        assert re.search(rf"\b{code}\b", overview)


def test_the_version_is_the_installed_one() -> None:
    assert re.fullmatch(r"lawspeaker (\d+(\.\d+)+|\(not installed\))\n", run("--version").stdout)


def test_lines_fit_the_terminal_and_plain_ones_are_not_broken() -> None:
    narrow = run("ask", HEADLINE, env={"COLUMNS": "44"}).stdout
    assert max(map(len, narrow.splitlines())) <= 44
    assert max(map(len, run("ask", HEADLINE, "--plain", env={"COLUMNS": "44"}).stdout.splitlines())) > 80


def test_colour_is_for_terminals_that_want_it() -> None:
    pty = pytest.importorskip("pty", reason="no terminals of this kind here")

    def on_terminal(**env: str) -> bytes:
        ours, theirs = pty.openpty()
        done = subprocess.Popen([*COMMAND, "show", ONTO_SPAWN], stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", **env})
        os.close(theirs)
        found = b""
        try:
            while part := os.read(ours, 4096):
                found += part
        except OSError:  # Linux ends a terminal so
            pass
        os.close(ours)
        assert done.wait(60) == 0
        return found

    assert b"\x1b[" in on_terminal()
    assert b"\x1b[" not in on_terminal(NO_COLOR="1")
    assert b"\x1b[" not in on_terminal(TERM="dumb")
    assert "\x1b[" not in run("show", ONTO_SPAWN).stdout


def test_a_closed_pipe_is_no_error() -> None:
    for words in (["ask", HEADLINE], ["--help"], ["ask", "--each", "-"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([*COMMAND, *words], stdout=writer, stderr=subprocess.PIPE, input=f"{HEADLINE}\n" * 50, text=True, timeout=60, check=False)
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, "")


def test_output_that_cannot_be_written_is_told() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.returncode == 4
    assert re.fullmatch(r"lawspeaker: standard output: [^\n]+\n", done.stderr)


def test_closed_streams_are_no_error() -> None:
    done = subprocess.run(["sh", "-c", '"$@" >&- 2>&- <&-', "sh", *COMMAND, "ask", HEADLINE], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0


def broken(monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    """Makes a command end in a fault."""
    def run(given: object) -> int:
        raise fault

    monkeypatch.setattr(cli, "show", run)


def test_an_internal_error_is_one_line_and_more_only_for_those_who_ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    broken(monkeypatch, RuntimeError("out of\nluck"))
    assert cli.main(["show", "x"]) == 70
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "RuntimeError: out of luck" in told.err
    monkeypatch.setenv("LAWSPEAKER_DEBUG", "1")
    assert cli.main(["show", "x"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    broken(monkeypatch, KeyboardInterrupt())
    assert cli.main(["show", "x"]) == 130
    assert capsys.readouterr() == ("", "")


def transcripts() -> list[tuple[str, str, str]]:
    """The README's transcripts: each command, what it reads, and what it prints."""
    readme = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
    blocks = [textwrap.dedent(block) for block in re.findall(r"(?m)(?:^(?:    .*)?\n)+", readme) if "$ lawspeaker" in block]
    found = []
    for block in blocks:
        command, _, rest = block.strip("\n").removeprefix("$ lawspeaker ").partition("\n")
        given, _, printed = rest.partition("END\n") if command.endswith("<<'END'") else ("", "", rest)
        found.append((command.removesuffix(" <<'END'"), given, printed))
    return found


def test_the_readme_shows_what_is_printed() -> None:
    assert len(transcripts()) >= 2
    for command, given, printed in transcripts():
        done = run(*shlex.split(command), stdin=given, env={"COLUMNS": "80"})
        assert done.returncode == 0
        in_order(f"\n{done.stdout}", re.split(r"\.\.\.(?:\n|$)", f"\n{printed}"))

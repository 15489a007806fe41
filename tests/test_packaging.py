"""The project as it is installed: the wheel holds all of it, and answers questions far from the checkout."""
from __future__ import annotations

import email
import json
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NO_NETWORK = re.compile("No matching distribution|Could not find a version|NewConnectionError|Temporary failure|Connection (refused|reset)|timed out", re.I)


def clean(command: list[str], folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in a folder, with nothing of this interpreter's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LAWSPEAKER", "VIRTUAL_ENV"))}
    return subprocess.run(command, cwd=folder, env={**kept, **env}, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install -e '.[test]'")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (made,) = folder.glob("*.whl")
    return made


def in_tree(top: str) -> set[str]:
    """The files of a package, as paths from the root."""
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / top).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".") and path.suffix != ".pyc"}


@pytest.mark.slow
@pytest.mark.parametrize("top", ["knowledge", "lookup", "web"])
def test_the_wheel_holds_every_file_of_the_tree(wheel: Path, top: str) -> None:
    with zipfile.ZipFile(wheel) as packed:
        held = {name for name in packed.namelist() if name.startswith(top + "/")}
        assert held == in_tree(top)
        assert all(packed.getinfo(name).file_size == (ROOT / name).stat().st_size for name in held)
    if top == "knowledge":
        assert {Path(name).suffix for name in held} >= {".md", ".py", ".yaml", ".toml"}
        assert sum(name.endswith(".md") for name in held) == len(list((ROOT / "knowledge").rglob("*.md"))) > 40


@pytest.mark.slow
def test_the_wheel_holds_nothing_else_and_its_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        tops = {name.split("/")[0] for name in packed.namelist()}
        (info,) = tops - {"knowledge", "lookup", "web"}
        assert f"{info}/licenses/LICENSE" in packed.namelist()
        about = email.message_from_bytes(packed.read(f"{info}/METADATA"))
    assert about["Name"] == "lawspeaker"
    assert about["License-Expression"] == "MIT"
    assert about["Requires-Python"] == ">=3.11"


@pytest.mark.slow
def test_the_installed_command_answers_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    installed = clean([str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)], tmp_path)
    if installed.returncode and NO_NETWORK.search(installed.stderr) and os.environ.get("CI") != "true":
        pytest.skip("no package index can be reached, so that the wheel's dependencies cannot be installed")
    assert installed.returncode == 0, installed.stderr
    away = tmp_path / "away"
    away.mkdir()
    home = {"LAWSPEAKER_HOME": str(tmp_path / "home")}
    asked = clean([str(programs / "lawspeaker"), "ask", "--json", "Luathan Devastate vs Mother of Monsters"], away, **home)
    assert (asked.returncode, asked.stderr) == (0, "")
    answer = json.loads(asked.stdout)
    assert answer["status"] == "ruled"
    assert len(answer["scenarios"]) >= 2
    assert clean([str(programs / "lawspeaker"), "--version"], away).stdout == f"lawspeaker {PROJECT['version']}\n"
    where = clean([str(programs / "python"), "-c", "import knowledge, lookup, web; print(knowledge.__file__, lookup.__file__, web.__file__)"], away)
    assert str(ROOT) not in where.stdout
    page = "from web import create_app; print(create_app().test_client().get('/').status_code)"
    assert clean([str(programs / "python"), "-c", page], away, **home).stdout == "200\n"
    assert list(away.iterdir()) == []


def test_every_dependency_earns_its_line() -> None:
    import ast

    used: set[str] = set()
    for top in ("knowledge", "lookup", "web"):
        for path in (ROOT / top).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    used |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                    used.add(node.module.split(".")[0])
    foreign = {name.lower() for name in used - set(sys.stdlib_module_names) - {"knowledge", "lookup", "web"}}
    extras = [line for extra, lines in PROJECT["optional-dependencies"].items() if extra != "test" for line in lines]
    named = {re.split(r"[<>=!~ ]", line)[0].lower() for line in (*PROJECT["dependencies"], *extras)}
    assert {"pyyaml" if name == "yaml" else name for name in foreign} - {"werkzeug", "markupsafe", "jinja2"} == named

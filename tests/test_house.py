"""The house is built as its plan says: which way imports run, and that the machine knows no name of the game."""
from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lookup import book
from lookup.sentence import known_areas

ROOT = Path(__file__).resolve().parent.parent
OURS = ("knowledge", "lookup", "web")
CODE = sorted(path for top in OURS for path in (ROOT / top).rglob("*.py"))
READ = (".py", ".html", ".js", ".css", ".txt", ".json", ".svg", ".xml", ".webmanifest", ".toml", ".md")
NAMED = {"elder race", "chaos monster", "cosmic monster", "dragon", "spawn", "empire"}


def module_of(path: Path) -> str:
    """A file as a module's name."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> Iterator[tuple[str, int, bool, bool]]:
    """Every import of a file: the module, or the name in it; the line; whether it runs when the file is loaded; whether it is only for types."""
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    package = module_of(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]

    def walk(node: ast.AST, loaded: bool, typing: bool) -> Iterator[tuple[str, int, bool, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield alias.name, child.lineno, loaded, typing
            elif isinstance(child, ast.ImportFrom):
                base = package[:len(package) - child.level + 1] if child.level else []
                full = ".".join([*base, *([child.module] if child.module else [])])
                for alias in child.names:
                    yield f"{full}.{alias.name}", child.lineno, loaded, typing
            else:
                inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                only = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
                yield from walk(child, loaded and not inside, typing or only)

    yield from walk(tree, True, False)


def within(name: str, *modules: str) -> bool:
    """Whether a name is one of some modules or stands in one."""
    return any(name == m or name.startswith(m + ".") for m in modules)


def faults(files: list[Path], wrong: Callable[[Path, str, bool, bool], bool]) -> list[str]:
    """The imports that a rule finds wrong, with file and line."""
    return [f"{path.relative_to(ROOT)}:{line}: imports {name}"
            for path in files for name, line, loaded, typing in imports(path) if wrong(path, name, loaded, typing)]


def below(*tops: str) -> list[Path]:
    """The code below some folders or of some files."""
    return [path for path in CODE if within(module_of(path), *tops)]


def test_the_engine_imports_nothing_of_ours_but_itself() -> None:
    assert below("lookup.engine")
    assert not faults(below("lookup.engine"), lambda path, name, loaded, typing: within(name, *OURS) and not within(name, "lookup.engine"))


def test_knowledge_imports_the_engine_and_itself_only() -> None:
    assert below("knowledge")
    assert not faults(below("knowledge"), lambda path, name, loaded, typing: within(name, *OURS) and not within(name, "lookup.engine", "knowledge"))


def test_the_core_of_knowledge_names_no_card() -> None:
    assert not faults(below("knowledge.core"), lambda path, name, loaded, typing: within(name, "knowledge") and not within(name, "knowledge.core"))


def test_the_machine_imports_no_knowledge() -> None:
    assert not faults(below("lookup", "web"), lambda path, name, loaded, typing: within(name, "knowledge"))


def test_only_search_imports_whoosh() -> None:
    found = {module_of(path) for path in CODE if any(within(name, "whoosh") for name, *_ in imports(path))}
    assert found == {"lookup.search"}


def test_lookup_imports_web_only_inside_functions_of_the_command_line() -> None:
    assert not faults(below("lookup"), lambda path, name, loaded, typing: within(name, "web") and (loaded or module_of(path) != "lookup.cli"))


def test_the_command_line_stands_on_top() -> None:
    assert not faults(below(*OURS), lambda path, name, loaded, typing: within(name, "lookup.cli") and module_of(path) != "lookup.__main__")


def test_the_command_line_loads_nothing_heavy_before_a_command_needs_it() -> None:
    light = ("lookup.nearest",)
    assert not faults(below("lookup.cli"), lambda path, name, loaded, typing: loaded and not typing and within(name, *OURS) and not within(name, *light))


@pytest.mark.parametrize(("lower", "upper"), [
    ("lookup.book", ("answer", "check", "question", "scenario", "search", "shelf", "verdict", "terminal")),
    ("lookup.search", ("answer", "check", "question", "scenario", "verdict", "terminal")),
    ("lookup.scenario", ("answer", "check", "verdict", "terminal")),
    ("lookup.question", ("answer", "check", "verdict", "terminal")),
    ("lookup.owner", ("answer", "check", "question", "scenario", "verdict", "terminal")),
    ("lookup.answer", ("terminal", "check")),
])
def test_what_stands_below_does_not_import_what_stands_above(lower: str, upper: tuple[str, ...]) -> None:
    assert not faults(below(lower), lambda path, name, loaded, typing: within(name, "web", *(f"lookup.{u}" for u in upper)))


def proper_names() -> set[str]:
    """The game's proper names: titles of the pages of races, monsters and empires; units, gifts, areas."""
    b = book.load()
    pages = [page for page in b.pages.values() if page.kind in NAMED]
    names = {page.title for page in pages} | {name for page in pages for name in page.names}
    names |= {name for kind, unit in b.units.items() for name in (kind, unit.plural, *unit.names)}
    names |= {str(name) for page in b.pages.values() for name in page.front.get("gifts") or ()}
    return names | set(known_areas(b))


def test_the_machine_and_the_pages_contain_no_proper_name_of_the_game() -> None:
    names = proper_names()
    assert len(names) > 100
    pattern = re.compile(r"(?<![\w])(?:" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")(?![\w])")
    found = []
    for top in ("lookup", "web"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in READ and "__pycache__" not in path.parts:
                for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    found += [f"{path.relative_to(ROOT)}:{n}: {match[0]}" for match in pattern.finditer(line)]
    assert not found


def test_nothing_stands_at_the_top_but_the_house() -> None:
    listed = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert listed - {"__pycache__", "dist", "build", "screenshots"} <= {"pyproject.toml", "README.md", "LICENSE", "tests", *OURS}

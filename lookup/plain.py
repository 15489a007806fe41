"""YAML read as plain text: every value a str, list or dict that knows its line.

Values are never turned into numbers, dates or truth values; anchors, aliases, tags, doubled keys and comments behind a value are refused.
"""

from __future__ import annotations

from typing import Any

import yaml

DEPTH = 12
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class BadText(Exception):
    """A file or text that cannot be read; the message is one line: place, what is wrong, the nearest right thing."""


class Text(str):
    """A value and its line (from 1)."""

    line: int = 0

    @classmethod
    def at(cls, value: str, line: int) -> Text:
        """A value with its line."""
        made = cls(value)
        made.line = line
        return made


class Items(list[Any]):
    """A list and its line."""

    line: int = 0


class Table(dict[str, Any]):
    """A mapping, its line, and the line of each key."""

    line: int = 0

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}


def line_of(value: Any, default: int = 0) -> int:
    """The line of a value that was read, or the default."""
    return int(getattr(value, "line", 0) or default)


def read(text: str, name: str, first: int = 1) -> Any:
    """The value a YAML text holds, as Text, Items and Table; first is the line its first line has in the file.

    Raises BadText with "name:line: ..." for whatever cannot be read.
    """
    lines = text.splitlines()
    try:
        if "&" in text or "*" in text:
            no_anchors(text, name, first)
        node = yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        raise BadText(f"{name}:{(mark.line if mark else 0) + first}: {e.problem or e.context}") from None
    except yaml.YAMLError as e:
        raise BadText(f"{name}:{first}: {str(e).splitlines()[0]}") from None
    except RecursionError:
        raise BadText(f"{name}:{first}: nested deeper than {DEPTH} levels") from None
    if node is None:
        return Text.at("", first)
    return _value(node, name, first, lines, 0)


def no_anchors(text: str, name: str, first: int) -> None:
    """Raises BadText where a YAML text has an anchor or an alias."""
    for event in yaml.parse(text, Loader=LOADER):
        anchor = getattr(event, "anchor", None)
        if anchor:
            line = (event.start_mark.line if event.start_mark else 0) + first
            sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
            raise BadText(f"{name}:{line}: '{sign}{anchor}' is an anchor or alias; write the value out")


def _value(node: yaml.Node, name: str, first: int, lines: list[str], depth: int) -> Any:
    line = (node.start_mark.line if node.start_mark else 0) + first
    if depth > DEPTH:
        raise BadText(f"{name}:{line}: nested deeper than {DEPTH} levels")
    if isinstance(node, yaml.ScalarNode):
        end = node.end_mark
        rest = lines[end.line][end.column :] if end.line < len(lines) else ""
        if not node.style and node.value and rest.lstrip().startswith("#"):
            raise BadText(f"{name}:{line}: a comment stands behind {node.value!r}; put it on a line of its own, or quote the sentence")
        if node.tag not in PLAIN:
            raise BadText(f"{name}:{line}: the tag {node.tag} is not allowed")
        return Text.at(node.value, line)
    if isinstance(node, yaml.SequenceNode):
        items = Items(_value(n, name, first, lines, depth + 1) for n in node.value)
        items.line = line
        return items
    table = Table()
    table.line = line
    assert isinstance(node, yaml.MappingNode)
    for key, value in node.value:
        at = key.start_mark.line + first
        if not isinstance(key, yaml.ScalarNode):
            raise BadText(f"{name}:{at}: a key must be plain words")
        if key.value in table:
            raise BadText(f"{name}:{at}: {key.value!r} stands here twice, first in line {table.lines[key.value]}")
        table[key.value] = _value(value, name, first, lines, depth + 1)
        table.lines[key.value] = at
    return table


PLAIN = {f"tag:yaml.org,2002:{t}" for t in ("str", "int", "float", "bool", "null", "timestamp")}

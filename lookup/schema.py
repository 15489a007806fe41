"""The JSON Schema of a scenario, made from what a book declares: its areas, players, units and sentence patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .engine.clause import Rulebook
from .scenario import STAND_IN_AREA
from .sentence import EITHER, SLOT, Pattern, action_patterns, claim_patterns, known_areas, known_players, listed

DRAFT = "https://json-schema.org/draft/2020-12/schema"
CHANCE = r"\d+(/\d+)?(\.\.\d+(/\d+)?)?"


def scenario_schema(book: Rulebook) -> dict[str, Any]:
    """The schema that a scenario's mapping keeps to, whether it comes from a file, a link or a program."""
    v = book.vocabulary
    line: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 300}
    area = {"anyOf": [{"enum": sorted(known_areas(book))}, {"type": "string", "pattern": f"^{STAND_IN_AREA.pattern}$"}]}
    whole = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": v.limit}, {"type": "string", "pattern": r"^\d{1,4}$"}]}
    pieces = {"type": "object", "additionalProperties": some(line)}
    holdings = {key: some({"enum": sorted(listed(book, what))}) for key, what in v.holdings.items()}
    return {
        "$schema": DRAFT,
        "title": "A scenario",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "id": {"type": "string", "pattern": "^([a-z][a-z0-9-]*)?$"},
            "title": {"type": "string"},
            "asks": some(line),
            "proves": some(line),
            "map": {
                "type": "object",
                "propertyNames": area,
                "additionalProperties": {
                    "anyOf": [
                        {"type": "array", "items": area},
                        {"type": "object", "additionalProperties": False, "properties": {"next": some(area), "kind": {"enum": list(v.places)}}},
                    ]
                },
            },
            "arrows": some({"type": "string", "pattern": "^.+ -> .+$"}),
            "players": {
                "type": "object",
                "propertyNames": {"enum": list(known_players(book))},
                "additionalProperties": {"type": "object", "additionalProperties": False, "properties": {**dict.fromkeys(v.counters, whole), **holdings}},
            },
            "units": pieces,
            "buildings": pieces,
            "game": {"type": "object", "propertyNames": {"enum": list(v.game_counters)}, "additionalProperties": whole},
            "flags": some({"enum": list(v.game_flags)}),
            "readings": {
                "type": "object",
                "properties": {name: {"enum": list(ids)} for name, ids in sorted(book.readings.items())},
                "additionalProperties": False,
            },
            "answers": some(line),
            "do": some({"anyOf": sentences(action_patterns(book).values())}),
            "claims": {
                "type": "array",
                "items": {
                    "anyOf": [
                        {
                            "type": "object",
                            "minProperties": 1,
                            "propertyNames": {"anyOf": sentences(claim_patterns(book).values())},
                            "additionalProperties": {"type": "string", "pattern": f"^(always|never|depends|open|{CHANCE}|)$"},
                        },
                        {"anyOf": sentences(claim_patterns(book).values())},
                    ]
                },
            },
        },
    }


def some(items: dict[str, Any]) -> dict[str, Any]:
    """One or a list of something."""
    return {"anyOf": [items, {"type": "array", "items": items}]}


def sentences(patterns: Iterable[Pattern]) -> list[dict[str, Any]]:
    """Each pattern as a schema: a regular expression, and the sentence as it is declared."""
    return [{"type": "string", "title": p.plainly(), "pattern": f"^{loose(p.says)}\\.?$"} for p in patterns]


def loose(says: str) -> str:
    """A sentence's pattern as an expression that every dialect of JSON Schema reads."""
    pieces, last = [], 0
    for m in re.finditer(f"{SLOT.pattern}|{EITHER.pattern}", says):
        pieces += [re.escape(says[last : m.start()]), f"({m[3]})" if m[3] else ".+"]
        last = m.end()
    return "".join([*pieces, re.escape(says[last:])]).replace("\\ ", " ")

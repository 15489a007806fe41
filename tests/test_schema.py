"""The published schema of a scenario."""
import jsonschema
import pytest

from lookup import book, scenario
from lookup.schema import scenario_schema

BOOK = book.load()
SCHEMA = scenario_schema(BOOK)
VALID = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("id", sorted(BOOK.scenarios))
def test_every_shipped_scenario_keeps_to_the_schema(id: str) -> None:
    assert [e.message for e in VALID.iter_errors(scenario.plain(BOOK.scenarios[id]))] == []


@pytest.mark.parametrize("wrong", [
    {"units": {"Area A": ["Spawn"]}, "doo": ["x"]},
    {"players": {"Nobody": {}}},
    {"map": {"Nowhere": {"next": []}}},
    {"map": {"Area A": {"kind": "swamp"}}},
    {"do": ["Sea sings in Area A"]},
    {"claims": [{"Spawn is killed": "perhaps"}]},
    {"readings": {"no.such": "x"}},
])
def test_what_the_loader_refuses_the_schema_refuses_too(wrong: dict[str, object]) -> None:
    assert not VALID.is_valid(wrong)
    with pytest.raises(scenario.BadText):
        scenario.build(BOOK, wrong)

"""Schemas: what they refuse, and how cells become codes and codes cells, as in the TypeScript package."""

import json
from typing import Any

import numpy as np
import pytest
from recorded import RECORDED

import standin
from standin.schema.decode import codec_of
from standin.schema.encode import CellReader, model_codes
from standin.schema.field import Field
from standin.schema.schema import Schema

SPARE_POINTS = 50
"""Grid points at either end of a field, and as many in between, that are tried."""


def parsed(case: dict[str, Any]) -> Schema:
    return standin.parse_schema(case["schema"])


def by_schema(case: dict[str, Any]) -> str:
    return json.dumps(case["schema"])[:80]


@pytest.mark.parametrize("case", RECORDED["stated"], ids=by_schema)
def test_values_of_a_type_may_be_stated_by_every_fact(case: dict[str, Any]) -> None:
    assert [vars(attribute) for attribute in parsed(case).attributes] == case["attributes"]


@pytest.mark.parametrize("case", RECORDED["refused"], ids=by_schema)
def test_refuses(case: dict[str, Any]) -> None:
    with pytest.raises(standin.StandinError) as refusal:
        parsed(case)
    assert (refusal.value.code, str(refusal.value)) == (case["code"], case["message"])


@pytest.mark.parametrize("case", RECORDED["tables"], ids=by_schema)
def test_attributes(case: dict[str, Any]) -> None:
    attributes = [vars(attribute) for attribute in parsed(case).attributes]
    assert attributes == case["attributes"]


@pytest.mark.parametrize("case", RECORDED["tables"], ids=by_schema)
def test_reads_and_writes(case: dict[str, Any]) -> None:
    table = standin.parse_csv(case["csv"], parsed(case))
    columns = {name: [as_json(value) for value in table.column(name)] for name in table.names}
    persons = None if table.persons is None else table.persons.tolist()
    assert columns == case["columns"]
    assert (table.to_csv(), table.delimiter, persons) == (case["written"], case["delimiter"], case.get("persons"))


def as_json(value: Any) -> Any:
    """Integers beyond 2^53 are recorded as text."""
    return str(value) if isinstance(value, int) and abs(value) >= 2**53 else value


@pytest.mark.parametrize("case", RECORDED["tables"], ids=by_schema)
def test_what_is_written_reads_back_as_the_same_code(case: dict[str, Any]) -> None:
    schema = parsed(case)
    for field in schema.modelled:
        reader = CellReader(field, schema)
        codec = codec_of(field, schema)
        for code in codes_of(field):
            assert reader.text(codec.text(code)) == code


def codes_of(field: Field) -> list[int]:
    if field.modelled.kind == "category":
        return list(range(len(field.modelled.labels)))
    last = field.modelled.points - 1
    spread = np.linspace(0, last, SPARE_POINTS).astype(np.int64).tolist()
    return sorted({*spread, *range(min(last, SPARE_POINTS)), *range(max(0, last - SPARE_POINTS), last + 1)})


def test_the_descriptor_stays_as_it_was_given() -> None:
    stated = {"fields": [{"name": "a", "type": "boolean", "title": "A", "x": [1.0, {"2": 0, "b": 1, "1": 2}]}]}
    schema = standin.parse_schema(stated)
    stated["fields"].clear()
    assert schema.to_json() == '{"fields":[{"name":"a","type":"boolean","title":"A","x":[1,{"1":2,"2":0,"b":1}]}]}'
    with pytest.raises(TypeError):
        schema.descriptor["fields"] = ()
    assert standin.parse_schema(schema.to_json()).to_json() == standin.parse_schema(schema.descriptor).to_json()


def test_lists_the_facts_that_were_read() -> None:
    fields = [
        {"name": "a", "constraints": {"enum": ["x"]}, "standin": {"provenance": {"enum": "read", "type": "declared"}}},
        {"name": "b", "type": "boolean", "standin": {"provenance": "read"}},
    ]
    schema = standin.parse_schema({"fields": fields, "standin": {"provenance": {"missingValues": "read"}}})
    assert schema.read_facts == ("schema: missingValues", "a: enum", "b: all facts")


def test_codes_of_another_schema_are_refused() -> None:
    field = {"name": "a", "type": "boolean"}
    plain, required = (
        standin.parse_schema({"fields": [{**field, "constraints": {"required": value}}]}) for value in (False, True)
    )
    other_file = standin.parse_schema({**json.loads(plain.to_json()), "dialect": {"delimiter": ";"}})
    table = standin.parse_csv("a\ntrue\n\n", plain)
    assert [codes.tolist() for codes in model_codes(table, other_file)] == [[1, 2]]
    with pytest.raises(standin.StandinError) as refusal:
        model_codes(table, required)
    assert refusal.value.code == "schema/other-table"


def test_trees_begin_their_leaves_where_the_code_first_reaches_them() -> None:
    for points in (10, 33, 100, 129, 1000):
        bounds = {"minimum": 0, "maximum": points - 1}
        schema = standin.parse_schema(
            {"fields": [{"name": "x", "type": "integer", "constraints": bounds, "standin": {"bins": "tree"}}]}
        )
        table = standin.parse_csv("x\n" + "".join(f"{point}\n" for point in range(points)), schema)
        assert model_codes(table, schema)[0].tolist() == [point * 32 // points for point in range(points)]


def test_descriptions_that_no_json_could_hold() -> None:
    nested: dict[str, Any] = {}
    nested["fields"] = [nested]
    huge = {"name": "x", "type": "integer", "constraints": {"minimum": 0, "maximum": 10**400}}
    for descriptor, code in ((nested, "schema/json"), ({"fields": [huge]}, "schema/number")):
        with pytest.raises(standin.StandinError) as refusal:
            standin.parse_schema(descriptor)
        assert refusal.value.code == code

"""What has to hold between the cells of a row."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from recorded import RECORDED

import standin
from standin.schema.decode import decode_rows
from standin.schema.table import Table

ROWS = 3000


@pytest.mark.parametrize("case", RECORDED["constrained"], ids=("numbers", "dates"))
def test_rows_are_those_of_the_typescript_package(case: dict[str, Any]) -> None:
    release = standin.parse_release(json.dumps(case["release"]))
    assert standin.resample(release).table.to_csv() == case["written"]


def integer(name: str, minimum: int, maximum: int, **block: Any) -> dict[str, Any]:
    return {"name": name, "type": "integer", "constraints": {"minimum": minimum, "maximum": maximum}, "standin": block}


FIELDS = [
    integer("low", 0, 300),
    integer("high", 50, 400, bins=[100, 200]),
    integer("part", 0, 9),
    integer("total", 0, 500),
    {"name": "city", "constraints": {"enum": ["Lyon", "Nice", "Porto"]}},
    {"name": "country", "constraints": {"enum": ["France", "Portugal"]}},
]
CITIES = [["Lyon", "France"], ["Nice", "France"], ["Porto", "Portugal"], [None, "France"]]
CONSTRAINTS = ["low <= high", "total = low + part", {"columns": ["city", "country"], "allowed": CITIES}]


def random_rows(seed: int, constraints: list[Any]) -> Table:
    return decoded(seed, standin.parse_schema({"fields": FIELDS, "standin": {"constraints": constraints}}))


def decoded(seed: int, schema: standin.Schema) -> Table:
    random = np.random.default_rng(seed)
    codes = [random.integers(0, attribute.size, ROWS).astype(np.uint16) for attribute in schema.attributes]
    words = random.integers(0, 2**32, (2 * len(codes), ROWS), dtype=np.uint32)
    return decode_rows(
        schema, [attribute.name for attribute in schema.attributes], ",", codes, lambda stream: words[stream]
    )


def holds(low: Any, high: Any, part: Any, total: Any, city: Any, country: Any) -> tuple[bool, bool, bool]:
    return (
        None in (low, high) or low <= high,
        None in (low, part, total) or total == low + part,
        country is None or [city, country] in CITIES,
    )


@pytest.mark.parametrize("seed", range(3))
def test_all_rows_satisfy_all_constraints_and_others_stay_as_they_are(seed: int) -> None:
    free, bound = (
        list(zip(*(table.column(name) for name in table.names), strict=True))
        for table in (random_rows(seed, []), random_rows(seed, CONSTRAINTS))
    )
    held = [holds(*row) for row in free]
    assert 0 < sum(all(each) for each in held) < ROWS / 2
    for before, after, (order_and_sum, kept) in zip(
        free, bound, ((all(each[:2]), each[2]) for each in held), strict=True
    ):
        assert all(holds(*after))
        assert not order_and_sum or after[:4] == before[:4]
        assert not kept or after[4:] == before[4:]


@pytest.mark.usefixtures("switching")
def test_threads_that_share_a_schema_make_the_rows_of_one() -> None:
    schema = standin.parse_schema({"fields": FIELDS, "standin": {"constraints": CONSTRAINTS}})

    def made(seed: int) -> str:
        return decoded(seed, schema).to_csv()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(made, range(4))) == list(map(made, range(4)))

"""A record's codes depend on that record alone: not on where it stands, nor on what stands around it."""

import datetime as dt
import random
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import standin
from standin.frames import as_table
from standin.layout import NO_PERSON
from standin.schema.encode import model_codes
from standin.schema.schema import Schema

FIELDS: list[dict[str, Any]] = [
    {"name": "a", "constraints": {"enum": ["x", "y", 'q"', "two\nlines", "7", "0", "-0", "true"]}},
    {"name": "n", "type": "integer", "constraints": {"minimum": 0, "maximum": 99}},
    {"name": "big", "type": "integer", "constraints": {"minimum": 0, "maximum": 1_000_000}},
    {"name": "far", "type": "integer", "constraints": {"minimum": 0, "maximum": 1_000_000_000_000}},
    {"name": "half", "type": "number", "constraints": {"minimum": -1, "maximum": 1}, "standin": {"granularity": 0.5}},
    {"name": "day", "type": "date", "constraints": {"minimum": "2000-01-01", "maximum": "2024-12-31"}},
    {"name": "yes", "type": "boolean"},
    {"name": "who", "standin": {"role": "drop"}},
]
WHO = len(FIELDS) - 1
HEADER = ",".join(field["name"] for field in FIELDS) + "\n"
UNIT = {"unit": {"column": "who", "maxRows": 2}}


def schema_of(fields: list[dict[str, Any]], **more: Any) -> Schema:
    return standin.parse_schema({"fields": fields, "standin": UNIT, **more})


def required(field: dict[str, Any]) -> dict[str, Any]:
    return {**field, "constraints": {**field.get("constraints", {}), "required": True}}


SCHEMAS = {
    "empty": schema_of(FIELDS),
    "two": schema_of(FIELDS, missingValues=["NA", ""]),
    "none": schema_of(FIELDS, missingValues=[]),
    "required": schema_of([*map(required, FIELDS)]),
}


def contents(table: standin.Table, schema: Schema) -> list[list[int]]:
    """The codes of each column, as stored and as queries see them; last, for each row the first row of the same person, or −1."""
    columns = [*(column.codes for column in table.columns), *model_codes(table, schema)]
    return [*(codes.tolist() for codes in columns), first_rows(table.persons.tolist(), NO_PERSON)]


def first_rows(persons: Sequence[Any], nobody: Any) -> list[int]:
    first: dict[Any, int] = {}
    return [-1 if person == nobody else first.setdefault(person, row) for row, person in enumerate(persons)]


def rows_of(columns: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    return list(zip(*columns, strict=True))


WORDS = ["x", "y", "7", "42", "99", "1000000", "123456789012", "0.5", "2001-02-03", "true", "no", "p1", "p2", "p3"]
ODD = ["", "", "NA", " ", "é", "1e3", "not a date", "\ufeff", "longer than the others by some way", 'z"w']


def a_cell(chance: random.Random) -> tuple[str, str]:
    """A cell as it stands in a file, and what it says."""
    if chance.random() < 0.8:
        text = chance.choice([*WORDS, *WORDS, *ODD])
        return text, text
    inside = chance.choice(['q"', "two\nlines", "".join(chance.choices('",\n\rxé', k=4))])
    after = chance.choice(["", "", "x"])
    return '"' + inside.replace('"', '""') + '"' + after, inside + after


def a_record(chance: random.Random) -> tuple[str, str | None]:
    """A record as it stands in a file, and the text that tells its person apart; too short in two of five cases, or empty, or too long."""
    width = chance.choice([0, 1, 2, 3, 7, 8, 8, 8, 9, 12])
    cells = [a_cell(chance) for _ in range(width)]
    return ",".join(raw for raw, _ in cells), cells[WHO][1] if width > WHO else None


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("size", [1, 40, 1023, 1024, 1025, 8191, 8192, 8193, 16_385])
def test_a_record_of_a_file_is_read_as_it_is_alone(name: str, size: int, tmp_path: Path) -> None:
    schema = SCHEMAS[name]
    chance = random.Random(size)
    pool = [a_record(chance) for _ in range(60)]
    alone = {raw: rows_of(contents(standin.parse_csv(HEADER + raw, schema), schema)[:-1]) for raw, _ in pool}
    records = chance.choices(pool, k=size)
    text = HEADER + "".join(raw + chance.choice(["\n", "\r\n", "\r"]) for raw, _ in records)
    kept = [(raw, who) for raw, who in records if alone[raw]]
    people = [None if who in schema.missing_values else who for _, who in kept]
    (tmp_path / "table.csv").write_bytes(text.encode())
    for table in (standin.parse_csv(text, schema), standin.read_csv(tmp_path / "table.csv", schema)):
        *columns, persons = contents(table, schema)
        assert rows_of(columns) == [alone[raw][0] for raw, _ in kept]
        assert persons == first_rows(people, None)


Make = Callable[[list[Any]], Any]
MIDNIGHT, NOON = dt.datetime(2001, 2, 3), dt.datetime(2001, 2, 3, 12)
EVENING = dt.datetime(2001, 2, 3, 23, 30, tzinfo=dt.UTC)
TEXTS = ["x", "7", "07", " 7", "0", "-0", "true", "True", "2001-02-03", "NA", "", None]
WHOLE = [0, 1, 7, 42, 100, 10**6, -5]
FLOATS = [0.0, -0.0, 0.5, -0.5, 0.25, 7.0, 1e20, float("inf"), float("-inf"), 0.1]
EXACT = [Decimal("0"), Decimal("-0"), Decimal("7"), Decimal("0.5"), Decimal("7.00"), None]
DAYS = [dt.date(2001, 2, 3), dt.date(1, 1, 1), dt.date(9999, 12, 31), None]
MIXED = [
    *TEXTS,
    *WHOLE,
    *FLOATS,
    *EXACT,
    *DAYS,
    True,
    False,
    float("nan"),
    b"x",
    b"\xff",
    ["x"],
    MIDNIGHT,
    NOON,
    EVENING,
]


def pandas_series(dtype: Any) -> Make:
    return lambda values: pandas.DataFrame({"v": pandas.Series(values, dtype=dtype), "who": ["p"] * len(values)})


def polars_series(dtype: Any) -> Make:
    return lambda values: polars.DataFrame({"v": polars.Series(values, dtype=dtype), "who": ["p"] * len(values)})


def arrow_array(kind: pyarrow.DataType) -> Make:
    return lambda values: pyarrow.table({"v": pyarrow.array(values, kind), "who": ["p"] * len(values)})


US, ARROW = pyarrow.timestamp("us"), pandas.ArrowDtype
FRAMES: list[tuple[str, Make, list[Any]]] = [
    ("pandas object", pandas_series(object), MIXED),
    ("pandas str", pandas_series("str"), TEXTS),
    ("pandas category of texts", pandas_series(pandas.CategoricalDtype([text for text in TEXTS if text])), TEXTS[:9]),
    ("pandas category of floats", pandas_series(pandas.CategoricalDtype([0.5, 7.0, 0.0])), [0.5, 7.0, -0.0, 0.0, None]),
    ("pandas int64", pandas_series("int64"), WHOLE),
    ("pandas Int64", pandas_series("Int64"), [*WHOLE, None]),
    ("pandas arrow int64", pandas_series(ARROW(pyarrow.int64())), [*WHOLE, None]),
    ("pandas float64", pandas_series("float64"), [*FLOATS, None]),
    ("pandas float32", pandas_series("float32"), [*FLOATS, None]),
    ("pandas Float64", pandas_series("Float64"), [*FLOATS, None]),
    ("pandas arrow double", pandas_series(ARROW(pyarrow.float64())), [*FLOATS, None]),
    ("pandas bool", pandas_series("bool"), [True, False]),
    ("pandas boolean", pandas_series("boolean"), [True, False, None]),
    ("pandas datetime", pandas_series("datetime64[us]"), [MIDNIGHT, NOON, dt.datetime(1, 1, 1), None]),
    ("pandas datetime in a zone", pandas_series("datetime64[us, Asia/Tokyo]"), [EVENING, None]),
    ("polars String", polars_series(polars.String), TEXTS),
    ("polars Categorical", polars_series(polars.Categorical), TEXTS),
    ("polars Int64", polars_series(polars.Int64), [*WHOLE, None]),
    ("polars Int128", polars_series(polars.Int128), [*WHOLE, 2**100, None]),
    ("polars Float64", polars_series(polars.Float64), [*FLOATS, float("nan"), None]),
    ("polars Float32", polars_series(polars.Float32), [*FLOATS, float("nan"), None]),
    ("polars Boolean", polars_series(polars.Boolean), [True, False, None]),
    ("polars Decimal", polars_series(polars.Decimal(20, 2)), EXACT),
    ("polars Date", polars_series(polars.Date), DAYS),
    (
        "polars far Date",
        lambda days: polars_series(polars.Int32)(days).with_columns(polars.col("v").cast(polars.Date)),
        [0, 11_363, 10**8, 2**31 - 1, -(2**31), None],
    ),
    ("polars Datetime", polars_series(polars.Datetime("us")), [MIDNIGHT, NOON, None]),
    (
        "polars far Datetime",
        lambda days: polars_series(polars.Int64)(days).with_columns(polars.col("v").cast(polars.Datetime("ms"))),
        [0, 981_158_400_000, 2**60, -(2**60), None],
    ),
    ("polars List", polars_series(polars.List(polars.String)), [["x"], [], None]),
    ("arrow string", arrow_array(pyarrow.string()), TEXTS),
    ("arrow dictionary", arrow_array(pyarrow.dictionary(pyarrow.int32(), pyarrow.string())), TEXTS),
    ("arrow int64", arrow_array(pyarrow.int64()), [*WHOLE, None]),
    ("arrow double", arrow_array(pyarrow.float64()), [*FLOATS, float("nan"), None]),
    ("arrow float", arrow_array(pyarrow.float32()), [*FLOATS, float("nan"), None]),
    ("arrow bool", arrow_array(pyarrow.bool_()), [True, False, None]),
    ("arrow decimal", arrow_array(pyarrow.decimal128(20, 2)), EXACT),
    ("arrow date", arrow_array(pyarrow.date32()), DAYS),
    ("arrow far date", arrow_array(pyarrow.date32()), [0, 11_356, 2**30, -(2**30), None]),
    ("arrow timestamp", arrow_array(US), [MIDNIGHT, NOON, None]),
    ("arrow far timestamp", arrow_array(US), [0, 981_158_400_000_000, 2**62, -(2**62), None]),
    ("arrow list", arrow_array(pyarrow.list_(pyarrow.string())), [["x"], [], None]),
]

READ_AS: list[dict[str, Any]] = [
    {"type": "string", "constraints": {"enum": ["x", "7", "07", "0", "-0", "0.0", "7.0", "true", "2001-02-03", "0.5"]}},
    {"type": "string", "constraints": {"enum": ["7", "42", "0"]}},
    {"type": "string", "constraints": {"enum": ["2001-02-03"]}},
    {"type": "integer", "constraints": {"minimum": 0, "maximum": 99}},
    {"type": "integer", "constraints": {"enum": [7, 0, 42]}},
    {"type": "number", "constraints": {"minimum": -1, "maximum": 1}, "standin": {"granularity": 0.25}},
    {"type": "boolean"},
    {"type": "boolean", "trueValues": ["1"], "falseValues": ["0", "-0"]},
    {"type": "date", "constraints": {"minimum": "2000-01-01", "maximum": "2024-12-31"}},
    {"type": "datetime", "constraints": {"minimum": "2001-01-01T00:00:00", "maximum": "2001-12-31T00:00:00"}},
    {"type": "year", "constraints": {"minimum": 0, "maximum": 100}},
]


def read(frame: Any, schema: Schema) -> list[tuple[int, ...]] | tuple[str, str]:
    """The codes of a frame's rows, or what is said where its type is refused."""
    try:
        return rows_of(contents(as_table(frame, schema), schema)[:-1])
    except standin.StandinError as refusal:
        return refusal.code, str(refusal)


@pytest.mark.parametrize("field", READ_AS, ids=lambda field: field["type"])
@pytest.mark.parametrize(("make", "values"), [frame[1:] for frame in FRAMES], ids=[name for name, *_ in FRAMES])
def test_a_row_of_a_frame_is_read_as_it_is_alone(make: Make, values: list[Any], field: dict[str, Any]) -> None:
    schema = schema_of([{"name": "v", **field}, FIELDS[WHO]])
    alone = [read(make([value]), schema) for value in values]
    chance = random.Random(1)
    for size in (2, 2, 2, 3, 5, 40, 300):
        places = chance.choices(range(len(values)), k=size)
        found = read(make([values[place] for place in places]), schema)
        if isinstance(alone[0], tuple):
            assert found == alone[0]
            assert all(said == alone[0] for said in alone)
        else:
            assert found == [alone[place][0] for place in places]


def test_more_texts_than_a_column_remembers() -> None:
    schema = SCHEMAS["two"]
    numbers = np.arange(140_001) * 7_919_003 % 1_000_000_007
    lines = [f"x,,,{number},,,,p{row % 70_001}" if row % 3 else "x,7" for row, number in enumerate(numbers.tolist())]
    *columns, persons = contents(standin.parse_csv(HEADER + "\n".join(lines), schema), schema)
    missing = standin.parse_csv(f"{HEADER}x,7", schema).columns[3].codes[0]
    assert columns[3] == [number if row % 3 else missing for row, number in enumerate(numbers.tolist())]
    assert persons == first_rows([row % 70_001 if row % 3 else None for row in range(len(lines))], None)

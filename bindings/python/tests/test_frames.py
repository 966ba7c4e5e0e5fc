"""Tables from and to data frames."""

import csv
import io
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import standin
from standin._watch import Watch
from standin.table import as_table

FRAMES = ("pandas", "polars", "pyarrow")

FIELDS = [
    {"name": "id", "type": "integer", "standin": {"role": "id"}},
    {"name": "person", "standin": {"role": "drop"}},
    {"name": "whole", "type": "integer", "constraints": {"minimum": 0, "maximum": 1000}},
    {"name": "part", "type": "number", "decimalChar": ",", "constraints": {"minimum": -10, "maximum": 10}},
    {"name": "listed", "type": "integer", "constraints": {"enum": [1, 2, 3]}},
    {"name": "label", "constraints": {"enum": ["a", "b", "1"]}, "standin": {"other": "rest"}},
    {"name": "flag", "type": "boolean", "trueValues": ["yes"], "falseValues": ["no"]},
    {
        "name": "day",
        "type": "date",
        "format": "%d/%m/%Y",
        "constraints": {"minimum": "01/01/1800", "maximum": "31/12/2030"},
    },
    {
        "name": "local",
        "type": "datetime",
        "constraints": {"minimum": "2020-01-01T00:00:00", "maximum": "2021-01-01T00:00:00"},
    },
    {
        "name": "instant",
        "type": "datetime",
        "constraints": {"minimum": "2020-01-01T00:00:00+01:00", "maximum": "2021-01-01T00:00:00+01:00"},
    },
    {"name": "hour", "type": "time", "constraints": {"minimum": "00:00:00", "maximum": "23:59:59"}},
]
SCHEMA = standin.parse_schema(
    {"fields": FIELDS, "missingValues": ["", "-9"], "standin": {"unit": {"column": "person", "maxRows": 2}}}
)
EAST = timezone(timedelta(hours=2))

VALUES: dict[str, list[Any]] = {
    "id": [7, 8, 9, 10],
    "person": ["p", None, "q", "p"],
    "whole": [5, -9, None, 2000],
    "part": [1.5, 9.25, None, 11.0],
    "listed": [1, 2, None, 4],
    "label": ["a", "b", None, "zzz"],
    "flag": [True, False, None, True],
    "day": [date(1804, 2, 29), date(2031, 1, 1), None, date(2000, 1, 1)],
    "local": [datetime(2020, 5, 6, 7, 8, 31), datetime(2019, 1, 1), None, datetime(2020, 1, 1, 0, 1)],
    "instant": [datetime(2020, 5, 6, 7, 8, 31, tzinfo=EAST), datetime(2020, 1, 2, tzinfo=EAST), None, None],
    "hour": [time(1, 2, 3), time(23, 59, 59), None, time(0)],
}
TEXT = """id,person,whole,part,listed,label,flag,day,local,instant,hour
7,p,5,"1,5",1,a,yes,29/02/1804,2020-05-06T07:08:31,2020-05-06T07:08:31+02:00,01:02:03
8,,-9,"9,25",2,b,no,01/01/2031,2019-01-01T00:00:00,2020-01-02T00:00:00+02:00,23:59:59
9,q,,,,,,,,,
10,p,2000,"11,0",4,zzz,yes,01/01/2000,2020-01-01T00:01:00,,00:00:00
"""


TEXT_READ = standin.parse_csv(TEXT, SCHEMA).to_csv().partition("\n")[2]


def framed(library: str, values: dict[str, list[Any]]) -> Any:
    module = pytest.importorskip(library)
    return module.table(values) if library == "pyarrow" else module.DataFrame(values)


def cells_of(frame: Any, schema: standin.Schema) -> list[list[str]]:
    """The cells of a frame's rows, as the schema spells them."""
    with as_table(frame, schema, Watch()) as table:
        return [*csv.reader(io.StringIO(table.to_csv()))][1:]


def read(frame: Any, field: dict[str, Any]) -> list[str | None]:
    """The cells of the column x."""
    rows = cells_of(frame, standin.parse_schema({"fields": [{"name": "x", **field}]}))
    return [row[0] or None for row in rows]


@pytest.mark.parametrize("library", FRAMES)
def test_a_frame_reads_as_the_file_of_its_values(library: str) -> None:
    assert cells_of(framed(library, VALUES), SCHEMA) == [*csv.reader(io.StringIO(TEXT_READ))]


@pytest.mark.parametrize("library", FRAMES)
def test_persons_of_a_frame_are_those_of_the_file(library: str) -> None:
    frame = framed(library, VALUES)
    plan = standin.plan(SCHEMA, epsilon=1000, workload="1-way")
    with as_table(frame, SCHEMA, Watch()) as table:
        key = {"seed": 1, "unsafe_noise_key": bytes(range(1, 33))}
        expected = standin.measure(standin.parse_csv(TEXT, SCHEMA), plan, **key).to_json()
        assert standin.measure(table, plan, **key).to_json() == expected
    assert standin.measure(frame, plan, **key).to_json() == expected


@pytest.mark.parametrize("library", FRAMES)
def test_a_table_becomes_a_frame_and_a_table_again(library: str) -> None:
    pytest.importorskip(library)
    table = standin.parse_csv(TEXT, SCHEMA)
    frame = getattr(table, {"pyarrow": "to_arrow"}.get(library, f"to_{library}"))()
    columns = frame.column_names if library == "pyarrow" else list(frame.columns)
    assert columns == table.names
    without_persons = standin.parse_schema({"fields": FIELDS, "missingValues": ["", "-9"]})
    with as_table(frame, without_persons, Watch()) as again:
        assert again.to_csv() == table.to_csv()


def test_frames_have_the_types_of_their_fields() -> None:
    pandas, polars, pyarrow = map(pytest.importorskip, FRAMES)
    table = standin.parse_csv(TEXT, SCHEMA)
    kinds = table.to_pandas().dtypes.astype(str).to_dict()
    assert [kinds[name] for name in ("id", "whole", "part", "flag", "label", "day", "local")] == [
        *("Int64", "Int64", "float64", "boolean", "category", "datetime64[ms]", "datetime64[us]"),
    ]
    required = {"fields": [{**FIELDS[2], "constraints": {**FIELDS[2]["constraints"], "required": True}}]}
    assert standin.parse_csv("whole\n5\n", standin.parse_schema(required)).to_pandas().dtypes["whole"] == "int64"
    assert table.to_pandas()["instant"][0] == pandas.Timestamp("2020-05-06T07:09:00+02:00")
    assert table.to_polars()["day"][0] == date(1804, 2, 29)
    assert table.to_polars()["label"].dtype == polars.Categorical
    types = {field.name: field.type for field in table.to_arrow().schema}
    assert types["instant"] == pyarrow.timestamp("us", "+01:00")
    assert types["hour"] == pyarrow.time64("us")
    assert types["listed"] == pyarrow.int64()
    assert types["flag"] == pyarrow.bool_()


def test_what_no_frame_can_hold_is_text() -> None:
    polars = pytest.importorskip("polars")
    fields = [
        {"name": "ancient", "type": "date", "constraints": {"minimum": "0000-01-01", "maximum": "0009-12-31"}},
        {
            "name": "huge",
            "type": "integer",
            "constraints": {"minimum": "1" + 20 * "0", "maximum": "1" + 19 * "0" + "9"},
        },
    ]
    fields.append({"name": "code", "standin": {"role": "id", "format": {"pattern": "P-##"}}})
    text = f"ancient,huge,code\n0001-02-27,1{19 * '0'}7,x\n0009-12-31,,y\n"
    frame = standin.parse_csv(text, standin.parse_schema({"fields": fields})).to_polars()
    assert frame.dtypes == [polars.Date, polars.String, polars.String]
    assert frame.rows() == [(date(1, 2, 27), f"1{19 * '0'}7", "P-01"), (date(9, 12, 31), None, "P-02")]


def test_each_cell_of_a_column_of_objects_is_read_by_itself() -> None:
    pandas = pytest.importorskip("pandas")
    field = {"name": "x", "constraints": {"enum": ["1", "True", "true", "1.50", "[2]", "0.1", "2024-01-01"]}}
    cells = [
        1,
        True,
        1.0,
        "1",
        Decimal("1.5"),
        Decimal("1.50"),
        [2],
        np.int64(1),
        np.float32(0.1),
        date(2024, 1, 1),
        float("nan"),
        pandas.NaT,
    ]
    expected = ["1", "True", "1", "1", None, "1.50", "[2]", "1", "0.1", "2024-01-01", None, None]
    for order in (list(range(len(cells))), list(reversed(range(len(cells))))):
        frame = pandas.DataFrame({"x": pandas.Series([cells[at] for at in order], dtype=object)})
        assert read(frame, field) == [expected[at] for at in order]


def test_numbers_are_read_to_the_last_digit() -> None:
    pandas = pytest.importorskip("pandas")
    large = {"minimum": "9007199254740993", "maximum": "9007199254740999"}
    small = {"minimum": 0, "maximum": 1}
    schema = standin.parse_schema(
        {
            "fields": [
                {"name": "large", "type": "integer", "constraints": large},
                {"name": "small", "type": "number", "constraints": small, "standin": {"granularity": 0.1}},
            ]
        }
    )
    frame = pandas.DataFrame(
        {"large": [9007199254740993, 9007199254740995], "small": np.array([0.1, 0.25], np.float32)}
    )
    assert cells_of(frame, schema) == [["9007199254740993", "0.1"], ["9007199254740995", "0.3"]]


def test_categorical_columns_are_read_by_their_categories() -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    field = {"constraints": {"enum": ["a", "b"]}}
    cells = ["b", None, "a", "?"]
    assert read(pandas.DataFrame({"x": pandas.Categorical(cells)}), field) == ["b", None, "a", None]
    mixed = pandas.Categorical(["b", 1, None], categories=pandas.Index([1, "b"], dtype=object))
    assert read(pandas.DataFrame({"x": mixed}), field) == ["b", None, None]
    series = polars.Series("x", cells, polars.Categorical)
    assert read(polars.DataFrame([series]), field) == ["b", None, "a", None]


def test_headers_of_frames_are_checked() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(standin.StandinError) as refusal:
        cells_of(pandas.DataFrame({"x": [1]}), SCHEMA)
    assert refusal.value.code == "files/missing-column"


def test_frames_of_many_rows_are_read_part_by_part() -> None:
    _, polars, pyarrow = map(pytest.importorskip, FRAMES)
    rows = 150_000
    texts = [None if row % 7 == 0 else "ab"[row % 2] for row in range(rows)]
    numbers = [None if row % 11 == 0 else row % 1000 for row in range(rows)]
    frame = polars.DataFrame({"label": texts, "whole": numbers})
    fields = [field for field in FIELDS if field["name"] in ("label", "whole")]
    schema = standin.parse_schema({"fields": fields})
    expected = [
        [text or "", "" if number is None else str(number)] for text, number in zip(texts, numbers, strict=True)
    ]
    events: list[Any] = []
    with as_table(frame, schema, Watch(events.append)) as table:
        assert [*csv.reader(io.StringIO(table.to_csv()))][1:] == expected
        assert len(events) == 3
        made = table.to_arrow()
    assert made.num_rows == rows
    assert made.column("whole").to_pylist() == numbers
    chunks = pyarrow.concat_tables([frame[at : at + 999].to_arrow() for at in range(0, rows, 999)])
    encoded = chunks.set_column(0, "label", chunks.column("label").dictionary_encode())
    for parts in (chunks, encoded, chunks[5:-7], encoded[5:-7]):
        assert cells_of(parts, schema) == (expected if len(parts) == rows else expected[5:-7])


def test_an_empty_frame() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"x": []}, schema={"x": polars.String})
    assert read(frame, LABEL) == []
    schema = standin.parse_schema({"fields": [{"name": "x", **LABEL}]})
    with as_table(frame, schema, Watch()) as table:
        assert table.to_polars().height == 0


def test_paths_and_tables_are_tables(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(TEXT, "utf8")
    with as_table(tmp_path / "table.csv", SCHEMA, Watch()) as table:
        assert table.to_csv().partition("\n")[2] == TEXT_READ
        with as_table(table, SCHEMA, Watch()) as same:
            assert same is table
        assert table.to_csv()
    with pytest.raises(standin.StandinError):
        table.to_csv()


def test_times_are_those_of_a_clock_whatever_its_zone() -> None:
    pandas = pytest.importorskip("pandas")
    bounds = {"minimum": "00:00:00", "maximum": "23:59:59"}
    schema = standin.parse_schema({"fields": [{"name": "x", "type": "time", "constraints": bounds}]})
    frame = pandas.DataFrame(
        {"x": [datetime(2024, 1, 1, 1, 2, 3, tzinfo=EAST), datetime(1969, 1, 1, 4, 5, 6)]}, dtype=object
    )
    assert cells_of(frame, schema) == [["01:02:03"], ["04:05:06"]]


NUMBER = {"type": "number", "constraints": {"minimum": 0, "maximum": 10}, "standin": {"granularity": 0.1}}
LABEL = {"type": "string", "constraints": {"enum": ["a", "b", "1"]}, "standin": {"other": "rest"}}
MOMENT = {"type": "datetime", "constraints": {"minimum": "2020-01-01T00:00:00", "maximum": "2021-01-01T00:00:00"}}


FLOATS = [0.35, 0.45, float("nan"), 9.95]
"""Their nearest float32 are above or below the middle of two grid points."""


@pytest.mark.parametrize("odd", [None, float("nan"), float("inf"), 0.35])
@pytest.mark.parametrize(
    "kind", ["numpy", "object", "arrow", "polars", "pyarrow", "dictionary", "category", "nullable"]
)
def test_one_value_more_changes_how_no_other_is_read(kind: str, odd: float | None) -> None:
    pandas, polars, pyarrow = map(pytest.importorskip, FRAMES)
    scalar = np.float32

    def framed(values: list[float | None]) -> Any:
        array = np.array([np.nan if value is None else value for value in values], scalar)
        cells = [None if value is None else scalar(value) for value in values]
        if kind in ("pyarrow", "dictionary", "arrow"):
            column = pyarrow.array(cells, pyarrow.float32())
            if kind == "arrow":
                return pandas.DataFrame({"x": pandas.Series(column, dtype=pandas.ArrowDtype(column.type))})
            if kind == "dictionary":
                column = column.dictionary_encode()
            return pyarrow.table({"x": pyarrow.chunked_array([column[:1], column[1:]])})
        match kind:
            case "polars":
                return polars.DataFrame({"x": polars.Series(cells, dtype=polars.Float32)})
            case "numpy":
                return pandas.DataFrame({"x": array})
            case "object":
                return pandas.DataFrame({"x": pandas.Series(cells, dtype=object)})
            case "category":
                return pandas.DataFrame({"x": pandas.Series(array).astype("category")})
        return pandas.DataFrame({"x": pandas.array(cells, dtype="Float32")})

    expected = ["0.4", "0.5", None, "10.0"]
    assert read(framed([*FLOATS]), NUMBER) == expected
    assert read(framed([*FLOATS, odd]), NUMBER)[:-1] == expected


def test_values_that_are_missing_whatever_their_type() -> None:
    pandas = pytest.importorskip("pandas")
    gaps = [
        None,
        pandas.NA,
        pandas.NaT,
        float("nan"),
        np.float32("nan"),
        Decimal("NaN"),
        Decimal("sNaN"),
        np.datetime64("NaT"),
    ]
    frame = pandas.DataFrame({"x": pandas.Series(gaps, dtype=object)})
    assert read(frame, LABEL) == [None] * len(gaps)


@pytest.mark.parametrize("library", FRAMES)
def test_integers_of_any_width_and_bytes(library: str) -> None:
    module = pytest.importorskip(library)
    assert read(framed(library, {"x": [b"a", b"\xffb"]}), LABEL) == ["a", "rest"]
    if library == "polars":
        for values in ([1, 2], [1, 2, None]):
            wide = module.DataFrame({"x": module.Series(values, dtype=module.Int128)})
            assert read(wide, NUMBER)[:2] == ["1.0", "2.0"]


def test_values_with_types_of_their_own_are_read_by_their_value() -> None:
    pandas = pytest.importorskip("pandas")

    class Disguised(int):
        def __str__(self) -> str:
            return "secret"

    cells = [Disguised(3), Disguised(5), Disguised(3)]
    assert read(pandas.DataFrame({"x": pandas.Series(cells, dtype=object)}), NUMBER) == ["3.0", "5.0", "3.0"]


def test_decimals_are_spelled_without_an_exponent() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    for texts, kind in ((["0.0000001", "0.0000000"], (12, 7)), (["100", "1200"], (12, -2))):
        column = pyarrow.array([*map(Decimal, texts), None], pyarrow.decimal128(*kind))
        field = {"type": "string", "constraints": {"enum": texts}}
        assert read(pyarrow.table({"x": column}), field) == [*texts, None]


def test_zero_has_no_sign() -> None:
    pandas = pytest.importorskip("pandas")
    field = {"type": "string", "constraints": {"enum": ["0", "1"]}}
    for dtype in ("float64", object):
        assert read(pandas.DataFrame({"x": pandas.Series([-0.0], dtype=dtype)}), field) == ["0"]

"""Frames are refused by the types of their columns alone: whatever the values, the same is said."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from test_frames import cells_of

import standin


def listed(kind: str, *categories: Any, **block: Any) -> dict[str, Any]:
    return {"type": kind, "constraints": {"enum": [*categories]}, "standin": block}


def between(kind: str, minimum: Any, maximum: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "constraints": {"minimum": minimum, "maximum": maximum}, **more}


WHOLE = {"integer", "int8", "float"}
MOMENTS = {"datetime", "datetime in a zone"}
FIELDS: list[tuple[str, dict[str, Any], set[str]]] = [
    ("texts with zeros in front", listed("string", "01", "02"), set()),
    ("texts of whole numbers", listed("string", "1", "2"), WHOLE),
    ("texts of numbers beyond 8 bits", listed("string", "1", "999"), {"integer", "float"}),
    ("texts of prices", listed("string", "1.50", "2.00"), {"decimal"}),
    ("texts of truth", listed("string", "true", "false"), {"boolean"}),
    ("texts of days", listed("string", "2024-01-01"), set()),
    ("texts of moments", listed("string", "2024-01-01T00:00:00"), set()),
    ("texts of moments in a zone", listed("string", "2024-01-01T00:00:00+00:00"), set()),
    ("texts of times", listed("string", "12:30:00"), set()),
    ("texts and one for the rest", listed("string", "1", other="more"), WHOLE),
    (
        "texts, the first of them for all else",
        {**listed("string", "no", "1"), "constraints": {"enum": ["no"], "required": True}},
        set(),
    ),
    ("integers", between("integer", 0, 99), {*WHOLE, "decimal", "boolean"}),
    ("listed integers", listed("integer", "01", 2), {*WHOLE, "decimal"}),
    ("listed integers, 0 and 1", listed("integer", 0, 1), {*WHOLE, "decimal", "boolean"}),
    ("integers beyond 2^53", listed("integer", "9007199254740993"), {"integer"}),
    ("years", between("year", 1900, 2024), {*WHOLE, "decimal", "boolean"}),
    ("numbers", between("number", 0, 1), {*WHOLE, "decimal", "boolean"}),
    ("listed numbers", listed("number", 0.5, "1.50"), {"float", "decimal"}),
    ("listed numbers with a comma", {**listed("number", "0,5"), "decimalChar": ","}, {"float", "decimal"}),
    ("truth", {"type": "boolean"}, {*WHOLE, "boolean"}),
    ("truth in words", {"type": "boolean", "trueValues": ["yes"], "falseValues": ["no"]}, {"boolean"}),
    ("days", between("date", "2000-01-01", "2024-12-31"), {"date", *MOMENTS}),
    ("listed days", listed("date", "2024-02-29"), {"date", *MOMENTS}),
    (
        "days as whole numbers",
        between("date", "20000101", "20241231", format="%Y%m%d"),
        {"date", *MOMENTS, "integer", "float"},
    ),
    (
        "listed days as whole numbers",
        {**listed("date", "20240229"), "format": "%Y%m%d"},
        {"date", *MOMENTS, "integer", "float"},
    ),
    ("days with zeros in front", between("date", "15012000", "31122024", format="%d%m%Y"), {"date", *MOMENTS}),
    ("moments", between("datetime", "2024-01-01T00:00:00", "2024-12-31T00:00:00"), {"date", *MOMENTS}),
    ("listed moments", listed("datetime", "2024-01-01T12:00:00"), {"date", *MOMENTS}),
    ("listed midnights", listed("datetime", "2024-01-01T00:00:00+02:00"), {"date", *MOMENTS}),
    ("times", between("time", "00:00:00", "23:59:59"), {"time", *MOMENTS}),
    ("times with zeros in front", between("time", "0000", "2359", format="%H%M"), {"time", *MOMENTS}),
    ("hours", between("time", "0", "23", format="%-H"), {"time", *MOMENTS}),
]

SCHEMAS = [standin.parse_schema({"fields": [{"name": "x", **field}]}) for _, field, _ in FIELDS]

NOON = dt.datetime(2024, 1, 1, 12)
VALUES: dict[str, list[Any]] = {
    "text": ["01", "x", ""],
    "integer": [1, 7, -99],
    "int8": [1, 7, -99],
    "float": [1.0, 0.25, float("inf")],
    "decimal": [Decimal("1.50"), Decimal("0.00")],
    "boolean": [True, False],
    "date": [NOON.date(), dt.date(1, 1, 1)],
    "datetime": [NOON],
    "datetime in a zone": [NOON.replace(tzinfo=dt.UTC)],
    "time": [NOON.time()],
    "list": [["01"], []],
    "duration": [dt.timedelta(1)],
}

Make = Callable[[list[Any]], Any]


def of_pandas(dtype: Any) -> Make:
    return lambda values: pandas.DataFrame({"x": pandas.Series(values, dtype=dtype)})


def of_polars(dtype: Any) -> Make:
    return lambda values: polars.DataFrame({"x": polars.Series(values, dtype=dtype)})


def of_arrow(dtype: pyarrow.DataType) -> Make:
    return lambda values: pyarrow.table({"x": pyarrow.array(values, dtype)})


def pandas_categories(dtype: str) -> Make:
    """Categories of a type, one of them at least."""
    return lambda values: pandas.DataFrame(
        {"x": pandas.Categorical(values, categories=pandas.Index([1, *{*values} - {1}], dtype=dtype))}
    )


ARROW = pandas.ArrowDtype
UTC = pyarrow.timestamp("us", "UTC")
TYPES: list[tuple[str, str, Make]] = [
    ("text", "pandas object", of_pandas(object)),
    ("text", "pandas str", of_pandas("str")),
    ("text", "pandas arrow string", of_pandas(ARROW(pyarrow.string()))),
    ("text", "pandas category", of_pandas(pandas.CategoricalDtype(["01", "x", ""]))),
    ("integer", "pandas int64", of_pandas("int64")),
    ("integer", "pandas Int64", of_pandas("Int64")),
    ("integer", "pandas arrow int64", of_pandas(ARROW(pyarrow.int64()))),
    ("integer", "pandas category of int64", pandas_categories("int64")),
    ("integer", "pandas sparse int64", of_pandas(pandas.SparseDtype("int64"))),
    ("int8", "pandas int8", of_pandas("int8")),
    ("int8", "pandas Int8", of_pandas("Int8")),
    ("float", "pandas float64", of_pandas("float64")),
    ("float", "pandas Float64", of_pandas("Float64")),
    ("float", "pandas category of float64", pandas_categories("float64")),
    ("decimal", "pandas arrow decimal", of_pandas(ARROW(pyarrow.decimal128(10, 2)))),
    ("boolean", "pandas bool", of_pandas("bool")),
    ("boolean", "pandas boolean", of_pandas("boolean")),
    ("datetime", "pandas datetime64", of_pandas("datetime64[s]")),
    ("datetime in a zone", "pandas datetime64 in a zone", of_pandas("datetime64[us, UTC]")),
    ("date", "pandas arrow date", of_pandas(ARROW(pyarrow.date32()))),
    ("duration", "pandas timedelta64", of_pandas("timedelta64[s]")),
    ("text", "polars String", of_polars(polars.String)),
    ("text", "polars Categorical", of_polars(polars.Categorical)),
    ("integer", "polars Int64", of_polars(polars.Int64)),
    ("integer", "polars Int128", of_polars(polars.Int128)),
    ("int8", "polars Int8", of_polars(polars.Int8)),
    ("float", "polars Float64", of_polars(polars.Float64)),
    ("decimal", "polars Decimal", of_polars(polars.Decimal(10, 2))),
    ("boolean", "polars Boolean", of_polars(polars.Boolean)),
    ("date", "polars Date", of_polars(polars.Date)),
    ("datetime", "polars Datetime", of_polars(polars.Datetime("us"))),
    ("datetime in a zone", "polars Datetime in a zone", of_polars(polars.Datetime("us", "UTC"))),
    ("time", "polars Time", of_polars(polars.Time)),
    ("list", "polars List", of_polars(polars.List(polars.String))),
    ("duration", "polars Duration", of_polars(polars.Duration("us"))),
    ("text", "arrow string", of_arrow(pyarrow.string())),
    ("text", "arrow binary", of_arrow(pyarrow.binary())),
    ("text", "arrow dictionary", of_arrow(pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))),
    ("integer", "arrow int64", of_arrow(pyarrow.int64())),
    ("integer", "arrow dictionary of int64", of_arrow(pyarrow.dictionary(pyarrow.int32(), pyarrow.int64()))),
    ("int8", "arrow int8", of_arrow(pyarrow.int8())),
    ("float", "arrow double", of_arrow(pyarrow.float64())),
    ("decimal", "arrow decimal", of_arrow(pyarrow.decimal128(10, 2))),
    ("boolean", "arrow bool", of_arrow(pyarrow.bool_())),
    ("date", "arrow date", of_arrow(pyarrow.date32())),
    ("datetime", "arrow timestamp", of_arrow(pyarrow.timestamp("us"))),
    ("datetime in a zone", "arrow timestamp in a zone", of_arrow(UTC)),
    ("time", "arrow time", of_arrow(pyarrow.time64("us"))),
    ("list", "arrow list", of_arrow(pyarrow.list_(pyarrow.string()))),
    ("duration", "arrow duration", of_arrow(pyarrow.duration("us"))),
]


def said(frame: Any, schema: standin.Schema) -> str | None:
    """What is said of a frame; ``None`` where it is read."""
    try:
        cells_of(frame, schema)
    except standin.StandinError as refusal:
        assert refusal.code == "frames/type"
        return str(refusal)
    return None


@pytest.mark.parametrize(
    ("kind", "make"), [(kind, make) for kind, _, make in TYPES], ids=[name for _, name, _ in TYPES]
)
def test_the_type_alone_decides(kind: str, make: Make) -> None:
    values = VALUES[kind]
    frames = [make(rows) for rows in ([], values)]
    for (name, _, held), schema in zip(FIELDS, SCHEMAS, strict=True):
        words = {said(frame, schema) for frame in frames}
        assert len(words) == 1, name
        assert (words == {None}) == (kind == "text" or kind in held), name


@pytest.mark.parametrize("make", [of_polars(polars.Null), of_arrow(pyarrow.null()), of_pandas(object)])
def test_columns_of_gaps_are_read_whatever_the_field(make: Make) -> None:
    for schema in SCHEMAS:
        assert said(make([None, None]), schema) is None


def test_says_which_column_what_type_and_what_to_do() -> None:
    fields = [{"name": "zip", "constraints": {"enum": ["01", "02"]}}, {"name": "note", "standin": {"role": "drop"}}]
    schema = standin.parse_schema({"fields": fields})
    frame = pandas.DataFrame({"note": [[1]], "zip": np.array([1])})
    budget = standin.Budget(epsilon=9, delta=1e-8)
    with pytest.raises(standin.StandinError) as refusal:
        standin.synthesize(frame, schema, epsilon=1, budget=budget)
    assert str(refusal.value) == (
        'The column "zip" of the frame has the type int64, which cannot hold "01" as the schema spells it. '
        "Types that a library inferred lose spellings (01 becomes 1): read the column as text (pandas: dtype=str), "
        "give the path of the file, or correct the schema."
    )
    assert '"spent": []' in budget.to_json()


def test_no_category_of_a_frame_is_in_the_words() -> None:
    schema = standin.parse_schema({"fields": [{"name": "x", "constraints": {"enum": ["01"]}}]})
    structs = [{"secret": 1}]
    categories = pandas.DataFrame({"x": pandas.Categorical([471147], categories=[471147])})
    for frame in (categories, polars.DataFrame({"x": structs}), pyarrow.table({"x": structs})):
        words = said(frame, schema)
        assert words is not None
        assert "secret" not in words
        assert "471147" not in words


def test_made_tables_are_taken_back_by_the_schema_that_made_them() -> None:
    for schema in SCHEMAS:
        table = standin.parse_csv("x\n\n", schema)
        for frame in (table.to_pandas(), table.to_polars(), table.to_arrow()):
            assert said(frame, schema) is None


def listing(*categories: str) -> standin.Schema:
    return standin.parse_schema({"fields": [{"name": "x", "constraints": {"enum": [*categories]}}]})


def of_breaks(breaks: list[Any]) -> pandas.DataFrame:
    return pandas.DataFrame({"x": pandas.arrays.IntervalArray.from_breaks(breaks)})


def of_periods(text: str, unit: str) -> pandas.DataFrame:
    return pandas.DataFrame({"x": pandas.PeriodIndex([text], freq=unit)})


def extended(kind: Any, *values: Any) -> pyarrow.Table:
    return pyarrow.table({"x": pyarrow.ExtensionArray.from_storage(kind, pyarrow.array(values, kind.storage_type))})


UUIDS = ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"]
OPAQUE = [pyarrow.opaque(kind, "a", "b") for kind in (pyarrow.int64(), pyarrow.string())]
RUNS = pyarrow.RunEndEncodedArray.from_arrays
ENUM = polars.Enum(["1", "2"])
EXTENSION = polars.Extension("a", polars.Int64)
SPELLED: list[tuple[str, Any, list[str]]] = [
    ("polars Enum", polars.DataFrame({"x": polars.Series(["1"], dtype=ENUM)}), ["1", "2"]),
    ("polars Enum in part", polars.DataFrame({"x": polars.Series(["2"], dtype=ENUM)}), ["2"]),
    ("polars extension", polars.DataFrame({"x": polars.Series([1]).ext.to(EXTENSION)}), ["1", "2"]),
    ("pandas months", of_periods("2024-01", "M"), ["2024-01", "2024-12"]),
    ("pandas days", of_periods("2024-01-31", "D"), ["2024-01-31"]),
    ("pandas weeks", of_periods("2024-01-31", "W"), ["2024-01-29/2024-02-04"]),
    ("pandas intervals", of_breaks([0, 1]), ["(0, 1]", "(1, 2]"]),
    ("pandas intervals of floats", of_breaks([0.5, 1.5]), ["(0.5, 1.5]"]),
    ("pandas cut", pandas.DataFrame({"x": pandas.cut(pandas.Series([1, 2]), [0, 1, 2])}), ["(0, 1]", "(1, 2]"]),
    ("arrow bool8", extended(pyarrow.bool8(), 1, 0), ["true", "false"]),
    ("arrow opaque integers", extended(OPAQUE[0], 1), ["1", "2"]),
    ("arrow opaque texts", extended(OPAQUE[1], "1"), ["1", "01"]),
    ("arrow uuid", extended(pyarrow.uuid(), bytes([0] * 15 + [1])), UUIDS),
    ("arrow runs of texts", pyarrow.table({"x": RUNS([2], pyarrow.array(["01"]))}), ["01", "02"]),
    ("arrow runs of integers", pyarrow.table({"x": RUNS([2], pyarrow.array([1]))}), ["1", "2"]),
]


@pytest.mark.parametrize(
    ("frame", "texts"), [(frame, texts) for _, frame, texts in SPELLED], ids=[s[0] for s in SPELLED]
)
def test_types_with_spellings_of_their_own(frame: Any, texts: list[str]) -> None:
    schema = listing(*texts)
    assert {cell for [cell] in cells_of(frame, schema)} <= {*texts}
    assert said(frame[:0], schema) is None


NUMBERS = ("polars extension", "arrow opaque integers", "arrow runs of integers", "arrow bool8")


def test_extensions_of_numbers_are_refused_as_numbers_are() -> None:
    frames = {name: frame for name, frame, _ in SPELLED}
    for name in NUMBERS:
        for frame in (frames[name], frames[name][:0]):
            assert said(frame, listing("01", "02")) is not None


def test_types_of_numpy_that_arrow_has_not_are_refused() -> None:
    for values in ([], [1j]):
        assert "complex128" in (said(pandas.DataFrame({"x": np.array(values, complex)}), listing("1")) or "")


def test_days_that_are_whole_numbers_are_read() -> None:
    field = between("date", "20000101", "20241231", format="%Y%m%d")
    schema = standin.parse_schema({"fields": [{"name": "x", **field}]})
    frame = pandas.DataFrame({"x": [20240229, 20010203]})
    assert cells_of(frame, schema) == [["20240229"], ["20010203"]]


def test_dates_may_be_periods_of_days() -> None:
    schema = standin.parse_schema({"fields": [{"name": "x", **between("date", "2024-01-01", "2024-12-31")}]})
    assert cells_of(of_periods("2024-02-29", "D"), schema) == [["2024-02-29"]]

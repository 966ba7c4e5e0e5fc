"""Tables from data frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..errors import StandinError
from ..files.columns import PersonNumbers, table_of_codes
from ..files.guard import reading
from ..files.header import check_header, column_names
from ..schema.calendar import CivilDate, day_number
from ..schema.schema import Schema, expect_schema
from ..schema.stored import stored_type
from ..schema.table import Table
from ..schema.temporal import DAY
from ..text import read_csv
from .kinds import ARROW_VALUES, Kind, arrow_kind, check_kind, pandas_kind, polars_kind
from .values import UNREADABLE, ValueReader, attempt, is_missing, value_text


def as_table(source: Any, schema: Schema) -> Table:
    """The table of a data frame (pandas, polars or pyarrow), of a CSV file's path, or a table that was read already.

    A frame is read as the CSV file would be that holds its values in the notation of the schema; its index is no column. Raises
    ``frames/type`` where the type of a column, whatever its values, cannot hold what the schema states; ``options/argument`` for what is
    no table; and as ``read_csv``.
    """
    expect_schema(schema)
    if isinstance(source, Table):
        return source
    if isinstance(source, str | os.PathLike):
        return read_csv(source, schema)
    frame_of = next((_FRAMES[name] for name in map(_class_name, type(source).__mro__) if name in _FRAMES), None)
    if frame_of is None:
        raise StandinError(
            "options/argument",
            "Expected a data frame of pandas, polars or pyarrow, the path of a CSV file, or a table that was read, but got something else.",
        )
    return reading(lambda: _table(frame_of(source), schema))


_PLAIN = (str, int, float, bool)
"""The types whose values read alike where they are equal."""

_DOUBLE_BYTES = 8

_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9}
_CALENDAR = day_number(CivilDate(1, 1, 1)), day_number(CivilDate(9999, 12, 31))
"""The first and the last day of Python's calendar."""
_BITS_64 = -(2**63), 2**63 - 1
"""The least and the largest integer of 64 bits."""
_SPAN = timedelta.min.days, timedelta.max.days
"""The least and the most days of Python's durations."""


class _Values(NamedTuple):
    """The values of a column."""

    distinct: Sequence[Any]
    places: np.ndarray
    """For each row the place of its value among the distinct ones, −1 where it is missing."""

    def codes(self, code_of: Callable[[Any], int], dtype: np.dtype) -> np.ndarray:
        """What a function makes of each row's value, ``None`` where it is missing; it is asked once for each of them."""
        return np.array([*map(code_of, self.distinct), code_of(None)], dtype)[self.places]


class _Frame(NamedTuple):
    names: Sequence[str]
    rows: int
    kind: Callable[[int], Kind]
    """What the type of the column at a place can hold."""
    values: Callable[[int], _Values]
    """The values of that column."""


def _table(frame: _Frame, schema: Schema) -> Table:
    check_header(frame.names, schema)
    names = column_names(frame.names)
    modelled = [
        (at, field)
        for at, field in enumerate(map(schema.field, names))
        if field is not None and field.domain is not None
    ]
    for at, field in modelled:
        check_kind(names[at], frame.kind(at), field, schema)
    codes = {}
    for at, field in modelled:
        reader = ValueReader(field, schema)
        codes[field.name] = frame.values(at).codes(reader.code, stored_type(field.modelled))
    persons = None
    if schema.person_column is not None:
        persons = _person_numbers(frame.values(names.index(schema.person_column)), schema)
    return table_of_codes(schema, names, codes, frame.rows, schema.dialect.delimiter or ",", persons)


def _person_numbers(values: _Values, schema: Schema) -> np.ndarray:
    numbers = PersonNumbers(schema)
    texts = [*map(value_text, values.distinct), None]
    # In the order of the rows: it is that of first appearance.
    return np.fromiter((numbers[texts[place]] for place in values.places.tolist()), np.uint32, len(values.places))


def _listed(cells: Sequence[Any]) -> _Values:
    """The values of any objects. Those that are equal but read otherwise, such as 1 and True, are apart."""
    places: dict[Any, int] = {}
    distinct: list[Any] = []
    rows = np.empty(len(cells), np.int64)
    for row, cell in enumerate(cells):
        if is_missing(cell):
            rows[row] = -1
            continue
        text = cell if type(cell) in _PLAIN else value_text(cell)
        if text is UNREADABLE:
            cell = text
        rows[row] = place = places.setdefault((type(cell), text), len(distinct))
        if place == len(distinct):
            distinct.append(_unwrapped(cell) if isinstance(cell, np.generic) else cell)
    return _Values(distinct, rows)


def _unwrapped(cell: np.generic) -> Any:
    """A value of numpy's as one of Python's. The shortest decimal of a f32 is not that of the f64 with its value."""
    return float(str(cell)) if cell.dtype.kind == "f" and cell.itemsize != _DOUBLE_BYTES else cell.item()


def _numeric(array: np.ndarray) -> _Values:
    """The values of an array of numbers or truth values."""
    distinct, places = np.unique(array, return_inverse=True)
    if array.dtype.kind == "f":
        places[np.isnan(array)] = -1
    return _Values(list(map(_unwrapped, distinct)), places)


def _python_values(whole: Callable[[], list[Any]], single: Callable[[int], Any], rows: int) -> _Values:
    """The values of a column as Python's: all at once, or one by one where Python cannot hold some, such as dates after the year 9999."""
    values = attempt(whole, None)
    if values is None:
        values = [attempt(partial(single, row), UNREADABLE) for row in range(rows)]
    return _listed(values)


def _pandas_frame(frame: Any) -> _Frame:
    def values_of(series: Any) -> _Values:
        kind = getattr(series.dtype, "numpy_dtype", series.dtype)
        if type(kind).__name__ == "CategoricalDtype":
            categories = values_of(series.cat.categories.to_series())
            return _Values(categories.distinct, np.append(categories.places, -1)[series.cat.codes.to_numpy()])
        if isinstance(kind, np.dtype) and kind.kind == "f":
            return _numeric(series.to_numpy(kind, na_value=np.nan))
        if kind is series.dtype and isinstance(kind, np.dtype) and kind.kind in "iub":
            return _numeric(series.to_numpy())
        return _python_values(series.tolist, series.iloc.__getitem__, len(series))

    names = [str(name) for name in frame.columns]
    return _Frame(
        names, len(frame), lambda at: pandas_kind(frame.dtypes.iloc[at]), lambda at: values_of(frame.iloc[:, at])
    )


def _within_python(series: Any) -> tuple[Any, np.ndarray]:
    """A column of polars without the dates, datetimes and durations that Python cannot hold, and where these were.

    Of some of them polars raises no error: it panics, and says so on stderr.
    """
    kind = series.dtype
    name = type(kind).__name__
    if name not in ("Date", "Datetime", "Duration"):
        return series, np.zeros(len(series), bool)
    day = 1 if name == "Date" else DAY * _SECOND[kind.time_unit]
    first, last = _SPAN if name == "Duration" else _CALENDAR
    units = series.to_physical()
    held = units.is_between(max(first * day, _BITS_64[0]), min((last + 1) * day - 1, _BITS_64[1]))
    return series.zip_with(held, series.clear(len(series))), (~held).fill_null(value=False).to_numpy()


def _polars_frame(frame: Any) -> _Frame:
    import polars

    def values(at: int) -> _Values:
        series = frame.to_series(at)
        while hasattr(series.dtype, "ext_storage"):
            series = series.ext.storage()
        kind = series.dtype
        # numpy has no integers of 128 bits, and none that are null.
        if kind.is_float() or (kind.is_integer() and "128" not in str(kind) and not series.null_count()):
            return _numeric(series.to_numpy())
        if kind.is_nested():
            return _Values([UNREADABLE], np.where(series.is_null().to_numpy(), -1, 0))
        if type(kind).__name__ in ("String", "Categorical", "Enum"):
            # Of texts that are no UTF-8 polars says so on stderr.
            texts = series.cast(polars.String).cast(polars.Binary).to_list()
            return _listed([None if text is None else text.decode(errors="replace") for text in texts])
        series, beyond = _within_python(series)
        held = _python_values(series.to_list, series.__getitem__, len(series))
        return _Values([*held.distinct, UNREADABLE], np.where(beyond, len(held.distinct), held.places))

    return _Frame(frame.columns, frame.height, lambda at: polars_kind(frame.dtypes[at]), values)


def _plain(column: Any) -> Any:
    """A column of pyarrow without encodings and extensions, but for those that pyarrow alone can take apart."""
    import pyarrow
    import pyarrow.compute

    kind = column.type
    if isinstance(kind, pyarrow.BaseExtensionType) and kind.extension_name not in ARROW_VALUES:
        return _plain(pyarrow.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type))
    decoded = None
    if pyarrow.types.is_dictionary(kind):
        decoded = attempt(partial(column.cast, kind.value_type), None)
    elif pyarrow.types.is_run_end_encoded(kind):
        decoded = attempt(partial(pyarrow.compute.run_end_decode, column), None)
    return column if decoded is None else _plain(decoded)


def _arrow_table(table: Any) -> _Frame:
    import pyarrow

    def values(at: int) -> _Values:
        column = _plain(table.column(at))
        kind = column.type
        if pyarrow.types.is_floating(kind) or (pyarrow.types.is_integer(kind) and not column.null_count):
            return _numeric(column.to_numpy())
        # Python's datetimes and times end with microseconds.
        if kind == pyarrow.time64("ns"):
            column = column.cast(pyarrow.time64("us"), safe=False)
        elif pyarrow.types.is_timestamp(kind) and kind.unit == "ns":
            column = column.cast(pyarrow.timestamp("us", kind.tz), safe=False)
        return _python_values(column.to_pylist, lambda row: column[row].as_py(), len(column))

    return _Frame(table.column_names, table.num_rows, lambda at: arrow_kind(table.schema.field(at).type), values)


_FRAMES: dict[str, Callable[[Any], _Frame]] = {
    "pandas.DataFrame": _pandas_frame,
    "polars.DataFrame": _polars_frame,
    "pyarrow.Table": _arrow_table,
}


def _class_name(kind: type) -> str:
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}"

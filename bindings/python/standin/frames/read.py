"""Tables from data frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import StandinError
from ..files.columns import PersonNumbers, table_of_codes
from ..files.guard import reading
from ..files.header import check_header, column_names
from ..schema.schema import Schema, expect_schema
from ..schema.stored import stored_type
from ..schema.table import Table
from ..text import read_csv
from .values import ValueReader, is_missing, value_text


def as_table(source: Any, schema: Schema) -> Table:
    """The table of a data frame (pandas, polars or pyarrow), of a CSV file's path, or a table that was read already.

    A frame is read as the CSV file would be that holds its values in the notation of the schema; its index is no column. Raises
    ``options/argument`` for anything else, and as ``read_csv``.
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
            "Expected a data frame of pandas, polars or pyarrow, the path of a CSV file, or a table that was read, and got something else.",
        )
    with reading():
        return _table(frame_of(source), schema)


_PLAIN = (str, int, float, bool)
"""The types whose values read alike where they are equal."""


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
    values: Callable[[int], _Values]
    """The values of the column at a place."""


def _table(frame: _Frame, schema: Schema) -> Table:
    check_header(frame.names, schema)
    names = column_names(frame.names)
    codes = {}
    for at, field in enumerate(map(schema.field, names)):
        if field is not None and field.domain is not None:
            reader = ValueReader(field, schema)
            codes[field.name] = frame.values(at).codes(reader.code, stored_type(field.domain))
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
        key = (type(cell), cell if type(cell) in _PLAIN else value_text(cell))
        rows[row] = place = places.setdefault(key, len(distinct))
        if place == len(distinct):
            distinct.append(_unwrapped(cell) if isinstance(cell, np.generic) else cell)
    return _Values(distinct, rows)


def _unwrapped(cell: np.generic) -> Any:
    """A value of numpy's as one of Python's. The shortest decimal of a f32 is not that of the f64 with its value."""
    return float(str(cell)) if cell.dtype.kind == "f" and cell.itemsize < 8 else cell.item()


def _numeric(array: np.ndarray) -> _Values:
    """The values of an array of numbers or truth values."""
    distinct, places = np.unique(array, return_inverse=True)
    if array.dtype.kind == "f":
        places[np.isnan(array)] = -1
    return _Values(list(map(_unwrapped, distinct)), places)


def _pandas_frame(frame: Any) -> _Frame:
    def values(at: int) -> _Values:
        series = frame.iloc[:, at]
        if type(series.dtype).__name__ == "CategoricalDtype":
            return _Values(series.cat.categories.tolist(), series.cat.codes.to_numpy().astype(np.int64))
        if isinstance(series.dtype, np.dtype) and series.dtype.kind in "iufb":
            return _numeric(series.to_numpy())
        return _listed(series.tolist())

    return _Frame([str(name) for name in frame.columns], len(frame), values)


def _polars_frame(frame: Any) -> _Frame:
    def values(at: int) -> _Values:
        series = frame.to_series(at)
        if series.dtype.is_numeric() and not series.dtype.is_decimal() and not series.null_count():
            return _numeric(series.to_numpy())
        return _listed(series.to_list())

    return _Frame(frame.columns, frame.height, values)


def _arrow_table(table: Any) -> _Frame:
    import pyarrow

    def values(at: int) -> _Values:
        column = table.column(at)
        kind = column.type
        if pyarrow.types.is_timestamp(kind):
            # Python's datetimes end with microseconds.
            column = column.cast(pyarrow.timestamp("us", kind.tz), safe=False)
        elif pyarrow.types.is_time(kind):
            column = column.cast(pyarrow.time64("us"), safe=False)
        elif (pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind)) and not column.null_count:
            return _numeric(column.to_numpy())
        return _listed(column.to_pylist())

    return _Frame(table.column_names, table.num_rows, values)


_FRAMES: dict[str, Callable[[Any], _Frame]] = {
    "pandas.DataFrame": _pandas_frame,
    "polars.DataFrame": _polars_frame,
    "pyarrow.Table": _arrow_table,
}


def _class_name(kind: type) -> str:
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}"

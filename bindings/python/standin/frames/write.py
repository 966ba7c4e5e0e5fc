"""Data frames from tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..schema.categories import CategoryDomain
from ..schema.decimals import Decimal
from ..schema.field import Field
from ..schema.grid import Grid
from ..schema.table import Column, Table
from ..schema.temporal import TemporalNotation

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_MOMENTS: dict[str, Callable[[str], Any]] = {
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}

_FINEST = 6
"""The most places behind the second that Python's datetimes and times have."""

_MOST_INTEGER = 2**63 - 1
"""The largest integer that data frames hold."""


class _Typed(NamedTuple):
    """A column's values, all of a kind, ``None`` where missing."""

    kind: str
    """``string``, ``integer``, ``number``, ``boolean``, ``date``, ``datetime`` or ``time``."""
    values: list[Any]
    zone: timezone | None
    """That of datetimes with an offset."""
    optional: bool
    """Whether some may be missing."""


def to_pandas(table: Table) -> pandas.DataFrame:
    """The table as a pandas DataFrame.

    Integers and booleans have pandas' nullable types where a cell may be missing, dates and datetimes are ``datetime64``, times are
    ``datetime.time``; what these cannot hold is text, as in a file.
    """
    import pandas

    def series(column: Column) -> pandas.Series:
        kind, values, zone, optional = _typed(column)
        match kind:
            case "integer":
                return pandas.Series(values, dtype="Int64" if optional else "int64")
            case "boolean":
                return pandas.Series(values, dtype="boolean" if optional else "bool")
            case "number":
                return pandas.Series(values, dtype="float64")
            case "date":
                return pandas.Series(np.array(values, "datetime64[D]").astype("datetime64[s]"))
            case "datetime" if zone:
                instants = [value and value.astimezone(UTC).replace(tzinfo=None) for value in values]
                return pandas.Series(np.array(instants, "datetime64[us]")).dt.tz_localize(UTC).dt.tz_convert(zone)
            case "datetime":
                return pandas.Series(np.array(values, "datetime64[us]"))
        return pandas.Series(values, dtype="object" if kind == "time" else None)

    return pandas.concat({column.name: series(column) for column in table.columns}, axis=1)


def to_polars(table: Table) -> polars.DataFrame:
    """The table as a polars DataFrame. Datetimes with an offset are in UTC; what its types cannot hold is text, as in a file."""
    import polars

    def series(column: Column) -> polars.Series:
        kind, values, zone, _ = _typed(column)
        types: dict[str, Any] = {
            "string": polars.String,
            "integer": polars.Int64,
            "number": polars.Float64,
            "boolean": polars.Boolean,
            "date": polars.Date,
            "datetime": polars.Datetime("us", "UTC" if zone else None),
            "time": polars.Time,
        }
        return polars.Series(column.name, values, types[kind])

    return polars.DataFrame([series(column) for column in table.columns])


def to_arrow(table: Table) -> pyarrow.Table:
    """The table as a pyarrow Table; what its types cannot hold is text, as in a file."""
    import pyarrow

    def array(column: Column) -> pyarrow.Array:
        kind, values, zone, _ = _typed(column)
        types: dict[str, Any] = {
            "string": pyarrow.string(),
            "integer": pyarrow.int64(),
            "number": pyarrow.float64(),
            "boolean": pyarrow.bool_(),
            "date": pyarrow.date32(),
            "datetime": pyarrow.timestamp("us", zone and (str(zone).removeprefix("UTC") or "UTC")),
            "time": pyarrow.time64("us"),
        }
        return pyarrow.array(values, types[kind])

    return pyarrow.table([array(column) for column in table.columns], names=table.names)


def _typed(column: Column) -> _Typed:
    field = column.field
    if field.id is not None:
        return _Typed("integer" if field.id.is_number else "string", column.values(), None, optional=False)
    domain = field.modelled
    kind = _category_kind(field, domain) if domain.kind == "category" else _grid_kind(field, domain)
    if kind in _MOMENTS:
        read = _MOMENTS[kind]
        values = column.spread(lambda code: None if (text := column.codec.value(code)) is None else read(text))
    elif kind == "string":
        values = column.spread(lambda code: None if column.codec.value(code) is None else column.codec.text(code))
    else:
        values = column.values()
    return _Typed(kind, values, _zone(field) if kind == "datetime" else None, not field.required)


def _category_kind(field: Field, domain: CategoryDomain) -> str:
    """Categories of numbers and truth values are such; those of dates and times are text."""
    kinds = set(map(type, domain.values))
    if kinds == {bool}:
        return "boolean"
    if kinds <= {int, float}:
        return "integer" if kinds == {int} and _fit(domain.values) else "number"
    return "string"


def _grid_kind(field: Field, domain: Grid) -> str:
    ends = [domain.value_at(point) for point in (0, domain.points - 1)]
    if field.type in _MOMENTS:
        return field.type if domain.scale <= _FINEST and _are_moments(field, ends) else "string"
    if field.type == "number":
        return "number"
    return "integer" if _fit([field.spelled.value(end) for end in ends]) else "string"


def _fit(numbers: Sequence[Any]) -> bool:
    return all(abs(number) <= _MOST_INTEGER for number in numbers)


def _are_moments(field: Field, ends: Sequence[Decimal]) -> bool:
    """Whether Python's calendar has the values between these: its years are 1 to 9999."""
    try:
        return all(_MOMENTS[field.type](str(field.spelled.value(end))) is not None for end in ends)
    except ValueError:
        return False


def _zone(field: Field) -> timezone | None:
    notation = field.notation
    if not isinstance(notation, TemporalNotation) or notation.offset is None:
        return None
    return timezone(timedelta(seconds=notation.offset.seconds))

"""What the types of a frame's columns can hold: told by the types alone, never by values."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from decimal import Decimal as PythonDecimal
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np

from ..errors import StandinError
from ..json_text import dumps
from ..schema.categories import CategoryDomain
from ..schema.decimals import Decimal, format_decimal, parse_decimal
from ..schema.field import Field
from ..schema.grid import Grid
from ..schema.schema import Schema
from ..schema.temporal import DAY, TemporalNotation
from .values import ValueReader, attempt

_DOUBLE_BITS = 64


class Kind(NamedTuple):
    """What a type of columns can hold."""

    name: str
    """As its library has it; nothing in it is a value."""
    values: str
    """``any`` (texts, objects, or nothing but gaps), ``parsed`` (what has texts of its own form alone, such as periods),
    ``boolean``, ``integer``, ``float``, ``decimal``, ``date``, ``datetime``, ``time``, or ``other``: what is no cell of a
    schema's type, such as lists and durations."""
    bits: int = _DOUBLE_BITS
    """Of integers and floats."""
    signed: bool = True
    """Whether integers may be below 0."""
    digits: int = 0
    """The most that decimals have, …"""
    places: int = 0
    """… so many of them behind the point."""
    zoned: bool = False
    """Whether datetimes have an offset."""
    labels: Sequence[str] | None = None
    """The only texts of a type that lists them."""
    parse: Callable[[str], Any] | None = None
    """For ``parsed``: the value that is spelled like a text, if any is. It may fail."""


_MOMENTS = {"date": ["date", "datetime"], "datetime": ["datetime", "date"], "time": ["time", "datetime"]}
"""The kinds whose values are read as those of a type of dates or times."""
_COUNTS = ["integer", "float", "decimal"]
_PROBES = 367
"""How many points of a grid are tried, ends included: those that numbers cannot spell, with a zero in front, lie in long runs."""


def check_kind(column: str, kind: Kind, field: Field, schema: Schema) -> None:
    """Raises ``frames/type`` for a type that cannot hold some value as the schema spells it.

    It has to hold every category but the one for what is not listed. Between bounds, any numbers do for numbers; dates and times have to
    be such, or numbers that are spelled like them (20240131 in the format ``%Y%m%d``).
    """
    domain = field.modelled
    if kind.values == "any" and (kind.labels is None or domain.kind == "grid"):
        return
    unheld = _unheld_points if domain.kind == "grid" else _unheld_categories
    text = next(unheld(domain, kind, field, schema), None)
    if text is not None:
        raise StandinError(
            "frames/type",
            f'The column "{column}" of the frame has the type {kind.name}, which cannot hold {dumps(text)} '
            "as the schema spells it.",
            "Types that a library inferred lose spellings (01 becomes 1): read the column as text (pandas: dtype=str), "
            "give the path of the file, or correct the schema.",
        )


def _unheld_points(grid: Grid, kind: Kind, field: Field, schema: Schema) -> Iterator[str]:
    notation = field.spelled
    if not isinstance(notation, TemporalNotation) and kind.parse is None:
        if kind.values not in ("boolean", *_COUNTS):
            yield notation.write(grid.value_at(0))
    elif not isinstance(notation, TemporalNotation) or kind.values not in _MOMENTS[notation.kind]:
        reader = _reader(field, schema)
        for point in np.unique(np.linspace(0, grid.points - 1, _PROBES).astype(np.int64)).tolist():
            text = notation.write(grid.value_at(point))
            if not any(reader.code(value) == point for value in _spelled_like(text, kind)):
                yield text


def _unheld_categories(domain: CategoryDomain, kind: Kind, field: Field, schema: Schema) -> Iterator[str]:
    notation = field.notation
    reader = _reader(field, schema)
    listed = None if kind.labels is None else set(map(reader.code, kind.labels))
    spellings: list[list[str]] = [[label] for label in domain.labels]
    if not isinstance(notation, TemporalNotation):
        for text, code in domain.spellings.items():
            spellings[code].append(text)
    for code, texts in enumerate(spellings):
        if listed is not None:
            held = code in listed
        elif isinstance(notation, TemporalNotation) and kind.values in _MOMENTS[notation.kind]:
            held = _holds_moment(texts[0], kind, notation)
        else:
            held = any(reader.code(value) == code for text in texts for value in _spelled_like(text, kind))
        if code != domain.other and not held:
            yield texts[0]


def _reader(field: Field, schema: Schema) -> ValueReader:
    """The reader of a field that may be missing: what is no value is then none of its values, not the first of them."""
    return ValueReader(replace(field, required=False), schema)


def _holds_moment(label: str, kind: Kind, notation: TemporalNotation) -> bool:
    """Whether a date, datetime or time may be a value: a date is its midnight."""
    number = notation.read(label)
    if number is None or notation.kind != "datetime" or kind.values == "datetime":
        return True
    local = number.trimmed().units + (notation.offset.seconds if notation.offset else 0)
    return number.trimmed().scale == 0 and local % DAY == 0


def _spelled_like(text: str, kind: Kind) -> list[Any]:
    """Values of a kind among which is any that is spelled like a text."""
    if kind.values == "boolean":
        return [False, True]
    if kind.parse is not None:
        value = attempt(partial(kind.parse, text), None)
        return [] if value is None else [value]
    read = {"date": date.fromisoformat, "datetime": datetime.fromisoformat, "time": time.fromisoformat}.get(kind.values)
    if read is not None:
        moment = attempt(partial(read, text), None)
        has_offset = isinstance(moment, datetime) and moment.tzinfo is not None
        return [] if moment is None or has_offset != kind.zoned else [moment]
    number = parse_decimal(text) if kind.values in _COUNTS else None
    value = None if number is None else _NUMBERS[kind.values](number.trimmed(), kind)
    return [] if value is None else [value]


def _integer(number: Decimal, kind: Kind) -> int | None:
    least, most = (-1 << kind.bits - 1, 1 << kind.bits - 1) if kind.signed else (0, 1 << kind.bits)
    return number.units if number.scale == 0 and least <= number.units < most else None


def _float(number: Decimal, kind: Kind) -> float:
    value = float(format_decimal(number))
    if kind.bits == _DOUBLE_BITS:
        return value
    with np.errstate(over="ignore"):
        return float(str(np.dtype(f"f{kind.bits // 8}").type(value)))


def _decimal(number: Decimal, kind: Kind) -> PythonDecimal | None:
    if number.scale > kind.places:
        return None
    units = number.at(kind.places)
    digits = tuple(map(int, str(abs(units))))
    return PythonDecimal((int(units < 0), digits, -kind.places)) if len(digits) <= kind.digits else None


_NUMBERS: dict[str, Any] = {"integer": _integer, "float": _float, "decimal": _decimal}


ARROW_VALUES = {
    "arrow.bool8": Kind("bool8", "boolean"),
    "arrow.uuid": Kind("uuid", "parsed", parse=UUID),
}
"""pyarrow's extensions that have values of their own."""


def pandas_kind(dtype: Any) -> Kind:
    """What a column of pandas can hold."""
    match type(dtype).__name__:
        case "CategoricalDtype":
            inner = pandas_kind(dtype.categories.dtype)
            return inner._replace(name=f"category of {inner.name}")
        case "SparseDtype":
            return pandas_kind(dtype.subtype)
        case "ArrowDtype":
            return arrow_kind(dtype.pyarrow_dtype)
        case "DatetimeTZDtype":
            return Kind(str(dtype), "datetime", zoned=True)
        case "PeriodDtype":
            return Kind(str(dtype), "parsed", parse=partial(_period, dtype))
        case "IntervalDtype":
            return Kind(str(dtype), "parsed", parse=partial(_interval, dtype))
    stored = getattr(dtype, "numpy_dtype", dtype)
    if not isinstance(stored, np.dtype):
        return Kind(str(dtype), "any")
    values = {"b": "boolean", "i": "integer", "u": "integer", "f": "float", "M": "datetime"}
    other = "other" if stored.kind in "mcV" else "any"
    return Kind(str(dtype), values.get(stored.kind, other), bits=8 * stored.itemsize, signed=stored.kind != "u")


def _period(dtype: Any, text: str) -> Any:
    import pandas

    return pandas.Period(text, dtype.freq)


def _interval(dtype: Any, text: str) -> Any:
    import pandas

    # A text of another form makes an interval, too, but one that is spelled otherwise.
    ends = [pandas.Index([end]).astype(dtype.subtype) for end in text[1:-1].split(", ")]
    return pandas.arrays.IntervalArray.from_arrays(*ends, closed=dtype.closed)[0]


_POLARS = {"Boolean": "boolean", "Decimal": "decimal", "Date": "date", "Datetime": "datetime", "Time": "time"}


def polars_kind(dtype: Any) -> Kind:
    """What a column of polars can hold."""
    if hasattr(dtype, "ext_storage"):
        return polars_kind(dtype.ext_storage())
    name = dtype.base_type().__name__
    if dtype.is_integer() or dtype.is_float():
        values = "integer" if dtype.is_integer() else "float"
        bits = int("".join(filter(str.isdigit, name)))
        return Kind(name, values, bits=bits, signed=not name.startswith("U"))
    if dtype.is_nested() or name == "Duration":
        return Kind(name, "other")
    kind = Kind(name, _POLARS.get(name, "any"))
    if name == "Enum":
        return kind._replace(labels=dtype.categories.to_list())
    if name == "Decimal":
        return kind._replace(digits=dtype.precision or 38, places=dtype.scale)
    return kind._replace(zoned=name == "Datetime" and dtype.time_zone is not None)


def arrow_kind(dtype: Any) -> Kind:
    """What a column of pyarrow can hold."""
    from pyarrow import BaseExtensionType, types

    if isinstance(dtype, BaseExtensionType):
        return _extension_kind(dtype)
    if types.is_dictionary(dtype) or types.is_run_end_encoded(dtype):
        return arrow_kind(dtype.value_type)
    if types.is_integer(dtype) or types.is_floating(dtype):
        values = "integer" if types.is_integer(dtype) else "float"
        return Kind(str(dtype), values, bits=dtype.bit_width, signed=not types.is_unsigned_integer(dtype))
    if types.is_decimal(dtype):
        return Kind(str(dtype), "decimal" if dtype.scale >= 0 else "any", digits=dtype.precision, places=dtype.scale)
    if types.is_timestamp(dtype):
        return Kind(str(dtype), "datetime", zoned=dtype.tz is not None)
    if types.is_nested(dtype):
        return Kind("of lists or records", "other")
    known = {
        types.is_boolean: "boolean",
        types.is_date: "date",
        types.is_time: "time",
        types.is_duration: "other",
        types.is_interval: "other",
    }
    return Kind(str(dtype), next((values for is_known, values in known.items() if is_known(dtype)), "any"))


def _extension_kind(dtype: Any) -> Kind:
    """Extensions without values of their own are read as what they are stored as."""
    own = ARROW_VALUES.get(dtype.extension_name)
    return arrow_kind(dtype.storage_type) if own is None else own

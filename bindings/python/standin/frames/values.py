"""What the values of data frames mean in the terms of a schema."""

import math
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal as PythonDecimal
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from ..json_text import number_text
from ..schema.calendar import CivilDate, day_number
from ..schema.decimals import Decimal, parse_decimal
from ..schema.directives import Offset
from ..schema.encode import CellReader
from ..schema.field import Field
from ..schema.pattern import Moment
from ..schema.schema import Schema
from ..schema.temporal import TemporalNotation

T = TypeVar("T")

UNREADABLE: Final = "\ufffd"
"""Stands for a value that Python cannot hold or spell: what undecodable bytes are read as."""

_MISSING_TYPES = ("NAType", "NaTType")
"""The types of what pandas has for missing values, beside NaN."""

_BEYOND_DIGITS = 10**400
"""Numbers from here on are none, as in a file."""


def is_missing(value: Any) -> bool:
    if isinstance(value, PythonDecimal):
        return value.is_nan()
    is_nan = isinstance(value, float | np.floating) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ in _MISSING_TYPES


def attempt(read: Callable[[], T], otherwise: T) -> T:
    """What a function makes of a value, or what stands for it where it fails: no value is an error."""
    try:
        return read()
    except (MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException:  # Panics of libraries in Rust are no Exception.
        return otherwise


class ValueReader:
    """How the values of a modelled column become stored codes: as the cells of a file would that hold them in the field's notation.

    Every value has a code and none an error; the rule looks at that value alone.
    """

    def __init__(self, field: Field, schema: Schema) -> None:
        self._cells = CellReader(field, schema)
        self._gaps = frozenset(schema.missing_values)
        self._field = field

    def code(self, value: Any) -> int:
        """The stored code of a value, ``None`` for one that is missing."""
        if value is None:
            return self._cells.absent
        if isinstance(value, bool | np.bool_):
            return self._boolean(bool(value))
        text = value_text(value)
        number = None if text in self._gaps else attempt(partial(_number, value, text, self._field), None)
        return self._cells.text(text) if number is None else self._cells.number(number)

    def _boolean(self, value: bool) -> int:
        domain, notation = self._field.modelled, self._field.notation
        if notation is not None and not notation.unit:
            return self._cells.number(Decimal(int(value)))
        if domain.kind == "category" and domain.values == [False, True]:
            return int(value)
        texts = [str(value).lower(), str(value)]
        return self._cells.text(next((text for text in texts if self._cells.knows(text)), texts[0]))


def value_text(value: Any) -> str:
    """A value as the cell of a file: numbers with the fewest digits, dates and times in ISO 8601, bytes as UTF-8.

    ``UNREADABLE`` itself where a value cannot be spelled.
    """
    return attempt(partial(_spelled, value), UNREADABLE)


def _spelled(value: Any) -> str:
    # Of types that inherit from Python's the value counts, not how they print it.
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return number_text(float(value))
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _number(value: Any, text: str, field: Field) -> Decimal | None:
    """The exact number of a value in the unit of its field; ``None`` where it has none.

    :param text: the value as text
    """
    notation = field.notation
    if isinstance(notation, TemporalNotation):
        moment = _moment(value)
        if moment is not None and notation.kind == "time":
            moment = Moment(0, moment.second, moment.fraction)
        return moment and notation.number_of(moment)
    if notation is None or not isinstance(value, int | float | PythonDecimal):
        return None
    if isinstance(value, int):
        return Decimal(int(value)) if -_BEYOND_DIGITS < value < _BEYOND_DIGITS else None
    return parse_decimal(text)


def _moment(value: Any) -> Moment | None:
    days = day_number(CivilDate(value.year, value.month, value.day)) if isinstance(value, date) else 0
    if isinstance(value, datetime | time):
        second = (value.hour * 60 + value.minute) * 60 + value.second
        fraction = f"{value.microsecond:06}{getattr(value, 'nanosecond', 0):03}"
        ahead = value.utcoffset() if isinstance(value, datetime) else None
        return Moment(days, second, fraction, None if ahead is None else Offset(round(ahead.total_seconds()), ""))
    return Moment(days) if isinstance(value, date) else None

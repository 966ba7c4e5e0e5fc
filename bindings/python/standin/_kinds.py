"""What the types of a frame's columns can hold: told by the types and the schema alone, never by values."""

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, NamedTuple

from ._values import truth_spellings
from .errors import StandinError

if TYPE_CHECKING:
    import pyarrow

_TEMPORAL = {"date": ("date", "datetime"), "datetime": ("date", "datetime"), "time": ("time", "datetime")}
"""The kinds whose values are those of a field of dates or times."""
_INTEGER = re.compile("0|-?[1-9][0-9]*")
_SHORTEST = re.compile(r"0|-?(0|[1-9][0-9]*)\.[0-9]*[1-9]|-?[1-9][0-9]*")
_WHOLE_DATE = re.compile("%Y(%m(%d)?|%j)?")
"""A format whose texts are whole numbers without a zero in front: …"""
_MOST_DATE = 9999_12_31
"""… the largest of them."""


class Kind(NamedTuple):
    """What a type holds."""

    name: str
    """As Arrow has it. Nothing in it is a value."""
    values: str
    """``any`` (texts), ``boolean``, ``integer``, ``float``, ``decimal``, ``date``, ``datetime``, ``time``, or
    ``other``: what is no cell of a table, such as lists and durations."""
    least: int = 0
    """Of integers and decimals: the least whole number, …"""
    most: int = 0
    """… and the largest."""
    places: int = 0
    """Of decimals: the digits after the point."""


def kind_of(dtype: "pyarrow.DataType") -> Kind:
    """What a type of Arrow's holds. Dictionaries and runs hold what their values are."""
    from pyarrow import types

    if types.is_dictionary(dtype) or types.is_run_end_encoded(dtype):
        return kind_of(dtype.value_type)
    name = str(dtype)
    if types.is_nested(dtype):
        return Kind("of lists or records", "other")
    if types.is_integer(dtype):
        bits, is_signed = dtype.bit_width, types.is_signed_integer(dtype)
        least = -(1 << bits - 1) if is_signed else 0
        return Kind(name, "integer", least, least + (1 << bits) - 1)
    if types.is_decimal(dtype):
        most = 10 ** (dtype.precision - dtype.scale) - 1
        return Kind(name, "decimal", -most, most, places=dtype.scale)
    known = {
        types.is_boolean: "boolean",
        types.is_floating: "float",
        types.is_date: "date",
        types.is_timestamp: "datetime",
        types.is_time: "time",
        types.is_duration: "other",
        types.is_interval: "other",
    }
    return Kind(name, next((values for is_known, values in known.items() if is_known(dtype)), "any"))


def check_kind(column: str, kind: Kind, field: Mapping[str, Any]) -> None:
    """Raises ``frames/type`` for a type that cannot hold some value as the schema spells it.

    It has to hold every category but the one for what is not listed. Any numbers will do between bounds.
    """
    text = _unheld(kind, field)
    if text is not None:
        hint = (
            "Types that a library inferred lose spellings (01 becomes 1): read the column as text (pandas: dtype=str), "
            "give the path of the file, or correct the schema."
        )
        what = f'The column "{column}" of the frame has the type {kind.name}, which cannot hold {text}'
        raise StandinError("frames/type", f"{what} as the schema spells it. {hint}", hint)


def _unheld(kind: Kind, field: Mapping[str, Any]) -> str | None:
    """Something that the type cannot hold; None if it can hold everything."""
    role, stated = field.get("standin", {}).get("role", "model"), field.get("type", "string")
    if kind.values == "any" or (role != "model" and kind.values != "other"):
        return None
    if kind.values == "other":
        return "cells"
    if stated in _TEMPORAL:
        is_wide = kind.values == "float" or kind.most >= _MOST_DATE
        is_number = is_wide and kind.values != "decimal" and _WHOLE_DATE.fullmatch(field.get("format", ""))
        return None if is_number or kind.values in _TEMPORAL[stated] else f"values of the type {stated}"
    if kind.values in ("date", "datetime", "time"):
        return f"values of the type {stated}"
    if stated == "boolean":
        sides = truth_spellings(field)
        unheld = [side[0] for side in sides if not any(_spells(kind, text) for text in side)]
        return f'"{unheld[0]}"' if unheld and kind.values != "boolean" else None
    other = field.get("standin", {}).get("other")
    texts = [str(value) for value in field.get("constraints", {}).get("enum", []) if value != other]
    holds = _spells if stated == "string" else _counts
    mark = field.get("decimalChar", ".")
    return next((f'"{text}"' for text in texts if not holds(kind, text.replace(mark, "."))), None)


def _spells(kind: Kind, text: str) -> bool:
    """Whether a value of this kind is spelled like a text."""
    if kind.values == "boolean":
        return text in ("true", "false", "True", "False")
    if kind.values == "float":
        return bool(_SHORTEST.fullmatch(text)) and Decimal(repr(float(text))) == Decimal(text)
    if kind.values == "decimal":
        digits = rf"-?(0|[1-9][0-9]*)\.[0-9]{{{kind.places}}}" if kind.places > 0 else _INTEGER
        return bool(re.fullmatch(digits, text))
    return bool(_INTEGER.fullmatch(text)) and kind.least <= int(text) <= kind.most


def _counts(kind: Kind, text: str) -> bool:
    """Whether a value of this kind is the number that a text states."""
    try:
        number = Decimal(text)
        whole = int(number)
    except (InvalidOperation, ValueError, OverflowError):
        return True  # spelled in a way of the schema's own
    if kind.values == "boolean":
        return number in (0, 1)
    if kind.values == "float":
        return Decimal(repr(float(number))) == number
    return number == round(number, max(0, kind.places)) and kind.least <= whole <= kind.most

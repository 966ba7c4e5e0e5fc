"""JSON as JavaScript reads and writes it, so that a release has the same bytes whichever language made it."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

SAFE = 2**53
"""Whole numbers below this are all apart from each other as JavaScript's numbers."""

_SAFE_DIGITS = 16
"""A whole number of fewer characters is below 2^53."""

_SAFE_BYTES = 4
"""A whole number of so few bytes is, too."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ARRAY_INDEX = re.compile("0|[1-9][0-9]{0,9}")


def loads(text: str) -> Any:
    """What a JSON text says: whole numbers below 2^53 as ``int``, all others as ``float``. Raises ``ValueError`` where it is no JSON."""
    try:
        return json.loads(
            text,
            object_hook=_ordered,
            parse_constant=_no_constant,
            parse_int=lambda digits: int(digits) if len(digits) < _SAFE_DIGITS else _number(float(digits)),
            parse_float=lambda digits: _number(float(digits)),
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def plain(value: Any) -> Any:
    """A copy of a value of mappings, sequences and scalars as JSON would carry it: of dicts, lists, and numbers as ``loads`` gives them."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, Mapping):
        return _ordered({str(key): plain(member) for key, member in value.items()})
    if isinstance(value, Sequence):
        return [plain(entry) for entry in value]
    return str(value)


def dumps(value: Any) -> str:
    """``JSON.stringify(value)``. Mappings and sequences may be of any kind."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return number_text(value) if math.isfinite(value) else "null"
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu" and value.itemsize <= _SAFE_BYTES:
        return f"[{','.join(map(str, value.tolist()))}]"
    if isinstance(value, np.generic | np.ndarray):
        return dumps(value.tolist())
    if isinstance(value, Mapping):
        members = (f"{dumps(key)}:{dumps(member)}" for key, member in _ordered(value).items())
        return "{" + ",".join(members) + "}"
    return "[" + ",".join(map(dumps, value)) + "]"


def number_text(number: float) -> str:
    """``String(number)``: the fewest digits that tell a double apart (ECMA-262, Number::toString)."""
    number = _number(number)
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    # The number is 0.digits · 10^point.
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    if point > 21 or point <= -6:
        tail = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{tail}e{point - 1:+d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if len(digits) <= point:
        return sign + digits.ljust(point, "0")
    return f"{sign}{digits[:point]}.{digits[point:]}"


def _number(number: float) -> int | float:
    if isinstance(number, int):
        if -SAFE < number < SAFE:
            return number
        try:
            return float(number)
        except OverflowError:
            return math.inf if number > 0 else -math.inf
    return int(number) if abs(number) < SAFE and number.is_integer() else number


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _ordered(members: Mapping[str, Any]) -> Mapping[str, Any]:
    """Members in the order in which JavaScript's objects have them: array indices first, ascending."""
    indices = sorted((key for key in members if _ARRAY_INDEX.fullmatch(key) and int(key) < 2**32 - 1), key=int)
    return {key: members[key] for key in dict.fromkeys([*indices, *members])} if indices else members

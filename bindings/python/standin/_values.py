"""Python objects in data frames, as the text that a CSV file would have in their place."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

_UNREADABLE = "\ufffd"
_TRUE, _FALSE = ("true", "True", "TRUE", "1"), ("false", "False", "FALSE", "0")


def truth_spellings(field: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """What a field of type boolean reads as false, and as true."""
    return [*field.get("falseValues", _FALSE)], [*field.get("trueValues", _TRUE)]


def truth_texts(field: Mapping[str, Any]) -> tuple[str, str]:
    """The texts of false and true in a field of any type."""
    stated = field.get("type", "string")
    if stated == "boolean":
        false, true = truth_spellings(field)
        return false[0], true[0]
    if stated != "string":
        return "0", "1"
    listed = field.get("constraints", {}).get("enum", [])
    return ("False", "True") if "False" in listed or "True" in listed else ("false", "true")


def cell_text(cell: Any, field: Mapping[str, Any]) -> bytes | None:
    """A cell's text in UTF-8, None if it is missing. No cell is an error, and none affects another."""
    try:
        text = None if _is_missing(cell) else _spelled(_plain(cell), field)
    except Exception:
        text = _UNREADABLE
    return None if text is None else text.encode(errors="replace")


def _is_missing(cell: Any) -> bool:
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(cell, Decimal):
        return cell.is_nan()
    return type(cell).__name__.startswith(("float", "datetime64", "timedelta64")) and bool(cell != cell)


def _plain(cell: Any) -> Any:
    """A value of numpy's as one of Python's. The shortest decimal of a float32 is not that of the double."""
    if type(cell).__module__ != "numpy":
        return cell
    return float(str(cell)) if type(cell).__name__ in ("float16", "float32") else cell.item()


def _spelled(cell: Any, field: Mapping[str, Any]) -> str:
    # Of types that inherit from Python's, the value counts, not how they print it.
    match cell:
        case str():
            return str.__str__(cell)
        case bool():
            return truth_texts(field)[cell]
        case int():
            return int.__repr__(cell)
        case float() | Decimal():
            return _digits(cell).replace(".", field.get("decimalChar", "."))
        case bytes():
            return cell.decode(errors="replace")
        case date() | time():
            return _moment_text(cell, field)
    return str(cell)


def _digits(number: float | Decimal) -> str:
    if isinstance(number, Decimal):
        return format(number, "f")
    text = float.__repr__(number + 0.0).removesuffix(".0")  # −0 is 0
    return format(Decimal(text), "f") if "e" in text else text


def _moment_text(cell: date | time, field: Mapping[str, Any]) -> str:
    stated, pattern = field.get("type"), field.get("format", "default")
    if isinstance(cell, datetime):
        if stated == "date":
            cell = cell.date()
        elif stated == "time":
            cell = cell.time()
        elif cell.tzinfo is not None:
            cell = cell.astimezone(timezone(timedelta(seconds=field.get("offset", 0))))
    elif stated == "datetime" and isinstance(cell, date):
        cell = datetime.combine(cell, time())
    is_stated = stated in ("date", "datetime", "time") and pattern != "default"
    return cell.strftime(pattern) if is_stated else cell.isoformat()

"""What patterns of dates and times are made of: literals, and the directives of strptime (IEEE Std 1003.1) with English words."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .blanks import BLANKS


class Offset(NamedTuple):
    """An offset from UTC: seconds east of it, and as it was written."""

    seconds: int
    text: str


@dataclass(slots=True)
class Fields:
    """What a text tells, by directive."""

    year: int = 1970
    month: int = 1
    day: int = 1
    year_day: int = 0
    """1 … 366, or 0 where the month and its day are told."""
    hour: int = 0
    half: int = 0
    """1 after noon, where it is told beside an hour of twelve."""
    minute: int = 0
    second: int = 0
    fraction: str = ""
    """The digits behind the second."""
    offset: Offset | None = None


class Piece(NamedTuple):
    """A literal, or a directive."""

    tells: Sequence[str]
    source: str
    """The regular expression of its text, without capturing groups."""
    take: Callable[[str, Fields], bool]
    """Puts what a text tells among the fields; false where that is nothing possible."""
    show: Callable[[Fields], str]
    twelve: bool = False
    """Whether its hour is one of twelve."""


class _Digits(NamedTuple):
    """Digits that a directive stands for, and how they relate to the field that they tell."""

    tells: Sequence[str]
    field: str
    width: int
    least: int
    most: int
    stored: Callable[[int], int] = int
    shown: Callable[[int], int] = int
    twelve: bool = False


_DIGITS = {
    "Y": _Digits(["year"], "year", 4, 0, 9999),
    # As POSIX has it: 69 … 99 are years of the twentieth century.
    "y": _Digits(["year"], "year", 2, 0, 99, lambda y: y + (2000 if y < 69 else 1900), lambda year: year % 100),
    "m": _Digits(["month"], "month", 2, 1, 12),
    "d": _Digits(["day"], "day", 2, 1, 31),
    "j": _Digits(["month", "day"], "year_day", 3, 1, 366),
    "H": _Digits(["hour"], "hour", 2, 0, 23),
    "I": _Digits(
        ["hour"], "hour", 2, 1, 12, lambda twelve: twelve % 12, lambda hour: (hour + 11) % 12 + 1, twelve=True
    ),
    "M": _Digits(["minute"], "minute", 2, 0, 59),
    "S": _Digits(["second"], "second", 2, 0, 59),
}
_MONTHS = ["January", "February", "March", "April", "May", "June"]
_MONTHS += ["July", "August", "September", "October", "November", "December"]
_OFFSET = "Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?"

DIRECTIVES = "%Y %y %m %d %j %b %B %H %I %p %M %S %f %z"
"""The directives, for messages."""


def directive(letters: str, fixed: bool) -> Piece | None:
    """The directive of a letter, ``None`` where there is none.

    :param letters: the letter, or a minus and the letter: digits are then written without leading zeros
    :param fixed: whether digits have their full width, not leading zeros or none
    """
    match letters:
        case "%":
            return literal("%")
        case "b":
            return _words("month", [name[:3] for name in _MONTHS], 1)
        case "B":
            return _words("month", _MONTHS, 1)
        case "p":
            return _words("half", ["AM", "PM"], 0)
        case "f":
            return _fraction("[0-9]{6}" if fixed else "[0-9]{1,6}", lambda digits: digits.ljust(6, "0"))
        case "z":
            return _offset(_OFFSET)
    letter = letters.replace("-", "", 1)
    return _digits(_DIGITS[letter], fixed, padded=letter == letters) if letter in _DIGITS else None


def literal(text: str, source: str | None = None) -> Piece:
    """A text that tells nothing.

    :param source: what is read for it, as a regular expression
    """
    read = "".join(map(_either_case, text)) if source is None else source
    return Piece([], read, lambda _text, _fields: True, lambda _fields: text)


def compiled(pieces: Sequence[Piece]) -> re.Pattern[str]:
    """What reads texts of these pieces, a group each, with blanks around."""
    blanks = f"[{re.escape(BLANKS)}]*"
    return re.compile(blanks + "".join(f"({piece.source})" for piece in pieces) + blanks, re.IGNORECASE | re.ASCII)


def _either_case(character: str) -> str:
    """A character of any case: beyond ASCII, expressions that are case-insensitive there alone have to be told."""
    cases = {case for case in (character, character.lower(), character.upper()) if len(case) == 1 and case > "\x7f"}
    return f"[{''.join(sorted(cases))}]" if cases and character > "\x7f" else re.escape(character)


def _digits(digits: _Digits, fixed: bool, padded: bool) -> Piece:
    tells, field, width, least, most, stored, shown, twelve = digits

    def take(text: str, fields: Fields) -> bool:
        number = int(text)
        setattr(fields, field, stored(number))
        return least <= number <= most

    def show(fields: Fields) -> str:
        text = str(shown(getattr(fields, field)))
        return text.rjust(width, "0") if padded else text

    # A year of fewer digits than it is written with is hardly ever meant as such.
    full = fixed or width == 4 or (field == "year" and padded)
    return Piece(tells, f"[0-9]{{{width}}}" if full else f"[0-9]{{1,{width}}}", take, show, twelve)


def _words(part: str, words: Sequence[str], first: int) -> Piece:
    """:param first: the number of the first word"""
    known = [word.lower() for word in words]

    def take(text: str, fields: Fields) -> bool:
        setattr(fields, part, known.index(text.lower()) + first)
        return True

    return Piece([part], "|".join(words), take, lambda fields: words[getattr(fields, part) - first])


def _fraction(source: str, shown: Callable[[str], str]) -> Piece:
    def take(text: str, fields: Fields) -> bool:
        fields.fraction = text.replace(".", "")
        return True

    return Piece(["fraction"], source, take, lambda fields: shown(fields.fraction))


def _offset(source: str) -> Piece:
    def take(text: str, fields: Fields) -> bool:
        if text:
            fields.offset = Offset(_offset_seconds(text), text)
        return True

    return Piece(["offset"], source, take, lambda fields: fields.offset.text if fields.offset else "")


def _offset_seconds(text: str) -> int:
    hours, minutes = int(text[1:3] or 0), int(text[3:].replace(":", "") or 0)
    return (hours * 60 + minutes) * (-60 if text[0] == "-" else 60)


OPTIONAL_FRACTION = _fraction(r"(?:\.[0-9]{1,18})?", lambda digits: digits and f".{digits}")
"""A point and the digits behind the second, where there are any."""

OPTIONAL_OFFSET = _offset(f"(?:{_OFFSET})?")
"""An offset from UTC, where there is one."""

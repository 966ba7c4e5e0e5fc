"""How dates and times are written: texts ↔ moments."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..json_text import dumps
from .calendar import CivilDate, civil_date, day_number, days_in_month, days_in_year
from .directives import (
    DIRECTIVES,
    OPTIONAL_FRACTION,
    OPTIONAL_OFFSET,
    Fields,
    Offset,
    Piece,
    compiled,
    directive,
    literal,
)
from .validate import wrong


class Moment(NamedTuple):
    """What a text tells: a day (0 where it tells none), a second of that day, and more."""

    days: int
    """Days since 1970-01-01."""
    second: int = 0
    """0 … 86,399."""
    fraction: str = ""
    """The digits behind the second."""
    offset: Offset | None = None
    """``None`` where none is told."""


class Pattern:
    """One way of writing moments."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = tuple(pieces)
        self.tells = [part for piece in pieces for part in piece.tells]
        """What it tells, in order."""
        self._regexp = compiled(pieces)

    def read(self, text: str) -> Moment | None:
        """What a text tells; ``None`` where it is not written like this, or there is no such day or time."""
        match = self._regexp.fullmatch(text)
        if not match:
            return None
        fields = Fields()
        for piece, told in zip(self.pieces, match.groups(), strict=True):
            if not piece.take(told, fields):
                return None
        days = _day_told(fields)
        if days is None:
            return None
        second = ((fields.hour + 12 * fields.half) * 60 + fields.minute) * 60 + fields.second
        return Moment(days, second, fields.fraction, fields.offset)

    def write(self, moment: Moment) -> str:
        year, month, day = civil_date(moment.days)
        year_day = moment.days - day_number(CivilDate(year, 1, 1)) + 1
        minutes, second = divmod(moment.second, 60)
        hour, minute = divmod(minutes, 60)
        half = int(hour >= 12)
        fields = Fields(year, month, day, year_day, hour, half, minute, second, moment.fraction, moment.offset)
        return "".join(piece.show(fields) for piece in self.pieces)


def parse_pattern(where: str, stated: str) -> Pattern:
    """The pattern of a format such as ``%d/%m/%Y``.

    Its directives are %Y %y %m %d %j %b %B, %H %I %p %M %S %f, %z and %%. Digits are read with or without leading zeros, unless directives
    of digits follow on each other; ``%-d`` writes them without. Raises ``schema/format`` for other directives, for parts told twice, and for
    digits that cannot be told apart.
    """
    spelled = f"{where} has the format {dumps(stated)}"
    pattern = Pattern(_pieces(spelled, stated))
    twice = next((part for at, part in enumerate(pattern.tells) if part in pattern.tells[:at]), None)
    if twice:
        raise wrong("format", f"{spelled}, which gives the {twice} twice.", "Let it give each part once.")
    if any(piece.twelve for piece in pattern.pieces) != ("half" in pattern.tells):
        raise wrong("format", f"{spelled}, which has only one of %I and %p.", "Use both, or %H.")
    return pattern


_ADJACENT = re.compile("%-?[YymdjHIMSf]%-?[YymdjHIMSf]")
"""Two directives of digits with nothing between them: then all have their full width, or nobody could tell where one ends."""

_PIECE = re.compile("%(-?.?)|[^%]+", re.DOTALL)


def _pieces(spelled: str, stated: str) -> list[Piece]:
    adjacent = _ADJACENT.search(stated)
    if adjacent and "-" in adjacent[0]:
        raise wrong(
            "format",
            f"{spelled}, whose digits cannot be told apart.",
            "Leave the minus out, or put a separator between the directives.",
        )
    return [_piece(spelled, match, adjacent is not None) for match in _PIECE.finditer(stated)]


def _piece(spelled: str, match: re.Match[str], fixed: bool) -> Piece:
    piece = literal(match[0]) if match[1] is None else directive(match[1], fixed)
    if piece:
        return piece
    raise wrong(
        "format",
        f"{spelled}, in which {dumps(match[0])} is not known.",
        f"Known: {DIRECTIVES}, and %% for a per cent sign.",
    )


def _day_told(fields: Fields) -> int | None:
    year, year_day = fields.year, fields.year_day
    if year_day:
        return day_number(CivilDate(year, 1, 1)) + year_day - 1 if year_day <= days_in_year(year) else None
    exists = fields.day <= days_in_month(year, fields.month)
    return day_number(CivilDate(year, fields.month, fields.day)) if exists else None


_ISO_DATE = _pieces("ISO 8601", "%Y-%m-%d")
_ISO_TIME = [*_pieces("ISO 8601", "%H:%M:%S"), OPTIONAL_FRACTION]

ISO = {
    "date": Pattern(_ISO_DATE),
    "time": Pattern(_ISO_TIME),
    "datetime": Pattern([*_ISO_DATE, literal("T", "[T ]"), *_ISO_TIME, OPTIONAL_OFFSET]),
}
"""What the format ``default`` means: ISO 8601, extended. A datetime may have a blank for its T, and an offset or none."""

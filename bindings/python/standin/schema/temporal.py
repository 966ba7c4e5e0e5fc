"""How dates, datetimes and times are written."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from ..json_text import dumps
from .decimals import Decimal
from .directives import Offset
from .pattern import ISO, Moment, Pattern, parse_pattern
from .validate import ABSENT, shown, wrong

DAY = 86_400
_UTC = Offset(0, "Z")
_HINT = 'Write a pattern such as "%d/%m/%Y" or "%H:%M", or leave the format out for ISO 8601.'

_MUST = {"date": ["year", "month", "day"], "time": ["hour"], "datetime": ["year", "month", "day", "hour"]}
"""What a format has to tell."""

_CLOCK = ["half", "minute", "second", "fraction"]
_MAY = {"date": [], "time": _CLOCK, "datetime": [*_CLOCK, "offset"]}
"""What it may tell beside."""

_FINER = ["hour", "minute", "second", "fraction"]
"""Each tells nothing without the one before it."""


@dataclass(frozen=True)
class TemporalNotation:
    """How a date (whole days), datetime or time (seconds) is written, as exact integers of the proleptic Gregorian calendar.

    No clock and no rules of daylight saving take part: an offset from UTC is what a text says.
    """

    kind: str
    """``date``, ``datetime`` or ``time``."""
    pattern: Pattern
    format: Any
    """As the schema states it, or ``ABSENT``."""
    offset: Offset | None
    """That of datetimes that tell none; ``None``: UTC."""

    @property
    def unit(self) -> Literal["d", "s"]:
        return "d" if self.kind == "date" else "s"

    def read(self, text: str) -> Decimal | None:
        moment = self.pattern.read(text)
        return moment and self.number_of(moment)

    def number_of(self, moment: Moment) -> Decimal:
        if self.kind == "date":
            return Decimal(moment.days)
        offset = moment.offset or self.offset
        seconds = moment.days * DAY + moment.second - (offset.seconds if offset else 0)
        scale = len(moment.fraction)
        return Decimal(seconds * 10**scale + int(moment.fraction or 0), scale)

    def write(self, number: Decimal) -> str:
        return self.pattern.write(self._moment_of(number))

    def value(self, number: Decimal) -> str:
        return ISO[self.kind].write(_in_iso(self._moment_of(number.trimmed())))

    def stated(self, value: Any, sentence: str) -> Decimal:
        number = self.read(value) if isinstance(value, str) else None
        if number:
            return number.trimmed()
        spelled = f" {dumps(self.format)}" if isinstance(self.format, str) else ""
        example = self.pattern.write(Moment(18_686, offset=_UTC))
        raise wrong(
            "bounds",
            f"{sentence} that is not a {self.kind} in its format{spelled}: {shown(value)}.",
            f"Write it as {dumps(example)}, in quotes.",
        )

    def step(self, minimum: Decimal, maximum: Decimal) -> Decimal:
        if self.kind == "date":
            return Decimal(1)
        tells = self.pattern.tells
        finest = 1 if "second" in tells else 60 if "minute" in tells else 3600
        if self.kind == "time":
            return Decimal(finest)
        scale = max(minimum.scale, maximum.scale)
        is_long = maximum.at(scale) - minimum.at(scale) >= DAY * 10**scale
        return Decimal(max(finest, 60 if is_long else 1))

    def _moment_of(self, number: Decimal) -> Moment:
        whole, part = divmod(number.units, 10**number.scale)
        if self.kind == "date":
            return Moment(whole)
        days, second = divmod(whole + (self.offset.seconds if self.offset else 0), DAY)
        return Moment(days, second, str(part).rjust(number.scale, "0") if number.scale else "", self.offset)


def temporal_notation(where: str, kind: str, stated: Any, first: Any) -> TemporalNotation:
    """The notation that a field states.

    Datetimes are written at the offset of the first value that the schema states, in that value's spelling of it; texts without an offset
    are at that offset too, or at UTC. As values they are ISO 8601 at the same offset. By default a date has steps of 1 day; a time and a
    datetime of 1 minute, of 1 second where a time's format has seconds and where a datetime's bounds are less than a day apart, and never
    finer than the format. Raises ``schema/format``.

    :param stated: the field's ``format``, or ``ABSENT``
    :param first: the minimum, or the first category
    """
    pattern = _pattern(where, kind, stated)
    moment = pattern.read(first) if isinstance(first, str) else None
    return TemporalNotation(kind, pattern, stated, moment.offset if moment else None)


def _pattern(where: str, kind: str, stated: Any) -> Pattern:
    if stated is ABSENT or stated == "default":
        return ISO[kind]
    spelled = f"{where} has the format {dumps(stated)}"
    if not isinstance(stated, str) or stated == "any":
        raise wrong("format", f"{spelled}: a {kind} must be written in one stated way.", _HINT)
    pattern = parse_pattern(where, stated)
    must, tells = _MUST[kind], pattern.tells
    absent = next((part for part in must if part not in tells), None) or next(
        (part for part, finer in pairwise(_FINER) if part not in tells and finer in tells), None
    )
    if absent:
        raise wrong("format", f"{spelled}, which does not give the {absent} of a {kind}.", _HINT)
    stray = next((part for part in tells if part not in must and part not in _MAY[kind]), None)
    if stray:
        raise wrong("format", f"{spelled}: the {stray} is not part of a {kind}.", "Take it out.")
    return pattern


def _in_iso(moment: Moment) -> Moment:
    """With the offset as ISO 8601's extended format has it."""
    if moment.offset is None:
        return moment
    seconds = moment.offset.seconds
    if not seconds:
        return moment._replace(offset=_UTC)
    hours, minutes = divmod(abs(seconds) // 60, 60)
    return moment._replace(offset=Offset(seconds, f"{'-' if seconds < 0 else '+'}{hours:02}:{minutes:02}"))

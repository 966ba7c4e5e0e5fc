"""The proleptic Gregorian calendar, in whole days since 1970-01-01. No clock, no time zones, no leap seconds; years may be 0 or any."""

from typing import NamedTuple

_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)
"""The days of a common year before each month."""


class CivilDate(NamedTuple):
    year: int
    month: int
    """1 … 12."""
    day: int
    """1 … 31."""


def days_in_year(year: int) -> int:
    return 366 if _is_leap(year) else 365


def days_in_month(year: int, month: int) -> int:
    return _BEFORE_MONTH[month] - _BEFORE_MONTH[month - 1] + (month == 2 and _is_leap(year))


def day_number(date: CivilDate) -> int:
    """The day number of a date that exists."""
    return _days_before(date.year) - _EPOCH + _days_before_month(date.year, date.month) + date.day - 1


def civil_date(days: int) -> CivilDate:
    """The date of a day number."""
    since = days + _EPOCH
    # 400 years have 146,097 days, so this is at most one year off.
    year = since * 400 // 146_097 + 1
    if _days_before(year) > since:
        year -= 1
    elif _days_before(year + 1) <= since:
        year += 1
    of_year = since - _days_before(year)
    month = 12
    while _days_before_month(year, month) > of_year:
        month -= 1
    return CivilDate(year, month, of_year - _days_before_month(year, month) + 1)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_before(year: int) -> int:
    """The days from 0001-01-01 to the first of a year."""
    past = year - 1
    return 365 * past + past // 4 - past // 100 + past // 400


def _days_before_month(year: int, month: int) -> int:
    return _BEFORE_MONTH[month - 1] + (month > 2 and _is_leap(year))


_EPOCH = _days_before(1970)

"""How integers, numbers and years are written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..json_text import dumps
from .blanks import stripped
from .decimals import Decimal, Marks, format_decimal, parse_decimal
from .exponent import EXPONENT_MEMBERS, Exponent, parse_exponent
from .validate import ABSENT, decimal, is_whole, only_members, or_default, wrong

_WIDEST = 100
"""Digits beyond this would be a mistake."""

_BEFORE = re.compile(r"^[^0-9+\-.,]+")
_AFTER_SIGN = re.compile(r"^([+-])[^0-9.,]+")
_AT_END = re.compile(r"[0-9.,]")


@dataclass(frozen=True)
class NumberNotation:
    """How a number is written: with its marks, and with exponents (which are read whether they are stated or not)."""

    kind: str
    """``integer``, ``number`` or ``year``."""
    marks: Marks
    exponent: Exponent | None
    bare: bool
    """Whether there is no text around a number, which would be read over."""

    unit: Literal[""] = ""

    def read(self, text: str) -> Decimal | None:
        plain = stripped(text)
        group_char, decimal_char = self.marks.group_char, self.marks.decimal_char
        if group_char:
            plain = plain.replace(group_char, "")
        if decimal_char != ".":
            plain = plain.replace(".", "x").replace(decimal_char, ".")
        return parse_decimal(plain if self.bare else _bare_number(plain))

    def write(self, number: Decimal) -> str:
        if self.exponent is not None and self.exponent.holds_for(number):
            return self.exponent.write(number, self.marks)
        return format_decimal(number, self.marks)

    def value(self, number: Decimal) -> int | float:
        units, scale = number.trimmed()
        return units if self.kind != "number" and scale == 0 else float(format_decimal(Decimal(units, scale)))

    def stated(self, value: Any, sentence: str) -> Decimal:
        return decimal(value, sentence, whole=self.kind != "number").trimmed()

    def step(self, minimum: Decimal, maximum: Decimal) -> Decimal:
        return _thousandth(minimum, maximum) if self.kind == "number" else Decimal(1)


def number_notation(where: str, kind: str, given: Mapping[str, Any], stated: Any) -> NumberNotation:
    """The notation that a field states.

    Its numbers have the field's ``decimalChar`` and ``groupChar``, and, as ``standin.format`` states them, at least ``width`` digits before
    the point (0: ``.5``), a ``prefix`` or ``suffix`` such as a currency or per cent sign, and exponents. Where ``bareNumber`` is false, any
    text around a number is read over. A year has four digits. By default integers and years have steps of 1; numbers of the largest power
    of ten ≤ (maximum − minimum)/1000. Raises ``schema/number`` for marks, ``schema/format`` for the rest.

    :param stated: ``standin.format``, or ``ABSENT``
    """
    if kind == "year" and or_default(given, "format", "default") != "default":
        raise wrong(
            "format",
            f"{where} has the format {dumps(given['format'])}, which years do not have.",
            "Leave it out: years are written with four digits.",
        )
    members = ("width", "prefix", "suffix", *(() if kind == "year" else EXPONENT_MEMBERS))
    written = only_members({} if stated is ABSENT else stated, f"{where}, in its standin.format,", members)
    exponent = parse_exponent(where, written)
    if exponent and not exponent.is_mixed and "width" in written:
        raise wrong(
            "format", f"{where} has a width of digits, but all of its numbers have exponents.", "Leave one out."
        )
    bare = given.get("bareNumber") is not False
    return NumberNotation(kind, _marks(where, kind, given, written, bare), exponent, bare)


def check_width(where: str, width: Any, least: int) -> int:
    """Raises ``schema/format``."""
    if not is_whole(width, least, _WIDEST):
        raise wrong(
            "format", f"{where} has the width {dumps(width)}.", f"Give a number of digits from {least} to {_WIDEST}."
        )
    return width


def _marks(where: str, kind: str, given: Mapping[str, Any], written: Mapping[str, Any], bare: bool) -> Marks:
    prefix, suffix = written.get("prefix", ""), written.get("suffix", "")
    decimal_char = _mark(given, "decimalChar", ".", where)
    group_char = _mark(given, "groupChar", "", where)
    if decimal_char == group_char:
        raise wrong("number", f"{where} has the same decimalChar and groupChar.", "Use two different characters.")
    width = check_width(where, written.get("width", 4 if kind == "year" else 1), 0 if kind == "number" else 1)
    if group_char and "width" in written:
        raise wrong("format", f"{where} has a groupChar and a width of digits.", "Leave one of them out.")
    if not isinstance(prefix, str) or not isinstance(suffix, str):
        raise wrong("format", f"{where} has a prefix or suffix that is not text.", 'Write { "prefix": "$" }.')
    if (prefix or suffix) and bare:
        raise wrong(
            "format",
            f"{where} has a prefix or suffix, but its numbers are bare.",
            'State "bareNumber": false, or leave them out.',
        )
    return Marks(decimal_char, group_char, width, prefix, suffix)


def _mark(given: Mapping[str, Any], member: str, fallback: str, where: str) -> str:
    if member not in given:
        return fallback
    value = given[member]
    # Characters beyond the first 2^16 are two of JavaScript's.
    if isinstance(value, str) and len(value) == 1 and value not in "0123456789+-eE" and value <= "\uffff":
        return value
    raise wrong("number", f"{where} has a {member} that is not one character.", 'Use "," or "." or " ".')


def _bare_number(text: str) -> str:
    """A number without the text around it."""
    end = len(text)
    while end > 0 and not _AT_END.match(text, end - 1):
        end -= 1
    return _AFTER_SIGN.sub(r"\1", _BEFORE.sub("", text[:end]))


def _thousandth(minimum: Decimal, maximum: Decimal) -> Decimal:
    """The largest 10^e with 10^e · 1000 ≤ maximum − minimum."""
    scale = max(minimum.scale, maximum.scale)
    extent = maximum.at(scale) - minimum.at(scale)
    if extent == 0:
        return Decimal(1, scale)
    exponent = len(str(extent)) - 1 - scale - 3
    return Decimal(10**exponent) if exponent >= 0 else Decimal(1, -exponent)

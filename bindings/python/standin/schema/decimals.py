"""Exact decimals: bounds, steps and cells never pass through binary fractions."""

import re
from typing import NamedTuple

_PATTERN = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?")
_THOUSANDS = re.compile(r"\B(?=([0-9]{3})+\Z)")


class Decimal(NamedTuple):
    """The number units · 10^−scale, scale ≥ 0."""

    units: int
    scale: int = 0

    def at(self, scale: int) -> int:
        """The units at a larger scale."""
        return self.units * 10 ** (scale - self.scale)

    def trimmed(self) -> "Decimal":
        """Without trailing zeros in its fraction."""
        units, scale = self
        while scale > 0 and units % 10 == 0:
            units //= 10
            scale -= 1
        return Decimal(units, scale)

    def order(self) -> int:
        """The power of ten of its first digit: 2 for 123, −3 for 0.0045; 0 for 0."""
        return len(str(abs(self.units))) - 1 - self.scale if self.units else 0

    def is_below(self, other: "Decimal") -> bool:
        scale = max(self.scale, other.scale)
        return self.at(scale) < other.at(scale)


def parse_decimal(text: str) -> Decimal | None:
    """Reads decimal text such as ``-12.50``, ``.5`` or ``1e-7``; ``None`` where it is none, or beyond 400 digits."""
    match = _PATTERN.fullmatch(text)
    if not match:
        return None
    sign, whole, fraction, exponent = match.groups("")
    digits = whole + fraction
    scale = len(fraction) - int(exponent or 0)
    if not digits or len(digits) > 400 or abs(scale) > 400:
        return None
    units = -int(digits) if sign == "-" else int(digits)
    return Decimal(units, scale) if scale >= 0 else Decimal(units * 10**-scale)


class Marks(NamedTuple):
    """What is written around and between a number's digits."""

    decimal_char: str = "."
    group_char: str = ""
    """Between groups of three digits; "" for none."""
    width: int = 1
    """The fewest digits before the decimal point."""
    prefix: str = ""
    suffix: str = ""


PLAIN = Marks()


def format_decimal(number: Decimal, marks: Marks = PLAIN) -> str:
    """units · 10^−scale as text with exactly ``scale`` decimals."""
    units, scale = number
    digits = str(abs(units)).rjust(scale + marks.width, "0")
    point = len(digits) - scale
    whole = _THOUSANDS.sub(lambda _: marks.group_char, digits[:point]) if marks.group_char else digits[:point]
    return affixed(units, whole + (marks.decimal_char + digits[point:] if scale else ""), marks)


def affixed(units: int, digits: str, marks: Marks) -> str:
    """A number's digits with what stands around them; the sign comes before the prefix."""
    return ("-" if units < 0 else "") + marks.prefix + digits + marks.suffix


def canonical(number: Decimal) -> str:
    """A number's one spelling: no leading or trailing zeros, no plus sign."""
    return format_decimal(number.trimmed())

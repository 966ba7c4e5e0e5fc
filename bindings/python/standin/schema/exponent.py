"""Numbers with exponents, such as 2.500000e-01, and which numbers of a column are written so."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..json_text import dumps
from .decimals import Decimal, Marks, affixed
from .validate import decimal, wrong

EXPONENT_MEMBERS = ("exponent", "plainFrom", "plainBelow")
"""The members of ``standin.format`` that are about exponents."""

_PATTERN = re.compile(r"0(?:\.(0+))?([eE])(\+?)(0{1,3})")
_HINT = 'Write "0.000000e+00" for 2.500000e-01, "0.0E0" for 2.5E-1 or "0e+00" for 1e-05.'


class Exponent(NamedTuple):
    """How numbers are written with exponents."""

    places: int
    """The fewest digits behind the mantissa's point."""
    letter: str
    plus: str
    """What stands before exponents that are not negative: a plus sign, or nothing."""
    width: int
    """The fewest digits of the exponent."""
    plain_from: Decimal | None
    """Magnitudes from here, and below ``plain_below``, are written without an exponent, as is 0; where neither is stated, none is."""
    plain_below: Decimal | None

    @property
    def is_mixed(self) -> bool:
        """Whether some numbers are written without an exponent."""
        return self.plain_from is not None or self.plain_below is not None

    def holds_for(self, number: Decimal) -> bool:
        """Whether a number is written with an exponent."""
        if not self.is_mixed:
            return True
        if number.units == 0:
            return False
        size = Decimal(abs(number.units), number.scale)
        if self.plain_from is not None and size.is_below(self.plain_from):
            return True
        return self.plain_below is not None and not size.is_below(self.plain_below)

    def write(self, number: Decimal, marks: Marks) -> str:
        """One digit before the point, all others but for zeros at the end behind it, and an exponent."""
        order = number.order()
        digits = str(abs(number.units))
        fraction = digits[1:].rstrip("0").ljust(self.places, "0")
        mantissa = digits[0] + (marks.decimal_char + fraction if fraction else "")
        exponent = ("-" if order < 0 else self.plus) + str(abs(order)).rjust(self.width, "0")
        return affixed(number.units, mantissa + self.letter + exponent, marks)


def parse_exponent(where: str, stated: Mapping[str, Any]) -> Exponent | None:
    """What ``standin.format`` says about exponents.

    Its ``exponent`` is the shape of a number, ``0.000000e+00`` for one as C and R have it (six digits behind the point, and more where a
    number has more; a plus sign; two digits in the exponent); ``plainFrom`` and ``plainBelow`` are the magnitudes that are written without.
    Raises ``schema/format``; ``schema/number`` for magnitudes that are none.
    """
    if "exponent" not in stated:
        if "plainFrom" not in stated and "plainBelow" not in stated:
            return None
        raise wrong("format", f"{where} says which numbers have no exponent, but not how exponents are written.", _HINT)
    exponent = stated["exponent"]
    match = _PATTERN.fullmatch(exponent) if isinstance(exponent, str) else None
    if not match:
        raise wrong("format", f"{where} has the exponent {dumps(exponent)}.", _HINT)
    plain_from, plain_below = (
        _magnitude(stated[member], f"{where} has a {member}") if member in stated else None
        for member in ("plainFrom", "plainBelow")
    )
    if plain_from and plain_below and not plain_from.is_below(plain_below):
        raise wrong("format", f"{where} has a plainFrom that is not below its plainBelow.", "Swap them.")
    zeros, letter, plus, digits = match.groups("")
    return Exponent(len(zeros), letter, plus, len(digits), plain_from, plain_below)


def _magnitude(value: Any, sentence: str) -> Decimal:
    number = decimal(value, sentence, whole=False)
    if number.units > 0:
        return number
    raise wrong("format", f"{sentence} that is not above 0.", "Give a magnitude such as 0.0001.")

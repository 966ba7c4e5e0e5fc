"""How the values of a number, date or time are spelled."""

from typing import Any, Literal, Protocol

from .decimals import Decimal


class Notation(Protocol):
    """Texts ↔ exact numbers of a unit."""

    @property
    def unit(self) -> Literal["", "d", "s"]:
        """``d`` (days since 1970-01-01), ``s`` (seconds since 1970-01-01T00:00:00Z, or since midnight), or none."""

    def read(self, text: str) -> Decimal | None:
        """The number behind a cell's text; ``None`` where there is none."""

    def write(self, number: Decimal) -> str:
        """The text of a number. Its places behind the point are written whether they are zeros or not, unless it has an exponent."""

    def value(self, number: Decimal) -> int | float | str:
        """The number as Python sees it; of dates and times, the text of ISO 8601."""

    def stated(self, value: Any, sentence: str) -> Decimal:
        """A bound or edge as a schema states it. Raises ``schema/number`` or ``schema/bounds``.

        :param sentence: how an error begins
        """

    def step(self, minimum: Decimal, maximum: Decimal) -> Decimal:
        """The granularity between these bounds where the schema states none."""

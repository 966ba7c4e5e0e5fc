"""What tells the values of a field's type from others, where the schema states one."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from ..json_text import dumps
from .decimals import Decimal, parse_decimal
from .notation import Notation
from .validate import is_number, text_of


@dataclass(frozen=True, eq=False)
class ValueType:
    """A field's type, as far as stated values are held against it."""

    kind: str
    notation: Notation | None
    """Of numbers, dates and times."""
    format: Any
    """The field's ``format``, for messages."""
    spellings: Collection[str]
    """All that a boolean may be spelled as."""

    def text_of(self, value: Any, sentence: str) -> str | None:
        """The text that a stated value has in a file; ``None`` where it is no value of the type.

        Texts are read in the field's notation. JSON's numbers are values of numeric types alone, its truth values those of a boolean that
        is spelled like them: of a string, ``1`` could be ``01``, and of a date, 20240102 some day. Raises ``schema/number`` for an integer
        that readers of JSON have rounded.
        """
        notation = self.notation
        if self.kind == "boolean":
            text = text_of(value) if isinstance(value, str | bool) else None
            return text if text in self.spellings else None
        if is_number(value) and notation is not None and notation.unit == "":
            number = parse_decimal(text_of(value))
            return notation.write(notation.stated(value, sentence)) if number and self.fits(number) else None
        if not isinstance(value, str):
            return None
        if notation is None:
            return value
        number = notation.read(value)
        return value if number and self.fits(number) else None

    def fits(self, number: Decimal) -> bool:
        """Whether a number is whole where the type's values are."""
        return self.kind not in ("integer", "year") or number.trimmed().scale == 0

    @property
    def lacking(self) -> str:
        """What a value that is none of the type lacks, for messages: "no integer"."""
        if self.kind == "string":
            return "not text"
        if self.kind == "boolean":
            return f"not one of {', '.join(map(dumps, self.spellings))}"
        if self.kind in ("integer", "number", "year"):
            return f"not {self.named}"
        return f"not {self.named} in its format" + (f" {dumps(self.format)}" if isinstance(self.format, str) else "")

    @property
    def remedy(self) -> str:
        """What to do about a category that is no value of the type."""
        if self.kind == "string":
            return "Write it in quotes, or take it out."
        return (
            "Correct it or take it out: spellings of missing go into missingValues, and a field of words has the type "
            '"string".'
        )

    @property
    def named(self) -> str:
        """The type with its article."""
        return f"{'an' if self.kind == 'integer' else 'a'} {self.kind}"

"""Cells into codes."""

import numpy as np

from .blanks import stripped
from .decimals import Decimal, canonical
from .field import Field
from .schema import Schema
from .stored import missing_code
from .table import Column, Table
from .validate import wrong


class CellReader:
    """How a modelled field's cells become stored codes. Every cell has a code and none an error; the rule looks at that cell alone.

    A missing spelling is missing where the field may be missing. Everything else that is no value of the field (unlisted, unreadable, not
    finite, missing where it may not be) becomes the field's ``other``, else missing if allowed, else the first category or the lower bound.
    Numbers, dates and times are rounded to the nearest grid point, ties up, and clipped.
    """

    def __init__(self, field: Field, schema: Schema) -> None:
        self._domain = domain = field.modelled
        self._notation = field.notation
        self._spellings: dict[str, int] = {}
        missing, other = missing_code(field), None
        if domain.kind == "category":
            self._spellings = {**domain.spellings, **{label: code for code, label in enumerate(domain.labels)}}
            other = domain.other
        self.otherwise = next(code for code in (other, missing, 0) if code is not None)
        """The code of what is no value of the field."""
        gaps = dict.fromkeys(schema.missing_values, self.otherwise if missing is None else missing)
        self._known = {**self._spellings, **gaps}
        self.absent = self.text(schema.missing_values[0] if schema.missing_values else "")
        """The code of a cell that is not there: where nothing can be missing, that of an empty one."""

    def text(self, text: str) -> int:
        """The stored code of a cell's text."""
        code = self._known.get(text)
        if code is None and self._spellings:
            code = self._spellings.get(stripped(text))
        if code is not None:
            return code
        number = self._notation.read(text) if self._notation else None
        return self.otherwise if number is None else self.number(number)

    def knows(self, text: str) -> bool:
        """Whether a text is one of the spellings of a category."""
        return text in self._spellings

    def number(self, number: Decimal) -> int:
        """The stored code of a cell of a field with a notation, by its number."""
        if self._domain.kind == "grid":
            return self._domain.point_of(number)
        return self._domain.spellings.get(canonical(number), self.otherwise)


def model_codes(table: Table, schema: Schema) -> list[np.ndarray]:
    """The codes that queries see, a u16 array an attribute: categories as stored; grid points as ordered codes, bins or leaves.

    Raises ``schema/other-table`` where the table's codes, or its persons, are in the terms of another schema.
    """
    if table.schema.terms != schema.terms:
        raise wrong(
            "other-table",
            "The table was read with a schema other than this one.",
            "Read the table with the schema of the plan.",
        )
    columns = {column.name: column for column in table.columns}
    return [_model_codes(columns[attribute.name]) for attribute in schema.attributes]


def _model_codes(column: Column) -> np.ndarray:
    domain = column.field.modelled
    if domain.kind == "category":
        return column.codes
    codes = domain.codes_of(column.codes).astype(np.uint16)
    missing = missing_code(column.field)
    if missing is not None:
        codes[column.codes == missing] = domain.codes
    return codes

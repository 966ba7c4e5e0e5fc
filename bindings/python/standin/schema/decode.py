"""Codes into cells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .enforce import Cells, enforce_linked
from .field import Field
from .grid import Grid
from .schema import Schema
from .stored import missing_code, stored_type
from .table import Codec, Column, Table, row_numbers


@dataclass(frozen=True)
class _ModelCodec:
    """Reads a modelled field's stored codes as the schema spells them.

    Missing as the first of ``missingValues``, numbers at the granularity's decimals, dates and times in their format, booleans as the first
    of their spellings.
    """

    field: Field
    gap: str | None
    missing: int | None

    def value(self, code: int) -> int | float | bool | str | None:
        if code == self.missing:
            return None
        domain = self.field.modelled
        return domain.values[code] if domain.kind == "category" else self.field.spelled.value(domain.value_at(code))

    def text(self, code: int) -> str:
        if code == self.missing:
            assert self.gap is not None
            return self.gap
        domain = self.field.modelled
        return domain.labels[code] if domain.kind == "category" else self.field.spelled.write(domain.value_at(code))


def codec_of(field: Field, schema: Schema) -> Codec:
    """How a field's stored codes read; ids as their row's number."""
    if field.id is not None:
        return field.id
    return _ModelCodec(field, next(iter(schema.missing_values), None), missing_code(field))


def decode_rows(
    schema: Schema,
    names: Sequence[str],
    delimiter: str,
    codes: Sequence[np.ndarray],
    words: Callable[[int], np.ndarray],
) -> Table:
    """Synthetic rows as a table.

    Grid points are drawn uniformly inside each code's run, then changed where a row breaks a constraint of the schema; ids are counted,
    ``drop`` columns are left out.

    :param names: the output's columns in order
    :param codes: a u16 array an attribute, equally long
    :param words: random u32 words for the draws, one a row: two streams an attribute, ``attribute`` and ``len(attributes) + attribute``
    """
    rows = len(codes[0])
    stored = _stored_codes(schema, codes, words)
    columns = []
    for name in names:
        field = schema.field(name)
        assert field is not None
        own = row_numbers(rows) if field.attribute is None else stored[field.attribute]
        columns.append(Column(name, own, codec_of(field, schema), field))
    return Table(schema, tuple(columns), rows, delimiter)


def _stored_codes(schema: Schema, codes: Sequence[np.ndarray], words: Callable[[int], np.ndarray]) -> list[np.ndarray]:
    """The stored codes of each attribute."""
    stored = [
        _drawn_points(field, field.modelled, codes[attribute], words(attribute))
        if field.modelled.kind == "grid"
        else codes[attribute].copy()
        for attribute, field in enumerate(schema.modelled)
    ]
    for group in schema.linked:
        cells = Cells(
            stored=[stored[column] for column in group.columns],
            codes=[codes[column].copy() for column in group.columns],
            words=[words(len(codes) + column) for column in group.columns],
        )
        enforce_linked(group, cells)
    return stored


def _drawn_points(field: Field, grid: Grid, codes: np.ndarray, words: np.ndarray) -> np.ndarray:
    missing = missing_code(field)
    known = np.minimum(codes, grid.codes - 1)
    points = grid.points_in(known, words)
    if missing is not None:
        points[codes == grid.codes] = missing
    return points.astype(stored_type(grid))

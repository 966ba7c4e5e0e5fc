"""Cells of text into the columns of a table."""

from collections.abc import Iterable, Sequence

import numpy as np

from ..layout import NO_PERSON
from ..schema.decode import codec_of
from ..schema.encode import CellReader
from ..schema.field import Field
from ..schema.schema import Schema
from ..schema.stored import stored_type
from ..schema.table import Column, Table, row_numbers
from .header import check_header, column_names

_REMEMBERED = 65_536
"""Most texts that a column remembers: columns of ever new texts cost time but no room."""

_REMEMBERED_LENGTH = 64
"""Longer texts are not remembered."""


class CodeMemory(dict[str | None, int]):
    """The stored codes of a modelled column's texts; of ``None``, a cell that is not there."""

    def __init__(self, reader: CellReader) -> None:
        super().__init__({None: reader.absent})
        self._reader = reader

    def __missing__(self, text: str) -> int:
        code = self._reader.text(text)
        if len(self) < _REMEMBERED and len(text) <= _REMEMBERED_LENGTH:
            self[text] = code
        return code


class PersonNumbers(dict[str | None, int]):
    """Persons are numbered in the order of first appearance; cells that are missing are nobody's."""

    def __init__(self, schema: Schema) -> None:
        super().__init__(dict.fromkeys([None, *schema.missing_values], NO_PERSON))
        self._nobody = len(self)

    def __missing__(self, text: str) -> int:
        number = len(self) - self._nobody
        self[text] = number
        return number


class _Sink:
    """The codes of one column's cells, one a row."""

    def __init__(self, memory: CodeMemory | PersonNumbers, dtype: np.dtype) -> None:
        self._code_of = memory.__getitem__
        self._batches = [np.empty(0, dtype)]

    def put(self, cells: Sequence[str | None]) -> None:
        self._batches.append(np.fromiter(map(self._code_of, cells), self._batches[0].dtype, len(cells)))

    def codes(self) -> np.ndarray:
        return np.concatenate(self._batches)


def table_of_records(
    schema: Schema, header: Sequence[str], batches: Iterable[Sequence[list[str]]], delimiter: str
) -> Table:
    """The table of some records, in batches. Raises as ``check_header``.

    Too few cells in a record are missing ones, too many are cut; a blank line is no record, but a missing cell in a table of one column.
    Where nothing can be missing, a missing cell is read as an empty one.
    """
    check_header(header, schema)
    names = column_names(header)
    sinks = {at: _sink(field, schema) for at, field in enumerate(map(schema.field, names)) if field and field.domain}
    taken = list(sinks.items())
    persons = None
    if schema.person_column is not None:
        persons = _Sink(PersonNumbers(schema), np.dtype(np.uint32))
        taken.append((names.index(schema.person_column), persons))
    rows = 0
    for batch in batches:
        whole = _whole(batch, len(header))
        cells = list(zip(*whole, strict=True))
        rows += len(whole)
        if whole:
            for at, sink in taken:
                sink.put(cells[at])
    codes = {names[at]: sink.codes() for at, sink in sinks.items()}
    return table_of_codes(schema, names, codes, rows, delimiter, None if persons is None else persons.codes())


def table_of_codes(
    schema: Schema,
    names: Sequence[str],
    codes: dict[str, np.ndarray],
    rows: int,
    delimiter: str,
    persons: np.ndarray | None,
) -> Table:
    """A table of the stored codes of its modelled columns, by name. Columns that the schema drops, or does not know, are left out."""
    columns = []
    for name in names:
        field = schema.field(name)
        if field is not None and field.role != "drop":
            columns.append(Column(name, codes.get(name, row_numbers(rows)), codec_of(field, schema), field))
    return Table(schema, tuple(columns), rows, delimiter, persons)


def _sink(field: Field, schema: Schema) -> _Sink:
    return _Sink(CodeMemory(CellReader(field, schema)), stored_type(field.modelled))


def _whole(records: Sequence[list[str]], width: int) -> Sequence[Sequence[str | None]]:
    """Records with a cell for each column and no more, ``None`` where one is not there."""
    if width > 1:
        records = [record for record in records if record]
    if all(len(record) == width for record in records):
        return records
    gaps = [None] * width
    return [[*record, *gaps][:width] for record in records]

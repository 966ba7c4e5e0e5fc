"""Tables from and to delimited text."""

import io
import os
import re
from collections.abc import Iterator
from itertools import islice

from .files.columns import table_of_records
from .files.guard import reading
from .files.header import read_header
from .files.path import text_lines
from .files.records import QUOTE, records
from .schema.schema import Schema, expect_schema
from .schema.table import Column, Table

_BATCH = 8192
"""Records that are turned into codes in one go."""

_MARK = "\ufeff"
"""What a text may start with: it is no part of it."""


def parse_csv(text: str, schema: Schema) -> Table:
    """Reads a table from a text.

    Its columns are those of the header, in their order, that the schema models or that are ids. Every record has a reading and none is an
    error. Raises ``files/empty``, ``files/header-quote``, ``files/missing-column`` or ``files/duplicate-column`` about the header before a
    record is looked at; ``files/memory``.

    >>> from standin import parse_schema
    >>> schema = parse_schema({"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}}]})
    >>> parse_csv("sex\\nF\\nM\\nunlisted\\n", schema).column("sex")
    ['F', 'M', None]
    """
    expect_schema(schema)
    return _read(io.StringIO(text.removeprefix(_MARK), newline=""), schema)


def read_csv(path: str | os.PathLike[str], schema: Schema) -> Table:
    """Reads a table from a file in the dialect that the schema states, unpacked where it is gzip data; otherwise as ``parse_csv``.

    Raises ``files/refused`` where the system does not let the file be read.
    """
    expect_schema(schema)
    with text_lines(path, schema.dialect.encoding) as lines:
        return _read(lines, schema)


def table_csv(table: Table) -> str:
    """A table as text: a header, then one line a row, with the table's delimiter and quotes where needed; LF ends each line."""
    columns = [_cells(column, table) for column in table.columns]
    lines = map(table.delimiter.join, zip(*columns, strict=True))
    return "\n".join([*lines, ""])


def _read(lines: Iterator[str], schema: Schema) -> Table:
    def read() -> Table:
        header, delimiter = read_header(lines, schema)
        found = records(lines, delimiter)
        return table_of_records(schema, header, iter(lambda: list(islice(found, _BATCH)), []), delimiter)

    return reading(read)


def _cells(column: Column, table: Table) -> list[str]:
    """A column's name and cells, in quotes where they would not be read as they are; a line of one empty cell would be blank."""
    must = re.compile(f"[{QUOTE}\r\n{re.escape(table.delimiter)}]|^{_MARK}" + ("" if len(table.columns) > 1 else "|^$"))

    def quoted(text: str) -> str:
        return QUOTE + text.replace(QUOTE, QUOTE + QUOTE) + QUOTE if must.search(text) else text

    return [quoted(column.name), *column.spread(lambda code: quoted(column.codec.text(code)))]

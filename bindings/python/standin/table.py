"""Tables: private ones that were read, and synthetic ones."""

import gzip
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from . import _frames
from ._core import Handle
from ._files import Input, Source, fed
from ._watch import Cancel, Progress, Watch
from .schema import Descriptor, Schema, expect

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_TEXT_AT_ONCE = 1 << 18


class Table:
    """Rows in the engine, or that follow from a release: none is a Python object. ``with`` closes them."""

    def __init__(self, names: list[str], handle: Handle, descriptor: Callable[[], Descriptor]) -> None:
        self.names = names
        """The columns that it keeps, in the file's order."""
        self._handle = handle
        self._descriptor = descriptor

    def __repr__(self) -> str:
        # Not the number of rows, which may be private.
        return f"<{type(self).__name__} of {', '.join(self.names)}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives up the rows, and overwrites private ones with zeros. Using the table afterwards is an error."""
        self._handle.close()

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Writes the table as CSV, in UTF-8, with the delimiter of the schema and LF line ends.

        Args:
            path: a file, compressed if its name ends in ``.gz``; None to get the text.
        """
        if path is None:
            return b"".join(map(bytes, self._chunks())).decode()
        with gzip.open(path, "wb") if os.fspath(path).endswith(".gz") else open(path, "wb") as file:
            for chunk in self._chunks():
                file.write(chunk)
        return None

    def to_arrow(self) -> "pyarrow.Table":
        """The table as a pyarrow Table. Categories are dictionaries, and what no Arrow type can hold is text.

        Raises:
            StandinError: ``frames/library`` without pyarrow, as do the next two methods.
        """
        return _frames.to_arrow(self._handle, self._descriptor())

    def to_pandas(self) -> "pandas.DataFrame":
        """The table as a pandas DataFrame. Integers and booleans have nullable types if a cell may be missing."""
        return _frames.to_pandas(self.to_arrow())

    def to_polars(self) -> "polars.DataFrame":
        """The table as a polars DataFrame."""
        return _frames.to_polars(self.to_arrow())

    def _chunks(self) -> Iterator[memoryview]:
        """Parts of the text, each of which is valid until the next."""
        core = self._handle.core
        writer = core.ask("write", table=self)[0]["writer"]
        try:
            while (place := core.ask("chunk", writer=writer)[0])["bytes"]:
                instance = core.instance(place["instance"])
                yield instance.bytes_at(place["pointer"], place["bytes"])
        finally:
            writer.close()


class SyntheticTable(Table):
    """A table that was made from a release. None of its rows is a copy of a private one."""

    def __init__(self, names: list[str], handle: Handle, descriptor: Callable[[], Descriptor], rows: int) -> None:
        super().__init__(names, handle, descriptor)
        self._rows = rows

    def __len__(self) -> int:
        return self._rows


def read_csv(source: Source, schema: Schema, *, progress: Progress = False, cancel: Cancel | None = None) -> Table:
    """Reads a table from a file, whose bytes go straight into the engine's memory.

    Args:
        source: a path or a binary file object; gzip data is unpacked.
        progress: True for a line on stderr, if that is a terminal, or a function that gets each event.
        cancel: a `threading.Event`, or a function that returns true to end the call with ``host/cancelled``.

    Raises:
        StandinError: ``files/…``; ``host/encoding``.
    """
    expect(isinstance(schema, Schema), "a schema that parse_schema has read")
    with Input.opened(source, schema._to_decode) as given, Watch(progress, cancel) as watch:
        return _read(schema, given, watch)


def parse_csv(text: str, schema: Schema) -> Table:
    """Reads a table from a string.

    Raises:
        StandinError: ``files/…``.

    >>> from standin import parse_schema
    >>> schema = parse_schema({"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}}]})
    >>> parse_csv("note,sex\\nold,F\\nnew,M\\n", schema).to_csv()
    'sex\\nF\\nM\\n'
    """
    expect(isinstance(schema, Schema), "a schema that parse_schema has read")
    expect(isinstance(text, str), "a text")
    text = text.removeprefix("\ufeff")
    parts = (text[at : at + _TEXT_AT_ONCE] for at in range(0, len(text), _TEXT_AT_ONCE))
    return _read(schema, Input(part.encode(errors="replace") for part in parts), Watch())


@contextmanager
def as_table(source: Any, schema: Schema, watch: Watch) -> Iterator[Table]:
    """A table as it is; of a file or a data frame, one that is given up at the end."""
    if isinstance(source, Table):
        yield source
    elif _frames.is_frame(source):
        value = _frames.read(source, schema, watch)
        with _table(schema, value) as table:
            yield table
    else:
        is_file = isinstance(source, str | os.PathLike) or hasattr(source, "readinto")
        expect(is_file, "a table, a data frame of pandas, polars or pyarrow, or the path of a CSV file")
        with Input.opened(source, schema._to_decode) as given:
            table = _read(schema, given, watch)
        with table:
            yield table


def _read(schema: Schema, given: Input, watch: Watch) -> Table:
    return _table(schema, fed(schema._handle.core, "read", given, "table", watch, schema=schema))


def _table(schema: Schema, value: Mapping[str, Any]) -> Table:
    return Table(value["columns"], value["table"], lambda: schema.descriptor)

"""Rows in columns of codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .field import Field
from .schema import Schema

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Codec(Protocol):
    """How the stored codes of a column read: as a value, and as the exact text that a file holds."""

    def value(self, code: int) -> Any: ...

    def text(self, code: int) -> str: ...


@dataclass(frozen=True, eq=False, repr=False)
class Column:
    """One column of a table that was read, or made."""

    name: str
    codes: np.ndarray
    """One a row: u16 for categories; u16, u32 or f64 for grid points of numbers, dates and times, as the grid needs; u32 for ids."""
    codec: Codec
    field: Field

    def __repr__(self) -> str:
        # Not its codes: they are private where the table was read.
        return f"<Column {self.name}>"

    def distinct(self) -> tuple[list[int], np.ndarray]:
        """The codes that the column has, ascending, and for each row the place of its own among them."""
        codes, places = np.unique(self.codes, return_inverse=True)
        return codes.astype(np.int64).tolist(), places

    def values(self) -> list[Any]:
        """The cells, ``None`` where missing; dates, datetimes and times as text in ISO 8601."""
        return self.spread(self.codec.value)

    def texts(self) -> list[str]:
        """The cells as a file holds them."""
        return self.spread(self.codec.text)

    def spread(self, read: Callable[[int], Any]) -> list[Any]:
        """What some function makes of the stored code of each cell; it is asked once for each code."""
        codes, places = self.distinct()
        return np.fromiter(map(read, codes), object, len(codes))[places].tolist()


@dataclass(frozen=True, eq=False)
class Table:
    """Rows in columns of codes, in the order of the file. A table that was read holds private rows; one that was made does not."""

    schema: Schema
    columns: tuple[Column, ...]
    rows: int
    delimiter: str = ","
    """The field separator of the file that the table came from, or is for."""
    persons: np.ndarray | None = None
    """u32 numbers of the persons that the schema protects, one a row; ``layout.NO_PERSON`` where missing."""

    def __len__(self) -> int:
        return self.rows

    def __repr__(self) -> str:
        # Not the number of rows: it is private where the table was read.
        return f"<Table of {', '.join(self.names)}>"

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def column(self, name: str) -> list[Any]:
        """The values of one column, as ``Column.values`` gives them. Raises ``KeyError`` where no column has this name."""
        found = next((column for column in self.columns if column.name == name), None)
        if found is None:
            raise KeyError(f"The table has no column {name!r}; it has {', '.join(self.names)}.")
        return found.values()

    def to_csv(self) -> str:
        """The table as text: a header, then one line a row, with the table's delimiter and quotes where needed."""
        from ..text import table_csv

        return table_csv(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas DataFrame."""
        from ..frames import to_pandas

        return to_pandas(self)

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars DataFrame."""
        from ..frames import to_polars

        return to_polars(self)

    def to_arrow(self) -> pyarrow.Table:
        """The table as a pyarrow Table."""
        from ..frames import to_arrow

        return to_arrow(self)


def row_numbers(rows: int) -> np.ndarray:
    """The codes of an ``id`` column."""
    return np.arange(rows, dtype=np.uint32)

"""Tables from and to data frames. No library of frames is imported but the one of the frame that is given or asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .errors import StandinError
from .schema.schema import Schema, expect_schema
from .schema.table import Table
from .text import read_csv

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


def as_table(source: Any, schema: Schema) -> Table:
    """The table of a data frame (pandas, polars or pyarrow), of a CSV file's path, or a table that was read already.

    Raises ``options/argument`` for anything else, and as ``read_csv``.
    """
    expect_schema(schema)
    if isinstance(source, Table):
        return source
    if isinstance(source, str | os.PathLike):
        return read_csv(source, schema)
    raise StandinError("options/argument", "Expected a data frame, the path of a CSV file, or a table, and got something else.")


def to_pandas(table: Table) -> pandas.DataFrame:
    raise NotImplementedError


def to_polars(table: Table) -> polars.DataFrame:
    raise NotImplementedError


def to_arrow(table: Table) -> pyarrow.Table:
    raise NotImplementedError

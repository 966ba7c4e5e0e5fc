"""Tables from and to data frames. No library of frames is imported but the one of the frame that is given or asked for."""

from .read import as_table
from .write import to_arrow, to_pandas, to_polars

__all__ = ["as_table", "to_arrow", "to_pandas", "to_polars"]

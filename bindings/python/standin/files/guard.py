"""What fails while private rows are read."""

import zlib
from collections.abc import Callable
from typing import TypeVar

from ..errors import StandinError

T = TypeVar("T")


def reading(read: Callable[[], T]) -> T:
    """What a function reads from private rows.

    Its errors may quote rows or depend on them: each becomes one that says nothing of its cause, and that has none, so that nobody who
    records errors records a cell. Raises ``files/memory``, ``files/fault``; what the system says of a file passes.
    """
    try:
        return read()
    except (StandinError, OSError, EOFError, zlib.error, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except MemoryError:
        refusal = StandinError(
            "files/memory",
            "The table does not fit in memory.",
            "Read fewer columns: the role drop leaves a column out.",
        )
    except BaseException:  # Panics of libraries in Rust are no Exception.
        refusal = StandinError("files/fault", "A bug in standin stopped the reading of the table.", "Please report it.")
    raise refusal

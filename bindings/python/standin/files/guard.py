"""What fails while private rows are read."""

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import StandinError


@contextmanager
def reading() -> Iterator[None]:
    """Errors of what reads private rows may quote them or depend on them: each becomes one that says nothing of its cause.

    Raises ``files/memory``, ``files/fault``; what the system says of a file passes.
    """
    try:
        yield
    except (StandinError, OSError, EOFError):
        raise
    except MemoryError:
        raise StandinError(
            "files/memory", "The table does not fit in memory.", "Read fewer columns: the role drop leaves one out."
        ) from None
    except Exception:
        raise StandinError(
            "files/fault", "A fault of standin ended the reading of the table.", "Please report it."
        ) from None

"""What a vault takes, known without one: plans say it, and have no handle to the vault."""

from ..engine import query_bytes
from ..layout import BLOCK_ROWS, KEY_BYTES
from ..queries import Query, cells_of
from .items import MeasurementItem
from .ledger import Ledger

_PERSON_BYTES = 4 + 8 + 1
"""For each row of a table of persons, while it is chosen which rows stay: number, two counters of a person, mark."""
_PADDING = 16
"""Most bytes that an allocation is padded by."""


def vault_bytes(ledger: Ledger, rows: int) -> int:
    """The bytes of engine memory that a vault takes for a table of so many rows.

    An upper bound, a few KiB above what is taken, beside the quarter of a MiB that every instance keeps for what it borrows.
    """
    attributes, unit = ledger.terms.attributes, ledger.terms.unit
    candidates = ledger.candidates

    def bytes_of(query: Query) -> int:
        return 4 * cells_of(query.by_code, attributes) + _PADDING

    def counting(query: Query) -> int:
        """Counts by code and by groups, and the query twice."""
        return 2 * (bytes_of(query) + query_bytes(query) + _PADDING)

    choosing = 0 if unit == "row" or unit.column is None else _PERSON_BYTES * rows
    blocks = -(-rows // BLOCK_ROWS)
    loaded = 2 * len(attributes) * rows + blocks * (len(attributes) * (4 + _PADDING) + _PADDING)
    measured = [item.query for item in (*ledger.items, *ledger.second) if isinstance(item, MeasurementItem)]
    most_counting = max(map(counting, (*measured, *candidates)), default=0)
    kept = sum(map(bytes_of, candidates))
    # Scores, targets, what the engine sorts by, and the picks twice: all of the candidates at most.
    selecting = (8 + 16 + 8) * len(candidates) + max(map(bytes_of, candidates), default=0) + 4 * _PADDING
    return KEY_BYTES + _PADDING + max(choosing, loaded + kept + max(most_counting, selecting))

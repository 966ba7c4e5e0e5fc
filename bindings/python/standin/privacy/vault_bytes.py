"""What a vault takes, known without one: plans state it, and have no handle to the vault."""

from .. import layout
from ..engine import Instance, place_queries
from .items import MeasurementItem
from .ledger import Ledger


def vault_bytes(ledger: Ledger, rows: int) -> float:
    """The most engine memory in bytes that a vault takes for a table of so many rows.

    The quarter of a MiB that every instance keeps for what it borrows comes on top.
    """
    attributes, unit = ledger.terms.attributes, ledger.terms.unit
    measured = [item.query.by_code for item in (*ledger.items, *ledger.second) if isinstance(item, MeasurementItem)]
    queries = [*measured, *ledger.candidates]
    of_persons = unit != "row" and unit.column is not None
    engine = Instance()
    structs = place_queries(engine, queries, attributes)
    size = (len(queries), len(ledger.candidates), len(attributes))
    return engine.call("vaultBytes", structs, *size, float(rows), int(of_persons), float(_loading_bytes(ledger, rows)))


# The most bytes per stored code, and of what the engine writes down for a grid.
_MOST_WIDTH = 8
_RUNS = 2 * 65_537 + 64


def _loading_bytes(ledger: Ledger, rows: int) -> int:
    """The most that writing the codes of one column takes in the npm package, whose plans state the same bytes."""
    starts = max((8 * column.size + _RUNS for column in ledger.terms.attributes if column.ordered), default=0)
    return _MOST_WIDTH * min(rows, layout.BLOCK_ROWS) + starts

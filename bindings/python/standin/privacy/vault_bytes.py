"""What a vault takes, known without one: plans state it, and have no handle to the vault."""

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
    return engine.call("vaultBytes", structs, *size, float(rows), int(of_persons))

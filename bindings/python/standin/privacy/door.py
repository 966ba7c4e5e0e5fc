"""The way of one release to a table."""

from collections.abc import Sequence

import numpy as np

from ..errors import StandinError
from ..layout import KEY_BYTES
from ..schema.encode import model_codes
from ..schema.schema import Schema
from ..schema.table import Table
from .items import Item, MeasurementItem, SelectionItem
from .ledger import Ledger
from .seed import fresh_bytes
from .vault import Candidate, Vault


class Door:
    """Items are drawn in order, each once; what an earlier run of the same release has drawn is passed over and stays charged.

    The rows are in the vault from the first draw until the door closes.

    Proof definition: for tables that differ by one unit (``ledger.terms``), all answers and choices together, those passed over
    included, are ρ-zCDP with ρ ≤ ``ledger.budget``: discrete Gaussian mechanisms (Canonne, Kamath and Steinke 2020) and exponential
    mechanisms (Cesar and Rogers 2021), each charged before it is drawn, composed adaptively by a filter that stops at the budget. An
    earlier run drew under a key of its own, and which rows of a person it kept depended on that person's rows alone, so that it is one
    more mechanism of the same composition.
    """

    def __init__(
        self,
        table: Table,
        schema: Schema,
        ledger: Ledger,
        *,
        unsafe_noise_key: bytes | None = None,
    ) -> None:
        """
        Args:
            unsafe_noise_key: a known key instead of a fresh one: everybody who knows it can subtract the noise.

        Raises:
            StandinError: ``schema/other-table``; ``privacy/no-persons`` where the unit is a person and the table does
                not say whose its rows are.
        """
        unit = schema.unit
        if unit != "row" and unit.column is not None and table.persons is None:
            raise StandinError(
                "privacy/no-persons",
                f'The schema protects persons, identified by the column "{unit.column}", but the table was read without it.',
                "Read the table with this schema.",
            )
        self._codes = model_codes(table, schema)
        self._persons = table.persons
        self._ledger = ledger
        self._unsafe_noise_key = unsafe_noise_key
        self._vault: Vault | None = None
        self._next = 0
        self._passed_over = 0

    def measure(self, item: MeasurementItem) -> np.ndarray:
        """The noisy answers to the item's query: int32."""
        return self._open().measure(item, self._number())

    def select(self, item: SelectionItem, candidates: Sequence[Candidate]) -> list[int]:
        """The places of the chosen ones among the candidates, in the order of choice; each is a query of ``ledger.candidates``."""
        return self._open().select(item, self._number(), candidates)

    def pass_over(self, item: Item) -> None:
        """Passes over an item that an earlier run of this release has drawn."""
        self._passed_over += item.charge
        self._number()

    def close(self) -> None:
        """Erases the key and overwrites the vault with zeros."""
        if self._vault:
            self._vault.close()

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def _open(self) -> Vault:
        if self._vault is None:
            self._vault = Vault(self._ledger.terms, self._ledger.budget - self._passed_over, self._fresh_key)
            self._vault.load(self._codes, self._persons)
        return self._vault

    def _fresh_key(self) -> bytearray:
        """32 secret bytes: the key of one release. Raises ``privacy/no-random``."""
        return bytearray(self._unsafe_noise_key or fresh_bytes(KEY_BYTES))

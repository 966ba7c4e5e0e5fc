"""The only place where private rows and randomness meet."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ..engine import Instance, RowBlocks, u32
from ..errors import StandinError
from ..layout import BUDGET_EXCEEDED, KEY_BYTES, OK
from ..queries import Query, cells_of, group_of_cells
from .accounting import max_rows_of, relation_of
from .items import MeasurementItem, SelectionItem, Terms, score_kind


@dataclass(frozen=True, slots=True)
class Candidate:
    """A query that may be chosen, and how its score is weighted: all of it public.

    ``weight`` is in the units of the item's score (``score_kind``), 1 at most; ``bias`` is taken off the weighted score, in the same
    units; ``targets`` gives what the query's answers are compared with: int32, one a cell.
    """

    query: Query
    weight: int
    bias: int
    targets: Callable[[], np.ndarray]


class Vault:
    """Rows go in and never come back: what leaves are noisy integers, each item charged before its noise is drawn.

    The vault is an instance of the engine of its own, which is overwritten with zeros when it is closed.
    """

    def __init__(self, terms: Terms, budget: int, key: Callable[[], bytearray]) -> None:
        """
        Args:
            budget: what may be charged, in ledger units.
            key: asked for 32 secret bytes once, at the first draw; the bytes are overwritten.
        """
        self._engine = Instance()
        self._terms = terms
        self._key = key
        self._keyed = False
        self._rows: RowBlocks
        self._kept: dict[Query, int] = {}
        """Where the true counts of candidates lie: they are compared again in every round."""
        self._expect(self._engine.call("vaultOpen", budget, relation_of(terms.neighbours), max_rows_of(terms.unit)))

    def load(self, codes: Sequence[np.ndarray], persons: np.ndarray | None) -> None:
        """Loads a table's rows.

        With person numbers (u32), at most ``max_rows`` rows of each person are kept, a uniform choice among that person's rows alone; a
        missing number is a person of one row.
        """
        kept = None if persons is None else self._bounded(persons)
        self._rows = RowBlocks(self._engine, self._terms.attributes, codes, kept)

    def measure(self, item: MeasurementItem, number: int) -> np.ndarray:
        """The noisy answers (int32) to the item's query; the item number gives it its own stream of noise."""
        engine = self._engine
        with self._counted(item.query) as counts:
            self._unlock()
            structure = (item.partitions, item.free, item.share)
            self._expect(engine.call("measure", counts, item.cells, *structure, number))
            answers = engine.view(counts, item.cells, np.int32)
            noisy = answers.copy()
            answers[:] = 0
        return noisy

    def select(self, item: SelectionItem, number: int, candidates: Sequence[Candidate]) -> list[int]:
        """The places of the chosen candidates, in the order of choice."""
        engine = self._engine
        kind, scale_bits = score_kind(item.score)
        count, picks = len(candidates), item.picks
        for candidate in candidates:
            self._remember(candidate.query)
        needed = u32(engine.call("selectScratch", count, picks))
        with engine.borrow(8 * count, needed, 4 * picks) as [scores, scratch, out]:
            for place, candidate in enumerate(candidates):
                targets = candidate.targets()
                weighted = (candidate.weight, candidate.bias, scale_bits, scores + 8 * place)
                with engine.borrow(targets) as [compared]:
                    counts = self._kept[candidate.query]
                    self._expect(engine.call("score", counts, compared, targets.size, kind, *weighted))
            self._unlock()
            choice = (kind, item.partitions, item.free, scale_bits, item.share, number)
            self._expect(engine.call("select", scores, count, picks, *choice, scratch, out))
            chosen = engine.view(out, picks, np.uint32).tolist()
            engine.view(scores, count, np.int64)[:] = 0
        return chosen

    def close(self) -> None:
        """Erases the key and overwrites the memory with zeros."""
        try:
            self._engine.call("vaultClose")
        finally:
            self._engine.call("wipe")

    @contextmanager
    def _counted(self, query: Query) -> Iterator[int]:
        """True counts of all levels, or of groups of codes, in the vault's own memory: they do not leave it without noise."""
        engine, attributes = self._engine, self._terms.attributes
        with self._rows.counted(query.by_code) as counts:
            if query.groups is None:
                yield counts
                return
            with engine.borrow(4 * cells_of(query, attributes)) as [sums]:
                by_code = engine.view(counts, cells_of(query.by_code, attributes), np.int32)
                by_group = engine.view(sums, cells_of(query, attributes), np.int32)
                np.add.at(by_group, group_of_cells(query, attributes), by_code)
                by_code[:] = 0
                yield sums

    def _remember(self, query: Query) -> None:
        """Counts a candidate once and for all: it may be compared in many selections."""
        if query in self._kept:
            return
        engine = self._engine
        cells = cells_of(query, self._terms.attributes)
        [kept] = engine.reserve(4 * cells)
        self._kept[query] = kept
        with self._counted(query) as pointer:
            counts = engine.view(pointer, cells, np.int32)
            engine.view(kept, cells, np.int32)[:] = counts
            counts[:] = 0

    def _bounded(self, persons: np.ndarray) -> np.ndarray:
        """The rows that stay."""
        engine = self._engine
        # NO_PERSON, the greatest number, is followed by 0.
        people = int((persons + np.uint32(1)).max(initial=0))
        with engine.borrow(persons, 8 * people, persons.size) as [numbers, scratch, keep]:
            self._unlock()
            self._expect(engine.call("keepRows", numbers, persons.size, people, scratch, keep))
            return np.flatnonzero(engine.view(keep, persons.size, np.uint8))

    def _unlock(self) -> None:
        if self._keyed:
            return
        engine = self._engine
        key = self._key()
        with engine.borrow(KEY_BYTES) as [pointer]:
            engine.view(pointer, KEY_BYTES, np.uint8)[:] = key
            key[:] = bytes(KEY_BYTES)
            self._expect(engine.call("vaultKey", pointer))
        self._keyed = True

    def _expect(self, status: int) -> None:
        if status == OK:
            return
        if status == BUDGET_EXCEEDED:
            raise StandinError(
                "privacy/overspent", "The ledger refused a charge beyond the planned budget.", "Please report this."
            )
        raise StandinError("privacy/refused", f"The vault refused a call (status {status}).", "Please report this.")

"""The only place where private rows and randomness meet."""

from collections.abc import Callable, Sequence
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
        self._rows: RowBlocks | None = None
        self._cached: dict[Query, int] = {}
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
        with engine.scratch():
            counts = self._count(item.query)
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
        for candidate in candidates:
            self._remember(candidate.query)
        with engine.scratch():
            scores = engine.alloc(8 * len(candidates))
            for place, candidate in enumerate(candidates):
                counts = self._cached[candidate.query]
                with engine.scratch():
                    targets = candidate.targets()
                    compared = (counts, engine.place(targets), targets.size, kind)
                    weighted = (candidate.weight, candidate.bias, scale_bits)
                    self._expect(engine.call("score", *compared, *weighted, scores + 8 * place))
            scratch = u32(engine.call("selectScratch", len(candidates), item.picks))
            scratch, out = engine.alloc_all(scratch, 4 * item.picks)
            self._unlock()
            choice = (len(candidates), item.picks, kind, item.partitions, item.free, scale_bits)
            self._expect(engine.call("select", scores, *choice, item.share, number, scratch, out))
            chosen = engine.view(out, item.picks, np.uint32).tolist()
            engine.view(scores, len(candidates), np.int64)[:] = 0
        return chosen

    def close(self) -> None:
        """Erases the key and overwrites the memory with zeros."""
        self._engine.call("vaultClose")
        self._engine.call("wipe")

    def _count(self, query: Query) -> int:
        """True counts of all levels, or of groups of codes, in the vault's own memory: they do not leave it without noise."""
        engine = self._engine
        counts = self._rows.count(query.by_code)
        if query.groups is None:
            return counts
        attributes = self._terms.attributes
        sums = engine.alloc(4 * cells_of(query, attributes))
        from_ = engine.view(counts, cells_of(query.by_code, attributes), np.int32)
        into = engine.view(sums, cells_of(query, attributes), np.int32)
        np.add.at(into, group_of_cells(query, attributes), from_)
        from_[:] = 0
        return sums

    def _remember(self, query: Query) -> None:
        """Counts a candidate once and for all: it may be compared in many selections."""
        if query in self._cached:
            return
        engine = self._engine
        cells = cells_of(query, self._terms.attributes)
        kept = self._cached[query] = engine.alloc(4 * cells)
        with engine.scratch():
            counts = engine.view(self._count(query), cells, np.int32)
            engine.view(kept, cells, np.int32)[:] = counts
            counts[:] = 0

    def _bounded(self, persons: np.ndarray) -> np.ndarray:
        """The rows that stay."""
        engine = self._engine
        # NO_PERSON, the greatest number, is followed by 0.
        people = int((persons + np.uint32(1)).max(initial=0))
        with engine.scratch():
            numbers, scratch, keep = engine.alloc_all(4 * persons.size, 8 * people, persons.size)
            engine.view(numbers, persons.size, np.uint32)[:] = persons
            self._unlock()
            self._expect(engine.call("keepRows", numbers, persons.size, people, scratch, keep))
            return np.flatnonzero(engine.view(keep, persons.size, np.uint8))

    def _unlock(self) -> None:
        if self._keyed:
            return
        engine = self._engine
        key = self._key()
        with engine.scratch():
            pointer = engine.alloc(KEY_BYTES)
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

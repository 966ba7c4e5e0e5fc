"""Rows whose answers come close to targets in the least-squares sense."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..elementary import rounded_half_up, total_of
from ..engine import Instance, place_queries, u32
from ..errors import StandinError
from ..estimate.forest import Leaning
from ..layout import MOST_BYTES, SEARCH_RUNNING, SEARCH_SETTLED, STREAM_DECODE
from ..queries import Query, partitions_of
from ..schema.schema import Attribute
from .start import random_words, start_column

Settings = Mapping[str, str | int | float]

DESCENT: Settings = {"method": "descent", "tolerance": 0.01, "maxSweeps": 50}
"""Coordinate descent: sweeps over all rows in which every cell in turn gets its best code.

It has settled when a sweep lowers the loss by no more than ``tolerance``: later sweeps lower it by fitting what is left of the noise, and
on real tables the rows came no closer to the truth.
"""
PAPER: Settings = {
    "method": "paper",
    "mutations": 50,
    "crossovers": 50,
    "elites": 2,
    "generations": 200_000,
    "tolerance": 1e-4,
}
"""The search of Private-GSD (Liu et al., ICML 2023, Algorithm 1) from uniform rows, each candidate one cell.

It has settled when as many generations as there are rows lower the loss by no more than ``tolerance``.
"""

_LEAST_SHIFT, _MOST_SHIFT = 4, 8
"""A row is held in 2^4 … 2^8 units."""

_SLICE = 4096
"""Rows or generations in one call of the engine: between two calls Python hears of Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the rows should answer to a query: counts (any real numbers, float64) for a table of ``total`` rows, in the order of answers."""

    query: Query
    answers: np.ndarray


@dataclass(frozen=True, slots=True)
class SearchInput:
    """What a search is about.

    Attributes:
        total: the number of rows that the targets count, 1 or more.
        rows: how many rows to make, 1 or more.
        seed: u32.
        start: what each column starts from: all of them once, each after its parent.
        warm: rows to begin with instead, again and again where more are made.
    """

    attributes: Sequence[Attribute]
    targets: Sequence[Target]
    total: float
    rows: int
    seed: int
    settings: Settings
    start: Sequence[Leaning]
    warm: Sequence[np.ndarray] | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Synthetic rows as codes.

    Attributes:
        codes: one u16 array an attribute, each as long as the table.
        start_loss: the sum of the squared differences between targets and counts, in rows of the searched table, at the start.
        loss: the same at the end.
        steps: sweeps or generations.
        candidates: one-cell changes scored.
        stop: a sentence: which rule ended the search.
        uniforms: random words (u32), one a row, to decode codes with: a stream of their own for each number from 0 up.
    """

    codes: list[np.ndarray]
    start_loss: float
    loss: float
    steps: int
    candidates: int
    stop: str
    uniforms: Callable[[int], np.ndarray]


def search_rows(given: SearchInput) -> SearchResult:
    """Looks for rows; they depend on the input alone.

    Raises:
        StandinError: ``engine/memory`` where the tables do not fit.
    """
    bench = _Bench(given)
    start_loss = bench.loss()
    status = bench.run(given.settings)
    steps = u32(bench.engine.call("searchSteps", bench.search))
    bench.engine.call("searchEnd", bench.search)
    decoding = Instance()
    return SearchResult(
        codes=bench.codes(given.rows),
        start_loss=start_loss,
        loss=bench.loss(),
        steps=steps,
        candidates=int(bench.engine.call("searchCandidates", bench.search)),
        stop=_stop_sentence(given.settings, status, steps, bench.rows),
        uniforms=lambda stream: random_words(decoding, given.rows, given.seed, STREAM_DECODE, stream),
    )


def search_bytes(
    attributes: Sequence[Attribute], queries: Sequence[Query], rows: int, certain: Sequence[Query]
) -> float:
    """The most engine memory in bytes that a search takes, to be compared with the 4 GiB that an engine can address.

    Args:
        certain: those of the queries that are searched for in any case: the more, the fewer rows are searched.
    """
    searched = math.ceil(min(rows, 2 ** (30 - _LEAST_SHIFT) / max(1, *_levels_of(certain, attributes))))
    engine = Instance()
    structs = place_queries(engine, queries, attributes)
    return engine.call("searchBytes", structs, len(queries), len(attributes), float(searched))


class _Bench:
    """A search in an engine of its own, its tables filled and its rows at their start."""

    def __init__(self, given: SearchInput) -> None:
        attributes = given.attributes
        targets = [target for target in given.targets if target.query.columns]
        queries = [target.query for target in targets]
        self.rows, self.shift = _fit_units(given.rows, _unit_limit(targets, attributes, given.total))
        engine = self.engine = Instance()
        structs = place_queries(engine, queries, attributes)
        size = (len(queries), len(attributes))
        if engine.call("searchBytes", structs, *size, float(self.rows)) > MOST_BYTES:
            raise _no_room()
        self.search = self._opened("searchOpen", structs, *size, self.rows, self.shift, given.seed)
        columns = u32(engine.call("searchColumns", self.search))
        self.columns: list[int] = engine.view(columns, len(attributes), np.uint32).tolist()
        self.used = {column for query in queries for column in query.columns}
        self._fill(given)
        for index, target in enumerate(targets):
            units = _target_units(target.answers, given.total, self.rows, self.shift)
            with engine.borrow(units, units.nbytes) as pointers:
                engine.call("searchTarget", self.search, index, *pointers)
        engine.call("searchBegin", self.search)

    def _fill(self, given: SearchInput) -> None:
        """Puts the start into the columns."""
        for leaning in given.start:
            column = leaning.column
            size = given.attributes[column].size
            if given.warm is not None:
                into = self.engine.view(self.columns[column], self.rows, np.uint16)
                into[:] = np.resize(given.warm[column], self.rows)
            elif given.settings["method"] == PAPER["method"] and column in self.used:
                self.engine.call("uniformColumn", self.columns[column], self.rows, size, given.seed, column)
            else:
                start_column(self.engine, leaning, self.columns, self.rows, size, given.seed)

    def run(self, settings: Settings) -> int:
        """Searches until it is done; returns which rule ended it."""
        if not self.used:
            return SEARCH_SETTLED
        if settings["method"] == DESCENT["method"]:
            step = "descend"
            search = self._opened("descentOpen", self.search, float(settings["tolerance"]), int(settings["maxSweeps"]))
        else:
            step = "evolve"
            numbers = (int(settings[name]) for name in ("mutations", "crossovers", "elites", "generations"))
            search = self._opened("evolveOpen", self.search, *numbers, float(settings["tolerance"]))
        while (status := self.engine.call(step, search, _SLICE)) == SEARCH_RUNNING:
            pass
        return status

    def loss(self) -> float:
        """Σ (target − count)² over all cells, in rows of the searched table."""
        return self.engine.call("searchLoss", self.search) / 4**self.shift

    def codes(self, rows: int) -> list[np.ndarray]:
        """The codes of all columns, repeated where fewer rows were searched than asked for."""
        return [np.resize(self.engine.view(pointer, self.rows, np.uint16), rows) for pointer in self.columns]

    def _opened(self, name: str, *arguments: int | float) -> int:
        """A pointer that the engine returned."""
        pointer = u32(self.engine.call(name, *arguments))
        if not pointer:
            raise _no_room()
        return pointer


def _fit_units(asked: int, limit: float) -> tuple[int, int]:
    """The fewest repeats of a table, as its rows, and the finest units, as their shift, whose product stays within the limit."""
    repeats = math.ceil((asked * 2**_LEAST_SHIFT) / limit)
    rows = math.ceil(asked / repeats)
    return rows, min(_MOST_SHIFT, int(limit / rows).bit_length() - 1)


def _unit_limit(targets: Sequence[Target], attributes: Sequence[Attribute], total: float) -> float:
    """A table of N rows fits residuals in units of 2^-f row where N·2^f is within this.

    Every sum of residuals over the workloads of one column stays in i32 (a residual lies between −2N and N), and the loss in i64.
    """
    squares = float(sum(partitions_of(target.query) for target in targets))
    for target in targets:
        shares = _shares(target.answers, total)
        squares = total_of(np.concatenate(([squares], shares * shares)))
    levels = max(1, *_levels_of([target.query for target in targets], attributes))
    return min(2**30 / levels, 2**31 / math.sqrt(max(1, squares)))


def _levels_of(queries: Sequence[Query], attributes: Sequence[Attribute]) -> list[int]:
    """For each attribute, the levels of all queries that have it."""
    levels = [0] * len(attributes)
    for query in queries:
        for column in query.columns:
            levels[column] += partitions_of(query)
    return levels


def _shares(answers: np.ndarray, total: float) -> np.ndarray:
    """Answers as shares of the rows that they count, noise beyond the whole table cut off."""
    return np.maximum(-1.0, np.minimum(1.0, answers / max(1, total)))


def _target_units(answers: np.ndarray, total: float, rows: int, shift: int) -> np.ndarray:
    return rounded_half_up(_shares(answers, total) * rows * 2**shift).astype(np.int32)


def _no_room() -> StandinError:
    return StandinError(
        "engine/memory",
        "The tables of the search do not fit the 4 GiB that the engine can address.",
        "Use a smaller workload, coarser bins, or fewer rows.",
    )


def _stop_sentence(settings: Settings, status: int, steps: int, rows: int) -> str:
    unit, span = ("sweeps", 1) if settings["method"] == DESCENT["method"] else ("generations", rows)
    if status != SEARCH_SETTLED:
        return f"The limit of {steps} {unit} was reached."
    last = "the last" if span == 1 else f"the last {span}"
    return f"Of {steps} {unit}, {last} lowered the loss by no more than {float(settings['tolerance']) * 100:.3g} %."

"""How a budget is best divided between the columns of a workload by themselves and its tables, some pairs of which may be left out.

So that the error to expect is least. All divisions are held against each other at once: arrays have a division a place.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..elementary import cube_root, exponential, round_half_up
from ..estimate.grouping import resolution
from ..queries import Query, cells_of, partitions_of, sizes_of
from ..schema.schema import Attribute

STEPS = 40
"""A budget is divided in whole steps of this part."""
_CHOICE_STEPS = 2
"""What the choice of pairs costs, in steps, where some are left out."""
_PICKS_FACTOR = 1.2
"""Numbers of pairs are tried in steps of this factor."""
_CLEAR_GAIN = 0.01
"""Pairs are left out for more than this part of what measuring pairs gains: predictions are no more exact."""
_MOST_PICKS = 2000
_MOST_PICKED_CELLS = 2**25
"""More pairs than this, or pairs with more cells than this together, take long to search, and hardly any table has rows for them."""
_MOST_WRONG = 0.6
"""What independent columns are wrong by, Σ|count − product| as a part of the rows, falls over the pairs of real tables, largest first,
about as _MOST_WRONG · e^(−rank ÷ r), r of _ranks_to_fall."""
_CLASSES = 20
"""In how many classes the ranks are taken, smaller ones for the first."""
_KEPT = 1.5
"""Shrinkage leaves about this many times the noise that a table of one singular value has."""
_TYPICAL = 60
"""So many tables, spread over the workload, stand for all when an error is predicted."""
_LEAST_COUNT = 2
"""A code is told from the noise where it has so many deviations of it: the estimates leave the others as their margins imply."""


def weight_of(query: Query, attributes: Sequence[Attribute]) -> int:
    """How one-ways, and how tables, share what they have: more for those of more cells, whose errors are the sum of more.

    Most of the cells of tables have hardly a row, so that it is less than the ⅔ power, which errors of cells · √(1 ÷ share) would ask
    for.
    """
    cells = cells_of(query, attributes)
    return round_half_up(2**10 * (math.sqrt(cells) if len(query.columns) == 1 else cube_root(cells)))


@dataclass(frozen=True, slots=True)
class _Terms:
    """What the error of a query's table follows from: ``sizes`` is how many codes its columns have."""

    query: Query
    weight: int
    sizes: tuple[int, ...]
    partitions: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class _Ranks:
    """A class of candidates, those between two parts of all; and Σ|count − product| as a part of the rows."""

    start: float
    stop: float
    wrong: float


@dataclass(frozen=True, slots=True)
class Sides:
    """What a budget is divided between.

    Attributes:
        one_ways: the columns by themselves, whose weights sum to ``one_ways_weight``.
        fixed: the queries that are measured in any case, whose weights sum to ``fixed_weight``.
        candidates: those that may be left out, of ``candidate_weight`` on average; ``most`` of them can be measured.
        typical: some of the workload's queries, each for ``times`` of them.
        ranks: the candidates by how wrong independent columns are about them, the worst first.
    """

    one_ways: tuple[_Terms, ...]
    one_ways_weight: int
    fixed: tuple[Query, ...]
    fixed_weight: int
    candidates: tuple[Query, ...]
    candidate_weight: float
    most: int
    typical: tuple[_Terms, ...]
    times: float
    ranks: tuple[_Ranks, ...]


def sides_of(
    workload: Sequence[Query], candidates: Sequence[Query], one_ways: Sequence[Query], attributes: Sequence[Attribute]
) -> Sides:
    """What a budget for a workload, some queries of which are candidates, is divided between."""
    may_be_left = set(candidates)

    def terms_of(query: Query) -> _Terms:
        sizes = sizes_of(query.columns, attributes)
        return _Terms(query, weight_of(query, attributes), sizes, partitions_of(query), query in may_be_left)

    def weights_of(queries: Sequence[Query]) -> int:
        return sum(weight_of(query, attributes) for query in queries)

    fixed = tuple(query for query in workload if query not in may_be_left)
    typical = workload[:: math.ceil(len(workload) / _TYPICAL)]
    few = len(candidates) <= _MOST_PICKS
    return Sides(
        one_ways=tuple(map(terms_of, one_ways)),
        one_ways_weight=weights_of(one_ways),
        fixed=fixed,
        fixed_weight=weights_of(fixed),
        candidates=tuple(candidates),
        candidate_weight=weights_of(candidates) / max(1, len(candidates)),
        most=len(candidates) if few else _most_picks(candidates, attributes),
        typical=tuple(map(terms_of, typical)),
        times=len(workload) / len(typical),
        ranks=_ranks_of(len(candidates)),
    )


def _ranks_of(candidates: int) -> tuple[_Ranks, ...]:
    fall = max(1, candidates) / _ranks_to_fall(candidates)
    ends = [(number / _CLASSES) * (number / _CLASSES) for number in range(_CLASSES + 1)]
    falls = [exponential(-fall * end) for end in ends]
    return tuple(
        _Ranks(start, stop, (_MOST_WRONG * (above - below)) / (fall * (stop - start)))
        for start, stop, above, below in zip(ends, ends[1:], falls, falls[1:], strict=False)
    )


def _ranks_to_fall(pairs: int) -> float:
    """A quarter of the pairs, but more of few columns, which all lean on each other, and less of many, which lean on few others each."""
    return max(25, min(pairs / 4, 8 * math.sqrt(pairs)))


def _most_picks(candidates: Sequence[Query], attributes: Sequence[Attribute]) -> int:
    sizes = sorted((cells_of(query, attributes) for query in candidates), reverse=True)
    together = np.add.accumulate(np.array(sizes[:_MOST_PICKS], dtype=np.int64))
    return max(1, int(np.count_nonzero(together <= _MOST_PICKED_CELLS)))


@dataclass(frozen=True, slots=True)
class Division:
    """Parts of a budget, the whole of 1: of the one-ways, of the choice of ``picks`` candidates, and of the tables."""

    one_ways: float
    picks: int
    choice: float
    tables: float


class Spread:
    """Where the rows of a column are."""

    def __init__(self, counts: np.ndarray) -> None:
        """
        Args:
            counts: of the codes, not negative.
        """
        self._ascending = np.sort(counts)
        self._sums = np.add.accumulate(np.concatenate(([0.0], self._ascending)))

    def above(self, counts: np.ndarray) -> np.ndarray:
        """How many codes have at least so many rows."""
        return self._ascending.size - self._ranks(counts)

    def below(self, counts: np.ndarray) -> np.ndarray:
        """How many rows the other codes have together."""
        return self._sums[self._ranks(counts)]

    def _ranks(self, counts: np.ndarray) -> np.ndarray:
        return np.searchsorted(self._ascending, counts, side="left")


@dataclass(frozen=True, slots=True)
class Prospect:
    """What is known, or taken for known, when a budget is divided.

    Attributes:
        unit: the variance of the noise that the whole budget would leave in one partition.
        known: what the one-ways have had already, in parts of the budget.
        spreads: for each attribute.
    """

    unit: float
    known: float
    rows: float
    spreads: Sequence[Spread]
    attributes: Sequence[Attribute]


def best_division(sides: Sides, prospect: Prospect) -> Division:
    """The division of about the least error: of numbers of candidates that differ by little of what measuring them gains, the largest."""
    divisions = [_divisions_with(sides, picks) for picks in _picks_tried(sides.most)]
    with np.errstate(all="ignore"):
        errors = _Prediction(sides, prospect, [division for group in divisions for division in group]).errors()
    tried: list[tuple[Division, float]] = []
    start = 0
    for group in divisions:
        of_group = errors[start : start + len(group)]
        best = int(np.argmin(of_group))
        tried.append((group[best], float(of_group[best])))
        start += len(group)
    least = min(error for _, error in tried)
    without = tried[-1][1]
    return next(division for division, error in tried if error <= least + _CLEAR_GAIN * (without - least))


def _picks_tried(most: int) -> list[int]:
    """From all candidates that can be measured to none."""
    tried = []
    picks = most
    while picks > 0:
        tried.append(picks)
        picks = min(picks - 1, math.floor(picks / _PICKS_FACTOR))
    return [*tried, 0]


def _divisions_with(sides: Sides, picks: int) -> list[Division]:
    if len(sides.fixed) + picks == 0:
        return [Division(1.0, picks, 0.0, 0.0)]
    choice = _CHOICE_STEPS if 0 < picks < len(sides.candidates) else 0
    return [
        Division(step / STEPS, picks, choice / STEPS, (STEPS - choice - step) / STEPS) for step in range(STEPS - choice)
    ]


@dataclass(frozen=True, slots=True)
class _Planned:
    """A table as it would be measured, for each division: with noise of deviation ``sigma``, at so many codes, or groups, an axis."""

    terms: _Terms
    sigma: np.ndarray
    shape: list[np.ndarray]


class _Prediction:
    """Σ over the workload of the L1 error to expect, for each of some divisions."""

    def __init__(self, sides: Sides, prospect: Prospect, divisions: Sequence[Division]) -> None:
        self._sides = sides
        self._prospect = prospect
        self._one_ways = np.array([division.one_ways for division in divisions])
        self._picks = np.array([float(division.picks) for division in divisions])
        self._tables = np.array([division.tables for division in divisions])
        candidates = len(sides.candidates)
        self._part = self._picks / candidates if candidates else np.zeros_like(self._picks)

    def errors(self) -> np.ndarray:
        """One a division."""
        sides = self._sides
        measured = sides.fixed_weight + self._picks * sides.candidate_weight
        planned = [self._planned(terms, measured) for terms in sides.typical]
        of_columns = self._one_way_errors(planned)
        errors = np.zeros_like(self._tables)
        for table in planned:
            of_margins = np.zeros_like(errors)
            for column in table.terms.query.columns:
                of_margins = of_margins + of_columns[column] * of_columns[column]
            alone = len(table.terms.sizes) == 1
            errors = errors + (np.sqrt(of_margins) if alone else self._table_error(table, of_margins))
        return sides.times * errors

    def _planned(self, terms: _Terms, measured: np.ndarray) -> _Planned:
        prospect = self._prospect
        sigma = np.sqrt((prospect.unit * terms.partitions * measured) / (self._tables * terms.weight))
        sigma = np.where(self._tables > 0, sigma, np.inf)
        shape = resolution(terms.query, prospect.attributes, prospect.rows, sigma)
        return _Planned(
            terms,
            sigma,
            [np.where(self._tables > 0, axis, size) for axis, size in zip(shape, terms.sizes, strict=True)],
        )

    def _one_way_errors(self, planned: Sequence[_Planned]) -> dict[int, np.ndarray]:
        """For each column the error of its one-way, averaged over all measurements of its codes by inverse variance.

        A code's is no more than its count.
        """
        sides, prospect = self._sides, self._prospect
        precisions: dict[int, np.ndarray] = {}
        for terms in sides.one_ways:
            share = (prospect.known + self._one_ways) * terms.weight
            precisions[terms.query.columns[0]] = share / (sides.one_ways_weight * terms.partitions * prospect.unit)
        for table in planned:
            terms = table.terms
            tables = sides.times * (self._part if terms.is_open else 1)
            cells = _product(table.shape)
            for axis, column in enumerate(terms.query.columns):
                size = terms.sizes[axis]
                precision = (tables * size) / (cells * (table.sigma * table.sigma))
                seen = table.shape[axis] == size
                precisions[column] = precisions.get(column, 0.0) + np.where(seen, precision, 0.0)
        errors = {}
        for column, precision in precisions.items():
            sigma = 1 / np.sqrt(precision)
            spread = prospect.spreads[column]
            errors[column] = sigma * spread.above(sigma) + spread.below(sigma)
        return errors

    def _table_error(self, table: _Planned, of_margins: np.ndarray) -> np.ndarray:
        """The error of a table: that of its margins (``of_margins``, squared), and in quadrature that of its interaction.

        In the codes that are told from the noise this is the noise in as many directions as their margins have cells, unless the
        interaction is smaller; elsewhere it is the interaction itself, as in candidates that are not chosen. Chosen are those of the
        largest interactions.
        """
        rows = self._prospect.rows
        told, seen = self._told(table)
        cells = _product(seen)
        directions = np.zeros_like(cells)
        for size in seen:
            directions = directions + cells / size
        noise = np.where(cells > 0, _KEPT * table.sigma * np.sqrt(cells * directions), 0.0)

        def measured(most: float) -> np.ndarray:
            ratio = noise / (told * most)
            return np.where(cells > 0, (1 - told) * most + noise / np.sqrt(1 + ratio * ratio), most)

        def whole(error: np.ndarray | float) -> np.ndarray:
            return np.sqrt(of_margins + error * error)

        if not table.terms.is_open:
            return whole(measured(_MOST_WRONG * rows))
        errors = np.zeros_like(self._part)
        for ranks in self._sides.ranks:
            width = ranks.stop - ranks.start
            chosen = np.maximum(0.0, np.minimum(1.0, (self._part - ranks.start) / width))
            of_chosen = np.where(chosen > 0, chosen * whole(measured(ranks.wrong * rows)), 0.0)
            errors = errors + width * (of_chosen + (1 - chosen) * whole(ranks.wrong * rows))
        return errors

    def _told(self, table: _Planned) -> tuple[np.ndarray, list[np.ndarray]]:
        """What part of the rows is in codes that are told from the noise, and how many codes, or groups, that is of each axis."""
        least = _LEAST_COUNT * table.sigma
        told = np.ones_like(least)
        seen = []
        for axis, column in enumerate(table.terms.query.columns):
            shape = table.shape[axis]
            is_grouped = shape < table.terms.sizes[axis]
            spread = self._prospect.spreads[column]
            told = told * np.where(is_grouped, 1.0, 1 - spread.below(least) / self._prospect.rows)
            seen.append(np.where(is_grouped, shape, spread.above(least)))
        return told, seen


def _product(sizes: Sequence[np.ndarray]) -> np.ndarray:
    product = np.ones_like(sizes[0])
    for size in sizes:
        product = product * size
    return product

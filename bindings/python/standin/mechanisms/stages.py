"""Two stages for a workload that will be estimated from one-ways and interactions.

One-ways first; then, by what they say about the number of rows and where they are, more of the one-ways, a choice of the pairs that are
worth measuring, and these at the resolution that is.
"""

import math
from collections.abc import Sequence

import numpy as np

from ..elementary import round_half_up, rounded_half_up, total_of
from ..estimate.estimates import Estimates
from ..estimate.grouping import grouped
from ..privacy.items import WEIGHT_BITS
from ..privacy.ledger import Schedule, WeightedQuery, WeightedStage
from ..queries import Measurement, Query, cells_of, partitions_of, query_of
from ..schema.schema import Attribute
from .division import STEPS, Prospect, Sides, Spread, best_division, sides_of, weight_of
from .mechanism import Expected, FirstAnswers, SharedQuery

_FIRST_STEPS = 2
"""What the first stage has of the budget, in steps: little is enough to divide the rest by, and what one-ways lack then they are given."""

_MOST_TARGET = 2**30
"""The largest integer that a selection's targets may be."""

_RULE = (
    "The workload and, once more, its single columns share the cap so as to minimise the error expected from the noisy one-ways. "
    "If some pairs lie below the noise, the others are chosen by how wrong independent columns would be about them. Tables with "
    "more cells than the noise leaves readable are measured on groups of codes."
)


def two_stages(workload: Sequence[Query], candidates: Sequence[Query], attributes: Sequence[Attribute]) -> Schedule:
    """The first stage, the columns of the workload's tables each by itself, and what it leaves.

    One-ways summed from large tables carry the noise of all their cells.
    """
    columns = sorted({column for query in workload if len(query.columns) > 1 for column in query.columns})
    if not columns:
        return Schedule([WeightedQuery(query, 1) for query in workload])
    one_ways = [query_of((column,), attributes) for column in columns]
    sides = sides_of(workload, candidates, one_ways, attributes)
    return Schedule(
        first=[WeightedQuery(terms.query, _FIRST_STEPS * terms.weight) for terms in sides.one_ways],
        second=WeightedStage(
            queries=[
                WeightedQuery(query, weight_of(query, attributes)) for query in _at_most(sides, workload, attributes)
            ],
            candidates=candidates,
            weight=(STEPS - _FIRST_STEPS) * sides.one_ways_weight,
            least_share=_least_share(sides, workload, attributes),
            rule=_RULE,
        ),
    )


def _at_most(sides: Sides, workload: Sequence[Query], attributes: Sequence[Attribute]) -> Sequence[Query]:
    """What is measured at most: where not all of the candidates can be, the largest."""
    if sides.most == len(sides.candidates):
        return workload
    by_size = sorted(sides.candidates, key=lambda query: -cells_of(query, attributes))
    return [*sides.fixed, *by_size[: sides.most]]


def _least_share(sides: Sides, workload: Sequence[Query], attributes: Sequence[Attribute]) -> float:
    """A bound below all shares of one step.

    Of the lightest table among as many of the heaviest as can be measured, and of the lightest one-way.
    """
    weights = [weight_of(query, attributes) for query in workload]
    of_tables = min(weights) / ((len(sides.fixed) + sides.most) * max(weights))
    of_one_ways = min(terms.weight for terms in sides.one_ways) / sides.one_ways_weight
    return min(of_tables, of_one_ways) / STEPS


def candidates_of(workload: Sequence[Query]) -> list[Query]:
    """What may be left out of a workload: its pairs, unless it has larger tables."""
    if any(len(query.columns) > 2 for query in workload):
        return []
    return [query for query in workload if len(query.columns) == 2]


class SecondStage:
    """The second stage in three steps, each decided by what was drawn before it: post-processing, nothing here is charged.

    Attributes:
        one_ways: measured at once: columns by themselves.
        picks: how many of the stage's candidates are chosen, by the score "aim".
        choice_share: for which part of what there is; 0 where all of them, or none, are measured without a choice.
    """

    def __init__(self, first: FirstAnswers) -> None:
        measurements, attributes, left = first.measurements, first.attributes, first.left
        one_ways = [measurement.query for measurement in measurements]
        bought = total_of(partitions_of(measurement.query) / measurement.sigma2 for measurement in measurements)
        self._first = first
        self._unit = (1 - left) / (left * bought)
        self._sides = sides_of(first.workload, first.candidates, one_ways, attributes)
        counts = Estimates(measurements, attributes, first.total).one_ways()
        known = (1 - left) / left
        prospect = Prospect(self._unit, known, first.total, [Spread(count) for count in counts], attributes)
        self._division = best_division(self._sides, prospect)
        self.one_ways = _shared(one_ways, self._division.one_ways, attributes)
        self.picks = self._division.picks
        self.choice_share = self._division.choice

    def expected(self, seen: Sequence[Measurement]) -> list[Expected]:
        """What independent columns would answer to each candidate: made when asked for, since all of them together may not fit.

        Scores are L1 distances from it less what chance would make of them in a table of independent columns; of a tree, the mean over
        its levels.
        """
        estimates = Estimates(seen, self._first.attributes, self._first.total)
        return [_expected(number, query, estimates) for number, query in enumerate(self._first.candidates)]

    def tables(self, chosen: Sequence[Query], seen: Sequence[Measurement]) -> list[SharedQuery]:
        """What is measured then.

        Args:
            chosen: of the candidates: all of them without a choice.
        """
        attributes, total = self._first.attributes, self._first.total
        counts = Estimates(seen, attributes, total).one_ways()
        queries = [*self._sides.fixed, *(chosen if self.picks else ())]

        def resolved(shared: SharedQuery) -> Query:
            sigma = math.sqrt((self._unit * partitions_of(shared.query)) / shared.share)
            return grouped(shared.query, attributes, counts, total, sigma)

        tables = _shared(queries, self._division.tables, attributes)
        return [SharedQuery(resolved(shared), shared.share) for shared in tables]


def _shared(queries: Sequence[Query], part: float, attributes: Sequence[Attribute]) -> list[SharedQuery]:
    """A part of the budget divided by weights; none, where there is none."""
    if not part:
        return []
    weights = [weight_of(query, attributes) for query in queries]
    total = sum(weights)
    return [SharedQuery(query, (part * weight) / total) for query, weight in zip(queries, weights, strict=True)]


def _expected(number: int, query: Query, estimates: Estimates) -> Expected:
    weight = 2**WEIGHT_BITS // partitions_of(query)

    def answers() -> np.ndarray:
        return np.maximum(0.0, estimates.implied(query))

    def targets() -> np.ndarray:
        return np.minimum(_MOST_TARGET, rounded_half_up(answers())).astype(np.int32)

    bias = round_half_up(weight * total_of(_chance(answers())))
    return Expected(number, weight, bias, targets)


def _chance(counts: np.ndarray) -> np.ndarray:
    """How much rounded counts of Poisson's law are off on average, where they are expected to be ``counts``."""
    return np.minimum(2 * counts, np.sqrt((2 / math.pi) * counts))

"""AIM's selection.

McKenna, Mullins, Sheldon and Miklau, "AIM: An Adaptive and Iterative Mechanism for Differentially Private Synthetic Data", VLDB 2022,
Algorithm 4. Its projection is a graphical model; here it serves any.
"""

import math
from collections.abc import Sequence

import numpy as np

from ..elementary import round_half_up
from ..privacy.items import WEIGHT_BITS, measurement_item, selection_item
from ..privacy.ledger import Ledger, Schedule, WeightedQuery, WeightedRounds
from ..queries import Query, query_of
from ..schema.schema import Attribute
from .mechanism import Answers, Round, RoundCandidate

_ROUNDS_PER_COLUMN = 16
"""Rounds per column for which the first round's shares would last."""
_SELECTION_PARTS, _MEASUREMENT_PARTS = 1, 9
"""Of a round's share, one part of ten is for the choice and nine are for the measurement."""

_RULE = (
    "Rounds annealed as in AIM (McKenna et al. 2022): each has the noise of the one before, or half of "
    "it, at four times the cost, if that one revealed no more than its noise, until the cap is spent."
)


def aim_schedule(workload: Sequence[Query], one_ways: Sequence[Query], attributes: Sequence[Attribute]) -> Schedule:
    """All one-ways first, then rounds that choose among all sets of two and more columns that lie in a set of the workload.

    A round has the share of its predecessor, four times as much where that taught nothing beyond its noise, and all that is left at the
    end.
    """
    lasting = _ROUNDS_PER_COLUMN * len(one_ways)
    return Schedule(
        first=[WeightedQuery(query, _MEASUREMENT_PARTS) for query in one_ways],
        rounds=WeightedRounds(
            score="aim",
            candidates=_closure_of(workload, attributes),
            count=lasting,
            picks=1,
            selection_weight=_SELECTION_PARTS,
            measurement_weight=_MEASUREMENT_PARTS,
            ruled_weight=(_SELECTION_PARTS + _MEASUREMENT_PARTS) * lasting - _MEASUREMENT_PARTS * len(one_ways),
            rule=_RULE,
        ),
    )


def _closure_of(workload: Sequence[Query], attributes: Sequence[Attribute]) -> list[Query]:
    """The workload, and all of its sets' subsets of two or more columns, in lexicographic order of the columns' places."""
    sets: set[tuple[int, ...]] = set()

    def add(columns: tuple[int, ...]) -> None:
        if len(columns) < 2 or columns in sets:
            return
        sets.add(columns)
        for axis in range(len(columns)):
            add(columns[:axis] + columns[axis + 1 :])

    for query in workload:
        add(query.columns)
    return [query_of(columns, attributes) for columns in sorted(sets)]


class AimRounds:
    """The rounds, decided by what the last one taught.

    Candidates are compared by w_r·(‖c − t‖₁ − √(2/π)·σ·n_r), where w_r counts the columns that the candidate shares with the workload's
    sets, σ is the noise of the measurement to come and n_r the candidate's cells. What was chosen may be chosen again, with less noise.
    """

    def __init__(self, ledger: Ledger, cap: int, workload: Sequence[Query]) -> None:
        """
        Args:
            cap: what the rounds may use altogether, in ledger units.
        """
        self._terms = ledger.terms
        self._candidates = ledger.candidates
        weights = _relative_weights(ledger.candidates, workload, len(ledger.terms.attributes))
        self._weights = [math.floor(weight * 2**WEIGHT_BITS) for weight in weights]
        selection, measurement = ledger.items[-2:]
        self._selection = selection.share
        self._measurement = measurement.share
        self._left = cap

    def next(self, chosen: Sequence[Query], answers: Answers, before: Answers) -> Round:
        """See ``Rounds``."""
        for query in chosen:
            if _distance(answers(query), before(query)) <= self._noise_distance(query, self._measurement):
                self._selection *= 4
                self._measurement *= 4
        is_last = self._left < 2 * (self._selection + self._measurement)
        if is_last:
            self._selection = self._left * _SELECTION_PARTS // (_SELECTION_PARTS + _MEASUREMENT_PARTS)
            self._measurement = self._left - self._selection
        self._left -= self._selection + self._measurement
        item = selection_item(self._candidates, "aim", 1, self._selection, self._terms)
        candidates = [
            RoundCandidate(number, weight, round_half_up(weight * self._noise_distance(query, self._measurement)))
            for number, (query, weight) in enumerate(zip(self._candidates, self._weights, strict=True))
        ]
        return Round(item, candidates, self._measurement, is_last)

    def _noise_distance(self, query: Query, share: int) -> float:
        """√(2/π)·σ·n: the L1 distance that noise alone makes, where a measurement has this share."""
        item = measurement_item(query, share, self._terms)
        return math.sqrt((2 / math.pi) * item.noise.sigma2) * item.cells


def _relative_weights(candidates: Sequence[Query], workload: Sequence[Query], columns: int) -> list[float]:
    """For each candidate the columns that it shares with the workload's sets, all sets together, divided by the largest such number."""
    degrees = [0] * columns
    for query in workload:
        for column in query.columns:
            degrees[column] += 1
    shared = [sum(degrees[column] for column in query.columns) for query in candidates]
    most = max(shared)
    return [count / most for count in shared]


def _distance(a: np.ndarray, b: np.ndarray) -> int:
    return int(np.abs(a.astype(np.int64) - b).sum())

"""The answers of synthetic rows, beside the noisy ones that they were searched for."""

from collections.abc import Sequence

import numpy as np

from ..elementary import rounded_half_up, total_of
from ..engine import RowAnswers
from ..queries import Measurement, Query, group_of_cells
from ..schema.schema import Attribute

_MOST_TARGET = 2**30
"""The largest integer that a selection's targets may be."""


class SyntheticAnswers:
    """The answers of synthetic rows, as counts of a table of another size."""

    def __init__(self, attributes: Sequence[Attribute], codes: Sequence[np.ndarray]) -> None:
        """
        Args:
            codes: one u16 array an attribute, equally long, 1 or more.
        """
        self._answers = RowAnswers(attributes, codes)

    def of(self, query: Query, total: float) -> np.ndarray:
        """A query's answers as counts of a table of ``total`` rows, rounded: int32, 0 … 2^30."""
        counts = self._answers.of(query) * (total / self._answers.rows)
        return np.minimum(_MOST_TARGET, rounded_half_up(counts)).astype(np.int32)


def noise_ratio(
    attributes: Sequence[Attribute], codes: Sequence[np.ndarray], measurements: Sequence[Measurement], total: float
) -> float:
    """How far rows are from the noisy answers, in units of what noise alone makes of it.

    That is Σ (answer of the rows − noisy answer)² ÷ Σ σ² over all cells measured. The true rows come to about 1, by the law of the noise
    alone; rows that cannot answer everything at once come to more, rows that answer the noise too to less. Post-processing of noisy
    answers.

    Args:
        codes: one u16 array an attribute, equally long, 1 or more.
        total: the number of rows that the answers count: those of the rows are scaled to it.
    """
    rows = RowAnswers(attributes, codes)
    scale = total / rows.rows
    squares = 0.0
    variance = 0.0
    for measurement in measurements:
        off = scale * _counts_of(rows, measurement) - measurement.answers
        squares = total_of(np.concatenate(([squares], off * off)))
        variance += measurement.sigma2 * measurement.answers.size
    return squares / variance


def _counts_of(rows: RowAnswers, measurement: Measurement) -> np.ndarray:
    """The rows' own counts for a measurement, by groups of codes where it was measured by groups."""
    query = measurement.query
    counts = rows.of(query.by_code)
    if query.groups is None:
        return counts
    return np.bincount(group_of_cells(query, rows.attributes), weights=counts, minlength=measurement.answers.size)

"""N̂, the number of rows; and counts that sum to it."""

from collections.abc import Sequence

import numpy as np

from ..queries import Measurement, shapes_of
from ..schema.schema import Attribute


def estimate_total(measurements: Sequence[Measurement], attributes: Sequence[Attribute]) -> float:
    """Every partition of every measurement sums to N̂ with variance cells · σ²: their mean weighted by inverse variance.

    Post-processing of noisy answers. May be negative where the noise is larger than the table.
    """
    weights = 0.0
    total = 0.0
    for measurement in measurements:
        start = 0
        for shape in shapes_of(measurement.query, attributes):
            cells = int(np.prod(shape, dtype=np.int64))
            weight = 1 / (cells * measurement.sigma2)
            weights += weight
            # Whole numbers below 2^53, so that the order does not matter.
            total += weight * int(measurement.answers[start : start + cells].sum(dtype=np.int64))
            start += cells
    return total / weights


def project_on_simplex(values: np.ndarray, total: float) -> np.ndarray:
    """The point of { x ≥ 0, Σx = total } nearest to ``values``: all values lowered by one threshold, negative ones set to 0."""
    descending = np.sort(values)[::-1]
    candidates = (np.add.accumulate(descending) - total) / np.arange(1, values.size + 1)
    beyond = np.flatnonzero(candidates >= descending)
    kept = beyond[0] if beyond.size else values.size
    threshold = candidates[kept - 1] if kept else 0.0
    return np.maximum(0.0, values - threshold)

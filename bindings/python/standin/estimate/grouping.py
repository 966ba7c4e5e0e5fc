"""The resolution at which a noisy table lets something be seen."""

from collections.abc import Sequence

import numpy as np

from ..elementary import total_of
from ..queries import Query, sizes_of
from ..schema.schema import Attribute

_MOST_NOISE = 0.3
"""Noise of all cells of a table together, as a part of its rows, that is still worth measuring every cell."""
_LEAST_GROUPS = 20
"""Columns with no more codes than this stay as they are."""


def grouped(
    query: Query, attributes: Sequence[Attribute], one_ways: Sequence[np.ndarray], total: float, sigma: float
) -> Query:
    """The marginal on groups of the codes of its larger columns, of about equal size, neighbours where they are ordered.

    Only where its cells are too many for the table's rows. Post-processing of noisy one-ways, so that the choice costs nothing.

    Args:
        one_ways: for each attribute the estimated counts of its codes.
        total: the estimated number of rows.
        sigma: the standard deviation of the noise on each cell.
    """
    sizes = sizes_of(query.columns, attributes)
    wanted = [int(count[0]) for count in resolution(query, attributes, total, np.array([sigma]))]
    if wanted == list(sizes):
        return query
    groups = tuple(
        _groups_of(attributes[column], one_ways[column], count) if count < size else None
        for column, size, count in zip(query.columns, sizes, wanted, strict=True)
    )
    return Query(query.kind, query.columns, groups)


def resolution(query: Query, attributes: Sequence[Attribute], total: float, sigma: np.ndarray) -> list[np.ndarray]:
    """How many codes, or groups of them, each axis of a query has where the noise has these deviations: a float64 array an axis.

    Fewer than its codes in marginals of two columns only.
    """
    sizes = sizes_of(query.columns, attributes)
    if query.kind != "marginal" or len(sizes) != 2 or max(sizes) <= _LEAST_GROUPS:
        return [np.full(sigma.shape, float(size)) for size in sizes]
    # Sizes with a product of at most so many cells, the larger one lowered first.
    cells = (_MOST_NOISE * total) / sigma
    common = np.floor(np.maximum(np.sqrt(cells), cells / min(sizes)))
    return [np.minimum(size, np.maximum(_LEAST_GROUPS, common)) for size in sizes]


def _groups_of(attribute: Attribute, counts: np.ndarray, count: int) -> tuple[int, ...]:
    """For each code its group, of at most ``count`` (with missing, one of its own, at most count + 1)."""
    values = counts[: attribute.size - attribute.missing]
    groups = _runs(values, count) if attribute.ordered else _largest(values, count)
    return (*groups, max(groups) + 1) if attribute.missing else tuple(groups)


def _runs(counts: np.ndarray, most: int) -> list[int]:
    """Runs of neighbours, each closed when it holds its part of what is left."""
    left = total_of(counts)
    group = 0
    held = 0.0
    groups = []
    for count in counts.tolist():
        if held > 0 and group < most - 1 and held + count / 2 > left / (most - group):
            left -= held
            held = 0.0
            group += 1
        held += count
        groups.append(group)
    return groups


def _largest(counts: np.ndarray, most: int) -> list[int]:
    """The largest codes by themselves, and the rest together."""
    ranks = np.empty(counts.size, dtype=np.int64)
    ranks[np.argsort(-counts, kind="stable")] = np.arange(counts.size)
    return np.minimum(ranks, most - 1).tolist()

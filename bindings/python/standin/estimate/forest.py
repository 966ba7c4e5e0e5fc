"""Which column leans on which: the start of a search."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..elementary import total_of
from ..queries import Query
from .estimates import Estimates

_Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Leaning:
    """A column and what it leans on: nothing, or a column before it.

    ``weights`` is how frequent its codes are, 0 or more: float64, the counts of each, or for each code of the parent the counts of each.
    """

    column: int
    parent: int | None
    weights: np.ndarray


def dependence_forest(estimates: Estimates, queries: Sequence[Query]) -> list[Leaning]:
    """All columns, each after the one that it leans on: the forest of the measured pairs with the largest interactions in all.

    Kruskal's; the trees of Chow and Liu, "Approximating discrete probability distributions with dependence trees", 1968, but the
    interaction is measured by its L1 norm, which takes no logarithm. Rows drawn along it have these pairs, and of pairs that nobody
    measured what they imply. A pair is no edge where its interaction is less than a row.
    """
    one_ways = estimates.one_ways()
    strengths = [(pair, _interaction(pair, estimates, one_ways)) for pair in _pairs_of(queries)]
    strongest = sorted(((pair, strength) for pair, strength in strengths if strength >= 1), key=lambda edge: -edge[1])
    neighbours = _spanning_forest((pair for pair, _ in strongest), len(one_ways))
    leaning: list[Leaning] = []
    seen: set[int] = set()
    # Depth first: each column, then what hangs on its first neighbour, then on its next.
    for root in range(len(one_ways)):
        waiting: list[tuple[int, int | None]] = [(root, None)]
        while waiting:
            column, parent = waiting.pop()
            if column in seen:
                continue
            seen.add(column)
            weights = one_ways[column] if parent is None else _conditional(column, parent, estimates)
            leaning.append(Leaning(column, parent, weights))
            waiting += [(following, column) for following in reversed(neighbours[column])]
    return leaning


def _pairs_of(queries: Sequence[Query]) -> list[_Pair]:
    """The pairs of columns that some query has both of, each once."""
    return list(dict.fromkeys(pair for query in queries for pair in itertools.combinations(query.columns, 2)))


def _interaction(pair: _Pair, estimates: Estimates, one_ways: Sequence[np.ndarray]) -> float:
    """Σ |count − what independent columns would have| over the cells of a pair."""
    independent = np.multiply.outer(one_ways[pair[0]], one_ways[pair[1]]).ravel() / estimates.total
    return total_of(np.abs(estimates.table(pair) - independent))


def _spanning_forest(edges: Iterable[_Pair], columns: int) -> list[list[int]]:
    """For each column the columns that it has an edge with, of the first edges that close no circle."""
    neighbours: list[list[int]] = [[] for _ in range(columns)]
    tree = list(range(columns))

    def root_of(column: int) -> int:
        while tree[column] != column:
            column = tree[column]
        return column

    for one, other in edges:
        if root_of(one) == root_of(other):
            continue
        tree[root_of(one)] = root_of(other)
        neighbours[one].append(other)
        neighbours[other].append(one)
    return neighbours


def _conditional(column: int, parent: int, estimates: Estimates) -> np.ndarray:
    """The counts of a column's codes for each code of another, none below 0."""
    if parent < column:
        return np.maximum(0.0, estimates.table((parent, column)))
    codes, parents = (estimates.attributes[one].size for one in (column, parent))
    return np.maximum(0.0, estimates.table((column, parent)).reshape(codes, parents).T.ravel())

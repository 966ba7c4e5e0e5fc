"""What a query is: a vector of counts over one set of columns; and which queries a workload has."""

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .errors import StandinError
from .layout import MAX_ORDER, TREE_LEVELS
from .schema.schema import Attribute

Workload = str | Sequence[Sequence[str]]
"""What to be right about: ``"2-way"`` (all sets of exactly k modelled columns, or of all where there are fewer) or the sets."""

_MOST_SETS = 1_000_000
"""The most column sets of one workload: each has its own share of the budget, and its own tables in the search."""


@dataclass(frozen=True, slots=True)
class Query:
    """Counts over a set of columns (places among the schema's attributes, ascending).

    A ``marginal`` has a cell for each combination of codes, a ``tree`` (a set with a tree column) the same at each level of the
    trees, ``total`` a single cell. ``groups``, of a marginal only, has for each axis the group, 0 up without gaps, of each code,
    where its cells are groups of codes, and None where they are the codes themselves: still one partition of the rows.
    """

    kind: Literal["marginal", "tree", "total"]
    columns: tuple[int, ...]
    groups: tuple[tuple[int, ...] | None, ...] | None = None

    @property
    def by_code(self) -> "Query":
        """The same counts, ungrouped."""
        return Query(self.kind, self.columns)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Noisy answers to a query: int32, row-major, level after level for a tree, each with noise of variance ``sigma2``."""

    query: Query
    answers: np.ndarray
    sigma2: float


def query_of(columns: Sequence[int], attributes: Sequence[Attribute]) -> Query:
    """The query class that a set of columns has: a tree where one of them is a tree column."""
    return Query("tree" if any(attributes[column].tree for column in columns) else "marginal", tuple(columns))


def sizes_of(columns: Sequence[int], attributes: Sequence[Attribute]) -> tuple[int, ...]:
    """How many codes the columns have."""
    return tuple(attributes[column].size for column in columns)


def shapes_of(query: Query, attributes: Sequence[Attribute]) -> list[tuple[int, ...]]:
    """The shape of each partition that the query's answers consist of, in the order of the answers.

    A tree is one partition a level, coarse first (the binary tree marginals of Liu et al. 2023): at level l a tree column has its
    2^l intervals, then missing where it may be; other columns keep their codes.
    """
    if query.kind == "total":
        return [()]
    axes = [attributes[column] for column in query.columns]
    if query.kind == "tree":
        return [
            tuple(2**level + axis.missing if axis.tree else axis.size for axis in axes)
            for level in range(1, TREE_LEVELS + 1)
        ]
    groups = query.groups or (None,) * len(axes)
    return [tuple(axis.size if of is None else max(of) + 1 for axis, of in zip(axes, groups, strict=True))]


def partitions_of(query: Query) -> int:
    """How many partitions of the rows the query's answers are."""
    return TREE_LEVELS if query.kind == "tree" else 1


def cells_of(query: Query, attributes: Sequence[Attribute]) -> int:
    """The number of answers, all partitions together."""
    return sum(math.prod(shape) for shape in shapes_of(query, attributes))


def grouped_attributes(query: Query, attributes: Sequence[Attribute]) -> Sequence[Attribute]:
    """The attributes as a grouped marginal sees them: the codes of its columns are its groups."""
    if query.groups is None:
        return attributes
    seen = list(attributes)
    for column, size in zip(query.columns, shapes_of(query, attributes)[0], strict=True):
        axis = attributes[column]
        seen[column] = Attribute(axis.name, size, axis.tree, axis.missing, axis.ordered)
    return seen


def group_of_cells(query: Query, attributes: Sequence[Attribute]) -> np.ndarray:
    """For each combination of codes, in order, the cell of the grouped marginal that it is in (intp)."""
    [shape] = shapes_of(query, attributes)
    groups = query.groups or (None,) * len(shape)
    cells = np.zeros(1, dtype=np.intp)
    for column, of, count in zip(query.columns, groups, shape, strict=True):
        codes = np.arange(attributes[column].size) if of is None else np.asarray(of, dtype=np.intp)
        cells = (cells[:, None] * count + codes).ravel()
    return cells


def workload_queries(workload: Workload, attributes: Sequence[Attribute]) -> list[Query]:
    """The queries of a workload, in a fixed order; repeated and permuted sets are merged.

    Sets are in lexicographic order of the columns' places in the schema for k-way, as given for a list.

    Raises:
        StandinError: ``workload/…``: not a workload, no modelled column, an unknown column, a column twice in one set, too many sets.
    """
    if not attributes:
        raise StandinError(
            "workload/no-columns",
            "The schema models no column, so there is nothing to measure.",
            'Give at least one field the role "model".',
        )
    sets = _all_of(workload, len(attributes)) if isinstance(workload, str) else _listed(workload, attributes)
    return [query_of(columns, attributes) for columns in sets]


def _all_of(workload: str, columns: int) -> list[tuple[int, ...]]:
    asked = re.fullmatch(r"([1-9][0-9]*)-way", workload)
    if not asked or int(asked[1]) > MAX_ORDER:
        raise StandinError(
            "workload/unknown",
            f'"{workload}" is not a workload.',
            f'Use "1-way", "2-way", … "{MAX_ORDER}-way", or a list of column sets such as [["age", "sex"], ["age"]].',
        )
    order = min(int(asked[1]), columns)
    count = math.comb(columns, order)
    if count > _MOST_SETS:
        raise StandinError(
            "workload/too-large",
            f"The workload {workload} of {columns} columns has {count:,} column sets; at most {_MOST_SETS:,} can be measured.",
            "Leave columns out (role drop), list the sets that matter, or use a smaller workload.",
        )
    return list(itertools.combinations(range(columns), order))


def _listed(sets: Sequence[Sequence[str]], attributes: Sequence[Attribute]) -> list[tuple[int, ...]]:
    def is_list(value: object) -> bool:
        return isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 0

    if not is_list(sets) or not all(map(is_list, sets)):
        raise StandinError(
            "workload/unknown",
            "A workload is a list of column sets with at least one column each.",
            'Write it as [["age", "sex"], ["age", "income"]].',
        )
    return list(dict.fromkeys(_places_of(names, attributes) for names in sets))


def _places_of(names: Sequence[str], attributes: Sequence[Attribute]) -> tuple[int, ...]:
    known = [attribute.name for attribute in attributes]
    for name in names:
        if name not in known:
            raise StandinError(
                "workload/unknown-column",
                f'The workload names the column "{name}", which the schema does not model.',
                f"Modelled columns: {', '.join(known)}.",
            )
    columns = sorted(known.index(name) for name in names)
    for column, following in itertools.pairwise(columns):
        if column == following:
            raise StandinError(
                "workload/column-twice",
                f'The column set [{", ".join(names)}] names "{known[column]}" twice.',
                "Name each column of a set once.",
            )
    if len(columns) > MAX_ORDER:
        raise StandinError(
            "workload/too-many-columns",
            f"The column set [{', '.join(names)}] has {len(columns)} columns; at most {MAX_ORDER} can be measured together.",
            "Split it into smaller sets.",
        )
    return tuple(columns)

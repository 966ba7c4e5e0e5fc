"""What the rows most likely answer, from all noisy answers: fitting these themselves would fit their noise."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from ..engine import Instance, query_struct
from ..queries import Measurement, Query, cells_of, group_of_cells, grouped_attributes, query_of, sizes_of
from ..schema.schema import Attribute
from .total import project_on_simplex

_LEAST_ORDERED = 13
"""Columns of fewer ordered codes have too few Haar coefficients to tell what is noise."""
_ROUNDS = 5
"""Rounds of fitting a table to its margins: they contradict each other a little, so that more would gain nothing."""
_ROUNDS_OF_PAIRS = 1
"""Single columns contradict each other in nothing: the first round gives their product."""

_Columns = tuple[int, ...]


class Estimates:
    """Each set of columns has one estimate.

    That is what its margins imply (the estimates of the sets with a column less; of one column: its values are equally frequent), and of
    all that was measured about it what stands out of the noise. Made in an engine of its own. Post-processing: noisy answers and public
    facts alone.
    """

    def __init__(self, measurements: Sequence[Measurement], attributes: Sequence[Attribute], total: float) -> None:
        """
        Args:
            total: the common number of rows, positive.
        """
        self.attributes = attributes
        self.total = float(total)
        self._instance = Instance()
        self._tables: dict[_Columns, np.ndarray] = {}
        self._having: dict[_Columns, list[Measurement]] = {}
        """For each set of columns the measurements that have them all, in their order."""
        for measurement in measurements:
            columns = measurement.query.columns
            for size in range(1, len(columns) + 1):
                for subset in itertools.combinations(columns, size):
                    self._having.setdefault(subset, []).append(measurement)

    def one_ways(self) -> list[np.ndarray]:
        """For each attribute its codes' expected counts, non-negative, summing to the total: float64.

        An attribute that nothing measured is uniform over its values, never missing.
        """
        return [self.table((column,)) for column in range(len(self.attributes))]

    def answers(self, query: Query) -> np.ndarray:
        """The expected answers to a query, in counts, in the order of answers; to a grouped one those of the codes in the groups.

        Of several columns they may be below 0, where rows should have none: lifted to 0 they would ask for more rows than there are.
        """
        if query.kind == "total":
            return np.array([self.total])
        return self._levels(query, self.table(query.columns))

    def implied(self, query: Query) -> np.ndarray:
        """The answers that a query's margins imply: what to expect of tables about which nothing more is known; none below 0."""
        return self._levels(query, self._implied(query.columns))

    def table(self, columns: _Columns) -> np.ndarray:
        """The estimated counts of the combinations of some columns' codes (of a tree: leaves), row-major."""
        known = self._tables.get(columns)
        if known is None:
            implied = self._uniform(columns[0]) if len(columns) == 1 else self._implied(columns)
            known = self._tables[columns] = self._measured(columns, implied)
        return known

    def _uniform(self, column: int) -> np.ndarray:
        axis = self.attributes[column]
        values = axis.size - axis.missing
        return np.where(np.arange(axis.size) < values, self.total / values, 0.0)

    def _implied(self, columns: _Columns) -> np.ndarray:
        margins = [self.table(columns[:axis] + columns[axis + 1 :]) for axis in range(len(columns))]
        cells = math.prod(sizes_of(columns, self.attributes))
        engine = self._instance
        sizes = (4 * len(margins), 8 * cells, 8 * cells)
        struct = self._struct(columns, self.attributes)
        with engine.borrow(*sizes, struct, *margins) as [places, table, scratch, query, *pointers]:
            engine.view(places, len(margins), np.uint32)[:] = pointers
            rounds = _ROUNDS_OF_PAIRS if len(columns) == 2 else _ROUNDS
            engine.call("fitMargins", query, table, places, rounds, scratch)
            return engine.view(table, cells, np.float64).copy()

    def _measured(self, columns: _Columns, table: np.ndarray) -> np.ndarray:
        """What was measured about a set of columns added to what is implied: first by groups of codes, then code by code."""
        measured = self._having.get(columns, [])
        for measurement in measured:
            if measurement.query.groups and len(measurement.query.columns) == len(columns):
                table = self._by_groups(measurement, table)
        telling = [measurement for measurement in measured if _has_codes(measurement.query, columns)]
        if not telling:
            return table
        shrunk = self._shrunk(columns, self.attributes, table, telling)
        return project_on_simplex(shrunk, self.total) if len(columns) == 1 else shrunk

    def _by_groups(self, measurement: Measurement, table: np.ndarray) -> np.ndarray:
        """A table after a marginal of groups of its codes was measured: each group's cells scaled to its estimate."""
        query = measurement.query
        groups = group_of_cells(query, self.attributes)
        # bincount adds from the first cell to the last.
        held = np.bincount(groups, weights=table, minlength=measurement.answers.size)
        shrunk = self._shrunk(query.columns, grouped_attributes(query, self.attributes), held, [measurement])
        factors = np.divide(shrunk, held, out=np.zeros_like(held), where=held > 0)
        return table * factors[groups]

    def _shrunk(
        self,
        columns: _Columns,
        attributes: Sequence[Attribute],
        implied: np.ndarray,
        measurements: Sequence[Measurement],
    ) -> np.ndarray:
        """
        Args:
            attributes: with the codes, or groups of them, that the table and the measurements have in these columns.
        """
        engine = self._instance
        cells = implied.size
        ordered = np.array([_ordered_codes(attributes[column]) for column in columns], dtype=np.uint32)
        pieces = (self._struct(columns, attributes), ordered, implied, 8 * cells, 8 * cells, 8 * (3 * cells + 1))
        with engine.borrow(*pieces) as [margin, order, table, sums, precisions, scratch]:
            for measurement in measurements:
                query = measurement.query
                seen = self._struct(query.columns, grouped_attributes(query, self.attributes))
                with engine.borrow(seen, measurement.answers) as [struct, answers]:
                    engine.call("addMargin", struct, margin, answers, measurement.sigma2, sums, precisions, scratch)
            engine.call("shrinkTable", margin, order, table, sums, precisions, scratch)
            return engine.view(table, cells, np.float64).copy()

    def _levels(self, query: Query, finest: np.ndarray) -> np.ndarray:
        """All levels of a tree, from its finest."""
        if query.kind != "tree":
            return finest
        engine = self._instance
        levels = np.zeros(cells_of(query, self.attributes))
        levels[-finest.size :] = finest
        with engine.borrow(query_struct(query, self.attributes), levels) as [struct, answers]:
            engine.call("estimateLevels", struct, answers)
            return engine.view(answers, levels.size, np.float64).copy()

    def _struct(self, columns: _Columns, attributes: Sequence[Attribute]) -> np.ndarray:
        return query_struct(query_of(columns, attributes), attributes)


def _has_codes(query: Query, columns: _Columns) -> bool:
    """Whether the query tells the codes of these of its columns apart."""
    return query.groups is None or all(query.groups[query.columns.index(column)] is None for column in columns)


def _ordered_codes(attribute: Attribute) -> int:
    """How many of an attribute's codes, from the first, are ordered and enough to be shrunk as such; else 0."""
    values = attribute.size - attribute.missing
    return values if attribute.ordered and not attribute.tree and values >= _LEAST_ORDERED else 0

"""The combinations of values that a list allows for some columns."""

from collections.abc import Sequence

import numpy as np


class Combinations:
    """Combinations of stored codes.

    A missing cell is a value like any other in a column in which the list has one; a row that is missing in another column has no
    combination to be held against the list.
    """

    def __init__(self, rows: Sequence[tuple[int, ...]], missing: Sequence[int | None]) -> None:
        """:param missing: each column's missing code, where it has one"""
        self.rows = rows
        """One tuple of stored codes a combination, in the columns' order."""
        self._listed = frozenset(rows)
        columns = [set(column) for column in zip(*rows, strict=True)]
        self._exempt = [None if code in column else code for code, column in zip(missing, columns, strict=True)]
        """For each column the missing code, where a cell of it takes a row out of the list's reach."""

    def holds(self, codes: tuple[int | None, ...]) -> bool:
        """Whether a row is in the list, or out of its reach."""
        return codes in self._listed or self.passes(codes)

    def passes(self, codes: tuple[int | None, ...]) -> bool:
        """Whether a row is out of the list's reach, as far as its codes are known; ``None`` for one that is not."""
        return any(missing is not None and code == missing for code, missing in zip(codes, self._exempt, strict=True))

    def broken(self, stored: Sequence[np.ndarray]) -> np.ndarray:
        """For each row, given the stored codes of each column, whether it is neither in the list nor out of its reach."""
        rows = zip(*(column.tolist() for column in stored), strict=True)
        return ~np.fromiter(map(self.holds, rows), bool, len(stored[0]))

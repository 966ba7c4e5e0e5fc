"""Synthetic rows that satisfy the constraints of linked columns."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .axis import NumberAxis
from .linked import Linked
from .solver import Bounds, Solver, pick

_REDRAW_TRIES = 64
"""The most values that are tried to draw one row again."""

_MOST_DONORS = 65_536
"""The most rows among which donors are looked for."""

_MOST_COMPARISONS = 2**22
_LEAST_KINDS = 1024
"""The most comparisons of kinds of rows with kinds of donors, though always with this many kinds of donors."""


class Cells(NamedTuple):
    """The cells of synthetic rows in linked columns, an array a column."""

    stored: Sequence[np.ndarray]
    """The stored codes: values, which are changed."""
    codes: Sequence[np.ndarray]
    """The codes as which queries see them: the bins from which they were drawn. They follow the values where these leave their bins."""
    words: Sequence[np.ndarray]
    """Random words, one a row."""

    def kind(self, row: int) -> tuple[int, ...]:
        """What the row has in common with others: its codes."""
        return tuple(int(column[row]) for column in self.codes)


def enforce_linked(linked: Linked, cells: Cells) -> None:
    """Changes the values of synthetic rows until all of them satisfy the constraints of linked columns.

    A row that does not gets, in this order: totals that fit, where they stay within their bins; new values from the bins of its linked
    columns; totals that fit, wherever they are; all linked cells of another row that satisfies the constraints, one of those nearest to it;
    the witness, where there is no such row. Other rows stay as they are. The result depends on the arguments alone: the real table takes no
    part.
    """
    broken = np.flatnonzero(linked.broken(cells.stored))
    _derive(linked, cells, broken, inside=True)
    broken = _redraw(linked, cells, _still_broken(linked, cells, broken))
    _derive(linked, cells, broken, inside=False)
    _transplant(linked, cells, _still_broken(linked, cells, broken))


def _still_broken(linked: Linked, cells: Cells, rows: np.ndarray) -> np.ndarray:
    return rows[linked.broken([column[rows] for column in cells.stored])]


def _derive(linked: Linked, cells: Cells, rows: np.ndarray, inside: bool) -> None:
    """Gives the totals of rows the sums of their parts, where they have these numbers: only inside the totals' bins, or anywhere."""
    sums = [linked.places(constraint) for constraint in linked.constraints if constraint.kind == "sum"]
    for total, *parts in _parts_first(sums):
        axis = linked.axes[total]
        assert isinstance(axis, NumberAxis)
        stored = [column[rows] for column in cells.stored]
        numbers = sum(linked.numbers(part, stored) for part in parts)
        for row, number in zip(rows.tolist(), np.asarray(numbers).tolist(), strict=True):
            run = axis.run(int(cells.codes[total][row]))
            if run is None or number != number:
                continue
            position = axis.first_from(int(number))
            if position >= axis.length or axis.number(position) != number:
                continue
            leaves = not run[0] <= position <= run[1]
            if leaves and inside:
                continue
            cells.stored[total][row] = axis.stored(position)
            if leaves:
                cells.codes[total][row] = axis.code(axis.stored(position))


def _parts_first(sums: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Sums (a total, then its parts) in an order in which parts that are totals themselves come first, as far as there is one."""
    left = list(sums)
    ordered = []
    while left:
        totals = {total for total, *_ in left}
        ready = next((each for each in left if totals.isdisjoint(each[1:])), left[0])
        ordered.append(ready)
        left.remove(ready)
    return ordered


def _redraw(linked: Linked, cells: Cells, rows: np.ndarray) -> np.ndarray:
    """Draws the values of rows again, inside their bins. Gives the rows for which none that satisfy the constraints were found there."""
    solver = Solver(linked.problem)
    hopeless: set[tuple[int, ...]] = set()
    left = []
    for row in rows.tolist():
        kind = cells.kind(row)
        found = None if kind in hopeless else _solved(solver, linked, cells, row, kind)
        if not found:
            hopeless.add(kind)
            left.append(row)
            continue
        for column, axis, position in zip(cells.stored, linked.axes, found.first, strict=True):
            if position is not None:
                column[row] = axis.stored(position)
    return np.array(left, np.int64)


def _solved(solver: Solver, linked: Linked, cells: Cells, row: int, kind: tuple[int, ...]) -> Bounds | None:
    """Values of a row from the bins of its cells."""
    first: list[int | None] = []
    last: list[int] = []
    for axis, code, stored in zip(linked.axes, kind, cells.stored, strict=True):
        begin, end = axis.run(code) or (None, int(stored[row]))
        first.append(begin)
        last.append(end)
    return solver.solve(Bounds(first, last), lambda column: int(cells.words[column][row]), _REDRAW_TRIES)


def _transplant(linked: Linked, cells: Cells, rows: np.ndarray) -> None:
    """Gives each of some rows the linked cells of one of the other rows nearest to it, or the witness."""
    kinds = _grouped(rows, cells)
    if not kinds:
        return
    others = np.setdiff1d(np.arange(len(cells.stored[0])), rows)[:_MOST_DONORS]
    donors = _Donors(_grouped(others, cells), linked, cells, searches=len(kinds))
    for kind in kinds:
        near = donors.nearest(kind[0])
        for row in kind:
            donor = near[pick(len(near), int(cells.words[0][row]))] if len(near) else None
            for column, value in zip(cells.stored, linked.witness, strict=True):
                column[row] = value if donor is None else column[donor]


def _grouped(rows: np.ndarray, cells: Cells) -> list[list[int]]:
    """Rows in groups with the same codes, in the order of first appearance."""
    groups: dict[tuple[int, ...], list[int]] = {}
    codes = zip(*(column[rows].tolist() for column in cells.codes), strict=True)
    for row, kind in zip(rows.tolist(), codes, strict=True):
        groups.setdefault(kind, []).append(row)
    return list(groups.values())


class _Donors:
    """Rows that satisfy the constraints, in groups with the same codes, to be found by their codes."""

    def __init__(self, groups: Sequence[Sequence[int]], linked: Linked, cells: Cells, searches: int) -> None:
        """:param searches: how often the nearest will be asked for: the more, the fewer groups are kept"""
        self._groups = groups[: max(_LEAST_KINDS, _MOST_COMPARISONS // searches)]
        self._cells = cells
        firsts = [group[0] for group in self._groups]
        self._codes = [column[firsts] for column in cells.codes]
        self._axes = linked.axes

    def nearest(self, row: int) -> np.ndarray:
        """The rows of the groups that differ from a row in the fewest columns.

        A cell without a value and one with it differ as much as all columns.
        """
        here = [column[[row]] for column in self._cells.codes]
        distances = np.zeros(len(self._groups), np.int64)
        for axis, own, theirs in zip(self._axes, here, self._codes, strict=True):
            differs = np.where(axis.blanks(own) == axis.blanks(theirs), 1, len(self._axes))
            distances += np.where(own == theirs, 0, differs)
        least = distances.min(initial=len(self._axes) ** 2)
        near = np.flatnonzero(distances == least)
        if least < len(self._axes):
            near = _by_shared_code(near, here, self._codes)
        return np.array([donor for group in near.tolist() for donor in self._groups[group]], np.int64)


def _by_shared_code(groups: np.ndarray, here: Sequence[np.ndarray], codes: Sequence[np.ndarray]) -> np.ndarray:
    """Groups that share a code with a row, in the order of the first column in which they do."""
    shares = np.array([own == theirs[groups] for own, theirs in zip(here, codes, strict=True)])
    return groups[np.argsort(shares.argmax(axis=0), kind="stable")]

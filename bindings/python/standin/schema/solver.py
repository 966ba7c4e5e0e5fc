"""Values within bounds that satisfy constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .axis import Axis, NumberAxis
from .combinations import Combinations

_MOST_ROUNDS = 32
"""Rounds of narrowing after which bounds are taken as they are; choices finish what they leave open."""


class Problem(NamedTuple):
    """The constraints of columns that they link, by the columns' places in the solver."""

    axes: Sequence[Axis]
    orders: Sequence[tuple[int, int]]
    """A lower and an upper column."""
    sums: Sequence[tuple[int, ...]]
    """A total and its parts."""
    lists: Sequence[tuple[Sequence[int], Combinations]]


class Bounds(NamedTuple):
    """What each column may be: the positions ``first`` … ``last`` on its axis; or, where ``first`` is ``None``, the one stored code in
    ``last``, which has no position."""

    first: list[int | None]
    last: list[int]

    def copy(self) -> Bounds:
        return Bounds(self.first.copy(), self.last.copy())


class _NothingLeftError(Exception):
    """A column has no value left."""


class Solver:
    """Looks for values within bounds that satisfy constraints, for one thread.

    Combinations are tried in their lists' order from a random one on; then numbers are chosen, those of the widest steps first, each from its
    bounds as the choices before it narrow them. Orders alone never fail after their bounds are narrowed: all least values satisfy them.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        axes = problem.axes
        self._order = sorted(range(len(axes)), key=lambda column: -axes[column].step)
        self._numbers = {column: axis for column, axis in enumerate(axes) if isinstance(axis, NumberAxis)}
        self._words: Callable[[int], int] = lambda _: 0
        self._left = 0

    @property
    def exhausted(self) -> bool:
        """Whether the last search gave up before it had tried everything."""
        return self._left < 0

    def solve(self, bounds: Bounds, words: Callable[[int], int], effort: int) -> Bounds | None:
        """Values within bounds that satisfy all constraints, as bounds of one value each; ``None`` where none were found.

        :param words: a random word of 32 bits for each column
        :param effort: the most combinations and values to try
        """
        self._words = words
        self._left = effort
        return self._choose_combinations(bounds, 0)

    def _may_try(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def _choose_combinations(self, bounds: Bounds, at: int) -> Bounds | None:
        if at == len(self._problem.lists):
            narrowed = self._narrowed(bounds)
            return narrowed and self._choose_numbers(narrowed)
        columns, combinations = self._problem.lists[at]
        codes = tuple(self._only(bounds, column) for column in columns)
        if combinations.passes(codes):
            return self._choose_combinations(bounds, at + 1)
        if None not in codes:
            return self._choose_combinations(bounds, at + 1) if combinations.holds(codes) else None
        rows = combinations.rows
        begin = pick(len(rows), self._words(columns[0]))
        for tried in range(len(rows)):
            if not self._may_try():
                break
            taken = self._taken(bounds, columns, rows[(begin + tried) % len(rows)])
            found = taken and self._choose_combinations(taken, at + 1)
            if found:
                return found
        return None

    def _only(self, bounds: Bounds, column: int) -> int | None:
        """The only stored code that a column may still have; ``None`` where it may have several."""
        first, last = bounds.first[column], bounds.last[column]
        if first is None:
            return last
        return self._problem.axes[column].stored(first) if first == last else None

    def _taken(self, bounds: Bounds, columns: Sequence[int], row: Sequence[int]) -> Bounds | None:
        """Bounds of a combination's values; ``None`` where it does not lie within the bounds."""
        taken = bounds.copy()
        for column, stored in zip(columns, row, strict=True):
            first, last = bounds.first[column], bounds.last[column]
            if first is None:
                if last != stored:
                    return None
                continue
            position = self._problem.axes[column].position(stored)
            if not first <= position <= last:
                return None
            taken.first[column] = taken.last[column] = position
        return taken

    def _choose_numbers(self, bounds: Bounds) -> Bounds | None:
        column = self._first_open(bounds)
        if column is None:
            return bounds
        first = bounds.first[column] or 0
        count = bounds.last[column] - first + 1
        begin = pick(count, self._words(column))
        tried = 0
        while tried < count and self._may_try():
            chosen = bounds.copy()
            chosen.first[column] = chosen.last[column] = first + (begin + tried) % count
            narrowed = self._narrowed(chosen)
            found = narrowed and self._choose_numbers(narrowed)
            if found:
                return found
            tried += 1
        return None

    def _first_open(self, bounds: Bounds) -> int | None:
        """The column of the widest steps that may still have several values."""
        for column in self._order:
            first = bounds.first[column]
            if first is not None and first < bounds.last[column]:
                return column
        return None

    def _narrowed(self, bounds: Bounds) -> Bounds | None:
        """Bounds without the values at both ends that no values of the other columns go with; ``None`` where none are left of a column."""
        if any(first is not None and first > last for first, last in zip(*bounds, strict=True)):
            return None
        narrowed = bounds.copy()
        try:
            for _ in range(_MOST_ROUNDS):
                before = narrowed.copy()
                for lower, upper in self._problem.orders:
                    self._narrow_order(narrowed, lower, upper)
                for total, *parts in self._problem.sums:
                    self._narrow_sum(narrowed, total, parts)
                if narrowed == before:
                    break
        except _NothingLeftError:
            return None
        return narrowed

    def _narrow_order(self, bounds: Bounds, lower: int, upper: int) -> None:
        least, highest = bounds.first[lower], bounds.first[upper]
        if least is None or highest is None:
            return
        self._raise(bounds, upper, self._numbers[lower].number(least))
        self._lower(bounds, lower, self._numbers[upper].number(bounds.last[upper]))

    def _narrow_sum(self, bounds: Bounds, total: int, parts: Sequence[int]) -> None:
        columns = [total, *parts]
        if any(bounds.first[column] is None for column in columns):
            return
        least = sum(self._least(bounds, part) for part in parts)
        most = sum(self._most(bounds, part) for part in parts)
        self._raise(bounds, total, least)
        self._lower(bounds, total, most)
        total_least, total_most = self._least(bounds, total), self._most(bounds, total)
        for part in parts:
            part_least, part_most = self._least(bounds, part), self._most(bounds, part)
            self._raise(bounds, part, total_least - (most - part_most))
            self._lower(bounds, part, total_most - (least - part_least))

    def _least(self, bounds: Bounds, column: int) -> int:
        return self._numbers[column].number(bounds.first[column] or 0)

    def _most(self, bounds: Bounds, column: int) -> int:
        return self._numbers[column].number(bounds.last[column])

    def _raise(self, bounds: Bounds, column: int, least: int) -> None:
        position = self._numbers[column].first_from(least)
        if position <= (bounds.first[column] or 0):
            return
        bounds.first[column] = position
        if position > bounds.last[column]:
            raise _NothingLeftError

    def _lower(self, bounds: Bounds, column: int, most: int) -> None:
        position = self._numbers[column].last_up_to(most)
        if position >= bounds.last[column]:
            return
        bounds.last[column] = position
        if position < (bounds.first[column] or 0):
            raise _NothingLeftError


def pick(count: int, word: int) -> int:
    """A number below ``count`` from a random word; in f64, as every host of the engine has it."""
    return int(float(word) * count / 2**32)

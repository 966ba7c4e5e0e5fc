"""The values of a column that have a number, in ascending order."""

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from .categories import CategoryDomain
from .decimals import Decimal
from .field import Field
from .grid import Grid
from .stored import missing_code

MOST_NUMBER = 2**52
"""Numbers stay below this, so that sums and differences of them, and the quotients by steps, are exact in f64."""

Run = tuple[int, int] | None
"""A first and a last position; ``None`` for a code that has no number."""


class Axis(ABC):
    """Position p, 0 … length − 1, is a stored code. Stored codes without a value to compare have no position."""

    length: int
    step: float = math.inf
    """The distance between neighbouring numbers; infinite where they lie anyhow."""

    @abstractmethod
    def position(self, stored: int) -> int:
        """−1 for a stored code without a position."""

    @abstractmethod
    def stored(self, position: int) -> int:
        """The stored code at a position."""

    @abstractmethod
    def run(self, code: int) -> Run:
        """The positions of the values that queries see as this code."""

    @abstractmethod
    def code(self, stored: int) -> int:
        """The code as which queries see a stored code."""

    @abstractmethod
    def blanks(self, codes: np.ndarray) -> np.ndarray:
        """Whether codes are those of cells without a value to compare."""


class NumberAxis(Axis):
    """An axis whose values are whole numbers, ascending: missing has no position."""

    @abstractmethod
    def number(self, position: int) -> int:
        """The number at a position."""

    @abstractmethod
    def numbers(self, stored: np.ndarray) -> np.ndarray:
        """The numbers of stored codes as f64, NaN where they have none."""

    @abstractmethod
    def first_from(self, number: int) -> int:
        """The first position whose number is ``number`` or more; ``length`` where there is none."""

    @abstractmethod
    def last_up_to(self, number: int) -> int:
        """The last position whose number is ``number`` or less; −1 where there is none."""


def places_of(field: Field) -> int:
    """The fewest places behind the point that all numbers of a column have."""
    domain = field.modelled
    if domain.kind == "grid":
        return max(domain.value_at(point).trimmed().scale for point in (0, 1))
    return max(number.scale for number in _decimals(field, domain))


def number_axis(field: Field, places: int) -> NumberAxis | None:
    """A column's numbers, in units of 10^−places. ``None`` where one of them is ``MOST_NUMBER`` or more."""
    domain = field.modelled
    if domain.kind == "category":
        numbers = [number.at(places) for number in _decimals(field, domain)]
        return None if any(abs(number) >= MOST_NUMBER for number in numbers) else _CategoryAxis(numbers)
    first, second, last = (domain.value_at(point).trimmed().at(places) for point in (0, 1, domain.points - 1))
    if max(abs(first), abs(last)) >= MOST_NUMBER:
        return None
    return _GridAxis(domain, missing_code(field), first, second - first)


def plain_axis(field: Field) -> Axis:
    """The axis of a column whose values are not compared: all have positions, missing the last one, but no numbers."""
    return _PlainAxis(field)


def _decimals(field: Field, domain: CategoryDomain) -> list[Decimal]:
    """The numbers of the categories."""
    numbers = map(field.spelled.read, domain.labels)
    return [number.trimmed() for number in numbers if number is not None]


def _grid_runs(grid: Grid) -> list[tuple[int, int]]:
    """The first and the last point that decoding draws for each code."""
    firsts = np.minimum(grid.points - 1, grid.starts)
    lasts = np.maximum(firsts, grid.ends - 1)
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


class _GridAxis(NumberAxis):
    def __init__(self, grid: Grid, missing: int | None, base: int, step: int) -> None:
        self._grid = grid
        self._missing = missing
        self._base = base
        self._step = step
        self._runs = [*_grid_runs(grid), None]
        self.length = grid.points
        self.step = step

    def number(self, position: int) -> int:
        return self._base + position * self._step

    def numbers(self, stored: np.ndarray) -> np.ndarray:
        numbers = self._base + stored.astype(np.float64) * self._step
        if self._missing is not None:
            numbers[stored == self._missing] = math.nan
        return numbers

    def first_from(self, number: int) -> int:
        return min(self.length, max(0, -((self._base - number) // self._step)))

    def last_up_to(self, number: int) -> int:
        return max(-1, min(self.length - 1, (number - self._base) // self._step))

    def position(self, stored: int) -> int:
        return -1 if stored == self._missing else stored

    def stored(self, position: int) -> int:
        return position

    def run(self, code: int) -> Run:
        return self._runs[code]

    def code(self, stored: int) -> int:
        return self._grid.codes if stored == self._missing else self._grid.code_of(stored)

    def blanks(self, codes: np.ndarray) -> np.ndarray:
        return codes == self._grid.codes


class _CategoryAxis(NumberAxis):
    def __init__(self, numbers: Sequence[int]) -> None:
        """:param numbers: by code"""
        self._codes = sorted(range(len(numbers)), key=numbers.__getitem__)
        self._ascending = [numbers[code] for code in self._codes]
        self._positions = [-1] * (len(numbers) + 1)
        for position, code in enumerate(self._codes):
            self._positions[code] = position
        self._numbers = np.array([*numbers, math.nan])
        self.length = len(self._codes)

    def number(self, position: int) -> int:
        return self._ascending[position]

    def numbers(self, stored: np.ndarray) -> np.ndarray:
        return self._numbers[stored]

    def first_from(self, number: int) -> int:
        return bisect_left(self._ascending, number)

    def last_up_to(self, number: int) -> int:
        return bisect_left(self._ascending, number + 1) - 1

    def position(self, stored: int) -> int:
        return self._positions[stored]

    def stored(self, position: int) -> int:
        return self._codes[position]

    def run(self, code: int) -> Run:
        position = self._positions[code]
        return None if position < 0 else (position, position)

    def code(self, stored: int) -> int:
        return stored

    def blanks(self, codes: np.ndarray) -> np.ndarray:
        return np.isnan(self._numbers[codes])


class _PlainAxis(Axis):
    def __init__(self, field: Field) -> None:
        domain = field.modelled
        self._grid = domain if domain.kind == "grid" else None
        self._missing = missing_code(field)
        self._codes = domain.codes
        self._values = domain.points if domain.kind == "grid" else domain.codes
        own = _grid_runs(domain) if domain.kind == "grid" else [(code, code) for code in range(domain.codes)]
        self._runs = [*own, (self._values, self._values)]
        self.length = self._values + (self._missing is not None)

    def position(self, stored: int) -> int:
        return self._values if stored == self._missing else stored

    def stored(self, position: int) -> int:
        return self._missing if position == self._values and self._missing is not None else position

    def run(self, code: int) -> Run:
        return self._runs[code]

    def code(self, stored: int) -> int:
        if stored == self._missing:
            return self._codes
        return self._grid.code_of(stored) if self._grid else stored

    def blanks(self, codes: np.ndarray) -> np.ndarray:
        return codes == self._codes

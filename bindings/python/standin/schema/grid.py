"""The public grids of numbers, dates and times."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from ..layout import TREE_LEAVES
from .decimals import Decimal
from .validate import wrong

_MOST_ORDERED = 128

Bins = int | Sequence[Decimal] | Literal["tree"] | None
"""``standin.bins``: that many bins of equal width, ascending edges, or a tree."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Points minimum + i·step, i = 0 … points − 1.

    Codes, the resolution that queries see, are runs of points: every point its own (at most 128 points), bins, or the 32 leaves of a binary
    tree.
    """

    minimum: int
    """In units of 10^−scale, as the step."""
    step: int
    scale: int
    points: int
    """G = ⌊(maximum − minimum)/step⌋ + 1, at most 2^53."""
    tree: bool
    starts: np.ndarray
    """The first point of each code, i64, ascending; an empty leaf has the start of the next one."""

    kind: Literal["grid"] = "grid"

    @property
    def codes(self) -> int:
        return len(self.starts)

    def value_at(self, point: int) -> Decimal:
        return Decimal(self.minimum + point * self.step, self.scale)

    def point_of(self, value: Decimal) -> int:
        """The nearest grid point of a value, ties up, clipped to the grid."""
        distance, step = value.units - self.minimum, self.step
        if value.scale != self.scale:
            scale = max(self.scale, value.scale)
            stretch = 10 ** (scale - self.scale)
            distance, step = value.at(scale) - self.minimum * stretch, step * stretch
        nearest = (2 * distance + step) // (2 * step)
        return min(max(nearest, 0), self.points - 1)

    def codes_of(self, points: np.ndarray) -> np.ndarray:
        """The codes whose runs hold the points, of any shape: the last ones that start at or before them."""
        return np.searchsorted(self.starts, points, side="right") - 1

    def code_of(self, point: int) -> int:
        return int(np.searchsorted(self.starts, point, side="right")) - 1

    @property
    def ends(self) -> np.ndarray:
        """Where the run of each code ends, i64."""
        return np.append(self.starts[1:], self.points)

    def points_in(self, codes: np.ndarray, words: np.ndarray) -> np.ndarray:
        """The points that random words (u32) pick, uniformly, from codes' runs (from the nearest run where that leaf is empty), as f64."""
        widths = (self.ends - self.starts).astype(np.float64)
        picked = self.starts[codes] + np.floor(words * widths[codes] / 2**32)
        return np.minimum(self.points - 1, picked)


def make_grid(where: str, minimum: Decimal, maximum: Decimal, step: Decimal, bins: Bins) -> Grid:
    """The grid of a field with these bounds, minimum ≤ maximum, and this step > 0.

    Raises ``schema/granularity`` for more than 2^53 points; ``schema/bins`` for bins that do not fit.

    :param where: how an error names the field
    """
    width = max(minimum.scale, maximum.scale)
    extent = maximum.at(width) - minimum.at(width)
    scale = max(minimum.scale, step.scale)
    first, stride = minimum.at(scale), step.at(scale)
    points = extent * 10**scale // (stride * 10**width) + 1
    if points > 2**53:
        raise wrong(
            "granularity",
            f"{where} has {points} grid points, more than 2^53.",
            "State a coarser granularity (standin.granularity).",
        )
    if isinstance(bins, int) and bins > points:
        raise wrong("bins", f"{where} has {bins} bins but only {points} grid points.", "Use fewer bins.")
    tree = bins == "tree" or (bins is None and points > _MOST_ORDERED)
    if bins is None or isinstance(bins, int | str):
        starts = _even_starts(points, TREE_LEAVES if tree else points if bins is None else int(bins))
    else:
        starts = _edge_starts(where, Decimal(first, scale), stride, points, bins)
    return Grid(first, stride, scale, points, tree, np.array(starts, np.int64))


def _even_starts(points: int, parts: int) -> list[int]:
    """Code = ⌊i·parts/points⌋, so that a code starts at ⌈code·points/parts⌉."""
    return [-(-code * points // parts) for code in range(parts)]


def _edge_starts(where: str, minimum: Decimal, step: int, points: int, edges: Sequence[Decimal]) -> list[int]:
    starts = [0]
    for edge in edges:
        scale = max(minimum.scale, edge.scale)
        stride = step * 10 ** (scale - minimum.scale)
        distance = edge.at(scale) - minimum.at(scale)
        last = (points - 1) * stride
        if distance < 0 or distance >= last + stride:
            raise wrong("bins", f"{where} has a bin edge outside its bounds.", "Remove that edge.")
        # Edges at the bounds close the outer bins and cut nothing.
        if 0 < distance < last:
            starts.append(-(-distance // stride))
    if any(start <= before for before, start in pairwise(starts)):
        raise wrong(
            "bins",
            f"{where} has bin edges that are not ascending, or a bin without a grid point.",
            "Give ascending edges at least one granularity apart.",
        )
    return starts

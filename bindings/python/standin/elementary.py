"""Arithmetic that decides something, in an order that every host of the engine follows: its bits are the same everywhere."""

import math
from collections.abc import Iterable

import numpy as np

_HALVINGS = 10
"""How often an exponent is halved until its series is short."""
_TERMS = 8
"""The terms of the series."""


def total_of(values: np.ndarray | Iterable[float]) -> float:
    """The sum from the first value to the last (``sum`` compensates, and ``np.sum`` adds in pairs: their last bits differ)."""
    array = np.asarray(values if isinstance(values, np.ndarray) else list(values), dtype=np.float64)
    return float(np.add.accumulate(array)[-1]) if array.size else 0.0


def round_half_up(value: float) -> int:
    """The nearest integer, ties up."""
    floor = math.floor(value)
    return floor + 1 if value - floor >= 0.5 else floor


def rounded_half_up(values: np.ndarray) -> np.ndarray:
    """The nearest integers, ties up, as doubles."""
    floors = np.floor(values)
    return np.where(values - floors >= 0.5, floors + 1, floors)


def cube_root(x: float) -> float:
    """∛x for x of 1 or more, by Newton's steps from above: they fall until rounding stops them."""
    root = float(x)
    while True:
        following = (2 * root + x / (root * root)) / 3
        if following >= root:
            return root
        root = following


def exponential(x: float) -> float:
    """e^x for −700 … 700, from the series of a small part of x, squared."""
    small = x / 2**_HALVINGS
    power = 1.0
    for term in range(_TERMS, 0, -1):
        power = 1 + (small * power) / term
    for _ in range(_HALVINGS):
        power *= power
    return power

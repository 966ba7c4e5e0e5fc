"""How columns are filled before a search."""

from collections.abc import Sequence

import numpy as np

from ..engine import Instance
from ..estimate.forest import Leaning
from ..layout import STREAM_QUOTA


def start_column(engine: Instance, leaning: Leaning, columns: Sequence[int], rows: int, size: int, seed: int) -> None:
    """Fills a column with codes in the proportions of their weights, as exactly as whole rows can, in random order.

    That is systematic sampling; where there is a parent, in the rows of each of its codes.

    Args:
        columns: pointers to the u16 codes of all columns, ``rows`` each.
        size: how many codes the column has.
    """
    column, parent = leaning.column, leaning.parent
    groups = leaning.weights.size // size
    offsets = random_words(engine, groups, seed, STREAM_QUOTA, column) / 2**32
    if parent is None:
        held = np.array([rows])
    else:
        held = np.bincount(engine.view(columns[parent], rows, np.uint16), minlength=groups)
    quotas = _systematic_quotas(leaning.weights.reshape(groups, size), held, offsets)
    codes = np.repeat(np.tile(np.arange(size, dtype=np.uint16), groups), quotas.ravel())
    ends = np.add.accumulate(quotas.sum(axis=1))
    starts = np.concatenate(([0], ends[:-1])).astype(np.uint32)
    given = 0 if parent is None else columns[parent]
    with engine.borrow(codes, starts, 4 * rows) as places:
        engine.call("startColumn", columns[column], rows, given, *places, seed, column)


def _systematic_quotas(weights: np.ndarray, rows: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """How many of ``rows`` equally spaced points, the first at ``offsets`` of a step, fall to each weight: an int64 line a group.

    Where all weights of a group are 0 they are all the same.
    """
    reached = np.add.accumulate(weights, axis=1)
    reached = np.where(reached[:, -1:] > 0, reached, np.arange(1.0, weights.shape[1] + 1))
    points = np.floor((reached / reached[:, -1:]) * rows[:, None] + offsets[:, None]).astype(np.int64)
    return np.diff(points, axis=1, prepend=0)


def random_words(engine: Instance, count: int, seed: int, purpose: int, id_: int) -> np.ndarray:
    """The first words (u32) of a stream of the search's generator."""
    with engine.borrow(4 * count) as [words]:
        engine.call("philoxWords", words, count, seed, purpose, id_)
        return engine.view(words, count, np.uint32).copy()

"""Glue to the engine's accountant: one instance a thread, which never holds a row."""

import functools
import threading
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..engine import Instance, u64
from ..errors import StandinError
from ..layout import ADD_REMOVE, OK, RATE_BYTES, REPLACE, SIGMA2_BYTES, SIGMA2_CHARGE, SIGMA2_K, SIGMA2_P
from ..schema.schema import Unit

Neighbours = Literal["add-remove", "replace"]
"""``add-remove``: neighbours differ by one unit, n is private. ``replace``: one row is another row, n is public and declared."""

AnyUnit = Literal["row"] | Unit
"""The unit that is protected: one row, or one person with up to ``max_rows`` rows."""

RHO_UNIT = 2.0**-52
"""ρ is held in units of 2^−52."""
RHO_MAX = 4095
"""The largest ρ that the ledger holds; larger requests are lowered to it."""

_of_thread = threading.local()


def _engine() -> Instance:
    if not hasattr(_of_thread, "instance"):
        _of_thread.instance = Instance()
    return _of_thread.instance


def relation_of(neighbours: Neighbours) -> int:
    """The relation as the engine numbers it."""
    return REPLACE if neighbours == "replace" else ADD_REMOVE


def max_rows_of(unit: AnyUnit) -> int:
    """How many rows a unit has at most."""
    return 1 if unit == "row" else unit.max_rows


def epsilon_of(rho: float, delta: float) -> float:
    """The smallest ε for which ρ-zCDP gives (ε, δ)-DP by Canonne, Kamath and Steinke's conversion, rounded up."""
    return _engine().call("cksEpsilon", float(rho), float(delta))


def rho_of(epsilon: float, delta: float) -> float:
    """The largest ρ for which ρ-zCDP gives (ε, δ)-DP by the same conversion, rounded down."""
    return _engine().call("cksRho", float(epsilon), float(delta))


def units_of(rho: float) -> int:
    """ρ in ledger units, rounded down."""
    return u64(_engine().call("rhoUnits", float(rho)))


@functools.lru_cache(maxsize=4096)
def squared_sensitivity(partitions: int, free: int, neighbours: Neighbours, max_rows: int) -> int:
    """Δ², the squared L2 sensitivity in counts of an item of so many partitions and free predicates."""
    return u64(_engine().call("l2Squared", partitions, free, relation_of(neighbours), max_rows))


def score_sensitivity(
    kind: int, scale_bits: int, partitions: int, free: int, neighbours: Neighbours, max_rows: int
) -> int:
    """Δ in units of 2^−``scale_bits`` counts of a selection's scores of a kind (``SCORE_…``), among queries of at most this structure."""
    relation = relation_of(neighbours)
    return u64(_engine().call("scoreSensitivity", kind, partitions, free, relation, max_rows, scale_bits))


_VARIANCE_BITS = 30


def is_variance(sigma2: float) -> bool:
    """Whether noise can have this σ²: p·2^−k with p below 2^24, k at most 30, and σ² from 2^−10 to 2^46."""
    is_in_range = 2.0**-10 <= sigma2 <= 2.0**46
    return is_in_range and float(np.float32(sigma2)) == sigma2 and float(sigma2 * 2**_VARIANCE_BITS).is_integer()


def charge_of_noise(delta2: int, sigma2: float) -> int:
    """What the ledger is charged for noise of such a σ², in units: ⌈Δ²·2^51/σ²⌉."""
    units = int(sigma2 * 2**_VARIANCE_BITS)
    return -((-delta2 << 51 + _VARIANCE_BITS) // units)


@dataclass(frozen=True, slots=True)
class Noise:
    """The noise that a share of the budget buys.

    ``delta2`` is the squared L2 sensitivity in counts; σ² = p·2^−k, exactly; ``charge`` is what the ledger will be charged, in
    units: at most the share.
    """

    delta2: int
    p: int
    k: int
    charge: int

    @property
    def sigma2(self) -> float:
        """σ², exact: its 24 bits fit a double."""
        return self.p * 2.0**-self.k


@functools.lru_cache(maxsize=4096)
def noise_for(share: int, partitions: int, free: int, neighbours: Neighbours, max_rows: int) -> Noise:
    """The smallest representable noise for which an item of this structure costs at most ``share`` ledger units.

    Args:
        partitions: how many partitions of the rows the item counts.
        free: how many predicates outside them.

    Raises:
        StandinError: ``budget/too-small`` where σ would exceed 2^23 rows.
    """
    engine = _engine()
    delta2 = squared_sensitivity(partitions, free, neighbours, max_rows)
    with engine.borrow(SIGMA2_BYTES) as [out]:
        status = engine.call("calibrate", share, delta2, out)
        p = int(engine.view(out + SIGMA2_P, 1, np.uint32)[0])
        k = int(engine.view(out + SIGMA2_K, 1, np.int32)[0])
        charge = int(engine.view(out + SIGMA2_CHARGE, 1, np.uint64)[0])
    if status != OK:
        raise too_small(
            "gives noise of ± 8 million rows or more, which nothing can be learned through",
            "measure a smaller workload",
        )
    return Noise(delta2, p, k, charge)


def selection_noise(
    share: int,
    picks: int,
    kind: int,
    scale_bits: int,
    partitions: int,
    free: int,
    neighbours: Neighbours,
    max_rows: int,
) -> tuple[int, int]:
    """Δ of a selection's scores in counts (their units aside), and what the ledger is charged for it: at most ``share``.

    Args:
        picks: how many candidates are chosen, each for an equal part of the share.
        kind: of the scores (``SCORE_…``), in units of 2^−``scale_bits``.

    Raises:
        StandinError: ``budget/too-small`` where the choice would be left to chance alone.
    """
    engine = _engine()
    part = share // picks
    with engine.borrow(RATE_BYTES) as [out]:
        scaled = score_sensitivity(kind, scale_bits, partitions, free, neighbours, max_rows)
        status = engine.call("selectionRate", part, scaled, out)
    if status != OK:
        raise too_small("leaves the choice of queries to chance", "use fewer rounds")
    return score_sensitivity(kind, 0, partitions, free, neighbours, max_rows), part * picks


def too_small(what: str, way: str) -> StandinError:
    """The refusal of a budget: what it does to the release, and what beside a larger ε would help."""
    return StandinError("budget/too-small", f"This budget {what}.", f"Raise epsilon, or {way}.")

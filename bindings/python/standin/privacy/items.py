"""What one charge of the ledger pays for. Items lie in the order in which they are drawn; an item's place is its stream of noise."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..layout import SCORE_L1, SCORE_MAX
from ..queries import Query, cells_of, partitions_of
from ..schema.schema import Attribute
from .accounting import (
    RHO_UNIT,
    AnyUnit,
    Neighbours,
    Noise,
    max_rows_of,
    noise_for,
    selection_noise,
    too_small,
)

Score = Literal["max", "l1", "aim"]
"""How wrong a candidate's targets are: the largest error of its cells (``max``), their sum (``l1``), or the sum weighted by the
candidate's part in the workload, less what noise alone would make of it (``aim``)."""

WEIGHT_BITS = 16
"""Weighted scores are held in units of 2^−16."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Who is protected from what, and in which columns queries are asked: all that sensitivities follow from."""

    attributes: Sequence[Attribute]
    neighbours: Neighbours
    unit: AnyUnit


@dataclass(frozen=True, slots=True)
class OpenItem:
    """Noisy answers to a query that the selection before chooses: structure and noise are those of its worst candidate.

    ``partitions`` and ``free`` are the structure that the sensitivity follows from; ``share`` is what the item may use, in ledger
    units: ``noise.charge`` is at most this.
    """

    cells: int
    partitions: int
    free: int
    share: int
    noise: Noise

    @property
    def charge(self) -> int:
        """What the ledger is charged, at most."""
        return self.noise.charge


@dataclass(frozen=True, slots=True)
class MeasurementItem(OpenItem):
    """Noisy answers to a query that is known."""

    query: Query


@dataclass(frozen=True, slots=True)
class SelectionItem:
    """The choice of the ``picks`` worst of ``candidates`` queries; the structure is the largest that a candidate has.

    ``sensitivity`` is Δ of the scores in counts; ``charge`` is what the ledger will be charged: at most the share.
    """

    score: Score
    candidates: int
    picks: int
    partitions: int
    free: int
    share: int
    sensitivity: int
    charge: int


Item = OpenItem | SelectionItem


def score_kind(score: Score) -> tuple[int, int]:
    """A score as the engine computes it: its kind (``SCORE_…``), and b of the units 2^−b of its weights."""
    return SCORE_MAX if score == "max" else SCORE_L1, WEIGHT_BITS if score == "aim" else 0


def measurement_item(query: Query, share: int, terms: Terms) -> MeasurementItem:
    """The measurement of a query for a share of the budget, in ledger units.

    Raises:
        StandinError: ``budget/too-small``.
    """
    partitions = partitions_of(query)
    noise = noise_for(_positive(share), partitions, 0, terms.neighbours, max_rows_of(terms.unit))
    return MeasurementItem(cells_of(query, terms.attributes), partitions, 0, share, noise, query)


def open_item(candidates: Sequence[Query], share: int, terms: Terms) -> OpenItem:
    """A measurement whose query will be one of the candidates.

    Whatever its structure, it is charged no more than the share, which the plan therefore states; the noise is that of the largest
    structure.

    Raises:
        StandinError: ``budget/too-small``.
    """
    partitions = max(map(partitions_of, candidates))
    noise = noise_for(_positive(share), partitions, 0, terms.neighbours, max_rows_of(terms.unit))
    cells = max(cells_of(query, terms.attributes) for query in candidates)
    return OpenItem(cells, partitions, 0, share, replace(noise, charge=share))


def selection_item(candidates: Sequence[Query], score: Score, picks: int, share: int, terms: Terms) -> SelectionItem:
    """The choice of ``picks`` of the candidates. Where their structures differ, the sensitivity is the largest.

    Raises:
        StandinError: ``budget/too-small``.
    """
    partitions = max(map(partitions_of, candidates))
    sensitivity, charge = selection_noise(
        _positive(share), picks, *score_kind(score), partitions, 0, terms.neighbours, max_rows_of(terms.unit)
    )
    return SelectionItem(score, len(candidates), picks, partitions, 0, share, sensitivity, charge)


def item_json(item: Item, attributes: Sequence[Attribute]) -> dict[str, Any]:
    """An item as plan and release print it; ``columns`` of a measurement is None while its query is open."""
    if isinstance(item, SelectionItem):
        return {
            "kind": "selection",
            "score": item.score,
            "candidates": item.candidates,
            "picks": item.picks,
            "partitions": item.partitions,
            "free": item.free,
            "sensitivity": item.sensitivity,
            "rho": item.charge * RHO_UNIT,
        }
    query = item.query if isinstance(item, MeasurementItem) else None
    return {
        "kind": "measurement",
        "query": query and query.kind,
        "columns": query and [attributes[column].name for column in query.columns],
        **({"groups": query.groups} if query and query.groups else {}),
        "cells": item.cells,
        "partitions": item.partitions,
        "free": item.free,
        "sensitivity": math.sqrt(item.noise.delta2),
        "sigma2": item.noise.sigma2,
        "rho": item.noise.charge * RHO_UNIT,
    }


def noise_json(item: Mapping[str, Any], rows: float) -> dict[str, float]:
    """The noise on each answer of a measurement beside the mean of its answers, where the table has so many rows."""
    return {"sigma": math.sqrt(item["sigma2"]), "meanCell": rows * _mean_of_row(item)}


def planned_noise_json(item: Mapping[str, Any], public_rows: int | None) -> dict[str, float]:
    """The same before any data is seen: ``readableFrom`` is the least number of rows whose mean answer is no smaller than σ.

    The mean itself is known where the number of rows is declared.
    """
    sigma = math.sqrt(item["sigma2"])
    mean = _mean_of_row(item)
    known = {} if public_rows is None else {"meanCell": public_rows * mean}
    return {"sigma": sigma, "readableFrom": math.ceil(sigma / mean), **known}


def _mean_of_row(item: Mapping[str, Any]) -> float:
    """What a row adds to the mean answer: each partition counts it in one cell. While the query is open, the least."""
    return (1 if item["columns"] is None else item["partitions"]) / item["cells"]


def _positive(share: int) -> int:
    if share > 0:
        return share
    raise too_small("is too small to be split over so many items", "measure a smaller workload")

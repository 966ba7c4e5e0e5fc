"""Private-GSD (Liu, Tang, Vietri and Wu, "Generating Private Synthetic Data with Genetic Algorithms", 2023).

Every query of the workload is measured with an equal share of ρ, or in rounds those that the rows so far are most wrong about
(Algorithm 2); then rows are searched that answer alike, by one-cell moves.

The search ``descent`` (the default) takes the best move of each cell from a start drawn along the strongest pairs; ``paper`` is the
paper's generations of mutations and crossovers from a uniform start, with the parameters of its Table 7. The rows match estimates
(``shrunk``, the default of ``descent``) or the noisy answers (``raw``, as the paper does, and the default of its search). For estimates,
one-ways come first and decide shares and resolutions, unless one stage is asked for.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import StandinError
from ..estimate.estimates import Estimates
from ..estimate.forest import dependence_forest
from ..privacy.ledger import BudgetTerms, Schedule, WeightedQuery
from ..projection.search import DESCENT, PAPER, SearchInput, SearchResult, Target, search_bytes, search_rows
from ..queries import Measurement, Query
from ..schema.schema import Attribute
from .mechanism import ESTIMATES, EstimateName, ProjectionInput, SelectionOptions, Settings
from .selection import schedule_rounds
from .stages import candidates_of, two_stages

NAME = "private-gsd"

_SEARCHES = {str(search["method"]): search for search in (DESCENT, PAPER)}


def schedule(
    workload: Sequence[Query],
    attributes: Sequence[Attribute],
    estimate: EstimateName,
    budget: BudgetTerms,
    asked: SelectionOptions,
) -> Schedule:
    """What to measure for a workload, in which rounds, and with which shares of the budget: a rule on public facts alone.

    Raises:
        StandinError: ``options/…`` where that cannot be met.
    """
    return schedule_rounds(workload, attributes, budget, asked) or _schedule_stages(
        workload, attributes, estimate, asked
    )


def _schedule_stages(
    workload: Sequence[Query], attributes: Sequence[Attribute], estimate: EstimateName, asked: SelectionOptions
) -> Schedule:
    """The workload in two stages, unless one is asked for or no second could do anything; the whole of it without a selection."""
    if asked.stages not in (None, 1, 2):
        raise StandinError("options/stages", f"stages is {asked.stages}.", "Use 1 or 2.")
    if asked.stages == 2 and estimate == "raw":
        raise StandinError(
            "options/stages",
            "Two stages measure tables by groups of codes, and rows that match raw answers cannot be compared with those.",
            'Use one stage, or the estimate "shrunk".',
        )
    if asked.stages == 1 or estimate == "raw":
        return Schedule([WeightedQuery(query, 1) for query in workload])
    staged = two_stages(workload, [] if asked.selection == "none" else candidates_of(workload), attributes)
    if asked.stages == 2 and not staged.second:
        raise StandinError(
            "options/stages",
            "The workload has no set of two columns or more, so there is nothing for a second stage.",
            "Leave the stages out.",
        )
    return staged


def settings(asked: Settings) -> dict[str, str | int | float]:
    """The search's settings from the user's, filled up with defaults.

    Raises:
        StandinError: ``mechanism/settings``.
    """
    if not isinstance(asked, Mapping):
        raise StandinError(
            "mechanism/settings", "The search is not a mapping of settings.", 'Write it as {"method": "descent"}.'
        )
    defaults = _SEARCHES.get(str(asked.get("method", DESCENT["method"])))
    if defaults is None:
        raise StandinError(
            "mechanism/settings", f'"{asked["method"]}" is not a search.', 'Use "descent" (the default) or "paper".'
        )
    for name, value in asked.items():
        if name == "method":
            continue
        if name not in defaults:
            raise StandinError(
                "mechanism/settings",
                f'The search "{defaults["method"]}" has no setting "{name}".',
                f"It has {', '.join(list(defaults)[1:])}.",
            )
        least = 0 if name in ("tolerance", "crossovers") else 1
        most = _MOST.get(name, 10**9)
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
        if not is_number or (name != "tolerance" and value != int(value)):
            raise StandinError(
                "mechanism/settings",
                f'The search setting "{name}" is {value}.',
                f"Use a number from {least} to {most:,}.",
            )
    return {**defaults, **asked}


def expect_named(mechanism: Any) -> None:
    """Raises ``mechanism/unknown`` for the name of another mechanism."""
    if mechanism != NAME:
        raise StandinError("mechanism/unknown", f'"{mechanism}" is not a mechanism.', f"Mechanisms: {NAME}.")


def estimate_named(asked: str | None, searched: Settings) -> EstimateName:
    """What the rows match, from what the user asked for and the search's settings.

    Raises:
        StandinError: ``options/estimate``.
    """
    if asked is None:
        return "raw" if searched["method"] == PAPER["method"] else "shrunk"
    for name in ESTIMATES:
        if name == asked:
            return name
    raise StandinError("options/estimate", f'estimate is "{asked}".', 'Use "shrunk" or "raw".')


_MOST = {"mutations": 10**5, "crossovers": 10**5, "elites": 1000}
"""Larger numbers would take memory that no plan states, or minutes in one step."""

memory = search_bytes
"""Engine memory in bytes that the search needs: of the attributes, the queries, and so many rows."""


def project(given: ProjectionInput) -> SearchResult:
    """Rows that answer like the measurements, as far as they are more than noise.

    Raises:
        StandinError: ``options/estimate``; ``engine/memory`` where the tables do not fit.
    """
    if given.estimate == "raw" and any(measurement.query.groups for measurement in given.measurements):
        raise StandinError(
            "options/estimate",
            "Tables were measured by groups of codes, and rows that match raw answers cannot be compared with those.",
            'Make rows with the estimate "shrunk".',
        )
    known = max(1, given.total)
    estimates = Estimates(given.measurements, given.attributes, known)

    def target_of(measurement: Measurement) -> Target:
        query = measurement.query
        # Tables of three columns that rounds chose have what is worth knowing in single cells, which shrinkage would take for noise.
        is_as_measured = given.estimate == "raw" or (given.chosen and len(query.columns) > 2)
        answers = _raw_answers(measurement, known, given.settings) if is_as_measured else estimates.answers(query)
        return Target(query.by_code, answers)

    targets = [target_of(measurement) for measurement in given.measurements]
    is_drawn = given.settings["method"] == DESCENT["method"] and given.warm is None
    return search_rows(
        SearchInput(
            attributes=given.attributes,
            targets=targets,
            total=known,
            rows=given.rows,
            seed=given.seed,
            settings=given.settings,
            start=dependence_forest(estimates, [target.query for target in targets] if is_drawn else []),
            warm=given.warm,
        )
    )


def _raw_answers(measurement: Measurement, total: float, searched: Settings) -> np.ndarray:
    """The noisy answers as they are.

    The paper clips each to what is possible; that lifts empty cells (noise stays where it is positive), so that the descent leaves them:
    lower true errors on real tables.
    """
    counts = measurement.answers.astype(np.float64)
    return np.clip(counts, 0.0, total) if searched["method"] == PAPER["method"] else counts

"""Rounds that choose what to measure."""

import itertools
import math
from collections.abc import Sequence

from ..elementary import round_half_up
from ..errors import StandinError
from ..privacy.items import SelectionItem
from ..privacy.ledger import BudgetTerms, Ledger, Schedule, WeightedQuery, WeightedRounds
from ..queries import Query, query_of
from ..schema.schema import Attribute
from .aim import AimRounds, aim_schedule
from .mechanism import Answers, Round, RoundCandidate, Rounds, SelectionOptions

_WHOLE = 2**40
"""The whole budget in the units of weights."""
_ONE_WAYS = 0.1
_SELECTION = 0.3
"""What of the budget buys noisy one-ways, which the first rows are drawn from, and what of the rest buys choices."""
_MOST_ROUNDS = 50
"""More rounds than this take long and choose hardly better; each then chooses several."""
_QUERIES_PER_COLUMN = 10
"""Of a workload with more queries a column than this, this many stand for all: others would tell little that is new."""


def schedule_rounds(
    workload: Sequence[Query], attributes: Sequence[Attribute], budget: BudgetTerms, asked: SelectionOptions
) -> Schedule | None:
    """The rounds for a workload, or None where all of it is measured.

    That is where it or a number of stages is asked for, and, unless a selection is, where no query has three columns or the rule below
    would measure them all. Noisy one-ways come first. A rule on public facts alone.

    Raises:
        StandinError: ``options/selection``, ``options/rounds``, ``options/stages``.
    """
    _check(asked)
    is_asked = (asked.selection, asked.rounds, asked.per_round) != (None, None, None)
    has_triples = any(len(query.columns) > 2 for query in workload)
    if asked.selection == "none" or (not is_asked and (asked.stages is not None or not has_triples)):
        if asked.rounds or asked.per_round:
            raise StandinError("options/rounds", "Without a selection there are no rounds.", "Leave one of them out.")
        return None
    if asked.stages is not None:
        raise StandinError(
            "options/stages",
            "Rounds measure one choice after another, not the workload in stages.",
            "Leave the stages out, or the selection and its rounds.",
        )
    candidates = [query for query in workload if len(query.columns) > 1]
    if not candidates:
        raise StandinError(
            "options/selection",
            "The workload has no set of two columns or more, so there is nothing to choose.",
            "Leave the selection out.",
        )
    columns = sorted({column for query in workload for column in query.columns})
    one_ways = [query_of((column,), attributes) for column in columns]
    if asked.selection == "aim":
        if asked.rounds or asked.per_round:
            raise StandinError(
                "options/rounds",
                "AIM's rounds follow from noisy answers and cannot be set.",
                "Leave rounds and per_round out, or use the selection max or l1.",
            )
        return aim_schedule(candidates, one_ways, attributes)
    count, picks = _rounds_for(len(candidates), len(one_ways), budget.epsilon, asked)
    if count * picks > len(candidates):
        raise StandinError(
            "options/rounds",
            f"{count} rounds of {picks} would choose {count * picks} of {len(candidates)} column sets.",
            "Use fewer, or no selection: all are then measured at once.",
        )
    if not is_asked and count * picks == len(candidates):
        return None
    return Schedule(
        first=[WeightedQuery(query, _part(_ONE_WAYS, len(one_ways))) for query in one_ways],
        rounds=WeightedRounds(
            score=asked.selection or "max",
            candidates=candidates,
            count=count,
            picks=picks,
            selection_weight=_part((1 - _ONE_WAYS) * _SELECTION, count),
            measurement_weight=_part((1 - _ONE_WAYS) * (1 - _SELECTION), count * picks),
        ),
    )


def _check(asked: SelectionOptions) -> None:
    for name, value in (("rounds", asked.rounds), ("per_round", asked.per_round)):
        if value is not None and not (type(value) is int and value >= 1):
            raise StandinError("options/rounds", f"{name} is {value}.", "Use a whole number of at least 1.")
    if asked.selection not in (None, "none", "max", "l1", "aim"):
        raise StandinError(
            "options/selection", f'selection is "{asked.selection}".', 'Use "none", "max", "l1" or "aim".'
        )


def _part(share: float, among: int) -> int:
    return max(1, round_half_up((_WHOLE * share) / among))


def _rounds_for(among: int, columns: int, epsilon: float, asked: SelectionOptions) -> tuple[int, int]:
    """How many rounds, and how many choices in each, unless asked otherwise: ¾ √ε of the queries in all.

    Fitted to real tables: fewer leave errors unfound, more drown in noise.
    """
    if asked.rounds is not None:
        return asked.rounds, asked.per_round or 1
    telling = min(among, _QUERIES_PER_COLUMN * columns)
    # ε may be 0 where δ says it all.
    measured = min(among, max(1, math.ceil(0.75 * telling * math.sqrt(epsilon))))
    picks = asked.per_round or math.ceil(measured / _MOST_ROUNDS)
    return max(1, measured // picks), picks


def rounds_of(ledger: Ledger, workload: Sequence[Query]) -> Rounds:
    """Who decides the rounds of a plan: the plan itself, or the rule that its cap is for."""
    return _PlannedRounds(ledger) if ledger.cap is None else AimRounds(ledger, ledger.cap, workload)


class _PlannedRounds:
    """The rounds as planned; what one has chosen is no candidate of the next."""

    def __init__(self, ledger: Ledger) -> None:
        self._rounds = [
            (item, measurement.share)
            for item, measurement in itertools.pairwise(ledger.items)
            if isinstance(item, SelectionItem)
        ]
        self._numbers = {query: number for number, query in enumerate(ledger.candidates)}
        self._left = dict.fromkeys(range(len(ledger.candidates)))
        self._round = 0

    def next(self, chosen: Sequence[Query], answers: Answers, before: Answers) -> Round:
        """See ``Rounds``."""
        for query in chosen:
            del self._left[self._numbers[query]]
        item, share = self._rounds[self._round]
        self._round += 1
        candidates = [RoundCandidate(number, 1, 0) for number in self._left]
        return Round(item, candidates, share, self._round == len(self._rounds))

"""What will be spent on what, complete before any data is seen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeGuard

from ..errors import StandinError
from ..json_text import number_text
from ..queries import Query
from ..schema.schema import Attribute, Schema
from .accounting import RHO_MAX, AnyUnit, Neighbours, epsilon_of, rho_of, units_of
from .items import Item, MeasurementItem, Score, Terms, measurement_item, open_item, selection_item

_EPSILON = (1e-6, 1000)


@dataclass(frozen=True, slots=True)
class WeightedQuery:
    """A query to be measured, and its share of the budget: ``weight``, a whole number from 1, against the sum of all weights."""

    query: Query
    weight: int


@dataclass(frozen=True, slots=True)
class WeightedRounds:
    """Rounds, each the choice of some candidates and then their measurement; what was chosen is no candidate any more.

    ``count`` rounds choose ``picks`` candidates each, all together no more than there are. The weights are those of one selection,
    and of the measurement of one candidate. With a ``rule``, which says how it is spent, the rounds spend by what noisy answers say:
    as many as ``ruled_weight``, everything that they may use, pays for, ``count`` at the most; the other weights are the first
    round's.
    """

    score: Score
    candidates: Sequence[Query]
    count: int
    picks: int
    selection_weight: int
    measurement_weight: int
    ruled_weight: int | None = None
    rule: str | None = None

    @property
    def weight(self) -> int:
        """The weights of all rounds together."""
        if self.ruled_weight is not None:
            return self.ruled_weight
        return self.count * (self.selection_weight + self.picks * self.measurement_weight)


@dataclass(frozen=True, slots=True)
class WeightedStage:
    """A second stage, whose shares and resolutions follow from the noisy answers of the first queries.

    ``queries`` is what it measures at most, where the first answers ask for nothing else; ``candidates`` what it may choose from, in
    place of measuring all; ``weight`` everything that it may use; ``least_share`` what part of that a query has at least, 0 to 1;
    ``rule`` says how it is spent.
    """

    queries: Sequence[WeightedQuery]
    candidates: Sequence[Query]
    weight: int
    least_share: float
    rule: str


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a mechanism asks of the door, before any data is seen: queries first, then a second stage or rounds."""

    first: Sequence[WeightedQuery]
    second: WeightedStage | None = None
    rounds: WeightedRounds | None = None

    @property
    def candidates(self) -> Sequence[Query]:
        """What the second stage, or the rounds, may choose from."""
        choosing = self.second or self.rounds
        return choosing.candidates if choosing else ()


@dataclass(frozen=True, slots=True)
class BudgetTerms:
    """The budget of a release as a mechanism may know it when it makes its schedule.

    ``rho`` is CKS ρ(ε, δ), rounded down; ``warnings`` what the user should know about the request.
    """

    neighbours: Neighbours
    public_rows: int | None
    epsilon: float
    delta: float
    rho: float
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """What a release may spend.

    Attributes:
        terms: who is protected from what, in which columns.
        budget: ρ in ledger units.
        items: in order: measurements, then the rounds, each a selection and as many open measurements as it picks.
        candidates: what the rounds, or a second stage, choose from, in the order in which a release numbers them.
        second: the second stage as it is where the first answers ask for nothing else.
        cap: what the second stage, or the rounds, may use altogether, in ledger units, where their shares follow from noisy answers;
            of such rounds the items hold the first.
        rule: how what the cap is for is spent.
        charge: the most that a release is charged, in ledger units: at most the budget.
    """

    asked: BudgetTerms
    terms: Terms
    budget: int
    items: tuple[Item, ...]
    candidates: tuple[Query, ...]
    second: tuple[MeasurementItem, ...]
    cap: int | None
    rule: str | None
    charge: int
    warnings: tuple[str, ...] = field(default=())


def budget_terms(
    unit: AnyUnit,
    *,
    epsilon: float | None,
    rho: float | None,
    delta: float | Literal["1/n2"],
    neighbours: Neighbours,
    public_rows: int | None,
) -> BudgetTerms:
    """The budget as the user states it.

    Raises:
        StandinError: ``budget/…`` for an ε, ρ, δ, relation or number of rows that means nothing.
    """
    _check_neighbours(neighbours, public_rows, unit)
    delta = _checked_delta(delta, public_rows)
    rho, epsilon, warnings = _checked_budget(epsilon, rho, delta)
    if delta > 1e-6:
        warnings.append(f"δ = {number_text(delta)} is large: with this probability the guarantee may fail completely.")
    if public_rows and delta >= 1 / public_rows:
        warnings.append(f"δ = {number_text(delta)} is not below 1/n: it would allow publishing a random row.")
    return BudgetTerms(neighbours, public_rows, epsilon, delta, rho, tuple(warnings))


def plan_ledger(schema: Schema, schedule: Schedule, asked: BudgetTerms) -> Ledger:
    """Splits the budget over a schedule by its weights and finds each item's noise.

    Raises:
        StandinError: ``budget/too-small`` where a share buys nothing.
    """
    terms = Terms(schema.attributes, asked.neighbours, schema.unit)
    first, second, rounds = schedule.first, schedule.second, schedule.rounds
    budget = units_of(asked.rho)
    total = sum(weighted.weight for weighted in first)
    total += (second.weight if second else 0) + (rounds.weight if rounds else 0)

    def share(weight: int) -> int:
        return budget * weight // total

    items: list[Item] = [measurement_item(weighted.query, share(weighted.weight), terms) for weighted in first]
    if rounds:
        selection = selection_item(rounds.candidates, rounds.score, rounds.picks, share(rounds.selection_weight), terms)
        measurement = open_item(rounds.candidates, share(rounds.measurement_weight), terms)
        items += [selection, *[measurement] * rounds.picks] * (1 if rounds.rule else rounds.count)
    ruled = second or (rounds if rounds and rounds.rule else None)
    cap = share(ruled.weight) if ruled else None
    planned = items if cap is None else items[: len(first)]
    return Ledger(
        asked=asked,
        terms=terms,
        budget=budget,
        items=tuple(items),
        candidates=tuple(schedule.candidates),
        second=_second_items(second, share(second.weight), terms) if second else (),
        cap=cap,
        rule=ruled.rule if ruled else None,
        charge=sum(item.charge for item in planned) + (cap or 0),
        warnings=asked.warnings + _unmeasured(schema.attributes, schedule),
    )


def _second_items(second: WeightedStage, cap: int, terms: Terms) -> tuple[MeasurementItem, ...]:
    # Finds now what the stage could ask too much noise for.
    least = math.floor(second.least_share * float(cap))
    for weighted in second.queries:
        measurement_item(weighted.query, least, terms)
    total = sum(weighted.weight for weighted in second.queries)
    return tuple(measurement_item(each.query, cap * each.weight // total, terms) for each in second.queries)


def _unmeasured(attributes: Sequence[Attribute], schedule: Schedule) -> tuple[str, ...]:
    at_once = [*schedule.first, *(schedule.second.queries if schedule.second else ())]
    queries = [*(weighted.query for weighted in at_once), *(schedule.rounds.candidates if schedule.rounds else ())]
    measured = {column for query in queries for column in query.columns}
    left = [axis.name for column, axis in enumerate(attributes) if column not in measured]
    if not left:
        return ()
    return (f"Nothing is measured about {', '.join(left)}: their cells will be uniform over their values.",)


def _check_neighbours(neighbours: Neighbours, public_rows: int | None, unit: AnyUnit) -> None:
    if neighbours not in ("add-remove", "replace"):
        raise StandinError(
            "budget/neighbours",
            f'"{neighbours}" is not a neighbouring relation.',
            'Use "add-remove" (the default) or "replace".',
        )
    if public_rows is not None and not (_is_whole(public_rows) and 1 <= public_rows <= 2**30):
        raise StandinError(
            "budget/public-rows",
            f"The declared number of rows is {public_rows}.",
            "Declare a whole number from 1 to 1,073,741,824, known independently of this table.",
        )
    if neighbours == "add-remove":
        if public_rows is not None:
            raise StandinError(
                "budget/public-rows",
                "A declared number of rows needs the relation replace; under add-remove the number of rows is private.",
                "Leave public_rows out, or use neighbours replace.",
            )
    elif public_rows is None:
        raise StandinError(
            "budget/public-rows",
            "The relation replace treats the number of rows as public, so it must be declared.",
            "Give the number of rows (public_rows), known independently of this table, or use add-remove.",
        )
    elif unit != "row":
        raise StandinError(
            "budget/unit",
            "The relation replace protects one row; it cannot be combined with a unit of one person with several rows.",
            "Use add-remove, or take standin.unit out of the schema.",
        )


def _checked_delta(delta: float | Literal["1/n2"], public_rows: int | None) -> float:
    if delta == "1/n2":
        if public_rows is None:
            raise StandinError(
                "budget/delta",
                "δ = 1/n2 needs a declared number of rows: the table's own number is private.",
                "Declare it (public_rows, with neighbours replace), or give delta as a number.",
            )
        delta = 1 / (public_rows * public_rows)
    if not (_is_number(delta) and 0 < delta < 1):
        raise StandinError(
            "budget/delta",
            f"delta is {delta}; it must be greater than 0 and less than 1.",
            "Gaussian noise has no guarantee with δ = 0; 1e-9 is the default.",
        )
    return delta


def _checked_budget(epsilon: float | None, rho: float | None, delta: float) -> tuple[float, float, list[str]]:
    """ρ, ε and warnings."""
    if rho is not None and epsilon is not None:
        raise StandinError("budget/epsilon", "Both epsilon and rho were given.", "Give one of them.")
    if rho is not None:
        if not (_is_number(rho) and 0 < rho < math.inf):
            raise StandinError(
                "budget/rho", f"rho is {rho}; it must be a number greater than 0.", "Try 0.015 (about ε = 1)."
            )
        kept = min(rho, RHO_MAX)
        lowered = f"ρ = {number_text(rho)} was lowered to {RHO_MAX}, the most that the ledger holds."
        return kept, epsilon_of(kept, delta), [lowered] if rho > RHO_MAX else []
    if epsilon is None:
        raise StandinError("budget/epsilon", "epsilon is missing: how much privacy may be spent?", "Try epsilon=1.")
    if not (_is_number(epsilon) and _EPSILON[0] <= epsilon <= _EPSILON[1]):
        raise StandinError(
            "budget/epsilon",
            f"epsilon is {epsilon}; it must be a number from {_EPSILON[0]} to {_EPSILON[1]}.",
            "Small values protect more; 1 is a common choice.",
        )
    return rho_of(epsilon, delta), epsilon, []


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)

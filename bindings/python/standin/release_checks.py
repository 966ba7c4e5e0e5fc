"""What a release says that does not follow from the rest of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from .json_text import SAFE, number_text
from .privacy.accounting import (
    RHO_MAX,
    RHO_UNIT,
    charge_of_noise,
    epsilon_of,
    is_variance,
    max_rows_of,
    rho_of,
    score_sensitivity,
    squared_sensitivity,
    units_of,
)
from .privacy.budget import unit_json
from .privacy.items import Terms, score_kind
from .queries import partitions_of, query_of
from .release import ChosenItem, MeasuredItem, ReleasedItem
from .schema.schema import Attribute, Schema, is_delimiter

MOST_ROWS = 10**7
"""The most rows that are made at once."""

_ROUNDING = 1e-9
"""What ε and ρ may be off by, relatively: another version may round them otherwise."""

_MOST_PUBLIC_ROWS = 2**30


def contradiction_of(facts: Mapping[str, Any], items: Sequence[ReleasedItem], schema: Schema) -> str | None:
    """What does not follow, as words after "it"; nothing of what a run writes.

    A plan is held against it before anything is spent, so that no release is begun that could not be read back.

    Args:
        facts: of any type.
        items: structure and answers fit.
    """
    return (
        _of_facts(facts, schema)
        or _of_budget(facts)
        or _of_promise(facts, schema)
        or _of_relation(facts, schema)
        or _of_items(facts, items, schema)
    )


def _of_facts(facts: Mapping[str, Any], schema: Schema) -> str | None:
    """Of facts that no price follows from."""
    columns, search, total = facts.get("columns"), facts.get("search"), facts.get("total")
    if "publicTable" in facts:
        return "was made with a public table, which the Python binding does not take yet"
    kept = {field.name for field in schema.fields if field.role != "drop"}
    are_names = isinstance(columns, list) and all(isinstance(name, str) for name in columns)
    if not are_names or len(set(columns)) != len(columns) or not kept.issuperset(columns):
        return "lists a column twice, or one that its schema does not keep"
    if not {axis.name for axis in schema.attributes}.issubset(columns):
        return "lacks a modelled column in its list of columns"
    if not isinstance(facts.get("estimate"), str):
        return "does not say what its rows match"
    if not isinstance(facts.get("mechanism"), str):
        return "names no mechanism"
    if "stages" in facts and not (is_whole(facts["stages"]) and facts["stages"] in (1, 2)):
        return "has a number of stages other than 1 or 2"
    if not is_delimiter(facts.get("delimiter")):
        return "names no delimiter"
    if not (is_number(total) and abs(total) < SAFE):
        return "has no total"
    if not is_number_of_rows(facts.get("rows")):
        return "has no number of rows from 1 to 10,000,000"
    if not (isinstance(search, Mapping) and is_whole(search.get("seed")) and search["seed"] < 2**32):
        return "has no search seed"
    return None


def _of_budget(facts: Mapping[str, Any]) -> str | None:
    epsilon, delta, rho = facts.get("epsilon"), facts.get("delta"), facts.get("rho")
    is_relation = facts.get("neighbours") in ("add-remove", "replace")
    is_budget = _is_above_0(rho) and (_is_above_0(epsilon) or _is_0(epsilon)) and _is_above_0(delta) and delta < 1
    if not (is_relation and is_budget):
        return "does not say what its budget is"
    # Either was asked for, and the other followed. An ε of 0 follows where δ says it all; a ρ that was asked for is clamped.
    implied = rho_of(epsilon, delta)
    follows = _is_close(rho, implied) or (rho <= RHO_MAX and _is_close(epsilon, epsilon_of(rho, delta)))
    if not follows:
        asked = f"ε = {number_text(epsilon)} and δ = {number_text(delta)}"
        return f"says ρ = {number_text(rho)} for {asked}, which give ρ = {number_text(implied)}"
    return None


def _of_promise(facts: Mapping[str, Any], schema: Schema) -> str | None:
    guarantee, said = facts.get("guarantee", False), facts.get("noGuarantee")
    if guarantee is None:
        return None if isinstance(said, str) and said else "promises nothing and does not say why"
    if not isinstance(guarantee, Mapping):
        return "makes no promise that can be understood"
    if "noGuarantee" in facts:
        return "promises something and also says why it promises nothing"
    if schema.read_facts:
        read = ", ".join(schema.read_facts)
        return f"promises something although facts of its schema were read from the rows: {read}"
    if any(not _is_same(guarantee.get(name), facts[name]) for name in ("epsilon", "delta", "neighbours")):
        return "promises something other than its budget gives"
    unit, promised = unit_json(schema.unit), guarantee.get("unit")
    if isinstance(unit, str) or not isinstance(promised, Mapping):
        is_unit = unit == promised
    else:
        is_unit = _is_same(promised.get("maxRows"), unit["maxRows"])
    return None if is_unit else "promises to protect a unit other than the one its schema states"


def _of_relation(facts: Mapping[str, Any], schema: Schema) -> str | None:
    if facts["neighbours"] == "add-remove":
        return "declares a number of rows, which add-remove keeps private" if "publicRows" in facts else None
    if schema.unit != "row":
        return "has the relation replace, which is not for persons of several rows"
    rows = facts.get("publicRows")
    if not (is_whole(rows) and 1 <= rows <= _MOST_PUBLIC_ROWS and rows == facts["total"]):
        return "has the relation replace, but its total is not its declared number of rows"
    return None


@dataclass(slots=True)
class _Seen:
    """What selections are compared with.

    ``structures``: how many partitions a query of the schema's columns can have; ``gone``: what was chosen before.
    """

    structures: set[int]
    gone: set[int] = field(default_factory=set)
    first: Mapping[str, Any] | None = None


def _of_items(facts: Mapping[str, Any], items: Sequence[ReleasedItem], schema: Schema) -> str | None:
    terms = Terms(schema.attributes, facts["neighbours"], schema.unit)
    seen = _Seen(_structures_of(schema.attributes))
    total = 0
    for number, entry in enumerate(items, 1):
        if isinstance(entry, ChosenItem):
            price = _selection_charge(entry, _measured_after(items, number), seen, facts["rho"], terms)
        else:
            price = _measurement_charge(entry, terms)
        if isinstance(price, str):
            return f"has an item (number {number}) {price}"
        if isinstance(entry, ChosenItem):
            seen.first = seen.first or entry.item
            seen.gone.update(entry.chosen)
        total += price
    if total > units_of(facts["rho"]):
        spent, budget = number_text(total * RHO_UNIT), number_text(facts["rho"])
        return f"has items that cost more than its budget: ρ = {spent} in total, of ρ = {budget}"
    return None


def _measured_after(items: Sequence[ReleasedItem], place: int) -> Sequence[ReleasedItem]:
    """The measurements from a place to the next selection."""
    end = place
    while end < len(items) and isinstance(items[end], MeasuredItem):
        end += 1
    return items[place:end]


def _measurement_charge(entry: MeasuredItem, terms: Terms) -> int | str:
    """What a measurement is charged, in ledger units, or what is wrong with it, as words after "an item"."""
    item = entry.item
    sensitivity, sigma2, rho = item.get("sensitivity"), entry.measurement.sigma2, item.get("rho")
    if not _is_0(item.get("free")):
        return "whose free predicates are not those of its query"
    partitions = partitions_of(entry.measurement.query)
    delta2 = squared_sensitivity(partitions, 0, terms.neighbours, max_rows_of(terms.unit))
    follows = math.sqrt(delta2)
    if not _is_same(sensitivity, follows):
        given = number_text(follows)
        return f"whose sensitivity is {_said(sensitivity)}; its query, the relation and the unit give {given}"
    if not is_variance(sigma2):
        return f"whose sigma2 is {_said(sigma2)}, a variance that noise cannot have"
    charge = charge_of_noise(delta2, sigma2)
    price = charge * RHO_UNIT
    return charge if _is_same(rho, price) else f"whose rho is {_said(rho)}; its noise costs {number_text(price)}"


def _selection_charge(
    entry: ChosenItem, after: Sequence[ReleasedItem], seen: _Seen, budget: float, terms: Terms
) -> int | str:
    """The same of a selection, in the scope of the whole release."""
    item, chosen = entry.item, entry.chosen
    score, candidates, picks = item.get("score"), item.get("candidates"), item.get("picks")
    partitions, sensitivity, rho = item.get("partitions"), item.get("sensitivity"), item.get("rho")
    are_candidates = is_whole(candidates) and all(is_whole(number) and number < candidates for number in chosen)
    if not (is_whole(picks) and picks >= 1 and len(chosen) == picks and are_candidates):
        return "that chose something other than its own candidates"
    if not (isinstance(score, str) and score in ("max", "l1", "aim")):
        return "that chose by an unknown score"
    # AIM alone measures again what it has measured.
    if len(set(chosen)) < picks or (score != "aim" and not seen.gone.isdisjoint(chosen)):
        return "that chose a candidate twice"
    first = seen.first or item
    if any(not _is_same(first.get(name), item.get(name)) for name in ("candidates", "score", "partitions", "free")):
        return "that did not choose from the same candidates as the selection before it"
    if len(after) < picks:
        return "whose choices were not measured"
    is_structure = is_whole(partitions) and partitions in seen.structures and _is_0(item.get("free"))
    if not is_structure or any(measured.item["partitions"] > partitions for measured in after[-picks:]):
        return "whose partitions and free predicates are not the most that its candidates have"
    kind, _ = score_kind(score)
    follows = score_sensitivity(kind, 0, partitions, 0, terms.neighbours, max_rows_of(terms.unit))
    if not _is_same(sensitivity, follows):
        given = number_text(follows)
        return f"whose sensitivity is {_said(sensitivity)}; its score, the relation and the unit give {given}"
    charge = _least_charge(rho, picks) if _is_above_0(rho) and rho <= budget else None
    return charge or f"whose rho is {_said(rho)}; it must be the cost of {picks} equal choices within the budget"


def _structures_of(attributes: Sequence[Attribute]) -> set[int]:
    return {partitions_of(query_of([column], attributes)) for column in range(len(attributes))}


def _least_charge(rho: float, picks: int) -> int | None:
    """The least whole number of units that is written as this ρ and is shared by the picks in equal parts; None, where there is none.

    A double holds only units below 2^53 apart from each other.
    """
    units = rho / RHO_UNIT
    if not units.is_integer():
        return None
    least = int(units) - (int(units) >> 53)
    charge = -(-least // picks) * picks
    while float(charge) < units:
        charge += picks
    return charge if float(charge) == units else None


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a value of JSON is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether it is a whole number from 0."""
    return type(value) is int and value >= 0


def is_number_of_rows(value: Any) -> TypeGuard[int]:
    """Whether so many rows can be made."""
    return is_whole(value) and 1 <= value <= MOST_ROWS


def _is_above_0(value: Any) -> TypeGuard[float]:
    return is_number(value) and value > 0


def _is_0(value: Any) -> bool:
    return is_number(value) and value == 0


def _is_same(said: Any, follows: Any) -> bool:
    """Whether both are the same, and of one type in JSON, where ``True`` is not 1."""
    return said == follows and isinstance(said, bool) == isinstance(follows, bool)


def _is_close(said: float, follows: float) -> bool:
    return abs(said - follows) <= _ROUNDING * follows


def _said(value: Any) -> str:
    return number_text(value) if is_number(value) else "not a number"

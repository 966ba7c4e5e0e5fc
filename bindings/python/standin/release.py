"""The measured part of a release: all that the door let out, and all that a search needs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np

from .errors import StandinError
from .json_text import SAFE, dumps, loads, number_text
from .layout import MAX_ORDER
from .privacy.budget import Standing, is_name, unit_json
from .privacy.items import noise_json
from .privacy.ledger import Ledger
from .queries import Measurement, Query, cells_of, partitions_of, query_of
from .schema.schema import Attribute, Schema, is_delimiter, parse_schema
from .schema.table import Table
from .version import VERSION

MOST_ROWS = 10**7
"""The most rows that are made at once."""

_LEAST_SIGMA2, _MOST_SIGMA2 = 2.0**-10, 2.0**46
"""The variances that the noise can have."""

_ROUNDING = 1e-9
"""What sums of prices in floating point may be off by, relatively."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredItem:
    """A measurement that was drawn: what it is, at what price (``item``), and what came out."""

    item: Mapping[str, Any]
    measurement: Measurement


@dataclass(frozen=True, slots=True, eq=False)
class ChosenItem:
    """A choice that was drawn, and the numbers of the chosen candidates, in their order, as ``Ledger.candidates`` numbers them."""

    item: Mapping[str, Any]
    chosen: Sequence[int]


ReleasedItem = MeasuredItem | ChosenItem
"""One item that was drawn."""


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """Whoever holds it can make more rows at no further cost.

    Attributes:
        items: what was drawn, in order.
        facts: everything that release.json holds beside the items and the schema, by the names that it has there: public facts and
            noisy values.
    """

    schema: Schema
    items: tuple[ReleasedItem, ...]
    facts: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self.facts['columns'])}: {promise_text(self.facts)}>"

    @property
    def measurements(self) -> list[Measurement]:
        """The noisy answers."""
        return measurements_of(self.items)

    @property
    def guarantee(self) -> Mapping[str, Any] | None:
        """What is promised: ε, δ, the unit and the relation; None where nothing is (then ``no_guarantee`` says why)."""
        return self.facts["guarantee"]

    @property
    def no_guarantee(self) -> str | None:
        """Why nothing is promised."""
        return self.facts.get("noGuarantee")

    @property
    def unfinished(self) -> Mapping[str, Any] | None:
        """What is left to do, while rounds are to come."""
        return self.facts.get("unfinished")

    @property
    def standing(self) -> Standing | None:
        """Where an unfinished release stands in the shared budget that it was begun with."""
        unfinished = self.unfinished or {}
        return Standing(unfinished["release"], unfinished["run"], len(self.items)) if "release" in unfinished else None

    @property
    def ledger(self) -> list[Mapping[str, Any]]:
        """What was charged, item by item."""
        return [entry.item for entry in self.items]

    def to_json(self) -> str:
        """The content of release.json."""
        facts = dict(self.facts)
        first = ("mechanism", "estimate", "stages", "neighbours", "publicRows", "epsilon", "delta", "rho")
        return dumps(
            {
                "standin": VERSION,
                **{name: facts.pop(name) for name in first if name in facts},
                "items": [self._with_outcome(entry) for entry in self.items],
                "schema": self.schema.descriptor,
                **facts,
            }
        )

    def _with_outcome(self, entry: ReleasedItem) -> dict[str, Any]:
        """An item as release.json holds it. What noise makes of its answers follows from the rest, as soon as that is complete."""
        if isinstance(entry, ChosenItem):
            return {**entry.item, "chosen": entry.chosen}
        noise = {} if self.unfinished else {"noise": noise_json(entry.item, self.facts["total"])}
        return {**entry.item, **noise, "answers": entry.measurement.answers}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a search went, and how near its rows came; all of it is about noisy answers.

    Attributes:
        start_loss: Σ (target − count)² over all cells, in rows of the searched table, at the start.
        loss: the same at the end.
        steps: sweeps or generations.
        candidates: one-cell changes scored.
        stop: which rule ended the search, as a sentence.
        noise_ratio: Σ (answer of the rows − noisy answer)² ÷ Σ σ² over all cells measured: about 1 where the rows fit as the true ones
            would, more where they are too few or too much was asked of them, less where they fit the noise. Before constraints were
            enforced.
    """

    start_loss: float
    loss: float
    steps: int
    candidates: int
    stop: str
    noise_ratio: float


@dataclass(frozen=True, eq=False, repr=False)
class SyntheticRelease(Release):
    """A release with the rows that were made from it: generated, none copied."""

    table: Table
    outcome: Outcome


def measurements_of(items: Sequence[ReleasedItem]) -> list[Measurement]:
    """The noisy answers among the items."""
    return [entry.measurement for entry in items if isinstance(entry, MeasuredItem)]


def guarantee_of(ledger: Ledger, schema: Schema, noise_is_known: bool) -> dict[str, Any]:
    """What may be promised: nothing if a fact of the schema was read from the rows, or the noise can be known."""
    if noise_is_known:
        return {
            "guarantee": None,
            "noGuarantee": "NOT differentially private: the noise was drawn from a known key, for tests.",
        }
    read = schema.read_facts
    if read:
        facts = "fact was" if len(read) == 1 else "facts were"
        return {
            "guarantee": None,
            "noGuarantee": f"NOT differentially private: {len(read)} {facts} read from the rows: {', '.join(read)}.",
        }
    asked = ledger.asked
    unit = unit_json(ledger.terms.unit)
    return {"guarantee": {"epsilon": asked.epsilon, "delta": asked.delta, "unit": unit, "neighbours": asked.neighbours}}


def promise_text(promise: Mapping[str, Any]) -> str:
    """What is promised, or that nothing is, for people: of what ``guarantee_of`` gives."""
    guarantee = promise["guarantee"]
    if guarantee is None:
        return "no guarantee"
    unit = "one row" if guarantee["unit"] == "row" else f"one person (up to {guarantee['unit']['maxRows']} rows)"
    return f"ε = {number_text(guarantee['epsilon'])}, δ = {number_text(guarantee['delta'])} for {unit}"


def parse_release(text: str) -> Release:
    """Reads release.json.

    Raises:
        StandinError: ``release/…`` where it is not a whole release of this version's kind.
    """
    try:
        json = loads(text)
    except (TypeError, ValueError):
        raise _broken("is not JSON") from None
    if not (isinstance(json, dict) and isinstance(json.get("standin"), str) and json.get("items")):
        raise _broken("has no version or no items")
    if not isinstance(json["items"], list):
        raise _broken("has no version or no items")
    schema = parse_schema(json.get("schema", {}))
    items = tuple(_parse_item(item, schema.attributes, number) for number, item in enumerate(json["items"], 1))
    facts = {name: value for name, value in json.items() if name not in ("standin", "items", "schema")}
    _check_facts(facts, schema)
    _check_price(facts, items)
    if facts.get("unfinished"):
        _check_unfinished(facts["unfinished"], json["standin"])
    return Release(schema, items, facts)


def _parse_item(json: Any, attributes: Sequence[Attribute], number: int) -> ReleasedItem:
    kind = json.get("kind") if isinstance(json, dict) else None
    if kind == "selection" and "chosen" in json:
        item = {name: value for name, value in json.items() if name != "chosen"}
        chosen, picks, candidates = json["chosen"], json.get("picks"), json.get("candidates")
        if not (
            isinstance(chosen, list)
            and len(chosen) == picks
            and _is_whole(candidates)
            and all(_is_whole(choice) and choice < candidates for choice in chosen)
        ):
            raise _broken(f"has a selection (number {number}) that chose no candidates of its own")
        return ChosenItem(item, chosen)
    if kind != "measurement" or not isinstance(json.get("answers"), list):
        raise _broken(f"has an item (number {number}) that is no measurement")
    item = {name: value for name, value in json.items() if name not in ("answers", "noise")}
    return MeasuredItem(item, _parse_measurement(item, json["answers"], attributes, number))


def _parse_measurement(
    item: Mapping[str, Any], answers: Sequence[Any], attributes: Sequence[Attribute], number: int
) -> Measurement:
    if not isinstance(item.get("columns"), list):
        raise _broken(f"has an item (number {number}) that is no measurement")
    places = {axis.name: column for column, axis in enumerate(attributes)}
    columns = [places.get(name, -1) if isinstance(name, str) else -1 for name in item["columns"]]
    if columns != sorted(set(columns)) or -1 in columns or len(columns) > MAX_ORDER:
        raise _broken(
            f"has an item (number {number}) whose columns are not a few modelled columns in the schema's order"
        )
    query = query_of(columns, attributes) if columns else Query("total", ())
    if "groups" in item:
        if not _are_groups(item["groups"], query, attributes):
            raise _broken(f"has an item (number {number}) whose groups are not groups of its columns' codes")
        query = Query(query.kind, query.columns, tuple(of and tuple(of) for of in item["groups"]))
    stated = item.get("cells"), item.get("partitions")
    fits = stated == (cells_of(query, attributes), partitions_of(query)) and all(map(_is_whole, stated))
    if query.kind != item.get("query") or not fits or len(answers) != item["cells"]:
        raise _broken(f"has an item (number {number}) whose answers do not fit its columns")
    if not all(type(answer) is int and -(2**31) <= answer < 2**31 for answer in answers):
        raise _broken(f"has an item (number {number}) with answers that are not whole numbers of 32 bits")
    sigma2 = item.get("sigma2")
    if not (_is_number(sigma2) and _LEAST_SIGMA2 <= sigma2 <= _MOST_SIGMA2):
        raise _broken(f"has an item (number {number}) without its noise, sigma2")
    return Measurement(query, np.array(answers, dtype=np.int32), float(sigma2))


def _are_groups(groups: Any, query: Query, attributes: Sequence[Attribute]) -> bool:
    """Whether a marginal's groups have a number for every code, from 0 without gaps."""

    def are_numbers(of: Any, column: int) -> bool:
        if of is None:
            return True
        whole = isinstance(of, list) and len(of) == attributes[column].size and all(map(_is_whole, of))
        return whole and max(of) < len(set(of))

    return (
        query.kind == "marginal"
        and isinstance(groups, list)
        and len(groups) == len(query.columns)
        and all(map(are_numbers, groups, query.columns))
    )


def _check_facts(facts: Mapping[str, Any], schema: Schema) -> None:
    columns, search = facts.get("columns"), facts.get("search")
    kept = {field.name for field in schema.fields if field.role != "drop"}
    if not (isinstance(columns, list) and all(isinstance(name, str) for name in columns)):
        raise _broken("lists columns twice, or that its schema does not keep")
    if len(set(columns)) != len(columns) or not kept.issuperset(columns):
        raise _broken("lists columns twice, or that its schema does not keep")
    if not {axis.name for axis in schema.attributes}.issubset(columns):
        raise _broken("lacks a modelled column in its list of columns")
    if not isinstance(facts.get("estimate"), str):
        raise _broken("does not say what its rows match")
    if not is_delimiter(facts.get("delimiter")):
        raise _broken("names no delimiter")
    if not (_is_number(facts.get("total")) and abs(facts["total"]) < SAFE):
        raise _broken("has no total")
    if not _is_number_of_rows(facts.get("rows")):
        raise _broken("has no number of rows from 1 to 10,000,000")
    if not (isinstance(search, dict) and _is_whole(search.get("seed")) and search["seed"] < 2**32):
        raise _broken("has no search seed")
    guarantee = facts.get("guarantee", False)
    said = isinstance(facts.get("noGuarantee", ""), str) if guarantee is None else _is_guarantee(guarantee)
    if not said:
        raise _broken("promises nothing that can be understood")


def _check_price(facts: Mapping[str, Any], items: Sequence[ReleasedItem]) -> None:
    """Refuses a release that says two things of its price: what it promises, what it was asked for, and what its items cost are one."""
    epsilon, delta, rho, neighbours = (facts.get(name) for name in ("epsilon", "delta", "rho", "neighbours"))
    is_known = _is_above_0(epsilon) and _is_above_0(delta) and delta <= 1 and _is_relation(neighbours)
    if not (is_known and _is_above_0(rho)):
        raise _broken("does not say what its budget is")
    if not all(_is_above_0(entry.item.get("rho")) for entry in items):
        raise _broken("has an item without its price, rho")
    spent = 0.0
    for entry in items:
        spent += entry.item["rho"]
    if spent > rho * (1 + _ROUNDING):
        raise _broken("has items that cost more than its budget")
    guarantee = facts["guarantee"]
    asked = {"epsilon": epsilon, "delta": delta, "neighbours": neighbours}
    if guarantee is not None and any(guarantee[name] != value for name, value in asked.items()):
        raise _broken("promises something else than its budget gives")


def _check_unfinished(unfinished: Any, version: str) -> None:
    if not (
        isinstance(unfinished, dict)
        and isinstance(unfinished.get("request"), dict)
        and ("rows" not in unfinished or _is_number_of_rows(unfinished["rows"]))
    ):
        raise _broken("does not say how to go on")
    names = [unfinished[name] for name in ("release", "run") if name in unfinished]
    if names and not (len(names) == 2 and all(map(is_name, names))):
        raise _broken("does not say how a shared budget knows it")
    if version != VERSION:
        raise StandinError(
            "release/version",
            f"This release was begun by standin {version}, and this is {VERSION}.",
            "Go on with the version that began it.",
        )


def _is_guarantee(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    unit = value.get("unit")
    rows = 1 if unit == "row" else unit.get("maxRows") if isinstance(unit, dict) else None
    known = _is_above_0(value.get("epsilon")) and _is_above_0(value.get("delta"))
    return known and _is_whole(rows) and 1 <= rows <= 65_535 and _is_relation(value.get("neighbours"))


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: Any) -> TypeGuard[int]:
    return type(value) is int and value >= 0


def _is_above_0(value: Any) -> TypeGuard[float]:
    return _is_number(value) and value > 0


def _is_relation(value: Any) -> bool:
    return value in ("add-remove", "replace")


def _is_number_of_rows(value: Any) -> bool:
    return _is_whole(value) and 1 <= value <= MOST_ROWS


def _broken(what: str) -> StandinError:
    return StandinError(
        "release/broken",
        f"This file is no release of standin: it {what}.",
        "Give the release.json that a run of standin wrote.",
    )

"""Reads release.json."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .errors import StandinError
from .json_text import dumps, loads
from .layout import MAX_ORDER
from .privacy.budget import is_name
from .privacy.items import noise_json
from .queries import Measurement, Query, cells_of, partitions_of, query_of
from .release import ChosenItem, MeasuredItem, Release, ReleasedItem
from .release_checks import contradiction_of, is_number, is_number_of_rows, is_whole
from .schema.schema import Attribute, parse_schema
from .version import VERSION


def parse_release(text: str) -> Release:
    """Reads release.json.

    Whatever follows from something else in it is worked out again: the budget, the promise, the sensitivity and the price of every item,
    and their sum. What a run wrote is always taken.

    Raises:
        StandinError: ``release/broken`` where it is not a whole release, or contradicts itself; ``release/version``.
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
    contradiction = contradiction_of(facts, items, schema)
    if contradiction:
        raise _broken(contradiction)
    if "unfinished" in facts:
        _check_unfinished(facts["unfinished"], json["standin"])
    for number, item in enumerate(json["items"], 1):
        _check_noise(item, facts, number)
    return Release(schema, items, facts)


def _parse_item(json: Any, attributes: Sequence[Attribute], number: int) -> ReleasedItem:
    kind = json.get("kind") if isinstance(json, dict) else None
    if kind == "selection" and isinstance(json.get("chosen"), list):
        return ChosenItem({name: value for name, value in json.items() if name != "chosen"}, json["chosen"])
    if kind != "measurement" or not isinstance(json.get("answers"), list):
        raise _broken(f"has an item (number {number}) that is neither a measurement nor a selection")
    item = {name: value for name, value in json.items() if name not in ("answers", "noise")}
    return MeasuredItem(item, _parse_measurement(item, json["answers"], attributes, number))


def _parse_measurement(
    item: Mapping[str, Any], answers: Sequence[Any], attributes: Sequence[Attribute], number: int
) -> Measurement:
    names = item["columns"] if isinstance(item.get("columns"), list) else [None]
    places = {axis.name: column for column, axis in enumerate(attributes)}
    columns = [places.get(name, -1) if isinstance(name, str) else -1 for name in names]
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
    fits = stated == (cells_of(query, attributes), partitions_of(query)) and all(map(is_whole, stated))
    if query.kind != item.get("query") or not fits or len(answers) != item["cells"]:
        raise _broken(f"has an item (number {number}) whose answers do not fit its columns")
    if not all(type(answer) is int and -(2**31) <= answer < 2**31 for answer in answers):
        raise _broken(f"has an item (number {number}) with answers that are not whole numbers of 32 bits")
    sigma2 = item.get("sigma2")
    if not is_number(sigma2):
        raise _broken(f"has an item (number {number}) without its noise, sigma2")
    return Measurement(query, np.array(answers, dtype=np.int32), float(sigma2))


def _check_noise(item: Mapping[str, Any], facts: Mapping[str, Any], number: int) -> None:
    """Of the noise beside the mean answer, which is written anew, nothing else may have been read."""
    if item["kind"] == "selection" or "noise" not in item:
        return
    if "unfinished" in facts or dumps(item["noise"]) != dumps(noise_json(item, facts["total"])):
        raise _broken(f"has an item (number {number}) whose noise does not follow from its sigma2 and the total")


def _are_groups(groups: Any, query: Query, attributes: Sequence[Attribute]) -> bool:
    """Whether a marginal's groups have a number for every code, from 0 without gaps."""

    def are_numbers(of: Any, column: int) -> bool:
        if of is None:
            return True
        whole = isinstance(of, list) and len(of) == attributes[column].size and all(map(is_whole, of))
        return whole and max(of) < len(set(of))

    return (
        query.kind == "marginal"
        and isinstance(groups, list)
        and len(groups) == len(query.columns)
        and all(map(are_numbers, groups, query.columns))
    )


def _check_unfinished(unfinished: Any, version: str) -> None:
    if not (
        isinstance(unfinished, dict)
        and isinstance(unfinished.get("request"), dict)
        and ("rows" not in unfinished or is_number_of_rows(unfinished["rows"]))
    ):
        raise _broken("does not say how to continue")
    names = [unfinished[name] for name in ("release", "run") if name in unfinished]
    if names and not (len(names) == 2 and all(map(is_name, names))):
        raise _broken("does not say how a shared budget identifies it")
    if version != VERSION:
        raise StandinError(
            "release/version",
            f"This release was started by standin {version}, but this is {VERSION}.",
            "Continue with the version that started it.",
        )


def _broken(what: str) -> StandinError:
    return StandinError(
        "release/broken",
        f"This file is not a standin release: it {what}.",
        "Give the release.json that a run of standin wrote.",
    )

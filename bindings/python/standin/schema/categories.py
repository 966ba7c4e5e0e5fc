"""Finite lists of values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..json_text import dumps
from .decimals import canonical
from .notation import Notation
from .validate import ABSENT, is_list, is_number, or_default, strings, text_of, wrong

MOST_CATEGORIES = 65_534
"""Codes are u16, and the last two stay free for "missing" and "none"."""


@dataclass(frozen=True, eq=False)
class CategoryDomain:
    """A finite list of values: code c is ``labels[c]``."""

    labels: Sequence[str]
    """The text that is written for each code."""
    values: Sequence[str | int | float | bool]
    """The value for each code."""
    spellings: Mapping[str, int]
    """More spellings that are read as a code: those of booleans; of numbers and dates the canonical text of their number."""
    other: int | None
    """The code of unlisted values, where the schema names one."""

    kind: Literal["category"] = "category"

    @property
    def codes(self) -> int:
        return len(self.labels)


def listed(
    where: str, notation: Notation | None, given: Any, other: Any, missing_values: Sequence[str]
) -> CategoryDomain:
    """The categories of an ``enum``, and the one for unlisted values.

    They are written as they are listed, but numbers of a numeric field that are listed as JSON numbers as the field's notation has them.
    Raises ``schema/enum``, ``schema/other``, ``schema/missing``, ``schema/too-many-categories``.

    :param notation: that of numbers, dates and times: their categories are then known by their values too
    """
    if not is_list(given) or not given or not all(isinstance(entry, str | int | float) for entry in given):
        raise wrong(
            "enum", f"{where} has an enum that is no list of categories, or is empty.", "List at least one category."
        )
    rest = None if other is ABSENT else other
    if other is not ABSENT and not isinstance(other, str):
        raise wrong(
            "other", f"{where} names a category for unlisted values that is no text.", 'Write "other": "Other".'
        )
    labels = [_label(where, notation, entry) for entry in given]
    twice = _repeated(labels)
    if twice is not None:
        raise wrong("enum", f"{where} lists the category {dumps(twice)} twice.", "List each category once.")
    if rest is not None and rest not in labels:
        labels.append(rest)
    if len(labels) > MOST_CATEGORIES:
        raise wrong(
            "too-many-categories",
            f"{where} has {len(labels)} categories, more than {MOST_CATEGORIES}.",
            "List the common ones and name a category for the rest (standin.other).",
        )
    _not_missing(where, labels, missing_values)
    values: list[str | int | float | bool] = list(labels)
    spellings: dict[str, int] = {}
    for code, label in enumerate(labels):
        number = notation.read(label) if notation else None
        if notation is None or number is None:
            continue
        spelling = canonical(number)
        if spelling in spellings:
            raise wrong(
                "enum",
                f"{where} lists {dumps(label)} twice: {dumps(labels[spellings[spelling]])} is the same.",
                "List each category once.",
            )
        spellings[spelling] = code
        values[code] = notation.value(number)
    return CategoryDomain(labels, values, spellings, None if rest is None else labels.index(rest))


def booleans(where: str, given: Mapping[str, Any], missing_values: Sequence[str]) -> CategoryDomain:
    """A boolean's two values, false first. Raises ``schema/list``, ``schema/boolean``, ``schema/missing``."""
    trues, falses = (
        strings(or_default(given, member, defaults), f'{member} of the field "{given["name"]}"')
        for member, defaults in (
            ("trueValues", ["true", "True", "TRUE", "1"]),
            ("falseValues", ["false", "False", "FALSE", "0"]),
        )
    )
    if not trues or not falses or not set(trues).isdisjoint(falses):
        raise wrong(
            "boolean", f"{where} has trueValues and falseValues that are empty or overlap.", 'Use ["yes"] and ["no"].'
        )
    _not_missing(where, [*trues, *falses], missing_values)
    spellings = {**dict.fromkeys(falses, 0), **dict.fromkeys(trues, 1)}
    return CategoryDomain([falses[0], trues[0]], [False, True], spellings, None)


def _label(where: str, notation: Notation | None, entry: Any) -> str:
    if notation and notation.unit == "" and is_number(entry):
        return notation.write(notation.stated(entry, f"{where} lists a number"))
    return text_of(entry)


def _repeated(labels: Sequence[str]) -> str | None:
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            return label
        seen.add(label)
    return None


def _not_missing(where: str, labels: Sequence[str], missing_values: Sequence[str]) -> None:
    both = next((label for label in labels if label in missing_values), None)
    if both is not None:
        raise wrong(
            "missing",
            f"{where} lists {dumps(both)}, which missingValues says means missing.",
            "Take it out of one of the two.",
        )

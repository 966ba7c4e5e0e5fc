"""Finite lists of values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..json_text import dumps
from .decimals import canonical
from .validate import ABSENT, is_list, or_default, shown, strings, wrong
from .value_type import ValueType

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


def listed(where: str, kind: ValueType, given: Any, other: Any, missing_values: Sequence[str]) -> CategoryDomain:
    """The categories of an ``enum``, and the one for unlisted values; all are values of the field's type.

    They are written as they are listed, but JSON numbers as the field's notation has them. Those of numbers, dates and times are known by
    their values too. Raises ``schema/enum``, ``schema/other``, ``schema/missing``, ``schema/too-many-categories``; ``schema/number`` as
    ``ValueType.text_of``.
    """
    if not is_list(given) or not given:
        raise wrong(
            "enum", f"{where} has an enum that is not a list of categories or is empty.", "List at least one category."
        )
    labels = [_label(where, kind, entry) for entry in given]
    rest = None
    if other is not ABSENT:
        rest = kind.text_of(other, f"{where} names a category for unlisted values")
        if rest is None:
            raise wrong(
                "other", f"{where} names {shown(other)} for unlisted values, which is {kind.lacking}.", kind.remedy
            )
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
    notation = kind.notation
    numbers = [notation.read(label) for label in labels] if notation else []
    for code, number in enumerate(numbers):
        assert notation is not None and number is not None, "Labels are of the field's type."
        label = labels[code]
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


def _label(where: str, kind: ValueType, entry: Any) -> str:
    label = kind.text_of(entry, f"{where} lists a number")
    if label is None:
        raise wrong("enum", f"{where} lists {shown(entry)}, which is {kind.lacking}.", kind.remedy)
    return label


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
            f"{where} lists {dumps(both)}, which missingValues lists as missing.",
            "Take it out of one of the two.",
        )

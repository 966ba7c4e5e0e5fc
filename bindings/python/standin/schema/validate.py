"""Small checks that every part of a schema goes through."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard

from ..errors import StandinError
from ..json_text import SAFE, dumps, number_text
from .decimals import Decimal, parse_decimal

ABSENT: Final = object()
"""Stands for a member that is not there: ``None`` is JSON's null."""


def wrong(code: str, message: str, hint: str) -> StandinError:
    """The error about a schema."""
    return StandinError(f"schema/{code}", message, hint)


def is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)


def is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


def is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: Any, least: int, most: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def text_of(value: Any) -> str:
    """A scalar of JSON as a text, as JavaScript's ``String`` gives it."""
    if isinstance(value, str):
        return value
    return number_text(value) if is_number(value) else dumps(value)


def or_default(given: Mapping[str, Any], member: str, fallback: Any) -> Any:
    """A member, or what stands for it where it is absent or null."""
    value = given.get(member)
    return fallback if value is None else value


def only_members(value: Any, where: str, members: Sequence[str]) -> Mapping[str, Any]:
    """An object with no members but these. Raises ``schema/block`` or ``schema/unknown-member``."""
    hint = f"It may have {', '.join(members)}."
    if not is_object(value):
        raise wrong("block", f"{where} is not an object.", hint)
    stray = next((member for member in value if member not in members), None)
    if stray is not None:
        raise wrong("unknown-member", f'{where} has an unknown member "{stray}".', hint)
    return value


def no_misplaced(value: Mapping[str, Any], where: str, mistakes: Sequence[str]) -> None:
    """Raises ``schema/misplaced-member`` for members that are known to be mistakes.

    The format lets anyone add members, so that unknown ones are ignored; these would change what is protected or modelled in silence.
    """
    stray = next((member for member in mistakes if member in value), None)
    if stray is not None:
        raise wrong(
            "misplaced-member",
            f'{where} has a member "{stray}", which has no effect there.',
            "standin's own members go into a \"standin\" block; the format's are spelled missingValues, minimum, maximum, constraints.",
        )


def shown(value: Any) -> str:
    """A value of the schema, for messages."""
    return "a list" if is_list(value) else "an object" if is_object(value) else dumps(value)


def strings(value: Any, where: str) -> tuple[str, ...]:
    """A list of different strings. Raises ``schema/list``."""
    if not is_list(value):
        raise wrong("list", f"The {where} are not a list of strings.", 'Write them as ["", "NA"].')
    for entry in value:
        if not isinstance(entry, str):
            raise wrong("list", f"The {where} have {shown(entry)}, which is not text.", 'Write it in quotes, as "-99".')
    return tuple(dict.fromkeys(value))


def choice(value: Any, allowed: Sequence[str], sentence: str, code: str) -> str:
    """One of a few words. Raises this code."""
    if isinstance(value, str) and value in allowed:
        return value
    raise wrong(code, f"{sentence} {dumps(value)}, which is not known.", f"Known: {', '.join(allowed)}.")


def decimal(value: Any, sentence: str, whole: bool) -> Decimal:
    """A number in a schema; one in quotes keeps the zeros at its end. Raises ``schema/number``.

    :param whole: whether it counts to the last digit: then it is refused where readers of JSON have rounded it
    """
    parsed = parse_decimal(text_of(value)) if is_number(value) or isinstance(value, str) else None
    if parsed is None:
        raise wrong("number", f"{sentence} that is not a number: {shown(value)}.", "Give a number.")
    if whole and is_number(value) and abs(value) >= SAFE:
        raise wrong(
            "number",
            f"{sentence} beyond 2^53, which JSON readers round: {number_text(value)}.",
            "Write it in quotes, digit by digit.",
        )
    return parsed

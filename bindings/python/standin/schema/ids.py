"""Ids of rows: 1, 2, 3, … from the row's number and nothing else, so that they are unique and tell nothing."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..json_text import dumps
from .numeric import check_width
from .validate import only_members, or_default, wrong

_MADE: Mapping[str, Callable[[int], str]] = {
    "default": str,
    # Of the form of version 4 (RFC 9562), which every checker knows; with the row's number as its last twelve digits.
    "uuid": lambda number: f"00000000-0000-4000-8000-{number:012x}",
    "email": lambda number: f"person{number}@example.com",
    "uri": lambda number: f"https://example.com/{number}",
}
"""Ids by the Frictionless string format, from the row's number, 1 up. Names under example.com belong to nobody (RFC 2606)."""


class IdCodec(NamedTuple):
    """How the rows' numbers, 0 up, read in an ``id`` field."""

    write: Callable[[int], str]
    """The id of a number, 1 up."""
    is_number: bool

    def text(self, row: int) -> str:
        return self.write(row + 1)

    def value(self, row: int) -> int | str:
        return row + 1 if self.is_number else self.text(row)


def id_codec(where: str, kind: str, given: Mapping[str, Any], stated: Any) -> IdCodec:
    """How the ids of rows read.

    Strings may have a ``format`` (uuid, email, uri), or in ``standin.format`` a ``pattern`` such as ``P-#####``, whose #s are the number's
    digits; strings and numbers may have a ``width`` to be filled with zeros. Numbers with more digits than that are longer, not cut.
    Raises ``schema/id`` for types that ids cannot have; ``schema/format``.

    :param stated: ``standin.format``
    """
    if kind in ("integer", "number"):
        members = only_members(stated, f"{where}, in its standin.format,", ["width"])
        return IdCodec(_zero_filled(where, members.get("width", 1)), is_number=True)
    if kind != "string":
        raise wrong(
            "id",
            f"{where} has the role id and the type {kind}: ids are strings or integers.",
            'Give it the role "drop", or model it.',
        )
    return IdCodec(_id_text(where, or_default(given, "format", "default"), stated), is_number=False)


def _id_text(where: str, shape: Any, stated: Any) -> Callable[[int], str]:
    if not isinstance(shape, str) or shape not in _MADE:
        raise wrong(
            "format",
            f"{where} has the format {dumps(shape)}, in which ids cannot be made.",
            f"Known: {', '.join(_MADE)}.",
        )
    members = only_members(stated, f"{where}, in its standin.format,", ["width", "pattern"])
    if (shape != "default") + len(members) > 1:
        raise wrong("format", f"{where} has more than one of format, width and pattern.", "Keep one of them.")
    if "width" in members:
        return _zero_filled(where, members["width"])
    return _patterned(where, members["pattern"]) if "pattern" in members else _MADE[shape]


def _zero_filled(where: str, width: Any) -> Callable[[int], str]:
    checked = check_width(where, width, 1)
    return lambda number: str(number).rjust(checked, "0")


def _patterned(where: str, pattern: Any) -> Callable[[int], str]:
    """Digits take the places of the #s, from the right; those that are left over come before the first #."""
    if not isinstance(pattern, str) or "#" not in pattern:
        raise wrong(
            "format",
            f"{where} has a pattern without a place for the number: {dumps(pattern)}.",
            'Mark its digits with #, as in "P-#####".',
        )
    before, *others = pattern.split("#")

    def text(number: int) -> str:
        digits = str(number).rjust(len(others), "0")
        over = len(digits) - len(others)
        return before + digits[:over] + "".join(map("".join, zip(digits[over:], others, strict=True)))

    return text

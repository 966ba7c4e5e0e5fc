"""Constraints that a text states."""

import re
from typing import Literal, NamedTuple

from ..json_text import dumps
from .blanks import BLANKS, stripped
from .validate import wrong

_BLANK = f"[{re.escape(BLANKS)}]*"
_PLAIN = f'[^"<>=+{re.escape(BLANKS)}]+'
_TOKEN = re.compile(f'{_BLANK}(?:"((?:[^"]|"")*)"|(<=|=|\\+)|({_PLAIN})){_BLANK}')
_SUM = re.compile(r"name = name( \+ name)+")
_HINT = 'Write "opened <= closed" or "total = net + tax"; a name with blanks or signs needs double quotes: "\\"start date\\" <= end".'


class StatedConstraint(NamedTuple):
    """A constraint that a text states, by the columns' names."""

    kind: Literal["order", "sum"]
    names: list[str]
    """The lower column and the upper one; the total and its parts, two or more."""


def parse_constraint_text(text: str) -> StatedConstraint:
    """Reads ``a <= b`` or ``total = a + b + …``. Raises ``schema/constraint``."""
    names: list[str] = []
    signs: list[str] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise wrong(
                "constraint",
                f"The constraint {dumps(text)} cannot be read from {dumps(stripped(text[at:]))} onwards.",
                _HINT,
            )
        quoted, sign, plain = match.groups()
        if sign is None:
            names.append(quoted.replace('""', '"') if plain is None else plain)
        signs.append(sign or "name")
        at = match.end()
    shape = " ".join(signs)
    if shape == "name <= name":
        return StatedConstraint("order", names)
    if _SUM.fullmatch(shape):
        return StatedConstraint("sum", names)
    raise wrong("constraint", f'The constraint {dumps(text)} is neither "a <= b" nor "a = b + c".', _HINT)

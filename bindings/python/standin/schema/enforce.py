"""TODO"""
from typing import Any, NamedTuple


class Cells(NamedTuple):
    stored: Any
    codes: Any
    words: Any


def enforce_linked(group: Any, cells: Cells) -> None:
    raise NotImplementedError

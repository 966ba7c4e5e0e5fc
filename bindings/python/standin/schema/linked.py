"""TODO"""
from typing import Any

Linked = Any


def link_columns(constraints: Any, fields: Any) -> tuple[Any, ...]:
    return ()

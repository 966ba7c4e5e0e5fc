"""TODO"""
from typing import Any


def parse_constraints(stated: Any, fields: Any) -> list[Any]:
    return []

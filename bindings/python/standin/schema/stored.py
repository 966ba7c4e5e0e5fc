"""How a table stores a modelled field.

Category codes are u16; grid points u16, u32 or f64, whichever is the first that leaves a code for a missing cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .field import Domain, Field

_NO_POINT_16 = 0xFFFF
_NO_POINT_32 = 0xFFFFFFFF
"""The stored codes of missing cells on grids that fit u16 and u32: the greatest ones."""


def stored_type(domain: Domain) -> np.dtype:
    """The type of the stored codes of a modelled field."""
    if domain.kind == "category" or domain.points <= _NO_POINT_16:
        return np.dtype(np.uint16)
    return np.dtype(np.uint32 if domain.points <= _NO_POINT_32 else np.float64)


def missing_code(field: Field) -> int | None:
    """The stored code of a missing cell, where the field may be missing: one past the last category, or no grid point."""
    if field.required:
        return None
    domain = field.modelled
    if domain.kind == "category":
        return len(domain.labels)
    if domain.points <= _NO_POINT_16:
        return _NO_POINT_16
    return _NO_POINT_32 if domain.points <= _NO_POINT_32 else -1

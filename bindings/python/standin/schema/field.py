"""One column of a schema."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..json_text import dumps
from .categories import MOST_CATEGORIES, CategoryDomain, booleans, listed
from .decimals import Decimal, canonical, format_decimal
from .grid import Bins, Grid, make_grid
from .ids import IdCodec, id_codec
from .notation import Notation
from .numeric import number_notation
from .temporal import temporal_notation
from .validate import (
    ABSENT,
    choice,
    decimal,
    is_list,
    is_object,
    is_whole,
    no_misplaced,
    only_members,
    or_default,
    shown,
    text_of,
    wrong,
)
from .value_type import ValueType

Domain = CategoryDomain | Grid

_MISPLACED = ["role", "other", "granularity", "bins", "provenance", "unit"]
_MISPLACED += ["enum", "minimum", "maximum", "required", "min", "max", "constrains", "missingValues"]

_CONSTRAINTS = ["required", "unique", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
_CONSTRAINTS += ["minLength", "maxLength", "pattern", "jsonSchema"]
"""What the format's constraints may be; only ``required``, ``enum``, ``minimum`` and ``maximum`` are acted on."""

_TYPES = ["string", "integer", "number", "boolean", "date", "datetime", "time", "year"]
_ROLES = ["model", "id", "drop"]
_BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
_PROVENANCES = ["declared", "paid", "read"]
_MEMBERS = ["role", "other", "granularity", "bins", "format", "provenance"]


@dataclass(frozen=True, eq=False)
class Field:
    """One column of the schema."""

    name: str
    type: str
    role: str
    required: bool
    """Whether missing is not among the field's values."""
    attribute: int | None = None
    """The field's place among the modelled ones."""
    domain: Domain | None = None
    """The values of a modelled field."""
    notation: Notation | None = None
    """How a modelled number, date or time is spelled."""
    id: IdCodec | None = None
    """How the rows' numbers read in an ``id`` field."""

    @property
    def modelled(self) -> Domain:
        """The values of a field that is modelled."""
        assert self.domain is not None
        return self.domain

    @property
    def spelled(self) -> Notation:
        """The notation of a field that has one."""
        assert self.notation is not None
        return self.notation


def parse_field(given: Any, at: int, missing_values: Sequence[str], attribute: int) -> Field:
    """Reads one field of a schema. Raises ``schema/…``.

    Whatever a modelled field states as a value (categories, ``other``, bounds, also exclusive ones, and edges of bins) is one of its type.

    :param at: its place, for fields without a name
    :param attribute: its place among the modelled fields, should it be one
    """
    if not is_object(given) or not isinstance(given.get("name"), str):
        raise wrong(
            "field", f"Field number {at + 1} has no name.", "Give it the name that it has in the table's header."
        )
    name = given["name"]
    where = f'The field "{name}"'
    no_misplaced(given, where, _MISPLACED)
    block = only_members(or_default(given, "standin", {}), f"{where}, in its standin block,", _MEMBERS)
    role = choice(or_default(block, "role", "model"), _ROLES, f"{where} has the role", "unknown-role")
    # What is dropped may be of any type: its cells are not read.
    kind = or_default(given, "type", "string")
    if role == "drop" and isinstance(kind, str) and kind not in _TYPES:
        kind = "string"
    kind = choice(kind, _TYPES, f"{where} has the type", "unknown-type")
    constraints = only_members(or_default(given, "constraints", {}), f"{where}, in its constraints,", _CONSTRAINTS)
    required = or_default(constraints, "required", False)
    if not isinstance(required, bool):
        raise wrong("constraints", f'{where} has a "required" that is not true or false.', "Use true.")
    field = Field(name, kind, role, required or not missing_values)
    if role == "drop":
        return field
    if role == "id":
        return replace(field, id=id_codec(where, kind, given, block.get("format", {})))
    notation = _notation(where, kind, given, constraints, block)
    domain = _domain(where, kind, notation, given, constraints, block, missing_values)
    return replace(field, attribute=attribute, domain=domain, notation=notation)


def facts_read(descriptor: Mapping[str, Any]) -> tuple[str, ...]:
    """Every fact of a descriptor whose provenance is ``read``, as ``field: fact``. Raises ``schema/provenance``."""
    owners = [("schema", descriptor), *((text_of(field.get("name")), field) for field in descriptor["fields"])]
    return tuple(fact for owner, holder in owners for fact in _facts_read(owner, holder))


def _facts_read(owner: str, holder: Mapping[str, Any]) -> list[str]:
    block = holder.get("standin")
    if not is_object(block) or "provenance" not in block:
        return []
    provenance = block["provenance"]
    facts = provenance if is_object(provenance) else {"all facts": provenance}
    for source in facts.values():
        choice(source, _PROVENANCES, f"{owner} has the provenance", "provenance")
    return [f"{owner}: {fact}" for fact, source in facts.items() if source == "read"]


def _notation(
    where: str, kind: str, given: Mapping[str, Any], constraints: Mapping[str, Any], block: Mapping[str, Any]
) -> Notation | None:
    if kind in ("integer", "number", "year"):
        return number_notation(where, kind, given, block.get("format", ABSENT))
    if "format" in block:
        raise wrong(
            "format",
            f"{where} has a standin.format, which has no effect for a modelled {kind}.",
            "Categories are written as they are listed; dates and times have their format next to their type.",
        )
    if kind in ("string", "boolean"):
        return None
    categories = constraints.get("enum")
    first = text_of(categories[0]) if is_list(categories) and categories else constraints.get("minimum")
    return temporal_notation(where, kind, given.get("format", ABSENT), first)


def _domain(
    where: str,
    kind: str,
    notation: Notation | None,
    given: Mapping[str, Any],
    constraints: Mapping[str, Any],
    block: Mapping[str, Any],
    missing_values: Sequence[str],
) -> Domain:
    truth = booleans(where, given, missing_values) if kind == "boolean" else None
    value_type = ValueType(kind, notation, given.get("format"), truth.spellings if truth else {})
    limits = _limits(where, value_type, constraints, block.get("bins", ABSENT))
    if "enum" in constraints:
        return listed(where, value_type, constraints["enum"], block.get("other", ABSENT), missing_values)
    if "other" in block:
        raise wrong(
            "other",
            f"{where} names a category for unlisted values but lists none.",
            "Give it an enum, or drop standin.other.",
        )
    if truth is not None:
        return truth
    if notation is None:
        raise wrong(
            "no-categories",
            f"{where} is modelled but has no categories: constraints.enum is missing.",
            'List its categories from a code book (reading them from the rows would leak), or give it the role "drop" or "id".',
        )
    return _grid(where, value_type, notation, limits, block)


class _Limits(NamedTuple):
    """What a field states as values that lie between others: in exact numbers, where its type has any."""

    bounds: Mapping[str, Decimal | None]
    """Those stated, by their names."""
    edges: Sequence[Decimal | None]
    """Those of bins; none where ``bins`` is no list."""


def _limits(where: str, kind: ValueType, constraints: Mapping[str, Any], bins: Any) -> _Limits:
    """The bounds and edges of any field, all of its type."""
    bounds = {
        name: _limit(where, kind, constraints[name], f"{'an' if name[0] == 'e' else 'a'} {name}", "bounds")
        for name in _BOUNDS
        if name in constraints
    }
    edges = [_limit(where, kind, edge, "a bin edge", "bins") for edge in bins] if is_list(bins) else []
    return _Limits(bounds, edges)


def _limit(where: str, kind: ValueType, value: Any, what: str, code: str) -> Decimal | None:
    if kind.notation is None:
        if kind.text_of(value, where) is None:
            raise wrong(
                code,
                f"{where} has {what} that is {kind.lacking}: {shown(value)}.",
                f"Take it out: {kind.named} has no order.",
            )
        return None
    number = kind.notation.stated(value, f"{where} has {what}")
    if not kind.fits(number):
        raise wrong(
            code, f"{where} is {kind.named} with {what} that is not whole: {shown(value)}.", "Give a whole number."
        )
    return number


def _grid(where: str, kind: ValueType, notation: Notation, limits: _Limits, block: Mapping[str, Any]) -> Grid:
    minimum, maximum = limits.bounds.get("minimum"), limits.bounds.get("maximum")
    if minimum is None or maximum is None:
        absent = [name for name, bound in (("minimum", minimum), ("maximum", maximum)) if bound is None]
        raise wrong(
            "no-bounds",
            f"{where} is modelled but has no {' and no '.join(absent)}.",
            "Declare minimum and maximum from a code book or a law; reading them from the rows would leak.",
        )
    if maximum.is_below(minimum):
        raise wrong("bounds", f"{where} has a minimum above its maximum.", "Swap minimum and maximum.")
    step = _step(where, notation, minimum, maximum, block.get("granularity", ABSENT))
    if not kind.fits(step):
        raise wrong(
            "granularity",
            f"{where} is {kind.named} with a granularity that is not whole: {shown(block['granularity'])}.",
            "Give a whole step.",
        )
    if notation.unit == "":
        _check_on_grid(where, minimum, step)
    grid = make_grid(where, minimum, maximum, step, _bins(where, block.get("bins", ABSENT), limits.edges))
    _check_readable(where, notation, grid)
    return grid


def _step(where: str, notation: Notation, minimum: Decimal, maximum: Decimal, granularity: Any) -> Decimal:
    if granularity is ABSENT:
        return notation.step(minimum, maximum)
    step = decimal(granularity, f"{where} has a granularity", whole=False)
    if step.units > 0:
        return step
    raise wrong(
        "granularity",
        f"{where} has a granularity that is not above 0: {shown(granularity)}.",
        "Use a step such as 0.1.",
    )


def _check_on_grid(where: str, minimum: Decimal, step: Decimal) -> None:
    """Grids of numbers pass through 0, so that what comes out is round; those of dates and times start at their minimum."""
    scale = max(minimum.scale, step.scale)
    if minimum.at(scale) % step.at(scale) != 0:
        raise wrong(
            "bounds",
            f"{where} has a minimum that is not a multiple of its granularity {format_decimal(step)}.",
            "Change the minimum, or state a finer granularity (standin.granularity).",
        )


def _check_readable(where: str, notation: Notation, grid: Grid) -> None:
    """What is written has to read back as the same point: a format may be coarser than the steps, or end before the last of them."""
    for point in (0, min(1, grid.points - 1), grid.points - 1):
        value = grid.value_at(point)
        text = notation.write(value)
        read = notation.read(text)
        if read is None or canonical(read) != canonical(value):
            raise wrong(
                "format",
                f"{where} has values that cannot be written: {dumps(text)} would be read as {'another value' if read else 'no value'}.",
                "State a coarser granularity (standin.granularity), other bounds, or a more precise format.",
            )


def _bins(where: str, bins: Any, edges: Sequence[Decimal | None]) -> Bins:
    if bins is ABSENT:
        return None
    if bins == "tree":
        return "tree"
    if is_whole(bins, 1, MOST_CATEGORIES):
        return bins
    if edges:
        return [edge for edge in edges if edge is not None]
    raise wrong(
        "bins",
        f'{where} has bins that are neither a number, nor a list of edges, nor "tree".',
        "Try [0, 18, 65] or 20.",
    )

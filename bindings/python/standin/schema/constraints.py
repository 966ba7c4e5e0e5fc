"""What a schema says of several cells of one row."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ..json_text import dumps
from .categories import CategoryDomain
from .combinations import Combinations
from .constraint_text import parse_constraint_text
from .decimals import canonical
from .field import Field
from .grid import Grid
from .stored import missing_code
from .validate import is_list, is_number, is_object, only_members, text_of, wrong

_HINT = 'A constraint is "a <= b", "a = b + c" or { "columns": ["city", "country"], "allowed": [["Lyon", "France"]] }.'


class Constraint(NamedTuple):
    """What has to hold between some columns.

    ``order``: the first column's number is at most the second's, where both have one. ``sum``: the first column's number is the sum of the
    others', where all have one. ``combinations``: one of these.
    """

    kind: Literal["order", "sum", "combinations"]
    text: str
    """How messages name it."""
    columns: tuple[int, ...]
    """Places among the modelled columns."""
    combinations: Combinations | None = None


def parse_constraints(stated: Any, fields: Sequence[Field]) -> list[Constraint]:
    """Reads a schema's ``standin.constraints``.

    A list of ``"a <= b"``, ``"a = b + c"`` and ``{ "columns": [two or more names], "allowed": [[a value each], …] }``, a value being one that
    the column's schema states, or ``null`` for missing. Raises ``schema/constraint`` for what is none of these; ``schema/constraint-column``
    for columns that cannot stand in it; ``schema/constraint-value`` for a listed value that its column does not have.
    """
    if not is_list(stated):
        raise wrong("constraint", "The schema's standin.constraints is not a list.", _HINT)
    return [_constraint(entry, fields) for entry in stated]


def _constraint(entry: Any, fields: Sequence[Field]) -> Constraint:
    if isinstance(entry, str):
        return _parse_text(entry, fields)
    if is_object(entry):
        return _parse_list(entry, fields)
    raise wrong("constraint", f"The schema's standin.constraints has {dumps(entry)}.", _HINT)


def _parse_text(text: str, fields: Sequence[Field]) -> Constraint:
    where = f"The constraint {dumps(text)}"
    kind, names = parse_constraint_text(text)
    columns = _columns_named(names, where, fields)
    first = _compared_as(columns[0])
    for name, column in zip(names, columns, strict=True):
        compared = _compared_as(column)
        if compared is None:
            raise wrong(
                "constraint-column",
                f'{where} has "{name}", whose values have no order.',
                "Only numbers, dates, datetimes and times can be compared.",
            )
        if kind == "sum" and compared != "number":
            raise wrong(
                "constraint-column", f'{where} adds up "{name}", a {compared}.', "Only numbers can be added up."
            )
        if compared != first:
            raise wrong(
                "constraint-column",
                f'{where} compares "{names[0]}", a {first}, with "{name}", a {compared}.',
                "Both must be numbers, or both of the same type of date or time.",
            )
    return Constraint(kind, text, _places(columns))


def _compared_as(field: Field) -> str | None:
    """What a column's values are compared as; ``None`` where they have no order."""
    if field.notation is None:
        return None
    return field.type if field.notation.unit else "number"


def _parse_list(entry: Mapping[str, Any], fields: Sequence[Field]) -> Constraint:
    stated = only_members(entry, "A constraint of the schema", ["columns", "allowed"])
    names, allowed = stated.get("columns"), stated.get("allowed")
    if not is_list(names) or len(names) < 2:
        raise wrong("constraint", "A list of combinations has fewer than two columns.", _HINT)
    where = f"The list of combinations of {', '.join(map(dumps, names))}"
    columns = _columns_named(names, where, fields)
    if not is_list(allowed) or not allowed:
        raise wrong("constraint", f'{where} allows nothing: "allowed" is not a list or is empty.', _HINT)
    readers = [_stated_reader(column, where) for column in columns]
    rows = []
    for at, row in enumerate(allowed):
        if not is_list(row) or len(row) != len(columns):
            raise wrong(
                "constraint",
                f"{where} has, as combination {at + 1}, {dumps(row)}, which is not a list of {len(columns)} values.",
                "Give each combination one value per column, null for missing.",
            )
        rows.append(tuple(read(value) for read, value in zip(readers, row, strict=True)))
    text = f"{', '.join(names)}: one of {len(rows)} combinations"
    return Constraint("combinations", text, _places(columns), Combinations(rows, list(map(missing_code, columns))))


def _places(columns: Sequence[Field]) -> tuple[int, ...]:
    return tuple(column.attribute for column in columns if column.attribute is not None)


def _columns_named(names: Sequence[Any], where: str, fields: Sequence[Field]) -> list[Field]:
    columns = []
    for at, name in enumerate(names):
        field = next((candidate for candidate in fields if candidate.name == name), None)
        if field is None:
            raise wrong(
                "constraint-column",
                f"{where} has {dumps(name)}, which is not a field of the schema.",
                f"Fields: {', '.join(dumps(candidate.name) for candidate in fields)}.",
            )
        if field.domain is None:
            raise wrong(
                "constraint-column",
                f'{where} has "{field.name}", which has the role "{field.role}".',
                "Only modelled columns can be constrained.",
            )
        if name in names[:at]:
            raise wrong("constraint-column", f'{where} has "{field.name}" twice.', "Name each column once.")
        columns.append(field)
    return columns


def _stated_reader(field: Field, where: str) -> Callable[[Any], int]:
    """What gives the stored code of a value that a list states for a column. Raises ``schema/constraint-value``, then, for what is none."""
    domain, missing = field.modelled, missing_code(field)
    read = _point_reader(field, domain, where) if domain.kind == "grid" else _category_reader(field, domain, where)

    def code_of(value: Any) -> int:
        stored = missing if value is None else read(value)
        if stored is not None:
            return stored
        raise wrong(
            "constraint-value",
            f'{where} has {dumps(value)}, which is not a value of "{field.name}".',
            f'"{field.name}" can never be missing.'
            if value is None
            else "Write values as the column's enum lists them, or points of its grid between its bounds.",
        )

    return code_of


def _point_reader(field: Field, grid: Grid, where: str) -> Callable[[Any], int | None]:
    def point_of(value: Any) -> int | None:
        number = field.spelled.stated(value, f"{where} has a value")
        point = grid.point_of(number)
        return point if canonical(grid.value_at(point)) == canonical(number) else None

    return point_of


def _category_reader(field: Field, domain: CategoryDomain, where: str) -> Callable[[Any], int | None]:
    codes = {label: code for code, label in enumerate(domain.labels)}
    notation = field.notation

    def code_of(value: Any) -> int | None:
        is_truth = isinstance(value, bool) and field.type == "boolean"
        is_count = is_number(value) and notation is not None and notation.unit == ""
        if not isinstance(value, str) and not is_truth and not is_count:
            return None
        text = text_of(value)
        number = None
        if notation is not None:
            number = notation.stated(value, f"{where} has a value") if is_count else notation.read(text)
        return codes.get(text, domain.spellings.get(text if number is None else canonical(number)))

    return code_of

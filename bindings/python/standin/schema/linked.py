"""Columns that constraints link, directly or through others."""

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

import numpy as np

from ..json_text import dumps
from .axis import MOST_NUMBER, Axis, NumberAxis, number_axis, places_of, plain_axis
from .constraints import Constraint
from .field import Field
from .solver import Bounds, Problem, Solver
from .validate import wrong

_MOST_TRIES = 1_000_000
"""The most combinations and values that are tried in search of one row that satisfies the constraints of linked columns."""

_MIDDLE = 2**31
"""Middle values make the least peculiar witness."""


class Linked(NamedTuple):
    """Linked columns, and what has to hold between them."""

    columns: tuple[int, ...]
    """Places among the modelled columns, ascending; the lists below are in this order."""
    constraints: Sequence[Constraint]
    axes: Sequence[Axis]
    problem: Problem
    witness: tuple[int, ...]
    """Stored codes that satisfy all of the constraints."""

    def places(self, constraint: Constraint) -> tuple[int, ...]:
        """A constraint's columns, by their places among the linked ones."""
        return _places(self.columns, constraint)

    def broken(self, stored: Sequence[np.ndarray]) -> np.ndarray:
        """For each row, given the stored codes of each linked column, whether it breaks a constraint."""
        broken = np.zeros(len(stored[0]), bool)
        for constraint in self.constraints:
            broken |= self._broken(constraint, stored)
        return broken

    def numbers(self, place: int, stored: Sequence[np.ndarray]) -> np.ndarray:
        """The numbers of a column that is compared, f64, NaN where it has none."""
        axis = self.axes[place]
        assert isinstance(axis, NumberAxis)
        return axis.numbers(stored[place])

    def _broken(self, constraint: Constraint, stored: Sequence[np.ndarray]) -> np.ndarray:
        places = self.places(constraint)
        if constraint.combinations is not None:
            return constraint.combinations.broken([stored[place] for place in places])
        first, *others = (self.numbers(place, stored) for place in places)
        # Comparisons with NaN are false: a cell without a number breaks nothing.
        return first > others[0] if constraint.kind == "order" else np.abs(first - sum(others)) > 0


def link_columns(constraints: Sequence[Constraint], fields: Sequence[Field]) -> tuple[Linked, ...]:
    """Groups constraints by the columns that they link, and finds for each group values that satisfy all of it with all cells there.

    A constraint that only missing cells let pass is surely a mistake. Raises ``schema/constraint-range`` for numbers that are not compared
    exactly; ``schema/constraint-unsatisfiable`` where no such values exist, or none were found in a million tries.

    :param fields: the modelled fields
    """
    return tuple(_linked(group, fields) for group in _groups(constraints))


def _linked(group: Sequence[Constraint], fields: Sequence[Field]) -> Linked:
    columns = tuple(sorted({column for constraint in group for column in constraint.columns}))
    axes = _axes(columns, group, fields)
    problem = _problem(columns, axes, group)
    return Linked(columns, group, axes, problem, _witness(columns, problem, group, fields))


def _groups(constraints: Sequence[Constraint]) -> list[list[Constraint]]:
    """The constraints in groups that have no column in common."""
    groups: list[list[Constraint]] = []
    for constraint in constraints:
        own = set(constraint.columns)
        touched = [group for group in groups if any(not own.isdisjoint(member.columns) for member in group)]
        joined = [member for group in touched for member in group]
        groups = [*(group for group in groups if group not in touched), [*joined, constraint]]
    return groups


def _axes(columns: Sequence[int], group: Sequence[Constraint], fields: Sequence[Field]) -> list[Axis]:
    numeric = {column for constraint in group if constraint.kind != "combinations" for column in constraint.columns}
    places = max((places_of(fields[column]) for column in numeric), default=0)
    axes = [
        (number_axis(fields[column], places) or _beyond(fields[column]))
        if column in numeric
        else plain_axis(fields[column])
        for column in columns
    ]
    for constraint in group:
        if constraint.kind == "sum":
            _, *parts = _places(columns, constraint)
            if sum(_largest(axes[part]) for part in parts) >= MOST_NUMBER:
                _beyond(fields[constraint.columns[0]])
    return axes


def _places(columns: Sequence[int], constraint: Constraint) -> tuple[int, ...]:
    return tuple(map(columns.index, constraint.columns))


def _largest(axis: Axis) -> int:
    """The largest magnitude of an axis's numbers."""
    assert isinstance(axis, NumberAxis)
    return max(abs(axis.number(0)), abs(axis.number(axis.length - 1))) if axis.length else 0


def _beyond(field: Field) -> NoReturn:
    raise wrong(
        "constraint-range",
        f'The constraints on "{field.name}" would compare or add up numbers of more than 15 digits, decimal places included.',
        "State a coarser granularity (standin.granularity) or tighter bounds, or take the constraint out.",
    )


def _problem(columns: Sequence[int], axes: Sequence[Axis], group: Sequence[Constraint]) -> Problem:
    """The group's constraints as a solver knows them."""
    of_kind = {kind: [c for c in group if c.kind == kind] for kind in ("order", "sum", "combinations")}
    return Problem(
        axes=axes,
        orders=[(lower, upper) for lower, upper in (_places(columns, constraint) for constraint in of_kind["order"])],
        sums=[_places(columns, constraint) for constraint in of_kind["sum"]],
        lists=[(_places(columns, c), c.combinations) for c in of_kind["combinations"] if c.combinations is not None],
    )


def _witness(
    columns: Sequence[int], problem: Problem, group: Sequence[Constraint], fields: Sequence[Field]
) -> tuple[int, ...]:
    axes = problem.axes
    solver = Solver(problem)
    found = _solved(solver, axes)
    if found:
        return tuple(axis.stored(position or 0) for axis, position in zip(axes, found.first, strict=True))
    alone = next((each for each in group if not _solved(Solver(_problem(columns, axes, [each])), axes)), None)
    texts = [dumps(constraint.text) for constraint in ([alone] if alone else group)]
    which = f"the constraints {', '.join(texts)} together" if len(texts) > 1 else f"the constraint {texts[0]}"
    ranges = ", ".join(_range(fields[column]) for column in (alone.columns if alone else columns))
    raise wrong(
        "constraint-unsatisfiable",
        f"No row that satisfies {which} with no cell missing was found in {_MOST_TRIES:,} tries."
        if solver.exhausted
        else f"No row can satisfy {which} with no cell missing: {ranges}.",
        "Correct the constraint, or the bounds, steps and categories of its columns.",
    )


def _solved(solver: Solver, axes: Sequence[Axis]) -> Bounds | None:
    everything = Bounds([0] * len(axes), [axis.length - 1 for axis in axes])
    return solver.solve(everything, lambda _: _MIDDLE, _MOST_TRIES)


def _range(field: Field) -> str:
    """What a column may be, for messages."""
    domain = field.modelled
    if domain.kind == "category":
        return f'"{field.name}" has {len(domain.labels)} categories'
    first, last = (field.spelled.write(domain.value_at(point)) for point in (0, domain.points - 1))
    return f'"{field.name}" is {first} to {last}'

"""Draws all items of a plan."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..errors import StandinError
from ..estimate.total import estimate_total
from ..json_text import dumps
from ..mechanisms import private_gsd
from ..mechanisms.mechanism import FirstAnswers, ProjectionInput, RoundCandidate, SharedQuery
from ..mechanisms.selection import rounds_of
from ..mechanisms.stages import SecondStage
from ..privacy.door import Candidate, Door
from ..privacy.items import Item, MeasurementItem, SelectionItem, item_json, measurement_item, selection_item
from ..projection.answers import SyntheticAnswers
from ..queries import Measurement, Query
from ..release import ChosenItem, MeasuredItem, ReleasedItem
from .plan import Plan

_ROUND_ROWS = 2000
"""Rounds search this many rows: as many as the paper (Liu et al. 2023, Table 7), enough to tell what is most wrong."""
_PART_BITS = 40
"""Parts of a cap are whole multiples of 2^−40, rounded down."""

OnDrawn = Callable[[Sequence[ReleasedItem]], None]


class _Journal:
    """What was drawn, in order. What an earlier run has drawn is taken from it, and never drawn again; the rest comes through the door."""

    def __init__(self, plan: Plan, door: Door, drawn: Sequence[ReleasedItem]) -> None:
        self._attributes = plan.schema.attributes
        self._door = door
        self._drawn = drawn
        self.items: list[ReleasedItem] = []
        self.measurements: list[Measurement] = []

    @property
    def has_taken_all(self) -> bool:
        """Whether all that the earlier run left is taken."""
        return len(self.items) >= len(self._drawn)

    def measure(self, item: MeasurementItem) -> None:
        """Draws noisy answers."""
        recorded = self._recorded(item)
        if isinstance(recorded, MeasuredItem):
            measurement = recorded.measurement
        else:
            measurement = Measurement(item.query, self._door.measure(item), item.noise.sigma2)
        self.items.append(MeasuredItem(item_json(item, self._attributes), measurement))
        self.measurements.append(measurement)

    def select(self, item: SelectionItem, numbers: Sequence[int], candidates: Sequence[Candidate]) -> Sequence[int]:
        """Draws a choice: the numbers of the chosen candidates, in the order of choice."""
        recorded = self._recorded(item)
        if isinstance(recorded, ChosenItem):
            chosen = recorded.chosen
        else:
            chosen = [numbers[place] for place in self._door.select(item, candidates)]
        self.items.append(ChosenItem(item_json(item, self._attributes), chosen))
        return chosen

    def _recorded(self, item: Item) -> ReleasedItem | None:
        """What the earlier run drew for this item, if it came so far."""
        place = len(self.items)
        if place >= len(self._drawn):
            return None
        recorded = self._drawn[place]
        if dumps(recorded.item) != dumps(item_json(item, self._attributes)):
            raise StandinError(
                "release/other-plan",
                f"Item {place + 1} of this release is not what its plan would draw.",
                "Continue with the file as the interrupted run left it.",
            )
        self._door.pass_over(item)
        return recorded


def draw_items(
    plan: Plan, door: Door, drawn: Sequence[ReleasedItem], seed: int, on_drawn: OnDrawn
) -> tuple[ReleasedItem, ...]:
    """Draws all items of a plan.

    Its first queries are measured; then, in every round, rows are searched that answer like everything measured so far, from the rows of
    the round before; the mechanism's selection chooses, through the door, which candidates they are most wrong about; and these are
    measured (the adaptive measurements of Liu, Vietri and Wu, "Iterative Methods for Private Synthetic Data", NeurIPS 2021, Algorithm 1).
    A plan without rounds ends with its first queries, or with a second stage.

    Args:
        drawn: what an earlier run of the same plan has drawn: taken as it is.
        seed: the search seed, 32 bits.
        on_drawn: told of everything drawn so far, after the first queries and after every round but the last: from
            there on where the earlier run stopped, before anything is drawn.

    Raises:
        StandinError: ``release/other-plan`` where the earlier run drew other items.
    """
    journal = _Journal(plan, door, drawn)
    first = [item for item in plan.ledger.items if isinstance(item, MeasurementItem)]
    for item in first:
        journal.measure(item)
    if plan.ledger.second and plan.ledger.cap is not None:
        _draw_second_stage(plan, plan.ledger.cap, journal)
    if len(first) < len(plan.ledger.items):
        _draw_rounds(plan, journal, seed, on_drawn)
    return tuple(journal.items)


def _draw_second_stage(plan: Plan, cap: int, journal: _Journal) -> None:
    """Draws the second stage, each of its steps decided from the noisy answers and choices before it, for the cap."""
    ledger = plan.ledger
    measurements = list(journal.measurements)
    total = max(1, total_of_plan(plan, measurements))
    left = float(cap) / float(ledger.budget)
    stage = SecondStage(
        FirstAnswers(plan.workload, ledger.candidates, plan.schema.attributes, measurements, total, left)
    )

    def share_of(part: float) -> int:
        return cap * math.floor(part * 2**_PART_BITS) >> _PART_BITS

    def measure_shared(shared: Sequence[SharedQuery]) -> None:
        for each in shared:
            journal.measure(measurement_item(each.query, share_of(each.share), ledger.terms))

    measure_shared(stage.one_ways)
    chosen: Sequence[Query] = ledger.candidates
    if stage.choice_share:
        item = selection_item(chosen, "aim", stage.picks, share_of(stage.choice_share), ledger.terms)
        expected = stage.expected(journal.measurements)
        chosen = _choose(plan, journal, item, expected, [each.targets for each in expected])
    measure_shared(stage.tables(chosen, journal.measurements))


def _draw_rounds(plan: Plan, journal: _Journal, seed: int, on_drawn: OnDrawn) -> None:
    ledger, attributes = plan.ledger, plan.schema.attributes
    rounds = rounds_of(ledger, plan.workload)
    chosen: Sequence[Query] = ()
    warm: Sequence[np.ndarray] | None = None
    before: SyntheticAnswers | None = None
    number = 0
    is_last = False
    while not is_last:
        if journal.has_taken_all:
            on_drawn(journal.items)
        number += 1
        total = max(1, total_of_plan(plan, journal.measurements))
        given = ProjectionInput(
            attributes=attributes,
            measurements=journal.measurements,
            total=total,
            rows=_ROUND_ROWS,
            seed=(seed + number) % 2**32,
            estimate=plan.estimate,
            settings=plan.settings,
            chosen=True,
            warm=warm,
        )
        warm = private_gsd.project(given).codes
        present = SyntheticAnswers(attributes, warm)
        decided = rounds.next(chosen, _answers(present, total), _answers(before or present, total))
        is_last = decided.is_last
        targets = [_targets(present, ledger.candidates[each.number], total) for each in decided.candidates]
        chosen = _choose(plan, journal, decided.item, decided.candidates, targets)
        for query in chosen:
            journal.measure(measurement_item(query, decided.measurement_share, ledger.terms))
        before = present


def _answers(rows: SyntheticAnswers, total: float) -> Callable[[Query], np.ndarray]:
    return lambda query: rows.of(query, total)


def _targets(rows: SyntheticAnswers, query: Query, total: float) -> Callable[[], np.ndarray]:
    return lambda: rows.of(query, total)


def _choose(
    plan: Plan,
    journal: _Journal,
    item: SelectionItem,
    compared: Sequence[RoundCandidate],
    targets: Sequence[Callable[[], np.ndarray]],
) -> list[Query]:
    """Draws a selection: the queries of the chosen candidates, in the order of choice."""
    queries = plan.ledger.candidates
    candidates = [
        Candidate(queries[each.number], each.weight, each.bias, of) for each, of in zip(compared, targets, strict=True)
    ]
    chosen = journal.select(item, [each.number for each in compared], candidates)
    return [queries[number] for number in chosen]


def total_of_plan(plan: Plan, measurements: Sequence[Measurement]) -> float:
    """N̂ or the declared n."""
    public_rows = plan.ledger.asked.public_rows
    return estimate_total(measurements, plan.schema.attributes) if public_rows is None else public_rows

"""What a release holds beside what was drawn; and whether a plan's release could be read back."""

from collections.abc import Mapping, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ..elementary import round_half_up
from ..errors import StandinError
from ..privacy.items import MeasurementItem, SelectionItem, item_json, measurement_item
from ..queries import Measurement, partitions_of
from ..release import ChosenItem, MeasuredItem, ReleasedItem, guarantee_of
from ..release_checks import MOST_ROWS, contradiction_of

if TYPE_CHECKING:
    from .plan import Plan


def facts_of(
    planned: "Plan",
    total: float,
    *,
    names: Sequence[str],
    delimiter: str,
    rows: int | None,
    seed: int,
    noise_is_known: bool,
) -> dict[str, Any]:
    """The facts of a plan's release.

    Args:
        total: N̂ or the declared n.
        names: the columns of the table, in order; ``delimiter`` separates its fields.
        rows: those asked for.
        noise_is_known: whether any of the noise is drawn under a known key.
    """
    asked = planned.ledger.asked
    return {
        "mechanism": planned.mechanism,
        "estimate": planned.estimate,
        **({} if planned.stages is None else {"stages": planned.stages}),
        "neighbours": asked.neighbours,
        **({} if asked.public_rows is None else {"publicRows": asked.public_rows}),
        "epsilon": asked.epsilon,
        "delta": asked.delta,
        "rho": asked.rho,
        "columns": names,
        "delimiter": delimiter,
        "total": total,
        "rows": min(MOST_ROWS, max(1, round_half_up(total))) if rows is None else rows,
        "search": {"seed": seed, **planned.settings},
        **guarantee_of(planned.ledger, planned.schema, noise_is_known),
    }


def is_of_plan(facts: Mapping[str, Any], planned: "Plan") -> bool:
    """Whether the facts of an unfinished release are those of the plan that its request makes."""
    made = facts_of(
        planned,
        facts["total"],
        names=facts["columns"],
        delimiter=facts["delimiter"],
        rows=facts["rows"],
        seed=facts["search"]["seed"],
        noise_is_known=False,
    )
    promise = ("guarantee", "noGuarantee", "unfinished")
    return {name: value for name, value in made.items() if name not in promise} == {
        name: value for name, value in facts.items() if name not in promise
    }


def expect_readable(planned: "Plan") -> None:
    """Settles, before anything is spent, that a release of this plan can be read back.

    That is its facts, and all items that it would draw, with whatever answers.

    Raises:
        StandinError: ``release/unreadable``: never, but for an error of this package.
    """
    schema = planned.schema
    names = [field.name for field in schema.fields if field.role != "drop"]
    total = planned.ledger.asked.public_rows or 0
    facts = facts_of(planned, total, names=names, delimiter=",", rows=None, seed=0, noise_is_known=False)
    contradiction = contradiction_of(facts, _planned_items(planned), schema)
    if contradiction:
        raise StandinError(
            "release/unreadable",
            f"A release of this plan could not be read back: it {contradiction}. This is a bug in standin; nothing was spent.",
            "Please report it, with the options and the schema of the plan.",
        )


def _planned_items(planned: "Plan") -> list[ReleasedItem]:
    """What a plan would draw, without answers.

    Selections choose one candidate after the other, and open queries are like the largest.
    """
    ledger, attributes = planned.ledger, planned.schema.attributes
    following = count()
    no_answers = np.empty(0, dtype=np.int32)

    def drawn(item: Any) -> ReleasedItem:
        if isinstance(item, SelectionItem):
            return ChosenItem(item_json(item, attributes), list(islice(following, item.picks)))
        if not isinstance(item, MeasurementItem):
            largest = next(query for query in ledger.candidates if partitions_of(query) == item.partitions)
            item = measurement_item(largest, item.share, ledger.terms)
        return MeasuredItem(item_json(item, attributes), Measurement(item.query, no_answers, item.noise.sigma2))

    return [drawn(item) for item in (*ledger.items, *ledger.second)]

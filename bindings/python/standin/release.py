"""The measured part of a release: all that the door let out, and all that a search needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .json_text import dumps, number_text
from .privacy.budget import Standing, unit_json
from .privacy.items import noise_json
from .privacy.ledger import Ledger
from .queries import Measurement
from .schema.schema import Schema
from .schema.table import Table
from .version import VERSION


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredItem:
    """A measurement that was drawn: what it is, at what price (``item``), and what came out."""

    item: Mapping[str, Any]
    measurement: Measurement


@dataclass(frozen=True, slots=True, eq=False)
class ChosenItem:
    """A choice that was drawn, and the numbers of the chosen candidates, in their order, as ``Ledger.candidates`` numbers them."""

    item: Mapping[str, Any]
    chosen: Sequence[int]


ReleasedItem = MeasuredItem | ChosenItem
"""One item that was drawn."""


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """Whoever holds it can make more rows at no further cost.

    Attributes:
        items: what was drawn, in order.
        facts: everything that release.json holds beside the items and the schema, by the names that it has there: public facts and
            noisy values.
    """

    schema: Schema
    items: tuple[ReleasedItem, ...]
    facts: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self.facts['columns'])}: {promise_text(self.facts)}>"

    @property
    def measurements(self) -> list[Measurement]:
        """The noisy answers."""
        return measurements_of(self.items)

    @property
    def guarantee(self) -> Mapping[str, Any] | None:
        """What is promised: ε, δ, the unit and the relation; None where nothing is (then ``no_guarantee`` says why)."""
        return self.facts["guarantee"]

    @property
    def no_guarantee(self) -> str | None:
        """Why nothing is promised."""
        return self.facts.get("noGuarantee")

    @property
    def unfinished(self) -> Mapping[str, Any] | None:
        """What is left to do, while rounds are to come."""
        return self.facts.get("unfinished")

    @property
    def standing(self) -> Standing | None:
        """Where an unfinished release stands in the shared budget that it was begun with."""
        unfinished = self.unfinished or {}
        return Standing(unfinished["release"], unfinished["run"], len(self.items)) if "release" in unfinished else None

    @property
    def ledger(self) -> list[Mapping[str, Any]]:
        """What was charged, item by item."""
        return [entry.item for entry in self.items]

    def to_json(self) -> str:
        """The content of release.json."""
        facts = dict(self.facts)
        first = ("mechanism", "estimate", "stages", "neighbours", "publicRows", "epsilon", "delta", "rho")
        return dumps(
            {
                "standin": VERSION,
                **{name: facts.pop(name) for name in first if name in facts},
                "items": [self._with_outcome(entry) for entry in self.items],
                "schema": self.schema.descriptor,
                **facts,
            }
        )

    def _with_outcome(self, entry: ReleasedItem) -> dict[str, Any]:
        """An item as release.json holds it. What noise makes of its answers follows from the rest, as soon as that is complete."""
        if isinstance(entry, ChosenItem):
            return {**entry.item, "chosen": entry.chosen}
        noise = {} if self.unfinished else {"noise": noise_json(entry.item, self.facts["total"])}
        return {**entry.item, **noise, "answers": entry.measurement.answers}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a search went, and how near its rows came; all of it is about noisy answers.

    Attributes:
        start_loss: Σ (target − count)² over all cells, in rows of the searched table, at the start.
        loss: the same at the end.
        steps: sweeps or generations.
        candidates: one-cell changes scored.
        stop: which rule ended the search, as a sentence.
        noise_ratio: Σ (answer of the rows − noisy answer)² ÷ Σ σ² over all cells measured: about 1 where the rows fit as the true ones
            would, more where they are too few or too much was asked of them, less where they fit the noise. Before constraints were
            enforced.
    """

    start_loss: float
    loss: float
    steps: int
    candidates: int
    stop: str
    noise_ratio: float


@dataclass(frozen=True, eq=False, repr=False)
class SyntheticRelease(Release):
    """A release with the rows that were made from it: generated, none copied."""

    table: Table
    outcome: Outcome


def measurements_of(items: Sequence[ReleasedItem]) -> list[Measurement]:
    """The noisy answers among the items."""
    return [entry.measurement for entry in items if isinstance(entry, MeasuredItem)]


def guarantee_of(ledger: Ledger, schema: Schema, noise_is_known: bool) -> dict[str, Any]:
    """What may be promised: nothing if a fact of the schema was read from the rows, or the noise can be known."""
    if noise_is_known:
        return {
            "guarantee": None,
            "noGuarantee": "NOT differentially private: the noise was drawn from a known key, for tests.",
        }
    read = schema.read_facts
    if read:
        facts = "fact was" if len(read) == 1 else "facts were"
        return {
            "guarantee": None,
            "noGuarantee": f"NOT differentially private: {len(read)} {facts} read from the rows: {', '.join(read)}.",
        }
    asked = ledger.asked
    unit = unit_json(ledger.terms.unit)
    return {"guarantee": {"epsilon": asked.epsilon, "delta": asked.delta, "unit": unit, "neighbours": asked.neighbours}}


def promise_text(promise: Mapping[str, Any]) -> str:
    """What is promised, or that nothing is, for people: of what ``guarantee_of`` gives."""
    guarantee = promise["guarantee"]
    if guarantee is None:
        return "no guarantee"
    unit = "one row" if guarantee["unit"] == "row" else f"one person (up to {guarantee['unit']['maxRows']} rows)"
    return f"ε = {number_text(guarantee['epsilon'])}, δ = {number_text(guarantee['delta'])} for {unit}"

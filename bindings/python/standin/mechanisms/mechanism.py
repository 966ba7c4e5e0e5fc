"""What a mechanism is given, and what it gives back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from ..privacy.items import SelectionItem
from ..queries import Measurement, Query
from ..schema.schema import Attribute

Settings = Mapping[str, str | int | float]
"""Settings of a mechanism's projection, as a release records them: names and numbers only."""

EstimateName = Literal["shrunk", "raw"]
"""What the rows are made to match: estimates from all noisy answers (``shrunk``), or the noisy answers themselves (``raw``)."""
ESTIMATES: tuple[EstimateName, ...] = ("shrunk", "raw")


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """What a user may ask of a selection; the mechanism has defaults for all of it.

    Attributes:
        selection: by what the queries of a workload are chosen in rounds; ``"none"`` measures all of them at once.
        rounds: how many rounds, 1 or more.
        per_round: how many queries a round chooses, 1 or more.
        stages: in how many stages a workload is measured without rounds: 1, all of it at once and with equal shares; 2, one-ways first,
            whose noisy answers then decide the shares and resolutions of the rest.
    """

    selection: Literal["none", "max", "l1", "aim"] | None = None
    rounds: int | None = None
    per_round: int | None = None
    stages: Literal[1, 2] | None = None


@dataclass(frozen=True, slots=True)
class RoundCandidate:
    """Its place in ``Ledger.candidates``. Its score is ``weight`` times its distance, less ``bias``, in the units of the item's score."""

    number: int
    weight: int
    bias: int


@dataclass(frozen=True, slots=True)
class Round:
    """One round as it is drawn: the choice of ``item.picks`` of the candidates, then a measurement of each of them.

    ``measurement_share`` is the share of one measurement, in ledger units.
    """

    item: SelectionItem
    candidates: Sequence[RoundCandidate]
    measurement_share: int
    is_last: bool


Answers = Callable[[Query], np.ndarray]
"""A query's answers of some synthetic rows, as counts of N̂ rows: int32."""


class Rounds(Protocol):
    """Decides one round after the other, by nothing but noisy answers and what was made of them."""

    def next(self, chosen: Sequence[Query], answers: Answers, before: Answers) -> Round:
        """Called until a round is the last.

        Args:
            chosen: the queries that the last round chose: none before the first.
            answers: of the present rows.
            before: of the rows before the last round.
        """


@dataclass(frozen=True, slots=True)
class FirstAnswers:
    """What a second stage may be decided by: the noisy answers of the first, and public facts.

    ``candidates`` is what of the workload may be left out, in the order in which a choice numbers it; ``total`` N̂ or the declared n;
    ``left`` what of the budget the second stage has, 0 to 1.
    """

    workload: Sequence[Query]
    candidates: Sequence[Query]
    attributes: Sequence[Attribute]
    measurements: Sequence[Measurement]
    total: float
    left: float


@dataclass(frozen=True, slots=True)
class SharedQuery:
    """A query to be measured, and its part, 0 to 1, of what there is for all."""

    query: Query
    share: float


@dataclass(frozen=True, slots=True)
class Expected(RoundCandidate):
    """A candidate of a choice, and what its answers are compared with: one integer a cell, 0 … 2^30."""

    targets: Callable[[], np.ndarray]


@dataclass(frozen=True, slots=True)
class ProjectionInput:
    """Everything that a projection may see: the noisy answers and public facts.

    Attributes:
        total: N̂ or the declared n.
        rows: how many rows to make.
        seed: the search seed, 32 bits; it has nothing to do with the noise.
        chosen: whether rounds chose what was measured: the queries that the rows were most wrong about.
        warm: rows to go on from, as many as there are; repeated where more are made.
    """

    attributes: Sequence[Attribute]
    measurements: Sequence[Measurement]
    total: float
    rows: int
    seed: int
    estimate: EstimateName
    settings: Settings
    chosen: bool
    warm: Sequence[np.ndarray] | None = None

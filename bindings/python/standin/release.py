"""From a table to a release, and from a release to rows."""

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack, nullcontext
from functools import cached_property
from typing import Any, NamedTuple, Unpack

from ._core import Handle, core
from ._watch import Cancel, Progress, Watch
from .budget import Budget
from .errors import StandinError
from .schema import Plan, PlanOptions, Schema, expect, members, parse_schema, plan, promise
from .table import SyntheticTable, Table, as_table

OnCharge = Callable[[str], object]
"""Gets the JSON of the budget each time it is charged."""
OnRound = Callable[["Release"], object]
"""Gets an unfinished release each time a round has been added."""


class Release:
    """The noisy answers about a table, with everything that is needed to make rows from them."""

    def __init__(self, text: str, value: Mapping[str, Any] | None = None) -> None:
        self._text = text
        if value is not None:
            self._value = value

    @cached_property
    def _value(self) -> Mapping[str, Any]:
        return core().ask("release", self._text.encode(errors="replace"))[0]

    @property
    def _handle(self) -> Handle:
        return self._value["release"]

    @property
    def _facts(self) -> Mapping[str, Any]:
        return self._value["facts"]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'unfinished' if self.is_unfinished else promise(self)}>"

    @property
    def guarantee(self) -> Mapping[str, Any] | None:
        """What is guaranteed: ``epsilon``, ``delta``, ``unit`` and ``neighbours``. None if nothing is."""
        return self._facts["guarantee"]

    @property
    def no_guarantee(self) -> str | None:
        """Why nothing is guaranteed."""
        return self._facts.get("noGuarantee")

    @property
    def is_unfinished(self) -> bool:
        """Whether rounds are left to measure, with `resume`."""
        return self._facts["isUnfinished"]

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """The content of release.json."""
        return json.loads(self._text)

    def to_json(self) -> str:
        """The content of release.json as text, which `parse_release` reads."""
        return self._text


class Outcome(NamedTuple):
    """How the search for rows went, and how well they fit. All of it is about noisy answers.

    Attributes:
        start_loss: Σ (target − count)² over all cells at the start, in rows².
        loss: the same at the end.
        steps: the sweeps or generations.
        candidates: the one-cell changes that were scored.
        stop: which rule ended the search, in words.
        noise_ratio: Σ (answer of the rows − noisy answer)² ÷ Σ σ² over all measured cells: about 1 if the rows fit as
            well as the true ones would, more if they are too few or have too much to match, less if they fit the noise.
    """

    start_loss: float
    loss: float
    steps: int
    candidates: int
    stop: str
    noise_ratio: float


class SyntheticRelease(Release):
    """A release, together with the rows that were made from it."""

    def __init__(self, text: str, value: Mapping[str, Any]) -> None:
        super().__init__(text, value)
        names, rows = value["columns"], value["rows"]
        self.tables = [SyntheticTable(names, held, lambda: self.facts["schema"], rows) for held in value["tables"]]
        """The synthetic tables: one, unless the mechanism makes several."""
        outcome = value["outcome"]
        named = {"start_loss": outcome["startLoss"], "noise_ratio": outcome["noiseRatio"]}
        self.outcome = Outcome(**named, **{name: outcome[name] for name in ("loss", "steps", "candidates", "stop")})

    @property
    def table(self) -> SyntheticTable:
        """The first synthetic table."""
        return self.tables[0]


def parse_release(text: str) -> Release:
    """Reads the JSON of a release.

    Raises:
        StandinError: ``release/…`` if it is not consistent: budget, guarantee and prices are computed again.
    """
    expect(isinstance(text, str), "the text of a release")
    release = Release(text)
    _ = release._value
    return release


def measure(
    source: Any,
    planned: Plan,
    *,
    rows: int | None = None,
    seed: int | None = None,
    budget: Budget | None = None,
    on_charge: OnCharge | None = None,
    on_round: OnRound | None = None,
    progress: Progress = False,
    cancel: Cancel | None = None,
    unsafe_noise_key: bytes | None = None,
) -> Release:
    """Measures a table, and nothing more. Save the release before making rows: a search that fails then costs nothing.

    Args:
        source: what `read_csv` has read, a table of pandas, polars or pyarrow, or the path of a CSV file.
        rows: how many rows to make later, 1 to 10,000,000 (default: a noisy estimate of the table's own).
        seed: of the search, 32 bits (default: a random one). The noise does not depend on it.
        budget: charged before anything is measured. `resume` needs the same one.
        on_charge: called when the budget is charged. The run continues once it has returned: save the state there.
        on_round: called when a round is measured. Save its JSON, and `resume` continues from it at no further cost.
        progress: True for a line on stderr, if that is a terminal, or a function that gets each event.
        cancel: a `threading.Event`, or a function that returns true, to end the call with ``host/cancelled``. So does
            Ctrl-C, with KeyboardInterrupt. The rows are then overwritten.
        unsafe_noise_key: for tests only: 32 bytes that everyone may know. The release then has no guarantee.

    Raises:
        StandinError: ``options/…``, ``budget/…``, ``ledger/…``, ``files/…``, ``frames/…``, ``schema/other-table``,
            ``privacy/no-random``, ``host/cancelled``.
    """
    expect(isinstance(planned, Plan), "a plan that plan() has made")
    run = _Run(budget, on_charge, on_round, unsafe_noise_key)
    with Watch(progress, cancel) as watch, as_table(source, planned.schema, watch) as table:
        return run.finished("measure", watch, table=table, plan=planned, **members({"rows": rows, "seed": seed}))


def resume(
    source: Any,
    unfinished: Release,
    *,
    public_table: Table | None = None,
    budget: Budget | None = None,
    on_charge: OnCharge | None = None,
    on_round: OnRound | None = None,
    progress: Progress = False,
    cancel: Cancel | None = None,
    unsafe_noise_key: bytes | None = None,
) -> Release:
    """Measures the rounds that an unfinished release lacks. What it holds is neither measured nor charged again.

    Args:
        source: the table that it was begun with, as for `measure`.
        public_table: that of its plan, if it had one.
        budget: the one that it was begun with, if it was begun with one.

    Raises:
        StandinError: ``release/finished``, ``release/other-plan``, ``budget/missing``, ``budget/unknown``,
            ``budget/resumed``; otherwise as for `measure`.
    """
    expect(isinstance(unfinished, Release), "a release from parse_release()")
    run = _Run(budget, on_charge, on_round, unsafe_noise_key)
    schema = parse_schema(unfinished.facts["schema"])
    with Watch(progress, cancel) as watch, as_table(source, schema, watch) as table:
        return run.finished("resume", watch, table=table, release=unfinished, **members({"public_table": public_table}))


def resample(
    release: Release,
    *,
    rows: int | None = None,
    seed: int | None = None,
    public_table: Table | None = None,
    progress: Progress = False,
    cancel: Cancel | None = None,
) -> SyntheticRelease:
    """Makes rows from a release, without data and without budget.

    Args:
        rows: how many, 1 to 10,000,000 (default: the release's).
        seed: 32 bits (default: the release's). With the release's own rows and seed, the result is always the same.
        public_table: that of the plan, if it had one.
        progress, cancel: as for `measure`.

    Raises:
        StandinError: ``release/unfinished`` if rounds are left to measure; ``public/…``, ``options/…``.
    """
    expect(isinstance(release, Release), "a release from measure(), synthesize() or parse_release()")
    with Watch(progress, cancel) as watch:
        options = members({"rows": rows, "seed": seed, "public_table": public_table})
        value, [text] = release._handle.core.ask("resample", watch=watch, release=release, **options)
        return SyntheticRelease(text.decode(), value)


def synthesize(
    source: Any,
    schema: Schema | Plan,
    *,
    rows: int | None = None,
    seed: int | None = None,
    budget: Budget | None = None,
    on_charge: OnCharge | None = None,
    on_round: OnRound | None = None,
    progress: Progress = False,
    cancel: Cancel | None = None,
    unsafe_noise_key: bytes | None = None,
    **options: Unpack[PlanOptions],
) -> SyntheticRelease:
    """Makes a stand-in for a table: `measure`, then `resample`.

    Args:
        schema: a schema, with the options of `plan`, or a plan.

    Raises:
        StandinError: as for `plan`, `measure` and `resample`.

    >>> import standin
    >>> schema = standin.parse_schema({"fields": [{"name": "sex", "constraints": {"enum": ["F", "M"]}}]})
    >>> release = standin.synthesize(standin.parse_csv("sex\\nF\\nM\\nF\\n", schema), schema, epsilon=1, rows=100)
    >>> release.table.names, len(release.table)
    (['sex'], 100)
    """
    if isinstance(schema, Plan) and options:
        hint = "Make another plan, or pass the schema."
        raise StandinError("options/unknown", f"A plan already has its options. {hint}", hint)
    planned = schema if isinstance(schema, Plan) else plan(schema, **options)
    watching: dict[str, Any] = {"progress": progress, "cancel": cancel}
    measured = measure(
        source,
        planned,
        rows=rows,
        seed=seed,
        budget=budget,
        on_charge=on_charge,
        on_round=on_round,
        unsafe_noise_key=unsafe_noise_key,
        **watching,
    )
    return resample(measured, public_table=planned.public_table, **watching)


class _Run:
    """What a run shares with its caller while it measures."""

    def __init__(
        self, budget: Budget | None, on_charge: OnCharge | None, on_round: OnRound | None, noise_key: bytes | None
    ) -> None:
        expect(budget is None or isinstance(budget, Budget), "a Budget")
        for hook in (on_charge, on_round):
            expect(hook is None or callable(hook), "functions as on_charge and on_round")
        expect(noise_key is None or isinstance(noise_key, bytes), "bytes as unsafe_noise_key")
        self._budget = budget
        self._on_charge = on_charge
        self._on_round = on_round
        self._parts = [] if noise_key is None else [noise_key]

    def finished(self, request: str, watch: Watch, *, table: Table, **given: Any) -> Release:
        """Measures until the end. Whatever ends it before, the core is made to give the rows up."""
        core, budget = table._handle.core, self._budget
        ask = core.ask
        with ExitStack() as stack:
            with core.turn(), budget._locked() if budget else nullcontext():
                known = budget._read() if budget else {}
                held = ask("budget", state=known)[0]["budget"] if budget else None
                given |= {"table": table, "budget": held, "rounds": self._on_round is not None}
                run = ask(request, *self._parts, watch=watch, **given)[0]["run"]
                stack.callback(run.close)
                event, [text] = ask("next", watch=watch, run=run)
                if budget and event["event"] == "charged":
                    known = budget._charge(known, text)
            while event["event"] != "measured":
                self._hear(event["event"], text.decode())
                event, [text] = ask("next", watch=watch, run=run)
                if budget and event["event"] == "charged":
                    with core.turn(), budget._locked():
                        known = budget._charge(known, text)
            return Release(text.decode(), event)

    def _hear(self, event: str, text: str) -> None:
        if event == "charged" and self._budget and self._on_charge:
            self._on_charge(self._budget.to_json())
        elif event == "round" and self._on_round:
            self._on_round(Release(text))

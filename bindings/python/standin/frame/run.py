"""From a table to a release, and from a release to rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from ..errors import StandinError
from ..frames import as_table
from ..layout import KEY_BYTES
from ..mechanisms import private_gsd
from ..mechanisms.mechanism import ProjectionInput
from ..privacy.budget import Budget, Standing
from ..privacy.door import Door
from ..privacy.items import MeasurementItem
from ..privacy.seed import check_random, fresh_bytes
from ..projection.answers import noise_ratio
from ..release import ChosenItem, Outcome, Release, ReleasedItem, SyntheticRelease, measurements_of
from ..release_checks import MOST_ROWS
from ..schema.decode import decode_rows
from ..schema.schema import Schema
from ..schema.table import Table
from .facts import facts_of, is_of_plan
from .plan import Plan, PlanOptions, plan, plan_again
from .rounds import draw_items, total_of_plan

OnRound = Callable[[Release], None]


def measure(
    source: Any,
    planned: Plan,
    *,
    rows: int | None = None,
    seed: int | None = None,
    budget: Budget | None = None,
    on_round: OnRound | None = None,
    unsafe_noise_key: bytes | None = None,
) -> Release:
    """Measures a table through the door, and nothing more: keep the result before searching, so that a lost search costs nothing.

    Args:
        source: a pandas, polars or pyarrow table, the path of a CSV file, or what ``parse_csv`` has read.
        rows: how many rows to make, 1 … 10^7 (default: N̂ rounded, or the declared n).
        seed: the search seed, a whole number of 32 bits (default: fresh, and recorded). It has nothing to do with the noise.
        budget: shared by several releases, charged before anything is measured. Of a release with rounds it counts what
            is measured: ``resume`` needs it, too, and refuses a copy that another run has gone on with.
        on_round: given what was measured so far whenever that has grown by a round: keep its JSON, and ``resume`` goes on with it at no
            cost if this run does not come to its end. A plan without rounds never calls it.
        unsafe_noise_key: for tests only: a known noise key of 32 bytes. The release then has no guarantee.

    Raises:
        StandinError: ``options/…``, ``budget/…`` and ``privacy/no-random`` before a row is looked at; ``files/…``, ``frames/…`` and ``schema/…`` about the source.
    """
    _expect(isinstance(planned, Plan), "a plan that plan() has made")
    _check_options(rows, seed, unsafe_noise_key)
    _expect(budget is None or isinstance(budget, Budget), "a Budget")
    _expect(on_round is None or callable(on_round), "a function as on_round")
    if rows is not None:
        planned.check_rows(rows)
    if budget is not None:
        budget.check(planned.ledger)
    if unsafe_noise_key is None:
        check_random()
    seed = int.from_bytes(fresh_bytes(4), "little") if seed is None else seed
    table = as_table(source, planned.schema)
    door = Door(table, planned.schema, planned.ledger, unsafe_noise_key=unsafe_noise_key)
    known = unsafe_noise_key is not None
    return _draw(planned, table, door, _Begun((), rows, seed, None, noise_is_known=known), budget, on_round)


def resume(
    source: Any,
    unfinished: Release,
    *,
    budget: Budget | None = None,
    on_round: OnRound | None = None,
    unsafe_noise_key: bytes | None = None,
) -> Release:
    """Measures the rounds that an unfinished release lacks.

    What it holds is neither measured nor charged again; the rest is drawn under a fresh key.

    Args:
        source: the table that the release was begun with.
        budget: the one that it was begun with, if it was begun with one.
        on_round: as of ``measure``; with a budget also called before the first draw.
        unsafe_noise_key: as of ``measure``.

    Raises:
        StandinError: ``release/finished`` where nothing is left to do, ``release/other-plan``; ``budget/missing``,
            ``budget/unknown``, ``budget/resumed``, all before anything is measured; ``schema/other-table``;
            ``options/…``; ``privacy/no-random`` before a row is looked at; ``files/…`` and ``frames/…`` about the
            source.
    """
    _expect(isinstance(unfinished, Release), "a release from parse_release()")
    _check_options(None, None, unsafe_noise_key)
    _expect(budget is None or isinstance(budget, Budget), "a Budget")
    _expect(on_round is None or callable(on_round), "a function as on_round")
    facts = unfinished.facts
    if not unfinished.unfinished:
        raise StandinError(
            "release/finished",
            "This release is already fully measured.",
            "Make rows from it (resample; on the command line --from): that needs no table.",
        )
    _check_standing(unfinished.standing, budget)
    planned = plan_again(unfinished.schema, unfinished.unfinished["request"])
    if not is_of_plan(facts, planned):
        raise StandinError(
            "release/other-plan",
            "The budget and mechanism that this release states do not follow from its own request.",
            "Continue with the file as the interrupted run left it.",
        )
    if unsafe_noise_key is None:
        check_random()
    was_known = unfinished.guarantee is None and planned.guarantee is not None
    table = as_table(source, planned.schema)
    door = Door(table, planned.schema, planned.ledger, unsafe_noise_key=unsafe_noise_key)
    begun = _Begun(
        unfinished.items,
        unfinished.unfinished.get("rows"),
        facts["search"]["seed"],
        unfinished.standing,
        noise_is_known=was_known or unsafe_noise_key is not None,
    )
    return _draw(planned, table, door, begun, budget, on_round)


def resample(release: Release, *, rows: int | None = None, seed: int | None = None) -> SyntheticRelease:
    """Makes rows from a release: no data, no budget. With the release's own rows and seed, the bytes are those of the first run.

    Args:
        rows: how many rows to make, 1 … 10^7 (default: the release's).
        seed: a whole number of 32 bits (default: the release's).

    Raises:
        StandinError: ``release/unfinished`` where rounds are left to measure; ``options/…``.
    """
    _expect(isinstance(release, Release), "a release from measure(), synthesize() or parse_release()")
    _check_options(rows, seed, None)
    if release.unfinished:
        raise StandinError(
            "release/unfinished",
            "This release is unfinished: some of its rounds are not yet measured.",
            "Measure them first, with the table (resume): what was measured is not charged again.",
        )
    facts, schema = release.facts, release.schema
    private_gsd.expect_named(facts.get("mechanism"))
    recorded = {name: value for name, value in facts["search"].items() if name != "seed"}
    rows = facts["rows"] if rows is None else rows
    seed = facts["search"]["seed"] if seed is None else seed
    settings = private_gsd.settings(recorded)
    found = private_gsd.project(
        ProjectionInput(
            attributes=schema.attributes,
            measurements=release.measurements,
            total=facts["total"],
            rows=rows,
            seed=seed,
            estimate=private_gsd.estimate_named(facts["estimate"], settings),
            settings=settings,
            chosen=any(isinstance(entry, ChosenItem) for entry in release.items),
        )
    )
    table = decode_rows(schema, facts["columns"], facts["delimiter"], found.codes, found.uniforms)
    ratio = noise_ratio(schema.attributes, found.codes, release.measurements, max(1, facts["total"]))
    made = {**facts, "rows": rows, "search": {"seed": seed, **recorded}}
    outcome = Outcome(found.start_loss, found.loss, found.steps, found.candidates, found.stop, ratio)
    return SyntheticRelease(schema, release.items, made, table, outcome)


def synthesize(
    source: Any,
    schema: Schema | Plan,
    *,
    rows: int | None = None,
    seed: int | None = None,
    budget: Budget | None = None,
    on_round: OnRound | None = None,
    unsafe_noise_key: bytes | None = None,
    **options: Unpack[PlanOptions],
) -> SyntheticRelease:
    """A table in, a stand-in out: measures through the door, then searches rows that answer alike.

    Args:
        source: as of ``measure``, as ``rows``, ``seed``, ``budget``, ``on_round`` and ``unsafe_noise_key`` are.
        schema: what ``parse_schema`` has read, with the options of ``plan`` (``epsilon=1``, …); or a plan, without any.

    Raises:
        StandinError: as ``plan``, ``measure`` and ``resample``.

    >>> import standin
    >>> schema = standin.parse_schema({"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}}]})
    >>> release = standin.synthesize(standin.parse_csv("sex\\nF\\nM\\nF\\n", schema), schema, epsilon=1, rows=100)
    >>> release.table.names, len(release.table)
    (['sex'], 100)
    """
    if isinstance(schema, Plan) and options:
        raise StandinError(
            "options/unknown",
            f"A plan already has its options, but {', '.join(options)} came with it.",
            "Make another plan, or give the schema.",
        )
    planned = schema if isinstance(schema, Plan) else plan(schema, **options)
    return resample(
        measure(
            source, planned, rows=rows, seed=seed, budget=budget, on_round=on_round, unsafe_noise_key=unsafe_noise_key
        )
    )


@dataclass(frozen=True, slots=True)
class _Begun:
    """What a run begins with.

    Attributes:
        rows: those asked for.
        standing: where its charge stands, if an earlier run had a shared budget.
        noise_is_known: whether anything was or will be drawn under a known key.
    """

    drawn: Sequence[ReleasedItem]
    rows: int | None
    seed: int
    standing: Standing | None
    noise_is_known: bool


def _draw(
    planned: Plan, table: Table, door: Door, begun: _Begun, budget: Budget | None, on_round: OnRound | None
) -> Release:
    """Draws what is left of a plan.

    A shared budget is charged, or takes this run's name, before the first draw; and it counts what was drawn before
    that leaves this function, so that of two runs that go on from one place one is refused with nothing told.
    """
    run = fresh_bytes(16).hex() if budget else None
    standing = begun.standing

    def released(items: Sequence[ReleasedItem], unfinished: dict[str, Any] | None = None) -> Release:
        facts = facts_of(
            planned,
            total_of_plan(planned, measurements_of(items)),
            names=table.names,
            delimiter=table.delimiter,
            rows=begun.rows,
            seed=begun.seed,
            noise_is_known=begun.noise_is_known,
        )
        return Release(planned.schema, tuple(items), {**facts, "unfinished": unfinished} if unfinished else facts)

    def go_on(after: Standing) -> None:
        nonlocal standing
        if budget and standing:
            budget.go_on(standing, after)
            standing = after

    def on_drawn(items: Sequence[ReleasedItem]) -> None:
        if not standing and len(items) == len(begun.drawn):
            return
        asked = {} if begun.rows is None else {"rows": begun.rows}
        named = {"release": standing.release, "run": run} if standing else {}
        if standing:
            go_on(Standing(standing.release, run, len(items)))
        if on_round:
            on_round(released(items, {"request": planned.request_json, **asked, **named}))

    try:
        if budget and not standing:
            if not all(isinstance(item, MeasurementItem) for item in planned.ledger.items):
                standing = Standing(fresh_bytes(16).hex(), run, 0)
            budget.begin(planned.ledger, standing)
        items = draw_items(planned, door, begun.drawn, begun.seed, on_drawn)
    finally:
        door.close()
    release = released(items)
    if standing:
        go_on(Standing(standing.release, None, len(items)))
    return release


def _check_standing(standing: Standing | None, budget: Budget | None) -> None:
    """Refuses a release without the budget that it was begun with, or that another run has gone on with."""
    if standing and not budget:
        raise StandinError(
            "budget/missing",
            "This release was started with a shared budget, which counts its measurements.",
            "Give that budget.",
        )
    if budget and not standing:
        raise StandinError(
            "budget/unknown", "This release was started without a shared budget.", "Leave the budget out."
        )
    if budget and standing:
        budget.check_standing(standing)


def _check_options(rows: int | None, seed: int | None, unsafe_noise_key: bytes | None) -> None:
    if rows is not None and not (type(rows) is int and 1 <= rows <= MOST_ROWS):
        raise StandinError("options/rows", f"rows is {rows}.", "Use a whole number from 1 to 10,000,000.")
    if seed is not None and not (type(seed) is int and 0 <= seed < 2**32):
        raise StandinError("options/seed", f"seed is {seed}.", "Give a whole number from 0 to 4,294,967,295.")
    is_key = isinstance(unsafe_noise_key, bytes) and len(unsafe_noise_key) == KEY_BYTES and any(unsafe_noise_key)
    _expect(unsafe_noise_key is None or is_key, "an unsafe_noise_key of 32 bytes, not all of them 0")


def _expect(holds: bool, expected: str) -> None:
    if not holds:
        raise StandinError("options/argument", f"Expected {expected}, but got something else.")

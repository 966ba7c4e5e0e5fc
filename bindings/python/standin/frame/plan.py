"""What will be measured, with what noise, at what price."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypedDict, Unpack, cast

from ..errors import StandinError
from ..json_text import dumps
from ..mechanisms import private_gsd
from ..mechanisms.mechanism import EstimateName, SelectionOptions, Settings
from ..privacy.accounting import RHO_UNIT, Neighbours
from ..privacy.budget import unit_json
from ..privacy.items import Item, MeasurementItem, SelectionItem, item_json, planned_noise_json
from ..privacy.ledger import Ledger, Schedule, budget_terms, plan_ledger
from ..privacy.vault_bytes import vault_bytes
from ..queries import Query, Workload, cells_of, workload_queries
from ..release import guarantee_of, promise_text
from ..schema.schema import Attribute, Schema, expect_schema
from ..version import VERSION
from .facts import expect_readable

_MOST_CELLS = 50_000_000
"""A release.json of more answers than this would not fit into one text."""
_MOST_CANDIDATE_CELLS = 250_000_000
"""The vault keeps the exact counts of all candidates, four bytes each."""
_MOST_BYTES = 3.5 * 2**30
"""What the engine can address, less room for rows."""


class PlanOptions(TypedDict, total=False):
    """What a plan is made from; ``epsilon`` or ``rho`` is needed, the rest has defaults.

    Attributes:
        epsilon: ε in [1e-6, 1000].
        rho: ρ of zero-concentrated DP in (0, 4095], instead of ε.
        delta: δ in (0, 1), a public constant (default 1e-9), or "1/n2" with a declared number of rows.
        neighbours: "add-remove" (the default): neighbours differ by one unit, n is private; or "replace": one row is another row, n is public.
        public_rows: the declared number of rows, known independently of the table; required by, and only for, "replace".
        mechanism: the mechanism's name (default "private-gsd").
        workload: what to be right about: "1-way", "2-way" (the default), …, or lists of columns.
        selection: by what the queries of a workload are chosen in rounds: "max", "l1" or "aim"; "none" measures all of them at once.
        rounds: how many rounds, 1 or more.
        per_round: how many queries a round chooses, 1 or more.
        stages: in how many stages a workload is measured without rounds: 1, all of it at once and with equal shares; 2, one-ways first,
            whose noisy answers then decide the shares and resolutions of the rest.
        estimate: what the rows match: "shrunk", estimates made from all noisy answers, or "raw", these as they are.
        search: the search's settings, by the names that a release has: {"method": "paper"}, …
        allow_unreviewed_schema: accept a schema with facts that were read from the rows: the release then has no guarantee.
    """

    epsilon: float
    rho: float
    delta: float | Literal["1/n2"]
    neighbours: Neighbours
    public_rows: int
    mechanism: str
    workload: Workload
    selection: Literal["none", "max", "l1", "aim"]
    rounds: int
    per_round: int
    stages: Literal[1, 2]
    estimate: EstimateName
    search: Settings
    allow_unreviewed_schema: bool


_JSON_NAMES = {
    "public_rows": "publicRows",
    "per_round": "perRound",
    "allow_unreviewed_schema": "allowUnreviewedSchema",
}


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """What will be measured, with what noise, at what price.

    Attributes:
        workload: the queries to be right about.
        measured: those that are measured: the largest of the candidates, where rounds choose.
        request: the options that this plan was made from.
    """

    schema: Schema
    ledger: Ledger
    estimate: EstimateName
    settings: Settings
    workload: tuple[Query, ...]
    measured: tuple[Query, ...]
    request: PlanOptions

    mechanism = private_gsd.NAME

    def __repr__(self) -> str:
        return f"<Plan for {', '.join(axis.name for axis in self.schema.attributes)}: {promise_text(self._promise)}>"

    @property
    def guarantee(self) -> Mapping[str, Any] | None:
        """What a release of this plan will promise, or None where it will promise nothing (then ``no_guarantee`` says why)."""
        return self._promise["guarantee"]

    @property
    def no_guarantee(self) -> str | None:
        """Why nothing will be promised."""
        return self._promise.get("noGuarantee")

    @cached_property
    def _promise(self) -> Mapping[str, Any]:
        return guarantee_of(self.ledger, self.schema, noise_is_known=False)

    @property
    def stages(self) -> Literal[1, 2] | None:
        """In how many stages the workload is measured; None where rounds choose."""
        if self.ledger.second:
            return 2
        return None if self.ledger.candidates else 1

    def memory(self, rows: int) -> float:
        """The bytes of engine memory that the search for so many rows may take, whatever the rounds choose."""
        certain = [item.query for item in self.ledger.items if isinstance(item, MeasurementItem)]
        return private_gsd.memory(self.schema.attributes, self.measured, rows, certain)

    def vault_memory(self, rows: int) -> float:
        """The bytes of engine memory that the vault may take for a table of so many rows."""
        return vault_bytes(self.ledger, rows)

    def check_rows(self, rows: int) -> None:
        """Refuses, before anything is spent, rows that the search could not hold.

        Raises:
            StandinError: ``options/rows``.
        """
        needed = self.memory(rows)
        if needed > _MOST_BYTES:
            raise StandinError(
                "options/rows",
                f"A search for {rows:,} rows of {len(self.schema.attributes)} columns needs {_gibibytes(needed)} GiB; "
                f"the engine has {_gibibytes(_MOST_BYTES)}.",
                "Make fewer rows now, and more later from the release.",
            )

    def to_json(self) -> str:
        """The plan as JSON: every item with its noise and its price."""
        ledger, asked = self.ledger, self.ledger.asked
        return dumps(
            {
                "standin": VERSION,
                "mechanism": self.mechanism,
                "estimate": self.estimate,
                **_without_none(stages=self.stages),
                "neighbours": asked.neighbours,
                **_without_none(publicRows=asked.public_rows),
                "unit": unit_json(ledger.terms.unit),
                "epsilon": asked.epsilon,
                "delta": asked.delta,
                "rho": asked.rho,
                "items": [self._item_json(item) for item in (*ledger.items, *ledger.second)],
                **({} if ledger.cap is None else {"cap": ledger.cap * RHO_UNIT, "rule": ledger.rule}),
                "search": self.settings,
                "memory": self.memory(1),
                "vaultMemory": self.vault_memory(1),
                **self._promise,
                "warnings": ledger.warnings,
            }
        )

    def _item_json(self, item: Item) -> dict[str, Any]:
        json = item_json(item, self.schema.attributes)
        if isinstance(item, SelectionItem):
            return json
        return {**json, "noise": planned_noise_json(json, self.ledger.asked.public_rows)}

    @property
    def request_json(self) -> dict[str, Any]:
        """The options that this plan was made from, by the names that a release has."""
        return {_JSON_NAMES.get(name, name): value for name, value in self.request.items()}


def plan(schema: Schema, **options: Unpack[PlanOptions]) -> Plan:
    """Plans a release: nothing private is touched.

    Args:
        schema: what ``parse_schema`` has read.
        options: those of ``PlanOptions``: ``epsilon`` or ``rho``, ``delta``, ``neighbours``, ``public_rows``, ``mechanism``, ``workload``,
            ``selection``, ``rounds``, ``per_round``, ``stages``, ``estimate``, ``search``, ``allow_unreviewed_schema``.

    Raises:
        StandinError: where an option, the budget or the workload cannot be meant or met.

    >>> from standin import parse_schema
    >>> schema = parse_schema({"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}}]})
    >>> planned = plan(schema, epsilon=1)
    >>> len(planned.ledger.items), planned.guarantee["unit"]
    (1, 'row')
    """
    expect_schema(schema)
    _only_known(options)
    request = cast(PlanOptions, copy.deepcopy({name: value for name, value in options.items() if value is not None}))
    private_gsd.expect_named(request.get("mechanism", private_gsd.NAME))
    if schema.read_facts and not request.get("allow_unreviewed_schema"):
        raise StandinError(
            "schema/unreviewed",
            f"Facts of the schema were read from the rows: {', '.join(schema.read_facts)}.",
            "Confirm those that are known independently of this table, or allow an unreviewed schema, in which case the release has no guarantee.",
        )
    settings = private_gsd.settings(request.get("search", {}))
    estimate = private_gsd.estimate_named(request.get("estimate"), settings)
    workload = workload_queries(request.get("workload", "2-way"), schema.attributes)
    asked = budget_terms(
        schema.unit,
        epsilon=request.get("epsilon"),
        rho=request.get("rho"),
        delta=request.get("delta", 1e-9),
        neighbours=request.get("neighbours", "add-remove"),
        public_rows=request.get("public_rows"),
    )
    selection = SelectionOptions(
        selection=request.get("selection"),
        rounds=request.get("rounds"),
        per_round=request.get("per_round"),
        stages=request.get("stages"),
    )
    schedule = private_gsd.schedule(workload, schema.attributes, estimate, asked, selection)
    measured = _measured_at_most(schedule, schema.attributes)
    _check_size(measured, schema.attributes)
    _check_candidates(schedule, schema.attributes)
    ledger = plan_ledger(schema, schedule, asked)
    planned = Plan(schema, ledger, estimate, settings, tuple(workload), tuple(measured), request)
    expect_readable(planned)
    return planned


def plan_again(schema: Schema, request: Mapping[str, Any]) -> Plan:
    """The plan of a request by the names that a release has (``Plan.request_json``).

    Raises:
        StandinError: as ``plan``.
    """
    names = {json: name for name, json in _JSON_NAMES.items()}
    options = {names.get(json, json): value for json, value in request.items()}
    _only_known(options)
    return plan(schema, **options)


def _only_known(options: Mapping[str, Any]) -> None:
    """A misspelt option must not be a silent default."""
    for name in options:
        if name not in PlanOptions.__annotations__:
            known = ", ".join(PlanOptions.__annotations__)
            raise StandinError("options/unknown", f'There is no option "{name}" here.', f"Options: {known}.")


def _measured_at_most(schedule: Schedule, attributes: Sequence[Attribute]) -> list[Query]:
    """The queries of both stages, and as many of the candidates as rounds choose, the largest ones."""
    second, rounds = schedule.second, schedule.rounds
    # The one-ways may be measured in both stages.
    first = (*schedule.first, *schedule.first) if second else schedule.first
    queries = [weighted.query for weighted in (*first, *(second.queries if second else ()))]
    if not rounds:
        return queries
    by_size = sorted(rounds.candidates, key=lambda query: -cells_of(query, attributes))
    return [*queries, *by_size[: rounds.count * rounds.picks]]


def _check_candidates(schedule: Schedule, attributes: Sequence[Attribute]) -> None:
    cells = sum(cells_of(query, attributes) for query in schedule.candidates)
    if cells > _MOST_CANDIDATE_CELLS:
        raise StandinError(
            "workload/too-large",
            f"The candidate tables have {cells:,} cells; at most {_MOST_CANDIDATE_CELLS:,} can be compared.",
            "Give large columns coarser bins (standin.bins), leave columns out (role drop), or use a smaller workload.",
        )


def _check_size(queries: Sequence[Query], attributes: Sequence[Attribute]) -> None:
    sizes = [cells_of(query, attributes) for query in queries]
    cells = sum(sizes)
    needed = private_gsd.memory(attributes, queries, 1, [])
    if cells <= _MOST_CELLS and needed <= _MOST_BYTES:
        return
    largest = max(sizes)
    names = " × ".join(attributes[column].name for column in queries[sizes.index(largest)].columns)
    raise StandinError(
        "workload/too-large",
        f"The workload has {cells:,} cells, which take {_gibibytes(needed)} GiB; the limit is {_MOST_CELLS:,} cells "
        f"and {_gibibytes(_MOST_BYTES)} GiB. Its largest table is {names}, with {largest:,} cells.",
        "Give large columns coarser bins (standin.bins), leave columns out (role drop), or use a smaller workload.",
    )


def _gibibytes(size: float) -> str:
    return f"{size / 2**30:.3g}"


def _without_none(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}

"""The public facts of a table, and what a release of it would measure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Unpack

from ._core import Handle, core
from .errors import StandinError

if TYPE_CHECKING:
    from .owner import Proposal
    from .table import Table

Descriptor = dict[str, Any]
"""A Frictionless Table Schema with standin blocks, as in JSON."""

QueryList = Sequence[Sequence[str] | Mapping[str, Any]]
"""Column sets, and other queries as objects, as in the JSON file of a workload."""


class Field(NamedTuple):
    """A column that a schema describes."""

    name: str
    type: str
    """Such as ``"integer"``."""
    role: str
    """``"model"``, or what else becomes of the column."""
    required: bool
    """Whether no cell is missing."""


class Schema:
    """The public facts of a table, which `parse_schema` reads."""

    def __init__(self, descriptor: Descriptor, facts: Mapping[str, Any]) -> None:
        self.descriptor = descriptor
        self.fields = [Field(**{name: field[name] for name in Field._fields}) for field in facts["fields"]]
        """All fields, in the schema's order."""
        self.read_facts: list[str] = facts["readFacts"]
        """The facts that were read from the rows, such as ``age: minimum``. A plan with any has no guarantee."""
        self._facts = facts
        self._handle: Handle = facts["schema"]

    def __repr__(self) -> str:
        return f"<Schema of {', '.join(field.name for field in self.fields)}>"

    @property
    def _to_decode(self) -> str | None:
        """The encoding of the table's file, if the engine cannot decode it."""
        return None if self._facts["decodes"] else self._facts["encoding"]

    @property
    def _stated(self) -> dict[str, dict[str, Any]]:
        """The fields as the descriptor has them, by their names, and their offsets from UTC, if they have any."""
        offsets = [{"offset": fact["offset"]} if "offset" in fact else {} for fact in self._facts["fields"]]
        stated = zip(self.descriptor["fields"], offsets, strict=True)
        return {field["name"]: {**field, **offset} for field, offset in stated}

    @property
    def _read(self) -> dict[str, dict[str, Any]]:
        """Those of columns that reading needs."""
        return {name: field for name, field in self._stated.items() if name in self._facts["reads"]}

    def to_json(self) -> str:
        """The descriptor as JSON."""
        return json.dumps(self.descriptor, ensure_ascii=False)


def parse_schema(source: Mapping[str, Any] | str) -> Schema:
    """Reads a schema, as a mapping or JSON text.

    Raises:
        StandinError: ``schema/…``, which names the field, what was expected, and what to do.

    >>> schema = parse_schema({"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}}]})
    >>> schema.fields[0].type
    'string'
    """
    text = json_text(source)
    facts, _ = core().ask("schema", descriptor=text)
    return Schema(json.loads(text), facts)


def confirm_facts(
    source: "Proposal | Schema | Mapping[str, Any] | str", columns: Iterable[str] | None = None
) -> Descriptor:
    """The same schema, with facts that were read from the rows marked as declared.

    Someone knows them independently of this table: from a code book, a law or a form.

    Args:
        source: a proposal, a schema, or what `parse_schema` reads.
        columns: those whose facts are declared. None for all facts, including those of the table as a whole.

    Raises:
        StandinError: ``schema/unknown-column`` if there is no such field; ``schema/…``; ``options/argument`` if
            `columns` is a text instead of a list.
    """
    if isinstance(columns, str):
        hint = f"Write [{json.dumps(columns, ensure_ascii=False)}] for one column."
        raise StandinError("options/argument", f"The columns are not a list. {hint}", hint)
    names = None if columns is None else [*columns]
    descriptor = getattr(source, "descriptor", source)
    value, _ = core().ask("confirm", descriptor=json_text(descriptor), columns=names)
    return value["descriptor"]


class PlanOptions(TypedDict, total=False):
    """The options of a plan. ``epsilon`` or ``rho`` is required, all else has defaults.

    Attributes:
        epsilon: ε, 1e-6 to 1000.
        rho: ρ of zero-concentrated differential privacy, above 0 and at most 4095, instead of ε.
        delta: δ, above 0 and below 1 (default 1e-9), or "1/n2" with a declared number of rows. It must be public.
        neighbours: "add-remove" (default; the number of rows is private) or "replace" (it is public).
        public_rows: the declared number of rows, for "replace".
        public_table: public rows with the same schema: never counted; the search starts from them.
        mechanism: "private-gsd", "aim", …, or "auto", which picks one, as it does without a workload.
        workload: "1-way", "2-way", …, or a list of column sets and other queries (default: "2-way", or larger sets
            where columns have few values).
        target: the name of a column that the rows should predict well.
        queries: more queries, such as ``[{"expression": "age < 30 and income >= 50000"}]``.
        selection: "max", "l1" or "aim": choose in rounds what to measure; "none": measure everything.
        rounds: the number of rounds, from 1.
        per_round: the number of queries that each round chooses, from 1.
        stages: 1: measure the whole workload at once; 2 (default): one-ways first, which decide the rest.
        estimate: what the rows match: "shrunk" (default), with signal separated from noise; or "raw".
        search: settings of the search, as in JSON: {"method": "descent"} (default), {"method": "paper"}, …
        allow_unreviewed_schema: accept facts that were read from the rows. The release then has no guarantee.
    """

    epsilon: float
    rho: float
    delta: float | Literal["1/n2"]
    neighbours: Literal["add-remove", "replace"]
    public_rows: int
    public_table: "Table"
    mechanism: str
    workload: str | QueryList
    target: str
    queries: QueryList
    selection: Literal["none", "max", "l1", "aim"]
    rounds: int
    per_round: int
    stages: Literal[1, 2]
    estimate: Literal["shrunk", "raw"]
    search: Mapping[str, Any]
    allow_unreviewed_schema: bool


class Plan:
    """What will be measured, with what noise, at what price. It was made without looking at any table."""

    def __init__(self, schema: Schema, public_table: "Table | None", value: Mapping[str, Any]) -> None:
        self.schema = schema
        self.public_table = public_table
        self.facts: Mapping[str, Any] = value["facts"]
        """What ``standin plan --json`` prints."""
        self._handle: Handle = value["plan"]

    def __repr__(self) -> str:
        return f"<Plan for {', '.join(field.name for field in self.schema.fields)}: {promise(self)}>"

    @property
    def guarantee(self) -> Mapping[str, Any] | None:
        """What a release will guarantee. None if nothing: `no_guarantee` then says why."""
        return self.facts["guarantee"]

    @property
    def no_guarantee(self) -> str | None:
        """Why a release will guarantee nothing."""
        return self.facts.get("noGuarantee")

    def to_json(self) -> str:
        """The facts as JSON."""
        return json.dumps(self.facts, ensure_ascii=False)


def plan(schema: Schema, **options: Unpack[PlanOptions]) -> Plan:
    """Plans a release, without touching anything private.

    Raises:
        StandinError: if an option, the budget or the workload is not valid.

    >>> schema = parse_schema({"fields": [{"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}}]})
    >>> plan(schema, epsilon=1).guarantee["unit"]
    'row'
    """
    expect(isinstance(schema, Schema), "a schema that parse_schema has read")
    stray = next((name for name in options if name not in PlanOptions.__annotations__), None)
    if stray is not None:
        hint = f"Options: {', '.join(PlanOptions.__annotations__)}."
        raise StandinError("options/unknown", f'There is no option "{stray}" here. {hint}', hint)
    value, _ = schema._handle.core.ask("plan", schema=schema, **members(options))
    return Plan(schema, options.get("public_table"), value)


def promise(of: Any) -> str:
    """What a plan or a release promises, in a few words."""
    if of.guarantee is None:
        return "no guarantee"
    unit = of.guarantee["unit"]
    who = "one row" if unit == "row" else f"one person (up to {unit['maxRows']} rows)"
    return f"ε = {of.guarantee['epsilon']:g}, δ = {of.guarantee['delta']:g} for {who}"


def members(options: Mapping[str, Any]) -> dict[str, Any]:
    """The members of a request for keyword arguments, whose names in JSON are per_round → perRound."""
    named = {_camel(name): option for name, option in options.items() if option is not None}
    return {"publicTable": named.pop("publicTable", None), "options": named}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def json_text(source: Mapping[str, Any] | str) -> str:
    """A descriptor as JSON text."""
    try:
        return source if isinstance(source, str) else json.dumps(dict(source), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise StandinError("schema/json", "The schema is not JSON. Check its values.", "Check its values.") from None


def expect(holds: bool, expected: str) -> None:
    """Refuses an argument of another kind."""
    if not holds:
        raise StandinError("options/argument", f"Expected {expected}, but got something else.")

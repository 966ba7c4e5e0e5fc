"""What looks at the real table without noise: only for its owner. Anyone who sees it learns about the people in it."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from ._core import Core
from ._files import Input, Source, fed
from ._watch import Cancel, Progress, Watch
from .schema import Descriptor, QueryList, Schema, expect, members, parse_schema
from .table import as_table


class Proposal(NamedTuple):
    """A schema that was read from the rows. NOT PRIVATE."""

    descriptor: Descriptor
    """Each fact in it is marked as read. `confirm_facts` declares those that are known from elsewhere."""
    notes: tuple[str, ...]
    """What the owner should look at."""
    read_facts: tuple[str, ...]


def non_private_proposal(
    source: Source,
    *,
    max_categories: int | None = None,
    dialect: Mapping[str, Any] | None = None,
    missing_values: Sequence[str] | None = None,
    progress: Progress = False,
    cancel: Cancel | None = None,
) -> Proposal:
    """Proposes a schema from a file's own rows. NOT PRIVATE: only for the owner of the table.

    Args:
        source: a path or a binary file object; gzip data is unpacked.
        max_categories: list the texts of a column as its categories if at most this many differ (default 50).
        dialect: ``delimiter``, ``encoding`` and ``skipLines``, if they are known.
        missing_values: spellings of missing cells.
        progress, cancel: as for `read_csv`.

    Raises:
        StandinError: ``files/…``, ``options/…``.
    """
    stated = members({"max_categories": max_categories, "dialect": dialect, "missing_values": missing_values})
    known = parse_schema({"fields": [{"name": "x", "standin": {"role": "drop"}}], "dialect": dialect or {}})
    # Its core sees texts of the rows, so it serves nothing else.
    with Core() as core, Input.opened(source, known._to_decode) as given, Watch(progress, cancel) as watch:
        value = fed(core, "propose", given, "proposal", watch, options=stated["options"])
    return Proposal(value["descriptor"], tuple(value["notes"]), tuple(value["readFacts"]))


def non_private_check(
    source: Source, schema: Schema, *, progress: Progress = False, cancel: Cancel | None = None
) -> Mapping[str, Any]:
    """Counts, exactly, what reading a file with a schema would change. NOT PRIVATE: only for the owner of the table.

    Args:
        source: a path or a binary file object; gzip data is unpacked.
        progress, cancel: as for `read_csv`.

    Returns:
        What ``standin check --json`` prints: ``rows``, and in ``columns`` the missing, unlisted and clipped cells, …

    Raises:
        StandinError: as for `read_csv`.
    """
    expect(isinstance(schema, Schema), "a schema that parse_schema has read")
    with Input.opened(source, schema._to_decode) as given, Watch(progress, cancel) as watch:
        return fed(schema._handle.core, "check", given, "checked", watch, schema=schema)


def non_private_query_errors(
    real: Any,
    synthetic: Any,
    schema: Schema,
    workload: str | QueryList | None = None,
    *,
    queries: QueryList | None = None,
    targets: Sequence[str] | None = None,
    test: Any = None,
    progress: Progress = False,
    cancel: Cancel | None = None,
) -> Mapping[str, Any]:
    """Compares a synthetic table with the real one, exactly. NOT PRIVATE: only for the owner of the table.

    Args:
        real: a table, a data frame or a file, as for `measure`.
        synthetic: the same; a file is read as `Table.to_csv` writes it, in UTF-8 with the header first.
        workload: one that plans accept (default "2-way").
        queries: a list of more queries to compare, as plans accept.
        targets: columns that a logistic regression is to predict, trained on either table.
        test: the real rows to test it on, which were held out, as a table of any kind that `real` may be (default: a
            fifth of the real table).
        progress, cancel: as for `read_csv`.

    Returns:
        What ``standin evaluate --json`` prints: ``meanTv``, ``maxTv`` (total variation distances, 0 to 1), …, and in
        ``classes`` the same for each class of queries. With targets, column sets are also compared with each target
        added, and it has ``utility``: in its ``targets``, the macro F1 of each (0 to 1) after training on real and on
        synthetic rows, by single columns (``f1``) and by pairs of them (``f1WithPairs``), and of always saying the most
        frequent class (``f1MostFrequent``).

    Raises:
        StandinError: ``workload/…``, ``schema/other-table``, ``evaluate/…``; ``files/…`` and ``frames/…`` for tables
            that are read.
    """
    expect(isinstance(schema, Schema), "a schema that parse_schema has read")
    options = members({"workload": workload, "queries": queries, "targets": targets})["options"]
    ask = schema._handle.core.ask
    sources = {"real": (real, schema), "synthetic": (synthetic, _as_written(schema))}
    if test is not None:
        sources["test"] = (test, schema)
    with Watch(progress, cancel) as watch, ExitStack() as stack:
        tables = {name: stack.enter_context(as_table(*source, watch)) for name, source in sources.items()}
        return ask("evaluate", watch=watch, schema=schema, **tables, options=options)[0]


def _as_written(schema: Schema) -> Schema:
    """The schema for a file that standin wrote, whatever the encoding of the real table's file and its first lines."""
    kept = {name: value for name, value in schema.descriptor.items() if name != "encoding"}
    dialect = schema.descriptor.get("dialect", {})
    return parse_schema({**kept, "dialect": {name: value for name, value in dialect.items() if name == "delimiter"}})

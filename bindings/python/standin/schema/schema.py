"""A table's public facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from ..encodings import codec_named
from ..json_text import dumps, loads, plain
from .constraints import parse_constraints
from .field import Field, facts_read, parse_field
from .linked import Linked, link_columns
from .validate import choice, is_list, is_object, is_whole, no_misplaced, only_members, or_default, strings, wrong

_DELIMITER = re.compile(r"[\t !#-/:-@\[-`{-~]")
_MOST_ROWS_A_PERSON = 65_535
_MOST_LINES = 2**53 - 1


@dataclass(frozen=True)
class Attribute:
    """One modelled column as queries see it: codes 0 … size − 1.

    A tree column has the 32 leaves of a binary tree; a column that may be missing has one more code, last.
    """

    name: str
    size: int
    tree: bool
    missing: bool
    ordered: bool
    """Whether the codes (missing aside) stand in an order, as numbers, dates and times do."""


class Dialect(NamedTuple):
    """How the table's file is written, as far as the schema states it."""

    delimiter: str | None = None
    skip_lines: int = 0
    encoding: str = "utf-8"


class Unit(NamedTuple):
    """The protected unit where it is one person with up to ``max_rows`` rows, known by ``column`` where that is told."""

    column: str | None
    max_rows: int


@dataclass(frozen=True, eq=False)
class Schema:
    """A table's public facts. They stay as they were read: plans rely on it."""

    fields: tuple[Field, ...]
    attributes: tuple[Attribute, ...]
    """The modelled fields, in schema order."""
    missing_values: tuple[str, ...]
    """Spellings of a missing cell; the first is written. Empty: nothing can be missing."""
    dialect: Dialect
    unit: Literal["row"] | Unit
    linked: tuple[Linked, ...]
    """What has to hold between the cells of a row (``standin.constraints``), by groups of columns that it links."""
    read_facts: tuple[str, ...]
    """The facts that were read from the rows, such as ``age: minimum``."""
    descriptor: Mapping[str, Any]
    """The descriptor as it was given, which cannot be changed."""

    def to_json(self) -> str:
        """The descriptor as JSON."""
        return dumps(self.descriptor)

    @property
    def modelled(self) -> tuple[Field, ...]:
        """The fields behind ``attributes``."""
        return tuple(field for field in self.fields if field.domain is not None)

    def field(self, name: str) -> Field | None:
        """The field of this name, where there is one."""
        return self._by_name.get(name)

    @property
    def person_column(self) -> str | None:
        """The column that tells persons apart, where persons with several rows are protected."""
        return None if self.unit == "row" else self.unit.column

    @cached_property
    def terms(self) -> str:
        """What the meaning of codes depends on: all of the descriptor but how the file was written."""
        return dumps({key: value for key, value in self.descriptor.items() if key not in ("dialect", "encoding")})

    @cached_property
    def _by_name(self) -> Mapping[str, Field]:
        return {field.name: field for field in self.fields}


def expect_schema(schema: Any) -> None:
    """Raises ``schema/unparsed`` for what is no schema that ``parse_schema`` has read."""
    if not isinstance(schema, Schema):
        raise wrong("unparsed", "Expected a schema that parse_schema has read.", "Call parse_schema first.")


def parse_schema(source: Mapping[str, Any] | str) -> Schema:
    """Reads a schema: a mapping, or JSON text.

    What a modelled field states as a value (categories, ``other``, bounds, edges of bins) is one of its type; ``missingValues`` are texts,
    whatever the types: spellings that a file has in a value's place. Raises ``StandinError`` ``schema/…`` naming the field, what was expected, what was found and what to do.

    >>> schema = parse_schema({
    ...     "fields": [
    ...         {"name": "sex", "type": "string", "constraints": {"enum": ["F", "M"]}},
    ...         {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 99, "required": True}},
    ...     ],
    ... })
    >>> [f"{attribute.name}: {attribute.size}" for attribute in schema.attributes]
    ['sex: 3', 'age: 100']
    """
    descriptor = _parsed(source)
    if not is_object(descriptor) or not is_list(descriptor.get("fields")) or not descriptor["fields"]:
        raise wrong(
            "fields",
            "The schema has no list of fields.",
            'A schema is an object such as { "fields": [{ "name": "age", "type": "integer", '
            '"constraints": { "minimum": 0, "maximum": 99 } }] }.',
        )
    missing_values = strings(descriptor.get("missingValues", [""]), "missingValues of the schema")
    no_misplaced(descriptor, "The schema", ["unit", "spent", "missing_values", "missingvalues"])
    members = ["unit", "spent", "constraints", "provenance"]
    block = only_members(or_default(descriptor, "standin", {}), "The schema's standin block", members)
    _refuse_spent(block)
    fields = _fields(descriptor["fields"], missing_values)
    modelled = [field for field in fields if field.domain is not None]
    return Schema(
        fields=tuple(fields),
        attributes=tuple(map(_attribute, modelled)),
        missing_values=missing_values,
        dialect=parse_dialect(descriptor),
        unit=_unit(block.get("unit", "row"), fields),
        linked=link_columns(parse_constraints(block.get("constraints", []), fields), modelled),
        read_facts=facts_read(descriptor),
        descriptor=_frozen(descriptor),
    )


def parse_dialect(descriptor: Mapping[str, Any]) -> Dialect:
    """What a descriptor says about how its table's file is written. Raises ``schema/dialect``."""
    dialect = descriptor.get("dialect", {})
    if not is_object(dialect):
        raise wrong("dialect", "The schema's dialect is not an object.", 'Write { "delimiter": ";" }.')
    encoding = dialect.get("encoding", descriptor.get("encoding", "utf-8"))
    if "delimiter" in dialect and not is_delimiter(dialect["delimiter"]):
        raise wrong("dialect", "The dialect's delimiter is not one mark or blank.", 'Use "," or ";" or "\\t" or "|".')
    if dialect.get("quoteChar", '"') != '"':
        raise wrong("dialect", "The dialect's quoteChar is not supported.", "Quotes are double quotes.")
    if not is_whole(dialect.get("skipLines", 0), 0, _MOST_LINES):
        raise wrong(
            "dialect",
            "The dialect's skipLines is not a whole number of at least 0.",
            "Count the lines above the header.",
        )
    if not isinstance(encoding, str) or codec_named(encoding) is None:
        raise wrong(
            "dialect",
            f"The dialect's encoding is {dumps(encoding)}, which cannot be read here.",
            'Use a name such as "utf-8", "utf-16le" or "latin1".',
        )
    return Dialect(dialect.get("delimiter"), dialect.get("skipLines", 0), encoding)


def is_delimiter(value: Any) -> bool:
    """Whether a value can separate cells: one mark or blank of ASCII, but no quote."""
    return isinstance(value, str) and _DELIMITER.fullmatch(value) is not None


def _parsed(source: Mapping[str, Any] | str) -> Any:
    try:
        return loads(source) if isinstance(source, str) else plain(source)
    except (ValueError, RecursionError):
        raise wrong(
            "json", "The schema is not JSON: it cannot be parsed.", "Check commas, quotes and brackets."
        ) from None


def _refuse_spent(block: Mapping[str, Any]) -> None:
    """A part of the format that this version does not act on is refused: ignoring it would break what it promises."""
    if "spent" in block:
        raise wrong(
            "unsupported", "The schema's standin.spent is not supported by this version.", "Take it out of the schema."
        )


def _fields(given: Sequence[Any], missing_values: Sequence[str]) -> list[Field]:
    fields: list[Field] = []
    names: set[str] = set()
    attributes = 0
    for at, stated in enumerate(given):
        field = parse_field(stated, at, missing_values, attributes)
        if field.name in names:
            raise wrong(
                "duplicate-field", f'Two fields are named "{field.name}".', "Give each field a name of its own."
            )
        fields.append(field)
        names.add(field.name)
        attributes += field.domain is not None
    return fields


def _attribute(field: Field) -> Attribute:
    domain = field.modelled
    ordered = domain.kind == "grid"
    tree = domain.kind == "grid" and domain.tree
    return Attribute(field.name, domain.codes + (not field.required), tree, not field.required, ordered)


def _unit(unit: Any, fields: Sequence[Field]) -> Literal["row"] | Unit:
    if unit == "row":
        return "row"
    stated = only_members(unit, "standin.unit", ["column", "maxRows"])
    if not is_whole(stated.get("maxRows"), 1, _MOST_ROWS_A_PERSON):
        found = f"has maxRows {dumps(stated['maxRows'])}" if "maxRows" in stated else "lacks maxRows"
        raise wrong(
            "unit", f"standin.unit {found}.", "State the most rows one person may have in the result, from 1 to 65,535."
        )
    column = None
    if "column" in stated:
        column = choice(stated["column"], [field.name for field in fields], "standin.unit names the column", "unit")
        if any(field.name == column and field.role == "model" for field in fields):
            raise wrong(
                "unit",
                f'The field "{column}" identifies persons (standin.unit) and is never modelled, but it has the role "model".',
                'Give it the role "id" or "drop".',
            )
    return Unit(column, stated["maxRows"])


def _frozen(value: Any) -> Any:
    """A value of dicts and lists that cannot be changed."""
    if isinstance(value, dict):
        return MappingProxyType({key: _frozen(member) for key, member in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value

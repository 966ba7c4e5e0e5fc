"""How the header of a schema's table is read."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from ..errors import StandinError
from ..json_text import dumps
from ..schema.schema import Schema
from .records import LINE_ENDS, open_cell, records

_DELIMITERS = [",", ";", "\t", "|"]
"""What may separate cells where the schema does not say; the first of several that fit a header equally well counts."""

_LISTED = 10
"""Most names that an error lists."""

_LINE_END = re.compile("[\r\n]")


def read_header(lines: Iterator[str], schema: Schema) -> tuple[list[str], str]:
    """Takes a header from the lines of a table; gives its names and what separates the cells.

    Lines to skip are counted by their line ends alone, and blank lines are no header. A name in quotes goes on in the next line only where
    that is so of one in the schema, so that no record is taken for a part of a header whose quotes are not closed. Raises
    ``files/header-quote`` where they are not.
    """
    skipped = islice(lines, schema.dialect.skip_lines, None)
    first = next((line for line in skipped if line.rstrip(LINE_ENDS)), None)
    if first is None:
        return [], schema.dialect.delimiter or _DELIMITERS[0]
    head = [first]
    delimiter = schema.dialect.delimiter or _delimiter_of(first, schema)
    while (name := open_cell(head, delimiter)) is not None:
        following = next(lines, None)
        if following is None or not any(field.name.startswith(name) for field in schema.fields):
            raise _quote_left_open()
        head.append(following)
    return next(records(iter(head), delimiter)), delimiter


def column_names(header: Sequence[str]) -> list[str]:
    """The names of a header's columns, each its own.

    Where a name comes again, its second column is called ``name_2``, the third ``name_3``, …, passing over names that the header has itself.
    """
    taken = set(header)
    times: dict[str, int] = {}
    names = []
    for name in header:
        time = times.get(name, 0) + 1
        while time > 1 and f"{name}_{time}" in taken:
            time += 1
        times[name] = time
        names.append(f"{name}_{time}" if time > 1 else name)
    return names


def check_header(header: Sequence[str], schema: Schema) -> None:
    """Checks a header's names; none where there was no header.

    A first line that does not fit may be a person's record: errors name the schema's columns, never its cells. Of a header of several lines
    they say nothing but that it does not fit. Raises ``files/empty``; ``files/header-quote`` for a name of several lines that is none of the
    schema's; ``files/missing-column`` where modelled columns, or the one that tells persons apart, are absent; ``files/duplicate-column``
    where a column of the schema comes again and the schema does not name the other one as ``column_names`` does.
    """
    if not header:
        raise StandinError(
            "files/empty",
            "The file is empty, or has no line after the skipped ones: there is no header.",
            f"Expected a line with the columns {_listed([field.name for field in schema.fields])}.",
        )
    broken = [name for name in header if _LINE_END.search(name)]
    if any(schema.field(name) is None for name in broken):
        raise _quote_left_open()
    names = column_names(header)
    _check_columns(header, names, schema, is_one_line=not broken)
    _check_repeated(header, names, schema, is_one_line=not broken)


def _check_columns(header: Sequence[str], names: Sequence[str], schema: Schema, is_one_line: bool) -> None:
    found = set(names)
    needed = [field.name for field in schema.fields if field.role == "model" or field.name == schema.person_column]
    absent = [name for name in needed if name not in found]
    if absent:
        raise StandinError(
            "files/missing-column",
            f"The header has {len(header)} column{'' if len(header) == 1 else 's'}, but lacks these columns of the schema: "
            f"{_listed(absent)}."
            if is_one_line
            else "The header, which has several lines, lacks columns of the schema.",
            "Check the first line, the delimiter, and the spelling of the names.",
        )


def _check_repeated(header: Sequence[str], names: Sequence[str], schema: Schema, is_one_line: bool) -> None:
    twice = next(
        (
            stated
            for stated, name in zip(header, names, strict=True)
            if name != stated and schema.field(name) is None and schema.field(stated) is not None
        ),
        None,
    )
    if twice is not None:
        raise StandinError(
            "files/duplicate-column",
            f"The header has the column {dumps(twice)} more than once."
            if is_one_line
            else "The header, which has several lines, has a column of the schema more than once.",
            "Give each column its own name, in the header or in the schema: the second is called name_2, the third name_3, and so on.",
        )


def _delimiter_of(line: str, schema: Schema) -> str:
    """What splits a header's first line into the most names that the schema knows."""

    def known(delimiter: str) -> int:
        cells = next(records(iter([line.rstrip(LINE_ENDS)]), delimiter))
        return sum(schema.field(name) is not None for name in column_names(cells))

    return max(_DELIMITERS, key=known)


def _quote_left_open() -> StandinError:
    """What is said of a header that may not be closed depends on no line after its first one."""
    return StandinError(
        "files/header-quote",
        "A line of the header ends inside quotes.",
        "Close them; a name that really continues on the next line must be one of the schema's (with the role drop to leave it out).",
    )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(dumps, names[:_LISTED]))
    return f"{shown} and {len(names) - _LISTED} more" if len(names) > _LISTED else shown

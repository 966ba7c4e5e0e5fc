"""Records and cells of delimited text."""

from collections.abc import Iterator, Sequence
from typing import Final

QUOTE: Final = '"'
"""What stands around cells that hold a delimiter, a quote or a line end."""

LINE_ENDS: Final = "\r\n"
"""CR, LF and CRLF each end a line."""

_LONGEST = 2**20
"""The most bytes of a cell, in UTF-8, that are kept: where a quote stays open, a cell may be as long as the file."""

_SHORT = _LONGEST // 4
"""A text of so many characters has no more bytes than that."""


def records(lines: Iterator[str], delimiter: str) -> Iterator[list[str]]:
    """Splits lines into records of cells; every text has a reading and none is an error.

    CR, LF and CRLF each end a record, mixed freely. A quote opens a cell only at its start; inside quotes a doubled quote is one; text after
    the closing quote is kept; a quote that is still open at the end closes there; of a cell longer than a mebibyte the rest is dropped. A
    blank line is a record without cells.

    :param lines: with their ends
    """
    for line in lines:
        if QUOTE in line:
            yield _quoted_record(line, lines, delimiter)
        else:
            text = line.rstrip(LINE_ENDS)
            cells = text.split(delimiter) if text else []
            yield cells if len(text) <= _SHORT else [*map(_cut, cells)]


def open_cell(lines: Sequence[str], delimiter: str) -> str | None:
    """The cell, so far, that is still in quotes at the end of a record's lines; ``None`` where none is."""
    goes_on = False

    def once() -> Iterator[str]:
        nonlocal goes_on
        yield from lines
        goes_on = True  # Another line is asked for only inside quotes.

    cells = next(records(once(), delimiter))
    return cells[-1] if goes_on else None


def _quoted_record(line: str, lines: Iterator[str], delimiter: str) -> list[str]:
    """A record from the line in which it begins, and from as many more as its quotes go on in."""
    cells: list[str] = []
    at = 0
    while True:
        quoted = ""
        if line.startswith(QUOTE, at):
            quoted, line, at = _quoted(line, at + 1, lines)
        end = line.find(delimiter, at)
        if end < 0:
            return [*cells, _cut(quoted + line[at:].rstrip(LINE_ENDS))]
        cells.append(_cut(quoted + line[at:end]))
        at = end + 1


def _quoted(line: str, at: int, lines: Iterator[str]) -> tuple[str, str, int]:
    """The text in quotes that begins at a place of a line, with the line in which it ends and the place after its closing quote."""
    parts: list[str] = []
    held = 0

    def hold(text: str) -> None:
        nonlocal held
        if held < _LONGEST:
            parts.append(text)
            held += len(text)

    while True:
        end = line.find(QUOTE, at)
        if end < 0:
            hold(line[at:])
            line, at = next(lines, ""), 0
            if not line:
                break
            continue
        hold(line[at:end])
        at = end + 1
        if not line.startswith(QUOTE, at):
            break
        hold(QUOTE)
        at += 1
    return "".join(parts), line, at


def _cut(cell: str) -> str:
    if len(cell) <= _SHORT:
        return cell
    return cell.encode(errors="surrogatepass")[:_LONGEST].decode(errors="replace")

"""Bytes of files, on their way into the engine's memory."""

import codecs
import gzip
import io
import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO

from ._core import Core
from ._watch import Watch
from .errors import StandinError

Source = str | os.PathLike[str] | BinaryIO
"""The path of a file, or a binary file object."""

_MOST_AT_ONCE = 1 << 20
_GZIP = b"\x1f\x8b"
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_LONGEST_MARK = 3
_CODECS = {
    "x-mac-cyrillic": "mac-cyrillic",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "iso-8859-8-i": "iso8859-8",
}
"""Encodings that Python has by another name, or completely only in another codec."""


class Input:
    """A table's text, as bytes."""

    def __init__(self, chunks: Iterable[bytes] = ()) -> None:
        """
        Args:
            chunks: the bytes, in UTF-8.
        """
        self.is_decoded = True
        """Whether it is UTF-8 by now, whatever the file's encoding."""
        self._name = ""
        self._raw: Any = None
        self._fill = _filling(iter(chunks))

    @classmethod
    @contextmanager
    def opened(cls, source: Source, encoding: str | None = None) -> Iterator["Input"]:
        """Opens a file, and unpacks it if it is gzip data.

        Args:
            encoding: that of the file, if the engine does not know it. A byte order mark overrides it.

        Raises:
            StandinError: ``files/refused``; ``host/encoding`` if Python does not know the encoding either.
        """
        given = cls()
        with ExitStack() as stack:
            given._name = os.fspath(source) if isinstance(source, str | os.PathLike) else "The file"
            with given._refusing():
                given._raw = source
                if isinstance(source, str | os.PathLike):
                    given._raw = stack.enter_context(open(source, "rb", buffering=0))
                given._open(stack, encoding)
            yield given

    def _open(self, stack: ExitStack, encoding: str | None) -> None:
        # All but its first bytes go straight from a file into the engine.
        file: Any = io.BufferedReader(self._raw, _LONGEST_MARK)
        stack.callback(file.detach)
        if file.peek(_LONGEST_MARK).startswith(_GZIP):
            file = gzip.GzipFile(fileobj=file)
        self.is_decoded = encoding is not None and not file.peek(_LONGEST_MARK).startswith(_MARKS)
        self._fill = _filling(_decoded(file, encoding)) if encoding and self.is_decoded else file.readinto

    def fill(self, into: memoryview) -> int:
        """Writes the next bytes into memory. Returns how many, 0 at the end."""
        with self._refusing():
            return self._fill(into)

    @property
    def progress(self) -> tuple[int, int | None]:
        """How many bytes of the file have been read, and how many there are, if that is known."""
        try:
            whole = os.fstat(self._raw.fileno())
            return self._raw.tell(), whole.st_size if stat.S_ISREG(whole.st_mode) else None
        except (AttributeError, OSError):
            return 0, None

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise StandinError("files/refused", f"{self._name} is not whole gzip data.") from None
        except OSError as error:
            raise StandinError("files/refused", f"{self._name} cannot be read: {error.strerror}.") from None


def fed(core: Core, request: str, given: Input, end: str, watch: Watch, **members: Any) -> Any:
    """The value of the request that ends a reader, once all bytes have gone through it."""
    begun, _ = core.ask(request, decoded=given.is_decoded, **members)
    reader = begun["reader"]
    try:
        while True:
            room, _ = core.ask("room", reader=reader, bytes=_MOST_AT_ONCE)
            instance = core.instance(room["instance"])
            count = given.fill(instance.bytes_at(room["pointer"], room["bytes"]))
            if not count:
                return core.ask(end, watch=watch, reader=reader)[0]
            core.ask("took", reader=reader, bytes=count)
            watch.report("read", *given.progress)
    finally:
        reader.close()


def _filling(chunks: Iterator[bytes]) -> Callable[[memoryview], int]:
    rest = b""

    def fill(into: memoryview) -> int:
        nonlocal rest
        while not rest:
            following = next(chunks, None)
            if following is None:
                return 0
            rest = following
        part, rest = rest[: len(into)], rest[len(into) :]
        into[: len(part)] = part
        return len(part)

    return fill


def _decoded(file: BinaryIO, encoding: str) -> Iterator[bytes]:
    try:
        decoder = codecs.getincrementaldecoder(_CODECS.get(encoding, encoding))("replace")
    except LookupError:
        hint = "Convert the file to UTF-8."
        raise StandinError("host/encoding", f'Python has no decoder for "{encoding}". {hint}', hint) from None
    is_last = False
    while not is_last:
        read = file.read(_MOST_AT_ONCE // 4)  # no character takes more than four bytes in UTF-8
        is_last = not read
        yield decoder.decode(read, final=is_last).encode(errors="replace")

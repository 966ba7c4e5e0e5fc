"""Files of the system: the lines behind a path, and what its refusals mean to people."""

import errno
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from ..encodings import codec_named, marked_codec
from ..errors import StandinError

_GZIP = b"\x1f\x8b"
"""The first two bytes of gzip data (RFC 1952, 2.3.1)."""

_MARK = 3
"""Bytes of the longest byte order mark."""

_REFUSALS = {
    errno.ENOENT: "does not exist",
    errno.ENOTDIR: "is in something that is not a folder",
    errno.EISDIR: "is a folder",
    errno.EACCES: "may not be opened by this user",
    errno.EPERM: "may not be opened by this user",
    errno.ELOOP: "is a link that leads back to itself",
    errno.ENAMETOOLONG: "has a name longer than the system allows",
}


@contextmanager
def text_lines(path: str | os.PathLike[str], encoding: str) -> Iterator[Iterator[str]]:
    """The lines of a text file, each with the end that it has, unpacked where the file is gzip data.

    A byte order mark decides about the encoding; undecodable bytes become U+FFFD. Raises ``files/refused``.

    :param encoding: its name where there is no mark
    """
    name = os.fspath(path)
    try:
        with open(path, "rb") as file:
            packed = file.peek(2).startswith(_GZIP)
            with gzip.open(file) if packed else file as raw:
                codec, mark = marked_codec(raw.peek(_MARK)) or (codec_named(encoding), 0)
                raw.read(mark)
                yield io.TextIOWrapper(raw, codec, errors="replace", newline="")
    except EOFError:
        raise _refused(name, "ends in the middle of its gzip data") from None
    except (gzip.BadGzipFile, zlib.error):
        raise _refused(name, "is not whole gzip data") from None
    except OSError as error:
        code = errno.errorcode.get(error.errno or 0, "EIO")
        raise _refused(name, _REFUSALS.get(error.errno or 0, f"could not be used ({code})")) from None


def _refused(name: str, why: str) -> StandinError:
    return StandinError("files/refused", f"{name} {why}.")

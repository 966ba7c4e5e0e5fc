"""The core of this process: one for all threads, which take turns."""

import json
import os
import struct
import threading
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from ._host import Host, Instance, Trapped
from ._watch import Watch
from .errors import StandinError

_turn = threading.RLock()
"""Held by the thread whose request is answered."""
if hasattr(os, "register_at_fork"):
    # A fork waits, so that no copy of a core stops halfway.
    os.register_at_fork(before=_turn.acquire, after_in_parent=_turn.release, after_in_child=_turn.release)

_HELD = {"schema", "plan", "reader", "table", "tables", "budget", "run", "release", "writer"}
"""The members of answers that are numbers of what the core holds."""


class Handle:
    """What a core holds, until nothing refers to it, or the process ends."""

    def __init__(self, core: "Core", number: int) -> None:
        self.core = core
        self.number = number
        self.close = weakref.finalize(self, core.drop, number)
        """Lets the core forget it now, which overwrites the private rows that it holds with zeros."""


class Core:
    """Answers requests, one at a time."""

    def __init__(self) -> None:
        self._host = Host()
        self._is_busy = False
        self._dropped: deque[int] = deque()
        self.has_failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Overwrites everything with zeros. The core cannot be used any more."""
        self.has_failed = True
        self._host.wipe()

    def ask(self, request: str, *parts: bytes, watch: Watch | None = None, **members: Any) -> tuple[Any, list[bytes]]:
        """Sends a request. Returns the value of its answer, in which `Handle` stands for what is held, and its parts.

        Args:
            members: those of the request; None for one that is absent.

        Raises:
            StandinError: as the npm package does; ``host/busy`` within a call's own progress or cancel function;
                ``core/fault``.
        """
        watch = watch or Watch()
        given = {name: member for name, member in members.items() if member is not None}
        try:
            text = json.dumps({"request": request, **given}, allow_nan=False, default=self._number_of)
        except (TypeError, ValueError, RecursionError):
            raise StandinError("options/argument", "An option is not a JSON value.") from None
        with _turn, watch.holding_interrupts():
            answer, answered = self._exchange([text.encode(), *parts], watch)
            value = answer.get("value")
            made = self._hold(value) if isinstance(value, dict) else []
            self._sweep(watch)
        try:
            watch.check()
        except BaseException:
            for handle in made:
                handle.close()
            raise
        if error := answer.get("error"):
            raise StandinError(error["code"], error["message"], error.get("hint"))
        return value, answered

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Keeps the turn for several requests, and for the locks that they need.

        A thread that waited for its turn with a lock of its own would hold up everyone else who needs that.

        Raises:
            StandinError: ``host/busy`` as `ask`.
        """
        with _turn:
            if self._is_busy:
                raise _busy()
            yield

    def instance(self, number: int) -> Instance:
        """An instance of the engine. Keep it while its memory is used."""
        return self._host.engines[number]

    def drop(self, number: int) -> None:
        """Lets the core forget a thing, once it is free: what is collected may be so at any moment."""
        self._dropped.append(number)
        if _turn.acquire(blocking=False):
            watch = Watch()
            try:
                with watch.holding_interrupts():
                    self._sweep(watch)
            finally:
                _turn.release()
            watch.check()

    def _sweep(self, watch: Watch) -> None:
        while self._dropped and not (self._is_busy or self.has_failed):
            text = json.dumps({"request": "drop", "object": self._dropped.popleft()})
            self._exchange([text.encode()], watch)

    def _exchange(self, parts: list[bytes], watch: Watch) -> tuple[dict[str, Any], list[bytes]]:
        if self._is_busy:
            raise _busy()
        if self.has_failed:
            raise _fault()
        self._is_busy = True
        self._host.breathe = watch.breathe
        try:
            text, *answered = _unpacked(self._host.send(_packed(parts)))
        except BaseException as error:
            self.has_failed = True
            self._host.wipe()
            if isinstance(error, Trapped | IndexError | MemoryError):
                raise _fault() from None
            raise
        finally:
            self._is_busy = False
        return json.loads(text), answered

    def _hold(self, value: dict[str, Any]) -> list[Handle]:
        """Puts handles in place of the numbers in an answer. Returns them."""
        made: list[Handle] = []
        for name in _HELD & value.keys():
            numbers = value[name]
            handles = [Handle(self, number) for number in (numbers if isinstance(numbers, list) else [numbers])]
            value[name] = handles if isinstance(numbers, list) else handles[0]
            made += handles
        return made

    def _number_of(self, thing: object) -> int:
        handle = getattr(thing, "_handle", thing)
        if not isinstance(handle, Handle):
            raise TypeError
        if handle.core is not self:
            raise _fault()
        return handle.number


_current: Core | None = None


def core() -> Core:
    """The core for what is new: the present one, unless it has failed."""
    global _current
    with _turn:
        if _current is None or _current.has_failed:
            _current = Core()
        return _current


def _busy() -> StandinError:
    return StandinError("host/busy", "standin was called from within a function that it has called.")


def _fault() -> StandinError:
    return StandinError(
        "core/fault",
        "The core has failed, and what it held is lost. Read schemas and tables again, and please report this.",
        "Read schemas and tables again, and please report this.",
    )


def _packed(parts: list[bytes]) -> bytes:
    """A message: the number of its parts and their lengths, then the parts."""
    return struct.pack(f"<{1 + len(parts)}I", len(parts), *map(len, parts)) + b"".join(parts)


def _unpacked(message: bytes) -> list[bytes]:
    (count,) = struct.unpack_from("<I", message)
    parts, at = [], 4 + 4 * count
    for length in struct.unpack_from(f"<{count}I", message, 4):
        parts.append(message[at : at + length])
        at += length
    return parts

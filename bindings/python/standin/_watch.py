"""What a caller sees of a long call, and how it ends one: progress, cancelling, and Ctrl-C."""

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .errors import StandinError

Progress = bool | Callable[[Mapping[str, Any]], object]
"""``True`` for a line on stderr, if that is a terminal, or a function that gets each event."""
Cancel = threading.Event | Callable[[], object]
"""An event that is set, or a function that returns something true, in order to end a call."""

_REDRAW_SECONDS = 0.1
_BAR = 30
"""Characters."""


class Watch:
    """A caller that waits. Whatever its functions raise ends the call, and then reaches the caller."""

    def __init__(self, progress: Progress = False, cancel: Cancel | None = None) -> None:
        self._report = progress if callable(progress) else _Line() if progress and sys.stderr.isatty() else None
        self._is_cancelled = cancel.is_set if isinstance(cancel, threading.Event) else cancel
        self._raised: BaseException | None = None

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        if isinstance(self._report, _Line):
            self._report.clear()

    def breathe(self, event: bytes) -> bool:
        """Passes on an event, if there is one, and says whether to end the call."""
        try:
            if event and self._report:
                self._report(json.loads(event))
            return self._raised is not None or bool(self._is_cancelled and self._is_cancelled())
        except BaseException as error:
            self._raised = error
            return True

    def report(self, phase: str, done: int, whole: int | None) -> None:
        """Reports how much of a file is done, and ends the call if it is cancelled."""
        percent = 100 * done / whole if whole else None
        if self.breathe(json.dumps({"phase": phase, "percent": percent}).encode()):
            self.check()
            raise StandinError("host/cancelled", "The caller has cancelled.")

    def check(self) -> None:
        """Raises what a function or a signal has raised."""
        if self._raised is not None:
            raise self._raised

    @contextmanager
    def holding_interrupts(self) -> Iterator[None]:
        """Keeps the exception of an interrupt (Ctrl-C) until the end, so that it does not strike within the core."""
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler) or threading.current_thread() is not threading.main_thread():
            yield
            return

        def interrupted(number: int, frame: Any) -> None:
            try:
                handler(number, frame)
            except BaseException as error:
                # Its traceback would keep the frame that it struck, and with it an instance of the engine.
                self._raised = error.with_traceback(None)

        signal.signal(signal.SIGINT, interrupted)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, handler)


class _Line:
    """A line on the terminal that says how far a call is."""

    def __init__(self) -> None:
        self._phase, self._drawn = "", 0.0

    def __call__(self, event: Mapping[str, Any]) -> None:
        now = time.monotonic()
        if event["phase"] != self._phase or now - self._drawn >= _REDRAW_SECONDS:
            self._phase, self._drawn = event["phase"], now
            _write(_words(event))

    def clear(self) -> None:
        """Leaves nothing on the terminal."""
        if self._phase:
            _write("")


def _write(words: str) -> None:
    sys.stderr.write(f"\r\x1b[K{words}")
    sys.stderr.flush()


def _words(event: Mapping[str, Any]) -> str:
    share = None
    if event.get("of"):
        share = event["done"] / event["of"]
    elif event.get("percent") is not None:
        share = event["percent"] / 100
    bar = "" if share is None else f" [{'#' * round(_BAR * share):{_BAR}}]"
    step = f" step {event['step']}" if "step" in event else ""
    return f"standin: {event['phase']}{step}{bar}"

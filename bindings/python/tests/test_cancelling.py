"""How a caller sees how far a call is, and ends it."""

import io
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from tables import DESCRIPTOR, SCHEMA, SETS, table

import standin
from standin import _core

PLAN = standin.plan(SCHEMA, epsilon=1, selection="max", rounds=3, workload=SETS)
ROWS = 200_000


def cancelled() -> pytest.RaisesExc[standin.StandinError]:
    return pytest.raises(standin.StandinError, check=lambda error: error.code == "host/cancelled")


def test_events_of_a_run() -> None:
    events: list[Any] = []
    release = standin.synthesize(table(), PLAN, progress=events.append)
    phases = [event["phase"] for event in events]
    assert {"round", "search"} <= {*phases}
    assert all(0 <= event["done"] <= event["of"] for event in events if event.get("of"))
    assert len(release.table)


@pytest.mark.parametrize("kind", ["event", "function"])
def test_a_run_is_cancelled(kind: str) -> None:
    event = threading.Event()
    read = table()
    engines = _core.core()._host.engines
    before = len(engines)

    def on_round(_: standin.Release) -> None:
        event.set()

    with cancelled():
        standin.measure(read, PLAN, on_round=on_round, cancel=event if kind == "event" else event.is_set)
    assert len(engines) == before
    standin.measure(read, PLAN)


def test_reading_and_searching_are_cancelled() -> None:
    release = standin.measure(table(), PLAN)
    with cancelled():
        standin.resample(release, rows=ROWS, cancel=lambda: True)
    engines = len(_core.core()._host.engines)
    with cancelled():
        standin.read_csv(io.BytesIO(b"sex,age,region\nF,1,N\n"), SCHEMA, cancel=lambda: True)
    assert len(_core.core()._host.engines) == engines


@pytest.mark.parametrize("where", ["progress", "cancel"])
def test_what_a_function_raises_reaches_the_caller(where: str) -> None:
    class Enough(Exception):
        pass

    def enough(*_: Any) -> bool:
        raise Enough

    functions: dict[str, Any] = {where: enough}
    with pytest.raises(Enough):
        standin.synthesize(table(), PLAN, **functions)
    assert standin.plan(SCHEMA, epsilon=1)


def interrupting(after: float, call: Callable[[], object]) -> float:
    """Sends Ctrl-C while a call runs. Returns how long the call took after that.

    Python loses an interrupt that strikes while it finalises an object, so it is repeated, as people would.
    """
    sent = 0.0
    ended = threading.Event()

    def send() -> None:
        nonlocal sent
        time.sleep(after)
        sent = time.monotonic()
        while not ended.is_set():
            os.kill(os.getpid(), signal.SIGINT)
            ended.wait(5)

    thread = threading.Thread(target=send)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        call()
        time.sleep(10)
    ended.set()
    took = time.monotonic() - sent
    thread.join()
    return took


@pytest.mark.skipif(os.name == "nt", reason="this system has no such signals")
def test_an_interrupt_ends_a_call_and_leaves_the_core_alone() -> None:
    release = standin.measure(table(), PLAN)
    read, core = table(), _core.core()
    handler = signal.getsignal(signal.SIGINT)
    for call in (lambda: standin.resample(release, rows=5_000_000), lambda: standin.resample(release, rows=ROWS)):
        for _ in range(2):
            assert interrupting(0.3, call) < 30
    for delay in (0.0005, 0.002, 0.01, 0.05):
        interrupting(delay, lambda: [standin.measure(read, PLAN) for _ in range(1000)])
    assert signal.getsignal(signal.SIGINT) is handler
    assert _core.core() is core
    assert standin.measure(read, PLAN).guarantee


@pytest.mark.skipif(os.name == "nt", reason="this system has no such signals")
def test_a_handler_that_raises_nothing_ends_nothing() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        thread = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
        thread.start()
        read = table()
        while not heard:
            standin.measure(read, PLAN)
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_an_interrupted_request_has_made_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    core = _core.core()
    engines = len(core._host.engines)
    send = core._host.send

    def interrupted(request: bytes) -> bytes:
        answer = send(request)
        if b'"request": "table"' in request:
            os.kill(os.getpid(), signal.SIGINT)
        return answer

    monkeypatch.setattr(core._host, "send", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        table()
    assert caught.tb  # which keeps what was on the stack
    assert len(core._host.engines) == engines


def test_other_threads_are_not_interrupted() -> None:
    made: list[standin.Release] = []
    thread = threading.Thread(target=lambda: made.append(standin.measure(table(), PLAN)))
    thread.start()
    thread.join()
    assert made


PROGRAM = f"""
import standin
schema = standin.parse_schema({DESCRIPTOR!r})
table = standin.parse_csv("sex,age,region\\n" + "F,1,N\\n" * 100, schema)
standin.synthesize(table, schema, epsilon=1, rows=20000, progress=True)
print("done")
"""


def shown(stderr: int) -> str:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=stderr, text=True, check=True).stdout


@pytest.mark.skipif(os.name == "nt", reason="this system has no such terminals")
def test_a_line_on_a_terminal() -> None:
    main, other = pty.openpty()
    assert shown(other) == "done\n"
    os.close(other)
    seen = os.read(main, 1 << 16).decode()
    os.close(main)
    assert "standin: measure" in seen
    assert "standin: search step" in seen
    assert seen.endswith("\r\x1b[K")


def test_no_line_elsewhere() -> None:
    assert subprocess.run([sys.executable, "-c", "pass"], check=True).returncode == 0
    assert shown(subprocess.STDOUT) == "done\n"

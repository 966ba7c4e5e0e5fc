"""What lies in which memory, and what becomes of it."""

import ctypes
import gc
import multiprocessing
import os
import threading
import weakref
from typing import Any

import pytest
from tables import CSV, DESCRIPTOR, KEY, SCHEMA, table

import standin
from standin import _core, _host

SECRET = "a secret of somebody"
ROWS = "sex,note\n" + f"F,{SECRET}\n" * 5000


def memory_of(instance: _host.Instance) -> bytes:
    size = _host._memory_size(instance._context, instance._memory)
    return bytes(instance.bytes_at(0, size))


def test_no_row_is_in_the_memory_of_the_core() -> None:
    host = _core.core()._host
    standin.parse_csv("sex\nF\n", SCHEMA_OF_SEX).close()
    before = dict(host.engines)
    read = standin.parse_csv(ROWS, SCHEMA_OF_SEX)
    assert SECRET.encode() not in memory_of(host.core)
    [engine] = (engine for number, engine in host.engines.items() if number not in before)
    assert any(memory_of(engine))
    read.close()
    assert host.engines == before
    assert not any(memory_of(engine))


SCHEMA_OF_SEX = standin.parse_schema({"fields": [{"name": "sex", "constraints": {"enum": ["F"]}}]})


def test_what_nothing_refers_to_is_given_up() -> None:
    host = _core.core()._host
    gc.collect()
    before = set(host.engines)
    read: Any = standin.parse_csv(ROWS, SCHEMA_OF_SEX)
    [number] = set(host.engines) - before
    store = weakref.ref(host.engines[number]._store)
    del read
    assert set(host.engines) == before
    assert store() is None


def test_a_run_that_ends_early_gives_its_vault_back() -> None:
    plan = standin.plan(SCHEMA, epsilon=1, selection="max", rounds=2)
    read = table()
    host = _core.core()._host
    standin.measure(read, plan)  # what a finished run leaves, such as the instance that all requests share, stays
    gc.collect()
    before, during = len(host.engines), 0

    def on_round(_: standin.Release) -> None:
        nonlocal during
        during = len(host.engines)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        standin.measure(read, plan, on_round=on_round)
    assert during > before
    assert len(host.engines) == before


def test_keys_are_written_in_place() -> None:
    room = (ctypes.c_ubyte * 600)()
    assert _host.fill_with_random(ctypes.addressof(room), len(room))
    assert len(set(room)) > 100


def test_threads_share_the_core() -> None:
    def job() -> None:
        release = standin.synthesize(table(), SCHEMA, epsilon=1, seed=1, rows=50, unsafe_noise_key=KEY)
        made.add(release.table.to_csv())

    made: set[str] = set()
    threads = [threading.Thread(target=job) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_what_a_call_calls_must_not_call_standin() -> None:
    raised: list[standin.StandinError] = []

    def report(_: Any) -> None:
        with pytest.raises(standin.StandinError) as caught:
            standin.plan(SCHEMA, epsilon=1)
        raised.append(caught.value)

    standin.measure(table(), standin.plan(SCHEMA, epsilon=1), progress=report)
    assert {error.code for error in raised} == {"host/busy"}


class Forgetful(dict[int, _host.Instance]):
    """What a host with a bug has."""

    def __getitem__(self, number: int) -> _host.Instance:
        raise KeyError(number)


def test_a_core_that_has_failed_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = _core.Core()
    monkeypatch.setattr(_core, "_current", failed)
    schema = standin.parse_schema(DESCRIPTOR)
    read = standin.parse_csv(CSV, schema)

    plan = standin.plan(schema, epsilon=1)
    engines = failed._host.engines
    instances = [*engines.values()]
    monkeypatch.setattr(failed._host, "engines", Forgetful(engines))
    with pytest.raises(KeyError):
        standin.measure(read, plan)
    assert not any(any(memory_of(instance)) for instance in instances)
    for use in (read.to_csv, lambda: standin.plan(schema, epsilon=1), lambda: standin.measure(read, plan)):
        with pytest.raises(standin.StandinError, match="Read schemas and tables again") as caught:
            use()
        assert caught.value.code == "core/fault"
    again = standin.parse_schema(DESCRIPTOR)
    assert _core.core() is not failed
    with standin.parse_csv(CSV, again) as read:
        assert read.to_csv() == CSV
        with pytest.raises(standin.StandinError) as mixed:
            standin.measure(read, standin.plan(again, epsilon=1, public_table=table()))
        assert mixed.value.code == "core/fault"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_goes_on_with_its_own_copy() -> None:
    read = standin.parse_csv(CSV, standin.parse_schema(DESCRIPTOR))
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=lambda: answers.put(read.to_csv()))
    child.start()
    assert answers.get() == CSV
    child.join()
    assert child.exitcode == 0
    assert read.to_csv() == CSV

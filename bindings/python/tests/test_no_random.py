"""Systems without a secure source of random bytes: a refusal of standin's own, before anything is charged or read."""

from pathlib import Path
from typing import Any

import pytest
from tables import KEY, SCHEMA, table

import standin
from standin.release import Release


def plan() -> standin.Plan:
    return standin.plan(SCHEMA, epsilon=1, workload="2-way", selection="max", rounds=2)


def fail_with(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def urandom(_: int) -> bytes:
        raise error("the system's own words")

    # Where all of secrets comes from.
    monkeypatch.setattr("random._urandom", urandom)


@pytest.mark.parametrize("error", [NotImplementedError, OSError])
def test_nothing_is_read_and_nothing_charged(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    begun: list[Release] = []
    standin.measure(table(), plan(), seed=1, unsafe_noise_key=KEY, on_round=begun.append)
    budget = standin.Budget(epsilon=9, delta=1e-8)
    fail_with(monkeypatch, error)
    unread = Path("no such table.csv")
    calls: list[Any] = [
        lambda: standin.measure(unread, plan(), budget=budget),
        lambda: standin.measure(unread, plan(), budget=budget, seed=1),
        lambda: standin.synthesize(unread, plan(), budget=budget, rows=10),
        lambda: standin.resume(unread, begun[0]),
    ]
    for call in calls:
        with pytest.raises(standin.StandinError) as refusal:
            call()
        assert refusal.value.code == "privacy/no-random"
        assert refusal.value.__context__ is None
        assert str(refusal.value) == (
            "The host provides no secure random bytes, from which the key of the noise is made. "
            "Run standin where the system's cryptographic generator works."
        )
    assert '"spent":[]' in budget.to_json()


def test_a_known_key_and_a_seed_need_no_random_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, OSError)
    assert standin.measure(table(), plan(), seed=1, unsafe_noise_key=KEY).items

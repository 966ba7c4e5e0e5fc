"""Systems without a secure source of random bytes: a refusal, before anything is charged."""

import pytest
from tables import KEY, SCHEMA, table

import standin
from standin import _host


def test_nothing_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = standin.plan(SCHEMA, epsilon=1, selection="max", rounds=2)
    begun: list[standin.Release] = []
    standin.measure(table(), plan, seed=1, unsafe_noise_key=KEY, on_round=begun.append)
    budget = standin.Budget(epsilon=9, delta=1e-8)
    monkeypatch.setattr(_host, "fill_with_random", lambda address, length: False)
    for call in (
        lambda: standin.measure(table(), plan, budget=budget),
        lambda: standin.measure(table(), plan, budget=budget, seed=1),
        lambda: standin.synthesize(table(), plan, budget=budget, rows=10),
        lambda: standin.resume(table(), begun[0]),
    ):
        with pytest.raises(standin.StandinError) as refusal:
            call()
        assert refusal.value.code == "privacy/no-random"
        assert refusal.value.__context__ is None
    assert '"spent": []' in budget.to_json()
    assert standin.measure(table(), plan, seed=1, unsafe_noise_key=KEY).no_guarantee


def test_a_generator_that_gives_only_zeros_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_host, "fill_with_random", lambda address, length: True)
    with pytest.raises(standin.StandinError) as refusal:
        standin.measure(table(), standin.plan(SCHEMA, epsilon=1))
    assert refusal.value.code == "privacy/no-random"

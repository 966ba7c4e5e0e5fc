"""Where private rows are, and where they are not."""

import numpy as np
import pytest
from tables import CSV, KEY, SCHEMA, table

import standin
from standin.engine import Instance
from standin.privacy.vault import Vault

PATTERN = np.array([int(line.split(",")[1]) for line in CSV.splitlines()[1:17]], dtype=np.uint16).tobytes()
"""The codes of 16 private cells, as a vault holds them; of rows that are searched, less than 1 in 10^10 has them by chance."""


@pytest.fixture
def instances(monkeypatch: pytest.MonkeyPatch) -> list[Instance]:
    """All instances of the engine that a test makes."""
    made: list[Instance] = []
    begin = Instance.__init__

    def recorded(self: Instance) -> None:
        begin(self)
        made.append(self)

    monkeypatch.setattr(Instance, "__init__", recorded)
    return made


def holding(instances: list[Instance]) -> list[Instance]:
    return [instance for instance in instances if PATTERN in memory_of(instance)]


def memory_of(instance: Instance) -> bytes:
    return instance.view(0, instance._memory.data_len(instance._store), np.uint8).tobytes()


@pytest.mark.parametrize("options", [{}, {"selection": "aim"}])
def test_no_row_stays(instances: list[Instance], options: dict[str, str]) -> None:
    standin.synthesize(table(), SCHEMA, epsilon=5, seed=1, unsafe_noise_key=KEY, **options)
    assert len(instances) > 3
    assert holding(instances) == []


def test_rows_are_in_the_vault_alone(instances: list[Instance], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Vault, "close", lambda self: None)
    standin.synthesize(table(), SCHEMA, epsilon=5, seed=1, unsafe_noise_key=KEY, selection="aim")
    [vault] = holding(instances)
    assert vault.call("ledgerSpent") > 0


def test_a_vault_is_wiped_where_a_run_fails(instances: list[Instance], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        standin.measure(table(), standin.plan(SCHEMA, epsilon=5, selection="aim"), on_round=fail)
    assert holding(instances) == []


def test_the_key_is_fresh_and_forgotten(instances: list[Instance]) -> None:
    standin.measure(table(), standin.plan(SCHEMA, epsilon=5), unsafe_noise_key=KEY)
    assert not any(KEY[:16] in memory_of(instance) for instance in instances)


def test_answers_do_not_depend_on_the_order_of_rows() -> None:
    header, *lines = CSV.splitlines()
    turned = standin.parse_csv("\n".join([header, *reversed(lines)]), SCHEMA)
    plan = standin.plan(SCHEMA, epsilon=5)
    first, second = (standin.measure(rows, plan, seed=1, unsafe_noise_key=KEY).to_json() for rows in (table(), turned))
    assert first == second

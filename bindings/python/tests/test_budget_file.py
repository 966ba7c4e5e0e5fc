"""Budgets in files, which processes share: the ledgers of the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest
from tables import CSV, DESCRIPTOR, SCHEMA, table

import standin
from standin import budget as module

PLAN = standin.plan(SCHEMA, epsilon=1)
STATE = {"epsilon": 3, "delta": 1e-8, "neighbours": "add-remove", "unit": "row", "spent": []}


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(STATE), "utf8")
    return path


def spent(path: Path) -> list[dict[str, object]]:
    return json.loads(path.read_text("utf8"))["spent"]


def refused(code: str) -> pytest.RaisesExc[standin.StandinError]:
    return pytest.raises(standin.StandinError, check=lambda error: error.code == code)


def test_each_charge_is_on_disk_before_the_run_goes_on(ledger: Path) -> None:
    budget = standin.BudgetFile(ledger)
    plan = standin.plan(SCHEMA, epsilon=1, selection="max", rounds=2)
    seen: list[object] = []
    standin.measure(table(), plan, budget=budget, on_charge=lambda _: seen.append(spent(ledger)[0]["items"]))
    assert seen == [0, 3, 5, 7]
    assert json.loads(budget.to_json())["spent"] == spent(ledger)
    assert [path.name for path in ledger.parent.iterdir()] == ["ledger.json"]


def test_it_is_refused_when_it_is_spent(ledger: Path) -> None:
    budget = standin.BudgetFile(ledger)
    with refused("budget/exceeded"):
        for _ in range(20):
            standin.measure(table(), PLAN, budget=budget)
    assert 3 <= len(spent(ledger)) < 20


def test_charges_of_others_stay(ledger: Path) -> None:
    plan = standin.plan(SCHEMA, epsilon=1, selection="max", rounds=2)

    def on_round(_: standin.Release) -> None:
        standin.measure(table(), PLAN, budget=standin.BudgetFile(ledger))

    standin.measure(table(), plan, budget=standin.BudgetFile(ledger), on_round=on_round)
    assert [charge.get("items") for charge in spent(ledger)] == [7, None, None]


def test_a_run_that_was_overtaken_ends(ledger: Path) -> None:
    plan = standin.plan(SCHEMA, epsilon=1, selection="max", rounds=2)

    def on_round(unfinished: standin.Release) -> None:
        standin.resume(table(), standin.parse_release(unfinished.to_json()), budget=standin.BudgetFile(ledger))

    with refused("budget/resumed"):
        standin.measure(table(), plan, budget=standin.BudgetFile(ledger), on_round=on_round)


def test_processes_take_turns(ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(CSV, "utf8")
    code = f"""
import standin
schema = standin.parse_schema({DESCRIPTOR!r})
try:
    standin.measure("people.csv", standin.plan(schema, epsilon=2), budget=standin.BudgetFile("ledger.json"))
except standin.StandinError as error:
    print(error.code)
else:
    print("done")
"""
    command = [sys.executable, "-c", code]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    runs = [subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = sorted(run.communicate()[0].strip() for run in runs)
    assert said == ["budget/exceeded", "done", "done"]
    assert len(spent(ledger)) == 2


def test_a_lock_of_another_run_is_waited_for(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.1)
    lock = ledger.with_name("ledger.json.lock")
    lock.write_text('{"pid": 1, "host": "elsewhere", "nonce": "n"}', "utf8")
    with refused("ledger/locked"):
        standin.measure(table(), PLAN, budget=standin.BudgetFile(ledger))
    assert spent(ledger) == []
    assert sorted(path.name for path in ledger.parent.iterdir()) == ["ledger.json", "ledger.json.lock"]
    lock.unlink()
    standin.measure(table(), PLAN, budget=standin.BudgetFile(ledger))


def test_no_ledger_and_no_budget(tmp_path: Path) -> None:
    with refused("ledger/absent"):
        standin.BudgetFile(tmp_path / "ledger.json")
    (tmp_path / "ledger.json").write_text("{}", "utf8")
    with refused("budget/state"):
        standin.BudgetFile(tmp_path / "ledger.json")
    with refused("ledger/refused"):
        standin.BudgetFile(tmp_path)


def test_the_file_keeps_its_mode_and_its_link(ledger: Path) -> None:
    ledger.chmod(0o600)
    link = ledger.with_name("link.json")
    link.symlink_to(ledger)
    standin.measure(table(), PLAN, budget=standin.BudgetFile(link))
    assert len(spent(ledger)) == 1
    assert link.is_symlink()
    assert ledger.stat().st_mode & 0o777 == 0o600


def test_a_thread_that_waits_for_its_turn_locks_nothing(ledger: Path) -> None:
    budget, release = standin.BudgetFile(ledger), standin.measure(table(), PLAN)
    begun, is_locked, refusals = Event(), [], []

    def report(_: object) -> None:
        if begun.is_set():
            return
        begun.set()
        other.join(0.5)  # it waits for its turn
        is_locked.append(Path(f"{ledger}.lock").exists())
        with refused("host/busy"):
            standin.measure(given, PLAN, budget=budget)
        refusals.append(1)

    def measure() -> None:
        begun.wait()
        standin.measure(given, PLAN, budget=budget)

    given = table()
    other = Thread(target=measure)
    other.start()
    standin.resample(release, progress=report)
    other.join()
    assert (is_locked, refusals, len(spent(ledger))) == ([False], [1], 1)

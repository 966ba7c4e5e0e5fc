"""The budget that several releases share: what its text may say, and how far each release has come."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from tables import SCHEMA, SETS, table

import standin

PLAN = standin.plan(SCHEMA, epsilon=5, selection="max", rounds=3, workload=SETS)
FIRST, WHOLE = 3, 9


def refused(code: str, words: str | None = None) -> Any:
    return pytest.raises(standin.StandinError, match=words, check=lambda error: error.code == code)


def fresh() -> standin.Budget:
    return standin.Budget(epsilon=9, delta=1e-8)


def copy_of(release: standin.Release) -> standin.Release:
    return standin.parse_release(release.to_json())


def spent(budget: standin.Budget) -> list[dict[str, Any]]:
    return json.loads(budget.to_json())["spent"]


def measured() -> tuple[standin.Budget, list[standin.Release], list[str]]:
    """A release with three rounds: what it and its budget were whenever it had grown."""
    budget, begun, states = fresh(), [], []

    def on_round(release: standin.Release) -> None:
        begun.append(copy_of(release))
        states.append(budget.to_json())

    standin.measure(table(), PLAN, budget=budget, on_round=on_round)
    return budget, begun, states


CASES = json.loads((Path(__file__).parents[3] / "test/privacy/budget-cases.json").read_text("utf8"))


@pytest.mark.parametrize("case", CASES["noBudgets"], ids=lambda case: case["text"])
def test_what_is_no_budget(case: dict[str, str]) -> None:
    with pytest.raises(standin.StandinError) as caught:
        standin.Budget.from_json(case["text"])
    assert (caught.value.code, str(caught.value)) == ("budget/state", case["message"])


@pytest.mark.parametrize("case", CASES["budgets"], ids=lambda case: case["text"])
def test_what_is_a_budget(case: dict[str, str]) -> None:
    budget = standin.Budget.from_json(case["text"])
    assert json.loads(budget.to_json()) == json.loads(case["text"])
    assert standin.Budget(**json.loads(case["text"])).to_json() == budget.to_json()


def test_a_plan_without_rounds_leaves_its_charge_alone() -> None:
    budget = fresh()
    standin.measure(table(), standin.plan(SCHEMA, epsilon=1), budget=budget)
    assert [set(charge) for charge in spent(budget)] == [{"rho", "delta"}]


def test_it_counts_what_is_measured_before_that_is_given_out() -> None:
    budget, begun, states = measured()
    names = set()
    for number, (unfinished, state) in enumerate(zip(begun, states, strict=True)):
        release, run = (unfinished.facts["unfinished"][name] for name in ("release", "run"))
        names |= {release, run}
        [charge] = json.loads(state)["spent"]
        items = FIRST + 2 * number
        assert charge == {"rho": charge["rho"], "delta": 0, "release": release, "run": run, "items": items}
        assert len(unfinished.facts["items"]) == items
    assert len(names) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", name) for name in names)
    [charge] = spent(budget)
    assert "run" not in charge
    assert charge["items"] == WHOLE


def test_only_what_stands_where_its_charge_does_goes_on() -> None:
    _, begun, states = measured()
    budget = standin.Budget.from_json(states[1])
    with refused("budget/resumed", "has seen 5 of its items measured, but this copy holds 3. Continue with what"):
        standin.resume(table(), begun[0], budget=budget)
    assert budget.to_json() == states[1]
    assert len(standin.resume(table(), begun[1], budget=budget).facts["items"]) == WHOLE
    assert len(spent(budget)) == 1
    for copy in begun:
        with refused("budget/resumed", f"all its {WHOLE} items"):
            standin.resume(table(), copy, budget=budget)


def test_of_two_threads_from_one_place_one_is_refused_before_it_draws() -> None:
    _, begun, states = measured()
    budget = standin.Budget.from_json(states[0])
    together = Barrier(2)

    def rounds_given(copy: standin.Release) -> int:
        given: list[standin.Release] = []
        together.wait()
        try:
            standin.resume(table(), copy, budget=budget, on_round=given.append)
        except standin.StandinError as error:
            assert error.code == "budget/resumed"
        return len(given)

    with ThreadPoolExecutor(2) as pool:
        # The first that a run gives out is where it went on from, under its own name.
        assert sorted(pool.map(rounds_given, [copy_of(begun[0]), copy_of(begun[0])])) == [0, 3]


def test_a_run_that_was_overtaken_gives_out_nothing_more() -> None:
    budget = fresh()
    given: list[standin.Release] = []

    def on_round(release: standin.Release) -> None:
        given.append(release)
        if len(given) == 2:
            standin.resume(table(), copy_of(release), budget=budget)

    with refused("budget/resumed"):
        standin.measure(table(), PLAN, budget=budget, on_round=on_round)
    assert len(given) == 2


def test_a_file_that_is_not_what_its_plan_would_draw_does_not_take_the_place_of_the_one_that_is() -> None:
    _, begun, states = measured()
    budget = standin.Budget.from_json(states[1])
    other = json.loads(begun[1].to_json())
    other["unfinished"]["request"]["epsilon"] = 3
    with refused("release/other-plan"):
        standin.resume(table(), standin.parse_release(json.dumps(other)), budget=budget)
    assert len(standin.resume(table(), begun[1], budget=budget).facts["items"]) == WHOLE


def test_it_needs_the_budget_that_it_was_begun_with_and_no_other() -> None:
    _, [begun, *_], _ = measured()
    with refused("budget/missing", "Give that budget"):
        standin.resume(table(), begun)
    with refused("budget/unknown", "has no charge for this release"):
        standin.resume(table(), begun, budget=fresh())
    free: list[standin.Release] = []
    standin.measure(table(), PLAN, on_round=free.append)
    assert "release" not in free[0].facts["unfinished"]
    with refused("budget/unknown", "started without a shared budget"):
        standin.resume(table(), free[0], budget=fresh())
    with refused("options/argument"):
        standin.resume(table(), free[0], budget=3)


@pytest.mark.parametrize("change", [{"release": "x"}, {"run": None}, {"run": "A" * 32}], ids=str)
def test_names_that_are_none(change: dict[str, Any]) -> None:
    _, [begun, *_], _ = measured()
    text = json.loads(begun.to_json())
    text["unfinished"] |= change
    with refused("release/broken", "how a shared budget identifies it"):
        standin.parse_release(json.dumps(text))


def test_charges_are_told_before_rounds() -> None:
    budget = fresh()
    told: list[tuple[str, int]] = []

    def on_charge(state: str) -> None:
        assert state == budget.to_json()
        told.append(("charged", json.loads(state)["spent"][0]["items"]))

    def on_round(unfinished: standin.Release) -> None:
        assert unfinished.is_unfinished
        told.append(("round", len(unfinished.facts["items"])))

    standin.measure(table(), PLAN, budget=budget, on_charge=on_charge, on_round=on_round)
    rounds = [(event, items) for items in (3, 5, 7) for event in ("charged", "round")]
    assert told == [("charged", 0), *rounds, ("charged", WHOLE)]


def test_what_a_hook_raises_ends_the_run_after_its_charge() -> None:
    budget = fresh()

    class Full(Exception):
        pass

    def on_charge(_: str) -> None:
        raise Full

    with pytest.raises(Full):
        standin.measure(table(), PLAN, budget=budget, on_charge=on_charge)
    assert spent(budget)[0]["items"] == 0

"""The public functions: what they give, and what they refuse."""

import json
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from tables import CSV, DESCRIPTOR, KEY, SCHEMA, table

import standin


def refused(code: str) -> Any:
    return pytest.raises(standin.StandinError, check=lambda error: error.code == code)


def test_a_release_states_its_guarantee_and_makes_its_rows_again() -> None:
    release = standin.synthesize(table(), SCHEMA, epsilon=2, rows=50)
    assert release.guarantee == {"epsilon": 2, "delta": 1e-9, "unit": "row", "neighbours": "add-remove"}
    assert len(release.table) == 50
    again = standin.resample(standin.parse_release(release.to_json()))
    assert again.table.to_csv() == release.table.to_csv()
    assert again.to_json() == release.to_json()
    assert repr(release) == "<SyntheticRelease: ε = 2, δ = 1e-09 for one row>"
    assert repr(standin.plan(SCHEMA, epsilon=2)) == "<Plan for sex, age, region: ε = 2, δ = 1e-09 for one row>"
    assert repr(release.table) == "<SyntheticTable of sex, age, region>"
    assert release.outcome.loss <= release.outcome.start_loss
    assert 0.1 < release.outcome.noise_ratio < 10


def test_the_price_is_within_the_request() -> None:
    release = standin.measure(table(), standin.plan(SCHEMA, epsilon=1))
    assert sum(item["rho"] for item in release.facts["items"]) <= release.facts["rho"]


def test_a_known_key_has_no_guarantee() -> None:
    release = standin.measure(table(), standin.plan(SCHEMA, epsilon=1), unsafe_noise_key=KEY)
    assert release.guarantee is None
    assert "NOT differentially private" in release.no_guarantee
    assert repr(release) == "<Release: no guarantee>"


def test_every_release_has_noise_of_its_own() -> None:
    # Two releases of the same answers by chance: each cell has σ of about 20, so that less than 1 in 10^9 runs fail.
    plan = standin.plan(SCHEMA, epsilon=1, stages=1)
    first, second = ([item["answers"] for item in standin.measure(table(), plan).facts["items"]] for _ in range(2))
    assert first != second


def test_persons_are_protected_by_their_column() -> None:
    person = {"name": "who", "type": "integer", "standin": {"role": "drop"}}
    unit = {"unit": {"column": "who", "maxRows": 2}}
    schema = standin.parse_schema({"fields": [person, *DESCRIPTOR["fields"]], "standin": unit})
    rows = "".join(f"{row % 7},{line}\n" for row, line in enumerate(CSV.splitlines()[1:]))
    read = standin.parse_csv(f"who,sex,age,region\n{rows}", schema)
    release = standin.synthesize(read, schema, epsilon=1000, rows=20)
    # 7 persons of 2 rows; at this ε the noise of N̂ has σ < 1, so that less than 1 in 10^9 runs fail.
    assert abs(release.facts["total"] - 14) < 7
    assert release.guarantee["unit"] == {"maxRows": 2}
    assert release.table.names == ["sex", "age", "region"]


def test_a_budget_adds_up_and_refuses_what_is_beyond_it() -> None:
    budget = standin.Budget(epsilon=1.2, delta=1e-9)
    plan = standin.plan(SCHEMA, epsilon=1)
    standin.measure(table(), plan, budget=budget)
    [charge] = json.loads(budget.to_json())["spent"]
    assert 0 < int(charge["rho"]) * 2**-52 <= plan.facts["rho"]
    kept = standin.Budget.from_json(budget.to_json())
    with refused("budget/exceeded"):
        standin.measure(table(), plan, budget=kept)
    assert kept.to_json() == budget.to_json()
    with refused("budget/mismatch"):
        standin.measure(table(), plan, budget=standin.Budget(epsilon=9, delta=1e-9, unit={"maxRows": 3}))


def test_a_run_that_fails_before_its_charge_leaves_the_budget_alone() -> None:
    budget = standin.Budget(epsilon=1, delta=1e-9)
    with refused("budget/exceeded"):
        standin.measure(table(), standin.plan(SCHEMA, epsilon=2), budget=budget)
    with refused("files/refused"):
        standin.measure("nowhere.csv", standin.plan(SCHEMA, epsilon=1), budget=budget)
    assert json.loads(budget.to_json())["spent"] == []


def test_threads_cannot_overspend_a_budget() -> None:
    plan = standin.plan(SCHEMA, epsilon=1)
    read = table()
    budget = standin.Budget(epsilon=1, delta=1e-9)
    together = Barrier(4)

    def charged(_: int) -> bool:
        together.wait()
        try:
            standin.measure(read, plan, budget=budget)
        except standin.StandinError as error:
            assert error.code == "budget/exceeded"
            return False
        return True

    with ThreadPoolExecutor(together.parties) as pool:
        assert sum(pool.map(charged, range(together.parties))) == 1


def test_no_copy_of_a_budget_is_spent_beside_it() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(standin.Budget(epsilon=1, delta=1e-9))


def test_an_unfinished_release_goes_on() -> None:
    plan = standin.plan(SCHEMA, epsilon=5, selection="aim")
    begun: list[str] = []
    key = {"unsafe_noise_key": KEY}
    whole = standin.measure(
        table(), plan, seed=3, on_round=lambda unfinished: begun.append(unfinished.to_json()), **key
    )
    assert len(begun) > 1
    unfinished = standin.parse_release(begun[1])
    with refused("release/unfinished"):
        standin.resample(unfinished)
    # Noise depends on the key and the item's number alone: under one key it is that of the whole run.
    assert standin.resume(table(), unfinished, **key).to_json() == whole.to_json()
    with refused("release/finished"):
        standin.resume(table(), whole)
    other = json.loads(begun[1])
    other["unfinished"]["request"]["epsilon"] = 4
    with refused("release/other-plan"):
        standin.resume(table(), standin.parse_release(json.dumps(other)))
    strange = json.loads(begun[1])
    strange["unfinished"]["request"]["schema"] = 1
    with refused("options/unknown"):
        standin.resume(table(), standin.parse_release(json.dumps(strange)))


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("budget/epsilon", {}),
        ("budget/epsilon", {"epsilon": 0}),
        ("budget/epsilon", {"epsilon": "1"}),
        ("budget/epsilon", {"epsilon": 1, "rho": 1}),
        ("budget/rho", {"rho": -1}),
        ("options/argument", {"rho": math.inf}),
        ("options/argument", {"rho": object()}),
        ("budget/delta", {"epsilon": 1, "delta": 0}),
        ("budget/delta", {"epsilon": 1, "delta": "1/n2"}),
        ("budget/neighbours", {"epsilon": 1, "neighbours": "swap"}),
        ("budget/public-rows", {"epsilon": 1, "neighbours": "replace"}),
        ("budget/public-rows", {"epsilon": 1, "public_rows": 3}),
        ("budget/too-small", {"rho": 1e-15}),
        ("mechanism/unknown", {"epsilon": 1, "mechanism": "magic"}),
        ("options/search", {"epsilon": 1, "search": "descent"}),
        ("mechanism/settings", {"epsilon": 1, "search": {"method": "magic"}}),
        ("mechanism/settings", {"epsilon": 1, "search": {"speed": 1}}),
        ("mechanism/settings", {"epsilon": 1, "search": {"maxSweeps": 0.5}}),
        ("options/estimate", {"epsilon": 1, "estimate": "wild"}),
        ("options/rounds", {"epsilon": 1, "rounds": 0}),
        ("options/rounds", {"epsilon": 1, "rounds": 9}),
        ("options/rounds", {"epsilon": 1, "selection": "aim", "rounds": 1}),
        ("options/rounds", {"epsilon": 1, "selection": "none", "rounds": 1}),
        ("options/selection", {"epsilon": 1, "selection": "best"}),
        ("options/selection", {"epsilon": 1, "selection": "max", "workload": "1-way"}),
        ("options/stages", {"epsilon": 1, "stages": 3}),
        ("options/stages", {"epsilon": 1, "stages": 2, "estimate": "raw"}),
        ("options/stages", {"epsilon": 1, "stages": 2, "workload": "1-way"}),
        ("options/stages", {"epsilon": 1, "stages": 1, "selection": "max"}),
        ("options/unknown", {"epsilon": 1, "epsilom": 1}),
        ("options/unknown", {"epsilon": 1, "perRound": 1}),
        ("workload/unknown", {"epsilon": 1, "workload": "two-way"}),
        ("workload/unknown", {"epsilon": 1, "workload": [[]]}),
        ("workload/unknown-column", {"epsilon": 1, "workload": [["sex", "height"]]}),
        ("workload/column-twice", {"epsilon": 1, "workload": [["sex", "sex"]]}),
    ],
)
def test_plans_that_cannot_be_meant(code: str, options: dict[str, Any]) -> None:
    with refused(code):
        standin.plan(SCHEMA, **options)


def test_tables_that_fit_no_release() -> None:
    codes = [str(code) for code in range(400)]
    wide = [{"name": name, "type": "string", "constraints": {"enum": codes}} for name in "abc"]
    with refused("workload/too-large"):
        standin.plan(standin.parse_schema({"fields": wide}), epsilon=1, workload="3-way")


def test_facts_that_were_read_need_a_word() -> None:
    field = {**DESCRIPTOR["fields"][0], "standin": {"provenance": {"enum": "read"}}}
    schema = standin.parse_schema({"fields": [field]})
    with refused("schema/unreviewed"):
        standin.plan(schema, epsilon=1)
    plan = standin.plan(schema, epsilon=1, allow_unreviewed_schema=True)
    assert plan.guarantee is None
    assert "sex: enum" in plan.no_guarantee


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("options/rows", {"rows": 0}),
        ("options/rows", {"rows": 1.5}),
        ("options/seed", {"seed": -1}),
        ("options/argument", {"unsafe_noise_key": b"short"}),
        ("privacy/no-random", {"unsafe_noise_key": bytes(32)}),
        ("options/argument", {"unsafe_noise_key": "text of thirty-two characters..."}),
        ("options/argument", {"budget": 1}),
        ("options/argument", {"on_round": 1}),
    ],
)
def test_runs_that_cannot_be_meant(code: str, options: dict[str, Any]) -> None:
    with refused(code):
        standin.measure(table(), standin.plan(SCHEMA, epsilon=1), **options)


def test_arguments_of_another_kind() -> None:
    plan = standin.plan(SCHEMA, epsilon=1)
    for call in (
        lambda: standin.measure(table(), SCHEMA),
        lambda: standin.resume(table(), plan),
        lambda: standin.resample(plan),
    ):
        with refused("options/argument"):
            call()
    with refused("options/unknown"):
        standin.synthesize(table(), plan, epsilon=1)
    with refused("options/argument"):
        standin.plan(DESCRIPTOR, epsilon=1)
    other = standin.parse_schema({"fields": DESCRIPTOR["fields"][:2]})
    with refused("schema/other-table"):
        standin.synthesize(table(), other, epsilon=1)


BROKEN = {
    "no items": {"items": []},
    "no rows": {"rows": 0},
    "rows beyond what is made": {"rows": 10**8},
    "no total": {"total": None},
    "more rows than could be counted": {"total": 1e300},
    "a column twice": {"columns": ["sex", "sex", "age", "region"]},
    "a column less": {"columns": ["sex", "age"]},
    "no delimiter": {"delimiter": "comma"},
    "no seed": {"search": {"method": "descent"}},
    "no ρ": {"rho": 0},
    "items beyond ρ": {"rho": 1e-6},
    "another promise": {"epsilon": 3},
    "no promise": {"guarantee": {"epsilon": 1}},
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_what_is_no_release(change: dict[str, Any]) -> None:
    whole = json.loads(standin.measure(table(), standin.plan(SCHEMA, epsilon=1), rows=9).to_json())
    with refused("release/broken"):
        standin.parse_release(json.dumps({**whole, **change}))


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"answers": [1]},
            {"answers": [0.5] * 2},
            {"sigma2": 0},
            {"columns": ["height"]},
            {"query": "tree"},
            {"rho": -1},
        ),
        *({"cells": None}, {"cells": 0}, {"partitions": None}, {"partitions": 5}, {"partitions": True}),
    ],
    ids=str,
)
def test_what_is_no_item(change: dict[str, Any]) -> None:
    whole = json.loads(standin.measure(table(), standin.plan(SCHEMA, epsilon=1)).to_json())
    whole["items"][0] |= change
    with refused("release/broken"):
        standin.parse_release(json.dumps(whole))


def test_a_release_of_another_mechanism_makes_no_rows() -> None:
    whole = json.loads(standin.measure(table(), standin.plan(SCHEMA, epsilon=1)).to_json())
    with refused("mechanism/unknown"):
        standin.resample(standin.parse_release(json.dumps({**whole, "mechanism": "magic"})))


def test_an_item_of_more_columns_than_are_counted_together() -> None:
    fields = [{"name": name, "constraints": {"enum": ["a"], "required": True}} for name in "abcdefghi"]
    schema = standin.parse_schema({"fields": fields})
    read = standin.parse_csv("a,b,c,d,e,f,g,h,i\n", schema)
    whole = json.loads(standin.measure(read, standin.plan(schema, epsilon=1, workload="8-way")).to_json())
    whole["items"][-1]["columns"] = list("abcdefghi")
    with refused("release/broken"):
        standin.parse_release(json.dumps(whole))


def test_text_that_is_no_release() -> None:
    for text in ("", "[]", "{}", "1", '{"standin": 1}', 10**5 * "["):
        with refused("release/broken"):
            standin.parse_release(text)
    with refused("options/argument"):
        standin.parse_release(None)


@pytest.mark.parametrize("source", [None, 3, [1], "[[[", 10**6 * "[", {"fields": {1}}])
def test_what_is_no_json_is_no_schema(source: Any) -> None:
    with refused("schema/json"):
        standin.parse_schema(source)
    assert standin.plan(SCHEMA, epsilon=1).guarantee


@pytest.mark.parametrize("read", [standin.parse_schema, standin.confirm_facts, standin.parse_release])
def test_a_path_in_place_of_a_text_is_recognised(read: Any) -> None:
    with pytest.raises(standin.StandinError, match="path of a file"):
        read("people.json")


def test_threads_do_not_disturb_each_other() -> None:
    def made(seed: int) -> str:
        plan = standin.plan(SCHEMA, epsilon=1 + seed / 100)
        return standin.synthesize(table(), plan, seed=seed, unsafe_noise_key=KEY).to_json()

    seeds = range(16)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(made, seeds)) == list(map(made, seeds))


def test_errors_come_through_from_other_processes() -> None:
    error = standin.StandinError("room/what", "This is wrong. Do it like this.", "Do it like this.")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == "This is wrong. Do it like this."
    assert (again.code, again.hint) == ("room/what", "Do it like this.")


def test_a_public_table_goes_along() -> None:
    public = standin.parse_csv(CSV, SCHEMA)
    plan = standin.plan(SCHEMA, epsilon=1, public_table=public)
    release = standin.measure(table(), plan)
    with refused("public/missing"):
        standin.resample(release)
    assert len(standin.resample(release, public_table=public, rows=5).table) == 5
    assert len(standin.synthesize(table(), plan, rows=7).table) == 7


def test_facts_are_confirmed() -> None:
    fields = [{**field, "standin": {"provenance": "read"}} for field in DESCRIPTOR["fields"]]
    read = standin.parse_schema({"fields": fields})
    assert len(read.read_facts) > 2
    some = standin.parse_schema(standin.confirm_facts(read.descriptor, ["sex", "age"]))
    assert some.read_facts
    assert all(fact.startswith("region") for fact in some.read_facts)
    assert not standin.parse_schema(standin.confirm_facts(read.to_json())).read_facts
    assert standin.confirm_facts(read, ["sex", "age"]) == some.descriptor
    with pytest.raises(standin.StandinError, match=r'Write \["age"\]'):
        standin.confirm_facts(read, "age")
    with refused("schema/unknown-column"):
        standin.confirm_facts(read.descriptor, ["height"])


def test_a_closed_table_is_not_used() -> None:
    with table() as read:
        assert read.names == ["sex", "age", "region"]
    read.close()
    for use in (read.to_csv, lambda: standin.measure(read, standin.plan(SCHEMA, epsilon=1))):
        with refused("host/handle"):
            use()

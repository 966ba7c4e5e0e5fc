"""Releases say nothing twice that could differ: what a run wrote is read back, what was changed is refused, as in TypeScript."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from recorded import RECORDED

import standin
from standin.frame import plan as planning
from standin.json_text import dumps
from standin.privacy.ledger import Ledger

RELEASES = {case["name"]: case["release"] for case in RECORDED["releases"]}


@pytest.mark.parametrize("release", RELEASES.values(), ids=RELEASES)
def test_reads_what_a_run_wrote(release: dict[str, Any]) -> None:
    text = dumps(release)
    assert standin.parse_release(text).to_json() == text


@pytest.mark.parametrize("case", RECORDED["tampered"], ids=lambda case: f"{case['name']} {case['steps']}"[:80])
def test_refuses_what_was_changed(case: dict[str, Any]) -> None:
    with pytest.raises(standin.StandinError) as refusal:
        standin.parse_release(dumps(changed(RELEASES[case["name"]], case["steps"])))
    assert (refusal.value.code, str(refusal.value)) == (case["code"], case["message"])


def changed(release: Any, steps: list[list[Any]]) -> Any:
    """As in ``release-cases.mjs``."""
    made = deepcopy(release)

    def at(names: list[str]) -> Any:
        value = made
        for name in names:
            value = value[int(name) if isinstance(value, list) else name]
        return value

    for change, path, *given in steps:
        *names, last = path.split(".")
        place = at(names)
        key = int(last) if isinstance(place, list) else last
        if change == "drop":
            del place[key]
            continue
        value = given[0] if change == "set" else at(given[0].split("."))
        if isinstance(place, list) and key >= len(place):
            place.append(value)
        else:
            place[key] = value
    return made


FIELDS = [
    {"name": "sex", "constraints": {"enum": ["F", "M"], "required": True}},
    {"name": "home", "constraints": {"enum": ["n", "s", "w"]}},
    {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 9, "required": True}},
    {"name": "pay", "type": "integer", "constraints": {"minimum": 0, "maximum": 9999}},
    {"name": "who", "standin": {"role": "id"}},
]
CSV = "sex,home,age,pay,who\n" + "".join(
    f"{'FM'[row % 2]},{'nsw'[row % 3]},{row % 7},{row},{row % 9}\n" for row in range(30)
)

AMOUNTS = [
    *({"rho": 1e-9, "delta": 0.5}, {"rho": 1e-4, "delta": 0.5}, {"rho": 1, "delta": 5e-324}, {"rho": 1e300}),
    *({"epsilon": 1e-6, "delta": 1 - 2**-53}, {"epsilon": 1000, "delta": 1 - 2**-53}, {"epsilon": 0.37}),
]
SHAPES: list[dict[str, Any]] = [
    {"workload": "1-way"},
    {"stages": 1},
    {},
    {"selection": "max", "rounds": 2},
    {"selection": "l1", "per_round": 3},
    {"selection": "aim"},
]
RELATIONS: list[dict[str, Any]] = [
    {},
    {"neighbours": "replace", "public_rows": 1},
    {"neighbours": "replace", "public_rows": 2**30, "delta": "1/n2"},
    {"max_rows": 2},
    {"max_rows": 65_535},
]


@pytest.mark.parametrize("relation", RELATIONS, ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_reads_what_a_run_writes(shape: dict[str, Any], relation: dict[str, Any]) -> None:
    asked = dict(relation)
    rows = asked.pop("max_rows", None)
    unit = {"standin": {"unit": {"column": "who", "maxRows": rows}}} if rows else {}
    schema = standin.parse_schema({"fields": FIELDS, **unit})
    table = standin.parse_csv(CSV, schema)
    count = 0
    for amount in AMOUNTS:
        try:
            planned = standin.plan(schema, **{**amount, **asked, **shape})
        except standin.StandinError as refusal:
            assert refusal.code in ("budget/too-small", "options/rounds")
            continue
        texts: list[str] = []
        whole = standin.measure(table, planned, on_round=lambda begun, texts=texts: texts.append(begun.to_json()))
        for text in (*texts, whole.to_json()):
            assert standin.parse_release(text).to_json() == text
        if texts:
            standin.resume(table, standin.parse_release(texts[0]))
        count += 1
    assert count > 2


def test_a_plan_whose_release_could_not_be_read_back_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = standin.parse_schema({"fields": FIELDS})
    plan_ledger = planning.plan_ledger

    def doubled(*given: Any) -> Ledger:
        ledger = plan_ledger(*given)
        return replace(ledger, items=ledger.items * 2)

    monkeypatch.setattr(planning, "plan_ledger", doubled)
    with pytest.raises(standin.StandinError, match=r"could not be read back: it has items that cost more") as refusal:
        standin.plan(schema, epsilon=1, stages=1)
    assert refusal.value.code == "release/unreadable"
    assert "This is a bug in standin; nothing was spent. Please report it" in str(refusal.value)

"""Tables that differ by one record look alike from outside, under the same key and seed."""

import io
import json
from typing import Any

import pytest
from tables import CSV, KEY, SCHEMA

import standin

HEADER, FIRST, *OTHERS = CSV.splitlines()
NEIGHBOURS = {
    "one record more": [FIRST, *OTHERS, "M,3,S"],
    "one record less": OTHERS,
    "an unlisted category": ["X,3,N", *OTHERS],
    "a number that is none": ["F,three,N", *OTHERS],
    "a number out of range": ["F,1e300,N", *OTHERS],
    "missing cells": [",,", *OTHERS],
    "too few cells": ["F", *OTHERS],
    "too many cells": ["F,1,N,4,5", *OTHERS],
    "an open quote at the end": [*OTHERS, '"F,1,N'],
    "a carriage return": [f"{FIRST}\r", *OTHERS],
    "no text": ["\0,\x1b,\x07", *OTHERS],
}


def seen(lines: list[str], **options: Any) -> list[Any]:
    """What a bystander sees of a run: charges, items without their answers, rounds and errors."""
    events: list[Any] = []
    budget = standin.Budget(epsilon=100, delta=1e-5)
    plan = standin.plan(SCHEMA, **options)

    def on_charge(state: str) -> None:
        [charge] = json.loads(state)["spent"]
        events.append({name: charge.get(name) for name in ("rho", "delta", "items")})

    def on_round(unfinished: standin.Release) -> None:
        events.append(len(unfinished.facts["items"]))

    content = "\n".join([HEADER, *lines, ""]).encode()
    with standin.read_csv(io.BytesIO(content), SCHEMA) as table:
        hooks: dict[str, Any] = {"budget": budget, "on_charge": on_charge, "on_round": on_round}
        release = standin.measure(table, plan, seed=1, rows=20, unsafe_noise_key=KEY, **hooks)
    # What a plan measures in its second stage follows from noisy answers.
    first = [item for item in release.facts["items"] if item["kind"] == "selection" or len(item["columns"]) == 1]
    prices = [(item["kind"], item.get("columns"), item["rho"]) for item in first]
    return [*events, prices[:3], len(standin.resample(release).table), plan.facts]


@pytest.mark.parametrize("options", [{"epsilon": 5}, {"epsilon": 5, "selection": "max", "rounds": 2}], ids=str)
def test_runs_look_alike(options: dict[str, Any]) -> None:
    usual = seen([FIRST, *OTHERS], **options)
    for name, lines in NEIGHBOURS.items():
        assert seen(lines, **options) == usual, name


def test_errors_look_alike() -> None:
    for header in ("sex,age", "sex,age,region,sex", ""):
        said = set()
        for lines in NEIGHBOURS.values():
            with pytest.raises(standin.StandinError) as refusal:
                standin.parse_csv("\n".join([header, *lines]) if header else "", SCHEMA)
            said.add((refusal.value.code, str(refusal.value)))
        assert len(said) == 1


def test_noise_is_that_of_the_key() -> None:
    plan = standin.plan(SCHEMA, epsilon=5, stages=1)
    tables = [standin.parse_csv("\n".join([HEADER, *lines]), SCHEMA) for lines in ([FIRST, *OTHERS], OTHERS)]
    first, second = (standin.measure(table, plan, seed=1, unsafe_noise_key=KEY).facts["items"] for table in tables)
    for one, other in zip(first, second, strict=True):
        changes = [a - b for a, b in zip(one["answers"], other["answers"], strict=True)]
        # Under one key the noise is the same, so what is left of each query is the one record.
        assert sorted(changes) == [*[0] * (len(changes) - 1), 1]

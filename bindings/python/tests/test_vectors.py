"""Releases from table to bytes, the same as those of the npm package."""

import json
from pathlib import Path
from typing import Any

import pytest

import standin

VECTORS = [json.loads(path.read_text("utf8")) for path in sorted(Path(__file__).parents[3].glob("test/vectors/*.json"))]

NAMES = {"publicRows": "public_rows", "perRound": "per_round"}


def compact(value: Any) -> str:
    """JSON as JavaScript writes it, for what vectors hold."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_synthesize(vector: dict[str, Any]) -> None:
    schema = standin.parse_schema(vector["schema"])
    planned = standin.plan(schema, **{NAMES.get(name, name): value for name, value in vector["plan"].items()})
    key = bytes.fromhex(vector["noiseKey"])
    table = standin.parse_csv(vector["csv"], schema)
    release = standin.synthesize(table, planned, seed=vector["seed"], rows=vector.get("rows"), unsafe_noise_key=key)
    assert json.loads(release.to_json()) == vector["release"]
    assert release.table.to_csv() == vector["output"]["csv"]

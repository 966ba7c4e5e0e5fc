"""Releases from table to bytes, the same as those of the TypeScript package."""

import json
from pathlib import Path
from typing import Any

import pytest

import standin
from standin.json_text import dumps

VECTORS = [json.loads(path.read_text("utf8")) for path in sorted(Path(__file__).parents[3].glob("test/vectors/*.json"))]

OPTIONS = {"publicRows": "public_rows", "perRound": "per_round"}


def by_name(vector: dict[str, Any]) -> str:
    return vector["name"]


@pytest.mark.parametrize("vector", VECTORS, ids=by_name)
def test_synthesize(vector: dict[str, Any]) -> None:
    schema = standin.parse_schema(vector["schema"])
    planned = standin.plan(schema, **{OPTIONS.get(name, name): value for name, value in vector["plan"].items()})
    key = bytes.fromhex(vector["noiseKey"])
    table = standin.parse_csv(vector["csv"], schema)
    release = standin.synthesize(table, planned, seed=vector["seed"], rows=vector.get("rows"), unsafe_noise_key=key)
    assert release.to_json() == dumps(vector["release"])
    assert release.table.to_csv() == vector["output"]["csv"]


@pytest.mark.parametrize("vector", VECTORS, ids=by_name)
def test_resample(vector: dict[str, Any]) -> None:
    release = standin.parse_release(json.dumps(vector["release"]))
    assert standin.resample(release).table.to_csv() == vector["output"]["csv"]
    assert release.to_json() == dumps(vector["release"])


def test_there_are_vectors() -> None:
    assert len(VECTORS) >= 10

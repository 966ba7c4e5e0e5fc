"""Releases from table to bytes, the same as those of the npm package."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from job import snake_case

import standin

PATHS = sorted(Path(__file__).parents[3].glob("test/vectors/*.json"))
BLANKS = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')


def vector_at(path: Path) -> dict[str, Any]:
    """A vector, with the bytes of its release."""
    text = BLANKS.sub(r"\1", path.read_text("utf8"))
    vector, start = json.loads(text), text.index('"release":') + len('"release":')
    _, end = json.JSONDecoder().raw_decode(text, start)
    return {**vector, "text": text[start:end]}


VECTORS = [*map(vector_at, PATHS)]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_synthesize(vector: dict[str, Any]) -> None:
    schema = standin.parse_schema(vector["schema"])
    planned = standin.plan(schema, **snake_case(vector["plan"]))
    key = bytes.fromhex(vector["noiseKey"])
    table = standin.parse_csv(vector["csv"], schema)
    release = standin.synthesize(table, planned, seed=vector["seed"], rows=vector.get("rows"), unsafe_noise_key=key)
    assert release.to_json() == vector["text"]
    assert release.table.to_csv() == vector["output"]["csv"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_resample(vector: dict[str, Any]) -> None:
    release = standin.parse_release(vector["text"])
    made = standin.resample(release)
    assert made.table.to_csv() == vector["output"]["csv"]
    assert made.to_json() == vector["text"]


def test_there_are_vectors() -> None:
    assert len(VECTORS) >= 10

"""What looks at the real table: the same as the npm package says."""

import gzip
import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tables import CSV, DESCRIPTOR, SCHEMA, table

import standin

ROOT = Path(__file__).parents[3]
PEOPLE = "name;born;pay\n" + "".join(
    f"p{row};{1950 + row % 40}-01-{1 + row % 28:02};{row * 7 % 900},5\n" for row in range(90)
)
NPM = """
import { readFileSync } from "node:fs";
import * as standin from "./dist/node.js";
import * as owner from "./dist/owner-node.js";
const { csv, people, descriptor, synthetic } = JSON.parse(readFileSync(0, "utf8"));
const blob = (text) => new Blob([text]);
const schema = standin.parseSchema(descriptor);
const read = (text) => standin.parseCsv(text, schema);
const options = { maxCategories: 10, dialect: { delimiter: ";" }, missingValues: ["", "p3"] };
console.log(JSON.stringify({
  proposal: await owner.nonPrivateProposal(blob(csv)),
  stated: await owner.nonPrivateProposal(blob(people), options),
  check: await owner.nonPrivateCheck(blob(csv.replaceAll("F,", "X,") + "M\\n"), schema),
  errors: owner.nonPrivateQueryErrors(read(csv), read(synthetic), schema, "1-way"),
  predicted: owner.nonPrivateQueryErrors(read(csv), read(synthetic), schema, "1-way", undefined, ["sex", "age"]),
  utility: await owner.nonPrivateUtility(read(csv), read(synthetic), schema, ["sex", "age"]),
  queried: owner.nonPrivateQueryErrors(read(csv), read(synthetic), schema, "1-way", [{ expression: "age < 50" }]),
  tested: await owner.nonPrivateUtility(read(csv), read(synthetic), schema, ["sex"], { test: read(synthetic) }),
}));
"""
SYNTHETIC = "sex,age,region\n" + "F,1,N\nM,2,E\n" * 40


@pytest.fixture(scope="module")
def npm() -> dict[str, Any]:
    node = shutil.which("node")
    if node is None or not (ROOT / "dist/owner-node.js").exists():
        pytest.skip("there is no node, or the npm package is not built")
    given = {"csv": CSV, "people": PEOPLE, "descriptor": DESCRIPTOR, "synthetic": SYNTHETIC}
    command = [node, "--input-type=module", "-e", NPM]
    done = subprocess.run(command, cwd=ROOT, input=json.dumps(given), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def plain(proposal: standin.Proposal) -> dict[str, Any]:
    return {
        "private": False,
        "descriptor": proposal.descriptor,
        "notes": [*proposal.notes],
        "readFacts": [*proposal.read_facts],
    }


def test_a_proposal(npm: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "people.csv.gz").write_bytes(gzip.compress(CSV.encode()))
    for source in (io.BytesIO(CSV.encode()), tmp_path / "people.csv.gz"):
        assert plain(standin.non_private_proposal(source)) == npm["proposal"]
    events: list[Any] = []
    proposal = standin.non_private_proposal(
        io.BytesIO(PEOPLE.encode()),
        max_categories=10,
        dialect={"delimiter": ";"},
        missing_values=["", "p3"],
        progress=events.append,
    )
    assert plain(proposal) == npm["stated"]
    assert events
    declared = standin.parse_schema(standin.confirm_facts(proposal))
    assert proposal.read_facts
    assert not declared.read_facts


@pytest.mark.parametrize("encoding", ["windows-1250", "utf-16le", "shift_jis", "utf-8"])
def test_a_proposal_in_a_stated_encoding(encoding: str) -> None:
    content = ("name\n" + "日本\n" * 9 if encoding == "shift_jis" else "name\nŁódź\n" * 9).encode(encoding)
    proposal = standin.non_private_proposal(io.BytesIO(content), dialect={"encoding": encoding})
    [field] = proposal.descriptor["fields"]
    assert field["constraints"]["enum"][-1] in ("日本", "Łódź")
    assert standin.non_private_check(io.BytesIO(content), standin.parse_schema(proposal.descriptor))["rows"] > 1


def test_a_check(npm: dict[str, Any]) -> None:
    text = CSV.replace("F,", "X,") + "M\n"
    assert standin.non_private_check(io.BytesIO(text.encode()), SCHEMA) == npm["check"]


def test_a_comparison(npm: dict[str, Any]) -> None:
    made = standin.parse_csv(SYNTHETIC, SCHEMA)
    assert standin.non_private_query_errors(table(), made, SCHEMA, "1-way") == npm["errors"]
    queries = [{"expression": "age < 50"}]
    assert standin.non_private_query_errors(table(), made, SCHEMA, "1-way", queries=queries) == npm["queried"]
    assert standin.plan(SCHEMA, epsilon=1, queries=queries).facts["items"][-1]["expressions"] == ["age < 50"]
    assert standin.non_private_query_errors(table(), table(), SCHEMA)["maxTv"] == 0


def test_a_comparison_reads_files_and_frames(npm: dict[str, Any], tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    (tmp_path / "real.csv").write_text(CSV)
    frame = pandas.read_csv(io.StringIO(SYNTHETIC))
    errors = standin.non_private_query_errors(tmp_path / "real.csv", frame, SCHEMA, "1-way")
    assert errors == npm["errors"]
    real = table()
    assert standin.non_private_query_errors(real, str(tmp_path / "real.csv"), SCHEMA)["maxTv"] == 0
    assert standin.non_private_query_errors(real, frame, SCHEMA, targets=["sex"], test=frame)["utility"]
    assert real.to_csv() == CSV


def test_a_synthetic_file_is_read_as_it_is_written(tmp_path: Path) -> None:
    schema = standin.parse_schema({**DESCRIPTOR, "dialect": {"skipLines": 1, "encoding": "utf-16le", "delimiter": ";"}})
    real, made = tmp_path / "real.csv", tmp_path / "made.csv"
    real.write_bytes(("above\n" + CSV.replace(",", ";")).encode("utf-16le"))
    standin.read_csv(real, schema).to_csv(made)
    assert made.read_text() == CSV.replace(",", ";")
    assert standin.non_private_query_errors(real, made, schema)["maxTv"] == 0


def test_a_comparison_of_classifiers(npm: dict[str, Any]) -> None:
    made = standin.parse_csv(SYNTHETIC, SCHEMA)
    events: list[Any] = []
    compared = standin.non_private_query_errors(table(), made, SCHEMA, "1-way", targets=["sex", "age"])
    assert compared == {**npm["predicted"], "utility": npm["utility"]}
    testing = {"targets": ("sex",), "test": made, "progress": events.append}
    tested = standin.non_private_query_errors(table(), made, SCHEMA, **testing)
    assert tested["utility"] == npm["tested"]
    assert {event["phase"] for event in events} == {"train"}
    with pytest.raises(standin.StandinError) as caught:
        standin.non_private_query_errors(table(), made, SCHEMA, targets=["sex"], cancel=lambda: True)
    assert caught.value.code == "host/cancelled"


def test_mistakes() -> None:
    for call, code in (
        (lambda: standin.non_private_proposal("nowhere.csv"), "files/refused"),
        (lambda: standin.non_private_proposal(io.BytesIO(b"")), "files/empty"),
        (lambda: standin.non_private_check(io.BytesIO(b"x\n1\n"), SCHEMA), "files/missing-column"),
        (lambda: standin.non_private_check(io.BytesIO(b"x\n1\n"), DESCRIPTOR), "options/argument"),
        (lambda: standin.non_private_query_errors(table(), 3, SCHEMA), "options/argument"),
        (lambda: standin.non_private_query_errors(table(), "nowhere.csv", SCHEMA), "files/refused"),
        (lambda: standin.non_private_query_errors(table(), table(), SCHEMA, "9-way"), "workload/unknown"),
        (lambda: standin.non_private_query_errors(table(), table(), SCHEMA, targets=["x"]), "evaluate/target"),
        (lambda: standin.non_private_query_errors(table(), table(), SCHEMA, test=table()), "options/argument"),
        (lambda: standin.non_private_query_errors(table(), table(), SCHEMA, targets="sex"), "options/argument"),
    ):
        with pytest.raises(standin.StandinError) as caught:
            call()
        assert caught.value.code == code

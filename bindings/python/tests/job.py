"""Does whole jobs for tests and benches of all languages (test/runtimes/programs.ts).

A line of input is a job, and each is answered with a line.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import standin


def snake_case(options: dict[str, Any]) -> dict[str, Any]:
    """Options by the names that they have in Python."""
    return {re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name): value for name, value in options.items()}


def schema_of(path: str) -> standin.Schema:
    """The schema in a file."""
    return standin.parse_schema(Path(path).read_text("utf-8"))


def run(schema_path: str, csv_path: str, plan_options: str, row_options: str, out_path: str) -> None:
    """Does a job, from files to a file."""
    schema = schema_of(schema_path)
    plan = standin.plan(schema, **snake_case(json.loads(plan_options)))
    release = standin.synthesize(csv_path, plan, **json.loads(row_options))
    with release.table as table:
        table.to_csv(out_path)


if __name__ == "__main__":
    for line in sys.stdin:
        try:
            schema_path, csv_path, *others = line.rstrip("\n").split("\t")
            if others:
                run(schema_path, csv_path, *others)
            else:
                standin.read_csv(csv_path, schema_of(schema_path)).close()
            print("done", flush=True)
        except standin.StandinError as error:
            print(error.code, error, flush=True)

"""What this package repeats of the sources is what they say."""

import json
import re
from pathlib import Path

import pytest

import standin
from standin import layout

ROOT = Path(__file__).parents[3]
CONTRACT = (ROOT / "bindings/ABI.md").read_text("utf8")
CONSTANTS = {name: value for name, value in vars(layout).items() if name.isupper()}


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_are_those_of_the_contract(name: str) -> None:
    [value] = re.findall(rf"^\| `{name}` \| (\d+) \|", CONTRACT, re.MULTILINE)
    assert CONSTANTS[name] == int(value)


def test_the_version_is_that_of_the_npm_package() -> None:
    assert standin.__version__ == json.loads((ROOT / "package.json").read_text("utf8"))["version"]

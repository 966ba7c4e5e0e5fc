"""The example of the README runs as it stands."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def test_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pandas")
    [code] = re.findall(r"```python\n(.*?)```", README.read_text("utf8"), re.DOTALL)
    exec(compile(code, str(README), "exec"), {})
    [comment] = re.findall(r"# (\{.*\})", code)
    assert comment in capsys.readouterr().out

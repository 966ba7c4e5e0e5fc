"""Tables from files and texts, and back."""

import gzip
import io
import os
from pathlib import Path
from typing import Any

import pytest

import standin

SCHEMA = standin.parse_schema({"fields": [{"name": "sex", "constraints": {"enum": ["F", "M"], "required": True}}]})
ROWS = 150_000
TEXT = "note,sex\r\n" + '"a, b",F\r\nsome words,M\r\n' * (ROWS // 2)
EXPECTED = "sex\n" + "F\nM\n" * (ROWS // 2)


def refused(code: str) -> pytest.RaisesExc[standin.StandinError]:
    return pytest.raises(standin.StandinError, check=lambda error: error.code == code)


class Trickle(io.RawIOBase):
    """A file that gives a few bytes at once."""

    def __init__(self, content: bytes) -> None:
        self._content = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        return self._content.readinto(memoryview(into)[:1000])


def test_a_text() -> None:
    for text in (TEXT, "\ufeff" + TEXT):
        assert standin.parse_csv(text, SCHEMA).to_csv() == EXPECTED


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, lambda text: gzip.compress(text[:99]) + gzip.compress(text[99:])]
)
def test_a_file_packed_or_not(pack: Any, tmp_path: Path) -> None:
    content = pack(TEXT.encode())
    path = tmp_path / "table"
    path.write_bytes(content)
    for source in (path, str(path), io.BytesIO(content), Trickle(content)):
        assert standin.read_csv(source, SCHEMA).to_csv() == EXPECTED
    with open(path, "rb") as file:
        assert standin.read_csv(file, SCHEMA).to_csv() == EXPECTED
        assert not file.closed


def test_a_pipe() -> None:
    reading, writing = os.pipe()
    with open(writing, "wb") as file:
        file.write(b"sex\nF\n")
    with open(reading, "rb", buffering=0) as file:
        assert standin.read_csv(file, SCHEMA).to_csv() == "sex\nF\n"


NAMES = {"fields": [{"name": "name", "constraints": {"enum": ["Zoë", "Łódź", "日本", "Ωμέγα"]}}]}


@pytest.mark.parametrize(
    ("stated", "encoding", "name"),
    [
        (None, "utf-8", "Łódź"),
        (None, "utf-8-sig", "日本"),
        (None, "utf-16", "日本"),
        ("utf-16le", "utf-16-le", "Łódź"),
        ("utf-16be", "utf-16-be", "Łódź"),
        ("latin1", "cp1252", "Zoë"),
        ("windows-1250", "cp1250", "Łódź"),
        ("windows-1250", "utf-16", "日本"),
        ("iso-8859-7", "iso8859-7", "Ωμέγα"),
        ("shift_jis", "cp932", "日本"),
        ("gbk", "gbk", "日本"),
        ("euc-jp", "euc-jp", "日本"),
        ("big5", "big5", "日本"),
        ("euc-kr", "cp949", "日本"),
        ("koi8-r", "utf-8-sig", "Ωμέγα"),
    ],
)
def test_encodings(stated: str | None, encoding: str, name: str) -> None:
    schema = standin.parse_schema({**NAMES, "dialect": {"encoding": stated}} if stated else NAMES)
    text = "name\n" + f"{name}\n" * 100_000
    assert standin.read_csv(io.BytesIO(text.encode(encoding)), schema).to_csv() == text
    assert standin.parse_csv(text, schema).to_csv() == text


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "broken").write_bytes(gzip.compress(b"sex\nF\n")[:-4])
    (tmp_path / "worse").write_bytes(b"\x1f\x8bnothing")
    for name in ("nowhere", "broken", "worse", "."):
        with refused("files/refused"):
            standin.read_csv(tmp_path / name, SCHEMA)
    for empty in (b"", b"\xef\xbb\xbf", gzip.compress(b"")):
        with refused("files/empty"):
            standin.read_csv(io.BytesIO(empty), SCHEMA)
    with refused("files/missing-column"):
        standin.parse_csv("age\n1\n", SCHEMA)
    for source in (None, 3, [["F"]], {"sex": ["F"]}):
        with refused("options/argument"):
            standin.synthesize(source, SCHEMA, epsilon=1)


def test_an_error_of_a_source_is_raised_as_it_is() -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, into: Any) -> int:
            raise KeyError("its own")

    with pytest.raises(KeyError):
        standin.read_csv(Broken(), SCHEMA)


def test_progress_of_reading(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = []
    (tmp_path / "table.csv").write_text(TEXT * 2, "utf8")
    standin.read_csv(tmp_path / "table.csv", SCHEMA, progress=events.append)
    percents = [event["percent"] for event in events]
    assert len(percents) > 2
    assert percents == sorted(percents)
    assert percents[-1] == 100
    assert {event["phase"] for event in events} == {"read"}


def test_a_table_is_written(tmp_path: Path) -> None:
    table = standin.parse_csv(TEXT, SCHEMA)
    assert table.to_csv(tmp_path / "out.csv") is None
    assert (tmp_path / "out.csv").read_bytes().decode() == EXPECTED
    table.to_csv(tmp_path / "out.csv.gz")
    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).decode() == EXPECTED
    with pytest.raises(FileNotFoundError):
        table.to_csv(tmp_path / "nowhere" / "out.csv")

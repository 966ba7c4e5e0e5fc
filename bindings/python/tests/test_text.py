"""Tables from and to delimited text."""

import gzip
import random
import zlib
from pathlib import Path
from typing import Any

import pytest
from recorded import RECORDED

import standin
from standin.files.records import records
from standin.schema.schema import Schema


def categories(**columns: list[str]) -> Schema:
    return standin.parse_schema(
        {"fields": [{"name": name, "constraints": {"enum": listed}} for name, listed in columns.items()]}
    )


AB = categories(a=["x", "y"], b=["u", "v"])


def rows(text: str | bytes, tmp_path: Path, schema: Schema = AB) -> list[tuple[Any, ...]]:
    """The rows of a text or of a file of these bytes."""
    if isinstance(text, bytes):
        (tmp_path / "table.csv").write_bytes(text)
        table = standin.read_csv(tmp_path / "table.csv", schema)
    else:
        table = standin.parse_csv(text, schema)
    return list(zip(*(table.column(name) for name in table.names), strict=True))


@pytest.mark.parametrize("case", RECORDED["headers"], ids=lambda case: repr(case["csv"]))
def test_headers_are_refused(case: dict[str, Any]) -> None:
    with pytest.raises(standin.StandinError) as refusal:
        standin.parse_csv(case["csv"], standin.parse_schema(case["schema"]))
    assert (refusal.value.code, str(refusal.value)) == (case["code"], case["message"])


def split_by_the_rules(text: str, delimiter: str) -> list[list[str]]:
    """Records of cells, character by character."""
    found: list[list[str]] = []
    cells: list[str] = []
    cell, state, at = "", "start", 0
    while at < len(text):
        mark = text[at]
        at += 1
        if state == "quoted" and mark != '"':
            cell += mark
        elif mark == '"' and state in ("start", "quoted"):
            state = "closed" if state == "quoted" else "quoted"
        elif mark == '"' and state == "closed":
            cell, state = cell + mark, "quoted"
        elif mark == delimiter:
            cells, cell, state = [*cells, cell], "", "start"
        elif mark in "\r\n":
            at += mark == "\r" and text.startswith("\n", at)
            found.append([] if not cells and state == "start" else [*cells, cell])
            cells, cell, state = [], "", "start"
        else:
            cell, state = cell + mark, "plain"
    return [*found, [*cells, cell]] if cells or state != "start" else found


def test_any_text_is_split_by_the_rules() -> None:
    source = random.Random(4)
    for _ in range(5000):
        delimiter = source.choice(",;\t ")
        text = "".join(source.choices(['"', '"', delimiter, "\r", "\n", "a", " ", "é"], k=source.randrange(16)))
        lines = iter(
            text.replace("\r\n", "\0").replace("\r", "\r\1").replace("\n", "\n\1").replace("\0", "\r\n\1").split("\1")
        )
        assert list(records((line for line in lines if line), delimiter)) == split_by_the_rules(text, delimiter), text


def test_records_that_are_too_short_too_long_or_blank(tmp_path: Path) -> None:
    assert rows("a,b\nx\n\nx,u,more\n,v\n", tmp_path) == [("x", None), ("x", "u"), (None, "v")]
    assert rows("a\n\nx\n", tmp_path, categories(a=["x"])) == [(None,), ("x",)]
    assert rows("a,b\n", tmp_path) == []


def test_columns_are_matched_by_name(tmp_path: Path) -> None:
    assert rows("b,c,a\nu,?,x\n", tmp_path) == [("u", "x")]
    assert rows('"a";"b"\n"x";u\n', tmp_path) == [("x", "u")]


@pytest.mark.parametrize(
    ("stated", "encoded"),
    [
        (None, lambda text: text.encode()),
        ("latin1", lambda text: text.encode("utf-8-sig")),
        ("latin1", lambda text: text.encode("cp1252")),
        ("Shift_JIS", lambda text: text.replace("é", "ﾃ").encode("cp932")),
        ("utf-16le", lambda text: text.encode("utf-16-le")),
        (None, lambda text: b"\xfe\xff" + text.encode("utf-16-be")),
        (None, lambda text: gzip.compress(text.encode())),
    ],
)
def test_files_of_any_encoding(stated: str | None, encoded: Any, tmp_path: Path) -> None:
    letter = "ﾃ" if stated == "Shift_JIS" else "é"
    dialect = {} if stated is None else {"encoding": stated}
    schema = standin.parse_schema(
        {"fields": [{"name": "a", "constraints": {"enum": ["x", letter]}}], "dialect": dialect}
    )
    assert rows(encoded("a\r\né\r\nx\r\n"), tmp_path, schema) == [(letter,), ("x",)]


def test_undecodable_bytes_are_a_text_like_any_other(tmp_path: Path) -> None:
    schema = categories(a=["x\ufffd"])
    assert rows(b"a\nx\xff\nx\xe2\x82\nx\n", tmp_path, schema) == [("x\ufffd",), ("x\ufffd",), (None,)]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "does not exist"),
        (gzip.compress(b"a,b\n" + random.Random(1).randbytes(50_000))[:-900], "ends in the middle of its gzip data"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\0\xff\xff\xff", "is not whole gzip data"),
    ],
)
def test_files_that_cannot_be_read(content: bytes | None, why: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(standin.StandinError) as refusal:
        standin.read_csv(path, AB)
    assert (refusal.value.code, str(refusal.value)) == ("files/refused", f"{path} {why}.")


def test_what_is_written_reads_back() -> None:
    labels = ["", " ", '"', "a,b", "l\ni\rn\r\ne", "\ufeffmark", "mark\ufeff", 'say "x"', ";", "é"]
    for delimiter in (",", ";"):
        for names in (["a"], ["a", 'b "or" c, d\n;']):
            fields = [{"name": name, "constraints": {"enum": labels}} for name in names]
            stated = {"fields": fields, "missingValues": ["NA"], "dialect": {"delimiter": delimiter}}
            schema = standin.parse_schema(stated)
            lines = "\n".join(
                delimiter.join(f'"{label.replace(chr(34), chr(34) * 2)}"' for _ in names) for label in labels
            )
            header = delimiter.join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in names)
            table = standin.parse_csv(f"{header}\n{lines}\nNA", schema)
            again = standin.parse_csv(table.to_csv(), schema)
            assert [table.column(name) for name in names] == [[*labels, None]] * len(names)
            assert [again.column(name) for name in names] == [[*labels, None]] * len(names)


def test_gzip_data_that_breaks_off_among_the_rows_is_refused(tmp_path: Path) -> None:
    packer = zlib.compressobj(wbits=31)
    whole = packer.compress(b"a,b\n" + b"x,u\n" * 2**16) + packer.flush(zlib.Z_SYNC_FLUSH)
    path = tmp_path / "table.csv.gz"
    no_block = b"\xff"
    for end, said in ((no_block, "is not whole"), (b"", "ends in the middle")):
        path.write_bytes(whole + end)
        with pytest.raises(standin.StandinError, match=said) as refusal:
            standin.read_csv(path, AB)
        assert refusal.value.code == "files/refused"


def test_no_cell_is_longer_than_a_mebibyte() -> None:
    mebibyte = 2**20
    schema = standin.parse_schema(
        {
            "fields": [
                {"name": "x", "type": "integer", "constraints": {"minimum": 0, "maximum": 9}},
                {"name": "y", "standin": {"role": "drop"}},
            ]
        }
    )
    for blanks, read in ((mebibyte - 2, None), (mebibyte - 1, 7)):
        for cell in (f"7{blanks * ' '}x", f'"7{blanks * " "}x"', f'"7{blanks * " "}"x'):
            assert standin.parse_csv(f"x,y\n{cell},\n", schema).column("x") == [read]
    [_, record] = records(iter(["x,y\n", '"7\n', *[mebibyte * "é" + "\n"] * 8]), ",")
    assert [len(cell.encode()) <= mebibyte for cell in record] == [True]


def test_no_representation_tells_how_many_rows_a_table_has() -> None:
    one, two = (standin.parse_csv(f"a,b\n{rows}", AB) for rows in ("x,u\n", "x,u\ny,v\n"))
    assert repr((one, one.columns)) == repr((two, two.columns))


def test_faults_say_nothing_of_their_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: Any) -> int:
        raise RuntimeError("a secret cell")

    monkeypatch.setattr("standin.schema.encode.CellReader.text", fault)
    with pytest.raises(standin.StandinError) as refusal:
        standin.parse_csv("a,b\nx,u\n", AB)
    assert refusal.value.code == "files/fault"
    assert "secret" not in str(refusal.value) and refusal.value.__context__ is None

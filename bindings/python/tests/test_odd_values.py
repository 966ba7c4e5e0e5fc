"""Values of frames that libraries cannot make Python's of, or that break what reads them."""

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from test_frames import FRAMES, LABEL, MOMENT, read

import standin
from standin.files.guard import reading
from standin.frames import as_table
from standin.frames.values import attempt


class Unspeakable:
    """What has no text."""

    def __str__(self) -> str:
        raise ValueError("secret")

    __repr__ = __str__


def test_no_value_is_an_error() -> None:
    pandas, polars, pyarrow = map(pytest.importorskip, FRAMES)
    far = np.array(["2020-05-05", "200000-01-01", "-0500-01-01", "NaT"], "datetime64[s]")
    late = np.array(["2020-05-05", "9999-12-31T23:00:00"], "datetime64[s]")
    broken = [pyarrow.py_buffer(data) for data in (np.array([0, 1, 2], np.int32).tobytes(), b"a\xff")]
    deep: list[Any] = []
    for _ in range(10**5):
        deep = [deep]
    days = pyarrow.array([18_387, 5_000_000, -5_000_000], pyarrow.int32())
    labels = [
        pandas.DataFrame({"x": pandas.Series(["a", odd], dtype=object)})
        for odd in (Unspeakable(), [Unspeakable()], 10**5000, Decimal("1e999999"), deep, b"\xff", "\ud800")
    ]
    labels.append(polars.DataFrame({"x": polars.Series(["a", Unspeakable()], dtype=polars.Object)}))
    text = pyarrow.StringArray.from_buffers(2, *broken)
    labels += [pyarrow.table({"x": column}) for column in (text, text.dictionary_encode())]
    for frame in labels:
        assert read(frame, LABEL) == ["a", "rest"]
    moments = [
        pandas.DataFrame({"x": far}),
        pandas.DataFrame({"x": pandas.Series(late).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")}),
        pandas.DataFrame({"x": pandas.Series(pyarrow.array(far), dtype=pandas.ArrowDtype(pyarrow.timestamp("s")))}),
        pyarrow.table({"x": far}),
        pyarrow.table({"x": pyarrow.array(late.astype(np.int64), pyarrow.timestamp("s", "Asia/Tokyo"))}),
        pyarrow.table({"x": days.cast(pyarrow.date32())}),
        polars.DataFrame({"x": polars.Series(days).cast(polars.Date)}),
        polars.DataFrame({"x": polars.Series([1_588_636_800_000, 2**62, None]).cast(polars.Datetime("ms"))}),
        polars.DataFrame({"x": polars.Series([1_588_636_800_000, -(2**62)]).cast(polars.Datetime("ms", "Asia/Tokyo"))}),
    ]
    for frame in moments:
        assert read(frame, MOMENT)[0] == "2020-05-05T00:00:00"
    spans = polars.Series([1, 2**62]).cast(polars.Duration("ms"))
    person = {"name": "p", "standin": {"role": "drop"}}
    unit = {"unit": {"column": "p", "maxRows": 1}}
    schema = standin.parse_schema({"fields": [{"name": "x", **LABEL}, person], "standin": unit})
    for column in ([[1], [2]], [{"a": 1}, {"a": 2}], spans):
        persons = as_table(polars.DataFrame({"x": ["a", "b"], "p": column}), schema).persons
        assert persons is not None
        assert len(persons) == 2


FAR_DAYS = [18_262, 10**8, -(10**8), 2**31 - 1, -(2**31), 2_932_896, None]
"""Between two dates of Python's calendar and a gap, days that it has not; as many as 32 bits hold."""
FAR_TICKS = [1_577_836_800_000, 2**62, -(2**62), 2**63 - 1, -(2**63), 253_402_214_400_000, None]
"""The same in milliseconds, and 64 bits."""
SENTINEL = ["2020-01-01", "9999-12-31"]


@pytest.mark.parametrize("kind", ["day", "extension", "moment", "moment in UTC", "moment in a zone"])
@pytest.mark.parametrize("field", ["date", "datetime", "enum"])
def test_dates_beyond_the_calendar_are_no_dates(kind: str, field: str, capfd: pytest.CaptureFixture[str]) -> None:
    polars = pytest.importorskip("polars")
    days = kind in ("day", "extension")
    zone = {"moment in UTC": "UTC", "moment in a zone": "Asia/Tokyo"}.get(kind)
    series = polars.Series(FAR_DAYS, dtype=polars.Int32) if days else polars.Series(FAR_TICKS, dtype=polars.Int64)
    series = series.cast(polars.Date if days else polars.Datetime("ms", zone))
    if kind == "extension":
        series = series.ext.to(polars.Extension("day", polars.Date))
    texts = [f"{text}T00:00:00" for text in SENTINEL] if field == "datetime" else SENTINEL
    bounds = {"enum": texts} if field == "enum" else {"minimum": texts[0], "maximum": texts[1]}
    block = {"standin": {"granularity": 86_400}} if field == "datetime" else {}
    column = {"type": "date" if field == "enum" else field, "constraints": bounds, **block}
    expected = [texts[0], *[None] * 4, texts[1], None]
    assert read(polars.DataFrame({"x": series}), column) == expected
    assert capfd.readouterr() == ("", "")


def test_no_value_of_polars_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    polars, pyarrow = map(pytest.importorskip, ("polars", "pyarrow"))
    buffers = [pyarrow.py_buffer(data) for data in (np.array([0, 1, 2], np.int32).tobytes(), b"a\xff")]
    text = pyarrow.StringArray.from_buffers(2, *buffers)
    for column in (text, text.dictionary_encode()):
        assert read(polars.from_arrow(pyarrow.table({"x": column})), LABEL) == ["a", "rest"]
    unit = {"unit": {"column": "p", "maxRows": 1}}
    person = {"name": "p", "standin": {"role": "drop"}}
    schema = standin.parse_schema({"fields": [{"name": "x", **LABEL}, person], "standin": unit})
    spans = polars.Series([1, -(2**63)]).cast(polars.Duration("ms"))
    persons = as_table(polars.DataFrame({"x": ["a", "b"], "p": spans}), schema).persons
    assert persons is not None
    assert persons.tolist() == [0, 1]
    assert capfd.readouterr() == ("", "")


class Panic(BaseException):
    """As libraries in Rust raise it."""


def test_panics_are_caught_but_not_what_ends_a_program() -> None:
    def failing(error: type[BaseException]) -> Any:
        def fail() -> Any:
            raise error

        return fail

    assert attempt(failing(Panic), "otherwise") == "otherwise"
    for error in (KeyboardInterrupt, SystemExit, GeneratorExit):
        for guard in (reading, lambda fail: attempt(fail, None)):
            with pytest.raises(error):
                guard(failing(error))

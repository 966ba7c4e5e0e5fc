"""Values of frames that libraries cannot make Python's of, or that break what reads them: none is an error."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from test_frames import LABEL, MOMENT, NUMBER, read


class Unspeakable:
    """What has no text."""

    def __str__(self) -> str:
        raise ValueError("secret")

    __repr__ = __str__


def nested(depth: int) -> list[Any]:
    deep: list[Any] = []
    for _ in range(depth):
        deep = [deep]
    return deep


BROKEN = pyarrow.StringArray.from_buffers(
    2, pyarrow.py_buffer(np.array([0, 1, 2], np.int32).tobytes()), pyarrow.py_buffer(b"a\xff")
)
OBJECTS = [Unspeakable(), [Unspeakable()], 10**5000, Decimal("1e999999"), nested(10**5), b"\xff", "\ud800"]
LABELS = [
    *(pandas.DataFrame({"x": pandas.Series(["a", odd], dtype=object)}) for odd in OBJECTS),
    polars.DataFrame({"x": polars.Series(["a", Unspeakable()], dtype=polars.Object)}),
    pandas.DataFrame({"x": pandas.Series(["a", "\ud800"], dtype=pandas.StringDtype("python"))}),
    *(pyarrow.table({"x": column}) for column in (BROKEN, BROKEN.dictionary_encode())),
    *(polars.from_arrow(pyarrow.table({"x": column})) for column in (BROKEN, BROKEN.dictionary_encode())),
]


@pytest.mark.parametrize("frame", LABELS, ids=range(len(LABELS)))
def test_texts_that_are_none(frame: Any, capfd: pytest.CaptureFixture[str]) -> None:
    assert read(frame, LABEL) == ["a", "rest"]
    assert capfd.readouterr() == ("", "")


FAR = np.array(["2020-05-05", "200000-01-01", "-0500-01-01", "NaT"], "datetime64[s]")
LATE = np.array(["2020-05-05", "9999-12-31T23:00:00"], "datetime64[s]")
DAYS = pyarrow.array([18_387, 2**31 - 1, -(2**31), None], pyarrow.int32())
TICKS = [1_588_636_800_000, 2**62, -(2**62), 2**63 - 1, -(2**63), None]
MOMENTS = [
    pandas.DataFrame({"x": FAR}),
    pandas.DataFrame({"x": pandas.Series(LATE).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")}),
    pandas.DataFrame({"x": pandas.Series(pyarrow.array(FAR), dtype=pandas.ArrowDtype(pyarrow.timestamp("s")))}),
    pyarrow.table({"x": FAR}),
    pyarrow.table({"x": pyarrow.array(LATE.astype(np.int64), pyarrow.timestamp("s", "Asia/Tokyo"))}),
    pyarrow.table({"x": DAYS.cast(pyarrow.date32())}),
    polars.DataFrame({"x": polars.Series(DAYS).cast(polars.Date)}),
    *(polars.DataFrame({"x": polars.Series(TICKS).cast(polars.Datetime("ms", zone))}) for zone in (None, "Asia/Tokyo")),
    pyarrow.table({"x": pyarrow.array(TICKS, pyarrow.int64()).cast(pyarrow.timestamp("ms"))}),
]
FIELDS = [
    MOMENT,
    {**MOMENT, "constraints": {"minimum": "2020-01-01T00:00:00+14:00", "maximum": "2021-01-01T00:00:00+14:00"}},
    {"type": "date", "constraints": {"minimum": "2020-01-01", "maximum": "2021-01-01"}},
]


@pytest.mark.parametrize("frame", MOMENTS, ids=range(len(MOMENTS)))
def test_moments_that_no_calendar_has(frame: Any, capfd: pytest.CaptureFixture[str]) -> None:
    for field in FIELDS:
        cells = read(frame, field)
        assert cells[0] is not None
        assert cells[0].startswith("2020-05-05")
        # The others are before all bounds, or after them.
        assert all(cell is None or cell.startswith(("2020-01-01", "2021-01-01")) for cell in cells[1:])
        assert cells[1].startswith("2021")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "uint64"])
def test_numbers_at_their_limits(dtype: str) -> None:
    limits = np.finfo(dtype) if dtype.startswith("f") else np.iinfo(dtype)
    values = np.array([limits.min, limits.max, 3], dtype)
    expected = ["0.0", "10.0", "3.0"]
    assert read(pandas.DataFrame({"x": values}), NUMBER) == expected
    assert read(polars.DataFrame({"x": values}), NUMBER) == expected
    assert read(pyarrow.table({"x": values}), NUMBER) == expected
    if dtype.startswith("f"):
        infinite = np.array([np.inf, -np.inf, np.nan, 3], dtype)
        assert read(pyarrow.table({"x": infinite}), NUMBER)[2:] == [None, "3.0"]

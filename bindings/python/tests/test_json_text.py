"""JSON as JavaScript reads and writes it."""

import struct

import numpy as np
import pytest

from standin.json_text import dumps, loads, number_text, plain


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (100, "100"),
        (1e5, "100000"),
        (123456789012345680000, "123456789012345680000"),
        (1e21, "1e+21"),
        (-1.25e22, "-1.25e+22"),
        (2**53 + 1, "9007199254740992"),
        (0.1, "0.1"),
        (1e-6, "0.000001"),
        (1.5e-6, "0.0000015"),
        (1e-7, "1e-7"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_numbers(number: float, text: str) -> None:
    assert number_text(number) == text


def test_any_number_reads_back() -> None:
    random = np.random.default_rng(3)
    for bits in random.integers(0, 2**64, 20_000, dtype=np.uint64).tolist():
        (number,) = struct.unpack("<d", struct.pack("<Q", bits))
        assert float(number_text(number)) == number or number != number


def test_texts_are_those_of_javascript() -> None:
    text = '{"b":[1.0,-0,1e400,12345678901234567890,"\\ud800\\u0001\\u2028é"],"10":null,"2":true}'
    assert dumps(loads(text)) == '{"2":true,"10":null,"b":[1,0,null,12345678901234567000,"\\ud800\\u0001\u2028é"]}'


@pytest.mark.parametrize("text", ["", "[1,]", "NaN", "[Infinity]", "{'a': 1}", "[" * 100_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        loads(text)


def test_values_of_numpy_are_numbers() -> None:
    value = {"a": np.arange(3, dtype=np.int32), "b": (np.float64(2.0), np.int64(2**53)), "c": np.array([0.5])}
    assert dumps(value) == '{"a":[0,1,2],"b":[2,9007199254740992],"c":[0.5]}'
    assert plain(value) == {"a": [0, 1, 2], "b": [2, 2.0**53], "c": [0.5]}

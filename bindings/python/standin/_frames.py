"""Data frames, in the layout of Arrow: pyarrow takes them apart and builds them, the engine reads and writes arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ._kinds import Kind, check_kind, kind_of
from ._values import cell_text, truth_spellings, truth_texts
from ._watch import Watch
from .errors import StandinError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._core import Handle
    from .schema import Schema

_ROWS = 1 << 16
"""The rows that are copied at once."""
_DAY = 86_400_000_000
_PLAIN_PLACES = 6
_FACTORS = {"D": _DAY, "s": 10**6, "ms": 10**3}
"""Units of time, in microseconds."""

_WIDE = {
    "Int128": Kind("Int128", "integer", -(2**127), 2**127 - 1),
    "UInt128": Kind("UInt128", "integer", 0, 2**128 - 1),
}
"""Types of polars that Arrow has not."""

FieldFacts = Mapping[str, Any]
"""A field as the schema's descriptor has it, and its offset from UTC, if it has one."""


def is_frame(source: object) -> bool:
    """Whether it is a table of pandas, polars or pyarrow."""
    return _library(source) is not None


def read(source: Any, schema: Schema, watch: Watch) -> Mapping[str, Any]:
    """Reads a frame as the CSV file would be read that holds its values in the notation of the schema.

    Its index is no column.

    Raises:
        StandinError: ``frames/type`` if the type of a column, whatever its values, cannot hold what the schema states;
            ``frames/library`` without pyarrow; ``files/…`` about the names of the columns.
    """
    _pyarrow()
    wanted = schema._read
    columns = [_Column(name, column, wanted.get(name)) for name, column in _LIBRARIES[_library(source) or ""](source)]
    core = schema._handle.core
    types = [{"name": column.name, "type": column.type} for column in columns]
    reader = core.ask("read", schema=schema, columns=types)[0]["reader"]
    try:
        whole = len(columns[0].cells) if columns else 0
        for start in range(0, whole, _ROWS):
            rows = min(_ROWS, whole - start)
            arrays = [column.arrays(start, rows) for column in columns]
            sizes, entries = [len(array.texts) for array in arrays], [array.entries for array in arrays]
            places, _ = core.ask("batch", reader=reader, rows=rows, bytes=sizes, entries=entries)
            instance = core.instance(places["instance"])
            for array, at in zip(arrays, places["columns"], strict=True):
                for name in ("values", "offsets", "texts", "validity"):
                    part = getattr(array, name)
                    instance.bytes_at(at[name], len(part))[:] = memoryview(part).cast("B")
            core.ask("coded", reader=reader)
            watch.report("read", start + rows, whole)
        return core.ask("table", watch=watch, reader=reader)[0]
    finally:
        reader.close()


class _Arrays(NamedTuple):
    """Rows of a column, as the core's page has them."""

    values: Any = b""
    offsets: Any = b""
    texts: Any = b""
    validity: Any = b""
    entries: int = 0


class _Column:
    """A column of a frame on its way into the engine."""

    def __init__(self, name: str, cells: Any, field: FieldFacts | None) -> None:
        self.name = name
        self.cells = cells
        self._field = field
        self.type = "none"
        if field is not None:
            self.cells = _as_arrow(cells, field)
            stated = str(getattr(cells, "dtype", ""))
            known = _WIDE.get(stated) or (Kind(stated, "other") if self.cells is None else kind_of(self.cells.type))
            check_kind(name, known, field)
            self.type, _ = _typed(self.cells[:0].combine_chunks(), field)

    def arrays(self, start: int, rows: int) -> _Arrays:
        """Rows of the column, from one on."""
        if self._field is None:
            return _Arrays()
        _, array = _typed(self.cells[start : start + rows].combine_chunks(), self._field)
        validity = array.is_valid().buffers()[1]
        if self.type == "text":
            return _Arrays(b"", *_texts(array), validity)
        if self.type == "dictionary":
            offsets, texts = _texts(array.dictionary)
            return _Arrays(_values(array.indices, 4), offsets, texts, validity, len(array.dictionary))
        return _Arrays(_values(array, 8), validity=validity)


def _values(array: Any, size: int) -> memoryview:
    """The numbers of an array, of so many bytes each."""
    return memoryview(array.buffers()[1])[size * array.offset : size * (array.offset + len(array))]


def _texts(array: Any) -> tuple[memoryview, memoryview]:
    """The offsets of an array of texts, from 0, and the bytes."""
    import pyarrow
    from pyarrow import compute

    _, offsets, texts = array.buffers()
    if offsets is None:
        return memoryview(bytes(4)), memoryview(b"")
    ends = pyarrow.Array.from_buffers(pyarrow.int32(), len(array) + 1, [None, offsets], offset=array.offset)
    first, last = ends[0].as_py(), ends[-1].as_py()
    content = memoryview(b"" if texts is None else texts)[first:last]
    return _values(compute.subtract(ends, ends[0]), 4), content


def _typed(array: Any, field: FieldFacts) -> tuple[str, Any]:
    """The type that the core knows an array by, and the array in that type's layout. The type follows from Arrow's."""
    import pyarrow
    from pyarrow import compute, types

    kind = array.type
    if types.is_dictionary(kind):
        if not _is_text(kind.value_type):
            return _typed(array.cast(kind.value_type), field)
        if len(array.dictionary) > len(array) or array.dictionary.null_count:
            array = array.cast(kind.value_type).dictionary_encode()
        texts = array.dictionary.cast(pyarrow.binary())
        return "dictionary", pyarrow.DictionaryArray.from_arrays(array.indices.cast(pyarrow.int32()), texts)
    if types.is_run_end_encoded(kind):
        return _typed(compute.run_end_decode(array), field)
    if types.is_boolean(kind):
        indices = array.cast(pyarrow.int8()).cast(pyarrow.int32())
        texts = pyarrow.array(truth_texts(field)).cast(pyarrow.binary())
        return "dictionary", pyarrow.DictionaryArray.from_arrays(indices, texts)
    if types.is_integer(kind) and kind != pyarrow.uint64():
        return "i64", array.cast(pyarrow.int64())
    if types.is_floating(kind):
        # The shortest decimal of a float32 is not that of the double with its value.
        nearest = array.cast(pyarrow.string()) if types.is_float32(kind) else array
        return "f64", nearest.cast(pyarrow.float64())
    if types.is_temporal(kind):
        return "moment", _moments(array, field)
    if types.is_decimal(kind):
        digits = compute.replace_substring(_digits(array), ".", field.get("decimalChar", "."))
        return "text", digits.cast(pyarrow.binary())
    if not _is_text(kind):
        array = array.cast(pyarrow.string())
    return "text", array.cast(pyarrow.binary())


def _digits(array: Any) -> Any:
    """Decimals as texts without an exponent, which Arrow writes for some of those with another number of places."""
    import pyarrow

    if 0 <= array.type.scale <= _PLAIN_PLACES:
        return array.cast(pyarrow.string())
    texts = [None if number is None else format(number, "f") for number in array.to_pylist()]
    return pyarrow.array(texts, pyarrow.string())


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    texts = (types.is_string, types.is_large_string, types.is_string_view)
    binary = (types.is_binary, types.is_large_binary, types.is_binary_view, types.is_fixed_size_binary)
    return any(is_kind(kind) for is_kind in (*texts, *binary))


def _moments(array: Any, field: FieldFacts) -> Any:
    """Microseconds, as the core's page has them."""
    import pyarrow
    from pyarrow import compute, types

    kind, stated = array.type, field.get("type")
    if types.is_timestamp(kind) and stated != "datetime":
        # Of an instant, the date and the time are those of its own clock.
        array = compute.local_timestamp(array) if kind.tz else array
        if stated == "time":
            array = array.cast(pyarrow.time64("ns"), safe=False)
    unit = "D" if types.is_date32(array.type) else "ms" if types.is_date64(array.type) else array.type.unit
    if unit == "ns":
        array = array.cast(pyarrow.time64("us") if types.is_time(array.type) else pyarrow.timestamp("us"), safe=False)
    if array.type.bit_width == 32:
        array = array.cast(pyarrow.int32())
    factor = _FACTORS.get(unit, 1)
    most = (2**63 - 1 - _DAY) // factor
    bounded = compute.min_element_wise(array.cast(pyarrow.int64()), most, skip_nulls=False)
    numbers = compute.multiply(compute.max_element_wise(bounded, -most, skip_nulls=False), factor)
    # Without an offset of its own, a moment is read at that of the field.
    offset = field.get("offset") if stated == "datetime" and not getattr(kind, "tz", None) else None
    return compute.subtract(numbers, offset * 10**6) if offset else numbers


def _as_arrow(cells: Any, field: FieldFacts) -> Any:
    """A column of any library as a chunked array of one of Arrow's own types; None for a type that Arrow has not.

    How that is done depends on the column's type alone.
    """
    import pyarrow

    kind = cells.dtype if hasattr(cells, "dtype") else cells.type
    name = type(kind).__name__ if _is_of(cells, "pandas") else str(kind)
    array = cells
    if hasattr(kind, "ext_storage"):  # of polars
        return _as_arrow(cells.ext.storage(), field)
    if name in _WIDE:
        import polars

        array = cells.cast(polars.String).to_arrow()
    elif name == "CategoricalDtype":
        categories = _as_arrow(kind.categories.to_series(), field).combine_chunks()
        codes = cells.cat.codes.to_numpy()
        array = pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes, mask=codes < 0), categories)
    elif name == "SparseDtype":
        return _as_arrow(cells.sparse.to_dense(), field)
    elif name in ("PeriodDtype", "IntervalDtype", "ObjectDType", "Object") or getattr(kind, "storage", "") == "python":
        array = pyarrow.array([cell_text(cell, field) for cell in cells], pyarrow.binary())
    elif _is_of(cells, "pandas"):
        try:
            array = pyarrow.Array.from_pandas(cells)
        except pyarrow.ArrowNotImplementedError:
            return None  # Arrow has no such type
    elif _is_of(cells, "polars"):
        array = cells.to_arrow()
    chunked = array if isinstance(array, pyarrow.ChunkedArray) else pyarrow.chunked_array([array])
    return _stored(chunked)


def _stored(column: pyarrow.ChunkedArray) -> pyarrow.ChunkedArray:
    """A column without extensions of Arrow's types."""
    import pyarrow

    kind = column.type
    if not isinstance(kind, pyarrow.BaseExtensionType):
        return column
    if kind.extension_name == "arrow.bool8":
        return column.cast(pyarrow.bool_())
    if kind.extension_name == "arrow.uuid":
        return pyarrow.chunked_array([pyarrow.array(map(_text_or_none, column.to_pylist()), pyarrow.string())])
    return _stored(pyarrow.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type))


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def _is_of(source: object, library: str) -> bool:
    return type(source).__module__.partition(".")[0] == library


def _library(source: object) -> str | None:
    """The library whose table this is, if it is one."""
    names = (f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(source).__mro__)
    return next((name for name in names if name in _LIBRARIES), None)


_LIBRARIES: dict[str, Callable[[Any], Iterable[tuple[str, Any]]]] = {
    "pandas.DataFrame": lambda frame: ((str(name), frame.iloc[:, at]) for at, name in enumerate(frame.columns)),
    "polars.DataFrame": lambda frame: ((column.name, column) for column in frame.get_columns()),
    "pyarrow.Table": lambda table: zip(table.column_names, table.columns, strict=True),
}


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.compute
    except ImportError:
        hint = "Install it: pip install 'standin[arrow]'."
        raise StandinError("frames/library", f"Data frames need pyarrow. {hint}", hint) from None
    return pyarrow


def to_pandas(table: pyarrow.Table) -> pandas.DataFrame:
    """The columns in pandas."""
    import pandas

    nullable = {"int64": pandas.Int64Dtype(), "bool": pandas.BooleanDtype()}
    frame = table.to_pandas(date_as_object=False, types_mapper=lambda kind: nullable.get(str(kind)))
    plain = {field.name: str(field.type) for field in table.schema if not field.nullable}
    return frame.astype({name: kind for name, kind in plain.items() if kind in nullable})


def to_polars(table: pyarrow.Table) -> polars.DataFrame:
    """The columns in polars."""
    import polars

    frame = polars.from_arrow(table)
    assert isinstance(frame, polars.DataFrame)
    return frame


def to_arrow(handle: Handle, descriptor: Mapping[str, Any]) -> pyarrow.Table:
    """The columns of a table."""
    pyarrow = _pyarrow()
    fields = {field["name"]: field for field in descriptor["fields"]}
    ask = handle.core.ask
    begun, _ = ask("columns", table=handle)
    writer = begun["writer"]
    try:
        arrays, stated = [], []
        for place, column in enumerate(begun["columns"]):
            field = fields[column["name"]]
            chunks = list(_chunks(handle, writer, place, column))
            array = _plain(pyarrow.chunked_array(chunks), column, field)
            arrays.append(array)
            is_required = field.get("constraints", {}).get("required", False)
            stated.append(pyarrow.field(column["name"], array.type, nullable=not is_required))
        return pyarrow.table(arrays, schema=pyarrow.schema(stated))
    finally:
        writer.close()


def _chunks(handle: Handle, writer: Handle, place: int, column: Mapping[str, Any]) -> Iterator[pyarrow.Array]:
    """A column's arrays, one at least."""
    import pyarrow

    types = {
        "dictionary": pyarrow.int32(),
        "i64": pyarrow.int64(),
        "f64": pyarrow.float64(),
        "moment": pyarrow.timestamp("us"),
        "text": pyarrow.string(),
    }
    kind, start, rows = types[column["type"]], 0, _ROWS
    while rows == _ROWS:
        asked: dict[str, Any] = {"from": start, "rows": _ROWS}
        given, _ = handle.core.ask("column", writer=writer, place=place, **asked)
        rows = given["rows"]
        instance = handle.core.instance(given["instance"])

        def copied(pointer: int, size: int, instance: Any = instance) -> pyarrow.Buffer:
            return pyarrow.py_buffer(bytes(instance.bytes_at(pointer, size)))

        parts = [copied(given["validity"], -(-rows // 8))]
        if column["type"] == "text":
            parts += [copied(given["offsets"], 4 * (rows + 1)), copied(given["texts"], given["bytes"])]
        else:
            parts.append(copied(given["values"], rows * kind.bit_width // 8))
        array = pyarrow.Array.from_buffers(kind, rows, parts)
        if column["type"] == "dictionary":
            array = pyarrow.DictionaryArray.from_arrays(array, pyarrow.array(column["labels"], pyarrow.string()))
        if rows or not start:
            yield array
        start += rows


def _plain(array: pyarrow.ChunkedArray, column: Mapping[str, Any], field: FieldFacts) -> pyarrow.ChunkedArray:
    """A column in the type of its field, where Arrow has one that holds its texts or categories."""
    import pyarrow

    stated = field.get("type", "string")
    if column["type"] == "moment":
        if column.get("unit") == "day":
            return array.cast(pyarrow.date32())
        return array.cast(pyarrow.timestamp("us", _zone(column["offset"]))) if "offset" in column else array
    if stated == "boolean":
        _, true = truth_spellings(field)
        values = pyarrow.array([label in true for label in column["labels"]])
        return pyarrow.chunked_array([values.take(chunk.indices) for chunk in array.chunks])
    if column["type"] not in ("dictionary", "text"):
        return array
    texts = array.cast(pyarrow.string())
    try:
        if stated == "time" and field.get("format", "default") == "default":
            return pyarrow.compute.strptime(texts, format="%H:%M:%S", unit="us").cast(pyarrow.time64("us"))
        kind = {"integer": pyarrow.int64(), "year": pyarrow.int64(), "number": pyarrow.float64()}.get(stated)
        return texts.cast(kind) if kind else array
    except pyarrow.ArrowInvalid:
        return array  # spelled in a way of the schema's own


def _zone(offset: int) -> str:
    """An offset in seconds as Arrow writes it."""
    hours, minutes = divmod(abs(offset) // 60, 60)
    return f"{'-' if offset < 0 else '+'}{hours:02}:{minutes:02}" if offset else "UTC"

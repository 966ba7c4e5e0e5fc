"""Instances of the engine, each with a memory of its own, and queries and rows in that memory.

Pointers are byte offsets. A view is good until the next call of the engine, which may grow the memory: take it, use it, take it
again. Nothing here keeps one, and what leaves an instance is a copy.
"""

import ctypes
import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import wasmtime
from wasmtime import _bindings as c_api

from .errors import StandinError
from .layout import (
    ABI_VERSION,
    AXIS_BYTES,
    BLOCK_ROWS,
    MOST_BYTES,
    QUERY_AXES,
    QUERY_BYTES,
    QUERY_CELLS,
    QUERY_LEVELS,
    QUERY_ORDER,
    TREE_LEVELS,
)
from .queries import Query, cells_of
from .schema.schema import Attribute

_ALIGNMENT = 16
_MOST_CELLS = 2**32 - 1
"""More cells than this are refused before anything counts them."""
_STACK_BYTES = 2**18
"""Room for what an instance borrows, in one piece, as long as it is small; tables of more cells are reserved when they are needed."""


@functools.cache
def _compiled() -> tuple[wasmtime.Engine, wasmtime.Module]:
    """The compiled engine, and what it was compiled for: once a process, at its first use."""
    host = wasmtime.Engine()
    return host, wasmtime.Module(host, Path(__file__).with_name("engine.wasm").read_bytes())


class _Function:
    """An export of an instance.

    Called by the C function that wasmtime's own call wraps: that looks at the type of each argument anew, and in rounds of choices, which
    make tens of thousands of calls, took ten times as long as the engine.
    """

    def __init__(self, store: wasmtime.Store, function: wasmtime.Func) -> None:
        kinds = function.type(store)
        # Arguments come in, and the result goes out, in one array of untyped values.
        values = (c_api.wasmtime_val_raw_t * max(1, len(kinds.params)))()
        self._parameters = list(zip(values, map(str, kinds.params), strict=False))
        self._value = values[0]
        self._result = str(kinds.results[0]) if kinds.results else None
        called = (store._context(), ctypes.byref(function._func), values, len(values))
        self._call = functools.partial(c_api.wasmtime_func_call_unchecked, *called)

    def __call__(self, *arguments: int | float) -> Any:
        for parameter, value in zip(self._parameters, arguments, strict=True):
            setattr(*parameter, value)
        trap = ctypes.POINTER(c_api.wasm_trap_t)()
        error = self._call(ctypes.byref(trap))
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise wasmtime.Trap._from_ptr(trap)
        return self._result and getattr(self._value, self._result)


class Instance:
    """One instance of the engine: one thread, one memory, shared with nobody."""

    def __init__(self) -> None:
        host, module = _compiled()
        self._store = wasmtime.Store(host)
        self._exports: Mapping[str, Any] = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._functions: dict[str, _Function] = {}
        self._memory: Any = self._exports["memory"]
        self._bytes = np.empty(0, dtype=np.uint8)
        version = self.call("abiVersion")
        if version != ABI_VERSION:
            raise StandinError(
                "engine/abi",
                f"The engine has ABI {version}, but this package expects ABI {ABI_VERSION}.",
                "Install both from the same version of standin.",
            )
        self._on_stack = 0
        [self._stack] = self.reserve(_STACK_BYTES)

    def call(self, name: str, *arguments: int | float) -> Any:
        """Calls an export. Integers come back signed: ``u32`` and ``u64`` read them as what they are."""
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = _Function(self._store, self._exports[name])
        return function(*arguments)

    def view(self, pointer: int, count: int, dtype: Any) -> np.ndarray:
        """``count`` values of a type in the engine's memory, until its next call."""
        size = self._memory.data_len(self._store)
        if size != self._bytes.size:
            self._bytes = np.frombuffer(self._memory.get_buffer_ptr(self._store), dtype=np.uint8)
        return self._bytes[pointer : pointer + count * np.dtype(dtype).itemsize].view(dtype)

    def reserve(self, *pieces: np.ndarray | int) -> list[int]:
        """Memory for good: a pointer to a copy of each array, and to so many zeroed bytes for each number.

        Raises:
            StandinError: ``engine/memory`` where 4 GiB do not suffice.
        """
        places, size = _laid_out(pieces)
        start = 0 if size > MOST_BYTES else u32(self.call("alloc", size))
        if not start:
            raise StandinError(
                "engine/memory",
                "The engine has no memory left for this: it can address 4 GiB.",
                "Use a smaller workload, coarser bins, or fewer rows.",
            )
        return self._filled(start, places, pieces)

    @contextmanager
    def borrow(self, *pieces: np.ndarray | int) -> Iterator[list[int]]:
        """The same for a while: it is given back at the end. Nothing may be reserved for good meanwhile.

        Small pieces lie on a stack that the host keeps, so that they take no call of the engine.
        """
        places, size = _laid_out(pieces)
        mark = self._on_stack
        if mark + size > _STACK_BYTES:
            pointers = self.reserve(*pieces)
            yield pointers
            self.call("rewind", pointers[0])
            return
        start = self._stack + mark
        self._on_stack += size
        self.view(start, size, np.uint8)[:] = 0
        try:
            yield self._filled(start, places, pieces)
        finally:
            self._on_stack = mark

    def _filled(self, start: int, places: Sequence[int], pieces: Sequence[np.ndarray | int]) -> list[int]:
        """The pointers to pieces from ``start`` on, arrays copied in."""
        pointers = [start + place for place in places]
        for pointer, piece in zip(pointers, pieces, strict=True):
            if not isinstance(piece, int):
                self.view(pointer, piece.size, piece.dtype)[:] = piece
        return pointers


def _laid_out(pieces: Sequence[np.ndarray | int]) -> tuple[list[int], int]:
    """Where pieces begin that lie one after the other, each aligned; and where the last one ends."""
    sizes = (piece if isinstance(piece, int) else piece.nbytes for piece in pieces)
    ends = itertools.accumulate((-(-size // _ALIGNMENT) * _ALIGNMENT for size in sizes), initial=0)
    *places, end = ends
    return places, end


def u32(value: int) -> int:
    """An i32 of the engine read as unsigned."""
    return value & 0xFFFF_FFFF


def u64(value: int) -> int:
    """An i64 of the engine read as unsigned."""
    return value & 0xFFFF_FFFF_FFFF_FFFF


def query_struct(query: Query, attributes: Sequence[Attribute]) -> np.ndarray:
    """A query as the engine reads it: its QUERY struct."""
    words = np.zeros((QUERY_AXES + len(query.columns) * AXIS_BYTES) // 4, dtype=np.uint32)
    words[QUERY_ORDER // 4] = len(query.columns)
    words[QUERY_LEVELS // 4] = TREE_LEVELS if query.kind == "tree" else 1
    words[QUERY_CELLS // 4] = min(_MOST_CELLS, cells_of(query, attributes))
    words[QUERY_BYTES // 4] = words.nbytes
    for index, column in enumerate(query.columns):
        axis = attributes[column]
        at = (QUERY_AXES + index * AXIS_BYTES) // 4
        words[at : at + AXIS_BYTES // 4] = column, axis.size, axis.tree, axis.missing
    return words


def place_queries(instance: Instance, queries: Sequence[Query], attributes: Sequence[Attribute]) -> int:
    """Writes queries as the engine reads them; returns the pointer to their pointers."""
    places, *structs = instance.reserve(4 * len(queries), *(query_struct(query, attributes) for query in queries))
    instance.view(places, len(queries), np.uint32)[:] = structs
    return places


class RowBlocks:
    """Rows in one instance's memory: blocks of up to BLOCK_ROWS rows, each block one u16 array a column."""

    def __init__(
        self,
        instance: Instance,
        attributes: Sequence[Attribute],
        codes: Sequence[np.ndarray],
        kept: np.ndarray | None = None,
    ) -> None:
        """Copies rows in. Whatever is no code of its column becomes one, so that no row can count outside a query's cells.

        Args:
            codes: one u16 array an attribute, equally long.
            kept: the places of the rows to take, all of them without it.
        """
        self._instance = instance
        self._attributes = attributes
        self._blocks: list[tuple[int, int]] = []
        count = codes[0].size if kept is None else kept.size
        for start in range(0, count, BLOCK_ROWS):
            rows = min(BLOCK_ROWS, count - start)
            pointers = instance.reserve(*[2 * rows] * len(codes))
            [table] = instance.reserve(np.array(pointers, dtype=np.uint32))
            for pointer, column, axis in zip(pointers, codes, attributes, strict=True):
                into = instance.view(pointer, rows, np.uint16)
                if kept is None:
                    into[:] = column[start : start + rows]
                else:
                    np.take(column, kept[start : start + rows], out=into, mode="clip")
                np.minimum(into, np.uint16(axis.size - 1), out=into)
            self._blocks.append((table, rows))

    @contextmanager
    def counted(self, query: Query) -> Iterator[int]:
        """Counts every row, by code, at all levels: a pointer to the i32 cells. Out of a vault they do not come like this."""
        cells = cells_of(query, self._attributes)
        with self._instance.borrow(query_struct(query, self._attributes), 4 * cells) as [struct, counts]:
            for table, rows in self._blocks:
                self._instance.call("answerRows", struct, table, rows, counts)
            if query.kind == "tree":
                self._instance.call("answerLevels", struct, counts)
            yield counts


class RowAnswers:
    """Exact answers of synthetic rows, counted in an engine of their own."""

    def __init__(self, attributes: Sequence[Attribute], codes: Sequence[np.ndarray]) -> None:
        """
        Args:
            codes: one u16 array an attribute, equally long.
        """
        self.attributes = attributes
        self.rows = codes[0].size
        self._instance = Instance()
        self._blocks = RowBlocks(self._instance, attributes, codes)

    def of(self, query: Query) -> np.ndarray:
        """A query's counts by code, all levels: int32."""
        with self._blocks.counted(query) as counts:
            return self._instance.view(counts, cells_of(query, self.attributes), np.int32).copy()

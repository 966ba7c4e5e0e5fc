"""What runs the core (bindings/CORE.md): its verbs, and instances of the engine, which hold the private rows.

Calls and verbs go through C functions below those of wasmtime's Python package. That looks at every type and value
anew, and takes ten times as long, while a release takes ten thousand calls.
"""

import ctypes
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

import wasmtime
from wasmtime import _ffi

from ._compiled import engine, module

_MOST_ARGUMENTS = 16
_SLOTS = [struct.Struct(f"<{count}q") for count in range(_MOST_ARGUMENTS + 1)]
_VALUES = [struct.Struct("<" + "q8x" * count) for count in range(_MOST_ARGUMENTS + 1)]
"""Values in the core's slots, of 8 bytes, and in wasmtime's arrays, of 16."""

_ADDRESS, _SIZE = ctypes.c_void_p, ctypes.c_size_t
_call = ctypes.CFUNCTYPE(_ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS, _SIZE, _ADDRESS)(
    ("wasmtime_func_call_unchecked", _ffi.dll)
)
_memory_size = ctypes.CFUNCTYPE(_SIZE, _ADDRESS, _ADDRESS)(("wasmtime_memory_data_size", _ffi.dll))
_memory_data = ctypes.CFUNCTYPE(_ADDRESS, _ADDRESS, _ADDRESS)(("wasmtime_memory_data", _ffi.dll))
_delete_trap = ctypes.CFUNCTYPE(None, _ADDRESS)(("wasm_trap_delete", _ffi.dll))
_delete_error = ctypes.CFUNCTYPE(None, _ADDRESS)(("wasmtime_error_delete", _ffi.dll))
_Values = ctypes.POINTER(ctypes.c_uint32)
_Callback = ctypes.CFUNCTYPE(_SIZE, _ADDRESS, _ADDRESS, _Values, _SIZE)
_NO_FINALIZER = ctypes.CFUNCTYPE(None, _ADDRESS)()


class Trapped(Exception):
    """A module has stopped where it must not."""


class Instance:
    """An instance of a module, in a store of its own, so that its memory goes when it does."""

    def __init__(self, code: wasmtime.Module, imports: Callable[[wasmtime.Store], list[wasmtime.Func]]) -> None:
        store = wasmtime.Store(engine())
        values = ctypes.create_string_buffer(16 * _MOST_ARGUMENTS)
        self._store = store
        self._instance = wasmtime.Instance(store, code, imports(store))._instance
        self._context = ctypes.addressof(store._context().contents)
        self._exports: dict[bytes, tuple[int, Any]] = {}
        self._memory = self._export(b"memory")
        self._base = _memory_data(self._context, self._memory)
        self._size = 0
        self.values = memoryview(values).cast("B")
        """Arguments of the next call, and the result of the last one."""
        self._trap = ctypes.c_void_p()
        self._call = ctypes.addressof(values), _MOST_ARGUMENTS, ctypes.addressof(self._trap)
        self.memory = memoryview((ctypes.c_ubyte * 2**32).from_address(self._base)).cast("B")
        """All that memory can grow to. It never moves, but beyond its present size it must not be touched."""

    def call(self, name: bytes) -> None:
        """Calls an export with what is in `values`. Raises `Trapped`."""
        values, count, place = self._call
        error = _call(self._context, self._export(name), values, count, place)
        if error:
            _delete_error(error)
        if self._trap:
            _delete_trap(self._trap)
            self._trap.value = None
            error = True
        if error:
            raise Trapped(name.decode())

    def _export(self, name: bytes) -> int:
        """The address of what stands for an export. wasmtime's package would look up all of them."""
        found = self._exports.get(name)
        if found is None:
            item = _ffi.wasmtime_extern_t()
            place = ctypes.byref(self._instance), name, len(name), ctypes.byref(item)
            if not _ffi.wasmtime_instance_export_get(self._store._context(), *place):
                raise KeyError(name)
            found = self._exports[name] = ctypes.addressof(item.of), item
        return found[0]

    def run(self, name: bytes, *arguments: int) -> int:
        """Calls an export that takes pointers and lengths, and returns one, or nothing."""
        _VALUES[len(arguments)].pack_into(self.values, 0, *arguments)
        self.call(name)
        return int.from_bytes(self.values[:4], "little")

    def at(self, pointer: int, length: int) -> int:
        """The address of a part of the memory. Raises `IndexError` outside of it."""
        if pointer + length > self._size:
            self._size = _memory_size(self._context, self._memory)
            if pointer + length > self._size:
                raise IndexError("bytes outside of a module's memory")
        return self._base + pointer

    def bytes_at(self, pointer: int, length: int) -> memoryview:
        """A part of the memory itself. Keep the instance while it is used."""
        self.at(pointer, length)
        return self.memory[pointer : pointer + length]

    def wipe(self) -> None:
        """Overwrites all memory with zeros."""
        size = _memory_size(self._context, self._memory)
        ctypes.memset(self._base, 0, size)


class Host:
    """The core, and the instances of the engine that it has asked for."""

    def __init__(self) -> None:
        self.engines: dict[int, Instance] = {}
        self.breathe: Callable[[bytes], bool] = lambda progress: False
        """Gets the latest progress, or nothing, and says whether the caller has cancelled."""
        self._made = 0
        self._raised: BaseException | None = None
        self._callbacks: list[Any] = []
        code = module("standin-core")
        self.core = Instance(code, lambda store: [self._verb(store, item) for item in code.imports])
        self.core.run(b"_initialize")
        if self.core.run(b"core_start"):
            raise MemoryError("The core does not start.")

    def send(self, request: bytes) -> bytes:
        """Passes a request to the core, and returns its answer. After an error the core cannot be used any more."""
        core = self.core
        try:
            pointer = core.run(b"core_alloc", len(request))
            if pointer:
                core.bytes_at(pointer, len(request))[:] = request
                answer = core.run(b"core_request", pointer, len(request))
                if answer:
                    copied = bytes(core.bytes_at(answer, core.run(b"core_answer_length")))
                    core.run(b"core_free", answer)
                    return copied
        except Trapped:
            if self._raised is not None:
                raise self._raised from None
            raise
        raise MemoryError("The core has no memory left.")

    def wipe(self) -> None:
        """Overwrites all memories with zeros, and ends the instances. The core cannot be used any more."""
        for instance in (self.core, *self.engines.values()):
            instance.wipe()
        self.engines.clear()
        self._callbacks.clear()  # which refer to this host

    def _verb(self, store: wasmtime.Store, item: wasmtime.ImportType) -> wasmtime.Func:
        run: Callable[[Any], None] = getattr(self, f"_verb_{item.name}")

        def called(_env: int, _caller: int, values: Any, _count: int) -> int:
            try:
                run(values)
            except BaseException as error:  # no exception crosses WebAssembly
                self._raised = error
                return ctypes.addressof(wasmtime.Trap("a verb has failed")._consume().contents)
            return 0

        callback = _Callback(called)
        self._callbacks.append(callback)
        kind: Any = item.type
        function = _ffi.wasmtime_func_t()
        pointer = ctypes.cast(callback, _ffi.wasmtime_func_unchecked_callback_t)
        _ffi.wasmtime_func_new_unchecked(
            store._context(), kind.ptr(), pointer, None, _NO_FINALIZER, ctypes.byref(function)
        )
        return wasmtime.Func._from_raw(function)

    # Each verb reads its arguments where it leaves its result: in 16 bytes each, of which the first four count.

    def _verb_instance(self, values: Any) -> None:
        try:
            made = Instance(module("engine"), lambda store: [])
        except wasmtime.WasmtimeError:
            values[0] = 0
        else:
            self._made += 1
            self.engines[self._made] = made
            values[0] = self._made

    def _verb_drop(self, values: Any) -> None:
        self.engines.pop(values[0]).wipe()

    def _verb_call(self, values: Any) -> None:
        number, name, length, slots, count, result = values[:24:4]
        memory, instance = self.core.memory, self.engines[number]
        _VALUES[count].pack_into(instance.values, 0, *_SLOTS[count].unpack_from(memory, slots))
        try:
            instance.call(bytes(memory[name : name + length]))
        except Trapped:
            values[0] = 1
        else:
            memory[result : result + 8] = instance.values[:8]
            values[0] = 0

    def _verb_read(self, values: Any) -> None:
        number, pointer, into, length = values[:16:4]
        ctypes.memmove(self.core.at(into, length), self.engines[number].at(pointer, length), length)

    def _verb_write(self, values: Any) -> None:
        number, pointer, source, length = values[:16:4]
        ctypes.memmove(self.engines[number].at(pointer, length), self.core.at(source, length), length)

    def _verb_copy(self, values: Any) -> None:
        number, pointer, other, source, length = values[:20:4]
        ctypes.memmove(self.engines[number].at(pointer, length), self.engines[other].at(source, length), length)

    def _verb_fill_key(self, values: Any) -> None:
        number, pointer, length = values[:12:4]
        values[0] = not fill_with_random(self.engines[number].at(pointer, length), length)

    def _verb_breathe(self, values: Any) -> None:
        pointer, length = values[:8:4]
        values[0] = self.breathe(bytes(self.core.bytes_at(pointer, length)))

    def _verb_now(self, values: Any) -> None:
        values[0], values[1] = struct.unpack("<2I", struct.pack("<d", 1000 * time.monotonic()))


def fill_with_random(address: int, length: int) -> bool:
    """Lets the system's cryptographic generator write into memory, so that there is no other copy of a key.

    Returns whether it could.
    """
    if sys.platform == "win32":
        return bool(ctypes.windll.advapi32.SystemFunction036(_ADDRESS(address), length))
    most = 256
    getentropy = ctypes.CDLL(None).getentropy
    return not any(getentropy(_ADDRESS(address + at), _SIZE(min(most, length - at))) for at in range(0, length, most))

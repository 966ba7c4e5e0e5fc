"""The two WebAssembly modules as machine code, which a folder of this user keeps for later processes."""

import functools
import hashlib
import os
import platform
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import wasmtime
from wasmtime import _ffi

from ._version import VERSION

STACK_BYTES = 2 << 20
"""How much native stack a module may take."""
_HAS_MODES = sys.platform != "win32"
"""Whether files have owners and modes. On Windows, others cannot write to a user's application data anyway."""


@functools.cache
def engine() -> wasmtime.Engine:
    """What compiles and runs modules in this process."""
    config = wasmtime.Config()
    config.max_wasm_stack = STACK_BYTES
    config.cranelift_opt_level = "speed"
    config.memory_reservation = 1 << 32
    config.memory_may_move = False
    return wasmtime.Engine(config)


@functools.cache
def module(name: str) -> wasmtime.Module:
    """A module of this package, from the cache if it is there."""
    code = Path(__file__).with_name("wasm").joinpath(f"{name}.wasm").read_bytes()
    folder = _folder()
    path = folder and folder / f"{name}-{_key(code)}"
    kept = path and _kept(path)
    if kept:
        # It may be for another processor or another build of wasmtime, which then refuses it.
        with suppress(wasmtime.WasmtimeError):
            return wasmtime.Module.deserialize(engine(), kept)
    compiled = wasmtime.Module(engine(), code)
    if path:
        _keep(path, compiled.serialize())
    return compiled


def _key(code: bytes) -> str:
    """What machine code depends on. wasmtime is known by its library, since to look up its version takes long."""
    library = os.stat(_ffi.filename)
    known = (VERSION, library.st_size, library.st_mtime_ns, sys.platform, platform.machine())
    return hashlib.sha256(repr(known).encode() + code).hexdigest()[:32]


def _folder() -> Path | None:
    """The cache folder, made for this user alone. None if there shall be none, or if others could write to it."""
    stated = os.environ.get("STANDIN_CACHE")
    if stated == "off":
        return None
    try:
        folder = Path(stated) if stated else _caches() / "standin"
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder if _is_ours(folder.lstat(), stat.S_ISDIR) else None
    except (OSError, RuntimeError):  # RuntimeError: this user has no home
        return None


def _caches() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    stated = os.environ.get("XDG_CACHE_HOME" if _HAS_MODES else "LOCALAPPDATA")
    return Path(stated) if stated else Path.home() / ".cache"


def _is_ours(found: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Whether it is of this kind and this user's, and nobody else may write to it: what lies there is executed."""
    if not is_kind(found.st_mode):
        return False
    return not _HAS_MODES or (found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _kept(path: Path) -> bytes | None:
    """The machine code that a file holds, if it is whole. What is checked is the open file, which nobody can swap."""
    with suppress(OSError), open(path, "rb") as file:
        if _is_ours(os.fstat(file.fileno()), stat.S_ISREG):
            digest, code = file.read(32), file.read()
            return code if hashlib.sha256(code).digest() == digest else None
    return None


def _keep(path: Path, code: bytes | bytearray) -> None:
    """Writes a file in one step, if the system lets it. Other processes see all of it, or nothing."""
    temporary = path.with_name(f"{path.name}.{os.urandom(8).hex()}")
    with suppress(OSError):
        try:
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(temporary, path)
        except OSError:
            temporary.unlink(missing_ok=True)

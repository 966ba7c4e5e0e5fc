"""Budgets that several releases of the same rows share."""

import json
import os
import platform
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from ._core import core
from .errors import StandinError

_PATIENCE_SECONDS, _POLL_SECONDS = 10, 0.025
_EXAMPLE = '{"epsilon": 3, "delta": 1e-8, "neighbours": "add-remove", "unit": "row", "spent": []}'

State = Mapping[str, Any]


class Budget:
    """Releases add up, and one that would exceed the budget is refused before anything is measured.

    A charge stays whatever becomes of the run. That of a release with rounds counts what is measured, so that no two
    copies of an unfinished release are continued. Threads may share a budget; processes share a `BudgetFile`.
    """

    def __init__(
        self,
        *,
        epsilon: float,
        delta: float,
        neighbours: Literal["add-remove", "replace"] = "add-remove",
        unit: Literal["row"] | Mapping[str, int] = "row",
        spent: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """
        Args:
            epsilon: ε, 1e-6 to 1000.
            delta: δ, above 0 and below 1.
            neighbours: the relation that every release must have.
            unit: the one that every release must have: ``"row"``, or ``{"maxRows": k}`` for persons.
            spent: earlier charges.

        Raises:
            StandinError: ``budget/state``.
        """
        self._lock = threading.Lock()
        given = {"epsilon": epsilon, "delta": delta, "neighbours": neighbours, "unit": unit, "spent": [*spent]}
        self._state = _checked(given)

    @classmethod
    def from_json(cls, text: str) -> "Budget":
        """The budget that `to_json` has written.

        Raises:
            StandinError: ``budget/state``.
        """
        return cls(**_checked(text))

    def to_json(self) -> str:
        """The state to keep, with every charge so far."""
        return json.dumps(self._read())

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Nobody else reads or writes meanwhile."""
        with self._lock:
            yield

    def _read(self) -> State:
        return self._state

    def _write(self, state: State) -> None:
        self._state = state

    def _charge(self, before: State, text: bytes) -> State:
        """Takes over what a run has charged. The budget is locked.

        Args:
            before: the state that the run knows.
            text: the same with its charge.

        Returns:
            The state that the run knows now.

        Raises:
            StandinError: ``budget/resumed`` if another run has changed this run's charge.
        """
        now, after = self._read(), json.loads(text)
        spent = [*now["spent"]]
        for old, new in zip_longest(before["spent"], after["spent"]):
            if old is None:
                spent.append(new)
            elif old != new and old in spent:
                spent[spent.index(old)] = new
            elif old != new:
                hint = "Continue with what that run kept."
                raise StandinError("budget/resumed", f"Another run has continued this release. {hint}", hint)
        self._write({**now, "spent": spent})
        return after


class BudgetFile(Budget):
    """A budget in a file, the ledger of the command line. Each charge is on disk before its run continues."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """
        Args:
            path: a file that its owner has written once, as `Budget.to_json` does.

        Raises:
            StandinError: ``ledger/absent``, ``ledger/refused``, ``budget/state``; from runs also ``ledger/locked``.
        """
        self._path = Path(os.path.realpath(path))
        self._read()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with _lock_file(Path(f"{self._path}.lock")):
            yield

    def _read(self) -> State:
        try:
            return _checked(self._path.read_text("utf-8"))
        except FileNotFoundError:
            hint = f"Its owner creates it once, with the total budget for these people, such as {_EXAMPLE}"
            raise StandinError("ledger/absent", f"The ledger {self._path} does not exist. {hint}", hint) from None
        except OSError as error:
            raise _refused(error) from None

    def _write(self, state: State) -> None:
        temporary = self._path.with_name(f".{self._path.name}.standin-tmp")
        try:
            mode = self._path.stat().st_mode & 0o777
            temporary.unlink(missing_ok=True)
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
                file.write(f"{json.dumps(state, indent=2)}\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self._path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise _refused(error) from None


def _checked(state: State | str) -> State:
    return core().ask("budget", state=state)[0]["state"]


def _refused(error: OSError) -> StandinError:
    hint = "It is unchanged. Free some space on its disk, or let this user write to its folder, and run again."
    return StandinError("ledger/refused", f"The ledger cannot be changed: {error.strerror}. {hint}", hint)


@contextmanager
def _lock_file(path: Path) -> Iterator[None]:
    """Holds the lock file that the command line holds while it changes a ledger. It names who holds it."""
    nonce = os.urandom(16).hex()
    holder = {"pid": os.getpid(), "host": platform.node(), "nonce": nonce}
    temporary = path.with_name(f"{path.name}.{nonce}.{holder['pid']}@{quote(platform.node(), safe='')}.tmp")
    deadline = time.monotonic() + _PATIENCE_SECONDS
    try:
        temporary.write_text(json.dumps(holder), "utf-8")
        # A link appears whole or not at all.
        while not _is_linked(temporary, path):
            if time.monotonic() > deadline:
                hint = f"Remove {path} if no run of standin is using it."
                raise StandinError("ledger/locked", f"The ledger is locked by another run. {hint}", hint)
            time.sleep(_POLL_SECONDS)
    except OSError as error:
        raise _refused(error) from None
    finally:
        temporary.unlink(missing_ok=True)
    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            if json.loads(path.read_text("utf-8"))["nonce"] == nonce:
                path.unlink()


def _is_linked(file: Path, path: Path) -> bool:
    try:
        os.link(file, path)
    except FileExistsError:
        return False
    return True

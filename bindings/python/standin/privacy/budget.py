"""A budget that several releases of the same rows share."""

import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeGuard

from ..errors import StandinError
from ..json_text import dumps, loads, number_text
from .accounting import RHO_UNIT, AnyUnit, Neighbours, rho_of, units_of
from .ledger import Ledger

_EXAMPLE = '{"epsilon":3,"delta":1e-8,"neighbours":"add-remove","unit":"row","spent":[]}'


class Budget:
    """Releases add up (ρ by composition of zCDP, δ by union), and one that would exceed (ε, δ) is refused before a row is looked at.

    A charge stays even if the run fails afterwards. Threads may share a budget; other processes cannot: it is not pickled.
    """

    def __init__(
        self,
        *,
        epsilon: float,
        delta: float,
        neighbours: Neighbours = "add-remove",
        unit: Literal["row"] | Mapping[str, int] = "row",
        spent: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """
        Args:
            epsilon: in [1e-6, 1000].
            delta: in (0, 1).
            neighbours: the relation that every release must have.
            unit: that every release must have: ``"row"``, or ``{"maxRows": k}``.
            spent: earlier charges: ρ in units of 2^−52 as decimal text, and δ.

        Raises:
            StandinError: ``budget/state`` where this is not such a state.
        """
        if not (_is_number(epsilon) and 1e-6 <= epsilon <= 1000):
            raise _wrong("epsilon is not a number from 1e-6 to 1000")
        if not (_is_number(delta) and 0 < delta < 1):
            raise _wrong("delta is not a number between 0 and 1")
        if neighbours not in ("add-remove", "replace"):
            raise _wrong('neighbours are neither "add-remove" nor "replace"')
        if unit != "row" and not (
            isinstance(unit, Mapping) and type(unit.get("maxRows")) is int and unit["maxRows"] > 0
        ):
            raise _wrong('unit is neither "row" nor { "maxRows": k }')
        if not (isinstance(spent, list | tuple) and all(map(_is_charge, spent))):
            raise _wrong("spent charges are not a list of { rho, delta }")
        self._epsilon, self._delta = epsilon, delta
        self._kind = {"neighbours": neighbours, "unit": unit if unit == "row" else dict(unit)}
        self._spent = [{"rho": charge["rho"], "delta": charge["delta"]} for charge in spent]
        self._lock = threading.Lock()

    @classmethod
    def from_json(cls, text: str) -> "Budget":
        """The budget that ``to_json`` has written."""
        try:
            return cls(**loads(text))
        except (TypeError, ValueError):
            raise _wrong("file is no such object") from None

    def to_json(self) -> str:
        """The state to keep, with every charge so far."""
        return dumps({"epsilon": self._epsilon, "delta": self._delta, **self._kind, "spent": self._spent})

    def charge(self, ledger: Ledger) -> None:
        """Charges a release.

        Raises:
            StandinError: as ``check``; nothing is charged then.
        """
        with self._lock:
            self.check(ledger)
            self._spent.append({"rho": str(ledger.charge), "delta": 0})

    def check(self, ledger: Ledger) -> None:
        """Refuses a release that could not be charged.

        Raises:
            StandinError: ``budget/exceeded``, or ``budget/mismatch`` where relation or unit differ.
        """
        asked = {"neighbours": ledger.terms.neighbours, "unit": unit_json(ledger.terms.unit)}
        if asked != self._kind:
            raise StandinError(
                "budget/mismatch",
                f"The shared budget is for neighbours {self._kind['neighbours']} and unit {dumps(self._kind['unit'])}, "
                f"this release has {asked['neighbours']} and {dumps(asked['unit'])}.",
                "Use a budget of the same kind.",
            )
        epsilon, delta = self._epsilon, self._delta
        before = sum(int(charge["rho"]) for charge in self._spent)
        deltas = 0.0
        for charge in self._spent:
            deltas += charge["delta"]
        whole = units_of(rho_of(epsilon, delta - deltas)) if deltas < delta else 0
        if before + ledger.charge > whole:
            left = max(0, whole - before) * RHO_UNIT
            raise StandinError(
                "budget/exceeded",
                f"This release needs ρ = {number_text(ledger.charge * RHO_UNIT)}; of the shared budget (ε = {number_text(epsilon)}, "
                f"δ = {number_text(delta)}) ρ = {number_text(left)} is left.",
                "Ask for a smaller epsilon, or reuse an earlier release: more rows from it cost nothing.",
            )


def unit_json(unit: AnyUnit) -> str | dict[str, int]:
    """The unit without the column's name, as plan, release and budget print it."""
    return "row" if unit == "row" else {"maxRows": unit.max_rows}


def _wrong(what: str) -> StandinError:
    return StandinError("budget/state", f"The budget's {what}.", f"Write it as {_EXAMPLE}.")


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_charge(charge: object) -> bool:
    if not isinstance(charge, Mapping):
        return False
    rho, delta = charge.get("rho"), charge.get("delta")
    return isinstance(rho, str) and bool(re.fullmatch("[0-9]{1,20}", rho)) and _is_number(delta) and 0 <= delta < 1

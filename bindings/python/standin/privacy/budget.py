"""A budget that several releases of the same rows share."""

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

from ..errors import StandinError
from ..json_text import dumps, loads, number_text
from .accounting import RHO_UNIT, AnyUnit, Neighbours, rho_of, units_of
from .ledger import Ledger

_EXAMPLE = '{"epsilon":3,"delta":1e-8,"neighbours":"add-remove","unit":"row","spent":[]}'
_RESTORE = "Restore it from a copy."
_MEMBERS = ("epsilon", "delta", "neighbours", "unit", "spent")
_CHARGE_MEMBERS = ("rho", "delta", "release", "run", "items")


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a release with rounds has come; its charge and its unfinished file say the same.

    Attributes:
        release: a random name of the release: 32 hexadecimal digits.
        run: a random name of the run that measures it; None once it is measured to its end.
        items: how many items are measured.
    """

    release: str
    run: str | None
    items: int

    def to_json(self) -> dict[str, Any]:
        """As a charge holds it."""
        run = {} if self.run is None else {"run": self.run}
        return {"release": self.release, **run, "items": self.items}


class Budget:
    """Releases add up (ρ by composition of zCDP, δ by union), and one that would exceed (ε, δ) is refused before a row is looked at.

    A charge stays even if the run fails afterwards. Of a release with rounds, its charge counts what is measured, so
    that no two copies of an unfinished release are gone on with. Threads may share a budget; other processes cannot: it
    is not pickled.
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
            spent: earlier charges: ρ in units of 2^−52 as decimal text, δ, and of releases with rounds how far they
                have come.

        Raises:
            StandinError: ``budget/state`` where this is not such a state.
        """
        if not (_is_number(epsilon) and 1e-6 <= epsilon <= 1000):
            raise _wrong("has no epsilon that is a number from 1e-6 to 1000")
        if not (_is_number(delta) and 0 < delta < 1):
            raise _wrong("has no delta that is a number between 0 and 1")
        if neighbours not in ("add-remove", "replace"):
            raise _wrong('has no neighbours that are "add-remove" or "replace"')
        if unit != "row" and not (
            isinstance(unit, Mapping) and type(unit.get("maxRows")) is int and unit["maxRows"] > 0
        ):
            raise _wrong('has no unit that is "row" or { "maxRows": k }')
        if unit != "row" and (stray := _stray(unit, ("maxRows",))) is not None:
            raise _wrong(f'has a unit with a member "{stray}"', "Its one member is maxRows.")
        self._epsilon, self._delta = epsilon, delta
        self._kind = {"neighbours": neighbours, "unit": unit if unit == "row" else dict(unit)}
        self._spent = _checked_spent(spent)
        self._lock = threading.Lock()

    @classmethod
    def from_json(cls, text: str) -> "Budget":
        """The budget that ``to_json`` has written.

        Raises:
            StandinError: ``budget/state`` where it is no such text; one without ``spent`` is none: it would pass for
                nothing spent.
        """
        try:
            state = loads(text)
        except (TypeError, ValueError):
            raise _wrong("is not JSON", _RESTORE) from None
        if (twice := _name_twice(text)) is not None:
            raise _wrong(f'has the member "{twice}" twice', _RESTORE)
        if not isinstance(state, dict):
            raise _wrong("is not a JSON object", _RESTORE)
        if (stray := _stray(state, _MEMBERS)) is not None:
            raise _wrong(f'has a member "{stray}"', f"Its members are {', '.join(_MEMBERS)}.")
        if "spent" not in state:
            # Whatever else is missing is said first, as it would be of a state in code.
            cls(**{**dict.fromkeys(_MEMBERS[:-1]), **state})
            hint = 'Write "spent": [] if nothing is spent; otherwise restore it from a copy.'
            raise _wrong("does not say what is spent", hint)
        return cls(**{**dict.fromkeys(_MEMBERS), **state})

    def to_json(self) -> str:
        """The state to keep, with every charge so far."""
        return dumps({"epsilon": self._epsilon, "delta": self._delta, **self._kind, "spent": self._spent})

    def begin(self, ledger: Ledger, standing: Standing | None = None) -> None:
        """Charges a release.

        Args:
            standing: where it begins, if it has rounds.

        Raises:
            StandinError: as ``check``; nothing is charged then.
        """
        with self._lock:
            self.check(ledger)
            self._spent.append({"rho": str(ledger.charge), "delta": 0, **(standing.to_json() if standing else {})})

    def go_on(self, before: Standing, after: Standing) -> None:
        """Takes a release from one standing to the next, before what was measured leaves the run.

        Raises:
            StandinError: as ``check_standing`` of ``before``; nothing is changed then.
        """
        with self._lock:
            self.check_standing(before)
            for at, charge in enumerate(self._spent):
                if charge.get("release") == before.release:
                    self._spent[at] = {"rho": charge["rho"], "delta": charge["delta"], **after.to_json()}

    def check_standing(self, standing: Standing) -> None:
        """Refuses a release that does not stand where its charge does.

        Raises:
            StandinError: ``budget/unknown`` where it was not charged here; ``budget/resumed`` where another run has
                gone on with it.
        """
        charge = next((charge for charge in self._spent if charge.get("release") == standing.release), None)
        if charge is None:
            raise StandinError(
                "budget/unknown",
                "The shared budget has no charge for this release.",
                "Give the one that it was started with, with all its charges.",
            )
        run, items = charge.get("run"), charge["items"]
        if (run, items) != (standing.run, standing.items):
            seen = f"all its {items} items" if run is None else f"{items} of its items"
            raise StandinError(
                "budget/resumed",
                f"Another run has continued this release: the shared budget has seen {seen} measured, "
                f"but this copy holds {standing.items}.",
                "Continue with what that run kept. This copy would measure the same items again, which has not been paid for.",
            )

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
                f"but this release has {asked['neighbours']} and {dumps(asked['unit'])}.",
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
                "Use a smaller epsilon, or reuse an earlier release: more rows from it cost nothing.",
            )


def unit_json(unit: AnyUnit) -> str | dict[str, int]:
    """The unit without the column's name, as plan, release and budget print it."""
    return "row" if unit == "row" else {"maxRows": unit.max_rows}


def is_name(value: object) -> bool:
    """Whether a value names a release or a run."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{32}", value) is not None


def _checked_spent(spent: object) -> list[dict[str, Any]]:
    if not isinstance(spent, list | tuple):
        raise _wrong("has no list of what is spent", _RESTORE)
    releases: set[str] = set()
    return [
        _checked_charge(charge, f"has a charge (number {at} in spent)", releases) for at, charge in enumerate(spent, 1)
    ]


def _checked_charge(charge: object, which: str, releases: set[str]) -> dict[str, Any]:
    """A copy of a charge; ``releases`` are those of the charges before it."""
    if not isinstance(charge, Mapping):
        raise _wrong(f"{which} that is not an object", _RESTORE)
    if (stray := _stray(charge, _CHARGE_MEMBERS)) is not None:
        raise _wrong(f'{which} with a member "{stray}"', f"Its members are {', '.join(_CHARGE_MEMBERS)}.")
    rho, delta = charge.get("rho"), charge.get("delta")
    if not (isinstance(rho, str) and re.fullmatch("[0-9]{1,20}", rho)):
        raise _wrong(f"{which} whose rho is not a whole number in quotes", _RESTORE)
    if not (_is_number(delta) and 0 <= delta < 1):
        raise _wrong(f"{which} whose delta is not a number from 0 to below 1", _RESTORE)
    if charge.keys() <= {"rho", "delta"}:
        return {"rho": rho, "delta": delta}
    release, items = charge.get("release"), charge.get("items")
    is_known = is_name(release) and type(items) is int and items >= 0
    if not (is_known and ("run" not in charge or is_name(charge["run"]))):
        raise _wrong(f"{which} whose release, run and items are not as a run writes them", _RESTORE)
    if release in releases:
        raise _wrong(f"{which} for a release that already has one", _RESTORE)
    releases.add(release)
    return {"rho": rho, "delta": delta, **Standing(release, charge.get("run"), items).to_json()}


def _wrong(what: str, hint: str = f"It starts as {_EXAMPLE}.") -> StandinError:
    return StandinError("budget/state", f"The shared budget {what}.", hint)


def _stray(mapping: Mapping[str, Any], known: Sequence[str]) -> str | None:
    """The first member that is not known."""
    return next((member for member in mapping if member not in known), None)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _name_twice(text: str) -> str | None:
    """A name that an object of a JSON text has twice: parsers keep the last silently, and charges before it are lost."""
    seen: list[set[str]] = []
    for token in re.finditer(r'("(?:[^"\\]|\\.)*")(\s*:)?|[{}]', text, re.DOTALL):
        if token[0] == "{":
            seen.append(set())
        elif token[0] == "}":
            seen.pop()
        elif token[2] is not None:
            name = loads(token[1])
            if name in seen[-1]:
                return name
            seen[-1].add(name)
    return None

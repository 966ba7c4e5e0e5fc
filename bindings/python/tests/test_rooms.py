"""Who may import what: nothing that makes rows can reach the private ones."""

import ast
from pathlib import Path

import pytest

import standin

PACKAGE = Path(standin.__file__).parent
MODULES = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in sorted(PACKAGE.rglob("*.py"))}
PRIVATE = ("privacy.vault", "privacy.door", "schema.encode", "files", "frames", "text")
"""Where private rows are, and the ways by which they come."""


def imports_of(name: str) -> set[str]:
    """The modules of the package that one of them imports, by their names in the package."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text("utf8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            room = name.split(".")[: -node.level]
            stem = [*room, *(node.module or "").split(".")] if node.module else room
            found |= {".".join(stem), *(".".join([*stem, alias.name]) for alias in node.names)}
    return found & (set(MODULES) | {module.rpartition(".")[0] for module in MODULES})


def importers_of(module: str) -> set[str]:
    return {name for name in MODULES if module in imports_of(name)}


@pytest.mark.parametrize("room", ["estimate", "projection", "mechanisms", "engine", "queries"])
def test_what_makes_rows_never_sees_any(room: str) -> None:
    of_room = [name for name in MODULES if name.split(".")[0] == room]
    assert of_room
    for name in of_room:
        assert [other for other in imports_of(name) if other.startswith(PRIVATE)] == []


def test_one_way_leads_to_the_vault() -> None:
    assert importers_of("privacy.vault") == {"privacy.door"}
    assert importers_of("privacy.door") == {"frame.rounds", "frame.run"}
    assert importers_of("schema.encode") - {"files.columns", "frames.read", "frames.values"} == {"privacy.door"}


def test_nothing_is_left_to_another_generator() -> None:
    for path in MODULES.values():
        tree = ast.parse(path.read_text("utf8"))
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        assert imported.isdisjoint({"random", "time", "uuid"})
        assert "random" not in attributes

"""Dependencies point one way (DESIGN.md, "Layout"): read from the source, imports inside functions included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import argosy

ROOT = Path(argosy.__file__).parent

# From the outside in; a part may import its own layer and those below. A new part is given its place here.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"__init__", "__main__", "cli"}),
    frozenset({"bench", "report", "session", "backends", "frontends", "certify", "strategies"}),
    frozenset({"domains", "refiners", "invariants", "directed"}),
    frozenset({"engine", "models", "logic", "kernel"}),
    frozenset({"options"}),
    frozenset({"basics"}),
)
LEVEL = {part: level for level, layer in enumerate(LAYERS) for part in layer}

# Stricter than the layers: everything of the package that these may import.
ONLY = {
    "basics": {"basics"},
    "options": {"options", "basics"},
    "engine": {"engine", "basics"},
    "certify": {"certify", "logic", "models", "kernel", "basics"},
    "logic": {"logic", "basics"},
    "models": {"models", "logic", "basics"},
    "kernel": {"kernel", "models", "logic", "basics"},
}
SOLVERS = {"z3", "bitwuzla", "cvc5", "yices", "yices_api", "oxidd", "dd"}


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


def imports(path: Path) -> Iterator[str]:
    """The dotted names a module imports, `from a import b` as both `a` and `a.b`."""
    package = ("argosy", *path.relative_to(ROOT).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, node.module) if node.module else base)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def imported_parts(path: Path) -> set[str]:
    """The parts of the package that a module imports; a name that is not a part belongs to the package itself."""
    parts = set()
    for name in imports(path):
        first, *rest = name.split(".")
        if first == "argosy" and rest:
            parts.add(rest[0] if rest[0] in LEVEL or (ROOT / rest[0]).exists() else "__init__")
    return parts


MODULES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_inwards(path: Path) -> None:
    part = part_of(path)
    assert part in LEVEL, f"{part} has no place in the layers"
    for other in imported_parts(path):
        assert other in LEVEL, f"{other} has no place in the layers"
        # The version and nothing else is read from the package itself.
        assert other == "__init__" or LEVEL[other] >= LEVEL[part], f"{part} may not import {other}"
        assert part not in ONLY or other in ONLY[part], f"{part} may not import {other}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_solvers_are_behind_the_contract(path: Path) -> None:
    packages = {name.split(".")[0] for name in imports(path)}
    assert part_of(path) == "logic" or not packages & SOLVERS


def test_the_rules_bite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_architecture.ROOT", tmp_path)
    (tmp_path / "certify").mkdir()
    (tmp_path / "domains").mkdir()
    bad = tmp_path / "certify" / "bad.py"
    bad.write_text("def f():\n    from argosy.domains.explicit import Explicit\n    from ..refiners import trace\n")
    assert imported_parts(bad) == {"domains", "refiners"}
    with pytest.raises(AssertionError, match="certify may not import"):
        test_imports_point_inwards(bad)
    upwards = tmp_path / "domains" / "bad.py"
    upwards.write_text("import argosy.strategies\nimport z3\n")
    with pytest.raises(AssertionError, match="domains may not import strategies"):
        test_imports_point_inwards(upwards)
    with pytest.raises(AssertionError):
        test_solvers_are_behind_the_contract(upwards)

"""Dependencies point one way, and there are no cycles: read from the source, imports inside functions and under
``TYPE_CHECKING`` included. README and docs/architecture.md show the same order."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import argosy

ROOT = Path(argosy.__file__).parent

# From the ground up: a part may import those before it, and itself. A new part is given its place here.
ORDER = (
    "basics",
    "options",
    "logic",
    "models",
    "problem",
    "engine",
    "domains",
    "invariants",
    "refiners",
    "kernel",
    "native",
    "directed",
    "certify",
    "strategies",
    "frontends",
    "backends",
    "report",
    "session",
    "bench",
    "lsp",
    "ui",
    "cli",
    "__init__",
    "__main__",
)
PLACE = {part: place for place, part in enumerate(ORDER)}

# Stricter than the order: everything of the package that these may import.
ONLY = {
    "options": {"options", "basics"},
    "engine": {"engine", "basics"},
    "problem": {"problem", "models", "basics"},
    "domains": {"domains", "engine", "models", "logic", "basics"},
    "kernel": {"kernel", "models", "basics"},
    "native": {"native", "kernel", "domains", "engine", "models", "logic", "basics"},
    "directed": {"directed", "kernel", "models", "options", "basics", "engine"},
    "certify": {"certify", "logic", "models", "kernel", "basics"},
    "frontends": {"frontends", "problem", "models", "logic", "basics"},
}
SOLVERS = {"z3", "bitwuzla", "cvc5", "yices", "yices_api", "oxidd", "dd"}


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


def name_of(path: Path) -> str:
    parts = ("argosy", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


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
            parts.add(rest[0] if rest[0] in PLACE or (ROOT / rest[0]).exists() else "__init__")
    return parts


def graph(paths: Mapping[str, Path]) -> dict[str, set[str]]:
    """Which module imports which; of a package only what stands in its ``__init__`` counts as the package."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, path in paths.items():
        for imported in imports(path):
            if imported in paths and imported != name:
                found[name].add(imported)
        # ``from package import module`` loads the module; the package itself is meant only where it has the name.
        for imported in list(found[name]):
            if any(other.startswith(f"{imported}.") for other in found[name]) and _is_bare(paths[imported]):
                found[name].discard(imported)
    return found


def _is_bare(path: Path) -> bool:
    """A package whose ``__init__`` holds nothing but words."""
    return path.name == "__init__.py" and not list(imports(path))


def cycles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of more than one module (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(component) > 1:
                found.append(component)

    for node in list(edges):
        if node not in index:
            visit(node)
    return found


MODULES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_inwards(path: Path) -> None:
    part = part_of(path)
    assert part in PLACE, f"{part} has no place in the order"
    for other in imported_parts(path):
        assert other in PLACE, f"{other} has no place in the order"
        assert PLACE[other] <= PLACE[part], f"{part} may not import {other}"
        assert part not in ONLY or other in ONLY[part], f"{part} may not import {other}"


def test_there_are_no_cycles() -> None:
    assert cycles(graph({name_of(path): path for path in MODULES})) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_solvers_are_behind_the_contract(path: Path) -> None:
    packages = {name.split(".")[0] for name in imports(path)}
    assert part_of(path) == "logic" or not packages & SOLVERS


def test_a_class_name_means_one_thing() -> None:
    """Private names (``_Reader``) are nobody else's business."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_frozen_classes_are_made_by_our_own_decorator() -> None:
    """The standard one costs half a millisecond for each class at every start (``basics.records``)."""
    found = [path for path in MODULES if "dataclasses.dataclass" in imports(path) and path.name != "records.py"]
    assert not found


def test_every_part_is_in_the_readme() -> None:
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    assert [part for part in ORDER if not part.startswith("__") and f"`{part}/`" not in readme] == []


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
    (tmp_path / "domains" / "a.py").write_text("def f():\n    from argosy.domains import b\n")
    (tmp_path / "domains" / "b.py").write_text("import argosy.domains.a\n")
    loop = {name_of(path): path for path in (tmp_path / "domains").glob("[ab].py")}
    assert len(cycles(graph(loop))) == 1

"""What an analysis can do besides: who has which ability, and that nobody asks for one by its name."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.domains.blocks import BlockAnalysis
from argosy.domains.explicit import ExplicitAnalysis, ExplicitState
from argosy.domains.precision import Precision
from argosy.domains.unrolling import Unrolling
from argosy.engine.protocols import Abstracting, Claiming, Diverging, Located, Sheltering, TrackingTerms, Uniting
from argosy.models.cfa import Reading
from tests.models.automata import Sketch

ROOT = Path(argosy.__file__).parent


@pytest.mark.parametrize(
    ("who", "abilities"),
    [
        (BlockAnalysis, {Claiming, Uniting}),
        (ExplicitAnalysis, {Claiming, Sheltering, Diverging}),
        (Unrolling, set()),
        (Precision, {TrackingTerms}),
    ],
)
def test_who_can_do_what(who: type, abilities: set[Any]) -> None:
    assert {a for a in (Claiming, Uniting, Sheltering, Diverging, TrackingTerms) if issubclass(who, a)} == abilities


def test_states_at_a_location() -> None:
    sketch = Sketch(1)
    analysis = ExplicitAnalysis(sketch.cfa(), Reading.WRAP)
    assert isinstance(ExplicitState(sketch.locations[0], analysis.unknown), Located)
    assert not isinstance((sketch.locations[0], analysis.unknown), Located)
    assert not isinstance(analysis, Abstracting)


@pytest.mark.parametrize("part", ["engine", "domains", "refiners", "invariants", "backends"])
def test_abilities_are_protocols(part: str) -> None:
    """`hasattr` says nothing to a type checker; `getattr` is left for names of builders and members of modules."""
    for path in (ROOT / part).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                name = node.func.id
                assert name != "hasattr", f"{path}:{node.lineno}"
                named = name == "getattr" and ast.unparse(node.args[1]) == "'__name__'"
                found = name == "getattr" and ast.unparse(node.args[0]).startswith("import_module(")
                assert name != "getattr" or named or found, f"{path}:{node.lineno}"

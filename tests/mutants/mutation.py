"""Mutants: one function of Argosy with one piece of its text replaced, for the length of a ``with``.

A test suite is worth what it notices. Each mutant is a mistake somebody could make in the part that a verdict hangs
on; each has a detector, a quick function that fails under the mutant and not without it.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from argosy.basics.budget import OutOfBudget
from argosy.basics.errors import InputError
from argosy.logic.solver import SolverError

Detector = Callable[[], None]

BREAKS = (
    AssertionError, AttributeError, InputError, LookupError, OutOfBudget, RuntimeError, SolverError, TypeError,
    ValueError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """``target`` is ``module:function`` or ``module:Class.method``; ``old`` occurs in its text exactly once."""

    name: str
    target: str
    old: str
    new: str
    detector: Detector

    def __str__(self) -> str:
        return self.name


@contextmanager
def mutated(mutant: Mutant) -> Iterator[None]:
    module, owner, name, original = _find(mutant.target)
    source = textwrap.dedent(inspect.getsource(original))
    if source.count(mutant.old) != 1:
        raise LookupError(
            f"{mutant.target} has {source.count(mutant.old)} times {mutant.old!r}; the mutant is outdated"
        )
    namespace: dict[str, Any] = {}
    # Annotations are not evaluated, as in the module itself.
    code = compile("from __future__ import annotations\n" + source.replace(mutant.old, mutant.new), mutant.name, "exec")
    exec(code, module.__dict__ | {"__name__": module.__name__}, namespace)
    made = namespace[name]
    assert isinstance(made, FunctionType)
    replacement = FunctionType(made.__code__, module.__dict__, name, original.__defaults__, original.__closure__)
    replacement.__kwdefaults__ = original.__kwdefaults__
    places = _places(module, owner, name, original)
    for place in places:
        setattr(place, name, replacement)
    try:
        yield
    finally:
        for place in places:
            setattr(place, name, original)


def _find(target: str) -> tuple[ModuleType, Any, str, FunctionType]:
    where, _, path = target.partition(":")
    module = import_module(where)
    owner: Any = module
    *classes, name = path.split(".")
    for part in classes:
        owner = getattr(owner, part)
    original = vars(owner)[name]
    if not isinstance(original, FunctionType):
        raise LookupError(f"{target} is not a plain function")
    return module, owner, name, original


def _places(module: ModuleType, owner: Any, name: str, original: FunctionType) -> list[Any]:
    """The class, or every module (also of the tests) that imported the function by its name."""
    if owner is not module:
        return [owner]
    return [m for m in sys.modules.values() if isinstance(m, ModuleType) and vars(m).get(name) is original]


def caught(mutant: Mutant) -> bool:
    """Whether the detector notices: by an assertion, or because something else breaks."""
    with mutated(mutant):
        try:
            mutant.detector()
        except BREAKS:
            return True
    return False

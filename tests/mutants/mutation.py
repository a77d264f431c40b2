"""Mutants: one function of Argosy with one of its expressions or statements replaced, for the length of a ``with``.

A test suite is worth what it notices. Each mutant is a mistake somebody could make in the part that a verdict hangs
on; each has a detector, a quick function that fails under the mutant and not without it.

A mutant is keyed to a function and to what is said there, not to how it is written: ``old`` is matched against the
syntax tree, so that layout, comments and quotes do not matter, nor what a local variable is called (``syntax``).

A detector notices by an assertion. That something breaks tells nothing: it would have been seen at once, and the
mistake that is meant may be another one. Where an exception is the right answer, the mutant lists it.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from .syntax import replaced

Detector = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """``target`` is ``module:function`` or ``module:Class.method``; ``old`` is an expression, a statement or a case of
    it, the ``nth`` one of that form (0: there is only one), and ``new`` stands in its place. ``breaks`` are exceptions
    by which the mistake shows itself."""

    name: str
    target: str
    old: str
    new: str
    detector: Detector
    nth: int = 0
    breaks: tuple[type[Exception], ...] = ()

    def __str__(self) -> str:
        return self.name


@contextmanager
def mutated(mutant: Mutant) -> Iterator[None]:
    module, owner, name, original = _find(mutant.target)
    tree = ast.parse(textwrap.dedent(inspect.getsource(original)))
    outer = frozenset(vars(module)) | frozenset(original.__code__.co_freevars)
    changed = replaced(tree, mutant.old, mutant.new, mutant.nth, outer, mutant.target)
    # Annotations are not evaluated, as in the module itself.
    changed.body.insert(0, ast.ImportFrom("__future__", [ast.alias("annotations")], 0))
    code = compile(ast.fix_missing_locations(changed), mutant.name, "exec")
    namespace: dict[str, Any] = {}
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
    """Whether the detector notices: by an assertion, or as the mutant says. Anything else that breaks is raised."""
    with mutated(mutant):
        try:
            mutant.detector()
        except Exception as noticed:
            if isinstance(noticed, (AssertionError, *mutant.breaks)):
                return True
            raise
    return False

"""Mutants of the C front end, made by rule: wherever a mistake of a kind can be made, there is a mutant.

Nobody writes these mutants down: they are read off the source, so that there are some whatever the front end looks
like. Each is judged by the facts of ``rules`` whose programs call the function that it changes, in a process of its
own: a mutant is *killed* when a fact of C turns out false in the model. That it crashes, or is refused, or never ends
does not count: it would have been seen at once.

    python -m tests.mutants.front_end --count 400 --seed 1    # a table: which rule kills how many
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import inspect
import os
import pkgutil
import re
import select
import signal
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from types import FrameType, FunctionType, ModuleType
from typing import Any

import argosy.frontends.c as front_end
from argosy.basics.errors import InputError
from tests.fuzz.execution import compare

from .mutation import _places
from .rules import rules

# Seconds that the facts may take under a mutant; without one they take less than two.
PATIENCE = 20.0
# What is about wording, and what is about reading text.
OUTSIDE = ("render", "spelling", "print", "original", "unsupported", "format", "preprocessor", "lexer", "tokens")

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift,
}  # fmt: skip
_NAMES = {
    "sign_extend": "zero_extend", "zero_extend": "sign_extend", "and_": "or_", "or_": "and_", "eq": "ne", "ne": "eq",
    "conjunction": "disjunction", "disjunction": "conjunction",
}  # fmt: skip
_WORDS = {
    "bvslt": "bvult", "bvult": "bvslt", "bvsle": "bvule", "bvule": "bvsle", "bvashr": "bvlshr", "bvlshr": "bvashr",
    "bvsdiv": "bvudiv", "bvudiv": "bvsdiv", "bvsrem": "bvurem", "bvurem": "bvsrem", "bvadd": "bvsub", "bvsub": "bvadd",
    "bvand": "bvor", "bvor": "bvxor", "bvxor": "bvand", "bvshl": "bvlshr", "+": "-", "-": "+", "&&": "||", "||": "&&",
    "++": "--", "<": "<=", ">": ">=", "==": "!=", "int": "long", "char": "signed char", "struct": "union",
}  # fmt: skip


_SHARP = re.compile(r"^'bv|(sign|zero)_extend$|\.signed$|^(?!if ).*(\.ite|convert|promote|common)\(")


@dataclass(frozen=True, slots=True)
class Change:
    """The ``nth`` place of a function where a mistake can be made, with what stands there and what then does."""

    module: str
    path: str
    nth: int
    old: str
    new: str

    @property
    def sharp(self) -> bool:
        """Whether the mistake is about a type, a conversion or an operation on bits: most of these are noticed."""
        return _SHARP.search(self.old) is not None

    def __str__(self) -> str:
        return f"{self.module.removeprefix('argosy.frontends.c.')}:{self.path}: {self.old} -> {self.new}"


@functools.cache
def callers() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """For each function of the front end the rules whose programs make it run."""
    known = {function.__code__: (m.__name__, path) for m in _modules() for path, function in _functions(m)}
    found: dict[tuple[str, str], dict[str, None]] = {}

    def note(rule: str, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in known:
            found.setdefault(known[frame.f_code], {})[rule] = None

    try:
        for name, rule in rules().items():
            threading.setprofile(functools.partial(note, name))  # the front end reads in a thread of its own
            compare(rule.text, rule.expected, rule.data_model)
    finally:
        threading.setprofile(None)
    return {function: tuple(names) for function, names in found.items()}


def changes() -> list[Change]:
    """All mutants of functions that run, in the order of the source."""
    return [
        Change(module.__name__, path, nth, _short(old), _short(new))
        for module in _modules()
        for path, function in _functions(module)
        if (module.__name__, path) in callers()
        for nth, (old, new) in enumerate(_mistakes(_tree(function)))
    ]


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(front_end.__path__, f"{front_end.__name__}."):
        if found.name.rpartition(".")[2] not in OUTSIDE:
            yield import_module(found.name)


def _functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and value.__name__ == name:
            yield name, value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for inner, method in vars(value).items():
                if isinstance(method, FunctionType) and method.__module__ == module.__name__ and inner[:2] != "__":
                    yield f"{name}.{inner}", method


def _tree(function: FunctionType) -> ast.Module:
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def _short(node: ast.AST) -> str:
    text = ast.unparse(node).replace("\n", " ")
    return text if len(text) <= 100 else f"{text[:97]}..."


# ---- the kinds of mistakes ---------------------------------------------------------------------------------------


def _mistakes(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The nodes where a mistake can be made, each with what may stand there instead."""
    [function] = tree.body  # type: ignore[attr-defined]
    assert isinstance(function, ast.FunctionDef)
    for statement in function.body:
        for node in ast.walk(statement):
            if not _about_words(node):
                yield from ((node, new) for new in _instead(node))


def _about_words(node: ast.AST) -> bool:
    return isinstance(node, ast.Raise | ast.JoinedStr | ast.FormattedValue | ast.Assert)


def _instead(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARISONS:
            yield ast.Compare(left, [_COMPARISONS[type(operator)]()], [right])
        case ast.BoolOp(operator_, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator_, ast.And) else ast.And(), values)
            yield ast.BoolOp(operator_, values[1:]) if len(values) > 2 else values[1]
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
            yield body
            yield orelse
        case ast.BinOp(left, operation, right) if type(operation) in _OPERATORS:
            yield ast.BinOp(left, _OPERATORS[type(operation)](), right)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(str() as word) if word in _WORDS:
            yield ast.Constant(_WORDS[word])
        case ast.Attribute(value, "signed", context):
            yield ast.UnaryOp(ast.Not(), node)
        case ast.Attribute(value, name, context) if name in _NAMES:
            yield ast.Attribute(value, _NAMES[name], context)
        case ast.Call(function, [a, b, c], []) if _called(function) == "ite":
            yield ast.Call(function, [a, c, b], [])
        case ast.Call(function, [a, b], []) if _called(function) in ("sub", "bit", "concat", "le", "lt", "common"):
            yield ast.Call(function, [b, a], [])
        case ast.Call(function, [value, *_], _) if _called(function) in ("convert", "promote", "save", "protect"):
            yield value
        case ast.Expr(ast.Call()):
            yield ast.Pass()
        case ast.If(test, body, []):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, [])
        case ast.AugAssign(target, operation, value) if type(operation) in _OPERATORS:
            yield ast.AugAssign(target, _OPERATORS[type(operation)](), value)


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


# ---- one mutant --------------------------------------------------------------------------------------------------


def apply(change: Change) -> None:
    """Make the mistake, in this process and for good. Raises LookupError where it cannot be made."""
    module = import_module(change.module)
    owner: Any = module
    *classes, name = change.path.split(".")
    for part in classes:
        owner = getattr(owner, part, None)
    original = vars(owner).get(name) if owner is not None else None
    if not isinstance(original, FunctionType):
        raise LookupError(f"outdated: there is no {change.module}:{change.path}")
    tree = _tree(original)
    places = list(_mistakes(tree))
    if change.nth >= len(places) or _short(places[change.nth][0]) != change.old:
        raise LookupError(f"outdated: {change}")
    old, new = places[change.nth]
    # The new node holds parts of the old one: a copy must not be taken apart below itself.
    changed = _Exchange(old, copy.deepcopy(new)).visit(tree)
    changed.body.insert(0, ast.ImportFrom("__future__", [ast.alias("annotations")], 0))
    namespace: dict[str, Any] = {}
    code = compile(ast.fix_missing_locations(changed), str(change), "exec")
    exec(code, module.__dict__ | {"__name__": module.__name__}, namespace)
    made = namespace[name]
    if made.__code__.co_freevars != original.__code__.co_freevars:
        raise LookupError(f"{change}: the function is part of another one")
    replacement = FunctionType(made.__code__, module.__dict__, name, original.__defaults__, original.__closure__)
    replacement.__kwdefaults__ = original.__kwdefaults__
    for place in _places(module, owner, name, original):
        setattr(place, name, replacement)


class _Exchange(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self._new if node is self._old else self.generic_visit(node)


def verdict(names: Iterable[str]) -> str:
    """What the facts of some rules say: ``killed`` and the rule, ``survives``, or why nothing is said."""
    ending = "survives"
    for name in names:
        rule = rules()[name]
        found = compare(rule.text, rule.expected, rule.data_model)
        if found.kind in ("wrong", "undefined", "stops", "open", "error"):
            return f"killed: {rule.name}"
        if found.kind:
            ending = "refused" if found.kind == "refused" or InputError.__name__ in found.detail else found.kind
        if ending in ("crash", "endless"):
            break
    return ending


def judged(change: Change | None) -> str:
    """The verdict on a mutant, or on the front end as it is, from a process of its own."""
    names = callers()[change.module, change.path] if change is not None else tuple(rules())
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        answer = "crash"
        try:
            if change is not None:
                apply(change)
            answer = verdict(names)
        except LookupError as error:
            answer = str(error) if "outdated" in str(error) or "part of another" in str(error) else "crash"
        except Exception as error:  # noqa: BLE001 (whatever a mutant breaks)
            answer = f"crash: {type(error).__name__}"
        finally:
            os.write(writing, answer.encode()[:4000])
            os._exit(0)
    os.close(writing)
    return _awaited(child, reading)


def _awaited(child: int, reading: int) -> str:
    ready, _, _ = select.select([reading], [], [], PATIENCE)
    answer = os.read(reading, 4096).decode() if ready else "endless"
    os.close(reading)
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return answer or "crash"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.front_end", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="mutants, drawn at random; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sharp", action="store_true", help="only those about types and bits")
    parser.add_argument("--least", type=int, default=0, help="that must be killed")
    parser.add_argument("--show", choices=["killed", "survives", "refused", "crash", "endless"], default="survives")
    options = parser.parse_args(arguments)
    every = [change for change in changes() if change.sharp or not options.sharp]
    chosen = every if not options.count else Random(options.seed).sample(every, min(options.count, len(every)))
    by_rule: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    started = time.monotonic()
    for number, change in enumerate(chosen, 1):
        answer = judged(change)
        kind, _, rule = answer.partition(": ")
        kinds[kind] += 1
        if kind == "killed":
            by_rule[rule] += 1
        if kind == options.show:
            print(f"{answer}: {change}", flush=True)
        if number % 100 == 0:
            print(f"{number} of {len(chosen)} (of {len(every)}): {dict(kinds)}", flush=True)
    for name in rules():
        print(f"{by_rule[name]:6} killed by: {name}")
    print(f"{len(chosen)} of {len(every)} mutants in {time.monotonic() - started:.0f} s: {dict(kinds)}")
    return 0 if kinds["killed"] >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())

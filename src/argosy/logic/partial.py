"""Evaluation of terms in states that know only some values: compiled, three-valued, None for unknown.

A state may also know that a variable has any value but one (``Other``), which decides equalities with that value and
is handed on by copies, and of an array some elements (``Elements``). Connectives are Kleene's: a conjunction with a
false part is false whatever the rest. A choice (``ite``) needs its condition and what that chooses. Other operators
need all their arguments. Law: a result that is not None holds under every completion of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from argosy.logic.compile import compile_term
from argosy.logic.semantics import ArrayValue, Value, apply
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, variables

Partial = Sequence[Value]  # None stands for unknown


class Other:
    """Any value but one. Comparing it with a value gives False where they cannot be equal, otherwise None."""

    __slots__ = ("excluded",)

    def __init__(self, excluded: Value) -> None:
        self.excluded = excluded

    def __eq__(self, other: object) -> Any:
        if other.__class__ is Other:
            return self.excluded == other.excluded
        return False if other == self.excluded else None

    def __hash__(self) -> int:
        return hash((Other, self.excluded))

    def __repr__(self) -> str:
        return f"not {self.excluded}"


MOST_ELEMENTS = 1_024


class Elements:
    """An array of which not all elements are known: ``default`` everywhere but at the ``stored`` indices, None where
    nothing is known. Equal where the same is known; nobody compares it with an array."""

    __slots__ = ("_hash", "default", "stored")

    def __init__(self, default: Value, stored: Mapping[Value, Value]) -> None:
        self.default = default
        self.stored = stored
        self._hash = hash((default, frozenset(stored.items())))

    def __eq__(self, other: object) -> bool:
        return other.__class__ is Elements and self.default == other.default and self.stored == other.stored

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"{dict(self.stored)} else {self.default}"


def _known_elements(array: Value) -> tuple[Value, Mapping[Value, Value]]:
    return (None, {}) if array is None else (array.default, array.stored)


def _select(values: tuple[Value, Value]) -> Value:
    """An element, as far as the array and the index are known."""
    array, index = values
    if array is None or index.__class__ in OPEN:
        return None
    return array.stored.get(index, array.default)


def _store(values: tuple[Value, Value, Value]) -> Value:
    """The array with another element; None where nothing is known any more."""
    array, index, value = values
    if index.__class__ in OPEN:
        return None
    value = None if value.__class__ in OPEN else value
    if array.__class__ is ArrayValue and value is not None:
        return array.store(index, value)
    default, stored = _known_elements(array)
    changed = {**stored, index: value}
    if value == default:
        del changed[index]
    if len(changed) > MOST_ELEMENTS or (default is None and not changed):
        return None
    return Elements(default, changed)


OPEN = frozenset((type(None), Other, Elements))
"""The classes of what stands for more than one value."""

Evaluator = Callable[[Partial], Value]


def compile_partial(term: Term, slots: Mapping[Term, int]) -> Evaluator:
    """The value of ``term`` in a partial state, or None. Every variable of the term has a slot."""
    lines: list[str] = []
    names: dict[Term, str] = {}
    namespace: dict[str, object] = {"_OPEN": OPEN}
    choosing = choosing_subterms(term)
    stack = [term]
    while stack:
        top = stack[-1]
        if top in names:
            stack.pop()
            continue
        connective = top.op in ("and", "or", "not")
        missing = [a for a in top.args if a not in names] if connective or top in choosing else []
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        name = names[top] = f"t{len(names)}"
        if connective:
            lines.append(f"{name} = {_connective(top, [names[a] for a in top.args])}")
        elif top.op == "ite" and top in choosing:
            condition, yes, no = (names[a] for a in top.args)
            agree = f"({yes} if {yes}.__class__ not in _OPEN and {yes} == {no} else None)"
            lines.append(f"{name} = {agree} if {condition} is None else {yes} if {condition} else {no}")
        elif top in choosing and top.op in _OF_ARRAYS:
            function = f"f{len(names)}"
            namespace[function] = _OF_ARRAYS[top.op]
            lines.append(f"{name} = {function}(({', '.join(names[a] for a in top.args)},))")
        elif top in choosing:
            function = f"f{len(names)}"
            namespace[function] = partial(apply, top.op, top.payload, tuple(a.sort for a in top.args))
            args = ", ".join(names[a] for a in top.args)
            unknown = " or ".join(f"{names[a]}.__class__ in _OPEN" for a in top.args)
            lines.append(f"{name} = None if {unknown} else {function}(({args},))")
        elif top.op == "var":
            lines.append(f"{name} = v[{slots[top]}]")
        elif compares(top):
            one, other = top.args if top.args[0].op == "var" else top.args[::-1]
            constant = f"c{len(names)}"
            namespace[constant] = other.payload
            slot = slots[one]
            lines.append(f"{name} = None if v[{slot}] is None else v[{slot}] == {constant}")
        else:
            function = f"f{len(names)}"
            namespace[function] = compile_term(top, slots)
            unknown = " or ".join(
                f"v[{slots[x]}].__class__ in _OPEN" for x in sorted(variables(top), key=lambda x: x.id)
            )
            lines.append(f"{name} = None if {unknown} else {function}(v)" if unknown else f"{name} = {function}(v)")
    body = "\n    ".join([*lines, f"return {names[term]}"])
    exec(f"def evaluate(v):\n    {body}", namespace)
    evaluator: Evaluator = namespace["evaluate"]  # type: ignore[assignment]
    return evaluator


def choosing_subterms(term: Term) -> set[Term]:
    """The subterms in which a choice between more than constants is made: they may have a value where a variable of
    theirs has none. None where something is divided: what a choice does not take is computed all the same."""
    found: set[Term] = set()
    if not _has_choices(term):
        return found
    for sub in postorder(term):
        if sub.op in ("div", "mod", "/"):
            return set()
        own = sub.op in _OF_ARRAYS or (sub.op == "ite" and any(a.op != "const" for a in sub.args[1:]))
        if own or any(a in found for a in sub.args):
            found.add(sub)
    return found


def _has_choices(term: Term) -> bool:
    """Most terms have none, which takes less than an order of their parts."""
    stack, seen = [term], {term}
    while stack:
        top = stack.pop()
        if top.op == "ite" or top.op in _OF_ARRAYS:
            return True
        for arg in top.args:
            if arg.args and arg not in seen:
                seen.add(arg)
                stack.append(arg)
    return False


_OF_ARRAYS: dict[str, Callable[[Any], Value]] = {"select": _select, "store": _store}


def compares(term: Term) -> bool:
    return term.op == "=" and {arg.op for arg in term.args} == {"var", "const"}


def _connective(term: Term, args: list[str]) -> str:
    if term.op == "not":
        return f"None if {args[0]} is None else not {args[0]}"
    decisive, other = ("False", "True") if term.op == "and" else ("True", "False")
    listed = f"({', '.join(args)},)"
    return f"{decisive} if {decisive} in {listed} else None if None in {listed} else {other}"


def reason(term: Term, state: Partial, slots: Mapping[Term, int]) -> set[Term]:
    """Variables whose values in ``state`` alone give ``term`` the value it has there (which is not None). Small,
    not minimal: of several decisive parts the one with the fewest variables is taken."""
    needed: set[Term] = set()
    choosing = choosing_subterms(term)
    stack = [term]
    while stack:
        top = stack.pop()
        if top.op == "ite" and top in choosing:
            condition, yes, no = top.args
            decided = compile_partial(condition, slots)(state)
            stack.extend((yes, no) if decided is None else (condition, yes if decided else no))
        elif top in choosing and top.op not in ("and", "or", "not"):
            stack.extend(top.args)
        elif top.op == "not":
            stack.append(top.args[0])
        elif top.op in ("and", "or"):
            decisive = top.op == "or"
            deciding = [a for a in top.args if compile_partial(a, slots)(state) is decisive]
            if deciding:
                stack.append(min(deciding, key=lambda a: (len(variables(a) - needed), a.id)))
            else:
                stack.extend(top.args)
        else:
            needed |= variables(top)
    return needed

"""Terms as Python functions: straight-line source, generated once, over a sequence of values.

A *layout* (``slots``) says at which index of the state the value of a variable stands. ``compile_terms`` gives a
function from a state to the values of several terms, ``compile_update`` one from a state to the next state or to
the first guard that is false. Shared and deep subterms become local variables, so that neither time nor the depth
of the generated expressions grows with the unfolded size of a term.

Law: the compiled function agrees with ``traverse.evaluate`` wherever the latter is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from argosy.logic import semantics
from argosy.logic.semantics import BIT_OPERATORS, Value
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder

State = Sequence[Value]

# CPython refuses deeply nested expressions; a subterm this deep becomes a local variable.
_DEEPEST = 12
_WIDEST = 40
# Larger numbers are not written out: CPython refuses numerals of thousands of digits.
_WRITTEN = 1 << 256


def compile_term(term: Term, slots: Mapping[Term, int]) -> Callable[[State], Value]:
    """The value of ``term`` in a state. KeyError for a variable without a slot."""
    source = _Source(slots)
    source.translate((term,))
    return source.function(f"return {source.expression[term]}")


def compile_terms(outputs: Sequence[Term], slots: Mapping[Term, int]) -> Callable[[State], tuple[Value, ...]]:
    """The values of all ``outputs`` in a state, their common subterms evaluated once."""
    source = _Source(slots)
    source.translate(outputs)
    return source.function(f"return ({''.join(source.expression[t] + ', ' for t in outputs)})")


def compile_update(
    guards: Sequence[Term], assignments: Sequence[tuple[int, Term]], slots: Mapping[Term, int], width: int
) -> Callable[[tuple[Value, ...]], tuple[Value, ...] | int]:
    """The next state, in which each ``(slot, term)`` of ``assignments`` holds at once, or, where a guard is false,
    the index of the first such guard. A state has ``width`` values."""
    source = _Source(slots)
    for index, guard in enumerate(guards):
        source.translate((guard,))
        source.lines.append(f"if not {source.expression[guard]}: return {index}")
    source.translate([value for _, value in assignments])
    pieces = []
    start = 0
    for slot, value in sorted(assignments, key=lambda pair: pair[0]):
        if slot > start:
            pieces.append(f"*v[{start}:{slot}]")
        pieces.append(source.expression[value])
        start = slot + 1
    if not start:
        return source.function("return v")
    if start < width:
        pieces.append(f"*v[{start}:{width}]")
    return source.function(f"return ({', '.join(pieces)},)")


class _Source:
    """The body of one function. ``expression`` maps a term that was translated to Python source for its value."""

    def __init__(self, slots: Mapping[Term, int]) -> None:
        self.slots = slots
        self.lines: list[str] = []
        self.expression: dict[Term, str] = {}
        self.depth: dict[Term, int] = {}
        self.constants: dict[str, Any] = {"_apply": semantics.apply}

    def translate(self, roots: Sequence[Term]) -> None:
        order = list(postorder(*roots))
        uses: dict[Term, int] = {}
        for term in order:
            for arg in term.args:
                uses[arg] = uses.get(arg, 0) + 1
        for term in order:
            if term in self.expression:
                continue
            code = self._code(term)
            depth = 1 + max((self.depth[a] for a in term.args), default=0)
            if term.args and (uses.get(term, 0) > 1 or depth > _DEEPEST):
                code, depth = self._local(code), 0
            self.expression[term], self.depth[term] = code, depth

    def function(self, last: str) -> Callable[[Any], Any]:
        body = "\n    ".join([*self.lines, last])
        namespace = dict(self.constants)
        exec(f"def compiled(v):\n    {body}", namespace)
        compiled: Callable[[Any], Any] = namespace["compiled"]
        return compiled

    def _local(self, code: str) -> str:
        name = f"t{len(self.lines)}"
        self.lines.append(f"{name} = {code}")
        return name

    def _constant(self, value: object) -> str:
        name = f"k{len(self.constants)}"
        self.constants[name] = value
        return name

    def _code(self, term: Term) -> str:
        if term.op == "var":
            return f"v[{self.slots[term]}]"
        if term.op == "const":
            simple = isinstance(term.payload, bool | int)
            return repr(term.payload) if simple and 0 <= term.payload < _WRITTEN else self._constant(term.payload)
        args = [self.expression[a] for a in term.args]
        match term.op:
            case "not":
                return f"(not {args[0]})"
            case "and" | "or":
                return f"({f' {term.op} '.join(args)})"
            case "=" if term.args[0].sort.index is None:
                return f"({args[0]} == {args[1]})"
            case "<=" | "<":
                return f"({args[0]} {term.op} {args[1]})"
            case "ite":
                return f"({args[1]} if {args[0]} else {args[2]})"
            case "+" | "*":
                while len(args) > _WIDEST:
                    args = [self._local(f"({f' {term.op} '.join(args[:_WIDEST])})"), *args[_WIDEST:]]
                return f"({f' {term.op} '.join(args)})"
            case "zero_extend":
                return args[0]
            case "extract":
                high, low = term.payload
                shifted = f"{args[0]} >> {low}" if low else args[0]
                return f"({shifted} & {(1 << (high - low + 1)) - 1})"
            case "sign_extend":
                width, by = term.args[0].sort.width, term.payload
                # Moving the sign bit up and back again: (a ^ h) - h is the signed reading.
                return f"(({args[0]} ^ {1 << (width - 1)}) - {1 << (width - 1)} & {(1 << (width + by)) - 1})"
        if term.op in BIT_OPERATORS:
            return self._bit_code(term, args)
        sorts = self._constant(tuple(a.sort for a in term.args))
        payload = self._constant(term.payload)
        return f"_apply({term.op!r}, {payload}, {sorts}, ({''.join(a + ', ' for a in args)}))"

    def _bit_code(self, term: Term, args: list[str]) -> str:
        sort: Sort = term.args[0].sort
        width = sort.width
        full = (1 << width) - 1
        half = 1 << (width - 1)
        infix = {"bvadd": "+", "bvsub": "-", "bvmul": "*"}
        plain = {"bvand": "&", "bvor": "|", "bvxor": "^", "bvult": "<", "bvule": "<="}
        if term.op in infix:
            return f"({args[0]} {infix[term.op]} {args[1]} & {full})"
        if term.op in plain:
            return f"({args[0]} {plain[term.op]} {args[1]})"
        match term.op:
            case "bvneg":
                return f"(-{args[0]} & {full})"
            case "bvnot":
                return f"({args[0]} ^ {full})"
            case "bvslt" | "bvsle":
                # Flipping the sign bit turns the signed order into the unsigned one.
                a, b = (
                    str(x.payload ^ half) if x.op == "const" else f"({code} ^ {half})"
                    for x, code in zip(term.args, args, strict=True)
                )
                return f"({a} {'<' if term.op == 'bvslt' else '<='} {b})"
            case "bvshl" | "bvlshr" if term.args[1].op == "const" and term.args[1].payload < width:
                if term.op == "bvshl":
                    return f"({args[0]} << {args[1]} & {full})"
                return f"({args[0]} >> {args[1]})"
        function = self._constant(BIT_OPERATORS[term.op])
        return f"{function}({', '.join(args)}, {width})"

"""Operations on words as code of ``cpp/valuation.hpp``: three-valued, as ``logic.partial`` compiles them for Python.

Law: what the code computes from what is known of the variables is what ``compile_partial`` computes from it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping

from argosy.basics.records import dataclass, field
from argosy.kernel import _valuation
from argosy.logic.partial import choosing_subterms, compares
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, postorder

WORD = 64

_OP = _valuation.OPCODES
_CONNECTIVES = {"and": "bvand", "or": "bvor", "not": "bvnot"}
_WORDS = frozenset(name for name in _OP if name.startswith("bv")) | {"=", "ite", "concat", "extract", "sign_extend"}
_KNOWN = _WORDS | {"and", "or", "not", "zero_extend", "var", "const"}


def is_word(sort: Sort) -> bool:
    return sort is BOOL or (sort.is_bits and sort.width <= WORD)


def are_words(terms: Iterable[Term]) -> bool:
    """Whether there is code for terms."""
    return all(is_word(term.sort) and term.op in _KNOWN for term in postorder(*terms))


@dataclass(frozen=True, slots=True)
class EdgeCode:
    """The code of an edge: up to ``condition`` what must hold, and then what each slot of ``writes`` changes to: the
    first and the last instruction, and the register where it is found (``NOTHING``: anything)."""

    instructions: bytes
    condition: int
    writes: list[tuple[int, int, int, int]]


@dataclass(slots=True)
class WordAssembler:
    """Registers are the slots, then constants and what is computed, as they come; all edges share them. ``constants``
    are the words of which the machine has not been told yet."""

    slots: Mapping[Term, int]
    registers: int = 0
    constants: list[tuple[int, int]] = field(default_factory=list)
    _places: dict[int, int] = field(default_factory=dict)
    _pool: list[int] = field(default_factory=list)
    _used: int = 0
    _code: array[int] = field(default_factory=lambda: array("I"))
    _loose: dict[Term, int] = field(default_factory=dict)
    _strict: dict[Term, int] = field(default_factory=dict)
    _choosing: set[Term] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.registers = len(self.slots)

    def edge(self, condition: Term, writes: Iterable[tuple[int, Term | None]]) -> EdgeCode:
        self._code = array("I")
        self._used = 0
        self._loose, self._strict = {}, {}
        for part in conjuncts(condition):
            self._require(part)
        required = self._length()
        found = []
        loose, strict = self._loose, self._strict
        for slot, value in writes:
            # What the condition needed is computed; what another new value needed may not be.
            self._loose, self._strict = dict(loose), dict(strict)
            first = self._length()
            register = _valuation.NOTHING if value is None else self._evaluated(value)
            found.append((slot, first, self._length(), register))
        return EdgeCode(self._code.tobytes(), required, found)

    def _length(self) -> int:
        return len(self._code) // 6

    def _new(self) -> int:
        if self._used == len(self._pool):
            self._pool.append(self.registers)
            self.registers += 1
        self._used += 1
        return self._pool[self._used - 1]

    def _constant(self, value: int) -> int:
        place = self._places.get(value)
        if place is None:
            place = self._places[value] = self.registers
            self.registers += 1
            self.constants.append((place, value))
        return place

    def _emit(self, op: str, width: int, to: int, a: int, b: int | None = None, c: int = 0) -> int:
        # An operator with one argument has it twice: both must be known.
        self._code.extend((_OP[op], width, to, a, a if b is None else b, c))
        return to

    def _require(self, part: Term) -> None:
        equal = part.args[0] if part.op == "not" else part
        if compares(equal):
            variable, constant = equal.args if equal.args[0].op == "var" else equal.args[::-1]
            op = "holds-equal" if equal is part else "holds-not-equal"
            self._emit(op, 1, 0, self.slots[variable], self._constant(int(constant.payload)))
        else:
            self._emit("holds", 1, 0, self._evaluated(part))

    def _evaluated(self, root: Term) -> int:
        """The register of a term that has a value wherever its choices and connectives give it one."""
        self._choosing = choosing_subterms(root)
        stack = [root]
        while stack:
            top = stack[-1]
            if top in self._loose:
                stack.pop()
                continue
            inner = top.op in ("and", "or", "not") or top in self._choosing
            missing = [a for a in top.args if a not in self._loose] if inner else []
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self._loose[top] = self._translated(top, inner)
        return self._loose[root]

    def _translated(self, term: Term, inner: bool) -> int:
        if not inner:
            if compares(term):
                variable, constant = term.args if term.args[0].op == "var" else term.args[::-1]
                return self._emit("equals", 1, self._new(), self.slots[variable], self._constant(int(constant.payload)))
            return self._computed(term)
        args = [self._loose[a] for a in term.args]
        match term.op:
            case "not":
                return self._emit("not", 1, self._new(), args[0])
            case "and" | "or":
                return self._joined(term.op, args)
            case "ite":
                return self._emit("choose", 1, self._new(), *args)
        return self._word(term, args)

    def _joined(self, op: str, args: list[int]) -> int:
        whole = args[0]
        for other in args[1:]:
            whole = self._emit(op, 1, self._new(), whole, other)
        return whole

    def _computed(self, root: Term) -> int:
        """The register of a term that has a value where all its variables have one."""
        known = self._strict
        for term in postorder(root):
            if term in known:
                continue
            if term.op == "var":
                known[term] = self.slots[term]
            elif term.op == "const":
                known[term] = self._constant(int(term.payload))
            else:
                known[term] = self._word(term, [known[a] for a in term.args])
        return known[root]

    def _word(self, term: Term, args: list[int]) -> int:
        width = _width((term.args[0] if term.args else term).sort)
        match term.op:
            case "and" | "or":
                return self._joined(_CONNECTIVES[term.op], args)
            case "not":
                return self._emit("bvnot", 1, self._new(), args[0])
            case "zero_extend":
                return self._emit("copy", width, self._new(), args[0])
            case "sign_extend":
                return self._emit("sign_extend", width, self._new(), args[0], None, _width(term.sort))
            case "extract":
                return self._emit("extract", _width(term.sort), self._new(), args[0], None, term.payload[1])
            case "concat":
                return self._emit("concat", _width(term.args[1].sort), self._new(), *args)
        return self._emit(term.op, width, self._new(), *args)


def _width(sort: Sort) -> int:
    return 1 if sort is BOOL else sort.width

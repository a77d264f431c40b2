"""A transition system as BTOR2; ``read_btor2`` reads it back. Booleans are words of one bit.

BTOR2 has functions only: what a system says by ``initial`` or ``relation`` is said by states of its own
(``System.functional``).
"""

from __future__ import annotations

from argosy.basics.errors import UnsupportedError
from argosy.basics.position import Position
from argosy.logic.graph import postorder
from argosy.logic.sorts import BOOL, Sort
from argosy.logic.terms import Term
from argosy.models.system import System

_SAME = {
    "bvadd": "add",
    "bvsub": "sub",
    "bvmul": "mul",
    "bvand": "and",
    "bvor": "or",
    "bvxor": "xor",
    "bvshl": "sll",
    "bvlshr": "srl",
    "bvashr": "sra",
    "bvudiv": "udiv",
    "bvurem": "urem",
    "bvsdiv": "sdiv",
    "bvsrem": "srem",
    "bvult": "ult",
    "bvslt": "slt",
    "bvnot": "not",
    "bvneg": "neg",
    "=": "eq",
    "not": "not",
    "ite": "ite",
    "concat": "concat",
    "select": "read",
    "store": "write",
}


def write_btor2(system: System) -> str:
    """Raises UnsupportedError for what words and arrays cannot say."""
    return _Writer(system.functional()).text()


class _Writer:
    def __init__(self, system: System) -> None:
        self._system = system
        self._lines: list[str] = []
        self._sorts: dict[Sort, int] = {}
        self._numbers: dict[Term, int] = {}

    def _line(self, text: str) -> int:
        self._lines.append(f"{len(self._lines) + 1} {text}")
        return len(self._lines)

    def _refusal(self, what: object) -> UnsupportedError:
        return UnsupportedError(Position(self._system.path, 0), f"{what} in BTOR2")

    def text(self) -> str:
        system = self._system
        for each in system.inputs:
            self._numbers[each.term] = self._line(f"input {self._sort(each.term.sort)} {_symbol(each.name)}")
        for state in system.states:
            # A first value stands before its state.
            filled = None
            if state.initial is not None and state.initial.op == "const-array":
                filled = self._number(state.initial.args[0])
            elif state.initial is not None:
                self._number(state.initial)
            own = self._line(f"state {self._sort(state.term.sort)} {_symbol(state.name)}")
            self._numbers[state.term] = own
            if state.initial is not None:
                first = self._number(state.initial) if filled is None else filled
                self._line(f"init {self._sort(state.term.sort)} {own} {first}")
        for state in system.states:
            if state.next is not None:
                following = self._number(state.next)
                self._line(f"next {self._sort(state.term.sort)} {self._numbers[state.term]} {following}")
        for constraint in system.constraints:
            self._line(f"constraint {self._number(constraint)}")
        for bad in system.bad:
            self._line(f"bad {self._number(bad.term)} {_symbol(bad.name)}")
        return "".join(f"{line}\n" for line in self._lines)

    def _sort(self, sort: Sort) -> int:
        if sort not in self._sorts:
            if sort.element is not None and sort.index is not None:
                index, element = self._sort(sort.index), self._sort(sort.element)
                self._sorts[sort] = self._line(f"sort array {index} {element}")
            elif sort is BOOL or sort.is_bits:
                width = 1 if sort is BOOL else sort.width
                known = next((n for s, n in self._sorts.items() if (1 if s is BOOL else s.width) == width), None)
                self._sorts[sort] = self._line(f"sort bitvec {width}") if known is None else known
            else:
                raise self._refusal(f"values of sort {sort}")
        return self._sorts[sort]

    def _number(self, term: Term) -> int:
        for sub in postorder(term):
            if sub not in self._numbers:
                self._numbers[sub] = self._node(sub)
        return self._numbers[term]

    def _node(self, term: Term) -> int:
        sort, args = self._sort(term.sort), [self._numbers[arg] for arg in term.args]
        match term.op:
            case "const" if term.sort is BOOL:
                return self._line(f"{'one' if term.value else 'zero'} {sort}")
            case "const":
                return self._line(f"constd {sort} {term.value}")
            case "and" | "or":
                joined = args[0]
                for arg in args[1:]:
                    joined = self._line(f"{term.op} {sort} {joined} {arg}")
                return joined
            case "extract":
                high, low = term.payload
                return self._line(f"slice {sort} {args[0]} {high} {low}")
            case "zero_extend" | "sign_extend":
                return self._line(f"{'uext' if term.op == 'zero_extend' else 'sext'} {sort} {args[0]} {term.payload}")
        if term.op not in _SAME or (term.op == "=" and term.args[0].sort.is_numeric):
            raise self._refusal(f"the operator {term.op}")
        return self._line(f"{_SAME[term.op]} {sort} {' '.join(map(str, args))}")


def _symbol(name: str) -> str:
    return "_".join(name.replace(";", "_").split()) or "_"

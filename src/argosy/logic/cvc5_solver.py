"""cvc5 behind the solver contract: integers, rationals, bit-vectors and arrays; the second opinion of certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from argosy.logic.native import Native, NativeSolver, Translation, milliseconds
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.solver import Counters, Satisfiability, SolverError, numeral
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms

_KINDS = {
    "not": "NOT",
    "and": "AND",
    "or": "OR",
    "=": "EQUAL",
    "ite": "ITE",
    "+": "ADD",
    "*": "MULT",
    "<=": "LEQ",
    "<": "LT",
    "div": "INTS_DIVISION",
    "mod": "INTS_MODULUS",
    "/": "DIVISION",
    "to_real": "TO_REAL",
    "to_int": "TO_INTEGER",
    "concat": "BITVECTOR_CONCAT",
    "extract": "BITVECTOR_EXTRACT",
    "zero_extend": "BITVECTOR_ZERO_EXTEND",
    "sign_extend": "BITVECTOR_SIGN_EXTEND",
    "bvmul": "BITVECTOR_MULT",
    "select": "SELECT",
    "store": "STORE",
}
_KINDS |= {f"bv{name}": f"BITVECTOR_{name.upper()}" for name in ("add", "sub", "neg", "not", "and", "or", "xor")}
_KINDS |= {f"bv{name}": f"BITVECTOR_{name.upper()}" for name in ("shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem")}
_KINDS |= {f"bv{name}": f"BITVECTOR_{name.upper()}" for name in ("ult", "ule", "slt", "sle")}


class Cvc5Translation(Translation[Native]):
    """Terms of one cvc5 term manager, which this object owns."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        import cvc5

        self.cvc5: Any = cvc5
        self.manager: Any = cvc5.TermManager()
        self._kinds = {op: getattr(cvc5.Kind, kind) for op, kind in _KINDS.items()}

    def sort(self, sort: Sort) -> Native:
        match sort.kind:
            case "bool":
                return self.manager.getBooleanSort()
            case "int":
                return self.manager.getIntegerSort()
            case "real":
                return self.manager.getRealSort()
            case "bits":
                return self.manager.mkBitVectorSort(sort.width)
        assert sort.index is not None and sort.element is not None
        return self.manager.mkArraySort(self.sort(sort.index), self.sort(sort.element))

    def _build(self, term: Term, args: list[Native]) -> Native:
        kind = self._kinds.get(term.op)
        if kind is not None:
            match term.op:
                case "extract":
                    return self.manager.mkTerm(self.manager.mkOp(kind, *term.payload), *args)
                case "zero_extend" | "sign_extend":
                    return self.manager.mkTerm(self.manager.mkOp(kind, term.payload), *args)
            return self.manager.mkTerm(kind, *args)
        match term.op:
            case "var":
                return self.manager.mkConst(self.sort(term.sort), term.name)
            case "const":
                return self._constant(term.payload, term.sort)
            case "const-array":
                if not term.args[0].is_const:
                    raise SolverError("cvc5: a constant array needs a constant element")
                return self.manager.mkConstArray(self.sort(term.sort), *args)
        raise SolverError(f"cvc5: no operator {term.op}")

    def _constant(self, value: Value, sort: Sort) -> Native:
        match sort.kind:
            case "bool":
                return self.manager.mkBoolean(value)
            case "int":
                return self.manager.mkInteger(numeral(value))
            case "real":
                return self.manager.mkReal(numeral(value))
        return self.manager.mkBitVector(sort.width, f"{value:0{sort.width}b}", 2)


class Cvc5Solver(NativeSolver[Native]):
    name = "cvc5"

    def __init__(
        self, translation: Cvc5Translation, counters: Counters, *, seed: int = 0, time_limit: float | None = None
    ) -> None:
        super().__init__(translation, counters)
        self._package: Any = translation.cvc5
        self._manager: Any = translation.manager
        self._solver: Any = self._package.Solver(self._manager)
        options = {"incremental": "true", "produce-models": "true", "produce-unsat-assumptions": "true"}
        # Without arrays-exp a constant array is refused.
        options |= {"arrays-exp": "true", "seed": str(seed), "sat-random-seed": str(seed)}
        if time_limit is not None:
            options["tlimit-per"] = str(milliseconds(time_limit))
        for option, value in options.items():
            self._solver.setOption(option, value)
        self._solver.setLogic("ALL")

    def _native_push(self) -> None:
        self._solver.push(1)

    def _native_pop(self) -> None:
        self._solver.pop(1)

    def _native_add(self, native: Native) -> None:
        self._solver.assertFormula(native)

    def _native_check(self, assumptions: list[Native]) -> Satisfiability:
        try:
            result = self._solver.checkSatAssuming(*assumptions) if assumptions else self._solver.checkSat()
        except RuntimeError as error:
            raise SolverError(f"cvc5: {error}") from error
        if result.isSat():
            return Satisfiability.SAT
        return Satisfiability.UNSAT if result.isUnsat() else Satisfiability.UNKNOWN

    def _native_value(self, native: Native, term: Term) -> Value:
        return self._decode(self._solver.getValue(native), term.sort)

    def _decode(self, value: Any, sort: Sort) -> Value:
        match sort.kind:
            case "bool" if value.isBooleanValue():
                return bool(value.getBooleanValue())
            case "int" if value.isIntegerValue():
                return int(value.getIntegerValue())
            case "real" if value.isRealValue():
                return Fraction(value.getRealValue())
            case "bits" if value.isBitVectorValue():
                return int(value.getBitVectorValue(2), 2)
            case "array":
                return self._decode_array(value, sort)
        raise SolverError(f"cvc5: a value of sort {sort} that is no constant: {value}")

    def _decode_array(self, value: Any, sort: Sort) -> ArrayValue:
        assert sort.index is not None and sort.element is not None
        stores = []
        while value.getKind() == self._package.Kind.STORE:
            stores.append((self._decode(value[1], sort.index), self._decode(value[2], sort.element)))
            value = value[0]
        if not value.isConstArray():
            raise SolverError(f"cvc5: an array value of unknown form: {value}")
        result = ArrayValue(self._decode(value.getConstArrayBase(), sort.element))
        for index, element in reversed(stores):
            result = result.store(index, element)
        return result

    def _native_core(self, assumptions: Sequence[Term]) -> list[Term]:
        core = set(self._solver.getUnsatAssumptions())
        return [a for a in assumptions if self._translate(a) in core]

    def _native_block(self, literals: list[Native], values: Sequence[bool]) -> None:
        make, kind = self._manager.mkTerm, self._package.Kind
        flipped = [make(kind.NOT, a) if value else a for a, value in zip(literals, values, strict=True)]
        match len(flipped):
            case 0:
                clause = self._manager.mkFalse()
            case 1:
                clause = flipped[0]
            case _:
                clause = make(kind.OR, *flipped)
        self._solver.assertFormula(clause)

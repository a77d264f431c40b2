"""Bitwuzla behind the solver contract: bit-vectors and arrays of them.

Being able to name an unsatisfiable core makes every check some four times slower, and most solvers are never asked
for one. So a solver starts without, and the first call of ``core`` moves its assertions to one that can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argosy.logic.native import Native, NativeSolver, Translation, milliseconds
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.solver import Counters, Satisfiability, SolverError
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms

_KINDS = {
    "not": "NOT",
    "and": "AND",
    "or": "OR",
    "=": "EQUAL",
    "ite": "ITE",
    "concat": "BV_CONCAT",
    "extract": "BV_EXTRACT",
    "zero_extend": "BV_ZERO_EXTEND",
    "sign_extend": "BV_SIGN_EXTEND",
    "bvlshr": "BV_SHR",
    "select": "ARRAY_SELECT",
    "store": "ARRAY_STORE",
}
_KINDS |= {f"bv{name}": f"BV_{name.upper()}" for name in ("add", "sub", "mul", "neg", "not", "and", "or", "xor")}
_KINDS |= {f"bv{name}": f"BV_{name.upper()}" for name in ("shl", "ashr", "udiv", "urem", "sdiv", "srem")}
_KINDS |= {f"bv{name}": f"BV_{name.upper()}" for name in ("ult", "ule", "slt", "sle")}


class BitwuzlaTranslation(Translation[Native]):
    """Terms of one bitwuzla term manager, which this object owns."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        import bitwuzla

        self.bitwuzla: Any = bitwuzla
        self.manager: Any = bitwuzla.TermManager()
        self._kinds = {op: getattr(bitwuzla.Kind, kind) for op, kind in _KINDS.items()}
        self._sorts: dict[Sort, Native] = {}

    def sort(self, sort: Sort) -> Native:
        native = self._sorts.get(sort)
        if native is None:
            native = self._sorts[sort] = self._make_sort(sort)
        return native

    def _make_sort(self, sort: Sort) -> Native:
        match sort.kind:
            case "bool":
                return self.manager.mk_bool_sort()
            case "bits":
                return self.manager.mk_bv_sort(sort.width)
            case "array":
                assert sort.index is not None and sort.element is not None
                return self.manager.mk_array_sort(self.sort(sort.index), self.sort(sort.element))
        raise SolverError(f"bitwuzla: no sort {sort}")

    def _build(self, term: Term, args: list[Native]) -> Native:
        kind = self._kinds.get(term.op)
        if kind is not None:
            match term.op:
                case "extract":
                    return self.manager.mk_term(kind, args, list(term.payload))
                case "zero_extend" | "sign_extend":
                    return self.manager.mk_term(kind, args, [term.payload])
            return self.manager.mk_term(kind, args)
        match term.op:
            case "var":
                return self.manager.mk_const(self.sort(term.sort), term.name)
            case "const" if term.sort.kind == "bool":
                return self.manager.mk_true() if term.payload else self.manager.mk_false()
            case "const":
                return self.manager.mk_bv_value(self.sort(term.sort), term.payload)
            case "const-array":
                return self.manager.mk_const_array(self.sort(term.sort), *args)
        raise SolverError(f"bitwuzla: no operator {term.op}")


class BitwuzlaSolver(NativeSolver[Native]):
    name = "bitwuzla"

    def __init__(
        self, translation: BitwuzlaTranslation, counters: Counters, *, seed: int = 0, time_limit: float | None = None
    ) -> None:
        super().__init__(translation, counters)
        self._package: Any = translation.bitwuzla
        self._manager: Any = translation.manager
        self._seed = seed
        self._time_limit = time_limit
        self._frames: list[list[Native]] = [[]]
        self._gives_cores = False
        self._solver = self._create()
        result = self._package.Result
        self._answers = {
            result.SAT: Satisfiability.SAT,
            result.UNSAT: Satisfiability.UNSAT,
            result.UNKNOWN: Satisfiability.UNKNOWN,
        }

    def _create(self) -> Any:
        option = self._package.Option
        options = self._package.Options()
        options.set(option.PRODUCE_MODELS, True)
        options.set(option.PRODUCE_UNSAT_ASSUMPTIONS, self._gives_cores)
        options.set(option.SEED, self._seed)
        if self._time_limit is not None:
            options.set(option.TIME_LIMIT_PER, milliseconds(self._time_limit))
        return self._package.Bitwuzla(self._manager, options)

    def _native_push(self) -> None:
        self._frames.append([])
        self._solver.push(1)

    def _native_pop(self) -> None:
        self._frames.pop()
        self._solver.pop(1)

    def _native_add(self, native: Native) -> None:
        self._frames[-1].append(native)
        self._solver.assert_formula(native)

    def _native_check(self, assumptions: list[Native]) -> Satisfiability:
        try:
            return self._answers[self._solver.check_sat(*assumptions)]
        except self._package.BitwuzlaException as error:
            raise SolverError(f"bitwuzla: {error}") from error

    def _native_value(self, native: Native, term: Term) -> Value:
        return self._decode(self._solver.get_value(native), term.sort)

    def _decode(self, value: Any, sort: Sort) -> Value:
        match sort.kind:
            case "bool":
                return bool(value.value())
            case "bits":
                return int(value.value(16), 16)
        assert sort.index is not None and sort.element is not None
        kind = self._package.Kind
        stores = []
        while value.kind() == kind.ARRAY_STORE:
            array, index, element = value.children()
            stores.append((self._decode(index, sort.index), self._decode(element, sort.element)))
            value = array
        if value.kind() != kind.CONST_ARRAY:
            raise SolverError(f"bitwuzla: an array value of unknown form: {value}")
        result = ArrayValue(self._decode(value.children()[0], sort.element))
        for index, element in reversed(stores):
            result = result.store(index, element)
        return result

    def _native_core(self, assumptions: Sequence[Term]) -> list[Term]:
        if not assumptions:
            return []
        if not self._gives_cores:
            self._move()
            if self.check(assumptions) is not Satisfiability.UNSAT:
                raise SolverError("bitwuzla: no core within the time limit")
        return [a for a in assumptions if self._solver.is_unsat_assumption(self._translate(a))]

    def _move(self) -> None:
        self._gives_cores = True
        self._solver = self._create()
        for level, frame in enumerate(self._frames):
            if level:
                self._solver.push(1)
            for native in frame:
                self._solver.assert_formula(native)

    def _native_block(self, literals: list[Native], values: Sequence[bool]) -> None:
        make, kind = self._manager.mk_term, self._package.Kind
        flipped = [make(kind.NOT, [a]) if value else a for a, value in zip(literals, values, strict=True)]
        match len(flipped):
            case 0:
                clause = self._manager.mk_false()
            case 1:
                clause = flipped[0]
            case _:
                clause = make(kind.OR, flipped)
        self._native_add(clause)

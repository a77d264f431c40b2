"""Z3 behind the solver contract: integers, rationals, bit-vectors and arrays.

Terms are built by Z3's C functions: the operators of its Python layer are eight times slower. A term made by the C
functions lives until the next call unless its reference count is raised, so every translated term is counted once
and kept for as long as the context lives. Integers and rationals are answered by the plain incremental core
(``SimpleSolver``; it is 200 times faster than a strategy for the logic on the small queries of abstraction),
bit-vectors by the incremental SAT-based solver of the logic QF_BV, which knows no arrays: the first array term
moves all assertions to the plain core.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from argosy.logic.native import Native, NativeSolver, Translation, milliseconds
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.solver import Counters, Satisfiability, SolverError, numeral
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms

_UNARY = {"not": "not", "to_real": "int2real", "to_int": "real2int", "bvneg": "bvneg", "bvnot": "bvnot"}
_BINARY = {"=": "eq", "<=": "le", "<": "lt", "div": "div", "mod": "mod", "/": "div", "concat": "concat"}
_BINARY |= {"select": "select"}
_BINARY |= {op: op for op in ("bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvshl", "bvlshr", "bvashr")}
_BINARY |= {op: op for op in ("bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvult", "bvule", "bvslt", "bvsle")}
_TERNARY = {"ite": "ite", "store": "store"}
_NARY = {"and": "and", "or": "or", "+": "add", "*": "mul"}

# The part of a limit that has to be left, for it to be left as it is.
_HURRY = 0.7


class _Unchecked:
    """Z3's C functions without the query for an error that the Python layer makes after each of them. A function
    that fails returns null, or leaves a code that the caller asks for where it matters."""

    def __init__(self, z3core: Any) -> None:
        self._z3core = z3core

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._z3core, name).__defaults__[0].f
        setattr(self, name, function)
        return function


class Z3Translation(Translation[Native]):
    """Terms as ASTs of one Z3 context, which this object owns."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        import z3
        from z3 import z3core

        self.z3 = z3
        self.context = z3.Context()
        self.c = self.context.ctx
        self.lib: Any = _Unchecked(z3core)
        self.ast: Any = z3.z3types.Ast
        self._sorts: dict[Sort, Native] = {}
        # True and false by their addresses, which they keep as long as the context lives.
        self.values: dict[int | None, Value] = {}
        self.seen_arrays = False
        make = self._function
        self._fixed: Mapping[str, Callable[..., Native]] = {
            **{op: make(name) for op, name in (_UNARY | _BINARY | _TERNARY).items()}
        }
        self._many: Mapping[str, Callable[..., Native]] = {op: make(name) for op, name in _NARY.items()}

    def _function(self, name: str) -> Callable[..., Native]:
        function: Callable[..., Native] = getattr(self.lib, f"Z3_mk_{name}")
        return function

    def vector(self, items: Sequence[Native]) -> Native:
        return (self.ast * len(items))(*items)

    def sort(self, sort: Sort) -> Native:
        native = self._sorts.get(sort)
        if native is None:
            native = self._sorts[sort] = self._make_sort(sort)
            self.lib.Z3_inc_ref(self.c, self.lib.Z3_sort_to_ast(self.c, native))
        return native

    def _make_sort(self, sort: Sort) -> Native:
        match sort.kind:
            case "bool":
                return self.lib.Z3_mk_bool_sort(self.c)
            case "int":
                return self.lib.Z3_mk_int_sort(self.c)
            case "real":
                return self.lib.Z3_mk_real_sort(self.c)
            case "bits":
                return self.lib.Z3_mk_bv_sort(self.c, sort.width)
        assert sort.index is not None and sort.element is not None
        self.seen_arrays = True
        return self.lib.Z3_mk_array_sort(self.c, self.sort(sort.index), self.sort(sort.element))

    def _build(self, term: Term, args: list[Native]) -> Native:
        op = term.op
        fixed = self._fixed.get(op)
        if fixed is not None:
            native = fixed(self.c, *args)
        elif op in self._many:
            native = self._many[op](self.c, len(args), self.vector(args))
        else:
            native = self._build_other(term, args)
        if not native:
            raise self.error(f"cannot express {op}")
        self.lib.Z3_inc_ref(self.c, native)
        return native

    def _build_other(self, term: Term, args: list[Native]) -> Native:
        lib, c = self.lib, self.c
        match term.op:
            case "var":
                return lib.Z3_mk_const(c, lib.Z3_mk_string_symbol(c, term.name.encode()), self.sort(term.sort))
            case "const":
                if term.sort.kind == "bool":
                    return lib.Z3_mk_true(c) if term.payload else lib.Z3_mk_false(c)
                return lib.Z3_mk_numeral(c, numeral(term.payload).encode(), self.sort(term.sort))
            case "extract":
                return lib.Z3_mk_extract(c, *term.payload, *args)
            case "zero_extend":
                return lib.Z3_mk_zero_ext(c, term.payload, *args)
            case "sign_extend":
                return lib.Z3_mk_sign_ext(c, term.payload, *args)
            case "const-array":
                assert term.sort.index is not None
                return lib.Z3_mk_const_array(c, self.sort(term.sort.index), *args)
        raise SolverError(f"z3: no such operator: {term.op}")

    def error(self, what: str) -> SolverError:
        code = self.lib.Z3_get_error_code(self.c)
        return SolverError(f"z3: {what}: {self.lib.Z3_get_error_msg(self.c, code).decode()}")


class Z3Solver(NativeSolver[Native]):
    """``bits`` chooses the SAT-based solver for bit-vectors, as long as there are no arrays."""

    name = "z3"

    def __init__(
        self,
        translation: Z3Translation,
        counters: Counters,
        *,
        bits: bool = False,
        seed: int = 0,
        time_limit: float | Callable[[], float | None] | None = None,
    ) -> None:
        super().__init__(translation, counters)
        self._z3 = translation
        self._seed = seed
        self._left = time_limit if callable(time_limit) else None
        self._time_limit = time_limit() if callable(time_limit) else time_limit
        self._frames: list[list[Native]] | None = [[]] if bits else None
        self._model: Any = None
        self._out = translation.ast(None)
        self._out_at = ctypes.byref(self._out)
        self._number = ctypes.c_longlong()
        self._number_at = ctypes.byref(self._number)
        self._solver = self._create()

    def _create(self) -> Any:
        z3, context = self._z3.z3, self._z3.context
        solver = z3.SimpleSolver(ctx=context) if self._frames is None else z3.SolverFor("QF_BV", ctx=context)
        parameters: dict[str, int] = {"random_seed": self._seed}
        if self._time_limit is not None:
            parameters["timeout"] = milliseconds(self._time_limit)
        solver.set(**parameters)
        self._s = solver.solver
        return solver

    def _hurry(self, left: float | None) -> None:
        """No check takes longer than there is left; to say so each time would cost more than it saves."""
        if left is not None and self._time_limit is not None and left < _HURRY * self._time_limit:
            self._time_limit = left
            self._solver.set(timeout=milliseconds(left))

    def _leave_bits(self) -> None:
        frames, self._frames = self._frames, None
        assert frames is not None
        self._solver = self._create()
        for level, frame in enumerate(frames):
            if level:
                self._native_push()
            for native in frame:
                self._native_add(native)

    def _native_push(self) -> None:
        if self._frames is not None:
            self._frames.append([])
        self._z3.lib.Z3_solver_push(self._z3.c, self._s)

    def _native_pop(self) -> None:
        if self._frames is not None:
            self._frames.pop()
        self._z3.lib.Z3_solver_pop(self._z3.c, self._s, 1)

    def _native_add(self, native: Native) -> None:
        if self._frames is not None:
            self._frames[-1].append(native)
        self._z3.lib.Z3_solver_assert(self._z3.c, self._s, native)

    def _native_check(self, assumptions: list[Native]) -> Satisfiability:
        if self._frames is not None and self._z3.seen_arrays:
            self._leave_bits()
        self._model = None
        if self._left is not None:
            self._hurry(self._left())
        answer = self._z3.lib.Z3_solver_check_assumptions(
            self._z3.c, self._s, len(assumptions), self._z3.vector(assumptions)
        )
        if answer == 0 and self._z3.lib.Z3_get_error_code(self._z3.c):
            raise self._z3.error("check failed")
        return {1: Satisfiability.SAT, -1: Satisfiability.UNSAT}.get(answer, Satisfiability.UNKNOWN)

    def _native_value(self, native: Native, term: Term) -> Value:
        """Truth is known by its address: reading it is one call of Z3."""
        if self._model is None:
            self._model = self._solver.model()
        out = self._out
        if not self._z3.lib.Z3_model_eval(self._z3.c, self._model.model, native, True, self._out_at):
            raise self._z3.error("cannot evaluate a term in the model")
        value = self._z3.values.get(out.value)
        if value is None:
            value = self._read(out, term)
            # True and false exist for ever; to keep other numerals would change what Z3 numbers next, and its search.
            if term.sort.kind == "bool":
                self._z3.values[out.value] = value
        return value

    def _read(self, out: Any, term: Term) -> Value:
        if term.sort.kind == "bool":
            truth = self._z3.lib.Z3_get_bool_value(self._z3.c, out)
            if truth == 0:
                raise SolverError("z3: the model leaves a formula open")
            return bool(truth == 1)
        if term.sort.kind in ("int", "bits") and self._z3.lib.Z3_is_numeral_ast(self._z3.c, out):
            if self._z3.lib.Z3_get_numeral_int64(self._z3.c, out, self._number_at):
                return self._number.value
            return int(self._z3.lib.Z3_get_numeral_string(self._z3.c, out))
        # The expression keeps what it is given, and ``out`` is used again.
        own = self._z3.ast(None)
        own.value = out.value
        return self._decode(self._z3.z3.z3._to_expr_ref(own, self._z3.context), term.sort)

    def _decode(self, value: Any, sort: Sort) -> Value:
        z3 = self._z3.z3
        match sort.kind:
            case "bool" if z3.is_true(value) or z3.is_false(value):
                return bool(z3.is_true(value))
            case "int" if z3.is_int_value(value):
                return int(value.as_long())
            case "bits" if z3.is_bv_value(value):
                return int(value.as_long())
            case "real" if z3.is_rational_value(value):
                return Fraction(value.numerator_as_long(), value.denominator_as_long())
            case "array":
                return self._decode_array(value, sort)
        raise SolverError(f"z3: a value of sort {sort} that is no constant: {value}")

    def _decode_array(self, value: Any, sort: Sort) -> ArrayValue:
        z3 = self._z3.z3
        assert sort.index is not None and sort.element is not None
        stores = []
        while z3.is_store(value):
            stores.append((self._decode(value.arg(1), sort.index), self._decode(value.arg(2), sort.element)))
            value = value.arg(0)
        if z3.is_const_array(value):
            result = ArrayValue(self._decode(value.arg(0), sort.element))
        elif z3.is_as_array(value):
            function = self._model[z3.get_as_array_func(value)]
            result = ArrayValue(self._decode(function.else_value(), sort.element))
            for i in range(function.num_entries()):
                entry = function.entry(i)
                result = result.store(
                    self._decode(entry.arg_value(0), sort.index), self._decode(entry.value(), sort.element)
                )
        else:
            raise SolverError(f"z3: an array value of unknown form: {value}")
        for index, element in reversed(stores):
            result = result.store(index, element)
        return result

    def _native_core(self, assumptions: Sequence[Term]) -> list[Term]:
        lib, c = self._z3.lib, self._z3.c
        core = {lib.Z3_get_ast_id(c, a.ast) for a in self._solver.unsat_core()}
        return [a for a in assumptions if lib.Z3_get_ast_id(c, self._z3(a)) in core]

    def _native_block(self, literals: list[Native], values: Sequence[bool]) -> None:
        lib, c = self._z3.lib, self._z3.c
        flipped = []
        for literal, value in zip(literals, values, strict=True):
            native = lib.Z3_mk_not(c, literal) if value else literal
            lib.Z3_inc_ref(c, native)
            flipped.append(native)
        clause = lib.Z3_mk_or(c, len(flipped), self._z3.vector(flipped))
        lib.Z3_inc_ref(c, clause)
        self._native_add(clause)
        lib.Z3_dec_ref(c, clause)
        for native in flipped:
            lib.Z3_dec_ref(c, native)

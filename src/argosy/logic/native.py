"""What the solver modules have in common: the translation of terms and the bookkeeping of the contract.

A ``Translation`` belongs to one solver package and one ``Terms``; it translates each term once and is shared by all
solvers of that package. A ``NativeSolver`` counts, checks that the contract's calls come in a legal order, and
enumerates models; its subclass says how the package does each step.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

from argosy.logic.float_meanings import FloatMeanings
from argosy.logic.floating import FLOAT_OPERATORS
from argosy.logic.semantics import Value
from argosy.logic.solver import Counters, Satisfiability, SolverError
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms

N = TypeVar("N")


class Translation(ABC, Generic[N]):
    """From terms to the native terms of one package. Law: the same term gives the same native term. Operators on floats
    reach a package as the bit-vectors that they are short for."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.known: dict[Term, N] = {}
        self._circuits = FloatMeanings(terms)

    def __call__(self, term: Term) -> N:
        cache = self.known
        known = cache.get(term)
        if known is not None:
            return known
        stack = [term]
        while stack:
            top = stack[-1]
            if top in cache:
                stack.pop()
                continue
            missing = [arg for arg in top.args if arg not in cache]
            if missing:
                stack.extend(missing)
                continue
            if top.op in FLOAT_OPERATORS:
                # Its arguments are known: this goes no deeper.
                cache[top] = self(self._circuits.meaning(top))
            else:
                cache[top] = self._build(top, [cache[arg] for arg in top.args])
            stack.pop()
        return cache[term]

    @abstractmethod
    def _build(self, term: Term, args: list[N]) -> N:
        """The native form of ``term``, whose arguments have the native forms ``args``. Raises SolverError."""


class NativeSolver(ABC, Generic[N]):
    """The contract of ``solver.Solver`` on top of a package's own calls (the methods that begin with ``_native``)."""

    name: str

    def __init__(self, translation: Translation[N], counters: Counters) -> None:
        self._translate = translation
        self._counters = counters
        self._depth = 0
        self._answer: Satisfiability | None = None
        self._assumptions: Sequence[Term] = ()
        self._model_read = False

    def push(self) -> None:
        self._answer = None
        self._depth += 1
        self._native_push()

    def pop(self) -> None:
        if not self._depth:
            raise SolverError(f"{self.name}: pop without push")
        self._answer = None
        self._depth -= 1
        self._native_pop()

    def add(self, term: Term) -> None:
        self._answer = None
        self._native_add(self._translate(term))

    def check(self, assumptions: Sequence[Term] = ()) -> Satisfiability:
        self._counters.checks += 1
        self._assumptions = assumptions
        self._model_read = False
        self._answer = None
        self._answer = self._native_check([self._translate(a) for a in assumptions])
        return self._answer

    def value(self, term: Term) -> Value:
        if self._answer is not Satisfiability.SAT:
            raise SolverError(f"{self.name}: there is no model")
        if not self._model_read:
            self._model_read = True
            self._counters.models += 1
        native = self._translate.known.get(term)
        return self._native_value(self._translate(term) if native is None else native, term)

    def core(self) -> list[Term]:
        if self._answer is not Satisfiability.UNSAT:
            raise SolverError(f"{self.name}: there is no unsatisfiable core")
        return self._native_core(self._assumptions)

    def all_sat(self, literals: Sequence[Term]) -> Iterator[tuple[bool | None, ...]]:
        """One model after the other, each blocked before the next is sought. Every literal gets a name, so that
        reading and blocking a model is a matter of propositional constants. The solver belongs to the iterator
        until it is exhausted or closed."""
        terms = self._translate.terms
        names = [terms.var(f"all-sat!{literal.id}", BOOL) for literal in literals]
        natives = [self._translate(name) for name in names]
        self.push()
        try:
            for name, literal in zip(names, literals, strict=True):
                self.add(terms.eq(name, literal))
            while True:
                answer = self.check()
                if answer is Satisfiability.UNKNOWN:
                    raise SolverError(f"{self.name}: unknown while enumerating models")
                if answer is Satisfiability.UNSAT:
                    return
                cube = tuple(bool(self.value(name)) for name in names)
                yield cube
                self._answer = None
                self._native_block(natives, cube)
        finally:
            self.pop()

    @abstractmethod
    def _native_push(self) -> None: ...

    @abstractmethod
    def _native_pop(self) -> None: ...

    @abstractmethod
    def _native_add(self, native: N) -> None: ...

    @abstractmethod
    def _native_check(self, assumptions: list[N]) -> Satisfiability: ...

    @abstractmethod
    def _native_value(self, native: N, term: Term) -> Value: ...

    @abstractmethod
    def _native_core(self, assumptions: Sequence[Term]) -> list[Term]: ...

    @abstractmethod
    def _native_block(self, literals: list[N], values: Sequence[bool]) -> None:
        """Assert that some literal differs from its value; of no literals at all, false."""


def milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))


Native = Any  # the packages have no types of their own

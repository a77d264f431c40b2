"""Interpolation: why a sequence of formulas is unsatisfiable, said at each cut in the words of both sides.

For formulas phi_1 ... phi_n that contradict one another, interpolants I_1 ... I_(n-1) satisfy

* phi_1 implies I_1, I_i and phi_(i+1) imply I_(i+1), I_(n-1) and phi_n are unsatisfiable;
* I_i mentions only variables that occur both in phi_1 ... phi_i and in phi_(i+1) ... phi_n.

Several methods find them, none always. Each is asked in turn, under a budget, and whatever it says is validated
against the two laws before it is returned; ``reasons`` says why the methods asked last had no answer. All methods
see the conjuncts of an unsatisfiable core only: its interpolants are interpolants of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Self

from argosy.basics.budget import UNLIMITED, Budget
from argosy.logic.newton import Lost, postconditions, preconditions
from argosy.logic.solver import Satisfiability, Solver, SolverError
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.sorts import Sort
from argosy.logic.spacer import Clause, Horn, Unanswered, Worker, path
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, substitute, variables
from argosy.logic.weakening import weaken

__all__ = ["Clause", "Horn", "Interpolation", "METHODS"]

METHODS: Mapping[SortKind, tuple[str, ...]] = {
    "int": ("spacer", "newton", "newton-wp"),
    "real": ("spacer", "newton", "newton-wp"),
    "bits": ("newton", "newton-wp", "bitwuzla"),
}
_CHARACTERS = 20_000  # larger answers of bitwuzla are bit-level and of no use as predicates
# Shares of the seconds: for finding the core, for one quantifier elimination, for one check of a weaker formula.
_CORE, _ELIMINATION, _WEAKEN = 0.3, 0.2, 0.05


class Interpolation:
    """``methods`` are names out of spacer, newton, newton-wp, bitwuzla; by default those of ``METHODS`` for the sort
    at hand. Each may take so many ``seconds``, ``within`` what there is at that time. ``weaken`` simplifies what a
    method found. Close it, or use it as a context manager, to end its worker process."""

    def __init__(
        self,
        terms: Terms,
        solvers: Solvers,
        methods: Sequence[str] | None = None,
        seconds: float = 10.0,
        weaken: bool = True,
        within: Callable[[], Budget] = lambda: UNLIMITED,
    ) -> None:
        unknown = set(methods or ()) - {name for names in METHODS.values() for name in names}
        if unknown:
            raise ValueError(f"no such interpolation method: {', '.join(sorted(unknown))}")
        self.terms = terms
        self.solvers = solvers
        self.methods = methods
        self.seconds = seconds
        self._within = within
        self.weaken = weaken
        self.reasons: list[str] = []
        self._worker = Worker(terms)

    def sequence(self, parts: Sequence[Term]) -> list[Term] | None:
        """Interpolants I_1 ... I_(n-1) of ``parts``; None, with ``reasons``, when no method finds any."""
        self.reasons = []
        core = self._core(parts)
        if core is None:
            return None
        relevant = [i for i, part in enumerate(core) if part is not self.terms.true]
        found = self._first([core[i] for i in relevant]) if len(relevant) > 1 else []
        if found is None:
            return None
        # Between two relevant parts nothing changes; before the first holds true, after the last false.
        levels = [self.terms.true, *found, self.terms.false]
        passed = 0
        result = []
        for i in range(len(parts) - 1):
            passed += passed < len(relevant) and relevant[passed] == i
            result.append(levels[passed])
        return result

    def binary(self, a: Term, b: Term) -> Term | None:
        """A formula implied by ``a``, inconsistent with ``b``, over their common variables."""
        found = self.sequence((a, b))
        return None if found is None else found[0]

    def unsat_core(self, parts: Sequence[Term]) -> Sequence[Term] | None:
        """``parts`` with the conjuncts that are not needed for the contradiction left out; None, with ``reasons``,
        when there is no contradiction or the solver gives up."""
        self.reasons = []
        core = self._core(parts)
        return None if self.reasons else core

    def _core(self, parts: Sequence[Term]) -> Sequence[Term] | None:
        """The needed conjuncts of each part; all of them when the solver gives up, for a method may yet know more;
        None when there is no contradiction."""
        pieces = [conjuncts(part) for part in parts]
        try:
            solver = self._solver(parts, _CORE)
            answer = solver.check(list(dict.fromkeys(piece for own in pieces for piece in own)))
            needed = set(solver.core()) if answer is Satisfiability.UNSAT else set()
        except SolverError as error:
            self.reasons.append(f"core: {error}")
            return None
        match answer:
            case Satisfiability.UNSAT:
                return [self.terms.conjunction(piece for piece in own if piece in needed) for own in pieces]
            case Satisfiability.SAT:
                self.reasons.append("core: the parts do not contradict one another")
                return None
        self.reasons.append("core: unknown")
        return parts

    def horn(self, horn: Horn, seconds: float | None = None) -> list[Term] | None:
        """An interpretation of the relations under which all clauses hold: tree and DAG interpolants, inductive
        invariants. None, with ``reasons``, when there is none or it is not found."""
        self.reasons = []
        try:
            found = self._worker.interpret(horn, self._within().at_most(seconds or self.seconds))
        except Unanswered as reason:
            self.reasons.append(f"spacer: {reason}")
            return None
        return found if self._valid("spacer", horn, found) else None

    def close(self) -> None:
        self._worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _first(self, parts: Sequence[Term]) -> list[Term] | None:
        horn = path(parts)
        for method in self.methods or METHODS[sort_kind(parts)]:
            budget = self._within().at_most(self.seconds)
            try:
                found = self._by(method, parts, horn, budget)
                if not self._valid(method, horn, found):
                    continue
                if self.weaken:
                    found = weaken(self.terms, self._solver(parts, _WEAKEN), parts, found, budget)
                return found
            except (Unanswered, Lost, SolverError) as reason:
                self.reasons.append(f"{method}: {reason}")
        return None

    def _by(self, method: str, parts: Sequence[Term], horn: Horn, budget: Budget) -> list[Term]:
        match method:
            case "spacer":
                return self._worker.interpret(horn, budget)
            case "newton":
                return postconditions(self.terms, self._solver(parts), parts, budget, self._eliminate)
            case "newton-wp":
                return preconditions(self.terms, self._solver(parts), parts, budget, self._eliminate)
        return self._worker.bits(parts, _CHARACTERS, budget)

    def _eliminate(self, variable: Term, parts: Sequence[Term]) -> Term | None:
        if not variable.sort.is_numeric:
            return None
        try:
            return self._worker.eliminate(
                (variable,), self.terms.conjunction(parts), self._within().at_most(self.seconds * _ELIMINATION)
            )
        except Unanswered:
            return None

    def _valid(self, method: str, horn: Horn, found: Sequence[Term]) -> bool:
        """Whether every formula keeps to its vocabulary and every clause holds."""
        for formula, allowed in zip(found, horn.relations, strict=True):
            if not variables(formula) <= set(allowed):
                self.reasons.append(f"{method}: an interpolant with foreign variables")
                return False
        if method in ("newton", "newton-wp"):
            return True  # the choice of conjuncts there asked for each clause whether it holds
        solver = self._solver(clause.formula for clause in horn.clauses)
        for clause in horn.clauses:
            solver.push()
            solver.add(clause.formula)
            if clause.body is not None:
                solver.add(found[clause.body])
            if clause.head is not None:
                head = found[clause.head]
                if clause.arguments is not None:
                    renaming = dict(zip(horn.relations[clause.head], clause.arguments, strict=True))
                    head = substitute(self.terms, head, renaming)
                solver.add(self.terms.not_(head))
            answer = solver.check()
            solver.pop()
            if answer is not Satisfiability.UNSAT:
                self.reasons.append(f"{method}: an interpolant that is not inductive ({answer.value})")
                return False
        return True

    def _solver(self, formulas: Iterable[Term], share: float = 1.0) -> Solver:
        limit = self._within().at_most(self.seconds * share).seconds
        return self.solvers.create("trace", sort_kind(formulas), time_limit=limit)


def sort_kind(formulas: Iterable[Term]) -> SortKind:
    """Which solvers to ask: int as soon as a number occurs, since the solvers for bits know no numbers."""
    kinds: set[str] = set()
    for formula in formulas:
        for variable in variables(formula):
            sort: Sort | None = variable.sort
            while sort is not None:
                kinds.add(sort.kind)
                if sort.index is not None:
                    kinds.add(sort.index.kind)
                sort = sort.element
    if "int" in kinds:
        return "int"
    if "real" in kinds:
        return "real"
    return "bits" if "bits" in kinds else "int"

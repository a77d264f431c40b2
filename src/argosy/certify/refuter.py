"""The solver of a certificate: is a formula unsatisfiable, and does a second solver say so as well?"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.budget import Budget
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.terms import Term, Terms

# A solver that has seen this many formulas is slower than a new one.
_RENEW_AFTER = 400


# So many alternatives are asked about together: more are harder for a solver, fewer are more questions.
_PIECE = 64

_SECOND = 0.3  # seconds for a query: a second opinion is welcome where it is cheap


class Disagreement(Exception):
    """Two solvers answered the same query differently: one of them is wrong."""


class Refuter:
    """Law: ``refute`` answers UNSAT only when the solver did, and with a second opinion never when the other one said
    SAT. ``agreeing`` are the solvers that gave all these answers; one that knows no answer leaves it."""

    def __init__(
        self,
        terms: Terms,
        solvers: Solvers,
        kind: SortKind,
        budget: Budget,
        second_opinion: bool,
    ) -> None:
        self.queries = 0
        self.core: Sequence[Term] = ()
        self._terms = terms
        self._solvers = solvers
        self._kind = kind
        self._budget = budget
        self._solver: Solver | None = None
        self._second: Solver | None = None
        self._asks_second = second_opinion
        self._asked = 0
        self._known: dict[tuple[Term, ...], tuple[Satisfiability, Sequence[Term]]] = {}
        self._names: list[str] = []

    @property
    def agreeing(self) -> tuple[str, ...]:
        return tuple(self._names)

    def renew(self) -> None:
        """What follows has little in common with what was asked before."""
        self._solver = self._second = None
        self._asked = 0

    def ask_no_other(self) -> None:
        """What follows is too large for a second opinion."""
        self._asks_second = False
        del self._names[1:]

    def refute(self, parts: Sequence[Term], literals: Sequence[Term] = ()) -> Satisfiability:
        """Whether the conjunction of ``parts`` has a model in which all ``literals`` are true. After UNSAT ``core`` has
        literals that suffice."""
        self.core = ()
        if any(part is self._terms.false for part in parts):
            return Satisfiability.UNSAT
        key = (*parts, *literals)
        if key not in self._known:
            self._known[key] = self._ask(parts, literals)
        answer, self.core = self._known[key]
        return answer

    def _ask(self, parts: Sequence[Term], literals: Sequence[Term]) -> tuple[Satisfiability, Sequence[Term]]:
        self.queries += 1
        self._asked += 1
        if self._asked > _RENEW_AFTER:
            self.renew()
        if self._solver is None:
            self._budget.check()
            self._solver = self._solvers.create("certify", self._kind, time_limit=self._budget.seconds)
            if not self._names:
                self._names.append(self._solver.name)
        answer, core = self._in_pieces(self._solver, parts, literals)
        if answer is Satisfiability.UNSAT and self._asks_second:
            self._confirm(parts, core)
        return answer, core

    def _in_pieces(
        self, solver: Solver, parts: Sequence[Term], literals: Sequence[Term]
    ) -> tuple[Satisfiability, Sequence[Term]]:
        """A part that is a disjunction of many (the negation of an invariant of a thousand clauses) is asked about in
        pieces, with the rest asserted once: each is easy, and has what was learnt from those before it."""
        candidates = [(part, self._alternatives(part)) for part in parts]
        whole, alternatives = max(candidates, key=lambda each: len(each[1]), default=(self._terms.true, ()))
        if len(alternatives) <= _PIECE:
            return _answer(solver, parts, literals)
        cores: dict[Term, None] = {}
        solver.push()
        try:
            for part in parts:
                if part is not whole:
                    solver.add(part)
            for start in range(0, len(alternatives), _PIECE):
                self._budget.check()
                piece = self._terms.disjunction(alternatives[start : start + _PIECE])
                answer, core = _answer(solver, (piece,), literals)
                if answer is not Satisfiability.UNSAT:
                    return answer, ()
                cores.update(dict.fromkeys(core))
        finally:
            solver.pop()
        return Satisfiability.UNSAT, tuple(cores)

    def _alternatives(self, part: Term) -> Sequence[Term]:
        """What a formula is the disjunction of."""
        if part.op == "not" and part.args[0].op == "and" and len(part.args[0].args) > _PIECE:
            return [self._terms.not_(each) for each in part.args[0].args]
        return part.args if part.op == "or" else (part,)

    def _confirm(self, parts: Sequence[Term], literals: Sequence[Term]) -> None:
        if self._second is None:
            patience = self._budget.at_most(_SECOND)
            self._second = self._solvers.create("second-opinion", self._kind, time_limit=patience.seconds)
            if len(self._names) == 1:
                self._names.append(self._second.name)
        match _answer(self._second, parts, literals)[0]:
            case Satisfiability.SAT:
                raise Disagreement(f"{self._solvers_named()} disagree")
            case Satisfiability.UNKNOWN:
                self.ask_no_other()

    def _solvers_named(self) -> str:
        return " and ".join(self._names)


def _answer(solver: Solver, parts: Sequence[Term], literals: Sequence[Term]) -> tuple[Satisfiability, Sequence[Term]]:
    solver.push()
    try:
        for part in parts:
            solver.add(part)
        answer = solver.check(literals)
        return answer, solver.core() if answer is Satisfiability.UNSAT and literals else ()
    finally:
        solver.pop()

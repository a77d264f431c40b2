"""The solver of a certificate: is a formula unsatisfiable, and does a second solver say so as well?"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.budget import Budget
from argosy.logic.polynomials import Divisions, Products, refuted
from argosy.logic.solver import Satisfiability, Solver
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.terms import Term, Terms

# A solver that has seen this many formulas is slower than a new one.
_RENEW_AFTER = 400


# So many alternatives are asked about together: more are harder for a solver, fewer are more questions.
_PIECE = 64

_SECOND = 0.3  # seconds for a query: a second opinion is welcome where it is cheap
_SOON = 1.0  # seconds for a query with quotients or remainders, before terms are collected
_CASE = 0.5  # seconds for what is left of a case when terms are collected


class Disagreement(Exception):
    """Two solvers answered the same query differently: one of them is wrong."""


class Refuter:
    """Law: ``refute`` answers UNSAT only when the solver did, or where products are multiplied out and terms collected
    and equations then contradict each other (``logic.polynomials``), in cases that the solver leaves; and with a second
    opinion never when the other one said SAT. ``agreeing`` are the solvers that gave all these answers; one that knows
    no answer leaves it."""

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
        self._soon: Solver | None = None
        self._asks_second = second_opinion
        self._asked = 0
        self._patience: float | None = None
        self._known: dict[tuple[Term, ...], tuple[Satisfiability, Sequence[Term]]] = {}
        self._names: list[str] = []
        self._products = Products()
        self._divisions = Divisions()

    @property
    def agreeing(self) -> tuple[str, ...]:
        return tuple(self._names)

    def renew(self, patience: float | None = None) -> None:
        """What follows has little in common with what was asked before, and may take so many seconds."""
        self._solver = self._second = self._soon = None
        self._asked = 0
        self._patience = patience

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
            self.renew(self._patience)
        if self._solver is None:
            self._solver = self._first(self._patience)
        if self._terms.products and any(part in self._products for part in parts) and self._is_collected(parts):
            return Satisfiability.UNSAT, ()
        answer, core = Satisfiability.UNKNOWN, self.core
        if any(part in self._divisions for part in parts):
            # Most are easy all the same; those that are not may be about sums.
            if self._soon is None:
                patience = self._budget.at_most(_SOON)
                self._soon = self._solvers.create("certify", self._kind, time_limit=patience.seconds)
            answer, core = self._in_pieces(self._soon, parts, literals)
            if answer is Satisfiability.UNKNOWN and self._is_collected(parts):
                return Satisfiability.UNSAT, ()
        if answer is Satisfiability.UNKNOWN:
            answer, core = self._in_pieces(self._solver, parts, literals)
        if answer is Satisfiability.UNSAT and self._asks_second:
            self._confirm(parts, core)
        return answer, core

    def _is_collected(self, parts: Sequence[Term]) -> bool:
        """Whether collecting terms refutes the parts. Solvers look for the way around circuits of multipliers, and of
        dividers, for long."""
        solver = self._solvers.create("certify", self._kind, time_limit=self._budget.at_most(_CASE).seconds)

        def excluded(case: Sequence[Term]) -> bool:
            self._budget.check()
            easy = [literal for literal in case if literal not in self._products]
            return _answer(solver, easy, ())[0] is Satisfiability.UNSAT

        return refuted(self._terms, parts, excluded)

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
            self._second = self._other()
        self._compare(_answer(self._second, parts, literals)[0])

    def inquiry(self) -> Inquiry:
        return Inquiry(self)

    def _first(self, patience: float | None = None) -> Solver:
        self._budget.check()
        budget = self._budget if patience is None else self._budget.at_most(patience)
        solver = self._solvers.create("certify", self._kind, time_limit=budget.seconds)
        if not self._names:
            self._names.append(solver.name)
        return solver

    def _other(self) -> Solver:
        patience = self._budget.at_most(_SECOND)
        solver = self._solvers.create("second-opinion", self._kind, time_limit=patience.seconds)
        if len(self._names) == 1:
            self._names.append(solver.name)
        return solver

    def _compare(self, second: Satisfiability) -> None:
        """What the second solver says of what the first one has refuted."""
        match second:
            case Satisfiability.SAT:
                raise Disagreement(f"{self._solvers_named()} disagree")
            case Satisfiability.UNKNOWN:
                self.ask_no_other()

    def _solvers_named(self) -> str:
        return " and ".join(self._names)


class Inquiry:
    """Questions to a ``Refuter`` about facts that only become more. The solvers keep the facts and what they have
    learnt, and what is refuted is a fact for the questions that follow, so that a question that has few new facts is
    an easy one. Law: as for ``Refuter``; literals that a refutation needed are in ``core``, and what it tells later
    questions holds under these only."""

    def __init__(self, refuter: Refuter) -> None:
        self.core: Sequence[Term] = ()
        self._refuter = refuter
        self._told = 0
        self._solver = refuter._first()
        self._second = refuter._other() if refuter._asks_second else None

    def refute(self, told: Sequence[Term], what: Term, literals: Sequence[Term] = ()) -> Satisfiability:
        """Whether the facts ``told``, those of the question before and perhaps more behind them, and ``what`` have a
        model in which all ``literals`` are true."""
        self.core = ()
        refuter, terms = self._refuter, self._refuter._terms
        new, self._told = told[self._told :], len(told)
        self._tell(new)
        if what is terms.false:
            return Satisfiability.UNSAT
        refuter._budget.check()
        refuter.queries += 1
        answer, self.core = _answer(self._solver, (what,), literals)
        if answer is Satisfiability.UNSAT:
            if self._second is not None and refuter._asks_second:
                refuter._compare(_answer(self._second, (what,), self.core)[0])
            self._tell([terms.not_(terms.and_(what, *self.core))])
        return answer

    def _tell(self, facts: Sequence[Term]) -> None:
        for fact in facts:
            self._solver.add(fact)
            if self._second is not None and self._refuter._asks_second:
                self._second.add(fact)


def _answer(solver: Solver, parts: Sequence[Term], literals: Sequence[Term]) -> tuple[Satisfiability, Sequence[Term]]:
    solver.push()
    try:
        for part in parts:
            solver.add(part)
        answer = solver.check(literals)
        return answer, solver.core() if answer is Satisfiability.UNSAT and literals else ()
    finally:
        solver.pop()

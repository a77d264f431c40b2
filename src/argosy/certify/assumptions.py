"""Which undefined operations a proof could not exclude: those at which the verdict assumes that nothing happens.

A certified SAFE speaks of executions that stay inside the language: one that divides by zero ends there, and is no
counterexample. So after a proof every check on the way to the error is asked about: is there an execution, as far as
the proof knows the states, that gets there and violates it first? One question is asked for all checks of a piece of
the automaton; a model of it names some that can be violated, and the rest is asked about again. What a solver does not
answer counts as possible. Checks behind which the error cannot be reached any more do not matter: nobody asks about
them.

Signed overflow has a value to go on with, so it is handled apart: a proof needs its absence or does not
(``Proof.assumed``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from argosy.basics.budget import UNLIMITED, Budget
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.certify.meanings import sort_kind
from argosy.certify.passage import Guards
from argosy.certify.plain import Assert, Declare, Define, ForAll, Formula, Instance, Name, Names
from argosy.certify.proof import Doubt, Proof, holds_always
from argosy.logic.solver import Counters, Satisfiability, Solver, SolverError
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Check, Undefined

_ONE = 5.0  # seconds for one question

Place = tuple[Undefined, Position]


@dataclass(frozen=True, slots=True)
class Wording:
    """How an assumption is said, and the property that checks it, if there is one."""

    words: str
    property: str | None = None


# By the name of the kind; one that is not listed is worded by its value.
WORDS: Mapping[str, Wording] = {
    "SIGNED_OVERFLOW": Wording("no signed overflow", "no-overflow"),
    "QUOTIENT": Wording("no quotient that overflows", "no-overflow"),
    "DIVISION": Wording("no division by zero", "defined-arithmetic"),
    "SHIFT": Wording("no shift by a negative amount or by the width or more", "defined-arithmetic"),
    "CONVERSION": Wording(f"no {Undefined.CONVERSION.value}", "defined-arithmetic"),
    "BOUNDS": Wording("no access outside an object", "valid-deref"),
    "POINTER": Wording("no arithmetic that leaves an object", "undefined-behaviour"),
    "NULL": Wording("no access through a null pointer", "valid-deref"),
    "FREED": Wording("no access to what was freed", "valid-deref"),
    "ENDED": Wording("no access to an object that has ended", "valid-deref"),
    "CONSTANT": Wording("no write to what is const", "valid-deref"),
    "FREE": Wording("no wrong free", "valid-free"),
    "UNINITIALISED": Wording("no use of what was never written", "initialised"),
}


def name_of(kind: Undefined) -> str:
    """The assumption's name in results."""
    return f"no-{kind.name.lower().replace('_', '-')}"


def wording(kind: Undefined) -> Wording:
    return WORDS.get(kind.name, Wording(f"no {kind.value}"))


def by_kind(checks: Iterable[Check]) -> dict[Undefined, tuple[Position, ...]]:
    """The places of each kind, each once, in the order of the text."""
    places: dict[Undefined, dict[Position, None]] = {}
    for check in sorted(checks, key=lambda c: (c.position.file, c.position.line, c.position.column)):
        places.setdefault(check.kind, {})[check.position] = None
    return {kind: tuple(places[kind]) for kind in Undefined if kind in places}


def possible_violations(proof: Proof, seed: int = 0, budget: Budget = UNLIMITED) -> tuple[Check, ...]:
    """The checks, one for each place, that may be violated by an execution that could yet have got to the error."""
    terms = proof.as_read.terms
    # The counts of a run are those of the analysis and its proof: these questions are counted apart.
    solvers = Solvers(terms, Counters(), seed)
    found: dict[Place, Check] = {_place(check): check for check in proof.uncovered if not holds_always(check)}
    names = Names()
    for question in proof.main.doubts(names, Guards(proof.assumed), proof.inside, lambda: budget.is_over):
        ask = _Ask(question, terms, solvers, sort_kind(proof.as_read), budget)
        for check in ask.possible(found.keys()):
            found.setdefault(_place(check), check)
    return tuple(found.values())


def _place(check: Check) -> Place:
    return check.kind, check.position


class _Ask:
    """One question, asked in this process."""

    def __init__(self, question: Doubt, terms: Terms, solvers: Solvers, kind: SortKind, budget: Budget) -> None:
        self._terms = terms
        self._solvers = solvers
        self._kind = kind
        self._budget = budget
        self._question = question
        self._asking: Solver | None = None
        self._defined: dict[Name, Term] = {}

    def possible(self, known: Collection[Place]) -> Iterator[Check]:
        """Checks that may be violated, one for each place that is not ``known``."""
        left = [(check, formula) for check, formula in self._question.violations if _place(check) not in known]
        if not left:
            return
        told = self._told()
        asked = [(check, self._term(formula)) for check, formula in left]
        waiting = [[(check, violated) for check, violated in asked if violated is not self._terms.false]]
        settled: set[Place] = set()
        while waiting:
            some = [(check, violated) for check, violated in waiting.pop() if _place(check) not in settled]
            if not some:
                continue
            answer, violated = self._answer(told, some)
            if answer is Satisfiability.UNKNOWN and len(some) > 1 and not self._budget.is_over:
                middle = len(some) // 2
                waiting += [some[middle:], some[:middle]]
            elif answer is not Satisfiability.UNSAT:
                for check in violated or [check for check, _ in some]:
                    if _place(check) not in settled:
                        settled.add(_place(check))
                        yield check
                waiting.append(some)

    def _answer(self, told: Sequence[Term], asked: Sequence[tuple[Check, Term]]) -> tuple[Satisfiability, list[Check]]:
        """Whether one of the checks can be violated, and which of them a model violates."""
        if self._budget.is_over:
            return Satisfiability.UNKNOWN, []
        try:
            solver = self._solver(told)
            solver.push()
            solver.add(self._terms.disjunction(violated for _, violated in asked))
            answer = solver.check()
            found = [c for c, violated in asked if solver.value(violated)] if answer is Satisfiability.SAT else []
            solver.pop()
        except SolverError:
            return Satisfiability.UNKNOWN, []
        return answer, found

    def _solver(self, told: Sequence[Term]) -> Solver:
        if self._asking is None:
            patience = self._budget.at_most(_ONE)
            self._asking = self._solvers.create("certify", self._kind, time_limit=patience.seconds)
            for term in told:
                self._asking.add(term)
        return self._asking

    def _told(self) -> list[Term]:
        """What the statements assert; the names they declare and define are known afterwards."""
        told = []
        for statement in self._question.statements:
            match statement:
                case Declare(name):
                    self._defined[name] = self._terms.var(name.symbol, name.sort)
                case Define(name, formula):
                    self._defined[name] = self._term(formula)
                case Assert(formula):
                    told.append(self._term(formula))
        return told

    def _term(self, formula: Formula) -> Term:
        terms = self._terms
        match formula:
            case Name():
                return self._defined[formula]
            case Instance(term, names):
                return substitute(terms, term, {v: self._defined[names[v]] for v in variables(term) if v in names})
            case ForAll():
                # Left open: what may happen without knowing it may be more, never less.
                return terms.var(f"forall~{len(terms)}", BOOL)
        parts = [self._term(part) for part in formula.parts]
        match formula.op:
            case "and":
                return terms.conjunction(parts)
            case "or":
                return terms.disjunction(parts)
            case "not":
                return terms.not_(parts[0])
            case "=>":
                return terms.implies(*parts)
        return terms.eq(*parts)

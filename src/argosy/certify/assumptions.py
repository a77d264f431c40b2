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
from argosy.logic.solver import Counters, Satisfiability, SolverError
from argosy.logic.solvers import Solvers, SortKind
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Check, Undefined

_ONE = 5.0  # seconds for one question

Place = tuple[Undefined, Position]
_Asked = tuple[Check, Term]


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
            found, left_open = self._violated(told, some)
            if len(left_open) > 1 and not self._budget.is_over:
                middle = len(left_open) // 2
                waiting += [left_open[middle:], left_open[:middle]]
            else:
                found += [check for check, _ in left_open]
            for check in found:
                if _place(check) not in settled:
                    settled.add(_place(check))
                    yield check

    def _violated(self, told: Sequence[Term], asked: Sequence[_Asked]) -> tuple[list[Check], list[_Asked]]:
        """Those that models violate, and of the others those of which the solver does not say that none does.

        An execution violates one check first, so what was found is excluded for good, and nothing else with it. (A
        question that is taken back for a narrower one each time takes four times as long in the end.)"""
        terms, left, found = self._terms, list(asked), list[Check]()
        try:
            solver = self._solvers.create("certify", self._kind, time_limit=self._budget.at_most(_ONE).seconds)
            for term in (*told, terms.disjunction(violated for _, violated in left)):
                solver.add(term)
            while left and not self._budget.is_over:
                answer = solver.check()
                if answer is not Satisfiability.SAT:
                    return found, [] if answer is Satisfiability.UNSAT else left
                new = [check for check, violated in left if solver.value(violated)]
                if not new:
                    break
                found += new
                places = {_place(check) for check in new}
                for check, violated in left:
                    if _place(check) in places:
                        solver.add(terms.not_(violated))
                left = [(check, violated) for check, violated in left if _place(check) not in places]
        except SolverError:
            pass
        return found, left

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

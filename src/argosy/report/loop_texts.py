"""What a proof claims at the loops of a program, in C's words: one expression for each loop.

A loop of the source may have many copies in the automaton, one for each call of its function: an invariant of the loop
is the disjunction of what is claimed at the copies. Claims are weakened to what is in scope. Bounds of variables, and
the ranges that explicit values lie in, are tried with them: what is inductive with wrapping arithmetic and excludes the
error is said and no more, so that the invariant is short and does not need that nothing overflows.

Law: an expression follows from the claims at every copy, or from what Houdini proved; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from argosy.backends.contract import Invariant
from argosy.basics.budget import Budget, OutOfBudget
from argosy.basics.records import dataclass
from argosy.certify.meanings import determined
from argosy.domains.paths import Paths
from argosy.invariants.discovery import discover
from argosy.invariants.houdini import Houdini, blocks_between
from argosy.logic.interpolation import Interpolation
from argosy.logic.semantics import signed as signed_value
from argosy.logic.solver import Counters, Satisfiability, SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, postorder, variables
from argosy.logic.widen import to_bits
from argosy.models.cfa import Cfa, Location, Reading
from argosy.models.integers import integers
from argosy.models.landmarks import Landmarks, LoopSite, VisibleCell
from argosy.report.c_formulas import TRUE, CFormulas
from argosy.report.c_numbers import CVariable, NotInC

SECONDS = 10.0
_SECONDS_FOR_A_CHECK = 1.0
_MOST_VARIABLES = 10
_MOST_CONSTANTS = 12
_FEW_VALUES = 6
_SHORT = 60
_LARGEST = 20_000
"""Automata with more edges are not asked for bounds."""
NOTHING = TRUE
"""The expression that says nothing."""
LONGEST = 100_000
"""Characters of an expression that anybody reads."""


@dataclass(frozen=True, slots=True)
class LoopText:
    """The invariant of a loop, and the formula that it says at each copy."""

    loop: LoopSite
    text: str
    formulas: Mapping[Location, Term]


def loop_texts(landmarks: Landmarks, evidence: Invariant, seconds: float = SECONDS) -> list[LoopText]:
    return list(_Loops(landmarks, evidence, seconds).texts())


class _Loops:
    def __init__(self, landmarks: Landmarks, evidence: Invariant, seconds: float) -> None:
        self._landmarks = landmarks
        self._cfa = evidence.cfa
        self._claims = evidence.claims
        self._terms = evidence.cfa.terms
        self._seconds = seconds
        self._solvers = Solvers(self._terms, Counters())
        self._visible = [loop.visible() for loop in landmarks.loops]
        self._writers = [CFormulas(self._terms, self._naming(own)) for own in self._visible]
        self._copies: dict[int, list[Location]] = {}
        self._tests: dict[int, list[Location]] = {}
        for location in self._cfa.locations:
            for loop in location.loops:
                if location in self._cfa.order:
                    (self._copies if loop >= 0 else self._tests).setdefault(max(loop, ~loop), []).append(location)

    def _naming(self, visible: Mapping[str, VisibleCell]) -> Callable[[Term], CVariable]:
        declared = self._cfa.variable_of

        def name(term: Term) -> CVariable:
            cell, own = visible.get(term.name), declared.get(term)
            # The bits of a float are no number.
            unsaid = own is None or own.signed is None or not term.sort.is_bits
            if cell is None or own is None or unsaid or cell.pointer or not cell.settled:
                raise NotInC
            return CVariable(cell.text, term.sort.width, bool(own.signed))

        return name

    def texts(self) -> Iterator[LoopText]:
        """In the order of the source; *true* where nothing can be said."""
        said = self._said({head: self._weakened(head) for head in self._cfa.loop_heads if _innermost(head) is not None})
        for loop, copies in sorted(self._copies.items()):
            writer = self._writers[loop]
            weak = [writer.weakened(self._possible(said.get(copy, self._terms.true))) for copy in copies]
            whole = self._terms.disjunction(weak)
            if loop in self._tests:
                whole = writer.weakened(self._tested(said, self._tests[loop], whole))
                weak = [whole] * len(copies)
            text = NOTHING if whole is self._terms.false else writer.text(whole)
            if len(text) > LONGEST:
                text, weak = NOTHING, [self._terms.true] * len(copies)
            yield LoopText(self._landmarks.loops[loop], text, dict(zip(copies, weak, strict=True)))

    def _weakened(self, head: Location) -> Term:
        """What is claimed at a head, said in the scope of its innermost loop."""
        loop = _innermost(head)
        if head not in self._claims or loop is None:
            return self._terms.true
        return self._writers[loop].weakened(self._terms.disjunction(self._claims[head]))

    def _possible(self, formula: Term) -> Term:
        """A copy that control does not reach may have been proved to be anything."""
        solver = self._solvers.create("certify", "bits", time_limit=_SECONDS_FOR_A_CHECK)
        solver.add(formula)
        with suppress(SolverError):
            if solver.check() is Satisfiability.UNSAT:
                return self._terms.false
        return formula

    def _tested(self, said: Mapping[Location, Term], tests: Sequence[Location], formula: Term) -> Term:
        """Of a formula that holds where a round begins, what also holds where a loop with its condition at the end is
        tested: tools differ in what they call its head."""
        terms, cfa = self._terms, self._cfa
        paths = Paths(terms, Reading.UNDEFINED)
        blocks = [b for b in blocks_between(cfa, paths, cfa.loop_heads.union(tests)) if b.target in tests]
        solver = self._solvers.create("certify", "bits", time_limit=_SECONDS_FOR_A_CHECK)

        def holds(part: Term) -> bool:
            for block in blocks:
                solver.push()
                if block.source is not None:
                    solver.add(said.get(block.source, terms.true))
                    solver.add(terms.disjunction(self._claims.get(block.source, (terms.true,))))
                solver.add(block.path.formula)
                solver.add(terms.not_(paths.instantiate(part, block.path.indices)))
                answer = solver.check()
                solver.pop()
                if answer is not Satisfiability.UNSAT:
                    return False
            return True

        try:
            return terms.conjunction(part for part in conjuncts(formula) if not part.is_const and holds(part))
        except SolverError:
            return terms.true

    # ---- what is said -------------------------------------------------------------------------------------

    def _said(self, claimed: Mapping[Location, Term]) -> Mapping[Location, Term]:
        """A short proof, where guesses and claims that are not long give one; else the claims with bounds."""
        terms = self._terms
        if len(self._cfa.edges) > _LARGEST or not claimed:
            return claimed
        facts = {head: _short(formula) for head, formula in claimed.items()}
        guesses = {head: (*self._ranges(head), *self._guesses(head, formula)) for head, formula in claimed.items()}
        solvers = self._solvers
        solver = solvers.create("trace", "bits", time_limit=_SECONDS_FOR_A_CHECK)
        try:
            paths = Paths(terms, Reading.WRAP)
            houdini = Houdini(self._cfa, terms, paths, solver, Budget.of(self._seconds))
            tried = {head: tuple(dict.fromkeys((*facts[head], *guesses[head]))) for head in facts}
            found = houdini.inductive(tried)
            needed = houdini.needed(found)
            if needed is not None and all(len(copies) == 1 for copies in self._copies.values()):
                return {head: terms.conjunction(own) for head, own in needed.items()}
            bounds = {head: houdini.independent(own, 2 * _MOST_VARIABLES) for head, own in found.items()}
            if needed is None:
                with suppress(OutOfBudget, SolverError):
                    more = self._discovered(solvers)
                    found = houdini.inductive({head: (*own, *more.get(head, ())) for head, own in tried.items()})
                    needed = houdini.needed(found)
                    if needed is not None:
                        return {head: terms.conjunction(own) for head, own in needed.items()}
        except (OutOfBudget, SolverError):
            return claimed
        if needed is not None:
            # What is needed at one copy is only said where something is said at the others.
            return {head: terms.conjunction((*needed[head], *bounds[head])) for head in claimed}
        return {head: terms.and_(formula, *bounds.get(head, ())) for head, formula in claimed.items()}

    def _discovered(self, solvers: Solvers) -> Mapping[Location, tuple[Term, ...]]:
        """Relations between variables that executions show (``invariants.discovery``), as far as they can be said."""
        terms, cfa = self._terms, self._cfa
        model = integers(cfa).cfa
        found = discover(model, Reading.UNDEFINED, solvers, Interpolation(terms, solvers), model.loop_heads).invariants
        declared = {variable.term.name: variable for variable in cfa.variables}
        made: dict[Location, tuple[Term, ...]] = {}
        for head, facts in found.items():
            loop = _innermost(head)
            if loop is not None:
                widened = (to_bits(terms, fact, declared) for fact in facts)
                writer = self._writers[loop]
                weak = (writer.weakened(fact) for fact in widened if fact is not None)
                made[head] = tuple(fact for fact in weak if not fact.is_const)
        return made

    def _ranges(self, head: Location) -> Iterator[Term]:
        """Where the claims list values: the values of each variable, or the range that they lie in."""
        terms = self._terms
        values: dict[Term, set[int]] | None = None
        for claim in self._claims.get(head, ()):
            fixed = dict(filter(None, (determined(terms, part) for part in conjuncts(claim))))
            own = {variable: {constant.payload} for variable, constant in fixed.items()}
            if values is None:
                values = own
            else:
                values = {variable: seen | own[variable] for variable, seen in values.items() if variable in own}
        for variable, seen in (values or {}).items():
            declared = self._cfa.variable_of.get(variable)
            if declared is None or not variable.sort.is_bits:
                continue
            width, signed = variable.sort.width, bool(declared.signed)
            numbers = sorted(signed_value(number, width) if signed else number for number in seen)
            less = "bvsle" if signed else "bvule"
            if len(numbers) <= _FEW_VALUES:
                yield terms.disjunction(terms.eq(variable, terms.bv(number, width)) for number in numbers)
            yield terms.bit(less, terms.bv(numbers[0], width), variable)
            yield terms.bit(less, variable, terms.bv(numbers[-1], width))

    def _guesses(self, head: Location, formula: Term) -> Iterator[Term]:
        """Bounds of the variables that are spoken of, by the constants of the program; the sharpest first."""
        terms, declared = self._terms, self._cfa.variable_of
        loop = _innermost(head)
        visible = {} if loop is None else self._visible[loop]
        spoken = sorted(variables(formula), key=lambda v: v.id)
        others = [v.term for v in self._cfa.variables if v.term not in spoken]
        count = 0
        for variable in (*spoken, *others):
            cell = visible.get(variable.name)
            if cell is None or cell.pointer or not cell.settled or not variable.sort.is_bits or variable.sort.width < 8:
                continue
            count += 1
            if count > max(_MOST_VARIABLES, len(spoken)):
                break
            signed, width = bool(declared[variable].signed), variable.sort.width
            less = "bvsle" if signed else "bvule"
            constants = _constants(self._cfa, width, signed)
            for number in reversed(constants):
                yield terms.bit(less, terms.bv(number, width), variable)
            for number in constants:
                yield terms.bit(less, variable, terms.bv(number, width))


def _constants(cfa: Cfa, width: int, signed: bool) -> Sequence[int]:
    """The numbers of one width that the program mentions, with their neighbours, in order."""
    found: dict[int, int] = {0: 1, 1: 1}
    for edge in cfa.edges:
        formula = getattr(edge.operation, "condition", None) or getattr(edge.operation, "value", None)
        for part in postorder(formula) if isinstance(formula, Term) else ():
            if part.op == "const" and part.sort.is_bits and part.sort.width == width:
                number = signed_value(part.payload, width) if signed else part.payload
                for near in (number, number + 1, number - 1):
                    found[near] = found.get(near, 0) + 1
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    inside = [number for number in found if low <= number <= high]
    often = sorted(inside, key=lambda number: (-found[number], abs(number)))[: 2 * _MOST_CONSTANTS]
    return sorted(often)


def _innermost(head: Location) -> int | None:
    """The loop that begins its rounds at a location, the last of several."""
    return next((loop for loop in reversed(head.loops) if loop >= 0), None)


def _short(formula: Term) -> tuple[Term, ...]:
    """The conjuncts that are not long."""
    return tuple(f for f in conjuncts(formula) if not f.is_const and len(list(postorder(f))) <= _SHORT)

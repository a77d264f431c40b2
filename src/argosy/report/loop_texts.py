"""What a proof claims at the loops of a program, in C's words: one expression for each loop.

A loop of the source may have many copies in the automaton, one for each call of its function: an invariant of the loop
is the disjunction of what is claimed at the copies. Claims are weakened to what is in scope. Bounds of variables are
added where they are inductive with wrapping arithmetic, so that the invariant does not need that nothing overflows.

Law: an expression follows from the claims at every copy, and from what Houdini proved; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from argosy.backends.contract import Invariant
from argosy.basics.budget import Budget, OutOfBudget
from argosy.basics.records import dataclass
from argosy.domains.paths import Paths
from argosy.invariants.houdini import Houdini, Invariants
from argosy.logic.semantics import signed as signed_value
from argosy.logic.solver import Counters, SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, postorder, variables
from argosy.models.cfa import Cfa, Location, Reading
from argosy.models.landmarks import Landmarks, LoopSite, VisibleCell
from argosy.report.c_formulas import CFormulas
from argosy.report.c_numbers import CVariable, NotInC

SECONDS = 10.0
_SECONDS_FOR_A_CHECK = 1.0
_MOST_VARIABLES = 10
_MOST_CONSTANTS = 12
_LARGEST = 20_000
"""Automata with more edges are not asked for bounds."""
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
        self._visible = [loop.visible() for loop in landmarks.loops]
        self._writers = [CFormulas(self._terms, self._naming(own)) for own in self._visible]
        self._copies: dict[int, list[Location]] = {}
        for location in self._cfa.locations:
            for loop in location.loops:
                if location in self._cfa.order:
                    self._copies.setdefault(loop, []).append(location)

    def _naming(self, visible: Mapping[str, VisibleCell]):  # type: ignore[no-untyped-def]
        declared = self._cfa.variable_of

        def name(term: Term) -> CVariable:
            cell, own = visible.get(term.name), declared.get(term)
            if cell is None or own is None or cell.pointer or not cell.settled or not term.sort.is_bits:
                raise NotInC
            return CVariable(cell.text, term.sort.width, bool(own.signed))

        return name

    def texts(self) -> Iterator[LoopText]:
        claimed = {head: self._weakened(head) for head in self._cfa.loop_heads if head.loops}
        bounds = self._bounds(claimed)
        for loop, copies in sorted(self._copies.items()):
            said = [self._said(copy, claimed, bounds) for copy in copies]
            writer = self._writers[loop]
            weak = [writer.weakened(formula) for formula in said]
            whole = self._terms.disjunction(weak)
            if whole.is_const:
                continue
            text = writer.text(whole)
            if len(text) <= LONGEST:
                yield LoopText(self._landmarks.loops[loop], text, dict(zip(copies, weak, strict=True)))

    def _said(self, copy: Location, claimed: Mapping[Location, Term], bounds: Invariants) -> Term:
        return self._terms.conjunction((claimed.get(copy, self._terms.true), *bounds.get(copy, ())))

    def _weakened(self, head: Location) -> Term:
        """What is claimed at a head, said in the scope of its innermost loop."""
        if head not in self._claims:
            return self._terms.true
        return self._writers[head.loops[-1]].weakened(self._terms.disjunction(self._claims[head]))

    # ---- bounds -------------------------------------------------------------------------------------------

    def _bounds(self, claimed: Mapping[Location, Term]) -> Invariants:
        """Bounds that are inductive with what is claimed, and without it where that needs them."""
        if len(self._cfa.edges) > _LARGEST or not claimed:
            return {}
        guesses = {head: tuple(self._guesses(head, formula)) for head, formula in claimed.items()}
        solvers = Solvers(self._terms, Counters())
        solver = solvers.create("trace", "bits", time_limit=_SECONDS_FOR_A_CHECK)
        try:
            paths = Paths(self._terms, Reading.WRAP)
            houdini = Houdini(self._cfa, self._terms, paths, solver, Budget.of(self._seconds))
            facts = {head: tuple(f for f in conjuncts(formula) if not f.is_const) for head, formula in claimed.items()}
            found = houdini.inductive({head: (*facts[head], *own) for head, own in guesses.items()})
            needed = houdini.needed(found)
            if needed is not None:
                return {head: tuple(f for f in own if f not in facts[head]) for head, own in needed.items()}
            kept = {head: tuple(f for f in own if f not in facts[head]) for head, own in found.items()}
            return {head: houdini.independent(own, 2 * _MOST_VARIABLES) for head, own in kept.items()}
        except (OutOfBudget, SolverError):
            return {}

    def _guesses(self, head: Location, formula: Term) -> Iterator[Term]:
        """Bounds of the variables that are spoken of, by the constants of the program; the sharpest first."""
        terms, declared = self._terms, self._cfa.variable_of
        visible = self._visible[head.loops[-1]]
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


def said_at(texts: Iterable[LoopText]) -> Mapping[Location, Sequence[Term]]:
    """What the texts say, by location."""
    found: dict[Location, list[Term]] = {}
    for each in texts:
        for location, formula in each.formulas.items():
            found.setdefault(location, []).append(formula)
    return found

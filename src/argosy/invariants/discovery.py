"""Discovery of loop invariants: sample, guess, and keep the guesses that are inductive.

Interpolants of one counterexample after the other may go on for ever (``i <= 0``, ``i <= 1``, ...) where one relation
between variables would do. Executions show such relations: what all sampled states of a loop head have in common is
guessed (``relations``), what of it is inductive is found by Houdini (``houdini``). Several kinds of guesses are tried,
the simplest first, until the error is excluded. Where an analysis cuts programs at other locations as well, formulas
there are found that lead from invariants to invariants: interpolants of loop-free pieces, which never go on for ever.

Law: an invariant holds in every execution of the automaton it was found for. As predicates they are right whatever
they say, so that a model which idealises the program (``models.integers``) is good enough.
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.budget import UNLIMITED, Budget, OutOfBudget
from argosy.basics.records import dataclass, field
from argosy.domains.paths import Paths
from argosy.invariants.houdini import Houdini, Invariants, blocks_between
from argosy.invariants.relations import Guesses, Vocabulary
from argosy.invariants.sampling import sample
from argosy.logic.interpolation import Clause, Horn, Interpolation
from argosy.logic.solver import SolverError
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import BOOL, INT
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, variables
from argosy.models.cfa import Cfa, Edge, Location, Reading
from argosy.models.liveness import live_variables

# Most discoveries take a fifth of a second; what is not found soon is not found at all.
_SECONDS = 2.0
_SECONDS_FOR_A_CHECK = 1.0
_MOST = 8  # invariants of one location where they do not suffice
_FEWEST_STATES = 3

_KINDS = (
    Guesses.simple,
    Guesses.conditional,
    Guesses.polynomial,
    Guesses.wide,
    Guesses.cases,
    Guesses.phases,
)


@dataclass(frozen=True, slots=True)
class Discovery:
    """``invariants`` at the cuts, those that a proof needs where they exclude the error (``complete``); ``path`` is an
    execution of the automaton that reaches the error, where sampling met one. ``cut``: with more time there might be
    more of them."""

    invariants: Mapping[Location, tuple[Term, ...]] = field(default_factory=dict)
    complete: bool = False
    path: tuple[Edge, ...] = ()
    cut: bool = False


def discover(
    cfa: Cfa,
    reading: Reading,
    solvers: Solvers,
    interpolation: Interpolation,
    cuts: frozenset[Location],
    budget: Budget = UNLIMITED,
) -> Discovery:
    """Invariants at the ``cuts``, which are the loop heads or more. Nothing where no loop counts, or where the
    automaton is not over integers and booleans."""
    if any(v.term.sort not in (BOOL, INT) for v in cfa.variables):
        return Discovery()
    vocabulary = Vocabulary(cfa)
    live = live_variables(cfa)
    if not any(vocabulary.counts(live[head]) for head in cfa.loop_heads):
        return Discovery()
    samples = sample(cfa, reading, solvers.seed)
    if samples.path:
        return Discovery(path=samples.path)
    guesses = {
        head: Guesses(vocabulary, samples.live[head], states)
        for head, states in samples.states.items()
        if len(states) >= _FEWEST_STATES and vocabulary.counts(live[head])
    }
    paths = Paths(cfa.terms, reading)
    found: dict[Location, dict[Term, None]] = {}
    complete = False
    for layer in _at_heads(cfa, paths, solvers, guesses, budget):
        complete = layer.complete
        between = _between(cfa, paths, layer, interpolation, cuts)
        for location, facts in (*layer.invariants.items(), *between.items()):
            found.setdefault(location, {}).update(dict.fromkeys(facts))
    invariants = {location: tuple(facts) for location, facts in found.items()}
    return Discovery(invariants, complete, cut=budget.is_over and not complete)


def _at_heads(
    cfa: Cfa, paths: Paths, solvers: Solvers, guesses: Mapping[Location, Guesses], budget: Budget
) -> list[Discovery]:
    """Invariants at the loop heads: a proof, and where it helps the same with more; or what there is."""
    found: Invariants = dict.fromkeys(guesses, ())
    dropped: Invariants = found
    solver = solvers.create("trace", "int", time_limit=_SECONDS_FOR_A_CHECK)
    houdini = Houdini(cfa, cfa.terms, paths, solver, budget.at_most(_SECONDS))
    try:
        for kind in _KINDS:
            budget.check()
            new = {head: dict.fromkeys(dropped[head] + kind(own)) for head, own in guesses.items()}
            tried = {head: tuple(g for g in own if g not in found[head]) for head, own in new.items()}
            kept = houdini.inductive(tried, known=found)
            # What was dropped may be inductive together with guesses of another kind.
            dropped = {head: tuple(g for g in tried[head] if g not in kept[head]) for head in tried}
            found = {head: found[head] + kept[head] for head in found}
            needed = houdini.needed(found)
            if needed is not None:
                larger = _with_bounds(houdini, needed, found)
                return [Discovery(own, complete=True) for own in (needed, larger) if own is not None]
        return [Discovery({head: houdini.independent(own, _MOST) for head, own in found.items()})]
    except (OutOfBudget, SolverError):
        return [Discovery({head: own[:_MOST] for head, own in found.items()})]


def _with_bounds(houdini: Houdini, needed: Invariants, found: Invariants) -> Invariants | None:
    """What is needed with bounds of its variables, where products, quotients or remainders are needed. A proof on
    integers has no use for them; on bits these are operations on small numbers where bounds are known, and too hard
    where they are not."""
    wanted: dict[Location, tuple[Term, ...]] = {}
    try:
        for head, facts in needed.items():
            if any(_hard(sub) for sub in postorder(*facts)):
                own = {v for fact in facts for v in variables(fact)}
                wanted[head] = facts + houdini.independent([f for f in found[head] if _bounds(f) in own], _MOST)
        return houdini.needed(found, wanted) if wanted else None
    except OutOfBudget:
        return None


def _hard(term: Term) -> bool:
    return term.op in ("div", "mod") or (term.op == "*" and not term.args[0].is_const)


def _bounds(fact: Term) -> Term | None:
    """The variable of which a fact is a bound."""
    atom = fact.args[0] if fact.op == "not" else fact
    return atom.args[0] if atom.op == "<=" and atom.args[0].is_var else None


def _between(
    cfa: Cfa, paths: Paths, found: Discovery, interpolation: Interpolation, cuts: frozenset[Location]
) -> Mapping[Location, tuple[Term, ...]]:
    """Formulas at the other cuts which hold when the invariants do, and from which the next invariants follow."""
    if cuts <= cfa.loop_heads or not any(found.invariants.values()):
        return {}
    terms = cfa.terms
    live = live_variables(cfa)
    heads = {head: terms.conjunction(found.invariants.get(head, ())) for head in cfa.loop_heads}
    inner = [c for c in cfa.order if c in cuts and c not in heads and c is not cfa.error]
    number = {location: i for i, location in enumerate(inner)}
    relations = tuple(tuple(sorted(live[location], key=lambda v: v.id)) for location in inner)
    clauses = []
    for block in blocks_between(cfa, paths, cuts | cfa.loop_heads):
        formula, indices = block.path.formula, block.path.indices
        body = None if block.source is None else number.get(block.source)
        if block.source in heads:
            formula = terms.and_(heads[block.source], formula)
        head = number.get(block.target)
        if head is not None:
            arguments = tuple(paths.indexed(v, indices.get(v, 0)) for v in relations[head])
            clauses.append(Clause(body, formula, head, arguments))
        elif block.target is not cfa.error:
            missed = terms.not_(paths.instantiate(heads[block.target], indices))
            clauses.append(Clause(body, terms.and_(formula, missed), None))
        elif found.complete:
            clauses.append(Clause(body, formula, None))
    solution = interpolation.horn(Horn(relations, tuple(clauses)), _SECONDS)
    if solution is None:
        return {}
    return {location: (own,) for location, own in zip(inner, solution, strict=True) if not own.is_const}

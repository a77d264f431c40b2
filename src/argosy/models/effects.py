"""What an operation does, taken apart: conditions, definitions, forgotten values, and what ties new values together.

Every operation of a control-flow automaton has one of these forms or is a conjunction of them, so that a reduction
which understands effects understands assume, assign, havoc and relation alike.

Laws: ``rebuild(terms, effect_of(terms, operation))`` relates the same old and new values as ``operation``; a
definition's value is over old values, so a definition never blocks a step, only guards and ties do.
"""

from __future__ import annotations

from fractions import Fraction

from argosy.basics.records import dataclass
from argosy.logic.sorts import BOOL, REAL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import conjuncts, variables
from argosy.models.cfa import Assign, Assume, Havoc, Operation, Relation


@dataclass(frozen=True, slots=True)
class Effect:
    """``guards`` are over old values; ``definitions`` pair a variable with its new value over old values;
    ``havocs`` take any value; ``ties`` are the other conjuncts of a relation and ``tied`` the variables whose new
    values they constrain. ``primed`` names new values as the relation did; the other operations need no names."""

    guards: tuple[Term, ...] = ()
    definitions: tuple[tuple[Term, Term], ...] = ()
    havocs: tuple[Term, ...] = ()
    ties: tuple[Term, ...] = ()
    tied: tuple[Term, ...] = ()
    primed: tuple[tuple[Term, Term], ...] = ()


NOTHING = Effect()


def effect_of(terms: Terms, operation: Operation) -> Effect:
    match operation:
        case Assume(condition):
            return NOTHING if condition is terms.true else Effect(guards=conjuncts(condition))
        case Assign(variable, value):
            return NOTHING if variable is value else Effect(definitions=((variable, value),))
        case Havoc(variable):
            return Effect(havocs=(variable,))
        case Relation():
            return _take_apart(terms, operation)


def _take_apart(terms: Terms, relation: Relation) -> Effect:
    variable_of = {new: variable for variable, new in relation.primed}
    parts = () if relation.formula is terms.true else conjuncts(relation.formula)
    occurrences: dict[Term, int] = dict.fromkeys(variable_of, 0)
    for part in parts:
        for free in variables(part):
            if free in occurrences:
                occurrences[free] += 1
    guards: list[Term] = []
    ties: list[Term] = []
    values: dict[Term, Term] = {}
    for part in parts:
        new = [free for free in variables(part) if free in variable_of]
        if not new:
            guards.append(part)
            continue
        value = solve(terms, part, new[0]) if len(new) == 1 and occurrences[new[0]] == 1 else None
        if value is None:
            ties.append(part)
        else:
            values[variable_of[new[0]]] = value
    constrained = {free for part in ties for free in variables(part)}
    written = [(variable, new) for variable, new in relation.primed if values.get(variable) is not variable]
    return Effect(
        guards=tuple(guards),
        definitions=tuple((variable, values[variable]) for variable, _ in written if variable in values),
        havocs=tuple(v for v, new in written if v not in values and new not in constrained),
        ties=tuple(ties),
        tied=tuple(v for v, new in written if new in constrained),
        primed=tuple(written),
    )


def solve(terms: Terms, part: Term, new: Term) -> Term | None:
    """The value that ``part`` gives to ``new`` whatever the other variables are, if it has this form."""
    if part is new:
        return terms.true
    negated = part.op == "not"
    atom = part.args[0] if negated else part
    if negated and atom is new:
        return terms.false
    if atom.op != "=" or (negated and atom.args[0].sort is not BOOL):
        return None
    for side, other in (atom.args, atom.args[::-1]):
        if side is new and new not in variables(other):
            return terms.not_(other) if negated else other
    left, right = atom.args
    if not left.sort.is_numeric:
        return None
    coefficient = terms.linear(left)[0].get(new)
    if coefficient is None or (left.sort is not REAL and abs(coefficient) != 1):
        return None
    factor = terms.const(coefficient, left.sort)
    rest = terms.sub(right, terms.sub(left, terms.mul(factor, new)))
    value = terms.mul(terms.const(1 / Fraction(coefficient), left.sort), rest)
    return None if new in variables(value) else value


def rebuild(terms: Terms, effect: Effect) -> Operation:
    """The simplest operation with this effect."""
    if not effect.ties:
        match len(effect.definitions), len(effect.havocs), len(effect.guards):
            case 0, 0, _:
                return Assume(terms.conjunction(effect.guards))
            case 1, 0, 0:
                return Assign(*effect.definitions[0])
            case 0, 1, 0:
                return Havoc(effect.havocs[0])
    new_of = dict(effect.primed)
    equations = (terms.eq(new_of[variable], value) for variable, value in effect.definitions)
    formula = terms.conjunction((*effect.guards, *equations, *effect.ties))
    changed = {variable for variable, _ in effect.definitions} | set(effect.havocs) | set(effect.tied)
    return Relation(formula, tuple(pair for pair in effect.primed if pair[0] in changed))

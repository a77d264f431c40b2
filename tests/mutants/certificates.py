"""Detectors for mistakes of the certifier itself: what is false must not be certified, whatever is claimed.

Claims are drawn at random for programs that reach the error, and paths for programs that do not: nothing but luck
separates them from what a wrong analysis would hand over.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from random import Random

from argosy.certify.invariant import Certified, certify_safe
from argosy.certify.replay import Replayed, certify_unsafe
from argosy.frontends.c.load import load
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Cfa, Edge, Location, Reading

from .programs import HEAD, SAFE, UNSAFE

WRAPPING = {
    "next is larger": "int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error(); return 0; }",
    "sum": """int main(void) { int x = __VERIFIER_nondet_int(), s = 0; if (x < 0) return 0;
        while (__VERIFIER_nondet_int()) s = s + x; if (s < 0) reach_error(); return 0; }""",
}


@cache
def model(text: str) -> Cfa:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "program.c"
        path.write_text(HEAD + text + "\n")
        return load(str(path), terms=Terms()).cfa


def _solvers(cfa: Cfa) -> Solvers:
    return Solvers(cfa.terms, Counters())


def _claims(cfa: Cfa, random: Random) -> dict[Location, list[Term]]:
    """At some locations some formulas: everything, nothing, bounds on bits and on numbers."""
    terms = cfa.terms
    numbers = [v.term for v in cfa.variables]
    claims: dict[Location, list[Term]] = {}
    for location in cfa.locations:
        if location in cfa.loop_heads or random.random() < 0.3:
            drawn = []
            for _ in range(random.randint(0, 2)):
                variable = random.choice(numbers)
                bound = random.randint(-2, 4)
                drawn.append(
                    random.choice(
                        (
                            terms.true,
                            terms.false,
                            terms.eq(variable, terms.const(bound, variable.sort)),
                            terms.le(terms.integer(bound), terms.var(variable.name, INT)),
                        )
                    )
                )
            claims[location] = drawn
    return claims


def nothing_false_is_certified_safe() -> None:
    random = Random(1)
    for text in (*UNSAFE.values(), *WRAPPING.values()):
        cfa = model(text)
        at_the_ends: list[dict[Location, list[Term]]] = [{cfa.initial: []}, {cfa.error: [cfa.terms.true]}, {}]
        for claims in (*at_the_ends, *(_claims(cfa, random) for _ in range(6))):
            answer = certify_safe(cfa, claims, _solvers(cfa), Reading.WRAP)
            assert not isinstance(answer, Certified), text


def overflow_is_excluded_only_where_it_is_undefined() -> None:
    cfa = model(WRAPPING["next is larger"])
    assert not isinstance(certify_safe(cfa, {}, _solvers(cfa), Reading.WRAP), Certified)
    answer = certify_safe(cfa, {}, _solvers(cfa), Reading.UNDEFINED)
    assert isinstance(answer, Certified) and answer.assumes


def a_path(cfa: Cfa, random: Random, longest: int = 60) -> list[Edge]:
    """A walk to the error through the graph, whatever the conditions say."""
    path: list[Edge] = []
    at = cfa.initial
    while at is not cfa.error and len(path) < longest:
        ways = [edge for edge in cfa.leaving[at] if edge.target in cfa.error_distance]
        near = min(ways, key=lambda edge: cfa.error_distance[edge.target])
        path.append(near if len(path) > 30 else random.choice(ways))
        at = path[-1].target
    return path


def nothing_false_is_certified_unsafe() -> None:
    random = Random(2)
    for name, text in SAFE.items():
        cfa = model(text)
        for _ in range(12):
            path = a_path(cfa, random)
            answer = certify_unsafe(cfa, path, _solvers(cfa), Reading.UNDEFINED)
            assert not isinstance(answer, Replayed), name


def a_path_with_a_gap_is_no_path() -> None:
    """The condition that the error hangs on is left out; or the path stops before the error."""
    for text in (SAFE["constants"], UNSAFE["any value"]):
        cfa = model(text)
        path = a_path(cfa, Random(3))
        for broken in (path[:-1], path[1:], path[:2] + path[3:], [*path[:-2], path[-1]], []):
            assert not isinstance(certify_unsafe(cfa, broken, _solvers(cfa), Reading.WRAP), Replayed)


def what_is_true_is_certified() -> None:
    for name in ("constants", "branches", "swap", "unsigned"):
        cfa = model(SAFE[name])
        assert isinstance(certify_safe(cfa, {}, _solvers(cfa), Reading.UNDEFINED), Certified), name
    cfa = model(UNSAFE["any value"])
    assert isinstance(certify_unsafe(cfa, a_path(cfa, Random(4)), _solvers(cfa), Reading.WRAP), Replayed)

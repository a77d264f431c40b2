"""Executes the automaton that a property of memory has, and says which violation comes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from argosy.certify.interpreter import ConcreteState, Interpreter, zero
from argosy.logic.semantics import Value
from argosy.logic.terms import Term
from argosy.logic.traverse import conjuncts, evaluate
from argosy.models.cfa import Assume, Cfa, Edge, Havoc, Location, Reading
from argosy.problem.property import NAMED

from .running import STEPS, read

UNKNOWN = "unknown"
UNDEFINED = "undefined"


def violation(
    source: str, choices: Sequence[int] = (), property: str = "valid-memsafety", **options: Any
) -> str | None:
    """The kind of the first violation of the one execution whose choices are given, by its name; ``UNKNOWN`` where it
    cannot be told, ``UNDEFINED`` where the execution leaves the language otherwise, None where all is well."""
    found = violations(source, choices, property, **options)
    return found[0] if found else None


def violations(
    source: str, choices: Sequence[int] = (), property: str = "valid-memsafety", **options: Any
) -> list[str]:
    cfa = read(source, errors=NAMED[property].errors, **options).cfa
    return _Run(cfa, choices).violations()


class _Run:
    def __init__(self, cfa: Cfa, choices: Sequence[int]) -> None:
        self._cfa = cfa
        self._interpreter = Interpreter(cfa, Reading.UNDEFINED)
        self._left = list(choices)

    def _choose(self, edge: Edge, variable: Any) -> Value:
        if not variable.sort.is_bits or variable in self._cfa.opaque:
            return zero(variable.sort)
        return int((self._left.pop(0) if self._left else 0) % (1 << variable.sort.width))

    def violations(self) -> list[str]:
        # What is in doubt is wrong, for all that is known.
        state = self._interpreter.start({t: 1 for t, why in self._cfa.opaque.items() if why.bound})
        for _ in range(STEPS):
            failed = list(self._failures(state))
            if failed:
                return sorted(edge.marks[0].kind.name if edge.marks else UNKNOWN for edge in failed)
            edges = [edge for edge in self._cfa.leaving[state.location] if not self._guesses(edge)]
            after = [self._interpreter.step(edge, state, self._choose) for edge in edges]
            ways = [each for each in after if isinstance(each, ConcreteState)]
            if not ways:
                ended = not edges or not any(edge.checks for edge in edges)
                return [] if ended else [UNDEFINED]
            assert len(ways) == 1, f"two edges are enabled at {state.location}"
            state = ways[0]
        raise AssertionError("the execution does not end")

    def _failures(self, state: ConcreteState) -> Iterator[Edge]:
        """The edges to the error that can be taken now, a guess of what is lost included."""
        for edge in self._cfa.leaving[state.location]:
            if edge.target is self._cfa.error:
                if isinstance(self._interpreter.step(edge, state, partial(_always, 0)), ConcreteState):
                    yield edge
            elif self._guesses(edge):
                yield from self._lost(edge, state)

    def _lost(self, edge: Edge, state: ConcreteState) -> Iterator[Edge]:
        """The edges to the error behind a guess: for the largest set of blocks none of which breaks a condition."""
        bits: list[Term] = []
        after = [edge]
        while isinstance(after[0].operation, Havoc):
            bits.append(after[0].operation.variable)
            after = list(self._cfa.leaving[after[0].target])
        for last in after:
            assert isinstance(last.operation, Assume)
            values = {**self._interpreter.valuation(state), **dict.fromkeys(bits, 1)}
            conditions = conjuncts(last.operation.condition)
            while broken := [each for each in conditions if not evaluate(each, values)]:
                own = [v for v in bits if values[v] and all(evaluate(each, {**values, v: 0}) for each in broken[:1])]
                if not own:
                    break
                values[own[0]] = 0
            else:
                yield last

    def _guesses(self, edge: Edge) -> bool:
        error: Location = self._cfa.error
        lost = isinstance(edge.operation, Havoc) and "is lost" in edge.operation.variable.name
        return edge.target is error or lost


def _always(number: int, _edge: Edge, _variable: Any) -> Value:
    return number

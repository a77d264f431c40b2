"""Systems written in another format are the same systems."""

from __future__ import annotations

from random import Random

import pytest

from argosy.basics.errors import UnsupportedError
from argosy.frontends.aiger.reader import read_aiger
from argosy.frontends.armc import read as read_clauses
from argosy.frontends.btor2.reader import read_btor2
from argosy.logic.sorts import INT
from argosy.logic.terms import Terms
from argosy.models.bits import CircuitModel
from argosy.models.system import BadState, StateVariable, System
from argosy.models.transition import TransitionModel
from argosy.problem.problem import Problem
from argosy.report.conversions import conversion_for
from tests.models.circuits import first_bad_steps, random_circuit
from tests.models.systems import random_system, reached_after


def converted(model: TransitionModel, output: str) -> str | bytes:
    problem = Problem("system", "test", "test", model, ())
    return conversion_for(output).write(problem, {})


def steps(system: System) -> list[int | None]:
    return [reached_after(system, bad) for bad in system.bad]


def test_functions_say_what_a_relation_says() -> None:
    related = [seed for seed in range(60) if random_system(seed).relation is not None]
    assert len(related) > 8
    for seed in related:
        system = random_system(seed)
        functional = system.functional()
        assert functional.relation is None and functional.initial is None
        assert steps(functional) == steps(system), seed


def test_systems_are_the_same_as_btor2_and_as_bits() -> None:
    for seed in range(16):
        system = random_system(seed)
        text = converted(system, "x.btor2")
        assert isinstance(text, str)
        assert steps(read_btor2("x.btor2", text)) == steps(system), seed
        for output in ("x.aag", "x.aig"):
            content = converted(system, output)
            circuit = read_aiger(output, content if isinstance(content, bytes) else content.encode()).circuit
            if circuit.inputs + circuit.latches < 11:
                assert first_bad_steps(circuit) == steps(system), seed


def test_circuits_are_the_same_as_text_binary_and_btor2() -> None:
    for seed in range(12):
        circuit = random_circuit(Random(seed))
        model = CircuitModel(circuit)
        wanted = first_bad_steps(circuit)
        text = converted(model, "x.btor2")
        assert isinstance(text, str) and steps(read_btor2("x.btor2", text)) == wanted, seed
        for output in ("x.aag", "x.aig"):
            content = converted(model, output)
            found = read_aiger(output, content if isinstance(content, bytes) else content.encode()).circuit
            assert first_bad_steps(found) == wanted


def test_numbers_without_a_width_are_clauses_and_no_words() -> None:
    terms = Terms()
    n = terms.var("n", INT)
    state = StateVariable(n, "n", terms.integer(0), terms.add(n, terms.integer(1)))
    bad = BadState("five", terms.eq(n, terms.integer(5)))
    system = System(terms, (state,), (), (bad,))
    text = converted(system, "x.armc")
    assert isinstance(text, str) and read_clauses("x.armc", text, terms=Terms()).cfa.loop_heads
    with pytest.raises(UnsupportedError, match="values of sort Int in BTOR2"):
        converted(system, "x.btor2")
    with pytest.raises(UnsupportedError, match="2 bad states as clauses"):
        converted(System(terms, (state,), (), (bad, bad)), "x.armc")

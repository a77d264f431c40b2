"""Certificates, re-checked from their text: by solvers in processes of their own, and against the other encoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.basics.budget import Budget
from argosy.certify.certificate import certificate_text, confirmed
from argosy.certify.invariant import Certified, NotCertified, certify_safe, locations_that_matter
from argosy.certify.passage import Reach
from argosy.certify.proof import InductionStep, InductiveClaims, Proof, Unwinding
from argosy.certify.recheck import RECHECKERS, recheck
from argosy.certify.unwinding import certify_k_induction, certify_unwinding
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import INT
from argosy.logic.terms import Term
from argosy.logic.traverse import variables as variables_of
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Reading, Undefined
from argosy.report.exporters import exported
from argosy.session.run import decide
from argosy.session.task import Task
from tests.certify.automata import Builder, automata
from tests.certify.smt import answers
from tests.certify.test_invariant import bounded_loop, exact_claims, formulas, is_safe
from tests.models.automata import automata as other_automata

Certify = Callable[..., Certified | NotCertified]
models = st.one_of(automata(), other_automata())


def certify(by: Certify, cfa: Cfa, *what: object, **more: object) -> Certified | NotCertified:
    reading = more.pop("reading", Reading.UNDEFINED)
    return by(cfa, *what, Solvers(cfa.terms, Counters()), reading, **more)


def holds(proof: Proof) -> bool:
    said = answers(certificate_text(proof))
    assert set(said) <= {"sat", "unsat"}
    return "sat" not in said


# ---- every certificate of every kind is accepted, and exactly when the other encoding accepts it ---------------


@settings(max_examples=60, deadline=None)
@given(models, st.sampled_from(Reading), st.booleans())
def test_an_invariant_that_is_certified_is_accepted(cfa: Cfa, reading: Reading, everywhere: bool) -> None:
    locations = cfa.locations if everywhere else sorted(cfa.loop_heads, key=lambda location: location.index)
    answer = certify(certify_safe, cfa, exact_claims_of(cfa, reading, locations), reading=reading)
    if isinstance(answer, Certified):
        assert answer.proof is not None and holds(answer.proof)


def exact_claims_of(cfa: Cfa, reading: Reading, locations: Sequence[Location]) -> Mapping[Location, Sequence[Term]]:
    # The other generator has variables of sorts that are not tried out here.
    if any(not variable.term.sort.is_bits for variable in cfa.variables):
        return {location: [cfa.terms.true] for location in locations}
    return exact_claims(cfa, reading, locations)


@settings(max_examples=60, deadline=None)
@given(models, st.sampled_from(Reading), st.integers(0, 3), st.sampled_from((certify_unwinding, certify_k_induction)))
def test_an_unwinding_that_is_certified_is_accepted(cfa: Cfa, reading: Reading, bound: int, by: Certify) -> None:
    answer = certify(by, cfa, bound, reading=reading, at_most=bound)
    if isinstance(answer, Certified):
        assert answer.proof is not None and holds(answer.proof)


@settings(max_examples=60, deadline=None)
@given(models, st.integers(0, 3), st.data())
def test_loops_that_are_left_open_and_lemmas_are_written_down(cfa: Cfa, bound: int, data: st.DataObject) -> None:
    some = data.draw(st.lists(st.sampled_from(cfa.locations), unique=True, max_size=2))
    words = [v.term for v in cfa.variables if v.term.sort.is_bits]
    lemmas = {}
    for location in cfa.locations:
        variable = data.draw(st.sampled_from(words))
        same = cfa.terms.eq(variable, cfa.terms.const(data.draw(st.integers(0, 3)), variable.sort))
        lemmas[location] = data.draw(st.sampled_from([cfa.terms.true, cfa.terms.true, same, cfa.terms.not_(same)]))
    by = data.draw(st.sampled_from(("invariant", "unwinding", "k-induction")))
    if by == "invariant":
        answer = certify(certify_safe, cfa, {location: [cfa.terms.true] for location in some}, lemmas=lemmas)
    elif by == "unwinding":
        answer = certify(certify_unwinding, cfa, bound, at_most=bound, loops=some, lemmas=lemmas)
    else:
        answer = certify(certify_k_induction, cfa, bound, at_most=bound, loops=some, lemmas=lemmas, invariants=lemmas)
    if isinstance(answer, Certified):
        assert answer.proof is not None and holds(answer.proof)


@settings(max_examples=80, deadline=None)
@given(automata(), st.data())
def test_the_text_of_wrong_claims_is_refused(cfa: Cfa, data: st.DataObject) -> None:
    """Both encodings agree on any claims at the loop heads, right or wrong; what both accept is safe."""
    variables = [v.term for v in cfa.variables]
    inside = locations_that_matter(cfa)
    claims = {h: data.draw(st.lists(formulas_on_bits(cfa, variables), max_size=2)) for h in cfa.loop_heads & inside}
    expected = certify(certify_safe, cfa, claims, reading=Reading.WRAP)
    said: dict[Location, Sequence[Term]] = {**claims, cfa.initial: [cfa.terms.true], cfa.error: []}
    main = InductiveClaims("the invariant", Reach(cfa, said.keys(), inside), said)
    accepted = holds(Proof(cfa, "invariant", 0, (), main, inside))
    assert accepted == isinstance(expected, Certified), expected
    assert not accepted or is_safe(cfa, Reading.WRAP)


def formulas_on_bits(cfa: Cfa, variables: Sequence[Term]) -> st.SearchStrategy[Term]:
    numbers = {cfa.terms.var(v.name, INT) for v in variables}
    return formulas(cfa.terms, variables).filter(lambda formula: numbers.isdisjoint(variables_of(formula)))


@settings(max_examples=80, deadline=None)
@given(models, st.integers(0, 3))
def test_both_encodings_agree_on_unwindings(cfa: Cfa, bound: int) -> None:
    inside = locations_that_matter(cfa)
    heads = sorted((cfa.loop_heads & inside) - {cfa.error}, key=lambda location: location.index)
    if any(edge.source in inside for edge in cfa.entering[cfa.initial]) or cfa.initial is cfa.error:
        return
    reach = Reach(cfa, {*heads, cfa.error}, inside)
    complete = Proof(cfa, "unwinding", bound, (), Unwinding(reach, bound), inside)
    expected = certify(certify_unwinding, cfa, bound, at_most=bound, reading=Reading.WRAP)
    assert holds(complete) == isinstance(expected, Certified)
    base, step = Unwinding(reach, bound, complete=False), InductionStep(reach, heads, bound, {})
    expected = certify(certify_k_induction, cfa, bound, at_most=bound, reading=Reading.WRAP)
    assert holds(Proof(cfa, "k-induction", bound, (base,), step, inside)) == isinstance(expected, Certified)


# ---- what was changed is refused, by solvers in processes of their own ------------------------------------------


def counting(guard: int = 10, stop: int = 10) -> tuple[Cfa, dict[Location, list[Term]]]:
    """x := 0; y := 0; while (x < guard) { x++; y := any or x }; error if x > stop."""
    b = Builder(8, 7)
    t = b.terms
    x, y = b.variable("x", 8), b.variable("y", 8)
    b.edge(0, 1, Assign(x, t.bv(0, 8)))
    b.edge(1, 2, Assign(y, t.bv(0, 8)))
    b.branch(2, 3, 6, t.bit("bvult", x, t.bv(guard, 8)))
    b.edge(3, 4, Assign(x, t.bit("bvadd", x, t.bv(1, 8))))
    b.edge(4, 2, Assign(y, x))
    b.edge(4, 2, Havoc(y))
    b.edge(6, 7, Assume(t.bit("bvult", t.bv(stop, 8), x)))
    cfa = b.build()
    return cfa, {cfa.locations[2]: [t.bit("bvule", x, t.bv(10, 8))]}


def proof_of(cfa: Cfa, claims: Mapping[Location, Sequence[Term]]) -> Proof:
    """The proof that these claims would be."""
    said: dict[Location, Sequence[Term]] = {**claims, cfa.initial: [cfa.terms.true], cfa.error: []}
    inside = locations_that_matter(cfa)
    return Proof(
        cfa, "invariant", 0, (), InductiveClaims("the invariant", Reach(cfa, said.keys(), inside), said), inside
    )


def refuses(solver: str, proof: Proof) -> bool:
    return recheck(certificate_text(proof), solver).refutes


@pytest.mark.parametrize("solver", RECHECKERS)
def test_a_wrong_invariant_or_model_is_refused(solver: str) -> None:
    cfa, claims = counting()
    right = proof_of(cfa, claims)
    said = recheck(certificate_text(right), solver)
    assert said.confirms(3) and not said.confirms(2)
    t, head = cfa.terms, cfa.locations[2]
    x = cfa.variables[0].term
    for wrong in (t.bit("bvule", x, t.bv(9, 8)), t.bit("bvule", x, t.bv(11, 8)), t.true, t.ne(x, t.bv(7, 8)), t.false):
        assert refuses(solver, proof_of(cfa, {head: [wrong]})), wrong
    assert refuses(solver, proof_of(cfa, {head: []}))
    assert refuses(solver, proof_of(*counting(guard=12))) and refuses(solver, proof_of(*counting(stop=9)))


def test_an_edge_more_and_a_flipped_guard_are_noticed() -> None:
    cfa, claims = counting()
    t, x = cfa.terms, cfa.variables[0].term
    flipped = 0
    for edge in cfa.edges:
        # Entering the loop only where it should be left keeps x at zero.
        if isinstance(edge.operation, Assume) and edge.target is not cfa.locations[3]:
            changed = replace(edge, operation=Assume(t.not_(edge.operation.condition)))
            edges = tuple(changed if other is edge else other for other in cfa.edges)
            flipped += refuses("bitwuzla", proof_of(replace(cfa, edges=edges), claims))
    assert flipped == 1  # the error; leaving the loop early is no error
    further = Edge(cfa.locations[3], cfa.locations[2], Assign(x, t.bv(77, 8)))
    assert refuses("bitwuzla", proof_of(replace(cfa, edges=(*cfa.edges, further)), claims))
    assert not refuses("bitwuzla", proof_of(replace(cfa, edges=cfa.edges[:-1]), claims))


def test_a_text_without_a_line_is_refused() -> None:
    """Where two ways meet, what either brings is needed."""
    b = Builder(6, 5)
    t = b.terms
    x, y = b.variable("x", 8), b.variable("y", 8)
    b.edge(0, 1, Assign(x, t.bv(1, 8)))
    b.branch(1, 2, 3, t.eq(y, t.bv(0, 8)))
    b.edge(2, 4, Assign(x, t.bv(2, 8)))
    b.edge(3, 4, Assign(x, t.bit("bvadd", x, t.bv(2, 8))))
    b.edge(4, 1, Assume(t.bit("bvult", x, t.bv(4, 8))))
    b.edge(4, 5, Assume(t.bit("bvult", t.bv(5, 8), x)))
    cfa = b.build()
    proof = proof_of(cfa, {cfa.locations[1]: [t.bit("bvule", x, t.bv(3, 8))]})
    assert holds(proof)
    lines = certificate_text(proof).splitlines()
    ways = [i for i, line in enumerate(lines) if line.startswith("(assert (=> way")]
    assert len(ways) == 2
    for i in ways:
        assert "sat" in answers("\n".join([*lines[:i], *lines[i + 1 :]])), lines[i]


# ---- programs ---------------------------------------------------------------------------------------------------

HEAD = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void) {\n"
ANY = "__VERIFIER_nondet_int()"
LOOP = f"while ({ANY})"
PROGRAMS = {
    "invariant": ("lbe", f"int x = 0, y = 0; {LOOP} {{ x += 2; y += 2; }} if (x != y) reach_error();"),
    "k-induction": ("kinduction", f"int x = 0, y = 0; {LOOP} {{ if (x != y) reach_error(); x = {ANY}; y = x; }}"),
    "unwinding": ("bmc", "int s = 0; for (int i = 0; i < 4; i++) s += i; if (s != 6) reach_error();"),
    "overflow": ("lbe", "int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error();"),
    "overflow in a loop": ("kinduction", f"int x = 0; {LOOP} x++; if (x < 0) reach_error();"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_confirmed_by_solvers_that_did_not_find_the_proof(name: str, tmp_path: Path) -> None:
    strategy, body = PROGRAMS[name]
    program = tmp_path / "p.c"
    program.write_text(f"{HEAD}{body}\nreturn 0; }}\n")
    decided = decide(Task.of(str(program), strategy=strategy, time_limit=60))
    result = decided.result
    ((where, text),) = exported(decided, {"certificate": "p.smt2"})
    assert where == "p.smt2" and isinstance(text, str)
    assert result.verdict == "safe" and ("overflow" in name or result.certificate == name)
    assert result.assumes == (("no-signed-overflow",) if "overflow" in name else ())
    assert ("left out: " in text) == ("overflow" in name)
    for solver in RECHECKERS:
        assert recheck(text, solver).confirms(text.count("(check-sat)")), solver


def test_without_the_assumed_guards_the_text_is_refused() -> None:
    cfa, head, claim = bounded_loop(5)
    answer = certify(certify_safe, cfa, {head: [claim]})
    assert isinstance(answer, Certified) and answer.proof is not None
    assert [check.kind for check in answer.proof.assumed] == [Undefined.SIGNED_OVERFLOW]
    assert holds(answer.proof) and not holds(replace(answer.proof, assumed=()))


def test_a_second_solver_has_to_confirm() -> None:
    cfa, claims = counting()
    answer = certify(certify_safe, cfa, claims)
    assert isinstance(answer, Certified) and answer.proof is not None
    agreed = confirmed(answer, "cvc5", Budget.of(60))
    assert isinstance(agreed, Certified) and agreed.by[-1] == "cvc5 from the text"
    wrong = replace(answer, proof=proof_of(*counting(guard=12)))
    refused = confirmed(wrong, "cvc5", Budget.of(60))
    assert isinstance(refused, NotCertified) and refused.refuted and "cvc5" in refused.reason
    late = confirmed(answer, "cvc5", Budget.of(0.001))
    assert isinstance(late, NotCertified) and not late.refuted and "time limit" in late.reason


def test_a_complaint_is_no_confirmation() -> None:
    for solver in RECHECKERS:
        said = recheck("(set-logic QF_BV)\n(assert nonsense)\n(check-sat)\n", solver)
        assert said.complaint and not said.confirms(1)
    with pytest.raises(ValueError, match="no such solver"):
        recheck("", "abacus")

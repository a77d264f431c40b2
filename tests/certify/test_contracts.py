"""Contracts are certified iff they hold and prove the property; each wrong one is refuted, whoever made it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from argosy.certify.contracts import certify_contracts
from argosy.certify.invariant import Certified, NotCertified
from argosy.frontends.c.load import load
from argosy.logic.smtlib import parse_term
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Terms
from argosy.models.cfa import Assign, Reading
from argosy.models.contracts import Contract, Procedures

HEAD = "extern int nondet(void); extern void reach_error(void);\n"

SUM = """int calls;
int sum(int n) { calls = 1; if (n <= 0) return 0; int before = n; int s = sum(n - 1); return s + before; }
int main(void) { int n = nondet(); int r = sum(n); if (r < n || calls != 1) reach_error(); return 0; }"""

PARITY = """int odd(unsigned n);
int even(unsigned n) { if (n == 0) return 1; return odd(n - 1); }
int odd(unsigned n) { if (n == 0) return 0; return even(n - 1); }
int main(void) { unsigned n = nondet(); if (even(n) != (n % 2 == 0)) reach_error(); return 0; }"""

MC91 = """int f(int x) { if (x > 100) return x - 10; return f(f(x + 11)); }
int main(void) { int x = nondet(); if (x > 101) return 0; if (f(x) != 91) reach_error(); return 0; }"""


def procedures(text: str) -> Procedures:
    found = load("p.c", terms=Terms(), text=HEAD + text).procedures
    assert isinstance(found, Procedures)
    return found


def contracts(model: Procedures, said: Mapping[str, tuple[str, str]]) -> dict[str, Contract]:
    """``n`` is a variable, ``old_n`` what it was when the call began, ``result`` what is returned."""
    found = {}
    for name, (requires, ensures) in said.items():
        signature = model.signatures[name]
        begins = {variable.name.rpartition("::")[2]: variable for variable, _ in signature.given}
        ends = {f"old_{variable.name.rpartition('::')[2]}": kept for variable, kept in signature.given}
        ends |= {variable.name: variable for variable in signature.left}
        for result in signature.result:
            ends["result"] = result
        terms = model.cfa.terms
        found[name] = Contract(parse_term(terms, requires, begins), parse_term(terms, ensures, ends))
    return found


def certify(
    text: str, said: Mapping[str, tuple[str, str]], reading: Reading = Reading.UNDEFINED
) -> Certified | NotCertified:
    model = procedures(text)
    solvers = Solvers(model.cfa.terms, Counters())
    return certify_contracts(model, contracts(model, said), {}, solvers, reading)


def n(value: int) -> str:
    return f"#x{value % 2**32:08x}"


SUMMED = f"(and (bvsge result old_n) (bvsge result {n(0)}) (= calls {n(1)}))"
EVEN = f"(= result (ite (= (bvurem old_n {n(2)}) {n(0)}) {n(1)} {n(0)}))"
ODD = f"(= result (ite (= (bvurem old_n {n(2)}) {n(0)}) {n(0)} {n(1)}))"
AT_91 = f"(= result (ite (bvsgt old_x {n(100)}) (bvsub old_x {n(10)}) {n(91)}))"


def test_contracts_that_hold_are_certified() -> None:
    for text, said in (
        (SUM, {"sum": ("true", SUMMED)}),
        (PARITY, {"even": ("true", EVEN), "odd": ("true", ODD)}),
        (MC91, {"f": (f"(bvsle x {n(111)})", AT_91)}),
    ):
        answer = certify(text, said)
        assert isinstance(answer, Certified) and answer.kind == "contracts", text
        assert answer.proof is not None and answer.proof.kind == "contracts"


@pytest.mark.parametrize(
    "text, said",
    [
        # too strong a postcondition: the function's own body refutes it
        (SUM, {"sum": ("true", f"(and {SUMMED} (= result old_n))")}),
        (SUM, {"sum": ("true", "false")}),
        (PARITY, {"even": ("true", f"(= result {n(1)})"), "odd": ("true", ODD)}),
        # true only of some calls that are made
        (MC91, {"f": (f"(bvsle x {n(111)})", f"(= result {n(91)})")}),
        # too weak a postcondition: the property does not follow
        (SUM, {"sum": ("true", "true")}),
        (SUM, {"sum": ("true", f"(and (bvsge result {n(0)}) (= calls {n(1)}))")}),
        (PARITY, {"even": ("true", EVEN), "odd": ("true", "true")}),
        # too strong a precondition: a caller violates it
        (SUM, {"sum": (f"(bvsge n {n(0)})", SUMMED)}),
        (SUM, {"sum": ("false", "false")}),
        (MC91, {"f": (f"(bvsle x {n(110)})", AT_91)}),
        (PARITY, {"even": (f"(= (bvurem n {n(2)}) {n(0)})", EVEN), "odd": ("true", ODD)}),
        # one exchanged for the other
        (PARITY, {"even": ("true", ODD), "odd": ("true", EVEN)}),
        # a function without a contract may do anything
        (SUM, {}),
        (PARITY, {"even": ("true", EVEN)}),
    ],
)
def test_wrong_contracts_are_refuted(text: str, said: Mapping[str, tuple[str, str]]) -> None:
    answer = certify(text, said)
    assert isinstance(answer, NotCertified) and answer.refuted


def test_a_contract_that_wrap_around_breaks_needs_its_assumption() -> None:
    answer = certify(SUM, {"sum": ("true", SUMMED)})
    assert isinstance(answer, Certified) and {check.position.line for check in answer.assumes} == {3}
    wrapping = certify(SUM, {"sum": ("true", SUMMED)}, Reading.WRAP)
    assert isinstance(wrapping, NotCertified) and wrapping.refuted


def test_a_contract_is_about_what_its_function_can_see() -> None:
    model = procedures(SUM)
    hidden = next(v.term for v in model.cfa.variables if v.name == "before")
    terms = model.cfa.terms
    wrong = {"sum": Contract(terms.true, terms.bit("bvslt", hidden, terms.bv(5, 32)))}
    answer = certify_contracts(model, wrong, {}, Solvers(terms, Counters()), Reading.UNDEFINED)
    assert isinstance(answer, NotCertified) and "before" in answer.reason
    unknown = {"g": Contract(terms.true, terms.true)}
    answer = certify_contracts(model, unknown, {}, Solvers(terms, Counters()), Reading.UNDEFINED)
    assert isinstance(answer, NotCertified)


def test_variables_of_the_own_call_survive_and_others_do_not() -> None:
    """With contracts that say nothing, a local variable is what it was; globals and statics may be anything."""
    text = "int g; int f(int n) {{ {} if (n > 0) {{ f(n - 1); {} }} return 0; }} int main(void) {{ f(nondet()); }}"
    nothing = {"f": ("true", "true")}
    kept = certify(text.format("int l = n;", "if (l != n) reach_error();"), nothing)
    assert isinstance(kept, Certified)
    for begins, ends in (
        ("g = n;", "if (g != n) reach_error();"),
        ("static int s; s = n;", "if (s != n) reach_error();"),
    ):
        lost = certify(text.format(begins, ends), nothing)
        assert isinstance(lost, NotCertified) and lost.refuted


def test_errors_inside_a_function_are_looked_for_under_its_precondition() -> None:
    text = "int f(int n) { if (n < 0) reach_error(); return n > 0 ? f(n - 1) : 0; } int main(void) { f(3); }"
    assert isinstance(certify(text, {"f": (f"(bvsge n {n(0)})", "true")}), Certified)
    assert isinstance(certify(text, {"f": ("true", "true")}), NotCertified)
    outside = certify(text.replace("f(3)", "f(-3)"), {"f": (f"(bvsge n {n(0)})", "true")})
    assert isinstance(outside, NotCertified) and outside.refuted


def test_calls_through_pointers_have_contracts() -> None:
    text = """int down(int n); int (*next)(int) = down;
    int down(int n) { return n > 0 ? next(n - 1) : 7; }
    int main(void) { if (down(nondet()) != 7) reach_error(); }"""
    model = procedures(text)
    pointer = next(v for v, _ in model.signatures["down"].given if v.name == "next")
    set_at = (e.operation for e in model.cfa.edges if isinstance(e.operation, Assign))
    [address] = [operation.value for operation in set_at if operation.variable is pointer]
    terms = model.cfa.terms
    [result] = model.signatures["down"].result
    said = {"down": Contract(terms.eq(pointer, address), terms.eq(result, terms.bv(7, 32)))}
    solvers = Solvers(terms, Counters())
    assert isinstance(certify_contracts(model, said, {}, solvers, Reading.UNDEFINED), Certified)
    loose = {"down": Contract(terms.true, terms.eq(result, terms.bv(7, 32)))}
    assert isinstance(certify_contracts(model, loose, {}, solvers, Reading.UNDEFINED), NotCertified)


def test_pointers_to_the_variables_of_several_calls_are_refused() -> None:
    text = """int f(int n, int *p) { int l = n; *p = l; return n > 0 ? f(n - 1, &l) : 0; }
    int main(void) { int x; f(3, &x); }"""
    found = load("p.c", terms=Terms(), text=HEAD + text).procedures
    assert isinstance(found, str) and "takes the address of l" in found


def test_programs_without_recursion_have_no_contracts() -> None:
    text = "int f(int n) { return n; } int main(void) { if (f(1) != 1) reach_error(); }"
    assert load("p.c", terms=Terms(), text=HEAD + text).procedures is None

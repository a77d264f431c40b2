"""What is read off the text about arrays: enough for loops over strings, and never more than what holds."""

from __future__ import annotations

import pytest

from argosy.basics.budget import Budget
from argosy.domains.paths import Paths
from argosy.frontends.c.load import load
from argosy.invariants.houdini import Houdini
from argosy.invariants.textual import guesses
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Terms
from argosy.models.cfa import Cfa, Reading
from argosy.problem.property import NAMED

BEFORE = """
extern int __VERIFIER_nondet_int(void); extern char __VERIFIER_nondet_char(void); extern void *alloca(unsigned long);
int main(void) {
  int n = __VERIFIER_nondet_int(); if (n < 1) n = 1;
  char *s = alloca(n * sizeof(char)), *t = alloca(n * sizeof(char));
  for (int i = 0; i < n - 1; i++) s[i] = __VERIFIER_nondet_char();
"""

LOOPS = [
    # The last element ends the string.
    ("s[n - 1] = 0; char *p = s; while (*p) p++;", True),
    ("if (n > 1) s[n - 2] = 0; char *p = s; while (*p) p++;", False),
    # Two pointers step together; so does what is left to do.
    ("s[n - 1] = 0; char *p = s, *q = t; while ((*q++ = *p++)) ;", True),
    ("s[n - 1] = 0; char *p = s, *q = t + 1; while ((*q++ = *p++)) ;", False),
    ("char *q = t; int k = n; while (k > 0) { k--; *q++ = 0; }", True),
    ("char *q = t; int k = n; while (k >= 0) { k--; *q++ = 0; }", False),
]


def automaton(body: str) -> Cfa:
    return load("a.c", terms=Terms(), text=f"{BEFORE}{body} }}", errors=NAMED["valid-deref"].errors).cfa


@pytest.mark.parametrize(("body", "safe"), LOOPS)
def test_accesses_of_loops_stay_inside_by_what_the_text_says(body: str, safe: bool) -> None:
    cfa = automaton(body)
    solver = Solvers(cfa.terms, Counters()).create("trace", "bits")
    houdini = Houdini(cfa, cfa.terms, Paths(cfa.terms, Reading.UNDEFINED), solver, Budget.of(300))
    (said, _) = guesses(cfa)
    assert (houdini.needed(houdini.inductive(said)) is not None) is safe

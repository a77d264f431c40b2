"""Claims about all objects: lists and pools without a bound are proved where what is claimed is in the text, and
nothing is proved that is not so."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.basics.budget import Budget
from argosy.domains.paths import Paths
from argosy.frontends.c.load import load
from argosy.invariants.objects import guessed, regions
from argosy.invariants.quantified import QuantifiedHoudini
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Terms
from argosy.logic.traverse import substitute
from argosy.models.cells import Cells, cells
from argosy.models.cfa import Reading
from argosy.models.reduce import reduce
from argosy.report.result import Result
from argosy.session.run import decide
from argosy.session.task import Task

BEFORE = """extern void reach_error(void); extern int nondet(void); extern void *malloc(__SIZE_TYPE__);
struct n { int v; struct n *next; struct n *back; };
#define NODE malloc(sizeof(struct n))
"""
LIST = "struct n *l = 0; while (nondet()) { struct n *p = NODE; p->v = %s; p->next = l; p->back = 0; l = p; }"
TWO = """struct n *l = 0; while (nondet()) {
  struct n *p = NODE; p->v = %s; p->next = l; l = p;
  if (nondet()) { struct n *q = NODE; q->v = %s; q->next = l; l = q; } }"""
TURN = "struct n *r = 0; while (l) { struct n *p = l; l = p->next; p->next = r; r = p; %s } l = r;"
WALK = "for (struct n *p = l; p; p = p->next) if (!(%s)) reach_error();"
BOTH = """struct m { int v, w; struct m *next; } *l = 0; while (nondet()) { int a = nondet(), b = nondet();
  if (%s) continue; struct m *p = malloc(sizeof *p); p->v = a; p->w = b; p->next = l; l = p; }"""
FIRST = """struct n *l = NODE, *last = l; l->v = 10; l->next = 0; while (nondet()) { int x = nondet(); if (%s) continue;
  struct n *p = NODE; last->next = p; p->v = x; p->next = 0; last = p; }"""
PAIRS = {
    "a number": (LIST % "7" + WALK % "p->v == 7", LIST % "7 + !nondet()" + WALK % "p->v == 7"),
    "of two places": (TWO % (1, 2) + WALK % "p->v == 1 || p->v == 2", TWO % (1, 3) + WALK % "p->v == 1 || p->v == 2"),
    "changed on the way": (
        LIST % "nondet()" + "for (struct n *p = l; p; p = p->next) if (p->v < 0) p->v = 0;" + WALK % "p->back == 0",
        LIST % "nondet()" + "for (struct n *p = l; p; p = p->next) if (p->v < 0) p->back = p;" + WALK % "p->back == 0",
    ),
    "two members together": (
        BOTH % "a > b" + WALK.replace("n *", "m *") % "p->v <= p->w",
        BOTH % "a > b && b != 5" + WALK.replace("n *", "m *") % "p->v <= p->w",
    ),
    "one after the other": (
        BOTH % "a == 1 && b == 3" + WALK.replace("n *", "m *") % "!(p->v == 1 && p->w == 3)",
        BOTH % "a == 1 && b == 2" + WALK.replace("n *", "m *") % "!(p->v == 1 && p->w == 3)",
    ),
    "the first one by itself": (FIRST % "x < 10" + WALK % "p->v >= 10", FIRST % "x < 9" + WALK % "p->v >= 10"),
    "turned round": (
        LIST % "5" + TURN % "" + WALK % "p->v == 5",
        LIST % "5" + TURN % "if (nondet()) r->v++;" + WALK % "p->v == 5",
    ),
}


def decided(body: str, tmp_path: Path, strategy: str, model: str = "ILP32") -> Result:
    path = tmp_path / "program.c"
    path.write_text(f"{BEFORE}int main(void) {{ {body} return 0; }}")
    return decide(Task.of(str(path), strategy=strategy, time_limit=60, data_model=model)).result


@pytest.mark.parametrize("name", PAIRS)
def test_lists_without_a_bound(name: str, tmp_path: Path) -> None:
    safe, unsafe = PAIRS[name]
    result = decided(safe, tmp_path, "objects")
    assert (result.verdict, result.certificate) == ("safe", "invariant"), result.reason
    assert any(claim["formula"].startswith("(forall") for claim in result.invariant)
    assert decided(unsafe, tmp_path, "objects").verdict == "unknown"
    assert decided(unsafe, tmp_path, "bmc").verdict == "unsafe"


def test_addresses_of_64_bits(tmp_path: Path) -> None:
    assert decided(PAIRS["a number"][0], tmp_path, "objects", "LP64").verdict == "safe"


def test_a_model_that_grows_has_other_turns(tmp_path: Path) -> None:
    """Four objects are looked at first; when they are not enough, auto asks about all of them."""
    result = decided(PAIRS["a number"][0], tmp_path, "auto")
    assert (result.verdict, result.strategy["stage"]) == ("safe", "objects")


def test_without_objects_there_is_nothing_to_say(tmp_path: Path) -> None:
    result = decided("int x = nondet(); while (x > 0) x--; if (x > 0) reach_error();", tmp_path, "objects")
    assert result.reason is not None and "no memory is handed out" in result.reason


def made(body: str, tmp_path: Path) -> Cells:
    path = tmp_path / "program.i"
    path.write_text(BEFORE.replace("#define NODE malloc(sizeof(struct n))\n", "") + f"int main(void) {{ {body} }}")
    program = load(str(path), terms=Terms(), data_model="ILP32", unbounded=True)
    return cells(reduce(program.cfa, reading=Reading.UNDEFINED).cfa, 1, Reading.UNDEFINED)


def test_regions_are_counters_of_addresses(tmp_path: Path) -> None:
    text = PAIRS["a number"][0].replace("NODE", "malloc(sizeof(struct n))")
    given = made(text, tmp_path).given
    [region] = regions(given)
    assert region.step == 16 and region.used.name.endswith(".used")


def test_a_guess_that_one_more_round_violates_is_dropped(tmp_path: Path) -> None:
    """What holds of the objects that there are need not hold of the next one."""
    text = (LIST % "3" + "struct n *q = NODE; q->v = 4; q->next = l; l = q;" + WALK % "p->v == 3").replace(
        "NODE", "malloc(sizeof(struct n))"
    )
    found = made(text, tmp_path)
    given, terms = found.given, found.given.terms
    guesses = {
        at: tuple(substitute(terms, guess, found.elements) for guess in some)
        for at, some in guessed(given, found).items()
    }
    solver = Solvers(terms, Counters(), 0).create("trace", "bits")
    houdini = QuantifiedHoudini(given, Paths(terms, Reading.UNDEFINED), solver, Budget.of(None), found.bound)
    kept = houdini.inductive(guesses)
    assert all(set(kept[at]) < set(guesses[at]) for at in guesses)
    assert houdini.needed(kept) is None

"""Values and predicates together: programs that neither can decide alone, and how little is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.intervals import IntervalAnalysis, IntervalState
from argosy.domains.literals import ROOM, LiteralAnalysis, LiteralState
from argosy.domains.paths import Paths
from argosy.domains.precision import Precision
from argosy.domains.predicate import PredicateAbstraction
from argosy.domains.product import ProductAnalysis, ProductState
from argosy.logic.bdd import Regions
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import bits
from argosy.models.cfa import Cfa, Havoc, Reading
from tests.frontends.c.running import read
from tests.models.automata import Sketch


def relay(stations: int, wrong: int) -> str:
    """A token that nobody knows goes round: each station adds one to it when its mode says so, in any order. After the
    last one it is compared with what it was."""
    each = range(stations)
    return "\n".join(
        [
            "extern int __VERIFIER_nondet_int(void);",
            "extern void reach_error(void);",
            "int main(void) {",
            "  unsigned int token = (unsigned int)__VERIFIER_nondet_int(), first = token;",
            "  int done = 0;",
            *(f"  int ready{i} = {int(not i)};" for i in each),
            "  while (!done) {",
            *(
                f"    if (ready{i} && __VERIFIER_nondet_int()) {{ token = token + 1; ready{i} = 0; "
                + (f"ready{i + 1} = 1; }}" if i + 1 < stations else "done = 1; }")
                for i in each
            ),
            "  }",
            f"  if (token - first {'!=' if not wrong else '=='} {stations}) reach_error();",
            "  return 0;",
            "}",
        ]
    )


@pytest.mark.parametrize("search", ["dfs", "bfs", "err"])
@pytest.mark.parametrize("wrong", [0, 1])
def test_an_unknown_token_is_passed_on(tmp_path: Path, wrong: int, search: str) -> None:
    path = tmp_path / "relay.c"
    path.write_text(relay(4, wrong))
    result = argosy.verify(path, "product", in_process=True, time_limit=120, search=search)
    assert (result.verdict, result.certified) == (("safe", "unsafe")[wrong], True)


def test_values_alone_do_not_see_why(tmp_path: Path) -> None:
    path = tmp_path / "relay.c"
    path.write_text(relay(4, 0))
    result = argosy.verify(path, "explicit", in_process=True, time_limit=120)
    assert result.verdict == "unknown"
    assert "explicit values cannot exclude" in (result.reason or "")


def test_few_questions_are_asked(tmp_path: Path) -> None:
    """The modes have nothing to do with the token: what an edge does to it is asked once for each of its stages."""
    path = tmp_path / "relay.c"
    path.write_text(relay(8, 0))
    result = argosy.verify(path, "product", in_process=True, time_limit=120, certify=False)
    assert result.verdict == "safe"
    assert result.statistics["nodes"] > 500
    assert result.statistics["solver_checks"] < 400


def literals_of(cfa: Cfa) -> LiteralAnalysis:
    solvers, paths = Solvers(cfa.terms, Counters()), Paths(cfa.terms, Reading.WRAP)
    solver = solvers.create("abstraction", "bits")
    abstraction = PredicateAbstraction(cfa.terms, paths, Regions(cfa.terms), solver, Counters(), "cartesian")
    return LiteralAnalysis(cfa, Reading.WRAP, paths, abstraction)


def test_what_is_known_of_a_variable_is_handed_on_by_relations() -> None:
    """x = y is known, then x > 3 is assumed: y > 3 follows, though the assumption does not mention y. It is still known
    after another assumption about y."""
    sketch = Sketch(6, x=bits(4), y=bits(4))
    terms = sketch.terms
    sketch.step(0, 1, Havoc(sketch.x))
    sketch.assign(1, 2, sketch.y, sketch.x)
    sketch.assume(2, 3, terms.not_(sketch.below(sketch.x, 4)))
    sketch.assume(3, 4, sketch.below(sketch.y, 12))
    sketch.assume(4, 5, sketch.below(sketch.y, 2))
    cfa = sketch.cfa()
    analysis = ProductAnalysis(ExplicitAnalysis(cfa, Reading.WRAP), literals_of(cfa))
    equal, large = terms.eq(sketch.x, sketch.y), sketch.below(sketch.y, 4)
    precision = Precision("global").join([(sketch.locations[0], [equal, large])])
    (state,) = analysis.initial(precision)
    for _ in range(4):
        ((_, state),) = analysis.successors(state, precision)
    assert analysis.claim(state) == (sketch.locations[4], terms.not_(large))
    assert list(analysis.successors(state, precision)) == []


def test_there_is_room_for_some_predicates() -> None:
    sketch = Sketch(2, x=bits(8))
    sketch.skip(0, 1)
    literals = literals_of(sketch.cfa())
    for count, expected in ((ROOM, True), (ROOM + 1, False)):
        predicates = [sketch.is_(sketch.x, value) for value in range(count)]
        precision = Precision("global").join([(sketch.locations[0], [sketch.x, *predicates])])
        assert literals.has_room(precision) is expected


def test_a_precision_of_both_kinds_is_written_and_read(tmp_path: Path) -> None:
    path, file = tmp_path / "relay.c", tmp_path / "relay.smt2"
    path.write_text(relay(4, 0))
    first = argosy.verify(path, "product", in_process=True, save_precision=str(file))
    again = argosy.verify(path, "product", in_process=True, precision=str(file))
    assert first.verdict == again.verdict == "safe"
    assert (first.statistics["refinements"] > 0, again.statistics["refinements"]) == (True, 0)


MODES = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int mode = __VERIFIER_nondet_int() ? 1 : 2, level = mode == 1 ? 1 : 4000;
  while (__VERIFIER_nondet_int()) {
    if (mode == 1) { if (level < 1000) level = level + level / 2 + 1; }
    else { if (level > 2000) level = level - level / 10; }
  }
  if (mode == 1 && level > 1500) reach_error();
  if (mode == 2 && level < LEAST) reach_error();
  return 0;
}
"""


@pytest.mark.parametrize("least,verdict", [("1800", "safe"), ("1916", "not safe")])
def test_bounds_of_each_mode(tmp_path: Path, least: str, verdict: str) -> None:
    """Mode 2 ends at 1915, and bounds say 1801 at the least, once a predicate tells the modes apart."""
    program = tmp_path / "modes.c"
    program.write_text(MODES.replace("LEAST", least))
    alone = argosy.verify(program, strategy="intervals", time_limit=30, in_process=True)
    both = argosy.verify(program, strategy="intervals-pred", time_limit=30, in_process=True)
    assert alone.verdict == "unknown"
    assert (both.verdict == "safe") is (verdict == "safe")
    assert both.verdict == "unknown" or both.certified


def test_a_pair_is_merged_where_one_component_is_above_already() -> None:
    cfa = read("int x, mode; int main(void) { while (x < 9) x = x + mode; return 0; }").cfa
    x = next(v.term for v in cfa.variables if v.name == "x")
    analysis = ProductAnalysis(IntervalAnalysis(cfa, Reading.WRAP), literals_of(cfa))
    there = next(iter(cfa.loop_heads))
    low, high = (IntervalState(there, ((x, (number, number)),)) for number in (1, 9))
    old = ProductState(low, LiteralState(there, (True,)))
    for truths, together in (((True,), True), ((False,), False), ((None,), False)):
        new = ProductState(high, LiteralState(there, truths))
        merged = analysis.merge(new, old)
        assert (merged is not old) is together
        assert analysis.covers(merged, old) and analysis.covers(merged, new) is together

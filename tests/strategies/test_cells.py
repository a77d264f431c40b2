"""Claims about all elements, from the text of an automaton to the verdict: pairs of programs, one safe, one not."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.backends.contract import Plan
from argosy.backends.stages import stages_of
from argosy.logic.solvers import SortKind
from argosy.models.features import Features
from argosy.report.result import Result
from argosy.session.run import decide
from argosy.session.task import Task

VARIABLES = "var a : [int] -> int var b : [int] -> int var i : int var n : int var x : int var m : int"
THEN = "L -> M { assume not (i < n) x := 0 }"


def automaton(*edges: str, variables: str = VARIABLES) -> str:
    names = dict.fromkeys(name for edge in edges for name in (edge.split()[0], edge.split()[2]))
    locations = " ".join(f"loc {name}" for name in names if name not in ("I", "ERR"))
    return f"main process p {{ {variables} init loc I {locations} error loc ERR {' '.join(edges)} }}"


def filled(write: str, asserted: str, bound: str = "n", variables: str = VARIABLES) -> str:
    """A loop that writes, and one that asserts."""
    return automaton(
        "I -> L { i := 0 }",
        f"L -> L {{ assume i < n {write} i := i + 1 }}",
        THEN,
        f"M -> C {{ assume x < {bound} }}",
        f"C -> ERR {{ assume not ({asserted}) }}",
        f"C -> M {{ assume {asserted} x := x + 1 }}",
        variables=variables,
    )


def searched(first: str) -> str:
    """``a[m]`` is what is looked for, from ``first`` on."""
    return automaton(
        f"I -> L {{ assume m >= 0 a := a[m <- n] i := {first} }}",
        "L -> L { assume a[i] /= n i := i + 1 }",
        "L -> C { assume a[i] = n }",
        "C -> ERR { assume i > m }",
    )


def thinned(step: int, asserted: str) -> str:
    """Every element of ``a`` is one of ``b``, of every so many."""
    return automaton(
        "I -> L { assume n >= 0 i := 1 m := 0 }",
        f"L -> L {{ assume i < n a := a[m <- b[i]] i := i + {step} m := m + 1 }}",
        "L -> M { assume not (i < n) i := 1 x := 0 }",
        "M -> C { assume i < n }",
        f"C -> ERR {{ assume not ({asserted}) }}",
        f"C -> M {{ assume {asserted} i := i + {step} x := x + 1 }}",
    )


PAIRS = {
    "fill": (filled("a := a[i <- 0]", "a[x] = 0"), filled("a := a[i <- 0]", "a[x] = 0", "n + 1")),
    "index": (filled("a := a[i <- 2 * i]", "a[x] = 2 * x"), filled("a := a[i <- 2 * i]", "a[x] = x")),
    "copy": (filled("b := b[i <- a[i]]", "a[x] = b[x]"), filled("b := b[i <- a[i + 1]]", "a[x] = b[x]")),
    "every other": (thinned(2, "a[x] = b[2 * x + 1]"), thinned(2, "a[x] = b[2 * x]")),
    "backwards": (
        filled("a := a[i <- b[n - 1 - i]]", "a[x] = b[n - 1 - x]"),
        filled("a := a[i <- b[n - 1 - i]]", "a[x] = b[n - x]"),
    ),
    "rows": (
        filled("b := b[i <- 1] a := a[i <- b[i]]", "a[x] = 1"),
        filled("a := a[i <- b[i]] b := b[i <- 1]", "a[x] = 1"),
    ),
}


def decided(text: str, strategy: str, tmp_path: Path, **options: str) -> Result:
    path = tmp_path / "program.cfa"
    path.write_text(text)
    return decide(Task.of(str(path), strategy=strategy, time_limit=60, **options)).result


@pytest.mark.parametrize("name", PAIRS)
def test_cells_prove_the_safe_one_and_not_the_other(name: str, tmp_path: Path) -> None:
    safe, unsafe = PAIRS[name]
    result = decided(safe, "cells", tmp_path)
    assert (result.verdict, result.certificate) == ("safe", "invariant")
    assert any(claim["formula"].startswith("(forall ((k Int)") for claim in result.invariant)
    assert decided(unsafe, "cells", tmp_path).verdict != "safe"


C = """extern void reach_error(void); extern int nondet(void); extern void *malloc(__SIZE_TYPE__);
int main(void) {{
  int n = nondet(); if (n < 1 || n > 9999) return 0;
  {0}
  for (int i = 0; i < n; i++) if (!({1})) reach_error();
}}"""
LARGEST = (
    "int a[n], m = 0; for (int i = 0; i < n; i++) a[i] = nondet(); for (int i = 0; i < n; i++) if (a[i] > m) m = a[i];"
)
SAME = """int a[n], b[n], same = 1; for (int i = 0; i < n; i++) { a[i] = nondet(); b[i] = nondet(); }
  for (int i = 0; i < n; i++) if (a[i] != b[i]) same = 0;"""
HEAP = """int *a = malloc(n * sizeof(int)), *b = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) a[i] = 5;
  for (int i = 0; i < n; i++) if (a[i] == 5) b[i] = a[i] - 5; else b[i] = 1;"""
BEFORE = """int a[n], e = nondet(), m = 0; for (int i = 0; i < n; i++) a[i] = nondet();
  while (m < n && a[m] != e) m++;"""
CHOSEN = """int a[n], b[n], m = 0; for (int i = 0; i < n; i++) a[i] = nondet();
  for (int i = 0; i < n; i++) if (a[i] >= 0) b[m++] = a[i];"""
PROGRAMS = {
    "what is before the one that is looked for": (BEFORE, "i >= m || a[i] != e", "i > m || a[i] != e"),
    "elements that are chosen": (CHOSEN, "i >= m || b[i] >= 0", "i >= m || b[i] > 0"),
    "what is compared is what is taken": (LARGEST, "a[i] <= m", "a[i] < m"),
    "what a loop has found out": (SAME, "!same || a[i] == b[i]", "same || a[i] == b[i]"),
    "blocks of the heap": (HEAP, "b[i] == 0", "b[i] == 1"),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("model", ["ILP32", "LP64"])
def test_loops_of_c_need_hardly_any_refinement(name: str, model: str, tmp_path: Path) -> None:
    text, holds, fails = PROGRAMS[name]
    path = tmp_path / "program.c"
    path.write_text(C.format(text, holds))
    result = decide(Task.of(str(path), strategy="cells", time_limit=60, data_model=model)).result
    assert (result.verdict, result.certificate) == ("safe", "invariant")
    assert result.statistics["refinements"] <= 1
    path.write_text(C.format(text, fails))
    assert decide(Task.of(str(path), strategy="execution", time_limit=20, data_model=model)).result.verdict == "unsafe"


FILLED = """extern void reach_error(void); extern {0} nondet(void); extern void *malloc(__SIZE_TYPE__);
int main(void) {{
  {0} n = nondet(); if (n < 1 || n > 1000000) return 0;
  int *a = malloc(n * sizeof(int));
  for ({0} i = 0; i < n; i++) a[i] = 7;
  for ({0} i = 0; i < n; i++) if (a[i] != {1}) reach_error();
}}"""


@pytest.mark.parametrize("model", ["ILP32", "LP64"])
@pytest.mark.parametrize("index", ["unsigned", "long", "unsigned long"])
def test_indices_of_every_type(index: str, model: str, tmp_path: Path) -> None:
    """As wide as addresses or not, with a sign or without: what is known of the size of the block helps."""
    path = tmp_path / "program.c"
    path.write_text(FILLED.format(index, "7"))
    result = decide(Task.of(str(path), strategy="cells", time_limit=60, data_model=model)).result
    assert (result.verdict, result.certificate) == ("safe", "invariant"), result.reason
    path.write_text(FILLED.format(index, "8"))
    assert decide(Task.of(str(path), strategy="cells", time_limit=2, data_model=model)).result.verdict != "safe"


def test_what_holds_of_all_elements_is_known_of_those_that_are_read(tmp_path: Path) -> None:
    assert decided(searched("0"), "cells-horn", tmp_path).verdict == "safe"
    assert decided(searched("m + 1"), "cells-horn", tmp_path).verdict != "safe"


def test_without_a_loop_over_the_array_the_theory_is_enough(tmp_path: Path) -> None:
    text = automaton("I -> L { a := a[i <- 1] }", "L -> ERR { assume a[i] /= 1 }")
    assert decided(text, "cells", tmp_path).verdict == "safe"
    assert decided(text, "lbe", tmp_path, arrays="cells2").verdict == "safe"


def test_only_programs_with_arrays_are_looked_at_so() -> None:
    plan = Plan("auto")
    own: SortKind
    guessed: list[tuple[str, float]]
    for own, guessed in (("int", []), ("bits", [("execution", 0.12), ("kinduction", 0.3)])):
        without = [(stage.name, stage.share) for stage in stages_of(plan, own, Features(loops=True))]
        having = [(stage.name, stage.share) for stage in stages_of(plan, own, Features(loops=True, arrays=True))]
        assert not any(name.startswith("cells") for name, _ in without)
        assert set(guessed) <= set(having) and not set(guessed) & set(without)
        assert {"cells", "cells-horn"} <= {name for name, _ in having}
    first = [
        list(dict.fromkeys(stage.name for stage in stages_of(plan, "bits", Features(arrays=True, memory=memory))))
        for memory in (False, True)
    ]
    assert [names[:3] for names in first] == [["lbe", "cells", "execution"], ["execution", "kinduction", "cells"]]

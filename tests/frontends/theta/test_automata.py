"""Theta's control-flow automata: processes, locations, edges."""

from __future__ import annotations

from pathlib import Path

import argosy
from argosy.frontends.theta.automata import read_automaton
from argosy.logic.terms import Terms

from .reading import reached, verdict

LOOP = """
main process counter {
    var x : int
    init loc L0   loc L1   loc L2   final loc END   error loc ERR
    L0 -> L1 { x := 0 }
    L1 -> L1 { assume x < 5  x := x + 1 }
    L1 -> L2 { assume not (x < 5) }
    L2 -> END { assume x <= 5 }
    L2 -> ERR { assume x > LIMIT }
}
"""


def test_a_loop(tmp_path: Path) -> None:
    assert verdict(tmp_path, "cfa", LOOP.replace("LIMIT", "5")) == "safe"
    assert verdict(tmp_path, "cfa", LOOP.replace("LIMIT", "4")) == "unsafe"


def test_the_suffix_of_plcverif(tmp_path: Path) -> None:
    assert verdict(tmp_path, "theta", LOOP.replace("LIMIT", "4")) == "unsafe"


def test_statements_are_executed_in_order(tmp_path: Path) -> None:
    assert reached(tmp_path, "x := 1 y := x x := 2 assume y = 1 and x = 2")
    assert not reached(tmp_path, "x := 1 assume x = 2 x := 2")


def test_variables_are_arbitrary_at_first_and_after_havoc(tmp_path: Path) -> None:
    assert reached(tmp_path, "assume x = 41 and b")
    assert reached(tmp_path, "x := 1 havoc x assume x = 7")
    assert not reached(tmp_path, "havoc x y := x mod 65536 assume y < 0 or y >= 65536")


def test_declarations_may_follow_their_uses(tmp_path: Path) -> None:
    text = "main process p { A -> E { x := 1 g := x } error loc E var x : int init loc A } var g : int"
    assert verdict(tmp_path, "cfa", text) == "unsafe"


def test_a_variable_of_the_process_hides_one_of_the_file(tmp_path: Path) -> None:
    text = "var x : bool main process p { var x : int init loc A error loc E A -> E { x := 1 assume x = 1 } }"
    assert verdict(tmp_path, "cfa", text) == "unsafe"
    names = [variable.term.name for variable in read_automaton("m", text, Terms()).cfa.variables]
    assert len(set(names)) == 2


def test_only_the_main_process_is_executed(tmp_path: Path) -> None:
    other = "process q { var x : int init loc A error loc E A -> E { x := 0 } }"
    edges = "A -> B { assume n > 0 } B -> E { assume n < 0 }"
    text = f"{other} main process p(n : int) {{ init loc A loc B error loc E {edges} }}"
    assert verdict(tmp_path, "cfa", text) == "safe"
    assert read_automaton("m", text, Terms()).ledger == ("the process q is not main: it is never executed",)


def test_an_edge_needs_no_statements_and_the_error_needs_none_behind_it(tmp_path: Path) -> None:
    text = "main process p { init loc A error loc E A -> E E -> A { } }"
    assert verdict(tmp_path, "cfa", text) == "unsafe"


def test_without_an_error_there_is_nothing_to_check(tmp_path: Path) -> None:
    path = tmp_path / "m.cfa"
    path.write_text("main process p { init loc A A -> A }")
    assert argosy.verify(path, in_process=True).verdict == "safe"
    result = argosy.verify(path, in_process=True, strict=True)
    assert result.verdict == "unknown" and "nothing to check" in str(result.reason)


def test_traces_tell_the_statements_and_their_places() -> None:
    cfa = read_automaton(
        "m.cfa", "main process p {\n var x : int\n init loc A error loc E\n A -> E { x := 1 }\n}", Terms()
    ).cfa
    [edge] = cfa.edges
    assert (str(edge.position), edge.text, edge.source.label) == ("m.cfa:4:11", "x := 1", "A")

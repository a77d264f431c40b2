"""How many operations and nodes a second explicit values make ([Theta], section 2.2.1, and ``domains/explicit.py``).

    python experiments/explicit_speed.py [FILE.c ...] [--nodes N]

Without a file a controller is made up: modes, events and rules in the style of the event-condition-action programs of
SV-COMP. Operations are those of the reduced automaton, with all variables tracked; those that are impossible in a state
count, since they are executed to see it. ``transfer`` is the domain in Python alone, ``loop`` the loop in Python with
its graph and covering, ``kernel`` the native one, with ``--more`` times as many nodes; all after the operations were
compiled; ``compiled`` is the time that took in Python. CPU seconds of one thread. The bytes of a graph in Python are
those that ``tracemalloc`` sees, in another run.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

from collection import guarded

from argosy.basics.budget import OutOfBudget
from argosy.domains.explicit import ExplicitAnalysis
from argosy.domains.precision import Precision
from argosy.engine import engine
from argosy.engine.frontier import Fifo
from argosy.engine.protocols import Silent
from argosy.engine.reached import Node, Reached
from argosy.frontends.c.load import load
from argosy.logic.terms import Terms
from argosy.models.cfa import Cfa, Reading
from argosy.models.reduce import reduce
from argosy.native.explicit import KernelExplorer, KernelGraph
from argosy.native.orders import CostOrder


class Counting(Silent):
    """Counts operations, and ends the exploration when there are enough nodes."""

    def __init__(self, cfa: Cfa, nodes: int) -> None:
        self.operations = 0
        self._leaving = cfa.leaving
        self._nodes = nodes

    def expanded(self, node: Node, reached: Reached) -> None:
        self.operations += len(self._leaving[node.state.location])
        if len(reached) >= self._nodes:
            raise OutOfBudget("enough nodes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--nodes", type=int, default=20_000, help="the size of the graph (20000)")
    parser.add_argument("--more", type=int, default=10, help="how much larger the kernel's graph may get (10)")
    arguments = parser.parse_args()
    print(
        "| program | locations | variables | nodes | compiled, s | transfer, operations/s | loop, operations/s "
        "| loop, nodes/s | bytes per node | kernel, nodes | nodes/s | bytes per node |"
    )
    print("|---|" + "---:|" * 11)
    if arguments.files:
        for path in arguments.files:
            print(row(path, arguments.nodes, arguments.more), flush=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "controller.c"
        path.write_text(controller(modes=12, events=6, rules=120), encoding="utf-8")
        print(row(path, arguments.nodes, arguments.more), flush=True)


def row(path: Path, nodes: int, more: int) -> str:
    program = load(str(path), terms=Terms(), data_model="ILP32")
    cfa = reduce(program.cfa, reading=Reading.UNDEFINED).cfa
    analysis = ExplicitAnalysis(cfa, Reading.UNDEFINED)
    precision = Precision("global").join([(cfa.initial, analysis.variables)])
    started = time.process_time()
    for edge in cfa.edges:
        analysis.transfer(edge)
    compiled = time.process_time() - started
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    reached, _ = explore(analysis, precision, nodes)
    size = (tracemalloc.get_traced_memory()[0] - before) / len(reached)
    tracemalloc.stop()
    started = time.process_time()
    reached, operations = explore(analysis, precision, nodes)
    exploring = time.process_time() - started
    states = [node.state for node in reached if node.expanded]
    executed = sum(len(cfa.leaving[state.location]) for state in states)
    started = time.process_time()
    for state in states:
        for _ in analysis.successors(state, precision):
            pass
    transferring = time.process_time() - started
    explorer = KernelExplorer(analysis, CostOrder())
    graph = explorer.reached
    assert isinstance(graph, KernelGraph)
    natively, rounds = 0.0, 0
    while natively < 0.2:
        graph.clear()
        started = time.process_time()
        with suppress(OutOfBudget):
            explorer.explore(precision, 0, Enough(graph.created + more * nodes))
        # The first time operations are compiled on the way.
        natively, rounds = (natively + time.process_time() - started, rounds + 1) if rounds else (0.0, 1)
    natively /= rounds - 1
    speed = len(reached) / exploring
    return (
        f"| {path.stem} | {len(cfa.locations)} | {len(cfa.variables)} | {len(reached)} | {compiled:.2f} "
        f"| {executed / transferring:,.0f} | {operations / exploring:,.0f} | {speed:,.0f} | {size:,.0f} "
        f"| {len(graph)} | {len(graph) / natively:,.0f} | {graph.kernel.bytes / len(graph):,.0f} |"
    )


class Enough(Silent):
    """Ends the exploration of the kernel."""

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes

    def patience(self) -> tuple[int, int]:
        return self._nodes, self._nodes

    def expanded_some(self, number: int, reached: Reached) -> None:
        if reached.created >= self._nodes:
            raise OutOfBudget("enough nodes")


def explore(analysis: ExplicitAnalysis, precision: Precision, nodes: int) -> tuple[Reached, int]:
    reached: Any = Reached(analysis.partition)
    counting = Counting(analysis.cfa, nodes)
    with suppress(OutOfBudget):
        engine.explore(analysis, reached, Fifo(), precision, 0, counting)
    return reached, counting.operations


def controller(modes: int, events: int, rules: int) -> str:
    """A program of rules ``if (event == e && a == i && b == j) { a = ...; b = ...; }``, always the same one."""
    draw = random.Random(0)
    names = ["a", "b", "d", "e"]
    lines = [
        "extern int __VERIFIER_nondet_int(void);",
        "extern void reach_error(void);",
        f"int {', '.join(f'{name} = {i}' for i, name in enumerate(names))};",
        "int main(void) {",
        "  while (1) {",
        "    int event = __VERIFIER_nondet_int();",
        f"    if (event < 1 || event > {events}) return 0;",
    ]
    for number in range(rules):
        one, other = draw.sample(names, 2)
        condition = f"event == {draw.randint(1, events)} && {one} == {draw.randrange(modes)}"
        if number % 3:
            condition += f" && {other} != {draw.randrange(modes)}"
        lines.append(f"    {'else ' if number else ''}if ({condition}) {{")
        lines.append(f"      {one} = {draw.randrange(modes)}; {other} = ({other} + {draw.randint(1, 5)}) % {modes};")
        lines.append("    }")
    lines += [f"    if (a == {modes} && b == {modes}) reach_error();", "  }", "}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    guarded(main)

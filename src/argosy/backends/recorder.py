"""Writes down how a run went (``course``): an observer of the loop tells it what happens."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from argosy.backends.course import AbstractNode, Course, Lesson, PhaseRun
from argosy.basics.records import dataclass, field, replace
from argosy.engine.protocols import Claiming, Feasible, Located, Refined, Refiner, Strategy, Stuck, TrackingTerms
from argosy.engine.reached import Node, Reached
from argosy.logic.terms import Term
from argosy.models.cfa import Edge, Location

MOST_NODES = 20_000
"""More are counted, not kept."""

MOST_AT_A_GLANCE = 100
MOST_LESSONS = 500


@dataclass(slots=True)
class CourseRecorder:
    """Writes it down. ``keeps``: more than the phases."""

    keeps: bool = False
    phases: list[PhaseRun] = field(default_factory=list)
    lessons: list[Lesson] = field(default_factory=list)
    reached: Reached | None = None
    _open: tuple[str, float] | None = None
    _analysis: Any = None
    _locations: Sequence[Location] = ()
    _known: dict[Location, set[Term]] = field(default_factory=dict)
    _counted: tuple[int, int] = (0, 0)
    _lives: dict[Node, tuple[int, int]] | None = None
    _graphs: int = 0

    def enter(self, phase: str, nodes: int, refinements: int) -> None:
        """What was going on ends with these counts, and something else begins."""
        now = time.monotonic()
        if self._open is not None:
            name, begun = self._open
            grown, refined = nodes - self._counted[0], refinements - self._counted[1]
            self.phases.append(PhaseRun(name, now - begun, max(0, grown), max(0, refined)))
        self._open, self._counted = (phase, now), (nodes, refinements)

    def watch(self, analysis: Any, locations: Sequence[Location]) -> None:
        """A stage begins, whose precision knows nothing yet that was learned here."""
        self._analysis, self._locations, self._known, self.reached = analysis, locations, {}, None
        self._lives, self._graphs = {}, 0

    def noting(self, strategy: Strategy[Any, Any, Any]) -> Strategy[Any, Any, Any]:
        """The same strategy; what its refiner is given is written down, where that is kept."""
        return replace(strategy, refiner=_Noting(strategy.refiner, self)) if self.keeps else strategy

    def refines(self, reached: Reached) -> None:
        """A refinement begins: every node of the graph lives at least until now."""
        if self._lives is None:
            return
        self._graphs += 1
        for node in reached:
            self._lives[node] = self._lives.get(node, (self._graphs, 0))[0], self._graphs
        if len(self._lives) > MOST_NODES or self._graphs >= MOST_LESSONS:
            self._lives, self._graphs = None, 0

    def refined(self, reached: Reached, precision: Any) -> None:
        if not self.keeps or not isinstance(precision, TrackingTerms) or len(self.lessons) >= MOST_LESSONS:
            return
        new: dict[Location, list[Term]] = {}
        for location in self._locations:
            known = self._known.setdefault(location, set())
            found = [term for term in precision.at(location) if term not in known]
            if found:
                known.update(found)
                new[location] = found
        phase = self._open[0] if self._open is not None else ""
        number = 1 + sum(lesson.phase == phase for lesson in self.lessons)
        self.lessons.append(Lesson(phase, number, new))

    def course(self, nodes: int, refinements: int) -> Course:
        self.enter("", nodes, refinements)
        self._open = None
        if not self.keeps or self.reached is None:
            return Course(tuple(self.phases))
        graph, graphs = self._graph()
        return Course(tuple(self.phases), tuple(self.lessons), tuple(graph), len(self.reached), graphs)

    def glance(self) -> Course:
        """What is known in the middle of a run: the graph as it is, while a person can read it."""
        size = 0 if self.reached is None else len(self.reached)
        graph: Sequence[AbstractNode] = ()
        if self.reached is not None and size <= MOST_AT_A_GLANCE:
            graph = self._described(dict.fromkeys(self.reached, (1, 1)))
        return Course((), tuple(self.lessons), tuple(graph), size)

    def _graph(self) -> tuple[list[AbstractNode], int]:
        """The last graph with those before it, where they are kept; and how many they are."""
        assert self.reached is not None
        lives, graphs = dict(self._lives or {}), 1
        if lives:
            # A counterexample that is real ends the run with the graph in which it was found.
            shown = {node for node, (_, last) in lives.items() if last == self._graphs}
            graphs = self._graphs if shown == set(self.reached) else self._graphs + 1
            for node in self.reached:
                lives[node] = lives.get(node, (graphs, 0))[0], graphs
        if not lives or len(lives) > MOST_NODES:
            lives, graphs = dict.fromkeys(islice(self.reached, MOST_NODES), (1, 1)), 1
        return self._described(lives), graphs

    def _described(self, lives: Mapping[Node, tuple[int, int]]) -> list[AbstractNode]:
        nodes = sorted(lives, key=lambda node: node.id)
        place = {node: number for number, node in enumerate(nodes)}
        passed = {before for node in nodes if node.target for before in node.ancestry()}
        return [
            AbstractNode(
                node.id,
                node.state.location if isinstance(node.state, Located) else None,
                self._formula(node),
                tuple((place[parent], _said(action)) for parent, action in _parents(node) if parent in place),
                None if node.coverer is None else place.get(node.coverer),
                node.target,
                node in passed,
                *lives[node],
            )
            for node in nodes
        ]

    def _formula(self, node: Node) -> Term | None:
        formula: Term | None = self._analysis.claim(node.state)[1] if isinstance(self._analysis, Claiming) else None
        return formula


def _parents(node: Node) -> Iterable[tuple[Node, Any]]:
    """Where its edges come from, and first from where it was derived."""
    return dict.fromkeys([*(() if node.derivation is None else (node.derivation,)), *node.parents])


def _said(action: Any) -> str:
    """The text of a step; of a block nothing."""
    if not isinstance(action, Edge):
        return ""
    return next((edge.text for edge in reversed(action.as_read) if edge.text), "")


@dataclass(frozen=True, slots=True)
class _Noting:
    """A refiner that shows the recorder what it is given."""

    refiner: Refiner[Any]
    recorder: CourseRecorder

    def refine(self, reached: Reached, targets: Sequence[Node], precision: Any) -> Feasible | Refined[Any] | Stuck:
        self.recorder.refines(reached)
        return self.refiner.refine(reached, targets, precision)

"""Writes down how a run went (``course``): an observer of the loop tells it what happens."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argosy.backends.course import AbstractNode, Course, Lesson, PhaseRun
from argosy.basics.records import dataclass, field
from argosy.engine.protocols import Claiming, Located, TrackingTerms
from argosy.engine.reached import Node, Reached
from argosy.logic.terms import Term
from argosy.models.cfa import Edge, Location

MOST_NODES = 240
"""More are counted, not kept."""

MOST_LOOKED_AT = 10_000
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
        return Course(tuple(self.phases), tuple(self.lessons), tuple(self._graph()), len(self.reached))

    def glance(self) -> Course:
        """What is known in the middle of a run."""
        graph = self._graph() if self.reached is not None and len(self.reached) <= MOST_NODES else ()
        return Course((), tuple(self.lessons), tuple(graph), 0 if self.reached is None else len(self.reached))

    def _graph(self) -> list[AbstractNode]:
        """All nodes or, where these are too many, those at which a block ends; none, where these are."""
        assert self.reached is not None
        nodes = list(self.reached)
        if MOST_NODES < len(nodes) <= MOST_LOOKED_AT:
            nodes = [n for n in nodes if n.target or n.derivation is None or self._formula(n) is not None]
        if len(nodes) > MOST_NODES:
            return []
        place = {node: number for number, node in enumerate(nodes)}
        passed = {node for target in self.reached.targets[:1] for node in target.ancestry()}
        return [
            AbstractNode(
                node.id,
                node.state.location if isinstance(node.state, Located) else None,
                self._formula(node),
                tuple(_origins(node, place)),
                None if node.coverer is None else place.get(node.coverer),
                node.target,
                node in passed,
            )
            for node in nodes
        ]

    def _formula(self, node: Node) -> Term | None:
        formula: Term | None = self._analysis.claim(node.state)[1] if isinstance(self._analysis, Claiming) else None
        return formula


def _origins(node: Node, place: Mapping[Node, int]) -> Iterator[tuple[int, str]]:
    """The nearest nodes before one that have a place."""
    seen: set[Node] = set()
    stack = [(parent, _said(action)) for parent, action in node.parents]
    while stack:
        parent, text = stack.pop()
        if parent in place:
            yield place[parent], text
        elif parent not in seen:
            seen.add(parent)
            stack.extend((above, "") for above, _ in parent.parents)


def _said(action: Any) -> str:
    """The text of a step; of a block nothing."""
    if not isinstance(action, Edge):
        return ""
    return next((edge.text for edge in reversed(action.as_read) if edge.text), "")

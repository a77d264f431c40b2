"""What a run learns, told while it goes on: predicates by refinement, and the graph while a person can read it.

Told at most every half second: drawing takes time that the analysis would rather have.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence

from argosy.backends.course import Course, Lesson
from argosy.report.course import lessons, reached_picture
from argosy.report.frame import Node
from argosy.session.progress import Progress

INTERVAL = 0.5
MOST_DRAWN = 100


class Watching:
    def __init__(self, progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress = progress
        self._clock = clock
        self._known: Sequence[Lesson] = ()
        self._due = float("-inf")

    def look(self, glance: Callable[[], Course]) -> None:
        if self._clock() < self._due:
            return
        course = glance()
        drawn = reached_picture(course) if len(course.graph) <= MOST_DRAWN else {"size": course.size}
        self._tell(course.lessons, drawn)
        self._due = self._clock() + INTERVAL

    def end(self, course: Course) -> None:
        """What was learned since the last look."""
        self._tell(course.lessons, None)

    def _tell(self, learned: Sequence[Lesson], drawn: Node | None) -> None:
        known = self._known
        # Another question has lessons of its own.
        begun = len(known) if learned[: len(known)] == known else 0
        self._known = learned
        if drawn is not None or learned[begun:]:
            self._progress.tell(json.dumps({"lessons": lessons(Course((), learned[begun:])), "reached": drawn}))

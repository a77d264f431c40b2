"""What a run learns, told while it goes on: predicates by refinement, and the graph while a person can read it.

Told at most every half second: drawing takes time that the analysis would rather have.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from argosy.backends.course import Course
from argosy.report.course import lessons, reached_picture
from argosy.session.progress import Progress

INTERVAL = 0.5
MOST_DRAWN = 60


class Watching:
    def __init__(self, progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress = progress
        self._clock = clock
        self._known = 0
        self._due = float("-inf")

    def look(self, glance: Callable[[], Course]) -> None:
        if self._clock() < self._due:
            return
        course = glance()
        drawn = reached_picture(course) if len(course.graph) <= MOST_DRAWN else {"size": course.size}
        new = Course((), course.lessons[self._known :])
        self._known = len(course.lessons)
        self._progress.tell(json.dumps({"lessons": lessons(new), "reached": drawn}))
        self._due = self._clock() + INTERVAL

"""A run that is watched tells everything that it learns, once, and its graph while that is small."""

from __future__ import annotations

import json
from pathlib import Path

from argosy.report.course import lessons
from argosy.session.progress import Progress
from argosy.session.run import decide
from argosy.session.task import Task

LOCK = str(Path(__file__).parent.parent.parent / "examples" / "c" / "two_counters.c")


def told(watched: bool) -> tuple[list[str], list[dict[str, object]]]:
    found: list[str] = []
    progress = Progress(lambda phase, counts: None, interval=0.0, tell=found.append)
    task = Task.of(LOCK, strategy="lbe", watched=watched, time_limit=60, exports={"report": "r.html"})
    return found, lessons(decide(task, progress).answers[-1].course)


def test_what_is_learned_is_told_once() -> None:
    found, learned = told(watched=True)
    heard = [lesson for text in found for lesson in json.loads(text)["lessons"]]
    assert heard == json.loads(json.dumps(learned)) and heard
    assert any((json.loads(text)["reached"] or {}).get("boxes") for text in found)


def test_nobody_else_pays() -> None:
    assert told(watched=False)[0] == []

"""What can be asked of a file: properties of a program, queries about a network, requirements of a controller, bad
states of a system. Found by reading the file in a process of its own, under limits, as for a verdict.
"""

from __future__ import annotations

import json
from typing import Any

from argosy.basics.errors import InputError, UnsupportedError, UsageError
from argosy.problem.property import NAMED, PARTS
from argosy.report.result import Result
from argosy.session.progress import Progress
from argosy.session.run import read
from argosy.session.starting import Start, fresh
from argosy.session.supervisor import Fault, supervise
from argosy.session.task import Task

Question = dict[str, Any]

READ = "argosy.ui.questions:asked"
SECONDS, MEGABYTES = 30, 2_000

WORDS = {
    "unreach-call": "the error is never reached: a call of reach_error, a label ERROR, or an assertion",
    "no-overflow": "no signed overflow",
    "defined-arithmetic": "no division by zero, no shift too far, no overflow, no float that its integer cannot hold",
    "valid-memsafety": "every access, every free is valid, and no memory is lost",
    "valid-memcleanup": "all memory is freed at the end",
    "initialised": "nothing is used that was never written",
    "undefined-behaviour": "nothing that C leaves undefined happens",
}


def asked(task: Task, progress: Progress) -> Result:
    """In the child: what the problem asks, as a file."""
    problem = read(task)
    several = len(problem.subjects) > 1
    found = [
        {
            "key": subject.text,
            "text": subject.text,
            "line": subject.position.line,
            "only": subject.text if several else None,
        }
        for subject in problem.subjects
    ]
    progress.export("questions", json.dumps({"questions": found, "nothing": problem.nothing}))
    return Result.unknown("only read")


def questions_of(task: Task, start: Start = fresh) -> Question:
    """``questions``, and what is ``wrong`` where the file cannot be read, with its ``line``."""
    if task.check().name == "c":
        named = [name for name in NAMED if name not in PARTS]
        return {"questions": [{"key": n, "text": n, "words": WORDS.get(n, ""), "line": 0, "only": None} for n in named]}
    told: list[str] = []
    try:
        result = supervise(task, run=READ, write=lambda path, content: told.append(str(content)), start=start)
    except InputError as error:
        return {"questions": [], "wrong": str(error), "line": error.position.line}
    except (UnsupportedError, UsageError, Fault) as error:
        return {"questions": [], "wrong": str(error), "line": 0}
    if not told:
        return {"questions": [], "wrong": result.reason or "it cannot be read", "line": 0}
    found: Question = json.loads(told[0])
    return found

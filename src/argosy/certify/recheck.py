"""A certificate re-checked by a solver in a process of its own, as anybody could do it: from the text alone."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

from argosy.basics.budget import CLOCK, TIME_LIMIT, UNLIMITED, Budget
from argosy.basics.records import dataclass
from argosy.logic import text_worker
from argosy.logic.solver import Satisfiability

RECHECKERS = tuple(text_worker.SOLVERS)
"""The solvers that read certificates."""

_SCRIPT = Path(text_worker.__file__)
_WORDS = {answer.value: answer for answer in Satisfiability}


@dataclass(frozen=True, slots=True)
class Rechecked:
    """``answers`` has one for each obligation that got one; ``complaint`` is what else the solver said, or why it
    stopped."""

    solver: str
    answers: tuple[Satisfiability, ...]
    complaint: str = ""

    @property
    def refutes(self) -> bool:
        """Whether some obligation has a model. (cvc5 says so by complaining about the answer that was expected.)"""
        return Satisfiability.SAT in self.answers or "got sat" in self.complaint

    def confirms(self, obligations: int) -> bool:
        """Whether all obligations were found unsatisfiable, and nothing else was said."""
        return self.answers == (Satisfiability.UNSAT,) * obligations and not self.complaint


def recheck(text: str, solver: str, budget: Budget = UNLIMITED) -> Rechecked:
    """What ``solver`` says to the certificate ``text``."""
    if solver not in RECHECKERS:
        raise ValueError(f"no such solver: {solver}")
    before = _used_by_children()
    try:
        ended = subprocess.run(
            (sys.executable, str(_SCRIPT), solver), input=text, capture_output=True, text=True, timeout=budget.seconds
        )
        said, complaints = ended.stdout, [ended.stderr] if ended.returncode else []
    except subprocess.TimeoutExpired as late:
        said, complaints = _text(late.stdout), [TIME_LIMIT]
    CLOCK.charge(_used_by_children() - before)
    answers = []
    for line in said.splitlines():
        if line in _WORDS:
            answers.append(_WORDS[line])
        elif line:
            complaints.append(line)
    return Rechecked(solver, tuple(answers), "; ".join(" ".join(c.split()) for c in complaints))


def _text(output: bytes | str | None) -> str:
    return output.decode(errors="replace") if isinstance(output, bytes) else output or ""


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

"""Interpolants from Z3's Horn engine Spacer, and the process it runs in.

Constrained Horn clauses generalise interpolation: one relation for each cut, one clause for each step, and an
unreachable error; an interpretation of the relations is a sequence of interpolants where the clauses form a path, tree
or DAG interpolants where they branch and join (Gupta, Popeea, Rybalchenko; Rummer, Hojjat, Kuncak), and inductive
invariants where they go round.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from argosy.basics.budget import CLOCK, Budget
from argosy.basics.records import dataclass
from argosy.logic.float_meanings import without_floats
from argosy.logic.smtlib import SmtLibError, parse_term, to_smtlib
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import variables

if TYPE_CHECKING:
    import subprocess

_SCRIPT = os.path.join(os.path.dirname(__file__), "interpolation_worker.py")
_GRACE = 0.5  # the worker's own limit comes first, so that it lives to answer the next request
_LONGEST = 3600.0  # seconds for a request without a limit


class Derivable(Exception):
    """There is no solution: ``false`` is derivable from the clauses, or so Spacer says."""


class Unanswered(Exception):
    """The worker has no answer; the message says why: unknown, out of time, crashed, or text that is no term."""


@dataclass(frozen=True, slots=True)
class Clause:
    """``body`` and ``formula`` imply ``head``. Relations are numbers; no body is true, no head is false. The head is
    about ``arguments`` where they are given, otherwise, like the body, about the relation's own variables."""

    body: int | None
    formula: Term
    head: int | None
    arguments: tuple[Term, ...] | None = None


@dataclass(frozen=True, slots=True)
class Horn:
    """Clauses over relations, each with the variables it is about. A variable has the same value wherever it occurs
    in one clause."""

    relations: tuple[tuple[Term, ...], ...]
    clauses: tuple[Clause, ...]

    @property
    def levels(self) -> int:
        """Clauses on the longest path; 0 where they go round."""
        into: dict[int | None, list[int | None]] = {}
        for clause in self.clauses:
            into.setdefault(clause.head, []).append(clause.body)
        length: dict[int, int] = {}
        open_: set[int] = set()
        stack = [r for r in into if r is not None]
        while stack:
            relation = stack[-1]
            before = [b for b in into.get(relation, ()) if b is not None]
            missing = [b for b in before if b not in length]
            if relation in length or not missing:
                stack.pop()
                open_.discard(relation)
                length[relation] = 1 + max((length[b] for b in before), default=0)
            elif relation in open_:
                return 0
            else:
                open_.add(relation)
                stack.extend(missing)
        return 1 + max(length.values(), default=0)


def path(parts: Sequence[Term]) -> Horn:
    """The clauses of a sequence of formulas: relation i is about the variables that parts 0..i share with the rest."""
    cuts = shared_variables(parts)
    last = len(parts) - 1
    clauses = tuple(Clause(i - 1 if i else None, part, i if i < last else None) for i, part in enumerate(parts))
    return Horn(tuple(tuple(sorted(cut, key=lambda v: v.id)) for cut in cuts), clauses)


def shared_variables(parts: Sequence[Term]) -> list[frozenset[Term]]:
    """For each cut, the variables that occur on both sides of it."""
    after: list[frozenset[Term]] = []
    seen: frozenset[Term] = frozenset()
    for part in reversed(parts[1:]):
        seen |= variables(part)
        after.append(seen)
    after.reverse()
    cuts = []
    before: frozenset[Term] = frozenset()
    for part, rest in zip(parts, after, strict=False):
        before |= variables(part)
        cuts.append(before & rest)
    return cuts


class Worker:
    """The process that answers requests, started at the first one and after each death. Not for several threads."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.starts = 0
        self._process: subprocess.Popen[str] | None = None
        self._charged = 0.0

    def interpret(self, horn: Horn, budget: Budget) -> list[Term]:
        """A formula for each relation, not yet validated."""
        everything = [c.formula for c in horn.clauses]
        arguments = [c.arguments for c in horn.clauses if c.arguments is not None]
        names = self._names(everything, (v for some in (*horn.relations, *arguments) for v in some))
        request = {
            "command": "horn",
            "constants": [[name, str(v.sort)] for v, name in names.items()],
            "relations": [[names[v] for v in relation] for relation in horn.relations],
            "clauses": [
                [
                    c.body,
                    self._text(c.formula, names),
                    c.head,
                    c.arguments and [names[v] for v in c.arguments],
                ]
                for c in horn.clauses
            ],
            "levels": horn.levels,
        }
        return self._parse(self._ask(request, budget)["relations"], names)

    def solve(
        self,
        script: str,
        relations: Sequence[tuple[str, tuple[Term, ...]]],
        budget: Budget,
        *,
        inline: bool = True,
        guided: bool = False,
    ) -> list[Term | None]:
        """A solution of the clauses of a ``script`` in the logic HORN, not yet validated: a formula for each of the
        relations, which are given by their names and variables for their arguments. Where Spacer may put relations in
        place of their uses (``inline``), it is faster and may have no formula without quantifiers for them. Raises
        ``Derivable``. ``guided``: with what Krishnan, Chen, Shoham and Gurfinkel call global guidance (CAV 2020)."""
        names = self._names([], (v for _, arguments in relations for v in arguments))
        request = {
            "command": "clauses",
            "script": script,
            "constants": [[name, str(v.sort)] for v, name in names.items()],
            "relations": [[relation, [names[v] for v in given]] for relation, given in relations],
            "inline": inline,
            "guided": guided,
        }
        answer = self._ask(request, budget)
        if "derivable" in answer:
            raise Derivable
        found = answer["relations"]
        parsed = iter(self._parse([text for text in found if text is not None], names))
        return [None if text is None else next(parsed) for text in found]

    def eliminate(self, quantified: Iterable[Term], formula: Term, budget: Budget) -> Term:
        """A formula without the variables, equivalent to their existential quantification."""
        names = self._names([formula], quantified := list(quantified))
        request = {
            "command": "eliminate",
            "constants": [[name, str(v.sort)] for v, name in names.items()],
            "names": [names[v] for v in quantified],
            "formula": self._text(formula, names),
        }
        return self._parse([self._ask(request, budget)["formula"]], names)[0]

    def bits(self, parts: Sequence[Term], limit: int, budget: Budget) -> list[Term]:
        """Sequence interpolants by bitwuzla, of at most ``limit`` characters each; not yet validated."""
        names = self._names(parts, ())
        request = {
            "command": "bits",
            "constants": [[name, str(v.sort)] for v, name in names.items()],
            "parts": [self._text(part, names) for part in parts],
            "limit": limit,
        }
        return self._parse(self._ask(request, budget)["relations"], names)

    def _text(self, formula: Term, names: Mapping[Term, str]) -> str:
        return to_smtlib(without_floats(self.terms, formula), names)

    def _names(self, formulas: Iterable[Term], more: Iterable[Term]) -> dict[Term, str]:
        """Names that no solver can take for anything else."""
        found = frozenset(more).union(*(variables(f) for f in formulas))
        return {v: f"v{i}" for i, v in enumerate(sorted(found, key=lambda v: v.id))}

    def _parse(self, texts: Iterable[str], names: Mapping[Term, str]) -> list[Term]:
        known = {name: v for v, name in names.items()}
        try:
            return [parse_term(self.terms, text, known) for text in texts]
        except SmtLibError as error:
            raise Unanswered(f"an answer that is no term: {error}") from error

    def _ask(self, request: dict[str, Any], budget: Budget) -> Any:
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        seconds = budget.at_most(_LONGEST).seconds or 0.0
        try:
            process.stdin.write(json.dumps(request | {"time": seconds}) + "\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], seconds + _GRACE)
            line = process.stdout.readline() if ready else None
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            raise Unanswered("out of time" if line is None else "the worker died")
        answer = json.loads(line)
        self._charge(answer.pop("processor"))
        if "failure" in answer:
            raise Unanswered(answer["failure"])
        return answer

    def _running(self) -> subprocess.Popen[str]:
        import subprocess

        if self._process is None or self._process.poll() is not None:
            self.close()
            self.starts += 1
            self._charged = 0.0
            # -P: the script's own directory is not a place to import from.
            self._process = subprocess.Popen(
                [sys.executable, "-P", _SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        return self._process

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._end(process)
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    try:
                        stream.close()
                    except BrokenPipeError:
                        continue

    def _end(self, process: subprocess.Popen[str]) -> None:
        if process.returncode is not None:
            return
        # Not ``process.kill``, which would wait for one that has died, and its usage would be lost.
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self._charge(usage.ru_utime + usage.ru_stime)

    def _charge(self, seconds: float) -> None:
        """The process took so long since it was started: what is new of it counts as time of this run."""
        CLOCK.charge(seconds - self._charged)
        self._charged = max(self._charged, seconds)

    def __del__(self) -> None:
        self.close()

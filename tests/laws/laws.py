"""The laws of ``protocols.Analysis``, on the states that an exploration reaches, against all concrete states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from argosy.engine import engine
from argosy.engine.frontier import Fifo
from argosy.engine.protocols import Silent
from argosy.engine.reached import Reached
from argosy.logic.terms import Term
from argosy.logic.traverse import evaluate
from argosy.models.cfa import Cfa, Reading
from tests.models.automata import States, Steps, everything


class Laws:
    """One analysis of one small automaton under one precision."""

    def __init__(self, cfa: Cfa, analysis: Any, precision: Any, reading: Reading) -> None:
        self.cfa = cfa
        self.analysis = analysis
        self.precision = precision
        self.variables: Sequence[Term] = [v.term for v in cfa.variables]
        self.all_states = list(everything(self.variables))
        self.steps = Steps(cfa, self.variables, reading)
        self.reached = Reached(analysis.partition)
        engine.explore(analysis, self.reached, Fifo(), precision, 0, Silent())
        self.reached.validate()

    def concrete(self, state: Any) -> States | None:
        """Conc of a state; None where it claims nothing."""
        _, formula = self.analysis.claim(state)
        if formula is None:
            return None
        names = self.variables
        return {s for s in self.all_states if evaluate(formula, dict(zip(names, s, strict=True)))}

    def check(self) -> None:
        self.covering()
        self.merging()
        self.reaching()

    def covering(self) -> None:
        """``covers`` is a preorder that implies inclusion, and finds coverers only where ``shelters`` says."""
        covers = self.analysis.covers
        states = [node.state for node in self.reached][:12]
        for a in states:
            assert covers(a, a)
            for b in states:
                if self.analysis.partition(a) not in self.analysis.shelters(b):
                    continue
                if covers(a, b):
                    wide, narrow = self.concrete(a), self.concrete(b)
                    assert wide is None or narrow is None or narrow <= wide
                    for c in states:
                        if self.analysis.partition(b) in self.analysis.shelters(c) and covers(b, c):
                            assert covers(a, c)

    def merging(self) -> None:
        """``merge`` is above its second argument, and above both where it makes something new."""
        states = [node.state for node in self.reached if self.analysis.merges(node.state)][:12]
        for new in states:
            for old in states:
                if self.analysis.partition(new) == self.analysis.partition(old):
                    merged = self.analysis.merge(new, old)
                    for part in (old,) if merged is old else (old, new):
                        wide, narrow = self.concrete(merged), self.concrete(part)
                        assert wide is None or narrow is None or narrow <= wide

    def reaching(self) -> None:
        """Every reachable concrete state is claimed by an uncovered node at its location."""
        claimed: dict[Any, States | None] = {}
        for node in self.reached:
            location, _ = self.analysis.claim(node.state)
            states = self.concrete(node.state)
            if states is None or claimed.get(location, set()) is None:
                claimed[location] = None
            elif node.coverer is None:
                claimed.setdefault(location, set()).update(states)  # type: ignore[union-attr]
        frontier = {(self.cfa.initial, state) for state in self.all_states}
        seen = set(frontier)
        while frontier:
            location, state = frontier.pop()
            here = claimed.get(location, set())
            assert here is None or state in here, f"{state} at {location} is reachable and not claimed"
            if location is self.cfa.error:
                continue
            for edge in self.cfa.leaving[location]:
                for after in self.steps.after(edge, state):
                    if (edge.target, after) not in seen:
                        seen.add((edge.target, after))
                        frontier.add((edge.target, after))

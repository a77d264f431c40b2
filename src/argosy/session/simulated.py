"""A run that somebody chose, as a result: written to the same pages and files as a counterexample."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from argosy.backends.contract import UNKNOWN, Answer, TimedRun
from argosy.certify.timed_replay import TimedStep, replay
from argosy.kernel.concretise import follow
from argosy.kernel.graph import ZoneGraph
from argosy.models.network import Network
from argosy.models.network_semantics import Action
from argosy.problem.problem import Problem, Subject
from argosy.report.answers import result_of
from argosy.report.exporters import Decided

SIMULATED = "a simulation says nothing about other runs"


def simulated(path: str, network: Network, chosen: Sequence[tuple[Fraction, Action | None]]) -> Decided:
    """The run of a network by the delays and actions that were chosen, replayed."""
    steps = [TimedStep(delay, () if action is None else action.edges) for delay, action in chosen]
    moments = replay(network, steps)
    zones = [state.zone for state in follow(ZoneGraph(network), [step.edges for step in steps if step.edges])]
    subject = Subject("query", "simulation")
    answer = Answer(subject, UNKNOWN, SIMULATED, None, TimedRun(network, moments, zones))
    problem = Problem("network", "uppaal", path, network, (subject,), network.notes, (path,))
    result = result_of(problem, [answer])
    return Decided(problem, [answer], result)

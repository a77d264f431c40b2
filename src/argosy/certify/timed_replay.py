"""Replay of a timed trace in the interpreter of the network: exact rational time, every rule checked at every step.

Certifies that a target is reachable (``network_semantics`` is the only code involved); shares nothing with zones.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from argosy.basics.records import dataclass
from argosy.models.network import Network, TimedEdge
from argosy.models.network_evaluation import ModelError
from argosy.models.network_queries import StateFormula
from argosy.models.network_semantics import Action, ImpossibleStep, NetworkState, Semantics


@dataclass(frozen=True, slots=True)
class TimedStep:
    """Wait for ``delay``, then take the edges together (sender first); no edges: only wait."""

    delay: Fraction
    edges: tuple[TimedEdge, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """A state of the run, the time stamp at which it is entered, and the action that led to it (None: a delay)."""

    time: Fraction
    state: NetworkState
    action: Action | None = None


class ReplayError(Exception):
    """The trace is no run of the network; ``step`` counts from 0, and is the number of steps for the target."""

    def __init__(self, step: int, reason: str) -> None:
        super().__init__(f"step {step}: {reason}")
        self.step = step
        self.reason = reason


def replay(network: Network, steps: Sequence[TimedStep], target: StateFormula | None = None) -> tuple[Moment, ...]:
    """The run that the steps describe, from the initial state; raises ``ReplayError`` if it is none, or if it does
    not end in ``target``. A model error in a step is raised as it is: it may be what the trace is to show."""
    semantics = Semantics(network)
    state, time = semantics.initial(), Fraction(0)
    run = [Moment(time, state)]
    for number, step in enumerate(steps):
        try:
            if step.delay:
                state = semantics.delay(state, step.delay)
                time += step.delay
                run.append(Moment(time, state))
            if step.edges:
                action = semantics.action(step.edges, state)
                state = semantics.fire(state, action)
                run.append(Moment(time, state, action))
        except ImpossibleStep as error:
            raise ReplayError(number, str(error)) from error
    if target is not None and not semantics.satisfies(state, target):
        raise ReplayError(len(steps), "the run does not end in a target state")
    return tuple(run)


def replay_error(network: Network, steps: Sequence[TimedStep], target: StateFormula | None = None) -> ModelError:
    """The model error in which the last step ends, or the question whether it ends in ``target``; raises
    ``ReplayError`` if there is none."""
    try:
        run = replay(network, steps)
        semantics = Semantics(network)
        tuple(semantics.windows(run[-1].state))
        if target is not None:
            semantics.satisfies(run[-1].state, target)
    except ModelError as error:
        return error
    raise ReplayError(len(steps), "the run does not end in a model error")

"""Runs of a network that somebody chooses, step by step, in the concrete semantics: what is possible and after which
delays, one step on, one step back; or at random.

Law: every run is one of the semantics; ``steps`` replay to the same states (``certify/timed_replay``).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from argosy.basics.records import dataclass
from argosy.models.network import Network
from argosy.models.network_semantics import Action, ImpossibleStep, Interval, NetworkState, Semantics

TRIES = 20
"""Draws of a delay for one random step, where priorities forbid some."""


@dataclass(frozen=True, slots=True)
class OfferedAction:
    """An action and the delays after which it is possible; priorities may forbid some of them."""

    action: Action
    delays: Interval


class NetworkSimulation:
    def __init__(self, network: Network) -> None:
        self._semantics = Semantics(network)
        self._states = [self._semantics.initial()]
        self.steps: list[tuple[Fraction, Action | None]] = []
        """Delays and what is done after them; None: nothing."""

    @property
    def state(self) -> NetworkState:
        return self._states[-1]

    @property
    def time(self) -> Fraction:
        return sum((delay for delay, _ in self.steps), Fraction(0))

    def choices(self) -> list[OfferedAction]:
        """What can be done from here, now or later, in a fixed order."""
        return [OfferedAction(action, window) for action, window in self._semantics.windows(self.state)]

    def waits(self) -> Interval:
        """The delays that are permitted."""
        return self._semantics.delays(self.state)

    def do(self, action: Action | None, delay: Fraction) -> None:
        """Raises ``ImpossibleStep`` if the semantics does not permit it, and ``ModelError``."""
        state = self._semantics.delay(self.state, delay)
        if action is not None:
            state = self._semantics.fire(state, action)
        self._states.append(state)
        self.steps.append((delay, action))

    def back(self) -> bool:
        if not self.steps:
            return False
        self._states.pop()
        self.steps.pop()
        return True

    def draw(self, random: Random) -> bool:
        """One action at random; False: none is possible any more."""
        choices = self.choices()
        for _ in range(TRIES if choices else 0):
            choice = random.choice(choices)
            try:
                self.do(choice.action, _delay_in(choice.delays, random))
            except ImpossibleStep:
                continue
            return True
        return False


def _delay_in(window: Interval, random: Random) -> Fraction:
    """The ends of the window more often than what lies between; a window without an end is left soon."""
    span = Fraction(random.choice([1, 2, 10])) if window.high is None else window.high - window.low
    inside = [window.low + span * Fraction(random.randint(1, 7), 8) for _ in range(2)]
    ends = [] if window.low_open else [window.low]
    if window.high is not None and not window.high_open:
        ends.append(window.high)
    candidates = [delay for delay in (*ends, *inside) if delay in window]
    return random.choice(candidates)

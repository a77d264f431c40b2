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
        self._offered: tuple[NetworkState, list[OfferedAction]] | None = None

    @property
    def state(self) -> NetworkState:
        return self._states[-1]

    @property
    def time(self) -> Fraction:
        return sum((delay for delay, _ in self.steps), Fraction(0))

    def choices(self) -> list[OfferedAction]:
        """What can be done from here, now or later, in a fixed order."""
        if self._offered is None or self._offered[0] is not self.state:
            found = [OfferedAction(action, window) for action, window in self._semantics.windows(self.state)]
            self._offered = self.state, found
        return self._offered[1]

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
    """The ends of the window more often than what lies between; a window without an end is left soon. Round delays,
    where there are any: halves of halves of what is left make longer and longer numbers."""
    span = Fraction(random.choice([1, 2, 10])) if window.high is None else window.high - window.low
    inside = [window.low + span * Fraction(random.randint(1, 7), 8) for _ in range(2)]
    inside = [near if (near := delay.limit_denominator(8)) in window else delay for delay in inside]
    ends = [] if window.low_open else [window.low]
    if window.high is not None and not window.high_open:
        ends.append(window.high)
    candidates = [delay for delay in (*ends, *inside) if delay in window]
    return random.choice(candidates)


# ---- as people write it ---------------------------------------------------------------------------------------------

HELP = "N: take it as early as possible; N DELAY: after that delay; w DELAY: wait; b: back; q or an empty line: end"


def obey(simulation: NetworkSimulation, text: str) -> None:
    """One choice, as a person types it. Raises ``ValueError`` and ``ImpossibleStep`` where it is none."""
    words = text.split()
    if words == ["b"]:
        if not simulation.back():
            raise ValueError("this is the initial state")
        return
    try:
        delay = Fraction(words[1]) if len(words) > 1 else None
        number = None if words[0] == "w" else int(words[0])
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"what is {text!r}? {HELP}") from None
    if len(words) > 2 or (number is None and delay is None):
        raise ValueError(f"what is {text!r}? {HELP}")
    if number is None:
        assert delay is not None
        simulation.do(None, delay)
        return
    choices = simulation.choices()
    if not 1 <= number <= len(choices):
        raise ValueError(f"there is no choice {number}")
    chosen = choices[number - 1]
    simulation.do(chosen.action, earliest(chosen.delays) if delay is None else delay)


def earliest(window: Interval) -> Fraction:
    """Where the first moment is excluded: half-way to the end, or to one unit later."""
    if not window.low_open:
        return window.low
    return (window.low + window.high) / 2 if window.high is not None else window.low + 1


def interval_text(window: Interval) -> str:
    if window.high is not None and window.low == window.high:
        return str(window.low)
    high = "..." if window.high is None else str(window.high)
    closed = window.high is None or window.high_open
    return f"{'(' if window.low_open else '['}{window.low}, {high}{')' if closed else ']'}"

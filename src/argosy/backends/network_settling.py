"""``--trace fastest`` for ``E[]``, ``A<>`` and ``-->``: of the runs in question, one that settles first.

A run settles when it comes to the discrete state (locations and values) that it visits infinitely often, or in which it
waits to its end; for ``p --> q`` not before it begins to stay. The native search decides whether a run has settled by a
deadline (``kernel/cpp/settling.hpp``). Bounds of clocks are integers, so that the least time is one, attained or
approached: the deadlines are ``<= 0, < 1, <= 1, ...``, and the first with a run is found by halving. The run is checked
like any other; that there is none before is the word of the search, as for the fastest run into a state.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from argosy.backends.contract import TimedRun
from argosy.basics.budget import Budget
from argosy.basics.records import dataclass
from argosy.certify.timed_replay import ReplayError
from argosy.kernel.dbm import strict, value, weak
from argosy.kernel.lasso import Lasso, settled
from argosy.kernel.search import Failed, Stopped
from argosy.kernel.staying import NoneStays, StaySearch, ZoneMerging
from argosy.models.network import Network
from argosy.models.network_queries import Stay


class Unpromised(Exception):
    """Whether there is a run before the deadline was not decided."""


@dataclass(frozen=True, slots=True)
class Settled:
    """``run`` settles at ``time``; no run does before ``least``, which is attained or approached."""

    run: TimedRun
    time: Fraction
    least: int
    attained: bool

    def entry(self) -> dict[str, object]:
        return {"time": str(self.time), "least": self.least, "attained": self.attained, "words": self.words}

    @property
    def words(self) -> str:
        rest = "no run earlier" if self.attained else f"others come as close to {self.least} as one likes"
        return f"The run settles at time {self.time}, {rest}"


@dataclass(frozen=True, slots=True)
class FirstSettled:
    """What was found; ``unpromised``: why some run may settle earlier."""

    settled: Settled | None
    unpromised: str | None = None


def first_to_settle(
    network: Network,
    stay: Stay,
    by: Fraction,
    checked: Callable[[Lasso], TimedRun],
    *,
    budget: Budget,
    store_bytes: int,
    tick: Callable[[int, int], None],
) -> FirstSettled:
    """``by``: when some run has settled. ``checked`` gives the run of a lasso, or raises ``ReplayError``."""

    def looking() -> None:
        if budget.is_over:
            raise Unpromised("the search has come to a limit (time)")

    def ask(deadline: int) -> tuple[TimedRun, Fraction] | None:
        for merging in ZoneMerging:
            search = StaySearch(
                network, stay, merging=merging, budget=budget, store_bytes=store_bytes, deadline=deadline
            )
            outcome = search.run(tick)
            match outcome:
                case NoneStays():
                    return None
                case Stopped(reason):
                    raise Unpromised(f"the search has come to a limit ({reason})")
                case Failed():
                    raise Unpromised("some runs end in a model error")
            for found, when in settled(network, stay, outcome.prefix, outcome.cycle, outcome.settles, looking):
                if bound_of(when) > deadline:
                    continue
                try:
                    return checked(found), when
                except ReplayError:
                    continue
        raise Unpromised("a path was found that has no run")

    best: tuple[TimedRun, Fraction] | None = None
    low, high = weak(0) - 1, weak(ceil(by))
    asks = high
    try:
        while best is None or high - low > 1:
            found = ask(asks)
            if found is not None:
                best, high = found, bound_of(found[1])
            elif best is None:
                raise Unpromised("the search does not find the run that is known")
            else:
                low = asks
            asks = (low + high) // 2
    except Unpromised as why:
        return FirstSettled(None if best is None else _settled(best, bound_of(best[1])), str(why))
    assert best is not None  # the first question is asked in any case
    return FirstSettled(_settled(best, high))


def _settled(best: tuple[TimedRun, Fraction], bound: int) -> Settled:
    attained = bound == weak(value(bound))
    return Settled(*best, value(bound) - (not attained), attained)


def bound_of(time: Fraction) -> int:
    """The first deadline that a time keeps."""
    return weak(floor(time)) if time.denominator == 1 else strict(floor(time) + 1)

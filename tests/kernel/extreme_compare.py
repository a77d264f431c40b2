"""One random network: extreme values by zones against regions. Regions tell values apart up to a limit; beyond it they
only say that there are larger ones."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from random import Random

from argosy.backends.network_extremes import Extremes, Measured
from argosy.basics.budget import Budget
from argosy.directed.search import search
from argosy.kernel.bounds import Unsupported
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_expressions import TRUE, NetworkPlace, Read
from argosy.models.network_queries import ClockMeasure, ExtremeQuery, Extremum, Height, Holds, StateFormula, goals
from argosy.models.network_semantics import NetworkState, Semantics
from argosy.options.networks import NetworkOptions
from tests.kernel import regions
from tests.kernel.compare import Disagreement
from tests.kernel.random_networks import LARGEST_RESET, Case, Generator

BEYOND = 3
"""By how much regions are told apart beyond what the network needs."""


def queries_of(seed: int) -> tuple[Case, list[ExtremeQuery]]:
    generator = Generator(seed)
    case = generator.case()
    random = Random(seed)
    formulas: list[StateFormula] = [Holds(TRUE), *(generator.formula(case.network, deadlock=False) for _ in range(2))]
    asked = []
    for formula in formulas:
        extremum = random.choice(list(Extremum))
        clock = NetworkPlace(random.randrange(1, len(case.network.clocks)))
        measured: ClockMeasure | Read = ClockMeasure(clock, NetworkPlace(0))
        if random.random() < 0.2:
            other = NetworkPlace(random.randrange(1, len(case.network.clocks)))
            measured = ClockMeasure(clock, other if other != clock else NetworkPlace(0))
        if case.network.variables and random.random() < 0.3:
            measured = Read(NetworkPlace(random.randrange(len(case.network.variables))))
        asked.append(ExtremeQuery(extremum, formula, measured, "e", f"{extremum.value}: e"))
    return case, asked


def height(semantics: Semantics, state: NetworkState, query: ExtremeQuery) -> Height:
    """Of a region, given by one of its states."""
    if isinstance(query.measured, ClockMeasure):
        found = state.clocks[query.measured.left.base] - state.clocks[query.measured.right.base]
    else:
        found = Fraction(semantics.value(state, query.measured))
    found = found if query.extremum is Extremum.SUP else -found
    return ceil(found), found.denominator == 1


def decide(network: Network, query: ExtremeQuery, seconds: float = 2) -> Measured:
    budget = Budget.of(seconds)

    def checking() -> None:
        if budget.is_over:
            raise TimeoutError

    def ask(target: StateFormula) -> object:
        return search(network, goals(target), NetworkOptions(), possibly=False, budget=budget)

    return Extremes(network, query, ask, checking, True).decide()


def check(seed: int) -> dict[str, int]:
    """What kinds of answers there were; raises Disagreement."""
    case, asked = queries_of(seed)
    semantics = Semantics(case.network)
    limit = case.largest + BEYOND
    try:
        # Of a clock beyond the limit and one that is reset regions know the difference only less exactly.
        reached = list(regions.states(case.network, limit + LARGEST_RESET))
    except regions.TooMany:
        return {"too many regions": 1}
    except ModelError:
        return {"model error": 1}
    kinds: dict[str, int] = {}
    for query in asked:
        heights = [height(semantics, state, query) for state in reached if semantics.satisfies(state, query.formula)]
        kind = compare(seed, case.network, query, max(heights, default=None), limit)
        kinds[kind] = kinds.get(kind, 0) + 1
    return kinds


def compare(seed: int, network: Network, query: ExtremeQuery, truth: Height | None, limit: int) -> str:
    try:
        found = decide(network, query)
    except (TimeoutError, Unsupported):
        return "open"
    if found.reason is not None:
        if found.reason == "time":
            return "open"
        raise Disagreement(f"seed {seed}: {query}: {found.reason}")
    if not found.certified or found.failed is not None:
        raise Disagreement(f"seed {seed}: {query}: {found}")
    if truth is None or found.empty:
        if not (truth is None and found.empty):
            raise Disagreement(f"seed {seed}: {query}: {found.entry(query)}, by regions {truth}")
        return "empty"
    if found.height is None:
        if truth <= (limit, True):
            raise Disagreement(f"seed {seed}: {query}: infinite, by regions {truth}")
        return "infinite"
    if found.height != truth and min(found.height, truth) <= (limit, True):
        raise Disagreement(f"seed {seed}: {query}: {found.height}, by regions {truth}")
    return "attained" if found.height[1] else "approached"

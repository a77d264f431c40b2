"""One random network with stopwatches and clock rates: zones against samples of its runs.

Every state that a sampled run passes is one that the zones contain (a proof that excludes it would be wrong); the
kernel stores what its twin does, and both checkers accept it; a trace has a run that is replayed, or is known to have
none.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from argosy.certify.timed_replay import TimedStep, replay
from argosy.kernel.concretise import BeyondZones, concretise
from argosy.kernel.search import Exhausted, GoalReached, Order, ZoneSearch
from argosy.models.network import ClockRate, Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_expressions import Constant, Expression
from argosy.models.network_queries import StateFormula, goals
from argosy.models.network_semantics import Semantics
from tests.kernel import regions
from tests.kernel.compare import check_certificate, check_twin, require
from tests.kernel.networks import read
from tests.kernel.random_networks import Generator

RATES = (0, 0, 0, 2, 3)
SAMPLES = 600


def rated(made: Network, random: Random) -> Network:
    """The network with rates in some locations of its first process."""
    first = made.processes[0]
    locations = []
    for location in first.locations:
        clocks = [clock for clock in range(1, len(made.clocks)) if random.random() < 0.4]
        rates = tuple(ClockRate(clock, drawn(made, random)) for clock in clocks)
        locations.append(replace(location, rates=rates))
    return replace(made, processes=(replace(first, locations=tuple(locations)), *made.processes[1:]))


def drawn(made: Network, random: Random) -> Expression:
    return read(0) if made.variables and random.random() < 0.3 else Constant(random.choice(RATES))


def check(seed: int) -> list[str]:
    """What came out for each formula; raises Disagreement."""
    generator = Generator(seed)
    case = generator.case()
    made = rated(case.network, Random(seed))
    formulas = [generator.formula(made, deadlock=False) for _ in range(3)]
    try:
        discrete, met = sampled(made, formulas, case.largest)
    except ModelError:
        return ["model error"]
    everything = ZoneSearch(made, ())
    outcome = everything.run()
    if not isinstance(outcome, Exhausted):
        return ["model error"]
    found = {state.discrete for state in everything.states()}
    require(discrete <= found, seed, f"states are missing: {discrete - found}")
    check_twin(made, (), seed)
    check_certificate(made, (), everything, seed)
    return [decide(made, formula, reached, seed) for formula, reached in zip(formulas, met, strict=True)]


def sampled(made: Network, formulas: list[StateFormula], largest: int) -> tuple[set[object], list[bool]]:
    semantics = Semantics(made)
    discrete: set[object] = set()
    met = [False] * len(formulas)
    try:
        for state in regions.states(made, largest, SAMPLES):
            discrete.add((state.locations, state.values))
            met = [known or semantics.satisfies(state, f) for known, f in zip(met, formulas, strict=True)]
    except regions.TooMany:
        pass
    return discrete, met


def decide(made: Network, formula: StateFormula, reached: bool, seed: int) -> str:
    wanted = goals(formula)
    check_twin(made, wanted, seed)
    search = ZoneSearch(made, wanted, Order.LARGEST_FIRST)
    outcome = search.run()
    if isinstance(outcome, Exhausted):
        require(not reached, seed, f"{formula}: proved, but a run comes there")
        check_certificate(made, wanted, search, seed)
        return "proved"
    require(isinstance(outcome, GoalReached), seed, f"{outcome}")
    assert isinstance(outcome, GoalReached)
    try:
        timed = concretise(made, outcome.trace, outcome.goal)
    except BeyondZones:
        return "in between"
    replay(made, [TimedStep(step.delay, step.edges) for step in timed], formula)
    return "reached"

"""One random network: zones against regions, the kernel against its twin, traces against the interpreter."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from argosy.certify import zones as certify
from argosy.certify.timed_replay import TimedStep, replay, replay_error
from argosy.certify.zones import Inductive, NotInductive
from argosy.kernel.certifier import NativeCertifier
from argosy.kernel.concretise import concretise
from argosy.kernel.graph import SymbolicState
from argosy.kernel.search import Exhausted, Failed, GoalReached, Order, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_queries import Goal, StateFormula, goals
from tests.kernel import regions, twin
from tests.kernel.random_networks import Case, Generator

SIMULATING = (Order.RANDOM_DEPTH_FIRST, Order.LARGEST_FIRST)
ORDERS = [Order.DEPTH_FIRST, Order.RANDOM_DEPTH_FIRST, Order.GREEDY, Order.LARGEST_FIRST, Order.A_STAR, Order.FASTEST]


class Disagreement(AssertionError):
    pass


def check(seed: int) -> str:
    """What kind of case it was; raises Disagreement."""
    case = Generator(seed).case()
    try:
        truth = regions.explore(case.network, case.formulas, case.largest)
    except regions.TooMany:
        return "too many regions"
    except ModelError:
        check_error(case, seed)
        return "model error"
    everything = ZoneSearch(case.network, ())
    outcome = everything.run()
    require(isinstance(outcome, Exhausted), seed, f"exploration ends with {outcome}")
    found = {state.discrete for state in everything.states()}
    require(found == truth.discrete, seed, f"discrete states differ: {found ^ truth.discrete}")
    check_twin(case.network, (), seed)
    check_certificate(case.network, (), everything, seed)
    simulating = ZoneSearch(case.network, (), by_simulation=True)
    simulating.run()
    found = {state.discrete for state in simulating.states()}
    require(found == truth.discrete, seed, f"discrete states differ under simulation: {found ^ truth.discrete}")
    require(isinstance(certify.certify(simulating), Inductive), seed, f"not certified: {certify.certify(simulating)}")
    for formula, meets in zip(case.formulas, truth.meets, strict=True):
        check_formula(case.network, formula, meets, seed)
    return "compared"


def check_formula(network: Network, formula: StateFormula, meets: bool, seed: int) -> None:
    wanted = goals(formula)
    check_twin(network, wanted, seed)
    shortest = ZoneSearch(network, wanted, shortest=True).run()
    require(isinstance(shortest, GoalReached) == meets, seed, f"{formula}: {shortest}, expected {meets}")
    if not meets:
        search = ZoneSearch(network, wanted, Order.RANDOM_DEPTH_FIRST, seed=seed)
        search.run()
        check_certificate(network, wanted, search, seed)
    outcomes = [shortest]
    for order in (Order.BREADTH_FIRST, *SIMULATING):
        search = ZoneSearch(network, wanted, order, seed=seed, shortest=order not in SIMULATING, by_simulation=True)
        outcome = search.run()
        require(type(outcome) is type(shortest), seed, f"{order} by simulation: {outcome} against {shortest}")
        if order not in SIMULATING and isinstance(outcome, GoalReached) and isinstance(shortest, GoalReached):
            require(len(outcome.trace) == len(shortest.trace), seed, "simulation loses the shortest trace")
        if not meets:
            answer = certify.certify(search)
            require(isinstance(answer, Inductive), seed, f"{order} by simulation is not certified: {answer}")
        outcomes.append(outcome)
    for order in ORDERS:
        outcome = ZoneSearch(network, wanted, order, seed=seed, by_simulation=order is Order.FASTEST).run()
        require(type(outcome) is type(shortest), seed, f"{order}: {outcome} against {shortest}")
        if order is Order.A_STAR and isinstance(outcome, GoalReached) and isinstance(shortest, GoalReached):
            require(len(outcome.trace) == len(shortest.trace), seed, "A* and breadth-first differ in depth")
        outcomes.append(outcome)
    ends = []
    for outcome in outcomes:
        if isinstance(outcome, GoalReached):
            timed = concretise(network, outcome.trace, outcome.goal)
            run = replay(network, [TimedStep(step.delay, step.edges) for step in timed], formula)
            ends.append(run[-1].time)
    # Earliest times of strict bounds are not attained, so runs can differ from the infimum by less than a unit.
    require(not ends or ends[-1] < min(ends) + 1, seed, "the fastest trace is not the fastest")


def check_twin(network: Network, wanted: tuple[Goal, ...], seed: int) -> None:
    search = ZoneSearch(network, wanted)
    outcome = search.run()
    oracle = twin.explore(network, wanted)
    require(
        isinstance(outcome, GoalReached) == (oracle.goal is not None), seed, "kernel and twin differ in the verdict"
    )
    if isinstance(outcome, GoalReached):
        require(outcome.trace == oracle.trace, seed, "kernel and twin find different traces")
    else:
        stored = {state for chain in oracle.stored.values() for state in chain}
        require(set(search.states()) == stored, seed, "kernel and twin store different states")
        require(outcome.statistics.transitions == oracle.transitions, seed, "transitions are counted differently")


def check_certificate(network: Network, wanted: tuple[Goal, ...], search: ZoneSearch, seed: int) -> None:
    """Both checkers accept what was stored, and agree about sets from which something was taken away or cut off."""
    states = list(search.states())
    require(isinstance(verdict(network, wanted, states, seed), Inductive), seed, "a right certificate is refused")
    random = Random(seed)
    victim = random.randrange(len(states))
    verdict(network, wanted, [*states[:victim], *states[victim + 1 :]], seed)
    zone = states[victim].zone
    left, right = random.sample(range(zone.dimension), 2)
    smaller = zone.constrained(left, right, random.randint(-3, 3))
    if smaller is not None:
        cut = replace(states[victim], zone=smaller)
        verdict(network, wanted, [*states[:victim], cut, *states[victim + 1 :]], seed)


def verdict(
    network: Network, wanted: tuple[Goal, ...], states: list[SymbolicState], seed: int
) -> Inductive | NotInductive:
    result = certify.check(network, wanted, states)
    native = NativeCertifier(network, wanted)
    for state in states:
        native.add(state)
    failure = native.check()
    require(isinstance(result, Inductive) == (failure is None), seed, f"checkers differ: {result}, {failure}")
    return result


def check_error(case: Case, seed: int) -> None:
    outcome = ZoneSearch(case.network, ()).run()
    require(isinstance(outcome, Failed), seed, f"a model error is missed: {outcome}")
    assert isinstance(outcome, Failed)
    if outcome.fault != "no initial state":
        timed = concretise(case.network, outcome.trace, None)
        replay_error(case.network, [TimedStep(step.delay, step.edges) for step in timed])


def require(condition: bool, seed: int, what: str) -> None:
    if not condition:
        raise Disagreement(f"seed {seed}: {what}")

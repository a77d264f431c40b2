"""One random symmetric network: with and without reduction, against regions; certificates by the native pass and by
one that tries every permutation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product

from argosy.certify import zones as certify
from argosy.certify.symmetry import proved
from argosy.certify.timed_replay import TimedStep, replay, replay_error
from argosy.certify.zones import Inductive
from argosy.kernel.concretise import concretise
from argosy.kernel.dbm import Zone
from argosy.kernel.graph import SymbolicState, ZoneGraph
from argosy.kernel.search import Exhausted, Failed, GoalReached, Order, ZoneSearch
from argosy.kernel.symmetry import propose
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_queries import Goal, StateFormula, goals
from argosy.models.network_symmetry import AlikeFamily, Symmetry, image, moved
from tests.kernel import regions
from tests.kernel.compare import Disagreement, require
from tests.kernel.symmetric_networks import LARGEST, SymmetricGenerator

ORDERS = (Order.BREADTH_FIRST, Order.RANDOM_DEPTH_FIRST, Order.LARGEST_FIRST, Order.A_STAR, Order.FASTEST)


def symmetry_of(network: Network, wanted: tuple[Goal, ...]) -> Symmetry | None:
    found = proved(network, wanted, propose(network, wanted))[0]
    return found if found.families else None


def images(families: Iterable[AlikeFamily], state: SymbolicState) -> Iterator[SymbolicState]:
    """All of them, each by its definition."""
    for chosen in product(*(permutations(range(family.size)) for family in families)):
        locations, values, zone = state.locations, state.values, state.zone
        for family, permutation in zip(families, chosen, strict=True):
            locations, values = image(family, permutation, locations, values)
            goes = moved(family.clocks, permutation)
            bounds = list(zone.bounds)
            for i, j in product(range(zone.dimension), repeat=2):
                bounds[goes.get(i, i) * zone.dimension + goes.get(j, j)] = zone.bounds[i * zone.dimension + j]
            zone = Zone(zone.dimension, tuple(bounds))
        yield SymbolicState(locations, values, zone)


def is_inductive(
    network: Network, wanted: tuple[Goal, ...], families: tuple[AlikeFamily, ...], states: list[SymbolicState]
) -> bool:
    """The certificate with all images of all states, which then has to be inductive by itself."""
    closed = {picture for state in states for picture in images(families, state)}
    return isinstance(certify.check(network, wanted, closed), Inductive)


def check(seed: int) -> str:
    """What kind of case it was; raises Disagreement."""
    case = SymmetricGenerator(seed).case()
    try:
        formulas: list[StateFormula] = [query.target for query in case.queries]
        truth = regions.explore(case.network, formulas, LARGEST + 1, 6000)
    except regions.TooMany:
        return "too many regions"
    except ModelError:
        return check_error(case.network, seed)
    found = symmetry_of(case.network, ())
    if found is not None:
        search = ZoneSearch(case.network, (), symmetry=found)
        require(isinstance(search.run(), Exhausted), seed, "exploration ends otherwise")
        families = search.symmetry.families if search.symmetry is not None else ()
        reached = {picture.discrete for state in search.states() for picture in images(families, state)}
        # Only what is reachable from the image of the initial state is there as well.
        require(truth.discrete <= reached, seed, f"states are lost: {truth.discrete - reached}")
        start = ZoneGraph(case.network).start()
        if {picture.discrete for picture in images(families, start)} == {start.discrete}:
            require(truth.discrete == reached, seed, f"states are made up: {reached - truth.discrete}")
    used = False
    for formula, meets in zip(formulas, truth.meets, strict=True):
        used |= check_formula(case.network, formula, meets, seed)
    return "reduced" if used else "not symmetric"


def check_formula(network: Network, formula: StateFormula, meets: bool, seed: int) -> bool:
    wanted = goals(formula)
    found = symmetry_of(network, wanted)
    plain = ZoneSearch(network, wanted, shortest=True).run()
    require(isinstance(plain, GoalReached) == meets, seed, f"without reduction: {plain}")
    if found is None:
        return False
    for order in ORDERS:
        for by_simulation in (False, True):
            search = ZoneSearch(
                network,
                wanted,
                order,
                seed=seed,
                shortest=order is Order.BREADTH_FIRST,
                by_simulation=by_simulation,
                symmetry=found,
            )
            outcome = search.run()
            require(type(outcome) is type(plain), seed, f"{order} with reduction: {outcome} against {plain}")
            if isinstance(outcome, GoalReached):
                timed = concretise(network, outcome.trace, outcome.goal)
                replay(network, [TimedStep(step.delay, step.edges) for step in timed], formula)
                if order in (Order.BREADTH_FIRST, Order.A_STAR):
                    assert isinstance(plain, GoalReached)
                    require(len(outcome.trace) == len(plain.trace), seed, f"{order} loses the shortest trace")
            elif search.symmetry is not None:
                answer = certify.certify(search)
                require(isinstance(answer, Inductive), seed, f"{order}, {by_simulation}: not certified: {answer}")
                if order is Order.BREADTH_FIRST and not by_simulation:
                    inductive = is_inductive(network, wanted, search.symmetry.families, list(search.states()))
                    require(inductive, seed, "all images together are not inductive")
    return True


def check_error(network: Network, seed: int) -> str:
    outcome = ZoneSearch(network, (), symmetry=symmetry_of(network, ())).run()
    require(isinstance(outcome, Failed), seed, f"a model error is missed: {outcome}")
    assert isinstance(outcome, Failed)
    if outcome.fault != "no initial state":
        timed = concretise(network, outcome.trace, None)
        replay_error(network, [TimedStep(step.delay, step.edges) for step in timed])
    return "model error"


__all__ = ["Disagreement", "check", "images", "is_inductive", "symmetry_of"]

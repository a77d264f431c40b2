"""One random network: maximal runs by zones against regions, and both kinds of certificates."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from argosy.backends.network_liveness import claim_of, decide_liveness
from argosy.basics.budget import Budget
from argosy.certify.staying import certify_none, check_run
from argosy.certify.zones import Inductive
from argosy.kernel.concretise import InfeasibleTrace
from argosy.kernel.dbm import strict, weak
from argosy.kernel.lasso import lasso
from argosy.kernel.staying import NoneStays, StayFound, StaySearch, ZoneMerging
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_expressions import TRUE, UNCONSTRAINED
from argosy.models.network_queries import And, Deadlock, Not, Or, StateFormula, Stay
from tests.kernel import live_regions, regions
from tests.kernel.compare import Disagreement
from tests.kernel.networks import atom, reset, when
from tests.kernel.random_networks import Case, Generator


def stays_of(seed: int) -> tuple[Case, list[Stay]]:
    """Every other network may not rest in its first process: what waits for ever would hide all cycles."""
    generator = Generator(seed)
    case = generator.case()
    random = Random(seed)
    if seed % 4 < 2:
        case.network = hurried(case.network, random)
    plain: list[StateFormula] = []
    while len(plain) < 4:
        formula = generator.formula(case.network, deadlock=False)
        plain.append(formula)
    first, second, third, fourth = plain
    diverging = random.random() < 0.4
    dead: StateFormula = Deadlock() if random.random() < 0.7 else Not(Deadlock())
    mixed = random.choice(
        [
            dead,
            Or((Not(first), dead)),
            And((Not(first), dead)),
            Or((And((first, dead)), And((second, Not(dead))))),
            Not(And((Or((first, second)), dead))),
        ]
    )
    return case, [
        Stay(mixed, None, diverging),
        Stay(Not(And((third, dead))), random.choice([fourth, Not(fourth)]), diverging),
        Stay(
            Or((first, dead)), random.choice([dead, Not(dead), And((dead, Not(third))), Or((dead, second))]), diverging
        ),
        Stay(Not(first), None, diverging),
        Stay(Or((first, second)), None, diverging),
        Stay(Not(third), fourth, diverging),
        Stay(Not(Or((first, third))), second, not diverging),
    ]


def hurried(network: Network, random: Random) -> Network:
    first = network.processes[0]
    limit = when(TRUE, atom(1, random.choice(["<", "<="]), random.randint(1, 2)))
    locations = [
        replace(each, invariant=limit if each.invariant == UNCONSTRAINED else each.invariant)
        for each in first.locations
    ]
    edges = [
        replace(each, updates=(*each.updates, reset(1))) if random.random() < 0.5 else each for each in first.edges
    ]
    return replace(
        network, processes=(replace(first, locations=tuple(locations), edges=tuple(edges)), *network.processes[1:])
    )


def check(seed: int, queries: int = 7) -> dict[str, int]:
    """``queries``: so many of the seven, others for each seed."""
    case, asked = stays_of(seed)
    asked = [asked[(seed + 3 * k) % len(asked)] for k in range(queries)]
    counts: dict[str, int] = {}
    moves: live_regions.Moves = {}
    for stay in asked:
        kind = check_stay(case, stay, seed, moves)
        counts[kind] = counts.get(kind, 0) + 1
    return counts


UNTIL = 4
"""Runs that settle later are not compared with regions, of which there would be too many."""


def check_settling(seed: int, queries: int = 7) -> dict[str, int]:
    """The first time at which a run settles."""
    case, asked = stays_of(seed)
    counts: dict[str, int] = {}
    for stay in [asked[(seed + 3 * k) % len(asked)] for k in range(queries)]:
        try:
            truth = live_regions.first_to_settle(case.network, stay, case.largest, UNTIL)
        except regions.TooMany:
            kind = "too many regions"
        except ModelError:
            kind = "model error"
        else:
            kind = compare_settling(case, stay, seed, truth)
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def compare_settling(case: Case, stay: Stay, seed: int, truth: int | None) -> str:
    lived = decide_liveness(
        case.network,
        stay,
        budget=Budget.of(60),
        store_bytes=0,
        certify=True,
        tick=lambda stored, visited: None,
        checking=lambda: None,
        fastest=True,
    )
    if lived.failed is not None:
        return "model error beyond the time"
    if lived.run is None:
        if truth is not None:
            raise Disagreement(f"seed {seed}: {stay}: {lived}, but one settles by {truth}")
        return "none"
    if lived.settles is None or lived.unpromised is not None:
        if lived.unpromised == "some runs end in a model error":
            return "model error beyond the time"
        raise Disagreement(f"seed {seed}: {stay}: {lived.unpromised}")
    its = lived.settles
    found = weak(its.least) if its.attained else strict(its.least + 1)
    if found != truth and not (truth is None and found > weak(UNTIL)):
        raise Disagreement(f"seed {seed}: {stay}: settles by {found}, not by {truth}")
    return "too late" if truth is None else "settles" if its.attained else "settles, approached"


def check_stay(case: Case, stay: Stay, seed: int, moves: live_regions.Moves) -> str:
    network = case.network
    try:
        truth = live_regions.stays(network, stay, case.largest, moves=moves)
    except regions.TooMany:
        return "too many regions"
    except ModelError:
        return "model error"
    kinds = []
    for merging in ZoneMerging:
        exact = merging is ZoneMerging.EXACT
        search = StaySearch(network, stay, merging=merging)
        outcome = search.run()
        if isinstance(outcome, NoneStays):
            if truth:
                raise Disagreement(f"seed {seed}: {stay}: none is found, but there is one")
            result = certify_none(network, stay, search.exported())
            if not isinstance(result, Inductive):
                raise Disagreement(f"seed {seed}: {stay}: a right certificate is refused: {result}")
            kinds.append("none")
            continue
        if not isinstance(outcome, StayFound):
            raise Disagreement(f"seed {seed}: {stay}: {outcome}")
        if not truth and exact:
            raise Disagreement(f"seed {seed}: {stay}: one is found, but there is none")
        try:
            found = lasso(network, stay, outcome.prefix, outcome.cycle)
        except InfeasibleTrace as error:
            if exact:
                raise Disagreement(f"seed {seed}: {stay}: no lasso: {error}") from error
            kinds.append("tried again")
            continue
        check_run(network, stay, claim_of(found))
        if not truth:
            raise Disagreement(f"seed {seed}: {stay}: a lasso is accepted, but there is none")
        kinds.append("lasso" if found.cycle else "ending")
    return "+".join(dict.fromkeys(kinds))

"""Maximal runs: each rule by a network of a few states that is worked out by hand, random networks against regions, and
lassos that are refuted when one bound of them is changed. ``python -m tests.kernel 2000 0 live`` compares more
networks."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from argosy.backends.network_liveness import claim_of, decide_liveness
from argosy.basics.budget import UNLIMITED
from argosy.certify.staying import RunClaim, certify_none, check_run
from argosy.certify.timed_replay import ReplayError, TimedStep
from argosy.certify.zones import Inductive, NotInductive
from argosy.kernel.dbm import Zone, weak
from argosy.kernel.lasso import lasso
from argosy.kernel.staying import Micro, MicroStep, NoneStays, StayFound, StaySearch
from argosy.models.network import Channel, Network
from argosy.models.network_expressions import TRUE, Constraint
from argosy.models.network_queries import And, ClockTest, Deadlock, Holds, Not, Or, StateFormula, Stay, disjoint, goals
from argosy.models.network_semantics import NetworkState, Semantics
from tests.kernel import live_compare
from tests.kernel.networks import Draft, at, atom, network, reset, when

NETWORKS = 200
BATCH = 50

ANYWHERE = Holds(TRUE)


def runs(
    made: Network, kept: StateFormula = ANYWHERE, premise: StateFormula | None = None, non_zeno: bool = False
) -> str:
    """How the maximal run is that stays, or ``none``; it was checked."""
    lived = decide_liveness(
        made,
        Stay(kept, premise, non_zeno),
        budget=UNLIMITED,
        store_bytes=0,
        certify=True,
        tick=lambda stored, visited: None,
        checking=lambda: None,
    )
    assert lived.certified, lived
    if lived.run is None:
        return "none"
    return lived.run.ending or "repeats"


FOR_EVER, DEADLOCK = "may wait for ever in its last state", "ends in a deadlock"


def one(invariant: Constraint | None = None, **kinds: bool) -> Draft:
    draft = Draft()
    draft.location("a", invariant, **kinds)
    draft.location("b")
    return draft


def test_time_that_may_pass_for_ever_makes_a_run_maximal() -> None:
    draft = one()
    draft.edge(0, 1)
    assert runs(network([draft], clocks=1), Holds(at(0, 0))) == FOR_EVER


def test_an_invariant_ends_waiting() -> None:
    draft = one(when(TRUE, atom(1, "<=", 5)))
    draft.edge(0, 1)
    made = network([draft], clocks=1)
    assert runs(made, Holds(at(0, 0))) == "none"
    assert runs(made) == FOR_EVER  # in b


@pytest.mark.parametrize("relation", ["<", "<="])
def test_who_may_act_is_not_at_an_end_where_time_stops(relation: str) -> None:
    draft = one(when(TRUE, atom(1, relation, 5)))  # type: ignore[arg-type]
    draft.edge(0, 1)
    assert runs(network([draft], clocks=1), Holds(at(0, 0))) == "none"


@pytest.mark.parametrize("relation", ["<", "<="])
def test_a_deadlock_ends_a_run_where_time_stops(relation: str) -> None:
    draft = one(when(TRUE, atom(1, relation, 5)))  # type: ignore[arg-type]
    draft.edge(0, 1, when(TRUE, atom(1, "<", 3)))
    made = network([draft], clocks=1)
    assert runs(made, Holds(at(0, 0))) == DEADLOCK
    assert runs(made, Holds(at(0, 0)), non_zeno=True) == "none"


def test_the_formula_must_hold_as_long_as_a_deadlock_may_wait() -> None:
    draft = one(when(TRUE, atom(1, "<=", 5)))
    made = network([draft], clocks=1)
    assert runs(made, ClockTest(atom(1, "<=", 5))) == DEADLOCK
    assert runs(made, ClockTest(atom(1, "<", 5))) == "none"
    assert runs(network([one(when(TRUE, atom(1, "<", 5)))], clocks=1), ClockTest(atom(1, "<", 5))) == DEADLOCK


def test_a_committed_location_without_a_way_out_is_a_deadlock() -> None:
    assert runs(network([one(committed=True)], clocks=1), Holds(at(0, 0))) == DEADLOCK
    assert runs(network([one(urgent=True)], clocks=1), Holds(at(0, 0)), non_zeno=True) == "none"


def test_infinitely_many_actions_make_a_run_maximal_even_without_time() -> None:
    draft = one(when(TRUE, atom(1, "<=", 5)))
    draft.edge(0, 0)
    made = network([draft], clocks=1)
    assert runs(made) == "repeats"
    assert runs(made, non_zeno=True) == "none"


def test_a_cycle_that_lets_time_pass_diverges() -> None:
    draft = one(when(TRUE, atom(1, "<=", 5)))
    draft.edge(0, 0, updates=[reset(1)])
    assert runs(network([draft], clocks=1), non_zeno=True) == "repeats"


def test_a_cycle_of_which_no_round_can_take_a_unit_diverges_in_several() -> None:
    draft = one(when(TRUE, atom(1, "<", 1)))
    draft.edge(0, 0, updates=[reset(1)])
    assert runs(network([draft], clocks=1), non_zeno=True) == "repeats"


def test_a_cycle_that_can_be_taken_only_so_often_is_none() -> None:
    draft = one(when(TRUE, atom(1, "<=", 1), atom(2, "<=", 7)))
    draft.edge(0, 0, when(TRUE, atom(1, "==", 1)), updates=[reset(1)])
    draft.edge(0, 1, when(TRUE, atom(2, "==", 7)))
    assert runs(network([draft], clocks=2), Holds(at(0, 0))) == "none"


def test_waiting_passes_the_bounds_of_a_formula() -> None:
    made = network([one()], clocks=1)
    split = Or((ClockTest(atom(1, "<", 3)), ClockTest(atom(1, ">=", 3))))
    assert runs(made, split) == FOR_EVER
    assert runs(made, Or((ClockTest(atom(1, "<=", 3)), ClockTest(atom(1, ">", 3))))) == FOR_EVER
    assert runs(made, Not(ClockTest(atom(1, "==", 3)))) == "none"


def test_a_run_begins_to_stay_wherever_the_premise_holds() -> None:
    draft = one(when(TRUE, atom(1, "<=", 5)))
    draft.edge(0, 1, when(TRUE, atom(1, ">=", 2)))
    made = network([draft], clocks=1)
    assert runs(made, Not(ClockTest(atom(1, "==", 1))), Holds(at(0, 0))) == FOR_EVER
    assert runs(made, Not(ClockTest(atom(1, "==", 4))), Holds(at(0, 0))) == FOR_EVER
    assert runs(made, Holds(at(0, 0)), ClockTest(atom(1, ">", 5))) == "none"


def test_an_urgent_synchronisation_stops_time() -> None:
    sender, receiver = one(), one()
    sender.edge(0, 1, None, (0, "!"))
    receiver.edge(0, 1, None, (0, "?"))
    made = network([sender, receiver], clocks=1, channels=[Channel("c", urgent=True)])
    assert runs(made, Holds(at(0, 0))) == "none"
    lazy = network([sender, receiver], clocks=1, channels=[Channel("c")])
    assert runs(lazy, Holds(at(0, 0))) == FOR_EVER


# ---- deadlocks -----------------------------------------------------------------------------------------------------


def dying(invariant: Constraint | None = None) -> Network:
    """In a, which can be left up to 3; b has no way on; c goes round for ever."""
    draft = Draft()
    draft.location("a", invariant)
    draft.location("b")
    draft.location("c", when(TRUE, atom(1, "<=", 2)))
    draft.edge(0, 1, when(TRUE, atom(1, "<=", 3)))
    draft.edge(2, 2, updates=[reset(1)])
    return network([draft], clocks=1)


def test_whoever_waits_too_long_is_in_deadlock() -> None:
    made = dying()
    assert runs(made, Holds(at(0, 0))) == FOR_EVER
    assert runs(made, Not(Deadlock())) == "none"  # E[] not deadlock: up to 3 there is a way on, later none
    assert runs(made, And((Holds(at(0, 0)), Not(Deadlock())))) == "none"
    assert runs(made, Or((Not(Deadlock()), ClockTest(atom(1, ">", 3))))) == FOR_EVER
    assert runs(made, Or((Not(Deadlock()), ClockTest(atom(1, ">", 4))))) == "none"  # in deadlock between 3 and 4


def test_a_deadlock_is_entered_by_an_action() -> None:
    made = dying()
    assert runs(made, Or((Holds(at(0, 0)), Deadlock()))) == FOR_EVER
    assert runs(made, Or((Not(Deadlock()), Holds(at(0, 1))))) == FOR_EVER
    assert runs(made, Deadlock()) == "none"  # not at the start
    assert runs(made, Deadlock(), Deadlock()) == FOR_EVER
    assert runs(made, Holds(at(0, 1)), Not(Deadlock())) == "none"
    assert runs(made, And((Holds(at(0, 1)), Deadlock())), Holds(at(0, 1))) == FOR_EVER


def test_a_deadlock_that_waits_as_long_as_an_invariant_permits() -> None:
    made = dying(when(TRUE, atom(1, "<", 5)))
    assert runs(made, Holds(at(0, 0))) == DEADLOCK
    late = ClockTest(atom(1, ">", 3))
    assert runs(made, Or((And((Holds(at(0, 0)), Not(late))), Deadlock()))) != "none"  # in b, or in a after 3
    assert runs(made, And((Holds(at(0, 0)), Or((Not(late), Deadlock()))))) == DEADLOCK
    assert runs(made, And((Holds(at(0, 0)), Not(And((late, Deadlock())))))) == "none"
    assert runs(made, Holds(at(0, 0)), Deadlock()) == DEADLOCK
    assert runs(made, Holds(at(0, 0)), Deadlock(), non_zeno=True) == "none"


def test_who_goes_round_for_ever_is_never_in_deadlock() -> None:
    draft = one(when(TRUE, atom(1, "<=", 2)))
    draft.edge(0, 0, updates=[reset(1)])
    made = network([draft], clocks=1)
    assert runs(made, Not(Deadlock())) == "repeats"
    assert runs(made, Not(Deadlock()), non_zeno=True) == "repeats"
    assert runs(made, Deadlock()) == "none"
    stuck = network([one()], clocks=1)  # waits for ever, in deadlock
    assert runs(stuck, Not(Deadlock()), non_zeno=True) == "none"
    assert runs(stuck, Deadlock(), non_zeno=True) == FOR_EVER


def test_a_proof_about_deadlocks_is_refuted_for_another_query() -> None:
    made = dying()
    stay = Stay(Not(Deadlock()), Holds(TRUE))
    search = StaySearch(made, stay)
    assert isinstance(search.run(), NoneStays)
    whole = list(search.exported())
    assert isinstance(certify_none(made, stay, iter(whole)), Inductive)
    for other in (ANYWHERE, Or((Not(Deadlock()), Holds(at(0, 1)))), Or((Not(Deadlock()), ClockTest(atom(1, ">", 3))))):
        assert isinstance(certify_none(made, Stay(other, Holds(TRUE)), iter(whole)), NotInductive)


def test_a_run_about_deadlocks_is_refuted_where_it_is_in_one() -> None:
    made = dying()
    claim = RunClaim((TimedStep(Fraction(2)), TimedStep(Fraction(4))), 0)
    check_run(made, Stay(Holds(at(0, 0))), claim)
    for kept in (Not(Deadlock()), Or((ClockTest(atom(1, "<", 5)), Not(Deadlock()))), Deadlock()):
        with pytest.raises(ReplayError):
            check_run(made, Stay(kept), claim)
    check_run(made, Stay(Or((Not(Deadlock()), ClockTest(atom(1, ">", 3))))), claim)
    # In deadlock between 3 and 4, which no bound of the formula tells.
    at_once = RunClaim((TimedStep(Fraction(6)),), 0)
    check_run(made, Stay(Or((Not(Deadlock()), ClockTest(atom(1, ">", 3))))), at_once)
    with pytest.raises(ReplayError):
        check_run(made, Stay(Or((Not(Deadlock()), ClockTest(atom(1, ">=", 4))))), at_once)


def test_parts_are_disjoint_and_complete() -> None:
    atoms = [ClockTest(atom(1, "<", 3)), ClockTest(atom(2, "==", 1)), ClockTest(atom(1, ">", 1, 2))]
    formula = Or((atoms[0], Not(Or((atoms[1], Not(atoms[2]))))))
    made = network([one()], clocks=2)
    semantics = Semantics(made)
    for x in range(9):
        for y in range(9):
            state = NetworkState((0,), (), (Fraction(0), Fraction(x, 2), Fraction(y, 2)))
            met = [all(semantics.satisfies(state, ClockTest(a)) for a in part.atoms) for part in disjoint(formula)]
            assert sum(met) == semantics.satisfies(state, formula)
    assert len(disjoint(formula)) >= len(goals(formula))


# ---- certificates ------------------------------------------------------------------------------------------------


def turning() -> tuple[Network, Stay]:
    draft = one(when(TRUE, atom(1, "<=", 4), atom(2, "<=", 9)))
    draft.edge(0, 0, when(TRUE, atom(1, ">=", 2)), updates=[reset(1)])
    draft.edge(0, 0, when(TRUE, atom(2, ">=", 5), atom(1, ">=", 1)), updates=[reset(2), reset(1)])
    return network([draft], clocks=2), Stay(ANYWHERE, None, True)


def test_a_lasso_is_refuted_when_one_bound_is_changed() -> None:
    made, stay = turning()
    outcome = StaySearch(made, stay).run()
    assert isinstance(outcome, StayFound)
    claim = claim_of(lasso(made, stay, outcome.prefix, outcome.cycle))
    check_run(made, stay, claim)
    zone = claim.recurring[0]
    changed = 0
    for i in range(zone.dimension):
        for j in range(zone.dimension):
            # A larger set has valuations from which the cycle cannot be taken for ever, or none that exist.
            rows = list(zone.bounds)
            rows[i * zone.dimension + j] += 8
            wider = type(zone).closed(zone.dimension, rows)
            if i != j and wider is not None and wider != zone and not zone.includes(wider):
                changed += 1
                with pytest.raises(ReplayError):
                    check_run(made, stay, replace(claim, recurring=(wider,)))
    assert changed
    for number, step in enumerate(claim.steps):
        if step.edges:
            late = [*claim.steps]
            late[number] = TimedStep(step.delay + 20, step.edges)
            with pytest.raises(ReplayError):
                check_run(made, stay, replace(claim, steps=tuple(late)))
    elsewhere = zone.constrained(0, 1, weak(-4))
    if elsewhere is not None:
        with pytest.raises(ReplayError):
            check_run(made, stay, replace(claim, recurring=(elsewhere,)))


def test_a_cycle_that_only_seems_to_repeat_is_refuted() -> None:
    """The run comes back to its discrete state, but the second clock grows: no set of values leads back to itself."""
    draft = one(when(TRUE, atom(1, "<=", 1), atom(2, "<=", 7)))
    draft.edge(0, 0, when(TRUE, atom(1, "==", 1)), updates=[reset(1)])
    made, stay = network([draft], clocks=2), Stay(ANYWHERE)
    loop = made.processes[0].edges[0]
    around = TimedStep(Fraction(1), (loop,))
    for most in range(1, 8):
        zone = Zone.universe(3).constrained(1, 0, weak(0))
        zone = zone and zone.constrained(2, 0, weak(most))
        assert zone is not None
        claim = RunClaim((around, around), 0, 1, (MicroStep(Micro.ACTION, 0, (loop,)),), (zone,))
        with pytest.raises(ReplayError):
            check_run(made, stay, claim)


def test_a_proof_is_refuted_without_one_of_its_states() -> None:
    draft = one(when(TRUE, atom(1, "<=", 1), atom(2, "<=", 3)))
    draft.edge(0, 0, when(TRUE, atom(1, "==", 1)), updates=[reset(1)])
    draft.edge(0, 1, when(TRUE, atom(2, "==", 3)))
    made, stay = network([draft], clocks=2), Stay(Holds(at(0, 0)), Holds(TRUE))
    search = StaySearch(made, stay)
    assert isinstance(search.run(), NoneStays)
    whole = list(search.exported())
    assert isinstance(certify_none(made, stay, iter(whole)), Inductive)
    size = len(search)
    for missing in range(size):
        kept = [search.portion(0, missing), search.portion(missing + 1, size)]
        assert isinstance(certify_none(made, stay, iter(kept)), NotInductive), missing
    weaker = Stay(ANYWHERE, Holds(TRUE))
    assert isinstance(certify_none(made, weaker, iter(whole)), NotInductive)


@pytest.mark.parametrize("first", range(0, NETWORKS, BATCH))
def test_zones_and_regions_agree(first: int) -> None:
    kinds: set[str] = set()
    for seed in range(first, first + BATCH):
        kinds |= live_compare.check(seed, queries=2).keys()
    assert len(kinds) > 1

"""Several threads: the same states, in the same order, with the same counts as one. ``races.py`` looks for races."""

from __future__ import annotations

import pytest

from argosy.basics.budget import Budget
from argosy.certify.zones import Inductive, NotInductive, certify
from argosy.kernel.certifier import NativeCertifier
from argosy.kernel.search import Exhausted, Outcome, Stopped, ZoneSearch
from argosy.models.network import Network, NetworkVariable
from argosy.models.network_expressions import Binary, Constant
from argosy.models.network_queries import Goal, goals
from tests.kernel.networks import Draft, at, fischer, network, put, read, token_ring
from tests.kernel.random_networks import Generator


def counts(outcome: Outcome) -> tuple[object, ...]:
    its = outcome.statistics
    return type(outcome), its.stored, its.visited, its.transitions, its.discrete_states, getattr(outcome, "trace", ())


@pytest.mark.parametrize("by_simulation", [False, True])
@pytest.mark.parametrize("model", [fischer(5), fischer(5, mutual=False), token_ring(3)])
def test_one_thread_and_several_find_the_same(model: tuple[Network, tuple[Goal, ...]], by_simulation: bool) -> None:
    """A token ring replaces most of its states, so that much is computed in vain and nodes are numbered anew."""
    for shortest in (False, True):
        alone = ZoneSearch(*model, shortest=shortest, by_simulation=by_simulation)
        expected = counts(alone.run())
        for threads in (2, 3):
            search = ZoneSearch(*model, shortest=shortest, by_simulation=by_simulation, threads=threads)
            assert counts(search.run()) == expected
            assert list(search.states()) == list(alone.states())


def test_a_hundred_runs() -> None:
    made, asked = fischer(4)
    expected = counts(ZoneSearch(made, asked, by_simulation=True).run())
    for _ in range(100):
        assert counts(ZoneSearch(made, asked, by_simulation=True, threads=2).run()) == expected


def test_random_networks() -> None:
    """Goals that are met, goals that are not, and model errors."""
    kinds = set()
    for seed in range(40):
        case = Generator(seed).case()
        for wanted in [(), *(goals(formula) for formula in case.formulas)]:
            alone = ZoneSearch(case.network, wanted).run()
            assert counts(ZoneSearch(case.network, wanted, threads=2).run()) == counts(alone)
            kinds.add(type(alone).__name__)
    assert kinds == {"Exhausted", "GoalReached", "Failed"}


def test_pauses() -> None:
    model = fischer(5)
    expected = counts(ZoneSearch(*model).run())
    search, pause = ZoneSearch(*model, threads=2), 0
    while True:
        pause += 37
        outcome = search.run(None, pause)
        if not isinstance(outcome, Stopped):
            break
        assert (outcome.reason, outcome.statistics.visited) == ("visits", pause)
    assert counts(outcome) == expected


def test_a_model_error_has_the_same_trace() -> None:
    draft = Draft()
    draft.location("count")
    draft.edge(0, 0, updates=[put(0, Binary("+", read(0), Constant(1)))])
    made = network([draft], [NetworkVariable("n", 0, 100, 0)])
    alone, beside = (ZoneSearch(made, (), threads=threads).run() for threads in (1, 2))
    assert type(alone).__name__ == "Failed" and counts(alone) == counts(beside)


def test_limits_end_all_threads() -> None:
    drafts = []
    for slot in range(4):
        draft = Draft()
        draft.location("count")
        draft.edge(0, 0, updates=[put(slot, Binary("%", Binary("+", read(slot), Constant(1)), Constant(30_000)))])
        drafts.append(draft)
    made = network(drafts, [NetworkVariable(f"v{k}", 0, 30_000, 0) for k in range(4)])
    outcome = ZoneSearch(made, (), threads=3, budget=Budget.of(0.2)).run()
    assert isinstance(outcome, Stopped) and outcome.reason == "time"
    outcome = ZoneSearch(made, (), threads=3, store_bytes=3_000_000).run()
    assert isinstance(outcome, Stopped) and outcome.reason == "memory"


@pytest.mark.parametrize("by_simulation", [False, True])
def test_certificates_with_threads(by_simulation: bool) -> None:
    made, asked = fischer(6)
    search = ZoneSearch(made, asked, by_simulation=by_simulation)
    assert isinstance(search.run(), Exhausted)
    answers = [certify(search, None, threads) for threads in (1, 2, 3)]
    assert isinstance(answers[0], Inductive) and answers == answers[:1] * 3
    failures = []
    for threads in (1, 2, 3):
        certifier = NativeCertifier(made, (Goal(at(0, 1)),), search.compiled.bounds if by_simulation else None)
        certifier.add_all(search)
        failures.append(certifier.check(None, threads))
    assert failures == ["a stored state meets a goal"] * 3


def test_who_asks_for_the_end_of_a_check_gets_it() -> None:
    search = ZoneSearch(*fischer(8))
    search.run()

    class End(Exception):
        pass

    asked = 0

    def tick() -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise End

    with pytest.raises(End):
        certify(search, tick, 2)
    assert not isinstance(certify(search, None, 2), NotInductive)

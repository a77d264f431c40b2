"""States on disk: the same states, counts and certificates as in memory; what is resident can be limited."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from argosy.certify.zones import Inductive, certify, check
from argosy.kernel.certifier import NativeCertifier
from argosy.kernel.search import Exhausted, Order, Stopped, ZoneSearch
from argosy.models.network import Network
from argosy.models.network_queries import Goal, goals
from tests.kernel.networks import fischer, token_ring
from tests.kernel.random_networks import Generator
from tests.kernel.test_threads import counts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="states on disk need Linux")


@pytest.mark.parametrize("order", [Order.BREADTH_FIRST, Order.LARGEST_FIRST, Order.DEPTH_FIRST])
@pytest.mark.parametrize("model", [fischer(5), token_ring(3), token_ring(12)])
def test_the_same_states_on_disk(model: tuple[Network, tuple[Goal, ...]], order: Order, tmp_path: Path) -> None:
    """Zones of a ring of twelve are blocks of their own, and most of a ring's states are replaced."""
    alone, disk = ZoneSearch(*model, order), ZoneSearch(*model, order, folder=str(tmp_path))
    if model == token_ring(12):
        alone.run(None, 300)
        disk.run(None, 300)
    else:
        expected = alone.run()
        found = disk.run()
        assert counts(found) == counts(expected)
    assert list(disk.states()) == list(alone.states())
    assert list(tmp_path.iterdir()) == []


def test_threads_on_disk(tmp_path: Path) -> None:
    expected = counts(ZoneSearch(*fischer(5)).run())
    assert counts(ZoneSearch(*fischer(5), threads=2, folder=str(tmp_path)).run()) == expected


def test_certificates_on_disk(tmp_path: Path) -> None:
    network, asked = fischer(6)
    search = ZoneSearch(network, asked, folder=str(tmp_path), by_simulation=True)
    assert isinstance(search.run(), Exhausted)
    answer = certify(search, resident=1)
    assert isinstance(answer, Inductive) and answer.checker == "native"
    states = list(search.states())
    for kept in (states, states[1:]):
        native = NativeCertifier(network, asked)
        native.keep_on_disk(str(tmp_path), 1)
        for state in kept:
            native.add(state)
        assert (native.check() is None) == isinstance(check(network, asked, kept), Inductive)


def test_what_is_resident_is_given_back(tmp_path: Path) -> None:
    """With a limit that is passed at once, everything is given back at every look, and nothing is lost."""
    network, asked = fischer(7)
    expected = ZoneSearch(network, asked).run()
    search = ZoneSearch(network, asked, folder=str(tmp_path), store_bytes=600_000)
    assert counts(search.run()) == counts(expected)
    assert isinstance(ZoneSearch(network, asked, store_bytes=600_000).run(), Stopped)
    refused = ZoneSearch(network, asked, folder=str(tmp_path), store_bytes=1_000).run()
    assert isinstance(refused, Stopped) and refused.reason == "memory"


def test_random_networks_on_disk(tmp_path: Path) -> None:
    for seed in range(12):
        case = Generator(seed).case()
        for wanted in [(), *(goals(formula) for formula in case.formulas)]:
            expected = counts(ZoneSearch(case.network, wanted).run())
            assert counts(ZoneSearch(case.network, wanted, folder=str(tmp_path)).run()) == expected


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no file can be made"):
        ZoneSearch(*fischer(2), folder=str(tmp_path / "nowhere"))

"""From options to answers: every heuristic leads to the error, the default says what it did, limits are kept."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import argosy
from argosy.basics.budget import Budget
from argosy.directed import merging
from argosy.directed.build import build
from argosy.directed.search import search
from argosy.directed.zone_databases import ZoneDatabases
from argosy.frontends.uppaal import load
from argosy.kernel import rounds
from argosy.kernel.search import Exhausted, GoalReached, Stopped, ZoneSearch
from argosy.models.network import NetworkVariable
from argosy.models.network_queries import Goal, Query
from argosy.models.network_queries import goals as goals_of
from argosy.options.networks import Combining, Guidance, NetworkSearch
from argosy.strategies import STRATEGIES, Named, StrategyError, network_options
from tests.kernel.networks import Draft, at, equals, fischer, network, put, read, when
from tests.kernel.test_rounds import counters

EXAMPLES = Path(__file__).parents[2] / "examples" / "ta"

HEURISTICS = [guidance.word for guidance in Guidance]
DIRECTED = [named for named in STRATEGIES.values() if named.kind == "network" and named.name != "zones"]


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_every_heuristic_finds_the_flaw_of_fischer(heuristic: str) -> None:
    made, goals = fischer(4, mutual=False)
    found = search(made, goals, network_options({"heuristic": heuristic, "ties": "age"}))
    assert isinstance(found.outcome, GoalReached)
    assert found.outcome.statistics.visited <= 40
    assert found.description.startswith("greedy, ")


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("order", ["greedy", "astar"])
def test_no_heuristic_hides_that_there_is_no_error(heuristic: str, order: str) -> None:
    made, goals = fischer(3)
    found = search(made, goals, network_options({"heuristic": heuristic, "search": order}))
    assert isinstance(found.outcome, Exhausted)


@pytest.mark.parametrize("named", DIRECTED, ids=lambda named: named.name)
def test_named_strategies(named: Named) -> None:
    made, goals = fischer(3, mutual=False)
    found = search(made, goals, network_options({}, named.name))
    assert isinstance(found.outcome, GoalReached)
    assert found.description.startswith(named.defaults["search"])


def test_the_command_line_has_them() -> None:
    result = argosy.verify(str(EXAMPLES / "fischer.xml"), strategy="syntax-b2", split_bound="1")
    assert result.verdict == "safe" and result.certified
    assert (result.strategy["name"], result.strategy["split-bound"]) == ("syntax-b2", "1")
    assert result.queries[0]["search"].startswith("greedy, predicate abstraction of parts")
    assert all("the guard on " in dropped for dropped in result.queries[0]["dropped"])
    assert len(result.queries[0]["dropped"]) > 2


def test_a_star_is_admissible_unless_asked_otherwise() -> None:
    assert network_options({"search": "astar", "heuristic": "pa-syntax"}).combine is Combining.ADMISSIBLE
    assert network_options({"search": "astar", "combine": "sum"}).combine is Combining.SUM
    assert network_options({"heuristic": "graph"}).search is NetworkSearch.GREEDY
    assert network_options({}).search is NetworkSearch.AUTO
    assert network_options({}, "refine-b3-r4").split_bound == 3
    for wrong in ({"split-bound": "0"}, {"heuristic": "luck"}, {"search": "greedy", "trace": "shortest"}):
        with pytest.raises(StrategyError):
            network_options(wrong)


def test_where_breadth_first_takes_long_the_default_tries_merged_automata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "FIRST_ROUND", 1000)
    made, goals = counters(6, 9)
    found = search(made, goals, network_options({}))
    assert isinstance(found.outcome, GoalReached) and len(found.outcome.trace) == 54
    assert found.description == "greedy, automata merged up to 50 locations"
    assert found.outcome.statistics.visited < 2 * 1000 + 250


def test_and_then_zone_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "FIRST_ROUND", 1000)
    monkeypatch.setattr(merging, "CHEAP", 0)
    made, goals = counters(6, 9)
    found = search(made, goals, network_options({}))
    assert isinstance(found.outcome, GoalReached) and len(found.outcome.trace) == 54
    assert found.description.startswith("greedy, zone graphs of projections (")
    assert found.outcome.statistics.visited < 2 * 1000 + 250


def test_the_default_leaves_small_networks_to_the_breadth_first_search() -> None:
    made, goals = fischer(4, mutual=False)
    found = search(made, goals, network_options({}))
    assert found.description == "bfs" and found.overhead == 0


def test_limits_hold_while_a_heuristic_is_built() -> None:
    made, goals = fischer(9)
    begun = time.process_time()
    found = search(
        made, goals, network_options({"heuristic": "pa-syntax", "split-bound": "all"}), budget=Budget.of(1.5)
    )
    assert isinstance(found.outcome, Stopped) and found.outcome.reason == "time"
    # CPU time: what else the machine does must not decide.
    assert time.process_time() - begun < 4


def test_databases_keep_to_their_size() -> None:
    made, goals = counters(3, 2)
    builder = ZoneDatabases(made, goals, states=20)
    assert builder.heuristic() is not None
    assert all(part.states <= 20 for part in builder.parts)
    assert builder.parts[0].initial == 4
    builder = ZoneDatabases(made, goals)
    assert builder.heuristic() is not None
    assert builder.parts[0].initial == 6


def test_inputs_are_left_out_first() -> None:
    """A controller advances when its copy of a switch is on; the switch is flipped by someone else."""
    controller, switch = Draft(), Draft()
    for name in ("first", "second", "third"):
        controller.location(name)
    controller.edge(0, 0, updates=[put(1, read(0))])
    for step in range(2):
        controller.edge(step, step + 1, when(equals(1, 1)), updates=[put(2, step)])
    here = switch.location("here")
    switch.edge(here, here, when(equals(0, 0)), updates=[put(0, 1)])
    switch.edge(here, here, when(equals(0, 1)), updates=[put(0, 0)])
    made = network([controller, switch], [NetworkVariable(name, 0, 1, 0) for name in ("switch", "copy", "mode")])
    builder = ZoneDatabases(made, [Goal(at(0, 2))])
    order, cuts = builder.order(builder.targets)
    names = [item.describe(made) for item in order]
    # The mode has no influence; the switch is an input, and the copy comes from it alone.
    assert names[: cuts[0]] == ["mode"]
    assert names[cuts[0] : cuts[1]] == ["switch", "copy"]


def test_the_initial_estimate_of_a_complete_database_is_the_distance() -> None:
    made, goals = fischer(3, mutual=False)
    builder = ZoneDatabases(made, goals[:1])
    builder.heuristic()
    assert [part.initial for part in builder.parts] == [6.0]


def test_what_takes_too_many_actions_falls_back_to_something_coarser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("argosy.directed.parts.MOST_ACTIONS", 7)
    made, goals = fischer(3, mutual=False)
    options = network_options({"heuristic": "pa-syntax", "split-bound": "all"})
    built = build(made, goals, options)
    assert built.heuristic is not None
    assert isinstance(search(made, goals, options).outcome, GoalReached)
    built = build(made, goals, network_options({"heuristic": "monotone"}))
    assert "more than 7 actions" in built.description


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.x*")), ids=lambda path: path.name)
@pytest.mark.parametrize("heuristic", ["zones", "pa-syntax"])
def test_a_star_is_shortest_on_the_examples(path: Path, heuristic: str) -> None:
    made, queries = load(str(path))
    for query in queries:
        if isinstance(query, Query):
            asked = goals_of(query.target)
            shortest = ZoneSearch(made, asked, shortest=True).run()
            found = search(made, asked, network_options({"search": "astar", "heuristic": heuristic})).outcome
            assert type(found) is type(shortest)
            if isinstance(found, GoalReached) and isinstance(shortest, GoalReached):
                assert len(found.trace) == len(shortest.trace)

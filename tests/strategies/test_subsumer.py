"""Subsumption with real domains and refiners: certified verdicts, the law after every step, the same maximal states;
precisions as files."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import argosy
from argosy.basics.budget import OutOfBudget
from argosy.basics.errors import InputError
from argosy.domains.precision import Precision
from argosy.engine import engine
from argosy.engine.outcome import Safe, Unknown
from argosy.engine.protocols import Silent, Strategy
from argosy.engine.reached import Node, Reached
from argosy.engine.subsumption import Vigilant
from argosy.frontends.c.load import load
from argosy.logic.solver import Counters
from argosy.logic.solvers import Solvers
from argosy.logic.terms import Terms
from argosy.models.cfa import Assume, Cfa, Edge, Location, Reading
from argosy.models.integers import integers
from argosy.models.order import component_ends, weak_topological_order
from argosy.models.reduce import reduce
from argosy.strategies import STRATEGIES, configure
from argosy.strategies.precision_file import read_precision, write_precision
from argosy.strategies.search import component_key
from argosy.strategies.setting import Setting

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.mark.parametrize(
    ("file", "verdict", "subsumption", "prune"),
    [
        ("c/lock.c", "safe", "first", "full"),
        ("c/lock.c", "safe", "prune", "lazy"),
        ("c/lock_bug.c", "unsafe", "first", "lazy"),
        ("c/two_counters.c", "safe", "first-derived", "lazy"),
        ("armc/ticket2.armc", "safe", "first", "lazy"),
        ("armc/bakery2_bug.armc", "unsafe", "append", "full"),
    ],
)
def test_verdicts_are_certified(file: str, verdict: str, subsumption: str, prune: str) -> None:
    """By interpolants alone, so that there are counterexamples to refine; with restarts and without."""
    result = argosy.verify(EXAMPLES / file, "armc", subsumption=subsumption, prune=prune, time_limit=60)
    assert (result.verdict, result.certified) == (verdict, True), result.reason


def strategy_of(file: str, name: str, **options: str) -> tuple[Strategy[Any, Any, Any], Setting[Any]]:
    """A strategy on the reduced model, over integers where it has predicates."""
    read = load(str(EXAMPLES / file), terms=Terms())
    reduced = reduce(read.cfa, reading=Reading.UNDEFINED).cfa
    chosen = configure(name, {key.replace("_", "-"): value for key, value in options.items()})
    on_bits = chosen.strategy.arithmetics == ("bits",)
    cfa = reduced if on_bits else integers(reduced).cfa
    setting = Setting(
        cfa,
        Solvers(cfa.terms, Counters()),
        Reading.UNDEFINED,
        "bits" if on_bits else "int",
        chosen.options,
        {},
        Silent(),
    )
    return chosen.build(setting), setting


@pytest.mark.parametrize(
    ("file", "name", "options"),
    [
        ("c/lock.c", "armc", {}),
        ("c/lock.c", "armc", {"prune": "lazy", "search": "scc"}),
        ("c/lock.c", "lbe", {"subsumption": "first", "search": "bfs", "relations": "off", "values": "off"}),
        ("c/lock.c", "cartesian", {"subsumption": "first", "search": "dfs", "refinement": "multi-seq"}),
        ("c/two_counters.c", "sbe", {"subsumption": "first", "search": "err", "relations": "off"}),
        ("c/two_counters.c", "sbe", {"subsumption": "prune", "domain": "pred-split", "block": "k=3"}),
        ("c/traffic_light.c", "explicit", {"subsumption": "first"}),
        ("c/traffic_light.c", "explicit", {"subsumption": "first-derived", "refinement": "seq", "search": "scc"}),
    ],
)
def test_the_law_holds_after_every_step(file: str, name: str, options: dict[str, str]) -> None:
    strategy, _ = strategy_of(file, name, **options)
    assert strategy.subsumption.replaces
    outcome = engine.check(strategy, Vigilant(strategy.analysis, Brief()))
    assert isinstance(outcome, Safe) or (isinstance(outcome, Unknown) and outcome.reason == "enough")


class Brief(Silent):
    """Ends a run after so many steps."""

    steps = 80

    def expanded(self, node: Node, reached: Reached) -> None:
        self.steps -= 1
        if not self.steps:
            raise OutOfBudget("enough")


@pytest.mark.parametrize("domain", ["pred-conj", "pred-bool"])
def test_every_order_reaches_the_same_maximal_states(domain: str, tmp_path: Path) -> None:
    """Under the precision that breadth-first search has found."""
    file = tmp_path / "lock.precision"
    first, _ = strategy_of("c/lock.c", "armc-bfs", domain=domain, save_precision=str(file))
    assert isinstance(engine.check(first, Silent()), Safe)
    found = []
    orders = [(search, "first") for search in ("bfs", "dfs", "err", "dfs-err", "topological", "scc")]
    for search, subsumption in orders + [("bfs", s) for s in ("keep", "append", "prune", "first-derived")]:
        choices = {"search": search, "subsumption": subsumption, "precision": str(file), "domain": domain}
        strategy, _ = strategy_of("c/lock.c", "armc-bfs", **choices)
        outcome = engine.check(strategy, Silent())
        assert isinstance(outcome, Safe)
        found.append(maximal(strategy.analysis, outcome.reached))
    assert len(found[0]) > 5
    assert all(states == found[0] for states in found)


def maximal(analysis: Any, reached: Reached) -> set[tuple[str, str]]:
    nodes = list(reached)

    def below(one: Any, other: Any) -> bool:
        covered = one.state.location is other.state.location and analysis.covers(other.state, one.state)
        return covered and not analysis.covers(one.state, other.state)

    kept = [node for node in nodes if not any(below(node, other) for other in nodes)]
    return {(repr(node.state.location), str(analysis.claim(node.state)[1])) for node in kept}


# ---- precisions as files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("granularity", ["local", "function", "global"])
def test_a_precision_is_read_back_as_it_was_written(granularity: str, tmp_path: Path) -> None:
    file = tmp_path / "saved"
    strategy, setting = strategy_of("c/lock.c", "armc-bfs", granularity=granularity)
    outcome = engine.check(strategy, Silent())
    assert isinstance(outcome, Safe) and len(outcome.precision) > 2
    write_precision(str(file), outcome.precision, setting)
    assert Precision(outcome.precision.granularity).join(read_precision(str(file), setting)) == outcome.precision


def test_a_fixed_precision_is_not_refined(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    argosy.verify(EXAMPLES / "c/lock.c", "armc", save_precision=str(saved), time_limit=60)
    result = argosy.verify(EXAMPLES / "c/lock.c", "armc", precision=str(saved), time_limit=60)
    assert result.verdict == "safe" and result.certified and result.statistics["refinements"] == 0
    weak = tmp_path / "weak"
    weak.write_text("(everywhere true)\n")
    result = argosy.verify(EXAMPLES / "c/lock.c", "armc", precision=str(weak), time_limit=60)
    assert result.verdict == "unknown" and "given precision" in str(result.reason)
    argosy.verify(EXAMPLES / "c/lock_bug.c", "armc", save_precision=str(saved), time_limit=60)
    result = argosy.verify(EXAMPLES / "c/lock_bug.c", "armc", precision=str(saved), time_limit=60)
    assert result.verdict == "unsafe" and result.certified and result.statistics["refinements"] == 0


def setting_of(arithmetic: str = "int", strategy: str = "lbe") -> Setting[Any]:
    terms = Terms()
    cfa: Cfa = load(str(EXAMPLES / "c/two_counters.c"), terms=terms).cfa
    if arithmetic == "int":
        cfa = integers(cfa).cfa
    return Setting(cfa, Solvers(terms, Counters()), Reading.UNDEFINED, arithmetic, STRATEGIES[strategy].options)  # type: ignore[arg-type]


def variable(setting: Setting[Any]) -> str:
    return f"|{setting.cfa.variables[0].term.name}|"


def test_a_precision_can_be_written_by_hand(tmp_path: Path) -> None:
    setting = setting_of()
    x, head = variable(setting), next(iter(setting.cfa.loop_heads))
    file = tmp_path / "by_hand"
    file.write_text(
        f"; what matters\n(at L{head.index} (< {x} 7)\n  (= {x} 0))\n(line {head.position.line} (>= {x} 1))\n"
        f"(in main (= {x} 2))\n(everywhere (= {x} 3) true)\n"
    )
    precision = Precision("local").join(read_precision(str(file), setting))
    assert len(precision.at(head)) == 5 and len(precision.at(setting.cfa.initial)) == 2


def test_numbers_are_numbers_on_bits(tmp_path: Path) -> None:
    setting = setting_of("bits")
    file = tmp_path / "numbers"
    file.write_text(f"(everywhere (<= {variable(setting)} 7))\n")
    (_, (predicate,)), *_ = read_precision(str(file), setting)
    assert {v.sort for v in predicate.args[0].args if v.is_var} <= {setting.cfa.variables[0].term.sort}


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("(everywhere (<= x", ":1:13", "'(' without ')'"),
        ("\n(everywhere\n  (<= nobody 1))", ":3:7", "unknown symbol nobody"),
        ("(at L999 true)", ":1:1", "nothing at L999"),
        ("(line 0)\n(in nowhere true)", ":2:1", "nothing in nowhere"),
        ("(somewhere true)", ":1:1", "not somewhere"),
        ("(everywhere\n 7)", ":2:2", "a predicate is true or false"),
        ("(arithmetic floats)", ":1:1", "arithmetic is one of"),
        ("(arithmetic real)", ":1:1", "the analysis is over int"),
        ("(at)", ":1:1", "at what?"),
        ("lock", ":1:1", "expected (word ...)"),
        ("(everywhere) §", ":1:14", "unexpected character"),
        (f"(everywhere\n (<= x {'1' * 5000}))", ":2:8", "a number of 5000 digits"),
        (f"(everywhere (= x (_ bv{'1' * 5000} 8)))", ":1:21", "a number of 5002 digits"),
    ],
)
def test_what_is_malformed_is_refused_with_its_line(text: str, place: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bad"
    file.write_text(text.replace("(line 0)", ""), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_precision(str(file), setting_of())
    assert place in str(refused.value) and message in str(refused.value)


def test_explicit_values_track_variables(tmp_path: Path) -> None:
    setting = setting_of("bits", "explicit")
    file = tmp_path / "variables"
    file.write_text(f"(everywhere {variable(setting)})\n")
    assert read_precision(str(file), setting)[0][1] == (setting.cfa.variables[0].term,)
    file.write_text(f"(everywhere (= {variable(setting)} {variable(setting)}))\n")
    with pytest.raises(InputError, match="a variable is tracked here"):
        read_precision(str(file), setting)


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_precision(str(tmp_path / "nobody"), setting_of())
    with pytest.raises(InputError):
        write_precision(str(tmp_path / "no" / "body"), Precision(), setting_of())


def test_every_strategy_with_a_domain_has_these_options() -> None:
    for named in STRATEGIES.values():
        assert ("subsumption" in named.defaults) == ("domain" in named.defaults)


# ---- components first ---------------------------------------------------------------------------------------


NESTED = {"in": ["h"], "h": ["a", "out"], "a": ["i"], "i": ["b", "c"], "b": ["i"], "c": ["h"], "out": []}


def test_a_component_ends_with_its_last_location() -> None:
    order, heads = weak_topological_order("in", NESTED.__getitem__)
    position = {node: at for at, node in enumerate(order)}
    before = {node: [n for n, after in NESTED.items() if node in after] for node in NESTED}
    ends = component_ends(position, heads, before.__getitem__)
    assert set(heads) == {"h", "i"}
    assert {order[at] for at in range(position["h"], ends["h"] + 1)} == set("haibc")
    assert {order[at] for at in range(position["i"], ends["i"] + 1)} == set("ib")


def test_an_inner_loop_is_finished_before_the_outer_one_is_entered_again() -> None:
    """Both heads wait, entered from inside: the inner one is first, and c, which follows it, before the outer one."""
    terms = Terms()
    places = {name: Location(i, label=name) for i, name in enumerate(NESTED)}
    edges = [Edge(places[a], places[b], Assume(terms.true)) for a, after in NESTED.items() for b in after]
    cfa = Cfa(terms, places["in"], places["out"], tuple(places.values()), tuple(edges), ())
    key = component_key(cfa)

    def node(source: str, target: str) -> Node:
        edge = next(e for e in edges if (e.source, e.target) == (places[source], places[target]))
        parent = Node(0, SimpleNamespace(location=places[source]), None, None)
        return Node(1, SimpleNamespace(location=places[target]), None, (parent, edge))

    steps = [("h", "out"), ("c", "h"), ("i", "c"), ("b", "i"), ("i", "b"), ("a", "i"), ("in", "h")]
    assert sorted(steps, key=lambda step: key(node(*step))) == list(reversed(steps))

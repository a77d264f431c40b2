"""How a network of timed automata is explored: options of the search, and named choices of them.

The named ones are the columns of paper 003's Table 1 (``rdf``, ``graph``, ``monotone``, ``merge-n50``, ``syntax-b2``,
``refine-b3-r4``), and ``zone-databases``, which goes beyond them. This module imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from argosy.strategies import Named, Option, StrategyError

NETWORK_OPTIONS: tuple[Option, ...] = (
    Option(
        "search",
        "auto, bfs, largest, dfs, random-dfs, greedy, astar",
        "auto",
        "bfs finds short traces, dfs deep ones; largest takes states with large zones first and proves fastest that "
        "there is none; random-dfs draws its order from --seed; greedy and astar follow --heuristic; "
        "auto is bfs, then largest with turns of greedy and the others where it takes long",
        "auto|bfs|largest|dfs|random-dfs|greedy|astar",
    ),
    Option(
        "trace",
        "some, shortest, fastest",
        "some",
        "shortest has the fewest actions, fastest takes the least time; either may explore more, and only with bfs",
        "some|shortest|fastest",
    ),
    Option(
        "heuristic",
        "zones, pa-syntax, pa-refine, graph, monotone, merge",
        "zones",
        "what greedy and astar follow: zone graphs of projections, predicate abstraction (predicates from the text or "
        "from refinement), distances in single automata, the monotone relaxation, merged automata",
        "zones|pa-syntax|pa-refine|graph|monotone|merge",
    ),
    Option(
        "ties",
        "depth, age",
        "depth",
        "which of equally promising states comes first: the deepest, or the oldest",
        "depth|age",
    ),
    Option(
        "combine",
        "sum, max, admissible",
        "sum",
        "how parts make one estimate: the sum is sharper, the maximum smaller; admissible never overestimates, so that "
        "astar finds a shortest trace",
        "sum|max|admissible",
    ),
    Option(
        "split-bound",
        "N, all",
        "2",
        "how many automata predicate abstraction looks at together: more see more and take much longer",
        "[1-9][0-9]*|all",
    ),
    Option(
        "refinements",
        "N, auto",
        "auto",
        "rounds of pa-refine for each part; auto stops before the shortest spurious trace does not grow",
        "[0-9]+|auto",
    ),
    Option(
        "spurious",
        "one, all",
        "one",
        "whether a round of pa-refine excludes one shortest spurious trace, or all of them",
        "one|all",
    ),
    Option(
        "relaxation",
        "layers, plan",
        "plan",
        "what monotone counts: the layers up to the goal, or the steps of a relaxed plan",
        "layers|plan",
    ),
    Option(
        "merge-bound",
        "N",
        "50",
        "up to how many locations merge keeps apart",
        "[1-9][0-9]*",
    ),
)

ZONES = Named(
    "zones",
    "the zone graph of a network of timed automata (.xml, .xta, .ta), explored by the native kernel",
    defaults={option.name: option.default for option in NETWORK_OPTIONS},
    arithmetics=(),
)


def _named(name: str, advice: str, **chosen: str) -> Named:
    options = {key.replace("_", "-"): value for key, value in chosen.items()}
    return Named(name, advice, defaults={**ZONES.defaults, **options}, arithmetics=())


DIRECTED: tuple[Named, ...] = (
    _named("rdf", "random depth-first search: blind, often quick, with long traces", search="random-dfs"),
    _named("graph", "greedy by distances in single automata", search="greedy", heuristic="graph", ties="age"),
    _named(
        "monotone", "greedy by the monotone relaxation, solved in every state", search="greedy", heuristic="monotone"
    ),
    _named("merge-n50", "greedy by merged automata of 50 locations", search="greedy", heuristic="merge"),
    _named("syntax-b2", "greedy by predicates of the text, pairs of automata", search="greedy", heuristic="pa-syntax"),
    _named(
        "refine-b3-r4",
        "greedy by predicates of four refinements, three automata together",
        search="greedy",
        heuristic="pa-refine",
        split_bound="3",
        refinements="4",
    ),
    _named("zone-databases", "greedy by zone graphs of projections", search="greedy", heuristic="zones"),
)

NETWORKS: Mapping[str, Named] = MappingProxyType({named.name: named for named in (ZONES, *DIRECTED)})

NETWORK_STRATEGIES = ("auto", *NETWORKS)


def configure_network(options: Mapping[str, str], name: str = "auto") -> dict[str, str]:
    """The options of a named choice filled in; refuses those that do not go together."""
    known = {option.name: option for option in NETWORK_OPTIONS}
    for key, value in options.items():
        if key not in known:
            raise StrategyError(f"--{key} is not for networks (their options are {', '.join(known)})")
        if not known[key].accepts(value):
            raise StrategyError(f"--{key} cannot be {value} for a network (it is one of {known[key].values})")
    chosen = {**NETWORKS.get(name, ZONES).defaults, **options}
    if "heuristic" in options and "search" not in options and chosen["search"] == "auto":
        chosen["search"] = "greedy"
    if chosen["trace"] != "some":
        if chosen["search"] not in ("auto", "bfs"):
            raise StrategyError(f"--trace {chosen['trace']} needs --search bfs, not {chosen['search']}")
        chosen["search"] = "bfs"
    if chosen["search"] == "astar" and chosen["combine"] == "sum":
        chosen["combine"] = "sum" if "combine" in options else "admissible"
    return chosen

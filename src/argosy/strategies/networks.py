"""How a network of timed automata is explored: one strategy, with options of its own."""

from __future__ import annotations

from collections.abc import Mapping

from argosy.strategies import Named, Option, StrategyError

NETWORK_OPTIONS: tuple[Option, ...] = (
    Option(
        "search",
        "auto, bfs, dfs, random-dfs",
        "auto",
        "bfs finds short traces, dfs deep ones; random-dfs takes successors in an order drawn from --seed; auto is bfs "
        "with turns of the others where it takes long",
        "auto|bfs|dfs|random-dfs",
    ),
    Option(
        "trace",
        "some, shortest, fastest",
        "some",
        "shortest has the fewest actions, fastest takes the least time; either may explore more, and only with bfs",
        "some|shortest|fastest",
    ),
)

ZONES = Named(
    "zones",
    "the zone graph of a network of timed automata (.xml, .xta, .ta), explored by the native kernel",
    defaults={option.name: option.default for option in NETWORK_OPTIONS},
    arithmetics=(),
)

NETWORK_STRATEGIES = ("auto", ZONES.name)


def configure_network(options: Mapping[str, str]) -> dict[str, str]:
    """The options filled in; refuses those that do not go together."""
    known = {option.name: option for option in NETWORK_OPTIONS}
    for name, value in options.items():
        if name not in known:
            raise StrategyError(f"--{name} is not for networks (their options are {', '.join(known)})")
        if not known[name].accepts(value):
            raise StrategyError(f"--{name} cannot be {value} for a network (it is one of {known[name].values})")
    chosen = {**ZONES.defaults, **options}
    if chosen["trace"] != "some":
        if chosen["search"] not in ("auto", "bfs"):
            raise StrategyError(f"--trace {chosen['trace']} needs --search bfs, not {chosen['search']}")
        chosen["search"] = "bfs"
    return chosen

"""Named strategies and their options: one explicit table each.

A strategy is a function from a ``Setting`` to the parts of the loop (``protocols.Strategy``). A named one also says
on which arithmetic it runs and which options it has; the command line derives its flags and ``argosy strategies``
its tables from here. This module imports nothing heavy: a builder is found when it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argosy.protocols import Strategy
    from argosy.strategies.setting import Setting


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that strategies share. ``values`` is what a person reads, ``form`` what a value must match."""

    name: str
    values: str
    default: str
    advice: str
    form: str

    def accepts(self, value: str) -> bool:
        return re.fullmatch(self.form, value) is not None


OPTIONS: tuple[Option, ...] = (
    Option(
        "domain",
        "expl, pred-bool, pred-cart",
        "pred-bool",
        "explicit values for programs driven by constants, predicates for relations between variables",
        "expl|pred-bool|pred-cart",
    ),
    Option(
        "search",
        "bfs, dfs, topological",
        "topological",
        "bfs finds short counterexamples, dfs deep ones; topological finishes a loop before what follows it",
        "bfs|dfs|topological",
    ),
    Option(
        "granularity",
        "local, function, global",
        "local",
        "where a new predicate is tracked: local keeps abstractions small, global needs fewer refinements",
        "local|function|global",
    ),
    Option(
        "split",
        "atoms, conjuncts, whole",
        "atoms",
        "how an interpolant becomes predicates: atoms generalise, the whole is exact under a cartesian abstraction",
        "atoms|conjuncts|whole",
    ),
    Option(
        "refinement",
        "seq, dag",
        "seq",
        "seq explains one counterexample by an interpolant per block end; dag explores on and explains all that turn "
        "up at once, which needs fewer refinements where many paths lead to the error",
        "seq|dag",
    ),
    Option(
        "interpolation",
        "invariants, spacer, newton, newton-wp, bitwuzla, or several joined by +",
        "invariants+spacer+newton+newton-wp+bitwuzla",
        "how interpolants are computed, what comes first is tried first; invariants looks at all unwindings of a "
        "counterexample's loops at once",
        "(invariants|spacer|newton|newton-wp|bitwuzla)(\\+(spacer|newton|newton-wp|bitwuzla))*",
    ),
    Option(
        "relations",
        "on, off",
        "on",
        "whether loops are executed to guess relations between their variables, and those that are inductive tracked",
        "on|off",
    ),
    Option(
        "block",
        "sbe, lbe, k=N, lbe+k=N, structure+k=N, adaptive",
        "lbe",
        "where predicate abstraction is computed: after every edge (sbe), at loop heads and calls (lbe), after N "
        "operations (k=N), whichever comes first (lbe+k=N), at the first join after N operations (structure+k=N)",
        "sbe|lbe|adaptive|(lbe\\+|structure\\+)?k=[1-9][0-9]*",
    ),
    Option(
        "values",
        "on, off",
        "on",
        "whether predicates about the values of modes and flags are found by executing a counterexample",
        "on|off",
    ),
    Option(
        "induction",
        "on, off",
        "off",
        "whether bounded model checking also tries to prove by k-induction",
        "on|off",
    ),
    Option(
        "prune",
        "lazy, full",
        "lazy",
        "lazy keeps what a refinement does not concern, full starts the exploration again",
        "lazy|full",
    ),
)


@dataclass(frozen=True, slots=True)
class Named:
    """A strategy of the table. ``defaults`` says which options it has, with its own defaults. ``stages`` makes it a
    sequence of others, each with a share of the time that is left and a number of expansions (0: any)."""

    name: str
    advice: str
    builder: str = ""
    defaults: Mapping[str, str] = field(default_factory=dict)
    arithmetics: tuple[str, ...] = ("int", "bits")
    stages: tuple[tuple[str, float, int], ...] = ()

    def build(self, setting: Setting) -> Strategy[Any, Any, Any]:
        module, _, function = self.builder.partition(":")
        strategy: Strategy[Any, Any, Any] = getattr(import_module(module), function)(setting)
        return strategy


_PREDICATE = {
    "domain": "pred-bool",
    "search": "topological",
    "granularity": "local",
    "split": "atoms",
    "refinement": "seq",
    "interpolation": "invariants+spacer+newton+newton-wp+bitwuzla",
    "relations": "on",
    "block": "sbe",
    "prune": "lazy",
    "values": "on",
}

STRATEGIES: dict[str, Named] = {
    strategy.name: strategy
    for strategy in (
        Named(
            "auto",
            "explicit values for a while, then predicates in large blocks, then explicit values again",
            stages=(("explicit", 0.25, 40_000), ("lbe", 0.6, 0), ("explicit", 1.0, 0)),
        ),
        Named(
            "lbe",
            "large-block encoding: boolean predicate abstraction at loop heads and at calls only",
            "argosy.strategies.predicate:predicate",
            {**_PREDICATE, "block": "lbe"},
        ),
        Named(
            "lbe-preprocessed",
            "large-block encoding on an automaton whose edges were made large blocks beforehand: the same proofs, for "
            "comparison",
            "argosy.strategies.predicate:preprocessed",
            {name: value for name, value in _PREDICATE.items() if name != "block"},
        ),
        Named(
            "sbe",
            "single-block encoding: boolean predicate abstraction after every edge",
            "argosy.strategies.predicate:predicate",
            _PREDICATE,
        ),
        Named(
            "bmc",
            "bounded model checking with a growing bound: finds bugs, and proves programs whose loops all end soon",
            "argosy.strategies.bounded:bounded",
            {"induction": "off"},
            arithmetics=("bits",),
        ),
        Named(
            "kinduction",
            "bounded model checking with the inductive step tried at each bound, helped by guessed invariants",
            "argosy.strategies.bounded:bounded",
            {"induction": "on", "relations": "on"},
            arithmetics=("bits",),
        ),
        Named(
            "cartesian",
            "cartesian predicate abstraction: cheaper per edge, and weaker",
            "argosy.strategies.predicate:predicate",
            {**_PREDICATE, "domain": "pred-cart", "split": "conjuncts"},
        ),
        Named(
            "explicit",
            "values of the variables that matter, found by following them back from impossible counterexamples",
            "argosy.strategies.explicit:explicit",
            {"domain": "expl", "search": "bfs", "granularity": "global", "prune": "lazy"},
            arithmetics=("bits",),
        ),
    )
}


class StrategyError(ValueError):
    """A strategy or option that does not exist, or options that do not go together."""


def configure(name: str, options: Mapping[str, str]) -> tuple[Named, dict[str, str]]:
    """The strategy of that name with its options filled in. ``domain`` may move a choice to the strategy that has
    it (``--domain expl`` alone is ``explicit``)."""
    if name not in STRATEGIES:
        raise StrategyError(f"no such strategy: {name} (there are {', '.join(STRATEGIES)})")
    strategy = STRATEGIES[name]
    if options and strategy.stages:
        strategy = STRATEGIES["explicit" if options.get("domain") == "expl" else "lbe"]
    if "domain" in options and (options["domain"] == "expl") != (strategy.defaults.get("domain") == "expl"):
        strategy = STRATEGIES["explicit" if options["domain"] == "expl" else "lbe"]
    known = {option.name: option for option in OPTIONS}
    for key, value in options.items():
        if key not in known:
            raise StrategyError(f"no such option: {key} (there are {', '.join(known)})")
        if not known[key].accepts(value):
            raise StrategyError(f"{key} cannot be {value} (it is one of {known[key].values})")
        if key not in strategy.defaults:
            raise StrategyError(f"{strategy.name} has no option {key} (it has {', '.join(strategy.defaults)})")
    return strategy, {**strategy.defaults, **options}

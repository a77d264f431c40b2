"""Named strategies and their options: one explicit table each.

A strategy is a function from a ``Setting`` to the parts of the loop (``protocols.Strategy``). A named one also says
on which arithmetic it runs and which options it has; the command line derives its flags and ``argosy strategies``
its tables from here. This module imports nothing heavy: a builder is found when it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from argosy.strategies.options import FOREIGN, OPTIONS, Option, refusal

if TYPE_CHECKING:
    from argosy.engine.protocols import Strategy
    from argosy.strategies.setting import Setting

__all__ = ["OPTIONS", "STRATEGIES", "Named", "Option", "StrategyError", "configure"]


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
        if any(setting.options.get(name, value) != value for name, value in _SEARCH.items()):
            from argosy.strategies.subsumer import modified

            strategy = modified(strategy, setting)
        return strategy


# Choices that work with every domain and refiner alike: ``strategies.subsumer`` makes them of what was built.
_SEARCH = {"subsumption": "keep", "precision": "none", "save-precision": "none"}

_PREDICATE = {
    **_SEARCH,
    "domain": "pred-bool",
    "search": "topological",
    "granularity": "local",
    "split": "atoms",
    "refinement": "seq",
    "counterexamples": "all",
    "initial-precision": "empty",
    "interpolation": "invariants+spacer+newton+newton-wp+bitwuzla",
    "relations": "on",
    "block": "sbe",
    "prune": "lazy",
    "values": "on",
}

_EXPLICIT = {
    **_SEARCH,
    "domain": "expl",
    "max-enum": "1*",
    "search": "bfs",
    "granularity": "global",
    "refinement": "values",
    "counterexamples": "all",
    "initial-precision": "empty",
    "interpolation": "newton+newton-wp+bitwuzla+spacer",
    "prune": "adaptive",
}

_PRODUCT = {
    **_SEARCH,
    "domain": "prod",
    "split": "atoms",
    "search": "dfs",
    "granularity": "global",
    "refinement": "seq",
    "interpolation": "newton+newton-wp+bitwuzla+spacer",
    "prune": "adaptive",
}

# What the paper's tool does, without what helps us to find predicates (paper 002, Table 4).
_THETA_PREDICATE = {
    **_PREDICATE,
    "domain": "pred-cart",
    "granularity": "global",
    "interpolation": "spacer+newton+newton-wp+bitwuzla",
    "relations": "off",
    "values": "off",
}

# What the paper's tool does: predicates from the counterexample alone, restarts (paper 000, section 4).
_ARMC = {
    **_THETA_PREDICATE,
    "domain": "pred-conj",
    "granularity": "local",
    "search": "bfs",
    "prune": "full",
}

STRATEGIES: dict[str, Named] = {
    strategy.name: strategy
    for strategy in (
        Named(
            "auto",
            "explicit values, predicates in large blocks, both together, k-induction: each shortly, then for longer",
            stages=(
                ("explicit", 0.25, 20_000),
                ("lbe", 0.15, 0),
                ("product", 0.25, 200_000),
                ("kinduction", 0.1, 0),
                ("lbe", 0.4, 0),
                ("product", 0.6, 0),
                ("kinduction", 1.0, 0),
            ),
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
            "armc",
            "conjunctions of predicates after every edge, breadth-first with subsumers first, starting again after "
            "each refinement (paper 000)",
            "argosy.strategies.predicate:predicate",
            {**_ARMC, "subsumption": "first"},
        ),
        Named(
            "armc-bfs",
            "as armc without subsumers first: what paper 000 compares with",
            "argosy.strategies.predicate:predicate",
            _ARMC,
        ),
        Named(
            "explicit",
            "values of the variables that matter, found by following them back from impossible counterexamples",
            "argosy.strategies.explicit:explicit",
            _EXPLICIT,
            arithmetics=("bits",),
        ),
        Named(
            "product",
            "explicit values, and predicates for relations between unknown numbers",
            "argosy.strategies.explicit:product",
            _PRODUCT,
            arithmetics=("bits",),
        ),
        Named(
            "theta-pred-seq",
            "cartesian predicates, split into atoms, from sequence interpolants, breadth-first (paper 002, Table 4)",
            "argosy.strategies.predicate:predicate",
            {**_THETA_PREDICATE, "split": "atoms", "refinement": "seq", "search": "bfs"},
        ),
        Named(
            "theta-pred-bw",
            "cartesian predicates, kept whole, from backward binary interpolants, heading for the error (Table 4)",
            "argosy.strategies.predicate:predicate",
            {**_THETA_PREDICATE, "split": "whole", "refinement": "bw-bin", "search": "err"},
        ),
        Named(
            "theta-expl-seq",
            "explicit values without a solver, variables from sequence interpolants, breadth-first (Table 4)",
            "argosy.strategies.explicit:explicit",
            {**_EXPLICIT, "max-enum": "1*", "refinement": "seq", "search": "bfs", "prune": "lazy"},
            arithmetics=("bits",),
        ),
        Named(
            "theta-expl-multiseq",
            "explicit values that ask a solver, several counterexamples at once, heading for the error (Table 4)",
            "argosy.strategies.explicit:explicit",
            {**_EXPLICIT, "max-enum": "1", "refinement": "multi-seq", "search": "err", "prune": "lazy"},
            arithmetics=("bits",),
        ),
    )
}


# The strategy that has a domain, and the one that has it in the configurations of paper 002.
_PREDICATES = ("lbe", "theta-pred-seq")
_FAMILIES = {"expl": ("explicit", "theta-expl-seq"), "prod": ("product", "product")}


class StrategyError(ValueError):
    """A strategy or option that does not exist, or options that do not go together."""


def configure(name: str, options: Mapping[str, str], kind: str = "program") -> tuple[Named, dict[str, str]]:
    """The strategy of that name with its options filled in. ``domain`` may move a choice to the strategy that has
    it (``--domain expl`` alone is ``explicit``)."""
    if kind == "network":
        from argosy.strategies.networks import NETWORK_STRATEGIES, NETWORKS, ZONES, configure_network

        if name not in NETWORK_STRATEGIES:
            raise StrategyError(f"no such strategy: {name} (there are {', '.join(NETWORK_STRATEGIES)})")
        return NETWORKS.get(name, ZONES), configure_network(options, name)
    if name not in STRATEGIES:
        raise StrategyError(f"no such strategy: {name} (there are {', '.join(STRATEGIES)})")
    strategy = STRATEGIES[name]
    if options and strategy.stages:
        strategy = STRATEGIES["lbe"]
    family = _FAMILIES.get(options.get("domain", ""), _PREDICATES)
    if "domain" in options and family is not _FAMILIES.get(strategy.defaults.get("domain", ""), _PREDICATES):
        strategy = STRATEGIES[family[name.startswith("theta-")]]
    known = {option.name: option for option in OPTIONS}
    for key, value in options.items():
        if key not in known:
            raise StrategyError(f"no such option: {key} (there are {', '.join(known)})")
        if not known[key].accepts(value):
            raise StrategyError(f"{key} cannot be {value} (it is one of {known[key].values})")
        if key not in strategy.defaults:
            told = FOREIGN.get(key) if "domain" in strategy.defaults else None
            told = (told or "it has {options}").format(name=strategy.name, options=", ".join(strategy.defaults))
            raise StrategyError(f"{strategy.name} has no option {key}: {told}")
    filled = {**strategy.defaults, **options}
    refused = refusal(filled)
    if refused is not None:
        raise StrategyError(refused)
    return strategy, filled

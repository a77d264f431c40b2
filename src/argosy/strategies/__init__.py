"""Named strategies and their options.

A strategy is a function from a ``Setting`` to the parts of the loop (``protocols.Strategy``). A named one (``table``)
also says on which arithmetic it runs and which options it has (``argosy.options``); ``configure`` puts what was chosen
in their place, ``flags`` derives what the command line says. Nothing heavy is imported: a builder is found when it is
needed.
"""

from __future__ import annotations

from argosy.options.declared import Option, Options, StrategyError
from argosy.strategies.configure import Configured, configure, network_options, option_names, options_for
from argosy.strategies.flags import Flag, flags
from argosy.strategies.named import Named
from argosy.strategies.table import MODEL_KINDS, STRATEGIES, strategies_for

__all__ = [
    "MODEL_KINDS",
    "STRATEGIES",
    "Configured",
    "Flag",
    "Named",
    "Option",
    "Options",
    "StrategyError",
    "configure",
    "flags",
    "network_options",
    "option_names",
    "options_for",
    "strategies_for",
]

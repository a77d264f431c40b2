"""From a name and what was chosen beside it, as text, to a strategy and its options: the only parser of options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from argosy.basics.choices import did_you_mean
from argosy.basics.records import dataclass, replace
from argosy.options.declared import Option, Options, StrategyError
from argosy.options.networks import NetworkOptions
from argosy.options.programs import DomainOptions
from argosy.options.values import Domain
from argosy.strategies.named import Named
from argosy.strategies.table import AUTO, MODEL_KINDS, STRATEGIES, kinds_of_strategies, strategies_for

if TYPE_CHECKING:
    from argosy.engine.protocols import Strategy
    from argosy.strategies.setting import Setting

NOTHING: Mapping[str, str] = MappingProxyType({})

# The strategy that has the options which a sequence of strategies is asked for.
SINGLE = "lbe"

# The strategy that has a domain, and the one that has it in the configurations of [Theta].
_PREDICATES = ("lbe", "theta-pred-seq")
_FAMILIES = {Domain.EXPL: ("explicit", "theta-expl-seq"), Domain.PROD: ("product", "product")}


@dataclass(frozen=True, slots=True)
class Configured:
    """A strategy, all its options, and in words what a choice changed that nobody asked to change."""

    strategy: Named
    options: Options
    note: str | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        return () if self.note is None else (self.note,)

    def build(self, setting: Setting[Any]) -> Strategy[Any, Any, Any]:
        """The parts of the loop, on the model of ``setting``."""
        return self.strategy.build(replace(setting, options=self.options))


@cache
def options_for(kind: str) -> Mapping[str, Option]:
    """Every option of some strategy for such models, by name."""
    found: dict[str, Option] = {}
    kinds = kinds_of_strategies(kind)
    for family in dict.fromkeys(type(named.options) for named in STRATEGIES.values() if named.kind in kinds):
        for name, option in family.declared().items():
            found.setdefault(name, option)
    return MappingProxyType(found)


def option_names() -> tuple[str, ...]:
    """Of every option, whatever the kind of model."""
    return tuple(dict.fromkeys(name for kind in MODEL_KINDS for name in options_for(kind)))


def configure(name: str, choices: Mapping[str, str] = NOTHING, kind: str = "program") -> Configured:
    """The strategy of that name, for models of a kind, with the choices put in the place of its own. A choice may move
    to another strategy, that has it (``--domain expl`` alone is ``explicit``), which the note says. ``StrategyError``
    for what does not exist, is not for such models or does not go together."""
    asked = _strategy(name, kind)
    values = {key: _option(key, kind).parse(text) for key, text in choices.items()}
    strategy = _moved(asked, values, of_paper=name.startswith("theta-"))
    own = strategy.options.declared()
    for key in values:
        if key not in own:
            raise StrategyError(f"{strategy.name} has no option {key}: {_lacks(strategy, _option(key, kind))}")
    options, note = strategy.options.choosing(values).completed(values)
    if strategy is not asked:
        note = _said(asked, strategy, values)
    return Configured(strategy, options, note)


def network_options(choices: Mapping[str, str] = NOTHING, name: str = AUTO) -> NetworkOptions:
    """What ``configure`` says of a search in a network."""
    options = configure(name, choices, "network").options
    assert isinstance(options, NetworkOptions)
    return options


def _strategy(name: str, kind: str) -> Named:
    table = strategies_for(kind)
    if name in table:
        return table[name]
    if name in STRATEGIES:
        other = STRATEGIES[name].kind
        raise StrategyError(f"--strategy {name} is for {other}s, not for {kind}s (theirs are {', '.join(table)})")
    raise StrategyError(f"--strategy cannot be {name}{did_you_mean(name, table)}; it is one of {', '.join(table)}")


def _option(key: str, kind: str) -> Option:
    known = options_for(kind)
    if key in known:
        return known[key]
    if any(key in options_for(other) for other in MODEL_KINDS):
        raise StrategyError(f"--{key} is not for {kind}s (their options are {', '.join(known)})")
    raise StrategyError(f"no such option: {key}{did_you_mean(key, known)} (there are {', '.join(known)})")


def _moved(strategy: Named, values: Mapping[str, Any], *, of_paper: bool) -> Named:
    """The strategy that has what is asked for: a sequence has no options, and each domain has strategies of its own."""
    if values and strategy.stages:
        strategy = STRATEGIES[SINGLE]
    if "domain" not in values:
        return strategy
    options = strategy.options
    own = _FAMILIES.get(options.domain, _PREDICATES) if isinstance(options, DomainOptions) else _PREDICATES
    wanted = _FAMILIES.get(values["domain"], _PREDICATES)
    return strategy if wanted is own else STRATEGIES[wanted[of_paper]]


def _said(asked: Named, strategy: Named, values: Mapping[str, Any]) -> str:
    if asked.stages:
        flags = [f"--{key}" for key in values]
        belong = f"{', '.join(flags)} {'belongs' if len(flags) == 1 else 'belong'} to single strategies"
    else:
        belong = f"--domain {values['domain'].word} belongs to other strategies"
    return f"{belong}: {strategy.name} instead of {asked.name}"


def _lacks(strategy: Named, option: Option) -> str:
    told = option.elsewhere if isinstance(strategy.options, DomainOptions) else ""
    return (told or "it has {options}").format(name=strategy.name, options=", ".join(strategy.options.declared()))

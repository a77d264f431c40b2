"""The configurations of an experiment: named strategies × lists of values for their options.

Paper 002, section 4.1.4: a parameter that does not apply to a strategy is left away there (the paper's NA; ``split``
means nothing to explicit values), so that two combinations may become one. A combination that is impossible is left
out, with the reason; where nothing is left the reason is an error.

Laws: no two configurations run the same strategy with the same options; no two have the same label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from argosy.basics.errors import UsageError
from argosy.frontends.registry import choose
from argosy.strategies import OPTIONS, STRATEGIES, StrategyError, configure
from argosy.strategies.networks import NETWORK_OPTIONS, NETWORK_STRATEGIES, NETWORKS, ZONES, configure_network

_KNOWN = {option.name for option in (*OPTIONS, *NETWORK_OPTIONS)}
# The parameters that the paper's Table 2 has come first, then the others.
PARAMETERS: tuple[str, ...] = (
    "strategy",
    *(
        name
        for name in ("domain", "max-enum", "granularity", "split", "refinement", "search", "prune", "initial-precision")
        if name in _KNOWN
    ),
)
PARAMETERS += tuple(dict.fromkeys(o.name for o in (*OPTIONS, *NETWORK_OPTIONS) if o.name not in PARAMETERS))


@dataclass(frozen=True, slots=True)
class Configuration:
    """A column of the matrix. ``options`` is what is asked for beside the name of the strategy, ``parameters`` all
    that it then has, ``strategy`` among them. ``programs`` and ``networks`` say what it can be run on."""

    label: str
    strategy: str
    options: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    programs: bool = True
    networks: bool = False

    @property
    def arguments(self) -> tuple[str, ...]:
        """As ``argosy verify`` takes them."""
        return ("--strategy", self.strategy, *(f"--{name}={value}" for name, value in self.options.items()))


@dataclass(frozen=True, slots=True)
class Matrix:
    """``impossible`` has a line for each combination that was left out."""

    configurations: tuple[Configuration, ...]
    impossible: tuple[str, ...] = ()


def matrix(strategies: Sequence[str], lists: Mapping[str, Sequence[str]] | None = None) -> Matrix:
    """Every strategy with every combination of values. A strategy is a name, or a name with options of its own,
    ``explicit:search=dfs:prune=full``, which the lists do not change. Raises ``UsageError``."""
    lists = lists or {}
    for name, values in lists.items():
        _check_values(name, values)
    candidates = [_parse(item) for item in strategies]
    found: dict[tuple[tuple[str, str], ...], Configuration] = {}
    refused: dict[str, str] = {}
    applied: set[str] = set()
    for item, (name, own) in zip(strategies, candidates, strict=True):
        free = [key for key in lists if key not in own]
        for values in product(*(lists[key] for key in free)):
            listed = dict(zip(free, values, strict=True))
            asked = {key: value for key, value in listed.items() if key in _options_of(name, {**listed, **own})}
            applied |= asked.keys()
            label = _label(item, name, asked, strategies, lists)
            try:
                configuration = _configuration(label, name, {**asked, **own})
            except StrategyError as error:
                if not listed:
                    raise UsageError(f"{item}: {error}") from None
                refused.setdefault(label, str(error))
            else:
                found.setdefault(tuple(configuration.parameters.items()), configuration)
    for key in lists:
        if key not in applied:
            raise UsageError(f"--{key}: none of the strategies has this option")
    if not found:
        raise UsageError("; ".join(dict.fromkeys(refused.values())) or "no strategy")
    return Matrix(_labelled(found.values()), tuple(f"{label}: {reason}" for label, reason in refused.items()))


def split_strategies(text: str) -> list[str]:
    """``A,B,C``. What follows a comma and is no strategy goes on with an option of the one before (``search=1,2``)."""
    items: list[str] = []
    for piece in text.split(","):
        if items and ":" in items[-1] and piece.partition(":")[0] not in (*STRATEGIES, *NETWORK_STRATEGIES):
            items[-1] += f",{piece}"
        else:
            items.append(piece)
    return items


def split_values(name: str, text: str) -> list[str]:
    """``A,B,C``, where a value may have a comma itself (weights, ``bfs,1,2,dfs``)."""
    accepts = [option.accepts for option in (*OPTIONS, *NETWORK_OPTIONS) if option.name == name]
    pieces = text.split(",")
    values: list[str] = []
    while pieces:
        pair = ",".join(pieces[:2])
        single = any(accept(pieces[0]) for accept in accepts)
        taken = 2 if not single and len(pieces) > 1 and any(accept(pair) for accept in accepts) else 1
        values.append(",".join(pieces[:taken]))
        del pieces[:taken]
    return values


def _check_values(name: str, values: Sequence[str]) -> None:
    tables = [option for option in (*OPTIONS, *NETWORK_OPTIONS) if option.name == name]
    if not tables:
        raise UsageError(f"no such option: --{name}")
    for value in values:
        if not any(option.accepts(value) for option in tables):
            choose(
                f"--{name}",
                value,
                list(dict.fromkeys(v.strip() for option in tables for v in option.values.split(","))),
            )


def _parse(item: str) -> tuple[str, dict[str, str]]:
    name, *settings = item.split(":")
    choose("--strategies", name, (*STRATEGIES, *NETWORKS))
    own = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--strategies: {item}: an option is written NAME=VALUE, not {setting}")
        _check_values(key, (value,))
        own[key] = value
    return name, own


def _options_of(name: str, options: Mapping[str, str]) -> Iterable[str]:
    """The options that the strategy has which such a choice leads to: a domain may lead to another strategy."""
    if name in NETWORKS:
        return NETWORKS[name].defaults
    named = STRATEGIES[name]
    try:
        if "domain" in options:
            named, _ = configure(name, {"domain": options["domain"]})
        if named.stages:
            # An option of a sequence of strategies asks for the one that has it.
            named, _ = configure(name, {"prune": "lazy"})
    except StrategyError:
        return options
    return {*named.defaults, *(ZONES.defaults if name in NETWORK_STRATEGIES else ())}


def _configuration(label: str, name: str, options: Mapping[str, str]) -> Configuration:
    parameters: dict[str, str] = {}
    problem = None
    programs = networks = False
    if name in STRATEGIES:
        try:
            named, filled = configure(name, options)
            programs, parameters = True, {"strategy": named.name, **filled}
        except StrategyError as error:
            problem = error
    if name in NETWORK_STRATEGIES:
        try:
            filled = configure_network(options, name)
            own = ZONES.name if name == "auto" else name
            networks, parameters = True, parameters or {"strategy": own, **filled}
        except StrategyError as error:
            problem = problem or error
    if not programs and not networks:
        assert problem is not None
        raise problem
    ordered = {key: parameters[key] for key in PARAMETERS if key in parameters}
    return Configuration(label, name, dict(options), ordered, programs, networks)


def _label(
    item: str, name: str, asked: Mapping[str, str], strategies: Sequence[str], lists: Mapping[str, Sequence[str]]
) -> str:
    """What tells a configuration from the others: the strategy where there are several, and values that vary."""
    varying = [value for key, value in asked.items() if len(lists[key]) > 1]
    if len(strategies) > 1 or ":" in item:
        return " ".join([item, *varying])
    return " ".join(varying or asked.values()) or name


def _labelled(configurations: Iterable[Configuration]) -> tuple[Configuration, ...]:
    counted: dict[str, int] = {}
    labelled = []
    for configuration in configurations:
        number = counted[configuration.label] = counted.get(configuration.label, 0) + 1
        label = configuration.label if number == 1 else f"{configuration.label} ({number})"
        labelled.append(replace(configuration, label=label))
    return tuple(labelled)

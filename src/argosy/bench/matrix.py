"""The configurations of an experiment: named strategies × lists of values for their options.

[Theta], section 4.1.4: a parameter that does not apply to a strategy is left away there (the paper's NA; ``split``
means nothing to explicit values), so that two combinations may become one. A combination that is impossible is left
out, with the reason; where nothing is left the reason is an error.

Laws: no two configurations run the same strategy with the same options; no two have the same label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from argosy.basics.choices import choose
from argosy.basics.errors import UsageError
from argosy.basics.records import dataclass, field, replace
from argosy.strategies import (
    MODEL_KINDS,
    STRATEGIES,
    Option,
    StrategyError,
    configure,
    option_names,
    options_for,
    strategies_for,
)

# The parameters that the paper's Table 2 has come first, then the others.
PARAMETERS: tuple[str, ...] = (
    "strategy",
    "domain",
    "max-enum",
    "granularity",
    "split",
    "refinement",
    "search",
    "prune",
    "initial-precision",
)
PARAMETERS += tuple(name for name in option_names() if name not in PARAMETERS)


@dataclass(frozen=True, slots=True)
class Configuration:
    """A column of the matrix. ``options`` is what is asked for beside the name of the strategy, ``parameters`` all
    that it then has, ``strategy`` among them. ``kinds`` are the kinds of models that it can be run on."""

    label: str
    strategy: str
    options: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    kinds: frozenset[str] = frozenset(MODEL_KINDS[:1])

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
        if items and ":" in items[-1] and piece.partition(":")[0] not in STRATEGIES:
            items[-1] += f",{piece}"
        else:
            items.append(piece)
    return items


def split_values(name: str, text: str) -> list[str]:
    """``A,B,C``, where a value may have a comma itself (weights, ``bfs,1,2,dfs``)."""
    accepts = [option.accepts for option in _called(name)]
    pieces = text.split(",")
    values: list[str] = []
    while pieces:
        pair = ",".join(pieces[:2])
        single = any(accept(pieces[0]) for accept in accepts)
        taken = 2 if not single and len(pieces) > 1 and any(accept(pair) for accept in accepts) else 1
        values.append(",".join(pieces[:taken]))
        del pieces[:taken]
    return values


def _called(name: str) -> list[Option]:
    """The options of that name, one for each kind of model that has it."""
    return [options_for(kind)[name] for kind in MODEL_KINDS if name in options_for(kind)]


def _check_values(name: str, values: Sequence[str]) -> None:
    tables = _called(name)
    if not tables:
        raise UsageError(f"no such option: --{name}")
    for value in values:
        if not any(option.accepts(value) for option in tables):
            choose(f"--{name}", value, dict.fromkeys(v.strip() for option in tables for v in option.values.split(",")))


def _parse(item: str) -> tuple[str, dict[str, str]]:
    name, *settings = item.split(":")
    choose("--strategies", name, STRATEGIES)
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
    named = STRATEGIES[name]
    found: dict[str, Option] = {}
    for kind in MODEL_KINDS:
        its = strategies_for(kind).get(name, named)
        if its is not named:
            found |= its.options.declared()
    try:
        if "domain" in options and named.kind == "program":
            named = configure(name, {"domain": options["domain"]}).strategy
        if named.stages:
            # An option of a sequence of strategies asks for the one that has it.
            named = configure(name, {"prune": "lazy"}).strategy
    except StrategyError:
        return options
    return {**named.options.declared(), **found}


def _configuration(label: str, name: str, options: Mapping[str, str]) -> Configuration:
    parameters: dict[str, str] = {}
    problem = None
    kinds = set()
    for kind in MODEL_KINDS:
        if name not in strategies_for(kind):
            continue
        try:
            chosen = configure(name, options, kind)
            kinds.add(kind)
            parameters = parameters or {"strategy": chosen.strategy.name, **chosen.options.to_strings()}
        except StrategyError as error:
            problem = problem or error
    if not kinds:
        assert problem is not None
        raise problem
    ordered = {key: parameters[key] for key in PARAMETERS if key in parameters}
    return Configuration(label, name, dict(options), ordered, frozenset(kinds))


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

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from argosy.strategies import OPTIONS, STRATEGIES, Option
from argosy.strategies.networks import NETWORK_OPTIONS


@dataclass(frozen=True, slots=True)
class Flag:
    name: str
    metavar: str
    help: str
    group: str


def flags() -> Iterator[Flag]:
    of_networks = {option.name: f"for networks {_advice(option)}" for option in NETWORK_OPTIONS}
    yield Flag("strategy", "NAME", ", ".join(STRATEGIES), "strategy")
    for option in OPTIONS:
        advice = "; ".join(filter(None, (_advice(option), of_networks.pop(option.name, None))))
        yield Flag(option.name, option.name.upper(), advice, "strategy")
    for name, advice in of_networks.items():
        yield Flag(name, name.upper(), advice, "networks")


def _advice(option: Option) -> str:
    return f"{option.values} ({option.default}): {option.advice}".replace("%", "%%")

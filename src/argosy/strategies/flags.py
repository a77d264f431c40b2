"""The flags of the command line that choose a strategy and its options, with their help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from argosy.basics.records import dataclass
from argosy.options.declared import Option
from argosy.strategies.configure import options_for
from argosy.strategies.table import MODEL_KINDS, READ_AS, strategies_for

# Under which heading of ``argosy verify --help`` an option stands that a kind of model has and those before it lack.
GROUPS: Mapping[str, str] = {"program": "strategy", "network": "networks", "system": "strategy", "clause": "strategy"}


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Flag:
    """``--name METAVAR``, with its help (as argparse wants it), in a group of ``--help``."""

    name: str
    metavar: str
    help: str
    group: str


def flags() -> Iterator[Flag]:
    """``--strategy``, and one for each option; what several kinds of models have is explained for each of them."""
    groups = {"strategy": GROUPS[MODEL_KINDS[0]]}
    said = {"strategy": [_of(kind, ", ".join(_its_own(kind, strategies_for))) for kind in MODEL_KINDS]}
    for kind in MODEL_KINDS:
        for name, option in _its_own(kind, options_for).items():
            group = groups.setdefault(name, GROUPS[kind])
            said.setdefault(name, []).append(_line(option) if group == GROUPS[kind] else _of(kind, _line(option)))
    for name, group in groups.items():
        metavar = "NAME" if name == "strategy" else name.upper()
        yield Flag(name, metavar, "; ".join(said[name]).replace("%", "%%"), group)


def _its_own(kind: str, table: Callable[[str], Mapping[str, T]]) -> dict[str, T]:
    """Without what a kind of model has in common with what it can be read as."""
    shared = table(READ_AS[kind]) if kind in READ_AS else {}
    return {name: value for name, value in table(kind).items() if name not in shared}


def _of(kind: str, text: str) -> str:
    return text if kind == MODEL_KINDS[0] else f"for {kind}s {'also ' if kind in READ_AS else ''}{text}"


def _line(option: Option) -> str:
    return f"{option.values} ({option.default}): {option.advice}"

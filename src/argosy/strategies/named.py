"""A strategy of the table: its name, when to choose it, what builds it and what it chooses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from argosy.basics.naming import named
from argosy.basics.records import dataclass, field
from argosy.options.declared import Options
from argosy.options.programs import DomainOptions
from argosy.options.values import Covered

if TYPE_CHECKING:
    from argosy.engine.protocols import Strategy
    from argosy.strategies.setting import Setting


Turn = tuple[str, float, int]
"""A strategy by its name, its share of the time that is left, and a number of expansions (0: any)."""


@dataclass(frozen=True, slots=True)
class Named:
    """``options`` are what it chooses, and their class says what can be chosen. ``builder`` is a function from a
    ``Setting``; searches in networks have none. ``stages`` makes it a sequence of others. ``beside`` are strategies
    that are tried at the same time where there are processors for them. ``contracts``: functions in a cycle of calls
    need not be copied for it."""

    name: str
    advice: str
    builder: str = ""
    options: Options = field(default_factory=Options)
    arithmetics: tuple[str, ...] = ("int", "bits")
    stages: tuple[Turn, ...] = ()
    beside: tuple[str, ...] = ()
    contracts: bool = False

    @property
    def kind(self) -> str:
        """The models that it is for."""
        return self.options.kind

    @property
    def defaults(self) -> Mapping[str, str]:
        """The options as they are written."""
        return self.options.to_strings()

    @property
    def ways(self) -> tuple[str, ...]:
        """The strategies that can be tried side by side, by their names."""
        return tuple(dict.fromkeys(part for part, _, _ in self.stages)) or (self.name, *self.beside)

    def build(self, setting: Setting[Any]) -> Strategy[Any, Any, Any]:
        strategy: Strategy[Any, Any, Any] = named(self.builder)(setting)
        options = setting.options
        if isinstance(options, DomainOptions) and (
            options.subsumption is not Covered.KEEP
            or options.precision is not None
            or options.save_precision is not None
        ):
            from argosy.strategies.subsumer import modified

            strategy = modified(strategy, setting)
        return strategy

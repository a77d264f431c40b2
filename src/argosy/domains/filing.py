"""Where states are filed that know the values of some slots: a coverer knows a part of what a state knows.

A state is filed under all it says: its location, the pattern of its known slots, and their values. What covers it is
found by one look-up for each pattern that occurs at its location; what it covers has a larger pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from operator import is_not, itemgetter
from typing import NamedTuple

from argosy.logic.semantics import Value

Values = tuple[Value, ...]
"""One entry per slot, None where nothing is known."""

_is_known = partial(is_not, None)


class Pattern(NamedTuple):
    """Some slots, and how their values are picked from those of a state."""

    slots: tuple[int, ...]
    pick: Callable[[Values], Values]

    @staticmethod
    def of(known: Sequence[bool]) -> Pattern:
        slots = tuple(slot for slot, its in enumerate(known) if its)
        if len(slots) > 1:
            return Pattern(slots, itemgetter(*slots))
        return Pattern(slots, lambda values: tuple(values[slot] for slot in slots))


class Filing:
    """The patterns that occur at each location and, where asked for, the values that are filed under each."""

    def __init__(self) -> None:
        self._patterns: dict[Hashable, dict[tuple[bool, ...], Pattern]] = {}
        self._filed: dict[tuple[Hashable, tuple[int, ...]], dict[Values, None]] | None = None

    def clear(self) -> None:
        """Nothing is filed under any pattern."""
        self._patterns.clear()

    def key(self, location: Hashable, values: Values) -> Hashable:
        """Where a state is filed."""
        known = tuple(map(_is_known, values))
        patterns = self._patterns.setdefault(location, {})
        pattern = patterns.get(known)
        if pattern is None:
            pattern = patterns[known] = Pattern.of(known)
        if self._filed is not None:
            self._filed.setdefault((location, pattern.slots), {})[values] = None
        return location, pattern.slots, pattern.pick(values)

    def shelters(self, location: Hashable, values: Values) -> Iterable[Hashable]:
        """Where the states are filed that know a part of what this one knows."""
        for slots, pick in self._patterns.get(location, {}).values():
            picked = pick(values)
            if None not in picked:
                yield location, slots, picked

    def remember(self) -> None:
        """From now on, so that ``sheltered`` can be asked."""
        self._filed = {}

    def sheltered(self, location: Hashable, values: Values) -> Iterable[Hashable]:
        """What is covered knows all that this state knows, and more: only larger patterns are looked through."""
        assert self._filed is not None
        known = {slot for slot, value in enumerate(values) if value is not None}
        for pattern in self._patterns.get(location, {}).values():
            if len(pattern.slots) > len(known) and known.issubset(pattern.slots):
                filed = self._filed.get((location, pattern.slots), ())
                yield from ((location, pattern.slots, pattern.pick(other)) for other in filed)


def knows_less(old: Values, new: Values) -> bool:
    """Whether ``new`` knows all that ``old`` knows."""
    return all(o is None or o == n for o, n in zip(old, new, strict=True))

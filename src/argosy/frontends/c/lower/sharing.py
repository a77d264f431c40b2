"""Functions that have one body for all their calls, where a copy for each call would be too much.

A *shared body* is entered by an assignment to the *return point* of the function, a variable of the model that is no
variable of the text: each call sets it to a number of its own. Where the body ends, control goes on behind the call
whose number it is.

Law: this is exact as long as at most one call of the function is active. All calls have the same variables, copied or
not, so that they differ in where control goes back to and in nothing else. A function outside of cycles of calls has no
two active calls. Of one in a cycle ``inline`` models one active call where programs are large (deeper ones may reach
the error): its return point is 0 as long as it is not active, which a call can see. Then the whole cycle is shared, so
that every function in it can.

Which bodies are shared is a matter of sizes alone: where the copies of all calls are few, none is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from argosy.basics.records import dataclass, field
from argosy.frontends.c.lower.graph import Call, Template
from argosy.models.order import components

SMALL = 100_000
"""So many edges may be copies. Shared bodies are merged contexts, which an analysis has to tell apart by their return
points, so that copies are better as long as reading, reducing and certifying them takes seconds."""

ENOUGH = 40_000
"""Where they are more, bodies are shared until so many edges are left: 3,000 lines that call much take a third of the
time that they take with 100,000."""

_ROUNDS = 64

# What a call of a shared body costs: it sets the return point, and control comes back; a guarded one asks and resets.
_CALL, _GUARDED_CALL = 2, 5


@dataclass(frozen=True, slots=True)
class Sharing:
    """``bodies`` are the functions that are shared. ``cycles`` numbers the cycles of calls: a function in one may be
    called by others of it while it is active."""

    bodies: frozenset[str] = frozenset()
    cycles: Mapping[str, int] = field(default_factory=dict)


NOTHING_SHARED = Sharing()


def sharing(templates: Mapping[str, Template], start: str, most: int) -> Sharing:
    """What to share so that at most ``most`` edges are left, as far as that can be: whatever saves most comes first.
    What is called from one place only is a copy anyway; so is what is smaller than a call, unless ``most`` is 0."""
    return _Sizes(templates, start).shared(most)


def sites(templates: Mapping[str, Template]) -> dict[str, list[str]]:
    """The functions that each one calls, once for each call in its template."""
    return {
        name: [step.action.function for step in template.steps if isinstance(step.action, Call)]
        for name, template in templates.items()
    }


class _Sizes:
    """``order`` has callees before their callers, but for those in cycles; these are shared from the beginning."""

    def __init__(self, templates: Mapping[str, Template], start: str) -> None:
        self._start = start
        self._calls = sites(templates)
        self._own = {name: sum(not step.marks for step in t.steps) for name, t in templates.items()}
        found: Sequence[list[str]] = components([start], self._calls.__getitem__, None)
        self._order = [name for component in found for name in component]
        cyclic = [c for c in found if len(c) > 1 or c[0] in self._calls[c[0]]]
        self._cycles = {name: number for number, component in enumerate(cyclic) for name in component}
        self._places: dict[str, int] = {}
        for name in self._order:
            for callee in self._calls[name]:
                self._places[callee] = self._places.get(callee, 0) + 1

    def shared(self, most: int) -> Sharing:
        bodies, cost = set(self._cycles), _CALL if most else 0
        while True:
            sizes = self._sizes(bodies)
            copies = self._copies(bodies)
            if sum(sizes[name] for name in self._order if name in bodies or name == self._start) <= most:
                break
            savings = {
                name: sizes[name] * (copies[name] - 1) - cost * copies[name]
                for name, places in self._places.items()
                if places > 1 and name not in bodies
            }
            candidates = [name for name in savings if savings[name] > 0]
            if not candidates:
                break
            # Some at once where functions are thousands.
            candidates.sort(key=savings.__getitem__, reverse=True)
            bodies.update(candidates[: 1 + len(savings) // _ROUNDS])
        return Sharing(frozenset(bodies), self._cycles)

    def _sizes(self, bodies: set[str]) -> dict[str, int]:
        """Each function with all that is copied into it."""
        sizes: dict[str, int] = {}
        for name in self._order:
            size = self._own[name]
            for callee in self._calls[name]:
                if callee in bodies:
                    size += _GUARDED_CALL if callee in self._cycles else _CALL
                else:
                    size += sizes[callee]
            sizes[name] = size
        return sizes

    def _copies(self, bodies: set[str]) -> dict[str, int]:
        """How often each function is there."""
        copies = {name: int(name in bodies or name == self._start) for name in self._order}
        for name in reversed(self._order):
            for callee in self._calls[name]:
                if callee not in bodies:
                    copies[callee] += copies[name]
        return copies

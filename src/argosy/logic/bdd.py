"""Regions: boolean combinations of predicates, kept as binary decision diagrams.

A ``Region`` is canonical: two regions of one ``Regions`` are equal exactly when they are the same function of the
predicates, so they can be dictionary keys, and ``<=`` is inclusion. A predicate is any boolean term; it becomes a
variable of the diagrams when it is first mentioned, at any time. The diagrams know nothing about what predicates
mean: ``x < 1`` and ``x < 2`` are independent here.

The package is oxidd, its diagrams those with complement edges (negation is free).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from operator import itemgetter
from typing import Any

from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import postorder

_level = itemgetter(0)
_REMEMBERED = 100_000  # nodes whose formulas are kept; they keep the nodes alive, too


class RegionsFull(Exception):
    """The diagrams outgrew their limit. Fewer predicates, or a cartesian abstraction, need less."""


class Region:
    """A set of valuations of the predicates. Created by ``Regions`` and by the operators ``&``, ``|``, ``~``."""

    __slots__ = ("_regions", "_function")

    def __init__(self, regions: Regions, function: Any) -> None:
        self._regions = regions
        self._function = function

    def __and__(self, other: Region) -> Region:
        return self._regions._apply(lambda: self._function & other._function)

    def __or__(self, other: Region) -> Region:
        return self._regions._apply(lambda: self._function | other._function)

    def __invert__(self) -> Region:
        return self._regions._apply(lambda: ~self._function)

    def __le__(self, other: Region) -> bool:
        """Inclusion: a partial order."""
        return bool((self & other)._function == self._function)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Region) and self._function == other._function

    def __hash__(self) -> int:
        return hash(self._function)

    @property
    def is_true(self) -> bool:
        return bool(self._function.valid())

    @property
    def is_false(self) -> bool:
        return not self._function.satisfiable()

    def __len__(self) -> int:
        """The nodes of the diagram."""
        return int(self._function.node_count())

    def __repr__(self) -> str:
        return f"Region({self._regions.to_term(self)!r})"


@cache
def _library() -> Any:
    """The compiled part of the package. The package around it asks for its own version number when it is loaded, which
    takes ten times as long: a parser of mails reads that."""
    package = find_spec("oxidd")
    where = package.submodule_search_locations if package is not None else None
    native = PathFinder.find_spec("oxidd._oxidd", where) if where is not None else None
    if native is None or native.loader is None:
        return import_module("oxidd.bcdd")
    module = module_from_spec(native)
    native.loader.exec_module(module)
    return module


# Seconds before each new attempt at an operation for which there was no room.
_PAUSES = (0.0, 0.001, 0.01, 0.1)


class Regions:
    """The regions over the predicates of one ``Terms``. At most ``nodes`` nodes are alive at a time."""

    def __init__(self, terms: Terms, nodes: int = 1 << 22) -> None:
        self.terms = terms
        self._manager: Any = _library().BCDDManager(nodes, min(nodes, 1 << 20), 1)
        self._predicates: list[Term] = []
        self._literals: dict[Term, tuple[int, Any, Any]] = {}
        self._hidden: dict[tuple[Term, ...], Region] = {}
        self._formulas: dict[Any, Term] = {}
        self.true = Region(self, self._manager.true())
        self.false = Region(self, self._manager.false())

    def _apply(self, operation: Callable[[], Any]) -> Region:
        """The result of ``operation``, after making room for it where there is none.

        The library collects in a thread of its own as well: ``gc`` does nothing while that one runs, and what it frees
        is not to be had before it has ended. So that whether a region fits does not depend on the machine's load, it
        gets time to end.
        """
        for pause in _PAUSES:
            try:
                return Region(self, operation())
            except MemoryError:
                time.sleep(pause)
                self._manager.gc()
        try:
            return Region(self, operation())
        except MemoryError as error:
            raise RegionsFull(f"more than {self._manager.num_inner_nodes()} nodes of decision diagrams") from error

    def predicate(self, predicate: Term) -> Region:
        """The valuations in which ``predicate`` holds. A negation is the complement of its argument's region."""
        if predicate.op == "not":
            return ~self.predicate(predicate.args[0])
        if predicate.op == "const":
            return self.true if predicate.value else self.false
        return Region(self, self._literal(predicate)[1])

    def _literal(self, predicate: Term) -> tuple[int, Any, Any]:
        """The level of a predicate's variable, the valuations in which it holds, and the others."""
        known = self._literals.get(predicate)
        if known is None and predicate.op in ("not", "const"):
            region = self.predicate(predicate)
            known = region._function.node_level() or 0, region._function, (~region)._function
        elif known is None:
            assert predicate.sort is BOOL
            (index,) = self._manager.add_vars(1)
            region = self._apply(lambda: self._manager.var(index))
            known = self._literals[predicate] = index, region._function, (~region)._function
            self._predicates.append(predicate)
        return known

    def from_cube(self, cube: Mapping[Term, bool]) -> Region:
        """The conjunction of literals."""
        literals = [(*self._literal(predicate), value) for predicate, value in cube.items()]
        # Deepest variable first: each conjunction then adds one node on top.
        literals.sort(key=_level, reverse=True)

        def conjunction() -> Any:
            result = self.true._function
            for _, positive, negative, value in literals:
                result = result & (positive if value else negative)
            return result

        return self._apply(conjunction)

    def from_rows(self, predicates: Sequence[Term], rows: Iterable[Sequence[bool | None]]) -> Region:
        """The union of cubes as ``Solver.all_sat`` gives them: a value for each predicate, or None."""
        positive = [self.predicate(p) for p in predicates]
        negative = [~region for region in positive]
        # Deepest variable first: each conjunction then adds one node on top.
        order = sorted(range(len(predicates)), key=lambda i: positive[i]._function.node_level() or 0, reverse=True)
        layer = []
        for row in rows:
            cube = self.true
            for i in order:
                if row[i] is not None:
                    cube = cube & (positive[i] if row[i] else negative[i])
            layer.append(cube)
        return self.union(layer)

    def union(self, regions: Iterable[Region]) -> Region:
        """In pairs, so that no intermediate result is needlessly large."""
        layer = list(regions)
        while len(layer) > 1:
            pairs = [a | b for a, b in zip(layer[::2], layer[1::2], strict=False)]
            layer = pairs + layer[len(layer) - len(layer) % 2 :]
        return layer[0] if layer else self.false

    def from_term(self, term: Term) -> Region:
        """``term`` read as a boolean combination of its atoms."""
        known: dict[Term, Region] = {}
        for sub in postorder(term):
            if sub.sort is not BOOL:
                continue
            match sub.op:
                case "not":
                    known[sub] = ~known[sub.args[0]]
                case "and":
                    result = known[sub.args[0]]
                    for arg in sub.args[1:]:
                        result = result & known[arg]
                    known[sub] = result
                case "or":
                    known[sub] = self.union(known[arg] for arg in sub.args)
                case "=" if sub.args[0].sort is BOOL:
                    a, b = (known[arg]._function for arg in sub.args)
                    known[sub] = self._apply(lambda a=a, b=b: a.equiv(b))  # type: ignore[misc]
                case _:
                    known[sub] = self.predicate(sub)
        return known[term]

    def exists(self, region: Region, predicates: Iterable[Term]) -> Region:
        """The valuations that are in ``region`` for some values of ``predicates``."""
        key = tuple(predicates)
        hidden = self._hidden.get(key)
        if hidden is None:
            hidden = self._hidden[key] = self.from_cube(dict.fromkeys(key, True))
        return self._apply(lambda: region._function.exists(hidden._function))

    def support(self, region: Region) -> tuple[Term, ...]:
        """The predicates that ``region`` depends on, oldest first."""
        found = {function.node_var() for function in self._nodes(region)}
        return tuple(self._predicates[index] for index in sorted(found))

    def cubes(self, region: Region) -> Iterator[dict[Term, bool]]:
        """Disjoint conjunctions of literals whose union is ``region``."""
        stack: list[tuple[Any, dict[Term, bool]]] = [(region._function, {})]
        while stack:
            function, cube = stack.pop()
            parts = function.cofactors()
            if parts is None:
                if function.valid():
                    yield cube
                continue
            predicate = self._predicates[function.node_var()]
            stack.append((parts[1], cube | {predicate: False}))
            stack.append((parts[0], cube | {predicate: True}))

    def to_term(self, region: Region) -> Term:
        """A formula with one subformula for each node of the diagram."""
        known = self._formulas
        if len(known) > _REMEMBERED:
            known.clear()
        for function in self._nodes(region, known):
            predicate = self._predicates[function.node_var()]
            high, low = (self._leaf(part) or known[part] for part in function.cofactors())
            known[function] = _choice(self.terms, predicate, high, low)
        return self._leaf(region._function) or known[region._function]

    def _leaf(self, function: Any) -> Term | None:
        if function.node_var() is not None:
            return None
        return self.terms.boolean(function.valid())

    def _nodes(self, region: Region, known: Container[Any] = ()) -> Iterator[Any]:
        """The inner nodes, as functions, below before above; not those at or below ``known`` ones."""
        seen: set[Any] = set()
        stack: list[tuple[Any, bool]] = [(region._function, False)]
        while stack:
            function, done = stack.pop()
            if done:
                yield function
            elif function not in seen and function not in known:
                seen.add(function)
                parts = function.cofactors()
                if parts is not None:
                    stack.append((function, True))
                    stack.extend((part, False) for part in parts)


def _choice(terms: Terms, predicate: Term, high: Term, low: Term) -> Term:
    """``high`` where the predicate holds, ``low`` elsewhere, said as briefly as possible."""
    if high is terms.false:
        return terms.and_(terms.not_(predicate), low)
    if low is terms.false:
        return terms.and_(predicate, high)
    if high is terms.true:
        return terms.or_(predicate, low)
    if low is terms.true:
        return terms.or_(terms.not_(predicate), high)
    return terms.ite(predicate, high, low)

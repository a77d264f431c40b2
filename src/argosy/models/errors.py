"""From a model in which everything that may be an error is marked to the automaton of one property.

A front end marks calls, labels and assertions on the edges, and keeps as ``checks`` what its language leaves undefined.
``with_errors`` makes the automaton in which what a property selects leads to the error; everything else ends or goes on
as the language says. An edge that enters the error without a mark stands for something that is not modelled: it enters
the error under every property.

Laws: an execution of the selected automaton reaches the error iff an execution of the marked one takes an edge with a
selected mark, or meets an undefined operation of a selected kind, before it meets another error or leaves the language
otherwise. ``only(cfa, sites(cfa))`` reaches the error iff ``cfa`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from argosy.basics.position import Position
from argosy.basics.records import dataclass, replace
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assume, Cfa, Check, Edge, Location, Mark, read, written
from argosy.models.kinds import Errors as Errors
from argosy.models.kinds import Marked, Undefined


@dataclass(frozen=True, slots=True)
class Site:
    """A place of the source at which a property can be violated; all inlined copies of a place are one."""

    kind: Marked | Undefined
    position: Position
    text: str


def with_errors(cfa: Cfa, errors: Errors) -> Cfa:
    """The automaton whose error is what ``errors`` selects among the marks and checks of ``cfa``."""
    selection = _Selection(cfa, errors)
    selection.redirect()
    selection.contract()
    selection.add_operations()
    return selection.cfa()


def sites(cfa: Cfa) -> tuple[Site, ...]:
    """The distinct places whose edges enter the error, in the order of the source."""
    found = {_site(mark) for edge in cfa.edges if edge.target is cfa.error for mark in edge.marks}
    return tuple(sorted(found, key=_place))


def sites_of(edge: Edge) -> tuple[Site, ...]:
    """The places that an edge into the error stands for."""
    return tuple(_site(mark) for mark in edge.marks)


def _place(site: Site) -> tuple[str, int, int, str, str]:
    return (site.position.file, site.position.line, site.position.column, site.kind.value, site.text)


def only(cfa: Cfa, sites: Iterable[Site]) -> Cfa:
    """Only these sites are errors: at the others the execution ends. The locations stay the same."""
    wanted = frozenset(sites)

    def stays(edge: Edge) -> bool:
        return edge.target is not cfa.error or not edge.marks or any(_site(mark) in wanted for mark in edge.marks)

    return replace(cfa, edges=tuple(filter(stays, cfa.edges)))


def entered(cfa: Cfa, errors: Errors) -> frozenset[str]:
    """The functions that a marked automaton may enter without an error of this selection on the way."""
    found: set[str] = set()
    stack, seen = [cfa.initial], {cfa.initial}
    while stack:
        for edge in cfa.leaving[stack.pop()]:
            if any(errors.selects(mark.kind, mark.name) for mark in edge.marks):
                continue
            found.update(mark.name for mark in edge.marks if mark.kind is Marked.CALL)
            if edge.target not in seen:
                seen.add(edge.target)
                stack.append(edge.target)
    return frozenset(found)


def _site(mark: Mark) -> Site:
    return Site(mark.kind, mark.position, mark.text)


@dataclass(frozen=True, slots=True)
class _Failure:
    """A check of a kind that may fail first, when it does."""

    kind: Undefined
    condition: Term
    check: Check


class _Selection:
    """One selection on its way. Locations that become one are kept in ``_parents``; the checks that wait for the edges
    which leave such a location are in ``_waiting``."""

    def __init__(self, cfa: Cfa, errors: Errors) -> None:
        self._cfa = cfa
        self._errors = errors
        self._edges = list(cfa.edges)
        self._passed: list[Edge] = []
        self._parents: dict[Location, Location] = {}
        self._waiting: dict[Location, tuple[Check, ...]] = {}
        self._conditions: dict[tuple[Check, ...], list[_Failure]] = {}

    def _find(self, location: Location) -> Location:
        parents = self._parents
        while location in parents:
            above = parents[location]
            if above in parents:
                parents[location] = parents[above]
            location = above
        return location

    # ---- marks --------------------------------------------------------------------------------------------

    def redirect(self) -> None:
        """Edges with a selected mark enter the error."""
        error, true = self._cfa.error, self._cfa.terms.true
        for index, edge in enumerate(self._edges):
            if edge.marks:
                chosen = tuple(mark for mark in edge.marks if self._errors.selects(mark.kind, mark.name))
                if chosen or edge.target is error:
                    self._edges[index] = replace(edge, marks=chosen, target=error)
                elif isinstance(edge.operation, Assume) and edge.operation.condition is true:
                    self._passed.append(edge)

    def contract(self) -> None:
        """Edges that were there for their marks alone go, where no other edge leaves their source."""
        leaving: dict[Location, int] = {}
        for edge in self._edges:
            leaving[edge.source] = leaving.get(edge.source, 0) + 1
        alone = [edge for edge in self._passed if leaving[edge.source] == 1 and edge.source is not self._cfa.error]
        plain = [edge for edge in alone if not edge.checks]
        for edge in plain:
            source, target = self._find(edge.source), self._find(edge.target)
            if source is not target:
                self._parents[source] = target
        gone = set(plain)
        gone |= self._contract_checks([edge for edge in alone if edge.checks], gone)
        self._edges = [edge for edge in self._edges if edge not in gone]

    def _contract_checks(self, candidates: Sequence[Edge], gone: set[Edge]) -> set[Edge]:
        """Checks on an edge that does nothing else may be met on the edges behind it, if these have no other way to
        be reached."""
        entering: dict[Location, int] = {self._find(self._cfa.initial): 1}
        leaving: set[Location] = set()
        for edge in self._edges if candidates else ():
            if edge not in gone:
                target = self._find(edge.target)
                entering[target] = entering.get(target, 0) + 1
                leaving.add(self._find(edge.source))
        found = set()
        for edge in candidates:
            source, target = self._find(edge.source), self._find(edge.target)
            if source is not target and entering[target] == 1 and target in leaving:
                checks = (*self._waiting.pop(source, ()), *edge.checks, *self._waiting.pop(target, ()))
                entering[target] = entering.get(source, 0)
                self._parents[source] = target
                self._waiting[target] = checks
                found.add(edge)
        return found

    # ---- undefined operations -----------------------------------------------------------------------------

    def add_operations(self) -> None:
        """An edge to the error where an operation of a selected kind comes before any other undefined one."""
        if self._waiting:
            self._edges = [self._with_waiting(edge) for edge in self._edges]
        if not self._errors.operations and not any(c.doubt is not None for e in self._edges for c in e.checks):
            return
        seen: set[tuple[Location, tuple[Check, ...]]] = set()
        for edge in list(self._edges):
            key = (self._find(edge.source), edge.checks)
            if edge.checks and key not in seen:
                seen.add(key)
                self._edges.extend(self._failures(edge))

    def _with_waiting(self, edge: Edge) -> Edge:
        waiting = self._waiting.get(self._find(edge.source))
        return replace(edge, checks=(*waiting, *edge.checks)) if waiting else edge

    def _kind(self, check: Check) -> Undefined | None:
        """The selected kind that a check is of."""
        if check.doubt is not None:
            # Nothing is proved of what may be wrong, whatever is asked.
            return check.kind
        if not self._errors.selects(check.kind):
            return None
        overflow = check.kind is Undefined.QUOTIENT and self._errors.selects(Undefined.SIGNED_OVERFLOW)
        return Undefined.SIGNED_OVERFLOW if overflow else check.kind

    def _failures(self, edge: Edge) -> Iterator[Edge]:
        if edge.checks not in self._conditions:
            self._conditions[edge.checks] = list(self._failing(edge.checks))
        for failure in self._conditions[edge.checks]:
            kind, position = failure.kind, failure.check.position
            check = failure.check
            said = check.what or edge.text
            text = f"{_WORDS.get(kind, kind.value)} in {said}"
            mark = Mark(kind, "", position, said, check.about, check.size, check.places)
            # Where nobody knows whether the operation is defined there is no mark: nothing is blamed on it.
            marks = (mark,) if failure.check.doubt is None else ()
            yield Edge(edge.source, self._cfa.error, Assume(failure.condition), position, text, marks=marks)

    def _failing(self, checks: Sequence[Check]) -> Iterator[_Failure]:
        """For each selected kind when it is the first to fail, and where it may fail first. What is followed, and what
        is in doubt, is kept apart."""
        terms = self._cfa.terms
        kinds = [self._kind(check) for check in checks]
        groups = [
            None if kind is None else (kind, check.doubt, check.about)
            for kind, check in zip(kinds, checks, strict=True)
        ]
        for group in dict.fromkeys(groups):
            if group is None:
                continue
            defined: list[Term] = []
            failures: list[Term] = []
            for own, check in zip(groups, checks, strict=True):
                if own == group:
                    failures.append(terms.conjunction((*defined, terms.not_(check.condition))))
                else:
                    defined.append(check.condition)
            condition = terms.disjunction(failures)
            first = checks[groups.index(group)]
            if first.doubt is not None:
                condition = terms.and_(condition, terms.eq(first.doubt, terms.bv(1, 1)))
            if condition is not terms.false:
                yield _Failure(group[0], condition, first)

    # ---- the automaton ------------------------------------------------------------------------------------

    def cfa(self) -> Cfa:
        """What control can reach, in depth-first order, with new locations."""
        given, find = self._cfa, self._find
        leaving: dict[Location, list[Edge]] = {}
        for edge in self._edges:
            leaving.setdefault(find(edge.source), []).append(edge)
        initial = find(given.initial)
        order, used = [initial], list[Edge]()
        seen = {initial}
        stack = [iter(leaving.get(initial, ()))]
        while stack:
            for edge in stack[-1]:
                used.append(edge)
                target = find(edge.target)
                if target not in seen:
                    seen.add(target)
                    order.append(target)
                    stack.append(iter(leaving.get(target, ())))
                    break
            else:
                stack.pop()
        if given.error not in seen:
            order.append(given.error)
        new = self._locations(order)
        mentioned = _mentioned(used)
        edges = tuple(
            Edge(
                new[find(edge.source)],
                new[find(edge.target)],
                edge.operation,
                edge.position,
                edge.text,
                edge.checks,
                edge.choice,
                edge.trail,
                edge.marks if edge.target is given.error else (),
            )
            for edge in used
        )
        return replace(
            given,
            initial=new[initial],
            error=new[given.error],
            locations=tuple(new.values()),
            edges=edges,
            variables=tuple(variable for variable in given.variables if variable.term in mentioned),
            opaque={term: refusal for term, refusal in given.opaque.items() if term in mentioned},
        )

    def _locations(self, order: Sequence[Location]) -> Mapping[Location, Location]:
        labels: dict[Location, str] = {}
        loops: dict[Location, tuple[int, ...]] = {}
        for location in self._cfa.locations:
            if location.label:
                labels.setdefault(self._find(location), location.label)
            if location.loops:
                at = self._find(location)
                loops[at] = (*loops.get(at, ()), *location.loops)
        return {
            at: Location(index, at.function, at.position, labels.get(at, ""), at.origin, at.depth, loops.get(at, ()))
            for index, at in enumerate(order)
        }


_WORDS = {Undefined.SIGNED_OVERFLOW: "overflow", Undefined.SHIFT: "bad shift"}


def _mentioned(edges: Iterable[Edge]) -> set[Term]:
    """The variables of some edges. Inlined copies share their operations and checks, which are looked at once."""
    found: set[Term] = set()
    seen: set[int] = set()
    for edge in edges:
        if id(edge.operation) not in seen:
            seen.add(id(edge.operation))
            found.update(written(edge.operation), read(edge.operation))
        if edge.checks and id(edge.checks) not in seen:
            seen.add(id(edge.checks))
            found.update(*(variables(check.condition) for check in edge.checks))
    return found

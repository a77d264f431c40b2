"""What a certified SAFE rests on, as obligations: formulas that must be unsatisfiable, each with the words for it.

A proof has parts. Lemmas are inductive; edges that a lemma excludes are never taken; and then one of: the claims at the
cut points are inductive and exclude the error (*invariant*); no execution reaches the error within n loop heads, and
none passes more (*unwinding*); none does within k loop heads, and none does from any loop head after exactly k
(*k-induction*). Law: if all obligations of all parts are unsatisfiable, no execution of the model as read reaches the
error, unless it violates a check first that is no signed overflow, or a signed overflow that is ``assumed``.

A part also says where its executions could violate a check (``doubts``), for ``certify.assumptions``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Protocol

from argosy.basics.records import dataclass, replace
from argosy.certify.instances import MOST
from argosy.certify.passage import Guards, Node, Passage, Reach, Taken, place, towards
from argosy.certify.plain import (
    TRUE,
    Assert,
    Comment,
    Declare,
    Define,
    ForAll,
    Formula,
    Instance,
    Name,
    Names,
    Statement,
    both,
    either,
    negated,
)
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assume, Cfa, Check, Edge, Location


@dataclass(frozen=True, slots=True)
class Obligation:
    """``formula`` must have no model together with the statements of its scope."""

    shows: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class Scope:
    """Obligations about the same executions."""

    about: str
    statements: Sequence[Statement]
    obligations: Sequence[Obligation]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Under ``statements``: which of the checks can be violated?"""

    statements: Sequence[Statement]
    violations: Sequence[tuple[Check, Formula]]


class ProofPart(Protocol):
    def scopes(self, names: Names, guards: Guards) -> Iterator[Scope]: ...
    def doubts(
        self, names: Names, guards: Guards, inside: Collection[Location], is_over: Callable[[], bool]
    ) -> Iterator[Doubt]:
        """Where executions that stay ``inside`` could violate a check. When the time ``is_over``, whatever is left may
        be violated, and no formulas are made for it."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """The ``parts`` come before the ``main`` one, which excludes the error. ``assumed`` are the checks for signed
    overflow that every part takes to hold. ``inside`` are the locations of the model of the main part from which an
    execution as read may yet get to the error; ``uncovered`` are other checks there, to which the part does not get."""

    as_read: Cfa
    kind: str
    depth: int
    parts: Sequence[ProofPart]
    main: ProofPart
    inside: Collection[Location]
    assumed: Collection[Check] = ()
    uncovered: Collection[Check] = ()

    def scopes(self, names: Names) -> Iterator[Scope]:
        for part in (*self.parts, self.main):
            yield from part.scopes(names, Guards(self.assumed))


@dataclass(frozen=True, slots=True, eq=False)
class InductiveClaims:
    """At each cut of ``reach`` the states are in the union of its claims, for all values of the ``bound`` variables.
    Such a claim is asserted of all of them and, since that follows and spares a solver the search, of those at which a
    step reads or writes an array; it is denied of the values that the bound variables have in the passage."""

    title: str
    reach: Reach
    claims: Mapping[Location, Sequence[Term]]
    bound: tuple[Term, ...] = ()

    def scopes(self, names: Names, guards: Guards) -> Iterator[Scope]:
        for source in self._sources():
            steps = self.reach.steps((source,), 1)
            targets = [node for node in dict.fromkeys(step.target for step in steps) if self._says(node)]
            if targets:
                passage = self._passage(names, guards, source, towards(steps, targets))
                claimed = [Instance(claim, passage.values[0, source]) for claim in self.claims[source]]
                yield Scope(
                    f"{self.title}: from {place(source)} to the next cut points",
                    [*passage.statements, Assert(either(*claimed)), *self._for_all(names, passage, source)],
                    [self._obligation(passage, source, target) for target in targets],
                )

    def doubts(
        self, names: Names, guards: Guards, inside: Collection[Location], is_over: Callable[[], bool]
    ) -> Iterator[Doubt]:
        wider = replace(self.reach, inside=inside)
        for source in self._sources():
            steps = wider.steps((source,), 1)
            asked = _checked(steps, guards)
            if asked and is_over():
                yield Doubt((), _all_checks(asked, guards))
            elif asked:
                passage = self._passage(names, guards, source, towards(steps, {s.source for s in asked}), asked)
                claimed = [Instance(claim, passage.values[0, source]) for claim in self.claims[source]]
                yield Doubt([*passage.statements, Assert(either(*claimed))], _violations(passage, asked))

    def _for_all(self, names: Names, passage: Passage, source: Location) -> Iterator[Statement]:
        """The claims of the source for all values of the bound variables, and for some of them."""
        claims = self.claims[source]
        used = frozenset().union(*map(variables, claims))
        bound = [variable for variable in self.bound if variable in used]
        if not bound:
            return
        values = passage.values[0, source]

        def claimed(own: Mapping[Term, Name]) -> Formula:
            return either(*(Instance(claim, {**values, **own}) for claim in claims))

        every = {variable: names.new(variable.name, variable.sort) for variable in bound}
        yield Comment("what is claimed holds for all values")
        yield Assert(ForAll(tuple(every.values()), claimed(every)))
        places: dict[Sort, list[Name]] = {variable.sort: [] for variable in bound}
        for index, read in passage.indices():
            if index.sort in places:
                name = names.new("index", index.sort)
                places[index.sort].append(name)
                yield Define(name, Instance(index, read))
        choices = product(*([values[variable], *places[variable.sort]] for variable in bound))
        for choice in islice(choices, 1, MOST):
            yield Assert(claimed(dict(zip(bound, choice, strict=True))))

    def _sources(self) -> list[Location]:
        some = (location for location, claims in self.claims.items() if claims)
        return sorted(some, key=lambda location: location.index)

    def _says(self, node: Node) -> bool:
        claims = self.claims.get(node[1]) if node[0] else None
        return claims is not None and not any(claim.is_const and claim.value for claim in claims)

    def _passage(
        self, names: Names, guards: Guards, source: Location, steps: Sequence[Taken], asked: Sequence[Taken] = ()
    ) -> Passage:
        def wanted(node: Node) -> Iterator[Term]:
            # Before the first step the source's own claims are assumed, after the last those of a target are denied.
            for claim in self.claims.get(node[1], ()) if node[0] or node[1] is source else ():
                yield from variables(claim)

        return Passage(names, self.reach.cfa, guards, [*steps, *_others(asked, steps)], ((0, source),), wanted)

    def _obligation(self, passage: Passage, source: Location, target: Node) -> Obligation:
        location = target[1]
        inside = [Instance(claim, passage.values[target]) for claim in self.claims[location]]
        if location is self.reach.cfa.error:
            shows = f"the error is not reached from {place(source)}"
        elif not inside:
            shows = f"{place(location)} is not reached from {place(source)}"
        elif source is self.reach.cfa.initial:
            shows = f"initiation: what is claimed at {place(location)} holds on arrival from the start"
        else:
            shows = f"consecution: what is claimed at {place(location)} holds on arrival from {place(source)}"
        return Obligation(shows, both(passage.reached(target), negated(either(*inside))))


@dataclass(frozen=True, slots=True, eq=False)
class ExcludedEdges:
    """Edges whose conditions contradict the lemma at their source."""

    lemmas: Mapping[Edge, Term]

    def scopes(self, names: Names, guards: Guards) -> Iterator[Scope]:
        for edge, lemma in self.lemmas.items():
            assert isinstance(edge.operation, Assume)
            read = variables(lemma) | variables(edge.operation.condition)
            values = {v: names.new(v.name, v.sort) for v in sorted(read, key=lambda v: v.id)}
            taken = both(Instance(lemma, values), Instance(edge.operation.condition, values))
            shows = f"the lemma at {place(edge.source)} excludes {edge.position} {edge.text}"
            yield Scope("excluded edges", [Declare(name) for name in values.values()], [Obligation(shows, taken)])

    def doubts(
        self, names: Names, guards: Guards, inside: Collection[Location], is_over: Callable[[], bool]
    ) -> Iterator[Doubt]:
        yield from ()


@dataclass(frozen=True, slots=True, eq=False)
class Unwinding:
    """No execution reaches the error within ``depth`` loop heads and, if ``complete``, none passes more."""

    reach: Reach
    depth: int
    complete: bool = True

    def scopes(self, names: Names, guards: Guards) -> Iterator[Scope]:
        start, error = self.reach.cfa.initial, self.reach.cfa.error
        steps = self.reach.steps((start,), self.depth + 1)
        ends = dict.fromkeys(step.target for step in steps if step.target[0])
        errors = [node for node in ends if node[1] is error]
        beyond = [n for n in ends if n[0] > self.depth and n[1] is not error and n[1] in self.reach.cuts]
        targets = [*errors, *beyond] if self.complete else errors
        passage = Passage(names, self.reach.cfa, guards, towards(steps, targets), ((0, start),), lambda _: ())
        obligations = [
            Obligation(
                f"the error is not reached within {self.depth} loop heads",
                either(*(passage.reached(node) for node in errors)),
            )
        ]
        if self.complete:
            passed = either(*(passage.reached(node) for node in beyond))
            obligations.append(Obligation(f"no execution passes more than {self.depth} loop heads", passed))
        yield Scope("all executions from the start, one loop head after the other", passage.statements, obligations)

    def doubts(
        self, names: Names, guards: Guards, inside: Collection[Location], is_over: Callable[[], bool]
    ) -> Iterator[Doubt]:
        start = self.reach.cfa.initial
        steps = replace(self.reach, inside=inside).steps((start,), self.depth + 1)
        asked = _checked(steps, guards)
        if asked and is_over():
            yield Doubt((), _all_checks(asked, guards))
        elif asked:
            kept = towards(steps, {step.source for step in asked})
            everything = [*kept, *_others(asked, kept)]
            passage = Passage(names, self.reach.cfa, guards, everything, ((0, start),), lambda _: ())
            yield Doubt(passage.statements, _violations(passage, asked))


@dataclass(frozen=True, slots=True, eq=False)
class InductionStep:
    """The step of a k-induction: from no state at any of ``heads`` in which ``lemmas`` hold, there and at every loop
    head on the way, the error is reached after exactly ``depth`` loop heads."""

    reach: Reach
    heads: Sequence[Location]
    depth: int
    lemmas: Mapping[Location, Term]

    def scopes(self, names: Names, guards: Guards) -> Iterator[Scope]:
        target = (self.depth + 1, self.reach.cfa.error)
        steps = towards(self.reach.steps(self.heads, self.depth + 1), {target})
        passage = self._passage(names, guards, steps)
        shows = f"the step: the error is not reached {self.depth} loop heads after any of them"
        about = "executions from any state at any loop head"
        yield Scope(about, passage.statements, [Obligation(shows, passage.reached(target))])

    def doubts(
        self, names: Names, guards: Guards, inside: Collection[Location], is_over: Callable[[], bool]
    ) -> Iterator[Doubt]:
        yield from Unwinding(self.reach, self.depth).doubts(names, guards, inside, is_over)
        steps = replace(self.reach, inside=inside).steps(self.heads, self.depth + 1)
        asked = [step for step in _checked(steps, guards) if step.source[0] == self.depth]
        if asked and is_over():
            yield Doubt((), _all_checks(asked, guards))
        elif asked:
            kept = towards(steps, {step.source for step in asked})
            passage = self._passage(names, guards, [*kept, *_others(asked, kept)])
            yield Doubt(passage.statements, _violations(passage, asked))

    def _passage(self, names: Names, guards: Guards, steps: Sequence[Taken]) -> Passage:
        begun = {step.source for step in steps} - {step.target for step in steps}
        starts = [(0, head) for head in self.heads if (0, head) in begun]

        def fact(node: Node) -> Term | None:
            return self.lemmas.get(node[1]) if node[1] in self.heads else None

        return Passage(names, self.reach.cfa, guards, steps, starts, lambda _: (), fact)


def on_the_way(as_read: Cfa, inside: Collection[Location], model: Cfa) -> set[Location]:
    """The locations ``inside`` of the model as read, and those that ``model`` has beside them."""
    return {*inside, *set(model.locations).difference(as_read.locations)}


def _checked(steps: Sequence[Taken], guards: Guards) -> list[Taken]:
    return [step for step in steps if any(not holds_always(check) for check in guards(step.edge))]


def _all_checks(asked: Sequence[Taken], guards: Guards) -> list[tuple[Check, Formula]]:
    return [(check, TRUE) for step in asked for check in guards(step.edge) if not holds_always(check)]


def holds_always(check: Check) -> bool:
    return check.condition.is_const and bool(check.condition.value)


def _others(asked: Sequence[Taken], kept: Sequence[Taken]) -> list[Taken]:
    """Steps that are asked about, and on no way to another one."""
    known = set(kept)
    return [step for step in asked if step not in known]


def _violations(passage: Passage, asked: Sequence[Taken]) -> list[tuple[Check, Formula]]:
    return [found for step in asked for found in passage.violations(step) if not holds_always(found[0])]

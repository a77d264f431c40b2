"""All executions between cut points, as a list of plain statements: one for each edge, nothing computed.

An automaton is unrolled into a graph without cycles: a *node* is a location and the number of cut points passed on the
way to it. Every node has a truth value (control is there) and, for the variables that matter from there on, the names
of their values. An edge that is the only one into its node defines that truth value as "control was at the source, and
the edge can be taken"; a value it assigns is defined, not asserted. Where edges with different values meet, each has a
truth value of its own that implies these things, and implies that the values after the meeting are those it brings
(static single assignment in passive form: Flanagan and Saxe, POPL 2001).

Law: the statements and ``at[node]`` have a common model iff an execution goes from a start to the node, and the names
in ``values[node]`` then have that execution's values, of all variables that matter from there on. (An execution gives a
model: the truth values off its path are false. A model gives an execution: walk back from the node along truth values
that are true.)

This is not the encoding by which Argosy itself checks a certificate (``certify.encoding``), and shares nothing with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from argosy.basics.records import dataclass
from argosy.certify.instances import parts
from argosy.certify.plain import (
    FALSE,
    TRUE,
    Assert,
    Comment,
    Declare,
    Define,
    Formula,
    Instance,
    Name,
    Names,
    Statement,
    both,
    either,
    equal,
    implied,
    negated,
)
from argosy.logic.terms import Term
from argosy.logic.traverse import postorder, variables
from argosy.models.cfa import Assign, Assume, Cfa, Check, Edge, Havoc, Location, Relation, Undefined, written

Node = tuple[int, Location]
Values = Mapping[Term, Name]


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """An edge at one place of the unrolled graph."""

    edge: Edge
    source: Node
    target: Node


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """What of ``cfa`` is unrolled: the edges between locations ``inside``, which have no cycle but through ``cuts``."""

    cfa: Cfa
    cuts: Collection[Location]
    inside: Collection[Location]

    def steps(self, starts: Iterable[Location], levels: int) -> list[Taken]:
        """All steps until ``levels`` cut points have been passed, each after those that lead to it. Raises ValueError
        when there is a cycle without a cut point."""
        done: dict[Node, list[Taken]] = {}
        open_: set[Node] = set()
        order: list[Node] = []
        stack = [(node, False) for node in dict.fromkeys((0, start) for start in starts)]
        while stack:
            node, finished = stack.pop()
            if finished:
                open_.discard(node)
                order.append(node)
            elif node not in done:
                done[node] = self._after(node, levels)
                open_.add(node)
                stack.append((node, True))
                for step in done[node]:
                    if step.target in open_:
                        raise ValueError("a cycle without a cut point")
                    if step.target not in done:
                        stack.append((step.target, False))
        return [step for node in reversed(order) for step in done[node]]

    def _after(self, node: Node, levels: int) -> list[Taken]:
        level, location = node
        if level == levels or location is self.cfa.error:
            return []
        return [
            Taken(edge, node, (level + (edge.target in self.cuts), edge.target))
            for edge in self.cfa.leaving[location]
            if edge.target in self.inside
        ]


class Guards:
    """Which checks an execution is taken to satisfy: all but signed overflow, which wraps, and of that kind the
    ``assumed`` ones."""

    def __init__(self, assumed: Collection[Check] = ()) -> None:
        self._assumed = frozenset(assumed)

    def __call__(self, edge: Edge) -> list[Check]:
        return [c for c in edge.checks if c.kind is not Undefined.SIGNED_OVERFLOW or c in self._assumed]


class Passage:
    """The statements of ``steps``, which are in order. ``wanted`` has the variables whose values are asked for at a
    node; ``facts`` may be assumed whenever control is at a node (lemmas)."""

    def __init__(
        self,
        names: Names,
        cfa: Cfa,
        guards: Guards,
        steps: Sequence[Taken],
        starts: Sequence[Node],
        wanted: Callable[[Node], Iterable[Term]],
        facts: Callable[[Node], Term | None] = lambda _: None,
    ) -> None:
        self._names = names
        self._cfa = cfa
        self._guards = guards
        self._facts = facts
        self._known = cfa.variable_of.keys() - cfa.opaque.keys()
        self.statements: list[Statement] = []
        self.at: dict[Node, Formula] = {}
        # Names are few, places many: those between which nothing was written share one mapping, which nobody changes.
        self.values: dict[Node, Values] = {}
        self._read: dict[Taken, Values] = {}
        self._live = self._liveness(steps, starts, wanted)
        entering: dict[Node, list[Taken]] = {}
        for step in steps:
            entering.setdefault(step.target, []).append(step)
        for start in starts:
            self._start(start, alone=len(starts) == 1)
        self._arrivals: dict[Taken, tuple[Formula, Values]] = {}
        for step in steps:
            if step.source not in self.at:
                self._meet(step.source, entering[step.source])
            self._take(step)
        for node, some in entering.items():
            if node not in self.at:
                self._meet(node, some)

    def _liveness(
        self, steps: Sequence[Taken], starts: Sequence[Node], wanted: Callable[[Node], Iterable[Term]]
    ) -> dict[Node, set[Term]]:
        nodes = dict.fromkeys((*starts, *(node for step in steps for node in (step.source, step.target))))
        live: dict[Node, set[Term]] = {}
        for node in nodes:
            fact = self._facts(node)
            asked = {*wanted(node), *(variables(fact) if fact is not None else ())}
            live[node] = asked & self._known
        for step in reversed(steps):
            after = live[step.target]
            needed = after.difference(written(step.edge.operation))
            for check in self._guards(step.edge):
                needed |= variables(check.condition)
            match step.edge.operation:
                case Assume(condition):
                    needed |= variables(condition)
                case Assign(variable, value) if variable in after:
                    needed |= variables(value)
                case Relation(formula, _):
                    needed |= variables(formula)
            live[step.source] |= needed & self._known
        return live

    def _start(self, node: Node, alone: bool) -> None:
        """Where executions begin, in any state; with several starts any of them may be the one."""
        self.statements.append(Comment(f"start at {place(node[1])}"))
        self.values[node] = {variable: self._declare(variable) for variable in self._ordered(self._live[node])}
        self.at[node] = TRUE
        if not alone:
            name = self._names.new(f"at.{node[1].index}")
            self.statements.append(Declare(name))
            self.at[node] = name
        self._assume_fact(node)

    def _ordered(self, some: Iterable[Term]) -> list[Term]:
        return sorted(some, key=lambda variable: variable.id)

    def _declare(self, variable: Term) -> Name:
        name = self._names.new(variable.name, variable.sort)
        self.statements.append(Declare(name))
        return name

    def _take(self, step: Taken) -> None:
        """What the edge does to values, and under which condition it is taken."""
        edge = step.edge
        before = self.values[step.source]
        if edge.text:
            self.statements.append(Comment(f"{edge.position}: {edge.text}"))
        unmodelled = self._unmodelled(edge)
        read = self._read[step] = {**before, **unmodelled} if unmodelled else before
        conditions: list[Formula] = [self.at[step.source]]
        conditions += [Instance(check.condition, read) for check in self._guards(edge)]
        after = self._live[step.target]
        values = before
        match edge.operation:
            case Assume(condition):
                conditions.append(Instance(condition, read))
            case Assign(variable, value) if variable in after:
                name = self._names.new(variable.name, variable.sort)
                self.statements.append(Define(name, Instance(value, read)))
                values = {**before, variable: name}
            case Havoc(variable) if variable in after:
                values = {**before, variable: self._declare(variable)}
            case Relation(formula, primed):
                news = {new: self._declare(variable) for variable, new in primed}
                conditions.append(Instance(formula, {**read, **news}))
                values = {**before, **{variable: news[new] for variable, new in primed if variable in after}}
        self._arrivals[step] = both(*conditions), values

    def _unmodelled(self, edge: Edge) -> dict[Term, Name]:
        """What was not modelled is any value, each time it is read."""
        read = frozenset().union(*(variables(check.condition) for check in self._guards(edge)))
        match edge.operation:
            case Assume(term) | Assign(_, term) | Relation(term, _):
                read |= variables(term)
        return {variable: self._declare(variable) for variable in self._ordered(read & self._cfa.opaque.keys())}

    def _meet(self, node: Node, steps: Sequence[Taken]) -> None:
        arrivals = [self._arrivals.pop(step) for step in steps]
        first = arrivals[0][1]
        others = [values for _, values in arrivals[1:] if values is not first]
        live = self._live[node] if others else ()
        meeting = self._ordered(v for v in live if any(values[v] is not first[v] for values in others))
        self.statements.append(Comment(f"at {place(node[1])}"))
        news = {variable: self._declare(variable) for variable in meeting}
        self.values[node] = {**first, **news} if news else first
        ways: list[Formula] = []
        for condition, values in arrivals:
            if not meeting:
                ways.append(condition)
                continue
            way = self._names.new(f"way.{node[1].index}")
            ways.append(way)
            self.statements.append(Declare(way))
            same = (equal(self.values[node][variable], values[variable]) for variable in meeting)
            self.statements.append(Assert(implied(way, both(condition, *same))))
        self.at[node] = either(*ways)
        if not isinstance(self.at[node], Name):
            name = self._names.new(f"at.{node[1].index}")
            self.statements.append(Define(name, self.at[node]))
            self.at[node] = name
        self._assume_fact(node)

    def _assume_fact(self, node: Node) -> None:
        fact = self._facts(node)
        if fact is not None:
            self.statements.append(Assert(implied(self.at[node], Instance(fact, self.values[node]))))

    def reached(self, node: Node) -> Formula:
        """Control gets to ``node``."""
        return self.at.get(node, FALSE)

    def indices(self) -> Iterator[tuple[Term, Values]]:
        """The indices at which a step reads or writes an array, with the names of the values there."""
        for step, read in self._read.items():
            formulas = [check.condition for check in self._guards(step.edge)]
            match step.edge.operation:
                case Assume(term) | Assign(_, term) | Relation(term, _):
                    formulas.append(term)
            reached = (sub.args[1] for sub in postorder(*formulas) if sub.op in ("select", "store"))
            found = (part for index in reached for part in parts(index))
            # New values of a relation have no names here.
            yield from ((index, read) for index in dict.fromkeys(found) if variables(index) <= read.keys())

    def violations(self, step: Taken) -> list[tuple[Check, Formula]]:
        """The guards of a step, each with the formula that says that it is the first one to be violated."""
        read = self._read[step]
        before: list[Formula] = [self.at[step.source]]
        found: list[tuple[Check, Formula]] = []
        for check in self._guards(step.edge):
            holds = Instance(check.condition, read)
            found.append((check, both(*before, negated(holds))))
            before.append(holds)
        return found


def towards(steps: Sequence[Taken], targets: Collection[Node]) -> list[Taken]:
    """Those of ``steps`` (in order) that lie on a way to one of the targets."""
    matter = set(targets)
    kept = []
    for step in reversed(steps):
        if step.target in matter:
            matter.add(step.source)
            kept.append(step)
    return kept[::-1]


def place(location: Location) -> str:
    """How a text names a location."""
    where = f"{location.position}" if location.position.line else ""
    words = (f"L{location.index}", location.label, location.function, where)
    return " ".join(word for word in words if word)

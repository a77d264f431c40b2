"""From templates to one automaton: every call becomes a copy of the function it calls.

Copies share variables and operations; only locations are new, with the ``origin`` of the template's point. Where a
function is called that is active already, its variables are saved before and restored afterwards. Calls in a cycle are
copied up to a depth that keeps the automaton small, and only once where pointers lead to the variables of a call; a
deeper one may reach the error, by an opaque condition, so that nothing is proved unless it is impossible. Where the
copies would be too many, functions have one body for all calls (``sharing``). A program that is too large all the same
is refused as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from argosy.basics.position import NOWHERE, Position
from argosy.basics.records import dataclass, replace
from argosy.frontends.c.lower.graph import ENTRY, ERROR, Call, Template, TemplateStep
from argosy.frontends.c.lower.sharing import ENOUGH, NOTHING_SHARED, SMALL, Sharing, sharing
from argosy.frontends.c.symbols import RESULT, Unit
from argosy.frontends.c.tokens import as_written, uncopied
from argosy.frontends.c.unsupported import Construct, error, refusal
from argosy.logic.sorts import bits
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Assume, Cfa, Edge, Havoc, Location, Operation, Variable, read, written
from argosy.models.kinds import Undefined
from argosy.models.order import components

LARGEST = 400_000

# Calls in a cycle go as deep as this allows, and no deeper than the first that does.
COPIED = 20_000

# Where a function calls itself in several places its copies double from level to level. One body for each level, which
# all calls share that have as many others around them, goes deep all the same; so many edges are explored in seconds.
LEVELED = 6_000
DEPTHS = (1_100, 500, 200, 100, 50, 25, 15, 10, 8, 6, 5, 4, 3, 2, 1)

DEEPEST = DEPTHS[0]

START = ""  # the name of the template that initialises and calls the entry function


@dataclass(frozen=True, slots=True)
class Inlined:
    """``deeper``: more active calls would make another automaton; ``steep``: one in which calls share bodies, because
    their copies double."""

    cfa: Cfa
    deeper: bool = False
    steep: bool = False


def inline(unit: Unit, templates: Mapping[str, Template], deepest: int = DEEPEST, small: int = SMALL) -> Inlined:
    """The automaton that starts in the template ``START``, with at most ``deepest`` calls of a function active. Up to
    ``small`` edges all calls are copies; 0 shares all that can be."""
    # What holds memory at a place is asked of the automaton (``leaks``), which must not take one call for another.
    most = LARGEST if Undefined.LEAK in unit.watched else min(small, LARGEST)
    recursive = _recursive_call(templates)
    if recursive is None:
        return Inlined(assembled(unit, templates, most))
    callee, position = recursive
    frames = frames_of(unit, templates)
    copied = _copied(unit, templates, frames, deepest, most)
    if copied is not None and copied[1] == deepest:
        return Inlined(copied[0], deepest < DEEPEST)
    shares = most < LARGEST
    if deepest == DEEPEST and shares:
        leveled = _leveled(unit, templates, frames, 0 if copied is None else copied[1])
        if leveled is not None:
            return Inlined(leveled)
    if copied is not None:
        steep = shares and deepest < DEEPEST
        return Inlined(copied[0], steep, steep)
    if shares:
        try:
            bodies = sharing(templates, START, min(most, ENOUGH))
            return Inlined(_Assembly(unit, templates, frames, 1, LARGEST, bodies).cfa(), deepest == 1)
        except _TooLarge:
            pass
    raise error(position, f"recursive call of {callee}, in more than {LARGEST} edges", Construct.SIZE)


def _copied(
    unit: Unit, templates: Mapping[str, Template], frames: Mapping[str, tuple[Term, ...]], deepest: int, most: int
) -> tuple[Cfa, int] | None:
    """Copies of all calls, as many of them active as can be."""

    def at(depth: int) -> _Assembly:
        return _Assembly(unit, templates, frames, depth, min(COPIED, most) if depth > 1 else most)

    return _largest([depth for depth in DEPTHS if depth <= deepest], at)


def _leveled(
    unit: Unit, templates: Mapping[str, Template], frames: Mapping[str, tuple[Term, ...]], copied: int
) -> Cfa | None:
    """One body on each level of calls, where more of them can be active than are ``copied``."""

    def at(depth: int) -> _Assembly:
        return _Assembly(unit, templates, frames, depth, LEVELED, levels=True)

    found = _largest([depth for depth in DEPTHS if depth > copied], at)
    return None if found is None else found[0]


def _largest(depths: Sequence[int], at: Callable[[int], _Assembly]) -> tuple[Cfa, int] | None:
    """The automaton of the first of falling ``depths`` that is not too large. The first is tried first, which is the
    common case; then sizes fall with depths, and half of the rest are left out with each."""
    low, high, middle = 0, len(depths), 0
    found = None
    while low < high:
        try:
            found, high = (at(depths[middle]).cfa(), depths[middle]), middle
        except _TooLarge:
            low = middle + 1
        middle = (low + high) // 2
    return found


def is_recursive(templates: Mapping[str, Template]) -> bool:
    """Is there a cycle of calls?"""
    return _recursive_call(templates) is not None


def assembled(unit: Unit, templates: Mapping[str, Template], most: int = LARGEST) -> Cfa:
    """The automaton of templates whose calls make no cycle. Beyond ``most`` edges bodies are shared."""
    if _too_large(templates, most) is None:
        return _Assembly(unit, templates).cfa()
    try:
        if most < LARGEST:
            return _Assembly(unit, templates, most=LARGEST, sharing=sharing(templates, START, min(most, ENOUGH))).cfa()
    except _TooLarge:
        pass
    name = _too_large(templates, LARGEST) or START
    raise error(templates[name].position, f"more than {LARGEST} edges with all calls of {name} inlined", Construct.SIZE)


# ---- refusals -----------------------------------------------------------------------------------------------------


def _calls(template: Template) -> list[tuple[str, Position]]:
    return [(s.action.function, s.position) for s in template.steps if isinstance(s.action, Call)]


def _recursive_call(templates: Mapping[str, Template]) -> tuple[str, Position] | None:
    """A call that closes a cycle."""
    open_: list[tuple[str, list[tuple[str, Position]]]] = [(START, _calls(templates[START]))]
    active, done = {START}, set[str]()
    while open_:
        name, rest = open_[-1]
        if not rest:
            open_.pop()
            active.discard(name)
            done.add(name)
            continue
        callee, position = rest.pop(0)
        if callee in active:
            return callee, position
        if callee not in done:
            active.add(callee)
            open_.append((callee, _calls(templates[callee])))
    return None


def frames_of(unit: Unit, templates: Mapping[str, Template]) -> dict[str, tuple[Term, ...]]:
    """For each function in a cycle of calls the variables that belong to one call of it."""
    frames = {}
    for name in unit.cycles.keys() & templates.keys():
        mentioned: set[Term] = set()
        for step in templates[name].steps:
            if isinstance(step.action, Call):
                mentioned.update(term for pair in step.action.arguments for term in pair)
            else:
                mentioned.update(written(_operation(step)), read(_operation(step)))
            mentioned.update(*(variables(check.condition) for check in step.checks))
        own = [term for term, variable in unit.variables.items() if term in mentioned and variable.function == name]
        objects = {term: unit.objects[term] for term in own if term in unit.objects}
        shared = {term for term, o in objects.items() if o.lasting or o.name == RESULT}
        frames[name] = tuple(term for term in own if term not in shared)
    return frames


def _operation(step: TemplateStep) -> Assume | Assign | Havoc:
    assert isinstance(step.action, Assume | Assign | Havoc)
    return step.action


def _live_points(template: Template, frame: frozenset[Term]) -> dict[int, frozenset[Term]]:
    """For each point the variables of ``frame`` that may be read before they are written. Calls give them back."""
    entering: dict[int, list[tuple[int, frozenset[Term], frozenset[Term]]]] = {}
    for step in template.steps:
        reads = frozenset[Term]().union(*(variables(check.condition) for check in step.checks))
        changes: frozenset[Term] = frozenset()
        if isinstance(step.action, Call):
            reads = reads.union(value for _, value in step.action.arguments)
        else:
            reads, changes = reads | read(_operation(step)), frozenset(written(_operation(step)))
        entering.setdefault(step.target, []).append((step.source, reads & frame, changes))
    live: dict[int, frozenset[Term]] = dict.fromkeys(range(template.points), frozenset())
    work = list(range(template.points))
    while work:
        point = work.pop()
        for source, reads, changes in entering.get(point, ()):
            before = live[source] | reads | (live[point] - changes)
            if before != live[source]:
                live[source] = before
                work.append(source)
    return live


def _too_large(templates: Mapping[str, Template], most: int) -> str | None:
    """A function that has more edges with all its calls copied."""
    sizes: dict[str, int] = {}
    stack = [START]
    while stack:
        name = stack[-1]
        missing = [callee for callee, _ in _calls(templates[name]) if callee not in sizes]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        own = templates[name]
        sizes[name] = sum(not step.marks for step in own.steps) + sum(sizes[callee] for callee, _ in _calls(own))
        if sizes[name] > most:
            return name
    return None


# ---- assembly -----------------------------------------------------------------------------------------------------


class _TooLarge(Exception):
    """Control flow only: caught by ``inline``."""


@dataclass(frozen=True, slots=True)
class _Body:
    """What is there once for several calls: a function or, of one in a cycle of calls, its calls on one level, which is
    how many calls of each function in a cycle are ``active`` around it."""

    function: str
    active: frozenset[tuple[str, int]] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class _Copy:
    """A template in the automaton: its points begin at ``base``. ``active`` says how many calls of each function are,
    from the ``body`` on that the copy is a part of (``START``, or one that is shared)."""

    template: Template
    base: int
    origin: int
    active: Mapping[str, int]
    body: _Body

    @property
    def deep(self) -> int:
        return sum(self.active.values()) - 1

    def calls(self, function: str) -> int:
        """How many calls of a function are active here."""
        return self.active.get(function, 0) + dict(self.body.active).get(function, 0)


@dataclass(frozen=True, slots=True, eq=False)
class _Crossing:
    """A call of a shared body, from one point to another, with what is assigned before and after it."""

    source: int
    target: int
    step: TemplateStep
    caller: _Copy
    before: Sequence[tuple[Term, Term]]
    after: Sequence[tuple[Term, Term]] = ()


class _Assembly:
    """``depth`` is how many calls of a function may be active, ``most`` how many edges there may be. Where bodies of
    recursive functions are shared the ``depth`` is 1; with ``levels`` there is one body for each number of active
    calls."""

    def __init__(
        self,
        unit: Unit,
        templates: Mapping[str, Template],
        frames: Mapping[str, tuple[Term, ...]] | None = None,
        depth: int = 1,
        most: int | None = None,
        sharing: Sharing = NOTHING_SHARED,
        levels: bool = False,
    ) -> None:
        self.unit = unit
        self.templates = templates
        self.frames = frames or {}
        self.depth = depth
        self.most = most
        self.sharing = sharing
        self.levels = levels
        self.crossings: dict[_Body, list[_Crossing]] = {}
        self.bodies: dict[_Body, _Copy] = {}
        self.initial = ENTRY
        self.beyond: dict[str, Term] = {}
        self.by_address = {
            symbol.function: symbol.name
            for frame in self.frames.values()
            for symbol in (unit.objects[term] for term in frame if term in unit.objects)
            if symbol.address_taken
        }
        self.lives: dict[str, Mapping[int, frozenset[Term]]] = {}
        self.parents: list[int] = []
        # One entry per edge: source, target, step, and the copy that its source belongs to. Those that only bear marks
        # do not count.
        self.edges: list[tuple[int, int, TemplateStep, _Copy]] = []
        self.marked = 0
        self.labels: dict[int, str] = {}
        self.loops: list[tuple[int, int]] = []
        self.origins: dict[str, int] = {}
        count = 0
        for name, template in templates.items():
            self.origins[name] = count
            count += template.points

    def find(self, point: int) -> int:
        parents = self.parents
        while parents[point] != point:
            parents[point] = parents[parents[point]]
            point = parents[point]
        return point

    def _unite(self, a: int, b: int) -> None:
        self.parents[self.find(a)] = self.find(b)

    def _copy(self, template: Template, active: Mapping[str, int], body: _Body) -> _Copy:
        base = len(self.parents)
        self.parents.extend(range(base, base + template.points))
        for point, label in template.labels.items():
            self.labels.setdefault(base + point, label)
        self.loops.extend((base + point, loop) for point, loop in template.loops)
        return _Copy(template, base, self.origins[template.function], active, body)

    def _instantiate(self) -> None:
        start = self._copy(self.templates[START], {}, _Body(START))
        work = [start]
        while work:
            copy = work.pop()
            for step in copy.template.steps:
                source = copy.base + step.source
                target = ERROR if step.target == ERROR else copy.base + step.target
                if not isinstance(step.action, Call):
                    self.marked += bool(step.marks)
                    self.edges.append((source, target, step, copy))
                elif step.action.function in self.sharing.bodies:
                    body = _Body(step.action.function)
                    crossing = _Crossing(source, target, step, copy, step.action.arguments)
                    work.extend(self._crossed(body, crossing))
                else:
                    work.extend(self._call(copy, step, step.action, source, target))
            self._check_size()
        for number, (body, crossings) in enumerate(self.crossings.items()):
            self._cross(number, body, crossings, start)
            self._check_size()

    def _check_size(self) -> None:
        if self.most is not None and len(self.edges) - self.marked > self.most:
            raise _TooLarge

    def _crossed(self, body: _Body, crossing: _Crossing) -> Iterator[_Copy]:
        """The copy that a shared body is, when it is called for the first time."""
        self.crossings.setdefault(body, []).append(crossing)
        if body not in self.bodies:
            name = body.function
            self.bodies[body] = self._copy(self.templates[name], {name: 1}, body)
            yield self.bodies[body]

    def _call(self, caller: _Copy, step: TemplateStep, call: Call, source: int, target: int) -> Iterator[_Copy]:
        """A copy of the function that is called, or its body on this level, if so many calls may be active."""
        callee = self.templates[call.function]
        calls = caller.calls(callee.function)
        if callee.function in self.frames and calls >= self._deepest(callee.function):
            self._leave(source, step, caller)
            return
        frame = self.frames.get(callee.function, ()) if calls else ()
        if callee is caller.template:
            live = self._live(callee)[step.target]
            frame = tuple(term for term in frame if term in live)
        saved = [(self._saved(term, calls), term) for term in frame]
        after = [(term, kept) for kept, term in saved]
        if self.levels and callee.function in self.frames:
            level = frozenset((name, number) for name in self.frames if (number := caller.calls(name)))
            crossing = _Crossing(source, target, step, caller, [*saved, *call.arguments], after)
            yield from self._crossed(_Body(callee.function, level), crossing)
            return
        copy = self._copy(callee, {**caller.active, callee.function: calls + 1}, caller.body)
        source = self._assign([*saved, *call.arguments], source, step, caller)
        self._unite(source, copy.base + ENTRY)
        end = self._assign(after, copy.base + callee.exit, step, caller)
        self._unite(target, end)
        yield copy

    # ---- shared bodies ------------------------------------------------------------------------------------

    def _cross(self, number: int, shared: _Body, crossings: Sequence[_Crossing], start: _Copy) -> None:
        """All calls of a shared body: each sets the return point to a number, which says where control goes back."""
        terms, body = self.unit.terms, self.bodies[shared]
        if self.levels and len(crossings) == 1:
            (only,) = crossings
            self._unite(self._assign(only.before, only.source, only.step, only.caller), body.base + ENTRY)
            self._unite(only.target, self._assign(only.after, body.base + body.template.exit, only.step, only.caller))
            return
        cycle = self.sharing.cycles.get(shared.function)
        place = self._return_point(shared, f"~{number}" if shared.active else "", len(crossings))
        none = terms.bv(0, place.sort.width)
        if cycle is not None:
            beginning = self._point()
            self._unite(self.initial, self._step(beginning, Assign(place, none), start, ENTRY, NOWHERE))
            self.initial = beginning
        last = body.template.exit
        for call, crossing in enumerate(crossings, 1):
            caller, step, at = crossing.caller, crossing.step, crossing.source
            own, where = terms.bv(call, place.sort.width), step.position
            if cycle is not None and self.sharing.cycles.get(caller.template.function) == cycle:
                is_active = terms.ne(place, none)
                self._leave(self._step(at, Assume(is_active), caller, step.source, where), step, caller)
                at = self._step(at, Assume(terms.not_(is_active)), caller, step.source, where)
            at = self._assign(crossing.before, at, step, caller)
            self._unite(self._step(at, Assign(place, own), caller, step.source, where), body.base + ENTRY)
            back = self._step(body.base + last, Assume(terms.eq(place, own)), body, last, where)
            if cycle is not None:
                back = self._step(back, Assign(place, none), caller, step.target, where)
            self._unite(crossing.target, self._assign(crossing.after, back, step, caller))

    def _return_point(self, body: _Body, level: str, calls: int) -> Term:
        term = self.unit.terms.var(f"return point of {body.function}{level}", bits(calls.bit_length()))
        said = f"return point of {as_written(body.function)}{level}"
        position = self.templates[body.function].position
        self.unit.variables[term] = Variable(term, said, "", False, position, is_return_point=True)
        return term

    def _point(self) -> int:
        self.parents.append(len(self.parents))
        return len(self.parents) - 1

    def _step(self, at: int, operation: Operation, copy: _Copy, source: int, where: Position) -> int:
        """A step that is not in the text, at a point of a copy; where it ends."""
        after = self._point()
        self.edges.append((at, after, TemplateStep(source, source, operation, where), copy))
        return after

    def _depths(self) -> dict[_Body, int]:
        """For each body how many calls are active around it, at most; calls that close a cycle do not count."""
        callers = {body: [crossing.caller for crossing in own] for body, own in self.crossings.items()}
        depths = {_Body(START): 0}
        found = components(list(self.bodies), lambda body: [c.body for c in callers.get(body, ())], None)
        for cycle in found:
            outside = (c for body in cycle for c in callers.get(body, ()) if c.body not in cycle)
            around = max((depths[c.body] + c.deep + 1 for c in outside), default=0)
            depths.update(dict.fromkeys(cycle, around))
        return depths

    # ---- calls in a cycle ---------------------------------------------------------------------------------

    def _deepest(self, function: str) -> int:
        """How many calls of a function may be active. Pointers lead to the variables of one."""
        return 1 if function in self.by_address else self.depth

    def _live(self, template: Template) -> Mapping[int, frozenset[Term]]:
        """For each point of a template the variables of a call that may be read before they are written."""
        known = self.lives.get(template.function)
        if known is None:
            known = self.lives[template.function] = _live_points(template, frozenset(self.frames[template.function]))
        return known

    def _assign(self, values: Sequence[tuple[Term, Term]], at: int, call: TemplateStep, caller: _Copy) -> int:
        """Assignments one after the other from a point; where they end."""
        for variable, value in values:
            after = self._point()
            text = f"{self.unit.variables[variable].name} = {self.unit.variables[value].name}"
            step = TemplateStep(call.source, call.target, Assign(variable, value), call.position, text)
            self.edges.append((at, after, step, caller))
            at = after
        return at

    def _saved(self, term: Term, call: int) -> Term:
        """The variable for the value that a local variable has in one of several calls that are active."""
        own = self.unit.variables[term]
        saved = self.unit.terms.var(f"{term.name}~{call}", term.sort)
        self.unit.variables.setdefault(saved, replace(own, term=saved, name=f"{own.name}~{call}"))
        return saved

    def _leave(self, source: int, call: TemplateStep, caller: _Copy) -> None:
        """Deeper calls are left out: they may reach the error, for all that is known."""
        assert isinstance(call.action, Call)
        callee, terms = call.action.function, self.unit.terms
        if callee not in self.beyond:
            what = f"recursive call of {callee}, more than {self.depth} deep"
            if callee in self.by_address:
                what = f"recursive call of {callee}, which takes the address of {self.by_address[callee]}"
            why = refusal(call.position, what, Construct.DEPTH, bound=True, arbitrary=True)
            self.beyond[callee] = self.unit.opaque_term(bits(1), why, False)
        condition = terms.eq(self.beyond[callee], terms.bv(1, 1))
        step = TemplateStep(call.source, ERROR, Assume(condition), call.position, call.text)
        self.edges.append((source, ERROR, step, caller))

    def cfa(self) -> Cfa:
        self._instantiate()
        find = self.find
        leaving: dict[int, list[int]] = {}
        ends = []
        for index, (source, target, *_) in enumerate(self.edges):
            source, target = find(source), find(target)
            ends.append((source, target))
            leaving.setdefault(source, []).append(index)
        order, used = self._reachable(find(self.initial), leaving, ends)
        locations = self._locations(order, leaving, ends)
        seen: set[int] = set()
        mentioned: set[Term] = set()
        edges = []
        for index in used:
            source, target = ends[index]
            step = self.edges[index][2]
            assert isinstance(step.action, Operation)
            if id(step) not in seen:
                seen.add(id(step))
                conditions = (variables(check.condition) for check in step.checks)
                mentioned.update(written(step.action), read(step.action), *conditions)
                mentioned.update(check.doubt for check in step.checks if check.doubt is not None)
            edges.append(
                Edge(
                    locations[source],
                    locations[target],
                    step.action,
                    step.position,
                    step.text,
                    step.checks,
                    step.choice,
                    marks=step.marks,
                )
            )
        return Cfa(
            self.unit.terms,
            locations[find(self.initial)],
            locations[find(ERROR)],
            tuple(locations.values()),
            tuple(edges),
            tuple(replace(v, function=uncopied(v.function)) for t, v in self.unit.variables.items() if t in mentioned),
            {t: r for t, r in self.unit.opaque.items() if t in mentioned},
            self.unit.path,
        )

    def _reachable(
        self, initial: int, leaving: Mapping[int, list[int]], ends: list[tuple[int, int]]
    ) -> tuple[list[int], list[int]]:
        """Points and edges in depth-first order."""
        order, used = [initial], []
        seen = {initial}
        stack = [iter(leaving.get(initial, ()))]
        while stack:
            for index in stack[-1]:
                used.append(index)
                target = ends[index][1]
                if target not in seen:
                    seen.add(target)
                    order.append(target)
                    stack.append(iter(leaving.get(target, ())))
                    break
            else:
                stack.pop()
        error = self.find(ERROR)
        return (order if error in seen else [*order, error]), used

    def _locations(
        self, order: list[int], leaving: Mapping[int, list[int]], ends: list[tuple[int, int]]
    ) -> dict[int, Location]:
        labels: dict[int, str] = {}
        for point, label in self.labels.items():
            labels.setdefault(self.find(point), label)
        loops: dict[int, tuple[int, ...]] = {}
        for point, loop in self.loops:
            at = self.find(point)
            loops[at] = (*loops.get(at, ()), loop)
        entering: dict[int, int] = {}
        for index, (_, target) in enumerate(ends):
            entering.setdefault(target, index)
        depths = self._depths()
        locations = {}
        for number, point in enumerate(order):
            function, origin, position, deep = "", -1, NOWHERE, 0
            if leaving.get(point) or point in entering:
                _, _, step, copy = self.edges[leaving[point][0] if leaving.get(point) else entering[point]]
                function, position = copy.template.function, step.position
                origin = copy.origin + step.source if leaving.get(point) else -1
                deep = max(0, depths[copy.body] + copy.deep)
            label = "error" if point == self.find(ERROR) else labels.get(point, "")
            of = loops.get(point, ())
            locations[point] = Location(number, uncopied(function), position, label, origin, deep, of)
        return locations

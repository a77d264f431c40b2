"""Declarations become storage, templates become processes.

One process for each name of the system line, or one for each combination of values where parameters are left free.
Selections are expanded: an edge for each combination of selected values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.uppaal.constraints import guards, invariant
from argosy.frontends.uppaal.functions import Translator
from argosy.frontends.uppaal.layout import Layout, in_range
from argosy.frontends.uppaal.meanings import (
    FunctionMeaning,
    InstantiationMeaning,
    IntegerMeaning,
    Known,
    LocationMeaning,
    Meaning,
    NamedType,
    NameScope,
    ProcessMeaning,
    ProcessSet,
    Storage,
    TemplateMeaning,
    describe,
)
from argosy.frontends.uppaal.modified import assigned_names
from argosy.frontends.uppaal.rates import without_rates
from argosy.frontends.uppaal.receivers import idle_edges
from argosy.frontends.uppaal.translate import known
from argosy.frontends.uppaal.types import (
    ArrayType,
    ChannelType,
    IntegerType,
    NumberType,
    RecordType,
    Type,
    extent,
    is_number,
    similar,
)
from argosy.models.network import ClockRate, EdgeText, Synchronisation, TimedEdge, TimedLocation, TimedProcess
from argosy.models.network_expressions import UNCONSTRAINED, Constant

_PROCESS_LIMIT = 10_000
_EDGE_LIMIT = 1_000_000

_RANGES = {
    "int8_t": (-(2**7), 2**7 - 1),
    "uint8_t": (0, 2**8 - 1),
    "int16_t": (-(2**15), 2**15 - 1),
    "uint16_t": (0, 2**16 - 1),
    "int32_t": (-(2**31), 2**31 - 1),
}
_LIMITS = {
    "INT8_MIN": -(2**7),
    "INT8_MAX": 2**7 - 1,
    "UINT8_MAX": 2**8 - 1,
    "INT16_MIN": -(2**15),
    "INT16_MAX": 2**15 - 1,
    "UINT16_MAX": 2**16 - 1,
    "INT32_MIN": -(2**31),
    "INT32_MAX": 2**31 - 1,
}


def predefined() -> NameScope:
    """The names that UPPAAL declares by itself; a model may declare them anew."""
    scope = NameScope()
    for name, (low, high) in _RANGES.items():
        scope.bind(name, NamedType(IntegerType(low, high)))
    for name, value in _LIMITS.items():
        scope.bind(name, IntegerMeaning(Constant(value), IntegerType(-(2**31), 2**31 - 1)))
    return scope


class Instantiator:
    """Builds the processes of one document; ``processes`` and ``sets`` grow as it runs."""

    def __init__(self, document: s.Document) -> None:
        self.layout = Layout()
        self.scope = NameScope(predefined())
        self.processes: list[TimedProcess] = []
        self.sets: dict[str, ProcessSet] = {}
        self.default_priority = 0
        self.notes: list[str] = []
        self._document = document
        self._edges = 0
        self._rated: dict[int, int] = {}
        self._copies = 1
        self._levels: dict[int, int] | None = None
        self._hooks: dict[bool, s.UpdateHook] = {}

    def run(self) -> None:
        for declaration in self._document.declarations:
            self._declare(declaration, self.scope, "")
        for level, names in enumerate(self._document.system.levels):
            for name in names:
                self._start(name.name, name.position, level)
        if self._hooks:
            self._hook()

    def _hook(self) -> None:
        """The updates of an action are those of its first edge, ..., of its last one: ``before_update`` belongs to the
        first, ``after_update`` to the last. Which edge is the last of a broadcast is not known."""
        before, after = (
            () if hook is None else self.translator(self.scope, pure=False).updates(hook.expressions)
            for hook in (self._hooks.get(True), self._hooks.get(False))
        )
        receiving = [
            edge
            for process in self.processes
            for edge in process.edges
            if edge.synchronisation is not None
            and not edge.synchronisation.sends
            and self.layout.channels[edge.synchronisation.channel.base].broadcast
        ]
        if after and receiving:
            raise UnsupportedError(self._hooks[False].position, "after_update in a model with receivers of broadcasts")

        def hooked(edge: TimedEdge) -> TimedEdge:
            sync = edge.synchronisation
            first = sync is None or sync.sends
            last = sync is None or not sync.sends or self.layout.channels[sync.channel.base].broadcast
            return replace(edge, updates=((before if first else ()) + edge.updates + (after if last else ())))

        self.processes = [
            replace(process, edges=tuple(hooked(edge) for edge in process.edges)) for process in self.processes
        ]

    def translator(self, scope: NameScope, *, pure: bool = True) -> Translator:
        return Translator(self.layout, scope, pure=pure)

    # Declarations

    def _declare(self, declaration: s.Declaration, scope: NameScope, prefix: str) -> None:
        position = declaration.position
        match declaration:
            case s.VariableDeclaration(type_, declarators):
                for declarator in declarators:
                    self._variable(type_, declarator, scope, prefix)
            case s.TypeDeclaration(type_, declarators):
                for declarator in declarators:
                    named = NamedType(self.translator(scope).declared(type_, declarator))
                    _bind(scope, declarator.name, named, declarator.position)
            case s.FunctionDeclaration(_, name):
                if name.startswith("__ON_") or name in ("before_update", "after_update"):
                    raise UnsupportedError(position, f"the special function {name}")
                _bind(scope, name, FunctionMeaning(declaration, scope, prefix + name), position)
            case s.TemplateDeclaration(name):
                _bind(scope, name, TemplateMeaning(declaration), position)
            case s.Instantiation(name, _, template):
                if template not in self._document.scenarios:
                    meaning = scope.lookup(template)
                    if not isinstance(meaning, TemplateMeaning | InstantiationMeaning):
                        raise InputError(position, f"unknown template {template!r}")
                _bind(scope, name, InstantiationMeaning(declaration), position)
            case s.PriorityDeclaration(levels):
                self._priorities(levels, scope, position)
            case s.UpdateHook(before):
                if scope is not self.scope:
                    raise InputError(position, "this declaration is not allowed inside a template")
                if self._hooks.setdefault(before, declaration) is not declaration:
                    raise InputError(position, f"{'before' if before else 'after'}_update is declared twice")
            case s.Refused(what):
                raise UnsupportedError(position, what)

    def _variable(self, expression: s.TypeExpression, declarator: s.Declarator, scope: NameScope, prefix: str) -> None:
        translator = self.translator(scope)
        type_ = translator.declared(expression, declarator)
        name, position = declarator.name, declarator.position
        if extent(type_) == extent(type_) * 0:
            raise InputError(position, f"a variable cannot have the type {type_}")
        if "const" in expression.prefixes:
            if declarator.initial is None:
                raise InputError(position, f"the constant {name!r} needs a value")
            value = translator.initial(type_, declarator.initial, name, position)
            _bind(scope, name, known(type_, value, prefix + name), position)
            return
        initial = translator.initial(type_, declarator.initial, name, position)
        meta = "meta" in expression.prefixes
        _bind(scope, name, self.layout.allocate(type_, prefix + name, initial, position, meta=meta), position)

    def _priorities(
        self, levels: tuple[tuple[s.Expression | None, ...], ...], scope: NameScope, position: Position
    ) -> None:
        if self._levels is not None:
            raise InputError(position, "channel priorities are declared twice")
        if not any(channel is None for level in levels for channel in level):
            # UPPAAL's manual does not say what holds then.
            self.notes.append(f"{position}: 'default' has no priority, it is taken to be on the lowest level")
        chosen: dict[int, int] = {}
        for number, level in enumerate(levels):
            for channel in level:
                if channel is None:
                    self.default_priority = number
                    continue
                storage = self.translator(scope).storage(channel)
                count = extent(storage.type)
                if storage.selectors or not count.channels or count.integers or count.clocks:
                    raise InputError(channel.position, "a channel or an array of channels expected")
                for index in range(storage.base.channels, storage.base.channels + count.channels):
                    if index in chosen:
                        raise InputError(channel.position, "a channel has two priorities")
                    chosen[index] = number
        self._levels = chosen

    def channel_priority(self, channel: int) -> int:
        return (self._levels or {}).get(channel, self.default_priority)

    # Instances

    def _start(self, name: str, position: Position, priority: int) -> None:
        meaning = self.scope.lookup(name)
        if not isinstance(meaning, TemplateMeaning | InstantiationMeaning):
            what = "unknown process or template" if meaning is None else "a process or template expected, found"
            raise InputError(position, f"{what} {name!r}")
        if name in self.sets:
            raise InputError(position, f"{name!r} is in the system line twice")
        free = meaning.declaration.parameters
        domains: list[NumberType] = []
        for parameter in free:
            if parameter.reference or parameter.declarator.dimensions:
                raise InputError(
                    position,
                    f"{name} needs an argument for {parameter.declarator.name!r}: only bounded integers and scalars "
                    "can be left free",
                )
            domains.append(self.translator(self.scope).domain(parameter.type))
        self._copies = _combinations(domains)
        if len(self.processes) + self._copies > _PROCESS_LIMIT:
            total = len(self.processes) + self._copies
            raise UnsupportedError(position, f"more than {_PROCESS_LIMIT} processes: {total} with those of {name}")
        members: dict[tuple[int, ...], ProcessMeaning] = {}
        for values in product(*(range(domain.low, domain.high + 1) for domain in domains)):
            full_name = f"{name}({','.join(map(str, values))})" if free else name
            actual = [IntegerMeaning(Constant(value), domain) for value, domain in zip(values, domains, strict=True)]
            template, scope = self._template(meaning, actual, full_name)
            members[values] = self._process(template, scope, full_name, priority, position)
        self.sets[name] = ProcessSet(name, tuple(domains), members)

    def _template(
        self,
        meaning: TemplateMeaning | InstantiationMeaning,
        actual: Sequence[Meaning],
        name: str,
    ) -> tuple[s.TemplateDeclaration, NameScope]:
        """Follows partial instantiations down to a template, whose parameters are bound in the scope."""
        seen: set[str] = set()
        while True:
            declaration = meaning.declaration
            scope = NameScope(self.scope)
            if isinstance(declaration, s.TemplateDeclaration):
                modified = assigned_names(declaration, self.scope)
                for parameter, value in zip(declaration.parameters, actual, strict=True):
                    self._parameter(parameter, value, scope, f"{name}.", modified)
                return declaration, scope
            for parameter, value in zip(declaration.parameters, actual, strict=True):
                self._parameter(parameter, value, scope, f"{name}.", frozenset())
            if declaration.name in seen:
                raise InputError(declaration.position, f"{declaration.name} is defined by itself")
            seen.add(declaration.name)
            following = self.scope.lookup(declaration.template)
            if not isinstance(following, TemplateMeaning | InstantiationMeaning):
                raise InputError(declaration.position, f"unknown template {declaration.template!r}")
            expected = following.declaration.parameters
            if len(expected) != len(declaration.arguments):
                raise InputError(
                    declaration.position,
                    f"{declaration.template} takes {len(expected)} arguments, found {len(declaration.arguments)}",
                )
            translator = self.translator(scope)
            pairs = zip(expected, declaration.arguments, strict=True)
            actual = [self._argument(translator, parameter, argument) for parameter, argument in pairs]
            meaning = following

    def _argument(self, translator: Translator, parameter: s.ParameterDeclaration, argument: s.Expression) -> Meaning:
        """An argument with the type that the parameter asks for: constants by value, storage by reference."""
        type_ = self.translator(self.scope).declared(parameter.type, parameter.declarator)
        meaning = translator.meaning(argument)
        position = argument.position
        size = extent(type_)
        if parameter.reference or size.clocks or size.channels:
            constant = "const" in parameter.type.prefixes
            if isinstance(meaning, Storage) and not meaning.selectors:
                if not similar(type_, meaning.type):
                    raise InputError(position, f"an argument of type {type_} expected, found {meaning.type}")
                if meaning.constant and not constant:
                    raise InputError(position, "a constant cannot be passed as a reference that may be changed")
                return replace(meaning, constant=constant)
            if not constant and not (parameter.old and isinstance(meaning, IntegerMeaning) and is_number(type_)):
                raise InputError(position, f"a variable expected for a reference, found {describe(meaning)}")
        if isinstance(type_, ArrayType | RecordType):
            if isinstance(meaning, Known) and similar(type_, meaning.type):
                return replace(meaning, type=type_)
            raise InputError(position, f"a constant of type {type_} expected, found {describe(meaning)}")
        if not is_number(type_):
            raise InputError(position, f"a {type_} cannot be passed by value")
        value = translator.integer(argument)
        number = translator.constant(argument)
        stored = translator.coerce(IntegerMeaning(Constant(number), value.type), type_, position)
        assert isinstance(stored, Constant)
        return IntegerMeaning(Constant(in_range(stored.value, type_, parameter.declarator.name, position)), type_)

    def _parameter(
        self,
        parameter: s.ParameterDeclaration,
        value: Meaning,
        scope: NameScope,
        prefix: str,
        modified: frozenset[str],
    ) -> None:
        """A value parameter that the template assigns is a variable of the process; any other is a constant."""
        name, position = parameter.declarator.name, parameter.position
        if name in modified and isinstance(value, IntegerMeaning | Known) and "const" not in parameter.type.prefixes:
            type_: Type = value.type
            initial = value.value if isinstance(value, Known) else value.expression
            number = initial.value if isinstance(initial, Constant) else initial
            assert isinstance(number, int | tuple)
            value = self.layout.allocate(type_, prefix + name, number, position)
        _bind(scope, name, value, position)

    # Processes

    def _process(
        self, template: s.TemplateDeclaration, scope: NameScope, name: str, priority: int, position: Position
    ) -> ProcessMeaning:
        if template.refusal is not None:
            raise UnsupportedError(template.refusal.position, template.refusal.what)
        for declaration in template.declarations:
            if isinstance(declaration, s.Instantiation | s.PriorityDeclaration | s.TemplateDeclaration):
                raise InputError(declaration.position, "this declaration is not allowed inside a template")
            self._declare(declaration, scope, f"{name}.")
        if template.initial is None:
            raise InputError(template.position, f"template {template.name} has no initial location")
        index = len(self.processes)
        names: dict[str, LocationMeaning] = {}
        locations: list[TimedLocation] = []
        for number, syntax in enumerate(template.locations):
            if syntax.name in names:
                raise InputError(syntax.position, f"location {syntax.name!r} is declared twice")
            names[syntax.name] = LocationMeaning(index, number)
            locations.append(self._location(syntax, number, scope, index))
        if template.initial not in names:
            raise InputError(template.position, f"unknown initial location {template.initial!r}")
        edges: list[TimedEdge] = []
        for origin, syntax_edge in enumerate(template.edges):
            for end in (syntax_edge.source, syntax_edge.target):
                if end not in names:
                    raise InputError(syntax_edge.position, f"unknown location {end!r}")
            source, target = names[syntax_edge.source].location, names[syntax_edge.target].location
            for edge in self._edge(syntax_edge, scope, TimedEdge(0, index, source, target, origin=origin)):
                edges.append(replace(edge, index=len(edges)))
            if self._edges + len(edges) > _EDGE_LIMIT:
                raise UnsupportedError(syntax_edge.position, f"more than {_EDGE_LIMIT} edges")
        idle = idle_edges(edges, locations, self.layout.channels)
        if idle and len(self._document.system.levels) > 1:
            raise UnsupportedError(
                idle[0].position, "a clock guard on an edge that receives a broadcast, with process priorities"
            )
        edges += idle
        self._edges += len(edges)
        initial = names[template.initial].location
        self.processes.append(
            TimedProcess(index, name, template.name, tuple(locations), tuple(edges), initial, priority, position)
        )
        return ProcessMeaning(name, scope, names)

    def _location(self, syntax: s.LocationSyntax, index: int, scope: NameScope, process: int) -> TimedLocation:
        constraint = UNCONSTRAINED
        rates: tuple[ClockRate, ...] = ()
        if syntax.invariant is not None:
            stated, rates = without_rates(syntax.invariant, self.translator(scope))
            if stated is not None:
                constraint = invariant(self.translator(scope).formula(stated), syntax.invariant.position)
        for rate in rates:
            if self._rated.setdefault(rate.clock, process) != process:
                raise UnsupportedError(rate.position, "a clock with rates in two processes")
        return TimedLocation(
            index,
            syntax.name,
            constraint,
            syntax.urgent,
            syntax.committed,
            syntax.text,
            syntax.position,
            syntax.at,
            rates,
        )

    def _edge(self, syntax: s.EdgeSyntax, scope: NameScope, frame: TimedEdge) -> Iterator[TimedEdge]:
        for chosen, inner in self._selections(syntax.selects, scope):
            translator = self.translator(inner)
            constraints = (
                (UNCONSTRAINED,)
                if syntax.guard is None
                else guards(translator.formula(syntax.guard), syntax.guard.position)
            )
            synchronisation: Synchronisation | None = None
            if syntax.synchronisation is not None:
                timed = any(constraint.atoms for constraint in constraints)
                synchronisation = self._synchronisation(syntax.synchronisation, translator, timed)
            updates = self.translator(inner, pure=False).updates(syntax.updates)
            select, guard, sync, assign = syntax.texts
            text = EdgeText(chosen and f"{chosen} ({select})", guard, sync, assign, syntax.nails)
            for constraint in constraints:
                yield replace(
                    frame,
                    guard=constraint,
                    synchronisation=synchronisation,
                    updates=updates,
                    text=text,
                    position=syntax.position,
                )

    def _selections(self, selects: Sequence[s.Select], scope: NameScope) -> Iterator[tuple[str, NameScope]]:
        domains = []
        for select in selects:
            domains.append(self.translator(scope).domain(select.type))
        if self._copies * _combinations(domains) > _EDGE_LIMIT:
            raise UnsupportedError(selects[0].position, f"more than {_EDGE_LIMIT} edges for the values of a selection")
        for values in product(*(range(domain.low, domain.high + 1) for domain in domains)):
            inner = NameScope(scope)
            for select, domain, value in zip(selects, domains, values, strict=True):
                inner.bind(select.name, IntegerMeaning(Constant(value), domain))
            yield ", ".join(f"{select.name} = {value}" for select, value in zip(selects, values, strict=True)), inner

    def _synchronisation(self, syntax: s.SynchronisationSyntax, translator: Translator, timed: bool) -> Synchronisation:
        storage = translator.storage(syntax.channel)
        if not isinstance(storage.type, ChannelType):
            raise InputError(syntax.position, f"a channel expected, found {describe(storage)}")
        if timed and storage.type.urgent:
            raise UnsupportedError(syntax.position, "a clock guard on an edge with an urgent channel")
        return Synchronisation(storage.channels, syntax.sends, syntax.position)


def _combinations(domains: Iterable[NumberType]) -> int:
    return prod(max(domain.high - domain.low + 1, 0) for domain in domains)


def _bind(scope: NameScope, name: str, meaning: Meaning, position: Position) -> None:
    if scope.own(name) is not None:
        raise InputError(position, f"{name!r} is declared twice")
    scope.bind(name, meaning)

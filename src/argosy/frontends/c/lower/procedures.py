"""From templates to functions that meet in contracts (``models.contracts``): calls in a cycle are not copied.

A call that closes no cycle is a copy of its callee, as in ``inline``. The variables of one call are those that
``inline`` saves and restores. Where pointers lead to some of these, the variables of several calls would have to be
told apart, and there is no such automaton.
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.errors import UnsupportedError
from argosy.basics.records import replace
from argosy.frontends.c.elaborate.calls import Shape
from argosy.frontends.c.lower.graph import ENTRY, ERROR, Call, Template, TemplateStep
from argosy.frontends.c.lower.inline import START, assembled, frames_of, is_recursive
from argosy.frontends.c.symbols import RESULT, Unit
from argosy.frontends.c.unsupported import Construct, error
from argosy.logic.sorts import BOOL
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Assume, Havoc, Operation, Relation, read, written
from argosy.models.contracts import Hole, Procedures, Signature


def procedures(unit: Unit, templates: Mapping[str, Template]) -> Procedures | str:
    """The functions of a program with calls in a cycle, or why there are no contracts of them."""
    frames = frames_of(unit, templates)
    for name, frame in frames.items():
        for term in frame:
            if term in unit.objects and unit.objects[term].address_taken:
                return f"recursive call of {name}, which takes the address of {unit.objects[term].name}"
    try:
        return _Procedures(unit, templates, frames).made()
    except UnsupportedError as refused:
        return str(refused)


class _Procedures:
    def __init__(self, unit: Unit, templates: Mapping[str, Template], frames: Mapping[str, tuple[Term, ...]]) -> None:
        self._unit = unit
        self._terms = unit.terms
        self._templates = templates
        self._frames = frames
        self._framed = frozenset(term for frame in frames.values() for term in frame)
        self._holes: dict[Term, Hole] = {}
        self._names: set[str] = set()
        self._read, self._written = self._uses()
        self._signatures = {name: self._signature(name) for name in frames}

    def made(self) -> Procedures:
        templates = {name: self._with_holes(template) for name, template in self._templates.items()}
        if is_recursive(templates):
            raise error(self._templates[START].position, "a cycle of calls that the text does not show", Construct.SIZE)
        templates[START] = self._with_beginnings(templates[START])
        return Procedures(assembled(self._unit, templates), self._holes, self._signatures)

    # ---- what functions are about -------------------------------------------------------------------------

    def _uses(self) -> tuple[dict[str, frozenset[Term]], dict[str, frozenset[Term]]]:
        """What a call of each function may read and write, with all that it calls."""
        reads: dict[str, set[Term]] = {}
        writes: dict[str, set[Term]] = {}
        callees: dict[str, set[str]] = {}
        for name, template in self._templates.items():
            reads[name], writes[name], callees[name] = set(), set(), set()
            for step in template.steps:
                reads[name].update(*(variables(check.condition) for check in step.checks))
                if isinstance(step.action, Call):
                    callees[name].add(step.action.function)
                    for parameter, value in step.action.arguments:
                        writes[name].add(parameter)
                        reads[name].add(value)
                else:
                    reads[name].update(read(_operation(step)))
                    writes[name].update(written(_operation(step)))
        grew = True
        while grew:
            grew = False
            for name, called in callees.items():
                for own in (reads, writes):
                    before = len(own[name])
                    own[name].update(*(own[callee] for callee in called))
                    grew = grew or len(own[name]) > before
        return ({n: frozenset(s) for n, s in reads.items()}, {n: frozenset(s) for n, s in writes.items()})

    def _signature(self, name: str) -> Signature:
        """Parameters, and whatever outlives a call. The variables of functions that are copied are left out: nothing is
        said of them."""
        unit, frame = self._unit, set(self._frames[name])
        shape: Shape = unit.signatures[name]
        given = [term for parameter in shape.parameters for term in unit.all_parts(parameter) if term in frame]
        left: list[Term] = []
        result = () if shape.result is None else tuple(unit.all_parts(shape.result))
        used = self._read[name] | self._written[name]
        for term in unit.variables:
            if term in used and self._outlives(term):
                given.append(term)
                if term in self._written[name]:
                    left.append(term)
        result = tuple(term for term in result if term in self._written[name])
        kept = tuple((term, self._kept(name, term)) for term in given)
        return Signature(name, kept, (*result, *left), result, self._templates[name].position)

    def _outlives(self, term: Term) -> bool:
        if term in self._framed or term in self._unit.opaque:
            return False
        symbol = self._unit.objects.get(term)
        if symbol is None:
            return not self._unit.variables[term].function
        return symbol.name != RESULT and (not symbol.function or symbol.lasting or symbol.address_taken)

    def _kept(self, function: str, term: Term) -> Term:
        """The variable for the value that another one has when a call begins."""
        own = self._unit.variables[term]
        name = f"{function}::old({own.name})"
        while name in self._names:
            name += "#"
        self._names.add(name)
        kept = self._terms.var(name, term.sort)
        said = replace(own, term=kept, name=f"old({own.name})", function=function)
        self._unit.variables[kept] = said
        return kept

    # ---- steps --------------------------------------------------------------------------------------------

    def _hole(self, function: str, ends: bool, arguments: tuple[Term, ...]) -> Term:
        word = "ensures" if ends else "requires"
        hole = self._terms.var(f"{word} {function} {len(self._holes)}", BOOL)
        self._holes[hole] = Hole(function, ends, arguments)
        return hole

    def _with_holes(self, template: Template) -> Template:
        steps: list[TemplateStep] = []
        for step in template.steps:
            if isinstance(step.action, Call) and step.action.function in self._frames:
                steps.extend(self._call(template.function, step, step.action))
            else:
                steps.append(step)
        return replace(template, steps=tuple(steps))

    def _call(self, caller: str, step: TemplateStep, call: Call) -> tuple[TemplateStep, TemplateStep]:
        signature = self._signatures[call.function]
        passed = dict(call.arguments)
        arguments = tuple(passed.get(term, term) for term in signature.required)
        own = frozenset(self._frames.get(caller, ()))
        changed = [term for term in self._unit.variables if term in self._written[call.function] and term not in own]
        new = {term: self._terms.var(f"{term.name}'", term.sort) for term in changed}
        outside = self._terms.not_(self._hole(call.function, False, arguments))
        ensured = self._hole(call.function, True, (*arguments, *(new[term] for term in signature.left)))
        wrong = replace(step, target=ERROR, action=Assume(outside), text=f"{step.text}, outside its precondition")
        return wrong, replace(step, action=Relation(ensured, tuple(new.items())))

    def _with_beginnings(self, start: Template) -> Template:
        """The program starts, or some function does."""
        moved = start.points

        def at(point: int) -> int:
            return moved if point == ENTRY else point

        steps = [TemplateStep(ENTRY, moved, Assume(self._terms.true), start.position, "start")]
        steps += [replace(step, source=at(step.source), target=at(step.target)) for step in start.steps]
        points = moved + 1
        for name, signature in self._signatures.items():
            where = signature.position
            begin: Operation = Assume(self._hole(name, False, signature.required))
            steps.append(TemplateStep(ENTRY, points, begin, where, f"{name} begins"))
            for variable, kept in signature.given:
                said = self._unit.variables[kept].name
                text = f"{said} = {self._unit.variables[variable].name}"
                steps.append(TemplateStep(points, points + 1, Assign(kept, variable), where, text))
                points += 1
            steps.append(TemplateStep(points, points + 1, Call(name), where, name))
            outside = self._terms.not_(self._hole(name, True, signature.ensured))
            text = f"{name} ends, outside its postcondition"
            steps.append(TemplateStep(points + 1, ERROR, Assume(outside), where, text))
            points += 2
        labels = {at(point): label for point, label in start.labels.items()}
        loops = tuple((at(point), loop) for point, loop in start.loops)
        return replace(start, points=points, steps=tuple(steps), exit=at(start.exit), labels=labels, loops=loops)


def _operation(step: TemplateStep) -> Assume | Assign | Havoc:
    assert isinstance(step.action, Assume | Assign | Havoc)
    return step.action

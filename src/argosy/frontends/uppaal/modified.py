"""Which names a template assigns: a value parameter among them is a variable of the process, not a constant."""

from __future__ import annotations

from collections.abc import Iterator

import argosy.frontends.uppaal.syntax as s
from argosy.frontends.uppaal.meanings import FunctionMeaning, NameScope


def assigned_names(template: s.TemplateDeclaration, scope: NameScope) -> frozenset[str]:
    """Names that stand at the left of an assignment or are passed by reference, anywhere in the template.

    A name that is hidden by a local variable counts as well, which costs a variable and changes nothing else."""
    functions = {d.name: d for d in template.declarations if isinstance(d, s.FunctionDeclaration)}
    found: set[str] = set()
    for expression in _expressions(template):
        match expression:
            case s.AssignSyntax(_, target) | s.StepSyntax(_, _, target):
                found |= _root(target)
            case s.Apply(s.NameSyntax(name), arguments):
                function = functions.get(name)
                outer = scope.lookup(name)
                if function is None and isinstance(outer, FunctionMeaning):
                    function = outer.declaration
                if function is not None:
                    for parameter, argument in zip(function.parameters, arguments, strict=False):
                        if parameter.reference:
                            found |= _root(argument)
    return frozenset(found)


def _root(expression: s.Expression) -> set[str]:
    match expression:
        case s.NameSyntax(name):
            return {name}
        case s.IndexSyntax(array):
            return _root(array)
        case s.Member(owner):
            return _root(owner)
        case s.ChoiceSyntax(_, then, otherwise):
            return _root(then) | _root(otherwise)
    return set()


def _expressions(template: s.TemplateDeclaration) -> Iterator[s.Expression]:
    pending: list[object] = [template]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(node)
        elif isinstance(node, s.SyntaxNode):
            if isinstance(node, s.AssignSyntax | s.StepSyntax | s.Apply):
                yield node
            pending.extend(getattr(node, name) for name in node.__dataclass_fields__ if name != "position")

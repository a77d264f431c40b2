"""What stands in the texts of a network: places, statements, and which scratch memory belongs to which function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from argosy.models.network import Network
from argosy.models.network_expressions import (
    ArrayRun,
    Assignment,
    Binary,
    Conditional,
    Constant,
    Copy,
    Evaluate,
    Expression,
    FunctionCall,
    If,
    NetworkPlace,
    Read,
    Reset,
    Return,
    Statement,
    Subscript,
    Unary,
    While,
)


def own_scratch(network: Network) -> list[frozenset[int]]:
    """By function: the scratch memory that it alone uses."""
    variables = len(network.variables)
    used: list[set[int]] = []
    for function in network.functions:
        slots = {p.slot + k for p in function.parameters for k in range(p.size)}
        slots |= {slot for place in places_of(function.body) for slot in cells(place) if slot >= variables}
        used.append(slots)
    outside: set[int] = set()
    for process in network.processes:
        for edge in process.edges:
            parts = [
                edge.guard.condition,
                *(part for atom in edge.guard.atoms for part in (atom.bound, atom.condition)),
            ]
            statements = [*edge.updates, *(Evaluate(part) for part in parts)]
            outside |= {slot for place in places_of(statements) for slot in cells(place)}
        for location in process.locations:
            parts = [location.invariant.condition]
            parts += [part for atom in location.invariant.atoms for part in (atom.bound, atom.condition)]
            outside |= {slot for place in places_of([Evaluate(p) for p in parts]) for slot in cells(place)}
    return [
        frozenset(own - outside - {s for other, its in enumerate(used) if other != index for s in its})
        for index, own in enumerate(used)
    ]


def cells(place: NetworkPlace) -> range:
    low, high = span(*folded(place))
    return range(low, high + 1)


def span(base: int, subscripts: Sequence[Subscript]) -> tuple[int, int]:
    return base, base + sum((s.size - 1) * s.stride for s in subscripts)


def folded(place: NetworkPlace) -> tuple[int, tuple[Subscript, ...]]:
    """Without the subscripts that are known and in range."""
    base, rest = place.base, []
    for subscript in place.subscripts:
        index = subscript.index
        if isinstance(index, Constant) and 0 <= index.value - subscript.low < subscript.size:
            base += (index.value - subscript.low) * subscript.stride
        else:
            rest.append(subscript)
    return base, tuple(rest)


def statements_in(body: Sequence[Statement]) -> Iterator[Statement]:
    for statement in body:
        yield statement
        match statement:
            case If(_, then, otherwise):
                yield from statements_in(then)
                yield from statements_in(otherwise)
            case While(_, inside):
                yield from statements_in(inside)


def places_of(body: Sequence[Statement]) -> Iterator[NetworkPlace]:
    """Places of variables in statements, without those inside called functions."""
    for statement in statements_in(body):
        match statement:
            case Evaluate(expression) | If(expression) | While(expression) | Return(expression) if (
                expression is not None
            ):
                yield from places_in(expression)
            case Copy(target, source, size):
                for place in (target, source):
                    for offset in range(size):
                        yield NetworkPlace(place.base + offset, place.subscripts)
                    for subscript in place.subscripts:
                        yield from places_in(subscript.index)
            case Reset(clock, value):
                yield from places_in(value)
                for subscript in clock.subscripts:
                    yield from places_in(subscript.index)


def places_in(expression: Expression) -> Iterator[NetworkPlace]:
    match expression:
        case Read(place):
            yield place
            for subscript in place.subscripts:
                yield from places_in(subscript.index)
        case Assignment(target, value):
            yield target
            for subscript in target.subscripts:
                yield from places_in(subscript.index)
            yield from places_in(value)
        case Unary(_, operand):
            yield from places_in(operand)
        case Binary(_, left, right):
            yield from places_in(left)
            yield from places_in(right)
        case Conditional(condition, then, otherwise):
            for part in (condition, then, otherwise):
                yield from places_in(part)
        case FunctionCall(_, arguments):
            for argument in arguments:
                if isinstance(argument, ArrayRun):
                    for offset in range(argument.size):
                        yield NetworkPlace(argument.place.base + offset, argument.place.subscripts)
                    for subscript in argument.place.subscripts:
                        yield from places_in(subscript.index)
                else:
                    yield from places_in(argument)

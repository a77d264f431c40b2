"""Pointers to arrays of variable length: parameters such as ``int a[n][m]``, ``int (*row)[m]``, casts (C11 6.7.6.2).

The type of such a pointer knows how many elements there are in each dimension, evaluated where it was declared
(``rows`` computes with them).
"""

from __future__ import annotations

from pycparser import c_ast as c

from argosy.basics.errors import InputError
from argosy.basics.records import replace
from argosy.frontends.c.elaborate.rows import is_open
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.source import Node
from argosy.frontends.c.types import Array, Integer, Pointer, Type


def measured(whole: Elaborated, type_: Type, node: Node, parameter: bool = False) -> Type:
    """The type of a declared pointer, with the lengths of what it leads to; any other type as it is."""
    if not isinstance(type_, Pointer) or not isinstance(type_.target, Array) or not is_open(type_.target):
        return type_
    while isinstance(node, c.Decl | c.Typename | c.TypeDecl):
        node = node.type
    if not isinstance(node, c.PtrDecl) and not (parameter and isinstance(node, c.ArrayDecl)):
        return type_
    target = _with_counts(whole, type_.target, node.type)
    return type_ if target is None else replace(type_, target=target)


def _with_counts(whole: Elaborated, type_: Type, node: Node) -> Type | None:
    """None where the text does not say all lengths here, as where the type has a name."""
    if not isinstance(type_, Array):
        return type_
    if not is_open(type_):
        return type_
    if not isinstance(node, c.ArrayDecl) or node.dim is None:
        return None
    count = whole.value(node.dim)
    if not isinstance(count.type, Integer):
        raise InputError(count.original.position, "the length of an array is no integer")
    count = whole.save(count, node.dim)
    element = _with_counts(whole, type_.element, node.type)
    return None if element is None else Array(element, type_.length, count)

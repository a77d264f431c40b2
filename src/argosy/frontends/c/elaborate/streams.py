"""Functions that read input into memory, written out where they are called.

``fgets`` (C11 7.21.7.2), ``fread`` (7.21.8.1), ``read`` and its relatives (POSIX), ``time`` (7.27.2.4).

Into characters they write one after the other, as many as the result says and no more. An object that is asked for as a
whole gets any value, or the first of its bytes do where less was read. Anything else is opaque afterwards.
What ``fgets`` leaves behind where it fails is opaque: the text as it was, or, after an error, anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast as c

from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.library import BEYOND, OPAQUE
from argosy.frontends.c.source import Node
from argosy.frontends.c.types import Array, Integer, Pointer, Type

# By the name: which argument says where to write, which one how many elements (the one between them is the size of an
# element), how many arguments there are, and the result of a failure, where that is not what was read so far.
_READS = {
    "read": (2, 3, 3, -1),
    "pread": (2, 3, 4, -1),
    "recv": (2, 3, 4, -1),
    "getrandom": (1, 2, 3, -1),
    "fread": (1, 3, 4, 0),
}
STREAMS = frozenset((*_READS, "fgets", "time"))

# Larger objects that are no text get any value as a whole, whatever the result.
MOST_BYTES = 64

_SIZE = "__typeof__(sizeof 0)"
_FGETS = f"""({{
    char *__argosy_to = (char *) (A1), *__argosy_result = 0; int __argosy_most = A2, __argosy_i; (void) (A3);
    if (__argosy_most <= 0) {BEYOND}("fgets of no characters");
    int __argosy_count = __VERIFIER_nondet_int();
    __VERIFIER_assume(__argosy_count >= -1 && __argosy_count < __argosy_most);
    __VERIFIER_assume(__argosy_count != 0 || __argosy_most == 1);
    if (__argosy_count >= 0) {{
        for (__argosy_i = 0; __argosy_i < __argosy_count; __argosy_i++) {{
            char __argosy_c = __VERIFIER_nondet_char();
            __VERIFIER_assume(__argosy_c != 10 || __argosy_i + 1 == __argosy_count);
            __argosy_to[__argosy_i] = __argosy_c;
        }}
        __argosy_to[__argosy_count] = 0;
        __argosy_result = __argosy_to;
    }} else if ({OPAQUE}fgets()) {{
        for (__argosy_i = 0; __argosy_i < __argosy_most; __argosy_i++)
            __argosy_to[__argosy_i] = (char) {OPAQUE}fgets();
    }}
    __argosy_result; }})"""


def text_of(whole: Elaborated, name: str, given: Sequence[Node], result: Type) -> str | None:
    """The statement expression of a call, in which ``A1`` and so on stand for its arguments; None where it is to be
    read as a call: nothing is known of its arguments, or memory is watched and they lead to what is no text."""
    types = [whole.type_of(each) for each in given]
    if name == "fgets":
        good = len(given) == 3 and _is_text(types[0]) and isinstance(types[1], Integer) and isinstance(result, Pointer)
        return _FGETS if good else None
    if name == "time":
        target = _target(types[0]) if len(types) == 1 else None
        if not isinstance(target, Integer) or target != result:
            return None
        return f"""({{ __typeof__(&*(A1)) __argosy_to = A1; {result} __argosy_now = __VERIFIER_nondet_long();
            if (__argosy_to) *__argosy_to = __argosy_now; __argosy_now; }})"""
    to, number, count, failed = _READS[name]
    if len(given) != count or not isinstance(types[number - 1], Integer) or not isinstance(result, Integer):
        return None
    size = whole.constant(given[1]) if number - to == 2 else 1
    others = [index for index in range(1, count + 1) if index not in (to, number)]
    kept = " ".join(f"(void) (A{index});" for index in others)
    head = f"""{_SIZE} __argosy_most = A{number}, __argosy_i; {kept}
        {result} __argosy_count = __VERIFIER_nondet_{"long" if result.width == 64 else "int"}();
        __VERIFIER_assume(__argosy_count == {failed} || (__argosy_count >= 0 && __argosy_count <= __argosy_most));"""
    if _is_text(types[to - 1]) and size == 1:
        return f"""({{ char *__argosy_to = (char *) (A{to}); {head}
            for (__argosy_i = 0; __argosy_count > 0 && __argosy_i < __argosy_count; __argosy_i++)
                __argosy_to[__argosy_i] = __VERIFIER_nondet_char();
            __argosy_count; }})"""
    if whole.unit.watched:
        return None
    bytes_of_it = _whole(whole, given[to - 1], size, given[number - 1])
    if bytes_of_it is not None and (bytes_of_it > MOST_BYTES or size is None):
        return None
    if bytes_of_it is not None:
        part = f"{_SIZE} __argosy_part = __VERIFIER_nondet_ulong(); __VERIFIER_assume(__argosy_part < {size});"
        return f"""({{ {head} if (__argosy_count == __argosy_most) __VERIFIER_nondet_memory(A{to});
            else if (__argosy_count >= 0) {{ {part if size != 1 else f"{_SIZE} __argosy_part = 0;"}
                for (__argosy_i = 0; __argosy_i < __argosy_count * {size} + __argosy_part; __argosy_i++)
                    ((char *) (A{to}))[__argosy_i] = __VERIFIER_nondet_char(); }} __argosy_count; }})"""
    return f"({{ void *__argosy_to = (void *) (A{to}); {head} {OPAQUE}{name}(__argosy_to); __argosy_count; }})"


def _target(type_: Type) -> Type | None:
    return type_.element if isinstance(type_, Array) else type_.target if isinstance(type_, Pointer) else None


def _is_text(type_: Type) -> bool:
    target = _target(type_)
    const = isinstance(type_, Pointer) and "const" in type_.qualifiers
    return isinstance(target, Integer) and target.width == 8 and not const


def _whole(whole: Elaborated, node: Node, size: int | None, number: Node) -> int | None:
    """How many bytes an object by its name has, where that is how many are asked for."""
    while isinstance(node, c.Cast):
        node = node.expr
    if isinstance(node, c.UnaryOp) and node.op == "&":
        node = node.expr
    elif not (isinstance(node, c.ID) and isinstance(whole.type_of(node), Array)):
        return None
    count = whole.constant(number)
    if not isinstance(node, c.ID) or size is None or count is None:
        return None
    return size * count if whole.unit.model.size(whole.type_of(node)) == size * count else None

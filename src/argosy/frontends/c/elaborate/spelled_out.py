"""Functions of the library whose meaning needs the types of their arguments, written out where they are called.

``qsort`` moves elements as what they are, and not as bytes; ``memcpy``, ``memmove`` and ``memset`` go through loops
over the elements where the number of bytes is not constant or large, or where both may be one object; no part of an
element is left over. The text is a
statement expression of GNU C; its names begin with ``__argosy_``, and the arguments stand for ``A1``, ``A2`` and so on.
What the standard leaves open is an uninitialised variable: ``qsort`` may leave equal elements in any order (C11
7.22.5.2, 4). ``realloc`` moves every block: what it keeps is copied element by element (7.22.3.5).
"""

from __future__ import annotations

from functools import cache

from pycparser import c_ast as c

from argosy.frontends.c import literals
from argosy.frontends.c.elaborate.formatted import FORMATTED, cut_text_of, text_of
from argosy.frontends.c.elaborate.printed import PRINTING, PUTTING, text_of_putting
from argosy.frontends.c.elaborate.printed import text_of as printed
from argosy.frontends.c.elaborate.scanned import SCANNED
from argosy.frontends.c.elaborate.scanned import text_of as scanned
from argosy.frontends.c.elaborate.streams import STREAMS
from argosy.frontends.c.elaborate.streams import text_of as text_of_stream
from argosy.frontends.c.elaborate.whole import Elaborated
from argosy.frontends.c.lexer import lex
from argosy.frontends.c.library import BEYOND, KEPT
from argosy.frontends.c.memory import MOST_CELLS
from argosy.frontends.c.source import Node, expression_of
from argosy.frontends.c.symbols import FunctionName, position_of
from argosy.frontends.c.types import Array, BinaryFloat, Function, Integer, Pointer, StructureType, Type, Void

_SIZE = "__typeof__(sizeof 0)"
# How many elements there are, of one byte or of more.
_COUNT = f"{_SIZE} __argosy_count = A3, __argosy_i;"
_WHOLE = f"""{_SIZE} __argosy_size = A3, __argosy_count = __argosy_size / sizeof(*(A1)), __argosy_i;
    if (__argosy_size % sizeof(*(A1))) {BEYOND}("a part of an element is filled or copied");"""
_BYTES = f"""__typeof__(&*(A1)) __argosy_to = A1; __typeof__(&*(A2)) __argosy_from = A2; {_COUNT}"""
TEXTS = {
    "qsort": f"""({{
    __typeof__(&*(A1)) __argosy_base = A1;
    {_SIZE} __argosy_count = A2, __argosy_i, __argosy_j;
    int (*__argosy_compare)(const void *, const void *) = A4;
    for (__argosy_i = 1; __argosy_i < __argosy_count; __argosy_i++) {{
        __typeof__(*(A1)) __argosy_taken = __argosy_base[__argosy_i];
        for (__argosy_j = __argosy_i; __argosy_j > 0; __argosy_j--) {{
            _Bool __argosy_stays;
            int __argosy_order = __argosy_compare(&__argosy_base[__argosy_j - 1], &__argosy_taken);
            if (__argosy_order < 0 || (__argosy_order == 0 && __argosy_stays)) break;
            __argosy_base[__argosy_j] = __argosy_base[__argosy_j - 1];
        }}
        __argosy_base[__argosy_j] = __argosy_taken;
    }}
}})""",
    "memcpy": f"""({{ {_BYTES}
    for (__argosy_i = 0; __argosy_i < __argosy_count; __argosy_i++)
        __argosy_to[__argosy_i] = __argosy_from[__argosy_i];
    (void *) __argosy_to; }})""",
    "memmove": f"""({{ {_BYTES}
    __typeof__(*(A1)) __argosy_kept[__argosy_count + 1];
    for (__argosy_i = 0; __argosy_i < __argosy_count; __argosy_i++)
        __argosy_kept[__argosy_i] = __argosy_from[__argosy_i];
    for (__argosy_i = 0; __argosy_i < __argosy_count; __argosy_i++)
        __argosy_to[__argosy_i] = __argosy_kept[__argosy_i];
    (void *) __argosy_to; }})""",
    "realloc": f"""({{
    __typeof__(&(A3)) __argosy_old = (void *) (A1);
    {_SIZE} __argosy_room = A2;
    if (!__argosy_room) {BEYOND}("realloc of no bytes");
    __typeof__(&(A3)) __argosy_new = __builtin_malloc(__argosy_room);
    if (__argosy_old) {{
        {_SIZE} __argosy_count = {KEPT}(__argosy_old, __argosy_new), __argosy_i;
        for (__argosy_i = 0; __argosy_i < __argosy_count; __argosy_i++)
            __argosy_new[__argosy_i] = __argosy_old[__argosy_i];
        __builtin_free(__argosy_old);
    }}
    (void *) __argosy_new; }})""",
    "memset": f"""({{
    __typeof__(&*(A1)) __argosy_to = A1; int __argosy_value = A2; {_COUNT}
    for (__argosy_i = 0; __argosy_i < __argosy_count; __argosy_i++)
        __argosy_to[__argosy_i] = (unsigned char) __argosy_value;
    (void *) __argosy_to; }})""",
}
# A product that is no size makes the call fail, which is not modelled.
_PRODUCT = f"(({_SIZE}) (A2) * (A3))"
_MANY = f"""if (({_SIZE}) (A2) > ({_SIZE}) -1 / (A3)) {BEYOND}("reallocarray of more bytes than there are");"""
_ARRAYS = f"({{ {_MANY} __builtin_malloc({_PRODUCT}); }})"
TEXTS["reallocarray"] = TEXTS["realloc"].replace("A3", "A4").replace("A2;", f"{_PRODUCT}; {_MANY}")
# Of elements that are no characters.
_ZEROS = f"""({{ __typeof__(&*(A1)) __argosy_to = A1; {_WHOLE}
    for (__argosy_i = 0; __argosy_i < __argosy_count; __argosy_i++) __argosy_to[__argosy_i] = 0;
    (void *) __argosy_to; }})"""
_FILLING = frozenset(("memcpy", "memmove", "memset"))
_COUNTS = {"qsort": 4, "realloc": 2, "reallocarray": 3}


@cache
def _tree(text: str, name: str) -> Node:
    found = expression_of(lex(text, name).tokens, (), name)
    assert found is not None
    return found


def spelled_out(whole: Elaborated, callee: FunctionName, node: Node) -> Node | None:
    """The statement expression that a call stands for; None where it is to be read as a call."""
    name = callee.name.removeprefix("__builtin_")
    arguments = node.args.exprs if node.args is not None else []
    if name == "vsnprintf" or name in FORMATTED:
        return _formatted(whole, name, callee, node, list(arguments), FORMATTED.get(name, 3))
    if name in PRINTING and whole.unit.watched:
        return _formatted(whole, name, callee, node, list(arguments), PRINTING[name])
    if name in PUTTING and whole.unit.watched:
        put = text_of_putting(whole, name, list(arguments))
        return None if put is None else _with_arguments(_tree(put, name), list(arguments), node, whole)
    if name in SCANNED:
        return _formatted(whole, name, callee, node, list(arguments), SCANNED[name][0])
    if name in STREAMS and isinstance(callee.type, Function):
        given = [_plain(whole, each) for each in arguments]
        read = text_of_stream(whole, name, given, callee.type.result)
        return None if read is None else _with_arguments(_tree(read, name), given, node, whole)
    if name not in TEXTS or len(arguments) != _COUNTS.get(name, 3):
        return None
    given = list(arguments)
    if name == "reallocarray":
        if not whole.constant(given[2]) or whole.effects.of(given[1]) is not None:
            return None
        if whole.constant(given[0]) == 0:
            return _with_arguments(_tree(_ARRAYS, name), given, node, whole)
    pointers = range(2 if name in ("memcpy", "memmove") else 1)
    for index in pointers:
        given[index] = _plain(whole, given[index])
    if name in _FILLING and whole.constant(given[2]) is None:
        given = _of_elements(whole, given, len(pointers), node)
    for index in pointers:
        type_ = whole.type_of(given[index])
        if not _suits(whole, name, type_, given):
            return None
    if name in ("realloc", "reallocarray"):
        whole.unit.note(f"{name} does not fail, and gives another block")
        given.append(_element(whole, given[0]))
    elif name == "qsort":
        line = position_of(node).line
        whole.unit.note(f"line {line}: qsort compares as insertion sort does, by a function that orders all elements")
    else:
        target, size = _target(whole.type_of(given[0])), whole.constant(arguments[2])
        characters = target is not None and _is_character(target)
        if not characters and size is not None:
            return None
        if name != "memmove" and (size or 0) in range(1, MOST_CELLS + 1):
            return None
        if not characters:
            text = _ZEROS if name == "memset" else TEXTS[name].replace(_COUNT, _WHOLE)
            return _with_arguments(_tree(text, name), given, node, whole)
    return _with_arguments(_tree(TEXTS[name], name), given, node, whole)


def _formatted(
    whole: Elaborated, name: str, callee: FunctionName, node: Node, given: list[Node], at: int
) -> Node | None:
    """What a call with a format stands for, which is the last of the arguments up to there."""
    form = given[at - 1] if len(given) >= at else None
    result = callee.type.result if isinstance(callee.type, Function) else None
    if result != whole.unit.model.int_:
        return None
    written: str | None = None
    literal = name != "vsnprintf" and isinstance(form, c.Constant) and form.value.startswith('"')
    codes = literals.codes(form) if literal else None
    if codes is not None and min(codes, default=0) >= 0:
        write = text_of if name in FORMATTED else printed if name in PRINTING else scanned
        written = write(whole, name, "".join(map(chr, codes)).partition("\0")[0], given)
    if written is None:
        written = cut_text_of(whole, name, given)
    return None if written is None else _with_arguments(_tree(written, name), given, node, whole)


def written_out(whole: Elaborated, text: str, given: dict[str, Node], node: Node) -> Node:
    """An expression with nodes for the names in it, which stands where a node does."""
    return _substituted(_tree(text, "sizeof"), given, node, whole)


def _with_arguments(tree: Node, given: list[Node], node: Node, whole: Elaborated) -> Node:
    return _substituted(tree, {f"A{number}": each for number, each in enumerate(given, 1)}, node, whole)


def _plain(whole: Elaborated, node: Node) -> Node:
    """An argument without the casts to pointers to nothing in particular."""
    while isinstance(node, c.Cast) and _target(whole.type_of(node)) is None:
        node = node.expr
    return node


def _of_elements(whole: Elaborated, given: list[Node], pointers: int, node: Node) -> list[Node]:
    """Pointers to nothing in particular as pointers to what the other one leads to, or to characters, as which all that
    lies anywhere may be moved (6.5, 6 and 7)."""
    types = [whole.type_of(each) for each in given[:pointers]]
    known = [_target(type_) for type_ in types]
    if None not in known:
        return given
    first, last = known[0], known[-1]
    if first is not None:
        casts = ["A1", "((const __typeof__(*(A1)) *) (A2))"]
    elif last is not None:
        casts = ["((__typeof__(({ *(A2); })) *) (A1))", "A2"]  # without qualifiers
    else:
        casts = ["((unsigned char *) (A1))", "((const unsigned char *) (A2))"]
    names = {f"A{number}": each for number, each in enumerate(given, 1)}
    return [*(written_out(whole, cast, names, node) for cast in casts[:pointers]), *given[pointers:]]


def _target(type_: Type) -> Type | None:
    if isinstance(type_, Array):
        return type_.element
    return type_.target if isinstance(type_, Pointer) and not isinstance(type_.target, Void) else None


def _element(whole: Elaborated, pointer: Node) -> Node:
    """The first of the elements that a pointer leads to: of an array of arrays, what is none."""
    type_, found = _target(whole.type_of(pointer)), c.UnaryOp("*", pointer, pointer.coord)
    while isinstance(type_, Array):
        whole.unit.made_up[id(found)] = found
        type_, found = type_.element, c.ArrayRef(found, c.Constant("int", "0", pointer.coord), pointer.coord)
    whole.unit.made_up[id(found)] = found
    return found


def _suits(whole: Elaborated, name: str, type_: Type, given: list[Node]) -> bool:
    """Whether a text can be written for an argument of this type."""
    target = _target(type_)
    if target is None:
        return False
    if name == "qsort":
        return _is_sorted(whole, target, given)
    if name in ("realloc", "reallocarray"):
        const = isinstance(type_, Pointer) and "const" in type_.qualifiers
        return not const and bool(whole.unit.model.size(target)) and 0 not in map(whole.constant, given[1:])
    if _is_character(target):
        return True
    if name == "memset":
        return _is_scalar(target) and whole.constant(given[1]) == 0
    both = _target(whole.type_of(given[0])), _target(whole.type_of(given[1]))
    return both[0] == both[1] and (_is_scalar(target) or isinstance(target, StructureType))


def _is_sorted(whole: Elaborated, type_: Type, given: list[Node]) -> bool:
    own = whole.unit.model.size(type_)
    return own is not None and own > 0 and whole.constant(given[2]) == own


def _is_scalar(type_: Type) -> bool:
    return isinstance(type_, Integer | Pointer | BinaryFloat)


def _is_character(type_: Type) -> bool:
    return isinstance(type_, Integer) and type_.width == 8


def _substituted(tree: Node, given: dict[str, Node], call: Node, whole: Elaborated) -> Node:
    """A copy of a tree that stands where a call does, with arguments for the names of those."""
    if isinstance(tree, c.ID) and tree.name in given:
        return given[tree.name]
    made = object.__new__(type(tree))
    for name in (slot for kind in type(tree).__mro__ for slot in getattr(kind, "__slots__", ())):
        if name == "__weakref__" or not hasattr(tree, name):
            continue
        value = getattr(tree, name)
        if isinstance(value, c.Node):
            value = _substituted(value, given, call, whole)
        elif isinstance(value, list):
            value = [_substituted(each, given, call, whole) if isinstance(each, c.Node) else each for each in value]
        setattr(made, name, value)
    made.coord = call.coord
    whole.unit.made_up[id(made)] = made
    return made

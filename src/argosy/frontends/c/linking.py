"""Several files as one program (C11 5.1.1.1, 6.2.2): what each of them keeps to itself stays apart, the rest is linked.

The trees of the files are put one behind the other; each file keeps a scope for its type names, tags and enumeration
constants (``symbols.Scopes``). A name of internal linkage that another file has too gets the name of its file behind
it, ``state@stack.c``, which no identifier of C can be. A structure that two files define by the same words is one type;
that its members have the same types in both is checked when they are read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pycparser import c_ast as c

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.c.source import Node, Syntax
from argosy.frontends.c.tokens import OWN_FILE, Lexed, layout_words
from argosy.frontends.c.tree import children, walk

_OFFSETS = ("offsetof", "__builtin_offsetof")


@dataclass(frozen=True, slots=True)
class FileNames:
    """What a file declares outside of functions, by name: whether it is ``internal``, and whether it is ``defined``
    there (an object without an initialiser is, tentatively). ``elsewhere`` is what it takes from other files inside of
    functions: by a declaration there, or by a call without any."""

    internal: frozenset[str]
    external: frozenset[str]
    defined: frozenset[str]
    functions: frozenset[str]
    elsewhere: frozenset[str]


def names_of(syntax: Syntax) -> FileNames:
    tree = syntax.tree
    only_inline = _only_inline(syntax)
    internal: set[str] = set()
    external: set[str] = set()
    defined: set[str] = set()
    functions: set[str] = set()
    for node in tree.ext:
        declaration = node.decl if isinstance(node, c.FuncDef) else node
        if not isinstance(declaration, c.Decl) or declaration.name is None:
            continue
        name, storage = declaration.name, declaration.storage or ()
        has_body = isinstance(node, c.FuncDef)
        if "static" in storage or name in internal or name in only_inline:
            internal.add(name)
        else:
            external.add(name)
        if has_body or (not isinstance(declaration.type, c.FuncDecl) and "extern" not in storage):
            defined.add(name)
        if has_body:
            functions.add(name)
    elsewhere = set(_taken_inside(tree)) - internal - external
    return FileNames(
        frozenset(internal),
        frozenset(external - internal),
        frozenset(defined),
        frozenset(functions),
        frozenset(elsewhere),
    )


def _only_inline(syntax: Syntax) -> set[str]:
    """The functions that have no definition which other files could call: all that is said of them outside of functions
    is inline and not extern (6.7.4, 7). For GNU C before C99 they are those whose definition is extern."""
    old: dict[str, bool] = {}
    only: dict[str, bool] = {}
    for node in syntax.tree.ext:
        has_body = isinstance(node, c.FuncDef)
        declaration = node.decl if has_body else node
        if not isinstance(declaration, c.Decl) or not isinstance(declaration.type, c.FuncDecl):
            continue
        name, is_extern = declaration.name, "extern" in (declaration.storage or ())
        is_inline = "inline" in (declaration.funcspec or ())
        only[name] = only.get(name, True) and is_inline and not is_extern
        if has_body:
            old[name] = is_inline and is_extern
    lexed = syntax.lexed
    return {name for name in old if (old if lexed.old_inline or name in lexed.gnu_inline else only)[name]}


def _taken_inside(tree: Node) -> Iterator[str]:
    for node in walk(tree):
        match node:
            case c.FuncCall(name=c.ID(name=name)):
                yield name
            case c.Decl(name=name, storage=storage) if "extern" in (storage or ()):
                yield name


def needed(files: Sequence[Syntax], entry: str, where: str) -> list[Syntax]:
    """Those of many files that a program which begins with a function is made of: the one that defines it, and those
    that define what these name. Raises InputError where there is none, or more than one."""
    known = [names_of(each) for each in files]
    first = [number for number, names in enumerate(known) if entry in names.functions]
    if len(first) != 1:
        found = " and ".join(files[number].path for number in first)
        said = f"{entry} is defined in {found}: name the files" if first else f"no function {entry}"
        raise InputError(Position(where, 1, 1), said)
    chosen, work = dict.fromkeys(first), list(first)
    while work:
        number = work.pop()
        names = {node.name for node in walk(files[number].tree) if isinstance(node, c.ID)}
        weak = files[number].lexed.weak
        wanted = names - known[number].internal - (known[number].functions - weak)
        for other, theirs in enumerate(known):
            if other not in chosen and wanted & theirs.external & theirs.defined:
                chosen[other] = None
                work.append(other)
    return [files[first[0]], *(files[number] for number in sorted(chosen) if number != first[0])]


def linked(files: Sequence[Syntax]) -> Syntax:
    """One syntax for all of them."""
    if len(files) == 1:
        return files[0]
    _override(files)
    known = [names_of(each) for each in files]
    bases = [os.path.basename(each.path) for each in files]
    for number, (own, syntax) in enumerate(zip(known, files, strict=True)):
        behind = bases[number] if bases.count(bases[number]) == 1 else syntax.path
        clashing = {name for name in own.internal if _clashes(name, number, known)}
        if clashing:
            names = {name: f"{name}{OWN_FILE}{behind}" for name in clashing}
            _rename(syntax.tree, names)
            lexed = syntax.lexed
            lexed.constructors = {names.get(name, name): at for name, at in lexed.constructors.items()}
            lexed.destructors = {names.get(name, name): at for name, at in lexed.destructors.items()}
    tree = c.FileAST([node for each in files for node in each.tree.ext])
    starts, count = [], 0
    for each in files:
        starts.append(count)
        count += len(each.tree.ext)
    notes = tuple(dict.fromkeys(note for each in files for note in each.notes))
    return Syntax(
        tree,
        _merged([each.lexed for each in files]),
        notes,
        all(each.in_place for each in files),
        files[0].path,
        tuple(starts),
        _tag_groups(files),
    )


def _override(files: Sequence[Syntax]) -> None:
    """A weak definition gives way to one that is not weak in another file, whatever linkers are asked first."""
    strong = [names_of(each) for each in files]
    for number, each in enumerate(files):
        others = [(files[other].lexed.weak, names) for other, names in enumerate(strong) if other != number]
        gone = {
            name
            for name in each.lexed.weak & strong[number].external & strong[number].defined
            if any(name in names.external & names.defined and name not in weak for weak, names in others)
        }
        each.tree.ext = [_declared(node, gone) for node in each.tree.ext]


def _declared(node: Node, gone: set[str]) -> Node:
    """Of a definition that gives way the declaration."""
    declaration = node.decl if isinstance(node, c.FuncDef) else node
    if not isinstance(declaration, c.Decl) or declaration.name not in gone:
        return node
    if not isinstance(declaration.type, c.FuncDecl):
        declaration.storage = ["extern", *(word for word in declaration.storage or () if word != "extern")]
        declaration.init = None
    return declaration


def _clashes(name: str, number: int, known: Sequence[FileNames]) -> bool:
    """The first of those that have it for themselves keeps the name, unless all other files mean something else."""
    others = [names for other, names in enumerate(known) if other != number]
    if any(name in names.external or name in names.elsewhere for names in others):
        return True
    return any(name in names.internal for names in known[:number])


def _merged(parts: Sequence[Lexed]) -> Lexed:
    whole = Lexed()
    for part in parts:
        whole.tokens.extend(part.tokens)
        whole.noreturn |= part.noreturn
        whole.weak |= part.weak
        whole.gnu_inline |= part.gnu_inline
        whole.symbols.update(part.symbols)
        whole.returns_twice |= part.returns_twice
        whole.constructors.update(part.constructors)
        whole.destructors.update(part.destructors)
        whole.assumptions.update(part.assumptions)
        whole.layout = whole.layout or part.layout
        whole.aligned = whole.aligned or part.aligned
        whole.aligned_member = whole.aligned_member or part.aligned_member
        whole.words_to_check |= part.words_to_check
    return whole


# ---- names --------------------------------------------------------------------------------------------------------


def _rename(tree: Node, names: dict[str, str]) -> None:
    """Everywhere in a file, what stands for a variable or a function; members and labels have names of their own."""
    work: list[tuple[Node, bool]] = [(tree, False)]
    while work:
        node, member = work.pop()
        match node:
            case c.ID() | c.Enumerator():
                node.name = names.get(node.name, node.name)
            case c.Decl():
                if not member:
                    node.name = names.get(node.name, node.name)
                    _rename_declared(node.type, names)
        for child, is_member in _inside(node):
            work.append((child, is_member))


def _rename_declared(type_: Node, names: dict[str, str]) -> None:
    while type_ is not None and not isinstance(type_, c.TypeDecl):
        type_ = getattr(type_, "type", None)
    if type_ is not None:
        type_.declname = names.get(type_.declname, type_.declname)


def _inside(node: Node) -> Iterator[tuple[Node, bool]]:
    """The nodes below one that may name variables; the declarations of members are told."""
    match node:
        case c.StructRef():
            yield node.name, False
        case c.NamedInitializer():
            yield from ((each, False) for each in node.name if not isinstance(each, c.ID))
            yield node.expr, False
        case c.FuncCall(name=c.ID(name=name)) if name in _OFFSETS:
            return
        case _:
            record = isinstance(node, c.Struct | c.Union)
            yield from ((child, record) for child in children(node))


# ---- types ---------------------------------------------------------------------------------------------------------


def _tag_groups(files: Sequence[Syntax]) -> dict[tuple[int, str, str], int]:
    """Which definition of a tag a file has: files that define it by the same words, or not at all, share one."""
    groups: dict[tuple[int, str, str], int] = {}
    seen: dict[tuple[str, str], list[Any]] = {}
    for number, each in enumerate(files):
        for node in _file_level(each.tree):
            if not isinstance(node, c.Struct | c.Union) or node.decls is None or not node.name:
                continue
            kind = "struct" if isinstance(node, c.Struct) else "union"
            form, known = _form(node), seen.setdefault((kind, node.name), [])
            if form not in known:
                known.append(form)
            groups[number, kind, node.name] = known.index(form)
    return groups


def _file_level(tree: Node) -> Iterator[Node]:
    for node in tree.ext:
        yield from walk(node.decl if isinstance(node, c.FuncDef) else node)


def _form(node: Any) -> Any:
    """A tree without its places, but with what is said there of the layout."""
    if isinstance(node, list | tuple):
        return tuple(map(_form, node))
    if not isinstance(node, c.Node):
        return node
    words = layout_words(getattr(node.coord, "file", ""))
    alignments = tuple(tuple(token.value for token in each) for each in words.alignments)
    said = words.packed, alignments, words.pack, words.unknown is None
    return (type(node).__name__, said, *(_form(getattr(node, name)) for name in _attributes(node)))


def _attributes(node: Node) -> Iterable[str]:
    slots = (name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ()))
    return (name for name in slots if name not in ("coord", "__weakref__"))

"""Places of the text that somebody else speaks of: a witness names them by line and column, and the tree is told.

A place is the keyword of a loop or of a selection, the first character of a statement, or the closing parenthesis of a
call. What is said there is a C expression, which is read in the scope of the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from pycparser import c_ast as c
from pycparser.c_parser import CParser, ParseError

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass
from argosy.frontends.c.lexer import lex
from argosy.frontends.c.outline import Outlining
from argosy.frontends.c.parser import TokenSource
from argosy.frontends.c.source import Node, Syntax
from argosy.frontends.c.symbols import position_of
from argosy.frontends.c.tree import walk
from argosy.models.landmarks import physical

RESULT_NAME = "__argosy_result"
MOVED = "a witness of a file with #line that has to be preprocessed"
_LOOPS = (c.While, c.DoWhile, c.For)
_BRANCHES = (c.If, c.While, c.DoWhile, c.For)
_ACSL_RESULT = re.compile(r"\\result\b")


class CheckpointKind(Enum):
    LOOP = "loop"
    STATEMENT = "statement"
    AFTER = "statement that ends"
    BRANCH = "selection or loop"
    ENTER = "call"
    RETURN = "call (closing parenthesis)"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """``position`` is where the witness says it; ``column`` 0 is not known. ``value`` is a C expression, of a branch
    ``true`` or ``false``, "" where nothing is said. A ``claim`` is to hold, anything else is a waypoint."""

    name: str
    kind: CheckpointKind
    line: int
    column: int
    value: str
    position: Position
    claim: bool = False

    @property
    def place(self) -> str:
        return f"{self.line}:{self.column}" if self.column else f"line {self.line}"


Placed = Mapping[int, Sequence[tuple[Checkpoint, Node]]]
"""By the identity of a node of the tree: what is said there, with the expression as a tree (None: nothing)."""


def placed(syntax: Syntax, checkpoints: Sequence[Checkpoint], path: str) -> Placed:
    """Where each of them belongs. Raises UnsupportedError for one whose place is not in the text."""
    if not checkpoints:
        return {}
    if not syntax.in_place:
        raise UnsupportedError(Position(path, 1, 1), MOVED)
    places = _Places(syntax, path)
    typedefs = [node.name for node in walk(syntax.tree) if isinstance(node, c.Typedef) and node.name]
    found: dict[int, list[tuple[Checkpoint, Node]]] = {}
    for each in checkpoints:
        node = places.find(each)
        if node is None:
            raise UnsupportedError(each.position, f"no {each.kind.value} stands at {each.place} of {path}")
        tree = None if each.kind is CheckpointKind.BRANCH else expression(each, typedefs)
        # Control that passes a waypoint is not to pass the next one at the same place and time: later ones go first.
        found.setdefault(id(node), []).insert(0, (each, tree))
    return found


class _Places:
    def __init__(self, syntax: Syntax, path: str) -> None:
        self._path = path
        self._at: dict[CheckpointKind, dict[tuple[int, int], Node]] = {kind: {} for kind in CheckpointKind}
        outlining = Outlining(syntax)
        for node in walk(syntax.tree):
            if isinstance(node, c.FuncDef):
                for part in walk(node.body):
                    self._note(part, outlining)

    def _note(self, node: Node, outlining: Outlining) -> None:
        if isinstance(node, _LOOPS):
            self._add(CheckpointKind.LOOP, physical(position_of(node)), node)
        if isinstance(node, _BRANCHES):
            self._add(CheckpointKind.BRANCH, physical(position_of(node)), node)
        if isinstance(node, c.FuncCall):
            closing = outlining.closing(node)
            if closing is not None:
                self._add(CheckpointKind.RETURN, closing, node)
                self._add(CheckpointKind.ENTER, closing, node)
        for inner in _statements(node):
            start = outlining.start(inner)
            if start is not None:
                self._add(CheckpointKind.STATEMENT, start, inner)
                # Of the declarators of one declaration the last.
                self._at[CheckpointKind.AFTER].pop((start.line, start.column), None)
                self._add(CheckpointKind.AFTER, start, inner)

    def _add(self, kind: CheckpointKind, position: Position, node: Node) -> None:
        if position.file == self._path:
            self._at[kind].setdefault((position.line, position.column), node)

    def find(self, wanted: Checkpoint) -> Node:
        places = self._at[wanted.kind]
        if wanted.column:
            return places.get((wanted.line, wanted.column))
        on_line = sorted(place for place in places if place[0] == wanted.line)
        return places[on_line[0]] if on_line else None


def _statements(node: Node) -> Iterator[Node]:
    """The statements directly inside a node."""
    match node:
        case c.Compound():
            yield from node.block_items or ()
        case c.Case() | c.Default():
            yield from node.stmts or ()
        case c.If():
            yield from (each for each in (node.iftrue, node.iffalse) if each is not None)
        case c.While() | c.DoWhile() | c.For() | c.Switch() | c.Label():
            yield node.stmt


def expression(checkpoint: Checkpoint, typedefs: Sequence[str]) -> Node:
    """The tree of an expression. Raises InputError for a text that is none."""
    if not checkpoint.value:
        return None
    text = _ACSL_RESULT.sub(RESULT_NAME, checkpoint.value)
    names = set(re.findall(r"[A-Za-z_]\w*", text))
    known = "".join(f"typedef int {name};" for name in typedefs if name in names)
    where = checkpoint.position
    try:
        tree = CParser(lexer=TokenSource).parse(lex(f"{known}int __argosy = ({text});", where.file).tokens, where.file)
    except (ParseError, InputError):
        raise InputError(where, f"not an expression of C: {checkpoint.value}") from None
    if len(tree.ext) != 1 + len([name for name in typedefs if name in names]):
        raise InputError(where, f"not an expression of C: {checkpoint.value}")
    return tree.ext[-1].init

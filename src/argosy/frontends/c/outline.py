"""Where statements begin and calls end in the file as it was given: found in the tokens, which the tree forgets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast as c

from argosy.basics.position import Position
from argosy.frontends.c.source import Node, Syntax
from argosy.frontends.c.symbols import position_of
from argosy.frontends.c.tokens import position_of_token, spot
from argosy.frontends.c.tree import children, walk
from argosy.models.landmarks import Outline, StatementSite, physical

_BEFORE_A_STATEMENT = frozenset(("SEMI", "LBRACE", "RBRACE", "COLON", "RPAREN", "ELSE", "DO"))
_UNITS = (c.If, c.While, c.DoWhile, c.For, c.Switch)


def outline(syntax: Syntax) -> Outline:
    return Outlining(syntax).outline()


class Outlining:
    def __init__(self, syntax: Syntax) -> None:
        self._tree = syntax.tree
        self._tokens = syntax.lexed.tokens
        self._index: dict[tuple[str, int, int], int] = {}
        for index, token in enumerate(self._tokens):
            self._index.setdefault(spot(token), index)
        self._statements: dict[Position, StatementSite] = {}
        self._closings: dict[Position, Position] = {}

    def outline(self) -> Outline:
        for node in self._tree.ext:
            if isinstance(node, c.FuncDef):
                self._block(node.body.block_items or [], node.decl.name, None)
        return Outline(self._statements, self._closings)

    def _block(self, items: Sequence[Node], function: str, after: Position | None) -> None:
        """Statements one after the other; ``after`` is where control goes on behind the last. The declarators of one
        declaration are items of their own with one start."""
        starts = [self.start(item) for item in items]
        following = after
        for index in range(len(items) - 1, -1, -1):
            if index + 1 < len(items) and starts[index + 1] != starts[index]:
                following = starts[index + 1]
            self._statement(items[index], starts[index], function, following)

    def _statement(self, node: Node, start: Position | None, function: str, following: Position | None) -> None:
        """A compound statement is those inside it; what a loop or a selection evaluates itself belongs to it."""
        match node:
            case c.Compound():
                self._block(node.block_items or [], function, following)
                return
            case c.Label():
                self._statement(node.stmt, self.start(node.stmt), function, following)
                return
            case c.Case() | c.Default():
                self._block(node.stmts or [], function, following)
                return
        inner = list(_bodies(node))
        repeats = isinstance(node, c.While | c.DoWhile | c.For)
        for body in inner:
            self._statement(body, self.start(body), function, None if repeats else following)
        if start is None:
            return
        # What is evaluated for a condition is followed by no statement that is known.
        site = StatementSite(start, function, None if inner else following)
        for part in _outside(node, inner):
            at = position_of(part)
            if at.line:
                self._statements.setdefault(at, site)
            if isinstance(part, c.FuncCall):
                closing = self.closing(part)
                if closing is not None:
                    self._closings.setdefault(at, closing)
            if isinstance(part, c.Compound):  # a statement expression
                self._block(part.block_items or [], function, None)

    def start(self, node: Node) -> Position | None:
        """Where the first token of a statement stands."""
        if isinstance(node, c.Compound | c.Label | c.Case | c.Default | c.Pragma | c.EmptyStatement):
            at = self._token_of(node)
        else:
            found = (self._token_of(part) for part in walk(node))
            at = min((index for index in found if index is not None), default=None)
            while at is not None and at > 0 and self._tokens[at - 1].type not in _BEFORE_A_STATEMENT:
                at -= 1
        return None if at is None else physical(position_of_token(self._tokens[at]))

    def _token_of(self, node: Node) -> int | None:
        coordinate = getattr(node, "coord", None)
        if coordinate is None:
            return None
        return self._index.get((coordinate.file, coordinate.line, coordinate.column or 0))

    def closing(self, call: Node) -> Position | None:
        at = self._token_of(call.name) if isinstance(call.name, c.ID) else None
        if at is None or at + 1 >= len(self._tokens) or self._tokens[at + 1].type != "LPAREN":
            return None
        open_ = 0
        for token in self._tokens[at + 1 :]:
            open_ += (token.type == "LPAREN") - (token.type == "RPAREN")
            if not open_:
                return physical(position_of_token(token))
        return None


def _bodies(node: Node) -> Iterator[Node]:
    """The statements inside a statement."""
    if isinstance(node, c.If):
        yield from (body for body in (node.iftrue, node.iffalse) if body is not None)
    elif isinstance(node, _UNITS) and node.stmt is not None:
        yield node.stmt


def _outside(node: Node, inner: Sequence[Node]) -> Iterator[Node]:
    """The parts of a statement that are in none of the statements inside it."""
    stack = [node]
    while stack:
        part = stack.pop()
        yield part
        if not isinstance(part, c.Compound):
            stack += [child for child in children(part) if all(child is not each for each in inner)]

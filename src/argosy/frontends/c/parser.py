"""pycparser's parser, with short ways through the expressions that most of a text consists of.

pycparser passes through nine functions for each operand and looks at the next token some fifteen times. Here a name, a
number, a sign or something in brackets, and what follows it, are read where they stand; all else goes pycparser's way.

Law (tests/frontends/c/test_parser.py): the tree is that of ``PlainParser``, coordinates included. A text in which
something is wrong is read again by that one: every complaint is pycparser's.
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast
from pycparser.c_lexer import Token
from pycparser.c_parser import Coord, CParser, ParseError

_Node = Any  # pycparser's nodes carry no types

# The parser's own assertions and look-ups, which some ill-formed declarations meet instead of one of its errors.
FAILURES = (ParseError, ValueError, AssertionError, AttributeError, TypeError, KeyError)

_BINARY = {
    "LOR": 0, "LAND": 1, "OR": 2, "XOR": 3, "AND": 4, "EQ": 5, "NE": 5, "GT": 6, "GE": 6, "LT": 6, "LE": 6,
    "RSHIFT": 7, "LSHIFT": 7, "PLUS": 8, "MINUS": 8, "TIMES": 9, "DIVIDE": 9, "MOD": 9,
}  # fmt: skip
_ASSIGNMENTS = frozenset(
    ("EQUALS", "XOREQUAL", "TIMESEQUAL", "DIVEQUAL", "MODEQUAL", "PLUSEQUAL", "MINUSEQUAL", "LSHIFTEQUAL",
     "RSHIFTEQUAL", "ANDEQUAL", "OREQUAL")
)  # fmt: skip
_SIGNS = frozenset(("AND", "TIMES", "PLUS", "MINUS", "NOT", "LNOT"))
_SUFFIXES = frozenset(("LBRACKET", "LPAREN", "PERIOD", "ARROW", "PLUSPLUS", "MINUSMINUS"))
# What an expression in brackets may begin with; behind other words there may be a type or a statement.
_INSIDE = frozenset(("LPAREN", "INT_CONST_DEC", "PLUSPLUS", "MINUSMINUS", "SIZEOF")) | _SIGNS
_NAMES = frozenset(("ID", "TYPEID"))


class StatementExpression(c_ast.Compound):  # type: ignore[misc]
    """``({ ... })``, which is an expression wherever it stands."""

    __slots__ = ()


class TokenSource:
    """What pycparser takes for its lexer: it hands out tokens that were read before."""

    tokens: Any = ()

    def __init__(self, error_func: Any, **_: Any) -> None:
        self.filename = ""
        self.last: Token | None = None
        self._iterator = iter(())

    def input(self, text: Any, filename: str = "") -> None:
        """``text`` is the list of tokens."""
        self.filename = filename
        self._iterator = iter(text)

    def token(self) -> Token | None:
        token = next(self._iterator, None)
        if token is not None:
            self.last = token
            self.filename = token.filename
        return token


class PlainParser(CParser):  # type: ignore[misc]
    """pycparser's way, of a list of tokens."""

    def __init__(self) -> None:
        super().__init__(lexer=TokenSource, dialect="c23")

    def _parse_primary_expression(self) -> _Node:
        found = super()._parse_primary_expression()
        if type(found) is c_ast.Compound:
            return StatementExpression(found.block_items, found.coord)
        return found

    def _parse_unary_expression(self) -> _Node:
        """``_Alignof`` of an expression without parentheses; with them it was spelled out before."""
        token = self._peek()
        if token is None or token.type != "_ALIGNOF" or self._peek_type(2) == "LPAREN":
            return super()._parse_unary_expression()
        self._advance()
        return c_ast.UnaryOp(token.value, self._parse_unary_expression(), self._tok_coord(token))

    def _parse_enumerator(self) -> _Node:
        """A constant may have the name of a type of a scope outside."""
        token = self._peek()
        if token is not None and token.type == "TYPEID":
            token.type = "ID"
        return super()._parse_enumerator()


class _All:
    """All tokens, and how many were taken; behind the last one there is nothing."""

    __slots__ = ("tokens", "at")

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens: list[Any] = [*tokens, None, None, None]
        self.at = 0

    def peek(self, ahead: int = 1) -> Token | None:
        return self.tokens[self.at + ahead - 1]

    def next(self) -> Token | None:
        self.at += 1
        return self.tokens[self.at - 1]

    def mark(self) -> int:
        return self.at

    def reset(self, mark: int) -> None:
        self.at = mark


class QuickParser(PlainParser):
    """What it raises says only that the text is to be read again."""

    def of(self, tokens: list[Token]) -> _Node:
        self._ahead = self._tokens = _All(tokens)
        self._types = set[str]()
        tree = self._parse_translation_unit_or_empty()
        if self._ahead.peek() is not None:
            raise ParseError
        return tree

    def _add_typedef_name(self, name: str, coord: Any) -> None:
        self._types.add(name)
        super()._add_typedef_name(name, coord)

    def _peek(self, k: int = 1) -> Token | None:
        ahead = self._ahead
        token = ahead.tokens[ahead.at + k - 1]
        if token is not self._typedef_checked_token:
            self._classify_identifier(token)
        return token

    def _peek_type(self, k: int = 1) -> str | None:
        ahead = self._ahead
        token = ahead.tokens[ahead.at + k - 1]
        if token is None:
            return None
        if token is not self._typedef_checked_token:
            self._classify_identifier(token)
        kind: str = token.type
        return kind

    def _classify_identifier(self, tok: Token | None) -> None:
        if tok is not None and tok.type in _NAMES:
            known = tok.value in self._types and self._is_type_in_scope(tok.value)
            tok.type = "TYPEID" if known else "ID"
        self._typedef_checked_token = tok

    # ---- expressions ------------------------------------------------------------------------------------------

    def _parse_expression(self) -> _Node:
        first = self._parse_assignment_expression()
        ahead = self._ahead
        if ahead.tokens[ahead.at].type != "COMMA":
            return first
        parts = [first]
        while ahead.tokens[ahead.at].type == "COMMA":
            ahead.at += 1
            parts.append(self._parse_assignment_expression())
        return c_ast.ExprList(parts, first.coord)

    def _parse_assignment_expression(self) -> _Node:
        left = self._parse_conditional_expression()
        ahead = self._ahead
        token = ahead.tokens[ahead.at]
        if token.type not in _ASSIGNMENTS:
            return left
        ahead.at += 1
        return c_ast.Assignment(token.value, left, self._parse_assignment_expression(), left.coord)

    def _parse_conditional_expression(self) -> _Node:
        chosen = self._parse_cast_expression()
        ahead = self._ahead
        kind = ahead.tokens[ahead.at].type
        if kind in _BINARY:
            chosen = self._parse_binary_expression(0, chosen)
            kind = ahead.tokens[ahead.at].type
        if kind != "CONDOP":
            return chosen
        ahead.at += 1
        yes = self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(chosen, yes, self._parse_conditional_expression(), chosen.coord)

    def _parse_binary_expression(self, min_prec: int = 0, lhs: _Node = None) -> _Node:
        if lhs is None:
            lhs = self._parse_cast_expression()
        ahead = self._ahead
        tokens, binds = ahead.tokens, _BINARY.get
        token = tokens[ahead.at]
        own = binds(token.type, -1)
        while own >= min_prec:
            ahead.at += 1
            right = self._parse_cast_expression()
            behind = tokens[ahead.at]
            following = binds(behind.type, -1)
            while following > own:
                right = self._parse_binary_expression(following, right)
                behind = tokens[ahead.at]
                following = binds(behind.type, -1)
            lhs = c_ast.BinaryOp(token.value, lhs, right, lhs.coord)
            token, own = behind, following
        return lhs

    def _parse_cast_expression(self) -> _Node:
        ahead = self._ahead
        tokens, at = ahead.tokens, ahead.at
        token = tokens[at]
        kind = token.type
        if kind == "LPAREN":
            inside = tokens[at + 1]
            if inside.type not in _INSIDE and self._may_be_type(inside):
                return super()._parse_cast_expression()
            ahead.at = at + 1
            found = self._parse_expression()
            if tokens[ahead.at].type != "RPAREN":
                raise ParseError
            ahead.at += 1
        elif kind == "INT_CONST_DEC":
            if not token.value.isdigit():
                return super()._parse_cast_expression()
            ahead.at = at + 1
            found = c_ast.Constant("int", token.value, Coord(token.filename, token.lineno, token.column))
        elif kind in _SIGNS:
            ahead.at = at + 1
            operand = self._parse_cast_expression()
            return c_ast.UnaryOp(token.value, operand, operand.coord)
        elif kind in _NAMES and not self._may_be_type(token):
            ahead.at = at + 1
            found = c_ast.ID(token.value, Coord(token.filename, token.lineno, token.column))
        else:
            return super()._parse_cast_expression()
        return found if tokens[ahead.at].type not in _SUFFIXES else self._suffixed(found)

    def _may_be_type(self, token: Token) -> bool:
        """Whether it is anything but a name that is that of no type."""
        return token.type not in _NAMES or (token.value in self._types and self._is_type_in_scope(token.value))

    def _suffixed(self, found: _Node) -> _Node:
        """What is called, indexed or counted, and the members of what is."""
        ahead = self._ahead
        tokens = ahead.tokens
        while (kind := (token := tokens[ahead.at]).type) in _SUFFIXES:
            ahead.at += 1
            if kind == "LBRACKET":
                found = c_ast.ArrayRef(found, self._parse_expression(), found.coord)
                self._expect("RBRACKET")
            elif kind == "LPAREN":
                given = None
                if tokens[ahead.at].type != "RPAREN":
                    given = self._parse_argument_expression_list()
                self._expect("RPAREN")
                found = c_ast.FuncCall(found, given, found.coord)
            elif kind in ("PERIOD", "ARROW"):
                name = tokens[ahead.at]
                if name.type not in _NAMES:
                    raise ParseError
                ahead.at += 1
                member = c_ast.ID(name.value, Coord(name.filename, name.lineno, name.column))
                found = c_ast.StructRef(found, token.value, member, found.coord)
            else:
                found = c_ast.UnaryOp("p" + token.value, found, found.coord)
        return found


def is_raised_by_the_parser(error: Exception) -> bool:
    """By pycparser's own code, not by ours that it calls."""
    import traceback

    frames = list(traceback.walk_tb(error.__traceback__))
    return str(frames[-1][0].f_globals.get("__name__", "")).startswith("pycparser.")

"""Parser of declarations, functions and statements, in the old and in the new syntax.

UPPAAL 3 wrote ``const N 5;`` and parameter lists such as ``(int x, y; const n)``, in which every parameter that is
not constant is a reference. Both are recognised where they stand; no switch is needed.
"""

from __future__ import annotations

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.uppaal.expressions import ExpressionParser
from argosy.frontends.uppaal.lexer import PlacedText

_BLOCK_LIMIT = 60
_LIST_ENDS = (",", ";", ")", "[", "end")


class DeclarationParser(ExpressionParser):
    """``old``: something of the old syntax was seen, here or in an earlier part of the file."""

    def __init__(self, source: PlacedText, *, query: bool = False, old: bool = False) -> None:
        super().__init__(source, query=query)
        self.old = old
        self._blocks = 0

    def declarations(self, *closing: str) -> tuple[s.Declaration, ...]:
        """Everything up to a token of one of the kinds (or the end of the text), which is not consumed."""
        found: list[s.Declaration] = []
        while self.token.kind not in closing and self.token.kind != "end":
            found.append(self.declaration())
        return tuple(found)

    def declaration(self) -> s.Declaration:
        token, after = self.token, self.following()
        if token.kind == "name":
            if token.text in ("before_update", "after_update") and after.kind == "{":
                self.advance()
                self.expect("{")
                expressions = self.expressions("}")
                self.expect("}")
                return s.UpdateHook(token.text == "before_update", expressions, position=token.position)
            if token.text == "import" and after.kind == "string":
                raise UnsupportedError(token.position, "external functions")
            if token.text == "dynamic" and after.kind == "name":
                while self.advance().kind not in (";", "end"):
                    pass
                return s.Refused("dynamic templates", position=token.position)
            if after.kind in ("=", ":=", "("):
                return self._instantiation()
        if token.kind == "typedef":
            self.advance()
            inner = self.variables()
            return s.TypeDeclaration(inner.type, inner.declarators, position=token.position)
        if token.kind == "chan" and after.text == "priority":
            return self._priorities()
        if token.kind == "const" and after.kind == "name" and not self._typed_constant():
            return self._old_constants()
        if not self.at_type():
            raise self.fail("a declaration")
        return self._variables_or_function()

    def _typed_constant(self) -> bool:
        """After ``const NAME``: a typed constant goes on with its name and an initialiser or a dimension."""
        return self.following(2).kind == "name" and self.following(3).kind in ("=", ":=", "[")

    def _old_constants(self) -> s.VariableDeclaration:
        start = self.advance()
        self.old = True
        declarators: list[s.Declarator] = []
        while not declarators or self.accept(","):
            name = self.name()
            dimensions = self.dimensions()
            declarators.append(s.Declarator(name.text, dimensions, self.initialiser(), position=name.position))
        self.expect(";")
        type_ = s.TypeExpression("int", frozenset({"const"}), position=start.position)
        return s.VariableDeclaration(type_, tuple(declarators), position=start.position)

    def _variables_or_function(self) -> s.Declaration:
        start = self.token
        type_ = self.type()
        if self.token.kind == "name" and self.following().kind == "(":
            name = self.name()
            self.expect("(")
            parameters = self.parameters()
            self.expect(")")
            body = self.block()
            return s.FunctionDeclaration(type_, name.text, parameters, body, position=name.position)
        declarators = [self.declarator()]
        while self.accept(","):
            declarators.append(self.declarator())
        self.expect(";")
        return s.VariableDeclaration(type_, tuple(declarators), position=start.position)

    def _instantiation(self) -> s.Instantiation:
        name = self.name()
        parameters: tuple[s.ParameterDeclaration, ...] = ()
        if self.accept("("):
            parameters = self.parameters()
            self.expect(")")
        self.expect("=", ":=")
        template = self.name()
        self.expect("(")
        arguments = self.expressions(")")
        self.expect(")")
        self.expect(";")
        return s.Instantiation(name.text, parameters, template.text, arguments, position=name.position)

    def _priorities(self) -> s.PriorityDeclaration:
        start = self.advance()
        self.advance()
        levels: list[list[s.Expression | None]] = [[]]
        while True:
            levels[-1].append(None if self.accept("default") else self.channel())
            if self.accept("<"):
                levels.append([])
            elif not self.accept(","):
                break
        self.expect(";")
        return s.PriorityDeclaration(tuple(tuple(level) for level in levels), position=start.position)

    def parameters(self) -> tuple[s.ParameterDeclaration, ...]:
        """A parameter list without its parentheses, up to the closing one or the end of the text."""
        found: list[s.ParameterDeclaration] = []
        old = self.old
        type_: s.TypeExpression | None = None
        while self.token.kind not in (")", "end"):
            if found:
                old |= self.expect(",", ";").kind == ";"
            start = self.token
            if start.kind == "const" and self.following().kind == "name" and self.following(2).kind in _LIST_ENDS:
                self.advance()
                old = True
                type_ = s.TypeExpression("int", frozenset({"const"}), position=start.position)
            elif type_ is not None and start.kind == "name" and self.following().kind in _LIST_ENDS:
                old = True
            else:
                type_ = self.type()
            reference = self.accept("&") is not None
            name = self.name()
            declarator = s.Declarator(name.text, self.dimensions(), position=name.position)
            found.append(s.ParameterDeclaration(type_, declarator, reference, position=start.position))
        if not old:
            return tuple(found)
        return tuple(
            s.ParameterDeclaration(
                p.type, p.declarator, p.reference or "const" not in p.type.prefixes, True, position=p.position
            )
            for p in found
        )

    def selects(self) -> tuple[s.Select, ...]:
        found: list[s.Select] = []
        while not found or self.accept(","):
            name = self.name()
            self.expect(":")
            found.append(s.Select(name.text, self.type(), position=name.position))
        return tuple(found)

    def synchronisation(self) -> s.SynchronisationSyntax:
        start = self.token
        channel = self.channel()
        if self.token.kind not in ("!", "?"):
            raise self.fail("'!' or '?'")
        return s.SynchronisationSyntax(channel, self.advance().kind == "!", position=start.position)

    def conjunction(self) -> s.Expression:
        """A guard or an invariant; the old syntax separates conjuncts by commas."""
        value = self.expression()
        while token := self.accept(","):
            value = s.Infix("&&", value, self.expression(), position=token.position)
        return value

    def block(self) -> s.BlockSyntax:
        start = self.expect("{")
        self._blocks += 1
        if self._blocks > _BLOCK_LIMIT:
            raise InputError(start.position, "statements nested too deeply")
        declarations: list[s.Declaration] = []
        statements: list[s.Statement] = []
        while not self.accept("}"):
            if not statements and (self.token.kind == "typedef" or self.at_type()):
                declarations.append(self.declaration())
            else:
                statements.append(self.statement())
        self._blocks -= 1
        return s.BlockSyntax(tuple(declarations), tuple(statements), position=start.position)

    def statement(self) -> s.Statement:
        self._blocks += 1
        if self._blocks > _BLOCK_LIMIT:
            raise InputError(self.token.position, "statements nested too deeply")
        statement = self._statement()
        self._blocks -= 1
        return statement

    def _statement(self) -> s.Statement:
        start = self.token
        match start.kind:
            case "{":
                return self.block()
            case ";":
                self.advance()
                return s.Do((), position=start.position)
            case "if":
                self.advance()
                condition = self._condition()
                then = self.statement()
                otherwise = self.statement() if self.accept("else") else None
                return s.Branch(condition, then, otherwise, position=start.position)
            case "while":
                self.advance()
                return s.LoopSyntax(self._condition(), self.statement(), True, position=start.position)
            case "do":
                self.advance()
                body = self.statement()
                self.expect("while")
                condition = self._condition()
                self.expect(";")
                return s.LoopSyntax(condition, body, False, position=start.position)
            case "for":
                self.advance()
                return self._for(start.position)
            case "return":
                self.advance()
                value = None if self.token.kind == ";" else self.expression()
                self.expect(";")
                return s.Leave(value, position=start.position)
            case "break" | "continue":
                self.advance()
                self.expect(";")
                return s.JumpSyntax(start.kind == "break", position=start.position)
            case "assert":
                while self.advance().kind not in (";", "end"):
                    pass
                return s.Refused(f"statement '{start.kind}'", position=start.position)
            case "switch":
                self.advance()
                return self._switch(start.position)
        if self.at_type():
            raise InputError(start.position, "declarations must come before the statements of a block")
        expressions = self.expressions()
        self.expect(";")
        return s.Do(expressions, position=start.position)

    def _condition(self) -> s.Expression:
        self.expect("(")
        condition = self.expression()
        self.expect(")")
        return condition

    def _for(self, position: Position) -> s.Statement:
        self.expect("(")
        if self.token.kind == "name" and self.following().kind == ":":
            name = self.name()
            self.expect(":")
            type_ = self.type()
            self.expect(")")
            return s.Iterate(name.text, type_, self.statement(), position=position)
        first = self.expressions(";")
        self.expect(";")
        condition: s.Expression = s.Truth(True) if self.token.kind == ";" else self.expression()
        self.expect(";")
        each = self.expressions(")")
        self.expect(")")
        return s.For(first, condition, each, self.statement(), position=position)

    def _switch(self, position: Position) -> s.Statement:
        value = self._condition()
        self.expect("{")
        cases: list[tuple[s.Expression | None, tuple[s.Statement, ...]]] = []
        while not self.accept("}"):
            label = None if self.expect("case", "default").kind == "default" else self.expression()
            self.expect(":")
            statements: list[s.Statement] = []
            while self.token.kind not in ("case", "default", "}"):
                statements.append(self.statement())
            cases.append((label, tuple(statements)))
        return s.SwitchSyntax(value, tuple(cases), position=position)

    def skip_braces(self) -> None:
        start = self.expect("{")
        depth = 1
        while depth:
            token = self.advance()
            if token.kind == "end":
                raise InputError(start.position, "'{' is not closed")
            depth += (token.kind == "{") - (token.kind == "}")

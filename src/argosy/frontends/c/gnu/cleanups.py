"""The attribute ``cleanup`` (GCC's manual, 6.34.1): what is called with a variable when control leaves its block.

Behind the declaration of the variable stands a label with the call; the elaboration takes it to where control leaves.
Law: what of this compilers do not agree on, a jump to an address that leaves a block, is refused.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

from argosy.frontends.c.gnu.declared_names import DeclaredNames, declared_alone
from argosy.frontends.c.gnu.token_pass import TokenPass
from argosy.frontends.c.tokens import CLEANUP, position_of_token
from argosy.frontends.c.unsupported import Construct, error


class Cleanups:
    """Those of the function under way."""

    def __init__(self, text: TokenPass) -> None:
        self._text = text
        # Of variables whose declaration has not ended: in how many braces, the function, the name.
        self._waiting: list[tuple[int, Token, Token]] = []
        # Whether it has such variables, and computed jumps, which leave them alone.
        self._cleans = self._computes = False

    def read(self, token: Token, arguments: tuple[Token, ...], names: DeclaredNames | None, behind: bool) -> None:
        """An attribute, which is ``behind`` a declarator or belongs to what is to come; of others than variables with
        a block compilers ignore it."""
        text = self._text
        if not text.braces or text.in_record:
            return
        name = None
        if names is not None and len(arguments) == 1 and arguments[0].type == "ID":
            name = names.last if behind and not names.brackets else declared_alone(text.raw, text.at)
        if name is None:
            raise error(position_of_token(token), "attribute cleanup here", Construct.ATTRIBUTE)
        self._waiting.append((text.braces, arguments[0], name))
        self._cleans = True
        self._refuse_computed(token)

    def compute(self, token: Token) -> None:
        """A computed jump."""
        self._computes = True
        self._refuse_computed(token)

    def _refuse_computed(self, token: Token) -> None:
        """By gcc's manual a computed goto that leaves a block calls no cleanups; clang takes it for an error."""
        if self._cleans and self._computes:
            said = "attribute cleanup in a function with a computed goto"
            raise error(position_of_token(token), said, Construct.ATTRIBUTE)

    def register(self) -> None:
        """``label: f(&x);`` behind the declaration of a variable with the attribute ``cleanup(f)``."""
        if not self._waiting:
            return
        text = self._text
        for depth, function, name in self._waiting:
            if depth != text.braces:
                continue
            words = [("ID", f"{CLEANUP}{text.number()}"), ("COLON", ":"), ("ID", function.value), ("LPAREN", "(")]
            words += [("AND", "&"), ("ID", name.value), ("RPAREN", ")"), ("SEMI", ";")]
            text.out.extend(Token(kind, word, name.lineno, name.column, name.filename) for kind, word in words)
        self._waiting = [each for each in self._waiting if each[0] != text.braces]
        text.start = len(text.out)

    def end(self) -> None:
        """The function under way ends."""
        self._cleans = self._computes = False

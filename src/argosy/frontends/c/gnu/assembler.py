"""Assembler code (GCC's manual, 6.48), on tokens: the name of a symbol, or a call with its operands.

Law: code that is not of the form of the manual, or that jumps, becomes a call that is refused.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

from argosy.frontends.c.gnu.brackets import parts
from argosy.frontends.c.gnu.token_pass import TokenPass
from argosy.frontends.c.tokens import ASSEMBLED, ASSEMBLED_IN_MEMORY, ASSEMBLER, position_of_token


def read_assembler(text: TokenPass, token: Token) -> None:
    """Behind a declarator it names a symbol and is dropped; as a statement it becomes a call with its operands, or one
    that is refused."""
    words, group = list[str](), list[Token]()
    while text.at < len(text.raw) and text.raw[text.at].type in ("VOLATILE", "INLINE", "GOTO"):
        words.append(text.raw[text.at].type.lower())
        text.at += 1
    if text.at < len(text.raw) and text.raw[text.at].type == "LPAREN":
        group = text.balanced()
    out = text.out
    before = out[-1].type if out else "SEMI"
    names = None if text.braces else text.outer_names()
    declared = None if names is None else names.function or names.last
    if declared is not None:
        label = "".join(token.value.strip('"') for token in group[1:-1])
        text.result.symbols[declared.value] = label, position_of_token(token)
    if text.braces and before not in ("ID", "RBRACKET"):
        name, arguments = (ASSEMBLER, []) if "goto" in words or not group else _assembled(group, words)
        for kind, value in (("ID", name), ("LPAREN", "(")):
            out.append(Token(kind, value, token.lineno, token.column, token.filename))
        for index, argument in enumerate(arguments):
            comma = Token("COMMA", ",", token.lineno, token.column, token.filename)
            out.extend((comma, *argument) if index else argument)
        out.append(Token("RPAREN", ")", token.lineno, token.column, token.filename))


def _assembled(group: list[Token], words: list[str]) -> tuple[str, list[list[Token]]]:
    """What stands for ``(code : outputs : inputs : clobbers)``, and its arguments: how many outputs there are, the
    code with the words before it, each operand behind its constraint, the clobbers; texts are as they were written. By
    GCC's manual (6.48.2) such code changes nothing but its outputs, and memory where it says so. No code does nothing.
    """
    code, *sections = parts(group[1:-1], "COLON")
    outputs, inputs, clobbers = (parts(part, "COMMA") for part in (*sections, [], [], [])[:3])
    operands = [_operand(each) for each in (*outputs, *inputs)]
    if len(sections) > 3 or any(not operand for _, operand in operands):
        return ASSEMBLER, []
    first = group[0]

    def text(tokens: list[Token], *before: str) -> list[Token]:
        said = " ".join((*before, *(token.value for token in tokens)))
        return [Token("STRING_LITERAL", f'"{said}"', first.lineno, first.column, first.filename)]

    count = Token("INT_CONST_DEC", str(len(outputs)), first.lineno, first.column, first.filename)
    arguments = [[count], text(code, *words, "(")]
    if not sections:
        return ASSEMBLER, arguments
    for constraint, operand in operands:
        arguments.extend((text(constraint), operand))
    arguments.append(text(sections[2] if len(sections) > 2 else []))
    empty = all(not token.value.strip('"').strip() for token in code)
    in_memory = not empty and any(token.value.strip('"') == "memory" for clobber in clobbers for token in clobber)
    return ASSEMBLED_IN_MEMORY if in_memory else ASSEMBLED, arguments


def _operand(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    """The constraint and the expression of an operand ``[name] "constraint" (expression)``, with its brackets; nothing
    of what is not of this form."""
    start = 3 if tokens and tokens[0].type == "LBRACKET" else 0
    while start < len(tokens) and tokens[start].type == "STRING_LITERAL":
        start += 1
    return tokens[:start], tokens[start:] if start < len(tokens) and tokens[start].type == "LPAREN" else []

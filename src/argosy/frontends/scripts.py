"""Scripts of SMT-LIB as front ends read them: command by command, and what is wrong with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.logic.smtlib_parser import (
    Expression,
    SmtLibError,
    SmtLibUnsupported,
    SmtList,
    SmtToken,
    fail,
    read_expressions,
)


@contextmanager
def placed(path: str) -> Iterator[None]:
    """What is no script is an InputError there, what is not modelled an UnsupportedError."""
    try:
        yield
    except SmtLibUnsupported as error:
        raise UnsupportedError(Position(path, error.line, error.column), error.message) from None
    except SmtLibError as error:
        raise InputError(Position(path, error.line, error.column), error.message) from None


def commands_of(text: str) -> Iterator[tuple[str, SmtList, Sequence[Expression]]]:
    """The commands up to ``exit``: the name of each, the whole, and what follows the name."""
    for command in read_expressions(text):
        if not isinstance(command, SmtList) or not command.items or not isinstance(command.items[0], SmtToken):
            raise fail("expected a command", command)
        name = command.items[0].text
        if name == "exit":
            return
        yield name, command, command.items[1:]

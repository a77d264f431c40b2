"""How every command ends: complaints on standard error, the verdict as the last line, exit codes for scripts."""

from __future__ import annotations

import sys
from collections.abc import Callable

from argosy.basics.errors import InputError, UnsupportedError
from argosy.report.console import Paint
from argosy.report.result import Result

WRONG_USAGE = 1
UNREADABLE = 2
UNKNOWN = 5
FAULT = 6


def paint() -> Paint:
    return Paint.of(sys.stdout)


def end(result: Result, code: int) -> int:
    print(paint().verdict(result))
    sys.stdout.flush()
    return code


def nothing(reason: str) -> Result:
    return Result.unknown(reason)


def complain(message: str) -> None:
    print(f"argosy: {message}", file=sys.stderr)


def ask_for_report(what: str, path: str) -> None:
    complain(f"internal error: {what}\nThis is a fault of argosy. Please report it, with the file {path}")


def reporting(work: Callable[[], int]) -> int:
    """The exit code of a command that gives no verdict, with what is wrong with its input said."""
    try:
        return work()
    except InputError as error:
        complain(str(error))
        return UNREADABLE
    except UnsupportedError as refusal:
        complain(f"unsupported: {refusal}")
        return UNKNOWN

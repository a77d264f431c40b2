"""The command line: one module for each command, found in a table. What is printed and the exit codes are fixed.

The last line on standard output of ``verify`` is the verdict. What is wrong is said on standard error. Nothing heavy is
imported here: ``argosy --help`` has to answer at once, and solvers belong into the child process.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

from argosy.basics.budget import INTERNAL_ERROR
from argosy.basics.choices import did_you_mean
from argosy.basics.errors import UsageError
from argosy.basics.files import write_fault
from argosy.basics.records import dataclass
from argosy.basics.version import VERSION
from argosy.cli.ending import FAULT, WRONG_USAGE, ask_for_report, complain, end, nothing
from argosy.cli.settings import apply, nearest
from argosy.cli.streams import guard, problem

EXIT_CODES = (
    "Exit codes: 0 SAFE, 10 UNSAFE, 5 UNKNOWN, 1 wrong usage, 2 the input cannot be read, "
    "6 a fault of the program itself."
)


@dataclass(frozen=True, slots=True)
class Command:
    """``module`` has ``add_arguments(parser)`` and ``run(options, started) -> exit code``."""

    name: str
    help: str
    description: str
    module: str
    epilog: str = ""

    def load(self) -> Any:
        return import_module(self.module)


COMMANDS: Mapping[str, Command] = {
    command.name: command
    for command in (
        Command(
            "verify",
            "decide one verification task",
            "Decide one verification task.",
            "argosy.cli.verify",
            EXIT_CODES,
        ),
        Command(
            "check",
            "validate a witness of a C program",
            "Hold a software verification witness against the program: does what it says hold, and show its verdict?",
            "argosy.cli.check",
            EXIT_CODES,
        ),
        Command(
            "bench",
            "compare strategies on many tasks",
            "Run tasks × strategies under hard limits; go on where an earlier run was stopped; write tables and "
            "a page.",
            "argosy.cli.bench",
            "Exit codes: 0 everything is measured and nothing wrong, 10 a verdict is wrong, 5 stopped before the end, "
            "1 wrong usage, 2 tasks that cannot be read, 6 a fault of the program itself.",
        ),
        Command(
            "show",
            "draw a model",
            "Draw the automata of a network or of a program.",
            "argosy.cli.show",
            "Exit codes: 0 drawn, 1 wrong usage, 2 the input cannot be read, 5 it uses what is not supported.",
        ),
        Command(
            "convert",
            "write a model in another format",
            "Write a model in another format, where both can say it.",
            "argosy.cli.convert",
        ),
        Command(
            "simulate",
            "run inputs through a controller's program, or a network step by step",
            "Run a trace of inputs through a controller's program and print the outputs of each cycle; or run a "
            "network of timed automata at random, by given choices, or step by step.",
            "argosy.cli.simulate",
            "Exit codes: 0 run, 10 an expected value differs, 1 wrong usage, 2 the input cannot be read, "
            "5 it uses what is not supported, or the controller stops, or the network comes to a model error.",
        ),
        Command(
            "lsp",
            "serve an editor: verify on save",
            "A language server on standard input and output: verifies a file when it is saved.",
            "argosy.cli.lsp",
            "Exit codes: 0 the editor has left, 1 wrong usage, 5 pygls is not installed (extra: lsp).",
        ),
        Command(
            "ui",
            "open a workbench in the browser",
            "A workbench in the browser, on this machine only: the files of a folder, what can be asked of them, live "
            "progress, reports, simulations, comparisons. Results are kept in .argosy/ in the folder.",
            "argosy.cli.ui",
            "Exit codes: 0 closed, 1 wrong usage, 5 starlette or uvicorn is not installed (extra: ui).",
        ),
        Command(
            "serve",
            "keep a process ready for other commands",
            "A process in which everything is loaded: 'argosy verify' with ARGOSY_SERVER in its environment starts its "
            "analysis there, a fifth of a second sooner. Only the user who started it can use it.",
            "argosy.cli.serve",
            "Exit codes: 0 ended by Ctrl-C, 1 wrong usage, or the system cannot fork.",
        ),
        Command(
            "strategies",
            "list the strategies and options, with advice",
            "List every named strategy and every option with its values and one line of advice.",
            "argosy.cli.strategies",
        ),
        Command(
            "doctor",
            "say what is installed and what is missing",
            "Say which solvers, kernel, compiler and browser are there, whether they work, and what each is for.",
            "argosy.cli.doctor",
            "Exit codes: 0 everything that is needed is there, 5 something is missing.",
        ),
        Command(
            "config",
            "say which settings are in force",
            "Say which settings of a project are in force: argosy.toml, or [tool.argosy] in pyproject.toml.",
            "argosy.cli.config",
        ),
        Command(
            "completion",
            "print a script that completes words in a shell",
            "Print a script that completes commands, options and their values in a shell.",
            "argosy.cli.completion",
        ),
        Command(
            "formats",
            "list the formats that are read",
            "List the formats that are read, how they are recognised and which options they have.",
            "argosy.cli.formats",
        ),
    )
}


def main(arguments: Sequence[str] | None = None) -> int:
    started = time.monotonic()
    if arguments is None:
        sys.excepthook = _fault_of_this_process
        output, _ = guard()
        code = _run(sys.argv[1:], started, own_process=True)
        lost = problem(output)
        if lost is not None:
            complain(f"cannot write to standard output: {lost}")
        # A verdict is told by the exit code too; of the other commands nothing is left.
        return code if output.lost is None or sys.argv[1:2] in (["verify"], ["bench"]) else code or WRONG_USAGE
    return _run(list(arguments), started)


def _run(arguments: list[str], started: float, own_process: bool = False) -> int:
    named = arguments[0] if arguments else ""
    try:
        options = _parse(arguments)
        options.own_process = own_process
        code: int = COMMANDS[options.command].load().run(options, started)
        return code
    except UsageError as error:
        command = f"{named} " if named in COMMANDS else ""
        complain(f"{error}\nTry 'argosy {command}--help'.")
        return end(nothing("wrong usage"), WRONG_USAGE) if named == "verify" else WRONG_USAGE


class _Formatter(argparse.HelpFormatter):
    """A parser asks for one whenever it is told of an option; the standard one then loads what unpacks archives."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """As ``shutil.get_terminal_size`` has it."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = _Parser(
        prog="argosy",
        description="A configurable model checker with certified verdicts.",
        epilog=EXIT_CODES,
        allow_abbrev=False,
        formatter_class=_Formatter,
    )
    parser.add_argument("--version", action="version", version=f"argosy {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    made: dict[str, argparse.ArgumentParser] = {}
    # Where one is named, nothing is said of the others.
    for command in [COMMANDS[name] for name in arguments[:1] if name in COMMANDS] or COMMANDS.values():
        made[command.name] = commands.add_parser(
            command.name,
            help=command.help,
            description=command.description,
            epilog=command.epilog or None,
            allow_abbrev=False,
            formatter_class=_Formatter,
        )
        if command.name in arguments[:1]:
            command.load().add_arguments(made[command.name])
            if command.name == "verify" and "--no-config" not in arguments:
                apply(made[command.name], nearest("."))
    options, extra = parser.parse_known_args(arguments)
    for word in extra:
        if word.startswith("-") and word != "-":
            known = made.get(options.command, parser)._option_string_actions
            raise UsageError(f"no such option: {word}{did_you_mean(word.partition('=')[0], list(known))}")
        raise UsageError(f"one too many: {word}")
    return options


def _fault_of_this_process(kind: type[BaseException], error: BaseException, trace: object) -> None:
    import traceback

    path = write_fault(f"argosy {VERSION}: {sys.argv}\n" + "".join(traceback.format_exception(error)))
    ask_for_report(f"{kind.__name__}: {error}", path)
    end(nothing(f"{INTERNAL_ERROR}, see {path}"), FAULT)
    os._exit(FAULT)

"""``argosy verify``: decide one task, print what was found, write what was asked for; the last line is the verdict."""

from __future__ import annotations

import argparse
import os
import sys

from argosy.basics.choices import choose
from argosy.basics.errors import InputError, UnsupportedError, UsageError
from argosy.basics.files import write_text
from argosy.cli.ending import FAULT, UNKNOWN, UNREADABLE, WRONG_USAGE, ask_for_report, complain, end, paint, refuse
from argosy.frontends.registry import FORMATS, OPTIONS
from argosy.logic.text_worker import SOLVERS as RECHECKERS
from argosy.report.console import report
from argosy.report.exporters import NAMES, explained
from argosy.report.result import Result
from argosy.session.progress import Display, Hidden, LiveLine, PlainLines
from argosy.session.task import Task
from argosy.strategies.flags import flags

# Known, and refused until they arrive.
LATER = ("sarif", "harness", "test-suite", "vcd", "output-format", "jobs")
LATER_FLAGS = ("execute",)

EXIT_BY = ("verdict", "formula")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    titles = ", ".join(f"{format.title} ({', '.join(format.suffixes)})" for format in FORMATS)
    parser.add_argument("input", metavar="INPUT", help=f"{titles}; - is standard input, with --format")
    groups = {
        "input": parser.add_argument_group("input", "'argosy formats' tells which option is for which input."),
        "property": parser.add_argument_group("property"),
        "limits": parser.add_argument_group("limits"),
        "output": parser.add_argument_group("output"),
        "strategy": parser.add_argument_group("strategy", "'argosy strategies' explains these."),
        "networks": parser.add_argument_group("networks of timed automata"),
    }
    groups["input"].add_argument("--format", metavar="NAME", help="how to read INPUT, whatever its suffix")
    for option in OPTIONS.values():
        groups[option.group].add_argument(f"--{option.name}", metavar=option.metavar, help=option.advice)
    asked = groups["property"]
    asked.add_argument("--each", action="store_true", help="every assertion has its own answer")
    asked.add_argument("--strict", action="store_true", help="where there is nothing to check, the verdict is UNKNOWN")
    limits = groups["limits"]
    limits.add_argument("--time-limit", metavar="S", type=float, help="seconds, certification included")
    limits.add_argument("--memory-limit", metavar="MB", type=int, help="megabytes, solvers included")
    output = groups["output"]
    output.add_argument("--json", metavar="FILE", help="write the result as JSON; - is standard output, and no more")
    for name, metavar, advice in explained():
        output.add_argument(f"--{name}", metavar=metavar, help=advice)
    output.add_argument(
        "--exit-by",
        metavar="|".join(EXIT_BY),
        default="verdict",
        help="what the exit code follows: the verdict, or whether all formulas about a network are satisfied",
    )
    output.add_argument("--quiet", action="store_true", help="print the verdict only")
    output.add_argument("-v", "--verbose", action="count", default=0, help="leave nothing out")
    strategy = groups["strategy"]
    strategy.add_argument("--seed", metavar="N", type=int, default=0, help="the seed of everything random (0)")
    strategy.add_argument(
        "--no-certify", dest="certify", action="store_false", help="print verdicts that were not checked again"
    )
    strategy.add_argument(
        "--certify-with",
        metavar="|".join(RECHECKERS),
        help="a SAFE counts only after this solver, in a process of its own, confirmed the text of its certificate",
    )
    for flag in flags():
        groups[flag.group].add_argument(f"--{flag.name}", metavar=flag.metavar, help=flag.help)
    for name in LATER:
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS)
    for name in LATER_FLAGS:
        parser.add_argument(f"--{name}", action="store_true", default=None, help=argparse.SUPPRESS)


def run(options: argparse.Namespace, started: float) -> int:
    for name in (*LATER, *LATER_FLAGS):
        if getattr(options, name.replace("-", "_")) is not None:
            return refuse(f"--{name}")
    choose("--exit-by", options.exit_by, EXIT_BY)
    result, code = _decide(options, started)
    decided = code == result.exit_code
    if decided and options.exit_by == "formula":
        code = result.exit_code_by_formula
    if options.json is not None and not _write_json(options.json, result):
        return end(result, WRONG_USAGE)
    if options.json == "-":
        return code
    if not options.quiet and decided:
        for line in report(result, paint(), options.verbose):
            print(line)
        print()
        for remark in result.remarks():
            print(paint().title(remark))
    return end(result, code)


def _write_json(path: str, result: Result) -> bool:
    if path == "-":
        print(result.to_json())
        return True
    try:
        write_text(path, result.to_json(indent=1) + "\n", "--json")
    except UsageError as error:
        complain(str(error))
        return False
    return True


def _task(options: argparse.Namespace) -> Task:
    def given(name: str) -> str | None:
        value: str | None = getattr(options, name.replace("-", "_"))
        return value

    def chosen(names: list[str]) -> dict[str, str]:
        return {name: value for name in names if (value := given(name)) is not None}

    task = Task.of(
        options.input,
        format=options.format,
        reading=chosen(list(OPTIONS)),
        strategy=options.strategy or "auto",
        options=chosen([flag.name for flag in flags() if flag.name != "strategy"]),
        time_limit=options.time_limit,
        memory_limit=options.memory_limit,
        seed=options.seed,
        certify=options.certify,
        certify_with=options.certify_with,
        each=options.each,
        strict=options.strict,
        verbose=options.verbose,
        exports=chosen(list(NAMES)),
    )
    for name, path in (("json", options.json), *task.exports.items()):
        if path is not None and path != "-":
            _check_writable(name, path)
    return task


def _check_writable(name: str, path: str) -> None:
    """Said before the work, and without making the file: a run that fails leaves nothing behind."""
    folder = path if name == "output" and os.path.isdir(path) else os.path.dirname(os.path.abspath(path))
    problem = None
    if os.path.isdir(path) and name != "output":
        problem = "Is a directory"
    elif name == "output" and not os.path.isdir(folder):
        return
    elif not os.path.isdir(folder):
        problem = "No such file or directory"
    elif not os.access(path if os.path.exists(path) else folder, os.W_OK):
        problem = "Permission denied"
    if problem is not None:
        raise UsageError(f"--{name}: cannot write {path}: {problem}")


def _decide(options: argparse.Namespace, started: float) -> tuple[Result, int]:
    """The result and the exit code; where there is no result, what was wrong has been said."""
    from argosy.session.supervisor import Fault, supervise

    display = _display(options)
    bare = Task(options.input, strategy=options.strategy or "auto")
    try:
        task = _task(options)
        result = supervise(task, display, started=started)
        return result, result.exit_code
    except UnsupportedError as refusal:
        return bare.unknown(f"unsupported: {refusal}"), UNKNOWN
    except InputError as error:
        display.close()
        complain(str(error))
        return bare.unknown(f"cannot be read: {error}"), UNREADABLE
    except Fault as fault:
        display.close()
        ask_for_report(fault.what, fault.path)
        return bare.unknown(f"internal error, see {fault.path}"), FAULT
    finally:
        display.close()


def _display(options: argparse.Namespace) -> Display:
    if options.quiet:
        return Hidden()
    return LiveLine(sys.stderr) if sys.stderr.isatty() else PlainLines(sys.stderr)

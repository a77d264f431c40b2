"""``argosy verify``: decide a task, print what was found, write what was asked for; the last line is the verdict.

With ``--summary`` each input is a task of its own, with a line of its own; the verdict is then the worst of them."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from argosy.basics import processors
from argosy.basics.budget import INTERNAL_ERROR, INTERRUPTED
from argosy.basics.choices import choose
from argosy.basics.errors import InputError, UnsupportedError, UsageError
from argosy.basics.files import write_text
from argosy.cli.ending import FAULT, UNKNOWN, UNREADABLE, WRONG_USAGE, ask_for_report, complain, end, paint
from argosy.frontends.registry import FORMATS, OPTIONS, by_suffix
from argosy.logic.text_worker import SOLVERS as RECHECKERS
from argosy.report.console import report
from argosy.report.exporters import NAMES, explained
from argosy.report.formats import RESULT_FORMATS, TEXT, ResultFormat
from argosy.report.result import Result, together
from argosy.session.progress import Display, Hidden, LiveLine, PlainLines
from argosy.session.task import Task
from argosy.strategies.flags import flags

if TYPE_CHECKING:
    from argosy.session.starting import Start

EXIT_BY = ("verdict", "formula")
FAIL_ON = ("unsafe", "unknown")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(settings=None, checked=None, watched=False, cluster=None)
    titles = ", ".join(f"{format.title} ({', '.join(format.suffixes)})" for format in FORMATS)
    parser.add_argument("input", metavar="INPUT", nargs="+", help=f"{titles}; - is standard input, with --format")
    groups = {
        "input": parser.add_argument_group("input", "'argosy formats' tells which option is for which input."),
        "property": parser.add_argument_group("property"),
        "limits": parser.add_argument_group("limits"),
        "output": parser.add_argument_group("output"),
        "strategy": parser.add_argument_group("strategy", "'argosy strategies' explains these."),
        "networks": parser.add_argument_group("networks of timed automata"),
    }
    groups["input"].add_argument("--no-config", action="store_true", help="no settings of the project (argosy config)")
    groups["input"].add_argument("--format", metavar="NAME", help="how to read INPUT, whatever its suffix")
    for option in OPTIONS.values():
        often: dict[str, Any] = {"action": "append"} if option.repeats else {}
        names = [f"--{option.name}", *((f"-{option.short}",) if option.short else ())]
        groups[option.group].add_argument(*names, metavar=option.metavar, help=option.advice, **often)
    asked = groups["property"]
    asked.add_argument("--each", action="store_true", help="every assertion has its own answer")
    asked.add_argument("--strict", action="store_true", help="where there is nothing to check, the verdict is UNKNOWN")
    asked.add_argument("--only", metavar="TEXT", help="of several queries, requirements or bad states this one")
    limits = groups["limits"]
    limits.add_argument("--time-limit", metavar="S", type=float, help="seconds, certification included")
    limits.add_argument("--memory-limit", metavar="MB", type=int, help="megabytes, solvers included")
    limits.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        help="processes that work side by side; the first answer wins (as many as processors are free, at most "
        f"{processors.MOST})",
    )
    limits.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="the processes run on the Ray cluster there ('auto' finds one), each with these limits; as many as it has "
        "processors, or --jobs",
    )
    output = groups["output"]
    output.add_argument("--json", metavar="FILE", help="write the result as JSON; - is standard output, and no more")
    output.add_argument("--sarif", metavar="FILE", help="write the result as SARIF, for code scanning and editors")
    output.add_argument(
        "--output-format",
        metavar="|".join((TEXT, *RESULT_FORMATS)),
        default=TEXT,
        help="what standard output holds: " + "; ".join(f"{f.name}: {f.advice}" for f in RESULT_FORMATS.values()),
    )
    output.add_argument("--summary", action="store_true", help="each INPUT is a task of its own: a line for each")
    for name, metavar, advice in explained():
        output.add_argument(f"--{name}", metavar=metavar, help=advice)
    output.add_argument(
        "--execute",
        action="store_true",
        help="compile a C program with its counterexample and run it: is the error reached in reality?",
    )
    output.add_argument(
        "--exit-by",
        metavar="|".join(EXIT_BY),
        default="verdict",
        help="what the exit code follows: the verdict, or whether all formulas about a network are satisfied",
    )
    output.add_argument(
        "--fail-on",
        metavar="|".join(FAIL_ON),
        default="unknown",
        help="what makes the exit code one of failure: UNSAFE only, or UNKNOWN too (unknown)",
    )
    output.add_argument("--quiet", action="store_true", help="print the verdict only")
    output.add_argument("-v", "--verbose", action="count", default=0, help="leave nothing out")
    strategy = groups["strategy"]
    strategy.add_argument("--seed", metavar="N", type=int, default=0, help="the seed of everything random (0)")
    strategy.add_argument(
        "--no-certify", dest="certify", action="store_false", help="print verdicts that were not checked again"
    )
    strategy.add_argument(
        "--no-shorten", dest="shorten", action="store_false", help="show counterexamples as they were found"
    )
    strategy.add_argument(
        "--certify-with",
        metavar="|".join(RECHECKERS),
        help="a SAFE counts only after this solver, in a process of its own, confirmed the text of its certificate",
    )
    for flag in flags():
        bare: dict[str, Any] = {"nargs": "?", "const": "on"} if flag.name == "non-zeno" else {}
        groups[flag.group].add_argument(f"--{flag.name}", metavar=flag.metavar, help=flag.help, **bare)


def run(options: argparse.Namespace, started: float) -> int:
    choose("--exit-by", options.exit_by, EXIT_BY)
    choose("--fail-on", options.fail_on, FAIL_ON)
    choose("--output-format", options.output_format, (TEXT, *RESULT_FORMATS))
    if options.summary:
        return _several(options)
    if len(options.input) > 1:
        _link(options)
    result, code = _decide(options, options.input[0], started)
    decided = code == result.exit_code
    if not _write(options, [result]):
        return end(result, WRONG_USAGE)
    code = _exit_code(options, result) if decided else code
    document = _standard_output(options)
    if document is not None:
        print(document.text([result]))
        return end(result, code) if not document.whole else code
    if not options.quiet and decided:
        if options.settings is not None:
            print(paint().faint(f"with the settings of {os.path.relpath(options.settings)} (argosy config)"))
        for line in report(result, paint(), options.verbose):
            print(line)
        print()
        for remark in result.remarks():
            print(paint().title(remark))
    return end(result, code)


def _link(options: argparse.Namespace) -> None:
    """Further inputs are files of the same program, where that may have several."""
    for path in options.input:
        format = by_suffix(path)
        if format is None or format.name != "c":
            raise UsageError(
                f"one too many: {options.input[1]} (several inputs are the files of one C program, and {path} is none; "
                "with --summary each input is a task of its own)"
            )
    options.link = [*(options.link or ()), *options.input[1:]]


def _several(options: argparse.Namespace) -> int:
    """A line for each input as soon as it is decided, then what they say together."""
    single = [name for name in NAMES if getattr(options, name.replace("-", "_")) is not None]
    if single:
        raise UsageError(f"--{single[0]} is for one input, not with --summary")
    document, brush = _standard_output(options), paint()
    results, codes = [], []
    width = max(map(len, options.input))
    for path in options.input:
        result, code = _decide(options, path, time.monotonic())
        results.append(result)
        codes.append(_exit_code(options, result) if code == result.exit_code else code)
        if document is None and not options.quiet:
            print(brush.summary(result, width), flush=True)
        if result.reason == INTERRUPTED:
            break  # whoever pressed Ctrl-C did not mean one of the inputs
    whole = together(results)
    code = next((code for code in (10, FAULT, UNREADABLE, UNKNOWN) if code in codes), 0)
    if not _write(options, results):
        return end(whole, WRONG_USAGE)
    if document is not None:
        print(document.text(results))
        return end(whole, code) if not document.whole else code
    return end(whole, code)


def _exit_code(options: argparse.Namespace, result: Result) -> int:
    code = result.exit_code_by_formula if options.exit_by == "formula" else result.exit_code
    return 0 if code == UNKNOWN and options.fail_on == "unsafe" else code


def _standard_output(options: argparse.Namespace) -> ResultFormat | None:
    """The format of standard output, None for text; ``--json -`` is a short way to say it."""
    if options.output_format != TEXT:
        return RESULT_FORMATS[options.output_format]
    return next((RESULT_FORMATS[name] for name in ("json", "sarif") if getattr(options, name) == "-"), None)


def _write(options: argparse.Namespace, results: list[Result]) -> bool:
    """The files of the results; False where one cannot be written, which has been said."""
    try:
        if options.json not in (None, "-"):
            several = RESULT_FORMATS["json"].text(results)
            write_text(options.json, (results[0].to_json(indent=1) if len(results) == 1 else several) + "\n", "--json")
        if options.sarif not in (None, "-"):
            write_text(options.sarif, RESULT_FORMATS["sarif"].text(results) + "\n", "--sarif")
    except UsageError as error:
        complain(str(error))
        return False
    return True


def task_of(options: argparse.Namespace, path: str) -> Task:
    def given(name: str) -> str | None:
        value: str | list[str] | None = getattr(options, name.replace("-", "_"))
        return "\n".join(value) if isinstance(value, list) else value

    def chosen(names: list[str]) -> dict[str, str]:
        return {name: value for name in names if (value := given(name)) is not None}

    task = Task.of(
        path,
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
        shorten=options.shorten,
        strict=options.strict,
        only=options.only,
        execute=options.execute,
        witness=options.checked,
        verbose=options.verbose,
        exports=chosen(list(NAMES)),
        jobs=options.jobs,
        watched=options.watched,
    )
    for name, file in (("json", options.json), ("sarif", options.sarif), *task.exports.items()):
        if file is not None and file != "-":
            _check_writable(name, file)
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


def _decide(options: argparse.Namespace, path: str, started: float) -> tuple[Result, int]:
    """The result and the exit code; where there is no result, what was wrong has been said."""
    from argosy.session.supervisor import Fault, supervise

    display = _display(options)
    bare = Task(path, strategy=options.strategy or "auto")
    try:
        task = task_of(options, path)
        if options.cluster is not None:
            from argosy.bench.portfolio import decide

            result = decide(task, options.cluster, options.jobs, display, started=started)
        else:
            result = supervise(task, display, started=started, start=_start(options))
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
        return bare.unknown(f"{INTERNAL_ERROR}, see {fault.path}"), FAULT
    finally:
        display.close()


def _start(options: argparse.Namespace) -> Start:
    """A process that was started for this command alone has neither threads nor solvers, and everything loaded."""
    from argosy.session.starting import SERVER, forked, fresh

    path = os.environ.get(SERVER)
    if path:
        from argosy.session.warm import asking

        return asking(path)
    return forked if options.own_process else fresh


def _display(options: argparse.Namespace) -> Display:
    if options.quiet:
        return Hidden()
    return LiveLine(sys.stderr) if sys.stderr.isatty() else PlainLines(sys.stderr)

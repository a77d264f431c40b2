"""The command line. What it prints and the codes it ends with are fixed; scripts rely on them.

The last line on standard output is the verdict. What is wrong is said on standard error. Nothing heavy is imported
here: ``argosy --help`` has to answer at once, and solvers belong into the child process.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from typing import NoReturn

from argosy import __version__
from argosy.basics.errors import UsageError
from argosy.report.console import Paint, report, table
from argosy.session.progress import Display, Hidden, LiveLine, PlainLines
from argosy.session.result import Result
from argosy.session.task import ARITHMETICS, DATA_MODELS, NUMBERS, SIGNED_OVERFLOWS, Task, choose, did_you_mean
from argosy.strategies import OPTIONS, STRATEGIES, Option
from argosy.strategies.networks import NETWORK_OPTIONS, NETWORKS

WRONG_USAGE = 1
UNREADABLE = 2
UNKNOWN = 5
FAULT = 6

# Known, and refused until they arrive.
LATER_COMMANDS = ("check",)
LATER_OPTIONS = ("sarif",)
# Written for networks, refused for programs until they arrive.
NETWORK_FILES = ("witness", "report", "output")
LATER_CHOICES = (
    "domain",
    "search",
    "refinement",
    "granularity",
    "split",
    "block",
    "max-enum",
    "prune",
    "heuristic",
    "split-bound",
)


def main(arguments: Sequence[str] | None = None) -> int:
    started = time.monotonic()
    if arguments is None:
        sys.excepthook = _fault_of_this_process
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal cannot show is no reason to lose a verdict.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(arguments, started)
    except BrokenPipeError:
        # Whoever read our output has gone. What Python still wants to flush goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return UNKNOWN


def _run(arguments: list[str], started: float) -> int:
    if arguments and arguments[0] in LATER_COMMANDS:
        return _refuse(f"argosy {arguments[0]}")
    try:
        options = _parse(arguments)
        if options.command == "strategies":
            return _strategies(options)
        if options.command == "bench":
            return _bench(options)
        if options.command == "show":
            return _show(options)
        if options.command == "convert":
            return _convert(options)
        return _verify(options, started)
    except UsageError as error:
        command = f"{arguments[0]} " if arguments[:1] in (["verify"], ["bench"], ["show"], ["convert"]) else ""
        _complain(f"{error}\nTry 'argosy {command}--help'.")
        return _end(_nothing("wrong usage"), WRONG_USAGE) if "verify" in arguments[:1] else WRONG_USAGE


def _verify(options: argparse.Namespace, started: float) -> int:
    is_network = Task(options.input).is_network
    for name in (*LATER_OPTIONS, *_later_choices(), *(() if is_network else NETWORK_FILES)):
        if getattr(options, name.replace("-", "_")) is not None:
            return _refuse(f"--{name}" if is_network or name not in NETWORK_FILES else f"--{name} for programs")
    for name in ("json", "witness", "report"):
        path = getattr(options, name)
        if path is not None and (name, path) != ("json", "-"):
            try:
                open(path, "a").close()
            except OSError as error:
                raise UsageError(f"--{name}: cannot write {path}: {error.strerror}") from None
    result, code = _decide(options, started)
    try:
        if options.json == "-":
            print(result.to_json())
        elif options.json is not None:
            with open(options.json, "w", encoding="utf-8") as file:
                file.write(result.to_json(indent=1) + "\n")
    except OSError as error:
        _complain(f"--json: cannot write {options.json}: {error.strerror}")
        return _end(result, WRONG_USAGE)
    if not _write_files(options, result):
        return _end(result, WRONG_USAGE)
    if not options.quiet and options.json != "-" and code == result.exit_code:
        for line in report(result, _paint(), options.verbose):
            print(line)
        print()
    return _end(result, code)


def _write_files(options: argparse.Namespace, result: Result) -> bool:
    """What else was asked for; false where it cannot be written."""
    if (options.witness, options.report, options.output) == (None, None, None):
        return True
    from argosy.report.network_files import files

    try:
        if options.output is not None:
            os.makedirs(options.output, exist_ok=True)
        for path, text in files(result, report=options.report, witness=options.witness, directory=options.output):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        _complain(f"cannot write {error.filename}: {error.strerror}")
        return False
    return True


def _decide(options: argparse.Namespace, started: float) -> tuple[Result, int]:
    """The result and the exit code; where there is no result, what was wrong has been said."""
    from argosy.basics.errors import InputError, UnsupportedError
    from argosy.session.supervisor import Fault, supervise

    names = dict.fromkeys(option.name for option in (*OPTIONS, *NETWORK_OPTIONS))
    choices = {name: getattr(options, name.replace("-", "_")) for name in names}
    bare = Task(options.input, property=options.property or options.query or "unreach-call", strategy=options.strategy)
    display = _display(options)
    try:
        task = Task.of(
            options.input,
            property=options.property,
            query=options.query,
            data_model=options.data_model,
            strategy=options.strategy,
            options={name: value for name, value in choices.items() if value is not None},
            arithmetic=options.arithmetic,
            signed_overflow=options.signed_overflow,
            time_limit=options.time_limit,
            memory_limit=options.memory_limit,
            seed=options.seed,
            certify=options.certify,
            verbose=options.verbose,
            numbers=options.numbers,
        )
        result = supervise(task, display, started=started)
        return result, result.exit_code
    except UnsupportedError as refusal:
        return Result.unknown(bare, f"unsupported: {refusal}"), UNKNOWN
    except InputError as error:
        display.close()
        _complain(str(error))
        return Result.unknown(bare, f"cannot be read: {error}"), UNREADABLE
    except Fault as fault:
        display.close()
        _ask_for_report(fault.what, fault.path)
        return Result.unknown(bare, f"internal error, see {fault.path}"), FAULT
    finally:
        display.close()


def _bench(options: argparse.Namespace) -> int:
    from argosy.basics.errors import InputError, UnsupportedError
    from argosy.bench.command import run

    try:
        return run(options)
    except UnsupportedError as refusal:
        _complain(f"unsupported: {refusal}")
        return UNKNOWN
    except InputError as error:
        _complain(str(error))
        return UNREADABLE


def _show(options: argparse.Namespace) -> int:
    from argosy.basics.errors import InputError, UnsupportedError
    from argosy.report.show import show

    try:
        return show(options)
    except InputError as error:
        _complain(str(error))
        return UNREADABLE
    except UnsupportedError as refusal:
        _complain(f"unsupported: {refusal}")
        return UNKNOWN


def _convert(options: argparse.Namespace) -> int:
    from argosy.basics.errors import InputError, UnsupportedError
    from argosy.frontends.conversion import converted

    try:
        chosen = {name: getattr(options, name) for name in ("property", "data_model", "arithmetic", "numbers")}
        text = converted(Task.of(options.input, **chosen), options.output)
        if options.output == "-":
            print(text, end="")
        else:
            with open(options.output, "w", encoding="utf-8") as file:
                file.write(text)
    except InputError as error:
        _complain(str(error))
        return UNREADABLE
    except UnsupportedError as refusal:
        _complain(f"unsupported: {refusal}")
        return UNKNOWN
    except OSError as error:
        raise UsageError(f"cannot write {options.output}: {error.strerror}") from None
    return 0


def _strategies(options: argparse.Namespace) -> int:
    paint = _paint()
    if options.name is not None:
        every = {**STRATEGIES, **NETWORKS}
        named = every[choose("strategies", options.name, every)]
        print(f"{paint.title(named.name)}: {named.advice}")
        table_of = NETWORK_OPTIONS if named.name in NETWORKS else OPTIONS
        rows = [(f"--{o.name}", named.defaults[o.name], o.values) for o in table_of if o.name in named.defaults]
        for line in table(("option", "value", "possible"), rows, paint, verbose=1):
            print(line)
        return 0
    print(paint.title("Strategies") + " (--strategy NAME)")
    for line in table(("name", "advice"), [(s.name, s.advice) for s in STRATEGIES.values()], paint, verbose=1):
        print(line)
    print()
    print(paint.title("Options") + " that override single choices of a strategy")
    for o in OPTIONS:
        print(f"  {paint.title(f'--{o.name}')} {o.values} ({o.default})\n      {o.advice}")
        for value, advice in o.each.items():
            print(f"        {value:13} {advice}")
    print()
    print(paint.title("Networks of timed automata") + " have strategies of their own")
    for line in table(("name", "advice"), [(s.name, s.advice) for s in NETWORKS.values()], paint, verbose=1):
        print(line)
    print()
    described = [(f"--{o.name}", o.values, o.default, o.advice) for o in NETWORK_OPTIONS]
    for line in table(("option", "values", "default", "advice"), described, paint, verbose=1):
        print(line)
    return 0


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = _Parser(
        prog="argosy",
        description="A configurable model checker with certified verdicts.",
        epilog="Exit codes: 0 SAFE, 10 UNSAFE, 5 UNKNOWN, 1 wrong usage, 2 the input cannot be read, "
        "6 a fault of the program itself.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"argosy {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    verify = commands.add_parser(
        "verify", help="decide one verification task", description="Decide one verification task.", allow_abbrev=False
    )
    _add_verify(verify)
    bench = commands.add_parser(
        "bench",
        help="compare strategies on many tasks",
        description="Run tasks × strategies under hard limits; go on where an earlier run was stopped; write tables "
        "and a page.",
        epilog="Exit codes: 0 everything is measured and nothing wrong, 10 a verdict is wrong, 5 stopped before the "
        "end, 1 wrong usage, 2 tasks that cannot be read, 6 a fault of the program itself.",
        allow_abbrev=False,
    )
    if "bench" in arguments[:1]:
        from argosy.bench.command import add_arguments

        add_arguments(bench)
    show = commands.add_parser(
        "show",
        help="draw a model",
        description="Draw the automata of a network or of a program.",
        epilog="Exit codes: 0 drawn, 1 wrong usage, 2 the input cannot be read, 5 it uses what is not supported.",
        allow_abbrev=False,
    )
    if "show" in arguments[:1]:
        from argosy.report.show import add_arguments as add_show

        add_show(show)
    convert = commands.add_parser(
        "convert",
        help="write a model in another format",
        description="Write a model as ARMC clauses, which verify reads back.",
        allow_abbrev=False,
    )
    _add_convert(convert)
    strategies = commands.add_parser(
        "strategies",
        help="list the strategies and options, with advice",
        description="List every named strategy and every option with its values and one line of advice.",
        allow_abbrev=False,
    )
    strategies.add_argument("name", nargs="?", metavar="NAME", help="show one strategy with what it chooses")
    options, extra = parser.parse_known_args(arguments)
    for word in extra:
        if word.startswith("-"):
            named = {"verify": verify, "bench": bench, "show": show, "convert": convert}
            known = named.get(options.command, parser)._option_string_actions
            raise UsageError(f"no such option: {word}{did_you_mean(word.partition('=')[0], list(known))}")
        raise UsageError(f"one too many: {word}")
    return options


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="INPUT", help="ARMC clauses (.armc, .pl) or a C program (.c, .i, .yml)")
    parser.add_argument("output", metavar="OUTPUT", help="the file to write (.armc, .pl); - is standard output")
    parser.add_argument("--numbers", metavar="|".join(NUMBERS), default="auto", help="which numbers clauses speak of")
    parser.add_argument("--arithmetic", metavar="|".join(ARITHMETICS), default="auto", help="int for a C program")
    parser.add_argument("--property", metavar="unreach-call|no-overflow|FILE.prp", help="of a C program")
    parser.add_argument("--data-model", metavar="|".join(DATA_MODELS), help="of a C program")


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "input",
        metavar="INPUT",
        help="a C program (.c, .i), an SV-COMP task definition (.yml), ARMC clauses (.armc, .pl) or a network of timed "
        "automata (.xml, .xta, .ta)",
    )
    task = parser.add_argument_group("task")
    task.add_argument("--property", metavar="unreach-call|no-overflow|FILE.prp", help="what to verify")
    task.add_argument(
        "--query",
        metavar="QUERY",
        help="what to ask of a network, 'E<> ...' or 'A[] ...'; else its .q file or the queries inside it are asked",
    )
    task.add_argument("--data-model", metavar="|".join(DATA_MODELS), help="the machine's widths (ILP32)")
    task.add_argument(
        "--signed-overflow",
        metavar="|".join(SIGNED_OVERFLOWS),
        default="undefined",
        help="is an execution that overflows outside the language (undefined, the default), or does it go on",
    )
    task.add_argument(
        "--numbers",
        metavar="|".join(NUMBERS),
        default="auto",
        help="which numbers clauses speak of: what the file says or integers (auto), integers, rationals",
    )
    limits = parser.add_argument_group("limits")
    limits.add_argument("--time-limit", metavar="S", type=float, help="seconds, certification included")
    limits.add_argument("--memory-limit", metavar="MB", type=int, help="megabytes, solvers included")
    output = parser.add_argument_group("output")
    output.add_argument("--json", metavar="FILE", help="write the result as JSON; - is standard output")
    output.add_argument("--report", metavar="FILE.html", help="for networks: a page with every run as a picture")
    output.add_argument("--witness", metavar="FILE.xml", help="for networks: the run, as UPPAAL writes traces in XML")
    output.add_argument("--output", metavar="DIR", help="for networks: result.json, report.html and traces, into DIR")
    output.add_argument("--quiet", action="store_true", help="print the verdict only")
    output.add_argument("-v", "--verbose", action="count", default=0, help="leave nothing out")
    analysis = parser.add_argument_group("analysis", "'argosy strategies' explains these.")
    analysis.add_argument("--strategy", metavar="NAME", default="auto", help=", ".join(STRATEGIES))
    of_networks = {option.name: f"for networks {_advice(option)}" for option in NETWORK_OPTIONS}
    for option in OPTIONS:
        advice = "; ".join(filter(None, (_advice(option), of_networks.pop(option.name, None))))
        analysis.add_argument(f"--{option.name}", metavar=option.name.upper(), help=advice)
    for name, advice in of_networks.items():
        analysis.add_argument(f"--{name}", metavar=name.upper(), help=advice)
    analysis.add_argument(
        "--arithmetic", metavar="|".join(ARITHMETICS), default="auto", help="what the analysis computes with"
    )
    analysis.add_argument("--seed", metavar="N", type=int, default=0, help="the seed of everything random (0)")
    analysis.add_argument(
        "--no-certify", dest="certify", action="store_false", help="print verdicts that were not checked again"
    )
    for name in (*LATER_OPTIONS, *_later_choices()):
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS)


def _advice(option: Option) -> str:
    return f"{option.values} ({option.default}): {option.advice}".replace("%", "%%")


def _later_choices() -> list[str]:
    present = {option.name for option in (*OPTIONS, *NETWORK_OPTIONS)}
    return [name for name in LATER_CHOICES if name not in present]


def _display(options: argparse.Namespace) -> Display:
    if options.quiet:
        return Hidden()
    return LiveLine(sys.stderr) if sys.stderr.isatty() else PlainLines(sys.stderr)


def _paint() -> Paint:
    return Paint(sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb")


def _end(result: Result, code: int) -> int:
    print(_paint().verdict(result))
    sys.stdout.flush()
    return code


def _nothing(reason: str) -> Result:
    return Result.unknown(Task(""), reason)


def _refuse(what: str) -> int:
    _complain(f"{what} is not supported yet")
    return _end(_nothing(f"unsupported: {what}"), UNKNOWN)


def _complain(message: str) -> None:
    print(f"argosy: {message}", file=sys.stderr)


def _ask_for_report(what: str, path: str) -> None:
    _complain(f"internal error: {what}\nThis is a fault of argosy. Please report it, with the file {path}")


def _fault_of_this_process(kind: type[BaseException], error: BaseException, trace: object) -> None:
    import tempfile
    import traceback

    descriptor, path = tempfile.mkstemp(prefix="argosy-fault-", suffix=".txt")
    with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"argosy {__version__}: {sys.argv}\n")
        traceback.print_exception(error, file=file)
    _ask_for_report(f"{kind.__name__}: {error}", path)
    _end(_nothing(f"internal error, see {path}"), FAULT)
    os._exit(FAULT)

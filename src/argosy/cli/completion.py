"""``argosy completion SHELL``: a script that completes words, made from the same tables as ``--help``.

eval "$(argosy completion bash)"        # in ~/.bashrc; zsh the same in ~/.zshrc, after compinit
argosy completion fish | source         # in ~/.config/fish/config.fish
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence

from argosy.basics.choices import choose
from argosy.basics.records import dataclass
from argosy.cli import shells
from argosy.cli.shells import ShellCommand, ShellOption
from argosy.frontends.registry import BY_NAME
from argosy.strategies.table import STRATEGIES

_WORD = re.compile(r"[a-z0-9][\w.+-]*|ILP32|LP64")
_ADVICE = 60


@dataclass(frozen=True, slots=True)
class _Named:
    """Options whose values are the names in a table."""

    option: str
    values: Sequence[str]


_NAMED = (
    _Named("--strategy", tuple(STRATEGIES)),
    _Named("--strategies", tuple(STRATEGIES)),
    _Named("--format", tuple(BY_NAME)),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="|".join(shells.SHELLS), help="for which shell")


def run(options: argparse.Namespace, started: float) -> int:
    choose("shell", options.shell, tuple(shells.SHELLS))
    print(shells.SHELLS[options.shell](list(described())))
    return 0


def described() -> Iterator[ShellCommand]:
    """Every command with its options, as its own parser has them."""
    from argosy.cli.main import COMMANDS

    for command in COMMANDS.values():
        parser = argparse.ArgumentParser()
        command.load().add_arguments(parser)
        yield ShellCommand(command.name, command.help, tuple(_options(parser)), _positional(command.name))


def _options(parser: argparse.ArgumentParser) -> Iterator[ShellOption]:
    for action in parser._actions:
        name = next((each for each in action.option_strings if each.startswith("--")), None)
        if name is not None and action.help is not argparse.SUPPRESS:
            advice = " ".join((action.help or "").replace("%%", "%").split())
            short = advice if len(advice) <= _ADVICE else f"{advice[: _ADVICE - 1].rstrip()}…"
            yield ShellOption(name, short, action.nargs != 0, _values(name, action))


def _values(name: str, action: argparse.Action) -> tuple[str, ...]:
    named = next((each.values for each in _NAMED if each.option == name), None)
    if named is not None:
        return tuple(named)
    written = action.metavar if isinstance(action.metavar, str) and "|" in action.metavar else ""
    return tuple(value for value in written.split("|") if _WORD.fullmatch(value))


def _positional(command: str) -> tuple[str, ...]:
    """What stands alone behind a command that takes no files."""
    own = {"strategies": tuple(STRATEGIES), "formats": tuple(BY_NAME), "completion": tuple(shells.SHELLS)}
    return own.get(command, ())

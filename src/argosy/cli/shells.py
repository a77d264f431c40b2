"""Completions as the shells want them written: a function for each shell, and a line in the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from argosy.basics.records import dataclass


@dataclass(frozen=True, slots=True)
class ShellOption:
    """``values`` are what it can be given, as far as they can be listed; otherwise it is given a file, or anything."""

    name: str
    advice: str
    takes_value: bool
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """``words`` are what stands behind it where that is no file."""

    name: str
    advice: str
    options: tuple[ShellOption, ...]
    words: tuple[str, ...]


def bash(commands: Sequence[ShellCommand]) -> str:
    names = " ".join(command.name for command in commands)
    valued = [
        f"        '{command.name} {option.name}') words='{' '.join(option.values)}' ;;"
        for command in commands
        for option in command.options
        if option.values
    ]
    files = [
        f"        '{command.name} {option.name}') return ;;"
        for command in commands
        for option in command.options
        if option.takes_value and not option.values
    ]
    listed = [
        f"        {command.name}) options='{' '.join(option.name for option in command.options)}'"
        f" words='{' '.join(command.words)}' ;;"
        for command in commands
    ]
    lines = [
        "_argosy() {",
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= words=",
        "    COMPREPLY=()",
        "    if ((COMP_CWORD == 1)); then",
        f"        COMPREPLY=($(compgen -W '{names} --help --version' -- \"$word\")); return",
        "    fi",
        '    case "${COMP_WORDS[1]} $before" in',
        *valued,
        *files,
        "    esac",
        '    if [[ $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); return; fi',
        '    case "${COMP_WORDS[1]}" in',
        *listed,
        "    esac",
        "    [[ $word == -* ]] && words=$options",
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o default -F _argosy argosy",
    ]
    return "\n".join(lines)


def zsh(commands: Sequence[ShellCommand]) -> str:
    lines = [
        "#compdef argosy",
        "_argosy() {",
        "    local -a commands",
        "    commands=(",
        *(f"        {_quoted(command.name + ':' + command.advice)}" for command in commands),
        "    )",
        "    if ((CURRENT == 2)); then _describe command commands; return; fi",
        "    shift words; ((CURRENT--))",
        "    case $words[1] in",
    ]
    for command in commands:
        rest = f"'*:word:({' '.join(command.words)})'" if command.words else "'*:file:_files'"
        lines += [
            f"        {command.name}) _arguments -s \\",
            *map(_zsh_option, command.options),
            f"            {rest} ;;",
        ]
    return "\n".join([*lines, "    esac", "}", "compdef _argosy argosy"])


def _zsh_option(option: ShellOption) -> str:
    advice = "".join(f"\\{sign}" if sign in "[]:\\" else sign for sign in option.advice)
    value = f":value:({' '.join(option.values)})" if option.values else ":file:_files" if option.takes_value else ""
    return f"            {_quoted(f'*{option.name}[{advice}]{value}')} \\"


def fish(commands: Sequence[ShellCommand]) -> str:
    lines = ["complete -c argosy -f -n __fish_use_subcommand -l help -l version"]
    for command in commands:
        advice = _fish_quoted(command.advice)
        lines.append(f"complete -c argosy -f -n __fish_use_subcommand -a {command.name} -d {advice}")
        inside = f"complete -c argosy -n '__fish_seen_subcommand_from {command.name}'"
        if command.words:
            lines.append(f"{inside} -f -a '{' '.join(command.words)}'")
        for option in command.options:
            value = f" -x -a '{' '.join(option.values)}'" if option.values else " -r" if option.takes_value else ""
            lines.append(f"{inside} -l {option.name[2:]}{value} -d {_fish_quoted(option.advice)}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: Mapping[str, Callable[[Sequence[ShellCommand]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}

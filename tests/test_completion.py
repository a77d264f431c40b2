"""``argosy completion``: what the shells themselves make of the scripts."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from argosy.cli.completion import described
from argosy.cli.main import COMMANDS
from argosy.cli.shells import SHELLS

BASH = """
try() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _argosy; echo "${{COMPREPLY[*]}}"; }}
{script}
try {words}
"""


def needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"there is no {shell}")


def script(shell: str) -> str:
    return SHELLS[shell](list(described()))


@needs("bash")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("argosy ver", "verify"),
        ("argosy verify --data-model ''", "ILP32 LP64"),
        ("argosy verify x.c --certif", "--certificate --certify-with"),
        ("argosy completion ''", "bash zsh fish"),
        ("argosy formats ai", "aiger"),
        ("argosy verify --json ''", ""),
        ("argosy verify ''", ""),
    ],
)
def test_bash_completes(words: str, completed: str) -> None:
    ran = subprocess.run(
        ["bash", "-c", BASH.format(script=script("bash"), words=words)], capture_output=True, text=True
    )
    assert (ran.stdout.strip(), ran.stderr) == (completed, "")


@needs("fish")
def test_fish_completes() -> None:
    asked = f"{script('fish')}\ncomplete -C 'argosy verify --data-model '; complete -C 'argosy formats ai'"
    ran = subprocess.run(["fish", "--no-config", "-c", asked], capture_output=True, text=True)
    assert [line.split("\t")[0] for line in ran.stdout.splitlines()] == ["ILP32", "LP64", "aiger"]


@needs("zsh")
def test_zsh_takes_the_script() -> None:
    asked = f"autoload -Uz compinit; compinit -u -D\n{script('zsh')}\necho $_comps[argosy]"
    ran = subprocess.run(["zsh", "-f", "-c", asked], capture_output=True, text=True)
    assert (ran.stdout.strip(), ran.stderr) == ("_argosy", "")


@pytest.mark.parametrize("shell", list(SHELLS))
def test_every_command_and_option_is_there(shell: str) -> None:
    text = script(shell)
    for command in COMMANDS:
        assert command in text
    for option in (option for command in described() for option in command.options):
        assert (f"-l {option.name[2:]}" if shell == "fish" else option.name) in text

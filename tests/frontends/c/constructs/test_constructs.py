"""Each item of C that is said to be read, by a small program that is safe and, with ``UNSAFE`` defined, is not.

    // item: a flexible array member, filled by malloc  models: LP64 ILP32  truth: argued  refused: setjmp

The first line of a program says which item it is about; ``models`` are the data models (both, unless said),
``options`` those of ``argosy.verify``. ``refused``: what the unsafe version is refused for, by name and with its
place; ``ledger``: a line that the result has. A compiler says that the unsafe version reaches the error, and the other
does not; ``truth: hosted``: it needs a C library for that, ``truth: argued``: there is more than one execution, or none
on this machine.

Law: both versions get their verdict under each data model, SAFE certified and UNSAFE replayed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.cli.main import main
from tests.frontends.c.attack.programs import compilers, ended

FOLDER = Path(__file__).parent
PAGE = FOLDER.parents[3] / "docs" / "c.md"
KEYS = frozenset(("item", "models", "options", "truth", "refused", "ledger"))
UNSAFE, ERROR = "UNSAFE", 107
TIME_LIMIT = 60
# Of the headers of the C library the freestanding build for ILP32 has these, as Argosy brings them along.
FREESTANDING = frozenset(("assert", "float", "limits", "stdalign", "stdarg", "stdbool", "stddef", "stdint"))
HEADERS = FOLDER.parents[3] / "src" / "argosy" / "frontends" / "c" / "headers"


@dataclass(frozen=True, slots=True)
class Construct:
    """One program under one data model."""

    path: Path
    model: str
    says: Mapping[str, str]

    @property
    def name(self) -> str:
        return f"{self.path.relative_to(FOLDER)}-{self.model}"

    @property
    def runs(self) -> bool:
        return self.says.get("truth") != "argued" and "refused" not in self.says

    @property
    def links(self) -> bool:
        """Whether a build without a C library has all that it needs."""
        headers = set(re.findall(r"#include <(\w+)\.h>", self.path.read_text()))
        return self.model == "LP64" or (headers <= FREESTANDING and "truth" not in self.says)


def constructs() -> Iterator[Construct]:
    for path in sorted(FOLDER.glob("*/*.c")):
        head = path.read_text(encoding="utf-8").partition("\n")[0]
        says = dict(part.split(": ", 1) for part in re.split(r"  +", head.removeprefix("// ").strip()))
        if "item" not in says or not says.keys() <= KEYS:
            raise ValueError(f"{path}: {head}")
        for model in says.get("models", "LP64 ILP32").split():
            yield Construct(path, model, says)


CONSTRUCTS = list(constructs())


def marked(some: list[Construct]) -> list[object]:
    return [pytest.param(each, id=each.name) for each in some]


def verdict(construct: Construct, *defined: str) -> argosy.Result:
    options: dict[str, Any] = dict(option.split("=", 1) for option in construct.says.get("options", "").split())
    return argosy.verify(
        construct.path,
        data_model=construct.model,
        define="\n".join(defined),
        time_limit=TIME_LIMIT,
        in_process=True,
        **options,
    )


@pytest.mark.parametrize("construct", marked(CONSTRUCTS))
def test_the_safe_version_is_safe(construct: Construct) -> None:
    result = verdict(construct)
    assert (result.verdict, result.certified) == ("safe", True), result.reason
    line = construct.says.get("ledger")
    assert line is None or any(re.search(line, each) for each in result.ledger), result.ledger


@pytest.mark.parametrize("construct", marked(CONSTRUCTS))
def test_the_unsafe_version_is_unsafe_or_refused_by_name(construct: Construct) -> None:
    result, refused = verdict(construct, UNSAFE), construct.says.get("refused")
    if refused is None:
        assert (result.verdict, result.certified) == ("unsafe", True), result.reason
        assert result.counterexample
    else:
        place = rf"unsupported: {re.escape(str(construct.path))}:[0-9]+:[0-9]+: .*({refused})"
        assert result.verdict == "unknown" and re.match(place, result.reason or ""), result.reason


@pytest.mark.parametrize("construct", marked([each for each in CONSTRUCTS if "refused" in each.says]))
def test_what_is_refused_ends_with_its_exit_code(construct: Construct, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["verify", str(construct.path), "-D", UNSAFE, "--data-model", construct.model, "--time-limit", "20"]
    assert main(command) == 5
    assert "Verdict: UNKNOWN (unsupported: " in capsys.readouterr().out


@pytest.mark.parametrize("construct", marked([each for each in CONSTRUCTS if each.runs and each.links]))
def test_a_compiler_says_the_same(construct: Construct) -> None:
    command = next(iter(compilers(construct.model)), None)
    if command is None:
        pytest.skip(f"no compiler for {construct.model}")
    own = () if construct.model == "LP64" else ("-msse2", "-mfpmath=sse", "-nostdinc", "-isystem", str(HEADERS))
    assert ended((*command, *own), construct.path) == 0
    assert ended((*command, *own, f"-D{UNSAFE}"), construct.path) == ERROR


def test_the_page_lists_every_program_and_no_other() -> None:
    links = re.findall(r"\(\.\./tests/frontends/c/constructs/([^)]+\.c)\)", PAGE.read_text(encoding="utf-8"))
    assert sorted(links) == sorted({each.path.relative_to(FOLDER).as_posix() for each in CONSTRUCTS})

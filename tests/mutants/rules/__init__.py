"""Rules of C, each with a small program that shows whether it is kept: what the front end must not get wrong.

A program checks facts, each of them once. Compilers know that the facts are true; the model must find them true as
well, executed on concrete values. In a file, ``//// `` and the name of a rule start a program.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.compiled import SHOWN, Program, names
from tests.fuzz.execution import SEQUENCES, Execution

_FOLDER = Path(__file__).parent
_BEFORE = "unsigned seen;\n"


@dataclass(frozen=True, slots=True)
class Rule:
    """``facts`` is how many facts the program checks before its ``ending``."""

    name: str
    text: str
    facts: int
    data_model: str = "LP64"
    ending: str = ""

    @property
    def expected(self) -> tuple[Execution, ...]:
        return (Execution((0, *(1,) * self.facts), self.ending),) * SEQUENCES

    @property
    def program(self) -> Program:
        return Program(self.text, names(self.text))


@functools.cache
def rules() -> Mapping[str, Rule]:
    found = {}
    for path in sorted(_FOLDER.glob("*.c")):
        for part in path.read_text().split("//// ")[1:]:
            name, _, text = part.partition("\n")
            shown = re.sub(r"\bCHECK\((.*?)\);", rf"{{ unsigned h = (\1) ? 1u : 0u; {SHOWN} }}", text)
            count = text.count("CHECK(")
            model = "ILP32" if path.stem == "ilp32" else "LP64"
            assert name not in found, name
            found[name] = Rule(name, _BEFORE + shown, count, model)
    for line in (_FOLDER / "undefined.txt").read_text().splitlines():
        before, _, expression = line.partition(" | ")
        name = f"undefined: {line}"
        body = f"unsigned h = 1; {SHOWN} long long value = {expression}; h = value; {SHOWN} return 0;"
        text = f"{before}\nint main(void) {{ {body} }}"
        found[name] = Rule(name, f"{_BEFORE}{text}\n", 1, ending="undefined")
    return found

"""A few programs of csmith in every run; ``python -m tests.fuzz.csmith`` for many."""

from __future__ import annotations

import pytest

from .compiled import SANITIZERS, executions
from .csmith import available, outcomes, program
from .execution import compare

pytestmark = pytest.mark.skipif(not available(), reason="needs csmith, gcc and clang")


def test_the_model_computes_the_checksum() -> None:
    found = outcomes(range(1, 15))
    assert not [each for each in found if each.wrong]
    assert sum(each.kind == "agrees" for each in found) >= 6


@pytest.mark.parametrize("operation", ["add", "sub", "mul", "div", "mod", "lshift", "rshift"])
def test_the_wrappers_are_defined_for_all_operands(operation: str) -> None:
    values = ("-1", "0", "1", "77", "0x80000000", "0x8000000000000000", "0x7fffffffffffffff")
    calls = ""
    for type_ in ("int8_t", "uint16_t", "int32_t", "uint32_t", "int64_t"):
        kind = "u" if type_.startswith("u") else "s"
        name = f"safe_{operation}_func_{type_}_{kind}_{'s' if 'shift' in operation else kind}"
        pairs = ((a, b) for a in values for b in values)
        calls += "".join(f'transparent_crc({name}(({type_})({a}), (int)({b})), "", 0);\n' for a, b in pairs)
    made = program(f"int main(void) {{ {calls} shows(); return 0; }}")
    [shown] = executions([made], "LP64", SANITIZERS)
    assert shown is not None and compare(made.text, shown, "LP64").kind == ""

"""Real numbers: values worked out by hand, both meanings of each operator, proofs and counterexamples."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from random import Random
from typing import Any

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.plc.operators import constant, evaluate, term
from argosy.frontends.plc.types import BOOLEAN, ELEMENTARY, PlcScalar, of_pattern, pattern
from argosy.logic.terms import Term, Terms
from argosy.models.cyclic import Column
from argosy.report.controller_cycles import cycles_waveform
from argosy.session.run import decide
from argosy.session.task import Task
from tests.frontends.plc.running import body, program, run

REAL, LREAL = ELEMENTARY["REAL"], ELEMENTARY["LREAL"]


def single(number: float) -> float:
    found: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return found


@pytest.mark.parametrize(
    ("expression", "type", "value"),
    [
        ("a + REAL#0.2", "REAL", single(single(0.1) + single(0.2))),
        ("LREAL#0.1 + l", "LREAL", 0.1 + 0.2),
        # Beside LREAL a REAL keeps what it lost when it became one.
        ("a + l", "LREAL", single(0.1) + 0.2),
        # 2**24 + 1 is no REAL: of its two neighbours the even one.
        ("big + 1.0", "REAL", 16777216.0),
        ("big + 3.0", "REAL", 16777220.0),
        ("3.0e38 * two", "REAL", math.inf),
        ("1.0 / zero", "REAL", math.inf),
        ("1.0 / (-zero)", "REAL", -math.inf),
        ("LINT_TO_REAL(lint)", "REAL", 9007200328482816.0),
        ("DINT_TO_REAL(16777219)", "REAL", 16777220.0),
        ("LREAL_TO_REAL(l)", "REAL", single(0.2)),
        ("REAL_TO_INT(half + 2.0)", "INT", 2),
        ("REAL_TO_INT(half + 3.0)", "INT", 4),
        ("REAL_TO_INT(-(half + 2.0))", "INT", -2),
        ("TRUNC(-(half + 2.0))", "DINT", -2),
        ("REAL_TRUNC_SINT(half + 2.0)", "SINT", 2),
        ("FLOOR(-half)", "DINT", -1),
        ("CEIL(half)", "DINT", 1),
        ("ROUND(half)", "DINT", 0),
        ("REAL_TO_TIME(half * 5.0)", "TIME", 2),
        ("TIME_TO_REAL(T#1s)", "REAL", 1000.0),
        ("BOOL_TO_REAL(two > 1.0)", "REAL", 1.0),
        ("REAL_TO_BOOL(-zero)", "BOOL", False),
        ("REAL_TO_BOOL(half)", "BOOL", True),
        ("LIMIT(0.0, two, 1.5)", "REAL", 1.5),
        ("SEL(two > half, half, two)", "REAL", 2.0),
        ("MAX(two, half, 3.0)", "REAL", 3.0),
        ("SQRT(two)", "REAL", single(math.sqrt(2))),
        ("ABS(-half)", "REAL", 0.5),
        ("EXPT(two, 200)", "REAL", math.inf),
        ("EXPT(zero, -1)", "REAL", math.inf),
        ("EXP(two * 1000.0)", "REAL", math.inf),
        ("LN(zero)", "REAL", -math.inf),
        ("REAL_TO_DWORD(1.0)", "DWORD", 0x3F800000),
        ("DWORD_TO_REAL(16#C0000000)", "REAL", -2.0),
        ("LREAL_TO_LWORD(-2.0)", "LWORD", 0xC000 << 48),
    ],
)
def test_values(expression: str, type: str, value: Any) -> None:
    variables = "a : REAL := 0.1; l : LREAL := 0.2; big : REAL := 16777216.0; two : REAL := 2.0; zero : REAL; "
    variables += f"half : REAL := 0.5; lint : LINT := 9007199791611905; x : {type};"
    # What is written is not folded.
    unfolded = "a := a; l := l; big := big; two := two; zero := zero; half := half; lint := lint;"
    assert body(f"{unfolded} x := {expression};", variables)["x"] == value


@pytest.mark.parametrize("expression", ["SQRT(-1.0)", "zero / zero", "LN(-two)", "EXPT(-two, half)", "ASIN(two)"])
def test_what_is_no_number(expression: str) -> None:
    found = body(f"x := {expression};", "zero, x : REAL; two : REAL := 2.0; half : REAL := 0.5;")
    assert math.isnan(found["x"])


def test_bits_are_copied_or_numbers_converted_as_the_dialect_has_it() -> None:
    found = {name: body("x := REAL_TO_DWORD(2.6);", "x : DWORD;", dialect=name)["x"] for name in ("iec", "codesys")}
    assert found == {"iec": 0x40266666, "codesys": 3}
    notes = program("PROGRAM p VAR x : DWORD; r : REAL; END_VAR x := REAL_TO_DWORD(r); END_PROGRAM").notes
    assert any("copy bits" in note for note in notes)
    with pytest.raises(UnsupportedError, match="the bits of REAL as WORD"):
        program("PROGRAM p VAR x : WORD; r : REAL; END_VAR x := REAL_TO_WORD(r); END_PROGRAM")


# ---- both meanings ----------------------------------------------------------------------------------------------

_SOME = (0.0, -0.0, 1.0, -2.5, 0.5, 3.5, 1e-40, 1e30, -1e9, 255.5, 32767.5, 2147483647.0, math.inf, -math.inf, math.nan)


class Asked(Exception):
    pass


def _refuse(type: PlcScalar, what: str) -> Term:
    raise Asked


def agree(operator: str, types: list[PlcScalar], result: PlcScalar, values: list[Any]) -> bool | None:
    """Whether the value of an operator is that of its term; None where the term may have any."""
    terms = Terms()
    arguments = [constant(terms, type, value, {}) for type, value in zip(types, values, strict=True)]
    asked = []

    def unknown(type: PlcScalar, what: str) -> Term:
        asked.append(terms.var("unknown", type.sort))
        return asked[-1]

    made = term(terms, operator, types, result, arguments, unknown)
    if made in asked:
        return None
    assert made.op == "const" or made in (terms.true, terms.false)
    wanted = constant(terms, result, evaluate(operator, types, result, values), {})
    if result.kind == "real" and math.isnan(of_pattern(result, wanted.payload)):
        return math.isnan(of_pattern(result, made.payload))
    return made is wanted


@pytest.mark.parametrize("type", [REAL, LREAL])
def test_both_meanings_of_the_operators_agree(type: PlcScalar) -> None:
    chance = Random(1)
    numbers = [*_SOME, *(of_pattern(type, chance.getrandbits(type.width)) for _ in range(12))]
    for a in numbers:
        a = of_pattern(type, pattern(type, a))
        for operator in ("neg", "abs", "sqrt", "trunc", "floor", "ceil", "round"):
            assert agree(operator, [type], type, [a])
        for name in ("BOOL", "SINT", "UINT", "DINT", "ULINT", "TIME", "REAL", "LREAL"):
            assert agree("convert", [type], ELEMENTARY[name], [a]) is not False, (name, a)
        for b in numbers:
            b = of_pattern(type, pattern(type, b))
            for operator in ("add", "sub", "mul", "div"):
                assert agree(operator, [type, type], type, [a, b]), (operator, a, b)
            for operator in ("eq", "lt", "le"):
                assert agree(operator, [type, type], BOOLEAN, [a, b]), (operator, a, b)
    for name in ("SINT", "UDINT", "LINT", "ULINT", "TIME"):
        for _ in range(20):
            value = ELEMENTARY[name].wrapped(chance.getrandbits(64))
            assert agree("convert", [ELEMENTARY[name]], type, [value])


def test_a_whole_number_that_does_not_fit_may_be_any() -> None:
    for value, target, known in (
        (32767.4, "INT", True),
        (32767.5, "INT", None),
        (-32768.5, "INT", True),
        (-32769.0, "INT", None),
        (255.4, "USINT", True),
        (-0.5, "USINT", True),
        (-0.75, "USINT", None),
        (math.nan, "DINT", None),
        (math.inf, "ULINT", None),
        (2.0**63, "LINT", None),
        (-(2.0**63), "LINT", True),
    ):
        assert agree("convert", [LREAL], ELEMENTARY[target], [value]) is known, (value, target)


# ---- verdicts ---------------------------------------------------------------------------------------------------


def verdict(tmp_path: Path, text: str, require: str) -> Any:
    path = tmp_path / "p.st"
    path.write_text(text)
    return decide(Task.of(str(path), require=require, time_limit=20.0)).result


SCALED = """PROGRAM p VAR_INPUT raw : INT; END_VAR VAR_OUTPUT level : REAL; high : BOOL; END_VAR
level := INT_TO_REAL(LIMIT(0, raw, 27648)) * 100.0 / 27648.0; high := level > 90.0; END_PROGRAM"""


READ = "PROGRAM p VAR_INPUT r : REAL; END_VAR VAR i : INT; s : REAL; d : DWORD; END_VAR {} END_PROGRAM"
COUNTED = "PROGRAM p VAR n : {} := 16777215.0; END_VAR n := n + 1.0; END_PROGRAM"
LIMITED = READ.format("i := REAL_TO_INT(LIMIT(0.0, r, 9.5));")


@pytest.mark.parametrize(
    ("text", "require", "expected"),
    [
        (SCALED, "NOT high OR raw >= 24884", "safe"),
        (SCALED, "NOT high OR raw >= 24885", "unsafe"),
        (LIMITED, "i <= 10 AND i >= 0 OR r <> r", "safe"),
        (LIMITED, "i <= 9", "unsafe"),
        # What a conversion gives that does not fit is nobody's counterexample.
        (READ.format("IF r > 1.0e6 THEN i := REAL_TO_INT(r); END_IF"), "i <> 5", "unknown"),
        (READ.format("s := SIN(r);"), "s <= 1.0 OR r - r <> 0.0", "safe"),
        (READ.format("s := SIN(r);"), "s < 0.5", "unknown"),
        # An accumulator of REAL stands still where a whole number would go on.
        (COUNTED.format("REAL"), "n <= 16777216.0", "safe"),
        (COUNTED.format("LREAL"), "n <= 16777216.0", "unsafe"),
        (READ.format("d := REAL_TO_DWORD(ABS(r));"), "d < 16#80000000 OR r <> r", "safe"),
        (READ.format("d := REAL_TO_DWORD(ABS(r));"), "d < 16#80000000", "unknown"),
    ],
)
def test_verdicts(tmp_path: Path, text: str, require: str, expected: str) -> None:
    found = verdict(tmp_path, text, require)
    assert found.verdict == expected
    assert found.certified or expected == "unknown"


def test_what_may_be_any_value_is_in_the_ledger(tmp_path: Path) -> None:
    text = READ.format("i := REAL_TO_INT(r); s := COS(r);")
    ledger = "\n".join(verdict(tmp_path, text, "i > 3 OR s < 5.0 OR s > 2.0 OR s <> s").ledger)
    assert "any value, wherever it matters: COS of REAL (-1 to 1)" in ledger
    assert "any value, wherever it matters: the INT of a REAL that INT does not hold" in ledger


def test_a_run_with_real_inputs_can_be_replayed(tmp_path: Path) -> None:
    text = """PROGRAM p VAR_INPUT r : REAL; END_VAR VAR sum : REAL; END_VAR
    IF r = 0.75 OR r = 0.1 THEN sum := sum + r; END_IF END_PROGRAM"""
    found = verdict(tmp_path, text, "sum < 1.5")
    assert found.verdict == "unsafe"
    cycles = found.answers[0]["cycles"]
    dump = cycles_waveform([Column("r", "input", "r", REAL.shown), Column("sum", "memory", "sum", REAL.shown)], cycles)
    assert "$var real 64" in dump and "r0.75 " in dump
    rows = run(text, [{"r": float(cycle["inputs"]["r"])} for cycle in cycles])
    assert rows[-1]["sum"] >= 1.5 and all(row["sum"] < 1.5 for row in rows[:-1])
    assert [REAL.shown(row["sum"]) for row in rows] == [cycle["memory"]["sum"] for cycle in cycles]


def test_a_number_is_shown_with_as_few_digits_as_tell_it_from_others() -> None:
    for value, text in (
        (0.1, "0.1"),
        (123.456, "123.456"),
        (16777216.0, "16777216.0"),
        (3.0e38, "3e+38"),
        (-0.0, "-0.0"),
    ):
        assert REAL.shown(single(value)) == text
    chance = Random(3)
    for _ in range(200):
        value = of_pattern(REAL, chance.getrandbits(32))
        if math.isfinite(value):
            assert single(float(REAL.shown(value))) == value
    assert REAL.shown(of_pattern(REAL, 0x7F7FFFFF)) == "3.4028235e+38"
    assert REAL.shown(math.inf) == "inf" and LREAL.shown(0.1) == "0.1"


@pytest.mark.parametrize("text", ["r : REAL := 3.5e38;", "r : LREAL := 1.0e400;", "r : REAL; l : LREAL := 1e999;"])
def test_literals_that_are_too_large(text: str) -> None:
    with pytest.raises(InputError, match="has no number that is so large"):
        program(f"PROGRAM p VAR {text} END_VAR r := r; END_PROGRAM")

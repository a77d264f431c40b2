"""AIGER: what a file says, and what is wrong with one that says nothing."""

from __future__ import annotations

import resource
from pathlib import Path
from random import Random

import pytest

import argosy
from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.aiger.reader import AigerFile, read_aiger
from argosy.models.bits import CircuitModel
from argosy.models.circuit import ARBITRARY, Circuit
from tests.frontends.aiger.writing import binary, text
from tests.models.circuits import random_circuit
from tests.models.systems import reached_after


def read(content: str | bytes) -> AigerFile:
    return read_aiger("x.aag", content.encode() if isinstance(content, str) else content)


def verdicts(content: str | bytes) -> list[str]:
    model = CircuitModel(read(content).circuit)
    systems = [model.system(number) for number in range(len(model.circuit.bad))]
    return ["safe" if reached_after(system, system.bad[0]) is None else "unsafe" for system in systems]


# ---- what a file says -----------------------------------------------------------------------------------------------


def test_an_omitted_reset_is_zero_and_the_latch_itself_is_any_value() -> None:
    assert verdicts("aag 1 0 1 1 0\n2 2\n2\n") == ["safe"]
    assert verdicts("aag 1 0 1 1 0\n2 2 0\n2\n") == ["safe"]
    assert verdicts("aag 1 0 1 1 0\n2 2 1\n2\n") == ["unsafe"]
    assert verdicts("aag 1 0 1 1 0\n2 2 2\n2\n") == ["unsafe"]
    assert verdicts("aag 1 0 1 1 0\n2 2 2\n3\n") == ["unsafe"]
    assert read("aag 1 0 1 1 0\n2 2 2\n2\n").circuit.reset == bytes([ARBITRARY])


def test_constraints_hold_up_to_and_including_the_step_of_the_bad_state() -> None:
    toggle = "aag 2 1 1 0 0 1 1\n2\n4 5\n4\n"
    assert verdicts(toggle + "2\n") == ["unsafe"]
    assert verdicts(toggle + "5\n") == ["safe"]
    assert verdicts(toggle + "4\n") == ["safe"]


def test_a_bad_state_may_depend_on_the_inputs_of_its_step_and_depth_zero_counts() -> None:
    assert verdicts("aag 1 1 0 0 0 1\n2\n2\n") == ["unsafe"]
    assert verdicts("aag 0 0 0 0 0 1\n1\n") == ["unsafe"]
    assert verdicts("aag 0 0 0 0 0 2\n0\n1\n") == ["safe", "unsafe"]


def test_outputs_are_bad_states_where_there_are_none() -> None:
    file = read("aag 1 1 0 2 0\n2\n0\n2\no1 the second\n")
    assert file.outputs and len(file.circuit.bad) == 2 and file.circuit.bad_names == (None, "the second")
    file = read("aag 1 1 0 1 0 1\n2\n1\n2\nb0 bad\no0 other\n")
    assert not file.outputs and file.circuit.bad == (2,) and file.circuit.bad_names == ("bad",)


def test_gates_of_a_text_may_stand_in_any_order_and_variables_have_any_number() -> None:
    ordered = read("aag 5 2 0 1 3\n2\n4\n10\n6 2 4\n8 6 3\n10 8 7\n")
    shuffled = read("aag 90 2 0 1 3\n40\n80\n170\n170 16 121\n120 40 80\n16 120 41\n")
    assert (ordered.circuit.gates, ordered.circuit.bad) == (shuffled.circuit.gates, shuffled.circuit.bad)


def test_symbols_and_comments_are_read_and_the_last_line_may_lack_its_end() -> None:
    file = read("aag 2 1 1 1 0\n2\n4 2\n4\ni0 request line\nl0 stored\nc\nanything: i9 goes\n\x80here")
    assert file.circuit.input_names == ("request line",) and file.circuit.latch_names == ("stored",)
    assert read("aag 1 1 0 1 0\n2\n2").circuit.bad == (2,)
    assert read("aag 1 1 0 1 0\r\n2\r\n2\r\n").circuit.bad == (2,)


def test_binary_and_text_say_the_same() -> None:
    for seed in range(40):
        circuit = random_circuit(Random(seed))
        one, other = read(text(circuit)).circuit, read(binary(circuit)).circuit
        for found in (one, other):
            assert (found.inputs, found.reset, found.bad, found.constraints) == (
                circuit.inputs,
                circuit.reset,
                circuit.bad,
                circuit.constraints,
            )
            assert found.next == circuit.next and _pairs(found) == _pairs(circuit)


def _pairs(circuit: Circuit) -> list[list[int]]:
    return [sorted(circuit.gates[k : k + 2]) for k in range(0, len(circuit.gates), 2)]


def test_shared_gates_are_not_copied_into_all_that_use_them() -> None:
    gates = 3_000
    lines = [f"{2 * (k + 3)} {2 * (k + 2)} {2 * (1 + k % 2) + (k % 3 == 0)}" for k in range(gates)]
    last = 2 * (gates + 2)
    content = "\n".join([f"aag {gates + 2} 2 0 2 {gates}", "2", "4", str(last), str(last - 2), *lines]) + "\n"
    system = CircuitModel(read(content).circuit).system(0)
    size = sum(len(term.args) for term in system.terms._table.values())
    assert size < 10 * gates


# ---- what is wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("aag 1 1\n", 1, "header"),
        ("AAG 0 0 0 0 0\n", 1, "header"),
        ("aag 0 1 0 0 0\n2\n", 1, "0 variables are announced"),
        ("aig 5 1 1 0 1\n", 1, "5 variables are announced"),
        ("aag 1 1 0 1 0\n2\n", 3, "the file ends before an output"),
        ("aag 1 1 0 1 0\n2 4\n2\n", 2, "1 number expected for an input"),
        ("aag 1 1 0 1 0\n3\n2\n", 2, "literal 3 cannot be an input"),
        ("aag 1 1 0 1 0\n0\n2\n", 2, "literal 0 cannot be an input"),
        ("aag 2 2 0 1 0\n2\n2\n2\n", 3, "literal 2 is defined twice"),
        ("aag 1 1 0 1 0\n2\n9\n", 3, "literal 9 of an output is larger than 3"),
        ("aag 2 1 0 1 0\n2\n4\n", 3, "literal 4 of a bad state is not defined"),
        ("aag 1 0 1 1 0\n2 2 3\n2\n", 2, "the reset of latch 2 is 0, 1 or 2, not 3"),
        ("aag 1 0 1 1 0\n2\n2\n", 2, "2 or 3 numbers expected for a latch"),
        ("aag 2 1 0 1 1\n2\n4\n4 2 x\n", 4, "3 numbers expected for a gate"),
        ("aag 2 1 0 1 1\n2\n4\n5 2 2\n", 4, "literal 5 cannot be a gate"),
        ("aag 2 1 0 1 1\n2\n4\n2 2 2\n", 4, "literal 2 is defined twice"),
        ("aag 2 1 0 1 1\n2\n4\n4 4 2\n", 4, "gate 4 depends on itself"),
        ("aag 3 1 0 1 2\n2\n4\n4 6 2\n6 2 5\n", 4, "gate 4 depends on itself"),
        ("aag 3 1 0 1 1\n2\n4\n4 6 2\n", 4, "variable 3 of a gate is not defined"),
        ("aag 1 1 0 1 0\n2\n2\nl0 x\n", 4, "there is no l0 to be named"),
        ("aag 1 1 0 1 0\n2\n2\nwhat\n", 4, "a symbol or the comment is expected"),
        ("aag 1000000000 1000000000 0 0 0\n2\n", 1, "1000000000 inputs are announced, and the file is too short"),
        ("aag 1000000000 0 0 0 1000000000\n", 1, "1000000000 gates are announced"),
        ("aag 0 0 0 1000000000 0\n", 1, "1000000000 outputs are announced"),
    ],
)
def test_malformed_texts_are_refused_with_their_line(content: str, line: int, what: str) -> None:
    with pytest.raises(InputError) as error:
        read(content)
    assert error.value.position.line == line and what in error.value.what


@pytest.mark.parametrize(
    ("gates", "what"),
    [
        (b"", "byte 16: the file ends in gate 4"),
        (b"\x81", "byte 17: the file ends in gate 4"),
        (b"\x00\x00", "byte 16: the difference 0 of gate 4 leads to no literal below"),
        (b"\x05\x00", "byte 16: the difference 5 of gate 4"),
        (b"\x02\x03", "byte 17: the difference 3 of gate 4"),
        (b"\xff\xff\xff\xff\xff\x7f\x00", "byte 16: a number of gate 4 is too long"),
        (b"\x02\x00rest\n", "byte 18: a symbol or the comment is expected"),
    ],
)
def test_malformed_binary_files_are_refused_with_their_byte(gates: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read(b"aig 2 1 0 1 1\n4\n" + gates)


def test_counts_that_lie_take_no_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for header in ("aig 2000000000 1000000000 1000000000 0 0", "aag 4000000000 0 0 0 4000000000"):
        with pytest.raises(InputError):
            read(header + "\n")
    assert read("aag 4000000000 1 0 1 0\n8000000000\n8000000000\n").circuit.bad == (2,)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


@pytest.mark.parametrize(("header", "what"), [("1 0 1 0", "justice"), ("1 0 0 1", "fairness")])
def test_justice_and_fairness_are_refused_by_name(header: str, what: str) -> None:
    with pytest.raises(UnsupportedError, match=what):
        read(f"aag 1 1 0 0 0 {header}\n2\n2\n1\n2\n")


def test_whatever_signals_are_called_a_proof_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "named.aag"
    path.write_text("aag 3 1 2 0 0 1\n2\n4 4\n6 6\n4\ni0 a|b\\c\nl0 a|b\\c\nl1 a/b/c\n")
    model = CircuitModel(read_aiger(str(path), path.read_bytes()).circuit)
    assert len({*model.latch_names, *model.input_names}) == 3
    assert argosy.verify(str(path)).invariant


# ---- from the command line ------------------------------------------------------------------------------------------


def test_each_property_has_its_own_certified_answer(tmp_path: Path) -> None:
    path = tmp_path / "two.aag"
    path.write_text("aag 2 1 1 0 0 2\n2\n4 2\n0\n4\nb0 never\nb1 soon\n")
    result = argosy.verify(str(path))
    assert [(answer["text"], answer["verdict"], answer["certified"]) for answer in result.answers] == [
        ("never", "safe", True),
        ("soon", "unsafe", True),
    ]
    assert result.verdict == "unsafe" and result.kind == "system" and result.format == "aiger"


def test_a_file_without_bad_states_has_nothing_to_check(tmp_path: Path) -> None:
    path = tmp_path / "none.aag"
    path.write_text("aag 1 1 0 0 0\n2\n")
    result = argosy.verify(str(path))
    assert (result.verdict, result.certificate) == ("safe", "invariant") and "nothing to check" in (
        result.nothing or ""
    )

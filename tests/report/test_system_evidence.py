"""The evidence of hardware: witnesses, waveforms and witness circuits, each checked by something that shares nothing
with what wrote it: simulators over the text of a file, and the six questions put to z3."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random
from typing import Any

import pytest
import z3

from argosy.basics.errors import UnsupportedError
from argosy.basics.records import replace
from argosy.certify.witness_circuit import CHECKS, failing_check
from argosy.frontends.aiger.reader import read_aiger
from argosy.models.circuit import Circuit
from argosy.report.exporters import Decided, exported
from argosy.session.run import decide
from argosy.session.task import Task
from tests.frontends.aiger.writing import text
from tests.frontends.btor2.test_btor2 import MEANINGS
from tests.models.circuits import random_circuit

EXAMPLES = Path(__file__).parents[2] / "examples" / "systems"


def decided(path: Path, strategy: str = "pdr") -> Decided:
    return decide(Task.of(str(path), strategy=strategy, time_limit=30))


def written(answers: Decided, **exports: str) -> dict[str, str]:
    return {path: str(text) for path, text in exported(answers, exports)}


# ---- a simulator of AIGER texts -------------------------------------------------------------------------------------


class Simulated:
    """A text of AIGER with gates in order, as lists of numbers."""

    def __init__(self, content: str) -> None:
        lines = content.splitlines()
        _, *counts = lines[0].split()
        _, inputs, latches, outputs, gates, bad, constraints, *_ = [*map(int, counts), 0, 0, 0]
        rows = [[int(word) for word in line.split()] for line in lines[1 : 1 + inputs + latches]]
        self.inputs, self.latches = [row[0] for row in rows[:inputs]], rows[inputs:]
        at = 1 + inputs + latches + outputs
        self.bad = [int(line) for line in lines[at : at + bad]]
        self.constraints = [int(line) for line in lines[at + bad : at + bad + constraints]]
        at += bad + constraints
        self.gates = [[int(word) for word in line.split()] for line in lines[at : at + gates]]

    def accepts(self, witness: str) -> bool:
        lines = witness.splitlines()
        if lines[0] != "1" or lines[-1] != ".":
            return False
        bad = self.bad[int(lines[1][1:])]
        values = {0: 0}
        for (own, _, *reset), digit in zip(self.latches, lines[2], strict=True):
            first = reset[0] if reset else 0
            if first != own and first != int(digit):
                return False
            values[own] = int(digit)

        def value(literal: int) -> int:
            return values[literal & ~1] ^ (literal & 1)

        for place, line in enumerate(lines[3:-1]):
            values.update(zip(self.inputs, map(int, line), strict=True))
            for own, left, right in self.gates:
                values[own] = value(left) & value(right)
            if not all(map(value, self.constraints)):
                return False
            if place == len(lines) - 5:
                return bool(value(bad))
            after = {own: value(following) for own, following, *_ in self.latches}
            values.update(after)
        return False


def test_witnesses_of_circuits_are_accepted_by_a_simulator(tmp_path: Path) -> None:
    accepted = 0
    path = tmp_path / "random.aag"
    for seed in range(25):
        content = text(random_circuit(Random(seed))).decode()
        path.write_text(content)
        for strategy in ("pdr", "explicit") if seed < 4 else ("pdr",):
            for witness in written(decided(path, strategy), witness="run.wit").values():
                assert Simulated(content).accepts(witness), seed
                accepted += 1
    assert accepted > 10


def test_a_run_that_is_changed_is_not_accepted() -> None:
    content = (EXAMPLES / "token_ring.aag").read_text()
    [witness] = written(decided(EXAMPLES / "token_ring.aag"), witness="run.wit").values()
    assert Simulated(content).accepts(witness)
    assert not Simulated(content).accepts(witness.replace("\n1\n0\n.", "\n0\n0\n."))


# ---- a simulator of BTOR2 -------------------------------------------------------------------------------------------


def simulated(content: str, witness: str) -> bool:
    """Whether a witness for words (no arrays) ends in its bad state."""
    lines = [words for line in content.splitlines() if (words := line.split(";")[0].split())]
    widths = {int(line[0]): int(line[3]) for line in lines if line[1] == "sort"}
    frames: dict[str, dict[int, int]] = {}
    for said in witness.splitlines()[2:-1]:
        if said[0] in "#@":
            frame = frames[said] = {}
        else:
            number, digits, _ = said.split()
            frame[int(number)] = int(digits, 2)
    steps = 1 + max(int(name[1:]) for name in frames if name[0] == "@")
    bad = int(witness.splitlines()[1][1:])
    states: dict[int, int] = {}
    for step in range(steps):
        values: dict[int, tuple[int, int]] = {}
        following: dict[int, int] = {}
        inits = {int(line[3]): int(line[4]) for line in lines if line[1] == "init"}
        seen = {"state": 0, "input": 0}
        bads = []

        def value(word: str, values: dict[int, tuple[int, int]] = values) -> tuple[int, int]:
            number, width = values[abs(int(word))]
            return (number ^ ((1 << width) - 1) if int(word) < 0 else number), width

        for line in lines:
            own, tag = int(line[0]), line[1]
            if tag in ("state", "input"):
                width = widths[int(line[2])]
                place = seen[tag]
                seen[tag] += 1
                given = frames.get(f"{'#' if tag == 'state' else '@'}{step}", {})
                if tag == "input" or place in given:
                    now = given[place]
                else:
                    now = states[own] if step else value(str(inits[own]))[0]
                values[own] = now, width
            elif tag == "next":
                following[int(line[3])] = value(line[4])[0]
            elif tag == "bad":
                bads.append(value(line[2])[0])
            elif tag == "constraint" and not value(line[2])[0]:
                return False
            elif tag not in ("sort", "init", "constraint"):
                width = widths[int(line[2])]
                values[own] = _computed(tag, line[3:], width, value), width
        if step == steps - 1:
            return bool(bads[bad])
        states = following
    return False


def _computed(tag: str, words: list[str], width: int, value: object) -> int:
    assert callable(value)
    if tag in ("zero", "one", "ones"):
        return {"zero": 0, "one": 1, "ones": (1 << width) - 1}[tag]
    if tag.startswith("const"):
        return int(words[0], {"const": 2, "consth": 16}.get(tag, 10)) % (1 << width)
    if tag == "slice":
        return int(value(words[0])[0]) >> int(words[2]) & ((1 << width) - 1)
    if tag == "uext":
        return int(value(words[0])[0])
    a, own = value(words[0])
    b = value(words[1])[0] if len(words) > 1 else 0
    return MEANINGS[tag](a, b, own) % (1 << width)


def test_witnesses_of_words_are_accepted_by_a_simulator() -> None:
    path = EXAMPLES / "fifo_overflow.btor2"
    found = written(decided(path), witness="run.wit")
    [witness] = found.values()
    assert simulated(path.read_text(), witness)
    assert not simulated(path.read_text(), witness.replace("b0", "b1"))


def test_states_without_next_and_init_stand_in_the_witness(tmp_path: Path) -> None:
    path = tmp_path / "free.btor2"
    lines = ("1 sort bitvec 2", "2 state 1 free", "3 state 1 start", "4 next 1 3 2", "5 sort bitvec 1", "6 input 5 go")
    path.write_text(
        "\n".join([*lines, "7 constd 1 2", "8 eq 5 3 7", "9 neq 5 2 3", "10 and 5 8 9", "11 bad 10", "12 constraint 6"])
    )
    [witness] = written(decided(path), witness="run.wit").values()
    assert simulated(path.read_text(), witness)
    assert witness.splitlines()[2] == "#0" and "10 start#0" in witness


# ---- waveforms ------------------------------------------------------------------------------------------------------


def test_a_waveform_has_every_value_of_the_cone() -> None:
    [dump] = written(decided(EXAMPLES / "token_ring.aag"), vcd="run.vcd").values()
    declared, changes = dump.split("$enddefinitions $end\n")
    names = {words[3]: words[4] for words in map(str.split, declared.splitlines()) if words[0] == "$var"}
    assert set(names.values()) == {"move", "token0", "token1", "token2", "the_token_is_at_the_last_place"}
    seen: dict[str, str] = {}
    history = []
    for line in changes.splitlines():
        if line.startswith("#"):
            history.append(dict(seen))
        else:
            seen[names[line[1:]]] = line[0]
    assert [cycle["token2"] for cycle in history[1:]] == ["0", "0", "1"]
    assert [cycle["the_token_is_at_the_last_place"] for cycle in history[1:]] == ["0", "0", "1"]


def test_a_page_draws_the_waveform_and_escapes_names(tmp_path: Path) -> None:
    [page] = written(decided(EXAMPLES / "fifo_overflow.btor2"), report="run.html").values()
    assert page.count('class="wave bad"') == 1 and ">level<" in page and "0x" not in page
    assert "What holds in every step" in page  # the other bad state is never reached
    path = tmp_path / "named.aag"
    path.write_text("aag 1 1 0 0 0 1\n2\n2\ni0 <b>&\nb0 <script>\n")
    [page] = written(decided(path), report="run.html").values()
    assert page.count("<script>") == 1 and "&lt;b&gt;&amp;" in page and "&lt;script&gt;" in page


# ---- witness circuits -----------------------------------------------------------------------------------------------


def z3_checks(model: Circuit, bad: int, witness: Circuit) -> dict[str, bool]:
    """The six questions, from the papers, on z3's own terms; signals are shared by place."""

    def copy(circuit: Circuit, time: int) -> tuple[list[z3.BoolRef], list[z3.BoolRef]]:
        latches = [z3.Bool(f"l{k}@{time}") for k in range(circuit.latches)]
        values = [z3.BoolVal(False)] + [z3.Bool(f"i{k}@{time}") for k in range(circuit.inputs)] + latches

        def value(literal: int) -> z3.BoolRef:
            return z3.Not(values[literal >> 1]) if literal & 1 else values[literal >> 1]

        for k in range(0, len(circuit.gates), 2):
            values.append(z3.And(value(circuit.gates[k]), value(circuit.gates[k + 1])))
        return latches, [value(literal) for literal in range(2 * len(values))]

    def parts(circuit: Circuit, index: int) -> dict[str, z3.BoolRef]:
        latches, now = copy(circuit, 0)
        later_latches, later = copy(circuit, 1)
        resets = [x == bool(r) for x, r in zip(latches, circuit.reset, strict=True) if r != 2]
        return {
            "R": z3.And(resets),
            "C": z3.And([now[c] for c in circuit.constraints]),
            "C1": z3.And([later[c] for c in circuit.constraints]),
            "F": z3.And([x == now[n] for x, n in zip(later_latches, circuit.next, strict=True)]),
            "P": z3.Not(now[circuit.bad[index]]),
            "P1": z3.Not(later[circuit.bad[index]]),
        }

    m, w = parts(model, bad), parts(witness, 0)
    questions = {
        "reset": z3.Implies(z3.And(m["R"], m["C"]), w["R"]),
        "constraint": z3.Implies(m["C"], w["C"]),
        "transition": z3.Implies(z3.And(m["F"], m["C"], m["C1"], w["C"]), w["F"]),
        "property": z3.Implies(z3.And(m["C"], w["C"], w["P"]), m["P"]),
        "base": z3.Implies(z3.And(w["R"], w["C"]), w["P"]),
        "step": z3.Implies(z3.And(w["P"], w["F"], w["C"], w["C1"]), w["P1"]),
    }
    found = {}
    for name, question in questions.items():
        solver = z3.Solver()
        solver.add(z3.Not(question))
        found[name] = solver.check() == z3.unsat
    return found


def test_witness_circuits_pass_the_six_questions_of_an_independent_checker(tmp_path: Path) -> None:
    checked = 0
    path = tmp_path / "random.aag"
    for seed in range(30):
        circuit = random_circuit(Random(seed))
        path.write_bytes(text(circuit))
        answers = decided(path)
        proved = [n for n, answer in enumerate(answers.answers) if answer.verdict == "safe"]
        found = written(answers, certificate="proof.aag")
        for bad, certificate in zip(proved, found.values(), strict=True):
            witness = read_aiger("proof.aag", certificate.encode()).circuit
            assert all(z3_checks(circuit, bad, witness).values()), seed
            checked += 1
    assert checked > 10


@pytest.mark.parametrize("broken", CHECKS)
def test_a_witness_circuit_that_is_wrong_fails_the_question_that_is_meant_for_it(broken: str) -> None:
    model = read_aiger("ring.aag", (EXAMPLES / "token_ring.aag").read_bytes()).circuit
    [certificate] = written(decided(EXAMPLES / "token_ring.aag"), certificate="proof.aag").values()
    good = read_aiger("proof.aag", certificate.encode()).circuit
    assert failing_check(model, 0, good) is None and all(z3_checks(model, 0, good).values())
    parts: dict[str, Any] = {}
    match broken:
        case "reset":
            parts["reset"] = bytes([0, 1, 0])
        case "constraint":
            parts["constraints"] = (2,)
        case "transition":
            parts["next"] = array("I", [good.next[0], good.next[1], good.next[2] ^ 1])
        case "property":
            parts["bad"] = (0,)
        case "base":
            parts["bad"] = (good.bad[0] ^ 1,)
        case "step":
            parts["bad"] = (6,)
    wrong = replace(good, **parts)
    independent = z3_checks(model, 0, wrong)
    first = next((name for name in CHECKS if not independent[name]), None)
    assert failing_check(model, 0, wrong) == first
    assert broken == "base" or not independent[broken]


def test_words_have_no_witness_circuit_but_a_script(tmp_path: Path) -> None:
    answers = decided(EXAMPLES / "fifo.btor2")
    assert all("check-sat" in script for script in written(answers, certificate="proof.smt2").values())
    with pytest.raises(UnsupportedError, match="witness circuit"):
        written(answers, certificate="proof.aag")
    assert any(path.endswith("run.vcd") for path in written(decided(EXAMPLES / "fifo_overflow.btor2"), output="out"))

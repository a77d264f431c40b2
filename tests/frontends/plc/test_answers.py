"""What is shown of an answer: the table of cycles, CSV that can be replayed, VCD; and ``argosy simulate``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from argosy.cli.main import main
from argosy.session.run import decide
from argosy.session.task import Task

TEXT = """PROGRAM door
VAR_INPUT open, close : BOOL; level : INT; END_VAR
VAR_OUTPUT motor_up, motor_down : BOOL; END_VAR
VAR state : (idle, up, down); t : TON; r : REAL := 0.5; END_VAR
IF open THEN state := up; ELSIF close THEN state := down; END_IF
t(IN := state = up, PT := T#50ms);
IF t.Q THEN state := idle; END_IF
motor_up := state = up OR level = 1234 AND t.ET > T#10ms;
motor_down := state = down OR level = 1234;
END_PROGRAM
"""
BOTH = "NOT (motor_up AND motor_down)"


@pytest.fixture
def path(tmp_path: Path) -> str:
    made = tmp_path / "door.st"
    made.write_text(TEXT)
    return str(made)


def test_a_violation_is_a_table_of_cycles(path: str) -> None:
    decided = decide(Task.of(path, require="NOT (t.ET > T#10ms AND motor_up AND motor_down)", cycle_time="10ms..20ms"))
    assert decided.result.verdict == "unsafe"
    cycles = decided.result.answers[0]["cycles"]
    assert len(cycles) == 2
    assert cycles[0]["inputs"]["open"] == "TRUE" and cycles[1]["inputs"]["level"] == "1234"
    assert cycles[1]["outputs"] == {"motor_up": "TRUE", "motor_down": "TRUE"}
    assert cycles[0]["memory"]["state"] == "up"
    assert cycles[0]["time"] == "T#0ms" and cycles[1]["time"] == cycles[1]["passed"] != "T#10ms"
    assert "motor_down" in cycles[1]["changed"] and "motor_up" not in cycles[1]["changed"]
    assert not any(name.endswith(("elapsed", "running")) for name in cycles[0]["memory"])


def test_the_terminal_shows_variables_below_each_other(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["verify", path, "--require", BOTH, "--require", "level <> 5 OR TRUE", "--csv", f"{path}.csv"])
    printed = capsys.readouterr().out
    assert code == 10
    assert "2 requirements" in printed and "VIOLATED" in printed and "holds" in printed
    assert "inputs\n" in printed and "    level" in printed and "1234" in printed
    assert printed.rstrip().endswith("Verdict: UNSAFE")
    capsys.readouterr()
    # What was written can be run again, and the values are the same.
    assert main(["simulate", path, "--inputs", f"{path}.csv", "--require", BOTH]) == 0
    assert "requirement 1 is violated" in capsys.readouterr().out


def test_waveforms(path: str) -> None:
    assert main(["verify", path, "--require", BOTH, "--vcd", f"{path}.vcd", "--quiet"]) == 10
    text = Path(f"{path}.vcd").read_text()
    assert "$var wire 1 ! open $end" in text and "$enddefinitions $end" in text
    assert "s1234 " in text and text.count("#0\n") == 1


def test_the_page_has_a_timing_diagram(path: str) -> None:
    asked = ["--require", "NOT (t.ET > T#10ms AND motor_up AND motor_down)", "--cycle-time", "20ms"]
    assert main(["verify", path, *asked, "--report", f"{path}.html", "--quiet"]) == 10
    text = Path(f"{path}.html").read_text()
    assert 'aria-label="timing diagram"' in text and "<polyline" in text and ">1234</text>" in text
    assert "t.ET &gt; T#10ms" in text
    assert '<td class="new last">1234</td>' in text and '<td class="same last">' in text


def test_several_requirements_are_not_one_model(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(path).with_suffix(".yaml").write_text("properties: [{expression: motor_up}, {expression: motor_down}]")
    assert main(["convert", path, f"{path}.armc"]) == 5
    assert "several requirements" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "count"), [("door.st", 5), ("washer.xml", 5)])
def test_the_examples(name: str, count: int) -> None:
    example = Path(__file__).parents[3] / "examples" / "plc" / name
    result = decide(Task.of(str(example), time_limit=60, cycle_time="50ms")).result
    assert (result.verdict, result.certified, len(result.answers)) == ("safe", True, count)


def test_outputs_for_controllers_are_refused_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }")
    assert main(["verify", str(tmp_path / "p.c"), "--csv", str(tmp_path / "x.csv")]) == 5
    assert "--csv for what is read as c" in capsys.readouterr().out


def test_simulate_prints_outputs_and_compares(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = tmp_path / "trace.csv"
    trace.write_text("open,level,passed,motor_up,state\nTRUE,,,TRUE,up\n,,T#30ms,TRUE,\n0,,20,FALSE,idle\n")
    assert main(["simulate", path, "--inputs", str(trace), "--all"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].split()[:3] == ["1", "TRUE", "FALSE"]
    assert printed[3].split()[:5] == ["3", "FALSE", "FALSE", "0", "FALSE"]
    trace.write_text(trace.read_text().replace("T#30ms,TRUE", "T#50ms,TRUE"))
    assert main(["simulate", path, "--inputs", str(trace)]) == 10
    assert "cycle 2: motor_up is FALSE, expected TRUE" in capsys.readouterr().out


def test_simulate_keeps_inputs_and_counts_cycles(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", path, "--cycles", "3"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_a_row_without_values_is_a_cycle(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("open,level\n1,5\n,\n\n0,\n")
    assert main(["simulate", path, "--inputs", str(tmp_path / "t.csv")]) == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]] == ["TRUE", "TRUE", "FALSE"]


def test_simulate_with_random_inputs(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for seed in ("1", "1", "2"):
        assert main(["simulate", path, "--random", "--seed", seed, "--cycles", "20"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]
    assert len({line.split()[3] for line in printed[0].splitlines()[1:]}) > 3


@pytest.mark.parametrize(
    ("content", "code", "what"),
    [
        ("nothing\n1\n", 2, "no variable nothing"),
        ("level\nhigh\n", 2, "high is not a value of INT"),
        ("open,open\n1,1\n", 2, "two columns"),
        ("level\n1,2\n", 2, "2 cells for 1 columns"),
        ("\n1\n", 2, "no names of columns"),
        ("passed\nT#-5ms\n", 2, "a cycle that takes T#-5ms"),
    ],
)
def test_wrong_traces(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, code: int, what: str
) -> None:
    (tmp_path / "t.csv").write_text(content)
    assert main(["simulate", path, "--inputs", str(tmp_path / "t.csv")]) == code
    assert what in capsys.readouterr().err


def test_simulate_says_where_a_controller_stops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "p.st"
    made.write_text("PROGRAM p VAR_INPUT i : INT; END_VAR\nVAR x : INT; END_VAR\nx := 1 / i;\nEND_PROGRAM")
    assert main(["simulate", str(made)]) == 5
    assert f"{made}:3:8: division by zero" in capsys.readouterr().err


def test_the_json_of_a_result_is_as_the_schema_says(path: str, tmp_path: Path) -> None:
    import jsonschema

    import argosy

    main(["verify", path, "--require", BOTH, "--json", str(tmp_path / "r.json"), "--quiet"])
    schema = json.loads((Path(argosy.__file__).parent / "report" / "result.schema.json").read_text())
    jsonschema.validate(json.loads((tmp_path / "r.json").read_text()), schema)

"""Witnesses that are written: their structure, their places, and what compilers say of the invariants in them."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from argosy.frontends.witnesses.graphml_reader import read_graphml
from argosy.frontends.witnesses.yaml_reader import read_yaml
from argosy.session.run import decide
from argosy.session.task import Task
from tests.report.evidence import SAFE, UNSAFE, built, decided, needs_gcc, written

SCHEMA = json.loads((Path(__file__).parent / "witness.schema.json").read_text())


def witness(path: Path, **choices: str) -> Any:
    """The entry of the witness, validated."""
    content = yaml.safe_load(written(decided(path, **choices), "witness", "w.yml"))
    jsonschema.validate(content, SCHEMA)
    [entry] = content
    return entry


def at(path: Path, location: dict[str, Any]) -> str:
    """The text of the file from a place on."""
    lines = path.read_text().splitlines()
    return "\n".join([lines[location["line"] - 1][location["column"] - 1 :], *lines[location["line"] :]])


@pytest.mark.parametrize("path", UNSAFE, ids=lambda path: path.stem)
def test_violations_stand_where_they_happen(path: Path) -> None:
    entry = witness(path)
    assert entry["entry_type"] == "violation_sequence"
    task = entry["metadata"]["task"]
    assert task["input_file_hashes"] == {str(path): hashlib.sha256(path.read_bytes()).hexdigest()}
    *calls, target = [segment["segment"][0]["waypoint"] for segment in entry["content"]]
    assert target["type"] == "target" and re.match(r"reach_error|assert", at(path, target["location"]))
    for waypoint in calls:
        location = waypoint["location"]
        before = path.read_text().splitlines()[location["line"] - 1][: location["column"]]
        assert waypoint["type"] == "function_return" and re.search(r"\w\([^()]*\)$", before)
        assert re.fullmatch(r"\\result == -?[0-9]+", waypoint["constraint"]["value"])


def test_a_value_may_be_said_of_the_variable_at_the_next_statement(tmp_path: Path) -> None:
    path = tmp_path / "prog.c"
    path.write_text(
        "int __VERIFIER_nondet_int(void); void reach_error(void);\n"
        "int main(void) {\n  int y = 0, x = __VERIFIER_nondet_int(), z = y;\n  if (__VERIFIER_nondet_int() == 4)\n"
        "    if (x == 5) { reach_error(); }\n}\n"
    )
    entry = witness(path, witness_style="assumption")
    first, second, target = [segment["segment"][0]["waypoint"] for segment in entry["content"]]
    assert (first["type"], first["constraint"]["value"]) == ("assumption", "x == 5")
    assert at(path, first["location"]).startswith("if (__VERIFIER")
    assert (second["type"], second["constraint"]["value"]) == ("function_return", "\\result == 4")
    assert at(path, target["location"]).startswith("reach_error(); }")


@pytest.mark.parametrize(
    "before", ["", "#define UNUSED  /* a macro */ 3\n", '# 77 "other.c"\n', "typedef int /* c */ t;  \\\n\n"]
)
def test_places_are_those_of_the_file_as_it_was_given(before: str, tmp_path: Path) -> None:
    path = tmp_path / "prog.c"
    path.write_text(
        before + "int __VERIFIER_nondet_int(void); void reach_error(void);\n"
        "int main(void) {\n  int x = 0 ;   /* a comment */   while ( x < 10 )   x = x + 1 ;\n"
        "  if (x  !=  10)     reach_error( ) ;\n}\n"
    )
    [found] = witness(path)["content"]
    place = found["invariant"]["location"]
    assert at(path, place).startswith("while ( x < 10 )") and place["function"] == "main"
    assert found["invariant"]["value"] == "x <= 10"
    path.write_text(path.read_text().replace("x  !=  10", "x  ==  10"))
    entry = yaml.safe_load(written(decide(Task.of(str(path), time_limit=60)), "witness", "w.yml"))[0]
    assert at(path, entry["content"][-1]["segment"][0]["waypoint"]["location"]).startswith("reach_error( )")


def test_lines_that_are_not_known_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "prog.c"
    path.write_text("#define N 3\n#line 70\nint main(void) { return N; }\n")
    with pytest.raises(Exception, match="#line"):
        written(decided(path), "witness", "w.yml")


def test_invariants_of_do_loops_hold_at_both_places_that_are_called_the_head(tmp_path: Path) -> None:
    path = tmp_path / "prog.c"
    path.write_text(
        "int __VERIFIER_nondet_int(void); void reach_error(void);\nint main(void) {\n"
        "  int n = __VERIFIER_nondet_int(), c = 0, s = 0;\n  if (n < 1 || n > 50) return 0;\n"
        "  do { c = c + 1; s = s + 2; } while (c < n);\n  if (s != 2 * n) reach_error();\n}\n"
    )
    [found] = witness(path, strategy="lbe")["content"]
    said = found["invariant"]["value"]
    assert at(path, found["invariant"]["location"]).startswith("do {")
    # The equation, whichever side of it comes first: solvers find one or the other.
    assert any(one in said for one in ("s == (2LL * (long long) c)", "((long long) c * 2LL) == (long long) s"))
    text = path.read_text().replace("do {", f"do {{ if (!({said})) reach_error();")
    for placed in (text, text.replace("s + 2;", f"s + 2; if (!({said})) reach_error();")):
        other = tmp_path / "other.c"
        other.write_text(placed)
        assert decide(Task.of(str(other), time_limit=60)).result.verdict == "safe"


@pytest.mark.parametrize("path", [SAFE[0], UNSAFE[0]], ids=lambda path: path.stem)
def test_both_formats_say_the_same(path: Path) -> None:
    found = decided(path)
    as_yaml = read_yaml("w.yml", written(found, "witness", "w.yml"))
    as_graph = read_graphml("w.graphml", written(found, "witness", "w.graphml"))
    for name in ("violation", "specification", "data_model", "digests"):
        assert getattr(as_yaml, name) == getattr(as_graph, name)
    said = [[(w.type, w.line, w.value.strip("()")) for s in each.segments for w in s] for each in (as_yaml, as_graph)]
    assert said[0] == said[1]
    texts = [[(i.line, i.value) for i in each.invariants if i.value != "1"] for each in (as_yaml, as_graph)]
    assert texts[0] == texts[1] and as_yaml.violation == bool(as_yaml.segments)


# ---- invariants as assertions ---------------------------------------------------------------------------------------

RANDOM = """
extern void _Exit(int);
extern char *getenv(const char *);
extern int atoi(const char *);
static unsigned long long state;
static unsigned long long draw(void) {
    if (!state) state = (unsigned long long) atoi(getenv("SEED"));
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state >> 33 & 1 ? state >> 35 & 15 : state >> 32;
}
int __VERIFIER_nondet_int(void) { static int calls; if (calls++ > 300) _Exit(0); return (int) draw(); }
unsigned int __VERIFIER_nondet_uint(void) { return (unsigned int) __VERIFIER_nondet_int(); }
_Bool __VERIFIER_nondet_bool(void) { return __VERIFIER_nondet_int() & 1; }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char) __VERIFIER_nondet_int(); }
char __VERIFIER_nondet_char(void) { return (char) __VERIFIER_nondet_int(); }
void reach_error(void) { _Exit(107); }
void __VERIFIER_assert(int condition) { if (!condition) _Exit(107); }
void __VERIFIER_assume(int condition) { if (!condition) _Exit(0); }
void argosy_wrong(void) { _Exit(99); }
int argosy_round(void) { static int rounds; if (rounds++ > 100000) _Exit(0); return 0; }
"""


def asserted(path: Path, entry: Any) -> str:
    """The program with each invariant as a check at the beginning of the body of its loop: conditions of the examples
    have no effects, so what holds at the head holds there."""
    lines = path.read_text().splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    text = "".join(lines)
    for each in sorted(entry["content"], key=lambda e: -e["invariant"]["location"]["line"]):
        said = each["invariant"]
        at_ = starts[said["location"]["line"] - 1] + said["location"]["column"] - 1
        word = re.match(r"for|while|do", text[at_:])
        assert word is not None
        end = at_ + len(word[0])
        if word[0] != "do":
            end, open_ = text.index("(", at_), 0
            while True:
                open_ += (text[end] == "(") - (text[end] == ")")
                end += 1
                if not open_:
                    break
        text = f"{text[:end]} if (argosy_round() || !({said['value']})) argosy_wrong(); else {text[end:]}"
    return f"extern void argosy_wrong(void); extern int argosy_round(void);\n{text}"


@needs_gcc
@pytest.mark.parametrize("path", SAFE, ids=lambda path: path.stem)
def test_invariants_of_examples_hold_and_compile_without_a_word(path: Path, tmp_path: Path) -> None:
    entry = witness(path)
    assert entry["entry_type"] == "invariant_set"
    program, inputs = tmp_path / "asserted.c", tmp_path / "random.c"
    program.write_text(asserted(path, entry))
    inputs.write_text(RANDOM)
    flags = ("-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-fno-sanitize-recover=undefined")
    target = built(tmp_path, program, inputs, flags=flags)
    for seed in random.Random(3).sample(range(1, 10**6), 8):
        environment = {**os.environ, "SEED": str(seed)}
        ran = subprocess.run([str(target)], capture_output=True, timeout=60, check=False, env=environment)
        assert ran.returncode not in (99, 107) and b"runtime error" not in ran.stderr, ran


def test_most_examples_have_something_to_say_of_their_loops() -> None:
    said = [each["invariant"]["value"] for path in SAFE for each in witness(path)["content"]]
    assert sum(text != "1" for text in said) >= len(said) // 2

"""Values in counterexamples as C writes them: pointers, enumerators, characters, truth values."""

from __future__ import annotations

from typing import Any

import pytest

import argosy
from argosy.frontends.c.notation import CharacterNotation, designator
from argosy.frontends.c.types import VOID, Array, StructureType, Type, data_model
from argosy.report.console import Paint, report
from argosy.report.headline import given, inputs, shown_values
from argosy.report.result import Result

MODEL = data_model("ILP32")
INT, CHAR = MODEL["int"], MODEL["char"]
RING = StructureType("struct", "ring", [("head", INT), ("data", Array(INT, 4)), ("tag", CHAR)])

PROGRAM = """extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
enum mode { IDLE, BUSY = 5 };
struct ring { int head; int data[8]; struct ring *next; } rb;
unsigned number = 5;
enum mode now, every[2];
void stop(void) { }
int main(void) {
  struct ring *r = &rb;
  void (*f)(void) = stop;
  int i = __VERIFIER_nondet_int();
  char c = __VERIFIER_nondet_char();
  _Bool b = __VERIFIER_nondet_bool();
  const char *s = "hello";
  int *p = &r->data[3], *none = 0;
  r->next = r;
  now = (enum mode)number;
  every[1] = now;
  s = s + 2;
  if (i == 3 && c == 'x' && b && *p == 0 && now == BUSY && every[1] == BUSY && !none && *s && f && r->next)
    reach_error();
  return 0;
}
"""


@pytest.fixture(scope="module")
def unsafe(tmp_path_factory: pytest.TempPathFactory) -> Result:
    path = tmp_path_factory.mktemp("notation") / "rb.c"
    path.write_text(PROGRAM)
    return argosy.verify(str(path), in_process=True, time_limit=60)


def last(result: Result, name: str) -> str:
    return [shown_values(step)[name] for step in result.counterexample if name in step["values"]][-1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("main::r", "&rb"),
        ("main::p", "&rb.data[3]"),
        ("main::none", "NULL"),
        ("main::s", '"hello" + 2'),
        ("main::f", "&stop"),
        ("rb.next", "&rb"),
        ("main::c", "'x'"),
        ("main::b", "true"),
        ("now", "BUSY"),
        ("every[1]", "BUSY"),
        ("number", "5"),
        ("main::i", "3"),
    ],
)
def test_values_are_written_as_in_the_language(unsafe: Result, name: str, text: str) -> None:
    assert unsafe.verdict == "unsafe" and last(unsafe, name) == text


def test_numbers_stay_numbers_for_programs(unsafe: Result) -> None:
    step = next(step for step in unsafe.counterexample if "main::p" in step["values"])
    assert isinstance(step["values"]["main::p"], int) and step["shown"]["main::p"] == "&rb.data[3]"


def test_the_inputs_are_a_list(unsafe: Result) -> None:
    assert [given(step) for step in inputs(unsafe.counterexample)] == ["i = 3", "c = 'x'", "b = true"]
    printed = list(report(unsafe, Paint()))
    start = printed.index("3 inputs")
    assert [line.split()[-3:] for line in printed[start + 2 : start + 5]] == [
        ["i", "=", "3"],
        ["c", "=", "'x'"],
        ["b", "=", "true"],
    ]


@pytest.mark.parametrize(
    ("offset", "target", "path"),
    [
        (0, RING, ""),
        (0, VOID, ""),
        (0, INT, ".head"),
        (4, Array(INT, 4), ".data"),
        (4, INT, ".data[0]"),
        (16, INT, ".data[3]"),
        (20, CHAR, ".tag"),
        (5, CHAR, None),
        (21, CHAR, None),
    ],
)
def test_a_part_is_named_as_the_pointer_sees_it(offset: int, target: Type, path: str | None) -> None:
    assert designator(MODEL, RING, offset, target) == path


def test_the_place_behind_an_array_has_a_name() -> None:
    assert designator(MODEL, Array(INT, 4), 16, INT) == "[4]" and designator(MODEL, Array(INT, 4), 20, INT) is None


@pytest.mark.parametrize(
    ("value", "text"), [(65, "'A'"), (39, "'\\''"), (92, "'\\\\'"), (10, None), (-1, None), (127, None)]
)
def test_characters_that_can_be_seen(value: int, text: Any) -> None:
    assert CharacterNotation().text(value) == text

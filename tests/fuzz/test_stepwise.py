"""The comparison itself: a model that is wrong at one step is noticed, and what is undefined is no disagreement."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from . import arithmetic, memory
from .compiled import CLANG, GCC, SANITIZERS, SHOWN, Program, available, executions
from .execution import Execution, compare, inputs
from .reduction import attempts, fewer_lines, smallest
from .stepwise import Campaign, Disagreement, _judge, truths

pytestmark = pytest.mark.skipif(not available("LP64"), reason="needs gcc for Linux on x86-64")

TEXT = f"""\
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned seen, h;
static void mark(unsigned v) {{
  h = h * 31u + v;
  {SHOWN}
}}
int main(void) {{
  int a = __VERIFIER_nondet_int();
  mark(a);
  mark(__VERIFIER_nondet_bool());
  mark(__VERIFIER_nondet_uchar());
  for (int i = 0; i < 3; i++) mark(a % 5 + i);
  return 0;
}}
"""
PROGRAM = Program(TEXT, ("main", "seen", "h", "mark"))


@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
@pytest.mark.parametrize("compiler", [GCC, CLANG], ids=["gcc", "clang"])
def test_inputs_are_the_same_on_both_sides(compiler: tuple[str, ...], data_model: str) -> None:
    if not available(data_model, compiler):
        pytest.skip(f"no {compiler[0]} for {data_model}")
    [shown] = executions([PROGRAM], data_model, compiler)
    assert shown is not None and len({len(each.seen) for each in shown}) == 1 and len(set(shown)) == 2
    assert shown[0].seen[:2] == (0, next(inputs(0)) % (1 << 32))
    assert compare(TEXT, shown, data_model).kind == ""


def test_a_step_that_differs_is_noticed() -> None:
    [shown] = executions([PROGRAM], "LP64")
    assert shown is not None
    values = shown[1].seen
    for step in (1, 4, len(values) - 1):
        changed = (*values[:step], values[step] ^ 4, *values[step + 1 :])
        found = compare(TEXT, (shown[0], Execution(changed)), "LP64")
        assert found.kind == "wrong" and f"up to step {step}" in found.detail
    assert compare(TEXT, (shown[0], Execution(values[:-1])), "LP64").kind == "wrong"
    assert compare(TEXT.replace("i < 3", "i < 2"), shown, "LP64").kind == "wrong"
    assert compare(TEXT.replace("return 0;", "for (;;) a ^= 1;"), shown, "LP64").kind == "endless"


def test_what_is_undefined_or_refused_is_no_disagreement() -> None:
    undefined = Program(TEXT.replace("mark(a);", "mark((a | 2) + 2147483647);"), PROGRAM.exported)
    assert truths([undefined], "LP64", careful=True) == [None]
    done = Campaign()
    case = Disagreement("", 0, "LP64", compare(TEXT, (), "LP64"), undefined)
    _judge(done, case, executions([undefined], "LP64")[0], lambda _: None)
    assert done.kinds == {"discarded": 1}
    refused = TEXT.replace("mark(a);", "{ long double f = a; mark(f > 1); }")
    assert compare(refused, truths([Program(refused, PROGRAM.exported)], "LP64")[0] or (), "LP64").kind == "refused"


@pytest.mark.parametrize("generate", [memory.generate, arithmetic.generate])
def test_a_seed_gives_one_program(generate: object) -> None:
    assert callable(generate)
    texts = [generate(seed).text for seed in (*range(12), *range(12))]
    assert texts[:12] == texts[12:] and len(set(texts)) == 12


def test_programs_of_one_file_do_not_disturb_each_other() -> None:
    endless = Program(TEXT.replace("return 0;", "__builtin_trap();"), PROGRAM.exported)
    broken = Program(TEXT.replace("return 0;", "return nothing;"), PROGRAM.exported)
    first, second, third, last = executions([PROGRAM, endless, broken, PROGRAM], "LP64", SANITIZERS)
    assert first == last is not None and second is third is None


def test_lines_are_left_out_as_long_as_it_fails() -> None:
    lines: Sequence[str] = memory.generate(3).text.splitlines()
    word = next(line for line in reversed(lines) if "r = r" in line).strip()
    small = smallest(lines, fewer_lines, lambda kept: any(word[:12] in line for line in kept), attempts(5_000))
    assert len(small) == 1 and word[:12] in small[0]

"""BTOR2: every operator on every pair of small words, and what files say or fail to say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import argosy
from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.btor2.operators import BINARY, UNARY, WordOperators
from argosy.frontends.btor2.reader import read_btor2
from argosy.logic.semantics import ArrayValue
from argosy.logic.terms import Terms
from argosy.models.system import System
from tests.models.systems import reached_after

# The operators in words of numbers, with nothing of the terms: Niemetz et al., CAV 2018, table 1, and SMT-LIB.
Meaning = Callable[[int, int, int], int]


def signed(a: int, w: int) -> int:
    return a - (1 << w) if a >> (w - 1) else a


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def sdiv(a: int, b: int, w: int) -> int:
    x, y = signed(a, w), signed(b, w)
    return (-1 if x >= 0 else 1) if y == 0 else quotient(x, y)


def srem(a: int, b: int, w: int) -> int:
    x, y = signed(a, w), signed(b, w)
    return x if y == 0 else x - y * quotient(x, y)


def smod(a: int, b: int, w: int) -> int:
    x, y = signed(a, w), signed(b, w)
    return x if y == 0 else x % y


def outside(value: int, w: int) -> int:
    return int(not -(1 << (w - 1)) <= value < 1 << (w - 1))


def rotated(a: int, by: int, w: int) -> int:
    by %= w
    return a << by | a >> (w - by)


MEANINGS: dict[str, Meaning] = {
    "and": lambda a, b, w: a & b,
    "nand": lambda a, b, w: ~(a & b),
    "or": lambda a, b, w: a | b,
    "nor": lambda a, b, w: ~(a | b),
    "xor": lambda a, b, w: a ^ b,
    "xnor": lambda a, b, w: ~(a ^ b),
    "add": lambda a, b, w: a + b,
    "sub": lambda a, b, w: a - b,
    "mul": lambda a, b, w: a * b,
    "udiv": lambda a, b, w: -1 if b == 0 else a // b,
    "urem": lambda a, b, w: a if b == 0 else a % b,
    "sdiv": sdiv,
    "srem": srem,
    "smod": smod,
    "sll": lambda a, b, w: a << b,
    "srl": lambda a, b, w: a >> b,
    "sra": lambda a, b, w: signed(a, w) >> b,
    "rol": rotated,
    "ror": lambda a, b, w: rotated(a, -b, w),
    "eq": lambda a, b, w: a == b,
    "neq": lambda a, b, w: a != b,
    "ne": lambda a, b, w: a != b,
    "iff": lambda a, b, w: a == b,
    "implies": lambda a, b, w: a <= b,
    "ult": lambda a, b, w: a < b,
    "ulte": lambda a, b, w: a <= b,
    "ugt": lambda a, b, w: a > b,
    "ugte": lambda a, b, w: a >= b,
    "slt": lambda a, b, w: signed(a, w) < signed(b, w),
    "slte": lambda a, b, w: signed(a, w) <= signed(b, w),
    "sgt": lambda a, b, w: signed(a, w) > signed(b, w),
    "sgte": lambda a, b, w: signed(a, w) >= signed(b, w),
    "uaddo": lambda a, b, w: a + b >> w != 0,
    "saddo": lambda a, b, w: outside(signed(a, w) + signed(b, w), w),
    "usubo": lambda a, b, w: a < b,
    "ssubo": lambda a, b, w: outside(signed(a, w) - signed(b, w), w),
    "umulo": lambda a, b, w: a * b >> w != 0,
    "smulo": lambda a, b, w: outside(signed(a, w) * signed(b, w), w),
    "sdivo": lambda a, b, w: signed(b, w) == -1 and outside(-signed(a, w), w),
    "not": lambda a, b, w: ~a,
    "inc": lambda a, b, w: a + 1,
    "dec": lambda a, b, w: a - 1,
    "neg": lambda a, b, w: -a,
    "redand": lambda a, b, w: a == (1 << w) - 1,
    "redor": lambda a, b, w: a != 0,
    "redxor": lambda a, b, w: a.bit_count() % 2,
}


def test_every_operator_has_a_meaning_here() -> None:
    assert MEANINGS.keys() | {"concat", "read"} == UNARY | BINARY


@pytest.mark.parametrize("name", sorted(MEANINGS))
def test_operators_mean_what_the_paper_says(name: str) -> None:
    operators = WordOperators(Terms())
    for width in (1,) if name in ("iff", "implies") else (1, 2, 3):
        for a in range(1 << width):
            for b in range(1 << width) if name in BINARY else (0,):
                x, y = operators.constant(a, width), operators.constant(b, width)
                found = operators.binary(name, x, y) if name in BINARY else operators.unary(name, x)
                wanted = MEANINGS[name](a, b, width) % (1 << found.width)
                assert int(found.term.value) == wanted, (a, b, width)


def test_words_of_any_width_are_extended_cut_and_joined() -> None:
    operators = WordOperators(Terms())
    wide = operators.constant(-2, 100)
    assert operators.slice(wide, 99, 99).term.value is True
    assert operators.slice(wide, 70, 0).term.value == (1 << 71) - 2
    assert operators.extended("uext", wide, 28).term.value == (1 << 100) - 2
    assert operators.extended("sext", wide, 28).term.value == (1 << 128) - 2
    assert operators.binary("concat", operators.constant(1, 1), wide).term.value == (1 << 101) - 2


def read(*lines: str) -> System:
    return read_btor2("x.btor2", "\n".join(lines) + "\n")


def verdicts(system: System) -> list[str]:
    return ["safe" if reached_after(system, bad) is None else "unsafe" for bad in system.bad]


BITS = ("1 sort bitvec 1", "2 sort bitvec 2")


def test_a_state_without_next_is_free_in_every_step_and_one_without_init_in_the_first() -> None:
    assert verdicts(read(*BITS, "3 zero 1", "4 state 1", "5 init 1 4 3", "6 bad 4")) == ["unsafe"]
    assert verdicts(read(*BITS, "3 zero 1", "4 state 1", "5 init 1 4 3", "6 next 1 4 4", "7 bad 4")) == ["safe"]
    assert verdicts(read(*BITS, "4 state 1", "6 next 1 4 4", "7 bad 4", "8 bad -4")) == ["unsafe", "unsafe"]


def test_negated_operands_negate_every_bit() -> None:
    lines = (
        *BITS,
        "3 constd 2 1",
        "4 state 2",
        "5 init 2 4 -3",
        "6 next 2 4 4",
        "7 constd 2 2",
        "8 eq 1 4 7",
        "9 bad -8",
    )
    assert verdicts(read(*lines)) == ["safe"]


def test_first_values_may_be_expressions_over_states_before_them() -> None:
    lines = (*BITS, "3 state 2", "4 inc 2 3", "5 state 2", "6 init 2 5 4", "7 next 2 5 5", "8 next 2 3 3")
    same = read(*lines, "9 sub 2 5 3", "10 constd 2 1", "11 neq 1 9 10", "12 bad 11")
    assert verdicts(same) == ["safe"]


def test_constraints_and_several_bad_states_with_their_names() -> None:
    system = read(*BITS, "3 input 1 go", "4 constraint -3 ; never", "5 bad 3 gone", "6 bad -3", "7 output 3 seen")
    assert [bad.name for bad in system.bad] == ["gone", "bad state 1"]
    assert verdicts(system) == ["safe", "unsafe"]
    assert system.inputs[0].name == "go"


def test_arrays_are_read_written_and_filled() -> None:
    lines = ("1 sort bitvec 2", "2 sort bitvec 8", "3 sort array 1 2", "4 sort bitvec 1", "5 constd 2 7")
    system = read(
        *lines, "6 state 3 memory", "7 init 3 6 5", "8 input 1", "9 inc 2 5", "10 write 3 6 8 9", "11 next 3 6 10"
    )
    [memory] = system.states
    assert memory.initial is system.terms.const(ArrayValue(7, {}), memory.term.sort)
    assert memory.next is not None and memory.next.op == "store"


@pytest.mark.parametrize(
    ("digits", "number"),
    [("const 2 101", 5), ("constd 2 -3", 5), ("constd 2 7", 7), ("consth 2 5", 5), ("ones 2", 7), ("one 2", 1)],
)
def test_constants(digits: str, number: int) -> None:
    system = read("1 sort bitvec 1", "2 sort bitvec 3", "3 state 2", f"4 {digits}", "5 eq 1 3 4", "6 bad 5")
    [state] = system.states
    assert system.bad[0].term is system.terms.eq(state.term, system.terms.bv(number, 3))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("x sort bitvec 1", "a line begins with its number"),
        ("1 sort bitvec 1", "line number 1 comes after 9"),
        ("10", "nothing behind the number"),
        ("10 sort bitvec 0", "a sort is"),
        ("10 sort bitvec", "a sort is"),
        ("10 sort array 1 99", "99 is no sort"),
        ("10 state 99", "99 is no sort"),
        ("10 frobnicate 1 3", "unknown operator frobnicate"),
        ("10 and 1 3 99", "operand 99 is not defined"),
        ("10 and 1 3 1", "operand 1 is not defined"),
        ("10 and 1 3", "and needs 2 operands"),
        ("10 and 1 3 4", "needs two of one sort, not bitvec 1 and bitvec 2"),
        ("10 and 2 3 3", "and gives the sort bitvec 1, not bitvec 2"),
        ("10 not 1 3 name more", "unexpected more behind the symbol name"),
        ("10 constd 2 4", "4 does not fit into 2 bits"),
        ("10 constd 2 -3", "-3 does not fit"),
        ("10 const 2 1", "1 does not fit into 2 bits"),
        ("10 consth 2 g", "consth needs digits"),
        ("10 slice 1 4 2 2", "bits 2 down to 2 of bitvec 2"),
        ("10 slice 1 4 0 1", "bits 0 down to 1"),
        ("10 ite 1 4 3 3", "ite needs a bit"),
        ("10 read 1 4 4", "read does not fit"),
        ("10 write 2 4 4 4", "write does not fit"),
        ("10 bad 4", "bad needs one bit"),
        ("10 init 2 6 3", "init gives the sort bitvec 1 to a state of the sort bitvec 2"),
        ("10 init 2 6 5", "depends on an input"),
        ("10 init 2 6 9", "stands before the state"),
        ("10 init 2 8 4", "8 is no state"),
        ("10 next 1 6 3", "the state has the sort bitvec 2, not bitvec 1"),
    ],
)
def test_malformed_lines_are_refused_with_their_place(line: str, what: str) -> None:
    begin = (*BITS, "3 one 1", "4 one 2", "5 input 2", "6 state 2", "7 state 1", "8 zero 1", "9 ones 2")
    with pytest.raises(InputError, match=what) as error:
        read(*begin, line)
    assert error.value.position.line == 10


def test_nothing_is_given_twice() -> None:
    for tag in ("init", "next"):
        with pytest.raises(InputError, match=f"{tag} of state 4 is given twice"):
            read(*BITS, "3 zero 1", "4 state 1", f"5 {tag} 1 4 3", f"6 {tag} 1 4 3")


@pytest.mark.parametrize(
    ("line", "what"),
    [("4 justice 1 3", "justice"), ("4 fair 3", "fairness"), ("4 sort bitvec 100000000", "words of 100000000 bits")],
)
def test_what_is_not_modelled_is_refused_by_name(line: str, what: str) -> None:
    with pytest.raises(UnsupportedError, match=what):
        read(*BITS, "3 input 1", line)


def test_verdicts_are_certified(tmp_path: Path) -> None:
    path = tmp_path / "counter.btor2"
    count = (
        "1 sort bitvec 1",
        "2 sort bitvec 80",
        "3 zero 2",
        "4 state 2 n",
        "5 init 2 4 3",
        "6 constd 2 2",
        "7 add 2 4 6",
    )
    path.write_text(
        "\n".join([*count, "8 next 2 4 7", "9 slice 1 4 0 0", "10 bad 9 odd", "11 slice 1 4 3 3", "12 bad 11 8"])
    )
    result = argosy.verify(str(path))
    assert [(a["text"], a["verdict"], a["certified"]) for a in result.answers] == [
        ("odd", "safe", True),
        ("8", "unsafe", True),
    ]

"""Systems without their arrays have more runs, and what is proved of them is certified with the arrays."""

from __future__ import annotations

from argosy.backends.contract import Plan
from argosy.backends.system import decide
from argosy.basics.budget import Budget
from argosy.frontends.btor2.reader import read_btor2
from argosy.models.arrays import without_arrays
from argosy.models.system import System
from argosy.problem.problem import Problem, Subject

HEADER = (
    "1 sort bitvec 1",
    "2 sort bitvec 32",
    "3 sort array 2 2",
    "4 state 3 memory",
    "5 input 2 place",
    "6 input 2 value",
)
WRITE = (*HEADER, "7 write 3 4 5 6", "8 next 3 4 7")


def read(*lines: str) -> System:
    return read_btor2("x.btor2", "\n".join((*WRITE, *lines)) + "\n")


def verdict(system: System, strategy: str) -> tuple[str, str | None]:
    problem = Problem("system", "test", "test", system, (Subject("property", "bad", asked=0),))
    [answer] = decide(problem, Plan(strategy, budget=Budget.of(20)))
    return answer.verdict, answer.certificate


def test_what_is_read_back_is_what_was_written() -> None:
    system = read("9 read 2 7 5", "10 neq 1 9 6", "11 bad 10")
    assert without_arrays(system).bad[0].term is system.terms.false


def test_reads_of_one_place_agree_in_a_step_and_array_variables_go() -> None:
    system = read(
        "9 read 2 4 5", "10 read 2 4 5", "11 neq 1 9 10", "12 read 2 4 6", "13 eq 1 9 12", "14 bad 11", "15 bad 13"
    )
    weaker = without_arrays(system)
    assert weaker.bad[0].term is system.terms.false
    assert not weaker.states and len(weaker.inputs) == len(system.inputs) + 2


def test_a_proof_without_a_large_array_is_certified_with_it() -> None:
    counting = ("9 zero 2", "10 state 2 n", "11 init 2 10 9", "12 read 2 4 10", "13 redor 1 12", "14 constd 2 2")
    step = ("15 add 2 10 14", "16 ite 2 13 15 10", "17 next 2 10 16", "18 slice 1 10 0 0", "19 bad 18")
    assert verdict(read(*counting, *step), "pdr") == ("safe", "invariant")


def test_a_run_without_an_array_is_no_run() -> None:
    # What is written is never seven; what stands in the array at first may be, and that no proof here can tell.
    zero = (
        "9 zero 2",
        "10 constd 2 7",
        "11 neq 1 6 10",
        "12 constraint 11",
        "13 read 2 4 5",
        "14 eq 1 13 10",
        "15 bad 14",
    )
    system = read(*zero)
    assert verdict(system, "pdr")[0] == "unknown"
    assert verdict(read("9 read 2 4 5", "10 read 2 4 6", "11 ugt 1 9 10", "12 bad 11"), "auto") == ("unsafe", "replay")

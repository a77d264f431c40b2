"""Memory in blocks: large arrays, arrays of variable length, any number of objects of any size, lists."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

import argosy
from argosy.frontends.c.load import load
from argosy.frontends.c.lower.heap import INSTANCES
from argosy.frontends.c.memory import MOST_CELLS
from argosy.logic.terms import Terms
from argosy.models.program import Program

_BEFORE = """extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int); void reach_error(void) { }
typedef unsigned size_t; void *malloc(size_t), *calloc(size_t, size_t), *memset(void *, int, size_t);
void check(int holds) { if (!holds) reach_error(); }
struct node { int data; struct node *next; };
struct wide { short tag; int of[300]; };
int zero[1000]; const int table[400] = {[7] = 7, [399] = 9}; int grid[30][20];
struct pair { char c; int n; } pairs[500];
void *get(size_t n) { return malloc(n); }
int first(int *p) { return p[0]; }
void put(int *p, int i, int x) { p[i] = x; }
"""


def decide(text: str, strategy: str = "bmc") -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.c"
        path.write_text(text)
        result = argosy.verify(str(path), in_process=True, strategy=strategy, undefined_functions="pure")
        assert result.certified, result.reason
        return result.verdict


# What holds, and what does not: each construct with a claim that is true and one that is false.
PROGRAMS = {
    "an array over the limit": ("int a[5000]; a[i] = 7; a[(i + 1) % 5000] = 1;", "a[i] == 7", "a[i] == 1"),
    "a static one is zero": ("", "zero[i] == 0", "zero[i] == 1"),
    "an initialiser": ("", "table[7] + table[399] + table[8] == 16", "table[i] < 9"),
    "one that is local": ("int a[1000] = {1, 2};", "a[1] == 2 && a[i + 2] == 0", "a[i] == 0"),
    "two dimensions": ("grid[i % 30][i % 20] = 5;", "grid[i % 30][i % 20] == 5", "grid[i % 30][3] == 5"),
    "structures in an array": ("pairs[i].c = 1; pairs[i].n = 2;", "pairs[i].c + pairs[i].n == 3", "pairs[0].n == 2"),
    "an array in a structure": (
        "struct wide w, *p = &w; w.tag = 1; p->of[i % 300] = 2;",
        "w.of[i % 300] + p->tag == 3",
        "w.of[0] == 2",
    ),
    "through a pointer": ("put(zero, i, 3);", "zero[i] == 3", "first(zero) == 3"),
    "pointers in there": ("int x = 1, *q[600]; q[i] = &x; *q[i] = 4;", "x == 4", "x == 1"),
    "two arrays": ("int a[400], b[400], *p = i % 2 ? a : b; a[5] = 1; b[5] = 2;", "p[5] < 3", "p[5] == 1"),
    "an array or a scalar": ("int x = 1, a[400], *p = i % 2 ? &x : a; a[0] = 2; *p = 3;", "x + a[0] > 3", "x == 3"),
    "a variable length": ("int n = i + 2, a[n]; a[n - 1] = 4; a[i] = 5;", "a[n - 1] == 4", "a[0] == 5"),
    "two of them": ("int n = i + 1, a[n][n + 1]; a[i][i] = 4;", "a[i][i] == 4", "a[0][0] == 4"),
    "memory of any size": (
        "int n = i + 1, *a = malloc(n * sizeof(int)); a[i] = 4; a[0] = 5;",
        "a[i] > 3",
        "a[i] == 4",
    ),
    "that is zero": ("int n = i + 1, *a = calloc(n, sizeof(int)); a[0] = 5;", "i == 0 || a[i] == 0", "a[i] == 0"),
    "without sizeof": ("int *a = malloc(4000 + i); a[9] = 2;", "a[9] == 2", "a[8] == 2"),
    "at another width": (
        "char a[400]; int *p = (int *) a; p[3] = 0x01020304; a[13] = i;",
        "a[12] == 4 && (p[3] & 0xffff00ff) == 0x01020004",
        "p[3] == 0x01020304",
    ),
    "memory without a type": (
        "struct node *p = get(sizeof *p), *q = get(sizeof *q); p->next = q; q->data = i; p->data = 1;",
        "p->next->data == i && p != q",
        "p->next->data == 1",
    ),
    "filled as a whole": ("int a[300]; memset(a, 0, sizeof a); a[1] = 1;", "a[i % 300] < 2", "a[i % 300] == 0"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_claim_that_holds_and_one_that_does_not(name: str) -> None:
    body, holds, fails = PROGRAMS[name]
    text = f"{_BEFORE} int main(void) {{ int i = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= i && i < 400); "
    assert decide(f"{text} {body} check({holds}); }}") == "safe"
    assert decide(f"{text} {body} check({fails}); }}") == "unsafe"


@pytest.mark.parametrize(
    "body",
    [
        "int a[300]; a[i] = 1;",
        "int n = i - 5; __VERIFIER_assume(n > 0); int a[n]; a[i] = 1;",
        "int *a = malloc(4 * i); a[i] = 1;",
        "int a[300], *p = a; p += i; *p = 1;",
        "int a[300], b[300], *p = a; r = p + 300 == b; p[300] = 1;",
    ],
)
def test_what_leaves_a_block_ends_the_execution(body: str) -> None:
    text = f"{_BEFORE} int main(void) {{ int r, i = __VERIFIER_nondet_int(); __VERIFIER_assume(300 <= i && i < 400);"
    assert decide(f"{text} {body} reach_error(); }}") == "safe"


LIST = """ int main(void) { struct node *list = 0; int i;
    for (i = 0; i < %d; i++) { struct node *x = malloc(sizeof *x); x->data = i; x->next = list; list = x; }
    int sum = 0; for (; list; list = list->next) sum += list->data; check(%s); }"""


def test_a_list_has_more_objects_than_there_are_cells_for() -> None:
    many = INSTANCES + 3
    assert decide(_BEFORE + LIST % (many, f"sum == {many * (many - 1) // 2}")) == "safe"
    assert decide(_BEFORE + LIST % (many, f"sum < {many}")) == "unsafe"


def test_objects_of_one_call_are_apart_whatever_their_size() -> None:
    before = """ int main(void) { int *p[6]; unsigned i, n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n - 1 < 1000);
        for (i = 0; i < 6; i++) { p[i] = malloc(n * sizeof(int)); p[i][n - 1] = i; }"""
    assert decide(f"{_BEFORE} {before} check(p[0] != p[5] && p[2][n - 1] == 2); }}") == "safe"
    assert decide(f"{_BEFORE} {before} check(p[2][0] == 2); }}") == "unsafe"


def test_explicit_values_know_elements() -> None:
    body = "int a[1000], i; for (i = 0; i < 9; i++) a[i] = i; for (i = 0; i < 9; i++) check(a[i] %s i);"
    assert decide(f"{_BEFORE} int main(void) {{ {body % '=='} }}", "explicit") == "safe"
    assert decide(f"{_BEFORE} int main(void) {{ {body % '<'} }}", "explicit") == "unsafe"


def _read(text: str, **options: object) -> Program:
    return load("p.c", text=text, terms=Terms(), **options)  # type: ignore[arg-type]


def test_few_cells_stay_variables() -> None:
    text = f"int a[{MOST_CELLS}]; int main(void) {{ int i; a[i] = 1; return a[0]; }}"
    assert all(v.term.sort.is_bits for v in _read(text).cfa.variables)
    (block,) = [v for v in _read(text, most_cells=1).cfa.variables if not v.term.sort.is_bits]
    assert block.name == "a[]"


def test_a_block_has_the_name_of_what_lies_there() -> None:
    text = f"{_BEFORE} int main(void) {{ grid[1][2] = pairs[3].n; }}"
    names = {v.name for v in _read(text).cfa.variables}
    assert {"grid[][]", "pairs[].n"} <= names and "pairs[].c" not in names


def test_the_ledger_says_what_fits_into_the_address_space() -> None:
    body = "unsigned n, k; for (k = 0; k < n; k++) { char *p = malloc(k); p[0] = 1; }"
    text = f"void *malloc(unsigned); int main(void) {{ {body} }}"
    assert any("there is room in the address space" in line for line in _read(text).ledger)


def test_nothing_is_proved_by_leaving_large_requests_out(tmp_path: Path) -> None:
    path = tmp_path / "large.c"
    path.write_text("""extern void reach_error(void), *malloc(unsigned);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  for (int k = 0; k < 2; k++) {
    unsigned n = __VERIFIER_nondet_uint();
    char *p = malloc(n);
    if (n > 5000000) reach_error();
    if (n) p[0] = 1;
  }
}
""")
    assert argosy.verify(path, in_process=True, time_limit=30).verdict != "safe"

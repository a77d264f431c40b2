"""The two representations of memory, cells as variables and blocks in arrays, agree wherever both say something."""

from __future__ import annotations

import pytest

from .running import run
from .test_memory_safety import DEREFERENCE, _first
from .violating import UNKNOWN

BEFORE = """
typedef unsigned long size; extern int __VERIFIER_nondet_int(void); extern void *malloc(size), *calloc(size, size);
struct n { int v; short s[2]; struct n *next; };
int g; int ga[5] = {1, 2, 3}; const char text[] = "abc"; int grid[2][3];
int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
"""

PROGRAMS = [
    "int a[5]; for (int k = 0; k < 5; k++) a[k] = k * k; a[i] = 7; g = a[0] + 10 * a[i] + 100 * sum(a, 5);",
    "ga[i] += 5; int *p = ga + i; *p = *p * 2; g = sum(ga, 4) + *p;",
    "grid[i % 2][i] = 3; int (*row)[3] = &grid[1]; (*row)[0] = 4;"
    " g = grid[0][0] + 10 * grid[i % 2][i] + 100 * grid[1][0];",
    "struct n x[2]; x[i % 2].s[1] = i; x[i % 2].v = 9; x[1 - i % 2].v = x[i % 2].v - 1;"
    " g = x[i % 2].s[1] + 100 * x[0].v + 10 * x[1].v;",
    "struct n *l = 0; for (int k = 0; k <= i; k++) { struct n *p = malloc(sizeof *p); p->v = k; p->next = l; l = p; }"
    " while (l) { g = 10 * g + l->v; l = l->next; }",
    "int *p = calloc(4, sizeof *p); p[i] = 2; int *q = p + 1; q[0] = 5; g = sum(p, 4) + 100 * p[i];",
    "g = text[i] + (i == 2 ? text[3] : 0);",
    "int a[3] = {1, 2, 3}; a[i + 1] = 4; g = sum(a, 3);",
    "unsigned char b[4] = {1, 2, 3, 4}; b[i] = 255; g = b[0] + 256 * b[1] + 65536 * b[2];",
]


@pytest.mark.parametrize("body", PROGRAMS)
def test_executions_end_with_the_same_values(body: str) -> None:
    source = f"{BEFORE} int main(void) {{ int i = __VERIFIER_nondet_int(); {body} }}"
    for index in range(3):
        cells, blocks = (run(source, (index,), most_cells=most, unbounded=most == 1) for most in (256, 1))
        assert (cells["g"], cells.error) == (blocks["g"], blocks.error)
        assert (cells.undefined is None) == (blocks.undefined is None)


@pytest.mark.parametrize(("body", "kind"), [row for row in DEREFERENCE if "[" in row[0] and "struct" not in row[0]])
def test_violations_are_of_the_same_kind(body: str, kind: str | None) -> None:
    assert _first(body, choices=(9,), property="valid-deref", most_cells=1) in (kind, UNKNOWN)


def test_both_decide_what_is_simple() -> None:
    """The row above would hold of a representation that says nothing."""
    rows = [
        row
        for row in DEREFERENCE
        if row[0].startswith(("int a[3]; a[", "int a[3], i", "int *p = malloc(3", "int *p = malloc(0"))
    ]
    assert rows and all(_first(b, choices=(9,), property="valid-deref", most_cells=1) == kind for b, kind in rows)

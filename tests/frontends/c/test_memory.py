"""Arrays, structures, pointers, memory from the library: what programs compute with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.c.blocks import families
from argosy.frontends.c.lower.heap import INSTANCES
from argosy.frontends.c.lower.pointers import MOST_TARGETS
from argosy.frontends.c.memory import MOST_CELLS, SLOT, cells
from argosy.frontends.c.types import Array, StructureType, data_model
from argosy.logic.terms import Term
from argosy.models.cfa import Assign, Edge, Havoc, Undefined, written
from argosy.models.cfa import read as read_by

from .running import Outcome, final, read, run, subject

STRUCTS = "struct p { int x, y; }; struct q { char c; struct p in; int a[2]; struct q *next; };"


def _exact(body: str, before: str = "", choices: tuple[int, ...] = (), **options: Any) -> Outcome:
    """The outcome of an execution that stays in the language and depends on nothing that is not modelled."""
    program = f"int r; {STRUCTS} {before} int main(void) {{ {body} }}"
    outcome = run(program, choices, **options)
    assert outcome.undefined is None, outcome.undefined
    return outcome


# ---- values ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int a[3]; a[0] = 4; a[1] = 5; a[2] = a[0] + a[1]; r = a[2];", 9),
        ("int a[3], i; for (i = 0; i < 3; i++) a[i] = i * i; r = a[0] + 10 * a[1] + 100 * a[2];", 410),
        ("int a[3] = { 1, 2, 3 }, i = 1; a[i] += 5; a[i]++; ++a[i]; r = a[1] * 10 + a[i]--; r = r * 10 + a[1];", 998),
        ("int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, i = 1, j = 2; r = a[i][j] * 10 + a[0][i];", 62),
        ("int a[2][3] = { 1, 2, 3, 4 }; r = a[1][0] * 10 + a[1][1];", 40),
        ("int a[4] = { [2] = 7, 8, [0] = 1 }; r = a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];", 1078),
        ('char s[] = "ab" "c"; r = sizeof s * 1000 + s[0] + s[3];', 4097),
        ('char s[2] = "abc"; r = s[1];', 98),
        ('char s[5] = { "ab" }; r = s[1] + s[4];', 98),
        ("unsigned char a[2] = { 255, 1 }; a[0]++; r = a[0] * 10 + a[1];", 1),
        ("_Bool a[2]; a[0] = 5; a[1] = 0; r = a[0] * 10 + a[1];", 10),
        ("struct p s = { 1, 2 }, t; t = s; s.x = 9; r = t.x * 10 + t.y;", 12),
        ("struct p s = { .y = 3 }; r = s.x * 10 + s.y;", 3),
        ("struct q s = { 'a', { 1, 2 }, { 3, 4 } }; r = s.in.y * 100 + s.a[1] * 10 + !s.next;", 241),
        ("struct q s = { 'a', 1, 2, 3, 4, 0 }; r = s.in.y * 100 + s.a[1] * 10 + !s.next;", 241),
        ("struct q s = { .in.y = 5, .a[1] = 6 }; r = s.in.x * 100 + s.in.y * 10 + s.a[1];", 56),
        ("struct p a[2] = { { 1, 2 }, { 3, 4 } }; int i = 1; a[i].y += a[0].x; r = a[1].y * 10 + a[i].x;", 53),
        ("struct p a[] = { 1, 2, 3, 4, 5, 6 }; r = sizeof a / sizeof *a;", 3),
        ("static int a[3] = { 1, 2 }; a[2]++; r = a[0] + a[1] * 10 + a[2] * 100;", 121),
        ("struct p s = (struct p) { 1, 2 }; r = s.y + ((struct p) { 5, 6 }).x;", 7),
        ("int *p = (int[]) { 3, 4, 5 }; r = p[1];", 4),
        ("const char *names[2] = { 0 }; r = names[1] == 0;", 1),
        ("int i = 0, a[3] = { 5, 6, 7 }; r = a[i++]; r = r * 10 + a[i];", 56),
        ("int i = 1, a[3] = { 2, 0, 1 }; r = a[a[a[0]]];", 0),
        ("int a[2] = { 1, 0 }; a[a[0]] = 5; r = a[0] * 10 + a[1];", 15),
        ("int a[3] = { 0, 1, 2 }, i = 0; a[i] = i = 2; r = a[0] * 100 + a[2] * 10 + i;", 222),
        ("int a[2] = { 3, 4 }; r = 1[a] * 10 + *a + *(a + 1);", 47),
        ("int a[3] = { 1, 2, 3 }; int *p = a + 1; r = *p++ * 100; r += *p * 10 + (p - a);", 232),
        ("int a[3] = { 1, 2, 3 }; int *p = &a[2]; *p = 7; p[-1] = 8; *--p += 1; r = a[1] * 10 + a[2];", 97),
        ("int a[3] = { 1, 2, 3 }, s = 0, *p; for (p = a; p < a + 3; p++) s = s * 10 + *p; r = s;", 123),
        ("int x = 1, y = 2, *p = &x, **q = &p; **q = 5; *q = &y; **q = 6; r = x * 10 + y + (*q == &y);", 57),
        ("int x = 1; int *p = &x, *q = p; *p = 4; r = (*q)++; r = r * 10 + x;", 45),
        ("struct p s = { 1, 2 }, *p = &s; p->y = p->x + 4; (*p).x = 3; r = s.x * 10 + s.y;", 35),
        ("struct p s = { 1, 2 }, t = { 3, 4 }, *p = &s; *p = t; p = &t; t.x = 8; r = s.x * 10 + p->x;", 38),
        ("struct p s; int *p = &s.y; s.x = 1; *p = 7; r = s.x * 10 + s.y;", 17),
        ("struct q s, t; s.next = &t; t.in.y = 4; t.a[1] = 5; s.next->a[0] = s.next->in.y; r = t.a[0] * 9;", 36),
        ("int a[2][2], (*p)[2] = a; p[1][0] = 4; (*p)[1] = 3; r = a[1][0] * 10 + a[0][1];", 43),
        ("int x, *p = &x; r = ((unsigned long) p == (unsigned long) ((void *) 0)) * 10 + ((long) p != 0);", 1),
        ("int x = 5; void *v = &x; r = *(int *) v + *(unsigned *) v;", 10),
        ("struct p s = { 4, 5 }; r = *(int *) &s * 10 + ((int *) &s)[1];", 45),
        ("int x = 3, *p = 0; r = (p && *p) + 2 * (!p || *p == 3); p = &x; r = r * 10 + (p && *p == 3);", 21),
        ("int a[2] = { 3, 4 }, *p = a; int x = p ? *p : 0; r = x + (p == a) * 10 + (&a[1] - p) * 100;", 113),
        ("int a[2] = { 1, 2 }, *p = a; r = *p + (*p = 5) + *p;", 11),
        ("int a[2] = { 1, 2 }; r = a[0] + (a[0] = 5) + a[0];", 11),
        ("struct p s = { 1, 2 }; r = s.x + (s.x = 5) + s.x;", 11),
        ("r = sizeof(struct p) + sizeof(struct q) + sizeof(int[3]);", 8 + 24 + 12),
        ("struct q s = { .in.x = 1, 2, 3, .a[1] = 4, 0 }; r = s.in.y * 100 + s.a[0] * 10 + s.a[1];", 234),
        ("struct { int a; struct { int b, c; }; } s = { .c = 2, .a = 3 }; r = s.a * 100 + s.b * 10 + s.c;", 302),
        ("struct q s = { .a = { 2, 3 }, .a = { 1 } }; r = s.a[0] * 10 + s.a[1];", 10),
        ('struct { int b; char c[2]; } s = { .c = "ab", .b = 1, "" }; r = s.c[0] + s.c[1];', 0),
        ("struct q s = { .a = { 2, 3 }, .a[1] = 9 }; r = s.a[0] * 10 + s.a[1];", 29),
        ("struct p v[2] = { { 1, 5 }, { 1, 6 } }; v[v[1].x] = (struct p) { 0, 9 }; r = v[0].y * 10 + v[1].y;", 59),
        ("struct p v[2] = { { 1, 5 }, { 0, 6 } }, x = { 1, 2 }; x = v[x.x]; r = x.x * 10 + x.y;", 6),
        ("struct q u = { .in.x = 3 }, x = { .next = &u }; x = *x.next; r = x.in.x * 10 + !x.next;", 31),
        ("struct q x = { 'a' }; x.next = &x; *x.next = (struct q) { 'b' }; r = (x.c == 'b') * 10 + !x.next;", 11),
        ("int *p = &(int) { 3 }; *p += 1; r = *p;", 4),
        ("int k = 1; r = ((int[]) { 1, 2, 3 })[k];", 2),
        ('const char *s = "abc"; while (*s) r = r * 3 + *s++; r += "xyz"[1];', 97 * 9 + 98 * 3 + 99 + 121),
        ("struct p x = { 1, 2 }, y = { 3, 4 }, z; int k = 0; z = k ? x : y; r = z.x * 10 + (k ? y : x).y;", 32),
        ("int x = 0x12345678; r = *(char *) &x + 256 * ((unsigned char *) &x)[3];", 0x78 + 256 * 0x12),
        ("unsigned x = 0x12345678; ((unsigned char *) &x)[1] = 0xff; r = x == 0x1234ff78u;", 1),
        ("union { int i; char c; } u; u.i = 0x1234; u.c = 5; r = u.i;", 0x1205),
        ("union { int i; unsigned char b[4]; } u = { 0x01020304 }; r = u.b[0] * 10 + u.b[3];", 41),
        ("union { int i; struct { short a, b; } s; } u = { .s = { 1, 2 } }; r = u.i;", 0x20001),
        ("union { char c; int i; } u = { .c = -1 }; r = u.i;", 255),
        ("static union { char c; int i; } u = { -1 }; r = u.i;", 255),
        ("struct { int t; union { int i; int *p; } u; } s; int x = 3; s.u.p = &x; r = *s.u.p; s.u.i = 4;", 3),
        ("union { int i; unsigned u; } a, b; a.i = -1; b = a; r = b.u == 4294967295u;", 1),
        ("struct p s[2]; struct p *p = s; p++; p->x = 3; r = s[1].x + (p == &s[1]) * 10;", 13),
    ],
)
def test_values(body: str, value: int) -> None:
    assert _exact(body)["r"] == value


@pytest.mark.parametrize(
    ("before", "body", "value"),
    [
        ("void f(int *p) { *p += 5; }", "int x = 1; f(&x); r = x;", 6),
        ("void f(int a[], int n) { while (n--) a[n] = n; }", "int a[3]; f(a, 3); r = a[2] * 10 + a[1];", 21),
        ("void f(int *a, int *b) { int t = *a; *a = *b; *b = t; }", "int a[2] = { 1, 2 }; f(a, a + 1); r = a[0];", 2),
        ("struct p f(int n) { struct p s = { n, n + 1 }; return s; }", "r = f(3).y * 10 + f(5).x;", 45),
        ("struct p f(struct p s) { s.x++; return s; }", "struct p s = { 1, 2 }, t = f(f(s)); r = s.x * 10 + t.x;", 13),
        ("struct p g(int n) { return (struct p) { n, 0 }; } int f(struct p a, struct p b) { return a.x * 10 + b.x; }",
         "r = f(g(1), g(2));", 12),
        ("struct p s; int f(void) { s.x = 7; return 0; } int g(struct p a, int b) { return a.x; }",
         "s.x = 3; r = g(s, f());", 3),
        ("int *f(int *p) { return p + 1; }", "int a[2] = { 4, 5 }; *f(a) = 6; r = a[1];", 6),
        ("int a[2] = { 1, 2 }, *g = &a[1]; struct p s = { 3, 4 }, *t = &s;", "r = *g * 10 + t->y;", 24),
        ("struct q n2 = { 'b', { 5 } }, n1 = { 'a', { 4 }, { 0 }, &n2 };", "r = n1.next->in.x * 10 + n1.in.x;", 54),
        ("int f(int a) { return a + 1; } int g(int a) { return a * 2; }",
         "int (*h)(int) = f; r = h(3); h = &g; r = r * 10 + (*h)(3);", 46),
        ("int f(int a) { return a + 1; } int g(int a) { return a * 2; } int (*t[])(int) = { f, g };",
         "int i; for (i = 0; i < 2; i++) r = r * 10 + t[i](3);", 46),
        ("int f(void) { return 3; } struct o { int (*run)(void); } o = { f }; int g(struct o *p) { return p->run(); }",
         "r = g(&o);", 3),
        ("void f(int *p) { *p = 1; } void g(int *p) { *p = 2; }", "int x; void (*h)() = r ? f : g; h(&x); r = x;", 2),
        ("static int next(void) { static int a[2] = { 5 }; return a[0]++; }", "next(); r = next();", 6),
        ("int f(int n) { int a[2]; a[0] = n; if (n > 0) f(n - 1); return a[0]; }", "r = f(2);", 2),
        ("struct p f(int n) { struct p s = { n, 0 }; if (n > 0) s.y = f(n - 1).x; return s; }",
         "r = f(2).y * 10 + f(3).x;", 13),
    ],
)  # fmt: skip
def test_functions(before: str, body: str, value: int) -> None:
    assert _exact(body, before)["r"] == value


LIBRARY = """void *malloc(unsigned n); void *calloc(unsigned n, unsigned m); void free(void *p);
    void *memset(void *p, int c, unsigned n); void *memcpy(void *p, const void *q, unsigned n);"""


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int *p = malloc(sizeof(int)), *q = malloc(sizeof *q); *p = 3; *q = 4; r = *p * 10 + *q + (p == q);", 34),
        ("int *p = malloc(3 * sizeof(int)); p[2] = 5; *p = 1; r = p[2] * 10 + p[0]; free(p);", 51),
        ("int *p = calloc(3, sizeof(int)); p[1] = 5; r = p[0] + p[1] * 10 + p[2];", 50),
        ("char *p = malloc(3); p[1] = 5; r = p[1];", 5),
        ("struct q *l = 0; int i; for (i = 1; i < 4; i++) { struct q *n = malloc(sizeof(struct q)); n->in.x = i;"
         " n->next = l; l = n; } for (; l; l = l->next) r = r * 10 + l->in.x;", 321),
        ("struct p s = { 1, 2 }; memset(&s, 0, sizeof s); r = s.x + s.y;", 0),
        ("int a[3] = { 1, 2, 3 }; memset(a, 255, sizeof a); r = a[0] + a[2];", -2),
        ("struct p s = { 1, 2 }, t, *u = &t; memcpy(u, &s, sizeof s); r = t.x * 10 + t.y;", 12),
        ("int a[3] = { 1, 2, 3 }, b[3]; memcpy(b, a, sizeof a); r = b[0] * 10 + b[2];", 13),
        ("struct p *p = malloc(sizeof *p); memset(p, 0, sizeof *p); r = p->x + p->y;", 0),
    ],
)  # fmt: skip
def test_the_library(body: str, value: int) -> None:
    assert _exact(body, LIBRARY)["r"] == value


def test_more_objects_than_are_counted_may_reach_the_error() -> None:
    body = "int i, *p; for (i = 0; i < %d; i++) p = malloc(sizeof(int)); r = i;"
    program = read(f"int r; {LIBRARY} int main(void) {{ {body % INSTANCES} }}")
    beyond = program.cfa.entering[program.cfa.error]
    assert [program.cfa.opaque[v].arbitrary for edge in beyond for v in read_by(edge.operation)] == [True]
    assert _exact(body % INSTANCES, LIBRARY)["r"] == INSTANCES
    assert "malloc does not fail" in program.ledger


# ---- what is undefined ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("int a[3], i = 3; a[i] = 1;", Undefined.BOUNDS),
        ("int a[3], i = -1; r = a[i];", Undefined.BOUNDS),
        ("int a[3]; a[3] = 1;", Undefined.BOUNDS),
        ("int a[2][3], i = 3; a[0][i] = 1;", Undefined.BOUNDS),
        ("int *p = 0; r = *p;", Undefined.NULL),
        ("int *p = 0; *p = 1;", Undefined.NULL),
        ("struct p *p = 0; r = p->y;", Undefined.NULL),
        ("int *p = 0; r = p[5];", Undefined.NULL),
        ("int a[3], *p = a + 20000; r = p == 0;", Undefined.POINTER),
        ("int a[3], *p = a; p -= 2000; r = p == 0;", Undefined.POINTER),
        ("int a[3], b[3], *p = a; p += 20000; r = *p;", Undefined.POINTER),
        ("int (*f)(void) = 0; r = f();", Undefined.NULL),
    ],
)
def test_what_leaves_an_object_is_undefined(body: str, kind: Undefined) -> None:
    outcome = run(f"int r; {STRUCTS} int g(void) {{ return 1; }} int (*h)(void) = g; int main(void) {{ {body} }}")
    assert outcome.undefined is not None and outcome.undefined.kind is kind


@pytest.mark.parametrize("body", ["int *p = a + 4; r = p > a;", "int *p = a; p--; r = p < a;", "r = a - 1 != b + 3;"])
def test_what_misses_an_object_by_little_is_an_address(body: str) -> None:
    outcome = run(f"int r; int main(void) {{ int a[3], b[3]; {body} }}")
    assert outcome.undefined is None and outcome.values["r"] == 1


def test_one_element_behind_the_end_is_an_address() -> None:
    assert _exact("int a[3], *p = a + 3; r = (p - a) + (&a[3] == p);")["r"] == 4


def test_addresses_of_different_objects_are_far_apart() -> None:
    outcome = _exact("int a[2], b[2]; int *p = a, *q = b; r = p == q;")
    assert outcome["r"] == 0 and abs(outcome["main::p"] - outcome["main::q"]) >= SLOT


# ---- what is not modelled -------------------------------------------------------------------------------------


def _opaque(body: str, before: str = "") -> dict[str, bool]:
    """What is not modelled and flows into r, with whether it may be any value."""
    cfa = read(f"int r; {STRUCTS} {before} int main(void) {{ {body} }}").cfa
    wanted = {v.term for v in cfa.variables if v.term.name == "r"}
    size = 0
    while size != len(wanted):
        size = len(wanted)
        for edge in cfa.edges:
            if any(term in wanted for term in written(edge.operation)):
                wanted |= read_by(edge.operation)
    return {subject(cfa.opaque[term]): cfa.opaque[term].arbitrary for term in wanted if term in cfa.opaque}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int *p; r = *p;", {"dereference *p": True}),
        ("int x, *p, *q = &x; r = *p;", {"dereference *p": True}),
        ("int x, *p, *q = &x; *p = 1; r = x;", {"write to dereference *p": True}),
        ("int x, y, *p, *q = &x; *p = 1; r = y;", {}),
        ("int x, *q = &x; short *p; *p = 1; r = x;", {}),
        ("int x, *q = &x; char *p; *p = 1; r = x;", {"write to dereference *p": True}),
        ("int x = 1; *(long long *) &x = 2; r = x;", {"write to dereference *(long long *) &x": False}),
        ("int x = 1; r = *(long long *) &x;", {"dereference *(long long *) &x": False}),
        ("union { int a; long double b; } u; u.b = 1; r = u.a;", {"member u.a": False}),
        ("union { int a; float b; } u; u.b = 1; r = u.a;", {}),
        ("union { float a; int b[3]; } u; u.b[1] = 1; u.a = 2; r = u.b[1];", {}),
        ("struct { int a; union { int b; } u; } s; s.a = 1; s.u.b = 2; r = s.a;", {}),
        ("struct { float f; int a; } s; s.a = 1; s.f = 2; r = s.a;", {}),
        (f"int a[{MOST_CELLS + 1}]; a[0] = 1; r = a[0];", {}),
        ("struct { int n : 3; } s; s.n = 1; r = s.n;", {}),
    ],
)
def test_what_is_not_modelled(body: str, expected: dict[str, bool]) -> None:
    assert _opaque(body) == expected


def test_an_arbitrary_value_is_chosen_wherever_it_is_read() -> None:
    cfa = read("int r; int main(void) { int x, *q = &x, *p; while (*p) r++; }").cfa
    (opaque,) = cfa.opaque
    readers = {e.source for e in cfa.edges if opaque in read_by(e.operation)}
    for location in readers:
        assert all(e.operation == Havoc(opaque) for e in cfa.entering[location])


def test_cells_that_almost_any_write_may_change_are_given_up() -> None:
    """They are not modelled any more, instead of being written again and again; everything else is."""
    structures = "".join(f"struct q s{n}, *p{n} = &s{n};" for n in range(MOST_TARGETS // 2))
    before = f"struct q *any(void); int x; {structures}"
    body = "struct q *p = any(); p->in.y = 1; p->a[1] = 2; x = 3;"
    cfa = read(f"{STRUCTS} {before} int main(void) {{ {body} }}").cfa
    assert len(cfa.edges) < 50
    assert _opaque(f"{body} r = s1.in.x;", before) == {"write to member p->in.y": True}
    assert _opaque(f"{body} r = x + (s1.c == s2.c);", before) == {}


def test_many_cells_are_chosen_from_by_halves() -> None:
    outcome = _exact("int a[40], i, *p; for (i = 0; i < 40; i++) a[i] = i; for (p = a; p < a + 40; p++) r += *p;")
    assert outcome["r"] == 780
    body = "int a[40], *p = a; a[39] = 7; p += 39; r = *p; "
    deepest = max(_depth(e.operation.value) for e in _edges(body) if isinstance(e.operation, Assign))
    assert deepest < 25


def _edges(body: str) -> tuple[Edge, ...]:
    return read(f"int r; int main(void) {{ {body} }}").cfa.edges


def _depth(term: Term) -> int:
    return 1 + max(map(_depth, term.args), default=0)


@pytest.mark.parametrize(
    ("before", "body", "value"),
    [
        ("void f(union u *p) { p->s = 5; }", "v.i = 1 << 16; f(&v); r = v.i;", (1 << 16) + 5),
        ("void f(short *p) { *p = 5; }", "v.i = -1; f(&v.s); r = v.i;", -(1 << 16) + 5),
        ("void f(struct w *p) { p->v.s = 5; }", "struct w w; w.v.i = 0; f(&w); v = w.v; r = v.i;", 5),
        ("void f(short *p) { p[1] = 5; }", "v.i = 1; f(&v.s); r = v.i;", 5 * (1 << 16) + 1),
        ("int f(unsigned char *p, int i) { return p[i]; }", "v.i = 0x01020304; r = f((unsigned char *) &v, 2);", 2),
        ("int f(char *p, int i) { p[i] = -1; return p[i]; }", "v.i = 7; r = f((char *) &v, 3) + v.i;", 6 - (1 << 24)),
        ("int f(int i) { return m.b[i]; }", "m.w[1] = 0x01020304; r = f(6) * 10 + f(4);", 24),
        ("void f(int i) { m.b[i] = 9; }", "m.w[1] = 0x01020304; f(5); r = m.w[1];", 0x01020904),
        ("", "short a[4] = { 1, 2, 3, 4 }; r = *(int *) (a + 1);", 2 + 3 * (1 << 16)),
        ("", "short a[4] = { 1, 2, 3, 4 }; *(int *) (a + 1) = 5; r = a[1] * 10 + a[2];", 50),
        ("", "float f = 1.5f; unsigned char *p = (unsigned char *) &f; p[3] = 0xc0; r = (int) (f * 4);", -24),
        ("", "int x = -1, y = 0; __builtin_memcpy(&y, &x, 3); r = y;", 0xFFFFFF),
        ("", "int a[2] = { 1, 1 }; __builtin_memset(a, 2, 5); r = a[0] - 0x02020202 + a[1];", 2),
        ("", "char a[6] = { 1, 2, 3, 4, 5 }; __builtin_memmove(a + 1, a, 4); r = a[1] * 100 + a[2] * 10 + a[4];", 124),
    ],
)
def test_what_is_accessed_at_another_width_is_what_lies_there(before: str, body: str, value: int) -> None:
    types = (
        "union u { int i; short s; } v; struct w { int a; union u v; }; union m { int w[3]; unsigned char b[12]; } m;"
    )
    assert _exact(body, f"{types} {before}")["r"] == value


def test_bytes_between_members_are_nobodys_elsewhere() -> None:
    body = "struct g a[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } }, s = { 7, 8 }; a[r & 1] = s; r = a[0].i * 10 + a[2].c;"
    assert _exact(body, "struct g { char c; int i; };")["r"] == 85


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("", "char b[8] = { 0 }; struct g s = { 1, 2 }, *p = (struct g *) b; *p = s; r = b[1];"),
        ("", "char b[8] = { 0 }; struct g s = { 1, 2 }; __builtin_memcpy(b, &s, sizeof s); r = b[2];"),
        ("void f(char *p, struct g *s) { __builtin_memcpy(p, s, sizeof *s); }",
         "char b[16] = { 0 }; struct g s = { 1, 2 }; f(b + 8, &s); r = b[11];"),
        ("void *malloc(unsigned);",
         "int n = r & 15; char *b = malloc(n + 8); struct g s = { 1, 2 }; b[1] = 0; __builtin_memcpy(b, &s, sizeof s);"
         "r = b[1];"),
    ],
)  # fmt: skip
def test_bytes_between_members_are_not_those_that_were_there(before: str, body: str) -> None:
    """They have any values when the structure is written (C11 6.2.6.1, 6)."""
    assert any(
        what.startswith("bytes between the members")
        for what in _opaque(body, f"struct g {{ char c; int i; }}; {before}")
    )


@pytest.mark.parametrize(
    ("before", "body", "value"),
    [
        ("int f(int *a) { a[0] = 5; return 1; }", "int a[2] = { 1, 2 }; r = a[0] + f(a);", 2),
        ("int f(struct p *s) { s->x = 5; return 1; }", "struct p s[1] = { { 1 } }; r = s[0].x + f(s);", 2),
        ("int f(int *a) { a[0] = 5; return 1; }", "struct q s = { .a[0] = 1 }; r = s.a[0] * 10 + f(s.a);", 11),
        ("", "struct p *p = 0; r = 3; if (p && ((struct p) { p->x, 1 }).y) r = 4;", 3),
        ("", "struct p *p = 0, t = { 1 }; r = 3; if (p && (p->x ? *p : t).y) r = 4;", 3),
        ("void *memset(void *, int, unsigned); void f(struct q *s) { memset(s->next, 0, sizeof *s); }",
         "struct q s; s.next = &s; s.a[1] = 5; f(&s); r = s.a[1] * 10 + (s.next == 0);", 1),
    ],
)  # fmt: skip
def test_what_comes_first_and_what_only_may_come(before: str, body: str, value: int) -> None:
    """Left to right where C leaves it open; what another operand decides about ends no execution."""
    assert _exact(body, before)["r"] == value


@pytest.mark.parametrize("literal", ["int *g = (int[]) { 1, 2 };", "struct p *g = &(struct p) { 1 };"])
def test_literals_of_a_block_are_no_constants(literal: str) -> None:
    assert final("r = g != 0;", f"int r; {STRUCTS} {literal}")["r"] == 1
    with pytest.raises(UnsupportedError, match="compound literal"):
        final(f"static {literal} r = g != 0;", f"int r; {STRUCTS}")


def test_reading_lists_no_accesses() -> None:
    """Which of them may leave their objects is what the certifier says, of the executions that the property needs."""
    assert not read("int a[3];\nint main(void) {\n int i = 2;\n a[i] = 1;\n return a[i - 1];\n}").ledger


def test_an_undefined_function_may_write_to_what_it_is_given() -> None:
    cfa = read(f"{STRUCTS} void f(); int main(void) {{ int a[2]; struct p s; int b[2]; f(a, &s.y); }}").cfa
    chosen = {e.operation.variable.name for e in cfa.edges if isinstance(e.operation, Havoc)}
    assert {"main::a[0]", "main::a[1]", "main::s.x", "main::s.y"} <= chosen and "main::b[0]" not in chosen


def test_a_write_through_a_pointer_reaches_members_of_its_structure_only() -> None:
    body = "struct p s, t; struct q u; int x; struct p *p = any(); f(&s, &t, &u, &x); p->y = 1;"
    cfa = read(f"{STRUCTS} struct p *any(void); int main(void) {{ {body} }}").cfa
    hit = [e.operation for e in cfa.edges if isinstance(e.operation, Assign) and e.text == "p->y = 1"]
    inside = {operation.variable.name for operation in hit if operation.value not in cfa.opaque}
    assert inside == {"main::s.y", "main::t.y", "main::u.in.y"}
    assert {operation.variable.name for operation in hit} == inside | {
        "main::s.x", "main::t.x", "main::u.in.x", "main::u.a[0]", "main::u.a[1]", "main::x"
    }  # fmt: skip


def _reached(body: str, text: str, before: str = "") -> set[str]:
    """The cells that a statement may write."""
    cfa = read(f"int r; {STRUCTS} {before} int main(void) {{ {body} }}").cfa
    hit = [e.operation for e in cfa.edges if isinstance(e.operation, Assign) and e.text == text]
    return {operation.variable.name for operation in hit if operation.value not in cfa.opaque}


@pytest.mark.parametrize(
    ("before", "body", "cells"),
    [
        ("int a, b, *p, *q;", "p = &a; q = &b; *p = 1;", {"a"}),
        ("int a, b, *p, *q;", "q = &b; p = r ? q : &a; *p = 1;", {"a", "b"}),
        ("int a, b, *p, *q = &b, **s = &p;", "*s = &a; *p = 1;", {"a"}),
        ("int a, b, *p, *q = &b, **s = &p;", "*s = q; p = r ? p : &a; *p = 1;", {"a", "b"}),
        ("int a, b; void f(int *p) { *p = 1; }", "f(&a); f(&b);", {"a", "b"}),
        ("int a, b; int *f(int *p) { return p; }", "int *p = f(&a), *q = &b; *p = 1;", {"a", "b"} - {"b"}),
        (
            "struct p s, t; struct q u;",
            "struct p *p = &s, *q = &t; q = &u.in; *(r ? &p->y : &q->y) = 1; p->x = 2;",
            set(),
        ),
        ("struct q s, t;", "s.next = &t; struct q *p = s.next; p->a[r] = 1;", {"t.a[0]", "t.a[1]"}),
        ("struct { int *m, *n; } s; int a, b;", "s.m = &a; s.n = &b; int *p = (&s + r)->m; *p = 1;", {"a"}),
        ("int a, b; int *t[2] = { &a };", "int *q = &b, *p = t[r]; *p = 1;", {"a"}),
        ("int a, b;", "static int *t[2] = { &a }; int *q = &b, *p = t[r]; *p = 1;", {"a"}),
        ("int a, b; extern int *e;", "int *p = &a, *q = &b; p = e; *p = 1;", {"a", "b"}),
        ("int a, b; int *any(void);", "int *p = &a, *q = &b; p = any(); *p = 1;", {"a", "b"}),
    ],
)
def test_what_a_pointer_may_lead_to(before: str, body: str, cells: set[str]) -> None:
    text = next(t for t in ("p->a[r] = 1", "*p = 1", "p->x = 2") if t in before + body)
    if text == "p->x = 2":
        cells = {"s.x"}
    assert _reached(body, text, before) == cells


# ---- errors ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("int n = 0; int a[2] = { 1, 2, n++ };", "one value too many, with an effect"),
        ("struct p s = { .z = 1 };", "no member z"),
        ("int a[2] = { [5] = 1 };", "no such part"),
        ("int x = { .z = 1 };", "a list where a value is needed"),
        ("struct p s; s.z = 1;", "no member z"),
        ("int x; x[1] = 1;", "neither an array nor a pointer"),
        ("int x; *x = 1;", "not a pointer"),
        ("int a[2]; a = 0;", "cannot be assigned to"),
    ],
)
def test_ill_formed_programs(body: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        final(body, STRUCTS)


# ---- layout ---------------------------------------------------------------------------------------------------


def test_cells_lie_where_the_compilers_put_them() -> None:
    model = data_model("LP64")
    inner = StructureType("struct", "i", [("a", model["char"]), ("b", model["long"])])
    outer = StructureType("struct", "o", [("c", model["char"]), ("i", inner), ("d", Array(model["short"], 2))])
    assert [(cell.offset, cell.path) for cell in cells(model, outer)] == [
        (0, ".c"),
        (8, ".i.a"),
        (16, ".i.b"),
        (24, ".d[0]"),
        (26, ".d[1]"),
    ]
    assert model.size(outer) == 32
    (cell,) = [cell for cell in cells(model, outer) if cell.path == ".i.b"]
    assert cell.around == ((outer, 16), (inner, 8))
    assert cells(model, Array(inner, MOST_CELLS)) == ()
    large = StructureType(
        "struct", "l", [("a", model.int_), ("b", Array(model.int_, MOST_CELLS + 1)), ("c", model.int_)]
    )
    assert cells(model, large) == ()
    assert [(family.offset, family.path) for family in families(model, large)] == [(0, ".a"), (4, ".b[]"), (1032, ".c")]


@pytest.mark.parametrize("model", ["ILP32", "LP64"])
def test_both_data_models(model: str) -> None:
    body = "struct q s[2], *p = s; p++; p->a[1] = 5; long l[2] = { 1, 2 }; long *m = l + 1; r = s[1].a[1] * 10 + *m;"
    assert _exact(body, data_model=model)["r"] == 52


def test_what_free_assumes_is_in_the_ledger() -> None:
    program = read("""void *malloc(unsigned); void free(void *); int r;
        int main(void) {
            int *p = malloc(sizeof(int)); *p = 1;
            free(p);
            r = *p;
        }""")
    assert "line 4: what free gives back is not used afterwards, nor freed again" in program.ledger
    assert not any("gives back" in line for line in read("int main(void) { return 0; }").ledger)


def test_a_pointer_that_has_no_value_may_lead_to_an_object() -> None:
    path = Path(__file__).parent / "attack" / "18_allocators" / "no_value_followed.c"
    result = argosy.verify(str(path), in_process=True, data_model="LP64")
    assert result.verdict == "unsafe"
    assert any("a pointer that has no value" in line for line in result.ledger)

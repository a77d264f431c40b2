"""What gcc parses is parsed: extensions that are said in plain C, each with what it computes."""

from __future__ import annotations

import pytest

from argosy.basics.errors import InputError, UnsupportedError

from .running import execute, final, read, run


@pytest.mark.parametrize(
    ("before", "body", "value"),
    [
        ("", "r = __func__[0] + sizeof(__func__);", ord("m") + 5),
        ("", "const char *p = __FUNCTION__; r = p[3];", ord("n")),
        ("", "int x[2]; r = _Alignof(x) + __alignof__(x[0]) + __alignof__(short);", 10),
        ("", "int a[__builtin_types_compatible_p(int, const int) + 1]; r = sizeof a;", 8),
        ("int v[3];", "r = __builtin_types_compatible_p(__typeof__(v), __typeof__(&v[0]));", 0),
        ("struct s { int n; }; struct t { int n; };", "r = __builtin_types_compatible_p(struct s, struct t);", 0),
        ("", "r = __builtin_types_compatible_p(char, signed char) + 2 * __builtin_types_compatible_p(long, int);", 0),
        ("", 'r = __builtin_choose_expr(sizeof(int) == 4, 7, "text");', 7),
        ("", 'r = __builtin_choose_expr(0, "text", 8);', 8),
        ("", "r = sizeof(__builtin_choose_expr(1, (char)1, 2));", 1),
        ("", "__auto_type c = (char)300; r = c + 10 * sizeof c;", 54),
        ("int v[3] = { 1, 2 };", "__auto_type p = v; r = p[1] + 10 * sizeof p;", 42),
        ("typedef int T;", "goto T; r = 1; T: r += 2;", 2),
        ("typedef int T; struct s { T : 3; T x : 5; } s;", "s.x = 5; r = s.x; if (r) T: r++;", 6),
        ("", "{ __label__ l; l: if (++r < 3) goto l; } { __label__ l; l: if (++r < 6) goto l; }", 6),
        ("f(a, b) int a; char b; { return a + b; } g();", "r = f(1, 2); ", 3),
        ("struct s { int n; } f(void) { struct s x = { 4 }; return x; } h(x) { return x; }", "r = f().n + h(3);", 7),
        ("int a[2] = { 1, 2, 3 }; struct { int x; } s = { 4, 5 };", "int i = { 6, 7 }; r = a[1] + s.x + i;", 12),
        ("int *p = (int[]){ 1, 2, 3 }; struct s { int a, *b; } *q = &(struct s){ 7, &(int){ 9 } };",
         "p[1]++; r = p[1] + q->a + *q->b;", 19),
        ("int x = (int){ 5 };", "r = x;", 5),
        ("int x; __attribute__((constructor)) static void f(void) { x = 5; }", "r = x;", 5),
        ("int x; void a(void) __attribute__((constructor)); void b(void) __attribute__((constructor(200)));"
         "void a(void) { x = x * 10 + 1; } void b(void) { x = x * 10 + 2; }", "r = x;", 21),
    ],
)  # fmt: skip
def test_constructs(before: str, body: str, value: int) -> None:
    assert final(body, f"int r; {before}")["r"] == value


@pytest.mark.parametrize(
    ("body", "value", "left"),
    [
        ("r = __sync_fetch_and_add(&x, 3);", 5, 8),
        ("r = __sync_sub_and_fetch(&x, 3);", 2, 2),
        ("r = __sync_fetch_and_nand(&x, 3);", 5, -2),
        ("r = __sync_bool_compare_and_swap(&x, 5, 9);", 1, 9),
        ("r = __sync_bool_compare_and_swap(&x, 4, 9);", 0, 5),
        ("r = __sync_val_compare_and_swap(&x, 5, 9);", 5, 9),
        ("r = __sync_lock_test_and_set(&x, 1); __sync_lock_release(&x); __sync_synchronize();", 5, 0),
        ("r = __atomic_load_n(&x, 5); __atomic_store_n(&x, 7, 5);", 5, 7),
        ("__atomic_load(&x, &r, 5); __atomic_store(&x, &r, 5);", 5, 5),
        ("r = __atomic_exchange_n(&x, 8, 0);", 5, 8),
        ("r = __atomic_fetch_or(&x, 10, 0);", 5, 15),
        ("r = __atomic_xor_fetch(&x, 1, 0);", 4, 4),
        ("int e = 4; r = __atomic_compare_exchange_n(&x, &e, 9, 0, 5, 5); r = r * 10 + e;", 5, 5),
        ("int e = 5, d = 6; r = __atomic_compare_exchange(&x, &e, &d, 0, 5, 5);", 1, 6),
        ("r = __sync_fetch_and_add(&x, __sync_fetch_and_add(&y, 1));", 5, 7),
        ("__atomic_exchange(&x, &y, &r, 5);", 5, 2),
        ("char b = 0; r = __atomic_test_and_set(&b, 5) + 2 * b; __atomic_clear(&b, 5); r = r * x - 6 + b;", 4, 5),
    ],
)
def test_atomic_operations_of_one_thread(body: str, value: int, left: int) -> None:
    program = read(f"int r, x = 5, y = 2; int main(void) {{ {body} }}")
    outcome = execute(program.cfa)
    assert (outcome["r"], outcome["x"]) == (value, left)
    assert any("only thread" in line for line in program.ledger)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("void *p = &&l; r = 1; goto *p; r = 2; l: r += 5;", 6),
        ("static void *const t[] = { &&b, &&a }; goto *t[1]; b: r += 2; return 0; a: r += 1; goto *t[0];", 3),
        ("void *p = (void *)&&l; if (r) goto *p; else r = 4; goto *p; r = 9; l: ;", 4),
        ("r = ({ __label__ l; void *p = &&l; goto *p; l: 7; });", 7),
        ("int l = 1; r = (r == 0) && l; l: ;", 1),
        ("int n = 0; l: n++; void *p = n < 3 ? &&l : &&m; goto *p; m: r = n;", 3),
    ],
)
def test_labels_as_values(body: str, value: int) -> None:
    program = read(f"int r; int main(void) {{ {body} }}")
    assert execute(program.cfa)["r"] == value
    assert any("goto *" in line for line in program.ledger) == ("goto *" in body)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("atexit(f); atexit(g);", 21),
        ("atexit(f); atexit(f); exit(0);", 11),
        ("void (*p)(void) = g; atexit(p); atexit(h);", 32),
        ("atexit(f); _Exit(1);", 0),
    ],
)
def test_handlers_run_when_the_program_ends(body: str, value: int) -> None:
    head = """int r; int atexit(void (*)(void)); void exit(int), _Exit(int); void f(void) { r = r * 10 + 1; }
        void g(void) { r = r * 10 + 2; } void late(void) { r = r * 10 + 3; } void h(void) { atexit(late); }
        """
    assert execute(read(f"{head} int main(void) {{ {body} }}").cfa)["r"] == value


def test_destructors_run_after_the_handlers() -> None:
    program = read(
        """int r; int atexit(void (*)(void)); void f(void) { r = r * 10 + 1; }
        __attribute__((destructor(200))) void last(void) { r = r * 10 + 4; }
        __attribute__((destructor)) void third(void) { r = r * 10 + 3; }
        __attribute__((destructor)) void second(void) { r = r * 10 + 2; }
        int main(void) { atexit(f); return 0; }"""
    )
    assert execute(program.cfa)["r"] == 1234
    assert sum("runs when the program ends" in line for line in program.ledger) == 3


def test_the_type_of_a_size_has_no_alignment_of_its_own() -> None:
    source = """struct other { char c __attribute__((aligned(8))); }; typedef __typeof__(sizeof 0) size; int r;
        int main(void) { struct s { char c; int i; } v = { 1, 2 }; size n = sizeof v; r = n + v.i; }"""
    program = read(source)
    assert execute(program.cfa)["r"] == 10 and not program.cfa.opaque


def test_what_is_refused_by_name() -> None:
    for body in ("p = &&l - 1; l: r = p != 0;", "goto *(&&l + r); l: r = 1;", "r = &&l < &&m; l: m: ;"):
        with pytest.raises(UnsupportedError, match="addresses of labels"):
            read(f"int r; void *p; int main(void) {{ {body} }}")
    for attribute in ("constructor(x)", "destructor(x)"):
        with pytest.raises(UnsupportedError, match="structor"):
            read(f"__attribute__(({attribute})) static void f(void) {{ }} int main(void) {{ return 0; }}")
    with pytest.raises(UnsupportedError, match="with arguments"):
        read("__attribute__((constructor)) void f(int n) { } int main(void) { return 0; }")
    with pytest.raises(UnsupportedError, match="may end the program"):
        read("void exit(int); __attribute__((destructor)) void f(void) { exit(0); } int main(void) { return 0; }")
    with pytest.raises(UnsupportedError, match="__real__"):
        read("double _Complex z; int main(void) { return __real__ z; }")
    weak = read("int r, x, e; int main(void) { r = __atomic_compare_exchange_n(&x, &e, 1, 1, 5, 5); }")
    assert weak.cfa.opaque


def test_values_that_there_is_nothing_for_have_no_effect() -> None:
    with pytest.raises(InputError, match="too many"):
        read("int n; int main(void) { int a[1] = { 1, n++ }; return a[0]; }")
    with pytest.raises(InputError, match="too many"):
        read("int r, a[1] = { 1, 2, [0] = 3 }; int main(void) { r = a[0]; }")


def test_a_label_of_a_block_is_found_by_its_name() -> None:
    source = "int main(void) { __label__ ERROR; int x = 0; goto ERROR; ERROR: return x; }"
    assert run(source).error

"""What is not modelled is refused where it matters, and only there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from argosy.basics.errors import UnsupportedError
from argosy.frontends.c.library import ForeignReach
from argosy.frontends.c.load import load
from argosy.frontends.c.lower import pointers
from argosy.frontends.c.unsupported import Construct
from argosy.logic.terms import Terms
from argosy.models.cfa import Assign, Cfa, Havoc, written
from argosy.models.cfa import read as read_by

from .running import execute, final, read, subject


def _influence(cfa: Cfa, variable: str) -> set[str]:
    """What stands for the unmodelled values that flow into a variable, directly or through others."""
    wanted = {v.term for v in cfa.variables if v.term.name == variable}
    size = 0
    while size != len(wanted):
        size = len(wanted)
        for edge in cfa.edges:
            if any(term in wanted for term in written(edge.operation)):
                wanted |= read_by(edge.operation)
    return {subject(cfa.opaque[term]) for term in wanted if term in cfa.opaque}


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("r = *p;", "dereference *p"),
        ("r = a[1];", ""),
        ("r = s.f;", "member s.f"),
        ("u.f = 1; r = u.n;", "member u.n"),
        ("r = t->n;", "member t->n"),
        ("r = p[2];", "array element p[2]"),
        ("r = f;", "variable f of type long double"),
        ("r = f > 1.0;", "variable f of type long double"),
        ("if (f) r = 1; else r = 2;", ""),
        ("r = (int)1.5l;", "the number 1.5l"),
        ("r = 2 * 1.5L;", "a floating-point number"),
        ("r = x; r = *&x;", ""),
        ("x = 1; *p = 2; r = x;", "write to dereference *p"),
        ("x = 1; t->n = 2; r = x;", ""),
        ("x = 1; t = any(); t->n = 2; r = x;", "write to member t->n"),
        ("x = 1; p[0] = 2; r = x;", "write to array element p[0]"),
        ("x = 1; a[0] = 2; s.n = 3; y = 4; r = x + y;", ""),
        ("y = 1; *p = 2; r = y;", ""),
        ("r = h();", "the result of h, a long double"),
        ('r = sprintf(p, "x%n", &r);', "library function sprintf"),
        ("memset(p, x, 3); r = x;", "library function memset"),
        ("memset(p, 1, y); r = x;", "library function memset"),
        ("r = sin(1.0);", "library function sin"),
        ("r = (int)p;", "an address as a number"),
        ("r = s.n = 3;", ""),
        ("r = b.n = 3;", ""),
        ("r = ++b.n;", ""),
        ("r = __builtin_object_size(p, 0);", "library function __builtin_object_size"),
    ],
)
def test_values_that_matter(body: str, what: str) -> None:
    before = """long double h(void) { return 1; } double sin(double);
        int r, x, y, *p = &x, a[3000]; long double f; struct { int n; long double f; } s, *t; struct { int n : 1; } b;
        union { int n; long double f; } u;"""
    program = read(f"{before} int main(void) {{ {body} }}")
    assert _influence(program.cfa, "r") == ({what} if what else set())


def test_an_opaque_variable_is_never_written_and_stands_for_one_place() -> None:
    cfa = read("int r; long double *p; int main(void) { r = *p + *p; while (*p) r++; }").cfa
    assert len(cfa.opaque) == 2
    assert not any(term in cfa.opaque for edge in cfa.edges for term in written(edge.operation))
    assert {refusal.position.line for refusal in cfa.opaque.values()} == {1}


def test_pointers_are_stored_passed_and_compared() -> None:
    before = "int a, b, r; int *p, *q; int same(int *x, int *y) { return x == y; }"
    assert final("p = &a; q = &b; r = same(p, &a) + 10 * same(p, q) + 100 * (p != 0) + 1000 * !p;", before)["r"] == 101
    assert final("p = &a; q = p; q++; r = q - p; q -= 1; r = r * 10 + (q == p) + (p < q + 1);", before)["r"] == 12
    assert final('char *s = "a", *t = "b"; r = (s == t) + (s != 0);', before)["r"] == 1
    program = read(before + "int main(void) { p = &a; r = p == &b; }")
    assert any("addresses of objects" in line for line in program.ledger)


def test_a_pointer_as_a_number_is_exact_where_no_address_is_made_up() -> None:
    program = read("int r; int main(void) { void *p = __VERIFIER_nondet_pointer(); r = (int)p; }")
    assert not program.cfa.opaque


def test_a_variable_whose_address_is_taken_is_still_a_variable() -> None:
    assert final("int x = 3; int *p = &x; x++; r = x;", "int r;")["r"] == 4


def test_a_call_through_a_pointer_is_refused_where_it_is_reachable() -> None:
    source = """void reach_error(void); int r, g = 1; int f(int n) { return 1; } int (*k)(int) = f;
        int main(void) { int (*h)(void) = 0; r = h(); if (g == 2) reach_error(); }"""
    cfa = read(source).cfa
    ways = [term for edge in cfa.entering[cfa.error] for term in read_by(edge.operation)]
    assert [subject(cfa.opaque[term]) for term in ways] == ["call through a pointer, h()"]
    assert _influence(cfa, "g") == {"call through a pointer, h()"}
    assert _influence(cfa, "r") == {"call through a pointer, h()"}
    assert not read("int f(void) { return 1; } int main(void) { return (*f)() + (&f)(); }").cfa.opaque


@pytest.mark.parametrize(
    "call",
    [
        "pthread_create(0, 0, f, 0);",
        "qsort(0, 0, 0, 0);",
        "longjmp(0, 1);",
        'asm goto ("" : : : : l); l:;',
        "unknown(f);",
    ],
)
def test_functions_that_move_control_are_refused_where_they_are_reachable(call: str) -> None:
    before = "int g; void *f(void *x) { g = 1; return x; }"
    cfa = read(f"{before} int main(void) {{ {call} }}").cfa
    assert len(cfa.entering[cfa.error]) == 1
    cfa = read(f"{before} int main(void) {{ return 0; {call} }}").cfa
    assert not cfa.entering[cfa.error]


_ASSEMBLED = {
    'asm volatile ("" : : : "memory");': set(),
    'asm volatile ("nop" : : : "cc");': set(),
    'asm ("mov %1, %0" : "=r" (r) : "p" (&g), [n] "r" (g), "m" (f));': {"r"},
    'asm ("incl %0" : "+m" (*p), "=q" (r));': {"r", "g"},
}


@pytest.mark.parametrize("reach", ForeignReach)
@pytest.mark.parametrize("code", _ASSEMBLED)
def test_assembler_code_gives_its_outputs_any_values(code: str, reach: ForeignReach) -> None:
    source = f"int r, g, k, *p = &g; void f(void) {{}} int main(void) {{ r = 1; {code} }}"
    cfa = read(source, undefined_functions=reach).cfa
    assert not cfa.entering[cfa.error]
    assert all(refusal.arbitrary for refusal in cfa.opaque.values())
    for name in ("r", "g", "k"):
        assert ("asm" in _influence(cfa, name)) == (name in _ASSEMBLED[code])


def test_inputs_of_assembler_code_have_effects() -> None:
    before = "int r; int f(void) { return r = 5; }"
    assert final('int n = 2; asm ("nop" : : "r" (n++), "r" (f())); r += n;', before)["r"] == 8


@pytest.mark.parametrize(
    "code",
    [
        'asm volatile ("movl $1, g");',
        'asm volatile ("movl $1, k.0");',
        'asm goto ("jmp %l0" : : : : out); out:;',
        'asm volatile ("movl $1, g" : "=r" (r) : : "memory");',
    ],
)
def test_assembler_code_that_may_do_anything_is_refused(code: str) -> None:
    source = f"int r, g; int main(void) {{ {code} r = g; }}"
    cfa = read(source, undefined_functions=ForeignReach.REACHABLE).cfa
    assert len(cfa.entering[cfa.error]) == 1
    assert _influence(cfa, "g") == {"asm"}
    cfa = read(source, undefined_functions=ForeignReach.PURE).cfa
    assert len(cfa.entering[cfa.error]) == ("memory" not in code)


@pytest.mark.parametrize("code", ['asm volatile ("nop");', 'asm ("mfence" : "=r" (r) : "r" (&h) : "memory");'])
def test_assembler_code_changes_what_functions_without_a_body_may(code: str) -> None:
    source = f"int r, g; static int h, k; int main(void) {{ k = 1; {code} r = g; }}"
    cfa = read(source, undefined_functions=ForeignReach.REACHABLE).cfa
    assert not cfa.entering[cfa.error] and all(refusal.arbitrary for refusal in cfa.opaque.values())
    assert _influence(cfa, "g") == {"asm"} and not _influence(cfa, "k")
    assert ("asm" in _influence(cfa, "h")) == ("&h" in code)
    assert not _influence(read(source, undefined_functions=ForeignReach.PURE).cfa, "g")


def test_structures_and_floats_pass_through() -> None:
    before = """struct s { int a; long double d; } g; long double id(long double d) { return d; }
        struct s make(int n) { struct s v = { n++, 1.0 }; r = n; return v; }"""
    assert final("struct s v = make(3); g = v; g.d = id(g.d) + r; r += 1;", "int r; " + before)["r"] == 5


@pytest.mark.parametrize("attribute", ['alias("g")', "vector_size(16)"])
def test_attributes_that_change_the_meaning_are_refused(attribute: str) -> None:
    with pytest.raises(UnsupportedError, match=attribute.partition("(")[0]):
        read(f"int g(void);\nint f(void) __attribute__(({attribute}));\nint main(void) {{ return 0; }}")


@pytest.mark.parametrize(
    "declared",
    [
        "int x __attribute__((cleanup(g, g))) = 1;",
        "__attribute__((cleanup(g))) int x = 1, y = 2;",
        "for (int x __attribute__((cleanup(g))) = 0; x < 2; x++) ;",
        "__attribute__((cleanup(g))) int (*x)[2] = 0;",
    ],
)
def test_cleanups_that_are_not_of_one_variable_are_refused(declared: str) -> None:
    with pytest.raises(UnsupportedError, match="attribute cleanup"):
        read(f"void g(void *);\nint main(void) {{ {declared} return 0; }}")


def test_layouts_that_attributes_decide_are_not_guessed() -> None:
    for said in ("#pragma pack(MANY)", "#pragma ms_struct on", "#pragma pack(3)"):
        cfa = read(f"{said}\nstruct s {{ char c; int n; }}; int r; int main(void) {{ r = sizeof(struct s); }}").cfa
        assert [subject(refusal) for refusal in cfa.opaque.values()] == [said.partition("(")[0].removesuffix(" on")]
    for member in ("int n __attribute__((aligned(k)))", "odd n : 3", "int n : 3 __attribute__((aligned(8)))"):
        text = f"typedef int odd __attribute__((aligned(8))); int k; struct s {{ char c; {member}; }}; int r;"
        cfa = read(f"{text} int main(void) {{ r = sizeof(struct s); }}").cfa
        assert [subject(refusal) for refusal in cfa.opaque.values()] == ["the alignment of 'n' of struct s"]


def test_a_write_through_a_pointer_reaches_every_variable_whose_address_is_taken() -> None:
    source = "int a, b, c, *p; void f(int x) { p = &x; } int main(void) { int l; p = &a; p = &l; f(b); *p = 5; c = 1; }"
    cfa = read(source).cfa
    hit = [
        edge.operation.variable.name
        for edge in cfa.edges
        if isinstance(edge.operation, Assign) and edge.operation.value in cfa.opaque
    ]
    assert sorted(hit) == ["a", "f::x", "main::l"]


@pytest.mark.parametrize(
    "escape",
    [
        "int *q = &x; int main(void) { *q = 1; r = x; }",
        "int *q[1] = { &x }; int main(void) { *q[0] = 1; r = x; }",
        "struct { int *n; } q = { &x }; int main(void) { *q.n = 1; r = x; }",
        "int main(void) { static int *q[] = { &x }; *q[0] = 1; r = x; }",
        "int main(void) { int *q[] = { &x }; *q[0] = 1; r = x; }",
        "int **q; int main(void) { int *p = &x; q = &p; **q = 1; r = x; }",
        "int *get(void) { return &x; } int main(void) { *get() = 1; r = x; }",
    ],
)
def test_every_way_in_which_an_address_escapes(escape: str) -> None:
    """What the pointer leads to is found out; that it may lead elsewhere remains possible."""
    cfa = read(f"int r, x; {escape}").cfa
    assert {cfa.opaque[t].arbitrary for t in cfa.opaque} <= {True}
    assert execute(cfa)["r"] == 1


# ---- in words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (
            "struct s { int a;\n#pragma pack(1)\n int mode : 3; } f; int r;\nint main(void) {\n r = f.mode; }",
            2,
            "#pragma pack: it decides where members lie, in a way .* line 5 reads member f.mode",
        ),
        (
            "int r;\nstruct s { int n[300]; } g;\nint f(struct s t) {\n return t.n[1]; }\nint main(void) { r = f(g); }",
            3,
            "array 'n' of 300 elements: .* line 4 reads array element t.n\\[1\\]",
        ),
        (
            "int r; struct { char c; int n; }\n__attribute__((ms_struct)) v;\nint main(void) {\n r = v.n; }",
            2,
            "attribute 'ms_struct': it decides where members lie, .* line 4 reads member v.n",
        ),
        (
            "#pragma pack(WIDE)\nstruct { char c; int n; } v; int r;\nint main(void) {\n r = v.n; }",
            1,
            "#pragma pack: .* line 4 reads member v.n",
        ),
        (
            "long double f; int r;\nint main(void) {\n r = f; }",
            3,
            "variable f of type long double: extended and complex",
        ),
        ("int r;\nint main(void) {\n r = 1.5L * 2; }", 3, "the number 1.5L: extended and complex"),
        (
            "int r;\nextern int a[];\nint main(void) {\n r = a[0]; }",
            2,
            r"array 'a': arrays whose length is not known .* line 4 reads array element a\[0\]",
        ),
        ("int r, *p;\nint main(void) {\n r = *p; }", 3, r"dereference \*p: the pointer may lead where nothing"),
        ('int r;\nint main(void) {\n asm("incl r"); }', 3, "asm: assembler code is not modelled; write it in C"),
        (
            "char *aligned_alloc(int, int); char *r; char *p;\nint main(void) {\n r = aligned_alloc(8, 8); }",
            3,
            "library function aligned_alloc: this library function is not modelled yet; give it a body",
        ),
        (
            "void *f(void *x) { return x; }\nint main(void) {\n pthread_create(0, 0, f, 0); }",
            3,
            "call of pthread_create: threads, signals, jumps",
        ),
        ("int x, r;\nint main(void) {\n r = (int) &x; }", 3, "an address as a number: addresses are made up"),
        (
            "int r; int (*h)(void);\nint main(void) {\n r = h(); }",
            3,
            r"call through a pointer, h\(\): what the pointer",
        ),
        (
            "struct t *p; int r;\nint main(void) {\n r = sizeof(*p); }",
            3,
            "'struct t' of type struct t: the type is not",
        ),
    ],
)
def test_a_refusal_names_the_construct_the_place_and_the_reason(text: str, line: int, said: str) -> None:
    found = list(read(text).cfa.opaque.values())
    assert any(re.match(said, refusal.what) and refusal.position.line == line for refusal in found), found


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_an_attribute_in_a_header_is_found_there(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("int x;\ntypedef struct { char c; } __attribute__((ms_struct)) odd;\n")
    path = tmp_path / "p.c"
    path.write_text('#include "own.h"\nstruct s { int a; } *p, q; int r;\nint main(void) {\n p = &q;\n r = p->a; }\n')
    (refusal,) = load(str(path), terms=Terms()).cfa.opaque.values()
    assert (refusal.position.file, refusal.position.line) == (str(tmp_path / "own.h"), 2)
    assert re.match(f"attribute 'ms_struct': .* {re.escape(str(path))}:5 reads member p->a", refusal.what)


def test_every_construct_has_words_of_its_own() -> None:
    said = [construct.value for construct in Construct]
    assert len(set(said)) == len(Construct), "no two are aliases"
    assert all(words[0].islower() and not words.endswith(".") for words in said)


def test_cells_that_many_writes_may_change_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each write to anywhere would be a step for each cell. What is forgotten has any value wherever it is read, what
    no pointer leads to is not touched."""
    source = """int a[9], *q = a, k, r; int *where(void);
        int main(void) { a[2] = 5; *where() = 1; *where() = 2; *where() = 3; r = a[2] + *q; k = 1; }"""
    modelled = read(source).cfa
    monkeypatch.setattr(pointers, "MOST_WRITTEN", 20)
    forgotten = read(source).cfa
    assert len(forgotten.edges) < len(modelled.edges) - 20
    assert all(refusal.arbitrary for cfa in (modelled, forgotten) for refusal in cfa.opaque.values())
    for cfa in (modelled, forgotten):
        assert _influence(cfa, "r")
        assert not _influence(cfa, "k")


@pytest.mark.parametrize(
    ("block", "first", "again"),
    [
        ("int *b = malloc(n * sizeof(int));", "b[1]", "b[k]"),
        ("struct { int a; char c[4]; } *b = malloc(n);", "b->a", "((char *) b)[k]"),
        ("static int b[5000]; int *p = b;", "b[1]", "p[1]"),
        ("int *b, *c; do { b = malloc(n); c = calloc(n, 4); } while (*where());", "b[1]", "c[k]"),
    ],
)
def test_blocks_that_many_writes_may_change_are_forgotten(
    monkeypatch: pytest.MonkeyPatch, block: str, first: str, again: str
) -> None:
    """As cells are: nothing writes them any more, and what is read there is any value, each time."""
    text = f"""void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); int *where(void);
        int r, s, t, n, k; int main(void) {{ n = *where(); k = *where(); {block} {first} = 5; *where() = 1;
        *where() = 2; *where() = 3; r = {first}; s = {again}; *where() = 4; *where() = 5; t = {first}; }}"""
    modelled = read(text).cfa
    monkeypatch.setattr(pointers, "MOST_WRITTEN", 4)
    forgotten = read(text).cfa
    held = {term for edge in forgotten.edges for term in written(edge.operation) if term.sort.element is not None}
    assert {term for term in held if "size" not in term.name} == set()
    assert len(forgotten.edges) < len(modelled.edges)
    for variable in "rst":
        *_, own = (e for e in forgotten.edges if [term.name for term in written(e.operation)] == [variable])
        opaque = read_by(own.operation) & forgotten.opaque.keys()
        assert opaque, "any value"
        assert all(forgotten.opaque[term].arbitrary for term in opaque)
        chosen = [Havoc(term) for term in opaque]
        assert all(e.operation in chosen for e in forgotten.entering[own.source]), "chosen where it is read"

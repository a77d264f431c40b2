"""The typed form keeps its laws, and printed as C it computes what the program computes.

All programs at once, those of the benchmarks included: ``python -m tests.frontends.c.printing_all``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.basics.errors import InputError, UnsupportedError
from argosy.cli.main import main
from tests.fuzz import csmith
from tests.fuzz.generator import generate
from tests.fuzz.memory import generate as generate_memory
from tests.fuzz.statements import SMALL

from .attack.programs import attacks
from .printing import available, conversions, difference, form
from .printing_all import judged
from .well_typed import check, functions

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "c").glob("*.c"))
ATTACKS = [attack.path for attack in attacks() if attack.model == "LP64"]
# What compilers say is one of many answers where it is argued; a part of the others, so that it takes some seconds.
RUN = [attack.path for attack in attacks() if attack.model == "LP64" and attack.runs][::9]

_BENCH = Path(__file__).parents[4] / "shared" / "bench" / "c"
BENCHMARKS = sorted(path for path in _BENCH.rglob("*") if path.suffix in (".c", ".i"))

compiles = pytest.mark.skipif(not available(), reason="needs gcc for Linux on x86-64")


@pytest.mark.parametrize("path", [*EXAMPLES, *ATTACKS], ids=lambda path: path.stem)
def test_nothing_is_converted_unsaid(path: Path) -> None:
    try:
        typed = functions(path)
    except (InputError, UnsupportedError):
        return
    for function in typed:
        check(function)


def same(path: Path, text: str | None = None, ending: str = "") -> None:
    """The print compiles without a conversion of the compiler's own, and does what the original does."""
    printed = form(path, "LP64", text)
    assert conversions(printed, "LP64") == [], printed
    original = path.read_text(encoding="utf-8", errors="surrogateescape") if text is None else text
    assert not difference(original + ending, printed + ending, (1, 2)), printed


@compiles
@pytest.mark.parametrize("path", [*EXAMPLES, *RUN], ids=lambda path: path.stem)
def test_the_print_computes_what_the_program_computes(path: Path) -> None:
    try:
        form(path)
    except (InputError, UnsupportedError):
        pytest.skip("the program is refused")
    same(path)


@compiles
@pytest.mark.skipif(not BENCHMARKS, reason="the benchmarks are not here")
@pytest.mark.parametrize("path", BENCHMARKS[::15], ids=lambda path: path.name)
def test_benchmarks_compile_without_a_conversion(path: Path) -> None:
    kind, said = judged(path, "ILP32", False)
    assert kind in ("compiles", "no program"), said


@compiles
@pytest.mark.parametrize("seed", range(800_000, 800_010))
def test_random_programs(seed: int) -> None:
    same(Path("random.c"), generate(seed, SMALL, ("LP64",)).source().text)


def _same_result(text: str) -> None:
    """A program that leaves what it computes in ``r``."""
    try:
        printed = form(Path("random.c"), "LP64", text)
    except UnsupportedError:
        pytest.skip("the program is refused")
    asked, answered = (f"#define main program\n{each}{_ENDING}" for each in (text, printed))
    assert not difference(asked, answered, (1,)), printed


_ENDING = """
#undef main
int main(void) { program(); __builtin_printf("%u\\n", (unsigned)r); return 0; }
"""


@compiles
@pytest.mark.parametrize("seed", range(810_000, 810_006))
def test_random_programs_about_memory(seed: int) -> None:
    _same_result(generate_memory(seed).text)


@pytest.mark.skipif(not csmith.available(), reason="needs csmith, gcc and clang")
@pytest.mark.parametrize("seed", range(1, 5))
def test_programs_of_csmith(seed: int) -> None:
    program = csmith.generate(seed)
    if program is None:
        pytest.skip("csmith does not end soon")
    _same_result(program.text)


def _statements(body: str, before: str = "") -> list[str]:
    """The print of a ``main``, line by line."""
    lines = form(Path("program.c"), "LP64", f"{before}\nint main(void) {{ {body} }}").splitlines()
    start = next(index for index, line in enumerate(lines) if line.startswith("int main(void) {"))
    return [line.strip() for line in lines[start + 1 : lines.index("}", start)]]


@pytest.mark.parametrize(
    ("before", "body", "line"),
    [
        ("char c; unsigned u;", "u = c + u;", "u = (((unsigned int)c) + u);"),
        ("short s; long l;", "l = s << l;", "l = ((long)(((int)s) << l));"),
        ("int a[3], *p;", "p = a;", "p = (&a[0]);"),
        ("int a[3]; int i;", "i = *(a + i);", "i = (*((&a[0]) + i));"),
        ("struct { unsigned f : 3; } s; int i;", "i = s.f - 4;", "i = (((int)s.f) - 4);"),
        ("enum { A, B } e; long l;", "l = e - B;", "l = ((long)(e - ((unsigned int)1)));"),
        ("_Bool b;", "b = 256;", "b = ((_Bool)256);"),
        ("float f(float); double d;", "d = f(1);", "temp = (float)f(((float)1));"),
        ("int printf(char *, ...); float x;", 'printf("", x);', 'printf((&""[0]), ((double)x));'),
        ("int i, j;", "j = i++;", "j = ((int)(i - 1));"),
        ("long l;", "l = sizeof(struct { char c; long l; });", "l = ((long)16ul);"),
        ("void *p; int *q; int c;", "p = c ? p : q;", "p = (c ? p : ((void *)q));"),
        ("int c, *q;", "q = c ? 0 : q;", "q = (c ? ((int *)0) : q);"),
        ("void f(void); void (*p)(void);", "p = f; (**p)();", "(*p)();"),
    ],
)
def test_what_is_unsaid_is_said(before: str, body: str, line: str) -> None:
    said = _statements(body, before)
    assert line in said, said


def test_what_a_later_effect_changes_is_saved() -> None:
    said = _statements("r = x + f();", "int x, r; int f(void) { return x++; }")
    assert said[-4:-1] == ["temp = x;", "return_f = (int)f();", "r = (temp + return_f);"]


def test_what_is_allocated_without_a_declaration_is_no_number() -> None:
    assert "p = ((int *)temp);" in _statements("p = __builtin_alloca(4);", "int *p;")


_REFUSED = ['asm goto ("jmp %l0" : : : : out); out:;', "int n = 2; int a[n][n]; int (*p)[n] = a;"]


@pytest.mark.parametrize("text", _REFUSED)
def test_what_cannot_be_printed_is_refused(text: str) -> None:
    with pytest.raises(UnsupportedError):
        _statements(text)


_ARRAYS = """
struct s { unsigned char a; unsigned char ; const unsigned ; struct { int q; } ; int b; };
int sum(int n, int *row) { int s = 0; for (int i = 0; i < n; i++) s += row[i] * (i + 1); return s; }
int main(void) {
    int n = 3, m = 4, A_length = 7;
    unsigned k = 2;
    int A[n][m], C[n][5], D[5][n];
    unsigned B[n][m][k];
    n++, m--;
    for (int i = 0; i < 3; i++) for (unsigned char j = 0; j <= m; j++) {
        A[i][j] = i * 10 + j;
        for (unsigned l = 0; l < k; l++) B[i][j][l] = (unsigned)A[i][j] + l;
    }
    for (int i = 0; i < 3; i++) for (int j = 0; j < 5; j++) C[i][j] = (D[j][i] = j) + i;
    int *p = &A[1][1];
    return (sum(4, A[2]) + A_length + (int)B[2][3][1] + C[2][4] + D[3][1] + p[1] + (int)sizeof(struct s)) & 127;
}
"""
_ASSEMBLER = """
int table[3] = {1, 2, 3};
int f(void) { return 4; }
int main(void) {
    unsigned out = 1;
    int in = 5, mem = 3, *p = 0;
    __asm__ volatile ("movl %1, %0" : "=r" (out) : "r" (in));
    asm ("addl %[by], %0" : "+m" (mem) : [by] "ri" (in) : "cc", "memory");
    asm ("lea %1, %0" : "=r" (p) : "m" (table));
    asm ("nop");
    asm inline volatile ("" ::: "memory");
    asm volatile ("":);
    asm ("addl %1, %0" : "+r" (in) : "r" (f() + (int)out));
    return (int)out + mem + p[1] + in;
}
"""


@compiles
@pytest.mark.parametrize("text", [_ARRAYS, _ASSEMBLER], ids=["arrays", "assembler"])
def test_arrays_of_variable_lengths_and_assembler_code(text: str) -> None:
    same(Path("program.c"), text)


def test_the_automaton_is_made_of_the_form_alone() -> None:
    """What lowers does not see the tree, and what elaborates does not know what is modelled."""
    root = Path(argosy.__file__).parent / "frontends" / "c"
    for folder, unknown in (("lower", ("pycparser", ".tree", ".render")), ("elaborate", (".lower", ".models.cfa"))):
        for path in (root / folder).glob("*.py"):
            imported = [line for line in path.read_text().splitlines() if line.startswith(("from ", "import "))]
            assert not [line for line in imported if any(f"{word} " in f"{line} " for word in unknown)], path


def test_programs_are_converted(tmp_path: Path) -> None:
    output = tmp_path / "plain.c"
    assert main(["convert", str(EXAMPLES[0]), str(output)]) == 0
    assert "goto" in output.read_text()

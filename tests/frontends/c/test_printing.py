"""The typed form keeps its laws, and printed as C it computes what the program computes.

All programs at once, those of the benchmarks included: ``python -m tests.frontends.c.printing_all``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

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
    assert kind in ("compiles", "no program") or "asm" in said or "length is not constant" in said, said


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


@pytest.mark.parametrize("text", ['__asm__("nop");', "int n = 2; int a[n][n];"])
def test_what_cannot_be_printed_is_refused(text: str) -> None:
    with pytest.raises(UnsupportedError):
        _statements(text)


def test_programs_are_converted(tmp_path: Path) -> None:
    output = tmp_path / "plain.c"
    assert main(["convert", str(EXAMPLES[0]), str(output)]) == 0
    assert "goto" in output.read_text()

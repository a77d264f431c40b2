"""Programs of several files: what is linked, what stays apart, what is refused; projects; entries with arguments."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.basics.errors import InputError, UnsupportedError
from argosy.cli.main import main
from argosy.frontends.c.load import load
from argosy.frontends.c.preprocessor import SourceFile, Switches, switches_of
from argosy.frontends.c.project import database
from argosy.logic.terms import Terms
from argosy.models.program import Program

from . import linked_programs
from .running import execute

needs_compiler = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")


def read(folder: Path, *texts: str, **options: Any) -> Program:
    """A program of files ``a.c``, ``b.c`` and so on."""
    paths = [folder / f"{name}.c" for name, _ in zip("abcdef", texts, strict=False)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    others = [SourceFile(str(path)) for path in paths[1:]]
    return load(str(paths[0]), terms=Terms(), others=others, **options)


LINKED = """
321 statics stay apart, of both kinds, and so do locals that have their names
int r; static int s = 1; static int f(void) { return s; } int g(void); int main(void) { r = f() + g(); }
--
static int s = 20; static int f(void) { int s = 300; return s; } int g(void) { return s + f(); }
====
42 the first has it for itself, the other for all
int r; static int f(void) { return 1; } int g(void); int main(void) { r = f() + g(); }
--
int f(void) { return 40; } int g(void) { return f() + 1; }
====
42 externs are linked, and a file completes the array of another
int r; int x; extern int a[]; void f(void); int main(void) { f(); r = x + a[2]; }
--
int x = 30; int a[3] = { 0, 0, 5 }; void f(void) { x += 7; }
====
5 tentative definitions are merged
int r; int x; void f(void); int main(void) { f(); r = x; }
--
int x; void f(void) { x = 5; }
====
322 types of one name mean different things; members and labels keep their names
int r; typedef char t; struct s { t m; }; static int m; int g(void);
int main(void) { m = 4; r = m + sizeof(struct s) + g(); }
--
typedef long long t; struct s { t m; t k; }; static int m;
int g(void) { struct s x = { .m = 100 }; goto m; m: m = 200; return m + x.m + sizeof x + (sizeof(t) == 8); }
====
42 one structure is known to one file only, another one is defined by two
int r; struct h; struct h *make(int); int look(struct h *); struct p { int a; struct p *n; }; void put(struct p *);
int main(void) { struct p p = { 1, 0 }; put(&p); r = look(make(7)) + p.a; }
--
struct h { int v; }; static struct h one; struct h *make(int v) { one.v = v; return &one; }
int look(struct h *h) { return h->v; }
--
struct p { int a; struct p *n; }; void put(struct p *p) { p->a = 35; p->n = p; }
====
11 functions through pointers; enumeration constants of one name
int r; enum { A = 1 }; static int f(void) { return A; } int g(int (*)(void)); int main(void) { r = g(f); }
--
enum { A = 10 }; static int f(void) { return A; } int g(int (*p)(void)) { int (*q)(void) = f; return p() + q(); }
====
42 another file takes by a declaration in a block what the first has for itself
int r; static int x = 2; int g(void); int main(void) { r = x + g(); }
--
int g(void) { extern int x; return x; }
--
int x = 40;
====
42 another file calls without a declaration what the first has for itself
int r; static int f(void) { return 2; } int g(void); int main(void) { r = f() + g(); }
--
int g(void) { return f(); }
--
int f(void) { return 40; }
====
6 a function that the file does not declare
int r; int main(void) { r = f(5); }
--
int f(int x) { return x + 1; }
====
279 what is weak gives way, in its own file too, unless nobody else defines it
__attribute__((weak)) int f(int x) { return x; }
int r, x __attribute__((weak)) = 5; int only(void) __attribute__((weak)); int only(void) { return 6; }
int g(void) { return f(1); }
int main(void) { r = f(70) + g() + x + only(); }
--
int f(int x) { return x + 101; } int x;
====
5 a pragma says it too
#pragma weak f
int f(void) { return 1; }
int r; int main(void) { r = f(); }
--
int f(void) { return 5; }
====
1195 inline functions that are declared without inline, or extern, have a definition for other files
int f(int), g(int), h(int), r; int main(void) { r = f(1) + g(10) + h(100); }
--
int f(int); inline int f(int x) { return x + 4; } inline int g(int x) { return x * 2; } extern int g(int);
--
static inline int f(int x) { return x + 970; } int h(int x) { return f(x) + 100; }
====
7 GNU C before C99: what is extern and inline is no definition
extern inline __attribute__((gnu_inline)) int f(int x) { return x + 3; }
int r, g(void); int main(void) { r = f(1) + g(); }
--
int f(int x) { return x + 3; } int g(void) { return f(0); }
"""


@pytest.mark.parametrize("case", LINKED.strip().split("====\n"))
def test_what_is_linked_and_what_stays_apart(case: str, tmp_path: Path) -> None:
    title, _, texts = case.partition("\n")
    assert execute(read(tmp_path, *texts.split("--\n")).cfa)["r"] == int(title.split()[0])


REFUSED = """
b.c:1:13: x has the type char here and int at {}/a.c:1:5
int x; int main(void) {}
--
extern char x;
====
b.c:1:5: f has the type int (int, int) here and int (int) at {}/a.c:1:5
int f(int); int main(void) {}
--
int f(int a, int b) { return 0; }
====
b.c:1:5: f has the type int (float) here and int () at {}/a.c:1:5
int f(); int main(void) { return f(1.0f); }
--
int f(float x) { return x; }
====
b.c:1:5: f is defined twice, the first time at {}/a.c:1:5
int f(void) { return 0; } int main(void) {}
--
int f(void) { return 1; }
====
b.c:1:5: x is initialised in another file too: {}/a.c:1:5
int x = 1; int main(void) {}
--
int x = 2;
====
b.c:1:12: f has the type int here and int (void) at {}/a.c:1:5
int f(void); int main(void) {}
--
extern int f;
====
a.c:1:25: y is not declared
int main(void) { return y; }
--
int y;
====
b.c:1:24: syntax error
int main(void) {}
--
int f(void) { return 1 }
====
struct s is defined twice, with other members
typedef int t; extern struct s { t a; } x; int main(void) {}
--
typedef char t; extern struct s { t a; } x;
"""


@pytest.mark.parametrize("case", REFUSED.strip().split("====\n"))
def test_what_does_not_fit_is_refused_with_its_places(case: str, tmp_path: Path) -> None:
    complaint, _, texts = case.partition("\n")
    with pytest.raises(InputError) as raised:
        read(tmp_path, *texts.split("--\n"))
    assert complaint.format(tmp_path) in str(raised.value)


def test_functions_that_are_inline_as_before_c99(tmp_path: Path) -> None:
    """``inline`` alone is then a definition for other files, and ``extern inline`` none."""
    for name, text in (
        ("a", "int r, f(int); extern inline int h(void) { return 30; } int main(void) { r = f(1) + h(); }"),
        ("b", "inline int f(int x) { return x + 4; } int h(void) { return 30; }"),
    ):
        (tmp_path / f"{name}.c").write_text(text)
    old = Switches(("-std=gnu89",))
    others = [SourceFile(str(tmp_path / "b.c"), old)]
    assert execute(load(str(tmp_path / "a.c"), terms=Terms(), switches=old, others=others).cfa)["r"] == 35


def test_symbols_that_assembler_names_share_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=r"a.c:1:\d+: f, of which the symbol is g"):
        read(tmp_path, 'int f(int) __asm__("g"); int main(void) { return f(1); }', "int g(int x) { return x; }")
    read(tmp_path, 'int f(int) __asm__("" "other"); int main(void) { return f(1); }', "int g(int x) { return x; }")


def test_positions_name_their_file(tmp_path: Path) -> None:
    cfa = read(
        tmp_path, "int r; void f(void);\nint main(void) { f(); }", "extern int r;\n\nvoid f(void) { r = 1; }"
    ).cfa
    assert [(Path(e.position.file).name, e.position.line) for e in cfa.edges if "r = 1" in e.text] == [("b.c", 3)]


def test_errors_that_files_have_for_themselves_are_errors(tmp_path: Path) -> None:
    """``static void reach_error(void)`` from a header is another function in each file, and the error in each."""
    own = "static void reach_error(void) {}"
    texts = ("void f(int); int main(void) { f(3); }", "void f(int x) { if (x == 3) reach_error(); }")
    program = read(tmp_path, *(f"{own} {text}" for text in texts))
    assert execute(program.cfa).error


def test_an_entry_that_only_one_file_has_for_itself(tmp_path: Path) -> None:
    texts = (
        "static int f(void) { return 1; } int main(void) { return f(); }",
        "int r; static int g(void) { return r = 4; }",
    )
    assert execute(read(tmp_path, *texts, entry="g").cfa)["r"] == 4
    both = (texts[0], "static int f(void) { return 4; }")
    with pytest.raises(InputError, match="several files have a function f"):
        read(tmp_path, *both, entry="f")


@needs_compiler
def test_random_programs_agree_with_those_that_gcc_links() -> None:
    for seed in range(12):
        ours, real = linked_programs.compare(1000 + seed)
        assert ours == real, f"seed {1000 + seed}"


@needs_compiler
def test_macros_of_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int r; int main(void) { r = N; }\n")
    assert execute(load(str(path), terms=Terms(), switches=switches_of((), ("N=5",), ())).cfa)["r"] == 5
    path.write_text("int N = 7, r;\n#ifdef M\n#error M\n#endif\nint main(void) { r = N; }\n")
    assert execute(load(str(path), terms=Terms(), switches=switches_of((), ("M",), ("M",))).cfa)["r"] == 7


# ---- the command line --------------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "limit.h").write_text("#ifndef LIMIT\n#define LIMIT 3\n#endif\nint next(int x);\n")
    (tmp_path / "main.c").write_text(
        '#include "limit.h"\nextern void reach_error(void); static int state = LIMIT;\n'
        "int main(void) { for (int i = 0; i < 3; i++) state = next(state); if (state != LIMIT + 3) reach_error(); }\n"
        "int check(int *p) { if (p && *p == 5 && next(*p) != 6) reach_error(); return 0; }\n"
    )
    (tmp_path / "next.c").write_text(
        '#include "limit.h"\nstatic int state;\n#ifdef BUG\n#define STEP 2\n#else\n#define STEP 1\n#endif\n'
        "int next(int x) {\n  state = x;\n  return state + STEP;\n}\n"
    )
    (tmp_path / "other.c").write_text("int main(void) { return 1; }\n")
    return tmp_path


@needs_compiler
def test_several_files_on_the_command_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(project / "main.c"), str(project / "next.c"), "-I", str(project / "include")]
    assert main(["verify", *files, "-D", "LIMIT=7", "--no-config"]) == 0
    out = str(project / "out")
    assert main(["verify", *files, "-D", "BUG", "--output", out, "--execute", "-v", "--no-config"]) == 10
    printed = capsys.readouterr().out
    assert "next.c:10" in printed and "confirmed" in printed
    steps = json.loads((project / "out" / "result.json").read_text())["counterexample"]
    assert {Path(step["file"]).name for step in steps} == {"main.c", "next.c"}
    assert main(["verify", files[0], "missing.cfa", "--no-config"]) == 1
    assert main(["verify", *files[:2], "--no-config"]) == 2


@needs_compiler
def test_a_compilation_database(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries: list[dict[str, object]] = [
        {"directory": ".", "file": "main.c", "command": "cc -Iinclude -DLIMIT=4 -m64 -O2 -Wall -o main.o -c main.c"},
        {"directory": "include", "file": "../next.c", "arguments": ["cc", "-I", ".", "-m64", "-c", "../next.c"]},
    ]
    path = project / "compile_commands.json"
    path.write_text(json.dumps(entries))
    result = argosy.verify(path, in_process=True)
    assert result.verdict == "safe" and any("these files" in line for line in result.ledger)
    assert argosy.verify(path, in_process=True, entry="check", define=["BUG"]).verdict == "unsafe"
    other = {"directory": ".", "file": "other.c", "arguments": ["cc", "-m64", "other.c"]}
    path.write_text(json.dumps([*entries, other]))
    assert main(["verify", str(path), "--no-config"]) == 2
    assert "name the files" in capsys.readouterr().err
    assert argosy.verify(path, in_process=True, entry="check").verdict == "safe"


def test_what_a_compilation_database_says(tmp_path: Path) -> None:
    def said(*words: str, file: str = "src/a.c", **more: object) -> Any:
        path = tmp_path / "compile_commands.json"
        path.write_text(json.dumps([{"directory": "build", "file": file, "arguments": ["cc", *words], **more}]))
        return database(str(path))

    (one,) = said("-I", "../inc", "-isystem/usr/x", "-DA=1", "-U", "B", "-std=c99", "-include", "pre.h", "-o", "-DNOT")
    home = str(tmp_path)
    assert one.file.path == f"{home}/build/src/a.c"
    words = (f"-I{home}/inc", "-isystem/usr/x", "-DA=1", "-UB", "-std=c99", f"-include{home}/build/pre.h")
    assert one.file.switches.words == words
    assert (one.data_model, one.wraps) == (None, False)
    (other,) = said("-m32", "-fwrapv")
    assert (other.data_model, other.wraps) == ("ILP32", True)
    for refused in ("-funsigned-char", "-fno-signed-char", "-fshort-enums", "-ffast-math", "-malign-double"):
        with pytest.raises(UnsupportedError, match=refused):
            said(refused)
    for wrong in ({"file": 3}, {"arguments": "x"}, {"arguments": None}):
        with pytest.raises(InputError):
            said(**wrong)
    with pytest.raises(InputError, match="names no file in C"):
        said(file="a.cpp")


# ---- entries ------------------------------------------------------------------------------------------------------

ENTRY = """extern void reach_error(void); struct door { int open; struct door *next; };
int f(struct door *d, struct door *e, int *n) { %s return 0; }
"""


@pytest.mark.parametrize(
    ("body", "where", "objects", "verdict"),
    [
        ("if (d && e) { d->open = 1; e->open = 2; if (d->open != 1) reach_error(); }", "any", "1", "unsafe"),
        ("if (d && e) { d->open = 1; e->open = 2; if (d->open != 1) reach_error(); }", "null", "1", "safe"),
        ("d->open = 1; *n = 2; if (d->open != 1) reach_error();", "any", "1", "safe"),
        ("if (!d) reach_error();", "null", "1", "unsafe"),
        ("if (!d || !n) reach_error();", "valid", "1", "safe"),
        ("if (d == e) reach_error();", "shared", "1", "unsafe"),
        ("if (d->open == 17) reach_error();", "valid", "1", "unsafe"),
        ("if (d->next && d->next->open == 17) reach_error();", "any", "1", "unsafe"),
        ("if (n[2] == 5 && n[0] == 3) reach_error();", "valid", "3", "unsafe"),
    ],
)
def test_pointers_that_an_entry_is_given(body: str, where: str, objects: str, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "entry.c"
    path.write_text(ENTRY % body)
    result = argosy.verify(path, in_process=True, entry="f", entry_pointers=where, entry_objects=objects)
    assert (result.verdict, result.certified) == (verdict, True)

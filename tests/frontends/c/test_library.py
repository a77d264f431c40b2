"""Functions of the C library: by terms, by texts in C, by a library of the user's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import argosy
from argosy.frontends.c.library_models import modelled, parts
from argosy.frontends.c.load import load
from argosy.frontends.c.preprocessor import SourceFile
from argosy.logic.terms import Terms

from . import library_calls
from .running import execute, read

HEAD = """extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void); unsigned long strlen(const char *); int strcmp(const char *, const char *);
int rand(void), abs(int), isdigit(int), toupper(int);
char *strcpy(char *, const char *), *strchr(const char *, int); int atoi(const char *), getchar(void);
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("seed", [4711, 4712])
def test_random_calls_agree_with_the_machine(seed: int) -> None:
    """More than two hundred; ``python -m tests.frontends.c.library_calls`` makes many."""
    assert len(library_calls.CALLS) > 100
    assert not library_calls.compare(seed)


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ('char a[4] = "ab"; a[1] = __VERIFIER_nondet_char(); if (strlen(a) > 2) reach_error();', "safe"),
        ('char a[4] = "ab"; a[1] = __VERIFIER_nondet_char(); if (strlen(a) == 1) reach_error();', "unsafe"),
        ('char a[4]; strcpy(a, "xyz"); if (a[2] != 122 || a[3] || strcmp(a, "xyz")) reach_error();', "safe"),
        ('if (strcmp("a", "b") >= 0) reach_error();', "safe"),
        ('if (strcmp("a", "b") == -1) reach_error();', "unsafe"),
        ("if (rand() < 0 || getchar() < -1) reach_error();", "safe"),
        ("if (rand() == 5) reach_error();", "unsafe"),
        ("int x = __VERIFIER_nondet_int(); if (abs(x) < 0) reach_error();", "safe"),
        ("int c = __VERIFIER_nondet_int(); if (isdigit(c) && (c < 48 || c > 57)) reach_error();", "safe"),
        ("if (isdigit(48) == 1) reach_error();", "unsafe"),
        ("unsigned x = __VERIFIER_nondet_int(); if (__builtin_popcount(x) > 32) reach_error();", "safe"),
        ("unsigned x = __VERIFIER_nondet_int(); if (__builtin_ctz(x) == 9) reach_error();", "unsafe"),
        ("int x = __VERIFIER_nondet_int(), r; if (!__builtin_add_overflow(x, 1, &r) && r <= x) reach_error();", "safe"),
        (
            "int x = __VERIFIER_nondet_int(), r; if (__builtin_mul_overflow(x, 2, &r) && r == 0) reach_error();",
            "unsafe",
        ),
    ],
)
def test_verdicts(body: str, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f"{HEAD}int main(void) {{ {body} return 0; }}\n")
    result = argosy.verify(path, in_process=True)
    assert (result.verdict, result.certified) == (verdict, True)


def test_what_is_too_small_for_a_string_is_noticed_in_the_library(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f'{HEAD}int main(void) {{ char a[3]; strcpy(a, "abc"); return a[0]; }}\n')
    result = argosy.verify(path, in_process=True, property="valid-deref")
    assert result.verdict == "unsafe"
    assert result.counterexample[-1]["file"] == "libc/string.c"


def test_the_program_comes_first_then_its_library(tmp_path: Path) -> None:
    own = "int r; int strcmp(const char *, const char *); int f(void); int main(void) { r = strcmp(0, 0) + f(); }"
    library = SourceFile(
        "mine.c", text="int strcmp(const char *a, const char *b) { return 40; } int f(void) { return 2; }"
    )
    path = tmp_path / "a.c"
    path.write_text(own)
    assert execute(load(str(path), terms=Terms(), libraries=[library]).cfa)["r"] == 42
    path.write_text(own + " int f(void) { return 7; }")
    assert execute(load(str(path), terms=Terms(), libraries=[library]).cfa)["r"] == 47


def test_a_function_that_is_declared_otherwise_is_no_function_of_the_library() -> None:
    program = read("double strlen(int); int r; int main(void) { r = strlen(3); if (r) r = 1; }")
    assert not any(edge.position.file.startswith("libc/") for edge in program.cfa.edges)


def test_every_text_of_the_library_can_be_read() -> None:
    uses = "".join(f"(void) {name};" for name in sorted(modelled()))
    declared = {part.name: part.lines[0].removesuffix("{") + ";" for part in parts().values() if part.is_function}
    types = {part.lines[0]: None for part in parts().values() if part.lines[0].startswith("typedef ")}
    head = " ".join((*types, *declared.values()))
    assert read(f"{head} int main(void) {{ {uses} }}").cfa.edges is not None
    assert len(modelled()) > 20


@pytest.mark.parametrize("offset", [0, 128])
def test_a_pointer_whose_initialiser_leads_into_a_large_array(offset: int) -> None:
    text = f"static const unsigned short t[384] = {{ [181] = 9 }}; const unsigned short *p = t + {offset}; int r;"
    assert execute(read(f"{text} int main(void) {{ r = p[{181 - offset}]; }}").cfa)["r"] == 9


def test_values_alone_follow_comparisons_of_which_the_sign_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "signs.c"
    path.write_text(
        '#include <string.h>\nextern void reach_error(void); int main(void) { char a[3] = "ab";'
        ' if (!strcmp(a, "ac") || memcmp(a, "ac", 2) >= 0 || strncmp(a, "ac", 1) != 0) reach_error(); }'
    )
    result = argosy.verify(path, "explicit-all", in_process=True)
    assert result.verdict == "safe" and not any("not initialised" in line for line in result.ledger)

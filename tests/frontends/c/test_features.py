"""What programs look like to `auto`: whether anything in them comes from outside."""

from __future__ import annotations

import pytest

from argosy.models.features import features_of

from .running import read

HEAD = """
int __VERIFIER_nondet_int(void); int isdigit(int); int strcmp(const char *, const char *); int getchar(void);
void *malloc(unsigned long); int foreign(void); int g; volatile int v;
"""


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ('const char *s = "12"; while (isdigit(*s)) s++; if (*s) reach_error();', True),
        ('int i = 0; while (strcmp("a", "b") > 0) i++; if (i) reach_error();', True),
        ("int x; while (x > g) x--; if (x) reach_error();", True),
        ("int *p = malloc(4000); for (int i = 0; i < 10; i++) p[i] = i; if (p[g]) reach_error();", True),
        ("int n = __VERIFIER_nondet_int(); while (n > g) n--; if (n) reach_error();", False),
        ("while (getchar() > g) ; if (g) reach_error();", False),
        ("while (foreign()) g++; if (g) reach_error();", False),
        ("while (v) g++; if (g) reach_error();", False),
    ],
)
def test_whether_anything_comes_from_outside(body: str, given: bool) -> None:
    assert features_of(read(HEAD + "int main(void) {" + body + "}").cfa).given is given


def test_arguments_of_main_come_from_outside() -> None:
    assert not features_of(read("int main(int n) { while (n) n--; if (n) reach_error(); }").cfa).given

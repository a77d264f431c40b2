"""Random calls of the C library, executed as models and by the machine: ``python -m tests.frontends.c.library_calls
--count 1000``. What the standard leaves open (how much less a string is) is looked at as far as it says."""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from argosy.frontends.c.load import load
from argosy.logic.terms import Terms

from .running import execute

HEAD = """typedef unsigned long size_t; int strcmp(const char *, const char *); int strcasecmp(const char *, const char *);
int strncmp(const char *, const char *, size_t); size_t strlen(const char *), strnlen(const char *, size_t);
char *strcpy(char *, const char *), *strncpy(char *, const char *, size_t), *strcat(char *, const char *);
char *strncat(char *, const char *, size_t), *strchr(const char *, int), *strrchr(const char *, int);
char *strstr(const char *, const char *), *strpbrk(const char *, const char *), *stpcpy(char *, const char *);
size_t strspn(const char *, const char *), strcspn(const char *, const char *); void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t); int atoi(const char *); long atol(const char *);
long strtol(const char *, char **, int); int abs(int); long labs(long); int isalpha(int), isdigit(int), isalnum(int);
int isspace(int), isblank(int), isupper(int), islower(int), ispunct(int), isprint(int), iscntrl(int), isxdigit(int);
int isgraph(int), toupper(int), tolower(int), ffs(int); const unsigned short **__ctype_b_loc(void);
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t);
long long strtoll(const char *, char **, int), atoll(const char *); unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int); int strcoll(const char *, const char *);
int strncasecmp(const char *, const char *, size_t); size_t strxfrm(char *, const char *, size_t);
char *strtok(char *, const char *), *strtok_r(char *, const char *, char **), *strsep(char **, const char *);
char *strchrnul(const char *, int); void *memrchr(const void *, int, size_t); char *rest;
void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); int q[5];
int snprintf(char *, size_t, const char *, ...), sprintf(char *, const char *, ...);
double strtod(const char *, char **), atof(const char *); float strtof(const char *, char **); char *strdup(const char *), *strndup(const char *, size_t);
static int sign(int x) { return (x > 0) - (x < 0); }
static long at(const char *from, const void *to) { return to ? (const char *) to - from : -1; }
static int order(const void *a, const void *b) { return *(const int *) a - *(const int *) b; }
static long hash(const char *s, int n) { unsigned h = 7; for (int i = 0; i < n; i++) h = h * 31 + (unsigned char) s[i]; return h; }
double ldexp(double, int), frexp(double, int *), logb(double), nextafter(double, double), remainder(double, double);
double fma(double, double, double), scalbln(double, long); float fmaf(float, float, float), nextafterf(float, float);
float ldexpf(float, int), remainderf(float, float); int ilogb(double), sscanf(const char *, const char *, ...);
typedef struct { int quot, rem; } div_t; typedef struct { long quot, rem; } ldiv_t; div_t div(int, int);
ldiv_t ldiv(long, long);
static long bits(double x) { union { double d; long l; } v; v.d = x != x ? 0.5 : x; return v.l; }
long r; unsigned long u; double part; int j, k, got; char s[8], c; char a[12] = "%s", b[24] = "%s", *end; int i, table[5] = { 1, 4, 6, 9, 20 }, *p; short h;
"""  # noqa: E501
COMPARED = (
    "sign(strcmp(a, b))", "sign(strcasecmp(a, b))", "sign(strncmp(a, b, {n}))", "strlen(b)", "strnlen(b, {n})",
    "hash(strcpy(b, a), 5)", "hash(strncpy(b, a, {n}), 12)", "hash(strcat(b, a), 20)", "hash(strncat(b, a, {n}), 20)",
    "at(a, strchr(a, {c}))", "at(b, strrchr(b, {c}))", "at(b, strstr(b, a))", "at(b, strpbrk(b, a))",
    "strspn(b, a)", "strcspn(a, b)", "at(a, memchr(a, {c}, {n}))", "sign(memcmp(a, b, {n}))", "at(b, stpcpy(b, a))",
    "sign(strcoll(a, b))", "sign(strncasecmp(a, b, {n}))", "strxfrm(b, a, {n}) * 7 + hash(b, 20)",
    "at(b, strtok(b, a)) * 9 + at(b, strtok(0, a)) * 5 + at(b, strtok(0, a)) + hash(b, 20)",
    "at(b, strtok_r(b, a, &rest)) * 9 + at(b, strtok_r(0, a, &rest)) * 5 + at(b, rest) + hash(b, 20)",
    "(rest = b, at(b, strsep(&rest, a)) + at(b, rest) * 5 + hash(b, 20))", "at(b, strchrnul(b, {c}))",
    "at(a, memrchr(a, {c}, {n}))", "sign(__builtin_strcmp(a, b)) + 4 * (long) __builtin_strlen(b)",
    "sign(__builtin_memcmp(a, b, {n})) + at(b, __builtin_strchr(b, {c})) + hash(__builtin_strcpy(b, a), 5)",
    "hash(memcpy(b, a, (i = {n}, i)), 20)", "hash(memmove(b + 2, b, {n}), 20)",
    "hash(strdup(b), strlen(b) + 1)", "hash(strndup(b, {n}), 1)", "strlen(strndup(b, {n}))",
    'snprintf(b, {n}, "%s|%d", a, {i}) * 7l + hash(b, 24)', 'sprintf(b, "%u:%x", {i}, {i}) * 7l + hash(b, 24)',
    'snprintf(b, 24, "%5d%03i%%%c", {d}, {i}, {c}) * 7l + hash(b, 24)',
    'snprintf(b, {n} * 3, "%ld_%lX", (long) {l}, -(long) {l}) * 7l + hash(b, 24)',
    'sprintf(b, "%hhd %hu", {i}, {i}) * 7l + hash(b, 24)',
    'snprintf(b, 12, "%7x\\t%zu", {i}, (size_t) {l}) + hash(b, 24)',
    'snprintf(b, 24, "%#x|%#o|%-+7.3d", {i}, {d}, {d}) * 7l + hash(b, 24)',
    'snprintf(b, 24, "%*d|%-.*s", {d} - 9, {c}, {n} - 1, a) * 7l + hash(b, 24)',
    "hash(memmove(b, b + 1, (i = {n}, i)), 20)", "hash(memset(b, {c}, (i = {n}, i)), 20)",
)  # fmt: skip
NUMBERS = (
    "atoi({s})", "atol({s})", "strtol({s}, &end, {base}) * 3 + *end", "(strtol({s}, 0, {base}))",
    "atoll({s})", "strtoll({s}, &end, {base}) * 3 + *end", "(long) strtoul({s}, &end, {base}) * 3 + *end",
    "(long) strtoull({s}, &end, {base}) * 3 + *end", "(long) strtoul({t}, 0, 10)", "strtol({t}, 0, 10)",
    "strtoll({t}, 0, 0)", "bits(strtod({f}, &end)) ^ *end", "bits(strtof({f}, &end)) ^ *end", "bits(atof({f}))",
)  # fmt: skip
UNARY = (
    "abs({i})", "labs({l})", "!isalpha({k})", "!isdigit({k})", "!isalnum({k})", "!isspace({k})", "!isblank({k})",
    "!isupper({k})", "!islower({k})", "!ispunct({k})", "!isprint({k})", "!iscntrl({k})", "!isxdigit({k})",
    "!isgraph({k})", "toupper({k})", "tolower({k})", "ffs({i})", "(*__ctype_b_loc())[{k}]",
    "__builtin_clz({i} | 1)", "__builtin_clzll({l} | 1)", "__builtin_ctz({i} | 4096)", "__builtin_ctzll({l} | 4096)",
    "__builtin_clrsb({i})", "__builtin_clrsbll({l})", "__builtin_popcount({i})", "__builtin_popcountl({l})",
    "__builtin_parity({i})", "__builtin_ffsll({l})", "__builtin_bswap16({i})", "__builtin_bswap32({i})",
    "__builtin_bswap64({l})", "__builtin_add_overflow({i}, {l}, &i) * 5l + i",
    "__builtin_sub_overflow({l}, {l}ul, &u) * 5l + u", "__builtin_mul_overflow({i}, {i}, &h) * 5l + h",
    "__builtin_smul_overflow({i}, {i}, &i) * 5l + i", "__builtin_uaddl_overflow({l}, {l}, &u) * 5l + u",
    "(q[0] = {d}, q[1] = {d}, q[3] = {d}, qsort(q, 5, sizeof *q, order), q[0] + 100l * q[1] + 9l * q[2] + q[3])",
    "(p = bsearch((i = {d}, &i), table, 5, sizeof *table, order)) ? p - table : -1",
)  # fmt: skip

FLOATING = (
    "bits(ldexp({x}, {e}))", "bits(ldexpf({x}, {e}))", "bits(scalbln({x}, {e}))",
    "(part = frexp({x}, &i), bits(part) + i)",
    "ilogb({x})", "bits(logb({x}))", "bits(nextafter({x}, {x}))", "bits(nextafterf({x}, {x}))",
    "bits(remainder({x}, {x}))", "bits(remainderf({x}, {x}))", "bits(fma({x}, {x}, {x}))", "bits(fmaf({x}, {x}, {x}))",
)  # fmt: skip
STRUCTURES = (
    "div({i}, {d} + 1).quot * 7l + div({i}, {d} + 1).rem",
    "(ldiv({l}, -{d} - 1).quot ^ 7l) + ldiv({l}, -{d} - 1).rem % 64",
)  # fmt: skip
# What a number beyond its type becomes is opaque here, and for atoi.
SCANNED = (
    '(i = j = k = 0, got = sscanf({w}, " %4d%3d x%n", &i, &j, &k), got + i * 5l + j * 3l + k * 11l)',
    '(u = s[0] = c = 0, got = sscanf({w}, "%5lu%c%3[a-f0-9]", &u, &c, s), got + u * 5l + c * 3l + hash(s, strlen(s)))',
    '(i = s[0] = 0, got = sscanf({w}, "%*d %4s %1d%%", s, &i), got + i * 5l + hash(s, strlen(s)))',
    '(i = j = k = 0, got = sscanf({h}, "%x%n%i", &i, &k, &j), got + i * 5l + j * 3l + k * 11l)',
    '(i = j = k = 0, got = sscanf({h}, "%i%n%3o", &i, &k, &j), got + i * 5l + j * 3l + k * 11l)',
    '(u = s[0] = i = 0, got = sscanf({h}, "%*4X%lo%2s%n", &u, s, &i), got + u * 5l + i * 3l + hash(s, strlen(s)))',
)  # fmt: skip
CALLS = (*COMPARED, *NUMBERS, *UNARY, *FLOATING, *STRUCTURES, *SCANNED)
_NUMERALS = (
    "0.0", "-0.0", "1.5", "-3.0", "0x1p-1074", "-0x1p-1022", "0x1.fffffffffffffp1023", "(1e300 * 1e300)", "(0.0 / 0.0)",
)  # fmt: skip
# Those with more digits, or larger exponents, than two exact numbers have are opaque.
_DECIMALS = ("0.1", "-2.5", ".75", "3.", " +12", "-0", "", ".", "1e", "314.159", "9999999", "-00012.50", "1000000")
# Of 0x without a digit libraries say different things.
_BASES = ("1f", "0x9aF", "017", "09", "0", "-", "g", "0X0", "77x", "8", "0x1 0x2", "7 08", "deadbee")
_BEHIND = ("", " ", ",", "0", "7g")
_TEXTS = ("", " ", "12 ", "-7 34x", "+5-6 x9", "123456789", "a", "0 12 fade%", "1 x 2%")


def expressions(random: Random) -> tuple[str, str, list[str]]:
    """Two strings, and an expression of each kind."""
    letters = "abAB01 _"
    first = "".join(random.choice(letters) for _ in range(random.randrange(5)))
    second = random.choice(("", first, first[:2])) + "".join(random.choice(letters) for _ in range(random.randrange(4)))

    def filled(form: str) -> str:
        while "{" in form:
            numeral = random.choice(("", " ", "\\t-", "+", "-")) + random.choice(("", "0", "0x", "7")) + random.choice(("", "12", "9aF", "77777777", "z"))  # noqa: E501  # fmt: skip
            values = {
                "n": random.randrange(8), "c": random.choice((0, *map(ord, letters))), "k": random.randrange(-1, 256),
                "i": random.choice((0, 1, -1, random.randrange(-(2**31) + 1, 2**31))), "d": random.randrange(22),
                "l": f"{random.choice((0, 1, random.randrange(2**62)))}", "s": f'"{numeral}"',
                "base": random.choice((0, 8, 10, 16, 36)),
                "e": random.choice((0, 1, -1, 60, -1074, random.randrange(-2200, 2200))),
                "x": random.choice((*_NUMERALS, *(float.hex(random.uniform(-9, 9) * 2.0**e) for e in (0, 1, -1030)))),
                "f": f'"{random.choice(_DECIMALS)}{random.choice(("", "e3", "E-9", "e+", "x"))}"',
                "w": f'"{random.choice(_TEXTS)}"',
                "h": f'"{random.choice(("", " ", "-", "+"))}{random.choice(_BASES)}{random.choice(_BEHIND)}"',
                "t": f'"{random.choice(("", "-"))}{random.choice((2**63, 2**64, 10**19)) + random.randrange(-2, 3)}"',
            }  # fmt: skip
            key = form[form.index("{") + 1 : form.index("}")]
            form = form.replace(f"{{{key}}}", str(values[key]), 1)
        return form

    return first, second, [filled(form) for form in CALLS]


def compare(seed: int, only: int | None = None) -> Sequence[tuple[str, int, int]]:
    """What differs: the expression, what the model gives, what the machine does."""
    random = Random(f"library {seed}")
    first, second, forms = expressions(random)
    if only is not None:
        forms = random.sample(forms, only)
    head = HEAD.replace('"%s"', f'"{first}"', 1).replace('"%s"', f'"{second}"', 1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = "".join(f"  case {n}: r = {form}; break;\n" for n, form in enumerate(forms))
        text = (
            f"{head}int printf(const char *, ...); int main(void) {{ for (int n = 0; n < {len(forms)}; n++) {{\n"
            f'  char x[12] = "{first}", y[24] = "{second}"; for (int k = 0; k < 24; k++) {{ if (k < 12) a[k] = x[k]; b[k] = y[k]; }}\n'  # noqa: E501
            f'  switch (n) {{\n{cases}  }} printf("%ld\\n", r); }} }}\n'
        )
        (folder / "real.c").write_text(text)
        target = folder / "real"
        source, options = str(folder / "real.c"), ("-w", "-fwrapv", "-fno-builtin", "-ffp-contract=off")
        subprocess.run(["gcc", *options, source, "-o", str(target), "-lm"], check=True)
        real = subprocess.run([str(target)], check=True, capture_output=True, text=True).stdout.split()
        differing = []
        for form, expected in zip(forms, real, strict=True):
            path = folder / "one.c"
            path.write_text(f"{head}int main(void) {{ r = {form}; }}\n")
            outcome = execute(load(str(path), terms=Terms(), data_model="LP64").cfa, (-(2**31) + 1, 5, -1, 5, 5))
            ours = outcome.values.get("r", 0)
            if ours != int(expected):
                differing.append((form, ours, int(expected)))
        return differing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    wrong = 0
    for seed in range(options.count):
        for form, ours, real in compare(seed):
            wrong += 1
            print(f"seed {seed}: {form} is {ours}, and {real} by the machine")
    print(f"{options.count} times {len(CALLS)} calls compared, {wrong} disagree")


if __name__ == "__main__":
    main()

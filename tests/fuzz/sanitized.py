"""Random programs about lifetimes and bounds of objects, against what the sanitizers of a compiler see.

    python -m tests.fuzz.sanitized --count 1000 [--seed 7]

A program is a list of statements over pointers, arrays, blocks, locals of functions, lists, memory from wrappers of
``malloc`` and tables of pointers to it; it takes no input. Its automaton under ``valid-memsafety`` is executed: the
first violation must be of a kind that the address sanitizer reports (``-fsanitize=address,undefined``), and where there
is none the sanitizer, that of leaks included, must be silent. What the sanitizer cannot see (it knows no pointer's
object, only whether bytes are in use) is not generated: misses are by one element.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.frontends.c.violating import UNKNOWN, violation

BEFORE = """
extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long); extern void free(void *);
struct n { struct n *next; int v; };
int g, ga[3]; int *gp = &g; struct n *list;
int *stat(void) { static int x; return &x; }
int *ended(void) { int x = 1; int *volatile q = &x; return q; }
int *same(int *p) { return p; }
void set(int *p, int v) { *p = v; }
void drop(struct n *p) { while (p) { struct n *q = p->next; free(p); p = q; } }
struct n *cons(struct n *l, int v) { struct n *p = malloc(sizeof *p); p->next = l; p->v = v; return p; }
void *get(unsigned long n) { return malloc(n); }
void *some(unsigned long n, int no) { if (no) return 0; return get(n); }
int *row(int k) { int *p = get(k * sizeof *p); p[k - 1] = k; return p; }
void clear(int **t, int k) { for (int j = 0; j < k; j++) { free(t[j]); t[j] = 0; } }
"""

# So many programs are compiled at once.
TOGETHER = 50

# What each report is called by the model.
REPORTS = {
    "heap-use-after-free": {"FREED"},
    "heap-buffer-overflow": {"BOUNDS"},
    "stack-buffer-overflow": {"BOUNDS"},
    "stack-buffer-underflow": {"BOUNDS"},
    "dynamic-stack-buffer-overflow": {"BOUNDS"},
    "global-buffer-overflow": {"BOUNDS", "CONSTANT"},
    "index .* out of bounds": {"BOUNDS"},
    "with insufficient space": {"BOUNDS"},
    "null pointer": {"NULL"},
    "address 0x0000000000": {"NULL"},
    "stack-use-after-scope": {"ENDED"},
    "stack-use-after-return": {"ENDED"},
    "attempting double-free": {"FREE"},
    "attempting free on address which was not malloc": {"FREE"},
    "alloc-dealloc-mismatch": {"FREE"},
    "caused by a WRITE memory access": {"CONSTANT", "NULL", "FREE"},
    "LeakSanitizer: detected memory leaks": {"LEAK"},
}


class Generator:
    """``wrong`` is how often, in percent, a statement may do something that is not allowed."""

    def __init__(self, chance: random.Random, wrong: int) -> None:
        self._chance = chance
        self._wrong = wrong
        self._table = False

    def program(self) -> str:
        chance = self._chance
        body = ["int a[4] = { 1, 2, 3, 4 }, x = 1, i = 0; int *p = a, *q = &x, *h = malloc(3 * sizeof(int));"]
        body.append("struct n s = { 0, 1 }, *l = 0; h[0] = h[1] = h[2] = 7; list = 0;")
        self._table = chance.random() < 0.5
        if self._table:
            body.append(f"int k = {chance.randint(1, 3)}; int **t = get(k * sizeof *t);")
            body.append("for (i = 0; i < k; i++) t[i] = 0;")
        body += [self._statement(0) for _ in range(chance.randint(3, 9))]
        if self._table:
            body.append("clear(t, k); free(t);" if not self._bad() else chance.choice(["free(t);", "clear(t, k);"]))
        body.append("free(h); drop(l); drop(list);")
        return f"{BEFORE}\nint main(void) {{\n  " + "\n  ".join(body) + "\n  return 0;\n}\n"

    def _bad(self) -> bool:
        return self._chance.randrange(100) < self._wrong

    def _statement(self, depth: int) -> str:
        chance = self._chance
        if depth < 2 and chance.random() < 0.25:
            inside = " ".join(self._statement(depth + 1) for _ in range(chance.randint(1, 3)))
            return chance.choice(
                [
                    f"{{ int y{depth} = 3; {self._scoped(depth)} {inside} }}",
                    f"for (i = 0; i < {chance.randint(1, 3)}; i++) {{ {self._element()} }}",
                    f"if (x {chance.choice(['<', '>', '=='])} {chance.randint(0, 3)}) {{ {inside} }}",
                ]
            )
        if self._bad():
            return self._suspect()
        statements: list[Callable[[], str]] = [
            self._element,
            lambda: chance.choice(["p = a;", "p = &x;", "p = ga;", "p = h;", "p = same(q);", "p = stat();"]),
            lambda: chance.choice(["q = &x;", "q = p;", "q = a + 4; q--;", "q = gp;", "q = &s.v;", "gp = &g;"]),
            lambda: chance.choice(["*p = 1;", "x = *q;", "set(p, 3);", "s.v = *p;", "*gp = 2;", "g = h[1];"]),
            lambda: chance.choice(["l = cons(l, x);", "list = cons(list, 1);", "s.next = &s; s.next->v = 2;"]),
            lambda: chance.choice(
                ["if (l) l->v = 3;", "if (list) { struct n *t = list->next; free(list); list = t; }"]
            ),
            lambda: "drop(l); l = 0;",
            lambda: "free(h); h = calloc(3, sizeof(int));",
            lambda: "{ int *t = malloc(4); *t = 5; x = *t; free(t); }",
            self._wrapped,
        ]
        if self._table:
            statements += [self._entry] * 3
        return chance.choice(statements)()

    def _wrapped(self) -> str:
        """Memory from functions that allocate, of sizes that are constant or not."""
        chance, miss = self._chance, 1 if self._bad() else 0
        size = chance.randint(1, 3)
        last = size - 1 + miss
        released = "" if self._bad() else "free(u);"
        return chance.choice(
            [f"{{ int *u = get({size} * sizeof(int)); u[{last}] = x; {released} }}",
             f"{{ struct n *u = some(sizeof *u, 0); u->v = 2; {released} }}",
             f"{{ int *u = some(4, {miss}); if (u) *u = 1; {released} }}",
             f"{{ int z = {size}; int *u = get(z * sizeof *u); u[{last}] = x; {released} }}",
             f"{{ int *u = row({size}); x = u[{last}]; {released} }}",
             f"for (i = 1; i < 3; i++) {{ int *u = get(i * sizeof *u); u[i - {1 - miss}] = i; {released} }}",
             f"for (i = 1; i < 3; i++) {{ char *u = malloc(i); u[i - {1 - miss}] = i; {released} }}"]
        )  # fmt: skip

    def _entry(self) -> str:
        """Something with a table of pointers."""
        chance = self._chance
        if self._bad():
            return chance.choice(
                ["t[0] = row(2);", "free(t[0]);", "t[0] = 0;", "if (t[0]) *t[k - 1] = 2;", "x = t[0][0];", "t[k] = 0;"]
            )
        return chance.choice(
            ["if (!t[k - 1]) t[k - 1] = row(2);", "if (t[0]) x = t[0][1];", "clear(t, k);",
             "for (i = 0; i < k; i++) if (!t[i]) t[i] = row(2);", "if (t[0]) { free(t[0]); t[0] = 0; }"]
        )  # fmt: skip

    def _scoped(self, depth: int) -> str:
        if self._bad():
            return f"q = &y{depth};"
        return f"{{ int *t = &y{depth}; *t = x; }}"

    def _element(self) -> str:
        chance = self._chance
        last = 4 if self._bad() else 3
        return chance.choice(
            [f"a[{chance.randint(0, last)}] = x;", f"x = *(a + {chance.randint(0, last)});",
             f"h[{chance.randint(0, last - 1)}] = 1;", f"ga[{chance.randint(0, last - 1)}]++;",
             f"p = a; p += {chance.randint(0, 3)}; *p = {chance.randint(0, 9)};", "a[i & 3] = i;"]
        )  # fmt: skip

    def _suspect(self) -> str:
        return self._chance.choice(
            ["free(h);", "free(p);", "p = h; free(h);", "p = 0;", "*p = 1;", "*q = 2;", "q = ended();", "x = *q;",
             "list = 0;", "l = 0;", "free(h + 1);", "h = 0;", "p = a + 4; x = *p;", "x = h[3];", "l->v = 1;",
             "q = malloc(4);", "q = malloc(4); q = &x;", "x = p[-1];", "gp = h;", 'p = (int *)"abc"; *p = 1;',
             "drop(l);", "s.next->v = 1;", "free(&x);", "free(0);", "list = cons(0, 1); list->next = list; list = 0;"]
        )  # fmt: skip


def build(sources: Sequence[str], folder: Path, compiler: str) -> None:
    """One executable for all of some programs, which have what comes before ``main`` in common."""
    before = sources[0].partition("int main(void)")[0]
    assert all(source.startswith(before) for source in sources)
    bodies = (source[len(before) :].replace("main", f"main{i}", 1) for i, source in enumerate(sources))
    cases = " ".join(f"case {i}: return main{i}();" for i in range(len(sources)))
    last = (
        f"extern int atoi(const char *); int main(int c, char **v) {{ switch (atoi(v[1])) {{ {cases} }} return 99; }}"
    )
    path = folder / "program.c"
    path.write_text("\n".join((before, *bodies, last)))
    options = ["-g", "-O0", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    options += ["-fsanitize-address-use-after-scope", "-std=gnu11", "-fno-builtin"]
    subprocess.run([compiler, *options, "-o", str(folder / "program"), str(path)], check=True, capture_output=True)


def executed(folder: Path, number: int) -> tuple[str, str]:
    """What the sanitizers say of one of the programs: the name of a report or "", and everything."""
    environment = {**os.environ, "ASAN_OPTIONS": "detect_stack_use_after_return=1:detect_leaks=1:symbolize=0"}
    command = [str(folder / "program"), str(number)]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    if ran.returncode == 0:
        return "", ran.stderr
    return next((report for report in REPORTS if re.search(report, ran.stderr)), "something else"), ran.stderr


def modelled(source: str) -> str | None:
    return violation(source, property="valid-memsafety", data_model="LP64", deepest=10, volatile="plain")


def disagreement(source: str, folder: Path, compiler: str = "gcc") -> str | None:
    """What the model says otherwise than the sanitizers; None where they agree or the model does not know."""
    build([source], folder, compiler)
    return compared(modelled(source), executed(folder, 0))


def compared(found: str | None, told: tuple[str, str]) -> str | None:
    report, said = told
    if found == UNKNOWN:
        return None
    if found in (None, "LEAK"):
        # The sanitizer overlooks leaks, where something still looks like a pointer; what it sees is one.
        if found == "LEAK":
            return None
        return None if not report else f"the model sees nothing, the sanitizers say {report}\n{said[:600]}"
    if report and found in REPORTS.get(report, set()):
        return None
    # Beside a block that was freed: both are so.
    if found == "FREED" and report == "heap-buffer-overflow" and "freed by thread" in said:
        return None
    return f"the model says {found}, the sanitizers say {report or 'nothing'}\n{said[:600]}"


def sources(seed: int, count: int) -> Sequence[str]:
    return [
        Generator(random.Random(f"{seed}/{i}"), random.Random(i).choice((0, 10, 30))).program() for i in range(count)
    ]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--compiler", default="gcc")
    chosen = options.parse_args()
    if shutil.which(chosen.compiler) is None:
        print(f"no {chosen.compiler}")
        return 1
    wrong, kinds = 0, dict[str, int]()
    with tempfile.TemporaryDirectory() as folder:
        programs = sources(chosen.seed, chosen.count)
        for number, source in enumerate(programs):
            if number % TOGETHER == 0:
                build(programs[number : number + TOGETHER], Path(folder), chosen.compiler)
            found = modelled(source)
            kinds[str(found)] = kinds.get(str(found), 0) + 1
            said = compared(found, executed(Path(folder), number % TOGETHER))
            if said is not None:
                wrong += 1
                print(f"program {number} of seed {chosen.seed}: {said}\n{source}", flush=True)
    print(f"{chosen.count} programs, {wrong} disagreements: {kinds}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

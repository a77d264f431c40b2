"""Random programs of two and three files, executed as models and linked by gcc. The files share a header with types and
prototypes, and have names of their own in common.

``python -m tests.frontends.c.linked_programs --count 300``
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path
from random import Random

from argosy.frontends.c.load import load
from argosy.frontends.c.preprocessor import SourceFile
from argosy.logic.terms import Terms

from .running import execute

OPERATORS = ("+", "-", "^", "|", "&")


def program(seed: int) -> dict[str, str]:
    """The files of a program, by name; ``r`` is what it computes."""
    random = Random(f"linked {seed}")
    count = random.choice((2, 3))
    files = {"shared.h": _header(random, count)}
    for number in range(count):
        files[f"f{number}.c"] = _file(random, number, count)
    return files


def _header(random: Random, count: int) -> str:
    lines = ["typedef struct pair { unsigned a, b; struct pair *other; } pair;", "extern unsigned r, shared;"]
    lines += [
        "extern unsigned table[];",
        "enum { FIRST = 3, SECOND };",
        "typedef struct { unsigned char c[3]; } bytes;",
    ]
    lines += [f"unsigned step{number}(pair *p, unsigned x); bytes pack{number}(unsigned x);" for number in range(count)]
    lines += ["static inline unsigned twice(unsigned x) { return 2 * x + FIRST; }"]
    if random.random() < 0.5:
        lines += ["static unsigned counter;"]
    return "\n".join(lines) + "\n"


def _file(random: Random, number: int, count: int) -> str:
    own = random.choice(("unsigned", "int", "unsigned short"))
    lines = ['#include "shared.h"', f"typedef {own} word;", f"struct own {{ word w; char pad[{number + 1}]; }};"]
    lines += [
        f"static word state = {random.randrange(100)};",
        f"static struct own mine = {{ {random.randrange(50)} }};",
    ]
    if number == 0:
        lines += ["unsigned r; unsigned shared;", "unsigned table[4] = { 1, 2, 3, 4 };"]
    elif random.random() < 0.5:
        lines += ["unsigned shared;"]
    lines += [
        f"static unsigned helper(unsigned x) {{ {_statements(random)} return x {random.choice(OPERATORS)} state; }}"
    ]
    body = _statements(random)
    other = random.randrange(count)
    call = f"if (x & {1 << random.randrange(8)}) x ^= step{other}(p->other, x / 4);" if other > number else ""
    lines += [
        f"unsigned step{number}(pair *p, unsigned x) {{ {body} p->a = p->a + helper(x); {call} "
        f"mine.w += x; shared {random.choice(OPERATORS)}= p->b + mine.w; return x + p->a; }}",
        f"bytes pack{number}(unsigned x) {{ bytes s = {{ {{ x, x >> 8, sizeof(struct own) }} }}; return s; }}",
    ]
    if number == 0:
        lines += ["int main(void) { pair p = { 1, 2, 0 }, q = { 3, 4, &p }; p.other = &q;"]
        for _ in range(4):
            chosen = random.randrange(count)
            lines += [f"  r = r * 3 + step{chosen}({random.choice(('&p', '&q'))}, r + {random.randrange(1000)}u);"]
            lines += [f"  r += pack{chosen}(r).c[{random.randrange(3)}] + twice(shared) + table[r % 4];"]
        lines += ["  r += p.a + q.b + state + mine.w;", "  return 0; }"]
    return "\n".join(lines) + "\n"


def _statements(random: Random) -> str:
    choices = (
        f"state += x {random.choice(OPERATORS)} {random.randrange(64)};",
        f"x = x {random.choice(OPERATORS)} twice({random.randrange(9)});",
        f"table[x % 4] += {random.randrange(5)};",
        "shared ^= SECOND;",
        f"for (int i = 0; i < {random.randrange(1, 4)}; i++) x += i;",
    )
    return " ".join(random.sample(choices, 2))


def modelled(folder: Path) -> int:
    paths = sorted(map(str, folder.glob("f*.c")))
    others = [SourceFile(path) for path in paths[1:]]
    return execute(load(paths[0], terms=Terms(), data_model="LP64", others=others).cfa)["r"]


def compiled(folder: Path) -> int:
    show = folder / "show.c"
    show.write_text(
        "extern int printf(const char *, ...); extern unsigned r;\n"
        '__attribute__((destructor)) static void show(void) { printf("%u", r); }\n'
    )
    target = folder / "program"
    paths = sorted(map(str, folder.glob("f*.c")))
    subprocess.run(["gcc", "-w", "-fwrapv", "-fcommon", *paths, str(show), "-o", str(target)], check=True)
    return int(subprocess.run([str(target)], check=True, capture_output=True, text=True).stdout)


def compare(seed: int) -> tuple[int, int]:
    """What the model computes, and what the machine does."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in program(seed).items():
            (folder / file).write_text(text)
        return modelled(folder), compiled(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    assert shutil.which("gcc"), "needs gcc"
    wrong = 0
    for seed in range(options.first, options.first + options.count):
        ours, real = compare(seed)
        if ours != real:
            wrong += 1
            print(f"seed {seed}: {ours}, and {real} by gcc")
    print(f"{options.count} compared, {wrong} disagree")


if __name__ == "__main__":
    main()

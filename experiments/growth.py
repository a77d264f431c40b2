"""How time and memory grow with the input: programs made for it, of five kinds and any size.

    python experiments/growth.py --csv growth.csv --plot time.svg --memory-plot memory.svg
    python experiments/growth.py --write programs --families locks,lines

* ``locks``: n locks that are taken and released where n open conditions say so; each is checked on its own.
* ``ring``: n processes pass a token; no two have it.
* ``arrays``: an array of n elements is filled, and one of them, any, is read.
* ``lines``: n lines, in functions of twenty that call nothing and are called one after the other.
* ``calls``: n lines, in functions of twenty that stand in layers of twenty and call three of the layer below: if each
  call were a copy, each layer would be three times as large as the one below.

All are SAFE. Each is measured in a process of its own, until one of a family passes the limit. A file that was measured
with ``--csv`` is not measured again.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from curves import Panel, Point, draw

DECLARED = (
    "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
    "static int any(void) { return __VERIFIER_nondet_int(); }\n"
)


def locks(n: int) -> str:
    """As the programs of that name in the collections, with a loop around."""
    body = []
    for number in range(n):
        body.append(f"    int p{number} = any(); int lock{number} = 0;")
    body += [f"    if (p{number}) lock{number} = 1;" for number in range(n)]
    body += [f"    if (p{number}) {{ if (lock{number} != 1) reach_error(); lock{number} = 0; }}" for number in range(n)]
    inside = "\n".join(body)
    return f"{DECLARED}int main(void) {{\n  while (any()) {{\n{inside}\n  }}\n  return 0;\n}}\n"


def ring(n: int) -> str:
    tokens = "\n".join(f"  int t{number} = {int(number == 0)};" for number in range(n))
    steps = "\n".join(
        f"    if (t{number} && any()) {{ t{number} = 0; t{(number + 1) % n} = 1; }}" for number in range(n)
    )
    both = "\n".join(f"    if (t{number} && t{(number + 1) % n}) reach_error();" for number in range(n))
    return f"{DECLARED}int main(void) {{\n{tokens}\n  while (any()) {{\n{steps}\n{both}\n  }}\n  return 0;\n}}\n"


def arrays(n: int) -> str:
    return (
        f"{DECLARED}int a[{n}];\nint main(void) {{\n  for (int i = 0; i < {n}; i++)\n    a[i] = 2 * (i % 50);\n"
        f"  int k = any();\n  if (k >= 0 && k < {n} && a[k] > 98)\n    reach_error();\n  return 0;\n}}\n"
    )


def lines(n: int) -> str:
    functions = []
    for number in range(max(1, n // 20)):
        steps = "\n".join(f"  x = x + {step % 7};\n  if (x > 1000) x = {step};" for step in range(8))
        functions.append(f"static int f{number}(int x) {{\n{steps}\n  return x;\n}}\n")
    calls = "\n".join(f"  x = f{number}(x);" for number in range(len(functions)))
    end = "  if (s != 5) reach_error();\n  if (x < 0 && s == 6) reach_error();\n  return 0;\n}\n"
    return f"{DECLARED}{''.join(functions)}int main(void) {{\n  int x = 0, s = 5;\n{calls}\n{end}"


def calls(n: int) -> str:
    """As ``lines``, with calls in the functions."""
    wide, functions = 20, []
    for number in range(max(1, n // 20)):
        steps = []
        for step in range(7):
            steps.append(f"  x = x + {(step + number) % 7};\n  if (x > 1000) x = {step};")
            if step % 2 and number >= wide:
                steps.append(f"  x = f{(number // wide - 1) * wide + (number + step) % wide}(x);")
        functions.append(f"static int f{number}(int x) {{\n{chr(10).join(steps)}\n  return x;\n}}\n")
    top = range(max(0, len(functions) - wide), len(functions))
    called = "\n".join(f"  x = f{number}(x);" for number in top)
    end = "  if (s != 5) reach_error();\n  if (x < 0 && s == 6) reach_error();\n  return 0;\n}\n"
    return f"{DECLARED}{''.join(functions)}int main(void) {{\n  int x = 0, s = 5;\n{called}\n{end}"


FAMILIES: Mapping[str, tuple[Callable[[int], str], Sequence[int]]] = {
    "locks": (locks, (5, 10, 15, 20, 30, 50, 70, 100)),
    "ring": (ring, (2, 3, 4, 6, 8, 12, 16, 24)),
    "arrays": (arrays, (10, 100, 1_000, 10_000, 100_000, 1_000_000)),
    "lines": (lines, (1_000, 3_000, 10_000, 30_000, 100_000)),
    "calls": (calls, (1_000, 3_000, 10_000, 30_000)),
}

COLUMNS = ("family", "size", "verdict", "cpu_s", "wall_s", "memory_mb", "stage")


def measure(path: Path, limit: float, memory: int, options: Sequence[str]) -> dict[str, str]:
    """What ``argosy verify`` says of a program."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "result.json")
        limits = ["--time-limit", f"{limit:g}", "--memory-limit", str(memory), "--json", str(result), "--quiet"]
        command = [sys.executable, "-P", "-m", "argosy", "verify", str(path), *limits, "--no-config", *options]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        said = json.loads(result.read_text()) if result.exists() else {}
    numbers = said.get("statistics", {})
    return {
        "verdict": said.get("verdict", "none"),
        "cpu_s": str(numbers.get("cpu_s", "")),
        "wall_s": str(numbers.get("wall_s", "")),
        "memory_mb": str(numbers.get("peak_memory_mb", "")),
        "stage": said.get("strategy", {}).get("stage", ""),
    }


def measured(
    families: Sequence[str], known: list[dict[str, str]], options: argparse.Namespace
) -> Iterator[dict[str, str]]:
    """A row for each program, smallest first; what is larger than one that was not decided is not tried."""
    done = {(row["family"], row["size"]): row for row in known}
    for family in families:
        make, sizes = FAMILIES[family]
        for size in sizes:
            row = done.get((family, str(size)))
            if row is None:
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder, f"{family}_{size}.c")
                    path.write_text(make(size))
                    said = measure(path, options.limit, options.memory, options.options.split())
                row = {"family": family, "size": str(size), **said}
                yield row
            if row["verdict"] != "safe":
                break


def plotted(rows: Sequence[Mapping[str, str]], column: str, limit: float, what: str, unit: str = "s") -> str:
    """One panel for each family. The sizes stand side by side, whatever they grow by: the first is 1."""
    panels = []
    for family in FAMILIES:
        own = [row for row in rows if row["family"] == family and row[column]]
        points = [
            Point(place, max(float(row[column]), 0.01) if row["verdict"] == "safe" else None)
            for place, row in enumerate(own, 1)
        ]
        if points:
            sizes = ", ".join(f"{int(row['size']):,}" for row in own)
            panels.append(Panel(f"{family}: {sizes}", {"auto": points}, limit, unit))
    return draw(what, panels, "programs of growing size", what)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--families", default=",".join(FAMILIES), help="which, separated by commas (all)")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write the programs there, and measure nothing")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each (60)")
    parser.add_argument("--memory", type=int, default=4000, help="megabytes for each (4000)")
    parser.add_argument("--options", default="--jobs 1", help="further options of argosy verify (--jobs 1)")
    parser.add_argument("--csv", type=Path, help="rows are written there at once, and not measured again")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="processor time by size")
    parser.add_argument("--memory-plot", type=Path, metavar="FILE.svg", help="memory by size")
    options = parser.parse_args()
    families = options.families.split(",")
    wrong = [name for name in families if name not in FAMILIES]
    if wrong:
        parser.error(f"no such family: {wrong[0]} (there are {', '.join(FAMILIES)})")
    if options.write is not None:
        options.write.mkdir(parents=True, exist_ok=True)
        for family in families:
            make, sizes = FAMILIES[family]
            for size in sizes:
                (options.write / f"{family}_{size}.c").write_text(make(size))
        return 0
    known: list[dict[str, str]] = []
    if options.csv is not None and options.csv.exists():
        with options.csv.open(newline="") as file:
            known = list(csv.DictReader(file))
    for row in measured(families, known[:], options):
        known.append(row)
        numbers = f"{row['cpu_s']:>8} s {row['memory_mb']:>8} MB"
        print(f"{row['family']:>8} {row['size']:>8} {row['verdict']:>8} {numbers}", flush=True)
        if options.csv is not None:
            with options.csv.open("a", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS)
                if file.tell() == 0:
                    writer.writeheader()
                writer.writerow(row)
    for path, column, limit, what, unit in (
        (options.plot, "cpu_s", options.limit, "seconds of processor time", "s"),
        (options.memory_plot, "memory_mb", float(options.memory), "megabytes", "MB"),
    ):
        if path is not None:
            path.write_text(plotted(known, column, limit, what, unit))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Where the benchmark collection is that the experiments measure, and whether its files are the ones that were meant.

``--bench DIR`` says it, or the variable ARGOSY_BENCH, or it lies in ``../shared/bench`` beside the project. The
collection is not part of the project: ``hashes.csv`` knows its files by SHA-256, so that nobody measures others by
mistake (``python experiments/collection.py DIR`` writes it anew).
"""

from __future__ import annotations

import argparse
import csv
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from typing import NoReturn

from argosy.basics.errors import InputError, UnsupportedError, UsageError

ROOT = Path(__file__).resolve().parent.parent
VARIABLE = "ARGOSY_BENCH"
BESIDE = ROOT.parent / "shared" / "bench"
HASHES = Path(__file__).with_name("hashes.csv")

STOPPED = 5

ABE, PROGRAMS, MODELS, NETWORKS = "c/abe", "c", "models", "models/ta/mcta-rebuilt"
CONTROLLERS = "models/plc"

PUBLIC = {
    ABE: "the paper's programs are public in old revisions of CPAchecker's repository",
    PROGRAMS: "such programs are public in the sv-benchmarks repository",
    MODELS: "such models are public in the repositories of the hardware model checking competitions and of Theta",
    CONTROLLERS: "such programs are public with the tools Agents4PLC, verifaps and esbmc-plcplus",
    NETWORKS: "such models are public with the tools MCTA and UPPAAL",
}


def add_bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bench",
        type=Path,
        metavar="DIR",
        help=f"the benchmark collection, or the folder of it that is measured ({VARIABLE}, or ../shared/bench)",
    )
    parser.add_argument(
        "--any-version", action="store_true", help="measure files too that are not those of the collection as it was"
    )


def whereabouts(given: Path | None, name: str, instead: str = "") -> Path:
    """A folder of the collection. SystemExit, in one line, where it is not there; ``instead`` says what else can be
    measured."""
    said = os.environ.get(VARIABLE)
    root = given or (Path(said) if said else BESIDE)
    if (root / name).is_dir():
        return root / name
    if given is not None and given.is_dir():
        return given
    raise SystemExit(
        f"no such folder: {root / name} (--bench DIR or {VARIABLE} says where the benchmark collection is; "
        f"{PUBLIC[name]}{f'; {instead}' if instead else ''})"
    )


def checked(folder: Path, name: str, files: Iterable[str], any_version: bool = False) -> list[Path]:
    """Files of a part by their paths in it, which have to be there, and to be what they were."""
    known, paths = _known(), []
    for file in files:
        path = folder / file
        if not path.is_file():
            raise SystemExit(f"no such file: {path} ({PUBLIC[name]})")
        wanted = known.get(f"{name}/{file}")
        if not any_version and wanted is not None and wanted != digest(path):
            raise SystemExit(f"{path} is not the file that the figures are about (--any-version measures it anyway)")
        paths.append(path)
    return paths


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


@cache
def _known() -> dict[str, str]:
    with HASHES.open(newline="", encoding="utf-8") as file:
        return {row["file"]: row["sha256"] for row in csv.DictReader(file)}


def guarded(main: Callable[[], object]) -> NoReturn:
    """Run an experiment to its exit code. What a user can put right is one line; whoever stops a study gets no answer
    from it."""
    try:
        code = main()
    except KeyboardInterrupt:
        print("interrupted: not decided (a --csv or --out keeps what was measured)", file=sys.stderr)
        raise SystemExit(STOPPED) from None
    except (InputError, UnsupportedError, UsageError, OSError) as error:
        raise SystemExit(str(error)) from None
    raise SystemExit(code if isinstance(code, int) else 0)


def alone() -> Pool:
    """A process of its own, for one search after the other; Ctrl-C is for whoever started it."""
    return get_context("spawn").Pool(1, signal.signal, (signal.SIGINT, signal.SIG_IGN))


def _measured(bench: Path) -> Iterator[str]:
    """The files of the collection that some experiment measures."""
    with (bench / "c" / "index.csv").open(newline="", encoding="utf-8") as file:
        yield from (f"c/{row['file']}" for row in csv.DictReader(file) if row["set"] in ("abe", "theta"))
    with (bench / "models" / "index.csv").open(newline="", encoding="utf-8") as file:
        wanted = ("aiger", "btor2", "btor2-array")
        yield from (f"models/{row['file']}" for row in csv.DictReader(file) if row["category"] in wanted)
    yield from (f"{NETWORKS}/{path.name}" for path in sorted((bench / NETWORKS).glob("*.xta")))
    for kind in ("*.st", "*.ld"):
        yield from (path.relative_to(bench).as_posix() for path in (bench / CONTROLLERS).rglob(kind))


def _write(bench: Path) -> None:
    with HASHES.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["file", "sha256"])
        writer.writerows([name, digest(bench / name)] for name in sorted(set(_measured(bench))))


if __name__ == "__main__":
    _write(Path(sys.argv[1]))

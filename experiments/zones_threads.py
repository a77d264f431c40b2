"""What a second thread is worth: breadth-first searches with one thread and with several, taken in turns.

    python experiments/zones_threads.py MODEL[:SIZE]... [--threads N] [--rounds N] [--visits N]

``MODEL:SIZE`` is the model with its constant N set to SIZE (``fischer-8-32-64.xta:10``). Every search goes through the
whole graph, or up to its first goal or that many visited states, several times; the least time of each counts.
Wall-clock times: the machine has to be free. Ends with 1 where several threads do not find what one does.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from collection import guarded

from argosy.frontends.uppaal import read
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.frontends.uppaal.load import query_files
from argosy.kernel.search import ZoneSearch
from argosy.models.network import Network
from argosy.models.network_queries import Goal, Query, goals


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="+")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--visits", type=int, default=0)
    arguments = parser.parse_args()
    print(f"| model | stored | transitions | s, one thread | s, {arguments.threads} threads | speed-up |")
    print("|---|---:|---:|---:|---:|---:|")
    differ = 0
    for model in arguments.models:
        name, _, size = model.partition(":")
        network, wanted = sized(Path(name), int(size) if size else None)
        found = []
        best = [float("inf")] * 2
        for _ in range(arguments.rounds):
            for number, threads in enumerate((1, arguments.threads)):
                began = time.perf_counter()
                its = ZoneSearch(network, wanted, threads=threads).run(pause_at=arguments.visits).statistics
                best[number] = min(best[number], time.perf_counter() - began)
                found.append((its.stored, its.visited, its.transitions))
        differ += len(set(found)) > 1
        row = f"| {Path(name).stem}{f', N = {size}' if size else ''} | {found[0][0]:,} | {found[0][2]:,} "
        print(f"{row}| {best[0]:.2f} | {best[1]:.2f} | {best[0] / best[1]:.2f} |", flush=True)
    return 1 if differ else 0


def sized(path: Path, size: int | None) -> tuple[Network, tuple[Goal, ...]]:
    """The model, with another value of its constant N, and the goals of its first query."""
    text = path.read_text()
    if size is not None:
        text, count = re.subn(r"(\bconst\s+int\s+N\s*=\s*)\d+", rf"\g<1>{size}", text)
        if count != 1:
            raise SystemExit(f"{path} has no constant N")
    beside = next((file for file in query_files(str(path)) if Path(file).is_file()), None)
    asked = None if beside is None else PlacedText(str(beside), Path(beside).read_text())
    network, queries = read(str(path), text.encode(), asked)
    first = next((query for query in queries if isinstance(query, Query)), None)
    return network, () if first is None else goals(first.target)


if __name__ == "__main__":
    guarded(main)

"""Heuristic value over expansions of greedy searches, as a picture: where one goes straight, and where one is stuck.

    python experiments/directed_profile.py profile.svg M4:syntax-b2 C6:zone-databases

Each panel shows the range of the values within slices of the search, and the least value so far.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import inf
from pathlib import Path
from xml.sax.saxutils import escape

from collection import NETWORKS, add_bench, checked, guarded, whereabouts

from argosy.basics.budget import Budget
from argosy.directed.build import build
from argosy.directed.search import TIES
from argosy.frontends.uppaal import load
from argosy.kernel.search import Order, ZoneSearch
from argosy.models.network_queries import Query, goals
from argosy.strategies import network_options

WIDTH, HEIGHT, MARGIN, SLICES = 420, 260, 56, 210


@dataclass(frozen=True, slots=True)
class Profile:
    title: str
    values: list[float]

    def panel(self, left: float) -> str:
        finite = [value for value in self.values if value < inf]
        top = max(finite)
        step = max(1, -(-len(self.values) // SLICES))
        slices = [self.values[k : k + step] for k in range(0, len(self.values), step)]

        def y(value: float) -> float:
            return MARGIN + HEIGHT * (1 - min(value, top) / top)

        shapes = []
        least = inf
        points = []
        for k, part in enumerate(slices):
            x = left + WIDTH * k / len(slices)
            width = max(WIDTH / len(slices), 0.8)
            high, low = y(max(part)), y(min(part))
            shapes.append(f'<rect x="{x:.1f}" y="{high:.1f}" width="{width:.1f}" height="{low - high + 1:.1f}"/>')
            least = min(least, *part)
            points.append(f"{x:.1f},{y(least):.1f}")
        ticks = "".join(
            f'<text x="{left - 6:.0f}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.0f}</text>'
            for value in (0, top / 2, top)
        )
        return (
            f'<text x="{left:.0f}" y="{MARGIN - 14}" font-weight="bold">{escape(self.title)}</text>'
            f'<g fill="#9ab">{"".join(shapes)}</g><polyline fill="none" stroke="#b30" points="{" ".join(points)}"/>'
            f'<path d="M{left:.0f} {MARGIN}V{MARGIN + HEIGHT}H{left + WIDTH:.0f}" fill="none" stroke="#333"/>{ticks}'
            f'<text x="{left + WIDTH:.0f}" y="{MARGIN + HEIGHT + 18}" text-anchor="end">'
            f"{len(self.values):,} states expanded</text>"
        )


def profile(model: str, strategy: str, path: Path) -> Profile:
    network, queries = load(str(path))
    query = queries[0]
    assert isinstance(query, Query)
    asked = goals(query.target)
    options = network_options({}, strategy)
    built = build(network, asked, options, Budget.of(120))
    ties = TIES[options.ties]
    search = ZoneSearch(
        network, asked, Order.GREEDY, heuristic=built.heuristic, ties=ties, budget=Budget.of(120), record=True
    )
    search.run()
    return Profile(f"{model}, {strategy}", search.recorded())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output")
    parser.add_argument("searches", nargs="+", metavar="MODEL:STRATEGY")
    add_bench(parser)
    arguments = parser.parse_args()
    profiles = []
    folder = whereabouts(arguments.bench, NETWORKS)
    for search in arguments.searches:
        model, _, strategy = search.partition(":")
        if not strategy:
            parser.error(f"{search}: MODEL:STRATEGY is asked for")
        (path,) = checked(folder, NETWORKS, [f"{model}.xta"], arguments.any_version)
        profiles.append(profile(model, strategy, path))
    width = MARGIN + len(profiles) * (WIDTH + MARGIN)
    panels = "".join(its.panel(MARGIN + k * (WIDTH + MARGIN)) for k, its in enumerate(profiles))
    Path(arguments.output).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + 2 * MARGIN}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>{panels}</svg>\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    guarded(main)

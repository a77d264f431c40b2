"""Sets of pointers: the worklist ends with the least solution, and each element goes along each edge once."""

from __future__ import annotations

import random

import pytest

from argosy.frontends.c.lower.inclusions import Inclusions

Edges = list[tuple[int, int]]


def _random(seed: int) -> tuple[dict[int, set[int]], set[int], set[int], Edges, Edges]:
    draw = random.Random(seed)
    nodes = range(draw.randint(2, 12))

    def pair() -> tuple[int, int]:
        return draw.choice(nodes), draw.choice(nodes)

    return (
        {draw.choice(nodes): {draw.choice(nodes) for _ in range(draw.randint(1, 3))} for _ in nodes[::2]},
        {node for node in nodes if draw.random() < 0.1},
        {node for node in nodes if draw.random() < 0.05},
        [pair() for _ in range(draw.randint(0, 14))],
        [pair() for _ in range(draw.randint(0, 5))],
    )


def _load(system: Inclusions[int, int], source: int, target: int) -> None:
    system.lose_with(source, target)
    system.follow(source, lambda each: system.include(each, target), lambda: None)


@pytest.mark.parametrize("exact", [False, True])
def test_the_least_solution(exact: bool) -> None:
    """Against rounds over all constraints until nothing changes; ``follows`` are loads: what elements hold."""
    for seed in range(400):
        given, lost, unknown, edges, follows = _random(seed)
        system: Inclusions[int, int] = Inclusions(exact_when_open=exact)
        for source, target in follows:
            _load(system, source, target)
        for source, target in edges[::2]:
            system.include(source, target)
        for node, elements in given.items():
            system.add(node, elements)
        for node in lost | unknown:
            system.lose(node, node in unknown)
        system.solve()
        for source, target in edges[1::2]:
            system.include(source, target)
        system.solve()

        sets = {node: set(given.get(node, ())) for node in range(12)}
        open_, dark = lost | unknown, set(unknown)
        before = None
        while before != (before := ([len(s) for s in sets.values()], len(open_), len(dark))):
            loaded = [(each, target) for source, target in follows for each in sets[source]]
            for source, target in (*edges, *loaded):
                sets[target] |= sets[source]
            for source, target in (*edges, *loaded, *follows):
                open_ |= {target} if source in open_ else set()
                dark |= {target} if source in dark else set()
        assert system.open == open_, seed
        settled = dark if exact else open_
        if exact:
            assert system.unknown == dark, seed
        # Of what is settled nobody asks for the elements, and what only comes from there is settled as well.
        assert {n: s for n, s in system.sets.items() if s and n not in settled} == {
            n: s for n, s in sets.items() if s and n not in settled
        }, seed


def test_the_order_of_a_chain_does_not_matter() -> None:
    """Rounds over all constraints would take as many rounds as the chain is long."""
    length = 500
    system: Inclusions[int, str] = Inclusions(exact_when_open=True)
    passed = 0
    for node in reversed(range(length)):
        system.include(node, node + 1)
    system.add(0, {"x"})

    def count(_: str) -> None:
        nonlocal passed
        passed += 1

    for node in range(length + 1):
        system.follow(node, count, lambda: None)
    system.solve()
    assert system.sets[length] == {"x"}
    assert passed <= length + 2

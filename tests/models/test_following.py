"""Executions that follow a sequence: waypoints in their order, nothing that is to be avoided, the error at the end."""

from __future__ import annotations

from itertools import pairwise

from argosy.basics.position import NOWHERE
from argosy.logic.terms import Terms
from argosy.models.cfa import Assume, Cfa, Edge, Location, Mark
from argosy.models.following import MISSED, FollowedSegment, following
from argosy.models.kinds import Errors, Marked

TERMS = Terms()
ERRORS = Errors(calls=frozenset({"fail"}))


def mark(kind: Marked, name: str) -> tuple[Mark, ...]:
    return (Mark(kind, name, NOWHERE, name),)


def ring(names: str) -> Cfa:
    """A loop through a waypoint for each letter, which may be passed or missed; the error can be called at its head."""
    places = [Location(number) for number in range(len(names) + 2)]
    head, error = places[0], places[-1]
    edges = [Edge(head, error, Assume(TERMS.true), marks=mark(Marked.CALL, "fail"))]
    for name, (source, target) in zip(names, pairwise([*places[:-2], head]), strict=True):
        for said in (name, f"{MISSED}{name}"):
            edges.append(Edge(source, target, Assume(TERMS.true), marks=mark(Marked.WAYPOINT, said)))
    return Cfa(TERMS, head, error, (*places[:-2], error), tuple(edges), ())


def words(cfa: Cfa, most: int) -> set[str]:
    """What executions into the error pass, up to a length."""
    found: set[str] = set()
    waiting = [(cfa.initial, "", 0)]
    while waiting:
        at, passed, length = waiting.pop()
        if at is cfa.error:
            found.add(passed)
        elif length < most:
            for edge in cfa.leaving[at]:
                names = [m.name for m in edge.marks if m.kind is Marked.WAYPOINT and not m.name.startswith(MISSED)]
                waiting.append((edge.target, passed + "".join(names), length + 1))
    return found


def segment(follow: str, avoid: str = "") -> FollowedSegment:
    return FollowedSegment(frozenset(avoid), follow)


def test_waypoints_are_passed_in_their_order() -> None:
    made = following(ring("ab"), [segment("b"), segment("a"), segment("")], ERRORS, lambda mark: True)
    assert words(made, 9)
    for word in words(made, 9):
        assert "b" in word and "a" in word[word.index("b") :]


def test_what_is_to_be_avoided_is_not_passed_before() -> None:
    made = following(ring("ab"), [segment("b", "a"), segment("")], ERRORS, lambda mark: True)
    found = words(made, 9)
    assert found and all("a" not in word[: word.index("b")] for word in found)


def test_the_error_is_reached_in_the_last_segment_and_at_the_target_only() -> None:
    assert words(following(ring("a"), [segment("")], ERRORS, lambda mark: True), 1) == {""}
    assert "" not in words(following(ring("a"), [segment("a"), segment("")], ERRORS, lambda mark: True), 5)
    assert not words(following(ring("a"), [segment("")], ERRORS, lambda mark: False), 9)


def test_one_visit_passes_one_waypoint() -> None:
    """Two segments that wait for the same place need two visits: the later one stands first."""
    twice = following(ring("ba"), [segment("a"), segment("b"), segment("")], ERRORS, lambda mark: True)
    assert words(twice, 4) == set() and words(twice, 5)

"""Detectors for mistakes where rounds of loops are summed up: stretches, what is known of rounds, how they change."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.invariants import test_increments as increments
from tests.invariants import test_trajectories as trajectories


def _law(test: Any, **examples: Any) -> None:
    test.hypothesis.inner_test(**examples)


def stretches() -> None:
    for first, x, y, times in product((0, 5), (-6, -1, 0, 2, 3), (-3, 0, 1), (0, 1, 7, 40)):
        law = trajectories.test_a_stretch_says_its_states_and_no_others
        _law(law, first=first, steps=(x, y), times=times)


def followed() -> None:
    for body, most, rounds in trajectories.LOOPS:
        trajectories.test_few_stretches_say_what_many_rounds_do(body, most, rounds)
    trajectories.test_there_is_something_to_check()
    trajectories.test_what_meets_on_the_way_ends_a_stretch()
    trajectories.test_what_is_chosen_is_left_out()
    trajectories.test_what_another_loop_changes_is_known_where_it_ends()


def changes() -> None:
    for body, expected in increments.LOOPS:
        increments.test_limits_are_exact(body, expected)
    increments.test_half_of_all_numbers_is_no_limit()
    increments.test_an_inner_loop_is_one_edge_of_the_outer_one()
    for factor in range(-70, 71):
        increments.test_factors(factor)
    for bound in increments.BOUNDS:
        increments.test_what_is_inductive_of_the_guesses_bounds_a_variable(*bound)

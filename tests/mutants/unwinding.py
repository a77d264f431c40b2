"""Detectors for mistakes in certificates by unwinding and by k-induction, and in the unrolling that they check:
tests of these parts, with fewer examples and always the same ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from argosy.certify.unwinding import certify_k_induction, certify_unwinding
from argosy.models.cfa import Reading
from tests.certify import test_unwinding as certificates
from tests.domains import test_guarded as guarded
from tests.models.automata import automata
from tests.strategies import test_bounded as bounded

READINGS = st.sampled_from(Reading)
FEW = settings(max_examples=40, derandomize=True, database=None, deadline=None, phases=[Phase.generate])


def _on_a_few(test: Any, *drawn: st.SearchStrategy[Any], first: tuple[object, ...] = ()) -> None:
    """A test of Hypothesis on other examples; a failure is not made smaller."""
    inner: Callable[..., None] = partial(test.hypothesis.inner_test, *first)

    def detect(values: tuple[object, ...]) -> None:
        inner(*values)

    FEW(given(st.tuples(*drawn))(detect))()


def unwinding_agrees_with_brute_force() -> None:
    test = certificates.test_an_unwinding_is_certified_iff_it_is_complete_and_without_error
    _on_a_few(test, certificates.models, READINGS, st.integers(0, 3), certificates.moments)


def k_induction_agrees_with_brute_force() -> None:
    test = certificates.test_k_induction_is_certified_iff_base_and_step_hold
    _on_a_few(test, certificates.models, READINGS, st.integers(0, 3), certificates.moments)


def certificates_by_hand() -> None:
    certificates.test_the_bound_is_searched_upwards()
    certificates.test_an_error_within_the_bound_is_named()
    certificates.test_choices_differ_from_level_to_level()
    certificates.test_two_ways_without_a_condition_are_both_taken()
    certificates.test_every_way_has_its_own_values()
    for first in (False, True):
        certificates.test_errors_behind_every_loop_head_are_found(first, True)
    certificates.test_k_induction_needs_base_and_step()
    certificates.test_a_lemma_makes_a_step_hold()
    certificates.test_overflow_that_does_no_harm_is_not_named()
    for by, kind in ((certify_unwinding, "unwinding"), (certify_k_induction, "k-induction")):
        certificates.test_lines_that_must_not_overflow_are_named(by, kind)


def certificates_in_turn() -> None:
    """The same, level by level."""
    with patch.object(certificates, "MOMENTS", certificates.MOMENTS[::-1]):
        certificates_by_hand()


def guarded_paths_agree_with_brute_force() -> None:
    _on_a_few(guarded.test_states_and_traces_are_those_of_the_automaton, automata(acyclic=True), READINGS, st.data())


def unrolling_agrees_with_brute_force() -> None:
    _on_a_few(bounded.test_verdicts_are_those_of_brute_force, automata(), READINGS, first=("off", "off"))


def induction_agrees_with_brute_force() -> None:
    _on_a_few(bounded.test_verdicts_are_those_of_brute_force, automata(), READINGS, first=("on", "off"))
    bounded.test_k_induction_proves_what_unwinding_cannot()

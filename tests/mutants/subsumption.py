"""Detectors for mistakes in subsumption: the example of the paper, graphs and queues by hand."""

from __future__ import annotations

from argosy.engine.subsumption import derived, reachable
from tests.engine import test_places
from tests.engine import test_subsumption as by_hand


def the_example_of_section_2() -> None:
    for subsumption, queues in by_hand.SECTION_2_QUEUES:
        by_hand.test_the_example_of_section_2(subsumption, queues)


def covered() -> None:
    by_hand.test_a_covered_node_is_dropped_and_its_edge_goes_to_the_coverer()


def circles() -> None:
    by_hand.test_a_node_may_replace_its_own_ancestors_and_the_walk_ends()


def moved_edges() -> None:
    by_hand.test_edges_move_and_what_was_replaced_is_gone()
    by_hand.test_what_was_derived_from_a_replaced_node_is_outdated_with_its_ancestors()
    by_hand.test_a_replaced_node_can_be_a_pivot()
    by_hand.test_pruning_the_replacement_reopens_all_whose_edges_have_moved_to_it()
    by_hand.test_where_the_place_of_an_initial_state_is_lost_everything_starts_again()
    by_hand.test_discarding_keeps_the_new_node_though_it_is_derived_from_what_goes()


def queues() -> None:
    by_hand.test_a_subsumer_is_queued_before_the_first_that_waits_below_any_that_it_replaces()
    by_hand.test_an_order_that_has_it_earlier_anyway_is_kept()


def merged() -> None:
    by_hand.test_a_waiting_node_that_a_merge_lets_another_cover_waits_no_longer()


def places() -> None:
    for order in by_hand.ORDERS:
        for relation in (reachable, derived):
            for fixed in (True, False):
                test_places.same_places(order, relation, fixed, (39, 44))


def kept() -> None:
    test_places.test_what_is_kept_is_dropped_when_a_node_is_removed()
    test_places.test_what_is_kept_is_dropped_above_a_subsumer()
    test_places.test_ways_that_fork_are_both_gone()

"""One small model per rule of the language, from its text to the states that the native search stores: counted by hand,
in the comments. The twin and the certificate agree about each."""

from __future__ import annotations

import pytest

from argosy.certify.zones import Inductive, check
from argosy.frontends.uppaal import read
from argosy.kernel.search import Exhausted, Order, ZoneSearch
from tests.kernel import twin

# Name, text, discrete states, stored states (a discrete state may have several zones).
MODELS = [
    (
        # a, b: 2 x 2 interleaved.
        "interleaving",
        "process P() { state a, b; init a; trans a -> b { }; } A = P(); B = P(); system A, B;",
        4,
        4,
    ),
    (
        # The two move together or not at all: (a, c), (b, d).
        "binary synchronisation",
        """chan go; process P() { state a, b; init a; trans a -> b { sync go!; }; }
        process Q() { state c, d; init c; trans c -> d { sync go?; }; } A = P(); B = Q(); system A, B;""",
        2,
        2,
    ),
    (
        # One sender, two receivers: each of the two pairs moves; the other receiver stays behind for ever.
        "binary synchronisation takes one receiver",
        """chan go; process P() { state a, b; init a; trans a -> b { sync go!; }; }
        process Q() { state c, d; init c; trans c -> d { sync go?; }; } A = P(); B = Q(); C = Q(); system A, B, C;""",
        3,
        3,
    ),
    (
        # R may step to its deaf location before or after. Sent while R hears: (b, d). Sent while R is deaf: (b, e).
        # So (a, c), (a, e), (b, d), (b, e): from (a, e) the sender goes alone.
        "broadcast",
        """broadcast chan all; process P() { state a, b; init a; trans a -> b { sync all!; }; }
        process R() { state c, d, e; init c; trans c -> d { sync all?; }, c -> e { }; }
        A = P(); B = R(); system A, B;""",
        4,
        4,
    ),
    (
        # go is possible at once, so no time passes in (a, d) and its edge with x >= 1 is never taken: z is not reached.
        # In (b, e) time passes: (c, e). Three in all.
        "urgent channel",
        """urgent chan go; clock x; process P() { state a, b, c, z; init a;
        trans a -> b { sync go!; }, a -> z { guard x >= 1; }, b -> c { guard x >= 1; }; }
        process Q() { state d, e; init d; trans d -> e { sync go?; }; } A = P(); B = Q(); system A, B;""",
        3,
        3,
    ),
    (
        # x stays 0 in the urgent location, so the edge with x >= 1 is never taken: a, b.
        "urgent location",
        """clock x; process P() { state a, b, c; urgent a; init a;
        trans a -> b { guard x <= 0; }, a -> c { guard x >= 1; }; } A = P(); system A;""",
        2,
        2,
    ),
    (
        # A leaves its committed location before B may move: (a, d), (b, d), (b, e).
        "committed location",
        """process P() { state a, b; commit a; init a; trans a -> b { }; }
        process Q() { state d, e; init d; trans d -> e { }; } A = P(); B = Q(); system A, B;""",
        3,
        3,
    ),
    (
        # high is possible in the first state, so low is not; afterwards nothing is: (a, c), (b, d).
        "channel priority",
        """chan low, high; chan priority low < default < high;
        process P() { state a, b, z; init a; trans a -> b { sync high!; }, a -> z { sync low!; }; }
        process Q() { state c, d; init c; trans c -> d { sync high?; }, c -> d { sync low?; }; }
        A = P(); B = Q(); system A, B;""",
        2,
        2,
    ),
    (
        # B goes first: (a, a), (a, b), (b, b).
        "process priority",
        "process P() { state a, b; init a; trans a -> b { }; } A = P(); B = P(); system A < B;",
        3,
        3,
    ),
    (
        # n is 0 at the start and any of 1, 2, 3 after the edge.
        "select",
        """int[0, 3] n; process P() { state a, b; init a; trans a -> b { select i : int[1, 3]; assign n = i; }; }
        A = P(); system A;""",
        4,
        4,
    ),
    (
        # Two bits, each set once, in any order: 2 x 2.
        "arrays",
        """bool set[2]; process P() { state a; init a;
        trans a -> a { select i : int[0, 1]; guard !set[i]; assign set[i] = true; }; } A = P(); system A;""",
        4,
        4,
    ),
    (
        # n is 0, 1, 3, 7: then twice(7) is no longer below 7.
        "functions",
        """int[0, 7] n; int twice(int k) { int all = 0; int i; for (i = 0; i < 2; i++) { all += k; } return all; }
        process P() { state a; init a; trans a -> a { guard twice(n) < 7; assign n = twice(n) + 1; }; }
        A = P(); system A;""",
        4,
        4,
    ),
    (
        # A record of two numbers that are swapped: (1, 0) and (0, 1).
        "records",
        """typedef struct { int[0, 1] x; int[0, 1] y; } pair; pair p = {1, 0};
        void swap() { pair q = p; p.x = q.y; p.y = q.x; }
        process P() { state a; init a; trans a -> a { assign swap(); }; } A = P(); system A;""",
        2,
        2,
    ),
    (
        # One process for each of three values; each moves once: 2 to the power of 3.
        "free parameters",
        """typedef int[0, 2] id; process P(id i) { state a, b; init a; trans a -> b { }; } system P;""",
        8,
        8,
    ),
    (
        # Any of three scalars, or still the first one: the choice is made once. (a, 0), (b, 0), (b, 1), (b, 2).
        "scalars",
        """typedef scalar[3] id; id who; process P() { state a, b; init a;
        trans a -> b { select i : id; assign who = i; }; } A = P(); system A;""",
        4,
        4,
    ),
    (
        # forall and exists over three switches, of which the second is on at the start and the others are set in turn.
        "quantifiers",
        """bool on[3] = {false, true, false}; process P() { state a, b, c; init a;
        trans a -> b { guard exists (i : int[0, 2]) on[i]; assign on[0] = true; },
        b -> c { guard forall (i : int[0, 2]) on[i]; }, b -> b { guard (sum (i : int[0, 2]) on[i]) == 2;
        assign on[2] = true; }; } A = P(); system A;""",
        4,
        4,
    ),
    (
        # x is 0 whenever a is entered, and at most 2 there: one zone. b is entered with x from 1 to 2; what y is
        # differs from round to round, but nobody reads it: one zone as well.
        "clocks nobody reads",
        """clock x, y; process P() { state a { x <= 2 }, b; init a;
        trans a -> b { guard x >= 1; }, b -> a { assign x = 0; }; } A = P(); system A;""",
        2,
        2,
    ),
    (
        # b is left for c exactly where y - x is at least 1, that is after a round of the loop in a (y is reset never,
        # x by the loop). b has the zones y - x < 1 (no round) and y - x >= 1, and so has a; c has one: 5.
        "clock differences",
        """clock x, y; process P() { state a { x <= 3 }, b { x <= 3 }, c; init a;
        trans a -> a { guard x >= 1; assign x = 0; }, a -> b { }, b -> c { guard y - x >= 1; }; } A = P(); system A;""",
        3,
        5,
    ),
]


@pytest.mark.parametrize(("text", "discrete", "stored"), [model[1:] for model in MODELS], ids=[m[0] for m in MODELS])
def test_states_are_those_counted_by_hand(text: str, discrete: int, stored: int) -> None:
    network, _ = read("m.xta", text.encode())
    for order in (Order.BREADTH_FIRST, Order.DEPTH_FIRST, Order.LARGEST_FIRST):
        search = ZoneSearch(network, (), order)
        outcome = search.run()
        assert isinstance(outcome, Exhausted)
        assert (outcome.statistics.discrete_states, outcome.statistics.stored) == (discrete, stored)
        assert isinstance(check(network, (), search.states()), Inductive)
    assert twin.explore(network, ()).states == stored

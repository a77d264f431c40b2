"""The language from the file to the answer: a small model for each part of it, with answers worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import argosy

pytest.importorskip("argosy.kernel._zones", reason="the native kernel is not built")

CASES: dict[str, tuple[str, dict[str, bool | None]]] = {
    "channel priorities without default": (
        """
        broadcast chan a, b; int[0,3] n;
        process P() { state S, A, B, T; init S; trans S -> A { sync a!; }, S -> B { sync b!; }, S -> T { }; }
        Q = P(); chan priority a < b; system Q;
        """,
        {
            "E<> Q.B": True,
            "E<> Q.A": False,
            "E<> Q.T": False,
        },
    ),
    "channel priorities": (
        """
        broadcast chan a, b;
        process P() { state S, A, B, T; init S; trans S -> A { sync a!; }, S -> B { sync b!; }, S -> T { }; }
        Q = P(); chan priority a < b < default; system Q;
        """,
        {
            "E<> Q.T": True,
            "E<> Q.B": False,
        },
    ),
    "process priorities": (
        """
        int n; clock x;
        process P(const int k) { state S, A; init S; trans S -> A { guard n == 0; assign n = k; }; }
        A = P(1); B = P(2); system A < B;
        """,
        {
            "E<> n == 2": True,
            "E<> n == 1": False,
        },
    ),
    "process priorities and time": (
        """
        int n; clock x;
        process L() { state S, A; init S; trans S -> A { guard n == 0; assign n = 1; }; }
        process H() { state S, A; init S; trans S -> A { guard n == 0 && x >= 2; assign n = 2; }; }
        A = L(); B = H(); system A < B;
        """,
        {
            "E<> n == 1 && x < 2": True,
            "E<> n == 1 && x > 2 && A.A && B.S": True,
            "E<> n == 2": True,
            "A[] n == 2 imply x >= 2": True,
        },
    ),
    "meta variables": (
        """
        meta int m; int r;
        process P() { state S, T; init S; trans S -> T { assign m = 5, r = m + 1; }; }
        Q = P(); system Q;
        """,
        {
            "E<> r == 6": True,
            "A[] r != 5": True,
        },
    ),
    "meta variables that carry a value": (
        """
        meta int[0,7] buf; int[0,7] got; chan c;
        process S() { state A, B; init A; trans A -> B { select v : int[2,4]; sync c!; assign buf = v; }; }
        process R() { state A, B; init A; trans A -> B { sync c?; assign got = buf, buf = 0; }; }
        X = S(); Y = R(); system X, Y;
        """,
        {
            "E<> got == 3": True,
            "E<> got == 5": False,
            "A[] Y.B imply got >= 2 && got <= 4": True,
        },
    ),
    "scalar sets": (
        """
        typedef scalar[3] id; int[0,3] count; bool in[id]; chan c[id];
        process P(const id me) { state A, B; init A; trans A -> B { sync c[me]!; assign in[me] = true, count++; }; }
        process Q() { state S; init S; trans S -> S { select i : id; guard !in[i]; sync c[i]?; }; }
        system P, Q;
        """,
        {
            "E<> count == 3": True,
            "E<> forall (i : id) in[i] && P(i).B": True,
            "A[] forall (i : id) in[i] imply P(i).B": True,
            "E<> exists (i : id) P(i).B && count == 0": False,
        },
    ),
    "partial instantiation": (
        """
        int[0,20] r; const int N = 3;
        process P(int[0,20] &v, const int a, const int[0,2] b) {
            state A, B; init A;
            trans A -> B { assign v = v + a + b; }; }
        H(const int[0,2] k) = P(r, N, k); One = H(2); system H, One;
        """,
        {
            "E<> r == 3 + 4 + 5 + 5": True,
            "E<> H(1).B && r == 4": True,
            "E<> One.B && r == 5": True,
            "E<> r == 2": False,
        },
    ),
    "free bounded parameters": (
        """
        typedef int[0,2] id; bool b[id]; clock x[id];
        process P(const id i, const int[0,1] j) {
            state A, B; init A;
            trans A -> B { guard x[i] >= 1 && j == 1; assign b[i] = true, x[i] = 0; }; }
        system P;
        """,
        {
            "E<> forall (i : id) P(i,1).B": True,
            "E<> P(0,0).B": False,
            "A[] sum (i : id) b[i] <= 3": True,
        },
    ),
    "structs": (
        """
        typedef struct { int[0,9] a; bool b; int c[2]; clock x; } rec; typedef struct { int p; int q; } pt;
        rec s; pt ps[2] = { {1, 2}, {3, 4} }; pt t;
        process P() {
            state A, B, C; init A;
            trans A -> B { guard s.x >= 2; assign s.a = ps[1].q, s.c[1] = s.a * 2, t = ps[0], s.x = 0; },
         B -> C { guard t == ps[0] && s.x <= 1; assign s.b = true; }; }
        Q = P(); system Q;
        """,
        {
            "E<> Q.C && s.c[1] == 8 && s.b && t.q == 2": True,
            "A[] s.b imply Q.C": True,
            "E<> Q.B && s.a != 4": False,
        },
    ),
    "functions with loops": (
        """
        const int N = 5; int a[N] = {5, 3, 4, 1, 2}; int total;
        void swap(int &x, int &y) { int t = x; x = y; y = t; }
        void sort() {
            int i, j;
            for (i = 0; i < N; i++) for (j = 0; j < N - 1; j++) if (a[j] > a[j + 1]) swap(a[j], a[j + 1]);
        }
        int gcd(int x, int y) { while (y != 0) { int r = x % y; x = y; y = r; } return x; }
        int digits(int n) { int d = 0; do { n /= 10; d++; } while (n > 0); return d; }
        int every() { int s = 0; for (i : int[0, N - 1]) s += a[i]; return s; }
        bool sorted() { return forall (i : int[0, N - 2]) a[i] <= a[i + 1]; }
        process P() {
            state A, B; init A;
            trans A -> B { assign sort(), total = gcd(48, 36) + digits(1234) + every(); }; }
        Q = P(); system Q;
        """,
        {
            "E<> Q.B && sorted() && total == 12 + 4 + 15": True,
            "E<> Q.A && sorted()": False,
            "A[] Q.B imply a[0] == 1 && a[4] == 5": True,
        },
    ),
    "quantifiers and selections": (
        """
        int[0,9] v[3]; const int w[3] = {2, 4, 6};
        process P() {
            state A, B; init A;
            trans A -> B { select i : int[0,2], k : int[1,3];
                guard exists (j : int[0,2]) w[j] == i + k;
                assign v[i] = sum (j : int[0,2]) w[j] > k ? 1 : 0; }; }
        Q = P(); system Q;
        """,
        {
            "E<> v[0] == 2": True,
            "E<> v[0] == 3": False,
            "E<> v[1] == 3": True,
            "E<> v[2] == 2": True,
            "E<> v[1] == 1": False,
            "A[] Q.B imply exists (i : int[0,2]) v[i] > 0": True,
            "E<> sum (i : int[0,2]) v[i] > 3": False,
        },
    ),
    "urgent channels, urgent and committed locations": (
        """
        urgent chan u; clock x; int n; chan c;
        process P() {
            state A, B, C; commit B; urgent C; init A;
            trans A -> B { sync u!; },
                B -> C { assign n = 1; }; }
        process Q() { state A, B; init A; trans A -> B { sync u?; }; }
        process R() { state A, B; init A; trans A -> B { guard n == 0; assign n = 2; }; }
        X = P(); Y = Q(); Z = R(); system X, Y, Z;
        """,
        {
            "E<> X.B && Z.B": True,
            "E<> X.C && x > 0": False,
            "E<> X.A && x > 0": False,
            "A[] x == 0": True,
        },
    ),
    "old syntax": (
        """
        clock x; int i := 0; const N 3; chan go;
        process P {
            state a { x <= N }, b, c; init a;
            trans a -> b { guard x >= 1, x <= 2; sync go!; assign x := 0, i := i + 1; },
                -> c { guard x == 3; }; }
        process R { state s; init s; trans s -> s { sync go?; }; }
        system P, R;
        """,
        {
            "E<> P.b and i == 1": True,
            "E<> P.c": True,
            "E<> P.c and x < 3": False,
        },
    ),
    "clock guards of broadcast receivers": (
        """
        broadcast chan b; clock x; int n;
        process S() { state A, B; init A; trans A -> B { guard x >= 3; sync b!; }; }
        process R(const int[0,1] k) { state A, B; init A; trans A -> B { guard x <= 4; sync b?; assign n++; }; }
        X = S(); system X, R;
        """,
        {
            "E<> n == 2": True,
            "E<> X.B && n == 0 && x <= 4": False,
            "E<> X.B && n == 0": True,
            "E<> n == 1": False,
        },
    ),
    "values that leave their range": (
        """
        int[0,3] n;
        process P() { state A; init A; trans A -> A { assign n = n + 1; }; } Q = P(); system Q;
        """,
        {
            "E<> n == 3": True,
            "A[] n <= 3": None,
        },
    ),
    "deadlocks": (
        """
        clock x; process P() {
            state A { x <= 5 }, B { x <= 9 }, C; init A;
            trans A -> B { guard x >= 3; },
                B -> C { guard x <= 7; }; }
        Q = P(); system Q;
        """,
        {
            "E<> deadlock": True,
            "A[] not deadlock": False,
            "E<> deadlock && Q.A": False,
            "E<> deadlock && Q.B": True,
            "A[] deadlock imply (Q.C or x > 7)": True,
        },
    ),
    "clock differences": (
        """
        clock x, y; process P() {
            state A, B, C; init A;
            trans A -> B { guard x >= 2; assign y = 0; },
                B -> C { guard x - y == 4; }; }
        Q = P(); system Q;
        """,
        {
            "E<> Q.C": True,
            "E<> Q.C && x - y != 4": False,
            "A[] Q.C imply x >= 4": True,
        },
    ),
}
"""Model, and whether each query is satisfied; none: the model is in error before that is known."""


@pytest.mark.parametrize("part", CASES)
def test_language(part: str, tmp_path: Path) -> None:
    text, expected = CASES[part]
    path = tmp_path / "model.xta"
    path.write_text(text)
    result = argosy.verify(str(path), query="\n".join(expected), in_process=True, time_limit=60)
    assert {answer["query"]: satisfied(answer) for answer in result.queries} == expected
    assert all(answer["certificate"] for answer in result.queries if answer["verdict"] != "unknown")
    assert bool(result.ledger) == ("without default" in part)


def satisfied(answer: Mapping[str, Any]) -> bool | None:
    if answer["verdict"] == "unknown":
        return None
    return bool(answer["verdict"] == "unsafe") == str(answer["query"]).startswith("E<>")

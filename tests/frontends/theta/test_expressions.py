"""What expressions mean, seen from outside: an assumption that cannot hold blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from .reading import automaton, reached, verdict

HOLDS = (
    "-5 / 3 = -2 and -5 / -3 = 2 and 5 / -3 = -1",
    "-5 mod 3 = 1 and 5 mod -3 = 2 and -5 mod -3 = 1",
    "-5 rem 3 = 1 and 5 rem -3 = -2 and -5 rem -3 = -1 and 5 rem 3 = 2 and -6 rem 3 = 0",
    "4 % 5 + 1 % 5 = 1 and 4 % 5 < 1 and 1 % 3 * 3 = 1 and 2 / (4 % 1) = 1 % 2",
    "not 1 = 2",
    "not (1 = 2) and true",
    "1 + 2 * 3 = 7 and 7 - 2 - 1 = 4 and 12 / 2 / 3 = 2",
    "false imply false imply false",
    "not ((false imply false) imply false)",
    "(true xor true xor true) iff true",
    "if 1 < 2 then 3 = 3 else if 2 < 1 then false else false",
    "(if false then 1 else if false then 2 else 3) = 3",
    "4'd5 = 4'b0101 and 4'x5 = 4'd5 and 4'd-1 = 4'b1111 and 4'd15 = 4'd-1",
    "2'b10 ++ 2'b01 ++ 1'b1 = 5'b10011",
    "5'b10011[5:3] = 2'b10 and 5'b10011[1:0] = 1'b1",
    "(2'b10 bv_zero_extend bv[4]) = 4'b0010 and (2'b10 bv_sign_extend bv[4]) = 4'b1110",
    "4'b0001 bvror 4'd1 = 4'b1000 and 4'b1000 bvrol 4'd5 = 4'b0001 and 4'b1010 bvrol 4'd0 = 4'b1010",
    "4'd-7 bvsmod 4'd3 = 4'd2 and 4'd7 bvsmod 4'd-3 = 4'd-2 and 4'd-7 bvsrem 4'd3 = 4'd-1",
    "4'd-7 bvsmod 4'd0 = 4'd-7 and 4'd7 bvsmod 4'd0 = 4'd7",
    "4'd3 bvult 4'd-1 and 4'd-1 bvslt 4'd3 and 4'd-1 bvuge 4'd3 and 4'd3 bvsge 4'd-1 and 4'd3 bvugt 4'd2",
    "(4'b1000 bvashr 4'd1) bvlshr 4'd1 = 4'b0110 and bvnot 4'b0101 = 4'b1010 and bvneg 4'd1 = 4'd15",
    "[0 <- 1, 1 <- 2, default <- 0][1] = 2 and [0 <- 1, default <- 7][5] = 7",
    "[0 <- 1, 0 <- 2, default <- 0][0] = 2",
    "[<int>default <- true][3 <- false][3] = false",
    "[<int>default <- 0] = [0 <- 0, default <- 0] and [<int>default <- 0] /= [0 <- 1, default <- 0]",
)


def test_what_holds_is_passed(tmp_path: Path) -> None:
    assert reached(tmp_path, " ".join(f"assume ({condition})" for condition in HOLDS))


@pytest.mark.parametrize("condition", HOLDS)
def test_the_negation_of_what_holds_blocks(tmp_path: Path, condition: str) -> None:
    assert not reached(tmp_path, f"assume not ({condition})")


def test_a_negation_reaches_over_a_comparison(tmp_path: Path) -> None:
    assert reached(tmp_path, "x := 2 assume not x = 1")
    assert not reached(tmp_path, "x := 1 assume not x = 1")


def test_integers_become_rationals_where_they_meet(tmp_path: Path) -> None:
    assert not reached(tmp_path, "r := x assume r = 1 % 2", "var r : rat var x : int")
    assert reached(tmp_path, "assume r * 2 = x and x = 1 and r < 1", "var r : rat var x : int")


def test_a_division_by_zero_has_a_value_that_nobody_knows(tmp_path: Path) -> None:
    """What holds for every value is proved; a counterexample that depends on it is none."""
    assert not reached(tmp_path, "y := 0 x := 1 / y assume x < 0 and x > 0")
    assert verdict(tmp_path, "cfa", automaton("y := 0 x := 1 / y assume x = 0")).startswith("unknown: unsupported")
    assert verdict(tmp_path, "cfa", automaton("y := 0 x := 1 mod y assume x = 7")).startswith("unknown: unsupported")
    assert reached(tmp_path, "y := 2 x := 4 / y assume x = 2")


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("8'd0.23'd0 = -8'd0.23'd0", True),
        ("8'd127.23'd0 + 8'd127.23'd0 = 8'd128.23'd0", True),
        ("8'd255.23'd1 = 8'd255.23'd1", False),
        ("fpisnan (8'd255.23'd0 fpsub 8'd255.23'd0)", True),
        ("4'd7.3'd0 fpdiv[RTP] 4'd8.3'b100 > 4'd7.3'd0 fpdiv[RTN] 4'd8.3'b100", True),
        ("fptofp[11:53][RNE] 5'b10010.10'd0 = fpfrombv[11,53][u][RNE] 4'd8", True),
        ("fpfrombv[8:24][s] 4'd8 = - (fpfrombv[8:24][u] 4'd8)", True),
        ("fpabs (- 8'd3.23'd5) = 8'd3.23'd5", True),
        ("8'd1.23'd0 < 8'd1.23'd1 and - 8'd1.23'd1 < 8'd1.23'd0 and - 8'd1.23'd1 <= - 8'd1.23'd0", True),
    ],
)
def test_floating_point(tmp_path: Path, condition: str, holds: bool) -> None:
    assert reached(tmp_path, f"assume {condition}") == holds

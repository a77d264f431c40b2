"""Theta's transition systems: initial states, steps, invariants, names and parameters, several properties."""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.basics.errors import InputError, UnsupportedError

from .reading import LIMIT, complaint, verdict


def system(body: str, good: str) -> str:
    return f"specification S {{ property p : {{ var x : int var b : bool {body} }} models G({good}) }}"


@pytest.mark.parametrize(
    ("body", "good", "expected"),
    [
        ("initial x = 0 transition if x < 3 then x' = x + 1 or x' = 0 else x' = 0", "x <= 3", "safe"),
        ("initial x = 0 transition if x < 3 then x' = x + 1 or x' = 0 else x' = 0", "x < 3", "unsafe"),
        # Initial states count, and what nothing is said about is arbitrary.
        ("initial x = 0 transition x' = 1", "x = 1", "unsafe"),
        ("initial x = 0 transition x' = x", "not b", "unsafe"),
        ("initial x = 0", "x < 9", "unsafe"),
        # Invariants hold in initial states, and before and after steps.
        ("invariant x >= 0 and x <= 2 transition x' = x + 1", "x <= 2", "safe"),
        ("invariant x >= 1 initial x <= 1 transition x' = x", "x = 1", "safe"),
        # Several formulas are a conjunction; expressions may be primed as a whole.
        (
            "initial x = 0 initial b transition (x + 1)' = x + 2 transition b' equal not b",
            "b equal x mod 2 = 0",
            "safe",
        ),
        ("initial x = 0 and not b transition b' transition x' = (if b then x + 1 else x)", "x = 0 or b", "safe"),
        ("initial x = 5 transition x' = x rem -3", "x = 5 or x = -2 or x = -1", "safe"),
    ],
)
def test_reachable_states(tmp_path: Path, body: str, good: str, expected: str) -> None:
    assert verdict(tmp_path, "sts", system(body, good)) == expected


NAMED = """specification S {
  const limit : int := 3
  system upto(n : int) := {
    const k : int
    var x : int
    initial x = 0 and k >= 0 and k <= n
    transition x' = (if x < k then x + 1 else x)
  }
  system plain := upto(limit)
  property small : plain models G(x <= limit)
  property smaller : plain models G(x < limit)
  property other : upto(2) models G(x <= 2 and k <= 2)
}
"""


def test_names_parameters_and_constants(tmp_path: Path) -> None:
    assert verdict(tmp_path, "system", NAMED, "small") == "safe"
    assert verdict(tmp_path, "system", NAMED, "smaller") == "unsafe"
    assert verdict(tmp_path, "system", NAMED, "other") == "safe"


def test_each_property_of_a_system_has_its_answer(tmp_path: Path) -> None:
    path = tmp_path / "m.sts"
    path.write_text(NAMED.replace("property other : upto(2) models G(x <= 2 and k <= 2)", ""))
    result = argosy.verify(path, time_limit=LIMIT, in_process=True)
    found = [(answer["text"], answer["verdict"]) for answer in result.answers]
    assert found == [("small: G (x <= limit)", "safe"), ("smaller: G (x < limit)", "unsafe")]


def test_properties_of_several_systems_are_asked_one_by_one() -> None:
    said = complaint("sts", NAMED, UnsupportedError)
    assert "choose one of them with --property (small, smaller, other)" in said


def test_a_property_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no property large; there are: small, smaller, other"):
        verdict(tmp_path, "sts", NAMED, "large")

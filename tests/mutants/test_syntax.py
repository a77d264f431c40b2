"""Mutants find their place by what is said there, and crashes do not count."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from .mutation import Mutant, caught, mutated
from .syntax import replaced

FUNCTION = """
def first(nodes, bound):
    # a comment
    for node in nodes:
        if (node.weight
                <= bound) and node is not None:
            return node
    while bound: bound -= 1
    match bound:
        case 0 | 1:
            return "none"
    return bound
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("node.weight <= bound", "True", "if True and node is not None:"),
        ("one.weight <= most", "most < one.weight", "if bound < node.weight and node is not None:"),
        ("one.weight <= one", "True", None),
        ("... and one is not None", "...", "if node.weight <= bound:"),
        ("while bound: ...", "if bound: ...", "    if bound:\n        bound -= 1"),
        ("bound -= 1", "pass", "    while bound:\n        pass"),
        ("case 0 | 1", "case 0", "case 0:"),
        ("'none'", "None", "return None"),
        ("return bound", "return 0", "    return 0"),
        ("return len", "return 0", None),
    ],
)
def test_a_piece_is_found_by_its_form(old: str, new: str, expected: str | None) -> None:
    """Whatever its layout, and whatever its local variables are called; a name that means something is that name."""
    if expected is None:
        with pytest.raises(LookupError, match="outdated"):
            replaced(ast.parse(FUNCTION), old, new, 0, ("len",), "first")
    else:
        assert expected in ast.unparse(
            ast.fix_missing_locations(replaced(ast.parse(FUNCTION), old, new, 0, (), "first"))
        )


def test_of_several_pieces_one_is_chosen() -> None:
    tree = "def f(x):\n    return x + 1, x + 1"
    for nth, expected in ((1, "return (0, x + 1)"), (2, "return (x + 1, 0)")):
        assert expected in ast.unparse(replaced(ast.parse(tree), "x + 1", "0", nth, (), "f"))
    for nth in (0, 3):
        with pytest.raises(LookupError, match="2 times"):
            replaced(ast.parse(tree), "x + 1", "0", nth, (), "f")


def weighed(weight: int) -> int:
    return weight + 1


def detector() -> None:
    assert weighed(1) == 2


CAUGHT = Mutant("less", f"{__name__}:weighed", "weight + 1", "weight", detector)


def test_what_breaks_is_not_caught_unless_it_is_said() -> None:
    assert caught(CAUGHT)
    crash = replace(CAUGHT, new="weight.nothing")
    with pytest.raises(AttributeError):
        caught(crash)
    assert caught(replace(crash, breaks=(AttributeError,)))
    assert not caught(replace(CAUGHT, new="1 + weight"))
    with mutated(CAUGHT):
        assert weighed(1) == 1
    assert weighed(1) == 2

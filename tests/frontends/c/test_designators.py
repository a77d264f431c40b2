"""Older and wider ways of GNU C to write initialisers."""

from __future__ import annotations

import pytest

from argosy.basics.errors import UnsupportedError

from .running import final, read


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int a[6] = { [1 ... 3] = 7, 9 }; r = a[0] + a[1] + a[3] + a[4];", 23),
        ("int a[] = { [0 ... 0x4] = 2, [2] = 5 }; r = sizeof a / sizeof *a + a[2] + a[3];", 12),
        ("struct { int x, y; } a[3] = { [0 ... 1].y = 4 }; r = a[0].y + a[1].y + a[1].x;", 8),
        ("int a[3] = { [1] 42 }; r = a[1];", 42),
        ("struct { int y, z; } s = { z: 1, y: 5 }; r = s.z * 10 + s.y;", 15),
        ("struct { struct { int u; } s; int a[2]; } x = { s: { u: 3 }, a: { [1] 4 } }; r = x.s.u + x.a[1];", 7),
        ("struct { int y; } s = { .y = r ? 1 : 2 }; r = s.y;", 2),
        ("{ l: r++; if (r < 3) goto l; }", 3),
        ("switch (4) { case 1 ... 5: r = 6; }", 6),
        ("int f(int n, int a[*]); r = 8;", 8),
    ],
)
def test_designators(body: str, expected: int) -> None:
    assert final(body, "int r;")["r"] == expected


@pytest.mark.parametrize("value", ["f()", "r++", "r = 2"])
def test_a_range_whose_value_has_effects_is_refused(value: str) -> None:
    with pytest.raises(UnsupportedError, match=r":1:\d+: an effect in the value of a range of elements"):
        read(f"int r, f(void); int main(void) {{ int a[3] = {{ [0 ... 2] = {value} }}; r = a[0]; }}")

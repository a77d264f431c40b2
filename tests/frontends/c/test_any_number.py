"""Blocks in any number whose lifetimes are kept account of: whatever is a violation among some blocks is one here, or
in doubt, because it is not known who owns a block; and lists that are made, changed and freed are proved."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import argosy
from argosy.logic.semantics import Value
from argosy.models.cfa import Edge
from argosy.problem.property import NAMED

from .running import read
from .test_memory_safety import BEFORE, DEREFERENCE, FREE, TRACK
from .violating import UNKNOWN, _Run, violation


class _AnyNumber(_Run):
    """Each block gets an address that no other had, or, where they are used ``again``, the last one that is free."""

    made = 0
    again = False

    def _choose(self, edge: Edge, variable: Any) -> Value:
        if edge.choice is None and variable.sort.is_bits and variable not in self._cfa.opaque:
            self.made += 0 if self.again else 1
            return self.made << 16
        return super()._choose(edge, variable)


def _in_any_number(source: str, choices: tuple[int, ...] = (), property: str = "valid-memsafety") -> str | None:
    cfa = read(source, errors=NAMED[property].errors, unbounded=True, any_number=True, deepest=10).cfa
    found = _AnyNumber(cfa, choices).violations()
    return found[0] if found else None


@pytest.mark.parametrize(("body", "expected"), DEREFERENCE)
def test_what_is_followed(body: str, expected: str | None) -> None:
    found = _in_any_number(f"{BEFORE}\nint main(void) {{ {body} }}", (0x7000_0000,) * 4)
    assert found in (expected, UNKNOWN) or expected == UNKNOWN


@pytest.mark.parametrize(("body", "expected"), FREE)
def test_what_is_freed(body: str, expected: str | None) -> None:
    found = _in_any_number(f"{BEFORE}\nint main(void) {{ {body} }}", (0x7000_0000,), "valid-free")
    assert found in (expected, UNKNOWN)


@pytest.mark.parametrize(("before", "body", "expected"), TRACK)
def test_what_is_lost(before: str, body: str, expected: str | None) -> None:
    found = _in_any_number(f"{BEFORE}{before}\nint main(void) {{ {body} }}")
    assert found in (expected, UNKNOWN)


OPERATIONS = (
    "{x} = malloc(sizeof *{x}); {x}->next = 0; {x}->prev = 0;",
    "{x} = {y};",
    "{x} = 0;",
    "if ({x}) {x}->next = {y};",
    "if ({x}) {x}->prev = {y};",
    "if ({y}) {x} = {y}->next;",
    "if ({y}) {x} = {y}->prev;",
    "if ({x} && {y}) {{ {x}->next = {y}->next; {y}->next = {x}; }}",
    "if ({x} && {x}->next) {x}->next = {x}->next->next;",
    "if ({x}) {{ struct d *t = {x}->next; free({x}); {x} = t; }}",
    "{{ struct d *t = malloc(sizeof *t); t->next = {x}; t->prev = 0; {x} = t; }}",
)


def _random_program(seed: int) -> str:
    choose = random.Random(seed)
    names = ("a", "b", "c")
    lines = [choose.choice(OPERATIONS).format(x=choose.choice(names), y=choose.choice(names)) for _ in range(12)]
    body = "\n  ".join(lines)
    start = "struct d { struct d *next, *prev; int v; };"
    # What static variables hold is not lost at the end.
    lives = "static " if seed % 2 else ""
    return f"{BEFORE}{start}\nint main(void) {{ {lives}struct d *a = 0, *b = 0, *c = 0;\n  {body}\n  return 0; }}"


@pytest.mark.parametrize("first", range(0, 120, 30))
def test_no_violation_is_missed(first: int) -> None:
    """Laws 1 to 3 of ``owners``, on random programs: what is lost among some blocks has lost its owner."""
    for seed in range(first, first + 30):
        source = _random_program(seed)
        expected = violation(source, (), "valid-memsafety", deepest=10, unbounded=True)
        found = _in_any_number(source)
        assert found in (expected, UNKNOWN), source


LIST = """
extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long); extern void free(void *);
extern int __VERIFIER_nondet_int(void); struct n { struct n *next; int v; };
"""
MADE = "struct n *h = 0; while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x); x->next = h; h = x; }"
FREED = "while (h) { struct n *t = h->next; free(h); h = t; }"
PROVED = [
    f"{MADE} {FREED}",
    "while (__VERIFIER_nondet_int()) { int *p = malloc(sizeof *p); *p = 1; free(p); }",
    "struct n *h = 0; while (__VERIFIER_nondet_int()) { struct n *x = calloc(1, sizeof *x); x->next = h; h = x; }"
    + FREED,
]
LOST = [
    f"{MADE} if (h && h->v == 7) h = h->next; {FREED}",
    f"{MADE} h = 0;",
    f"{MADE} struct n *p = h; while (p && p->v != 3) p = p->next; if (p) p->next = 0; p = 0; {FREED}",
    f"{MADE} while (h) {{ struct n *t = h->next; if (h->v != 20) free(h); h = t; }}",
    "while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x); x->next = x; }",
    "while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x), *y = malloc(sizeof *y); x->next = y; "
    "y->next = x; }",
    f"{MADE} struct n *l = h; int c = 0; while (l && l->next) {{ l = l->next; c++; }} {FREED} if (c > 14) free(l);",
    f"{MADE} int c = 0; while (h) {{ struct n *t = h->next; free(h); if (++c > 14) t = h->next; h = t; }}",
    f"{MADE} while (h) {{ struct n *t = h->next; free(&h->v); h = t; }}",
]


def _verified(path: Path, body: str, property: str = "valid-memsafety") -> argosy.Result:
    path.write_text(f"{LIST}int main(void) {{ {body} return 0; }}")
    return argosy.verify(str(path), property=property, strategy="objects", time_limit=120)


@pytest.mark.parametrize(
    ("property", "wrong"),
    [
        ("valid-deref", f"{MADE} while (h) {{ struct n *t = h->next; free(h); if (h->v > 20) h->v = 0; h = t; }}"),
        ("valid-free", f"{MADE} struct n *l = h; {FREED} free(l);"),
        ("valid-memcleanup", f"{MADE} if (h && h->v == 7) h = h->next; {FREED}"),
    ],
)
def test_one_property_alone(tmp_path: Path, property: str, wrong: str) -> None:
    assert _verified(tmp_path / "list.c", f"{MADE} {FREED}", property).verdict == "safe"
    assert _verified(tmp_path / "list.c", wrong, property).verdict != "safe"


@pytest.mark.parametrize("body", PROVED)
def test_lists_are_proved(tmp_path: Path, body: str) -> None:
    result = _verified(tmp_path / "list.c", body)
    assert result.verdict == "safe" and result.certified
    assert any("there is an address at which no block is" in note for note in result.ledger)


@pytest.mark.parametrize("body", LOST)
def test_what_is_lost_is_not_proved(tmp_path: Path, body: str) -> None:
    assert _verified(tmp_path / "list.c", body).verdict != "safe"

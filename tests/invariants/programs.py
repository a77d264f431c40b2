"""Small C programs and their models over integers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from argosy.frontends.c.load import load
from argosy.logic.terms import Terms
from argosy.models.cfa import Cfa, Reading
from argosy.models.integers import integers
from argosy.models.reduce import reduce

_PREFIX = """
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
void check(int condition) { if (!condition) reach_error(); }
"""


def bit_model(body: str) -> Cfa:
    """The reduced model of a program whose ``main`` is ``body``."""
    with TemporaryDirectory() as directory:
        path = Path(directory) / "program.i"
        path.write_text(f"{_PREFIX}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
        program = load(str(path), terms=Terms(), data_model="ILP32")
    return reduce(program.cfa, reading=Reading.UNDEFINED).cfa


def integer_model(body: str) -> Cfa:
    """The same over integers."""
    return integers(bit_model(body)).cfa

"""Short models for tests, and what they come out as."""

from __future__ import annotations

from argosy.basics.errors import InputError
from argosy.frontends.armc import read
from argosy.logic.terms import Terms
from argosy.models.cfa import Cfa
from argosy.models.program import Program

HEAD = "start(pc(a)). error(pc(b)).\n"


def model(text: str, terms: Terms | None = None, numbers: str | None = None) -> Program:
    return read("m.armc", text, terms=terms or Terms(), numbers=numbers)


def one_step(guards: str, updates: str, data: str = "X, Y", primed: str = "Xp, Yp", facts: str = "") -> Cfa:
    """A model of one transition over x and y."""
    clause = f"r(p(pc(a), data({data})), p(pc(b), data({primed})), [{guards}], [{updates}], 1).\n"
    names = "var2names(p(_, data(X, Y)), [(X, 'x'), (Y, 'y')]).\n"
    return model(HEAD + facts + names + clause).cfa


def complaint(text: str) -> str:
    """The message for a text that cannot be read."""
    try:
        model(text)
    except InputError as error:
        return str(error)
    raise AssertionError("it was read")

"""Terms as SMT-LIB 2.6 text, and back.

Law: ``parse_term(terms, to_smtlib(t), {v.name: v for v in variables(t)}) is t``. The parser reads more than the printer
writes: every operator of the theories Core, Ints, Reals, Reals_Ints, ArraysEx and FixedSizeBitVectors, also those that
``Terms`` normalises away. A quoted symbol is never read as an operator.
"""

from __future__ import annotations

from collections.abc import Iterable

from argosy.logic.smtlib_parser import SmtLibError, parse_sort, parse_term
from argosy.logic.smtlib_printer import symbol, to_smtlib
from argosy.logic.terms import Term

__all__ = ["SmtLibError", "declarations", "parse_sort", "parse_term", "symbol", "to_smtlib"]


def declarations(variables: Iterable[Term]) -> str:
    """One ``declare-const`` line for each variable."""
    return "".join(f"(declare-const {symbol(v.name)} {v.sort})\n" for v in variables)

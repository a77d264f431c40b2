"""Precisions as text: what is tracked where, as SMT-LIB terms.

    (arithmetic int)              ; the sorts of the variables: int (as if nothing is said), real or bits
    (at L7 (<= x 3) (= lock 1))   ; at a location, by the name that proofs and pictures show
    (line 12 (< x y))             ; at all locations of a line of the input
    (in main (= state 2))         ; in a function
    (everywhere (>= n 0))

Law: what was written is read back as the same precision of the same model. Predicates over integers are read by an
analysis on bits as the same statements about numbers. Whoever tracks variables writes variables in place of terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.domains.precision import Precision
from argosy.logic.smtlib import symbol, to_smtlib
from argosy.logic.smtlib_parser import Entry, Expression, SmtLibError, parse_entries, parse_expression, parse_word
from argosy.logic.sorts import BOOL, INT
from argosy.logic.terms import Term
from argosy.logic.widen import to_bits
from argosy.models.cfa import Location
from argosy.options.programs import ExplicitOptions, ProductOptions
from argosy.strategies.setting import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

ARITHMETICS = ("int", "real", "bits")


def write_precision(path: str, precision: Precision, setting: Setting[Any]) -> None:
    """InputError where the file cannot be written."""
    lines = [f"; {setting.cfa.name}".rstrip(), f"(arithmetic {setting.arithmetic})"]
    for scope, tracked in precision.tracked.items():
        if not tracked:
            continue
        match scope:
            case Location():
                line = f" ; line {scope.position.line}" if scope.position.line else ""
                head = f"(at L{scope.index}{line}"
            case None:
                head = "(everywhere"
            case _:
                head = f"(in {symbol(str(scope))}"
        lines += ["", head, *(f"  {to_smtlib(term)}" for term in tracked), ")"]
    with _as_input_error(path), open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def read_precision(path: str, setting: Setting[Any]) -> list[tuple[Location, tuple[Term, ...]]]:
    """What is tracked at the locations of the setting's model. InputError, with line and column, where the file is no
    precision of it."""
    with _as_input_error(path):
        with open(path, encoding="utf-8") as file:
            entries = parse_entries(file.read())
        reader = _PrecisionReader(setting)
        return [found for entry in entries for found in reader.entry(entry)]


@contextmanager
def _as_input_error(path: str) -> Iterator[None]:
    try:
        yield
    except SmtLibError as error:
        raise InputError(Position(path, error.line, error.column), error.message) from None
    except OSError as error:
        raise InputError(Position(path, 0), error.strerror or "cannot be used") from None
    except UnicodeDecodeError:
        raise InputError(Position(path, 0), "not a text in UTF-8") from None


class _PrecisionReader:
    def __init__(self, setting: Setting[Any]) -> None:
        self._setting = setting
        self._locations = setting.cfa.locations
        self._own: Mapping[str, Term] = {v.term.name: v.term for v in setting.cfa.variables}
        self._declared = {v.term.name: v for v in setting.cfa.variables}
        self._arithmetic = "real" if setting.arithmetic == "real" else "int"
        self._tracks_variables = isinstance(setting.options, ExplicitOptions | ProductOptions)
        self._tracks_predicates = not isinstance(setting.options, ExplicitOptions)

    def entry(self, entry: Entry) -> Iterable[tuple[Location, tuple[Term, ...]]]:
        if entry.head == "arithmetic":
            self._use(entry)
            return ()
        locations, items = self._scope(entry)
        terms = tuple(term for item in items for term in self._terms(item))
        return [(location, terms) for location in locations]

    def _use(self, entry: Entry) -> None:
        said = parse_word(entry.items[0]) if len(entry.items) == 1 else ""
        if said not in ARITHMETICS:
            raise SmtLibError(f"arithmetic is one of {', '.join(ARITHMETICS)}", entry.line, entry.column)
        own = self._setting.arithmetic
        if said != own and (said, own) != ("int", "bits"):
            raise SmtLibError(f"the terms are over {said}, and the analysis is over {own}", entry.line, entry.column)
        self._arithmetic = said

    def _scope(self, entry: Entry) -> tuple[Sequence[Location], Sequence[Expression]]:
        if entry.head == "everywhere":
            return self._locations, entry.items
        fits: Mapping[str, Callable[[Location, str], bool]] = {
            "at": lambda location, name: name in (f"L{location.index}", location.label or None),
            "line": lambda location, name: name == str(location.position.line),
            "in": lambda location, name: name == location.function,
        }
        if entry.head not in fits:
            raise SmtLibError(
                f"expected arithmetic, everywhere, {', '.join(fits)}; not {entry.head}", entry.line, entry.column
            )
        if not entry.items:
            raise SmtLibError(f"{entry.head} what?", entry.line, entry.column)
        name = parse_word(entry.items[0])
        found = [location for location in self._locations if fits[entry.head](location, name)]
        if not found:
            raise SmtLibError(
                f"the model has nothing {entry.head} {name} (any more: it may have been contracted)",
                entry.line,
                entry.column,
            )
        return found, entry.items[1:]

    def _terms(self, item: Expression) -> Iterable[Term]:
        """The one term, in the arithmetic of the analysis; none for a constant, which says nothing."""
        terms = self._setting.terms
        on_bits = self._setting.arithmetic == "bits"
        if self._tracks_variables:
            term = parse_expression(terms, item, self._own)
            if term.is_var:
                return (term,)
            if not self._tracks_predicates:
                raise SmtLibError("a variable is tracked here, not a term", item.line, item.column)
        widen = on_bits and self._arithmetic == "int"
        numbers = {name: t if t.sort is BOOL else terms.var(name, INT) for name, t in self._own.items()}
        term = parse_expression(terms, item, numbers if widen else self._own)
        if term.sort is not BOOL:
            raise SmtLibError(f"a predicate is true or false, and this is {term.sort}", item.line, item.column)
        said = to_bits(terms, term, self._declared) if widen else term
        if said is None:
            raise SmtLibError("this has no meaning on bit-vectors", item.line, item.column)
        return () if said.is_const else (said,)

"""An automaton over linear arithmetic as ARMC's clauses, which read back as the same automaton.

Every edge is one clause in the style of InvGen's front end: old and new values by name, what does not change said
explicitly. A condition that is no conjunction is written with ``;``, which ARMC itself does not read.

Law: reading what was written gives the same locations, variables, predicates and edges in the same order, each edge
relating the same values. Whatever cannot be said in clauses is refused with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from argosy.basics.errors import InputError
from argosy.frontends.armc.lexer import Source
from argosy.frontends.armc.load import forbidden_in_names
from argosy.frontends.armc.render import NotLinear, constraint, expression
from argosy.frontends.armc.syntax import Compound, Reader, quoted, text
from argosy.logic.sorts import INT, REAL
from argosy.logic.terms import Term
from argosy.models.cfa import Cfa, Edge, Location, Reading
from argosy.models.effects import effect_of

_NO_PART_OF_A_NAME = re.compile(r"[^A-Za-z0-9]+")


class CannotBeWritten(Exception):
    """The automaton cannot be said in clauses; the message says why."""


def write(cfa: Cfa, predicates: Mapping[Location, Sequence[Term]] | None = None) -> str:
    """The text of a file. ``predicates`` become the initial precision."""
    return _Writer(cfa).text(predicates or {})


class _Writer:
    def __init__(self, cfa: Cfa) -> None:
        self._cfa = cfa
        self._terms = cfa.terms
        self._check()
        self._old = self._prolog_names()
        self._locations = self._location_names()

    def _check(self) -> None:
        cfa = self._cfa
        for refusal in cfa.opaque.values():
            raise CannotBeWritten(f"{refusal.position}: {refusal.what} is not modelled")
        for variable in cfa.variables:
            sort = variable.term.sort
            if sort not in (INT, REAL):
                raise CannotBeWritten(f"{variable.name} is of sort {sort}; clauses are about integers or rationals")
            if forbidden_in_names(variable.term.name):
                raise CannotBeWritten(f"{variable.term.name} is no name that can be read back")
        if len({variable.term.sort for variable in cfa.variables}) > 1:
            raise CannotBeWritten("integers and rationals do not go together in one file")
        if not any(cfa.initial in (edge.source, edge.target) for edge in cfa.edges):
            raise CannotBeWritten("no edge leaves the initial location")

    def _prolog_names(self) -> dict[Term, str]:
        """A Prolog variable for each variable, such that adding p gives one for its new value."""
        names: dict[Term, str] = {}
        used: set[str] = set()
        for place, variable in enumerate(self._cfa.variables):
            name = _NO_PART_OF_A_NAME.sub("_", variable.term.name)
            shown = name[0].upper() + name[1:] if name[:1].isalpha() else f"V{place + 1}"
            while used & {shown, f"{shown}p"}:
                shown += "_"
            used |= {shown, f"{shown}p"}
            names[variable.term] = shown
        return names

    def _location_names(self) -> dict[Location, str]:
        """Those that have a label keep it, if no other has the same."""
        names: dict[Location, str] = {}
        used: set[str] = set()
        for location in sorted(self._cfa.locations, key=lambda location: not location.label):
            label = location.label or f"l{location.index}"
            shown = label if _is_canonical(label) else quoted(label)
            while shown in used:
                label = f"{label}#{location.index}"
                shown = quoted(label)
            used.add(shown)
            names[location] = shown
        return names

    # ---- the file -----------------------------------------------------------------------------------------

    def text(self, predicates: Mapping[Location, Sequence[Term]]) -> str:
        cfa = self._cfa
        lines = [
            ":- multifile r/5, var2names/2, preds/2, start/1, error/1, stmtsrc/2, numbers/1.",
            f"numbers({'rational' if self._is_rational() else 'integer'}).",
            f"start(pc({self._locations[cfa.initial]})).",
            f"error(pc({self._locations[cfa.error]})).",
        ]
        names = ", ".join(f"({shown}, {quoted(variable.name)})" for variable, shown in self._old.items())
        lines.append(f"var2names(p(_, {self._data('')}), [{names}]).")
        for location, found in predicates.items():
            parts = ", ".join(self._constraint(f"a predicate at {location}", part, self._old) for part in found)
            lines.append(f"preds({self._state(location, '')}, [{parts}]).")
        for number, edge in enumerate(cfa.edges, 1):
            lines += self._edge(number, edge)
        return "\n".join(lines) + "\n"

    def _is_rational(self) -> bool:
        return any(variable.term.sort is REAL for variable in self._cfa.variables)

    def _data(self, prime: str) -> str:
        return f"data({', '.join(name + prime for name in self._old.values())})" if self._old else "data"

    def _state(self, location: Location, prime: str) -> str:
        return f"p(pc({self._locations[location]}), {self._data(prime)})"

    def _edge(self, number: int, edge: Edge) -> Iterable[str]:
        terms = self._terms
        effect = effect_of(terms, edge.operation)
        names = {**self._old, **{new: f"{self._old[variable]}p" for variable, new in effect.primed}}
        where = f"{edge.position}: {edge}" if edge.position.line else str(edge)
        guards = [check.condition for check in edge.checks if Reading.UNDEFINED.excludes(check)] + list(effect.guards)
        updates = [self._constraint(where, tie, names) for tie in effect.ties]
        values = dict(effect.definitions)
        free = {*effect.havocs, *effect.tied}
        for variable, name in self._old.items():
            if variable not in free:
                value = self._expression(where, values.get(variable, variable), names)
                updates.append(f"{name}p = {value}")
        conditions = [self._constraint(where, guard, names) for guard in guards]
        states = f"{self._state(edge.source, '')}, {self._state(edge.target, 'p')}"
        yield f"r({states}, [{', '.join(conditions)}], [{', '.join(updates)}], {number})."
        if edge.text:
            yield f"stmtsrc({number}, {quoted(edge.text)})."

    def _constraint(self, where: str, formula: Term, names: Mapping[Term, str]) -> str:
        try:
            return constraint(self._terms, formula, names.__getitem__)
        except NotLinear as problem:
            raise CannotBeWritten(f"{where}: {problem}") from None

    def _expression(self, where: str, value: Term, names: Mapping[Term, str]) -> str:
        try:
            return expression(self._terms, value, names.__getitem__)
        except NotLinear as problem:
            raise CannotBeWritten(f"{where}: {problem}") from None


def _is_canonical(label: str) -> bool:
    """Whether a label is the text of a term and read back as it is."""
    source = Source("", f"{label} .")
    try:
        clauses = list(Reader(source).clauses())
    except InputError:
        return False
    return len(clauses) == 1 and isinstance(clauses[0], Compound) and text(clauses[0]) == label

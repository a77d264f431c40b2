"""From ARMC's clauses to an automaton.

A clause ``r(p(pc(A), data(X...)), p(pc(B), data(Y...)), Guards, Updates, Id)`` is an edge from A to B which relates old
values X and new values Y by all its constraints; a new value that is not mentioned is arbitrary or, with the fact
``implicit_updates``, the old one. A variable that belongs to neither state is any number that makes the constraints
true. As in Prolog, a value may also be written in its place: ``data(X, 0)``, or the same variable twice.

Law: the automaton has exactly the executions of the clauses that start in a start location; nothing is left out but
what ``clauses.UNUSED`` lists, and the ledger says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches

from argosy.frontends.armc.clauses import Clauses, ClauseState, Transition, read_clauses
from argosy.frontends.armc.constraints import Constraints
from argosy.frontends.armc.lexer import Source
from argosy.frontends.armc.render import operation_text
from argosy.frontends.armc.syntax import Compound, LogicVariable, Number, Syntax, flattened, postorder, text
from argosy.frontends.files import read_text
from argosy.logic.sorts import INT, REAL
from argosy.logic.terms import Term, Terms
from argosy.models.cfa import Assume, Cfa, Edge, Location, Operation, Relation, Variable
from argosy.models.effects import effect_of, rebuild
from argosy.models.program import Program

# Stands for a place of a state; no variable has this name.
_PLACE = ""
# How much of two names must be the same for one to be taken for the other misspelt.
_ALIKE = 0.8


def load(path: str, *, terms: Terms, numbers: str | None = None) -> Program:
    """Reads a file of clauses. ``numbers`` is "int" or "rational"; None leaves it to the file, which is on integers
    unless it says otherwise. Raises InputError for what is no model, UnsupportedError for what is not modelled."""
    return read(path, read_text(path), terms=terms, numbers=numbers)


def read(path: str, content: str, *, terms: Terms, numbers: str | None = None) -> Program:
    """As ``load``, from the text of the file."""
    source = Source(path, content)
    clauses = read_clauses(source)
    if numbers is None:
        numbers = "rational" if clauses.numbers == "rational" else "int"
    return _Model(source, clauses, terms, rational=numbers == "rational").program()


def forbidden_in_names(name: str) -> bool:
    """Instances of variables are marked with @ and ', which names of variables must not contain."""
    return not name or not name.isprintable() or bool(set("@'|\\") & set(name))


def _without_digits(name: str) -> str:
    return "".join(char for char in name if not char.isdigit())


class _Model:
    def __init__(self, source: Source, clauses: Clauses, terms: Terms, *, rational: bool) -> None:
        self._source = source
        self._clauses = clauses
        self._terms = terms
        self._sort = REAL if rational else INT
        self._constraints = Constraints(source, terms, self._sort)
        self._locations: dict[str, Location] = {}
        if not clauses.transitions:
            raise source.error(len(source.text), "there is no transition r/5")
        self._declared = self._declare()
        self._old = tuple(variable.term for variable in self._declared)
        self._new = tuple(self._primed(old) for old in self._old)
        self._locals: list[Variable] = []

    def _primed(self, variable: Term) -> Term:
        return self._terms.var(f"{variable.name}'", variable.sort)

    # ---- variables ----------------------------------------------------------------------------------------

    def _declare(self) -> tuple[Variable, ...]:
        """The variables: one for each place of ``data``, with the names that the file gives them."""
        first = self._clauses.transitions[0].source
        given: list[str | None] = [None] * len(first.data)
        for state, pairs in self._clauses.names:
            self._check_arity(state, len(given))
            places = {arg.name: i for i, arg in enumerate(state.data) if isinstance(arg, LogicVariable)}
            for pair in pairs:
                variable, name = self._naming(pair)
                if variable.name not in places:
                    raise self._source.error(variable.offset, f"{variable.name} is not in the state that is named")
                place = places[variable.name]
                given[place] = given[place] or name
        taken = {name for name in given if name is not None}
        declared = []
        used: set[str] = set()
        for place, arg in enumerate(first.data):
            shown = given[place]
            if shown is None:
                fallback = arg.name if isinstance(arg, LogicVariable) and arg.name.strip("_") else f"v{place + 1}"
                shown = fallback if fallback not in taken else f"v{place + 1}"
            name = f"v{place + 1}" if forbidden_in_names(shown) else shown
            while name in used or (name != shown and name in taken):
                name += "_"
            used.add(name)
            position = self._source.position(arg.offset)
            declared.append(Variable(self._terms.var(name, self._sort), shown, position=position))
        return tuple(declared)

    def _naming(self, pair: Syntax) -> tuple[LogicVariable, str]:
        parts = flattened(pair, ",")
        if len(parts) == 2:
            variable, name = parts
            if isinstance(variable, LogicVariable) and isinstance(name, Compound) and not name.args:
                return variable, name.functor
        raise self._source.error(pair.offset, "expected a pair (VARIABLE, 'name')")

    def _check_arity(self, state: ClauseState, wanted: int) -> None:
        if len(state.data) != wanted:
            raise self._source.error(state.offset, f"a state has {wanted} values here, not {len(state.data)}")

    # ---- locations ----------------------------------------------------------------------------------------

    def _location(self, name: Syntax | None) -> Location:
        assert name is not None
        key = text(name)
        location = self._locations.get(key)
        if location is None:
            label = name.functor if isinstance(name, Compound) and not name.args else key
            index = len(self._locations)
            location = Location(index, position=self._source.position(name.offset), label=label, origin=index)
            self._locations[key] = location
        return location

    def _known(self, name: Syntax) -> Location:
        location = self._locations.get(text(name))
        if location is None:
            raise self._source.error(name.offset, f"no transition mentions the location {text(name)}")
        return location

    def _only(self, what: str, given: list[tuple[Syntax, int]], edges: list[Edge]) -> Location:
        """The one location of several: where there are more, a new one with edges from or to them."""
        if not given:
            raise self._source.error(len(self._source.text), f"there is no {what} location: {what}(pc(NAME))")
        found = dict.fromkeys(self._known(name) for name, _ in given)
        if len(found) == 1:
            return next(iter(found))
        index = len(self._locations)
        only = Location(index, position=self._source.position(given[0][1]), label=f"any {what}", origin=index)
        self._locations[f"any {what}"] = only
        for location in found:
            ends = (only, location) if what == "start" else (location, only)
            edges.append(Edge(*ends, Assume(self._terms.true), location.position, f"any {what}"))
        return only

    # ---- transitions --------------------------------------------------------------------------------------

    def program(self) -> Program:
        edges = [self._edge(transition) for transition in self._clauses.transitions]
        unreachable = self._unreachable(edges)
        for name, _ in self._clauses.errors:
            self._location(name)
        initial = self._only("start", self._clauses.starts, edges)
        error = self._only("error", self._clauses.errors, edges)
        locations = tuple(self._locations.values())
        cfa = Cfa(
            self._terms,
            initial,
            error,
            locations,
            tuple(edges),
            (*self._declared, *self._locals),
            name=self._source.file,
        )
        notes = dict.fromkeys(self._ledger(unreachable), "")
        return Program(cfa, self._source.file, cfa, notes=notes, predicates=self._predicates(locations))

    def _unreachable(self, edges: list[Edge]) -> list[str]:
        """What the ledger says of error locations that no transition mentions. Front ends write such a location where
        there is nothing to check; but if its name is nearly that of a dead end, it is taken for a mistake. Numbers are
        not compared: names that differ in nothing else are meant to differ."""
        errors = {text(name): name for name, _ in self._clauses.errors}
        left = {edge.source for edge in edges if edge.source is not edge.target}
        ends = [key for key, at in self._locations.items() if at not in left and key not in errors]
        said = []
        for key, name in errors.items():
            if key not in self._locations:
                other = [end for end in ends if _without_digits(end) != _without_digits(key)]
                for meant in get_close_matches(key, other, 1, _ALIKE):
                    message = f"no transition mentions the error location {key}; is {meant} meant?"
                    raise self._source.error(name.offset, message)
                dead = f" (dead ends that are not declared as errors: {', '.join(ends)})" if ends else ""
                said.append(f"no transition leads to the error location {key}{dead}")
        return said

    def _ledger(self, unreachable: list[str]) -> Iterable[str]:
        yield from unreachable
        unused = [f"{indicator} ({count})" for indicator, count in sorted(self._clauses.unused.items())]
        if unused:
            yield f"not used, since the model is the same without them: {', '.join(unused)}"

    def _edge(self, transition: Transition) -> Edge:
        clause = _Clause(self, transition)
        operation = clause.operation()
        position = self._source.position(transition.offset)
        shown = self._clauses.sources.get(text(transition.id))
        return Edge(
            self._location(transition.source.location),
            self._location(transition.target.location),
            operation,
            position,
            shown if shown is not None else operation_text(self._terms, operation),
        )

    def _local(self, name: str) -> Term:
        """A variable for a number that only one clause speaks of."""
        term = self._terms.var(f"{name}.{len(self._locals) + 1}", self._sort)
        self._locals.append(Variable(term, name))
        return term

    # ---- initial predicates -------------------------------------------------------------------------------

    def _predicates(self, locations: tuple[Location, ...]) -> dict[Location, tuple[Term, ...]]:
        found: dict[Location, dict[Term, None]] = {location: {} for location in locations}
        for state, constraints in self._clauses.predicates:
            self._check_arity(state, len(self._old))
            environment: dict[str, Term] = {}
            for arg, old in zip(state.data, self._old, strict=True):
                if not isinstance(arg, LogicVariable) or arg.name in environment:
                    raise self._source.error(arg.offset, "expected a variable of its own for each value")
                if arg.name != "_":
                    environment[arg.name] = old

            def meaning(variable: LogicVariable, known: dict[str, Term] = environment) -> Term:
                if variable.name not in known:
                    raise self._source.error(variable.offset, f"{variable.name} is not in the state")
                return known[variable.name]

            predicates = [self._constraints.formula(part, meaning) for part in constraints]
            # A predicate and its negation are one.
            kept = [p.args[0] if p.op == "not" else p for p in predicates if not p.is_const]
            at = locations if state.location is None else (self._known(state.location),)
            for location in at:
                found[location].update(dict.fromkeys(kept))
        return {location: tuple(terms) for location, terms in found.items() if terms}


class _Clause:
    """One transition: what its variables mean, and what it does."""

    def __init__(self, model: _Model, transition: Transition) -> None:
        self._model = model
        self._transition = transition
        self._meaning: dict[str, Term] = {}
        self._mentioned: set[Term] = set()
        self._locals: list[Term] = []

    def operation(self) -> Operation:
        model, terms = self._model, self._model._terms
        parts = [*self._bind(self._transition.source, model._old), *self._bind(self._transition.target, model._new)]
        parts += [model._constraints.formula(part, self._variable) for part in self._transition.constraints]
        if model._clauses.implicit_updates:
            pairs = zip(model._old, model._new, strict=True)
            parts += [terms.eq(new, old) for old, new in pairs if new not in self._mentioned]
        formula = terms.conjunction(parts)
        if formula is terms.false:
            return Assume(formula)
        primed = (*zip(model._old, model._new, strict=True), *((own, model._primed(own)) for own in self._locals))
        return rebuild(terms, effect_of(terms, Relation(formula, primed)))

    def _bind(self, state: ClauseState, places: tuple[Term, ...]) -> Iterable[Term]:
        """Gives the variables of a state their meaning; constraints where it says more than that."""
        model = self._model
        model._check_arity(state, len(places))
        for arg, place in zip(state.data, places, strict=True):
            if isinstance(arg, LogicVariable):
                if arg.name == "_":
                    continue
                if arg.name not in self._meaning:
                    self._meaning[arg.name] = place
                    continue
            elif not isinstance(arg, Number):
                raise model._source.error(arg.offset, "expected a variable or a number")
            self._mentioned.add(place)
            self._meaning[_PLACE] = place
            equation = Compound("=", (LogicVariable(_PLACE, arg.offset), arg), arg.offset)
            yield model._constraints.formula(equation, lambda variable: self._meaning[variable.name])

    def _variable(self, variable: LogicVariable) -> Term:
        term = self._meaning.get(variable.name)
        if term is None:
            term = self._local(variable)
        self._mentioned.add(term)
        return term

    def _local(self, variable: LogicVariable) -> Term:
        model = self._model
        if variable.name != "_":
            occurrences = Counter(
                part.name for part in postorder(self._transition.clause) if isinstance(part, LogicVariable)
            )
            if occurrences[variable.name] == 1 and not variable.name.startswith("_"):
                what = f"{variable.name} is in neither state and occurs once; if any number will do, write _"
                raise model._source.error(variable.offset, what)
        own = model._local(variable.name.strip("_") or "any")
        self._locals.append(own)
        new = model._primed(own)
        if variable.name != "_":
            self._meaning[variable.name] = new
        return new

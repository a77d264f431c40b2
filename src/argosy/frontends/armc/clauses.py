"""The clauses of a file, sorted: which fact is which, and whether it has the form it should have.

ARMC's format has no published grammar; this is what its writers produce. What does not change the model (options of
ARMC itself, hints of InvGen) is counted and left out; whatever is unknown is an error, since it might change it.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.errors import UnsupportedError
from argosy.basics.records import dataclass, field
from argosy.frontends.armc.lexer import Source
from argosy.frontends.armc.syntax import (
    LIST,
    Compound,
    LogicVariable,
    Number,
    Reader,
    Syntax,
    flattened,
    postorder,
    text,
)

# What the model is made of, with the number of arguments.
ARITY = {
    "r": 5,
    "start": 1,
    "error": 1,
    "cutpoint": 1,
    "preds": 2,
    "var2names": 2,
    "implicit_updates": 0,
    "stmtsrc": 2,
    "numbers": 1,
}
# What cannot change the verdict: options of ARMC, and hints for the generation of invariants.
UNUSED = frozenset(
    (
        *("cutpoint/1", "refinement/1", "cube_size/1", "trans_preds/3", "globals/3", "transition_access/2"),
        *("invgen_template/1", "invgen_template/2", "cfg_exit_relation/1", "strengthening/2"),
        *("bound_var/2", "bounding_vars/2"),
    )
)
DECLARATIONS = ("multifile", "dynamic", "discontiguous")


@dataclass(frozen=True, slots=True)
class ClauseState:
    """``p(pc(location), data(...))``; a location of None stands for all of them."""

    location: Compound | Number | None
    data: tuple[Syntax, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Transition:
    source: ClauseState
    target: ClauseState
    constraints: tuple[Syntax, ...]
    id: Syntax
    clause: Syntax
    offset: int


@dataclass(slots=True)
class Clauses:
    """The facts of a file in order."""

    transitions: list[Transition] = field(default_factory=list)
    starts: list[tuple[Syntax, int]] = field(default_factory=list)
    errors: list[tuple[Syntax, int]] = field(default_factory=list)
    cutpoints: list[tuple[Syntax, int]] = field(default_factory=list)
    predicates: list[tuple[ClauseState, tuple[Syntax, ...]]] = field(default_factory=list)
    names: list[tuple[ClauseState, tuple[Syntax, ...]]] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    numbers: str | None = None
    implicit_updates: bool = False
    unused: dict[str, int] = field(default_factory=dict)


def read_clauses(source: Source) -> Clauses:
    return _Sorter(source).clauses()


class _Sorter:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._found = Clauses()

    def clauses(self) -> Clauses:
        for clause in Reader(self._source).clauses():
            if not isinstance(clause, Compound):
                raise self._source.error(clause.offset, "a clause starts with a name")
            self._sort(clause)
        return self._found

    def _sort(self, clause: Compound) -> None:
        name, args = clause.functor, clause.args
        if clause.indicator == ":-/1":
            self._directive(args[0])
        elif clause.indicator == ":-/2" or clause.indicator == "atomic/3":
            what = "a clause with a body" if name == ":-" else "atomic/3, which changes how processes are interleaved,"
            raise UnsupportedError(self._source.position(clause.offset), f"{what} is not modelled")
        elif ARITY.get(name) == len(args):
            self._fact(clause)
        elif name in ARITY:
            wanted = f"{ARITY[name]} argument{'' if ARITY[name] == 1 else 's'}"
            raise self._source.error(clause.offset, f"{name} has {wanted}, not {len(args)}")
        elif clause.indicator not in UNUSED:
            known = ", ".join((*ARITY, *sorted(UNUSED - {"cutpoint/1"})))
            raise self._source.error(clause.offset, f"unknown clause {clause.indicator}; known are {known}")
        if clause.indicator in UNUSED and not _says_nothing(clause):
            self._found.unused[clause.indicator] = self._found.unused.get(clause.indicator, 0) + 1

    def _directive(self, body: Syntax) -> None:
        if isinstance(body, Compound) and body.functor in DECLARATIONS and len(body.args) == 1:
            for part in flattened(body.args[0], ","):
                if not (isinstance(part, Compound) and part.indicator == "//2"):
                    raise self._source.error(part.offset, f"{body.functor} declares names with their arity, as in r/5")
            return
        raise UnsupportedError(self._source.position(body.offset), "a directive other than :- multifile")

    def _fact(self, clause: Compound) -> None:
        found, args = self._found, clause.args
        match clause.functor:
            case "r":
                found.transitions.append(self._transition(clause))
            case "start":
                found.starts.append((self._location(args[0]), clause.offset))
            case "error":
                found.errors.append((self._location(args[0]), clause.offset))
            case "cutpoint":
                found.cutpoints.append((self._location(args[0]), clause.offset))
            case "preds":
                found.predicates.append((self._state(args[0]), self._list(args[1])))
            case "var2names":
                found.names.append((self._state(args[0]), self._list(args[1])))
            case "stmtsrc":
                found.sources[text(args[0])] = self._atom(args[1])
            case "numbers":
                found.numbers = self._atom(args[0])
                if found.numbers not in ("integer", "rational"):
                    raise self._source.error(args[0].offset, "numbers are integer or rational")
            case "implicit_updates":
                found.implicit_updates = True

    def _transition(self, clause: Compound) -> Transition:
        source, target, guards, updates, identity = clause.args
        constraints = (*self._list(guards), *self._list(updates))
        states = self._state(source), self._state(target)
        for state in states:
            if state.location is None:
                raise UnsupportedError(self._source.position(state.offset), "a transition of every location")
        return Transition(*states, constraints, identity, clause, clause.offset)

    def _state(self, term: Syntax) -> ClauseState:
        if not (isinstance(term, Compound) and term.indicator == "p/2"):
            raise self._source.error(term.offset, "expected a state p(pc(LOCATION), data(VALUES))")
        at, data = term.args
        location = None if self._is_open(at) else self._location(at)
        if not (isinstance(data, Compound) and data.functor == "data"):
            raise self._source.error(data.offset, "expected data(VALUES)")
        return ClauseState(location, data.args, term.offset)

    @staticmethod
    def _is_open(term: Syntax) -> bool:
        """``_`` or ``pc(_)``."""
        if isinstance(term, Compound) and term.indicator == "pc/1":
            term = term.args[0]
        return isinstance(term, LogicVariable)

    def _location(self, term: Syntax) -> Compound | Number:
        """What stands inside ``pc``."""
        if not (isinstance(term, Compound) and term.indicator == "pc/1"):
            raise self._source.error(term.offset, "expected a location pc(NAME)")
        name = term.args[0]
        for part in postorder(name):
            if isinstance(part, LogicVariable):
                raise self._source.error(part.offset, f"a location cannot have the variable {part.name}")
        assert isinstance(name, Compound | Number)
        return name

    def _list(self, term: Syntax) -> tuple[Syntax, ...]:
        if isinstance(term, Compound) and term.functor == LIST:
            return term.args
        raise self._source.error(term.offset, "expected a list")

    def _atom(self, term: Syntax) -> str:
        if isinstance(term, Compound) and not term.args:
            return term.functor
        raise self._source.error(term.offset, "expected an atom")


def _says_nothing(clause: Compound) -> bool:
    """A hint that is an empty list."""
    lists: Sequence[Syntax] = [arg for arg in clause.args if isinstance(arg, Compound) and arg.functor == LIST]
    return bool(lists) and all(isinstance(arg, Compound) and not arg.args for arg in lists)

"""A transition system, cycle by cycle, for the workbench: hardware, and Theta's and VMT's systems.

A cycle has a state; its inputs are chosen, and with them whatever the system leaves open of its state. The constraints
have to hold. Law (``models.system``): a run here is one of the system; where bad states hold in a cycle, they are
reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from argosy.certify.interpreter import zero
from argosy.logic import semantics
from argosy.logic.semantics import ArrayValue, Value
from argosy.logic.solver import Counters, Satisfiability
from argosy.logic.solvers import Solvers
from argosy.logic.sorts import Sort
from argosy.logic.terms import Term
from argosy.logic.traverse import substitute, variables
from argosy.models.bits import CircuitModel
from argosy.models.system import System
from argosy.problem.problem import Problem
from argosy.report.exporters import File
from argosy.report.value_changes import Signal, waveform, word
from argosy.report.waveform import number_text
from argosy.ui.simulator import Row

TRIES = 20
SECONDS = 5.0


class SystemSimulator:
    """``choices`` are ``{name: text}``, values of inputs and of what is open; what is not given is zero."""

    def __init__(self, problem: Problem) -> None:
        model = problem.model
        whole: System = model.whole_system() if isinstance(model, CircuitModel) else model
        self._system = whole.functional()
        # What says that a step is one of the relation (``System.functional``), and the names of the new values.
        self._valid = self._system.states[-1].next if whole.relation is not None else None
        free = [state for state in whole.states if state.next is None] if whole.relation is not None else []
        self._primed = {whole.primed(state).name: state.name for state in free}
        self._names: dict[Term, str] = {each.term: each.name for each in self._system.inputs}
        self._names |= {each.term: each.name for each in self._system.states}
        nexts = [state.next for state in self._system.states if state.next is not None]
        self._bad = [each.term for each in self._system.bad]
        self._order = list(_order([*self._system.constraints, *self._bad, *nexts]))
        self.choices: list[Row] = []
        self.rows: list[Row] = []
        self._states: list[dict[Term, Value]] = [{}]

    def about(self) -> Row:
        return {
            "kind": "system",
            "inputs": [self._described(each.term) for each in self._system.inputs],
            "states": [self._described(each.term) for each in self._system.states],
            "bad": [each.name for each in self._system.bad],
        }

    def _described(self, term: Term) -> Row:
        return {"name": self._names[term], "type": str(term.sort), "bit": _is_bit(term.sort)}

    def _open(self) -> list[Term]:
        """What is chosen in this cycle."""
        states = self._system.states
        free = [s.term for s in states if (s.next if self.rows else s.initial) is None]
        return [*(each.term for each in self._system.inputs), *free]

    def now(self) -> Row:
        known = self._known({})
        return {
            "open": [self._described(term) for term in self._open() if term.sort.kind != "array"],
            "state": {
                self._names[s.term]: _text(s.term.sort, known[s.term]) for s in self._system.states if s.term in known
            },
        }

    def _known(self, chosen: Mapping[Term, Value]) -> dict[Term, Value]:
        """The state of this cycle with what is chosen in it; first values in the order in which they are given."""
        values = {**self._states[-1], **chosen}
        if not self.rows:
            for state in self._system.states:
                if state.initial is not None:
                    for term in _order([state.initial]):
                        if term.op == "var" and term not in values:
                            values[term] = zero(term.sort)
                    values[state.term] = _evaluated(_order([state.initial]), values)[state.initial]
        return values

    def do(self, choice: Any) -> None:
        """Raises ValueError, in words."""
        if not isinstance(choice, dict):
            raise ValueError("values by name")
        terms = {self._names[term]: term for term in self._open()}
        chosen = {term: zero(term.sort) for term in terms.values()}
        for name, text in choice.items():
            if name not in terms:
                raise ValueError(f"nothing that can be chosen is called {name}")
            chosen[terms[name]] = _value(terms[name].sort, text, name)
        if self._valid is not None:
            given = {term: value for term, value in chosen.items() if self._names[term] in choice}
            chosen = self._solved(given) or chosen
        self._cycle(chosen)

    def _cycle(self, chosen: Mapping[Term, Value], last: bool = False) -> None:
        """``last``: nothing comes after it, and the relation need not hold."""
        values = self._known(chosen)
        found = _evaluated(self._order, values)
        broken = [number for number, term in enumerate(self._system.constraints, 1) if not found[term]]
        if broken:
            raise ValueError(f"constraint {broken[0]} of the system does not hold under these values")
        if self._valid is not None and not found[self._valid] and not last:
            raise ValueError("no step of the system has these values")
        shown = {self._names[term]: _text(term.sort, values[term]) for term in self._names}
        known = self.rows[-1]["values"] if self.rows else {}
        reached = [each.name for each in self._system.bad if found[each.term]]
        self.rows.append(
            {
                "cycle": len(self.rows),
                "values": shown,
                "changed": [name for name, text in shown.items() if known.get(name) != text],
                "bad": reached,
            }
        )
        self._states.append({s.term: found[s.next] for s in self._system.states if s.next is not None})
        self.choices.append({self._names[term]: _text(term.sort, value) for term, value in chosen.items()})

    def back(self) -> None:
        if self.rows:
            for each in (self.rows, self.choices, self._states):
                each.pop()

    def draw(self, chance: Random) -> bool:
        """Values at random; where the constraints do not like them, values that a solver finds."""
        for _ in range(TRIES):
            try:
                self._cycle({term: _any(term.sort, chance) for term in self._open()})
                return True
            except ValueError:
                continue
        chosen = self._solved()
        if chosen is None:
            return False
        self._cycle(chosen)
        return True

    def _solved(self, given: Mapping[Term, Value] | None = None) -> dict[Term, Value] | None:
        """Values under which the constraints hold, and the relation where there is one; some may be given."""
        terms, free, given = self._system.terms, self._open(), given or {}
        if any(term.sort.kind == "array" for term in self._names):
            return None
        parts = [*self._system.constraints, *(() if self._valid is None else (self._valid,))]
        known = {t: v for t, v in self._known(given).items() if t not in free or t in given}
        constants = {term: terms.const(value, term.sort) for term, value in known.items()}
        numeric = any(each.sort.is_numeric for part in parts for each in variables(part))
        solver = Solvers(terms, Counters()).create("certify", "int" if numeric else "bits", time_limit=SECONDS)
        for part in parts:
            solver.add(substitute(terms, part, constants))
        if solver.check() is not Satisfiability.SAT:
            return None
        mentioned = {each for part in parts for each in variables(part)} - known.keys()
        solved = {term: solver.value(term) if term in mentioned else zero(term.sort) for term in free}
        return {**solved, **given}

    def load(self, answer: Mapping[str, Any]) -> None:
        """The cycles of a counterexample: first values, then inputs and the next step, again and again."""
        cycles: list[dict[str, Any]] = [{}]
        for step in answer["counterexample"]:
            if step["operation"] == "next step":
                cycles.append({})
            cycles[-1].update(step["values"])
        for number, cycle in enumerate(cycles, 1):
            terms = {self._names[term]: term for term in self._open()}
            given = {terms[name]: _value(terms[name].sort, text, name) for name, text in cycle.items() if name in terms}
            if number < len(cycles):
                for primed, name in self._primed.items():
                    if name in cycles[number]:
                        given[terms[primed]] = _value(terms[primed].sort, cycles[number][name], name)
            chosen = {term: zero(term.sort) for term in terms.values()}
            self._cycle({**chosen, **given}, last=number == len(cycles))

    def export(self) -> Iterator[File]:
        if not self.rows:
            return
        inputs = {each.term for each in self._system.inputs}
        signals = [
            _signal(
                term.sort, name, "inputs" if term in inputs else "states", [row["values"][name] for row in self.rows]
            )
            for term, name in self._names.items()
        ]
        for bad in self._system.bad:
            levels = [str(int(bad.name in row["bad"])) for row in self.rows]
            signals.append(Signal(bad.name or "bad", "wire 1", "", levels))
        yield "run.vcd", waveform(signals, len(self.rows))
        names = list(self._names.values())
        lines = [
            ["cycle", *names],
            *([str(row["cycle"]), *(row["values"][name] for name in names)] for row in self.rows),
        ]
        yield (
            "cycles.csv",
            "".join(",".join(f'"{cell}"' if "," in cell else cell for cell in line) + "\n" for line in lines),
        )


def _order(roots: Iterable[Term]) -> Iterator[Term]:
    """Every subterm once, after those that it is made of."""
    seen: set[Term] = set()
    for root in roots:
        stack = [(root, False)]
        while stack:
            term, ready = stack.pop()
            if ready:
                yield term
            elif term not in seen:
                seen.add(term)
                stack.append((term, True))
                stack.extend((argument, False) for argument in term.args)


def _evaluated(order: Iterable[Term], valuation: Mapping[Term, Value]) -> dict[Term, Value]:
    values = dict(valuation)
    for term in order:
        if term.op == "const":
            values[term] = term.payload
        elif term.op != "var":
            sorts = tuple(argument.sort for argument in term.args)
            values[term] = semantics.apply(term.op, term.payload, sorts, tuple(values[each] for each in term.args))
    return values


def _is_bit(sort: Sort) -> bool:
    return sort.kind == "bool" or (sort.is_bits and sort.width == 1)


def _text(sort: Sort, value: Value) -> str:
    if isinstance(value, ArrayValue):
        stored = ", ".join(f"[{index}] = {each}" for index, each in sorted(value.stored.items())[:20])
        return f"{stored}, else {value.default}" if stored else str(value.default)
    return str(int(value)) if _is_bit(sort) else number_text(sort, value)


def _value(sort: Sort, text: Any, name: str) -> Value:
    said = str(text).strip().lower()
    try:
        if sort.kind == "array":
            return zero(sort)
        if _is_bit(sort):
            bit = {"0": False, "1": True, "false": False, "true": True}[said]
            return bit if sort.kind == "bool" else int(bit)
        if sort.kind == "real":
            return Fraction(said)
        number = int(said, 0)
    except (KeyError, ValueError, ZeroDivisionError):
        raise ValueError(f"{name}: {str(text)[:40]} is no value of {sort}") from None
    if sort.is_bits:
        if not -(1 << (sort.width - 1)) <= number < 1 << sort.width:
            raise ValueError(f"{name}: {number} does not fit into {sort.width} bits")
        return number % (1 << sort.width)
    return number


def _any(sort: Sort, chance: Random) -> Value:
    match sort.kind:
        case "bool":
            return chance.random() < 0.5
        case "array":
            return zero(sort)
        case "real":
            return Fraction(chance.randint(-10, 10), chance.choice([1, 2]))
    if sort.is_bits:
        largest = (1 << sort.width) - 1
        return chance.choice([0, largest, chance.randint(0, min(largest, 9)), chance.randint(0, largest)])
    return chance.randint(-10, 10)


def _signal(sort: Sort, name: str, scope: str, values: Sequence[str]) -> Signal:
    if _is_bit(sort):
        return Signal(name, "wire 1", scope, values)
    if sort.is_bits:
        return Signal(name, f"wire {sort.width}", scope, [f"b{int(value, 0):0{sort.width}b}" for value in values])
    return Signal(name, "string 1", scope, [f"s{word(value)}" for value in values])

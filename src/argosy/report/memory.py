"""A picture of memory where an execution violates memory safety: objects, what they hold, and where pointers lead.

Boxes are objects in memory and pointers of the program that lie nowhere themselves; an arrow leads from a pointer to
the object that it points into, with its name and the offset there. What the violation is about has the mark of an
error. What was freed, and what has ended, says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from argosy.backends.contract import Execution
from argosy.models.cfa import Mark, PlaceNotation, Variable
from argosy.report.followed import address_at_end, state_at_end
from argosy.report.graphs import Arc, Graph, Text, Vertex

MOST_BOXES = 40
MOST_PARTS = 8


def memory_graph(evidence: Execution) -> Graph | None:
    """None where the execution violates nothing about memory."""
    edges = [step.edge for step in evidence.replayed.steps]
    mark = edges[-1].marks[0] if edges and edges[-1].marks else None
    if mark is None or mark.about is None or mark.places is None:
        return None
    return _Memory(evidence, mark, mark.places).graph()


class _Memory:
    def __init__(self, evidence: Execution, mark: Mark, places: PlaceNotation) -> None:
        self._places = places
        self._state = state_at_end(evidence)
        self._variables = evidence.cfa.variables
        about = mark.about
        assert about is not None
        self._address = address_at_end(evidence, about)
        self._wrong = mark.kind.value
        self._boxes: dict[str | int, list[Text]] = {}
        self._arcs: list[tuple[str | int, str | int, str]] = []

    def _value(self, name: str, width: int) -> int:
        return self._state.get(name, 0) % (1 << width)

    def graph(self) -> Graph:
        for variable, address in self._pointers():
            place = self._places.object(address)
            holder = self._places.holder(variable.term.name)
            if holder is None and len(self._boxes) < MOST_BOXES:
                self._boxes[variable.term.name] = [Text("name", _plain(variable))]
            if place is not None and len(self._boxes) < MOST_BOXES:
                start, _, offset = place
                self._object(address)
                behind = f" + {offset}" if offset else ""
                self._arcs.append((variable.term.name if holder is None else holder, start, _part(variable) + behind))
            elif holder is None:
                self._boxes[variable.term.name].append(Text("update", "= NULL"))
        error = self._blamed()
        self._contents()
        number = {key: index for index, key in enumerate(self._boxes)}
        vertices = [
            Vertex(tuple(lines), ("error",) if key == error else ("initial",) if isinstance(key, str) else ())
            for key, lines in self._boxes.items()
        ]
        arcs = [
            Arc(number[source], number[target], (Text("guard", text),) if text else ())
            for source, target, text in self._arcs
            if source in number and target in number
        ]
        return Graph("memory", tuple(vertices), tuple(arcs))

    def _pointers(self) -> Iterator[tuple[Variable, int]]:
        """The pointers of the program that have a value, those outside of memory first."""
        found = []
        for variable in self._variables:
            term = variable.term
            if term.sort.is_bits and term.name in self._state and not variable.name.startswith("temp"):
                value = self._value(term.name, term.sort.width)
                written = None if variable.notation is None else variable.notation.text(value)
                if written is not None and written.startswith(("&", "NULL", "(char *)&", '"')):
                    found.append((variable, value))
        return iter(sorted(found, key=lambda pair: self._places.holder(pair[0].term.name) is not None))

    def _object(self, address: int) -> int | None:
        place = self._places.object(address)
        if place is None:
            return None
        start, words, _ = place
        if start not in self._boxes:
            self._boxes[start] = [Text("name", words)]
            lifetime = self._places.lifetime(address)
            if lifetime is not None and not self._state.get(lifetime, 0):
                self._boxes[start].append(Text("synchronisation", "freed"))
        return start

    def _blamed(self) -> str | int:
        """The box of what the violation is about."""
        start = self._object(self._address)
        key: str | int = f"&{self._address}" if start is None else start
        place = self._places.object(self._address)
        where = f"at offset {place[2]}" if place is not None else (self._places.text(self._address) or "")
        lines = self._boxes.setdefault(key, [Text("name", where)])
        lines.append(Text("synchronisation", self._wrong))
        if place is not None:
            lines.append(Text("synchronisation", where))
        return key

    def _contents(self) -> None:
        """What is in the objects, a few numbers of each."""
        parts: dict[int, int] = {}
        for variable in self._variables:
            holder = self._places.holder(variable.term.name)
            if holder is None or holder not in self._boxes or variable.term.name not in self._state:
                continue
            parts[holder] = parts.get(holder, 0) + 1
            if not variable.term.sort.is_bits or parts[holder] > MOST_PARTS:
                continue
            value = self._value(variable.term.name, variable.term.sort.width)
            written = None if variable.notation is None else variable.notation.text(value)
            if written is None or not written.startswith("&"):
                self._boxes[holder].append(Text("update", f"{_part(variable)} = {written or _number(variable, value)}"))


def _plain(variable: Variable) -> str:
    return f"{variable.function}::{variable.name}" if variable.function else variable.name


def _part(variable: Variable) -> str:
    """What stands behind the name of the object."""
    return re.sub(r"^[^.\[]*", "", variable.name).removeprefix(".")


def _number(variable: Variable, value: int) -> int:
    half = 1 << (variable.term.sort.width - 1)
    return value - 2 * half if variable.signed and value >= half else value

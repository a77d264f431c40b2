"""A network, step by step, for the workbench: choices as ``argosy simulate --choices`` reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from argosy.certify.timed_replay import Moment
from argosy.kernel.dbm import INFINITY, Zone, value
from argosy.kernel.graph import SymbolicState, ZoneGraph
from argosy.models.network import Network
from argosy.models.network_evaluation import ModelError
from argosy.models.network_semantics import Action, ImpossibleStep
from argosy.models.network_simulation import NetworkSimulation, earliest, interval_text, obey
from argosy.problem.problem import Problem
from argosy.report.exporters import File
from argosy.report.headline import written
from argosy.report.network_page import automata, page
from argosy.report.runs import DELAY, INITIAL, moved, taken, valued
from argosy.report.uppaal_trace import traces
from argosy.session.simulated import simulated
from argosy.ui.simulator import Row

# A zone graph of more clocks than this takes longer than a person waits.
MOST_CLOCKS = 24
MOST_OFFERS = 500

CHOICE = re.compile(r" *(w|[0-9]{1,6})( +[0-9]{1,400}([./][0-9]{1,400})?)? *")


class NetworkSimulator:
    """``choices`` are texts: ``2 3/2`` for the second action after a delay of 3/2, ``w 1`` to wait."""

    def __init__(self, problem: Problem) -> None:
        self.network: Network = problem.model
        self._path = problem.input
        self._simulation = NetworkSimulation(self.network)
        self._graph = ZoneGraph(self.network) if len(self.network.clocks) <= MOST_CLOCKS else None
        start = None if self._graph is None else self._graph.start()
        self._zones: list[SymbolicState | None] = [start]
        self.choices: list[str] = []
        self._values: list[dict[str, str]] = [{}]
        self.rows: list[Row] = [self._row(None, Fraction(0))]

    def about(self) -> Row:
        return {"kind": "network", "automata": list(automata(self.network))}

    def now(self) -> Row:
        try:
            offers = self._simulation.choices()
            waits = self._simulation.waits()
        except ModelError as error:
            return {"offers": [], "waits": None, "error": f"model error: {error}"}
        return {
            "offers": [
                {
                    "text": taken(self.network, offer.action.edges),
                    "window": interval_text(offer.delays),
                    "earliest": str(earliest(offer.delays)),
                    "edges": [
                        {"process": edge["process"], "edge": edge["edge"]}
                        for edge in moved(self.network, offer.action.edges, offer.action.channel)
                    ],
                }
                for offer in offers[:MOST_OFFERS]
            ],
            "waits": interval_text(waits) if waits.high is None or waits.high > 0 else None,
        }

    # ---- one step on, and back --------------------------------------------------------------------------------------

    def do(self, choice: Any) -> None:
        """Raises ValueError, in words."""
        if not isinstance(choice, str) or not CHOICE.fullmatch(choice):
            raise ValueError("a choice is the number of an action, or w, and a delay such as 3/2 or 1.5")
        before = len(self._simulation.steps)
        try:
            obey(self._simulation, choice)
        except ImpossibleStep as error:
            raise ValueError(str(error)) from None
        except ModelError as error:
            raise ValueError(f"model error: {error}") from None
        assert len(self._simulation.steps) == before + 1
        self._taken(choice)

    def _taken(self, choice: str) -> None:
        delay, action = self._simulation.steps[-1]
        self._zones.append(self._zone(self._zones[-1], action))
        self.choices.append(choice)
        self.rows.append(self._row(action, delay))

    def back(self) -> None:
        if self._simulation.back():
            self.choices.pop()
            self.rows.pop()
            self._zones.pop()
            self._values.pop()

    def draw(self, chance: Random) -> bool:
        """One action at random, with the choice that repeats it."""
        try:
            offers = self._simulation.choices()
            if not self._simulation.draw(chance):
                return False
        except ModelError as error:
            raise ValueError(f"model error: {error}") from None
        delay, action = self._simulation.steps[-1]
        number = next(place for place, offer in enumerate(offers, 1) if offer.action == action)
        self._taken(f"{number} {delay}")
        return True

    def _zone(self, before: SymbolicState | None, action: Action | None) -> SymbolicState | None:
        """The states that the same actions lead to; None where that is not known."""
        if before is None or action is None or self._graph is None:
            return before
        state = self._simulation.state
        for step in self._graph.steps(before, action.edges):
            target = step.target
            if target.discrete == (state.locations, state.values) and target.zone.contains(state.clocks):
                return target
        return None

    def _row(self, action: Action | None, delay: Fraction) -> Row:
        state = self._simulation.state
        names = [clock.name for clock in self.network.clocks[1:]]
        values = {name: written(each) for name, each in valued(self.network, Moment(Fraction(0), state)).items()}
        time = Fraction(self.rows[-1]["time"]) + delay if self.choices else Fraction(0)
        known = self._values[-1]
        self._values.append(values)
        edges = () if action is None else action.edges
        symbolic = self._zones[-1]
        return {
            "text": taken(self.network, edges) if edges else DELAY if self.choices else INITIAL,
            "time": str(time),
            "delay": str(delay),
            "values": {name: value for name, value in values.items() if known.get(name) != value},
            "clocks": {name: str(value) for name, value in zip(names, state.clocks[1:], strict=True)},
            "zone": [] if symbolic is None else symbolic.zone.constraints(names),
            "bounds": {} if symbolic is None else dict(zip(names, _bounds(symbolic.zone), strict=True)),
            "edges": []
            if action is None
            else [
                {name: edge[name] for name in ("process", "edge", "target", "synchronisation")}
                for edge in moved(self.network, edges, action.channel)
            ],
        }

    # ---- from and to results ----------------------------------------------------------------------------------------

    def load(self, answer: Mapping[str, Any]) -> None:
        """The run that an answer shows. Edges say who moved; of several actions by the same edges, the one after which
        the state is that of the step."""
        for step in answer["counterexample"][1:]:
            self._follow(Fraction(step["delay"]), [(e["process"], e["edge"]) for e in step["edges"]], step["values"])

    def _follow(self, delay: Fraction, edges: Sequence[tuple[str, int]], values: Mapping[str, Any]) -> None:
        if not edges:
            self.do(f"w {delay}")
            return
        for number, offer in enumerate(self._simulation.choices(), 1):
            shown = moved(self.network, offer.action.edges, offer.action.channel)
            if [(each["process"], each["edge"]) for each in shown] != list(edges) or delay not in offer.delays:
                continue
            try:
                self.do(f"{number} {delay}")
            except ValueError:
                continue
            if all(self._values[-1].get(name) == written(value) for name, value in values.items()):
                return
            self.back()
        raise ValueError("the run cannot be taken: the file may have changed")

    def export(self) -> Iterator[File]:
        decided = simulated(self._path, self.network, self._simulation.steps)
        yield from page(decided, "report.html")
        yield from traces(decided, "trace.xml")
        yield "result.json", decided.result.to_json(indent=1)
        yield "choices.txt", ", ".join(self.choices) + "\n"


def _bounds(zone: Zone) -> Iterator[tuple[int, int | None]]:
    """The least and the greatest value that each clock has in a zone; None where there is no greatest."""
    for clock in range(1, zone.dimension):
        high = zone[clock, 0]
        yield -value(zone[0, clock]), None if high == INFINITY else value(high)

"""The process in which something is simulated: reads lines of JSON from its standard input, a socket, and answers them.

The first line names the file and what was chosen so far; every other is a command. Whoever started it holds the other
end and ends it by closing that.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Mapping
from random import Random
from typing import Any

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.plc.format import program_of
from argosy.frontends.registry import Request, recognise
from argosy.models.network_evaluation import ModelError
from argosy.ui.simulator import Simulator

MEGABYTES = 4_000
MOST_STEPS = 100_000
MOST_AT_ONCE = 20_000


def simulator_of(path: str) -> Simulator:
    """Raises InputError and UnsupportedError."""
    format = recognise(path)
    if format.name == "plc":
        from argosy.ui.controller_simulator import ControllerSimulator

        return ControllerSimulator(program_of(Request(path))[0], path)
    problem = format.load(Request(path))
    if format.kind == "network":
        from argosy.ui.network_simulator import NetworkSimulator

        return NetworkSimulator(problem)
    if format.kind == "system":
        from argosy.ui.system_simulator import SystemSimulator

        return SystemSimulator(problem)
    raise ValueError(f"{format.title} are not simulated: networks, controllers and systems are")


class Conversation:
    """Answers have ``from``, the first row that is new, and the ``rows`` and ``choices`` from there on."""

    def __init__(self, path: str) -> None:
        self.simulator = simulator_of(path)

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        simulator = self.simulator
        kept = len(simulator.choices)
        said: dict[str, Any] = {}
        try:
            match asked["command"]:
                case "begin":
                    said["about"] = simulator.about()
                    kept = -1
                    for choice in asked["choices"]:
                        simulator.do(choice)
                    if asked.get("answer") is not None:
                        simulator.load(asked["answer"])
                case "show":
                    said["about"] = simulator.about()
                    kept = -1
                case "do":
                    if len(simulator.choices) >= MOST_STEPS:
                        raise ValueError(f"a run has at most {MOST_STEPS} steps")
                    simulator.do(asked["choice"])
                case "back":
                    kept = max(0, min(kept, int(asked["to"])))
                    while len(simulator.choices) > kept:
                        simulator.back()
                case "random":
                    chance = Random(int(asked["seed"]))
                    most = min(int(asked["count"]), MOST_AT_ONCE, MOST_STEPS - kept)
                    for _ in range(most):
                        if not simulator.draw(chance):
                            said["error"] = "nothing is possible any more"
                            break
                case "export":
                    said["files"] = [(name, content) for name, content in simulator.export()]
        except ValueError as error:
            said["error"] = str(error)
        first = len(simulator.rows) - len(simulator.choices)
        begun = 0 if kept < 0 else kept + first
        return {
            "from": begun,
            "rows": simulator.rows[begun:],
            "kept": max(kept, 0),
            "choices": simulator.choices[max(kept, 0) :],
            "now": simulator.now(),
            **said,
        }


def serve() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = MEGABYTES << 20
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    conversation: Conversation | None = None
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        try:
            if conversation is None:
                conversation = Conversation(asked["file"])
            answer = conversation.answer(asked)
        except InputError as error:
            answer = {"failed": f"cannot be read: {error}", "line": error.position.line}
        except UnsupportedError as error:
            answer = {"failed": f"unsupported: {error}", "line": error.position.line}
        except (ValueError, ModelError) as error:
            answer = {"failed": str(error)}
        except MemoryError:
            answer = {"failed": "out of memory"}
        content = json.dumps(answer).encode() + b"\n"
        while content:
            content = content[os.write(0, content) :]
    os._exit(0)

"""Writes the models of N processes: the same protocol for each of them is tedious to write as clauses.

    python examples/armc/generate.py [DIRECTORY]

A model has the locations ``init``, ``run`` and ``error``; where a process stands is a value, as in the models that ARMC
was measured on. In a step, ``x'`` is the new value of ``x``; what a step does not mention stays as it is.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

HEADER = """:- multifile r/5, implicit_updates/0, var2names/2, preds/2, start/1, error/1.
implicit_updates.
start(pc(init)).
error(pc(error)).
"""


class Model:
    def __init__(self, name: str, safe: bool, about: str, variables: Sequence[str]) -> None:
        self.name = name
        self.about = [f"Expected verdict: {'SAFE' if safe else 'UNSAFE'}", *about.strip().splitlines()]
        self.variables = list(variables)
        self.clauses: list[str] = []

    def _state(self, location: str, prime: str) -> str:
        return f"p(pc({location}), data({', '.join(_prolog(v) + prime for v in self.variables)}))"

    def step(self, label: str, guard: str, update: str = "", source: str = "run", target: str = "run") -> None:
        """One clause. Guard and update are constraints separated by commas."""
        states = f"{self._state(source, '')}, {self._state(target, 'p')}"
        self.clauses.append(f"r({states},\n  [{_constraints(guard)}], [{_constraints(update)}], {label}).")

    def init(self, update: str) -> None:
        self.step("init", "", update, "init", "run")

    def bad(self, guard: str) -> None:
        self.step("bad", guard, "", "run", "error")

    def text(self) -> str:
        data = f"data({', '.join(map(_prolog, self.variables))})"
        names = ", ".join(f"({_prolog(v)}, '{v}')" for v in self.variables)
        comment = "".join(f"% {line}".rstrip() + "\n" for line in self.about)
        facts = f"preds(p(_, {data}), []).\nvar2names(p(_, {data}),\n  [{names}]).\n"
        return f"{comment}\n{HEADER}{facts}\n" + "\n".join(self.clauses) + "\n"


def _prolog(variable: str) -> str:
    return variable[0].upper() + variable[1:]


def _constraints(text: str) -> str:
    return re.sub(r"\b([a-z]\w*)('?)", lambda m: _prolog(m[1]) + ("p" if m[2] else ""), text)


def others(process: int, processes: int) -> Iterable[int]:
    return (other for other in range(1, processes + 1) if other != process)


def bakery(n: int, safe: bool = True) -> Model:
    """Lamport's bakery. The bug: a customer with the same number is not waited for."""
    processes = range(1, n + 1)
    about = (
        f"Lamport's bakery algorithm for {n} processes: a process draws a number larger than all others and enters\n"
    )
    about += "when its own is the least. Numbers are unbounded, so there are infinitely many states.\n"
    about += "place: 0 outside, 1 waiting, 2 inside; number: 0 where none was drawn."
    if not safe:
        about += "\nThe bug: a number may be equal to one that was drawn before, and both then are the least."
    variables = [f"{kind}{i}" for kind in ("place", "number") for i in processes]
    model = Model(f"bakery{n}{'' if safe else '_bug'}", safe, about, variables)
    model.init(", ".join(f"{v}' = 0" for v in variables))
    for i in processes:
        larger = ">" if safe else ">="
        drawn = [f"number{i}' {larger} number{j}" for j in others(i, n)] + [f"number{i}' > 0"] * (not safe)
        model.step(f"draw{i}", f"place{i} = 0", f"place{i}' = 1, " + ", ".join(drawn))
        for choice in range(2 ** (n - 1)):
            least = [
                f"number{j} = 0" if choice >> k & 1 else f"number{i} {'<' if safe else '=<'} number{j}"
                for k, j in enumerate(others(i, n))
            ]
            model.step(f"enter{i}_{choice}", ", ".join([f"place{i} = 1", *least]), f"place{i}' = 2")
        model.step(f"leave{i}", f"place{i} = 2", f"place{i}' = 0, number{i}' = 0")
    exclusion(model, processes, inside=2)
    return model


def ticket(n: int, safe: bool = True) -> Model:
    processes = range(1, n + 1)
    about = f"A ticket lock for {n} processes: who draws a ticket raises the counter, and enters when it is served.\n"
    about += "place: 0 outside, 1 waiting, 2 inside."
    if not safe:
        about += "\nThe bug: reading the counter and raising it are two steps (place 3 in between)."
    variables = [f"place{i}" for i in processes] + [f"ticket{i}" for i in processes] + ["next", "served"]
    model = Model(f"ticket{n}{'' if safe else '_bug'}", safe, about, variables)
    model.init(", ".join(f"{v}' = 0" for v in variables))
    for i in processes:
        if safe:
            model.step(f"draw{i}", f"place{i} = 0", f"place{i}' = 1, ticket{i}' = next, next' = next + 1")
        else:
            model.step(f"read{i}", f"place{i} = 0", f"place{i}' = 3, ticket{i}' = next")
            model.step(f"raise{i}", f"place{i} = 3", f"place{i}' = 1, next' = ticket{i} + 1")
        model.step(f"enter{i}", f"place{i} = 1, ticket{i} = served", f"place{i}' = 2")
        model.step(f"leave{i}", f"place{i} = 2", f"place{i}' = 0, served' = served + 1")
    exclusion(model, processes, inside=2)
    return model


def peterson(safe: bool = True) -> Model:
    about = (
        "Peterson's mutual exclusion for two processes. place: 0 outside, 1 has raised its flag, 2 waiting, 3 inside."
    )
    if not safe:
        about += "\nThe bug: the turn is given away before the flag is raised."
    model = Model(f"peterson{'' if safe else '_bug'}", safe, about, ["place1", "place2", "flag1", "flag2", "turn"])
    model.init("place1' = 0, place2' = 0, flag1' = 0, flag2' = 0, turn' = 1")
    for i, j in ((1, 2), (2, 1)):
        first, second = f"flag{i}' = 1", f"turn' = {j}"
        if not safe:
            first, second = second, first
        model.step(f"first{i}", f"place{i} = 0", f"place{i}' = 1, {first}")
        model.step(f"second{i}", f"place{i} = 1", f"place{i}' = 2, {second}")
        model.step(f"enter{i}_free", f"place{i} = 2, flag{j} = 0", f"place{i}' = 3")
        model.step(f"enter{i}_turn", f"place{i} = 2, turn = {i}", f"place{i}' = 3")
        model.step(f"leave{i}", f"place{i} = 3", f"place{i}' = 0, flag{i}' = 0")
    exclusion(model, (1, 2), inside=3)
    return model


def fischer(n: int, safe: bool = True) -> Model:
    processes = range(1, n + 1)
    about = f"Fischer's protocol for {n} processes in discrete time, with unknown constants: a process that found the lock\n"
    about += (
        "free (0) writes its number within `write` time units, waits longer than `wait`, and enters if the lock is\n"
    )
    about += "still its own. Safe where write =< wait. place: 0 idle, 1 about to write, 2 waiting, 3 inside."
    if not safe:
        about += "\nThe bug: nothing is known about the two constants."
    variables = [f"{kind}{i}" for kind in ("place", "clock") for i in processes] + ["lock", "write", "wait"]
    model = Model(f"fischer{n}{'' if safe else '_bug'}", safe, about, variables)
    start = ", ".join(f"place{i}' = 0, clock{i}' = 0" for i in processes)
    model.init(f"{start}, lock' = 0, write' >= 1, wait' >= {'write' + chr(39) if safe else '1'}")
    for i in processes:
        model.step(f"request{i}", f"place{i} = 0, lock = 0", f"place{i}' = 1, clock{i}' = 0")
        model.step(f"write{i}", f"place{i} = 1", f"place{i}' = 2, clock{i}' = 0, lock' = {i}")
        model.step(f"enter{i}", f"place{i} = 2, clock{i} > wait, lock = {i}", f"place{i}' = 3")
        model.step(f"again{i}", f"place{i} = 2, clock{i} > wait, lock =\\= {i}", f"place{i}' = 0")
        model.step(f"leave{i}", f"place{i} = 3", f"place{i}' = 0, lock' = 0")
    may_pass = ", ".join(f"(place{i} =\\= 1 ; clock{i} < write)" for i in processes)
    model.step("tick", may_pass, ", ".join(f"clock{i}' = clock{i} + 1" for i in processes))
    exclusion(model, processes, inside=3)
    return model


def exclusion(model: Model, processes: Sequence[int], inside: int) -> None:
    for i in processes:
        for j in processes:
            if i < j:
                model.bad(f"place{i} = {inside}, place{j} = {inside}")


MODELS = (
    *(bakery(2), bakery(3), bakery(4), bakery(2, safe=False), bakery(3, safe=False)),
    *(ticket(2), ticket(3), ticket(2, safe=False)),
    *(peterson(), peterson(safe=False)),
    *(fischer(2), fischer(3), fischer(2, safe=False)),
)


def main(arguments: Sequence[str]) -> None:
    directory = Path(arguments[0]) if arguments else Path(__file__).parent
    with open(directory / "index.csv", "w", encoding="utf-8", newline="") as file:
        index = csv.writer(file, lineterminator="\n")
        index.writerow(("file", "expected", "variables", "transitions", "about"))
        for model in MODELS:
            (directory / f"{model.name}.armc").write_text(model.text(), encoding="utf-8")
            verdict, about = model.about[0].split()[-1].lower(), model.about[1].split(":")[0].rstrip(".")
            index.writerow((f"{model.name}.armc", verdict, len(model.variables), len(model.clauses), about))


if __name__ == "__main__":
    main(sys.argv[1:])

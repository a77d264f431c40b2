"""Writes the models of N processes: the same protocol for each of them is tedious to write as clauses.

    python examples/armc/generate.py [DIRECTORY]

A model has the locations ``init``, ``run`` and ``error``; where a process stands is a value, as in the models that ARMC
was measured on. In a step, ``x'`` is the new value of ``x``; what a step does not mention stays as it is.
"""

from __future__ import annotations

import csv
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

HEADER = """:- multifile r/5, implicit_updates/0, var2names/2, preds/2, start/1, error/1.
implicit_updates.
start(pc(init)).
error(pc(error)).
"""


class Model:
    """``bug`` is what is wrong with the model unless it is safe."""

    def __init__(self, name: str, safe: bool, about: str, bug: str, variables: Sequence[str], facts: str = "") -> None:
        self.name = name if safe else f"{name}_bug"
        self.facts = facts + "\n" * bool(facts)
        paragraphs = [about] if safe else [about, f"The bug: {bug}"]
        lines = [line for text in paragraphs for line in textwrap.wrap(text, 110)]
        self.about = [f"Expected verdict: {'SAFE' if safe else 'UNSAFE'}", *lines]
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
        return f"{comment}\n{HEADER}{self.facts}{facts}\n" + "\n".join(self.clauses) + "\n"


def _prolog(variable: str) -> str:
    return variable[0].upper() + variable[1:]


def _constraints(text: str) -> str:
    return re.sub(r"\b([a-z]\w*)('?)", lambda m: _prolog(m[1]) + ("p" if m[2] else ""), text)


def others(process: int, processes: int) -> Iterable[int]:
    return (other for other in range(1, processes + 1) if other != process)


def bakery(n: int, safe: bool = True) -> Model:
    processes = range(1, n + 1)
    about = f"Lamport's bakery algorithm for {n} processes: a process draws a number larger than all "
    about += "others and enters "
    about += "when its own is the least. Numbers are unbounded, so there are infinitely many states. "
    about += "place: 0 outside, 1 waiting, 2 inside; number: 0 where none was drawn."
    bug = "a number may be equal to one that was drawn before, and both then are the least."
    variables = [f"{kind}{i}" for kind in ("place", "number") for i in processes]
    model = Model(f"bakery{n}", safe, about, bug, variables)
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
    about = f"A ticket lock for {n} processes: who draws a ticket raises the counter, and enters when "
    about += "it is served. "
    about += "place: 0 outside, 1 waiting, 2 inside."
    bug = "reading the counter and raising it are two steps (place 3 in between)."
    variables = [f"place{i}" for i in processes] + [f"ticket{i}" for i in processes] + ["next", "served"]
    model = Model(f"ticket{n}", safe, about, bug, variables)
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
    about = "Peterson's mutual exclusion for two processes: raise a flag, give the turn away, wait. "
    about += "place: 0 outside, 1 has raised its flag, 2 waiting, 3 inside."
    bug = "the turn is given away before the flag is raised."
    model = Model("peterson", safe, about, bug, ["place1", "place2", "flag1", "flag2", "turn"])
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


def filter_lock(n: int, safe: bool = True) -> Model:
    processes = range(1, n + 1)
    about = (
        f"Peterson's filter lock for {n} processes: on each of {n - 1} levels, who came last waits until nobody else "
    )
    about += "is on this level or a higher one. place: 0 outside, 2l-1 has reached level l, 2l waiting there, "
    about += f"{2 * n - 1} inside; last: who came last to a level."
    bug = "only those on a higher level are waited for."
    variables = [f"place{i}" for i in processes] + [f"last{level}" for level in range(1, n)]
    model = Model(f"filter_lock{n}", safe, about, bug, variables)
    model.init(", ".join(f"{v}' = 0" for v in variables))
    for i in processes:
        model.step(f"begin{i}", f"place{i} = 0", f"place{i}' = 1")
        for level in range(1, n):
            model.step(
                f"last{i}_{level}", f"place{i} = {2 * level - 1}", f"place{i}' = {2 * level}, last{level}' = {i}"
            )
            here, on = f"place{i} = {2 * level}", f"place{i}' = {2 * level + 1}"
            alone = ", ".join(f"place{j} < {2 * level - 1 if safe else 2 * level + 1}" for j in others(i, n))
            model.step(f"alone{i}_{level}", f"{here}, {alone}", on)
            model.step(f"pass{i}_{level}", f"{here}, last{level} =\\= {i}", on)
        model.step(f"leave{i}", f"place{i} = {2 * n - 1}", f"place{i}' = 0")
    exclusion(model, processes, inside=2 * n - 1)
    return model


def fischer(n: int, safe: bool = True) -> Model:
    processes = range(1, n + 1)
    about = f"Fischer's protocol for {n} processes in discrete time, with unknown constants: a "
    about += "process that found the lock "
    about += (
        "free (0) writes its number within `write` time units, waits longer than `wait`, and enters if the lock is "
    )
    about += "still its own. Safe where write =< wait. place: 0 idle, 1 about to write, 2 waiting, 3 inside."
    bug = "nothing is known about the two constants."
    variables = [f"{kind}{i}" for kind in ("place", "clock") for i in processes] + ["lock", "write", "wait"]
    model = Model(f"fischer{n}", safe, about, bug, variables)
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


def triple(safe: bool = True) -> Model:
    about = "Three nested loops, of 4, 3 and 2 rounds, and how often the innermost one was run: 6*i + 2*j + k times."
    bug = "the last round is not the one it should be."
    model = Model("triple", safe, about, bug, ["i", "j", "k", "total"])
    model.step("init", "", "i' = 0, j' = 0, k' = 0, total' = 0", "init", "outer")
    model.step("enter_middle", "i < 4", "j' = 0", "outer", "middle")
    model.step("enter_inner", "j < 3", "k' = 0", "middle", "inner")
    model.step("count", "k < 2", "k' = k + 1, total' = total + 1", "inner", "inner")
    model.step("leave_inner", "k >= 2", "j' = j + 1, k' = 0", "inner", "middle")
    model.step("leave_middle", "j >= 3", "i' = i + 1, j' = 0", "middle", "outer")
    model.step("bad", f"i >= 4, total =\\= {24 if safe else 23}", "", "outer", "error")
    return model


def crossing(n: int, safe: bool = True) -> Model:
    trains = range(1, n + 1)
    about = f"A level crossing for {n} train{'s' * (n > 1)} in discrete time. A train is announced at least "
    about += "`approach` time units before "
    about += (
        "it arrives; the gate is down at most `lowering` time units after it was told to, and is raised when the last "
    )
    about += "train has left. place: 0 away, 1 announced, 2 on the crossing; gate: 0 up, 1 lowering, "
    about += "2 down, 3 rising."
    bug = "the gate is raised when any train leaves."
    variables = [f"{kind}{i}" for kind in ("place", "clock") for i in trains]
    variables += ["gate", "since", "near", "approach", "lowering"]
    model = Model(f"crossing{n}", safe, about, bug, variables)
    start = ", ".join(f"place{i}' = 0, clock{i}' = 0" for i in trains)
    model.init(f"{start}, gate' = 0, since' = 0, near' = 0, lowering' >= 1, approach' > lowering'")
    for i in trains:
        announced = f"place{i}' = 1, clock{i}' = 0, near' = near + 1"
        model.step(f"announce{i}_up", f"place{i} = 0, (gate = 0 ; gate = 3)", f"{announced}, gate' = 1, since' = 0")
        model.step(f"announce{i}_down", f"place{i} = 0, (gate = 1 ; gate = 2)", announced)
        model.step(f"arrive{i}", f"place{i} = 1, clock{i} >= approach", f"place{i}' = 2")
        gone = f"place{i}' = 0, near' = near - 1"
        if safe:
            model.step(f"leave{i}", f"place{i} = 2, near > 1", gone)
            model.step(f"leave{i}_last", f"place{i} = 2, near = 1", f"{gone}, gate' = 3, since' = 0")
        else:
            model.step(f"leave{i}", f"place{i} = 2", f"{gone}, gate' = 3, since' = 0")
    model.step("down", "gate = 1", "gate' = 2")
    model.step("up", "gate = 3", "gate' = 0")
    passing = ", ".join(f"clock{i}' = clock{i} + 1" for i in trains)
    model.step("tick", "(gate =\\= 1 ; since < lowering)", f"{passing}, since' = since + 1")
    for i in trains:
        model.bad(f"place{i} = 2, gate =\\= 2")
    return model


def lift(safe: bool = True) -> Model:
    about = "A lift between floor 0 and an unknown top floor: it goes where it is called, opens its "
    about += "door there for some time "
    about += "and closes it before it moves. motion: -1 down, 0 none, 1 up; door: 0 closed, 1 open."
    bug = "a call while the lift moves is not kept for later."
    variables = ["floor", "top", "call", "motion", "door", "timer", "hold"]
    model = Model("lift", safe, about, bug, variables)
    model.init("floor' = 0, top' >= 1, call' = 0, motion' = 0, door' = 0, timer' = 0, hold' >= 1")
    called = "call' >= 0, call' =< top"
    model.step("called", "motion = 0, door = 0" if safe else "", called)
    model.step("start_up", "motion = 0, door = 0, floor < call", "motion' = 1")
    model.step("start_down", "motion = 0, door = 0, floor > call", "motion' = -1")
    model.step("go_up", "motion = 1, floor =\\= call", "floor' = floor + 1")
    model.step("go_down", "motion = -1, floor =\\= call", "floor' = floor - 1")
    model.step("arrive", "(motion = 1 ; motion = -1), floor = call", "motion' = 0, door' = 1, timer' = 0")
    model.step("open", "motion = 0, door = 0, floor = call", "door' = 1, timer' = 0")
    model.step("tick", "door = 1, timer < hold", "timer' = timer + 1")
    model.step("close", "door = 1, timer >= hold", "door' = 0")
    model.bad("door = 1, motion =\\= 0")
    model.bad("floor < 0")
    model.bad("floor > top")
    model.bad("timer > hold")
    return model


def gas_burner(safe: bool = True) -> Model:
    about = "A gas burner: after a purge of unknown length gas is let in and ignited, and leaks "
    about += "while there is no flame. "
    about += (
        "Ignition is tried for 1 and then for 2 time units, a flame that fails is noticed within 1: never more than 4 "
    )
    about += (
        "time units of leak between two purges. mode: 0 idle, 1 purge, 2 first ignition, 3 second ignition, 4 burn."
    )
    bug = "a flame that fails is lit again without a purge."
    variables = ["mode", "timer", "purge", "heat", "flame", "leak"]
    model = Model("gas_burner", safe, about, bug, variables)
    model.init("mode' = 0, timer' = 0, purge' >= 1, heat' = 0, flame' = 0, leak' = 0")
    model.step("want", "heat = 0", "heat' = 1")
    model.step("enough", "heat = 1", "heat' = 0")
    model.step("purge", "mode = 0, heat = 1", "mode' = 1, timer' = 0")
    model.step("purging", "mode = 1, timer < purge", "timer' = timer + 1")
    model.step("purged", "mode = 1, timer = purge", "mode' = 2, timer' = 0, leak' = 0")
    for mode, limit in ((2, 1), (3, 2)):
        model.step(f"leaking{mode}", f"mode = {mode}, timer < {limit}", "timer' = timer + 1, leak' = leak + 1")
        model.step(f"lit{mode}", f"mode = {mode}", "mode' = 4, timer' = 0, flame' = 1")
    model.step("try_again", "mode = 2, timer = 1", "mode' = 3, timer' = 0")
    model.step("give_up", "mode = 3, timer = 2", "mode' = 0, timer' = 0")
    model.step("fail", "mode = 4, flame = 1", "flame' = 0, timer' = 0")
    model.step("leaking4", "mode = 4, flame = 0, timer < 1", "timer' = timer + 1, leak' = leak + 1")
    model.step("noticed", "mode = 4, flame = 0", f"mode' = {0 if safe else 2}, timer' = 0")
    model.step("switch_off", "mode = 4, heat = 0, flame = 1", "mode' = 0, flame' = 0, timer' = 0")
    model.bad("leak > 4")
    return model


def gas_leak(safe: bool = True) -> Model:
    about = "The leaking gas burner in continuous time, over rationals: a leak is stopped within 1 "
    about += "time unit, and 30 pass before "
    about += "the next. In any time of 60 or more there is a leak in at most a twentieth of it. "
    about += "`lasted` is the time since the "
    about += "burner began or ceased to leak."
    bug = "there may be a leak again after 15 time units."
    model = Model("gas_leak", safe, about, bug, ["time", "leak", "lasted"], "numbers(rational).")
    model.step("init", "", "time' = 0, leak' = 0, lasted' = 0", "init", "leaking")
    delay = "D >= 0, time' = time + D, lasted' = lasted + D"
    model.step("leak", "", f"{delay}, lasted' =< 1, leak' = leak + D", "leaking", "leaking")
    model.step("stop", "", "lasted' = 0", "leaking", "tight")
    model.step("pass", "", delay, "tight", "tight")
    model.step("again", f"lasted >= {30 if safe else 15}", "lasted' = 0", "tight", "leaking")
    for location in ("leaking", "tight"):
        model.step("bad", "time >= 60, 20*leak > time", "", location, "error")
    return model


def odometer(kind: str, sensors: int, safe: bool = True) -> Model:
    """``kind`` is lower or width: whether the lower bound is watched, or how far the bounds are apart."""
    about = f"A train odometer with {sensors} wheel sensor{'s' * (sensors > 1)}: the position lies "
    about += "between two bounds which every "
    about += "cycle moves by what a sensor measured, less and plus its noise, which is larger while "
    about += "wheels slip; a balise on "
    about += "the track makes both bounds exact up to 1. mode: 0 standing, 1 accelerating, 2 cruising, 3 braking. "
    if kind == "lower":
        about += "The position is not below its lower bound."
    else:
        about += "The bounds are less than 45 apart, since a balise comes every 10 cycles."
    bug = "noise is not taken to be larger while wheels slip."
    variables = ["position", "speed", "limit", "mode", "slip", "lower", "upper", "cycles"]
    model = Model(f"odometer_{kind}{sensors}", safe, about, bug, variables)
    model.init("position' = 0, speed' = 0, limit' >= 1, mode' = 0, slip' = 0, lower' = 0, upper' = 0, cycles' = 0")
    model.step("depart", "mode = 0", "mode' = 1")
    model.step("cruise", "mode = 1", "mode' = 2, slip' = 0")
    model.step("brake", "(mode = 1 ; mode = 2)", "mode' = 3, slip' = 0")
    model.step("stop", "mode = 3, speed = 0", "mode' = 0, slip' = 0")
    model.step("slipping", "(mode = 1 ; mode = 3), slip = 0", "slip' = 1")
    model.step("grip", "slip = 1", "slip' = 0")
    changes = (
        ("standing", "mode = 0", "speed' = 0"),
        ("faster", "mode = 1, speed < limit", "speed' = speed + 1"),
        ("cruising", "(mode = 1 ; mode = 2)", "speed' = speed"),
        ("slower", "mode = 3, speed > 0", "speed' = speed - 1"),
    )
    for slip in (0, 1):
        noise = 1 + slip
        assumed = noise if safe else 1
        for change, when, then in changes:
            for sensor in range(1, sensors + 1):
                # Of two sensors, one measures too little and one too much, and either may be believed.
                less, more = (noise, noise) if sensors == 1 else (noise, 0) if sensor == 1 else (0, noise)
                measured = f"D >= speed - {less}, D =< speed + {more}"
                lower, upper = (assumed if error else 0 for error in (more, less))
                bounds = f"lower' = lower + D - {lower}, upper' = upper + D + {upper}"
                moved = f"position' = position + speed, cycles' = cycles + 1, {then}"
                guard = f"{when}, slip = {slip}, cycles < 10"
                model.step(f"{change}_{slip}_{sensor}", guard, f"{measured}, {bounds}, {moved}")
    below = "lower' >= position - 1, lower' =< position"
    model.step("balise", "", f"{below}, upper' >= position, upper' =< position + 1, cycles' = 0")
    model.bad("position < lower" if kind == "lower" else "upper - lower >= 45")
    return model


def braking(fastest: int, safe: bool = True) -> Model:
    about = f"A train that must stop before the end of its authority, with speeds up to {fastest} and "
    about += "an odometer that gives an "
    about += "upper bound on its position, exact up to 1 at a balise. From speed v it needs v + (v-1) "
    about += "+ ... + 1 to stop, and it "
    about += (
        "goes on with a speed only if the bound leaves it that distance. mode: 0 under way, 1 braking; wheels may slip."
    )
    bug = "the distance that is covered until the new speed is reached is forgotten."
    variables = ["position", "upper", "end", "speed", "mode", "slip"]
    model = Model(f"odometer_stop{fastest}", safe, about, bug, variables)
    model.init("position' = 0, upper' = 0, end' >= 0, speed' = 0, mode' = 0, slip' = 0")
    model.step("slipping", "slip = 0, speed > 0", "slip' = 1")
    model.step("grip", "slip = 1", "slip' = 0")
    model.step("balise", "", "upper' >= position, upper' =< position + 1")
    model.step("brake", "mode = 0", "mode' = 1")
    model.step("release", "mode = 1, speed = 0", "mode' = 0")
    for slip in (0, 1):
        for speed in range(fastest + 1):
            moved = (
                f"position' = position + {speed}, upper' >= upper + {speed}, upper' =< upper + {speed + 2 + 2 * slip}"
            )
            here = f"speed = {speed}, slip = {slip}"
            for change in (-1, 0, 1):
                new = speed + change
                if 0 <= new <= fastest:
                    needed = new * (new + 1) // 2 + (speed if safe else 0)
                    model.step(
                        f"go_{slip}_{speed}_{new}",
                        f"mode = 0, {here}, upper + {needed} =< end",
                        f"{moved}, speed' = {new}",
                    )
            if speed:
                model.step(f"slow_{slip}_{speed}", f"mode = 1, {here}", f"{moved}, speed' = {speed - 1}")
    model.bad("position > end")
    return model


def exclusion(model: Model, processes: Sequence[int], inside: int) -> None:
    for i in processes:
        for j in processes:
            if i < j:
                model.bad(f"place{i} = {inside}, place{j} = {inside}")


MODELS = (
    *(bakery(2), bakery(3), bakery(4), bakery(2, safe=False), bakery(3, safe=False)),
    *(ticket(2), ticket(3), ticket(4), ticket(2, safe=False)),
    *(peterson(), peterson(safe=False), filter_lock(3), filter_lock(3, safe=False)),
    *(fischer(2), fischer(3), fischer(2, safe=False)),
    *(triple(), triple(safe=False)),
    *(crossing(1), crossing(2), crossing(3), crossing(2, safe=False)),
    *(lift(), lift(safe=False)),
    *(gas_burner(), gas_burner(safe=False), gas_leak(), gas_leak(safe=False)),
    *(odometer("lower", 1), odometer("width", 1), odometer("width", 2), odometer("lower", 1, safe=False)),
    *(braking(2), braking(4), braking(8), braking(2, safe=False)),
)


def main(arguments: Sequence[str]) -> None:
    directory = Path(arguments[0]) if arguments else Path(__file__).parent
    with open(directory / "index.csv", "w", encoding="utf-8", newline="") as file:
        index = csv.writer(file, lineterminator="\n")
        index.writerow(("file", "expected", "variables", "transitions", "about"))
        for model in MODELS:
            (directory / f"{model.name}.armc").write_text(model.text(), encoding="utf-8")
            verdict, about = model.about[0].split()[-1].lower(), re.split("[:.,]", model.about[1])[0]
            index.writerow((f"{model.name}.armc", verdict, len(model.variables), len(model.clauses), about))


if __name__ == "__main__":
    main(sys.argv[1:])

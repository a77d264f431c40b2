"""Random small models of Theta's three languages, each with its truth: all states, enumerated from the semantics.

Nothing here uses Argosy. Values stay within 0..3 where they are stored, so that there are few states; inside
expressions they may be negative, which is where division, ``mod`` and ``rem`` differ.

    python -m tests.frontends.theta.models --count 500 --seed 7
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

RANGE = range(4)
NUMBERS, FLAGS = ("x", "y"), ("b",)
LANGUAGES = ("cfa", "sts", "xsts")

State = tuple[tuple[str, int], ...]
Evaluate = Callable[[Mapping[str, int]], int]


@dataclass(frozen=True)
class Spelling:
    """How a language writes its operators."""

    equal: str
    unequal: str
    conjunction: str
    disjunction: str
    negation: str
    modulo: str
    equivalence: str
    implication: str


WORDS = Spelling("=", "/=", "and", "or", "not", "mod", "iff", "imply")
SYSTEM_WORDS = Spelling("=", "/=", "and", "or", "not", "mod", "equal", "imply")
SYMBOLS = Spelling("==", "!=", "&&", "||", "!", "%", "iff", "=>")


@dataclass(frozen=True)
class Formula:
    """An expression as text, and what it comes to."""

    text: str
    value: Evaluate


def divided(a: int, b: int) -> int:
    """The quotient whose remainder is not negative."""
    return (a - a % abs(b)) // b


def remainder(a: int, b: int) -> int:
    """As large as the remainder that is not negative, with the sign of the divisor."""
    return a % abs(b) if b > 0 else -(a % abs(b))


class Drawing:
    """Draws expressions over variables, written by ``name``."""

    def __init__(self, random: Random, spelling: Spelling) -> None:
        self.random = random
        self.spelling = spelling

    def number(self, depth: int = 2) -> Formula:
        random = self.random
        kind = random.randrange(8) if depth else random.randrange(2)
        if kind == 0:
            constant = random.randrange(-3, 5)
            return Formula(f"(-{-constant})" if constant < 0 else str(constant), lambda state: constant)
        if kind == 1:
            name = random.choice(NUMBERS)
            return Formula(name, lambda state: state[name])
        left = self.number(depth - 1)
        if kind == 2:
            condition, other = self.truth(depth - 1), self.number(depth - 1)
            return Formula(
                f"(if {condition.text} then {left.text} else {other.text})",
                lambda state: left.value(state) if condition.value(state) else other.value(state),
            )
        if kind in (3, 4):
            by = random.choice((-3, -2, 2, 3))
            op, compute = random.choice((("/", divided), (self.spelling.modulo, modulo), ("rem", remainder)))
            return Formula(f"({left.text} {op} {_shown(by)})", lambda state: compute(left.value(state), by))
        if kind == 5:
            factor = random.choice((-2, -1, 2, 3))
            return Formula(f"({_shown(factor)} * {left.text})", lambda state: factor * left.value(state))
        right = self.number(depth - 1)
        op, combine = random.choice((("+", int.__add__), ("-", int.__sub__)))
        return Formula(f"({left.text} {op} {right.text})", lambda state: combine(left.value(state), right.value(state)))

    def truth(self, depth: int = 2) -> Formula:
        random, spelling = self.random, self.spelling
        kind = random.randrange(7) if depth else random.randrange(3)
        if kind == 0:
            name = random.choice(FLAGS)
            return Formula(name, lambda state: state[name])
        if kind <= 2:
            left, right = self.number(max(depth - 1, 0)), self.number(max(depth - 1, 0))
            op, holds = random.choice(
                (
                    (spelling.equal, int.__eq__),
                    (spelling.unequal, int.__ne__),
                    ("<", int.__lt__),
                    ("<=", int.__le__),
                    (">", int.__gt__),
                    (">=", int.__ge__),
                )
            )
            return Formula(f"{left.text} {op} {right.text}", lambda state: holds(left.value(state), right.value(state)))
        first = self.truth(depth - 1)
        if kind == 3:
            return Formula(f"{spelling.negation} ({first.text})", lambda state: not first.value(state))
        second = self.truth(depth - 1)
        op, combine = random.choice(
            (
                (spelling.conjunction, bool.__and__),
                (spelling.disjunction, bool.__or__),
                ("xor", bool.__xor__),
                (spelling.equivalence, bool.__eq__),
                (spelling.implication, bool.__le__),
            )
        )
        return Formula(
            f"(({first.text}) {op} ({second.text}))",
            lambda state: bool(combine(bool(first.value(state)), bool(second.value(state)))),
        )

    def stored(self) -> Formula:
        """A number that may be stored."""
        found = self.number()
        return Formula(
            f"({found.text} {self.spelling.modulo} {len(RANGE)})", lambda state: found.value(state) % len(RANGE)
        )


def modulo(a: int, b: int) -> int:
    return a % abs(b)


def _shown(value: int) -> str:
    return f"(-{-value})" if value < 0 else str(value)


def frozen(state: Mapping[str, int]) -> State:
    return tuple(sorted(state.items()))


def with_value(state: State, name: str, value: int) -> State:
    return frozen({**dict(state), name: value})


def without(state: State, name: str) -> State:
    return tuple(pair for pair in state if pair[0] != name)


def all_states() -> Iterator[State]:
    for values in product(*(RANGE for _ in NUMBERS), *((0, 1) for _ in FLAGS)):
        yield frozen(dict(zip((*NUMBERS, *FLAGS), values, strict=True)))


# ---- statements ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Statement:
    """A text, and the states after it."""

    text: str
    after: Callable[[State], set[State]]


def _assignment(drawing: Drawing, end: str) -> Statement:
    name = drawing.random.choice((*NUMBERS, *FLAGS))
    found = drawing.truth() if name in FLAGS else drawing.stored()
    return Statement(
        f"{name} := {found.text}{end}", lambda state: {with_value(state, name, int(found.value(dict(state))))}
    )


def _assumption(drawing: Drawing, end: str) -> Statement:
    found = drawing.truth()
    return Statement(f"assume {found.text}{end}", lambda state: {state} if found.value(dict(state)) else set())


def _any_value(drawing: Drawing, end: str) -> Statement:
    name = drawing.random.choice((*NUMBERS, *FLAGS))
    if name in FLAGS:
        return Statement(f"havoc {name}{end}", lambda state: {with_value(state, name, value) for value in (0, 1)})
    conjunction = drawing.spelling.conjunction
    return Statement(
        f"havoc {name}{end} assume 0 <= {name} {conjunction} {name} < {len(RANGE)}{end}",
        lambda state: {with_value(state, name, value) for value in RANGE},
    )


def sequence(statements: list[Statement]) -> Callable[[State], set[State]]:
    def after(state: State) -> set[State]:
        states = {state}
        for statement in statements:
            states = {end for each in states for end in statement.after(each)}
        return states

    return after


def simple(drawing: Drawing, end: str = "") -> Statement:
    return drawing.random.choice((_assignment, _assignment, _assumption, _any_value))(drawing, end)


# ---- control-flow automata -----------------------------------------------------------------------------------


def automaton(random: Random) -> tuple[str, bool]:
    """A text, and whether the error can be reached."""
    drawing = Drawing(random, WORDS)
    places = [f"L{i}" for i in range(random.randrange(3, 6))]
    first = {name: random.choice(RANGE) for name in NUMBERS} | {name: random.randrange(2) for name in FLAGS}
    start = " ".join(f"{name} := {_first(name, value)}" for name, value in first.items())
    edges: list[tuple[str, str, list[Statement]]] = []
    for _ in range(random.randrange(len(places), 2 * len(places) + 2)):
        source, target = random.choice(places), random.choice((*places, *places, "E"))
        edges.append((source, target, [simple(drawing) for _ in range(random.randrange(4))]))
    lines = [f"  {source} -> {target} {{ {'  '.join(s.text for s in body)} }}" for source, target, body in edges]
    declared = " ".join([*(f"var {n} : int" for n in NUMBERS), *(f"var {n} : bool" for n in FLAGS)])
    text = (
        f"main process p {{\n  {declared}\n  init loc I  error loc E  {' '.join(f'loc {p}' for p in places)}\n"
        f"  I -> L0 {{ {start} }}\n" + "\n".join(lines) + "\n}\n"
    )
    seen = {("L0", frozen(first))}
    waiting = list(seen)
    while waiting:
        place, state = waiting.pop()
        for source, target, body in edges:
            if source == place:
                fresh = {(target, end) for end in sequence(body)(state)} - seen
                seen |= fresh
                waiting.extend(fresh)
    return text, any(place == "E" for place, _ in seen)


def _first(name: str, value: int) -> str:
    return ("false", "true")[value] if name in FLAGS else str(value)


# ---- transition systems --------------------------------------------------------------------------------------


def system(random: Random) -> tuple[str, bool]:
    drawing = Drawing(random, SYSTEM_WORDS)
    bounds = " and ".join(f"0 <= {name} and {name} < {len(RANGE)}" for name in NUMBERS)
    initial = [f"{name} = {random.choice(RANGE)}" for name in NUMBERS if random.random() < 0.8]
    wanted = {part.split(" = ")[0]: int(part.split(" = ")[1]) for part in initial}
    invariants = [drawing.truth(1)] if random.random() < 0.3 else []
    steps = [drawing.truth() for _ in range(random.randrange(2))]
    updates = {name: drawing.stored() for name in NUMBERS if random.random() < 0.8}
    flips = {name: drawing.truth() for name in FLAGS if random.random() < 0.8}
    choice = drawing.truth(1)
    good = drawing.truth(1)
    transitions = [f"{name}' = {found.text}" for name, found in updates.items()]
    transitions += [f"{name}' equal ({found.text})" for name, found in flips.items()]
    transitions += [f"({choice.text}) imply ({found.text})" for found in steps]
    lines = [
        *(f"var {name} : int" for name in NUMBERS),
        *(f"var {name} : bool" for name in FLAGS),
        f"invariant {bounds}",
        *(f"invariant {each.text}" for each in invariants),
        *(f"initial {part}" for part in initial),
        *(f"transition {part}" for part in transitions),
    ]
    text = "specification s {\n property p : {\n  " + "\n  ".join(lines) + f"\n }} models G({good.text})\n}}\n"

    def allowed(state: State) -> bool:
        return all(each.value(dict(state)) for each in invariants)

    def related(old: State, new: State) -> bool:
        before, after = dict(old), dict(new)
        return (
            all(after[name] == found.value(before) for name, found in updates.items())
            and all(bool(after[name]) == bool(found.value(before)) for name, found in flips.items())
            and (not choice.value(before) or all(found.value(before) for found in steps))
        )

    states = [state for state in all_states() if allowed(state)]
    seen = {state for state in states if all(dict(state)[name] == value for name, value in wanted.items())}
    waiting = list(seen)
    while waiting:
        old = waiting.pop()
        fresh = {new for new in states if new not in seen and related(old, new)}
        seen |= fresh
        waiting.extend(fresh)
    return text, any(not good.value(dict(state)) for state in seen)


# ---- statecharts ---------------------------------------------------------------------------------------------


class Statements:
    """Draws nested statements; names of local variables and of loops are new ones."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._names = 0

    def block(self, depth: int) -> Statement:
        parts = [self.statement(depth) for _ in range(self._drawing.random.randrange(1, 4))]
        return Statement("{ " + " ".join(part.text for part in parts) + " }", sequence(parts))

    def statement(self, depth: int) -> Statement:
        random = self._drawing.random
        kind = random.randrange(9) if depth else 0
        if kind <= 3:
            return simple(self._drawing, ";")
        if kind <= 5:
            return self._choice(depth)
        if kind == 6:
            return self._conditional(depth)
        return self._loop(depth) if kind == 7 else self._local(depth)

    def _choice(self, depth: int) -> Statement:
        branches = [self.block(depth - 1) for _ in range(self._drawing.random.randrange(1, 4))]
        return Statement(
            "choice " + " or ".join(branch.text for branch in branches),
            lambda state: {end for branch in branches for end in branch.after(state)},
        )

    def _conditional(self, depth: int) -> Statement:
        condition, then = self._drawing.truth(), self.block(depth - 1)
        text, otherwise = f"if ({condition.text}) {then.text}", sequence([])
        if self._drawing.random.random() < 0.5:
            other = self.block(depth - 1)
            text, otherwise = f"{text} else {other.text}", other.after
        return Statement(text, lambda state: (then.after if condition.value(dict(state)) else otherwise)(state))

    def _loop(self, depth: int) -> Statement:
        """From a number to a variable: the bound counts as it was before the loop."""
        random = self._drawing.random
        self._names += 1
        name, start, end = f"i{self._names}", random.randrange(2), random.choice(NUMBERS)
        body = self.block(depth - 1)

        def after(state: State) -> set[State]:
            return sequence([body] * max(dict(state)[end] - start, 0))(state)

        return Statement(f"for {name} from {start} to {end} do {body.text}", after)

    def _local(self, depth: int) -> Statement:
        self._names += 1
        name, value = f"t{self._names}", self._drawing.stored()
        rest, to = self.block(depth - 1), self._drawing.random.choice(NUMBERS)

        def after(state: State) -> set[State]:
            kept = value.value(dict(state))
            return {with_value(end, to, kept) for end in rest.after(state)}

        return Statement(f"{{ local var {name} : integer = {value.text}; {rest.text} {to} := {name}; }}", after)


def statechart(random: Random) -> tuple[str, bool]:
    drawing = Drawing(random, SYMBOLS)
    statements = Statements(drawing)
    first = {name: random.choice(RANGE) for name in NUMBERS} | {name: random.randrange(2) for name in FLAGS}
    sets = {
        "trans": [statements.block(2) for _ in range(random.randrange(1, 4))],
        "init": [statements.block(1)],
        "env": [statements.block(1) for _ in range(random.randrange(1, 3))],
    }
    good = drawing.truth(1)
    lines = [f"{random.choice(('', 'ctrl '))}var {n} : integer = {first[n]}" for n in NUMBERS]
    lines += [f"var {n} : boolean = {_first(n, first[n])}" for n in FLAGS]
    lines += [f"{kind} {' or '.join(each.text for each in found)}" for kind, found in sets.items()]
    text = "\n".join([*lines, f"prop {{ {good.text} }}"]) + "\n"

    def after(kind: str, state: State) -> set[State]:
        return {end for each in sets[kind] for end in each.after(state)}

    seen = {("declared", frozen(first))}
    waiting = list(seen)
    turn = {"declared": "init", "init": "env", "env": "trans", "trans": "env"}
    while waiting:
        last, state = waiting.pop()
        fresh = {(turn[last], end) for end in after(turn[last], state)} - seen
        seen |= fresh
        waiting.extend(fresh)
    return text, any(not good.value(dict(state)) for _, state in seen)


DRAWN: Mapping[str, Callable[[Random], tuple[str, bool]]] = {
    "cfa": automaton,
    "sts": system,
    "xsts": statechart,
}


def drawn(language: str, seed: int) -> tuple[str, bool]:
    return DRAWN[language](Random(f"{language} {seed}"))


def disagreement(language: str, seed: int, folder: Path, time_limit: float = 20) -> str | None:
    """What Argosy says that is not so, or says nothing about; with the text."""
    import argosy

    text, reached = drawn(language, seed)
    path = folder / f"m{seed}.{language}"
    path.write_text(text)
    result = argosy.verify(path, time_limit=time_limit, in_process=True)
    if (result.verdict, result.certified) == ("unsafe" if reached else "safe", True):
        return None
    truth = "unsafe" if reached else "safe"
    return f"{language} {seed} is {truth}, and the answer is {result.verdict} ({result.reason})\n{text}"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--language", choices=LANGUAGES, action="append")
    given = options.parse_args()
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for language in given.language or LANGUAGES:
            for seed in range(given.seed, given.seed + given.count):
                said = disagreement(language, seed, Path(folder))
                if said is not None:
                    found += 1
                    print(said, flush=True)
    print(f"{found} disagreements")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""Random statements of C: the body of a function.

Loops are bounded by counters nobody else writes (or run into the oracle's step limit, and the program is
discarded). No jump enters the scope of a declaration past its initialiser.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from .expressions import CType, Draft, Expressions, Name, Scope, c_types, literal, spell
from .syntax import Block, Phrase, Point, Statement, line


@dataclass(frozen=True, slots=True)
class Profile:
    """How large programs get: statements in main, statements per function, functions, depth of expressions, inputs,
    calls, points; how often loops go round, and how deep they are nested."""

    statements: int = 7
    body: int = 3
    functions: int = 2
    depth: int = 2
    inputs: int = 2
    calls: int = 4
    points: int = 2
    rounds: int = 8
    nesting: int = 2


TINY = Profile(statements=5, body=2, functions=1, inputs=2, calls=2, rounds=3, nesting=1)
SMALL = Profile()
LARGE = Profile(statements=14, body=6, functions=4, depth=3, inputs=3, calls=10, points=3)


class Statements:
    """Draws statements; remembers what the function at hand reads and writes."""

    def __init__(self, random: Random, profile: Profile, data_model: str) -> None:
        self.random = random
        self.profile = profile
        self.data_model = data_model
        self.scope = Scope()
        self.types = c_types(self.data_model)
        # Plain int is as common as in real programs; most bugs are in the others.
        self.weights = [6, 3, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1]
        self.expressions = Expressions(self.random, self.scope, self.types)
        self.counter = 0
        self.points: dict[int, Point] = {}
        self.reads: set[Name] = set()
        self.writes: set[Name] = set()
        self.asserts = False
        self.weight = 0
        self.loops: list[str] = []  # what ``break`` and ``continue`` refer to: "loop" or "switch", innermost last
        self.result: CType | None = None
        self.in_main = False

    # ---- names and types ----------------------------------------------------------------------------------

    def fresh(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def some_type(self) -> CType:
        return self.random.choices(self.types, self.weights)[0]

    def declare(self, name: Name) -> None:
        self.scope.layers[-1][name.text] = name

    def local_name(self) -> str:
        """Usually new; sometimes the name of something outside this block, which is then shadowed."""
        inner = self.scope.layers[-1]
        outer = [n.text for n in self.scope.visible() if n.text not in inner]
        return self.random.choice(outer) if outer and self.chance(0.15) else self.fresh("v")

    # ---- expressions with their effects noted -------------------------------------------------------------

    def note(self, draft: Draft) -> Phrase:
        self.reads |= draft.reads
        self.writes |= draft.writes
        return draft.phrase

    def expression(self, depth: int | None = None) -> Phrase:
        self.expressions.choice_budget = 1 if self.chance(0.1) else 0
        return self.note(self.expressions.draw(self.profile.depth if depth is None else depth))

    def condition(self) -> Phrase:
        self.expressions.choice_budget = 1 if self.chance(0.1) else 0
        return self.note(self.expressions.condition(self.profile.depth - 1))

    # ---- statements ---------------------------------------------------------------------------------------

    def points_left(self) -> bool:
        return len(self.points) < self.profile.points - 1

    def watch(self) -> Statement:
        """A point: the oracle prints the values of a few variables here."""
        names = self.scope.visible()
        chosen = self.random.sample(names, min(len(names), 5))
        index = len(self.points)
        texts = tuple(name.spelt(self.random) for name in chosen)
        self.points[index] = Point(texts)
        self.asserts = True
        values = ", ".join(f"(long long)({text})" for text in texts)
        oracle = f"WATCH({index}, {len(chosen)}{', ' if values else ''}{values});"
        return Statement((Phrase("", (), oracle),), point=index)

    def statements(self, count: int, nesting: int = 0) -> list[Statement]:
        result: list[Statement] = []
        for _ in range(count):
            result += self.statement(nesting)
        return result

    def block(self, nesting: int, count: int | None = None) -> Block:
        self.scope.layers.append({})
        size = self.random.randint(1, 2 if nesting else 3) if count is None else count
        block = Block(tuple(self.statements(size, nesting + 1)))
        self.scope.layers.pop()
        return block

    def statement(self, nesting: int) -> list[Statement]:
        self.weight += 1
        simple: list[tuple[Callable[[int], list[Statement]], int]] = [
            (self._assignment, 30), (self._step, 6), (self._declaration, 8), (self._effect, 4), (self._call, 10),
            (self._assume, 1), (self._leave, 2 if nesting else 0), (self._jump, 6 if self.loops else 0),
            (self._point, 2 if self.points_left() and self.in_main else 0), (self._empty, 1),
        ]  # fmt: skip
        compound: list[tuple[Callable[[int], list[Statement]], int]] = [
            (self._if, 16), (self._while, 4), (self._do, 4), (self._for, 7), (self._switch, 5), (self._nested, 3),
            (self._goto_forward, 3), (self._goto_backward, 2), (self._goto_into, 1), (self._switch_into_loop, 1),
        ]  # fmt: skip
        loops = self.loops.count("loop")
        if loops >= self.profile.nesting:
            looping = (self._while, self._do, self._for, self._goto_backward, self._goto_into, self._switch_into_loop)
            compound = [(kind, weight) for kind, weight in compound if kind not in looping]
        deep = nesting >= 3 or (loops >= 2 and nesting >= 2)
        kinds = simple if deep else simple + compound
        kind = self.random.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
        return kind(nesting)

    def declaration(self) -> Statement:
        if self.chance(0.15):
            first, second = Name(self.fresh("v"), self.some_type()), self.fresh("v")
            value, other = self.expression(1), self.expression(1)
            self.declare(first)
            self.declare(Name(second, first.ctype))
            return line(f"{first.ctype.name} {first.text} = {{0}}, {second} = {{1}};", value, other)
        if self.chance(0.12):
            return self.extreme()
        value = self.expression()
        constant = self.chance(0.1)
        name = Name(self.local_name(), self.some_type(), writable=not constant)
        # ``int x = x`` would read the new x, so a name that is shadowed must not occur in its own initialiser.
        if name.text in _words(value):
            name.text = self.fresh("v")
        self.declare(name)
        plain = f"{name.ctype.name} {name.text} = {{0}};"
        # The oracle takes the address of variables, which a register has not.
        return line(f"{'const ' if constant else 'register ' if self.chance(0.05) else ''}{plain}", value, oracle=plain)

    def extreme(self) -> Statement:
        """A variable a few steps from where its type ends."""
        ctype = self.random.choice([t for t in self.types if t.width >= 8])
        offset = self.note(self.expressions.pure(0))
        name = Name(self.fresh("v"), ctype)
        self.declare(name)
        high = self.chance(0.7)
        start, sign = spell(ctype.high if high else ctype.low), "-" if high else "+"
        return line(f"{ctype.name} {name.text} = {start} {sign} ({{0}} & {self.random.choice((1, 3, 7))});", offset)

    def _declaration(self, nesting: int) -> list[Statement]:
        return [self.declaration()]

    def _assignment(self, nesting: int) -> list[Statement]:
        names = self.expressions.writable()
        if not names:
            return [self.declaration()]
        self.expressions.choice_budget = 1 if self.chance(0.1) else 0
        draft = self.expressions.assignment(self.random.choice(names), self.profile.depth)
        return [line("{0};", self.note(draft))]

    def _step(self, nesting: int) -> list[Statement]:
        names = self.expressions.writable()
        if not names:
            return [line(";")]
        name = self.random.choice(names)
        self.note(Draft(Phrase(""), frozenset((name,)), frozenset((name,))))
        return [line(self.random.choice(("{}++;", "++{};", "{}--;", "--{};")).format(name.spelt(self.random)))]

    def _effect(self, nesting: int) -> list[Statement]:
        return [line(self.random.choice(("{0};", "(void)({0});")), self.expression())]

    def _empty(self, nesting: int) -> list[Statement]:
        return [line(";")]

    def _call(self, nesting: int) -> list[Statement]:
        nothing: frozenset[Name] = frozenset()
        routines = self.expressions.callable(nothing, nothing, with_error=True)
        if not routines:
            return self._assignment(nesting)
        routine = self.random.choice(routines)
        self.expressions.choice_budget = 0
        draft = self.expressions.call(routine, self.profile.depth - 1, nothing, nothing)
        self.asserts = self.asserts or routine.asserts
        call = self.note(draft)
        targets = [n for n in self.expressions.writable() if n not in draft.reads and n not in draft.writes]
        if routine.result is None or not targets or self.chance(0.3):
            return [line("{0};", call)]
        target = self.random.choice(targets)
        self.writes.add(target)
        return [line(f"{target.spelt(self.random)} = {{0}};", call)]

    def _assume(self, nesting: int) -> list[Statement]:
        form = self.random.choice(("__VERIFIER_assume({0});", "assume_abort_if_not({0});", "if (!({0})) abort();"))
        return [line(form, self.condition())]

    def _leave(self, nesting: int) -> list[Statement]:
        if self.chance(0.1):
            return [line(self.random.choice(("if ({0}) exit(0);", "if ({0}) abort();")), self.condition())]
        if self.result is None:
            return [line("if ({0}) return;", self.condition())]
        value = line("return {0};", self.expression(1)) if not self.in_main else line("return 0;")
        return [Statement((Phrase("if ({0}) {{", (self.condition(),)), Block((value,)), Phrase("}}")))]

    def _jump(self, nesting: int) -> list[Statement]:
        jump = "break;" if self.loops[-1] == "switch" or self.chance(0.5) else "continue;"
        if "loop" in self.loops and self.loops[-1] == "switch" and self.chance(0.4):
            jump = "continue;"
        return [line(f"if ({{0}}) {jump}", self.condition())]

    def _point(self, nesting: int) -> list[Statement]:
        return [self.watch()]

    # ---- structured control flow --------------------------------------------------------------------------

    def _if(self, nesting: int) -> list[Statement]:
        condition = self.condition()
        pieces: list[Phrase | Block] = [Phrase("if ({0}) {{", (condition,)), self.block(nesting)]
        if self.chance(0.3):
            pieces += [Phrase("}} else if ({0}) {{", (self.condition(),)), self.block(nesting)]
        if self.chance(0.5):
            pieces += [Phrase("}} else {{"), self.block(nesting)]
        return [Statement((*pieces, Phrase("}}")))]

    def _nested(self, nesting: int) -> list[Statement]:
        return [Statement((Phrase("{{"), self.block(nesting), Phrase("}}")))]

    def body(self, nesting: int, kind: str = "loop") -> Block:
        self.loops.append(kind)
        block = self.block(nesting)
        self.loops.pop()
        return Block((line("", oracle="TICK;"), *block.statements)) if kind == "loop" else block

    def bound(self) -> Phrase:
        """How often a loop goes round: a small constant, or something small computed from a variable."""
        names = [n for n in self.scope.visible() if n.ctype.width > 1]
        if names and self.chance(0.4):
            name = self.random.choice(names)
            self.reads.add(name)
            mask = self.random.choice([m for m in (1, 3, 7) if m <= self.profile.rounds])
            return Phrase(f"({name.spelt(self.random)} & {mask})")
        return literal(str(self.random.choice([n for n in (1, 2, 3, 3, 4, 5, 8) if n <= self.profile.rounds])))

    def counted(self) -> Name:
        """A new counter. What it is compared with is drawn before, for it must not mention the counter."""
        name = Name(self.fresh("i"), self.random.choices(self.types, self.weights)[0])
        if name.ctype.width == 1:
            name.ctype = self.types[0]
        self.declare(name)
        name.locked = 1
        return name

    def _while(self, nesting: int) -> list[Statement]:
        bound = self.bound()
        counter = self.counted()
        start = line(f"{counter.ctype.name} {counter.text} = 0;")
        if self.chance(0.5):
            head = Phrase(f"while ({counter.text}++ < {{0}}) {{{{", (bound,))
        else:
            head = Phrase(f"while (({counter.text}++ < {{0}}) && {{1}}) {{{{", (bound, self.condition()))
        return [start, Statement((head, self.body(nesting), Phrase("}}")))]

    def _do(self, nesting: int) -> list[Statement]:
        bound = self.bound()
        counter = self.counted()
        start = line(f"{counter.ctype.name} {counter.text} = 0;")
        tail = Phrase(f"}}}} while (++{counter.text} < {{0}});", (bound,))
        if self.chance(0.4):
            tail = Phrase(f"}}}} while ({{0}} && (++{counter.text} < {{1}}));", (self.condition(), bound))
        return [start, Statement((Phrase("do {{"), self.body(nesting), tail))]

    def _for(self, nesting: int) -> list[Statement]:
        self.scope.layers.append({})
        bound = self.bound()
        counter = self.counted()
        ctype, i = counter.ctype, counter.text
        style = self.random.randrange(6)
        before: list[Statement] = []
        if style <= 1:
            head = Phrase(f"for ({ctype.name} {i} = 0; {i} < {{0}}; {i}++) {{{{", (bound,))
        elif style == 2:
            head = Phrase(f"for ({ctype.name} {i} = {{0}}; {i} > 0; --{i}) {{{{", (bound,))
        elif style == 3:
            step = self.random.choice((2, 3))
            head = Phrase(f"for ({ctype.name} {i} = 1; {i} <= {{0}}; {i} += {step}) {{{{", (bound,))
        elif style == 4:
            start = ctype.wrap(ctype.high - 1) if not ctype.signed else 3
            end = 2 if not ctype.signed else 0
            before = [line(f"{ctype.name} {i} = 7;")]
            head = Phrase(f"for ({i} = {spell(start)}; {i} != {end}; {'++' if not ctype.signed else '--'}{i}) {{{{")
        else:
            before = [line(f"{ctype.name} {i} = 0;")]
            head = Phrase(f"for (; ; ) {{{{ if ({i}++ >= {{0}}) break;", (bound,))
        body = self.body(nesting)
        self.scope.layers.pop()
        loop = Statement((head, body, Phrase("}}")))
        return [Statement((Phrase("{{"), Block((*before, loop)), Phrase("}}")))] if before else [loop]

    def _switch(self, nesting: int) -> list[Statement]:
        pieces: list[Phrase | Block] = [Phrase("switch ({0}) {{", (self.expression(1),))]
        labels = self.random.sample((0, 1, 2, 3, 4, 5, -1, -2, 255, 97), self.random.randint(2, 4))
        default = self.random.randrange(len(labels) + 2)
        for position, label in enumerate(labels):
            if position == default:
                pieces += [Phrase("default: {{"), self.body(nesting, "switch"), Phrase("}}")]
                if self.chance(0.5):
                    pieces.append(Phrase("break;"))
            pieces += [Phrase(f"case {label}: {{{{"), self.body(nesting, "switch"), Phrase("}}")]
            if self.chance(0.6):
                pieces.append(Phrase("break;"))
            if self.chance(0.15):
                pieces.append(Phrase(f"case {self.random.randint(10, 20) + 20 * position}:"))
        if default == len(labels):
            pieces += [Phrase("default: {{"), self.body(nesting, "switch"), Phrase("}}")]
        if isinstance(pieces[-1], Phrase) and pieces[-1].form.endswith(":"):
            pieces.append(Phrase(";"))
        return [Statement((*pieces, Phrase("}}")))]

    # ---- gotos --------------------------------------------------------------------------------------------

    def label(self) -> str:
        return self.fresh("L")

    def _goto_forward(self, nesting: int) -> list[Statement]:
        """Out of a block, past the rest of it."""
        name = self.label()
        self.scope.layers.append({})
        before = self.statements(self.random.randint(1, 2), nesting + 1)
        jump = line(f"if ({{0}}) goto {name};", self.condition())
        after = self.statements(self.random.randint(1, 2), nesting + 1)
        self.scope.layers.pop()
        inside = Statement((Phrase("{{"), Block((*before, jump, *after)), Phrase("}}")))
        return [inside, line(f"{name}: ;")]

    def _goto_backward(self, nesting: int) -> list[Statement]:
        name = self.label()
        counter = self.counted()
        start = line(f"{counter.ctype.name} {counter.text} = 0;")
        block = Statement((Phrase("{{"), self.block(nesting), Phrase("}}")))
        again = f"if (({counter.text} < {{0}}) && {{1}}) {{{{ {counter.text}++; goto {name}; }}}}"
        jump = line(again, self.bound(), self.condition())
        return [start, line(f"{name}: ;", oracle=f"{name}: TICK;"), block, jump]

    def _goto_into(self, nesting: int) -> list[Statement]:
        """Into the middle of a loop's body, past its condition."""
        if not self.expressions.writable():
            return self._empty(nesting)
        name = self.label()
        bound = self.bound()
        counter = self.counted()
        start = line(f"{counter.ctype.name} {counter.text} = 0;")
        jump = line(f"if ({{0}}) goto {name};", self.condition())
        head = Phrase(f"while ({counter.text}++ < {{0}}) {{{{", (bound,))
        tick = line("", oracle="TICK;")
        body = (tick, *self._assignment(nesting), line(f"{name}: ;"), *self._step(nesting), *self._assignment(nesting))
        return [start, jump, Statement((head, Block(body), Phrase("}}")))]

    def _switch_into_loop(self, nesting: int) -> list[Statement]:
        """Duff's device: a case label inside a loop inside the switch."""
        if not self.expressions.writable():
            return self._empty(nesting)
        bound = self.bound()
        counter = self.counted()
        start = line(f"{counter.ctype.name} {counter.text} = 0;")
        body = (line("", oracle="TICK;"), *self._assignment(nesting), line("case 1: ;"), *self._step(nesting))
        tail = Phrase(f"}}}} while (++{counter.text} < {{0}});", (bound,))
        loop = Statement((Phrase("case 0: do {{"), Block(body), tail))
        head = Phrase("switch ({0}) {{", (self.expression(1),))
        return [start, Statement((head, Block((loop,)), Phrase("}}")))]


def _words(phrase: Phrase) -> set[str]:
    text = phrase.text()
    return set("".join(c if c.isalnum() or c == "_" else " " for c in text).split())

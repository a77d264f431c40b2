"""Random structures: bit fields of all types, ``packed``, ``aligned``, ``#pragma pack``, unions, nested ones.

``layouts`` compares where the front end puts their members with what compilers do, bit by bit; ``generate`` makes
programs that read and write them, for ``stepwise``.

    python -m tests.fuzz.records --count 300
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from argosy.frontends.c.elaborate.program import Elaboration
from argosy.frontends.c.source import parse
from argosy.frontends.c.symbols import Unit
from argosy.frontends.c.types import Array, DataModel, StructureType, Type, data_model
from argosy.logic.terms import Terms

from .compiled import CLANG, GCC, SHOWN, Program, available, executions

WIDTHS = {
    "_Bool": 1, "char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32,
    "signed int": 32, "unsigned": 32, "enum few": 32, "long long": 64, "unsigned long long": 64,
}  # fmt: skip
PLAIN = ("char", "unsigned char", "short", "int", "unsigned", "long long", "long", "float", "double", "void *", "_Bool")
NAMED = {"wide_char": 4, "close_int": 1, "far_short": 8}
HEAD = """\
enum few { NONE, ONE, TWO };
typedef unsigned char wide_char __attribute__((aligned(4)));
typedef int close_int __attribute__((aligned(1)));
typedef short far_short __attribute__((aligned(8)));
"""


@dataclass
class Made:
    """A structure as text, with what leads to its bit fields and to its other scalars, in the order of the text."""

    tag: str
    text: str
    fields: list[tuple[str, str, int]] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)


class Structures:
    def __init__(self, random: Random, portable: bool = False) -> None:
        """What is ``portable`` has no bit fields in whose arithmetic compilers differ."""
        self.random = random
        self.portable = portable
        self._names = 0

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def name(self) -> str:
        self._names += 1
        return f"m{self._names}"

    def structure(self, tag: str) -> Made:
        made = Made(tag, "")
        kind, body = self._body(made, "", 0)
        before = " __attribute__((packed))" if self.chance(15) else ""
        behind = self.attributes(15, 15)
        text = f"{kind}{before} {tag} {body}{behind};"
        if self.chance(25):
            text = f"#pragma pack(push, {self.random.choice((1, 2, 4, 8))})\n{text}\n#pragma pack(pop)"
        made.text = text
        made.tag = f"{kind} {tag}"
        return made

    def attributes(self, packed: int, aligned: int) -> str:
        words = ["packed"] if self.chance(packed) else []
        if self.chance(aligned):
            words.append(self.random.choice(("aligned(2)", "aligned(4)", "aligned(8)", "aligned", "aligned(1 << 4)")))
        return f" __attribute__(({', '.join(words)}))" if words else ""

    def _body(self, made: Made, path: str, depth: int) -> tuple[str, str]:
        kind = "union" if self.chance(20 if depth else 8) else "struct"
        lines = [self._member(made, path, depth) for _ in range(self.random.randint(1, 4 if depth else 8))]
        return kind, f"{{ {' '.join(lines)} }}"

    def _member(self, made: Made, path: str, depth: int) -> str:
        choice = self.random.randrange(100)
        if choice < 60:
            return self._bit_field(made, path)
        if choice < 72 and depth < 2:
            name = "" if self.chance(40) else self.name()
            kind, body = self._body(made, f"{path}.{name}" if name else path, depth + 1)
            return f"{kind} {body}{self.attributes(12, 0)} {name}{self.attributes(8, 8) if name else ''};"
        name = self.name()
        type_ = self.random.choice((*PLAIN, *NAMED))
        length = f"[{self.random.randint(1, 3)}]" if type_ not in NAMED and self.chance(20) else ""
        alignas = "_Alignas(8) " if self.chance(4) else ""
        made.others.append((f"{path}.{name}{'[0]' if length else ''}", type_))
        return f"{alignas}{type_} {name}{length}{self.attributes(6, 6)};"

    def _bit_field(self, made: Made, path: str) -> str:
        type_ = self.random.choice(tuple(WIDTHS))
        most = WIDTHS[type_]
        if self.chance(8):
            return f"{type_} : 0;"
        width = most if self.chance(10) else self.random.randint(1, most)
        if self.portable and 32 < width < most:
            width = 32
        if self.chance(10):
            return f"{type_} : {width};"
        name = self.name()
        made.fields.append((f"{path}.{name}", type_, width))
        return f"{type_} {name} : {width}{self.attributes(4, 0)};"


# ---- layouts --------------------------------------------------------------------------------------------------------


def structures(seed: int, count: int) -> list[Made]:
    random = Random(f"layouts {seed}")
    return [Structures(random).structure(f"s{index}") for index in range(count)]


def _program(made: Sequence[Made]) -> Program:
    """Shows size and alignment of each structure, and the bytes of an object in which one member has all its bits."""
    lines = [
        HEAD,
        "unsigned seen;",
        f"static void mark(unsigned h) {{\n{SHOWN}\n}}",
        "static void bytes(void *p, unsigned n) { for (unsigned i = 0; i < n; i++) mark(((unsigned char *)p)[i]); }",
        "static void clear(void *p, unsigned n) { for (unsigned i = 0; i < n; i++) ((volatile char *)p)[i] = 0; }",
        "static void fill(void *p, unsigned n) { for (unsigned i = 0; i < n; i++) ((volatile char *)p)[i] = -1; }",
    ]
    body = []
    for number, each in enumerate(made):
        lines.append(each.text)
        body.append(f"  mark(sizeof({each.tag})); mark(_Alignof({each.tag}));")
        body.append(f"  {{ static {each.tag} o{number};")
        for path, type_, _ in each.fields:
            value = "(enum few)-1" if type_.startswith("enum") else "1" if type_ == "_Bool" else "-1"
            body.append(f"    clear(&o{number}, sizeof o{number}); o{number}{path} = {value};")
            body.append(f"    bytes(&o{number}, sizeof o{number});")
        for path, _ in each.others:
            body.append(f"    clear(&o{number}, sizeof o{number}); fill((void *)&o{number}{path}, 1);")
            body.append(f"    bytes(&o{number}, sizeof o{number});")
        body.append("  }")
    text = "\n".join([*lines, "int main(void) {", *body, "  return 0;", "}", ""])
    exported = ("main", "seen", "mark", "bytes", "clear", "fill", "few", "NONE", "ONE", "TWO", *NAMED)
    return Program(text, (*exported, *(f"s{index}" for index in range(len(made)))))


def _expected(made: Sequence[Made], model: DataModel) -> Iterator[list[int]]:
    """The same by the front end's layout, structure by structure."""
    text = "\n".join([HEAD, *(each.text for each in made), "int main(void) { return 0; }", ""])
    syntax = parse("records.c", model.name, text)
    unit = Unit("records.c", Terms(), model, syntax.lexed)
    Elaboration(syntax, unit, "main")
    for each in made:
        type_ = unit.scopes.find_tag(each.tag.split()[1])
        assert isinstance(type_, StructureType) and type_.obstacle is None, each.text
        layout = model.layout(type_)
        assert layout is not None
        found = list(layout)
        for path, _, width in each.fields:
            found.extend(_bits(layout[0], *_start(model, type_, path.split(".")[1:]), width))
        for path, _ in each.others:
            start, _ = _start(model, type_, path.removesuffix("[0]").split(".")[1:])
            found.extend(_bits(layout[0], start, 0, 8))
        yield found


def _start(model: DataModel, type_: Type, path: Sequence[str]) -> tuple[int, int]:
    """The byte of a member, or of the storage that it lies in, and its first bit there."""
    offset, low = 0, 0
    for name in path:
        assert isinstance(type_, StructureType)
        own, bits, member = model.offset(type_, name), model.bit_range(type_, name), type_.member(name)
        assert own is not None and member is not None
        offset, low = offset + own, 0 if bits is None else bits[1].low
        type_ = member.element if isinstance(member, Array) else member
    return offset, low


def _bits(size: int, offset: int, low: int, width: int) -> Iterator[int]:
    whole = ((1 << width) - 1) << (8 * offset + low)
    return (whole >> (8 * index) & 0xFF for index in range(size))


def layouts(seed: int, count: int, name: str, compiler: Sequence[str] = GCC) -> str | None:
    """What a compiler and the front end say of some structures: None where they agree, else the first difference."""
    made = structures(seed, count)
    complaints: list[str] = []
    [shown] = executions([_program(made)], name, compiler, complaints)
    assert shown is not None, "".join(complaints)[:2000]
    rest = list(shown[0].seen[1:])
    for each, own in zip(made, _expected(made, data_model(name)), strict=True):
        if rest[: len(own)] != own:
            return f"{name}: {each.text}\n{compiler[0]}: {rest[: len(own)]}\n{own}"
        del rest[: len(own)]
    return None


# ---- values ---------------------------------------------------------------------------------------------------------

OPERATORS = ("+", "-", "*", "&", "|", "^", "<", "==", ">=", "!=")
INPUTS = "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n"


class _Values:
    """A program that writes bit fields and shows what it reads."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"records {seed}")
        self.made = Structures(self.random, portable=True)
        self.lines: list[str] = []

    def program(self) -> Program:
        kinds: list[Made] = []
        while len(kinds) < 2:
            made = self.made.structure(f"s{len(kinds)}")
            if made.fields:
                kinds.append(made)
        names = ["main", "seen", "h", "mark", "few", "NONE", "ONE", "TWO", "s0", "s1", "g0", "g1", "a", *NAMED]
        text = [INPUTS + HEAD, "unsigned seen, h;", f"static void mark(unsigned v) {{ h = h * 31u + v;\n{SHOWN}\n}}"]
        text += [each.text for each in kinds]
        objects: list[tuple[str, Made]] = []
        for number, each in enumerate(kinds):
            text.append(f"{each.tag} g{number} = {self._initial(each)};")
            objects.append((f"g{number}", each))
            self.lines.append(f"  {each.tag} l{number} = {self._initial(each)};")
            self.lines.append(f"  {each.tag} *p{number} = __VERIFIER_nondet_int() & 1 ? &g{number} : &l{number};")
            objects += [(f"l{number}", each), (f"(*p{number})", each)]
        text.append(f"{kinds[0].tag} a[3];")
        objects.append(("a[__VERIFIER_nondet_uint() % 3]", kinds[0]))
        for _ in range(self.random.randint(8, 16)):
            self._statement(objects)
        for name, made in objects[:-1]:
            self._shown(name, made)
        body = ["int main(void) {", "  int i = __VERIFIER_nondet_int(); unsigned u = __VERIFIER_nondet_uint();"]
        return Program("\n".join([*text, *body, *self.lines, "  return 0;", "}", ""]), tuple(names))

    def _initial(self, made: Made) -> str:
        chosen = self.random.choices(made.fields, k=self.random.randint(1, 4))
        given = ", ".join(f"{path} = {self.random.randint(0, 3) & ((1 << width) - 1)}" for path, _, width in chosen)
        return f"{{ {given} }}"

    def _field(self, objects: Sequence[tuple[str, Made]]) -> tuple[str, str, int]:
        name, made = self.random.choice(objects)
        path, type_, width = self.random.choice(made.fields)
        return f"{name}{path}", type_, width

    def _value(self, objects: Sequence[tuple[str, Made]]) -> str:
        choice = self.random.randrange(4)
        if choice == 0:
            return self.random.choice(("i", "u", "1", "-1", "7", "(i & 255)"))
        first = self._field(objects[:-1])[0]
        if choice < 3:
            return f"((long long){first})" if self.random.randrange(3) == 0 else first
        second = self._field(objects[:-1])[0] if self.random.randrange(2) else "u"
        op = self.random.choice(OPERATORS)
        return f"((unsigned){first} {op} (unsigned){second})" if op == "*" else f"({first} {op} {second})"

    def _statement(self, objects: Sequence[tuple[str, Made]]) -> None:
        choice = self.random.randrange(10)
        place, type_, _ = self._field(objects)
        if choice < 5:
            self.lines.append(f"  {place} = {self._value(objects)};")
        elif choice < 6 and type_ not in ("_Bool", "long long", "unsigned long long"):
            op = self.random.choice(("+=", "-=", "&=", "|=", "^="))
            self.lines.append(f"  {place} {op} {self.random.choice(('u', 'i', '3'))};")
        elif choice < 7 and type_.startswith("unsigned") and "long" not in type_:
            self.lines.append(f"  mark({place}{self.random.choice(('++', '--'))});")
        elif choice < 8:
            self.lines.append(f"  mark({place} = {self._value(objects)});")
        elif choice < 9:
            self.lines.append("  l0 = *p0;" if self.random.randrange(2) else "  a[1] = g0;")
        else:
            self.lines.append(f"  mark({self._value(objects)} < {self._value(objects)});")

    def _shown(self, name: str, made: Made) -> None:
        for path, _, width in made.fields:
            high = f" + 3 * (unsigned)((unsigned long long){name}{path} >> 32)" if width > 32 else ""
            self.lines.append(f"  mark((unsigned){name}{path}{high});")
        self.lines.append(f"  mark(sizeof({made.tag}));")


def generate(seed: int) -> Program:
    return _Values(seed).program()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.records", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="structures")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    wrong, batch = 0, 50
    for name in ("LP64", "ILP32"):
        for compiler in (GCC, CLANG):
            if not available(name, compiler):
                continue
            for start in range(0, options.count, batch):
                found = layouts(options.seed + start, batch, name, compiler)
                wrong += found is not None
                if found is not None:
                    print(found, flush=True)
    print(f"{options.count} structures, {wrong} batches differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

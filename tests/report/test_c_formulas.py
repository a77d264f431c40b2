"""Formulas as C: what compilers make of the text is what the formula says, and evaluating it is defined."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

from argosy.logic.semantics import signed
from argosy.logic.sorts import bits
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import evaluate
from argosy.report.c_formulas import CFormulas
from argosy.report.c_numbers import CVariable, NotInC
from tests.report.evidence import built, needs_gcc

TYPES = {
    "a": ("int", 32, True),
    "b": ("unsigned int", 32, False),
    "c": ("signed char", 8, True),
    "d": ("unsigned short", 16, False),
    "e": ("long long", 64, True),
    "f": ("unsigned long long", 64, False),
    "g": ("_Bool", 1, False),
}
ARITHMETIC = ("bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor")
FIXED = ("bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvshl", "bvlshr", "bvashr")


class Drawn:
    """Random formulas over variables of all types, and one that C cannot name."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.terms = Terms()
        self.variables = {name: self.terms.var(name, bits(width)) for name, (_, width, _) in TYPES.items()}
        self.hidden = self.terms.var("hidden", bits(32))

    def number(self, width: int, depth: int) -> Term:
        terms, draw = self.terms, self.random
        own = [v for v in (*self.variables.values(), self.hidden) if v.sort.width == width]
        shape = draw.random()
        if depth == 0 or shape < 0.15:
            if own and draw.random() < 0.8:
                return draw.choice(own)
            return terms.bv(draw.choice((0, 1, 3, 100, 2 ** (width - 1), 2**width - 1)), width)
        if shape < 0.6:
            return terms.bit(draw.choice(ARITHMETIC), self.number(width, depth - 1), self.number(width, depth - 1))
        if shape < 0.7:
            divisor = terms.bv(draw.choice((2, 3, 7)), width) if width > 3 else terms.bv(1, width)
            return terms.bit(draw.choice(FIXED), self.number(width, depth - 1), divisor)
        if shape < 0.8:
            return terms.bit(draw.choice(("bvneg", "bvnot")), self.number(width, depth - 1))
        smaller = [w for w in (1, 8, 16, 32, 33, 40) if w < width]
        larger = [w for w in (8, 16, 32, 35, 64) if w > width]
        if smaller and (shape < 0.9 or not larger):
            inner = draw.choice(smaller)
            extend = draw.choice((terms.sign_extend, terms.zero_extend))
            return extend(self.number(inner, depth - 1), width - inner)
        if larger:
            outer, low = draw.choice(larger), draw.choice((0, 1))
            low = low if outer > width else 0
            return terms.extract(self.number(outer, depth - 1), low + width - 1, low)
        return self.number(width, 0)

    def formula(self, depth: int) -> Term:
        terms, draw = self.terms, self.random
        if depth and draw.random() < 0.6:
            parts = [self.formula(depth - 1) for _ in range(draw.choice((2, 3)))]
            made = draw.choice((terms.conjunction, terms.disjunction))(parts)
            return terms.not_(made) if draw.random() < 0.3 else made
        width = draw.choice((1, 8, 16, 32, 32, 33, 64, 66))
        a, b = self.number(width, 2), self.number(width, 2)
        atom = terms.eq(a, b) if draw.random() < 0.3 else terms.bit(draw.choice(("bvslt", "bvult")), a, b)
        return terms.not_(atom) if draw.random() < 0.5 else atom

    def name(self, term: Term) -> CVariable:
        if term.name not in TYPES:
            raise NotInC
        _, width, is_signed = TYPES[term.name]
        return CVariable(term.name, width, is_signed)

    def values(self) -> dict[Term, int]:
        interesting = (0, 1, 2, 99, 100, 101)
        found = {}
        for variable in (*self.variables.values(), self.hidden):
            width = variable.sort.width
            extreme = (2 ** (width - 1), 2 ** (width - 1) - 1, 2**width - 1, self.random.randrange(2**width))
            found[variable] = self.random.choice((*interesting, *extreme)) % 2**width
        return found


def cases(drawn: Drawn, count: int) -> Iterator[tuple[Term, Term, str]]:
    writer = CFormulas(drawn.terms, drawn.name)
    while count:
        formula = drawn.formula(2)
        weak = writer.weakened(formula)
        if not weak.is_const:
            count -= 1
            yield formula, weak, writer.text(weak)


@needs_gcc
def test_compilers_evaluate_the_text_to_what_follows_from_the_formula(tmp_path: Path) -> None:
    drawn = Drawn(5)
    found = list(cases(drawn, 150))
    valuations = [drawn.values() for _ in range(20)]
    parameters = ", ".join(f"{type_} {name}" for name, (type_, _, _) in TYPES.items())
    unused = " ".join(f"(void) {name};" for name in TYPES)
    functions = [
        f"static int f{number}({parameters}) {{ {unused} return {text}; }}" for number, (_, _, text) in enumerate(found)
    ]
    calls = []
    for number in range(len(found)):
        for values in valuations:
            given = []
            for name, (type_, width, is_signed) in TYPES.items():
                value = values[drawn.variables[name]]
                suffix = "ll" if is_signed else "ull"
                shown = signed(value, width) if is_signed else value
                least = is_signed and shown == -(2**63)
                given.append(f"({type_}) " + (f"({shown + 1}ll - 1)" if least else f"{shown}{suffix}"))
            calls.append(f"    putchar(f{number}({', '.join(given)}) ? 49 : 48);")
    main = "int main(void) {\n" + "\n".join(calls) + "\n    return 0;\n}\n"
    source = tmp_path / "formulas.c"
    source.write_text("extern int putchar(int);\n" + "\n".join(functions) + "\n" + main)
    # A formula may say what is always true of its bits.
    warnings = ("-Wall", "-Wextra", "-Werror", "-Wno-tautological-compare")
    flags = (*warnings, "-O0", "-fsanitize=undefined", "-fno-sanitize-recover=undefined")
    program = built(tmp_path, source, flags=flags)
    ran = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    answers = iter(ran.stdout)
    exact = 0
    for formula, weak, text in found:
        for values in valuations:
            said = next(answers) == "1"
            assert said == evaluate(weak, values), text
            assert said or not evaluate(formula, values), text
        exact += weak is formula
    assert exact >= 20


def test_what_has_no_name_is_true_and_never_false() -> None:
    terms = Terms()
    seen, hidden = terms.var("a", bits(32)), terms.var("hidden", bits(32))
    writer = CFormulas(terms, Drawn(0).name)
    both = terms.and_(terms.eq(hidden, terms.bv(3, 32)), terms.eq(seen, terms.bv(4, 32)))
    assert writer.text(writer.weakened(both)) == "a == 4"
    assert writer.weakened(terms.not_(both)) is terms.true
    assert writer.weakened(terms.or_(*both.args)) is terms.true


def test_bounds_come_first_and_make_the_rest_short() -> None:
    terms = Terms()
    a, b = terms.var("a", bits(32)), terms.var("b", bits(32))
    writer = CFormulas(terms, lambda term: CVariable(term.name, 32, True))
    wide = terms.bit("bvmul", *(terms.sign_extend(v, 31) for v in (a, b)))
    product = terms.eq(wide, terms.bv(6, 63))
    small = [terms.bit("bvsle", terms.bv(0, 32), v) for v in (a, b)]
    text = writer.text(writer.weakened(terms.and_(product, *small)))
    assert text == "(a >= 0) && (b >= 0) && (((long long) a * (long long) b) == 6LL)"

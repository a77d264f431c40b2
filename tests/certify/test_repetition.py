"""Rounds executed natively against the same rounds executed by Python."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argosy.certify.repetition import LoopRound, NotStraight, Repetition, by_hand
from argosy.kernel import _repetition
from argosy.logic.semantics import BIT_PREDICATES, ArrayValue, Value
from argosy.logic.sorts import BOOL, INT, array, bits
from argosy.logic.terms import Term, Terms

TERMS = Terms()
WIDTHS = (1, 3, 8, 32, 64, 65, 128)
WORDS = {width: [TERMS.var(f"x{width}_{n}", bits(width)) for n in range(2)] for width in WIDTHS}
FLAGS = [TERMS.var(f"b{n}", BOOL) for n in range(2)]
VARIABLES = [*(v for words in WORDS.values() for v in words), *FLAGS]
BINARY = sorted(
    op for op in _repetition.OPCODES if op.startswith("bv") and op not in BIT_PREDICATES | {"bvneg", "bvnot"}
)


def words(width: int) -> st.SearchStrategy[Term]:
    leaves = st.sampled_from(WORDS[width]) | st.integers(0, 2**width - 1).map(lambda n: TERMS.const(n, bits(width)))

    def larger(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        return st.one_of(
            st.builds(lambda op, a, b: TERMS.bit(op, a, b), st.sampled_from(BINARY), parts, parts),
            st.builds(lambda op, a: TERMS.bit(op, a), st.sampled_from(["bvneg", "bvnot"]), parts),
            st.builds(lambda a, b, c: TERMS.ite(TERMS.bit("bvslt", a, b), c, a), parts, parts, parts),
            st.builds(lambda a: resized(a, width), st.sampled_from([v for w in WIDTHS for v in WORDS[w]])),
        )

    return st.recursive(leaves, larger, max_leaves=4)


def resized(term: Term, width: int) -> Term:
    own = term.sort.width
    if own > width:
        return TERMS.extract(term, width - 1 + (own - width) // 2, (own - width) // 2)
    if own == width:
        return term
    if own + 3 == width:
        return TERMS.concat(TERMS.const(5, bits(3)), term)
    return TERMS.sign_extend(term, width - own) if own % 2 else TERMS.zero_extend(term, width - own)


def conditions() -> st.SearchStrategy[Term]:
    comparisons = st.sampled_from(WIDTHS).flatmap(
        lambda width: st.builds(
            lambda op, a, b: TERMS.eq(a, b) if op == "=" else TERMS.bit(op, a, b),
            st.sampled_from([*sorted(BIT_PREDICATES), "="]),
            words(width),
            words(width),
        )
    )
    return st.recursive(
        comparisons | st.sampled_from(FLAGS),
        lambda parts: st.one_of(
            st.builds(TERMS.and_, parts, parts), st.builds(TERMS.or_, parts, parts), st.builds(TERMS.not_, parts)
        ),
        max_leaves=3,
    )


@st.composite
def rounds(draw: st.DrawFn) -> tuple[LoopRound, dict[Term, Value]]:
    updates = [(FLAGS[0], draw(conditions()))]
    for width in draw(st.sets(st.sampled_from(WIDTHS), min_size=1)):
        updates.append((WORDS[width][0], draw(words(width))))
    values: dict[Term, Value] = {v: draw(st.integers(0, 2**v.sort.width - 1)) for v in VARIABLES if v.sort.is_bits}
    values.update((flag, draw(st.booleans())) for flag in FLAGS)
    return LoopRound(tuple(draw(st.lists(conditions(), max_size=2))), tuple(updates)), values


@settings(deadline=None, max_examples=40)
@given(rounds())
def test_native_rounds_are_the_rounds_of_its_twin(drawn: tuple[LoopRound, dict[Term, Value]]) -> None:
    one, values = drawn
    for most in (0, 1, 7):
        assert Repetition(one).run(values, most) == by_hand(one, values, most)


def test_it_stops_where_a_condition_fails_and_where_it_is_asked_to() -> None:
    x = WORDS[32][0]
    count = LoopRound(
        (TERMS.bit("bvult", x, TERMS.const(100_000_000, bits(32))),), ((x, TERMS.bit("bvadd", x, one(32))),)
    )
    assert Repetition(count).run({x: 3}, 1 << 40) == (99_999_997, {x: 100_000_000})
    assert Repetition(count).run({x: 3}, 10) == (10, {x: 13})
    rounds, after = Repetition(count).run({x: 0}, 1 << 40, iter([False, True]).__next__)
    assert 0 < rounds < 100_000_000 and after == {x: rounds}


def one(width: int) -> Term:
    return TERMS.const(1, bits(width))


def test_what_does_not_fit_a_word_is_refused() -> None:
    wide, number = TERMS.var("wide", bits(129)), TERMS.var("number", INT)
    for variable in (wide, number):
        with pytest.raises(NotStraight):
            Repetition(LoopRound((), ((variable, variable),)))
    with pytest.raises(NotStraight):
        Repetition(LoopRound((TERMS.eq(TERMS.concat(WORDS[65][0], WORDS[64][1]), TERMS.const(1, bits(129))),), ()))


@pytest.mark.parametrize("word", range(6))
def test_code_that_makes_no_sense_is_refused(word: int) -> None:
    code = [0, 8, 0, 0, 0, 0]
    code[word] = 1_000
    with pytest.raises(ValueError, match="there is not"):
        _repetition.run(b"".join(n.to_bytes(4, "little") for n in code), b"", b"", bytes(8), [], 1, lambda: False)


@pytest.mark.parametrize("word", range(4))
def test_writes_that_make_no_sense_are_refused(word: int) -> None:
    write = [0, 0, 0, 0]
    write[word] = 1
    with pytest.raises(ValueError, match="there is not"):
        _repetition.run(b"", b"", b"".join(n.to_bytes(4, "little") for n in write), bytes(8), [bytes(8)], 1, bool)


FLAT = [TERMS.var(f"a{n}", array(bits(8), bits(8))) for n in range(2)]
ROWS = TERMS.var("rows", array(bits(8), array(bits(8), bits(8))))
WIDE = TERMS.var("wide rows", array(bits(65), array(bits(8), BOOL)))


def elements() -> st.SearchStrategy[Term]:
    """Words of eight bits, many of which are read from arrays, after writes that the round has made before."""
    leaves = st.sampled_from(WORDS[8]) | st.integers(0, 3).map(lambda n: TERMS.const(n, bits(8)))

    def larger(parts: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        return st.one_of(
            st.builds(lambda op, a, b: TERMS.bit(op, a, b), st.sampled_from(["bvadd", "bvxor"]), parts, parts),
            st.builds(TERMS.select, st.sampled_from(FLAT), parts),
            st.builds(lambda a, i, v, j: TERMS.select(TERMS.store(a, i, v), j), st.sampled_from(FLAT), *[parts] * 3),
            st.builds(lambda i, j: TERMS.select(TERMS.select(ROWS, i), j), parts, parts),
        )

    return st.recursive(leaves, larger, max_leaves=4)


@st.composite
def rounds_with_arrays(draw: st.DrawFn) -> tuple[LoopRound, dict[Term, Value]]:
    def written(whole: Term) -> Term:
        for _ in range(draw(st.integers(0, 2))):
            at, value = draw(elements()), draw(elements())
            if whole.sort.element is not None and whole.sort.element.element is not None:
                value = TERMS.store(TERMS.select(whole, at), draw(elements()), value)
            more = TERMS.store(whole, at, value)
            whole = TERMS.ite(TERMS.bit("bvult", draw(elements()), draw(elements())), more, whole)
        return whole

    x, y = WORDS[8]
    small = TERMS.bit("bvult", draw(elements()), TERMS.const(250, bits(8)))
    wide = TERMS.var("x65_0", bits(65))
    row = TERMS.select(WIDE, wide)
    flipped = TERMS.store(row, x, TERMS.not_(TERMS.select(row, y)))
    updates = [(x, draw(elements())), (FLAT[0], written(FLAT[0])), (ROWS, written(ROWS))]
    if draw(st.booleans()):
        updates.append((WIDE, TERMS.store(WIDE, wide, flipped)))
    values: dict[Term, Value] = {v: draw(st.integers(0, 255)) for v in (x, y, wide)}
    stored = st.dictionaries(st.integers(0, 4), st.integers(0, 255), max_size=3)
    values.update((a, ArrayValue(draw(st.integers(0, 3)), draw(stored))) for a in FLAT)
    full = stored.filter(bool)
    values[ROWS] = ArrayValue(ArrayValue(7), {n: ArrayValue(7, draw(full)) for n in range(draw(st.integers(0, 2)))})
    values[WIDE] = ArrayValue(ArrayValue(False))
    return LoopRound((small,), tuple(updates)), values


@settings(deadline=None, max_examples=60)
@given(rounds_with_arrays())
def test_arrays_in_native_rounds(drawn: tuple[LoopRound, dict[Term, Value]]) -> None:
    one, values = drawn
    for most in (0, 1, 6):
        assert Repetition(one).run(values, most) == by_hand(one, values, most)


def test_rows_that_differ_where_nothing_was_written_are_left_alone() -> None:
    x = WORDS[8][0]
    read = LoopRound((), ((x, TERMS.select(TERMS.select(ROWS, x), x)),))
    for odd in (ArrayValue(ArrayValue(1), {3: ArrayValue(2)}), ArrayValue(ArrayValue(1, {0: 2}))):
        values: dict[Term, Value] = {x: 3, ROWS: odd}
        assert Repetition(read).run(values, 5) == (0, values)


def test_arrays_that_become_others_are_refused() -> None:
    a, b = FLAT
    row = TERMS.select(ROWS, WORDS[8][0])
    for variable, value in ((a, b), (a, TERMS.store(b, WORDS[8][0], one(8))), (ROWS, TERMS.store(ROWS, one(8), row))):
        with pytest.raises(NotStraight):
            Repetition(LoopRound((), ((variable, value),)))
    with pytest.raises(NotStraight):
        Repetition(LoopRound((TERMS.eq(a, b),), ()))

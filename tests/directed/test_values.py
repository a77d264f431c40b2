"""Sets of values found by halving, against every value tried."""

from __future__ import annotations

from random import Random

import pytest

from argosy.directed import parts, values
from argosy.directed.conditions import Dependencies
from argosy.directed.parts import NONE, Condition, ConditionReader
from argosy.models.network import Network, NetworkVariable
from argosy.models.network_evaluation import Evaluator, ModelError
from argosy.models.network_expressions import Binary, BinaryOperator, Conditional, Constant, Expression, Unary
from tests.kernel.networks import Draft, network, read

OPERATORS: tuple[BinaryOperator, ...] = (
    *("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<?", ">?"),
    *("<", "<=", "==", "!=", ">=", ">", "&&", "||"),
)


def with_variables(*variables: NetworkVariable) -> Network:
    draft = Draft()
    draft.location("only")
    return network([draft], list(variables))


def random_expression(random: Random, depth: int) -> Expression:
    if depth == 0 or random.random() < 0.15:
        return read(0) if random.random() < 0.5 else Constant(random.choice([-7, -1, 0, 1, 2, 5, 2**30, -(2**31)]))
    match random.randrange(8):
        case 0:
            return Unary(random.choice(["-", "!"]), random_expression(random, depth - 1))
        case 1:
            return Conditional(*(random_expression(random, depth - 1) for _ in range(3)))
        case _:
            left, right = (random_expression(random, depth - 1) for _ in range(2))
            return Binary(random.choice(OPERATORS), left, right)


def exactly(made: Network, expression: Expression, value: int) -> int | None:
    try:
        return Evaluator(made.functions, made.slot, [value]).value(expression)
    except ModelError:
        return None


@pytest.mark.parametrize("seed", range(400))
def test_halving_finds_what_trying_every_value_finds(seed: int) -> None:
    random = Random(seed)
    low = random.choice([-40, -3, 0, 6])
    variable = NetworkVariable("x", low, low + random.choice([0, 1, 30, 70]), low)
    made = with_variables(variable)
    reader = ConditionReader(Dependencies(made))
    expression = random_expression(random, 3)
    results = [exactly(made, expression, value) for value in range(variable.low, variable.high + 1)]
    assert reader.mask(expression, 0) == sum(1 << k for k, result in enumerate(results) if result)
    wanted = {random.randrange(-10, 40) for _ in range(random.randrange(1, 20))} | set(range(3, random.choice([4, 30])))
    offsets = sum(1 << (value + 10) for value in wanted)
    assert reader.preimage(expression, 0, -10, offsets) == sum(1 << k for k, r in enumerate(results) if r in wanted)


class Counting(Evaluator):
    count = 0

    def value(self, expression: Expression) -> int:
        Counting.count += 1
        return super().value(expression)


def test_plain_integers_take_few_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    made = with_variables(*(NetworkVariable(f"v{k}", -32768, 32767, 0) for k in range(20)))
    reader = ConditionReader(Dependencies(made))
    spans = 0

    def counted(expression: Expression, variable: values.Span) -> values.Span:
        nonlocal spans
        spans += 1
        return values.span(expression, variable)

    monkeypatch.setattr(parts, "Evaluator", Counting)
    monkeypatch.setattr(parts, "span", counted)
    monkeypatch.setattr(Counting, "count", 0)
    for slot in range(20):
        assert reader.integer(Binary("<", read(slot), Constant(7))) == Condition(((slot, (1 << (32768 + 7)) - 1),))
        shifted = reader.preimage(Binary("+", read(slot), Constant(1)), slot, -32768, (1 << 10) - 1)
        assert shifted == (1 << 9) - 1
    assert 0 < spans + Counting.count < 20 * 100


def test_what_is_not_found_soon_is_left_out() -> None:
    made = with_variables(NetworkVariable("x", -32768, 32767, 0), NetworkVariable("y", 0, 8191, 0))
    reader = ConditionReader(Dependencies(made))

    def odd(slot: int) -> Expression:
        return Binary("!=", Binary("%", read(slot), Constant(2)), Constant(0))

    assert reader.integer(odd(0)) == NONE
    assert reader.preimage(odd(0), 0, 1, 1) == reader.full(0)
    assert reader.integer(odd(1)) == Condition(((1, sum(1 << k for k in range(1, 8192, 2))),))

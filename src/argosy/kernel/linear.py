"""Linear inequalities over the rationals: a solution, or that there is none, exactly.

The simplex method as solvers use it (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)", 2006):
every inequality is a variable of its own with bounds, a row says how it depends on others, and a variable outside its
bounds is exchanged for one that can move; the least index first, so that it ends. A strict bound is one by an
infinitely small amount (``limit_numbers``), for which a number is chosen last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from argosy.basics.records import dataclass

Small = tuple[Fraction, Fraction]
"""A number and a multiple of epsilon, compared in this order."""

NOTHING: Small = (Fraction(0), Fraction(0))


@dataclass(frozen=True, slots=True)
class Inequality:
    """The sum of ``factors[k] * x_k`` is at most ``bound``, or below it."""

    factors: Mapping[int, int]
    bound: int
    strict: bool = False

    def holds(self, values: Sequence[Fraction]) -> bool:
        total = sum((factor * values[k] for k, factor in self.factors.items()), Fraction(0))
        return total < self.bound if self.strict else total <= self.bound


def solve(unknowns: int, inequalities: Iterable[Inequality]) -> list[Fraction] | None:
    """Values of the unknowns, none of them negative, that keep all inequalities; None: there are none."""
    asked = [each for each in inequalities if any(each.factors.values()) or not each.holds([Fraction(0)] * unknowns)]
    if any(not any(each.factors.values()) for each in asked):
        return None
    limits = _Simplex(unknowns, asked).solution()
    if limits is None:
        return None
    epsilon = Fraction(1)
    while True:
        values = [finite + small * epsilon for finite, small in limits]
        if all(value >= 0 for value in values) and all(each.holds(values) for each in asked):
            return values
        epsilon /= 2


class _Simplex:
    """Unknowns are the first variables, with lower bound 0; then one for each inequality, with an upper bound."""

    def __init__(self, unknowns: int, inequalities: Sequence[Inequality]) -> None:
        self._unknowns = unknowns
        self._upper: dict[int, Small] = {}
        self._rows: dict[int, dict[int, Fraction]] = {}
        known: dict[tuple[tuple[int, int], ...], int] = {}
        count = unknowns
        for each in inequalities:
            factors = tuple(sorted((k, factor) for k, factor in each.factors.items() if factor))
            if factors not in known:
                known[factors] = count
                self._rows[count] = {k: Fraction(factor) for k, factor in factors}
                count += 1
            slack = known[factors]
            bound = (Fraction(each.bound), Fraction(-1 if each.strict else 0))
            self._upper[slack] = min(bound, self._upper.get(slack, bound))
        self._value: list[Small] = [NOTHING] * count

    def solution(self) -> list[Small] | None:
        while (broken := self._broken()) is not None:
            variable, bound, grows = broken
            row = self._rows[variable]
            candidates = [k for k, factor in row.items() if self._may_move(k, (factor > 0) is grows)]
            if not candidates:
                return None
            self._exchange(variable, min(candidates), bound)
        return self._value[: self._unknowns]

    def _broken(self) -> tuple[int, Small, bool] | None:
        """The first basic variable outside its bounds, the bound, and whether it has to grow."""
        for variable in sorted(self._rows):
            value = self._value[variable]
            if variable < self._unknowns:
                if value < NOTHING:
                    return variable, NOTHING, True
            elif value > self._upper[variable]:
                return variable, self._upper[variable], False
        return None

    def _may_move(self, variable: int, upwards: bool) -> bool:
        value = self._value[variable]
        if variable < self._unknowns:
            return upwards or value > NOTHING
        return not upwards or value < self._upper[variable]

    def _exchange(self, leaving: int, entering: int, bound: Small) -> None:
        """The basic variable ``leaving`` goes to its bound by a change of ``entering``, which takes its place."""
        row = self._rows.pop(leaving)
        factor = row.pop(entering)
        before = self._value[leaving]
        step = ((bound[0] - before[0]) / factor, (bound[1] - before[1]) / factor)
        solved = {k: -each / factor for k, each in row.items()}
        solved[leaving] = 1 / factor
        self._move(leaving, (bound[0] - before[0], bound[1] - before[1]))
        self._move(entering, step)
        for basic, its in self._rows.items():
            weight = its.pop(entering, None)
            if weight is None:
                continue
            self._move(basic, (weight * step[0], weight * step[1]))
            for k, each in solved.items():
                total = its.get(k, 0) + weight * each
                if total:
                    its[k] = Fraction(total)
                else:
                    its.pop(k, None)
        self._rows[entering] = solved

    def _move(self, variable: int, by: Small) -> None:
        value = self._value[variable]
        self._value[variable] = (value[0] + by[0], value[1] + by[1])

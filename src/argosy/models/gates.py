"""And-inverter graphs as they are built: words of literals and the arithmetic on them.

A literal is ``2 v`` or, negated, ``2 v + 1``, as in ``models.circuit``; leaves and gates are numbered as they come, and
``circuit`` numbers anew what is used. A word is its literals, the least significant first. Gates are hashed and
simplified as they are made (Brummayer, Biere, "Local Two-Level And-Inverter Graph Minimization without Blowup", 2006,
the rules that make no new gate).

Law: each operation has the value that ``logic.semantics`` gives it, division by zero and wide shifts included.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from argosy.models.circuit import FALSE, TRUE, Circuit

Word = tuple[int, ...]


class Gates:
    def __init__(self) -> None:
        self._sides: list[tuple[int, int] | None] = [None]  # None is a leaf
        self._made: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self._sides)

    def leaf(self) -> int:
        self._sides.append(None)
        return 2 * len(self._sides) - 2

    # ---- single literals ------------------------------------------------------------------------------------

    def and_(self, a: int, b: int) -> int:
        if a > b:
            a, b = b, a
        if a in (FALSE, b ^ 1):
            return FALSE
        if a in (TRUE, b):
            return b
        key = (a, b)
        known = self._made.get(key)
        if known is not None:
            return known
        simpler = self._simplified(a, b)
        if simpler is None:
            self._sides.append(key)
            simpler = 2 * len(self._sides) - 2
        self._made[key] = simpler
        return simpler

    def _simplified(self, a: int, b: int) -> int | None:
        for one, other in ((a, b), (b, a)):
            sides = self._sides[one >> 1]
            if sides is None:
                continue
            if not one & 1:
                if other in sides:
                    return one
                if other ^ 1 in sides:
                    return FALSE
            else:
                if other ^ 1 in sides:
                    return other
                if other in sides:
                    return self.and_(other, (sides[0] if sides[1] == other else sides[1]) ^ 1)
        left, right = self._sides[a >> 1], self._sides[b >> 1]
        if left is not None and right is not None and not (a & 1 and b & 1):
            if not a & 1 and not b & 1:
                if left[0] ^ 1 in right or left[1] ^ 1 in right:
                    return FALSE
            else:
                positive, negative = (left, right) if b & 1 else (right, left)
                if positive[0] ^ 1 in negative or positive[1] ^ 1 in negative:
                    return a if b & 1 else b
        return None

    def or_(self, a: int, b: int) -> int:
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def xor(self, a: int, b: int) -> int:
        sign = (a & 1) ^ (b & 1)
        a, b = a & ~1, b & ~1
        if a == FALSE or b == FALSE:
            return (a | b) ^ sign
        return self.and_(self.and_(a, b) ^ 1, self.and_(a ^ 1, b ^ 1) ^ 1) ^ sign

    def mux(self, condition: int, a: int, b: int) -> int:
        if a == b:
            return a
        if a == b ^ 1:
            return self.xor(condition, b)
        return self.and_(self.and_(condition, a) ^ 1, self.and_(condition ^ 1, b) ^ 1) ^ 1

    def all_of(self, literals: Iterable[int]) -> int:
        """A balanced tree."""
        level = list(literals)
        while len(level) > 1:
            paired = [self.and_(level[k], level[k + 1]) for k in range(0, len(level) - 1, 2)]
            level = paired + level[len(level) & ~1 :]
        return level[0] if level else TRUE

    def any_of(self, literals: Iterable[int]) -> int:
        return self.all_of(literal ^ 1 for literal in literals) ^ 1

    # ---- words ----------------------------------------------------------------------------------------------

    def constant(self, value: int, width: int) -> Word:
        return tuple(value >> place & 1 for place in range(width))

    def negated(self, a: Word) -> Word:
        return tuple(literal ^ 1 for literal in a)

    def select(self, condition: int, a: Word, b: Word) -> Word:
        return tuple(self.mux(condition, x, y) for x, y in zip(a, b, strict=True))

    def equal(self, a: Word, b: Word) -> int:
        return self.all_of(self.xor(x, y) ^ 1 for x, y in zip(a, b, strict=True))

    def sum(self, a: Word, b: Word, carry: int = FALSE) -> Word:
        made = []
        for x, y in zip(a, b, strict=True):
            half = self.xor(x, y)
            made.append(self.xor(half, carry))
            carry = self.or_(self.and_(x, y), self.and_(half, carry))
        return tuple(made)

    def difference(self, a: Word, b: Word) -> Word:
        return self.sum(a, self.negated(b), TRUE)

    def opposite(self, a: Word) -> Word:
        return self.sum(self.constant(0, len(a)), self.negated(a), TRUE)

    def less(self, a: Word, b: Word) -> int:
        """Unsigned."""
        found = FALSE
        for x, y in zip(a, b, strict=True):
            found = self.mux(self.xor(x, y), y, found)
        return found

    def signed_less(self, a: Word, b: Word) -> int:
        return self.less((*a[:-1], a[-1] ^ 1), (*b[:-1], b[-1] ^ 1))

    def product(self, a: Word, b: Word) -> Word:
        width = len(a)
        if sum(literal > TRUE for literal in a) < sum(literal > TRUE for literal in b):
            a, b = b, a
        made = self.constant(0, width)
        for place, literal in enumerate(b):
            if literal != FALSE:
                shifted = (FALSE,) * place + a[: width - place]
                made = self.sum(made, tuple(self.and_(literal, x) for x in shifted))
        return made

    def division(self, a: Word, b: Word) -> tuple[Word, Word]:
        """Quotient and remainder, unsigned, digit by digit. By zero: all ones, and the dividend."""
        rest: Word = self.constant(0, len(a))
        quotient = []
        for literal in reversed(a):
            # One place more than the divisor has: nothing is lost.
            wide = (literal, *rest)
            fits = self.less(wide, (*b, FALSE)) ^ 1
            quotient.append(fits)
            rest = self.select(fits, self.difference(wide, (*b, FALSE)), wide)[:-1]
        return tuple(reversed(quotient)), rest

    def signed_division(self, a: Word, b: Word) -> tuple[Word, Word]:
        """Towards zero; the remainder has the sign of the dividend."""
        quotient, rest = self.division(self._magnitude(a), self._magnitude(b))
        negative = self.xor(a[-1], b[-1])
        return self.select(negative, self.opposite(quotient), quotient), self.select(a[-1], self.opposite(rest), rest)

    def _magnitude(self, a: Word) -> Word:
        return self.select(a[-1], self.opposite(a), a)

    def shifted(self, a: Word, by: Word, *, left: bool, fill: int) -> Word:
        """By any distance: what comes in is ``fill``."""
        width = len(a)
        far = []
        for place, literal in enumerate(by):
            distance = 1 << place
            if distance >= width:
                far.append(literal)
                continue
            room = (fill,) * distance
            moved = room + a[: width - distance] if left else a[distance:] + room
            a = self.select(literal, moved, a)
        return self.select(self.any_of(far), (fill,) * width, a)

    # ---- the circuit ----------------------------------------------------------------------------------------

    def circuit(
        self,
        inputs: Sequence[int],
        latches: Sequence[tuple[int, int, int]],
        bad: Sequence[int],
        constraints: Sequence[int],
        *,
        input_names: Sequence[str | None] = (),
        latch_names: Sequence[str | None] = (),
        bad_names: Sequence[str | None] = (),
    ) -> Circuit:
        """``latches``: leaf, next literal, reset. Gates that nothing uses are left out."""
        number = array("I", bytes(4 * len(self._sides)))
        for place, leaf in enumerate((*inputs, *(latch[0] for latch in latches)), 1):
            number[leaf >> 1] = place
        following = [latch[1] for latch in latches]
        needed = bytearray(len(self._sides))
        stack = [literal >> 1 for literal in (*following, *bad, *constraints)]
        while stack:
            variable = stack.pop()
            if needed[variable]:
                continue
            needed[variable] = 1
            sides = self._sides[variable]
            if sides is not None:
                stack += (sides[0] >> 1, sides[1] >> 1)

        def renamed(literal: int) -> int:
            return 2 * number[literal >> 1] + (literal & 1)

        gates = array("I")
        count = 1 + len(inputs) + len(latches)
        for variable, sides in enumerate(self._sides):
            if sides is None:
                assert variable == 0 or not needed[variable] or number[variable], "a leaf that is not in the circuit"
            elif needed[variable]:
                gates.extend((renamed(sides[0]), renamed(sides[1])))
                number[variable] = count
                count += 1
        return Circuit(
            inputs=len(inputs),
            next=array("I", map(renamed, following)),
            reset=bytes(latch[2] for latch in latches),
            gates=gates,
            bad=tuple(map(renamed, bad)),
            constraints=tuple(map(renamed, constraints)),
            input_names=tuple(input_names),
            latch_names=tuple(latch_names),
            bad_names=tuple(bad_names),
        )

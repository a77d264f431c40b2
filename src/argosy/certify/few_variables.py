"""Which variables occur in terms, as far as they are few."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from argosy.logic.terms import Term

_FEW = 32  # variables of a term that is looked at again when one of them turns out to have one value


class FewVariables:
    """Which terms are worth a look when a variable turns out to have one value: those with few variables. The sets of
    all variables of all stores of a long block would take more memory than the terms (a driver: 4 GB), and a term of
    many variables folds to nothing much by one of them. The conditions keep what is known, so that nothing is lost by
    leaving a term as it is."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Term, frozenset[Term] | None] = {}

    def isdisjoint(self, term: Term, some: Collection[Term]) -> bool:
        """Whether none of the variables occurs in the term, or it has so many that nobody looks."""
        if term.op == "const":
            return True
        found = self._of(term)
        return found is None or found.isdisjoint(some)

    def _of(self, term: Term) -> frozenset[Term] | None:
        known, stack = self._known, [term]
        while stack:
            top = stack[-1]
            if top not in known:
                if top.op == "var":
                    known[top] = frozenset((top,))
                elif not top.args:
                    known[top] = frozenset()
                else:
                    missing = [arg for arg in top.args if arg not in known]
                    if missing:
                        stack += missing
                        continue
                    known[top] = self._union([known[arg] for arg in top.args])
            stack.pop()
        return known[term]

    def _union(self, sets: Sequence[frozenset[Term] | None]) -> frozenset[Term] | None:
        result: frozenset[Term] = frozenset()
        for one in sets:
            if one is None:
                return None
            if not one <= result:
                result = one if result <= one else result | one
        return result if len(result) <= _FEW else None

"""The values of options of strategies for programs: words with a line of advice on each, and those with a structure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from argosy.basics.records import dataclass
from argosy.options.declared import Form, Word, named


class Domain(Word):
    EXPL = "expl", "values of tracked variables: programs driven by constants (controllers, protocols)"
    PROD = "prod", "values, and predicates where values do not suffice: schedulers, protocols that carry data"
    PRED_BOOL = "pred-bool", "any combination of predicates: precise, best in large blocks"
    PRED_CART = "pred-cart", "a conjunction of predicates: cheap after every edge; wants split conjuncts or whole"
    PRED_CONJ = (
        "pred-conj",
        "a conjunction of predicates as they were found, without negations: cheaper still, and weaker",
    )
    PRED_SPLIT = "pred-split", "a state for each minterm of pred-bool: finer covering, many states"


class Arrays(Word):
    """What arrays are to an analysis."""

    THEORY = "theory", "arrays, as the solvers have them: claims speak of single elements"
    CELL = "cell", "an arbitrary index and its element, for all arrays: claims speak of all elements"
    CELLS2 = "cells2", "two arbitrary indices: claims speak of all pairs of elements (sorted, or all different)"
    CELLS = "cells", "one, or two where a path to the error reads at two indices"

    @property
    def count(self) -> int:
        """How many cells; 0: as many as the error needs."""
        return {"cell": 1, "cells2": 2}.get(self.word, 0)


class Covered(Word):
    """What becomes of explored states that a new one covers."""

    KEEP = "keep", "nothing: what still waits is covered when its turn comes"
    APPEND = "append", "nothing: whatever waits is explored, as [Subsumer] has it for breadth-first search"
    PRUNE = (
        "prune",
        "they are removed with all that was derived from them, which is computed again from the new one",
    )
    FIRST = "first", "the new one takes their place, and comes before all that waits below them"
    FIRST_DERIVED = "first-derived", "as first, but only before what was derived from them"


class Tracking(Word):
    """Where a new predicate or variable is tracked."""

    LOCAL = "local", "at the location where a refinement needs it"
    FUNCTION = "function", "in the function where a refinement needs it"
    GLOBAL = "global", "everywhere"


class Splitting(Word):
    """How an interpolant becomes predicates."""

    ATOMS = "atoms", "generalises best; a cartesian abstraction may lose what an interpolant said"
    CONJUNCTS = "conjuncts", "a compromise that loses nothing under a cartesian abstraction"
    WHOLE = "whole", "exact, reused least: where the connection of boolean variables matters"


class Initial(Word):
    """What is tracked from the beginning."""

    EMPTY = "empty", "nothing: what matters is found by refinement"
    ALL_ASSUMES = (
        "all-assumes",
        "the conditions of the program (or their variables): saves refinements of small programs",
    )
    ALL_VARIABLES = "all-variables", "every variable: plain explicit-state model checking (explicit values only)"


class Pruning(Word):
    """What a refinement throws away."""

    LAZY = "lazy", "removes what lies below the first refined state"
    FULL = "full", "starts again: where old states are coarser than what is tracked by now"
    ADAPTIVE = "adaptive", "lazy as long as more is tracked after a refinement, full when nothing new is"


# ---- search orders ---------------------------------------------------------------------------------------------


class SearchOrder(Word):
    BFS = "bfs", "(1,0): finds short counterexamples"
    DFS = "dfs", "(-1,0): finds deep counterexamples soon, and may unwind loops for ever"
    ERR = "err", "(0,1): heads for the error location"
    DFS_ERR = "dfs-err", "(1,2): heads for the error, but not round a loop for ever"
    ERR_DFS = "err-dfs", "(2,1): nearly bfs, with the error location in view"
    TOPOLOGICAL = "topological", "finishes a loop before what follows it; needed where blocks are large"
    SCC = "scc", "finishes inner loops before outer ones are entered again (a weak topological order, recursively)"


@dataclass(frozen=True, slots=True)
class Weights:
    """The order of ``of_depth * depth + of_distance * distance to the error location``."""

    of_depth: int
    of_distance: int


Search = SearchOrder | Weights

_WEIGHTED: Mapping[SearchOrder, Weights] = {
    SearchOrder.ERR: Weights(0, 1),
    SearchOrder.DFS_ERR: Weights(1, 2),
    SearchOrder.ERR_DFS: Weights(2, 1),
}


def weights(search: Search) -> Weights | None:
    """Those of an order that has weights; bfs and dfs need none."""
    return search if isinstance(search, Weights) else _WEIGHTED.get(search)


def parse_search(text: str) -> Search:
    """``ValueError`` where it is no order."""
    pair = re.fullmatch(r"(-?\d{1,9}),(-?\d{1,9})", text)
    return Weights(int(pair[1]), int(pair[2])) if pair else named(SearchOrder, text)


def _shown_search(search: Search) -> str:
    return search.word if isinstance(search, SearchOrder) else f"{search.of_depth},{search.of_distance}"


_SEARCHES = "bfs, dfs, err, dfs-err, err-dfs, W_D,W_E, topological, scc"
_SEARCH_ADVICE = {
    **{order.word: order.advice for order in SearchOrder},
    "W_D,W_E": "any two integers; a negative first one is written --search=-1,3",
}
SEARCH: Form[Search] = Form(
    _SEARCHES, parse_search, _shown_search, {value: _SEARCH_ADVICE[value] for value in _SEARCHES.split(", ")}
)


# ---- refinement ------------------------------------------------------------------------------------------------


class Explaining(Word):
    """How an infeasible counterexample is explained."""

    SEQ = "seq", "one interpolant at each cut of the counterexample: the safe choice"
    FW_BIN = (
        "fw-bin",
        "one interpolant behind the longest feasible prefix: cheap, and needs by far the most refinements",
    )
    BW_BIN = (
        "bw-bin",
        "one interpolant before the longest feasible suffix: finds the cause of a contradiction at once",
    )
    MIN_PRUNE = (
        "min-prune",
        "fw-bin or bw-bin, whichever prunes closer to the start: fewer refinements, more to explore again",
    )
    MAX_PRUNE = "max-prune", "fw-bin or bw-bin, whichever prunes closer to the error: keeps most of the graph"
    UNSAT_CORE = (
        "unsat-core",
        "the variables of an unsatisfiable core, without interpolation (explicit values only)",
    )
    NEWTON_SP = (
        "newton-sp",
        "strongest postconditions of an unsatisfiable core, projected: fast on paths without disjunctions",
    )
    NEWTON_WP = (
        "newton-wp",
        "weakest preconditions of an unsatisfiable core: predicates that come from the assertion",
    )
    DAG = "dag", "explains all counterexamples by one system of Horn clauses (predicates only)"
    VALUES = (
        "values",
        "executes the counterexample and follows values backwards, no solver (explicit values only)",
    )


# Those that are made of interpolants or unsatisfiable cores ([Theta], section 3.2).
CHECKERS: tuple[Explaining, ...] = tuple(e for e in Explaining if e not in (Explaining.DAG, Explaining.VALUES))


@dataclass(frozen=True, slots=True)
class Refining:
    """``several``: a minimal set of several counterexamples is refined at once (``multi-...``)."""

    by: Explaining
    several: bool = False

    def __str__(self) -> str:
        return f"multi-{self.by.word}" if self.several else self.by.word


def parse_refining(text: str) -> Refining:
    rest = text.removeprefix("multi-")
    found = Refining(named(Explaining, rest), rest != text)
    if found.several and found.by is Explaining.DAG:
        raise ValueError(text)
    return found


REFINING: Form[Refining] = Form(
    f"{', '.join(e.word for e in CHECKERS)}, multi-..., dag, values",
    parse_refining,
    str,
    {
        **{e.word: e.advice for e in CHECKERS},
        "multi-...": "any of these on several counterexamples: a minimal set of them is refined at once",
        **{e.word: e.advice for e in (Explaining.DAG, Explaining.VALUES)},
    },
)


# ---- interpolation ---------------------------------------------------------------------------------------------


class Interpolating(Word):
    """How an interpolant is computed."""

    INVARIANTS = "invariants"
    SPACER = "spacer"
    NEWTON = "newton"
    NEWTON_WP = "newton-wp"
    BITWUZLA = "bitwuzla"


def _parse_interpolating(text: str) -> tuple[Interpolating, ...]:
    """Joined by +; what looks at all unwindings at once comes first or not at all."""
    methods = tuple(named(Interpolating, part) for part in text.split("+"))
    if Interpolating.INVARIANTS in methods[1:]:
        raise ValueError(text)
    return methods


INTERPOLATING: Form[tuple[Interpolating, ...]] = Form(
    f"{', '.join(method.word for method in Interpolating)}, or several joined by +",
    _parse_interpolating,
    lambda methods: "+".join(method.word for method in methods),
)


# ---- blocks ----------------------------------------------------------------------------------------------------


class BlockEnd(Word):
    """Where a block ends; ``+k=`` and ``k=`` are followed by a number of operations."""

    SBE = "sbe"
    LBE = "lbe"
    LOOPS = "loops"
    LENGTH = "k="
    LBE_OR_LENGTH = "lbe+k="
    JOIN_AFTER_LENGTH = "structure+k="
    ADAPTIVE = "adaptive"

    @property
    def counts(self) -> bool:
        return self.word.endswith("k=")


@dataclass(frozen=True, slots=True)
class Blocks:
    """Law: ``operations`` is positive exactly where the end of a block is counted."""

    end: BlockEnd
    operations: int = 0

    def __post_init__(self) -> None:
        if (self.operations > 0) != self.end.counts:
            raise ValueError(f"{self.end.word} with {self.operations} operations")

    @property
    def end_at_loop_heads(self) -> bool:
        """Whether all loop heads are among the ends."""
        return self.end not in (BlockEnd.LENGTH, BlockEnd.JOIN_AFTER_LENGTH)

    def __str__(self) -> str:
        return f"{self.end.word}{self.operations}" if self.end.counts else self.end.word


SBE = Blocks(BlockEnd.SBE)
LBE = Blocks(BlockEnd.LBE)
LOOPS = Blocks(BlockEnd.LOOPS)


def parse_blocks(text: str) -> Blocks:
    """``ValueError`` for a name that does not exist."""
    form = re.fullmatch(r"(sbe|lbe|loops|adaptive|(?:lbe\+|structure\+)?k=)(?:(?<==)([1-9][0-9]{0,8}))?", text)
    if form is None or (form[1].endswith("=") and form[2] is None):
        raise ValueError(f"no such block operator: {text} (there are {BLOCKS.values})")
    return Blocks(named(BlockEnd, form[1]), int(form[2] or 0))


BLOCKS: Form[Blocks] = Form("sbe, lbe, loops, k=N, lbe+k=N, structure+k=N, adaptive", parse_blocks, str)

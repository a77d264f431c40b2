"""The options of strategies for programs: one class for each family, a field for each option.

Why a value is refused beside another stands in ``refusal`` of the class that has both.
"""

from __future__ import annotations

from typing import ClassVar

from argosy.basics.records import dataclass
from argosy.options.declared import Options, as_in, file, number, option, or_none, switch, words
from argosy.options.values import (
    BLOCKS,
    INTERPOLATING,
    LBE,
    REFINING,
    SEARCH,
    Arrays,
    Blocks,
    Covered,
    Domain,
    Explaining,
    Initial,
    Interpolating,
    Pruning,
    Refining,
    Search,
    SearchOrder,
    Splitting,
    Tracking,
)

SEQUENCE = Refining(Explaining.SEQ)
PREDICATES = frozenset({Domain.PRED_BOOL, Domain.PRED_CART, Domain.PRED_CONJ, Domain.PRED_SPLIT})


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedOptions(Options):
    """Of bounded model checking."""

    induction: bool = option(False, switch(), "whether bounded model checking also tries to prove by k-induction")
    acceleration: bool = option(
        False,
        switch(),
        "whether loops that count have edges beside them that take many rounds at once: errors far away are found "
        "soon, and values that a loop computes from constants are no constants any more",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionOptions(Options):
    """Of concrete executions."""

    executions: int = option(20, number(), "how many executions with other inputs there are before it is given up")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayOptions(Options):
    """Of every strategy whose proofs are claims at locations: these may be about all elements of an array."""

    arrays: Arrays = option(
        Arrays.THEORY,
        words(Arrays),
        "what stands for arrays: the theory of arrays, or one or two symbolic cells (proofs only; programs without "
        "arrays are not concerned)",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvingOptions(ArrayOptions):
    """Of what is solved as Horn clauses. What is claimed of a cell is assumed of every index that is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectOptions(ArrayOptions):
    """Of claims about all objects: they are about memory in which there is any number of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainOptions(ArrayOptions):
    """Of every strategy that explores the states of a domain and refines what is tracked."""

    domains: ClassVar[frozenset[Domain]] = frozenset()

    domain: Domain = option(
        Domain.PRED_BOOL,
        words(Domain),
        "explicit values for programs driven by constants, predicates for relations between variables",
    )
    search: Search = option(
        SearchOrder.TOPOLOGICAL,
        SEARCH,
        "which state is explored next: the smallest w_D * depth + w_E * distance to the error location",
    )
    subsumption: Covered = option(Covered.KEEP, words(Covered), "what becomes of explored states that a new one covers")
    precision: str | None = option(
        None,
        or_none("none", file(), "none, FILE"),
        "a file with what is tracked, and nothing else is: no refinement (see --save-precision)",
    )
    save_precision: str | None = option(
        None,
        or_none("none", file(), "none, FILE"),
        "where to write what is tracked in the end, as SMT-LIB terms for each location",
    )
    granularity: Tracking = option(
        Tracking.LOCAL,
        words(Tracking),
        "where a new predicate or variable is tracked: local keeps states small, global needs fewer refinements",
    )
    refinement: Refining = option(
        SEQUENCE,
        REFINING,
        "how an infeasible counterexample is explained; multi-... (multi-seq, multi-bw-bin, ...) collects several",
    )
    interpolation: tuple[Interpolating, ...] = option(
        tuple(Interpolating),
        INTERPOLATING,
        "how interpolants are computed, what comes first is tried first; invariants looks at all unwindings of a "
        "counterexample's loops at once",
    )
    prune: Pruning = option(
        Pruning.LAZY,
        words(Pruning),
        "lazy keeps what a refinement does not concern, full starts the exploration again, adaptive if nothing is new",
    )

    def refusal(self) -> str | None:
        assert self.domain in self.domains
        return self._refused_refinement()

    def _refused_refinement(self) -> str | None:
        """Where predicates are tracked."""
        match self.refinement.by:
            case Explaining.UNSAT_CORE:
                return "refinement unsat-core names variables, and predicates are tracked: it is for domain expl"
            case Explaining.VALUES:
                return (
                    "refinement values follows the values of variables, and predicates are tracked: it is for domain "
                    "expl"
                )
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class PredicateOptions(DomainOptions):
    """Of predicate abstraction."""

    domains: ClassVar[frozenset[Domain]] = PREDICATES

    split: Splitting = option(
        Splitting.ATOMS,
        words(Splitting),
        "how an interpolant becomes predicates: atoms generalise, the whole is exact under a cartesian abstraction",
        elsewhere="predicates are split, and {name} tracks variables (use a --domain pred-...)",
    )
    counterexamples: int | None = option(
        None,
        or_none(
            "all",
            number(),
            "all, N",
            {
                "all": "explores the whole abstract state space first",
                "N": "at most N: where that state space is large or infinite",
            },
        ),
        "how many counterexamples multi-... collects before it refines",
    )
    initial_precision: Initial = option(Initial.EMPTY, words(Initial), "what is tracked from the beginning")
    relations: bool = option(
        True,
        switch(),
        "whether loops are executed to guess relations between their variables, and those that are inductive tracked",
        elsewhere="it helps to find predicates, and {name} tracks values",
    )
    values: bool = option(
        True,
        switch(),
        "whether predicates about the values of modes and flags are found by executing a counterexample",
        elsewhere="it helps to find predicates, and {name} tracks values anyway",
    )
    acceleration: bool = as_in(BoundedOptions, "acceleration")

    def refusal(self) -> str | None:
        if self.initial_precision is Initial.ALL_VARIABLES and DomainOptions.refusal(self) is None:
            return (
                "initial-precision all-variables is for domain expl: predicates are tracked here (all-assumes are some)"
            )
        return DomainOptions.refusal(self) or refused_counterexamples(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockOptions(PredicateOptions):
    """Of predicate abstraction at the ends of blocks."""

    block: Blocks = option(
        LBE,
        BLOCKS,
        "where predicate abstraction is computed: after every edge (sbe), at loop heads and calls (lbe), at loop heads "
        "(loops), after N "
        "operations (k=N), whichever comes first (lbe+k=N), at the first join after N operations (structure+k=N)",
        elsewhere="blocks are of predicate abstraction, and {name} computes values after every edge",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplicitOptions(DomainOptions):
    """Of explicit values."""

    domains: ClassVar[frozenset[Domain]] = frozenset({Domain.EXPL})

    domain: Domain = as_in(DomainOptions, "domain", default=Domain.EXPL)
    max_enum: int | None = option(
        None,
        or_none(
            "1*",
            number("K", 0),
            "1*, 0, K",
            {
                "1*": "at most one, without a solver: fastest",
                "0": "all of them: only where variables have few values",
                "K": "at most K by a solver, else none of them: 1 decides conditions, 10 splits small ranges",
            },
        ),
        "how many successors explicit values enumerate where an expression cannot be evaluated",
        elsewhere="explicit values are enumerated, and {name} has predicates (use --domain expl)",
    )
    counterexamples: int | None = as_in(PredicateOptions, "counterexamples")
    initial_precision: Initial = as_in(PredicateOptions, "initial_precision")

    def refusal(self) -> str | None:
        assert self.domain in self.domains
        if self.refinement.by is Explaining.DAG:
            return (
                "refinement dag solves for predicates, and domain expl tracks variables (multi-seq collects several "
                "too)"
            )
        return refused_counterexamples(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductOptions(DomainOptions):
    """Of explicit values and predicates together."""

    domains: ClassVar[frozenset[Domain]] = frozenset({Domain.PROD})

    domain: Domain = as_in(DomainOptions, "domain", default=Domain.PROD)
    split: Splitting = as_in(PredicateOptions, "split")

    def refusal(self) -> str | None:
        refining = self.refinement
        if refining.several or refining.by in (Explaining.VALUES, Explaining.DAG):
            return f"domain prod follows values first and then one counterexample: refinement {refining} is not for it"
        return DomainOptions.refusal(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class InductionOptions(BoundedOptions):
    """Of k-induction that may be helped by invariants."""

    relations: bool = as_in(PredicateOptions, "relations")


# Those that collect several counterexamples, and track something from the beginning.
CollectingOptions = PredicateOptions | ExplicitOptions


def refused_counterexamples(options: CollectingOptions) -> str | None:
    if options.counterexamples is None or options.refinement.several:
        return None
    return f"counterexamples says how many multi-... collects, and refinement {options.refinement} takes the first"

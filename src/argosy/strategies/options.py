"""The choices that strategies share, each with its values and a line of advice on each. Imports nothing heavy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Option:
    """``values`` is what a person reads, ``form`` what a value must match; ``each`` advises on single values."""

    name: str
    values: str
    default: str
    advice: str
    form: str
    each: Mapping[str, str] = field(default_factory=dict)

    def accepts(self, value: str) -> bool:
        return re.fullmatch(self.form, value) is not None


REFINEMENTS: Mapping[str, str] = {
    "seq": "one interpolant at each cut of the counterexample: the safe choice",
    "fw-bin": "one interpolant behind the longest feasible prefix: cheap, and needs by far the most refinements",
    "bw-bin": "one interpolant before the longest feasible suffix: finds the cause of a contradiction at once",
    "min-prune": "fw-bin or bw-bin, whichever prunes closer to the start: fewer refinements, more to explore again",
    "max-prune": "fw-bin or bw-bin, whichever prunes closer to the error: keeps most of the graph",
    "unsat-core": "the variables of an unsatisfiable core, without interpolation (explicit values only)",
    "newton-sp": "strongest postconditions of an unsatisfiable core, projected: fast on paths without disjunctions",
    "newton-wp": "weakest preconditions of an unsatisfiable core: predicates that come from the assertion",
}
MULTI = "multi-"

OPTIONS: tuple[Option, ...] = (
    Option(
        "domain",
        "expl, prod, pred-bool, pred-cart, pred-conj, pred-split",
        "pred-bool",
        "explicit values for programs driven by constants, predicates for relations between variables",
        "expl|prod|pred-bool|pred-cart|pred-conj|pred-split",
        {
            "expl": "values of tracked variables: programs driven by constants (controllers, protocols)",
            "prod": "values, and predicates where values do not suffice: schedulers, protocols that carry data",
            "pred-bool": "any combination of predicates: precise, best in large blocks",
            "pred-cart": "a conjunction of predicates: cheap after every edge; wants split conjuncts or whole",
            "pred-conj": "a conjunction of predicates as they were found, without negations: cheaper still, and weaker",
            "pred-split": "a state for each minterm of pred-bool: finer covering, many states",
        },
    ),
    Option(
        "max-enum",
        "1*, 0, K",
        "1*",
        "how many successors explicit values enumerate where an expression cannot be evaluated",
        r"1\*|\d{1,9}",
        {
            "1*": "at most one, without a solver: fastest",
            "0": "all of them: only where variables have few values",
            "K": "at most K by a solver, else none of them: 1 decides conditions, 10 splits small ranges",
        },
    ),
    Option(
        "search",
        "bfs, dfs, err, dfs-err, err-dfs, W_D,W_E, topological, scc",
        "topological",
        "which state is explored next: the smallest w_D * depth + w_E * distance to the error location",
        r"bfs|dfs|err|dfs-err|err-dfs|topological|scc|-?\d{1,9},-?\d{1,9}",
        {
            "bfs": "(1,0): finds short counterexamples",
            "dfs": "(-1,0): finds deep counterexamples soon, and may unwind loops for ever",
            "err": "(0,1): heads for the error location",
            "dfs-err": "(1,2): heads for the error, but not round a loop for ever",
            "err-dfs": "(2,1): nearly bfs, with the error location in view",
            "W_D,W_E": "any two integers; a negative first one is written --search=-1,3",
            "topological": "finishes a loop before what follows it; needed where blocks are large",
            "scc": "finishes inner loops before outer ones are entered again (a weak topological order, recursively)",
        },
    ),
    Option(
        "subsumption",
        "keep, append, prune, first, first-derived",
        "keep",
        "what becomes of explored states that a new one covers",
        "keep|append|prune|first|first-derived",
        {
            "keep": "nothing: what still waits is covered when its turn comes",
            "append": "nothing: whatever waits is explored, as paper 000 has it for breadth-first search",
            "prune": "they are removed with all that was derived from them, which is computed again from the new one",
            "first": "the new one takes their place, and comes before all that waits below them",
            "first-derived": "as first, but only before what was derived from them",
        },
    ),
    Option(
        "precision",
        "none, FILE",
        "none",
        "a file with what is tracked, and nothing else is: no refinement (see --save-precision)",
        ".+",
    ),
    Option(
        "save-precision",
        "none, FILE",
        "none",
        "where to write what is tracked in the end, as SMT-LIB terms for each location",
        ".+",
    ),
    Option(
        "granularity",
        "local, function, global",
        "local",
        "where a new predicate or variable is tracked: local keeps states small, global needs fewer refinements",
        "local|function|global",
        {
            "local": "at the location where a refinement needs it",
            "function": "in the function where a refinement needs it",
            "global": "everywhere",
        },
    ),
    Option(
        "split",
        "atoms, conjuncts, whole",
        "atoms",
        "how an interpolant becomes predicates: atoms generalise, the whole is exact under a cartesian abstraction",
        "atoms|conjuncts|whole",
        {
            "atoms": "generalises best; a cartesian abstraction may lose what an interpolant said",
            "conjuncts": "a compromise that loses nothing under a cartesian abstraction",
            "whole": "exact, reused least: where the connection of boolean variables matters",
        },
    ),
    Option(
        "refinement",
        f"{', '.join(REFINEMENTS)}, multi-..., dag, values",
        "seq",
        "how an infeasible counterexample is explained; multi-... (multi-seq, multi-bw-bin, ...) collects several",
        f"(multi-)?({'|'.join(REFINEMENTS)}|values)|dag",
        {
            **REFINEMENTS,
            "multi-...": "any of these on several counterexamples: a minimal set of them is refined at once",
            "dag": "explains all counterexamples by one system of Horn clauses (predicates only)",
            "values": "executes the counterexample and follows values backwards, no solver (explicit values only)",
        },
    ),
    Option(
        "counterexamples",
        "all, N",
        "all",
        "how many counterexamples multi-... collects before it refines",
        "all|[1-9][0-9]*",
        {
            "all": "explores the whole abstract state space first",
            "N": "at most N: where that state space is large or infinite",
        },
    ),
    Option(
        "initial-precision",
        "empty, all-assumes, all-variables",
        "empty",
        "what is tracked from the beginning",
        "empty|all-assumes|all-variables",
        {
            "empty": "nothing: what matters is found by refinement",
            "all-assumes": "the conditions of the program (or their variables): saves refinements of small programs",
            "all-variables": "every variable: plain explicit-state model checking (explicit values only)",
        },
    ),
    Option(
        "interpolation",
        "invariants, spacer, newton, newton-wp, bitwuzla, or several joined by +",
        "invariants+spacer+newton+newton-wp+bitwuzla",
        "how interpolants are computed, what comes first is tried first; invariants looks at all unwindings of a "
        "counterexample's loops at once",
        "(invariants|spacer|newton|newton-wp|bitwuzla)(\\+(spacer|newton|newton-wp|bitwuzla))*",
    ),
    Option(
        "relations",
        "on, off",
        "on",
        "whether loops are executed to guess relations between their variables, and those that are inductive tracked",
        "on|off",
    ),
    Option(
        "block",
        "sbe, lbe, k=N, lbe+k=N, structure+k=N, adaptive",
        "lbe",
        "where predicate abstraction is computed: after every edge (sbe), at loop heads and calls (lbe), after N "
        "operations (k=N), whichever comes first (lbe+k=N), at the first join after N operations (structure+k=N)",
        "sbe|lbe|adaptive|(lbe\\+|structure\\+)?k=[1-9][0-9]*",
    ),
    Option(
        "values",
        "on, off",
        "on",
        "whether predicates about the values of modes and flags are found by executing a counterexample",
        "on|off",
    ),
    Option(
        "induction",
        "on, off",
        "off",
        "whether bounded model checking also tries to prove by k-induction",
        "on|off",
    ),
    Option(
        "prune",
        "lazy, full, adaptive",
        "lazy",
        "lazy keeps what a refinement does not concern, full starts the exploration again, adaptive if nothing is new",
        "lazy|full|adaptive",
        {
            "lazy": "removes what lies below the first refined state",
            "full": "starts again: where old states are coarser than what is tracked by now",
            "adaptive": "lazy as long as more is tracked after a refinement, full when nothing new is",
        },
    ),
)


def refusal(options: Mapping[str, str]) -> str | None:
    """Why choices do not go together; None where they do. ``options`` are all of a strategy, filled in."""
    explicit, together = options.get("domain") == "expl", options.get("domain") == "prod"
    refinement = options.get("refinement", "seq")
    checker = refinement.removeprefix(MULTI)
    initial = options.get("initial-precision", "empty")
    if together and (refinement in ("values", "dag") or refinement.startswith(MULTI)):
        return f"domain prod follows values first and then one counterexample: refinement {refinement} is not for it"
    if not explicit and checker == "unsat-core":
        return "refinement unsat-core names variables, and predicates are tracked: it is for domain expl"
    if not explicit and checker == "values":
        return "refinement values follows the values of variables, and predicates are tracked: it is for domain expl"
    if explicit and refinement == "dag":
        return "refinement dag solves for predicates, and domain expl tracks variables (multi-seq collects several too)"
    if not explicit and initial == "all-variables":
        return "initial-precision all-variables is for domain expl: predicates are tracked here (all-assumes are some)"
    if options.get("counterexamples", "all") != "all" and not refinement.startswith(MULTI):
        return f"counterexamples says how many multi-... collects, and refinement {refinement} takes the first"
    return None


# Why a strategy has no such option, by what it tracks.
FOREIGN: Mapping[str, str] = {
    "max-enum": "explicit values are enumerated, and {name} has predicates (use --domain expl)",
    "split": "predicates are split, and {name} tracks variables (use a --domain pred-...)",
    "block": "blocks are of predicate abstraction, and {name} computes values after every edge",
    "values": "it helps to find predicates, and {name} tracks values anyway",
    "relations": "it helps to find predicates, and {name} tracks values",
}

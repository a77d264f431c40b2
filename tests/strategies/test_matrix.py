"""Every choice of the matrix of CEGAR strategies on a dozen small programs: the right verdict, certified, or a reason.

A program's name ends with its verdict. Starting from the configurations of [Theta], Table 4, each option takes each
of its values; what does not go together is refused with the reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import argosy
from argosy.basics.errors import UsageError
from argosy.options.values import CHECKERS
from argosy.strategies import StrategyError, configure, options_for, strategies_for

REFINEMENTS = [checker.word for checker in CHECKERS]
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))

# What the abstraction of these cannot say, whatever is tracked. Everything else must be decided.
STUCK = "the abstraction cannot express what it needs to exclude a counterexample"
EQUALITY = "equal_safe"  # Two unknown numbers are equal: no values of theirs say so.
FEW_VALUES = "few_values_safe"  # An unknown number has one of four values: fewer are not enumerated.
VALUES = {EQUALITY, FEW_VALUES}
NONE: set[str] = set()
# Weakest preconditions are x < 2 and y < 2, and that they go together is no conjunction of them.
CORRELATED = {EQUALITY}

# The strategy, what is changed, and the programs that it may leave undecided.
CONFIGURATIONS: list[tuple[str, dict[str, str], set[str]]] = [
    *(("theta-pred-bw", {"search": search}, NONE) for search in ("err", "bfs", "dfs-err", "3,-1")),
    *(("theta-expl-multiseq", {"search": search}, VALUES) for search in ("err", "dfs", "err-dfs", "topological")),
    *(
        ("theta-pred-seq", {"refinement": name}, CORRELATED if name == "newton-wp" else NONE)
        for name in REFINEMENTS
        if name != "unsat-core"
    ),
    *(("theta-pred-seq", {"refinement": f"multi-{name}"}, NONE) for name in ("fw-bin", "newton-sp")),
    ("theta-pred-seq", {"domain": "pred-split", "split": "whole"}, NONE),
    (
        "theta-pred-seq",
        {"domain": "pred-bool", "block": "lbe", "refinement": "bw-bin", "search": "topological"},
        NONE,
    ),
    (
        "theta-pred-seq",
        {"domain": "pred-split", "refinement": "multi-bw-bin", "granularity": "local", "split": "conjuncts"},
        NONE,
    ),
    ("theta-pred-seq", {"initial-precision": "all-assumes", "prune": "full"}, NONE),
    ("theta-pred-seq", {"refinement": "multi-seq", "prune": "adaptive"}, NONE),
    *(("theta-expl-seq", {"refinement": name, "max-enum": "1"}, VALUES) for name in (*REFINEMENTS, "values")),
    *(("theta-expl-seq", {"refinement": f"multi-{name}"}, VALUES) for name in ("bw-bin", "unsat-core", "values")),
    ("theta-expl-seq", {"max-enum": "5", "granularity": "local"}, {EQUALITY}),
    ("theta-expl-seq", {"initial-precision": "all-variables", "prune": "full"}, VALUES),
    ("theta-expl-seq", {"prune": "adaptive"}, VALUES),
    (
        "theta-expl-seq",
        {"initial-precision": "all-assumes", "refinement": "multi-seq", "counterexamples": "2"},
        VALUES,
    ),
    *(
        ("product", {"refinement": name}, CORRELATED if name in ("bw-bin", "min-prune", "newton-wp") else NONE)
        for name in REFINEMENTS
        if name != "unsat-core"
    ),
    ("product", {"search": "err", "granularity": "local", "split": "whole", "prune": "lazy"}, NONE),
]


@pytest.mark.parametrize(
    ("name", "changes", "undecided"),
    CONFIGURATIONS,
    ids=[f"{name} {' '.join(changes.values())}" for name, changes, _ in CONFIGURATIONS],
)
def test_every_choice_on_every_program(name: str, changes: dict[str, str], undecided: set[str]) -> None:
    for path in PROGRAMS:
        options = {option.replace("-", "_"): value for option, value in changes.items()}
        result = argosy.verify(path, name, in_process=True, time_limit=120, **options)  # type: ignore[arg-type]
        if result.verdict == "unknown":
            assert path.stem in undecided and (result.reason or "").endswith(STUCK), (path.stem, result.reason)
        else:
            assert (result.verdict, result.certified) == (path.stem.rpartition("_")[2], True), path.stem


def test_enumeration_without_a_limit_ends_at_the_time_limit() -> None:
    """The difference of an unknown number and seven has 2^32 values."""
    result = argosy.verify(
        PROGRAMS[-1], "theta-expl-seq", max_enum="0", initial_precision="all-variables", time_limit=3
    )
    assert (result.verdict, result.reason) == ("unknown", "time limit")


def test_there_are_a_dozen_programs_of_both_kinds() -> None:
    verdicts = [path.stem.rpartition("_")[2] for path in PROGRAMS]
    assert len(verdicts) >= 12 and min(verdicts.count("safe"), verdicts.count("unsafe")) >= 4


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("theta-pred-seq", ("pred-cart", None, "atoms", "seq", "bfs", "global")),
        ("theta-expl-seq", ("expl", "1*", None, "seq", "bfs", "global")),
        ("theta-pred-bw", ("pred-cart", None, "whole", "bw-bin", "err", "global")),
        ("theta-expl-multiseq", ("expl", "1", None, "multi-seq", "err", "global")),
    ],
)
def test_table_4(name: str, expected: tuple[str | None, ...]) -> None:
    options = configure(name).options.to_strings()
    columns = ("domain", "max-enum", "split", "refinement", "search", "granularity")
    assert tuple(options.get(column) for column in columns) == expected


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("theta-pred-seq", {"refinement": "unsat-core"}, "names variables"),
        ("theta-pred-seq", {"refinement": "multi-unsat-core"}, "names variables"),
        ("theta-pred-seq", {"refinement": "values"}, "for domain expl"),
        ("theta-pred-seq", {"max-enum": "5"}, "explicit values are enumerated"),
        ("theta-pred-seq", {"initial-precision": "all-variables"}, "predicates are tracked"),
        ("theta-pred-seq", {"counterexamples": "5"}, "multi-"),
        ("theta-expl-seq", {"refinement": "dag"}, "tracks variables"),
        ("auto", {"domain": "prod", "refinement": "values"}, "follows values first"),
        ("theta-pred-seq", {"domain": "prod", "refinement": "multi-seq"}, "one counterexample"),
        ("theta-expl-seq", {"split": "whole"}, "predicates are split"),
        ("theta-expl-seq", {"block": "lbe"}, "after every edge"),
        ("bmc", {"refinement": "seq"}, "has no option refinement"),
    ],
)
def test_what_does_not_go_together_is_refused_with_the_reason(name: str, options: dict[str, str], reason: str) -> None:
    with pytest.raises(StrategyError, match=reason):
        configure(name, options)
    with pytest.raises(UsageError, match=reason):
        argosy.verify(PROGRAMS[0], name, **{k.replace("-", "_"): v for k, v in options.items()})  # type: ignore[arg-type]


def test_every_value_is_accepted_somewhere() -> None:
    """What ``argosy strategies`` lists can be chosen: N, K and the like stand for numbers."""
    for option in options_for("program").values():
        for value in option.each:
            example = {"K": "7", "N": "7", "W_D,W_E": "-3,2", "multi-...": "multi-bw-bin"}.get(value, value)
            assert option.accepts(example)
            refused = []
            names = strategies_for("program")
            for name in names:
                try:
                    configure(name, {option.name: example, **({"refinement": "multi-seq"} if value == "N" else {})})
                except StrategyError as error:
                    refused.append(str(error))
            assert len(refused) < len(names), refused


def test_a_domain_moves_a_choice_to_the_strategy_that_has_it() -> None:
    assert configure("auto", {"domain": "expl", "max-enum": "5"}).strategy.name == "explicit"
    assert configure("theta-pred-bw", {"domain": "expl"}).strategy.name == "theta-expl-seq"
    assert configure("theta-expl-seq", {"domain": "pred-split"}).strategy.name == "theta-pred-seq"

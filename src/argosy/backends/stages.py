"""The stages of a run: which strategies have their turn, on which arithmetic, for how long, and what they count.

A named strategy is one stage, or one on integers and one on bits; a sequence such as ``auto`` is several, each with its
share of the time that is left (``backends.verification`` runs them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Sized
from typing import Any

from argosy.backends.contract import Lane, Listener, Plan
from argosy.backends.recorder import CourseRecorder
from argosy.basics.budget import TIME_LIMIT, UNLIMITED, Budget, OutOfBudget
from argosy.basics.records import dataclass, field, replace
from argosy.certify.meanings import sort_kind
from argosy.engine.protocols import Abstracting, Diverging, Strategy
from argosy.engine.reached import Node, Reached
from argosy.logic.solver import Counters
from argosy.logic.solvers import SortKind
from argosy.models.cfa import Cfa, Reading
from argosy.models.contracts import Procedures
from argosy.models.features import Features, features_of, has_arrays
from argosy.models.program import Program
from argosy.options.declared import Options
from argosy.options.programs import BlockOptions
from argosy.options.values import LBE
from argosy.strategies import STRATEGIES, Named, configure
from argosy.strategies.acceleration import is_accelerable
from argosy.strategies.named import Turn
from argosy.strategies.setting import Setting
from argosy.strategies.turns import chosen_turns

# Where no time limit is given, each of several stages may take its share of this, and more in each further round.
PATIENCE = 50.0
IMPATIENCE = 4

ANY = 1 << 62

# What a refinement costs where expansions are counted: many of them mean that a domain is the wrong one.
REFINEMENT = 40

# After so many nodes, twice as many, and so on, a domain is asked whether its states become more and more.
LOOK = 20_000

# How many times as many nodes have their chance where the native kernel expands them, and after how many of them it is
# asked: it takes a second or two for the first, half a second for the second.
NATIVE = 100
LOOK_NATIVELY = 500_000

# The share of a strategy's time that goes to integers where bits are next.
INTEGERS_FIRST = 0.6

# The share that goes to bits before that, where blocks pass over loop heads.
BUGS_FIRST = 0.3


@dataclass(frozen=True, slots=True)
class Stage:
    """One run of the loop: how the strategy is built, on which arithmetic, its share of the time left, and after how
    many expansions it has had its chance (0: any number). One that ``inherits`` starts from all predicates found so
    far, at every loop head. One that ``returns`` has another turn later: when its time is over on one arithmetic, the
    others wait for that turn. One with ``contracts`` needs no copies of recursive functions. ``why`` says what of a
    model led to it or, of what is in every sequence, which turn it is."""

    build: Callable[[Setting[Any]], Strategy[Any, Any, Any]]
    options: Options
    arithmetic: SortKind
    share: float
    name: str
    expansions: int = 0
    inherits: bool = False
    returns: bool = False
    contracts: bool = False
    why: str = ""


@dataclass(slots=True)
class Observation:
    """Counts what the loop does, reports progress, and ends it when its time is over."""

    listener: Listener
    counters: Counters
    budget: Budget = UNLIMITED
    allowance: int = 0
    phase: str = "analysis"
    refinements: int = 0
    expanded_nodes: int = 0
    created: int = 0
    predicates: int = 0
    earlier: dict[str, int] = field(default_factory=dict)
    abstractions: Callable[[], int] = int
    diverges: Callable[[Iterable[Any]], bool] | None = None
    look: int = 0
    pace: int = 1
    recorder: CourseRecorder = field(default_factory=CourseRecorder)

    def enter(self, phase: str) -> None:
        counts = self.counts()
        self.recorder.enter(phase, counts["nodes"], counts["refinements"])

    def begin(self, phase: str, budget: Budget, expansions: int, strategy: Strategy[Any, Any, Any]) -> None:
        """A new stage; what earlier ones counted is kept."""
        self.enter(phase)
        self.earlier = self.counts()
        self.phase, self.budget = phase, budget
        self.pace = 1 if strategy.explorer is None else NATIVE
        self.allowance = self._used() + self.pace * expansions if expansions else 0
        analysis = strategy.analysis
        self.diverges = analysis.diverges if expansions and isinstance(analysis, Diverging) else None
        self.look = LOOK if strategy.explorer is None else LOOK_NATIVELY
        self.created = self.predicates = 0
        self.abstractions = (lambda: analysis.abstractions) if isinstance(analysis, Abstracting) else int

    def patience(self) -> tuple[int, int]:
        expansions = max(1, self.allowance - self._used()) if self.allowance else ANY
        return expansions, ANY if self.diverges is None else self.look

    def _used(self) -> int:
        return self.expanded_nodes + self.pace * REFINEMENT * self.refinements

    def expanded(self, node: Node, reached: Reached) -> None:
        self.expanded_some(1, reached)

    def expanded_some(self, number: int, reached: Reached) -> None:
        self.expanded_nodes += number
        self.created = reached.created
        if self.recorder.keeps:
            self.recorder.reached = reached
        if self.diverges is not None and reached.created >= self.look:
            self.look *= 2
            if self.diverges(reached.all_states()):
                raise OutOfBudget(TIME_LIMIT)
        self._tell()

    def refined(self, reached: Reached, precision: Any) -> None:
        self.refinements += 1
        self.predicates = len(precision) if isinstance(precision, Sized) else 0
        self.recorder.refined(reached, precision)
        self._tell()

    def _tell(self) -> None:
        self.budget.check()
        if self.allowance and self._used() >= self.allowance:
            raise OutOfBudget(TIME_LIMIT)
        if self.listener.is_due(self.phase):
            self.listener.update(self.phase, **self.counts())
            if self.recorder.keeps:
                self.listener.look(self.recorder.glance)

    def counts(self) -> dict[str, int]:
        return {
            "nodes": self.earlier.get("nodes", 0) + self.created,
            "abstractions": self.earlier.get("abstractions", 0) + self.abstractions(),
            "predicates": max(self.earlier.get("predicates", 0), self.predicates),
            "refinements": self.refinements,
            "explored_states": self.expanded_nodes,
            "solver_checks": self.counters.checks,
            "entailment_queries": self.counters.entailments,
            "cached_entailments": self.counters.cached,
        }


def features_of_program(program: Program, reduced: Cfa, reading: Reading, closely: bool = True) -> Features:
    """What a program looks like, ``reduced`` as it is analysed; ``closely`` asks what is some work to find out."""
    features = features_of(
        reduced,
        recursive=isinstance(program.procedures, Procedures),
        cyclic=program.cyclic,
        arrays=has_arrays(reduced),
        memory=program.errors.about_memory,
    )
    if closely and features.loops and sort_kind(program.cfa) == "bits":
        from argosy.invariants.polynomials import counts

        features = replace(features, accelerable=is_accelerable(reduced, reading), counting=counts(reduced))
    if features.arrays:
        from argosy.invariants.lifetimes import has_lifetimes
        from argosy.invariants.objects import regions

        features = replace(features, objects=bool(regions(reduced)) or has_lifetimes(reduced))
    return features


def stages_of(plan: Plan, own: SortKind, features: Features, kind: str = "program") -> Sequence[Stage]:
    """The stages for a task whose model, of a ``kind``, has numbers of its ``own`` kind and these ``features``."""
    if not isinstance(plan.strategy, str):
        builder = plan.strategy
        name = getattr(builder, "__name__", type(builder).__name__)
        wanted = plan.arithmetic
        arithmetic: SortKind = "int" if wanted == "int" and own == "bits" else own
        return [Stage(builder, Options(), arithmetic, 1.0, name)]
    chosen = configure(plan.strategy, plan.options, kind)
    if not chosen.strategy.stages:
        return _arithmetics(plan, own, chosen.strategy, chosen.options, 1.0)
    turns = chosen_turns(chosen.strategy.stages, features, kind, own)
    if plan.lane is not None:
        turns = _turns_of(plan.lane, turns)
    parts = [part for (part, _, _), _ in turns]
    return [
        replace(stage, returns=part in parts[turn + 1 :], why=why or _place(turn, len(turns)))
        for turn, ((part, share, expansions), why) in enumerate(turns)
        for stage in _arithmetics(plan, own, STRATEGIES[part], STRATEGIES[part].options, share, expansions)
    ]


def _place(turn: int, turns: int) -> str:
    """Why a turn comes that is in every sequence."""
    return f"turn {turn + 1} of {turns}" + (": those before it had no answer" if turn else "")


def _turns_of(lane: Lane, turns: Sequence[tuple[Turn, str]]) -> list[tuple[Turn, str]]:
    """The turns of some of the strategies; the last one has all the time that is left."""
    own = lane.own(tuple(dict.fromkeys(part for (part, _, _), _ in turns)))
    *kept, ((last, _, expansions), why) = (turn for turn in turns if turn[0][0] in own)
    return [*kept, ((last, 1.0, expansions), why)]


def _arithmetics(
    plan: Plan,
    own: SortKind,
    named: Named,
    options: Options,
    share: float,
    expansions: int = 0,
) -> list[Stage]:
    wanted = plan.arithmetic
    offered = named.arithmetics if wanted == "auto" else (wanted,)
    if own != "bits":
        offered = (own,)
    shares = [share * INTEGERS_FIRST] * (len(offered) - 1) + [share]
    in_large_blocks = _in_large_blocks(options)
    stages = []
    if in_large_blocks is not None and len(offered) > 1:
        # Such blocks find bugs, and what integers take for one may be none.
        stages.append(Stage(named.build, options, own, share * BUGS_FIRST, named.name, expansions))
    for arithmetic, part in zip(offered, shares, strict=True):
        kind: SortKind = "int" if arithmetic == "int" else own
        if in_large_blocks is None or not stages or kind != own:
            stage = Stage(named.build, options, kind, part, named.name, expansions, contracts=named.contracts)
            stages.append(stage)
        if in_large_blocks is not None:
            name = f"{named.name} in large blocks"
            stages.append(Stage(named.build, in_large_blocks, kind, part, name, 0, inherits=True))
    return stages


def _in_large_blocks(options: Options) -> Options | None:
    """Blocks that pass over loop heads prove, but claim nothing there: their predicates do, in large blocks. None for
    all others."""
    if isinstance(options, BlockOptions) and not options.block.end_at_loop_heads:
        return replace(options, block=LBE)
    return None


def changes_of(plan: Plan, kind: str = "program") -> tuple[str, ...]:
    """What a choice changed that nobody asked to change."""
    return configure(plan.strategy, plan.options, kind).notes if isinstance(plan.strategy, str) else ()

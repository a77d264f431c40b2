"""The stages of a run: which strategies have their turn, on which arithmetic, for how long, and what they count.

A named strategy is one stage, or one on integers and one on bits; a sequence such as ``auto`` is several, each with its
share of the time that is left (``backends.program`` runs them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from typing import Any

from argosy.backends.contract import Lane, Listener, Plan
from argosy.backends.recorder import CourseRecorder
from argosy.basics.budget import TIME_LIMIT, UNLIMITED, Budget, OutOfBudget
from argosy.basics.records import dataclass, field, replace
from argosy.engine.protocols import Abstracting, Diverging, Strategy
from argosy.engine.reached import Node, Reached
from argosy.logic.solver import Counters
from argosy.logic.solvers import SortKind
from argosy.models.features import Features
from argosy.options.declared import Options
from argosy.options.programs import BlockOptions
from argosy.options.values import LBE
from argosy.strategies import STRATEGIES, Named, configure
from argosy.strategies.named import Turn
from argosy.strategies.setting import Setting

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

# The share of what decides programs without loops, where it comes early.
LOOPLESS = 0.4

# The share of executions, where there are loops.
EXECUTED = 0.15

# The same before all else, where the property is about memory.
TRIED = 0.05

# The same, where there is but one execution: it may have no end, and then proofs are quicker.
BRIEFLY = 0.03
ALONE = 0.4

# The shares of unwinding where loops count by constants, and of contracts where there is recursion.
COUNTED = 0.2
RECURSIVE = 0.35

# The share of what looks at whole rounds of a cyclic model, where it comes early.
CYCLIC = 0.15

# The share of bounds, where loops compute with floats.
FLOATING = 0.1

# The share of unwinding where loops have closed forms: an error is a few edges away, or none is.
ACCELERATED = ("accelerated", 0.1)

# What looks for claims about all elements: first what is guessed, which is decided soon; then, after a short look at
# values and predicates, what has to be found.
GUESSED_OBJECTS = ("objects", 0.15)
GUESSED_ELEMENTS = ("cells", 0.15)
EXECUTED_ELEMENTS = ("execution", 0.12)
GUESSED_BOUNDS = ("kinduction", 0.3)
ALL_ELEMENTS = (("cells-horn", 0.2), ("cells", 0.25))

# The share of a few rounds, where there are loops: a question or two, whose answers do not depend on which predicates
# can be found over the arithmetic of the program.
ROUNDS = 0.06

# The share of predicates before that: a proof by k-induction says less than an invariant.
LOOK_FIRST = 0.03

# The share of values before that, and after how many expansions they wait.
GLANCE = 0.1

# The share of all values from the beginning, where a program reacts to inputs, and after how many expansions these are
# too many; the same of values that are found by refinement, where they have a second turn, and of closed forms.
REACTIVE = 0.25
EXPANSIONS = {"explicit-all": 20_000, "explicit": 4_000, "accelerated": 400}

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


def stages_of(plan: Plan, own: SortKind, features: Features, kind: str = "program") -> Sequence[Stage]:
    """The stages for a task whose model, of a ``kind``, has numbers of its ``own`` kind and these ``features``."""
    if not isinstance(plan.strategy, str):
        builder = plan.strategy
        name = getattr(builder, "__name__", type(builder).__name__)
        wanted = plan.arithmetic
        arithmetic: SortKind = "int" if wanted == "int" and own == "bits" else own
        return [Stage(builder, Options(), arithmetic, 1.0, name)]
    chosen = configure(plan.strategy, plan.options, kind)
    turns = chosen.strategy.stages
    if not turns:
        return _arithmetics(plan, own, chosen.strategy, chosen.options, 1.0)
    turns, reasons = chosen_turns(turns, features, kind, own)
    if plan.lane is not None:
        turns = _turns_of(plan.lane, turns)
    parts = [part for part, _, _ in turns]
    return [
        replace(stage, returns=part in parts[turn + 1 :], why=reasons.get((part, share)) or _place(turn, len(turns)))
        for turn, (part, share, expansions) in enumerate(turns)
        for stage in _arithmetics(plan, own, STRATEGIES[part], STRATEGIES[part].options, share, expansions)
    ]


def _place(turn: int, turns: int) -> str:
    """Why a turn comes that is in every sequence."""
    return f"turn {turn + 1} of {turns}" + (": those before it had no answer" if turn else "")


def chosen_turns(
    turns: tuple[Turn, ...], features: Features, kind: str = "program", own: SortKind = "bits"
) -> tuple[tuple[Turn, ...], Mapping[tuple[str, float], str]]:
    """The turns of a sequence, with some more where a model has the features that these are good for; and why, for
    those (a strategy and its share). A turn comes before what it is better at, and after what needs less where that is
    enough."""
    added: list[tuple[int, str, float, str]] = []
    if features.reactive and kind == "program":
        added.append((0, "explicit-all", REACTIVE, "reacts to inputs, with modes and no numbers: all its states"))
    if features.floats and features.loops and kind == "program":
        added.append((0, "intervals", FLOATING, "loops with floating-point numbers: bounds, which need no solver"))
    if features.arrays and features.loops:
        guessed = [(0, *GUESSED_ELEMENTS, "loops over arrays: claims about all elements are often read off the text")]
        if own == "bits":
            if features.objects:
                why = "memory is handed out object by object: claims about all of them are often read off the text"
                guessed.insert(0, (0, *GUESSED_OBJECTS, why))
            if kind == "program" and not features.closed and not features.memory:
                why = "loops over arrays: an error is behind all rounds of those that fill them"
                guessed.append((0, *EXECUTED_ELEMENTS, why))
            guessed.append((0, *GUESSED_BOUNDS, "loops over arrays: what keeps an access inside is often in the text"))
        added.extend(reversed(guessed) if features.memory else guessed)
    elif features.loops and not features.cyclic and kind == "program":
        why = "loops: what holds is often a matter of a few rounds, whatever is computed in them"
        added.append((0, "explicit", GLANCE, "what constants decide is decided soon"))
        added.append((0, "lbe", LOOK_FIRST, "few predicates may be enough: an invariant that one can look at"))
        added.append((0, "kinduction", ROUNDS, why))
        if features.closed:
            added.append((0, "execution", ALONE, "one execution, with loops: it is executed to its end"))
    if features.accelerable and kind == "program":
        why = "loops that many rounds of can be taken at once: an error far away is a few edges away"
        added.append((0, *ACCELERATED, why))
    if features.recursive:
        added.append((1, "horn", RECURSIVE, "recursion: contracts need no copies of functions"))
    if not features.loops:
        added.append((1, turns[-1][0], LOOPLESS, "no loops: the program is one formula"))
    elif features.cyclic:
        # Predicates over sums of floats are found slowly, where they are found at all.
        place = 1 if features.floats else 2
        why = "a cyclic model: errors are a few rounds away, proofs often about one"
        added.append((place, turns[-1][0], CYCLIC, why))
    elif features.counted and kind == "program":
        added.append((1, "bmc", COUNTED, "every loop counts by constants: unwinding may be complete"))
    if features.loops and features.closed and kind == "program" and not features.cyclic:
        share = ALONE if features.arrays else BRIEFLY
        added.insert(0, (0, "execution", share, "one execution, with loops: it is executed"))
    elif features.loops and not features.cyclic and kind == "program":
        added.append((2, "execution", EXECUTED, "loops: an error may be many rounds away, and easy to run into"))
    elif features.loops and features.closed and kind == "program":
        added.append((3, "execution", EXECUTED, "one execution, which has no end: it is executed for a while"))
    if features.memory and features.loops and not features.closed and kind == "program":
        added.insert(0, (0, "execution", TRIED, "memory: most violations are easy to run into"))
    if features.arrays and features.loops:
        why = "loops over arrays: claims about all elements"
        added.extend((2, name, share, why) for name, share in ALL_ELEMENTS)
    for place, name, share, _ in reversed(added):
        turns = (*turns[:place], (name, share, EXPANSIONS.get(name, 0)), *turns[place:])
    return turns, {(name, share): why for _, name, share, why in added}


def _turns_of(lane: Lane, turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns of some of the strategies; the last one has all the time that is left."""
    own = lane.own(tuple(dict.fromkeys(part for part, _, _ in turns)))
    *kept, (last, _, expansions) = (turn for turn in turns if turn[0] in own)
    return (*kept, (last, 1.0, expansions))


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

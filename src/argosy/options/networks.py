"""The options of searches in networks of timed automata, and their values."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from argosy.basics.records import dataclass, replace
from argosy.options.declared import Options, Word, number, option, or_none, switch, words


class NetworkSearch(Word):
    """In which order zones are visited."""

    AUTO = "auto"
    BFS = "bfs"
    LARGEST = "largest"
    DFS = "dfs"
    RANDOM_DFS = "random-dfs"
    GREEDY = "greedy"
    ASTAR = "astar"

    @property
    def directed(self) -> bool:
        """Whether it follows a heuristic."""
        return self in (NetworkSearch.GREEDY, NetworkSearch.ASTAR)


class WantedTrace(Word):
    """Which run is wanted."""

    SOME = "some"
    SHORTEST = "shortest"
    FASTEST = "fastest"


class Covering(Word):
    """When a stored zone makes another one superfluous."""

    AUTO = "auto"
    SIMULATION = "simulation"
    INCLUSION = "inclusion"


class Reduction(Word):
    """Whether states that differ only in which of several alike processes is which are explored once."""

    AUTO = "auto"
    OFF = "off"


class StateStore(Word):
    """Where states lie."""

    MEMORY = "memory"
    DISK = "disk"


class Guidance(Word):
    """What a directed search follows."""

    ZONES = "zones"
    PA_SYNTAX = "pa-syntax"
    PA_REFINE = "pa-refine"
    GRAPH = "graph"
    MONOTONE = "monotone"
    MERGE = "merge"


class FirstOfEquals(Word):
    """Which of equally promising states comes first."""

    DEPTH = "depth"
    AGE = "age"


class Combining(Word):
    """How the parts of a heuristic make one estimate."""

    SUM = "sum"
    MAX = "max"
    ADMISSIBLE = "admissible"


class Excluded(Word):
    """Which shortest spurious traces a round of ``pa-refine`` excludes."""

    ONE = "one"
    ALL = "all"


class Relaxed(Word):
    """What the monotone relaxation counts."""

    LAYERS = "layers"
    PLAN = "plan"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOptions(Options):
    """Of a search in the zone graph of a network."""

    kind: ClassVar[str] = "network"

    search: NetworkSearch = option(
        NetworkSearch.AUTO,
        words(NetworkSearch),
        "bfs finds short traces, dfs deep ones; largest takes states with large zones first and proves fastest that "
        "there is none; random-dfs draws its order from --seed; greedy and astar follow --heuristic; "
        "auto is bfs, then largest with turns of greedy and the others where it takes long",
    )
    trace: WantedTrace = option(
        WantedTrace.SOME,
        words(WantedTrace),
        "shortest has the fewest actions, fastest takes the least time; either may explore more, and only with bfs",
    )
    covering: Covering = option(
        Covering.AUTO,
        words(Covering),
        "which zones need not be kept: those that another one simulates up to the bounds of the clocks, or only those "
        "that it includes; simulation stores less in some models and costs more in all, auto tries both on the first "
        "states; where clock differences, deadlocks or priorities matter it is inclusion",
    )
    symmetry: Reduction = option(
        Reduction.AUTO,
        words(Reduction),
        "auto explores one of the states that exchanging alike processes makes of each other, where it is proved that "
        "neither the network nor the query tells these apart (always so for scalar sets, if the query names none of "
        "them); for E<> and A[]",
    )
    store: StateStore = option(
        StateStore.MEMORY,
        words(StateStore),
        "where states lie: on disk they are in a file without a name in the folder for temporary files (TMPDIR), and "
        "--memory-limit is about what is resident; slower, and not for E[], A<> and -->",
    )
    heuristic: Guidance = option(
        Guidance.ZONES,
        words(Guidance),
        "what greedy and astar follow: zone graphs of projections, predicate abstraction (predicates from the text or "
        "from refinement), distances in single automata, the monotone relaxation, merged automata",
    )
    ties: FirstOfEquals = option(
        FirstOfEquals.DEPTH,
        words(FirstOfEquals),
        "which of equally promising states comes first: the deepest, or the oldest",
    )
    combine: Combining = option(
        Combining.SUM,
        words(Combining),
        "how parts make one estimate: the sum is sharper, the maximum smaller; admissible never overestimates, so that "
        "astar finds a shortest trace",
    )
    split_bound: int | None = option(
        2,
        or_none("all", number(), "N, all"),
        "how many automata predicate abstraction looks at together: more see more and take much longer",
    )
    refinements: int | None = option(
        None,
        or_none("auto", number(least=0), "N, auto"),
        "rounds of pa-refine for each part; auto stops before the shortest spurious trace does not grow",
    )
    spurious: Excluded = option(
        Excluded.ONE,
        words(Excluded),
        "whether a round of pa-refine excludes one shortest spurious trace, or all of them",
    )
    relaxation: Relaxed = option(
        Relaxed.PLAN,
        words(Relaxed),
        "what monotone counts: the layers up to the goal, or the steps of a relaxed plan",
    )
    merge_bound: int = option(50, number(), "up to how many locations merge keeps apart")
    non_zeno: bool = option(
        False, switch(), "for E[], A<> and -->: only runs in which time diverges count, none that stops or converges"
    )

    def refusal(self) -> str | None:
        if self.trace is not WantedTrace.SOME and self.search not in (NetworkSearch.AUTO, NetworkSearch.BFS):
            return f"--trace {self.trace.word} needs --search bfs, not {self.search.word}"
        return None

    def completed(self, given: Collection[str]) -> tuple[NetworkOptions, str | None]:
        """A heuristic is for a directed search, some traces are for a breadth-first one; A* wants estimates that never
        overestimate."""
        if self.search is NetworkSearch.AUTO and "search" not in given and "heuristic" in given:
            greedy = replace(self, search=NetworkSearch.GREEDY)
            return greedy, "--heuristic is for directed searches: --search greedy instead of auto"
        if self.search is NetworkSearch.AUTO and self.trace is not WantedTrace.SOME:
            note = f"--trace {self.trace.word} is for breadth-first searches: --search bfs instead of auto"
            return replace(self, search=NetworkSearch.BFS), note
        if self.search is NetworkSearch.ASTAR and self.combine is Combining.SUM and "combine" not in given:
            return replace(self, combine=Combining.ADMISSIBLE), None
        return self, None

from collections.abc import Callable, Sequence

OPCODES: dict[str, int]
KNOWN: int
OTHER: int
NOTHING: int

Known = Sequence[tuple[int, int, int]]

class Graph:
    def __init__(
        self,
        widths: Sequence[int],
        locations: int,
        initial: int,
        error: int,
        newest: bool,
        equal: bool,
        of_depth: float,
        of_first: float,
    ) -> None: ...
    def add_constant(self, at: int, word: int) -> None: ...
    def add_edge(
        self,
        source: int,
        registers: int,
        number: int,
        target: int,
        cost: float,
        code: bytes,
        condition: int,
        fixes: Known,
        writes: Sequence[tuple[int, int, int, int]],
        relation: bool,
    ) -> None: ...
    def keep(self, location: int, slots: Sequence[int]) -> None: ...
    def explore(
        self,
        prepare: Callable[[int], None],
        enumerate: Callable[[int, Known], Sequence[Known] | None] | None,
        targets: int,
        expansions: int,
        most: int,
        seconds: float,
    ) -> tuple[bool, int, int]: ...
    def trace(
        self, prepare: Callable[[int], None], edges: Sequence[tuple[int, int]]
    ) -> list[tuple[bool, list[tuple[int, int, int]]]]: ...
    def prune(self, pivots: Sequence[int]) -> None: ...
    def clear(self) -> None: ...
    def spreads(self, limit: int) -> bool: ...
    def nodes(self) -> list[int]: ...
    def uncovered(self, locations: Sequence[int]) -> list[int]: ...
    def node(self, number: int) -> tuple[int, int | None, int | None, int, int | None, bool, bool]: ...
    def known(self, number: int) -> list[tuple[int, int, int]]: ...
    @property
    def targets(self) -> list[int]: ...
    @property
    def created(self) -> int: ...
    @property
    def alive(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def bytes(self) -> int: ...

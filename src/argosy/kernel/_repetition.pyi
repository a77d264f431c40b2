from collections.abc import Callable, Sequence

OPCODES: dict[str, int]

def run(
    body: bytes,
    after: bytes,
    written: bytes,
    registers: bytes,
    tables: Sequence[bytes],
    most: int,
    is_over: Callable[[], bool],
) -> tuple[int, bytes, list[bytes]]: ...
def run_wide(
    body: bytes,
    after: bytes,
    written: bytes,
    registers: bytes,
    tables: Sequence[bytes],
    most: int,
    is_over: Callable[[], bool],
) -> tuple[int, bytes, list[bytes]]: ...

from collections.abc import Callable

OPCODES: dict[str, int]

def run(body: bytes, after: bytes, registers: bytes, most: int, is_over: Callable[[], bool]) -> tuple[int, bytes]: ...
def run_wide(
    body: bytes, after: bytes, registers: bytes, most: int, is_over: Callable[[], bool]
) -> tuple[int, bytes]: ...

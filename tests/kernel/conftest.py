"""Without the native kernel there is nothing to test here; ``tests/test_native.py`` fails where it should be there."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

BUILT = all(find_spec(f"argosy.kernel.{module}") is not None for module in ("_zones", "_certifier", "_pdr"))


class NotBuilt(pytest.Module):
    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        pytest.skip(
            "the native kernel is not built: no C++20 compiler was found by pip install", allow_module_level=True
        )


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    return None if BUILT else NotBuilt.from_parent(parent, path=module_path)

"""The native kernel is part of the package wherever a C++ compiler is: its tests are never skipped unnoticed."""

from __future__ import annotations

import os
import shutil
from importlib import import_module

import pytest

COMPILERS = (os.environ.get("CXX", ""), "c++", "g++", "clang++")


@pytest.mark.parametrize("module", ["_zones", "_certifier", "_pdr", "_repetition", "_valuation"])
def test_the_kernel_is_built(module: str) -> None:
    if "CI" not in os.environ and not any(shutil.which(compiler) for compiler in COMPILERS):
        pytest.skip("no C++ compiler to build the native kernel with")
    import_module(f"argosy.kernel.{module}")

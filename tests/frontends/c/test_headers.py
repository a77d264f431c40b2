"""Headers of the C library are read as they are; all of them by ``python -m tests.frontends.c.headers``."""

from __future__ import annotations

import shutil

import pytest

from .headers import refused


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("name", ["math", "pthread", "stdatomic", "stddef", "stdlib", "sys/socket", "tgmath"])
def test_a_header_is_read(name: str) -> None:
    assert refused(name) is None


def test_what_is_no_header_is_refused() -> None:
    assert refused("no-such-header") is not None

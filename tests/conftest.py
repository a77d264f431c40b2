"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from argosy.basics.garbage import look_seldom

# As the command line does: a tenth of the time of the suite.
look_seldom()

# Colours are asked for where they are tested, not by whoever starts the suite.
for name in ("NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(name, None)

# How many processes work on a task is said by the tests that are about it, not by how busy the machine is.
os.environ["ARGOSY_JOBS"] = "1"

# Whoever starts the suite in the background (nohup, a job of a script) has it ignore Ctrl-C, and so would all that it
# starts: the tests of Ctrl-C would wait for their time limits.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes to draw and to run says how busy the machine is, and nothing about what is tested.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

# The part of the random examples that is drawn where nobody asks for all of them (`make test EXAMPLES=1`): a run of the
# whole suite has a quarter of an hour. Tests with few examples draw them all.
SHARE = float(os.environ.get("ARGOSY_EXAMPLES", "0.5"))
FEW = 25


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    scaled: set[int] = set()
    for item in items:
        test: Any = getattr(item, "obj", None)
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if own is not None and id(test) not in scaled and own.max_examples > FEW:
            scaled.add(id(test))
            test._hypothesis_internal_use_settings = settings(own, max_examples=max(FEW, int(SHARE * own.max_examples)))

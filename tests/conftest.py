"""What holds for all tests."""

from __future__ import annotations

import os
import signal

# Colours are asked for where they are tested, not by whoever starts the suite.
for name in ("NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(name, None)

# How many processes work on a task is said by the tests that are about it, not by how busy the machine is.
os.environ["ARGOSY_JOBS"] = "1"

# Whoever starts the suite in the background (nohup, a job of a script) has it ignore Ctrl-C, and so would all that it
# starts: the tests of Ctrl-C would wait for their time limits.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

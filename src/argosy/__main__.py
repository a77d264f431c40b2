"""The command ``argosy``, which is also ``python -m argosy``.

Ctrl-C is answered with a verdict from the first moment on, also while modules are loaded.
"""

import os
import signal
import sys


def main() -> int:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)
    from argosy.cli import main as cli

    return cli.main()


def _interrupted(number: int, frame: object) -> None:
    os.write(1, b"Verdict: UNKNOWN (interrupted)\n")
    os._exit(5)


if __name__ == "__main__":
    sys.exit(main())

"""The command ``argosy``, which is also ``python -m argosy``.

Ctrl-C is answered with a verdict from the first moment on, also while modules are loaded.
"""

import os
import signal
import sys


def main() -> int:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)
    from argosy.cli.streams import open_closed

    open_closed()
    from argosy.cli import main as cli

    return cli.main()


def _interrupted(number: int, frame: object) -> None:
    try:
        os.write(1, b"Verdict: UNKNOWN (interrupted)\n")
    finally:
        os._exit(5)


if __name__ == "__main__":
    sys.exit(main())

"""The command ``argosy``, which is also ``python -m argosy``.

Ctrl-C is answered with a verdict from the first moment on, also while modules are loaded: what stands below is built
into the interpreter (``signal`` itself takes longer to load than all of it). Before that it is the interpreter's own.
"""

import _signal  # type: ignore[import-not-found]
import os
import sys


def main() -> int:
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _interrupted)
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

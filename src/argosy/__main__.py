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
    from argosy.basics.garbage import look_seldom
    from argosy.cli.streams import open_closed

    look_seldom()
    open_closed()
    from argosy.cli import main as cli

    code = cli.main()
    if sys.argv[1:2] in (["verify"], ["check"]):
        # Everything is written. What is loaded need not be taken apart, piece by piece.
        sys.stderr.flush()
        os._exit(code)
    return code


def _interrupted(number: int, frame: object) -> None:
    try:
        os.write(1, b"Verdict: UNKNOWN (interrupted)\n")
    finally:
        os._exit(5)


if __name__ == "__main__":
    sys.exit(main())

"""Binding and serving: the loopback address and nothing else, until Ctrl-C."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from argosy.basics.errors import UsageError
from argosy.ui.server import Workbench

LOOPBACK = "127.0.0.1"


def bind(port: int, wished: int) -> socket.socket:
    """A socket at ``port``; where that is 0, at the one that was ``wished`` for if it is free, or at any."""
    for each in (port,) if port else (wished, 0):
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((LOOPBACK, each))
        except OSError as error:
            found.close()
            if port:
                raise UsageError(f"--port {port}: {error.strerror}") from None
            continue
        return found
    raise UsageError("no port is free")


def serve(workbench: Workbench, port: int, say: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; ``say`` hears the address before the first request is answered."""
    token, wished = workbench.store.address()
    with bind(port, wished) as bound:
        number = bound.getsockname()[1]
        workbench.store.save_address(token, number)
        config = uvicorn.Config(
            workbench.app(token, number),
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        # When it has ended, uvicorn raises the signal that ended it once more.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN), signal.signal(signal.SIGTERM, signal.SIG_IGN)
        try:
            say(f"http://{LOOPBACK}:{number}/{token}/")
            with suppress(KeyboardInterrupt):
                server.run([bound])
        finally:
            workbench.close()
            signal.signal(signal.SIGINT, before[0])
            signal.signal(signal.SIGTERM, before[1])

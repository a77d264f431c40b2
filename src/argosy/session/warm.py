"""A process in which everything is loaded, and that forks a warden for each run: what takes a fifth of a second
otherwise takes some milliseconds.

An editor or the workbench has one of its own (``Warm``), which ends with it. ``argosy serve`` is one for all commands
of a user (``served``): they find it by the path of a socket. A run is the same as ever, with its own warden, limits and
processes; it has the folder, the environment and the limits of whoever asked.

Each run has a connection. The first message on it brings the descriptors of the warden (``starting.Ends``); when the
warden has ended its exit code is sent back; when the other side is closed, the warden is killed.

Laws: nobody but the user who started it can use it (the folder of the socket is private, and the system is asked who
calls). When it ends, all its wardens have ended.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import selectors
import signal
import socket
import stat
import struct
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NoReturn

from argosy.backends.registry import KINDS
from argosy.basics.errors import UsageError
from argosy.basics.garbage import keep_what_is_there, look_seldom
from argosy.basics.naming import named
from argosy.basics.processes import MEGABYTE
from argosy.basics.version import VERSION
from argosy.logic.solvers import PACKAGES
from argosy.session.messages import RUN
from argosy.session.starting import SERVER, Ends, WardenProcess, become, fresh
from argosy.session.watch import INPUT, start_interpreter
from argosy.strategies import STRATEGIES

if TYPE_CHECKING:
    import subprocess

NAME = "serve.sock"

_PATIENCE = 1.0
_KEPT_LIMITS = (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE)
_MODULES = ("argosy.frontends.c.load", "argosy.certify.unwinding", "argosy.certify.long_replay", "argosy.models.cells")


# ---- those who ask --------------------------------------------------------------------------------------------------


class Asked:
    """A warden that somebody else has forked, at the other end of a connection."""

    def __init__(self, connection: socket.socket, ends: Ends) -> None:
        self._connection = connection
        self._status: int | None = None
        limits = [resource.getrlimit(each) for each in _KEPT_LIMITS]
        place = {"folder": os.getcwd(), "environment": dict(os.environ), "limits": limits}
        said = {"version": VERSION, "given": ends.given, **place}
        descriptors = [ends.connection, ends.messages, ends.log, *([] if ends.given is None else [ends.given])]
        socket.send_fds(connection, [b"!"], descriptors)
        connection.sendall(json.dumps(said).encode() + b"\n")

    def wait(self) -> int:
        """As killed where nobody says how it ended."""
        if self._status is None:
            content = b""
            with suppress(ConnectionResetError):
                while piece := self._connection.recv(MEGABYTE):
                    content += piece
            self._status = int(content or -signal.SIGKILL)
            self._connection.close()
        return self._status

    def kill(self) -> None:
        if self._status is None:
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_WR)


class Warm:
    """The warm process of this one. Called with the ends of a run it starts a warden: a ``Start``, for any thread. It
    is not worth its while before there were ``cold`` runs."""

    def __init__(self, cold: int = 2) -> None:
        self._cold = cold
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, ends: Ends) -> WardenProcess:
        with self._lock:
            self._cold -= 1
            if self._cold == 0 or (self._cold < 0 and self._process is None):
                self._control, theirs = socket.socketpair()
                with theirs:
                    self._process = start_interpreter("argosy.session.warm:serve", theirs.fileno(), stdout=2)
            control = self._control if self._cold < 0 else None
        return fresh(ends) if control is None else self._asked(control, ends)

    def _asked(self, control: socket.socket, ends: Ends) -> WardenProcess:
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(control, [b"!"], [theirs.fileno()])
            return Asked(ours, ends)
        except OSError:
            # It was killed: runs go on as without it.
            ours.close()
            return fresh(ends)

    def close(self) -> None:
        with self._lock:
            if self._control is not None and self._process is not None:
                self._control.close()
                self._process.wait()


def asking(path: str) -> Callable[[Ends], WardenProcess]:
    """The ``Start`` of the server whose socket is there. Raises UsageError where there is none of this user's."""

    def start(ends: Ends) -> WardenProcess:
        connection = socket.socket(socket.AF_UNIX)
        try:
            if os.stat(path).st_uid != os.getuid():
                raise UsageError(f"{SERVER}: {path} belongs to somebody else")
            connection.connect(path)
            return Asked(connection, ends)
        except OSError as error:
            connection.close()
            raise UsageError(f"{SERVER}: no server at {path}: {error.strerror}") from None

    return start


# ---- the server -----------------------------------------------------------------------------------------------------


def serve() -> None:
    """The process of a ``Warm``: connections come through its standard input, and it ends when that is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=os.dup(INPUT))

    def accept() -> socket.socket | None:
        word, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        return socket.socket(fileno=descriptors[0]) if word else None

    _Server(control, accept).run()


def served(path: str, say: Callable[[str], None]) -> None:
    """``argosy serve``, until Ctrl-C. Raises UsageError where it cannot be."""
    if not hasattr(os, "fork"):
        raise UsageError("argosy serve needs a system that can fork processes")
    with socket.socket(socket.AF_UNIX) as listener:
        _bind(listener, path)
        listener.listen()

        def accept() -> socket.socket | None:
            connection, _ = listener.accept()
            if _is_own(connection):
                return connection
            connection.close()
            return None

        server = _Server(listener, accept, ends_with_source=False)
        say(path)
        try:
            server.run()
        finally:
            os.unlink(path)


def default_path() -> str:
    folder = os.environ.get("XDG_RUNTIME_DIR") or os.path.expanduser("~/.cache")
    return os.path.join(folder, "argosy", NAME)


def _bind(listener: socket.socket, path: str) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.stat(folder)
        if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
            raise UsageError(f"--socket: {folder} can be entered by others than you (chmod 700 helps)")
        if os.path.exists(path):
            with socket.socket(socket.AF_UNIX) as other:
                if other.connect_ex(path) == 0:
                    raise UsageError(f"--socket: a server listens at {path} already")
            if not stat.S_ISSOCK(os.stat(path).st_mode):
                raise UsageError(f"--socket: {path} is no socket")
            os.unlink(path)
        before = os.umask(0o177)
        try:
            listener.bind(path)
        finally:
            os.umask(before)
    except OSError as error:
        raise UsageError(f"--socket: cannot listen at {path}: {error.strerror or error}") from None


def _is_own(connection: socket.socket) -> bool:
    """Where the system says who calls; where it does not, the folder of the socket keeps others out."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return bool(user == os.getuid())


class _Server:
    """Forks a warden for each connection that ``accept`` gives; None is the end of the source, or a caller who may
    not."""

    def __init__(
        self, source: socket.socket, accept: Callable[[], socket.socket | None], ends_with_source: bool = True
    ) -> None:
        load_everything()
        self._source = source
        self._accept = accept
        self._ends_with_source = ends_with_source
        self._wardens: dict[int, socket.socket] = {}
        self._stopped = False
        self._wakeup, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._heard)

    def _heard(self, number: int, frame: object) -> None:
        self._stopped |= number != signal.SIGCHLD

    def run(self) -> None:
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(self._source, selectors.EVENT_READ)
                selector.register(self._wakeup, selectors.EVENT_READ)
                while not self._stopped:
                    for key, _ in selector.select():
                        if key.fileobj is self._source:
                            self._start(selector)
                        elif key.fileobj == self._wakeup:
                            os.read(self._wakeup, 4096)
                            self._reap(selector)
                        elif key.data in self._wardens:
                            selector.unregister(key.fileobj)
                            self._kill(key.data)
        finally:
            for pid in list(self._wardens):
                self._kill(pid)
                os.waitpid(pid, 0)

    def _start(self, selector: selectors.BaseSelector) -> None:
        connection = self._accept()
        if connection is None:
            self._stopped |= self._ends_with_source
            return
        try:
            connection.settimeout(_PATIENCE)
            _, descriptors, _, _ = socket.recv_fds(connection, 1, 4)
            with connection.makefile("rb") as file:
                said: dict[str, Any] = json.loads(file.readline())
        except (OSError, ValueError):
            connection.close()
            return
        pid = os.fork()
        if pid == 0:
            _become(descriptors, said)
        for each in descriptors:
            os.close(each)
        # Whoever of the two is first: it leads a group before anybody wants to kill it.
        with suppress(PermissionError, ProcessLookupError):
            os.setpgid(pid, pid)
        self._wardens[pid] = connection
        # It is readable when it is closed: more is not said.
        selector.register(connection, selectors.EVENT_READ, pid)

    def _reap(self, selector: selectors.BaseSelector) -> None:
        for pid, connection in list(self._wardens.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del self._wardens[pid]
                with suppress(KeyError):
                    selector.unregister(connection)
                with suppress(OSError):
                    connection.sendall(str(os.waitstatus_to_exitcode(status)).encode())
                connection.close()

    def _kill(self, pid: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _become(descriptors: list[int], said: Mapping[str, Any]) -> NoReturn:
    """The warden that was asked for, in the folder, environment and limits of whoever asked."""
    try:
        signal.set_wakeup_fd(-1)
        if said["version"] != VERSION:
            os.write(descriptors[2], f"the server is argosy {VERSION}\n".encode())
            os._exit(1)
        os.chdir(said["folder"])
        os.environ.clear()
        os.environ.update(said["environment"])
        for each, limit in zip(_KEPT_LIMITS, said["limits"], strict=True):
            with suppress(ValueError, OSError):
                resource.setrlimit(each, tuple(limit))
        given = said["given"]
        if given is not None:
            # It gets the number that the errand says; the others make room.
            descriptors = [fcntl.fcntl(each, fcntl.F_DUPFD, given + 1) for each in descriptors]
            os.dup2(descriptors[3], given)
        become(Ends(descriptors[0], descriptors[1], descriptors[2], given))
    finally:
        if sys.exception() is not None:
            traceback.print_exc()
        os._exit(1)


def load_everything() -> None:
    """What a run may need: the frontends and strategies of programs, every backend, every solver that is there. None of
    them starts a thread before it is used, so that a fork is a whole process."""
    look_seldom()
    for kind in KINDS.values():
        kind.backend()
    for call in (RUN, *(strategy.builder for strategy in STRATEGIES.values() if strategy.builder)):
        named(call)
    for module in (*_MODULES, *(f"argosy.logic.{name}_solver" for name in PACKAGES)):
        import_module(module)
    for package in PACKAGES.values():
        if find_spec(package) is not None:
            import_module(package)
    keep_what_is_there()

"""What is kept in the folder, in ``.argosy``: every run with its record, its result and its files; the token and the
port, so that an address can be opened again; simulations by what was chosen in them.

Law: a record is written as a whole or not at all; what cannot be read any more is left alone, and is not shown.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from argosy.basics.errors import UsageError
from argosy.ui.folder import OWN

Record = dict[str, Any]

ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")
FIELDS: Record = {
    "file": str,
    "question": str,
    "choices": dict,
    "status": str,
    "asked": (int, float),
    "hashes": dict,
    "answers": list,
    "learned": list,
}
"""What every record has."""

FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,80}")


class KeptRuns:
    def __init__(self, root: str) -> None:
        self.root = os.path.join(root, OWN)
        if os.path.islink(self.root):
            raise UsageError(f"{self.root} is a symbolic link: what is kept must be in the folder itself")
        if os.path.isdir(self.root) and not _is_ours(self.root):
            raise UsageError(
                f"{self.root} was not made by argosy ui for you, and what is in it may be anybody's: remove it, or, "
                f"where you trust it, chmod 700 {self.root}"
            )
        try:
            os.makedirs(self.root, mode=0o700, exist_ok=True)
            for name in ("runs", "simulations"):
                os.makedirs(os.path.join(self.root, name), mode=0o700, exist_ok=True)
                if os.path.islink(os.path.join(self.root, name)):
                    raise UsageError(f"{self.root}/{name} is a symbolic link")
            self._write(os.path.join(self.root, ".gitignore"), "*\n")
        except OSError as error:
            raise UsageError(f"results are kept in {self.root}: {error.strerror}") from None

    # ---- runs -------------------------------------------------------------------------------------------------------

    def new(self) -> str:
        """A name for a run; those of later runs come later in the alphabet, within a second too."""
        now = time.time_ns() // 1_000
        second = time.strftime("%Y%m%d-%H%M%S", time.localtime(now // 1_000_000))
        return f"{second}-{now % 1_000_000:05x}{secrets.token_hex(1)[0]}"

    def folder(self, run: str) -> str:
        """Where the files of a run are."""
        path = os.path.join(self.root, "runs", run)
        if not ID.fullmatch(run) or os.path.islink(path):
            raise KeyError(run)
        return path

    def save(self, record: Record) -> None:
        folder = self.folder(record["id"])
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self._write(os.path.join(folder, "record.json"), json.dumps(record))

    def records(self) -> Iterator[Record]:
        """The oldest first."""
        for run in sorted(os.listdir(os.path.join(self.root, "runs"))):
            if ID.fullmatch(run):
                with suppress(OSError, ValueError, KeyError):
                    record = _read(os.path.join(self.folder(run), "record.json"))
                    if record["id"] == run and all(isinstance(record[name], kind) for name, kind in FIELDS.items()):
                        yield record

    def files(self, run: str) -> list[str]:
        """The files that a run wrote."""
        with suppress(OSError):
            return [name for name in sorted(os.listdir(self.folder(run))) if name != "record.json"]
        return []

    def file(self, run: str, name: str) -> str:
        """The path of a file of a run. Raises KeyError for one that is not there."""
        path = os.path.join(self.folder(run), name)
        if not FILE.fullmatch(name) or os.path.islink(path) or not os.path.isfile(path):
            raise KeyError(name)
        return path

    def result(self, run: str) -> Record:
        """What ``--json`` says of a run. Raises KeyError where there is nothing."""
        try:
            return _read(self.file(run, "result.json"))
        except (OSError, ValueError):
            raise KeyError(run) from None

    def forget(self, run: str) -> None:
        folder = self.folder(run)
        for name in [*self.files(run), "record.json"]:
            with suppress(OSError):
                os.unlink(os.path.join(folder, name))
        with suppress(OSError):
            os.rmdir(folder)

    # ---- simulations ------------------------------------------------------------------------------------------------

    def save_simulation(self, simulation: Record) -> None:
        self._write(os.path.join(self.root, "simulations", f"{simulation['id']}.json"), json.dumps(simulation))

    def simulations(self) -> Iterator[Record]:
        for name in sorted(os.listdir(os.path.join(self.root, "simulations"))):
            if ID.fullmatch(name.removesuffix(".json")):
                with suppress(KeyError):
                    yield self.simulation(name.removesuffix(".json"))

    def simulation(self, number: str) -> Record:
        if not ID.fullmatch(number):
            raise KeyError(number)
        try:
            return _read(os.path.join(self.root, "simulations", f"{number}.json"))
        except (OSError, ValueError):
            raise KeyError(number) from None

    # ---- the address ------------------------------------------------------------------------------------------------

    def address(self) -> tuple[str, int]:
        """The token, and the port that was served last (0: any)."""
        known: Record = {}
        with suppress(OSError, ValueError):
            known = _read(os.path.join(self.root, "address.json"))
        token, port = known.get("token"), known.get("port")
        if not isinstance(token, str) or not re.fullmatch(r"[A-Za-z0-9_-]{32,64}", token):
            token = secrets.token_urlsafe(24)
        return token, port if isinstance(port, int) and 1024 <= port < 65536 else 0

    def save_address(self, token: str, port: int) -> None:
        self._write(os.path.join(self.root, "address.json"), json.dumps({"token": token, "port": port}))

    def _write(self, path: str, text: str) -> None:
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)


def _is_ours(folder: str) -> bool:
    """Made by this user, and for nobody else: what comes with a folder from elsewhere is rarely so."""
    seen = os.stat(folder)
    return seen.st_uid == os.getuid() and not seen.st_mode & 0o077


def _read(path: str) -> Record:
    """An object of JSON in a file that is no link. Raises OSError and ValueError."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8") as file:
        found = json.load(file)
    if not isinstance(found, dict):
        raise ValueError(f"{path}: no object")
    return found

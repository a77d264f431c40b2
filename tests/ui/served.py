"""A workbench that is served by the command itself, and a client that says exactly what it is told to say."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

PATIENCE = 60.0


class Served:
    """``argosy ui`` on a folder; ``stop`` and ``start`` may be called again."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self._options = options
        self._process: subprocess.Popen[str] | None = None
        self.address = ""
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "argosy", "ui", str(self.folder), "--no-browser", *self._options]
        # Not in the folder itself: nothing may depend on where it is started.
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=os.path.dirname(__file__))
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert " at http://127.0.0.1:" in line, line
        self.address = line.split(" at ")[1].split(" (")[0]
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                assert self.request("GET", self.path)[0] == 200
                return
            except ConnectionError:
                time.sleep(0.02)

    def stop(self) -> int:
        """Its exit code after Ctrl-C."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code

    @property
    def process(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    @property
    def path(self) -> str:
        """The address without the host: a slash, the token, a slash."""
        return urlsplit(self.address).path

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str | None] | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        """``None`` leaves a header out that there would be."""
        said: dict[str, str | None] = {"Host": self.host, **(headers or {})}
        if body is not None:
            said.setdefault("Content-Length", str(len(body)))
        connection = http.client.HTTPConnection("127.0.0.1", urlsplit(self.address).port or 0, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in said.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        connection.close()
        return found

    def asks(self, what: str, /, **parameters: str) -> dict[str, Any]:
        status, _, body = self.request("GET", f"{self.path}api/{what}?{urlencode(parameters)}")
        return {**json.loads(body), "status_code": status}

    def tells(self, name: str, content: Any, **headers: str | None) -> dict[str, Any]:
        said = {"Origin": f"http://{self.host}", "Content-Type": "application/json", **headers}
        status, _, body = self.request("POST", f"{self.path}api/{name}", json.dumps(content).encode(), said)
        try:
            return {**json.loads(body), "status_code": status}
        except ValueError:
            return {"error": body.decode(), "status_code": status}

    def ended(self, run: str) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while True:
            record = self.asks("run", id=run)
            if record["status"] not in ("queued", "running"):
                return record
            assert time.monotonic() < deadline, record
            time.sleep(0.05)

"""A real browser that is used over time: opened at an address, asked, clicked, photographed. It is driven by the
browser's own protocol through ``websockets``. What the page writes to its console and whom it asks is kept."""

from __future__ import annotations

import base64
import json
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.bench.browser import BROWSER

PATIENCE = 30.0


class Gone(Exception):
    """What was asked is not there, or not any more."""


class Browser:
    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._number = 0
        self._frames: list[str] = []
        self.console: list[str] = []
        self.requests: list[str] = []
        for name in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{name}.enable")
        self.send("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)

    def send(self, method: str, session: str | None = None, **parameters: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        self._connection.send(json.dumps(message))
        while True:
            heard = json.loads(self._connection.recv(timeout=PATIENCE))
            if heard.get("id") == message["id"]:
                if "error" in heard:
                    raise Gone(method, heard["error"])
                return heard["result"]
            self._hear(heard)

    def _hear(self, event: dict[str, Any]) -> None:
        told = event.get("params", {})
        match event.get("method"):
            case "Runtime.consoleAPICalled":
                self.console.append(str([each.get("value") for each in told["args"]]))
            case "Runtime.exceptionThrown":
                self.console.append(str(told["exceptionDetails"].get("exception", told["exceptionDetails"]))[:500])
            case "Log.entryAdded":
                self.console.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
            case "Network.requestWillBeSent":
                self.requests.append(told["request"]["url"])
            case "Target.attachedToTarget":
                session = told["sessionId"]
                self._frames.append(session)
                for name in ("Runtime", "Log", "Network"):
                    self._number += 1
                    enable = {"id": self._number, "sessionId": session, "method": f"{name}.enable"}
                    self._connection.send(json.dumps(enable))
            case "Target.detachedFromTarget":
                if told["sessionId"] in self._frames:
                    self._frames.remove(told["sessionId"])

    @property
    def frame(self) -> str:
        """The session of the frame that was opened last."""
        return self._frames[-1]

    def does(self, script: str, frame: bool = False) -> Any:
        """What the body of an asynchronous function returns; in the frame of the page that was opened last."""
        session = None
        if frame:
            self.until("true")
            session = self._frames[-1]
        expression = f"(async () => {{ {script} }})()"
        said = self.send("Runtime.evaluate", session, expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in said, (script, said["exceptionDetails"])
        return said["result"].get("value")

    def until(self, condition: str, frame: bool = False, seconds: float = PATIENCE) -> Any:
        """Wait until an expression is true, and return it."""
        deadline = time.monotonic() + seconds
        found: Any = None
        while True:
            if not frame or self._frames:
                # A page that is only being made has neither a root nor a context that lasts.
                with suppress(Gone):
                    found = self.does(f"try {{ return {condition}; }} catch (error) {{ return false; }}", frame)
                if found:
                    return found
            else:
                self.does("return 0;")
            assert time.monotonic() < deadline, (condition, self.does("return document.body.innerText.slice(0, 2000);"))
            time.sleep(0.05)

    def open(self, address: str) -> None:
        self.send("Page.navigate", url=address)
        wanted = json.dumps("#" + address.partition("#")[2] if "#" in address else "")
        self.until(f"document.documentElement?.dataset.ready && (!{wanted} || location.hash.startsWith({wanted}))")

    def go(self, place: str) -> None:
        """Another place of the same page, as soon as that is there."""
        self.until("document.documentElement !== null")
        script = f"if (location.hash !== {json.dumps(place)}) {{ delete document.documentElement.dataset.ready; }}"
        self.does(script + f" location.hash = {json.dumps(place)};")
        self.until(f"document.documentElement.dataset.ready === {json.dumps(place)}")

    def click(self, selector: str, frame: bool = False) -> None:
        self.until(f"document.querySelector({json.dumps(selector)}) !== null", frame)
        self.does(f"document.querySelector({json.dumps(selector)}).click();", frame)

    def text(self, selector: str, frame: bool = False) -> list[str]:
        script = f"return [...document.querySelectorAll({json.dumps(selector)})].map((each) => each.innerText);"
        found: list[str] = self.does(script, frame)
        return found

    def key(self, key: str) -> None:
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def size(self, width: int, height: int, dark: bool = False) -> None:
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", features=scheme)

    def photograph(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def browsing(profile: Path) -> Iterator[Browser]:
    from websockets.sync.client import connect

    assert BROWSER is not None
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
        "about:blank",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        told = profile / "DevToolsActivePort"
        deadline = time.monotonic() + PATIENCE
        while not (told.exists() and told.read_text().count("\n")):
            assert time.monotonic() < deadline and process.poll() is None, "the browser does not start"
            time.sleep(0.05)
        port = told.read_text().split("\n")[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=PATIENCE) as listed:
            pages = [each for each in json.load(listed) if each["type"] == "page"]
        with connect(pages[0]["webSocketDebuggerUrl"], max_size=None, proxy=None) as connection:
            yield Browser(connection)
    finally:
        process.kill()
        process.wait()

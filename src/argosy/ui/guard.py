"""Who may speak to the workbench: a browser on this machine that knows its address, and a page of the workbench itself.

Laws: a request whose ``Host`` is not this server's is refused (a name that was bound to the loopback address, "DNS
rebinding"); so is one whose ``Origin`` is another's, and one that writes and names none; without the token nothing is
said, not even what there is. Every answer has a content security policy that lets nothing in and nothing out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import unquote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

REPORT_POLICY = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""A report is a page of its own origin: it shows, and asks nobody."""

HEADERS: Mapping[str, str] = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

READING = ("GET", "HEAD")
LARGEST_BODY = 4_000_000


def view_key(token: str) -> str:
    """The first part of the addresses of stored pages: whoever knows one of them does not know the token."""
    return hmac.new(token.encode(), b"view", hashlib.sha256).hexdigest()[:32]


class Guard:
    """Answers what must not pass, and takes the token off the path of what may."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app = app
        self._keys = {token: "", view_key(token): "/view"}
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # no web sockets

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            status, words = refusal
            await PlainTextResponse(f"{words}\n", status)(scope, receive, safely)
            return
        await self._app(self._inner(scope), receive, safely)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self._hosts or len(headers.getlist("host")) != 1:
            return 421, "this server is asked by another name"
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return 403, "another page may not ask this server"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not self._views(scope):
            return 403, "another page may not ask this server"
        if self._part(scope) is None:
            return 404, "no such page: the address has a token, which argosy ui prints"
        if scope["method"] not in READING:
            if scope["method"] != "POST":
                return 405, "GET or POST"
            if origin is None or headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return 403, "only the page of the workbench writes"
            length = headers.get("content-length", "")
            if not length.isdigit() or int(length) > LARGEST_BODY:
                return 413, "too much"
        return None

    def _views(self, scope: Scope) -> bool:
        """A report in its frame has no origin that is ours."""
        return self._part(scope) == "/view"

    def _part(self, scope: Scope) -> str | None:
        first = str(scope["path"]).split("/")[1] if "/" in scope["path"] else ""
        for key, part in self._keys.items():
            if hmac.compare_digest(key.encode(), first.encode("utf-8", "surrogatepass")):
                return part
        return None

    def _inner(self, scope: Scope) -> Scope:
        path = str(scope["path"])
        rest = path[path.index("/", 1) :] if "/" in path[1:] else "/"
        part = self._part(scope)
        raw = unquote(rest)  # ``..`` in any spelling is a name like others, which no table holds
        return {**scope, "path": f"{part}{rest}", "raw_path": f"{part}{raw}".encode("utf-8", "surrogatepass")}

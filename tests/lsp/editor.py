"""An editor for the tests: pygls's own client, driving ``argosy lsp`` over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 60


class Editor:
    """Opens, edits and saves one file at a time, and keeps what the server said about each."""

    def __init__(self) -> None:
        self.client: Any = LanguageClient("argosy-tests", "1")
        self.said: dict[str, list[types.Diagnostic]] = {}
        self.progress: list[Any] = []
        self.token: str | int | None = None
        self._news = asyncio.Event()
        self._version = 0

        for method, heard in (
            (types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, self._diagnostics),
            (types.WINDOW_WORK_DONE_PROGRESS_CREATE, self._created),
            (types.PROGRESS, self._progress),
            (types.WORKSPACE_INLAY_HINT_REFRESH, self._ignored),
            (types.WINDOW_LOG_MESSAGE, self._ignored),
        ):
            self.client.feature(method)(partial(heard))

    def _diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        self.said[params.uri] = list(params.diagnostics)
        self._news.set()

    def _created(self, params: types.WorkDoneProgressCreateParams) -> None:
        self.token = params.token

    def _progress(self, params: types.ProgressParams) -> None:
        self.progress.append(params.value)
        self._news.set()

    def _ignored(self, params: object) -> None:
        pass

    async def start(self, *arguments: str) -> None:
        await self.client.start_io(sys.executable, "-m", "argosy", "lsp", *arguments)
        hints = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
        window = types.WindowClientCapabilities(work_done_progress=True)
        workspace = types.WorkspaceClientCapabilities(inlay_hint=hints)
        capabilities = types.ClientCapabilities(window=window, workspace=workspace)
        await self.client.initialize_async(types.InitializeParams(capabilities=capabilities))
        self.client.initialized(types.InitializedParams())

    async def leave(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), PATIENCE)

    @property
    def process(self) -> asyncio.subprocess.Process:
        process: asyncio.subprocess.Process = self.client._server
        return process

    def open(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        item = types.TextDocumentItem(uri=path.as_uri(), language_id="c", version=0, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))

    def save(self, path: Path) -> None:
        document = types.TextDocumentIdentifier(uri=path.as_uri())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(text_document=document))

    def edit(self, path: Path, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        self._version += 1
        document = types.VersionedTextDocumentIdentifier(uri=path.as_uri(), version=self._version)
        place = types.Range(types.Position(*start), types.Position(*end))
        change = types.TextDocumentContentChangePartial(range=place, text=text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def close(self, path: Path) -> None:
        document = types.TextDocumentIdentifier(uri=path.as_uri())
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=document))

    def cancel(self) -> None:
        """The button beside the progress."""
        assert self.token is not None
        self.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=self.token))

    async def command(self, name: str, path: Path) -> None:
        asked = types.ExecuteCommandParams(command=name, arguments=[path.as_uri()])
        await asyncio.wait_for(self.client.workspace_execute_command_async(asked), PATIENCE)

    async def hints(self, path: Path) -> list[types.InlayHint]:
        document = types.TextDocumentIdentifier(uri=path.as_uri())
        whole = types.Range(types.Position(0, 0), types.Position(10_000, 0))
        asked = types.InlayHintParams(text_document=document, range=whole)
        found = await asyncio.wait_for(self.client.text_document_inlay_hint_async(asked), PATIENCE)
        return list(found or ())

    async def until(self, seen: Callable[[], bool]) -> None:
        """Wait for news until something was seen."""
        async with asyncio.timeout(PATIENCE):
            while not seen():
                self._news.clear()
                await self._news.wait()

    async def verdict(self, path: Path) -> str | None:
        """Save, and wait for the end of the run: its last word."""
        before = len(self.progress)
        self.save(path)
        await self.until(lambda: "end" in self.stages()[before:])
        return str(self.progress[-1]["message"])

    def stages(self) -> list[str]:
        """Begin, report, ..., end, of all runs one after the other."""
        return [each["kind"] for each in self.progress]

    def about(self, path: Path) -> list[types.Diagnostic]:
        return self.said.get(path.as_uri(), [])

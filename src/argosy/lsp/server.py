"""The language server on pygls: verify on save, remarks as diagnostics, values and invariants as inlay hints.

One run at a time, the newest of each document; saving, closing and the cancel button of the progress end a run.
"""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from argosy.basics.version import VERSION
from argosy.lsp.edits import LineEdit
from argosy.lsp.findings import Remark, SideNote, Spot
from argosy.lsp.names import CANCEL, VERIFY
from argosy.lsp.runs import findings
from argosy.lsp.verified import Verified
from argosy.session.progress import Snapshot, describe
from argosy.session.task import Task
from argosy.session.warm import Warm

MakeTask = Callable[[str], Task]


class VerifyingServer(LanguageServer):
    """``make_task`` says how a file is to be verified, ``known`` whether its suffix is one that is read."""

    def __init__(self, make_task: MakeTask, known: Callable[[str], bool]) -> None:
        super().__init__("argosy", VERSION)
        self._make_task = make_task
        self.known = known
        self._runs: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()
        self.warm = Warm()
        self._verified: dict[str, Verified] = {}

    # ---- runs -------------------------------------------------------------------------------------------------------

    def start(self, uri: str) -> None:
        path = uris.to_fs_path(uri)
        if path is not None:
            self.stop(path)
            self._runs[path] = asyncio.get_running_loop().create_task(self._run(uri, path))

    def stop(self, path: str) -> None:
        run = self._runs.pop(path, None)
        if run is not None:
            run.cancel()

    async def stop_all(self) -> None:
        """The client leaves: whatever runs is ended, and is told the client while it still listens."""
        runs = list(self._runs.values())
        for path in list(self._runs):
            self.stop(path)
        await asyncio.gather(*runs, return_exceptions=True)

    async def _run(self, uri: str, path: str) -> None:
        async with self._turn:
            text = self.workspace.get_text_document(uri).source
            said, token = "cancelled", await self._begin(os.path.basename(path))
            try:
                work = asyncio.ensure_future(
                    findings(
                        lambda: self._make_task(path), path, lambda snapshot: self._tell(token, snapshot), self.warm
                    )
                )
                self._on_cancel(token, work)
                said, remarks, notes = await work
                self._show(uri, Verified(path, text, remarks, notes))
            except asyncio.CancelledError:
                self.window_log_message(types.LogMessageParams(types.MessageType.Info, f"{path}: cancelled"))
            finally:
                self._end(token, said)

    # ---- progress ---------------------------------------------------------------------------------------------------

    async def _begin(self, name: str) -> str | None:
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            return None
        token = str(uuid.uuid4())
        await self.work_done_progress.create_async(token)
        begin = types.WorkDoneProgressBegin(title=f"Verifying {name}", cancellable=True)
        self.work_done_progress.begin(token, begin)
        return token

    def _on_cancel(self, token: str | None, work: asyncio.Future[Any]) -> None:
        if token is not None:
            asked = self.work_done_progress.tokens[token]
            asked.add_done_callback(lambda future: work.cancel() if future.cancelled() else None)

    def _tell(self, token: str | None, snapshot: Snapshot) -> None:
        if token in self.work_done_progress.tokens:
            message = f"{snapshot.phase}  {describe(snapshot)}"
            self.work_done_progress.report(token, types.WorkDoneProgressReport(message=message))

    def _end(self, token: str | None, said: str) -> None:
        if token is not None:
            self.work_done_progress.end(token, types.WorkDoneProgressEnd(message=said))
            del self.work_done_progress.tokens[token]

    # ---- what is shown ----------------------------------------------------------------------------------------------

    def _show(self, uri: str, verified: Verified) -> None:
        before = self._verified.get(verified.path)
        if self.workspace.get_text_document(uri).source != verified.text:
            verified.edited(verified.path, "", [])
        self._verified[verified.path] = verified
        for file in dict.fromkeys([*(before.files if before else ()), *verified.files]):
            self._publish(file)
        self._refresh()

    def edited(self, uri: str, changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        path = uris.to_fs_path(uri) or ""
        for verified in self._verified.values():
            if verified.says_of(path):
                verified.edited(path, self.workspace.get_text_document(uri).source, [_edit(each) for each in changes])
                for file in verified.files:
                    self._publish(file)
                self._refresh()

    def closed(self, uri: str) -> None:
        path = uris.to_fs_path(uri) or ""
        self.stop(path)
        verified = self._verified.pop(path, None)
        for file in verified.files if verified else ():
            self._publish(file)

    def _publish(self, file: str) -> None:
        remarks = [remark for verified in self._verified.values() for remark in verified.remarks(file)]
        diagnostics = [self._diagnostic(remark) for remark in remarks]
        uri = uris.from_fs_path(os.path.abspath(file)) or ""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics))

    def _refresh(self) -> None:
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def _diagnostic(self, remark: Remark) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(self._location(spot), f"{number}. {text}")
            for number, (spot, text) in enumerate(remark.trace, 1)
        ]
        return types.Diagnostic(
            range=self._range(remark.spot),
            message=remark.text,
            severity=types.DiagnosticSeverity(remark.weight),
            code=remark.rule or None,
            source="argosy",
            tags=[types.DiagnosticTag.Unnecessary] if remark.stale else None,
            related_information=related or None,
        )

    def _location(self, spot: Spot) -> types.Location:
        return types.Location(uri=uris.from_fs_path(os.path.abspath(spot.file)) or "", range=self._range(spot))

    def _range(self, spot: Spot) -> types.Range:
        """From the column to the end of the line, in the units of the client."""
        lines = self._lines(spot.file)
        line = max(spot.line - 1, 0)
        text = lines[line].rstrip("\r\n") if line < len(lines) else ""
        begin = min(max(spot.column - 1, len(text) - len(text.lstrip())), len(text))
        units = self.workspace.position_codec.client_num_units
        return types.Range(types.Position(line, units(text[:begin])), types.Position(line, units(text)))

    def _lines(self, file: str) -> Sequence[str]:
        return self.workspace.get_text_document(uris.from_fs_path(os.path.abspath(file)) or "").lines

    def hints(self, uri: str, asked: types.Range) -> list[types.InlayHint]:
        path = uris.to_fs_path(uri) or ""
        notes = [note for verified in self._verified.values() for note in verified.notes(path)]
        return [self._hint(note) for note in notes if asked.start.line <= note.spot.line - 1 <= asked.end.line]

    def _hint(self, note: SideNote) -> types.InlayHint:
        end = self._range(note.spot).end
        return types.InlayHint(position=end, label=note.text, tooltip=note.whole, padding_left=True)


def _edit(change: types.TextDocumentContentChangeEvent) -> LineEdit:
    """A change of the whole text tells nothing about lines."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return LineEdit(1, 0, 0)
    first, end = change.range.start.line + 1, change.range.end
    return LineEdit(first, end.line + (end.character > 0), change.text.count("\n") - (end.line + 1 - first))


def serve(make_task: MakeTask, known: Callable[[str], bool], source: BinaryIO, sink: BinaryIO) -> None:
    """Serve until the client leaves, or is gone."""
    server = VerifyingServer(make_task, known)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def _(params: types.DidSaveTextDocumentParams) -> None:
        if server.known(uris.to_fs_path(params.text_document.uri) or ""):
            server.start(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def _(params: types.DidChangeTextDocumentParams) -> None:
        server.edited(params.text_document.uri, params.content_changes)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: types.InlayHintParams) -> list[types.InlayHint]:
        return server.hints(params.text_document.uri, params.range)

    @server.feature(types.SHUTDOWN)
    async def _(params: None) -> None:
        await server.stop_all()

    @server.command(VERIFY)
    def _(uri: str) -> None:
        server.start(uri)

    @server.command(CANCEL)
    def _(uri: str) -> None:
        server.stop(uris.to_fs_path(uri) or "")

    try:
        server.start_io(source, sink)
    finally:
        server.warm.close()

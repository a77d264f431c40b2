"""What is known of a document since it was verified, and how old that is."""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.records import replace
from argosy.lsp.edits import LineEdit, line_after
from argosy.lsp.findings import Remark, SideNote, Spot, Weight


class Verified:
    """The findings of one run. ``text`` is what was verified; what is said after an edit is *stale*: it is said of that
    text, at the lines where that text stands now, until the edit is undone or the next run is over."""

    def __init__(self, path: str, text: str, remarks: list[Remark], notes: list[SideNote]) -> None:
        self.path = path
        self.text = text
        self._remarks = remarks
        self._notes = notes
        self._edits: dict[str, list[LineEdit]] = {}

    @property
    def stale(self) -> bool:
        return bool(self._edits)

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys([self.path, *(remark.spot.file for remark in self._remarks)]))

    def says_of(self, path: str) -> bool:
        return path in self.files or any(note.spot.file == path for note in self._notes)

    def edited(self, path: str, text: str, edits: list[LineEdit]) -> None:
        """A file was edited and is now ``text``."""
        self._edits.setdefault(path, []).extend(edits)
        if path == self.path and text == self.text:
            del self._edits[path]

    def remarks(self, path: str) -> Iterator[Remark]:
        for remark in self._remarks:
            spot = self._now(remark.spot)
            if remark.spot.file == path and spot is not None:
                steps = ((self._now(step), text) for step, text in remark.trace)
                trace = [(step, text) for step, text in steps if step is not None]
                if self.stale:
                    text = f"(stale, edited since) {remark.text}"
                    yield replace(remark, spot=spot, trace=trace, text=text, weight=Weight.INFORMATION, stale=True)
                else:
                    yield remark

    def notes(self, path: str) -> Iterator[SideNote]:
        for note in self._notes:
            spot = self._now(note.spot)
            if note.spot.file == path and spot is not None:
                yield replace(note, spot=spot, text=f"(stale) {note.text}") if self.stale else note

    def _now(self, spot: Spot) -> Spot | None:
        line = line_after(spot.line, self._edits.get(spot.file, ()))
        return None if line is None else replace(spot, line=line)

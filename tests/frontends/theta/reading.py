"""Short models for tests, and what they come out as."""

from __future__ import annotations

from pathlib import Path

import argosy
from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.registry import BY_NAME, Request

LIMIT = 20


def automaton(body: str, declared: str = "var x : int var y : int var b : bool") -> str:
    """A process whose edge from A to E does what ``body`` says."""
    return f"main process p {{ {declared} init loc A error loc E A -> E {{ {body} }} }}"


def verdict(folder: Path, language: str, text: str, property: str | None = None) -> str:
    """The certified answer; with what was wrong where there is none."""
    path = folder / f"m.{language}"
    path.write_text(text)
    options = {} if property is None else {"property": property}
    result = argosy.verify(path, time_limit=LIMIT, in_process=True, **options)  # type: ignore[arg-type]
    return result.verdict if result.certified else f"{result.verdict}: {result.reason}"


def reached(folder: Path, body: str, declared: str = "var x : int var y : int var b : bool") -> bool:
    """Whether the statements can be executed to their end."""
    found = verdict(folder, "cfa", automaton(body, declared))
    assert found in ("safe", "unsafe"), found
    return found == "unsafe"


def complaint(language: str, text: str, refusal: type[InputError | UnsupportedError] = InputError) -> str:
    """The message for a text that is not read; the file is called m."""
    try:
        BY_NAME[language].load(Request("m", text=text))
    except refusal as error:
        return str(error)
    raise AssertionError("it was read")

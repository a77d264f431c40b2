"""Annotations of GitHub's workflows: ``::error file=...,line=...::message`` on standard output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from argosy.report.headline import given, headline, inputs
from argosy.report.result import UNKNOWN, UNSAFE, Result


def lines(results: Sequence[Result]) -> str:
    return "\n".join(line for result in results for line in _of(result))


def _of(result: Result) -> Iterator[str]:
    for answer in result.answers:
        if answer["verdict"] == UNSAFE and answer.get("violation") is not None:
            told = [given(step) for step in inputs(answer["counterexample"])]
            yield _command("error", answer["violation"], result, "\n".join([headline(answer) or "", *told]))
        elif answer["verdict"] == UNSAFE:
            # The states of an E<> are reached, which is what was hoped for.
            level, said = "notice" if answer["satisfied"] else "error", answer["words"] or "violated"
            yield _command(level, answer, result, f"{answer['text']}: {said}")
    if result.verdict == UNKNOWN:
        yield _command("warning", {}, result, f"no verdict: {result.reason}")


def _command(level: str, place: Mapping[str, Any], result: Result, message: str) -> str:
    properties = {"file": place.get("file") or result.input}
    for name, key in (("line", "line"), ("col", "column")):
        if place.get(key):
            properties[name] = str(place[key])
    properties["title"] = f"argosy: {result.property}"
    written = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in properties.items())
    return f"::{level} {written}::{_escaped(message, '')}"


def _escaped(text: str, also: str) -> str:
    for sign in "%\r\n" + also:
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text

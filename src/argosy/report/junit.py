"""Answers as test cases of JUnit's XML, which CI servers show: a violation is a failure, no verdict is an error."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from argosy.report.console import Paint, execution
from argosy.report.headline import headline
from argosy.report.result import UNKNOWN, UNSAFE, Result

# What XML 1.0 cannot say, not even as a reference.
_UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(results: Sequence[Result]) -> str:
    root = ElementTree.Element("testsuites", name="argosy")
    for result in results:
        suite = ElementTree.SubElement(root, "testsuite", name=_said(result.input))
        whole = {"text": result.property, "verdict": result.verdict, "reason": result.reason}
        for answer in result.answers or (whole,):
            seconds = f"{result.statistics['wall_s'] / max(len(result.answers), 1):.3f}"
            name = f"{answer['text']}:{answer['line']}" if answer.get("line") else answer["text"]
            case = ElementTree.SubElement(
                suite, "testcase", classname=_said(result.input), name=_said(str(name)), time=seconds
            )
            if answer["verdict"] == UNSAFE:
                what = headline(answer) or f"{answer['text']}: violated"
                failure = ElementTree.SubElement(case, "failure", message=_said(what), type=result.property)
                failure.text = _said("\n".join(execution(answer, Paint(), 1)))
            elif answer["verdict"] == UNKNOWN:
                ElementTree.SubElement(case, "error", message=_said(answer["reason"] or ""), type="unknown")
        cases = suite.findall("testcase")
        suite.set("tests", str(len(cases)))
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        suite.set("errors", str(len(suite.findall("testcase/error"))))
        suite.set("time", f"{result.statistics['wall_s']:.3f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _said(text: str) -> str:
    return _UNSPEAKABLE.sub("\ufffd", text)

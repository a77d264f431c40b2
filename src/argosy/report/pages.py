"""A page is a skeleton, the shared style, data as JSON and a script that draws them, all in one file.

The page asks nobody for anything: its content security policy forbids every request, so that it shows the same from a
mail, a CI artefact or a disk. Law: whatever stands in the data, no part of it is read as markup.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import Any

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

_STILL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
"""

_PAGE = (
    _HEAD
    + """{skeleton}
<script id="data" type="application/json">{data}</script>
<script>
{script}
</script>
</body>
</html>
"""
)

_STILL = _HEAD + "{body}\n</body>\n</html>\n"


def assemble(name: str, title: str, content: Any) -> str:
    """The page ``name`` (``name.html``, ``name.js``, after the shared ``style.css`` and ``shared.js``)."""
    # A JSON text without '<' cannot end the element that holds it, nor begin a comment.
    data = json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
    return _PAGE.format(
        policy=_POLICY,
        title=escape(title),
        style=_part("style.css") + _part(f"{name}.css"),
        skeleton=_part(f"{name}.html"),
        data=data,
        script=_part("shared.js") + _part(f"{name}.js"),
    )


def still(title: str, style: str, body: str) -> str:
    """A page without a script. ``body`` is markup, made by a caller who has escaped what is not."""
    return _STILL.format(policy=_STILL_POLICY, title=escape(title), style=_part("style.css") + style, body=body)


def _part(name: str) -> str:
    return files("argosy.report").joinpath(name).read_text(encoding="utf-8")

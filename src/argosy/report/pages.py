"""A page is a skeleton, styles, data as JSON and scripts that draw them, all in one file.

The page asks nobody for anything: its content security policy forbids every request, so that it shows the same from a
mail, a CI artefact or a disk. Law: whatever stands in the data, no part of it is read as markup.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

_PAGE = """<!DOCTYPE html>
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
{skeleton}
<script id="data" type="application/json">{data}</script>
<script>
{script}
</script>
</body>
</html>
"""

_BODY = "<!-- body -->"


def assemble(names: Sequence[str], title: str, content: Any, body: str = "") -> str:
    """The page of these parts (``name.html``, ``name.css``, ``name.js`` as far as there are any), after what all pages
    share. Each skeleton says where the next one goes, the last one where ``body`` goes: markup, made by a caller who
    has escaped what is not."""
    # A JSON text without '<' cannot end the element that holds it, nor begin a comment.
    data = json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
    skeleton = _BODY
    for name in names:
        skeleton = skeleton.replace(_BODY, _part(f"{name}.html") or _BODY)
    return _PAGE.format(
        policy=_POLICY,
        title=escape(title),
        style="".join(_part(f"{name}.css") for name in ("style", *names)),
        skeleton=skeleton.replace(_BODY, body),
        data=data,
        script="".join(_part(f"{name}.js") for name in ("shared", *names)),
    )


def _part(name: str) -> str:
    part = files("argosy.report").joinpath(name)
    return part.read_text(encoding="utf-8") if part.is_file() else ""

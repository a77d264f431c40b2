"""A real browser without a window: opens a page, lets a script use it, and returns what the script saw."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next((path for path in map(shutil.which, BROWSERS) if path is not None), None)

needs_browser = pytest.mark.skipif(BROWSER is None, reason=f"no browser is installed (one of {', '.join(BROWSERS)})")

SCRIPTS = Path(__file__).parent / "scripts"


def script(name: str) -> str:
    return (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")


def use(page: str, does: str, folder: Path, *, dark: bool = False) -> Any:
    """What the script ``does`` returns; it may call ``text(selector)``,
    ``click(selector)`` and ``choose(id, value)``."""
    assert BROWSER is not None
    harness = script("harness").replace("SCRIPT", does)
    path = folder / "page.html"
    path.write_text(page.replace("</body>", f"<script>\n{harness}</script>\n</body>"), encoding="utf-8")
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={folder / 'profile'}",
        "--window-size=1280,1600",
        "--virtual-time-budget=5000",
        "--enable-logging=stderr",
        *(["--blink-settings=preferredColorScheme=0"] if dark else []),
        "--dump-dom",
        path.as_uri(),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "CONSOLE" not in ran.stderr, ran.stderr[-2000:]
    found = re.search(r'<pre id="seen">([^<]*)</pre>', ran.stdout)
    assert found is not None, ran.stderr[-2000:]
    seen = json.loads(base64.b64decode(found[1]))
    assert seen["error"] is None and seen["problems"] == [] and seen["ready"] == "yes", seen
    return seen["answer"]

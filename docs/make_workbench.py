"""Takes the pictures of docs/workbench.md in a real browser, from real runs: ``make picture``.

Needs the extras ``ui`` and ``dev`` and a chromium.
"""

from __future__ import annotations

import base64
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.ui.browser import Browser, browsing  # noqa: E402
from tests.ui.served import Served  # noqa: E402

IMAGES = ROOT / "docs" / "images"
VERDICT = "document.querySelector('.questions td.verdict .pill.{}') !== null"


def keep(browser: Browser, name: str) -> None:
    time.sleep(0.6)
    shot = browser.send("Page.captureScreenshot", format="webp", quality=80)["data"]
    (IMAGES / f"workbench-{name}.webp").write_bytes(base64.b64decode(shot))


def asked(browser: Browser, name: str, verdict: str, strategy: str = "auto") -> None:
    browser.go(f"#/file/{name}")
    browser.does(f"document.getElementById('strategy').value = '{strategy}';")
    browser.click(".questions td:last-child button")
    browser.until("bench.live.length > 0")
    browser.until("bench.live.length === 0", seconds=90)
    browser.until(VERDICT.format(verdict))


def take(browser: Browser) -> None:
    browser.size(1280, 860)
    asked(browser, "c/overdraft.c", "unsafe")
    asked(browser, "c/two_counters.c", "safe")
    asked(browser, "c/two_counters.c", "safe", "lbe")
    asked(browser, "c/lock.c", "safe")
    browser.go("#/file/c/overdraft.c")
    keep(browser, "ask")
    browser.click(".questions td.verdict a")
    browser.until("document.documentElement.dataset.ready === 'yes'", frame=True)
    browser.does("document.getElementById('source-card')?.scrollIntoView();", frame=True)
    keep(browser, "report")

    # The abstract reachability graph of a proof, at a node that is covered.
    browser.go("#/file/c/two_counters.c?tab=runs")
    run = browser.does("return document.querySelector('#runs tbody tr').dataset.run;")
    browser.go(f"#/run/{run}?at=node%3D12")
    browser.until("document.querySelector('#reached h3') !== null", frame=True)
    keep(browser, "graph")

    browser.go("#/file/armc/ticket4.armc")
    browser.does("document.getElementById('strategy').value = 'lbe';")
    browser.click(".questions td:last-child button")
    browser.click("#live a")
    browser.until("document.querySelector('#learned li:nth-child(3)') !== null", seconds=60)
    keep(browser, "running")
    browser.key("s")

    browser.go("#/file/c/two_counters.c?tab=runs")
    for box in (1, 2):
        browser.click(f"tbody tr:nth-child({box}) input")
    browser.click("#compare")
    browser.until("document.querySelector('#bars') !== null")
    keep(browser, "compare")

    asked(browser, "ta/fischer_bug.xml", "unsafe")
    browser.key("o")
    browser.click("#leave")
    browser.until("document.querySelector('#offers') !== null")
    browser.key("k")
    keep(browser, "network")
    browser.size(1280, 860, dark=True)
    browser.go("#/file/plc/door.st?tab=simulate")
    browser.click("#new")
    browser.click("#inputs input")
    browser.click("#step")
    browser.until("document.querySelector('#where').innerText === 'step 1 of 1'")
    browser.click("#play")
    browser.until("document.querySelector('#where').innerText === 'step 11 of 11'")
    browser.click("#waves")
    keep(browser, "controller")
    browser.size(1280, 860)
    browser.go("#/")
    keep(browser, "folder")
    browser.size(390, 844)
    browser.go("#/file/ta/train_gate.xta")
    browser.key("a")
    browser.until(VERDICT.format("safe"))
    keep(browser, "small")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "examples"
        shutil.copytree(ROOT / "examples", folder)
        served = Served(folder)
        try:
            with browsing(Path(name) / "profile") as browser:
                browser.open(served.address)
                take(browser)
                assert browser.console == [], browser.console
        finally:
            served.stop()


if __name__ == "__main__":
    main()

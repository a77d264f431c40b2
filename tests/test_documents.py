"""The documentation says what is so: its commands exist, its tables are up to date, its links lead somewhere."""

from __future__ import annotations
import __future__

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from argosy.cli.main import COMMANDS, _parse
from argosy.cli.verify import task_of
from argosy.frontends.c.library import Role
from tests.documents import ENDINGS, PAGES, ROOT, commands, furnish, run

sys.path.insert(0, str(ROOT / "docs"))
import make_library

sys.path.remove(str(ROOT / "docs"))

# Enough to see that what is printed is run as printed; `python -m tests.documents` runs all.
SAMPLE = re.compile(r"argosy (show|convert|simulate|formats)|examples/ta/alarm|--format c")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    furnish(folder)
    return folder


@pytest.mark.parametrize("command", commands())
def test_what_is_printed_can_be_typed(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands, options and their values exist, and go together for such an input."""
    monkeypatch.chdir(folder)
    words = shlex.split(re.sub(r"[<>]\s*[\w.]+(\s|$)", "", command) if re.search(r"\s[<>]\s", command) else command)[1:]
    options = _parse(words)
    assert options.command in COMMANDS
    if options.command == "verify":
        for path in options.input:
            for each in [str(file) for file in folder.glob(path)] or [path]:
                task_of(options, each)


@pytest.mark.parametrize("command", [command for command in commands() if SAMPLE.search(command)])
def test_what_is_printed_runs(command: str, folder: Path) -> None:
    ran = run(command, folder)
    assert ran.returncode in ENDINGS, ran.stderr
    assert "Traceback" not in ran.stderr


PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
# Entries of tables, as they would stand among their neighbours.
NEIGHBOURS = ("argosy.options.programs", "argosy.strategies.table")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if PYTHON.search(page.read_text())], ids=lambda page: page.name
)
def test_python_that_is_printed_runs(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for number, block in enumerate(PYTHON.findall(page.read_text(encoding="utf-8"))):
        around = NEIGHBOURS[number] if page.name == "extending.md" else "__future__"
        known = {**vars(import_module(around)), "__name__": "argosy.printed"}
        exec(compile(block, str(page), "exec", flags=__future__.annotations.compiler_flag), known)


def test_the_reference_of_the_c_library_is_up_to_date() -> None:
    assert make_library.PAGE.read_text(encoding="utf-8").rstrip() == make_library.page().rstrip(), (
        "python docs/make_library.py"
    )
    own = {Role.CHOICE, Role.EXTERNAL, Role.BOUND}
    assert own == set(Role) - set(make_library.SECTIONS), "two have words of their own, one is that of models"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def build(root: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """Not with ``--quiet``: what is not said is not counted as a warning either, and nothing fails."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    return subprocess.run(command, cwd=root, env={**os.environ, "CI": "true"}, capture_output=True, text=True)


needs_mkdocs = pytest.mark.skipif(find_spec("mkdocs") is None, reason="make .venv/installed-docs installs mkdocs")


@needs_mkdocs
def test_a_link_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    """Within the pages, to a heading, and out of them: without the repository around them, all of those."""
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    with (tmp_path / "docs" / "limits.md").open("a") as page:
        page.write("[a](nothing.md) [b](c.md#nowhere)\n")
    said = build(tmp_path, tmp_path / "site")
    assert said.returncode == 1
    for what in ("nothing.md", "nowhere", "there is no ../src/argosy"):
        assert what in said.stderr, said.stderr


@needs_mkdocs
def test_the_site_is_built_strictly_and_asks_nobody(tmp_path: Path) -> None:
    built = build(ROOT, tmp_path / "site")
    assert built.returncode == 0, built.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|img|iframe)[^>]*src="?https?:', text)
        assert not re.findall(r'<link[^>]*rel="?(?:stylesheet|preconnect|icon)"?[^>]*href="?https?:', text)


def test_papers_are_named_and_not_numbered() -> None:
    key = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    names = set(re.findall(r"^\| \[(\w+)\] \|", key, re.MULTILINE))
    assert names == {"Theta", "ABE", "Subsumer", "Directed", "Cells"}
    sources = [path for part in ("src", "docs", "experiments") for path in (ROOT / part).rglob("*.[pm][yd]")]
    numbered = [path.name for path in sources if re.search(r"\b[Pp]apers? 00\d", path.read_text(encoding="utf-8"))]
    assert not numbered

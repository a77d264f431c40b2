"""The extension for Visual Studio Code: it says what it does, and vsce packs it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from argosy.basics.version import VERSION
from argosy.frontends.registry import SUFFIXES
from argosy.lsp.names import CANCEL, VERIFY

FOLDER = Path(__file__).parent.parent.parent / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text())
SCRIPT = (FOLDER / "extension.js").read_text()


def test_what_the_manifest_promises_is_in_the_script() -> None:
    promised = MANIFEST["contributes"]
    assert set(re.findall(r'registerCommand\("([\w.]+)"', SCRIPT)) == {each["command"] for each in promised["commands"]}
    read = {f"argosy.{name}" for name in re.findall(r'\.get\("(\w+)"\)', SCRIPT)}
    assert read == set(promised["configuration"]["properties"])
    assert set(re.findall(r'send\("([\w.]+)"\)', SCRIPT)) == {VERIFY, CANCEL}


def test_the_manifest_agrees_with_the_package() -> None:
    assert MANIFEST["version"] == VERSION
    assert set(MANIFEST["contributes"]["configuration"]["properties"]["argosy.suffixes"]["default"]) <= set(SUFFIXES)
    assert (FOLDER / "LICENSE").read_text() == (FOLDER.parent.parent / "LICENSE").read_text()


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_the_script_starts_the_server_and_hands_it_what_is_to_be_verified() -> None:
    """In a stand-in for the editor."""
    host = [str(Path(__file__).parent / "host.js"), str(FOLDER / "extension.js")]
    ran = subprocess.run(["node", *host], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout)
    assert said["started"] == [{"command": "argosy", "args": ["lsp", "--time-limit", "20"]}] * 2
    assert said["saved"] == ["/w/b.c", "a.c"], "files of a known suffix while that is asked for, and by the command"
    assert said["requests"] == [["workspace/executeCommand", name, ["file:///w/a.c"]] for name in (VERIFY, CANCEL)]
    assert said["stopped"] == 2 and "pip install" in said["error"]


@pytest.mark.skipif(not (FOLDER / "node_modules" / ".bin" / "vsce").exists(), reason="make editors/vscode/node_modules")
def test_vsce_packs_it(tmp_path: Path) -> None:
    package = tmp_path / "argosy.vsix"
    command = ["npm", "run", "--silent", "package", "--", "--out", str(package)]
    ran = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    names = set(zipfile.ZipFile(package).namelist())
    for name in ("extension.js", "package.json", "LICENSE.txt", "node_modules/vscode-languageclient/node.js"):
        assert f"extension/{name}" in names
    assert not any("vsce" in name for name in names), "what packs it is not packed"

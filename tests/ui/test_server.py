"""The server of the workbench: who may ask, what is never read, what a run leaves behind, what a restart finds."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from argosy.basics.errors import UsageError
from argosy.session.task import Task
from argosy.ui.folder import Folder, OutsideFolder
from argosy.ui.store import ID, KeptRuns
from tests.ui.served import Served

pytestmark = pytest.mark.skipif(
    find_spec("starlette") is None or find_spec("uvicorn") is None, reason="the extra ui is not installed"
)

PROGRAM = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 7) reach_error();
  return 0;
}
"""
# Both numbers are what some words give: no property of squares or cubes decides it.
BOMB = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n" + (
    "int main(void) { unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();\n"
    "  unsigned i = 0; while (i < 100000) {\n"
    "    a = (a ^ (b >> 7)) * 0x9E3779B1u; b = (b + (a >> 11)) * 0x85EBCA6Bu + i; i++; }\n"
    "  if (a == 77u && b == 17u) reach_error(); return 0; }\n"
)
HOSTILE = '<img src=x onerror="alert(1)">&.c'
SECRET = "nobody outside may read this"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    outside = tmp_path_factory.mktemp("outside")
    folder = outside / "work"
    folder.mkdir()
    (outside / "secret.c").write_text(f"// {SECRET}\n{PROGRAM}")
    (folder / "p.c").write_text(PROGRAM)
    (folder / HOSTILE).write_text(PROGRAM)
    (folder / "bomb.c").write_text(BOMB)
    (folder / "link.c").symlink_to(outside / "secret.c")
    (folder / "above").symlink_to(outside, target_is_directory=True)
    (folder / "includes.c").write_text('#include "../secret.c"\n')
    (folder / "broken.xta").write_text("process P( { state a; }")
    (folder / "task.yml").write_text("format_version: '2.0'\ninput_files: ../secret.c\nproperties: []\n")
    (folder / "two.btor2").write_text(
        "1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 next 1 3 -3\n6 bad 3\n7 bad 2\n"
    )
    (folder / "argosy.toml").write_text("execute = true\n")
    served = Served(folder)
    try:
        yield served
    finally:
        assert served.stop() == 0


# ---- who may ask ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/api/folder", "/wrong-token/", "/wrong-token/api/folder", "//", "/%00/"])
def test_without_the_token_nothing_is_said(served: Served, path: str) -> None:
    status, _, body = served.request("GET", path)
    assert status == 404 and b"p.c" not in body


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80", "", None])
def test_another_name_is_refused(served: Served, host: str | None) -> None:
    """A name that somebody has bound to the loopback address."""
    assert served.request("GET", f"{served.path}api/folder", headers={"Host": host})[0] in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_another_page_is_refused(served: Served, origin: str) -> None:
    assert served.request("GET", f"{served.path}api/folder", headers={"Origin": origin})[0] == 403
    asked = {"file": "p.c", "question": "unreach-call"}
    assert served.tells("ask", asked, Origin=origin)["status_code"] == 403


def test_only_the_page_itself_writes(served: Served) -> None:
    asked = {"file": "p.c", "question": "unreach-call"}
    assert served.tells("ask", asked, Origin=None)["status_code"] == 403
    assert served.tells("ask", asked, **{"Content-Type": "text/plain"})["status_code"] == 403
    assert served.request("GET", f"{served.path}api/ask")[0] == 405
    assert served.request("DELETE", f"{served.path}api/folder")[0] == 405
    crossing = {"Sec-Fetch-Site": "cross-site"}
    assert served.request("GET", f"{served.path}api/folder", headers=crossing)[0] == 403


def test_every_answer_has_a_strict_policy(served: Served) -> None:
    for path in (served.path, f"{served.path}static/workbench.js", f"{served.path}api/folder", "/"):
        _, headers, _ = served.request("GET", path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


def test_the_page_has_no_script_of_its_own_and_asks_nobody(served: Served) -> None:
    _, _, page = served.request("GET", served.path)
    assert (
        not re.search(rb"<script(?![^>]*(src|application/json))", page) and b"://" not in page and b"style=" not in page
    )
    for name in re.findall(rb'(?:src|href)="(static/[^"]+)"', page):
        assert served.request("GET", f"{served.path}{name.decode()}")[0] == 200


# ---- what is never read ---------------------------------------------------------------------------------------------

OUTSIDE = [
    "../secret.c",
    "above/secret.c",
    "link.c",
    "/etc/passwd",
    "a/../../secret.c",
    ".argosy/address.json",
    "",
    ".",
]


@pytest.mark.parametrize("name", [*OUTSIDE, "p.c/", "p.c\0", "./p.c", "x" * 5000])
def test_no_file_outside_is_read(served: Served, name: str) -> None:
    for what in ("file", "source"):
        said = served.asks(what, name=name)
        assert said["status_code"] == 404 and SECRET not in json.dumps(said)
    assert served.tells("ask", {"file": name, "question": "unreach-call"})["status_code"] in (400, 404)


@pytest.mark.parametrize(
    "rest", ["static/../server.py", "static/%2e%2e/server.py", "static/server.py", "static/..%2fguard.py"]
)
def test_no_file_of_the_package_is_read(served: Served, rest: str) -> None:
    status, _, body = served.request("GET", f"{served.path}{rest}")
    assert status == 404 and b"import" not in body


@pytest.mark.parametrize("name", ["includes.c", "task.yml"])
def test_what_reads_files_outside_is_not_asked_about(served: Served, name: str) -> None:
    assert served.asks("file", name=name)["status_code"] == 404
    assert served.tells("ask", {"file": name, "question": "", "time_limit": 5})["status_code"] == 404


def test_links_that_lead_out_are_not_listed(served: Served) -> None:
    names = [file["name"] for file in served.asks("folder")["files"]]
    assert "p.c" in names and HOSTILE in names and not {"link.c", "above/secret.c"} & set(names)


def test_names_of_stored_files_are_names(served: Served) -> None:
    views = served.asks("folder")["views"]
    for rest in (
        "x/report.html",
        "../address.json",
        "..%2faddress.json",
        "20260101-000000-abcdef/..%2f..%2faddress.json",
    ):
        status, _, body = served.request("GET", f"/{views}/{rest}")
        assert status == 404 and b"token" not in body
    # Who knows the key of the stored pages does not know the token.
    assert served.request("GET", f"/{views}/")[0] == 404 and served.request("GET", f"/{views}/api/folder")[0] == 404


def test_a_folder_names_only_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "p.c").write_text("")
    (tmp_path / "inner" / "same.c").symlink_to("p.c")
    (tmp_path / "q.c").write_text("")
    folder = Folder(str(tmp_path / "inner"))
    assert folder.path("same.c") == str(tmp_path / "inner" / "p.c")
    for name in ("../q.c", "inner", ".", "q.c"):
        with pytest.raises(OutsideFolder):
            folder.path(name)


LISTENING = re.compile(r"^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A ", re.MULTILINE)


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="no /proc/net/tcp")
def test_only_the_loopback_address_is_listened_on(served: Served) -> None:
    port = int(served.host.partition(":")[2])
    found = [
        address
        for name in ("tcp", "tcp6")
        for address, number in LISTENING.findall(Path("/proc/net", name).read_text())
        if int(number, 16) == port
    ]
    assert found == ["0100007F"]


SETTINGS = ['link = "../secret.c"', 'include = ".."', 'library = "../secret.c"', 'property = "../secret.prp"']


@pytest.mark.parametrize("line", SETTINGS)
def test_settings_name_no_file_outside(served: Served, line: str) -> None:
    settings = served.folder / "argosy.toml"
    before = settings.read_text()
    try:
        settings.write_text(line + "\n")
        said = served.tells("ask", {"file": "p.c", "question": "unreach-call"})
        assert said["status_code"] == 404 and "not in this folder" in said["error"], said
    finally:
        settings.write_text(before)
    named = {"file": "p.c", "question": "x", "property": str(served.folder.parent / "x.prp")}
    assert served.tells("ask", named)["status_code"] in (400, 404)


def test_what_comes_with_a_folder_is_not_trusted(tmp_path: Path) -> None:
    """Records that somebody else wrote may say SAFE of anything; links lead anywhere, also to what is forgotten."""
    (tmp_path / ".argosy").mkdir(mode=0o755)
    with pytest.raises(UsageError, match="may be anybody's"):
        KeptRuns(str(tmp_path))
    (tmp_path / ".argosy").chmod(0o700)
    store = KeptRuns(str(tmp_path))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "record.json").write_text(json.dumps({"id": "20260101-000000-abcdef"}))
    (elsewhere / "mine.txt").write_text(SECRET)
    (tmp_path / ".argosy" / "runs" / "20260101-000000-abcdef").symlink_to(elsewhere)
    (tmp_path / ".argosy" / "simulations" / "20260101-000000-abcdef.json").symlink_to(elsewhere / "record.json")
    assert list(store.records()) == [] and list(store.simulations()) == []
    for does in (store.forget, store.folder, lambda run: store.file(run, "mine.txt"), store.simulation):
        with pytest.raises(KeyError):
            does("20260101-000000-abcdef")
    assert (elsewhere / "mine.txt").read_text() == SECRET
    broken = tmp_path / ".argosy" / "runs" / "20260101-000000-abcde0"
    broken.mkdir()
    for text in ("[]", "{", '{"id": "20260101-000000-abcde0", "status": 7}', "null"):
        (broken / "record.json").write_text(text)
        assert list(store.records()) == []


def test_a_record_cannot_permit_an_execution(tmp_path: Path) -> None:
    """It waited when a workbench with --execute was closed, or came with the folder: this one permits nothing."""
    from argosy.ui.server import Workbench

    (tmp_path / "p.c").write_text(PROGRAM)
    store = KeptRuns(str(tmp_path))
    record: dict[str, Any] = {
        "id": store.new(),
        "file": "p.c",
        "question": "unreach-call",
        "choices": {"execute": True},
    }
    record |= {"status": "queued", "asked": 1.0, "hashes": {}, "answers": [], "learned": []}
    store.save(record)

    def make(name: str, choices: Mapping[str, Any]) -> Task:
        return Task.of(str(tmp_path / name), time_limit=5, memory_limit=500, **choices)

    workbench = Workbench(Folder(str(tmp_path)), store, make)
    deadline = time.monotonic() + 30
    while workbench.runs.records()[0]["status"] in ("queued", "running"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    workbench.close()
    [ended] = workbench.runs.records()
    assert ended["status"] == "failed" and "nothing is executed" in ended["message"]


def test_the_folder_of_results_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / ".argosy").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Exception, match="symbolic link"):
        KeptRuns(str(tmp_path / "work"))


# ---- asking ---------------------------------------------------------------------------------------------------------


def test_a_question_is_answered_kept_and_found_stale(served: Served) -> None:
    path = served.folder / "p.c"
    asked = served.tells("ask", {"file": "p.c", "question": "unreach-call", "property": "unreach-call"})
    assert asked["status_code"] == 200, asked
    record = served.ended(asked["id"])
    assert (record["status"], record["verdict"], record["certified"], record["stale"]) == (
        "done",
        "unsafe",
        True,
        False,
    )
    assert {"report.html", "result.json", "witness.yml", "harness.c"} <= set(record["files"])
    assert record["limits"] == [60.0, 4000], "every run has limits"
    result = json.loads((served.folder / ".argosy" / "runs" / asked["id"] / "result.json").read_text())
    assert result["input"] == "p.c" and "execution" not in result["answers"][0], "written, and not run"
    verdicts = served.asks("file", name="p.c")["verdicts"]
    assert verdicts["unreach-call"]["verdict"] == "unsafe" and not verdicts["unreach-call"]["stale"]
    path.write_text(PROGRAM.replace("x == 7", "x == 8"))
    assert served.asks("file", name="p.c")["verdicts"]["unreach-call"]["stale"]
    path.write_text(PROGRAM)
    assert not served.asks("file", name="p.c")["verdicts"]["unreach-call"]["stale"], "the same text again"
    status, headers, page = served.request("GET", f"/{served.asks('folder')['views']}/{asked['id']}/report.html")
    assert status == 200 and b"reach_error" in page
    assert headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")


def test_a_run_is_stopped_at_any_time_and_the_rest_waits(served: Served) -> None:
    question = {"file": "bomb.c", "question": "unreach-call", "property": "unreach-call", "strategy": "kinduction"}
    first, second = (served.tells("ask", {**question, "time_limit": 300})["id"] for _ in range(2))
    deadline = time.monotonic() + 30
    while not (served.asks("run", id=first)["live"] or {}).get("counts"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert served.asks("run", id=second)["status"] == "queued"
    served.tells("stop", {"run": second})
    served.tells("stop", {"run": first})
    begun = time.monotonic()
    assert served.ended(first)["status"] == "stopped" and time.monotonic() - begun < 3
    assert served.ended(second)["message"] == "stopped before it began"


def children(process: int) -> Iterator[int]:
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from children(int(child))
            yield int(child)


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="no /proc")
def test_a_crash_is_a_line_on_the_page(served: Served) -> None:
    """Of a run and of a simulation; the workbench goes on."""
    question = {"file": "bomb.c", "question": "unreach-call", "property": "unreach-call", "strategy": "kinduction"}
    run = served.tells("ask", {**question, "time_limit": 300})["id"]
    deadline = time.monotonic() + 30
    while not (served.asks("run", id=run)["live"] or {}).get("counts"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    for process in list(children(served.process)):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGSEGV)
    ended = served.ended(run)
    assert ended["status"] in ("done", "failed") and (ended.get("message") or ended.get("reason"))
    assert ended.get("verdict", "unknown") == "unknown"
    made = served.tells("simulate", {"file": "two.btor2"})["id"]
    for process in list(children(served.process)):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    said = served.tells("simulation", {"id": made, "command": "random", "count": 1, "seed": 1})
    assert said["status_code"] == 400 and "crashed" in said["error"]
    again = served.tells("simulation", {"id": made, "command": "random", "count": 1, "seed": 1})
    assert again["status_code"] == 200 and len(again["rows"]) == 1


def test_one_of_several_and_what_cannot_be_read(served: Served) -> None:
    questions = served.asks("file", name="two.btor2")["questions"]
    assert len(questions) == 2
    asked = served.tells("ask", {"file": "two.btor2", "question": questions[1]["key"], "only": questions[1]["only"]})
    record = served.ended(asked["id"])
    assert record["verdict"] == "safe" and len(record["answers"]) == 1
    broken = served.asks("file", name="broken.xta")
    assert broken["questions"] == [] and broken["line"] == 1 and "broken.xta:1" in broken["wrong"]
    refused = served.tells("ask", {"file": "two.btor2", "question": "", "only": "nothing of the kind"})
    assert "nothing asked is called" in served.ended(refused["id"])["message"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"strategy": "none"},
        {"time_limit": -1},
        {"time_limit": "x"},
        {"memory_limit": 0},
        {"property": "no"},
        {"execute": True},
    ],
)
def test_what_cannot_be_chosen_is_refused_at_once(served: Served, wrong: dict[str, object]) -> None:
    said = served.tells("ask", {"file": "p.c", "question": "unreach-call", **wrong})
    assert said["status_code"] == 400 and said["error"]


@pytest.mark.parametrize("body", [[], 3, {}, {"file": 3, "question": []}, {"file": "p.c"}, {"run": "../../x"}])
def test_nonsense_is_refused(served: Served, body: object) -> None:
    for name in ("ask", "stop", "forget"):
        assert served.tells(name, body)["status_code"] in (400, 404)


def test_a_restart_finds_everything_at_the_same_address(served: Served) -> None:
    before, address = served.asks("file", name="p.c")["runs"], served.address
    running = served.tells("ask", {"file": "bomb.c", "question": "unreach-call", "strategy": "kinduction"})["id"]
    waiting = served.tells("ask", {"file": "p.c", "question": "no-overflow", "property": "no-overflow"})["id"]
    while served.asks("run", id=running)["status"] == "queued":
        time.sleep(0.02)
    assert served.stop() == 0
    served.start()
    assert served.address == address
    assert [run["id"] for run in served.asks("file", name="p.c")["runs"]] == [waiting, *(run["id"] for run in before)]
    assert served.asks("run", id=running)["status"] in ("stopped", "failed")
    assert served.ended(waiting)["verdict"] == "safe", "what waited is asked"
    served.tells("forget", {"run": waiting})
    assert served.asks("run", id=waiting)["status_code"] == 404


def test_later_runs_come_later_in_the_alphabet(tmp_path: Path) -> None:
    store = KeptRuns(str(tmp_path))
    names = [store.new() for _ in range(200)]
    assert all(ID.fullmatch(name) for name in names)
    assert [name[:-1] for name in names] == sorted(name[:-1] for name in names)


def test_what_is_kept_is_nobodys_business(served: Served) -> None:
    kept = served.folder / ".argosy"
    assert (kept / ".gitignore").read_text() == "*\n"
    assert os.stat(kept / "address.json").st_mode & 0o077 == 0


def test_what_happens_is_told(served: Served) -> None:
    import http.client

    connection = http.client.HTTPConnection(served.host, timeout=20)
    connection.request("GET", f"{served.path}api/events", headers={"Host": served.host})
    stream = connection.getresponse()
    first = json.loads(stream.readline().removeprefix(b"data: "))
    (served.folder / "new.c").write_text(PROGRAM)
    stream.readline()
    second = json.loads(stream.readline().removeprefix(b"data: "))
    connection.close()
    assert first["live"] == [] and first["files"] != second["files"]

"""Which tasks a source stands for, how they are called, and what is expected of them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from argosy.basics.errors import InputError, UsageError
from argosy.bench.tasks import BenchTask, read_tasks

BENCH = Path(__file__).parents[3] / "shared" / "bench"
PROGRAM = "int main(void) { return 0; }\n"
DEFINITION = """format_version: '2.0'
input_files: '{name}'
properties:
  - property_file: ../properties/termination.prp
    expected_verdict: true
  - property_file: ../properties/unreach-call.prp
    expected_verdict: {verdict}
  - property_file: ../properties/no-overflow.prp
    expected_verdict: true
options:
  language: C
  data_model: {model}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def put(name: str, text: str = PROGRAM) -> None:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    put("locks/one.c")
    put("locks/one.yml", DEFINITION.format(name="one.c", verdict="false", model="LP64"))
    put("loops/two_true-unreach-call_false-termination.c")
    put("loops/three.c", f"/* Expected verdict: UNSAFE\n */\n{PROGRAM}")
    put("loops/four.i")
    put("loops/notes.txt", "no task")
    put("nets/n.xta", "system P;")
    put("nets/n.q", "E<> P.a")
    return tmp_path


def named(tasks: list[BenchTask]) -> dict[str, tuple[str, str | None, str | None]]:
    return {task.name: (task.category, task.property, task.expected) for task in tasks}


def test_folder(folder: Path) -> None:
    tasks = read_tasks([str(folder)])
    assert named(tasks) == {
        "locks/one.yml": ("locks", "unreach-call", "unsafe"),
        "loops/four.i": ("loops", None, None),
        "loops/three.c": ("loops", None, "unsafe"),
        "loops/two_true-unreach-call_false-termination.c": ("loops", None, "safe"),
        "nets/n.xta": ("nets", None, None),
    }
    assert tasks[0].path == str(folder / "locks/one.c") and tasks[0].data_model == "LP64"


def test_a_definition_that_does_not_say_how_wide_types_are_means_32_bits(folder: Path) -> None:
    unsaid = DEFINITION.format(name="one.c", verdict="false", model="").replace("  data_model: \n", "")
    (folder / "locks" / "one.yml").write_text(unsaid)
    assert [task.data_model for task in read_tasks([str(folder / "locks/one.yml")])] == ["ILP32"]
    assert [task.data_model for task in read_tasks([str(folder / "loops/four.i")])] == [None]


def test_a_property_has_its_own_verdict(folder: Path) -> None:
    [task] = read_tasks([str(folder / "locks/one.yml")], property="no-overflow")
    assert (task.property, task.expected, task.category) == ("no-overflow", "safe", "locks")


def test_set(folder: Path) -> None:
    (folder / "Mine.set").write_text("# a comment\nlocks/*.yml\n\nloops/f*.i  # another\n")
    assert named(read_tasks([str(folder / "Mine.set")])) == {
        "locks/one.yml": ("Mine", "unreach-call", "unsafe"),
        "loops/four.i": ("Mine", None, None),
    }


def test_a_pattern_without_tasks_is_an_error(folder: Path) -> None:
    (folder / "Mine.set").write_text("locks/*.yml\nlooops/*.yml\n")
    with pytest.raises(InputError, match=r"Mine\.set:2.*looops"):
        read_tasks([str(folder / "Mine.set")])


INDEX = """set,category,file,property,expected
a,locks,locks/one.c,unreach-call,true
a,loops,loops/three.c,no-overflow,false
b,loops,loops/four.i,unreach-call,
b,nets,nets/n.xta,,A[] query holds (safe)
b,nets,nets/n.q,,
"""


def test_index(folder: Path) -> None:
    (folder / "index.csv").write_text(INDEX)
    expected = {
        "locks/one.c": ("locks", "unreach-call", "safe"),
        "loops/three.c": ("loops", "no-overflow", "unsafe"),
        "loops/four.i": ("loops", "unreach-call", None),
        "nets/n.xta": ("nets", None, "safe"),
    }
    assert named(read_tasks([str(folder / "index.csv")])) == expected
    assert named(read_tasks([str(folder)])) == expected, "a folder with an index"
    assert read_tasks([str(folder)])[0].data_model == "LP64", "from the definition beside the program"


def test_an_index_may_name_files_elsewhere(folder: Path) -> None:
    (folder / "nets" / "index.csv").write_text("file,category\n../loops/four.i,x\n")
    [task] = read_tasks([str(folder / "nets")])
    assert task.name == "loops/four.i" and Path(task.path).samefile(folder / "loops" / "four.i")


def test_where(folder: Path) -> None:
    (folder / "index.csv").write_text(INDEX)
    assert [t.name for t in read_tasks([str(folder)], where={"set": ["a"]})] == ["locks/one.c", "loops/three.c"]
    both = read_tasks([str(folder)], where={"set": ["a", "b"], "category": ["loops"]})
    assert [t.name for t in both] == ["loops/three.c", "loops/four.i"]
    with pytest.raises(UsageError, match=r"year.*it has set, category, file"):
        read_tasks([str(folder)], where={"year": ["2018"]})
    assert [t.name for t in read_tasks([str(folder / "locks")], where={"category": ["locks"]})] == ["one.yml"]
    with pytest.raises(UsageError, match="set"):
        read_tasks([str(folder / "locks")], where={"set": ["a"]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,expected\nx.c,true\n", "no column called file"),
        ("file,expected\nlocks/one.c,true\nnowhere.c,true\n", r"index\.csv:3.*nowhere\.c"),
        ("file,expected\n\xff\n", "cannot be read"),
    ],
)
def test_malformed_index(folder: Path, text: str, message: str) -> None:
    (folder / "index.csv").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=message):
        read_tasks([str(folder / "index.csv")])


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("true", "safe"),
        ("FALSE", "unsafe"),
        ("safe", "safe"),
        ("unsafe", "unsafe"),
        ("E<> satisfied (error reachable)", "unsafe"),
        ("E<> unsatisfied (safe)", "safe"),
        ("A[] query violated (reachable)", "unsafe"),
        ("A[] query holds (safe)", "safe"),
        ("UNCONFIRMED: E<> expected satisfied", None),
        ("unknown", None),
    ],
)
def test_how_a_verdict_is_expected(folder: Path, text: str, verdict: str | None) -> None:
    (folder / "index.csv").write_text(f"file,expected\nloops/four.i,{text}\n")
    [task] = read_tasks([str(folder / "index.csv")])
    assert task.expected == verdict


def test_sources_are_joined_and_names_differ(folder: Path) -> None:
    other = folder / "more" / "loops"
    other.mkdir(parents=True)
    (other / "four.i").write_text(PROGRAM)
    tasks = read_tasks([str(folder / "loops"), str(folder / "loops" / "four.i"), str(other)])
    assert sorted(task.name for task in tasks) == [
        "loops/four.i",
        "more/loops/four.i",
        "three.c",
        "two_true-unreach-call_false-termination.c",
    ]


def test_sample_is_always_the_same(folder: Path) -> None:
    first = read_tasks([str(folder)], sample=2)
    assert len(first) == 2 and first == read_tasks([str(folder)], sample=2)
    assert len(read_tasks([str(folder)], sample=99)) == 5


def test_a_definition_that_cannot_be_used_is_a_task_that_fails(folder: Path) -> None:
    (folder / "locks" / "bad.yml").write_text("format_version: '7.0'\n")
    bad = next(task for task in read_tasks([str(folder)]) if task.name == "locks/bad.yml")
    assert bad.path.endswith("bad.yml") and bad.expected is None
    (folder / "locks" / "lost.yml").write_text(DEFINITION.format(name="lost.c", verdict="true", model="ILP32"))
    lost = next(task for task in read_tasks([str(folder)]) if task.name == "locks/lost.yml")
    assert lost.digest() == lost.digest()


@pytest.mark.parametrize(
    ("input", "other"),
    [
        ("ring.xta", "ring.q"),
        ("ring-3_4.xta", "ring.q"),
        ("p.c", "p.h"),
        ("p.c", "deep/q.h"),
        ("t.yml", "only-calls.prp"),
        ("t.yml", "p.h"),
    ],
)
def test_every_file_that_a_run_reads_is_part_of_the_digest(tmp_path: Path, input: str, other: str) -> None:
    definition = DEFINITION.format(name="p.c", verdict="true", model="LP64")
    (tmp_path / "deep").mkdir()
    for name, text in {
        "ring.xta": "system P;",
        "ring-3_4.xta": "system P;",
        "ring.q": "E<> P.a",
        "p.c": '#include <stdio.h>\n  # include "p.h"\n' + PROGRAM,
        "p.h": '#include "deep/q.h"\n#include "nowhere.h"\n',
        "deep/q.h": '#include "../p.h"\n',
        "only-calls.prp": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
        "t.yml": re.sub(r"property_file: .*", "property_file: only-calls.prp", definition),
    }.items():
        (tmp_path / name).write_text(text)

    def digest() -> str:
        [task] = read_tasks([str(tmp_path / input)])
        return task.digest()

    before = digest()
    assert digest() == before
    (tmp_path / other).write_text((tmp_path / other).read_text() + "\n")
    assert digest() != before


def test_an_expected_verdict_is_no_part_of_the_digest(folder: Path) -> None:
    def digest(verdict: str) -> str:
        (folder / "loops" / "three.yml").write_text(DEFINITION.format(name="three.c", verdict=verdict, model="LP64"))
        [task] = read_tasks([str(folder / "loops" / "three.yml")])
        return task.digest()

    assert digest("true") == digest("false")


def test_a_digest_waits_for_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.c")
    task = BenchTask("p.c", "", str(tmp_path / "p.c"), property_file=str(tmp_path / "p.c"))
    assert task.files() == () and task.digest() == task.digest()


@pytest.mark.parametrize(("name", "message"), [("nowhere", "no such file"), ("loops/notes.txt", "no list of tasks")])
def test_no_source(folder: Path, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_tasks([str(folder / name)])


@pytest.mark.skipif(not BENCH.is_dir(), reason="the benchmarks are not here")
def test_the_tasks_of_paper_002() -> None:
    tasks = read_tasks([str(BENCH / "c" / "index.csv")], where={"set": ["theta"]})
    assert len(tasks) == 120
    by_definition = {task.path: task.expected for task in read_tasks([str(BENCH / "c" / "theta")])}
    assert {task.path: task.expected for task in tasks} == by_definition


def test_a_row_that_is_longer_than_the_header(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(PROGRAM)
    (tmp_path / "index.csv").write_text("file,category\none.c,a\none.c,a,b,c\n")
    with pytest.raises(InputError, match="more cells than the header") as caught:
        read_tasks([str(tmp_path)])
    assert caught.value.position.line == 3


def test_pipes_are_no_tasks(tmp_path: Path) -> None:
    """Opening one would wait for a writer."""
    (tmp_path / "one.c").write_text(PROGRAM)
    os.mkfifo(tmp_path / "two.c")
    os.mkfifo(tmp_path / "one.yml")
    assert [task.name for task in read_tasks([str(tmp_path)])] == ["one.c"]
    BenchTask("two", "", str(tmp_path / "two.c")).digest()
    (tmp_path / "tasks.set").write_text("*.c\n")
    assert [task.name for task in read_tasks([str(tmp_path / "tasks.set")])] == ["one.c"]
    (tmp_path / "index.csv").write_text("file\ntwo.c\n")
    with pytest.raises(InputError, match="no such file"):
        read_tasks([str(tmp_path)])

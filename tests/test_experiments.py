"""The experiments run, print what they measured beside the paper's figures, and refuse what they cannot do."""

from __future__ import annotations

import csv
import dataclasses
import re
import runpy
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from math import inf
from pathlib import Path

import pytest

import argosy
from argosy.models.features import Features
from argosy.strategies import STRATEGIES
from argosy.strategies.turns import RULES

ROOT = Path(__file__).parent.parent
EXPERIMENTS = ROOT / "experiments"
EXAMPLES = ROOT / "examples" / "c"
TABLES = {
    "abe_table1.py": (("Pre-proc. LBE", "LBE"), {"lock.c": "safe", "lock_bug.c": "unsafe"}),
    "abe_table2.py": (("k=10", "LBE"), {"lock.c": "safe", "lock_bug.c": "unsafe"}),
    "abe_table3.py": (("LBE", "k=50"), {"lock_bug.c": "unsafe", "overdraft.c": "unsafe"}),
}

sys.path.insert(0, str(EXPERIMENTS))
import abe  # noqa: E402
import abe_table1  # noqa: E402
import abe_table2  # noqa: E402
import abe_table3  # noqa: E402
import auto_table  # noqa: E402
import collection  # noqa: E402
import directed  # noqa: E402
import growth  # noqa: E402
import tables  # noqa: E402
import virtual_best  # noqa: E402
from curves import Panel, Point, draw  # noqa: E402

sys.path.remove(str(EXPERIMENTS))


def start(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXPERIMENTS / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("script", TABLES)
def test_a_table_is_printed(script: str, tmp_path: Path) -> None:
    columns, programs = TABLES[script]
    results = tmp_path / "results.csv"
    files = [EXAMPLES / name for name in programs]
    ran = start(script, "--files", *files, "--limit", 30, "--configurations", ",".join(columns), "--csv", results)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert all(column in lines[2] for column in columns)
    assert [line.split()[0] for line in lines if "ours, s" in line] == list(programs)
    assert sum("ours, abstractions" in line for line in lines) == sum("solver checks" in line for line in lines) == 2
    assert lines[-2:] == [line for line in lines if "2 of 2 solved" in line and line.endswith("0 wrong")]
    with results.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == [verdict for verdict in programs.values() for _ in columns]
    assert all(row["certified"] == "True" and int(row["solver_checks"]) > 0 for row in rows)


def test_what_is_measured_is_not_measured_again(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    run = tables.Run("lock.c", "LBE", "--strategy lbe", 7.0, 4096, "safe", "safe", "", True, 5.0, 4.0, 0.1, 77, 8, 9, 1)
    tables._append(results, run)
    ran = start(
        "abe_table3.py", "--files", EXAMPLES / "lock.c", "--limit", 7, "--configurations", "LBE", "--csv", results
    )
    assert "5.00" in ran.stdout and "77" in ran.stdout
    assert list(tables._read(results)) == [run]


@pytest.mark.parametrize("script", TABLES)
def test_without_the_programs_it_says_so(script: str, tmp_path: Path) -> None:
    ran = start(script, "--bench", tmp_path / "nowhere")
    assert ran.returncode == 1
    assert "nowhere" in ran.stderr and "--bench" in ran.stderr and "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--configurations", "LBE,best"), "no such configuration: best"),
        (("--bench", ROOT, "--programs", "nobody*"), "no program of the paper is called nobody*"),
        (("--files", "nobody.c"), "no such file: nobody.c"),
        (
            ("--files", EXAMPLES / "lock.c", "--configurations", "LBE", "--options", "--blocks 3"),
            "no such option: --blocks",
        ),
    ],
)
def test_wrong_usage_is_explained(arguments: tuple[object, ...], message: str) -> None:
    ran = start("abe_table1.py", *arguments)
    assert ran.returncode == 1
    assert message in ran.stderr and "Traceback" not in ran.stderr


def test_all_figures_of_the_paper_are_there() -> None:
    names = {program.name for program in abe.programs(Path())}
    assert len(names) == 38
    one, two, three = (table.EXPERIMENT.paper for table in (abe_table1, abe_table2, abe_table3))
    assert len(one) == 38 * 2 and len(two) == 38 * 12 and len(three) == 21 * 7
    assert {name for name, _ in one} == {name for name, _ in two} == names
    assert {name for name, _ in three} == {p.name for p in abe_table3.EXPERIMENT.programs(Path())}
    for paper in (one, three):
        assert all(paper[name, "LBE"].seconds == two[name, "LBE"].seconds for name, _ in paper)
    assert three["kbfiltr2_BUG.sim.c", "k=300"] == tables.Figure("1.10", "0")
    assert two["test_locks_13.c", "k=10"].seconds == "mo"


@pytest.mark.skipif(not (collection.BESIDE / "c").is_dir(), reason="the benchmarks are not here")
def test_all_files_are_found_and_are_what_they_were() -> None:
    folder = collection.BESIDE / collection.ABE
    names = [program.path.relative_to(folder).as_posix() for program in abe.programs(folder)]
    assert len(collection.checked(folder, collection.ABE, names)) == 38
    assert {f"{collection.ABE}/{name}" for name in names} <= set(collection._known())
    models = [f"{model}.xta" for model in (*directed.FISCHER, *directed.MUTUAL, *directed.SEGMENT, *directed.BEYOND)]
    assert collection.checked(collection.BESIDE / collection.NETWORKS, collection.NETWORKS, models)
    assert {f"{collection.NETWORKS}/{name}" for name in models} <= set(collection._known())


def test_a_file_that_was_changed_is_not_measured(tmp_path: Path) -> None:
    changed = tmp_path / "c" / "abe" / "locks" / "test_locks_5.c"
    changed.parent.mkdir(parents=True)
    changed.write_text("int main(void) { return 0; }\n")
    folder = collection.whereabouts(tmp_path, collection.ABE)
    assert folder == tmp_path / "c" / "abe" == collection.whereabouts(folder, collection.ABE)
    with pytest.raises(SystemExit, match="is not the file that the figures are about"):
        collection.checked(folder, collection.ABE, ["locks/test_locks_5.c"])
    assert collection.checked(folder, collection.ABE, ["locks/test_locks_5.c"], any_version=True) == [changed]
    with pytest.raises(SystemExit, match="no such file"):
        collection.checked(folder, collection.ABE, ["locks/test_locks_6.c"])


SCRIPTS = [path.name for path in sorted(EXPERIMENTS.glob("*.py")) if "    guarded(" in path.read_text()]
MORE = {
    "directed_profile.py": ["/dev/null", "C1:syntax-b2"],
    "explicit_speed.py": ["nowhere/p.c"],
    "subsumer_table1.py": ["--programs"],
    "subsumer_table2.py": ["--programs"],
    "zones_exploration.py": ["nowhere/m.xta"],
    "zones_stopping.py": ["nowhere/m.xta"],
    "zones_symmetry.py": ["nowhere/m.xta", "3"],
    "zones_threads.py": ["nowhere/m.xta"],
    "zones_verdicts.py": [],
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_is_missing_is_one_line(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every experiment, by the variable: where the collection should be, and where such things are public."""
    monkeypatch.setenv(collection.VARIABLE, str(tmp_path / "nowhere"))
    monkeypatch.setattr(sys, "argv", [script, *MORE.get(script, [])])
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(EXPERIMENTS / script), run_name="__main__")
    said = str(ended.value.code)
    assert "nowhere" in said and "\n" not in said
    if not any("nowhere" in word for word in MORE.get(script, [])):
        assert "public" in said and "--bench" in said and collection.VARIABLE in said


def test_every_experiment_is_guarded() -> None:
    """What can be started, but for the process that measures one cell, the table of hashes, and what needs no
    collection: programs that are made, and results that are read."""
    started = {path.name for path in EXPERIMENTS.glob("*.py") if "__main__" in path.read_text()}
    assert started - set(SCRIPTS) == {"subsumer.py", "collection.py", "growth.py", "auto_table.py", "virtual_best.py"}


def test_whoever_stops_a_study_gets_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as ended:
        collection.guarded(stopped)
    assert ended.value.code == collection.STOPPED and "not decided" in capsys.readouterr().err


def test_a_file_of_other_results_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("program,verdict\nlock.c,safe\n")
    with pytest.raises(SystemExit, match="no file of results of this experiment"):
        list(tables._read(path))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4834, ".483"), (0.05, ".050"), (1.256, "1.26"), (12.34, "12.3"), (160.4, "160"), (1250, "1250")],
)
def test_times_have_three_digits(seconds: float, text: str) -> None:
    assert tables.three_digits(seconds) == text


def run_of(expected: str, verdict: str, reason: str = "") -> tables.Run:
    return tables.Run("p.c", "LBE", "", 30.0, 4096, expected, verdict, reason, True, 1.5, 1.0, 0.0, 1, 1, 1, 1)


@pytest.mark.parametrize(
    ("run", "text"),
    [
        (run_of("safe", "safe"), "1.50"),
        (run_of("safe", "unsafe"), "WRONG"),
        (run_of("unsafe", "safe"), "WRONG"),
        (run_of("unknown", "unsafe"), "1.50"),
        (run_of("safe", "unknown", "time limit"), ">30"),
        (run_of("safe", "unknown", "memory limit"), "mo"),
        (run_of("safe", "unknown", "not certified: x"), "unknown"),
    ],
)
def test_what_a_cell_says(run: tables.Run, text: str) -> None:
    assert run.time == text
    assert run.solved == (text == "1.50")


def test_figure_5_has_a_curve_for_each_configuration() -> None:
    runs = [
        tables.Run(f"test_locks_{n}.c", "LBE", "", 30.0, 4096, "safe", "safe", "", True, 0.5, 0, 0, 0, 0, 0, 0)
        for n in (7, 5)
    ]
    picture = ElementTree.fromstring(abe_table2.figure_5(runs, 30.0))
    curves = picture.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert len(curves) == 12 + 1
    assert len(curves[-1].attrib["points"].split()) == 2


def test_a_curve_ends_where_nothing_was_measured() -> None:
    panel = Panel("a < b", {"one": [Point(1, 1.0), Point(2, None), Point(3, None)]}, 100.0)
    picture = ElementTree.fromstring(draw("title", [panel], "x", "y"))
    (curve,) = picture.findall(".//{http://www.w3.org/2000/svg}polyline")
    ends = [tuple(map(float, pair.split(","))) for pair in curve.attrib["points"].split()]
    assert len(ends) == 2
    assert ends[0][1] == 360.0 and ends[1][1] == 0.0
    fills = [dot.attrib["fill"] for dot in picture.findall(".//{http://www.w3.org/2000/svg}circle")]
    assert [fill == "white" for fill in fills] == [False, True, True]


def test_nothing_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="nothing to draw"):
        draw("title", [Panel("empty", {}, 100.0)], "x", "y")


# ---- learned turns, growing programs --------------------------------------------------------------------------------


def test_a_rule_is_learned_where_there_is_something_to_learn(tmp_path: Path) -> None:
    """Half of each category needs what has no early turn; what two say of the third holds for it. What was cut off is
    taken for what decides nothing, and what gave up leaves its time to others."""
    names = [f"{kind}{number}.c" for kind in ("a", "b", "c") for number in range(4)]
    with (tmp_path / "features.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["model", *auto_table.NAMES])
        for name in names:
            recursive = int(int(name[1]) % 2)
            writer.writerow([name, *(recursive if each == "recursive" else 0 for each in auto_table.NAMES)])
    with (tmp_path / "best.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([each.name for each in dataclasses.fields(virtual_best.Run)])
        for name in names:
            special = int(name[1]) % 2
            for strategy, decides in (("auto", False), ("execution", special), ("explicit", not special)):
                ended = ("safe", True, 1.0, strategy, "") if decides else ("unknown", False, 2.0, "", "time limit")
                writer.writerow(["set", name[0], name, "safe", strategy, 2.0, *ended])
    ran = start("auto_table.py", tmp_path / "best.csv", "--features", tmp_path / "features.csv")
    assert ran.returncode == 0, ran.stderr
    [whole] = [line.split() for line in ran.stdout.splitlines() if line.startswith("all")]
    assert [each for each in whole if not each.endswith("s")][1:] == ["12", "12", "6", "6", "12", "12"]
    assert "better than the present rules" in ran.stdout
    assert re.search(r"^ +3 \* first execution \(2%\) where (program, )?recursive$", ran.stdout, re.MULTILINE)
    shown = start("virtual_best.py", "--csv", tmp_path / "best.csv")
    assert shown.stdout.splitlines()[1].split()[:4] == ["set", "12", "0", "12"]


def test_what_was_cut_off_decides_nothing_and_what_gave_up_costs_what_it_took() -> None:
    looks = {rule.expansions for rule in RULES} | {look for _, _, look in STRATEGIES["auto"].stages}
    assert looks - {0} <= auto_table.LOOKS.keys()

    def spent(**tried: auto_table.Tried) -> float:
        task = auto_table.Task("a", "a", Features(), tried)
        return auto_table.spent((("lbe", 0.5, 0), ("bmc", 0.5, 0)), task, 8.0)

    assert spent(lbe=auto_table.Tried(3.0)) == 3.0
    assert spent(lbe=auto_table.Tried(5.0)) == inf
    assert spent(lbe=auto_table.Tried(inf), bmc=auto_table.Tried(1.0)) == 5.0
    assert spent(lbe=auto_table.Tried(inf, 0.25), bmc=auto_table.Tried(3.0)) == 3.25


def test_a_race_is_run_no_longer_than_the_best_and_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    (tmp_path / "index.csv").write_text("set,category,file,property,expected\nmine,loops,loop.c,unreach-call,true\n")
    (tmp_path / "loop.c").write_text(
        "void reach_error(void); int main(void) { int i = 0; while (i < 9) i++; if (i != 9) reach_error(); }"
    )
    arguments = [tmp_path / "index.csv", "--csv", tmp_path / "best.csv", "--nothing", "0", "--least", "0.2"]
    ran = start("virtual_best.py", *arguments)
    assert ran.returncode == 0, ran.stderr
    runs = virtual_best.read_runs(tmp_path / "best.csv")
    assert runs[0].strategy == "auto" and runs[0].decided and {"bmc", "kinduction", "lbe"} <= {r.strategy for r in runs}
    assert all(run.limit <= max(0.2, runs[0].cpu_s) for run in runs[1:]) and not any(run.is_wrong for run in runs)
    again = start("virtual_best.py", *arguments)
    assert again.stdout == ran.stdout[ran.stdout.index("set ") :]
    assert virtual_best.read_runs(tmp_path / "best.csv") == runs


def test_the_features_are_those_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "index.csv").write_text("file,property\nloop.c,unreach-call\n")
    (tmp_path / "loop.c").write_text(
        "void reach_error(void); int main(void) { int i = 0; while (i < 9) i++; if (i != 9) reach_error(); }"
    )
    auto_table.write_features(tmp_path / "features.csv", tmp_path / "index.csv", ["loop.c"])
    found = auto_table.read_features(tmp_path / "features.csv")["loop.c"]
    assert (found.loops, found.counted, found.closed, found.arrays) == (True, True, True, False)


def test_growing_programs_are_programs(tmp_path: Path) -> None:
    for family, (make, sizes) in growth.FAMILIES.items():
        (tmp_path / f"{family}.c").write_text(make(sizes[0]))
    results = tmp_path / "growth.csv"
    with results.open("w") as file:
        file.write("family,size,verdict,cpu_s,wall_s,memory_mb,stage\n")
        file.write("locks,5,safe,0.5,1.0,50,lbe\nlocks,10,unknown,60,60,90,\n")
    plot = tmp_path / "plot.svg"
    ran = start(
        "growth.py", "--families", "locks", "--csv", results, "--plot", plot, "--memory-plot", tmp_path / "m.svg"
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    for family in growth.FAMILIES:
        assert argosy.verify(tmp_path / f"{family}.c", time_limit=60).verdict == "safe"

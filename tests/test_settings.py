"""Settings of a project, and what ``argosy doctor`` finds."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from argosy.basics.errors import UsageError
from argosy.cli import doctor
from argosy.cli.main import main
from argosy.cli.settings import nearest

SAFE = "int main(void) { return 0; }"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "p.c").write_text(SAFE)
    monkeypatch.chdir(tmp_path / "inner")
    return tmp_path


def test_the_nearest_file_wins_as_a_whole(project: Path) -> None:
    assert nearest(".").path is None
    (project / "pyproject.toml").write_text('[tool.argosy]\nstrategy = "lbe"\ntime-limit = 7\n')
    assert nearest(".").values == {"strategy": "lbe", "time-limit": 7}
    (project / "inner" / "pyproject.toml").write_text("[tool.other]\n")
    assert nearest(".").values == {"strategy": "lbe", "time-limit": 7}
    (project / "inner" / "argosy.toml").write_text('strategy = "bmc"\n')
    assert nearest(".").values == {"strategy": "bmc"}


def test_settings_are_obeyed_said_and_overridden(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "argosy.toml").write_text('strategy = "bmc"\nquiet = false\n')
    assert main(["verify", "p.c"]) == 0
    out = capsys.readouterr().out
    assert "strategy bmc" in out and "settings of ../argosy.toml" in out
    assert main(["verify", "p.c", "--strategy", "explicit"]) == 0
    assert "strategy explicit" in capsys.readouterr().out
    assert main(["verify", "p.c", "--no-config"]) == 0
    out = capsys.readouterr().out
    assert "strategy auto" in out and "settings" not in out
    assert main(["config"]) == 0
    assert '"bmc"' in capsys.readouterr().out


def test_a_broken_file_matters_where_it_speaks_of_us(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.other\n")
    assert nearest(".").path is None
    (project / "pyproject.toml").write_text("[tool.argosy]\nstrategy = \n")
    with pytest.raises(UsageError, match="pyproject"):
        nearest(".")


def test_a_switch_is_true_or_false(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "argosy.toml").write_text("no-certify = true\n")
    assert main(["verify", "p.c"]) == 0
    assert "Certified" not in capsys.readouterr().out
    (project / "argosy.toml").write_text("no-certify = false\n")
    assert main(["verify", "p.c"]) == 0
    assert "Certified" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('stratgy = "bmc"', "did you mean strategy"),
        ("strategy = ", "argosy.toml: "),
        ("quiet = 1", "quiet is true or false"),
        ("strategy = ['a']", "has one value"),
        ('time-limit = "soon"', "time-limit"),
        ('input = "x.c"', "no setting 'input'"),
        ('json = "x.json"', "no setting 'json'"),
        ('report = "x.html"', "no setting 'report'"),
        ('save-precision = "x"', "no setting 'save-precision'"),
        ('strategy = "nonsense"', "nonsense"),
    ],
)
def test_what_is_no_setting_is_said(
    project: Path, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    (project / "argosy.toml").write_text(text)
    assert main(["verify", "p.c"]) == 1
    assert complaint in capsys.readouterr().err


def test_the_doctor_names_what_is_there_and_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    assert "everything that is needed is there" in capsys.readouterr().out
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "bitwuzla" else find_spec(name))
    assert main(["doctor"]) == 5
    assert "missing: bitwuzla" in capsys.readouterr().out

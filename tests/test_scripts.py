"""The set-up scripts make the environment once, say why when they cannot, and never leave a broken one for a good one.

All of it happens in a copy of the scripts in a temporary folder, with venvs that have no pip, so without a network.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import _env
from tests.project_copy import PYPROJECT, ROOT, SCRIPTS, fake_venv, project_copy


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return project_copy(tmp_path)


def edit_stamp(venv: Path, target: str, **fields: str) -> None:
    path = _env.stamp_path(venv, target)
    path.write_text(json.dumps({**_env.read_stamp(venv, target), **fields}), encoding="utf-8")


class Installer:
    """Stands in for pip: notes what it was asked for, and makes the project's package list."""

    def __init__(self, problem: BaseException | None = None) -> None:
        self.asked: list[str] = []
        self.problem = problem

    def __call__(self, root: Path, target: str) -> None:
        self.asked.append(target)
        assert (root / ".venv" / _env.MARKER).exists(), "a cut here must be recognised"
        if self.problem is not None:
            raise self.problem
        for folder in (root / ".venv").glob("lib/python*/site-packages"):
            (folder / "p2p_schotten-0.1.0.dist-info").mkdir(exist_ok=True)


@pytest.fixture
def bare_venvs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Venvs are made without pip (which takes seconds), and count as working."""

    def make(venv: Path) -> None:
        _env.remove_venv(venv)
        venv.mkdir()
        (venv / _env.MARKER).touch()
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)

    monkeypatch.setattr(_env, "make_venv", make)
    monkeypatch.setattr(_env, "works", lambda venv: True)


# What has to be done


def test_a_folder_without_venv_gets_one(project: Path) -> None:
    assert _env.plan(project, "run") == _env.Plan("make", "there is no .venv yet")


def test_a_stamped_venv_is_ready(project: Path) -> None:
    fake_venv(project, "run")
    assert _env.plan(project, "run").action == "ready"


def test_the_dev_set_satisfies_the_run_set_but_not_the_other_way_round(project: Path) -> None:
    venv = fake_venv(project, "dev")
    assert _env.plan(project, "run").action == "ready"
    _env.stamp_path(venv, "dev").rename(_env.stamp_path(venv, "run"))
    assert _env.plan(project, "dev").action == "install"


def test_a_changed_pyproject_is_installed_again_into_the_same_venv(project: Path) -> None:
    fake_venv(project, "run")
    (project / "pyproject.toml").write_text(PYPROJECT + "# a new dependency\n", encoding="utf-8")
    assert _env.plan(project, "run") == _env.Plan("install", "pyproject.toml changed")


@pytest.mark.parametrize("target", ["run", "dev"])
def test_another_python_makes_the_venv_anew_whichever_set_remembers_the_old_one(project: Path, target: str) -> None:
    venv = fake_venv(project, "run")
    edit_stamp(venv, "run", interpreter="cpython 3.9 64 bit at /usr")
    found = _env.plan(project, target)
    assert found.action == "make"
    assert "was cpython 3.9 64 bit at /usr" in found.why


def test_a_moved_folder_is_installed_again(project: Path) -> None:
    venv = fake_venv(project, "run")
    edit_stamp(venv, "run", folder="/somewhere/else")
    assert _env.plan(project, "run") == _env.Plan("install", "the folder moved")


def test_a_venv_made_by_hand_is_installed_into(project: Path) -> None:
    fake_venv(project)
    assert _env.plan(project, "run").action == "install"


def test_a_venv_whose_python_is_gone_is_made_anew(project: Path) -> None:
    venv = fake_venv(project, "run")
    python = _env.venv_python(venv)
    python.unlink()
    python.symlink_to("/nowhere/python3")  # what an upgrade of the system's Python leaves behind
    assert _env.plan(project, "run") == _env.Plan("make", ".venv has no working python")


def test_a_set_up_that_was_cut_off_is_made_anew(project: Path) -> None:
    venv = fake_venv(project, "run")
    (venv / _env.MARKER).touch()
    assert _env.plan(project, "run") == _env.Plan("make", "the last set-up was cut off")


def test_a_project_taken_out_of_the_venv_is_installed_again(project: Path) -> None:
    venv = fake_venv(project, "run")
    shutil.rmtree(venv / "lib")
    assert _env.plan(project, "run").action == "install"


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '"stamp"', "\x00"])
def test_a_stamp_that_cannot_be_read_counts_for_nothing(project: Path, text: str) -> None:
    venv = fake_venv(project, "run")
    _env.stamp_path(venv, "run").write_text(text, encoding="utf-8")
    assert _env.plan(project, "run").action == "install"


# Doing it


@pytest.mark.usefixtures("bare_venvs")
def test_the_second_start_installs_nothing(project: Path) -> None:
    pip = Installer()
    python = _env.prepare(project, "run", pip)
    assert pip.asked == ["run"]
    assert not (project / ".venv" / _env.MARKER).exists()
    assert _env.prepare(project, "run", pip) == python
    assert pip.asked == ["run"]
    assert _env.prepare(project, "dev", pip) == python
    assert pip.asked == ["run", "dev"]
    shutil.rmtree(project / ".venv")
    _env.prepare(project, "run", pip)
    assert pip.asked == ["run", "dev", "run"]


@pytest.mark.usefixtures("bare_venvs")
def test_an_interrupted_installation_is_begun_anew(project: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _env.prepare(project, "run", Installer(KeyboardInterrupt()))
    assert _env.plan(project, "run") == _env.Plan("make", "the last set-up was cut off")
    pip = Installer()
    _env.prepare(project, "run", pip)
    assert pip.asked == ["run"]
    assert _env.plan(project, "run").action == "ready"


@pytest.mark.usefixtures("bare_venvs")
def test_a_failed_update_keeps_the_venv_that_was_there_and_is_tried_again(project: Path) -> None:
    venv = fake_venv(project, "run")
    (venv / "kept").touch()
    (project / "pyproject.toml").write_text(PYPROJECT + "# changed\n", encoding="utf-8")
    with pytest.raises(_env.SetupError, match="no network"):
        _env.prepare(project, "run", Installer(_env.SetupError("no network")))
    assert (venv / "kept").exists()
    assert _env.plan(project, "run").action == "install"


def test_what_is_no_venv_is_never_deleted(project: Path) -> None:
    (project / ".venv").mkdir()
    (project / ".venv" / "diary.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(_env.SetupError, match="in the way"):
        _env.prepare(project, "run", Installer())
    assert (project / ".venv" / "diary.txt").read_text(encoding="utf-8") == "mine"


# What it says


def test_an_old_python_is_told_so_plainly() -> None:
    with pytest.raises(_env.SetupError) as caught:
        _env.check_python(ROOT, (3, 9))
    assert str(caught.value).startswith("Python too old: needs 3.11 or newer, this is 3.9 ")


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (4, 0)])
def test_a_new_enough_python_is_taken(version: tuple[int, int]) -> None:
    _env.check_python(ROOT, version)


@pytest.mark.parametrize("name", ["_env.py", "play.py", "test.py"])
def test_the_scripts_can_be_read_by_an_old_python(name: str) -> None:
    """Compiled by the grammar of 3.8: what an old Python cannot even parse it could not refuse in words."""
    ast.parse((SCRIPTS / name).read_text("utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_what_to_install(
    project: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == module else real(name))
    with pytest.raises(_env.SetupError, match=rf"no module `{module}`(.|\n)*apt install python3\.\d+-venv"):
        _env.prepare(project, "run", Installer())


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("ERROR: ... NewConnectionError: [Errno -3] Temporary failure in name resolution", "needs the internet"),
        ("ERROR: Could not find a version that satisfies hatchling>=1.21 (from versions: none)", "needs the internet"),
        ("ERROR: Package 'p2p-schotten' requires a different Python", "lines above are pip's own"),
    ],
)
def test_pips_own_words_are_shown_with_what_they_mean(
    project: Path, monkeypatch: pytest.MonkeyPatch, words: str, hint: str
) -> None:
    def failed(command: list[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, stdout=words, stderr="")

    monkeypatch.setattr(_env, "_captured", failed)
    with pytest.raises(_env.SetupError) as caught:
        _env.install(project, "run")
    assert words in str(caught.value)
    assert hint in str(caught.value)

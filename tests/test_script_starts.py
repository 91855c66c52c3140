"""Starts of the scripts: one waits for the set-up of another, a killed one leaves no lock, and what they print.

All of it happens in a copy of the scripts in a temporary folder, without a network.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import _env
from tests.project_copy import SCRIPTS, fake_venv, project_copy


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return project_copy(tmp_path)


# One at a time


def test_a_start_waits_for_the_set_up_of_another(project: Path) -> None:
    """The other holds the lock, stamps the environment and ends; the waiting start then finds it ready."""
    holder = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); import _env; from pathlib import Path\n"
        "root = Path(sys.argv[2])\n"
        "with _env.locked(root / 'pyproject.toml'):\n"
        "    print('held', flush=True); sys.stdin.readline()\n"
        "    (root / 'stamped').touch(); (root / '.venv' / _env.MARKER).unlink()\n"
    )
    venv = fake_venv(project, "run")
    (venv / _env.MARKER).touch()
    command = [sys.executable, "-c", holder, str(SCRIPTS), str(project)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "held\n"
        waiter = (
            "import sys; sys.path.insert(0, sys.argv[1]); import _env; from pathlib import Path\n"
            "_env.prepare(Path(sys.argv[2]), 'run')"
        )
        command = [sys.executable, "-c", waiter, str(SCRIPTS), str(project)]
        waiting = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert waiting.stderr is not None
        assert "waiting" in waiting.stderr.readline()
        assert waiting.poll() is None
        other.stdin.write("\n")
        other.stdin.close()
    rest = waiting.stderr.read()
    waiting.stderr.close()
    assert waiting.wait() == 0
    assert rest == ""
    assert (project / "stamped").exists()


def test_a_killed_start_leaves_no_lock_behind(project: Path) -> None:
    holder = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); import _env; from pathlib import Path\n"
        "with _env.locked(Path(sys.argv[2])):\n    print('held', flush=True); time.sleep(60)\n"
    )
    command = [sys.executable, "-c", holder, str(SCRIPTS), str(project / "pyproject.toml")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        other.kill()
    began = time.monotonic()
    with _env.locked(project / "pyproject.toml"):
        assert time.monotonic() - began < 5


@pytest.mark.skipif(os.name != "posix", reason="locks are inherited on POSIX only")
def test_a_killed_start_is_waited_for_as_long_as_its_pip_runs(project: Path) -> None:
    """Else two pips would write into one venv."""
    started, end = project / "pip started", project / "pip may end"
    pip = (
        "import sys, time; from pathlib import Path\n"
        "Path(sys.argv[1]).touch()\n"
        "while not Path(sys.argv[2]).exists(): time.sleep(0.01)\n"
    )
    holder = (
        "import sys; sys.path.insert(0, sys.argv[1]); import _env; from pathlib import Path\n"
        "with _env.locked(Path(sys.argv[2])):\n"
        "    _env._captured([sys.executable, '-c', *sys.argv[3:]])\n"
    )
    pyproject = project / "pyproject.toml"
    command = [sys.executable, "-c", holder, str(SCRIPTS), str(pyproject), pip, str(started), str(end)]
    with subprocess.Popen(command) as other:
        while not started.exists():
            assert other.poll() is None
            time.sleep(0.01)
        other.kill()
    try:
        with pyproject.open("rb") as file:
            assert not _env._try_lock(file.fileno())
    finally:
        end.touch()
    with _env.locked(pyproject):
        pass


# Whole starts


def start(project: Path, script: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(project / "scripts" / script), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def echo_program(project: Path, body: str) -> None:
    """Stands in for the game: a package p2p_schotten beside the scripts that the fake venv's python finds."""
    package = project / "stand-in" / "p2p_schotten"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(body, encoding="utf-8")
    python = _env.venv_python(project / ".venv")
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{project}/stand-in" exec "{sys.executable}" "$@"\n', encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="the stand-in for the venv's python is a shell script")
def test_play_passes_arguments_folder_and_exit_status_on(project: Path, tmp_path: Path) -> None:
    fake_venv(project, "run")
    echo_program(project, "import os, sys\nprint(sys.argv[1:], os.getcwd())\nsys.exit(4)\n")
    began = time.monotonic()
    done = start(project, "play.py", "--me", "greedy", "a b", "", folder=tmp_path)
    assert time.monotonic() - began < 10
    assert done.stdout == f"{['play', '--me', 'greedy', 'a b', '']} {tmp_path}\n"
    assert done.stderr == ""
    assert done.returncode == 4
    for given, passed in (((), ["play"]), (("--help",), ["play", "--help"]), (("resume", "6a42"), ["resume", "6a42"])):
        assert start(project, "play.py", *given, folder=tmp_path).stdout == f"{passed} {tmp_path}\n"


def test_a_start_that_cannot_set_up_says_one_thing_and_no_traceback(project: Path, tmp_path: Path) -> None:
    (project / ".venv").write_text("a file", encoding="utf-8")
    for script, status in (("play.py", 5), ("test.py", 1)):
        done = start(project, script, folder=tmp_path)
        assert done.returncode == status
        assert "is in the way and no virtual environment" in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""

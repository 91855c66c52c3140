"""A copy of the scripts in a folder of its own, and a `.venv` that looks set up: what the scripts' tests act on."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import _env

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "scripts"
PYPROJECT = '[project]\nname = "p2p-schotten"\nrequires-python = ">=3.11"\n'


def project_copy(folder: Path) -> Path:
    """A project folder with scripts and pyproject.toml, and no environment."""
    root = folder / "a project with blanks"
    root.mkdir()
    shutil.copytree(SCRIPTS, root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    return root


def fake_venv(root: Path, *stamps: str) -> Path:
    """A `.venv` that holds the project as far as files show: a python, the project's package list, the stamps."""
    venv = root / ".venv"
    python = _env.venv_python(venv)
    python.parent.mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text("home = /nowhere\n", encoding="utf-8")
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    (venv / "lib/python3.11/site-packages/p2p_schotten-0.1.0.dist-info").mkdir(parents=True)
    for name in stamps:
        _env.stamp_path(venv, name).write_text(json.dumps(_env.wanted(root)), encoding="utf-8")
    return venv

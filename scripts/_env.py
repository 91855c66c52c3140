"""`.venv` beside pyproject.toml stands and holds the project; made once, and again when what it was made from changed.

Standard library only, and written so that an old Python reads it far enough to be told that it is too old (3.7 and up).
Everything said here goes to standard error: standard output belongs to the program that is started.

A set-up is remembered by a stamp in `.venv` per set of dependencies: what it was made for (this interpreter, this
folder, these bytes of pyproject.toml). A marker stands while a set-up runs, so one that was cut off is recognised and
made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator  # noqa: UP035  (an old Python must be able to import this file)

ROOT = Path(__file__).resolve().parent.parent
TARGETS = {"run": ".", "dev": ".[dev]"}
SATISFIED_BY = {"run": ("run", "dev"), "dev": ("dev",)}  # the dev set holds the run set
MARKER = "set-up-unfinished"
LOCK_POLL = 0.2  # seconds between two looks at a lock that another start holds
LOCK_BYTE = 1 << 30  # on Windows a lock is mandatory: it must lie behind the end of the file that others read
NETWORK_WORDS = (
    "Temporary failure in name resolution",
    "Name or service not known",
    "nodename nor servname",
    "getaddrinfo failed",
    "NewConnectionError",
    "Network is unreachable",
    "Connection refused",
    "Max retries exceeded",
    "ConnectTimeout",
    "ProxyError",
    "(from versions: none)",  # all that a quiet pip says of an index that does not answer
)


class SetupError(Exception):
    """The environment cannot be made; the text says why and what would help."""


@dataclass(frozen=True)
class Plan:
    """What has to be done before the environment stands: "ready", "install" (into the venv that is there), "make"."""

    action: str
    why: str


def say(text: str) -> None:
    if sys.stderr.isatty():  # a terminal would break the line in the middle of a word
        columns = shutil.get_terminal_size().columns
        fill = textwrap.TextWrapper(max(columns - 1, 20), break_long_words=False, break_on_hyphens=False).fill
        text = "\n".join(map(fill, text.split("\n")))
    print(text, file=sys.stderr, flush=True)


def needed_python(pyproject: str) -> tuple[int, int]:
    """The oldest Python that `requires-python` of this pyproject.toml text allows."""
    found = re.search(r'^requires-python\s*=\s*">=\s*(\d+)\.(\d+)', pyproject, re.MULTILINE)
    if found is None:
        raise SetupError("pyproject.toml has no line `requires-python` that begins with >=")
    return int(found.group(1)), int(found.group(2))


def check_python(root: Path, version: tuple[int, int]) -> None:
    """Raises SetupError when `version` (major, minor) is older than the project needs."""
    needed = needed_python((root / "pyproject.toml").read_text(encoding="utf-8"))
    if version < needed:
        raise SetupError(
            f"Python too old: needs {needed[0]}.{needed[1]} or newer, this is {version[0]}.{version[1]} "
            f"({sys.executable}).\nStart this script with a newer Python, for example: "
            f"python{needed[0]}.{needed[1]} {sys.argv[0]}"
        )


def venv_python(venv: Path) -> Path:
    """The interpreter inside a venv, where this platform keeps it."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def interpreter() -> str:
    """Which Python this is, as far as a venv depends on it; the same from inside a venv and from outside."""
    bits = 64 if sys.maxsize > 2**32 else 32
    return f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]} {bits} bit at {sys.base_prefix}"


def wanted(root: Path) -> dict[str, str]:
    """What a stamp must say for the set-up to be still right."""
    return {
        "interpreter": interpreter(),
        "folder": str(root),
        "pyproject": hashlib.sha256((root / "pyproject.toml").read_bytes()).hexdigest(),
    }


def stamp_path(venv: Path, target: str) -> Path:
    return venv / f"set-up-{target}.json"


def read_stamp(venv: Path, target: str) -> dict[str, str]:
    """What the stamp says; empty when there is none or it cannot be read (then it counts for nothing)."""
    try:
        found = json.loads(stamp_path(venv, target).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def holds_project(venv: Path) -> bool:
    """The project is installed in the venv, as its package lists say."""
    patterns = ("lib/python*/site-packages/p2p_schotten-*.dist-info", "Lib/site-packages/p2p_schotten-*.dist-info")
    return any(True for pattern in patterns for _ in venv.glob(pattern))


def plan(root: Path, target: str) -> Plan:
    """What has to be done; looks at files only, starts nothing."""
    venv = root / ".venv"
    if not venv.exists():
        return Plan("make", "there is no .venv yet")
    if (venv / MARKER).exists():
        return Plan("make", "the last set-up was cut off")
    if not (venv / "pyvenv.cfg").exists():
        return Plan("make", ".venv is no virtual environment")
    if not venv_python(venv).exists():
        return Plan("make", ".venv has no working python")
    want = wanted(root)
    for stamp in (read_stamp(venv, name) for name in TARGETS):  # all share one python
        if stamp and stamp.get("interpreter") != want["interpreter"]:
            return Plan("make", f"the Python changed: was {stamp.get('interpreter')}, is {want['interpreter']}")
    stamps = [stamp for stamp in (read_stamp(venv, name) for name in SATISFIED_BY[target]) if stamp]
    if not stamps:
        return Plan("install", f"its {target} set is not installed in .venv yet")
    if want not in stamps:
        moved = all(stamp.get("folder") != want["folder"] for stamp in stamps)
        return Plan("install", "the folder moved" if moved else "pyproject.toml changed")
    if not holds_project(venv):
        return Plan("install", "the project is gone from .venv")
    return Plan("ready", "nothing changed")


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time is inside; the system frees the lock of a process that dies, so none goes stale.

    What is started inside inherits the lock: if this process is killed, its pip is still waited for by the next start.
    """
    with path.open("rb") as file:
        os.set_inheritable(file.fileno(), True)
        told = False
        while not _try_lock(file.fileno()):
            if not told:
                say("Another start is setting .venv up; waiting for it.")
                told = True
            time.sleep(LOCK_POLL)
        yield  # closing the file frees the lock


def _try_lock(descriptor: int) -> bool:
    """True when the lock is ours, or where the file system knows no locks; False while another process has it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, LOCK_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def remove_venv(venv: Path) -> None:
    """`.venv` is gone; raises SetupError when it is something that no venv is made of."""
    if not venv.exists() and not venv.is_symlink():
        return
    ours = venv.is_dir() and not venv.is_symlink()
    if not ours or not ((venv / "pyvenv.cfg").exists() or (venv / MARKER).exists() or not any(venv.iterdir())):
        raise SetupError(f"{venv} is in the way and no virtual environment. Move or delete it, then start again.")
    shutil.rmtree(venv)


def make_venv(venv: Path) -> None:
    """An empty venv with pip stands at `venv`, and the marker in it. Raises SetupError."""
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise SetupError(
                f"This Python ({sys.executable}) has no module `{module}`, which makes virtual environments.\n"
                f"On Debian and Ubuntu: sudo apt install python{sys.version_info[0]}.{sys.version_info[1]}-venv"
            )
    remove_venv(venv)
    venv.mkdir()
    (venv / MARKER).touch()
    base = getattr(sys, "_base_executable", None) or sys.executable  # not the python of a venv that may just be gone
    made = _captured([base, "-m", "venv", str(venv)])
    if made.returncode != 0:
        raise SetupError(f"{made.stdout.strip()}\n`{base} -m venv` failed with status {made.returncode}.")


def install(root: Path, target: str) -> None:
    """The project and the dependencies of `target` are in the venv. Raises SetupError with pip's own words."""
    python = str(venv_python(root / ".venv"))
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", TARGETS[target]]
    done = _captured(command, cwd=root)
    if done.returncode == 0:
        return
    if any(word in done.stdout for word in NETWORK_WORDS):
        hint = (
            "It seems the package index cannot be reached: the first set-up needs the internet, later starts do not.\n"
            "Behind a mirror set PIP_INDEX_URL; with a folder of wheels set PIP_NO_INDEX=1 and PIP_FIND_LINKS=FOLDER."
        )
    else:
        hint = "The lines above are pip's own."
    raise SetupError(f"{done.stdout.strip()}\npip could not install the project into .venv. {hint}")


def _captured(command: list[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What a command said, both streams together. PIP_USER would send packages past the venv."""
    environment = {**os.environ, "PIP_USER": "0", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
        close_fds=False,  # see `locked`
    )


def works(venv: Path) -> bool:
    """The venv's python starts, is new enough for its pip, and pip starts: worth installing into."""
    try:
        return _captured([str(venv_python(venv)), "-m", "pip", "--version"]).returncode == 0
    except OSError:
        return False


def prepare(root: Path, target: str, installer: Callable[[Path, str], None] = install) -> Path:
    """The venv's python, with the project and the dependencies of `target` ("run" or "dev") installed.

    Raises SetupError. A set-up that another process is at is waited for.
    """
    check_python(root, (sys.version_info[0], sys.version_info[1]))
    venv = root / ".venv"
    if plan(root, target).action == "ready":
        return venv_python(venv)
    with locked(root / "pyproject.toml"):
        todo = plan(root, target)  # the one we waited for may have done it
        if todo.action == "ready":
            return venv_python(venv)
        if todo.action == "install" and not works(venv):
            todo = Plan("make", ".venv is broken: its pip does not start")
        try:
            _carry_out(root, target, todo, installer)
        except OSError as problem:
            raise SetupError(f"{venv} cannot be set up: {problem}") from problem
    return venv_python(venv)


def _carry_out(root: Path, target: str, todo: Plan, installer: Callable[[Path, str], None]) -> None:
    venv = root / ".venv"
    began = time.monotonic()
    want = wanted(root)
    if todo.action == "make":
        say(f"Making {venv} ({todo.why}).")
        make_venv(venv)
    say(f"Installing the project and what it needs ({todo.why}); about a minute, needs the internet.")
    for name in SATISFIED_BY[target]:
        with contextlib.suppress(FileNotFoundError):
            stamp_path(venv, name).unlink()
    (venv / MARKER).touch()
    try:
        installer(root, target)
    except SetupError:
        if todo.action == "install":
            (venv / MARKER).unlink()  # pip itself gave up and put back what it had: the venv that was there still works
        raise
    stamp_path(venv, target).write_text(json.dumps(want, indent=1) + "\n", encoding="utf-8")
    (venv / MARKER).unlink()
    say(f"Ready after {time.monotonic() - began:.0f} s.")


def become(command: list[str]) -> int:
    """Runs `command` to its end and gives its exit status; Ctrl-C and other signals are the command's to handle.

    Where the system can, this very process becomes the command and the call does not return.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    child = subprocess.Popen(command)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue  # the console told the child too


def prepared_or_exit(target: str, status: int, root: Path = ROOT) -> Path:
    """As `prepare`, but a failure is said in plain words and ends this process with `status`."""
    try:
        return prepare(root, target)
    except SetupError as problem:
        say(str(problem))
        raise SystemExit(status) from None
    except KeyboardInterrupt:
        say("Interrupted; the next start goes on with the set-up.")
        raise SystemExit(130) from None

"""The table of layers holds: imports point down, and each library stays behind the module that owns it.

Read with `ast`, so also an import inside a function, under `TYPE_CHECKING` or of a part of a package counts.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = "p2p_schotten"
ROOT = Path(__file__).resolve().parent.parent / PACKAGE

# What each part of the package may import from the package (itself always). A part is a package or a top module.
L1 = {"ids", "errors", "text", ""}  # "" is p2p_schotten/__init__.py: the version
L2 = {"engine", "crypto"}
L3 = {"protocol"}
L4 = {"net", "disk", "mark", "tail", "standby", "absence", "journal", "home", "transcript", "match", "bots"}
MAY_IMPORT: dict[str, set[str]] = {
    "": set(),
    "ids": {"errors", "text", ""},
    "errors": {"ids", "text", ""},
    "text": {"ids", "errors", ""},
    "engine": L1,
    "crypto": L1,
    "protocol": L1 | L2,
    "net": L1 | L2 | L3,
    "disk": L1,
    "mark": L1 | {"disk"},
    "tail": L1 | L2 | L3,
    "standby": L1 | L2 | L3 | {"disk"},
    "absence": L1 | L2 | L3 | {"disk"},
    "journal": L1 | L2 | L3 | {"disk", "mark", "tail"},
    "home": L1 | L2 | L3 | {"disk"},
    "transcript": L1 | L2 | L3,
    "match": L1 | L2 | L3,
    "bots": L1 | {"engine"},
    "cli": L1 | L2 | L3 | L4 | {"ui", "arena"},
    "ui": L1 | L2 | L3 | L4 | {"cli", "arena"},
    "arena": L1 | L2 | L3 | L4 | {"cli", "ui"},
    "__main__": {"cli"},
}

# Who may import a library at all: parts, or single modules where a module owns it.
OWNERS: dict[str, set[str]] = {
    "trio": {"net", "arena", "cli"},
    "nacl": {"crypto.group"},
    "cryptography": {"crypto.identity", "net.tls"},
    "msgpack": {"protocol.record", "cli.export"},
    "distributed": {"arena.executor"},
    "typer": {"cli"},
    "click": {"cli"},
    "rich": {"cli", "ui"},
    "textual": {"ui"},
}

# Engine, crypto and protocol take time, randomness and bytes as arguments: they know no clock, no chance, no world.
PURE = {"engine", "crypto", "protocol"}
# fmt: off
IMPURE = {
    "random", "secrets", "time", "datetime", "os", "io", "sys", "pathlib", "shutil", "tempfile", "socket", "ssl",
    "select", "selectors", "asyncio", "threading", "multiprocessing", "concurrent", "subprocess", "signal", "logging",
    "uuid", "platform", "getpass", "locale", "urllib", "http", "glob", "fileinput",
}
# fmt: on


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module, absolute, and the line that imports it."""

    module: str
    line: int


def imports(source: str, module: str, *, is_package: bool = False) -> list[Import]:
    """Every module that `source` imports; `from a import b` counts as `a.b`, since b may be a module."""
    found: list[Import] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [Import(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.split(".")[: None if is_package and node.level == 1 else -node.level + is_package]
                base = ".".join([*parents, *([base] if base else [])])
            found += [Import(f"{base}.{alias.name}", node.lineno) for alias in node.names]
        elif isinstance(node, ast.Call) and _called(node) in ("__import__", "import_module"):
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                found.append(Import(first.value, node.lineno))
    return found


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def part(module: str) -> str:
    """The part of the package a module of it lies in: p2p_schotten.engine.claim -> engine, p2p_schotten -> ""."""
    return [*module.split("."), ""][1]


def parts_on_disk() -> set[str]:
    return {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()} - {
        "__init__"
    }


def faults(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """What in `source`, the text of the module named, breaks the table."""
    mine, inside = part(module), module.removeprefix(PACKAGE + ".")
    wrong: list[str] = []
    for found in imports(source, module, is_package=is_package):
        top = found.module.split(".")[0]
        if top == PACKAGE:
            theirs = part(found.module)
            if theirs not in MAY_IMPORT:  # `from p2p_schotten import __version__`
                theirs = ""
            if theirs != mine and theirs not in MAY_IMPORT[mine]:
                wrong.append(f"{module}:{found.line}: {mine or PACKAGE} may not import {found.module}")
        elif top in OWNERS and not {mine, inside} & OWNERS[top]:
            wrong.append(f"{module}:{found.line}: only {', '.join(sorted(OWNERS[top]))} may import {top}")
        elif mine in PURE and top in IMPURE:
            wrong.append(f"{module}:{found.line}: {mine} is pure and may not import {top}")
    return wrong


def modules() -> list[tuple[str, Path]]:
    """Every module of the package: dotted name and file."""
    found: list[tuple[str, Path]] = []
    for path in sorted(ROOT.rglob("*.py")):
        names = [PACKAGE, *path.relative_to(ROOT).with_suffix("").parts]
        found.append((".".join(names[:-1] if names[-1] == "__init__" else names), path))
    return found


def test_every_part_of_the_package_has_its_place_in_the_table() -> None:
    assert parts_on_disk() <= set(MAY_IMPORT), "give a new part a row in MAY_IMPORT"


def test_imports_point_down_and_libraries_stay_behind_their_owners() -> None:
    found = modules()
    assert len(found) > 20
    wrong = [
        fault
        for name, path in found
        for fault in faults(path.read_text("utf-8"), name, is_package=path.stem == "__init__")
    ]
    assert wrong == []


@pytest.mark.parametrize("library", ["trio", "nacl", "cryptography", "msgpack"])
def test_every_owned_library_is_imported_by_an_owner(library: str) -> None:
    """Else the row guards nothing, and a renamed module would slip past it."""
    users = {
        name
        for name, path in modules()
        for found in imports(path.read_text("utf-8"), name)
        if found.module.split(".")[0] == library
    }
    assert users


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        ("engine.rules", "from p2p_schotten.crypto import group", "engine may not import p2p_schotten.crypto.group"),
        ("crypto.cells", "import p2p_schotten.engine.cards", "crypto may not import p2p_schotten.engine.cards"),
        ("crypto.cells", "from p2p_schotten import engine", "crypto may not import p2p_schotten.engine"),
        ("crypto.cells", "from ..engine import cards", "crypto may not import p2p_schotten.engine.cards"),
        (
            "engine.claim",
            "def f():\n    from p2p_schotten.protocol import peer",
            "engine may not import p2p_schotten.protocol",
        ),
        ("engine.claim", "if TYPE_CHECKING:\n    import p2p_schotten.cli", "engine may not import p2p_schotten.cli"),
        ("protocol.session", "from p2p_schotten.net import link", "protocol may not import p2p_schotten.net.link"),
        ("transcript", "from p2p_schotten.journal import Journal", "transcript may not import p2p_schotten.journal"),
        ("transcript", "from p2p_schotten import home", "transcript may not import p2p_schotten.home"),
        ("journal", "from p2p_schotten.transcript import verify", "journal may not import p2p_schotten.transcript"),
        ("bots.greedy", "from p2p_schotten.protocol import peer", "bots may not import p2p_schotten.protocol.peer"),
        ("bots.greedy", "from p2p_schotten.crypto import group", "bots may not import p2p_schotten.crypto.group"),
        ("net.link", "from p2p_schotten.bots import base", "net may not import p2p_schotten.bots.base"),
        ("net.link", "from p2p_schotten.cli import main", "net may not import p2p_schotten.cli.main"),
        ("ids", "from p2p_schotten.engine import cards", "ids may not import p2p_schotten.engine.cards"),
        ("protocol.peer", "import trio", "only arena, cli, net may import trio"),
        ("journal", "import trio.lowlevel", "only arena, cli, net may import trio"),
        ("ui.plain", "import trio", "only arena, cli, net may import trio"),
        ("crypto.dleq", "from nacl import bindings", "only crypto.group may import nacl"),
        ("net.tls", "import importlib\nimportlib.import_module('nacl.bindings')", "only crypto.group may import nacl"),
        ("crypto.group", "import cryptography", "only crypto.identity, net.tls may import cryptography"),
        ("engine.rules", "import random", "engine is pure and may not import random"),
        ("engine.rules", "from os import urandom", "engine is pure and may not import os"),
        ("crypto.secret", "import secrets", "crypto is pure and may not import secrets"),
        ("protocol.session", "import time as _t", "protocol is pure and may not import time"),
        ("protocol.file", "from io import BytesIO", "protocol is pure and may not import io"),
        ("protocol.session", "from datetime import datetime", "protocol is pure and may not import datetime"),
    ],
)
def test_an_import_that_points_up_or_aside_is_seen(module: str, source: str, complaint: str) -> None:
    found = faults(source, f"{PACKAGE}.{module}")
    assert len(found) == 1
    assert complaint in found[0]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("engine.rules", "import itertools\nfrom p2p_schotten.ids import Seat\nfrom p2p_schotten.engine import claim"),
        ("crypto.group", "from nacl import bindings"),
        ("crypto.identity", "from cryptography.hazmat.primitives import hashes\nfrom .group import check_point"),
        ("net.tls", "import cryptography, ssl, trio, os"),
        (
            "transcript",
            "from p2p_schotten.protocol.session import advance\nfrom p2p_schotten.engine.rules import apply",
        ),
        ("cli.play", "from p2p_schotten import __version__, transcript\nfrom p2p_schotten.ui import plain"),
    ],
)
def test_an_import_that_points_down_is_allowed(module: str, source: str) -> None:
    assert faults(source, f"{PACKAGE}.{module}") == []

"""The home folder: one identity per player, and the players met, in files that nobody else can read."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from p2p_schotten import home as home_module
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import JournalError, Malformed
from p2p_schotten.home import (
    Player,
    find_player,
    forget,
    home,
    known_players,
    load_identity,
    remember,
    rename,
)

ANN = Identity.generate(bytes(range(32))).public
BOB = Identity.generate(bytes(range(1, 33))).public


def test_the_home_is_where_the_variable_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SCHOTTEN_HOME", str(tmp_path / "elsewhere"))
    assert home() == tmp_path / "elsewhere"
    assert not home().exists()


def test_without_the_variable_it_is_where_the_system_keeps_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCHOTTEN_HOME", raising=False)
    assert home().name == "schotten"
    assert home().is_absolute()


def test_the_identity_is_made_once_and_stays(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    first = load_identity(folder)
    assert load_identity(folder).public == first.public
    assert [path.name for path in folder.iterdir()] == ["identity"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_nobody_else_can_read_the_identity(tmp_path: Path) -> None:
    load_identity(tmp_path / "home")
    path = tmp_path / "home" / "identity"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    load_identity(tmp_path / "home")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_programs_that_start_together_agree_on_one_identity(tmp_path: Path) -> None:
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(load_identity(tmp_path).public)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert set(found) == {load_identity(tmp_path).public}


def test_a_file_system_without_hard_links_has_an_identity_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(source: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuses)
    assert load_identity(tmp_path).public == load_identity(tmp_path).public


@pytest.mark.parametrize(
    "content", [b"", b"schotten identity 1 ", b"schotten identity 1 " + b"0" * 63 + b"\n", b"x" * 85, b"\xff" * 85]
)
def test_a_damaged_identity_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "identity").write_bytes(content)
    with pytest.raises(Malformed, match="not an identity"):
        load_identity(tmp_path)
    assert (tmp_path / "identity").read_bytes() == content


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def an_endless_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("name", ["identity", "known.json"])
@pytest.mark.parametrize("make", [a_pipe, an_endless_device, a_folder])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, make: Callable[[Path], None], name: str) -> None:
    path = tmp_path / name
    make(path)
    mode = path.stat().st_mode
    with pytest.raises((Malformed, JournalError), match=name):
        load_identity(tmp_path) if name == "identity" else known_players(tmp_path)
    assert path.stat().st_mode == mode


@pytest.mark.parametrize("name", ["identity", "known.json"])
def test_of_a_huge_file_no_more_is_read_than_may_stand_there(tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(1 << 40)  # sparse: it takes no room
    with pytest.raises(Malformed, match=name):
        load_identity(tmp_path) if name == "identity" else known_players(tmp_path)


def test_a_full_list_of_players_is_kept_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(tmp_path, ANN, "ann")
    before = (tmp_path / "known.json").read_bytes()
    monkeypatch.setattr(home_module, "MAX_KNOWN", len(before) + 50)
    with pytest.raises(JournalError, match=r"known\.json: the list of known players is full"):
        remember(tmp_path, BOB, "bob")
    assert (tmp_path / "known.json").read_bytes() == before
    assert known_players(tmp_path) == (Player(ANN, "ann"),)
    assert forget(tmp_path, ANN)


def test_a_home_that_is_a_file_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")
    with pytest.raises(JournalError, match="home"):
        load_identity(tmp_path / "home")


def test_a_player_is_met_named_and_forgotten(tmp_path: Path) -> None:
    assert known_players(tmp_path) == ()
    assert remember(tmp_path, ANN, "ann") is None
    assert remember(tmp_path, BOB, "bob") is None
    assert remember(tmp_path, ANN, "anna") == Player(ANN, "ann")
    assert known_players(tmp_path) == (Player(ANN, "anna"), Player(BOB, "bob"))
    rename(tmp_path, BOB, "uncle")
    assert remember(tmp_path, BOB, "robert") == Player(BOB, "uncle", given=True)
    assert find_player(tmp_path, BOB) == Player(BOB, "uncle", given=True)
    assert forget(tmp_path, ANN)
    assert not forget(tmp_path, ANN)
    assert known_players(tmp_path) == (Player(BOB, "uncle", given=True),)


def test_a_name_can_be_given_before_the_first_game(tmp_path: Path) -> None:
    rename(tmp_path, ANN, "ann")
    assert known_players(tmp_path) == (Player(ANN, "ann", given=True),)


def test_neither_a_hostile_name_nor_a_small_order_key_is_remembered(tmp_path: Path) -> None:
    for key, name in ((ANN, "\x1b[2J"), (bytes(32), "zero"), (ANN[:31], "short")):
        with pytest.raises(Malformed):
            remember(tmp_path, key, name)
    assert known_players(tmp_path) == ()


PLAYER = {"key": ANN.hex(), "name": "ann", "given": False}


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b"[" * 100_000,
        b"\xff",
        json.dumps({"form": 2, "players": []}).encode(),
        json.dumps({"form": 1, "players": [], "more": 1}).encode(),
        json.dumps({"form": 1, "players": [PLAYER, PLAYER]}).encode(),
        json.dumps({"form": 1, "players": [{**PLAYER, "given": 1}]}).encode(),
        json.dumps({"form": 1, "players": [{**PLAYER, "name": "\x1b[2J"}]}).encode(),
        json.dumps({"form": 1, "players": [{**PLAYER, "key": "00" * 32}]}).encode(),
        json.dumps({"form": 1, "players": [{**PLAYER, "key": "zz"}]}).encode(),
        json.dumps({"form": 1, "players": [{**PLAYER, "key": ANN.hex().upper()}]}).encode(),
    ],
)
def test_a_damaged_list_of_players_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "known.json").write_bytes(content)
    for attempt in (lambda: known_players(tmp_path), lambda: remember(tmp_path, BOB, "bob")):
        with pytest.raises(Malformed, match=r"known\.json"):
            attempt()
    assert (tmp_path / "known.json").read_bytes() == content


def test_a_write_that_fails_leaves_the_old_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(tmp_path, ANN, "ann")
    before = (tmp_path / "known.json").read_bytes()

    def fails(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(JournalError, match="No space left"):
        remember(tmp_path, BOB, "bob")
    assert (tmp_path / "known.json").read_bytes() == before

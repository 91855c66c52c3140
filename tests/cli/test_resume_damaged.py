"""`schotten resume` where something of the game is missing or damaged: one line, a hint, a status."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.file import HEADER, frame
from tests.cli.said import ALONE, Said, files
from tests.cli.standing import DEALT, Standing
from tests.cli.test_resume_which import going_on

HOST, GUEST = SEATS


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(monkeypatch, capsys)


def test_without_its_mark_a_seat_goes_on_only_when_the_player_says_so(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add()
    standing.secret(HOST, "mark").unlink()
    before = files(standing.homes[HOST])
    status, lines = said(standing.homes[HOST], *ALONE)
    assert status == 4
    assert len(lines) == 2
    assert lines[1] == (
        "hint: --without-mark goes on all the same; with an older copy of the game it can make you look like a cheat"
    )
    assert files(standing.homes[HOST]) == before
    status, lines = said(standing.homes[HOST], "--without-mark", "--wait", "1")
    assert status == 4
    going_on(standing, HOST, lines)
    assert standing.secret(HOST, "mark").exists()
    status, lines = said(standing.homes[HOST], *ALONE)
    assert lines[0] == f"Going on with game {standing.game[:12]} after {DEALT} records."


def test_without_its_seed_no_seat_can_go_on(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add()
    standing.secret(HOST, "seed").unlink()
    assert said(standing.homes[HOST])[1][0] == "schotten: no game stands unfinished here"
    assert said(standing.homes[HOST], standing.game)[1] == [
        f"schotten: {standing.game}: its seed is not here, and no seat goes on without one"
    ]


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_that_is_none_is_told_by_its_path(tmp_path: Path, said: Said, seed: bytes) -> None:
    standing = Standing(tmp_path).add()
    path = standing.secret(HOST, "seed")
    path.chmod(0o600)
    path.write_bytes(seed)
    status, lines = said(standing.homes[HOST], *ALONE)
    assert status != 0
    assert len(lines) == 1
    assert lines[0].startswith(f"schotten: {path}: ")


def test_another_seed_than_the_one_committed_to_says_nothing_over_the_network(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add()
    standing.secret(HOST, "seed").write_bytes(os.urandom(32))
    status, lines = said(standing.homes[HOST], *ALONE)
    assert status != 0
    assert len(lines) == 1
    assert "seat 0 committed to another seed than the one kept here" in lines[0]


def test_what_is_wrong_with_my_seat_makes_nobody_take_the_other_one_here(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path, ("", "greedy"), beside=True).add()
    standing.secret(HOST, "seed").write_bytes(bytes(32))
    before = files(standing.homes[HOST])
    status, lines = said(standing.homes[HOST])
    assert status == 5
    assert lines == [
        "schotten: the journal does not fit: "
        "record 2: commitment: seat 0 committed to another seed than the one kept here"
    ]
    assert files(standing.homes[HOST]) == before


def test_another_identity_than_the_one_that_played_is_refused(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add()
    for path in standing.homes[HOST].glob("identity*"):
        path.unlink()
    status, lines = said(standing.homes[HOST], *ALONE)
    assert status != 0
    assert len(lines) == 1
    assert "the key here is" in lines[0]


@pytest.mark.parametrize("data", [b"", b"{", b'{"form": 2}', b"\xff" * 100, b"[" * 10_000])
def test_a_standby_that_is_none_is_told_by_its_path(tmp_path: Path, said: Said, data: bytes) -> None:
    standing = Standing(tmp_path).add()
    standing.secret(HOST, "json").write_bytes(data)
    status, lines = said(standing.homes[HOST], *ALONE)
    assert status != 0
    assert len(lines) == 1
    assert str(standing.secret(HOST, "json")) in lines[0]


def test_a_torn_end_is_cut_and_the_record_before_it_is_the_last(tmp_path: Path, said: Said) -> None:
    standing = Standing(tmp_path).add()
    path, whole = standing.path(HOST), standing.path(HOST).read_bytes()
    path.write_bytes(whole + frame(standing.games[0].records[DEALT])[:-1])
    status, lines = said(standing.homes[HOST], "--wait", "1")
    assert status == 4
    going_on(standing, HOST, lines)
    assert path.read_bytes() == whole


def test_a_game_that_ended_with_a_fault_does_not_go_on_until_its_evidence_is_moved_away(
    tmp_path: Path, said: Said
) -> None:
    standing = Standing(tmp_path).add()
    evidence = standing.path(HOST).with_name("0-1.evidence")
    evidence.write_bytes(b"")
    status, lines = said(standing.homes[HOST], standing.game[:12])
    assert (status, lines) == (
        3,
        [
            f"schotten: the game ended with a break of the protocol: {evidence}",
            "hint: schotten verify reads it; move it away to go on all the same",
        ],
    )
    evidence.rename(tmp_path / "moved")
    status, lines = said(standing.homes[HOST], "--wait", "1")
    assert status == 4
    going_on(standing, HOST, lines)


@pytest.mark.parametrize("whole", [True, False])
def test_of_a_lost_journal_its_standby_knows_whom_to_look_for(tmp_path: Path, said: Said, whole: bool) -> None:
    standing = Standing(tmp_path).add()
    standing.path(HOST).unlink()
    if not whole:
        standing.secret(HOST, "json").unlink()
    status, lines = said(standing.homes[HOST], standing.game[:12], "--wait", "1")
    assert status == 4
    if whole:
        assert lines[0].startswith(f"This journal is older than what you have signed: {DEALT} records must come back")
        assert lines[-1].endswith(f"127.0.0.1:{standing.ports[GUEST]}: nobody listens there")
    else:
        assert lines[-1] == "schotten: nothing is left of this game, not even who the other player is"


@pytest.mark.parametrize(("lost", "words"), [(1, "1 record"), (3, "3 records"), (DEALT, f"{DEALT} records")])
def test_a_journal_that_is_older_than_what_was_signed_says_so(
    tmp_path: Path, said: Said, lost: int, words: str
) -> None:
    standing = Standing(tmp_path).add()
    path = standing.path(HOST)
    records = standing.games[0].records[: DEALT - lost]
    path.write_bytes(HEADER + b"".join(map(frame, records)))
    status, lines = said(standing.homes[HOST], *ALONE)
    assert status == 4
    assert lines[:2] == [
        f"This journal is older than what you have signed: {words} must come back from the other side.",
        f"Going on with game {standing.game[:12]} after {DEALT - lost} records.",
    ]
    assert path.read_bytes() == HEADER + b"".join(map(frame, records))

"""Every kind of file that the program makes is its owner's alone, also where the umask would let everybody read it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_schotten.absence import Absence, absence_path, write_absence
from p2p_schotten.home import load_identity, remember, rename
from p2p_schotten.ids import SEATS
from p2p_schotten.journal import Journal
from p2p_schotten.standby import Standby, save_standby, standby_path
from tests.protocol.pair import identity_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows keeps a home folder from others in its own way")

GAME, SEED = bytes(range(32)), bytes(range(32, 64))
SEAT = SEATS[0]


@pytest.fixture(params=[0o000, 0o022], ids=["umask 000", "umask 022"])
def mask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(home: Path) -> dict[str, int]:
    """The mode of each file and folder below, by its path."""
    return {str(path.relative_to(home)): stat.S_IMODE(path.stat().st_mode) for path in home.rglob("*")}


@pytest.mark.usefixtures("mask")
def test_every_file_of_a_home_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    load_identity(home)
    remember(home, identity_of(1, SEAT).public, "Bob")
    rename(home, identity_of(1, SEAT).public, "Robert")
    journal = Journal(home, SEAT)
    journal.append(b"a HELLO")
    journal.begin(GAME, SEED)
    evidence = journal.evidence(b"a refused record")
    save_standby(standby_path(home, GAME, SEAT), Standby(SEED, "", 4711, ()))
    assert journal.path is not None
    write_absence(absence_path(journal.path), Absence(GAME, 1, SEED, SEAT, 60, 0))
    found = modes(home)  # while the journal is open, and its lock with it
    journal.close()
    game = f"{GAME.hex()}-{SEAT}"
    assert evidence is not None
    assert found == {
        "identity": 0o600,
        "known.json": 0o600,
        "games": 0o700,
        f"games/{GAME.hex()}": 0o700,
        f"games/{GAME.hex()}/{SEAT}.schotten": 0o600,
        f"games/{GAME.hex()}/{SEAT}.absence": 0o600,
        f"games/{GAME.hex()}/{evidence.name}": 0o600,
        "seeds": 0o700,
        **{f"seeds/{game}.{ending}": 0o600 for ending in ("seed", "mark", "lock", "json")},
    }
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.usefixtures("mask")
def test_an_identity_that_others_could_read_is_closed_again(tmp_path: Path) -> None:
    """As it may come out of a backup or a copy."""
    before = load_identity(tmp_path).public
    (tmp_path / "identity").chmod(0o644)
    assert load_identity(tmp_path).public == before
    assert modes(tmp_path) == {"identity": 0o600}


@pytest.mark.usefixtures("mask")
def test_a_file_that_is_replaced_is_closed_again(tmp_path: Path) -> None:
    path = standby_path(tmp_path, GAME, SEAT)
    save_standby(path, Standby(b"", "greedy", 1, ()))
    path.chmod(0o666)
    save_standby(path, Standby(b"", "greedy", 2, ()))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

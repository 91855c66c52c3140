"""The doors that files of the home folder come through: anybody may have changed them, or half written them."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import Malformed
from p2p_schotten.home import IDENTITY, KNOWN, known_players, load_identity, remember
from tests.fuzz.mutate import Shape
from tests.fuzz.target import Target, check_sentence


@cache
def _home() -> tempfile.TemporaryDirectory[str]:
    """One folder for all inputs of a run: it is gone when the program ends."""
    memory = Path("/dev/shm")  # hundreds of thousands of files are written: better not on a disk
    return tempfile.TemporaryDirectory(prefix="schotten-fuzz-", dir=memory if memory.is_dir() else None)


def _folder() -> Path:
    return Path(_home().name)


def _written(name: str, data: bytes) -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


def _sentence_without_path(error: Malformed) -> None:
    check_sentence(error)
    assert str(_folder()) in str(error), "a file that is refused is named"


def known(data: bytes) -> bool:
    """The list of players: what is read is written again as the same list."""
    _written(KNOWN, data)
    try:
        players = known_players(_folder())
    except Malformed as error:
        _sentence_without_path(error)
        assert _written(KNOWN, data).read_bytes() == data
        return False
    assert len({player.key for player in players}) == len(players)
    assert all(player.name.isprintable() for player in players)
    for player in players[:1]:
        remember(_folder(), player.key, "another" if player.name != "another" else "one")
        assert len(known_players(_folder())) == len(players)
    return True


def identity(data: bytes) -> bool:
    """The key: a file that holds none is refused and stays as it is."""
    path = _written(IDENTITY, data)
    try:
        found = load_identity(_folder())
    except Malformed as error:
        _sentence_without_path(error)
        assert found_again(path, data)
        return False
    assert found.private_bytes().hex().encode() in data
    assert found_again(path, data)
    return True


def found_again(path: Path, data: bytes) -> bool:
    """A file that was read still holds what it held."""
    return path.read_bytes() == data


def _known_seeds() -> tuple[bytes, ...]:
    keys = [Identity(bytes([number]) * 32).public.hex() for number in range(1, 4)]
    players = [{"key": key, "name": f"player {key[:3]}", "given": bool(key < "8")} for key in keys]
    lists: tuple[object, ...] = (
        {"form": 1, "players": players},
        {"form": 1, "players": []},
        {"form": 1, "players": players[:1]},
    )
    return tuple(json.dumps(value).encode() for value in lists)


def _identity_seeds() -> tuple[bytes, ...]:
    return tuple(b"schotten identity 1 " + (bytes([number]) * 32).hex().encode() + b"\n" for number in (1, 200))


FILES = (
    Target("known", known, _known_seeds, Shape.JSON, 3, ("form", "players", "key", "name", "given")),
    Target("identity", identity, _identity_seeds, Shape.BYTES, 2),
)

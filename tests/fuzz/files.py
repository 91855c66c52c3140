"""The doors that files of the home folder come through: anybody may have changed them, or half written them."""

from __future__ import annotations

import json
import os
import tempfile
from functools import cache
from pathlib import Path

from p2p_schotten.absence import Absence, absence_path, read_absence, write_absence
from p2p_schotten.cli.order import read_order
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.disk import secret_file
from p2p_schotten.errors import JournalError, Malformed, TranscriptError
from p2p_schotten.home import IDENTITY, KNOWN, known_players, load_identity, remember
from p2p_schotten.ids import SEATS
from p2p_schotten.journal import Journal
from p2p_schotten.mark import HEADER as MARK_HEADER
from p2p_schotten.mark import Mark
from p2p_schotten.protocol.absent import Word
from p2p_schotten.protocol.file import HEADER, frame, read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind
from p2p_schotten.standby import Standby, load_standby, save_standby, standby_path
from tests.disks import Content, MemoryDisk
from tests.fuzz.games import SEED, short
from tests.fuzz.mutate import Shape
from tests.fuzz.target import Target, check_sentence
from tests.protocol.pair import identity_of

HOME = Path("/home")
GAME = bytes(range(32))
KEY = identity_of(SEED, SEATS[0])


@cache
def _home() -> tempfile.TemporaryDirectory[str]:
    """One folder for all inputs of a run: it is gone when the program ends."""
    memory = Path("/dev/shm")  # hundreds of thousands of files are written: better not on a disk
    there = memory.is_dir() and "TMPDIR" not in os.environ
    return tempfile.TemporaryDirectory(prefix="schotten-fuzz-", dir=memory if there else None)


def _folder() -> Path:
    return Path(_home().name)


def _written(name: str, data: bytes) -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


def _check_names(error: Malformed, path: Path) -> None:
    check_sentence(error)
    assert str(path) in str(error), "a file that is refused is named"


def known(data: bytes) -> bool:
    """The list of players: what is read is written again as the same list."""
    path = _written(KNOWN, data)
    try:
        players = known_players(_folder())
    except Malformed as error:
        _check_names(error, path)
        assert found_again(path, data)
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
        _check_names(error, path)
        assert found_again(path, data)
        return False
    assert found.private_bytes().hex().encode() in data
    assert found_again(path, data)
    return True


def found_again(path: Path, data: bytes) -> bool:
    """A file that was read still holds what it held."""
    return path.read_bytes() == data


def standby(data: bytes) -> bool:
    """What a seat needs to go on: what is read is written as the same again."""
    path = standby_path(HOME, GAME, SEATS[0])
    disk = _disk({path: data})
    try:
        found = load_standby(path, disk)
    except Malformed as error:
        _check_names(error, path)
        return False
    save_standby(path, found, disk)
    assert load_standby(path, disk) == found
    return True


def absence(data: bytes) -> bool:
    """A win by absence: what is read is written as the same again."""
    path = absence_path(_journal_path())
    disk = _disk({path: data})
    try:
        found = read_absence(path, disk)
    except Malformed as error:
        _check_names(error, path)
        return False
    assert found is not None, "the file is there"
    write_absence(path, found, disk)
    assert read_absence(path, disk) == found
    return True


def mark(data: bytes) -> bool:
    """A high-water mark: what is whole stays, what is torn is cut off once, a damaged one is refused and left alone."""
    path = secret_file(HOME, GAME, SEATS[0], "mark")
    disk = _disk({path: data})
    try:
        opened = Mark.open(disk, path)
    except JournalError as error:
        check_sentence(error)
        assert disk.files[path].seen == data
        return False
    assert data.startswith(disk.files[path].seen)
    assert opened.floor == max(opened.signed, default=-1) + 1
    opened.add({opened.floor: GAME})
    again = Mark.open(disk, path)
    assert again.signed == opened.signed
    assert again.floor == opened.floor
    return True


def journal(data: bytes) -> bool:
    """The journal of a seat of the short game, whose seed and mark are as they were.

    What is taken is a game to go on with, or JournalError says why not; what is refused is left alone.
    """
    peer = short().end.peers[0]
    path, game = _journal_path(peer.game_id), peer.game_id
    assert game is not None
    kept = {secret_file(HOME, game, peer.seat, "seed"): peer.secret_seed}
    kept[secret_file(HOME, game, peer.seat, "mark")] = _mark_bytes()
    disk = _disk({path: data, **kept})
    try:
        opened, items = Journal.open(path, disk=disk)
    except (JournalError, TranscriptError) as error:
        check_sentence(error)
        assert {name: content.seen for name, content in disk.files.items()} == {path: data, **kept}
        return False
    assert read_file(disk.files[path].seen).items == items
    assert opened.count + opened.lacks >= opened.floor
    opened.close()
    _, again = Journal.open(path, disk=disk)
    assert again == items
    try:
        twin = Peer.restore(peer.seat, KEY, peer.secret_seed, items, floor=opened.floor, game_id=game)
    except JournalError as error:
        check_sentence(error)
        return False
    assert twin.frames() == []
    assert twin.records == peer.records[: len(twin.records)], "nobody else can sign for both"
    return True


def order(data: bytes) -> bool:
    """The line that tells a second peer what to play."""
    try:
        found = read_order(data)
    except Malformed as error:
        check_sentence(error)
        return False
    assert 0 <= int(found["seed"]) < 10**20
    assert read_order(json.dumps(found).encode()) == found
    return True


def _disk(files: dict[Path, bytes]) -> MemoryDisk:
    """A disk with these files, all of them safe."""
    contents = {path: Content(data, data) for path, data in files.items()}
    folders = {Path("/"), *(folder for path in files for folder in path.parents)}
    return MemoryDisk(files=contents, safe_files=dict(contents), folders=folders, safe_folders=set(folders))


def _journal_path(game: bytes | None = None) -> Path:
    return HOME / "games" / (game or GAME).hex() / "0.schotten"


@cache
def _mark_bytes() -> bytes:
    """The mark of seat 0 after the short game, as the program writes it."""
    disk = MemoryDisk(folders={Path("/"), HOME})
    path = HOME / "seeds" / "mark"
    made = Mark.create(disk, path)
    made.add({record.seq: record.head() for record in short().records if record.seat == 0 and record.kind > Kind.HELLO})
    return disk.files[path].seen


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


def _standby_seeds() -> tuple[bytes, ...]:
    path = standby_path(HOME, GAME, SEATS[0])
    found = []
    for one in (Standby(bytes(32), "greedy", 0, ()), Standby(b"", "", 4711, ("192.0.2.7:4711", "[::1]:1"))):
        disk = _disk({})
        save_standby(path, one, disk)
        found.append(disk.files[path].seen)
    return tuple(found)


def _absence_seeds() -> tuple[bytes, ...]:
    path = absence_path(_journal_path())
    found = []
    for word in (Word.CLAIM, Word.AGREED):
        disk = _disk({})
        write_absence(path, Absence(GAME, 17, GAME, SEATS[1], 120, 1_800_000_000, word), disk)
        found.append(disk.files[path].seen)
    return tuple(found)


def _mark_seeds() -> tuple[bytes, ...]:
    whole = _mark_bytes()
    return whole, whole[:-7], whole[: len(MARK_HEADER)], whole + bytes(9)


def _journal_seeds() -> tuple[bytes, ...]:
    records, peer = [record.data for record in short().records], short().before(len(short().records) - 1).peers
    close = next((made for one in peer if (made := one.close_alone()) is not None), b"")
    whole = HEADER + b"".join(map(frame, records))
    closed = (HEADER + b"".join(map(frame, [*records[:-1], close])),) if close else ()
    return whole, whole[:-20], whole + bytes(12), HEADER, b"", HEADER[:7], *closed


def _order_seeds() -> tuple[bytes, ...]:
    always = {"home": "/home/ann/.local/share/schotten", "invite": "127.0.0.1:4711", "seed": str(2**64)}
    return tuple(
        json.dumps({**always, **more}).encode() for more in ({"bot": "greedy"}, {"game": "0f" * 32, "seat": "1"})
    )


FILES = (
    Target("known", known, _known_seeds, Shape.JSON, 3, ("form", "players", "key", "name", "given")),
    Target("identity", identity, _identity_seeds, Shape.BYTES, 2),
    Target("standby", standby, _standby_seeds, Shape.JSON, 5, ("form", "identity", "bot", "port", "addresses", "::1")),
    Target("absence", absence, _absence_seeds, Shape.JSON, 5, ("form", "game", "seq", "head", "by", "when", "answer")),
    Target("mark", mark, _mark_seeds, Shape.BYTES, 5),
    Target("journal", journal, _journal_seeds, Shape.BYTES, 2),
    Target("order", order, _order_seeds, Shape.JSON, 5, ("home", "invite", "seed", "bot", "game", "seat")),
)

"""The player's home folder: the identity, the players met, and where games and seeds lie.

    HOME/identity      one line: "schotten identity 1 " and the private key as 64 hexadecimal digits (mode 0600)
    HOME/known.json    the players met: key, name, and whether I gave the name
    HOME/games         one folder per game (journal.py)
    HOME/seeds         one file per game and seat (journal.py)
    HOME/bots.log      what bots that are programs wrote to their standard error

Files are replaced in one step: a crash leaves the old one or the new one, never half of one.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from p2p_schotten.crypto.identity import Identity, check_identity
from p2p_schotten.disk import DISK, replace_file, words, write_beside
from p2p_schotten.errors import InvalidProof, JournalError, Malformed
from p2p_schotten.text import check_name, is_hex

VARIABLE = "SCHOTTEN_HOME"
IDENTITY = "identity"
KNOWN = "known.json"
BOT_LOG = "bots.log"
FORM = 1
MAX_KNOWN = 4 * 1024 * 1024  # bytes; some 30,000 players, more were never met by anybody
_BEGIN = f"schotten identity {FORM} "
_PRIVATE_BYTES = 32
_KEY_DIGITS = 64  # hexadecimal, of a public key
_MAX_IDENTITY = len(_BEGIN) + 2 * _PRIVATE_BYTES + 1


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody met before. `given`: the name is mine for him, not the one he said."""

    key: bytes  # 32-byte Ed25519 public key
    name: str
    given: bool = False


def home() -> Path:
    """The home folder: SCHOTTEN_HOME if set, else where the system keeps the data of programs. It need not exist."""
    moved = os.environ.get(VARIABLE)
    if moved:
        return Path(moved).expanduser()
    import platformdirs  # not needed by somebody who moved it, and not free at start

    return Path(platformdirs.user_data_dir("schotten", appauthor=False))


def load_identity(folder: Path) -> Identity:
    """My identity; made at the first time. Two programs that start together agree on one.

    Raises Malformed when the file holds no identity, JournalError when it cannot be read or written.
    """
    path = folder / IDENTITY
    try:
        DISK.make_folder(folder)
        if not path.exists():
            _write_once(path, (_BEGIN + Identity.generate().private_bytes().hex() + "\n").encode())
        identity = _read_identity(path)
        if sys.platform != "win32" and path.stat().st_mode & 0o077:
            path.chmod(0o600)  # a key that came out of a backup or a copy
        return identity
    except OSError as error:
        raise JournalError(_words(path, error)) from error


def known_players(folder: Path) -> tuple[Player, ...]:
    """Everybody met before, in the order of meeting; raises Malformed, JournalError."""
    path = folder / KNOWN
    try:
        data = DISK.read(path, MAX_KNOWN) if path.exists() else b""
    except OSError as error:
        raise JournalError(_words(path, error)) from error
    return _read_known(path, data) if data else ()


def find_player(folder: Path, key: bytes) -> Player | None:
    """Who has this key, if he was met before."""
    return next((player for player in known_players(folder) if player.key == key), None)


def remember(folder: Path, key: bytes, name: str) -> Player | None:
    """The player stands among the known ones, under the name he said unless I gave him one. Returns who he was before.

    Raises Malformed for a name or key that cannot be one, JournalError where the list cannot be written or is full.
    """
    players = known_players(folder)
    before = next((player for player in players if player.key == key), None)
    if before is None:
        _save(folder, (*players, _checked(key, name)))
    elif not before.given and before.name != name:
        _save(folder, _replaced(players, _checked(key, name)))
    return before


def rename(folder: Path, key: bytes, name: str) -> None:
    """From now on the player with this key is called `name`, whatever he says; raises Malformed."""
    players = known_players(folder)
    mine = Player(key, _checked(key, name).name, given=True)
    met = any(player.key == key for player in players)
    _save(folder, _replaced(players, mine) if met else (*players, mine))


def forget(folder: Path, key: bytes) -> bool:
    """The player is known no more; false when he was not."""
    players = known_players(folder)
    kept = tuple(player for player in players if player.key != key)
    if len(kept) == len(players):
        return False
    _save(folder, kept)
    return True


def _read_identity(path: Path) -> Identity:
    data = DISK.read(path, _MAX_IDENTITY)
    begin, end = _BEGIN.encode(), len(_BEGIN) + 2 * _PRIVATE_BYTES
    digits = data[len(begin) : end].decode(errors="replace")
    if not data.startswith(begin) or data[end:] != b"\n" or not is_hex(digits, 2 * _PRIVATE_BYTES):
        raise Malformed(f"{path}: not an identity of this program; move it away to get a new one")
    return Identity(bytes.fromhex(digits))


def _read_known(path: Path, data: bytes) -> tuple[Player, ...]:
    refused = Malformed(f"{path}: not a list of known players; move it away to begin a new one")
    if len(data) > MAX_KNOWN:
        raise refused
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        raise refused from None
    match value:
        case {"form": 1, "players": list(items), **rest} if not rest:
            players = tuple(_read_player(item, refused) for item in items)
        case _:
            raise refused
    if len({player.key for player in players}) != len(players):
        raise refused
    return players


def _read_player(item: object, refused: Malformed) -> Player:
    match item:
        case {"key": str(key), "name": str(name), "given": bool(given), **rest} if not rest:
            if not is_hex(key, _KEY_DIGITS):
                raise refused
            try:
                player = _checked(bytes.fromhex(key), name)
            except Malformed:
                raise refused from None
            return Player(player.key, player.name, given)
        case _:
            raise refused


def _checked(key: bytes, name: str) -> Player:
    try:
        return Player(check_identity(key), check_name(name))
    except InvalidProof as error:
        raise Malformed(str(error)) from None


def _replaced(players: tuple[Player, ...], new: Player) -> tuple[Player, ...]:
    return tuple(new if player.key == new.key else player for player in players)


def _save(folder: Path, players: tuple[Player, ...]) -> None:
    items = [{"key": player.key.hex(), "name": player.name, "given": player.given} for player in players]
    data = json.dumps({"form": FORM, "players": items}, ensure_ascii=False, indent=1).encode() + b"\n"
    path = folder / KNOWN
    if len(data) > MAX_KNOWN:
        raise JournalError(f"{path}: the list of known players is full; forget some of them")
    try:
        replace_file(DISK, path, data)
    except OSError as error:
        raise JournalError(_words(path, error)) from error


def _write_once(path: Path, data: bytes) -> None:
    """`path` holds these bytes, safe, unless somebody was faster; it never holds half of them."""
    new = write_beside(DISK, path, data)
    try:
        with contextlib.suppress(FileExistsError):
            if sys.platform == "win32":
                new.rename(path)  # refuses to replace there
            else:
                _link(new, path)
    finally:
        new.unlink(missing_ok=True)
    DISK.sync_folder(path.parent)


def _link(new: Path, path: Path) -> None:
    try:
        os.link(new, path)
    except PermissionError:  # a file system without hard links: the name cannot be taken in one step
        if not path.exists():
            new.replace(path)


def _words(path: Path, error: OSError) -> str:
    return f"{path}: {words(error)}"

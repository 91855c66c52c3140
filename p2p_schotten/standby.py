"""What a seat needs besides its seed and its journal to go on after a crash, kept beside the seed.

    HOME/seeds/<game id>-<seat>.json
    {"form": 1, "identity": "", "other": "d759...", "bot": "", "forfeit": false, "port": 4711,
     "addresses": ["host:4711"]}

`forfeit` may be missing: then it is false.

The file is replaced in one step: a crash leaves the old one or the new one, never half of one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from p2p_schotten.disk import DISK, Disk, replace_file, secret_file, words
from p2p_schotten.errors import JournalError, Malformed
from p2p_schotten.ids import Seat
from p2p_schotten.text import clean_text, is_hex

FORM = 1
PRIVATE_BYTES = KEY_BYTES = 32
MAX_PORT = 65_535
MAX_ADDRESSES = 16  # a machine with more interfaces is known by the first of them
MAX_ADDRESS = 110  # characters: the longest address of an invite, with its port
MAX_BOT = 500  # characters: how the bot was asked for, a command with its options
MAX_STANDBY = 32 * 1024  # bytes; the largest has some 27 kB, if every character of it is escaped


@dataclass(frozen=True, slots=True)
class Standby:
    """How a seat goes on. Raises Malformed where a field cannot be one."""

    identity: bytes = field(repr=False)  # the private key if it is a throw-away one; empty: it is that of the home
    bot: str  # how the bot that holds the seat was asked for, empty for a person
    port: int  # where this side listens; 0 for wherever the system likes
    addresses: tuple[str, ...]  # where the other side can be dialed, as host:port
    other: bytes = b""  # the public key of the other side, 32 bytes; empty where it is not known
    forfeit: bool = False  # a bot that stops gives the game up

    def __post_init__(self) -> None:
        if len(self.identity) not in (0, PRIVATE_BYTES):
            raise Malformed(f"identity: expected {PRIVATE_BYTES} bytes or none, got {len(self.identity)}")
        if len(self.other) not in (0, KEY_BYTES):
            raise Malformed(f"other: expected {KEY_BYTES} bytes or none, got {len(self.other)}")
        if not 0 <= self.port <= MAX_PORT:
            raise Malformed(f"port: expected 0 to {MAX_PORT}, got {self.port}")
        if len(self.addresses) > MAX_ADDRESSES:
            raise Malformed(f"addresses: expected at most {MAX_ADDRESSES}, got {len(self.addresses)}")
        _check_line(self.bot, MAX_BOT, "bot")
        for address in self.addresses:
            if not address:
                raise Malformed("address: expected host:port, got nothing")
            _check_line(address, MAX_ADDRESS, "address")


def standby_path(home: Path, game_id: bytes, seat: Seat) -> Path:
    """Where the standby of this seat lies."""
    return secret_file(home, game_id, seat, "json")


def save_standby(path: Path, standby: Standby, disk: Disk = DISK) -> None:
    """The file holds this from now on, mode 0600, safe; raises JournalError, and then it holds what it held."""
    fields = {
        "form": FORM,
        "identity": standby.identity.hex(),
        "other": standby.other.hex(),
        "bot": standby.bot,
        "forfeit": standby.forfeit,
        "port": standby.port,
        "addresses": list(standby.addresses),
    }
    try:
        replace_file(disk, path, json.dumps(fields).encode() + b"\n")
    except OSError as error:
        raise JournalError(f"{path}: {words(error)}") from error


def load_standby(path: Path, disk: Disk = DISK) -> Standby:
    """What the file holds; raises Malformed when that is no standby, JournalError when it cannot be read."""
    try:
        data = disk.read(path, MAX_STANDBY)
    except OSError as error:
        raise JournalError(f"{path}: {words(error)}") from error
    try:
        return _read(data)
    except Malformed as error:
        raise Malformed(f"{path}: not what a seat needs to go on: {error}") from None


def _read(data: bytes) -> Standby:
    if len(data) > MAX_STANDBY:
        raise Malformed(f"expected at most {MAX_STANDBY} bytes")
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        raise Malformed("expected JSON") from None
    match value:
        case {
            "form": 1,
            "identity": str(identity),
            "other": str(key),
            "bot": str(bot),
            "port": int(port),
            "addresses": list(addresses),
            **rest,
        } if rest.keys() <= {"forfeit"} and not isinstance(port, bool):
            where = tuple(_text(address) for address in addresses)
            return Standby(_hex(identity), bot, port, where, _hex(key), _truth(rest.get("forfeit", False)))
        case _:
            raise Malformed("expected form 1, identity, other, bot, forfeit, port and addresses, and nothing else")


def _hex(text: str) -> bytes:
    if not is_hex(text, len(text)) or len(text) % 2:
        raise Malformed("identity and other: expected hexadecimal digits")
    return bytes.fromhex(text)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise Malformed("forfeit: expected true or false")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Malformed("address: expected text")
    return value


def _check_line(text: str, most: int, what: str) -> None:
    """Text of that length that could be shown as it is."""
    if len(text) > most or clean_text(text, most) != text:
        raise Malformed(f"{what}: expected at most {most} characters, none that could steer the terminal")

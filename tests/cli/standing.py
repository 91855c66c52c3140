"""Two homes in which one game stands, as two programs leave it that were killed at one moment: made in no time."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.home import IDENTITY, load_identity
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.journal import SUFFIX, Journal
from p2p_schotten.match import Form, Free, following, form_text, new_match, read_form
from p2p_schotten.net.sockets import free_port
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.messages import SINGLE_GAME, Options
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import read_record
from p2p_schotten.standby import Standby, save_standby, standby_path
from p2p_schotten.transcript import Verdict, verify
from tests.protocol.pair import Pair, gives_up

NAMES = ("ann", "bob")
DEALT = 9  # records when the first card is to be laid
WHOLE = None


@dataclass
class Standing:
    """Ann at seat 0 and bob at seat 1, each with a home below `folder`, and the ports where they listen.

    `bots`: who holds each seat, empty for a person. `beside`: bob is the second process of ann's `play`. `clock`: the
    agreed seconds for a turn.
    """

    folder: Path
    bots: tuple[str, str] = ("greedy", "uniform")
    form: Form = field(default_factory=Free)
    beside: bool = False
    clock: int | None = None
    homes: tuple[Path, Path] = field(init=False)
    ports: tuple[int, int] = field(init=False)
    games: list[Pair] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.homes = self.folder / "a", self.folder / "b"
        self.ports = free_port(), free_port()
        for home, data in zip(self.homes, _identity_files(), strict=True):
            home.mkdir(mode=0o700, parents=True)
            (home / IDENTITY).write_bytes(data)
            (home / IDENTITY).chmod(0o600)
        if self.beside:
            self.homes = self.homes[0], self.homes[0]

    @property
    def game(self) -> str:
        """The id of the last game, in hexadecimal digits."""
        game_id = self.games[-1].peers[0].game_id
        assert game_id is not None
        return game_id.hex()

    def path(self, seat: Seat, game: str = "") -> Path:
        """That seat's transcript of the last game."""
        return self.homes[seat] / "games" / (game or self.game) / f"{seat}{SUFFIX}"

    def secret(self, seat: Seat, ending: str) -> Path:
        """Its seed, mark or standby."""
        return self.homes[seat] / "seeds" / f"{self.game}-{seat}.{ending}"

    def add(self, counts: tuple[int | None, int | None] = (DEALT, DEALT), *, sitting: int = 0) -> Standing:
        """One more game, of which each seat has so many records (None: all). Another sitting: another game."""
        pair = _game(form_text(self.form), len(self.games) + 1 if self.games else 1, sitting, self.clock)
        self.games.append(pair)
        for seat in SEATS:
            self._write(pair.peers[seat], pair.records[: counts[seat]])
        return self

    def verdict(self) -> Verdict:
        """What a stranger says of the last game, of which both have the same bytes."""
        first, second = (self.path(seat).read_bytes() for seat in SEATS)
        assert first == second
        return verify(first)

    def signed(self, seat: Seat, count: int) -> list[int]:
        """The numbers of the records among the first `count` of the last game that this seat signed for it."""
        records = map(read_record, self.games[-1].records[2:count])
        return [record.seq for record in records if record.seat == seat]

    def count(self, seat: Seat) -> int:
        """How many records stand in that seat's journal."""
        return len(read_file(self.path(seat).read_bytes()).items)

    def _write(self, peer: Peer, records: list[bytes]) -> None:
        home, game_id = self.homes[peer.seat], peer.game_id
        assert game_id is not None
        journal = Journal(home, peer.seat)
        journal.begin(game_id, peer.secret_seed)
        for record in records:
            journal.append(record, own=read_record(record).seat == peer.seat)
        journal.close()
        save_standby(standby_path(home, game_id, peer.seat), self._standby(peer.seat))

    def _standby(self, seat: Seat) -> Standby:
        bot, other_key = self.bots[seat], _identity(other(seat)).public
        if self.beside:
            key = _identity(seat).private_bytes() if seat == SEATS[1] else b""
            return Standby(key, bot, 0, (), other_key)
        return Standby(b"", bot, self.ports[seat], (f"127.0.0.1:{self.ports[other(seat)]}",), other_key)


@cache
def _identity_files() -> tuple[bytes, bytes]:
    """What lies in a home, for ann and for bob."""
    with TemporaryDirectory() as folder:
        homes = [Path(folder, name) for name in NAMES]
        for home in homes:
            load_identity(home)
        return (homes[0] / IDENTITY).read_bytes(), (homes[1] / IDENTITY).read_bytes()


def _identity(seat: Seat) -> Identity:
    with TemporaryDirectory() as folder:
        Path(folder, IDENTITY).write_bytes(_identity_files()[seat])
        return load_identity(Path(folder))


@cache
def _game(form: str, number: int, sitting: int, clock: int | None) -> Pair:
    """The game of that number in a match of that form, given up after two cards."""
    before = None if number == 1 else _game(form, number - 1, sitting, clock).peers[0].session
    offer = _first_offer(form, clock) if before is None else following(before)
    peers = [
        Peer(
            seat,
            _identity(seat),
            NAMES[seat],
            offer.rules if seat == SEATS[0] else None,
            os.urandom,
            options=offer.options if seat == SEATS[0] else None,
            match=offer.match if seat == SEATS[0] else None,
            other_identity=_identity(other(seat)).public,
        )
        for seat in SEATS
    ]
    pair = Pair((peers[0], peers[1]))
    pair.events[0].extend(peers[0].start())
    pair._collect()
    return pair.play(gives_up(2))


def _first_offer(form: str, clock: int | None) -> Offer:
    read = read_form(BASE, form)
    if isinstance(read, Free):
        return Offer(BASE, Options(None, "", clock), SINGLE_GAME)
    return Offer(BASE, Options(None, form, clock), new_match(read, os.urandom))

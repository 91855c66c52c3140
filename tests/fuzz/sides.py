"""Two seats of one game, each with its peer and its journal on a disk of its own, and the connection between them.

Nothing here is made for the tests but the disk and the two queues: what a side does over a connection is what
`net.link` does, in the same order.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.errors import PeerFault
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.journal import Journal
from p2p_schotten.net.scribe import Scribe
from p2p_schotten.protocol.file import HEADER, frame, read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.protocol.resume import read_stand
from p2p_schotten.tail import is_close
from tests.disks import After, MemoryDisk, PowerCut, at, power_cut
from tests.protocol.pair import Pair, identity_of

HOME = Path("/home")


@dataclass
class Side:
    """One seat. `met`: the other has said over this connection where it stands."""

    peer: Peer
    disk: MemoryDisk
    journal: Journal
    scribe: Scribe
    met: bool = True

    @classmethod
    def of(cls, peer: Peer) -> Side:
        """A seat whose journal holds what the peer has."""
        disk = MemoryDisk(folders={Path("/"), HOME}, safe_folders={Path("/"), HOME})
        journal = Journal(HOME, peer.seat, disk)
        side = cls(peer, disk, journal, Scribe(peer, journal, lambda: None))
        side.scribe.write()
        return side

    @property
    def path(self) -> Path:
        """Where its journal lies."""
        assert self.peer.game_id is not None
        return HOME / "games" / self.peer.game_id.hex() / f"{self.peer.seat}.schotten"

    @property
    def on_disk(self) -> tuple[bytes, ...]:
        """The items that its journal holds for certain."""
        return read_file(self.disk.files[self.path].safe).items

    @property
    def to_move(self) -> bool:
        """Its player may decide now: the other is there, and it is his turn."""
        return self.met and bool(self.peer.choices())


@dataclass
class Sides:
    """Both seats. `wires`: what is on its way to each; `tampered`: somebody in between has touched it.

    `refused`: the faults so far, and whether the connection had been tampered with.
    """

    seed: int
    sides: tuple[Side, Side]
    wires: tuple[deque[bytes], deque[bytes]] = field(default_factory=lambda: (deque(), deque()))
    connected: bool = True
    tampered: bool = False
    refused: list[tuple[PeerFault, bool]] = field(default_factory=list)

    @classmethod
    def of(cls, pair: Pair, seed: int) -> Sides:
        """The seats of a pair in the middle of its game; `seed` is the pair's."""
        sides = cls(seed, (Side.of(pair.peers[0]), Side.of(pair.peers[1])))
        for record in pair.queue:
            sides.wires[other(read_record(record).seat)].append(record)
        return sides

    def deliver(self, seat: Seat) -> None:
        """What comes next to this seat has come. A PeerFault ends the connection; PowerCut passes through."""
        side, data = self.sides[seat], self.wires[seat].popleft()
        before = side.peer.session, tuple(side.peer.records), side.peer.hand
        try:
            if side.met:
                side.peer.receive(data)
            else:
                side.met = True
                side.peer.resume(read_stand(data))
        except PeerFault as fault:
            assert (side.peer.session, tuple(side.peer.records), side.peer.hand) == before
            self.refused.append((fault, self.tampered))
            self.cut()
            return
        self._send(side)

    def play(self, seat: Seat, move: Move) -> None:
        """The player of this seat decides."""
        self.sides[seat].peer.play(move)
        self._send(self.sides[seat])

    def _send(self, side: Side) -> None:
        side.scribe.write()
        self.wires[other(side.peer.seat)].extend(side.peer.frames())

    def close_alone(self, seat: Seat) -> None:
        """The seat gives up waiting for the other; the end that it can prove alone stands in its journal."""
        side = self.sides[seat]
        close = side.peer.close_alone()
        if close is not None and self.connected:
            self.cut()
        if close is not None and not is_close(side.on_disk[-1]):
            side.journal.append(close, own=True)

    def cut(self) -> None:
        """The connection is gone, and with it what was on its way."""
        self.connected = self.tampered = False
        for side, wire in zip(self.sides, self.wires, strict=True):
            side.met = False
            wire.clear()
            side.peer.frames()  # what was not sent is lost too: it comes out again when they meet

    def meet(self) -> None:
        """They are connected again, and both say where they stand."""
        self.connected = True
        for side, wire in zip(self.sides, reversed(self.wires), strict=True):
            side.scribe = Scribe(side.peer, side.journal, lambda: None, resumed=True)
            wire.append(side.peer.stand().pack())

    def crash(self, seat: Seat, after: After) -> None:
        """The program of this seat is gone, and back, with what its disk kept."""
        self.sides[seat].disk = self.sides[seat].disk.crash(after)
        self._start(seat)

    def crash_within(self, seat: Seat, move: Move | None, moment: int, after: After) -> None:
        """It crashes at that boundary of what it does with its disk when a record comes or its player moves."""
        self.sides[seat].disk.hook = at(moment, power_cut)
        try:
            if move is None:
                self.deliver(seat)
            else:
                self.play(seat, move)
        except PowerCut:
            pass
        self.crash(seat, after)

    def roll_back(self, seat: Seat, records: int) -> None:
        """The journal of this seat is as it was when it had so many records; the mark beside the seed is not."""
        side = self.sides[seat]
        side.disk = side.disk.crash(After.GONE)
        content = side.disk.files[side.path]
        content.seen = content.safe = HEADER + b"".join(map(frame, side.on_disk[:records]))
        self._start(seat)

    def _start(self, seat: Seat) -> None:
        side = self.sides[seat]
        path, game = side.path, side.peer.game_id
        side.journal, items = Journal.open(path, disk=side.disk)
        key, seed = identity_of(self.seed, seat), side.journal.seed()
        side.peer = Peer.restore(seat, key, seed, items, floor=side.journal.floor, game_id=game)
        self.cut()

    def finish(self, most: int = 400) -> None:
        """They go on until both have the last record; whoever is to move gives up."""
        for _ in range(most):
            if not self.connected:
                self.meet()
            if waiting := [seat for seat in SEATS if self.wires[seat]]:
                self.deliver(waiting[0])
                continue
            movers = [side.peer.seat for side in self.sides if side.peer.session.due() == (side.peer.seat, Kind.MOVE)]
            if not movers:
                break
            self.play(movers[0], Resign())
        assert all(side.peer.session.finished for side in self.sides), "they came to no end"

"""The liar over the real link: what he says at a stage travels through TLS and TCP, and meets a victim with a journal.

The lies are those of tests/protocol; here is how one is told, and what must come of it: the victim's link ends with the
fault, the liar is told why, the refused record is evidence on the disk that convinces `verify`, and the journal holds
what it held before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import Cause, PeerFault, SchottenError
from p2p_schotten.ids import Seat
from p2p_schotten.journal import Journal
from p2p_schotten.net.frames import Frame, Tag
from p2p_schotten.net.link import Link
from p2p_schotten.net.told import ClosedAlone, Resumed, Told
from p2p_schotten.protocol.closing import Close, Fault, read_item
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import read_record
from p2p_schotten.protocol.resume import Stand
from p2p_schotten.protocol.session import Session
from p2p_schotten.transcript import verify
from tests.adversaries.meeting import heard_until, meeting, records_of
from tests.protocol.liar import Stage, file_of

IN_TIME = 60.0  # seconds; it takes well under one


class _Seated(Peer):
    """A peer in the middle of a game: it has said HELLO long ago, and what it had to say since."""

    def start(self) -> tuple[Event, ...]:
        return ()

    def resume(self, theirs: Stand) -> tuple[Event, ...]:
        assert theirs == self.stand()
        return ()


def seated(stage: Stage, made: type[Peer] = _Seated) -> Peer:
    """A copy of the victim which a link can take on in the middle of its game."""
    twin = Stage(stage.pair.fork(), stage.honest).victim
    twin.__class__ = made
    twin.evidence = twin.fault = None
    assert twin.frames() == []
    return twin


@dataclass(frozen=True)
class Refusal:
    """What came of a lie."""

    victim: Peer
    link: Link
    error: SchottenError | None
    told: tuple[Told, ...]  # to the victim's player
    heard: tuple[Frame, ...]  # by the liar
    journal: bytes


async def told_over_the_link(
    peer: Peer, identities: Sequence[Identity], said: Sequence[bytes], home: Path, stand: Stand | None = None
) -> Refusal:
    """All of `said` travels as records in one write to `peer`, whose game stands where its records end.

    `identities`: of both seats, for the channel. `stand`: where the liar says that he stands, by default with `peer`.
    """
    told: list[Told] = []
    ends: list[SchottenError] = []
    heard: list[Frame] = []
    journal = Journal(home, peer.seat)
    if peer.game_id is not None:
        journal.begin(peer.game_id, peer.secret_seed)
    for record in peer.records:
        journal.append(record, own=read_record(record).seat == peer.seat)

    async def deliver(event: Told) -> None:
        told.append(event)

    with trio.fail_after(IN_TIME):
        async with meeting(peer.seat, identities) as (mine, theirs):
            link = Link(mine, peer, journal, resumed=journal.begun)
            greeting = Frame(Tag.RESUME, (stand or peer.stand()).pack()).encode() if journal.begun else b""

            async def run() -> None:
                try:
                    await link.run(deliver)
                except SchottenError as error:
                    ends.append(error)

            async with trio.open_nursery() as nursery:
                nursery.start_soon(run)
                await theirs.stream.send_all(greeting + b"".join(Frame(Tag.RECORD, data).encode() for data in said))
                heard += await heard_until(theirs.stream, Tag.FAULT)
                await trio.aclose_forcefully(theirs.stream)
    path = journal.path
    journal.close()
    on_disk = b"" if path is None else path.read_bytes()
    return Refusal(peer, link, ends[0] if ends else None, tuple(told), tuple(heard), on_disk)


def refused_over_the_link(
    stage: Stage, data: bytes, cause: Cause, blame: Seat | None, home: Path, *, seq: int | None = None
) -> Refusal:
    """The liar says `data` and then, in the same write, what he would have said honestly; only the first counts.

    Of a record that is too long the link reads nothing: so nobody is blamed, whatever it holds.
    """
    victim, seq = stage.victim, stage.seq if seq is None else seq
    session, records = victim.session, list(victim.records)
    too_long = len(data) > victim.limit()
    if too_long:
        cause, blame = Cause.LENGTH, None
    identities = [peer._identity for peer in stage.pair.peers]
    came = trio.run(told_over_the_link, seated(stage), identities, (data, stage.honest.data), home)
    fault = came.error
    assert isinstance(fault, PeerFault), fault
    assert (fault.seq, fault.cause, fault.blame) == (seq, cause, blame), str(fault)
    assert came.victim.session is session
    assert came.victim.records == records
    assert records_of(came.heard) == []
    check_told(came, fault)
    _check_journal(came, session, records)
    if too_long or not session.game_id:  # no byte of it was read, or no game exists: nothing convicts anybody
        assert came.link.evidence is None
    else:
        check_evidence(came, fault, session, file_of(*records, data))
    return came


def _check_journal(came: Refusal, session: Session, records: Sequence[bytes]) -> None:
    """It holds what it held; behind the end of the game the victim closes it alone, and only that is told."""
    if not session.game_id:
        assert came.journal == b""
        assert came.told == ()
        return
    before = file_of(*records)
    assert came.told[0] == Resumed(len(records))
    if came.journal == before:
        assert len(came.told) == 1
        return
    assert session.outcome is not None
    assert came.journal.startswith(before)
    assert isinstance(read_item(read_file(came.journal).items[-1]), Close)
    verdict = verify(came.journal)
    assert verdict.fault is None
    assert verdict.closed == came.victim.seat
    assert [type(event) for event in came.told] == [Resumed, ClosedAlone]


def check_told(came: Refusal, fault: PeerFault) -> None:
    """The liar hears of it, and of nothing else."""
    said = [frame for frame in came.heard if frame.tag not in (Tag.PING, Tag.RESUME, Tag.RECORD)]
    assert [frame.tag for frame in said] == [Tag.FAULT], said
    item = read_item(said[0].payload)
    assert isinstance(item, Fault)
    assert item.seat == came.victim.seat
    assert item.seq == fault.seq
    assert item.cause.startswith(fault.cause.value)


def check_evidence(came: Refusal, fault: PeerFault, session: Session, spliced: bytes) -> None:
    """The file on the disk convinces a stranger of the same fault."""
    path = came.link.evidence
    assert path is not None
    assert path.stat().st_mode & 0o077 == 0
    evidence = path.read_bytes()
    assert evidence.startswith(spliced)
    verdict = verify(evidence)
    if fault.blame is None:  # no file knows the channel, and what is no record may be read as something else
        assert verdict.fault is None or verdict.fault.blame is None
        return
    assert verdict.fault is not None
    assert (verdict.fault.seq, verdict.fault.cause, verdict.fault.blame) == (fault.seq, fault.cause, fault.blame)
    assert verdict.session == session

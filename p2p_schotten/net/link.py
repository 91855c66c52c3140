"""One proven connection, one peer, one journal: what a peer says is on the disk before its first byte is sent.

Incoming: the peer checks, the journal appends and syncs, then events are told. Outgoing: the journal appends and syncs,
then the frame is queued; so a caller that is cancelled never leaves half a record on the wire. A refused record goes to
the evidence file, the other side gets a FAULT, and the link ends.

Four tasks live in one nursery per connection: the reader, the writer, the heartbeat, and the one that tells events. The
last may be as slow as a person thinks; the others go on meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import trio

from p2p_schotten.engine.move import Move
from p2p_schotten.errors import Cause, ChannelError, Inconsistent, JournalError, Malformed, PeerFault, SchottenError
from p2p_schotten.ids import SEATS, other
from p2p_schotten.net.chats import Chats
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.ends import plain_fault, read_end
from p2p_schotten.net.frames import MOST_BYTES, Frame, FrameBuffer, Tag, TooLong
from p2p_schotten.net.limits import DEFAULT_LIMITS, Limits, first_error, limit
from p2p_schotten.net.told import ClosedAlone, Deliver, Ledger, Told
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind
from p2p_schotten.text import check_chat, clean_text

READ_BYTES = 16 * 1024  # at one time; so the buffer holds at most that and one frame
OUTBOX = 64  # frames; the game has at most a handful on the way, the rest would be talk that nobody reads


class Link:
    """The game over one connection. `run` once; the rest may be called while it runs, also from inside `deliver`."""

    def __init__(self, connection: Connection, peer: Peer, journal: Ledger, *, limits: Limits = DEFAULT_LIMITS) -> None:
        self.peer = peer
        self.evidence: Path | None = None  # after a PeerFault: where the refused record lies
        self._connection = connection
        self._journal = journal
        self._limits = limits
        self._ended = False  # nothing more may be sent
        self._why: SchottenError | None = None  # what ended it, if it was not polite
        self._fault: PeerFault | None = None  # what the other is accused of: no end that comes of it may hide it
        self._parting = False  # BYE or FAULT went out: only the other's end is waited for
        self._heard = self._spoken = 0.0  # times of the last whole frame, and of the last record of either side
        self._end_by = math.inf  # while parting
        self._reading = trio.CancelScope()
        self._chats = Chats()
        self._pong_waits = False  # in the outbox: it answers every PING until it leaves
        self._outbox, self._to_write = trio.open_memory_channel[Frame](OUTBOX)
        self._events, self._to_tell = trio.open_memory_channel[Told](math.inf)  # records and chats have their bounds
        self._all_told = trio.Event()

    @property
    def begun(self) -> bool:
        """Both COMMITs stand: the game exists, and leaving it counts as having left."""
        return len(self.peer.session.commits) == len(SEATS)

    async def run(self, deliver: Deliver) -> None:
        """The whole game: returns when the last record stands and was told, or after `leave`; closes the connection.

        `deliver` gets each event in order, one at a time; what it raises ends the link and is raised here, but for a
        ChannelError of a link that ends already: then the reason is raised. Otherwise raises PeerFault (the other broke
        the protocol), FaultClaimed (it says we did), ChannelError (it left or is gone), JournalError, Inconsistent.
        """
        self._heard = self._spoken = trio.current_time()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._tell, deliver)
                try:
                    await self._talk()
                except SchottenError as error:
                    self._why = error
                    end = self._close_alone(error)
                    self._events.close()
                    with trio.move_on_after(self._limits.linger):  # what came before the end is still shown
                        await self._all_told.wait()
                    if end is None:
                        nursery.cancel_scope.cancel()
                        raise
                self._events.close()
        except BaseExceptionGroup as group:  # a nursery wraps also a single error
            raise self._first(group) from None
        finally:
            self._ended = True
            await self._connection.aclose()

    async def play(self, move: Move) -> None:
        """My move is on record and on its way; raises IllegalMove (nothing was sent), JournalError, ChannelError."""
        await self._act(lambda: self.peer.play(move))

    async def accept(self) -> None:
        """Seat 1 agrees to what was offered."""
        await self._act(self.peer.accept)

    async def chat(self, text: str) -> None:
        """A line of talk, outside the transcript; raises Malformed, ChannelError."""
        self._check_open()
        self._send(Frame(Tag.CHAT, check_chat(text).encode()))
        await trio.lowlevel.checkpoint()

    async def leave(self) -> None:
        """The other is told that I leave on purpose; `run` returns."""
        self._part()
        await trio.lowlevel.checkpoint()

    # Reading

    async def _talk(self) -> None:
        """Until the polite end; raises what ended it otherwise."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write)
                nursery.start_soon(self._beat)
                try:
                    if self.peer.seat == SEATS[0]:
                        self._go_on(self.peer.start())
                    await self._read()
                finally:
                    self._ended = True
                    self._outbox.close()
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:  # a nursery wraps also a single error
            raise self._first(group) from None

    async def _read(self) -> None:
        buffer = FrameBuffer(self._cap)
        try:
            while True:
                frame = buffer.next()
                if frame is None:
                    data = await self._receive()
                    if not data:
                        return
                    buffer.feed(data)
                    continue
                self._heard = trio.current_time()
                if self._take(frame):
                    return
        except Malformed as error:
            if self._parting:
                return  # whatever it says now, it is not needed
            cause = Cause.LENGTH if isinstance(error, TooLong) else Cause.BYTES
            fault = PeerFault(self.peer.session.seq, cause, str(error), None)
            await self._accuse(fault, plain_fault(self.peer.seat, fault))
        except PeerFault as fault:
            if self.peer.evidence is not None:
                with suppress(JournalError):  # the fault is what the player must hear of
                    self.evidence = self._journal.evidence(self.peer.evidence)
            await self._accuse(fault, self.peer.fault or plain_fault(self.peer.seat, fault))

    async def _receive(self) -> bytes:
        """Some bytes; none at an end that was waited for. Raises ChannelError at any other end, and after silence."""
        if self._why is not None:
            raise self._why
        with trio.CancelScope(deadline=self._deadline()) as self._reading:
            try:
                data = await self._connection.stream.receive_some(READ_BYTES)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                data = b""
            if data or self._parting:
                return bytes(data)
            raise ChannelError(f"the connection to {self._name()} is gone")
        if self._parting:
            return b""
        if self._why is not None:
            raise self._why
        if trio.current_time() - self._heard >= self._limits.silence:
            raise ChannelError(f"nothing was heard from {self._name()} for {self._limits.silence:g} seconds")
        raise ChannelError(f"{self._name()} did not go on with the game for {self._limits.answer:g} seconds")

    def _deadline(self) -> float:
        """When the other is taken for gone: no whole frame for too long, or no record that it owes without a choice."""
        if self._parting:
            return self._end_by
        silent = self._heard + self._limits.silence
        due = self.peer.session.due()
        if due is None or due[0] == self.peer.seat or due[1] is Kind.MOVE:
            return silent
        if due[1] is Kind.HELLO and self.peer.seat == SEATS[0]:
            return silent  # the guest reads the rules before he agrees
        return min(silent, self._spoken + self._limits.answer)

    def _cap(self, tag: Tag) -> int:
        """How many bytes a frame of this kind may have now."""
        return self.peer.limit() if tag is Tag.RECORD else MOST_BYTES.get(tag, 0)

    def _take(self, frame: Frame) -> bool:
        """The frame has its effect; true when it was the last. Raises Malformed, PeerFault, ChannelError."""
        if self._parting:
            return frame.tag is Tag.BYE
        match frame.tag:
            case Tag.RECORD:
                self._take_record(frame.payload)
            case Tag.PING | Tag.PONG:
                self._answer(frame.tag)
            case Tag.CHAT:
                for told in self._chats.hear(frame.payload, trio.current_time()):
                    self._events.send_nowait(told)
            case _:
                raise read_end(frame, self._name())
        return False

    def _take_record(self, data: bytes) -> None:
        try:
            events = self.peer.receive(data)
        except Inconsistent:
            self._keep(data)  # it passed every check that anybody else can make
            raise
        self._keep(data)
        self._go_on(events)

    # Writing

    def _keep(self, record: bytes) -> None:
        """The record is in the journal, which is begun as soon as the game has its id; raises JournalError."""
        if not self._journal.begun and self.peer.game_id is not None:
            self._journal.begin(self.peer.game_id, self.peer.secret_seed)
        self._journal.append(record)
        self._spoken = trio.current_time()

    def _go_on(self, events: tuple[Event, ...]) -> None:
        """What the peer has to say is in the journal, then on its way; then the events are told."""
        records = self.peer.frames()
        for record in records:
            self._keep(record)
        self._connection.settled = self.begun
        for record in records:
            self._send(Frame(Tag.RECORD, record))
        for event in events:
            self._events.send_nowait(event)
        if self.peer.session.finished:
            self._part()

    async def _act(self, decide: Callable[[], tuple[Event, ...]]) -> None:
        """What the player decides goes out; a full disk ends the link also where the caller swallows the error."""
        self._check_open()
        events = decide()
        try:
            self._go_on(events)
        except (JournalError, ChannelError) as error:
            self._why = error
            self._reading.cancel()
            raise
        await trio.lowlevel.checkpoint()

    def _send(self, frame: Frame) -> None:
        try:
            self._outbox.send_nowait(frame)
        except trio.WouldBlock:
            raise ChannelError(f"{self._name()} does not read what is sent") from None

    def _answer(self, tag: Tag) -> None:
        """A PING is answered, if no answer waits already and there is room: what comes behind it must still be read."""
        if tag is Tag.PING and not self._pong_waits:
            with suppress(ChannelError):
                self._send(Frame(Tag.PONG))
                self._pong_waits = True

    def _part(self) -> None:
        """BYE goes out behind everything else, and the reader waits a moment for the other to have read it."""
        if not self._parting and not self._ended:
            self._send(Frame(Tag.BYE))
            self._wait_for_end()

    def _wait_for_end(self) -> None:
        self._parting = True
        self._outbox.close()
        self._end_by = self._reading.deadline = trio.current_time() + self._limits.linger

    async def _accuse(self, fault: PeerFault, told: bytes) -> None:
        """The other is told why, if it reads at all; then the fault is raised."""
        self._fault = fault
        if not self._parting:
            with suppress(ChannelError):
                self._send(Frame(Tag.FAULT, told))
            self._wait_for_end()
        with trio.move_on_after(self._limits.linger), suppress(ChannelError):
            while await self._receive():
                pass
        raise fault

    async def _write(self) -> None:
        """Frames leave in the order in which they were queued, each within its limit."""
        async for frame in self._to_write:
            if frame.tag is Tag.PONG:
                self._pong_waits = False
            async with limit(self._limits.write, f"{self._name()} does not read what is sent"):
                try:
                    await self._connection.stream.send_all(frame.encode())
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    if self._parting:
                        return
                    raise ChannelError(f"the connection to {self._name()} is gone") from None

    async def _beat(self) -> None:
        while not self._parting:
            await trio.sleep(self._limits.ping)
            if not self._parting:
                self._send(Frame(Tag.PING))

    async def _tell(self, deliver: Deliver) -> None:
        async for event in self._to_tell:
            self._chats.leave(event)
            try:
                await deliver(event)
            except ChannelError:  # an answer that came too late; what ended the link is raised where it was noticed
                if not self._closing:
                    raise
        self._all_told.set()

    def _close_alone(self, error: SchottenError) -> ClosedAlone | None:
        """After the end of a game whose other seat is gone: my CLOSE is in the journal, and that is told."""
        if not isinstance(error, ChannelError | PeerFault) or not self._journal.begun:
            return None
        close = self.peer.close_alone()
        if close is None:
            return None
        try:
            self._journal.append(close)
        except JournalError:
            return None  # the first error is the one to hear of
        closed = ClosedAlone(str(error))
        self._events.send_nowait(closed)
        return closed if isinstance(error, ChannelError) else None

    @property
    def _closing(self) -> bool:
        return self._ended or self._parting or self._why is not None

    def _check_open(self) -> None:
        if self._closing:
            raise self._why or ChannelError("the connection is closed")

    def _first(self, group: BaseExceptionGroup[BaseException]) -> BaseException:
        """What ended the tasks; a connection that ended beside a fault is not what the player must hear of."""
        error = first_error(group)
        return self._fault if self._fault is not None and isinstance(error, ChannelError) else error

    def _name(self) -> str:
        """Who is at the other end, fit to be shown."""
        names = self.peer.session.names
        seat = other(self.peer.seat)
        return clean_text(names[seat], 32) if len(names) > seat else "the other side"

"""One proven connection, one peer, one journal: what a peer says is on the disk before its first byte is sent.

Incoming: the peer checks, the journal appends and syncs, then events are told. Outgoing: the journal appends and syncs,
then the frame is queued; so a caller that is cancelled never leaves half a record on the wire. A refused record goes to
the evidence file, the other side gets a FAULT, and the link ends.

Four tasks live in one nursery per game: the reader, the writer, the heartbeat, and the one that tells events. The last
may be as slow as a person thinks; the others go on meanwhile.

A connection carries one game after the other. When the last record of one stands, each side says AGAIN or BYE; after
two AGAINs the link ends and the next one takes over the open connection. No byte of a next game may come before that.
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
from p2p_schotten.net.ends import close_alone, plain_fault, read_end
from p2p_schotten.net.frames import MOST_BYTES, Frame, FrameBuffer, Tag, TooLong
from p2p_schotten.net.limits import DEFAULT_LIMITS, Limits, first_error
from p2p_schotten.net.outbox import Outbox
from p2p_schotten.net.patience import Patience
from p2p_schotten.net.told import Again, ClosedAlone, Deliver, Ledger, Parted, Told
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.text import check_chat, clean_text

READ_BYTES = 16 * 1024  # at one time; so the buffer holds at most that and one frame


class Link:
    """One game over a connection. `run` once; the rest may be called while it runs, also from inside `deliver`.

    `more`: after the last record the link waits for `again` or `leave`; else it leaves by itself.
    """

    def __init__(
        self,
        connection: Connection,
        peer: Peer,
        journal: Ledger,
        *,
        more: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.peer = peer
        self.evidence: Path | None = None  # after a PeerFault: where the refused record lies
        self._connection = connection
        self._journal = journal
        self._limits = limits
        self._more = more
        self._again = [False, False]  # who wants the next game, by seat
        self._ended = False  # nothing more may be sent
        self._why: SchottenError | None = None  # what ended it, if it was not polite
        self._fault: PeerFault | None = None  # what the other is accused of: no end that comes of it may hide it
        self._parting = False  # BYE or FAULT went out: only the other's end is waited for
        self._patience = Patience(limits)
        self._reading = trio.CancelScope()
        self._chats = Chats()
        self._outbox = Outbox(connection.stream, limits, self._name)
        self._beating = trio.CancelScope()
        self._events, self._to_tell = trio.open_memory_channel[Told](math.inf)  # records and chats have their bounds
        self._all_told = trio.Event()

    @property
    def begun(self) -> bool:
        """Both COMMITs stand: the game exists, and leaving it counts as having left."""
        return len(self.peer.session.commits) == len(SEATS)

    @property
    def between(self) -> bool:
        """The last record stands, and both are asked what they want next."""
        return self._more and self.peer.session.finished and not self._parting

    async def run(self, deliver: Deliver) -> bool:
        """The whole game: returns when the last record stands and was told, or after `leave`.

        True: both want the next game, and the connection is open for it; else it is closed. `deliver` gets each event
        in order, one at a time; what it raises ends the link and is raised here, but for a ChannelError of a link that
        ends already: then the reason is raised. Otherwise raises PeerFault (the other broke the protocol), FaultClaimed
        (it says we did), ChannelError (it left or is gone), JournalError, Inconsistent.
        """
        self._patience.begin()
        onward = False
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._tell, deliver)
                try:
                    await self._talk()
                except SchottenError as error:
                    end = self._quiet_end(error)
                    self._why = error
                    self._events.close()
                    with trio.move_on_after(self._limits.linger):  # what came before the end is still shown
                        await self._all_told.wait()
                    if end is None:
                        nursery.cancel_scope.cancel()
                        raise
                self._events.close()
            onward = self._onward
        except BaseExceptionGroup as group:  # a nursery wraps also a single error
            raise self._first(group) from None
        finally:
            self._ended = True
            if not onward:
                await self._connection.aclose()
        return onward

    async def play(self, move: Move) -> None:
        """My move is on record and on its way; raises IllegalMove (nothing was sent), JournalError, ChannelError."""
        await self._act(lambda: self.peer.play(move))

    async def accept(self) -> None:
        """Seat 1 agrees to what was offered."""
        await self._act(self.peer.accept)

    async def chat(self, text: str) -> None:
        """A line of talk, outside the transcript; raises Malformed, ChannelError."""
        self._check_open()
        self._outbox.send(Frame(Tag.CHAT, check_chat(text).encode()))
        await trio.lowlevel.checkpoint()

    async def again(self) -> None:
        """I want the next game: `run` returns true when the other wants it too. Only `between`; raises ChannelError."""
        self._check_open()
        if self.between and not self._again[self.peer.seat]:
            self._outbox.send(Frame(Tag.AGAIN))
            self._again[self.peer.seat] = True
            self._reading.cancel()  # the reader looks whether that was the second one
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
                nursery.start_soon(self._outbox.write, lambda: self._parting)
                nursery.start_soon(self._beat)
                try:
                    if self.peer.seat == SEATS[0]:
                        self._go_on(self.peer.start())
                    await self._read()
                finally:
                    self._ended = True
                    self._outbox.close()
                (self._beating if self._onward else nursery.cancel_scope).cancel()  # my AGAIN still leaves
        except BaseExceptionGroup as group:  # a nursery wraps also a single error
            raise self._first(group) from None

    async def _read(self) -> None:
        buffer = FrameBuffer(lambda tag: self.peer.limit() if tag is Tag.RECORD else MOST_BYTES.get(tag, 0))
        buffer.feed(self._connection.unread)
        try:
            while True:
                frame = buffer.next()
                if frame is None:
                    data = await self._receive()
                    if not data:
                        self._connection.unread = buffer.rest()
                        return
                    buffer.feed(data)
                    continue
                self._patience.heard()
                if self._take(frame):
                    self._connection.unread = buffer.rest()
                    return
        except Malformed as error:
            if self._parting:
                return  # whatever it says now, it is not needed
            if self.between:
                raise ChannelError(f"{self._name()} sends what may not come between two games") from None
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
        while self._why is None and not self._onward:
            with trio.CancelScope(deadline=self._patience.deadline(self.peer)) as self._reading:
                try:
                    data = await self._connection.stream.receive_some(READ_BYTES)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    data = b""
                if data or self._parting:
                    return bytes(data)
                raise ChannelError(f"the connection to {self._name()} is gone")
            if self._parting:
                return b""
            if self._why is None and trio.current_time() >= self._patience.deadline(self.peer):
                raise ChannelError(self._patience.why(self._name()))
        if self._why is not None:
            raise self._why
        return b""

    def _take(self, frame: Frame) -> bool:
        """The frame has its effect; true when it was the last. Raises Malformed, PeerFault, ChannelError."""
        if self._parting:
            return frame.tag is Tag.BYE
        match frame.tag:
            case Tag.RECORD if not self.between:
                self._take_record(frame.payload)
            case Tag.PING | Tag.PONG:
                self._outbox.answer(frame.tag)
            case Tag.CHAT:
                for told in self._chats.hear(frame.payload, trio.current_time()):
                    self._events.send_nowait(told)
            case Tag.AGAIN if self.between and not self._again[other(self.peer.seat)]:
                self._again[other(self.peer.seat)] = True
                self._events.send_nowait(Again())
                return self._onward
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

    def _keep(self, record: bytes, *, own: bool = False) -> None:
        """The record is in the journal, which is begun as soon as the game has its id; raises JournalError."""
        if not self._journal.begun and self.peer.game_id is not None:
            self._journal.begin(self.peer.game_id, self.peer.secret_seed)
        self._journal.append(record, own=own)
        self._patience.spoken()

    def _go_on(self, events: tuple[Event, ...]) -> None:
        """What the peer has to say is in the journal, then on its way; then the events are told."""
        records = self.peer.frames()
        for record in records:
            self._keep(record, own=True)
        self._connection.settled = self._connection.settled or self.begun
        for record in records:
            self._outbox.send(Frame(Tag.RECORD, record))
        for event in events:
            self._events.send_nowait(event)
        if self.peer.session.finished and not self._more:
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

    def _part(self) -> None:
        """BYE goes out behind everything else, and the reader waits a moment for the other to have read it."""
        if not self._parting and not self._ended:
            self._outbox.send(Frame(Tag.BYE))
            self._wait_for_end()

    def _wait_for_end(self) -> None:
        self._parting = True
        self._outbox.close()
        self._reading.deadline = self._patience.part()

    async def _accuse(self, fault: PeerFault, told: bytes) -> None:
        """The other is told why, if it reads at all; then the fault is raised."""
        self._fault = fault
        if not self._parting:
            with suppress(ChannelError):
                self._outbox.send(Frame(Tag.FAULT, told))
            self._wait_for_end()
        with trio.move_on_after(self._limits.linger), suppress(ChannelError):
            while await self._receive():
                pass
        raise fault

    async def _beat(self) -> None:
        with self._beating:
            while not self._parting:
                await trio.sleep(self._limits.ping)
                if not self._parting:
                    self._outbox.send(Frame(Tag.PING))

    async def _tell(self, deliver: Deliver) -> None:
        async for event in self._to_tell:
            self._chats.leave(event)
            try:
                await deliver(event)
            except ChannelError:  # an answer that came too late; what ended the link is raised where it was noticed
                if not self._closing:
                    raise
        self._all_told.set()

    def _quiet_end(self, error: SchottenError) -> Parted | ClosedAlone | None:
        """What is told instead of the error: nothing more was to come, or the game was over and I have closed it."""
        end: Parted | ClosedAlone | None = None
        if isinstance(error, ChannelError) and self.between:
            end = Parted(str(error))
        elif isinstance(error, ChannelError | PeerFault):
            end = close_alone(self.peer, self._journal, error)
        if end is not None:
            self._events.send_nowait(end)
        return end if isinstance(error, ChannelError) else None

    @property
    def _onward(self) -> bool:
        return self.between and self._why is None and all(self._again)

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
        names = dict(enumerate(self.peer.session.names))
        return clean_text(names.get(other(self.peer.seat), "the other side"), 32)

"""One proven connection, one peer, one journal: what a peer says is on the disk before its first byte is sent.

Incoming: the peer checks, the journal appends and syncs, then events are told. Outgoing: the journal appends and syncs,
then the frame is queued; so a caller that is cancelled never leaves half a record on the wire. A refused record goes to
the evidence file, the other side gets a FAULT, and the link ends.
Four tasks live in one nursery per game: the reader, the writer, the pulse, and the teller of events. The last may be as
slow as a person thinks; the others go on meanwhile.

Over a connection that is not the game's first both sides begin with a RESUME, which says where they stand; who is ahead
hands the other what he lacks, the same bytes again, and the game goes on.

A connection carries one game after the other. When the last record of one stands, each side says AGAIN or BYE; after
two AGAINs the link ends and the next one takes over the open connection. No byte of a next game may come before that.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import trio

from p2p_schotten.engine.move import Move
from p2p_schotten.errors import Cause, ChannelError, Inconsistent, JournalError, Malformed, PeerFault, SchottenError
from p2p_schotten.ids import SEATS, other
from p2p_schotten.net.absents import Absents
from p2p_schotten.net.between import Between
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.ends import close_alone, name_of, plain_fault, read_end
from p2p_schotten.net.frames import Frame, Tag, TooLong
from p2p_schotten.net.greeting import Greeting
from p2p_schotten.net.inbox import Inbox
from p2p_schotten.net.limits import DEFAULT_LIMITS, Limits, first_error
from p2p_schotten.net.outbox import Outbox
from p2p_schotten.net.patience import Patience
from p2p_schotten.net.pulse import Pulse
from p2p_schotten.net.scribe import Scribe
from p2p_schotten.net.teller import Teller
from p2p_schotten.net.told import Again, ClosedAlone, Deliver, Ended, Ledger, NoWayOn, Parted
from p2p_schotten.protocol.absent import Absent
from p2p_schotten.protocol.events import Event
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.text import check_chat


class Link:
    """One game over a connection. `run` once; the rest may be called while it runs, also from inside `deliver`.

    `more`: after the last record the link waits for `again` or `leave`; else it leaves by itself. `resumed`: the game
    began over another connection, and its records stand in the journal. `here`: my port while this connection is gone,
    or 0. `kept` is called after each record is in the journal. `returns()`: the caller will try to reach the other
    again; then a cut is raised wherever the game stands.
    """

    def __init__(
        self,
        connection: Connection,
        peer: Peer,
        journal: Ledger,
        *,
        more: bool = False,
        resumed: bool = False,
        here: int = 0,
        kept: Callable[[], None] = lambda: None,
        returns: Callable[[], bool] = lambda: False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.peer = peer
        self.evidence: Path | None = None  # after a PeerFault: where the refused record lies
        self._connection = connection
        self._journal = journal
        self._limits = limits
        self._more = more
        self._resumed, self._kept, self._returns = resumed, kept, returns
        self._end = Between(peer)
        self._ended = False  # nothing more may be sent
        self._why: SchottenError | None = None  # what ended it, if it was not polite
        self._fault: PeerFault | None = None  # what the other is accused of: no end that comes of it may hide it
        self._parting = False  # BYE or FAULT went out: only the other's end is waited for
        self._patience = Patience(limits)
        self._teller = Teller(lambda: self._closing, resumed=resumed)
        self._absents = Absents(peer, self._teller.tell)
        self._greeting = Greeting(peer, self._patience, resumed, here, self._teller.tell)
        self._scribe = Scribe(peer, journal, self._spoken, resumed=resumed)
        self._outbox = Outbox(connection.stream, limits, self._name)
        stopped, parting = (lambda: self._why is not None or self._onward), (lambda: self._parting)
        self._inbox = Inbox(connection, peer, self._patience, stopped, parting, self._name)
        self._pulse = Pulse(connection, self._outbox, self._patience, limits, parting, self._teller.tell)

    @property
    def begun(self) -> bool:
        """The game exists, and leaving it counts: both COMMITs stand, or mine where the other was invited."""
        commits = len(self.peer.session.commits)
        mine = self._connection.proven.pinned and commits > self.peer.seat
        return self._resumed or mine or commits == len(SEATS)

    @property
    def between(self) -> bool:
        """The last record stands, and both are asked what they want next."""
        return self._more and self.peer.session.finished and not self._parting

    @property
    def sure(self) -> bool:
        """The last record stands, and the other has it too."""
        return self._end.sure or self._greeting.sure

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
                nursery.start_soon(self._teller.run, deliver)
                try:
                    await self._talk()
                except SchottenError as error:
                    end = self._quiet_end(error)
                    self._why = error
                    await self._teller.finish(self._limits.linger)
                    if end is None:
                        nursery.cancel_scope.cancel()
                        raise
                self._teller.close()
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

    async def absent(self, said: Absent) -> None:
        """A claim or an answer about a win by absence, outside the transcript; raises ChannelError."""
        self._check_ready()
        self._outbox.send(Frame(Tag.ABSENT, said.pack()))
        await trio.lowlevel.checkpoint()

    async def again(self, since: float | None = None) -> None:
        """I want the next game: `run` is true when both do. Since `since` his program owes it. Raises ChannelError."""
        self._check_ready()
        if since is not None:
            self._patience.await_again(self.peer.session.clock, since)
        if self.between and not self._end.wants(self.peer.seat):
            self._outbox.send(Frame(Tag.AGAIN))
            self._end.want(self.peer.seat)
            self._inbox.wake()  # the reader looks whether that was the second one
        await trio.lowlevel.checkpoint()

    async def leave(self) -> None:
        """The other is told that I leave on purpose; `run` returns."""
        self._part()
        await trio.lowlevel.checkpoint()

    async def _talk(self) -> None:
        """Until the polite end; raises what ended it otherwise."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._outbox.write, lambda: self._parting)
                nursery.start_soon(self._pulse.run)
                try:
                    self._begin()
                    await self._read()
                finally:
                    self._ended = True
                    self._outbox.close()
                self._pulse.stop()
                if not self._onward:  # my BYE still leaves: it says that I have the last record too
                    nursery.cancel_scope.deadline = trio.current_time() + self._limits.linger
        except BaseExceptionGroup as group:  # a nursery wraps also a single error
            raise self._first(group) from None

    def _begin(self) -> None:
        """What is said first over this connection."""
        for frame in self._greeting.frames():
            self._outbox.send(frame)
        if self.peer.seat == SEATS[0] and not self._resumed:
            self._go_on(self.peer.start())

    async def _read(self) -> None:
        try:
            while (frame := await self._inbox.frame()) is not None:
                self._pulse.hear()
                if self._take(frame):
                    break
            if self._why is not None:
                raise self._why
            self._inbox.leave()
        except Malformed as error:
            if self._parting:
                return  # whatever it says now, it is not needed
            if self.between:
                raise ChannelError(f"{self._name()} sends what may not come between two games") from None
            cause = Cause.LENGTH if isinstance(error, TooLong) else Cause.BYTES
            fault = PeerFault(self.peer.session.seq, cause, str(error), None)
            await self._accuse(fault, plain_fault(self.peer.seat, fault))
        except NoWayOn:
            self._part()
            await self._inbox.drain(self._limits.linger)
            raise
        except PeerFault as fault:
            if self.peer.evidence is not None:
                with suppress(JournalError):  # the fault is what the player must hear of
                    self.evidence = self._journal.evidence(self.peer.evidence)
            await self._accuse(fault, self.peer.fault or plain_fault(self.peer.seat, fault))

    def _take(self, frame: Frame) -> bool:
        """The frame has its effect; true when it was the last. Raises Malformed, PeerFault, ChannelError."""
        self._end.hear(frame.tag)
        if self._parting:
            return frame.tag is Tag.BYE
        match frame.tag:
            case Tag.RECORD if not self._greeting.due and (self.peer.behind or not self.between):
                self._take_record(frame.payload)
            case Tag.RESUME | Tag.HERE if (events := self._greeting.hear(frame, self._name())) is not None:
                self._go_on(events)
            case Tag.PING | Tag.PONG:
                self._outbox.answer(frame.tag)
            case Tag.CHAT:
                self._teller.hear(frame.payload)
            case Tag.ABSENT if not self._greeting.due:
                self._absents.hear(frame.payload)
            case Tag.AGAIN if self.between and not self._greeting.due and self._end.may_want(other(self.peer.seat)):
                self._end.want(other(self.peer.seat))
                self._teller.tell(Again())
                return self._onward
            case Tag.BYE if self.between:
                self._teller.tell(Parted(f"{self._name()} left"))
                self._part()  # then he need not come back with the last record
            case _:
                raise read_end(frame, self._name())
        return False

    def _take_record(self, data: bytes) -> None:
        try:
            events = self.peer.receive(data)
        except Inconsistent:
            self._scribe.write()  # it passed every check that anybody else can make
            raise
        self._go_on(events)

    def _spoken(self) -> None:
        self._greeting.spoken()
        self._absents.go_on()
        self._kept()

    def _go_on(self, events: tuple[Event, ...]) -> None:
        """What the peer heard and has to say is in the journal, then on its way; then the events are told."""
        self._scribe.write()
        records = self.peer.frames()
        self._connection.settled = self._connection.settled or self.begun
        for record in records:
            self._outbox.send(Frame(Tag.RECORD, record))
        self._teller.tell(*events)
        if self.peer.session.finished and not self._more and not self.peer.behind:
            self._part()

    async def _act(self, decide: Callable[[], tuple[Event, ...]]) -> None:
        """What the player decides goes out; a full disk ends the link also where the caller swallows the error."""
        self._check_ready()
        events = decide()
        try:
            self._go_on(events)
        except (JournalError, ChannelError) as error:
            self._why = error
            self._inbox.wake()
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
        # A whole game may just have been handed over. One that is not over can be so another time.
        handed = self._outbox.unread if self._resumed and self.peer.session.finished else 0
        self._inbox.wait_until(self._patience.part(handed))

    async def _accuse(self, fault: PeerFault, told: bytes) -> None:
        """The other is told why, if it reads at all; then the fault is raised."""
        self._fault = fault
        if not self._parting:
            with suppress(ChannelError):
                self._outbox.send(Frame(Tag.FAULT, told))
            self._wait_for_end()
        await self._inbox.drain(self._limits.linger)
        raise fault

    def _quiet_end(self, error: SchottenError) -> Parted | ClosedAlone | None:
        """What is told instead of the error: nothing more was to come, or the game was over and I have closed it."""
        if isinstance(error, ChannelError) and not isinstance(error, Ended) and self._returns():
            return None
        if isinstance(error, ChannelError) and self.between:
            end: Parted | ClosedAlone | None = Parted(str(error))
        else:
            end = close_alone(self.peer, self._journal, error) if isinstance(error, ChannelError | PeerFault) else None
        if end is not None:
            self._teller.tell(end)
        return end if isinstance(error, ChannelError) else None

    @property
    def _onward(self) -> bool:
        return self.between and self._why is None and self._end.onward

    @property
    def _closing(self) -> bool:
        return self._ended or self._parting or self._why is not None

    def _check_open(self) -> None:
        if self._closing:
            raise self._why or ChannelError("the connection is closed")

    def _check_ready(self) -> None:
        self._check_open()
        self._greeting.check_over(self._name())

    def _first(self, group: BaseExceptionGroup[BaseException]) -> BaseException:
        """What ended the tasks; a connection that ended beside a fault is not what the player must hear of."""
        error = first_error(group)
        return self._fault if self._fault is not None and isinstance(error, ChannelError) else error

    def _name(self) -> str:
        return name_of(self.peer)

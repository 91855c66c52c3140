"""One game at one seat: events go to the front end, typed lines and a bot's choices go to the link."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import trio

from p2p_schotten.bots.base import BotStopped
from p2p_schotten.cli.absent import Absences
from p2p_schotten.cli.away import Away
from p2p_schotten.cli.course import Course
from p2p_schotten.cli.endings import failure, unfinished, unheard
from p2p_schotten.cli.mind import Mind
from p2p_schotten.cli.people import introduced, met
from p2p_schotten.cli.player import Player
from p2p_schotten.cli.rematch import After
from p2p_schotten.cli.signals import wishes
from p2p_schotten.engine.step import Dealt
from p2p_schotten.errors import ChannelError, IllegalMove, Malformed, PeerFault
from p2p_schotten.ids import SEATS, other
from p2p_schotten.journal import SUFFIX, Journal
from p2p_schotten.match import Played, may_follow, standing_after
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.limits import first_error
from p2p_schotten.net.link import Link
from p2p_schotten.net.told import (
    AbsenceSaid,
    Again,
    ChatDropped,
    ClosedAlone,
    HeardAgain,
    Here,
    Parted,
    Resumed,
    Silent,
    Told,
)
from p2p_schotten.net.told import Chatted as Heard
from p2p_schotten.protocol import events
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.session import Session
from p2p_schotten.text import clean_text
from p2p_schotten.ui import notice
from p2p_schotten.ui.around import around
from p2p_schotten.ui.desk import Leave, Record, Say, Send
from p2p_schotten.ui.notice import Chatted, Faulted, Happening, Saved, Settled
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import aside

Agree = Callable[[events.Offered], Awaitable[None]]
"""Returns when the offer is taken; raises Failure when not."""


@dataclass
class Game:
    """A game under way. `run` once."""

    connection: Connection
    peer: Peer
    journal: Journal
    player: Player
    home: Path  # where transcripts and seeds are
    away: Away
    resumed: bool = False  # the game began in an earlier run
    agree: Agree | None = None
    folder: Path | None = None  # the home where the other player becomes known, if he is to
    before: tuple[Played, ...] = ()  # the games of this chain so far
    look_back: Callable[[Session], tuple[Played, ...]] | None = None  # finds them where the HELLOs are still to come
    beside: bool = False  # the second seat's transcript lies beside this one
    always: bool = False  # another game after this one, without asking
    after: After | None = field(init=False, default=None)  # once the last record stands
    theirs: bool = field(init=False, default=False)  # the other side, or the way to it, ended the game
    why_left: str = field(init=False, default="")  # why this side left, if it did
    course: Course = field(init=False)
    absences: Absences = field(init=False)
    _mind: Mind | None = field(init=False)  # of the bot at this seat
    _asked: trio.Event = field(init=False, default_factory=trio.Event)
    _agreeing: trio.CancelScope = field(init=False, default_factory=trio.CancelScope)
    _agreed: trio.Event = field(init=False, default_factory=trio.Event)  # no question before the game is open
    _met: bool = field(init=False, default=False)  # the front end knows both names
    _told_saved: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.absences = Absences(self)
        self._mind = None if self.player.bot is None else Mind(self.player.bot, self.player.forfeit, self._stop)
        self.course = Course(
            self.connection, self.peer, self.journal, self.home, self.away, self.before, self.resumed, self
        )
        if self.agree is None:
            self._agreed.set()

    @property
    def link(self) -> Link:
        """Over the connection that there is now, or was last."""
        return self.course.link

    @property
    def path(self) -> Path | None:
        """The journal, once the game has begun."""
        return self.journal.path

    @property
    def begun(self) -> bool:
        """The game exists: leaving it now is leaving a game."""
        return self.link.begun

    @property
    def left(self) -> bool:
        """This side wanted to leave."""
        return bool(self.why_left)

    async def run(self) -> bool:
        """Play to the end; true when both want another game. Raises Failure where the game did not come to an end."""
        onward = False
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._interrupts)
                nursery.start_soon(self.absences.watch)
                nursery.start_soon(self._type if self._mind is None else self._mind.run)
                onward = await self.course.run(self._deliver)
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:  # a nursery wraps also a single error
            error = first_error(group)
            self.theirs = isinstance(error, PeerFault | ChannelError)
            raise failure(self, error) or error from None
        finally:
            if self.begun:
                self.journal.close()
            else:
                self.journal.discard()
        if self.why_left:
            raise unfinished(self, self.why_left)
        return onward

    # what happens

    async def _deliver(self, told: Told) -> None:
        try:
            await self._hear(told)
        except OSError as error:
            await self.leave(unheard(error))

    async def _hear(self, told: Told) -> None:
        match told:
            case events.Offered():
                if self.agree is not None:
                    with self._agreeing:
                        await self.agree(told)
                if not self.why_left:
                    self._agreed.set()
                    await self.link.accept()
            case events.YourTurn():
                self.tell(told)
                await self._decide()
            case Heard(text):
                self.tell(Chatted(other(self.peer.seat), text))
            case Silent(seconds):
                self.tell(notice.Silent(seconds))
            case HeardAgain():
                self.tell(notice.Returned())
            case Resumed(records):
                self.tell(notice.Resumed(records))
                await self.absences.joined()
            case AbsenceSaid(said, records):
                await self.absences.heard(said, records)
            case Here(port):
                self.away.learn(self.course.connection.host, port)  # it stands on the disk with the next record
            case ChatDropped():
                note = _("{name} writes more than anybody can read: some of it is not shown.")
                aside(note.format(name=self.name()))
            case ClosedAlone(because):
                self.tell(Settled(because))
            case events.Met():
                if self.folder is not None and self.agree is None:
                    self.tell(introduced(self.folder, told.identity, told.name))
                self.tell(told)
            case events.Finished():
                await self._finished(told)
            case Again():
                if self.after is not None:  # none where the end could not be told
                    self.after.heard(other(self.peer.seat))
            case Parted(because):
                if self.after is not None:
                    self.after.parted(because)
            case events.Happened(event):
                if isinstance(event, Dealt) and self.folder is not None:  # who sat down until then is known
                    hello = self.peer.session.hellos[other(self.peer.seat)]
                    met(self.folder, hello.identity, hello.name)
                self.tell(told)
                if self._mind is not None:
                    await self._mind.observe(self.peer.view(), event)
            case _:
                self.tell(told)

    def kept(self) -> None:
        """One more record stands in the journal. Raises JournalError where the games before this one are not here."""
        session = self.peer.session
        if self.look_back is not None and len(session.hellos) == len(SEATS):
            self.before = self.course.before = self.look_back(session)
            self.look_back = None
        self.absences.clock.kept(session)

    def cut(self) -> None:
        """The connection is gone, and the other is looked for; what was asked is asked again when he is back."""
        if self._asked.is_set():  # else it is waited for already, and by nothing else
            self._asked = trio.Event()
        self.absences.clock.cut()

    async def _finished(self, told: events.Finished) -> None:
        """The last record stands: it is told where the transcript lies, and what comes now is begun."""
        session, keyboard = self.peer.session, self.player.keyboard
        if self.after is not None:  # it was told over an earlier connection
            await self.after.go_on(self.link)
            return
        self.tell(told)
        self.tell_saved()
        if self._mind is not None:
            await self._mind.over(self.peer.view())
        self.after = After(
            self.link,
            self.player.front,
            standing_after(session, self.before),
            room=may_follow(session),
            asks=self.player.bot is None and keyboard is not None and keyboard.terminal,
            always=self.always,
        )
        await self.after.begin()

    def tell(self, happening: Happening) -> None:
        """The front end is told, with the position as it is now."""
        names = self.peer.session.names
        if len(names) == len(SEATS) and not self._met:
            self._met = True
            shown = around(self.peer.session, self.absences.clock.shown)
            self.player.front.meet(self.peer.seat, (names[0], names[1]), shown)
        dealt = self.peer.session.state is not None
        self.player.front.tell(happening, self.peer.view() if dealt else None)

    async def _decide(self) -> None:
        choices = self.peer.choices()
        if not choices or self.why_left:
            return  # the question is older than what was answered already
        view = self.peer.view()
        if self._mind is None:
            self.player.front.ask(view, choices)
            self._asked.set()
        elif (move := await self._mind.choose(view)) is not None:
            await self.link.play(move)

    async def _stop(self, error: BotStopped) -> None:
        """The bot at this seat stopped: the player is told, and this side leaves or is going to give the game up."""
        open_still = self.peer.session.outcome is None
        self.tell(Faulted(self.peer.seat, error.fault, str(error), open_still and self.player.forfeit))
        if open_still and not self.player.forfeit:
            await self.leave(str(error))

    # what the player wants

    async def _type(self) -> None:
        """Typed lines, one after the other. Off a terminal a line is read only as an answer to a question."""
        keyboard, front = self.player.keyboard, self.player.front
        assert keyboard is not None
        await self._agreed.wait()
        unsent = ""  # a script's answer that came when the connection was gone: it is given again
        while True:
            if not keyboard.terminal:
                await self._asked.wait()
            try:
                line, unsent = unsent or await keyboard.line(), ""
            except EOFError:
                await self.leave(_("the input ended"))
                return
            if not keyboard.terminal and not self._asked.is_set():
                unsent = line  # a script answers what is not asked any more
                continue
            try:
                if self.after is not None and await self.after.typed(line):
                    continue
                action = front.answer(line)
                if not self.peer.choices():
                    self._asked = trio.Event()  # the line was for somebody whose time is up
                match action:
                    case Record():
                        await self.absences.record()
                    case Send(move):
                        self._asked = trio.Event()
                        await self.link.play(move)
                    case Say(text):
                        await self.link.chat(text)
                        self.tell(Chatted(self.peer.seat, text))
                    case Leave():
                        await self.leave(_("you left"))
                        return
            except IllegalMove as error:
                self._asked.set()
                front.refuse(error.reason)
            except (ChannelError, Malformed) as error:
                front.refuse(str(error))
                unsent = "" if keyboard.terminal or isinstance(error, Malformed) else line
            except OSError as error:
                await self.leave(unheard(error))
                return

    async def _interrupts(self) -> None:
        """Ctrl-C, a closed terminal and a request to end leave the game politely; the second one at once."""
        with trio.open_signal_receiver(*wishes()) as signals:
            async for _signal in signals:
                if self.why_left:
                    raise KeyboardInterrupt
                await self.leave(_("interrupted"))

    def ask_line(self) -> None:
        """Off a terminal too, one line may be typed now."""
        self._asked.set()

    async def leave(self, why: str) -> None:
        """This side ends the sitting; `why` is told at its own screen."""
        if not self.peer.session.finished:
            self.why_left = self.why_left or why
        elif self.after is not None:
            self.after.parted(why)
        self._agreeing.cancel()
        if self._mind is not None:
            self._mind.leave()
        self.away.stop()
        await self.link.leave()

    def name(self) -> str:
        """The other player's, fit to be shown."""
        names = self.peer.session.names
        seat = other(self.peer.seat)
        return clean_text(names[seat], 32) if len(names) > seat else _("the other side")

    def tell_saved(self) -> None:
        """Where the transcripts lie, if there are any; once."""
        path = self.journal.path
        if path is None or self._told_saved:
            return
        self._told_saved = True
        others = [path.with_name(f"{other(self.peer.seat)}{SUFFIX}")] if self.beside else []
        paths = (path, *(file for file in others if file.exists()))
        with suppress(OSError):  # nobody reads the output any more, or its disk is full
            self.player.front.tell(Saved(tuple(map(str, paths))), None)

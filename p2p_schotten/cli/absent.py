"""The clock of a game and wins by absence at one seat: what the player is told, what is recorded, what both sides say.

A recorded win ends the sitting and not the game: the transcript stays unfinished, and the other side is told when it
can be reached. It agrees by its own clock or says why it does not; then the game goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, assert_never

import trio

from p2p_schotten.absence import Absence, absence_path, read_absence, write_absence
from p2p_schotten.cli.clock import TurnClock
from p2p_schotten.errors import ChannelError, JournalError, Malformed
from p2p_schotten.ids import Seat, other
from p2p_schotten.net.asleep import lasting_seconds
from p2p_schotten.protocol.absent import Absent, Word, judge_absence, whole
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.ui.notice import Happening, Recorded, TimeUp
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import aside

if TYPE_CHECKING:
    from p2p_schotten.cli.player import Player

TICK = 0.25  # seconds between two looks at the clock
ANSWER = 3.0  # seconds for the answer to a claim, which needs no person; who is absent gives none


class Line(Protocol):
    """The connection that there is now, or was last; `net.link.Link` is one."""

    async def absent(self, said: Absent) -> None:
        """It is on its way; raises ChannelError."""


class Sitting(Protocol):
    """One seat of a game under way; `cli.game.Game` is one."""

    @property
    def peer(self) -> Peer:
        """What both sides have said."""

    @property
    def player(self) -> Player:
        """Who decides."""

    @property
    def link(self) -> Line:
        """The way to the other."""

    @property
    def path(self) -> Path | None:
        """The journal, once the game has begun."""

    @property
    def resumed(self) -> bool:
        """The game began in an earlier run."""

    def name(self) -> str:
        """The other player's, fit to be shown."""

    def tell(self, happening: Happening) -> None:
        """The player is told."""

    def ask_line(self) -> None:
        """Off a terminal too, one line may be typed now."""

    async def leave(self, why: str) -> None:
        """This side ends the sitting."""


class Absences:
    """The clock of a game, and the win by absence beside its journal if there is one."""

    def __init__(self, game: Sitting, now: Callable[[], float] = lasting_seconds) -> None:
        self.clock = TurnClock(game.peer.seat, now=now)
        self._game = game
        self._absence: Absence | None = None
        self._answered = trio.Event()
        if game.resumed:
            self.clock.take_up(game.peer.session)
            self._absence = self._read()

    # the clock

    async def watch(self) -> None:
        """The player is told when somebody's time is up; a bot does what may be done then, and leaves in the end."""
        while not self._in_vain:
            for notice in self.clock.news():
                self._game.tell(notice)
                if isinstance(notice, TimeUp) and notice.seat != self._game.peer.seat:
                    if self._game.player.bot is not None:
                        await self.record()
                    else:
                        self._game.ask_line()
            await trio.sleep(TICK)
        why = _("{name} does not go on with the game, and does not admit it")
        await self._game.leave(why.format(name=self._game.name()))

    @property
    def _in_vain(self) -> bool:
        """A bot, which waits for ever, has waited twice as long as agreed for somebody who says that he is there."""
        absence, session = self._absence, self._game.peer.session
        if self._game.player.bot is None or absence is None or absence.agreed is not False:
            return False
        return (absence.seq, absence.head) == (session.seq, session.head) and self.clock.overdue

    async def joined(self) -> None:
        """Both sides stand at the same record again: what was recorded meanwhile is told and, if both agree, counts."""
        self.clock.joined()
        absence, game = self._absence, self._game
        if absence is None or not absence.fits(game.peer.records):
            return
        if absence.agreed:
            if absence.by != game.peer.seat:  # he may not have heard that I agree
                await self._say(Absent(Word.AGREED, absence.seq, absence.head, absence.seconds))
            self._tell(absence)
            await self._leave(absence)
        elif absence.agreed is None:
            await self._say(Absent(Word.CLAIM, absence.seq, absence.head, absence.seconds))

    # my win

    async def record(self) -> None:
        """My win by absence is recorded, if the time is up, and the other is told; then I leave unless it differs."""
        game, session = self._game, self._game.peer.session
        why_not = self._why_not()
        if why_not:
            game.player.front.refuse(why_not)
            return
        seconds, now = whole(self.clock.waiting), int(time.time())
        absence = Absence(session.game_id, session.seq, session.head, game.peer.seat, seconds, now)
        try:
            self._write(absence)
        except JournalError as error:
            game.player.front.refuse(str(error))
            return
        self._tell(absence)
        if self.clock.connected:
            self._answered = trio.Event()
            await self._say(Absent(Word.CLAIM, absence.seq, absence.head, seconds))
            with trio.move_on_after(ANSWER):
                await self._answered.wait()
        if self._absence is not None and self._absence.stands(game.peer.records):
            await self._leave(self._absence)  # else he is there: he differs, or goes on with the game

    def _why_not(self) -> str:
        """Why nothing can be recorded now; empty when it can."""
        clock, before, session = self.clock, self._absence, self._game.peer.session
        if clock.clock is None:
            return _("You agreed on no clock: you can wait, or adjourn.")
        if not clock.open:
            return _("There is no game under way.")
        if clock.mine:
            return _("It is your own turn.")
        if clock.left > 0:
            sentence = _("{name} has {n} s left.")
            return sentence.format(name=self._game.name(), n=int(clock.left) + 1)
        if before is not None and before.agreed and before.fits(self._game.peer.records):
            return _("A win by absence is recorded already, and the other side agrees.")
        if before is not None and before.agreed is False and (before.seq, before.head) == (session.seq, session.head):
            return _("You have recorded that already, and the other side differs. You can wait, or adjourn.")
        return ""

    # what the other says

    async def heard(self, said: Absent, records: int) -> None:
        """The other claims a win by my absence, or answers my claim, after so many records. Raises JournalError."""
        absence, me = self._absence, self._game.peer.seat
        same = absence is not None and (absence.seq, absence.head) == (said.seq, said.head)
        if said.word is Word.CLAIM:
            await self._judge(said, records, absence if same else None)
        elif same and absence is not None and absence.by == me and absence.agreed is None:
            answered = replace(absence, answer=said.word)
            self._write(answered)
            self._answered.set()
            self._tell(answered, "" if answered.agreed else _why(said.word, self._name(), said.seconds))
            if answered.agreed:
                await self._leave(answered)

    async def _judge(self, claim: Absent, came: int, here: Absence | None) -> None:
        """Answer the claim that came after so many records; `here`: what I have recorded at its position."""
        game, me = self._game, self._game.peer.seat
        session, records = game.peer.session, game.peer.records
        win = Absence(session.game_id, claim.seq, claim.head, other(me), claim.seconds, int(time.time()))
        lapse = self.clock.lapse(claim.head) if win.fits(records) else None
        answer = judge_absence(
            claim,
            self.clock.clock,
            lapse,
            over=session.outcome is not None,
            own=self._admitted or (here is not None and here.by == me),
            moved=any(_is_move(record, other(me)) for record in records[claim.seq : came]),
        )
        if here is not None and here.by != me and here.agreed:
            answer = replace(answer, word=Word.AGREED)  # I have admitted it before
        if answer.word is Word.AGREED:
            self._write(replace(win, answer=Word.AGREED))
        elif here is not None and here.by == me and not self._admitted:
            self._write(replace(here, answer=answer.word))
            self._answered.set()
        await self._say(answer)
        why = "" if answer.word is Word.AGREED else _why(answer.word, _("your side"), answer.seconds)
        self._tell(replace(win, answer=answer.word), why)
        if answer.word is Word.AGREED:
            await self._leave(win)

    # small things

    @property
    def _admitted(self) -> bool:
        """The other has agreed to a win of mine, and nothing that he says later takes it back."""
        absence = self._absence
        return absence is not None and absence.agreed is True and absence.by == self._game.peer.seat

    async def _say(self, said: Absent) -> None:
        with suppress(ChannelError):  # he is told when he can be reached
            await self._game.link.absent(said)

    async def _leave(self, absence: Absence) -> None:
        """Nothing more is played in this sitting."""
        mine = absence.by == self._game.peer.seat
        lost = _("{name}'s win by your absence is recorded").format(name=self._game.name())
        await self._game.leave(_("your win by absence is recorded") if mine else lost)

    def _tell(self, absence: Absence, why: str = "") -> None:
        self._game.tell(Recorded(absence.by, absence.seq, absence.agreed, why))

    def _name(self) -> str:
        return _("the side of {name}").format(name=self._game.name())

    def _read(self) -> Absence | None:
        path = self._game.path
        try:
            return None if path is None else read_absence(absence_path(path))
        except (Malformed, OSError) as error:
            aside(str(error))
            return None

    def _write(self, absence: Absence) -> None:
        path = self._game.path
        assert path is not None, "a game that has begun has its file"
        write_absence(absence_path(path), absence)
        self._absence = absence


def _is_move(record: bytes, seat: Seat) -> bool:
    """That seat decided something in this record of mine."""
    parts = read_record(record)
    return parts.kind is Kind.MOVE and parts.seat == seat


def _why(word: Word, side: str, seconds: int) -> str:
    """In what the two differ; `side`: that of the seat which is said to have been absent."""
    match word:
        case Word.SHORT:
            return _("{side} measured {n} s").format(side=side, n=seconds)
        case Word.BOTH:
            return _("each has recorded a win of its own")
        case Word.OVER:
            return _("to {side} the game is over").format(side=side)
        case Word.NO_CLOCK:
            return _("to {side} there is no clock").format(side=side)
        case Word.UNKNOWN:
            return _("{side} measured nothing there, its program was started anew").format(side=side)
        case Word.MOVED:
            return _("to {side} the game had gone on before it was claimed").format(side=side)
        case Word.CLAIM | Word.AGREED:
            raise AssertionError("not a difference")
        case _:
            assert_never(word)

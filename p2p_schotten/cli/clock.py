"""How long each seat takes for its turn, as this side measures it, and when somebody has been away for too long.

A clock is local: no record shows the time. What is measured here decides what the player is told, whether he may record
a win by absence, and whether this side agrees when the other has recorded one.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.match import turn_of
from p2p_schotten.net.asleep import SLEPT, lasting_seconds
from p2p_schotten.protocol.absent import TOLERANCE, Lapse
from p2p_schotten.protocol.record import NO_HEAD
from p2p_schotten.protocol.session import Session, first_seat
from p2p_schotten.ui.notice import TimeShort, TimeUp

LEFT = 10  # seconds before the end of my time at which I am told: enough to choose a card
ANEW = 2  # times that a turn begins anew with the connection; else who stalls would cut it again and again
BEFORE_DEAL = -1  # the "turn" in which the game is set up


class TurnClock:
    """The clock of one game at one seat. Nothing is measured before both have committed to the game.

    A turn begins anew with the connection, in favour of whoever was waited for, but `ANEW` times only: then it goes
    on. While the connection is gone the other's time runs and mine does not: I am here.
    """

    def __init__(self, me: Seat, *, now: Callable[[], float] = lasting_seconds) -> None:
        self._me = me
        self._now = now
        self._clock: int | None = None
        self._turn = BEFORE_DEAL  # the number of the turn under way
        self._waited: Seat | None = None  # whose record would be next, in a game that is not over
        self._used = [0.0, 0.0]  # seconds of this turn, by seat, up to `_since`
        self._since = self._ticked = now()
        self._head = NO_HEAD
        self._began = b""  # the head of the position in which an earlier run of the program ended
        self._cut: float | None = None  # since when the sides are not connected
        self._joins = 0  # in this turn
        self._here = Lapse(0.0, 0.0)  # the longest of the stretches before this one at this position
        self._lapses: dict[bytes, Lapse] = {}  # by the head of a position that was left; a game has some hundreds
        self._told: set[TimeShort | TimeUp] = set()

    def take_up(self, session: Session) -> None:
        """The game began in an earlier run, which measured what nobody knows any more."""
        self.kept(session)
        self._began = session.head

    def kept(self, session: Session) -> None:
        """One more record stands in the journal."""
        self.tick()
        self._clock = session.clock
        if self._head != NO_HEAD:
            self._lapses[self._head] = self.here()
        turn = BEFORE_DEAL if session.state is None else turn_of(first_seat(session), session.state)
        both = len(session.commits) == len(SEATS)
        waited = session.speaker if both and session.outcome is None else None
        self._measure()
        if turn != self._turn:
            self._used, self._joins = [0.0, 0.0], 0
        if (turn, waited) != (self._turn, self._waited):
            self._told.clear()
        self._turn, self._waited, self._head = turn, waited, session.head if both else NO_HEAD
        self._here = Lapse(0.0, 0.0)

    def tick(self) -> None:
        """The program runs: a long time since the last tick was one in which it did not."""
        gap = self._now() - self._ticked
        self._ticked += gap
        if gap > SLEPT:
            self._here = Lapse(self._here.turn, max(self._here.asleep, gap))

    def cut(self) -> None:
        """The connection is gone."""
        self.tick()
        if self._cut is None:
            self._measure()
            self._cut = self._now()

    def joined(self) -> None:
        """The two sides are connected again; what was measured at this position is not forgotten."""
        self.tick()
        self._here = self.here()
        self._measure()
        self._cut = None
        self._joins += 1
        if self._joins <= ANEW:
            self._used = [0.0, 0.0]
        self._told.clear()

    def here(self) -> Lapse:
        """What was measured at the position that stands now: the longest of several stretches."""
        turn = self.used(self._me) if self._waited == self._me else 0.0
        return Lapse(max(self._here.turn, turn), self._here.asleep)

    def lapse(self, head: bytes) -> Lapse | None:
        """What was measured at the position with this head; None where this side does not know."""
        self.tick()
        found = self.here() if head == self._head and head != NO_HEAD else self._lapses.get(head)
        if found is None or (head == self._began and max(found.turn, found.asleep) <= self._admits):
            return None
        return found

    @property
    def _admits(self) -> float:
        """Who was absent for longer than this admits it."""
        return math.inf if self._clock is None else self._clock

    def used(self, seat: Seat) -> float:
        """Seconds that this seat has taken of the turn under way."""
        runs = seat == self._waited and (self._cut is None or seat != self._me)
        return self._used[seat] + (self._now() - self._since if runs else 0.0)

    def shown(self, seat: Seat) -> int | None:
        """Whole seconds that this seat has left, as a player is shown them; None where no clock runs."""
        if self._clock is None or not self.open or not self.connected:
            return None
        return max(0, math.ceil(self._clock - self.used(seat)))

    @property
    def waiting(self) -> float:
        """How long I have been waiting for the other: in its turn, or without a connection to it."""
        gone = 0.0 if self._cut is None else self._now() - self._cut
        return max(self.used(other(self._me)), gone)

    @property
    def clock(self) -> int | None:
        """The agreed seconds for a turn."""
        return self._clock

    @property
    def open(self) -> bool:
        """Both have committed to the game, and it is not over."""
        return self._waited is not None

    @property
    def connected(self) -> bool:
        """The two sides are."""
        return self._cut is None

    @property
    def mine(self) -> bool:
        """Nobody else is waited for: the next record is mine, and the connection stands."""
        return self._waited == self._me and self.connected

    @property
    def left(self) -> float:
        """Seconds until I may record a win by the other's absence; infinite without a clock or in a turn of mine."""
        if self._clock is None or not self.open or self.mine:
            return math.inf
        return self._clock + TOLERANCE - self.waiting

    @property
    def overdue(self) -> bool:
        """The other's time was up, and as much time has passed again."""
        return self._clock is not None and self.left <= -(self._clock + TOLERANCE)

    def news(self) -> tuple[TimeShort | TimeUp, ...]:
        """What is to be told now, each once in a turn."""
        self.tick()
        if self._clock is None or not self.open:
            return ()
        told: list[TimeShort | TimeUp] = []
        if self.mine:
            mine = self._clock - self.used(self._me)
            if mine <= 0:
                told.append(TimeUp(self._me, self._clock))
            elif mine <= LEFT and self._clock >= 2 * LEFT:
                told.append(TimeShort(LEFT))
        elif self.left <= 0:
            told.append(TimeUp(other(self._me), self._clock))
        new = tuple(notice for notice in told if notice not in self._told)
        self._told.update(new)
        return new

    def _measure(self) -> None:
        """What runs now is added up."""
        used = [self.used(seat) for seat in SEATS]
        self._since, self._used = self._now(), used

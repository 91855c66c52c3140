"""One game between two bots over the plain table. A bot that stops loses it, and says how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2p_schotten.bots.base import BotStopped, Fault
from p2p_schotten.bots.seated import Seated
from p2p_schotten.engine.ending import outcome
from p2p_schotten.engine.rules import new_game
from p2p_schotten.engine.state import State
from p2p_schotten.engine.step import Event, Outcome, Reason
from p2p_schotten.engine.table import Shuffle, Table, play
from p2p_schotten.engine.view import View, view
from p2p_schotten.errors import SchottenError
from p2p_schotten.ids import SEATS, Seat, other

FORFEIT = "forfeit"
"""The reason of a game that ended because a bot stopped; every other one is a Reason of the rules."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """Which seat's bot stopped, in which of the five ways, and one sentence about it."""

    seat: Seat
    fault: Fault
    why: str


@dataclass(frozen=True, slots=True)
class Result:
    """How one game ended. `plies`: cards played, passes and skipped turns. `points` by seat.

    `stopped`, in the order of their seats, holds who forfeited, or who stopped only when they were told how the game
    had ended, which may be both: then the result stands as the rules made it.
    """

    winner: Seat | None
    reason: str
    points: tuple[int, int]
    plies: int
    stopped: tuple[Stopped, ...] = ()


class Unproven(SchottenError):
    """A game of two sound peers broke the protocol, or its transcript does not prove it: a bug of ours."""


def play_game(table: Table, bots: Sequence[Seated], shuffle: Shuffle) -> Result:
    """The game from the deal to its end, between the bots at seats 0 and 1.

    What all saw is told to each bot that wants to know it, when it stands; `shuffle` is for piles that are restocked.
    """
    observers = [seat for seat in SEATS if bots[seat].observes]
    events: tuple[Event, ...] = new_game(table.state.rules, table.state.turn).events if observers else ()
    asked = table.state.to_move
    try:
        while table.state.outcome is None:
            for asked in observers:
                _tell(bots[asked], _seen(table, asked), events)
            asked = table.state.to_move
            table, events = play(table, bots[asked].choose(_seen(table, asked)), shuffle)
    except BotStopped as error:
        return forfeited(table.state, Stopped(asked, error.fault, str(error)))
    ends = (told_the_end(bots[seat], _seen(table, seat), events) for seat in SEATS)
    return decided(table.state.outcome, table.state.ply, [stopped for stopped in ends if stopped is not None])


def decided(ended: Outcome, plies: int, late: Iterable[Stopped] = ()) -> Result:
    """The result of a game that ended by the rules; `late`: who stopped when they were told so."""
    stopped = tuple(sorted(late, key=lambda one: one.seat))
    return Result(ended.winner, ended.reason.value, ended.points, plies, stopped)


def forfeited(state: State, stopped: Stopped) -> Result:
    """The result when that bot stopped here: it is scored as if its seat had resigned."""
    ended = outcome(state.rules, state.stones, other(stopped.seat), Reason.RESIGNED, state.beside.attacker)
    return Result(ended.winner, FORFEIT, ended.points, state.ply, (stopped,))


def told_the_end(bot: Seated, seen: View, events: Sequence[Event] = ()) -> Stopped | None:
    """The bot knows how its game ended, and what ended it; if it stops at that, the result stands, and this tells."""
    try:
        _tell(bot, seen, events)
        bot.over(seen)
    except BotStopped as error:
        return Stopped(seen.seat, error.fault, str(error))
    return None


def _tell(bot: Seated, seen: View, events: Sequence[Event]) -> None:
    for event in events:
        bot.observe(seen, event)


def _seen(table: Table, seat: Seat) -> View:
    return view(table.state, seat, table.hands[seat], table.memories[seat])

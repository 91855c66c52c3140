"""A batch: some pairs in a row, played in one process. Its bots are made once and let go of at its end."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from p2p_schotten.arena.game import Result, play_game
from p2p_schotten.arena.plan import (
    Game,
    Pairing,
    Plan,
    bot_seed,
    dealt,
    first_of,
    game_numbers,
    seats_of,
    shuffler,
)
from p2p_schotten.bots.base import Bot, BotStopped, Fault
from p2p_schotten.bots.finding import Unmade, find_bot
from p2p_schotten.bots.log import note_error
from p2p_schotten.bots.seated import Seated
from p2p_schotten.engine.move import Move
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.view import View
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import Seat


@dataclass(frozen=True, slots=True)
class Played:
    """A game, and in a sealed match the transcript that proves it."""

    game: Game
    transcript: bytes = b""


def play_batch(plan: Plan, numbers: range, log: str | None = None) -> tuple[Played, ...]:
    """The pairs of the match with these numbers, two games each, in order. Raises Unreadable where a bot is missing.

    What programs write to their standard error, and the tracebacks of classes, are added to the file `log`.
    """
    played: list[Played] = []
    with Bench(plan.bots, log) as bench:
        for place in map(plan.place, numbers):
            played += [_played(plan, bench, place.pairing, number) for number in game_numbers(place)]
    return tuple(played)


def _played(plan: Plan, bench: Bench, pairing: Pairing, number: int) -> Played:
    seats = seats_of(pairing, number)
    one, two = (bench.seated(bot, bot_seed(plan, number, pairing.index(bot))) for bot in seats)
    transcript = b""
    if plan.sealed:
        from p2p_schotten.arena.sealed import play_sealed  # brings the cryptography along

        result, transcript = play_sealed(plan, number, seats, (one, two))
    else:
        result = play_game(dealt(plan, number), (one, two), shuffler(plan, number))
    bench.sort_out(seats, result)
    return Played(Game(number, seats, first_of(number), result), transcript)


class Bench:
    """The bots of a batch, each made when it is first needed. One that stopped is not trusted with another game."""

    def __init__(self, specs: tuple[str, ...], log: str | None = None) -> None:
        self._specs = specs
        self._log = None if log is None else Path(log)
        self._bots: dict[int, Bot] = {}
        self._made: set[int] = set()  # of whom there was one in this batch

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        with ExitStack() as stack:  # all are closed, whatever one of them does
            for one in list(self._bots):
                stack.callback(self._let_go, one)

    def seated(self, one: int, seed: str) -> Seated:
        """That contestant at its seat of a new game."""
        spec = self._specs[one]
        if one not in self._bots:
            try:
                self._bots[one] = find_bot(spec, self._log)
            except Unreadable as error:
                if not isinstance(error, Unmade) and one not in self._made:
                    raise  # on another machine it may never have been there
                note_error(self._log, f"{spec}: {error}", error.__cause__ or error)
                return Seated(NotMade(spec, str(error)), seed, spec)
            self._made.add(one)
        return Seated(self._bots[one], seed, spec, self._log)

    def sort_out(self, seats: Pairing, result: Result) -> None:
        """Whoever stopped in that game is made anew for the next one."""
        for stopped in result.stopped:
            self._let_go(seats[stopped.seat])

    def _let_go(self, one: int) -> None:
        bot = self._bots.pop(one, None)
        if bot is not None:
            with suppress(BotStopped):  # no game depends on it any more
                Seated(bot, 0, self._specs[one]).close()


@dataclass(frozen=True, slots=True)
class NotMade:
    """Has the seat in a game for which there is no bot any more, though its class or program is known: it stops."""

    name: str
    why: str

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        """Nothing is needed for that."""

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        """There is nobody to choose."""
        raise BotStopped(Fault.CRASH, self.why)

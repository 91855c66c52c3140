"""A batch: some pairs in a row, played in one process. Its bots are made once and let go of at its end."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import dataclass

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
from p2p_schotten.bots.base import Bot, BotStopped
from p2p_schotten.bots.finding import find_bot
from p2p_schotten.bots.seated import Seated


@dataclass(frozen=True, slots=True)
class Played:
    """A game, and in a sealed match the transcript that proves it, by seat."""

    game: Game
    transcripts: tuple[bytes, bytes] | None = None


def play_batch(plan: Plan, numbers: range) -> tuple[Played, ...]:
    """The pairs of the match with these numbers, two games each, in order. Raises Unreadable where a bot is missing."""
    played: list[Played] = []
    with Bench(plan.bots) as bench:
        for place in map(plan.place, numbers):
            played += [_played(plan, bench, place.pairing, number) for number in game_numbers(place)]
    return tuple(played)


def _played(plan: Plan, bench: Bench, pairing: Pairing, number: int) -> Played:
    seats = seats_of(pairing, number)
    bots = [bench.seated(one, bot_seed(plan, number, pairing.index(one))) for one in seats]
    result = play_game(dealt(plan, number), bots, shuffler(plan, number))
    bench.sort_out(seats, result)
    return Played(Game(number, seats, first_of(number), result))


class Bench:
    """The bots of a batch, each made when it is first needed. One that stopped is not trusted with another game."""

    def __init__(self, specs: tuple[str, ...]) -> None:
        self._specs = specs
        self._bots: dict[int, Bot] = {}

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        with ExitStack() as stack:  # all are closed, whatever one of them does
            for one in list(self._bots):
                stack.callback(self._let_go, one)

    def seated(self, one: int, seed: str) -> Seated:
        """That contestant at its seat of a new game."""
        if one not in self._bots:
            self._bots[one] = find_bot(self._specs[one])
        return Seated(self._bots[one], seed, self._specs[one])

    def sort_out(self, seats: Pairing, result: Result) -> None:
        """Whoever stopped in that game is made anew for the next one."""
        if result.stopped is not None:
            self._let_go(seats[result.stopped.seat])

    def _let_go(self, one: int) -> None:
        with suppress(BotStopped):  # no game depends on it any more
            Seated(self._bots.pop(one), 0).close()

"""A whole game of two greedy bots over TLS on loopback, with journals: what it costs above the library's own work.

Both ends run in this process, so its CPU time is that of both peers; the bots' thinking is timed and taken off, and the
start of a process is not in it. What a front end draws is not in it either.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import trio

from _bench.measure import Calls, Goal, Row, Units, counted, seconds
from _bench.sealed import entropy
from p2p_schotten.bots import make_bot
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.journal import Journal
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.invite import Address, Target
from p2p_schotten.net.link import Link
from p2p_schotten.net.lobby import open_lobby
from p2p_schotten.net.told import Told
from p2p_schotten.protocol.events import Offered, YourTurn
from p2p_schotten.protocol.peer import Peer

RUNS = 3
HAND = "Your hand"  # how the line begins that the plain front end shows first of a game


class Game:
    """One game from the first connection to the last record; what it took, and what its bots thought."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.thought = 0.0  # seconds of CPU
        self.moves = 0
        self.identities = tuple(Identity(entropy(f"network identity {seat}")(32)) for seat in SEATS)

    async def run(self) -> None:
        """Raises whatever a link raises."""
        async with (
            open_lobby(self.identities[0], bind="127.0.0.1", port=0) as lobby,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(self._guest, Target((Address("127.0.0.1", lobby.port),)))
            await self._sit(SEATS[0], await lobby.next())

    async def _guest(self, target: Target) -> None:
        await self._sit(SEATS[1], await dial(target, self.identities[1]))

    async def _sit(self, seat: Seat, connection: Connection) -> None:
        peer = Peer(
            seat,
            self.identities[seat],
            f"greedy {seat}",
            ruleset("base") if seat == 0 else None,
            entropy(f"network game {seat}"),
            other_identity=connection.proven.identity,
        )
        bot = make_bot("greedy", seed=seat)
        journal = Journal(self.folder, seat)
        link = Link(connection, peer, journal)

        async def deliver(event: Told) -> None:
            if isinstance(event, Offered):
                await link.accept()
            elif isinstance(event, YourTurn):
                began = time.process_time()
                move = bot.choose(peer.view())
                self.thought += time.process_time() - began
                self.moves += 1
                await link.play(move)

        await link.run(deliver)
        journal.close()


def play() -> tuple[Game, float]:
    """A game and the CPU seconds that it took, bots' thinking apart."""
    with tempfile.TemporaryDirectory() as folder:
        game = Game(Path(folder))
        began = time.process_time()
        trio.run(game.run)
        return game, time.process_time() - began - game.thought


def command() -> tuple[float, float]:
    """`schotten play` as a whole, two processes: seconds until the hand is shown, and until all is over."""
    words = [sys.executable, "-m", "p2p_schotten", "play", "--me", "greedy", "--opponent", "greedy", "--plain"]
    with tempfile.TemporaryDirectory() as home:
        began = time.perf_counter()
        environment = {**os.environ, "SCHOTTEN_HOME": home, "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            shown = next((time.perf_counter() - began for line in process.stdout if line.startswith(HAND)), None)
            process.stdout.read()
        if process.returncode != 0 or shown is None:
            raise RuntimeError(f"{' '.join(words)} ended with status {process.returncode}, or showed no hand")
        return shown, time.perf_counter() - began


def measure(units: Units) -> list[Row]:
    """The ratio of the goal, from pairs of a game and the units timed around it; then the command as a whole."""
    play()
    called: Calls
    with counted() as calls:
        game, _ = play()
        called = Counter(calls)
    took, ratios, thought = [], [], []
    before = units.sample()
    for _ in range(RUNS):
        game, cpu = play()
        after = units.sample()
        costs = {name: (before[name] + after[name]) / 2 for name in before}
        took.append(cpu)
        thought.append(game.thought)
        ratios.append(cpu / seconds(called, costs))
        before = after
    shown, over = zip(*(command() for _ in range(RUNS)), strict=True)
    return [
        Row(
            "greedy game over TLS: CPU / library calls",
            statistics.median(ratios),
            "x",
            Goal("at most", 1.3),
            f"best {min(ratios):.3f}",
        ),
        Row("its CPU time, both peers", statistics.median(took), "s", None, f"{game.moves} moves"),
        Row("its library calls", seconds(called, units.costs()), "s"),
        Row("its bots' thinking, not in", statistics.median(thought), "s"),
        Row("schotten play: start to the first hand", statistics.median(shown), "s", Goal("at most", 2), "wall clock"),
        Row("schotten play: a whole greedy game", statistics.median(over), "s", None, "wall clock, two processes"),
    ]

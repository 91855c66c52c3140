"""Whole games of two programs' worth of code over TCP, with a proxy between them that cuts every connection by chance.

Both seats have their real journals, their real way back to each other, and a bot; whichever way one dials the other,
the connection goes through the proxy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import trio

from p2p_schotten.bots import make_bot
from p2p_schotten.bots.seated import Seated
from p2p_schotten.cli.away import Away
from p2p_schotten.cli.game import Game
from p2p_schotten.cli.player import Player
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.move import Move, Resign
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.view import View
from p2p_schotten.errors import leaves
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.journal import Journal
from p2p_schotten.net.connection import Connection
from p2p_schotten.net.dial import dial
from p2p_schotten.net.invite import Address, Target
from p2p_schotten.net.lobby import open_lobby
from p2p_schotten.net.reconnect import Parties, WayBack, way_back
from p2p_schotten.net.sockets import free_port
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.transcript import verify
from p2p_schotten.ui.notice import Happening, Reconnecting, Resumed, Silent
from p2p_schotten.ui.silent import SilentFront
from tests.adversaries.proxy import CHUNK, LOOPBACK, Cut, Faults, Plan, Proxy, Way, open_proxy
from tests.protocol.pair import entropy

BEGUN = 8_000  # bytes after which a game exists: TLS, identities, HELLOs and COMMITs; before that a cut ends nothing
WITHIN = 25_000  # bytes within which a later connection is cut; a game of 54 cards is about 110,000 long
CUTS = 12  # of one game; then it is left alone
LISTENS = 0.2  # seconds until a host listens
PATIENCE = 300.0  # seconds for one game, however often it is cut


@dataclass
class Played:
    """What became of one game: what was wrong, how often it was cut and gone on with, and how long that took."""

    number: int
    rules: str
    wrong: list[str] = field(default_factory=list)
    cuts: Counter[Cut] = field(default_factory=Counter)
    resumes: int = 0
    back: list[float] = field(default_factory=list)  # seconds from hearing of a cut to standing equal again
    silent: list[float] = field(default_factory=list)  # seconds of silence that a player was told of
    records: int = 0
    seconds: float = 0.0


class Timed(SilentFront):
    """A front end that only looks at its watch."""

    def __init__(self, played: Played) -> None:
        self._played = played
        self._gone: float | None = None

    def tell(self, happening: Happening, view: View | None) -> None:
        """How long the other was away."""
        match happening:
            case Reconnecting() if self._gone is None:
                self._gone = trio.current_time()
            case Resumed() if self._gone is not None:
                self._played.resumes += 1
                self._played.back.append(trio.current_time() - self._gone)
                self._gone = None
            case Silent(seconds):
                self._played.silent.append(seconds)


class Mayfly:
    """A bot that gives up at a move of its own by that number, so that games have ends of every length."""

    def __init__(self, seed: int, last: int) -> None:
        self.name = "mayfly"
        self._bot = make_bot("greedy" if seed % 2 else "uniform", seed)
        self._left = last

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        """It has but one game."""

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        """What the bot would do, until the end."""
        self._left -= 1
        return Resign() if self._left < 0 else self._bot.choose(view)


@dataclass
class Detour(Away):
    """A way back that always leads through the proxy, whatever port the other says he listens on."""

    through: int = 0

    def learn(self, host: str, port: int) -> None:
        """The proxy stands before that port."""
        super().learn(host, self.through)


def cutting(random: Random, cuts: tuple[Cut, ...]) -> Plan:
    """Cuts by chance; the first connection lives until the game exists, and after enough of them all is well."""

    def plan(number: int) -> Faults:
        after = random.randrange(WITHIN) if number else BEGUN + random.randrange(WITHIN)
        return Faults(
            jitter=random.choice((0.0, 0.0, 0.003)),
            piece=1 if after < 2_000 else random.choice((100, 1000, CHUNK)),
            cut=random.choice(cuts) if number < CUTS else None,
            after=after,
            way=random.choice(tuple(Way)),
            away=random.choice((0.0, 0.0, 0.3)),
        )

    return plan


@dataclass
class Meeting:
    """Two homes, two players, and the proxies before their ports: one before each."""

    played: Played
    folder: Path
    ports: tuple[int, int]
    before: tuple[Proxy, Proxy]
    lasts: tuple[int, int]  # after so many moves of his own each of them resigns
    games: list[Game] = field(default_factory=list)

    @property
    def identities(self) -> list[Identity]:
        """Of both seats."""
        return [Identity(entropy("cuts", self.played.number, seat)(32)) for seat in SEATS]

    async def host(self) -> None:
        """Seat 0, as `schotten host` does it: its port is open as long as its game is."""
        mine, theirs = self.identities
        async with (
            open_lobby(mine, bind=LOOPBACK, port=self.ports[0]) as lobby,
            way_back(Parties(mine, SEATS[0], theirs.public), lobby=lobby) as way,
        ):
            await self._run(await lobby.next(), way)

    async def guest(self) -> None:
        """Seat 1, as `schotten join` does it."""
        theirs, mine = self.identities
        address = Address(LOOPBACK, self.before[0].port)
        parties = Parties(mine, SEATS[1], theirs.public)
        connection = await dial(Target((address,), theirs.public), mine)
        async with way_back(parties, port=self.ports[1], addresses=(address,)) as way:
            await self._run(connection, way)

    async def tell_of(self, seat: Callable[[], Awaitable[None]]) -> None:
        """One seat to its end. Whatever error it ends with, the soak goes on and tells of it."""
        try:
            await seat()
        except Exception as error:
            told = "; ".join(f"{type(leaf).__name__}: {leaf}" for leaf in leaves(error))
            self.played.wrong.append(f"{seat.__name__}: {told}")

    async def _run(self, connection: Connection, way: WayBack) -> None:
        seat: Seat = connection.seat
        number, identity, home = self.played.number, self.identities[seat], self.folder / str(seat)
        peer = Peer(
            seat,
            identity,
            f"seat {seat}",
            RULESETS[self.played.rules] if seat == 0 else None,
            entropy("cuts", number, seat, "game"),
            other_identity=self.identities[other(seat)].public,
        )
        player = Player(Timed(self.played), Seated(Mayfly(2 * number + seat, self.lasts[seat]), 0))
        away = Detour(way, PATIENCE, bot="greedy", through=self.before[other(seat)].port)
        game = Game(connection, peer, Journal(home, seat), player, home, away)
        self.games.append(game)
        await game.run()


async def play(number: int, folder: Path, plan: Plan, *, last: int | None = None) -> Played:
    """The game of that number, in two homes below `folder`; whatever is wrong stands in what is returned.

    `last`: how many moves each seat makes before it resigns, by default a number by chance; in some games nobody does.
    """
    random = Random(f"game {number}")
    played = Played(number, list(RULESETS)[number % len(RULESETS)])
    first, second = (last or (1000 if random.random() < 0.3 else random.randrange(25)) for _ in SEATS)
    ports = free_port(), free_port()
    began = trio.current_time()
    async with (
        open_proxy(ports[0], plan, random=random) as to_host,
        open_proxy(ports[1], lambda number: plan(number + 1), random=random) as to_guest,
    ):
        meeting = Meeting(played, folder, ports, (to_host, to_guest), (first, second))
        with trio.move_on_after(PATIENCE) as scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(meeting.tell_of, meeting.host)
                await trio.sleep(LISTENS)
                nursery.start_soon(meeting.tell_of, meeting.guest)
        played.cuts = to_host.cuts + to_guest.cuts
    if scope.cancelled_caught:
        played.wrong.append(f"not over after {PATIENCE:g} s")
    played.seconds = trio.current_time() - began
    judge(played, [game.journal.path for game in meeting.games])
    return played


def judge(played: Played, paths: list[Path | None]) -> None:
    """Both transcripts are the same bytes, and a stranger finds the game over, sealed and revealed by both."""
    files = [path.read_bytes() for path in paths if path is not None]
    if len(files) != len(SEATS):
        played.wrong.append(f"{len(files)} transcripts")
        return
    if files[0] != files[1]:
        played.wrong.append(f"the transcripts differ ({len(files[0])} and {len(files[1])} bytes)")
    for data in files[: 1 if files[0] == files[1] else 2]:
        verdict = verify(data)
        played.records = verdict.records
        if not verdict.over or verdict.fault is not None or len(verdict.sealed) + len(verdict.revealed) != 4:
            played.wrong.append(verdict.ending())


async def play_all(
    numbers: range, folder: Path, cuts: tuple[Cut, ...], *, at_once: int, tell: Callable[[Played], None]
) -> None:
    """Every game of these numbers, so many at a time."""
    room = trio.CapacityLimiter(at_once)

    async def one(number: int) -> None:
        async with room:
            for attempt in range(3):  # a port that was free a moment ago may be another program's now
                cut = cutting(Random(f"cuts {number}"), cuts)
                played = await play(number, folder / f"{number}-{attempt}", cut)
                if not any("is taken by another program" in what for what in played.wrong):
                    break
            tell(played)

    async with trio.open_nursery() as nursery:
        for number in numbers:
            nursery.start_soon(one, number)

"""Long tests that the test suite has no time for. Needs the environment: `.venv/bin/python scripts/soak.py --help`.

`arena`: one match in four ways, killed in the middle too: always the same file (see scripts/_soak_arena.py).
`crash`: a crash at every boundary of write, fsync and send; nothing may be lost (see scripts/_soak_crash.py).
`cuts`: games over TCP, cut by chance: each must end, and alike at both seats (see scripts/_cuts.py).
`edits`: a whole transcript is edited in seeded ways, and `verify` must refuse every edit (see scripts/_edits.py).
`fuzz`: inputs that nobody would send, for every door of the program (see scripts/_soak_fuzz.py).
`games`: whole games between two processes, which may leave nothing behind but transcripts (see scripts/_games.py).
`liar`: whatever the attacks of tests/protocol say to a peer, said over TLS and TCP (see tests/adversaries).
`random`: random games of every ruleset in this process, all of which must end (see scripts/_ends.py).
`strangers`: strangers of every kind on the port of a host: how much memory they cost, and that games go on.
`tests`: the long tests of the suite (tests/long.txt).
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from _cuts import soak_cuts
from _edits import Edit, edits, judged, table
from _ends import soak_random
from _games import soak_games
from _soak_arena import soak_arena
from _soak_crash import crash_arguments, soak_crash
from _soak_fuzz import fuzz_arguments, soak_fuzz

from p2p_schotten.bots import make_bot
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.engine.rulesets import ruleset
from p2p_schotten.errors import SchottenError
from p2p_schotten.ids import SEATS
from p2p_schotten.protocol.events import Offered
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.transcript import verify

ROOT = Path(__file__).resolve().parent.parent


def _entropy(*labels: object) -> Callable[[int], bytes]:
    """Bytes that look random and are the same in every run."""
    given = 0

    def give(count: int) -> bytes:
        nonlocal given
        given += count
        return hashlib.shake_256(repr(labels).encode()).digest(given)[given - count :]

    return give


def play_game(seed: int, sitting: int = 0) -> bytes:
    """The transcript of a whole game between two bots in this process; same players in every sitting of a seed."""
    peers = [
        Peer(seat, Identity(_entropy("identity", seed, seat)(32)), f"seat {seat}", rules, _entropy(seed, sitting, seat))
        for seat, rules in zip(SEATS, (ruleset("base"), None), strict=True)
    ]
    bots = [make_bot("greedy", seed), make_bot("uniform", seed)]
    peers[0].start()
    while not all(peer.session.finished for peer in peers):
        for peer, bot in zip(peers, bots, strict=True):
            for record in peer.frames():
                events = peers[1 - peer.seat].receive(record)
                if any(isinstance(event, Offered) for event in events):
                    peers[1].accept()
            if peer.choices():
                peer.play(bot.choose(peer.view()))
    return HEADER + b"".join(frame(record) for record in peers[0].records)


def _judge(data: bytes, edit: Edit) -> tuple[Edit, str]:
    return edit, judged(data, edit.data, verify(edit.data))


def soak_edits(path: Path | None, count: int, seed: int) -> int:
    """Verifies `count` edits of a transcript; 1 when one of them was not refused as it must be."""
    data = play_game(seed) if path is None else path.read_bytes()
    verdict = verify(data)
    print(f"{len(data):,} bytes, {verdict.records} records: {verdict.ending()}")
    if not verdict.over:
        return 1
    found: Counter[tuple[str, str]] = Counter()
    wrong = []
    others = [play_game(seed, 1), play_game(seed + 1)]
    with Pool() as pool:
        for edit, outcome in pool.imap_unordered(partial(_judge, data), edits(data, others, count, seed), 4):
            found[edit.what, outcome.split(":")[0]] += 1
            if outcome.startswith("WRONG"):
                wrong.append(f"{edit}: {outcome}")
    print(table(found))
    for line in wrong:
        print(line)
    print(f"{found.total()} edits, {len(wrong)} wrong")
    return 1 if wrong else 0


def _pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *arguments], cwd=ROOT, check=False).returncode


def main() -> int:
    """The exit status: 0 when everything held."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    duel = commands.add_parser("arena", help="play one match in four ways: each must make the same file")
    duel.add_argument("--count", type=int, default=10_000, metavar="N", help="how many games (default: 10,000)")
    duel.add_argument("--seed", type=int, default=1, metavar="N", help="of the match and the kills (default: 1)")
    cut = commands.add_parser("cuts", help="play games over connections that are cut: each must end, and alike")
    cut.add_argument("--count", type=int, default=500, metavar="N", help="how many games (default: 500)")
    cut.add_argument("--seed", type=int, default=1, metavar="N", help="of the first game and its cuts (default: 1)")
    crash_arguments(commands.add_parser("crash", help="crash at every boundary of write, fsync and send, and go on"))
    edit = commands.add_parser("edits", help="verify seeded edits of a transcript: each must be refused")
    edit.add_argument("--file", type=Path, metavar="FILE", help="a transcript (default: a game is played here)")
    edit.add_argument("--count", type=int, default=300, metavar="N", help="how many edits (default: 300)")
    edit.add_argument("--seed", type=int, default=1, metavar="N", help="of the edits and of the game (default: 1)")
    fuzz_arguments(commands.add_parser("fuzz", help="feed every door what nobody would send: it may only refuse"))
    game = commands.add_parser("games", help="play whole games between two processes: they may leave nothing behind")
    game.add_argument("--count", type=int, default=100, metavar="N", help="how many games (default: 100)")
    game.add_argument("--seed", type=int, default=1, metavar="N", help="of the bots of the first game (default: 1)")
    commands.add_parser("liar", help="tell every lie of the attack tests over the real link too")
    many = commands.add_parser("random", help="play random games of every ruleset: all must end")
    many.add_argument("--count", type=int, default=10_000, metavar="N", help="games of each (default: 10,000)")
    many.add_argument("--seed", type=int, default=1, metavar="N", help="of the first game (default: 1)")
    commands.add_parser("strangers", help="send strangers to a host that waits and plays: measure its memory")
    commands.add_parser("tests", help="run the long tests, which scripts/test.py leaves out")
    asked = parser.parse_args()
    try:
        if asked.command == "tests":
            return _pytest("-n", "2", "-m", "long")
        if asked.command == "liar":
            return _pytest("-n", "0", "-p", "tests.adversaries.over_link", "tests/protocol", "-k", "attacks")
        if asked.command == "strangers":
            return _pytest("-n", "0", "-s", "tests/adversaries/test_strangers.py")
        if asked.command == "arena":
            return soak_arena(asked.count, asked.seed)
        if asked.command == "cuts":
            return soak_cuts(asked.count, asked.seed)
        if asked.command == "crash":
            return soak_crash(asked.processes, asked.jobs, asked.most, asked.seed)
        if asked.command == "fuzz":
            return soak_fuzz(asked.count, asked.seed, asked.target, asked.atheris)
        if asked.command == "games":
            return soak_games(asked.count, asked.seed)
        if asked.command == "random":
            return soak_random(asked.count, asked.seed)
        return soak_edits(asked.file, asked.count, asked.seed)
    except (OSError, SchottenError) as error:
        print(f"soak: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

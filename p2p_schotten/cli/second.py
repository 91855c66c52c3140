"""The hidden command behind `play`: the second peer. What it needs comes through its standard input, as one JSON line.

It plays with a throw-away identity over loopback like any guest, and ends when its standard input ends: that is its
parent. Its one line of output says where its transcript lies, or what went wrong.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import typer

from p2p_schotten.bots import make_bot
from p2p_schotten.cli.status import Failure, Status, answer
from p2p_schotten.errors import SchottenError

app = typer.Typer(add_completion=False)


@app.command()
def second_peer() -> int:
    """Play the game that the line on standard input describes."""
    import trio

    for name in ("SIGINT", "SIGHUP"):  # the terminal's signals are meant for the parent, who then lets go of us
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    line = sys.stdin.buffer.readline()
    if not line:
        return Status.NO_GAME
    order: dict[str, str] = json.loads(line)
    try:
        trio.run(_play, order)
    except (SchottenError, OSError, BaseExceptionGroup) as error:
        reply = answer(error, playing=True)
        if reply is None:
            raise
        print(json.dumps({"error": reply.message}), flush=True)
        return reply.status
    return Status.DONE


async def _play(order: dict[str, str]) -> None:
    import trio

    from p2p_schotten.cli.game import Player
    from p2p_schotten.cli.series import Series
    from p2p_schotten.crypto.identity import Identity
    from p2p_schotten.net.dial import dial
    from p2p_schotten.net.invite import parse_target
    from p2p_schotten.ui.silent import SilentFront

    identity = Identity.generate()
    bot = make_bot(order["bot"], int(order["seed"]))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_end_with_parent, nursery.cancel_scope)
        connection = await dial(parse_target(order["invite"]), identity)
        player = Player(SilentFront(), bot)
        series = Series(connection, identity, order["bot"], player, Path(order["home"]), always=True)
        try:
            await series.run()
        except Failure:
            if series.game.stopped:  # the parent only sees that nobody is there any more
                print(f"schotten: {series.game.stopped}", file=sys.stderr, flush=True)
            raise
        nursery.cancel_scope.cancel()


async def _end_with_parent(scope: object) -> None:
    import trio

    assert isinstance(scope, trio.CancelScope)
    while await trio.to_thread.run_sync(os.read, 0, 1, abandon_on_cancel=True):
        pass
    scope.cancel()

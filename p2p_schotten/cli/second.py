"""The hidden command behind `play`: the second peer. What it needs comes through its standard input, as one JSON line.

It plays with a throw-away identity over loopback like any guest, and ends when its standard input ends: that is its
parent. Where no game came about, its one line of output says why.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from p2p_schotten.bots import ready_bot
from p2p_schotten.bots.seated import Seated
from p2p_schotten.cli.options import keep_output
from p2p_schotten.cli.order import MAX_ORDER, read_order
from p2p_schotten.cli.status import Status, answer
from p2p_schotten.errors import JournalError, SchottenError
from p2p_schotten.home import BOT_LOG
from p2p_schotten.ui.silent import SilentFront
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.cli.series import Series

app = typer.Typer(add_completion=False)


@app.command()
def second_peer() -> int:
    """Play the game that the line on standard input describes."""
    import trio

    for name in ("SIGINT", "SIGHUP"):  # the terminal's signals are meant for the parent, who then lets go of us
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    line = sys.stdin.buffer.readline(MAX_ORDER + 1)
    if not line:
        return Status.NO_GAME
    out = keep_output()  # what a bot prints is no report
    try:
        trio.run(_play, read_order(line))
    except (SchottenError, OSError, BaseExceptionGroup) as error:
        reply = answer(error, playing=True)
        if reply is None:
            raise
        print(json.dumps({"error": reply.message, "status": int(reply.status)}), file=out, flush=True)
        return reply.status
    return Status.DONE


async def _play(order: dict[str, str]) -> None:
    import trio

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_end_with_parent, nursery.cancel_scope)
        series = await (_again(order) if "game" in order else _anew(order))
        try:
            await series.run()
        finally:
            series.player.close()
        nursery.cancel_scope.cancel()


async def _anew(order: dict[str, str]) -> Series:
    """A game with a throw-away identity."""
    from p2p_schotten.cli.away import Away
    from p2p_schotten.cli.options import chosen_name
    from p2p_schotten.cli.player import Player
    from p2p_schotten.cli.series import Series
    from p2p_schotten.crypto.identity import Identity
    from p2p_schotten.net.dial import dial
    from p2p_schotten.net.invite import parse_target

    identity = Identity.generate()
    bot = _ready(order["bot"], order)
    connection = await dial(parse_target(order["invite"]), identity)
    away = Away(throwaway=identity.private_bytes(), bot=order["bot"])
    player, home = Player(SilentFront(), bot), Path(order["home"])
    return Series(connection, identity, chosen_name(None, bot), player, home, always=True, away=away)


async def _again(order: dict[str, str]) -> Series:
    """The game of an earlier run, with the identity that it had, and the bot, unless another is named."""
    from p2p_schotten.cli.away import Away
    from p2p_schotten.cli.player import Player
    from p2p_schotten.cli.saved import restore
    from p2p_schotten.cli.series import Series
    from p2p_schotten.ids import SEATS
    from p2p_schotten.net.dial import dial
    from p2p_schotten.net.invite import parse_target
    from p2p_schotten.standby import standby_path

    home, seat = Path(order["home"]), SEATS[int(order["seat"])]
    if not standby_path(home, bytes.fromhex(order["game"]), seat).exists():
        raise JournalError(_("it is not known who held the other seat"))
    saved = restore(home, order["game"], seat)
    assert saved.standby is not None
    bot = _ready(order.get("bot", saved.standby.bot), order)
    connection = await dial(parse_target(order["invite"]), saved.identity, resume=seat)
    away = Away(throwaway=saved.standby.identity, bot=bot.spec)
    return Series(
        connection,
        saved.identity,
        "",
        Player(SilentFront(), bot),
        home,
        always=True,
        away=away,
        restored=saved.restored,
    )


def _ready(spec: str, order: dict[str, str]) -> Seated:
    """That bot is there, before anybody is called; raises Unreadable."""
    return ready_bot(spec, int(order["seed"]), Path(order["home"]) / BOT_LOG)


async def _end_with_parent(scope: object) -> None:
    import trio

    assert isinstance(scope, trio.CancelScope)
    while await trio.to_thread.run_sync(os.read, 0, 1, abandon_on_cancel=True):
        pass
    scope.cancel()

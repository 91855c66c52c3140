"""`schotten play`: a game against a built-in opponent, which is a second peer in its own process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.child import Child, second_process
from p2p_schotten.cli.options import (
    Ascii,
    Clock,
    Forfeit,
    Json,
    MatchPoints,
    MatchRounds,
    Me,
    MyRole,
    Name,
    Plain,
    Rules,
    Seed,
    Set,
    chosen_front,
    chosen_name,
    chosen_offer,
    random_seed,
    seated,
)
from p2p_schotten.cli.status import Failure, Status, interrupted
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.cli.player import Player
    from p2p_schotten.net.connection import Connection
    from p2p_schotten.net.lobby import Lobby
    from p2p_schotten.protocol.offer import Offer

app = typer.Typer(add_completion=False)

Opponent = Annotated[str, typer.Option("--opponent", metavar="BOT")]


@app.command()
def play(
    opponent: Opponent = "greedy",
    rules: Rules = "base",
    flags: Set = None,
    role: MyRole = None,
    rounds: MatchRounds = None,
    points: MatchPoints = None,
    clock: Clock = None,
    me: Me = None,
    name: Name = None,
    seed: Seed = None,
    forfeit: Forfeit = False,
    plain: Plain = False,
    json: Json = False,
    ascii_only: Ascii = False,
) -> int:
    """Start the second peer, then everything that this side needs, while the second one does the same."""
    front = chosen_front(plain, json, ascii_only, me is None, waits=False)
    seed = random_seed() if seed is None else seed
    try:
        with second_process() as child:
            offer = chosen_offer(rules, flags, role, rounds, points, clock)
            with seated(front, me, seed, json=json, forfeit=forfeit) as player:
                _play(child, opponent, seed + 1, offer, player, chosen_name(name, player.bot))
    except KeyboardInterrupt:
        raise interrupted(_("interrupted before the game began")) from None
    return Status.DONE


def _play(child: Child, opponent: str, seed: int, offer: Offer, player: Player, name: str) -> None:
    import trio

    from p2p_schotten.bots import make_bot
    from p2p_schotten.crypto import group
    from p2p_schotten.home import home

    make_bot(opponent, seed).close()  # says at once when there is no such bot
    order = {"bot": opponent, "seed": str(seed), "home": str(home())}
    group.self_test()
    trio.run(_host, child, order, offer, player, name, restrict_keyboard_interrupt_to_checkpoints=True)


async def _host(child: Child, order: dict[str, str], offer: Offer, player: Player, name: str) -> None:
    from contextlib import AsyncExitStack

    from p2p_schotten.cli.away import Away
    from p2p_schotten.cli.keyboard import open_keyboard
    from p2p_schotten.cli.series import Series
    from p2p_schotten.home import load_identity
    from p2p_schotten.net.invite import SECRET_BYTES
    from p2p_schotten.net.lobby import open_lobby

    home, secret = Path(order["home"]), os.urandom(SECRET_BYTES)
    identity = load_identity(home)
    async with AsyncExitStack() as stack:
        if player.bot is None:
            player.keyboard = await stack.enter_async_context(open_keyboard())
        lobby = await stack.enter_async_context(
            open_lobby(identity, secret=secret, invited_only=True, bind="127.0.0.1")
        )
        child.order(invite=lobby.invite(), **order)
        connection = await first_to_come(lobby, child)
        away = Away(bot=player.spec, forfeit=player.forfeit)
        await Series(connection, identity, name, player, home, offer, beside=True, away=away).run()


async def first_to_come(lobby: Lobby, child: Child) -> Connection:
    """The second peer at the table; raises Failure when its process ends before it comes."""
    import trio

    async def watch() -> None:
        report = await trio.to_thread.run_sync(child.report, abandon_on_cancel=True)
        why = report.get("error", "?")
        if report.get("status") == str(int(Status.USAGE)):
            raise Failure(Status.USAGE, _("the opponent: {why}").format(why=why))
        raise Failure(Status.NO_GAME, _("the second peer did not come: {why}").format(why=why))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        connection = await lobby.next()
        nursery.cancel_scope.cancel()
    return connection

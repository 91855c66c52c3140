"""`schotten host`: listen, print the invite, wait for a friend, play."""

from __future__ import annotations

import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.options import (
    Ascii,
    Json,
    Me,
    Name,
    Plain,
    Rules,
    Seed,
    chosen_bot,
    chosen_front,
    chosen_name,
)
from p2p_schotten.cli.status import Failure, Status, interrupted
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.cli.game import Player
    from p2p_schotten.cli.keyboard import Keyboard
    from p2p_schotten.crypto.identity import Identity
    from p2p_schotten.engine.ruleset import Ruleset
    from p2p_schotten.net.connection import Connection
    from p2p_schotten.net.lobby import Lobby

app = typer.Typer(add_completion=False)

Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535)]
Bind = Annotated[str | None, typer.Option("--bind", metavar="ADDRESS")]


@app.command()
def host(
    port: Port = 0,
    bind: Bind = None,
    rules: Rules = "base",
    me: Me = None,
    name: Name = None,
    seed: Seed = None,
    plain: Plain = False,
    json: Json = False,
    ascii_only: Ascii = False,
) -> int:
    """Wait for a friend and play one game."""
    import trio

    from p2p_schotten.cli.game import Player
    from p2p_schotten.crypto import group
    from p2p_schotten.engine.rulesets import ruleset

    chosen = ruleset(rules)
    player = Player(chosen_front(plain, json, ascii_only, me is None), chosen_bot(me, seed))
    called = chosen_name(name, me)
    group.self_test()
    trio.run(_host, port, bind, chosen, player, called, restrict_keyboard_interrupt_to_checkpoints=True)
    return Status.DONE


async def _host(port: int, bind: str | None, rules: Ruleset, player: Player, name: str) -> None:
    from p2p_schotten.cli.keyboard import open_keyboard
    from p2p_schotten.errors import Refused
    from p2p_schotten.home import home, load_identity
    from p2p_schotten.net.addresses import addresses_of
    from p2p_schotten.net.invite import MAX_ADDRESSES, SECRET_BYTES, Address, write_invite
    from p2p_schotten.net.lobby import open_lobby
    from p2p_schotten.ui.notice import Invited, TurnedAway

    folder = home()
    identity, secret = load_identity(folder), os.urandom(SECRET_BYTES)

    def turned_away(refused: Refused) -> None:
        player.front.tell(TurnedAway(str(refused)), None)

    try:
        async with AsyncExitStack() as stack:
            lobby = await stack.enter_async_context(
                open_lobby(identity, secret=secret, port=port, bind=bind, tell=turned_away)
            )
            hosts = addresses_of(lobby.hosts)[:MAX_ADDRESSES]
            addresses = tuple(Address(host, lobby.port) for host in hosts)
            invite = write_invite(identity.public, secret, addresses)
            player.front.tell(Invited(invite, tuple(map(str, addresses))), None)
            if player.bot is None:
                player.keyboard = await stack.enter_async_context(open_keyboard())
            while not await _sit_down(lobby, identity, folder, rules, player, name):
                pass
    except KeyboardInterrupt:
        raise interrupted(_("interrupted before a friend came")) from None


async def _sit_down(lobby: Lobby, identity: Identity, folder: Path, rules: Ruleset, player: Player, name: str) -> bool:
    """One visitor's game; false when it ended before it had begun, and the next one may come."""
    from p2p_schotten.cli.game import Game, tell_saved
    from p2p_schotten.ids import Seat
    from p2p_schotten.journal import Journal
    from p2p_schotten.protocol.peer import Peer
    from p2p_schotten.ui.notice import TurnedAway

    connection = await _visitor(lobby, player.keyboard)
    peer = Peer(Seat(0), identity, name, rules, os.urandom, other_identity=connection.proven.identity)
    game = Game(connection, peer, Journal(folder, Seat(0)), player, folder=folder)
    try:
        await game.run()
    except Failure as failure:
        if game.begun or game.left:
            raise
        player.front.tell(TurnedAway(failure.message), None)
        return False
    finally:
        tell_saved(game)
    return True


async def _visitor(lobby: Lobby, keyboard: Keyboard | None) -> Connection:
    """The next one who proved who he is; raises Failure when the player leaves before."""
    import trio

    async with trio.open_nursery() as nursery:
        if keyboard is not None and keyboard.terminal:
            nursery.start_soon(_idle, keyboard)
        connection = await lobby.next()
        nursery.cancel_scope.cancel()
    return connection


async def _idle(keyboard: Keyboard) -> None:
    """Somebody waits at the keyboard: he can leave, and nothing that he types reaches the game."""
    left = Failure(Status.NO_GAME, _("you left before a friend came"))
    while True:
        try:
            line = await keyboard.line()
        except EOFError:
            raise left from None
        if line.strip().lower() in ("quit", "q"):
            raise left
        print(_("Waiting for a friend; type quit to leave."), file=sys.stderr)

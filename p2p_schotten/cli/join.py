"""`schotten join`: sit down at a friend's game, after its host and its rules were shown and agreed to."""

from __future__ import annotations

import math
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.options import (
    Ascii,
    Forfeit,
    Json,
    Me,
    Name,
    Plain,
    Seed,
    Wait,
    chosen_front,
    chosen_name,
    seated,
)
from p2p_schotten.cli.status import Failure, Status, interrupted
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import aside

if TYPE_CHECKING:
    from p2p_schotten.cli.keyboard import Keyboard
    from p2p_schotten.cli.player import Player
    from p2p_schotten.crypto.identity import Identity
    from p2p_schotten.net.connection import Connection
    from p2p_schotten.net.invite import Target
    from p2p_schotten.protocol.events import Offered

app = typer.Typer(add_completion=False)

REST = 10.0  # seconds within which a program writes the next line of an invite
PASTED = 1.0  # seconds within which the lines of a pasted one come
MOST_LINES = 100  # of one invite; empty ones count

Invite = Annotated[list[str], typer.Argument(metavar="INVITE")]
Yes = Annotated[bool, typer.Option("--yes")]
Trust = Annotated[bool, typer.Option("--trust")]


@app.command()
def join(
    invite: Invite,
    yes: Yes = False,
    trust: Trust = False,
    me: Me = None,
    name: Name = None,
    seed: Seed = None,
    wait: Wait = None,
    forfeit: Forfeit = False,
    plain: Plain = False,
    json: Json = False,
    ascii_only: Ascii = False,
) -> int:
    """Dial, look at the offer, agree, play."""
    import trio

    from p2p_schotten.crypto import group

    front = chosen_front(plain, json, ascii_only, me is None)
    asks = sys.stdin.isatty() and sys.stdout.isatty() and not json
    word = " ".join(invite)  # an invite that was copied with its line breaks comes in pieces
    if word != "-":  # what is wrong with it is said at once
        _target(word, _("schotten join - takes an invite that was copied with its line breaks"))
    if not asks and me is None and not yes:
        raise Failure(
            Status.USAGE,
            _("nobody can be asked here whether the offered rules are right"),
            _("--yes accepts them"),
        )
    with seated(front, me, seed, json=json, forfeit=forfeit) as player:
        group.self_test()
        agreement = _Agreement(player, yes or me is not None, trust, asks, wait)
        called = chosen_name(name, player.bot)
        trio.run(_join, word, called, agreement, restrict_keyboard_interrupt_to_checkpoints=True)
    return Status.DONE


class _Agreement:
    """What the player has agreed to in advance, and how he is asked for the rest."""

    def __init__(self, player: Player, rules: bool, keys: bool, asks: bool, wait: float | None) -> None:
        self.player = player
        self.wait = wait
        self.rules, self.keys, self.asks = rules, keys, asks
        self.pinned = False
        self.folder = Path()
        self.keyboard: Keyboard | None = None

    def check(self, target: Target) -> None:
        """What could not be asked later is a usage error now; raises Failure."""
        if target.key is None and not self.keys and not self.asks:
            raise Failure(
                Status.USAGE,
                _("HOST:PORT says nothing about the key of the host, and nobody can be asked here"),
                _("--trust accepts a key that is new; an invite names it"),
            )

    async def __call__(self, offer: Offered) -> None:
        """Show host and rules, ask for what was not agreed to in advance; raises Failure when it is refused."""
        from p2p_schotten.cli.people import introduced, refuse_twin

        who = introduced(self.folder, offer.identity, offer.name)
        self.player.front.tell(who, None)
        self.player.front.tell(offer, None)
        if not self.pinned:
            refuse_twin(who)
        if not self.pinned and who.known is None and not self.keys:
            why = _("The key is new to you. Let your friend read his fingerprint aloud (schotten keys shows it).")
            await self._ask(_("Is this the fingerprint that your friend reads to you? yes or no> "), why, "--trust")
        if not self.rules:
            why = _("`schotten rules {name}` shows them, in another window.").format(name=offer.rules.name)
            await self._ask(_("Play by these rules? yes or no> "), why, "--yes")

    async def _ask(self, question: str, why: str, option: str) -> None:
        """Until the answer is yes or no; `?` is answered with `why` it is asked and what can be typed."""
        if not self.asks:
            raise Failure(Status.USAGE, _("nobody can be asked here"), _("{option} agrees").format(option=option))
        while True:
            print(question, end="", flush=True)
            assert self.keyboard is not None
            try:
                line = (await self.keyboard.line()).strip().lower()
            except EOFError:
                print()
                raise Failure(Status.NO_GAME, _("no game came about: the input ended")) from None
            if line in ("yes", "y"):
                return
            if line in ("no", "n", "quit", "q"):
                raise Failure(Status.NO_GAME, _("no game came about: you did not agree"))
            if line in ("?", "help"):
                print(why)
            print(_("Type yes to agree or no to leave."))


async def _join(word: str, name: str, agreement: _Agreement) -> None:
    from p2p_schotten.cli.keyboard import open_keyboard
    from p2p_schotten.home import home, load_identity

    player = agreement.player
    agreement.folder = home()
    try:
        async with AsyncExitStack() as stack:
            if player.bot is None or agreement.asks or word == "-":
                agreement.keyboard = player.keyboard = await stack.enter_async_context(open_keyboard())
            if word == "-":
                word = await _read_invite(agreement.keyboard)
            target = _target(word)
            agreement.check(target)
            agreement.pinned = target.key is not None
            mine = load_identity(agreement.folder)
            connection, identity = await _dial(target, mine)
            # Who plays with a throw-away identity sits at his own table: nobody new is met there.
            await _play(connection, target, identity, name, agreement, known=identity is mine)
    except KeyboardInterrupt:
        raise interrupted(_("interrupted before the game began")) from None


def _target(word: str, hint: str = "") -> Target:
    """Whom to dial; raises Failure when the word is no invite and no HOST:PORT, with the hint when it is cut."""
    from p2p_schotten.errors import Malformed
    from p2p_schotten.net.invite import may_go_on, parse_target

    try:
        return parse_target(word)
    except Malformed as error:
        raise Failure(Status.NO_GAME, str(error), hint if may_go_on(word) else "") from error


async def _read_invite(keyboard: Keyboard | None) -> str:
    """Lines until they are an invite or HOST:PORT, or can never become one; what is wrong then says who reads them."""
    import trio

    from p2p_schotten.net.invite import may_go_on

    assert keyboard is not None
    if keyboard.terminal:
        aside(_("Paste the invite and press Enter."))
    text, told = "", False
    for _line in range(MOST_LINES):
        line: str | None = None
        with trio.move_on_after(math.inf if told or not text else PASTED if keyboard.terminal else REST):
            try:
                line = await keyboard.line()
            except EOFError:
                break
        if line is None and not keyboard.terminal:
            return text
        if line is None:
            told = True
            aside(_("The invite is not whole yet: paste the rest, or press Enter to give up."))
            continue
        text += line
        if (told and not line.strip()) or not may_go_on(text):
            return text
    if text:
        return text
    raise Failure(Status.NO_GAME, _("no invite came on standard input"))


async def _dial(target: Target, identity: Identity) -> tuple[Connection, Identity]:
    """The connection, and with which identity: a throw-away one when the host is myself."""
    from p2p_schotten.crypto.identity import Identity
    from p2p_schotten.net.dial import dial
    from p2p_schotten.net.handshake import OwnIdentity

    try:
        return await dial(target, identity), identity
    except OwnIdentity:
        aside(_("The host has your own identity: you play with a throw-away one."))
        identity = Identity.generate()
        return await dial(target, identity), identity


async def _play(
    connection: Connection, target: Target, identity: Identity, name: str, agreement: _Agreement, *, known: bool
) -> None:
    from p2p_schotten.cli.away import open_away
    from p2p_schotten.cli.series import Series
    from p2p_schotten.net.reconnect import Parties

    player, home = agreement.player, agreement.folder
    parties = Parties(identity, connection.seat, connection.proven.identity)
    async with open_away(parties, player, agreement.wait, addresses=target.addresses, throwaway=not known) as away:
        people = home if known else None
        await Series(connection, identity, name, player, home, agree=agreement, people=people, away=away).run()

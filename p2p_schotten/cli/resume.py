"""`schotten resume`: go on with a game after a crash, a cut or a closed lid."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.host import Port, Reach, extra_addresses
from p2p_schotten.cli.options import Ascii, ForfeitStill, Json, Me, Plain, Seed, Wait, chosen_front, seated
from p2p_schotten.cli.status import Failure, Status, interrupted
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import GAME_DIGITS
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import aside

if TYPE_CHECKING:
    from p2p_schotten.cli.away import Away
    from p2p_schotten.cli.child import Child
    from p2p_schotten.cli.player import Player
    from p2p_schotten.cli.saved import Saved
    from p2p_schotten.errors import ChannelError
    from p2p_schotten.ids import Seat
    from p2p_schotten.net.connection import Connection
    from p2p_schotten.net.invite import Address

app = typer.Typer(add_completion=False)

GameId = Annotated[str | None, typer.Argument(metavar="GAME")]
WithoutMark = Annotated[bool, typer.Option("--without-mark")]
Opponent = Annotated[str | None, typer.Option("--opponent", metavar="BOT")]


@app.command()
def resume(
    game: GameId = None,
    port: Port = 0,
    address: Reach = None,
    without_mark: WithoutMark = False,
    me: Me = None,
    opponent: Opponent = None,
    seed: Seed = None,
    wait: Wait = None,
    forfeit: ForfeitStill = None,
    plain: Plain = False,
    json: Json = False,
    ascii_only: Ascii = False,
) -> int:
    """Put the game together, find the other player, go on."""
    import trio

    from p2p_schotten.cli.saved import after, find
    from p2p_schotten.crypto import group
    from p2p_schotten.home import home

    extra = extra_addresses(tuple(address or ()))
    group.self_test()
    folder = home()
    try:
        saved = _open(folder, find(folder, game), without_mark=without_mark)
    except KeyboardInterrupt:
        raise interrupted(_("interrupted before the game was read"), Status.UNFINISHED) from None
    try:
        if saved.owes_nothing:
            raise Failure(Status.USAGE, _("this game is over"), f"schotten replay {saved.game[:GAME_DIGITS]}")
        if following := after(folder, saved):
            why = _("this game is over, and the next one of its match stands here")
            raise Failure(Status.USAGE, why, f"schotten resume {following[:GAME_DIGITS]}")
        if opponent is not None and not saved.beside:
            why = _("--opponent: somebody else holds the other seat, and not a program beside this one")
            raise Failure(Status.USAGE, why, _("--me BOT lets a bot hold my seat"))
        before = saved.standby
        bot = me or (before.bot if before is not None else "")
        if forfeit is None:
            forfeit = before is not None and before.forfeit
        front = chosen_front(plain, json, ascii_only, not bot)
        with seated(front, bot or None, seed, json=json, forfeit=forfeit) as player:
            _tell_where(saved, player)
            if saved.beside:
                _with_second(saved, player, opponent, seed, without_mark=without_mark)
            else:
                trio.run(_resume, saved, player, port, extra, wait, restrict_keyboard_interrupt_to_checkpoints=True)
    except Unreadable as error:
        hint = "" if me else _("--me BOT lets another bot hold the seat")
        raise Failure(Status.USAGE, str(error), hint) from error
    except KeyboardInterrupt:
        raise interrupted(_("interrupted before the other player came back"), Status.UNFINISHED) from None
    finally:
        saved.restored.journal.close()
    return Status.DONE


def _open(folder: Path, game: str, *, without_mark: bool) -> Saved:
    """My seat of that game; where another program plays it already, the other seat if that is here too."""
    from p2p_schotten.cli.saved import restore, seats_here
    from p2p_schotten.journal import Taken

    seats = seats_here(folder, game)
    for seat in seats[:-1]:
        try:
            return restore(folder, game, seat, without_mark=without_mark)
        except Taken:  # told by the last seat, if that one is taken too
            continue
    return restore(folder, game, seats[-1], without_mark=without_mark)


def _tell_where(saved: Saved, player: Player) -> None:
    """What goes on, before anybody is there."""
    from p2p_schotten.ui.notice import TakenUp
    from p2p_schotten.ui.words import count_records

    journal = saved.restored.journal
    if journal.lacks:
        sentence = _("This journal is older than what you have signed: {lost} must come back from the other side.")
        aside(sentence.format(lost=count_records(journal.lacks)))
    records = count_records(journal.count)
    aside(_("Going on with game {id} after {records}.").format(id=saved.game[:GAME_DIGITS], records=records))
    player.front.tell(TakenUp(saved.game, journal.count), None)


async def _resume(saved: Saved, player: Player, port: int, extra: tuple[Address, ...], wait: float | None) -> None:
    from contextlib import AsyncExitStack

    from p2p_schotten.cli.away import open_away
    from p2p_schotten.cli.keyboard import open_keyboard
    from p2p_schotten.errors import ChannelError, Malformed
    from p2p_schotten.net.invite import parse_address
    from p2p_schotten.net.reconnect import Parties

    standby, seat = saved.standby, saved.seat
    if not saved.other_key:
        raise Failure(Status.UNFINISHED, _("nothing is left of this game, not even who the other player is"))
    try:
        known = tuple(map(parse_address, standby.addresses)) if standby is not None else ()
    except Malformed as error:
        raise Failure(Status.UNFINISHED, _("the addresses kept for this game: {why}").format(why=error)) from error
    mine = port or (standby.port if standby is not None else 0) or None
    async with AsyncExitStack() as stack:
        if player.bot is None:
            player.keyboard = await stack.enter_async_context(open_keyboard())
        away = await stack.enter_async_context(
            open_away(
                Parties(saved.identity, seat, saved.other_key),
                player,
                wait,
                port=mine,
                addresses=tuple(dict.fromkeys((*extra, *known))),
                throwaway=standby is not None and bool(standby.identity),
            )
        )
        try:
            connection = await _reach(away, saved, player)
        except ChannelError as error:
            _end_alone(saved, player, error)
        else:
            await _go_on(connection, saved, player, away)


def _end_alone(saved: Saved, player: Player, error: ChannelError) -> None:
    """The game is closed without the other player, who did not come back.

    Raises Failure where it cannot be, or is one of a match that is not over.
    """
    from p2p_schotten.cli.endings import match_unfinished
    from p2p_schotten.match import standing_after
    from p2p_schotten.net.ends import close_alone
    from p2p_schotten.ui.notice import Settled

    peer, names = saved.restored.peer, saved.restored.peer.session.names
    closed = close_alone(peer, saved.restored.journal, error)
    if closed is None:
        alone = _("the game is over here, and nobody came for its last record: {why}").format(why=error)
        raise Failure(Status.UNFINISHED, alone if saved.ending else str(error)) from error
    player.front.meet(saved.seat, (names[0], names[1]))
    player.front.tell(Settled(closed.because), peer.view())
    if not standing_after(peer.session, saved.restored.before).over:
        raise match_unfinished(closed.because, saved.game)


async def _reach(away: Away, saved: Saved, player: Player) -> Connection:
    """The other player is there again; raises ChannelError when he does not come, Failure when mine leaves before."""
    import trio

    from p2p_schotten.cli.away import long_enough
    from p2p_schotten.cli.vigil import Vigil
    from p2p_schotten.net.limits import first_error

    assert away.way is not None
    line = _("Waiting for the other player at port {port}.").format(port=away.way.port)
    if await away.way.listen() is None:
        line = _("Looking for the other player where he was, but he cannot find you: {why}.").format(why=away.way.why)
    aside(line)
    if player.keyboard is not None and player.keyboard.terminal:
        aside(_("He types schotten resume too, unless he waits for you already. Type quit to leave."))
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Vigil(saved, player).run)
            connection = await away.connect(over=saved.ending, least=long_enough(saved.restored.peer.session))
            nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:  # a nursery wraps also a single error
        raise first_error(group) from None
    return connection


async def _go_on(connection: Connection, saved: Saved, player: Player, away: Away, *, beside: bool = False) -> None:
    from p2p_schotten.cli.series import Series
    from p2p_schotten.home import home

    # The name stands in the HELLO of this game, and those of later ones repeat it.
    series = Series(connection, saved.identity, "", player, home(), restored=saved.restored, away=away, beside=beside)
    await series.run()


# With the second process of `play`


def _with_second(saved: Saved, player: Player, opponent: str | None, seed: int | None, *, without_mark: bool) -> None:
    import trio

    from p2p_schotten.cli.child import second_process
    from p2p_schotten.cli.saved import restore
    from p2p_schotten.home import home
    from p2p_schotten.ids import other

    check_opponent(home(), saved.game, other(saved.seat), opponent)
    if without_mark:  # the second seat is played in this home only
        restore(home(), saved.game, other(saved.seat), without_mark=True).restored.journal.close()
    with second_process() as child:
        trio.run(_host, saved, player, child, opponent, seed, restrict_keyboard_interrupt_to_checkpoints=True)


def check_opponent(folder: Path, game: str, seat: Seat, instead: str | None = None) -> None:
    """The bot that held that seat, or is to hold it `instead`, can be made, so far as it is known; raises Failure."""
    from p2p_schotten.bots import make_bot
    from p2p_schotten.standby import load_standby, standby_path

    path = standby_path(folder, bytes.fromhex(game), seat)
    if not path.exists():  # the second process says what it lacks
        return
    try:
        make_bot(load_standby(path).bot if instead is None else instead, 0).close()
    except Unreadable as error:
        hint = _("try where the game was begun, for the current folder counts; --opponent BOT lets another one play")
        why = _("the opponent: {why}").format(why=error)
        raise Failure(Status.USAGE, why, hint if instead is None else "") from error


async def _host(saved: Saved, player: Player, child: Child, opponent: str | None, seed: int | None) -> None:
    from contextlib import AsyncExitStack

    from p2p_schotten.cli.away import Away
    from p2p_schotten.cli.keyboard import open_keyboard
    from p2p_schotten.cli.options import random_seed
    from p2p_schotten.cli.play import first_to_come
    from p2p_schotten.home import home
    from p2p_schotten.ids import other
    from p2p_schotten.net.invite import SECRET_BYTES
    from p2p_schotten.net.lobby import open_lobby

    seat = saved.seat
    async with AsyncExitStack() as stack:
        if player.bot is None:
            player.keyboard = await stack.enter_async_context(open_keyboard())
        lobby = await stack.enter_async_context(
            open_lobby(saved.identity, secret=os.urandom(SECRET_BYTES), invited_only=True, bind="127.0.0.1")
        )
        lobby.expect(saved.other_key, seat)
        child.order(
            invite=lobby.invite(),
            home=str(home()),
            game=saved.game,
            seat=str(other(seat)),
            seed=str(random_seed() if seed is None else seed),
            **({} if opponent is None else {"bot": opponent}),
        )
        connection = await first_to_come(lobby, child)
        await _go_on(connection, saved, player, Away(bot=player.spec, forfeit=player.forfeit), beside=True)

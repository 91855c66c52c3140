"""The options that several commands share, and what they mean: which front end, which bot, which name."""

from __future__ import annotations

import getpass
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.errors import Malformed
from p2p_schotten.text import NAME_BYTES, REPLACEMENT, check_name, clean_text
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.bots.base import Bot
    from p2p_schotten.ui.front import Front

Rules = Annotated[str, typer.Option("--rules", metavar="R")]
Me = Annotated[str | None, typer.Option("--me", metavar="BOT")]
Name = Annotated[str | None, typer.Option("--name", metavar="NAME")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", min=0, max=2**64 - 1)]
Plain = Annotated[bool, typer.Option("--plain")]
NO_NAME = "player"  # who neither gave a name nor has an account with one

Json = Annotated[bool, typer.Option("--json")]
Ascii = Annotated[bool, typer.Option("--ascii")]


def chosen_front(plain: bool, json: bool, ascii_only: bool, asks: bool, *, waits: bool = True) -> Front:
    """JSON lines, sentences, or on a terminal sentences with the board drawn. `waits`: a friend sits opposite."""
    if json:
        if plain or ascii_only:
            option = "--plain" if plain else "--ascii"
            raise Failure(Status.USAGE, _("--json and {option} exclude each other").format(option=option))
        from p2p_schotten.ui.json_front import JsonFront

        return JsonFront(sys.stdout)
    from p2p_schotten.ui.plain import PlainFront
    from p2p_schotten.ui.terminal import TerminalDrawing, can_draw, is_terminal

    drawing = TerminalDrawing(ascii_only) if can_draw() and not plain else None
    return PlainFront(sys.stdout, sys.stderr, terminal=is_terminal(), drawing=drawing, asks=asks, waits=waits)


def chosen_bot(name: str | None, seed: int | None) -> Bot | None:
    """The bot that holds my seat; None for a person. Raises Unreadable with the known names."""
    if name is None:
        return None
    from p2p_schotten.bots import make_bot

    return make_bot(name, random_seed() if seed is None else seed)


def random_seed() -> int:
    """A seed for a bot when none is given."""
    return int.from_bytes(os.urandom(8), "big")


def chosen_name(name: str | None, bot: str | None) -> str:
    """What the other player will call me: the option, else the bot's name, else the name of the account."""
    if name is not None:
        try:
            return check_name(name)
        except Malformed as error:
            raise Failure(Status.USAGE, _("--name: {why}").format(why=error)) from error
    if bot is not None:
        return bot
    try:
        account = getpass.getuser()
    except (ImportError, KeyError, OSError):  # nobody knows: OSError since Python 3.13
        return NO_NAME
    try:
        shown = clean_text(account, len(account)).replace(REPLACEMENT, "")
        return check_name(shown.encode()[:NAME_BYTES].decode(errors="ignore").strip())
    except Malformed:
        return NO_NAME

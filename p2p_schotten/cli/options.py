"""The options that several commands share, and what they mean: which front end, which bot, which name."""

from __future__ import annotations

import getpass
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.errors import Malformed
from p2p_schotten.text import REPLACEMENT, check_name, clean_text, cut_name
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.bots.seated import Seated
    from p2p_schotten.cli.player import Player
    from p2p_schotten.engine.ruleset import Ruleset
    from p2p_schotten.match import Form
    from p2p_schotten.protocol.offer import Offer
    from p2p_schotten.ui.front import Front


def whole(option: str, low: int | None = None, high: int | None = None) -> Callable[[str | int], int]:
    """Reads the number behind an option; Failure, with what was typed, for what is none or lies out of bounds."""

    def read(typed: str | int) -> int:
        text = str(typed).strip()
        if re.fullmatch("[+-]?[0-9]{1,20}", text, re.ASCII):
            number = int(text)
            if (low is None or number >= low) and (high is None or number <= high):
                return number
        what = _("a whole number")
        if low is not None and high is not None:
            what = _("a whole number from {low} to {high}").format(low=low, high=high)
        raise Failure(Status.USAGE, _sentence(option, what, text))

    return read


def seconds(option: str) -> Callable[[str | float], float]:
    """Reads the time behind an option, 0 or more; Failure, with what was typed, for what is none."""

    def read(typed: str | float) -> float:
        text = str(typed).strip()
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if number >= 0:
            return number
        raise Failure(Status.USAGE, _sentence(option, _("a number of seconds, 0 or more"), text))

    return read


def _sentence(option: str, expected: str, typed: str) -> str:
    sentence = _("{option}: expected {what}, not {typed}")
    return sentence.format(option=option, what=expected, typed=clean_text(typed, 40) or "''")


Rules = Annotated[str, typer.Option("--rules", metavar="R")]
Me = Annotated[str | None, typer.Option("--me", metavar="BOT")]
Name = Annotated[str | None, typer.Option("--name", metavar="NAME")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", parser=whole("--seed", 0, 2**64 - 1))]
Plain = Annotated[bool, typer.Option("--plain")]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="FLAG=VALUE")]
MatchRounds = Annotated[int | None, typer.Option("--match", metavar="N", parser=whole("--match"))]
MatchPoints = Annotated[int | None, typer.Option("--to", metavar="POINTS", parser=whole("--to"))]
Clock = Annotated[int | None, typer.Option("--clock", metavar="SECONDS", parser=whole("--clock"))]
Forfeit = Annotated[bool, typer.Option("--forfeit")]
ForfeitStill = Annotated[bool | None, typer.Option("--forfeit/--no-forfeit")]  # of a game that goes on
Wait = Annotated[float | None, typer.Option("--wait", metavar="SECONDS", parser=seconds("--wait"))]
NO_NAME = "player"  # who neither gave a name nor has an account with one

Json = Annotated[bool, typer.Option("--json")]
Ascii = Annotated[bool, typer.Option("--ascii")]


class Role(StrEnum):
    """Who attacks in a siege: I, the other, or whoever the coin says."""

    ATTACK = "attack"
    DEFEND = "defend"
    COIN = "coin"


MyRole = Annotated[Role | None, typer.Option("--role", metavar="ROLE")]


def chosen_offer(
    name: str,
    flags: list[str] | None,
    role: Role | None,
    rounds: int | None,
    points: int | None,
    clock: int | None = None,
) -> Offer:
    """What seat 0 offers; raises Failure or Unreadable, which say what is possible."""
    from p2p_schotten.engine.flags import flagged
    from p2p_schotten.engine.rulesets import ruleset
    from p2p_schotten.ids import SEATS
    from p2p_schotten.match import form_text, new_match
    from p2p_schotten.protocol.messages import Options
    from p2p_schotten.protocol.offer import LEAST_CLOCK, MOST_CLOCK, Offer, is_clock

    rules = flagged(ruleset(name), _flags(flags or []))
    if role is not None and rules.siege is None:
        raise Failure(Status.USAGE, _("--role: nobody attacks in {rules}, only in a siege").format(rules=name))
    if clock is not None and not is_clock(clock):
        why = _("--clock: {low} to {high} seconds for a turn, not {n}").format(
            low=LEAST_CLOCK, high=MOST_CLOCK, n=clock
        )
        raise Failure(Status.USAGE, why)
    first = None if role in (None, Role.COIN) else SEATS[role is Role.DEFEND]
    form = _form(rules, rounds, points)
    return Offer(rules, Options(first, form_text(form), clock), new_match(form, os.urandom))


def _flags(words: list[str]) -> dict[str, str]:
    """Each `flag=value`; a flag is set once."""
    flags: dict[str, str] = {}
    for word in words:
        flag, equals, value = word.partition("=")
        if not equals:
            raise Failure(Status.USAGE, _("--set {word}: expected FLAG=VALUE").format(word=clean_text(word, 40)))
        if flag in flags:
            raise Failure(Status.USAGE, _("--set {flag}: it is set twice").format(flag=clean_text(flag, 40)))
        flags[flag] = value
    return flags


def _form(rules: Ruleset, rounds: int | None, points: int | None) -> Form:
    """The match that --match or --to asks for."""
    from p2p_schotten.match import MAX_POINTS, MAX_ROUNDS, Free, Roles, Rounds, Target

    if rounds is not None and points is not None:
        raise Failure(Status.USAGE, _("--match and --to exclude each other"))
    if rules.siege is not None:
        if points is not None or rounds not in (None, 2):
            why = _("a match of {rules} is --match 2: each attacks once").format(rules=rules.name)
            raise Failure(Status.USAGE, why)
        return Free() if rounds is None else Roles()
    if rounds is not None:
        if not 1 <= rounds <= MAX_ROUNDS:
            raise Failure(Status.USAGE, _("--match: 1 to {n} games, not {k}").format(n=MAX_ROUNDS, k=rounds))
        return Rounds(rounds)
    if points is not None:
        if not 1 <= points <= MAX_POINTS:
            raise Failure(Status.USAGE, _("--to: 1 to {n} points, not {k}").format(n=MAX_POINTS, k=points))
        return Target(points)
    return Free()


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


@contextmanager
def seated(
    front: Front, bot: str | None, seed: int | None, *, json: bool = False, forfeit: bool = False
) -> Iterator[Player]:
    """The player at my seat: the bot called so, which is let go behind the block, or a person.

    Where standard output is for events (`json`), what a bot prints goes to standard error. Raises Unreadable with the
    bots that are known or with what is wrong with this one, Failure.
    """
    from p2p_schotten.bots import ready_bot
    from p2p_schotten.cli.player import Player
    from p2p_schotten.home import BOT_LOG, home

    if bot is None:
        if forfeit:
            raise Failure(Status.USAGE, _("--forfeit: no bot holds my seat"), _("--me BOT seats one"))
        yield Player(front)
        return
    if json:
        keep_output()
    made = ready_bot(bot, random_seed() if seed is None else seed, home() / BOT_LOG)
    player = Player(front, made, forfeit=forfeit)
    try:
        yield player
    finally:
        player.close()


def keep_output() -> TextIO:
    """Standard output, for what is said in lines; all that is printed from now on goes to standard error.

    So it stays until the process ends: a bot that nobody waits for any more may print for as long.
    """
    out = sys.stdout
    sys.stdout = sys.stderr
    return out


def random_seed() -> int:
    """A seed for a bot when none is given."""
    return int.from_bytes(os.urandom(8), "big")


def chosen_name(name: str | None, bot: Seated | None) -> str:
    """What the other player will call me: the option, else the bot's name, else the name of the account."""
    if name is not None:
        try:
            return check_name(name)
        except Malformed as error:
            raise Failure(Status.USAGE, _("--name: {why}").format(why=error)) from error
    try:
        account = getpass.getuser() if bot is None else bot.name
    except (ImportError, KeyError, OSError):  # nobody knows: OSError since Python 3.13
        return NO_NAME
    try:
        shown = clean_text(account, len(account)).replace(REPLACEMENT, "")
        return check_name(cut_name(shown))
    except Malformed:
        return NO_NAME

"""Bots by what the player types: a name, `module:Class`, or a command.

greedy                          a built-in bot
search,iterations=400           the same with options, which its class takes by name
mybot                           a bot that an installed package offers (entry point group p2p_schotten.bots)
mypackage.mybot:MyBot,depth=3   a class, also in the current folder
cmd:./mybot --flag              a program that speaks JSON lines on its standard input and output
cmd,limit=30:./mybot --flag     the same with options: seconds for each answer, and `start` until it says hello
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING

from p2p_schotten.bots.base import NOT_ITS_FAULT, Bot, BotStopped
from p2p_schotten.bots.log import place, place_of_import
from p2p_schotten.bots.seated import Seated
from p2p_schotten.errors import Malformed, Unreadable
from p2p_schotten.text import check_name, clean_text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from pathlib import Path

GROUP = "p2p_schotten.bots"
COMMAND = "cmd"
MAX_SPEC = 500  # characters: a command with its options, kept beside a game to find the bot again

BUILT_IN: Mapping[str, str] = {
    "uniform": "p2p_schotten.bots.uniform:Uniform",
    "greedy": "p2p_schotten.bots.greedy:Greedy",
    "search": "p2p_schotten.bots.search:Search",
    "easy": "p2p_schotten.bots.levels:Easy",
}
"""Where each built-in bot stands; it is imported when it is asked for."""

LEVELS: Mapping[str, str] = {"easy": "easy", "normal": "greedy", "hard": "search,seconds=0.5"}
"""Which bot plays at which level. `hard` thinks for a time, so that the same seed need not play the same moves."""

TAKEN = frozenset((*BUILT_IN, *LEVELS, COMMAND))
"""Names that mean something already: no package can give them to a bot of its own."""


class Unmade(Unreadable):
    """The class is there, but made no bot: it raised something, or what it made is none."""


def installed() -> Mapping[str, EntryPoint]:
    """The bots that installed packages offer, by name."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP) if point.name not in TAKEN}


def is_somebodys_class(spec: str) -> bool:
    """A class that is not built in: what it does to the process that asks it, nothing can keep it from."""
    return spec.partition(":")[0].split(",")[0] != COMMAND and spec.split(",")[0] not in TAKEN


def make_bot(spec: str, seed: int | str, log: Path | None = None) -> Seated:
    """The bot called so, at a seat of its first game; the same seed plays the same moves. Raises Unreadable.

    Who asked for a level meets it by that name, whatever bot plays at it.
    """
    name = spec.split(",")[0]
    return Seated(find_bot(spec, log), seed, spec, log, called=name if name in LEVELS else "")


def ready_bot(spec: str, seed: int | str, log: Path | None = None) -> Seated:
    """As `make_bot`, and it is there: a program that does not say hello is no bot either. Raises Unreadable."""
    bot = make_bot(spec, seed, log)
    try:
        bot.ready()
    except BotStopped as error:
        raise Unreadable(str(error)) from error
    return bot


def find_bot(spec: str, log: Path | None = None) -> Bot:
    """A new bot of that kind; raises Unreadable, which says what is known or what is wrong; Unmade where a class is.

    What a program writes to its standard error is added to the file `log`.
    """
    if not spec or not spec.isprintable() or clean_text(spec, MAX_SPEC) != spec:
        raise Unreadable(f"a bot is asked for by 1 to {MAX_SPEC} printable characters, not {clean_text(spec, 40)!r}")
    head, _, command = spec.partition(":")
    program = head.split(",")[0] == COMMAND
    name, *words = (head if program else spec).split(",")
    name, *before = LEVELS.get(name, name).split(",")
    options = _options(before) | _options(words)
    maker = _program(command, log) if program else _maker(name)
    try:
        bot = maker(**options)
        if not program:
            _check(bot, clean_text(name.rpartition(":")[2], 40))
    except NOT_ITS_FAULT:
        raise
    except Unreadable as error:
        if program:
            raise
        raise Unmade(str(error)) from error
    except BaseException as error:  # somebody's class may raise anything
        if unknown := _unknown(options, maker):
            raise Unmade(f"{clean_text(name, 80)} {unknown}") from error
        why = _why(error, TypeError) + _line_of(error, maker)
        raise Unmade(f"{clean_text(name, 80)} cannot be made so: {why}") from error
    return bot


def _check(bot: Bot, what: str) -> None:
    """It has what a bot has; raises Unreadable."""
    has = {"name": isinstance(getattr(bot, "name", None), str)}
    has |= {word: callable(getattr(bot, word, None)) for word in ("new_game", "act")}
    if not all(has.values()):
        lacks = " and ".join(word for word, there in has.items() if not there)
        raise Unreadable(f"a bot has a name, new_game and act: {what} lacks {lacks}")
    try:
        check_name(str.__str__(bot.name))  # no subclass, which might do something when it is looked at
    except Malformed as error:
        raise Unreadable(f"{what} is no bot: {error}") from None


def _line_of(error: BaseException, maker: Callable[..., Bot]) -> str:
    """Where in its own code a class raised that, in brackets; nothing for those built in."""
    near = str(getattr(maker, "__module__", ""))
    where = "" if near.startswith(__package__ or "?") else place(error, near, __file__)
    return f" ({where})" if where else ""


def _unknown(options: Mapping[str, object], maker: Callable[..., Bot]) -> str:
    """That it has no such option, and which ones it has, when it was given one that it does not know; else nothing."""
    from inspect import signature

    try:
        takes = [name for name, taken in signature(maker).parameters.items() if taken.kind is not taken.VAR_KEYWORD]
        all_known = len(takes) < len(signature(maker).parameters)
    except (TypeError, ValueError):  # a class that hides what it takes
        return ""
    unknown = [name for name in options if name not in takes]
    if all_known or not unknown:
        return ""
    has = f"; its options are: {', '.join(takes)}" if takes else "; it takes no options"
    return f"has no option {clean_text(unknown[0], 40)!r}{has}"


def _program(command: str, log: Path | None) -> Callable[..., Bot]:
    from p2p_schotten.bots.external import ANSWER_LIMIT, START_LIMIT, External

    def make(limit: float = ANSWER_LIMIT, start: float = START_LIMIT) -> Bot:
        return External(command, limit, start, log=log)

    return make


def _maker(name: str) -> Callable[..., Bot]:
    if name in BUILT_IN:
        return _loaded(BUILT_IN[name])
    if ":" in name:
        return _loaded(name)
    offered = installed()
    if name not in offered:
        from difflib import get_close_matches

        known = dict.fromkeys((*BUILT_IN, *LEVELS, *offered))
        meant = "".join(f"; did you mean {close}?" for close in get_close_matches(name, known, 1))
        every = f"{', '.join(known)}, module:Class and cmd:PROGRAM"
        raise Unreadable(f"{clean_text(name, 40)!r} is not a bot: known are {every}{meant}")
    return _loaded(f"{offered[name].module}:{offered[name].attr}")


def _loaded(where: str) -> Callable[..., Bot]:
    """The class at `module:Class`, which may lie in the current folder."""
    module, _, attribute = where.partition(":")
    refused = f"no bot at {clean_text(where, 80)}"
    dotted = module.removesuffix(".py").strip("./").replace("/", ".")
    if not module or not attribute or (dotted != module and module.endswith(".py")):
        meant = f"; did you mean {clean_text(dotted, 60)}:{clean_text(attribute, 60)}?" if dotted and attribute else ""
        raise Unreadable(f"{refused}: expected module:Class{meant}")
    if "" not in sys.path:
        sys.path.append("")
    try:
        found = import_module(module)
    except NOT_ITS_FAULT:
        raise
    except SystemExit as error:
        raise Unreadable(f"{refused}: the module ends the program when it is imported{_imported(error)}") from error
    except BaseException as error:  # somebody's module may raise anything
        raise Unreadable(f"{refused}: {_why(error)}{_imported(error)}") from error
    try:
        made: Callable[..., Bot] = attrgetter(attribute)(found)
    except NOT_ITS_FAULT:
        raise
    except BaseException as error:  # a module may answer for its names itself
        file = getattr(found, "__file__", None)
        which = f"; it was imported from {clean_text(str(file), 150)}" if file else ""
        raise Unreadable(f"{refused}: {_why(error)}{which}") from error
    if not isinstance(made, type):
        raise Unreadable(f"{refused}: it is no class, and a bot has a name, new_game and act")
    return made


def _imported(error: BaseException) -> str:
    """The line of a module at which it could not be imported further, in brackets."""
    where = place_of_import(error)
    return f" ({where})" if where else ""


def _why(error: BaseException, *speaking: type[BaseException]) -> str:
    """What an error of somebody's says, with its kind unless it is one that speaks for itself."""
    try:
        return clean_text(f"{error}" if isinstance(error, speaking) else f"{type(error).__name__}: {error}", 150)
    except NOT_ITS_FAULT:
        raise
    except BaseException:  # an error of somebody's may raise when it is printed
        return "it cannot say why"


def _options(words: Sequence[str]) -> dict[str, int | float | str]:
    options = dict(map(_option, words))
    if len(options) < len(words):
        raise Unreadable(f"an option of a bot stands twice: {clean_text(','.join(words), 80)}")
    return options


def _option(word: str) -> tuple[str, int | float | str]:
    key, equals, value = word.partition("=")
    if not equals or not key.isidentifier():
        raise Unreadable(f"{clean_text(word, 40)!r} is no option of a bot: expected NAME=VALUE")
    for kind in (int, float):
        try:
            return key, kind(value)
        except ValueError:
            pass
    return key, value

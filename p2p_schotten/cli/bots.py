"""`schotten bots`: the players that are programs; the messages of those in any language; and a first check of one."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.text import clean_text
from p2p_schotten.ui.text import _, plural

if TYPE_CHECKING:
    from pathlib import Path

    from p2p_schotten.arena.batch import Played

app = typer.Typer(add_completion=False)

RIVAL = "uniform"  # it plays by chance alone, and so comes into positions of every kind

Schema = Annotated[bool, typer.Option("--schema")]
Check = Annotated[str | None, typer.Option("--check", metavar="BOT")]


@app.command()
def bots(schema: Schema = False, check: Check = None) -> int:
    """The list, the schema or the check."""
    if schema and check is not None:
        raise Failure(Status.USAGE, _("--schema and --check exclude each other"))
    if schema:
        from p2p_schotten.bots.schema import schema as messages

        print(json.dumps(messages(), indent=2))
        return Status.DONE
    if check is not None:
        return _check(check)
    _list()
    return Status.DONE


def _list() -> None:
    """One line per bot: its name, and how the text of its module begins or where it lies; then how to name more."""
    from p2p_schotten.bots.finding import BUILT_IN, LEVELS, find_bot, installed

    for name in BUILT_IN:
        module = sys.modules[type(find_bot(name)).__module__]
        said = (module.__doc__ or "").strip().partition("\n")[0].partition(":")[0].rstrip(".")
        print(f"{name:<10} {said}".rstrip())
    for name, point in installed().items():
        print(f"{clean_text(name, 30):<10} {clean_text(point.value, 60)}")
    print()
    levels = ", ".join(level if level == name else f"{level} ({name})" for level, name in LEVELS.items())
    print(_("Levels: {levels}.").format(levels=levels))
    print(_("Others: module:Class, a Python class, also in the current folder, and\ncmd:PROGRAM, in any language."))
    print(_("Options follow the name: NAME,KEY=VALUE. docs/bots.md says how to write one."))


def _check(spec: str) -> int:
    """A pair of games by every ruleset, and what came of each; it fails when the bot does."""
    import time

    from p2p_schotten.arena.batch import play_batch
    from p2p_schotten.arena.plan import Plan
    from p2p_schotten.bots.finding import find_bot
    from p2p_schotten.engine.rulesets import RULESETS
    from p2p_schotten.home import BOT_LOG, home

    log = home() / BOT_LOG
    find_bot(spec)  # says at once when there is no such bot
    began, faults = time.monotonic(), 0
    for name in RULESETS:
        games = play_batch(Plan((spec, RIVAL), name, (), name, seed=1), range(1), str(log))
        faults += _tell(name, games)
    if not faults:
        played, seconds = 2 * len(RULESETS), f"{time.monotonic() - began:.1f}"
        print(_("No fault in {n} games against {rival}, {s} s.").format(n=played, rival=RIVAL, s=seconds))
        return Status.DONE
    raise Failure(
        Status.FAILED,
        plural("{n} game was lost by a fault of the bot", "{n} games were lost by a fault of the bot", faults),
        _log_hint(log),
    )


def _tell(rules: str, games: tuple[Played, ...]) -> int:
    """The two games by those rules in a line, and a line for each kind of fault; how many games ended by one."""
    won, said = 0, list[str]()
    for game in (played.game for played in games):
        won += game.result.winner is not None and game.seats[game.result.winner] == 0
        if game.result.stopped is not None:
            said.append(f"{game.result.stopped.fault}: {game.result.stopped.why}")
    print(_("{rules:<20} won {won} of {n}").format(rules=rules, won=won, n=len(games)))
    for sentence in dict.fromkeys(said):
        print(f"  {sentence}")
    return len(said)


def _log_hint(log: Path) -> str:
    """Where to read more, when there is something to read."""
    return _("what it wrote to its standard error lies in {path}").format(path=log) if log.exists() else ""

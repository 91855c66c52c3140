"""`schotten bots`: the players that are programs; the messages of those in any language; and a first check of one."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from p2p_schotten.cli.options import keep_output
from p2p_schotten.cli.status import Failure, Status, interrupted
from p2p_schotten.text import clean_text
from p2p_schotten.ui.text import _, plural

if TYPE_CHECKING:
    from pathlib import Path

    from p2p_schotten.arena.executor import Crew

app = typer.Typer(add_completion=False)

RIVAL = "uniform"  # it plays by chance alone, and so comes into positions of every kind

Schema = Annotated[bool, typer.Option("--schema")]
Check = Annotated[str | None, typer.Option("--check", metavar="BOT")]
CheckRules = Annotated[list[str] | None, typer.Option("--rules", metavar="R")]


@app.command()
def bots(schema: Schema = False, check: Check = None, rules: CheckRules = None) -> int:
    """The list, the schema or the check."""
    if schema and check is not None:
        raise Failure(Status.USAGE, _("--schema and --check exclude each other"))
    if rules and check is None:
        raise Failure(Status.USAGE, _("--rules needs --check BOT: it says by which rules"))
    if schema:
        from p2p_schotten.bots.schema import schema as messages

        print(json.dumps(messages(), indent=2))
        return Status.DONE
    if check is not None:
        return _check(check, rules or [])
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


def _check(spec: str, chosen: list[str]) -> int:
    """A pair of games by each of these rulesets, else by every one, and what came of it; it fails when the bot does."""
    from p2p_schotten.arena.executor import WorkersLost, crew_of, looked_for
    from p2p_schotten.bots.finding import is_somebodys_class
    from p2p_schotten.engine.rulesets import RULESETS, ruleset
    from p2p_schotten.home import BOT_LOG, home

    names = [ruleset(name).name for name in dict.fromkeys(chosen or RULESETS)]
    log, output = home() / BOT_LOG, keep_output()  # what the bot prints is not ours
    before, began, found = _size(log), time.monotonic(), _Found()
    try:
        with crew_of(None, 1, apart=is_somebodys_class(spec)) as crew:
            looked_for(crew, spec)  # says at once when there is no such bot
            for name in names:
                print(found.add(crew, name, spec, log), file=output, flush=True)
    except KeyboardInterrupt:
        raise interrupted(_("interrupted after {n} games").format(n=found.games), Status.UNFINISHED) from None
    except WorkersLost as error:
        why = _("{why}; {n} games were played").format(why=error, n=found.games)
        raise Failure(Status.FAILED, why) from None
    finally:
        for line in found.lines():
            print(line, file=output)
    if found.said:
        hint = _("its standard error and its tracebacks lie in {path}").format(path=log) if _size(log) != before else ""
        raise Failure(Status.FAILED, found.sentence(), hint)
    seconds = f"{time.monotonic() - began:.1f}"
    print(_("No fault in {n} games against {rival}, {s} s.").format(n=found.games, rival=RIVAL, s=seconds), file=output)
    return Status.DONE


class _Found:
    """What games of a check have shown so far."""

    def __init__(self) -> None:
        self.games = self.lost = self.late = 0
        self.said = Counter[str]()  # in how many games the bot failed so

    def add(self, crew: Crew, rules: str, spec: str, log: Path) -> str:
        """A pair of games by these rules more, and the line that says how they went."""
        from p2p_schotten.arena.executor import played
        from p2p_schotten.arena.game import FORFEIT
        from p2p_schotten.arena.plan import Plan

        won = faults = 0
        ((one, two),) = played(Plan((spec, RIVAL), rules, (), rules, seed=1), crew, range(1), str(log))
        for game in (one.game, two.game):
            won += game.result.winner is not None and game.seats[game.result.winner] == 0
            for stopped in game.result.stopped:
                faults += 1
                self.said[f"{stopped.fault}: {stopped.why}"] += 1
                if game.result.reason == FORFEIT:
                    self.lost += 1
                else:
                    self.late += 1
        self.games += 2
        line = _("{rules:<20} won {won} of {n}").format(rules=rules, won=won, n=2)
        return line + (plural(", {n} fault", ", {n} faults", faults) if faults else "")

    def lines(self) -> Iterator[str]:
        """Each fault once, with the number of its games."""
        for said, count in self.said.items():
            yield f"  {plural('{n} game', '{n} games', count)}: {said}"

    def sentence(self) -> str:
        """What all of them come to."""
        lost = plural("{n} game was lost by a fault of the bot", "{n} games were lost by a fault of the bot", self.lost)
        late = plural("it stopped after the end of {n} game", "it stopped after the end of {n} games", self.late)
        return "; ".join([lost] * bool(self.lost) + [late] * bool(self.late))


def _size(log: Path) -> int:
    """Bytes of the log; none where it is not there."""
    return log.stat().st_size if log.exists() else 0

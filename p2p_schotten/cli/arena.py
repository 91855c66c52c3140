"""`schotten arena`: many games between bots without a network, and how sure it is who is better."""

from __future__ import annotations

import json as json_lines
import os
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from math import ceil
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from p2p_schotten.cli.options import Json, Plain, Rules, Set, chosen_offer, keep_output, whole
from p2p_schotten.cli.status import Failure, Status, interrupted
from p2p_schotten.errors import Unreadable
from p2p_schotten.text import clean_text
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.arena.executor import Crew
    from p2p_schotten.arena.match import Match
    from p2p_schotten.arena.plan import Plan
    from p2p_schotten.arena.sprt import Sprt
    from p2p_schotten.cli.arena_progress import Progress
    from p2p_schotten.cli.arena_records import Records

app = typer.Typer(add_completion=False)

MOST_BOTS = 50  # each pairing is a column of the table
MOST_PAIRS = 10_000_000
MOST_JOBS = 61  # as many processes as Windows can wait for at a time
MOST_ELO = 1000

Bots = Annotated[list[str], typer.Argument(metavar="BOT BOT...")]
Pairs = Annotated[int, typer.Option("--pairs", metavar="N", parser=whole("--pairs", 1, MOST_PAIRS))]
ArenaSeed = Annotated[int, typer.Option("--seed", metavar="N", parser=whole("--seed", 0, 2**64 - 1))]
Jobs = Annotated[int | None, typer.Option("--jobs", metavar="N", parser=whole("--jobs", 1, MOST_JOBS))]
WhichExecutor = Annotated[str | None, typer.Option("--executor", metavar="EXECUTOR")]
WhichSprt = Annotated[str | None, typer.Option("--sprt", metavar="ELO0,ELO1")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE")]
Resume = Annotated[bool, typer.Option("--resume")]
Log = Annotated[Path | None, typer.Option("--log", metavar="FILE")]
Sealed = Annotated[bool, typer.Option("--sealed")]
Keep = Annotated[Path | None, typer.Option("--keep", metavar="FOLDER")]


@app.command()
def arena(
    bots: Bots,
    pairs: Pairs = 100,
    rules: Rules = "base",
    flags: Set = None,
    seed: ArenaSeed = 1,
    jobs: Jobs = None,
    executor: WhichExecutor = None,
    sprt: WhichSprt = None,
    out: Out = None,
    resume: Resume = False,
    log: Log = None,
    sealed: Sealed = False,
    keep: Keep = None,
    plain: Plain = False,
    json: Json = False,
) -> int:
    """Play what is missing, and tell what all of it says."""
    from p2p_schotten.arena.match import Match
    from p2p_schotten.cli.arena_progress import chosen_progress
    from p2p_schotten.cli.arena_records import Kept

    _check_options(json and plain, "--json", "--plain")
    _check_options(executor is not None and jobs is not None, "--executor", "--jobs")
    kept = Kept(out, resume, log, keep)
    kept.check(sealed)
    output = keep_output()  # what a bot prints must not stand between the lines that a script reads
    with _interruptible():
        match = Match(_plan(bots, rules, flags, seed, sealed), pairs, _question(sprt, len(bots)))
        crew, progress = _crew(match, executor, jobs), chosen_progress(match, plain or json)
        with kept.opened(match) as records:
            why = "" if match.over else _play(match, crew, records, progress)
        _show(match, json, output)
    if why:
        raise Failure(Status.UNFINISHED, why, "" if out is None else _("--resume goes on with {file}").format(file=out))
    return Status.DONE


def _check_options(both: bool, one: str, option: str) -> None:
    if both:
        raise Failure(Status.USAGE, _("{one} and {option} exclude each other").format(one=one, option=option))


def _plan(bots: list[str], rules: str, flags: list[str] | None, seed: int, sealed: bool) -> Plan:
    """The match; raises Failure or Unreadable where a bot or the rules do not exist."""
    from p2p_schotten.arena.plan import Plan
    from p2p_schotten.bots import make_bot
    from p2p_schotten.protocol.session import rules_digest

    if not 2 <= len(bots) <= MOST_BOTS:
        raise Failure(Status.USAGE, _("2 to {n} bots play each other, not {k}").format(n=MOST_BOTS, k=len(bots)))
    chosen = chosen_offer(rules, flags, None, None, None).rules
    for bot in bots:
        make_bot(bot, seed).close()  # says at once when there is no such bot
    return Plan(tuple(bots), chosen.name, chosen.flags, rules_digest(chosen).hex(), seed, sealed)


def _crew(match: Match, executor: str | None, jobs: int | None) -> AbstractContextManager[Crew]:
    """Who plays; raises Unreadable."""
    from p2p_schotten.arena.executor import batch_size, crew_of
    from p2p_schotten.bots.finding import is_somebodys_class

    batches = ceil(match.total / batch_size(match.plan))
    apart = any(map(is_somebodys_class, match.plan.bots))
    return crew_of(executor, jobs or min(os.cpu_count() or 1, batches, MOST_JOBS), apart=apart)


def _question(text: str | None, bots: int) -> Sprt | None:
    from p2p_schotten.arena.sprt import Sprt

    if text is None:
        return None
    if bots != 2:
        raise Failure(Status.USAGE, _("--sprt compares two bots, not {n}").format(n=bots))
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low = high = 0.0
    if not -MOST_ELO <= low < high <= MOST_ELO:
        why = _(
            "--sprt {text}: expected two differences in Elo points from -{n} to {n}, the smaller one first, as 0,10"
        )
        raise Failure(Status.USAGE, why.format(text=clean_text(text, 40), n=MOST_ELO))
    return Sprt(low, high)


def _show(match: Match, json: bool, output: TextIO) -> None:
    """What all of it says."""
    from p2p_schotten.cli.arena_show import fields, lines
    from p2p_schotten.ui.wrapping import columns_of, wrapped

    if json:
        print(json_lines.dumps(fields(match)), file=output)
        return
    columns = columns_of(output)
    for line in lines(match):
        print("\n".join(wrapped(line, columns)), file=output)


def _play(match: Match, crew: AbstractContextManager[Crew], records: Records, progress: Progress) -> str:
    """Play until the match is over; else gives the sentence that says why it is not."""
    from p2p_schotten.arena.executor import WorkersLost, played
    from p2p_schotten.arena.game import Unproven

    before = match.played
    log = None if records.log is None else str(records.log.absolute())
    try:
        with crew as playing, progress:
            for one, two in played(match.plan, playing, match.missing, log):
                games = (one.game, two.game)
                records.keep(match, games, (one.transcript, two.transcript))
                match.add(games)
                progress.show(match)
                if match.over:
                    break
    except KeyboardInterrupt:
        return _("interrupted after {n} games").format(n=match.score.games)
    except (WorkersLost, Unreadable) as error:  # a program may be there at first, and be gone then
        if isinstance(error, Unreadable) and match.played == before:
            raise
        return _("{why}; {n} games were played").format(why=error, n=match.score.games)
    except Unproven as error:
        raise Failure(Status.FAILED, str(error)) from None
    return ""


@contextmanager
def _interruptible() -> Iterator[None]:
    """To be told to end is the same as Ctrl-C: nobody is left behind, and what is done is shown and kept.

    It is heard once: until the program ends it takes some seconds at most, and who presses the key again cuts nothing
    off. What `nohup`, or a shell for a job beside it, keeps away stays away.
    """
    known = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    found = {number: signal.getsignal(number) for number in known}
    before = {number: handler for number, handler in found.items() if handler not in (None, signal.SIG_IGN)}

    def end(_number: int, _frame: FrameType | None) -> None:
        for number in before:
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    try:
        for number in before:
            signal.signal(number, end)
        yield
    except KeyboardInterrupt:
        raise interrupted(_("interrupted"), Status.UNFINISHED) from None
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is end:
                signal.signal(number, handler)

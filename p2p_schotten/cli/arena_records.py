"""What `schotten arena` keeps of a match: its results, its transcripts, and what its bots said beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from p2p_schotten.cli.status import Failure, Status, os_sentence
from p2p_schotten.disk import DISK, replace_file
from p2p_schotten.ids import SEATS
from p2p_schotten.journal import SUFFIX
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import aside

if TYPE_CHECKING:
    from p2p_schotten.arena.match import Match
    from p2p_schotten.arena.plan import Plan
    from p2p_schotten.arena.results import Pair, Results


@dataclass(frozen=True, slots=True)
class Kept:
    """What the options ask for. Whatever cannot be written is refused before anything is played."""

    out: Path | None
    resume: bool
    log: Path | None
    folder: Path | None

    def check(self, sealed: bool) -> None:
        """The options go together; raises Failure."""
        if self.resume and self.out is None:
            raise Failure(Status.USAGE, _("--resume needs --out FILE, the file to go on with"))
        if self.folder is not None:
            if not sealed:
                raise Failure(Status.USAGE, _("--keep needs --sealed: other games have no transcripts"))
            with _refused("--keep", self.folder):
                _check_folder(self.folder, self.resume and self.out is not None and self.out.exists())
        if self.log is not None and self.out is not None and os.path.realpath(self.log) == os.path.realpath(self.out):
            raise Failure(Status.USAGE, _("--log and --out are one file, {file}").format(file=self.out))

    @contextmanager
    def opened(self, match: Match) -> Iterator[Records]:
        """All of it can be written; what stands in the file of results counts in the match. Raises Failure."""
        with ExitStack() as stack:
            results = None
            if self.log is not None:
                with _refused("--log", self.log):
                    _begin_log(self.log, match.plan)
            if self.folder is not None:
                with _refused("--keep", self.folder):
                    DISK.make_folder(self.folder)
            if self.out is not None:
                with _refused("--out", self.out):
                    results = stack.enter_context(self._results(self.out, match))
            yield Records(results, self.folder, self.log)

    def _results(self, path: Path, match: Match) -> Results:
        from p2p_schotten.arena.results import ResultsError, new_results, old_results

        found = 0

        def take(pair: Pair) -> None:
            nonlocal found
            found += 1
            if not match.over:
                match.add(pair)

        try:
            again = self.resume and path.exists()
            results = old_results(path, match.plan, take) if again else new_results(path, match.plan)
        except ResultsError as error:
            there = path.is_file() and not self.resume
            hint = _("--resume goes on with a file of the same match") if there else ""
            raise Failure(Status.USAGE, str(error), hint) from None
        if found > match.played:
            why = _("{file} holds {m} pairs, and this match is over after the first {n}: only they are shown.")
            aside(why.format(file=path, m=found, n=match.played))
        return results


@dataclass(frozen=True, slots=True)
class Records:
    """Where games are kept while they are played."""

    results: Results | None
    folder: Path | None
    log: Path | None

    def keep(self, match: Match, games: Pair, transcripts: tuple[bytes, bytes]) -> None:
        """The next pair of the match is kept: a transcript twice, as both seats have it."""
        try:
            if self.folder is not None:
                for game, transcript in zip(games, transcripts, strict=True):
                    one, two = sorted(game.seats)
                    folder = self.folder / f"{one}-{two}" / f"{game.number:06}"
                    for seat in SEATS:
                        replace_file(DISK, folder / f"{seat}{SUFFIX}", transcript)
            if self.results is not None:
                self.results.add(match.plan, match.played, games)
        except OSError as error:
            why = _("game {n} could not be kept: {why}").format(n=match.score.games + 1, why=os_sentence(error))
            hint = "" if self.results is None else _("--resume goes on with what was kept before")
            raise Failure(Status.FAILED, why, hint) from error


def _check_folder(folder: Path, resume: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise Failure(Status.USAGE, _("--keep {folder}: it is no folder").format(folder=folder))
    if not resume and folder.exists() and any(folder.iterdir()):
        why = _("--keep {folder}: it is not empty, and nothing is overwritten")
        raise Failure(Status.USAGE, why.format(folder=folder))


@contextmanager
def _refused(option: str, path: Path) -> Iterator[None]:
    """What the system says to that becomes a usage error."""
    try:
        yield
    except OSError as error:
        why = _("{option} {path}: it cannot be written ({why})")
        raise Failure(Status.USAGE, why.format(option=option, path=path, why=os_sentence(error))) from error


def _begin_log(log: Path, plan: Plan) -> None:
    """It says which match follows."""
    from p2p_schotten.bots.log import begun_log

    begun_log(log, f"arena {' '.join(plan.bots)} ({plan.rules}, seed {plan.seed})").close()

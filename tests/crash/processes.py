"""Two real programs over loopback; one is killed at a boundary of what it writes and sends, and then goes on.

A host and a guest play a game with the same identities and the same draws every time (tests/crash/killed.py). Where one
is killed, `schotten resume` runs in its home, while the other waits for it by itself.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO

from p2p_schotten.cli.status import Status
from p2p_schotten.home import load_identity
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.protocol.file import HEADER, frame, read_file
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.transcript import verify
from tests.cli.running import PROGRAM, surroundings

COMMITTED = 4  # records of a game that exists for both: HELLOs and COMMITs
LIMIT = 120  # seconds; a game takes two where nothing else runs
HERE = ("--plain", "--wait", "60")
SOON = ("--plain", "--wait", "3")  # to look for somebody who most likely does not know of the game


@dataclass(frozen=True, slots=True)
class Players:
    """What both type, or which bot sits there. `early`: a game that the host gives up after a few cards."""

    early: bool

    def options(self, seat: Seat) -> tuple[str, ...]:
        """How that seat is filled."""
        if seat == SEATS[1]:
            return ("--me", "uniform", "--seed", "2")
        return () if self.early else ("--me", "greedy", "--seed", "1")

    def typed(self, seat: Seat, *, again: bool) -> str:
        """What stands on standard input, at first and after a crash."""
        if seat == SEATS[1] or not self.early:
            return ""
        return "resign\nyes\n" if again else "1\n" * 7 + "resign\nyes\n"


@dataclass
class Program:
    """A program under way, with files for what it says."""

    process: subprocess.Popen[bytes]
    out: Path
    err: Path

    @classmethod
    def start(cls, home: Path, command: tuple[str, ...], typed: str, stack: ExitStack) -> Program:
        """In that home; it is gone at the end of the stack, whatever happens."""
        number = len(list(home.parent.glob(f"{home.name}.*.out")))
        out, err, into = (home.parent / f"{home.name}.{number}.{end}" for end in ("out", "err", "in"))
        into.write_text(typed)
        files: list[IO[bytes]] = [stack.enter_context(into.open("rb"))]
        files += [stack.enter_context(path.open("wb")) for path in (out, err)]
        process = subprocess.Popen(
            command, stdin=files[0], stdout=files[1], stderr=files[2], env=surroundings(home), cwd=ROOT
        )
        stack.callback(process.wait)
        stack.callback(process.kill)
        return cls(process, out, err)

    def end(self) -> int:
        """Its status; raises subprocess.TimeoutExpired."""
        return self.process.wait(LIMIT)

    def first_line(self) -> str:
        """What it says first; empty when it ended without."""
        until = time.monotonic() + LIMIT
        while "\n" not in self.out.read_text() and self.process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        return self.out.read_text().split("\n")[0]

    def said(self) -> str:
        """The last line of its error output."""
        return (self.err.read_text().strip().splitlines() or [""])[-1]


ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, slots=True)
class Case:
    """A boundary of the program at one seat, counted from 0."""

    players: Players
    seat: Seat
    at: int


@dataclass
class Table:
    """Two homes in a folder. `play` once."""

    folder: Path
    players: Players
    stack: ExitStack
    both: list[Program] = field(default_factory=list)

    @cached_property
    def homes(self) -> tuple[Path, Path]:
        """Of the host and the guest, who have the same identities in all games of one run."""
        for seat in SEATS:
            fresh = self.folder.parent / f"fresh-{seat}"
            load_identity(fresh)
            shutil.copytree(fresh, self.folder / str(seat))
        return self.folder / "0", self.folder / "1"

    def log(self, seat: Seat) -> Path:
        """The boundaries that the first program of that seat has passed."""
        return self.folder / f"{seat}.log"

    def play(self, seat: Seat, at: int) -> None:
        """Both begin; the one at `seat` is to be killed at that boundary."""
        host = self._watched(SEATS[0], at if seat == SEATS[0] else -1, "host", "--bind", "127.0.0.1")
        self.both = [host, self._watched(SEATS[1], at if seat == SEATS[1] else -1, "join", host.first_line())]

    def _watched(self, seat: Seat, at: int, command: str, *more: str) -> Program:
        watched = (sys.executable, "-m", "tests.crash.killed", str(at), str(self.log(seat)))
        arguments = (command, *more, *HERE, *self.players.options(seat))
        return Program.start(
            self.homes[seat], (*watched, *arguments), self.players.typed(seat, again=False), self.stack
        )

    def run(self, seat: Seat, command: str, *arguments: str) -> Program:
        """Another program in that home, which is not watched."""
        options = self.players.options(seat)
        typed = self.players.typed(seat, again=True)
        return Program.start(self.homes[seat], (*PROGRAM, command, *arguments, *options), typed, self.stack)

    def resume(self, seat: Seat, *options: str) -> Program:
        """As its player would: the game that stands unfinished, or by its id the one whose last record he wrote."""
        named = [path.parent.name[:12] for path in self.homes[seat].glob("games/*/*.schotten") if self.finished(seat)]
        return self.run(seat, "resume", *named, *options)

    def finished(self, seat: Seat) -> bool:
        """Every record stands in that home."""
        records = self.journal(seat)
        return bool(records) and (read_record(records[-1]).seat, read_record(records[-1]).kind) == (1, Kind.REVEAL)

    def journal(self, seat: Seat) -> tuple[bytes, ...]:
        """The records of the longest game in that home."""
        files = [path.read_bytes() for path in self.homes[seat].glob(f"games/*/{seat}.schotten")]
        return max((read_file(data).items for data in files if data.startswith(HEADER)), key=len, default=())

    def ended(self) -> str:
        """Empty where both homes hold the same bytes of a game that is over, sealed and revealed; else what they do."""
        journals = [self.journal(seat) for seat in SEATS]
        if journals[0] != journals[1]:
            return f"journals of {len(journals[0])} and {len(journals[1])} records"
        verdict = verify(HEADER + b"".join(map(frame, journals[0])))
        if not verdict.over or len(verdict.sealed) + len(verdict.revealed) != 4:
            return verdict.ending()
        left = [path.name for home in self.homes for path in home.glob("**/*.evidence")]
        return f"left behind: {left}" if left else ""


RESUMED = "resumed"
OVER = "over for both before"
BEGUN_ANEW = "no game had come about: begun anew"
NOT_REACHED = "the program ended before"
RIGHT = (RESUMED, OVER, BEGUN_ANEW, NOT_REACHED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case: `what` is one of RIGHT, or else what was wrong."""

    case: Case
    what: str

    @property
    def wrong(self) -> bool:
        """It is nothing that may happen."""
        return self.what not in RIGHT


def run_case(case: Case, folder: Path) -> Outcome:
    """Two programs in that empty folder, one killed, and what its player does then; the folder stays if it is wrong."""
    folder.mkdir(parents=True)
    with ExitStack() as stack:
        table = Table(folder, case.players, stack)
        try:
            what = _killed(table, case)
        except subprocess.TimeoutExpired as error:
            what = f"not over after {LIMIT} s: {' '.join(map(str, error.cmd))[-200:]}"
        if what in RIGHT and (how := table.ended()):
            what = f"{what}, and then {how}"
    for path in folder.glob("*.err"):
        if "Traceback" in path.read_text():
            what = f"a traceback in {path.name}"
    outcome = Outcome(case, what)
    if not outcome.wrong:
        shutil.rmtree(folder)
    return outcome


def _killed(table: Table, case: Case) -> str:
    """Both come to an end after the kill; how, or what happens instead."""
    table.play(case.seat, case.at)
    victim, friend = table.both[case.seat], table.both[other(case.seat)]
    if (status := victim.end()) != -signal.SIGKILL:
        return NOT_REACHED if status == friend.end() == Status.DONE else f"status {status}: {victim.said()}"
    if table.finished(case.seat):
        return _over(table, case.seat)
    records = max(len(table.journal(seat)) for seat in SEATS)
    found = table.resume(case.seat, *(HERE if records >= COMMITTED else SOON))
    if (status := found.end()) == Status.DONE:
        return _ended(friend, RESUMED)
    if records >= COMMITTED:
        return f"resume: {status}: {found.said()}"
    if status not in (Status.USAGE, Status.UNFINISHED):
        return f"resume, where no game was: {status}: {found.said()}"
    return _anew(table, case.seat)


def _ended(program: Program, right: str) -> str:
    """It has come to its end as it should; or how else."""
    status = program.end()
    return right if status == Status.DONE else f"the other: {status}: {program.said()}"


def _over(table: Table, killed: Seat) -> str:
    """Every record stands where the program was killed. Seat 1 wrote the last, and hands it over to who waits."""
    found = table.resume(killed, *SOON)
    status, said = found.end(), found.err.read_text()
    if status not in ((Status.DONE, Status.UNFINISHED) if killed == SEATS[1] else (Status.USAGE,)):
        return f"resume, where the game was over: {status}: {found.said()}"
    if status != Status.DONE and "game is over" not in said:
        return f"resume says nothing of the end: {said}"
    return _ended(table.both[other(killed)], RESUMED if status == Status.DONE else OVER)


def _anew(table: Table, killed: Seat) -> str:
    """Where no game came about, both sit down again; the host still waits if it is alive."""
    host, guest = table.both
    if killed == SEATS[0]:
        if guest.end() not in (Status.NO_GAME, Status.UNFINISHED):
            return f"the guest: {guest.process.returncode}: {guest.said()}"
        host = table.run(SEATS[0], "host", "--bind", "127.0.0.1", *HERE)
    guest = table.run(SEATS[1], "join", host.first_line(), *HERE)
    what = _ended(guest, BEGUN_ANEW)
    return _ended(host, what) if what == BEGUN_ANEW else what


# Which boundaries


@dataclass(frozen=True, slots=True)
class Course:
    """The boundaries of one seat in a game that nobody disturbs: how long the journal was at each, in bytes."""

    seat: Seat
    sizes: tuple[int, ...]
    turns: int  # bytes of the journal when three turns are over
    end: int  # and before the first SEAL

    def chosen(self, step: int) -> tuple[int, ...]:
        """All of the set-up, of three turns and of the end, and every `step`-th of the rest."""
        return tuple(
            at for at, size in enumerate(self.sizes) if size <= self.turns or size >= self.end or at % step == 0
        )


def courses(players: Players, folder: Path) -> tuple[Course, Course]:
    """Both seats' boundaries, from one game that is played in that folder."""
    folder.mkdir(parents=True)
    with ExitStack() as stack:
        table = Table(folder, players, stack)
        table.play(SEATS[0], -1)
        for program in table.both:
            assert program.end() == Status.DONE, program.said()
        assert not table.ended()
        sizes, moves, end = len(HEADER), 0, 0
        turns = 0
        for data in table.journal(SEATS[0]):
            kind = read_record(data).kind
            if kind is Kind.SEAL and not end:
                end = sizes
            moves += kind is Kind.MOVE
            sizes += len(frame(data))
            if moves == TURNS and not turns:
                turns = sizes
        found = []
        for seat in SEATS:
            lines = table.log(seat).read_text().splitlines()
            found.append(Course(seat, tuple(int(line.split()[1]) for line in lines), turns, end))
    shutil.rmtree(folder)
    return found[0], found[1]


TURNS = 6  # moves: three turns of both, or of one where stones could be claimed between them


def cases(players: Players, folder: Path, step: int = 10, *, rest_only: bool = False) -> tuple[Case, ...]:
    """The matrix of a game, seat 0 first. `rest_only`: without the set-up and the turns, which another matrix has."""
    return tuple(
        Case(players, course.seat, at)
        for course in courses(players, folder)
        for at in course.chosen(step)
        if not (rest_only and course.sizes[at] <= course.turns and at % step)
    )


def name_of(case: Case) -> str:
    """As it stands in a report."""
    return f"{'short' if case.players.early else 'whole'}, seat {case.seat}, boundary {case.at}"


def folder_of(case: Case, root: Path) -> Path:
    """Where its homes lie."""
    return root / f"{'short' if case.players.early else 'whole'}-{case.seat}-{case.at}"


def run_in(root: Path, case: Case) -> Outcome:
    """One case of many that run beside one another."""
    return run_case(case, folder_of(case, root))

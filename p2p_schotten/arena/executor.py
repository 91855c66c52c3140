"""Where batches are played: in this process, in several processes, or by the workers of a dask cluster.

All three are executors of concurrent.futures, and one loop hands out batches and takes their games back in the order of
the match. A batch has a fixed size, so that which games share a bot object does not depend on who plays them either.
"""

from __future__ import annotations

import logging
import re
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import p2p_schotten
from p2p_schotten.arena.batch import Played
from p2p_schotten.arena.plan import Plan
from p2p_schotten.arena.worker import GRACE, begin, look, work, work_here
from p2p_schotten.bots.finding import LEVELS
from p2p_schotten.errors import SchottenError, Unreadable
from p2p_schotten.text import clean_text

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[[str, Plan, range, str | None], tuple[Played, ...]]

BATCH, SLOW_BATCH = 5, 1
"""Pairs of a batch: some ten milliseconds of the fastest bots, so that handing it out costs little beside that. A pair
that takes seconds by itself is handed out, shown and kept alone: a sealed one, and one of a bot that searches. So it
follows from the plan alone, as it must: it decides which games share a bot."""

SEARCHING = "search"  # the bot built in that takes so long

AHEAD = 3
"""Batches per process that are handed out and not yet taken back, so that nobody waits for the slowest one."""

DASK = re.compile(r"dask:((?:tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+):([0-9]{1,5}))")
MAX_PORT = 65_535
CONNECT_SECONDS = 10


class WorkersLost(SchottenError):
    """No result will come any more: a process that played has died, or the cluster is gone."""


class NoWorkers(SchottenError):
    """There is nobody who would play."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Who plays: `work` is what the executor runs, `ahead` how many batches are handed out at a time."""

    executor: Executor
    work: Work
    ahead: int


def played(plan: Plan, crew: Crew, numbers: range, log: str | None = None) -> Iterator[tuple[Played, Played]]:
    """The two games of each of these pairs, in order; raises WorkersLost, NoWorkers, Unreadable, Unproven.

    A batch of which the first pairs are known is played from its beginning: a bot may remember them.
    """
    parts = _parts(numbers, batch_size(plan))
    waiting: deque[tuple[range, Future[tuple[Played, ...]]]] = deque()
    while True:
        for part in islice(parts, crew.ahead - len(waiting)):
            waiting.append((part, _submitted(crew, plan, part, log)))
        if not waiting:
            return
        part, future = waiting.popleft()
        games = _result(future)
        yield from islice(zip(games[::2], games[1::2], strict=True), max(0, numbers.start - part.start), None)


def batch_size(plan: Plan) -> int:
    """How many pairs are handed out together."""
    return SLOW_BATCH if plan.sealed or any(map(_searches, plan.bots)) else BATCH


def _searches(bot: str) -> bool:
    name = bot.split(",")[0]
    return LEVELS.get(name, name).split(",")[0] == SEARCHING


def _parts(numbers: range, size: int) -> Iterator[range]:
    """The batches that hold these numbers, from the beginning of the first one: they begin at multiples of `size`."""
    for start in range(numbers.start - numbers.start % size, numbers.stop, size) if numbers else ():
        yield range(start, min(start + size, numbers.stop))


def _submitted(crew: Crew, plan: Plan, part: range, log: str | None) -> Future[tuple[Played, ...]]:
    try:
        return crew.executor.submit(crew.work, p2p_schotten.__version__, plan, part, log)
    except (BrokenExecutor, RuntimeError) as error:
        raise _lost(error) from error


def looked_for(crew: Crew, bot: str) -> None:
    """That bot can be made where the crew plays; raises WorkersLost, NoWorkers, Unreadable."""
    _result(crew.executor.submit(look, bot))


def _result(future: Future[T]) -> T:
    try:
        return future.result()
    except (BrokenExecutor, CancelledError) as error:
        raise _lost(error) from error
    except ModuleNotFoundError as error:
        raise NoWorkers(f"the workers lack the module {error.name}: install the same version there") from error
    except Exception as error:  # dask is not imported here, so its errors are known by their module alone
        if type(error).__module__.startswith("distributed"):
            raise _lost(error) from error
        raise


def _lost(error: BaseException) -> WorkersLost:
    if isinstance(error, BrokenExecutor):
        return WorkersLost("a process that played has died: it was killed, a bot took it along, or memory ran out")
    why = str(error)
    return WorkersLost(f"the cluster is gone{': ' if why else ''}{clean_text(why, 200)}")


class InThisProcess(Executor):
    """Plays what it is given at once."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # whoever takes the result gets it, as from every executor
            future.set_exception(error)
        return future


class Unhearing(Executor):
    """Hands on what it is given. A process that is started for that hears no Ctrl-C until it has said what to do then.

    The terminal sends one to all processes; a new one is busy with importing for a while, and would say so.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if sys.platform == "win32":
            return self._executor.submit(fn, *args, **kwargs)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return self._executor.submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def crew_of(executor: str | None, jobs: int, *, apart: bool = False) -> AbstractContextManager[Crew]:
    """Who plays: that many processes, or the cluster that `executor` names as dask:ADDRESS. Raises Unreadable.

    This process may be the only one, unless it has to stay `apart`: then a bot that ends its process is told of.
    """
    if executor is None:
        return processes(jobs) if jobs > 1 or apart else this_process()
    address = DASK.fullmatch(executor)
    if address is None or not _is_host(address[2]) or not 1 <= int(address[3]) <= MAX_PORT:
        raise Unreadable(f"{clean_text(executor, 60)!r} is no executor: expected dask:tcp://HOST:PORT")
    if find_spec("distributed") is None:
        raise Unreadable("dask is not installed: it comes with the extra cluster, p2p-schotten[cluster]")
    return cluster(address[1])


def _is_host(name: str) -> bool:
    """Whether the system would look for it at all: dask leaves a half-made client behind where it would not."""
    try:
        return bool(name.encode("idna"))
    except UnicodeError:  # a part of it is empty, or longer than 63 characters
        return False


@contextmanager
def this_process() -> Iterator[Crew]:
    """Nobody else."""
    yield Crew(InThisProcess(), work, 1)


@contextmanager
def processes(jobs: int) -> Iterator[Crew]:
    """That many processes. They have ended afterwards, in the middle of a game if need be, and their bots with them."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    before = active_children()
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=begin)
    try:
        yield Crew(Unhearing(pool), work_here, AHEAD * jobs)
    finally:
        end([child for child in active_children() if child not in before])
        pool.shutdown(cancel_futures=True)


def end(children: Sequence[BaseProcess]) -> None:
    """They let go of their bots and end; who does not, deep in somebody's library, is killed after some seconds."""
    for child in children:
        child.terminate()
    deadline = time.monotonic() + 2 * GRACE
    for child in children:
        child.join(max(0.0, deadline - time.monotonic()))
        if child.is_alive():
            child.kill()


def _greet(address: str) -> None:
    """Somebody who speaks as dask does answers there: a client of dask that finds nobody takes long to go away."""
    import asyncio

    from distributed.comm import connect
    from distributed.security import Security

    async def greet() -> None:
        arguments = Security().get_connection_args("client")
        async with asyncio.timeout(CONNECT_SECONDS):
            comm = await connect(address, timeout=CONNECT_SECONDS, **arguments)
        await comm.close()

    asyncio.run(greet())


@contextmanager
def cluster(address: str) -> Iterator[Crew]:
    """The workers of the dask scheduler at that address; what they have not begun is called off afterwards.

    Raises NoWorkers, and Unreadable where this side cannot even ask.
    """
    from distributed import Client
    from distributed.security import Security

    if address.startswith("tls:") and Security().get_connection_args("client")["ssl_context"] is None:
        raise Unreadable(f"no certificate for {address}: dask's configuration names it (distributed.comm.tls)")
    for logger in ("distributed.client", "distributed.core"):  # a sentence says what becomes of it, not its log
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    try:
        _greet(address)
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # whatever sits there may answer anything, and dask takes it for a number of bytes
        silent = f"no answer within {CONNECT_SECONDS} s" if isinstance(error, TimeoutError) else type(error).__name__
        why = clean_text(str(error), 200) or silent
        raise NoWorkers(f"no dask scheduler at {address}: {why}") from error
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise NoWorkers(f"the dask scheduler at {address} has no workers")
        yield Crew(client.get_executor(), work, AHEAD * threads)
    finally:
        client.close(timeout=CONNECT_SECONDS)

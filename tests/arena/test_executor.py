"""Who plays makes no difference: this process, several, or a cluster; and nobody is left behind."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing import active_children, get_context
from multiprocessing.synchronize import Event
from typing import ParamSpec, TypeVar

import pytest

from p2p_schotten.arena.batch import Played, play_batch
from p2p_schotten.arena.executor import (
    BATCH,
    InThisProcess,
    NoWorkers,
    Unhearing,
    WorkersLost,
    batch_size,
    crew_of,
    end,
    played,
    processes,
    this_process,
)
from p2p_schotten.arena.plan import Plan
from p2p_schotten.arena.worker import work
from p2p_schotten.errors import Unreadable
from tests.arena.plans import FIRST, PLAIN, plan

P = ParamSpec("P")
T = TypeVar("T")
LEARNS = "tests.arena.bots:Learns"


def all_of(match: Plan, numbers: range, executor: str | None = None, jobs: int = 1) -> list[tuple[Played, Played]]:
    """These pairs, played by that crew."""
    with crew_of(executor, jobs) as crew:
        return list(played(match, crew, numbers))


def test_two_processes_play_what_one_plays_and_are_gone_afterwards() -> None:
    match, numbers = plan(LEARNS, "uniform"), range(2, 2 * BATCH + 2)
    assert all_of(match, numbers, jobs=2) == all_of(match, numbers)
    assert active_children() == []


@pytest.mark.parametrize("slow", ["search", "search,iterations=1", "hard", "hard,iterations=1"])
def test_a_pair_that_takes_seconds_is_handed_out_alone(slow: str) -> None:
    assert batch_size(plan("greedy", slow)) == batch_size(plan(slow, PLAIN, PLAIN)) == 1
    assert batch_size(plan("greedy", PLAIN, sealed=True)) == 1


def test_any_other_bot_plays_five_pairs_at_a_time() -> None:
    for bots in (("greedy", "uniform"), ("easy", "normal"), (PLAIN, LEARNS), ("searching:Bot", "cmd:hard")):
        assert batch_size(plan(*bots)) == BATCH == 5


def test_a_bot_that_searches_plays_the_same_in_games_of_a_batch_as_alone() -> None:
    match = plan("search,iterations=2,turns=1,width=2,tries=1", "uniform")
    assert play_batch(match, range(2))[2:] == play_batch(match, range(1, 2))


def test_which_games_share_a_bot_depends_on_their_numbers_alone() -> None:
    match = plan(LEARNS, PLAIN)
    wanted = play_batch(match, range(BATCH)) + play_batch(match, range(BATCH, 2 * BATCH))
    assert [game for pair in all_of(match, range(2 * BATCH)) for game in pair] == list(wanted)
    assert all_of(match, range(BATCH, BATCH + 2)) == all_of(match, range(2 * BATCH))[BATCH : BATCH + 2]


def test_who_goes_on_in_the_middle_of_a_batch_meets_bots_that_remember_its_beginning() -> None:
    match = plan(LEARNS, PLAIN)
    whole = all_of(match, range(2 * BATCH))
    assert all_of(match, range(BATCH - 2, 2 * BATCH)) == whole[BATCH - 2 :]
    assert all_of(match, range(BATCH - 2, BATCH - 1)) == whole[BATCH - 2 : BATCH - 1]
    assert all_of(match, range(BATCH - 2, BATCH - 2)) == []


def test_this_process_plays_a_batch_when_its_games_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[range] = []

    def noted(version: str, match: Plan, numbers: range, log: str | None) -> tuple[Played, ...]:
        batches.append(numbers)
        return work(version, match, numbers, log)

    monkeypatch.setattr("p2p_schotten.arena.executor.work", noted)
    with this_process() as crew:
        games = played(plan(), crew, range(3 * BATCH))
        assert batches == []
        next(games)
        assert batches == [range(BATCH)]


def test_a_process_that_dies_is_one_clear_error_and_takes_nobody_along() -> None:
    with pytest.raises(WorkersLost, match=r"^a process that played has died: "), processes(2) as crew:
        list(played(plan("tests.arena.bots:Kills", PLAIN), crew, range(4 * BATCH)))
    assert active_children() == []


class Starts(InThisProcess):
    """Notes which signals a process would not hear that were started now."""

    def __init__(self) -> None:
        self.blocked: set[int] = set()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        self.blocked = set(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        return super().submit(fn, *args, **kwargs)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals that can be blocked")
def test_a_process_hears_no_ctrl_c_while_it_is_starting() -> None:
    executor, before = Starts(), signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert Unhearing(executor).submit(divmod, 7, 2).result() == (3, 1)
    assert executor.blocked == {*before, signal.SIGINT}
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def deaf(heard: Event) -> None:
    """Does not end when it is told to."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    heard.set()
    time.sleep(60)


@pytest.mark.skipif(sys.platform == "win32", reason="there every process that is told to end does")
def test_a_process_that_does_not_end_when_it_is_told_to_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_schotten.arena.executor.GRACE", 0.05)
    context = get_context("spawn")
    heard = context.Event()
    process = context.Process(target=deaf, args=(heard,))
    process.start()
    assert heard.wait(30)
    end([process])
    process.join(10)
    assert process.exitcode == -signal.SIGKILL


def test_a_bot_that_is_missing_there_is_said_as_here() -> None:
    for jobs in (1, 2):
        with pytest.raises(Unreadable, match="no bot at nowhere:Bot"):
            all_of(plan("nowhere:Bot", PLAIN), range(1), jobs=jobs)


def test_a_worker_of_another_version_plays_nothing() -> None:
    with pytest.raises(Unreadable, match=r"a worker has version .* of p2p_schotten, and version 0\.0 asks"):
        work("0.0", plan(), range(1), None)


@pytest.mark.parametrize(
    "name",
    [
        *("", "spark", "dask:", "dask:here", "dask:tcp://", "dask:tcp://a:b", "dask:tcp://a:99999", "dask:tcp://a b:1"),
        *("dask:tcp://a:0", "dask:tcp://a..b:1", "dask:tcp://" + 64 * "a" + ":1", "dask:tcp://::1:1"),
        *("dask:tcp://a\x1b:1", "dask:tcp://a:1\n"),
    ],
)
def test_an_executor_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(Unreadable, match=r"is no executor: expected dask:tcp://HOST:PORT"):
        crew_of(name, 1)


@pytest.mark.parametrize("address", ["tcp://10.0.0.5:8786", "tls://host-1.example.org:1", "tcp://[::1]:65535"])
def test_an_executor_is_an_address_that_dask_knows(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_schotten.arena.executor.cluster", lambda found: found)
    assert crew_of(f"dask:{address}", 1) == address  # type: ignore[comparison-overlap]


def test_a_cluster_that_wants_a_certificate_is_not_asked_without_one() -> None:
    with pytest.raises(Unreadable, match=r"^no certificate for tls://127\.0\.0\.1:1: "):
        all_of(plan(FIRST, PLAIN), range(1), "dask:tls://127.0.0.1:1")


def test_without_dask_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Unreadable, match=r"p2p-schotten\[cluster\]"):
        crew_of("dask:tcp://127.0.0.1:1", 1)


def test_a_cluster_plays_what_one_process_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setenv("PYTHONPATH", os.getcwd())  # the workers know the bots of these tests
    match, numbers = plan(LEARNS, "greedy"), range(3, 4 * BATCH)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        found = all_of(match, numbers, f"dask:{cluster.scheduler_address}")
    assert found == all_of(match, numbers)


@pytest.mark.parametrize(
    ("says", "why"), [(b"HTTP/1.1 400 Bad Request\r\n\r\n", r"\w+"), (b"", ".*"), (None, "no answer within 0.5 s")]
)
def test_where_something_else_answers_nothing_is_played_either(
    says: bytes | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_schotten.arena.executor.CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    caller, _ = server.accept()
                    callers.append(caller)
                    if says is not None:
                        caller.sendall(says)
                        caller.close()

        callers: list[socket.socket] = []
        thread = threading.Thread(target=answer)
        thread.start()
        address, began = f"tcp://127.0.0.1:{server.getsockname()[1]}", time.monotonic()
        with pytest.raises(NoWorkers, match=f"^no dask scheduler at {address}: {why}$"):
            all_of(plan(FIRST, PLAIN), range(1), f"dask:{address}")
        assert time.monotonic() - began < 10
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    for caller in callers:
        caller.close()


def test_where_no_scheduler_answers_nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_schotten.arena.executor.CONNECT_SECONDS", 1)
    with pytest.raises(NoWorkers, match=r"no dask scheduler at tcp://127\.0\.0\.1:1: "):
        all_of(plan(FIRST, PLAIN), range(1), "dask:tcp://127.0.0.1:1")

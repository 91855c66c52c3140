"""A program plays like any bot: it is told what its seat may know, and nothing that it does hangs or grows."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from p2p_schotten.bots import find_bot, make_bot
from p2p_schotten.bots.base import BotStopped, Fault
from p2p_schotten.bots.external import External
from p2p_schotten.bots.program import Program
from p2p_schotten.bots.seated import Seated
from p2p_schotten.engine.move import Claim, Play, Resign
from p2p_schotten.engine.rules import new_game
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.step import Dealt, Event
from p2p_schotten.engine.table import Table, play
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import StoneId
from tests.bots.games import dealt, seen_by
from tests.bots.programs import START, Programs, begun, lines, program
from tests.bots.test_wire import TO_BOT
from tests.engine.positions import ME, YOU

__all__ = ["program"]

KEEPS = """
told_before = told
def told():
    message = told_before()
    with open(MARK, "a") as file:
        print(json.dumps(message), file=file)
    return message
play()
"""
NEVER_ENDS = "greet()\nsys.stdin.close()\nwhile True: time.sleep(1)"


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """Each test has let go of the processes and threads that it began."""
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def played(bot: Seated, table: Table) -> Table:
    """Both seats play first moves, the bot ME; it is told all, until each has played twice."""
    events: tuple[Event, ...] = new_game(BASE, ME).events
    while True:
        for event in events:
            bot.observe(seen_by(table, ME), event)
        if table.state.ply == 4:
            return table
        seen = seen_by(table, table.state.to_move)
        table, events = play(table, bot.choose(seen) if seen.seat == ME else seen.choices()[0])


def test_a_bot_is_told_of_the_match_in_the_order_in_which_it_happens(program: Programs, tmp_path: Path) -> None:
    bot = External(program(KEEPS), limit=20)
    seated = Seated(bot, 1)
    assert seated.name == "tester"
    table, (event,) = play(played(seated, dealt(BASE, ME, 1)), Resign())
    seated.observe(seen_by(table, ME), event)
    seated.over(seen_by(table, ME))
    seated.again().choose(START)
    seated.close()
    told = lines(tmp_path / "mark")
    kinds = [str(message.get("event", message["type"])) for message in told]
    turns = ["act", "played", "drew", "played", "drew"]
    whole = ["hello", "newgame", "dealt", *turns, *turns, "ended", "gameover", "newgame", "act", "quit"]
    assert [kind for kind in kinds if kind != "done"] == whole
    assert told[0] == {"type": "hello", "version": 1, "limit": 20.0}
    assert told[2] == {"type": "observe", "event": "dealt", "cards": 6, "first": 0}
    assert told[-4] == {"type": "gameover", "winner": 1, "reason": "resignation", "points": [0, 5]}
    for message in told:
        TO_BOT.validate(message)
    assert told[1]["seed"] != told[-3]["seed"]


def test_nothing_that_a_bot_is_told_depends_on_a_card_that_it_cannot_see(program: Programs, tmp_path: Path) -> None:
    # In the second world the other hand, but for the cards that it plays, and the deep pile are exchanged.
    table = dealt(BASE, ME, 1)
    moves = played(make_bot("tests.bots.test_external:First", 0), table)
    out = {card for stone in moves.state.stones for card in stone.arrived}
    kept = [card for card in table.hands[YOU] if card in out]
    rest = [card for card in table.hands[YOU] if card not in out]
    pile = table.piles[0]
    mixed = Random(3).sample([*rest, *pile[4:]], len(rest) + len(pile) - 4)
    twin = Table(
        table.state,
        ((pile[0], mixed[-1], pile[2], pile[1], *mixed[len(rest) : -1], pile[3]),),
        (table.hands[ME], (*kept, *mixed[: len(rest)])),
    )
    assert sorted(twin.hands[YOU] + twin.piles[0]) == sorted(table.hands[YOU] + pile)
    assert set(twin.hands[YOU]) != set(table.hands[YOU])
    told = []
    for world in (table, twin):
        bot = Seated(External(program(KEEPS)), 7)
        played(bot, world)
        bot.close()
        told.append((tmp_path / "mark").read_bytes())
        (tmp_path / "mark").unlink()
    assert told[0] == told[1]


class First:
    """Chooses the first move."""

    name = "first"

    def new_game(self, *_: object) -> None:
        pass

    def act(self, view: object, legal: tuple[Play | Claim, ...]) -> Play | Claim:
        return legal[0]


def test_a_flood_is_garbage_and_of_it_nearly_nothing_is_kept(program: Programs) -> None:
    bot = External(program("greet(); until('newgame')\nwhile True: print('{}', flush=False)"))
    mine = begun(bot, lambda program: program._wrong)
    assert len(mine._lines) <= 3
    with pytest.raises(BotStopped) as stopped:
        bot.act(START, START.choices())
    assert stopped.value.fault is Fault.GARBAGE
    assert mine._process.returncode is not None


def test_who_reads_nothing_is_silent_and_no_more_is_kept_for_him_than_a_bound(program: Programs) -> None:
    bot = External(program(NEVER_ENDS.replace("sys.stdin.close()", "")))
    seated = Seated(bot, 0)

    def tell_much() -> None:
        for _ in range(10_000):
            seated.observe(START, Dealt(6, ME))

    with pytest.raises(BotStopped, match="tester has not read 1000 lines that it was told") as stopped:
        tell_much()
    assert stopped.value.fault is Fault.SILENCE


def test_standard_error_without_end_fills_no_disk_and_stops_no_game(
    program: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_schotten.bots.program.MAX_NOTED", 20_000)
    monkeypatch.setattr("p2p_schotten.bots.log.MAX_LOG", 20_000)
    noise = "greet()\nuntil('act')\nfor _ in range(2000): print('x' * 99, file=sys.stderr)\nplay(True)\n"
    log = tmp_path / "bots" / "tester.log"
    bot = External(program(noise.replace("play(True)", "say(type='move', move=0)\nplay(True)")), log=log)
    seated = Seated(bot, 0)
    assert [seated.choose(START), seated.choose(START)] == [START.choices()[0]] * 2
    seated.close()
    if os.name != "nt":
        assert (log.stat().st_mode & 0o777, log.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert 20_000 <= log.stat().st_size < 20_000 + 5_000
    again = External(program("print('hello', file=sys.stderr, flush=True)\nplay()"), log=log)
    Seated(again, 1).choose(START)
    again.close()
    first, second = log.read_text().splitlines()
    assert first.startswith("--- ")
    assert second == "hello"
    assert log.with_name("tester.log.old").stat().st_size >= 20_000


def test_a_log_that_cannot_be_written_ends_no_game(program: Programs, tmp_path: Path) -> None:
    (tmp_path / "bots").write_text("a file, no folder")
    bot = Seated(External(program("play()"), log=tmp_path / "bots" / "tester.log"), 0)
    assert bot.choose(START) == START.choices()[0]
    bot.close()


def test_who_does_not_quit_is_killed(program: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_schotten.bots.program.PARTING", 0.1)
    bot = External(program(NEVER_ENDS))
    assert bot.name == "tester"
    mine, before = bot._program, time.monotonic()
    bot.close()
    assert mine is not None
    assert mine._process.returncode not in (None, 0)
    assert time.monotonic() - before < 5
    bot.close()  # again is no harm


def test_who_quits_is_not_killed(program: Programs) -> None:
    bot = External(program("greet(); until('quit')"))
    assert bot.name == "tester"
    mine = bot._program
    bot.close()
    assert mine is not None
    assert mine._process.returncode == 0
    with pytest.raises(BotStopped, match=r"tester\.py was told to quit"):
        bot.act(START, START.choices())


@pytest.mark.skipif(os.name == "nt", reason="there are no process groups")
@pytest.mark.parametrize(
    ("body", "limit", "fault"), [("sys.exit()", 20, Fault.EXIT), ("time.sleep(60)", 0.2, Fault.SILENCE)]
)
def test_what_a_bot_has_forked_ends_with_it(
    program: Programs, tmp_path: Path, body: str, limit: float, fault: Fault
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    fork = f"""
greet(); until('act')
here, there = os.pipe()
if os.fork() == 0:
    f = open({str(fifo)!r}, 'w')
    os.write(there, b'x')
    time.sleep(60)
os.read(here, 1)  # the child has opened it
"""
    bot = External(program(f"{fork}{body}"), limit)
    heard: list[bytes] = []
    listener = threading.Thread(target=lambda: heard.append(fifo.read_bytes()))
    listener.start()  # until nobody has the other end any more
    with pytest.raises(BotStopped) as stopped:
        Seated(bot, 0).choose(START)
    listener.join(20)
    assert (stopped.value.fault, heard) == (fault, [b""])


@pytest.mark.skipif(os.name == "nt", reason="there are no sessions")
def test_a_child_that_has_left_and_keeps_the_pipes_makes_nobody_wait(
    program: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p_schotten.bots.program.JOINING", 0.1)
    leaves = """
greet()
if os.fork() == 0:
    os.setsid()
    time.sleep(2)
    open(MARK, 'w')
    os._exit(0)
until('act')
say(type='move', move=0)
time.sleep(60)
"""
    bot = External(program(leaves), limit=0.5, start=20)
    seated = Seated(bot, 0)
    assert seated.choose(START) == START.choices()[0]
    with pytest.raises(BotStopped, match="has not answered"):
        seated.choose(START)
    assert not (tmp_path / "mark").exists(), "the child is there still"
    threads = [thread for thread in threading.enumerate() if thread.name.endswith(("(_read)", "(_note)", "(_write)"))]
    for thread in threads:
        thread.join(10)


def test_to_close_a_bot_ends_what_it_is_thinking(program: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p_schotten.bots.program.PARTING", 0.1)
    bot = External(program("greet(); until('act'); open(MARK, 'w'); time.sleep(60)"))
    said: list[Fault] = []

    def think() -> None:
        with pytest.raises(BotStopped) as stopped:
            seated.choose(START)
        said.append(stopped.value.fault)

    seated = Seated(bot, 0)
    thread = threading.Thread(target=think)
    thread.start()
    while bot._program is None or bot._program._outbox.qsize() or not bot._greeted:
        time.sleep(0.01)
    time.sleep(0.05)
    seated.close()
    thread.join(20)
    assert len(said) == 1


def test_a_program_is_asked_for_by_its_command_with_options(program: Programs) -> None:
    bot = find_bot(f"cmd,limit=0.5,start=20:{program('play()')}")
    assert isinstance(bot, External)
    assert (bot._limit, bot._start) == (0.5, 20.0)
    assert bot.name == "tester"
    bot.close()


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("cmd", "no program ''"),
        ("cmd:", "no program ''"),
        ("cmd: ", "no program ''"),
        ("cmd:./no-such-bot --x", "no program './no-such-bot' that can be run: expected one as in cmd:./mybot"),
        ("cmd:'", '"\'" is no command: No closing quotation'),
        ("cmd,limit=0:sh", "limit=0 is no time limit: expected up to 86400 seconds"),
        ("cmd,limit=-1:sh", "limit=-1 is no time limit"),
        ("cmd,limit=nan:sh", "limit=nan is no time limit"),
        ("cmd,start=inf:sh", "start=inf is no time limit"),
        ("cmd,limit=soon:sh", "limit=soon is no time limit"),
        ("cmd,limt=3:sh", "cmd has no option 'limt'; its options are: limit, start"),
        ("cmd,log=3:sh", "cmd has no option 'log'; its options are: limit, start"),
        ("cmd,limit:sh", "'limit' is no option of a bot"),
    ],
)
def test_what_is_no_program_is_said_in_one_sentence(spec: str, why: str) -> None:
    with pytest.raises(Unreadable) as refused:
        find_bot(spec)
    assert str(refused.value).startswith(why)
    assert "\n" not in str(refused.value)


@pytest.mark.skipif(os.name == "nt", reason="there a file needs no leave to be run")
def test_a_file_that_may_not_be_run_is_said_to_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mybot.sh").write_text("#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unreadable) as refused:
        find_bot("cmd:./mybot.sh --fast")
    assert str(refused.value).startswith("'./mybot.sh' is there, but may not be run: chmod +x makes it a program, or ")
    (tmp_path / "mybot.sh").chmod(0o700)
    find_bot("cmd:./mybot.sh --fast")


def test_a_program_that_is_forgotten_is_ended_with_this_one(program: Programs) -> None:
    bot = External(program(NEVER_ENDS))
    assert bot.name == "tester"
    mine = bot._program
    assert isinstance(mine, Program)
    assert mine._finalizer.atexit
    mine._finalizer()
    assert mine._process.returncode not in (None, 0)
    bot.close()


def test_a_message_names_stones_from_one(program: Programs) -> None:
    bot = External(program("greet(); m = until('act'); say(type='move', move=m['legal'][8])"))
    move = Seated(bot, 0).choose(START)
    assert isinstance(move, Play)
    assert START.choices()[8] == move
    assert move.stone == StoneId(8)
    bot.close()


def test_an_argument_may_be_too_long_for_the_name_of_a_file(program: Programs) -> None:
    bot = External(f"{program('greet()')} {300 * 'x'}")
    assert bot.name == "tester"
    bot.close()

"""Five faults of a program are five results, each in one sentence, and the next game begins with a fresh process."""

from __future__ import annotations

import os
import sys
import time
from mmap import ACCESS_READ, mmap
from pathlib import Path
from random import Random

import pytest

from p2p_schotten.arena.batch import play_batch
from p2p_schotten.arena.game import FORFEIT
from p2p_schotten.arena.plan import Plan
from p2p_schotten.bots.base import BotStopped, Fault
from p2p_schotten.bots.external import External
from p2p_schotten.bots.seated import Seated
from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rulesets import BASE
from tests.bots.programs import START, Programs, begun, fault_of, program
from tests.engine.positions import ME

__all__ = ["program"]

ONCE = """
if os.path.exists(MARK):
    play()
open(MARK, "w").close()
"""


def answers(text: str) -> str:
    return f"greet(); until('act'); print({text!r}, flush=True); time.sleep(60)"


CRASHES = {
    "at once": ("sys.exit(3)", "tester.py ended with status 3"),
    "with a status": ("greet(); until('newgame'); sys.exit(7)", "tester ended with status 7"),
    "raises": ("greet(); until('act'); {}['card']", "tester ended with status 1: KeyError: 'card'"),
}
if os.name != "nt":
    CRASHES["by a signal"] = ("greet(); until('act'); os.kill(os.getpid(), 11)", "tester died of SIGSEGV")
GARBAGE = {
    "no hello": ("say(type='move', move=0); time.sleep(60)", 'expected a message of the type "hello"'),
    "no JSON": (answers("play R7 3"), "gave no answer: expected a line of JSON, got 'play R7 3'"),
    "a control": (answers("\x1b[2J"), "got '\N{REPLACEMENT CHARACTER}[2J'"),
    "too long": (answers('{"type": "move", "move": "' + " " * 1024 + '"}'), "wrote a line of more than 1024 bytes"),
    "no end of line": ("greet(); until('act'); os.write(1, b'x' * 2000); time.sleep(60)", "of more than 1024 bytes"),
}
ILLEGAL = {
    "no card of mine": (answers('{"type": "move", "move": "play R99 1"}'), "may not be chosen: 'play R99 1'"),
    "too high": (answers('{"type": "move", "move": 54}'), "chose what may not be chosen: number 54 of 54"),
}
SILENCE = {
    "no hello": ("time.sleep(60)", "tester.py has not answered within 0.3 s"),
    "no move": ("greet(); until('act'); time.sleep(60)", "tester has not answered within 0.3 s"),
    "half a line": ("greet(); until('act'); print('{', end='', flush=True); time.sleep(60)", "tester has not answered"),
    "closed output": ("greet(); until('act'); os.close(1); time.sleep(60)", "tester has closed its output"),
}
EXITS = {
    "at once": ("pass", "tester.py ended before it was told to quit"),
    "after hello": ("greet()", "tester ended before it was told to quit"),
    "instead of a move": ("greet(); until('act')", "tester ended before it was told to quit"),
    "after half a line": ("greet(); until('act'); print('{', end='')", "tester ended before it was told to quit"),
}
ALL = [
    pytest.param(body, fault, why, id=f"{fault}: {name}")
    for fault, cases in (
        (Fault.CRASH, CRASHES),
        (Fault.GARBAGE, GARBAGE),
        (Fault.ILLEGAL, ILLEGAL),
        (Fault.SILENCE, SILENCE),
        (Fault.EXIT, EXITS),
    )
    for name, (body, why) in cases.items()
]


@pytest.mark.parametrize(("body", "fault", "why"), ALL)
def test_a_fault_is_recorded_as_what_it_is_and_the_next_game_is_played(
    program: Programs, monkeypatch: pytest.MonkeyPatch, body: str, fault: Fault, why: str
) -> None:
    monkeypatch.setattr("p2p_schotten.bots.program.PARTING", 0.3)
    limit = 0.3 if fault is Fault.SILENCE else 30
    start = 0.3 if why.startswith("tester.py has") else 30
    bot = External(program(ONCE + body), limit, start)
    found, said = fault_of(bot)
    assert (found, why in said) == (fault, True), said
    assert said.startswith(("tester ", "tester.py "))
    assert len(said) <= 200
    assert said.isprintable()
    assert Seated(bot, 1, "tester").choose(START) == START.choices()[0]
    bot.close()


@pytest.mark.parametrize(
    ("fault", "body"),
    [
        (Fault.CRASH, CRASHES["raises"][0]),
        (Fault.GARBAGE, GARBAGE["no JSON"][0]),
        (Fault.ILLEGAL, ILLEGAL["no card of mine"][0]),
        (Fault.SILENCE, SILENCE["no move"][0]),
        (Fault.EXIT, EXITS["instead of a move"][0]),
    ],
)
def test_in_a_match_each_fault_is_a_forfeit_of_that_name_and_the_run_goes_on(
    program: Programs, fault: Fault, body: str
) -> None:
    limit = 0.2 if fault is Fault.SILENCE else 30
    plan = Plan(("uniform", f"cmd,limit={limit}:{program(body)}"), "base", (), "", seed=1)
    one, two = (played.game for played in play_batch(plan, range(1)))
    for game in (one, two):
        assert (game.result.reason, game.seats[game.result.winner or 0]) == (FORFEIT, 0)
        (stopped,) = game.result.stopped
        assert (stopped.fault, game.seats[stopped.seat]) == (fault, 1)


def test_a_program_that_cannot_be_started_has_crashed(program: Programs) -> None:
    bot = External(program("play()"))
    bot._words = ["/dev/null/nothing"]
    fault, said = fault_of(bot)
    assert fault is Fault.CRASH
    assert "cannot be started: " in said


def test_last_words_with_a_full_stop_get_no_second_one(program: Programs) -> None:
    bot = External(program("sys.exit('Died at line 3, <STDIN> line 26.')"))
    assert fault_of(bot) == (Fault.CRASH, "tester.py ended with status 1: Died at line 3, <STDIN> line 26")


def test_a_bot_that_failed_is_not_asked_again_in_the_same_game(program: Programs) -> None:
    bot = External(program("greet(); until('act'); sys.exit(4)"))
    seated, said = Seated(bot, 0, "tester"), []
    for _ in range(2):
        with pytest.raises(BotStopped) as stopped:
            seated.choose(START)
        said.append((stopped.value.fault, str(stopped.value)))
    assert said == [(Fault.CRASH, "tester ended with status 4")] * 2
    seated.over(START)  # it is told nothing more, and that is no error
    bot.close()


def test_two_answers_at_once_are_one_too_many(program: Programs) -> None:
    move = '{"type": "move", "move": 0}\n'
    bot = External(program(f"greet(); until('act'); os.write(1, {move!r}.encode() * 2); until('quit')"))
    seated = Seated(bot, 0, "tester")
    assert seated.choose(START) == START.choices()[0]
    with pytest.raises(BotStopped, match="tester said more than it was asked") as stopped:
        seated.choose(START)
    assert stopped.value.fault is Fault.GARBAGE


def test_what_was_not_asked_for_is_no_answer_to_the_next_question(program: Programs) -> None:
    bot = External(program("greet(); until('newgame'); say(type='move', move=0); told()"))
    begun(bot, lambda program: program._lines)
    with pytest.raises(BotStopped, match="tester said more than it was asked") as stopped:
        bot.act(START, START.choices())
    assert stopped.value.fault is Fault.GARBAGE


def test_a_second_answer_is_noticed_also_where_nothing_else_is_waited_for(program: Programs, tmp_path: Path) -> None:
    (tmp_path / "mark").write_bytes(b"?")
    late = "until('act'); say(type='move', move=0); time.sleep(0.02); say(type='move', move=0)"
    bot = External(program(f"greet(); {late}; open(MARK, 'r+').write('!'); play(True)"))
    interval = sys.getswitchinterval()
    try:
        bot.new_game(BASE, ME, Random(1))
        with open(tmp_path / "mark", "rb") as mark, mmap(mark.fileno(), 1, access=ACCESS_READ) as said:
            bot.act(START, START.choices())
            sys.setswitchinterval(100)  # no thread is given time that has to be asked for
            until = time.monotonic() + 10
            while said[0] != ord("!") and time.monotonic() < until:  # the opponent thinks
                pass
            assert said[0] == ord("!")
            with pytest.raises(BotStopped, match="tester said more than it was asked"):
                bot.act(START, START.choices())
    finally:
        sys.setswitchinterval(interval)
        bot.close()


def test_a_bot_that_fails_when_its_name_is_asked_loses_the_first_game_by_that(program: Programs) -> None:
    bot = External(program(ONCE + "sys.exit(3)"))
    assert [bot.name, bot.name] == [bot._file] * 2
    assert fault_of(bot)[0] is Fault.CRASH
    assert Seated(bot, 1, "tester").choose(START) == START.choices()[0]
    assert bot.name == "tester"
    bot.close()


def test_a_bot_may_resign(program: Programs) -> None:
    bot = External(program("greet(); until('act'); say(type='move', move='resign'); until('quit')"))
    assert Seated(bot, 0, "tester").choose(START) == Resign()
    bot.close()


def test_a_bot_that_ends_after_a_game_loses_the_next(program: Programs) -> None:
    bot = External(program("greet(); until('act'); say(type='move', move=0); until('newgame')"))
    assert Seated(bot, 0, "tester").choose(START) == START.choices()[0]
    assert fault_of(bot) == (Fault.EXIT, "tester ended before it was told to quit")
    assert Seated(bot, 2, "tester").choose(START) == START.choices()[0]
    bot.close()

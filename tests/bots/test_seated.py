"""Whatever a bot does, a legal move or one sentence comes of it; and it is told what it wants to know."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

import pytest

from p2p_schotten.bots import make_bot
from p2p_schotten.bots.base import BotStopped, Ended, Fault
from p2p_schotten.bots.seated import Seated
from p2p_schotten.engine.move import Claim, Move, Play, Resign
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.step import Dealt, Event
from p2p_schotten.engine.view import View
from p2p_schotten.ids import CardId, Seat, StoneId
from tests.bots.games import dealt, seen_by
from tests.engine.positions import ME, YOU

START = seen_by(dealt(BASE, ME, 1), ME)
HELD, NOT_HELD = START.hand[0], next(CardId(card) for card in range(54) if card not in START.hand)


class Scripted:
    """Answers what the test says, and notes what it was told."""

    name = "scripted"

    def __init__(self, answer: Callable[[tuple[Move, ...]], Move]) -> None:
        self.told: list[object] = []
        self._answer = answer

    def new_game(self, rules: Ruleset, seat: Seat, random: Random) -> None:
        self.told.append((rules, seat))

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        return self._answer(legal)

    def observe(self, view: View, event: Event) -> None:
        self.told.append(event)

    def game_over(self, view: View) -> None:
        self.told.append("over")

    def close(self) -> None:
        self.told.append("closed")


class Leaver(Scripted):
    """Wants to end the program."""

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        raise SystemExit(0)


class Anything:
    """Equal to every move."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class Raising:
    """Compares to nothing."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no\ncomparison")

    def __hash__(self) -> int:
        return 0


def fault_of(answer: Callable[[tuple[Move, ...]], object]) -> tuple[Fault, str]:
    with pytest.raises(BotStopped) as stopped:
        Seated(Scripted(answer), 0).choose(START)  # type: ignore[arg-type]  # that is the point
    return stopped.value.fault, str(stopped.value)


def test_a_bot_that_raises_has_crashed_and_says_why_on_one_line() -> None:
    def crash(legal: tuple[Move, ...]) -> Move:
        raise ValueError("a\nb\x1b[2J" + "c" * 1000)

    fault, said = fault_of(crash)
    assert fault is Fault.CRASH
    assert said.startswith("scripted stopped: ValueError: a b [2J")
    assert len(said) == 200


@pytest.mark.parametrize(
    "answer", [Play(NOT_HELD, StoneId(0)), Play(HELD, StoneId(9)), Claim(StoneId(0)), None, "play R1 1"], ids=repr
)
def test_an_answer_that_was_not_offered_is_an_illegal_move(answer: object) -> None:
    fault, said = fault_of(lambda legal: answer)
    assert fault is Fault.ILLEGAL
    assert said.startswith("scripted chose what may not be chosen: ")
    assert ("is a return missing?" in said) is (answer is None)
    assert ("no text or number" in said) is isinstance(answer, str)


def test_an_object_that_equals_every_move_becomes_a_legal_one() -> None:
    move = Seated(Scripted(lambda legal: Anything()), 0).choose(START)  # type: ignore[arg-type,return-value]
    assert type(move) is Play
    assert move in START.choices()


def test_an_object_that_cannot_be_compared_is_a_crash() -> None:
    fault, said = fault_of(lambda legal: Raising())
    assert fault is Fault.CRASH
    assert re.fullmatch(r"scripted stopped: RuntimeError: no comparison \(test_seated\.py:[0-9]+\)", said)


def test_a_bot_may_resign_though_that_is_never_listed() -> None:
    assert Seated(Scripted(lambda legal: Resign()), 0).choose(START) == Resign()


def test_a_bot_is_told_of_its_game_what_happens_and_the_end_in_that_order() -> None:
    bot = Scripted(lambda legal: legal[0])
    seated = Seated(bot, 0)
    assert seated.observes
    event = Dealt(6, ME)
    seated.observe(START, event)
    seated.choose(START)
    seated.over(START)
    seated.close()
    assert bot.told == [(BASE, ME), event, "over", "closed"]


def test_a_bot_without_ears_is_not_told() -> None:
    seated = make_bot("uniform", 0)
    assert not seated.observes
    seated.observe(START, Dealt(6, YOU))
    seated.over(START)
    seated.close()
    assert seated.choose(START) in START.choices()


def test_the_next_game_has_chances_of_its_own_and_the_same_ones_for_the_same_seed() -> None:
    def three(seed: int) -> list[Move]:
        one = make_bot("uniform", seed)
        two = one.again()
        return [one.choose(START), two.choose(START), two.again().choose(START)]

    assert three(5) == three(5)
    assert len({tuple(three(seed)) for seed in range(8)}) == 8
    assert any(len(set(three(seed))) == 3 for seed in range(8))


def test_a_bot_that_ends_the_program_has_crashed() -> None:
    with pytest.raises(BotStopped, match="scripted stopped: SystemExit: 0") as stopped:
        Seated(Leaver(lambda legal: legal[0]), 1).choose(START)
    assert stopped.value.fault is Fault.CRASH


def test_a_bot_is_asked_one_thing_at_a_time_from_whatever_thread_also_in_its_next_game() -> None:
    inside, most = [0], [0]

    def answer(legal: tuple[Move, ...]) -> Move:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        sleep(0.01)
        inside[0] -= 1
        return legal[0]

    first = Seated(Scripted(answer), 1)
    threads = [Thread(target=seated.choose, args=(START,)) for seated in (first, first.again(), first.again())]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


class Beyond(BaseException):
    """No Exception, and so not what a bot is expected to raise."""


class Mute(Exception):
    """Ends the program when it is asked what it says."""

    def __str__(self) -> str:
        raise SystemExit(0)


class Named(str):
    """A name that raises when it is printed."""

    __slots__ = ()

    def __format__(self, how: str) -> str:
        raise RuntimeError("not printed")


class Attacker(Scripted):
    """Raises something; its attributes raise once its game has begun."""

    name = Named("attacker")

    def __init__(self, error: BaseException, nameless: bool = False) -> None:
        super().__init__(lambda legal: legal[0])
        self.error, self.nameless = error, nameless

    def act(self, view: View, legal: tuple[Move, ...]) -> Move:
        raise self.error

    def __getattribute__(self, wanted: str) -> object:
        if wanted in ("observe", "game_over", "close") or (wanted == "name" and self.nameless):
            raise RuntimeError(f"no {wanted}")
        return super().__getattribute__(wanted)


@pytest.mark.parametrize(
    ("error", "fault", "why"),
    [
        (Beyond("far\x1b[2J"), Fault.CRASH, "attacker stopped: Beyond: far [2J"),
        (GeneratorExit(), Fault.CRASH, "attacker stopped: GeneratorExit"),
        (Mute(), Fault.CRASH, "attacker stopped, and cannot say why"),
        (BotStopped(Fault.SILENCE, "I\x1b[2J\nsleep"), Fault.SILENCE, "I [2J sleep"),
        (BotStopped("win", "won"), Fault.CRASH, "attacker stopped, and cannot say why"),  # type: ignore[arg-type]
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_attacker_who_raises_what_is_no_exception_or_cannot_be_printed_has_stopped_in_one_clean_sentence(
    error: BaseException, fault: Fault, why: str
) -> None:
    with pytest.raises(BotStopped) as stopped:
        Seated(Attacker(error), 0, "spec").choose(START)
    assert stopped.value.fault == fault
    assert re.sub(r" \(test_seated\.py:[0-9]+\)$", "", str(stopped.value)) == why


def test_an_attacker_who_says_more_than_a_line_of_results_holds_is_cut_short() -> None:
    said = "\N{GRINNING FACE}" * 5000
    for error in (BotStopped(Fault.GARBAGE, said), ValueError(said)):
        with pytest.raises(BotStopped) as stopped:
            Seated(Attacker(error), 0, "spec").choose(START)
        assert len(str(stopped.value)) == 200


def test_an_attacker_whose_attributes_raise_has_crashed_where_they_are_needed() -> None:
    seated = Seated(Attacker(ValueError("no"), nameless=True), 0, "spec")
    assert seated.name == "spec"
    assert seated.observes, "so it is told, and stops at that"
    asks: tuple[tuple[Callable[[], None], str], ...] = (
        (lambda: seated.observe(START, Dealt(6, ME)), "observe"),
        (lambda: seated.over(START), "game_over"),
        (seated.close, "close"),
    )
    for ask, missing in asks:
        with pytest.raises(
            BotStopped, match=rf"^spec stopped: RuntimeError: no {missing} \(test_seated\.py:"
        ) as stopped:
            ask()
        assert stopped.value.fault is Fault.CRASH


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Ended()], ids=repr)
def test_what_is_meant_for_the_program_is_no_fault_of_the_bot(error: BaseException) -> None:
    with pytest.raises(type(error)):
        Seated(Attacker(error), 0, "spec").choose(START)


BREAKS = """
from helper_of_mine import deeper
from p2p_schotten.bots.uniform import Uniform

class Breaks(Uniform):
    name = "breaks"

    def act(self, view, legal):
        return deeper(len(legal))
"""


def test_a_crash_is_told_with_the_innermost_line_of_the_bot_and_its_traceback_stands_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "breaks_of_mine.py").write_text(BREAKS)
    (tmp_path / "helper_of_mine.py").write_text("import json\n\ndef deeper(number):\n    json.loads('x' * number)\n")
    monkeypatch.syspath_prepend(tmp_path)
    log = tmp_path / "bots" / "log"
    bot = make_bot("breaks_of_mine:Breaks", 1, log)
    for game in (bot, bot.again()):
        with pytest.raises(BotStopped, match=r"^breaks stopped: JSONDecodeError: .* \(helper_of_mine\.py:4\)$"):
            game.choose(START)
    told = log.read_text()
    assert told.count("--- breaks_of_mine:Breaks: breaks stopped: JSONDecodeError") == 2
    assert told.count("    return deeper(len(legal))\n") == 2
    assert told.endswith("json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n")


def test_of_an_error_without_end_the_end_of_a_traceback_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for error in (ValueError("x" * 1_000_000 + "end"), Mute()):
        with pytest.raises(BotStopped):
            Seated(Attacker(error), 0, "spec", log).choose(START)
    assert log.read_text().count("xend\n") == 1
    assert log.stat().st_size < 20_000

"""Two programs without a terminal, a bot at each seat: a whole match by itself, told event by event."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio

from p2p_schotten.net.sockets import free_port
from tests.adversaries.proxy import HARMLESS, Cut, always, open_proxy
from tests.cli.headless import Event, Stream, begin, finish, first, games, meet, resume, sit_down
from tests.cli.running import PROGRAM, children, ended, importable, schotten, start, surroundings, transcripts
from tests.cli.test_visitors import committed, sit

BOTS = '''
import sys, time
from pathlib import Path
from p2p_schotten.bots.uniform import Uniform
from p2p_schotten.engine.move import Resign

print("imported")

class Brief(Uniform):
    """Gives each game up at its second turn, and prints what nobody wants to read."""
    def __init__(self, turns=1):
        self.turns = turns

    def new_game(self, rules, seat, random):
        super().new_game(rules, seat, random)
        self.left = self.turns

    def act(self, view, legal):
        print("thinking")
        self.left -= 1
        return super().act(view, legal) if self.left >= 0 else Resign()

class Fresh(Brief):
    """Plays no game but one that was begun for it, and none after it was let go."""
    gone = False

    def new_game(self, rules, seat, random):
        assert not self.gone
        print("new game")
        super().new_game(rules, seat, random)

    def close(self):
        print("closed")
        self.gone = True

class Slow(Uniform):
    """Thinks at its first turn until the file `done` lies beside this one; gives up at its second."""
    def act(self, view, legal):
        here = Path(__file__)
        if here.with_name("done").exists():
            return Resign()
        here.with_name("asked").touch()
        while not here.with_name("done").exists():
            print("thinking")
            time.sleep(0.01)
        return super().act(view, legal)
'''


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with bots that every process can import."""
    return importable(tmp_path, monkeypatch, "odd_bots", BOTS)


def kinds(stream: Stream) -> list[str]:
    """What happened, without the moves."""
    moves = {"took", "turn", "played", "claimed", "drew", "passed", "skipped", "awarded"}
    return [event["event"] for event in stream.events if event["event"] not in moves]


END = ["ended", "sealed", "sealed", "revealed", "revealed", "finished", "saved", "score"]


def test_a_match_between_two_headless_programs_plays_itself_and_both_tell_it_whole(tmp_path: Path, site: Path) -> None:
    ann, bob = meet(tmp_path, ("--match", "2", "--me", "odd_bots:Brief"), ("--me", "odd_bots:Brief,turns=3"))
    assert (ann.status, bob.status) == (0, 0), ann.err + bob.err
    assert kinds(ann) == ["invite", "seated", "player", "met", "dealt", *END, "seated", "met", "dealt", *END, "end"]
    assert kinds(bob) == ["player", "offered", "seated", "met", "dealt", *END, "seated", "met", "dealt", *END, "end"]
    for stream, seat in ((ann, 0), (bob, 1)):
        assert [event["names"] for event in stream.all("seated")] == [["ann", "bob"]] * 2
        assert [event["seat"] for event in stream.all("seated")] == [seat] * 2
        assert [(event["winner"], event["reason"]) for event in stream.all("ended")] == [(1, "resignation")] * 2
        assert [(event["games"], event["points"], event["over"]) for event in stream.all("score")] == [
            (1, [0, 5], False),
            (2, [0, 10], True),
        ]
        assert stream.events[-1] == {"v": 1, "event": "end", "status": 0, "why": "", "hint": ""}
    played = games(tmp_path)
    assert [game.game_id.hex() for game in played] == [event["game"] for event in ann.all("met")]
    paths = [path for event in ann.all("saved") for path in event["paths"]]
    assert sorted(paths) == sorted(map(str, transcripts(tmp_path / "a")))
    assert "thinking" in ann.err
    assert "imported" in bob.err  # what a bot prints is not among the events


def test_a_headless_game_that_is_no_match_is_one_game(tmp_path: Path, site: Path) -> None:
    ann, bob = meet(tmp_path, ("--me", "odd_bots:Brief"), ("--me", "uniform"))
    assert (ann.status, bob.status) == (0, 0), ann.err + bob.err
    assert len(games(tmp_path)) == 1
    assert ann.all("score") == bob.all("score") == []
    assert ann.err.count("schotten:") == 0
    assert bob.err == ""


def test_two_whole_games_between_greedy_and_easy(tmp_path: Path) -> None:
    ann, bob = meet(tmp_path, ("--match", "2", "--me", "greedy", "--seed", "1"), ("--me", "easy", "--seed", "2"))
    assert (ann.status, bob.status, ann.err, bob.err) == (0, 0, "", "")
    played = games(tmp_path)
    assert [game.offer.match.number for game in played] == [1, 2]
    outcomes = [(game.outcome.winner, list(game.outcome.points)) for game in played if game.outcome is not None]
    for stream in (ann, bob):
        assert [(event["winner"], event["points"]) for event in stream.all("ended")] == outcomes
        assert stream.all("score")[-1]["points"] == [sum(points[seat] for _, points in outcomes) for seat in (0, 1)]
        assert stream.all("score")[-1]["over"]
    for home in "ab":
        verified = schotten(tmp_path / home, "verify", str(tmp_path / home / "games"))
        assert verified.returncode == 0
        assert "games 1-2; one chain" in verified.stdout


def test_a_program_that_finds_nobody_says_so_in_its_last_line(tmp_path: Path) -> None:
    ann = begin(tmp_path / "a", "host", "--bind", "127.0.0.1", "--me", "greedy")
    invite = first(ann)["invite"]
    ann.kill()
    ann.communicate()
    bob = finish(begin(tmp_path / "b", "join", invite, "--me", "greedy"))
    assert bob.status == 5
    assert kinds(bob) == ["end"]
    assert bob.err == f"schotten: {bob.events[-1]['why']}\n"


def test_a_bot_is_let_go_when_no_visitor_can_come_any_more_and_not_before(tmp_path: Path, site: Path) -> None:
    ann = begin(tmp_path / "a", "host", "--bind", "127.0.0.1", "--me", "odd_bots:Fresh")
    invited = first(ann)

    async def leave() -> None:
        await (await sit(invited["addresses"][0], "Bob", committed)).aclose()

    trio.run(leave)  # without the invite he ends nobody's waiting
    bob = finish(begin(tmp_path / "b", "join", invited["invite"], "--me", "uniform"))
    told = finish(ann, [invited])
    assert (told.status, bob.status) == (0, 0), told.err + bob.err
    assert len(told.all("turned away")) == 1
    assert told.err.split().count("closed") == 1
    assert told.err.rstrip().endswith("closed")


# A bot that thinks long


def wait_for(path: Path) -> None:
    """Until the file lies there."""
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_ctrl_c_ends_a_program_whose_bot_thinks_and_nobody_waits_for_the_bot(tmp_path: Path, site: Path) -> None:
    ann, bob, invited = sit_down(tmp_path, ("--me", "odd_bots:Slow"), ("--me", "uniform"))
    wait_for(site / "asked")
    ann.send_signal(signal.SIGINT)
    left, told = finish(ann, [invited]), finish(bob)
    assert (left.status, told.status) == (4, 4)
    assert left.events[-1]["why"] == "the game stands unfinished: interrupted"
    assert told.one("lost")["why"] == "ann left"
    assert left.seconds + told.seconds < 10  # both at once: the bot thinks for ever
    (site / "done").touch()
    ann_again, bob_again = resume(tmp_path)  # the bots that held the seats hold them again
    assert (ann_again.status, bob_again.status) == (0, 0), ann_again.err + bob_again.err
    assert len(games(tmp_path)) == 1
    game = games(tmp_path)[0].game_id.hex()
    assert ann_again.one("resuming")["game"] == bob_again.one("resuming")["game"] == game
    assert ann_again.one("ended")["winner"] == bob_again.one("ended")["winner"]


async def test_a_cut_while_a_bot_thinks_is_mended_while_it_thinks_and_it_is_not_asked_again(
    tmp_path: Path, site: Path
) -> None:
    port = free_port()
    options = ("--bind", "127.0.0.1", "--port", str(port), "--name", "ann")
    ann = begin(tmp_path / "a", "host", *options, "--me", "odd_bots:Brief")
    invited = first(ann)
    async with open_proxy(port, always(HARMLESS)) as proxy:
        bob = begin(tmp_path / "b", "join", f"127.0.0.1:{proxy.port}", "--trust", "--me", "odd_bots:Slow")
        await trio.to_thread.run_sync(wait_for, site / "asked")
        assert proxy.cut(Cut.RST) == 1
        happened: list[Event] = []
        while not happened or happened[-1]["event"] != "resumed":
            happened.append(await trio.to_thread.run_sync(first, bob))
        (site / "done").touch()
        told = await trio.to_thread.run_sync(finish, bob, happened)
        hosted = await trio.to_thread.run_sync(finish, ann, [invited])
    assert (told.status, hosted.status) == (0, 0), told.err + hosted.err
    assert [event["event"] for event in happened[-2:]] == ["reconnecting", "resumed"]
    assert len(told.all("turn")) in (2, 3)  # the question came again over the new connection
    assert any(event["seat"] == 1 for event in told.all("played"))  # asked again, it would have given up at once
    assert len(games(tmp_path)) == 1


async def test_a_script_answers_what_it_is_asked_although_a_cut_came_before_the_question(
    tmp_path: Path, site: Path
) -> None:
    port = free_port()
    ann = start(tmp_path / "a", "host", "--plain", "--bind", "127.0.0.1", "--port", str(port))
    assert ann.stdin is not None
    assert ann.stdout is not None
    ann.stdin.write("1\n1\nresign\nyes\n")
    ann.stdin.close()
    ann.stdin = None
    assert ann.stdout.readline().startswith("SCHOTTEN1:")
    async with open_proxy(port, always(HARMLESS)) as proxy:
        bob = begin(tmp_path / "b", "join", f"127.0.0.1:{proxy.port}", "--trust", "--me", "odd_bots:Slow")
        await trio.to_thread.run_sync(wait_for, site / "asked")  # ann has not been asked, or has played her card
        assert proxy.cut(Cut.RST) == 1
        while (await trio.to_thread.run_sync(first, bob))["event"] != "resumed":
            pass
        (site / "done").touch()
        status, said, _err = await trio.to_thread.run_sync(ended, ann)
        told = await trio.to_thread.run_sync(finish, bob)
    assert (status, told.status) == (0, 0), told.err
    assert "is there again" in said


# The scripts of the documents and examples

TOURNAMENT = Path(__file__).parents[2] / "examples" / "tournament.py"


def script(home: Path, *arguments: str, file: Path = TOURNAMENT) -> subprocess.Popen[str]:
    """One side of a match."""
    pipe = subprocess.PIPE
    command = [sys.executable, str(file), *arguments]
    return subprocess.Popen(command, env=surroundings(home), stdout=pipe, stderr=pipe, text=True)


def invited_by(process: subprocess.Popen[str]) -> str:
    """Its first line."""
    assert process.stdout is not None
    return process.stdout.readline().removeprefix("invite: ").strip()


def test_the_tournament_script_plays_a_match_and_both_sides_print_the_same_score(tmp_path: Path, site: Path) -> None:
    ann = script(tmp_path / "a", "host", "odd_bots:Brief", "--name", "ann", "--match", "3", "--bind", "127.0.0.1")
    bob = script(tmp_path / "b", "join", invited_by(ann), "odd_bots:Brief,turns=4", "--name", "bob")
    told = [ended(bob), ended(ann)]
    assert [status for status, _out, _err in told] == [0, 0]
    assert told[0][1] == told[1][1]
    assert told[0][1].splitlines() == [
        "ann 0 won, 0 points; bob 1 won, 5 points (resignation)",
        "ann 0 won, 0 points; bob 2 won, 10 points (resignation)",
        "ann 0 won, 0 points; bob 3 won, 15 points (resignation)",
        "over: ann 0 won, 0 points; bob 3 won, 15 points",
    ]
    assert len(games(tmp_path)) == 3


def test_the_tournament_script_goes_on_with_what_was_cut_off(tmp_path: Path, site: Path) -> None:
    quick = tmp_path / "tournament.py"
    assert "PAUSE = 5 " in TOURNAMENT.read_text()
    quick.write_text(TOURNAMENT.read_text().replace("PAUSE = 5 ", "PAUSE = 0.5 "))
    ann = script(tmp_path / "a", "host", "odd_bots:Slow", "--bind", "127.0.0.1", file=quick)
    bob = begin(tmp_path / "b", "join", invited_by(ann), "--me", "greedy")
    wait_for(site / "asked")
    (program,) = children(ann.pid)
    os.kill(program, signal.SIGTERM)
    assert finish(bob).status == 4
    (site / "done").touch()
    again = finish(begin(tmp_path / "b", "resume"))
    status, out, _err = ended(ann)
    assert (status, again.status) == (0, 0), again.err
    assert out.splitlines()[-1].startswith("over: ")
    assert len(games(tmp_path)) == 1


def test_the_script_of_the_document_plays_a_match(tmp_path: Path, site: Path) -> None:
    document = (TOURNAMENT.parents[1] / "docs" / "headless.md").read_text()
    (lines,) = re.findall(r"```python\n(.*?)```", document, re.DOTALL)
    assert '["schotten", "host", "--me", "greedy", ' in lines
    program = tmp_path / "script.py"
    brief = f'[*{PROGRAM!r}, "host", "--me", "odd_bots:Brief"'
    program.write_text(lines.replace('["schotten", "host", "--me", "greedy"', brief))
    ann = script(tmp_path / "a", file=program)
    assert ann.stdout is not None
    invite = ann.stdout.readline().removeprefix("give this to the other side: ").strip()
    bob = finish(begin(tmp_path / "b", "join", invite, "--me", "odd_bots:Brief,turns=3"))
    status, out, _err = ended(ann)
    assert (status, bob.status) == (0, 0)
    assert out.splitlines()[-2:] == ["so the match stands: [0, 25]", "status 0 "]

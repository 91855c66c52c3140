"""Attacks on what `verify` and `games` make of many files: borrowed match ids, old HELLOs, two true-looking ends.

The honest match is always the same: ann is seat 0, bob seat 1, two games, and the scores are counted by hand. Who is to
move first gives up at once (5-0): bob in game 1, which he is told to begin, so ann begins game 2 and gives it up.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2p_schotten.bots import make_bot
from p2p_schotten.cli.game import Agree, Game
from p2p_schotten.cli.main import dispatch
from p2p_schotten.cli.player import Player
from p2p_schotten.cli.series import Series
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.engine.move import Resign
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.ids import SEATS
from p2p_schotten.match import Place, Rounds, following, joined, new_match
from p2p_schotten.net.lobby import open_lobby
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.messages import SINGLE_GAME, Hello, Match, Options, read_body, write_body
from p2p_schotten.protocol.offer import Offer
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.record import Kind, head_of, make_record, read_record
from p2p_schotten.transcript import verify
from p2p_schotten.ui.silent import SilentFront
from tests.cli.running import schotten, transcripts
from tests.net.sides import BOB, EVE
from tests.protocol.courses import new_pair
from tests.protocol.pair import Pair, gives_up
from tests.test_match_chains import given_up

ANN_BOB, EVE_BOB = (0, 1), (2, 1)
ROUNDS = Options(SEATS[1], "rounds 2")
WHO_BEGINS = Options(SEATS[0])


def keep(home: Path, records: Sequence[bytes], seat: int = 1) -> Path:
    """The transcript of these records as the journal of that seat would hold it."""
    data = HEADER + b"".join(map(frame, records))
    path = home / "games" / verify(data).session.game_id.hex() / f"{seat}.schotten"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.fixture
def honest(tmp_path: Path) -> tuple[Path, bytes]:
    """A home of bob with a match of two games against ann, and the id of the match."""
    match = new_match(Rounds(2), os.urandom)
    first = given_up(Offer(BASE, ROUNDS, match), None, ANN_BOB)
    keep(tmp_path, first.records)
    keep(tmp_path, given_up(following(first.session), None, ANN_BOB).records)
    return tmp_path, match.id


def told(home: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str]]:
    """The status of `verify` of the whole home, and what it says of matches."""
    status = dispatch(["verify", *options, str(home / "games")])
    return status, [line for line in capsys.readouterr().out.splitlines() if line.startswith(("match ", "game "))]


def scores(home: Path) -> list[str]:
    """Each row of `games` from the points of the result on, with single spaces, sorted."""
    listed = schotten(home, "games")
    assert listed.returncode == 0
    return sorted(" ".join(row.split()[5:]) for row in listed.stdout.splitlines()[1:])


def stands(match: bytes) -> str:
    return f"match {match.hex()[:8]}: games 1-2; one chain; The match is over and shared. Points: ann 5, bob 5."


def test_a_stranger_who_offers_game_1_under_the_id_of_an_old_match_spoils_nothing(
    honest: tuple[Path, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    home, match = honest
    keep(home, given_up(Offer(BASE, ROUNDS, Match(match, 1, b"")), None, EVE_BOB).records)
    status, lines = told(home, capsys)
    assert status == 0
    mine, hers = sorted(lines, key=lambda line: "eve" in line)
    assert mine == stands(match)
    assert hers == f"match {match.hex()[:8]}: game 1; one chain; A match of 2 games, after game 1: eve 5, bob 0."
    assert scores(home) == ["0-5 1/2 0-5 ann", "0-5 1/2 0-5 eve", "5-0 2/2 5-5 ann"]


def test_the_same_opponent_who_offers_another_match_under_the_id_of_the_old_one_spoils_nothing(
    honest: tuple[Path, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    home, match = honest
    again = given_up(Offer(BASE, ROUNDS, Match(match, 1, b"")), SEATS[0], ANN_BOB)
    keep(home, again.records)
    keep(home, given_up(following(again.session), None, ANN_BOB).records)  # bob won, so he begins, and gives up
    status, lines = told(home, capsys)
    assert (status, lines) == (0, [stands(match)] * 2)
    assert scores(home) == ["0-5 1/2 0-5 ann", "0-5 2/2 5-5 ann", "5-0 1/2 5-0 ann", "5-0 2/2 5-5 ann"]


def test_a_commit_to_a_game_that_did_not_come_about_is_no_rival_of_the_one_that_did(
    honest: tuple[Path, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """Bob left when ann had committed to game 2, and both began it anew. Later he puts his own COMMIT behind hers."""
    home, match = honest
    old = next(path for path in transcripts(home) if verify(path.read_bytes()).session.offer.match.number == 1)
    stub = given_up(following(verify(old.read_bytes()).session), None, ANN_BOB).records[:4]
    assert [read_record(record).kind for record in stub[2:]] == [Kind.COMMIT] * 2
    keep(home, stub)
    assert told(home, capsys, "--allow-unfinished") == (0, [stands(match)])


def test_an_earlier_single_game_is_not_drawn_into_a_match_that_bears_its_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    single = given_up(Offer(BASE, Options(SEATS[1])), None, ANN_BOB)
    keep(tmp_path, single.records)
    keep(tmp_path, given_up(Offer(BASE, ROUNDS, Match(single.session.game_id, 1, b"")), None, EVE_BOB).records)
    status, lines = told(tmp_path, capsys)
    assert (status, len(lines)) == (0, 1)
    assert lines[0].endswith(": game 1; one chain; A match of 2 games, after game 1: eve 5, bob 0.")
    assert scores(tmp_path) == ["0-5 - ann", "0-5 1/2 0-5 eve"]


def test_an_old_hello_with_a_fresh_one_behind_it_is_no_game_of_a_match(
    honest: tuple[Path, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    """Bob has ann's HELLO from game 1 and can answer it again; her key never signed the game that this makes."""
    home, match = honest
    old = next(path for path in transcripts(home) if verify(path.read_bytes()).session.offer.match.number == 1)
    hello = old.read_bytes()[len(HEADER) :]
    hello = hello[4 : 4 + int.from_bytes(hello[:4], "big")]
    mine = given_up(Offer(BASE), None, ANN_BOB).session.hellos[1]
    theirs = read_body(Kind.HELLO, read_record(hello).body)
    assert isinstance(theirs, Hello)
    answer = replace(theirs, nonce=bytes(32), identity=mine.identity, name=mine.name)
    forged = make_record(1, head_of(hello), SEATS[1], Kind.HELLO, write_body(answer), b"", BOB)
    path = keep(home, [hello, forged])
    verdict = verify(path.read_bytes())
    assert (verdict.valid, verdict.records, verdict.session.offer.match.id) == (True, 2, match)
    assert told(home, capsys, "--allow-unfinished") == (0, [stands(match)])
    listed = schotten(home, "games")
    assert [line.split()[-1] for line in listed.stdout.splitlines()[1:3]] == ["ann", "ann"]
    assert listed.stdout.splitlines()[3:] == [
        f"{path.parent}: no game can be read there: the players had not both committed to the game"
    ]


def two_ends(options: Options = WHO_BEGINS, match: Match = SINGLE_GAME) -> tuple[Pair, Pair]:
    """One game that seat 0, who begins, has ended twice: he gave up after two cards, and before any lay."""
    one = new_pair(5, Peer, options=options, match=match)
    one.until(lambda pair: not pair.queue and pair.state is not None)
    two = one.fork()
    one.play(gives_up(2))
    two.play(lambda peer: Resign())
    return one, two


def test_two_transcripts_of_one_game_that_contradict_each_other_convict_who_signed_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = two_ends()
    where = next(n for n, (a, b) in enumerate(zip(one.records, two.records, strict=False)) if a != b)
    for seat, pair in enumerate((one, two)):
        assert verify(pair.file_bytes()).over
        keep(tmp_path, pair.records, seat)
    game = one.session.game_id.hex()
    status, lines = told(tmp_path, capsys)
    assert status == 1
    assert lines == [
        f"game {game[:8]}: two of these transcripts contradict each other: record {where}: two records at one place: "
        f"seat 0 signed two different records with number {where}; this convicts Ann (seat 0)"
    ]
    assert dispatch(["verify", "--json", str(tmp_path / "games")]) == 1
    *files, fork = map(json.loads, capsys.readouterr().out.splitlines())
    assert [file["ok"] for file in files] == [True, True]
    assert (fork["game"], fork["ok"], fork["fault"]["record"], fork["fault"]["blame"]) == (game, False, where, 0)


def test_a_match_with_a_game_of_two_ends_has_no_standing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = new_match(Rounds(2), os.urandom)
    for seat, pair in enumerate(two_ends(Options(SEATS[0], "rounds 2"), match)):
        keep(tmp_path, pair.records, seat)
    status, (fork, chain) = told(tmp_path, capsys)
    assert status == 1
    assert "; this convicts Ann (seat 0)" in fork
    why = "two transcripts of game 1 contradict each other"
    assert chain == f"match {match.id.hex()[:8]}: game 1; broken chain: {why}"


def test_two_games_of_one_id_with_other_hellos_convict_who_committed_to_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The id of a game covers nonces and keys, not the names: the COMMITs of seat 0, number 2, name both pasts."""
    one, two = (new_pair(5, Peer, names=("Ann", name)).play(lambda peer: Resign()) for name in ("Bob", "Rob"))
    assert one.session.game_id == two.session.game_id
    assert one.records[0] == two.records[0]
    keep(tmp_path, one.records, 0)
    keep(tmp_path, two.records, 1)
    status, (fork,) = told(tmp_path, capsys)
    assert status == 1
    assert fork.endswith("seat 0 signed two different records with number 2; this convicts Ann (seat 0)")


def test_a_refused_copy_of_a_game_takes_nothing_from_the_true_one(
    honest: tuple[Path, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    home, match = honest
    for path in transcripts(home):
        changed = bytearray(path.read_bytes())
        changed[-400] ^= 1
        path.with_name("0.schotten").write_bytes(changed)
    assert told(home, capsys) == (1, [stands(match)])


def test_two_equal_copies_and_one_that_ends_earlier_are_no_contradiction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _two = two_ends()
    keep(tmp_path, one.records, 0)
    keep(tmp_path, one.records, 1)
    assert told(tmp_path, capsys) == (0, [])
    for count in (4, len(one.records) - 1):
        keep(tmp_path, one.records[:count], 1)
        assert told(tmp_path, capsys, "--allow-unfinished") == (0, [])


def test_a_match_of_one_game_that_is_not_valid_is_not_ok(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = given_up(Offer(BASE, ROUNDS, new_match(Rounds(2), os.urandom)), None, ANN_BOB)
    path = keep(tmp_path, game.records)
    path.write_bytes(path.read_bytes()[:-1])
    assert dispatch(["verify", "--json", str(path)]) == 1
    file, chain = map(json.loads, capsys.readouterr().out.splitlines())
    assert file["ok"] is False
    assert (chain["ok"], chain["error"], chain["score"]) == (False, "game 1 is not valid", None)


def test_a_folder_whose_name_would_colour_the_terminal_is_shown_without_its_escapes(
    honest: tuple[Path, bytes],
) -> None:
    home, _match = honest
    strange = home / "games" / "\x1b[31mred\x1b]0;title\x07"
    transcripts(home)[0].parent.rename(strange)
    listed = schotten(home, "games")
    assert listed.returncode == 0
    assert "\x1b" not in listed.stdout
    assert "\x07" not in listed.stdout
    assert len(listed.stdout.splitlines()) == 3
    assert "no game can be read there: the folder of this game is called" in listed.stdout.splitlines()[-1]


def test_two_games_that_follow_the_same_one_both_join_nothing_in_any_order() -> None:
    players = (b"a" * 32, b"b" * 32)
    first = Place(b"1", Match(b"m", 1, b""), players, b"head 1")
    second, rival = (Place(game, Match(b"m", 2, b"head 1"), players, b"head 2") for game in (b"2", b"3"))
    third = Place(b"4", Match(b"m", 3, b"head 2"), players, b"")
    assert joined([third, second, first]) == ((2, 1, 0),)
    assert joined([first, second, rival]) == ((0,), (1,), (2,))
    assert joined([rival, first, second]) == ((0,), (1,), (2,))


@pytest.mark.parametrize(
    ("match", "players"),
    [
        (Match(b"other", 2, b"head 1"), (b"a", b"b")),
        (Match(b"m", 3, b"head 1"), (b"a", b"b")),
        (Match(b"m", 2, b"head"), (b"a", b"b")),
        (Match(b"m", 2, b"head 1"), (b"b", b"a")),
        (Match(b"m", 2, b"head 1"), (b"e", b"b")),
    ],
    ids=["another id", "another number", "another game before it", "the seats exchanged", "another player"],
)
def test_a_game_joins_no_chain_that_it_does_not_name_in_full(match: Match, players: tuple[bytes, bytes]) -> None:
    first = Place(b"1", Match(b"m", 1, b""), (b"a", b"b"), b"head 1")
    second = Place(b"2", Match(b"m", 2, b"head 1"), (b"a", b"b"), b"")
    assert joined([first, second]) == ((0, 1),)
    assert joined([first, Place(b"2", match, players, b"")]) == ((0,), (1,))
    assert joined([replace(first, final=b""), second]) == ((0,), (1,))


class Renamed(Series):
    """A host who calls himself bob's friend from the second game on."""

    def _game(self, offer: Offer | None, agree: Agree | None, people: Path | None) -> Game:
        game = super()._game(offer, agree, people)
        if offer is not None and offer.match.number > 1:
            game.peer._name = "friend"
        return game


async def test_a_host_who_takes_a_friends_name_in_the_second_game_is_left(tmp_path: Path) -> None:
    async with open_lobby(EVE, bind="127.0.0.1") as lobby:
        answers = []

        async def join() -> None:
            arguments = ("join", f"127.0.0.1:{lobby.port}", "--trust", "--me", "uniform", "--json")
            answers.append(await trio.to_thread.run_sync(lambda: schotten(tmp_path / "bob", *arguments)))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(join)
            connection = await lobby.next()
            offer = Offer(BASE, ROUNDS, new_match(Rounds(2), os.urandom))
            player = Player(SilentFront(), make_bot("uniform", 1))
            with pytest.raises(Failure) as left:
                await Renamed(connection, EVE, "stranger", player, tmp_path / "eve", offer).run()
    assert left.value.status is not Status.DONE
    (guest,) = answers
    assert guest.returncode == Status.FAULT
    assert "the name is 'friend', in the first game over this connection it was 'stranger'" in guest.stderr
    seated = [event for event in map(json.loads, guest.stdout.splitlines()) if event["event"] == "seated"]
    assert [event["names"][0] for event in seated] == ["stranger"]
    assert len(transcripts(tmp_path / "bob")) == 1

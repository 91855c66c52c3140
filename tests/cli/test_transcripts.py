"""verify, replay and export off a terminal, on one game that was played for them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import msgpack
import pytest

from p2p_schotten.cli.main import dispatch
from p2p_schotten.errors import Cause, InvalidProof
from p2p_schotten.ids import Seat
from p2p_schotten.protocol.closing import Fault
from p2p_schotten.protocol.file import HEADER, frame, read_file
from tests.cli.running import schotten

GOLDEN = Path(__file__).parent.parent / "golden" / "base.format-1.schotten"


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("played")
    done = schotten(home, "play", "--me", "greedy", "--opponent", "uniform", "--plain", "--name", "ann")
    assert done.returncode == 0
    (path,) = (home / "games").glob("*/0.schotten")
    return path


def test_verify_says_over_valid_sealed_and_revealed(transcript: Path, tmp_path: Path) -> None:
    done = schotten(tmp_path, "verify", str(transcript))
    assert done.returncode == 0
    (line,) = done.stdout.splitlines()
    assert re.fullmatch(
        re.escape(f"{transcript}: valid, over, sealed by both, revealed by both; ")
        + r"((ann \(seat 0\)|uniform \(seat 1\)) won [5-9]-\d by [a-z ]+|drawn \d-\d); base; "
        r"ann \([a-z2-7-]+\) against uniform \([a-z2-7-]+\)",
        line,
    )


def items_of_the_golden_game() -> tuple[bytes, ...]:
    return read_file(GOLDEN.read_bytes()).items


def written(path: Path, items: tuple[bytes, ...], more: bytes = b"") -> str:
    path.write_bytes(HEADER + b"".join(map(frame, items)) + more)
    return str(path)


def test_verify_names_the_players_in_every_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ann and Bob, 5-2 for Bob; the last four records are both seals and both reveals, seat 0's first."""
    items, file = items_of_the_golden_game(), tmp_path / "x.schotten"
    won = "Bob (seat 1) won 5-2 by three adjacent stones; base; Ann ("
    endings = {
        len(items): f"valid, over, sealed by both, revealed by both; {won}",
        len(items) - 1: f"valid, over, sealed by both, revealed by Ann (seat 0); {won}",
        len(items) - 3: f"valid, over, sealed by Ann (seat 0); {won}",
        len(items) - 4: f"valid, over, not sealed, proven by the shares on record; {won}",
        3: "valid, unfinished: Bob's record would be next; base; Ann (",
        0: "valid, unfinished: seat 0's record would be next",
    }
    for count, ending in endings.items():
        name = written(file, items[:count])
        assert dispatch(["verify", name]) == (0 if "over" in ending else 1)
        assert capsys.readouterr().out.startswith(f"{name}: {ending}")


def test_verify_says_in_plain_words_where_a_file_is_cut_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items = items_of_the_golden_game()
    name = written(tmp_path / "x.schotten", items[:40], frame(items[40])[:30])
    assert dispatch(["verify", name]) == 1
    assert capsys.readouterr().out == (
        f"{name}: refused: cut off in record 40 (length: 30 bytes of it stand there); nobody is convicted\n"
    )


def test_verify_names_whom_a_bad_record_convicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items = items_of_the_golden_game()
    name = written(tmp_path / "x.schotten", (*items[:3], items[2]))
    assert dispatch(["verify", name]) == 1
    assert re.search(r"; (this convicts (Ann|Bob) \(seat [01]\)|nobody is convicted)\n$", capsys.readouterr().out)


def test_verify_reads_standard_input_and_answers_in_json(transcript: Path, tmp_path: Path) -> None:
    done = schotten(tmp_path, "verify", "-", "--json", typed=transcript.read_bytes())
    assert done.returncode == 0
    facts = json.loads(done.stdout)
    assert facts["v"] == 1
    assert facts["file"] == "-"
    assert facts["ok"] is facts["valid"] is facts["over"] is True
    assert facts["sealed"] == facts["revealed"] == [0, 1]
    assert facts["names"] == ["ann", "uniform"]
    assert facts["game"] == transcript.parent.name
    assert facts["fault"] is None


def test_verify_refuses_a_flipped_bit_with_record_and_cause(transcript: Path, tmp_path: Path) -> None:
    data = bytearray(transcript.read_bytes())
    data[len(data) // 2] ^= 1
    edited = tmp_path / "edited.schotten"
    edited.write_bytes(data)
    done = schotten(tmp_path, "verify", str(edited), str(transcript))
    assert done.returncode == 1
    bad, good = done.stdout.splitlines()
    assert re.search(r": refused: record \d+: [a-z ]+: .*; (this convicts (ann|uniform) \(|nobody is)", bad)
    assert "valid, over" in good
    facts = json.loads(schotten(tmp_path, "verify", "--json", str(edited)).stdout)
    assert facts["ok"] is False
    assert facts["fault"]["record"] == facts["records"]


@pytest.mark.parametrize(
    "content", [b"", b"hello", HEADER, HEADER[:-1], b"schotten transcript 9\n", b"\x00" * 5_000_000]
)
def test_verify_refuses_what_is_no_finished_transcript(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.schotten"
    file.write_bytes(content)
    done = schotten(tmp_path, "verify", str(file))
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_verify_names_what_cannot_be_read_and_goes_on(transcript: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = schotten(tmp_path, "verify", "missing", str(tmp_path / "empty"), str(transcript.parent))
    assert done.returncode == 1
    missing, empty, *rest = done.stdout.splitlines()
    assert missing == "missing: No such file or directory"
    assert empty == f"{tmp_path / 'empty'}: no *.schotten lies in this folder"
    assert len(rest) == 2


def test_verify_judges_the_others_where_one_name_leads_to_no_file(transcript: Path, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "folder.schotten").mkdir(parents=True)
    (folder / "good.schotten").write_bytes(transcript.read_bytes())
    os.mkfifo(folder / "fifo.schotten")  # nobody writes to it: reading would wait for ever
    long = "x" * 5000
    done = schotten(tmp_path, "verify", long, str(folder), "/dev/null")
    assert done.returncode == 1
    assert done.stderr == ""
    first, fifo, good, device = done.stdout.splitlines()
    assert first == f"{long}: File name too long"
    assert fifo == f"{folder / 'fifo.schotten'}: not a regular file; - reads standard input"
    assert good.startswith(f"{folder / 'good.schotten'}: valid, over")
    assert device == "/dev/null: not a regular file; - reads standard input"


def test_replay_of_a_folder_names_a_transcript_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["replay", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"schotten: {tmp_path} is a folder: expected one transcript\n"
    (tmp_path / "1.schotten").touch()
    assert dispatch(["replay", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"schotten: {tmp_path} is a folder: expected one transcript, such as {tmp_path / '1.schotten'}\n"
    )


def test_verify_on_a_terminal_breaks_its_lines_between_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "game.schotten", items_of_the_golden_game())
    dispatch(["verify", path])
    whole = capsys.readouterr().out
    monkeypatch.setattr("p2p_schotten.ui.wrapping.columns_of", lambda stream: 50)
    dispatch(["verify", path])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 2
    assert all(len(line) < 50 or " " not in line.strip() for line in lines)
    assert " ".join(line.strip() for line in lines) == whole.strip()


def test_replay_and_export_take_regular_files_only(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for command in ("replay", "export"):
        for name, why in ((str(tmp_path / "fifo"), "not a regular file"), ("x" * 5000, "File name too long")):
            done = schotten(tmp_path, command, name)
            assert done.returncode == 2
            assert done.stderr.startswith(f"schotten: {name}: {why}")


def test_replay_prints_every_step_and_the_revealed_hands(transcript: Path, tmp_path: Path) -> None:
    done = schotten(tmp_path, "replay", str(transcript))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert re.match(r"  0  Each player holds 6 cards\. (ann|uniform) begins\.", lines[0])
    for line, name in zip(lines[1:3], ("ann", "uniform"), strict=True):
        assert re.fullmatch(rf"     {name} holds( [RGBYPN]\d){{6}}\.", line)
    assert lines[-1] == "The transcript is complete."
    text = schotten(tmp_path, "export", str(transcript)).stdout
    for seat, card, stone in re.findall(r"seat (\d) play (\w\d) (\d)", text):
        assert f"  {('ann', 'uniform')[int(seat)]} plays {card} on stone {stone}." in done.stdout


def test_replay_of_a_damaged_file_shows_what_is_good_and_says_where_it_ends(transcript: Path, tmp_path: Path) -> None:
    data = bytearray(transcript.read_bytes())
    data[60_000] ^= 1
    edited = tmp_path / "edited.schotten"
    edited.write_bytes(data)
    for command in ("replay", "export"):
        done = schotten(tmp_path, command, str(edited))
        assert done.returncode == 1
        assert re.match(r"schotten: .*record \d+: ", done.stderr)
        assert "Traceback" not in done.stderr
        assert len(done.stdout.splitlines()) > 3


def with_a_fault_in_the_middle(data: bytes) -> bytes:
    items = list(read_file(data).items)
    half = len(items) // 2
    fault = Fault(Seat(1), half, Cause.SHARE.value, items[half], bytes(96)).pack()
    return HEADER + b"".join(frame(item) for item in (*items[:half], fault, *items[half:]))


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "its last 40 bytes are cut off": lambda data: data[:-40],
    "half of it is cut off": lambda data: data[: len(data) // 2],
    "four bytes behind it": lambda data: data + b"\xff" * 4,
    "a fault in the middle": with_a_fault_in_the_middle,
}


@pytest.mark.parametrize("edit", BROKEN.values(), ids=BROKEN)
def test_replay_and_export_end_with_1_on_a_file_that_verify_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], edit: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "broken.schotten"
    file.write_bytes(edit(GOLDEN.read_bytes()))
    assert dispatch(["verify", str(file)]) == 1
    refused = re.search(r"refused: ([^;]+)", capsys.readouterr().out)
    assert refused is not None
    for command in (["replay", "--plain"], ["export"], ["export", "--format", "json"]):
        assert dispatch([*command, str(file)]) == 1
        said = capsys.readouterr()
        assert said.err == f"schotten: {file}: {refused.group(1)}\nhint: what stands before it is good\n"
        assert len(said.out.splitlines()) > 10


@pytest.mark.parametrize("command", ["verify", "replay", "export"])
def test_a_machine_whose_cryptography_fails_its_test_judges_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    def fails() -> None:
        raise InvalidProof("the self-test failed")

    monkeypatch.setattr("p2p_schotten.crypto.group.self_test", fails)
    assert dispatch([command, str(GOLDEN)]) == 5
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "schotten: the self-test failed\n"


def test_export_holds_every_record_in_json_and_in_msgpack(transcript: Path, tmp_path: Path) -> None:
    as_json = json.loads(schotten(tmp_path, "export", str(transcript), "--format", "json").stdout)
    assert as_json["v"] == 1
    assert as_json["game"] == transcript.parent.name
    assert [player["name"] for player in as_json["players"]] == ["ann", "uniform"]
    assert [record["seq"] for record in as_json["records"]] == list(range(len(as_json["records"])))
    assert [record["kind"] for record in as_json["records"][:3]] == ["HELLO", "HELLO", "COMMIT"]
    assert [len(hand) for hand in as_json["dealt"]] == [6, 6]
    assert as_json["finished"] is True
    import subprocess

    from tests.cli.running import PROGRAM, surroundings

    packed = subprocess.run(
        [*PROGRAM, "export", str(transcript), "--format", "msgpack"],
        env=surroundings(tmp_path),
        capture_output=True,
        check=True,
    ).stdout
    tree = msgpack.unpackb(packed)
    assert tree["game"].hex() == as_json["game"]
    assert [record["signature"].hex() for record in tree["records"]] == [
        record["signature"] for record in as_json["records"]
    ]

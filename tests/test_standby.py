"""What a seat needs to go on after a crash comes back as it was kept, or is refused in words."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_schotten.bots.finding import MAX_SPEC
from p2p_schotten.errors import JournalError, Malformed
from p2p_schotten.ids import Seat
from p2p_schotten.standby import MAX_ADDRESS, MAX_ADDRESSES, MAX_BOT, Standby, load_standby, save_standby, standby_path
from tests.disks import After, MemoryDisk, PowerCut, at, count, power_cut

GOLDEN = Path(__file__).parent / "golden" / "seat.format-1.json"
ADDRESSES = ("192.0.2.7:4711", "[2001:db8::1]:4711")
GUEST = Standby(bytes(range(32)), "greedy", 4711, ADDRESSES, bytes(range(32, 64)), forfeit=True)
OTHER = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")  # RFC 8032, test 1
HOST = Standby(b"", "", 0, ())
HOME = Path("/home")
PLACE = standby_path(HOME, b"\x01" * 32, Seat(1))


def test_it_lies_beside_the_seed_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = standby_path(tmp_path, b"\xab" * 32, Seat(0))
    assert path == tmp_path / "seeds" / f"{'ab' * 32}-0.json"
    save_standby(path, GUEST)
    assert load_standby(path) == GUEST
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_golden_file_of_form_1_is_read_for_good() -> None:
    assert load_standby(GOLDEN) == Standby(bytes.fromhex("a5" * 32), "greedy", 4711, ADDRESSES, OTHER)


def test_the_largest_one_comes_back() -> None:
    disk, wide = MemoryDisk(), "\N{PLAYING CARD ACE OF SPADES}"  # written as two escapes of six characters
    largest = Standby(bytes(32), MAX_BOT * wide, 65535, MAX_ADDRESSES * (MAX_ADDRESS * wide,), bytes(32))
    save_standby(PLACE, largest, disk)
    assert load_standby(PLACE, disk) == largest


def test_every_bot_that_can_be_asked_for_can_be_kept() -> None:
    assert MAX_BOT == MAX_SPEC  # `standby` and `bots` may not import each other


@pytest.mark.parametrize("after", After)
def test_a_power_cut_at_any_moment_leaves_the_old_or_the_new_one(after: After) -> None:
    clean = MemoryDisk()
    save_standby(PLACE, GUEST, clean)
    done = clean.crash(After.KEPT)
    moments = count(done, lambda: save_standby(PLACE, HOST, done))
    assert moments > 10
    assert load_standby(PLACE, done.crash(after)) == HOST
    for moment in range(moments):
        disk = clean.crash(After.KEPT)
        disk.hook = at(moment, power_cut)
        with pytest.raises(PowerCut):
            save_standby(PLACE, HOST, disk)
        assert load_standby(PLACE, disk.crash(after)) in (GUEST, HOST)


@pytest.mark.parametrize("fault", ["full", "read-only", "broken"])
def test_a_disk_that_takes_nothing_keeps_the_old_one_and_says_so(fault: str) -> None:
    disk = MemoryDisk()
    save_standby(PLACE, GUEST, disk)
    before = {path: content.seen for path, content in disk.files.items()}
    disk.room = 10 if fault == "full" else None
    disk.read_only = fault == "read-only"
    disk.syncs_fail = fault == "broken"
    with pytest.raises(JournalError, match=r"(No space left on device|Read-only file system|Input/output error)$"):
        save_standby(PLACE, HOST, disk)
    assert {path: content.seen for path, content in disk.files.items()} == before


def test_one_that_is_not_there_is_said_in_one_line() -> None:
    with pytest.raises(JournalError, match=r"-1\.json: No such file or directory$"):
        load_standby(PLACE, MemoryDisk())


FIELDS = {"form": 1, "identity": "", "other": "", "bot": "", "port": 1, "addresses": ["a:1"]}
BROKEN = {
    "no JSON": b"{",
    "no object": b"[]",
    "too long": b" " * 16385,
    "deep": b"[" * 5000,
    "a huge number": b'{"port": ' + b"9" * 5000 + b"}",
    "no UTF-8": b'{"form": "\xff"}',
    "another form": {**FIELDS, "form": 2},
    "an unknown field": {**FIELDS, "seed": "00"},
    "a field missing": {key: value for key, value in FIELDS.items() if key != "bot"},
    "a short key": {**FIELDS, "identity": "ab"},
    "an odd number of digits": {**FIELDS, "identity": "a"},
    "a key that is no hex": {**FIELDS, "identity": "zz" * 32},
    "a port too high": {**FIELDS, "port": 65536},
    "a negative port": {**FIELDS, "port": -1},
    "a port that is true": {**FIELDS, "port": True},
    "an address that is a number": {**FIELDS, "addresses": [1]},
    "an empty address": {**FIELDS, "addresses": [""]},
    "too many addresses": {**FIELDS, "addresses": ["a:1"] * 17},
    "a long address": {**FIELDS, "addresses": ["a" * 109 + ":1"]},
    "an address that steers the terminal": {**FIELDS, "addresses": ["\x1b[2J:1"]},
    "half a character": {**FIELDS, "addresses": ["\ud800:1"]},
    "a long bot": {**FIELDS, "bot": "b" * 501},
    "a forfeit that is a number": {**FIELDS, "forfeit": 1},
}


@pytest.mark.parametrize("forfeit", [False, True])
def test_a_file_without_a_word_on_forfeits_is_read_and_one_with_it(tmp_path: Path, *, forfeit: bool) -> None:
    fields = {**FIELDS, "forfeit": True} if forfeit else FIELDS
    (tmp_path / "0.json").write_text(json.dumps(fields))
    assert load_standby(tmp_path / "0.json") == Standby(b"", "", 1, ("a:1",), forfeit=forfeit)


@pytest.mark.parametrize("what", BROKEN)
def test_a_file_that_is_no_standby_is_refused(what: str, tmp_path: Path) -> None:
    data = BROKEN[what]
    (tmp_path / "0.json").write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    with pytest.raises(Malformed, match="not what a seat needs to go on: ") as caught:
        load_standby(tmp_path / "0.json")
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_largest_one_allowed_is_read_back(tmp_path: Path) -> None:
    largest = replace(GUEST, bot="b" * 500, port=65535, addresses=("\N{SNOWMAN}" * 108 + ":1",) * 16)
    save_standby(tmp_path / "0.json", largest)
    assert load_standby(tmp_path / "0.json") == largest

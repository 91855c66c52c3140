"""The end of a journal: what a crash explains is cut off, other damage is refused and nothing is cut."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import JournalError
from p2p_schotten.journal import Journal
from p2p_schotten.protocol.file import HEADER, frame
from p2p_schotten.protocol.record import Kind, make_record, read_record
from tests.disks import After
from tests.sittings import GAME, ME, journal_path, seen, stored

PATH = journal_path(ME)


@pytest.mark.parametrize("begun", [b"", HEADER[:1], HEADER[:-1], HEADER])
@pytest.mark.parametrize("zeros", [0, 1, 4096])
def test_a_file_torn_in_its_header_is_an_empty_journal(begun: bytes, zeros: int) -> None:
    disk = stored(2)
    disk.files[PATH].seen = begun + bytes(zeros)
    journal, items = Journal.open(PATH, disk=disk)
    assert items == ()
    journal.append(GAME[0])
    assert disk.crash(After.GONE).files[PATH].seen == HEADER + frame(GAME[0])


def torn_ends() -> dict[str, Callable[[bytes], bytes]]:
    return {
        "cut": lambda item: frame(item)[:-30],
        "cut in the length": lambda item: frame(item)[:2],
        "zeros from the middle of the signature": lambda item: frame(item)[:-30] + bytes(30),
        "a zero for the last byte": lambda item: frame(item)[:-1] + bytes(1),
        "zeros for all but the length": lambda item: frame(item)[:4] + bytes(len(item)),
        "zeros": lambda item: bytes(len(frame(item))),
        "a block of zeros behind it": lambda item: frame(item)[:-30] + bytes(4096),
    }


@pytest.mark.parametrize("what", torn_ends())
@pytest.mark.parametrize("records", [2, 5, 6])
def test_an_end_that_a_crash_explains_is_cut_off(what: str, records: int) -> None:
    disk = stored(records)
    disk.files[PATH].seen += torn_ends()[what](GAME[records])
    assert Journal.open(PATH, disk=disk)[1] == GAME[:records]
    assert disk.files[PATH].safe == HEADER + b"".join(map(frame, GAME[:records]))


def test_zeros_behind_a_whole_record_are_cut_off_and_the_record_stays() -> None:
    disk = stored(6)
    disk.files[PATH].seen += bytes(512)
    assert Journal.open(PATH, disk=disk)[1] == GAME[:6]


def test_a_record_whose_signature_ends_in_a_zero_is_whole() -> None:
    ends = [seq for seq, record in enumerate(GAME) if record.endswith(b"\0")]
    assert ends  # about one in sixteen does
    for seq in ends:
        disk = stored(seq + 1)
        assert Journal.open(PATH, disk=disk)[1] == GAME[: seq + 1]


def test_a_hello_whose_signature_ends_in_a_zero_is_whole() -> None:
    player = Identity.generate(bytes(range(32)))
    body = read_record(GAME[0]).body
    assert isinstance(body[6], bytes)
    hellos = (
        make_record(
            0,
            bytes(32),
            ME,
            Kind.HELLO,
            [number.to_bytes(32, "big"), *body[1:6], player.public, *body[7:]],
            b"",
            player,
        )
        for number in range(1000)
    )
    hello = next(record for record in hellos if record.endswith(b"\0"))
    disk = stored(2)
    disk.files[PATH].seen = HEADER + frame(hello)
    assert Journal.open(PATH, disk=disk)[1] == (hello,)


@pytest.mark.parametrize("damage", [b"\xff" * 40, b"\0\0\0\0\x01", b"\0\1\0\1" + b"x" * 40])
def test_damage_that_no_crash_explains_is_refused_and_nothing_is_cut(damage: bytes) -> None:
    disk = stored(6)
    disk.files[PATH].seen += damage
    before = seen(disk)
    with pytest.raises(JournalError, match="damaged behind record 5: its length is given as"):
        Journal.open(PATH, disk=disk)
    assert seen(disk) == before


def test_a_length_that_grew_in_the_middle_does_not_take_the_records_behind_it_for_torn() -> None:
    disk = stored(12)
    at = len(HEADER + b"".join(map(frame, GAME[:3])))
    data = disk.files[PATH].seen
    disk.files[PATH].seen = data[: at + 1] + b"\x01\x00\x00" + data[at + 4 :]  # 65,536 bytes
    before = seen(disk)
    with pytest.raises(JournalError, match="damaged behind record 2: 4 signed records missing"):
        Journal.open(PATH, disk=disk)
    assert seen(disk) == before

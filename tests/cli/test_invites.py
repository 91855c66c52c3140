"""An invite on standard input: read until it is whole, however it was broken into lines, and never for ever."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import trio

from p2p_schotten.cli import join
from p2p_schotten.cli.keyboard import open_keyboard
from p2p_schotten.cli.status import Failure
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.net.invite import Address, write_invite

INVITE = write_invite(Identity.generate(bytes(32)).public, bytes(16), (Address("192.0.2.1", 4242),))


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Where a program reads, and where it is written to."""
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long."""
    monkeypatch.setattr(join, "REST", 0.05)
    monkeypatch.setattr(join, "PASTED", 0.05)


def read(file: int) -> tuple[str, list[str]]:
    """What is read as an invite, and the line behind it where one is waiting."""

    async def reading() -> tuple[str, list[str]]:
        async with open_keyboard(file) as keyboard:
            word = await join._read_invite(keyboard)
            rest: list[str] = []
            with trio.move_on_after(0.05):
                rest.append(await keyboard.line())
            return word, rest

    return trio.run(reading)


@pytest.mark.parametrize("width", [len(INVITE), 80, 41, 4])
def test_lines_are_read_until_the_invite_is_whole_and_no_further(pipe: tuple[int, int], width: int) -> None:
    lines = [INVITE[at : at + width] for at in range(0, len(INVITE), width)]
    os.write(pipe[1], "\n".join([*lines, "play 2 4", ""]).encode())
    assert read(pipe[0]) == (INVITE, ["play 2 4"])


@pytest.mark.parametrize("line", ["hello", "192.0.2.1:4242", "SCHOTTEN2:AAAA", INVITE[:60] + "1", ""])
def test_what_can_never_become_an_invite_is_not_waited_for(pipe: tuple[int, int], line: str) -> None:
    os.write(pipe[1], f"{line}\nplay 2 4\n".encode())
    assert read(pipe[0]) == (line, ["play 2 4"])


def test_a_program_that_writes_no_more_is_not_waited_for_for_ever(pipe: tuple[int, int]) -> None:
    os.write(pipe[1], f"{INVITE[:80]}\n".encode())
    assert read(pipe[0]) == (INVITE[:80], [])


def test_empty_lines_without_end_come_to_an_end(pipe: tuple[int, int]) -> None:
    os.write(pipe[1], f"{INVITE[:80]}\n".encode() + b"\n" * 200)
    assert read(pipe[0])[0] == INVITE[:80]


def test_an_input_that_ends_before_it_began_holds_no_invite() -> None:
    with open(os.devnull, "rb") as nothing, pytest.raises(Failure, match="no invite came on standard input"):
        read(nothing.fileno())


@pytest.mark.skipif(os.name != "posix", reason="a terminal there is no pair of files")
@pytest.mark.parametrize(("answer", "word"), [(INVITE[80:], INVITE), ("", INVITE[:80])], ids=["rest", "nothing"])
def test_at_a_terminal_the_rest_is_asked_for_and_an_empty_line_gives_up(
    capsys: pytest.CaptureFixture[str], answer: str, word: str
) -> None:
    ours, theirs = os.openpty()

    async def later() -> None:
        await trio.sleep(0.15)
        os.write(ours, f"{answer}\n".encode())

    async def reading() -> str:
        async with open_keyboard(theirs) as keyboard, trio.open_nursery() as nursery:
            nursery.start_soon(later)
            return await join._read_invite(keyboard)

    try:
        os.write(ours, f"{INVITE[:80]}\n".encode())
        assert trio.run(reading) == word
    finally:
        os.close(ours)
        os.close(theirs)
    assert capsys.readouterr().err == (
        "Paste the invite and press Enter.\nThe invite is not whole yet: paste the rest, or press Enter to give up.\n"
    )

"""Lines broken for a terminal: nothing at the left edge that another player wrote, and nothing lost."""

from __future__ import annotations

import os
import sys
import unicodedata

import pytest

from p2p_schotten.ui.wrapping import aside, wrapped

NBSP, WIDE, ACCENT = "\u00a0", "\u5b57", "\u0301"
CHATS = {
    "no-break spaces": NBSP * 200 + "You claim stone 3.",
    "one word": "x" * 500,
    "wide": WIDE * 300,
    "wide spaces": "\u3000" * 150 + "bob",
    "accents": ("e" + ACCENT * 3) * 120,
    "accents alone": ACCENT * 400 + "x" * 90,
    "spaces": " " * 300 + "You claim stone 3.",
    "words": "word " * 90,
    "mixed": ("a" + WIDE + NBSP + "-") * 120,
}


def shown_at(lines: list[str], columns: int) -> list[str]:
    """What a terminal makes of lines, one string per row; a wide character that does not fit goes to the next row."""
    rows = []
    for line in lines:
        row, at = "", 0
        for character in line:
            width = (
                0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
            )
            if at + width > columns:
                rows.append(row)
                row, at = "", 0
            row += character
            at += width
        rows.append(row)
    return rows


@pytest.mark.parametrize("columns", [24, 30, 40, 79])
def test_a_stone_and_its_cards_stay_on_one_line(columns: int) -> None:
    stones = ["1 R7 R8/B8 B9", "2 bob's", "3 -/N1 N2 N3", "4 G1/-", "5 Y1 Y2/P1"]
    lines = wrapped(f"Stones: {'; '.join(stones)}.", columns, stones=True)
    assert all(len(line) < columns for line in lines)
    assert all(any(text in line for line in lines) for text in stones)


def test_what_is_said_behind_the_stones_stays_together_too() -> None:
    said = "Stones (greedy/you): 9 Y7/-. Cards left to draw: clan 40, tactic 9. Tactic cards played: you 0, greedy 0."
    assert wrapped(said, 60, stones=True) == [
        "Stones (greedy/you): 9 Y7/-.",
        "  Cards left to draw: clan 40, tactic 9.",
        "  Tactic cards played: you 0, greedy 0.",
    ]
    assert wrapped(said, 80, stones=True) == [
        "Stones (greedy/you): 9 Y7/-. Cards left to draw: clan 40, tactic 9.",
        "  Tactic cards played: you 0, greedy 0.",
    ]
    # A sentence that is longer than a line is cut between words; nothing else is.
    assert wrapped(said, 38, stones=True) == [
        "Stones (greedy/you): 9 Y7/-. Cards",
        "  left to draw: clan 40, tactic 9.",
        "  Tactic cards played: you 0, greedy",
        "  0.",
    ]


def test_the_text_of_a_row_goes_on_in_its_column() -> None:
    row = "why 3     why stone 3 cannot be claimed, and the cards that could beat it"
    assert wrapped(row, 60) == [
        "why 3     why stone 3 cannot be claimed, and the cards that",
        "          could beat it",
    ]
    assert wrapped(row, 39)[1].startswith("  c")  # there is no room for a column
    assert wrapped("A sentence that has a colon: and goes on", 40)[1].startswith("  o")


@pytest.mark.parametrize("columns", [11, 12, 20, 40, 79, 80, 81, 200])
@pytest.mark.parametrize("said", CHATS.values(), ids=CHATS)
def test_nothing_that_another_player_says_stands_at_the_left_edge(said: str, columns: int) -> None:
    lines = wrapped(f"bob says: {said}", columns)
    first, *more = shown_at(lines, columns)
    assert first.startswith("bob says:")
    assert all(row.startswith("  ") for row in more), more
    assert "".join("".join(lines).split()) == "".join(f"bob says: {said}".split())  # and nothing is lost


@pytest.mark.parametrize("columns", range(1, 11))
def test_a_terminal_of_few_columns_is_no_error(columns: int) -> None:
    for said in CHATS.values():
        assert "".join("".join(wrapped(said, columns)).split()) == "".join(said.split())


def test_a_line_keeps_the_spaces_of_its_columns() -> None:
    help_line = "say TEXT  a word to the other player"
    assert wrapped(help_line, 80) == [help_line]
    assert wrapped(help_line, 30) == ["say TEXT  a word to the other", "  player"]


PATH = "/home/somebody/with-a-long-name/.local/share/schotten/games/0123456789abcdef/0.schotten"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_what_is_said_beside_the_game_breaks_between_words_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl
    import struct
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 40, 0, 0))
    with open(theirs, "w") as terminal, open(ours, "rb", buffering=0) as screen:
        monkeypatch.setattr(sys, "stderr", terminal)
        aside(f"hint: the game is saved and can be gone on with: {PATH}; see the list of games")
        assert screen.read(1000).decode().splitlines() == [
            "hint: the game is saved and can be gone",
            "  on with:",
            f"  {PATH};",
            "  see the list of games",
        ]


def test_elsewhere_it_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    aside("word " * 90)
    assert capsys.readouterr().err == "word " * 89 + "word\n"


def test_what_somebody_else_wrote_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    aside("a file called \x1b[2J\nx\u202e")
    assert capsys.readouterr().err == "a file called  [2J x\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a file that takes nothing")
def test_nobody_need_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    full = open("/dev/full", "w")  # noqa: SIM115 (closing it fails)
    monkeypatch.setattr(sys, "stderr", full)
    aside("nobody hears this")
    with pytest.raises(OSError, match="No space"):
        full.close()

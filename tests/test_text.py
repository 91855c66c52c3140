"""Names and chat of a stranger cannot steer the terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_schotten.errors import Malformed
from p2p_schotten.text import _IN_NAME, check_chat, check_name, clean_text, cut_name, is_hex

HOSTILE = [
    "\x1b[2J",
    "a\nb",
    "a\rb",
    "\x07",
    "\x9b31m",
    "a\u202eb",
    "\u2066a",
    "a\u200bb",
    "a\u2028b",
    "\ufeffa",
    "\x7f",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_escape_sequences_and_direction_marks_are_refused(text: str) -> None:
    with pytest.raises(Malformed, match=r"U\+"):
        check_name(text)
    with pytest.raises(Malformed, match=r"U\+"):
        check_chat(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_cleaned_text_can_be_printed(text: str) -> None:
    assert check_chat(clean_text(text, 40))


@pytest.mark.parametrize("text", ["bob", "Ann-Sophie", "Jörg", "Ольга", "지민", "x" * 32, "é" * 16, "two words"])
def test_names_of_people_are_accepted(text: str) -> None:
    assert check_name(text) == text


@pytest.mark.parametrize("text", ["", "x" * 33, "é" * 16 + "x", " bob", "bob ", "\ud800"])
def test_a_name_has_1_to_32_bytes_and_no_space_at_an_end(text: str) -> None:
    with pytest.raises(Malformed):
        check_name(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [("bob", "bob"), ("x" * 33, "x" * 32), ("é" * 17, "é" * 16), ("x" + "é" * 16, "x" + "é" * 15), (" a b ", "a b")],
)
def test_a_longer_text_is_cut_to_a_name_between_characters(text: str, name: str) -> None:
    assert cut_name(text) == check_name(name)


def test_a_cut_name_ends_with_no_space() -> None:
    assert cut_name("x" * 31 + " bob") == "x" * 31


def test_chat_has_1_to_500_characters() -> None:
    assert check_chat("é" * 500) == "é" * 500
    for text in ("", "x" * 501):
        with pytest.raises(Malformed, match="1 to 500"):
            check_chat(text)


def test_no_name_can_pass_for_another_by_a_space_that_is_none_of_ours() -> None:
    blank = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Zs" and code != ord(" ")]
    for character in (*blank, "\N{BRAILLE PATTERN BLANK}"):
        assert check_chat(f"bob{character}!")
        for name in (f"bob{character}", f"bo{character}b", character):
            with pytest.raises(Malformed, match=r"U\+"):
                check_name(name)


def test_no_plain_character_is_refused() -> None:
    plain = "".join(map(chr, range(ord(" "), ord("~") + 1)))
    assert check_chat(plain) == clean_text(plain, 100) == plain
    assert not [code for code in map(ord, plain) for first, last in _IN_NAME if first <= code <= last]


def test_every_control_and_direction_character_of_this_python_is_refused() -> None:
    wanted = {"Cc", "Zl", "Zp", "Cs"}
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in wanted or unicodedata.bidirectional(character) in turning:
            with pytest.raises(Malformed):
                check_chat(f"a{character}b")


@given(st.text(max_size=60), st.integers(2, 50))
def test_cleaning_keeps_the_limit_and_leaves_nothing_refused(text: str, limit: int) -> None:
    cleaned = clean_text(text, limit)
    assert len(cleaned) <= limit
    if cleaned:
        assert check_chat(cleaned) == cleaned


@pytest.mark.parametrize(("text", "fits"), [("12af", True), ("12", False), ("12af34", True), ("12af345", False)])
def test_hexadecimal_digits_are_counted(text: str, fits: bool) -> None:
    assert is_hex(text, 4, 6) is fits
    assert is_hex(text, len(text))
    assert not is_hex(text, len(text) + 1)


@pytest.mark.parametrize("text", ["12AF", "12 af", "0x12", "12af\n", "-123", "1_23", "１２３４", "12ag", "+123"])
def test_what_only_looks_like_hexadecimal_digits_is_none(text: str) -> None:
    assert not is_hex(text, len(text))

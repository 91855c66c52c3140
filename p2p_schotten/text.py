"""Text that comes from somebody else is shown only when it can neither move the cursor nor turn the line around.

The refused characters are listed here, not asked of `unicodedata`: two peers with different Python versions, and a
verifier ten years later, must give the same answer about the same name. Source of the list: the characters of
Unicode 15 with General_Category Cc, Zl or Zp, with Bidi_Control, or with Default_Ignorable_Code_Point and no letter
of their own; and the noncharacters.
"""

from __future__ import annotations

from p2p_schotten.errors import Malformed

NAME_BYTES = 32  # fits beside the board on a terminal of 60 columns (protocol section 6)
CHAT_CHARACTERS = 500  # a few lines; more would push the board off the screen
HEX_DIGITS = frozenset("0123456789abcdef")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_CONTROL = ((0x0000, 0x001F), (0x007F, 0x009F), (0x2028, 0x2029))
_BIDIRECTIONAL = ((0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))
_INVISIBLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200B),
    (0x2060, 0x2065),
    (0x206A, 0x206F),
    (0x3164, 0x3164),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
_NOT_TEXT = ((0xD800, 0xDFFF), (0xFDD0, 0xFDEF), *((p + 0xFFFE, p + 0xFFFF) for p in range(0, 0x110000, 0x10000)))
_JOINERS = ((0x200C, 0x200D), (0xFE00, 0xFE0F))  # needed by emoji and several scripts, so only a name refuses them
_BLANKS = (  # the other spaces, and what looks like one: "bob" and one of these would pass for bob
    (0x00A0, 0x00A0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x2800, 0x2800),
    (0x3000, 0x3000),
)

_IN_CHAT = (*_CONTROL, *_BIDIRECTIONAL, *_INVISIBLE, *_NOT_TEXT)
_SHOWN = (*_IN_CHAT, *_JOINERS)
_IN_NAME = (*_SHOWN, *_BLANKS)


def _holds(ranges: tuple[tuple[int, int], ...], character: str) -> bool:
    if " " <= character <= "~":  # none of these is listed, and they are most of what is asked about
        return False
    return any(first <= ord(character) <= last for first, last in ranges)


def _refuse(what: str, text: str, ranges: tuple[tuple[int, int], ...]) -> None:
    for place, character in enumerate(text):
        if _holds(ranges, character):
            raise Malformed(
                f"{what} has U+{ord(character):04X} at character {place + 1}: "
                "control, bidirectional and invisible characters are not allowed"
            )


def check_name(text: str) -> str:
    """The same text, fit to be a player's name: 1 to 32 bytes of UTF-8, visible, no space at an end; else Malformed.

    Between words stands the plain space and no other.
    """
    _refuse("the name", text, _IN_NAME)
    size = len(text.encode("utf-8"))
    if not 1 <= size <= NAME_BYTES:
        raise Malformed(f"a name has 1 to {NAME_BYTES} bytes, this one has {size}")
    if text != text.strip(" "):
        raise Malformed("a name neither begins nor ends with a space")
    return text


def is_hex(text: str, least: int, most: int | None = None) -> bool:
    """Whether `text` is `least` to `most` hexadecimal digits, in small letters, as this program writes them.

    Without `most` exactly `least`.
    """
    return least <= len(text) <= (least if most is None else most) and HEX_DIGITS.issuperset(text)


def one_line(text: str) -> str:
    """`text` on one line and without control characters, whoever wrote it."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


def cut_name(text: str) -> str:
    """The beginning of a clean text, as much of it as a name may be long, without the spaces at its ends."""
    return text.encode()[:NAME_BYTES].decode(errors="ignore").strip()


def check_chat(text: str) -> str:
    """The same text, fit to be one line of chat: 1 to 500 characters, none of control or direction; else Malformed."""
    if not 1 <= len(text) <= CHAT_CHARACTERS:
        raise Malformed(f"chat has 1 to {CHAT_CHARACTERS} characters, this has {len(text)}")
    _refuse("the chat", text, _IN_CHAT)
    return text


def clean_text(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, refused ones shown as U+FFFD: safe to print, whoever wrote it."""
    shown = "".join(REPLACEMENT if _holds(_SHOWN, character) else character for character in text[:limit])
    return shown if len(text) <= limit else shown[: limit - 1] + "…"

"""The first word of a typed line: a command, its beginning, or something that the prompt may know better."""

from __future__ import annotations

from collections.abc import Iterable

from p2p_schotten.ui.text import _

WORDS = (
    *("play", "claim", "done", "resign", "back", "undo", "board", "hand", "discard", "unseen"),
    *("last", "why", "say", "quit", "help"),
)
SHOWN_INPUT = 40  # characters of a refused line that are repeated


class Refusal(Exception):
    """Ends the reading of one line with a sentence."""


def command(text: str, faces: Iterable[str]) -> str:
    """The command that `text` begins, or `text` in small letters; Refusal when it fits several, or one of `faces`."""
    lower = text.lower()
    if lower == "?":
        return "help"
    if lower in WORDS or not lower.isalpha():
        return lower
    fits = [word for word in WORDS if word.startswith(lower)]
    if len(lower) == 1:
        fits += [face for face in faces if face.lower().startswith(lower)]
    if len(fits) > 1:
        sentence = _("{typed} fits several: {fits}. Type one of them in full.")
        raise Refusal(sentence.format(typed=quoted(text), fits=", ".join(fits)))
    return fits[0].lower() if fits else lower


def quoted(text: str) -> str:
    """What was typed, safe to show and not too long."""
    shown = "".join(c if c.isprintable() else "?" for c in text.strip())
    return f"'{shown[:SHOWN_INPUT]}'"


def capital(text: str) -> str:
    """With a capital letter, as a sentence begins."""
    return text[:1].upper() + text[1:]

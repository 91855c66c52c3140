"""The first word of a typed line: a command, its beginning, or something that the prompt may know better."""

from __future__ import annotations

from collections.abc import Iterable

from p2p_schotten.ui.text import _, plural

WORDS = (
    "resign",
    "back",
    "undo",
    "board",
    "hand",
    "discard",
    "unseen",
    "last",
    "why",
    "what",
    "say",
    "rules",
    "quit",
    "wait",
    "adjourn",
    "record",
    "help",
)
IN_FULL = ("undo",)  # the same as back, for whoever tries it: it takes no letters from others
SHOWN_INPUT = 40  # characters of a refused line that are repeated


class Refusal(Exception):
    """Ends the reading of one line with a sentence."""


def command(text: str, verbs: Iterable[str], cards: Iterable[str]) -> str:
    """The verb, word or card that `text` is or begins, or `text` itself, in small letters; Refusal for several."""
    lower = text.lower()
    if lower == "?":
        return "help"
    known = dict.fromkeys((*verbs, *WORDS, *cards))
    if lower in map(str.lower, known) or not lower.isalpha():
        return lower
    fits = [word for word in known if word.lower().startswith(lower) and word not in IN_FULL]
    if len(fits) > 1:
        sentence = _("{typed} fits several: {fits}. Type more letters of the one you mean.")
        raise Refusal(sentence.format(typed=quoted(text), fits=", ".join(fits)))
    return fits[0].lower() if fits else lower


def overdue() -> str:
    """What there is to choose from when the other player's time is up."""
    return _("Type wait to go on waiting, adjourn to leave and resume later, or record for a win by absence.")


def quoted(text: str) -> str:
    """What was typed, safe to show and not too long."""
    shown = "".join(c if c.isprintable() else "?" for c in text.strip())
    return f"'{shown[:SHOWN_INPUT]}'"


def count_records(count: int) -> str:
    """`1 record`, `57 records`: how many there are. A record alone is named by its number, and these begin with 0."""
    return plural("{n} record", "{n} records", count)


def capital(text: str) -> str:
    """With a capital letter, as a sentence begins."""
    return text[:1].upper() + text[1:]

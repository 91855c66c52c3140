"""What two peers agree on in their HELLOs beside keys and versions: the rules, who begins, and the match.

On the wire these are the name of a ruleset, sorted options (its flags, `first`, `match`, `clock`) and the place in a
match.
There is one way only to write an offer; any other is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from p2p_schotten.engine.flags import compare, flagged
from p2p_schotten.engine.ruleset import Ruleset
from p2p_schotten.errors import Unreadable
from p2p_schotten.ids import SEATS, Seat
from p2p_schotten.protocol.messages import NO_OPTIONS, SINGLE_GAME, Hello, Match, Options

FIRST, FORM, CLOCK = "first", "match", "clock"  # the options that are no flags
MAX_FORM = 32  # the form of a match, as "rounds 3"
LEAST_CLOCK = 10  # seconds for a turn: two clocks differ by seconds, and a shorter turn would be mostly that
MOST_CLOCK = 86_400  # seconds for a turn: a day; who wants longer ones needs no clock
SHOWN = 40  # characters of a peer's word that an error repeats


@dataclass(frozen=True, slots=True)
class Offer:
    """Rules, options and match: both HELLOs of a game say the same."""

    rules: Ruleset
    options: Options = NO_OPTIONS
    match: Match = SINGLE_GAME

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The options of a HELLO: flags, who begins, the form of the match and the clock, sorted by name."""
        pairs = list(self.rules.flags)
        if self.options.first is not None:
            pairs.append((FIRST, str(int(self.options.first))))
        if self.options.form:
            pairs.append((FORM, self.options.form))
        if self.options.clock is not None:
            pairs.append((CLOCK, str(self.options.clock)))
        return tuple(sorted(pairs))


def offer_of(known: Mapping[str, Ruleset], hello: Hello) -> Offer:
    """The offer that a HELLO writes; `known` are the presets by name. Raises Unreadable for any but the one way."""
    preset = known.get(hello.ruleset)
    if preset is None:
        raise Unreadable(f"{hello.ruleset[:SHOWN]!r} is not a ruleset: known are {', '.join(known)}")
    flags = dict(hello.options)
    first, form, clock = flags.pop(FIRST, None), flags.pop(FORM, None), flags.pop(CLOCK, None)
    if first not in (None, "0", "1"):
        raise Unreadable(f"option {FIRST}: expected seat 0 or 1, got {first[:SHOWN]!r}")
    if form is not None and not _is_form(form):
        raise Unreadable(f"option {FORM}: expected 1 to {MAX_FORM} printable characters of ASCII")
    if form is not None and hello.match == SINGLE_GAME:
        raise Unreadable(f"option {FORM}: a single game has no form of a match")
    if not _is_place(hello.match):
        raise Unreadable("a game of a match has an id, and the head of the game before it unless it is the first")
    rules = flagged(preset, flags) if flags else preset
    seconds = None if clock is None else _read_clock(clock)
    options = Options(None if first is None else SEATS[int(first)], form or "", seconds)
    offer = Offer(rules, options, hello.match)
    if offer.pairs() != hello.options:
        raise Unreadable("options: expected each once, sorted, and no flag that says what the ruleset says anyway")
    return offer


def differences(mine: Offer, theirs: Offer) -> str:
    """In what two offers differ, in words; empty when they are equal."""
    words = []
    if mine.rules != theirs.rules:
        words.append(compare(mine.rules, theirs.rules))
    if mine.options.first != theirs.options.first:
        words.append(f"who begins: mine {_who(mine.options.first)}, theirs {_who(theirs.options.first)}")
    if mine.options.form != theirs.options.form:
        words.append(f"match: mine {mine.options.form or 'none'}, theirs {theirs.options.form or 'none'}")
    if mine.options.clock != theirs.options.clock:
        words.append(f"clock: mine {_seconds(mine.options.clock)}, theirs {_seconds(theirs.options.clock)}")
    if mine.match != theirs.match:
        words.append(f"place in the match: mine {_which(mine.match)}, theirs {_which(theirs.match)}")
    return "; ".join(words)


def _is_form(form: str) -> bool:
    return 1 <= len(form) <= MAX_FORM and form.isascii() and form.isprintable()


def is_clock(seconds: int) -> bool:
    """A turn may be agreed to last so long."""
    return LEAST_CLOCK <= seconds <= MOST_CLOCK


def _read_clock(text: str) -> int:
    if not re.fullmatch("[1-9][0-9]{1,4}", text, re.ASCII) or not is_clock(int(text)):
        expected = f"expected whole seconds from {LEAST_CLOCK} to {MOST_CLOCK}"
        raise Unreadable(f"option {CLOCK}: {expected}, got {text[:SHOWN]!r}")
    return int(text)


def _is_place(match: Match) -> bool:
    """A single game, or a numbered game of a match with the final head of the game before, if there is one."""
    if not match.id:
        return match == SINGLE_GAME
    return bool(match.previous) == (match.number > 1)


def _who(first: Seat | None) -> str:
    return "the coin says" if first is None else f"seat {first}"


def _seconds(clock: int | None) -> str:
    return "none" if clock is None else f"{clock} s"


def _which(match: Match) -> str:
    if not match.id:
        return "a single game"
    after = f" after {match.previous.hex()[:8]}" if match.previous else ""
    return f"game {match.number}{after} of match {match.id.hex()[:8]}"

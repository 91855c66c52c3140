"""What `verify` says of wins by absence: the word of who wrote the file, beside a transcript that proves nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from p2p_schotten.absence import Absence, read_absence
from p2p_schotten.cli.status import os_sentence
from p2p_schotten.errors import Malformed
from p2p_schotten.ids import GAME_DIGITS, SEATS, Seat, other
from p2p_schotten.text import one_line
from p2p_schotten.transcript import Verdict
from p2p_schotten.ui.text import _, plural
from p2p_schotten.ui.words import count_records

VERSION = 1


@dataclass(frozen=True, slots=True)
class Beside:
    """A file that records a win by absence, and the transcript beside it, as far as it is here."""

    path: Path
    absence: Absence | None
    problem: str = ""  # why it cannot be read
    verdict: Verdict | None = None
    fits: bool = False  # the transcript leads to its position
    stands: bool = False  # and it counts there

    @property
    def seat(self) -> Seat | None:
        """The seat whose file it is, as its name says; it may have been renamed."""
        return {str(seat): seat for seat in SEATS}.get(self.path.stem)

    def who(self, seat: Seat) -> str:
        """`ann (seat 0)`, or the seat where no transcript tells the name."""
        names = () if self.verdict is None else self.verdict.session.names
        place = _("seat {n}").format(n=seat)
        return f"{names[seat]} ({place})" if len(names) > seat else place


def beside(path: Path, records: Sequence[bytes], verdict: Verdict | None = None) -> Beside:
    """The file as it is, with what the good records of the transcript say of it."""
    try:
        absence = read_absence(path)
    except Malformed as error:
        return Beside(path, None, str(error).removeprefix(f"{path}: "))
    except OSError as error:
        return Beside(path, None, error.strerror or os_sentence(error))
    if absence is None:
        return Beside(path, None, _("no such file"))
    fits = verdict is not None and verdict.session.game_id == absence.game and absence.fits(records)
    over = verdict is not None and verdict.session.outcome is not None
    return Beside(path, absence, "", verdict, fits, fits and not over and absence.stands(records))


def lines(found: Sequence[Beside]) -> Iterator[str]:
    """Each in one line, then what two of one game say of each other."""
    for one in found:
        said = one.problem if one.absence is None else _sentence(one, one.absence)
        yield one_line(f"{one.path}: {said}")
    for game, same in _pairs(found):
        differ = _("game {id}: the two seats recorded different things: no file can say who was away")
        agree = _("game {id}: both seats recorded the same win by absence: their word, and no proof")
        yield (agree if same else differ).format(id=game.hex()[:GAME_DIGITS])


def fact_lines(found: Sequence[Beside]) -> Iterator[str]:
    """The same as JSON objects."""
    for one in found:
        absence = one.absence
        start: dict[str, object] = {"v": VERSION, "file": str(one.path), "proven": False}
        if absence is None:
            yield json.dumps({**start, "error": one.problem})
            continue
        said = {
            "seat": one.seat,
            "game": absence.game.hex(),
            "by": absence.by,
            "record": absence.seq,
            "seconds": absence.seconds,
            "when": absence.when,
            "agreed": absence.agreed,
            "stands": one.stands,
        }
        yield json.dumps({**start, "absence": said})
    for game, same in _pairs(found):
        yield json.dumps({"v": VERSION, "game": game.hex(), "same": same, "proven": False})


def _sentence(one: Beside, absence: Absence) -> str:
    winner, loser = one.who(absence.by), one.who(other(absence.by))
    writer = _("somebody") if one.seat is None else one.who(one.seat)
    waited = plural("{n} second", "{n} seconds", absence.seconds)
    line = _("{writer} recorded after {records} that {winner} wins by absence: {loser} was away for {waited}")
    parts = [line.format(writer=writer, records=count_records(absence.seq), winner=winner, loser=loser, waited=waited)]
    match absence.agreed:
        case True:
            parts.append(_("he says that the other side agrees"))
        case False:
            parts.append(_("he says that the other side differs"))
        case None:
            parts.append(_("he has no answer of the other side"))
    if one.verdict is None:
        parts.append(_("the transcript is not among these files"))
    elif not one.fits:
        parts.append(_("the transcript beside it does not lead there"))
    elif one.verdict.session.outcome is not None:
        parts.append(_("the game went on to its end, and that counts"))
    elif not one.stands and absence.agreed is None:
        parts.append(_("the game went on after it"))
    else:
        parts.append(_("the transcript is unfinished"))
    return "; ".join((*parts, _("this is his word only: nobody can verify time")))


def _pairs(found: Sequence[Beside]) -> Iterator[tuple[bytes, bool]]:
    """Games of which both seats' files are here, and whether they say the same."""
    by_game: dict[bytes, dict[Seat, Absence]] = {}
    for one in found:
        if one.absence is not None and one.seat is not None and one.fits:
            by_game.setdefault(one.absence.game, {}).setdefault(one.seat, one.absence)
    for game, seats in by_game.items():
        if len(seats) == len(SEATS):
            first, second = (seats[seat] for seat in SEATS)
            yield game, (first.seq, first.head, first.by) == (second.seq, second.head, second.by)

"""`schotten games`: the games in my home folder, one line each. A list, not a verdict: `verify` gives that."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import typer

from p2p_schotten.absence import Absence, absence_path, read_absence
from p2p_schotten.cli.files import read
from p2p_schotten.cli.status import os_sentence
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.step import Outcome
from p2p_schotten.errors import Malformed, SchottenError
from p2p_schotten.home import IDENTITY, home, known_players, load_identity
from p2p_schotten.ids import GAME_DIGITS, SEATS, Seat, other
from p2p_schotten.journal import SUFFIX
from p2p_schotten.match import Form, Free, Place, Played, Roles, Rounds, Standing, Target, joined, read_form, standings
from p2p_schotten.protocol.closing import Close, read_item
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.messages import Hello, Seal, read_body
from p2p_schotten.protocol.offer import Offer, offer_of
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.protocol.session import DRAWN, REASONS, game_id_of
from p2p_schotten.tail import is_close
from p2p_schotten.text import NAME_BYTES, clean_text
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import print_line

app = typer.Typer(add_completion=False)

LAST = 4  # items: both seals and both reveals, or a CLOSE
HEAD = ("date", "game", "rules", "result", "match", "against")


@dataclass(frozen=True, slots=True)
class Entry:
    """One game as its journal tells it. `outcome` is None while no seat has sealed or closed it."""

    game: str  # its id in hexadecimal digits
    when: float  # of the last record, in seconds of the system's clock
    me: Seat
    opponent: bytes  # his key
    called: str  # what he calls himself
    offer: Offer
    form: Form
    place: Place
    outcome: Outcome | None
    ended: bool  # nothing more belongs behind it: both seeds stand there, or a CLOSE
    absence: Absence | None = None  # a win by absence that counts, beside a game without an outcome


@app.command()
def games() -> None:
    """The games, the latest last; then the folders in which none can be read."""
    folder = home()
    mine = load_identity(folder).public if (folder / IDENTITY).exists() else b""  # a list makes no key
    given = given_names(folder)
    entries: list[Entry] = []
    strange: list[str] = []
    below = folder / "games"
    for inside in sorted(below.iterdir()) if below.is_dir() else ():
        try:
            entries.append(entry_of(inside, mine))
            strange += _unread_absence(inside)
        except (SchottenError, OSError) as error:
            why = os_sentence(error) if isinstance(error, OSError) else str(error)
            strange.append(_("{folder}: no game can be read there: {why}").format(folder=inside, why=why))
    matches = _matches(entries)
    rows = [row(entry, matches[entry.game], given) for entry in sorted(entries, key=lambda entry: entry.when)]
    lines: list[str] = []
    if rows:
        widths = [max(map(len, column)) for column in zip(HEAD, *rows, strict=True)]
        padded = ([text.ljust(width) for text, width in zip(one, widths, strict=True)] for one in (HEAD, *rows))
        lines = ["  ".join(cells).rstrip() for cells in padded]
    for line in (*lines, *strange):
        print_line(line)
    if not rows and not strange:
        print(_("No games yet: schotten play begins one."))


def given_names(folder: Path) -> dict[bytes, str]:
    """The names that I gave to players, by their keys."""
    return {player.key: player.name for player in known_players(folder) if player.given}


def entry_of(folder: Path, mine: bytes) -> Entry:
    """The game in a folder, for the player with this key; raises SchottenError or OSError when there is none."""
    seats = [seat for seat in SEATS if (folder / f"{seat}{SUFFIX}").exists()]
    if not seats:
        raise Malformed(_("no transcript"))
    path = folder / f"{seats[0]}{SUFFIX}"
    items = read_file(read(str(path))).items
    hellos = [_hello(item) for item in items[: len(SEATS)]]
    if len(hellos) < len(SEATS):
        raise Malformed(_("the players had not met"))
    game = game_id_of(hellos)
    if folder.name != game.hex():
        raise Malformed(_("the folder of this game is called {id}").format(id=game.hex()))
    if [read_record(item).kind for item in items[len(SEATS) : 2 * len(SEATS)]] != [Kind.COMMIT] * len(SEATS):
        raise Malformed(_("the players had not both committed to the game"))
    # Both seats may have written here: the other one is the second peer of `play`, or somebody else of this home.
    me = next((seat for seat in seats if hellos[seat].identity == mine), seats[0])
    theirs = hellos[other(me)]
    offer = offer_of(RULESETS, hellos[0])
    form = read_form(offer.rules, offer.options.form)
    opened = len(items) > 2 * len(SEATS)  # what comes behind both COMMITs is the OPEN of seat 0
    place = Place(game, offer.match, tuple(hello.identity for hello in hellos), _final_head(items), opened)
    when = path.stat().st_mtime
    absence = _absence(folder / f"{me}{SUFFIX}", items)
    ended = place.final != b"" or is_close(items[-1])
    outcome = _outcome(items)
    return Entry(game.hex(), when, me, theirs.identity, theirs.name, offer, form, place, outcome, ended, absence)


def _absence(path: Path, items: Sequence[bytes]) -> Absence | None:
    """The win by absence beside a journal, if it counts; none where the file cannot be read, which is told apart."""
    with suppress(Malformed, OSError):
        absence = read_absence(absence_path(path))
        if absence is not None and absence.stands(items):
            return absence
    return None


def _unread_absence(folder: Path) -> Iterator[str]:
    """Why a win by absence in this folder cannot be read."""
    for seat in SEATS:
        try:
            read_absence(absence_path(folder / f"{seat}{SUFFIX}"))
        except (Malformed, OSError) as error:
            yield os_sentence(error) if isinstance(error, OSError) else str(error)


def _hello(item: bytes) -> Hello:
    record = read_record(item)
    body = read_body(record.kind, record.body)
    if not isinstance(body, Hello):
        raise Malformed(_("it does not begin with two HELLOs"))
    return body


def _outcome(items: Sequence[bytes]) -> Outcome | None:
    """What a seal or a CLOSE says; None when there is neither."""
    for item in items[-LAST:]:
        outside = read_item(item)
        if isinstance(outside, Close):
            return _read_outcome(outside.outcome)
        if outside is None and (record := read_record(item)).kind is Kind.SEAL:
            body = read_body(record.kind, record.body)
            assert isinstance(body, Seal)
            return _read_outcome(body.outcome)
    return None


def _final_head(items: Sequence[bytes]) -> bytes:
    """What the next game names as the one before; empty until both seeds stand behind both seals."""
    if len(items) < LAST or read_item(items[-1]) is not None or read_record(items[-1]).kind is not Kind.REVEAL:
        return b""
    seal = read_record(items[-LAST])
    body = read_body(seal.kind, seal.body)
    return body.head if isinstance(body, Seal) else b""


def _read_outcome(code: tuple[int, ...]) -> Outcome:
    winner, reason, first, second = code
    if winner > DRAWN or reason >= len(REASONS):
        raise Malformed(_("an outcome that there is not"))
    return Outcome(None if winner == DRAWN else SEATS[winner], REASONS[reason], (first, second))


def row(entry: Entry, place: str, given: dict[bytes, str]) -> tuple[str, ...]:
    """What stands in each column; `given`: the names that are mine for the players with these keys."""
    outcome, me = entry.outcome, entry.me
    clock = () if entry.offer.options.clock is None else (("clock", str(entry.offer.options.clock)),)
    flags = (f"{name}={value}" for name, value in (*entry.offer.rules.flags, *clock))
    rules = " ".join((entry.offer.rules.name, *flags))
    result = _("unfinished")
    if outcome is not None:
        result = _("drawn") if outcome.winner is None else _("won") if outcome.winner == me else _("lost")
        result = f"{result} {_points(outcome.points, me)}"
    elif entry.absence is not None:
        result = _("won (absent)") if entry.absence.by == me else _("lost (absent)")
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.when))
    return when, entry.game[:GAME_DIGITS], rules, result, place, _opponent(entry, given)


def _opponent(entry: Entry, given: dict[bytes, str]) -> str:
    """What he called himself in that game, for several bots may play with one key; behind my own name for him."""
    called, mine = clean_text(entry.called, NAME_BYTES), given.get(entry.opponent, "")
    return called if mine in ("", called) else f"{clean_text(mine, NAME_BYTES)} ({called})"


def _points(points: tuple[int, int], me: Seat) -> str:
    return f"{points[me]}-{points[other(me)]}"


def _matches(entries: Sequence[Entry]) -> dict[str, str]:
    """By the id of each game: which of its match it is, and how the match stood after it."""
    texts: dict[str, str] = {}
    for chain in joined([entry.place for entry in entries]):
        games = [entries[at] for at in chain]
        over = [Played(SEATS[0], game.outcome) for game in games if game.outcome is not None]
        stood = standings(games[0].form, over)
        for count, game in enumerate(games, 1):
            if games[0].offer.match.number == 1:
                texts[game.game] = _match(game, stood[min(count, len(over))], len(games) == 1)
            else:
                texts[game.game] = f"{game.offer.match.number} -"  # what came before it is not here
    return texts


def _match(entry: Entry, now: Standing, alone: bool) -> str:
    """Which game of its match this is, and how the match stood then; a dash for a game that stands alone."""
    number, form = entry.offer.match.number, entry.form
    if isinstance(form, Free) and alone and number == 1:
        return "-"
    match form:
        case Rounds(count):
            return f"{_which(now, entry)}/{count} {_points(now.points, entry.me)}"
        case Roles():
            return f"{_which(now, entry)}/2 {_points(now.points, entry.me)}"
        case Target(target):
            return f"{_which(now, entry)} {_points(now.points, entry.me)} to {target}"
        case Free():
            return f"{number} {_points(now.points, entry.me)}"


def _which(now: Standing, entry: Entry) -> int:
    """The number of the game in its match: a game under way comes after those that count."""
    return len(now.games) + (entry.outcome is None)

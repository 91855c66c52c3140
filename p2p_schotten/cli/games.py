"""`schotten games`: the games in my home folder, one line each. A list, not a verdict: `verify` gives that."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from p2p_schotten.cli.files import read
from p2p_schotten.cli.status import one_line, os_sentence
from p2p_schotten.engine.rulesets import RULESETS
from p2p_schotten.engine.step import Outcome
from p2p_schotten.errors import Malformed, SchottenError
from p2p_schotten.home import IDENTITY, home, known_players, load_identity
from p2p_schotten.ids import SEATS, Seat, other
from p2p_schotten.journal import SUFFIX
from p2p_schotten.match import Form, Free, Played, Roles, Rounds, Standing, Target, read_form, standing
from p2p_schotten.protocol.closing import Close, read_item
from p2p_schotten.protocol.file import read_file
from p2p_schotten.protocol.messages import Hello, Seal, read_body
from p2p_schotten.protocol.offer import Offer, offer_of
from p2p_schotten.protocol.record import Kind, read_record
from p2p_schotten.protocol.session import DRAWN, REASONS
from p2p_schotten.text import clean_text
from p2p_schotten.ui.text import _

app = typer.Typer(add_completion=False)

ID_DIGITS = 12  # of a game: enough to tell apart all that one person plays
LAST = 4  # items: both seals and both reveals, or a CLOSE
HEAD = ("date", "game", "rules", "result", "points", "match", "opponent")


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
    outcome: Outcome | None

    @property
    def chain(self) -> str:
        """What the games of one connection have in common."""
        return self.offer.match.id.hex() or self.game


@app.command()
def games() -> None:
    """The games, the latest last; then the folders in which none can be read."""
    folder = home()
    mine = load_identity(folder).public if (folder / IDENTITY).exists() else b""  # a list makes no key
    known = {player.key: player.name for player in known_players(folder)}
    entries: list[Entry] = []
    strange: list[str] = []
    below = folder / "games"
    for inside in sorted(below.iterdir()) if below.is_dir() else ():
        try:
            entries.append(entry_of(inside, mine))
        except (SchottenError, OSError) as error:
            why = os_sentence(error) if isinstance(error, OSError) else str(error)
            strange.append(_("{folder}: no game can be read there: {why}").format(folder=inside, why=why))
    rows = [_row(entry, entries, known) for entry in sorted(entries, key=lambda entry: entry.when)]
    if rows:
        widths = [max(map(len, column)) for column in zip(HEAD, *rows, strict=True)]
        for row in (HEAD, *rows):
            print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    for line in strange:
        print(one_line(line))
    if not rows and not strange:
        print(_("No games yet: schotten play begins one."))


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
    # Both seats may have written here: the other one is the second peer of `play`, or somebody else of this home.
    me = next((seat for seat in seats if hellos[seat].identity == mine), seats[0])
    theirs = hellos[other(me)]
    offer = offer_of(RULESETS, hellos[0])
    form = read_form(offer.rules, offer.options.form)
    return Entry(folder.name, path.stat().st_mtime, me, theirs.identity, theirs.name, offer, form, _outcome(items))


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


def _read_outcome(code: tuple[int, ...]) -> Outcome:
    winner, reason, first, second = code
    if winner > DRAWN or reason >= len(REASONS):
        raise Malformed(_("an outcome that there is not"))
    return Outcome(None if winner == DRAWN else SEATS[winner], REASONS[reason], (first, second))


def _row(entry: Entry, entries: Sequence[Entry], known: dict[bytes, str]) -> tuple[str, ...]:
    outcome, me = entry.outcome, entry.me
    rules = " ".join((entry.offer.rules.name, *(f"{name}={value}" for name, value in entry.offer.rules.flags)))
    result, points = _("unfinished"), "-"
    if outcome is not None:
        points = _points(outcome.points, me)
        result = _("drawn") if outcome.winner is None else _("won") if outcome.winner == me else _("lost")
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.when))
    opponent = clean_text(known.get(entry.opponent, entry.called), 32)
    return when, entry.game[:ID_DIGITS], rules, result, points, _match(entry, entries), opponent


def _points(points: tuple[int, int], me: Seat) -> str:
    return f"{points[me]}-{points[other(me)]}"


def _match(entry: Entry, entries: Sequence[Entry]) -> str:
    """Which game of its match this is, and how the match stood after it; a dash for a game that stands alone."""
    chain = {one.offer.match.number: one for one in entries if one.chain == entry.chain}
    number, form = entry.offer.match.number, entry.form
    if isinstance(form, Free) and len(chain) == 1 and number == 1:
        return "-"
    before = [one.outcome for n, one in sorted(chain.items()) if n <= number and one.outcome is not None]
    now = standing(form, [Played(SEATS[0], outcome) for outcome in before])
    match form:
        case Rounds(count):
            return f"{_which(now, entry)}/{count}  {_points(now.points, entry.me)}"
        case Roles():
            return f"{_which(now, entry)}/2  {_points(now.points, entry.me)}"
        case Target(target):
            return f"{_which(now, entry)}  {_points(now.points, entry.me)} to {target}"
        case Free():
            return f"{number}  {_points(now.points, entry.me)}"


def _which(now: Standing, entry: Entry) -> int:
    """The number of the game in its match: a game under way comes after those that count."""
    return len(now.games) + (entry.outcome is None)

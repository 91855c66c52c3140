"""A game of an earlier run, as it lies in the home folder: found by its id, and put together again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from p2p_schotten.cli.files import LEAST_DIGITS, read
from p2p_schotten.cli.games import Entry, entry_of, given_names, row
from p2p_schotten.cli.series import Restored
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.crypto.identity import Identity
from p2p_schotten.disk import DISK, secret_file
from p2p_schotten.errors import JournalError, SchottenError
from p2p_schotten.home import load_identity
from p2p_schotten.ids import GAME_DIGITS, ID_DIGITS, SEATS, Seat, other
from p2p_schotten.journal import SUFFIX, Journal
from p2p_schotten.mark import NoMark, has_signed
from p2p_schotten.match import Played, joined, place_of, played, standing, standing_after
from p2p_schotten.protocol.peer import Peer
from p2p_schotten.protocol.session import Session
from p2p_schotten.standby import Standby, load_standby, standby_path
from p2p_schotten.text import is_hex
from p2p_schotten.transcript import verify
from p2p_schotten.ui.text import _

MOST_TOLD = 5  # games of several that are described


@dataclass(frozen=True, slots=True)
class Saved:
    """One seat of a game that can go on. `standby` is None where it is lost: then nobody knows where the other is."""

    game: str  # its id in hexadecimal digits
    seat: Seat
    identity: Identity
    standby: Standby | None
    restored: Restored

    @property
    def other_key(self) -> bytes:
        """Whom to look for: as the HELLOs say, or what was kept in case they are lost; empty where nobody knows."""
        identities = self.restored.peer.session.identities
        if len(identities) == len(SEATS):
            return identities[other(self.seat)]
        return b"" if self.standby is None else self.standby.other

    @property
    def beside(self) -> bool:
        """The other seat is a second process of `play`: it is nowhere to be found but here."""
        return self.standby is not None and self.standby.port == 0 and not self.standby.addresses

    @property
    def owes_nothing(self) -> bool:
        """The game is over, and the other has it all: seat 1 writes the last record, and may not have sent it."""
        return self.over and self.seat == SEATS[0]

    @property
    def over(self) -> bool:
        """The last record stands, and nothing comes after it."""
        session = self.restored.peer.session
        return session.finished and standing_after(session, self.restored.before).over

    @property
    def ending(self) -> bool:
        """The last move stands, and at most the records behind it are missing, here or there."""
        session = self.restored.peer.session
        return self.over or (session.outcome is not None and not session.finished)


def seats_here(home: Path, game: str) -> tuple[Seat, ...]:
    """The seats of that game whose secrets lie here, my own identity's first."""
    here = [seat for seat in SEATS if (home / "seeds" / f"{game}-{seat}.seed").exists()]
    return tuple(sorted(here, key=lambda seat: _is_throwaway(home, game, seat)))


def _is_throwaway(home: Path, game: str, seat: Seat) -> bool:
    standby = _standby(home, game, seat)
    return standby is not None and bool(standby.identity)


def _standby(home: Path, game: str, seat: Seat) -> Standby | None:
    path = standby_path(home, bytes.fromhex(game), seat)
    return load_standby(path) if path.exists() else None


def find(home: Path, given: str | None) -> str:
    """The id of the game that is meant; raises Failure with what there is to choose from."""
    below = home / "seeds"
    names = [path.stem.rpartition("-") for path in below.glob("*.seed")]
    found = {game for game, _dash, seat in names if is_hex(game, ID_DIGITS) and seat in map(str, SEATS)}
    if given is None:
        return _only(home, sorted(found))
    if not is_hex(given, LEAST_DIGITS, ID_DIGITS):
        why = _("{given}: the id of a game is {n} hexadecimal digits or more").format(given=given, n=LEAST_DIGITS)
        raise Failure(Status.USAGE, why, _("schotten games shows the ids"))
    fits = sorted(game for game in found if game.startswith(given))
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise Failure(Status.USAGE, _("{given} fits {n} games: type more digits").format(given=given, n=len(fits)))
    if any(path.name.startswith(given) for path in (home / "games").glob("*")):
        raise Failure(
            Status.USAGE, _("{given}: its seed is not here, and no seat goes on without one").format(given=given)
        )
    raise Failure(Status.USAGE, _("no game here has an id that begins with {given}").format(given=given))


def _only(home: Path, games: list[str]) -> str:
    """The one game of these that goes on: something is missing at its end, or a game of its match comes after it."""
    mine = load_identity(home).public if games else b""
    entries = {game: _entry(home, game, mine) for game in games}
    waited_for = _followed([entry for entry in entries.values() if entry is not None])

    def goes_on(game: str, entry: Entry | None) -> bool:
        if entry is None:
            return not _never_begun(home, game)
        return game in waited_for or not (entry.ended or _agreed_absence(entry))

    ids = [game for game, entry in entries.items() if goes_on(game, entry)]
    if len(ids) == 1:
        return ids[0]
    if not ids:
        raise Failure(Status.USAGE, _("no game stands unfinished here"), _("schotten games lists them all"))
    listed = "; ".join(_told(home, [(game, entries[game]) for game in ids]))
    hint = _("schotten resume ID goes on with one; schotten games lists all")
    raise Failure(Status.USAGE, _("several games stand unfinished: {games}").format(games=listed), hint)


def _told(home: Path, games: Sequence[tuple[str, Entry | None]]) -> list[str]:
    """Each game by its id, its rules, the opponent and when it stood still, the latest first; not too many of them."""
    latest = sorted(games, key=lambda pair: pair[1].when if pair[1] is not None else 0, reverse=True)
    given = given_names(home)
    told: list[str] = []
    for game, entry in latest[:MOST_TOLD]:
        if entry is None:
            told.append(game[:GAME_DIGITS])
            continue
        when, number, rules, _result, _place, name = row(entry, "", given)
        told.append(_("{id} ({rules} against {name}, {when})").format(id=number, rules=rules, name=name, when=when))
    return told if len(latest) <= MOST_TOLD else [*told, _("and {n} more").format(n=len(latest) - MOST_TOLD)]


def _followed(entries: Sequence[Entry]) -> frozenset[str]:
    """The ids of the games that are over while their match is not, as far as these tell.

    One that was closed alone too: when the other comes back its ordinary end takes the place of the CLOSE.
    """
    chains = [[entries[at] for at in chain] for chain in joined([entry.place for entry in entries])]
    return frozenset(
        games[-1].game
        for games in chains
        if games[0].offer.match.number == 1
        and games[-1].ended
        and not standing(games[0].form, [Played(SEATS[0], game.outcome) for game in games if game.outcome]).over
    )


def _agreed_absence(entry: Entry) -> bool:
    """Both sides have recorded the same win by absence."""
    return entry.absence is not None and entry.absence.agreed is True


def after(home: Path, saved: Saved) -> str:
    """The id of the game that follows this one in its match, if it is here; else nothing."""
    session = saved.restored.peer.session
    if not session.finished:
        return ""
    mine, place = saved.identity.public, place_of(session)
    entries = (_entry(home, game, mine) for game in _folders(home))
    return next((entry.game for entry in entries if entry is not None and entry.place.before == place.after), "")


def _never_begun(home: Path, game: str) -> bool:
    """No seat here has signed anything: a program was killed while two met. By its id it can still be asked for."""
    try:
        marks = [secret_file(home, bytes.fromhex(game), seat, "mark") for seat in seats_here(home, game)]
        return not any(has_signed(DISK, mark) for mark in marks)
    except (SchottenError, OSError):
        return False


def _entry(home: Path, game: str, mine: bytes) -> Entry | None:
    """What the list of games says of it; None where it says nothing yet."""
    try:
        return entry_of(home / "games" / game, mine)
    except (SchottenError, OSError):
        return None


def restore(home: Path, game: str, seat: Seat, *, without_mark: bool = False) -> Saved:
    """That seat of the game as its journal tells it; the journal is open and locked. Raises Failure, JournalError."""
    folder = home / "games" / game
    for evidence in sorted(folder.glob(f"{seat}-*.evidence")):
        why = _("the game ended with a break of the protocol: {path}").format(path=evidence)
        raise Failure(Status.FAULT, why, _("schotten verify reads it; move it away to go on all the same"))
    standby = _standby(home, game, seat)
    identity = Identity(standby.identity) if standby is not None and standby.identity else load_identity(home)
    path = home / "games" / game / f"{seat}{SUFFIX}"
    try:
        journal, items = Journal.open(path, without_mark=without_mark)
    except NoMark as error:
        hint = _(
            "--without-mark goes on all the same; with an older copy of the game it can make you look like a cheat"
        )
        raise Failure(Status.UNFINISHED, str(error), hint) from error
    try:
        peer = Peer.restore(seat, identity, journal.seed(), items, floor=journal.floor, game_id=bytes.fromhex(game))
        lost = not peer.session.hellos
        before = () if lost else _before(home, peer.session, identity.public)
    except BaseException:  # whatever it is goes on, but the journal does not stay locked
        journal.close()
        raise

    def look_back(session: Session) -> tuple[Played, ...]:
        return _before(home, session, identity.public)

    return Saved(game, seat, identity, standby, Restored(peer, journal, before, look_back if lost else None))


def _before(home: Path, session: Session, mine: bytes) -> tuple[Played, ...]:
    """The games of this chain before this one, oldest first; raises JournalError where they are not here."""
    games: list[Played] = []
    entries = {entry.place.after: entry for game in _folders(home) if (entry := _entry(home, game, mine)) is not None}
    match = session.offer.match
    wanted = (match.id or session.game_id, session.identities, match.number, match.previous)
    while wanted[2] > 1 and (entry := entries.get(wanted)) is not None:
        seat = min(seats_here(home, entry.game), default=entry.me)
        verdict = verify(read(str(home / "games" / entry.game / f"{seat}{SUFFIX}")))
        if not verdict.over:
            raise JournalError(_("game {n} of this match is not valid here").format(n=wanted[2] - 1))
        games.append(played(verdict.session))
        wanted = entry.place.before
    if len(games) < match.number - 1:
        raise JournalError(_("game {n} of this match is not here").format(n=match.number - 1 - len(games)))
    return tuple(reversed(games))


def _folders(home: Path) -> tuple[str, ...]:
    below = home / "games"
    return tuple(sorted(path.name for path in below.iterdir())) if below.is_dir() else ()

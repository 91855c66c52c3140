"""Who is at the other side: known, new, or somebody else under a known name."""

from __future__ import annotations

from pathlib import Path

from p2p_schotten.cli.options import NO_NAME
from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.crypto.identity import fingerprint
from p2p_schotten.errors import JournalError, Malformed
from p2p_schotten.home import find_player, known_players, remember
from p2p_schotten.text import NAME_BYTES, clean_text
from p2p_schotten.ui.notice import Introduced
from p2p_schotten.ui.text import _
from p2p_schotten.ui.wrapping import aside


def introduced(folder: Path, key: bytes, name: str) -> Introduced:
    """What is known about the player with this key who calls himself `name`."""
    player = find_player(folder, key)
    twin = player is None and any(known.name == name for known in known_players(folder))
    return Introduced(name, fingerprint(key), player.name if player else None, twin)


def refuse_twin(who: Introduced) -> None:
    """Trust on first use ends where a known name comes with another key; raises Failure."""
    if who.twin:
        raise Failure(
            Status.NO_GAME,
            _("THE KEY OF {name} HAS CHANGED: this one has the fingerprint {fingerprint}").format(
                name=clean_text(who.name, 32), fingerprint=who.fingerprint
            ),
            _("ask on another way; if it is right: schotten keys forget {name}").format(name=clean_text(who.name, 32)),
        )


def met(folder: Path, key: bytes, name: str) -> None:
    """From now on the player is known; one without a name of his own keeps the one he is known by.

    A list that cannot be kept is told of, and is no end of a game.
    """
    try:
        if name != NO_NAME or find_player(folder, key) is None:
            remember(folder, key, name)
    except (JournalError, Malformed) as error:
        note = _("{name} is not remembered: {why}.").format(name=clean_text(name, NAME_BYTES), why=str(error))
        aside(note)

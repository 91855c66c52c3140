"""What the player gets to know when his game does not come to its end: one line, where it is saved, a status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2p_schotten.cli.status import Failure, Status
from p2p_schotten.errors import Cause, ChannelError, Inconsistent, JournalError, PeerFault
from p2p_schotten.ids import GAME_DIGITS
from p2p_schotten.text import clean_text
from p2p_schotten.ui.notice import Lost
from p2p_schotten.ui.text import _

if TYPE_CHECKING:
    from p2p_schotten.cli.game import Game

NO_GAME_CAUSES = frozenset({Cause.VERSION, Cause.RULES})  # nobody cheats who plays another game


def failure(game: Game, error: BaseException) -> Failure | None:
    """The end that this error makes of the game; None for one that is no answer to anything."""
    match error:
        case KeyboardInterrupt():
            return unfinished(game, _("interrupted"))
        case OSError():
            return unfinished(game, unheard(error))
        case PeerFault() if error.cause in NO_GAME_CAUSES and not game.begun:
            return Failure(Status.NO_GAME, error.detail)
        case PeerFault():
            where = _("evidence: {path}").format(path=game.link.evidence) if game.link.evidence else _saved(game)
            sentence = _("{name} broke the protocol: {why}")
            if error.blame == game.peer.seat:  # the other gave me back what I had signed before I signed otherwise
                sentence = _("your own records contradict each other: {why}; was this game played from an old copy?")
            return Failure(Status.FAULT, sentence.format(name=game.name(), why=clean_text(str(error), 200)), where)
        case ChannelError() | JournalError() | Inconsistent():
            if game.left:
                return unfinished(game, game.why_left)
            if game.begun:
                if isinstance(error, ChannelError):
                    game.tell(Lost(str(error)))
                return unfinished(game, str(error))
            return Failure(Status.NO_GAME, str(error))
    return None


def unheard(error: OSError) -> str:
    """Why nothing more can be told to whoever plays here."""
    if isinstance(error, BrokenPipeError):
        return _("nobody reads the output")
    return _("the output cannot be written: {why}").format(why=error.strerror or error)


def unfinished(game: Game, why: str) -> Failure:
    """The game did not come to its end because of this."""
    if not game.begun:
        return Failure(Status.NO_GAME, _("no game came about: {why}").format(why=why))
    state = game.peer.session.state
    if state is not None and state.over:
        sentence = _("the game is over, but not sealed by both: {why}")
        return Failure(Status.UNFINISHED, sentence.format(why=why), _saved(game))
    return Failure(Status.UNFINISHED, _("the game stands unfinished: {why}").format(why=why), _saved(game))


def match_unfinished(why: str, game: str) -> Failure:
    """The match did not come to its end; `game`: the id of its last game, in hexadecimal digits."""
    hint = _("schotten resume {id} goes on with it").format(id=game[:GAME_DIGITS])
    return Failure(Status.UNFINISHED, _("the match stands unfinished: {why}").format(why=why), hint)


def _saved(game: Game) -> str:
    if not game.begun or game.journal.path is None:
        return ""
    sentence = _("the game is saved: {path}; schotten resume {id} goes on with it")
    return sentence.format(path=game.journal.path, id=game.journal.path.parent.name[:GAME_DIGITS])

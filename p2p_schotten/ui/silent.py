"""The front end of a peer that nobody watches."""

from __future__ import annotations

from p2p_schotten.engine.move import Move
from p2p_schotten.engine.view import View
from p2p_schotten.text import clean_text
from p2p_schotten.ui.around import NOTHING, Around
from p2p_schotten.ui.desk import Action
from p2p_schotten.ui.notice import Faulted, Happening
from p2p_schotten.ui.wrapping import aside


class SilentFront:
    """Asks nothing, for a bot decides, and shows nothing but why that stopped: the other side only sees it leave."""

    def meet(self, seat: int, names: tuple[str, str], around: Around = NOTHING) -> None:
        """Nothing is shown."""

    def tell(self, happening: Happening, view: View | None) -> None:
        """Nothing is shown, or one line on standard error."""
        if isinstance(happening, Faulted):
            aside(f"schotten: {clean_text(happening.why, 200)}")

    def ask(self, view: View, choices: tuple[Move, ...]) -> None:
        """Nobody is there to be asked."""

    def answer(self, line: str) -> Action | None:
        """Nobody types."""
        return None

    def refuse(self, why: str) -> None:
        """Nothing is shown."""
